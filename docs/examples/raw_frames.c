/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * raw_frames: one large TCP message, cut by the card into frames (TSO), and led to a queue by its
 * port.
 *
 * When to use it: a network stack, a load generator or a capture of one's own, beside the kernel's.
 * What the card must have: an Ethernet port, and segue_caps.max_tso for the cutting; the program
 * CAP_NET_RAW. What it costs: one request and one completion for up to max_tso bytes; the headers
 * stand in the request, the card counts on sequence numbers, lengths and checksums. A received
 * frame takes a receive of its own (docs/examples/striding.c shares buffers among them). What to
 * mind: a rule takes its frames away from the kernel; what it does not name stays there. Frames
 * that find no receive are dropped.
 */
#include <netinet/in.h>
#include <string.h>

#include "pair.h"
#include "segue/raw_packet.h"

#define PAYLOAD	 10000u
#define MSS	 1460u
#define FRAMES	 ((PAYLOAD + MSS - 1) / MSS)
#define ETHERNET 14u
#define IP	 20u
#define TCP	 20u
#define HEADERS	 (ETHERNET + IP + TCP)
#define SEQUENCE 1000u

static struct {
	uint8_t payload[PAYLOAD];
	uint8_t received[FRAMES][2048];
} memory;

static const struct segue_flow_rule to_our_port = {
	.port = 1,
	.dst_mac = {0x02, 0, 0, 0, 0, 1},
	.ip = 4,
	.protocol = IPPROTO_TCP,
	.dst_port = 5001,
};

/* Those of the whole message; the card makes those of each frame out of them. */
static void write_headers(uint8_t *h)
{
	static const uint8_t addresses[] = {192, 0, 2, 1, 192, 0, 2, 2};

	memset(h, 0, HEADERS);
	memcpy(h, to_our_port.dst_mac, 6);
	h[6] = 0x02;
	h[11] = 0x02;
	segue_put_be16(h + 12, 0x0800); /* IPv4 */
	h += ETHERNET;
	h[0] = 0x45; /* version 4, 20 bytes */
	segue_put_be16(h + 2, IP + TCP + PAYLOAD);
	h[8] = 64;
	h[9] = IPPROTO_TCP;
	memcpy(h + 12, addresses, sizeof(addresses));
	h += IP;
	segue_put_be16(h, 40000);
	segue_put_be16(h + 2, to_our_port.dst_port);
	segue_put_be32(h + 4, SEQUENCE);
	h[12] = TCP / 4 << 4;
	h[13] = 0x18; /* PSH, ACK */
}

static void post_receives(struct pair *p)
{
	struct segue_local_buf slot;
	uint32_t i;

	for (i = 0; i < FRAMES; i++) {
		must(segue_mr_local_buf(p->mr, PAYLOAD + i * sizeof(memory.received[0]),
					sizeof(memory.received[0]), &slot));
		must(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(p->b), i), slot)));
	}
}

static void send_message(struct pair *p)
{
	const uint8_t sums = SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM;
	struct segue_local_buf payload;
	uint8_t headers[HEADERS];

	write_headers(headers);
	must(segue_mr_local_buf(p->mr, 0, PAYLOAD, &payload));
	must(segue_post(segue_sge_buf(
		segue_eth(segue_tso(segue_qp_raw_packet_sq(p->a), FRAMES, SEGUE_SIGNALED), sums,
			  MSS, headers, HEADERS),
		payload)));
}

/* A frame holds the part of the message that its sequence number says, and the card has found its
 * checksums right. */
static void check(const struct segue_wc *wc, const struct segue_wc_details *details,
		  uint32_t *bytes)
{
	const uint8_t *frame = memory.received[wc->wr_id];
	const uint32_t at = segue_get_be32(frame + ETHERNET + IP + 4) - SEQUENCE,
		       length = wc->byte_len - HEADERS;
	const bool sums = details->valid & SEGUE_WC_HAS_CHECKSUM && details->l3_ok &&
			  details->l4_ok;

	if (at > PAYLOAD || length > PAYLOAD - at ||
	    memcmp(frame + HEADERS, memory.payload + at, length) || !sums) {
		fprintf(stderr, "The frame with bytes %u to %u of the message is not right.\n", at,
			at + length);
		exit(1);
	}
	*bytes += length;
}

int main(void)
{
	struct segue_qp_options end = {.type = SEGUE_QP_RAW_PACKET,
				       .max_send_wr = 16,
				       .max_send_sge = 1,
				       .max_recv_wr = FRAMES,
				       .max_recv_sge = 1};
	struct segue_cq_options entries = {.entries = 64};
	uint32_t i, frames = 0, bytes = 0;
	struct segue_flow *flow;
	struct segue_path path;
	struct pair p;

	for (i = 0; i < PAYLOAD; i++)
		memory.payload[i] = (uint8_t)(i * 31 + (i >> 8));
	pair_begin(&p, &memory, sizeof(memory));
	end.max_wqe_units = 16; /* room for the headers of the message */
	end.send_cq = end.recv_cq = p.cq;
	must(segue_qp_open(p.pd, &end, &p.b));
	/* receivers of frames do not share one */
	must(segue_cq_open(p.device, &entries, &end.recv_cq));
	must(segue_qp_open(p.pd, &end, &p.a));
	must(segue_path_init(&path, p.device, 1));
	must(segue_qp_connect(p.a, &path));
	must(segue_qp_connect(p.b, &path));
	post_receives(&p);
	must(segue_flow_open_to_qp(p.b, &to_our_port, &flow));

	send_message(&p);
	while (frames < FRAMES) {
		struct segue_wc_details details;
		const struct segue_wc wc = pair_next(&p, &details);

		if (!segue_wc_is_receive(&wc))
			continue;
		check(&wc, &details, &bytes);
		frames++;
	}
	printf("One request of %u bytes came as %u frames, %u bytes in all.\n", PAYLOAD, frames,
	       bytes);
	pair_close(&p);
	return bytes == PAYLOAD ? 0 : 1;
}
