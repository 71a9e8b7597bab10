/* SPDX-License-Identifier: BSD-2-Clause */
#include "wire.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine.h"
#include "fault.h"
#include "pcap.h"

#ifndef UDP_SEGMENT
#define UDP_SEGMENT 103
#endif
#ifndef UDP_GRO
#define UDP_GRO 104
#endif

#define WIRES_MAX      64
#define ARENA_SIZE     (256u * 1024)
#define GROUPS_MAX     64
#define GROUP_PACKETS  64    /* the kernel's UDP_MAX_SEGMENTS of old */
#define GROUP_BYTES    65000 /* below the largest UDP payload */
#define RX_BATCH       8
#define RX_BUF	       65536u
#define LOCAL_MAX      (32u * 1024 * 1024)
#define SOCKET_BUFFER  (4 * 1024 * 1024)
#define REORDER_MAX_NS 2000000u /* nothing came to overtake it: let it go */
#define LAST_HOST      0xbfffu	/* the largest unicast LID */

/* Datagrams of one size to one address; the kernel cuts them apart, or not even that. */
struct group {
	uint32_t dst_ip;
	uint32_t offset;
	uint32_t bytes;
	uint32_t seg;
	uint32_t packets;
	bool closed; /* a shorter one came: nothing may follow */
};

/* A byte queue of datagrams between ports of this process. */
struct fifo {
	uint8_t *data;
	uint32_t used;
	uint32_t size;
};

struct fifo_record {
	uint32_t src_ip;
	uint32_t len;
};

/* A datagram that the fault plan holds back. */
struct held {
	struct held *next;
	uint64_t due_ns;
	uint32_t overtake; /* leaves when so many have passed; 0: only by time */
	uint32_t dst_ip;
	uint32_t len;
	uint8_t data[];
};

struct softhca_wire {
	int fd;
	uint32_t ip;
	bool up;
	softhca_wire_rx rx;
	void *arg;
	struct softhca_wire_stats stats;
	/* Outgoing */
	uint8_t *arena;
	uint32_t arena_used;
	uint32_t group_count;
	struct group groups[GROUPS_MAX];
	struct held *held;
	/* Incoming, from this process */
	struct fifo local[2];
	int filling; /* which of the two takes new packets */
};

static struct softhca_wire *wires[WIRES_MAX];
static uint8_t wire_net = 77;
static bool only_sockets;
static struct softhca_pcap *capture;
static uint8_t rx_buffers[RX_BATCH][RX_BUF];
static uint8_t bit_bucket[SOFTHCA_PKT_MAX];

void softhca_wire_net(uint8_t net)
{
	wire_net = net;
}

void softhca_wire_only_sockets(bool yes)
{
	only_sockets = yes;
}

void softhca_wire_set_pcap(struct softhca_pcap *pcap)
{
	capture = pcap;
}

/* ---- addresses ---- */

#define GUID_PREFIX 0x0c42a10000000000u

uint32_t softhca_lid_to_ip(uint16_t lid)
{
	return 127u << 24 | (uint32_t)wire_net << 16 | lid;
}

uint32_t softhca_wire_ip(const struct softhca_wire *wire)
{
	return wire->ip;
}

uint16_t softhca_wire_lid(const struct softhca_wire *wire)
{
	return (uint16_t)wire->ip;
}

uint64_t softhca_wire_guid(const struct softhca_wire *wire)
{
	return GUID_PREFIX | wire->ip;
}

int softhca_wire_fd(const struct softhca_wire *wire)
{
	return wire->fd;
}

const struct softhca_wire_stats *softhca_wire_stats(const struct softhca_wire *wire)
{
	return &wire->stats;
}

void softhca_wire_set_link(struct softhca_wire *wire, bool up)
{
	wire->up = up;
}

void softhca_ip_to_gid(uint32_t ip, uint8_t gid[16])
{
	memset(gid, 0, 10);
	gid[10] = gid[11] = 0xff;
	for (int i = 0; i < 4; i++)
		gid[12 + i] = (uint8_t)(ip >> (24 - 8 * i));
}

void softhca_ip_to_mac(uint32_t ip, uint8_t mac[6])
{
	mac[0] = 0x02;
	mac[1] = 0x00;
	for (int i = 0; i < 4; i++)
		mac[2 + i] = (uint8_t)(ip >> (24 - 8 * i));
}

uint32_t softhca_gid_to_ip(const uint8_t gid[16])
{
	static const uint8_t mapped[12] = {[10] = 0xff, [11] = 0xff};
	uint64_t guid = 0;

	for (int i = 8; i < 16; i++)
		guid = guid << 8 | gid[i];
	if ((uint32_t)guid >> 24 != 127)
		return 0;
	/* The subnet prefix may be any: LIDs and GUIDs are unique across it here. */
	if (!memcmp(gid, mapped, sizeof(mapped)) || guid >> 32 == GUID_PREFIX >> 32)
		return (uint32_t)guid;
	return 0;
}

static struct softhca_wire *wire_find(uint32_t ip)
{
	if (only_sockets)
		return NULL;
	for (int i = 0; i < WIRES_MAX; i++)
		if (wires[i] && wires[i]->ip == ip)
			return wires[i];
	return NULL;
}

/* ---- opening ---- */

static int socket_bind(uint32_t ip)
{
	const int yes = 1, discover = IP_PMTUDISC_DO, size = SOCKET_BUFFER;
	const struct sockaddr_in addr = {
		.sin_family = AF_INET,
		.sin_port = htons(SOFTHCA_ROCE_PORT),
		.sin_addr.s_addr = htonl(ip),
	};
	const int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	int err;

	if (fd < 0)
		return -errno;
	if (bind(fd, (const struct sockaddr *)&addr, sizeof(addr))) {
		err = errno;
		close(fd);
		return -err;
	}
	/* Don't-fragment makes the kernel write identification 0, on which the ICRC relies. */
	setsockopt(fd, IPPROTO_IP, IP_MTU_DISCOVER, &discover, sizeof(discover));
	/* As much as the system allows; what does not fit is retransmitted. */
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof(size));
	setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof(size));
	/* Receive what the sender batched in one piece. Without it: one by one. */
	setsockopt(fd, IPPROTO_UDP, UDP_GRO, &yes, sizeof(yes));
	return fd;
}

static int claim(uint32_t want, uint32_t *ip)
{
	int fd = -EADDRNOTAVAIL;

	if (want) {
		*ip = want;
		return socket_bind(want);
	}
	for (uint32_t host = 1; host <= LAST_HOST; host++) {
		*ip = softhca_lid_to_ip((uint16_t)host);
		fd = socket_bind(*ip);
		if (fd != -EADDRINUSE)
			return fd;
	}
	return -EADDRNOTAVAIL;
}

int softhca_wire_open(struct softhca_wire **wire, uint32_t want, softhca_wire_rx rx, void *arg)
{
	struct softhca_wire *w = calloc(1, sizeof(*w));
	int slot = 0;
	int err;

	if (!w)
		return -ENOMEM;
	w->arena = malloc(ARENA_SIZE);
	if (!w->arena) {
		err = -ENOMEM;
		goto err_free;
	}
	while (slot < WIRES_MAX && wires[slot])
		slot++;
	if (slot == WIRES_MAX) {
		err = -ENOSPC;
		goto err_free;
	}
	w->fd = claim(want, &w->ip);
	if (w->fd < 0) {
		err = w->fd;
		goto err_free;
	}
	w->rx = rx;
	w->arg = arg;
	w->up = true;
	wires[slot] = w;
	*wire = w;
	return 0;

err_free:
	free(w->arena);
	free(w);
	return err;
}

static void wire_free(struct softhca_wire *w)
{
	while (w->held) {
		struct held *const next = w->held->next;

		free(w->held);
		w->held = next;
	}
	close(w->fd);
	free(w->local[0].data);
	free(w->local[1].data);
	free(w->arena);
	free(w);
}

void softhca_wire_close(struct softhca_wire *wire)
{
	if (!wire)
		return;
	softhca_wire_flush(wire);
	for (int i = 0; i < WIRES_MAX; i++)
		if (wires[i] == wire)
			wires[i] = NULL;
	wire_free(wire);
}

void softhca_wire_fork_child(void)
{
	for (int i = 0; i < WIRES_MAX; i++) {
		/* Closing the child's copy of the descriptor leaves the parent's socket alone. */
		if (wires[i])
			wire_free(wires[i]);
		wires[i] = NULL;
	}
}

/* ---- sending ---- */

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

uint8_t *softhca_wire_reserve(struct softhca_wire *wire, uint32_t dst_ip)
{
	struct softhca_wire *const peer = wire_find(dst_ip);

	if (peer) {
		struct fifo *const f = &peer->local[peer->filling];

		if (!fifo_room(f, sizeof(struct fifo_record) + SOFTHCA_PKT_MAX))
			return bit_bucket;
		return f->data + f->used + sizeof(struct fifo_record);
	}
	if (wire->arena_used + SOFTHCA_PKT_MAX > ARENA_SIZE || wire->group_count == GROUPS_MAX)
		softhca_wire_flush(wire);
	return wire->arena + wire->arena_used;
}

static void local_push(struct softhca_wire *peer, uint32_t src_ip, uint32_t len)
{
	struct fifo *const f = &peer->local[peer->filling];
	const struct fifo_record record = {src_ip, len};

	memcpy(f->data + f->used, &record, sizeof(record));
	/* Records stay aligned, so that payloads are copied at full speed. */
	f->used += (uint32_t)sizeof(record) + ((len + 7) & ~7u);
}

static bool group_takes(const struct group *g, uint32_t dst_ip, uint32_t len)
{
	return g->dst_ip == dst_ip && !g->closed && len <= g->seg && g->packets < GROUP_PACKETS &&
	       g->bytes + len <= GROUP_BYTES;
}

static void arena_push(struct softhca_wire *w, uint32_t dst_ip, uint32_t len)
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

/* The packet lies where _reserve() said. After this it is on its way. */
static void emit(struct softhca_wire *w, const uint8_t *data, uint32_t dst_ip, uint32_t len)
{
	struct softhca_wire *const peer = wire_find(dst_ip);

	w->stats.tx_packets++;
	w->stats.tx_bytes += len;
	if (capture)
		softhca_pcap_packet(capture, data, len, w->ip, dst_ip);
	if (data == bit_bucket)
		w->stats.tx_dropped++;
	else if (peer)
		local_push(peer, w->ip, len);
	else
		arena_push(w, dst_ip, len);
}

/* The same for a packet that lies elsewhere. */
static void emit_copy(struct softhca_wire *w, const uint8_t *data, uint32_t dst_ip, uint32_t len)
{
	uint8_t *const p = softhca_wire_reserve(w, dst_ip);

	memcpy(p, data, len);
	emit(w, p, dst_ip, len);
}

static void hold(struct softhca_wire *w, const uint8_t *data, uint32_t dst_ip, uint32_t len,
		 const struct softhca_fault_verdict *v)
{
	struct held *const h = malloc(sizeof(*h) + len);
	struct held **end = &w->held;

	if (!h)
		return; /* then it is lost, which is a fault as well */
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

/* Let go what has been overtaken often enough (passed = 1) or is due. */
static void release_held(struct softhca_wire *w, uint32_t passed, uint64_t now)
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

static void commit_with_faults(struct softhca_wire *w, uint8_t *data, uint32_t dst_ip, uint32_t len)
{
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
		emit(w, data, dst_ip, len);
		emit_copy(w, copy, dst_ip, len);
		return;
	default:
		break;
	}
	emit(w, data, dst_ip, len);
	if (w->held)
		release_held(w, 1, 0);
}

void softhca_wire_commit(struct softhca_wire *wire, uint32_t dst_ip, uint32_t len)
{
	struct softhca_wire *const peer = wire_find(dst_ip);
	uint8_t *data;

	if (!wire->up || dst_ip >> 24 != 127)
		return;
	/* Where _reserve() put it: nothing happened in between. */
	if (!peer)
		data = wire->arena + wire->arena_used;
	else if (fifo_room(&peer->local[peer->filling],
			   sizeof(struct fifo_record) + SOFTHCA_PKT_MAX))
		data = peer->local[peer->filling].data + peer->local[peer->filling].used +
		       sizeof(struct fifo_record);
	else
		data = bit_bucket;
	if (softhca_fault_packets_on())
		commit_with_faults(wire, data, dst_ip, len);
	else
		emit(wire, data, dst_ip, len);
}

void softhca_wire_send(struct softhca_wire *wire, struct softhca_pkt *pkt)
{
	uint8_t *const buf = softhca_wire_reserve(wire, pkt->dst_ip);

	pkt->src_ip = wire->ip;
	if (pkt->payload_len)
		memcpy(buf + softhca_pkt_hdr_size(pkt->hdrs), pkt->payload, pkt->payload_len);
	softhca_wire_commit(wire, pkt->dst_ip, softhca_pkt_encode(buf, pkt));
}

struct tx_batch {
	struct mmsghdr msgs[GROUPS_MAX];
	struct iovec iov[GROUPS_MAX];
	struct sockaddr_in to[GROUPS_MAX];
	_Alignas(struct cmsghdr) char control[GROUPS_MAX][CMSG_SPACE(sizeof(uint16_t))];
};

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

/* A kernel without UDP_SEGMENT: the group one by one. */
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
	static struct tx_batch b;
	uint32_t done = 0;

	for (uint32_t i = 0; i < wire->group_count; i++)
		tx_prepare(&b, wire, i);
	while (done < wire->group_count) {
		const int n = sendmmsg(wire->fd, b.msgs + done, wire->group_count - done, 0);

		if (n > 0) {
			done += (uint32_t)n;
			continue;
		}
		if (errno == EINTR)
			continue;
		/* The first one failed. What cannot be sent is lost: that is what a wire does. */
		if (errno == EINVAL || errno == EIO || errno == EOPNOTSUPP)
			send_singly(wire, &b, done);
		else
			wire->stats.tx_dropped += wire->groups[done].packets;
		done++;
	}
	wire->group_count = 0;
	wire->arena_used = 0;
}

/* ---- receiving ---- */

static void deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len, uint32_t src_ip)
{
	struct softhca_pkt pkt;

	if (!w->up)
		return;
	if (softhca_pkt_decode(&pkt, data, len, src_ip, w->ip)) {
		w->stats.rx_bad++;
		return;
	}
	w->stats.rx_packets++;
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
		deliver(w, f->data + at + sizeof(record), record.len, record.src_ip);
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

		for (uint32_t at = 0; at < total; at += seg, packets++)
			deliver(w, rx_buffers[i] + at, total - at < seg ? total - at : seg,
				ntohl(b.from[i].sin_addr.s_addr));
	}
	return packets;
}

int softhca_wire_poll(struct softhca_wire *wire, uint64_t now)
{
	if (wire->held)
		release_held(wire, 0, now);
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
