/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polls that fill an array. A completion is written there by as many stores as it has quadwords
 * (segue/wc.h), and what stays in the CQE is gone when it can be read.
 *
 * Owner: the array is the caller's.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), as segue_cq_poll().
 * Source: mlx5dv.h (struct mlx5_cqe64).
 */
#ifndef SEGUE_CQ_ARRAY_H
#define SEGUE_CQ_ARRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/bytes.h"
#include "segue/compiler.h"
#include "segue/cq.h"
#include "segue/sq.h"
#include "segue/wc.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

#define SEGUEI_CQE_IDS	    (SEGUE_CQE_CQE64_SIZE - 8) /* see seguei_wc_put_ids() */
#define SEGUEI_CQE_BYTE_CNT (SEGUE_CQE_CQE64_SIZE - 20)
#define SEGUEI_CQE_IMM	    (SEGUE_CQE_CQE64_SIZE - 28) /* imm_inval_pkey */

/* All but wr_id and context; the CQE is gone when it is read. @ids: see seguei_wc_put_ids() */
SEGUE_HOT_FUNCTION void seguei_cq_fill_rest(const uint8_t *bytes, uint64_t ids, uint8_t opcode,
					    uint32_t imm, struct segue_wc *wc)
{
	wc->cqe = NULL;
	wc->peer = seguei_peer_nobody();
	wc->byte_len = segue_get_be32(bytes + SEGUEI_CQE_BYTE_CNT);
	seguei_wc_put_ids(wc, ids, opcode);
	seguei_wc_put_kind(wc, bytes[SEGUEI_CQE_IDS], seguei_wc_flags(opcode), imm);
}

/*
 * As seguei_cq_take_at(), into an array: in as few stores as there are quadwords. Of a completion
 * that is not taken `*wc` holds nothing.
 */
SEGUE_HOT_FUNCTION bool seguei_cq_take_into(struct segue_cq *cq, const uint8_t *bytes,
					    uint32_t last, struct segue_wc *wc)
{
	struct seguei_cq_route route;
	uint64_t ids;
	uint32_t tag;

	if (SEGUE_LIKELY(seguei_cq_is_send(last))) {
		route = seguei_cq_route_of(cq, bytes);
		ids = segue_get_be64(bytes + SEGUEI_CQE_IDS);
		if (SEGUE_UNLIKELY(!seguei_sq_retire_plain(route.page->sq[route.at],
							   (uint32_t)ids, &wc->wr_id, &tag)))
			return false;
		wc->context = route.page->context[route.at];
		seguei_cq_fill_rest(bytes, ids, SEGUE_CQE_OPCODE_REQ, 0, wc);
		if (SEGUE_UNLIKELY(wc->s_wqe_opcode & SEGUEI_WC_ATOMIC))
			wc->byte_len = segue_wc_byte_len(wc);
	} else {
		if (!seguei_cq_claim_receive(cq, bytes, last, wc))
			return false;
		seguei_cq_fill_rest(bytes, segue_get_be64(bytes + SEGUEI_CQE_IDS),
				    bytes[SEGUEI_CQE_OP_OWN] >> 4,
				    segue_get_be32(bytes + SEGUEI_CQE_IMM), wc);
	}
	return true;
}

/* Goes on where an entry is not for the straight path; `count` are in the array. */
int seguei_cq_fill_on(struct segue_cq *cq, int max, int count, struct segue_wc *wc);

/* Takes entries up to one that is not for the straight path; tells the device nothing. */
SEGUE_HOT_FUNCTION int seguei_cq_fill(struct segue_cq *cq, int max, struct segue_wc *wc)
{
	const size_t size = cq->entry_size;
	const uint8_t *bytes = cq->entry, *end = bytes + (size_t)max * size;
	struct segue_wc *const first = wc;
	int count;

	if (SEGUE_UNLIKELY(end > cq->last))
		end = cq->last;
	while (bytes < end &&
	       SEGUE_LIKELY(seguei_cq_take_into(cq, bytes, seguei_cq_look_at(cq, bytes), wc))) {
		wc++;
		bytes += size;
	}
	count = (int)(wc - first);
	cq->entry = bytes;
	cq->ci += (uint32_t)count;
	return count;
}

SEGUE_HOT_FUNCTION int seguei_cq_fill_many(struct segue_cq *cq, int max, struct segue_wc *wc)
{
	int count;

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	count = max > 0 ? seguei_cq_fill(cq, max, wc) : 0;
	if (count < max && SEGUE_UNLIKELY(seguei_cq_new(cq, seguei_cq_look(cq))))
		return seguei_cq_fill_on(cq, max, count, wc);
	if (count)
		seguei_cq_tell_consumed(cq);
	else
		SEGUEI_COUNT(cq->counts.empty);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return count;
}

/* The same for one. */
SEGUE_HOT_FUNCTION int seguei_cq_fill_one(struct segue_cq *cq, struct segue_wc *wc)
{
	const uint8_t *bytes = cq->entry;
	const uint32_t last = seguei_cq_look_at(cq, bytes);

	if (SEGUE_CHECKED)
		seguei_cq_check_begin(cq);
	SEGUEI_COUNT(cq->counts.polls);
	if (!seguei_cq_new(cq, last)) {
		SEGUEI_COUNT(cq->counts.empty);
		if (SEGUE_CHECKED)
			seguei_cq_check_end(cq);
		return 0;
	}
	if (SEGUE_UNLIKELY(bytes >= cq->last) ||
	    SEGUE_UNLIKELY(!seguei_cq_take_into(cq, bytes, last, wc)))
		return seguei_cq_fill_on(cq, 1, 0, wc);
	cq->entry += cq->entry_size;
	cq->ci++;
	seguei_cq_tell_consumed(cq);
	if (SEGUE_CHECKED)
		seguei_cq_check_end(cq);
	return 1;
}

/**
 * segue_cq_poll_wc() - fill an array with new completions.
 * @cq: completion queue
 * @max: entries of @wc
 * @wc: filled from the front; the cqe members are not valid and NULL
 *
 * Returns how many were filled, or as segue_cq_poll().
 */
SEGUE_MUST_CHECK SEGUE_HOT_FUNCTION int segue_cq_poll_wc(struct segue_cq *cq, int max,
							 struct segue_wc *wc)
{
	if (SEGUE_KNOWN(max) && max == 1)
		return seguei_cq_fill_one(cq, wc);
	return seguei_cq_fill_many(cq, max, wc);
}

/**
 * segue_cq_poll_details() - as segue_cq_poll_wc(), with everything else that the CQEs hold.
 * @cq: completion queue
 * @max: entries of @wc and of @details
 * @wc: as for segue_cq_poll_wc()
 * @details: one for each of @wc
 *
 * Returns how many were filled, or as segue_cq_poll().
 */
SEGUE_MUST_CHECK int segue_cq_poll_details(struct segue_cq *cq, int max, struct segue_wc *wc,
					   struct segue_wc_details *details);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
