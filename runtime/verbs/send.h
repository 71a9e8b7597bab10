/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fast path of ibv_post_send(): requests of one piece of memory on RC, whose shape the compiler
 * knows. Its callers, segue_verbs_post_send() and the layer, have it inline.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send()).
 */
#ifndef SEGUE_RUNTIME_VERBS_SEND_H
#define SEGUE_RUNTIME_VERBS_SEND_H

#include <endian.h>
#include <errno.h>

#include "runtime/object/qp/qp.h"
#include "runtime/verbs/verbs.h"
#include "segue/gen/builders.h"

#define SEGUEI_VERBS_FLAGS ((unsigned int)(IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED))

static const uint8_t seguei_verbs_flags[SEGUEI_VERBS_FLAGS + 1] = {
	[IBV_SEND_FENCE] = SEGUE_FENCE,
	[IBV_SEND_SIGNALED] = SEGUE_SIGNALED,
	[IBV_SEND_SIGNALED | IBV_SEND_FENCE] = SEGUE_SIGNALED | SEGUE_FENCE,
	[IBV_SEND_SOLICITED] = SEGUE_SOLICITED,
	[IBV_SEND_SOLICITED | IBV_SEND_FENCE] = SEGUE_SOLICITED | SEGUE_FENCE,
	[IBV_SEND_SOLICITED | IBV_SEND_SIGNALED] = SEGUE_SOLICITED | SEGUE_SIGNALED,
	[SEGUEI_VERBS_FLAGS] = SEGUE_SOLICITED | SEGUE_SIGNALED | SEGUE_FENCE,
};

SEGUEI_HOT_FUNCTION uint32_t seguei_verbs_flags_for(const struct segue_qp *qp,
						    const struct ibv_send_wr *wr)
{
	return seguei_verbs_flags[wr->send_flags & SEGUEI_VERBS_FLAGS] | qp->verbs.flags;
}

/* Flags of requests that consume no receive, so that SOLICITED has no effect. */
#define SILENT	      (flags & ~(uint32_t)SEGUE_SOLICITED)

/* The address that a transport needs first. */
#define NOWHERE(step) step
#define TO_XRC(step)  segue_xrc(step, wr->qp_type.xrc.remote_srqn)
#define TO_UD(step)   segue_av(step, &ah, wr->wr.ud.remote_qpn, wr->wr.ud.remote_qkey)
#define TO_RDMA(step) segue_raddr(step, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey)
#define TO_ATOM(step) segue_raddr(step, wr->wr.atomic.remote_addr, wr->wr.atomic.rkey)

/*
 * Cases of a switch over opcodes. END gets the request without its pieces of memory, and
 * ends it. ADDRESS adds the transport's address.
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
		return END(segue_compare_swap(                                                     \
			TO_ATOM(ADDRESS(segue_atomic_cs(sq, wr->wr_id, SILENT))),                  \
			wr->wr.atomic.compare_add, wr->wr.atomic.swap));                           \
	case IBV_WR_ATOMIC_FETCH_AND_ADD:                                                          \
		return END(                                                                        \
			segue_atomic_add(TO_ATOM(ADDRESS(segue_atomic_fa(sq, wr->wr_id, SILENT))), \
					 wr->wr.atomic.compare_add));

/* Ends a request with one piece. */
#define POST_ONE(step) \
	segue_post(segue_sge(step, wr->sg_list->addr, wr->sg_list->length, wr->sg_list->lkey))
#define COMMIT_ONE(step) \
	segue_commit(segue_sge(step, wr->sg_list->addr, wr->sg_list->length, wr->sg_list->lkey))

SEGUEI_HOT_FUNCTION int seguei_verbs_post_one(struct segue_rc_sq *sq, const struct ibv_send_wr *wr,
					      uint32_t flags)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, POST_ONE)
		WRITE_CASES(sq, NOWHERE, POST_ONE)
		READ_CASES(sq, NOWHERE, POST_ONE)
	default:
		return -EOPNOTSUPP;
	}
}

/* The same as one of a batch. */
SEGUEI_HOT_FUNCTION int seguei_verbs_add_one(struct segue_rc_batch *sq,
					     const struct ibv_send_wr *wr, uint32_t flags)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, COMMIT_ONE)
		WRITE_CASES(sq, NOWHERE, COMMIT_ONE)
		READ_CASES(sq, NOWHERE, COMMIT_ONE)
	default:
		return -EOPNOTSUPP;
	}
}

SEGUEI_HOT_FUNCTION bool seguei_verbs_is_one(const struct ibv_send_wr *wr)
{
	return wr->num_sge == 1 && !(wr->send_flags & IBV_SEND_INLINE) && wr->sg_list->length;
}

/*
 * Requests of other shapes, and on other transports. Returns 0, or libmlx5's or a negative errno.
 */
int seguei_verbs_send_other(struct segue_qp *qp, const struct ibv_send_wr *wr, bool ring);

/* Posts a list of requests, with one doorbell at its end. */
int seguei_verbs_send_list(struct segue_qp *qp, struct ibv_send_wr *wr,
			   struct ibv_send_wr **bad_wr);

/* Reports the request that was refused, with libmlx5's error number. */
int seguei_verbs_send_refused(const struct segue_qp *qp, struct ibv_send_wr *wr,
			      struct ibv_send_wr **bad_wr, int ret);

SEGUEI_HOT_FUNCTION int seguei_verbs_send(struct segue_qp *qp, struct ibv_send_wr *wr,
					  struct ibv_send_wr **bad_wr)
{
	int ret;

	if (SEGUEI_UNLIKELY(!wr) || wr->next)
		return seguei_verbs_send_list(qp, wr, bad_wr);
	if (SEGUEI_LIKELY(seguei_verbs_is_one(wr) && qp->type == SEGUE_QP_RC))
		ret = seguei_verbs_post_one(&qp->sq.rc, wr, seguei_verbs_flags_for(qp, wr));
	else
		ret = seguei_verbs_send_other(qp, wr, true);
	return SEGUEI_LIKELY(!ret) ? 0 : seguei_verbs_send_refused(qp, wr, bad_wr, ret);
}

#endif
