/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The floors: requests by straight stores, by the structs of mlx5dv.h, with nothing generated. The
 * absolute one stores the entry and rings the doorbell. The honest one also refuses when the queue
 * is full, and keeps the wr_id. make_rows.py looks for floor_ and the name of a request or of a
 * step.
 */
#ifndef SEGUE_BENCH_FLOORS_H
#define SEGUE_BENCH_FLOORS_H

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "tools/bench/ours/values.h"

#define FLOOR_HALF 256u /* bytes of a half of a BlueFlame register */
#define FLOOR	   static inline __attribute__((always_inline))

struct floor_sq {
	uint8_t *buf, *end;
	uint64_t *wr_ids;
	uint32_t qpn_be, mask, pi, limit;
	volatile uint32_t *dbrec;
	volatile uint64_t *reg;
};

struct floor_wqe {
	struct floor_sq *sq;
	uint8_t *start, *at;
	uint32_t pi, units, imm_be;
	uint8_t opcode, opmod, flags;
};

FLOOR struct floor_wqe floor_begin(struct floor_sq *sq, uint8_t flags)
{
	struct floor_wqe w = {.sq = sq, .pi = sq->pi, .units = 1, .flags = flags};

	w.start = sq->buf + (size_t)(w.pi & sq->mask) * 64;
	w.at = w.start + 16;
	return w;
}

/* Place of the next segment, around the end of the ring. */
FLOOR void *floor_take(struct floor_wqe *w, uint32_t units)
{
	void *at;

	if (w->units % 4 == 0 && w->at == w->sq->end)
		w->at = w->sq->buf;
	at = w->at;
	w->at += units * 16;
	w->units += units;
	return at;
}

FLOOR void floor_raddr(struct floor_wqe *w)
{
	struct mlx5_wqe_raddr_seg *seg = (struct mlx5_wqe_raddr_seg *)floor_take(w, 1);

	seg->raddr = htobe64(VALUE_remote_addr);
	seg->rkey = htobe32(VALUE_rkey);
	seg->reserved = 0;
}

FLOOR void floor_sge(struct floor_wqe *w)
{
	struct mlx5_wqe_data_seg *seg = (struct mlx5_wqe_data_seg *)floor_take(w, 1);

	mlx5dv_set_data_seg(seg, VALUE_byte_count, VALUE_lkey, VALUE_addr);
}

FLOOR void floor_sge4(struct floor_wqe *w)
{
	floor_sge(w);
	floor_sge(w);
	floor_sge(w);
	floor_sge(w);
}

FLOOR void floor_inlined(struct floor_wqe *w, uint32_t length)
{
	uint8_t *const header = (uint8_t *)floor_take(w, 1), *const data = header + 4;
	const uint32_t bytes = (4 + length + 15) / 16 * 16 - 16,
		       room = (uint32_t)(w->sq->end - data);

	*(uint32_t *)(void *)header = htobe32(length | MLX5_INLINE_SEG);
	if ((w->units - 1) % 4 * 16 + 4 + length <= 64 || __builtin_expect(room >= length, 1)) {
		memcpy(data, bench_payload, length);
		w->at += bytes;
	} else {
		memcpy(data, bench_payload, room);
		memcpy(w->sq->buf, bench_payload + room, length - room);
		w->at = w->sq->buf + bytes + 12 - room;
	}
	w->units += bytes / 16;
}

FLOOR void floor_inline28(struct floor_wqe *w)
{
	floor_inlined(w, 28);
}

FLOOR void floor_inline200(struct floor_wqe *w)
{
	floor_inlined(w, 200);
}

FLOOR void floor_dci_av(struct floor_wqe *w)
{
	struct mlx5_wqe_av *av = (struct mlx5_wqe_av *)floor_take(w, 3);
	const struct mlx5_wqe_av *prepared =
		(const struct mlx5_wqe_av *)(const void *)&bench_address_vector;

	memcpy(av, &bench_address_vector, sizeof(*av));
	av->key.dc_key = htobe64(VALUE_dc_key);
	av->dqp_dct = prepared->dqp_dct | htobe32(VALUE_dqp_dct);
}

FLOOR void floor_ud_av(struct floor_wqe *w)
{
	struct mlx5_wqe_av *av = (struct mlx5_wqe_av *)floor_take(w, 3);

	memcpy(av, &bench_address_vector, sizeof(*av));
	av->key.qkey.qkey = htobe32(VALUE_qkey);
	av->key.qkey.reserved = 0;
	av->dqp_dct = htobe32(VALUE_dqp_dct | MLX5_EXTENDED_UD_AV);
}

FLOOR void floor_xrc(struct floor_wqe *w)
{
	uint32_t *xrc = (uint32_t *)floor_take(w, 1);

	xrc[0] = htobe32(VALUE_xrc_srqn);
	xrc[1] = 0;
	xrc[2] = 0;
	xrc[3] = 0;
}

FLOOR void floor_rdma_write(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_RDMA_WRITE;
}

FLOOR void floor_rdma_write_imm(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_RDMA_WRITE_IMM;
	w->imm_be = htobe32(VALUE_imm);
}

FLOOR void floor_rdma_read(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_RDMA_READ;
}

FLOOR void floor_send(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_SEND;
}

FLOOR void floor_send_imm(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_SEND_IMM;
	w->imm_be = htobe32(VALUE_imm);
}

FLOOR void floor_send_inv(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_SEND_INVAL;
	w->imm_be = htobe32(VALUE_invalidate_rkey);
}

FLOOR void floor_nop(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_NOP;
}

FLOOR void floor_atomic_cs(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_ATOMIC_CS;
}

FLOOR void floor_atomic_fa(struct floor_wqe *w)
{
	w->opcode = MLX5_OPCODE_ATOMIC_FA;
}

/* The operands of each have a step of their own. */
FLOOR void floor_compare_swap(struct floor_wqe *w)
{
	struct mlx5_wqe_atomic_seg *seg = (struct mlx5_wqe_atomic_seg *)floor_take(w, 1);

	seg->swap_add = htobe64(VALUE_swap_add);
	seg->compare = htobe64(VALUE_compare);
}

FLOOR void floor_atomic_add(struct floor_wqe *w)
{
	struct mlx5_wqe_atomic_seg *seg = (struct mlx5_wqe_atomic_seg *)floor_take(w, 1);

	seg->swap_add = htobe64(VALUE_swap_add);
	seg->compare = 0;
}

/* Ways to end a request: its doorbell is another's, or its own, or it is copied to the register. */
enum floor_end { FLOOR_LATER, FLOOR_RING, FLOOR_COPY };

typedef uint64_t floor_two_words __attribute__((vector_size(16), may_alias));

/*
 * The honest floor copies words as the others do, because a wider load would wait for the stores
 * before it.
 */
FLOOR void floor_block(uint8_t *to, const uint8_t *from, bool honest)
{
#pragma GCC unroll 8
	for (int i = 0; i < 64; i += honest ? 8 : 16)
		if (honest)
			*(volatile uint64_t *)(void *)(to + i) = *(
				const uint64_t *)(const void *)(from + i);
		else
			*(volatile floor_two_words *)(void *)(to + i) = *(
				const floor_two_words *)(const void *)(from + i);
}

/* Copies block by block, to the halves of the BlueFlame register in turn. */
FLOOR void floor_copy(struct floor_sq *sq, const uint8_t *from, uint32_t blocks, bool honest)
{
	uint8_t *const to = (uint8_t *)(uintptr_t)sq->reg;

	for (uint32_t i = 0; i < blocks; i++) {
		floor_block(to + (size_t)i * 64, from, honest);
		from += 64;
		if (i + 1 < blocks && from == sq->end)
			from = sq->buf;
	}
	sq->reg = (volatile uint64_t *)((uintptr_t)to ^ FLOOR_HALF);
}

FLOOR int floor_finish(struct floor_wqe *w, uint64_t wr_id, bool honest, enum floor_end end)
{
	struct floor_sq *sq = w->sq;
	const uint32_t blocks = (w->units + 3) / 4, next = w->pi + blocks;
	uint32_t *ctrl = (uint32_t *)(void *)w->start;
	const uint64_t first =
		htobe64((uint64_t)((uint32_t)w->opmod << 24 | (w->pi & 0xffff) << 8 | w->opcode)
				<< 32 |
			w->units) |
		(uint64_t)sq->qpn_be << 32;

	if (honest) {
		if (__builtin_expect((int32_t)(sq->limit - next) < 0, 0))
			return -1;
		sq->wr_ids[w->pi & sq->mask] = wr_id;
	}
	memcpy(ctrl, &first, 8);
	ctrl[2] = htobe32(w->flags);
	ctrl[3] = w->imm_be;
	sq->pi = next;
	if (end == FLOOR_LATER)
		return 0;
	__asm__ volatile("" ::: "memory");
	*sq->dbrec = htobe32(next & 0xffff);
	__asm__ volatile("sfence" ::: "memory");
	if (end == FLOOR_COPY && blocks * 64 <= FLOOR_HALF)
		floor_copy(sq, w->start, blocks, honest);
	else
		*sq->reg = first;
	__asm__ volatile("sfence" ::: "memory");
	return 0;
}

#endif
