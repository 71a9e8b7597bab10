/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/fragments, spec/mlx5/transports, spec/mlx5/work_requests,
 * spec/verbs/transports by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
/*
 * The names that a user calls. Each is one name for all transports and states: in C a macro that
 * selects the function by the type of its first argument, in C++ a set of overloads. A step that
 * may not come next has no function, so it does not compile, and the message names the state.
 */
#ifndef SEGUE_GEN_BUILDERS_H
#define SEGUE_GEN_BUILDERS_H

#include "segue/gen/dci.h"
#include "segue/gen/mprq.h"
#include "segue/gen/raw_packet.h"
#include "segue/gen/rc.h"
#include "segue/gen/rq.h"
#include "segue/gen/srq.h"
#include "segue/gen/uc.h"
#include "segue/gen/ud.h"
#include "segue/gen/xrc_initiator.h"

#ifndef __cplusplus

#define SEGUEI_FIRST(first, ...) first

/* clang-format off */

#define segue_atomic(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_atomic: seguei_dci_wants_atomic_atomic, \
		struct segue_rc_wants_atomic: seguei_rc_wants_atomic_atomic, \
		struct segue_xrc_initiator_wants_atomic: seguei_xrc_initiator_wants_atomic_atomic)(first, __VA_ARGS__)

#define segue_atomic_add(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_atomic_add: seguei_dci_wants_atomic_add_atomic_add, \
		struct segue_rc_wants_atomic_add: seguei_rc_wants_atomic_add_atomic_add, \
		struct segue_xrc_initiator_wants_atomic_add: seguei_xrc_initiator_wants_atomic_add_atomic_add)(first, __VA_ARGS__)

#define segue_atomic_cs(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_atomic_cs, \
		struct segue_rc_sq *: seguei_rc_begin_atomic_cs, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_atomic_cs)(first, __VA_ARGS__)

#define segue_atomic_fa(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_atomic_fa, \
		struct segue_rc_sq *: seguei_rc_begin_atomic_fa, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_atomic_fa)(first, __VA_ARGS__)

#define segue_av(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_av_or_av_compact_for_atomic_cs: seguei_dci_wants_av_or_av_compact_for_atomic_cs_av, \
		struct segue_dci_wants_av_or_av_compact_for_atomic_fa: seguei_dci_wants_av_or_av_compact_for_atomic_fa_av, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_av, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_av, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_av, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_av, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_read: seguei_dci_wants_av_or_av_compact_for_rdma_read_av, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_write: seguei_dci_wants_av_or_av_compact_for_rdma_write_av, \
		struct segue_dci_wants_av_or_av_compact_for_send: seguei_dci_wants_av_or_av_compact_for_send_av, \
		struct segue_ud_wants_av_or_av_compact_for_send: seguei_ud_wants_av_or_av_compact_for_send_av, \
		struct segue_ud_wants_av_or_av_compact_for_send_imm: seguei_ud_wants_av_or_av_compact_for_send_imm_av)(first, __VA_ARGS__)

#define segue_av_compact(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_av_or_av_compact_for_atomic_cs: seguei_dci_wants_av_or_av_compact_for_atomic_cs_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_atomic_fa: seguei_dci_wants_av_or_av_compact_for_atomic_fa_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_read: seguei_dci_wants_av_or_av_compact_for_rdma_read_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_write: seguei_dci_wants_av_or_av_compact_for_rdma_write_av_compact, \
		struct segue_dci_wants_av_or_av_compact_for_send: seguei_dci_wants_av_or_av_compact_for_send_av_compact, \
		struct segue_ud_wants_av_or_av_compact_for_send: seguei_ud_wants_av_or_av_compact_for_send_av_compact, \
		struct segue_ud_wants_av_or_av_compact_for_send_imm: seguei_ud_wants_av_or_av_compact_for_send_imm_av_compact)(first, __VA_ARGS__)

#define segue_bind_klm(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_bind_klm: seguei_dci_wants_bind_klm_bind_klm, \
		struct segue_rc_wants_bind_klm: seguei_rc_wants_bind_klm_bind_klm, \
		struct segue_uc_wants_bind_klm: seguei_uc_wants_bind_klm_bind_klm, \
		struct segue_xrc_initiator_wants_bind_klm: seguei_xrc_initiator_wants_bind_klm_bind_klm)(first, __VA_ARGS__)

#define segue_bind_mw(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_bind_mw, \
		struct segue_rc_sq *: seguei_rc_begin_bind_mw, \
		struct segue_uc_sq *: seguei_uc_begin_bind_mw, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_bind_mw)(first, __VA_ARGS__)

#define segue_bind_mw_type1(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_bind_mw_type1, \
		struct segue_rc_sq *: seguei_rc_begin_bind_mw_type1, \
		struct segue_uc_sq *: seguei_uc_begin_bind_mw_type1, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_bind_mw_type1)(first, __VA_ARGS__)

#define segue_bsf(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_bsf_for_umr_interleaved_sig: seguei_rc_wants_bsf_for_umr_interleaved_sig_bsf, \
		struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto: seguei_rc_wants_bsf_for_umr_interleaved_sig_crypto_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_bsf, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_bsf)(first, __VA_ARGS__)

#define segue_check_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_check_psv)(first, __VA_ARGS__)

#define segue_commit(first) \
	_Generic((first), \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_commit, \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_commit, \
		struct segue_dci_complete: seguei_dci_complete_commit, \
		struct segue_dci_may_take_sge: seguei_dci_may_take_sge_commit, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_commit, \
		struct segue_raw_packet_may_take_filler: seguei_raw_packet_may_take_filler_commit, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_commit, \
		struct segue_raw_packet_complete: seguei_raw_packet_complete_commit, \
		struct segue_raw_packet_may_take_sge: seguei_raw_packet_may_take_sge_commit, \
		struct segue_rc_may_take_filler: seguei_rc_may_take_filler_commit, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_commit, \
		struct segue_rc_complete: seguei_rc_complete_commit, \
		struct segue_rc_may_take_sge: seguei_rc_may_take_sge_commit, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_commit, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent: seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_commit, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_commit, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_commit, \
		struct segue_uc_may_take_filler: seguei_uc_may_take_filler_commit, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_commit, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_commit, \
		struct segue_uc_may_take_sge: seguei_uc_may_take_sge_commit, \
		struct segue_uc_complete: seguei_uc_complete_commit, \
		struct segue_ud_may_take_filler: seguei_ud_may_take_filler_commit, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_commit, \
		struct segue_ud_complete: seguei_ud_complete_commit, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_commit, \
		struct segue_ud_may_take_sge: seguei_ud_may_take_sge_commit, \
		struct segue_xrc_initiator_may_take_filler: seguei_xrc_initiator_may_take_filler_commit, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_commit, \
		struct segue_xrc_initiator_complete: seguei_xrc_initiator_complete_commit, \
		struct segue_xrc_initiator_may_take_sge: seguei_xrc_initiator_may_take_sge_commit, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_commit, \
		struct segue_rq_may_take_sge_or_rwqe_sig: seguei_rq_may_take_sge_or_rwqe_sig_commit, \
		struct segue_rq_may_take_sge: seguei_rq_may_take_sge_commit, \
		struct segue_rq_complete: seguei_rq_complete_commit, \
		struct segue_srq_may_take_sge: seguei_srq_may_take_sge_commit, \
		struct segue_srq_complete: seguei_srq_complete_commit, \
		struct segue_mprq_may_take_sge: seguei_mprq_may_take_sge_commit, \
		struct segue_mprq_complete: seguei_mprq_complete_commit)(first)

#define segue_cq_index(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_cq_index: seguei_dci_wants_cq_index_cq_index, \
		struct segue_raw_packet_wants_cq_index: seguei_raw_packet_wants_cq_index_cq_index, \
		struct segue_rc_wants_cq_index: seguei_rc_wants_cq_index_cq_index, \
		struct segue_uc_wants_cq_index: seguei_uc_wants_cq_index_cq_index, \
		struct segue_ud_wants_cq_index: seguei_ud_wants_cq_index_cq_index, \
		struct segue_xrc_initiator_wants_cq_index: seguei_xrc_initiator_wants_cq_index_cq_index)(first, __VA_ARGS__)

#define segue_crypto_bsf(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto: seguei_rc_wants_crypto_bsf_for_umr_interleaved_crypto_crypto_bsf, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_crypto_bsf, \
		struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto: seguei_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto_crypto_bsf, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_crypto_bsf, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_crypto_bsf)(first, __VA_ARGS__)

#define segue_data_condition(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_data_condition: seguei_dci_wants_data_condition_data_condition, \
		struct segue_raw_packet_wants_data_condition: seguei_raw_packet_wants_data_condition_data_condition, \
		struct segue_rc_wants_data_condition: seguei_rc_wants_data_condition_data_condition, \
		struct segue_uc_wants_data_condition: seguei_uc_wants_data_condition_data_condition, \
		struct segue_ud_wants_data_condition: seguei_ud_wants_data_condition_data_condition, \
		struct segue_xrc_initiator_wants_data_condition: seguei_xrc_initiator_wants_data_condition_data_condition)(first, __VA_ARGS__)

#define segue_data_end(first) \
	_Generic((first), \
		struct segue_rc_wants_sge_or_data_end: seguei_rc_wants_sge_or_data_end_data_end)(first)

#define segue_eth(first, ...) \
	_Generic((first), \
		struct segue_raw_packet_wants_eth_or_eth_vlan: seguei_raw_packet_wants_eth_or_eth_vlan_eth, \
		struct segue_raw_packet_wants_eth: seguei_raw_packet_wants_eth_eth, \
		struct segue_ud_wants_eth: seguei_ud_wants_eth_eth)(first, __VA_ARGS__)

#define segue_eth_pad(first) \
	_Generic((first), \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_eth_pad)(first)

#define segue_eth_vlan(first, ...) \
	_Generic((first), \
		struct segue_raw_packet_wants_eth_or_eth_vlan: seguei_raw_packet_wants_eth_or_eth_vlan_eth_vlan)(first, __VA_ARGS__)

#define segue_filler(first, ...) \
	_Generic((first), \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_filler, \
		struct segue_raw_packet_may_take_filler: seguei_raw_packet_may_take_filler_filler, \
		struct segue_rc_may_take_filler: seguei_rc_may_take_filler_filler, \
		struct segue_uc_may_take_filler: seguei_uc_may_take_filler_filler, \
		struct segue_ud_may_take_filler: seguei_ud_may_take_filler_filler, \
		struct segue_xrc_initiator_may_take_filler: seguei_xrc_initiator_may_take_filler_filler)(first, __VA_ARGS__)

#define segue_filler_list(first, ...) \
	_Generic((first), \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_filler_list, \
		struct segue_raw_packet_may_take_filler: seguei_raw_packet_may_take_filler_filler_list, \
		struct segue_rc_may_take_filler: seguei_rc_may_take_filler_filler_list, \
		struct segue_uc_may_take_filler: seguei_uc_may_take_filler_filler_list, \
		struct segue_ud_may_take_filler: seguei_ud_may_take_filler_filler_list, \
		struct segue_xrc_initiator_may_take_filler: seguei_xrc_initiator_may_take_filler_filler_list)(first, __VA_ARGS__)

#define segue_flow_tbl_access(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_flow_tbl_access)(first, __VA_ARGS__)

#define segue_flow_update_ctrl(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_flow_update_ctrl: seguei_rc_wants_flow_update_ctrl_flow_update_ctrl)(first, __VA_ARGS__)

#define segue_get_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_get_psv)(first, __VA_ARGS__)

#define segue_header_modify_argument_update(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_header_modify_argument_update: seguei_rc_wants_header_modify_argument_update_header_modify_argument_update)(first, __VA_ARGS__)

#define segue_inline_data(first, ...) \
	_Generic((first), \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_inline_data, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_inline_data, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_inline_data, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_inline_data, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_inline_data, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_inline_data, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_inline_data, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_inline_data, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_inline_data, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_inline_data, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_inline_data)(first, __VA_ARGS__)

#define segue_klm_list(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_klm_list_for_umr_list: seguei_rc_wants_klm_list_for_umr_list_klm_list, \
		struct segue_rc_wants_klm_list_for_umr_list_crypto: seguei_rc_wants_klm_list_for_umr_list_crypto_klm_list, \
		struct segue_rc_wants_klm_list_for_umr_list_sig: seguei_rc_wants_klm_list_for_umr_list_sig_klm_list, \
		struct segue_rc_wants_klm_list_for_umr_list_sig_crypto: seguei_rc_wants_klm_list_for_umr_list_sig_crypto_klm_list)(first, __VA_ARGS__)

#define segue_list_pad(first) \
	_Generic((first), \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent: seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_list_pad, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_list_pad, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_list_pad, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_list_pad, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_list_pad, \
		struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2: seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_list_pad, \
		struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2: seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_list_pad)(first)

#define segue_list_pointer(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_list_pointer: seguei_rc_wants_list_pointer_list_pointer)(first, __VA_ARGS__)

#define segue_local_inv(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_local_inv, \
		struct segue_rc_sq *: seguei_rc_begin_local_inv, \
		struct segue_uc_sq *: seguei_uc_begin_local_inv, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_local_inv)(first, __VA_ARGS__)

#define segue_masked_atomic_cs32(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_masked_atomic_cs32, \
		struct segue_rc_sq *: seguei_rc_begin_masked_atomic_cs32)(first, __VA_ARGS__)

#define segue_masked_atomic_cs64(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_masked_atomic_cs64, \
		struct segue_rc_sq *: seguei_rc_begin_masked_atomic_cs64)(first, __VA_ARGS__)

#define segue_masked_atomic_fa32(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_masked_atomic_fa32, \
		struct segue_rc_sq *: seguei_rc_begin_masked_atomic_fa32)(first, __VA_ARGS__)

#define segue_masked_atomic_fa64(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_masked_atomic_fa64, \
		struct segue_rc_sq *: seguei_rc_begin_masked_atomic_fa64)(first, __VA_ARGS__)

#define segue_masked_cas32(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_masked_cas32: seguei_dci_wants_masked_cas32_masked_cas32, \
		struct segue_rc_wants_masked_cas32: seguei_rc_wants_masked_cas32_masked_cas32)(first, __VA_ARGS__)

#define segue_masked_cas64(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_masked_cas64: seguei_dci_wants_masked_cas64_masked_cas64, \
		struct segue_rc_wants_masked_cas64: seguei_rc_wants_masked_cas64_masked_cas64)(first, __VA_ARGS__)

#define segue_masked_fa32(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_masked_fa32: seguei_dci_wants_masked_fa32_masked_fa32, \
		struct segue_rc_wants_masked_fa32: seguei_rc_wants_masked_fa32_masked_fa32)(first, __VA_ARGS__)

#define segue_masked_fa64(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_masked_fa64: seguei_dci_wants_masked_fa64_masked_fa64, \
		struct segue_rc_wants_masked_fa64: seguei_rc_wants_masked_fa64_masked_fa64)(first, __VA_ARGS__)

#define segue_matrix(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_matrix: seguei_dci_wants_matrix_matrix, \
		struct segue_rc_wants_matrix: seguei_rc_wants_matrix_matrix)(first, __VA_ARGS__)

#define segue_memcpy(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_memcpy, \
		struct segue_rc_sq *: seguei_rc_begin_memcpy)(first, __VA_ARGS__)

#define segue_mkey_bind(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_mkey_bind: seguei_dci_wants_mkey_bind_mkey_bind, \
		struct segue_rc_wants_mkey_bind: seguei_rc_wants_mkey_bind_mkey_bind, \
		struct segue_uc_wants_mkey_bind: seguei_uc_wants_mkey_bind_mkey_bind, \
		struct segue_xrc_initiator_wants_mkey_bind: seguei_xrc_initiator_wants_mkey_bind_mkey_bind)(first, __VA_ARGS__)

#define segue_mkey_context(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_mkey_context_for_umr_interleaved: seguei_rc_wants_mkey_context_for_umr_interleaved_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto: seguei_rc_wants_mkey_context_for_umr_interleaved_crypto_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_interleaved_sig: seguei_rc_wants_mkey_context_for_umr_interleaved_sig_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto: seguei_rc_wants_mkey_context_for_umr_interleaved_sig_crypto_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_list: seguei_rc_wants_mkey_context_for_umr_list_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_list_crypto: seguei_rc_wants_mkey_context_for_umr_list_crypto_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_list_sig: seguei_rc_wants_mkey_context_for_umr_list_sig_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto: seguei_rc_wants_mkey_context_for_umr_list_sig_crypto_mkey_context, \
		struct segue_rc_wants_mkey_context_for_umr_pointer: seguei_rc_wants_mkey_context_for_umr_pointer_mkey_context)(first, __VA_ARGS__)

#define segue_mkey_invalidate(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_mkey_invalidate: seguei_dci_wants_mkey_invalidate_mkey_invalidate, \
		struct segue_rc_wants_mkey_invalidate: seguei_rc_wants_mkey_invalidate_mkey_invalidate, \
		struct segue_uc_wants_mkey_invalidate: seguei_uc_wants_mkey_invalidate_mkey_invalidate, \
		struct segue_xrc_initiator_wants_mkey_invalidate: seguei_xrc_initiator_wants_mkey_invalidate_mkey_invalidate)(first, __VA_ARGS__)

#define segue_mmo_data(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_metadata: seguei_dci_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data, \
		struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_data: seguei_dci_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data, \
		struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata: seguei_rc_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data, \
		struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data: seguei_rc_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data)(first, __VA_ARGS__)

#define segue_mmo_metadata(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_mmo_metadata: seguei_dci_wants_mmo_metadata_mmo_metadata, \
		struct segue_rc_wants_mmo_metadata: seguei_rc_wants_mmo_metadata_mmo_metadata)(first, __VA_ARGS__)

#define segue_nop(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_nop, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_nop, \
		struct segue_rc_sq *: seguei_rc_begin_nop, \
		struct segue_uc_sq *: seguei_uc_begin_nop, \
		struct segue_ud_sq *: seguei_ud_begin_nop, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_nop)(first, __VA_ARGS__)

#define segue_post(first) \
	_Generic((first), \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_post, \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_post, \
		struct segue_dci_complete: seguei_dci_complete_post, \
		struct segue_dci_may_take_sge: seguei_dci_may_take_sge_post, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_post, \
		struct segue_raw_packet_may_take_filler: seguei_raw_packet_may_take_filler_post, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_post, \
		struct segue_raw_packet_complete: seguei_raw_packet_complete_post, \
		struct segue_raw_packet_may_take_sge: seguei_raw_packet_may_take_sge_post, \
		struct segue_rc_may_take_filler: seguei_rc_may_take_filler_post, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_post, \
		struct segue_rc_complete: seguei_rc_complete_post, \
		struct segue_rc_may_take_sge: seguei_rc_may_take_sge_post, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent: seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post, \
		struct segue_uc_may_take_filler: seguei_uc_may_take_filler_post, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_post, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post, \
		struct segue_uc_may_take_sge: seguei_uc_may_take_sge_post, \
		struct segue_uc_complete: seguei_uc_complete_post, \
		struct segue_ud_may_take_filler: seguei_ud_may_take_filler_post, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_post, \
		struct segue_ud_complete: seguei_ud_complete_post, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_post, \
		struct segue_ud_may_take_sge: seguei_ud_may_take_sge_post, \
		struct segue_xrc_initiator_may_take_filler: seguei_xrc_initiator_may_take_filler_post, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_post, \
		struct segue_xrc_initiator_complete: seguei_xrc_initiator_complete_post, \
		struct segue_xrc_initiator_may_take_sge: seguei_xrc_initiator_may_take_sge_post, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_post, \
		struct segue_rq_may_take_sge_or_rwqe_sig: seguei_rq_may_take_sge_or_rwqe_sig_post, \
		struct segue_rq_may_take_sge: seguei_rq_may_take_sge_post, \
		struct segue_rq_complete: seguei_rq_complete_post, \
		struct segue_srq_may_take_sge: seguei_srq_may_take_sge_post, \
		struct segue_srq_complete: seguei_srq_complete_post, \
		struct segue_mprq_may_take_sge: seguei_mprq_may_take_sge_post, \
		struct segue_mprq_complete: seguei_mprq_complete_post)(first)

#define segue_post_atomic_cs(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_atomic_cs, \
		struct segue_rc_sq *: seguei_rc_post_atomic_cs, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_atomic_cs)(first, __VA_ARGS__)

#define segue_post_atomic_fa(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_atomic_fa, \
		struct segue_rc_sq *: seguei_rc_post_atomic_fa, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_atomic_fa)(first, __VA_ARGS__)

#define segue_post_bind_mw(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_bind_mw, \
		struct segue_rc_sq *: seguei_rc_post_bind_mw, \
		struct segue_uc_sq *: seguei_uc_post_bind_mw, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_bind_mw)(first, __VA_ARGS__)

#define segue_post_bind_mw_type1(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_bind_mw_type1, \
		struct segue_rc_sq *: seguei_rc_post_bind_mw_type1, \
		struct segue_uc_sq *: seguei_uc_post_bind_mw_type1, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_bind_mw_type1)(first, __VA_ARGS__)

#define segue_post_blueflame(first) \
	_Generic((first), \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_post_blueflame, \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_post_blueflame, \
		struct segue_dci_complete: seguei_dci_complete_post_blueflame, \
		struct segue_dci_may_take_sge: seguei_dci_may_take_sge_post_blueflame, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_post_blueflame, \
		struct segue_raw_packet_may_take_filler: seguei_raw_packet_may_take_filler_post_blueflame, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_post_blueflame, \
		struct segue_raw_packet_complete: seguei_raw_packet_complete_post_blueflame, \
		struct segue_raw_packet_may_take_sge: seguei_raw_packet_may_take_sge_post_blueflame, \
		struct segue_rc_may_take_filler: seguei_rc_may_take_filler_post_blueflame, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_post_blueflame, \
		struct segue_rc_complete: seguei_rc_complete_post_blueflame, \
		struct segue_rc_may_take_sge: seguei_rc_may_take_sge_post_blueflame, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent: seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post_blueflame, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post_blueflame, \
		struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2: seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post_blueflame, \
		struct segue_uc_may_take_filler: seguei_uc_may_take_filler_post_blueflame, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_post_blueflame, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame, \
		struct segue_uc_may_take_sge: seguei_uc_may_take_sge_post_blueflame, \
		struct segue_uc_complete: seguei_uc_complete_post_blueflame, \
		struct segue_ud_may_take_filler: seguei_ud_may_take_filler_post_blueflame, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_post_blueflame, \
		struct segue_ud_complete: seguei_ud_complete_post_blueflame, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_post_blueflame, \
		struct segue_ud_may_take_sge: seguei_ud_may_take_sge_post_blueflame, \
		struct segue_xrc_initiator_may_take_filler: seguei_xrc_initiator_may_take_filler_post_blueflame, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_post_blueflame, \
		struct segue_xrc_initiator_complete: seguei_xrc_initiator_complete_post_blueflame, \
		struct segue_xrc_initiator_may_take_sge: seguei_xrc_initiator_may_take_sge_post_blueflame, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_post_blueflame)(first)

#define segue_post_check_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_check_psv)(first, __VA_ARGS__)

#define segue_post_flow_tbl_access(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_flow_tbl_access)(first, __VA_ARGS__)

#define segue_post_get_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_get_psv)(first, __VA_ARGS__)

#define segue_post_local_inv(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_local_inv, \
		struct segue_rc_sq *: seguei_rc_post_local_inv, \
		struct segue_uc_sq *: seguei_uc_post_local_inv, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_local_inv)(first, __VA_ARGS__)

#define segue_post_masked_atomic_cs32(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_masked_atomic_cs32, \
		struct segue_rc_sq *: seguei_rc_post_masked_atomic_cs32)(first, __VA_ARGS__)

#define segue_post_masked_atomic_cs64(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_masked_atomic_cs64, \
		struct segue_rc_sq *: seguei_rc_post_masked_atomic_cs64)(first, __VA_ARGS__)

#define segue_post_masked_atomic_fa32(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_masked_atomic_fa32, \
		struct segue_rc_sq *: seguei_rc_post_masked_atomic_fa32)(first, __VA_ARGS__)

#define segue_post_masked_atomic_fa64(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_masked_atomic_fa64, \
		struct segue_rc_sq *: seguei_rc_post_masked_atomic_fa64)(first, __VA_ARGS__)

#define segue_post_memcpy(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_memcpy, \
		struct segue_rc_sq *: seguei_rc_post_memcpy)(first, __VA_ARGS__)

#define segue_post_nop(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_nop, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_nop, \
		struct segue_rc_sq *: seguei_rc_post_nop, \
		struct segue_uc_sq *: seguei_uc_post_nop, \
		struct segue_ud_sq *: seguei_ud_post_nop, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_nop)(first, __VA_ARGS__)

#define segue_post_rdma_read(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_rdma_read, \
		struct segue_rc_sq *: seguei_rc_post_rdma_read, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_rdma_read)(first, __VA_ARGS__)

#define segue_post_rdma_write(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_rdma_write, \
		struct segue_rc_sq *: seguei_rc_post_rdma_write, \
		struct segue_uc_sq *: seguei_uc_post_rdma_write, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_rdma_write)(first, __VA_ARGS__)

#define segue_post_rdma_write_imm(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_rdma_write_imm, \
		struct segue_rc_sq *: seguei_rc_post_rdma_write_imm, \
		struct segue_uc_sq *: seguei_uc_post_rdma_write_imm, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_rdma_write_imm)(first, __VA_ARGS__)

#define segue_post_recv_mprq(first, ...) \
	_Generic((first), \
		struct segue_mprq *: seguei_mprq_post_recv_mprq)(first, __VA_ARGS__)

#define segue_post_recv_rq(first, ...) \
	_Generic((first), \
		struct segue_rq *: seguei_rq_post_recv_rq)(first, __VA_ARGS__)

#define segue_post_recv_srq(first, ...) \
	_Generic((first), \
		struct segue_srq *: seguei_srq_post_recv_srq)(first, __VA_ARGS__)

#define segue_post_send(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_send, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_send, \
		struct segue_rc_sq *: seguei_rc_post_send, \
		struct segue_uc_sq *: seguei_uc_post_send, \
		struct segue_ud_sq *: seguei_ud_post_send, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_send)(first, __VA_ARGS__)

#define segue_post_send_en(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_send_en, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_send_en, \
		struct segue_rc_sq *: seguei_rc_post_send_en, \
		struct segue_uc_sq *: seguei_uc_post_send_en, \
		struct segue_ud_sq *: seguei_ud_post_send_en, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_send_en)(first, __VA_ARGS__)

#define segue_post_send_imm(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_send_imm, \
		struct segue_rc_sq *: seguei_rc_post_send_imm, \
		struct segue_uc_sq *: seguei_uc_post_send_imm, \
		struct segue_ud_sq *: seguei_ud_post_send_imm, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_send_imm)(first, __VA_ARGS__)

#define segue_post_send_inv(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_send_inv, \
		struct segue_rc_sq *: seguei_rc_post_send_inv, \
		struct segue_uc_sq *: seguei_uc_post_send_inv, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_send_inv)(first, __VA_ARGS__)

#define segue_post_set_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_set_psv)(first, __VA_ARGS__)

#define segue_post_tm_append(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_tm_append)(first, __VA_ARGS__)

#define segue_post_tm_noop(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_tm_noop)(first, __VA_ARGS__)

#define segue_post_tm_remove(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_tm_remove)(first, __VA_ARGS__)

#define segue_post_transpose(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_transpose, \
		struct segue_rc_sq *: seguei_rc_post_transpose)(first, __VA_ARGS__)

#define segue_post_tso(first, ...) \
	_Generic((first), \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_tso)(first, __VA_ARGS__)

#define segue_post_umr_interleaved(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_interleaved)(first, __VA_ARGS__)

#define segue_post_umr_interleaved_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_interleaved_crypto)(first, __VA_ARGS__)

#define segue_post_umr_interleaved_sig(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_interleaved_sig)(first, __VA_ARGS__)

#define segue_post_umr_interleaved_sig_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_interleaved_sig_crypto)(first, __VA_ARGS__)

#define segue_post_umr_list(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_list)(first, __VA_ARGS__)

#define segue_post_umr_list_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_list_crypto)(first, __VA_ARGS__)

#define segue_post_umr_list_sig(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_list_sig)(first, __VA_ARGS__)

#define segue_post_umr_list_sig_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_list_sig_crypto)(first, __VA_ARGS__)

#define segue_post_umr_pointer(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_post_umr_pointer)(first, __VA_ARGS__)

#define segue_post_unbind_mw_type1(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_unbind_mw_type1, \
		struct segue_rc_sq *: seguei_rc_post_unbind_mw_type1, \
		struct segue_uc_sq *: seguei_uc_post_unbind_mw_type1, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_unbind_mw_type1)(first, __VA_ARGS__)

#define segue_post_wait_cq(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_wait_cq, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_wait_cq, \
		struct segue_rc_sq *: seguei_rc_post_wait_cq, \
		struct segue_uc_sq *: seguei_uc_post_wait_cq, \
		struct segue_ud_sq *: seguei_ud_post_wait_cq, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_wait_cq)(first, __VA_ARGS__)

#define segue_post_wait_on_data(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_wait_on_data, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_wait_on_data, \
		struct segue_rc_sq *: seguei_rc_post_wait_on_data, \
		struct segue_uc_sq *: seguei_uc_post_wait_on_data, \
		struct segue_ud_sq *: seguei_ud_post_wait_on_data, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_wait_on_data)(first, __VA_ARGS__)

#define segue_post_wait_on_time(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_post_wait_on_time, \
		struct segue_raw_packet_sq *: seguei_raw_packet_post_wait_on_time, \
		struct segue_rc_sq *: seguei_rc_post_wait_on_time, \
		struct segue_uc_sq *: seguei_uc_post_wait_on_time, \
		struct segue_ud_sq *: seguei_ud_post_wait_on_time, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_post_wait_on_time)(first, __VA_ARGS__)

#define segue_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_psv: seguei_rc_wants_psv_psv)(first, __VA_ARGS__)

#define segue_psv_check(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_psv_check: seguei_rc_wants_psv_check_psv_check)(first, __VA_ARGS__)

#define segue_psv_get(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_psv_get: seguei_rc_wants_psv_get_psv_get)(first, __VA_ARGS__)

#define segue_raddr(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_raddr_for_atomic_cs: seguei_dci_wants_raddr_for_atomic_cs_raddr, \
		struct segue_dci_wants_raddr_for_atomic_fa: seguei_dci_wants_raddr_for_atomic_fa_raddr, \
		struct segue_dci_wants_raddr_for_masked_atomic_cs32: seguei_dci_wants_raddr_for_masked_atomic_cs32_raddr, \
		struct segue_dci_wants_raddr_for_masked_atomic_cs64: seguei_dci_wants_raddr_for_masked_atomic_cs64_raddr, \
		struct segue_dci_wants_raddr_for_masked_atomic_fa32: seguei_dci_wants_raddr_for_masked_atomic_fa32_raddr, \
		struct segue_dci_wants_raddr_for_masked_atomic_fa64: seguei_dci_wants_raddr_for_masked_atomic_fa64_raddr, \
		struct segue_dci_wants_raddr_for_rdma_read: seguei_dci_wants_raddr_for_rdma_read_raddr, \
		struct segue_dci_wants_raddr_for_rdma_write: seguei_dci_wants_raddr_for_rdma_write_raddr, \
		struct segue_rc_wants_raddr_for_atomic_cs: seguei_rc_wants_raddr_for_atomic_cs_raddr, \
		struct segue_rc_wants_raddr_for_atomic_fa: seguei_rc_wants_raddr_for_atomic_fa_raddr, \
		struct segue_rc_wants_raddr_for_masked_atomic_cs32: seguei_rc_wants_raddr_for_masked_atomic_cs32_raddr, \
		struct segue_rc_wants_raddr_for_masked_atomic_cs64: seguei_rc_wants_raddr_for_masked_atomic_cs64_raddr, \
		struct segue_rc_wants_raddr_for_masked_atomic_fa32: seguei_rc_wants_raddr_for_masked_atomic_fa32_raddr, \
		struct segue_rc_wants_raddr_for_masked_atomic_fa64: seguei_rc_wants_raddr_for_masked_atomic_fa64_raddr, \
		struct segue_rc_wants_raddr_for_rdma_read: seguei_rc_wants_raddr_for_rdma_read_raddr, \
		struct segue_rc_wants_raddr_for_rdma_write: seguei_rc_wants_raddr_for_rdma_write_raddr, \
		struct segue_uc_wants_raddr: seguei_uc_wants_raddr_raddr, \
		struct segue_xrc_initiator_wants_raddr_for_atomic_cs: seguei_xrc_initiator_wants_raddr_for_atomic_cs_raddr, \
		struct segue_xrc_initiator_wants_raddr_for_atomic_fa: seguei_xrc_initiator_wants_raddr_for_atomic_fa_raddr, \
		struct segue_xrc_initiator_wants_raddr_for_rdma_read: seguei_xrc_initiator_wants_raddr_for_rdma_read_raddr, \
		struct segue_xrc_initiator_wants_raddr_for_rdma_write: seguei_xrc_initiator_wants_raddr_for_rdma_write_raddr)(first, __VA_ARGS__)

#define segue_rdma_read(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_rdma_read, \
		struct segue_rc_sq *: seguei_rc_begin_rdma_read, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_rdma_read)(first, __VA_ARGS__)

#define segue_rdma_write(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_rdma_write, \
		struct segue_rc_sq *: seguei_rc_begin_rdma_write, \
		struct segue_uc_sq *: seguei_uc_begin_rdma_write, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_rdma_write)(first, __VA_ARGS__)

#define segue_rdma_write_imm(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_rdma_write_imm, \
		struct segue_rc_sq *: seguei_rc_begin_rdma_write_imm, \
		struct segue_uc_sq *: seguei_uc_begin_rdma_write_imm, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_rdma_write_imm)(first, __VA_ARGS__)

#define segue_recv_mprq(first, ...) \
	_Generic((first), \
		struct segue_mprq *: seguei_mprq_begin_recv_mprq)(first, __VA_ARGS__)

#define segue_recv_rq(first, ...) \
	_Generic((first), \
		struct segue_rq *: seguei_rq_begin_recv_rq)(first, __VA_ARGS__)

#define segue_recv_srq(first, ...) \
	_Generic((first), \
		struct segue_srq *: seguei_srq_begin_recv_srq)(first, __VA_ARGS__)

#define segue_repeat_block(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_repeat_block_for_umr_interleaved: seguei_rc_wants_repeat_block_for_umr_interleaved_repeat_block, \
		struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto: seguei_rc_wants_repeat_block_for_umr_interleaved_crypto_repeat_block, \
		struct segue_rc_wants_repeat_block_for_umr_interleaved_sig: seguei_rc_wants_repeat_block_for_umr_interleaved_sig_repeat_block, \
		struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto: seguei_rc_wants_repeat_block_for_umr_interleaved_sig_crypto_repeat_block)(first, __VA_ARGS__)

#define segue_repeat_ent_list(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_repeat_ent_list_for_umr_interleaved: seguei_rc_wants_repeat_ent_list_for_umr_interleaved_repeat_ent_list, \
		struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto: seguei_rc_wants_repeat_ent_list_for_umr_interleaved_crypto_repeat_ent_list, \
		struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig: seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_repeat_ent_list, \
		struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto: seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto_repeat_ent_list)(first, __VA_ARGS__)

#define segue_ring(first) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_ring, \
		struct segue_raw_packet_sq *: seguei_raw_packet_ring, \
		struct segue_rc_sq *: seguei_rc_ring, \
		struct segue_uc_sq *: seguei_uc_ring, \
		struct segue_ud_sq *: seguei_ud_ring, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_ring, \
		struct segue_rq *: seguei_rq_ring, \
		struct segue_srq *: seguei_srq_ring, \
		struct segue_mprq *: seguei_mprq_ring)(first)

#define segue_rwqe_sig(first, ...) \
	_Generic((first), \
		struct segue_rq_may_take_sge_or_rwqe_sig: seguei_rq_may_take_sge_or_rwqe_sig_rwqe_sig)(first, __VA_ARGS__)

#define segue_send(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_send, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_send, \
		struct segue_rc_sq *: seguei_rc_begin_send, \
		struct segue_uc_sq *: seguei_uc_begin_send, \
		struct segue_ud_sq *: seguei_ud_begin_send, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_send)(first, __VA_ARGS__)

#define segue_send_en(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_send_en, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_send_en, \
		struct segue_rc_sq *: seguei_rc_begin_send_en, \
		struct segue_uc_sq *: seguei_uc_begin_send_en, \
		struct segue_ud_sq *: seguei_ud_begin_send_en, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_send_en)(first, __VA_ARGS__)

#define segue_send_imm(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_send_imm, \
		struct segue_rc_sq *: seguei_rc_begin_send_imm, \
		struct segue_uc_sq *: seguei_uc_begin_send_imm, \
		struct segue_ud_sq *: seguei_ud_begin_send_imm, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_send_imm)(first, __VA_ARGS__)

#define segue_send_inv(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_send_inv, \
		struct segue_rc_sq *: seguei_rc_begin_send_inv, \
		struct segue_uc_sq *: seguei_uc_begin_send_inv, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_send_inv)(first, __VA_ARGS__)

#define segue_set_psv(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_set_psv)(first, __VA_ARGS__)

#define segue_sge(first, ...) \
	_Generic((first), \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_sge, \
		struct segue_dci_wants_sge_for_transpose_after_matrix: seguei_dci_wants_sge_for_transpose_after_matrix_sge, \
		struct segue_dci_may_take_sge: seguei_dci_may_take_sge_sge, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_sge, \
		struct segue_dci_wants_sge_for_transpose_after_sge: seguei_dci_wants_sge_for_transpose_after_sge_sge, \
		struct segue_dci_wants_sge_for_atomic_cs: seguei_dci_wants_sge_for_atomic_cs_sge, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_sge, \
		struct segue_raw_packet_may_take_sge: seguei_raw_packet_may_take_sge_sge, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_sge, \
		struct segue_rc_may_take_sge: seguei_rc_may_take_sge_sge, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge, \
		struct segue_rc_wants_sge_or_data_end: seguei_rc_wants_sge_or_data_end_sge, \
		struct segue_rc_wants_sge_for_transpose_after_matrix: seguei_rc_wants_sge_for_transpose_after_matrix_sge, \
		struct segue_rc_wants_sge_for_atomic_cs: seguei_rc_wants_sge_for_atomic_cs_sge, \
		struct segue_rc_wants_sge_for_transpose_after_sge: seguei_rc_wants_sge_for_transpose_after_sge_sge, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_sge, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge, \
		struct segue_uc_may_take_sge: seguei_uc_may_take_sge_sge, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_sge, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_sge, \
		struct segue_ud_may_take_sge: seguei_ud_may_take_sge_sge, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_sge, \
		struct segue_xrc_initiator_may_take_sge: seguei_xrc_initiator_may_take_sge_sge, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_sge, \
		struct segue_xrc_initiator_wants_sge: seguei_xrc_initiator_wants_sge_sge, \
		struct segue_rq_may_take_sge_or_rwqe_sig: seguei_rq_may_take_sge_or_rwqe_sig_sge, \
		struct segue_rq_may_take_sge: seguei_rq_may_take_sge_sge, \
		struct segue_srq_may_take_sge: seguei_srq_may_take_sge_sge, \
		struct segue_mprq_wants_sge: seguei_mprq_wants_sge_sge, \
		struct segue_mprq_may_take_sge: seguei_mprq_may_take_sge_sge)(first, __VA_ARGS__)

#define segue_sge_list(first, ...) \
	_Generic((first), \
		struct segue_dci_may_take_sge_or_inline_data_for_send: seguei_dci_may_take_sge_or_inline_data_for_send_sge_list, \
		struct segue_dci_may_take_sge: seguei_dci_may_take_sge_sge_list, \
		struct segue_dci_may_take_sge_or_inline_data_for_rdma_write: seguei_dci_may_take_sge_or_inline_data_for_rdma_write_sge_list, \
		struct segue_raw_packet_may_take_sge_or_inline_data: seguei_raw_packet_may_take_sge_or_inline_data_sge_list, \
		struct segue_raw_packet_may_take_sge: seguei_raw_packet_may_take_sge_sge_list, \
		struct segue_rc_may_take_sge_or_inline_data_for_send: seguei_rc_may_take_sge_or_inline_data_for_send_sge_list, \
		struct segue_rc_may_take_sge: seguei_rc_may_take_sge_sge_list, \
		struct segue_rc_may_take_sge_or_inline_data_for_rdma_write: seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge_list, \
		struct segue_uc_may_take_sge_or_inline_data_for_send: seguei_uc_may_take_sge_or_inline_data_for_send_sge_list, \
		struct segue_uc_may_take_sge_or_inline_data_for_rdma_write: seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge_list, \
		struct segue_uc_may_take_sge: seguei_uc_may_take_sge_sge_list, \
		struct segue_ud_may_take_sge_or_eth_pad_or_inline_data: seguei_ud_may_take_sge_or_eth_pad_or_inline_data_sge_list, \
		struct segue_ud_may_take_sge_or_inline_data: seguei_ud_may_take_sge_or_inline_data_sge_list, \
		struct segue_ud_may_take_sge: seguei_ud_may_take_sge_sge_list, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send: seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_sge_list, \
		struct segue_xrc_initiator_may_take_sge: seguei_xrc_initiator_may_take_sge_sge_list, \
		struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write: seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_sge_list, \
		struct segue_rq_may_take_sge_or_rwqe_sig: seguei_rq_may_take_sge_or_rwqe_sig_sge_list, \
		struct segue_rq_may_take_sge: seguei_rq_may_take_sge_sge_list, \
		struct segue_srq_may_take_sge: seguei_srq_may_take_sge_sge_list, \
		struct segue_mprq_may_take_sge: seguei_mprq_may_take_sge_sge_list)(first, __VA_ARGS__)

#define segue_sq_index(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_sq_index: seguei_dci_wants_sq_index_sq_index, \
		struct segue_raw_packet_wants_sq_index: seguei_raw_packet_wants_sq_index_sq_index, \
		struct segue_rc_wants_sq_index: seguei_rc_wants_sq_index_sq_index, \
		struct segue_uc_wants_sq_index: seguei_uc_wants_sq_index_sq_index, \
		struct segue_ud_wants_sq_index: seguei_ud_wants_sq_index_sq_index, \
		struct segue_xrc_initiator_wants_sq_index: seguei_xrc_initiator_wants_sq_index_sq_index)(first, __VA_ARGS__)

#define segue_stream(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_av_or_av_compact_for_atomic_cs: seguei_dci_wants_av_or_av_compact_for_atomic_cs_stream, \
		struct segue_dci_wants_av_or_av_compact_for_atomic_fa: seguei_dci_wants_av_or_av_compact_for_atomic_fa_stream, \
		struct segue_dci_wants_umr_ctrl_for_bind_mw: seguei_dci_wants_umr_ctrl_for_bind_mw_stream, \
		struct segue_dci_wants_umr_ctrl_for_bind_mw_type1: seguei_dci_wants_umr_ctrl_for_bind_mw_type1_stream, \
		struct segue_dci_wants_umr_ctrl_for_local_inv: seguei_dci_wants_umr_ctrl_for_local_inv_stream, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_stream, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_stream, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_stream, \
		struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64: seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_stream, \
		struct segue_dci_wants_mmo_metadata: seguei_dci_wants_mmo_metadata_stream, \
		struct segue_dci_may_take_filler: seguei_dci_may_take_filler_stream, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_read: seguei_dci_wants_av_or_av_compact_for_rdma_read_stream, \
		struct segue_dci_wants_av_or_av_compact_for_rdma_write: seguei_dci_wants_av_or_av_compact_for_rdma_write_stream, \
		struct segue_dci_wants_av_or_av_compact_for_send: seguei_dci_wants_av_or_av_compact_for_send_stream, \
		struct segue_dci_wants_sq_index: seguei_dci_wants_sq_index_stream, \
		struct segue_dci_wants_matrix: seguei_dci_wants_matrix_stream, \
		struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1: seguei_dci_wants_umr_ctrl_for_unbind_mw_type1_stream, \
		struct segue_dci_wants_cq_index: seguei_dci_wants_cq_index_stream, \
		struct segue_dci_wants_data_condition: seguei_dci_wants_data_condition_stream, \
		struct segue_dci_wants_time_condition: seguei_dci_wants_time_condition_stream)(first, __VA_ARGS__)

#define segue_time_condition(first, ...) \
	_Generic((first), \
		struct segue_dci_wants_time_condition: seguei_dci_wants_time_condition_time_condition, \
		struct segue_raw_packet_wants_time_condition: seguei_raw_packet_wants_time_condition_time_condition, \
		struct segue_rc_wants_time_condition: seguei_rc_wants_time_condition_time_condition, \
		struct segue_uc_wants_time_condition: seguei_uc_wants_time_condition_time_condition, \
		struct segue_ud_wants_time_condition: seguei_ud_wants_time_condition_time_condition, \
		struct segue_xrc_initiator_wants_time_condition: seguei_xrc_initiator_wants_time_condition_time_condition)(first, __VA_ARGS__)

#define segue_tm(first, ...) \
	_Generic((first), \
		struct segue_rc_wants_tm_for_tm_append: seguei_rc_wants_tm_for_tm_append_tm, \
		struct segue_rc_wants_tm_for_tm_noop: seguei_rc_wants_tm_for_tm_noop_tm, \
		struct segue_rc_wants_tm_for_tm_remove: seguei_rc_wants_tm_for_tm_remove_tm)(first, __VA_ARGS__)

#define segue_tm_append(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_tm_append)(first, __VA_ARGS__)

#define segue_tm_noop(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_tm_noop)(first, __VA_ARGS__)

#define segue_tm_remove(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_tm_remove)(first, __VA_ARGS__)

#define segue_transpose(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_transpose, \
		struct segue_rc_sq *: seguei_rc_begin_transpose)(first, __VA_ARGS__)

#define segue_tso(first, ...) \
	_Generic((first), \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_tso)(first, __VA_ARGS__)

#define segue_umr_ctrl(...) \
	_Generic((SEGUEI_FIRST(__VA_ARGS__, 0)), \
		struct segue_dci_wants_umr_ctrl_for_bind_mw: seguei_dci_wants_umr_ctrl_for_bind_mw_umr_ctrl, \
		struct segue_dci_wants_umr_ctrl_for_bind_mw_type1: seguei_dci_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl, \
		struct segue_dci_wants_umr_ctrl_for_local_inv: seguei_dci_wants_umr_ctrl_for_local_inv_umr_ctrl, \
		struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1: seguei_dci_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_bind_mw: seguei_rc_wants_umr_ctrl_for_bind_mw_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_bind_mw_type1: seguei_rc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_local_inv: seguei_rc_wants_umr_ctrl_for_local_inv_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_interleaved: seguei_rc_wants_umr_ctrl_for_umr_interleaved_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto: seguei_rc_wants_umr_ctrl_for_umr_interleaved_crypto_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig: seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto: seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_list: seguei_rc_wants_umr_ctrl_for_umr_list_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_list_crypto: seguei_rc_wants_umr_ctrl_for_umr_list_crypto_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_list_sig: seguei_rc_wants_umr_ctrl_for_umr_list_sig_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto: seguei_rc_wants_umr_ctrl_for_umr_list_sig_crypto_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_umr_pointer: seguei_rc_wants_umr_ctrl_for_umr_pointer_umr_ctrl, \
		struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1: seguei_rc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl, \
		struct segue_uc_wants_umr_ctrl_for_bind_mw: seguei_uc_wants_umr_ctrl_for_bind_mw_umr_ctrl, \
		struct segue_uc_wants_umr_ctrl_for_bind_mw_type1: seguei_uc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl, \
		struct segue_uc_wants_umr_ctrl_for_local_inv: seguei_uc_wants_umr_ctrl_for_local_inv_umr_ctrl, \
		struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1: seguei_uc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl, \
		struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw: seguei_xrc_initiator_wants_umr_ctrl_for_bind_mw_umr_ctrl, \
		struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw_type1: seguei_xrc_initiator_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl, \
		struct segue_xrc_initiator_wants_umr_ctrl_for_local_inv: seguei_xrc_initiator_wants_umr_ctrl_for_local_inv_umr_ctrl, \
		struct segue_xrc_initiator_wants_umr_ctrl_for_unbind_mw_type1: seguei_xrc_initiator_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl)(__VA_ARGS__)

#define segue_umr_interleaved(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_interleaved)(first, __VA_ARGS__)

#define segue_umr_interleaved_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_interleaved_crypto)(first, __VA_ARGS__)

#define segue_umr_interleaved_sig(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_interleaved_sig)(first, __VA_ARGS__)

#define segue_umr_interleaved_sig_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_interleaved_sig_crypto)(first, __VA_ARGS__)

#define segue_umr_list(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_list)(first, __VA_ARGS__)

#define segue_umr_list_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_list_crypto)(first, __VA_ARGS__)

#define segue_umr_list_sig(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_list_sig)(first, __VA_ARGS__)

#define segue_umr_list_sig_crypto(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_list_sig_crypto)(first, __VA_ARGS__)

#define segue_umr_pointer(first, ...) \
	_Generic((first), \
		struct segue_rc_sq *: seguei_rc_begin_umr_pointer)(first, __VA_ARGS__)

#define segue_unbind_mw_type1(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_unbind_mw_type1, \
		struct segue_rc_sq *: seguei_rc_begin_unbind_mw_type1, \
		struct segue_uc_sq *: seguei_uc_begin_unbind_mw_type1, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_unbind_mw_type1)(first, __VA_ARGS__)

#define segue_wait_cq(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_wait_cq, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_wait_cq, \
		struct segue_rc_sq *: seguei_rc_begin_wait_cq, \
		struct segue_uc_sq *: seguei_uc_begin_wait_cq, \
		struct segue_ud_sq *: seguei_ud_begin_wait_cq, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_wait_cq)(first, __VA_ARGS__)

#define segue_wait_on_data(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_wait_on_data, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_wait_on_data, \
		struct segue_rc_sq *: seguei_rc_begin_wait_on_data, \
		struct segue_uc_sq *: seguei_uc_begin_wait_on_data, \
		struct segue_ud_sq *: seguei_ud_begin_wait_on_data, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_wait_on_data)(first, __VA_ARGS__)

#define segue_wait_on_time(first, ...) \
	_Generic((first), \
		struct segue_dci_sq *: seguei_dci_begin_wait_on_time, \
		struct segue_raw_packet_sq *: seguei_raw_packet_begin_wait_on_time, \
		struct segue_rc_sq *: seguei_rc_begin_wait_on_time, \
		struct segue_uc_sq *: seguei_uc_begin_wait_on_time, \
		struct segue_ud_sq *: seguei_ud_begin_wait_on_time, \
		struct segue_xrc_initiator_sq *: seguei_xrc_initiator_begin_wait_on_time)(first, __VA_ARGS__)

#define segue_xrc(first, ...) \
	_Generic((first), \
		struct segue_xrc_initiator_wants_xrc_for_atomic_cs: seguei_xrc_initiator_wants_xrc_for_atomic_cs_xrc, \
		struct segue_xrc_initiator_wants_xrc_for_atomic_fa: seguei_xrc_initiator_wants_xrc_for_atomic_fa_xrc, \
		struct segue_xrc_initiator_wants_xrc_for_rdma_read: seguei_xrc_initiator_wants_xrc_for_rdma_read_xrc, \
		struct segue_xrc_initiator_wants_xrc_for_rdma_write: seguei_xrc_initiator_wants_xrc_for_rdma_write_xrc, \
		struct segue_xrc_initiator_wants_xrc_for_send: seguei_xrc_initiator_wants_xrc_for_send_xrc)(first, __VA_ARGS__)

/* clang-format on */

#else

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_atomic(struct segue_dci_wants_atomic w,
								  uint64_t swap_add,
								  uint64_t compare)
{
	return seguei_dci_wants_atomic_atomic(w, swap_add, compare);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_atomic(struct segue_rc_wants_atomic w,
								 uint64_t swap_add,
								 uint64_t compare)
{
	return seguei_rc_wants_atomic_atomic(w, swap_add, compare);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_sge segue_atomic(
	struct segue_xrc_initiator_wants_atomic w, uint64_t swap_add, uint64_t compare)
{
	return seguei_xrc_initiator_wants_atomic_atomic(w, swap_add, compare);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_atomic_add(
	struct segue_dci_wants_atomic_add w, uint64_t swap_add)
{
	return seguei_dci_wants_atomic_add_atomic_add(w, swap_add);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_atomic_add(
	struct segue_rc_wants_atomic_add w, uint64_t swap_add)
{
	return seguei_rc_wants_atomic_add_atomic_add(w, swap_add);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_sge segue_atomic_add(
	struct segue_xrc_initiator_wants_atomic_add w, uint64_t swap_add)
{
	return seguei_xrc_initiator_wants_atomic_add_atomic_add(w, swap_add);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_atomic_cs segue_atomic_cs(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_atomic_cs(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_atomic_cs segue_atomic_cs(struct segue_rc_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags)
{
	return seguei_rc_begin_atomic_cs(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_atomic_cs segue_atomic_cs(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_atomic_cs(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_atomic_fa segue_atomic_fa(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_atomic_fa(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_atomic_fa segue_atomic_fa(struct segue_rc_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags)
{
	return seguei_rc_begin_atomic_fa(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_atomic_fa segue_atomic_fa(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_atomic_fa(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_atomic_cs segue_av(
	struct segue_dci_wants_av_or_av_compact_for_atomic_cs w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_cs_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_atomic_fa segue_av(
	struct segue_dci_wants_av_or_av_compact_for_atomic_fa w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_fa_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_cs32 segue_av(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32 w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_cs64 segue_av(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64 w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_fa32 segue_av(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32 w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_fa64 segue_av(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64 w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_rdma_read segue_av(
	struct segue_dci_wants_av_or_av_compact_for_rdma_read w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_read_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_rdma_write segue_av(
	struct segue_dci_wants_av_or_av_compact_for_rdma_write w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_write_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_may_take_sge_or_inline_data_for_send segue_av(
	struct segue_dci_wants_av_or_av_compact_for_send w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_send_av(w, ah, dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_ud_may_take_sge_or_eth_pad_or_inline_data segue_av(
	struct segue_ud_wants_av_or_av_compact_for_send w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint32_t qkey)
{
	return seguei_ud_wants_av_or_av_compact_for_send_av(w, ah, dqp_dct, qkey);
}

SEGUE_BUILD struct segue_ud_may_take_sge_or_inline_data segue_av(
	struct segue_ud_wants_av_or_av_compact_for_send_imm w, const struct segue_ah *ah,
	uint32_t dqp_dct, uint32_t qkey)
{
	return seguei_ud_wants_av_or_av_compact_for_send_imm_av(w, ah, dqp_dct, qkey);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_atomic_cs segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_atomic_cs w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_cs_av_compact(w, ah_compact, dqp_dct,
									  dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_atomic_fa segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_atomic_fa w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_fa_av_compact(w, ah_compact, dqp_dct,
									  dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_cs32 segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32 w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_av_compact(w, ah_compact,
										   dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_cs64 segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64 w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_av_compact(w, ah_compact,
										   dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_fa32 segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32 w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_av_compact(w, ah_compact,
										   dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_masked_atomic_fa64 segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64 w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_av_compact(w, ah_compact,
										   dqp_dct, dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_rdma_read segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_rdma_read w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_read_av_compact(w, ah_compact, dqp_dct,
									  dc_key);
}

SEGUE_BUILD struct segue_dci_wants_raddr_for_rdma_write segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_rdma_write w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_write_av_compact(w, ah_compact, dqp_dct,
									   dc_key);
}

SEGUE_BUILD struct segue_dci_may_take_sge_or_inline_data_for_send segue_av_compact(
	struct segue_dci_wants_av_or_av_compact_for_send w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint64_t dc_key)
{
	return seguei_dci_wants_av_or_av_compact_for_send_av_compact(w, ah_compact, dqp_dct,
								     dc_key);
}

SEGUE_BUILD struct segue_ud_may_take_sge_or_eth_pad_or_inline_data segue_av_compact(
	struct segue_ud_wants_av_or_av_compact_for_send w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint32_t qkey)
{
	return seguei_ud_wants_av_or_av_compact_for_send_av_compact(w, ah_compact, dqp_dct, qkey);
}

SEGUE_BUILD struct segue_ud_may_take_sge_or_inline_data segue_av_compact(
	struct segue_ud_wants_av_or_av_compact_for_send_imm w,
	const struct segue_ah_compact *ah_compact, uint32_t dqp_dct, uint32_t qkey)
{
	return seguei_ud_wants_av_or_av_compact_for_send_imm_av_compact(w, ah_compact, dqp_dct,
									qkey);
}

SEGUE_BUILD struct segue_dci_complete segue_bind_klm(struct segue_dci_wants_bind_klm w,
						     uint64_t address, uint32_t byte_count,
						     uint32_t mkey)
{
	return seguei_dci_wants_bind_klm_bind_klm(w, address, byte_count, mkey);
}

SEGUE_BUILD struct segue_rc_complete segue_bind_klm(struct segue_rc_wants_bind_klm w,
						    uint64_t address, uint32_t byte_count,
						    uint32_t mkey)
{
	return seguei_rc_wants_bind_klm_bind_klm(w, address, byte_count, mkey);
}

SEGUE_BUILD struct segue_uc_complete segue_bind_klm(struct segue_uc_wants_bind_klm w,
						    uint64_t address, uint32_t byte_count,
						    uint32_t mkey)
{
	return seguei_uc_wants_bind_klm_bind_klm(w, address, byte_count, mkey);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_bind_klm(
	struct segue_xrc_initiator_wants_bind_klm w, uint64_t address, uint32_t byte_count,
	uint32_t mkey)
{
	return seguei_xrc_initiator_wants_bind_klm_bind_klm(w, address, byte_count, mkey);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_bind_mw segue_bind_mw(struct segue_dci_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags, uint32_t rkey)
{
	return seguei_dci_begin_bind_mw(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_bind_mw segue_bind_mw(struct segue_rc_sq *sq,
								     uint64_t wr_id, uint32_t flags,
								     uint32_t rkey)
{
	return seguei_rc_begin_bind_mw(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_bind_mw segue_bind_mw(struct segue_uc_sq *sq,
								     uint64_t wr_id, uint32_t flags,
								     uint32_t rkey)
{
	return seguei_uc_begin_bind_mw(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw segue_bind_mw(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_xrc_initiator_begin_bind_mw(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_bind_mw_type1 segue_bind_mw_type1(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_dci_begin_bind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 segue_bind_mw_type1(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_rc_begin_bind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 segue_bind_mw_type1(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_uc_begin_bind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw_type1 segue_bind_mw_type1(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_xrc_initiator_begin_bind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_rc_complete segue_bsf(struct segue_rc_wants_bsf_for_umr_interleaved_sig w,
					       const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_for_umr_interleaved_sig_bsf(w, bsf);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto segue_bsf(
	struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto w, const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_for_umr_interleaved_sig_crypto_bsf(w, bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_bsf(w, bsf);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_bsf(
		w, bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_bsf(w, bsf);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_bsf(
		w, bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_bsf(w, bsf);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto segue_bsf(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 w,
	const struct segue_seg_bsf *bsf)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_bsf(
		w, bsf);
}

SEGUE_BUILD struct segue_rc_wants_psv_check segue_check_psv(struct segue_rc_sq *sq, uint64_t wr_id,
							    uint32_t flags)
{
	return seguei_rc_begin_check_psv(sq, wr_id, flags);
}

SEGUE_INLINE int segue_commit(struct segue_dci_may_take_filler w)
{
	return seguei_dci_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_dci_may_take_sge_or_inline_data_for_send w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_dci_complete w)
{
	return seguei_dci_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_dci_may_take_sge w)
{
	return seguei_dci_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_raw_packet_may_take_filler w)
{
	return seguei_raw_packet_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_raw_packet_complete w)
{
	return seguei_raw_packet_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_raw_packet_may_take_sge w)
{
	return seguei_raw_packet_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rc_may_take_filler w)
{
	return seguei_rc_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rc_complete w)
{
	return seguei_rc_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rc_may_take_sge w)
{
	return seguei_rc_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_commit(w);
}

SEGUE_INLINE int segue_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_commit(w);
}

SEGUE_INLINE int segue_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_commit(w);
}

SEGUE_INLINE int segue_commit(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_uc_may_take_filler w)
{
	return seguei_uc_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_uc_may_take_sge w)
{
	return seguei_uc_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_uc_complete w)
{
	return seguei_uc_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_ud_may_take_filler w)
{
	return seguei_ud_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_ud_complete w)
{
	return seguei_ud_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_ud_may_take_sge_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_inline_data_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_ud_may_take_sge w)
{
	return seguei_ud_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_xrc_initiator_may_take_filler w)
{
	return seguei_xrc_initiator_may_take_filler_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_xrc_initiator_complete w)
{
	return seguei_xrc_initiator_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_xrc_initiator_may_take_sge w)
{
	return seguei_xrc_initiator_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rq_may_take_sge_or_rwqe_sig w)
{
	return seguei_rq_may_take_sge_or_rwqe_sig_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rq_may_take_sge w)
{
	return seguei_rq_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_rq_complete w)
{
	return seguei_rq_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_srq_may_take_sge w)
{
	return seguei_srq_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_srq_complete w)
{
	return seguei_srq_complete_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_mprq_may_take_sge w)
{
	return seguei_mprq_may_take_sge_commit(w);
}

SEGUE_INLINE int segue_commit(struct segue_mprq_complete w)
{
	return seguei_mprq_complete_commit(w);
}

SEGUE_BUILD struct segue_dci_complete segue_cq_index(struct segue_dci_wants_cq_index w,
						     uint32_t max_index, uint32_t cqn)
{
	return seguei_dci_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_raw_packet_complete segue_cq_index(
	struct segue_raw_packet_wants_cq_index w, uint32_t max_index, uint32_t cqn)
{
	return seguei_raw_packet_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_rc_complete segue_cq_index(struct segue_rc_wants_cq_index w,
						    uint32_t max_index, uint32_t cqn)
{
	return seguei_rc_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_uc_complete segue_cq_index(struct segue_uc_wants_cq_index w,
						    uint32_t max_index, uint32_t cqn)
{
	return seguei_uc_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_ud_complete segue_cq_index(struct segue_ud_wants_cq_index w,
						    uint32_t max_index, uint32_t cqn)
{
	return seguei_ud_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_cq_index(
	struct segue_xrc_initiator_wants_cq_index w, uint32_t max_index, uint32_t cqn)
{
	return seguei_xrc_initiator_wants_cq_index_cq_index(w, max_index, cqn);
}

SEGUE_BUILD struct segue_rc_complete segue_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	return seguei_rc_wants_crypto_bsf_for_umr_interleaved_crypto_crypto_bsf(w, crypto_bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_crypto_bsf(
		w, crypto_bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	return seguei_rc_wants_crypto_bsf_for_umr_interleaved_sig_crypto_crypto_bsf(w, crypto_bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_crypto_bsf(
		w, crypto_bsf);
}

SEGUE_BUILD struct segue_rc_complete segue_crypto_bsf(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 w,
	const struct segue_seg_crypto_bsf *crypto_bsf)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_crypto_bsf(
		w, crypto_bsf);
}

SEGUE_BUILD struct segue_dci_complete segue_data_condition(
	struct segue_dci_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_dci_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_raw_packet_complete segue_data_condition(
	struct segue_raw_packet_wants_data_condition w,
	const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_raw_packet_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_rc_complete segue_data_condition(
	struct segue_rc_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_rc_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_uc_complete segue_data_condition(
	struct segue_uc_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_uc_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_ud_complete segue_data_condition(
	struct segue_ud_wants_data_condition w, const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_ud_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_data_condition(
	struct segue_xrc_initiator_wants_data_condition w,
	const struct segue_seg_wait_on_data *wait_on_data)
{
	return seguei_xrc_initiator_wants_data_condition_data_condition(w, wait_on_data);
}

SEGUE_BUILD struct segue_rc_complete segue_data_end(struct segue_rc_wants_sge_or_data_end w)
{
	return seguei_rc_wants_sge_or_data_end_data_end(w);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data segue_eth(
	struct segue_raw_packet_wants_eth_or_eth_vlan w, uint8_t cs_flags, const void *data,
	uint32_t inline_hdr_sz)
{
	return seguei_raw_packet_wants_eth_or_eth_vlan_eth(w, cs_flags, data, inline_hdr_sz);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data segue_eth(
	struct segue_raw_packet_wants_eth w, uint8_t cs_flags, uint16_t mss, const void *data,
	uint32_t inline_hdr_sz)
{
	return seguei_raw_packet_wants_eth_eth(w, cs_flags, mss, data, inline_hdr_sz);
}

SEGUE_BUILD struct segue_ud_may_take_sge_or_inline_data segue_eth(struct segue_ud_wants_eth w,
								  uint8_t cs_flags,
								  const void *data,
								  uint32_t inline_hdr_sz)
{
	return seguei_ud_wants_eth_eth(w, cs_flags, data, inline_hdr_sz);
}

SEGUE_BUILD struct segue_ud_wants_eth segue_eth_pad(
	struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_eth_pad(w);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge_or_inline_data segue_eth_vlan(
	struct segue_raw_packet_wants_eth_or_eth_vlan w, uint8_t cs_flags, uint16_t vlan_tci)
{
	return seguei_raw_packet_wants_eth_or_eth_vlan_eth_vlan(w, cs_flags, vlan_tci);
}

SEGUE_BUILD struct segue_dci_may_take_filler segue_filler(struct segue_dci_may_take_filler w,
							  const uint8_t *bytes)
{
	return seguei_dci_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_raw_packet_may_take_filler segue_filler(
	struct segue_raw_packet_may_take_filler w, const uint8_t *bytes)
{
	return seguei_raw_packet_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_rc_may_take_filler segue_filler(struct segue_rc_may_take_filler w,
							 const uint8_t *bytes)
{
	return seguei_rc_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_uc_may_take_filler segue_filler(struct segue_uc_may_take_filler w,
							 const uint8_t *bytes)
{
	return seguei_uc_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_ud_may_take_filler segue_filler(struct segue_ud_may_take_filler w,
							 const uint8_t *bytes)
{
	return seguei_ud_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_filler segue_filler(
	struct segue_xrc_initiator_may_take_filler w, const uint8_t *bytes)
{
	return seguei_xrc_initiator_may_take_filler_filler(w, bytes);
}

SEGUE_BUILD struct segue_dci_may_take_filler segue_filler_list(struct segue_dci_may_take_filler w,
							       const struct segue_seg_filler *list,
							       uint32_t count)
{
	return seguei_dci_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_raw_packet_may_take_filler segue_filler_list(
	struct segue_raw_packet_may_take_filler w, const struct segue_seg_filler *list,
	uint32_t count)
{
	return seguei_raw_packet_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_may_take_filler segue_filler_list(struct segue_rc_may_take_filler w,
							      const struct segue_seg_filler *list,
							      uint32_t count)
{
	return seguei_rc_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_uc_may_take_filler segue_filler_list(struct segue_uc_may_take_filler w,
							      const struct segue_seg_filler *list,
							      uint32_t count)
{
	return seguei_uc_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_ud_may_take_filler segue_filler_list(struct segue_ud_may_take_filler w,
							      const struct segue_seg_filler *list,
							      uint32_t count)
{
	return seguei_ud_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_filler segue_filler_list(
	struct segue_xrc_initiator_may_take_filler w, const struct segue_seg_filler *list,
	uint32_t count)
{
	return seguei_xrc_initiator_may_take_filler_filler_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_wants_flow_update_ctrl segue_flow_tbl_access(struct segue_rc_sq *sq,
									 uint64_t wr_id,
									 uint32_t flags,
									 uint32_t object_id)
{
	return seguei_rc_begin_flow_tbl_access(sq, wr_id, flags, object_id);
}

SEGUE_BUILD struct segue_rc_wants_header_modify_argument_update segue_flow_update_ctrl(
	struct segue_rc_wants_flow_update_ctrl w,
	const struct segue_seg_flow_update_ctrl *flow_update_ctrl)
{
	return seguei_rc_wants_flow_update_ctrl_flow_update_ctrl(w, flow_update_ctrl);
}

SEGUE_BUILD struct segue_rc_wants_psv_get segue_get_psv(struct segue_rc_sq *sq, uint64_t wr_id,
							uint32_t flags)
{
	return seguei_rc_begin_get_psv(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_complete segue_header_modify_argument_update(
	struct segue_rc_wants_header_modify_argument_update w, const uint8_t *argument_list)
{
	return seguei_rc_wants_header_modify_argument_update_header_modify_argument_update(
		w, argument_list);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_inline_data(
	struct segue_dci_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_dci_complete segue_inline_data(
	struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_inline_data(w, data,
										 byte_count);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge segue_inline_data(
	struct segue_raw_packet_may_take_sge_or_inline_data w, const void *data,
	uint32_t byte_count)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_inline_data(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_complete segue_inline_data(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_inline_data(w, data,
										byte_count);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_inline_data(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_uc_complete segue_inline_data(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_inline_data(w, data,
										byte_count);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_inline_data(
	struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w, const void *data,
	uint32_t byte_count)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_inline_data(
	struct segue_ud_may_take_sge_or_inline_data w, const void *data, uint32_t byte_count)
{
	return seguei_ud_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_inline_data(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w, const void *data,
	uint32_t byte_count)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_inline_data(w, data,
										     byte_count);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_inline_data(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w, const void *data,
	uint32_t byte_count)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_inline_data(
		w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_complete segue_klm_list(struct segue_rc_wants_klm_list_for_umr_list w,
						    const struct segue_seg_klm *list,
						    uint32_t count)
{
	return seguei_rc_wants_klm_list_for_umr_list_klm_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto segue_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_crypto w, const struct segue_seg_klm *list,
	uint32_t count)
{
	return seguei_rc_wants_klm_list_for_umr_list_crypto_klm_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig segue_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_sig w, const struct segue_seg_klm *list,
	uint32_t count)
{
	return seguei_rc_wants_klm_list_for_umr_list_sig_klm_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto segue_klm_list(
	struct segue_rc_wants_klm_list_for_umr_list_sig_crypto w, const struct segue_seg_klm *list,
	uint32_t count)
{
	return seguei_rc_wants_klm_list_for_umr_list_sig_crypto_klm_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad segue_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad
segue_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent w)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad
segue_list_pad(struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad
segue_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 segue_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2
segue_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad w)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2
segue_list_pad(struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2
segue_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_complete segue_list_pad(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_for_umr_interleaved_crypto segue_list_pad(
	struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2 w)
{
	return seguei_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_list_pad_2_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig segue_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2 w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_list_pad_2_list_pad(w);
}

SEGUE_BUILD struct segue_rc_wants_bsf_for_umr_interleaved_sig_crypto segue_list_pad(
	struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2 w)
{
	return seguei_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_list_pad_2_list_pad(
		w);
}

SEGUE_BUILD struct segue_rc_complete segue_list_pointer(struct segue_rc_wants_list_pointer w,
							uint64_t address, uint32_t mkey)
{
	return seguei_rc_wants_list_pointer_list_pointer(w, address, mkey);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_local_inv segue_local_inv(struct segue_dci_sq *sq,
									  uint64_t wr_id,
									  uint32_t flags,
									  uint32_t invalidate_rkey)
{
	return seguei_dci_begin_local_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_local_inv segue_local_inv(struct segue_rc_sq *sq,
									 uint64_t wr_id,
									 uint32_t flags,
									 uint32_t invalidate_rkey)
{
	return seguei_rc_begin_local_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_local_inv segue_local_inv(struct segue_uc_sq *sq,
									 uint64_t wr_id,
									 uint32_t flags,
									 uint32_t invalidate_rkey)
{
	return seguei_uc_begin_local_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_umr_ctrl_for_local_inv segue_local_inv(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	return seguei_xrc_initiator_begin_local_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32 segue_masked_atomic_cs32(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_masked_atomic_cs32(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_cs32 segue_masked_atomic_cs32(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_masked_atomic_cs32(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64 segue_masked_atomic_cs64(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_masked_atomic_cs64(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_cs64 segue_masked_atomic_cs64(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_masked_atomic_cs64(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32 segue_masked_atomic_fa32(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_masked_atomic_fa32(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_fa32 segue_masked_atomic_fa32(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_masked_atomic_fa32(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64 segue_masked_atomic_fa64(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_masked_atomic_fa64(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_masked_atomic_fa64 segue_masked_atomic_fa64(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_masked_atomic_fa64(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_masked_cas32(
	struct segue_dci_wants_masked_cas32 w, uint32_t swap, uint32_t compare, uint32_t swap_mask,
	uint32_t compare_mask)
{
	return seguei_dci_wants_masked_cas32_masked_cas32(w, swap, compare, swap_mask,
							  compare_mask);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_masked_cas32(
	struct segue_rc_wants_masked_cas32 w, uint32_t swap, uint32_t compare, uint32_t swap_mask,
	uint32_t compare_mask)
{
	return seguei_rc_wants_masked_cas32_masked_cas32(w, swap, compare, swap_mask, compare_mask);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_masked_cas64(
	struct segue_dci_wants_masked_cas64 w, uint64_t swap, uint64_t compare, uint64_t swap_mask,
	uint64_t compare_mask)
{
	return seguei_dci_wants_masked_cas64_masked_cas64(w, swap, compare, swap_mask,
							  compare_mask);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_masked_cas64(
	struct segue_rc_wants_masked_cas64 w, uint64_t swap, uint64_t compare, uint64_t swap_mask,
	uint64_t compare_mask)
{
	return seguei_rc_wants_masked_cas64_masked_cas64(w, swap, compare, swap_mask, compare_mask);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_masked_fa32(
	struct segue_dci_wants_masked_fa32 w, uint32_t add, uint32_t field_boundary)
{
	return seguei_dci_wants_masked_fa32_masked_fa32(w, add, field_boundary);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_masked_fa32(
	struct segue_rc_wants_masked_fa32 w, uint32_t add, uint32_t field_boundary)
{
	return seguei_rc_wants_masked_fa32_masked_fa32(w, add, field_boundary);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_atomic_cs segue_masked_fa64(
	struct segue_dci_wants_masked_fa64 w, uint64_t add, uint64_t field_boundary)
{
	return seguei_dci_wants_masked_fa64_masked_fa64(w, add, field_boundary);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_atomic_cs segue_masked_fa64(
	struct segue_rc_wants_masked_fa64 w, uint64_t add, uint64_t field_boundary)
{
	return seguei_rc_wants_masked_fa64_masked_fa64(w, add, field_boundary);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_transpose_after_matrix segue_matrix(
	struct segue_dci_wants_matrix w, uint8_t element_size, uint8_t num_cols, uint8_t num_rows)
{
	return seguei_dci_wants_matrix_matrix(w, element_size, num_cols, num_rows);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_transpose_after_matrix segue_matrix(
	struct segue_rc_wants_matrix w, uint8_t element_size, uint8_t num_cols, uint8_t num_rows)
{
	return seguei_rc_wants_matrix_matrix(w, element_size, num_cols, num_rows);
}

SEGUE_BUILD struct segue_dci_wants_mmo_metadata segue_memcpy(struct segue_dci_sq *sq,
							     uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_memcpy(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_mmo_metadata segue_memcpy(struct segue_rc_sq *sq, uint64_t wr_id,
							    uint32_t flags)
{
	return seguei_rc_begin_memcpy(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_bind_klm segue_mkey_bind(struct segue_dci_wants_mkey_bind w,
							    uint64_t start_addr, uint64_t len,
							    uint32_t qpn, uint8_t mkey_7_0,
							    uint8_t access_flags)
{
	return seguei_dci_wants_mkey_bind_mkey_bind(w, start_addr, len, qpn, mkey_7_0,
						    access_flags);
}

SEGUE_BUILD struct segue_rc_wants_bind_klm segue_mkey_bind(struct segue_rc_wants_mkey_bind w,
							   uint64_t start_addr, uint64_t len,
							   uint32_t qpn, uint8_t mkey_7_0,
							   uint8_t access_flags)
{
	return seguei_rc_wants_mkey_bind_mkey_bind(w, start_addr, len, qpn, mkey_7_0, access_flags);
}

SEGUE_BUILD struct segue_uc_wants_bind_klm segue_mkey_bind(struct segue_uc_wants_mkey_bind w,
							   uint64_t start_addr, uint64_t len,
							   uint32_t qpn, uint8_t mkey_7_0,
							   uint8_t access_flags)
{
	return seguei_uc_wants_mkey_bind_mkey_bind(w, start_addr, len, qpn, mkey_7_0, access_flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_bind_klm segue_mkey_bind(
	struct segue_xrc_initiator_wants_mkey_bind w, uint64_t start_addr, uint64_t len,
	uint32_t qpn, uint8_t mkey_7_0, uint8_t access_flags)
{
	return seguei_xrc_initiator_wants_mkey_bind_mkey_bind(w, start_addr, len, qpn, mkey_7_0,
							      access_flags);
}

SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_interleaved_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_interleaved_crypto_mkey_context(w,
										    mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_sig segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_interleaved_sig_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_interleaved_sig_crypto_mkey_context(
		w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_list_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_crypto segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_list_crypto_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_sig segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_sig w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_list_sig_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_klm_list_for_umr_list_sig_crypto segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_list_sig_crypto_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_rc_wants_list_pointer segue_mkey_context(
	struct segue_rc_wants_mkey_context_for_umr_pointer w,
	const struct segue_seg_mkey_context *mkey_context)
{
	return seguei_rc_wants_mkey_context_for_umr_pointer_mkey_context(w, mkey_context);
}

SEGUE_BUILD struct segue_dci_complete segue_mkey_invalidate(
	struct segue_dci_wants_mkey_invalidate w, uint8_t mkey_7_0)
{
	return seguei_dci_wants_mkey_invalidate_mkey_invalidate(w, mkey_7_0);
}

SEGUE_BUILD struct segue_rc_complete segue_mkey_invalidate(struct segue_rc_wants_mkey_invalidate w,
							   uint8_t mkey_7_0)
{
	return seguei_rc_wants_mkey_invalidate_mkey_invalidate(w, mkey_7_0);
}

SEGUE_BUILD struct segue_uc_complete segue_mkey_invalidate(struct segue_uc_wants_mkey_invalidate w,
							   uint8_t mkey_7_0)
{
	return seguei_uc_wants_mkey_invalidate_mkey_invalidate(w, mkey_7_0);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_mkey_invalidate(
	struct segue_xrc_initiator_wants_mkey_invalidate w, uint8_t mkey_7_0)
{
	return seguei_xrc_initiator_wants_mkey_invalidate_mkey_invalidate(w, mkey_7_0);
}

SEGUE_BUILD struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_data segue_mmo_data(
	struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_metadata w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_dci_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data(w, addr, byte_count,
										lkey);
}

SEGUE_BUILD struct segue_dci_complete segue_mmo_data(
	struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_data w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_dci_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data(w, addr, byte_count,
									    lkey);
}

SEGUE_BUILD struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data segue_mmo_data(
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_wants_mmo_data_for_memcpy_after_mmo_metadata_mmo_data(w, addr, byte_count,
									       lkey);
}

SEGUE_BUILD struct segue_rc_complete segue_mmo_data(
	struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_data w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_wants_mmo_data_for_memcpy_after_mmo_data_mmo_data(w, addr, byte_count,
									   lkey);
}

SEGUE_BUILD struct segue_dci_wants_mmo_data_for_memcpy_after_mmo_metadata segue_mmo_metadata(
	struct segue_dci_wants_mmo_metadata w, uint32_t mmo_control_31_0, uint32_t local_key,
	uint64_t local_address)
{
	return seguei_dci_wants_mmo_metadata_mmo_metadata(w, mmo_control_31_0, local_key,
							  local_address);
}

SEGUE_BUILD struct segue_rc_wants_mmo_data_for_memcpy_after_mmo_metadata segue_mmo_metadata(
	struct segue_rc_wants_mmo_metadata w, uint32_t mmo_control_31_0, uint32_t local_key,
	uint64_t local_address)
{
	return seguei_rc_wants_mmo_metadata_mmo_metadata(w, mmo_control_31_0, local_key,
							 local_address);
}

SEGUE_BUILD struct segue_dci_may_take_filler segue_nop(struct segue_dci_sq *sq, uint64_t wr_id,
						       uint32_t flags)
{
	return seguei_dci_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_may_take_filler segue_nop(struct segue_raw_packet_sq *sq,
							      uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_may_take_filler segue_nop(struct segue_rc_sq *sq, uint64_t wr_id,
						      uint32_t flags)
{
	return seguei_rc_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_may_take_filler segue_nop(struct segue_uc_sq *sq, uint64_t wr_id,
						      uint32_t flags)
{
	return seguei_uc_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_may_take_filler segue_nop(struct segue_ud_sq *sq, uint64_t wr_id,
						      uint32_t flags)
{
	return seguei_ud_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_filler segue_nop(struct segue_xrc_initiator_sq *sq,
								 uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_nop(sq, wr_id, flags);
}

SEGUE_INLINE int segue_post(struct segue_dci_may_take_filler w)
{
	return seguei_dci_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_dci_may_take_sge_or_inline_data_for_send w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_post(w);
}

SEGUE_INLINE int segue_post(struct segue_dci_complete w)
{
	return seguei_dci_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_dci_may_take_sge w)
{
	return seguei_dci_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_post(w);
}

SEGUE_INLINE int segue_post(struct segue_raw_packet_may_take_filler w)
{
	return seguei_raw_packet_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_post(w);
}

SEGUE_INLINE int segue_post(struct segue_raw_packet_complete w)
{
	return seguei_raw_packet_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_raw_packet_may_take_sge w)
{
	return seguei_raw_packet_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_may_take_filler w)
{
	return seguei_rc_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_complete w)
{
	return seguei_rc_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_may_take_sge w)
{
	return seguei_rc_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post(w);
}

SEGUE_INLINE int segue_post(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post(w);
}

SEGUE_INLINE int segue_post(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post(w);
}

SEGUE_INLINE int segue_post(struct segue_uc_may_take_filler w)
{
	return seguei_uc_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_post(w);
}

SEGUE_INLINE int segue_post(struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post(w);
}

SEGUE_INLINE int segue_post(struct segue_uc_may_take_sge w)
{
	return seguei_uc_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_uc_complete w)
{
	return seguei_uc_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_ud_may_take_filler w)
{
	return seguei_ud_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_post(w);
}

SEGUE_INLINE int segue_post(struct segue_ud_complete w)
{
	return seguei_ud_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_ud_may_take_sge_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_inline_data_post(w);
}

SEGUE_INLINE int segue_post(struct segue_ud_may_take_sge w)
{
	return seguei_ud_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_xrc_initiator_may_take_filler w)
{
	return seguei_xrc_initiator_may_take_filler_post(w);
}

SEGUE_INLINE int segue_post(struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_post(w);
}

SEGUE_INLINE int segue_post(struct segue_xrc_initiator_complete w)
{
	return seguei_xrc_initiator_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_xrc_initiator_may_take_sge w)
{
	return seguei_xrc_initiator_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rq_may_take_sge_or_rwqe_sig w)
{
	return seguei_rq_may_take_sge_or_rwqe_sig_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rq_may_take_sge w)
{
	return seguei_rq_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_rq_complete w)
{
	return seguei_rq_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_srq_may_take_sge w)
{
	return seguei_srq_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_srq_complete w)
{
	return seguei_srq_complete_post(w);
}

SEGUE_INLINE int segue_post(struct segue_mprq_may_take_sge w)
{
	return seguei_mprq_may_take_sge_post(w);
}

SEGUE_INLINE int segue_post(struct segue_mprq_complete w)
{
	return seguei_mprq_complete_post(w);
}

SEGUE_INLINE int segue_post_atomic_cs(struct segue_dci_sq *sq,
				      const struct segue_dci_atomic_cs_args *args)
{
	return seguei_dci_post_atomic_cs(sq, args);
}

SEGUE_INLINE int segue_post_atomic_cs(struct segue_rc_sq *sq,
				      const struct segue_rc_atomic_cs_args *args)
{
	return seguei_rc_post_atomic_cs(sq, args);
}

SEGUE_INLINE int segue_post_atomic_cs(struct segue_xrc_initiator_sq *sq,
				      const struct segue_xrc_initiator_atomic_cs_args *args)
{
	return seguei_xrc_initiator_post_atomic_cs(sq, args);
}

SEGUE_INLINE int segue_post_atomic_fa(struct segue_dci_sq *sq,
				      const struct segue_dci_atomic_fa_args *args)
{
	return seguei_dci_post_atomic_fa(sq, args);
}

SEGUE_INLINE int segue_post_atomic_fa(struct segue_rc_sq *sq,
				      const struct segue_rc_atomic_fa_args *args)
{
	return seguei_rc_post_atomic_fa(sq, args);
}

SEGUE_INLINE int segue_post_atomic_fa(struct segue_xrc_initiator_sq *sq,
				      const struct segue_xrc_initiator_atomic_fa_args *args)
{
	return seguei_xrc_initiator_post_atomic_fa(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw(struct segue_dci_sq *sq,
				    const struct segue_dci_bind_mw_args *args)
{
	return seguei_dci_post_bind_mw(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw(struct segue_rc_sq *sq,
				    const struct segue_rc_bind_mw_args *args)
{
	return seguei_rc_post_bind_mw(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw(struct segue_uc_sq *sq,
				    const struct segue_uc_bind_mw_args *args)
{
	return seguei_uc_post_bind_mw(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw(struct segue_xrc_initiator_sq *sq,
				    const struct segue_xrc_initiator_bind_mw_args *args)
{
	return seguei_xrc_initiator_post_bind_mw(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw_type1(struct segue_dci_sq *sq,
					  const struct segue_dci_bind_mw_type1_args *args)
{
	return seguei_dci_post_bind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw_type1(struct segue_rc_sq *sq,
					  const struct segue_rc_bind_mw_type1_args *args)
{
	return seguei_rc_post_bind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw_type1(struct segue_uc_sq *sq,
					  const struct segue_uc_bind_mw_type1_args *args)
{
	return seguei_uc_post_bind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_bind_mw_type1(struct segue_xrc_initiator_sq *sq,
					  const struct segue_xrc_initiator_bind_mw_type1_args *args)
{
	return seguei_xrc_initiator_post_bind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_dci_may_take_filler w)
{
	return seguei_dci_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_dci_may_take_sge_or_inline_data_for_send w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_dci_complete w)
{
	return seguei_dci_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_dci_may_take_sge w)
{
	return seguei_dci_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_raw_packet_may_take_filler w)
{
	return seguei_raw_packet_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_raw_packet_may_take_sge_or_inline_data w)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_raw_packet_complete w)
{
	return seguei_raw_packet_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_raw_packet_may_take_sge w)
{
	return seguei_raw_packet_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_rc_may_take_filler w)
{
	return seguei_rc_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_rc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_rc_complete w)
{
	return seguei_rc_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_rc_may_take_sge w)
{
	return seguei_rc_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(
	struct segue_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2 w)
{
	return seguei_rc_may_take_list_pad_for_umr_interleaved_after_list_pad_2_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_uc_may_take_filler w)
{
	return seguei_uc_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_uc_may_take_sge_or_inline_data_for_send w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_uc_may_take_sge w)
{
	return seguei_uc_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_uc_complete w)
{
	return seguei_uc_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_ud_may_take_filler w)
{
	return seguei_ud_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_ud_complete w)
{
	return seguei_ud_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_ud_may_take_sge_or_inline_data w)
{
	return seguei_ud_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_ud_may_take_sge w)
{
	return seguei_ud_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_xrc_initiator_may_take_filler w)
{
	return seguei_xrc_initiator_may_take_filler_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_xrc_initiator_complete w)
{
	return seguei_xrc_initiator_complete_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(struct segue_xrc_initiator_may_take_sge w)
{
	return seguei_xrc_initiator_may_take_sge_post_blueflame(w);
}

SEGUE_INLINE int segue_post_blueflame(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_post_blueflame(w);
}

SEGUE_INLINE int segue_post_check_psv(struct segue_rc_sq *sq,
				      const struct segue_rc_check_psv_args *args)
{
	return seguei_rc_post_check_psv(sq, args);
}

SEGUE_INLINE int segue_post_flow_tbl_access(struct segue_rc_sq *sq,
					    const struct segue_rc_flow_tbl_access_args *args)
{
	return seguei_rc_post_flow_tbl_access(sq, args);
}

SEGUE_INLINE int segue_post_get_psv(struct segue_rc_sq *sq,
				    const struct segue_rc_get_psv_args *args)
{
	return seguei_rc_post_get_psv(sq, args);
}

SEGUE_INLINE int segue_post_local_inv(struct segue_dci_sq *sq,
				      const struct segue_dci_local_inv_args *args)
{
	return seguei_dci_post_local_inv(sq, args);
}

SEGUE_INLINE int segue_post_local_inv(struct segue_rc_sq *sq,
				      const struct segue_rc_local_inv_args *args)
{
	return seguei_rc_post_local_inv(sq, args);
}

SEGUE_INLINE int segue_post_local_inv(struct segue_uc_sq *sq,
				      const struct segue_uc_local_inv_args *args)
{
	return seguei_uc_post_local_inv(sq, args);
}

SEGUE_INLINE int segue_post_local_inv(struct segue_xrc_initiator_sq *sq,
				      const struct segue_xrc_initiator_local_inv_args *args)
{
	return seguei_xrc_initiator_post_local_inv(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_cs32(struct segue_dci_sq *sq,
					       const struct segue_dci_masked_atomic_cs32_args *args)
{
	return seguei_dci_post_masked_atomic_cs32(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_cs32(struct segue_rc_sq *sq,
					       const struct segue_rc_masked_atomic_cs32_args *args)
{
	return seguei_rc_post_masked_atomic_cs32(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_cs64(struct segue_dci_sq *sq,
					       const struct segue_dci_masked_atomic_cs64_args *args)
{
	return seguei_dci_post_masked_atomic_cs64(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_cs64(struct segue_rc_sq *sq,
					       const struct segue_rc_masked_atomic_cs64_args *args)
{
	return seguei_rc_post_masked_atomic_cs64(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_fa32(struct segue_dci_sq *sq,
					       const struct segue_dci_masked_atomic_fa32_args *args)
{
	return seguei_dci_post_masked_atomic_fa32(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_fa32(struct segue_rc_sq *sq,
					       const struct segue_rc_masked_atomic_fa32_args *args)
{
	return seguei_rc_post_masked_atomic_fa32(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_fa64(struct segue_dci_sq *sq,
					       const struct segue_dci_masked_atomic_fa64_args *args)
{
	return seguei_dci_post_masked_atomic_fa64(sq, args);
}

SEGUE_INLINE int segue_post_masked_atomic_fa64(struct segue_rc_sq *sq,
					       const struct segue_rc_masked_atomic_fa64_args *args)
{
	return seguei_rc_post_masked_atomic_fa64(sq, args);
}

SEGUE_INLINE int segue_post_memcpy(struct segue_dci_sq *sq,
				   const struct segue_dci_memcpy_args *args)
{
	return seguei_dci_post_memcpy(sq, args);
}

SEGUE_INLINE int segue_post_memcpy(struct segue_rc_sq *sq, const struct segue_rc_memcpy_args *args)
{
	return seguei_rc_post_memcpy(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_dci_sq *sq, const struct segue_dci_nop_args *args)
{
	return seguei_dci_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_raw_packet_sq *sq,
				const struct segue_raw_packet_nop_args *args)
{
	return seguei_raw_packet_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_rc_sq *sq, const struct segue_rc_nop_args *args)
{
	return seguei_rc_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_uc_sq *sq, const struct segue_uc_nop_args *args)
{
	return seguei_uc_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_ud_sq *sq, const struct segue_ud_nop_args *args)
{
	return seguei_ud_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_nop(struct segue_xrc_initiator_sq *sq,
				const struct segue_xrc_initiator_nop_args *args)
{
	return seguei_xrc_initiator_post_nop(sq, args);
}

SEGUE_INLINE int segue_post_rdma_read(struct segue_dci_sq *sq,
				      const struct segue_dci_rdma_read_args *args)
{
	return seguei_dci_post_rdma_read(sq, args);
}

SEGUE_INLINE int segue_post_rdma_read(struct segue_rc_sq *sq,
				      const struct segue_rc_rdma_read_args *args)
{
	return seguei_rc_post_rdma_read(sq, args);
}

SEGUE_INLINE int segue_post_rdma_read(struct segue_xrc_initiator_sq *sq,
				      const struct segue_xrc_initiator_rdma_read_args *args)
{
	return seguei_xrc_initiator_post_rdma_read(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write(struct segue_dci_sq *sq,
				       const struct segue_dci_rdma_write_args *args)
{
	return seguei_dci_post_rdma_write(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write(struct segue_rc_sq *sq,
				       const struct segue_rc_rdma_write_args *args)
{
	return seguei_rc_post_rdma_write(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write(struct segue_uc_sq *sq,
				       const struct segue_uc_rdma_write_args *args)
{
	return seguei_uc_post_rdma_write(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write(struct segue_xrc_initiator_sq *sq,
				       const struct segue_xrc_initiator_rdma_write_args *args)
{
	return seguei_xrc_initiator_post_rdma_write(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write_imm(struct segue_dci_sq *sq,
					   const struct segue_dci_rdma_write_imm_args *args)
{
	return seguei_dci_post_rdma_write_imm(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write_imm(struct segue_rc_sq *sq,
					   const struct segue_rc_rdma_write_imm_args *args)
{
	return seguei_rc_post_rdma_write_imm(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write_imm(struct segue_uc_sq *sq,
					   const struct segue_uc_rdma_write_imm_args *args)
{
	return seguei_uc_post_rdma_write_imm(sq, args);
}

SEGUE_INLINE int segue_post_rdma_write_imm(
	struct segue_xrc_initiator_sq *sq,
	const struct segue_xrc_initiator_rdma_write_imm_args *args)
{
	return seguei_xrc_initiator_post_rdma_write_imm(sq, args);
}

SEGUE_INLINE int segue_post_recv_mprq(struct segue_mprq *mprq,
				      const struct segue_mprq_recv_mprq_args *args)
{
	return seguei_mprq_post_recv_mprq(mprq, args);
}

SEGUE_INLINE int segue_post_recv_rq(struct segue_rq *rq, const struct segue_rq_recv_rq_args *args)
{
	return seguei_rq_post_recv_rq(rq, args);
}

SEGUE_INLINE int segue_post_recv_srq(struct segue_srq *srq,
				     const struct segue_srq_recv_srq_args *args)
{
	return seguei_srq_post_recv_srq(srq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_dci_sq *sq, const struct segue_dci_send_args *args)
{
	return seguei_dci_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_raw_packet_sq *sq,
				 const struct segue_raw_packet_send_args *args)
{
	return seguei_raw_packet_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_rc_sq *sq, const struct segue_rc_send_args *args)
{
	return seguei_rc_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_uc_sq *sq, const struct segue_uc_send_args *args)
{
	return seguei_uc_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_ud_sq *sq, const struct segue_ud_send_args *args)
{
	return seguei_ud_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send(struct segue_xrc_initiator_sq *sq,
				 const struct segue_xrc_initiator_send_args *args)
{
	return seguei_xrc_initiator_post_send(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_dci_sq *sq,
				    const struct segue_dci_send_en_args *args)
{
	return seguei_dci_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_raw_packet_sq *sq,
				    const struct segue_raw_packet_send_en_args *args)
{
	return seguei_raw_packet_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_rc_sq *sq,
				    const struct segue_rc_send_en_args *args)
{
	return seguei_rc_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_uc_sq *sq,
				    const struct segue_uc_send_en_args *args)
{
	return seguei_uc_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_ud_sq *sq,
				    const struct segue_ud_send_en_args *args)
{
	return seguei_ud_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_en(struct segue_xrc_initiator_sq *sq,
				    const struct segue_xrc_initiator_send_en_args *args)
{
	return seguei_xrc_initiator_post_send_en(sq, args);
}

SEGUE_INLINE int segue_post_send_imm(struct segue_dci_sq *sq,
				     const struct segue_dci_send_imm_args *args)
{
	return seguei_dci_post_send_imm(sq, args);
}

SEGUE_INLINE int segue_post_send_imm(struct segue_rc_sq *sq,
				     const struct segue_rc_send_imm_args *args)
{
	return seguei_rc_post_send_imm(sq, args);
}

SEGUE_INLINE int segue_post_send_imm(struct segue_uc_sq *sq,
				     const struct segue_uc_send_imm_args *args)
{
	return seguei_uc_post_send_imm(sq, args);
}

SEGUE_INLINE int segue_post_send_imm(struct segue_ud_sq *sq,
				     const struct segue_ud_send_imm_args *args)
{
	return seguei_ud_post_send_imm(sq, args);
}

SEGUE_INLINE int segue_post_send_imm(struct segue_xrc_initiator_sq *sq,
				     const struct segue_xrc_initiator_send_imm_args *args)
{
	return seguei_xrc_initiator_post_send_imm(sq, args);
}

SEGUE_INLINE int segue_post_send_inv(struct segue_dci_sq *sq,
				     const struct segue_dci_send_inv_args *args)
{
	return seguei_dci_post_send_inv(sq, args);
}

SEGUE_INLINE int segue_post_send_inv(struct segue_rc_sq *sq,
				     const struct segue_rc_send_inv_args *args)
{
	return seguei_rc_post_send_inv(sq, args);
}

SEGUE_INLINE int segue_post_send_inv(struct segue_uc_sq *sq,
				     const struct segue_uc_send_inv_args *args)
{
	return seguei_uc_post_send_inv(sq, args);
}

SEGUE_INLINE int segue_post_send_inv(struct segue_xrc_initiator_sq *sq,
				     const struct segue_xrc_initiator_send_inv_args *args)
{
	return seguei_xrc_initiator_post_send_inv(sq, args);
}

SEGUE_INLINE int segue_post_set_psv(struct segue_rc_sq *sq,
				    const struct segue_rc_set_psv_args *args)
{
	return seguei_rc_post_set_psv(sq, args);
}

SEGUE_INLINE int segue_post_tm_append(struct segue_rc_sq *sq,
				      const struct segue_rc_tm_append_args *args)
{
	return seguei_rc_post_tm_append(sq, args);
}

SEGUE_INLINE int segue_post_tm_noop(struct segue_rc_sq *sq,
				    const struct segue_rc_tm_noop_args *args)
{
	return seguei_rc_post_tm_noop(sq, args);
}

SEGUE_INLINE int segue_post_tm_remove(struct segue_rc_sq *sq,
				      const struct segue_rc_tm_remove_args *args)
{
	return seguei_rc_post_tm_remove(sq, args);
}

SEGUE_INLINE int segue_post_transpose(struct segue_dci_sq *sq,
				      const struct segue_dci_transpose_args *args)
{
	return seguei_dci_post_transpose(sq, args);
}

SEGUE_INLINE int segue_post_transpose(struct segue_rc_sq *sq,
				      const struct segue_rc_transpose_args *args)
{
	return seguei_rc_post_transpose(sq, args);
}

SEGUE_INLINE int segue_post_tso(struct segue_raw_packet_sq *sq,
				const struct segue_raw_packet_tso_args *args)
{
	return seguei_raw_packet_post_tso(sq, args);
}

SEGUE_INLINE int segue_post_umr_interleaved(struct segue_rc_sq *sq,
					    const struct segue_rc_umr_interleaved_args *args)
{
	return seguei_rc_post_umr_interleaved(sq, args);
}

SEGUE_INLINE int segue_post_umr_interleaved_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_crypto_args *args)
{
	return seguei_rc_post_umr_interleaved_crypto(sq, args);
}

SEGUE_INLINE int segue_post_umr_interleaved_sig(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_sig_args *args)
{
	return seguei_rc_post_umr_interleaved_sig(sq, args);
}

SEGUE_INLINE int segue_post_umr_interleaved_sig_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_interleaved_sig_crypto_args *args)
{
	return seguei_rc_post_umr_interleaved_sig_crypto(sq, args);
}

SEGUE_INLINE int segue_post_umr_list(struct segue_rc_sq *sq,
				     const struct segue_rc_umr_list_args *args)
{
	return seguei_rc_post_umr_list(sq, args);
}

SEGUE_INLINE int segue_post_umr_list_crypto(struct segue_rc_sq *sq,
					    const struct segue_rc_umr_list_crypto_args *args)
{
	return seguei_rc_post_umr_list_crypto(sq, args);
}

SEGUE_INLINE int segue_post_umr_list_sig(struct segue_rc_sq *sq,
					 const struct segue_rc_umr_list_sig_args *args)
{
	return seguei_rc_post_umr_list_sig(sq, args);
}

SEGUE_INLINE int segue_post_umr_list_sig_crypto(
	struct segue_rc_sq *sq, const struct segue_rc_umr_list_sig_crypto_args *args)
{
	return seguei_rc_post_umr_list_sig_crypto(sq, args);
}

SEGUE_INLINE int segue_post_umr_pointer(struct segue_rc_sq *sq,
					const struct segue_rc_umr_pointer_args *args)
{
	return seguei_rc_post_umr_pointer(sq, args);
}

SEGUE_INLINE int segue_post_unbind_mw_type1(struct segue_dci_sq *sq,
					    const struct segue_dci_unbind_mw_type1_args *args)
{
	return seguei_dci_post_unbind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_unbind_mw_type1(struct segue_rc_sq *sq,
					    const struct segue_rc_unbind_mw_type1_args *args)
{
	return seguei_rc_post_unbind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_unbind_mw_type1(struct segue_uc_sq *sq,
					    const struct segue_uc_unbind_mw_type1_args *args)
{
	return seguei_uc_post_unbind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_unbind_mw_type1(
	struct segue_xrc_initiator_sq *sq,
	const struct segue_xrc_initiator_unbind_mw_type1_args *args)
{
	return seguei_xrc_initiator_post_unbind_mw_type1(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_dci_sq *sq,
				    const struct segue_dci_wait_cq_args *args)
{
	return seguei_dci_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_raw_packet_sq *sq,
				    const struct segue_raw_packet_wait_cq_args *args)
{
	return seguei_raw_packet_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_rc_sq *sq,
				    const struct segue_rc_wait_cq_args *args)
{
	return seguei_rc_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_uc_sq *sq,
				    const struct segue_uc_wait_cq_args *args)
{
	return seguei_uc_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_ud_sq *sq,
				    const struct segue_ud_wait_cq_args *args)
{
	return seguei_ud_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_cq(struct segue_xrc_initiator_sq *sq,
				    const struct segue_xrc_initiator_wait_cq_args *args)
{
	return seguei_xrc_initiator_post_wait_cq(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_dci_sq *sq,
					 const struct segue_dci_wait_on_data_args *args)
{
	return seguei_dci_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_raw_packet_sq *sq,
					 const struct segue_raw_packet_wait_on_data_args *args)
{
	return seguei_raw_packet_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_rc_sq *sq,
					 const struct segue_rc_wait_on_data_args *args)
{
	return seguei_rc_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_uc_sq *sq,
					 const struct segue_uc_wait_on_data_args *args)
{
	return seguei_uc_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_ud_sq *sq,
					 const struct segue_ud_wait_on_data_args *args)
{
	return seguei_ud_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_data(struct segue_xrc_initiator_sq *sq,
					 const struct segue_xrc_initiator_wait_on_data_args *args)
{
	return seguei_xrc_initiator_post_wait_on_data(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_dci_sq *sq,
					 const struct segue_dci_wait_on_time_args *args)
{
	return seguei_dci_post_wait_on_time(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_raw_packet_sq *sq,
					 const struct segue_raw_packet_wait_on_time_args *args)
{
	return seguei_raw_packet_post_wait_on_time(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_rc_sq *sq,
					 const struct segue_rc_wait_on_time_args *args)
{
	return seguei_rc_post_wait_on_time(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_uc_sq *sq,
					 const struct segue_uc_wait_on_time_args *args)
{
	return seguei_uc_post_wait_on_time(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_ud_sq *sq,
					 const struct segue_ud_wait_on_time_args *args)
{
	return seguei_ud_post_wait_on_time(sq, args);
}

SEGUE_INLINE int segue_post_wait_on_time(struct segue_xrc_initiator_sq *sq,
					 const struct segue_xrc_initiator_wait_on_time_args *args)
{
	return seguei_xrc_initiator_post_wait_on_time(sq, args);
}

SEGUE_BUILD struct segue_rc_complete segue_psv(struct segue_rc_wants_psv w, uint32_t psv_index,
					       uint64_t transient_signature)
{
	return seguei_rc_wants_psv_psv(w, psv_index, transient_signature);
}

SEGUE_BUILD struct segue_rc_complete segue_psv_check(struct segue_rc_wants_psv_check w,
						     const struct segue_seg_check_psv *check_psv)
{
	return seguei_rc_wants_psv_check_psv_check(w, check_psv);
}

SEGUE_BUILD struct segue_rc_complete segue_psv_get(struct segue_rc_wants_psv_get w,
						   const struct segue_seg_get_psv *get_psv)
{
	return seguei_rc_wants_psv_get_psv_get(w, get_psv);
}

SEGUE_BUILD struct segue_dci_wants_atomic segue_raddr(struct segue_dci_wants_raddr_for_atomic_cs w,
						      uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_atomic_cs_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_atomic_add segue_raddr(
	struct segue_dci_wants_raddr_for_atomic_fa w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_atomic_fa_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_masked_cas32 segue_raddr(
	struct segue_dci_wants_raddr_for_masked_atomic_cs32 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_masked_atomic_cs32_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_masked_cas64 segue_raddr(
	struct segue_dci_wants_raddr_for_masked_atomic_cs64 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_masked_atomic_cs64_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_masked_fa32 segue_raddr(
	struct segue_dci_wants_raddr_for_masked_atomic_fa32 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_masked_atomic_fa32_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_masked_fa64 segue_raddr(
	struct segue_dci_wants_raddr_for_masked_atomic_fa64 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_masked_atomic_fa64_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_raddr(struct segue_dci_wants_raddr_for_rdma_read w,
						      uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_rdma_read_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge_or_inline_data_for_rdma_write segue_raddr(
	struct segue_dci_wants_raddr_for_rdma_write w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_dci_wants_raddr_for_rdma_write_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_atomic segue_raddr(struct segue_rc_wants_raddr_for_atomic_cs w,
						     uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_atomic_cs_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_atomic_add segue_raddr(
	struct segue_rc_wants_raddr_for_atomic_fa w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_atomic_fa_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_masked_cas32 segue_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_cs32 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_masked_atomic_cs32_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_masked_cas64 segue_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_cs64 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_masked_atomic_cs64_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_masked_fa32 segue_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_fa32 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_masked_atomic_fa32_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_wants_masked_fa64 segue_raddr(
	struct segue_rc_wants_raddr_for_masked_atomic_fa64 w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_masked_atomic_fa64_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_raddr(struct segue_rc_wants_raddr_for_rdma_read w,
						     uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_rdma_read_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_rdma_write segue_raddr(
	struct segue_rc_wants_raddr_for_rdma_write w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_rc_wants_raddr_for_rdma_write_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_rdma_write segue_raddr(
	struct segue_uc_wants_raddr w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_uc_wants_raddr_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_atomic segue_raddr(
	struct segue_xrc_initiator_wants_raddr_for_atomic_cs w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_xrc_initiator_wants_raddr_for_atomic_cs_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_atomic_add segue_raddr(
	struct segue_xrc_initiator_wants_raddr_for_atomic_fa w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_xrc_initiator_wants_raddr_for_atomic_fa_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_raddr(
	struct segue_xrc_initiator_wants_raddr_for_rdma_read w, uint64_t remote_addr, uint32_t rkey)
{
	return seguei_xrc_initiator_wants_raddr_for_rdma_read_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write segue_raddr(
	struct segue_xrc_initiator_wants_raddr_for_rdma_write w, uint64_t remote_addr,
	uint32_t rkey)
{
	return seguei_xrc_initiator_wants_raddr_for_rdma_write_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_rdma_read segue_rdma_read(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_rdma_read(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_read segue_rdma_read(struct segue_rc_sq *sq,
								      uint64_t wr_id,
								      uint32_t flags)
{
	return seguei_rc_begin_rdma_read(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_rdma_read segue_rdma_read(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_rdma_read(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_rdma_write segue_rdma_write(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_rdma_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_write segue_rdma_write(struct segue_rc_sq *sq,
									uint64_t wr_id,
									uint32_t flags)
{
	return seguei_rc_begin_rdma_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_wants_raddr segue_rdma_write(struct segue_uc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_uc_begin_rdma_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_rdma_write segue_rdma_write(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_rdma_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_rdma_write segue_rdma_write_imm(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_dci_begin_rdma_write_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_rc_wants_raddr_for_rdma_write segue_rdma_write_imm(struct segue_rc_sq *sq,
									    uint64_t wr_id,
									    uint32_t flags,
									    uint32_t imm)
{
	return seguei_rc_begin_rdma_write_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_uc_wants_raddr segue_rdma_write_imm(struct segue_uc_sq *sq, uint64_t wr_id,
							     uint32_t flags, uint32_t imm)
{
	return seguei_uc_begin_rdma_write_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_rdma_write segue_rdma_write_imm(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_xrc_initiator_begin_rdma_write_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_mprq_wants_sge segue_recv_mprq(struct segue_mprq *mprq, uint64_t wr_id)
{
	return seguei_mprq_begin_recv_mprq(mprq, wr_id);
}

SEGUE_BUILD struct segue_rq_may_take_sge_or_rwqe_sig segue_recv_rq(struct segue_rq *rq,
								   uint64_t wr_id)
{
	return seguei_rq_begin_recv_rq(rq, wr_id);
}

SEGUE_BUILD struct segue_srq_may_take_sge segue_recv_srq(struct segue_srq *srq, uint64_t wr_id)
{
	return seguei_srq_begin_recv_srq(srq, wr_id);
}

SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved segue_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	return seguei_rc_wants_repeat_block_for_umr_interleaved_repeat_block(w, byte_count,
									     repeat_count, num_ent);
}

SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto segue_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_crypto w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	return seguei_rc_wants_repeat_block_for_umr_interleaved_crypto_repeat_block(
		w, byte_count, repeat_count, num_ent);
}

SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig segue_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	return seguei_rc_wants_repeat_block_for_umr_interleaved_sig_repeat_block(
		w, byte_count, repeat_count, num_ent);
}

SEGUE_BUILD struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto segue_repeat_block(
	struct segue_rc_wants_repeat_block_for_umr_interleaved_sig_crypto w, uint32_t byte_count,
	uint32_t repeat_count, uint16_t num_ent)
{
	return seguei_rc_wants_repeat_block_for_umr_interleaved_sig_crypto_repeat_block(
		w, byte_count, repeat_count, num_ent);
}

SEGUE_BUILD struct segue_rc_may_take_list_pad_for_umr_interleaved_after_repeat_ent
segue_repeat_ent_list(struct segue_rc_wants_repeat_ent_list_for_umr_interleaved w,
		      const struct segue_seg_repeat_ent *list, uint32_t count)
{
	return seguei_rc_wants_repeat_ent_list_for_umr_interleaved_repeat_ent_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_wants_crypto_bsf_or_list_pad_for_umr_interleaved_crypto_after_repeat_ent
segue_repeat_ent_list(struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_crypto w,
		      const struct segue_seg_repeat_ent *list, uint32_t count)
{
	return seguei_rc_wants_repeat_ent_list_for_umr_interleaved_crypto_repeat_ent_list(w, list,
											  count);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_after_repeat_ent
segue_repeat_ent_list(struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig w,
		      const struct segue_seg_repeat_ent *list, uint32_t count)
{
	return seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_repeat_ent_list(w, list,
										       count);
}

SEGUE_BUILD struct segue_rc_wants_bsf_or_list_pad_for_umr_interleaved_sig_crypto_after_repeat_ent
segue_repeat_ent_list(struct segue_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto w,
		      const struct segue_seg_repeat_ent *list, uint32_t count)
{
	return seguei_rc_wants_repeat_ent_list_for_umr_interleaved_sig_crypto_repeat_ent_list(
		w, list, count);
}

SEGUE_INLINE void segue_ring(struct segue_dci_sq *sq)
{
	seguei_dci_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_raw_packet_sq *sq)
{
	seguei_raw_packet_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_rc_sq *sq)
{
	seguei_rc_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_uc_sq *sq)
{
	seguei_uc_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_ud_sq *sq)
{
	seguei_ud_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_xrc_initiator_sq *sq)
{
	seguei_xrc_initiator_ring(sq);
}

SEGUE_INLINE void segue_ring(struct segue_rq *rq)
{
	seguei_rq_ring(rq);
}

SEGUE_INLINE void segue_ring(struct segue_srq *srq)
{
	seguei_srq_ring(srq);
}

SEGUE_INLINE void segue_ring(struct segue_mprq *mprq)
{
	seguei_mprq_ring(mprq);
}

SEGUE_BUILD struct segue_rq_may_take_sge segue_rwqe_sig(struct segue_rq_may_take_sge_or_rwqe_sig w,
							uint8_t signature)
{
	return seguei_rq_may_take_sge_or_rwqe_sig_rwqe_sig(w, signature);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_send segue_send(struct segue_dci_sq *sq,
									uint64_t wr_id,
									uint32_t flags)
{
	return seguei_dci_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_eth_or_eth_vlan segue_send(struct segue_raw_packet_sq *sq,
								     uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send segue_send(struct segue_rc_sq *sq,
									    uint64_t wr_id,
									    uint32_t flags)
{
	return seguei_rc_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send segue_send(struct segue_uc_sq *sq,
									    uint64_t wr_id,
									    uint32_t flags)
{
	return seguei_uc_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_wants_av_or_av_compact_for_send segue_send(struct segue_ud_sq *sq,
								       uint64_t wr_id,
								       uint32_t flags)
{
	return seguei_ud_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_send segue_send(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_send(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_sq_index segue_send_en(struct segue_dci_sq *sq, uint64_t wr_id,
							  uint32_t flags)
{
	return seguei_dci_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_sq_index segue_send_en(struct segue_raw_packet_sq *sq,
								 uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_sq_index segue_send_en(struct segue_rc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_rc_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_wants_sq_index segue_send_en(struct segue_uc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_uc_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_wants_sq_index segue_send_en(struct segue_ud_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_ud_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_sq_index segue_send_en(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_send_en(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_send segue_send_imm(struct segue_dci_sq *sq,
									    uint64_t wr_id,
									    uint32_t flags,
									    uint32_t imm)
{
	return seguei_dci_begin_send_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send segue_send_imm(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_rc_begin_send_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send segue_send_imm(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_uc_begin_send_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_ud_wants_av_or_av_compact_for_send_imm segue_send_imm(
	struct segue_ud_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_ud_begin_send_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_send segue_send_imm(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	return seguei_xrc_initiator_begin_send_imm(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_send segue_send_inv(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	return seguei_dci_begin_send_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge_or_inline_data_for_send segue_send_inv(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	return seguei_rc_begin_send_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_uc_may_take_sge_or_inline_data_for_send segue_send_inv(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	return seguei_uc_begin_send_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_xrc_for_send segue_send_inv(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t invalidate_rkey)
{
	return seguei_xrc_initiator_begin_send_inv(sq, wr_id, flags, invalidate_rkey);
}

SEGUE_BUILD struct segue_rc_wants_psv segue_set_psv(struct segue_rc_sq *sq, uint64_t wr_id,
						    uint32_t flags)
{
	return seguei_rc_begin_set_psv(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge(
	struct segue_dci_may_take_sge_or_inline_data_for_send w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_wants_sge_for_transpose_after_sge segue_sge(
	struct segue_dci_wants_sge_for_transpose_after_matrix w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_dci_wants_sge_for_transpose_after_matrix_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge(struct segue_dci_may_take_sge w, uint64_t addr,
						    uint32_t byte_count, uint32_t lkey)
{
	return seguei_dci_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge(
	struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_complete segue_sge(
	struct segue_dci_wants_sge_for_transpose_after_sge w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_dci_wants_sge_for_transpose_after_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge(struct segue_dci_wants_sge_for_atomic_cs w,
						    uint64_t addr, uint32_t byte_count,
						    uint32_t lkey)
{
	return seguei_dci_wants_sge_for_atomic_cs_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge segue_sge(
	struct segue_raw_packet_may_take_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge segue_sge(struct segue_raw_packet_may_take_sge w,
							   uint64_t addr, uint32_t byte_count,
							   uint32_t lkey)
{
	return seguei_raw_packet_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge(struct segue_rc_may_take_sge w, uint64_t addr,
						   uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_complete segue_sge(struct segue_rc_wants_sge_or_data_end w,
					       uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_wants_sge_or_data_end_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_wants_sge_for_transpose_after_sge segue_sge(
	struct segue_rc_wants_sge_for_transpose_after_matrix w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_rc_wants_sge_for_transpose_after_matrix_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge(struct segue_rc_wants_sge_for_atomic_cs w,
						   uint64_t addr, uint32_t byte_count,
						   uint32_t lkey)
{
	return seguei_rc_wants_sge_for_atomic_cs_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_complete segue_sge(struct segue_rc_wants_sge_for_transpose_after_sge w,
					       uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	return seguei_rc_wants_sge_for_transpose_after_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge(struct segue_uc_may_take_sge w, uint64_t addr,
						   uint32_t byte_count, uint32_t lkey)
{
	return seguei_uc_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge(
	struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge(struct segue_ud_may_take_sge_or_inline_data w,
						   uint64_t addr, uint32_t byte_count,
						   uint32_t lkey)
{
	return seguei_ud_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge(struct segue_ud_may_take_sge w, uint64_t addr,
						   uint32_t byte_count, uint32_t lkey)
{
	return seguei_ud_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_sge(w, addr, byte_count,
									     lkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge(
	struct segue_xrc_initiator_may_take_sge w, uint64_t addr, uint32_t byte_count,
	uint32_t lkey)
{
	return seguei_xrc_initiator_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w, uint64_t addr,
	uint32_t byte_count, uint32_t lkey)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_sge(
		w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge(
	struct segue_xrc_initiator_wants_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	return seguei_xrc_initiator_wants_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rq_may_take_sge segue_sge(struct segue_rq_may_take_sge_or_rwqe_sig w,
						   uint64_t addr, uint32_t byte_count,
						   uint32_t lkey)
{
	return seguei_rq_may_take_sge_or_rwqe_sig_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rq_may_take_sge segue_sge(struct segue_rq_may_take_sge w, uint64_t addr,
						   uint32_t byte_count, uint32_t lkey)
{
	return seguei_rq_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_srq_may_take_sge segue_sge(struct segue_srq_may_take_sge w, uint64_t addr,
						    uint32_t byte_count, uint32_t lkey)
{
	return seguei_srq_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_mprq_may_take_sge segue_sge(struct segue_mprq_wants_sge w, uint64_t addr,
						     uint32_t byte_count, uint32_t lkey)
{
	return seguei_mprq_wants_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_mprq_may_take_sge segue_sge(struct segue_mprq_may_take_sge w,
						     uint64_t addr, uint32_t byte_count,
						     uint32_t lkey)
{
	return seguei_mprq_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge_list(
	struct segue_dci_may_take_sge_or_inline_data_for_send w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_dci_may_take_sge_or_inline_data_for_send_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge_list(struct segue_dci_may_take_sge w,
							 const struct segue_seg_data *list,
							 uint32_t count)
{
	return seguei_dci_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dci_may_take_sge segue_sge_list(
	struct segue_dci_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	return seguei_dci_may_take_sge_or_inline_data_for_rdma_write_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge segue_sge_list(
	struct segue_raw_packet_may_take_sge_or_inline_data w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_raw_packet_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_raw_packet_may_take_sge segue_sge_list(
	struct segue_raw_packet_may_take_sge w, const struct segue_seg_data *list, uint32_t count)
{
	return seguei_raw_packet_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge_list(
	struct segue_rc_may_take_sge_or_inline_data_for_send w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_rc_may_take_sge_or_inline_data_for_send_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge_list(struct segue_rc_may_take_sge w,
							const struct segue_seg_data *list,
							uint32_t count)
{
	return seguei_rc_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_may_take_sge segue_sge_list(
	struct segue_rc_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	return seguei_rc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge_list(
	struct segue_uc_may_take_sge_or_inline_data_for_send w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_uc_may_take_sge_or_inline_data_for_send_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge_list(
	struct segue_uc_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	return seguei_uc_may_take_sge_or_inline_data_for_rdma_write_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_uc_may_take_sge segue_sge_list(struct segue_uc_may_take_sge w,
							const struct segue_seg_data *list,
							uint32_t count)
{
	return seguei_uc_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge_list(
	struct segue_ud_may_take_sge_or_eth_pad_or_inline_data w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_ud_may_take_sge_or_eth_pad_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge_list(
	struct segue_ud_may_take_sge_or_inline_data w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_ud_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_ud_may_take_sge segue_sge_list(struct segue_ud_may_take_sge w,
							const struct segue_seg_data *list,
							uint32_t count)
{
	return seguei_ud_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge_list(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send w,
	const struct segue_seg_data *list, uint32_t count)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_send_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge_list(
	struct segue_xrc_initiator_may_take_sge w, const struct segue_seg_data *list,
	uint32_t count)
{
	return seguei_xrc_initiator_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge segue_sge_list(
	struct segue_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write w,
	const struct segue_seg_data *list, uint32_t count)
{
	return seguei_xrc_initiator_may_take_sge_or_inline_data_for_rdma_write_sge_list(w, list,
											count);
}

SEGUE_BUILD struct segue_rq_may_take_sge segue_sge_list(struct segue_rq_may_take_sge_or_rwqe_sig w,
							const struct segue_seg_data *list,
							uint32_t count)
{
	return seguei_rq_may_take_sge_or_rwqe_sig_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rq_may_take_sge segue_sge_list(struct segue_rq_may_take_sge w,
							const struct segue_seg_data *list,
							uint32_t count)
{
	return seguei_rq_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_srq_may_take_sge segue_sge_list(struct segue_srq_may_take_sge w,
							 const struct segue_seg_data *list,
							 uint32_t count)
{
	return seguei_srq_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_mprq_may_take_sge segue_sge_list(struct segue_mprq_may_take_sge w,
							  const struct segue_seg_data *list,
							  uint32_t count)
{
	return seguei_mprq_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dci_complete segue_sq_index(struct segue_dci_wants_sq_index w,
						     uint16_t max_index, uint32_t qpn)
{
	return seguei_dci_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_raw_packet_complete segue_sq_index(
	struct segue_raw_packet_wants_sq_index w, uint16_t max_index, uint32_t qpn)
{
	return seguei_raw_packet_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_rc_complete segue_sq_index(struct segue_rc_wants_sq_index w,
						    uint16_t max_index, uint32_t qpn)
{
	return seguei_rc_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_uc_complete segue_sq_index(struct segue_uc_wants_sq_index w,
						    uint16_t max_index, uint32_t qpn)
{
	return seguei_uc_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_ud_complete segue_sq_index(struct segue_ud_wants_sq_index w,
						    uint16_t max_index, uint32_t qpn)
{
	return seguei_ud_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_sq_index(
	struct segue_xrc_initiator_wants_sq_index w, uint16_t max_index, uint32_t qpn)
{
	return seguei_xrc_initiator_wants_sq_index_sq_index(w, max_index, qpn);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_atomic_cs segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_atomic_cs w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_cs_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_atomic_fa segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_atomic_fa w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_atomic_fa_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_bind_mw segue_stream(
	struct segue_dci_wants_umr_ctrl_for_bind_mw w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_umr_ctrl_for_bind_mw_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_bind_mw_type1 segue_stream(
	struct segue_dci_wants_umr_ctrl_for_bind_mw_type1 w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_umr_ctrl_for_bind_mw_type1_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_local_inv segue_stream(
	struct segue_dci_wants_umr_ctrl_for_local_inv w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_umr_ctrl_for_local_inv_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32 segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs32 w,
	uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs32_stream(
		w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64 segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_cs64 w,
	uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_cs64_stream(
		w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32 segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa32 w,
	uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa32_stream(
		w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64 segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_masked_atomic_fa64 w,
	uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_masked_atomic_fa64_stream(
		w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_mmo_metadata segue_stream(struct segue_dci_wants_mmo_metadata w,
							     uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_mmo_metadata_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_may_take_filler segue_stream(struct segue_dci_may_take_filler w,
							  uint16_t dci_stream_channel_id)
{
	return seguei_dci_may_take_filler_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_rdma_read segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_rdma_read w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_read_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_rdma_write segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_rdma_write w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_rdma_write_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_av_or_av_compact_for_send segue_stream(
	struct segue_dci_wants_av_or_av_compact_for_send w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_av_or_av_compact_for_send_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_sq_index segue_stream(struct segue_dci_wants_sq_index w,
							 uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_sq_index_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_matrix segue_stream(struct segue_dci_wants_matrix w,
						       uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_matrix_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1 segue_stream(
	struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1 w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_umr_ctrl_for_unbind_mw_type1_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_cq_index segue_stream(struct segue_dci_wants_cq_index w,
							 uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_cq_index_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_data_condition segue_stream(
	struct segue_dci_wants_data_condition w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_data_condition_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_wants_time_condition segue_stream(
	struct segue_dci_wants_time_condition w, uint16_t dci_stream_channel_id)
{
	return seguei_dci_wants_time_condition_stream(w, dci_stream_channel_id);
}

SEGUE_BUILD struct segue_dci_complete segue_time_condition(struct segue_dci_wants_time_condition w,
							   uint8_t operation, uint8_t invert,
							   uint64_t value, uint64_t mask)
{
	return seguei_dci_wants_time_condition_time_condition(w, operation, invert, value, mask);
}

SEGUE_BUILD struct segue_raw_packet_complete segue_time_condition(
	struct segue_raw_packet_wants_time_condition w, uint8_t operation, uint8_t invert,
	uint64_t value, uint64_t mask)
{
	return seguei_raw_packet_wants_time_condition_time_condition(w, operation, invert, value,
								     mask);
}

SEGUE_BUILD struct segue_rc_complete segue_time_condition(struct segue_rc_wants_time_condition w,
							  uint8_t operation, uint8_t invert,
							  uint64_t value, uint64_t mask)
{
	return seguei_rc_wants_time_condition_time_condition(w, operation, invert, value, mask);
}

SEGUE_BUILD struct segue_uc_complete segue_time_condition(struct segue_uc_wants_time_condition w,
							  uint8_t operation, uint8_t invert,
							  uint64_t value, uint64_t mask)
{
	return seguei_uc_wants_time_condition_time_condition(w, operation, invert, value, mask);
}

SEGUE_BUILD struct segue_ud_complete segue_time_condition(struct segue_ud_wants_time_condition w,
							  uint8_t operation, uint8_t invert,
							  uint64_t value, uint64_t mask)
{
	return seguei_ud_wants_time_condition_time_condition(w, operation, invert, value, mask);
}

SEGUE_BUILD struct segue_xrc_initiator_complete segue_time_condition(
	struct segue_xrc_initiator_wants_time_condition w, uint8_t operation, uint8_t invert,
	uint64_t value, uint64_t mask)
{
	return seguei_xrc_initiator_wants_time_condition_time_condition(w, operation, invert, value,
									mask);
}

SEGUE_BUILD struct segue_rc_wants_sge_or_data_end segue_tm(struct segue_rc_wants_tm_for_tm_append w,
							   uint8_t flags, uint16_t index,
							   uint16_t sw_cnt, uint64_t append_tag,
							   uint64_t append_mask)
{
	return seguei_rc_wants_tm_for_tm_append_tm(w, flags, index, sw_cnt, append_tag,
						   append_mask);
}

SEGUE_BUILD struct segue_rc_complete segue_tm(struct segue_rc_wants_tm_for_tm_noop w, uint8_t flags,
					      uint16_t index, uint16_t sw_cnt, uint64_t append_tag,
					      uint64_t append_mask)
{
	return seguei_rc_wants_tm_for_tm_noop_tm(w, flags, index, sw_cnt, append_tag, append_mask);
}

SEGUE_BUILD struct segue_rc_complete segue_tm(struct segue_rc_wants_tm_for_tm_remove w,
					      uint8_t flags, uint16_t index, uint16_t sw_cnt,
					      uint64_t append_tag, uint64_t append_mask)
{
	return seguei_rc_wants_tm_for_tm_remove_tm(w, flags, index, sw_cnt, append_tag,
						   append_mask);
}

SEGUE_BUILD struct segue_rc_wants_tm_for_tm_append segue_tm_append(struct segue_rc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_tm_append(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_tm_for_tm_noop segue_tm_noop(struct segue_rc_sq *sq,
							       uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_tm_noop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_tm_for_tm_remove segue_tm_remove(struct segue_rc_sq *sq,
								   uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_tm_remove(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_matrix segue_transpose(struct segue_dci_sq *sq, uint64_t wr_id,
							  uint32_t flags)
{
	return seguei_dci_begin_transpose(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_matrix segue_transpose(struct segue_rc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_rc_begin_transpose(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_eth segue_tso(struct segue_raw_packet_sq *sq,
							uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_tso(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_mkey_bind segue_umr_ctrl(
	struct segue_dci_wants_umr_ctrl_for_bind_mw w)
{
	return seguei_dci_wants_umr_ctrl_for_bind_mw_umr_ctrl(w);
}

SEGUE_BUILD struct segue_dci_wants_mkey_bind segue_umr_ctrl(
	struct segue_dci_wants_umr_ctrl_for_bind_mw_type1 w)
{
	return seguei_dci_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_dci_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_dci_wants_umr_ctrl_for_local_inv w)
{
	return seguei_dci_wants_umr_ctrl_for_local_inv_umr_ctrl(w);
}

SEGUE_BUILD struct segue_dci_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	return seguei_dci_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_rc_wants_mkey_bind segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_bind_mw w)
{
	return seguei_rc_wants_umr_ctrl_for_bind_mw_umr_ctrl(w);
}

SEGUE_BUILD struct segue_rc_wants_mkey_bind segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_bind_mw_type1 w)
{
	return seguei_rc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_rc_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_local_inv w)
{
	return seguei_rc_wants_umr_ctrl_for_local_inv_umr_ctrl(w);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_interleaved_umr_ctrl(w, check_free, klm_octowords,
								     mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_crypto segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_interleaved_crypto_umr_ctrl(
		w, check_free, klm_octowords, mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_sig segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_umr_ctrl(w, check_free,
									 klm_octowords, mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_interleaved_sig_crypto segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto_umr_ctrl(
		w, check_free, klm_octowords, mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list w, uint8_t check_free, uint16_t klm_octowords,
	uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_list_umr_ctrl(w, check_free, klm_octowords,
							      mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_crypto segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_list_crypto_umr_ctrl(w, check_free, klm_octowords,
								     mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_sig segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_list_sig_umr_ctrl(w, check_free, klm_octowords,
								  mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_list_sig_crypto segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto w, uint8_t check_free,
	uint16_t klm_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_list_sig_crypto_umr_ctrl(w, check_free,
									 klm_octowords, mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_context_for_umr_pointer segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_umr_pointer w, uint8_t check_free,
	uint16_t klm_octowords, uint16_t bsf_octowords, uint64_t mkey_mask)
{
	return seguei_rc_wants_umr_ctrl_for_umr_pointer_umr_ctrl(w, check_free, klm_octowords,
								 bsf_octowords, mkey_mask);
}

SEGUE_BUILD struct segue_rc_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	return seguei_rc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_uc_wants_mkey_bind segue_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_bind_mw w)
{
	return seguei_uc_wants_umr_ctrl_for_bind_mw_umr_ctrl(w);
}

SEGUE_BUILD struct segue_uc_wants_mkey_bind segue_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_bind_mw_type1 w)
{
	return seguei_uc_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_uc_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_local_inv w)
{
	return seguei_uc_wants_umr_ctrl_for_local_inv_umr_ctrl(w);
}

SEGUE_BUILD struct segue_uc_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	return seguei_uc_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_mkey_bind segue_umr_ctrl(
	struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw w)
{
	return seguei_xrc_initiator_wants_umr_ctrl_for_bind_mw_umr_ctrl(w);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_mkey_bind segue_umr_ctrl(
	struct segue_xrc_initiator_wants_umr_ctrl_for_bind_mw_type1 w)
{
	return seguei_xrc_initiator_wants_umr_ctrl_for_bind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_xrc_initiator_wants_umr_ctrl_for_local_inv w)
{
	return seguei_xrc_initiator_wants_umr_ctrl_for_local_inv_umr_ctrl(w);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_mkey_invalidate segue_umr_ctrl(
	struct segue_xrc_initiator_wants_umr_ctrl_for_unbind_mw_type1 w)
{
	return seguei_xrc_initiator_wants_umr_ctrl_for_unbind_mw_type1_umr_ctrl(w);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved segue_umr_interleaved(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_interleaved(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_crypto segue_umr_interleaved_crypto(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_interleaved_crypto(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig segue_umr_interleaved_sig(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_interleaved_sig(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_interleaved_sig_crypto
segue_umr_interleaved_sig_crypto(struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags,
				 uint32_t mkey)
{
	return seguei_rc_begin_umr_interleaved_sig_crypto(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list segue_umr_list(struct segue_rc_sq *sq,
								       uint64_t wr_id,
								       uint32_t flags,
								       uint32_t mkey)
{
	return seguei_rc_begin_umr_list(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_crypto segue_umr_list_crypto(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_list_crypto(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_sig segue_umr_list_sig(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_list_sig(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_list_sig_crypto segue_umr_list_sig_crypto(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t mkey)
{
	return seguei_rc_begin_umr_list_sig_crypto(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_umr_pointer segue_umr_pointer(struct segue_rc_sq *sq,
									     uint64_t wr_id,
									     uint32_t flags,
									     uint32_t mkey)
{
	return seguei_rc_begin_umr_pointer(sq, wr_id, flags, mkey);
}

SEGUE_BUILD struct segue_dci_wants_umr_ctrl_for_unbind_mw_type1 segue_unbind_mw_type1(
	struct segue_dci_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_dci_begin_unbind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_rc_wants_umr_ctrl_for_unbind_mw_type1 segue_unbind_mw_type1(
	struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_rc_begin_unbind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_uc_wants_umr_ctrl_for_unbind_mw_type1 segue_unbind_mw_type1(
	struct segue_uc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_uc_begin_unbind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_umr_ctrl_for_unbind_mw_type1 segue_unbind_mw_type1(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t rkey)
{
	return seguei_xrc_initiator_begin_unbind_mw_type1(sq, wr_id, flags, rkey);
}

SEGUE_BUILD struct segue_dci_wants_cq_index segue_wait_cq(struct segue_dci_sq *sq, uint64_t wr_id,
							  uint32_t flags)
{
	return seguei_dci_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_cq_index segue_wait_cq(struct segue_raw_packet_sq *sq,
								 uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_cq_index segue_wait_cq(struct segue_rc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_rc_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_wants_cq_index segue_wait_cq(struct segue_uc_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_uc_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_wants_cq_index segue_wait_cq(struct segue_ud_sq *sq, uint64_t wr_id,
							 uint32_t flags)
{
	return seguei_ud_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_cq_index segue_wait_cq(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_wait_cq(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_data_condition segue_wait_on_data(struct segue_dci_sq *sq,
								     uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_data_condition segue_wait_on_data(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_data_condition segue_wait_on_data(struct segue_rc_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_wants_data_condition segue_wait_on_data(struct segue_uc_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_uc_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_wants_data_condition segue_wait_on_data(struct segue_ud_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_ud_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_data_condition segue_wait_on_data(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_wait_on_data(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dci_wants_time_condition segue_wait_on_time(struct segue_dci_sq *sq,
								     uint64_t wr_id, uint32_t flags)
{
	return seguei_dci_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_raw_packet_wants_time_condition segue_wait_on_time(
	struct segue_raw_packet_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_raw_packet_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_wants_time_condition segue_wait_on_time(struct segue_rc_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_rc_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_uc_wants_time_condition segue_wait_on_time(struct segue_uc_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_uc_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_ud_wants_time_condition segue_wait_on_time(struct segue_ud_sq *sq,
								    uint64_t wr_id, uint32_t flags)
{
	return seguei_ud_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_time_condition segue_wait_on_time(
	struct segue_xrc_initiator_sq *sq, uint64_t wr_id, uint32_t flags)
{
	return seguei_xrc_initiator_begin_wait_on_time(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_raddr_for_atomic_cs segue_xrc(
	struct segue_xrc_initiator_wants_xrc_for_atomic_cs w, uint32_t xrc_srqn)
{
	return seguei_xrc_initiator_wants_xrc_for_atomic_cs_xrc(w, xrc_srqn);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_raddr_for_atomic_fa segue_xrc(
	struct segue_xrc_initiator_wants_xrc_for_atomic_fa w, uint32_t xrc_srqn)
{
	return seguei_xrc_initiator_wants_xrc_for_atomic_fa_xrc(w, xrc_srqn);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_raddr_for_rdma_read segue_xrc(
	struct segue_xrc_initiator_wants_xrc_for_rdma_read w, uint32_t xrc_srqn)
{
	return seguei_xrc_initiator_wants_xrc_for_rdma_read_xrc(w, xrc_srqn);
}

SEGUE_BUILD struct segue_xrc_initiator_wants_raddr_for_rdma_write segue_xrc(
	struct segue_xrc_initiator_wants_xrc_for_rdma_write w, uint32_t xrc_srqn)
{
	return seguei_xrc_initiator_wants_xrc_for_rdma_write_xrc(w, xrc_srqn);
}

SEGUE_BUILD struct segue_xrc_initiator_may_take_sge_or_inline_data_for_send segue_xrc(
	struct segue_xrc_initiator_wants_xrc_for_send w, uint32_t xrc_srqn)
{
	return seguei_xrc_initiator_wants_xrc_for_send_xrc(w, xrc_srqn);
}

#endif

#endif
