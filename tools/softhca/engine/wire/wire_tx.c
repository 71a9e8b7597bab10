/* SPDX-License-Identifier: BSD-2-Clause */
/* Sending side of the wire: sockets and rings, groups of packets, delays and reordering. */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "pcap.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/fault/fault.h"
#include "wire_priv.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif

#define GROUP_PACKETS  64    /* the kernel's former UDP_MAX_SEGMENTS */
#define GROUP_BYTES    65000 /* below the largest UDP payload */
#define LOCAL_MAX      (32u * 1024 * 1024)
#define REORDER_MAX_NS 2000000u /* release it, because no packet came to overtake it */

void softhca_wire_set_pcap(struct softhca_pcap *pcap)
{
	the_wire.capture = pcap;
}

void softhca_wire_patient(int cpu)
{
	the_wire.patient = cpu + 1;
}

void softhca_wire_capture(const uint8_t *frame, uint32_t len)
{
	if (the_wire.capture)
		softhca_pcap_frame(the_wire.capture, frame, len);
}

/* Bytes in safe memory need no ICRC. A capture shows it, and a fault may need it. */
static struct softhca_place in_memory(uint8_t *data, struct ring_out *ring)
{
	return (struct softhca_place){data ? data : the_wire.bit_bucket, ring,
				      the_wire.capture || softhca_fault_packets_on()};
}

static bool fifo_room(struct fifo *f, uint32_t more)
{
	uint32_t size = f->size ? f->size : ARENA_SIZE;
	uint8_t *data;

	if (f->used + more <= f->size)
		return true;
	while (size < f->used + more)
		size *= 2;
	if (size > LOCAL_MAX)
		return false;
	data = realloc(f->data, size);
	if (!data)
		return false;
	f->data = data;
	f->size = size;
	return true;
}

struct softhca_place softhca_wire_reserve(struct softhca_wire *wire, uint32_t dst_ip)
{
	struct softhca_wire *const peer = softhca_wire_find(dst_ip);
	struct ring_out *const ring = peer ? NULL : softhca_ring_to(wire, dst_ip);
	struct fifo *const f = peer ? &peer->local[peer->filling] : NULL;

	if (f && fifo_room(f, sizeof(struct fifo_record) + SOFTHCA_PKT_MAX))
		return in_memory(f->data + f->used + sizeof(struct fifo_record), NULL);
	if (ring)
		return in_memory(softhca_ring_reserve(ring), ring);
	return f ? in_memory(NULL, NULL) : softhca_wire_reserve_socket(wire);
}

struct softhca_place softhca_wire_reserve_socket(struct softhca_wire *wire)
{
	if (wire->arena_used + SOFTHCA_PKT_MAX > ARENA_SIZE || wire->group_count == GROUPS_MAX)
		softhca_wire_flush(wire);
	return (struct softhca_place){wire->arena + wire->arena_used, NULL, true};
}

/* Called by a flush, which must not start another one. */
void softhca_wire_resend(struct softhca_wire *w, uint32_t dst_ip, const uint8_t *data, uint32_t len,
			 bool sealed)
{
	uint8_t *const at = w->arena + w->arena_used;

	if (w->arena_used + SOFTHCA_PKT_MAX > ARENA_SIZE || w->group_count == GROUPS_MAX ||
	    !softhca_wire_trusts(w, dst_ip)) {
		w->stats.tx_dropped++;
		return;
	}
	memcpy(at, data, len);
	if (!sealed)
		softhca_pkt_seal(at, len, w->ip, dst_ip);
	softhca_wire_peer(w, dst_ip)->sent += len + WIRE_PACKET_COST;
	softhca_wire_push(w, dst_ip, len);
}

static void local_push(struct softhca_wire *peer, uint32_t src_ip, uint32_t len, bool sealed)
{
	struct fifo *const f = &peer->local[peer->filling];
	const struct fifo_record record = {src_ip, len, sealed, 0};

	memcpy(f->data + f->used, &record, sizeof(record));
	/* Records stay aligned, so that payloads are copied at full speed. */
	f->used += (uint32_t)sizeof(record) + ((len + 7) & ~7u);
}

static bool group_takes(const struct group *g, uint32_t dst_ip, uint32_t len)
{
	return g->dst_ip == dst_ip && !g->closed && len <= g->seg && g->packets < GROUP_PACKETS &&
	       g->bytes + len <= GROUP_BYTES;
}

void softhca_wire_push(struct softhca_wire *w, uint32_t dst_ip, uint32_t len)
{
	struct group *g = w->group_count ? &w->groups[w->group_count - 1] : NULL;

	if (g && group_takes(g, dst_ip, len)) {
		g->closed = len < g->seg;
		g->bytes += len;
		g->packets++;
	} else {
		w->groups[w->group_count++] = (struct group){
			.dst_ip = dst_ip,
			.offset = w->arena_used,
			.bytes = len,
			.seg = len,
			.packets = 1,
		};
	}
	w->arena_used += len;
}

/* The packet is at the place from _reserve(). It is sent here. */
static void emit(struct softhca_wire *w, const struct softhca_place *place, uint32_t dst_ip,
		 uint32_t len)
{
	struct softhca_wire *peer;

	w->stats.tx_packets++;
	w->stats.tx_bytes += len;
	if (softhca_host_is_group(dst_ip)) {
		w->stats.tx_multicast++;
		softhca_wire_spoke(dst_ip);
	}
	/* Ethernet frames are captured unchanged, once and not per receiver. */
	if (the_wire.capture && place->data[0] != (SOFTHCA_TR_PRIVATE | SOFTHCA_OP_ETHERNET))
		softhca_pcap_packet(the_wire.capture, place->data, len, w->ip, dst_ip);
	if (place->data == the_wire.bit_bucket) {
		w->stats.tx_dropped++;
	} else if (place->ring) {
		softhca_ring_push(place->ring, len, place->sealed ? RING_SEALED : 0);
	} else if ((peer = softhca_wire_find(dst_ip))) {
		local_push(peer, w->ip, len, place->sealed);
	} else {
		/* Packets that are held back count as sent, so that pings show their loss. */
		if (dst_ip == softhca_flood_ip())
			softhca_wire_flooded(w, len + WIRE_PACKET_COST);
		else
			softhca_wire_peer(w, dst_ip)->sent += len + WIRE_PACKET_COST;
		if (softhca_wire_trusts(w, dst_ip))
			softhca_wire_push(w, dst_ip, len);
		else
			w->stats.tx_dropped++;
	}
}

/* Like emit, for a packet in another place. */
static void emit_copy(struct softhca_wire *w, const uint8_t *data, uint32_t dst_ip, uint32_t len)
{
	const struct softhca_place place = softhca_wire_reserve(w, dst_ip);

	memcpy(place.data, data, len);
	emit(w, &place, dst_ip, len);
}

static void hold(struct softhca_wire *w, const uint8_t *data, uint32_t dst_ip, uint32_t len,
		 const struct softhca_fault_verdict *v)
{
	struct held *const h = malloc(sizeof(*h) + len);
	struct held **end = &w->held;

	if (!h)
		return; /* it is then lost, which is also a fault */
	*h = (struct held){
		.due_ns = softhca_now_ns() + (v->overtake ? REORDER_MAX_NS : v->delay_ns),
		.overtake = v->overtake,
		.dst_ip = dst_ip,
		.len = len,
	};
	memcpy(h->data, data, len);
	while (*end)
		end = &(*end)->next;
	*end = h;
}

/* Releases packets that have been overtaken often enough (passed = 1) or are due. */
void softhca_wire_release(struct softhca_wire *w, uint32_t passed, uint64_t now)
{
	struct held **link = &w->held;

	while (*link) {
		struct held *const h = *link;

		if (h->overtake && passed && --h->overtake == 0)
			h->due_ns = 0;
		if (h->due_ns > now) {
			link = &h->next;
			continue;
		}
		*link = h->next;
		if (w->up)
			emit_copy(w, h->data, h->dst_ip, h->len);
		free(h);
	}
}

static void commit_with_faults(struct softhca_wire *w, const struct softhca_place *place,
			       uint32_t dst_ip, uint32_t len)
{
	uint8_t *const data = place->data;
	const struct softhca_fault_verdict v = softhca_fault_packet(data, len, dst_ip);
	uint8_t copy[SOFTHCA_PKT_MAX];

	switch (v.kind) {
	case SOFTHCA_FAULT_DROP:
		return;
	case SOFTHCA_FAULT_DELAY:
	case SOFTHCA_FAULT_REORDER:
		hold(w, data, dst_ip, len, &v);
		return;
	case SOFTHCA_FAULT_CORRUPT:
		data[v.corrupt_bit / 8] ^= (uint8_t)(1u << v.corrupt_bit % 8);
		break;
	case SOFTHCA_FAULT_DUPLICATE:
		memcpy(copy, data, len);
		emit(w, place, dst_ip, len);
		emit_copy(w, copy, dst_ip, len);
		return;
	default:
		break;
	}
	emit(w, place, dst_ip, len);
	if (w->held)
		softhca_wire_release(w, 1, 0);
}

void softhca_wire_commit_bytes(struct softhca_wire *wire, const struct softhca_place *place,
			       uint32_t dst_ip, uint32_t len)
{
	if (!wire->up || (!softhca_host_reaches(dst_ip) && !softhca_host_is_group(dst_ip)))
		return;
	if (softhca_fault_packets_on())
		commit_with_faults(wire, place, dst_ip, len);
	else
		emit(wire, place, dst_ip, len);
}

void softhca_wire_commit(struct softhca_wire *wire, const struct softhca_place *place,
			 struct softhca_pkt *pkt)
{
	pkt->src_ip = wire->ip;
	softhca_wire_commit_bytes(wire, place, pkt->dst_ip,
				  softhca_pkt_encode(place->data, pkt, place->sealed));
}

void softhca_wire_send(struct softhca_wire *wire, struct softhca_pkt *pkt)
{
	/* Frames have their own credits, which count a socket's content. */
	const bool socket = pkt->hdrs & SOFTHCA_H_ETHERNET && !softhca_wire_find(pkt->dst_ip);
	const struct softhca_place place = socket ? softhca_wire_reserve_socket(wire)
						  : softhca_wire_reserve(wire, pkt->dst_ip);

	if (pkt->payload_len)
		memcpy(place.data + softhca_pkt_hdr_size(pkt->hdrs), pkt->payload,
		       pkt->payload_len);
	softhca_wire_commit(wire, &place, pkt);
}

static void tx_prepare(struct tx_batch *b, const struct softhca_wire *w, uint32_t i)
{
	const struct group *const g = &w->groups[i];
	struct msghdr *const m = &b->msgs[i].msg_hdr;

	memset(m, 0, sizeof(*m));
	b->to[i] = (struct sockaddr_in){
		.sin_family = AF_INET,
		.sin_port = htons(SOFTHCA_ROCE_PORT),
		.sin_addr.s_addr = htonl(g->dst_ip),
	};
	b->iov[i] = (struct iovec){w->arena + g->offset, g->bytes};
	m->msg_name = &b->to[i];
	m->msg_namelen = sizeof(b->to[i]);
	m->msg_iov = &b->iov[i];
	m->msg_iovlen = 1;
	if (g->packets > 1) {
		const uint16_t seg = (uint16_t)g->seg;
		struct cmsghdr *c;

		m->msg_control = b->control[i];
		m->msg_controllen = sizeof(b->control[i]);
		c = CMSG_FIRSTHDR(m);
		c->cmsg_level = IPPROTO_UDP;
		c->cmsg_type = UDP_SEGMENT;
		c->cmsg_len = CMSG_LEN(sizeof(seg));
		memcpy(CMSG_DATA(c), &seg, sizeof(seg));
	}
}

/* For a kernel without UDP_SEGMENT, or packets sent in fragments: sends the group one by one. */
static void send_singly(struct softhca_wire *w, const struct tx_batch *b, uint32_t i)
{
	const struct group *const g = &w->groups[i];

	for (uint32_t done = 0; done < g->bytes; done += g->seg) {
		const uint32_t left = g->bytes - done;

		if (sendto(w->fd, w->arena + g->offset + done, left < g->seg ? left : g->seg, 0,
			   (const struct sockaddr *)&b->to[i], sizeof(b->to[i])) < 0)
			w->stats.tx_dropped++;
	}
}

void softhca_wire_flush(struct softhca_wire *wire)
{
	struct tx_batch *const b = &the_wire.tx;
	uint32_t done = 0;

	softhca_ring_flush(wire, the_wire.patient - 1);
	for (uint32_t i = 0; i < wire->group_count; i++)
		tx_prepare(b, wire, i);
	while (done < wire->group_count) {
		const int n = sendmmsg(wire->fd, b->msgs + done, wire->group_count - done, 0);

		if (n > 0) {
			done += (uint32_t)n;
			continue;
		}
		if (errno == EINTR)
			continue;
		/* The first one failed. Packets that cannot be sent are lost, as on a wire. */
		if (errno == EINVAL || errno == EMSGSIZE || errno == EIO || errno == EOPNOTSUPP)
			send_singly(wire, b, done);
		else
			wire->stats.tx_dropped += wire->groups[done].packets;
		done++;
	}
	wire->group_count = 0;
	wire->arena_used = 0;
}
