/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_post_send() by builders: requests that do not take the fast path (send.h), and lists.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send(), set_data_inl_seg(), set_bind_wr()).
 */
#define _GNU_SOURCE
#include "runtime/verbs/send.h"

#include <string.h>

#include "segue/verbs.h"

/* The rest is not typed, because the pieces of all requests are the same. */
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
	struct segue_address_vector ah;
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

/* Any request of the transport, with pieces or inline data. Returns 0 or a negative errno. */
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

/*
 * On RC, inline data of one piece and lists of pieces, if the compiler knows the segments before
 * them.
 */
#define COMMIT_INLINE(step) \
	segue_commit(segue_inline_data(step, data, wr->sg_list->length))

static int inline_rc(struct segue_rc_sq *sq, const struct ibv_send_wr *wr, uint32_t flags)
{
	const void *const data = (const void *)(uintptr_t)wr->sg_list->addr;

	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, COMMIT_INLINE)
		WRITE_CASES(sq, NOWHERE, COMMIT_INLINE)
	default:
		return -EOPNOTSUPP;
	}
}

SEGUEI_HOT_FUNCTION int commit_list(struct seguei_build b, const struct ibv_send_wr *wr)
{
	const struct ibv_sge *sge = wr->sg_list;
	int i;

	for (i = 0; i < wr->num_sge; i++, sge++)
		if (SEGUEI_LIKELY(sge->length))
			b = seguei_step_across_data_sge(b, sge->addr, sge->length, sge->lkey);
	return seguei_commit_only(&b, &segue_rc_machine);
}

#define COMMIT_LIST(step) commit_list((step).b, wr)

static int list_rc(struct segue_rc_sq *sq, const struct ibv_send_wr *wr, uint32_t flags)
{
	switch (wr->opcode) {
		SEND_CASES(sq, NOWHERE, COMMIT_LIST)
		WRITE_CASES(sq, NOWHERE, COMMIT_LIST)
	default:
		return -EOPNOTSUPP;
	}
}

/* Whether one of these two functions takes the request. */
static bool is_inline_rc(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return qp->type == SEGUE_QP_RC && wr->opcode <= IBV_WR_SEND_WITH_IMM &&
	       wr->send_flags & IBV_SEND_INLINE && wr->num_sge == 1 &&
	       wr->sg_list->length - 1 < qp->verbs.max_inline;
}

static bool is_list_rc(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return qp->type == SEGUE_QP_RC && wr->opcode <= IBV_WR_SEND_WITH_IMM &&
	       !(wr->send_flags & IBV_SEND_INLINE) && !too_many(qp, wr);
}

static int send_rare(struct segue_qp *qp, const struct ibv_send_wr *wr, bool ring);

int seguei_verbs_send_other(struct segue_qp *qp, const struct ibv_send_wr *wr, bool ring)
{
	const uint32_t flags = seguei_verbs_flags_for(qp, wr);
	int ret;

	if (is_inline_rc(qp, wr))
		ret = inline_rc(&qp->sq.rc, wr, flags);
	else if (is_list_rc(qp, wr))
		ret = list_rc(&qp->sq.rc, wr, flags);
	else
		return send_rare(qp, wr, ring);
	if (SEGUEI_LIKELY(!ret && ring))
		seguei_sq_ring_committed(&qp->sq.any);
	return ret;
}

static int send_rare(struct segue_qp *qp, const struct ibv_send_wr *wr, bool ring)
{
	const uint32_t flags = seguei_verbs_flags_for(qp, wr);
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

SEGUEI_COLD int seguei_verbs_send_refused(const struct segue_qp *qp, struct ibv_send_wr *wr,
					  struct ibv_send_wr **bad_wr, int ret)
{
	*bad_wr = wr;
	return seguei_verbs_send_errno(qp, ret);
}

/* Posts requests as long as they take the fast path, and moves `*wr` after them. */
static int send_ones(struct segue_rc_sq *sq, struct ibv_send_wr **wr, uint32_t always)
{
	struct segue_rc_batch batch = segue_batch_begin(sq);
	struct ibv_send_wr *at = *wr;
	uint32_t flags;
	int ret;

	do {
		flags = seguei_verbs_flags[at->send_flags & SEGUEI_VERBS_FLAGS] | always;
		ret = seguei_verbs_add_one(&batch, at, flags);
		if (SEGUEI_UNLIKELY(ret))
			break;
		at = at->next;
	} while (at && seguei_verbs_is_one(at));
	segue_batch_end(&batch);
	*wr = at;
	return ret;
}

int seguei_verbs_send_list(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	int ret = 0;

	while (wr && !ret) {
		if (SEGUEI_LIKELY(seguei_verbs_is_one(wr) && qp->type == SEGUE_QP_RC)) {
			seguei_sq_ring_committed(&qp->sq.any);
			ret = send_ones(&qp->sq.rc, &wr, qp->verbs.flags);
			continue;
		}
		ret = seguei_verbs_send_other(qp, wr, false);
		if (!ret)
			wr = wr->next;
	}
	seguei_sq_ring_committed(&qp->sq.any);
	return SEGUEI_LIKELY(!ret) ? 0 : seguei_verbs_send_refused(qp, wr, bad_wr, ret);
}

int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	return seguei_verbs_send(qp, wr, bad_wr);
}
