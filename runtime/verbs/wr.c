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
#include <stddef.h>
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
	if (SEGUEI_UNLIKELY(ret))
		refuse(q, ret);
	else
		q->doorbell = seguei_verbs_take_doorbell(&q->qp->sq.any);
}

static __attribute__((noinline, cold)) void commit_unusual(struct seguei_layer_qp *q,
							   uint64_t first)
{
	q->doorbell = seguei_verbs_finish_late(q->qp, first);
	if (!q->doorbell)
		refuse(q, -ENOSPC);
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

/*
 * Begins a request of RC and UC, which have the same bytes, or of another type if it is `far`. Then
 * room is left for an address, which a setter gives, perhaps after the pieces, and the request may
 * lie across the end of the ring. Sends have no remote memory.
 */
SEGUEI_HOT_FUNCTION void begin(const struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode, __be32 imm,
			       uint64_t addr, uint32_t rkey, bool far)
{
	const uint32_t before = SEGUEI_CONTROL_SIZE / SEGUEI_UNIT +
				(opcode & SEGUEI_VERBS_IS_SEND ? 0 : SEGUE_SEG_RADDR_UNITS);
	struct seguei_layer_qp *const q = started;
	const struct segue_qp *const own = q->qp; /* compilers read it again after each store */
	const uint32_t pi = own->sq.any.pi, at = pi & own->sq.any.mask;
	uint8_t *const start = SEGUEI_ALIGNED(uint8_t, own->sq.any.buf + (size_t)at * SEGUEI_BLOCK,
					      SEGUEI_UNIT);
	uint8_t *next = start + SEGUEI_CONTROL_SIZE + (far ? q->qp->verbs.address : 0);

	if (far && SEGUEI_UNLIKELY(next == own->sq.any.end))
		next = own->sq.any.buf;
	seguei_verbs_note_slot(&own->sq.any.slots[at], qp->wr_id, pi + 1);
	if (opcode & SEGUEI_VERBS_HAS_IMM)
		seguei_verbs_put_imm(own, start, qp->wr_flags, be32toh(imm));
	else
		seguei_verbs_put_flags(own, start, qp->wr_flags & SEGUEI_VERBS_FLAGS);
	if (!(opcode & SEGUEI_VERBS_IS_SEND))
		next = seguei_verbs_put_remote(next, addr, rkey);
	q->start = start;
	q->at = next;
	q->first = own->verbs.first[opcode];
	if (!far)
		return;
	q->first -= seguei_control_first(0, 0, 0, before + 1);
	q->units = before + q->qp->verbs.address / SEGUEI_UNIT;
	q->missing = 2;
}

/* Frames, by builders. */
static void begin_frame(struct seguei_layer_qp *q, const struct ibv_send_wr *wr)
{
	struct seguei_build b;
	const int ret = seguei_verbs_begin(q->qp, wr, &b);

	seguei_verbs_note_slot(&b.sq->slots[b.slot], wr->wr_id, b.pi + 1);
	seguei_control_put_second(b.start, b.flags, b.imm);
	q->start = b.start;
	q->at = b.at;
	q->units = b.units;
	q->missing = b.opcode == SEGUE_OPCODE_TSO || q->qp->verbs.headers;
	q->first = b.sq->ctrl | seguei_control_first(0, 0, b.opcode, q->missing ? 0 : b.units + 1);
	if (ret || b.bad < 0)
		refuse(q, ret ? ret : -EMSGSIZE);
}

/* Gives the request that begin() has begun another opcode. @units: with one piece, of RC */
SEGUEI_HOT_FUNCTION void become(uint8_t opcode, uint32_t units, bool far)
{
	struct seguei_layer_qp *const q = started;

	q->first = q->qp->sq.any.ctrl | seguei_control_first(0, 0, opcode, far ? 0 : units);
}

/* The same, and adds an atomic's operands. */
SEGUEI_HOT_FUNCTION void become_atomic(uint8_t opcode, uint64_t swap_add, uint64_t compare,
				       bool far)
{
	const struct segue_seg_atomic operands = {.swap_add = swap_add, .compare = compare};
	struct seguei_layer_qp *const q = started;

	segue_seg_atomic_pack(q->at, &operands);
	q->at += SEGUE_SEG_ATOMIC_SIZE;
	if (far)
		q->units += SEGUE_SEG_ATOMIC_UNITS;
	become(opcode,
	       (SEGUEI_CONTROL_SIZE + SEGUE_SEG_RADDR_SIZE + SEGUE_SEG_ATOMIC_SIZE +
		SEGUE_SEG_DATA_SIZE) /
		       SEGUEI_UNIT,
	       far);
}

static void change_key(struct seguei_layer_qp *q, const struct ibv_send_wr *wr)
{
	committed(q, seguei_verbs_key(q->qp, wr));
}

/* Defines a function that passes on what it was given as an ibv_send_wr. */
#define PASSES(name, parameters, to, ...)                                             \
	static void name parameters                                                   \
	{                                                                             \
		const struct ibv_send_wr wr = {                                       \
			.wr_id = qp->wr_id, .send_flags = qp->wr_flags, __VA_ARGS__}; \
                                                                                      \
		to(queue_of(qp), &wr);                                                \
	}

/* A request in its two forms. */
#define REQUEST(name, opcode, parameters, arguments, imm, addr, rkey, then) \
	FOLLOWS(name, parameters, arguments)                                \
	{                                                                   \
		const bool far = false;                                     \
                                                                            \
		begin(qp, opcode, imm, addr, rkey, far);                    \
		then;                                                       \
	}                                                                   \
	FOLLOWS(name##_far, parameters, arguments)                          \
	{                                                                   \
		const bool far = true;                                      \
                                                                            \
		begin(qp, opcode, imm, addr, rkey, far);                    \
		then;                                                       \
	}

#define PARAMETERS(...) (struct ibv_qp_ex * qp, __VA_ARGS__)

REQUEST(send, IBV_WR_SEND, (struct ibv_qp_ex * qp), (qp), 0, 0, 0, (void)far)
REQUEST(send_imm, IBV_WR_SEND_WITH_IMM, PARAMETERS(__be32 data), (qp, data), data, 0, 0, (void)far)
REQUEST(send_inv, IBV_WR_SEND_WITH_IMM, PARAMETERS(uint32_t key), (qp, key), htobe32(key), 0, 0,
	become(SEGUE_OPCODE_SEND_INVAL, SEGUE_SEG_CTRL_UNITS + SEGUE_SEG_DATA_UNITS, far))
REQUEST(rdma_write, IBV_WR_RDMA_WRITE, PARAMETERS(uint32_t rkey, uint64_t addr), (qp, rkey, addr),
	0, addr, rkey, (void)far)
REQUEST(rdma_write_imm, IBV_WR_RDMA_WRITE_WITH_IMM,
	PARAMETERS(uint32_t rkey, uint64_t addr, __be32 data), (qp, rkey, addr, data), data, addr,
	rkey, (void)far)
REQUEST(rdma_read, IBV_WR_RDMA_READ, PARAMETERS(uint32_t rkey, uint64_t addr), (qp, rkey, addr), 0,
	addr, rkey, (void)far)
REQUEST(cmp_swp, IBV_WR_RDMA_READ,
	PARAMETERS(uint32_t rkey, uint64_t addr, uint64_t compare, uint64_t swap),
	(qp, rkey, addr, compare, swap), 0, addr, rkey,
	become_atomic(SEGUE_OPCODE_ATOMIC_CS, swap, compare, far))
REQUEST(fetch_add, IBV_WR_RDMA_READ, PARAMETERS(uint32_t rkey, uint64_t addr, uint64_t add),
	(qp, rkey, addr, add), 0, addr, rkey, become_atomic(SEGUE_OPCODE_ATOMIC_FA, add, 0, far))
PASSES(send_frame, (struct ibv_qp_ex * qp), begin_frame, .opcode = IBV_WR_SEND)
PASSES(send_tso, PARAMETERS(void *hdr, uint16_t size, uint16_t mss), begin_frame,
       .opcode = IBV_WR_TSO, .tso = {hdr, size, mss})
PASSES(bind_mw, PARAMETERS(struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *info),
       change_key, .opcode = IBV_WR_BIND_MW, .bind_mw = {mw, rkey, *info})
PASSES(local_inv, PARAMETERS(uint32_t rkey), change_key, .opcode = IBV_WR_LOCAL_INV,
       .invalidate_rkey = rkey)

/* ---- setters ---- */

/* Place of the pieces, which begin at the start of the ring if nothing is left before its end. */
SEGUEI_HOT_FUNCTION uint8_t *place_of(const struct seguei_layer_qp *q)
{
	return q->at == q->qp->sq.any.end ? q->qp->sq.any.buf : q->at;
}

/* Continues a request of any length by the steps of builders. */
static struct seguei_build go_on(const struct seguei_layer_qp *q)
{
	struct seguei_build b = seguei_begin(&q->qp->sq.any);
	struct segue_seg_ctrl control;

	(void)seguei_verbs_name(b.start, q->first);
	control = seguei_verbs_control(b.start);
	seguei_request(&b, b.sq->slots[b.slot].wr_id, control.opcode, 0,
		       segue_get_be32(b.start + SEGUEI_CONTROL_FLAGS_AT), control.imm);
	b.at = place_of(q);
	b.units = q->missing ? q->units : (uint32_t)(b.at - b.start) / SEGUEI_UNIT;
	return b;
}

/*
 * Notes that one more part of the request is present, and commits the request with its last part.
 * @ret: error of a part that does not fit. The request's other parts are then skipped
 */
static void set(struct seguei_layer_qp *q, struct seguei_build *b, int ret)
{
	q->units = b->units;
	q->at = b->at;
	if (!ret && b->bad < 0)
		ret = b->why & SEGUEI_TOO_LONG ? -EMSGSIZE : -EINVAL;
	if (ret)
		refuse(q, ret);
	if (q->missing && --q->missing)
		return;
	if (SEGUEI_LIKELY(!ret))
		committed(q, seguei_commit_only(b, q->qp->verbs.machine));
}

static void set_pieces(struct seguei_layer_qp *q, size_t count, const struct ibv_sge *sges,
		       bool inlined)
{
	struct seguei_build b = go_on(q);
	const int ret = seguei_verbs_pieces(q->qp, &b, sges, count, inlined);

	set(q, &b, ret);
}

/* Commits a request of q->units that has no room yet, or is too long. */
static __attribute__((noinline, cold)) void commit_late(struct seguei_layer_qp *q)
{
	struct seguei_build b = go_on(q);

	b.units = q->units;
	if (b.units > b.sq->max_units)
		refuse(q, -EMSGSIZE);
	else
		committed(q, seguei_commit_only(&b, q->qp->verbs.machine));
}

/*
 * Notes that a request with an address has one more part, which is written in place. Commits the
 * request with its last part.
 */
SEGUEI_HOT_FUNCTION void set_part(struct seguei_layer_qp *q, uint32_t units)
{
	struct segue_sq *const sq = &q->qp->sq.any;
	const uint32_t all = q->units += units;
	const uint32_t pi = sq->pi, next = pi + seguei_blocks(all);

	if (--q->missing)
		return;
	if (SEGUEI_UNLIKELY(all > sq->max_units || seguei_verbs_room(sq, next, true) < 0)) {
		commit_late(q);
		return;
	}
	sq->slots[pi & sq->mask].next = next;
	q->doorbell = seguei_verbs_finish(sq, q->start,
					  q->first | seguei_control_first(0, 0, 0, all), pi, next);
}

/*
 * Ends the pieces, which lie from `at` to `end`, of any request. False if there is no end, or no
 * room.
 */
SEGUEI_HOT_FUNCTION bool set_data(struct seguei_layer_qp *q, const uint8_t *at, uint8_t *end)
{
	uint64_t doorbell;

	if (SEGUEI_UNLIKELY(!end))
		return false;
	if (q->missing) {
		q->at = end;
		set_part(q, (uint32_t)(end - at) / SEGUEI_UNIT);
		return true;
	}
	doorbell = seguei_verbs_finish_at(q->qp, end,
					  q->first - (uint32_t)(at - q->start) / SEGUEI_UNIT - 1);
	if (SEGUEI_UNLIKELY(!doorbell))
		return false;
	q->doorbell = doorbell;
	return true;
}

/* A frame begins in its Ethernet segment. */
static bool is_frame(const struct seguei_layer_qp *q)
{
	return q->qp->type == SEGUE_QP_RAW_PACKET;
}

static void set_list_far(struct seguei_layer_qp *q, size_t count, const struct ibv_sge *sges)
{
	uint8_t *const at = place_of(q);

	if (is_frame(q) || count > q->qp->verbs.max_send_sge ||
	    !set_data(q, at, seguei_verbs_put_list(&q->qp->sq.any, at, sges, count)))
		set_pieces(q, count, sges, false);
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *sges)
{
	struct seguei_layer_qp *q = queue_of(qp);

	if (SEGUEI_UNLIKELY(q->missing))
		set_list_far(q, count, sges);
	else if (SEGUEI_UNLIKELY(
			 count > q->qp->verbs.max_send_sge ||
			 !set_data(q, q->at,
				   seguei_verbs_put_list(&q->qp->sq.any, q->at, sges, count))))
		set_pieces(q, count, sges, false);
}

static void set_any_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	const struct ibv_sge sge = {addr, length, lkey};

	set_sge_list(qp, 1, &sge);
}

static void set_sge_far(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const struct ibv_sge sge = {addr, length, lkey};

	if (SEGUEI_UNLIKELY((int32_t)length <= 0 || is_frame(q))) {
		set_sge_list(qp, 1, &sge);
		return;
	}
	seguei_verbs_put_piece(place_of(q), &sge);
	set_part(q, SEGUE_SEG_DATA_UNITS);
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
	/* longer data is too long, too */
	const uint32_t bytes = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
	const struct ibv_sge sge = {(uintptr_t)addr, bytes, 0};
	struct seguei_layer_qp *q = queue_of(qp);
	uint8_t *const at = place_of(q);

	if (SEGUEI_UNLIKELY(
		    is_frame(q) || length > q->qp->verbs.max_inline ||
		    !set_data(q, at, seguei_verbs_put_inline_list(&q->qp->sq.any, at, &sge, 1))))
		set_pieces(q, 1, &sge, true);
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

/* For raw packets that are too long, libmlx5 has EINVAL here. */
static void set_inline_data_list(struct ibv_qp_ex *qp, size_t count,
				 const struct ibv_data_buf *bufs)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct ibv_sge sges[SEGUEI_VERBS_PIECES];
	size_t i, n = 0, length = 0;

	for (i = 0; i < count && n < SEGUEI_VERBS_PIECES && bufs[i].length <= UINT32_MAX; i++) {
		sges[n].addr = (uintptr_t)bufs[i].addr;
		sges[n].length = (uint32_t)bufs[i].length;
		length += bufs[i].length;
		n += sges[n].length != 0;
	}
	if (is_frame(q) && length > q->qp->verbs.headers + q->qp->verbs.max_inline)
		refuse(q, EINVAL);
	set_pieces(q, i < count ? SIZE_MAX : n, sges, true);
}

static void set_ud_addr(struct ibv_qp_ex *qp, struct ibv_ah *to, uint32_t qpn, uint32_t qkey)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct segue_address_vector ah;
	const int ret = seguei_verbs_ah(to, &ah);

	if (SEGUEI_UNLIKELY(ret))
		refuse(q, ret);
	else
		segue_seg_av_ud_pack_prepared(q->start + SEGUEI_CONTROL_SIZE, &ah,
					      qpn & SEGUE_SEG_AV_UD_DQP_DCT_MAX, qkey);
	set_part(q, 0);
}

static void set_xrc_srqn(struct ibv_qp_ex *qp, uint32_t srqn)
{
	struct seguei_layer_qp *q = queue_of(qp);
	const struct segue_seg_xrc xrc = {srqn};

	segue_seg_xrc_pack(q->start + SEGUEI_CONTROL_SIZE, &xrc);
	set_part(q, 0);
}

/* Distance of a DCI's two structs, in each of libmlx5's queue pairs. Threads write the same. */
static ptrdiff_t dc_distance;

static void set_dc_addr_stream(struct mlx5dv_qp_ex *dc, struct ibv_ah *to, uint32_t dctn,
			       uint64_t key, uint16_t stream)
{
	const ptrdiff_t distance = __atomic_load_n(&dc_distance, __ATOMIC_RELAXED);
	struct seguei_layer_qp *q = queue_of((void *)((char *)dc - distance));
	struct segue_address_vector theirs, ah;
	struct seguei_build b;
	const int ret = seguei_verbs_ah(to, &theirs);

	if (SEGUEI_UNLIKELY(ret)) {
		refuse(q, ret);
	} else {
		/* marks the vector as a whole one */
		segue_seg_av_ud_pack_prepared(ah.bytes, &theirs, 0, 0);
		segue_seg_av_dc_pack_prepared(q->start + SEGUEI_CONTROL_SIZE, &ah,
					      dctn & SEGUE_SEG_AV_DC_DQP_DCT_MAX, key);
	}
	if (SEGUEI_UNLIKELY(stream)) {
		b = seguei_dci_stream(go_on(q), stream);
		seguei_control_put_second(b.start, b.flags, b.imm);
	}
	set_part(q, 0);
}

static void set_dc_addr(struct mlx5dv_qp_ex *dc, struct ibv_ah *to, uint32_t dctn, uint64_t key)
{
	set_dc_addr_stream(dc, to, dctn, key, 0);
}

/* ---- the functions of a queue pair ---- */

static void set_dc(struct seguei_layer_qp *q, struct ibv_qp_ex *x)
{
	q->dc = mlx5dv_qp_ex_from_ibv_qp_ex(x);
	__atomic_store_n(&dc_distance, (char *)q->dc - (char *)x, __ATOMIC_RELAXED);
	if (!q->their_dc.wr_set_dc_addr)
		q->their_dc = *q->dc;
	q->dc->wr_set_dc_addr = set_dc_addr;
	q->dc->wr_set_dc_addr_stream = set_dc_addr_stream;
}

/* Functions of RC and UC, and those of other queue pairs. */
#define SET(name, near, far) SEGUEI_LAYER_SET(x, wr_##name, is_near ? (near) : (far))
#define SET_REQUEST(name)    SET(name, name, name##_far)
#define SET_ONE(name)	     SET(name, name, name)

void seguei_layer_set_wr(struct seguei_layer_qp *q)
{
	struct ibv_qp_ex *x = ibv_qp_to_qp_ex(q->verbs);
	const bool is_near = !q->qp->verbs.address && !is_frame(q);

	if (!x)
		return;
	/* libmlx5 changes wr_complete alone, with the state */
	if (!q->theirs.wr_start)
		q->theirs = *x;
	else if (x->wr_complete != complete && x->wr_complete != complete_watched)
		q->theirs.wr_complete = x->wr_complete;
	SEGUEI_LAYER_SET(x, wr_complete, q->context->watched ? complete_watched : complete);
	SEGUEI_LAYER_SET(x, wr_abort, abort_all);
	SET_ONE(start);
	SET(send, send, is_frame(q) ? send_frame : send_far);
	SET_REQUEST(send_imm);
	SET_REQUEST(rdma_write);
	SET_REQUEST(rdma_write_imm);
	SET_REQUEST(rdma_read);
	SET_REQUEST(send_inv);
	SET_ONE(send_tso);
	SET(atomic_cmp_swp, cmp_swp, cmp_swp_far);
	SET(atomic_fetch_add, fetch_add, fetch_add_far);
	SET_ONE(bind_mw);
	SET_ONE(local_inv);
	SET(set_sge, set_sge, set_sge_far);
	SET_ONE(set_sge_list);
	SET(set_inline_data, set_inline_data, set_any_inline_data);
	SET_ONE(set_inline_data_list);
	SET_ONE(set_ud_addr);
	SET_ONE(set_xrc_srqn);
	if (q->qp->type == SEGUE_QP_DCI)
		set_dc(q, x);
}

void seguei_layer_restore_wr(const struct seguei_layer_qp *q)
{
	const size_t at = offsetof(struct ibv_qp_ex, wr_atomic_cmp_swp);
	struct ibv_qp_ex *x = ibv_qp_to_qp_ex(q->verbs);

	if (x)
		memcpy((char *)x + at, (const char *)&q->theirs + at, sizeof(*x) - at);
	if (q->dc)
		*q->dc = q->their_dc;
}
