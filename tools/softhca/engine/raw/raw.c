/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packet queue pairs, sending: frames from WQEs, with the Ethernet segment's offloads. */
#include "tools/softhca/engine/deviations.h"
#include "tools/softhca/engine/packet/be.h"
#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/engine/queue/wqe.h"

#include <netinet/in.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "raw.h"

#define TCP_CWR	      0x80u
#define TCP_PSH_FIN   0x09u
#define TYPE_CUSTOMER 0x8100u
#define TYPE_SERVICE  0x88a8u

struct out_frame {
	uint8_t bytes[SOFTHCA_FRAME_MAX];
	size_t len;
};

/* The inlined headers and `len` bytes of the payload from `offset` on. */
static int gather(struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t offset,
		  uint64_t len, struct out_frame *f)
{
	if (msg->eth.inline_len + len > SOFTHCA_FRAME_MAX)
		return SOFTHCA_LOCAL_LENGTH;
	memcpy(f->bytes, msg->eth.inlined, msg->eth.inline_len);
	f->len = msg->eth.inline_len + (size_t)len;
	return len ? softhca_msg_gather(qp, msg, offset, f->bytes + msg->eth.inline_len,
					(size_t)len)
		   : SOFTHCA_OK;
}

static int insert_tag(const struct softhca_eth_wqe *eth, struct out_frame *f)
{
	if (f->len + SOFTHCA_VLAN_SIZE > SOFTHCA_FRAME_MAX)
		return SOFTHCA_LOCAL_LENGTH;
	memmove(f->bytes + 12 + SOFTHCA_VLAN_SIZE, f->bytes + 12, f->len - 12);
	put16(f->bytes + 12, eth->service_tag ? TYPE_SERVICE : TYPE_CUSTOMER);
	put16(f->bytes + 14, eth->tci);
	f->len += SOFTHCA_VLAN_SIZE;
	return SOFTHCA_OK;
}

static int emit(struct softhca_qp *qp, const struct softhca_eth_wqe *eth, struct out_frame *f)
{
	int err = f->len < SOFTHCA_ETH_HDR ? SOFTHCA_LOCAL_LENGTH : SOFTHCA_OK;

	if (!err && eth->insert_tag)
		err = insert_tag(eth, f);
	if (err)
		return err;
	softhca_eth_checksum(f->bytes, f->len, eth->cs_flags & SEGUE_ETH_CS_FLAG_L3_CSUM,
			     eth->cs_flags & SEGUE_ETH_CS_FLAG_L4_CSUM);
	softhca_steer_out(qp, f->bytes, f->len);
	softhca_pace_spend(qp, f->len);
	return SOFTHCA_OK;
}

/* Makes the headers of the nth segment from those of the whole packet. */
static void adjust_headers(const struct softhca_eth *hdr, struct out_frame *f, uint32_t nth,
			   uint64_t offset, bool last)
{
	uint8_t *ip = f->bytes + hdr->l3, *tcp = f->bytes + hdr->l4;

	if (hdr->ip == 4) {
		put16(ip + 2, (uint32_t)(f->len - hdr->l3));
		/* Each packet has an identification of its own. */
		put16(ip + 4, get16(ip + 4) + nth);
	} else {
		put16(ip + 4, (uint32_t)(f->len - hdr->l3 - 40));
	}
	put32(tcp + 4, get32(tcp + 4) + (uint32_t)offset);
	if (nth)
		tcp[13] &= (uint8_t)~TCP_CWR;
	if (!last)
		tcp[13] &= (uint8_t)~TCP_PSH_FIN;
}

static int segment(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	struct out_frame f;
	struct softhca_eth hdr = {0};
	uint64_t done = 0;

	if (msg->eth.inline_len >= SOFTHCA_ETH_HDR)
		softhca_eth_parse(&hdr, msg->eth.inlined, msg->eth.inline_len);
	if (!hdr.l4 || hdr.proto != IPPROTO_TCP || hdr.payload != msg->eth.inline_len ||
	    !msg->eth.mss) {
		softhca_referee(qp, SOFTHCA_RULE_SEGMENT,
				"TSO with mss %u and %u bytes of headers, which must be those of "
				"one TCP packet and nothing else",
				msg->eth.mss, msg->eth.inline_len);
		return SOFTHCA_LOCAL_QP_OP;
	}
	if (msg->length > SOFTHCA_MAX_TSO) {
		softhca_referee(qp, SOFTHCA_RULE_SEGMENT,
				"TSO of %llu bytes, and this device takes %u at most (max_tso)",
				(unsigned long long)msg->length, SOFTHCA_MAX_TSO);
		return SOFTHCA_LOCAL_QP_OP;
	}
	do {
		uint64_t n = msg->length - done < msg->eth.mss ? msg->length - done : msg->eth.mss;
		int err = gather(qp, msg, done, n, &f);

		if (err)
			return err;
		adjust_headers(&hdr, &f, (uint32_t)(done / msg->eth.mss), done,
			       done + n == msg->length);
		err = emit(qp, &msg->eth, &f);
		if (err)
			return err;
		done += n;
	} while (done < msg->length);
	return SOFTHCA_OK;
}

int softhca_raw_send(struct softhca_qp *qp, struct softhca_msg *msg)
{
	struct out_frame f;
	int err;

	if (msg->executes == SEGUE_OPCODE_TSO && !softhca_contrary(SOFTHCA_CONTRARY_TSO))
		return qp->dev->cfg.tso ? segment(qp, msg) : SOFTHCA_LOCAL_QP_OP;
	err = gather(qp, msg, 0, msg->length, &f);
	return err ? err : emit(qp, &msg->eth, &f);
}
