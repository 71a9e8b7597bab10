/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decoding of send WQEs. The generated automata determine the requests and the places of their
 * segments (plan.c). This file has the effects of requests and the meaning of segments.
 */
#include "wqe.h"

#include <endian.h>
#include <string.h>

#include "plan.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "tables.h"

/* Length that the device uses for a data segment of 0 bytes (spec/mlx5/segments/data.yaml). */
#define EMPTY_PIECE (UINT32_C(1) << 31)

/* Execution of a request. Requests without an entry never leave the device. */
struct operation {
	bool travels;
	enum softhca_kind kind;
	bool imm, inv;
};

static const struct operation operations[64] = {
	[SEGUE_OPCODE_SEND] = {true, SOFTHCA_MSG_SEND, false, false},
	[SEGUE_OPCODE_SEND_IMM] = {true, SOFTHCA_MSG_SEND, true, false},
	[SEGUE_OPCODE_SEND_INVAL] = {true, SOFTHCA_MSG_SEND, false, true},
	[SEGUE_OPCODE_TSO] = {true, SOFTHCA_MSG_SEND, false, false},
	[SEGUE_OPCODE_RDMA_WRITE] = {true, SOFTHCA_MSG_WRITE, false, false},
	[SEGUE_OPCODE_RDMA_WRITE_IMM] = {true, SOFTHCA_MSG_WRITE, true, false},
	[SEGUE_OPCODE_RDMA_READ] = {true, SOFTHCA_MSG_READ, false, false},
	[SEGUE_OPCODE_ATOMIC_CS] = {true, SOFTHCA_MSG_ATOMIC, false, false},
	[SEGUE_OPCODE_ATOMIC_FA] = {true, SOFTHCA_MSG_ATOMIC, false, false},
	[SEGUE_OPCODE_ATOMIC_MASKED_CS] = {true, SOFTHCA_MSG_ATOMIC, false, false},
	[SEGUE_OPCODE_ATOMIC_MASKED_FA] = {true, SOFTHCA_MSG_ATOMIC, false, false},
};

const char *softhca_opcode_name(uint8_t opcode)
{
	const struct segue_enum_desc *names = softhca_tables()
						      ->control->segment
						      ->fields[softhca_tables()->control->opcode]
						      .enumeration;

	for (uint16_t i = 0; names && i < names->member_count; i++)
		if (names->members[i].value == opcode)
			return names->members[i].name;
	return "unknown opcode";
}

/* ---- segments ---- */

enum softhca_part softhca_part_of(const struct segue_segment_desc *segment)
{
	static const struct {
		const char *name;
		enum softhca_part part;
	} parts[] = {
		{"data", SOFTHCA_PART_DATA},
		{"inline_data", SOFTHCA_PART_INLINE},
		{"raddr", SOFTHCA_PART_RADDR},
		{"xrc", SOFTHCA_PART_XRC},
		{"av_ud", SOFTHCA_PART_AV},
		{"av_ud_compact", SOFTHCA_PART_AV},
		{"av_dc", SOFTHCA_PART_AV},
		{"av_dc_compact", SOFTHCA_PART_AV},
		{"atomic", SOFTHCA_PART_CAS},
		{"atomic_add", SOFTHCA_PART_FA},
		{"masked_cas32", SOFTHCA_PART_CAS32},
		{"masked_cas64", SOFTHCA_PART_CAS64},
		{"masked_fa32", SOFTHCA_PART_FA32},
		{"masked_fa64", SOFTHCA_PART_FA64},
		{"eth", SOFTHCA_PART_ETH},
		{"eth_vlan", SOFTHCA_PART_ETH_VLAN},
	};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!strcmp(parts[i].name, segment->name))
			return parts[i].part;
	return SOFTHCA_PART_OTHER;
}

void softhca_ctrl_parse(struct softhca_ctrl *ctrl, const uint8_t *raw)
{
	struct segue_seg_ctrl seg;

	/* The validator checks reserved bits. */
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

/* Stores the part that UD and DC address vectors share. Only the key before it differs. */
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

/* A short address vector is the beginning of a whole one. */
static void read_av(struct softhca_qp *qp, const uint8_t *raw, unsigned size,
		    struct softhca_msg *msg)
{
	struct softhca_dest *d = &msg->dest_buf;
	uint8_t full[SEGUE_SEG_AV_UD_SIZE] = {0};
	struct segue_seg_av_dc dc;
	struct segue_seg_av_ud ud;

	memset(d, 0, sizeof(*d));
	memcpy(full, raw, size < sizeof(full) ? size : sizeof(full));
	segue_seg_av_ud_unpack(&ud, full);
	d->dqpn = ud.dqp_dct & SOFTHCA_NUM_MASK;
	store_path(qp, &ud, &d->av);
	if (qp->type == SOFTHCA_QP_DCI) {
		segue_seg_av_dc_unpack(&dc, full);
		d->dckey = dc.dc_key;
	} else {
		/* The top bit asks for the queue's own key. */
		d->qkey = ud.qkey & 0x80000000 ? qp->attr.qkey : ud.qkey;
	}
	msg->dest = d;
}

/* The inlined part of the packet begins at byte 14 and may extend beyond the segment. */
static void read_eth(const uint8_t *raw, struct softhca_msg *msg)
{
	struct segue_seg_eth seg;

	segue_seg_eth_unpack(&seg, raw);
	msg->eth = (struct softhca_eth_wqe){.inlined = raw + SEGUE_SEG_ETH_SIZE - 2,
					    .inline_len = seg.inline_hdr_sz,
					    .mss = seg.mss,
					    .cs_flags = seg.cs_flags};
}

/* A tag is in the place of the headers. */
static void read_eth_vlan(const uint8_t *raw, struct softhca_msg *msg)
{
	struct segue_seg_eth_vlan vlan;

	segue_seg_eth_vlan_unpack(&vlan, raw);
	msg->eth = (struct softhca_eth_wqe){.inlined = raw,
					    .mss = vlan.mss,
					    .cs_flags = vlan.cs_flags,
					    .insert_tag = true,
					    .service_tag = vlan.svlan,
					    .tci = vlan.vlan_tci};
}

static void read_raddr(const uint8_t *raw, struct softhca_msg *msg)
{
	struct segue_seg_raddr seg;

	segue_seg_raddr_unpack(&seg, raw);
	msg->raddr = seg.remote_addr;
	msg->rkey = seg.rkey;
}

static void read_cas(const uint8_t *raw, struct softhca_atomic *a)
{
	struct segue_seg_atomic seg;

	segue_seg_atomic_unpack(&seg, raw);
	*a = (struct softhca_atomic){.size = 8,
				     .swap_add = seg.swap_add,
				     .compare = seg.compare,
				     .swap_mask = UINT64_MAX,
				     .compare_mask = UINT64_MAX};
}

static void read_fa(const uint8_t *raw, struct softhca_atomic *a)
{
	read_cas(raw, a); /* the other half has no meaning */
	a->is_fadd = true;
}

static void read_masked_cas(const uint8_t *raw, bool wide, struct softhca_atomic *a)
{
	struct segue_seg_masked_cas64 seg;
	struct segue_seg_masked_cas32 half;

	if (wide) {
		segue_seg_masked_cas64_unpack(&seg, raw);
	} else {
		segue_seg_masked_cas32_unpack(&half, raw);
		seg = (struct segue_seg_masked_cas64){half.swap, half.compare, half.swap_mask,
						      half.compare_mask};
	}
	*a = (struct softhca_atomic){.size = wide ? 8 : 4,
				     .masked = true,
				     .swap_add = seg.swap,
				     .compare = seg.compare,
				     .swap_mask = seg.swap_mask,
				     .compare_mask = seg.compare_mask};
}

static void read_masked_fa(const uint8_t *raw, bool wide, struct softhca_atomic *a)
{
	struct segue_seg_masked_fa64 seg;
	struct segue_seg_masked_fa32 half;

	if (wide) {
		segue_seg_masked_fa64_unpack(&seg, raw);
	} else {
		segue_seg_masked_fa32_unpack(&half, raw);
		seg = (struct segue_seg_masked_fa64){half.add, half.field_boundary};
	}
	*a = (struct softhca_atomic){.size = wide ? 8 : 4,
				     .masked = true,
				     .is_fadd = true,
				     .swap_add = seg.add,
				     .add_boundary = seg.field_boundary};
}

static void read_inline(const uint8_t *raw, struct softhca_msg *msg)
{
	struct segue_seg_inline_data seg;

	segue_seg_inline_data_unpack(&seg, raw);
	msg->inline_len = seg.byte_count;
	msg->length = seg.byte_count;
	memcpy(msg->u.inline_data, raw + SEGUE_SEG_INLINE_DATA_SIZE, seg.byte_count);
}

static void read_data(const uint8_t *raw, struct softhca_msg *msg)
{
	struct softhca_span *span = &msg->u.span[msg->nspans++];
	struct segue_seg_data seg;

	segue_seg_data_unpack(&seg, raw);
	span->va = seg.addr;
	span->len = seg.byte_count ? seg.byte_count : EMPTY_PIECE;
	span->lkey = seg.lkey;
	msg->length += span->len;
}

static void read_xrc(const uint8_t *raw, struct softhca_msg *msg)
{
	struct segue_seg_xrc seg;

	segue_seg_xrc_unpack(&seg, raw);
	msg->xrc_srqn = seg.xrc_srqn & SOFTHCA_NUM_MASK;
}

static void read_step(struct softhca_qp *qp, const struct softhca_step *step, const uint8_t *raw,
		      struct softhca_msg *msg)
{
	switch (step->part) {
	case SOFTHCA_PART_DATA:
		read_data(raw, msg);
		break;
	case SOFTHCA_PART_INLINE:
		read_inline(raw, msg);
		break;
	case SOFTHCA_PART_RADDR:
		read_raddr(raw, msg);
		break;
	case SOFTHCA_PART_XRC:
		read_xrc(raw, msg);
		break;
	case SOFTHCA_PART_AV:
		read_av(qp, raw, step->size, msg);
		break;
	case SOFTHCA_PART_CAS:
		read_cas(raw, &msg->atomic);
		break;
	case SOFTHCA_PART_FA:
		read_fa(raw, &msg->atomic);
		break;
	case SOFTHCA_PART_CAS32:
	case SOFTHCA_PART_CAS64:
		read_masked_cas(raw, step->part == SOFTHCA_PART_CAS64, &msg->atomic);
		break;
	case SOFTHCA_PART_FA32:
	case SOFTHCA_PART_FA64:
		read_masked_fa(raw, step->part == SOFTHCA_PART_FA64, &msg->atomic);
		break;
	case SOFTHCA_PART_ETH:
		read_eth(raw, msg);
		break;
	case SOFTHCA_PART_ETH_VLAN:
		read_eth_vlan(raw, msg);
		break;
	case SOFTHCA_PART_OTHER:
		break;
	}
}

/* ---- requests ---- */

/* Checks that a READ or atomic has a place for its answer, and that a message is not too large. */
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

/* Checks the fields that depend on the queue. */
static bool check_ctrl(struct softhca_qp *qp, const struct softhca_ctrl *ctrl)
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
	return true;
}

/* Some requests of UD have an Ethernet segment, for IPoIB queues, which are not modelled. */
static bool is_modelled(struct softhca_qp *qp, const struct softhca_plan *plan)
{
	if (!plan->ethernet || qp->type == SOFTHCA_QP_RAW)
		return true;
	softhca_referee(qp, SOFTHCA_RULE_OPCODE,
			"an Ethernet segment on this transport is not modelled");
	return false;
}

static int parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		 struct softhca_msg *msg)
{
	const struct softhca_plan *plan;
	const struct operation *op;

	if (!check_ctrl(qp, ctrl))
		return SOFTHCA_LOCAL_QP_OP;
	plan = softhca_judge(qp, ctrl, raw);
	if (!plan)
		return SOFTHCA_LOCAL_QP_OP;
	msg->executes = plan->opcode;
	op = &operations[plan->opcode & 63u];
	if (plan->opcode > 63 || !op->travels)
		return SOFTHCA_OK; /* msg->kind is LOCAL */
	if (!is_modelled(qp, plan))
		return SOFTHCA_LOCAL_QP_OP;
	msg->kind = op->kind;
	if (op->kind == SOFTHCA_MSG_ATOMIC)
		memset(&msg->atomic, 0, sizeof(msg->atomic));
	if (qp->type == SOFTHCA_QP_RAW)
		memset(&msg->eth, 0, sizeof(msg->eth));
	msg->has_imm = op->imm;
	msg->has_inv = op->inv;
	for (unsigned i = 0; i < plan->n_steps; i++)
		read_step(qp, &plan->step[i], raw + plan->step[i].at, msg);
	return check_length(qp, msg);
}

int softhca_wqe_parse(struct softhca_qp *qp, const struct softhca_ctrl *ctrl, const uint8_t *raw,
		      struct softhca_msg *msg)
{
	msg->opcode = msg->executes = ctrl->opcode;
	msg->signalled = ctrl->ce >= 2;
	msg->first_error_only = ctrl->ce == SEGUE_COMPLETION_MODE_ON_FIRST_ERROR;
	msg->solicited = ctrl->se;
	msg->fence = ctrl->fence;
	/* The field has no meaning without streams. perftest increments it on every DCI. */
	msg->stream = qp->create.log_dci_streams ? ctrl->stream : 0;
	msg->kind = SOFTHCA_MSG_LOCAL;
	msg->imm = ctrl->imm;
	msg->inv_key = be32toh(ctrl->imm);
	return parse(qp, ctrl, raw, msg);
}
