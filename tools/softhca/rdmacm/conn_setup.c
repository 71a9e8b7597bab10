/* SPDX-License-Identifier: BSD-2-Clause */
/* Connecting: outgoing requests, incoming requests, and reports of the protocol. */
#include <endian.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <rdma/ib_user_verbs.h>
#include <string.h>

#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/rdmacm/id.h"

#define CM_TIMEOUT 20 /* 4.3 s */
#define CM_RETRIES 15

/*
 * The 36 bytes that the RDMA CM puts before the private data of a request (IBTA annex A11), unless
 * the addresses are GIDs: version, IP version, port, source and destination.
 */
#define IP_HEADER  36u
#define IP_VERSION 1u
#define IP_PORT	   2u
#define IP_SRC	   4u
#define IP_DST	   20u

static unsigned int header_size(const struct rcm_id *id)
{
	return id->src.sa.sa_family == AF_IB ? 0 : IP_HEADER;
}

/* The peer gets the address where it was found, not the name: "localhost" is another host there. */
static void put_header(const struct rcm_id *id, uint8_t *h)
{
	union rcm_addr dst = id->dst;

	if (!rcm_addr_host(&dst))
		rcm_addr_set_host(&dst, id->peer_ip);
	if (id->src.sa.sa_family == AF_INET) {
		h[IP_VERSION] = 4 << 4;
		memcpy(h + IP_SRC + 12, &id->src.v4.sin_addr, 4);
		memcpy(h + IP_DST + 12, &dst.v4.sin_addr, 4);
		memcpy(h + IP_PORT, &id->src.v4.sin_port, 2);
	} else if (id->src.sa.sa_family == AF_INET6) {
		h[IP_VERSION] = 6 << 4;
		memcpy(h + IP_SRC, &id->src.v6.sin6_addr, 16);
		memcpy(h + IP_DST, &dst.v6.sin6_addr, 16);
		memcpy(h + IP_PORT, &id->src.v6.sin6_port, 2);
	}
}

/* ---- the active side ---- */

static int put_request_data(const struct rcm_id *id, const struct rdma_ucm_conn_param *param,
			    struct rcm_msg *msg)
{
	const unsigned int offset = header_size(id);

	if (offset + param->private_data_len > rcm_private_size(msg->attr))
		return -EINVAL;
	if (offset)
		put_header(id, msg->private_data);
	memcpy(msg->private_data + offset, param->private_data, param->private_data_len);
	msg->private_len = (uint8_t)(offset + param->private_data_len);
	return 0;
}

static uint8_t at_most_7(uint8_t n)
{
	return n < 7 ? n : 7;
}

static int request_rc(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		      struct rcm_msg *req)
{
	const struct rcm_path *const p = &id->path;

	req->attr = RCM_REQ;
	switch (id->qp_type) {
	case IBV_QPT_RC:
		req->service = RCM_SERVICE_RC;
		break;
	case IBV_QPT_UC:
		req->service = RCM_SERVICE_UC;
		break;
	case IBV_QPT_XRC_SEND:
		req->service = RCM_SERVICE_EXTENDED;
		req->extended = RCM_EXTENDED_XRC;
		break;
	default:
		return -EINVAL;
	}
	req->ca_guid = softhca_dev_guid(id->dev);
	req->qpn = id->qp_num;
	req->psn = id->psn;
	req->initiator_depth = param->initiator_depth;
	req->flow_control = param->flow_control;
	req->remote_timeout = req->local_timeout = CM_TIMEOUT;
	req->max_retries = CM_RETRIES;
	req->mtu = p->mtu;
	if (id->qp_type != IBV_QPT_XRC_SEND) {
		req->responder_resources = param->responder_resources;
		req->retry_count = at_most_7(param->retry_count);
		req->rnr_retry_count = at_most_7(param->rnr_retry_count);
		req->srq = id->srq;
	}
	memcpy(req->path.local_gid, p->sgid, 16);
	memcpy(req->path.remote_gid, p->dgid, 16);
	req->path.subnet_local = p->hop_limit <= 1;
	req->path.local_lid = req->path.subnet_local ? p->slid : 0xffff;
	req->path.remote_lid = req->path.subnet_local ? p->dlid : 0xffff;
	req->path.flow_label = p->flow_label;
	req->path.rate = p->rate;
	req->path.tclass = p->tclass;
	req->path.hop_limit = p->hop_limit;
	req->path.sl = p->sl;
	req->path.ack_timeout = rcm_ack_timeout(RCM_ACK_DELAY, p->life);
	return 0;
}

static void remember_own_request(struct rcm_conn *c, const struct rcm_id *id,
				 const struct rdma_ucm_conn_param *param, const struct rcm_msg *m)
{
	c->qp_type = id->qp_type;
	c->local_qpn = id->qp_num;
	c->rq_psn = id->psn;
	c->initiator_depth = param->initiator_depth;
	c->responder_resources = param->responder_resources;
	c->retry_count = at_most_7(param->retry_count);
	c->mtu = id->path.mtu;
	c->ack_timeout = m->path.ack_timeout;
	c->timeout_ms = rcm_time_ms(CM_TIMEOUT);
	if (m->attr == RCM_REQ)
		c->timeout_ms += 2 * rcm_time_ms(id->path.life);
	c->max_retries = CM_RETRIES;
}

int rcm_id_connect(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		   const struct rdma_ucm_ece *ece)
{
	const bool ud = id->qp_type == IBV_QPT_UD;
	struct rcm_msg msg = {.attr = ud ? RCM_SIDR_REQ : RCM_REQ};
	struct rcm_conn *c;
	int err;

	if (id->state != RCM_ID_ROUTED)
		return -EINVAL;
	id->qp_num = param->qp_num & SOFTHCA_QPN_MASK;
	id->srq = param->srq;
	msg.service_id = rcm_id_service(id, &id->dst);
	msg.pkey = id->path.pkey;
	msg.ece_vendor = ece->vendor_id;
	msg.ece_options = ece->attr_mod;
	err = ud ? 0 : request_rc(id, param, &msg);
	if (!err)
		err = put_request_data(id, param, &msg);
	if (err)
		return err;
	c = rcm_conn_new(id->dev, id->port, id->peer_ip);
	if (!c)
		return -ENOMEM;
	/* This is a second attempt, after the first was refused. */
	if (id->conn)
		rcm_conn_release(id->conn);
	c->id = id;
	id->conn = c;
	id->state = RCM_ID_CONNECT;
	remember_own_request(c, id, param, &msg);
	rcm_conn_request(c, &msg);
	return 0;
}

/* ---- accept, reject, disconnect ---- */

static int accept_rc(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		     const struct rdma_ucm_ece *ece)
{
	const bool xrc = id->conn->qp_type == IBV_QPT_XRC_RECV;
	struct rcm_msg rep = {
		.attr = RCM_REP,
		.psn = id->psn,
		.responder_resources = param->responder_resources,
		.initiator_depth = xrc ? 0 : param->initiator_depth,
		.ack_delay = RCM_ACK_DELAY,
		.flow_control = !xrc && param->flow_control,
		.rnr_retry_count = at_most_7(param->rnr_retry_count),
		.srq = xrc || id->srq,
		.ca_guid = softhca_dev_guid(id->dev),
		.ece_vendor = ece->vendor_id,
		.ece_options = ece->attr_mod,
		.private_len = param->private_data_len,
	};

	if (param->private_data_len > RCM_REP_PRIVATE)
		return -EINVAL;
	*(xrc ? &rep.eecn : &rep.qpn) = id->qp_num;
	memcpy(rep.private_data, param->private_data, param->private_data_len);
	id->conn->local_qpn = id->qp_num;
	return rcm_conn_reply(id->conn, &rep);
}

static int reply_ud(struct rcm_id *id, enum rcm_sidr_status status, const void *data, uint8_t len)
{
	struct rcm_msg rep = {.attr = RCM_SIDR_REP, .status = (uint8_t)status};

	if (len > RCM_SIDR_REP_PRIVATE)
		return -EINVAL;
	if (status == RCM_SIDR_SUCCESS) {
		rep.qpn = id->qp_num;
		rep.qkey = id->qkey;
	}
	rep.service_id = rcm_id_service(id, &id->src);
	rep.private_len = len;
	if (len)
		memcpy(rep.private_data, data, len);
	return rcm_conn_sidr_reply(id->conn, &rep);
}

static int accept_any(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		      const struct rdma_ucm_ece *ece)
{
	int err;

	if (id->qp_type != IBV_QPT_UD)
		return param ? accept_rc(id, param, ece) : rcm_conn_ready(id->conn);
	err = rcm_id_set_qkey(id, param && id->src.sa.sa_family == AF_IB ? param->qkey : 0);
	if (err)
		return err;
	return reply_ud(id, RCM_SIDR_SUCCESS, param ? param->private_data : NULL,
			param ? param->private_data_len : 0);
}

int rcm_id_accept(struct rcm_id *id, const struct rdma_ucm_conn_param *param,
		  const struct rdma_ucm_ece *ece)
{
	int err;

	if (id->state != RCM_ID_CONNECT || !id->conn)
		return -EINVAL;
	if (param) {
		id->qp_num = param->qp_num & SOFTHCA_QPN_MASK;
		id->srq = param->srq;
	}
	err = accept_any(id, param, ece);
	if (err)
		(void)rcm_id_reject(id, RCM_REJ_CONSUMER, NULL, 0);
	return err;
}

int rcm_id_reject(struct rcm_id *id, uint8_t reason, const void *data, uint8_t len)
{
	if (!id->conn)
		return -EINVAL;
	if (id->qp_type == IBV_QPT_UD)
		return reply_ud(id, RCM_SIDR_REJECT, data, len);
	if (len > RCM_REJ_PRIVATE)
		return -EINVAL;
	return rcm_conn_reject(id->conn, reason, data, len);
}

int rcm_id_disconnect(struct rcm_id *id)
{
	if (!id->conn)
		return -EINVAL;
	/* It is no error if there is nothing to end, as in the kernel. */
	(void)rcm_conn_disconnect(id->conn);
	return 0;
}

int rcm_id_notify(struct rcm_id *id, uint32_t event)
{
	if (!id->conn || event != IBV_EVENT_COMM_EST)
		return -EINVAL;
	return rcm_conn_established(id->conn);
}

/* ---- news of a connection ---- */

static void put_private(struct rdma_ucm_conn_param *conn, const struct rcm_msg *msg,
			unsigned int offset)
{
	conn->private_data_len = (uint8_t)(msg->private_len - offset);
	memcpy(conn->private_data, msg->private_data + offset, conn->private_data_len);
}

static void on_reply(const struct rcm_id *id, const struct rcm_msg *m,
		     struct rdma_ucm_event_resp *e)
{
	struct rdma_ucm_conn_param *const conn = &e->param.conn;

	e->event = RCM_EVENT_CONNECT_RESPONSE;
	put_private(conn, m, 0);
	conn->responder_resources = m->initiator_depth;
	conn->initiator_depth = m->responder_resources;
	conn->flow_control = m->flow_control;
	conn->rnr_retry_count = m->rnr_retry_count;
	conn->srq = m->srq;
	conn->qp_num = id->conn->remote_qpn;
	e->ece.vendor_id = m->ece_vendor;
	e->ece.attr_mod = m->ece_options;
}

static void on_sidr_reply(struct rcm_id *id, const struct rcm_msg *m, struct rdma_ucm_event_resp *e)
{
	struct rdma_ucm_ud_param *const ud = &e->param.ud;

	ud->private_data_len = m->private_len;
	memcpy(ud->private_data, m->private_data, m->private_len);
	if (m->status != RCM_SIDR_SUCCESS) {
		e->event = RCM_EVENT_UNREACHABLE;
		e->status = m->status;
		return;
	}
	e->status = (uint32_t)rcm_id_set_qkey(id, m->qkey);
	if (e->status) {
		e->event = RCM_EVENT_ADDR_ERROR;
		return;
	}
	e->event = RCM_EVENT_ESTABLISHED;
	rcm_id_ah(id, &id->path, &ud->ah_attr);
	ud->qp_num = m->qpn;
	ud->qkey = m->qkey;
}

/* False: the application is not notified. */
static bool describe(struct rcm_id *id, enum rcm_news news, const struct rcm_msg *m,
		     struct rdma_ucm_event_resp *e)
{
	if (news == RCM_NEWS_TIMEWAIT_EXIT ? id->state != RCM_ID_DISCONNECT
					   : id->state != RCM_ID_CONNECT)
		return false;
	switch (news) {
	case RCM_NEWS_REPLY:
		on_reply(id, m, e);
		return true;
	case RCM_NEWS_ESTABLISHED:
		e->event = RCM_EVENT_ESTABLISHED;
		return true;
	case RCM_NEWS_REJECTED:
		e->event = RCM_EVENT_REJECTED;
		e->status = m->reason;
		put_private(&e->param.conn, m, 0);
		return true;
	case RCM_NEWS_TIMEOUT:
		e->event = RCM_EVENT_UNREACHABLE;
		e->status = (uint32_t)-ETIMEDOUT;
		return true;
	case RCM_NEWS_DISCONNECT_TIMEOUT:
		e->status = (uint32_t)-ETIMEDOUT;
		/* fall through */
	case RCM_NEWS_DISCONNECTED:
		id->state = RCM_ID_DISCONNECT;
		e->event = RCM_EVENT_DISCONNECTED;
		return true;
	case RCM_NEWS_TIMEWAIT_EXIT:
		e->event = RCM_EVENT_TIMEWAIT_EXIT;
		return true;
	case RCM_NEWS_SIDR_REPLY:
		on_sidr_reply(id, m, e);
		return true;
	}
	return false;
}

void rcm_id_news(struct rcm_id *id, enum rcm_news news, const struct rcm_msg *msg)
{
	struct rdma_ucm_event_resp event = {0};

	if (describe(id, news, msg, &event))
		rcm_ctx_event(id->ctx, &event, NULL);
}

/* ---- the passive side ---- */

/* Addresses of a request. False if it does not follow annex A11. */
static bool get_header(const struct rcm_msg *m, union rcm_addr *src, union rcm_addr *dst)
{
	const uint8_t *const h = m->private_data;

	memset(src, 0, sizeof(*src));
	memset(dst, 0, sizeof(*dst));
	if (h[0] != 0)
		return false;
	if (h[IP_VERSION] >> 4 == 4) {
		src->v4.sin_family = dst->v4.sin_family = AF_INET;
		memcpy(&src->v4.sin_addr, h + IP_SRC + 12, 4);
		memcpy(&dst->v4.sin_addr, h + IP_DST + 12, 4);
		memcpy(&src->v4.sin_port, h + IP_PORT, 2);
	} else if (h[IP_VERSION] >> 4 == 6) {
		src->v6.sin6_family = dst->v6.sin6_family = AF_INET6;
		memcpy(&src->v6.sin6_addr, h + IP_SRC, 16);
		memcpy(&dst->v6.sin6_addr, h + IP_DST, 16);
		memcpy(&src->v6.sin6_port, h + IP_PORT, 2);
	} else {
		return false;
	}
	rcm_addr_set_port(dst, (uint16_t)m->service_id);
	return true;
}

static bool wants(const struct rcm_id *id, const struct rcm_conn *c, const union rcm_addr *dst)
{
	if (id->dev && (id->dev != c->dev || id->port != c->port))
		return false;
	if (id->src.sa.sa_family == AF_IB)
		return true;
	if (id->wild && !id->afonly)
		return true;
	if (id->src.sa.sa_family != dst->sa.sa_family)
		return false;
	return id->wild || rcm_addr_same(&id->src, dst);
}

static int find_listener(const struct rcm_conn *c, const struct rcm_msg *m,
			 const union rcm_addr *dst, struct rcm_id **out)
{
	const uint16_t ps = (uint16_t)(m->service_id >> 16);
	struct rcm_id *id = NULL;
	int err = -ENOENT;

	if (m->service_id >> 32)
		return -ENOENT;
	while ((id = rcm_port_next_listener(id, ps, (uint16_t)m->service_id))) {
		err = -EINVAL; /* there is a listener, but it may refuse this request */
		if (!wants(id, c, dst))
			continue;
		if (id->qp_type && id->qp_type != c->qp_type)
			return -EINVAL;
		*out = id;
		return 0;
	}
	return err;
}

static void take_path(struct rcm_id *id, const struct rcm_msg *m)
{
	const struct rcm_req_path *const r = &m->path;
	struct softhca_port_attr attr = {0};

	(void)softhca_port_query(id->dev, id->port, &attr);
	memcpy(id->path.sgid, r->remote_gid, 16);
	memcpy(id->path.dgid, r->local_gid, 16);
	if (attr.link == SOFTHCA_LINK_IB) {
		/* For a routed request the LIDs are those of the packet. */
		id->path.slid = r->remote_lid == 0xffff ? attr.lid : r->remote_lid;
		id->path.dlid = (uint16_t)id->peer_ip;
	}
	id->path.flow_label = r->flow_label;
	id->path.hop_limit = r->hop_limit;
	id->path.tclass = r->tclass;
	id->path.pkey = m->pkey;
	id->path.sl = r->sl;
	id->path.mtu = m->mtu;
	id->path.rate = r->rate;
	id->path.life = r->ack_timeout ? (uint8_t)(r->ack_timeout - 1) : 0;
	id->has_path = true;
}

static bool gid_is_ours(const struct rcm_conn *c, const uint8_t gid[16])
{
	union ibv_gid own;
	unsigned int type;

	for (unsigned int i = 0; i < SOFTHCA_GIDS; i++)
		if (!softhca_gid_query(c->dev, c->port, i, &own, &type) &&
		    !memcmp(own.raw, gid, 16))
			return true;
	return false;
}

static void take_addresses(struct rcm_id *id, const struct rcm_id *listener,
			   const union rcm_addr *src, const union rcm_addr *dst)
{
	if (listener->src.sa.sa_family == AF_IB) {
		id->src = listener->src;
		id->dst.sa.sa_family = AF_IB;
		id->dst.ib.pkey = htobe16(id->path.pkey);
		memcpy(id->src.ib.addr, id->path.sgid, 16);
		memcpy(id->dst.ib.addr, id->path.dgid, 16);
		return;
	}
	id->src = *dst;
	id->dst = *src;
}

static void describe_request(const struct rcm_id *id, const struct rcm_msg *m,
			     struct rdma_ucm_event_resp *e)
{
	const unsigned int offset = header_size(id);
	struct rdma_ucm_conn_param *const conn = &e->param.conn;
	struct rdma_ucm_ud_param *const ud = &e->param.ud;

	e->event = RCM_EVENT_CONNECT_REQUEST;
	if (m->attr == RCM_SIDR_REQ) {
		ud->private_data_len = (uint8_t)(m->private_len - offset);
		memcpy(ud->private_data, m->private_data + offset, ud->private_data_len);
		return;
	}
	put_private(conn, m, offset);
	conn->responder_resources = m->initiator_depth;
	conn->initiator_depth = m->responder_resources;
	conn->flow_control = m->flow_control;
	conn->retry_count = m->retry_count;
	conn->rnr_retry_count = m->rnr_retry_count;
	conn->srq = m->srq;
	conn->qp_num = m->qpn;
	e->ece.vendor_id = m->ece_vendor;
	e->ece.attr_mod = m->ece_options;
}

int rcm_id_incoming(struct rcm_conn *c, const struct rcm_msg *m)
{
	struct rdma_ucm_event_resp event = {0};
	struct rcm_id *listener, *id;
	union rcm_addr src, dst;
	int err;

	if (!get_header(m, &src, &dst))
		dst.sa.sa_family = AF_IB;
	err = find_listener(c, m, &dst, &listener);
	if (err)
		return err;
	if (listener->src.sa.sa_family != AF_IB && dst.sa.sa_family == AF_IB)
		return -EINVAL;
	if (m->attr == RCM_REQ && !gid_is_ours(c, m->path.remote_gid))
		return -EADDRNOTAVAIL;
	id = rcm_ctx_request(listener, c->qp_type);
	if (!id)
		return -ENOMEM;
	id->dev = c->dev;
	id->port = c->port;
	id->peer_ip = c->peer_ip;
	id->state = RCM_ID_CONNECT;
	id->tos = listener->tos;
	id->ack_timeout = listener->ack_timeout;
	id->ack_timeout_set = listener->ack_timeout_set;
	if (m->attr == RCM_REQ)
		take_path(id, m);
	take_addresses(id, listener, &src, &dst);
	id->conn = c;
	c->id = id;
	describe_request(id, m, &event);
	rcm_ctx_event(listener->ctx, &event, id->ctx);
	return 0;
}
