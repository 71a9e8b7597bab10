/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests that are answered with data, new and repeated: READ and the atomics. Also the contexts
 * of a DCT.
 */
#include "tools/softhca/engine/deviations.h"
#include "transport.h"

#include <stdlib.h>

/* Contexts of a DCT. Beyond this number the one that was quiet for longest is dropped. */
#define DC_CONTEXTS_MAX 16384u

static void end_with(struct softhca_resp *r, bool again, uint8_t nak)
{
	/* The first execution succeeded and this one fails, so the region is gone. No answer. */
	if (!again)
		softhca_resp_fail(r, nak, 0);
}

/*
 * Checks the responder's room for one more request. A request that is answered at once needs none.
 * But those found at one look were sent before any of them was answered, so all are open.
 */
static bool depth_ok(struct softhca_resp *r)
{
	const struct softhca_peer peer = softhca_resp_peer(r);
	struct softhca_qp *const qp = r->qp;

	if (r->rd_look != softhca_wire_looks()) {
		r->rd_look = softhca_wire_looks();
		r->rd_in_look = 0;
	}
	/* A DCT does not have this attribute. */
	if (qp->type == SOFTHCA_QP_DCT ||
	    ++r->rd_in_look <= softhca_rd_depth(qp->attr.max_dest_rd_atomic))
		return true;
	softhca_tell_depth(qp, &peer);
	return false;
}

static uint8_t read_opcode(bool first, bool last)
{
	if (first)
		return last ? SOFTHCA_OP_READ_RESP_ONLY : SOFTHCA_OP_READ_RESP_FIRST;
	return last ? SOFTHCA_OP_READ_RESP_LAST : SOFTHCA_OP_READ_RESP_MIDDLE;
}

/* Sends response number i of n. False: the memory cannot be read after all. */
static bool read_response(struct softhca_resp *r, const struct softhca_pkt *req, uint32_t i,
			  uint32_t n)
{
	const struct softhca_access a = softhca_resp_access(r, req, SOFTHCA_REMOTE_READ);
	struct softhca_wire *const wire = softhca_tp_wire(r->qp, r->qp->attr.port_num);
	const uint32_t mtu = softhca_tp_mtu(r->qp);
	const uint32_t offset = i * mtu;
	struct softhca_place place;
	struct softhca_pkt pkt;

	softhca_resp_fill(r, &pkt, read_opcode(i == 0, i + 1 == n), softhca_psn_add(req->psn, i));
	pkt.payload_len = i + 1 == n ? req->dma_len - offset : mtu;
	place = softhca_wire_reserve(wire, pkt.dst_ip);
	if (pkt.payload_len &&
	    softhca_mem_read(&a, req->rkey, req->raddr + offset,
			     place.data + softhca_pkt_hdr_size(pkt.hdrs), pkt.payload_len))
		return false;
	softhca_wire_commit(wire, &place, &pkt);
	return true;
}

bool softhca_resp_read(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const struct softhca_access a = softhca_resp_access(r, pkt, SOFTHCA_REMOTE_READ);
	const bool again = pkt->psn != r->epsn;
	const uint32_t mtu = softhca_tp_mtu(r->qp);
	const uint32_t n = pkt->dma_len ? (pkt->dma_len - 1) / mtu + 1 : 1;

	if (pkt->dma_len > 1u << 30 || n > SOFTHCA_PSN_WINDOW) {
		end_with(r, again, SOFTHCA_NAK_INVALID_REQ);
		return false;
	}
	/* A repeated request may not end later than the first one did. */
	if (again && softhca_psn_cmp(softhca_psn_add(pkt->psn, n), r->epsn) > 0)
		return false;
	if (!softhca_tp_wire(r->qp, r->qp->attr.port_num))
		return false;
	if (!softhca_resp_allows(r, IBV_ACCESS_REMOTE_READ) || (!again && !depth_ok(r))) {
		end_with(r, again, SOFTHCA_NAK_INVALID_REQ);
		return false;
	}
	if (softhca_mem_whole(&a, pkt->rkey, pkt->raddr, pkt->dma_len)) {
		end_with(r, again, SOFTHCA_NAK_REMOTE_ACCESS);
		return false;
	}
	if (!again) { /* counted before it is answered */
		r->msn = (r->msn + 1) & SOFTHCA_PSN_MASK;
		softhca_count(r->qp, SOFTHCA_COUNT_RX_READ);
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!read_response(r, pkt, i, n)) {
			end_with(r, again, SOFTHCA_NAK_REMOTE_ACCESS);
			return false;
		}
	}
	return true;
}

static void answer_atomic(struct softhca_resp *r, uint32_t psn, uint64_t orig)
{
	struct softhca_wire *const wire = softhca_tp_wire(r->qp, r->qp->attr.port_num);
	struct softhca_pkt pkt;

	if (!wire)
		return;
	softhca_resp_fill(r, &pkt, SOFTHCA_OP_ATOMIC_ACK, psn);
	pkt.atomic_orig = orig;
	softhca_wire_send(wire, &pkt);
}

static struct softhca_atomic operands(const struct softhca_pkt *pkt)
{
	struct softhca_atomic op = {
		.size = pkt->dma_len == 4 ? 4 : 8,
		.is_fadd = pkt->op == SOFTHCA_OP_FETCH_ADD || pkt->op == SOFTHCA_OP_MASKED_FA,
		.masked = pkt->hdrs & SOFTHCA_H_MASKED,
		.swap_add = pkt->swap_add,
		.compare = pkt->compare,
		.swap_mask = ~0ull,
		.compare_mask = ~0ull,
	};

	if (op.masked && op.is_fadd && !softhca_contrary(SOFTHCA_CONTRARY_BOUNDARY))
		op.add_boundary = pkt->swap_mask;
	if (op.masked && !op.is_fadd) {
		op.swap_mask = pkt->swap_mask;
		op.compare_mask = pkt->compare_mask;
	}
	return op;
}

bool softhca_resp_atomic(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	const struct softhca_access a = softhca_resp_access(r, pkt, SOFTHCA_REMOTE_ATOMIC);
	const struct softhca_atomic op = operands(pkt);
	struct softhca_replay *kept = &r->replay[r->replay_next % SOFTHCA_REPLAY_MAX];
	uint64_t orig = 0;
	int syndrome;

	if (pkt->dma_len != 4 && pkt->dma_len != 8) {
		softhca_resp_fail(r, SOFTHCA_NAK_INVALID_REQ, 0);
		return false;
	}
	if (!softhca_resp_allows(r, IBV_ACCESS_REMOTE_ATOMIC) || !depth_ok(r))
		syndrome = SOFTHCA_REMOTE_INVAL_REQ;
	else
		syndrome = softhca_mem_atomic(&a, pkt->rkey, pkt->raddr, &op, &orig);
	if (syndrome) {
		softhca_resp_fail(r,
				  syndrome == SOFTHCA_REMOTE_INVAL_REQ ? SOFTHCA_NAK_INVALID_REQ
								       : SOFTHCA_NAK_REMOTE_ACCESS,
				  0);
		return false;
	}
	softhca_count(r->qp, SOFTHCA_COUNT_RX_ATOMIC);
	*kept = (struct softhca_replay){pkt->psn, true, orig};
	r->replay_next++;
	r->msn = (r->msn + 1) & SOFTHCA_PSN_MASK;
	answer_atomic(r, pkt->psn, orig);
	return true;
}

void softhca_resp_replay(struct softhca_resp *r, const struct softhca_pkt *pkt)
{
	for (uint32_t i = 0; i < SOFTHCA_REPLAY_MAX; i++) {
		if (r->replay[i].used && r->replay[i].psn == pkt->psn) {
			answer_atomic(r, pkt->psn, r->replay[i].orig);
			return;
		}
	}
	/* Older than any request that a requester may have open. Must not be executed again. */
}

/* ---- DCT ---- */

static uint32_t dc_bucket(const struct softhca_pkt *pkt)
{
	uint32_t h = pkt->src_ip * 2654435761u ^ pkt->sqpn * 40503u ^ pkt->dc_stream * 97u;

	return (h ^ h >> 16) % SOFTHCA_DC_BUCKETS;
}

static void dc_remove(struct softhca_responder *s, struct softhca_resp **link)
{
	struct softhca_resp *const r = *link;

	*link = r->hash_next;
	softhca_list_del(&r->ack);
	softhca_resp_drop_message(r);
	s->dc_count--;
	free(r);
}

static void dc_remove_oldest(struct softhca_responder *s)
{
	struct softhca_resp **oldest = NULL;

	for (uint32_t b = 0; b < SOFTHCA_DC_BUCKETS; b++)
		for (struct softhca_resp **l = &s->dc[b]; *l; l = &(*l)->hash_next)
			if (!oldest || (*l)->used_at < (*oldest)->used_at)
				oldest = l;
	if (oldest)
		dc_remove(s, oldest);
}

static struct softhca_resp *dc_add(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	struct softhca_responder *const s = qp->resp;
	const uint32_t b = dc_bucket(pkt);
	struct softhca_resp *r;

	if (s->dc_count >= DC_CONTEXTS_MAX)
		dc_remove_oldest(s);
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL; /* the requester tries again */
	r->qp = qp;
	r->peer_ip = pkt->src_ip;
	r->peer_qpn = pkt->sqpn;
	r->stream = pkt->dc_stream;
	r->hash_next = s->dc[b];
	s->dc[b] = r;
	s->dc_count++;
	return r;
}

struct softhca_resp *softhca_dct_find(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	struct softhca_responder *const s = qp->resp;
	struct softhca_resp *r;

	if (pkt->transport != SOFTHCA_TR_DC)
		return NULL;
	for (r = s->dc[dc_bucket(pkt)]; r; r = r->hash_next)
		if (r->peer_ip == pkt->src_ip && r->peer_qpn == pkt->sqpn &&
		    r->stream == pkt->dc_stream)
			break;
	if (!r)
		r = dc_add(qp, pkt);
	if (!r || pkt->dc_session < r->session)
		return NULL; /* remainder of an earlier session */
	if (pkt->dc_session > r->session) {
		softhca_resp_drop_message(r);
		softhca_resp_clear(r);
		softhca_count(qp, SOFTHCA_COUNT_RX_DCT_CONNECT);
		r->session = pkt->dc_session;
		r->epsn = r->told = pkt->dc_start_psn;
	}
	r->used_at = softhca_tp_now();
	if (pkt->dc_key != qp->create.dc_access_key && !r->dead_nak) {
		const struct softhca_peer peer = softhca_resp_peer(r);

		softhca_tell_dc_key(qp, &peer, pkt->dc_key);
		r->dead_nak = softhca_contrary(SOFTHCA_CONTRARY_DC_KEY) ? SOFTHCA_NAK_REMOTE_OP
								       : SOFTHCA_NAK_REMOTE_ACCESS;
	}
	return r;
}

void softhca_dct_settle(struct softhca_qp *qp)
{
	const struct softhca_responder *const s = qp->resp;

	for (uint32_t b = 0; b < SOFTHCA_DC_BUCKETS; b++)
		for (struct softhca_resp *r = s->dc[b]; r; r = r->hash_next)
			softhca_resp_settle(r);
}

void softhca_dct_forget(struct softhca_qp *qp)
{
	struct softhca_responder *const s = qp->resp;

	softhca_dct_settle(qp);
	for (uint32_t b = 0; b < SOFTHCA_DC_BUCKETS; b++)
		while (s->dc[b])
			dc_remove(s, &s->dc[b]);
}
