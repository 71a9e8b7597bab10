/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receiving half of the requester: acknowledgements, READ and ATOMIC responses, negative
 * acknowledgements, and the timers for missing ones.
 */
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/migration.h"
#include "tools/softhca/engine/proc/task.h"
#include "transport.h"

#include <endian.h>
#include <string.h>

/*
 * The user's time-out counts retries. In addition, a flow without an answer for a millisecond sends
 * a little of the unacknowledged data again, then with doubled pauses. Real devices also have such
 * adaptive retransmission.
 */
#define PROBE_WINDOW (8u * 1024)
#define PROBE_MAX_NS 100000000u
#define SILENT_MAX_NS 1600000000u
#define GRACE_NS     10000000000u
#define LATE_NS	     5000000u

static uint32_t cursor_psn(const struct softhca_flow *f)
{
	return f->cur ? softhca_psn_add(f->cur->first_psn, f->cur_pkt) : f->post_psn;
}

/* IBTA table 45: time that a requester waits after an RNR NAK, in units of 10 us. */
static uint64_t rnr_delay_ns(uint8_t timer)
{
	static const uint32_t table[32] = {
		65536, 1,    2,	   3,	 4,    6,     8,     12,    16,	   24,	  32,
		48,    64,   96,   128,	 192,  256,   384,   512,   768,   1024,  1536,
		2048,  3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152,
	};

	return table[timer & 31] * 10000ull;
}

static void reads_done_until(struct softhca_flow *f)
{
	while (f->rd_count && softhca_psn_cmp(f->rd_end[f->rd_head], f->una) < 0)
		softhca_flow_read_done(f);
}

/* Moves una forward inside the first message, to its packet number `to`. */
static void advance_una(struct softhca_flow *f, uint32_t to)
{
	struct softhca_msg *const msg = f->head;
	const uint32_t from = (f->una - msg->first_psn) & SOFTHCA_PSN_MASK;
	const uint32_t cost = softhca_flow_cost(f, msg, from, to);

	f->acked += cost;
	f->in_flight -= cost < f->in_flight ? cost : f->in_flight;
	f->una = softhca_psn_add(msg->first_psn, to);
	/* The data to be sent again has arrived after all. */
	if (f->cur == msg && f->cur_pkt < to)
		f->cur_pkt = to;
	if (f->una == cursor_psn(f))
		f->in_flight = 0;
	reads_done_until(f);
}

/* An answer to a later request means that the answer to this READ was lost. */
static void read_was_jumped(struct softhca_flow *f)
{
	if (f->implied_nak)
		return;
	softhca_count(f->qp, SOFTHCA_COUNT_IMPLIED_NAK);
	softhca_flow_go_back(f);
	f->implied_nak = true;
}

/*
 * All requests up to and including psn have been executed. True if none of the READs and atomics
 * among them still waits for its data.
 */
static bool acknowledged(struct softhca_flow *f, uint32_t psn)
{
	bool moved = false;
	bool whole = true;

	while (f->head && softhca_psn_cmp(f->una, psn) <= 0) {
		struct softhca_msg *const msg = f->head;

		if (softhca_is_rd_atomic(msg)) {
			whole = false;
			break;
		}
		if (softhca_psn_cmp(psn, msg->last_psn) < 0) {
			advance_una(f, ((psn - msg->first_psn) & SOFTHCA_PSN_MASK) + 1);
			moved = true;
			break;
		}
		advance_una(f, msg->req.npkts);
		moved = true;
		softhca_flow_finish_head(f, SOFTHCA_OK, 0);
	}
	if (moved)
		softhca_flow_progress(f);
	if (!whole)
		read_was_jumped(f);
	return whole;
}

/* Acknowledges what precedes psn. True if the flow then waits for exactly psn. */
static bool now_waits_for(struct softhca_flow *f, uint32_t psn)
{
	const int32_t ahead = softhca_psn_cmp(psn, f->una);

	if (ahead < 0)
		return false; /* an old one */
	if (ahead > 0 && !acknowledged(f, (psn - 1) & SOFTHCA_PSN_MASK))
		return false;
	return f->head && f->una == psn;
}

static void head_failed(struct softhca_flow *f, uint8_t syndrome, uint8_t vendor)
{
	softhca_flow_finish_head(f, syndrome, vendor);
}

static void nak_received(struct softhca_flow *f, const struct softhca_pkt *pkt)
{
	if (!now_waits_for(f, pkt->psn))
		return;
	switch (pkt->syndrome) {
	case SOFTHCA_NAK_PSN:
		/* The responder repeats itself until it sees the packets that were sent again. */
		if (f->far && pkt->psn == f->back_psn && softhca_tp_now() < f->back_until)
			return;
		softhca_count(f->qp, SOFTHCA_COUNT_PACKET_SEQ_ERR);
		softhca_flow_go_back(f);
		return;
	case SOFTHCA_NAK_INVALID_REQ:
		softhca_count(f->qp, SOFTHCA_COUNT_REQ_REMOTE_INVALID);
		head_failed(f, SOFTHCA_REMOTE_INVAL_REQ, 0);
		return;
	case SOFTHCA_NAK_REMOTE_ACCESS:
		softhca_count(f->qp, SOFTHCA_COUNT_REQ_REMOTE_ACCESS);
		head_failed(f, SOFTHCA_REMOTE_ACCESS, SOFTHCA_VENDOR_ACCESS);
		return;
	case SOFTHCA_NAK_REMOTE_OP:
		head_failed(f, SOFTHCA_REMOTE_OP, 0);
		return;
	default:
		return; /* reserved: no meaning, no effect */
	}
}

static void rnr_received(struct softhca_flow *f, const struct softhca_pkt *pkt)
{
	const struct softhca_peer peer = {f->peer_ip, f->peer_qpn};

	/* One RNR NAK causes one retry. A second one for the same PSN during the wait is a copy. */
	if (!now_waits_for(f, pkt->psn) || f->rnr_until != SOFTHCA_NEVER)
		return;
	if (f->qp->attr.rnr_retry < 7) { /* 7: for ever */
		if (!f->rnr_retries) {
			head_failed(f, SOFTHCA_RNR_RETRY_EXC, 0);
			return;
		}
		f->rnr_retries--;
	} else if (softhca_patience_ends(f->qp->dev, &f->rnr, softhca_tp_now())) {
		softhca_tell_repeats(f->qp, &peer, f->head->wqe_index);
	}
	softhca_count(f->qp, SOFTHCA_COUNT_RNR_NAK);
	/* The peer is alive. Only time-outs without an answer between them count for retry_cnt. */
	f->retries = f->qp->attr.retry_cnt;
	f->silent_since = 0;
	softhca_flow_go_back(f);
	f->timeout_at = f->probe_at = SOFTHCA_NEVER;
	f->rnr_until = softhca_tp_now() + rnr_delay_ns(pkt->syndrome & SOFTHCA_AETH_VALUE);
	softhca_tp_want_timer(f);
}

static void ack_received(struct softhca_flow *f, const struct softhca_pkt *pkt)
{
	switch (pkt->syndrome & SOFTHCA_AETH_KIND) {
	case SOFTHCA_AETH_ACK:
		if (softhca_psn_cmp(pkt->psn, f->una) >= 0)
			acknowledged(f, pkt->psn);
		return;
	case SOFTHCA_AETH_RNR:
		rnr_received(f, pkt);
		return;
	case SOFTHCA_AETH_NAK:
		nak_received(f, pkt);
		return;
	default:
		return;
	}
}

static void read_data(struct softhca_flow *f, const struct softhca_pkt *pkt)
{
	const uint64_t mtu = softhca_tp_mtu(f->qp);
	struct softhca_msg *msg;
	uint64_t offset, want;
	uint32_t index;
	int syndrome;

	if (!now_waits_for(f, pkt->psn) || f->head->kind != SOFTHCA_MSG_READ)
		return;
	msg = f->head;
	index = (pkt->psn - msg->first_psn) & SOFTHCA_PSN_MASK;
	offset = index * mtu;
	want = msg->length - offset < mtu ? msg->length - offset : mtu;
	if (pkt->payload_len != want) {
		head_failed(f, SOFTHCA_BAD_RESP, 0);
		return;
	}
	if (want) {
		syndrome = softhca_msg_scatter(f->qp, msg, offset, pkt->payload, want);
		if (syndrome) {
			head_failed(f, (uint8_t)syndrome, 0);
			return;
		}
	}
	advance_una(f, index + 1);
	if (index + 1 == msg->req.npkts)
		softhca_flow_finish_head(f, SOFTHCA_OK, 0);
	softhca_flow_progress(f);
}

static void atomic_data(struct softhca_flow *f, const struct softhca_pkt *pkt)
{
	struct softhca_msg *msg;
	uint8_t bytes[8];
	int syndrome;

	if (!now_waits_for(f, pkt->psn) || f->head->kind != SOFTHCA_MSG_ATOMIC)
		return;
	msg = f->head;
	/* 8 bytes arrive in the host's order (the choice of drivers), 4 bytes do not. */
	if (msg->atomic.size == 4) {
		const uint32_t v = softhca_contrary(SOFTHCA_CONTRARY_ATOMIC_4)
					   ? (uint32_t)pkt->atomic_orig
					   : htobe32((uint32_t)pkt->atomic_orig);

		memcpy(bytes, &v, sizeof(v));
	} else {
		const uint64_t v = softhca_contrary(SOFTHCA_CONTRARY_ATOMIC_8)
					   ? htobe64(pkt->atomic_orig)
					   : pkt->atomic_orig;

		memcpy(bytes, &v, sizeof(bytes));
	}
	syndrome = softhca_msg_scatter(f->qp, msg, 0, bytes, msg->atomic.size == 4 ? 4 : 8);
	if (syndrome) {
		head_failed(f, (uint8_t)syndrome, 0);
		return;
	}
	advance_una(f, 1);
	softhca_flow_finish_head(f, SOFTHCA_OK, 0);
	softhca_flow_progress(f);
}

static struct softhca_flow *flow_of_response(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	struct softhca_requester *const r = qp->req;
	struct softhca_flow *f;

	if (!r)
		return NULL;
	f = softhca_flow_find(r, qp->type == SOFTHCA_QP_DCI ? pkt->dc_stream : 0);
	if (!f)
		return NULL;
	if (qp->type == SOFTHCA_QP_DCI && (!f->connected || f->session != pkt->dc_session))
		return NULL;
	/* Only the peer may answer, and only what was requested. */
	if (pkt->src_ip != f->peer_ip || softhca_psn_cmp(pkt->psn, f->snd_max) >= 0)
		return NULL;
	return f;
}

void softhca_req_response(struct softhca_qp *qp, const struct softhca_pkt *pkt)
{
	struct softhca_flow *const f = flow_of_response(qp, pkt);

	if (!f || !f->head)
		return;
	switch (pkt->op) {
	case SOFTHCA_OP_ACK:
		ack_received(f, pkt);
		return;
	case SOFTHCA_OP_ATOMIC_ACK:
		atomic_data(f, pkt);
		return;
	default:
		read_data(f, pkt);
		return;
	}
}

/* ---- timers ---- */

static void begin_silence(struct softhca_flow *f, struct softhca_wire *wire, uint64_t now)
{
	struct softhca_process process;

	f->silent_since = now;
	f->silent_had_ns = softhca_wire_process(wire, f->peer_ip, &process) ? process.had_ns
									    : SOFTHCA_NEVER;
}

/*
 * A process that waits for a processor counts as silent only while it has had one. A process that
 * sleeps or was stopped would not answer even with all processors.
 */
static uint64_t silence_ns(struct softhca_flow *f, struct softhca_wire *wire, uint64_t now)
{
	struct softhca_process process;

	if (now - f->silent_since <= GRACE_NS || f->silent_had_ns == SOFTHCA_NEVER ||
	    !softhca_wire_process(wire, f->peer_ip, &process) || !process.wants_cpu ||
	    process.had_ns < f->silent_had_ns)
		return now - f->silent_since;
	return process.had_ns - f->silent_had_ns;
}

/*
 * Hardware answers in microseconds, but a process without a CPU does not. A time-out counts as a
 * retry if the peer's device has answered a ping sent after the packet, so that it must have had
 * the packet, and if its socket has lost nothing. Other time-outs do not count until GRACE_NS of
 * silence or of losses altogether. A time-out that is noticed late does not count either: this
 * process had no CPU then, and the answer may be in its socket.
 */
static bool counts(struct softhca_flow *f, uint64_t now)
{
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->qp->attr.port_num);
	enum softhca_answer answer = SOFTHCA_ANSWER_NOBODY;

	if (wire)
		answer = softhca_wire_answer(wire, f->peer_ip, f->mark, f->silent_since);
	if (answer == SOFTHCA_ANSWER_NOBODY)
		return true;
	if (answer == SOFTHCA_ANSWER_YES && now - f->timeout_at <= LATE_NS)
		return true;
	if (!f->silent_since || answer == SOFTHCA_ANSWER_OTHER)
		begin_silence(f, wire, now);
	return silence_ns(f, wire, now) > GRACE_NS;
}

static void timed_out(struct softhca_flow *f, uint64_t now)
{
	if (counts(f, now)) {
		if (!f->retries && !softhca_mig_try(f->qp)) {
			softhca_flow_finish_head(f, SOFTHCA_RETRY_EXC, SOFTHCA_VENDOR_RETRY);
			return;
		}
		f->retries -= f->retries != 0;
	}
	softhca_count(f->qp, SOFTHCA_COUNT_ACK_TIMEOUT);
	f->timeout_at = f->probe_at = SOFTHCA_NEVER; /* sending starts them again */
	f->implied_nak = false;
	f->ask = true;
	softhca_flow_go_back(f);
}

/* A peer without a processor to handle it does not need it twice, and is asked less often. */
static void probe(struct softhca_flow *f, uint64_t now)
{
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->qp->attr.port_num);
	const bool again = !wire || softhca_wire_wants_again(wire, f->peer_ip, f->mark);

	if (again) {
		softhca_count(f->qp, SOFTHCA_COUNT_ADAPTIVE_RETRANS);
		softhca_flow_go_back(f);
		f->implied_nak = false;
		f->window = PROBE_WINDOW;
		f->ask = true; /* after it */
	} else {
		softhca_wire_ping(wire, f->peer_ip);
	}
	if (f->probe_ns < (again ? PROBE_MAX_NS : SILENT_MAX_NS))
		f->probe_ns *= 2;
	f->probe_at = now + f->probe_ns;
}

uint64_t softhca_flow_timers(struct softhca_flow *f, uint64_t now)
{
	if (f->rnr_until <= now) {
		f->rnr_until = SOFTHCA_NEVER;
		softhca_tp_want_tx(f);
	}
	if (f->head && f->timeout_at <= now)
		timed_out(f, now);
	else if (f->head && f->probe_at <= now)
		probe(f, now);
	return softhca_flow_first_timer(f);
}
