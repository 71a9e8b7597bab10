/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive queues, shared receive queues and striding receive queues: rings of equal strides, one
 * receive WQE each.
 *
 * A plain receive queue is a ring. A shared one is a linked list in a ring's memory: entries come
 * back in the order in which they complete, and each posted entry names the one that will be posted
 * next. In both, one entry always stays free: a builder writes there before room is checked, so a
 * full queue is never touched. A receive queue with spare memory (struct segue_rq_spare) uses that
 * entry, too: while all are posted, builders write to the spare memory.
 *
 * A queue belongs to one thread at a time. A receive queue may be split between a thread that posts
 * and one that polls (segue_rq_split()). A shared one may have a lock (segue_srq_enable_lock()).
 *
 * Owner: ring, doorbell record and arrays are the caller's and outlive the queue.
 * Threads: one at a time, except for split queues and those with a lock.
 * Errors: negative errno with segue_errmsg(), and nothing is posted.
 * Source: mlx5dv.h (struct mlx5_wqe_data_seg, mlx5_wqe_srq_next_seg), rdma-core
 *   providers/mlx5/srq.c.
 */
#ifndef SEGUE_RQ_H
#define SEGUE_RQ_H

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
#include "segue/detail/range.h"
#include "segue/gen/enums.h"
#include "segue/gen/handles.h"
#include "segue/gen/segments.h"

#include "segue/detail/begin.h"

#define SEGUEI_STRIDE_MAX 2048u /* bytes */

/** Memory by which a receive queue's ring can be filled: builders write there while it is full. */
struct segue_rq_spare {
	uint8_t stride[SEGUEI_STRIDE_MAX];
};

/* Common part of all receive queues. */
struct seguei_recv_ring {
	uint8_t *buf;		  /* memory of builders, as in struct segue_sq */
	uint64_t *wr_ids;         /* one per stride */
	volatile uint32_t *dbrec; /* doorbell record, receive half */
	uint32_t mask;            /* strides in the ring, minus one */
	uint32_t stride;          /* bytes */
	uint32_t pi;              /* posted so far, a counter that wraps at 2^32 */
	uint32_t limit;           /* the last pi that may be posted at: seguei_recv_ci() + room */
	/* entries that may be posted, less one. -1 while the state forbids posts */
	uint32_t room;
	uint32_t most;            /* `room` while the state allows posts */
	uint32_t qpn;           /* number of the queue pair or SRQ, for messages */
	uint8_t *base;		/* first byte of the ring */
	struct segue_rq_spare *spare; /* NULL: one entry stays free */
	/* see struct segue_sq */
	struct seguei_recv_ring *polled;
	uint64_t checked_owner; /* checked builds, as in struct segue_sq */
	uint32_t checked_step;
	struct seguei_begun checked_begun;
	struct seguei_counts counts;
};

/** Receive queue of an RC, UC, UD or raw packet queue pair. */
struct segue_rq {
	SEGUEI_STEPS_OF_RQ
	struct seguei_recv_ring ring;
};

/** Shared receive queue. */
struct segue_srq {
	SEGUEI_STEPS_OF_SRQ
	struct seguei_recv_ring ring;
	uint16_t *next; /* one per stride: the next free entry */
	uint32_t head;  /* entry that the next post takes */
	uint32_t tail;  /* last free entry, never posted */
	/*
	 * of a shared queue with a lock: the queue that completion queues see instead. It has
	 * nothing posted, so that they take the slow path, which takes the lock
	 */
	struct segue_srq *front;
	struct segue_srq *behind; /* in a front: the queue itself */
	uint32_t lock;
};

/** Striding (multi-packet) receive queue: linked as a shared one. */
struct segue_mprq {
	SEGUEI_STEPS_OF_MPRQ
	struct segue_srq srq;
	uint64_t least;     /* bytes that a buffer needs, for all of its strides. 0: any */
	uint16_t link_mask; /* 0 on a queue that is a ring: its links stay 0 */
};

/* Memory and numbers of a receive queue. All memory is the caller's and outlives the queue. */
struct segue_rq_init_options {
	void *buf;            /* ring, 16-byte aligned, wqe_cnt strides */
	/* strides: a power of two, 2 to 32768, or from 1 with spare */
	uint32_t wqe_cnt;
	uint32_t stride;      /* bytes per receive WQE: a power of two, 16 to SEGUEI_STRIDE_MAX */
	/* receive half of the doorbell record (4 bytes), or an SRQ's only word */
	uint32_t *dbrec;
	uint32_t qpn;         /* number of the queue pair or SRQ, for messages */
	uint32_t first_index; /* producer index to start from, normally 0 */
	uint64_t *wr_ids;     /* wqe_cnt entries */
	uint16_t *next;       /* SRQ: wqe_cnt entries. NULL for others */
	/* striding: entries are used in the order of the ring, and their links stay 0 */
	bool unlinked;
	/* striding: bytes that each buffer needs, its strides times their size. 0: any */
	uint64_t least;
	/* receives that may be posted. 0: all strides but one, or all with spare */
	uint32_t max_posted;
	struct segue_rq_spare *spare; /* receive queue: memory to use all strides, or NULL */
	uint64_t reserved[4];	      /* 0 */
};

/**
 * segue_rq_init() - initialise a receive queue over a ring.
 * @rq: queue to fill
 * @attr: memory and numbers of the ring
 *
 * Returns 0, or -EINVAL with segue_errmsg() naming the attribute, and the queue is untouched.
 * Writes no memory of the ring. segue_srq_init() and segue_mprq_init() also build the list of free
 * entries.
 */
SEGUEI_MUST_CHECK int segue_rq_init(struct segue_rq *rq, const struct segue_rq_init_options *attr);
SEGUEI_MUST_CHECK int segue_srq_init(struct segue_srq *srq,
				     const struct segue_rq_init_options *attr);
SEGUEI_MUST_CHECK int segue_mprq_init(struct segue_mprq *mprq,
				      const struct segue_rq_init_options *attr);

/**
 * segue_rq_hand_over() lets another thread use the queue from now on. The threads synchronise among
 * themselves. Only checked builds need the call.
 */
SEGUE_FUNCTION void segue_rq_hand_over(struct segue_rq *rq)
{
	rq->ring.checked_owner = 0;
}

/** segue_srq_hand_over() is the same for a shared receive queue. */
SEGUE_FUNCTION void segue_srq_hand_over(struct segue_srq *srq)
{
	srq->ring.checked_owner = 0;
}

/* In struct segue_srq's `next`: the device has the entry. */
#define SEGUEI_SRQ_POSTED 0xffffu

/* Refuses a completion that names a receive which is not posted. */
SEGUEI_COLD int seguei_rq_bad_completion(const struct seguei_recv_ring *ring);
SEGUEI_COLD int seguei_srq_bad_completion(const struct seguei_recv_ring *ring,
					  uint16_t wqe_counter);

/* Receives that have completed so far. */
SEGUEI_HOT_FUNCTION uint32_t seguei_recv_ci(const struct seguei_recv_ring *ring)
{
	return ring->limit - ring->room;
}

SEGUE_FUNCTION void seguei_recv_set_ci(struct seguei_recv_ring *ring, uint32_t ci)
{
	ring->limit = ci + ring->room;
}

/* Notes that a posted entry came back. @wr_id: from that entry */
SEGUEI_HOT_FUNCTION void seguei_recv_make_room(struct seguei_recv_ring *ring, uint64_t wr_id)
{
	SEGUEI_PROBE2(complete_receive, ring->qpn, seguei_recv_ci(ring) + 1);
	SEGUEI_SHOW_NEXT(ring, limit, wr_id);
}

/* Allows posts, or refuses them all, because the queue pair's state may forbid them. */
void seguei_recv_set_postable(struct seguei_recv_ring *ring, bool postable);

/* As segue_rq_retire(), but returns false if nothing was posted. */
SEGUEI_HOT_FUNCTION bool seguei_rq_retire_plain(struct segue_rq *rq, uint64_t *wr_id)
{
	struct seguei_recv_ring *ring = &rq->ring;
	const uint32_t ci = seguei_recv_ci(ring);

	if (SEGUEI_UNLIKELY(ci == ring->pi))
		return false;
	seguei_device_said(ring->wr_ids);
	*wr_id = ring->wr_ids[ci & ring->mask];
	seguei_recv_make_room(ring, *wr_id);
	return true;
}

/**
 * segue_rq_retire() - note that the oldest receive has completed.
 * @rq: receive queue
 * @wr_id: set to its wr_id
 *
 * A receive queue completes in order. Returns 0, or -EINVAL if nothing was posted.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_rq_retire(struct segue_rq *rq, uint64_t *wr_id)
{
	return SEGUEI_LIKELY(seguei_rq_retire_plain(rq, wr_id))
		       ? 0
		       : seguei_rq_bad_completion(&rq->ring);
}

/* As segue_srq_retire(), but returns false if the CQE names no posted entry. */
SEGUEI_HOT_FUNCTION bool seguei_srq_retire_plain(struct segue_srq *srq, uint32_t wqe_counter,
						 uint64_t *wr_id)
{
	struct seguei_recv_ring *ring = &srq->ring;

	if (SEGUEI_UNLIKELY(wqe_counter > ring->mask ||
			    srq->next[wqe_counter] != SEGUEI_SRQ_POSTED))
		return false;
	*wr_id = ring->wr_ids[wqe_counter];
	srq->next[srq->tail] = (uint16_t)wqe_counter;
	srq->next[wqe_counter] = (uint16_t)wqe_counter; /* last of the list */
	srq->tail = wqe_counter;
	seguei_recv_make_room(ring, *wr_id);
	return true;
}

/**
 * segue_srq_retire() - note that an entry of a shared receive queue has completed, and free
 * it.
 * @srq: shared receive queue
 * @wqe_counter: of the CQE
 * @wr_id: set to its wr_id
 *
 * Returns 0, or -EINVAL if the CQE names no entry.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_srq_retire(struct segue_srq *srq,
							   uint16_t wqe_counter, uint64_t *wr_id)
{
	return SEGUEI_LIKELY(seguei_srq_retire_plain(srq, wqe_counter, wr_id))
		       ? 0
		       : seguei_srq_bad_completion(&srq->ring, wqe_counter);
}

/*
 * Posts an entry again that the device has given back unused, because its memory was missing
 * (on-demand paging). The kernel may still be reading the old entry to fetch that memory, so it
 * goes after all free ones. Returns 0, or -EINVAL if the entry is not posted.
 */
SEGUEI_COLD int seguei_srq_post_again(struct segue_srq *srq, uint16_t wqe_counter);

/* A receive WQE under construction, see struct seguei_build. */
struct seguei_recv {
	/* named as in seguei_build, so that generated steps read alike */
	struct seguei_recv_ring *sq;
	uint8_t *start;
	uint64_t wr_id;
	uint32_t pi; /* the queue's producer index when the WQE was begun */
	uint32_t slot;
	uint32_t bytes; /* written so far */
	int32_t bad; /* see struct seguei_build */
	uint8_t why; /* enum seguei_why */
	uint32_t step;
};

SEGUEI_OF_LIBRARY void seguei_recv_check_step(struct seguei_recv_ring *ring, uint32_t step,
					      const char *what);
SEGUEI_OF_LIBRARY void seguei_recv_check_begin(struct seguei_recv_ring *ring);
SEGUEI_OF_LIBRARY void seguei_recv_check_wqe(const struct segue_machine *machine,
					     const struct seguei_recv *b);

/* In `room`: all entries are posted, and builders write to the spare memory. */
#define SEGUEI_RECV_FULL (UINT32_MAX - 1)

/* True unless the queue pair's state forbids posts. */
SEGUE_FUNCTION bool seguei_recv_is_postable(const struct seguei_recv_ring *ring)
{
	return ring->room != UINT32_MAX;
}

/* The reason why a request was refused, as a sentence and a negative errno. */
SEGUEI_COLD int seguei_recv_refuse(const struct seguei_recv_ring *ring, int32_t bad, bool too_long);

/* Refuses a striding receive with a buffer that is too short, by the missing bytes. */
SEGUEI_COLD int seguei_mprq_refuse_short(const struct seguei_recv_ring *ring, int64_t spare);

/* As seguei_recv_refuse(), for a request with this number of bytes written. */
SEGUEI_COLD int seguei_recv_refused(const struct seguei_recv_ring *ring, uint8_t *start,
				    uint32_t bytes, uint32_t why,
				    const struct segue_machine *machine, int32_t bad);

/* Bit of `why`: the request is rung if it can be posted after all. */
#define SEGUEI_RUNG (1u << 8)

/*
 * The same for a receive queue, which may be split. Returns 0 if the half that polls has made room,
 * and the request is posted.
 */
SEGUEI_COLD int seguei_rq_refused(struct seguei_recv_ring *ring, uint64_t wr_id, uint32_t bytes,
				  uint32_t why, const struct segue_machine *machine, int32_t bad);

#ifndef SEGUE_FREESTANDING /* the same for a source with counters */
SEGUEI_COLD int seguei_rq_refused_counted(struct seguei_recv_ring *ring, uint64_t wr_id,
					  uint32_t bytes, uint32_t why,
					  const struct segue_machine *machine, int32_t bad);
#endif

SEGUEI_HOT_FUNCTION struct seguei_recv seguei_recv_begin(struct seguei_recv_ring *ring,
							 uint32_t slot, uint64_t wr_id)
{
	struct seguei_recv b;

	b.sq = ring;
	b.pi = ring->pi;
	b.slot = slot;
	b.start = ring->buf + (size_t)(slot * ring->stride);
	b.bytes = 0;
	b.wr_id = wr_id;
	b.bad = 0;
	b.why = 0;
	b.step = 0;
	if (SEGUE_CHECKED) {
		seguei_recv_check_begin(ring);
		b.step = ring->checked_step;
	}
	return b;
}

SEGUEI_HOT_FUNCTION struct seguei_recv seguei_rq_begin(struct segue_rq *rq, uint64_t wr_id)
{
	return seguei_recv_begin(&rq->ring, rq->ring.pi & rq->ring.mask, wr_id);
}

SEGUEI_HOT_FUNCTION struct seguei_recv seguei_srq_begin(struct segue_srq *srq, uint64_t wr_id)
{
	struct seguei_recv b = seguei_recv_begin(&srq->ring, srq->head, wr_id);
	struct segue_seg_srq_next link;

	memset(&link, 0, sizeof(link));
	link.next_wqe_index = srq->next[srq->head];
	segue_seg_srq_next_pack(b.start, &link);
	b.bytes = SEGUE_SEG_SRQ_NEXT_SIZE;
	return b;
}

SEGUEI_HOT_FUNCTION struct seguei_recv seguei_mprq_begin(struct segue_mprq *mprq, uint64_t wr_id)
{
	struct seguei_recv b = seguei_srq_begin(&mprq->srq, wr_id);
	struct segue_seg_srq_next link;

	memset(&link, 0, sizeof(link));
	link.next_wqe_index = mprq->srq.next[mprq->srq.head] & mprq->link_mask;
	segue_seg_srq_next_pack(b.start, &link);
	return b;
}

SEGUEI_HOT_FUNCTION void seguei_recv_step(struct seguei_recv *b, const char *what)
{
	if (SEGUE_CHECKED) {
		seguei_recv_check_step(b->sq, b->step, what);
		b->step = b->sq->checked_step;
	}
}

/* The same in the step that ends the request. */
SEGUEI_HOT_FUNCTION void seguei_recv_step_last(struct seguei_recv *b, const char *what)
{
	seguei_recv_step(b, what);
	if (SEGUE_CHECKED)
		b->sq->checked_begun.line = 0;
}

/* Refuses the request at commit if the condition holds. */
SEGUEI_HOT_FUNCTION void seguei_recv_refuse_if(struct seguei_recv *b, bool condition)
{
	b->bad |= -(int32_t)condition;
}

/* As seguei_refuse_null(). */
SEGUEI_HOT_FUNCTION void seguei_recv_refuse_null(struct seguei_recv *b)
{
	b->bad = -1;
	b->why = (uint8_t)(b->why | SEGUEI_NULL);
}

/* As seguei_refuse_outside(). */
SEGUEI_HOT_FUNCTION void seguei_recv_refuse_outside(struct seguei_recv *b, uint32_t field,
						    uint64_t value, uint64_t min, uint64_t max)
{
	b->bad |= seguei_field_outside(field, value, min, max);
}

/* Refuses at commit a value that is not a member of its field's enum. */
SEGUEI_HOT_FUNCTION void seguei_recv_refuse_unless(struct seguei_recv *b, uint32_t field,
						   uint64_t value, bool legal)
{
	b->bad |= seguei_field_unless(field, value, legal);
}

/*
 * Bytes for which every stride has room, checked by segue_rq_init(). Shorter WQEs need no check.
 */
#define SEGUEI_RECV_BYTES_ALWAYS 16u

/*
 * Address of the next entry. If there is one too many, it goes, harmlessly, to the start of the
 * free stride, and commit refuses.
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_recv_here(struct seguei_recv *b, uint32_t bytes)
{
	uint8_t *here = SEGUEI_ALIGNED(uint8_t, b->start + b->bytes, 16);

	if (b->bytes + bytes > SEGUEI_RECV_BYTES_ALWAYS &&
	    SEGUEI_UNLIKELY(b->bytes + bytes > b->sq->stride)) {
		b->bad = -1;
		b->why = (uint8_t)(b->why | SEGUEI_TOO_LONG);
		b->bytes = 0;
		return b->start;
	}
	b->bytes += bytes;
	return here;
}

/* True if every value fits its field and the queue has room. */
SEGUEI_HOT_FUNCTION bool seguei_recv_admissible(const struct seguei_recv *b)
{
	return (b->bad | (int32_t)(b->sq->limit - b->pi)) >= 0;
}

/* Closes a WQE that does not fill its stride, keeps its wr_id and moves the producer index. */
SEGUEI_HOT_FUNCTION void seguei_recv_finish(struct seguei_recv *b,
					    const struct segue_machine *machine)
{
	struct seguei_recv_ring *ring = b->sq;

	if (SEGUEI_LIKELY(b->bytes < b->sq->stride)) {
		struct segue_seg_data_end end;

		memset(&end, 0, sizeof(end));
		segue_seg_data_end_pack(b->start + b->bytes, &end);
	}
	if (SEGUE_CHECKED)
		seguei_recv_check_wqe(machine, b);
	ring->wr_ids[b->slot] = b->wr_id;
	ring->pi = b->pi + 1;
	SEGUEI_COUNT(ring->counts.posted);
	SEGUEI_PROBE2(post_receive, ring->qpn, ring->pi);
}

SEGUEI_HOT_FUNCTION void seguei_recv_ring_doorbell(struct seguei_recv_ring *ring, uint32_t pi)
{
	seguei_device_is_told(ring->wr_ids);
	seguei_order_memory_stores();
	seguei_store32(ring->dbrec, segue_be32(pi & 0xffff));
	SEGUEI_COUNT(ring->counts.rung);
	SEGUEI_PROBE2(ring_receive, ring->qpn, pi);
}

SEGUEI_HOT_FUNCTION int seguei_rq_commit_only(struct seguei_recv *b,
					      const struct segue_machine *machine)
{
	seguei_recv_step_last(b, "segue_commit()");
	if (SEGUEI_UNLIKELY(!seguei_recv_admissible(b)))
		return SEGUEI_COUNTED(seguei_rq_refused)(b->sq, b->wr_id, b->bytes, b->why,
							 machine, b->bad);
	seguei_recv_finish(b, machine);
	return 0;
}

SEGUEI_HOT_FUNCTION int seguei_rq_post(struct seguei_recv *b, const struct segue_machine *machine)
{
	seguei_recv_step_last(b, "segue_post()");
	if (SEGUEI_UNLIKELY(!seguei_recv_admissible(b)))
		return SEGUEI_COUNTED(seguei_rq_refused)(b->sq, b->wr_id, b->bytes,
							 b->why | SEGUEI_RUNG, machine, b->bad);
	seguei_recv_finish(b, machine);
	seguei_recv_ring_doorbell(b->sq, b->pi + 1);
	return 0;
}

SEGUEI_HOT_FUNCTION void seguei_rq_ring(struct segue_rq *rq)
{
	seguei_recv_ring_doorbell(&rq->ring, rq->ring.pi);
}

/* The queue that a ring is part of. */
SEGUEI_HOT_FUNCTION struct segue_srq *seguei_srq_of(struct seguei_recv_ring *ring)
{
	return (struct segue_srq *)ring; /* the ring is its first member */
}

SEGUEI_HOT_FUNCTION void seguei_srq_take_head(struct segue_srq *srq, uint32_t slot)
{
	srq->head = srq->next[slot];
	srq->next[slot] = SEGUEI_SRQ_POSTED;
}

SEGUEI_HOT_FUNCTION int seguei_srq_commit_only(struct seguei_recv *b,
					       const struct segue_machine *machine)
{
	seguei_recv_step_last(b, "segue_commit()");
	if (SEGUEI_UNLIKELY(!seguei_recv_admissible(b))) {
		SEGUEI_COUNT(b->sq->counts.refused);
		return seguei_recv_refused(b->sq, b->start, b->bytes, b->why, machine, b->bad);
	}
	seguei_recv_finish(b, machine);
	seguei_srq_take_head(seguei_srq_of(b->sq), b->slot);
	return 0;
}

SEGUEI_HOT_FUNCTION int seguei_srq_post(struct seguei_recv *b, const struct segue_machine *machine)
{
	const int ret = seguei_srq_commit_only(b, machine);

	if (SEGUEI_LIKELY(!ret))
		seguei_recv_ring_doorbell(b->sq, b->pi + 1);
	return ret;
}

SEGUEI_HOT_FUNCTION void seguei_srq_ring(struct segue_srq *srq)
{
	seguei_recv_ring_doorbell(&srq->ring, srq->ring.pi);
}

/*
 * Bytes that a buffer has beyond its strides. If it is negative, they are missing, and the device
 * would fail at the frame that comes there.
 */
SEGUEI_HOT_FUNCTION int64_t seguei_mprq_spare(const struct seguei_recv *b)
{
	/* the ring is its first member */
	int64_t spare = -(int64_t)((const struct segue_mprq *)b->sq)->least;
	uint32_t at;

	for (at = SEGUE_SEG_SRQ_NEXT_SIZE; at < b->bytes; at += SEGUE_SEG_DATA_SIZE) {
		struct segue_seg_data piece;

		(void)segue_seg_data_unpack(&piece, b->start + at);
		spare += piece.byte_count;
	}
	return spare;
}

SEGUEI_HOT_FUNCTION int seguei_mprq_commit_only(struct seguei_recv *b,
						const struct segue_machine *machine)
{
	if (SEGUEI_UNLIKELY(b->bad >= 0 && seguei_mprq_spare(b) < 0)) {
		seguei_recv_step_last(b, "segue_commit()");
		SEGUEI_COUNT(b->sq->counts.refused);
		return seguei_mprq_refuse_short(b->sq, seguei_mprq_spare(b));
	}
	return seguei_srq_commit_only(b, machine);
}

SEGUEI_HOT_FUNCTION int seguei_mprq_post(struct seguei_recv *b, const struct segue_machine *machine)
{
	const int ret = seguei_mprq_commit_only(b, machine);

	if (SEGUEI_LIKELY(!ret))
		seguei_recv_ring_doorbell(b->sq, b->pi + 1);
	return ret;
}

SEGUEI_HOT_FUNCTION void seguei_mprq_ring(struct segue_mprq *mprq)
{
	seguei_srq_ring(&mprq->srq);
}

#include "segue/detail/end.h"

#endif
