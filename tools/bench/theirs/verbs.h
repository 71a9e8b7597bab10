/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libmlx5's calls for requests and for steps of Segue's builders: wr_ is ibv_wr_*() and
 * mlx5dv_wr_*(), fill_ sets a member of the argument of ibv_post_send(). A step is empty if libmlx5
 * does it along with another one. make_rows.py looks for the names.
 */
#ifndef SEGUE_BENCH_VERBS_H
#define SEGUE_BENCH_VERBS_H

#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "tools/bench/ours/values.h"

#define VERBS static inline __attribute__((always_inline))

struct bench_queue {
	struct ibv_qp *qp;
	struct ibv_qp_ex *qpx;
	struct mlx5dv_qp_ex *mqpx;
	uint8_t *ring;
	size_t bytes;
};

extern struct ibv_ah *bench_their_ah;

/* One of ibv_post_send(), with its list. */
struct bench_request {
	struct ibv_send_wr wr;
	struct ibv_sge list[4];
};

VERBS void wr_rdma_write(struct bench_queue *q)
{
	ibv_wr_rdma_write(q->qpx, VALUE_rkey, VALUE_remote_addr);
}

VERBS void wr_rdma_write_imm(struct bench_queue *q)
{
	ibv_wr_rdma_write_imm(q->qpx, VALUE_rkey, VALUE_remote_addr, htobe32(VALUE_imm));
}

VERBS void wr_rdma_read(struct bench_queue *q)
{
	ibv_wr_rdma_read(q->qpx, VALUE_rkey, VALUE_remote_addr);
}

VERBS void wr_atomic_cs(struct bench_queue *q)
{
	ibv_wr_atomic_cmp_swp(q->qpx, VALUE_rkey, VALUE_remote_addr, VALUE_compare, VALUE_swap_add);
}

VERBS void wr_atomic_fa(struct bench_queue *q)
{
	ibv_wr_atomic_fetch_add(q->qpx, VALUE_rkey, VALUE_remote_addr, VALUE_swap_add);
}

VERBS void wr_send(struct bench_queue *q)
{
	ibv_wr_send(q->qpx);
}

VERBS void wr_send_imm(struct bench_queue *q)
{
	ibv_wr_send_imm(q->qpx, htobe32(VALUE_imm));
}

VERBS void wr_send_inv(struct bench_queue *q)
{
	ibv_wr_send_inv(q->qpx, VALUE_invalidate_rkey);
}

VERBS void wr_raddr(struct bench_queue *q)
{
	(void)q;
}

VERBS void wr_compare_swap(struct bench_queue *q)
{
	(void)q;
}

VERBS void wr_atomic_add(struct bench_queue *q)
{
	(void)q;
}

VERBS void wr_sge(struct bench_queue *q)
{
	ibv_wr_set_sge(q->qpx, VALUE_lkey, VALUE_addr, VALUE_byte_count);
}

VERBS void wr_sge4(struct bench_queue *q)
{
	struct ibv_sge list[4];

	for (int i = 0; i < 4; i++) {
		list[i].addr = VALUE_addr;
		list[i].length = VALUE_byte_count;
		list[i].lkey = VALUE_lkey;
	}
	ibv_wr_set_sge_list(q->qpx, 4, list);
}

VERBS void wr_inline28(struct bench_queue *q)
{
	ibv_wr_set_inline_data(q->qpx, bench_payload, 28);
}

VERBS void wr_inline200(struct bench_queue *q)
{
	ibv_wr_set_inline_data(q->qpx, bench_payload, 200);
}

VERBS void wr_dci_av(struct bench_queue *q)
{
	mlx5dv_wr_set_dc_addr(q->mqpx, bench_their_ah, VALUE_dqp_dct, VALUE_dc_key);
}

VERBS void wr_ud_av(struct bench_queue *q)
{
	ibv_wr_set_ud_addr(q->qpx, bench_their_ah, VALUE_dqp_dct, VALUE_qkey);
}

VERBS void wr_xrc(struct bench_queue *q)
{
	ibv_wr_set_xrc_srqn(q->qpx, VALUE_xrc_srqn);
}

VERBS void fill_rdma_write(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_RDMA_WRITE;
}

VERBS void fill_rdma_write_imm(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
	r->wr.imm_data = htobe32(VALUE_imm);
}

VERBS void fill_rdma_read(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_RDMA_READ;
}

VERBS void fill_send(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_SEND;
}

VERBS void fill_send_imm(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_SEND_WITH_IMM;
	r->wr.imm_data = htobe32(VALUE_imm);
}

VERBS void fill_send_inv(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_SEND_WITH_INV;
	r->wr.invalidate_rkey = VALUE_invalidate_rkey;
}

VERBS void fill_raddr(struct bench_request *r)
{
	r->wr.wr.rdma.remote_addr = VALUE_remote_addr;
	r->wr.wr.rdma.rkey = VALUE_rkey;
}

VERBS void fill_atomic_cs(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_ATOMIC_CMP_AND_SWP;
}

VERBS void fill_atomic_fa(struct bench_request *r)
{
	r->wr.opcode = IBV_WR_ATOMIC_FETCH_AND_ADD;
}

/* After fill_raddr(), which sets the same values in another place. */
VERBS void fill_atomic(struct bench_request *r)
{
	r->wr.wr.atomic.remote_addr = VALUE_remote_addr;
	r->wr.wr.atomic.compare_add = VALUE_compare;
	r->wr.wr.atomic.swap = VALUE_swap_add;
	r->wr.wr.atomic.rkey = VALUE_rkey;
}

VERBS void fill_atomic_add(struct bench_request *r)
{
	r->wr.wr.atomic.remote_addr = VALUE_remote_addr;
	r->wr.wr.atomic.compare_add = VALUE_swap_add;
	r->wr.wr.atomic.rkey = VALUE_rkey;
}

VERBS void fill_list(struct bench_request *r, int entries)
{
	for (int i = 0; i < entries; i++) {
		r->list[i].addr = VALUE_addr;
		r->list[i].length = VALUE_byte_count;
		r->list[i].lkey = VALUE_lkey;
	}
	r->wr.num_sge = entries;
}

VERBS void fill_sge(struct bench_request *r)
{
	fill_list(r, 1);
}

VERBS void fill_sge4(struct bench_request *r)
{
	fill_list(r, 4);
}

VERBS void fill_inlined(struct bench_request *r, uint32_t length)
{
	r->list[0].addr = (uintptr_t)bench_payload;
	r->list[0].length = length;
	r->wr.num_sge = 1;
	r->wr.send_flags |= IBV_SEND_INLINE;
}

VERBS void fill_inline28(struct bench_request *r)
{
	fill_inlined(r, 28);
}

VERBS void fill_inline200(struct bench_request *r)
{
	fill_inlined(r, 200);
}

VERBS void fill_ud_av(struct bench_request *r)
{
	r->wr.wr.ud.ah = bench_their_ah;
	r->wr.wr.ud.remote_qpn = VALUE_dqp_dct;
	r->wr.wr.ud.remote_qkey = VALUE_qkey;
}

VERBS void fill_xrc(struct bench_request *r)
{
	r->wr.qp_type.xrc.remote_srqn = VALUE_xrc_srqn;
}

#endif
