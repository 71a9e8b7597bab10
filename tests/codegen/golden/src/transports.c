/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#include "segue/gen/transports.h"

#include <stddef.h>

#include "segue/gen/enums.h"
#include "segue/gen/tables.h"

static const struct segue_transport_state dc_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing moves.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_NONE,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Everything is flushed.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_NONE,
		},
};

static const struct segue_transition dc_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PORT,
			.doc = "",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.by_device = true,
			.doc = "A request failed.",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "",
		},
};

const struct segue_transport_table segue_dc_transport = {
	.name = "dc",
	.doc = "Another peer with each request.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RTS,
	.states = dc_states,
	.table = dc_table,
};

static const struct segue_transport_state rc_states[7] = {
	[SEGUE_QP_STATE_RESET] =
		{
			.name = "RESET",
			.doc = "Nothing moves.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_REJECT,
		},
	[SEGUE_QP_STATE_INIT] =
		{
			.name = "INIT",
			.doc = "Receives may be posted.",
			.send = SEGUE_POST_REJECT,
			.recv = SEGUE_POST_QUEUE,
		},
	[SEGUE_QP_STATE_RTS] =
		{
			.name = "RTS",
			.doc = "Fully working.",
			.send = SEGUE_POST_PROCESS,
			.recv = SEGUE_POST_PROCESS,
			.needs = SEGUE_QP_ATTR_PORT | SEGUE_QP_ATTR_AV,
		},
	[SEGUE_QP_STATE_ERR] =
		{
			.name = "ERR",
			.doc = "Everything is flushed.",
			.send = SEGUE_POST_FLUSH,
			.recv = SEGUE_POST_FLUSH,
		},
};

static const struct segue_transition rc_table[7 * 7] = {
	[SEGUE_QP_STATE_RESET * 7 + SEGUE_QP_STATE_INIT] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_PORT,
			.doc = "",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RTS] =
		{
			.valid = true,
			.required = SEGUE_QP_ATTR_AV,
			.optional = SEGUE_QP_ATTR_TIMEOUT,
			.doc = "Connects to the peer.",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_ERR] =
		{
			.valid = true,
			.doc = "",
		},
	[SEGUE_QP_STATE_INIT * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "",
		},
	[SEGUE_QP_STATE_RTS * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "",
		},
	[SEGUE_QP_STATE_ERR * 7 + SEGUE_QP_STATE_RESET] =
		{
			.valid = true,
			.doc = "",
		},
};

const struct segue_transport_table segue_rc_transport = {
	.name = "rc",
	.doc = "One peer, in order, acknowledged.",
	.n_states = 7,
	.initial = SEGUE_QP_STATE_RESET,
	.number_at = SEGUE_QP_STATE_RESET,
	.states = rc_states,
	.table = rc_table,
};

const struct segue_enum_desc *const seguei_states = &segue_qp_state_desc;
const struct segue_enum_desc *const seguei_attributes = &segue_qp_attr_desc;

const struct segue_transport_table *const segue_transports[] = {
	/* dc */
	&segue_dc_transport,
	/* rc */
	&segue_rc_transport,
	/* the end */
	NULL,
};
