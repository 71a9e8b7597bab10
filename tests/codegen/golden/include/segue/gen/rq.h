/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base/recv.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_RQ_H
#define SEGUE_GEN_RQ_H

#include "segue/gen/machines.h"
#include "segue/gen/steps.h"

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
#define SEGUEI_RQ_ENDS SEGUEI_HAS_END(commit, rq_end_commit, int) \
	 SEGUEI_HAS_END(post, rq_end_post, int)

struct segue_rq_recv_may_take_sge {
	SEGUEI_HAS_STEP(sge, recv_step_data_sge, rq_recv_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, recv_step_data_sge_list, rq_recv_may_take_sge)
	SEGUEI_RQ_ENDS
	SEGUEI_NEXT(commit_or_post_or_sge_or_sge_list)
	struct seguei_recv b;
} SEGUEI_STATE;

struct segue_rq_recv_complete {
	SEGUEI_RQ_ENDS
	SEGUEI_NEXT(commit_or_post)
	struct seguei_recv b;
} SEGUEI_STATE;

/** Takes one message. */
SEGUE_BUILD struct seguei_recv seguei_rq_begin_recv(struct segue_rq *rq, uint64_t wr_id)
{
	return seguei_rq_begin(rq, wr_id);
}

SEGUE_BUILD int seguei_rq_end_commit(struct seguei_recv b)
{
	return seguei_rq_commit_only(&b, &segue_rq_machine);
}

SEGUE_BUILD int seguei_rq_end_post(struct seguei_recv b)
{
	return seguei_rq_post(&b, &segue_rq_machine);
}

/** Arguments of segue_post_recv(). Takes one message. */
struct segue_rq_recv_args {
	uint64_t wr_id; /* returned with the completion */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_rq_post_recv(struct segue_rq *rq, const struct segue_rq_recv_args *args)
{
	struct seguei_recv b;

	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_recv", "sges");
	b = seguei_rq_begin_recv(rq, args->wr_id);
	b = seguei_recv_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_rq_end_post(b);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
