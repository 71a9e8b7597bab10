/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ibv_wr_*(): one function for each request writes the known part of it into the ring. The last
 * missing setter adds the pieces and commits the request. ibv_wr_complete() rings.
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

/* The queue pair for which the thread called ibv_wr_start() last. */
static struct seguei_layer_qp nobody;
static __thread struct seguei_layer_qp *started
	__attribute__((tls_model("initial-exec"))) = &nobody;

/* Makes this queue pair the current one again, after another one was started. */
static __attribute__((noinline, cold)) void resume(struct ibv_qp_ex *qp)
{
	started = seguei_layer_find(&qp->qp_base);
}

/*
 * Begins a function for the current queue pair. If another one is current, it is called again after
 * resume(). No variable is live across that call, so the function needs no frame.
 */
#define FOLLOWS(function, parameters, arguments)                               \
	static void function parameters;                                       \
	static __attribute__((noinline, cold)) void function##_late parameters \
	{                                                                      \
		resume(qp);                                                    \
		function arguments;                                            \
	}                                                                      \
	SEGUEI_HOT_FUNCTION void function##_now parameters;                    \
	static SEGUEI_VERBS_COPIES void function parameters                    \
	{                                                                      \
		if (SEGUEI_UNLIKELY(started->verbs != &qp->qp_base))           \
			function##_late arguments;                             \
		else                                                           \
			function##_now arguments;                              \
	}                                                                      \
	SEGUEI_HOT_FUNCTION void function##_now parameters

SEGUEI_HOT_FUNCTION struct seguei_layer_qp *queue_of(struct ibv_qp_ex *qp)
{
	if (SEGUEI_UNLIKELY(started->verbs != &qp->qp_base))
		resume(qp);
	return started;
}

static __attribute__((noinline, cold)) void refuse(struct seguei_layer_qp *q, int ret)
{
	if (!q->error)
		q->error = seguei_verbs_send_errno(q->qp, ret);
}

SEGUEI_HOT_FUNCTION void start_on(struct seguei_layer_qp *q)
{
	started = q;
	q->error = 0;
	q->doorbell = 0;
}

static __attribute__((noinline, cold)) void start_late(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = seguei_layer_find(&qp->qp_base);

	seguei_layer_lock(q->locks, &q->send_lock);
	start_on(q);
}

static void start(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = seguei_layer_find_first(&qp->qp_base);

	if (SEGUEI_UNLIKELY(!q) ||
	    (SEGUEI_LIKELY(q->locks) && SEGUEI_UNLIKELY(!seguei_spin_try(&q->send_lock))))
		start_late(qp);
	else
		start_on(q);
}

/*
 * Ends a chain in which nothing was committed, a request was refused, or another queue pair was
 * started.
 */
static __attribute__((noinline, cold)) int complete_late(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct segue_sq *sq = &q->qp->sq.any;
	int error = q->error;

	q->sends++;
	if (!q->qp->sq.any.postable) /* libmlx5 has another function there, which says so */
		error = EINVAL;
	if (error)
		(void)segue_sq_abort(sq);
	else if (q->doorbell)
		seguei_sq_ring(sq, sq->pi, q->doorbell);
	started = &nobody;
	seguei_spin_unlock(&q->send_lock);
	return error;
}

static int complete(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = started;
	struct segue_sq *sq;

	if (SEGUEI_UNLIKELY(q->verbs != &qp->qp_base || q->error || !q->doorbell))
		return complete_late(qp);
	sq = &q->qp->sq.any;
	q->sends++;
	seguei_verbs_ring(sq, sq->pi, q->doorbell, true);
	started = &nobody; /* the queue pair may be destroyed */
	seguei_spin_unlock(&q->send_lock);
	return 0;
}

static int complete_watched(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const int ret = complete(qp);
	struct ibv_send_wr *bad;

	(void)q->context->ops.post_send(&qp->qp_base, NULL, &bad);
	return ret;
}

static void abort_all(struct ibv_qp_ex *qp)
{
	struct seguei_layer_qp *q = queue_of(qp);

	(void)segue_sq_abort(&q->qp->sq.any);
	started = &nobody;
	seguei_spin_unlock(&q->send_lock);
}

/* Records the result of a request that commit_block() has not committed. */
static void committed(struct seguei_layer_qp *q, int ret)
{
	struct segue_sq *sq = &q->qp->sq.any;

	if (SEGUEI_UNLIKELY(ret)) {
		refuse(q, ret);
		return;
	}
	memcpy(&q->doorbell, seguei_sq_wqe_at(sq, sq->committed), sizeof(q->doorbell));
	sq->committed = sq->pi - sq->mask - 1; /* no request: ibv_wr_complete() rings */
}

static __attribute__((noinline, cold)) void commit_unusual(struct seguei_layer_qp *q,
							   uint64_t first)
{
	committed(q, seguei_verbs_finish_unusual(q->qp, first));
}

/* Commits a request that lies in one block. @units: units of its data */
SEGUEI_HOT_FUNCTION void commit_block(struct seguei_layer_qp *q, uint32_t units)
{
	const uint64_t first = q->first + seguei_control_first(0, 0, 0, units - 1);
	struct segue_sq *sq = &q->qp->sq.any;
	const uint32_t next = sq->pi + 1;

	if (SEGUEI_UNLIKELY(seguei_verbs_room(sq, next, true) < 0)) {
		commit_unusual(q, first);
		return;
	}
	q->doorbell = seguei_verbs_finish(sq, q->start, first, next - 1, next);
}

/* ---- requests ---- */

struct request {
	struct seguei_layer_qp *q;
	const struct segue_qp *qp; /* compilers read q->qp again after each store to the ring */
	uint8_t *start, *at;	   /* address of its next segment */
};

/* Writes the control segment except its first quadword. */
SEGUEI_HOT_FUNCTION struct request begin(struct seguei_layer_qp *q, const struct ibv_qp_ex *qp,
					 uint32_t imm)
{
	const struct segue_sq *sq = &q->qp->sq.any;
	const uint32_t at = sq->pi & sq->mask;
	struct request r = {q, q->qp, sq->buf + (size_t)at * SEGUEI_BLOCK, NULL};

	r.start = SEGUEI_ALIGNED(uint8_t, r.start, SEGUEI_UNIT);
	r.at = r.start + SEGUEI_CONTROL_SIZE;
	seguei_verbs_note_slot(&sq->slots[at], qp->wr_id, sq->pi + 1);
	if (SEGUEI_KNOWN(imm) && !imm)
		seguei_verbs_put_flags(r.qp, r.start, qp->wr_flags & SEGUEI_VERBS_FLAGS);
	else
		seguei_verbs_put_imm(r.qp, r.start, qp->wr_flags, imm);
	return r;
}

/* Records the place of the next segment. @first: first quadword, with one unit more */
SEGUEI_HOT_FUNCTION void waits(const struct request *r, uint64_t first)
{
	r->q->start = r->start;
	r->q->at = r->at;
	r->q->first = first;
}

/* The same for a request that is not on the fast path of ibv_post_send(). */
static void waits_other(const struct request *r, uint8_t opcode)
{
	const uint32_t units = (uint32_t)(r->at - r->start) / SEGUEI_UNIT + 1;

	waits(r, r->q->qp->sq.any.ctrl | seguei_control_first(0, 0, opcode, units));
}

/* Requests of RC and UC, which have the same bytes. */
SEGUEI_HOT_FUNCTION void send_to_peer(const struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode,
				      uint32_t imm)
{
	const struct request r = begin(started, qp, imm);

	waits(&r, r.qp->verbs.first[opcode]);
}

SEGUEI_HOT_FUNCTION void access_remote(const struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode,
				       uint32_t imm, uint64_t addr, uint32_t rkey)
{
	struct request r = begin(started, qp, imm);

	r.at = seguei_verbs_put_remote(r.at, addr, rkey);
	waits(&r, r.qp->verbs.first[opcode]);
}

FOLLOWS(rdma_write, (struct ibv_qp_ex * qp, uint32_t rkey, uint64_t addr), (qp, rkey, addr))
{
	access_remote(qp, IBV_WR_RDMA_WRITE, 0, addr, rkey);
}

FOLLOWS(rdma_write_imm, (struct ibv_qp_ex * qp, uint32_t rkey, uint64_t addr, __be32 imm),
	(qp, rkey, addr, imm))
{
	access_remote(qp, IBV_WR_RDMA_WRITE_WITH_IMM, be32toh(imm), addr, rkey);
}

FOLLOWS(rdma_read, (struct ibv_qp_ex * qp, uint32_t rkey, uint64_t addr), (qp, rkey, addr))
{
	access_remote(qp, IBV_WR_RDMA_READ, 0, addr, rkey);
}

static void change_remote(struct ibv_qp_ex *qp, uint8_t opcode, uint64_t addr, uint32_t rkey,
			  struct segue_seg_atomic operands)
{
	struct request r = begin(queue_of(qp), qp, 0);

	r.at = seguei_verbs_put_remote(r.at, addr, rkey);
	segue_seg_atomic_pack(r.at, &operands);
	r.at += SEGUE_SEG_ATOMIC_SIZE;
	waits_other(&r, opcode);
}

static void cmp_swp(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, uint64_t compare,
		    uint64_t swap)
{
	const struct segue_seg_atomic operands = {.swap_add = swap, .compare = compare};

	change_remote(qp, SEGUE_OPCODE_ATOMIC_CS, addr, rkey, operands);
}

static void fetch_add(struct ibv_qp_ex *qp, uint32_t rkey, uint64_t addr, uint64_t add)
{
	const struct segue_seg_atomic operands = {.swap_add = add};

	change_remote(qp, SEGUE_OPCODE_ATOMIC_FA, addr, rkey, operands);
}

FOLLOWS(send_connected, (struct ibv_qp_ex * qp), (qp))
{
	send_to_peer(qp, IBV_WR_SEND, 0);
}

FOLLOWS(send_imm_connected, (struct ibv_qp_ex * qp, __be32 imm), (qp, imm))
{
	send_to_peer(qp, IBV_WR_SEND_WITH_IMM, be32toh(imm));
}

static void send_inv(struct ibv_qp_ex *qp, uint32_t rkey)
{
	const struct request r = begin(queue_of(qp), qp, rkey);

	waits_other(&r, SEGUE_OPCODE_SEND_INVAL);
}

/* A setter gives the address, perhaps after the pieces, so its place is left free. */
static void send_datagram(struct ibv_qp_ex *qp, uint8_t opcode, uint32_t imm)
{
	struct request r = begin(queue_of(qp), qp, imm);

	r.at += SEGUE_SEG_AV_UD_SIZE;
	waits_other(&r, opcode);
	r.q->units = (uint32_t)(r.at - r.start) / SEGUEI_UNIT;
	r.q->missing = 2;
}

static void send_ud(struct ibv_qp_ex *qp)
{
	send_datagram(qp, SEGUE_OPCODE_SEND, 0);
}

static void send_imm_ud(struct ibv_qp_ex *qp, __be32 imm)
{
	send_datagram(qp, SEGUE_OPCODE_SEND_IMM, be32toh(imm));
}

static uint32_t key_flags(const struct seguei_layer_qp *q, const struct ibv_qp_ex *qp)
{
	return seguei_verbs_flags_of(q->qp, qp->wr_flags) & ~(uint32_t)SEGUE_SOLICITED;
}

static void bind_mw(struct ibv_qp_ex *qp, struct ibv_mw *mw, uint32_t rkey,
		    const struct ibv_mw_bind_info *info)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const struct seguei_verbs_bind bind = {
		.wr_id = qp->wr_id,
		.flags = key_flags(q, qp),
		.mw = mw,
		.rkey = rkey,
		.info = info,
	};

	committed(q, seguei_verbs_bind(q->qp, &bind));
}

static void local_inv(struct ibv_qp_ex *qp, uint32_t rkey)
{
	struct seguei_layer_qp *q = queue_of(qp);

	committed(q, seguei_verbs_local_inv(q->qp, qp->wr_id, key_flags(q, qp), rkey));
}

/* ---- setters ---- */

/* Continues a request of any length by the steps of builders. */
static struct seguei_build go_on(const struct seguei_layer_qp *q)
{
	struct seguei_build b = seguei_begin(&q->qp->sq.any);
	struct segue_seg_ctrl control;

	(void)seguei_verbs_name(b.start, q->first);
	control = seguei_verbs_control(b.start);
	seguei_request(&b, b.sq->slots[b.slot].wr_id, control.opcode, 0,
		       segue_get_be32(b.start + SEGUEI_CONTROL_FLAGS_AT), control.imm);
	b.at = q->at;
	b.units = q->missing ? q->units : (uint32_t)(b.at - b.start) / SEGUEI_UNIT;
	return b;
}

/*
 * Notes that one more part of the request is present, and commits the request with its last part.
 */
static void set(struct seguei_layer_qp *q, struct seguei_build *b)
{
	q->units = b->units;
	q->at = b->at;
	if (b->bad < 0)
		refuse(q, b->why & SEGUEI_TOO_LONG ? -EMSGSIZE : -EINVAL);
	if (q->missing && --q->missing)
		return;
	if (SEGUEI_LIKELY(b->bad >= 0))
		committed(q, seguei_commit_only(b, q->qp->verbs.machine));
}

/* Refuses a request with a part that does not fit, and skips its other parts. */
static __attribute__((noinline, cold)) void set_wrong(struct seguei_layer_qp *q, int error)
{
	refuse(q, error);
	if (q->missing)
		q->missing--;
}

/*
 * Commits a request with pieces that do not cross the end of the ring. False for any other request.
 */
static bool commit_list(struct seguei_layer_qp *q, size_t count, const struct ibv_sge *sges)
{
	struct segue_sq *const sq = &q->qp->sq.any;
	const uint32_t pi = sq->pi;
	uint32_t bytes, units, next;

	if (q->missing || q->at + count * SEGUE_SEG_DATA_SIZE > sq->end)
		return false;
	bytes = seguei_verbs_put_pieces(q->at, sges, count);
	units = ((uint32_t)(q->at - q->start) + bytes) / SEGUEI_UNIT;
	next = pi + seguei_blocks(units);
	if (bytes == UINT32_MAX || units > sq->max_units || seguei_verbs_room(sq, next, true) < 0)
		return false;
	sq->slots[pi & sq->mask].next = next;
	q->doorbell = seguei_verbs_finish(sq, q->start, q->first + bytes / SEGUEI_UNIT - 1, pi,
					  next);
	return true;
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *sges)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b;

	if (SEGUEI_LIKELY(count <= q->qp->verbs.max_send_sge && commit_list(q, count, sges)))
		return;
	b = go_on(q);
	if (SEGUEI_UNLIKELY(count > q->qp->verbs.max_send_sge)) {
		set_wrong(q, ENOMEM);
		return;
	}
	b = seguei_step_verbs_sge_list(b, sges, (uint32_t)count);
	set(q, &b);
}

static void set_any_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	const struct ibv_sge sge = {addr, length, lkey};

	set_sge_list(qp, 1, &sge);
}

/* Sets the pieces of a request that lacks nothing else and has room for them in its first block. */
FOLLOWS(set_sge, (struct ibv_qp_ex * qp, uint32_t lkey, uint64_t addr, uint32_t length),
	(qp, lkey, addr, length))
{
	const struct ibv_sge sge = {addr, length, lkey};

	if (SEGUEI_UNLIKELY((int32_t)length <= 0)) {
		set_any_sge(qp, lkey, addr, length);
		return;
	}
	seguei_verbs_put_piece(started->at, &sge);
	commit_block(started, SEGUE_SEG_DATA_SIZE / SEGUEI_UNIT);
}

static void set_any_inline_data(struct ibv_qp_ex *qp, void *addr, size_t length)
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

FOLLOWS(set_inline_data, (struct ibv_qp_ex * qp, void *addr, size_t length), (qp, addr, length))
{
	struct seguei_layer_qp *q = started;
	size_t most;

	most = SEGUEI_BLOCK - (size_t)(q->at - q->start) - SEGUE_SEG_INLINE_DATA_SIZE;
	if (SEGUEI_UNLIKELY(length - 1 >= most || length > q->qp->verbs.max_inline)) {
		set_any_inline_data(qp, addr, length);
		return;
	}
	commit_block(q, seguei_verbs_put_inline(q->at, addr, (uint32_t)length));
}

#define MOST_PIECES 64

static void set_inline_data_list(struct ibv_qp_ex *qp, size_t count,
				 const struct ibv_data_buf *bufs)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct seguei_build b = go_on(q);
	struct ibv_sge sges[MOST_PIECES];
	size_t i, n = 0;

	for (i = 0; i < count && n < MOST_PIECES; i++) {
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

void seguei_layer_set_wr(struct seguei_layer_qp *q)
{
	struct ibv_qp_ex *x = ibv_qp_to_qp_ex(q->verbs);
	const bool ud = q->verbs->qp_type == IBV_QPT_UD;

	if (!x)
		return;
	/* libmlx5 changes wr_complete alone, with the state */
	if (!q->theirs.wr_start)
		q->theirs = *x;
	else if (x->wr_complete != complete && x->wr_complete != complete_watched)
		q->theirs.wr_complete = x->wr_complete;
	SEGUEI_LAYER_SET(x, wr_start, start);
	SEGUEI_LAYER_SET(x, wr_complete, q->context->watched ? complete_watched : complete);
	SEGUEI_LAYER_SET(x, wr_abort, abort_all);
	SEGUEI_LAYER_SET(x, wr_rdma_write, rdma_write);
	SEGUEI_LAYER_SET(x, wr_rdma_write_imm, rdma_write_imm);
	SEGUEI_LAYER_SET(x, wr_rdma_read, rdma_read);
	SEGUEI_LAYER_SET(x, wr_atomic_cmp_swp, cmp_swp);
	SEGUEI_LAYER_SET(x, wr_atomic_fetch_add, fetch_add);
	SEGUEI_LAYER_SET(x, wr_send, ud ? send_ud : send_connected);
	SEGUEI_LAYER_SET(x, wr_send_imm, ud ? send_imm_ud : send_imm_connected);
	SEGUEI_LAYER_SET(x, wr_send_inv, send_inv);
	SEGUEI_LAYER_SET(x, wr_bind_mw, bind_mw);
	SEGUEI_LAYER_SET(x, wr_local_inv, local_inv);
	SEGUEI_LAYER_SET(x, wr_set_sge, ud ? set_any_sge : set_sge);
	SEGUEI_LAYER_SET(x, wr_set_sge_list, set_sge_list);
	SEGUEI_LAYER_SET(x, wr_set_inline_data, ud ? set_any_inline_data : set_inline_data);
	SEGUEI_LAYER_SET(x, wr_set_inline_data_list, set_inline_data_list);
	SEGUEI_LAYER_SET(x, wr_set_ud_addr, set_ud_addr);
}

void seguei_layer_restore_wr(const struct seguei_layer_qp *q)
{
	const size_t at = offsetof(struct ibv_qp_ex, wr_atomic_cmp_swp);
	struct ibv_qp_ex *x = ibv_qp_to_qp_ex(q->verbs);

	if (x)
		memcpy((char *)x + at, (const char *)&q->theirs + at, sizeof(*x) - at);
}
