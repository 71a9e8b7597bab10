/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/fragments, spec/mlx5/transports, spec/mlx5/work_requests,
 * spec/verbs/transports by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
/* The automata of all queues as data: for the validator, the decoder and whoever walks raw WQEs. */
#ifndef SEGUE_GEN_MACHINES_H
#define SEGUE_GEN_MACHINES_H

#include "segue/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct segue_machine segue_dci_machine;
extern const struct segue_machine segue_raw_packet_machine;
extern const struct segue_machine segue_rc_machine;
extern const struct segue_machine segue_uc_machine;
extern const struct segue_machine segue_ud_machine;
extern const struct segue_machine segue_xrc_initiator_machine;
extern const struct segue_machine segue_rq_machine;
extern const struct segue_machine segue_srq_machine;
extern const struct segue_machine segue_mprq_machine;

extern const struct segue_control_desc segue_control;

/* All machines, sorted by name, and a NULL. */
extern const struct segue_machine *const segue_machines[];

#ifdef __cplusplus
}
#endif

#endif
