/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/* The states and transitions of all transports. */
#ifndef SEGUE_GEN_TRANSPORTS_H
#define SEGUE_GEN_TRANSPORTS_H

#include "segue/tables.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct segue_transport_table segue_dc_transport;
extern const struct segue_transport_table segue_rc_transport;

/* The enums of their states and attributes. NULL if the device names none. */
extern const struct segue_enum_desc *const seguei_states, *const seguei_attributes;

/* All of them, sorted by name, and a NULL. */
extern const struct segue_transport_table *const segue_transports[];

#ifdef __cplusplus
}
#endif

#endif
