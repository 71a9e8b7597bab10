/* SPDX-License-Identifier: BSD-2-Clause */
/* Copies payload that came within a completion to the buffers of its request. */
#include "runtime/ring/cq/payload.h"

#include <errno.h>

#include "runtime/ring/cq/map.h"
#include "runtime/ring/split.h"
#include "segue/base.h"
#include "segue/detail/build.h"
#include "segue/gen/segments.h"

/* A run of SGEs in a ring that wraps. */
struct sges {
	const uint8_t *at;
	const uint8_t *start; /* start of the ring */
	const uint8_t *end;
	uint32_t count; /* at most */
	uint32_t null_key;
};

/*
 * Copies data to the buffers of the SGEs, as the device would. Data for the null key is dropped.
 * Returns the number of bytes without room. Source: rdma-core providers/mlx5/qp.c, copy_to_scat().
 */
static uint32_t scatter(struct sges *sges, const uint8_t *data, uint32_t length)
{
	struct segue_seg_data sge;
	uint32_t part;

	for (; sges->count && length; sges->count--) {
		if (sges->at == sges->end)
			sges->at = sges->start;
		(void)segue_seg_data_unpack(&sge, sges->at);
		sges->at += SEGUE_SEG_DATA_SIZE;
		if (sge.lkey == SEGUE_LKEY_INVALID && sge.byte_count == 0)
			break; /* data_end */
		part = sge.byte_count < length ? sge.byte_count : length;
		if (sge.lkey != sges->null_key)
			memcpy((void *)(uintptr_t)sge.addr, data, part);
		data += part;
		length -= part;
	}
	return length;
}

/* A posted receive. */
struct posted {
	const struct seguei_recv_ring *ring;
	uint32_t slot;
	uint32_t skip; /* bytes before its SGEs */
};

static bool find_posted(struct seguei_cq_route route, uint32_t wqe_counter, struct posted *posted)
{
	const struct segue_srq *srq = seguei_srq_behind(route.page->srq[route.at]);
	const struct seguei_recv_ring *own = &route.page->rq[route.at]->ring;

	if (seguei_recv_ci(own) != own->pi) {
		*posted = (struct posted){own, seguei_recv_ci(own) & own->mask, 0};
		return true;
	}
	if (wqe_counter > srq->ring.mask || srq->next[wqe_counter] != SEGUEI_SRQ_POSTED)
		return false;
	*posted = (struct posted){&srq->ring, wqe_counter, SEGUE_SEG_SRQ_NEXT_SIZE};
	return true;
}

static uint32_t scatter_receive(const struct posted *posted, uint32_t null_key, const uint8_t *data,
				uint32_t length)
{
	const uint8_t *start = posted->ring->base + (size_t)posted->slot * posted->ring->stride;
	const uint8_t *end = start + posted->ring->stride;
	struct sges sges = {start + posted->skip, start, end,
			    (posted->ring->stride - posted->skip) / SEGUE_SEG_DATA_SIZE, null_key};

	return scatter(&sges, data, length);
}

/* Bytes of the segment between raddr and the SGEs of an atomic, or 0 for a READ. */
static uint32_t operand_bytes(const struct segue_seg_ctrl *ctrl)
{
	const bool wide = ctrl->opmod == SEGUE_OPMOD_MASKED_ATOMIC_SIZE_8;

	switch (ctrl->opcode) {
	case SEGUE_OPCODE_ATOMIC_CS:
	case SEGUE_OPCODE_ATOMIC_FA:
		return SEGUE_SEG_ATOMIC_SIZE;
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
		return wide ? SEGUE_SEG_MASKED_CAS64_SIZE : SEGUE_SEG_MASKED_CAS32_SIZE;
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return wide ? SEGUE_SEG_MASKED_FA64_SIZE : SEGUE_SEG_MASKED_FA32_SIZE;
	default:
		return 0;
	}
}

static uint32_t scatter_send(const struct segue_sq *sq, uint32_t address_bytes, uint32_t null_key,
			     const struct segue_wc *wc, const uint8_t *data)
{
	const uint8_t *wqe = seguei_sq_wqe_at(sq, wc->wqe_counter);
	struct sges sges = {NULL, sq->ring, seguei_sq_ring_end(sq), 0, null_key};
	struct segue_seg_ctrl ctrl;
	uint32_t before;

	(void)segue_seg_ctrl_unpack(&ctrl, wqe);
	before = SEGUE_SEG_CTRL_SIZE + address_bytes + SEGUE_SEG_RADDR_SIZE + operand_bytes(&ctrl);
	sges.at = wqe + before < sges.end ? wqe + before : wqe + before - (sges.end - sges.start);
	if (ctrl.ds * SEGUEI_UNIT > before)
		sges.count = (ctrl.ds * SEGUEI_UNIT - before) / SEGUE_SEG_DATA_SIZE;
	return scatter(&sges, data, wc->byte_len);
}

int seguei_cq_scatter(const struct segue_cq *cq, const uint8_t *data, uint32_t room,
		      struct segue_wc *wc)
{
	const struct seguei_cq_route route = seguei_cq_find(cq, cq->entry);
	uint32_t rest = wc->byte_len;
	struct posted posted;

	if (!seguei_cq_route_leads(route))
		return SEGUEI_CQ_STRAY;
	if (wc->byte_len > room)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: a CQE of QP 0x%x announces %u bytes of "
				   "payload in its %u.",
				   cq->cqn, wc->qpn, wc->byte_len, room);
	if (wc->opcode == SEGUE_CQE_OPCODE_REQ) {
		if (seguei_cq_route_has_sq(route))
			rest = scatter_send(route.page->sq[route.at],
					    route.page->address_bytes[route.at], cq->null_key, wc,
					    data);
	} else if (find_posted(route, wc->wqe_counter, &posted)) {
		rest = scatter_receive(&posted, cq->null_key, data, wc->byte_len);
	}
	if (rest)
		return seguei_fail(EINVAL,
				   "Completion queue 0x%x: %u of %u bytes of payload in a CQE of "
				   "QP 0x%x have no buffer to go to; "
				   "the CQE belongs to another queue or was read twice.",
				   cq->cqn, rest, wc->byte_len, wc->qpn);
	return 0;
}
