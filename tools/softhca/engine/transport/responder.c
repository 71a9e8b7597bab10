/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The responder of the connected transports: RC, XRC, DC and UC. Every field of a request comes
 * from another process, so it is checked before it is used.
 */
#include "tools/softhca/engine/packet/clear.h"
#include "tools/softhca/engine/tm.h"
#include "transport.h"

#include <endian.h>
#include <string.h>

#include "tools/softhca/engine/fault/fault.h"

/* A gap that still exists after this time is reported again, since the NAK may be lost too. */
#define NAK_AGAIN_NS 500000u

/* ---- answers ---- */

void softhca_resp_fill(const struct softhca_resp *r, struct softhca_pkt *pkt, uint8_t op,
		       uint32_t psn)
{
	softhca_clear(pkt, sizeof(*pkt));
	pkt->transport = softhca_tp_transport(r->qp);
	pkt->op = op;
	pkt->hdrs = softhca_pkt_hdrs(pkt->transport, op);
	pkt->migreq = r->qp->attr.path_mig_state == IBV_MIG_MIGRATED;
	pkt->dscp = softhca_tp_dscp(r->qp, &r->qp->av);
	pkt->net = softhca_tp_net(r->qp, &r->qp->av);
	pkt->pkey = softhca_tp_pkey(r->qp);
	pkt->dst_ip = r->peer_ip;
	pkt->dqpn = r->peer_qpn;
	pkt->psn = psn;
	pkt->msn = r->msn;
	pkt->syndrome = SOFTHCA_AETH_ACK | SOFTHCA_AETH_NO_CREDIT;
	if (r->qp->type == SOFTHCA_QP_DCT) {
		pkt->dc_session = r->session;
		pkt->dc_stream = r->stream;
		pkt->sqpn = r->qp->qpn;
	}
}

static void send_aeth(struct softhca_resp *r, uint8_t syndrome, uint32_t psn)
{
	struct softhca_wire *const wire = softhca_tp_wire(r->qp, r->qp->attr.port_num);
	struct softhca_pkt pkt;

	/* UC never answers. */
	if (!wire || !softhca_qp_reliable(r->qp) || syndrome == SOFTHCA_NO_NAK)
		return;
	softhca_resp_fill(r, &pkt, SOFTHCA_OP_ACK, psn);
	pkt.syndrome = syndrome;
	r->told = r->epsn;
	softhca_wire_send(wire, &pkt);
}

void softhca_resp_send_ack(struct softhca_resp *r)
{
	send_aeth(r, SOFTHCA_AETH_ACK | SOFTHCA_AETH_NO_CREDIT, (r->epsn - 1) & SOFTHCA_PSN_MASK);
}

void softhca_resp_settle(struct softhca_resp *r)
{
	if (r->told != r->epsn && !r->dead_nak)
		softhca_resp_send_ack(r);
}

static void nak_gap(struct softhca_resp *r)
{
	const uint64_t now = softhca_tp_now();

	if (r->rnr_sent || (r->nak_sent && now - r->nak_at < NAK_AGAIN_NS))
		return;
	r->nak_sent = true;
	r->nak_at = now;
	send_aeth(r, SOFTHCA_NAK_PSN, r->epsn);
}

struct softhca_peer softhca_resp_peer(const struct softhca_resp *r)
{
	return (struct softhca_peer){r->peer_ip, r->peer_qpn};
}

static void nak_rnr(struct softhca_resp *r, uint32_t xrc_srqn)
{
	const struct softhca_peer peer = softhca_resp_peer(r);

	r->rnr_sent = true;
	if (softhca_qp_reliable(r->qp) &&
	    softhca_patience_ends(r->qp->dev, &r->rnr, softhca_tp_now()))
		softhca_tell_no_receive(r->qp, &peer, xrc_srqn);
	softhca_count(r->qp, SOFTHCA_COUNT_OUT_OF_BUFFER);
	send_aeth(r, SOFTHCA_AETH_RNR | (r->qp->attr.min_rnr_timer & SOFTHCA_AETH_VALUE), r->epsn);
}

/*
 * Domain for which a request accesses memory. An XRC target has no protection domain of its own. It
 * uses that of the shared receive queue that the request names.
 */
struct softhca_access softhca_resp_access(const struct softhca_resp *r,
					  const struct softhca_pkt *pkt, enum softhca_right right)
{
	struct softhca_access a = {r->qp->dev, r->qp->pd, r->qp, right};

	if (r->qp->type == SOFTHCA_QP_XRC_TGT) {
		const struct softhca_srq *srq = softhca_srq_find(a.dev, pkt->xrc_srqn);

		if (srq && srq->xrcd == r->qp->xrcd)
			a.pd = srq->pd;
	}
	return a;
}

/* ---- failing ---- */

void softhca_resp_drop_message(struct softhca_resp *r)
{
	r->in_send = r->in_write = false;
	if (!r->has_rwqe)
		return;
	r->has_rwqe = false;
	softhca_cq_push_recv_err(r->qp, &r->rwqe, SOFTHCA_FLUSH, SOFTHCA_VENDOR_FLUSH);
}

void softhca_resp_clear(struct softhca_resp *r)
{
	softhca_list_del(&r->ack);
	r->nak_sent = r->rnr_sent = false;
	r->rnr.since = 0;
	r->in_send = r->in_write = r->has_rwqe = false;
	r->dead_nak = 0;
	r->msn = 0;
	r->replay_next = 0;
	memset(r->replay, 0, sizeof(r->replay));
}

static enum ibv_event_type event_of(uint8_t nak)
{
	if (nak == SOFTHCA_NAK_REMOTE_ACCESS)
		return IBV_EVENT_QP_ACCESS_ERR;
	return nak == SOFTHCA_NAK_INVALID_REQ ? IBV_EVENT_QP_REQ_ERR : IBV_EVENT_QP_FATAL;
}

/*
 * The request at epsn cannot be executed. `syndrome` is for its receive WQE, if it has one. A DCT
 * serves other requesters and lives on. UC also lives on, where such a request counts as lost.
 * Every other queue pair goes to error.
 */
void softhca_resp_fail(struct softhca_resp *r, uint8_t nak, uint8_t syndrome)
{
	struct softhca_qp *const qp = r->qp;
	const bool had_rwqe = r->has_rwqe;

	softhca_list_del(&r->ack);
	if (nak == SOFTHCA_NAK_REMOTE_ACCESS)
		softhca_count(qp, SOFTHCA_COUNT_RESP_REMOTE_ACCESS);
	send_aeth(r, nak, r->epsn);
	r->in_send = r->in_write = r->has_rwqe = false;
	r->dead_nak = nak;
	if (had_rwqe)
		softhca_cq_push_recv_err(qp, &r->rwqe, syndrome, 0);
	if (qp->type == SOFTHCA_QP_DCT || (qp->type == SOFTHCA_QP_UC && !had_rwqe))
		return;
	if (had_rwqe)
		softhca_qp_error(qp);
	else
		softhca_qp_fatal(qp, event_of(nak));
}

/* ---- payload: SEND and RDMA WRITE ---- */

enum part { PART_FIRST = 1, PART_LAST = 2, PART_SEND = 4, PART_WRITE = 8 };

static unsigned int parts_of(uint8_t op)
{
	switch (op) {
	case SOFTHCA_OP_SEND_FIRST:
		return PART_SEND | PART_FIRST;
	case SOFTHCA_OP_SEND_MIDDLE:
		return PART_SEND;
	case SOFTHCA_OP_SEND_LAST:
	case SOFTHCA_OP_SEND_LAST_IMM:
	case SOFTHCA_OP_SEND_LAST_INV:
		return PART_SEND | PART_LAST;
	case SOFTHCA_OP_SEND_ONLY:
	case SOFTHCA_OP_SEND_ONLY_IMM:
	case SOFTHCA_OP_SEND_ONLY_INV:
		return PART_SEND | PART_FIRST | PART_LAST;
	case SOFTHCA_OP_WRITE_FIRST:
		return PART_WRITE | PART_FIRST;
	case SOFTHCA_OP_WRITE_MIDDLE:
		return PART_WRITE;
	case SOFTHCA_OP_WRITE_LAST:
	case SOFTHCA_OP_WRITE_LAST_IMM:
		return PART_WRITE | PART_LAST;
	case SOFTHCA_OP_WRITE_ONLY:
	case SOFTHCA_OP_WRITE_ONLY_IMM:
		return PART_WRITE | PART_FIRST | PART_LAST;
	default:
		return 0;
	}
}

/* Checks that the packet fits the previous one, and has the length for its place. */
static bool sequence_ok(const struct softhca_resp *r, const struct softhca_pkt *pkt,
			unsigned int parts)
{
	const uint32_t mtu = softhca_tp_mtu(r->qp);
	const bool in_message = r->in_send || r->in_write;

	if (parts & PART_FIRST) {
		if (in_message)
			return false;
	} else if (parts & PART_SEND ? !r->in_send : !r->in_write) {
		return false;
	}
	if (!(parts & PART_LAST))
		return pkt->payload_len == mtu;
	return pkt->payload_len <= mtu && (parts & PART_FIRST || pkt->payload_len);
}

/*
 * Takes a receive WQE for the message. Results: 0, RNR (none, and the caller returns), or a failure
 * that has been answered.
 */
enum take { TAKEN, TAKE_RNR, TAKE_FAILED };

static uint32_t srqn_of(const struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	return r->qp->type == SOFTHCA_QP_XRC_TGT ? pkt->xrc_srqn : 0;
}

static enum take take_rwqe(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	int err;

	if (r->has_rwqe)
		return TAKEN;
	if (softhca_qp_reliable(r->qp) && softhca_fault_rnr())
		return TAKE_RNR;
	err = softhca_rq_take(r->qp, srqn_of(r, pkt), &r->rwqe);
	if (err == -EAGAIN)
		return TAKE_RNR;
	if (err) {
		softhca_resp_fail(r, SOFTHCA_NAK_REMOTE_OP, SOFTHCA_LOCAL_QP_OP);
		return TAKE_FAILED;
	}
	r->rwqe.only = false;
	r->has_rwqe = true;
	return TAKEN;
}

/* Like take, for a message to a queue with a tag list. `done`: nothing of it is received. */
static enum take take_tagged(struct softhca_resp *r, const struct softhca_pkt *pkt, bool only,
			     bool *done)
{
	const struct softhca_tm_start start = {pkt->payload, pkt->payload_len, only};

	if (softhca_fault_rnr())
		return TAKE_RNR;
	switch (softhca_tm_take(r->qp, &start, &r->rwqe)) {
	case SOFTHCA_TM_DONE:
		*done = true;
		return TAKEN;
	case SOFTHCA_TM_MATCHED:
		r->has_rwqe = true;
		return TAKEN;
	case SOFTHCA_TM_NONE:
		return TAKE_RNR;
	case SOFTHCA_TM_MALFORMED:
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, 0);
		return TAKE_FAILED;
	default:
		softhca_resp_fail(r, SOFTHCA_NAK_REMOTE_OP, SOFTHCA_LOCAL_QP_OP);
		return TAKE_FAILED;
	}
}

static void push_completion(struct softhca_resp *r, const struct softhca_pkt *pkt,
			    enum softhca_recv_kind kind, uint64_t bytes)
{
	struct softhca_qp *const qp = r->qp;
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];
	const bool ib = port->link == SOFTHCA_LINK_IB;
	struct softhca_recv_info info = {
		.kind = kind,
		.bytes = bytes,
		.src_qp = r->peer_qpn,
		.slid = ib ? (uint16_t)pkt->src_ip : 0,
		.sl = softhca_tp_cqe_sl(port, pkt),
		/* On RoCE connected queue pairs report no GRH (rdma-unit-test, unit/rc_test.cc). */
		.grh = ib && qp->av.grh,
		.pkey_index = qp->attr.pkey_index,
		.solicited = pkt->solicited,
		.dctn = qp->type == SOFTHCA_QP_DCT ? qp->qpn : 0,
	};

	if (pkt->hdrs & SOFTHCA_H_IMM)
		info.imm_inv = htobe32(pkt->imm);
	else if (pkt->hdrs & SOFTHCA_H_IETH)
		info.imm_inv = htobe32(pkt->inv_rkey);
	r->has_rwqe = false;
	softhca_cq_push_recv(qp, &r->rwqe, &info);
}

/*
 * InfiniBand 9.9.6.3, class J: the receive fails and the queue pair goes to error, but no answer is
 * sent, so that the requester runs out of retries (rdma-unit-test, unit/rc_test.cc).
 */
static bool invalidate(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const struct softhca_access a = softhca_resp_access(r, pkt, SOFTHCA_REMOTE_WRITE);

	if (!(pkt->hdrs & SOFTHCA_H_IETH))
		return true;
	if (softhca_mem_invalidate(&a, pkt->inv_rkey)) {
		softhca_resp_settle(r); /* all earlier packets have arrived */
		softhca_resp_fail(r, SOFTHCA_NO_NAK, SOFTHCA_LOCAL_ACCESS);
		return false;
	}
	return true;
}

/* Finds a place for the message. False: there is none, and that has been answered. */
static bool start_send(struct softhca_resp *r, const struct softhca_pkt *pkt, bool only, bool *done)
{
	enum take t = r->qp->srq && r->qp->srq->tm ? take_tagged(r, pkt, only, done)
						   : take_rwqe(r, pkt);

	if (t == TAKE_RNR)
		nak_rnr(r, srqn_of(r, pkt));
	r->offset = 0;
	r->rwqe.only = only;
	return t == TAKEN;
}

/* The tag matching header of a matched message is not part of its data. */
static int scatter_send(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const uint32_t skip = r->offset ? 0 : r->rwqe.tm.skip;
	const uint64_t at = r->offset ? r->offset - r->rwqe.tm.skip : 0;

	if (pkt->payload_len <= skip)
		return SOFTHCA_OK;
	return softhca_rq_scatter(&r->rwqe, at, pkt->payload + skip, pkt->payload_len - skip);
}

/* True: the packet has been executed. */
static bool execute_send(struct softhca_resp *r, const struct softhca_pkt *pkt, unsigned int parts)
{
	enum softhca_recv_kind kind = SOFTHCA_RECV_SEND;
	bool done = false;
	struct softhca_peer peer;
	int syndrome;

	if (parts & PART_FIRST && !start_send(r, pkt, parts & PART_LAST, &done))
		return false;
	if (done)
		return true;
	r->rwqe.last = parts & PART_LAST;
	syndrome = scatter_send(r, pkt);
	if (syndrome) {
		peer = softhca_resp_peer(r);
		if (syndrome == SOFTHCA_LOCAL_LENGTH)
			softhca_tell_too_long(r->qp, &peer, &r->rwqe, r->offset + pkt->payload_len);
		softhca_resp_fail(r,
				  syndrome == SOFTHCA_LOCAL_LENGTH ? SOFTHCA_NAK_INVALID_REQ
								   : SOFTHCA_NAK_REMOTE_OP,
				  (uint8_t)syndrome);
		return false;
	}
	r->offset += pkt->payload_len;
	r->in_send = !(parts & PART_LAST);
	if (r->in_send)
		return true;
	if (!invalidate(r, pkt))
		return false;
	if (pkt->hdrs & SOFTHCA_H_IMM)
		kind = SOFTHCA_RECV_SEND_IMM;
	else if (pkt->hdrs & SOFTHCA_H_IETH)
		kind = SOFTHCA_RECV_SEND_INV;
	push_completion(r, pkt, kind, r->offset - r->rwqe.tm.skip);
	return true;
}

bool softhca_resp_allows(const struct softhca_resp *r, enum ibv_access_flags flag)
{
	const struct softhca_peer peer = softhca_resp_peer(r);

	if (r->qp->attr.qp_access_flags & flag)
		return true;
	softhca_tell_forbidden(r->qp, &peer, flag);
	return false;
}

/*
 * If a receive is posted that the message would have completed, it completes with the reason, as
 * observed on cards (rdma-unit-test, unit/rc_test.cc). Only a message of one packet has its
 * immediate data in time.
 */
static bool refuse_write(struct softhca_resp *r, const struct softhca_pkt *pkt, uint8_t nak)
{
	if (pkt->hdrs & SOFTHCA_H_IMM && !softhca_rq_take(r->qp, srqn_of(r, pkt), &r->rwqe))
		r->has_rwqe = true;
	softhca_resp_fail(r, nak, SOFTHCA_LOCAL_ACCESS);
	return false;
}

/* RETH of the first packet. The whole range must be writable. */
static bool start_write(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const struct softhca_access a = softhca_resp_access(r, pkt, SOFTHCA_REMOTE_WRITE);

	if (!softhca_resp_allows(r, IBV_ACCESS_REMOTE_WRITE))
		return refuse_write(r, pkt, SOFTHCA_NAK_INVALID_REQ);
	if (softhca_mem_whole(&a, pkt->rkey, pkt->raddr, pkt->dma_len))
		return refuse_write(r, pkt, SOFTHCA_NAK_REMOTE_ACCESS);
	softhca_count(r->qp, SOFTHCA_COUNT_RX_WRITE);
	r->raddr = pkt->raddr;
	r->rkey = pkt->rkey;
	r->left = pkt->dma_len;
	r->offset = 0;
	return true;
}

/*
 * Immediate data needs a receive WQE before the data is written, because a request that is answered
 * by RNR must not have been executed.
 */
static bool write_ready(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	enum take t;

	if (!(pkt->hdrs & SOFTHCA_H_IMM))
		return true;
	t = take_rwqe(r, pkt);
	if (t == TAKE_RNR)
		nak_rnr(r, srqn_of(r, pkt));
	return t == TAKEN;
}

static bool execute_write(struct softhca_resp *r, const struct softhca_pkt *pkt, unsigned int parts)
{
	const struct softhca_access a = softhca_resp_access(r, pkt, SOFTHCA_REMOTE_WRITE);

	if (parts & PART_FIRST && !start_write(r, pkt))
		return false;
	if (pkt->payload_len > r->left ||
	    (parts & PART_LAST ? pkt->payload_len != r->left : pkt->payload_len == r->left)) {
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, SOFTHCA_LOCAL_LENGTH);
		return false;
	}
	if (!write_ready(r, pkt))
		return false;
	if (pkt->payload_len &&
	    softhca_mem_write(&a, r->rkey, r->raddr + r->offset, pkt->payload, pkt->payload_len)) {
		softhca_resp_fail(r, SOFTHCA_NAK_REMOTE_ACCESS, SOFTHCA_LOCAL_ACCESS);
		return false;
	}
	r->left -= pkt->payload_len;
	r->offset += pkt->payload_len;
	r->in_write = !(parts & PART_LAST);
	if (pkt->hdrs & SOFTHCA_H_IMM)
		push_completion(r, pkt, SOFTHCA_RECV_WRITE_IMM, r->offset);
	return true;
}

/* ---- reliable ---- */

static void advance(struct softhca_resp *r, uint32_t packets)
{
	r->epsn = softhca_psn_add(r->epsn, packets);
	r->rnr.since = 0;
}

static void execute_payload(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const unsigned int parts = parts_of(pkt->op);
	bool done;

	if (!sequence_ok(r, pkt, parts)) {
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, SOFTHCA_LOCAL_QP_OP);
		return;
	}
	done = parts & PART_SEND ? execute_send(r, pkt, parts) : execute_write(r, pkt, parts);
	if (!done)
		return;
	advance(r, 1);
	if (parts & PART_LAST)
		r->msn = (r->msn + 1) & SOFTHCA_PSN_MASK;
	if (pkt->ack_req)
		softhca_tp_want_ack(r);
}

static bool is_atomic(const struct softhca_pkt *pkt)
{
	return pkt->hdrs & (SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED);
}

static void execute(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const uint32_t mtu = softhca_tp_mtu(r->qp);

	if (parts_of(pkt->op)) {
		execute_payload(r, pkt);
		return;
	}
	/* Neither is allowed in the middle of a message. */
	if (r->in_send || r->in_write) {
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, SOFTHCA_LOCAL_QP_OP);
		return;
	}
	if (pkt->op == SOFTHCA_OP_READ_REQUEST) {
		if (softhca_resp_read(r, pkt))
			advance(r, pkt->dma_len ? (pkt->dma_len - 1) / mtu + 1 : 1);
	} else if (is_atomic(pkt)) {
		if (softhca_resp_atomic(r, pkt))
			advance(r, 1);
	} else {
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, SOFTHCA_LOCAL_QP_OP);
	}
}

/* Handles a request that was executed before. Its answer may have been lost. */
static void duplicate(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	if (pkt->op == SOFTHCA_OP_READ_REQUEST)
		softhca_resp_read(r, pkt);
	else if (is_atomic(pkt))
		softhca_resp_replay(r, pkt);
	else if (pkt->ack_req || parts_of(pkt->op) & PART_LAST)
		softhca_tp_want_ack(r);
}

static void reliable_request(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const int32_t ahead = softhca_psn_cmp(pkt->psn, r->epsn);

	if (r->dead_nak) {
		/* A DCT context that ended in an error repeats the error at each request. */
		if (ahead == 0)
			send_aeth(r, r->dead_nak, r->epsn);
		return;
	}
	if (ahead < 0) {
		softhca_count(r->qp, SOFTHCA_COUNT_DUPLICATE);
		duplicate(r, pkt);
		return;
	}
	if (ahead > 0) {
		softhca_count(r->qp, SOFTHCA_COUNT_OUT_OF_SEQUENCE);
		nak_gap(r);
		return;
	}
	r->nak_sent = r->rnr_sent = false;
	execute(r, pkt);
}

/* ---- UC ---- */

/* A message with a missing packet is dropped silently. Its receive WQE serves the next one. */
static void unreliable_request(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const unsigned int parts = parts_of(pkt->op);
	const bool in_order = pkt->psn == r->epsn;

	if (!parts)
		return;
	if (!in_order || !sequence_ok(r, pkt, parts)) {
		r->in_send = r->in_write = false;
		r->epsn = softhca_psn_add(pkt->psn, 1);
		if (!(parts & PART_FIRST) || !sequence_ok(r, pkt, parts))
			return;
	}
	r->epsn = softhca_psn_add(pkt->psn, 1);
	if (parts & PART_SEND)
		execute_send(r, pkt, parts);
	else
		execute_write(r, pkt, parts);
	/* No receive was posted for it, so the rest of the message has no beginning. */
	if (r->rnr_sent) {
		r->rnr_sent = false;
		r->in_send = r->in_write = false;
	}
}

static bool may_talk(const struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	if (pkt->transport != softhca_tp_transport(r->qp))
		return false;
	return pkt->src_ip == r->peer_ip;
}

void softhca_resp_request(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	struct softhca_responder *const s = qp->resp;
	struct softhca_resp *r;

	if (!s || !softhca_qp_can_recv(qp))
		return;
	r = qp->type == SOFTHCA_QP_DCT ? softhca_dct_find(qp, pkt) : &s->one;
	if (!r || !may_talk(r, pkt))
		return;
	softhca_qp_comm_est(qp);
	if (softhca_qp_reliable(qp))
		reliable_request(r, pkt);
	else
		unreliable_request(r, pkt);
}
