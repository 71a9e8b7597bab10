/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* What can be begun on the queues whose structs are written by hand. */
#ifndef SEGUE_GEN_HANDLES_H
#define SEGUE_GEN_HANDLES_H

#include "segue/step.h"

#define SEGUEI_STEPS_OF_RQ SEGUEI_HAS_STEP(segue_post_recv) SEGUEI_HAS_STEP(segue_recv) SEGUEI_HAS_STEP(segue_ring)
#define SEGUEI_STEPS_OF_SRQ SEGUEI_HAS_STEP(segue_post_srq_recv) SEGUEI_HAS_STEP(segue_ring) SEGUEI_HAS_STEP(segue_srq_recv)
#endif
