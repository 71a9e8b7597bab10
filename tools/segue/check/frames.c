// SPDX-License-Identifier: BSD-2-Clause
/*
 * Frames from the port to itself: rules that lead to striding queues and to queues that share by a
 * hash. The frames carry the port's own address, addresses for documentation (RFC 5737) or an
 * experimental type, so that no other host takes them. They are sent through a second context: a
 * card brings frames back that belong to another context (transport domain), as it does between
 * programs.
 */
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "segue/ah.h"
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/segments.h"
#include "segue/raw_packet.h"
#include "tools/segue/check/facts.h"

#define EXPERIMENTAL 0x88b5u /* IEEE 802: for local experiments */
#define ETHERNET     14u
#define IP	     20u
#define UDP	     8u
#define FRAME_MAX    1400u
#define QUEUES	     2u

/* Sender of frames, and the place where they arrive. */
struct lane {
	struct kit *kit;
	struct segue_device *device;
	struct segue_cq *sent, *came[QUEUES];
	struct segue_qp *qp;
	struct segue_mr *mr, *room_mr;
	uint8_t mac[6];
	uint8_t frame[FRAME_MAX];
	unsigned int arrived;
	uint8_t *room; /* for what comes */
	uint32_t room_key;
	struct segue_striding *striding;
	struct segue_rss *rss;
};

/* The kernel's address resolution for a datagram to oneself. */
static bool own_mac(struct kit *kit, uint8_t mac[6])
{
	struct segue_ah *address;
	struct segue_seg_av_ud av;
	struct segue_path path;

	if (!kit_path_to(kit, 0, &path) || segue_ah_open(kit->pd, &path, &address))
		return kit_cannot(kit, segue_errmsg());
	(void)segue_seg_av_ud_unpack(&av, segue_ah_av(address)->bytes);
	memcpy(mac, av.rmac, 6);
	(void)segue_ah_close(address);
	return true;
}

static bool open_sender(struct lane *l)
{
	const struct segue_mr_options attr = {.addr = l->frame, .length = sizeof(l->frame)};
	const struct segue_cq_options cq = {.entries = 64};
	struct segue_qp_options options = {.type = SEGUE_QP_RAW_PACKET,
					   .max_send_wr = 4,
					   .max_send_sge = 1,
					   .max_wqe_units = 16};
	struct segue_path path;
	struct segue_pd *pd;

	if (segue_device_open(segue_device_name(l->kit->device), &l->device) ||
	    segue_pd_open(l->device, &pd) || segue_cq_open(l->device, &cq, &l->sent) ||
	    segue_mr_open(pd, &attr, &l->mr))
		return false;
	options.send_cq = options.recv_cq = l->sent;
	return !segue_qp_open(pd, &options, &l->qp) &&
	       !segue_path_init(&path, l->device, l->kit->port) && !segue_qp_connect(l->qp, &path);
}

static bool open_receiver(struct lane *l, size_t room)
{
	struct segue_mr_options attr = {.length = room, .access = SEGUE_ACCESS_LOCAL_WRITE};
	const struct segue_cq_options cq = {.entries = 64};
	unsigned int i;

	attr.addr = l->room = calloc(1, room);
	if (!l->room)
		return !seguei_fail(ENOMEM, "out of memory");
	for (i = 0; i < QUEUES; i++)
		if (segue_cq_open(l->kit->device, &cq, &l->came[i]))
			return false;
	if (segue_mr_open(l->kit->pd, &attr, &l->room_mr))
		return false;
	l->room_key = segue_mr_lkey(l->room_mr).lkey;
	return true;
}

static bool open_lane(struct kit *kit, struct lane *l, size_t room)
{
	memset(l, 0, sizeof(*l));
	l->kit = kit;
	if (kit->link != SEGUE_LINK_ROCE)
		return kit_cannot(kit, "on InfiniBand there are no frames");
	if (!own_mac(kit, l->mac))
		return false;
	return (open_sender(l) && open_receiver(l, room)) || kit_cannot(kit, segue_errmsg());
}

static void close_lane(struct lane *l)
{
	unsigned int i;

	(void)segue_striding_close(l->striding);
	(void)segue_rss_close(l->rss);
	for (i = 0; i < QUEUES; i++)
		(void)segue_cq_close(l->came[i]);
	(void)segue_mr_close(l->room_mr);
	(void)segue_device_close(l->device);
	free(l->room);
}

static void lay_ethernet(struct lane *l, uint16_t type)
{
	unsigned int i;

	for (i = 0; i < FRAME_MAX; i++)
		l->frame[i] = (uint8_t)(i * 11 + 5);
	memcpy(l->frame, l->mac, 6);
	memcpy(l->frame + 6, l->mac, 6);
	segue_put_be16(l->frame + 12, type);
}

static bool send_frame(struct lane *l, uint32_t length)
{
	if (segue_post(segue_sge(
		    segue_eth(segue_send(segue_qp_raw_packet_sq(l->qp), KIT_SEND, SEGUE_SIGNALED),
			      0, l->frame, 18),
		    (uintptr_t)l->frame + 18, length - 18, segue_mr_lkey(l->mr).lkey)))
		return kit_say(l->kit, "%s", segue_errmsg());
	return kit_take(l->kit, l->sent, 1) &&
	       (!l->kit->taken[0].wc.syndrome ||
		kit_say(l->kit, "the frame was not sent: syndrome 0x%02x",
			l->kit->taken[0].wc.syndrome));
}

/* Frames that a card does not bring back are not judged. */
static bool stays_away(struct kit *kit)
{
	return kit_cannot(kit, "no frame that was sent to the port's own address came back");
}

/* The next completion of that queue, good. */
static const struct segue_wc *next(struct lane *l, unsigned int queue)
{
	const struct segue_wc *const wc = &l->kit->taken[0].wc;

	if (!kit_take(l->kit, l->came[queue], 1)) {
		(void)(l->arrived ? false : stays_away(l->kit));
		return NULL;
	}
	l->arrived++;
	if (!wc->syndrome)
		return wc;
	(void)kit_say(l->kit, "a receive failed with syndrome 0x%02x", wc->syndrome);
	return NULL;
}

/* ---- strides ---- */

struct strides {
	uint32_t log_stride, log_count, stride, count; /* of a buffer */
	/* bytes and strides of a frame, which fills less than all of them */
	uint32_t length, need;
};

static void measure(const struct kit *kit, struct strides *s)
{
	const struct segue_caps *const caps = segue_device_caps(kit->device);

	s->log_stride = caps->striding_min_log_bytes > 6 ? caps->striding_min_log_bytes : 6;
	s->log_count = caps->striding_min_log_strides > 3 ? caps->striding_min_log_strides : 3;
	s->stride = 1u << s->log_stride;
	s->count = 1u << s->log_count;
	s->need = s->count > 8 ? FRAME_MAX / s->stride : 3;
	if (!(s->need & (s->need - 1)))
		s->need--;
	s->length = s->need * s->stride - 7;
}

static bool open_strides(struct kit *kit, struct lane *l, struct strides *s)
{
	struct segue_striding_options options = {.max_wr = 2, .max_sge = 1};
	struct segue_flow_rule rule = {.port = kit->port, .ethertype = EXPERIMENTAL};
	struct segue_flow *flow;
	unsigned int i;

	if (!segue_device_caps(kit->device)->striding_rq) {
		memset(l, 0, sizeof(*l));
		return kit_cannot(kit, "the device has no striding receive queues");
	}
	measure(kit, s);
	if (!open_lane(kit, l, 2 * (size_t)s->stride * s->count))
		return false;
	options.cq = l->came[0];
	options.log_stride = s->log_stride;
	options.log_strides = s->log_count;
	memcpy(rule.dst_mac, l->mac, 6);
	if (segue_striding_open(kit->pd, &options, &l->striding) ||
	    segue_flow_open_to_striding(l->striding, &rule, &flow))
		return kit_cannot(kit, segue_errmsg());
	for (i = 0; i < 2; i++)
		if (segue_post(
			    segue_sge(segue_recv(segue_striding_mprq(l->striding), KIT_RECEIVE + i),
				      (uintptr_t)l->room + (size_t)i * s->stride * s->count,
				      s->stride * s->count, l->room_key)))
			return kit_say(kit, "%s", segue_errmsg());
	lay_ethernet(l, EXPERIMENTAL);
	return true;
}

/* A frame that begins in that stride of that buffer. */
static bool takes(struct lane *l, const struct strides *s, unsigned int buffer, uint32_t stride)
{
	const uint8_t *const at = l->room + (size_t)s->stride * (buffer * s->count + stride);
	const struct segue_wc *const wc = next(l, 0);

	if (!wc)
		return false;
	if (wc->flags & SEGUE_WC_FILLER)
		return kit_say(l->kit, "a filler came in place of a frame");
	if (wc->wr_id != KIT_RECEIVE + buffer || wc->wqe_counter != stride ||
	    wc->byte_len != s->length)
		return kit_say(l->kit,
			       "%u bytes in stride %u of buffer %u, where %u were to be in stride "
			       "%u of buffer %u",
			       wc->byte_len, wc->wqe_counter,
			       (unsigned int)(wc->wr_id - KIT_RECEIVE), s->length, stride, buffer);
	return memcmp(at, l->frame, s->length) == 0 ||
	       kit_say(l->kit, "stride %u holds something else", stride);
}

static bool fill_buffer(struct lane *l, const struct strides *s)
{
	uint32_t stride;

	for (stride = 0; stride + s->need <= s->count; stride += s->need)
		if (!send_frame(l, s->length) || !takes(l, s, 0, stride))
			return false;
	return true;
}

static bool skips_the_rest(struct lane *l, const struct strides *s)
{
	const struct segue_wc *filler;

	if (!send_frame(l, s->length))
		return false;
	filler = next(l, 0);
	if (!filler)
		return false;
	if (!(filler->flags & SEGUE_WC_FILLER) || !(filler->flags & SEGUE_WC_LAST_STRIDE))
		return kit_say(l->kit, "nothing tells of the strides that were skipped");
	return takes(l, s, 1, 0);
}

/* Fills a buffer, and with `over` sends a frame for which it has no room. */
static bool fill_strides(struct kit *kit, struct strides *s, bool over)
{
	struct lane l;
	const bool good = open_strides(kit, &l, s) && fill_buffer(&l, s) &&
			  (!over || skips_the_rest(&l, s));

	close_lane(&l);
	return good;
}

bool kit_fill_strides(struct kit_ends *e)
{
	struct strides s;

	return fill_strides(e->kit, &s, true);
}

bool see_strides(struct kit_ends *e)
{
	struct strides s;

	return fill_strides(e->kit, &s, false) &&
	       kit_saw(e->kit, true, "frames of %u bytes began every %u strides of %u", s.length,
		       s.need, s.stride);
}

bool see_filler(struct kit_ends *e)
{
	struct strides s;

	return fill_strides(e->kit, &s, true) &&
	       kit_saw(e->kit, true, "a completion with no data told of %u strides",
		       s.count % s.need);
}

/* ---- spread by a hash ---- */

static const uint8_t here_ip[4] = {192, 0, 2, 1}, there_ip[4] = {192, 0, 2, 2};
static const uint8_t hash_key[SEGUE_RSS_KEY_SIZE] = {
	0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67, 0x25, 0x3d, 0x43, 0xa3,
	0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb, 0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3,
	0x80, 0x30, 0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};

/* One flow, seen from one of its ends. */
struct flow {
	const uint8_t *src, *dst;
	uint16_t src_port, dst_port;
};

static bool lead(struct lane *l, const struct flow *f)
{
	struct segue_flow_rule rule = {.port = l->kit->port,
				       .ip = 4,
				       .src_bits = 32,
				       .dst_bits = 32,
				       .protocol = IPPROTO_UDP};
	struct segue_flow *made;

	memcpy(rule.dst_mac, l->mac, 6);
	memcpy(rule.src_ip, f->src, 4);
	memcpy(rule.dst_ip, f->dst, 4);
	return !segue_flow_open_to_rss(l->rss, &rule, &made) || kit_cannot(l->kit, segue_errmsg());
}

static bool open_spread(struct kit *kit, struct lane *l)
{
	const struct segue_rss_options options = {
		.cqs = l->came,
		.queues = QUEUES,
		.max_wr = 16,
		.max_sge = 1,
		.fields = SEGUE_RSS_SRC_IP | SEGUE_RSS_DST_IP | SEGUE_RSS_SRC_PORT |
			  SEGUE_RSS_DST_PORT,
		.ip = 4,
		.protocol = IPPROTO_UDP,
		.key = hash_key,
	};
	unsigned int i;

	if (!open_lane(kit, l, QUEUES * 16 * 256u))
		return false;
	if (segue_rss_open(kit->pd, &options, &l->rss))
		return kit_cannot(kit, segue_errmsg());
	for (i = 0; i < QUEUES * 16; i++)
		if (segue_post(segue_sge(segue_recv(segue_rss_rq(l->rss, i / 16), i),
					 (uintptr_t)l->room + (size_t)i * 256, 256, l->room_key)))
			return kit_say(kit, "%s", segue_errmsg());
	return lead(l, &(struct flow){here_ip, there_ip, 0, 0}) &&
	       lead(l, &(struct flow){there_ip, here_ip, 0, 0});
}

static bool send_udp(struct lane *l, const struct flow *f)
{
	uint8_t *const ip = l->frame + ETHERNET, *const udp = ip + IP;

	lay_ethernet(l, 0x0800);
	memset(ip, 0, IP + UDP);
	ip[0] = 0x45;
	segue_put_be16(ip + 2, 120 - ETHERNET);
	ip[8] = 1;
	ip[9] = IPPROTO_UDP;
	memcpy(ip + 12, f->src, 4);
	memcpy(ip + 16, f->dst, 4);
	segue_put_be16(udp, f->src_port);
	segue_put_be16(udp + 2, f->dst_port);
	segue_put_be16(udp + 4, 120 - ETHERNET - IP);
	return send_frame(l, 120);
}

/* Toeplitz, bit by bit, of both addresses and both ports, of each pair the smaller first. */
static uint32_t expected_hash(const struct flow *f)
{
	const bool swap = memcmp(f->src, f->dst, 4) > 0;
	const uint16_t low = f->src_port < f->dst_port ? f->src_port : f->dst_port,
		       high = f->src_port ^ f->dst_port ^ low;
	uint8_t data[12];
	uint32_t hash = 0;
	unsigned int bit;

	memcpy(data, swap ? f->dst : f->src, 4);
	memcpy(data + 4, swap ? f->src : f->dst, 4);
	segue_put_be16(data + 8, low);
	segue_put_be16(data + 10, high);
	for (bit = 0; bit < 8 * sizeof(data); bit++)
		if (data[bit / 8] >> (7 - bit % 8) & 1)
			hash ^= (uint32_t)(segue_get_be64(hash_key + bit / 8) << (bit % 8) >> 32);
	return hash;
}

/* Index of the queue that got the frame, and its hash. False if no queue got it. */
static bool came(struct lane *l, unsigned int *queue, uint32_t *hash)
{
	const segue_deadline deadline = segue_deadline_in_ms(2000);
	struct segue_wc_details details;
	struct segue_wc wc;
	unsigned int i;
	int n;

	do {
		for (i = 0; i < QUEUES; i++) {
			n = segue_cq_poll_details(l->came[i], 1, &wc, &details);
			if (n < 0 || (n == 1 && wc.syndrome))
				return kit_say(l->kit, "%s",
					       n < 0 ? segue_errmsg() : "a receive failed");
			*queue = i;
			*hash = details.rss_hash;
			l->arrived += n == 1;
			if (n == 1)
				return memcmp(l->room + wc.wr_id * 256, l->frame, 120) == 0 ||
				       kit_say(l->kit, "another frame came");
		}
	} while (segue_deadline_left_ms(deadline) > 0);
	return l->arrived ? kit_say(l->kit, "the frame did not come within 2 s")
			  : stays_away(l->kit);
}

/* Eight flows in both directions. `by`: what is compared, or NULL: that they come is enough. */
static bool spread(struct kit *kit, bool (*by)(struct lane *, const struct flow *,
					       unsigned int queue, uint32_t hash))
{
	unsigned int i, queue = 0;
	uint32_t hash = 0;
	struct lane l;
	bool good = open_spread(kit, &l);

	for (i = 0; good && i < 16; i++) {
		const uint16_t port = (uint16_t)(40000 + 13 * (i / 2));
		const struct flow f = i % 2 ? (struct flow){there_ip, here_ip, 9, port}
					    : (struct flow){here_ip, there_ip, port, 9};

		good = send_udp(&l, &f) && came(&l, &queue, &hash) &&
		       (!by || by(&l, &f, queue, hash));
	}
	close_lane(&l);
	return good;
}

static bool by_hash(struct lane *l, const struct flow *f, unsigned int queue, uint32_t hash)
{
	(void)queue;
	return hash == expected_hash(f) ||
	       kit_say(l->kit, "the hash is 0x%08x where 0x%08x was expected", hash,
		       expected_hash(f));
}

static bool by_queue(struct lane *l, const struct flow *f, unsigned int queue, uint32_t hash)
{
	(void)f;
	return queue == hash % QUEUES ||
	       kit_say(l->kit, "a frame with hash 0x%08x came to queue %u of %u", hash, queue,
		       QUEUES);
}

bool kit_spread_frames(struct kit_ends *e)
{
	return spread(e->kit, NULL);
}

bool see_hash(struct kit_ends *e)
{
	return spread(e->kit, by_hash) &&
	       kit_saw(e->kit, true, "both directions of 8 flows hashed alike, as reckoned");
}

bool see_spread(struct kit_ends *e)
{
	return spread(e->kit, by_queue) &&
	       kit_saw(e->kit, true, "16 frames came where the last bits of their hashes say");
}

/* ---- segments ---- */

/* To the port itself, of a type that no host takes, in case it leaves the card. */
bool see_tso(struct kit_ends *e)
{
	struct lane l;
	bool good = open_lane(e->kit, &l, 64);

	if (good && !segue_device_caps(e->kit->device)->max_tso)
		good = kit_cannot(e->kit, "the device has no TSO");
	if (good) {
		lay_ethernet(&l, EXPERIMENTAL);
		good = !segue_post(segue_sge(segue_eth(segue_tso(segue_qp_raw_packet_sq(l.qp),
								 KIT_SEND, SEGUE_SIGNALED),
						       0, 100, l.frame, 54),
					     (uintptr_t)l.frame + 54, 200,
					     segue_mr_lkey(l.mr).lkey)) ||
		       kit_say(e->kit, "%s", segue_errmsg());
	}
	good = good && kit_take(e->kit, l.sent, 1) &&
	       kit_failed(e->kit, SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, -1);
	close_lane(&l);
	return good;
}
