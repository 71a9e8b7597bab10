/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The shapes as an experienced engineer writes them by hand: mlx5dv.h's structs, its constants, no
 * generated code. The queue's state (room, wr_id, unsignaled requests) is kept in the same places,
 * so that both do the same work.
 */
#define _DEFAULT_SOURCE
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "tests/builders/instructions/shapes.h"

#define CE_ALWAYS MLX5_WQE_CTRL_CQ_UPDATE

struct by_hand {
	struct mlx5_wqe_ctrl_seg *ctrl;
	uint32_t pi;
	uint32_t slot;
};

static inline __attribute__((always_inline)) struct by_hand begin(struct segue_sq *sq)
{
	struct by_hand w;

	w.pi = sq->pi;
	w.slot = w.pi & sq->mask;
	w.ctrl = (struct mlx5_wqe_ctrl_seg *)(void *)(sq->buf + ((size_t)w.slot << 6));
	return w;
}

static inline __attribute__((always_inline)) void *wrapped(const struct segue_sq *sq, void *at)
{
	return at == (void *)sq->end ? sq->buf : at;
}

/* Sign bit set if the length is 0 or 2 GiB and more. */
static inline __attribute__((always_inline)) int32_t bad_length(uint32_t length)
{
	return (int32_t)((length - 1) | length);
}

/* Negative if a queue pair number does not fit its 24 bits. */
static inline __attribute__((always_inline)) int32_t bad_number(uint32_t number)
{
	return -(int32_t)(number > 0xffffff);
}

static inline __attribute__((always_inline)) void put_raddr(void *at, uint64_t remote_addr,
							    uint32_t rkey)
{
	struct mlx5_wqe_raddr_seg *seg = at;

	seg->raddr = htobe64(remote_addr);
	seg->rkey = htobe32(rkey);
	seg->reserved = 0;
}

static inline __attribute__((always_inline)) void put_data(void *at, uint64_t addr, uint32_t length,
							   uint32_t lkey)
{
	mlx5dv_set_data_seg(at, length, lkey, addr);
}

/* Everything after the segments, up to the doorbell; `units` and `fm_ce_se` are constants of the
 * caller. */
static inline __attribute__((always_inline)) int finish(struct segue_sq *sq, struct by_hand w,
							uint64_t wr_id, uint8_t opcode,
							uint8_t opmod, uint8_t fm_ce_se,
							uint32_t imm, uint32_t units, int32_t bad,
							enum seguei_how how)
{
	const uint32_t limit = fm_ce_se & CE_ALWAYS ? sq->limit : sq->limit - sq->silent_reserve;
	const uint32_t next = w.pi + (units + 3) / 4;
	struct segue_sq_slot *slot = &sq->slots[w.slot];
	uint64_t first;
	uintptr_t *half = NULL;

	slot->wr_id = wr_id;
	slot->next = next;
	*(uint32_t *)(void *)&w.ctrl->signature = htobe32(fm_ce_se);
	w.ctrl->imm = htobe32(imm);
	if (__builtin_expect((bad | (int32_t)(limit - next)) < 0, 0)) {
		if (fm_ce_se & CE_ALWAYS)
			return seguei_sq_refuse(sq, units, bad, false);
		return seguei_finish_unusual(sq,
					     seguei_form_pack((struct seguei_form){
						     opcode, opmod, 0, (uint8_t)how, units}),
					     bad, NULL);
	}
	first = htobe64(sq->ctrl |
			(uint64_t)((uint32_t)opmod << 24 | (w.pi & 0xffff) << 8 | opcode) << 32 |
			units);
	memcpy(w.ctrl, &first, 8);
	sq->pi = next;
	if (how == SEGUEI_COMMIT) {
		sq->committed = w.pi;
		return 0;
	}
	if (how == SEGUEI_BLUEFLAME) {
		if (sq->copy_most < 64 || *sq->dbrec != htobe32(w.pi & 0xffff)) {
			seguei_sq_blueflame(sq, w.pi);
			return 0;
		}
		half = sq->half ? sq->half : &sq->reg;
	}
	__asm__ volatile("" ::: "memory");
	*sq->dbrec = htobe32(next & 0xffff);
	__asm__ volatile("sfence" ::: "memory");
	if (how == SEGUEI_BLUEFLAME) {
		const uint64_t *from = (const void *)w.ctrl;
		volatile uint64_t *to = (void *)*half;

		to[0] = from[0], to[1] = from[1], to[2] = from[2], to[3] = from[3];
		to[4] = from[4], to[5] = from[5], to[6] = from[6], to[7] = from[7];
		*half ^= sq->reg_toggle;
	} else {
		*(volatile uint64_t *)sq->reg = first;
		sq->reg ^= sq->reg_toggle;
	}
	__asm__ volatile("sfence" ::: "memory");
	return 0;
}

#define SHAPE(name) int by_hand_##name(struct segue_sq *sq, SHAPE_PARAMETERS)

static inline __attribute__((always_inline)) int rdma_1(struct segue_sq *sq, SHAPE_PARAMETERS,
							uint8_t opcode, uint8_t flags, uint32_t imm,
							enum seguei_how how)
{
	struct by_hand w = begin(sq);

	put_raddr(w.ctrl + 1, remote_addr, rkey);
	put_data(w.ctrl + 2, addr, length, lkey);
	return finish(sq, w, wr_id, opcode, 0, flags, imm, 3, bad_length(length), how);
}

SHAPE(write_1)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE,
		      CE_ALWAYS, 0, SEGUEI_POST);
}

SHAPE(write_1_commit)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE,
		      CE_ALWAYS, 0, SEGUEI_COMMIT);
}

SHAPE(write_blueflame)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE,
		      CE_ALWAYS, 0, SEGUEI_BLUEFLAME);
}

static inline __attribute__((always_inline)) int rdma_16(struct segue_sq *sq, SHAPE_PARAMETERS)
{
	for (uint32_t i = 0; i < 15; i++)
		if (rdma_1(sq, wr_id + i, addr, length, lkey, remote_addr, rkey,
			   MLX5_OPCODE_RDMA_WRITE, 0, 0, SEGUEI_COMMIT))
			return -1;
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE,
		      CE_ALWAYS, 0, SEGUEI_POST);
}

SHAPE(write_16)
{
	return rdma_16(sq, wr_id, addr, length, lkey, remote_addr, rkey);
}

/* Without a batch, which writes the same. */
SHAPE(write_16_batch)
{
	return rdma_16(sq, wr_id, addr, length, lkey, remote_addr, rkey);
}

SHAPE(write_1_silent)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE, 0,
		      0, SEGUEI_POST);
}

SHAPE(uc_write_1)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE,
		      CE_ALWAYS, 0, SEGUEI_POST);
}

SHAPE(write_args)
{
	const struct segue_seg_data sges[] = {{length, lkey, addr}};
	const uint32_t flags = shape_flags, fence = flags >> 5;
	uint32_t units = 2, i;
	struct by_hand w = begin(sq);
	uint8_t *at = (void *)(w.ctrl + 2);
	int32_t bad = 0;

	put_raddr(w.ctrl + 1, remote_addr, rkey);
	for (i = 0; i < shape_count; i++, units++, at += 16) {
		if (units >= sq->max_units)
			return -1;
		at = wrapped(sq, at);
		put_data(at, sges[i].addr, sges[i].byte_count, sges[i].lkey);
		bad |= bad_length(sges[i].byte_count);
	}
	bad |= -(int32_t)((flags & ~0xecu) != 0 || fence > 4);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, (uint8_t)flags, 0, units, bad,
		      SEGUEI_POST);
}

SHAPE(write_imm_1)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_WRITE_IMM,
		      CE_ALWAYS | MLX5_WQE_CTRL_SOLICITED, lkey, SEGUEI_POST);
}

SHAPE(read_1)
{
	return rdma_1(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_RDMA_READ,
		      CE_ALWAYS, 0, SEGUEI_POST);
}

SHAPE(write_2)
{
	struct by_hand w = begin(sq);

	put_raddr(w.ctrl + 1, remote_addr, rkey);
	put_data(w.ctrl + 2, addr, length, lkey);
	put_data(w.ctrl + 3, addr + 4096, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, CE_ALWAYS, 0, 4, bad_length(length),
		      SEGUEI_POST);
}

SHAPE(write_4)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_data_seg *data;

	put_raddr(w.ctrl + 1, remote_addr, rkey);
	put_data(w.ctrl + 2, addr, length, lkey);
	put_data(w.ctrl + 3, addr + 4096, length, lkey);
	data = wrapped(sq, w.ctrl + 4);
	put_data(data, addr + 8192, length, lkey);
	put_data(data + 1, addr + 12288, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, CE_ALWAYS, 0, 6, bad_length(length),
		      SEGUEI_POST);
}

SHAPE(write_inline_28)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_inl_data_seg *header = (void *)(w.ctrl + 2);

	(void)length;
	(void)lkey;
	put_raddr(w.ctrl + 1, remote_addr, rkey);
	header->byte_count = htobe32(28 | MLX5_INLINE_SEG);
	memcpy(header + 1, (const void *)(uintptr_t)addr, 28);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, CE_ALWAYS, 0, 4, 0, SEGUEI_POST);
}

SHAPE(write_inline_any)
{
	const uint32_t units = (4 + length + 15) / 16, most = 64;
	struct by_hand w = begin(sq);
	uint8_t *at = (void *)(w.ctrl + 2);

	(void)lkey;
	put_raddr(w.ctrl + 1, remote_addr, rkey);
	if (length - 1 >= most || at + units * 16 > sq->end)
		return -1; /* not here */
	memset(at + units * 16 - 16, 0, 16);
	*(uint32_t *)(void *)at = htobe32(length | MLX5_INLINE_SEG);
	memcpy(at + 4, (const void *)(uintptr_t)addr, length);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, CE_ALWAYS, 0, 2 + units, 0,
		      SEGUEI_POST);
}

SHAPE(send_1)
{
	struct by_hand w = begin(sq);

	(void)remote_addr;
	(void)rkey;
	put_data(w.ctrl + 1, addr, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_SEND, 0, CE_ALWAYS, 0, 2, bad_length(length),
		      SEGUEI_POST);
}

SHAPE(send_inline_12)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_inl_data_seg *header = (void *)(w.ctrl + 1);

	(void)length;
	(void)lkey;
	(void)remote_addr;
	(void)rkey;
	header->byte_count = htobe32(12 | MLX5_INLINE_SEG);
	memcpy(header + 1, (const void *)(uintptr_t)addr, 12);
	return finish(sq, w, wr_id, MLX5_OPCODE_SEND, 0, CE_ALWAYS, 0, 2, 0, SEGUEI_POST);
}

static inline __attribute__((always_inline)) int atomic(struct segue_sq *sq, SHAPE_PARAMETERS,
							uint8_t opcode, uint8_t opmod,
							uint64_t swap_add, uint64_t compare)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_atomic_seg *seg = (void *)(w.ctrl + 2);

	put_raddr(w.ctrl + 1, remote_addr, rkey);
	seg->swap_add = htobe64(swap_add);
	seg->compare = htobe64(compare);
	put_data(w.ctrl + 3, addr, length, lkey);
	return finish(sq, w, wr_id, opcode, opmod, CE_ALWAYS, 0, 4, bad_length(length),
		      SEGUEI_POST);
}

SHAPE(atomic_cs)
{
	return atomic(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_ATOMIC_CS, 0,
		      wr_id, addr);
}

SHAPE(atomic_fa)
{
	return atomic(sq, wr_id, addr, length, lkey, remote_addr, rkey, MLX5_OPCODE_ATOMIC_FA, 0,
		      wr_id, 0);
}

SHAPE(masked_fa64)
{
	return atomic(sq, wr_id, addr, length, lkey, remote_addr, rkey,
		      MLX5_OPCODE_ATOMIC_MASKED_FA, 8 | 1, wr_id, addr);
}

SHAPE(nop)
{
	(void)addr;
	(void)length;
	(void)lkey;
	(void)remote_addr;
	(void)rkey;
	return finish(sq, begin(sq), wr_id, MLX5_OPCODE_NOP, 0, CE_ALWAYS, 0, 1, 0, SEGUEI_POST);
}

SHAPE(ud_send_1)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_av *av = (void *)(w.ctrl + 1);

	(void)remote_addr;
	memcpy(av, &shape_ah, sizeof(*av));
	av->key.qkey.qkey = htobe32(lkey);
	av->dqp_dct = htobe32(rkey | MLX5_EXTENDED_UD_AV);
	put_data(wrapped(sq, w.ctrl + 4), addr, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_SEND, 0, CE_ALWAYS, 0, 5,
		      bad_number(rkey) | bad_length(length), SEGUEI_POST);
}

SHAPE(xrc_send_1)
{
	struct by_hand w = begin(sq);
	uint32_t *xrc = (void *)(w.ctrl + 1);

	(void)remote_addr;
	xrc[0] = htobe32(rkey);
	xrc[1] = 0;
	xrc[2] = 0;
	xrc[3] = 0;
	put_data(w.ctrl + 2, addr, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_SEND, 0, CE_ALWAYS, 0, 3,
		      bad_number(rkey) | bad_length(length), SEGUEI_POST);
}

SHAPE(dci_write_1)
{
	struct by_hand w = begin(sq);
	struct mlx5_wqe_av *av = (void *)(w.ctrl + 1);
	const struct mlx5_wqe_av *prepared = (const void *)&shape_ah;
	struct mlx5_wqe_raddr_seg *raddr;
	int32_t bad;

	memcpy(av, &shape_ah, sizeof(*av));
	av->key.dc_key = htobe64(SHAPE_DC_KEY);
	/* beside it: the service level of answers */
	av->dqp_dct = prepared->dqp_dct | htobe32(rkey);
	bad = bad_number(rkey);
	raddr = wrapped(sq, w.ctrl + 4);
	put_raddr(raddr, remote_addr, rkey);
	put_data(raddr + 1, addr, length, lkey);
	return finish(sq, w, wr_id, MLX5_OPCODE_RDMA_WRITE, 0, CE_ALWAYS, 0, 6,
		      bad | bad_length(length), SEGUEI_POST);
}

int by_hand_recv_1(struct segue_rq *rq, SHAPE_PARAMETERS)
{
	struct seguei_recv_ring *ring = &rq->ring;
	const uint32_t pi = ring->pi;
	const uint32_t slot = pi & ring->mask;
	uint8_t *start = ring->buf + (size_t)(slot * ring->stride);

	(void)remote_addr;
	(void)rkey;
	if (__builtin_expect((bad_length(length) | (int32_t)(ring->limit - pi)) < 0, 0))
		return seguei_recv_refuse(ring, bad_length(length), false);
	put_data(start, addr, length, lkey);
	if (ring->stride > 16)
		mlx5dv_set_data_seg((void *)(start + 16), 0, MLX5_INVALID_LKEY, 0);
	ring->wr_ids[slot] = wr_id;
	ring->pi = pi + 1;
	__asm__ volatile("" ::: "memory");
	*ring->dbrec = htobe32((pi + 1) & 0xffff);
	return 0;
}
