/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/fragments, spec/mlx5/transports, spec/mlx5/work_requests,
 * spec/verbs/transports by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#include "segue/gen/machines.h"

#include <stddef.h>

#include "segue/gen/enums.h"
#include "segue/gen/tables.h"

static const struct segue_fixed_value dci_fixed[] = {
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x1)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c6041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c2041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x1)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20006000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20002000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
};

static const struct segue_symbol dci_symbols[] = {
	{
		.segment = &segue_seg_av_dc_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_av_dc_compact_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = dci_fixed + 0,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = dci_fixed + 7,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = dci_fixed + 14,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mmo_metadata_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_transpose_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = dci_fixed + 21,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_bind_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_invalidate_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mmo_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_add_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bind_klm_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_cas32_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_cas64_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_fa32_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_fa64_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge dci_edges[] = {
	/* av_dc: wants_raddr_for_atomic_cs */
	{0, 20},
	/* av_dc_compact: wants_raddr_for_atomic_cs */
	{1, 20},
	/* av_dc: wants_raddr_for_atomic_fa */
	{0, 21},
	/* av_dc_compact: wants_raddr_for_atomic_fa */
	{1, 21},
	/* umr_ctrl: wants_mkey_bind */
	{2, 22},
	/* umr_ctrl: wants_mkey_bind */
	{3, 22},
	/* umr_ctrl: wants_mkey_invalidate */
	{4, 23},
	/* av_dc: wants_raddr_for_masked_atomic_cs32 */
	{0, 24},
	/* av_dc_compact: wants_raddr_for_masked_atomic_cs32 */
	{1, 24},
	/* av_dc: wants_raddr_for_masked_atomic_cs64 */
	{0, 25},
	/* av_dc_compact: wants_raddr_for_masked_atomic_cs64 */
	{1, 25},
	/* av_dc: wants_raddr_for_masked_atomic_fa32 */
	{0, 26},
	/* av_dc_compact: wants_raddr_for_masked_atomic_fa32 */
	{1, 26},
	/* av_dc: wants_raddr_for_masked_atomic_fa64 */
	{0, 27},
	/* av_dc_compact: wants_raddr_for_masked_atomic_fa64 */
	{1, 27},
	/* mmo_metadata: wants_mmo_data_for_memcpy_after_mmo_metadata */
	{5, 28},
	/* filler: may_take_filler */
	{6, 10},
	/* av_dc: wants_raddr_for_rdma_read */
	{0, 29},
	/* av_dc_compact: wants_raddr_for_rdma_read */
	{1, 29},
	/* av_dc: wants_raddr_for_rdma_write */
	{0, 30},
	/* av_dc_compact: wants_raddr_for_rdma_write */
	{1, 30},
	/* av_dc: may_take_sge_or_inline_data_for_send */
	{0, 31},
	/* av_dc_compact: may_take_sge_or_inline_data_for_send */
	{1, 31},
	/* send_en: complete */
	{7, 32},
	/* transpose: wants_sge_for_transpose_after_matrix */
	{8, 33},
	/* umr_ctrl: wants_mkey_invalidate */
	{9, 23},
	/* wait_cq: complete */
	{10, 32},
	/* wait_on_data: complete */
	{11, 32},
	/* wait_on_time: complete */
	{12, 32},
	/* raddr: wants_atomic */
	{13, 34},
	/* raddr: wants_atomic_add */
	{13, 35},
	/* mkey_bind: wants_bind_klm */
	{14, 36},
	/* mkey_invalidate: complete */
	{15, 32},
	/* raddr: wants_masked_cas32 */
	{13, 37},
	/* raddr: wants_masked_cas64 */
	{13, 38},
	/* raddr: wants_masked_fa32 */
	{13, 39},
	/* raddr: wants_masked_fa64 */
	{13, 40},
	/* mmo_data: wants_mmo_data_for_memcpy_after_mmo_data */
	{16, 41},
	/* raddr: may_take_sge */
	{13, 42},
	/* raddr: may_take_sge_or_inline_data_for_rdma_write */
	{13, 43},
	/* data: may_take_sge */
	{17, 42},
	/* inline_data: may_take_sge */
	{18, 42},
	/* data: wants_sge_for_transpose_after_sge */
	{17, 44},
	/* atomic: wants_sge_for_atomic_cs */
	{19, 45},
	/* atomic_add: wants_sge_for_atomic_cs */
	{20, 45},
	/* bind_klm: complete */
	{21, 32},
	/* masked_cas32: wants_sge_for_atomic_cs */
	{22, 45},
	/* masked_cas64: wants_sge_for_atomic_cs */
	{23, 45},
	/* masked_fa32: wants_sge_for_atomic_cs */
	{24, 45},
	/* masked_fa64: wants_sge_for_atomic_cs */
	{25, 45},
	/* mmo_data: complete */
	{16, 32},
	/* data: may_take_sge */
	{17, 42},
	/* data: may_take_sge */
	{17, 42},
	/* inline_data: complete */
	{18, 32},
	/* data: complete */
	{17, 32},
	/* data: may_take_sge */
	{17, 42},
};

static const struct segue_state dci_states[] = {
	/* 0 */
	{"wants_av_or_av_compact_for_atomic_cs", 0, 2, false},
	/* 1 */
	{"wants_av_or_av_compact_for_atomic_fa", 2, 2, false},
	/* 2 */
	{"wants_umr_ctrl_for_bind_mw", 4, 1, false},
	/* 3 */
	{"wants_umr_ctrl_for_bind_mw_type1", 5, 1, false},
	/* 4 */
	{"wants_umr_ctrl_for_local_inv", 6, 1, false},
	/* 5 */
	{"wants_av_or_av_compact_for_masked_atomic_cs32", 7, 2, false},
	/* 6 */
	{"wants_av_or_av_compact_for_masked_atomic_cs64", 9, 2, false},
	/* 7 */
	{"wants_av_or_av_compact_for_masked_atomic_fa32", 11, 2, false},
	/* 8 */
	{"wants_av_or_av_compact_for_masked_atomic_fa64", 13, 2, false},
	/* 9 */
	{"wants_mmo_metadata", 15, 1, false},
	/* 10 */
	{"may_take_filler", 16, 1, true},
	/* 11 */
	{"wants_av_or_av_compact_for_rdma_read", 17, 2, false},
	/* 12 */
	{"wants_av_or_av_compact_for_rdma_write", 19, 2, false},
	/* 13 */
	{"wants_av_or_av_compact_for_send", 21, 2, false},
	/* 14 */
	{"wants_sq_index", 23, 1, false},
	/* 15 */
	{"wants_matrix", 24, 1, false},
	/* 16 */
	{"wants_umr_ctrl_for_unbind_mw_type1", 25, 1, false},
	/* 17 */
	{"wants_cq_index", 26, 1, false},
	/* 18 */
	{"wants_data_condition", 27, 1, false},
	/* 19 */
	{"wants_time_condition", 28, 1, false},
	/* 20 */
	{"wants_raddr_for_atomic_cs", 29, 1, false},
	/* 21 */
	{"wants_raddr_for_atomic_fa", 30, 1, false},
	/* 22 */
	{"wants_mkey_bind", 31, 1, false},
	/* 23 */
	{"wants_mkey_invalidate", 32, 1, false},
	/* 24 */
	{"wants_raddr_for_masked_atomic_cs32", 33, 1, false},
	/* 25 */
	{"wants_raddr_for_masked_atomic_cs64", 34, 1, false},
	/* 26 */
	{"wants_raddr_for_masked_atomic_fa32", 35, 1, false},
	/* 27 */
	{"wants_raddr_for_masked_atomic_fa64", 36, 1, false},
	/* 28 */
	{"wants_mmo_data_for_memcpy_after_mmo_metadata", 37, 1, false},
	/* 29 */
	{"wants_raddr_for_rdma_read", 38, 1, false},
	/* 30 */
	{"wants_raddr_for_rdma_write", 39, 1, false},
	/* 31 */
	{"may_take_sge_or_inline_data_for_send", 40, 2, true},
	/* 32 */
	{"complete", 42, 0, true},
	/* 33 */
	{"wants_sge_for_transpose_after_matrix", 42, 1, false},
	/* 34 */
	{"wants_atomic", 43, 1, false},
	/* 35 */
	{"wants_atomic_add", 44, 1, false},
	/* 36 */
	{"wants_bind_klm", 45, 1, false},
	/* 37 */
	{"wants_masked_cas32", 46, 1, false},
	/* 38 */
	{"wants_masked_cas64", 47, 1, false},
	/* 39 */
	{"wants_masked_fa32", 48, 1, false},
	/* 40 */
	{"wants_masked_fa64", 49, 1, false},
	/* 41 */
	{"wants_mmo_data_for_memcpy_after_mmo_data", 50, 1, false},
	/* 42 */
	{"may_take_sge", 51, 1, true},
	/* 43 */
	{"may_take_sge_or_inline_data_for_rdma_write", 52, 2, true},
	/* 44 */
	{"wants_sge_for_transpose_after_sge", 54, 1, false},
	/* 45 */
	{"wants_sge_for_atomic_cs", 55, 1, false},
};

static const struct segue_start dci_starts[] = {
	{
		.name = "atomic_cs",
		.opcode = SEGUE_OPCODE_ATOMIC_CS,
		.opmod = 0,
		/* wants_av_or_av_compact_for_atomic_cs */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "atomic_fa",
		.opcode = SEGUE_OPCODE_ATOMIC_FA,
		.opmod = 0,
		/* wants_av_or_av_compact_for_atomic_fa */
		.to = 1,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw_type1 */
		.to = 3,
		.flags = 0xecu,
	},
	{
		.name = "local_inv",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_local_inv */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_cs32",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_CS,
		.opmod = 8,
		/* wants_av_or_av_compact_for_masked_atomic_cs32 */
		.to = 5,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_cs64",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_CS,
		.opmod = 9,
		/* wants_av_or_av_compact_for_masked_atomic_cs64 */
		.to = 6,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_fa32",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_FA,
		.opmod = 8,
		/* wants_av_or_av_compact_for_masked_atomic_fa32 */
		.to = 7,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_fa64",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_FA,
		.opmod = 9,
		/* wants_av_or_av_compact_for_masked_atomic_fa64 */
		.to = 8,
		.flags = 0xecu,
	},
	{
		.name = "memcpy",
		.opcode = SEGUE_OPCODE_MMO,
		.opmod = 1,
		/* wants_mmo_metadata */
		.to = 9,
		.flags = 0xecu,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 10,
		.flags = 0xecu,
	},
	{
		.name = "rdma_read",
		.opcode = SEGUE_OPCODE_RDMA_READ,
		.opmod = 0,
		/* wants_av_or_av_compact_for_rdma_read */
		.to = 11,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write",
		.opcode = SEGUE_OPCODE_RDMA_WRITE,
		.opmod = 0,
		/* wants_av_or_av_compact_for_rdma_write */
		.to = 12,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write_imm",
		.opcode = SEGUE_OPCODE_RDMA_WRITE_IMM,
		.opmod = 0,
		/* wants_av_or_av_compact_for_rdma_write */
		.to = 12,
		.flags = 0xeeu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* wants_av_or_av_compact_for_send */
		.to = 13,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 14,
		.flags = 0xecu,
	},
	{
		.name = "send_imm",
		.opcode = SEGUE_OPCODE_SEND_IMM,
		.opmod = 0,
		/* wants_av_or_av_compact_for_send */
		.to = 13,
		.flags = 0xeeu,
	},
	{
		.name = "send_inv",
		.opcode = SEGUE_OPCODE_SEND_INVAL,
		.opmod = 0,
		/* wants_av_or_av_compact_for_send */
		.to = 13,
		.flags = 0xeeu,
	},
	{
		.name = "transpose",
		.opcode = SEGUE_OPCODE_LOCAL_MMO,
		.opmod = 0,
		/* wants_matrix */
		.to = 15,
		.flags = 0xecu,
	},
	{
		.name = "unbind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_unbind_mw_type1 */
		.to = 16,
		.flags = 0xecu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 17,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 18,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 19,
		.flags = 0xecu,
	},
};

const struct segue_machine segue_dci_machine = {
	.name = "dci",
	.starts = dci_starts,
	.states = dci_states,
	.edges = dci_edges,
	.symbols = dci_symbols,
	.n_starts = 23,
	.n_states = 46,
	.send = true,
	.option_flags = 0xffff00u,
};

static const struct segue_fixed_value raw_packet_fixed[] = {
	/* eth.mss */
	{6, UINT64_C(0x0)},
	/* eth_vlan.mss */
	{6, UINT64_C(0x0)},
};

static const struct segue_symbol raw_packet_symbols[] = {
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_eth_desc,
		.fixed = raw_packet_fixed + 0,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_eth_vlan_desc,
		.fixed = raw_packet_fixed + 1,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_eth_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge raw_packet_edges[] = {
	/* filler: may_take_filler */
	{0, 0},
	/* eth: may_take_sge_or_inline_data */
	{1, 7},
	/* eth_vlan: may_take_sge_or_inline_data */
	{2, 7},
	/* send_en: complete */
	{3, 8},
	/* eth: may_take_sge_or_inline_data */
	{4, 7},
	/* wait_cq: complete */
	{5, 8},
	/* wait_on_data: complete */
	{6, 8},
	/* wait_on_time: complete */
	{7, 8},
	/* data: may_take_sge */
	{8, 9},
	/* inline_data: may_take_sge */
	{9, 9},
	/* data: may_take_sge */
	{8, 9},
};

static const struct segue_state raw_packet_states[] = {
	/* 0 */
	{"may_take_filler", 0, 1, true},
	/* 1 */
	{"wants_eth_or_eth_vlan", 1, 2, false},
	/* 2 */
	{"wants_sq_index", 3, 1, false},
	/* 3 */
	{"wants_eth", 4, 1, false},
	/* 4 */
	{"wants_cq_index", 5, 1, false},
	/* 5 */
	{"wants_data_condition", 6, 1, false},
	/* 6 */
	{"wants_time_condition", 7, 1, false},
	/* 7 */
	{"may_take_sge_or_inline_data", 8, 2, true},
	/* 8 */
	{"complete", 10, 0, true},
	/* 9 */
	{"may_take_sge", 10, 1, true},
};

static const struct segue_start raw_packet_starts[] = {
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* wants_eth_or_eth_vlan */
		.to = 1,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "tso",
		.opcode = SEGUE_OPCODE_TSO,
		.opmod = 0,
		/* wants_eth */
		.to = 3,
		.flags = 0xecu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 5,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 6,
		.flags = 0xecu,
	},
};

const struct segue_machine segue_raw_packet_machine = {
	.name = "raw_packet",
	.starts = raw_packet_starts,
	.states = raw_packet_states,
	.edges = raw_packet_edges,
	.symbols = raw_packet_symbols,
	.n_starts = 7,
	.n_states = 10,
	.send = true,
};

static const struct segue_fixed_value rc_fixed[] = {
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x1)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c6041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c2041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x1)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20006000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* tm.opcode */
	{0, UINT64_C(0x1)},
	/* tm.opcode */
	{0, UINT64_C(0x0)},
	/* tm.opcode */
	{0, UINT64_C(0x2)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x0)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x4)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x0)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x8)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x0)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x0)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20002000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* crypto_bsf.bsf_size */
	{0, UINT64_C(0x2)},
	/* bsf.bsf_size */
	{0, UINT64_C(0x2)},
	/* bsf.bsf_size */
	{0, UINT64_C(0x3)},
	/* crypto_bsf.bsf_size */
	{0, UINT64_C(0x3)},
};

static const struct segue_symbol rc_symbols[] = {
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 0,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 7,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_check_psv_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_flow_update_ctrl_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_get_psv_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 14,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mmo_metadata_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_set_psv_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_tm_desc,
		.fixed = rc_fixed + 21,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_tm_desc,
		.fixed = rc_fixed + 22,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_tm_desc,
		.fixed = rc_fixed + 23,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_transpose_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 24,
		.n_fixed = 4,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 28,
		.n_fixed = 4,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 32,
		.n_fixed = 4,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 36,
		.n_fixed = 3,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = rc_fixed + 39,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_add_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_bind_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_header_modify_argument_update_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_invalidate_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_cas32_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_cas64_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_fa32_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_masked_fa64_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mmo_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_context_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bind_klm_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_repeat_block_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_klm_desc,
		.op = SEGUE_SYMBOL_LIST,
		.slot = 0,
		.pad = 64,
		.min = 0,
		.max = 0,
	},
	{
		.segment = &segue_seg_umr_pointer_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_repeat_ent_desc,
		.op = SEGUE_SYMBOL_LIST,
		.slot = 1,
		.pad = 16,
		.min = 1,
		.max = 0,
	},
	{
		.segment = &segue_seg_crypto_bsf_desc,
		.fixed = rc_fixed + 46,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bsf_desc,
		.fixed = rc_fixed + 47,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bsf_desc,
		.fixed = rc_fixed + 48,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_list_pad_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_crypto_bsf_desc,
		.fixed = rc_fixed + 49,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge rc_edges[] = {
	/* raddr: wants_atomic */
	{0, 36},
	/* raddr: wants_atomic_add */
	{0, 37},
	/* umr_ctrl: wants_mkey_bind */
	{1, 38},
	/* umr_ctrl: wants_mkey_bind */
	{2, 38},
	/* check_psv: complete */
	{3, 39},
	/* flow_update_ctrl: wants_header_modify_argument_update */
	{4, 40},
	/* get_psv: complete */
	{5, 39},
	/* umr_ctrl: wants_mkey_invalidate */
	{6, 41},
	/* raddr: wants_masked_cas32 */
	{0, 42},
	/* raddr: wants_masked_cas64 */
	{0, 43},
	/* raddr: wants_masked_fa32 */
	{0, 44},
	/* raddr: wants_masked_fa64 */
	{0, 45},
	/* mmo_metadata: wants_mmo_data_for_memcpy_after_mmo_metadata */
	{7, 46},
	/* filler: may_take_filler */
	{8, 13},
	/* raddr: may_take_sge */
	{0, 47},
	/* raddr: may_take_sge_or_inline_data_for_rdma_write */
	{0, 48},
	/* data: may_take_sge */
	{9, 47},
	/* inline_data: may_take_sge */
	{10, 47},
	/* send_en: complete */
	{11, 39},
	/* set_psv: complete */
	{12, 39},
	/* tm: wants_sge_or_data_end */
	{13, 49},
	/* tm: complete */
	{14, 39},
	/* tm: complete */
	{15, 39},
	/* transpose: wants_sge_for_transpose_after_matrix */
	{16, 50},
	/* umr_ctrl: wants_mkey_context_for_umr_interleaved */
	{17, 51},
	/* umr_ctrl: wants_mkey_context_for_umr_interleaved_crypto */
	{18, 52},
	/* umr_ctrl: wants_mkey_context_for_umr_interleaved_sig */
	{18, 53},
	/* umr_ctrl: wants_mkey_context_for_umr_interleaved_sig_crypto */
	{19, 54},
	/* umr_ctrl: wants_mkey_context_for_umr_list */
	{17, 55},
	/* umr_ctrl: wants_mkey_context_for_umr_list_crypto */
	{18, 56},
	/* umr_ctrl: wants_mkey_context_for_umr_list_sig */
	{18, 57},
	/* umr_ctrl: wants_mkey_context_for_umr_list_sig_crypto */
	{19, 58},
	/* umr_ctrl: wants_mkey_context_for_umr_pointer */
	{20, 59},
	/* umr_ctrl: wants_mkey_invalidate */
	{21, 41},
	/* wait_cq: complete */
	{22, 39},
	/* wait_on_data: complete */
	{23, 39},
	/* wait_on_time: complete */
	{24, 39},
	/* atomic: wants_sge_for_atomic_cs */
	{25, 60},
	/* atomic_add: wants_sge_for_atomic_cs */
	{26, 60},
	/* mkey_bind: wants_bind_klm */
	{27, 61},
	/* header_modify_argument_update: complete */
	{28, 39},
	/* mkey_invalidate: complete */
	{29, 39},
	/* masked_cas32: wants_sge_for_atomic_cs */
	{30, 60},
	/* masked_cas64: wants_sge_for_atomic_cs */
	{31, 60},
	/* masked_fa32: wants_sge_for_atomic_cs */
	{32, 60},
	/* masked_fa64: wants_sge_for_atomic_cs */
	{33, 60},
	/* mmo_data: wants_mmo_data_for_memcpy_after_mmo_data */
	{34, 62},
	/* data: may_take_sge */
	{9, 47},
	/* data: may_take_sge */
	{9, 47},
	/* inline_data: complete */
	{10, 39},
	/* data: complete */
	{9, 39},
	/* data_end: complete */
	{35, 39},
	/* data: wants_sge_for_transpose_after_sge */
	{9, 63},
	/* mkey_context: wants_repeat_block_for_umr_interleaved */
	{36, 64},
	/* mkey_context: wants_repeat_block_for_umr_interleaved_crypto */
	{36, 65},
	/* mkey_context: wants_repeat_block_for_umr_interleaved_sig */
	{36, 66},
	/* mkey_context: wants_repeat_block_for_umr_interleaved_sig_crypto */
	{36, 67},
	/* mkey_context: wants_klm_list_for_umr_list */
	{36, 68},
	/* mkey_context: wants_klm_list_for_umr_list_crypto */
	{36, 69},
	/* mkey_context: wants_klm_list_for_umr_list_sig */
	{36, 70},
	/* mkey_context: wants_klm_list_for_umr_list_sig_crypto */
	{36, 71},
	/* mkey_context: wants_list_pointer */
	{36, 72},
	/* data: may_take_sge */
	{9, 47},
	/* bind_klm: complete */
	{37, 39},
	/* mmo_data: complete */
	{34, 39},
	/* data: complete */
	{9, 39},
	/* repeat_block: wants_repeat_ent_list_for_umr_interleaved */
	{38, 73},
	/* repeat_block: wants_repeat_ent_list_for_umr_interleaved_crypto */
	{38, 74},
	/* repeat_block: wants_repeat_ent_list_for_umr_interleaved_sig */
	{38, 75},
	/* repeat_block: wants_repeat_ent_list_for_umr_interleaved_sig_crypto */
	{38, 76},
	/* klm: complete */
	{39, 39},
	/* klm: wants_crypto_bsf_for_umr_interleaved_crypto */
	{39, 77},
	/* klm: wants_bsf_for_umr_interleaved_sig */
	{39, 78},
	/* klm: wants_bsf_for_umr_interleaved_sig_crypto */
	{39, 79},
	/* umr_pointer: complete */
	{40, 39},
	/* repeat_ent: may_take_list_pad_for_umr_interleaved_after_repeat_ent */
	{41, 80},
	/* repeat_ent: wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent */
	{41, 81},
	/* repeat_ent: wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent */
	{41, 82},
	/* repeat_ent: wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent */
	{41, 83},
	/* crypto_bsf: complete */
	{42, 39},
	/* bsf: complete */
	{43, 39},
	/* bsf: wants_crypto_bsf_for_umr_interleaved_sig_crypto */
	{44, 84},
	/* list_pad: may_take_list_pad_for_umr_interleaved_after_list_pad */
	{45, 85},
	/* crypto_bsf: complete */
	{42, 39},
	/* list_pad: wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad */
	{45, 86},
	/* bsf: complete */
	{43, 39},
	/* list_pad: wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad */
	{45, 87},
	/* bsf: wants_crypto_bsf_for_umr_interleaved_sig_crypto */
	{44, 84},
	/* list_pad: wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad */
	{45, 88},
	/* crypto_bsf: complete */
	{46, 39},
	/* list_pad: may_take_list_pad_for_umr_interleaved_after_list_pad_2 */
	{45, 89},
	/* crypto_bsf: complete */
	{42, 39},
	/* list_pad: wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 */
	{45, 90},
	/* bsf: complete */
	{43, 39},
	/* list_pad: wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 */
	{45, 91},
	/* bsf: wants_crypto_bsf_for_umr_interleaved_sig_crypto */
	{44, 84},
	/* list_pad: wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 */
	{45, 92},
	/* list_pad: complete */
	{45, 39},
	/* crypto_bsf: complete */
	{42, 39},
	/* list_pad: wants_crypto_bsf_for_umr_interleaved_crypto */
	{45, 77},
	/* bsf: complete */
	{43, 39},
	/* list_pad: wants_bsf_for_umr_interleaved_sig */
	{45, 78},
	/* bsf: wants_crypto_bsf_for_umr_interleaved_sig_crypto */
	{44, 84},
	/* list_pad: wants_bsf_for_umr_interleaved_sig_crypto */
	{45, 79},
};

static const struct segue_state rc_states[] = {
	/* 0 */
	{"wants_raddr_for_atomic_cs", 0, 1, false},
	/* 1 */
	{"wants_raddr_for_atomic_fa", 1, 1, false},
	/* 2 */
	{"wants_umr_ctrl_for_bind_mw", 2, 1, false},
	/* 3 */
	{"wants_umr_ctrl_for_bind_mw_type1", 3, 1, false},
	/* 4 */
	{"wants_psv_check", 4, 1, false},
	/* 5 */
	{"wants_flow_update_ctrl", 5, 1, false},
	/* 6 */
	{"wants_psv_get", 6, 1, false},
	/* 7 */
	{"wants_umr_ctrl_for_local_inv", 7, 1, false},
	/* 8 */
	{"wants_raddr_for_masked_atomic_cs32", 8, 1, false},
	/* 9 */
	{"wants_raddr_for_masked_atomic_cs64", 9, 1, false},
	/* 10 */
	{"wants_raddr_for_masked_atomic_fa32", 10, 1, false},
	/* 11 */
	{"wants_raddr_for_masked_atomic_fa64", 11, 1, false},
	/* 12 */
	{"wants_mmo_metadata", 12, 1, false},
	/* 13 */
	{"may_take_filler", 13, 1, true},
	/* 14 */
	{"wants_raddr_for_rdma_read", 14, 1, false},
	/* 15 */
	{"wants_raddr_for_rdma_write", 15, 1, false},
	/* 16 */
	{"may_take_sge_or_inline_data_for_send", 16, 2, true},
	/* 17 */
	{"wants_sq_index", 18, 1, false},
	/* 18 */
	{"wants_psv", 19, 1, false},
	/* 19 */
	{"wants_tm_for_tm_append", 20, 1, false},
	/* 20 */
	{"wants_tm_for_tm_noop", 21, 1, false},
	/* 21 */
	{"wants_tm_for_tm_remove", 22, 1, false},
	/* 22 */
	{"wants_matrix", 23, 1, false},
	/* 23 */
	{"wants_umr_ctrl_for_umr_interleaved", 24, 1, false},
	/* 24 */
	{"wants_umr_ctrl_for_umr_interleaved_crypto", 25, 1, false},
	/* 25 */
	{"wants_umr_ctrl_for_umr_interleaved_sig", 26, 1, false},
	/* 26 */
	{"wants_umr_ctrl_for_umr_interleaved_sig_crypto", 27, 1, false},
	/* 27 */
	{"wants_umr_ctrl_for_umr_list", 28, 1, false},
	/* 28 */
	{"wants_umr_ctrl_for_umr_list_crypto", 29, 1, false},
	/* 29 */
	{"wants_umr_ctrl_for_umr_list_sig", 30, 1, false},
	/* 30 */
	{"wants_umr_ctrl_for_umr_list_sig_crypto", 31, 1, false},
	/* 31 */
	{"wants_umr_ctrl_for_umr_pointer", 32, 1, false},
	/* 32 */
	{"wants_umr_ctrl_for_unbind_mw_type1", 33, 1, false},
	/* 33 */
	{"wants_cq_index", 34, 1, false},
	/* 34 */
	{"wants_data_condition", 35, 1, false},
	/* 35 */
	{"wants_time_condition", 36, 1, false},
	/* 36 */
	{"wants_atomic", 37, 1, false},
	/* 37 */
	{"wants_atomic_add", 38, 1, false},
	/* 38 */
	{"wants_mkey_bind", 39, 1, false},
	/* 39 */
	{"complete", 40, 0, true},
	/* 40 */
	{"wants_header_modify_argument_update", 40, 1, false},
	/* 41 */
	{"wants_mkey_invalidate", 41, 1, false},
	/* 42 */
	{"wants_masked_cas32", 42, 1, false},
	/* 43 */
	{"wants_masked_cas64", 43, 1, false},
	/* 44 */
	{"wants_masked_fa32", 44, 1, false},
	/* 45 */
	{"wants_masked_fa64", 45, 1, false},
	/* 46 */
	{"wants_mmo_data_for_memcpy_after_mmo_metadata", 46, 1, false},
	/* 47 */
	{"may_take_sge", 47, 1, true},
	/* 48 */
	{"may_take_sge_or_inline_data_for_rdma_write", 48, 2, true},
	/* 49 */
	{"wants_sge_or_data_end", 50, 2, false},
	/* 50 */
	{"wants_sge_for_transpose_after_matrix", 52, 1, false},
	/* 51 */
	{"wants_mkey_context_for_umr_interleaved", 53, 1, false},
	/* 52 */
	{"wants_mkey_context_for_umr_interleaved_crypto", 54, 1, false},
	/* 53 */
	{"wants_mkey_context_for_umr_interleaved_sig", 55, 1, false},
	/* 54 */
	{"wants_mkey_context_for_umr_interleaved_sig_crypto", 56, 1, false},
	/* 55 */
	{"wants_mkey_context_for_umr_list", 57, 1, false},
	/* 56 */
	{"wants_mkey_context_for_umr_list_crypto", 58, 1, false},
	/* 57 */
	{"wants_mkey_context_for_umr_list_sig", 59, 1, false},
	/* 58 */
	{"wants_mkey_context_for_umr_list_sig_crypto", 60, 1, false},
	/* 59 */
	{"wants_mkey_context_for_umr_pointer", 61, 1, false},
	/* 60 */
	{"wants_sge_for_atomic_cs", 62, 1, false},
	/* 61 */
	{"wants_bind_klm", 63, 1, false},
	/* 62 */
	{"wants_mmo_data_for_memcpy_after_mmo_data", 64, 1, false},
	/* 63 */
	{"wants_sge_for_transpose_after_sge", 65, 1, false},
	/* 64 */
	{"wants_repeat_block_for_umr_interleaved", 66, 1, false},
	/* 65 */
	{"wants_repeat_block_for_umr_interleaved_crypto", 67, 1, false},
	/* 66 */
	{"wants_repeat_block_for_umr_interleaved_sig", 68, 1, false},
	/* 67 */
	{"wants_repeat_block_for_umr_interleaved_sig_crypto", 69, 1, false},
	/* 68 */
	{"wants_klm_list_for_umr_list", 70, 1, false},
	/* 69 */
	{"wants_klm_list_for_umr_list_crypto", 71, 1, false},
	/* 70 */
	{"wants_klm_list_for_umr_list_sig", 72, 1, false},
	/* 71 */
	{"wants_klm_list_for_umr_list_sig_crypto", 73, 1, false},
	/* 72 */
	{"wants_list_pointer", 74, 1, false},
	/* 73 */
	{"wants_repeat_ent_list_for_umr_interleaved", 75, 1, false},
	/* 74 */
	{"wants_repeat_ent_list_for_umr_interleaved_crypto", 76, 1, false},
	/* 75 */
	{"wants_repeat_ent_list_for_umr_interleaved_sig", 77, 1, false},
	/* 76 */
	{"wants_repeat_ent_list_for_umr_interleaved_sig_crypto", 78, 1, false},
	/* 77 */
	{"wants_crypto_bsf_for_umr_interleaved_crypto", 79, 1, false},
	/* 78 */
	{"wants_bsf_for_umr_interleaved_sig", 80, 1, false},
	/* 79 */
	{"wants_bsf_for_umr_interleaved_sig_crypto", 81, 1, false},
	/* 80 */
	{"may_take_list_pad_for_umr_interleaved_after_repeat_ent", 82, 1, true},
	/* 81 */
	{"wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent", 83, 2, false},
	/* 82 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent", 85, 2, false},
	/* 83 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent", 87, 2, false},
	/* 84 */
	{"wants_crypto_bsf_for_umr_interleaved_sig_crypto", 89, 1, false},
	/* 85 */
	{"may_take_list_pad_for_umr_interleaved_after_list_pad", 90, 1, true},
	/* 86 */
	{"wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad", 91, 2, false},
	/* 87 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad", 93, 2, false},
	/* 88 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad", 95, 2, false},
	/* 89 */
	{"may_take_list_pad_for_umr_interleaved_after_list_pad_2", 97, 1, true},
	/* 90 */
	{"wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2", 98, 2, false},
	/* 91 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2", 100, 2, false},
	/* 92 */
	{"wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2", 102, 2, false},
};

static const struct segue_start rc_starts[] = {
	{
		.name = "atomic_cs",
		.opcode = SEGUE_OPCODE_ATOMIC_CS,
		.opmod = 0,
		/* wants_raddr_for_atomic_cs */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "atomic_fa",
		.opcode = SEGUE_OPCODE_ATOMIC_FA,
		.opmod = 0,
		/* wants_raddr_for_atomic_fa */
		.to = 1,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw_type1 */
		.to = 3,
		.flags = 0xecu,
	},
	{
		.name = "check_psv",
		.opcode = SEGUE_OPCODE_CHECK_PSV,
		.opmod = 0,
		/* wants_psv_check */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "flow_tbl_access",
		.opcode = SEGUE_OPCODE_FLOW_TBL_ACCESS,
		.opmod = 1,
		/* wants_flow_update_ctrl */
		.to = 5,
		.flags = 0xecu,
	},
	{
		.name = "get_psv",
		.opcode = SEGUE_OPCODE_GET_PSV,
		.opmod = 0,
		/* wants_psv_get */
		.to = 6,
		.flags = 0xecu,
	},
	{
		.name = "local_inv",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_local_inv */
		.to = 7,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_cs32",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_CS,
		.opmod = 8,
		/* wants_raddr_for_masked_atomic_cs32 */
		.to = 8,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_cs64",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_CS,
		.opmod = 9,
		/* wants_raddr_for_masked_atomic_cs64 */
		.to = 9,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_fa32",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_FA,
		.opmod = 8,
		/* wants_raddr_for_masked_atomic_fa32 */
		.to = 10,
		.flags = 0xecu,
	},
	{
		.name = "masked_atomic_fa64",
		.opcode = SEGUE_OPCODE_ATOMIC_MASKED_FA,
		.opmod = 9,
		/* wants_raddr_for_masked_atomic_fa64 */
		.to = 11,
		.flags = 0xecu,
	},
	{
		.name = "memcpy",
		.opcode = SEGUE_OPCODE_MMO,
		.opmod = 1,
		/* wants_mmo_metadata */
		.to = 12,
		.flags = 0xecu,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 13,
		.flags = 0xecu,
	},
	{
		.name = "rdma_read",
		.opcode = SEGUE_OPCODE_RDMA_READ,
		.opmod = 0,
		/* wants_raddr_for_rdma_read */
		.to = 14,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write",
		.opcode = SEGUE_OPCODE_RDMA_WRITE,
		.opmod = 0,
		/* wants_raddr_for_rdma_write */
		.to = 15,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write_imm",
		.opcode = SEGUE_OPCODE_RDMA_WRITE_IMM,
		.opmod = 0,
		/* wants_raddr_for_rdma_write */
		.to = 15,
		.flags = 0xeeu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 16,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 17,
		.flags = 0xecu,
	},
	{
		.name = "send_imm",
		.opcode = SEGUE_OPCODE_SEND_IMM,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 16,
		.flags = 0xeeu,
	},
	{
		.name = "send_inv",
		.opcode = SEGUE_OPCODE_SEND_INVAL,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 16,
		.flags = 0xeeu,
	},
	{
		.name = "set_psv",
		.opcode = SEGUE_OPCODE_SET_PSV,
		.opmod = 0,
		/* wants_psv */
		.to = 18,
		.flags = 0xeeu,
	},
	{
		.name = "tm_append",
		.opcode = SEGUE_OPCODE_TAG_MATCHING,
		.opmod = 0,
		/* wants_tm_for_tm_append */
		.to = 19,
		.flags = 0x0u,
	},
	{
		.name = "tm_noop",
		.opcode = SEGUE_OPCODE_TAG_MATCHING,
		.opmod = 0,
		/* wants_tm_for_tm_noop */
		.to = 20,
		.flags = 0x0u,
	},
	{
		.name = "tm_remove",
		.opcode = SEGUE_OPCODE_TAG_MATCHING,
		.opmod = 0,
		/* wants_tm_for_tm_remove */
		.to = 21,
		.flags = 0x0u,
	},
	{
		.name = "transpose",
		.opcode = SEGUE_OPCODE_LOCAL_MMO,
		.opmod = 0,
		/* wants_matrix */
		.to = 22,
		.flags = 0xecu,
	},
	{
		.name = "umr_interleaved",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_interleaved */
		.to = 23,
		.flags = 0xecu,
	},
	{
		.name = "umr_interleaved_crypto",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_interleaved_crypto */
		.to = 24,
		.flags = 0xecu,
	},
	{
		.name = "umr_interleaved_sig",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_interleaved_sig */
		.to = 25,
		.flags = 0xecu,
	},
	{
		.name = "umr_interleaved_sig_crypto",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_interleaved_sig_crypto */
		.to = 26,
		.flags = 0xecu,
	},
	{
		.name = "umr_list",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_list */
		.to = 27,
		.flags = 0xecu,
	},
	{
		.name = "umr_list_crypto",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_list_crypto */
		.to = 28,
		.flags = 0xecu,
	},
	{
		.name = "umr_list_sig",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_list_sig */
		.to = 29,
		.flags = 0xecu,
	},
	{
		.name = "umr_list_sig_crypto",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_list_sig_crypto */
		.to = 30,
		.flags = 0xecu,
	},
	{
		.name = "umr_pointer",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_umr_pointer */
		.to = 31,
		.flags = 0xecu,
	},
	{
		.name = "unbind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_unbind_mw_type1 */
		.to = 32,
		.flags = 0xecu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 33,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 34,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 35,
		.flags = 0xecu,
	},
};

static const struct segue_announce rc_announces[] = {
	{
		.segment = &segue_seg_umr_ctrl_desc,
		/* klm_octowords */
		.field = 4,
		.slot = 0,
		.unit = 16,
	},
	{
		.segment = &segue_seg_repeat_block_desc,
		/* num_ent */
		.field = 3,
		.slot = 1,
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
	.n_announces = 2,
	.n_starts = 39,
	.n_states = 93,
	.send = true,
};

static const struct segue_fixed_value uc_fixed[] = {
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x1)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c6041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c2041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x1)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20006000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20002000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
};

static const struct segue_symbol uc_symbols[] = {
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = uc_fixed + 0,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = uc_fixed + 7,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = uc_fixed + 14,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = uc_fixed + 21,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_bind_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_invalidate_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bind_klm_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge uc_edges[] = {
	/* umr_ctrl: wants_mkey_bind */
	{0, 11},
	/* umr_ctrl: wants_mkey_bind */
	{1, 11},
	/* umr_ctrl: wants_mkey_invalidate */
	{2, 12},
	/* filler: may_take_filler */
	{3, 3},
	/* raddr: may_take_sge_or_inline_data_for_rdma_write */
	{4, 13},
	/* data: may_take_sge */
	{5, 14},
	/* inline_data: may_take_sge */
	{6, 14},
	/* send_en: complete */
	{7, 15},
	/* umr_ctrl: wants_mkey_invalidate */
	{8, 12},
	/* wait_cq: complete */
	{9, 15},
	/* wait_on_data: complete */
	{10, 15},
	/* wait_on_time: complete */
	{11, 15},
	/* mkey_bind: wants_bind_klm */
	{12, 16},
	/* mkey_invalidate: complete */
	{13, 15},
	/* data: may_take_sge */
	{5, 14},
	/* inline_data: complete */
	{6, 15},
	/* data: may_take_sge */
	{5, 14},
	/* bind_klm: complete */
	{14, 15},
};

static const struct segue_state uc_states[] = {
	/* 0 */
	{"wants_umr_ctrl_for_bind_mw", 0, 1, false},
	/* 1 */
	{"wants_umr_ctrl_for_bind_mw_type1", 1, 1, false},
	/* 2 */
	{"wants_umr_ctrl_for_local_inv", 2, 1, false},
	/* 3 */
	{"may_take_filler", 3, 1, true},
	/* 4 */
	{"wants_raddr", 4, 1, false},
	/* 5 */
	{"may_take_sge_or_inline_data_for_send", 5, 2, true},
	/* 6 */
	{"wants_sq_index", 7, 1, false},
	/* 7 */
	{"wants_umr_ctrl_for_unbind_mw_type1", 8, 1, false},
	/* 8 */
	{"wants_cq_index", 9, 1, false},
	/* 9 */
	{"wants_data_condition", 10, 1, false},
	/* 10 */
	{"wants_time_condition", 11, 1, false},
	/* 11 */
	{"wants_mkey_bind", 12, 1, false},
	/* 12 */
	{"wants_mkey_invalidate", 13, 1, false},
	/* 13 */
	{"may_take_sge_or_inline_data_for_rdma_write", 14, 2, true},
	/* 14 */
	{"may_take_sge", 16, 1, true},
	/* 15 */
	{"complete", 17, 0, true},
	/* 16 */
	{"wants_bind_klm", 17, 1, false},
};

static const struct segue_start uc_starts[] = {
	{
		.name = "bind_mw",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw_type1 */
		.to = 1,
		.flags = 0xecu,
	},
	{
		.name = "local_inv",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_local_inv */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 3,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write",
		.opcode = SEGUE_OPCODE_RDMA_WRITE,
		.opmod = 0,
		/* wants_raddr */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write_imm",
		.opcode = SEGUE_OPCODE_RDMA_WRITE_IMM,
		.opmod = 0,
		/* wants_raddr */
		.to = 4,
		.flags = 0xeeu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 5,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 6,
		.flags = 0xecu,
	},
	{
		.name = "send_imm",
		.opcode = SEGUE_OPCODE_SEND_IMM,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 5,
		.flags = 0xeeu,
	},
	{
		.name = "send_inv",
		.opcode = SEGUE_OPCODE_SEND_INVAL,
		.opmod = 0,
		/* may_take_sge_or_inline_data_for_send */
		.to = 5,
		.flags = 0xeeu,
	},
	{
		.name = "unbind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_unbind_mw_type1 */
		.to = 7,
		.flags = 0xecu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 8,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 9,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 10,
		.flags = 0xecu,
	},
};

const struct segue_machine segue_uc_machine = {
	.name = "uc",
	.starts = uc_starts,
	.states = uc_states,
	.edges = uc_edges,
	.symbols = uc_symbols,
	.n_starts = 14,
	.n_states = 17,
	.send = true,
};

static const struct segue_fixed_value ud_fixed[] = {
	/* eth.mss */
	{6, UINT64_C(0x0)},
};

static const struct segue_symbol ud_symbols[] = {
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_av_ud_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_av_ud_compact_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_eth_pad_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_eth_desc,
		.fixed = ud_fixed + 0,
		.n_fixed = 1,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge ud_edges[] = {
	/* filler: may_take_filler */
	{0, 0},
	/* av_ud: may_take_sge_or_eth_pad_or_inline_data */
	{1, 7},
	/* av_ud_compact: may_take_sge_or_eth_pad_or_inline_data */
	{2, 7},
	/* send_en: complete */
	{3, 8},
	/* av_ud: may_take_sge_or_inline_data */
	{1, 9},
	/* av_ud_compact: may_take_sge_or_inline_data */
	{2, 9},
	/* wait_cq: complete */
	{4, 8},
	/* wait_on_data: complete */
	{5, 8},
	/* wait_on_time: complete */
	{6, 8},
	/* data: may_take_sge */
	{7, 10},
	/* eth_pad: wants_eth */
	{8, 11},
	/* inline_data: may_take_sge */
	{9, 10},
	/* data: may_take_sge */
	{7, 10},
	/* inline_data: may_take_sge */
	{9, 10},
	/* data: may_take_sge */
	{7, 10},
	/* eth: may_take_sge_or_inline_data */
	{10, 9},
};

static const struct segue_state ud_states[] = {
	/* 0 */
	{"may_take_filler", 0, 1, true},
	/* 1 */
	{"wants_av_or_av_compact_for_send", 1, 2, false},
	/* 2 */
	{"wants_sq_index", 3, 1, false},
	/* 3 */
	{"wants_av_or_av_compact_for_send_imm", 4, 2, false},
	/* 4 */
	{"wants_cq_index", 6, 1, false},
	/* 5 */
	{"wants_data_condition", 7, 1, false},
	/* 6 */
	{"wants_time_condition", 8, 1, false},
	/* 7 */
	{"may_take_sge_or_eth_pad_or_inline_data", 9, 3, true},
	/* 8 */
	{"complete", 12, 0, true},
	/* 9 */
	{"may_take_sge_or_inline_data", 12, 2, true},
	/* 10 */
	{"may_take_sge", 14, 1, true},
	/* 11 */
	{"wants_eth", 15, 1, false},
};

static const struct segue_start ud_starts[] = {
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* wants_av_or_av_compact_for_send */
		.to = 1,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "send_imm",
		.opcode = SEGUE_OPCODE_SEND_IMM,
		.opmod = 0,
		/* wants_av_or_av_compact_for_send_imm */
		.to = 3,
		.flags = 0xeeu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 5,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 6,
		.flags = 0xecu,
	},
};

const struct segue_machine segue_ud_machine = {
	.name = "ud",
	.starts = ud_starts,
	.states = ud_states,
	.edges = ud_edges,
	.symbols = ud_symbols,
	.n_starts = 7,
	.n_states = 12,
	.send = true,
};

static const struct segue_fixed_value xrc_initiator_fixed[] = {
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x1)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c6041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x4)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x203c2041)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x1)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20006000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
	/* umr_ctrl.bsf_octowords */
	{5, UINT64_C(0x0)},
	/* umr_ctrl.check_free */
	{1, UINT64_C(0x0)},
	/* umr_ctrl.check_qpn */
	{3, UINT64_C(0x0)},
	/* umr_ctrl.is_inline */
	{0, UINT64_C(0x1)},
	/* umr_ctrl.klm_octowords */
	{4, UINT64_C(0x0)},
	/* umr_ctrl.mkey_mask */
	{6, UINT64_C(0x20002000)},
	/* umr_ctrl.translation_offset_en */
	{2, UINT64_C(0x1)},
};

static const struct segue_symbol xrc_initiator_symbols[] = {
	{
		.segment = &segue_seg_xrc_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = xrc_initiator_fixed + 0,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = xrc_initiator_fixed + 7,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = xrc_initiator_fixed + 14,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_filler_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_send_en_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_umr_ctrl_desc,
		.fixed = xrc_initiator_fixed + 21,
		.n_fixed = 7,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_cq_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_wait_on_time_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_raddr_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_bind_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_mkey_invalidate_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_inline_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_atomic_add_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_bind_klm_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge xrc_initiator_edges[] = {
	/* xrc: wants_raddr_for_atomic_cs */
	{0, 14},
	/* xrc: wants_raddr_for_atomic_fa */
	{0, 15},
	/* umr_ctrl: wants_mkey_bind */
	{1, 16},
	/* umr_ctrl: wants_mkey_bind */
	{2, 16},
	/* umr_ctrl: wants_mkey_invalidate */
	{3, 17},
	/* filler: may_take_filler */
	{4, 5},
	/* xrc: wants_raddr_for_rdma_read */
	{0, 18},
	/* xrc: wants_raddr_for_rdma_write */
	{0, 19},
	/* xrc: may_take_sge_or_inline_data_for_send */
	{0, 20},
	/* send_en: complete */
	{5, 21},
	/* umr_ctrl: wants_mkey_invalidate */
	{6, 17},
	/* wait_cq: complete */
	{7, 21},
	/* wait_on_data: complete */
	{8, 21},
	/* wait_on_time: complete */
	{9, 21},
	/* raddr: wants_atomic */
	{10, 22},
	/* raddr: wants_atomic_add */
	{10, 23},
	/* mkey_bind: wants_bind_klm */
	{11, 24},
	/* mkey_invalidate: complete */
	{12, 21},
	/* raddr: may_take_sge */
	{10, 25},
	/* raddr: may_take_sge_or_inline_data_for_rdma_write */
	{10, 26},
	/* data: may_take_sge */
	{13, 25},
	/* inline_data: may_take_sge */
	{14, 25},
	/* atomic: wants_sge */
	{15, 27},
	/* atomic_add: wants_sge */
	{16, 27},
	/* bind_klm: complete */
	{17, 21},
	/* data: may_take_sge */
	{13, 25},
	/* data: may_take_sge */
	{13, 25},
	/* inline_data: complete */
	{14, 21},
	/* data: may_take_sge */
	{13, 25},
};

static const struct segue_state xrc_initiator_states[] = {
	/* 0 */
	{"wants_xrc_for_atomic_cs", 0, 1, false},
	/* 1 */
	{"wants_xrc_for_atomic_fa", 1, 1, false},
	/* 2 */
	{"wants_umr_ctrl_for_bind_mw", 2, 1, false},
	/* 3 */
	{"wants_umr_ctrl_for_bind_mw_type1", 3, 1, false},
	/* 4 */
	{"wants_umr_ctrl_for_local_inv", 4, 1, false},
	/* 5 */
	{"may_take_filler", 5, 1, true},
	/* 6 */
	{"wants_xrc_for_rdma_read", 6, 1, false},
	/* 7 */
	{"wants_xrc_for_rdma_write", 7, 1, false},
	/* 8 */
	{"wants_xrc_for_send", 8, 1, false},
	/* 9 */
	{"wants_sq_index", 9, 1, false},
	/* 10 */
	{"wants_umr_ctrl_for_unbind_mw_type1", 10, 1, false},
	/* 11 */
	{"wants_cq_index", 11, 1, false},
	/* 12 */
	{"wants_data_condition", 12, 1, false},
	/* 13 */
	{"wants_time_condition", 13, 1, false},
	/* 14 */
	{"wants_raddr_for_atomic_cs", 14, 1, false},
	/* 15 */
	{"wants_raddr_for_atomic_fa", 15, 1, false},
	/* 16 */
	{"wants_mkey_bind", 16, 1, false},
	/* 17 */
	{"wants_mkey_invalidate", 17, 1, false},
	/* 18 */
	{"wants_raddr_for_rdma_read", 18, 1, false},
	/* 19 */
	{"wants_raddr_for_rdma_write", 19, 1, false},
	/* 20 */
	{"may_take_sge_or_inline_data_for_send", 20, 2, true},
	/* 21 */
	{"complete", 22, 0, true},
	/* 22 */
	{"wants_atomic", 22, 1, false},
	/* 23 */
	{"wants_atomic_add", 23, 1, false},
	/* 24 */
	{"wants_bind_klm", 24, 1, false},
	/* 25 */
	{"may_take_sge", 25, 1, true},
	/* 26 */
	{"may_take_sge_or_inline_data_for_rdma_write", 26, 2, true},
	/* 27 */
	{"wants_sge", 28, 1, false},
};

static const struct segue_start xrc_initiator_starts[] = {
	{
		.name = "atomic_cs",
		.opcode = SEGUE_OPCODE_ATOMIC_CS,
		.opmod = 0,
		/* wants_xrc_for_atomic_cs */
		.to = 0,
		.flags = 0xecu,
	},
	{
		.name = "atomic_fa",
		.opcode = SEGUE_OPCODE_ATOMIC_FA,
		.opmod = 0,
		/* wants_xrc_for_atomic_fa */
		.to = 1,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw */
		.to = 2,
		.flags = 0xecu,
	},
	{
		.name = "bind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_bind_mw_type1 */
		.to = 3,
		.flags = 0xecu,
	},
	{
		.name = "local_inv",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_local_inv */
		.to = 4,
		.flags = 0xecu,
	},
	{
		.name = "nop",
		.opcode = SEGUE_OPCODE_NOP,
		.opmod = 0,
		/* may_take_filler */
		.to = 5,
		.flags = 0xecu,
	},
	{
		.name = "rdma_read",
		.opcode = SEGUE_OPCODE_RDMA_READ,
		.opmod = 0,
		/* wants_xrc_for_rdma_read */
		.to = 6,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write",
		.opcode = SEGUE_OPCODE_RDMA_WRITE,
		.opmod = 0,
		/* wants_xrc_for_rdma_write */
		.to = 7,
		.flags = 0xecu,
	},
	{
		.name = "rdma_write_imm",
		.opcode = SEGUE_OPCODE_RDMA_WRITE_IMM,
		.opmod = 0,
		/* wants_xrc_for_rdma_write */
		.to = 7,
		.flags = 0xeeu,
	},
	{
		.name = "send",
		.opcode = SEGUE_OPCODE_SEND,
		.opmod = 0,
		/* wants_xrc_for_send */
		.to = 8,
		.flags = 0xeeu,
	},
	{
		.name = "send_en",
		.opcode = SEGUE_OPCODE_SEND_EN,
		.opmod = 0,
		/* wants_sq_index */
		.to = 9,
		.flags = 0xecu,
	},
	{
		.name = "send_imm",
		.opcode = SEGUE_OPCODE_SEND_IMM,
		.opmod = 0,
		/* wants_xrc_for_send */
		.to = 8,
		.flags = 0xeeu,
	},
	{
		.name = "send_inv",
		.opcode = SEGUE_OPCODE_SEND_INVAL,
		.opmod = 0,
		/* wants_xrc_for_send */
		.to = 8,
		.flags = 0xeeu,
	},
	{
		.name = "unbind_mw_type1",
		.opcode = SEGUE_OPCODE_UMR,
		.opmod = 0,
		/* wants_umr_ctrl_for_unbind_mw_type1 */
		.to = 10,
		.flags = 0xecu,
	},
	{
		.name = "wait_cq",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 0,
		/* wants_cq_index */
		.to = 11,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_data",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 1,
		/* wants_data_condition */
		.to = 12,
		.flags = 0xecu,
	},
	{
		.name = "wait_on_time",
		.opcode = SEGUE_OPCODE_WAIT,
		.opmod = 2,
		/* wants_time_condition */
		.to = 13,
		.flags = 0xecu,
	},
};

const struct segue_machine segue_xrc_initiator_machine = {
	.name = "xrc_initiator",
	.starts = xrc_initiator_starts,
	.states = xrc_initiator_states,
	.edges = xrc_initiator_edges,
	.symbols = xrc_initiator_symbols,
	.n_starts = 17,
	.n_states = 28,
	.send = true,
};

static const struct segue_symbol rq_symbols[] = {
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_SYMBOL_TERMINATOR,
	},
	{
		.segment = &segue_seg_rwqe_sig_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
};

static const struct segue_edge rq_edges[] = {
	/* data: may_take_sge */
	{0, 1},
	/* data_end: complete */
	{1, 2},
	/* rwqe_sig: may_take_sge */
	{2, 1},
	/* data: may_take_sge */
	{0, 1},
	/* data_end: complete */
	{1, 2},
};

static const struct segue_state rq_states[] = {
	/* 0 */
	{"may_take_sge_or_rwqe_sig", 0, 3, true},
	/* 1 */
	{"may_take_sge", 3, 2, true},
	/* 2 */
	{"complete", 5, 0, true},
};

static const struct segue_start rq_starts[] = {
	{
		.name = "recv_rq",
		/* may_take_sge_or_rwqe_sig */
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
	.n_states = 3,
	.send = false,
};

static const struct segue_symbol srq_symbols[] = {
	{
		.segment = &segue_seg_srq_next_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_SYMBOL_TERMINATOR,
	},
};

static const struct segue_edge srq_edges[] = {
	/* srq_next: may_take_sge */
	{0, 1},
	/* data: may_take_sge */
	{1, 1},
	/* data_end: complete */
	{2, 2},
};

static const struct segue_state srq_states[] = {
	/* 0 */
	{"wants_srq_next", 0, 1, false},
	/* 1 */
	{"may_take_sge", 1, 2, true},
	/* 2 */
	{"complete", 3, 0, true},
};

static const struct segue_start srq_starts[] = {
	{
		.name = "recv_srq",
		/* wants_srq_next */
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

static const struct segue_symbol mprq_symbols[] = {
	{
		.segment = &segue_seg_srq_next_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_desc,
		.op = SEGUE_SYMBOL_SEGMENT,
	},
	{
		.segment = &segue_seg_data_end_desc,
		.op = SEGUE_SYMBOL_TERMINATOR,
	},
};

static const struct segue_edge mprq_edges[] = {
	/* srq_next: wants_sge */
	{0, 1},
	/* data: may_take_sge */
	{1, 2},
	/* data: may_take_sge */
	{1, 2},
	/* data_end: complete */
	{2, 3},
};

static const struct segue_state mprq_states[] = {
	/* 0 */
	{"wants_srq_next", 0, 1, false},
	/* 1 */
	{"wants_sge", 1, 1, false},
	/* 2 */
	{"may_take_sge", 2, 2, true},
	/* 3 */
	{"complete", 4, 0, true},
};

static const struct segue_start mprq_starts[] = {
	{
		.name = "recv_mprq",
		/* wants_srq_next */
		.to = 0,
	},
};

const struct segue_machine segue_mprq_machine = {
	.name = "mprq",
	.starts = mprq_starts,
	.states = mprq_states,
	.edges = mprq_edges,
	.symbols = mprq_symbols,
	.n_starts = 1,
	.n_states = 4,
	.send = false,
};

const struct segue_control_desc segue_control = {
	.segment = &segue_seg_ctrl_desc,
	.opcode = 2,
	.opmod = 0,
	.index = 1,
	.queue = 3,
	.size = 4,
	.imm = 10,
	.n_flags = 3,
	.flags = {7, 8, 9},
	.signature = 5,
};

const struct segue_machine *const segue_machines[] = {
	/* dci */
	&segue_dci_machine,
	/* raw_packet */
	&segue_raw_packet_machine,
	/* rc */
	&segue_rc_machine,
	/* uc */
	&segue_uc_machine,
	/* ud */
	&segue_ud_machine,
	/* xrc_initiator */
	&segue_xrc_initiator_machine,
	/* rq */
	&segue_rq_machine,
	/* srq */
	&segue_srq_machine,
	/* mprq */
	&segue_mprq_machine,
	/* the end */
	NULL,
};
