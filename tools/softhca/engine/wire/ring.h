/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings: how packets go between processes of one machine and network namespace. Each direction
 * between two ports has a ring of its own in memory that both map; the sender makes it, and offers
 * it through an abstract UNIX socket that is named as the receiver's address. Until the offer is
 * taken, and to everybody who takes none, packets go by UDP.
 *
 * What the other process writes is not trusted: positions and lengths are checked at each use, and
 * a ring with a wrong one is given up. Its memory cannot shrink (sealed), so reading it cannot
 * fault.
 *
 * A receiver that is about to sleep says so in the ring; the next packet then comes with a datagram
 * on its UNIX socket. A futex would not do: the sleeper also waits for UDP, offers, multicast and,
 * in the device thread, commands, and nobody can wait for a futex and descriptors at once. The
 * datagram also shows whether the receiver lives. One that polls is not told. One that sleeps on
 * the processor of a waiting sender is told when the sender has more for it, polls again in vain,
 * or sleeps.
 *
 * The cost is cache lines that are written here and read there; each moves twice, once to be read
 * and once to be written again. With nobody asleep and room in the ring:
 *   a list of 16 WRITEs of 8 bytes    12 of packets (48 bytes each), 1 of the position
 *   a SEND of 4 KiB, MTU 1024         66 of packets, 1 of the position, at most three times
 *                                     (after 1 KB, after 3, at the end)
 *   the acknowledgement of either     1 of a packet, 1 of the position
 *   an empty poll for packets         none, unless there is something to see
 *   whether the receiver sleeps, its processor, its last poll    1 in 40 us
 *   how much the receiver has taken   1 in a millisecond; with the ring more than half full, 1 for
 *                                     each check for room
 * The next packets' lines are prefetched for writing, those behind a packet while it is processed.
 */
#ifndef SOFTHCA_ENGINE_RING_H
#define SOFTHCA_ENGINE_RING_H

#include <stdbool.h>
#include <stdint.h>

#define RING_BYTES  (512u * 1024) /* power of two */
#define RINGS_BYTES (8u * 1024 * 1024) /* of a port's; more is given back, in use or not */
#define RING_MAGIC  0x73687232u
#define RING_SEALED 1u /* flag of a record: the packet has an ICRC */

/* In front of each record, which begins at a multiple of 8. */
struct ring_record {
	/* of the packet; RING_SKIP: the next record is at the beginning of the ring */
	uint32_t len;
	uint32_t flags;
};
#define RING_SKIP UINT32_MAX

/*
 * The first page. Positions count bytes since the beginning of time, modulo 2^32.
 *
 * What one side writes with each packet stands in a line that the other reads only when it must,
 * and what the other reads with each packet in a line that is seldom written: a line that is
 * written here and read there travels between two processors each time, and that is what a packet
 * costs. Two lines each, as some processors fetch them in pairs.
 */
#define RING_APART 128
struct ring_page {
	uint32_t magic;
	int32_t sender_cpu; /* where its waiting thread was last; -1: nobody waits */
	/* The sender's, with each burst of packets; the receiver looks at it in each turn. */
	_Alignas(RING_APART) uint32_t tail;
	/* The receiver's, with each burst; the sender looks when room is short and now and then. */
	_Alignas(RING_APART) uint32_t head;
	/* so much has been dealt with, and what there was to say to it has been sent */
	uint32_t answered;
	/* The receiver's, seldom; the sender looks with each burst. */
	_Alignas(RING_APART) uint32_t taken;
	uint32_t sleeps; /* wants to be told of new packets */
	int32_t receiver_cpu;
	uint64_t turned_ns; /* when it looked last, roughly */
};
#define RING_PAGE 4096u
#define RING_MAP  (RING_PAGE + RING_BYTES)

struct ring_out {
	struct ring_out *next;
	uint32_t ip;
	int fd; /* connected to the receiver's socket: dies with it */
	struct ring_page *page;
	uint8_t *data;
	bool in_use;	    /* what goes before by UDP has left */
	uint32_t tail;	    /* beyond what was written */
	uint32_t shown;	    /* of it, with a look whether the receiver sleeps */
	uint32_t seen;	    /* of it, by who looks himself */
	uint32_t sure;	    /* of it, while the receiver was certainly there */
	uint32_t show;	    /* so many more bytes, and the receiver is shown them at once */
	/* as it was at the last look: asking costs the receiver's cache line */
	uint32_t known_head;
	uint64_t looked_ns; /* when that was, if it was to see whether it moves */
	uint32_t seen_head; /* at the last look whether it moves */
	uint64_t stuck_ns;  /* since when it does not; 0: it does */
	uint64_t told_turn; /* the receiver's turned_ns when it was told last */
	bool owed;	    /* it sleeps, and was not told of what it was shown */
	uint32_t kept;	    /* bytes that have had pages since they were last given back */
	uint64_t pushed_ns; /* when something was shown last */
};

struct ring_in {
	struct ring_in *next;
	uint32_t ip;
	struct ring_page *page;
	const uint8_t *data;
	uint32_t head;
	bool in_order; /* what came by UDP before the ring was taken has been delivered */
	bool broken;
};

struct softhca_wire;

/* ring_open - the socket for offers and wake-ups; -1 if there can be none. */
int softhca_ring_open(uint32_t ip);
void softhca_ring_close_all(struct softhca_wire *w);
/* softhca_ring_forget_all - in a forked child, which has no view of the memory. */
void softhca_ring_forget_all(struct softhca_wire *w);

/* softhca_ring_to - the ring to an address, if it has been taken; else offers one now and then. */
struct ring_out *softhca_ring_to(struct softhca_wire *w, uint32_t ip);
/* softhca_ring_room - may data be sent, so that answers still find room? */
bool softhca_ring_room(const struct softhca_wire *w, struct ring_out *r);
/* softhca_ring_reserve - where a packet may be written; NULL: there is no room at all. */
uint8_t *softhca_ring_reserve(struct ring_out *r);
void softhca_ring_push(struct ring_out *r, uint32_t len, uint32_t flags);
/*
 * softhca_ring_flush - shows what was pushed, and wakes receivers that sleep; those on the
 * processor `patient_cpu`, if it is one, only at the next flush, or before the caller sleeps.
 */
void softhca_ring_flush(struct softhca_wire *w, int patient_cpu);

/* softhca_ring_accept - takes offers and swallows wake-ups. */
void softhca_ring_accept(struct softhca_wire *w);
/* softhca_ring_poll - delivers a bounded number of packets; how many. */
int softhca_ring_poll(struct softhca_wire *w, uint64_t now);
/* softhca_ring_answered - at the end of a turn, its answers are shown: senders may know. */
void softhca_ring_answered(struct softhca_wire *w);
/* softhca_ring_sleep - from now on wake-ups are wanted (or not). True: there are packets. */
bool softhca_ring_sleep(struct softhca_wire *w, bool sleeps);
/* softhca_ring_on_cpu - has a neighbour that waits or receives been on this processor last? */
bool softhca_ring_on_cpu(struct softhca_wire *w, int cpu);

#endif
