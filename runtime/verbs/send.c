/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_post_send() by builders. A request of one piece of memory on RC takes the fast path, on which
 * the compiler knows its shape. Other shapes and other transports take general().
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send(), set_data_inl_seg(), set_bind_wr()).
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "runtime/verbs/verbs.h"
#include "segue/gen/builders.h"
#include "segue/verbs.h"

#define KNOWN_FLAGS ((unsigned int)(IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED))

static const uint8_t flags_of[KNOWN_FLAGS + 1] = {
	[IBV_SEND_FENCE] = SEGUE_FENCE,
	[IBV_SEND_SIGNALED] = SEGUE_SIGNALED,
	[IBV_SEND_SIGNALED | IBV_SEND_FENCE] = SEGUE_SIGNALED | SEGUE_FENCE,
	[IBV_SEND_SOLICITED] = SEGUE_SOLICITED,
	[IBV_SEND_SOLICITED | IBV_SEND_FENCE] = SEGUE_SOLICITED | SEGUE_FENCE,
	[IBV_SEND_SOLICITED | IBV_SEND_SIGNALED] = SEGUE_SOLICITED | SEGUE_SIGNALED,
	[KNOWN_FLAGS] = SEGUE_SOLICITED | SEGUE_SIGNALED | SEGUE_FENCE,
};

SEGUEI_HOT_FUNCTION uint32_t flags_for(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return flags_of[wr->send_flags & KNOWN_FLAGS] | qp->verbs.flags;
}

/* Flags of requests that consume no receive, where SOLICITED has no effect. */
#define SILENT	      (flags & ~(uint32_t)SEGUE_SOLICITED)

/* The address that a transport wants first. */
#define NOWHERE(step) step
#define TO_XRC(step)  segue_xrc(step, wr->qp_type.xrc.remote_srqn)
#define TO_UD(step)   segue_av(step, &ah, wr->wr.ud.remote_qpn, wr->wr.ud.remote_qkey)
#define TO_RDMA(step) segue_raddr(step, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey)
#define TO_ATOM(step) segue_raddr(step, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey)

/*
 * Cases of a switch over opcodes. END ends the request, which stands before its pieces of memory.
 * ADDRESS adds the transport's address.
 */
#define SEND_CASES(sq, ADDRESS, END)                                   \
	case IBV_WR_SEND:                                              \
		return END(ADDRESS(segue_send(sq, wr->wr_id, flags))); \
	case IBV_WR_SEND_WITH_IMM:                                     \
		return END(ADDRESS(segue_send_imm(sq, wr->wr_id, flags, be32toh(wr->imm_data))));

#define WRITE_CASES(sq, ADDRESS, END)                                                         \
	case IBV_WR_RDMA_WRITE:                                                               \
		return END(TO_RDMA(ADDRESS(segue_rdma_write(sq, wr->wr_id, SILENT))));        \
	case IBV_WR_RDMA_WRITE_WITH_IMM:                                                      \
		return END(TO_RDMA(ADDRESS(                                                   \
			segue_rdma_write_imm(sq, wr->wr_id, flags, be32toh(wr->imm_data))))); \
	case IBV_WR_SEND_WITH_INV:                                                            \
		return END(ADDRESS(segue_send_inv(sq, wr->wr_id, flags, wr->invalidate_rkey)));

#define READ_CASES(sq, ADDRESS, END)                                                               \
	case IBV_WR_RDMA_READ:                                                                     \
		return END(TO_RDMA(ADDRESS(segue_rdma_read(sq, wr->wr_id, SILENT))));              \
	case IBV_WR_ATOMIC_CMP_AND_SWP:                                                            \
		return END(segue_atomic(TO_ATOM(ADDRESS(segue_atomic_cs(sq, wr->wr_id, SILENT))),  \
					wr->wr.atomic.swap, wr->wr.atomic.compare_add));           \
	case IBV_WR_ATOMIC_FETCH_AND_ADD:                                                          \
		return END(                                                                        \
			segue_atomic_add(TO_ATOM(ADDRESS(segue_atomic_fa(sq, wr->wr_id, SILENT))), \
					 wr->wr.atomic.compare_add));

/* One piece ends the request. */
#define ONE_PIECE(step)                                                              \
	(ring ? segue_post(segue_sge(step, wr->sg_list->addr, wr->sg_list->length,   \
				     wr->sg_list->lkey))                             \
	      : segue_commit(segue_sge(step, wr->sg_list->addr, wr->sg_list->length, \
				       wr->sg_list->lkey)))

SEGUEI_HOT_FUNCTION int one_piece(struct segue_rc_sq *sq, const struct ibv_send_wr *wr,
				  uint32_t flags, bool ring)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, ONE_PIECE)
		WRITE_CASES(sq, NOWHERE, ONE_PIECE)
		READ_CASES(sq, NOWHERE, ONE_PIECE)
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- other shapes ---- */

/* What follows is not typed: the pieces of all requests are the same. */
#define BEGUN(step) (*b = (step).b, 0)

static int begin_rc(struct segue_rc_sq *sq, const struct ibv_send_wr *wr, uint32_t flags,
		    struct seguei_build *b)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, BEGUN)
		WRITE_CASES(sq, NOWHERE, BEGUN)
		READ_CASES(sq, NOWHERE, BEGUN)
	default:
		return -EOPNOTSUPP;
	}
}

static int begin_uc(struct segue_uc_sq *sq, const struct ibv_send_wr *wr, uint32_t flags,
		    struct seguei_build *b)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, BEGUN)
		WRITE_CASES(sq, NOWHERE, BEGUN)
	default:
		return -EOPNOTSUPP;
	}
}

static int begin_xrc(struct segue_xrc_initiator_sq *sq, const struct ibv_send_wr *wr,
		     uint32_t flags, struct seguei_build *b)
{
	switch (wr->opcode) {
		SEND_CASES(sq, TO_XRC, BEGUN)
		WRITE_CASES(sq, TO_XRC, BEGUN)
		READ_CASES(sq, TO_XRC, BEGUN)
	default:
		return -EOPNOTSUPP;
	}
}

static int begin_ud(struct segue_ud_sq *sq, const struct ibv_send_wr *wr, uint32_t flags,
		    struct seguei_build *b)
{
	struct segue_ah ah;
	const int ret = seguei_verbs_ah(wr->wr.ud.ah, &ah);

	if (ret)
		return ret;
	switch (wr->opcode) {
		SEND_CASES(sq, TO_UD, BEGUN)
	default:
		return -EOPNOTSUPP;
	}
}

static int begin(struct segue_qp *qp, const struct ibv_send_wr *wr, uint32_t flags,
		 struct seguei_build *b)
{
	switch (qp->type) {
	case SEGUE_QP_RC:
		return begin_rc(&qp->sq.rc, wr, flags, b);
	case SEGUE_QP_UC:
		return begin_uc(&qp->sq.uc, wr, flags, b);
	case SEGUE_QP_UD:
		return begin_ud(&qp->sq.ud, wr, flags, b);
	case SEGUE_QP_XRC_INITIATOR:
		return begin_xrc(&qp->sq.xrc_initiator, wr, flags, b);
	default:
		return -EOPNOTSUPP;
	}
}

static bool too_many(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return wr->num_sge > (int)qp->verbs.max_send_sge;
}

static int add_pieces(struct seguei_build *b, const struct ibv_send_wr *wr)
{
	struct segue_seg_data list[SEGUEI_VERBS_PIECES];
	const uint32_t count = seguei_verbs_pieces(list, wr->sg_list, (uint32_t)wr->num_sge);

	*b = seguei_step_data_sge_list(*b, list, count);
	return 0;
}

/* Any request that the transport has, of pieces or with inline data; 0 or a negative errno. */
static int with_pieces(struct segue_qp *qp, const struct ibv_send_wr *wr, uint32_t flags, bool ring)
{
	const struct segue_machine *machine = seguei_qp_machine(qp);
	struct seguei_build b;
	int ret = begin(qp, wr, flags, &b);

	if (!ret && too_many(qp, wr))
		ret = ENOMEM;
	if (!ret && wr->num_sge > 0)
		ret = wr->send_flags & IBV_SEND_INLINE
			      ? seguei_verbs_inline(qp, &b, wr->sg_list, (uint32_t)wr->num_sge)
			      : add_pieces(&b, wr);
	if (ret)
		return ret;
	return ring ? seguei_post(&b, machine) : seguei_commit_only(&b, machine);
}

static __attribute__((noinline)) int general(struct segue_qp *qp, const struct ibv_send_wr *wr,
					     uint32_t flags, bool ring)
{
	const struct seguei_verbs_bind bind = {
		.wr_id = wr->wr_id,
		.flags = SILENT,
		.mw = wr->bind_mw.mw,
		.rkey = wr->bind_mw.rkey,
		.info = &wr->bind_mw.bind_info,
	};

	int ret;

	if (wr->opcode != IBV_WR_BIND_MW && wr->opcode != IBV_WR_LOCAL_INV)
		return with_pieces(qp, wr, flags, ring);
	if (too_many(qp, wr))
		return ENOMEM;
	ret = wr->opcode == IBV_WR_BIND_MW
		      ? seguei_verbs_bind(qp, &bind)
		      : seguei_verbs_local_inv(qp, wr->wr_id, SILENT, wr->invalidate_rkey);
	if (!ret && ring)
		seguei_sq_ring_committed(&qp->sq.any);
	return ret;
}

SEGUEI_HOT_FUNCTION int any(struct segue_qp *qp, const struct ibv_send_wr *wr, bool ring)
{
	const uint32_t flags = flags_for(qp, wr);

	if (SEGUEI_LIKELY(wr->num_sge == 1 && !(wr->send_flags & IBV_SEND_INLINE) &&
			  qp->type == SEGUE_QP_RC && wr->sg_list->length))
		return one_piece(&qp->sq.rc, wr, flags, ring);
	return general(qp, wr, flags, ring);
}

static __attribute__((noinline, cold)) int refused(const struct segue_qp *qp,
						   struct ibv_send_wr *wr,
						   struct ibv_send_wr **bad_wr, int ret)
{
	*bad_wr = wr;
	return seguei_verbs_send_errno(qp, ret);
}

int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	int ret = 0;

	if (SEGUEI_UNLIKELY(!wr))
		return 0;
	if (SEGUEI_LIKELY(!wr->next)) {
		ret = any(qp, wr, true);
		return SEGUEI_LIKELY(!ret) ? 0 : refused(qp, wr, bad_wr, ret);
	}
	for (; wr; wr = wr->next) {
		ret = any(qp, wr, false);
		if (SEGUEI_UNLIKELY(ret))
			break;
	}
	seguei_sq_ring_committed(&qp->sq.any);
	return SEGUEI_LIKELY(!ret) ? 0 : refused(qp, wr, bad_wr, ret);
}
