/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of the library that polls call, for a program without the library: see
 * segue/freestanding.h.
 *
 * These take completions of a queue pair's sends and receives, good and failed, and the end of the
 * ring. Compressed entries, payload in entries, tag lists, striding and shared locked queues need
 * the library: -ENOTSUP, and the entry stays where it is.
 *
 * Owner: none.
 * Threads: that of the completion queue.
 * Errors: negative errno. Only the library sets segue_errmsg().
 * Source: mlx5dv.h (struct mlx5_cqe64, struct mlx5_err_cqe).
 */
#ifndef SEGUE_DETAIL_FREESTANDING_POLL_H
#define SEGUE_DETAIL_FREESTANDING_POLL_H

#include <errno.h>

#include "segue/cq.h"

#include "segue/detail/begin.h"

/* Steps over the entry. At the end of the ring, or of the stretch, it finds the next limit. */
SEGUE_FUNCTION void seguei_alone_advance(struct segue_cq *cq)
{
	const struct seguei_cq_ring *ring = &cq->ring;
	const uint32_t record_max = SEGUE_SEG_CQ_ARM_CI_MAX;
	uint32_t at, ahead, lap;

	cq->ci++;
	at = seguei_cq_ci(cq) & (ring->cqe_cnt - 1);
	if (at != 0 && cq->entry != cq->last) {
		cq->entry += cq->entry_size;
		return;
	}
	cq->ci_upper += cq->ci & ~record_max;
	cq->ci &= record_max;
	ahead = ring->cqe_cnt - 1 - at;
	if (cq->stretch - 1 < ahead)
		ahead = cq->stretch - 1;
	lap = seguei_cq_ci(cq) >> ring->log_cnt;
	cq->entry = ring->buf + (size_t)(at + 1) * ring->entry_size - SEGUE_CQE64_SIZE;
	cq->own = seguei_cq_widen(segue_be32(lap & SEGUE_CQE_OP_OWN_OWNER_MASK));
	cq->last = cq->entry + (size_t)ahead * ring->entry_size;
}

/* Retires a send, good or failed: 1, 0 if its completion was not requested, or -EINVAL. */
SEGUE_FUNCTION int seguei_alone_retire_send(struct segue_sq *sq, struct segue_wc *wc)
{
	const bool marker = seguei_sq_is_marker(sq, wc->wqe_counter);
	const int ret = segue_sq_retire(sq, wc->wqe_counter, &wc->wr_id);

	return ret == 0 && wc->syndrome && !marker ? 1 : ret;
}

/* Retires a receive: 1, or -EINVAL. */
SEGUE_FUNCTION int seguei_alone_retire_receive(struct seguei_cq_route route, struct segue_wc *wc)
{
	int ret = segue_rq_retire(route.page->rq[route.at], &wc->wr_id);

	if (ret)
		ret = segue_srq_retire(route.page->srq[route.at], wc->wqe_counter, &wc->wr_id);
	return ret ? ret : 1;
}

SEGUE_FUNCTION void seguei_alone_parse_error(const uint8_t *bytes, struct segue_wc *wc)
{
	struct segue_err_cqe cqe;

	(void)segue_err_cqe_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->wqe_counter = cqe.wqe_counter;
	wc->opcode = cqe.opcode;
	wc->s_wqe_opcode = cqe.s_wqe_opcode;
	wc->syndrome = cqe.syndrome;
	wc->vendor_syndrome = cqe.vendor_err_synd;
	wc->peer = seguei_peer_nobody();
}

/*
 * Takes the next entry, which is new. Returns 1 and *wc, 0 if it is not handed out, -EAGAIN if the
 * device has not written it, -ENOTSUP if it needs the library, or -EINVAL if it belongs to no
 * request.
 */
SEGUE_FUNCTION int seguei_alone_take(struct segue_cq *cq, struct segue_wc *wc)
{
	const uint8_t *bytes = cq->entry;
	const uint32_t last = seguei_cq_look(cq), opcode = segue_be32(last) >> 4 & 0xf;
	struct seguei_cq_route route;

	if (opcode == SEGUE_CQE_OPCODE_INVALID)
		return -EAGAIN;
	memset(wc, 0, sizeof(*wc));
	if (opcode == SEGUE_CQE_OPCODE_REQ_ERR || opcode == SEGUE_CQE_OPCODE_RESP_ERR)
		seguei_alone_parse_error(bytes, wc);
	else if (opcode > SEGUE_CQE_OPCODE_RESP_SEND_INV || (last & SEGUEI_CQE_FORMAT))
		return -ENOTSUP;
	else
		seguei_cq_parse(bytes, last, false, wc);
	route = seguei_cq_route_of(&cq->queues, bytes);
	wc->context = route.page->context[route.at];
	return segue_wc_is_receive(wc) ? seguei_alone_retire_receive(route, wc)
				       : seguei_alone_retire_send(route.page->sq[route.at], wc);
}

/*
 * As seguei_alone_take(), and steps over the entry, unless it needs the library. @skip: also over
 * one that belongs to no request
 */
SEGUE_FUNCTION int seguei_alone_take_over(struct segue_cq *cq, struct segue_wc *wc, bool skip)
{
	int ret;

	if (!seguei_cq_new(cq, seguei_cq_look(cq)))
		return -EAGAIN;
	seguei_order_memory_loads(); /* nothing of the entry is read before its owner */
	ret = cq->ring.enhanced ? -ENOTSUP : seguei_alone_take(cq, wc);
	if (ret >= 0 || (ret == -EINVAL && skip))
		seguei_alone_advance(cq);
	return ret;
}

SEGUEI_OF_LIBRARY void seguei_cq_give_back(struct segue_cq *cq)
{
	seguei_order_memory_stores();
	seguei_cq_tell_consumed(cq);
}

SEGUE_FUNCTION int seguei_alone_take_next(struct segue_cq *cq, struct segue_wc *wc, bool step_over)
{
	int ret;

	do {
		ret = seguei_alone_take_over(cq, wc, step_over);
	} while (ret == 0);
	if (ret > 0)
		return 0;
	return ret == -EAGAIN ? -ENOENT : ret;
}

SEGUEI_OF_LIBRARY int seguei_cq_take_one(struct segue_cq *cq, struct segue_wc *wc)
{
	return seguei_alone_take_next(cq, wc, true);
}

SEGUEI_OF_LIBRARY int seguei_cq_take_or_leave(struct segue_cq *cq, struct segue_wc *wc)
{
	return seguei_alone_take_next(cq, wc, false);
}

/* Like the library's, a poll that has handed out something leaves an error to the next one. */
SEGUEI_OF_LIBRARY struct seguei_cq_progress seguei_cq_poll_slow(struct segue_cq *cq, int max,
								int count, segue_wc_handler handler,
								void *arg)
{
	struct seguei_cq_progress progress = {count, true};
	struct segue_wc wc;
	int left = max, ret = 0;

	while (left > 0) {
		ret = seguei_alone_take_over(cq, &wc, progress.count == 0);
		if (ret < 0)
			break;
		if (ret > 0)
			handler(&wc, arg);
		progress.count += ret;
		left -= ret;
	}
	seguei_cq_give_back(cq);
	if (progress.count == 0 && ret < 0 && ret != -EAGAIN)
		progress.count = ret;
	return progress;
}

SEGUEI_OF_LIBRARY int seguei_cq_poll_on(struct segue_cq *cq, int max, int count,
					segue_wc_handler handler, void *arg)
{
	return seguei_cq_poll_slow(cq, max, count, handler, arg).count;
}

SEGUEI_OF_LIBRARY int seguei_cq_fill_on(struct segue_cq *cq, int max, int count,
					struct segue_wc *wc)
{
	int ret = 0;

	while (count < max) {
		ret = seguei_cq_take_one(cq, &wc[count]);
		if (ret)
			break;
		wc[count].byte_len = segue_wc_byte_len(&wc[count]);
		wc[count++].cqe = NULL; /* its entry is given back when the array is read */
	}
	seguei_cq_give_back(cq);
	return count == 0 && ret != -ENOENT ? ret : count;
}

/* Only checked builds call these. */
SEGUEI_OF_LIBRARY void seguei_cq_check_begin(struct segue_cq *cq)
{
	(void)cq;
}

SEGUEI_OF_LIBRARY void seguei_cq_check_end(struct segue_cq *cq)
{
	(void)cq;
}

SEGUEI_OF_LIBRARY void seguei_cq_check_route(struct seguei_cq_route route)
{
	(void)route;
}

#include "segue/detail/end.h"

#endif
