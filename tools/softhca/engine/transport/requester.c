/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending half of the requester: messages become packets. req_response.c handles the answers. */
#include "transport.h"
#include "tools/softhca/engine/packet/clear.h"

#include <endian.h>
#include <stdlib.h>
#include <time.h>

#include "segue/gen/enums.h"

/* Cost of a packet for the receiving socket in addition to its bytes. */
#define PACKET_COST	       256u
/* Largest amount sent before an acknowledgement is requested. */
#define ACK_EVERY	       (32u * 1024)
/*
 * A longer READ becomes several READ requests, so that responses stay within the window. Between
 * hosts, where responses get lost, the window is smaller.
 */
#define READ_CHUNK	       (64u * 1024)
#define READ_CHUNK_HOSTS       (16u * 1024)
/* Amount that an unreliable queue sends in one turn. The receiver needs a chance to read. */
#define UNRELIABLE_TURN	       (128u * 1024)
/*
 * The peer is a process that may have to wait for a CPU. Shorter time-outs would measure the
 * scheduler, not the network.
 */
#define TIMEOUT_MIN_NS	       8000000u
/*
 * Time to wait for room at a receiver that exists and does not answer. A reliable connection
 * repeats lost data, so it may wait less.
 */
#define PATIENCE_RELIABLE_NS   20000000u
#define PATIENCE_UNRELIABLE_NS UINT64_C(10000000000)

static struct softhca_requester *req_of(struct softhca_qp *qp)
{
	return qp->req;
}

static uint32_t packets_of(const struct softhca_flow *f, const struct softhca_msg *msg)
{
	const uint32_t mtu = softhca_tp_mtu(f->qp);

	if (msg->kind == SOFTHCA_MSG_ATOMIC || f->qp->type == SOFTHCA_QP_UD || msg->length <= mtu)
		return 1;
	return (uint32_t)((msg->length + mtu - 1) / mtu);
}

/* ---- flows ---- */

struct softhca_flow *softhca_flow_new(struct softhca_qp *qp, uint16_t stream)
{
	struct softhca_requester *const r = req_of(qp);
	struct softhca_flow *f = calloc(1, sizeof(*f));

	if (!f)
		return NULL;
	if (softhca_timers_reserve()) {
		free(f);
		return NULL;
	}
	f->qp = qp;
	f->stream = stream;
	f->post_psn = qp->attr.sq_psn & SOFTHCA_PSN_MASK;
	softhca_flow_reset(f);
	f->next = r->all;
	f->hash_next = r->hash[stream % SOFTHCA_FLOW_BUCKETS];
	r->all = r->hash[stream % SOFTHCA_FLOW_BUCKETS] = f;
	return f;
}

struct softhca_flow *softhca_flow_find(struct softhca_requester *r, uint16_t stream)
{
	struct softhca_flow *f = r->hash[stream % SOFTHCA_FLOW_BUCKETS];

	while (f && f->stream != stream)
		f = f->hash_next;
	return f;
}

/* Drops all posted messages. PSNs go on from where they were. */
void softhca_flow_reset(struct softhca_flow *f)
{
	softhca_list_del(&f->tx);
	softhca_timers_stop(f);
	f->head = f->tail = f->cur = NULL;
	f->cur_pkt = 0;
	f->failed = false;
	f->una = f->snd_max = f->post_psn;
	f->in_flight = f->since_ack = 0;
	softhca_flow_settle(f);
	while (f->rd_count)
		softhca_flow_read_done(f);
	f->implied_nak = false;
	f->timeout_at = f->probe_at = f->rnr_until = SOFTHCA_NEVER;
	f->silent_since = 0;
	f->retries = f->qp->attr.retry_cnt;
	f->rnr_retries = f->qp->attr.rnr_retry;
	f->rnr.since = 0;
	f->connected = false;
}

void softhca_flow_free(struct softhca_flow *f)
{
	if (!f)
		return;
	softhca_list_del(&f->tx);
	softhca_timers_stop(f);
	softhca_timers_unreserve();
	free(f);
}

static struct softhca_flow *flow_of(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	struct softhca_requester *const r = req_of(qp);
	/* A DCI without streams ignores the number, like real cards. perftest increments it. */
	const uint16_t stream = r && r->streams ? msg->stream : 0;
	struct softhca_flow *f;

	if (!r)
		return NULL;
	f = softhca_flow_find(r, stream);
	return f ? f : softhca_flow_new(qp, stream);
}

/* ---- arithmetic of packets under way ---- */

uint32_t softhca_flow_cost(const struct softhca_flow *f, const struct softhca_msg *msg,
			   uint32_t from, uint32_t to)
{
	const uint64_t mtu = softhca_tp_mtu(f->qp);
	const uint64_t begin = from * mtu < msg->length ? from * mtu : msg->length;
	const uint64_t end = to * mtu < msg->length ? to * mtu : msg->length;

	return (uint32_t)(end - begin) + (to - from) * PACKET_COST;
}

static void mark_sent(struct softhca_flow *f)
{
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->qp->attr.port_num);

	f->mark = wire ? softhca_wire_mark(wire, f->peer_ip) : 0;
	if (f->ask && wire)
		softhca_wire_ping(wire, f->peer_ip); /* after the packets that it asks about */
	f->ask = false;
}

static void timer_start(struct softhca_flow *f)
{
	const uint64_t now = softhca_tp_now();
	const uint8_t exponent = f->qp->attr.timeout & 31;
	uint64_t t = 4096ull << exponent;

	if (t < TIMEOUT_MIN_NS)
		t = TIMEOUT_MIN_NS;
	f->timeout_at = exponent ? now + t : SOFTHCA_NEVER;
	f->probe_at = now + f->probe_ns;
	mark_sent(f);
	softhca_tp_want_timer(f);
}

/*
 * After an acknowledgement the retry counters start again, the window opens, and the timers run for
 * the messages that are still under way.
 */
void softhca_flow_progress(struct softhca_flow *f)
{
	f->retries = f->qp->attr.retry_cnt;
	f->rnr_retries = f->qp->attr.rnr_retry;
	f->rnr.since = 0;
	f->rnr_until = SOFTHCA_NEVER;
	softhca_flow_timed(f);
	f->silent_since = 0;
	f->implied_nak = false;
	softhca_flow_open_window(f);
	if (f->una == f->snd_max)
		f->timeout_at = f->probe_at = SOFTHCA_NEVER;
	else
		timer_start(f);
	softhca_tp_want_tx(f);
}

void softhca_flow_read_done(struct softhca_flow *f)
{
	/* The queue pair may have been reset by now, and have other attributes. */
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->rd_port);

	if (wire)
		softhca_wire_asked(wire, -(int64_t)f->rd_cost[f->rd_head]);
	f->rd_head = (f->rd_head + 1) % SOFTHCA_RD_ATOMIC_MAX;
	f->rd_count--;
}

/* Moves the cursor to una, so that everything from there is sent again. */
void softhca_flow_go_back(struct softhca_flow *f)
{
	f->in_flight = f->since_ack = 0;
	while (f->rd_count)
		softhca_flow_read_done(f);
	f->cur = f->head;
	f->cur_pkt = f->head ? (f->una - f->head->first_psn) & SOFTHCA_PSN_MASK : 0;
	f->failed = false; /* it is found again in its turn */
	softhca_flow_halve_window(f);
	softhca_flow_untime(f);
	f->back_psn = f->una;
	f->back_until = softhca_tp_now() + softhca_flow_round_trip(f);
	softhca_tp_want_tx(f);
}

void softhca_flow_finish_head(struct softhca_flow *f, uint8_t syndrome, uint8_t vendor)
{
	struct softhca_msg *const msg = f->head;

	f->head = msg->req.next;
	if (f->head)
		__builtin_prefetch(f->head); /* posted long ago, and probably acknowledged too */
	else
		f->tail = NULL;
	if (f->cur == msg) {
		f->cur = f->head;
		f->cur_pkt = 0;
		f->failed = false;
	}
	/* This may post more, or, with an error, stop this flow. */
	softhca_sq_complete(f->qp, msg, syndrome, vendor);
}

/* Completes a message that could not be gathered, in its turn. */
static void check_failed(struct softhca_flow *f)
{
	if (f->failed && f->cur && f->cur == f->head)
		softhca_flow_finish_head(f, (uint8_t)f->cur->req.retries, 0);
}

/* Fails the message under the cursor. Those before it may still succeed. */
static void fail_current(struct softhca_flow *f, uint8_t syndrome)
{
	f->failed = true;
	f->cur->req.retries = syndrome;
}

/* ---- one packet ---- */

static uint8_t send_opcode(const struct softhca_msg *msg, bool first, bool last)
{
	if (!last)
		return first ? SOFTHCA_OP_SEND_FIRST : SOFTHCA_OP_SEND_MIDDLE;
	if (msg->has_imm)
		return first ? SOFTHCA_OP_SEND_ONLY_IMM : SOFTHCA_OP_SEND_LAST_IMM;
	if (msg->has_inv)
		return first ? SOFTHCA_OP_SEND_ONLY_INV : SOFTHCA_OP_SEND_LAST_INV;
	return first ? SOFTHCA_OP_SEND_ONLY : SOFTHCA_OP_SEND_LAST;
}

static uint8_t write_opcode(const struct softhca_msg *msg, bool first, bool last)
{
	if (!last)
		return first ? SOFTHCA_OP_WRITE_FIRST : SOFTHCA_OP_WRITE_MIDDLE;
	if (msg->has_imm)
		return first ? SOFTHCA_OP_WRITE_ONLY_IMM : SOFTHCA_OP_WRITE_LAST_IMM;
	return first ? SOFTHCA_OP_WRITE_ONLY : SOFTHCA_OP_WRITE_LAST;
}

static void fill_common(const struct softhca_flow *f, const struct softhca_msg *msg,
			struct softhca_pkt *pkt)
{
	struct softhca_qp *const qp = f->qp;

	softhca_clear(pkt, sizeof(*pkt));
	pkt->transport = softhca_tp_transport(qp);
	pkt->migreq = qp->attr.path_mig_state == IBV_MIG_MIGRATED;
	pkt->dscp = softhca_tp_dscp(qp, msg->dest ? &msg->dest->av : &qp->av);
	pkt->net = softhca_tp_net(qp, msg->dest ? &msg->dest->av : &qp->av);
	pkt->pkey = softhca_tp_pkey(qp);
	pkt->dst_ip = f->peer_ip;
	pkt->dqpn = f->peer_qpn;
	pkt->psn = softhca_psn_add(msg->first_psn, f->cur_pkt);
	switch (qp->type) {
	case SOFTHCA_QP_DCI:
		pkt->dc_key = f->peer_key;
		pkt->dc_session = f->session;
		pkt->dc_stream = f->stream;
		pkt->dc_start_psn = f->start_psn;
		pkt->sqpn = qp->qpn;
		break;
	case SOFTHCA_QP_XRC_INI:
		pkt->xrc_srqn = msg->xrc_srqn;
		break;
	case SOFTHCA_QP_UD:
		pkt->sqpn = qp->qpn;
		pkt->qkey = msg->dest->qkey;
		softhca_tp_fill_path(qp, &msg->dest->av, pkt);
		break;
	default:
		break;
	}
}

/* `timed`: the receiver answers the first of them at once. */
static void note_sent(struct softhca_flow *f, uint32_t packets, uint32_t cost, bool timed)
{
	const uint32_t next = softhca_psn_add(f->cur->first_psn, f->cur_pkt + packets);

	if (f->timeout_at == SOFTHCA_NEVER && f->probe_at == SOFTHCA_NEVER &&
	    softhca_qp_reliable(f->qp)) {
		softhca_flow_find_way(f);
		timer_start(f);
	} else if (f->ask) {
		mark_sent(f);
	}
	if (softhca_psn_cmp(next, f->snd_max) > 0) {
		f->snd_max = next;
		if (timed)
			softhca_flow_time(f, softhca_psn_add(f->cur->first_psn, f->cur_pkt));
	}
	f->in_flight += cost;
	f->cur_pkt += packets;
}

/*
 * Returns whether this packet is the last one for now, so that only an acknowledgement brings the
 * next. A DCI's next message may be for another target.
 */
static bool wants_ack(const struct softhca_flow *f, const struct softhca_msg *msg, bool last,
		      uint32_t cost)
{
	if (!softhca_qp_reliable(f->qp))
		return false;
	return (last && (msg == f->tail || f->qp->type == SOFTHCA_QP_DCI)) ||
	       f->in_flight + cost >= f->window || f->since_ack + cost >= ACK_EVERY;
}

/* Sends a packet with payload: SEND or RDMA WRITE. False: it cannot be sent. */
static bool send_payload(struct softhca_flow *f, struct softhca_wire *wire)
{
	struct softhca_msg *const msg = f->cur;
	const uint32_t mtu = softhca_tp_mtu(f->qp);
	const uint64_t offset = (uint64_t)f->cur_pkt * mtu;
	const bool first = f->cur_pkt == 0, last = f->cur_pkt + 1 == msg->req.npkts;
	const uint32_t cost = softhca_flow_cost(f, msg, f->cur_pkt, f->cur_pkt + 1);
	struct softhca_pkt pkt;
	struct softhca_place place;
	int syndrome;

	fill_common(f, msg, &pkt);
	pkt.op = msg->kind == SOFTHCA_MSG_WRITE ? write_opcode(msg, first, last)
						: send_opcode(msg, first, last);
	pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
	softhca_pkt_add_neteth(&pkt);
	pkt.solicited = last && msg->solicited;
	pkt.ack_req = wants_ack(f, msg, last, cost);
	pkt.raddr = msg->raddr;
	pkt.rkey = msg->rkey;
	pkt.dma_len = (uint32_t)msg->length;
	pkt.imm = be32toh(msg->imm);
	pkt.inv_rkey = msg->inv_key;
	pkt.payload_len = (uint32_t)(last ? msg->length - offset : mtu);
	place = softhca_wire_reserve(wire, pkt.dst_ip);
	if (pkt.payload_len) {
		syndrome = softhca_msg_gather(f->qp, msg, offset,
					      place.data + softhca_pkt_hdr_size(pkt.hdrs),
					      pkt.payload_len);
		if (syndrome) {
			fail_current(f, (uint8_t)syndrome);
			return false;
		}
	}
	softhca_wire_commit(wire, &place, &pkt);
	softhca_pace_spend(f->qp, softhca_pkt_hdr_size(pkt.hdrs) + pkt.payload_len);
	f->since_ack = pkt.ack_req ? 0 : f->since_ack + cost;
	note_sent(f, 1, cost, pkt.ack_req);
	return true;
}

static void rd_push(struct softhca_flow *f, struct softhca_wire *wire, uint32_t end_psn,
		    uint32_t cost)
{
	const uint32_t i = (f->rd_head + f->rd_count) % SOFTHCA_RD_ATOMIC_MAX;

	f->rd_end[i] = end_psn;
	f->rd_cost[i] = cost;
	f->rd_port = f->qp->attr.port_num;
	f->rd_count++;
	softhca_wire_asked(wire, cost);
}

static uint32_t read_chunk(void)
{
	return softhca_wire_has_hosts() ? READ_CHUNK_HOSTS : READ_CHUNK;
}

/*
 * Sends one READ request for the rest of the cursor's chunk. A repeated request begins at the same
 * places as the first. A request that overlaps both executed and new parts would be neither old nor
 * new to the responder.
 */
static void send_read(struct softhca_flow *f, struct softhca_wire *wire)
{
	struct softhca_msg *const msg = f->cur;
	const uint32_t mtu = softhca_tp_mtu(f->qp);
	const uint64_t offset = (uint64_t)f->cur_pkt * mtu;
	const uint32_t most = read_chunk() / mtu;
	uint32_t n = most - f->cur_pkt % most;
	struct softhca_pkt pkt;
	uint32_t cost;

	if (n > msg->req.npkts - f->cur_pkt)
		n = msg->req.npkts - f->cur_pkt;
	fill_common(f, msg, &pkt);
	pkt.op = SOFTHCA_OP_READ_REQUEST;
	pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
	pkt.ack_req = true;
	pkt.raddr = msg->raddr + offset;
	pkt.rkey = msg->rkey;
	pkt.dma_len = (uint32_t)(msg->length - offset < (uint64_t)n * mtu ? msg->length - offset
									  : (uint64_t)n * mtu);
	softhca_wire_send(wire, &pkt);
	cost = softhca_flow_cost(f, msg, f->cur_pkt, f->cur_pkt + n);
	rd_push(f, wire, softhca_psn_add(pkt.psn, n - 1), cost);
	note_sent(f, n, cost, true);
}

static void send_atomic(struct softhca_flow *f, struct softhca_wire *wire)
{
	struct softhca_msg *const msg = f->cur;
	const struct softhca_atomic *const a = &msg->atomic;
	struct softhca_pkt pkt;

	fill_common(f, msg, &pkt);
	if (a->masked)
		pkt.op = a->is_fadd ? SOFTHCA_OP_MASKED_FA : SOFTHCA_OP_MASKED_CS;
	else
		pkt.op = a->is_fadd ? SOFTHCA_OP_FETCH_ADD : SOFTHCA_OP_CMP_SWAP;
	pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
	pkt.ack_req = true;
	pkt.raddr = msg->raddr;
	pkt.rkey = msg->rkey;
	pkt.dma_len = a->size;
	pkt.swap_add = a->swap_add;
	pkt.compare = a->compare;
	pkt.swap_mask = a->is_fadd ? a->add_boundary : a->swap_mask;
	pkt.compare_mask = a->compare_mask;
	softhca_wire_send(wire, &pkt);
	rd_push(f, wire, pkt.psn, PACKET_COST);
	note_sent(f, 1, PACKET_COST, true);
}

/* ---- limits of sending ---- */

/* Chooses the peer of the next message. False: it must wait until the session is quiet. */
static bool choose_peer(struct softhca_flow *f)
{
	struct softhca_qp *const qp = f->qp;
	const struct softhca_msg *const msg = f->cur;
	const struct softhca_av *const av = msg->dest ? &msg->dest->av : &qp->av;
	const struct softhca_port *const port = &qp->dev->port[qp->attr.port_num];
	const bool group = qp->type == SOFTHCA_QP_UD && msg->dest->dqpn == SEGUE_MULTICAST_QPN;
	const uint32_t ip = group ? softhca_mgid_to_ip(av->dgid.raw) : softhca_tp_av_ip(port, av);
	struct timespec t;

	if (qp->type != SOFTHCA_QP_DCI) {
		f->peer_ip = ip;
		f->peer_qpn = msg->dest ? msg->dest->dqpn : qp->attr.dest_qp_num;
		return true;
	}
	if (f->connected && f->peer_ip == ip && f->peer_qpn == msg->dest->dqpn &&
	    f->peer_key == msg->dest->dckey)
		return true;
	if (f->head != msg || f->una != msg->first_psn)
		return false;
	/* Real time, so that a later process with our address and number has later sessions. */
	clock_gettime(CLOCK_REALTIME, &t);
	f->session = (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
	if (f->session <= the_transport.last_session)
		f->session = the_transport.last_session + 1;
	the_transport.last_session = f->session;
	f->connected = true;
	f->peer_ip = ip;
	f->peer_qpn = msg->dest->dqpn;
	f->peer_key = msg->dest->dckey;
	f->start_psn = msg->first_psn;
	return true;
}

/* At least one, also for an attribute of 0, because the device gets a logarithm (log_sra_max). */
static uint32_t rd_limit(const struct softhca_flow *f)
{
	const uint32_t n = softhca_rd_depth(f->qp->attr.max_rd_atomic);

	return !n ? 1 : n < SOFTHCA_RD_ATOMIC_MAX ? n : SOFTHCA_RD_ATOMIC_MAX;
}

/* Checks the room in the receiver's socket, and in our own for the data of a READ. */
static bool has_room(const struct softhca_flow *f, struct softhca_wire *wire)
{
	const bool reliable = softhca_qp_reliable(f->qp);

	if (f->cur->kind == SOFTHCA_MSG_READ && !softhca_wire_may_ask(wire, read_chunk()))
		return false;
	return !f->peer_ip ||
	       softhca_wire_ready(wire, f->peer_ip,
				  reliable ? PATIENCE_RELIABLE_NS : PATIENCE_UNRELIABLE_NS);
}

static bool may_send(struct softhca_flow *f, struct softhca_wire *wire)
{
	const struct softhca_msg *const msg = f->cur;

	if (!msg || f->failed || f->rnr_until != SOFTHCA_NEVER || f->in_flight >= f->window)
		return false;
	if (f->qp->state != IBV_QPS_RTS && f->qp->state != IBV_QPS_SQD)
		return false;
	if (softhca_psn_cmp(msg->first_psn, f->una) > (int32_t)SOFTHCA_PSN_WINDOW / 2)
		return false;
	if (softhca_is_rd_atomic(msg) && f->rd_count >= rd_limit(f))
		return false;
	if (f->cur_pkt == 0 && !choose_peer(f))
		return false;
	if (!softhca_pace_ready(f->qp))
		return false;
	if (msg->late && softhca_tp_now() < msg->watch.ready_ns) {
		softhca_tp_want_tx_at(f, msg->watch.ready_ns);
		return false;
	}
	if (has_room(f, wire))
		return true;
	softhca_tp_want_tx_later(f);
	return false;
}

static void advance_cursor(struct softhca_flow *f)
{
	if (f->cur_pkt == f->cur->req.npkts) {
		f->cur = f->cur->req.next;
		f->cur_pkt = 0;
	}
}

static void transmit_reliable(struct softhca_flow *f, struct softhca_wire *wire)
{
	while (may_send(f, wire)) {
		if (f->cur->kind == SOFTHCA_MSG_READ)
			send_read(f, wire);
		else if (f->cur->kind == SOFTHCA_MSG_ATOMIC)
			send_atomic(f, wire);
		else if (!send_payload(f, wire))
			break;
		advance_cursor(f);
	}
	check_failed(f);
}

/* There are no answers, so a message is complete when its last packet has left. */
static void transmit_unreliable(struct softhca_flow *f, struct softhca_wire *wire)
{
	f->in_flight = 0;
	while (f->cur && !f->failed && f->in_flight < UNRELIABLE_TURN && may_send(f, wire)) {
		struct softhca_msg *const msg = f->cur;

		if (f->qp->type == SOFTHCA_QP_UD && msg->length > softhca_tp_mtu(f->qp)) {
			fail_current(f, SOFTHCA_LOCAL_LENGTH);
			break;
		}
		/* An unreliable flow has no address before, and the address may have no owner. */
		if (!f->peer_ip)
			note_sent(f, msg->req.npkts - f->cur_pkt, PACKET_COST, false);
		else if (!send_payload(f, wire))
			break;
		if (f->cur_pkt == msg->req.npkts) {
			f->una = f->snd_max;
			softhca_flow_finish_head(f, SOFTHCA_OK, 0);
		}
	}
	check_failed(f);
	if (f->cur && !f->failed && !f->qp->pace_until)
		softhca_tp_want_tx(f);
}

void softhca_flow_transmit(struct softhca_flow *f)
{
	struct softhca_wire *const wire = softhca_tp_wire(f->qp, f->qp->attr.port_num);

	if (!wire)
		return;
	if (softhca_qp_reliable(f->qp))
		transmit_reliable(f, wire);
	else
		transmit_unreliable(f, wire);
}

/* ---- the contract with sq.c ---- */

void softhca_req_post(struct softhca_qp *qp, struct softhca_msg *msg)
{
	struct softhca_flow *const f = flow_of(qp, msg);

	if (!f) {
		/* There is no memory for another stream. */
		softhca_sq_complete(qp, msg, SOFTHCA_LOCAL_QP_OP, 0);
		return;
	}
	msg->req.next = NULL;
	msg->req.retries = 0;
	msg->req.npkts = packets_of(f, msg);
	msg->first_psn = f->post_psn;
	msg->last_psn = softhca_psn_add(f->post_psn, msg->req.npkts - 1);
	f->post_psn = softhca_psn_add(f->post_psn, msg->req.npkts);
	if (f->tail)
		f->tail->req.next = msg;
	else
		f->head = msg;
	f->tail = msg;
	if (!f->cur) {
		f->cur = msg;
		f->cur_pkt = 0;
	}
	softhca_tp_want_tx(f);
}

void softhca_req_kick(struct softhca_qp *qp)
{
	struct softhca_requester *const r = req_of(qp);
	struct softhca_wire *const wire = softhca_tp_wire(qp, qp->attr.port_num);

	for (struct softhca_flow *f = r ? r->all : NULL; f; f = f->next)
		if (f->cur)
			softhca_flow_transmit(f);
	if (wire)
		softhca_wire_flush(wire);
}

void softhca_req_wake(struct softhca_qp *qp)
{
	struct softhca_requester *const r = req_of(qp);

	for (struct softhca_flow *f = r ? r->all : NULL; f; f = f->next)
		if (f->cur)
			softhca_tp_want_tx(f);
}

void softhca_req_stop(struct softhca_qp *qp)
{
	struct softhca_requester *const r = req_of(qp);

	for (struct softhca_flow *f = r ? r->all : NULL; f; f = f->next)
		softhca_flow_reset(f);
}

void softhca_req_stop_stream(struct softhca_qp *qp, uint16_t stream)
{
	struct softhca_requester *const r = req_of(qp);
	struct softhca_flow *const f = r ? softhca_flow_find(r, stream) : NULL;

	if (f)
		softhca_flow_reset(f);
}
