/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_post_send() beside its fast path (send.h): lists, and requests of any shape.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send()).
 */
#define _GNU_SOURCE
#include "runtime/verbs/send.h"

#include "runtime/ring/spare.h"
#include "segue/verbs.h"

/* ---- one request of any shape ---- */

static bool too_many(const struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return wr->num_sge > (int)qp->verbs.max_send_sge;
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

static int send_pieces(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	const size_t count = wr->num_sge > 0 ? (size_t)wr->num_sge : 0;
	struct seguei_build b;
	int ret = seguei_verbs_begin(qp, wr, &b);

	if (ret != -EOPNOTSUPP && too_many(qp, wr))
		return ENOMEM;
	if (!ret)
		ret = seguei_verbs_address(qp, wr, b.start);
	if (!ret && qp->type == SEGUE_QP_RAW_PACKET && is_wrong_frame(qp, wr))
		ret = EINVAL;
	if (!ret)
		ret = seguei_verbs_pieces(qp, &b, wr->sg_list, count,
					  wr->send_flags & IBV_SEND_INLINE);
	return ret ? ret : seguei_commit_only(&b, qp->verbs.machine);
}

static int send_key(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	return too_many(qp, wr) ? ENOMEM : seguei_verbs_key(qp, wr);
}

/* ---- lists ---- */

/* The same for any number of pieces. */
static bool send_pieces_in_place(struct segue_qp *qp, const struct ibv_send_wr *wr, uint8_t *start)
{
	uint8_t *at = start + SEGUEI_CONTROL_SIZE;
	const uint8_t *end;
	uint64_t first;

	if (wr->opcode >= qp->verbs.plain || wr->send_flags > SEGUEI_VERBS_FLAGS ||
	    (uint32_t)wr->num_sge > qp->verbs.max_send_sge)
		return false;
	seguei_verbs_put_second(qp, start, wr, wr, false);
	if (!(wr->opcode & SEGUEI_VERBS_IS_SEND))
		at = seguei_verbs_put_remote(at, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey);
	first = qp->verbs.first[wr->opcode] - (uint32_t)(at - start) / SEGUEI_UNIT - 1;
	end = seguei_verbs_put_list(&qp->sq.any, at, wr->sg_list, (uint32_t)wr->num_sge);
	return end && seguei_verbs_finish_at(qp, end, first);
}

/*
 * Commits a request of several pieces, or of inline data. False if only send_pieces() can build it.
 */
static bool send_list(struct segue_qp *qp, const struct ibv_send_wr *wr)
{
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t pi = sq->pi, at = pi & sq->mask;
	uint8_t *const start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	uint64_t first;

	sq->slots[at].wr_id = wr->wr_id;
	if (seguei_verbs_is_inline(qp, wr)) {
		sq->slots[at].next = pi + 1;
		first = seguei_verbs_put(qp, start, wr, wr, true);
		if (SEGUEI_LIKELY(seguei_verbs_room(sq, pi + 1, false) >= 0))
			(void)seguei_verbs_finish(sq, start, first, pi, pi + 1);
		else if (!seguei_verbs_finish_late(qp, first))
			return false;
	} else if (!send_pieces_in_place(qp, wr, start)) {
		return false;
	}
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
		if ((wr->opcode < qp->verbs.plain && SEGUEI_LIKELY(send_list(qp, wr))) ||
		    seguei_verbs_send_in_place(qp, wr))
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

uint64_t seguei_verbs_finish_late(struct segue_qp *qp, uint64_t first)
{
	struct segue_sq *const sq = &qp->sq.any;
	uint8_t *const start = seguei_sq_start(sq);
	struct segue_seg_ctrl control;
	struct seguei_form form = {0};
	uint32_t next;

	(void)seguei_verbs_name(start, first);
	control = seguei_verbs_control(start);
	next = sq->pi + seguei_blocks(control.ds);
	seguei_sq_open_further(sq, next);
	if (seguei_verbs_room(sq, next, false) >= 0)
		return seguei_verbs_finish(sq, start, first, sq->pi, next);
	form.opcode = control.opcode;
	form.how = SEGUEI_COMMIT;
	form.units = control.ds;
	if (SEGUEI_COUNTED(seguei_finish_unusual)(sq, seguei_form_pack(form), 0, qp->verbs.machine))
		return 0;
	return seguei_verbs_take_doorbell(sq);
}

int segue_verbs_post_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	if (wr)
		wr = seguei_verbs_post_plain(qp, wr, false);
	return wr ? seguei_verbs_send(qp, wr, bad_wr) : 0;
}
