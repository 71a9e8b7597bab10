/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_post_recv() and ibv_post_srq_recv() by builders.
 *
 * Source: rdma-core providers/mlx5/qp.c (mlx5_post_recv()), srq.c (mlx5_post_srq_recv()).
 */
#include <errno.h>

#include "runtime/object/qp/qp.h"
#include "runtime/object/srq/srq.h"
#include "runtime/ring/split.h"
#include "runtime/verbs/verbs.h"
#include "segue/gen/builders.h"
#include "segue/verbs.h"

static bool one_piece(const struct ibv_recv_wr *wr)
{
	return SEGUEI_LIKELY(wr->num_sge == 1 && wr->sg_list->length);
}

/* A receive. The builders of the two kinds of queue differ in their type. */
#define RECEIVE(name, type)                                                                      \
	static int name(type *queue, const struct ibv_recv_wr *wr)                               \
	{                                                                                        \
		const struct ibv_sge *piece = wr->sg_list;                                       \
		const uint32_t count = wr->num_sge > 0 ? (uint32_t)wr->num_sge : 0;              \
                                                                                                 \
		if (one_piece(wr))                                                               \
			return segue_commit(segue_sge(segue_recv(queue, wr->wr_id), piece->addr, \
						      piece->length, piece->lkey));              \
		return segue_commit(                                                             \
			segue_verbs_sge_list(segue_recv(queue, wr->wr_id), piece, count));       \
	}

RECEIVE(receive, struct segue_rq)
RECEIVE(receive_shared, struct segue_srq)

static bool too_many(const struct ibv_recv_wr *wr, uint32_t most)
{
	return wr->num_sge > (int)most;
}

/* Tests for room first, as libmlx5 does. */
static int too_many_errno(struct seguei_recv_ring *ring)
{
	seguei_recv_catch_up(ring);
	return ring->pi - seguei_recv_ci(ring) > ring->mask ? -ENOSPC : -EINVAL;
}

/* Ends a call with the result of its last request. */
static int ended(int ret, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (SEGUEI_LIKELY(!ret))
		return 0;
	*bad_wr = wr;
	return seguei_verbs_recv_errno(ret);
}

int segue_verbs_post_recv(struct segue_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	int ret = 0;

	if (!qp->has_rq)
		return ended(-EINVAL, wr, bad_wr);
	for (; wr; wr = wr->next) {
		ret = too_many(wr, qp->verbs.max_recv_sge) ? too_many_errno(&qp->rq.ring)
							   : receive(&qp->rq, wr);
		if (SEGUEI_UNLIKELY(ret))
			break;
	}
	segue_ring_doorbell(&qp->rq);
	return ended(ret, wr, bad_wr);
}

int segue_verbs_post_srq_recv(struct segue_srq *srq, struct ibv_recv_wr *wr,
			      struct ibv_recv_wr **bad_wr)
{
	const uint32_t most = seguei_srq_object_of(srq)->max_sge;
	int ret = 0;

	for (; wr; wr = wr->next) {
		ret = too_many(wr, most) ? -EINVAL : receive_shared(srq, wr);
		if (SEGUEI_UNLIKELY(ret))
			break;
	}
	segue_ring_doorbell(srq);
	return ended(ret, wr, bad_wr);
}
