/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send queue: a ring of 64-byte blocks, its doorbell and the bookkeeping of what is in flight.
 *
 * The ring is described by plain addresses, so a queue needs no device: a test may point it at
 * ordinary memory, the runtime points it at what mlx5dv_init_obj() returns.
 *
 * Two rules keep a full queue harmless without a branch per segment:
 *  - There is always room for one largest WQE behind the producer index, because a commit that
 * would take that room away is refused. A builder can therefore write before room is checked.
 *  - Nothing that is built can be seen by the device before commit has moved the producer index and
 *    ring has told it.
 *
 * Silent (unsignalled) requests cannot fill a queue: a silent request behind which there would not
 * be room for a largest one is made to complete. So whenever a request is refused for lack of room,
 * a completion is on its way that makes some. Well before that, when a quarter of the ring is left,
 * a request now and then is made to complete as well.
 *
 * A queue belongs to one thread at a time; or to two, one that posts and one that polls, if it was
 * declared so (segue_sq_split()).
 *
 * A queue with spare memory (struct segue_sq_spare) keeps no room free: where less is left than one
 * largest WQE takes, builders write to the spare memory, and a commit that finds room copies the
 * request to the ring.
 *
 * Owner: ring, doorbell record, slots and spare memory are the caller's and outlive the queue.
 * Threads: one at a time; of a queue that is split, one at a time for each half.
 * Errors: negative errno with segue_errmsg(); nothing is posted then.
 * Source: mlx5dv.h (struct mlx5_wqe_ctrl_seg), rdma-core providers/mlx5/qp.c.
 */
#ifndef SEGUE_SQ_H
#define SEGUE_SQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/bytes.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/detail/count.h"
#include "segue/detail/mmio.h"
#include "segue/detail/probe.h"
#include "segue/gen/enums.h"

#include "segue/detail/begin.h"

/* What is kept for the WQE that starts in a block. */
struct segue_sq_slot {
	uint64_t wr_id;
	uint32_t next; /* producer index behind the WQE, plus the slot's state */
	/*
	 * whose it is (segue/peer.h), where requests go to peers; else 0. Stays for those that use
	 * the slot next
	 */
	uint32_t tag;
};

/*
 * The state of a slot, as it is added to `next`: 0 where the application has asked for a
 * completion, or nobody has. Each is a quarter of the index's range, of which what is in flight
 * takes far less: so with any other state it looks as if nothing were, and the straight path needs
 * no test for that. Here the queue asked, so that it cannot fill up with silent work;
 */
#define SEGUEI_SLOT_FORCED  (1u << 30)
/* and here the request, too, is the library's: its completion is nobody's, failed or not. */
#define SEGUEI_SLOT_MARKER  (2u << 30)
#define SEGUEI_SLOT_STATES  (3u << 30)

/*
 * Slots are found by a shift of the CQE's last dword: wqe_counter is its upper half, a slot has
 * this many bytes (log2).
 */
#define SEGUEI_SLOT_SHIFT 4

/* In place of a thread, in checked builds: the queue pair was closed, */
#define SEGUEI_OWNER_CLOSED UINT64_MAX
/* it is a shared queue that nobody has locked, */
#define SEGUEI_OWNER_NOBODY (UINT64_MAX - 1)
/* or whoever polls the completion queue owns it. */
#define SEGUEI_OWNER_POLLER (UINT64_MAX - 2)

struct seguei_uar;

/**
 * Memory of a queue whose ring may be filled to the last block. All but its place is the queue's.
 */
struct segue_sq_spare {
	/* the request under construction while the ring is nearly full, and its slot */
	uint8_t wqe[(SEGUE_WQE_MAX_UNITS * SEGUE_WQE_UNIT_SIZE + SEGUE_WQE_BLOCK_SIZE - 1) /
		    SEGUE_WQE_BLOCK_SIZE * SEGUE_WQE_BLOCK_SIZE];
	struct segue_sq_slot slot;
	uint32_t most; /* requests that may be in flight */
	/* Requests in flight when they were counted last, from index `from` to index `to`. */
	uint32_t requests;
	uint32_t from, to;
	bool counted;
};

struct segue_sq {
	/*
	 * Read by every post. Where builders write: the ring; the spare memory while `tight`, so
	 * that the place of the producer index is there.
	 */
	uint8_t *buf;		     /* first byte */
	uint8_t *end;		     /* one past the last byte */
	struct segue_sq_slot *slots; /* one per block */
	/* first control quadword with nothing but the queue number set */
	uint64_t ctrl;
	uint32_t mask;               /* blocks in the ring, minus one */
	uint32_t max_units;          /* largest WQE in units of 16 bytes */
	/* blocks before `limit` in which silent requests are looked at more closely */
	uint32_t silent_reserve;

	/* Written by every post. All counts are of blocks, run freely and wrap at 2^32. */
	uint32_t pi;        /* committed so far */
	/* pi may not pass this: seguei_sq_ci() + room, moved by retire */
	uint32_t limit;
	uint32_t committed; /* pi of the last request that was committed and not posted or rung */

	volatile uint32_t *dbrec; /* doorbell record, send half */
	uintptr_t reg;            /* doorbell register of the next ring */
	/* xor to the other half of a BlueFlame register, 0 if there is one only */
	uintptr_t reg_toggle;
	/*
	 * where the next copy to such a register goes, for all queues of its thread; NULL: to `reg`
	 */
	uintptr_t *half;
	uint32_t copy_most; /* bytes that may be copied there without asking anybody */

	/* Not read by posts. */
	/*
	 * blocks that may be in flight; 0 while the queue may not be posted to, or the next request
	 * is to be fenced, or somebody is to be told of it
	 */
	uint32_t room;
	uint32_t slot_mask;	    /* mask, in bytes of `kept` */
	struct segue_sq_slot *kept; /* slots of the ring */
	uint8_t *ring;		    /* its first byte */
	uint32_t forced;    /* pi behind the last request that the queue has made to complete */
	uint32_t blocks;    /* largest WQE in blocks */
	uint32_t most;      /* `room` while the queue is open */
	bool postable;      /* the queue pair's state takes requests */
	/* the next request waits for the one before it: see seguei_sq_fence_next() */
	bool fence_next;
	/* `watch` is told of the next request, and where in the queue it begins */
	bool watched;
	/* builders write to the spare memory, and the queue is closed */
	bool tight;
	uint32_t qpn;
	/* bytes that one request may have cut into frames; 0: nobody knows */
	uint32_t max_tso;
	struct seguei_uar *uar; /* who else rings the register; NULL: nobody */
	struct segue_sq_spare *spare; /* NULL: one largest WQE of the ring stays free */
	/* of a queue that is split: the half that polls, of that half itself; else NULL */
	struct segue_sq *polled;
	void (*watch)(void *arg, uint32_t pi);
	void *watch_arg;
	/* whose bytes the ring keeps (segue/pattern.h); NULL: nobody's, or not all of them */
	const void *pattern;

	/*
	 * A payload that was too long for its segment: it is not written, so it is told from here,
	 * if the request is refused.
	 */
	uint32_t wrong_field; /* as SEGUEI_FIELD() has it */
	uint32_t wrong_length;

	/*
	 * Used by checked builds only; always present, so that both kinds can be linked together.
	 */
	uint64_t checked_owner; /* thread that posted first, 0 if none yet */
	uint32_t checked_step;  /* steps taken by builders of this queue */
	struct seguei_begun checked_begun; /* the request under construction */
	bool checked_batch;     /* a batch has been begun, and not ended */

	struct seguei_counts counts;

	/* NULL, or why builders refuse in any state: what follows "Send queue of QP 0x12 " */
	const char *barred;
};

/* Where a send queue lives. All memory belongs to the caller and outlives the queue. */
struct segue_sq_init_options {
	void *buf;                   /* ring, 64-byte aligned, wqe_cnt * 64 bytes */
	/* size of the ring in blocks of 64 bytes: a power of two, 8 to 32768 */
	uint32_t wqe_cnt;
	/* largest WQE in units of 16 bytes, 8 to 63; 0: as large as the ring allows */
	uint32_t max_wqe_units;
	uint32_t *dbrec;             /* send half of the doorbell record (4 bytes) */
	/*
	 * doorbell register in the UAR page, aligned to both halves, or to 8 bytes if it has none
	 */
	void *bf_reg;
	/* bytes of one half of a BlueFlame register; 0 if bf_reg is used for doorbells only */
	uint32_t bf_size;
	/* the runtime's note of who else rings it; NULL if nobody does */
	struct seguei_uar *uar;
	uint32_t qpn;                /* queue pair number, 24 bits */
	uint32_t first_index;        /* producer index to start from, normally 0 */
	struct segue_sq_slot *slots; /* wqe_cnt entries */
	/*
	 * bytes of payload of one segue_tso() (segue_caps.max_tso), which checked builds hold it
	 * to; 0: any
	 */
	uint32_t max_tso;
	/*
	 * blocks that may be in flight, as many as the largest WQE or more; 0: what the ring holds
	 */
	uint32_t max_blocks;
	/*
	 * NULL, or memory that lets the ring be filled to its last block; wqe_cnt may then be 1
	 */
	struct segue_sq_spare *spare;
	/* with spare: requests that may be in flight; 0: as many as the ring has blocks */
	uint32_t max_requests;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_sq_init() - describe a ring to a send queue.
 * @sq: queue to fill
 * @attr: where the ring lives
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming the attribute; *sq is untouched then. Writes
 * neither the ring nor the doorbell record. Nothing is allocated, so there is nothing to free.
 */
SEGUEI_MUST_CHECK int segue_sq_init(struct segue_sq *sq, const struct segue_sq_init_options *attr);

/**
 * segue_sq_set_postable() - let requests in, or refuse them all with -EINVAL.
 * @sq: send queue
 * @postable: false while the queue pair's state rejects posts
 *
 * The check is the one for room, so it costs a post nothing.
 */
void segue_sq_set_postable(struct segue_sq *sq, bool postable);

/* Begins anew at an index, with nothing in flight and nothing committed. */
void seguei_sq_restart(struct segue_sq *sq, uint32_t index);

/**
 * segue_sq_hand_over() - let another thread use the queue from now on.
 * @sq: send queue
 *
 * The threads synchronise among themselves. Only checked builds look at it.
 */
SEGUE_FUNCTION void segue_sq_hand_over(struct segue_sq *sq)
{
	sq->checked_owner = 0;
}

/* Blocks whose requests have completed so far. */
SEGUEI_HOT_FUNCTION uint32_t seguei_sq_ci(const struct segue_sq *sq)
{
	return sq->limit - sq->room;
}

SEGUE_FUNCTION void seguei_sq_set_ci(struct segue_sq *sq, uint32_t ci)
{
	sq->limit = ci + sq->room;
}

/*
 * The queue is closed while its state rejects requests, and while the next one has to be looked at:
 * so that costs the others no test.
 */
SEGUE_FUNCTION void seguei_sq_open_or_close(struct segue_sq *sq)
{
	const uint32_t ci = seguei_sq_ci(sq);

	sq->room = sq->postable && !sq->fence_next && !sq->watched && !sq->tight ? sq->most : 0;
	seguei_sq_set_ci(sq, ci);
}

/* True if nothing is in flight, as far as the thread that posts knows. */
SEGUE_FUNCTION bool seguei_sq_is_idle(const struct segue_sq *sq)
{
	return sq->pi == seguei_sq_ci(sq);
}

/* Up to which index requests have completed, as the thread that polls says. */
SEGUE_FUNCTION uint32_t seguei_sq_retired(const struct segue_sq *sq)
{
	return sq->polled ? SEGUEI_SEEN(&sq->polled->limit) - sq->polled->room : seguei_sq_ci(sq);
}

/* Takes note of that. True if that has made room. */
SEGUE_FUNCTION bool seguei_sq_catch_up(struct segue_sq *sq)
{
	const uint32_t retired = seguei_sq_retired(sq);

	if (retired == seguei_sq_ci(sq))
		return false;
	seguei_sq_set_ci(sq, retired);
	return true;
}

/* On the half that polls: takes for posted what may be. Nothing on other queues. */
SEGUE_FUNCTION void seguei_sq_widen(struct segue_sq *sq)
{
	if (sq->polled == sq)
		sq->pi = seguei_sq_ci(sq) + sq->most;
}

/* As segue_sq_room(), of a queue that has spare memory. */
SEGUEI_COLD uint32_t seguei_sq_room_to_the_end(const struct segue_sq *sq);

/**
 * segue_sq_room() is how many blocks of 64 bytes may still be committed: of a queue with spare
 * memory, in requests of the largest size.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_sq_room(const struct segue_sq *sq)
{
#ifndef SEGUE_FREESTANDING
	if (SEGUEI_UNLIKELY(sq->spare))
		return seguei_sq_room_to_the_end(sq);
#endif
	const bool looked_at = sq->fence_next || sq->watched || sq->polled;
	const uint32_t limit = SEGUEI_UNLIKELY(looked_at) && sq->postable
				       ? seguei_sq_retired(sq) + sq->most
				       : sq->limit;
	const int32_t room = (int32_t)(limit - sq->pi);

	return room > 0 ? (uint32_t)room : 0;
}

/* Why a request was refused, as a sentence and a negative errno. */
SEGUEI_COLD int seguei_sq_refuse(const struct segue_sq *sq, uint32_t units, int32_t bad,
				 bool too_long);

/* Says that a completion names no WQE that is in flight: -EINVAL. */
SEGUEI_COLD int seguei_sq_bad_completion(const struct segue_sq *sq, uint16_t wqe_counter);

/*
 * Retires a request that is no plain case: 0 if the queue has forced its completion, 1 if not. Or
 * says that no such WQE is in flight: -EINVAL.
 */
SEGUEI_COLD int seguei_sq_retire_other(struct segue_sq *sq, uint16_t wqe_counter, uint64_t *wr_id);

/*
 * Checked builds: false if the WQE behind which `next` lies does not start at this counter, as in a
 * CQE read a lap late.
 */
SEGUEI_OF_LIBRARY bool seguei_sq_starts_at(const struct segue_sq *sq, uint32_t next,
					   uint32_t wqe_counter);

/* Where the WQE of this index starts, of which the lower 16 bits are enough. */
SEGUEI_HOT_FUNCTION uint8_t *seguei_sq_wqe_at(const struct segue_sq *sq, uint32_t index)
{
	return sq->ring + (size_t)(index & sq->mask) * SEGUE_WQE_BLOCK_SIZE;
}

/* Where the ring ends. */
SEGUE_FUNCTION uint8_t *seguei_sq_ring_end(const struct segue_sq *sq)
{
	return sq->ring + (size_t)(sq->mask + 1) * SEGUE_WQE_BLOCK_SIZE;
}

/* Where the request at the producer index is built. */
SEGUE_FUNCTION uint8_t *seguei_sq_start(const struct segue_sq *sq)
{
	return sq->buf + (size_t)(sq->pi & sq->mask) * SEGUE_WQE_BLOCK_SIZE;
}

/* What is kept for the WQE that starts at this index. */
SEGUE_FUNCTION struct segue_sq_slot *seguei_sq_slot_at(const struct segue_sq *sq, uint32_t index)
{
	return &sq->kept[index & sq->mask];
}

/* The slot of a completion. @last: the CQE's last dword; wqe_counter is its upper half. */
SEGUEI_HOT_FUNCTION const struct segue_sq_slot *seguei_sq_slot(const struct segue_sq *sq,
							       uint32_t last)
{
	return (const struct segue_sq_slot *)(const void *)((const char *)sq->kept +
							    (last >> (16 - SEGUEI_SLOT_SHIFT) &
							     sq->slot_mask));
}

/* True if a WQE that ends at `next` is in flight. */
SEGUEI_HOT_FUNCTION bool seguei_sq_in_flight(const struct segue_sq *sq, uint32_t next)
{
	return sq->pi - next < sq->pi - seguei_sq_ci(sq);
}

/* The state of a slot that is in flight. */
SEGUE_FUNCTION uint32_t seguei_sq_state(const struct segue_sq *sq, const struct segue_sq_slot *slot)
{
	return (slot->next - seguei_sq_ci(sq) - 1) & SEGUEI_SLOT_STATES;
}

/* Producer index behind its WQE. */
SEGUE_FUNCTION uint32_t seguei_sq_behind(const struct segue_sq *sq,
					 const struct segue_sq_slot *slot)
{
	return slot->next - seguei_sq_state(sq, slot);
}

/* True if the request at this index, in flight, is the library's own. */
SEGUE_FUNCTION bool seguei_sq_is_marker(const struct segue_sq *sq, uint32_t index)
{
	return seguei_sq_state(sq, seguei_sq_slot_at(sq, index)) == SEGUEI_SLOT_MARKER;
}

/* What lies before `next` has completed; the slots are free for a thread that posts. */
SEGUEI_HOT_FUNCTION void seguei_sq_retire_to(struct segue_sq *sq, uint32_t next)
{
	SEGUEI_PROBE2(complete, sq->qpn, next);
	SEGUEI_SHOW(&sq->limit, next + sq->room);
}

/*
 * As segue_sq_retire(), with the CQE's last dword, and whose it was; false if it is not a plain
 * case, and nothing has changed then.
 */
SEGUEI_HOT_FUNCTION bool seguei_sq_retire_plain(struct segue_sq *sq, uint32_t last, uint64_t *wr_id,
						uint32_t *tag)
{
	const struct segue_sq_slot *slot = seguei_sq_slot(sq, last);
	uint32_t next;

	seguei_device_said(sq->kept);
	next = slot->next;
	/*
	 * In flight, given that no slot holds an index between `pi` and `limit`; with fewer
	 * instructions than seguei_sq_in_flight(). Nothing is, while posts are refused.
	 */
	if (SEGUEI_UNLIKELY(sq->limit - next >= sq->room))
		return false;
	if (SEGUE_CHECKED && !seguei_sq_starts_at(sq, next, last >> 16))
		return false;
	*wr_id = slot->wr_id;
	*tag = slot->tag;
	SEGUEI_WAS_READ(&slot->wr_id);
	seguei_sq_retire_to(sq, next);
	return true;
}

/**
 * segue_sq_retire() - take note of a completion.
 * @sq: send queue
 * @wqe_counter: of the CQE
 * @wr_id: set to the wr_id of the completed request
 *
 * Everything posted before that request is retired with it: a queue completes in order. Returns how
 * many completions the application has asked for: 1, or 0 if it was the queue (see silent_reserve);
 * -EINVAL if no such request is in flight. A CQE that is read again when the ring has gone round,
 * and another request is in flight in its place, is found by checked builds only.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_sq_retire(struct segue_sq *sq, uint16_t wqe_counter,
							  uint64_t *wr_id)
{
	uint32_t tag;

	if (SEGUEI_LIKELY(seguei_sq_retire_plain(sq, (uint32_t)wqe_counter << 16, wr_id, &tag)))
		return 1;
	return seguei_sq_retire_other(sq, wqe_counter, wr_id);
}

/**
 * segue_sq_oldest() - look at the oldest request that has not been retired.
 * @sq: send queue
 * @wr_id: set to its wr_id
 *
 * Returns true, or false if nothing is in flight. For flushing: segue_sq_drop_oldest() then forgets
 * it.
 */
SEGUE_FUNCTION bool segue_sq_oldest(const struct segue_sq *sq, uint64_t *wr_id)
{
	if (seguei_sq_is_idle(sq))
		return false;
	*wr_id = seguei_sq_slot_at(sq, seguei_sq_ci(sq))->wr_id;
	return true;
}

/** segue_sq_drop_oldest() forgets the oldest request in flight, if there is one. */
SEGUE_FUNCTION void segue_sq_drop_oldest(struct segue_sq *sq)
{
	uint64_t wr_id;

	if (segue_sq_oldest(sq, &wr_id))
		(void)segue_sq_retire(sq, (uint16_t)seguei_sq_ci(sq), &wr_id);
}

/**
 * segue_sq_abort() - forget requests that were committed and not yet rung.
 * @sq: send queue
 *
 * The counterpart of ibv_wr_abort(3): everything since the last post or ring, newest and oldest, is
 * as if it had never been committed, and no completion will come of it. A builder begun before is
 * not to be used any more. Returns how many requests that were, 0 if the device knows of all;
 * cannot fail. Not for the straight path.
 */
uint32_t segue_sq_abort(struct segue_sq *sq);

/* Writes the doorbell record, in order behind the WQEs and before the register. */
SEGUEI_HOT_FUNCTION void seguei_sq_record(struct segue_sq *sq, uint32_t pi)
{
	seguei_device_is_told(sq->kept);
	seguei_order_memory_stores();
	seguei_store32(sq->dbrec, segue_be32(pi & 0xffff));
	seguei_order_memory_before_register();
	SEGUEI_COUNT(sq->counts.rung);
	SEGUEI_PROBE2(ring, sq->qpn, pi);
}

/* Tells the device about everything committed so far. */
SEGUEI_HOT_FUNCTION void seguei_sq_ring(struct segue_sq *sq, uint32_t pi, uint64_t doorbell)
{
	seguei_sq_record(sq, pi);
	seguei_store64((volatile void *)sq->reg, doorbell);
	sq->reg ^= sq->reg_toggle;
	seguei_flush_register_stores();
}

/* True if the last request was committed, and nothing has been rung since. */
SEGUEI_HOT_FUNCTION bool seguei_sq_has_committed(const struct segue_sq *sq)
{
	const uint32_t last = sq->committed;

	return sq->pi - last - 1 < sq->blocks &&
	       ((seguei_sq_slot_at(sq, last)->next - sq->pi) & ~SEGUEI_SLOT_STATES) == 0;
}

/*
 * Tells the device about committed requests. Where the last one was posted, that has been done. The
 * first control quadword was stored whole, so the load here is served from the store.
 */
SEGUEI_HOT_FUNCTION void seguei_sq_ring_committed(struct segue_sq *sq)
{
	uint64_t doorbell;

	if (SEGUEI_UNLIKELY(!seguei_sq_has_committed(sq)))
		return;
	memcpy(&doorbell,
	       SEGUEI_ALIGNED(uint8_t, seguei_sq_wqe_at(sq, sq->committed), sizeof(doorbell)),
	       sizeof(doorbell));
	sq->committed = sq->pi - sq->mask - 1; /* none, as no WQE is that long */
	seguei_sq_ring(sq, sq->pi, doorbell);
}

#include "segue/detail/end.h"

#endif
