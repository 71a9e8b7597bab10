/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The fast path of ibv_post_send(): on RC and UC, one piece of memory, or inline data that fits the
 * first block. Such a request takes one block of the ring, so its place needs no test. send.c posts
 * all other requests.
 *
 * Source: rdma-core providers/mlx5/qp.c (_mlx5_post_send()).
 */
#ifndef SEGUE_RUNTIME_VERBS_SEND_H
#define SEGUE_RUNTIME_VERBS_SEND_H

#include <errno.h>

#include "runtime/object/qp/qp.h"
#include "segue/gen/builders.h"
#include "segue/verbs.h"

/* Marks a fast path that copies inline data through arrays which need no stack protector. */
#define SEGUEI_VERBS_COPIES __attribute__((noinline, no_stack_protector))

#define SEGUEI_VERBS_FLAGS ((size_t)(IBV_SEND_FENCE | IBV_SEND_SIGNALED | IBV_SEND_SOLICITED))

/* Image of a request's flags, on a queue pair that seguei_verbs_describe() has seen. */
SEGUEI_HOT_FUNCTION uint32_t seguei_verbs_flags_of(const struct segue_qp *qp, size_t flags)
{
	uint32_t image;

	memcpy(&image, &qp->verbs.seconds[flags & SEGUEI_VERBS_FLAGS], sizeof(image));
	return segue_be32(image);
}

/*
 * Fills the members of the queue pair that the fast path reads. Without this call it takes no
 * request.
 */
void seguei_verbs_describe(struct segue_qp *qp);

/* Bits of the opcodes of the fast path. */
#define SEGUEI_VERBS_HAS_IMM ((unsigned int)IBV_WR_RDMA_WRITE_WITH_IMM)
#define SEGUEI_VERBS_IS_SEND ((unsigned int)IBV_WR_SEND)
_Static_assert(IBV_WR_RDMA_WRITE == 0 && IBV_WR_RDMA_WRITE_WITH_IMM == 1 && IBV_WR_SEND == 2 &&
		       IBV_WR_SEND_WITH_IMM == 3 && IBV_WR_RDMA_READ == 4,
	       "opcodes by bits");

SEGUEI_HOT_FUNCTION bool seguei_verbs_is_atomic(enum ibv_wr_opcode opcode)
{
	return opcode == IBV_WR_ATOMIC_CMP_AND_SWP || opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
}

/* Whether the request names remote memory. */
SEGUEI_HOT_FUNCTION bool seguei_verbs_has_remote(enum ibv_wr_opcode opcode)
{
	return seguei_verbs_is_atomic(opcode) ||
	       (opcode <= IBV_WR_RDMA_READ && !(opcode & SEGUEI_VERBS_IS_SEND));
}

SEGUEI_HOT_FUNCTION bool seguei_verbs_is_plain(const struct segue_qp *qp,
					       const struct ibv_send_wr *wr)
{
	return wr->num_sge == 1 && wr->send_flags <= SEGUEI_VERBS_FLAGS &&
	       (int32_t)wr->sg_list->length > 0 && wr->opcode < qp->verbs.plain;
}

/* The same with inline data that fits the first block. */
SEGUEI_HOT_FUNCTION bool seguei_verbs_is_inline(const struct segue_qp *qp,
						const struct ibv_send_wr *wr)
{
	return wr->num_sge == 1 && (wr->send_flags ^ IBV_SEND_INLINE) <= SEGUEI_VERBS_FLAGS &&
	       wr->opcode < qp->verbs.plain &&
	       wr->sg_list->length - 1 < qp->verbs.in_block[wr->opcode];
}

SEGUEI_HOT_FUNCTION void seguei_verbs_put_piece(uint8_t *at, const struct ibv_sge *sge)
{
	const struct segue_seg_data piece = seguei_verbs_piece(sge);

	segue_seg_data_pack(SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT), &piece);
}

/* Writes all of inline data but its bytes, of which there is one at least. Returns its size. */
SEGUEI_HOT_FUNCTION size_t seguei_verbs_put_inline_head(uint8_t *at, uint32_t length)
{
	const size_t bytes = segue_seg_inline_data_bytes(length);
	const struct segue_seg_inline_data header = {(uint16_t)length};

	seguei_zero_unit(at + bytes - SEGUEI_UNIT);
	segue_seg_inline_data_pack(SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT), &header);
	return bytes;
}

/* Writes 1 to 60 bytes of inline data, padded. Returns the number of units. */
SEGUEI_HOT_FUNCTION uint32_t seguei_verbs_put_inline(uint8_t *at, const void *data, uint32_t length)
{
	const size_t bytes = seguei_verbs_put_inline_head(at, length);

	seguei_copy_short(at + SEGUE_SEG_INLINE_DATA_TAIL, data, length);
	return (uint32_t)(bytes / SEGUEI_UNIT);
}

/* Writes the remote address if the request has one. Returns the address of the next segment. */
SEGUEI_HOT_FUNCTION uint8_t *seguei_verbs_put_remote(uint8_t *at, uint64_t addr, uint32_t rkey)
{
	struct segue_seg_raddr remote;

	memset(&remote, 0, sizeof(remote));
	remote.remote_addr = addr;
	remote.rkey = rkey;
	segue_seg_raddr_pack(SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT), &remote);
	return at + SEGUE_SEG_RADDR_SIZE;
}

/* Writes the rest of the control segment of a request without imm. */
SEGUEI_HOT_FUNCTION void seguei_verbs_put_flags(const struct segue_qp *qp, uint8_t *start,
						size_t flags)
{
	uint64_t second = qp->verbs.seconds[flags];

	SEGUEI_OWN_REGISTER(second); /* keeps gcc from joining this store to the next one */
	memcpy(SEGUEI_ALIGNED(uint8_t, start, SEGUEI_UNIT) + SEGUEI_CONTROL_FLAGS_AT, &second,
	       sizeof(second));
}

SEGUEI_HOT_FUNCTION void seguei_verbs_put_imm(const struct segue_qp *qp, uint8_t *start,
					      size_t flags, uint32_t imm)
{
	seguei_control_put_second(SEGUEI_ALIGNED(uint8_t, start, SEGUEI_UNIT),
				  seguei_verbs_flags_of(qp, flags), imm);
}

/* The same for any request of the fast path. @head: see seguei_verbs_put() */
SEGUEI_HOT_FUNCTION void seguei_verbs_put_second(const struct segue_qp *qp, uint8_t *start,
						 const struct ibv_send_wr *wr,
						 const struct ibv_send_wr *head, bool inlined)
{
	const size_t flags = head->send_flags ^ (inlined ? IBV_SEND_INLINE : 0u);

	if (head->opcode & SEGUEI_VERBS_HAS_IMM)
		seguei_verbs_put_imm(qp, start, flags, segue_be32(wr->imm_data));
	else
		seguei_verbs_put_flags(qp, start, flags);
}

/* Returns the number of units. */
SEGUEI_HOT_FUNCTION uint32_t seguei_verbs_put_data(uint8_t *at, const struct ibv_sge *sge,
						   bool inlined)
{
	if (inlined)
		return seguei_verbs_put_inline(at, (const void *)(uintptr_t)sge->addr, sge->length);
	seguei_verbs_put_piece(at, sge);
	return SEGUE_SEG_DATA_SIZE / SEGUEI_UNIT;
}

/*
 * Writes all of a request of one block except its first quadword. Returns that quadword, without
 * the index. @head: the request, or a copy of its opcode, flags and piece. @inlined: true for
 * seguei_verbs_is_inline(), false for seguei_verbs_is_plain()
 */
SEGUEI_HOT_FUNCTION uint64_t seguei_verbs_put(const struct segue_qp *qp, uint8_t *start,
					      const struct ibv_send_wr *wr,
					      const struct ibv_send_wr *head, bool inlined)
{
	uint8_t *const behind = start + SEGUEI_CONTROL_SIZE;
	uint32_t units;

	seguei_verbs_put_second(qp, start, wr, head, inlined);
	if (head->opcode & SEGUEI_VERBS_IS_SEND)
		units = seguei_verbs_put_data(behind, head->sg_list, inlined);
	else
		units = seguei_verbs_put_data(
			seguei_verbs_put_remote(behind, wr->wr.rdma.remote_addr, wr->wr.rdma.rkey),
			head->sg_list, inlined);
	return qp->verbs.first[head->opcode] + seguei_control_first(0, 0, 0, units - 1);
}

/* Fills the slot of a request of one block. */
SEGUEI_HOT_FUNCTION void seguei_verbs_note_slot(struct segue_sq_slot *slot, uint64_t wr_id,
						uint32_t next)
{
	slot->wr_id = wr_id;
	slot->next = next;
}

/* A first quadword with another size. */
SEGUEI_HOT_FUNCTION uint64_t seguei_verbs_sized(uint64_t first, uint32_t units)
{
	return (first & ~seguei_control_first(0, 0, 0, SEGUE_SEG_CTRL_DS_MAX)) |
	       seguei_control_first(0, 0, 0, units);
}

/* For seguei_name(), of a first quadword that lacks nothing but the index. */
#define SEGUEI_VERBS_NAMED ((struct seguei_form){0})

/* The control segment of the request in the ring. */
SEGUEI_HOT_FUNCTION struct segue_seg_ctrl seguei_verbs_control(const uint8_t *start)
{
	struct segue_seg_ctrl control;

	(void)segue_seg_ctrl_unpack(&control, start);
	return control;
}

/* Commits the request from index `pi` to `next`. @first: without the index */
SEGUEI_HOT_FUNCTION uint64_t seguei_verbs_finish(struct segue_sq *sq, uint8_t *start,
						 uint64_t first, uint32_t pi, uint32_t next)
{
	const uint64_t doorbell = seguei_name(first, start, pi, SEGUEI_VERBS_NAMED);

	sq->pi = next;
	SEGUEI_COUNT(sq->counts.posted);
	SEGUEI_PROBE4(post, sq->qpn, next, seguei_verbs_control(start).opcode,
		      seguei_verbs_control(start).ds);
	return doorbell;
}

/*
 * Rings the doorbell for the committed requests. @only: the layer has created the queue pair. Its
 * register then has one place, and unsignaled requests may fill the queue
 */
SEGUEI_HOT_FUNCTION void seguei_verbs_ring(struct segue_sq *sq, uint32_t pi, uint64_t doorbell,
					   bool only)
{
	seguei_sq_record(sq, pi);
	seguei_store64((volatile void *)sq->reg, doorbell);
	if (!only)
		sq->reg ^= sq->reg_toggle;
	seguei_flush_register_stores();
}

/* Number of blocks that may be committed without reading the queue again, if more than 0. */
SEGUEI_HOT_FUNCTION int32_t seguei_verbs_room(const struct segue_sq *sq, uint32_t pi, bool only)
{
	return (int32_t)(sq->limit - (only ? 0 : sq->silent_reserve) - pi);
}

/*
 * Posts a request of the fast path, and rings. Returns false if there is no room, and nothing has
 * changed.
 */
SEGUEI_HOT_FUNCTION bool seguei_verbs_post_one(struct segue_qp *qp, const struct ibv_send_wr *wr,
					       bool inlined, bool only)
{
	struct segue_sq *const sq = &qp->sq.any;
	const uint32_t pi = sq->pi, next = pi + 1, at = pi & sq->mask;
	uint8_t *const start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	uint64_t first;

	if (SEGUEI_UNLIKELY(seguei_verbs_room(sq, next, only) < 0))
		return false;
	seguei_verbs_note_slot(&sq->slots[at], wr->wr_id, next);
	first = seguei_verbs_put(qp, start, wr, wr, inlined);
	seguei_verbs_ring(sq, next, seguei_verbs_finish(sq, start, first, pi, next), only);
	return true;
}

/*
 * Number of blocks that may follow at `pi` up to the end of the ring, without reading the queue
 * again.
 */
SEGUEI_HOT_FUNCTION uint32_t seguei_verbs_stretch(const struct segue_sq *sq, uint32_t pi, bool only)
{
	const int32_t room = seguei_verbs_room(sq, pi, only);
	const uint32_t left = sq->mask + 1 - (pi & sq->mask);

	return room < 0 ? 0 : (uint32_t)room < left ? (uint32_t)room : left;
}

/*
 * Posts requests of one piece, or of inline data, up to a request of another form or the end of
 * the room, and rings. Returns the first request that was not posted, or NULL.
 */
SEGUEI_HOT_FUNCTION struct ibv_send_wr *seguei_verbs_post_plain(struct segue_qp *qp,
								struct ibv_send_wr *wr, bool only,
								bool inlined)
{
	struct segue_sq *const sq = &qp->sq.any;
	uint32_t pi = sq->pi, until;
	uint64_t doorbell = 0;

	do {
		const uint32_t at = pi & sq->mask;
		uint8_t *start = sq->buf + (size_t)at * SEGUEI_BLOCK;
		struct segue_sq_slot *slot = &sq->slots[at];

		until = pi + seguei_verbs_stretch(sq, pi, only);
		while (pi != until && SEGUEI_LIKELY(inlined ? seguei_verbs_is_inline(qp, wr)
							    : seguei_verbs_is_plain(qp, wr))) {
			/* copies: compilers read the request again after each store to the ring */
			struct ibv_sge sge = *wr->sg_list;
			const struct ibv_send_wr head = {.sg_list = &sge,
							 .opcode = wr->opcode,
							 .send_flags = wr->send_flags};
			const uint64_t first = seguei_verbs_put(qp, start, wr, &head, inlined);

			doorbell = seguei_name(first, start, pi, SEGUEI_VERBS_NAMED);
			seguei_verbs_note_slot(slot++, wr->wr_id, ++pi);
			SEGUEI_COUNT(sq->counts.posted);
			SEGUEI_PROBE4(post, sq->qpn, pi, seguei_verbs_control(start).opcode,
				      seguei_verbs_control(start).ds);
			start += SEGUEI_BLOCK;
			wr = wr->next;
			if (!wr)
				break;
		}
	} while (wr && pi == until && seguei_verbs_stretch(sq, pi, only));
	if (pi != sq->pi) {
		sq->pi = pi;
		seguei_verbs_ring(sq, pi, doorbell, only);
	}
	return wr;
}

/*
 * The error number that libmlx5 returns for a request that Segue has refused. @ret: negative errno
 */
int seguei_verbs_send_errno(const struct segue_qp *qp, int ret);

/* Posts any list of requests, and rings at its end. Returns 0 or libmlx5's error number. */
int seguei_verbs_send(struct segue_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr);

/*
 * Writes the pieces that are not empty. Returns the end of the request, or NULL if they may not lie
 * before `end` or one is too long.
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_verbs_put_list(uint8_t *at, const uint8_t *end,
						   const struct ibv_sge *sge, size_t count)
{
	const struct ibv_sge *const behind = sge + count;

	if (at + count * SEGUE_SEG_DATA_SIZE > end)
		return NULL;
	for (; sge < behind; sge++) {
		if (SEGUEI_UNLIKELY(!sge->length))
			continue;
		if (SEGUEI_UNLIKELY(sge->length > INT32_MAX))
			return NULL;
		seguei_verbs_put_piece(at, sge);
		at += SEGUE_SEG_DATA_SIZE;
	}
	return at;
}

/* The same for inline data. NULL also if it is longer than the queue pair takes. */
uint8_t *seguei_verbs_put_inline_list(const struct segue_qp *qp, uint8_t *at, const uint8_t *end,
				      const struct ibv_sge *sge, size_t count);

SEGUEI_HOT_FUNCTION uint8_t *seguei_verbs_put_pieces(const struct segue_qp *qp, uint8_t *at,
						     const uint8_t *end, const struct ibv_sge *sge,
						     size_t count, bool inlined)
{
	return SEGUEI_UNLIKELY(inlined) ? seguei_verbs_put_inline_list(qp, at, end, sge, count)
					: seguei_verbs_put_list(at, end, sge, count);
}

/* Doorbell value of the last committed request, which the caller then rings. */
SEGUEI_HOT_FUNCTION uint64_t seguei_verbs_take_doorbell(struct segue_sq *sq)
{
	uint64_t doorbell;

	memcpy(&doorbell, seguei_sq_wqe_at(sq, sq->committed), sizeof(doorbell));
	sq->committed = sq->pi - sq->mask - 1; /* no request */
	return doorbell;
}

/*
 * Commits a request at the producer index, in the ring from `start` to `end`. @wr_id: NULL if its
 * slot has it. @first: first quadword, of any size. Returns the value for the doorbell register, or
 * 0 if there is no room, or the request is too long.
 */
SEGUEI_HOT_FUNCTION uint64_t seguei_verbs_finish_at(struct segue_sq *sq, const uint64_t *wr_id,
						    uint8_t *start, const uint8_t *end,
						    uint64_t first, bool only)
{
	const uint32_t pi = sq->pi, units = (uint32_t)(end - start) / SEGUEI_UNIT;
	const uint32_t next = pi + seguei_blocks(units);
	struct segue_sq_slot *const slot = &sq->slots[pi & sq->mask];

	if (SEGUEI_UNLIKELY(units > sq->max_units || seguei_verbs_room(sq, next, only) < 0))
		return 0;
	if (wr_id)
		slot->wr_id = *wr_id;
	slot->next = next;
	return seguei_verbs_finish(sq, start, seguei_verbs_sized(first, units), pi, next);
}

/*
 * Commits a request that may lie outside of the ring, be too long or have no room. Returns 0 or a
 * negative errno.
 */
int seguei_verbs_finish_late(struct segue_qp *qp, uint8_t *start, const uint8_t *end,
			     uint64_t first);

/* Longest request, and most pieces of one. */
#define SEGUEI_VERBS_MOST   ((size_t)SEGUE_WQE_MAX_UNITS * SEGUEI_UNIT)
#define SEGUEI_VERBS_PIECES 64u

/* A request that is being written, in the ring or in SEGUEI_VERBS_MOST bytes elsewhere. */
struct seguei_verbs_draft {
	uint8_t *start, *at; /* address of its next segment */
	uint32_t headers;    /* bytes of the pieces that go to the Ethernet segment */
};

/*
 * Write parts of a request that lies elsewhere. Return 0, a negative errno, or one of libmlx5's
 * error numbers.
 */
int seguei_verbs_put_eth(const struct segue_qp *qp, const struct ibv_send_wr *wr,
			 struct seguei_verbs_draft *d);
/* Pieces, or their bytes as inline data. */
int seguei_verbs_put_any(const struct segue_qp *qp, struct seguei_verbs_draft *d,
			 const struct ibv_sge *sges, size_t count, bool inlined);

/* Writes the address of a UD request: copies libmlx5's vector to its place, and completes it. */
SEGUEI_HOT_FUNCTION void seguei_verbs_put_ud(const struct segue_qp *qp, uint8_t *at,
					     const struct ibv_ah *ah, uint32_t qpn, uint32_t qkey)
{
	at = SEGUEI_ALIGNED(uint8_t, at, SEGUEI_UNIT);
	memcpy(at, (const char *)ah + qp->verbs.vector_at, SEGUE_SEG_AV_UD_SIZE);
	seguei_seg_av_ud_complete(at, qpn & SEGUE_SEG_AV_UD_DQP_DCT_MAX, qkey);
}

/* Commits a request that changes a key: it binds a window, or invalidates one. */
int seguei_verbs_key(struct segue_qp *qp, const struct ibv_send_wr *wr);

#endif
