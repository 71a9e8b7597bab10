/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by wire.c (addresses, sockets), wire_tx.c (sending) and wire_rx.c (receiving, credits). */
#ifndef SOFTHCA_ENGINE_WIRE_PRIV_H
#define SOFTHCA_ENGINE_WIRE_PRIV_H

#include "wire.h"

#define ARENA_SIZE	 (256u * 1024)
#define GROUPS_MAX	 64
#define PEERS		 1024u /* power of two; colliding addresses share an entry by turns */
/* What a small datagram takes of a socket's buffer beyond its length. */
#define WIRE_PACKET_COST 768u

/* Datagrams of one size to one address; the kernel cuts them apart, or not even that. */
struct group {
	uint32_t dst_ip;
	uint32_t offset;
	uint32_t bytes;
	uint32_t seg;
	uint32_t packets;
	bool closed; /* a shorter one came: nothing may follow */
};

/* A byte queue of datagrams between ports of this process. */
struct fifo {
	uint8_t *data;
	uint32_t used;
	uint32_t size;
};

struct fifo_record {
	uint32_t src_ip;
	uint32_t len;
};

/* A datagram that the fault plan holds back. */
struct held {
	struct held *next;
	uint64_t due_ns;
	uint32_t overtake; /* leaves when so many have passed; 0: only by time */
	uint32_t dst_ip;
	uint32_t len;
	uint8_t data[];
};

/*
 * Link credits. InfiniBand's links lose nothing because a sender knows how much
 * room the other end has; a UDP socket just drops. So the receiving wire tells
 * each sender how much it has taken out of its socket (private packet 0xff, its
 * payload the bytes since the last one), and senders keep less under way than a
 * socket holds. A hint, not a promise: with nothing heard for a while the
 * sender goes on, and what is lost is lost.
 */
struct peer {
	uint32_t ip;
	uint32_t under_way;
	uint32_t taken;	     /* since we told it */
	uint64_t heard_ns;   /* last sign of life */
	uint64_t waiting_ns; /* since when somebody waits for room; 0: nobody */
};

struct softhca_wire {
	int fd;
	uint32_t ip;
	bool up;
	softhca_wire_rx rx;
	void *arg;
	struct softhca_wire_stats stats;
	/* Outgoing */
	uint8_t *arena;
	uint32_t arena_used;
	uint32_t group_count;
	struct group groups[GROUPS_MAX];
	struct held *held;
	uint32_t credit; /* what may be under way to one peer */
	uint64_t asked;	 /* READ data that was requested and is still to come */
	struct peer *peers;
	/* Incoming, from this process */
	struct fifo local[2];
	int filling; /* which of the two takes new packets */
};

/* softhca_wire_find - the port of this process that has the address, if local delivery is on. */
struct softhca_wire *softhca_wire_find(uint32_t ip);
struct peer *softhca_wire_peer(struct softhca_wire *w, uint32_t ip);
/* softhca_wire_push - what lies at the end of the arena is a datagram to dst_ip. */
void softhca_wire_push(struct softhca_wire *w, uint32_t dst_ip, uint32_t len);
/* softhca_wire_release - let held back packets go: those due, and those overtaken `passed` more. */
void softhca_wire_release(struct softhca_wire *w, uint32_t passed, uint64_t now);

/* softhca_wire_deliver - check a datagram and give it to the port. */
void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			  uint32_t src_ip, uint32_t dst_ip);
/* softhca_wire_mcast_forget - in a forked child: close its copies of the group sockets. */
void softhca_wire_mcast_forget(void);

#endif
