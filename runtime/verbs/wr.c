/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_wr_*(): one function for each request, which writes it into the ring as far as it is known.
 * The setter that it waits for adds the rest and commits it.
 *
 * Source: rdma-core providers/mlx5/qp.c (mlx5_send_wr_start() to mlx5_send_wr_abort()).
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "runtime/verbs/layer.h"
#include "segue/gen/builders.h"

SEGUEI_HOT_FUNCTION struct seguei_layer_qp *queue_of(struct ibv_qp_ex *qp)
{
	return seguei_layer_find(&qp->qp_base);
}

static __attribute__((noinline, cold)) void refuse(struct seguei_layer_qp *q, int ret)
{
	if (!q->error)
		q->error = seguei_verbs_send_errno(q->qp, ret);
}

SEGUEI_HOT_FUNCTION uint32_t flags_of(const struct seguei_layer_qp *q, const struct ibv_qp_ex *qp)
{
	const unsigned int flags = qp->wr_flags;

	return q->qp->verbs.flags | (flags & IBV_SEND_SIGNALED ? SEGUE_SIGNALED : 0) |
	       (flags & IBV_SEND_FENCE ? SEGUE_FENCE : 0) |
	       (flags & IBV_SEND_SOLICITED ? SEGUE_SOLICITED : 0);
}

#define SILENT(flags) ((flags) & ~(uint32_t)SEGUE_SOLICITED)

static void start(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);

	seguei_layer_lock(q->locks, &q->send_lock);
	q->error = 0;
}

static int complete(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);
	int error = q->error;

	if (SEGUEI_UNLIKELY(!error && !q->qp->sq.any.postable))
		error = EINVAL;
	if (SEGUEI_UNLIKELY(error))
		(void)segue_sq_abort(&q->qp->sq.any);
	else
		seguei_sq_ring_committed(&q->qp->sq.any);
	q->sends++;
	seguei_layer_unlock(q->locks, &q->send_lock);
	if (SEGUEI_UNLIKELY(q->context->watched)) {
		struct ibv_send_wr *bad;

		(void)q->context->ops.post_send(&qp->qp_base, NULL, &bad);
	}
	return error;
}

static void abort_all(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);

	(void)segue_sq_abort(&q->qp->sq.any);
	seguei_layer_unlock(q->locks, &q->send_lock);
}

/* ---- requests ---- */

/* On RC and UC, which have the same bytes: the type is RC's. */
#define CONNECTED(call, expression)                             \
	static void call                                        \
	{                                                       \
		struct seguei_layer_qp *const q = queue_of(qp); \
		struct segue_rc_sq *const sq = &q->qp->sq.rc;   \
		const uint32_t flags = flags_of(q, qp);         \
                                                                \
		q->b = (expression).b;                          \
		q->missing = 1;                                 \
	}

CONNECTED(rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr),
	  segue_raddr(segue_rdma_write(sq, qp->wr_id, SILENT(flags)), remote_addr, rkey))
CONNECTED(rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, __be32 imm),
	  segue_raddr(segue_rdma_write_imm(sq, qp->wr_id, flags, be32toh(imm)), remote_addr, rkey))
CONNECTED(rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr),
	  segue_raddr(segue_rdma_read(sq, qp->wr_id, SILENT(flags)), remote_addr, rkey))
CONNECTED(cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t compare,
		  uint64_t swap),
	  segue_atomic(segue_raddr(segue_atomic_cs(sq, qp->wr_id, SILENT(flags)), remote_addr,
				   rkey),
		       swap, compare))
CONNECTED(fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t add),
	  segue_atomic_add(segue_raddr(segue_atomic_fa(sq, qp->wr_id, SILENT(flags)), remote_addr,
				       rkey),
			   add))
CONNECTED(send_connected(struct ibv_qp_ex *qp), segue_send(sq, qp->wr_id, flags))
CONNECTED(send_imm_connected(struct ibv_qp_ex *qp, __be32 imm),
	  segue_send_imm(sq, qp->wr_id, flags, be32toh(imm)))
CONNECTED(send_inv(struct ibv_qp_ex *qp, uint32_t rkey), segue_send_inv(sq, qp->wr_id, flags, rkey))

/* The address follows by a setter, perhaps after the pieces: its place is filled with another. */
static const struct segue_ah nowhere;

#define DATAGRAM(call, expression)                              \
	static void call                                        \
	{                                                       \
		struct seguei_layer_qp *const q = queue_of(qp); \
		struct segue_ud_sq *const sq = &q->qp->sq.ud;   \
		const uint32_t flags = flags_of(q, qp);         \
                                                                \
		q->b = segue_av(expression, &nowhere, 0, 0).b;  \
		q->missing = 2;                                 \
	}

DATAGRAM(send_ud(struct ibv_qp_ex *qp), segue_send(sq, qp->wr_id, flags))
DATAGRAM(send_imm_ud(struct ibv_qp_ex *qp, __be32 imm),
	 segue_send_imm(sq, qp->wr_id, flags, be32toh(imm)))

static void bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
		    const struct ibv_mw_bind_info *info)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const struct seguei_verbs_bind bind = {
		.wr_id = qp->wr_id,
		.flags = SILENT(flags_of(q, qp)),
		.mw = mw,
		.rkey = rkey,
		.info = info,
	};
	const int ret = seguei_verbs_bind(q->qp, &bind);

	if (ret)
		refuse(q, ret);
}

static void local_inv(struct ibv_qp_ex *qp, uint32_t rkey)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const int ret = seguei_verbs_local_inv(q->qp, qp->wr_id, SILENT(flags_of(q, qp)), rkey);

	if (ret)
		refuse(q, ret);
}

/* ---- setters ---- */

SEGUEI_HOT_FUNCTION void set(struct seguei_layer_qp *q)
{
	int ret;

	if (SEGUEI_UNLIKELY(--q->missing))
		return;
	ret = seguei_commit_only(&q->b, q->machine);
	if (SEGUEI_UNLIKELY(ret))
		refuse(q, ret);
}

static void set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);

	if (SEGUEI_LIKELY(length))
		q->b = seguei_step_across_data_sge(q->b, addr, length, lkey);
	set(q);
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *sges)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct segue_seg_data list[SEGUEI_VERBS_PIECES];

	if (SEGUEI_UNLIKELY(count > q->qp->verbs.max_send_sge))
		refuse(q, ENOMEM);
	else
		q->b = seguei_step_data_sge_list(q->b, list,
						 seguei_verbs_pieces(list, sges, (uint32_t)count));
	set(q);
}

static void set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);

	if (SEGUEI_UNLIKELY(length > q->qp->verbs.max_inline))
		refuse(q, ENOMEM);
	else if (length)
		q->b = seguei_step_inline_data(q->b, addr, (uint32_t)length);
	set(q);
}

static void set_inline_data_list(struct ibv_qp_ex *qp, size_t count,
				 const struct ibv_data_buf *bufs)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct ibv_sge sges[SEGUEI_VERBS_PIECES];
	size_t i, n = 0;

	for (i = 0; i < count && n < SEGUEI_VERBS_PIECES; i++) {
		if (bufs[i].length > UINT32_MAX)
			break;
		if (!bufs[i].length)
			continue;
		sges[n].addr = (uintptr_t)bufs[i].addr;
		sges[n++].length = (uint32_t)bufs[i].length;
	}
	if (i < count || seguei_verbs_inline(q->qp, &q->b, sges, (uint32_t)n))
		refuse(q, ENOMEM);
	set(q);
}

/* The address stands right behind the control segment, in the same block. */
static void set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *to, uint32_t remote_qpn,
			uint32_t remote_qkey)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct segue_ah ah;

	if (seguei_verbs_ah(to, &ah))
		refuse(q, EINVAL);
	else
		segue_seg_av_ud_pack_prepared(q->b.start + SEGUEI_CONTROL_SIZE, &ah,
					      remote_qpn & SEGUE_SEG_AV_UD_DQP_DCT_MAX,
					      remote_qkey);
	set(q);
}

/* ---- which of them a queue pair has ---- */

#define OPS_UD (IBV_QP_EX_WITH_SEND | IBV_QP_EX_WITH_SEND_WITH_IMM)
#define OPS_UC                                                                     \
	(OPS_UD | IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_WRITE_WITH_IMM | \
	 IBV_QP_EX_WITH_SEND_WITH_INV | IBV_QP_EX_WITH_BIND_MW | IBV_QP_EX_WITH_LOCAL_INV)
#define OPS_RC                                                                   \
	(OPS_UC | IBV_QP_EX_WITH_RDMA_READ | IBV_QP_EX_WITH_ATOMIC_CMP_AND_SWP | \
	 IBV_QP_EX_WITH_ATOMIC_FETCH_AND_ADD)

bool seguei_layer_knows_wr(enum ibv_qp_type type, uint64_t send_ops_flags)
{
	const uint64_t known = type == IBV_QPT_RC ? OPS_RC : type == IBV_QPT_UC ? OPS_UC : OPS_UD;

	return !(send_ops_flags & ~known);
}

#define SET(member, fn)                   \
	do {                              \
		if (x->member)            \
			x->member = (fn); \
	} while (0)

void seguei_layer_set_wr(struct seguei_layer_qp *q)
{
	struct ibv_qp_ex *x = ibv_qp_to_qp_ex(q->verbs);
	const bool ud = q->verbs->qp_type == IBV_QPT_UD;

	if (!x)
		return;
	SET(wr_start, start);
	SET(wr_complete, complete);
	SET(wr_abort, abort_all);
	SET(wr_rdma_write, rdma_write);
	SET(wr_rdma_write_imm, rdma_write_imm);
	SET(wr_rdma_read, rdma_read);
	SET(wr_atomic_cmp_swp, cmp_swp);
	SET(wr_atomic_fetch_add, fetch_add);
	SET(wr_send, ud ? send_ud : send_connected);
	SET(wr_send_imm, ud ? send_imm_ud : send_imm_connected);
	SET(wr_send_inv, send_inv);
	SET(wr_bind_mw, bind_mw);
	SET(wr_local_inv, local_inv);
	SET(wr_set_sge, set_sge);
	SET(wr_set_sge_list, set_sge_list);
	SET(wr_set_inline_data, set_inline_data);
	SET(wr_set_inline_data_list, set_inline_data_list);
	SET(wr_set_ud_addr, set_ud_addr);
}
