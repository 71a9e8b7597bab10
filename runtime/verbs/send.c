/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_post_send() beside its fast path (send.h): lists, and requests of any shape, written by the
 * steps of builders.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send(), set_data_inl_seg(), set_bind_wr()).
 */
#define _GNU_SOURCE
#include "runtime/verbs/send.h"

#include "segue/verbs.h"

/* Types of queue pairs, as bits. */
#define RC	  (1u << SEGUE_QP_RC)
#define UC	  (1u << SEGUE_QP_UC)
#define UD	  (1u << SEGUE_QP_UD)
#define XRC	  (1u << SEGUE_QP_XRC_INITIATOR)
#define CONNECTED (RC | UC | XRC)

/* Requests by enum ibv_wr_opcode. */
static const struct request {
	uint32_t types; /* types of queue pairs that have the request */
	uint8_t opcode;
	bool remote; /* the request names remote memory */
	bool imm;
} requests[] = {
	[IBV_WR_SEND] = {CONNECTED | UD, SEGUE_OPCODE_SEND, false, false},
	[IBV_WR_SEND_WITH_IMM] = {CONNECTED | UD, SEGUE_OPCODE_SEND_IMM, false, true},
	[IBV_WR_SEND_WITH_INV] = {CONNECTED, SEGUE_OPCODE_SEND_INVAL, false, false},
	[IBV_WR_RDMA_WRITE] = {CONNECTED, SEGUE_OPCODE_RDMA_WRITE, true, false},
	[IBV_WR_RDMA_WRITE_WITH_IMM] = {CONNECTED, SEGUE_OPCODE_RDMA_WRITE_IMM, true, true},
	[IBV_WR_RDMA_READ] = {RC | XRC, SEGUE_OPCODE_RDMA_READ, true, false},
	[IBV_WR_ATOMIC_CMP_AND_SWP] = {RC | XRC, SEGUE_OPCODE_ATOMIC_CS, true, false},
	[IBV_WR_ATOMIC_FETCH_AND_ADD] = {RC | XRC, SEGUE_OPCODE_ATOMIC_FA, true, false},
};

static const struct request *request_of(const struct segue_qp *qp, enum ibv_wr_opcode opcode)
{
	if ((size_t)opcode >= sizeof(requests) / sizeof(requests[0]))
		return NULL;
	return requests[opcode].types >> qp->type & 1 ? &requests[opcode] : NULL;
}

/* Size of a request with one piece. */
static uint32_t units_of(const struct request *r)
{
	return (SEGUEI_CONTROL_SIZE + (r->remote ? SEGUE_SEG_RADDR_SIZE : 0) +
		SEGUE_SEG_DATA_SIZE) /
	       SEGUEI_UNIT;
}

/* Bytes of inline data that the first block takes. */
static uint32_t in_block(const struct segue_qp *qp, const struct request *r)
{
	const uint32_t most = SEGUEI_BLOCK - SEGUEI_CONTROL_SIZE - SEGUE_SEG_INLINE_DATA_SIZE -
			      (r->remote ? SEGUE_SEG_RADDR_SIZE : 0);

	if (r->opcode == SEGUE_OPCODE_RDMA_READ)
		return 0;
	return most < qp->verbs.max_inline ? most : qp->verbs.max_inline;
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
		to->first[i] = queue | seguei_control_first(0, 0, requests[i].opcode,
							    units_of(&requests[i]));
		to->in_block[i] = in_block(qp, &requests[i]);
	}
	to->plain = qp->type == SEGUE_QP_RC   ? IBV_WR_RDMA_READ + 1
		    : qp->type == SEGUE_QP_UC ? IBV_WR_RDMA_READ
					      : 0;
	to->machine = seguei_qp_machine(qp);
}

/* ---- one request of any shape ---- */

static int put_address(const struct segue_qp *qp, const struct ibv_send_wr *wr,
		       struct seguei_build *b)
{
	struct segue_address_vector ah;
	int ret;

	if (qp->type == SEGUE_QP_XRC_INITIATOR)
		*b = seguei_step_xrc(*b, wr->qp_type.xrc.remote_srqn);
	if (qp->type != SEGUE_QP_UD)
		return 0;
	ret = seguei_verbs_ah(wr->wr.ud.ah, &ah);
	if (!ret)
		*b = seguei_step_av_ud_av(*b, &ah, wr->wr.ud.remote_qpn, wr->wr.ud.remote_qkey);
	return ret;
}

/* Writes all segments before the pieces. */
static int begin(struct segue_qp *qp, const struct ibv_send_wr *wr, struct seguei_build *b)
{
	const struct request *r = request_of(qp, wr->opcode);
	uint32_t imm = 0;
	int ret;

	if (!r)
		return -EOPNOTSUPP;
	if (r->imm)
		imm = be32toh(wr->imm_data);
	else if (wr->opcode == IBV_WR_SEND_WITH_INV)
		imm = wr->invalidate_rkey;
	*b = seguei_begin(&qp->sq.any);
	seguei_request(b, wr->wr_id, r->opcode, 0, seguei_verbs_flags_of(qp, wr->send_flags), imm);
	ret = put_address(qp, wr, b);
	if (wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP)
		*b = seguei_step_atomic_compare_swap(
			seguei_step_raddr(*b, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey),
			wr->wr.atomic.compare_add, wr->wr.atomic.swap);
	else if (wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD)
		*b = seguei_step_atomic_add(
			seguei_step_raddr(*b, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey),
			wr->wr.atomic.compare_add);
	else if (r->remote)
		*b = seguei_step_raddr(*b, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
	return ret;
}

static bool too_many(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return wr->num_sge > (int)qp->verbs.max_send_sge;
}

static int send_pieces(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	struct seguei_build b;
	int ret = begin(qp, wr, &b);

	if (ret)
		return ret;
	if (SEGUEI_UNLIKELY(too_many(qp, wr)))
		return ENOMEM;
	if (wr->num_sge > 0 && wr->send_flags & IBV_SEND_INLINE)
		ret = seguei_verbs_inline(qp, &b, wr->sg_list, (uint32_t)wr->num_sge);
	else if (wr->num_sge > 0)
		b = seguei_step_verbs_sge_list(b, wr->sg_list, (uint32_t)wr->num_sge);
	return ret ? ret : seguei_commit_only(&b, qp->verbs.machine);
}

/* Writes a request that changes a key, which has no pieces. */
static int send_key(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	const uint32_t flags = seguei_verbs_flags_of(qp, wr->send_flags) &
			       ~(uint32_t)SEGUE_SOLICITED;
	const struct seguei_verbs_bind bind = {
		.wr_id = wr->wr_id,
		.flags = flags,
		.mw = wr->bind_mw.mw,
		.rkey = wr->bind_mw.rkey,
		.info = &wr->bind_mw.bind_info,
	};

	if (too_many(qp, wr))
		return ENOMEM;
	return wr->opcode == IBV_WR_BIND_MW
		       ? seguei_verbs_bind(qp, &bind)
		       : seguei_verbs_local_inv(qp, wr->wr_id, flags, wr->invalidate_rkey);
}

/* ---- lists ---- */

/*
 * As seguei_verbs_put(), for any number of pieces that do not cross the end of the ring. Returns
 * the number of blocks, or 0 if the request is not for the fast path.
 */
static uint32_t put_list(const struct segue_qp *qp, uint8_t *start, const struct ibv_send_wr *wr,
			 uint64_t *first)
{
	uint8_t *at = start + SEGUEI_CONTROL_SIZE;
	uint32_t bytes, units;

	if (wr->opcode >= qp->verbs.plain || wr->send_flags > SEGUEI_VERBS_FLAGS ||
	    (uint32_t)wr->num_sge > qp->verbs.max_send_sge)
		return 0;
	if (!(wr->opcode & SEGUEI_VERBS_IS_SEND))
		at = seguei_verbs_put_remote(at, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
	if (at + (size_t)wr->num_sge * SEGUE_SEG_DATA_SIZE > qp->sq.any.end)
		return 0;
	bytes = seguei_verbs_put_pieces(at, wr->sg_list, (uint32_t)wr->num_sge);
	units = ((uint32_t)(at - start) + bytes) / SEGUEI_UNIT;
	if (bytes == UINT32_MAX || units > qp->sq.any.max_units)
		return 0;
	seguei_verbs_put_second(qp, start, wr, wr, false);
	*first = qp->verbs.first[wr->opcode] + bytes / SEGUEI_UNIT - 1;
	return seguei_blocks(units);
}

/*
 * Commits a request of several pieces, or of inline data. False if only send_pieces() can build it.
 */
static bool send_list(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t pi = sq->pi, at = pi & sq->mask;
	uint8_t *const start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	uint32_t blocks = 1;
	uint64_t first;

	if (seguei_verbs_is_inline(qp, wr))
		first = seguei_verbs_put(qp, start, wr, wr, true);
	else
		blocks = put_list(qp, start, wr, &first);
	if (!blocks || seguei_verbs_room(sq, pi + blocks, false) < 0)
		return false;
	seguei_verbs_note_slot(&sq->slots[at], wr->wr_id, pi + blocks);
	(void)seguei_verbs_finish(sq, start, first, pi, pi + blocks);
	sq->committed = pi;
	return true;
}

static __attribute__((noinline, cold)) int refused(const struct segue_qp *qp,
						   struct ibv_send_wr *wr,
						   struct ibv_send_wr **bad_wr, int ret)
{
	*bad_wr = wr;
	return seguei_verbs_send_errno(qp, ret);
}

int seguei_verbs_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	int ret = 0;

	if (SEGUEI_UNLIKELY(!qp->verbs.machine))
		seguei_verbs_describe(qp);
	for (; wr; wr = wr->next) {
		if (SEGUEI_LIKELY(send_list(qp, wr)))
			continue;
		ret = wr->opcode == IBV_WR_BIND_MW || wr->opcode == IBV_WR_LOCAL_INV
			      ? send_key(qp, wr)
			      : send_pieces(qp, wr);
		if (SEGUEI_UNLIKELY(ret))
			break;
	}
	seguei_sq_ring_committed(&qp->sq.any);
	return SEGUEI_LIKELY(!ret) ? 0 : refused(qp, wr, bad_wr, ret);
}

/* ---- the rest of the fast path ---- */

int seguei_verbs_finish_unusual(struct segue_qp *qp, uint64_t first)
{
	struct segue_sq *const sq = &qp->sq.any;
	uint8_t *const start = seguei_sq_start(sq);
	struct segue_seg_ctrl control;

	(void)seguei_verbs_name(start, first);
	control = seguei_verbs_control(start);
	return SEGUEI_COUNTED(seguei_finish_unusual)(
		sq,
		seguei_form_pack(
			(struct seguei_form){control.opcode, 0, 0, SEGUEI_COMMIT, control.ds}),
		0, qp->verbs.machine);
}

int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	if (wr)
		wr = seguei_verbs_post_plain(qp, wr, false);
	return wr ? seguei_verbs_send(qp, wr, bad_wr) : 0;
}
