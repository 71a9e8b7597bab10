/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/work_requests/recv_srq.yaml by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_SRQ_H
#define SEGUE_GEN_SRQ_H

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
struct segue_srq_may_take_sge {
	struct seguei_recv b;
};

struct segue_srq_complete {
	struct seguei_recv b;
};

/**
 * Posts buffers for one message to a shared receive queue. The entry starts with the link to the
 * next free entry, which stays as it is while posting.
 */
SEGUE_BUILD struct segue_srq_may_take_sge seguei_srq_begin_recv_srq(struct segue_srq *srq,
								    uint64_t wr_id)
{
	struct segue_srq_may_take_sge w;

	w.b = seguei_srq_begin(srq, wr_id);
	return w;
}

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 */
SEGUE_BUILD struct segue_srq_may_take_sge seguei_srq_may_take_sge_sge(
	struct segue_srq_may_take_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_srq_may_take_sge to;
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
SEGUE_BUILD struct segue_srq_may_take_sge seguei_srq_may_take_sge_sge_list(
	struct segue_srq_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_srq_may_take_sge to;

	seguei_recv_step(&w.b, "segue_sge_list()");
	seguei_recv_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

SEGUE_INLINE int seguei_srq_may_take_sge_commit(struct segue_srq_may_take_sge w)
{
	return seguei_srq_commit_only(&w.b, &segue_srq_machine);
}

SEGUE_INLINE int seguei_srq_may_take_sge_post(struct segue_srq_may_take_sge w)
{
	return seguei_srq_post(&w.b, &segue_srq_machine);
}

SEGUE_INLINE int seguei_srq_complete_commit(struct segue_srq_complete w)
{
	return seguei_srq_commit_only(&w.b, &segue_srq_machine);
}

SEGUE_INLINE int seguei_srq_complete_post(struct segue_srq_complete w)
{
	return seguei_srq_post(&w.b, &segue_srq_machine);
}

/**
 * Arguments of segue_post_recv_srq(). Posts buffers for one message to a shared receive queue. The
 * entry starts with the link to the next free entry, which stays as it is while posting.
 */
struct segue_srq_recv_srq_args {
	uint64_t wr_id;			   /* returned with the completion */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count;		   /* entries */
};

SEGUE_INLINE int seguei_srq_post_recv_srq(struct segue_srq *srq,
					  const struct segue_srq_recv_srq_args *args)
{
	struct segue_srq_may_take_sge w0;
	struct segue_srq_may_take_sge w1;

	w0 = seguei_srq_begin_recv_srq(srq, args->wr_id);
	w1 = seguei_srq_may_take_sge_sge_list(w0, args->sges, args->sge_count);
	return seguei_srq_may_take_sge_post(w1);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
