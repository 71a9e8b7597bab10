/* SPDX-License-Identifier: BSD-2-Clause */
#include "runtime/ring/strides.h"

#include <errno.h>

#include "segue/errmsg.h"

bool seguei_strides_own(const struct segue_cq *cq, const uint8_t *cqe)
{
	/* one that tells of an error has the opcode at the same place */
	struct segue_cqe64 fields;

	if (!cq->strides)
		return false;
	(void)segue_cqe64_unpack(&fields, cqe);
	return fields.opcode != SEGUE_CQE_OPCODE_REQ && fields.opcode != SEGUE_CQE_OPCODE_REQ_ERR &&
	       (fields.opcode <= SEGUE_CQE_OPCODE_RESP_SEND_INV ||
		fields.opcode == SEGUE_CQE_OPCODE_RESP_ERR);
}

/*
 * The oldest buffer goes back: the queue is a ring, whose buffers are used in the order in which
 * they were posted.
 */
static void retire(struct seguei_strides *strides)
{
	struct segue_srq *list = &strides->mprq.srq;
	uint64_t wr_id;

	(void)seguei_srq_retire_plain(list, seguei_recv_ci(&list->ring) & list->ring.mask, &wr_id);
	strides->used = 0;
}

static int nothing_posted(const struct segue_cq *cq, uint32_t strides)
{
	return seguei_fail(EINVAL,
			   "Completion queue 0x%x: a frame took %u strides of a striding receive "
			   "queue, but %u of %u are left of the oldest buffer; the "
			   "completion belongs to another queue or was read twice.",
			   cq->cqn, strides, cq->strides->each - cq->strides->used,
			   cq->strides->each);
}

static void failed(const uint8_t *bytes, struct segue_wc *wc)
{
	struct segue_err_cqe cqe;

	(void)segue_err_cqe_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->wqe_counter = cqe.wqe_counter;
	wc->opcode = cqe.opcode;
	wc->syndrome = cqe.syndrome;
	wc->vendor_syndrome = cqe.vendor_err_synd;
}

int seguei_strides_complete(struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	struct seguei_strides *strides = cq->strides;
	const struct seguei_recv_ring *ring = &strides->mprq.srq.ring;
	const uint32_t mask = SEGUE_MPRQ_BYTE_CNT_STRIDES_MASK;
	uint32_t last, taken;

	wc->context = strides->context;
	wc->wr_id = ring->wr_ids[seguei_recv_ci(ring) & ring->mask];
	if (bytes[SEGUEI_CQE_OP_OWN] >> 4 == SEGUE_CQE_OPCODE_RESP_ERR) {
		failed(bytes, wc);
		if (seguei_recv_ci(ring) == ring->pi)
			return nothing_posted(cq, 0);
		retire(strides);
		return 1;
	}
	memcpy(&last, bytes + SEGUEI_CQE_LAST, sizeof(last));
	seguei_cq_parse(bytes, last, false, wc);
	taken = (wc->byte_len & mask) / (mask & (~mask + 1)); /* by its lowest bit */
	if (seguei_recv_ci(ring) == ring->pi || !taken || taken > strides->each - strides->used)
		return nothing_posted(cq, taken);
	if (wc->byte_len & SEGUE_MPRQ_BYTE_CNT_FILLER)
		wc->flags |= SEGUE_WC_FILLER;
	wc->byte_len = wc->flags & SEGUE_WC_FILLER ? 0
						   : wc->byte_len & SEGUE_MPRQ_BYTE_CNT_LENGTH_MASK;
	strides->used += taken;
	if (strides->used == strides->each) {
		wc->flags |= SEGUE_WC_LAST_STRIDE;
		retire(strides);
	}
	return 1;
}
