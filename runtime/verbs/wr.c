/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_wr_*(): one function for each request, which writes it into the ring up to its missing parts.
 * The last setter adds the rest and commits it.
 *
 * Source: rdma-core providers/mlx5/qp.c (mlx5_send_wr_start() to mlx5_send_wr_abort()).
 */
#define _GNU_SOURCE
#include <endian.h>
#include <errno.h>
#include <string.h>

#include "runtime/object/qp/qp.h"
#include "runtime/verbs/layer.h"
#include "runtime/verbs/send.h"
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
	return seguei_verbs_flags[qp->wr_flags & SEGUEI_VERBS_FLAGS] | q->qp->verbs.flags;
}

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

SEGUEI_HOT_FUNCTION void keep(struct seguei_layer_qp *q, const struct seguei_build *b)
{
	q->request.wr_id = b->wr_id;
	q->request.flags = b->flags;
	q->request.imm = b->imm;
	q->request.bad = b->bad;
	q->request.units = b->units;
	q->request.opcode = b->opcode;
}

/* Continues at the next segment, which is in the first block, or in the one after that. */
SEGUEI_HOT_FUNCTION struct seguei_build go_on(const struct seguei_layer_qp *q)
{
	struct seguei_build b = seguei_begin(&q->qp->sq.any);

	b.wr_id = q->request.wr_id;
	b.flags = q->request.flags;
	b.imm = q->request.imm;
	b.bad = q->request.bad;
	b.units = q->request.units;
	b.opcode = q->request.opcode;
	b.at = b.start + b.units * SEGUEI_UNIT;
	return b;
}

/* ---- requests ---- */

/* RC and UC have the same bytes, so both use RC's type. */
#define CONNECTED(call, expression)                             \
	static void call                                        \
	{                                                       \
		struct seguei_layer_qp *const q = queue_of(qp); \
		struct segue_rc_sq *const sq = &q->qp->sq.rc;   \
		const uint32_t flags = flags_of(q, qp);         \
                                                                \
		const struct seguei_build b = (expression).b;   \
                                                                \
		keep(q, &b);                                    \
		q->missing = 1;                                 \
	}

CONNECTED(rdma_write(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr),
	  segue_raddr(segue_rdma_write(sq, qp->wr_id, SILENT), remote_addr, rkey))
CONNECTED(rdma_write_imm(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, __be32 imm),
	  segue_raddr(segue_rdma_write_imm(sq, qp->wr_id, flags, be32toh(imm)), remote_addr, rkey))
CONNECTED(rdma_read(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr),
	  segue_raddr(segue_rdma_read(sq, qp->wr_id, SILENT), remote_addr, rkey))
CONNECTED(cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t compare,
		  uint64_t swap),
	  segue_compare_swap(segue_raddr(segue_atomic_cs(sq, qp->wr_id, SILENT), remote_addr, rkey),
			     compare, swap))
CONNECTED(fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t remote_addr, uint64_t add),
	  segue_atomic_add(segue_raddr(segue_atomic_fa(sq, qp->wr_id, SILENT), remote_addr, rkey),
			   add))
CONNECTED(send_connected(struct ibv_qp_ex *qp), segue_send(sq, qp->wr_id, flags))
CONNECTED(send_imm_connected(struct ibv_qp_ex *qp, __be32 imm),
	  segue_send_imm(sq, qp->wr_id, flags, be32toh(imm)))
CONNECTED(send_inv(struct ibv_qp_ex *qp, uint32_t rkey), segue_send_inv(sq, qp->wr_id, flags, rkey))

/* A setter gives the address, perhaps after the pieces. Until then its place has this one. */
static const struct segue_address_vector nowhere;

#define DATAGRAM(call, expression)                                                    \
	static void call                                                              \
	{                                                                             \
		struct seguei_layer_qp *const q = queue_of(qp);                       \
		struct segue_ud_sq *const sq = &q->qp->sq.ud;                         \
		const uint32_t flags = flags_of(q, qp);                               \
                                                                                      \
		const struct seguei_build b = segue_av(expression, &nowhere, 0, 0).b; \
                                                                                      \
		keep(q, &b);                                                          \
		q->missing = 2;                                                       \
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
		.flags = flags_of(q, qp) & ~(uint32_t)SEGUE_SOLICITED,
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
	const uint32_t flags = flags_of(q, qp);
	const int ret = seguei_verbs_local_inv(q->qp, qp->wr_id, SILENT, rkey);

	if (ret)
		refuse(q, ret);
}

/* ---- setters ---- */

/* Adds a part of the request, and commits it if that was the last one. */
SEGUEI_HOT_FUNCTION void set(struct seguei_layer_qp *q, struct seguei_build *b)
{
	int ret;

	if (SEGUEI_UNLIKELY(--q->missing)) {
		keep(q, b);
		return;
	}
	ret = seguei_commit_only(b, q->machine);
	if (SEGUEI_UNLIKELY(ret))
		refuse(q, ret);
}

/* Refuses a request with a part that does not fit, and skips its other parts. */
static __attribute__((noinline, cold)) void set_wrong(struct seguei_layer_qp *q, int error)
{
	refuse(q, error);
	q->missing--;
}

static void set_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);

	if (SEGUEI_LIKELY(length))
		b = seguei_step_across_data_sge(b, addr, length, lkey);
	set(q, &b);
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *sges)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);
	size_t i;

	if (SEGUEI_UNLIKELY(count > q->qp->verbs.max_send_sge)) {
		set_wrong(q, ENOMEM);
		return;
	}
	for (i = 0; i < count; i++)
		if (SEGUEI_LIKELY(sges[i].length))
			b = seguei_step_across_data_sge(b, sges[i].addr, sges[i].length,
							sges[i].lkey);
	set(q, &b);
}

static void set_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);

	if (SEGUEI_UNLIKELY(length > q->qp->verbs.max_inline)) {
		set_wrong(q, ENOMEM);
		return;
	}
	if (length)
		b = seguei_step_inline_data(b, addr, (uint32_t)length);
	set(q, &b);
}

static void set_inline_data_list(struct ibv_qp_ex *qp, size_t count,
				 const struct ibv_data_buf *bufs)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);
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
	if (i < count || seguei_verbs_inline(q->qp, &b, sges, (uint32_t)n))
		set_wrong(q, ENOMEM);
	else
		set(q, &b);
}

/* The address is directly after the control segment, in the same block. */
static void set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *to, uint32_t remote_qpn,
			uint32_t remote_qkey)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);
	struct segue_address_vector ah;

	if (seguei_verbs_ah(to, &ah)) {
		set_wrong(q, EINVAL);
		return;
	}
	segue_seg_av_ud_pack_prepared(b.start + SEGUEI_CONTROL_SIZE, &ah,
				      remote_qpn & SEGUE_SEG_AV_UD_DQP_DCT_MAX, remote_qkey);
	set(q, &b);
}

/* ---- the requests of each type of queue pair ---- */

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
