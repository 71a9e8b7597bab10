/* SPDX-License-Identifier: BSD-2-Clause */
/* Bringing a queue pair to rest: drain, pause, flush, reset. Every request comes back to its owner once. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <time.h>

#include "runtime/object/device.h"
#include "runtime/object/qp.h"
#include "segue/build.h"
#include "segue/errmsg.h"
#include "segue/gen/segments.h"

/* How many completions are taken before the clock is looked at. */
#define BATCH 64

/* What a flush that follows a drain may take. The device only has to write completions, so this is long. */
#define FLUSH_MS 10000

/* How often a queue pair in SQD is asked whether it has come to rest. */
#define ASK_AGAIN_NS 200000

struct taking {
	segue_wc_handler *handler;
	void *arg;
};

static bool sends_done(const struct segue_qp *qp)
{
	return !qp->has_sq || qp->sq.any.pi == qp->sq.any.ci;
}

bool segue_qp_idle(const struct segue_qp *qp)
{
	return sends_done(qp) && (!qp->has_rq || qp->rq.ring.pi == qp->rq.ring.ci);
}

/* Takes what its completion queues hold: how many there were, or a negative errno. */
static int poll_queues(struct segue_qp *qp, const struct taking *taking)
{
	int taken = 0, more = 0;

	if (qp->send_cq)
		taken = segue_cq_poll(qp->send_cq, BATCH, taking->handler, taking->arg);
	if (taken >= 0 && qp->recv_cq && qp->recv_cq != qp->send_cq)
		more = segue_cq_poll(qp->recv_cq, BATCH, taking->handler, taking->arg);
	return taken < 0 ? taken : (more < 0 ? more : taken + more);
}

static int post_nop(struct segue_qp *qp)
{
	switch (qp->type) {
	case SEGUE_QP_RC:
		return segue_post(segue_nop(&qp->sq.rc, 0, SEGUE_SIGNALED));
	case SEGUE_QP_UC:
		return segue_post(segue_nop(&qp->sq.uc, 0, SEGUE_SIGNALED));
	case SEGUE_QP_UD:
		return segue_post(segue_nop(&qp->sq.ud, 0, SEGUE_SIGNALED));
	case SEGUE_QP_XRC_INITIATOR:
		return segue_post(segue_nop(&qp->sq.xrc_initiator, 0, SEGUE_SIGNALED));
	case SEGUE_QP_DCI:
		return segue_post(segue_nop(&qp->sq.dci, 0, SEGUE_SIGNALED));
	case SEGUE_QP_RAW_PACKET:
		return segue_post(segue_nop(&qp->sq.raw_packet, 0, SEGUE_SIGNALED));
	default:
		return 0;
	}
}

/* True if there are requests in flight and the last one will not complete by itself. */
static bool tail_is_silent(const struct segue_sq *sq)
{
	struct segue_seg_ctrl ctrl;
	uint32_t at = sq->ci, next;

	if (at == sq->pi)
		return false;
	while ((next = seguei_sq_behind(sq, &sq->slots[at & sq->mask])) != sq->pi)
		at = next;
	(void)segue_seg_ctrl_unpack(&ctrl, sq->buf + (size_t)(at & sq->mask) * SEGUEI_BLOCK);
	return ctrl.ce < SEGUE_COMPLETION_MODE_ALWAYS;
}

/*
 * Behind a tail of requests that do not signal, posts one that does, for nobody but us: its completion, good or flushed, retires the
 * tail. A ring with no room for it has enough signalled work in it to make some.
 */
static void post_marker(struct segue_qp *qp)
{
	struct segue_sq *sq = &qp->sq.any;
	const uint32_t slot = sq->pi & sq->mask;

	if (!qp->has_sq || !sq->room || !tail_is_silent(sq))
		return;
	if (post_nop(qp))
		return;
	sq->slots[slot].next ^= SEGUEI_SLOT_FORCED;
	sq->slots[slot].marker = SEGUEI_SLOT_MARKER;
}

static int timed_out(const struct segue_qp *qp)
{
	return seguei_fail(ETIMEDOUT, "Queue pair 0x%x has %u blocks of sends and %u receives in flight at the deadline.",
			   qp->object.number, qp->has_sq ? qp->sq.any.pi - qp->sq.any.ci : 0,
			   qp->has_rq ? qp->rq.ring.pi - qp->rq.ring.ci : 0);
}

/* Polls until `done`. */
static int poll_until(struct segue_qp *qp, bool (*done)(const struct segue_qp *), segue_deadline deadline,
		      const struct taking *taking)
{
	if (qp->has_sq)
		seguei_sq_ring_committed(&qp->sq.any); /* in case nobody has */
	while (!done(qp)) {
		const bool late = segue_deadline_left_ms(deadline) == 0;
		int taken;

		post_marker(qp);
		taken = poll_queues(qp, taking);
		if (taken < 0)
			return taken;
		if (late && !taken && !done(qp))
			return timed_out(qp);
	}
	return 0;
}

static int check_drain(struct segue_qp *qp, const char *call)
{
	const int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, call);

	if (ret)
		return ret;
	if (qp->state == SEGUE_QP_STATE_SQD)
		return seguei_fail(EINVAL, "Queue pair 0x%x is in SQD, where requests wait; segue_qp_resume() it before %s.",
				   qp->object.number, call);
	return 0;
}

int segue_qp_drain(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler *handler, void *arg)
{
	const struct taking taking = {handler, arg};
	const int ret = check_drain(qp, "segue_qp_drain()");

	return ret ? ret : poll_until(qp, sends_done, deadline, &taking);
}

int segue_qp_flush(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler *handler, void *arg)
{
	const struct taking taking = {handler, arg};
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, "segue_qp_flush()");

	if (ret)
		return ret;
	/* Some states have no way to ERR: nothing can have been posted there, or the device is in ERR already. */
	if (segue_transition_valid(qp->transport, qp->state, SEGUE_QP_STATE_ERR))
		ret = segue_qp_to(qp, SEGUE_QP_STATE_ERR, NULL);
	return ret ? ret : poll_until(qp, segue_qp_idle, deadline, &taking);
}

int segue_qp_drain_or_flush(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler *handler, void *arg)
{
	int ret = segue_qp_drain(qp, deadline, handler, arg);

	if (ret != -ETIMEDOUT)
		return ret;
	ret = segue_qp_flush(qp, segue_deadline_in_ms(FLUSH_MS), handler, arg);
	if (ret == -ETIMEDOUT) /* its completions are lost, or never come */
		ret = segue_qp_reset(qp, handler, arg);
	return ret ? ret : 1;
}

/* 1 while sends are under way, 0 when not, or a negative errno. */
static int draining(struct segue_qp *qp)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	const int ret = ibv_query_qp(qp->qp, &attr, IBV_QP_STATE, &init); /* returns the error number */

	if (ret)
		return seguei_fail(ret, "Queue pair 0x%x cannot be asked whether it has come to rest: %s.", qp->object.number,
				   strerror(ret));
	if ((uint32_t)attr.qp_state == qp->state)
		return attr.sq_draining != 0;
	seguei_qp_set_state(qp, (uint32_t)attr.qp_state);
	return seguei_fail(EIO, "Queue pair 0x%x failed on its way to rest and is in %s; explain the completion that failed.",
			   qp->object.number, seguei_qp_state_name(qp, qp->state));
}

int segue_qp_pause(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler *handler, void *arg)
{
	const struct timespec moment = {.tv_sec = 0, .tv_nsec = ASK_AGAIN_NS};
	const struct taking taking = {handler, arg};
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, "segue_qp_pause()");

	if (!ret && qp->state != SEGUE_QP_STATE_SQD)
		ret = segue_qp_to(qp, SEGUE_QP_STATE_SQD, NULL);
	if (ret)
		return ret;
	for (;;) {
		const bool late = segue_deadline_left_ms(deadline) == 0;
		const int busy = draining(qp);
		const int taken = poll_queues(qp, &taking);

		if (busy < 0 || taken < 0)
			return busy < 0 ? busy : taken;
		if (!busy && !taken)
			return 0;
		if (late && busy)
			return timed_out(qp);
		if (!taken)
			(void)ppoll(NULL, 0, &moment, NULL);
	}
}

int segue_qp_resume(struct segue_qp *qp)
{
	const int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, "segue_qp_resume()");

	if (ret)
		return ret;
	if (qp->state != SEGUE_QP_STATE_SQD && qp->state != SEGUE_QP_STATE_SQE)
		return seguei_fail(EINVAL, "Queue pair 0x%x is in %s; segue_qp_resume() leads from SQD or SQE back to RTS.",
				   qp->object.number, seguei_qp_state_name(qp, qp->state));
	return segue_qp_to(qp, SEGUE_QP_STATE_RTS, NULL);
}

/* A completion that the device did not write. */
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

	for (at = sq->ci; at != sq->pi; at = next) {
		const struct segue_sq_slot *slot = &sq->slots[at & sq->mask];
		struct segue_seg_ctrl ctrl;
		struct segue_wc wc;

		next = seguei_sq_behind(sq, slot);
		if (seguei_sq_is_marker(sq, at))
			continue;
		memset(&wc, 0, sizeof(wc));
		(void)segue_seg_ctrl_unpack(&ctrl, sq->buf + (size_t)(at & sq->mask) * SEGUEI_BLOCK);
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

	for (at = ring->ci; at != ring->pi; at++) {
		struct segue_wc wc;

		memset(&wc, 0, sizeof(wc));
		wc.opcode = SEGUE_CQE_OPCODE_RESP_ERR;
		wc.wr_id = ring->wr_ids[at & ring->mask];
		wc.wqe_counter = (uint16_t)(at & ring->mask);
		hand_back(qp, &wc, taking);
	}
}

int segue_qp_reset(struct segue_qp *qp, segue_wc_handler *handler, void *arg)
{
	const struct taking taking = {handler, arg};
	const struct ibv_qp_attr attr = {.qp_state = IBV_QPS_RESET};
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, "segue_qp_reset()");

	if (ret)
		return ret;
	/* What the device does report is better than what can be guessed. */
	if (segue_transition_valid(qp->transport, qp->state, SEGUE_QP_STATE_ERR))
		(void)segue_qp_to(qp, SEGUE_QP_STATE_ERR, NULL);
	while (poll_queues(qp, &taking) > 0)
		;
	ret = seguei_qp_tell_device(qp, &attr, SEGUE_QP_ATTR_STATE);
	if (ret && ret != -EIO)
		return ret;
	/* Gone or in RESET, the device touches nothing of it any more. */
	while (poll_queues(qp, &taking) > 0)
		;
	if (qp->has_sq)
		hand_back_sends(qp, &taking);
	if (qp->has_rq)
		hand_back_receives(qp, &taking);
	if (!ret)
		return seguei_qp_arrive(qp, SEGUE_QP_STATE_RESET);
	/* So that nobody hands them back twice. */
	qp->sq.any.ci = qp->sq.any.pi;
	qp->rq.ring.ci = qp->rq.ring.pi;
	return ret;
}

int segue_qp_reset_stream(struct segue_qp *qp, uint16_t stream)
{
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, "segue_qp_reset_stream()");

	if (ret)
		return ret;
	if (!qp->streams)
		return seguei_fail(EINVAL, "Queue pair 0x%x has no stream %u: it was opened without streams (dci_log_streams).",
				   qp->object.number, stream);
	if (stream >= qp->streams)
		return seguei_fail(EINVAL, "Queue pair 0x%x has no stream %u, expected less than %u (see dci_log_streams).",
				   qp->object.number, stream, qp->streams);
	ret = mlx5dv_dci_stream_id_reset(qp->qp, stream); /* returns the error number */
	return ret ? seguei_fail(ret, "Stream %u of queue pair 0x%x is not reset: %s; only one that has failed, in RTS, can be.", stream,
				 qp->object.number, strerror(ret))
		   : 0;
}
