/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rss: the frames of a port spread over several queues, flow by flow.
 *
 * When to use it: more packets than one core can take. Each thread has a queue and a completion
 * queue of its own, and shares nothing on the way. What the card must have: an Ethernet port and
 * segue_caps.rss_max_table; the program CAP_NET_RAW. What it costs: nothing per frame. A table of
 * many entries spreads more evenly than one with an entry per queue, as flows are not equally
 * large. What to mind: all of one flow comes to one queue, so one large flow is still one core's
 * work. Both directions of a flow hash alike.
 */
#include <netinet/in.h>
#include <string.h>

#include "pair.h"
#include "segue/raw_packet.h"

#define QUEUES	 4u
#define FLOWS	 16u
#define FRAMES	 64u
#define EACH	 FRAMES /* receives of a queue: in case it gets all */
#define LENGTH	 128u
#define ETHERNET 14u
#define IP	 20u
#define UDP	 8u

static struct {
	uint8_t frame[LENGTH];
	uint8_t received[QUEUES][EACH][LENGTH];
} memory;

static const struct segue_flow_rule all_udp = {
	.port = 1, .dst_mac = {0x02, 0, 0, 0, 0, 1}, .ip = 4, .protocol = IPPROTO_UDP};

static void write_frame(uint32_t number)
{
	static const uint8_t addresses[] = {192, 0, 2, 1, 192, 0, 2, 2};
	uint8_t *h = memory.frame;

	memset(h, (int)number, LENGTH);
	memcpy(h, all_udp.dst_mac, 6);
	segue_put_be16(h + 12, 0x0800); /* IPv4 */
	h += ETHERNET;
	memset(h, 0, IP + UDP);
	h[0] = 0x45; /* version 4, 20 bytes */
	segue_put_be16(h + 2, LENGTH - ETHERNET);
	h[8] = 64;
	h[9] = IPPROTO_UDP;
	memcpy(h + 12, addresses, sizeof(addresses));
	h += IP;
	segue_put_be16(h, (uint16_t)(40000 + number % FLOWS));
	segue_put_be16(h + 2, 4789);
	segue_put_be16(h + 4, LENGTH - ETHERNET - IP);
}

static void send_frame(struct pair *p, uint32_t number)
{
	struct segue_local_buf rest;

	write_frame(number);
	must(segue_mr_local_buf(p->mr, 18, LENGTH - 18, &rest));
	must(segue_post(segue_sge_buf(
		segue_eth(segue_send(segue_qp_raw_packet_sq(p->a), number, SEGUE_SIGNALED), 0,
			  memory.frame, 18),
		rest)));
	pair_complete(p, 1);
}

static void post_receives(struct pair *p, struct segue_rss *rss)
{
	struct segue_local_buf slot;
	uint32_t i;

	for (i = 0; i < QUEUES * EACH; i++) {
		must(segue_mr_local_buf(p->mr, LENGTH + i * LENGTH, LENGTH, &slot));
		must(segue_post(segue_sge_buf(segue_recv(segue_rss_rq(rss, i / EACH), i), slot)));
	}
}

/* Polls them in turn, where a program would have a thread for each; says to which of them the frame
 * came. */
static uint32_t next_queue(struct segue_cq *const *cqs)
{
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	struct segue_wc wc;
	uint32_t i;

	for (i = 0;; i = (i + 1) % QUEUES) {
		const int got = segue_cq_poll(cqs[i], 1, &wc);

		must(got);
		if (got == 1)
			break;
		if (segue_deadline_left_ms(deadline) <= 0) {
			fprintf(stderr, "A frame is missing.\n");
			exit(1);
		}
	}
	if (wc.syndrome || wc.byte_len != LENGTH ||
	    memcmp(memory.received[i][wc.wr_id % EACH], memory.frame, LENGTH)) {
		fprintf(stderr, "Queue %u has a frame that was not sent.\n", i);
		exit(1);
	}
	return i;
}

int main(void)
{
	struct segue_qp_options sender = {
		.type = SEGUE_QP_RAW_PACKET, .max_send_wr = 16, .max_send_sge = 1};
	struct segue_cq_options entries = {.entries = 2 * EACH};
	struct segue_cq *cqs[QUEUES];
	const struct segue_rss_options options = {
		.cqs = cqs,
		.queues = QUEUES,
		.max_wr = EACH,
		.max_sge = 1,
		.table_entries = 128,
		.fields = SEGUE_RSS_SRC_IP | SEGUE_RSS_DST_IP | SEGUE_RSS_SRC_PORT |
			  SEGUE_RSS_DST_PORT,
		.ip = 4,
		.protocol = IPPROTO_UDP,
	};
	uint32_t number, queue_of[FLOWS], count[QUEUES] = {0};
	struct segue_flow *flow;
	struct segue_path path;
	struct segue_rss *rss;
	struct pair p;

	pair_begin(&p, &memory, sizeof(memory));
	for (number = 0; number < QUEUES; number++)
		must(segue_cq_open(p.device, &entries, &cqs[number]));
	must(segue_rss_open(p.pd, &options, &rss));
	must(segue_flow_open_to_rss(rss, &all_udp, &flow));
	post_receives(&p, rss);
	sender.send_cq = sender.recv_cq = p.cq;
	must(segue_qp_open(p.pd, &sender, &p.a));
	must(segue_path_init(&path, p.device, 1));
	must(segue_qp_connect(p.a, &path));

	for (number = 0; number < FRAMES; number++) {
		uint32_t queue;

		send_frame(&p, number);
		queue = next_queue(cqs);
		count[queue]++;
		if (number < FLOWS)
			queue_of[number] = queue;
		if (queue_of[number % FLOWS] == queue)
			continue;
		fprintf(stderr, "Flow %u has changed its queue.\n", number % FLOWS);
		return 1;
	}
	printf("%u frames of %u flows: %u, %u, %u and %u on the four queues.\n", FRAMES, FLOWS,
	       count[0], count[1], count[2], count[3]);
	pair_close(&p);
	return 0;
}
