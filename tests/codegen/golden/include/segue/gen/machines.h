/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* The automata of all queues as data, for the validator, the decoder and other code that walks raw WQEs. */
#ifndef SEGUE_GEN_MACHINES_H
#define SEGUE_GEN_MACHINES_H

#include "segue/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct segue_machine segue_dc_machine;
extern const struct segue_machine segue_rc_machine;
extern const struct segue_machine segue_rq_machine;
extern const struct segue_machine segue_srq_machine;

/* Most list sizes that the requests of a queue announce. At least one, because C has no empty arrays. */
enum {
	SEGUEI_ANNOUNCED_TABLE_CTRL_ENTRIES,
	SEGUEI_ANNOUNCED_COUNT,
	SEGUEI_ANNOUNCED_MOST = SEGUEI_ANNOUNCED_COUNT ? SEGUEI_ANNOUNCED_COUNT : 1,
	/* most numbers that a control segment counts beside the length of its request */
	SEGUEI_SUMS_MOST = 1,
};

/* Flags that each request may have, of enum segue_post_flag. */
#define SEGUEI_MAY_LOAD_TABLE 0u
#define SEGUEI_MAY_MIX (SEGUE_SIGNALED | SEGUE_SOLICITED)
#define SEGUEI_MAY_NOP (SEGUE_SIGNALED)
#define SEGUEI_MAY_SEND SEGUEI_MAY_MIX
#define SEGUEI_MAY_WRITE SEGUEI_MAY_NOP

extern const struct segue_control_desc segue_control;

/* All machines, sorted by name, and a NULL. */
extern const struct segue_machine *const segue_machines[];

#ifdef __cplusplus
}
#endif

#endif
