/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A send queue's work off the fast path. The library holds these functions. A program without it
 * gets them by segue/freestanding.h.
 *
 * Owner: none.
 * Threads: that of the queue.
 * Errors: negative errno. Only the library has sentences.
 * Source: Segue's own, and mlx5dv.h (struct mlx5_wqe_ctrl_seg).
 */
#ifndef SEGUE_DETAIL_SQ_SLOW_PATH_H
#define SEGUE_DETAIL_SQ_SLOW_PATH_H

#include "segue/detail/commit.h"

#include "segue/detail/begin.h"

SEGUEI_OF_LIBRARY void seguei_sq_fence_next(struct segue_sq *sq)
{
	sq->fence_next = true;
	seguei_sq_open_or_close(sq);
}

/* True if an unsignaled request that ends at `next`, in the reserve, must complete. */
SEGUE_FUNCTION bool seguei_sq_must_complete(const struct segue_sq *sq, uint32_t next)
{
	return sq->limit - next < sq->blocks || next - sq->forced >= sq->silent_reserve;
}

/* Makes the prepared request at the producer index complete. */
SEGUE_FUNCTION void seguei_sq_force(struct segue_sq *sq, uint32_t next)
{
	uint8_t *flags = SEGUEI_ALIGNED(
		uint8_t, seguei_sq_wqe_at(sq, sq->pi) + SEGUEI_CONTROL_FLAGS_AT, sizeof(uint32_t));

	segue_put_be32(flags,
		       (segue_get_be32(flags) & ~(uint32_t)SEGUE_SIGNALED_EVENT) | SEGUE_SIGNALED);
	seguei_sq_slot_at(sq, sq->pi)->next += SEGUEI_SLOT_FORCED;
	sq->forced = next;
}

/*
 * Makes the request at this place wait for the one before, unless it has a fence of its own.
 * Source: rdma-core providers/mlx5/qp.c, fm_cache, which libmlx5 keeps for the request after one
 * that changes a key.
 */
SEGUE_FUNCTION void seguei_sq_fence(struct segue_sq *sq, uint8_t *start)
{
	uint8_t *at = SEGUEI_ALIGNED(uint8_t, start + SEGUEI_CONTROL_FLAGS_AT, sizeof(uint32_t));
	const uint32_t flags = segue_get_be32(at);

	if (!(flags & SEGUEI_NEXT_FIELD))
		segue_put_be32(at, flags | SEGUEI_NEXT_FLAG);
	sq->fence_next = false;
	seguei_sq_open_or_close(sq);
}

/* True if the half that polls has made room since the last test. GPUs have no such half. */
#ifdef SEGUE_FREESTANDING
#define SEGUEI_CAUGHT_UP(sq) false
#else
#define SEGUEI_CAUGHT_UP(sq) ((sq)->polled && seguei_sq_catch_up(sq))
#endif

/* Tries the request again after room was made. Kept out of the way of the other cases. */
SEGUEI_COLD int seguei_finish_anew(struct segue_sq *sq, uint64_t packed,
				   const struct segue_machine *machine)
{
	return seguei_finish_unusual(sq, packed, 0, machine);
}

SEGUEI_OF_LIBRARY int seguei_finish_unusual(struct segue_sq *sq, uint64_t packed, int32_t bad,
					    const struct segue_machine *machine)
{
	const struct seguei_form form = seguei_form_unpack(packed);
	const uint32_t pi = sq->pi, next = pi + seguei_blocks(form.units);
	uint8_t *const start = SEGUEI_ALIGNED(uint8_t, seguei_sq_start(sq), SEGUEI_UNIT);
	const uint32_t flags = segue_get_be32(start + SEGUEI_CONTROL_FLAGS_AT);
	const bool fenced = sq->fence_next, watched = sq->watched;
	uint64_t doorbell;

	sq->watched = false;
	if (fenced)
		seguei_sq_fence(sq, start);
	else if (watched)
		seguei_sq_open_or_close(sq);
	if ((bad | (int32_t)(sq->limit - next)) < 0) {
		sq->watched = watched;
		sq->fence_next = fenced;
		if (fenced || watched)
			seguei_sq_open_or_close(sq);
#ifndef SEGUE_FREESTANDING /* a queue there has no spare memory */
		if (sq->spare)
			return seguei_finish_at_end(sq, packed, bad, machine);
#endif
		if (bad >= 0 && SEGUEI_CAUGHT_UP(sq))
			return seguei_finish_anew(sq, packed, machine);
		sq->slots[pi & sq->mask].next = seguei_sq_ci(sq); /* nothing in flight there */
		/* the request has overwritten it */
		sq->pattern = NULL;
		return seguei_sq_refuse_form(sq, form, bad, machine);
	}
	if (!seguei_usual(sq, next, bad, flags) && seguei_sq_must_complete(sq, next)) {
		if (SEGUEI_CAUGHT_UP(sq)) {
			sq->watched = watched;
			return seguei_finish_anew(sq, packed, machine);
		}
		seguei_sq_force(sq, next);
	}
	doorbell = seguei_finish(sq, sq->ctrl, start, pi, form, next);
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, sq, start, form.units);
	if (form.how == SEGUEI_POST)
		seguei_sq_ring(sq, next, doorbell);
	else if (form.how == SEGUEI_BLUEFLAME)
		seguei_sq_blueflame(sq, pi);
	else
		sq->committed = pi;
	if (form.why & SEGUEI_FENCES)
		seguei_sq_fence_next(sq);
#if SEGUEI_GPU /* watch() is a function of the host, so the host's next request calls it */
	if (watched) {
		sq->watched = true;
		seguei_sq_open_or_close(sq);
	}
#else
	if (watched)
		sq->watch(sq->watch_arg, pi);
#endif
	return 0;
}

SEGUEI_OF_LIBRARY bool seguei_sq_starts_at(const struct segue_sq *sq, uint32_t next,
					   uint32_t wqe_counter)
{
	return ((next - 1 - wqe_counter) & 0xffff) < sq->blocks;
}

SEGUEI_OF_LIBRARY int seguei_sq_retire_other(struct segue_sq *sq, uint16_t wqe_counter,
					     uint64_t *wr_id)
{
	const struct segue_sq_slot *slot = seguei_sq_slot_at(sq, wqe_counter);
	uint32_t next;

	seguei_sq_widen(sq);
	seguei_device_said(sq->kept);
	next = seguei_sq_behind(sq, slot);
	if (!seguei_sq_in_flight(sq, next) || !seguei_sq_starts_at(sq, next, wqe_counter))
		return seguei_sq_bad_completion(sq, wqe_counter);
	*wr_id = slot->wr_id;
	SEGUEI_WAS_READ(&slot->wr_id);
	seguei_sq_retire_to(sq, next);
	return next == slot->next; /* while posts are refused, all requests come here */
}

SEGUEI_OF_LIBRARY void seguei_copy_across(const struct segue_sq *sq, uint8_t *to, const void *from,
					  size_t bytes)
{
	const size_t first = (size_t)(sq->end - to) < bytes ? (size_t)(sq->end - to) : bytes;

	seguei_copy_to_ring(to, from, first);
	seguei_copy_to_ring(sq->buf, (const uint8_t *)from + first, bytes - first);
}

/* The place `offset` bytes after `at` in the ring. */
SEGUE_FUNCTION uint8_t *seguei_sq_place(const struct segue_sq *sq, uint8_t *at, size_t offset)
{
	const size_t room = (size_t)(sq->end - at);

	return offset < room ? at + offset : sq->buf + (offset - room);
}

SEGUEI_OF_LIBRARY void seguei_put_tailed(const struct segue_sq *sq, uint8_t *to,
					 const struct seguei_tailed *segment)
{
	/* the unit that is not filled */
	uint32_t unit = (segment->at + segment->length) / SEGUEI_UNIT;

	for (; unit < segment->units; unit++)
		seguei_zero_unit(seguei_sq_place(sq, to, (size_t)unit * SEGUEI_UNIT));
	seguei_copy_across(sq, to, segment->fields, segment->at);
	seguei_copy_across(sq, seguei_sq_place(sq, to, segment->at), segment->data,
			   segment->length);
}

#include "segue/detail/end.h"

#endif
