/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polls that fill an array. Each completion takes as many stores as struct segue_wc has quadwords
 * (segue/wc.h). The array has no pointer to the CQE, which is given back when the poll returns.
 *
 * Owner: the array is the caller's.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), as segue_cq_poll_each().
 * Source: mlx5dv.h (struct mlx5_cqe64).
 */
#ifndef SEGUE_DETAIL_CQ_ARRAY_H
#define SEGUE_DETAIL_CQ_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/cq.h"
#include "segue/detail/bytes.h"
#include "segue/detail/compiler.h"
#include "segue/sq.h"
#include "segue/wc.h"

#include "segue/detail/begin.h"

#define SEGUEI_CQE_IDS	    (SEGUE_CQE64_SIZE - 8) /* see seguei_wc_put_ids() */
#define SEGUEI_CQE_BYTE_CNT (SEGUE_CQE64_SIZE - 20)
#define SEGUEI_CQE_IMM	    (SEGUE_CQE64_SIZE - 28) /* imm_inval_pkey */

/*
 * Bits of the last quadword. None of them is set in a new entry of a good send if
 * its length is as in the CQE: see segue_wc_byte_len().
 */
#define SEGUEI_CQE_UNLIKE_SEND                          \
	(segue_be64((uint64_t)SEGUEI_WC_ATOMIC << 56) | \
	 seguei_cq_widen(SEGUEI_CQE_OWNER | SEGUEI_CQE_OPCODE | SEGUEI_CQE_FORMAT))

/* State of a poll. */
struct seguei_cq_filling {
	const uint8_t *bytes; /* the next entry */
	const uint8_t *end;   /* after the last entry that is asked for and is for the fast path */
	struct segue_wc *wc;  /* the next completion's element */
	/* map of the completion queue. Nothing changes it during the poll */
	struct seguei_cq_map queues;
	/* SEGUEI_WC_IDS, kept so that compilers do not make it for each completion */
	uint64_t ids;
};

SEGUEI_HOT_FUNCTION struct seguei_cq_filling seguei_cq_fill_from(const struct segue_cq *cq,
								 struct segue_wc *wc)
{
	struct seguei_cq_filling f;

	f.bytes = cq->entry;
	f.end = cq->last;
	f.wc = wc;
	f.queues = cq->queues;
	f.ids = SEGUEI_WC_IDS;
	return f;
}

/*
 * The last quadword of an entry, with the marks of a new one cleared as by seguei_cq_look_at(). It
 * holds all that an array gets of a send, except the length. The load is aligned, so it sees the
 * quadword as the device wrote it.
 */
SEGUEI_HOT_FUNCTION uint64_t seguei_cq_look_wide(const struct segue_cq *cq, const uint8_t *bytes)
{
	return *(const volatile uint64_t *)(const void *)(bytes + SEGUEI_CQE_IDS) ^ cq->own;
}

/*
 * Fills everything but wr_id and context. The array's reader no longer has the CQE. @wide: its last
 * quadword, as stored in memory
 */
SEGUEI_HOT_FUNCTION void seguei_cq_fill_rest(const struct seguei_cq_filling *f, uint64_t wide,
					     uint32_t opcode, uint32_t imm)
{
	struct segue_wc *wc = f->wc;

	wc->cqe = NULL;
	wc->peer = seguei_peer_nobody();
	wc->byte_len = segue_get_be32(f->bytes + SEGUEI_CQE_BYTE_CNT);
	seguei_wc_put_ids(wc, segue_be64(wide) & f->ids, opcode);
	seguei_wc_put_kind(wc, f->bytes[SEGUEI_CQE_IDS], seguei_wc_flags(opcode), imm);
}

/*
 * As seguei_cq_take_send(), into the array, by one store for each quadword. If the completion is
 * not taken, nothing of it is in the array. @wide: from seguei_cq_look_wide()
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_send_into(const struct seguei_cq_filling *f, uint64_t wide)
{
	const struct seguei_cq_route route = seguei_cq_route_of(&f->queues, f->bytes);
	uint32_t tag;

	if (SEGUEI_UNLIKELY(!seguei_sq_retire_plain(
		    route.page->sq[route.at], (uint32_t)segue_be64(wide), &f->wc->wr_id, &tag)))
		return false;
	f->wc->context = route.page->context[route.at];
	seguei_cq_fill_rest(f, wide, SEGUE_CQE_OPCODE_REQ, 0);
	return true;
}

/* The same for a good send of any length. */
SEGUEI_HOT_FUNCTION bool seguei_cq_any_send_into(const struct seguei_cq_filling *f)
{
	uint64_t wide;

	memcpy(&wide, f->bytes + SEGUEI_CQE_IDS, sizeof(wide));
	if (!seguei_cq_send_into(f, wide))
		return false;
	if (SEGUEI_UNLIKELY(f->wc->s_wqe_opcode & SEGUEI_WC_ATOMIC))
		f->wc->byte_len = segue_wc_byte_len(f->wc);
	return true;
}

/* Adds the fields of a good receive that seguei_cq_fill_rest() does not have. */
SEGUEI_HOT_FUNCTION void seguei_cq_fill_receive(const struct seguei_cq_filling *f, uint32_t opcode)
{
	uint64_t wide;

	memcpy(&wide, f->bytes + SEGUEI_CQE_IDS, sizeof(wide));
	seguei_cq_fill_rest(f, wide, opcode, segue_get_be32(f->bytes + SEGUEI_CQE_IMM));
}

SEGUEI_HOT_FUNCTION uint32_t seguei_cq_opcode(const uint8_t *bytes)
{
	return bytes[SEGUEI_CQE_OP_OWN] >> 4;
}

/*
 * Continues a poll at an entry that is not for the fast path. `count` completions are in the array.
 */
SEGUEI_OF_LIBRARY int seguei_cq_fill_on(struct segue_cq *cq, int max, int count,
					struct segue_wc *wc);

SEGUEI_HOT_FUNCTION void seguei_cq_filled(const struct segue_cq *cq, struct seguei_cq_filling *f)
{
	f->bytes += cq->entry_size;
	f->wc++;
}

/* Takes sends up to the first entry that is something else. */
SEGUEI_HOT_FUNCTION void seguei_cq_fill_sends(const struct segue_cq *cq,
					      struct seguei_cq_filling *f)
{
	uint64_t unlike = SEGUEI_CQE_UNLIKE_SEND;

	SEGUEI_OWN_REGISTER(unlike); /* keeps gcc from making it for each completion */
	for (; f->bytes < f->end; seguei_cq_filled(cq, f)) {
		const uint64_t wide = seguei_cq_look_wide(cq, f->bytes);

		if (wide & unlike || !seguei_cq_send_into(f, wide))
			return;
	}
}

/* Takes receives up to the first entry that is something else. */
SEGUEI_HOT_FUNCTION void seguei_cq_fill_receives(const struct segue_cq *cq,
						 struct seguei_cq_filling *f, uint32_t queue)
{
	for (; f->bytes < f->end; seguei_cq_filled(cq, f)) {
		const uint32_t last = seguei_cq_look_at(cq, f->bytes);
		uint32_t opcode;

		if (!seguei_cq_is_receive(last))
			return;
		opcode = seguei_cq_opcode(f->bytes);
		if (SEGUEI_UNLIKELY(opcode == SEGUE_CQE_OPCODE_REQ) ||
		    !seguei_cq_claim_receive(&f->queues, f->bytes, last, queue, f->wc))
			return;
		seguei_cq_fill_receive(f, opcode);
	}
}

/* Takes one entry of an atomic, which is neither a plain send nor a receive. */
SEGUEI_HOT_FUNCTION bool seguei_cq_fill_atomic(const struct segue_cq *cq,
					       struct seguei_cq_filling *f)
{
	if (!seguei_cq_is_send(seguei_cq_look_at(cq, f->bytes)) || !seguei_cq_any_send_into(f))
		return false;
	seguei_cq_filled(cq, f);
	return true;
}

/* Takes entries up to one that is not for the fast path. Gives none back to the device. */
SEGUEI_HOT_FUNCTION int seguei_cq_fill(struct segue_cq *cq, int max, struct segue_wc *wc)
{
	struct seguei_cq_filling f = seguei_cq_fill_from(cq, wc);
	const uint8_t *const enough = f.bytes + (size_t)max * cq->entry_size;
	const struct segue_wc *before;
	int count;

	if (SEGUEI_LIKELY(enough < f.end))
		f.end = enough;
	SEGUEI_OWN_REGISTER(f.ids);
	do { /* a loop for each kind needs fewer registers than one loop for all kinds */
		before = f.wc;
		seguei_cq_fill_sends(cq, &f);
		seguei_cq_fill_receives(cq, &f, SEGUEI_CQ_OWN);
		seguei_cq_fill_receives(cq, &f, SEGUEI_CQ_SHARED);
	} while (f.bytes < f.end && (f.wc != before || seguei_cq_fill_atomic(cq, &f)));
	count = (int)(f.wc - wc);
	cq->entry = f.bytes;
	cq->ci += (uint32_t)count;
	return count;
}

SEGUEI_HOT_FUNCTION int seguei_cq_fill_many(struct segue_cq *cq, int max, struct segue_wc *wc)
{
	int count;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	count = max > 0 ? seguei_cq_fill(cq, max, wc) : 0;
	if (count < max && SEGUEI_UNLIKELY(seguei_cq_new(cq, seguei_cq_look(cq))))
		return seguei_cq_fill_on(cq, max, count, wc);
	if (count)
		seguei_cq_tell_consumed(cq);
	else
		SEGUEI_COUNT(cq->counts.empty);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return count;
}

/* Takes one new entry. */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_into(const struct segue_cq *cq, uint32_t last,
					     struct segue_wc *wc)
{
	const struct seguei_cq_filling f = seguei_cq_fill_from(cq, wc);

	if (SEGUEI_UNLIKELY(f.bytes >= f.end))
		return false;
	if (SEGUEI_LIKELY(seguei_cq_is_send(last)))
		return seguei_cq_any_send_into(&f);
	if (!seguei_cq_is_receive(last) ||
	    !seguei_cq_claim_receive(&f.queues, f.bytes, last, SEGUEI_CQ_ANY, f.wc))
		return false;
	seguei_cq_fill_receive(&f, seguei_cq_opcode(f.bytes));
	return true;
}

/* A poll for one completion. */
SEGUEI_HOT_FUNCTION int seguei_cq_fill_one(struct segue_cq *cq, struct segue_wc *wc)
{
	const uint32_t last = seguei_cq_look(cq);

	if (!seguei_cq_poll_begin(cq, last))
		return 0;
	if (SEGUEI_UNLIKELY(!seguei_cq_take_into(cq, last, wc)))
		return seguei_cq_fill_on(cq, 1, 0, wc);
	cq->entry += cq->entry_size;
	cq->ci++;
	seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return 1;
}

/**
 * segue_cq_poll() - fill an array with new completions.
 * @cq: completion queue
 * @max: entries of @wc
 * @wc: filled from the front. Its cqe members are NULL
 *
 * Returns the number of entries filled, or as segue_cq_poll_each().
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_cq_poll(struct segue_cq *cq, int max,
							struct segue_wc *wc)
{
	if (SEGUEI_KNOWN(max) && max == 1)
		return seguei_cq_fill_one(cq, wc);
	return seguei_cq_fill_many(cq, max, wc);
}

/**
 * segue_cq_poll_details() - as segue_cq_poll(), with all other fields of the CQEs.
 * @cq: completion queue
 * @max: entries of @wc and of @details
 * @wc: as for segue_cq_poll()
 * @details: one element for each of @wc
 *
 * Returns the number of entries filled, or as segue_cq_poll_each().
 */
SEGUEI_MUST_CHECK int segue_cq_poll_details(struct segue_cq *cq, int max, struct segue_wc *wc,
					    struct segue_wc_details *details);

#include "segue/detail/end.h"

#endif
