/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The ends of a request: committed, posted, or copied to a BlueFlame register, alone or as one of a
 * batch.
 *
 * A batch is a queue's state, in variables that the compiler can keep in registers: producer index,
 * place, slot and room are read when it begins and written back when it ends, and nothing in
 * between makes the compiler read them again. Like the queue, it checks the room of each request,
 * against the value that it last read. When that is used up, it reads the queue again, so a poll in
 * between is allowed.
 *
 * Owner: a batch is a value of the caller. Nothing is owned.
 * Threads: that of the queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: Segue's own, and mlx5dv.h (struct mlx5_wqe_ctrl_seg).
 */
#ifndef SEGUE_DETAIL_COMMIT_H
#define SEGUE_DETAIL_COMMIT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/build.h"
#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/detail/mmio.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

struct seguei_batch {
	struct segue_sq *sq;
	uint8_t *start;		    /* address of the next WQE */
	struct segue_sq_slot *slot; /* its bookkeeping */
	uint64_t ctrl;		    /* first control quadword with nothing but queue and index */
	uint64_t doorbell;	    /* value for the register */
	uint32_t pi;		    /* after the last WQE */
	/* blocks for unsignaled requests, and silent_reserve more for others, when last read */
	int32_t room;
	uint32_t told; /* pi at the last doorbell, or at an earlier one, before the batch */
};

/* Places the batch at its producer index. */
SEGUEI_HOT_FUNCTION void seguei_batch_place(struct seguei_batch *batch)
{
	const struct segue_sq *sq = batch->sq;
	const uint32_t at = batch->pi & sq->mask;

	batch->start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	batch->slot = &sq->slots[at];
	batch->ctrl = sq->ctrl + seguei_control_first(0, batch->pi & 0xffff, 0, 0);
}

/* Reads the queue's state. */
SEGUEI_HOT_FUNCTION void seguei_batch_look(struct seguei_batch *batch)
{
	const struct segue_sq *sq = batch->sq;

	batch->pi = sq->pi;
	batch->room = (int32_t)(sq->limit - sq->pi - sq->silent_reserve);
	seguei_batch_place(batch);
}

SEGUEI_HOT_FUNCTION struct seguei_batch seguei_batch_begin(struct segue_sq *sq)
{
	struct seguei_batch batch;

	if (SEGUE_CHECKED) {
		seguei_check_no_batch(sq);
		sq->checked_batch = true;
	}
	batch.sq = sq;
	seguei_batch_look(&batch);
	batch.told = batch.pi;
	batch.doorbell = 0;
	return batch;
}

/* Begins a request of the batch. */
SEGUEI_HOT_FUNCTION struct seguei_build seguei_batch_start(struct seguei_batch *batch)
{
	struct seguei_build b = seguei_begin_at(batch->sq, batch->pi, batch->start);

	b.batch = batch;
	return b;
}

/* Completes an unusual request of the batch, by way of the queue. */
SEGUEI_HOT_FUNCTION int seguei_batch_unusual(const struct seguei_build *b,
					     const struct segue_machine *machine, uint32_t pi)
{
	struct seguei_batch *batch = b->batch;
	struct segue_sq *sq = b->sq;
	int ret;

	sq->pi = pi;
	ret = seguei_unusual(b, machine, SEGUEI_COMMIT);
	if (!ret) {
		memcpy(&batch->doorbell, b->start, sizeof(batch->doorbell));
		sq->committed = pi - sq->mask - 1; /* none: the batch rings */
	}
	seguei_batch_look(batch);
	return ret;
}

SEGUEI_HOT_FUNCTION int seguei_batch_add(const struct seguei_build *b,
					 const struct segue_machine *machine)
{
	const uint32_t blocks = seguei_blocks(b->units), next = seguei_next(b);
	struct seguei_batch *batch = b->batch;
	struct segue_sq *sq = b->sq;
	const int32_t room = batch->room - (int32_t)blocks;
	const int32_t reserve = b->flags & SEGUE_SIGNALED ? (int32_t)sq->silent_reserve : 0;

	seguei_prepare(b, batch->slot, next);
	if (SEGUEI_UNLIKELY(((room + reserve) | b->bad) < 0))
		return seguei_batch_unusual(b, machine, next - blocks);
	batch->doorbell = segue_be64(batch->ctrl +
				     seguei_control_first(b->opmod, 0, b->opcode, b->units));
	memcpy(SEGUEI_ALIGNED(uint8_t, b->start, SEGUEI_UNIT), &batch->doorbell,
	       sizeof(batch->doorbell));
	/* If the index overflows, the ring has ended, and the control quadword is made again. */
	batch->ctrl += blocks * seguei_control_first(0, 1, 0, 0);
	batch->pi = next;
	batch->room = room;
	batch->start += (size_t)blocks * SEGUEI_BLOCK;
	batch->slot += blocks;
	SEGUEI_COUNT(sq->counts.posted);
	SEGUEI_PROBE4(post, sq->qpn, next, b->opcode, b->units);
	if (SEGUEI_UNLIKELY(batch->start >= sq->end))
		seguei_batch_place(batch);
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, sq, b->start, b->units);
	if (b->why & SEGUEI_FENCES) {
		sq->pi = next;
		seguei_sq_fence_next(sq);
		seguei_batch_look(batch);
	}
	return 0;
}

/* Rings all requests so far. */
SEGUEI_HOT_FUNCTION void seguei_batch_ring(struct seguei_batch *batch)
{
	batch->sq->pi = batch->pi;
	seguei_sq_ring(batch->sq, batch->pi, batch->doorbell);
	batch->told = batch->pi;
}

SEGUEI_HOT_FUNCTION int seguei_batch_post(const struct seguei_build *b,
					  const struct segue_machine *machine)
{
	const int ret = seguei_batch_add(b, machine);

	if (!ret)
		seguei_batch_ring(b->batch);
	return ret;
}

SEGUEI_HOT_FUNCTION void seguei_batch_end(struct seguei_batch *batch)
{
	if (batch->pi != batch->told)
		seguei_batch_ring(batch);
	if (SEGUE_CHECKED)
		batch->sq->checked_batch = false;
}

/*
 * Commits without a doorbell. segue_ring_doorbell() rings all committed requests at once. Returns
 * 0, or a negative errno with segue_errmsg(), and nothing has changed.
 */
SEGUEI_HOT_FUNCTION int seguei_commit_only(struct seguei_build *b,
					   const struct segue_machine *machine)
{
	const uint32_t next = seguei_next(b);

	seguei_step_last(b, "segue_commit()");
	if (b->batch)
		return seguei_batch_add(b, machine);
	seguei_prepare(b, &b->sq->slots[b->slot], next);
	if (SEGUEI_UNLIKELY(!seguei_usual(b->sq, next, b->bad, b->flags)))
		return seguei_unusual(b, machine, SEGUEI_COMMIT);
	(void)seguei_finish(b->sq, b->sq->ctrl, b->start, b->pi, seguei_form_of(b, SEGUEI_COMMIT),
			    next);
	b->sq->committed = b->pi;
	if (b->why & SEGUEI_FENCES)
		seguei_sq_fence_next(b->sq);
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, b->sq, b->start, b->units);
	return 0;
}

/**
 * segue_sq_signal_last() - make the last committed request signaled, after it was built without
 * SEGUE_SIGNALED.
 * @sq: send queue
 *
 * For a burst that ends with the doorbell: commit all requests without SEGUE_SIGNALED, call this,
 * then segue_ring_doorbell(). The completion has the wr_id of that request and retires all before
 * it. Returns the number of requests changed: 1, or 0 if the request was signaled already, or if
 * nothing was committed since the last ring. Not for a batch: its caller knows the last request
 * and signals it.
 */
SEGUE_FUNCTION int segue_sq_signal_last(struct segue_sq *sq)
{
	uint8_t *at = seguei_sq_wqe_at(sq, sq->committed) + SEGUEI_CONTROL_FLAGS_AT;
	struct segue_sq_slot *slot = seguei_sq_slot_at(sq, sq->committed);
	uint32_t flags;

	if (!seguei_sq_has_committed(sq))
		return 0;
	flags = segue_get_be32(at);
	if (flags & SEGUE_SIGNALED && slot->next == sq->pi)
		return 0;
	segue_put_be32(at, (flags & ~(uint32_t)SEGUE_SIGNALED_EVENT) | SEGUE_SIGNALED);
	slot->next = sq->pi; /* the program asks for the completion now, not only the queue */
	return 1;
}

/* Commits and rings the doorbell. */
SEGUEI_HOT_FUNCTION int seguei_post(struct seguei_build *b, const struct segue_machine *machine)
{
	const uint32_t next = seguei_next(b);
	struct segue_sq *const seen = SEGUEI_SEEN_QUEUE(b);
	uint64_t doorbell;

	seguei_step_last(b, "segue_post()");
	if (b->batch)
		return seguei_batch_post(b, machine);
	seguei_prepare(b, &seen->slots[b->slot], next);
	if (SEGUEI_UNLIKELY(!seguei_usual(seen, next, b->bad, b->flags)))
		return seguei_unusual(b, machine, SEGUEI_POST);
	doorbell = seguei_finish(b->sq, seen->ctrl, b->start, b->pi, seguei_form_of(b, SEGUEI_POST),
				 next);
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, b->sq, b->start, b->units);
	seguei_sq_ring_seen(b->sq, seen, next, doorbell);
	if (b->why & SEGUEI_FENCES)
		seguei_sq_fence_next(b->sq);
	return 0;
}

/* Copies blocks of the ring to the BlueFlame register, after the doorbell record. */
SEGUEI_HOT_FUNCTION void seguei_sq_copy(struct segue_sq *sq, uintptr_t *half, const uint8_t *start,
					uint32_t blocks)
{
	volatile uint8_t *to = (volatile uint8_t *)*half;
	uint32_t i;

	seguei_sq_record(sq, sq->pi);
	for (i = 0; i < blocks; i++) {
		seguei_store_block(to + (size_t)i * SEGUEI_BLOCK, start);
		start += SEGUEI_BLOCK;
		if (i + 1 < blocks && start == sq->end)
			start = sq->ring;
	}
	*half ^= sq->reg_toggle;
	seguei_flush_register_stores(); /* before another thread's doorbell */
}

/*
 * True if all requests before this one were rung, as the record shows. It must be so, because the
 * device takes a copy for the next request. @pi: of the request
 */
SEGUEI_HOT_FUNCTION bool seguei_sq_in_turn(const struct segue_sq *sq, uint32_t pi)
{
	return *sq->dbrec == segue_be32(pi & 0xffff);
}

/* Hands over the last WQE if it takes more than a copy, if necessary by the doorbell. */
SEGUEI_COLD void seguei_sq_blueflame(struct segue_sq *sq, uint32_t pi);

#ifndef SEGUE_FREESTANDING /* the same for a source with counters */
SEGUEI_COLD void seguei_sq_blueflame_counted(struct segue_sq *sq, uint32_t pi);
#endif

/*
 * Commits and hands the whole WQE to the device through the BlueFlame register, which saves it a
 * read of memory. Some WQEs are posted by doorbell: a WQE that does not fit the register, and one
 * after committed requests that have not been rung. So are all WQEs if the queue pair shares its
 * register (a thread domain has one for itself, see segue/pd.h), if its context or queue pair is
 * adopted without such a domain, because libmlx5's own queue pairs may ring there, too, and if
 * MLX5_SHUT_UP_BF disables copies.
 */
SEGUEI_HOT_FUNCTION int seguei_post_blueflame(struct seguei_build *b,
					      const struct segue_machine *machine)
{
	struct segue_sq *sq = b->sq;
	const uint32_t blocks = seguei_blocks(b->units), next = seguei_next(b);

	seguei_step_last(b, "segue_post_blueflame()");
	if (b->batch)
		return seguei_batch_post(b, machine);
	seguei_prepare(b, &b->sq->slots[b->slot], next);
	if (SEGUEI_UNLIKELY(!seguei_usual(sq, next, b->bad, b->flags)))
		return seguei_unusual(b, machine, SEGUEI_BLUEFLAME);
	(void)seguei_finish(sq, sq->ctrl, b->start, b->pi, seguei_form_of(b, SEGUEI_BLUEFLAME),
			    next);
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, sq, b->start, b->units);
	if (SEGUEI_LIKELY(blocks * SEGUEI_BLOCK <= sq->copy_most && seguei_sq_in_turn(sq, b->pi)))
		seguei_sq_copy(sq, sq->half ? sq->half : &sq->reg, b->start, blocks);
	else
		SEGUEI_COUNTED(seguei_sq_blueflame)(sq, b->pi);
	if (b->why & SEGUEI_FENCES)
		seguei_sq_fence_next(sq);
	return 0;
}

#include "segue/detail/end.h"

/* The begin of a request: a place of the queue's, or of the batch's. See segue/detail/step.h. */
#ifdef __cplusplus
SEGUEI_HOT_FUNCTION struct seguei_build seguei_start(struct segue_sq *sq)
{
	return seguei_begin(sq);
}

SEGUEI_HOT_FUNCTION struct seguei_build seguei_start(struct seguei_batch *batch)
{
	return seguei_batch_start(batch);
}

#define SEGUEI_START(queue) seguei_start(&(queue)->sq)
#else
/* clang-format off: it misreads _Generic */
#define SEGUEI_START(queue)                          \
	_Generic((queue)->sq, struct segue_sq        \
		 : seguei_begin, struct seguei_batch \
		 : seguei_batch_start, default       \
		 : seguei_refused_b)(&(queue)->sq)
/* clang-format on */
#endif

#endif
