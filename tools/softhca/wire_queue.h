/* SPDX-License-Identifier: BSD-2-Clause */
/* Effects of a bad wire on packets: the time of arrival, copies and damage. */
#ifndef SOFTHCA_WIRE_QUEUE_H
#define SOFTHCA_WIRE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_PACKET_MAX 65536u
/* Packets that wait for the rate, in one direction. Further ones are dropped, as by a switch. */
#define WIRE_LIMIT	1000u

/* Quality of the wire, in both directions. Chances are in percent. */
struct wire_quality {
	double delay_ms, jitter_ms; /* of each packet, one way */
	double loss, reorder, duplicate, corrupt;
	double rate_mbit; /* 0: no limit */
	uint64_t seed;
};

struct wire_packet {
	uint64_t due_ns, number;
	uint32_t length;
	uint8_t *bytes; /* after it */
};

/* One direction. */
struct wire_queue {
	const struct wire_quality *quality;
	uint64_t random, number;
	uint64_t last_ns;	   /* arrival time of the last packet in order */
	uint64_t free_ns;	   /* time when the rate allows the next one */
	struct wire_packet **heap; /* from 1, the earliest first */
	size_t count, room;
	struct {
		unsigned long packets, lost, overtook, doubled, corrupted, full;
	} did;
};

void wire_queue_start(struct wire_queue *q, const struct wire_quality *quality, uint64_t salt);
/* Adds a packet, which may be lost or put into the queue once or twice. False: no memory. */
bool wire_queue_put(struct wire_queue *q, const uint8_t *bytes, uint32_t length, uint64_t now_ns);
/* Time when the next one leaves. UINT64_MAX: there is none. */
uint64_t wire_queue_next(const struct wire_queue *q);
/* Next packet, which the caller frees. NULL if none is due. */
struct wire_packet *wire_queue_take(struct wire_queue *q, uint64_t now_ns);
void wire_queue_end(struct wire_queue *q);

#endif
