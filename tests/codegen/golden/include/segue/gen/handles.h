/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* The requests that can be begun on queues with hand-written structs. */
#ifndef SEGUE_GEN_HANDLES_H
#define SEGUE_GEN_HANDLES_H

#include "segue/detail/step.h"

#define SEGUEI_STEPS_OF_RQ \
	SEGUEI_HAS_END(post_recv, rq_post_recv, int) \
	SEGUEI_HAS_STEP(recv, rq_begin_recv, rq_recv_may_take_sge) \
	SEGUEI_HAS_END(ring_doorbell, rq_ring, void)
#define SEGUEI_STEPS_OF_SRQ \
	SEGUEI_HAS_END(post_srq_recv, srq_post_srq_recv, int) \
	SEGUEI_HAS_END(ring_doorbell, srq_ring, void) \
	SEGUEI_HAS_STEP(srq_recv, srq_begin_srq_recv, srq_srq_recv_may_take_sge)
#endif
