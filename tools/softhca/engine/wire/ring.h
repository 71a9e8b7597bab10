/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings, the packets' way between processes of one machine and network namespace. Each direction
 * between two ports has its own ring in memory that both map. The sender makes it, and offers it
 * through an abstract UNIX socket named for the receiver's address. Until the offer is accepted,
 * and to receivers that never accept, packets go by UDP.
 *
 * The other process is not trusted: positions and lengths are checked at each use, and a ring with
 * a wrong one is dropped. Its memory cannot shrink (sealed), so reading it cannot fault.
 *
 * A receiver that is about to sleep announces it in the ring. The next packet then comes with a
 * datagram on its UNIX socket. A futex is not suitable: the sleeper also waits for UDP, offers,
 * multicast and, in the device thread, commands, and no call waits for a futex and descriptors at
 * once. The datagram also shows whether the receiver is alive. A polling receiver gets no wake-up.
 * A receiver that sleeps on the processor of a waiting sender is woken when the sender has more for
 * it, polls again in vain, or sleeps.
 *
 * The cost is cache lines that one side writes and the other reads. Each moves twice, once to be
 * read and once to be written again. Without sleepers and with room in the ring:
 *   a list of 16 WRITEs of 8 bytes    12 of packets (48 bytes each), 1 of the position
 *   a SEND of 4 KiB, MTU 1024         66 of packets, 1 of the position, at most three times
 *                                     (after 1 KB, after 3, at the end)
 *   the acknowledgement of either     1 of a packet, 1 of the position
 *   an empty poll for packets         none, unless there is something to see
 *   whether the receiver sleeps, its processor, its last poll    1 in 40 us
 *   how much the receiver has taken   1 in a millisecond. With the ring more than half full, 1 for
 *                                     each check for room
 * The next packets' lines are prefetched for writing, and those after a packet while it is handled.
 */
#ifndef SOFTHCA_ENGINE_RING_H
#define SOFTHCA_ENGINE_RING_H

#include <stdbool.h>
#include <stdint.h>

#define RING_BYTES  (512u * 1024) /* power of two */
#define RINGS_BYTES (8u * 1024 * 1024) /* limit of a port's rings. Memory beyond it is given back */
#define RING_MAGIC  0x73687232u
#define RING_SEALED 1u /* flag of a record: the packet has an ICRC */

/* Header of each record, which begins at a multiple of 8. */
struct ring_record {
	/* of the packet. RING_SKIP: the next record is at the beginning of the ring */
	uint32_t len;
	uint32_t flags;
};
#define RING_SKIP UINT32_MAX

/*
 * The first page. Positions count bytes since the creation, modulo 2^32.
 *
 * A line that one side writes and the other reads travels between two processors each time, which
 * is the main cost of a packet. So values that one side writes with each packet are in a line that
 * the other reads only when it must. Values that the other reads with each packet are in a line
 * that is rarely written. They are two lines apart, because some processors fetch lines in pairs.
 */
#define RING_APART 128
struct ring_page {
	uint32_t magic;
	int32_t sender_cpu; /* last processor of its waiting thread. -1: no thread waits */
	/* Written by the sender with each burst of packets, read by the receiver in each turn. */
	_Alignas(RING_APART) uint32_t tail;
	/* Written by the receiver with each burst. The sender reads it when room is short. */
	_Alignas(RING_APART) uint32_t head;
	/* position up to which packets were handled and answered */
	uint32_t answered;
	/* Written by the receiver rarely, and read by the sender with each burst. */
	_Alignas(RING_APART) uint32_t taken;
	uint32_t sleeps; /* needs a wake-up for new packets */
	int32_t receiver_cpu;
	uint64_t turned_ns; /* rough time of its last poll */
};
#define RING_PAGE 4096u
#define RING_MAP  (RING_PAGE + RING_BYTES)

struct ring_out {
	struct ring_out *next;
	uint32_t ip;
	int fd; /* connected to the receiver's socket, and ends with it */
	struct ring_page *page;
	uint8_t *data;
	bool in_use;	    /* earlier packets over UDP have left */
	uint32_t tail;	    /* end of the written data */
	uint32_t shown;	    /* published up to here, with a check whether the receiver sleeps */
	uint32_t seen;	    /* published up to here for a receiver that polls */
	uint32_t sure;	    /* published while the receiver was certainly alive */
	uint32_t show;	    /* number of unpublished bytes to publish at once */
	/* head at the last read, because reading costs the receiver's cache line */
	uint32_t known_head;
	uint64_t looked_ns; /* time of that, if it was to see whether the head moves */
	uint32_t seen_head; /* head at the last check whether it moves */
	uint64_t stuck_ns;  /* time since when it does not move. 0: it moves */
	uint64_t told_turn; /* the receiver's turned_ns at its last wake-up */
	bool owed;	    /* it sleeps and needs a wake-up for published data */
	uint32_t kept;	    /* bytes with pages since the last time that memory was given back */
	uint64_t pushed_ns; /* time of the last publication */
};

struct ring_in {
	struct ring_in *next;
	uint32_t ip;
	struct ring_page *page;
	const uint8_t *data;
	uint32_t head;
	bool in_order; /* packets that came by UDP before the ring have been delivered */
	bool broken;
};

struct softhca_wire;

/* softhca_ring_open - opens the socket for offers and wake-ups. -1 if it is impossible. */
int softhca_ring_open(uint32_t ip);
void softhca_ring_close_all(struct softhca_wire *w);
/* softhca_ring_forget_all - for a forked child, which does not have the memory mapped. */
void softhca_ring_forget_all(struct softhca_wire *w);

/* softhca_ring_to - the ring to an address, if it was accepted. Otherwise may offer one. */
struct ring_out *softhca_ring_to(struct softhca_wire *w, uint32_t ip);
/* softhca_ring_room - returns whether data may be sent while answers still find room. */
bool softhca_ring_room(const struct softhca_wire *w, struct ring_out *r);
/* softhca_ring_reserve - place where a packet may be written. NULL: there is no room at all. */
uint8_t *softhca_ring_reserve(struct ring_out *r);
void softhca_ring_push(struct ring_out *r, uint32_t len, uint32_t flags);
/*
 * softhca_ring_flush - publishes the pushed packets and wakes sleeping receivers. Those on the
 * processor `patient_cpu`, if any, are woken at the next flush, or before the caller sleeps.
 */
void softhca_ring_flush(struct softhca_wire *w, int patient_cpu);

/* softhca_ring_accept - takes offers and swallows wake-ups. */
void softhca_ring_accept(struct softhca_wire *w);
/* softhca_ring_poll - delivers a bounded number of packets, and returns it. */
int softhca_ring_poll(struct softhca_wire *w, uint64_t now);
/* softhca_ring_answered - after a turn's answers are published: shows this to senders. */
void softhca_ring_answered(struct softhca_wire *w);
/* softhca_ring_sleep - requests wake-ups from now on, or ends them. True: there are packets. */
bool softhca_ring_sleep(struct softhca_wire *w, bool sleeps);
/* softhca_ring_on_cpu - true if a waiting or receiving neighbour was last on this processor. */
bool softhca_ring_on_cpu(struct softhca_wire *w, int cpu);

#endif
