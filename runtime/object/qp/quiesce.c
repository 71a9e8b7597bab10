/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Brings a queue pair to rest, step by step, and returns every request to its owner once. No
 * function here polls, waits, or reads more than this queue pair, so that others on its completion
 * queues go on. The polling thread calls segue_qp_stop_progress() now and then. The calls that wait
 * are in drain.c.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <string.h>
#include <time.h>

#include "runtime/object/device/device.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "runtime/ring/split.h"
#include "segue/base.h"
#include "segue/gen/segments.h"

/* Interval of queries whether a queue pair in SQD is at rest. */
#define ASK_AGAIN_NS 200000

static bool sends_done(const struct segue_qp *qp)
{
	return !qp->has_sq || qp->sq.any.pi == seguei_sq_retired(&qp->sq.any);
}

bool segue_qp_is_idle(const struct segue_qp *qp)
{
	return sends_done(qp) &&
	       (!qp->has_rq || qp->rq.ring.pi == seguei_recv_retired(&qp->rq.ring));
}

/* ---- what completion queues hold ---- */

static void mark(struct seguei_mark *mark, const struct segue_cq *cq)
{
	mark->from = cq ? seguei_cq_ci(cq) : 0;
	mark->entries = cq ? cq->ring.cqe_cnt : 0;
}

/* True if the completions at the mark have been polled: the ring has gone round, or it is empty. */
static bool passed(const struct seguei_mark *mark, const struct segue_cq *cq)
{
	if (!cq || seguei_cq_ci(cq) - mark->from >= mark->entries)
		return true;
	return !cq->block.left && !seguei_cq_new(cq, seguei_cq_look(cq));
}

void seguei_qp_mark(struct segue_qp *qp)
{
	mark(&qp->stop.send, qp->send_cq);
	mark(&qp->stop.recv, qp->recv_cq);
}

bool seguei_qp_passed(const struct segue_qp *qp)
{
	return passed(&qp->stop.send, qp->send_cq) && passed(&qp->stop.recv, qp->recv_cq);
}

/* ---- unsignaled requests ---- */

static int commit_nop(struct segue_qp *qp)
{
	switch (qp->type) {
	case SEGUE_QP_RC:
		return segue_commit(segue_nop(&qp->sq.rc, 0, SEGUE_SIGNALED));
	case SEGUE_QP_UC:
		return segue_commit(segue_nop(&qp->sq.uc, 0, SEGUE_SIGNALED));
	case SEGUE_QP_UD:
		return segue_commit(segue_nop(&qp->sq.ud, 0, SEGUE_SIGNALED));
	case SEGUE_QP_XRC_INITIATOR:
		return segue_commit(segue_nop(&qp->sq.xrc_initiator, 0, SEGUE_SIGNALED));
	case SEGUE_QP_DCI:
		return segue_commit(segue_nop(&qp->sq.dci, 0, SEGUE_SIGNALED));
	case SEGUE_QP_RAW_PACKET:
		return segue_commit(segue_nop(&qp->sq.raw_packet, 0, SEGUE_SIGNALED));
	default:
		return 0;
	}
}

/* True if requests are in flight, and the last one will not complete by itself. */
static bool tail_is_silent(const struct segue_sq *sq)
{
	struct segue_seg_ctrl ctrl;
	uint32_t at = seguei_sq_ci(sq), next;

	if (at == sq->pi)
		return false;
	while ((next = seguei_sq_behind(sq, seguei_sq_slot_at(sq, at))) != sq->pi)
		at = next;
	(void)segue_seg_ctrl_unpack(&ctrl, seguei_sq_wqe_at(sq, at));
	return ctrl.ce < SEGUE_COMPLETION_MODE_ALWAYS;
}

/*
 * Posts a signaled request after a tail of unsignaled ones. Its completion, good or flushed,
 * retires the tail and is hidden from the program. A ring without room for it has enough signaled
 * requests to make some. A tail is checked once. A managed queue gets none: the request would wait
 * for a SEND_EN, which does not count it.
 */
void seguei_qp_end_tail(struct segue_qp *qp)
{
	struct segue_sq *sq = &qp->sq.any;
	const uint32_t pi = sq->pi;

	if (!qp->has_sq || (qp->cross && qp->cross->managed) || !sq->postable ||
	    (qp->stop.looked && qp->stop.looked_at == sq->pi))
		return;
	seguei_qp_catch_up(qp);
	if (tail_is_silent(sq)) {
		if (commit_nop(qp))
			return;
		/* before its completion can come */
		seguei_sq_slot_at(sq, pi)->next += SEGUEI_SLOT_MARKER;
		seguei_sq_ring_committed(sq);
	}
	qp->stop.looked = true;
	qp->stop.looked_at = sq->pi;
}

/* ---- the way to SQD ---- */

/* Returns 1 while sends are in progress, 0 when they are not, or a negative errno. */
static int draining(struct segue_qp *qp)
{
	struct ibv_qp_attr attr;
	const int ret = seguei_qp_ask_state(qp, &attr); /* returns the error number */

	if (ret)
		return seguei_fail(
			ret, "Queue pair 0x%x cannot be asked whether it has come to rest: %s.",
			qp->object.number, strerror(ret));
	if ((uint32_t)attr.qp_state == qp->state)
		return attr.sq_draining != 0;
	seguei_qp_set_state(qp, (uint32_t)attr.qp_state);
	return seguei_fail(EIO,
			   "Queue pair 0x%x failed on its way to rest and is in %s; explain the "
			   "completion that failed.",
			   qp->object.number, seguei_qp_state_name(qp, qp->state));
}

static uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static int progress_pause(struct segue_qp *qp, bool *there)
{
	struct seguei_stop *stop = &qp->stop;
	const uint64_t now = now_ns();
	int busy;

	if (stop->step == SEGUEI_STOP_BEGUN) {
		if (now < stop->ask_at)
			return 0;
		stop->ask_at = now + ASK_AGAIN_NS;
		busy = draining(qp);
		if (busy)
			return busy < 0 ? busy : 0;
		stop->step = SEGUEI_STOP_LEFT;
		seguei_qp_mark(qp);
	}
	*there = seguei_qp_passed(qp);
	return 0;
}

/* ---- the way to RESET ---- */

struct taking {
	segue_wc_handler handler;
	void *arg;
};

/* Returns a completion that the device did not write. */
static void hand_back(const struct segue_qp *qp, struct segue_wc *wc, const struct taking *taking)
{
	wc->context = qp->context;
	wc->qpn = qp->object.number;
	wc->syndrome = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR;
	taking->handler(wc, taking->arg);
}

static void hand_back_sends(const struct segue_qp *qp, const struct taking *taking)
{
	const struct segue_sq *sq = &qp->sq.any;
	uint32_t at, next;

	for (at = seguei_sq_ci(sq); at != sq->pi; at = next) {
		const struct segue_sq_slot *slot = seguei_sq_slot_at(sq, at);
		struct segue_seg_ctrl ctrl;
		struct segue_wc wc = {0};

		next = seguei_sq_behind(sq, slot);
		if (seguei_sq_is_marker(sq, at))
			continue;
		(void)segue_seg_ctrl_unpack(&ctrl, seguei_sq_wqe_at(sq, at));
		wc.opcode = SEGUE_CQE_OPCODE_REQ_ERR;
		wc.s_wqe_opcode = ctrl.opcode;
		wc.wr_id = slot->wr_id;
		wc.wqe_counter = (uint16_t)at;
		hand_back(qp, &wc, taking);
	}
}

static void hand_back_receives(const struct segue_qp *qp, const struct taking *taking)
{
	const struct seguei_recv_ring *ring = &qp->rq.ring;
	uint32_t at;

	for (at = seguei_recv_ci(ring); at != ring->pi; at++) {
		struct segue_wc wc = {0};

		wc.opcode = SEGUE_CQE_OPCODE_RESP_ERR;
		wc.wr_id = ring->wr_ids[at & ring->mask];
		wc.wqe_counter = (uint16_t)(at & ring->mask);
		hand_back(qp, &wc, taking);
	}
}

/*
 * True if every completion that the device wrote for it has been polled. Receives of a shared queue
 * are not counted.
 */
static bool all_taken(const struct segue_qp *qp)
{
	return (!qp->srq && segue_qp_is_idle(qp)) || seguei_qp_passed(qp);
}

/*
 * Ends the way to RESET: the device has left the rings, and requests in flight will never complete.
 */
static int end_reset(struct segue_qp *qp, const struct taking *taking)
{
	seguei_qp_catch_up(qp);
	qp->stop.handing = true;
	if (qp->has_sq)
		hand_back_sends(qp, taking);
	if (qp->has_rq)
		hand_back_receives(qp, taking);
	qp->stop.handing = false;
	if (!qp->stop.gone)
		return seguei_qp_arrive(qp, SEGUE_QP_STATE_RESET);
	/* Prevents a second return of the same requests. */
	seguei_sq_set_ci(&qp->sq.any, qp->sq.any.pi);
	seguei_recv_set_ci(&qp->rq.ring, qp->rq.ring.pi);
	if (qp->halves) {
		seguei_sq_set_ci(&qp->halves->sq, qp->sq.any.pi);
		seguei_recv_set_ci(&qp->halves->rq.ring, qp->rq.ring.pi);
	}
	return seguei_fail(EIO,
			   "The device of queue pair 0x%x is gone; all its requests have been "
			   "given back, and it can only be closed.",
			   qp->object.number);
}

static int progress_reset(struct segue_qp *qp, const struct taking *taking, bool *there)
{
	const struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
	int ret;

	if (!all_taken(qp))
		return 0;
	if (qp->stop.step == SEGUEI_STOP_BEGUN) {
		ret = seguei_qp_tell_device(qp, &attr, SEGUE_QP_ATTR_STATE);
		if (ret && ret != -EIO)
			return ret;
		/*
		 * Gone or in RESET, the device does not touch it any more. Its last completions are
		 * still to be polled.
		 */
		qp->stop.gone = ret != 0;
		qp->stop.step = SEGUEI_STOP_LEFT;
		seguei_qp_mark(qp);
		if (!all_taken(qp))
			return 0;
	}
	*there = true;
	return end_reset(qp, taking);
}

/* ---- all of them ---- */

/*
 * Some states have no way to ERR, because nothing can be posted there, or the device is in ERR
 * already.
 */
static int to_err(struct segue_qp *qp)
{
	return segue_transition_is_valid(qp->transport, qp->state, SEGUE_QP_STATE_ERR)
		       ? segue_qp_modify_to(qp, SEGUE_QP_STATE_ERR, NULL)
		       : 0;
}

static int begin(struct segue_qp *qp, enum segue_qp_stop how)
{
	switch (how) {
	case SEGUE_QP_STOP_DRAIN:
		if (qp->state != SEGUE_QP_STATE_SQD)
			return 0;
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is in SQD, where requests wait; "
				   "call segue_qp_resume() before it is drained.",
				   qp->object.number);
	case SEGUE_QP_STOP_PAUSE:
		return qp->state == SEGUE_QP_STATE_SQD
			       ? 0
			       : segue_qp_modify_to(qp, SEGUE_QP_STATE_SQD, NULL);
	case SEGUE_QP_STOP_FLUSH:
		return to_err(qp);
	case SEGUE_QP_STOP_RESET:
		/* completions of the device are better than made-up ones */
		(void)to_err(qp);
		return 0;
	default:
		return seguei_fail(
			EINVAL, "Queue pair 0x%x: how is %d, expected one of enum segue_qp_stop.",
			qp->object.number, (int)how);
	}
}

int segue_qp_stop_begin(struct segue_qp *qp, enum segue_qp_stop how)
{
	int ret = seguei_qp_enter_unpolled(qp, "segue_qp_stop_begin()");

	if (!ret)
		ret = begin(qp, how);
	if (ret)
		return ret;
	memset(&qp->stop, 0, sizeof(qp->stop));
	qp->stop.how = how;
	seguei_qp_mark(qp);
	if (qp->has_sq)
		seguei_sq_ring_committed(&qp->sq.any); /* in case the program has not rung it */
	return 0;
}

static int progress(struct segue_qp *qp, const struct taking *taking, bool *there)
{
	switch (qp->stop.how) {
	case SEGUE_QP_STOP_DRAIN:
		*there = sends_done(qp);
		break;
	case SEGUE_QP_STOP_FLUSH:
		*there = segue_qp_is_idle(qp);
		break;
	case SEGUE_QP_STOP_PAUSE:
		return progress_pause(qp, there);
	case SEGUE_QP_STOP_RESET:
		return progress_reset(qp, taking, there);
	default:
		*there = true;
		return 0;
	}
	if (!*there)
		seguei_qp_end_tail(qp);
	return 0;
}

int segue_qp_stop_progress(struct segue_qp *qp, segue_wc_handler handler, void *arg, bool *there)
{
	const struct taking taking = {handler, arg};
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind,
				      "segue_qp_stop_progress()");

	if (!ret)
		ret = seguei_qp_check_unpolled(qp, "segue_qp_stop_progress()");
	if (ret)
		return ret;
	*there = false;
	ret = progress(qp, &taking, there);
	if (ret || *there)
		qp->stop.how = SEGUE_QP_STOP_NONE;
	return ret;
}
