/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receiving side of a connection. A message that fits no connection, or comes in a state that does
 * not expect it, is dropped or answered as IBTA requires. It never has another effect.
 */
#include <errno.h>
#include <infiniband/verbs.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/rdmacm/id.h"

#define MS	     UINT64_C(1000000)
#define MRA_INTERVAL (1000 * MS)
#define MRA_TIMEOUT  24 /* time for an application to decide about a request: a minute */

/* ---- finding the connection ---- */

/* Finds it by our number and, if both know the peer's, by that. */
static struct rcm_conn *find(const struct softhca_gsi_from *from, uint32_t local_id,
			     uint32_t remote_id, bool any_remote)
{
	for (struct rcm_conn *c = rcm_conns(); c; c = c->next)
		if (c->local_id == local_id && c->peer_ip == from->ip &&
		    (any_remote || c->remote_id == remote_id))
			return c;
	return NULL;
}

/* Finds the passive side's connection from an earlier request. */
static struct rcm_conn *find_passive(const struct softhca_gsi_from *from, uint32_t remote_id,
				     bool sidr)
{
	for (struct rcm_conn *c = rcm_conns(); c; c = c->next) {
		const bool is_sidr = c->state == RCM_C_SIDR_REQ_RCVD ||
				     c->state == RCM_C_SIDR_REP_SENT;

		if (c->passive && c->remote_id == remote_id && c->peer_ip == from->ip &&
		    is_sidr == sidr)
			return c;
	}
	return NULL;
}

/* Finds another connection of the same remote queue pair, which must be out of date. */
static struct rcm_conn *find_stale(const struct softhca_gsi_from *from, uint32_t qpn,
				   const struct rcm_conn *but)
{
	for (struct rcm_conn *c = rcm_conns(); c; c = c->next)
		if (c != but && qpn && c->peer_ip == from->ip && c->remote_qpn == qpn &&
		    (c->passive || c->state >= RCM_C_REP_RCVD) && c->state != RCM_C_IDLE &&
		    c->state < RCM_C_SIDR_REQ_SENT)
			return c;
	return NULL;
}

/* ---- answers without a connection ---- */

static void answer(const struct softhca_gsi_from *from, const struct rcm_msg *msg)
{
	uint8_t mad[SOFTHCA_MAD_SIZE];

	rcm_encode(mad, msg);
	softhca_gsi_send(from->dev, from->port, from->ip, mad);
}

static void refuse(const struct softhca_gsi_from *from, const struct rcm_msg *msg,
		   enum rcm_about about, uint16_t reason)
{
	const struct rcm_msg rej = {
		.attr = RCM_REJ,
		.tid = msg->tid,
		.local_id = msg->remote_id,
		.remote_id = msg->local_id,
		.about = (uint8_t)about,
		.reason = reason,
	};

	answer(from, &rej);
}

static void refuse_sidr(const struct softhca_gsi_from *from, const struct rcm_msg *msg,
			enum rcm_sidr_status status)
{
	const struct rcm_msg rep = {
		.attr = RCM_SIDR_REP,
		.tid = msg->tid,
		.local_id = msg->local_id,
		.service_id = msg->service_id,
		.status = (uint8_t)status,
	};

	answer(from, &rep);
}

/*
 * A real subnet takes milliseconds to resolve an address and a route, and programs rely on it: a
 * client connects while the server is about to listen. So a request without a listener is refused
 * only when it is repeated after this time.
 */
#define GRACE	   (300 * MS)

static bool grace_is_over(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	for (unsigned int i = 0; i < RCM_GRACE_SIZE; i++)
		if (the_rdmacm.seen[i].tid == m->tid && the_rdmacm.seen[i].ip == from->ip)
			return softhca_now_ns() - the_rdmacm.seen[i].first >= GRACE;
	the_rdmacm.seen[the_rdmacm.seen_next].tid = m->tid;
	the_rdmacm.seen[the_rdmacm.seen_next].ip = from->ip;
	the_rdmacm.seen[the_rdmacm.seen_next].first = softhca_now_ns();
	the_rdmacm.seen_next = (the_rdmacm.seen_next + 1) % RCM_GRACE_SIZE;
	return false;
}

/* ---- requests ---- */

static void repeated_request(struct rcm_conn *c, const struct softhca_gsi_from *from,
			     const struct rcm_msg *msg)
{
	const struct rcm_msg mra = {
		.attr = RCM_MRA,
		.tid = c->tid,
		.local_id = c->local_id,
		.remote_id = c->remote_id,
		.about = RCM_ABOUT_REQ,
		.service_timeout = MRA_TIMEOUT,
	};

	if (c->state == RCM_C_MRA_REQ_SENT)
		answer(from, &mra); /* the application has not decided yet */
	else if (c->state == RCM_C_REJECTED)
		rcm_conn_repeat(c);
	else if (c->state == RCM_C_TIMEWAIT)
		refuse(from, msg, RCM_ABOUT_REQ, RCM_REJ_STALE_CONN);
}

static uint8_t qp_type_of(const struct rcm_msg *msg)
{
	switch (msg->service) {
	case RCM_SERVICE_RC:
		return IBV_QPT_RC;
	case RCM_SERVICE_UC:
		return IBV_QPT_UC;
	case RCM_SERVICE_EXTENDED:
		return msg->extended == RCM_EXTENDED_XRC ? IBV_QPT_XRC_RECV : 0;
	default:
		return 0;
	}
}

static void remember_request(struct rcm_conn *c, const struct rcm_msg *m)
{
	c->passive = true;
	c->remote_id = m->local_id;
	c->tid = m->tid;
	c->timeout_ms = rcm_time_ms(m->local_timeout);
	c->max_retries = m->max_retries;
	c->remote_qpn = m->qpn;
	c->initiator_depth = m->responder_resources;
	c->responder_resources = m->initiator_depth;
	c->mtu = m->mtu;
	c->sq_psn = m->psn;
	c->retry_count = m->retry_count;
	c->rnr_retry_count = m->rnr_retry_count;
	c->qp_type = qp_type_of(m);
	c->ack_timeout = m->path.ack_timeout;
}

static bool valid_request(const struct rcm_msg *m)
{
	return m->mtu >= IBV_MTU_256 && m->mtu <= IBV_MTU_4096 && qp_type_of(m);
}

static void on_req(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	struct rcm_conn *c = find_passive(from, m->local_id, false);
	struct rcm_conn *stale;
	int err;

	if (c) {
		repeated_request(c, from, m);
		return;
	}
	stale = find_stale(from, m->qpn, NULL);
	if (stale) {
		refuse(from, m, RCM_ABOUT_REQ, RCM_REJ_STALE_CONN);
		(void)rcm_conn_disconnect(stale);
		return;
	}
	if (!valid_request(m)) {
		refuse(from, m, RCM_ABOUT_REQ, RCM_REJ_CONSUMER);
		return;
	}
	c = rcm_conn_new(from->dev, from->port, from->ip);
	if (!c)
		return;
	remember_request(c, m);
	c->state = RCM_C_REQ_RCVD;
	err = rcm_id_incoming(c, m);
	if (!err) {
		/* If the request comes again, an MRA asks the peer to wait. */
		c->state = RCM_C_MRA_REQ_SENT;
		return;
	}
	rcm_conn_free(c);
	if (err == -ENOENT && !grace_is_over(from, m))
		return;
	if (err == -ENOENT)
		refuse(from, m, RCM_ABOUT_REQ, RCM_REJ_INVALID_SERVICE_ID);
	else if (err == -EADDRNOTAVAIL)
		refuse(from, m, RCM_ABOUT_REQ, RCM_REJ_INVALID_GID);
	else if (err != -ENOMEM) /* it may then come again when there is room */
		refuse(from, m, RCM_ABOUT_REQ, RCM_REJ_CONSUMER);
}

static void on_sidr_req(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	struct rcm_conn *c = find_passive(from, m->local_id, true);
	int err;

	if (c) {
		if (c->state == RCM_C_SIDR_REP_SENT)
			rcm_conn_repeat(c);
		return;
	}
	c = rcm_conn_new(from->dev, from->port, from->ip);
	if (!c)
		return;
	c->passive = true;
	c->remote_id = m->local_id;
	c->tid = m->tid;
	c->qp_type = IBV_QPT_UD;
	c->state = RCM_C_SIDR_REQ_RCVD;
	err = rcm_id_incoming(c, m);
	if (!err)
		return;
	rcm_conn_free(c);
	if (err == -ENOENT && !grace_is_over(from, m))
		return;
	if (err != -ENOMEM)
		refuse_sidr(from, m, err == -ENOENT ? RCM_SIDR_UNSUPPORTED : RCM_SIDR_REJECT);
}

/* ---- answers ---- */

static void on_mra(struct rcm_conn *c, const struct rcm_msg *m)
{
	const uint64_t patience = (rcm_time_ms(m->service_timeout) + rcm_time_ms(c->ack_timeout)) *
				  MS;
	const uint64_t now = softhca_now_ns();

	if (c->state == RCM_C_REQ_SENT && m->about == RCM_ABOUT_REQ)
		c->state = RCM_C_MRA_REQ_RCVD;
	else if (c->state == RCM_C_REP_SENT && m->about == RCM_ABOUT_REP)
		c->state = RCM_C_MRA_REP_RCVD;
	else
		return;
	/* Not too long, since the answer may be lost as well. */
	c->interval = MRA_INTERVAL;
	c->resend_at = now + c->interval;
	c->end_at = now + patience;
	rcm_conn_schedule(c);
}

static void repeat_rtu(struct rcm_conn *c)
{
	const struct rcm_msg rtu = {
		.attr = RCM_RTU,
		.tid = c->tid,
		.local_id = c->local_id,
		.remote_id = c->remote_id,
	};

	rcm_conn_send(c, &rtu);
}

static void on_rep(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	struct rcm_conn *const c = find(from, m->remote_id, 0, true);
	const uint32_t qpn = c && c->qp_type == IBV_QPT_XRC_SEND ? m->eecn : m->qpn;
	struct rcm_conn *stale;

	if (!c)
		return;
	if (c->state == RCM_C_ESTABLISHED && !c->passive && c->remote_id == m->local_id)
		repeat_rtu(c);
	else if (c->state == RCM_C_REJECTED && !c->passive)
		rcm_conn_repeat(c);
	if (c->state != RCM_C_REQ_SENT && c->state != RCM_C_MRA_REQ_RCVD)
		return;
	stale = find_stale(from, qpn, c);
	if (stale) {
		refuse(from, m, RCM_ABOUT_REP, RCM_REJ_STALE_CONN);
		(void)rcm_conn_disconnect(stale);
		return;
	}
	rcm_conn_stop_timer(c);
	c->state = RCM_C_REP_RCVD;
	c->remote_id = m->local_id;
	c->remote_qpn = qpn;
	c->initiator_depth = m->responder_resources;
	c->responder_resources = m->initiator_depth;
	c->sq_psn = m->psn;
	c->rnr_retry_count = m->rnr_retry_count;
	c->ack_timeout = rcm_ack_timeout(m->ack_delay, (uint8_t)(c->ack_timeout - 1));
	rcm_conn_tell(c, RCM_NEWS_REPLY, m);
}

static void on_rtu(struct rcm_conn *c)
{
	if (c->state == RCM_C_REP_SENT || c->state == RCM_C_MRA_REP_RCVD)
		(void)rcm_conn_established(c);
}

static void on_dreq(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	struct rcm_conn *const c = find(from, m->remote_id, m->local_id, false);
	const struct rcm_msg drep = {
		.attr = RCM_DREP,
		.tid = m->tid,
		.local_id = m->remote_id,
		.remote_id = m->local_id,
	};

	if (!c) {
		answer(from, &drep); /* there is no such connection, so it has ended */
		return;
	}
	if (m->qpn != c->local_qpn)
		return;
	switch (c->state) {
	case RCM_C_DREQ_SENT:
		/* Both sides disconnect at the same time. The owner has already decided. */
		answer(from, &drep);
		rcm_conn_to_timewait(c);
		rcm_conn_tell(c, RCM_NEWS_DISCONNECTED, NULL);
		break;
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
	case RCM_C_ESTABLISHED:
		rcm_conn_stop_timer(c);
		c->state = RCM_C_DREQ_RCVD;
		c->tid = m->tid;
		rcm_conn_tell(c, RCM_NEWS_DISCONNECTED, NULL);
		break;
	case RCM_C_TIMEWAIT:
	case RCM_C_IDLE:
		answer(from, &drep);
		break;
	default:
		break;
	}
}

static void on_drep(struct rcm_conn *c)
{
	if (c->state != RCM_C_DREQ_SENT && c->state != RCM_C_DREQ_RCVD)
		return;
	rcm_conn_to_timewait(c);
	rcm_conn_tell(c, RCM_NEWS_DISCONNECTED, NULL);
}

static struct rcm_conn *find_rejected(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	if (m->reason == RCM_REJ_TIMEOUT)
		return find_passive(from, m->local_id, false);
	return find(from, m->remote_id, m->local_id, m->about == RCM_ABOUT_REQ);
}

static void on_rej(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	struct rcm_conn *const c = find_rejected(from, m);

	if (!c)
		return;
	switch (c->state) {
	case RCM_C_REQ_SENT:
	case RCM_C_MRA_REQ_RCVD:
	case RCM_C_REP_SENT:
	case RCM_C_MRA_REP_RCVD:
	case RCM_C_REQ_RCVD:
	case RCM_C_MRA_REQ_SENT:
		if (m->reason == RCM_REJ_STALE_CONN)
			rcm_conn_to_timewait(c);
		else
			rcm_conn_to_idle(c);
		break;
	case RCM_C_DREQ_SENT:
	case RCM_C_REP_RCVD:
	case RCM_C_ESTABLISHED:
		rcm_conn_to_timewait(c);
		break;
	default:
		return;
	}
	rcm_conn_tell(c, RCM_NEWS_REJECTED, m);
}

static void on_sidr_rep(struct rcm_conn *c, const struct rcm_msg *m)
{
	if (c->state != RCM_C_SIDR_REQ_SENT)
		return;
	rcm_conn_to_idle(c);
	rcm_conn_tell(c, RCM_NEWS_SIDR_REPLY, m);
}

static void on_known(const struct softhca_gsi_from *from, const struct rcm_msg *m)
{
	const bool any = m->attr == RCM_SIDR_REP ||
			 (m->attr == RCM_MRA && m->about == RCM_ABOUT_REQ);
	const uint32_t local_id = m->attr == RCM_SIDR_REP ? m->local_id : m->remote_id;
	struct rcm_conn *const c = find(from, local_id, m->local_id, any);

	if (!c)
		return;
	switch (m->attr) {
	case RCM_MRA:
		on_mra(c, m);
		break;
	case RCM_RTU:
		on_rtu(c);
		break;
	case RCM_DREP:
		on_drep(c);
		break;
	case RCM_SIDR_REP:
		on_sidr_rep(c, m);
		break;
	default:
		break;
	}
}

void rcm_conn_receive(const struct softhca_gsi_from *from, const uint8_t mad[SOFTHCA_MAD_SIZE])
{
	struct rcm_msg m;

	if (!rcm_decode(&m, mad))
		return;
	switch (m.attr) {
	case RCM_REQ:
		on_req(from, &m);
		break;
	case RCM_SIDR_REQ:
		on_sidr_req(from, &m);
		break;
	case RCM_REP:
		on_rep(from, &m);
		break;
	case RCM_DREQ:
		on_dreq(from, &m);
		break;
	case RCM_REJ:
		on_rej(from, &m);
		break;
	default:
		on_known(from, &m);
		break;
	}
}
