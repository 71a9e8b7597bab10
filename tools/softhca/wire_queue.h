/* SPDX-License-Identifier: BSD-2-Clause */
/* What a bad wire does to packets: when each arrives, how often, and in which shape. */
#ifndef SOFTHCA_WIRE_QUEUE_H
#define SOFTHCA_WIRE_QUEUE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define WIRE_PACKET_MAX 65536u
/* Packets that wait for the rate, in one direction: those beyond are dropped, as by a switch. */
#define WIRE_LIMIT	1000u

/* How bad it is, in both directions; chances are in percent. */
struct wire_quality {
	double delay_ms, jitter_ms; /* of each packet, one way */
	double loss, reorder, duplicate, corrupt;
	double rate_mbit; /* 0: no limit */
	uint64_t seed;
};

struct wire_packet {
	uint64_t due_ns, number;
	uint32_t length;
	uint8_t *bytes; /* behind it */
};

/* One direction. */
struct wire_queue {
	const struct wire_quality *quality;
	uint64_t random, number;
	uint64_t last_ns;	   /* when the last packet in order arrives */
	uint64_t free_ns;	   /* when the rate allows the next one */
	struct wire_packet **heap; /* from 1, the earliest first */
	size_t count, room;
	struct {
		unsigned long packets, lost, overtook, doubled, corrupted, full;
	} did;
};

void wire_queue_start(struct wire_queue *q, const struct wire_quality *quality, uint64_t salt);
/* A packet enters: it may be lost, or put into the queue once or twice. False: no memory. */
bool wire_queue_put(struct wire_queue *q, const uint8_t *bytes, uint32_t length, uint64_t now_ns);
/* When the next one leaves; UINT64_MAX: there is none. */
uint64_t wire_queue_next(const struct wire_queue *q);
/* The next one, which the caller frees; NULL if none is due. */
struct wire_packet *wire_queue_take(struct wire_queue *q, uint64_t now_ns);
void wire_queue_end(struct wire_queue *q);

#endif
