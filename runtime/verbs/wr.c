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
 * started, or drops a chain.
 */
static __attribute__((noinline, cold)) int end_late(struct ibv_qp_ex *qp, bool drops)
{
	struct seguei_layer_qp *q = queue_of(qp);
	struct segue_sq *sq = &q->qp->sq.any;
	/* where nothing is posted, libmlx5 has another function, which says so */
	const int error = sq->postable ? q->error : EINVAL;

	q->sends += !drops;
	if (error || drops)
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
		return end_late(qp, false);
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
	(void)end_late(qp, true);
}

/* Records the result of a request that the hot path has not committed. */
static void committed(struct seguei_layer_qp *q, int ret)
{
	if (SEGUEI_UNLIKELY(ret))
		refuse(q, ret);
	else
		q->doorbell = seguei_verbs_take_doorbell(&q->qp->sq.any);
}

static __attribute__((noinline, cold)) void commit_late(struct seguei_layer_qp *q,
							const uint8_t *end)
{
	q->missing = 0;
	committed(q, seguei_verbs_finish_late(q->qp, q->draft.start, end, q->first));
}

/* Commits a request that lies in one block. @units: units of its data */
SEGUEI_HOT_FUNCTION void commit_block(struct seguei_layer_qp *q, uint32_t units)
{
	const uint64_t first = q->first + seguei_control_first(0, 0, 0, units - 1);
	struct segue_sq *sq = &q->qp->sq.any;
	const uint32_t next = sq->pi + 1;

	if (SEGUEI_UNLIKELY(seguei_verbs_room(sq, next, true) < 0)) {
		commit_late(q, q->draft.at + units * SEGUEI_UNIT);
		return;
	}
	q->doorbell = seguei_verbs_finish(sq, q->draft.start, first, next - 1, next);
}

/* ---- requests ---- */

/* The longest request of any type that has one piece. */
#define FAR_MOST (2 * SEGUEI_BLOCK)
_Static_assert(SEGUEI_CONTROL_SIZE + SEGUE_SEG_AV_UD_SIZE + SEGUE_SEG_RADDR_SIZE +
			       SEGUE_SEG_ATOMIC_SIZE + SEGUE_SEG_DATA_SIZE <=
		       FAR_MOST,
	       "it may be longer");

/*
 * Begins a request of RC and UC, which have the same bytes, or of another type if it is `far`. Then
 * room is left for an address, which a setter gives, perhaps after the pieces. @imm: or the key
 * that the peer invalidates
 */
SEGUEI_HOT_FUNCTION void begin(const struct ibv_qp_ex *qp, enum ibv_wr_opcode opcode, uint32_t imm,
			       uint64_t addr, uint32_t rkey, bool far)
{
	struct seguei_layer_qp *const q = started;
	const struct segue_qp *const own = q->qp; /* compilers read it again after each store */
	const uint32_t pi = own->sq.any.pi, at = pi & own->sq.any.mask;
	uint8_t *start = SEGUEI_ALIGNED(uint8_t, own->sq.any.buf + (size_t)at * SEGUEI_BLOCK,
					SEGUEI_UNIT);
	uint8_t *next;

	if (far) {
		q->missing = 1;
		if (SEGUEI_UNLIKELY(start + FAR_MOST > own->sq.any.end)) {
			start = own->sq.any.spare->wqe;
			q->missing = 1 + SEGUEI_LAYER_ELSEWHERE;
		}
	}
	next = start + SEGUEI_CONTROL_SIZE + (far ? own->verbs.address : 0);
	own->sq.any.slots[at].wr_id = qp->wr_id;
	if (!far) /* otherwise the end is not known */
		own->sq.any.slots[at].next = pi + 1;
	if (opcode == IBV_WR_SEND_WITH_IMM || opcode == IBV_WR_SEND_WITH_INV ||
	    opcode == IBV_WR_RDMA_WRITE_WITH_IMM)
		seguei_verbs_put_imm(own, start, qp->wr_flags, imm);
	else
		seguei_verbs_put_flags(own, start, qp->wr_flags & SEGUEI_VERBS_FLAGS);
	if (seguei_verbs_has_remote(opcode))
		next = seguei_verbs_put_remote(next, addr, rkey);
	q->draft.start = start;
	q->draft.at = next;
	q->first = own->verbs.first[opcode];
}

/* Frames. Their parts are written outside of the ring. */
static void begin_frame(struct seguei_layer_qp *q, const struct ibv_send_wr *wr)
{
	struct segue_sq *const sq = &q->qp->sq.any;
	int ret;

	q->draft.start = sq->spare->wqe;
	q->draft.at = sq->spare->wqe + SEGUEI_CONTROL_SIZE;
	q->missing = SEGUEI_LAYER_ELSEWHERE;
	q->first = q->qp->verbs.first[wr->opcode];
	seguei_verbs_note_slot(&sq->slots[sq->pi & sq->mask], wr->wr_id, sq->pi + 1);
	seguei_verbs_put_flags(q->qp, q->draft.start, wr->send_flags & SEGUEI_VERBS_FLAGS);
	ret = seguei_verbs_put_eth(q->qp, wr, &q->draft);
	if (ret)
		refuse(q, ret);
}

/* Adds an atomic's operands. */
SEGUEI_HOT_FUNCTION void put_operands(uint64_t swap_add, uint64_t compare)
{
	const struct segue_seg_atomic operands = {.swap_add = swap_add, .compare = compare};
	struct seguei_layer_qp *const q = started;

	segue_seg_atomic_pack(q->draft.at, &operands);
	q->draft.at += SEGUE_SEG_ATOMIC_SIZE;
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
		begin(qp, opcode, imm, addr, rkey, false);                  \
		then;                                                       \
	}                                                                   \
	FOLLOWS(name##_far, parameters, arguments)                          \
	{                                                                   \
		begin(qp, opcode, imm, addr, rkey, true);                   \
		then;                                                       \
	}

#define PARAMETERS(...) (struct ibv_qp_ex * qp, __VA_ARGS__)

REQUEST(send, IBV_WR_SEND, (struct ibv_qp_ex * qp), (qp), 0, 0, 0, (void)0)
REQUEST(send_imm, IBV_WR_SEND_WITH_IMM, PARAMETERS(__be32 data), (qp, data), be32toh(data), 0, 0,
	(void)0)
REQUEST(send_inv, IBV_WR_SEND_WITH_INV, PARAMETERS(uint32_t key), (qp, key), key, 0, 0, (void)0)
REQUEST(rdma_write, IBV_WR_RDMA_WRITE, PARAMETERS(uint32_t rkey, uint64_t addr), (qp, rkey, addr),
	0, addr, rkey, (void)0)
REQUEST(rdma_write_imm, IBV_WR_RDMA_WRITE_WITH_IMM,
	PARAMETERS(uint32_t rkey, uint64_t addr, __be32 data), (qp, rkey, addr, data),
	be32toh(data), addr, rkey, (void)0)
REQUEST(rdma_read, IBV_WR_RDMA_READ, PARAMETERS(uint32_t rkey, uint64_t addr), (qp, rkey, addr), 0,
	addr, rkey, (void)0)
REQUEST(cmp_swp, IBV_WR_ATOMIC_CMP_AND_SWP,
	PARAMETERS(uint32_t rkey, uint64_t addr, uint64_t compare, uint64_t swap),
	(qp, rkey, addr, compare, swap), 0, addr, rkey, put_operands(swap, compare))
REQUEST(fetch_add, IBV_WR_ATOMIC_FETCH_AND_ADD,
	PARAMETERS(uint32_t rkey, uint64_t addr, uint64_t add), (qp, rkey, addr, add), 0, addr,
	rkey, put_operands(add, 0))
PASSES(send_frame, (struct ibv_qp_ex * qp), begin_frame, .opcode = IBV_WR_SEND)
PASSES(send_tso, PARAMETERS(void *hdr, uint16_t size, uint16_t mss), begin_frame,
       .opcode = IBV_WR_TSO, .tso = {hdr, size, mss})
PASSES(bind_mw, PARAMETERS(struct ibv_mw *mw, uint32_t rkey, const struct ibv_mw_bind_info *info),
       change_key, .opcode = IBV_WR_BIND_MW, .bind_mw = {mw, rkey, *info})
PASSES(local_inv, PARAMETERS(uint32_t rkey), change_key, .opcode = IBV_WR_LOCAL_INV,
       .invalidate_rkey = rkey)

/* ---- setters ---- */

/*
 * Ends a part of a request at `end`, and commits the request with its last part. Those of other
 * types have an address, too.
 */
SEGUEI_HOT_FUNCTION void set_part(struct seguei_layer_qp *q, uint8_t *end)
{
	uint64_t doorbell = 0;

	q->draft.at = end;
	if (q->missing & 1) {
		q->missing--;
		return;
	}
	if (SEGUEI_LIKELY(!q->missing))
		doorbell = seguei_verbs_finish_at(&q->qp->sq.any, NULL, q->draft.start, end,
						  q->first, true);
	if (SEGUEI_LIKELY(doorbell))
		q->doorbell = doorbell;
	else
		commit_late(q, end);
}

/* End of the memory in which the request lies. */
SEGUEI_HOT_FUNCTION const uint8_t *end_of(const struct seguei_layer_qp *q)
{
	const struct segue_sq *sq = &q->qp->sq.any;

	return SEGUEI_UNLIKELY(q->missing & SEGUEI_LAYER_ELSEWHERE)
		       ? sq->spare->wqe + SEGUEI_VERBS_MOST
		       : sq->end;
}

/* Sets any pieces, after the request has moved to where it does not cross the end of the ring. */
static __attribute__((noinline)) void set_late(struct seguei_layer_qp *q,
					       const struct ibv_sge *sges, size_t count,
					       bool inlined)
{
	uint8_t *const elsewhere = q->qp->sq.any.spare->wqe;
	const size_t before = (size_t)(q->draft.at - q->draft.start);
	int ret;

	memmove(elsewhere, q->draft.start, before);
	q->draft.start = elsewhere;
	q->draft.at = elsewhere + before;
	ret = seguei_verbs_put_any(q->qp, &q->draft, sges, count, inlined);
	if (ret) {
		refuse(q, ret);
		return;
	}
	q->missing |= SEGUEI_LAYER_ELSEWHERE;
	set_part(q, q->draft.at);
}

/* The pieces of a frame begin in its Ethernet segment. */
SEGUEI_HOT_FUNCTION void set_pieces(struct seguei_layer_qp *q, size_t count,
				    const struct ibv_sge *sges, bool inlined)
{
	const uint32_t most = inlined ? SEGUEI_VERBS_PIECES : q->qp->verbs.max_send_sge;
	uint8_t *end = NULL;

	if (SEGUEI_LIKELY(count <= most && !q->draft.headers))
		end = seguei_verbs_put_pieces(q->qp, q->draft.at, end_of(q), sges, count, inlined);
	if (SEGUEI_LIKELY(end))
		set_part(q, end);
	else
		set_late(q, sges, count, inlined);
}

static void set_sge_list(struct ibv_qp_ex *qp, size_t count, const struct ibv_sge *sges)
{
	set_pieces(queue_of(qp), count, sges, false);
}

static void set_any_sge(struct ibv_qp_ex *qp, uint32_t lkey, uint64_t addr, uint32_t length)
{
	const struct ibv_sge sge = {addr, length, lkey};

	set_pieces(queue_of(qp), 1, &sge, false);
}

/* The same where an address comes, too. */
FOLLOWS(set_sge_far, (struct ibv_qp_ex * qp, uint32_t lkey, uint64_t addr, uint32_t length),
	(qp, lkey, addr, length))
{
	const struct ibv_sge sge = {addr, length, lkey};

	if (SEGUEI_UNLIKELY((int32_t)length <= 0)) {
		set_any_sge(qp, lkey, addr, length);
		return;
	}
	seguei_verbs_put_piece(started->draft.at, &sge);
	set_part(started, started->draft.at + SEGUE_SEG_DATA_SIZE);
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
	seguei_verbs_put_piece(started->draft.at, &sge);
	commit_block(started, SEGUE_SEG_DATA_UNITS);
}

/* Whether inline data of that length may be written in its place. */
SEGUEI_HOT_FUNCTION bool takes_inline(const struct seguei_layer_qp *q, size_t length)
{
	return length - 1 < q->qp->verbs.max_inline && !(q->missing & SEGUEI_LAYER_ELSEWHERE) &&
	       q->draft.at + SEGUEI_UNIT + length + SEGUE_SEG_INLINE_DATA_SIZE <= q->qp->sq.any.end;
}

/* Sets inline data that has another place, or does not fit. */
static __attribute__((noinline)) void set_inline_late(struct seguei_layer_qp *q, void *addr,
						      size_t length)
{
	/* longer data is too long, too */
	const uint32_t bytes = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
	const struct ibv_sge sge = {(uintptr_t)addr, bytes, 0};

	set_pieces(q, 1, &sge, true);
}

/* Sets inline data of any length. */
static __attribute__((noinline)) void set_any_inline(struct ibv_qp_ex *qp, void *addr,
						     size_t length)
{
	struct seguei_layer_qp *q = queue_of(qp);
	uint8_t *const at = q->draft.at, *end;

	if (SEGUEI_UNLIKELY(!takes_inline(q, length))) {
		set_inline_late(q, addr, length);
		return;
	}
	end = at + seguei_verbs_put_inline_head(at, (uint32_t)length);
	memcpy(at + SEGUE_SEG_INLINE_DATA_TAIL, addr, length);
	set_part(q, end);
}

FOLLOWS(set_inline_data, (struct ibv_qp_ex * qp, void *addr, size_t length), (qp, addr, length))
{
	struct seguei_layer_qp *q = started;
	size_t most;

	most = SEGUEI_BLOCK - (size_t)(q->draft.at - q->draft.start) - SEGUE_SEG_INLINE_DATA_SIZE;
	if (SEGUEI_UNLIKELY(length - 1 >= most || length > q->qp->verbs.max_inline)) {
		set_any_inline(qp, addr, length);
		return;
	}
	commit_block(q, seguei_verbs_put_inline(q->draft.at, addr, (uint32_t)length));
}

FOLLOWS(set_inline_far, (struct ibv_qp_ex * qp, void *addr, size_t length), (qp, addr, length))
{
	struct seguei_layer_qp *q = started;
	uint8_t *at = q->draft.at;

	if (SEGUEI_UNLIKELY(length > SEGUEI_BLOCK - SEGUE_SEG_INLINE_DATA_SIZE ||
			    !takes_inline(q, length))) {
		set_any_inline(qp, addr, length);
		return;
	}
	set_part(q, at + (size_t)SEGUEI_UNIT * seguei_verbs_put_inline(at, addr, (uint32_t)length));
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
	if (q->qp->type == SEGUE_QP_RAW_PACKET &&
	    length > q->qp->verbs.headers + q->qp->verbs.max_inline)
		refuse(q, EINVAL);
	set_pieces(q, i < count ? SIZE_MAX : n, sges, true);
}

FOLLOWS(set_ud_addr, (struct ibv_qp_ex * qp, struct ibv_ah *ah, uint32_t qpn, uint32_t qkey),
	(qp, ah, qpn, qkey))
{
	struct seguei_layer_qp *q = queue_of(qp);

	seguei_verbs_put_ud(q->qp, q->draft.start + SEGUEI_CONTROL_SIZE, ah, qpn, qkey);
	set_part(q, q->draft.at);
}

FOLLOWS(set_xrc_srqn, (struct ibv_qp_ex * qp, uint32_t srqn), (qp, srqn))
{
	struct seguei_layer_qp *q = queue_of(qp);
	const struct segue_seg_xrc xrc = {srqn};

	segue_seg_xrc_pack(q->draft.start + SEGUEI_CONTROL_SIZE, &xrc);
	set_part(q, q->draft.at);
}

/* Distance of a DCI's two structs, in each of libmlx5's queue pairs. Threads write the same. */
static ptrdiff_t dc_distance;

SEGUEI_HOT_FUNCTION struct ibv_qp_ex *dc_base(struct mlx5dv_qp_ex *dc)
{
	return (void *)((char *)dc - __atomic_load_n(&dc_distance, __ATOMIC_RELAXED));
}

FOLLOWS(set_dct, (struct ibv_qp_ex * qp, struct ibv_ah *ah, uint32_t dctn, uint64_t key),
	(qp, ah, dctn, key))
{
	struct seguei_layer_qp *q = queue_of(qp);
	uint8_t *const at = q->draft.start + SEGUEI_CONTROL_SIZE;

	seguei_verbs_put_ud(q->qp, at, ah, 0, 0); /* sets what all long addresses have */
	seguei_seg_av_dc_complete(at, dctn & SEGUE_SEG_AV_DC_DQP_DCT_MAX, key);
	set_part(q, q->draft.at);
}

static void set_dc_addr(struct mlx5dv_qp_ex *dc, struct ibv_ah *ah, uint32_t dctn, uint64_t key)
{
	set_dct(dc_base(dc), ah, dctn, key);
}

static void set_dc_addr_stream(struct mlx5dv_qp_ex *dc, struct ibv_ah *ah, uint32_t dctn,
			       uint64_t key, uint16_t stream)
{
	struct seguei_layer_qp *q = queue_of(dc_base(dc));
	uint8_t *const flags = q->draft.start + SEGUEI_CONTROL_FLAGS_AT;
	struct seguei_build b = seguei_begin(&q->qp->sq.any);

	b.flags = segue_get_be32(flags);
	segue_put_be32(flags, seguei_dci_stream(b, stream).flags);
	set_dct(dc_base(dc), ah, dctn, key);
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
	const bool is_frame = q->qp->type == SEGUE_QP_RAW_PACKET;
	const bool is_near = !q->qp->verbs.address && !is_frame;

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
	SET(send, send, is_frame ? send_frame : send_far);
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
	SET(set_sge, set_sge, is_frame ? set_any_sge : set_sge_far);
	SET_ONE(set_sge_list);
	SET(set_inline_data, set_inline_data, set_inline_far);
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
