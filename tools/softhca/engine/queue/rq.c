/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive queues: taking entries, scattering into them, flushing. */
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

/* Entries posted and not taken, according to the doorbell record. */
static uint32_t rq_posted(struct softhca_qp *qp)
{
	struct softhca_rq *rq = &qp->rq;
	uint32_t raw, posted;

	if (!rq->wqes || softhca_copy_in(&raw, rq->db_va, sizeof(raw)))
		return 0;
	rq->seen_pi = (uint16_t)be32toh(raw);
	posted = (uint16_t)(rq->seen_pi - rq->ci);
	if (posted > rq->wqes) {
		softhca_referee(
			qp, SOFTHCA_RULE_RQ_FULL,
			"%u receives are posted to a queue of %u entries: some were overwritten",
			posted, rq->wqes);
		return rq->wqes;
	}
	return posted;
}

/* Collects the data segments of one entry. The list ends at the invalid key or with the entry. */
int softhca_rwqe_parse(struct softhca_rwqe *rwqe, const uint8_t *raw, size_t size)
{
	struct mlx5_wqe_data_seg seg;

	rwqe->nspans = 0;
	rwqe->length = 0;
	for (size_t at = 0; at + sizeof(seg) <= size && rwqe->nspans < 32; at += sizeof(seg)) {
		struct softhca_span *span = &rwqe->span[rwqe->nspans];

		memcpy(&seg, raw + at, sizeof(seg));
		if (be32toh(seg.lkey) == MLX5_INVALID_LKEY && !seg.byte_count)
			break;
		if (be32toh(seg.byte_count) & MLX5_INLINE_SEG) {
			rwqe->length = 0;
			return -EINVAL;
		}
		if (!seg.byte_count)
			continue;
		span->va = be64toh(seg.addr);
		span->len = be32toh(seg.byte_count);
		span->lkey = be32toh(seg.lkey);
		rwqe->length += span->len;
		rwqe->nspans++;
	}
	return 0;
}

/* The SRQ that an XRC packet names must be of the target's domain. */
static struct softhca_srq *xrc_srq(struct softhca_qp *qp, uint32_t srqn)
{
	struct softhca_srq *srq = softhca_srq_find(qp->dev, srqn);

	if (!srq || srq->attr.type != IBV_SRQT_XRC || srq->xrcd != qp->xrcd)
		return NULL;
	return srq;
}

bool softhca_rq_avail(struct softhca_qp *qp, uint32_t xrc_srqn)
{
	struct softhca_srq *srq = xrc_srqn ? xrc_srq(qp, xrc_srqn) : qp->srq;

	if (xrc_srqn && !srq)
		return true; /* not for lack of a receive: take() reports the fault */
	return srq ? softhca_srq_posted(srq) != 0 : rq_posted(qp) != 0;
}

int softhca_rq_take(struct softhca_qp *qp, uint32_t xrc_srqn, struct softhca_rwqe *rwqe)
{
	struct softhca_srq *srq = xrc_srqn ? xrc_srq(qp, xrc_srqn) : qp->srq;
	struct softhca_rq *rq = &qp->rq;
	int err;

	rwqe->qp = qp;
	rwqe->srq = srq;
	rwqe->only = rwqe->last = rwqe->in_cqe = false;
	rwqe->inline_len = 0;
	memset(&rwqe->tm, 0, sizeof(rwqe->tm));
	if (xrc_srqn && !srq)
		return softhca_fail(-EINVAL, "0x%x is no XRC SRQ of the domain of QP 0x%x",
				    xrc_srqn, qp->qpn);
	if (srq)
		return softhca_srq_take(srq, rwqe);
	if (!rq_posted(qp))
		return -EAGAIN;
	err = softhca_rq_read(qp, rq->ci, rwqe);
	if (!err)
		rq->ci++;
	return err;
}

void softhca_rq_give_back(struct softhca_qp *qp, const struct softhca_rwqe *rwqe)
{
	if (rwqe->srq)
		softhca_srq_give_back(rwqe->srq, rwqe);
	else
		qp->rq.ci--;
}

int softhca_rq_read(struct softhca_qp *qp, uint16_t counter, struct softhca_rwqe *rwqe)
{
	struct softhca_rq *rq = &qp->rq;
	/* Entries of a striding queue begin like those of an SRQ. */
	size_t skip = (qp->create.rq_signature ? 16 : 0) + (qp->create.mprq.log_strides ? 16 : 0);
	uint8_t raw[512];
	size_t size = rq->stride < sizeof(raw) ? rq->stride : sizeof(raw);

	rwqe->qp = qp;
	rwqe->srq = NULL;
	rwqe->only = rwqe->last = rwqe->in_cqe = false;
	rwqe->inline_len = 0;
	memset(&rwqe->tm, 0, sizeof(rwqe->tm));
	rwqe->counter = counter;
	if (softhca_copy_in(raw, rq->va + (uint64_t)(counter & (rq->wqes - 1)) * rq->stride, size))
		return softhca_fail(-EINVAL, "the receive queue of QP 0x%x is not mapped", qp->qpn);
	if (size < skip)
		skip = size;
	if (softhca_rwqe_parse(rwqe, raw + skip, size - skip)) {
		qp->about = SOFTHCA_ABOUT_RECV;
		qp->about_index = rwqe->counter;
		qp->about_srq = NULL;
		softhca_referee(
			qp, SOFTHCA_RULE_SEGMENT,
			"receive entry %u holds an inline segment; only data segments are allowed",
			rwqe->counter);
		qp->about = SOFTHCA_ABOUT_NOTHING;
	} else {
		softhca_judge_recv(qp, counter, (unsigned)size, raw);
	}
	return 0;
}

/* Small messages may be inside the CQE, if the driver asked for it at creation. */
static bool goes_inline(const struct softhca_rwqe *rwqe, uint64_t offset, size_t len)
{
	const struct softhca_qp *qp = rwqe->qp;
	const struct softhca_cq *cq = rwqe->srq && rwqe->srq->cq ? rwqe->srq->cq : qp->recv_cq;

	if (!rwqe->only || rwqe->tm.matched || offset || !len || !qp->create.scatter_cqe || !cq ||
	    qp->type == SOFTHCA_QP_UD)
		return false;
	return len <= (cq->attr.cqe_size == 128 && qp->create.scatter_bytes >= 64 ? 64 : 32);
}

int softhca_rq_scatter(struct softhca_rwqe *rwqe, uint64_t offset, const void *data, size_t len)
{
	const struct softhca_access a = {
		.dev = rwqe->qp->dev,
		.pd = rwqe->srq ? rwqe->srq->pd : rwqe->qp->pd,
		.qp = rwqe->qp,
		.right = SOFTHCA_LOCAL_WRITE,
	};
	const uint8_t *from = data;
	int syndrome = SOFTHCA_OK;

	if (offset > rwqe->length || len > rwqe->length - offset)
		return SOFTHCA_LOCAL_LENGTH;
	if (goes_inline(rwqe, offset, len)) {
		memcpy(rwqe->inline_data, data, len);
		rwqe->inline_len = (uint8_t)len;
		rwqe->in_cqe = true;
		return SOFTHCA_OK;
	}
	/* A tagged buffer is not an entry of a ring. */
	rwqe->qp->about = rwqe->tm.matched ? SOFTHCA_ABOUT_NOTHING : SOFTHCA_ABOUT_RECV;
	rwqe->qp->about_index = rwqe->counter;
	rwqe->qp->about_srq = rwqe->srq;
	if (rwqe->last && a.dev->offload_keys)
		syndrome = softhca_spans_whole(&a, rwqe->span, rwqe->nspans, offset + len);
	if (!syndrome)
		syndrome = softhca_spans_copy(
			&a, rwqe->span, rwqe->nspans,
			&(struct softhca_range){.offset = offset, .len = len, .src = from});
	rwqe->qp->about = SOFTHCA_ABOUT_NOTHING;
	return syndrome;
}

void softhca_rq_flush(struct softhca_qp *qp)
{
	struct softhca_rwqe rwqe = {.qp = qp};

	if (qp->srq)
		return;
	qp->mprq.open = false;
	if (qp->create.mprq.log_strides)
		rwqe.strides = 1u << qp->create.mprq.log_strides;
	for (uint32_t n = rq_posted(qp); n; n--) {
		rwqe.entry = qp->rq.ci++;
		rwqe.counter = rwqe.strides ? 0 : rwqe.entry;
		softhca_cq_push_recv_err(qp, &rwqe, SOFTHCA_FLUSH, SOFTHCA_VENDOR_FLUSH);
	}
}

void softhca_rq_flush_late(struct softhca_dev *dev)
{
	struct softhca_qp *qp;
	uint32_t num = 0;

	while ((qp = softhca_table_iter(&dev->qps, &num)))
		if (qp->state == IBV_QPS_ERR)
			softhca_rq_flush(qp);
}

void softhca_rq_reset(struct softhca_qp *qp)
{
	qp->rq.ci = qp->rq.seen_pi = 0;
	qp->mprq.open = false;
}
