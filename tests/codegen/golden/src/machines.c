/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#include "segue/gen/machines.h"

#include <stddef.h>

#include "segue/gen/enums.h"
#include "segue/gen/tables.h"

static const struct segue_machine_symbol dc_symbols[] = {
	{
		.segment = &segue_seg_av_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
};

static const struct segue_machine_edge dc_edges[] = {
	/* av: wants_sge_or_inline_data */
	{0, 4},
	/* av: may_take_sge_or_inline_data */
	{0, 5},
	/* av: wants_raddr */
	{0, 6},
	/* data: may_take_sge */
	{1, 7},
	/* inline_data: wants_sge */
	{2, 8},
	/* data: may_take_sge */
	{1, 9},
	/* inline_data: complete */
	{2, 1},
	/* raddr: may_take_sge_or_inline_data */
	{3, 5},
	/* data: complete */
	{1, 1},
	/* data: may_take_sge */
	{1, 7},
	/* data: may_take_sge */
	{1, 9},
};

static const struct segue_machine_state dc_states[] = {
	/* 0 */
	{"wants_av", 0, 1, false},
	/* 1 */
	{"complete", 1, 0, true},
	/* 2 */
	{"wants_av", 1, 1, false},
	/* 3 */
	{"wants_av", 2, 1, false},
	/* 4 */
	{"wants_sge_or_inline_data", 3, 2, false},
	/* 5 */
	{"may_take_sge_or_inline_data", 5, 2, true},
	/* 6 */
	{"wants_raddr", 7, 1, false},
	/* 7 */
	{"may_take_sge", 8, 1, true},
	/* 8 */
	{"wants_sge", 9, 1, false},
	/* 9 */
	{"may_take_sge", 10, 1, true},
};

static const struct segue_machine_start dc_starts[] = {
	{
		.name = "mix",
		.opcode = SEGUE_OPCODE_MIX,
		.opmod = 0,
		/* wants_av */
		.to = 0,
		.flags = SEGUEI_MAY_MIX,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* complete */
		.to = 1,
		.flags = SEGUEI_MAY_NOP,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* wants_av */
		.to = 2,
		.flags = SEGUEI_MAY_SEND,
	},
	{
		.name = "write",
		.opcode = SEGUE_OPCODE_WRITE,
		.opmod = 0,
		/* wants_av */
		.to = 3,
		.flags = SEGUEI_MAY_WRITE,
	},
};

const struct segue_machine segue_dc_machine = {
	.name = "dc",
	.starts = dc_starts,
	.states = dc_states,
	.edges = dc_edges,
	.symbols = dc_symbols,
	.n_starts = 4,
	.n_states = 10,
	.send = true,
	/* stream */
	.option_flags = 0xffff00u,
};

static const struct segue_machine_fixed_value rc_fixed[] = {
	/* table_ctrl.rights */
	{1, UINT64_C(0x3)},
};

static const struct segue_machine_symbol rc_symbols[] = {
	{
		.segment = &segue_seg_table_ctrl_desc,
		.fixed = rc_fixed + 0,
		.n_fixed = 1,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_entry_desc,
		.op = SEGUE_MACHINE_SYMBOL_LIST,
		.slot = 0,
		.pad = 64,
		.head = 0,
		.entries = SEGUE_MACHINE_NO_SLOT,
		.sum = SEGUE_MACHINE_NO_SLOT,
		.min = 1,
		.max = 16,
	},
};

static const struct segue_machine_edge rc_edges[] = {
	/* table_ctrl: wants_entry_list */
	{0, 5},
	/* raddr: wants_sge_or_inline_data */
	{1, 6},
	/* data: may_take_sge */
	{2, 7},
	/* inline_data: complete */
	{3, 2},
	/* raddr: may_take_sge_or_inline_data */
	{1, 3},
	/* entry: complete */
	{4, 2},
	/* data: may_take_sge */
	{2, 8},
	/* inline_data: wants_sge */
	{3, 9},
	/* data: may_take_sge */
	{2, 7},
	/* data: complete */
	{2, 2},
	/* data: may_take_sge */
	{2, 8},
};

static const struct segue_machine_state rc_states[] = {
	/* 0 */
	{"wants_table_ctrl", 0, 1, false},
	/* 1 */
	{"wants_raddr", 1, 1, false},
	/* 2 */
	{"complete", 2, 0, true},
	/* 3 */
	{"may_take_sge_or_inline_data", 2, 2, true},
	/* 4 */
	{"wants_raddr", 4, 1, false},
	/* 5 */
	{"wants_entry_list", 5, 1, false},
	/* 6 */
	{"wants_sge_or_inline_data", 6, 2, false},
	/* 7 */
	{"may_take_sge", 8, 1, true},
	/* 8 */
	{"may_take_sge", 9, 1, true},
	/* 9 */
	{"wants_sge", 10, 1, false},
};

static const struct segue_machine_start rc_starts[] = {
	{
		.name = "load_table",
		.opcode = SEGUE_OPCODE_TABLE,
		.opmod = 1,
		/* wants_table_ctrl */
		.to = 0,
	},
	{
		.name = "mix",
		.opcode = SEGUE_OPCODE_MIX,
		.opmod = 0,
		/* wants_raddr */
		.to = 1,
		.flags = SEGUEI_MAY_MIX,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* complete */
		.to = 2,
		.flags = SEGUEI_MAY_NOP,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* may_take_sge_or_inline_data */
		.to = 3,
		.flags = SEGUEI_MAY_SEND,
	},
	{
		.name = "write",
		.opcode = SEGUE_OPCODE_WRITE,
		.opmod = 0,
		/* wants_raddr */
		.to = 4,
		.flags = SEGUEI_MAY_WRITE,
	},
};

static const struct segue_machine_announce rc_announces[] = {
	{
		.segment = &segue_seg_table_ctrl_desc,
		/* entries */
		.field = 0,
		.slot = 0,
		.unit = 16,
	},
};

const struct segue_machine segue_rc_machine = {
	.name = "rc",
	.starts = rc_starts,
	.states = rc_states,
	.edges = rc_edges,
	.symbols = rc_symbols,
	.announces = rc_announces,
	.n_announces = 1,
	.n_starts = 5,
	.n_states = 10,
	.send = true,
};

static const struct segue_machine_symbol rq_symbols[] = {
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_MACHINE_SYMBOL_TERMINATOR,
	},
};

static const struct segue_machine_edge rq_edges[] = {
	/* data: may_take_sge */
	{0, 0},
	/* data_end: complete */
	{1, 1},
};

static const struct segue_machine_state rq_states[] = {
	/* 0 */
	{"may_take_sge", 0, 2, true},
	/* 1 */
	{"complete", 2, 0, true},
};

static const struct segue_machine_start rq_starts[] = {
	{
		.name = "recv",
		/* may_take_sge */
		.to = 0,
	},
};

const struct segue_machine segue_rq_machine = {
	.name = "rq",
	.starts = rq_starts,
	.states = rq_states,
	.edges = rq_edges,
	.symbols = rq_symbols,
	.n_starts = 1,
	.n_states = 2,
	.send = false,
};

static const struct segue_machine_symbol srq_symbols[] = {
	{
		.segment = &segue_seg_next_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_MACHINE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_MACHINE_SYMBOL_TERMINATOR,
	},
};

static const struct segue_machine_edge srq_edges[] = {
	/* next: may_take_sge */
	{0, 1},
	/* data: may_take_sge */
	{1, 1},
	/* data_end: complete */
	{2, 2},
};

static const struct segue_machine_state srq_states[] = {
	/* 0 */
	{"wants_next", 0, 1, false},
	/* 1 */
	{"may_take_sge", 1, 2, true},
	/* 2 */
	{"complete", 3, 0, true},
};

static const struct segue_machine_start srq_starts[] = {
	{
		.name = "srq_recv",
		/* wants_next */
		.to = 0,
	},
};

const struct segue_machine segue_srq_machine = {
	.name = "srq",
	.starts = srq_starts,
	.states = srq_states,
	.edges = srq_edges,
	.symbols = srq_symbols,
	.n_starts = 1,
	.n_states = 3,
	.send = false,
};

static const uint16_t segue_control_flags[] = {5, 6};

const struct segue_control_desc segue_control = {
	.segment = &segue_seg_ctrl_desc,
	.unit = 16,
	.largest = 63,
	.opcode = 2,
	.opmod = 0,
	.index = 1,
	.queue = 3,
	.size = 4,
	.imm = 8,
	.n_flags = 2,
	.flags = segue_control_flags,
	.signature = SEGUE_MACHINE_NO_PART,
	.flag_names = &segue_post_flag_desc,
};

const struct segue_machine *const segue_machines[] = {
	/* dc */
	&segue_dc_machine,
	/* rc */
	&segue_rc_machine,
	/* rq */
	&segue_rq_machine,
	/* srq */
	&segue_srq_machine,
	/* the end */
	NULL,
};
