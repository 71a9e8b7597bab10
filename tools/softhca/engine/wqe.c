/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding of send WQEs: which segments an opcode has on which transport, and what they say. */
#include "wqe.h"

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

/* Opcodes that mlx5dv.h does not name. */
enum { OPCODE_BIND_MW = 0x18 };

#define T(type) (1u << SOFTHCA_QP_##type)
#define CONNECTED (T(RC) | T(UC) | T(XRC_INI) | T(DCI))
#define RELIABLE (T(RC) | T(XRC_INI) | T(DCI))
#define EVERY (CONNECTED | T(UD) | T(RAW))

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
	[MLX5_OPCODE_NOP] = {"NOP", EVERY, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[MLX5_OPCODE_SEND_INVAL] = {"SEND_INVAL", CONNECTED, SOFTHCA_MSG_SEND, TAIL_DATA, false, false,
				    true},
	[MLX5_OPCODE_RDMA_WRITE] = {"RDMA_WRITE", CONNECTED, SOFTHCA_MSG_WRITE, TAIL_DATA, true, false,
				    false},
	[MLX5_OPCODE_RDMA_WRITE_IMM] = {"RDMA_WRITE_IMM", CONNECTED, SOFTHCA_MSG_WRITE, TAIL_DATA, true,
					true, false},
	[MLX5_OPCODE_SEND] = {"SEND", EVERY, SOFTHCA_MSG_SEND, TAIL_DATA, false, false, false},
	[MLX5_OPCODE_SEND_IMM] = {"SEND_IMM", EVERY & ~T(RAW), SOFTHCA_MSG_SEND, TAIL_DATA, false, true,
				  false},
	[MLX5_OPCODE_TSO] = {"TSO", T(RAW), SOFTHCA_MSG_SEND, TAIL_DATA, false, false, false},
	[MLX5_OPCODE_RDMA_READ] = {"RDMA_READ", RELIABLE, SOFTHCA_MSG_READ, TAIL_DATA, true, false,
				   false},
	[MLX5_OPCODE_ATOMIC_CS] = {"ATOMIC_CS", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_ATOMIC, true, false,
				   false},
	[MLX5_OPCODE_ATOMIC_FA] = {"ATOMIC_FA", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_ATOMIC, true, false,
				   false},
	[MLX5_OPCODE_ATOMIC_MASKED_CS] = {"ATOMIC_MASKED_CS", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_MASKED,
					  true, false, false},
	[MLX5_OPCODE_ATOMIC_MASKED_FA] = {"ATOMIC_MASKED_FA", RELIABLE, SOFTHCA_MSG_ATOMIC, TAIL_MASKED,
					  true, false, false},
	[OPCODE_BIND_MW] = {"BIND_MW", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[MLX5_OPCODE_LOCAL_INVAL] = {"LOCAL_INVAL", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false,
				     false, false},
	[MLX5_OPCODE_SET_PSV] = {"SET_PSV", T(RC), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[MLX5_OPCODE_UMR] = {"UMR", CONNECTED, SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
	[MLX5_OPCODE_MMO] = {"MMO", T(RC) | T(DCI), SOFTHCA_MSG_LOCAL, TAIL_LOCAL, false, false, false},
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
	struct mlx5_wqe_ctrl_seg seg;
	uint32_t first, second;

	memcpy(&seg, raw, sizeof(seg));
	first = be32toh(seg.opmod_idx_opcode);
	second = be32toh(seg.qpn_ds);
	ctrl->opcode = (uint8_t)first;
	ctrl->index = (uint16_t)(first >> 8);
	ctrl->opmod = (uint8_t)(first >> 24);
	ctrl->qpn = second >> 8;
	ctrl->ds = second & 0x3f;
	ctrl->fm_ce_se = seg.fm_ce_se;
	ctrl->stream = be16toh(seg.dci_stream_channel_id);
	ctrl->imm = seg.imm;
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

/* Takes the next segment; false (and told to the referee) if ds does not cover it. */
static bool take(struct cursor *c, void *seg, size_t size, const char *name)
{
	if (c->left < size) {
		softhca_referee(c->qp, SOFTHCA_RULE_DS,
				"ds leaves %zu bytes where the %s segment needs %zu", c->left, name, size);
		return false;
	}
	memcpy(seg, c->at, size);
	c->at += size;
	c->left -= size;
	return true;
}

static bool parse_xrc(struct cursor *c, struct softhca_msg *msg)
{
	uint32_t seg[4];

	if (!take(c, seg, sizeof(seg), "xrc"))
		return false;
	msg->xrc_srqn = be32toh(seg[0]) & SOFTHCA_NUM_MASK;
	return true;
}

/* The key, the destination and, in the long form, the path. Without the extension bit it ends after 16 bytes. */
static bool parse_datagram(struct cursor *c, struct softhca_msg *msg)
{
	struct softhca_dest *d = &msg->dest_buf;
	struct mlx5_wqe_av av;
	uint32_t grh, dqp;

	memset(d, 0, sizeof(*d));
	memset(&av, 0, sizeof(av));
	if (!take(c, &av, 16, "datagram"))
		return false;
	dqp = be32toh(av.dqp_dct);
	if (dqp & MLX5_EXTENDED_UD_AV && !take(c, (uint8_t *)&av + 16, sizeof(av) - 16, "datagram"))
		return false;
	d->dqpn = dqp & SOFTHCA_NUM_MASK;
	if (c->qp->type == SOFTHCA_QP_DCI)
		d->dckey = be64toh(av.key.dc_key);
	else
		d->qkey = be32toh(av.key.qkey.qkey);
	if (d->qkey & 0x80000000)
		d->qkey = c->qp->attr.qkey;
	grh = be32toh(av.grh_gid_fl);
	d->av.port = c->qp->attr.port_num;
	d->av.static_rate = av.stat_rate_sl >> 4;
	d->av.sl = av.stat_rate_sl & 0xf;
	d->av.path_bits = av.fl_mlid & 0x7f;
	if (c->qp->dev->port[d->av.port].link == SOFTHCA_LINK_ROCE)
		d->av.udp_sport = be16toh(av.rlid);
	else
		d->av.dlid = be16toh(av.rlid);
	memcpy(d->av.rmac, av.rmac, sizeof(d->av.rmac));
	d->av.tclass = av.tclass;
	d->av.hop_limit = av.hop_limit;
	d->av.grh = grh >> 30 & 1;
	d->av.sgid_index = (uint8_t)(grh >> 20);
	d->av.flow_label = grh & 0xfffff;
	memcpy(d->av.dgid.raw, av.rgid, sizeof(av.rgid));
	msg->dest = d;
	return true;
}

/* Ethernet: the inlined part of the packet begins at byte 14 and may run beyond the segment. Only its size matters here. */
static bool parse_eth(struct cursor *c, struct softhca_msg *msg)
{
	uint8_t seg[16], more[16];
	unsigned inlined;

	if (!take(c, seg, sizeof(seg), "eth"))
		return false;
	inlined = (unsigned)seg[12] << 8 | seg[13];
	msg->inv_key = 0;
	for (unsigned got = 2; got < inlined; got += 16)
		if (!take(c, more, sizeof(more), "eth (inlined headers)"))
			return false;
	return true;
}

static bool parse_raddr(struct cursor *c, struct softhca_msg *msg)
{
	struct mlx5_wqe_raddr_seg seg;

	if (!take(c, &seg, sizeof(seg), "raddr"))
		return false;
	if (seg.reserved)
		softhca_referee(c->qp, SOFTHCA_RULE_RESERVED, "raddr segment: reserved word is 0x%x",
				be32toh(seg.reserved));
	msg->raddr = be64toh(seg.raddr);
	msg->rkey = be32toh(seg.rkey);
	return true;
}

static bool parse_atomic(struct cursor *c, struct softhca_msg *msg)
{
	struct mlx5_wqe_atomic_seg seg;

	if (!take(c, &seg, sizeof(seg), "atomic"))
		return false;
	msg->atomic.size = 8;
	msg->atomic.is_fadd = msg->opcode == MLX5_OPCODE_ATOMIC_FA;
	msg->atomic.swap_add = be64toh(seg.swap_add);
	msg->atomic.compare = be64toh(seg.compare);
	msg->atomic.swap_mask = msg->atomic.compare_mask = UINT64_MAX;
	return true;
}

static bool parse_masked64(struct cursor *c, struct softhca_atomic *a)
{
	uint64_t seg[2], mask[2];

	if (!take(c, seg, sizeof(seg), "masked atomic"))
		return false;
	a->swap_add = be64toh(seg[0]);
	if (a->is_fadd) {
		a->add_boundary = be64toh(seg[1]);
		return true;
	}
	a->compare = be64toh(seg[1]);
	if (!take(c, mask, sizeof(mask), "masked atomic (masks)"))
		return false;
	a->swap_mask = be64toh(mask[0]);
	a->compare_mask = be64toh(mask[1]);
	return true;
}

static bool parse_masked32(struct cursor *c, struct softhca_atomic *a)
{
	uint32_t seg[4];

	if (!take(c, seg, sizeof(seg), "masked atomic"))
		return false;
	a->swap_add = be32toh(seg[0]);
	if (a->is_fadd) {
		a->add_boundary = be32toh(seg[1]);
		return true;
	}
	a->compare = be32toh(seg[1]);
	a->swap_mask = be32toh(seg[2]);
	a->compare_mask = be32toh(seg[3]);
	return true;
}

static bool parse_masked(struct cursor *c, const struct softhca_ctrl *ctrl, struct softhca_msg *msg)
{
	struct softhca_atomic *a = &msg->atomic;

	if (!(ctrl->opmod & 8) || (ctrl->opmod & 7) > 1) {
		softhca_referee(c->qp, SOFTHCA_RULE_OPCODE,
				"opmod 0x%x of a masked atomic; 0x8 (4 bytes) and 0x9 (8 bytes) exist",
				ctrl->opmod);
		return false;
	}
	a->size = ctrl->opmod & 7 ? 8 : 4;
	a->masked = true;
	a->is_fadd = ctrl->opcode == MLX5_OPCODE_ATOMIC_MASKED_FA;
	return a->size == 8 ? parse_masked64(c, a) : parse_masked32(c, a);
}

static bool parse_inline(struct cursor *c, uint32_t size, struct softhca_msg *msg)
{
	if (msg->kind == SOFTHCA_MSG_READ || msg->kind == SOFTHCA_MSG_ATOMIC || msg->nspans) {
		softhca_referee(c->qp, SOFTHCA_RULE_SEGMENT, "inline data is not allowed %s",
				msg->nspans ? "after data segments" : "where the result goes");
		return false;
	}
	if (size > c->left - 4) {
		softhca_referee(c->qp, SOFTHCA_RULE_DS, "ds leaves %zu bytes for %u bytes of inline data",
				c->left - 4, size);
		return false;
	}
	msg->is_inline = true;
	msg->length = size;
	memcpy(msg->u.inline_data, c->at + 4, size);
	size = (size + 4 + 15) & ~15u;
	if (size < c->left) {
		softhca_referee(c->qp, SOFTHCA_RULE_DS, "ds counts %zu bytes behind the inline data",
				c->left - size);
		return false;
	}
	c->left = 0;
	return true;
}

static bool parse_data(struct cursor *c, struct softhca_msg *msg)
{
	struct mlx5_wqe_data_seg seg;

	while (c->left) {
		struct softhca_span *span = &msg->u.span[msg->nspans];
		uint32_t count;

		memcpy(&count, c->at, sizeof(count));
		if (be32toh(count) & MLX5_INLINE_SEG)
			return parse_inline(c, be32toh(count) & 0x3ff, msg);
		if (!take(c, &seg, sizeof(seg), "data"))
			return false;
		if (!count)
			continue;
		span->va = be64toh(seg.addr);
		span->len = be32toh(seg.byte_count);
		span->lkey = be32toh(seg.lkey);
		msg->length += span->len;
		msg->nspans++;
	}
	return true;
}

/* A READ or atomic answer must have somewhere to go, and a message has a largest size. */
static int check_length(struct softhca_qp *qp, const struct softhca_msg *msg)
{
	const uint64_t most = UINT64_C(1) << 31;
	const struct softhca_port *port = &qp->dev->port[qp->attr.port_num];

	if (msg->length > most)
		return SOFTHCA_LOCAL_LENGTH;
	if (qp->type == SOFTHCA_QP_UD && msg->length > 128u << port->active_mtu)
		return SOFTHCA_LOCAL_LENGTH;
	if (msg->kind == SOFTHCA_MSG_ATOMIC && msg->length != msg->atomic.size)
		return SOFTHCA_LOCAL_LENGTH;
	return SOFTHCA_OK;
}

static bool parse_segments(struct cursor *c, const struct softhca_ctrl *ctrl, const struct rule *rule,
			   struct softhca_msg *msg)
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

static bool check_ctrl(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const struct rule *rule)
{
	if (!ctrl->ds) {
		softhca_referee(qp, SOFTHCA_RULE_DS, "ds is 0: a WQE has at least its control segment");
		return false;
	}
	if (ctrl->qpn != qp->qpn) {
		softhca_referee(qp, SOFTHCA_RULE_QPN, "the control segment names QP 0x%x", ctrl->qpn);
		return false;
	}
	if (!rule) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE, "opcode 0x%02x does not exist or is not modelled",
				ctrl->opcode);
		return false;
	}
	if (!(rule->types & 1u << qp->type)) {
		softhca_referee(qp, SOFTHCA_RULE_OPCODE, "%s is not possible on this transport",
				rule->name);
		return false;
	}
	if (ctrl->fm_ce_se & 0x11)
		softhca_referee(qp, SOFTHCA_RULE_RESERVED, "fm_ce_se 0x%02x has a reserved bit set",
				ctrl->fm_ce_se);
	return true;
}

int softhca_wqe_parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		      struct softhca_msg *msg)
{
	const struct rule *rule = find_rule(ctrl->opcode);
	struct cursor c = {.qp = qp, .at = raw + 16, .left = (size_t)ctrl->ds * 16 - 16};
	uint8_t ce = ctrl->fm_ce_se >> 2 & 3;

	msg->opcode = ctrl->opcode;
	msg->signalled = ce >= 2;
	msg->ce_error_only = !ce;
	msg->solicited = ctrl->fm_ce_se >> 1 & 1;
	msg->fence = ctrl->fm_ce_se >> 5;
	/* Without streams the field means nothing: perftest counts it up on every DCI. */
	msg->stream = qp->create.log_dci_streams ? ctrl->stream : 0;
	msg->kind = SOFTHCA_MSG_LOCAL;
	if (!check_ctrl(qp, ctrl, rule))
		return SOFTHCA_LOCAL_QP_OP;
	msg->kind = rule->kind;
	msg->has_imm = rule->imm;
	msg->has_inv = rule->inv;
	msg->imm = ctrl->imm;
	msg->inv_key = be32toh(ctrl->imm);
	if (rule->tail == TAIL_LOCAL)
		return SOFTHCA_OK;
	if (!parse_segments(&c, ctrl, rule, msg))
		return SOFTHCA_LOCAL_QP_OP;
	return check_length(qp, msg);
}
