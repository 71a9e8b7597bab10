/* SPDX-License-Identifier: BSD-2-Clause */
/* Send queues that are lent to lanes of a GPU. Owns nothing: memory stays the queue pair's. */
#define _GNU_SOURCE
#include "segue/gpu/lend.h"

#include <errno.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"

static const char LENT[] = "is lent to lanes; when the last one has ended, call "
			   "segue_qp_take_back()";

static bool is_lent(const struct segue_qp *qp)
{
	return qp->has_sq && qp->sq.any.barred == LENT;
}

static int refuse(const struct segue_qp *qp, int err, const char *why)
{
	return seguei_fail(err, "segue_qp_lend(): queue pair 0x%x %s.", qp->object.number, why);
}

static int check_sends(const struct segue_qp *qp)
{
	const struct segue_sq *sq = &qp->sq.any;

	if (!qp->has_sq || (qp->cross && qp->cross->managed))
		return refuse(qp, EINVAL, "has no send queue, or one without a doorbell");
	if (qp->halves || sq->half)
		return refuse(qp, EINVAL,
			      qp->halves ? "is split between two threads; open it without split"
					 : "has the doorbell register of a thread, which copies to "
					   "it; open it without td or own_register");
	if (!seguei_qp_takes_sends(qp))
		return refuse(qp, EINVAL,
			      "is in a state that takes no sends; move it to RTS first");
	if (!seguei_sq_is_idle(sq))
		return seguei_fail(EBUSY,
				   "segue_qp_lend(): queue pair 0x%x has %u blocks of 64 bytes "
				   "committed or in flight; call segue_qp_drain() first.",
				   qp->object.number, sq->pi - seguei_sq_ci(sq));
	return 0;
}

static int check_completions(const struct segue_qp *qp)
{
	const struct seguei_cq_object *object = seguei_cq_object_of(qp->send_cq);
	const struct seguei_cq_ring *ring = &qp->send_cq->ring;
	const uint32_t blocks = qp->sq.any.mask + 1;

	if (object->object.users > 1 || (qp->recv_cq == qp->send_cq && (qp->has_rq || qp->srq)))
		return refuse(qp, EINVAL,
			      "shares its completion queue with other queue pairs or with "
			      "receives; open one for its sends alone");
	if (object->compresses)
		return refuse(qp, EINVAL,
			      "has a completion queue that compresses, and lanes read whole "
			      "entries; open one without compress");
	if (object->collapsed)
		return 0;
	if (ring->cqe_cnt < blocks)
		return seguei_fail(
			EINVAL,
			"segue_qp_lend(): completion queue 0x%x has a ring of %u entries, "
			"expected one for each of the %u blocks of queue pair 0x%x; open "
			"it with %u entries, or collapsed.",
			qp->send_cq->cqn, ring->cqe_cnt, blocks, qp->object.number, blocks);
	if (seguei_cq_ring_is_new(ring, seguei_cq_ci(qp->send_cq)))
		return seguei_fail(EBUSY,
				   "segue_qp_lend(): completion queue 0x%x has completions that "
				   "were not polled; poll until it is empty.",
				   qp->send_cq->cqn);
	return 0;
}

/* Marks the one entry of a collapsed queue as never written by the device. */
static void clear_collapsed(const struct seguei_cq_object *cq)
{
	if (cq->collapsed)
		seguei_cq_ring_make_old(&cq->cq.ring, 0);
}

static void describe(const struct segue_qp *qp, struct segue_gpu_queue *queue)
{
	const struct seguei_cq_object *object = seguei_cq_object_of(qp->send_cq);
	const struct segue_sq *sq = &qp->sq.any;
	const struct segue_cq *cq = qp->send_cq;

	memset(queue, 0, sizeof(*queue));
	queue->ring = sq->ring;
	queue->record = sq->dbrec;
	if (qp->cross) {
		queue->ring += qp->cross->devx.lanes;
		queue->record += qp->cross->devx.lanes / (ptrdiff_t)sizeof(*queue->record);
	}
	queue->reg = (volatile uint64_t *)sq->reg;
	queue->entries = cq->ring.buf + object->devx.lanes;
	queue->entry_record = object->overrun_ignored ? NULL : &cq->dbrec[SEGUE_CQ_DBREC_SET_CI];
	queue->blocks = sq->mask + 1;
	queue->entry_count = object->collapsed ? 0 : cq->ring.cqe_cnt;
	queue->entry_size = cq->ring.entry_size;
	queue->first = sq->pi;
	queue->consumed = seguei_cq_ci(cq);
	queue->qpn = sq->qpn;
}

int segue_qp_lend(struct segue_qp *qp, struct segue_gpu_queue *queue)
{
	struct segue_gpu_queue lent;
	int ret = seguei_qp_enter_unpolled(qp, "segue_qp_lend()");

	if (!ret)
		ret = check_sends(qp);
	if (!ret)
		ret = check_completions(qp);
	if (ret)
		return ret;
	describe(qp, &lent);
	if (segue_gpu_init(&lent))
		return refuse(qp, EINVAL, "has a ring or a completion queue that lanes cannot use");
	clear_collapsed(seguei_cq_object_of(qp->send_cq));
	seguei_qp_bar_sends(qp, LENT);
	seguei_cq_bar(qp->send_cq, LENT);
	*queue = lent;
	return 0;
}

/* Refuses if blocks are published and in flight, or reserved and not published. */
static int check_ended(const struct segue_qp *qp, const struct segue_gpu_queue *queue)
{
	const char *what = "published and are in flight; let a lane call segue_gpu_quiet()";
	uint64_t left = queue->ready - queue->done;

	if (queue->error)
		return 0;
	if (queue->reserved != queue->ready) {
		what = "reserved and not published; let each lane end that has reserved some";
		left = queue->reserved - queue->ready;
	}
	return left ? seguei_fail(EBUSY,
				  "segue_qp_take_back(): of queue pair 0x%x, %llu blocks of 64 "
				  "bytes were %s.",
				  qp->object.number, (unsigned long long)left, what)
		    : 0;
}

/*
 * Steps over flushed entries. No call waits for them: their queue pair is reset next. Returns the
 * counter after the device's last entry, also if `ci` is laps behind because lanes wrote no record.
 */
static uint32_t skip(const struct segue_cq *cq, uint32_t ci)
{
	const uint32_t end = ci + 2 * cq->ring.cqe_cnt;
	uint32_t at;

	for (at = ci; at != end; at++)
		if (seguei_cq_ring_is_new(&cq->ring, at - 1) &&
		    !seguei_cq_ring_is_new(&cq->ring, at))
			return at;
	return ci;
}

/* The index after the last request that was rung, from the doorbell record. */
static uint32_t told(const struct segue_sq *sq)
{
	return sq->pi + ((segue_be32(*sq->dbrec) - sq->pi) & SEGUEI_CONTROL_INDEX_MAX);
}

int segue_qp_take_back(struct segue_qp *qp, const struct segue_gpu_queue *queue)
{
	const bool failed = !queue || queue->error;
	struct seguei_cq_object *object;
	uint32_t index, ci;
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
				      "segue_qp_take_back()");

	if (!ret && !is_lent(qp))
		ret = seguei_fail(EINVAL, "segue_qp_take_back(): queue pair 0x%x is not lent.",
				  qp->object.number);
	if (!ret && queue)
		ret = check_ended(qp, queue);
	if (!ret && failed)
		ret = seguei_qp_fail(qp);
	if (ret && ret != -EIO) /* if the device is gone, ERR is not needed */
		return ret;
	object = seguei_cq_object_of(qp->send_cq);
	index = queue ? (uint32_t)queue->told : told(&qp->sq.any);
	ci = queue ? (uint32_t)queue->consumed
		   : segue_be32(qp->send_cq->dbrec[SEGUE_CQ_DBREC_SET_CI]);
	seguei_sq_restart(&qp->sq.any, index);
	clear_collapsed(object);
	seguei_cq_unbar(qp->send_cq, object->collapsed ? 0 : failed ? skip(qp->send_cq, ci) : ci);
	seguei_qp_bar_sends(qp, NULL);
	return 0;
}
