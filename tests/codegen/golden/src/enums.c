/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/enums, spec/verbs/enums by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#include "segue/gen/enums.h"

#include <stddef.h>

const char *segue_access_flags_name(uint32_t value)
{
	switch (value) {
	case SEGUE_ACCESS_FLAGS_LOCAL_WRITE:
		return "LOCAL_WRITE";
	case SEGUE_ACCESS_FLAGS_REMOTE_WRITE:
		return "REMOTE_WRITE";
	case SEGUE_ACCESS_FLAGS_REMOTE_READ:
		return "REMOTE_READ";
	case SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC:
		return "REMOTE_ATOMIC";
	case SEGUE_ACCESS_FLAGS_MW_BIND:
		return "MW_BIND";
	case SEGUE_ACCESS_FLAGS_ZERO_BASED:
		return "ZERO_BASED";
	case SEGUE_ACCESS_FLAGS_ON_DEMAND:
		return "ON_DEMAND";
	case SEGUE_ACCESS_FLAGS_HUGETLB:
		return "HUGETLB";
	case SEGUE_ACCESS_FLAGS_RELAXED_ORDERING:
		return "RELAXED_ORDERING";
	default:
		return NULL;
	}
}

const char *segue_bsf_bfs_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_BFS_CRC_SEED:
		return "CRC_SEED";
	case SEGUE_BSF_BFS_CRC_REPEAT:
		return "CRC_REPEAT";
	case SEGUE_BSF_BFS_CRC32:
		return "CRC32";
	case SEGUE_BSF_BFS_CRC32C:
		return "CRC32C";
	case SEGUE_BSF_BFS_CRC64_XP10:
		return "CRC64_XP10";
	default:
		return NULL;
	}
}

const char *segue_bsf_block_size_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_BLOCK_SIZE_NONE:
		return "NONE";
	case SEGUE_BSF_BLOCK_SIZE_B512:
		return "B512";
	case SEGUE_BSF_BLOCK_SIZE_B520:
		return "B520";
	case SEGUE_BSF_BLOCK_SIZE_B4096:
		return "B4096";
	case SEGUE_BSF_BLOCK_SIZE_B4160:
		return "B4160";
	case SEGUE_BSF_BLOCK_SIZE_LARGE:
		return "LARGE";
	case SEGUE_BSF_BLOCK_SIZE_B4048:
		return "B4048";
	default:
		return NULL;
	}
}

const char *segue_bsf_dif_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_DIF_FLAG_APPTAG_ESCAPE:
		return "APPTAG_ESCAPE";
	case SEGUE_BSF_DIF_FLAG_APPREF_ESCAPE:
		return "APPREF_ESCAPE";
	case SEGUE_BSF_DIF_FLAG_INC_REFTAG:
		return "INC_REFTAG";
	default:
		return NULL;
	}
}

const char *segue_bsf_inl_valid_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_INL_VALID_REFRESH_DIF:
		return "REFRESH_DIF";
	case SEGUE_BSF_INL_VALID_INL_VALID:
		return "INL_VALID";
	default:
		return NULL;
	}
}

const char *segue_bsf_rp_inv_seed_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_RP_INV_SEED_SEED:
		return "SEED";
	case SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK:
		return "REPEAT_BLOCK";
	default:
		return NULL;
	}
}

const char *segue_bsf_size_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_SIZE_BASIC:
		return "BASIC";
	case SEGUE_BSF_SIZE_EXTENDED:
		return "EXTENDED";
	case SEGUE_BSF_SIZE_WITH_INLINE:
		return "WITH_INLINE";
	case SEGUE_BSF_SIZE_SIG_AND_CRYPTO:
		return "SIG_AND_CRYPTO";
	default:
		return NULL;
	}
}

const char *segue_bsf_type_name(uint32_t value)
{
	switch (value) {
	case SEGUE_BSF_TYPE_SIGNATURE:
		return "SIGNATURE";
	case SEGUE_BSF_TYPE_CRYPTO:
		return "CRYPTO";
	default:
		return NULL;
	}
}

const char *segue_command_name(uint32_t value)
{
	switch (value) {
	case SEGUE_COMMAND_QUERY_HCA_CAP:
		return "QUERY_HCA_CAP";
	case SEGUE_COMMAND_CREATE_PSV:
		return "CREATE_PSV";
	case SEGUE_COMMAND_QUERY_XRC_SRQ:
		return "QUERY_XRC_SRQ";
	case SEGUE_COMMAND_CREATE_GENERAL_OBJECT:
		return "CREATE_GENERAL_OBJECT";
	default:
		return NULL;
	}
}

const char *segue_completion_mode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_COMPLETION_MODE_ON_ERROR:
		return "ON_ERROR";
	case SEGUE_COMPLETION_MODE_ON_FIRST_ERROR:
		return "ON_FIRST_ERROR";
	case SEGUE_COMPLETION_MODE_ALWAYS:
		return "ALWAYS";
	case SEGUE_COMPLETION_MODE_ALWAYS_AND_EVENT:
		return "ALWAYS_AND_EVENT";
	default:
		return NULL;
	}
}

const char *segue_cq_arm_cmd_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQ_ARM_CMD_ANY:
		return "ANY";
	case SEGUE_CQ_ARM_CMD_SOLICITED:
		return "SOLICITED";
	default:
		return NULL;
	}
}

const char *segue_cq_dbrec_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQ_DBREC_SET_CI:
		return "SET_CI";
	case SEGUE_CQ_DBREC_ARM:
		return "ARM";
	default:
		return NULL;
	}
}

const char *segue_cqe_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_SIZE:
		return "SIZE";
	case SEGUE_CQE_SIZE_128:
		return "SIZE_128";
	case SEGUE_CQE_MINI_SIZE:
		return "MINI_SIZE";
	default:
		return NULL;
	}
}

const char *segue_cqe_app_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_APP_NONE:
		return "NONE";
	case SEGUE_CQE_APP_TAG_MATCHING:
		return "TAG_MATCHING";
	default:
		return NULL;
	}
}

const char *segue_cqe_comp_res_format_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_COMP_RES_FORMAT_HASH:
		return "HASH";
	case SEGUE_CQE_COMP_RES_FORMAT_CSUM:
		return "CSUM";
	case SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX:
		return "CSUM_STRIDX";
	default:
		return NULL;
	}
}

const char *segue_cqe_format_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_FORMAT_NO_INLINE:
		return "NO_INLINE";
	case SEGUE_CQE_FORMAT_INLINE_32:
		return "INLINE_32";
	case SEGUE_CQE_FORMAT_INLINE_64:
		return "INLINE_64";
	case SEGUE_CQE_FORMAT_COMPRESSED:
		return "COMPRESSED";
	default:
		return NULL;
	}
}

const char *segue_cqe_grh_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_GRH_NONE:
		return "NONE";
	case SEGUE_CQE_GRH_IN_DATA:
		return "IN_DATA";
	case SEGUE_CQE_GRH_IN_CQE:
		return "IN_CQE";
	default:
		return NULL;
	}
}

const char *segue_cqe_l3_hdr_type_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_L3_HDR_TYPE_NONE:
		return "NONE";
	case SEGUE_CQE_L3_HDR_TYPE_IPV6:
		return "IPV6";
	case SEGUE_CQE_L3_HDR_TYPE_IPV4:
		return "IPV4";
	default:
		return NULL;
	}
}

const char *segue_cqe_l4_hdr_type_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_L4_HDR_TYPE_NONE:
		return "NONE";
	case SEGUE_CQE_L4_HDR_TYPE_TCP_NO_ACK:
		return "TCP_NO_ACK";
	case SEGUE_CQE_L4_HDR_TYPE_UDP:
		return "UDP";
	case SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_NO_DATA:
		return "TCP_ACK_NO_DATA";
	case SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_AND_DATA:
		return "TCP_ACK_AND_DATA";
	default:
		return NULL;
	}
}

const char *segue_cqe_op_own_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_OP_OWN_OWNER_MASK:
		return "OWNER_MASK";
	case SEGUE_CQE_OP_OWN_SOLICITED_MASK:
		return "SOLICITED_MASK";
	case SEGUE_CQE_OP_OWN_INLINE_SCATTER_32:
		return "INLINE_SCATTER_32";
	case SEGUE_CQE_OP_OWN_INLINE_SCATTER_64:
		return "INLINE_SCATTER_64";
	case SEGUE_CQE_OP_OWN_FORMAT_MASK:
		return "FORMAT_MASK";
	case SEGUE_CQE_OP_OWN_OPCODE_MASK:
		return "OPCODE_MASK";
	default:
		return NULL;
	}
}

const char *segue_cqe_opcode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_OPCODE_REQ:
		return "REQ";
	case SEGUE_CQE_OPCODE_RESP_WR_IMM:
		return "RESP_WR_IMM";
	case SEGUE_CQE_OPCODE_RESP_SEND:
		return "RESP_SEND";
	case SEGUE_CQE_OPCODE_RESP_SEND_IMM:
		return "RESP_SEND_IMM";
	case SEGUE_CQE_OPCODE_RESP_SEND_INV:
		return "RESP_SEND_INV";
	case SEGUE_CQE_OPCODE_RESIZE_CQ:
		return "RESIZE_CQ";
	case SEGUE_CQE_OPCODE_NO_PACKET:
		return "NO_PACKET";
	case SEGUE_CQE_OPCODE_SIG_ERR:
		return "SIG_ERR";
	case SEGUE_CQE_OPCODE_REQ_ERR:
		return "REQ_ERR";
	case SEGUE_CQE_OPCODE_RESP_ERR:
		return "RESP_ERR";
	case SEGUE_CQE_OPCODE_INVALID:
		return "INVALID";
	default:
		return NULL;
	}
}

const char *segue_cqe_roce_packet_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_ROCE_PACKET_V1:
		return "V1";
	case SEGUE_CQE_ROCE_PACKET_V2_IPV6:
		return "V2_IPV6";
	case SEGUE_CQE_ROCE_PACKET_V2_IPV4:
		return "V2_IPV4";
	default:
		return NULL;
	}
}

const char *segue_cqe_syndrome_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR:
		return "LOCAL_LENGTH_ERR";
	case SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR:
		return "LOCAL_QP_OP_ERR";
	case SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR:
		return "LOCAL_PROT_ERR";
	case SEGUE_CQE_SYNDROME_WR_FLUSH_ERR:
		return "WR_FLUSH_ERR";
	case SEGUE_CQE_SYNDROME_MW_BIND_ERR:
		return "MW_BIND_ERR";
	case SEGUE_CQE_SYNDROME_BAD_RESP_ERR:
		return "BAD_RESP_ERR";
	case SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR:
		return "LOCAL_ACCESS_ERR";
	case SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR:
		return "REMOTE_INVAL_REQ_ERR";
	case SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR:
		return "REMOTE_ACCESS_ERR";
	case SEGUE_CQE_SYNDROME_REMOTE_OP_ERR:
		return "REMOTE_OP_ERR";
	case SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR:
		return "TRANSPORT_RETRY_EXC_ERR";
	case SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR:
		return "RNR_RETRY_EXC_ERR";
	case SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR:
		return "REMOTE_ABORTED_ERR";
	default:
		return NULL;
	}
}

const char *segue_cqe_tls_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CQE_TLS_NOT_DECRYPTED:
		return "NOT_DECRYPTED";
	case SEGUE_CQE_TLS_DECRYPTED:
		return "DECRYPTED";
	case SEGUE_CQE_TLS_RESYNC:
		return "RESYNC";
	case SEGUE_CQE_TLS_ERROR:
		return "ERROR";
	default:
		return NULL;
	}
}

const char *segue_crypto_order_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE:
		return "ENCRYPTED_WIRE_SIGNATURE";
	case SEGUE_CRYPTO_ORDER_ENCRYPTED_MEMORY_SIGNATURE:
		return "ENCRYPTED_MEMORY_SIGNATURE";
	case SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE:
		return "ENCRYPTED_RAW_WIRE";
	case SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY:
		return "ENCRYPTED_RAW_MEMORY";
	default:
		return NULL;
	}
}

const char *segue_crypto_standard_name(uint32_t value)
{
	switch (value) {
	case SEGUE_CRYPTO_STANDARD_AES_XTS:
		return "AES_XTS";
	default:
		return NULL;
	}
}

const char *segue_dbrec_name(uint32_t value)
{
	switch (value) {
	case SEGUE_DBREC_RCV:
		return "RCV";
	case SEGUE_DBREC_SND:
		return "SND";
	default:
		return NULL;
	}
}

const char *segue_dek_purpose_name(uint32_t value)
{
	switch (value) {
	case SEGUE_DEK_PURPOSE_AES_XTS:
		return "AES_XTS";
	default:
		return NULL;
	}
}

const char *segue_dek_size_name(uint32_t value)
{
	switch (value) {
	case SEGUE_DEK_SIZE_SIZE_128:
		return "SIZE_128";
	case SEGUE_DEK_SIZE_SIZE_256:
		return "SIZE_256";
	default:
		return NULL;
	}
}

const char *segue_eth_cs_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_ETH_CS_FLAG_L3_INNER_CSUM:
		return "L3_INNER_CSUM";
	case SEGUE_ETH_CS_FLAG_L4_INNER_CSUM:
		return "L4_INNER_CSUM";
	case SEGUE_ETH_CS_FLAG_L3_CSUM:
		return "L3_CSUM";
	case SEGUE_ETH_CS_FLAG_L4_CSUM:
		return "L4_CSUM";
	default:
		return NULL;
	}
}

const char *segue_eth_inline_name(uint32_t value)
{
	switch (value) {
	case SEGUE_ETH_INLINE_IPOIB_MIN_SIZE:
		return "IPOIB_MIN_SIZE";
	case SEGUE_ETH_INLINE_L2_SIZE:
		return "L2_SIZE";
	case SEGUE_ETH_INLINE_L2_MIN_SIZE:
		return "L2_MIN_SIZE";
	default:
		return NULL;
	}
}

const char *segue_eth_swp_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_ETH_SWP_FLAG_INNER_L3_IPV6:
		return "INNER_L3_IPV6";
	case SEGUE_ETH_SWP_FLAG_INNER_L4_UDP:
		return "INNER_L4_UDP";
	case SEGUE_ETH_SWP_FLAG_OUTER_L3_IPV6:
		return "OUTER_L3_IPV6";
	case SEGUE_ETH_SWP_FLAG_OUTER_L4_UDP:
		return "OUTER_L4_UDP";
	default:
		return NULL;
	}
}

const char *segue_fence_name(uint32_t value)
{
	switch (value) {
	case SEGUE_FENCE_NONE:
		return "NONE";
	case SEGUE_FENCE_INITIATOR_SMALL:
		return "INITIATOR_SMALL";
	case SEGUE_FENCE_FENCE:
		return "FENCE";
	case SEGUE_FENCE_STRONG_ORDERING:
		return "STRONG_ORDERING";
	case SEGUE_FENCE_SMALL_AND_FENCE:
		return "SMALL_AND_FENCE";
	default:
		return NULL;
	}
}

const char *segue_flow_op_name(uint32_t value)
{
	switch (value) {
	case SEGUE_FLOW_OP_ACTIVATE:
		return "ACTIVATE";
	case SEGUE_FLOW_OP_DEACTIVATE:
		return "DEACTIVATE";
	default:
		return NULL;
	}
}

const char *segue_general_object_name(uint32_t value)
{
	switch (value) {
	case SEGUE_GENERAL_OBJECT_DEK:
		return "DEK";
	default:
		return NULL;
	}
}

const char *segue_lkey_name(uint32_t value)
{
	switch (value) {
	case SEGUE_LKEY_INVALID:
		return "INVALID";
	default:
		return NULL;
	}
}

const char *segue_mini_cqe_format_name(uint32_t value)
{
	switch (value) {
	case SEGUE_MINI_CQE_FORMAT_HASH:
		return "HASH";
	case SEGUE_MINI_CQE_FORMAT_CSUM:
		return "CSUM";
	case SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX:
		return "FTAG_STRIDX";
	case SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX:
		return "CSUM_STRIDX";
	case SEGUE_MINI_CQE_FORMAT_L34H_STRIDX:
		return "L34H_STRIDX";
	default:
		return NULL;
	}
}

const char *segue_mkey_access_name(uint32_t value)
{
	switch (value) {
	case SEGUE_MKEY_ACCESS_MODE_MTT:
		return "MODE_MTT";
	case SEGUE_MKEY_ACCESS_MODE_KLM:
		return "MODE_KLM";
	case SEGUE_MKEY_ACCESS_MODE_KSM:
		return "MODE_KSM";
	case SEGUE_MKEY_ACCESS_LOCAL_READ:
		return "LOCAL_READ";
	case SEGUE_MKEY_ACCESS_LOCAL_WRITE:
		return "LOCAL_WRITE";
	case SEGUE_MKEY_ACCESS_REMOTE_READ:
		return "REMOTE_READ";
	case SEGUE_MKEY_ACCESS_REMOTE_WRITE:
		return "REMOTE_WRITE";
	case SEGUE_MKEY_ACCESS_ATOMIC:
		return "ATOMIC";
	case SEGUE_MKEY_ACCESS_UMR_EN:
		return "UMR_EN";
	default:
		return NULL;
	}
}

const char *segue_mkey_mask_name(uint64_t value)
{
	switch (value) {
	case SEGUE_MKEY_MASK_LEN:
		return "LEN";
	case SEGUE_MKEY_MASK_PAGE_SIZE:
		return "PAGE_SIZE";
	case SEGUE_MKEY_MASK_START_ADDR:
		return "START_ADDR";
	case SEGUE_MKEY_MASK_PD:
		return "PD";
	case SEGUE_MKEY_MASK_EN_RINVAL:
		return "EN_RINVAL";
	case SEGUE_MKEY_MASK_SIG_ERR:
		return "SIG_ERR";
	case SEGUE_MKEY_MASK_BSF_ENABLE:
		return "BSF_ENABLE";
	case SEGUE_MKEY_MASK_MKEY:
		return "MKEY";
	case SEGUE_MKEY_MASK_QPN:
		return "QPN";
	case SEGUE_MKEY_MASK_ACCESS_LOCAL_READ:
		return "ACCESS_LOCAL_READ";
	case SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE:
		return "ACCESS_LOCAL_WRITE";
	case SEGUE_MKEY_MASK_ACCESS_REMOTE_READ:
		return "ACCESS_REMOTE_READ";
	case SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE:
		return "ACCESS_REMOTE_WRITE";
	case SEGUE_MKEY_MASK_ACCESS_ATOMIC:
		return "ACCESS_ATOMIC";
	case SEGUE_MKEY_MASK_SMALL_FENCE:
		return "SMALL_FENCE";
	case SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE:
		return "RELAXED_ORDERING_WRITE";
	case SEGUE_MKEY_MASK_FREE:
		return "FREE";
	case SEGUE_MKEY_MASK_PAGE_SIZE_5:
		return "PAGE_SIZE_5";
	case SEGUE_MKEY_MASK_RELAXED_ORDERING_READ:
		return "RELAXED_ORDERING_READ";
	default:
		return NULL;
	}
}

const char *segue_mprq_byte_cnt_name(uint32_t value)
{
	switch (value) {
	case SEGUE_MPRQ_BYTE_CNT_LENGTH_MASK:
		return "LENGTH_MASK";
	case SEGUE_MPRQ_BYTE_CNT_STRIDES_MASK:
		return "STRIDES_MASK";
	case SEGUE_MPRQ_BYTE_CNT_FIRST_MSG:
		return "FIRST_MSG";
	case SEGUE_MPRQ_BYTE_CNT_LAST_MSG:
		return "LAST_MSG";
	case SEGUE_MPRQ_BYTE_CNT_FILLER:
		return "FILLER";
	default:
		return NULL;
	}
}

const char *segue_opcode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPCODE_NOP:
		return "NOP";
	case SEGUE_OPCODE_SEND_INVAL:
		return "SEND_INVAL";
	case SEGUE_OPCODE_RDMA_WRITE:
		return "RDMA_WRITE";
	case SEGUE_OPCODE_RDMA_WRITE_IMM:
		return "RDMA_WRITE_IMM";
	case SEGUE_OPCODE_SEND:
		return "SEND";
	case SEGUE_OPCODE_SEND_IMM:
		return "SEND_IMM";
	case SEGUE_OPCODE_TSO:
		return "TSO";
	case SEGUE_OPCODE_WAIT:
		return "WAIT";
	case SEGUE_OPCODE_RDMA_READ:
		return "RDMA_READ";
	case SEGUE_OPCODE_ATOMIC_CS:
		return "ATOMIC_CS";
	case SEGUE_OPCODE_ATOMIC_FA:
		return "ATOMIC_FA";
	case SEGUE_OPCODE_ATOMIC_MASKED_CS:
		return "ATOMIC_MASKED_CS";
	case SEGUE_OPCODE_ATOMIC_MASKED_FA:
		return "ATOMIC_MASKED_FA";
	case SEGUE_OPCODE_SEND_EN:
		return "SEND_EN";
	case SEGUE_OPCODE_BIND_MW:
		return "BIND_MW";
	case SEGUE_OPCODE_FMR:
		return "FMR";
	case SEGUE_OPCODE_LOCAL_INVAL:
		return "LOCAL_INVAL";
	case SEGUE_OPCODE_CONFIG_CMD:
		return "CONFIG_CMD";
	case SEGUE_OPCODE_SET_PSV:
		return "SET_PSV";
	case SEGUE_OPCODE_GET_PSV:
		return "GET_PSV";
	case SEGUE_OPCODE_CHECK_PSV:
		return "CHECK_PSV";
	case SEGUE_OPCODE_DUMP:
		return "DUMP";
	case SEGUE_OPCODE_UMR:
		return "UMR";
	case SEGUE_OPCODE_RGET_PSV:
		return "RGET_PSV";
	case SEGUE_OPCODE_RCHECK_PSV:
		return "RCHECK_PSV";
	case SEGUE_OPCODE_TAG_MATCHING:
		return "TAG_MATCHING";
	case SEGUE_OPCODE_ENHANCED_MPSW:
		return "ENHANCED_MPSW";
	case SEGUE_OPCODE_FLOW_TBL_ACCESS:
		return "FLOW_TBL_ACCESS";
	case SEGUE_OPCODE_ACCESS_ASO:
		return "ACCESS_ASO";
	case SEGUE_OPCODE_MMO:
		return "MMO";
	case SEGUE_OPCODE_LOCAL_MMO:
		return "LOCAL_MMO";
	default:
		return NULL;
	}
}

const char *segue_opmod_aso_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_ASO_IPSEC:
		return "IPSEC";
	case SEGUE_OPMOD_ASO_CONNECTION_TRACKING:
		return "CONNECTION_TRACKING";
	case SEGUE_OPMOD_ASO_POLICER:
		return "POLICER";
	case SEGUE_OPMOD_ASO_RACE_AVOIDANCE:
		return "RACE_AVOIDANCE";
	case SEGUE_OPMOD_ASO_FLOW_HIT:
		return "FLOW_HIT";
	default:
		return NULL;
	}
}

const char *segue_opmod_flow_tbl_access_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_FLOW_TBL_ACCESS_STE:
		return "STE";
	case SEGUE_OPMOD_FLOW_TBL_ACCESS_MODIFY_ARGUMENT:
		return "MODIFY_ARGUMENT";
	default:
		return NULL;
	}
}

const char *segue_opmod_local_mmo_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_LOCAL_MMO_TRANSPOSE:
		return "TRANSPOSE";
	default:
		return NULL;
	}
}

const char *segue_opmod_masked_atomic_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_MASKED_ATOMIC_SIZE_4:
		return "SIZE_4";
	case SEGUE_OPMOD_MASKED_ATOMIC_SIZE_8:
		return "SIZE_8";
	default:
		return NULL;
	}
}

const char *segue_opmod_mmo_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_MMO_DMA:
		return "DMA";
	case SEGUE_OPMOD_MMO_COMP:
		return "COMP";
	case SEGUE_OPMOD_MMO_DECOMP:
		return "DECOMP";
	case SEGUE_OPMOD_MMO_REGEX:
		return "REGEX";
	case SEGUE_OPMOD_MMO_CRYPTO:
		return "CRYPTO";
	default:
		return NULL;
	}
}

const char *segue_opmod_set_psv_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_SET_PSV_PSV:
		return "PSV";
	case SEGUE_OPMOD_SET_PSV_TIS_PROGRESS_PARAMS:
		return "TIS_PROGRESS_PARAMS";
	case SEGUE_OPMOD_SET_PSV_TIR_PROGRESS_PARAMS:
		return "TIR_PROGRESS_PARAMS";
	default:
		return NULL;
	}
}

const char *segue_opmod_tso_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_TSO_TSO:
		return "TSO";
	case SEGUE_OPMOD_TSO_MPW:
		return "MPW";
	default:
		return NULL;
	}
}

const char *segue_opmod_umr_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_UMR_MKEY:
		return "MKEY";
	case SEGUE_OPMOD_UMR_TIS_STATIC_PARAMS:
		return "TIS_STATIC_PARAMS";
	case SEGUE_OPMOD_UMR_TIR_STATIC_PARAMS:
		return "TIR_STATIC_PARAMS";
	default:
		return NULL;
	}
}

const char *segue_opmod_wait_name(uint32_t value)
{
	switch (value) {
	case SEGUE_OPMOD_WAIT_CQ_PI:
		return "CQ_PI";
	case SEGUE_OPMOD_WAIT_DATA:
		return "DATA";
	case SEGUE_OPMOD_WAIT_TIME:
		return "TIME";
	default:
		return NULL;
	}
}

const char *segue_post_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SOLICITED:
		return "SOLICITED";
	case SEGUE_SIGNALED:
		return "SIGNALED";
	case SEGUE_FIRST_ERROR_ONLY:
		return "FIRST_ERROR_ONLY";
	case SEGUE_SIGNALED_EVENT:
		return "SIGNALED_EVENT";
	case SEGUE_INITIATOR_SMALL_FENCE:
		return "INITIATOR_SMALL_FENCE";
	case SEGUE_READ_FENCE:
		return "READ_FENCE";
	case SEGUE_STRONG_ORDERING:
		return "STRONG_ORDERING";
	case SEGUE_FENCE:
		return "FENCE";
	default:
		return NULL;
	}
}

const char *segue_qp_attr_name(uint32_t value)
{
	switch (value) {
	case SEGUE_QP_ATTR_STATE:
		return "STATE";
	case SEGUE_QP_ATTR_CUR_STATE:
		return "CUR_STATE";
	case SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY:
		return "EN_SQD_ASYNC_NOTIFY";
	case SEGUE_QP_ATTR_ACCESS_FLAGS:
		return "ACCESS_FLAGS";
	case SEGUE_QP_ATTR_PKEY_INDEX:
		return "PKEY_INDEX";
	case SEGUE_QP_ATTR_PORT:
		return "PORT";
	case SEGUE_QP_ATTR_QKEY:
		return "QKEY";
	case SEGUE_QP_ATTR_AV:
		return "AV";
	case SEGUE_QP_ATTR_PATH_MTU:
		return "PATH_MTU";
	case SEGUE_QP_ATTR_TIMEOUT:
		return "TIMEOUT";
	case SEGUE_QP_ATTR_RETRY_CNT:
		return "RETRY_CNT";
	case SEGUE_QP_ATTR_RNR_RETRY:
		return "RNR_RETRY";
	case SEGUE_QP_ATTR_RQ_PSN:
		return "RQ_PSN";
	case SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC:
		return "MAX_QP_RD_ATOMIC";
	case SEGUE_QP_ATTR_ALT_PATH:
		return "ALT_PATH";
	case SEGUE_QP_ATTR_MIN_RNR_TIMER:
		return "MIN_RNR_TIMER";
	case SEGUE_QP_ATTR_SQ_PSN:
		return "SQ_PSN";
	case SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC:
		return "MAX_DEST_RD_ATOMIC";
	case SEGUE_QP_ATTR_PATH_MIG_STATE:
		return "PATH_MIG_STATE";
	case SEGUE_QP_ATTR_CAP:
		return "CAP";
	case SEGUE_QP_ATTR_DEST_QPN:
		return "DEST_QPN";
	case SEGUE_QP_ATTR_RATE_LIMIT:
		return "RATE_LIMIT";
	default:
		return NULL;
	}
}

const char *segue_qp_state_name(uint32_t value)
{
	switch (value) {
	case SEGUE_QP_STATE_RESET:
		return "RESET";
	case SEGUE_QP_STATE_INIT:
		return "INIT";
	case SEGUE_QP_STATE_RTR:
		return "RTR";
	case SEGUE_QP_STATE_RTS:
		return "RTS";
	case SEGUE_QP_STATE_SQD:
		return "SQD";
	case SEGUE_QP_STATE_SQE:
		return "SQE";
	case SEGUE_QP_STATE_ERR:
		return "ERR";
	default:
		return NULL;
	}
}

const char *segue_query_hca_cap_op_mod_name(uint32_t value)
{
	switch (value) {
	case SEGUE_QUERY_HCA_CAP_OP_MOD_GENERAL_CURRENT:
		return "GENERAL_CURRENT";
	case SEGUE_QUERY_HCA_CAP_OP_MOD_ATOMIC_CURRENT:
		return "ATOMIC_CURRENT";
	default:
		return NULL;
	}
}

const char *segue_repeat_block_op_name(uint32_t value)
{
	switch (value) {
	case SEGUE_REPEAT_BLOCK_OP_STRIDED:
		return "STRIDED";
	default:
		return NULL;
	}
}

const char *segue_sig_err_domain_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SIG_ERR_DOMAIN_WIRE:
		return "WIRE";
	case SEGUE_SIG_ERR_DOMAIN_MEMORY:
		return "MEMORY";
	default:
		return NULL;
	}
}

const char *segue_sig_err_syndrome_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SIG_ERR_SYNDROME_REFTAG:
		return "REFTAG";
	case SEGUE_SIG_ERR_SYNDROME_APPTAG:
		return "APPTAG";
	case SEGUE_SIG_ERR_SYNDROME_GUARD:
		return "GUARD";
	default:
		return NULL;
	}
}

const char *segue_sig_err_type_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SIG_ERR_TYPE_BLOCK:
		return "BLOCK";
	case SEGUE_SIG_ERR_TYPE_TRANSACTION:
		return "TRANSACTION";
	default:
		return NULL;
	}
}

const char *segue_sig_mask_name(uint32_t value)
{
	switch (value) {
	case SEGUE_SIG_MASK_T10DIF_REFTAG:
		return "T10DIF_REFTAG";
	case SEGUE_SIG_MASK_T10DIF_APPTAG:
		return "T10DIF_APPTAG";
	case SEGUE_SIG_MASK_T10DIF_GUARD:
		return "T10DIF_GUARD";
	case SEGUE_SIG_MASK_CRC32:
		return "CRC32";
	case SEGUE_SIG_MASK_CRC64_XP10:
		return "CRC64_XP10";
	default:
		return NULL;
	}
}

const char *segue_t10dif_name(uint32_t value)
{
	switch (value) {
	case SEGUE_T10DIF_NONE:
		return "NONE";
	case SEGUE_T10DIF_CRC:
		return "CRC";
	case SEGUE_T10DIF_IPCS:
		return "IPCS";
	default:
		return NULL;
	}
}

const char *segue_tm_app_op_name(uint32_t value)
{
	switch (value) {
	case SEGUE_TM_APP_OP_NONE:
		return "NONE";
	case SEGUE_TM_APP_OP_CONSUMED:
		return "CONSUMED";
	case SEGUE_TM_APP_OP_EXPECTED:
		return "EXPECTED";
	case SEGUE_TM_APP_OP_UNEXPECTED:
		return "UNEXPECTED";
	case SEGUE_TM_APP_OP_NO_TAG:
		return "NO_TAG";
	case SEGUE_TM_APP_OP_APPEND:
		return "APPEND";
	case SEGUE_TM_APP_OP_REMOVE:
		return "REMOVE";
	case SEGUE_TM_APP_OP_NOOP:
		return "NOOP";
	case SEGUE_TM_APP_OP_CONSUMED_SW_RNDV:
		return "CONSUMED_SW_RNDV";
	case SEGUE_TM_APP_OP_CONSUMED_MSG:
		return "CONSUMED_MSG";
	case SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV:
		return "CONSUMED_MSG_SW_RNDV";
	case SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED:
		return "MSG_COMPLETION_CANCELED";
	default:
		return NULL;
	}
}

const char *segue_tm_flag_name(uint32_t value)
{
	switch (value) {
	case SEGUE_TM_FLAG_SW_CNT:
		return "SW_CNT";
	case SEGUE_TM_FLAG_CQE_REQ:
		return "CQE_REQ";
	default:
		return NULL;
	}
}

const char *segue_tm_opcode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_TM_OPCODE_NOP:
		return "NOP";
	case SEGUE_TM_OPCODE_APPEND:
		return "APPEND";
	case SEGUE_TM_OPCODE_REMOVE:
		return "REMOVE";
	default:
		return NULL;
	}
}

const char *segue_tmh_opcode_name(uint32_t value)
{
	switch (value) {
	case SEGUE_TMH_OPCODE_NO_TAG:
		return "NO_TAG";
	case SEGUE_TMH_OPCODE_RNDV:
		return "RNDV";
	case SEGUE_TMH_OPCODE_FIN:
		return "FIN";
	case SEGUE_TMH_OPCODE_EAGER:
		return "EAGER";
	default:
		return NULL;
	}
}

const char *segue_uar_name(uint32_t value)
{
	switch (value) {
	case SEGUE_UAR_CQ_DOORBELL:
		return "CQ_DOORBELL";
	case SEGUE_UAR_BF_OFFSET:
		return "BF_OFFSET";
	default:
		return NULL;
	}
}

const char *segue_umr_check_name(uint32_t value)
{
	switch (value) {
	case SEGUE_UMR_CHECK_NONE:
		return "NONE";
	case SEGUE_UMR_CHECK_FREE:
		return "FREE";
	case SEGUE_UMR_CHECK_NOT_FREE:
		return "NOT_FREE";
	default:
		return NULL;
	}
}

const char *segue_vendor_syndrome_name(uint32_t value)
{
	switch (value) {
	case SEGUE_VENDOR_SYNDROME_BAD_WQE_INDEX:
		return "BAD_WQE_INDEX";
	case SEGUE_VENDOR_SYNDROME_RETRY_EXCEEDED:
		return "RETRY_EXCEEDED";
	case SEGUE_VENDOR_SYNDROME_ODP_PFAULT:
		return "ODP_PFAULT";
	case SEGUE_VENDOR_SYNDROME_PSN:
		return "PSN";
	case SEGUE_VENDOR_SYNDROME_FLUSH:
		return "FLUSH";
	default:
		return NULL;
	}
}

const char *segue_wait_cond_name(uint32_t value)
{
	switch (value) {
	case SEGUE_WAIT_COND_ALWAYS_TRUE:
		return "ALWAYS_TRUE";
	case SEGUE_WAIT_COND_EQUAL:
		return "EQUAL";
	case SEGUE_WAIT_COND_BIGGER:
		return "BIGGER";
	case SEGUE_WAIT_COND_SMALLER:
		return "SMALLER";
	case SEGUE_WAIT_COND_CYCLIC_BIGGER:
		return "CYCLIC_BIGGER";
	case SEGUE_WAIT_COND_CYCLIC_SMALLER:
		return "CYCLIC_SMALLER";
	default:
		return NULL;
	}
}

const char *segue_wait_fail_action_name(uint32_t value)
{
	switch (value) {
	case SEGUE_WAIT_FAIL_ACTION_RETRY:
		return "RETRY";
	case SEGUE_WAIT_FAIL_ACTION_SEND_ERR_CQE:
		return "SEND_ERR_CQE";
	default:
		return NULL;
	}
}

const char *segue_wqe_name(uint32_t value)
{
	switch (value) {
	case SEGUE_WQE_BLOCK_SIZE:
		return "BLOCK_SIZE";
	case SEGUE_WQE_BLOCK_SHIFT:
		return "BLOCK_SHIFT";
	case SEGUE_WQE_UNIT_SIZE:
		return "UNIT_SIZE";
	case SEGUE_WQE_MAX_UNITS:
		return "MAX_UNITS";
	case SEGUE_WQE_MAX_SIZE:
		return "MAX_SIZE";
	case SEGUE_WQE_INDEX_MASK:
		return "INDEX_MASK";
	default:
		return NULL;
	}
}
