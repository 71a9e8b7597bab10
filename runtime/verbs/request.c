/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Parts of requests that do not depend on the way of posting, and error numbers.
 *
 * Source: rdma-core providers/mlx5/qp.c (set_data_ptr_seg(), set_data_inl_seg(),
 *   set_datagram_seg(), set_bind_wr(), mlx5_post_recv()), srq.c (mlx5_post_srq_recv()).
 */
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "runtime/object/memory/access.h"
#include "runtime/object/mw_bind.h"
#include "runtime/object/qp/qp.h"
#include "runtime/verbs/verbs.h"
#include "segue/gen/builders.h"

/*
 * libmlx5 returns ENOMEM if the queue is full, if a request is too long for it, and in states that
 * take no sends. Positive errors of Segue's are libmlx5's numbers already.
 */
int seguei_verbs_send_errno(const struct segue_qp *qp, int ret)
{
	if (ret > 0)
		return ret;
	if (ret == -EOPNOTSUPP)
		return EINVAL;
	if (!qp->has_sq || !qp->sq.any.postable || ret == -ENOSPC || ret == -EMSGSIZE)
		return ENOMEM;
	return EINVAL;
}

int seguei_verbs_recv_errno(int ret)
{
	return ret == -ENOSPC ? ENOMEM : EINVAL;
}

static const uint8_t *start_of(const struct ibv_sge *sge)
{
	return (const uint8_t *)(uintptr_t)sge->addr;
}

int seguei_verbs_inline(const struct segue_qp *qp, struct seguei_build *b,
			const struct ibv_sge *sges, uint32_t count)
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

void seguei_verbs_note(struct segue_sq *sq, enum ibv_wc_opcode opcode)
{
	seguei_sq_slot_at(sq, sq->pi)->tag = opcode;
}

static bool has_keys(const struct segue_qp *qp)
{
	return qp->type == SEGUE_QP_RC || qp->type == SEGUE_QP_UC ||
	       qp->type == SEGUE_QP_XRC_INITIATOR;
}

int seguei_verbs_bind(struct segue_qp *qp, const struct seguei_verbs_bind *bind)
{
	const bool type1 = bind->mw->type == IBV_MW_TYPE_1;
	const struct ibv_mw_bind_info *info = bind->info;
	struct seguei_bound b = {
		.wr_id = bind->wr_id,
		.flags = bind->flags,
		.was = bind->mw->rkey,
		.key = bind->rkey,
	};

	if (!has_keys(qp))
		return -EOPNOTSUPP;
	if (info->length > SEGUE_SEG_MKEY_BIND_LEN_MAX)
		return EOPNOTSUPP;
	seguei_verbs_note(&qp->sq.any, IBV_WC_BIND_MW);
	if (!info->length)
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

int seguei_verbs_local_inv(struct segue_qp *qp, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	const struct seguei_bound b = {.wr_id = wr_id, .flags = flags, .was = rkey};

	if (!has_keys(qp))
		return -EOPNOTSUPP;
	seguei_verbs_note(&qp->sq.any, IBV_WC_LOCAL_INV);
	return seguei_qp_commit_bound(qp, SEGUEI_UNBIND_TYPE2, &b);
}
