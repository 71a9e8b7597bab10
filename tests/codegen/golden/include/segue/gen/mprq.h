/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/work_requests/recv_mprq.yaml by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_MPRQ_H
#define SEGUE_GEN_MPRQ_H

#include "segue/gen/machines.h"
#include "segue/gen/recv_put.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_mprq_wants_sge {
	struct seguei_recv b;
};

struct segue_mprq_may_take_sge {
	struct seguei_recv b;
};

struct segue_mprq_complete {
	struct seguei_recv b;
};

/**
 * Posts buffers to a striding receive queue. The device cuts them into strides and puts several
 * messages into one entry: DPDK gives one buffer for all strides, UCX one buffer per stride. On a
 * queue that is not linked the first 16 bytes are zero.
 */
SEGUE_BUILD struct segue_mprq_wants_sge seguei_mprq_begin_recv_mprq(struct segue_mprq *mprq,
								    uint64_t wr_id)
{
	struct segue_mprq_wants_sge w;

	w.b = seguei_mprq_begin(mprq, wr_id);
	return w;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_mprq_may_take_sge seguei_mprq_wants_sge_sge(struct segue_mprq_wants_sge w,
								     uint64_t addr,
								     uint32_t byte_count,
								     uint32_t lkey)
{
	struct segue_mprq_may_take_sge to;
	struct segue_seg_data v;

	seguei_recv_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_recv_put_data(&w.b, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_mprq_may_take_sge seguei_mprq_may_take_sge_sge(
	struct segue_mprq_may_take_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_mprq_may_take_sge to;
	struct segue_seg_data v;

	seguei_recv_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_recv_put_data(&w.b, &v);
	to.b = w.b;
	return to;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_mprq_may_take_sge seguei_mprq_may_take_sge_sge_list(
	struct segue_mprq_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_mprq_may_take_sge to;

	seguei_recv_step(&w.b, "segue_sge_list()");
	seguei_recv_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

SEGUE_INLINE int seguei_mprq_may_take_sge_commit(struct segue_mprq_may_take_sge w)
{
	return seguei_mprq_commit_only(&w.b, &segue_mprq_machine);
}

SEGUE_INLINE int seguei_mprq_may_take_sge_post(struct segue_mprq_may_take_sge w)
{
	return seguei_mprq_post(&w.b, &segue_mprq_machine);
}

SEGUE_INLINE int seguei_mprq_complete_commit(struct segue_mprq_complete w)
{
	return seguei_mprq_commit_only(&w.b, &segue_mprq_machine);
}

SEGUE_INLINE int seguei_mprq_complete_post(struct segue_mprq_complete w)
{
	return seguei_mprq_post(&w.b, &segue_mprq_machine);
}

/**
 * Arguments of segue_post_recv_mprq(). Posts buffers to a striding receive queue. The device cuts
 * them into strides and puts several messages into one entry: DPDK gives one buffer for all
 * strides, UCX one buffer per stride. On a queue that is not linked the first 16 bytes are zero.
 */
struct segue_mprq_recv_mprq_args {
	/* returned with the completion */
	uint64_t wr_id;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* the entries */
	const struct segue_seg_data *sges;
	/* entries */
	uint32_t sge_count;
};

SEGUE_INLINE int seguei_mprq_post_recv_mprq(struct segue_mprq *mprq,
					    const struct segue_mprq_recv_mprq_args *args)
{
	struct segue_mprq_wants_sge w0;
	struct segue_mprq_may_take_sge w1;
	struct segue_mprq_may_take_sge w2;

	w0 = seguei_mprq_begin_recv_mprq(mprq, args->wr_id);
	w1 = seguei_mprq_wants_sge_sge(w0, args->addr, args->byte_count, args->lkey);
	w2 = seguei_mprq_may_take_sge_sge_list(w1, args->sges, args->sge_count);
	return seguei_mprq_may_take_sge_post(w2);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
