/* SPDX-License-Identifier: BSD-2-Clause */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#include "tools/softhca/engine/engine.h"
#include "wire_priv.h"

#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define RX_BATCH   8
#define RX_BUF	   65536u
#define LOCAL_FULL (2u * 1024 * 1024)

static uint8_t rx_buffers[RX_BATCH][RX_BUF];

/* ---- credits ---- */

struct peer *softhca_wire_peer(struct softhca_wire *w, uint32_t ip)
{
	struct peer *const p = &w->peers[(ip ^ ip >> 16) & (PEERS - 1)];

	if (p->ip != ip)
		*p = (struct peer){.ip = ip};
	return p;
}

bool softhca_wire_ready(struct softhca_wire *wire, uint32_t dst_ip, uint64_t patience_ns)
{
	struct softhca_wire *const local = softhca_wire_find(dst_ip);
	struct peer *p;

	if (local)
		return local->local[local->filling].used < LOCAL_FULL;
	p = softhca_wire_peer(wire, dst_ip);
	if (p->under_way < wire->credit)
		return true;
	/* The silence counts from when there was something to hear about. */
	if (!p->waiting_ns)
		p->waiting_ns = softhca_now_ns();
	if (softhca_now_ns() - p->waiting_ns < patience_ns)
		return false;
	p->under_way = 0;
	p->waiting_ns = 0;
	return true;
}

bool softhca_wire_may_ask(const struct softhca_wire *wire, uint32_t bytes)
{
	return !wire->asked || wire->asked + bytes <= 2 * wire->credit;
}

void softhca_wire_asked(struct softhca_wire *wire, int64_t bytes)
{
	wire->asked = (uint64_t)((int64_t)wire->asked + bytes);
}

static void send_link_packet(struct softhca_wire *w, struct peer *p, uint32_t len);

/* With a number: that much was taken from the socket. Without: a ping. */
static void credit_received(struct softhca_wire *w, const struct softhca_pkt *pkt)
{
	struct peer *const p = softhca_wire_peer(w, pkt->src_ip);
	uint32_t bytes;

	if (!pkt->payload_len)
		send_link_packet(w, p, sizeof(bytes));
	if (pkt->payload_len != sizeof(bytes))
		return;
	memcpy(&bytes, pkt->payload, sizeof(bytes));
	bytes = ntohl(bytes);
	p->under_way -= bytes < p->under_way ? bytes : p->under_way;
	p->waiting_ns = 0;
}

/* Neither faults nor the capture see it: it belongs to the link, not to the traffic. */
static void send_link_packet(struct softhca_wire *w, struct peer *p, uint32_t len)
{
	uint8_t *const buf = softhca_wire_reserve(w, p->ip);
	const uint32_t bytes = htonl(p->taken);
	struct softhca_pkt pkt = {
		.src_ip = w->ip,
		.dst_ip = p->ip,
		.transport = SOFTHCA_TR_PRIVATE,
		.op = SOFTHCA_OP_CREDIT,
		.hdrs = softhca_pkt_hdrs(SOFTHCA_TR_PRIVATE, SOFTHCA_OP_CREDIT),
		.pkey = 0xffff,
		.payload_len = len,
	};

	memcpy(buf + softhca_pkt_hdr_size(pkt.hdrs), &bytes, len);
	softhca_wire_push(w, p->ip, softhca_pkt_encode(buf, &pkt));
	if (len)
		p->taken = 0;
}

void softhca_wire_ping(struct softhca_wire *wire, uint32_t dst_ip)
{
	if (dst_ip >> 24 == 127 && !softhca_wire_find(dst_ip))
		send_link_packet(wire, softhca_wire_peer(wire, dst_ip), 0);
}

bool softhca_wire_responsive(struct softhca_wire *wire, uint32_t dst_ip, uint64_t since_ns)
{
	if (softhca_wire_find(dst_ip) || softhca_wire_peer(wire, dst_ip)->heard_ns >= since_ns)
		return true;
	return !softhca_wire_claimed(dst_ip);
}

static void note_taken(struct softhca_wire *w, uint32_t src_ip, uint32_t len)
{
	struct peer *const p = softhca_wire_peer(w, src_ip);

	p->heard_ns = softhca_now_ns();
	p->taken += len + WIRE_PACKET_COST;
	if (p->taken >= w->credit / 8)
		send_link_packet(w, p, sizeof(p->taken));
}

/* ---- receiving ---- */

void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			  uint32_t src_ip, uint32_t dst_ip)
{
	struct softhca_pkt pkt;

	if (softhca_pkt_decode(&pkt, data, len, src_ip, dst_ip)) {
		w->stats.rx_bad++;
		return;
	}
	if (pkt.hdrs & SOFTHCA_H_CREDIT) {
		credit_received(w, &pkt);
		return;
	}
	if (!w->up)
		return;
	w->stats.rx_packets++;
	w->stats.rx_multicast += dst_ip != w->ip;
	w->stats.rx_bytes += len;
	w->rx(w->arg, &pkt);
}

static int poll_local(struct softhca_wire *w)
{
	struct fifo *const f = &w->local[w->filling];
	uint32_t at = 0;
	int n = 0;

	if (!f->used)
		return 0;
	/* What the packets provoke goes to the other one and waits for the next turn. */
	w->filling ^= 1;
	while (at < f->used) {
		struct fifo_record record;

		memcpy(&record, f->data + at, sizeof(record));
		softhca_wire_deliver(w, f->data + at + sizeof(record), record.len, record.src_ip,
				     w->ip);
		at += (uint32_t)sizeof(record) + ((record.len + 7) & ~7u);
		n++;
	}
	f->used = 0;
	return n;
}

struct rx_batch {
	struct mmsghdr msgs[RX_BATCH];
	struct iovec iov[RX_BATCH];
	struct sockaddr_in from[RX_BATCH];
	_Alignas(struct cmsghdr) char control[RX_BATCH][CMSG_SPACE(sizeof(int))];
};

/* The size of the datagrams that the kernel glued together, or of the only one. */
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

static int poll_socket(struct softhca_wire *w)
{
	static struct rx_batch b;
	int packets = 0;
	int n;

	for (int i = 0; i < RX_BATCH; i++) {
		b.iov[i] = (struct iovec){rx_buffers[i], RX_BUF};
		b.msgs[i].msg_hdr = (struct msghdr){
			.msg_name = &b.from[i],
			.msg_namelen = sizeof(b.from[i]),
			.msg_iov = &b.iov[i],
			.msg_iovlen = 1,
			.msg_control = b.control[i],
			.msg_controllen = sizeof(b.control[i]),
		};
	}
	n = recvmmsg(w->fd, b.msgs, RX_BATCH, 0, NULL);
	for (int i = 0; i < n; i++) {
		const uint32_t total = b.msgs[i].msg_len;
		const uint32_t seg = segment_size(&b.msgs[i].msg_hdr, total);

		for (uint32_t at = 0; at < total; at += seg, packets++) {
			const uint32_t len = total - at < seg ? total - at : seg;
			const uint32_t src_ip = ntohl(b.from[i].sin_addr.s_addr);

			softhca_wire_deliver(w, rx_buffers[i] + at, len, src_ip, w->ip);
			note_taken(w, src_ip, len);
		}
	}
	return packets;
}

int softhca_wire_poll(struct softhca_wire *wire, uint64_t now)
{
	if (wire->held)
		softhca_wire_release(wire, 0, now);
	return poll_local(wire) + poll_socket(wire);
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
