/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Striding receive queues. An entry is a buffer of many strides, and each frame takes as many of
 * them as it needs. A frame that does not fit into the rest of an entry begins in the next one. A
 * filler completion reports the strides that are left.
 */
#include "raw.h"
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/packet/eth.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>

static uint32_t strides_of(const struct softhca_qp *rq)
{
	return 1u << rq->create.mprq.log_strides;
}

/* Reads the list of the open entry, without taking it out of the queue. */
static int open_entry(struct softhca_qp *rq, struct softhca_rwqe *rwqe)
{
	int err;

	if (!rq->mprq.open) {
		err = softhca_rq_take(rq, 0, rwqe);
		if (err)
			return err;
		rq->mprq = (struct softhca_mprq_at){.open = true, .index = rwqe->counter};
		return 0;
	}
	return softhca_rq_read(rq, rq->mprq.index, rwqe);
}

static void complete(struct softhca_qp *rq, struct softhca_rwqe *rwqe, uint64_t bytes,
		     struct softhca_eth_info *info)
{
	const struct softhca_recv_info recv = {
		.kind = SOFTHCA_RECV_SEND, .bytes = bytes, .eth = info};

	info->wqe_id = rq->mprq.index;
	/* The counter of a striding completion is the stride the packet begins in. */
	rwqe->counter = (uint16_t)(rq->mprq.stride + softhca_contrary(SOFTHCA_CONTRARY_STRIDE));
	rq->mprq.stride += info->strides;
	if (rq->mprq.stride == strides_of(rq))
		rq->mprq.open = false;
	softhca_cq_push_recv(rq, rwqe, &recv);
}

static uint64_t strides_for(const struct softhca_qp *rq, uint64_t bytes)
{
	const struct softhca_mprq *m = &rq->create.mprq;

	return (bytes + m->shift + (UINT64_C(1) << m->log_stride) - 1) >> m->log_stride;
}

bool softhca_mprq_room(struct softhca_qp *rq, uint64_t bytes)
{
	const uint64_t need = strides_for(rq, bytes);

	/* A frame that never fits is detected when it is received. */
	if (need > strides_of(rq) || (rq->mprq.open && rq->mprq.stride + need <= strides_of(rq)))
		return true;
	return softhca_rq_avail(rq, 0);
}

int softhca_mprq_receive(struct softhca_qp *rq, const struct softhca_frame *frame,
			 struct softhca_eth_info *info)
{
	const struct softhca_mprq *m = &rq->create.mprq;
	const uint64_t size = UINT64_C(1) << m->log_stride;
	const uint64_t need = strides_for(rq, frame->len);
	struct softhca_rwqe rwqe;
	int err;

	if (need > strides_of(rq))
		return SOFTHCA_LOCAL_LENGTH;
	err = open_entry(rq, &rwqe);
	if (!err && rq->mprq.stride + need > strides_of(rq)) {
		info->filler = !softhca_contrary(SOFTHCA_CONTRARY_FILLER);
		info->strides = strides_of(rq) - rq->mprq.stride;
		complete(rq, &rwqe, 0, info);
		info->filler = false;
		err = open_entry(rq, &rwqe);
	}
	if (err)
		return err == -EAGAIN ? -EAGAIN : SOFTHCA_LOCAL_QP_OP;
	err = softhca_rq_scatter(&rwqe, rq->mprq.stride * size + m->shift, frame->bytes,
				 frame->len);
	if (err) {
		rq->mprq.open = false;
		rwqe.counter = (uint16_t)rq->mprq.stride;
		rwqe.entry = rq->mprq.index;
		rwqe.strides = strides_of(rq) - rq->mprq.stride; /* no longer a filler */
		softhca_cq_push_recv_err(rq, &rwqe, (uint8_t)err, 0);
		return err;
	}
	info->strides = (uint32_t)need;
	complete(rq, &rwqe, frame->len, info);
	return 0;
}
