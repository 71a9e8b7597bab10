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
extern "C" {
#endif

/*
 * A work request under construction. The name of each type is the steps that it expects. A type
 * that begins with may_take, or is called complete, can be posted.
 */
struct segue_rq_recv_may_take_sge {
	SEGUEI_HAS_STEP(sge, recv_step_data_sge, rq_recv_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, recv_step_data_sge_list, rq_recv_may_take_sge)
	SEGUEI_RECV_ENDS(rq)
	SEGUEI_NEXT(recv, commit_or_post_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_rq_recv_complete {
	SEGUEI_RECV_ENDS(rq)
	SEGUEI_NEXT(recv, commit_or_post)
} SEGUEI_STATE;

/** Takes one message. */
SEGUEI_BUILD struct seguei_recv seguei_rq_begin_recv(struct segue_rq *rq, uint64_t wr_id)
{
	return seguei_rq_begin(rq, wr_id);
}

SEGUEI_BUILD int seguei_rq_end_commit(struct seguei_recv b)
{
	return seguei_rq_commit_only(&b, SEGUEI_MACHINE(segue_rq_machine));
}

SEGUEI_BUILD int seguei_rq_end_post(struct seguei_recv b)
{
	return seguei_rq_post(&b, SEGUEI_MACHINE(segue_rq_machine));
}

/** Arguments of segue_post_recv(). Takes one message. */
struct segue_rq_recv_args {
	uint64_t wr_id; /* returned with the completion */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUEI_BUILD int seguei_rq_post_recv(struct segue_rq *rq, const struct segue_rq_recv_args *args)
{
	struct seguei_recv b;

	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_recv", "sges");
	b = seguei_rq_begin_recv(rq, args->wr_id);
	b = seguei_recv_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_rq_end_post(b);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
