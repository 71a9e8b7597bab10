/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding of send WQEs: which segments an opcode has on which transport, and what they say. */
#include "wqe.h"

#include <endian.h>
#include <string.h>

#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define T(type)	  (1u << SOFTHCA_QP_##type)
#define CONNECTED (T(RC) | T(UC) | T(XRC_INI) | T(DCI))
#define RELIABLE  (T(RC) | T(XRC_INI) | T(DCI))
#define EVERY	  (CONNECTED | T(UD) | T(RAW))

/* What the device takes a data segment of 0 bytes for (spec/mlx5/segments/data.yaml). */
#define EMPTY_PIECE (UINT32_C(1) << 31)

/* What follows the address segments. */
enum tail { TAIL_NONE, TAIL_DATA, TAIL_ATOMIC, TAIL_MASKED, TAIL_LOCAL };

struct rule {
	const char *name; /* NULL: no such opcode */
	unsigned types;	  /* QP types that may post it */
	enum softhca_kind kind;
	enum tail tail;
	bool raddr, imm, inv;
};

static const struct rule rules[64] = {
	[SEGUE_OPCODE_NOP] = {"NOP", EVERY, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[SEGUE_OPCODE_SEND_INVAL] = {"SEND_INVAL", CONNECTED, SOFTHCA_MSG_SEND, TAIL_DATA, false,
				     false, true},
	[SEGUE_OPCODE_RDMA_WRITE] = {"RDMA_WRITE", CONNECTED, SOFTHCA_MSG_WRITE, TAIL_DATA, true,
				     false, false},
	[SEGUE_OPCODE_RDMA_WRITE_IMM] = {"RDMA_WRITE_IMM", CONNECTED, SOFTHCA_MSG_WRITE, TAIL_DATA,
					 true, true, false},
	[SEGUE_OPCODE_SEND] = {"SEND", EVERY, SOFTHCA_MSG_SEND, TAIL_DATA, false, false, false},
	[SEGUE_OPCODE_SEND_IMM] = {"SEND_IMM", EVERY & ~T(RAW), SOFTHCA_MSG_SEND, TAIL_DATA, false,
				   true, false},
	[SEGUE_OPCODE_TSO] = {"TSO", T(RAW), SOFTHCA_MSG_SEND, TAIL_DATA, false, false, false},
	[SEGUE_OPCODE_WAIT] = {"WAIT", EVERY, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[SEGUE_OPCODE_RDMA_READ] = {"RDMA_READ", RELIABLE, SOFTHCA_MSG_READ, TAIL_DATA, true, false,
				    false},
	[SEGUE_OPCODE_ATOMIC_CS] = {"ATOMIC_CS", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_ATOMIC, true,
				    false, false},
	[SEGUE_OPCODE_ATOMIC_FA] = {"ATOMIC_FA", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_ATOMIC, true,
				    false, false},
	[SEGUE_OPCODE_ATOMIC_MASKED_CS] = {"ATOMIC_MASKED_CS", RELIABLE, SOFTHCA_MSG_ATOMIC,
					   TAIL_MASKED, true, false, false},
	[SEGUE_OPCODE_ATOMIC_MASKED_FA] = {"ATOMIC_MASKED_FA", RELIABLE, SOFTHCA_MSG_ATOMIC,
					   TAIL_MASKED, true, false, false},
	[SEGUE_OPCODE_SEND_EN] = {"SEND_EN", EVERY, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
				  false},
	[SEGUE_OPCODE_BIND_MW] = {"BIND_MW", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
				  false},
	[SEGUE_OPCODE_LOCAL_INVAL] = {"LOCAL_INVAL", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL,
				      false, false, false},
	[SEGUE_OPCODE_SET_PSV] = {"SET_PSV", T(RC), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
				  false},
	[SEGUE_OPCODE_GET_PSV] = {"GET_PSV", T(RC), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
				  false},
	[SEGUE_OPCODE_CHECK_PSV] = {"CHECK_PSV", T(RC), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
				    false},
	[SEGUE_OPCODE_UMR] = {"UMR", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[SEGUE_OPCODE_TAG_MATCHING] = {"TAG_MATCHING", T(RC), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false,
				       false, false},
	[SEGUE_OPCODE_MMO] = {"MMO", T(RC) | T(DCI), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false,
			      false},
	[SEGUE_OPCODE_LOCAL_MMO] = {"LOCAL_MMO", T(RC) | T(DCI), SOFTHCA_MSG_LOCAL, TAIL_LOCAL,
				    false, false, false},
};

static const struct rule *find_rule(uint8_t opcode)
{
	return opcode < 64 && rules[opcode].name ? &rules[opcode] : NULL;
}

const char *softhca_opcode_name(uint8_t opcode)
{
	const struct rule *r = find_rule(opcode);

	return r ? r->name : "unknown opcode";
}

void softhca_ctrl_parse(struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	struct segue_seg_ctrl seg;

	/* Reserved bits that are set are the validator's business. */
	segue_seg_ctrl_unpack(&seg, raw);
	ctrl->opcode = seg.opcode;
	ctrl->index = seg.wqe_index;
	ctrl->opmod = seg.opmod;
	ctrl->qpn = seg.qpn;
	ctrl->ds = seg.ds;
	ctrl->fm_ce_se = raw[11];
	ctrl->fence = seg.fm;
	ctrl->ce = seg.ce;
	ctrl->se = seg.se;
	ctrl->stream = seg.dci_stream_channel_id;
	ctrl->imm = htobe32(seg.imm);
}

unsigned softhca_wqe_blocks(const struct softhca_ctrl *ctrl)
{
	return ctrl->ds ? (ctrl->ds + 3u) / 4 : 1;
}

/* What is left of the WQE while it is read. */
struct cursor {
	struct softhca_qp *qp;
	const uint8_t *at;
	size_t left;
};

/* The next segment; NULL (and told to the referee) if ds does not cover it. */
static const uint8_t *take(struct cursor *c, size_t size, const char *name)
{
	const uint8_t *seg = c->at;

	if (c->left < size) {
		softhca_referee(c->qp, SOFTHCA_RULE_DS,
				"ds leaves %zu bytes where the %s segment needs %zu", c->left, name,
				size);
		return NULL;
	}
	c->at += size;
	c->left -= size;
	return seg;
}

static bool parse_xrc(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t *raw = take(c, SEGUE_SEG_XRC_SIZE, "xrc");
	struct segue_seg_xrc seg;

	if (!raw)
		return false;
	segue_seg_xrc_unpack(&seg, raw);
	msg->xrc_srqn = seg.xrc_srqn & SOFTHCA_NUM_MASK;
	return true;
}

/* The part that UD and DC address vectors share; only the key in front of it differs. */
static void store_path(struct softhca_qp *qp, const struct segue_seg_av_ud *seg,
		       struct softhca_av *av)
{
	av->port = qp->attr.port_num;
	av->static_rate = seg->stat_rate;
	av->sl = seg->sl;
	av->path_bits = seg->mlid;
	/* On RoCE the field holds the UDP source port. */
	if (qp->dev->port[av->port].link == SOFTHCA_LINK_ROCE)
		av->udp_sport = seg->rlid;
	else
		av->dlid = seg->rlid;
	memcpy(av->rmac, seg->rmac, sizeof(av->rmac));
	av->tclass = seg->tclass;
	av->hop_limit = seg->hop_limit;
	av->grh = seg->grh;
	av->sgid_index = seg->sgid_index;
	av->flow_label = seg->flow_label;
	memcpy(av->dgid.raw, seg->rgid, sizeof(av->dgid.raw));
}

/* Without the extension bit an address vector ends after its first 16 bytes. */
static bool parse_datagram(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t extended = 0x80; /* top bit of dqp_dct */
	struct softhca_dest *d = &msg->dest_buf;
	uint8_t full[SEGUE_SEG_AV_UD_SIZE] = {0};
	struct segue_seg_av_dc dc;
	struct segue_seg_av_ud ud;
	const uint8_t *raw;

	memset(d, 0, sizeof(*d));
	raw = take(c, c->left > 8 && c->at[8] & extended ? sizeof(full) : 16, "address vector");
	if (!raw)
		return false;
	memcpy(full, raw, raw[8] & extended ? sizeof(full) : 16);
	segue_seg_av_ud_unpack(&ud, full);
	d->dqpn = ud.dqp_dct & SOFTHCA_NUM_MASK;
	store_path(c->qp, &ud, &d->av);
	if (c->qp->type == SOFTHCA_QP_DCI) {
		segue_seg_av_dc_unpack(&dc, full);
		d->dckey = dc.dc_key;
	} else {
		/* The top bit asks for the queue's own key. */
		d->qkey = ud.qkey & 0x80000000 ? c->qp->attr.qkey : ud.qkey;
	}
	msg->dest = d;
	return true;
}

/* Ethernet: the inlined part of the packet begins at byte 14 and may run beyond the segment. */
static bool parse_eth(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t *raw = take(c, SEGUE_SEG_ETH_SIZE, "eth");
	struct segue_seg_eth seg;

	if (!raw)
		return false;
	/* With the top bit of the last word set a tag stands where the headers would be. */
	if (raw[12] & 0x80) {
		struct segue_seg_eth_vlan vlan;

		segue_seg_eth_vlan_unpack(&vlan, raw);
		msg->eth = (struct softhca_eth_wqe){.inlined = raw,
						    .mss = vlan.mss,
						    .cs_flags = vlan.cs_flags,
						    .insert_tag = true,
						    .service_tag = vlan.svlan,
						    .tci = vlan.vlan_tci};
		return true;
	}
	segue_seg_eth_unpack(&seg, raw);
	msg->eth = (struct softhca_eth_wqe){.inlined = raw + SEGUE_SEG_ETH_SIZE - 2,
					    .inline_len = seg.inline_hdr_sz,
					    .mss = seg.mss,
					    .cs_flags = seg.cs_flags};
	return seg.inline_hdr_sz <= 2 ||
	       take(c, (seg.inline_hdr_sz - 2 + 15) / 16 * 16, "eth (inlined headers)");
}

static bool parse_raddr(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t *raw = take(c, SEGUE_SEG_RADDR_SIZE, "raddr");
	struct segue_seg_raddr seg;

	if (!raw)
		return false;
	segue_seg_raddr_unpack(&seg, raw);
	msg->raddr = seg.remote_addr;
	msg->rkey = seg.rkey;
	return true;
}

static bool parse_atomic(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t *raw = take(c, SEGUE_SEG_ATOMIC_SIZE, "atomic");
	struct segue_seg_atomic seg;

	if (!raw)
		return false;
	segue_seg_atomic_unpack(&seg, raw);
	msg->atomic.size = 8;
	msg->atomic.is_fadd = msg->opcode == SEGUE_OPCODE_ATOMIC_FA;
	msg->atomic.swap_add = seg.swap_add;
	msg->atomic.compare = seg.compare;
	msg->atomic.swap_mask = msg->atomic.compare_mask = UINT64_MAX;
	return true;
}

static bool parse_masked_cas(struct cursor *c, struct softhca_atomic *a)
{
	const bool wide = a->size == 8;
	const uint8_t *raw = take(c,
				  wide ? SEGUE_SEG_MASKED_CAS64_SIZE : SEGUE_SEG_MASKED_CAS32_SIZE,
				  "masked compare and swap");
	struct segue_seg_masked_cas64 seg;
	struct segue_seg_masked_cas32 half;

	if (!raw)
		return false;
	if (wide) {
		segue_seg_masked_cas64_unpack(&seg, raw);
	} else {
		segue_seg_masked_cas32_unpack(&half, raw);
		seg = (struct segue_seg_masked_cas64){half.swap, half.compare, half.swap_mask,
						      half.compare_mask};
	}
	a->swap_add = seg.swap;
	a->compare = seg.compare;
	a->swap_mask = seg.swap_mask;
	a->compare_mask = seg.compare_mask;
	return true;
}

static bool parse_masked_fa(struct cursor *c, struct softhca_atomic *a)
{
	const bool wide = a->size == 8;
	const uint8_t *raw = take(c, wide ? SEGUE_SEG_MASKED_FA64_SIZE : SEGUE_SEG_MASKED_FA32_SIZE,
				  "masked fetch and add");
	struct segue_seg_masked_fa64 seg;
	struct segue_seg_masked_fa32 half;

	if (!raw)
		return false;
	if (wide) {
		segue_seg_masked_fa64_unpack(&seg, raw);
	} else {
		segue_seg_masked_fa32_unpack(&half, raw);
		seg = (struct segue_seg_masked_fa64){half.add, half.field_boundary};
	}
	a->swap_add = seg.add;
	a->add_boundary = seg.field_boundary;
	return true;
}

static bool parse_masked(struct cursor *c, const struct softhca_ctrl *ctrl, struct softhca_msg *msg)
{
	struct softhca_atomic *a = &msg->atomic;

	if (!(ctrl->opmod & 8) || (ctrl->opmod & 7) > 1) {
		softhca_referee(
			c->qp, SOFTHCA_RULE_OPCODE,
			"opmod 0x%x of a masked atomic; 0x8 (4 bytes) and 0x9 (8 bytes) exist",
			ctrl->opmod);
		return false;
	}
	a->size = ctrl->opmod & 7 ? 8 : 4;
	a->masked = true;
	a->is_fadd = ctrl->opcode == SEGUE_OPCODE_ATOMIC_MASKED_FA;
	return a->is_fadd ? parse_masked_fa(c, a) : parse_masked_cas(c, a);
}

static bool parse_inline(struct cursor *c, uint32_t size, struct softhca_msg *msg)
{
	if (msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC || msg->length) {
		softhca_referee(c->qp, SOFTHCA_RULE_SEGMENT, "inline data is not allowed %s",
				msg->length ? "after other data" : "where the result goes");
		return false;
	}
	if (size > c->left - 4) {
		softhca_referee(c->qp, SOFTHCA_RULE_DS,
				"ds leaves %zu bytes for %u bytes of inline data", c->left - 4,
				size);
		return false;
	}
	msg->inline_len = size;
	msg->length = size;
	memcpy(msg->u.inline_data, c->at + 4, size);
	size = (size + 4 + 15) & ~15u;
	if (size > c->left)
		size = (uint32_t)c->left;
	c->at += size;
	c->left -= size;
	return true;
}

static bool parse_data(struct cursor *c, struct softhca_msg *msg)
{
	const uint8_t *raw;
	struct segue_seg_data seg;

	while (c->left) {
		struct softhca_span *span = &msg->u.span[msg->nspans];

		/* The top bit of the byte count makes the segment an inline one. */
		if (*c->at & 0x80) {
			if (!parse_inline(c, segue_get_be32(c->at) & 0x3ff, msg))
				return false;
			continue;
		}
		raw = take(c, SEGUE_SEG_DATA_SIZE, "data");
		if (!raw)
			return false;
		segue_seg_data_unpack(&seg, raw);
		span->va = seg.addr;
		span->len = seg.byte_count ? seg.byte_count : EMPTY_PIECE;
		span->lkey = seg.lkey;
		msg->length += span->len;
		msg->nspans++;
	}
	return true;
}

/* A READ or atomic answer must have somewhere to go, and a message has a largest size. */
static int check_length(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	const uint64_t most = UINT64_C(1) << SOFTHCA_LOG_MAX_MSG;
	const struct softhca_port *port = &qp->dev->port[qp->attr.port_num];

	if (msg->length > most)
		return SOFTHCA_LOCAL_LENGTH;
	if (qp->type == SOFTHCA_QP_UD && msg->length > 128u << port->active_mtu)
		return SOFTHCA_LOCAL_LENGTH;
	if (msg->kind == SOFTHCA_MSG_ATOMIC && msg->length != msg->atomic.size)
		return SOFTHCA_LOCAL_LENGTH;
	return SOFTHCA_OK;
}

static bool parse_segments(struct cursor *c, const struct softhca_ctrl *ctrl,
			   const struct rule *rule, struct softhca_msg *msg)
{
	enum softhca_qp_type type = c->qp->type;

	if (type == SOFTHCA_QP_XRC_INI && !parse_xrc(c, msg))
		return false;
	if ((type == SOFTHCA_QP_UD || type == SOFTHCA_QP_DCI) && !parse_datagram(c, msg))
		return false;
	if (type == SOFTHCA_QP_RAW && !parse_eth(c, msg))
		return false;
	if (rule->raddr && !parse_raddr(c, msg))
		return false;
	if (rule->tail == TAIL_ATOMIC && !parse_atomic(c, msg))
		return false;
	if (rule->tail == TAIL_MASKED && !parse_masked(c, ctrl, msg))
		return false;
	return parse_data(c, msg);
}

static bool check_ctrl(struct softhca_qp *qp, const struct softhca_ctrl *ctrl,
		       const struct rule *rule)
{
	if (!ctrl->ds) {
		softhca_referee(qp, SOFTHCA_RULE_DS,
				"ds is 0: a WQE has at least its control segment");
		return false;
	}
	if (ctrl->qpn != qp->qpn) {
		softhca_referee(qp, SOFTHCA_RULE_QPN, "the control segment names QP 0x%x",
				ctrl->qpn);
		return false;
	}
	if (!rule) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE,
				"opcode 0x%02x does not exist or is not modelled", ctrl->opcode);
		return false;
	}
	if (!(rule->types & 1u << qp->type)) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE, "%s is not possible on this transport",
				rule->name);
		return false;
	}
	return true;
}

static int parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		 struct softhca_msg *msg)
{
	const struct rule *rule = find_rule(ctrl->opcode);
	struct cursor c = {.qp = qp, .at = raw + 16, .left = (size_t)ctrl->ds * 16 - 16};

	if (!check_ctrl(qp, ctrl, rule))
		return SOFTHCA_LOCAL_QP_OP;
	msg->kind = rule->kind;
	msg->has_imm = rule->imm;
	msg->has_inv = rule->inv;
	if (rule->tail == TAIL_LOCAL)
		return SOFTHCA_OK;
	if (!parse_segments(&c, ctrl, rule, msg))
		return SOFTHCA_LOCAL_QP_OP;
	return check_length(qp, msg);
}

int softhca_wqe_parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		      struct softhca_msg *msg)
{
	int syndrome;

	msg->opcode = ctrl->opcode;
	msg->signalled = ctrl->ce >= 2;
	msg->ce_error_only = !ctrl->ce;
	msg->solicited = ctrl->se;
	msg->fence = ctrl->fence;
	/* Without streams the field means nothing: perftest counts it up on every DCI. */
	msg->stream = qp->create.log_dci_streams ? ctrl->stream : 0;
	msg->kind = SOFTHCA_MSG_LOCAL;
	msg->imm = ctrl->imm;
	msg->inv_key = be32toh(ctrl->imm);
	syndrome = parse(qp, ctrl, raw, msg);
	/* What fails has been explained, except a length; one sentence is enough. */
	if (!syndrome || syndrome == SOFTHCA_LOCAL_LENGTH)
		softhca_judge(qp, ctrl->ds * 16u, raw);
	return syndrome;
}
