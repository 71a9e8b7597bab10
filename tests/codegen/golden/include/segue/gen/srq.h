/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/golden/spec/srq_recv.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_SRQ_H
#define SEGUE_GEN_SRQ_H

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
struct segue_srq_srq_recv_may_take_sge {
	SEGUEI_HAS_STEP(sge, recv_step_data_sge, srq_srq_recv_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, recv_step_data_sge_list, srq_srq_recv_may_take_sge)
	SEGUEI_RECV_ENDS(srq)
	SEGUEI_NEXT(recv, commit_or_post_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_srq_srq_recv_complete {
	SEGUEI_RECV_ENDS(srq)
	SEGUEI_NEXT(recv, commit_or_post)
} SEGUEI_STATE;

/** Takes one message from a shared queue. */
SEGUEI_BUILD struct seguei_recv seguei_srq_begin_srq_recv(struct segue_srq *srq, uint64_t wr_id)
{
	return seguei_srq_begin(srq, wr_id);
}

SEGUEI_BUILD int seguei_srq_end_commit(struct seguei_recv b)
{
	return seguei_srq_commit_only(&b, SEGUEI_MACHINE(segue_srq_machine));
}

SEGUEI_BUILD int seguei_srq_end_post(struct seguei_recv b)
{
	return seguei_srq_post(&b, SEGUEI_MACHINE(segue_srq_machine));
}

/** Arguments of segue_post_srq_recv(). Takes one message from a shared queue. */
struct segue_srq_srq_recv_args {
	uint64_t wr_id; /* returned with the completion */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUEI_BUILD int seguei_srq_post_srq_recv(struct segue_srq *srq,
		const struct segue_srq_srq_recv_args *args)
{
	struct seguei_recv b;

	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_srq_recv", "sges");
	b = seguei_srq_begin_srq_recv(srq, args->wr_id);
	b = seguei_recv_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_srq_end_post(b);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
