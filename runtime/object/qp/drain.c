/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Calls that wait until a queue pair is at rest. They poll between the steps of quiesce.c.
 *
 * After unsignaled requests, drains and flushes post a NOP. Its completion is hidden from the
 * program. Otherwise requests that completed without a CQE would stay in flight forever.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <time.h>

#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "segue/base.h"

/* Completions polled between two reads of the clock. */
#define BATCH 64

/*
 * Time limit of a flush that follows a drain. The device only has to write completions, so it is
 * long.
 */
#define FLUSH_MS 10000

/* rnr_retry without a limit. Source: ibv_modify_qp(3). */
#define RNR_FOR_EVER 7

/* Sleep of a call that waits for the device with nothing to poll. */
#define MOMENT_NS 200000

/* Polls its completion queues. Returns the number of completions, or a negative errno. */
static int poll_queues(struct segue_qp *qp, segue_wc_handler handler, void *arg)
{
	int taken = 0, more = 0;

	if (qp->send_cq)
		taken = segue_cq_poll_each(qp->send_cq, BATCH, handler, arg);
	if (taken >= 0 && qp->recv_cq && qp->recv_cq != qp->send_cq)
		more = segue_cq_poll_each(qp->recv_cq, BATCH, handler, arg);
	return taken < 0 ? taken : (more < 0 ? more : taken + more);
}

static int timed_out(const struct segue_qp *qp)
{
	char peer[SEGUEI_PEER_TEXT];

	seguei_qp_peer_text(qp, peer, sizeof(peer));
	return seguei_fail(
		ETIMEDOUT,
		"Queue pair 0x%x has %u blocks of sends and %u receives in flight at "
		"the deadline.%s%s%s%s",
		qp->object.number, qp->has_sq ? qp->sq.any.pi - seguei_sq_ci(&qp->sq.any) : 0,
		qp->has_rq ? qp->rq.ring.pi - seguei_recv_ci(&qp->rq.ring) : 0,
		peer[0] ? " Its peer is " : "", peer, peer[0] ? "." : "",
		qp->peer.qpn && qp->peer.rnr_retry == RNR_FOR_EVER &&
				qp->state == SEGUE_QP_STATE_RTS
			? " With rnr_retry 7 sends wait for ever, without an error, for a peer "
			  "that posts no receives; check that it does, or read its port's counter "
			  "out_of_buffer and this one's rnr_nak_retry_err "
			  "(segue_device_query_counter())."
			: "");
}

/*
 * Called after an empty poll. Releases the completion queues for a moment, so that others can take
 * them.
 */
static void rest(const struct segue_qp *qp, bool asks)
{
	const struct timespec moment = {.tv_sec = 0, .tv_nsec = MOMENT_NS};
	const struct seguei_cq_locks locks = seguei_qp_unlock_cqs(qp);

	if (asks)
		(void)ppoll(NULL, 0, &moment, NULL);
	else if (locks.send || locks.recv)
		(void)sched_yield();
	seguei_qp_relock_cqs(&locks);
}

/*
 * Polls until the queue pair is at rest. At the deadline it still takes the completions that exist
 * then, and no more, because others may keep filling the queue.
 */
static int wait_for(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler handler,
		    void *arg)
{
	const bool asks = qp->stop.how == SEGUE_QP_STOP_PAUSE,
		   patient = qp->stop.how != SEGUE_QP_STOP_RESET;
	bool late = false;

	for (;;) {
		bool there;
		int ret = segue_qp_stop_progress(qp, handler, arg, &there);

		if (ret || there)
			return ret;
		if (late && seguei_qp_passed(qp))
			return timed_out(qp);
		if (patient && !late && segue_deadline_left_ms(deadline) == 0) {
			late = true;
			seguei_qp_mark(qp);
		}
		ret = poll_queues(qp, handler, arg);
		if (ret < 0 && patient)
			return ret;
		if (!ret)
			rest(qp, asks && !late);
	}
}

static int stop(struct segue_qp *qp, enum segue_qp_stop how, segue_deadline deadline,
		segue_wc_handler handler, void *arg)
{
	const int ret = segue_qp_stop_begin(qp, how);

	return ret ? ret : wait_for(qp, deadline, handler, arg);
}

int segue_qp_drain(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler handler,
		   void *arg)
{
	return stop(qp, SEGUE_QP_STOP_DRAIN, deadline, handler, arg);
}

int segue_qp_flush(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler handler,
		   void *arg)
{
	return stop(qp, SEGUE_QP_STOP_FLUSH, deadline, handler, arg);
}

int segue_qp_pause(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler handler,
		   void *arg)
{
	return stop(qp, SEGUE_QP_STOP_PAUSE, deadline, handler, arg);
}

int segue_qp_reset(struct segue_qp *qp, segue_wc_handler handler, void *arg)
{
	return stop(qp, SEGUE_QP_STOP_RESET, SEGUE_NOW, handler, arg);
}

int segue_qp_drain_or_flush(struct segue_qp *qp, segue_deadline deadline, segue_wc_handler handler,
			    void *arg, bool *stopped)
{
	int ret = segue_qp_drain(qp, deadline, handler, arg);

	*stopped = false;
	if (ret != -ETIMEDOUT)
		return ret;
	if (!qp->cross || !qp->cross->managed) /* a managed queue must not flush what was not
						  enabled */
		ret = segue_qp_flush(qp, segue_deadline_in_ms(FLUSH_MS), handler, arg);
	if (ret == -ETIMEDOUT) /* its completions are lost, or never come */
		ret = segue_qp_reset(qp, handler, arg);
	*stopped = !ret;
	return ret;
}
