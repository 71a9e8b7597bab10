/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/recv.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_RQ_H
#define SEGUE_GEN_RQ_H

#include "segue/commit.h"
#include "segue/gen/machines.h"
#include "segue/gen/put.h"
#include "segue/step.h"

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
struct segue_rq_recv_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_post_or_sge_or_sge_list)
	struct seguei_recv b;
};

struct segue_rq_recv_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_NEXT(commit_or_post)
	struct seguei_recv b;
};

/** Takes one message. */
SEGUE_BUILD struct segue_rq_recv_may_take_sge seguei_rq_begin_recv(struct segue_rq *rq,
		uint64_t wr_id)
{
	struct segue_rq_recv_may_take_sge w;

	w.b = seguei_rq_begin(rq, wr_id);
	return w;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rq_recv_may_take_sge seguei_rq_recv_may_take_sge_sge(
		struct segue_rq_recv_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_rq_recv_may_take_sge to;
	struct segue_seg_data v;

	seguei_recv_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_recv_put_data(&w.b, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rq_recv_may_take_sge seguei_rq_recv_may_take_sge_sge_list(
		struct segue_rq_recv_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_rq_recv_may_take_sge to;

	seguei_recv_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_recv_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

SEGUE_BUILD int seguei_rq_recv_may_take_sge_commit(struct segue_rq_recv_may_take_sge w)
{
	return seguei_rq_commit_only(&w.b, SEGUEI_MACHINE(segue_rq_machine));
}

SEGUE_BUILD int seguei_rq_recv_may_take_sge_post(struct segue_rq_recv_may_take_sge w)
{
	return seguei_rq_post(&w.b, SEGUEI_MACHINE(segue_rq_machine));
}

SEGUE_BUILD int seguei_rq_recv_complete_commit(struct segue_rq_recv_complete w)
{
	return seguei_rq_commit_only(&w.b, SEGUEI_MACHINE(segue_rq_machine));
}

SEGUE_BUILD int seguei_rq_recv_complete_post(struct segue_rq_recv_complete w)
{
	return seguei_rq_post(&w.b, SEGUEI_MACHINE(segue_rq_machine));
}

/** Arguments of segue_post_recv(). Takes one message. */
struct segue_rq_recv_args {
	uint64_t wr_id; /* returned with the completion */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_rq_post_recv(struct segue_rq *rq, const struct segue_rq_recv_args *args)
{
	struct segue_rq_recv_may_take_sge w0;
	struct segue_rq_recv_may_take_sge w1;

	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_recv", "sges");
	w0 = seguei_rq_begin_recv(rq, args->wr_id);
	w1 = seguei_rq_recv_may_take_sge_sge_list(w0, args->sges, args->sge_count);
	return seguei_rq_recv_may_take_sge_post(w1);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
