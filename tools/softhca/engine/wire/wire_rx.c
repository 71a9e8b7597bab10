/* SPDX-License-Identifier: BSD-2-Clause */
/* Receiving side of the wire, and the credits that keep a sender from overrunning a receiver. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "fabric.h"
#include "segue/detail/bytes.h"
#include "tools/softhca/engine/scheduler.h"
#include "wire_priv.h"

#define LOCAL_FULL (2u * 1024 * 1024)
/* Least room of a datagram in a socket's buffer. */
#define SMALLEST_COST 512u
#define BATCHES_TURN  8

/* Time after which a waiting sender asks for room, at first and later. */
#define ASK_FIRST_NS   UINT64_C(1000000)
#define ASK_MOST_NS    UINT64_C(100000000)
#define GROUP_PAUSE_NS UINT64_C(250000000)

/* ---- credits ---- */

struct peer *softhca_wire_peer(struct softhca_wire *w, uint32_t ip)
{
	struct peer *const p = &w->peers[(ip ^ ip >> 16) & (PEERS - 1)];

	if (p->ip != ip)
		*p = (struct peer){.ip = ip};
	return p;
}

static void send_link_packet(struct softhca_wire *w, struct peer *p, enum link_kind kind,
			     uint32_t mark);

/* Counts everything sent to it as gone. */
static bool forgive(struct peer *p)
{
	p->gone = p->sent;
	p->waiting_ns = 0;
	return true;
}

/* Asks from time to time, rarely later on. True: there is no receiver any more. */
static bool ask_for_room(struct softhca_wire *w, struct peer *p, uint64_t now)
{
	const uint64_t waited = now - p->waiting_ns;

	if (now < p->ask_ns)
		return false;
	p->ask_ns = now + (waited < ASK_FIRST_NS  ? ASK_FIRST_NS
			   : waited < ASK_MOST_NS ? waited
						  : ASK_MOST_NS);
	if (waited >= ASK_MOST_NS && !softhca_wire_claimed(p->ip))
		return true;
	send_link_packet(w, p, LINK_PING, p->sent);
	return false;
}

static bool local_ready(const struct softhca_wire *w)
{
	return w->local[w->filling].used + w->waiting < LOCAL_FULL;
}

bool softhca_wire_ready(struct softhca_wire *wire, uint32_t dst_ip, uint64_t patience_ns)
{
	struct softhca_wire *const local = softhca_wire_find(dst_ip);
	struct ring_out *ring;
	struct peer *p;
	uint64_t now;

	if (local)
		return local_ready(local);
	p = softhca_wire_peer(wire, dst_ip);
	ring = softhca_ring_to(wire, dst_ip);
	if (ring ? softhca_ring_room(wire, ring) : p->sent - p->gone < wire->credit) {
		p->waiting_ns = 0;
		return true;
	}
	now = softhca_now_ns();
	/* The silence counts from the first packet that needs an answer. */
	if (!p->waiting_ns) {
		p->waiting_ns = now;
		p->ask_ns = 0;
	}
	if (softhca_host_is_group(dst_ip)) /* there is no single receiver to answer */
		return now - p->waiting_ns >= GROUP_PAUSE_NS && forgive(p);
	if (now - p->waiting_ns >= patience_ns)
		return true;
	if (ring)
		return false; /* a flush finds a dead one */
	return ask_for_room(wire, p, now) && forgive(p);
}

bool softhca_wire_may_ask(const struct softhca_wire *wire, uint32_t bytes)
{
	uint64_t most = 2 * (uint64_t)wire->credit;

	/* Answers find room in a ring if no request asks for more than data leaves. */
	if (wire->ring_fd >= 0 && most > RING_BYTES / 2)
		most = RING_BYTES / 2;
	return !wire->asked || wire->asked + bytes <= most;
}

void softhca_wire_asked(struct softhca_wire *wire, int64_t bytes)
{
	wire->asked = (uint64_t)((int64_t)wire->asked + bytes);
}

static void taken_by_peer(struct peer *p, uint32_t bytes)
{
	const uint32_t under_way = p->sent - p->gone;

	p->gone += bytes < under_way ? bytes : under_way;
	p->waiting_ns = 0;
	p->heard_ns = softhca_now_ns();
}

/* The bytes that the peer had not taken out of its socket before this ping were lost. */
static void answered(struct peer *p, uint32_t mark)
{
	p->answered = mark;
	if (mark == p->gone || mark - p->gone > p->sent - p->gone)
		return;
	p->gone = p->lost = mark;
	p->has_lost = true;
}

static void link_received(struct softhca_wire *w, const struct softhca_pkt *pkt)
{
	struct peer *const p = softhca_wire_peer(w, pkt->src_ip);
	struct link_payload l;

	if (pkt->payload_len != sizeof(l))
		return;
	memcpy(&l, pkt->payload, sizeof(l));
	switch (ntohl(l.kind)) {
	case LINK_PING:
		if (w->pings_count < PINGS_MAX)
			w->pings[w->pings_count++] = (struct ping){pkt->src_ip, ntohl(l.mark)};
		return;
	case LINK_PONG:
	case LINK_CREDIT:
		taken_by_peer(p, ntohl(l.taken));
		softhca_wire_flood_credit(w, pkt->src_ip, ntohl(l.flooded));
		if (ntohl(l.kind) == LINK_PONG)
			answered(p, ntohl(l.mark));
		return;
	default:
		return;
	}
}

/* Faults and the capture do not see it, because it belongs to the link and not to the traffic. */
static void send_link_packet(struct softhca_wire *w, struct peer *p, enum link_kind kind,
			     uint32_t mark)
{
	uint8_t *const buf = softhca_wire_reserve_socket(w).data;
	const struct link_payload l = {htonl(kind), kind == LINK_PING ? 0 : htonl(p->taken),
				       kind == LINK_PING ? 0 : htonl(p->flooded), htonl(mark)};
	struct softhca_pkt pkt = {
		.src_ip = w->ip,
		.dst_ip = p->ip,
		.transport = SOFTHCA_TR_PRIVATE,
		.op = SOFTHCA_OP_CREDIT,
		.hdrs = softhca_pkt_hdrs(SOFTHCA_TR_PRIVATE, SOFTHCA_OP_CREDIT),
		.pkey = 0xffff,
		.payload_len = sizeof(l),
	};

	memcpy(buf + softhca_pkt_hdr_size(pkt.hdrs), &l, sizeof(l));
	if (kind != LINK_PING)
		p->taken = p->flooded = 0;
	softhca_wire_push(w, p->ip, softhca_pkt_encode(buf, &pkt, true));
}

void softhca_wire_pong(struct softhca_wire *wire)
{
	/* Waiting frames have left the socket, but their room is not free. */
	const enum link_kind kind = wire->waiting ? LINK_CREDIT : LINK_PONG;

	for (uint32_t i = 0; i < wire->pings_count; i++)
		send_link_packet(wire, softhca_wire_peer(wire, wire->pings[i].ip), kind,
				 wire->pings[i].mark);
	wire->pings_count = 0;
}

void softhca_wire_ping(struct softhca_wire *wire, uint32_t dst_ip)
{
	struct peer *p;

	/* Memory shows, without a packet, whether the host is there. */
	if (softhca_host_is_group(dst_ip) || softhca_wire_find(dst_ip) ||
	    softhca_ring_to(wire, dst_ip))
		return;
	p = softhca_wire_peer(wire, dst_ip);
	send_link_packet(wire, p, LINK_PING, p->sent);
}

#define BY_RING 1u /* in a mark: from a ring. Its positions are even */

uint32_t softhca_wire_mark(struct softhca_wire *wire, uint32_t dst_ip)
{
	const struct ring_out *const ring = softhca_ring_to(wire, dst_ip);

	return ring ? ring->tail | BY_RING : softhca_wire_peer(wire, dst_ip)->sent & ~BY_RING;
}

/* A receiver may stop between a packet and its answer. Packets of the other transport (ring or
 * UDP) count as handled, or as lost. */
static bool dealt(const struct ring_out *r, const struct peer *p, uint32_t mark)
{
	const uint32_t answered =
		r ? __atomic_load_n(&r->page->answered, __ATOMIC_ACQUIRE) | BY_RING : p->answered;

	return (mark & BY_RING) != (r ? BY_RING : 0) || (int32_t)(answered - mark) >= 0;
}

bool softhca_wire_wants_again(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark)
{
	const struct ring_out *const r = softhca_ring_to(wire, dst_ip);

	return softhca_wire_find(dst_ip) || dealt(r, softhca_wire_peer(wire, dst_ip), mark) ||
	       softhca_host_remote(dst_ip);
}

bool softhca_wire_has_hosts(void)
{
	return the_wire.mask != 0;
}

bool softhca_wire_far(struct softhca_wire *wire, uint32_t dst_ip)
{
	return the_wire.mask && !softhca_wire_find(dst_ip) && !softhca_ring_to(wire, dst_ip);
}

bool softhca_wire_ask_all(struct softhca_wire *w)
{
	bool any = false;

	for (struct peer *p = w->peers; p < w->peers + PEERS; p++)
		if (p->sent && !softhca_host_is_group(p->ip) &&
		    !softhca_wire_wants_again(w, p->ip, p->sent & ~BY_RING) &&
		    softhca_wire_trusts(w, p->ip) && softhca_wire_claimed(p->ip)) {
			softhca_wire_ping(w, p->ip);
			any = true;
		}
	softhca_wire_flush(w);
	return any;
}

enum softhca_answer softhca_wire_answer(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark,
					uint64_t since_ns)
{
	const struct ring_out *const r = softhca_ring_to(wire, dst_ip);
	const struct peer *const p = softhca_wire_peer(wire, dst_ip);
	/* A ring loses nothing. */
	const bool lost = r ? !(mark & BY_RING)
			    : mark & BY_RING || (p->has_lost && (int32_t)(p->lost - mark) >= 0);

	if (softhca_wire_find(dst_ip))
		return SOFTHCA_ANSWER_YES;
	if (dealt(r, p, mark))
		return lost ? SOFTHCA_ANSWER_LOST : SOFTHCA_ANSWER_YES;
	if (!softhca_wire_claimed(dst_ip))
		return SOFTHCA_ANSWER_NOBODY;
	return (r ? r->page->turned_ns : p->heard_ns) >= since_ns ? SOFTHCA_ANSWER_OTHER
								  : SOFTHCA_ANSWER_SILENT;
}

void softhca_wire_note_taken(struct softhca_wire *w, uint32_t src_ip, uint32_t dst_ip, uint32_t len)
{
	struct peer *const p = softhca_wire_peer(w, src_ip);

	if (dst_ip == w->ip)
		p->taken += len + WIRE_PACKET_COST;
	else
		p->flooded += len + WIRE_PACKET_COST;
	if (p->taken + p->flooded >= w->credit / 8)
		send_link_packet(w, p, LINK_CREDIT, 0);
}

/* ---- receiving ---- */

void softhca_wire_deliver_as(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			     uint32_t src_ip, uint32_t dst_ip, bool sealed)
{
	struct softhca_pkt pkt;

	w->current = len;
	w->deferred = false;
	if (sealed ? softhca_pkt_decode(&pkt, data, len, src_ip, dst_ip)
		   : softhca_pkt_decode_unsealed(&pkt, data, len, src_ip, dst_ip)) {
		w->stats.rx_bad++;
		return;
	}
	if (pkt.hdrs & SOFTHCA_H_CREDIT) {
		link_received(w, &pkt);
		return;
	}
	if (!w->up)
		return;
	w->stats.rx_packets++;
	w->stats.rx_multicast += dst_ip != w->ip;
	w->stats.rx_bytes += len;
	w->rx(w->arg, &pkt);
}

void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			  uint32_t src_ip, uint32_t dst_ip)
{
	softhca_wire_deliver_as(w, data, len, src_ip, dst_ip, true);
}

void softhca_wire_looked(void)
{
	the_wire.looks++;
}

uint64_t softhca_wire_looks(void)
{
	return the_wire.looks;
}

static int poll_local(struct softhca_wire *w)
{
	struct fifo *const f = &w->local[w->filling];
	uint32_t at = 0;
	int n = 0;

	if (!f->used)
		return 0;
	/* Packets caused by these go to the other queue and wait for the next turn. */
	w->filling ^= 1;
	softhca_wire_looked();
	while (at < f->used) {
		struct fifo_record record;

		memcpy(&record, f->data + at, sizeof(record));
		softhca_wire_deliver_as(w, f->data + at + sizeof(record), record.len,
					record.src_ip, w->ip, record.sealed);
		at += (uint32_t)sizeof(record) + ((record.len + 7) & ~7u);
		n++;
	}
	f->used = 0;
	return n;
}

/* Size of the datagrams that the kernel joined, or of the only one. */
static uint32_t segment_size(struct msghdr *m, uint32_t total)
{
	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c; c = CMSG_NXTHDR(m, c)) {
		int seg;

		if (c->cmsg_level != IPPROTO_UDP || c->cmsg_type != UDP_GRO)
			continue;
		memcpy(&seg, CMSG_DATA(c), sizeof(seg));
		return seg > 0 ? (uint32_t)seg : total;
	}
	return total;
}

/* Returns the number of datagrams, and of their packets. */
static int take_batch(struct softhca_wire *w, int *packets)
{
	int n;

	for (int i = 0; i < RX_BATCH; i++) {
		the_wire.rx.iov[i] = (struct iovec){the_wire.rx_buffers[i], RX_BUF};
		the_wire.rx.msgs[i].msg_hdr = (struct msghdr){
			.msg_name = &the_wire.rx.from[i],
			.msg_namelen = sizeof(the_wire.rx.from[i]),
			.msg_iov = &the_wire.rx.iov[i],
			.msg_iovlen = 1,
			.msg_control = the_wire.rx.control[i],
			.msg_controllen = sizeof(the_wire.rx.control[i]),
		};
	}
	n = recvmmsg(w->fd, the_wire.rx.msgs, RX_BATCH, 0, NULL);
	softhca_wire_looked();
	for (int i = 0; i < n; i++) {
		const uint32_t total = the_wire.rx.msgs[i].msg_len;
		const uint32_t seg = segment_size(&the_wire.rx.msgs[i].msg_hdr, total);

		if (!softhca_wire_trusts_sender(w, ntohl(the_wire.rx.from[i].sin_addr.s_addr),
						ntohs(the_wire.rx.from[i].sin_port))) {
			w->stats.rx_bad++;
			continue;
		}
		for (uint32_t at = 0; at < total; at += seg, ++*packets) {
			const uint32_t len = total - at < seg ? total - at : seg;
			const uint32_t src_ip = ntohl(the_wire.rx.from[i].sin_addr.s_addr);

			softhca_wire_deliver(w, the_wire.rx_buffers[i] + at, len, src_ip, w->ip);
			if (!w->deferred)
				softhca_wire_note_taken(w, src_ip, w->ip, len);
		}
	}
	return n;
}

void softhca_wire_empty_socket(struct softhca_wire *w)
{
	/* Others may send without end. The present content is at most what a socket holds. */
	uint32_t batches = w->credit * CREDIT_SHARE / SMALLEST_COST / RX_BATCH + 1;
	int packets = 0;

	while (batches-- && take_batch(w, &packets) == RX_BATCH)
		;
}

/* System calls cost more than everything else in a turn. */
static int poll_kernel(struct softhca_wire *w, uint64_t now)
{
	int n = 0;

	if (w->rings_in && now < w->socket_ns)
		return 0;
	for (int i = 0; i < BATCHES_TURN && take_batch(w, &n) == RX_BATCH; i++)
		;
	if (now >= w->drain_ns && softhca_fabric_drain(w->host_fd))
		w->drain_ns = now + WIRE_DRAIN_NS;
	/* A sender by UDP may have offered a ring. A wake-up was reported by its socket. */
	if (n || !w->socket_ns)
		softhca_ring_accept(w);
	w->socket_ns = n ? 1 : now + WIRE_SOCKET_NS;
	return n;
}

int softhca_wire_poll(struct softhca_wire *wire, uint64_t now)
{
	wire->now = now;
	if (wire->held)
		softhca_wire_release(wire, 0, now);
	return poll_local(wire) + softhca_ring_poll(wire, now) + poll_kernel(wire, now);
}

bool softhca_wire_pending(const struct softhca_wire *wire)
{
	return wire->local[wire->filling].used != 0;
}

uint64_t softhca_wire_deadline(const struct softhca_wire *wire)
{
	uint64_t first = UINT64_MAX;

	for (const struct held *h = wire->held; h; h = h->next)
		if (h->due_ns < first)
			first = h->due_ns;
	return first;
}
