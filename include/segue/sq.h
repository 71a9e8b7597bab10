/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send queue: a ring of 64-byte blocks, its doorbell and the bookkeeping of requests in flight.
 *
 * Plain addresses describe the ring, so a queue needs no device: a test may point it at ordinary
 * memory, and the runtime points it at the addresses from mlx5dv_init_obj().
 *
 * Two rules keep a full queue harmless without a branch per segment:
 *  - There is always room for one largest WQE after the producer index, because a commit that would
 *    take that room away is refused. A builder can therefore write before room is checked.
 *  - The device cannot see a request before commit has moved the producer index and the doorbell
 *    was rung.
 *
 * Unsignaled requests cannot fill a queue: if an unsignaled request would not leave room for a
 * largest one, it is made to complete. Therefore, whenever a request is refused for lack of room, a
 * completion is on its way that makes some. Well before that, when a quarter of the ring is left,
 * some of the requests are made to complete as well.
 *
 * A queue belongs to one thread at a time. A split queue (segue_sq_split()) belongs to two: one
 * that posts and one that polls.
 *
 * A queue with spare memory (struct segue_sq_spare) keeps no room free. If less is left than one
 * largest WQE takes, builders write to the spare memory, and a commit that finds room copies the
 * request to the ring.
 *
 * Owner: ring, doorbell record, slots and spare memory are the caller's and outlive the queue.
 * Threads: one at a time, or for a split queue one at a time for each half.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv.h (struct mlx5_wqe_ctrl_seg), rdma-core providers/mlx5/qp.c.
 */
#ifndef SEGUE_SQ_H
#define SEGUE_SQ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/detail/count.h"
#include "segue/detail/mmio.h"
#include "segue/detail/probe.h"
#include "segue/gen/enums.h"

#include "segue/detail/begin.h"

/* Bookkeeping of a WQE, indexed by its first block. */
struct segue_sq_slot {
	uint64_t wr_id;
	uint32_t next; /* producer index after the WQE, plus the slot's state */
	/*
	 * tag of the peer (segue/wc.h), if requests go to peers, and 0 otherwise. It stays for
	 * later requests in the slot
	 */
	uint32_t tag;
};

/*
 * States of a slot, which are added to `next`. 0: the application asked for a completion, or
 * nothing did. Each state is a quarter of the index's range, and far fewer blocks are in flight. A
 * slot with another state therefore looks as if it were not in flight, and the fast path needs no
 * test for it. FORCED: the queue asked for the completion, so that unsignaled requests do not fill
 * it.
 */
#define SEGUEI_SLOT_FORCED  (1u << 30)
/* MARKER: the request, too, is the library's. Its completion is hidden, failed or not. */
#define SEGUEI_SLOT_MARKER  (2u << 30)
#define SEGUEI_SLOT_STATES  (3u << 30)

/*
 * Log2 of the bytes of a slot. Slots are found by a shift of the CQE's last dword: its upper half
 * is wqe_counter.
 */
#define SEGUEI_SLOT_SHIFT 4

/* Values in place of a thread, in checked builds. The queue pair was closed. */
#define SEGUEI_OWNER_CLOSED UINT64_MAX
/* The queue is shared, and not locked. */
#define SEGUEI_OWNER_NOBODY (UINT64_MAX - 1)
/* The thread that polls the completion queue owns it. */
#define SEGUEI_OWNER_POLLER (UINT64_MAX - 2)

struct seguei_uar;

/**
 * Memory by which a queue's ring can be filled to the last block. The queue owns its contents.
 */
struct segue_sq_spare {
	/* the request under construction while the ring is nearly full, and its slot */
	uint8_t wqe[(SEGUE_WQE_MAX_UNITS * SEGUE_WQE_UNIT_SIZE + SEGUE_WQE_BLOCK_SIZE - 1) /
		    SEGUE_WQE_BLOCK_SIZE * SEGUE_WQE_BLOCK_SIZE];
	struct segue_sq_slot slot;
	uint32_t most; /* requests that may be in flight */
	/* Requests in flight at their last count, from index `from` to index `to`. */
	uint32_t requests;
	uint32_t from, to;
	bool counted;
};

struct segue_sq {
	/*
	 * Read by every post. Memory of builders: the ring, or the spare memory while `tight`, with
	 * an offset that puts the producer index there.
	 */
	uint8_t *buf;		     /* first byte */
	uint8_t *end;		     /* one past the last byte */
	struct segue_sq_slot *slots; /* one per block */
	/* first control quadword with nothing but the queue number set */
	uint64_t ctrl;
	uint32_t mask;               /* blocks in the ring, minus one */
	uint32_t max_units;          /* largest WQE in units of 16 bytes */
	/* blocks before `limit` in which unsignaled requests are checked more closely */
	uint32_t silent_reserve;

	/* Written by every post. All counts are of blocks, run freely and wrap at 2^32. */
	uint32_t pi;        /* committed so far */
	/* pi may not pass this: seguei_sq_ci() + room. Retiring moves it */
	uint32_t limit;
	uint32_t committed; /* pi of the last request that was committed but not posted or rung */

	volatile uint32_t *dbrec; /* doorbell record, send half */
	uintptr_t reg;            /* doorbell register of the next ring */
	/* xor to the other half of a BlueFlame register, 0 if there is one only */
	uintptr_t reg_toggle;
	/*
	 * offset of the next copy to such a register, for all queues of its thread. NULL: `reg` has
	 * it
	 */
	uintptr_t *half;
	/* bytes that may be copied there without a check of the register's other users */
	uint32_t copy_most;

	/* Not read by posts. */
	/*
	 * Blocks that may be in flight. 0 closes the fast path: the state forbids posts, the next
	 * request needs a fence, or `watch` must be notified of it.
	 */
	uint32_t room;
	uint32_t slot_mask;	    /* mask, in bytes of `kept` */
	struct segue_sq_slot *kept; /* slots of the ring */
	uint8_t *ring;		    /* first byte of the ring */
	uint32_t forced;    /* pi after the last request that the queue has made to complete */
	uint32_t blocks;    /* largest WQE in blocks */
	uint32_t most;	    /* `room` while the queue is open: see runtime/ring/spare.h */
	bool postable;      /* the queue pair's state takes requests */
	/* the next request waits for the one before it: see seguei_sq_fence_next() */
	bool fence_next;
	/* `watch` is notified of the next request, and of its first index */
	bool watched;
	/* builders write to the spare memory, and the queue is closed */
	bool tight;
	uint32_t qpn;
	/* bytes of one segmented request (TSO). 0: not known */
	uint32_t max_tso;
	struct seguei_uar *uar; /* other users of the register. NULL: none */
	struct segue_sq_spare *spare; /* NULL: one largest WQE of the ring stays free */
	/* in a split queue: the half that polls, and in that half itself. NULL otherwise */
	struct segue_sq *polled;
	void (*watch)(void *arg, uint32_t pi);
	void *watch_arg;
	/* pattern with all its bytes in the ring (segue/pattern.h), or NULL */
	const void *pattern;

	/*
	 * A payload that was too long for its segment. It is not written, so the refusal takes its
	 * field and length from here.
	 */
	uint32_t wrong_field; /* encoded by SEGUEI_FIELD() */
	uint32_t wrong_length;

	/*
	 * Used by checked builds only, but always present, so that both kinds can be linked
	 * together.
	 */
	uint64_t checked_owner; /* thread that posted first, 0 if none yet */
	uint32_t checked_step;  /* steps taken by builders of this queue */
	struct seguei_begun checked_begun; /* the request under construction */
	bool checked_batch;     /* a batch has begun, and not ended */

	struct seguei_counts counts;

	/*
	 * NULL, or the reason why builders refuse in any state, as the end of the sentence "Send
	 * queue of QP 0x12 ..."
	 */
	const char *barred;
};

/* Memory and numbers of a send queue. All memory is the caller's and outlives the queue. */
struct segue_sq_init_options {
	void *buf;                   /* ring, 64-byte aligned, wqe_cnt * 64 bytes */
	/* size of the ring in blocks of 64 bytes: a power of two, 8 to 32768 */
	uint32_t wqe_cnt;
	/* largest WQE in units of 16 bytes, 8 to 63. 0: as large as the ring allows */
	uint32_t max_wqe_units;
	uint32_t *dbrec;             /* send half of the doorbell record (4 bytes) */
	/*
	 * doorbell register in the UAR page, aligned to both halves, or to 8 bytes if it has none
	 */
	void *bf_reg;
	/* bytes of one half of a BlueFlame register. 0 if bf_reg is used for doorbells only */
	uint32_t bf_size;
	/* the runtime's note of the register's other users. NULL if there are none */
	struct seguei_uar *uar;
	uint32_t qpn;                /* queue pair number, 24 bits */
	uint32_t first_index;        /* producer index to start from, normally 0 */
	struct segue_sq_slot *slots; /* wqe_cnt entries */
	/*
	 * bytes of payload of one segue_tso() (segue_caps.max_tso), checked by checked builds. 0:
	 * any
	 */
	uint32_t max_tso;
	/*
	 * blocks that may be in flight, at least those of the largest WQE. 0: the blocks of the
	 * ring
	 */
	uint32_t max_blocks;
	/*
	 * memory by which the ring can be filled to its last block, so that wqe_cnt may be 1. Or
	 * NULL
	 */
	struct segue_sq_spare *spare;
	/* with spare: requests that may be in flight. 0: as many as the ring has blocks */
	uint32_t max_requests;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_sq_init() - initialise a send queue over a ring.
 * @sq: queue to fill
 * @attr: memory and numbers of the ring
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming the attribute, and *sq is untouched. Writes
 * neither the ring nor the doorbell record. Nothing is allocated, so there is nothing to free.
 */
SEGUEI_MUST_CHECK int segue_sq_init(struct segue_sq *sq, const struct segue_sq_init_options *attr);

/**
 * segue_sq_set_postable() - allow posts, or refuse them all with -EINVAL.
 * @sq: send queue
 * @postable: false while the queue pair's state forbids posts
 *
 * The check is the one for room, so it adds no cost to a post.
 */
void segue_sq_set_postable(struct segue_sq *sq, bool postable);

/* Restarts the queue at an index, with nothing in flight and nothing committed. */
void seguei_sq_restart(struct segue_sq *sq, uint32_t index);

/**
 * segue_sq_hand_over() - let another thread use the queue from now on.
 * @sq: send queue
 *
 * The threads synchronise among themselves. Only checked builds need the call.
 */
SEGUE_FUNCTION void segue_sq_hand_over(struct segue_sq *sq)
{
	sq->checked_owner = 0;
}

SEGUE_FUNCTION uint32_t seguei_ring_blocks(const struct segue_sq *sq)
{
	return sq->mask + 1;
}

/* Blocks of requests that have completed so far. */
SEGUEI_HOT_FUNCTION uint32_t seguei_sq_ci(const struct segue_sq *sq)
{
	return sq->limit - sq->room;
}

SEGUE_FUNCTION void seguei_sq_set_ci(struct segue_sq *sq, uint32_t ci)
{
	sq->limit = ci + sq->room;
}

/*
 * Closes the queue while its state forbids requests, and while the next one needs a check, so that
 * other requests need no test. Opens it otherwise.
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

/* Index up to which requests have completed, as the thread that polls reports it. */
SEGUE_FUNCTION uint32_t seguei_sq_retired(const struct segue_sq *sq)
{
	return sq->polled ? SEGUEI_SEEN(&sq->polled->limit) - sq->polled->room : seguei_sq_ci(sq);
}

/* Makes room for requests that have completed since. True if there were any. */
SEGUE_FUNCTION bool seguei_sq_catch_up(struct segue_sq *sq)
{
	const uint32_t retired = seguei_sq_retired(sq);

	if (retired == seguei_sq_ci(sq))
		return false;
	if (sq->room > sq->most) /* it was counted from the index before */
		sq->room = sq->most;
	seguei_sq_set_ci(sq, retired);
	return true;
}

/* On the half that polls: treats all requests that may be posted as posted. No effect elsewhere. */
SEGUE_FUNCTION void seguei_sq_widen(struct segue_sq *sq)
{
	if (sq->polled == sq)
		sq->pi = seguei_sq_ci(sq) + sq->most;
}

/* As segue_sq_room(), for a queue with spare memory. */
SEGUEI_COLD uint32_t seguei_sq_room_to_the_end(const struct segue_sq *sq);

/**
 * segue_sq_room() is the number of blocks of 64 bytes that may still be committed. A queue with
 * spare memory counts them in requests of the largest size.
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

/* The reason why a request was refused, as a sentence and a negative errno. */
SEGUEI_COLD int seguei_sq_refuse(const struct segue_sq *sq, uint32_t units, int32_t bad,
				 bool too_long);

/* Refuses a completion that names no WQE in flight: -EINVAL. */
SEGUEI_COLD int seguei_sq_bad_completion(const struct segue_sq *sq, uint16_t wqe_counter);

/*
 * Retires a request off the fast path. Returns 0 if the queue has forced its completion, 1 if not,
 * or -EINVAL if no such WQE is in flight.
 */
SEGUEI_COLD int seguei_sq_retire_other(struct segue_sq *sq, uint16_t wqe_counter, uint64_t *wr_id);

/*
 * Checked builds: false if the WQE that ends before `next` does not start at this counter, for
 * example because the CQE was read a lap late.
 */
SEGUEI_OF_LIBRARY bool seguei_sq_starts_at(const struct segue_sq *sq, uint32_t next,
					   uint32_t wqe_counter);

/* First byte of the WQE at this index. Its lower 16 bits are enough. */
SEGUEI_HOT_FUNCTION uint8_t *seguei_sq_wqe_at(const struct segue_sq *sq, uint32_t index)
{
	return sq->ring + (size_t)(index & sq->mask) * SEGUE_WQE_BLOCK_SIZE;
}

/* End of the ring. */
SEGUE_FUNCTION uint8_t *seguei_sq_ring_end(const struct segue_sq *sq)
{
	return sq->ring + (size_t)(sq->mask + 1) * SEGUE_WQE_BLOCK_SIZE;
}

/* First byte of the request that is built at the producer index. */
SEGUE_FUNCTION uint8_t *seguei_sq_start(const struct segue_sq *sq)
{
	return sq->buf + (size_t)(sq->pi & sq->mask) * SEGUE_WQE_BLOCK_SIZE;
}

/* Bookkeeping of the WQE that starts at this index. */
SEGUE_FUNCTION struct segue_sq_slot *seguei_sq_slot_at(const struct segue_sq *sq, uint32_t index)
{
	return &sq->kept[index & sq->mask];
}

/* The slot of a completion. @last: the CQE's last dword. Its upper half is wqe_counter. */
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

/* Producer index after its WQE. */
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

/* Notes that all requests before `next` have completed, and frees the slots for posts. */
SEGUEI_HOT_FUNCTION void seguei_sq_retire_to(struct segue_sq *sq, uint32_t next)
{
	SEGUEI_PROBE2(complete, sq->qpn, next);
	SEGUEI_SHOW(&sq->limit, next + sq->room);
}

/*
 * As segue_sq_retire(), from the CQE's last dword, with the slot's tag. Returns false if the
 * completion is not for the fast path, and then nothing has changed.
 */
SEGUEI_HOT_FUNCTION bool seguei_sq_retire_plain(struct segue_sq *sq, uint32_t last, uint64_t *wr_id,
						uint32_t *tag)
{
	const struct segue_sq_slot *slot = seguei_sq_slot(sq, last);
	uint32_t next;

	seguei_device_said(sq->kept);
	next = slot->next;
	/*
	 * True if it is not in flight: no slot holds an index between `pi` and `limit`. Takes fewer
	 * instructions than seguei_sq_in_flight(). While posts are refused, none is in flight.
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
 * segue_sq_retire() - note a completion.
 * @sq: send queue
 * @wqe_counter: of the CQE
 * @wr_id: set to the wr_id of the completed request
 *
 * Everything posted before that request is retired with it, because a queue completes in order.
 * Returns 1 if the application has asked for the completion, 0 if the queue has (see
 * silent_reserve), or -EINVAL if no such request is in flight. If a CQE is read again a lap later,
 * and another request is in flight in its place, only checked builds notice it.
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
 * segue_sq_oldest() - read the wr_id of the oldest request that has not been retired.
 * @sq: send queue
 * @wr_id: set to its wr_id
 *
 * Returns true, or false if nothing is in flight. For flushing, with segue_sq_drop_oldest() after
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
 * The counterpart of ibv_wr_abort(3). Everything committed since the last post or ring is dropped,
 * and will not complete. A builder that was begun before must not be used any more. Returns the
 * number of requests dropped, 0 if all were rung. Cannot fail. Not for the fast path.
 */
uint32_t segue_sq_abort(struct segue_sq *sq);

/* Writes the doorbell record, ordered after the WQEs and before the register. */
SEGUEI_HOT_FUNCTION void seguei_sq_record(struct segue_sq *sq, uint32_t pi)
{
	seguei_device_is_told(sq->kept);
	seguei_order_memory_stores();
	seguei_store32(sq->dbrec, segue_be32(pi & 0xffff));
	seguei_order_memory_before_register();
	SEGUEI_COUNT(sq->counts.rung);
	SEGUEI_PROBE2(ring, sq->qpn, pi);
}

/*
 * Notifies the device of everything committed so far. @seen: the queue, or a copy with the same
 * record and register
 */
SEGUEI_HOT_FUNCTION void seguei_sq_ring_seen(struct segue_sq *sq, struct segue_sq *seen,
					     uint32_t pi, uint64_t doorbell)
{
	seguei_sq_record(seen, pi);
	seguei_store64((volatile void *)seen->reg, doorbell);
	sq->reg = seen->reg ^ seen->reg_toggle;
	seguei_flush_register_stores();
}

/* Notifies the device of everything committed so far. */
SEGUEI_HOT_FUNCTION void seguei_sq_ring(struct segue_sq *sq, uint32_t pi, uint64_t doorbell)
{
	seguei_sq_ring_seen(sq, sq, pi, doorbell);
}

/* True if the last request was committed, and nothing has been rung since. */
SEGUEI_HOT_FUNCTION bool seguei_sq_has_committed(const struct segue_sq *sq)
{
	const uint32_t last = sq->committed;

	return sq->pi - last - 1 < sq->blocks &&
	       ((seguei_sq_slot_at(sq, last)->next - sq->pi) & ~SEGUEI_SLOT_STATES) == 0;
}

/*
 * Rings committed requests, unless the last one was posted, which has rung them. The first control
 * quadword was stored whole, so the load here is served from the store.
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
