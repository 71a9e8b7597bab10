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
#include "segue/gen/builders.h"
#include "segue/verbs.h"

/* Tests for room first, as libmlx5 does. */
static int too_many_errno(struct seguei_recv_ring *ring)
{
	seguei_recv_catch_up(ring);
	return ring->pi - seguei_recv_ci(ring) > ring->mask ? -ENOSPC : -EINVAL;
}

/* Ends a call with the result of its last request, as libmlx5's error number. */
static int ended(int ret, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (SEGUEI_LIKELY(!ret))
		return 0;
	*bad_wr = wr;
	return ret == -ENOSPC ? ENOMEM : EINVAL;
}

/*
 * Posts receives up to the first that is refused. The builders of the two kinds of queue differ in
 * their type. @too_many: the error of a request of more than `most` pieces
 */
#define POST_RECEIVES(name, type, too_many)                                                 \
	static int name(type *queue, uint32_t most, struct ibv_recv_wr *wr,                 \
			struct ibv_recv_wr **bad_wr)                                        \
	{                                                                                   \
		int ret = 0;                                                                \
                                                                                            \
		for (; wr; wr = wr->next) {                                                 \
			const struct ibv_sge *piece = wr->sg_list;                          \
			const uint32_t count = wr->num_sge > 0 ? (uint32_t)wr->num_sge : 0; \
                                                                                            \
			if (count > most)                                                   \
				ret = too_many;                                             \
			else if (SEGUEI_LIKELY(count == 1 && piece->length))                \
				ret = segue_commit(segue_sge(segue_recv(queue, wr->wr_id),  \
							     piece->addr, piece->length,    \
							     piece->lkey));                 \
			else                                                                \
				ret = segue_commit(segue_verbs_sge_list(                    \
					segue_recv(queue, wr->wr_id), piece, count));       \
			if (SEGUEI_UNLIKELY(ret))                                           \
				break;                                                      \
		}                                                                           \
		segue_ring_doorbell(queue);                                                 \
		return ended(ret, wr, bad_wr);                                              \
	}

POST_RECEIVES(post, struct segue_rq, too_many_errno(&queue->ring))
POST_RECEIVES(post_shared, struct segue_srq, -EINVAL)

int segue_verbs_post_recv(struct segue_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	if (!qp->has_rq)
		return ended(-EINVAL, wr, bad_wr);
	return post(&qp->rq, qp->verbs.max_recv_sge, wr, bad_wr);
}

int segue_verbs_post_srq_recv(struct segue_srq *srq, struct ibv_recv_wr *wr,
			      struct ibv_recv_wr **bad_wr)
{
	return post_shared(srq, seguei_srq_object_of(srq)->max_sge, wr, bad_wr);
}
