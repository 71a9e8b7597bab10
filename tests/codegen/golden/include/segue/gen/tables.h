/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/cqes, spec/mlx5/enums, spec/mlx5/segments, spec/verbs/enums by
 * //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_TABLES_H
#define SEGUE_GEN_TABLES_H

#include "segue/desc.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Enums. */
extern const struct segue_enum_desc segue_access_flags_desc;
extern const struct segue_enum_desc segue_bsf_bfs_desc;
extern const struct segue_enum_desc segue_bsf_block_size_desc;
extern const struct segue_enum_desc segue_bsf_dif_flag_desc;
extern const struct segue_enum_desc segue_bsf_inl_valid_desc;
extern const struct segue_enum_desc segue_bsf_rp_inv_seed_desc;
extern const struct segue_enum_desc segue_bsf_size_desc;
extern const struct segue_enum_desc segue_bsf_type_desc;
extern const struct segue_enum_desc segue_command_desc;
extern const struct segue_enum_desc segue_completion_mode_desc;
extern const struct segue_enum_desc segue_cq_arm_cmd_desc;
extern const struct segue_enum_desc segue_cq_dbrec_desc;
extern const struct segue_enum_desc segue_cqe_desc;
extern const struct segue_enum_desc segue_cqe_app_desc;
extern const struct segue_enum_desc segue_cqe_comp_res_format_desc;
extern const struct segue_enum_desc segue_cqe_format_desc;
extern const struct segue_enum_desc segue_cqe_grh_desc;
extern const struct segue_enum_desc segue_cqe_l3_hdr_type_desc;
extern const struct segue_enum_desc segue_cqe_l4_hdr_type_desc;
extern const struct segue_enum_desc segue_cqe_op_own_desc;
extern const struct segue_enum_desc segue_cqe_opcode_desc;
extern const struct segue_enum_desc segue_cqe_roce_packet_desc;
extern const struct segue_enum_desc segue_cqe_syndrome_desc;
extern const struct segue_enum_desc segue_cqe_tls_desc;
extern const struct segue_enum_desc segue_crypto_order_desc;
extern const struct segue_enum_desc segue_crypto_standard_desc;
extern const struct segue_enum_desc segue_dbrec_desc;
extern const struct segue_enum_desc segue_dek_purpose_desc;
extern const struct segue_enum_desc segue_dek_size_desc;
extern const struct segue_enum_desc segue_eth_cs_flag_desc;
extern const struct segue_enum_desc segue_eth_inline_desc;
extern const struct segue_enum_desc segue_eth_swp_flag_desc;
extern const struct segue_enum_desc segue_fence_desc;
extern const struct segue_enum_desc segue_flow_op_desc;
extern const struct segue_enum_desc segue_general_object_desc;
extern const struct segue_enum_desc segue_lkey_desc;
extern const struct segue_enum_desc segue_mini_cqe_format_desc;
extern const struct segue_enum_desc segue_mkey_access_desc;
extern const struct segue_enum_desc segue_mkey_mask_desc;
extern const struct segue_enum_desc segue_mprq_byte_cnt_desc;
extern const struct segue_enum_desc segue_opcode_desc;
extern const struct segue_enum_desc segue_opmod_aso_desc;
extern const struct segue_enum_desc segue_opmod_flow_tbl_access_desc;
extern const struct segue_enum_desc segue_opmod_local_mmo_desc;
extern const struct segue_enum_desc segue_opmod_masked_atomic_desc;
extern const struct segue_enum_desc segue_opmod_mmo_desc;
extern const struct segue_enum_desc segue_opmod_set_psv_desc;
extern const struct segue_enum_desc segue_opmod_tso_desc;
extern const struct segue_enum_desc segue_opmod_umr_desc;
extern const struct segue_enum_desc segue_opmod_wait_desc;
extern const struct segue_enum_desc segue_post_flag_desc;
extern const struct segue_enum_desc segue_qp_attr_desc;
extern const struct segue_enum_desc segue_qp_state_desc;
extern const struct segue_enum_desc segue_query_hca_cap_op_mod_desc;
extern const struct segue_enum_desc segue_repeat_block_op_desc;
extern const struct segue_enum_desc segue_sig_err_domain_desc;
extern const struct segue_enum_desc segue_sig_err_syndrome_desc;
extern const struct segue_enum_desc segue_sig_err_type_desc;
extern const struct segue_enum_desc segue_sig_mask_desc;
extern const struct segue_enum_desc segue_t10dif_desc;
extern const struct segue_enum_desc segue_tm_app_op_desc;
extern const struct segue_enum_desc segue_tm_flag_desc;
extern const struct segue_enum_desc segue_tm_opcode_desc;
extern const struct segue_enum_desc segue_tmh_opcode_desc;
extern const struct segue_enum_desc segue_uar_desc;
extern const struct segue_enum_desc segue_umr_check_desc;
extern const struct segue_enum_desc segue_vendor_syndrome_desc;
extern const struct segue_enum_desc segue_wait_cond_desc;
extern const struct segue_enum_desc segue_wait_fail_action_desc;
extern const struct segue_enum_desc segue_wqe_desc;

/* Segments. */
extern const struct segue_segment_desc segue_seg_atomic_desc;
extern const struct segue_segment_desc segue_seg_atomic_add_desc;
extern const struct segue_segment_desc segue_seg_av_dc_desc;
extern const struct segue_segment_desc segue_seg_av_dc_compact_desc;
extern const struct segue_segment_desc segue_seg_av_ud_desc;
extern const struct segue_segment_desc segue_seg_av_ud_compact_desc;
extern const struct segue_segment_desc segue_seg_bind_klm_desc;
extern const struct segue_segment_desc segue_seg_bsf_desc;
extern const struct segue_segment_desc segue_seg_bsf_inl_desc;
extern const struct segue_segment_desc segue_seg_check_psv_desc;
extern const struct segue_segment_desc segue_seg_command_in_desc;
extern const struct segue_segment_desc segue_seg_cq_arm_desc;
extern const struct segue_segment_desc segue_seg_create_dek_in_desc;
extern const struct segue_segment_desc segue_seg_create_object_out_desc;
extern const struct segue_segment_desc segue_seg_create_psv_in_desc;
extern const struct segue_segment_desc segue_seg_create_psv_out_desc;
extern const struct segue_segment_desc segue_seg_crypto_bsf_desc;
extern const struct segue_segment_desc segue_seg_ctrl_desc;
extern const struct segue_segment_desc segue_seg_data_desc;
extern const struct segue_segment_desc segue_seg_data_end_desc;
extern const struct segue_segment_desc segue_seg_eth_desc;
extern const struct segue_segment_desc segue_seg_eth_pad_desc;
extern const struct segue_segment_desc segue_seg_eth_vlan_desc;
extern const struct segue_segment_desc segue_seg_filler_desc;
extern const struct segue_segment_desc segue_seg_flow_update_ctrl_desc;
extern const struct segue_segment_desc segue_seg_get_psv_desc;
extern const struct segue_segment_desc segue_seg_header_modify_argument_update_desc;
extern const struct segue_segment_desc segue_seg_inline_data_desc;
extern const struct segue_segment_desc segue_seg_klm_desc;
extern const struct segue_segment_desc segue_seg_list_pad_desc;
extern const struct segue_segment_desc segue_seg_masked_cas32_desc;
extern const struct segue_segment_desc segue_seg_masked_cas64_desc;
extern const struct segue_segment_desc segue_seg_masked_fa32_desc;
extern const struct segue_segment_desc segue_seg_masked_fa64_desc;
extern const struct segue_segment_desc segue_seg_mkey_bind_desc;
extern const struct segue_segment_desc segue_seg_mkey_context_desc;
extern const struct segue_segment_desc segue_seg_mkey_invalidate_desc;
extern const struct segue_segment_desc segue_seg_mmo_data_desc;
extern const struct segue_segment_desc segue_seg_mmo_metadata_desc;
extern const struct segue_segment_desc segue_seg_query_hca_cap_atomic_out_desc;
extern const struct segue_segment_desc segue_seg_query_hca_cap_out_desc;
extern const struct segue_segment_desc segue_seg_query_xrc_srq_out_desc;
extern const struct segue_segment_desc segue_seg_raddr_desc;
extern const struct segue_segment_desc segue_seg_repeat_block_desc;
extern const struct segue_segment_desc segue_seg_repeat_ent_desc;
extern const struct segue_segment_desc segue_seg_rvh_desc;
extern const struct segue_segment_desc segue_seg_rwqe_sig_desc;
extern const struct segue_segment_desc segue_seg_send_en_desc;
extern const struct segue_segment_desc segue_seg_set_psv_desc;
extern const struct segue_segment_desc segue_seg_signature_desc;
extern const struct segue_segment_desc segue_seg_srq_next_desc;
extern const struct segue_segment_desc segue_seg_tm_desc;
extern const struct segue_segment_desc segue_seg_tmh_desc;
extern const struct segue_segment_desc segue_seg_transpose_desc;
extern const struct segue_segment_desc segue_seg_umr_ctrl_desc;
extern const struct segue_segment_desc segue_seg_umr_pointer_desc;
extern const struct segue_segment_desc segue_seg_wait_cq_desc;
extern const struct segue_segment_desc segue_seg_wait_on_data_desc;
extern const struct segue_segment_desc segue_seg_wait_on_time_desc;
extern const struct segue_segment_desc segue_seg_xrc_desc;

/* CQE formats. */
extern const struct segue_segment_desc segue_cqe_cqe128_desc;
extern const struct segue_segment_desc segue_cqe_cqe64_desc;
extern const struct segue_segment_desc segue_cqe_cqe_inline32_desc;
extern const struct segue_segment_desc segue_cqe_cqe_inline64_desc;
extern const struct segue_segment_desc segue_cqe_err_cqe_desc;
extern const struct segue_segment_desc segue_cqe_mini_cqe_desc;
extern const struct segue_segment_desc segue_cqe_mini_cqe_array_desc;
extern const struct segue_segment_desc segue_cqe_mini_cqe_array_trailer_desc;
extern const struct segue_segment_desc segue_cqe_mini_cqe_csum_desc;
extern const struct segue_segment_desc segue_cqe_mini_cqe_req_desc;
extern const struct segue_segment_desc segue_cqe_sig_err_cqe_desc;
extern const struct segue_segment_desc segue_cqe_tm_cqe_desc;
extern const struct segue_segment_desc segue_cqe_tm_match_cqe_desc;

/** Indices into segue_enums[]. */
enum segue_enum_id {
	SEGUE_ENUM_ACCESS_FLAGS_ID,
	SEGUE_ENUM_BSF_BFS_ID,
	SEGUE_ENUM_BSF_BLOCK_SIZE_ID,
	SEGUE_ENUM_BSF_DIF_FLAG_ID,
	SEGUE_ENUM_BSF_INL_VALID_ID,
	SEGUE_ENUM_BSF_RP_INV_SEED_ID,
	SEGUE_ENUM_BSF_SIZE_ID,
	SEGUE_ENUM_BSF_TYPE_ID,
	SEGUE_ENUM_COMMAND_ID,
	SEGUE_ENUM_COMPLETION_MODE_ID,
	SEGUE_ENUM_CQ_ARM_CMD_ID,
	SEGUE_ENUM_CQ_DBREC_ID,
	SEGUE_ENUM_CQE_ID,
	SEGUE_ENUM_CQE_APP_ID,
	SEGUE_ENUM_CQE_COMP_RES_FORMAT_ID,
	SEGUE_ENUM_CQE_FORMAT_ID,
	SEGUE_ENUM_CQE_GRH_ID,
	SEGUE_ENUM_CQE_L3_HDR_TYPE_ID,
	SEGUE_ENUM_CQE_L4_HDR_TYPE_ID,
	SEGUE_ENUM_CQE_OP_OWN_ID,
	SEGUE_ENUM_CQE_OPCODE_ID,
	SEGUE_ENUM_CQE_ROCE_PACKET_ID,
	SEGUE_ENUM_CQE_SYNDROME_ID,
	SEGUE_ENUM_CQE_TLS_ID,
	SEGUE_ENUM_CRYPTO_ORDER_ID,
	SEGUE_ENUM_CRYPTO_STANDARD_ID,
	SEGUE_ENUM_DBREC_ID,
	SEGUE_ENUM_DEK_PURPOSE_ID,
	SEGUE_ENUM_DEK_SIZE_ID,
	SEGUE_ENUM_ETH_CS_FLAG_ID,
	SEGUE_ENUM_ETH_INLINE_ID,
	SEGUE_ENUM_ETH_SWP_FLAG_ID,
	SEGUE_ENUM_FENCE_ID,
	SEGUE_ENUM_FLOW_OP_ID,
	SEGUE_ENUM_GENERAL_OBJECT_ID,
	SEGUE_ENUM_LKEY_ID,
	SEGUE_ENUM_MINI_CQE_FORMAT_ID,
	SEGUE_ENUM_MKEY_ACCESS_ID,
	SEGUE_ENUM_MKEY_MASK_ID,
	SEGUE_ENUM_MPRQ_BYTE_CNT_ID,
	SEGUE_ENUM_OPCODE_ID,
	SEGUE_ENUM_OPMOD_ASO_ID,
	SEGUE_ENUM_OPMOD_FLOW_TBL_ACCESS_ID,
	SEGUE_ENUM_OPMOD_LOCAL_MMO_ID,
	SEGUE_ENUM_OPMOD_MASKED_ATOMIC_ID,
	SEGUE_ENUM_OPMOD_MMO_ID,
	SEGUE_ENUM_OPMOD_SET_PSV_ID,
	SEGUE_ENUM_OPMOD_TSO_ID,
	SEGUE_ENUM_OPMOD_UMR_ID,
	SEGUE_ENUM_OPMOD_WAIT_ID,
	SEGUE_ENUM_POST_FLAG_ID,
	SEGUE_ENUM_QP_ATTR_ID,
	SEGUE_ENUM_QP_STATE_ID,
	SEGUE_ENUM_QUERY_HCA_CAP_OP_MOD_ID,
	SEGUE_ENUM_REPEAT_BLOCK_OP_ID,
	SEGUE_ENUM_SIG_ERR_DOMAIN_ID,
	SEGUE_ENUM_SIG_ERR_SYNDROME_ID,
	SEGUE_ENUM_SIG_ERR_TYPE_ID,
	SEGUE_ENUM_SIG_MASK_ID,
	SEGUE_ENUM_T10DIF_ID,
	SEGUE_ENUM_TM_APP_OP_ID,
	SEGUE_ENUM_TM_FLAG_ID,
	SEGUE_ENUM_TM_OPCODE_ID,
	SEGUE_ENUM_TMH_OPCODE_ID,
	SEGUE_ENUM_UAR_ID,
	SEGUE_ENUM_UMR_CHECK_ID,
	SEGUE_ENUM_VENDOR_SYNDROME_ID,
	SEGUE_ENUM_WAIT_COND_ID,
	SEGUE_ENUM_WAIT_FAIL_ACTION_ID,
	SEGUE_ENUM_WQE_ID,
	SEGUE_ENUM_COUNT,
};

/** Indices into segue_segments[]. */
enum segue_segment_id {
	SEGUE_SEG_ATOMIC_ID,
	SEGUE_SEG_ATOMIC_ADD_ID,
	SEGUE_SEG_AV_DC_ID,
	SEGUE_SEG_AV_DC_COMPACT_ID,
	SEGUE_SEG_AV_UD_ID,
	SEGUE_SEG_AV_UD_COMPACT_ID,
	SEGUE_SEG_BIND_KLM_ID,
	SEGUE_SEG_BSF_ID,
	SEGUE_SEG_BSF_INL_ID,
	SEGUE_SEG_CHECK_PSV_ID,
	SEGUE_SEG_COMMAND_IN_ID,
	SEGUE_SEG_CQ_ARM_ID,
	SEGUE_SEG_CREATE_DEK_IN_ID,
	SEGUE_SEG_CREATE_OBJECT_OUT_ID,
	SEGUE_SEG_CREATE_PSV_IN_ID,
	SEGUE_SEG_CREATE_PSV_OUT_ID,
	SEGUE_SEG_CRYPTO_BSF_ID,
	SEGUE_SEG_CTRL_ID,
	SEGUE_SEG_DATA_ID,
	SEGUE_SEG_DATA_END_ID,
	SEGUE_SEG_ETH_ID,
	SEGUE_SEG_ETH_PAD_ID,
	SEGUE_SEG_ETH_VLAN_ID,
	SEGUE_SEG_FILLER_ID,
	SEGUE_SEG_FLOW_UPDATE_CTRL_ID,
	SEGUE_SEG_GET_PSV_ID,
	SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_ID,
	SEGUE_SEG_INLINE_DATA_ID,
	SEGUE_SEG_KLM_ID,
	SEGUE_SEG_LIST_PAD_ID,
	SEGUE_SEG_MASKED_CAS32_ID,
	SEGUE_SEG_MASKED_CAS64_ID,
	SEGUE_SEG_MASKED_FA32_ID,
	SEGUE_SEG_MASKED_FA64_ID,
	SEGUE_SEG_MKEY_BIND_ID,
	SEGUE_SEG_MKEY_CONTEXT_ID,
	SEGUE_SEG_MKEY_INVALIDATE_ID,
	SEGUE_SEG_MMO_DATA_ID,
	SEGUE_SEG_MMO_METADATA_ID,
	SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_ID,
	SEGUE_SEG_QUERY_HCA_CAP_OUT_ID,
	SEGUE_SEG_QUERY_XRC_SRQ_OUT_ID,
	SEGUE_SEG_RADDR_ID,
	SEGUE_SEG_REPEAT_BLOCK_ID,
	SEGUE_SEG_REPEAT_ENT_ID,
	SEGUE_SEG_RVH_ID,
	SEGUE_SEG_RWQE_SIG_ID,
	SEGUE_SEG_SEND_EN_ID,
	SEGUE_SEG_SET_PSV_ID,
	SEGUE_SEG_SIGNATURE_ID,
	SEGUE_SEG_SRQ_NEXT_ID,
	SEGUE_SEG_TM_ID,
	SEGUE_SEG_TMH_ID,
	SEGUE_SEG_TRANSPOSE_ID,
	SEGUE_SEG_UMR_CTRL_ID,
	SEGUE_SEG_UMR_POINTER_ID,
	SEGUE_SEG_WAIT_CQ_ID,
	SEGUE_SEG_WAIT_ON_DATA_ID,
	SEGUE_SEG_WAIT_ON_TIME_ID,
	SEGUE_SEG_XRC_ID,
	SEGUE_SEGMENT_COUNT,
};

/** Indices into segue_cqes[]. */
enum segue_cqe_id {
	SEGUE_CQE_CQE128_ID,
	SEGUE_CQE_CQE64_ID,
	SEGUE_CQE_CQE_INLINE32_ID,
	SEGUE_CQE_CQE_INLINE64_ID,
	SEGUE_CQE_ERR_CQE_ID,
	SEGUE_CQE_MINI_CQE_ID,
	SEGUE_CQE_MINI_CQE_ARRAY_ID,
	SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_ID,
	SEGUE_CQE_MINI_CQE_CSUM_ID,
	SEGUE_CQE_MINI_CQE_REQ_ID,
	SEGUE_CQE_SIG_ERR_CQE_ID,
	SEGUE_CQE_TM_CQE_ID,
	SEGUE_CQE_TM_MATCH_CQE_ID,
	SEGUE_CQE_COUNT,
};

/* All of them, sorted by name; a NULL follows the last. */
extern const struct segue_enum_desc *const segue_enums[];
extern const struct segue_segment_desc *const segue_segments[];
extern const struct segue_segment_desc *const segue_cqes[];

#ifdef __cplusplus
}
#endif

#endif /* SEGUE_GEN_TABLES_H */
