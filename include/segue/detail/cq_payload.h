/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Polls for payload inside completions (scatter_to_cqe): receives with their payload in the entry
 * are handed out in line, as all others are.
 *
 * This is a call of its own, so that programs without such completions do not pay for them.
 * segue_cq_poll_each() takes them, too, but by a detour that costs five times as much.
 *
 * Owner: the memory that receives name stays the caller's, and the processor reaches it at the
 *   address in the receive.
 * Threads: that of the completion queue.
 * Errors: as segue_cq_poll_each().
 * Source: mlx5dv.h (struct mlx5_cqe64, MLX5_INLINE_SCATTER_32), rdma-core providers/mlx5/cq.c
 *   (handle_responder()).
 */
#ifndef SEGUE_DETAIL_CQ_PAYLOAD_H
#define SEGUE_DETAIL_CQ_PAYLOAD_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/cq.h"
#include "segue/detail/build.h"
#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

/* The first SGE of the receive that completes, or NULL if none is posted. */
SEGUEI_HOT_FUNCTION const uint8_t *seguei_cq_posted_sge(struct seguei_cq_route route,
							const struct segue_rq *rq,
							uint32_t wqe_counter)
{
	const struct seguei_recv_ring *ring = &rq->ring;
	const struct segue_srq *srq;

	if (SEGUEI_LIKELY(seguei_recv_ci(ring) != ring->pi))
		return ring->base + (size_t)((seguei_recv_ci(ring) & ring->mask) * ring->stride);
	srq = route.page->srq[route.at];
	ring = &srq->ring;
	if (SEGUEI_UNLIKELY(wqe_counter > ring->mask ||
			    srq->next[wqe_counter] != SEGUEI_SRQ_POSTED))
		return NULL;
	return ring->buf + (size_t)(wqe_counter * ring->stride) + SEGUE_SEG_SRQ_NEXT_SIZE;
}

/*
 * Takes the entry, on the fast path, if it is a new good receive with its payload inside, for one
 * buffer. Otherwise returns false, and nothing has changed. @last: from seguei_cq_look_at()
 */
SEGUEI_HOT_FUNCTION bool seguei_cq_take_payload(struct segue_cq *cq, const uint8_t *bytes,
						uint32_t last, struct segue_wc *wc)
{
	const uint32_t fields = segue_be32(last); /* wqe_counter 31:16, op_own 7:0 */
	const uint32_t opcode = fields >> 4 & 0xf,
		       format = (fields & SEGUE_CQE_OP_OWN_FORMAT_MASK) >> 2;
	const uint8_t *data = bytes, *at;
	uint32_t room = SEGUE_CQE64_SIZE / 2;
	struct seguei_cq_route route;
	struct segue_cqe64 cqe;
	struct segue_rq *rq;
	struct segue_seg_data sge;

	if (last & SEGUEI_CQE_OWNER)
		return false;
	if (SEGUEI_UNLIKELY(opcode < SEGUE_CQE_OPCODE_RESP_WR_IMM ||
			    opcode > SEGUE_CQE_OPCODE_RESP_SEND_INV))
		return false;
	seguei_order_memory_loads(); /* nothing of the entry is read before its owner */
	if (format != SEGUE_CQE_FORMAT_INLINE_32) {
		if (SEGUEI_UNLIKELY(format != SEGUE_CQE_FORMAT_INLINE_64 ||
				    cq->entry_size == SEGUE_CQE_SIZE))
			return false;
		data = bytes - SEGUE_CQE_INLINE64_SIZE;
		room = SEGUE_CQE64_SIZE;
	}
	route = seguei_cq_map_find(&cq->queues, bytes + SEGUEI_CQE_QPN);
	if (SEGUE_CHECKED)
		seguei_cq_check_route(route);
	rq = route.page->rq[route.at];
	at = seguei_cq_posted_sge(route, rq, fields >> 16);
	if (SEGUEI_UNLIKELY(!at))
		return false;
	(void)segue_seg_data_unpack(&sge, at);
	(void)segue_cqe64_unpack(&cqe, bytes);
	if (SEGUEI_UNLIKELY(cqe.byte_cnt > room || cqe.byte_cnt > sge.byte_count ||
			    sge.lkey == cq->null_key))
		return false;
	seguei_copy_payload((uint8_t *)(uintptr_t)sge.addr, data, cqe.byte_cnt);
	if (SEGUEI_UNLIKELY(
		    !seguei_rq_retire_plain(rq, &wc->wr_id) &&
		    !seguei_srq_retire_plain(route.page->srq[route.at], fields >> 16, &wc->wr_id)))
		return false; /* impossible, as it is posted */
	wc->context = route.page->context[route.at];
	seguei_cq_parse(bytes, last, false, wc);
	return true;
}

/**
 * segue_cq_poll_payload() - hand new completions to a function, with payload inside as fast as
 * others.
 * @cq: completion queue
 * @max: most completions to hand out in this call, 1 or more
 * @handler: called for each completion, in order. It may post, but not poll this queue
 * @arg: for the handler
 *
 * Otherwise as segue_cq_poll_each(): both are good for the same completions, and a program may
 * change between them. Payload for a receive of several pieces takes the detour. Returns the number
 * of completions handed out, 0 if there was nothing new, or a negative errno with segue_errmsg(),
 * as segue_cq_poll_each().
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_cq_poll_payload(struct segue_cq *cq, int max,
								segue_wc_handler handler, void *arg)
{
	return seguei_cq_poll_with(cq, max, handler, arg, seguei_cq_take_payload);
}

#include "segue/detail/end.h"

#endif
