/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Requests written in place, parts of others by the steps of builders, and error numbers.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send(), copy_eth_inline_headers(),
 *   set_tso_eth_seg(), set_data_inl_seg(), set_datagram_seg(), set_bind_wr(), mlx5_post_recv()),
 *   srq.c (mlx5_post_srq_recv()).
 */
#define _GNU_SOURCE
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <net/ethernet.h>
#include <string.h>

#include "runtime/object/device/device.h"
#include "runtime/object/memory/access.h"
#include "runtime/object/mw_bind.h"
#include "runtime/verbs/send.h"
#include "segue/gen/builders.h"

/*
 * libmlx5 returns ENOMEM if the queue is full, whatever else is wrong but the opcode, if a request
 * is too long for it, and in states that take no sends. Positive errors of Segue's are libmlx5's
 * numbers already.
 */
int seguei_verbs_send_errno(const struct segue_qp *qp, int ret)
{
	if (ret == -EOPNOTSUPP)
		return EINVAL;
	if (!qp->has_sq || !qp->sq.any.postable || ret == -ENOSPC || ret == -EMSGSIZE ||
	    (ret == EINVAL && !segue_sq_room(&qp->sq.any)))
		return ENOMEM;
	return ret > 0 ? ret : EINVAL;
}

int seguei_verbs_recv_errno(int ret)
{
	return ret == -ENOSPC ? ENOMEM : EINVAL;
}

/* ---- what a queue pair takes ---- */

/* Types of queue pairs, as bits. */
#define RC	  (1u << SEGUE_QP_RC | 1u << SEGUE_QP_XRC_INITIATOR | 1u << SEGUE_QP_DCI)
#define CONNECTED (RC | 1u << SEGUE_QP_UC)
#define RAW	  (1u << SEGUE_QP_RAW_PACKET)
#define ALL	  (CONNECTED | 1u << SEGUE_QP_UD | RAW)

/* Requests by enum ibv_wr_opcode. */
static const struct request {
	uint32_t types; /* types of queue pairs that have the request */
	uint8_t opcode;
	bool remote; /* the request names remote memory */
	bool imm;
} requests[] = {
	[IBV_WR_SEND] = {ALL, SEGUE_OPCODE_SEND, false, false},
	[IBV_WR_SEND_WITH_IMM] = {ALL & ~RAW, SEGUE_OPCODE_SEND_IMM, false, true},
	[IBV_WR_SEND_WITH_INV] = {CONNECTED, SEGUE_OPCODE_SEND_INVAL, false, false},
	[IBV_WR_RDMA_WRITE] = {CONNECTED, SEGUE_OPCODE_RDMA_WRITE, true, false},
	[IBV_WR_RDMA_WRITE_WITH_IMM] = {CONNECTED, SEGUE_OPCODE_RDMA_WRITE_IMM, true, true},
	[IBV_WR_RDMA_READ] = {RC, SEGUE_OPCODE_RDMA_READ, true, false},
	[IBV_WR_ATOMIC_CMP_AND_SWP] = {RC, SEGUE_OPCODE_ATOMIC_CS, true, false},
	[IBV_WR_ATOMIC_FETCH_AND_ADD] = {RC, SEGUE_OPCODE_ATOMIC_FA, true, false},
	[IBV_WR_TSO] = {RAW, SEGUE_OPCODE_TSO, false, false},
	[IBV_WR_BIND_MW] = {CONNECTED, SEGUE_OPCODE_UMR, false, false},
	[IBV_WR_LOCAL_INV] = {CONNECTED, SEGUE_OPCODE_UMR, false, false},
};

static const struct request *request_of(const struct segue_qp *qp, enum ibv_wr_opcode opcode)
{
	if ((size_t)opcode >= sizeof(requests) / sizeof(requests[0]))
		return NULL;
	return requests[opcode].types >> qp->type & 1 ? &requests[opcode] : NULL;
}

static uint32_t imm_of(const struct request *r, const struct ibv_send_wr *wr)
{
	if (r->imm)
		return be32toh(wr->imm_data);
	return wr->opcode == IBV_WR_SEND_WITH_INV ? wr->invalidate_rkey : 0;
}

/* Most bytes of a frame that a device needs in its Ethernet segment: a header with a VLAN tag. */
#define HEADERS (ETHER_HDR_LEN + 4u)

/*
 * Bytes of a frame that libmlx5 puts into the Ethernet segment. The device decides, and only
 * libmlx5 knows, so libmlx5 builds a request here, which is then dropped. All devices take HEADERS,
 * which is the answer once the queue is in use, or without ibv_wr_*().
 */
static uint32_t headers_of(const struct segue_qp *qp)
{
	struct ibv_qp_ex *x = qp->sq.any.pi ? NULL : ibv_qp_to_qp_ex(qp->qp);
	uint8_t frame[HEADERS] = {0};
	struct segue_seg_eth eth;

	if (!x)
		return HEADERS;
	ibv_wr_start(x);
	x->wr_flags = 0;
	ibv_wr_send(x);
	ibv_wr_set_sge(x, 0, (uintptr_t)frame, sizeof(frame));
	ibv_wr_abort(x);
	(void)segue_seg_eth_unpack(&eth, qp->sq.any.ring + SEGUEI_CONTROL_SIZE);
	memset(qp->sq.any.ring, 0, SEGUEI_BLOCK);
	return eth.inline_hdr_sz;
}

/* UC has the opcodes before READ. The fast path also takes READ. */
void seguei_verbs_describe(struct segue_qp *qp)
{
	struct seguei_verbs_limits *to = &qp->verbs;
	const uint64_t queue = seguei_control_queue(qp->sq.any.qpn);
	_Alignas(SEGUEI_UNIT) uint8_t control[SEGUEI_CONTROL_SIZE];
	uint32_t i;

	for (i = 0; i <= SEGUEI_VERBS_FLAGS; i++) {
		seguei_control_put_second(control, segue_verbs_send_flags(i) | to->flags, 0);
		memcpy(&to->seconds[i], control + SEGUEI_CONTROL_FLAGS_AT, sizeof(to->seconds[i]));
	}
	for (i = IBV_WR_RDMA_WRITE; i <= IBV_WR_RDMA_READ; i++) {
		const uint32_t before = SEGUEI_CONTROL_SIZE +
					(requests[i].remote ? SEGUE_SEG_RADDR_SIZE : 0);
		uint32_t most = SEGUEI_BLOCK - before - SEGUE_SEG_INLINE_DATA_SIZE;

		if (i == IBV_WR_RDMA_READ)
			most = 0;
		to->first[i] = queue |
			       seguei_control_first(0, 0, requests[i].opcode,
						    (before + SEGUE_SEG_DATA_SIZE) / SEGUEI_UNIT);
		to->in_block[i] = most < to->max_inline ? most : to->max_inline;
	}
	to->plain = qp->type == SEGUE_QP_RC   ? IBV_WR_RDMA_READ + 1
		    : qp->type == SEGUE_QP_UC ? IBV_WR_RDMA_READ
					      : 0;
	to->machine = seguei_qp_machine(qp);
	to->address = seguei_qp_info(qp->type)->address_bytes;
	if (qp->type != SEGUE_QP_RAW_PACKET)
		return;
	to->headers = headers_of(qp);
	to->max_tso_header = UINT32_MAX;
	to->checksums = seguei_device_of(&qp->object)->attr.orig_attr.device_cap_flags &
			IBV_DEVICE_RAW_IP_CSUM;
}

/* ---- segments ---- */

/* The Ethernet segment, of which seguei_verbs_pieces() writes the bytes of a frame. */
static int put_eth(const struct segue_qp *qp, const struct ibv_send_wr *wr, struct seguei_build *b)
{
	static const uint8_t frame[SEGUEI_BLOCK];
	const bool tso = wr->opcode == IBV_WR_TSO;
	uint32_t sums = 0;

	if (wr->send_flags & IBV_SEND_IP_CSUM)
		sums = SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM;
	if ((sums && !qp->verbs.checksums) ||
	    (tso && (wr->tso.hdr_sz < ETHER_HDR_LEN || wr->tso.hdr_sz > qp->verbs.max_tso_header)))
		return EINVAL;
	*b = seguei_step_eth(*b, sums, tso ? wr->tso.mss : 0, tso ? wr->tso.hdr : frame,
			     tso ? wr->tso.hdr_sz : qp->verbs.headers);
	return 0;
}

int seguei_verbs_begin(struct segue_qp *qp, const struct ibv_send_wr *wr, struct seguei_build *b)
{
	const struct request *r = request_of(qp, wr->opcode);
	const bool adds = wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;

	*b = seguei_begin(&qp->sq.any);
	if (!r)
		return -EOPNOTSUPP;
	seguei_request(b, wr->wr_id, r->opcode, 0, seguei_verbs_flags_of(qp, wr->send_flags),
		       imm_of(r, wr));
	seguei_advance(b, qp->verbs.address / SEGUEI_UNIT);
	if (qp->type == SEGUE_QP_RAW_PACKET)
		return put_eth(qp, wr, b);
	if (adds || wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		*b = seguei_step_across_raddr(*b, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey);
		*b = adds ? seguei_step_atomic_add(*b, wr->wr.atomic.compare_add)
			  : seguei_step_atomic_compare_swap(*b, wr->wr.atomic.compare_add,
							    wr->wr.atomic.swap);
	} else if (r->remote) {
		*b = seguei_step_across_raddr(*b, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
	}
	return 0;
}

SEGUEI_HOT_FUNCTION int put_address(const struct segue_qp *qp, const struct ibv_send_wr *wr,
				    uint8_t *start)
{
	const struct segue_seg_xrc xrc = {wr->qp_type.xrc.remote_srqn};
	uint8_t *const at = start + SEGUEI_CONTROL_SIZE;
	struct segue_address_vector ah;
	int ret;

	if (qp->type == SEGUE_QP_XRC_INITIATOR)
		segue_seg_xrc_pack(at, &xrc);
	if (qp->type != SEGUE_QP_UD)
		return qp->type == SEGUE_QP_DCI ? -EOPNOTSUPP : 0;
	ret = seguei_verbs_ah(wr->wr.ud.ah, &ah);
	if (!ret)
		segue_seg_av_ud_pack_prepared(at, &ah,
					      wr->wr.ud.remote_qpn & SEGUE_SEG_AV_UD_DQP_DCT_MAX,
					      wr->wr.ud.remote_qkey);
	return ret;
}

int seguei_verbs_address(const struct segue_qp *qp, const struct ibv_send_wr *wr, uint8_t *start)
{
	return put_address(qp, wr, start);
}

static uint8_t *start_of(const struct ibv_sge *sge)
{
	return (uint8_t *)(uintptr_t)sge->addr;
}

uint8_t *seguei_verbs_put_inline_list(const struct segue_sq *sq, uint8_t *at,
				      const struct ibv_sge *sge, size_t count)
{
	const struct ibv_sge *const behind = sge + count;
	uint8_t *to = at + SEGUE_SEG_INLINE_DATA_TAIL;
	struct segue_seg_inline_data header;
	size_t bytes;

	for (; sge < behind; sge++) {
		if (to + sge->length > sq->end)
			return NULL;
		memcpy(to, start_of(sge), sge->length);
		to += sge->length;
	}
	header.byte_count = (uint16_t)(to - at - SEGUE_SEG_INLINE_DATA_TAIL);
	if (!header.byte_count)
		return at;
	segue_seg_inline_data_pack(SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT), &header);
	bytes = segue_seg_inline_data_bytes(header.byte_count);
	memset(to, 0, (size_t)(at + bytes - to));
	return at + bytes;
}

static uint32_t bytes_of(const struct ibv_send_wr *wr)
{
	uint64_t bytes = 0;
	int i;

	for (i = 0; i < wr->num_sge; i++)
		bytes += wr->sg_list[i].length;
	return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

/* Writes all before the pieces, before the end of the ring. Returns their place, or NULL. */
SEGUEI_HOT_FUNCTION uint8_t *put_head(const struct segue_qp *qp, const struct ibv_send_wr *wr,
				      uint8_t *start, const struct request *r)
{
	uint8_t *at = start + SEGUEI_CONTROL_SIZE + qp->verbs.address;
	const bool adds = wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
	struct segue_seg_atomic operands = {.swap_add = wr->wr.atomic.compare_add};

	if (r->imm || wr->opcode == IBV_WR_SEND_WITH_INV)
		seguei_verbs_put_imm(qp, start, wr->send_flags, imm_of(r, wr));
	else
		seguei_verbs_put_flags(qp, start, wr->send_flags & SEGUEI_VERBS_FLAGS);
	if (at + SEGUE_SEG_RADDR_SIZE + SEGUE_SEG_ATOMIC_SIZE > qp->sq.any.end ||
	    (qp->verbs.address && put_address(qp, wr, start)))
		return NULL;
	if (adds || wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP) {
		at = seguei_verbs_put_remote(at, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey);
		if (!adds) {
			operands.compare = wr->wr.atomic.compare_add;
			operands.swap_add = wr->wr.atomic.swap;
		}
		segue_seg_atomic_pack(at, &operands);
		return at + SEGUE_SEG_ATOMIC_SIZE;
	}
	return r->remote ? seguei_verbs_put_remote(at, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey)
			 : at;
}

bool seguei_verbs_send_in_place(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	const struct request *const r = request_of(qp, wr->opcode);
	const size_t count = wr->num_sge > 0 ? (size_t)wr->num_sge : 0;
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t pi = sq->pi;
	uint8_t *at;

	if (!r || r->opcode == SEGUE_OPCODE_UMR || qp->type == SEGUE_QP_RAW_PACKET ||
	    count > qp->verbs.max_send_sge ||
	    (wr->send_flags & IBV_SEND_INLINE && bytes_of(wr) > qp->verbs.max_inline))
		return false;
	at = put_head(qp, wr, seguei_sq_start(sq), r);
	if (at)
		at = wr->send_flags & IBV_SEND_INLINE
			     ? seguei_verbs_put_inline_list(sq, at, wr->sg_list, count)
			     : seguei_verbs_put_list(sq, at, wr->sg_list, count);
	sq->slots[pi & sq->mask].wr_id = wr->wr_id;
	if (!at ||
	    !seguei_verbs_finish_at(qp, at, sq->ctrl | seguei_control_first(0, 0, r->opcode, 0)))
		return false;
	sq->committed = pi;
	return true;
}

/* Moves the first bytes of a frame to the Ethernet segment. False if the frame is too short. */
static bool move_headers(uint8_t *to, uint32_t left, struct ibv_sge *sges, size_t count)
{
	for (; left && count; count--, sges++) {
		const uint32_t bytes = sges->length < left ? sges->length : left;

		if (bytes)
			memcpy(to, start_of(sges), bytes);
		to += bytes;
		left -= bytes;
		sges->addr += bytes;
		sges->length -= bytes;
	}
	return !left;
}

/* Returns 0, or ENOMEM if they are too long for the queue. */
static int put_inline(const struct segue_qp *qp, struct seguei_build *b, const struct ibv_sge *sges,
		      uint32_t count)
{
	uint8_t gathered[SEGUE_WQE_MAX_UNITS * SEGUE_WQE_UNIT_SIZE];
	uint32_t i, length = 0, most = qp->verbs.max_inline;

	if (most > sizeof(gathered))
		most = sizeof(gathered);
	for (i = 0; i < count; i++) {
		if (sges[i].length > most - length)
			return ENOMEM;
		if (count > 1)
			memcpy(gathered + length, start_of(&sges[i]), sges[i].length);
		length += sges[i].length;
	}
	if (length)
		*b = seguei_step_inline_data(*b, count > 1 ? gathered : start_of(sges), length);
	return 0;
}

int seguei_verbs_pieces(const struct segue_qp *qp, struct seguei_build *b,
			const struct ibv_sge *sges, size_t count, bool inlined)
{
	uint8_t *const headers = b->start + SEGUEI_CONTROL_SIZE + SEGUE_SEG_ETH_TAIL;
	struct ibv_sge rest[SEGUEI_VERBS_PIECES];

	if (count > (inlined ? SEGUEI_VERBS_PIECES : qp->verbs.max_send_sge))
		return ENOMEM;
	if (qp->verbs.headers && b->opcode == SEGUE_OPCODE_SEND) {
		memcpy(rest, sges, count * sizeof(*sges));
		sges = rest;
		if (!move_headers(headers, qp->verbs.headers, rest, count))
			return EINVAL;
	}
	if (inlined)
		return put_inline(qp, b, sges, (uint32_t)count);
	*b = seguei_step_verbs_sge_list(*b, sges, (uint32_t)count);
	return 0;
}

/* The address vector lies at the same place in each of libmlx5's address handles. */
int seguei_verbs_ah(struct ibv_ah *from, struct segue_address_vector *to)
{
	static uintptr_t offset; /* 0: not known yet */
	uintptr_t known = __atomic_load_n(&offset, __ATOMIC_RELAXED);

	if (SEGUEI_UNLIKELY(!known)) {
		struct mlx5dv_ah dv = {0};
		struct mlx5dv_obj object = {.ah = {.in = from, .out = &dv}};

		if (!from || mlx5dv_init_obj(&object, MLX5DV_OBJ_AH))
			return EINVAL;
		known = (uintptr_t)dv.av - (uintptr_t)from;
		__atomic_store_n(&offset, known, __ATOMIC_RELAXED);
	}
	memcpy(to->bytes, (const void *)((uintptr_t)from + known), sizeof(to->bytes));
	return 0;
}

/*
 * The completion's opcode is noted in the slot, in the place of a peer's tag. Positive errors are
 * libmlx5's numbers.
 */
int seguei_verbs_key(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	const bool binds = wr->opcode == IBV_WR_BIND_MW;
	const bool type1 = binds && wr->bind_mw.mw->type == IBV_MW_TYPE_1;
	const struct ibv_mw_bind_info *info = &wr->bind_mw.bind_info;
	struct seguei_bound b = {
		.wr_id = wr->wr_id,
		.flags = seguei_verbs_flags_of(qp, wr->send_flags) & ~(uint32_t)SEGUE_SOLICITED,
		.was = binds ? wr->bind_mw.mw->rkey : wr->invalidate_rkey,
		.key = binds ? wr->bind_mw.rkey : 0,
	};

	if (!request_of(qp, wr->opcode))
		return -EOPNOTSUPP;
	if (binds && info->length > SEGUE_SEG_MKEY_BIND_LEN_MAX)
		return EOPNOTSUPP;
	seguei_sq_slot_at(&qp->sq.any, qp->sq.any.pi)->tag = binds ? IBV_WC_BIND_MW
								   : IBV_WC_LOCAL_INV;
	if (!binds || !info->length)
		return seguei_qp_commit_bound(qp, type1 ? SEGUEI_UNBIND_TYPE1 : SEGUEI_UNBIND_TYPE2,
					      &b);
	b.qpn = type1 ? SEGUEI_ANYBODY : segue_qp_number(qp);
	b.at = info->addr;
	b.start = info->mw_access_flags & IBV_ACCESS_ZERO_BASED ? 0 : info->addr;
	b.length = (uint32_t)info->length;
	b.lkey = info->mr->lkey;
	b.rights = seguei_access_of_key(info->mw_access_flags << SEGUEI_ACCESS_SHIFT);
	return seguei_qp_commit_bound(qp, type1 ? SEGUEI_BIND_TYPE1 : SEGUEI_BIND_TYPE2, &b);
}
