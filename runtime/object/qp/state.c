/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transitions of queue pairs between states.
 *
 * On the way to RESET a queue pair is detached from its completion queues, so that old completions
 * are not taken for new ones. segue_qp_reset() returns the requests that no completion will report,
 * after the device has left the rings and before they are cleared.
 */
#include <errno.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/device.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/path/path.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"

uint32_t segue_qp_number(const struct segue_qp *qp)
{
	return qp->qp->qp_num;
}

enum segue_qp_state segue_qp_state(const struct segue_qp *qp)
{
	const uint32_t state = qp->state;

	return atomic_load(&qp->failed) && state != SEGUE_QP_STATE_RESET
		       ? SEGUE_QP_STATE_ERR
		       : (enum segue_qp_state)state;
}

const struct segue_transport_table *segue_qp_transport(const struct segue_qp *qp)
{
	return qp->transport;
}

static bool takes_posts(enum segue_post_effect effect)
{
	return effect != SEGUE_POST_REJECT && effect != SEGUE_POST_NONE;
}

bool seguei_qp_takes_sends(const struct segue_qp *qp)
{
	return qp->has_sq && qp->state < qp->transport->n_states &&
	       takes_posts(qp->transport->states[qp->state].send);
}

void seguei_qp_bar_sends(struct segue_qp *qp, const char *why)
{
	if (!why && qp->send_cq && seguei_cq_object_of(qp->send_cq)->collapsed)
		why = "completes in a collapsed completion queue, which only lanes read; lend it "
		      "by segue_qp_lend()";
	if (!why && qp->cross && qp->cross->lanes_only)
		why = "lies in memory that only lanes reach; lend it by segue_qp_lend()";
	qp->sq.any.barred = why;
	segue_sq_set_postable(&qp->sq.any, seguei_qp_takes_sends(qp));
}

/*
 * The receive queue of a raw packet queue pair is live before RTR, so its doorbell record is held
 * back until then. libmlx5 does so with its own receives, and writes their number on the way to
 * RTR, which is 0. Source: rdma-core providers/mlx5/qp.c, mlx5_post_recv(); verbs.c,
 * mlx5_modify_qp().
 */
static void hold_receives(struct segue_qp *qp, uint32_t state)
{
	const bool held = state == SEGUE_QP_STATE_RESET || state == SEGUE_QP_STATE_INIT;

	if (!qp->has_rq || qp->type != SEGUE_QP_RAW_PACKET)
		return;
	qp->rq.ring.dbrec = held ? &qp->held_record : qp->rq_record;
	if (!held)
		seguei_rq_ring(&qp->rq);
}

/* The flags about shared receives are cleared when the queue pair is reset. */
static void note_life(struct segue_qp *qp, uint32_t state)
{
	if (state == SEGUE_QP_STATE_RTR || state == SEGUE_QP_STATE_RTS)
		qp->may_receive = true;
	if (state != SEGUE_QP_STATE_RESET)
		return;
	qp->may_receive = false;
	atomic_store(&qp->last_wqe, false);
}

void seguei_qp_set_state(struct segue_qp *qp, uint32_t state)
{
	const struct segue_transport_state *row;

	SEGUEI_PROBE3(state, qp->qp->qp_num, (uint32_t)qp->state, state);
	qp->state = state;
	note_life(qp, state);
	if (state >= qp->transport->n_states)
		return;
	row = &qp->transport->states[state];
	if (qp->has_sq)
		seguei_qp_bar_sends(qp, qp->sq.any.barred);
	hold_receives(qp, state);
	if (qp->has_rq)
		seguei_recv_set_postable(&qp->rq.ring, takes_posts(row->recv));
}

const char *seguei_qp_state_name(const struct segue_qp *qp, uint32_t state)
{
	const char *name = state < qp->transport->n_states ? qp->transport->states[state].name
							   : NULL;

	return name ? name : "an unknown state";
}

/*
 * Queries the state. A DCT has only RTR, but libibverbs remembers the last state that any caller
 * moved it to.
 */
static int ask_state(struct segue_qp *qp, uint32_t *state)
{
	struct ibv_qp_attr attr;
	int ret;

	*state = (uint32_t)qp->qp->state;
	if (qp->type == SEGUE_QP_DCT)
		return 0;
	ret = seguei_qp_ask_state(qp, &attr); /* returns the error number */
	if (ret)
		return seguei_fail(ret, "Queue pair 0x%x cannot be queried: %s.", qp->object.number,
				   strerror(ret));
	*state = (uint32_t)attr.qp_state;
	return 0;
}

/* True if a state can follow from another one without RESET. */
static bool leads_to(const struct segue_transport_table *transport, uint32_t from, uint32_t to)
{
	uint32_t reached = 1u << from, before, a, b;

	do {
		before = reached;
		for (a = 0; a < transport->n_states; a++)
			for (b = 0; b < transport->n_states && before >> a & 1; b++) {
				const struct segue_transition *way = segue_transition_between(
					transport, a, b);

				if (b != SEGUE_QP_STATE_RESET && (way->valid || way->by_device))
					reached |= 1u << b;
			}
	} while (reached != before);
	return to < transport->n_states && reached >> to & 1;
}

/*
 * True if a doorbell record shows that its queue has been in RESET, where libmlx5 clears it.
 * `untold` means that requests may have been committed without a doorbell. A record of 0 then
 * proves nothing, unless some of them have completed. Source: rdma-core providers/mlx5/verbs.c,
 * mlx5_modify_qp().
 */
static bool was_cleared(uint32_t record, uint32_t pi, uint32_t ci, bool untold)
{
	const uint32_t missing = (pi - record) & 0xffff;

	return !record && missing && (!untold || missing > pi - ci);
}

static bool sends_were_cleared(const struct segue_qp *qp)
{
	const struct segue_sq *sq = &qp->sq.any;

	return qp->has_sq &&
	       was_cleared(*sq->dbrec, sq->pi, seguei_sq_ci(sq), seguei_sq_has_committed(sq));
}

/*
 * Receives may be posted without a doorbell, and nothing records which ones. The receives of a
 * queue pair that is being connected may still be such.
 */
static bool receives_were_cleared(const struct segue_qp *qp, uint32_t state)
{
	const struct seguei_recv_ring *ring = &qp->rq.ring;

	return qp->has_rq && was_cleared(*ring->dbrec, ring->pi, seguei_recv_ci(ring),
					 state != qp->state);
}

/* True if other code has moved it through RESET to this state since Segue last knew its state. */
static bool was_reset(const struct segue_qp *qp, uint32_t state)
{
	if (qp->cross || qp->state == SEGUE_QP_STATE_RESET)
		return false; /* no other code moves it, and it is empty */
	return !leads_to(qp->transport, qp->state, state) || sends_were_cleared(qp) ||
	       receives_were_cleared(qp, state);
}

/* Records the device's state, whichever code has moved it there. */
static int believe(struct segue_qp *qp, uint32_t state)
{
	const int ret = was_reset(qp, state) ? seguei_qp_arrive(qp, SEGUE_QP_STATE_RESET) : 0;

	if (state != qp->state)
		seguei_qp_set_state(qp, state);
	return ret;
}

static bool is_polled(const struct segue_qp *qp)
{
	return qp->stop.handing || seguei_cq_is_polled(qp->send_cq) ||
	       seguei_cq_is_polled(qp->recv_cq);
}

int seguei_qp_check_unpolled(const struct segue_qp *qp, const char *call)
{
	int ret = seguei_cq_check_unpolled(qp->send_cq, call);

	if (!ret)
		ret = seguei_cq_check_unpolled(qp->recv_cq, call);
	if (ret || !qp->stop.handing)
		return ret;
	return seguei_fail(EBUSY,
			   "%s: queue pair 0x%x is being reset, and this comes from the handler "
			   "that takes its requests back; make the call when the reset is over.",
			   call, qp->object.number);
}

/*
 * An event may be from before a reset of the queue pair, so the device is queried. A lost device
 * does not answer.
 */
static int take_note(struct segue_qp *qp)
{
	uint32_t state;

	if (!atomic_exchange(&qp->failed, false))
		return 0;
	if (ask_state(qp, &state))
		state = SEGUE_QP_STATE_ERR;
	return believe(qp, state);
}

int seguei_qp_enter(struct segue_qp *qp, const char *call)
{
	const int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, call);

	if (ret)
		return ret;
	seguei_qp_catch_up(qp);
	/*
	 * A poll in progress holds entries that a reset of the queues would drop, so the reset
	 * waits.
	 */
	return is_polled(qp) ? 0 : take_note(qp);
}

int seguei_qp_enter_unpolled(struct segue_qp *qp, const char *call)
{
	int ret = seguei_object_check((struct seguei_object *)qp, &seguei_qp_kind, call);

	if (!ret)
		ret = seguei_qp_check_unpolled(qp, call);
	return ret ? ret : seguei_qp_enter(qp, call);
}

/* Bytes in place of enum ibv_mtu are an easy mistake. */
static bool is_mtu(uint32_t mtu)
{
	return mtu >= IBV_MTU_256 && mtu <= IBV_MTU_4096;
}

/* Words the refusal of a modify call by the kernel. */
static int refused(const struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t to, int err)
{
	const struct ibv_ah_attr *ah = &attr->ah_attr;
	const uint32_t mtu = (uint32_t)attr->path_mtu;

	return seguei_fail(err,
			   "Queue pair 0x%x, %s to %s, is refused by the device: %s. port %u, "
			   "pkey_index %u, dest_qpn 0x%x, dlid %u, "
			   "sgid_index %u, global %u, mtu %u%s, sl %u, rd_atomic %u/%u, timeout "
			   "%u, rnr_timer %u, access 0x%x.",
			   qp->object.number, seguei_qp_state_name(qp, qp->state),
			   seguei_qp_state_name(qp, to), strerror(err), attr->port_num,
			   attr->pkey_index, attr->dest_qp_num, ah->dlid, ah->grh.sgid_index,
			   ah->is_global, is_mtu(mtu) ? 128u << mtu : mtu,
			   mtu && !is_mtu(mtu) ? " (no enum ibv_mtu)" : "", ah->sl,
			   attr->max_rd_atomic, attr->max_dest_rd_atomic, attr->timeout,
			   attr->min_rnr_timer, attr->qp_access_flags);
}

static void note_peer(struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask)
{
	struct seguei_peer *peer = &qp->peer;

	if (mask & SEGUE_QP_ATTR_DEST_QPN)
		peer->qpn = attr->dest_qp_num;
	if (mask & SEGUE_QP_ATTR_AV) {
		peer->dlid = attr->ah_attr.dlid;
		peer->global = attr->ah_attr.is_global;
		memcpy(peer->gid.bytes, attr->ah_attr.grh.dgid.raw, sizeof(peer->gid.bytes));
	}
	if (mask & SEGUE_QP_ATTR_RNR_RETRY)
		peer->rnr_retry = attr->rnr_retry;
	if (mask & SEGUE_QP_ATTR_RQ_PSN) {
		peer->rq_psn = attr->rq_psn;
		peer->lived = true;
	}
	if (mask & SEGUE_QP_ATTR_SQ_PSN)
		peer->psn_used |= attr->sq_psn == peer->psn;
}

/*
 * A receiver checks the destination and the PSN of a packet, but not its sender. So late packets
 * from before the reset could be taken for the first ones after it. Source: IBTA specification,
 * volume 1, 9.7.1 and 9.7.2 (packet validation by PSN).
 */
static int check_psn(const struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask)
{
	if (!(mask & SEGUE_QP_ATTR_RQ_PSN) || !qp->peer.lived || attr->rq_psn != qp->peer.rq_psn)
		return 0;
	return seguei_fail(EINVAL,
			   "Queue pair 0x%x: rq_psn is 0x%x, as before the last reset, so late "
			   "packets of that connection would be accepted. Use other PSNs on both "
			   "sides; segue_endpoint_describe() draws them.",
			   qp->object.number, attr->rq_psn);
}

int seguei_qp_tell_device(struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask)
{
	const uint32_t to = mask & SEGUE_QP_ATTR_STATE ? (uint32_t)attr->qp_state : qp->state;
	struct ibv_qp_attr copy;
	int ret;

	ret = segue_transition_check(qp->transport, qp->state, to, mask);
	if (!ret)
		ret = check_psn(qp, attr, mask);
	if (ret)
		return ret;
	copy = *attr; /* verbs may change it */
	/* returns the error number, and errno means nothing */
	ret = seguei_qp_command(qp, &copy, (int)mask);
	if (ret)
		return refused(qp, attr, to, ret);
	qp->object.number = qp->qp->qp_num; /* a DCT gets its number now */
	note_peer(qp, attr, mask);
	return 0;
}

int seguei_qp_arrive(struct segue_qp *qp, uint32_t to)
{
	int ret = 0;

	if (to == SEGUE_QP_STATE_RESET && qp->state != SEGUE_QP_STATE_RESET) {
		/*
		 * The device starts again at index 0, so completions of earlier requests must not
		 * be taken for new ones.
		 */
		seguei_qp_detach(qp);
		ret = seguei_qp_init_rings(qp);
	}
	seguei_qp_set_state(qp, to);
	return ret ? ret : seguei_qp_attach(qp);
}

int seguei_qp_fail(struct segue_qp *qp)
{
	const struct ibv_qp_attr attr = {.qp_state = IBV_QPS_ERR};
	const int ret = seguei_qp_tell_device(qp, &attr, SEGUE_QP_ATTR_STATE);

	if (!ret)
		seguei_qp_set_state(qp, SEGUE_QP_STATE_ERR);
	return ret;
}

int segue_qp_modify(struct segue_qp *qp, const struct ibv_qp_attr *attr, uint32_t mask)
{
	int ret = seguei_qp_enter_unpolled(qp, "segue_qp_modify()");

	if (!ret)
		ret = seguei_qp_tell_device(qp, attr, mask);
	if (ret)
		return ret;
	return seguei_qp_arrive(qp,
				mask & SEGUE_QP_ATTR_STATE ? (uint32_t)attr->qp_state : qp->state);
}

int segue_qp_modify_to(struct segue_qp *qp, enum segue_qp_state state,
		       const struct segue_path *path)
{
	const struct segue_transition *way;
	struct ibv_qp_attr attr = {0};
	bool connected;
	int ret;

	ret = seguei_qp_enter_unpolled(qp, "segue_qp_modify_to()");
	if (ret)
		return ret;
	way = segue_transition_between(qp->transport, qp->state, state);
	if (!way || !way->valid)
		return segue_transition_check(qp->transport, qp->state, state, 0);
	if (way->required) {
		if (!path)
			return seguei_fail(EINVAL, "Queue pair 0x%x, %s to %s: a path is needed.",
					   qp->object.number, seguei_qp_state_name(qp, qp->state),
					   seguei_qp_state_name(qp, state));
		connected = way->required & SEGUE_QP_ATTR_DEST_QPN;
		ret = segue_path_check(path, connected);
		if (ret)
			return ret;
		if (way->required & SEGUE_QP_ATTR_MIN_RNR_TIMER && !path->min_rnr_timer)
			return seguei_fail(EINVAL, "Path: min_rnr_timer is 0, which stands for the "
						   "longest wait, 655 ms; expected 1 (10 us) "
						   "to 31, see segue_rnr_timer_for_us(), or "
						   "SEGUE_RNR_TIMER_655_MS if it is meant.");
		if (connected && !path->dest_qpn)
			return seguei_fail(EINVAL,
					   "Path: dest_qpn is 0, expected the peer's queue pair.");
		seguei_path_attributes(path, &attr);
	}
	attr.qp_state = (enum ibv_qp_state)state;
	return segue_qp_modify(qp, &attr, way->required | SEGUE_QP_ATTR_STATE);
}

int segue_qp_connect(struct segue_qp *qp, const struct segue_path *path)
{
	static const enum segue_qp_state steps[] = {SEGUE_QP_STATE_INIT, SEGUE_QP_STATE_RTR,
						    SEGUE_QP_STATE_RTS};
	unsigned int i;
	int ret = seguei_qp_enter_unpolled(qp, "segue_qp_connect()");

	for (i = 0; !ret && i < sizeof(steps) / sizeof(steps[0]); i++) {
		if (!qp->transport->states[steps[i]].name)
			break; /* RTR is a DCT's last state */
		if (i == 0 && qp->state == SEGUE_QP_STATE_INIT)
			continue;
		ret = segue_qp_modify_to(qp, steps[i], path);
	}
	return ret;
}

int segue_qp_query(struct segue_qp *qp, struct segue_qp_info *info)
{
	uint32_t state;
	int ret;

	ret = seguei_qp_enter_unpolled(qp, "segue_qp_query()");
	if (!ret)
		ret = ask_state(qp, &state);
	if (!ret)
		ret = believe(qp, state);
	if (ret)
		return ret;
	qp->object.number = qp->qp->qp_num;
	ret = seguei_qp_attach(qp); /* a DCT that other code moved to RTR has its number only now */
	if (ret)
		return ret;
	memset(info, 0, sizeof(*info));
	info->qpn = qp->qp->qp_num;
	info->type = qp->type;
	info->state = (enum segue_qp_state)qp->state;
	info->state_name = seguei_qp_state_name(qp, qp->state);
	info->sends = qp->has_sq ? qp->sq.any.pi - seguei_sq_ci(&qp->sq.any) : 0;
	info->receives = qp->has_rq ? qp->rq.ring.pi - seguei_recv_ci(&qp->rq.ring) : 0;
	return 0;
}

int segue_qp_resume(struct segue_qp *qp)
{
	int ret = seguei_qp_enter_unpolled(qp, "segue_qp_resume()");

	if (ret)
		return ret;
	if (qp->state != SEGUE_QP_STATE_SQD && qp->state != SEGUE_QP_STATE_SQE)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x is in %s; segue_qp_resume() leads from SQD or "
				   "SQE back to RTS.",
				   qp->object.number, seguei_qp_state_name(qp, qp->state));
	ret = segue_qp_modify_to(qp, SEGUE_QP_STATE_RTS, NULL);
	if (ret && qp->type == SEGUE_QP_RAW_PACKET && qp->state == SEGUE_QP_STATE_SQE)
		return seguei_fail(-ret,
				   "Raw packet queue pair 0x%x stays in SQE: mlx5's kernel driver "
				   "has no command for this step (%s); call "
				   "segue_qp_reset() and connect it again.",
				   qp->object.number, strerror(-ret));
	return ret;
}

int segue_qp_reset_stream(struct segue_qp *qp, uint16_t stream)
{
	int ret = seguei_qp_enter(qp, "segue_qp_reset_stream()");

	if (ret)
		return ret;
	if (!qp->streams)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x has no stream %u: it was opened without "
				   "streams (dci_log_streams).",
				   qp->object.number, stream);
	if (stream >= qp->streams)
		return seguei_fail(EINVAL,
				   "Queue pair 0x%x has no stream %u, expected less than %u (see "
				   "dci_log_streams).",
				   qp->object.number, stream, qp->streams);
	ret = mlx5dv_dci_stream_id_reset(qp->qp, stream); /* returns the error number */
	return ret ? seguei_fail(ret,
				 "Stream %u of queue pair 0x%x is not reset: %s; only one that has "
				 "failed, in RTS, can be.",
				 stream, qp->object.number, strerror(ret))
		   : 0;
}
