/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a queue pair takes, requests of any shape, and error numbers.
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
#include "runtime/ring/spare.h"
#include "runtime/verbs/send.h"
#include "segue/gen/builders.h"

/*
 * libmlx5 returns ENOMEM if the queue is full, whatever else is wrong but the opcode, if a request
 * is too long for it, and in states that take no sends. Positive errors of Segue's are libmlx5's
 * numbers already.
 */
__attribute__((noinline, cold)) int seguei_verbs_send_errno(const struct segue_qp *qp, int ret)
{
	if (ret == -EOPNOTSUPP)
		return EINVAL;
	if (!qp->has_sq || !qp->sq.any.postable || ret == -ENOSPC || ret == -EMSGSIZE ||
	    (ret == EINVAL && !segue_sq_room(&qp->sq.any)))
		return ENOMEM;
	return ret > 0 ? ret : EINVAL;
}

/* ---- what a queue pair takes ---- */

/* Opcodes of requests by enum ibv_wr_opcode. */
static const uint8_t opcodes[] = {
	[IBV_WR_SEND] = SEGUE_OPCODE_SEND,
	[IBV_WR_SEND_WITH_IMM] = SEGUE_OPCODE_SEND_IMM,
	[IBV_WR_SEND_WITH_INV] = SEGUE_OPCODE_SEND_INVAL,
	[IBV_WR_RDMA_WRITE] = SEGUE_OPCODE_RDMA_WRITE,
	[IBV_WR_RDMA_WRITE_WITH_IMM] = SEGUE_OPCODE_RDMA_WRITE_IMM,
	[IBV_WR_RDMA_READ] = SEGUE_OPCODE_RDMA_READ,
	[IBV_WR_ATOMIC_CMP_AND_SWP] = SEGUE_OPCODE_ATOMIC_CS,
	[IBV_WR_ATOMIC_FETCH_AND_ADD] = SEGUE_OPCODE_ATOMIC_FA,
	[IBV_WR_TSO] = SEGUE_OPCODE_TSO,
	[IBV_WR_BIND_MW] = SEGUE_OPCODE_UMR,
	[IBV_WR_LOCAL_INV] = SEGUE_OPCODE_UMR,
};
#define REQUESTS (sizeof(opcodes) / sizeof(opcodes[0]))

/* Whether the queue pair has the request. */
static bool has(const struct segue_qp *qp, enum ibv_wr_opcode opcode)
{
	const struct segue_machine *const machine = qp->verbs.machine;
	uint16_t i;

	for (i = 0; (size_t)opcode < REQUESTS && i < machine->n_starts; i++)
		if (machine->starts[i].opcode == opcodes[opcode])
			return true;
	return false;
}

/* First quadword of any size. 0 for requests without pieces, and those the queue pair lacks. */
SEGUEI_HOT_FUNCTION uint64_t first_of(const struct segue_qp *qp, enum ibv_wr_opcode opcode)
{
	return (size_t)opcode < REQUESTS ? qp->verbs.first[opcode] : 0;
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

/*
 * Place of the address vector, the same in each of libmlx5's address handles, of which this call
 * reads nothing but the context.
 */
static ptrdiff_t vector_at(const struct segue_qp *qp)
{
	struct ibv_ah ah = {.context = qp->qp->context};
	struct mlx5dv_ah out = {0};
	struct mlx5dv_obj object = {.ah = {&ah, &out}};

	return mlx5dv_init_obj(&object, MLX5DV_OBJ_AH) ? 0 : (char *)out.av - (char *)&ah;
}

/* UC has the opcodes before READ. The fast path also takes READ. */
__attribute__((noinline, cold)) void seguei_verbs_describe(struct segue_qp *qp)
{
	struct seguei_verbs_limits *to = &qp->verbs;
	_Alignas(SEGUEI_UNIT) uint8_t control[SEGUEI_CONTROL_SIZE];
	uint32_t i;

	_Static_assert(REQUESTS == sizeof(to->first) / sizeof(to->first[0]), "all requests");
	to->machine = seguei_qp_machine(qp);
	for (i = 0; i <= SEGUEI_VERBS_FLAGS; i++) {
		seguei_control_put_second(control, segue_verbs_send_flags(i) | to->flags, 0);
		memcpy(&to->seconds[i], control + SEGUEI_CONTROL_FLAGS_AT, sizeof(to->seconds[i]));
	}
	for (i = 0; i < REQUESTS; i++) {
		const uint32_t units = SEGUE_SEG_CTRL_UNITS +
				       (seguei_verbs_has_remote(i) ? SEGUE_SEG_RADDR_UNITS : 0) +
				       (seguei_verbs_is_atomic(i) ? SEGUE_SEG_ATOMIC_UNITS : 0);
		const uint32_t most = SEGUEI_BLOCK - units * SEGUEI_UNIT -
				      SEGUE_SEG_INLINE_DATA_SIZE;

		if (!has(qp, i) || opcodes[i] == SEGUE_OPCODE_UMR)
			continue;
		to->first[i] = seguei_control_queue(qp->sq.any.qpn) |
			       seguei_control_first(0, 0, opcodes[i], units + SEGUE_SEG_DATA_UNITS);
		if (i != IBV_WR_RDMA_READ)
			to->in_block[i] = most < to->max_inline ? most : to->max_inline;
	}
	to->plain = qp->type == SEGUE_QP_RC   ? IBV_WR_RDMA_READ + 1
		    : qp->type == SEGUE_QP_UC ? IBV_WR_RDMA_READ
					      : 0;
	to->address = seguei_qp_info(qp->type)->address_bytes;
	to->vector_at = vector_at(qp);
	if (qp->type != SEGUE_QP_RAW_PACKET && qp->type != SEGUE_QP_DCI)
		to->pieces = to->max_send_sge + 1;
	if (qp->type != SEGUE_QP_RAW_PACKET)
		return;
	to->headers = headers_of(qp);
	to->max_tso_header = UINT32_MAX;
	to->checksums = seguei_device_of(&qp->object)->attr.orig_attr.device_cap_flags &
			IBV_DEVICE_RAW_IP_CSUM;
}

/* ---- requests in the ring ---- */

SEGUEI_HOT_FUNCTION void put_address(const struct segue_qp *qp, const struct ibv_send_wr *wr,
				     uint8_t *at)
{
	const struct segue_seg_xrc xrc = {wr->qp_type.xrc.remote_srqn};

	if (qp->type == SEGUE_QP_XRC_INITIATOR)
		segue_seg_xrc_pack(at, &xrc);
	else
		seguei_verbs_put_ud(qp, at, wr->wr.ud.ah, wr->wr.ud.remote_qpn,
				    wr->wr.ud.remote_qkey);
}

/* The end of put_head() for opcodes that are not of the fast path. */
static __attribute__((noinline)) uint8_t *put_other(const struct segue_qp *qp,
						    const struct ibv_send_wr *wr, uint8_t *start,
						    uint8_t *at)
{
	const bool adds = wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
	const struct segue_seg_atomic operands = {
		.swap_add = adds ? wr->wr.atomic.compare_add : wr->wr.atomic.swap,
		.compare = adds ? 0 : wr->wr.atomic.compare_add,
	};

	seguei_verbs_put_imm(qp, start, wr->send_flags,
			     wr->opcode == IBV_WR_SEND_WITH_INV ? wr->invalidate_rkey : 0);
	if (!seguei_verbs_is_atomic(wr->opcode))
		return at;
	at = seguei_verbs_put_remote(at, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey);
	segue_seg_atomic_pack(at, &operands);
	return at + SEGUE_SEG_ATOMIC_SIZE;
}

_Static_assert(SEGUEI_CONTROL_SIZE + SEGUE_SEG_AV_UD_SIZE <= SEGUEI_BLOCK &&
		       SEGUEI_CONTROL_SIZE + SEGUE_SEG_XRC_SIZE + SEGUE_SEG_RADDR_SIZE +
				       SEGUE_SEG_ATOMIC_SIZE <=
			       SEGUEI_BLOCK,
	       "all before the pieces lies in one block");

/* Writes all before the pieces but the first quadword. Returns the place of the pieces. */
SEGUEI_HOT_FUNCTION uint8_t *put_head(const struct segue_qp *qp, const struct ibv_send_wr *wr,
				      uint8_t *start)
{
	uint8_t *const at = start + SEGUEI_CONTROL_SIZE + qp->verbs.address;
	const size_t flags = wr->send_flags & SEGUEI_VERBS_FLAGS;
	const enum ibv_wr_opcode opcode = wr->opcode;

	if (qp->verbs.address)
		put_address(qp, wr, start + SEGUEI_CONTROL_SIZE);
	if (SEGUEI_UNLIKELY(opcode > IBV_WR_RDMA_READ))
		return put_other(qp, wr, start, at);
	if (opcode & SEGUEI_VERBS_HAS_IMM)
		seguei_verbs_put_imm(qp, start, flags, be32toh(wr->imm_data));
	else
		seguei_verbs_put_flags(qp, start, flags);
	return opcode & SEGUEI_VERBS_IS_SEND
		       ? at
		       : seguei_verbs_put_remote(at, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
}

static uint8_t *start_of(const struct ibv_sge *sge)
{
	return (uint8_t *)(uintptr_t)sge->addr;
}

SEGUEI_VERBS_COPIES uint8_t *seguei_verbs_put_inline_list(const struct segue_qp *qp, uint8_t *at,
							  const uint8_t *end,
							  const struct ibv_sge *sge, size_t count)
{
	const struct ibv_sge *const behind = sge + count, *piece;
	uint8_t *to = at + SEGUE_SEG_INLINE_DATA_TAIL;
	uint64_t length = 0;

	for (piece = sge; piece < behind; piece++)
		length += piece->length;
	if (length - 1 >= qp->verbs.max_inline ||
	    at + segue_seg_inline_data_bytes((uint32_t)length) > end)
		return length ? NULL : at;
	at += seguei_verbs_put_inline_head(at, (uint32_t)length);
	for (; sge < behind; to += sge->length, sge++) {
		if (sge->length > SEGUEI_COPY_MOST)
			memcpy(to, start_of(sge), sge->length);
		else
			seguei_copy_payload(to, start_of(sge), sge->length);
	}
	return at;
}

/* As seguei_verbs_finish_at(), if there may be no room, or the queue may be closed. */
static __attribute__((noinline)) uint64_t finish_full(struct segue_qp *qp,
						      const struct ibv_send_wr *wr, uint8_t *start,
						      const uint8_t *end)
{
	const uint64_t first = qp->verbs.first[wr->opcode];
	struct segue_sq *const sq = &qp->sq.any;
	uint64_t doorbell;

	seguei_sq_open_further(sq, sq->pi + seguei_blocks((uint32_t)(end - start) / SEGUEI_UNIT));
	doorbell = seguei_verbs_finish_at(sq, &wr->wr_id, start, end, first, false);
	if (SEGUEI_LIKELY(doorbell))
		return doorbell;
	sq->slots[sq->pi & sq->mask].wr_id = wr->wr_id;
	return seguei_verbs_finish_late(qp, start, end, first) ? 0 : seguei_verbs_take_doorbell(sq);
}

/*
 * Commits a request that is written in its place. Returns the value for the doorbell register, or 0
 * if the request is for send_draft().
 */
SEGUEI_HOT_FUNCTION uint64_t send_in_place(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	const uint64_t first = first_of(qp, wr->opcode);
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t at = sq->pi & sq->mask, count = (uint32_t)wr->num_sge;
	uint8_t *const start = sq->buf + (size_t)at * SEGUEI_BLOCK, *end;
	uint64_t doorbell;

	if (!first || count >= qp->verbs.pieces)
		return 0;
	end = put_head(qp, wr, start);
	end = seguei_verbs_put_pieces(qp, end, sq->end, wr->sg_list, count,
				      wr->send_flags & IBV_SEND_INLINE);
	if (SEGUEI_UNLIKELY(!end))
		return 0;
	doorbell = seguei_verbs_finish_at(sq, &wr->wr_id, start, end, first, false);
	return SEGUEI_LIKELY(doorbell) ? doorbell : finish_full(qp, wr, start, end);
}

/* ---- requests outside of the ring ---- */

int seguei_verbs_finish_late(struct segue_qp *qp, uint8_t *start, const uint8_t *end,
			     uint64_t first)
{
	const uint32_t units = (uint32_t)(end - start) / SEGUEI_UNIT;
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t pi = sq->pi, next = pi + seguei_blocks(units);
	uint8_t *const to = seguei_sq_start(sq);
	struct segue_seg_ctrl control;

	if (units > sq->max_units)
		return -EMSGSIZE;
	first = seguei_verbs_sized(first, units);
	(void)seguei_name(first, start, pi, SEGUEI_VERBS_NAMED);
	if (start != to)
		seguei_copy_across(sq, to, start, (size_t)(end - start));
	sq->slots[pi & sq->mask].next = next;
	seguei_sq_open_further(sq, next);
	if (seguei_verbs_room(sq, next, false) >= 0) {
		(void)seguei_verbs_finish(sq, to, first, pi, next);
		sq->committed = pi;
		return 0;
	}
	control = seguei_verbs_control(to);
	return SEGUEI_COUNTED(seguei_finish_unusual)(
		sq,
		seguei_form_pack((struct seguei_form){control.opcode, 0, 0, SEGUEI_COMMIT, units}),
		0, qp->verbs.machine);
}

/* The Ethernet segment, of which seguei_verbs_put_any() writes the bytes of a frame. */
int seguei_verbs_put_eth(const struct segue_qp *qp, const struct ibv_send_wr *wr,
			 struct seguei_verbs_draft *d)
{
	const bool tso = wr->opcode == IBV_WR_TSO;
	const uint32_t length = tso ? wr->tso.hdr_sz : qp->verbs.headers;
	const size_t bytes = segue_seg_eth_bytes(length);
	struct segue_seg_eth eth;

	memset(&eth, 0, sizeof(eth));
	if (wr->send_flags & IBV_SEND_IP_CSUM)
		eth.cs_flags = SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM;
	if ((eth.cs_flags && !qp->verbs.checksums) ||
	    (tso && (length < ETHER_HDR_LEN || length > qp->verbs.max_tso_header ||
		     length > SEGUE_SEG_ETH_INLINE_HDR_SZ_MAX)))
		return EINVAL;
	if (SEGUEI_CONTROL_SIZE + bytes > SEGUEI_VERBS_MOST)
		return -EMSGSIZE;
	eth.mss = tso ? wr->tso.mss : 0;
	eth.inline_hdr_sz = (uint16_t)length;
	seguei_zero_unit(d->at + bytes - SEGUEI_UNIT);
	segue_seg_eth_pack(d->at, &eth);
	if (tso)
		memcpy(d->at + SEGUE_SEG_ETH_TAIL, wr->tso.hdr, length);
	d->headers = tso ? 0 : length;
	d->at += bytes;
	return 0;
}

int seguei_verbs_put_any(const struct segue_qp *qp, struct seguei_verbs_draft *d,
			 const struct ibv_sge *sges, size_t count, bool inlined)
{
	uint8_t *to = d->start + SEGUEI_CONTROL_SIZE + SEGUE_SEG_ETH_TAIL;
	struct ibv_sge rest[SEGUEI_VERBS_PIECES];
	uint32_t left = d->headers;
	size_t i;

	if (count > (inlined ? SEGUEI_VERBS_PIECES : qp->verbs.max_send_sge))
		return ENOMEM;
	for (i = 0; i < count; i++) {
		const uint32_t moved = sges[i].length < left ? sges[i].length : left;

		if (moved)
			memcpy(to, start_of(&sges[i]), moved);
		to += moved;
		left -= moved;
		rest[i] = (struct ibv_sge){sges[i].addr + moved, sges[i].length - moved,
					   sges[i].lkey};
		if (!inlined && rest[i].length > INT32_MAX)
			return -EINVAL;
	}
	if (left)
		return EINVAL;
	to = seguei_verbs_put_pieces(qp, d->at, d->start + SEGUEI_VERBS_MOST, rest, count, inlined);
	if (!to)
		return -EMSGSIZE;
	d->at = to;
	return 0;
}

/* What libmlx5 refuses here, but not through ibv_wr_*(). */
static bool is_wrong_frame(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	uint32_t left = qp->max_tso;
	int i;

	if (wr->opcode != IBV_WR_TSO)
		return !wr->num_sge;
	for (i = 0; i < wr->num_sge && !(wr->send_flags & IBV_SEND_INLINE); i++) {
		if (wr->sg_list[i].length > left)
			return true;
		left -= wr->sg_list[i].length;
	}
	return false;
}

/* Commits a request of any kind. It is written elsewhere first. */
static __attribute__((noinline)) int send_draft(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	_Alignas(SEGUEI_UNIT) uint8_t memory[SEGUEI_VERBS_MOST];
	struct seguei_verbs_draft d = {.start = memory};
	uint64_t first;
	int ret = 0;

	if (!qp->verbs.machine) /* the first one */
		seguei_verbs_describe(qp);
	first = first_of(qp, wr->opcode);
	if (!first && !has(qp, wr->opcode))
		return -EOPNOTSUPP;
	if (wr->num_sge > (int)qp->verbs.max_send_sge)
		return ENOMEM;
	if (!first)
		return seguei_verbs_key(qp, wr);
	if (qp->type == SEGUE_QP_DCI) /* its address is not in a request */
		return -EOPNOTSUPP;
	qp->sq.any.slots[qp->sq.any.pi & qp->sq.any.mask].wr_id = wr->wr_id;
	d.at = put_head(qp, wr, d.start);
	if (qp->type == SEGUE_QP_RAW_PACKET)
		ret = is_wrong_frame(qp, wr) ? EINVAL : seguei_verbs_put_eth(qp, wr, &d);
	if (!ret)
		ret = seguei_verbs_put_any(qp, &d, wr->sg_list,
					   wr->num_sge > 0 ? (size_t)wr->num_sge : 0,
					   wr->send_flags & IBV_SEND_INLINE);
	return ret ? ret : seguei_verbs_finish_late(qp, d.start, d.at, first);
}

static __attribute__((noinline)) struct ibv_send_wr *post_inline(struct segue_qp *qp,
								 struct ibv_send_wr *wr)
{
	return seguei_verbs_post_plain(qp, wr, false, true);
}

int seguei_verbs_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct segue_sq *const sq = &qp->sq.any;
	uint64_t doorbell = 0, last;
	int ret = 0;

	if (SEGUEI_UNLIKELY(wr->send_flags & IBV_SEND_INLINE) && seguei_verbs_is_inline(qp, wr))
		wr = post_inline(qp, wr);
	for (; wr; wr = wr->next, doorbell = last) {
		last = send_in_place(qp, wr);
		if (SEGUEI_LIKELY(last))
			continue;
		ret = send_draft(qp, wr);
		if (SEGUEI_UNLIKELY(ret))
			break;
		last = seguei_verbs_take_doorbell(sq);
	}
	if (SEGUEI_LIKELY(doorbell))
		seguei_verbs_ring(sq, sq->pi, doorbell, false);
	if (SEGUEI_LIKELY(!ret))
		return 0;
	*bad_wr = wr;
	return seguei_verbs_send_errno(qp, ret);
}

int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	if (wr)
		wr = seguei_verbs_post_plain(qp, wr, false, false);
	return wr ? seguei_verbs_send(qp, wr, bad_wr) : 0;
}

/* ---- keys ---- */

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
