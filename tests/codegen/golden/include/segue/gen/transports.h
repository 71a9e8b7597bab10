/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/transports, spec/verbs/transports by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
/* The states and transitions of all transports. */
#ifndef SEGUE_GEN_TRANSPORTS_H
#define SEGUE_GEN_TRANSPORTS_H

#include "segue/transport.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct segue_transport segue_dci_transport;
extern const struct segue_transport segue_dct_transport;
extern const struct segue_transport segue_raw_packet_transport;
extern const struct segue_transport segue_rc_transport;
extern const struct segue_transport segue_uc_transport;
extern const struct segue_transport segue_ud_transport;
extern const struct segue_transport segue_xrc_initiator_transport;
extern const struct segue_transport segue_xrc_target_transport;

/* All of them, sorted by name, and a NULL. */
extern const struct segue_transport *const segue_transports[];

#ifdef __cplusplus
}
#endif

#endif
