/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * striding: many frames in one buffer.
 *
 * When to use it: packets of mixed size at high rates. One receive serves as many frames as its
 * buffer has strides, so that few receives are posted and short frames do not waste a large buffer
 * each. What the card must have: an Ethernet port and segue_caps.striding_rq; the program
 * CAP_NET_RAW. What to mind: frames of one buffer are freed together. Whoever keeps one keeps all
 * of the buffer, or copies it.
 */
#include <string.h>

#include "pair.h"
#include "segue/raw_packet.h"

#define STRIDE	256u
#define STRIDES 8u
#define FRAMES	24u

static struct {
	uint8_t buffers[2][STRIDES * STRIDE];
	uint8_t frame[600];
} memory;

/* Frames to that address come to the queue. */
static const struct segue_flow_rule to_here = {.port = 1, .dst_mac = {0x02, 0, 0, 0, 0, 1}};

static uint32_t length_of(uint32_t number)
{
	return 64 + number * 37 % 500;
}

static void send_frame(struct pair *p, uint32_t number)
{
	const uint32_t length = length_of(number);
	struct segue_local_buf rest;

	memset(memory.frame, (int)number, sizeof(memory.frame));
	memcpy(memory.frame, to_here.dst_mac, sizeof(to_here.dst_mac));
	memory.frame[12] = 0x88; /* a type for experiments */
	memory.frame[13] = 0xb5;
	must(segue_mr_local_buf(p->mr, sizeof(memory.buffers) + 18, length - 18, &rest));
	must(segue_post(segue_sge_buf(
		segue_eth(segue_send(segue_qp_raw_packet_sq(p->a), number, SEGUE_SIGNALED), 0,
			  memory.frame, 18),
		rest)));
	pair_complete(p, 1);
}

static void post(struct pair *p, struct segue_mprq *mprq, uint64_t which)
{
	struct segue_local_buf buffer;

	must(segue_mr_local_buf(p->mr, which * sizeof(memory.buffers[0]), sizeof(memory.buffers[0]),
				&buffer));
	must(segue_post(segue_sge_buf(segue_recv(mprq, which), buffer)));
}

/* The frame that a completion speaks of; it lies from its stride on. */
static void check(const struct segue_wc *wc, uint32_t number)
{
	const uint8_t *frame = memory.buffers[wc->wr_id] + wc->wqe_counter * STRIDE;

	if (wc->byte_len == length_of(number) && !memcmp(frame, memory.frame, wc->byte_len))
		return;
	fprintf(stderr, "Frame %u is not what was sent.\n", number);
	exit(1);
}

int main(void)
{
	struct segue_striding_options options = {
		.max_wr = 2, .max_sge = 1, .log_stride = 8, .log_strides = 3};
	struct segue_qp_options sender = {
		.type = SEGUE_QP_RAW_PACKET, .max_send_wr = 16, .max_send_sge = 1};
	struct segue_cq_options entries = {.entries = 64};
	struct segue_striding *striding;
	struct segue_path path;
	struct segue_flow *flow;
	uint32_t number;
	struct pair p;

	pair_begin(&p, &memory, sizeof(memory));
	must(segue_cq_open(p.device, &entries, &options.cq));
	must(segue_striding_open(p.pd, &options, &striding));
	sender.send_cq = sender.recv_cq = p.cq;
	must(segue_qp_open(p.pd, &sender, &p.a));
	must(segue_path_init(&path, p.device, 1));
	must(segue_qp_connect(p.a, &path));
	must(segue_flow_open_to_striding(striding, &to_here, &flow));

	post(&p, segue_striding_mprq(striding), 0);
	post(&p, segue_striding_mprq(striding), 1);
	for (number = 0; number < FRAMES; number++) {
		struct segue_wc wc;
		int got;

		send_frame(&p, number);
		do {
			got = segue_cq_poll(options.cq, 1, &wc);
			must(got);
			if (got && !(wc.flags & SEGUE_WC_FILLER))
				check(&wc, number);
			if (got && wc.flags & SEGUE_WC_LAST_STRIDE) /* used up: posted again */
				post(&p, segue_striding_mprq(striding), wc.wr_id);
		} while (!got || wc.flags & SEGUE_WC_FILLER);
	}
	printf("%u frames of 64 to 563 bytes came in two buffers of %u.\n", FRAMES,
	       STRIDES * STRIDE);
	pair_close(&p);
	return 0;
}
