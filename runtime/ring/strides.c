/* SPDX-License-Identifier: BSD-2-Clause */
/* Completions of a striding receive queue, each of which takes strides of the oldest buffer. */
#include "runtime/ring/strides.h"

#include <errno.h>

#include "segue/base.h"

bool seguei_strides_own(const struct segue_cq *cq, const uint8_t *cqe)
{
	/* an error CQE has the opcode at the same offset */
	struct segue_cqe64 fields;

	if (!cq->strides)
		return false;
	(void)segue_cqe64_unpack(&fields, cqe);
	return fields.opcode != SEGUE_CQE_OPCODE_REQ && fields.opcode != SEGUE_CQE_OPCODE_REQ_ERR &&
	       (fields.opcode <= SEGUE_CQE_OPCODE_RESP_SEND_INV ||
		fields.opcode == SEGUE_CQE_OPCODE_RESP_ERR);
}

/* Frees the oldest buffer. The queue is a ring, which consumes its buffers in posting order. */
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

static uint32_t strides_in(uint32_t byte_cnt)
{
	const uint32_t mask = SEGUE_MPRQ_BYTE_CNT_STRIDES_MASK;

	return (byte_cnt & mask) / (mask & (~mask + 1)); /* divides by the mask's lowest bit */
}

/*
 * Consumes strides of the oldest buffer. Returns 1, or a negative errno with a sentence if it has
 * too few.
 */
static int take(const struct segue_cq *cq, uint32_t taken, struct segue_wc *wc)
{
	struct seguei_strides *strides = cq->strides;
	const struct seguei_recv_ring *ring = &strides->mprq.srq.ring;

	if (seguei_recv_ci(ring) == ring->pi || !taken || taken > strides->each - strides->used)
		return nothing_posted(cq, taken);
	strides->used += taken;
	if (strides->used == strides->each) {
		wc->flags |= SEGUE_WC_LAST_STRIDE;
		retire(strides);
	}
	return 1;
}

/*
 * A failed completion gives the number of consumed strides. If that is 0, it has consumed the whole
 * buffer. Source: Linux drivers/net/ethernet/mellanox/mlx5/core/en_rx.c,
 * mlx5e_handle_rx_cqe_mpwrq(); DPDK drivers/net/mlx5/mlx5_rx.c, mlx5_rx_poll_len(); libxlio
 * src/core/dev/cq_mgr_rx_strq.cpp, strq_cqe_to_mem_buff_desc().
 */
static int failed(const struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	uint32_t taken;
	struct segue_err_cqe cqe;

	(void)segue_err_cqe_unpack(&cqe, bytes);
	wc->cqe = bytes;
	wc->qpn = cqe.qpn;
	wc->wqe_counter = cqe.wqe_counter;
	wc->opcode = cqe.opcode;
	wc->syndrome = cqe.syndrome;
	wc->vendor_syndrome = cqe.vendor_err_synd;
	taken = strides_in(cqe.byte_cnt);
	return take(cq, taken ? taken : cq->strides->each - cq->strides->used, wc);
}

int seguei_strides_complete(struct segue_cq *cq, const uint8_t *bytes, struct segue_wc *wc)
{
	const struct seguei_strides *strides = cq->strides;
	const struct seguei_recv_ring *ring = &strides->mprq.srq.ring;
	uint32_t last, taken;

	wc->context = strides->context;
	wc->wr_id = ring->wr_ids[seguei_recv_ci(ring) & ring->mask];
	if (bytes[SEGUEI_CQE_OP_OWN] >> 4 == SEGUE_CQE_OPCODE_RESP_ERR)
		return failed(cq, bytes, wc);
	memcpy(&last, bytes + SEGUEI_CQE_LAST, sizeof(last));
	seguei_cq_parse(bytes, last, false, wc);
	taken = strides_in(wc->byte_len);
	if (wc->byte_len & SEGUE_MPRQ_BYTE_CNT_FILLER)
		wc->flags |= SEGUE_WC_FILLER;
	wc->byte_len = wc->flags & SEGUE_WC_FILLER ? 0
						   : wc->byte_len & SEGUE_MPRQ_BYTE_CNT_LENGTH_MASK;
	return take(cq, taken, wc);
}
