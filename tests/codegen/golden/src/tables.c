/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/next.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#include "segue/gen/tables.h"

#include "segue/gen/enums.h"

static const struct segue_member_desc completion_mode_members[] = {
	{
		.name = "ON_ERROR",
		.doc = "On error only.",
		.source = "own:made up for tests",
		.value = SEGUE_COMPLETION_MODE_ON_ERROR,
	},
	{
		.name = "ALWAYS",
		.doc = "Always.",
		.source = "own:made up for tests",
		.value = SEGUE_COMPLETION_MODE_ALWAYS,
	},
};

const struct segue_enum_desc segue_completion_mode_desc = {
	.name = "completion_mode",
	.doc = "When a completion is written.",
	.bits = 2,
	.member_count = 2,
	.members = completion_mode_members,
};

static const struct segue_member_desc holder_members[] = {
	{
		.name = "READ",
		.doc = "May read.",
		.source = "own:made up for tests",
		.value = SEGUE_HOLDER_READ,
	},
	{
		.name = "WRITE",
		.doc = "May write.",
		.source = "own:made up for tests",
		.value = SEGUE_HOLDER_WRITE,
	},
	{
		.name = "ALL",
		.doc = "May do both.",
		.source = "own:made up for tests",
		.value = SEGUE_HOLDER_ALL,
	},
};

const struct segue_enum_desc segue_holder_desc = {
	.name = "holder",
	.doc = "What a key allows.",
	.bits = 8,
	.flags = true,
	.member_count = 3,
	.members = holder_members,
};

static const struct segue_member_desc opcode_members[] = {
	{
		.name = "NOP",
		.doc = "No operation.",
		.source = "own:made up for tests",
		.value = SEGUE_OPCODE_NOP,
	},
	{
		.name = "WRITE",
		.doc = "Writes to the peer.",
		.source = "own:made up for tests",
		.value = SEGUE_OPCODE_WRITE,
	},
	{
		.name = "SEND",
		.doc = "Sends to the peer.",
		.source = "own:made up for tests",
		.value = SEGUE_OPCODE_SEND,
	},
	{
		.name = "TABLE",
		.doc = "Loads a table.",
		.source = "own:made up for tests",
		.value = SEGUE_OPCODE_TABLE,
	},
	{
		.name = "MIX",
		.doc = "Does a bit of everything.",
		.source = "own:made up for tests",
		.value = SEGUE_OPCODE_MIX,
	},
};

const struct segue_enum_desc segue_opcode_desc = {
	.name = "opcode",
	.doc = "Operations of the test set.",
	.bits = 8,
	.member_count = 5,
	.members = opcode_members,
};

static const struct segue_member_desc post_flag_members[] = {
	{
		.name = "SIGNALED",
		.doc = "The completion is reported.",
		.source = "own:made up for tests",
		.value = SEGUE_SIGNALED,
	},
	{
		.name = "SOLICITED",
		.doc = "The peer is woken.",
		.source = "own:made up for tests",
		.value = SEGUE_SOLICITED,
	},
};

const struct segue_enum_desc segue_post_flag_desc = {
	.name = "post_flag",
	.doc = "Flags that a caller gives with a request.",
	.bits = 8,
	.flags = true,
	.member_count = 2,
	.members = post_flag_members,
};

static const struct segue_member_desc qp_attr_members[] = {
	{
		.name = "STATE",
		.doc = "The state itself.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_ATTR_STATE,
	},
	{
		.name = "PORT",
		.doc = "The port.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_ATTR_PORT,
	},
	{
		.name = "AV",
		.doc = "The way to the peer.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_ATTR_AV,
	},
	{
		.name = "TIMEOUT",
		.doc = "How long to wait for an answer.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_ATTR_TIMEOUT,
	},
};

const struct segue_enum_desc segue_qp_attr_desc = {
	.name = "qp_attr",
	.doc = "Attributes that a transition sets.",
	.bits = 32,
	.flags = true,
	.member_count = 4,
	.members = qp_attr_members,
};

static const struct segue_member_desc qp_state_members[] = {
	{
		.name = "RESET",
		.doc = "Nothing moves.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_STATE_RESET,
	},
	{
		.name = "INIT",
		.doc = "Receives may be posted.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_STATE_INIT,
	},
	{
		.name = "RTS",
		.doc = "Fully working.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_STATE_RTS,
	},
	{
		.name = "ERR",
		.doc = "Everything is flushed.",
		.source = "own:made up for tests",
		.value = SEGUE_QP_STATE_ERR,
	},
};

const struct segue_enum_desc segue_qp_state_desc = {
	.name = "qp_state",
	.doc = "States of a queue pair.",
	.bits = 4,
	.member_count = 4,
	.members = qp_state_members,
};

static const struct segue_member_desc wqe_members[] = {
	{
		.name = "UNIT_SIZE",
		.doc = "Bytes of one unit.",
		.source = "own:made up for tests",
		.value = SEGUE_WQE_UNIT_SIZE,
	},
	{
		.name = "MAX_UNITS",
		.doc = "Units of the largest entry.",
		.source = "own:made up for tests",
		.value = SEGUE_WQE_MAX_UNITS,
	},
	{
		.name = "BLOCK_SIZE",
		.doc = "Bytes of one block.",
		.source = "own:made up for tests",
		.value = SEGUE_WQE_BLOCK_SIZE,
	},
};

const struct segue_enum_desc segue_wqe_desc = {
	.name = "wqe",
	.doc = "Sizes of a work queue entry.",
	.bits = 8,
	.member_count = 3,
	.members = wqe_members,
};

static const struct segue_field_desc seg_av_fields[] = {
	{
		.name = "key",
		.doc = "Key of the peer.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "dct",
		.doc = "Number of the peer.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "mac",
		.doc = "Last bytes of the peer's Ethernet address.",
		.byte = 12,
		.word = 0,
		.lsb = 0,
		.width = 32,
	},
	{
		.name = "bits 31:24 of dword 2",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_av_desc = {
	.name = "av",
	.doc = "Address vector of the peer.",
	.size = 16,
	.field_count = 4,
	.fields = seg_av_fields,
};

static const struct segue_field_desc seg_ctrl_fields[] = {
	{
		.name = "opmod",
		.doc = "Modifies the opcode.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "wqe_index",
		.doc = "Number of the entry's first block.",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "opcode",
		.doc = "The operation.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue.",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "ds",
		.doc = "Length of the entry.",
		.unit = "16 bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 6,
		.min = 0x1u,
		.max = 0x3fu,
	},
	{
		.name = "ce",
		.doc = "When a completion is written.",
		.byte = 8,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x2u,
		.enumeration = &segue_completion_mode_desc,
		.closed = true,
	},
	{
		.name = "se",
		.doc = "Solicited event.",
		.byte = 8,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "stream",
		.doc = "Stream of the queue.",
		.byte = 8,
		.word = 32,
		.lsb = 8,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "imm",
		.doc = "Immediate data.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "bits 7:6 of dword 1",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 6,
		.width = 2,
		.reserved = true,
	},
	{
		.name = "bits 31:24 of dword 2",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "bits 7:4 of dword 2",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.reserved = true,
	},
	{
		.name = "bits 0:0 of dword 2",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_ctrl_desc = {
	.name = "ctrl",
	.doc = "Control segment of the test set.",
	.size = 16,
	.field_count = 13,
	.fields = seg_ctrl_fields,
};

static const uint64_t seg_data_lkey_never[] = {
	0x100u,
};

static const struct segue_field_desc seg_data_fields[] = {
	{
		.name = "is_inline",
		.doc = "Tells it from inline data.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "byte_count",
		.doc = "Length.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 31,
		.has_zero_means = true,
		.zero_means = 0x80000000u,
		.min = 0x1u,
		.max = 0x80000000u,
	},
	{
		.name = "lkey",
		.doc = "Key of the piece.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
		.never = seg_data_lkey_never,
		.never_count = 1,
	},
	{
		.name = "addr",
		.doc = "First byte.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_data_desc = {
	.name = "data",
	.doc = "One piece of local memory.",
	.size = 16,
	.field_count = 4,
	.fields = seg_data_fields,
};

static const struct segue_field_desc seg_data_end_fields[] = {
	{
		.name = "byte_count",
		.doc = "Always zero.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "lkey",
		.doc = "The invalid key.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x100u,
	},
	{
		.name = "bits 63:0 of dword 2",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_data_end_desc = {
	.name = "data_end",
	.doc = "Ends a list of pieces that does not fill its stride.",
	.size = 16,
	.field_count = 3,
	.fields = seg_data_end_fields,
};

static const struct segue_field_desc seg_entry_fields[] = {
	{
		.name = "addr",
		.doc = "First byte.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "length",
		.doc = "Length in bytes.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_entry_desc = {
	.name = "entry",
	.doc = "One entry of the table.",
	.size = 16,
	.field_count = 2,
	.fields = seg_entry_fields,
};

static const struct segue_field_desc seg_inline_data_fields[] = {
	{
		.name = "is_inline",
		.doc = "Tells it from a piece of memory.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "byte_count",
		.doc = "Length.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 10,
		.min = 0x1u,
		.max = 0x3ffu,
	},
	{
		.name = "bits 30:10 of dword 0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 10,
		.width = 21,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_inline_data_desc = {
	.name = "inline_data",
	.doc = "Payload inside the entry.",
	.size = 4,
	.field_count = 3,
	.fields = seg_inline_data_fields,
	.has_tail = true,
	.tail_at = 4,
	.tail_length = 1, /* byte_count */
	.tail_pad = 16,
	.tail_min_size = 16,
};

static const struct segue_field_desc seg_next_fields[] = {
	{
		.name = "next_wqe_index",
		.doc = "The entry behind this one.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "bits 31:16 of dword 0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "bits 63:0 of dword 1",
		.doc = "",
		.byte = 4,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "bits 31:0 of dword 3",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_next_desc = {
	.name = "next",
	.doc = "Link of the shared queue.",
	.size = 16,
	.field_count = 4,
	.fields = seg_next_fields,
};

static const struct segue_field_desc seg_raddr_fields[] = {
	{
		.name = "remote_addr",
		.doc = "First byte of the target.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "rkey",
		.doc = "Key of the target.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "bits 31:0 of dword 3",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_raddr_desc = {
	.name = "raddr",
	.doc = "Remote address segment. Says where the operation lands.",
	.size = 16,
	.field_count = 3,
	.fields = seg_raddr_fields,
};

static const struct segue_field_desc seg_table_ctrl_fields[] = {
	{
		.name = "entries",
		.doc = "Length of the table with its padding.",
		.unit = "16 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "rights",
		.doc = "Who may use it.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_holder_desc,
		.closed = true,
	},
	{
		.name = "owner",
		.doc = "Name of the owner.",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 64,
	},
	{
		.name = "bits 31:8 of dword 0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "bits 31:8 of dword 1",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_table_ctrl_desc = {
	.name = "table_ctrl",
	.doc = "Says how long the table is and who may use it.",
	.size = 16,
	.field_count = 5,
	.fields = seg_table_ctrl_fields,
};

static const struct segue_field_desc cqe_cqe_ok_fields[] = {
	{
		.name = "byte_cnt",
		.doc = "Length of the message.",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "opcode",
		.doc = "What the completion is for.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "bytes 0 to 43",
		.doc = "",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 352,
		.reserved = true,
	},
	{
		.name = "bytes 48 to 59",
		.doc = "",
		.byte = 48,
		.word = 0,
		.lsb = 0,
		.width = 96,
		.reserved = true,
	},
	{
		.name = "bits 31:8 of dword 15",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "bits 3:0 of dword 15",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 4,
		.reserved = true,
	},
};

static const uint64_t cqe_cqe_ok_opcode_match[] = {
	0x0u,
	0x2u,
};

static const struct segue_match_desc cqe_cqe_ok_matches[] = {
	{
		.field = 1, /* opcode */
		.value_count = 2,
		.values = cqe_cqe_ok_opcode_match,
	},
};

const struct segue_segment_desc segue_cqe_ok_desc = {
	.name = "cqe_ok",
	.doc = "A request succeeded.",
	.size = 64,
	.is_cqe = true,
	.field_count = 6,
	.fields = cqe_cqe_ok_fields,
	.match_count = 1,
	.matches = cqe_cqe_ok_matches,
};

const struct segue_enum_desc *const segue_enums[] = {
	[SEGUE_ENUM_COMPLETION_MODE_ID] = &segue_completion_mode_desc,
	[SEGUE_ENUM_HOLDER_ID] = &segue_holder_desc,
	[SEGUE_ENUM_OPCODE_ID] = &segue_opcode_desc,
	[SEGUE_ENUM_POST_FLAG_ID] = &segue_post_flag_desc,
	[SEGUE_ENUM_QP_ATTR_ID] = &segue_qp_attr_desc,
	[SEGUE_ENUM_QP_STATE_ID] = &segue_qp_state_desc,
	[SEGUE_ENUM_WQE_ID] = &segue_wqe_desc,
	[SEGUE_ENUM_COUNT] = NULL,
};

const struct segue_segment_desc *const segue_segments[] = {
	[SEGUE_SEG_AV_ID] = &segue_seg_av_desc,
	[SEGUE_SEG_CTRL_ID] = &segue_seg_ctrl_desc,
	[SEGUE_SEG_DATA_ID] = &segue_seg_data_desc,
	[SEGUE_SEG_DATA_END_ID] = &segue_seg_data_end_desc,
	[SEGUE_SEG_ENTRY_ID] = &segue_seg_entry_desc,
	[SEGUE_SEG_INLINE_DATA_ID] = &segue_seg_inline_data_desc,
	[SEGUE_SEG_NEXT_ID] = &segue_seg_next_desc,
	[SEGUE_SEG_RADDR_ID] = &segue_seg_raddr_desc,
	[SEGUE_SEG_TABLE_CTRL_ID] = &segue_seg_table_ctrl_desc,
	[SEGUE_SEGMENT_COUNT] = NULL,
};

const struct segue_segment_desc *const segue_cqes[] = {
	[SEGUE_CQE_OK_ID] = &segue_cqe_ok_desc,
	[SEGUE_CQE_COUNT] = NULL,
};
