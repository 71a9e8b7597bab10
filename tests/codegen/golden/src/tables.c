/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/cqes, spec/mlx5/enums, spec/mlx5/segments, spec/verbs/enums by
 * //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#include "segue/gen/tables.h"

#include "segue/gen/enums.h"

static const struct segue_member_desc access_flags_members[] = {
	{
		.name = "LOCAL_WRITE",
		.doc = "The device may write on behalf of this side: receives, READ results, "
		       "atomic results.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_LOCAL_WRITE,
	},
	{
		.name = "REMOTE_WRITE",
		.doc = "The peer may write. Requires LOCAL_WRITE on a region.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_REMOTE_WRITE,
	},
	{
		.name = "REMOTE_READ",
		.doc = "The peer may read.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_REMOTE_READ,
	},
	{
		.name = "REMOTE_ATOMIC",
		.doc = "The peer may do atomics. Requires LOCAL_WRITE on a region.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC,
	},
	{
		.name = "MW_BIND",
		.doc = "Memory windows may be bound to the region.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_MW_BIND,
	},
	{
		.name = "ZERO_BASED",
		.doc = "Remote addresses count from zero instead of from the region's address.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_ZERO_BASED,
	},
	{
		.name = "ON_DEMAND",
		.doc = "Pages are not pinned; the device faults them in on demand.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_ON_DEMAND,
	},
	{
		.name = "HUGETLB",
		.doc = "The memory consists of huge pages. Only meaningful together with "
		       "ON_DEMAND.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_HUGETLB,
	},
	{
		.name = "RELAXED_ORDERING",
		.doc = "PCIe writes to the region may pass each other. Devices that cannot do it "
		       "ignore the flag.",
		.source = "infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, "
			  "enum ib_uverbs_access_flags",
		.value = SEGUE_ACCESS_FLAGS_RELAXED_ORDERING,
	},
};

const struct segue_enum_desc segue_access_flags_desc = {
	.name = "access_flags",
	.doc = "What may be done to a memory region, or through a queue pair.",
	.bits = 32,
	.flags = true,
	.member_count = 9,
	.members = access_flags_members,
};

static const struct segue_member_desc bsf_bfs_members[] = {
	{
		.name = "CRC_SEED",
		.doc = "The CRC starts from zero instead of all ones.",
		.source = "providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs",
		.value = SEGUE_BSF_BFS_CRC_SEED,
	},
	{
		.name = "CRC_REPEAT",
		.doc = "The block signature repeats for each block (Also called "
		       "MLX5_BFS_CRC_BLOCK_SIGS_COV_BIT).",
		.source = "providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs",
		.value = SEGUE_BSF_BFS_CRC_REPEAT,
	},
	{
		.name = "CRC32",
		.doc = "CRC-32 with the IEEE 802.3 polynomial.",
		.source = "providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs",
		.value = SEGUE_BSF_BFS_CRC32,
	},
	{
		.name = "CRC32C",
		.doc = "CRC-32C (Castagnoli).",
		.source = "providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs",
		.value = SEGUE_BSF_BFS_CRC32C,
	},
	{
		.name = "CRC64_XP10",
		.doc = "CRC-64 XP10, the checksum of the T10 standard for large blocks.",
		.source = "providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs",
		.value = SEGUE_BSF_BFS_CRC64_XP10,
	},
};

const struct segue_enum_desc segue_bsf_bfs_desc = {
	.name = "bsf_bfs",
	.doc = "Block format selector: which checksum protects a block. Zero with T10-DIF, which "
	       "the inline part describes.",
	.bits = 8,
	.flags = true,
	.member_count = 5,
	.members = bsf_bfs_members,
};

static const struct segue_member_desc bsf_block_size_members[] = {
	{
		.name = "NONE",
		.doc = "No blocks; used for a domain without signatures.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_NONE,
	},
	{
		.name = "B512",
		.doc = "Blocks of 512 bytes.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_B512,
	},
	{
		.name = "B520",
		.doc = "Blocks of 520 bytes.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_B520,
	},
	{
		.name = "B4096",
		.doc = "Blocks of 4096 bytes.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_B4096,
	},
	{
		.name = "B4160",
		.doc = "Blocks of 4160 bytes.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_B4160,
	},
	{
		.name = "LARGE",
		.doc = "1 GiB according to Linux, 1 MiB according to DPDK; libmlx5 does not use "
		       "it.",
		.source = "Linux drivers/infiniband/hw/mlx5/wr.c, bs_selector; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BLOCK_SIZE_1MB",
		.value = SEGUE_BSF_BLOCK_SIZE_LARGE,
	},
	{
		.name = "B4048",
		.doc = "Blocks of 4048 bytes.",
		.source = "providers/mlx5/qp.c, bs_to_bs_selector",
		.value = SEGUE_BSF_BLOCK_SIZE_B4048,
	},
};

const struct segue_enum_desc segue_bsf_block_size_desc = {
	.name = "bsf_block_size",
	.doc = "Block size selector of signatures and of crypto data units.",
	.bits = 8,
	.member_count = 7,
	.members = bsf_block_size_members,
};

static const struct segue_member_desc bsf_dif_flag_members[] = {
	{
		.name = "APPTAG_ESCAPE",
		.doc = "A block whose application tag is 0xffff is not checked.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_INC_REFTAG, MLX5_BSF_APPTAG_ESCAPE and "
			  "MLX5_BSF_APPREF_ESCAPE",
		.value = SEGUE_BSF_DIF_FLAG_APPTAG_ESCAPE,
	},
	{
		.name = "APPREF_ESCAPE",
		.doc = "A block whose application tag is 0xffff and whose reference tag is "
		       "0xffffffff is not checked.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_INC_REFTAG, MLX5_BSF_APPTAG_ESCAPE and "
			  "MLX5_BSF_APPREF_ESCAPE",
		.value = SEGUE_BSF_DIF_FLAG_APPREF_ESCAPE,
	},
	{
		.name = "INC_REFTAG",
		.doc = "The reference tag grows by one with each block.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_INC_REFTAG, MLX5_BSF_APPTAG_ESCAPE and "
			  "MLX5_BSF_APPREF_ESCAPE",
		.value = SEGUE_BSF_DIF_FLAG_INC_REFTAG,
	},
};

const struct segue_enum_desc segue_bsf_dif_flag_desc = {
	.name = "bsf_dif_flag",
	.doc = "How T10-DIF tags are incremented and when checks are skipped.",
	.bits = 8,
	.flags = true,
	.member_count = 3,
	.members = bsf_dif_flag_members,
};

static const struct segue_member_desc bsf_inl_valid_members[] = {
	{
		.name = "REFRESH_DIF",
		.doc = "The tags are taken anew from this part for each use of the key.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_INL_VALID and MLX5_BSF_REFRESH_DIF",
		.value = SEGUE_BSF_INL_VALID_REFRESH_DIF,
	},
	{
		.name = "INL_VALID",
		.doc = "The inline part is in use.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_INL_VALID and MLX5_BSF_REFRESH_DIF",
		.value = SEGUE_BSF_INL_VALID_INL_VALID,
	},
};

const struct segue_enum_desc segue_bsf_inl_valid_desc = {
	.name = "bsf_inl_valid",
	.doc = "Validity flags of an inline BSF part.",
	.bits = 16,
	.flags = true,
	.member_count = 2,
	.members = bsf_inl_valid_members,
};

static const struct segue_member_desc bsf_rp_inv_seed_members[] = {
	{
		.name = "SEED",
		.doc = "The guard starts from all ones instead of zero.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_REPEAT_BLOCK and MLX5_BSF_SEED",
		.value = SEGUE_BSF_RP_INV_SEED_SEED,
	},
	{
		.name = "REPEAT_BLOCK",
		.doc = "The signature repeats for each block.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_REPEAT_BLOCK and MLX5_BSF_SEED",
		.value = SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK,
	},
};

const struct segue_enum_desc segue_bsf_rp_inv_seed_desc = {
	.name = "bsf_rp_inv_seed",
	.doc = "Repeat, inversion and seed of a T10-DIF guard.",
	.bits = 8,
	.flags = true,
	.member_count = 2,
	.members = bsf_rp_inv_seed_members,
};

static const struct segue_member_desc bsf_size_members[] = {
	{
		.name = "BASIC",
		.doc = "16 bytes, the basic part.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_SIZE_*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_SIZE_*",
		.value = SEGUE_BSF_SIZE_BASIC,
	},
	{
		.name = "EXTENDED",
		.doc = "32 bytes, the basic and the extended part.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_SIZE_*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_SIZE_*",
		.value = SEGUE_BSF_SIZE_EXTENDED,
	},
	{
		.name = "WITH_INLINE",
		.doc = "64 bytes, both parts and two inline parts. Also a crypto BSF that stands "
		       "alone.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_SIZE_*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_SIZE_*",
		.value = SEGUE_BSF_SIZE_WITH_INLINE,
	},
	{
		.name = "SIG_AND_CRYPTO",
		.doc = "128 bytes, a signature BSF and a crypto BSF.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_SIZE_*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_SIZE_*",
		.value = SEGUE_BSF_SIZE_SIG_AND_CRYPTO,
	},
};

const struct segue_enum_desc segue_bsf_size_desc = {
	.name = "bsf_size",
	.doc = "How large a byte stream format (BSF) is; devices read as much as this says.",
	.bits = 2,
	.member_count = 4,
	.members = bsf_size_members,
};

static const struct segue_member_desc bsf_type_members[] = {
	{
		.name = "SIGNATURE",
		.doc = "Block signatures that are checked, stripped, inserted or copied.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_TYPE_CRYPTO; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_P_TYPE_*",
		.value = SEGUE_BSF_TYPE_SIGNATURE,
	},
	{
		.name = "CRYPTO",
		.doc = "Encryption or decryption of the data that pass.",
		.source = "providers/mlx5/wqe.h, MLX5_BSF_TYPE_CRYPTO; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_BSF_P_TYPE_*",
		.value = SEGUE_BSF_TYPE_CRYPTO,
	},
};

const struct segue_enum_desc segue_bsf_type_desc = {
	.name = "bsf_type",
	.doc = "What a byte stream format (BSF) describes.",
	.bits = 2,
	.member_count = 2,
	.members = bsf_type_members,
};

static const struct segue_member_desc command_members[] = {
	{
		.name = "QUERY_HCA_CAP",
		.doc = "What the device can do.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_HCA_CAP; Linux "
			  "include/linux/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_XRC_SRQ",
		.value = SEGUE_COMMAND_QUERY_HCA_CAP,
	},
	{
		.name = "CREATE_PSV",
		.doc = "A protection signature value.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_CMD_OP_CREATE_PSV",
		.value = SEGUE_COMMAND_CREATE_PSV,
	},
	{
		.name = "QUERY_XRC_SRQ",
		.doc = "The context of an XRC shared receive queue.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_HCA_CAP; Linux "
			  "include/linux/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_XRC_SRQ",
		.value = SEGUE_COMMAND_QUERY_XRC_SRQ,
	},
	{
		.name = "CREATE_GENERAL_OBJECT",
		.doc = "An object of the kind that the command names, of general_object.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_CMD_OP_CREATE_GENERAL_OBJECT",
		.value = SEGUE_COMMAND_CREATE_GENERAL_OBJECT,
	},
};

const struct segue_enum_desc segue_command_desc = {
	.name = "command",
	.doc = "Commands to the device that the library sends through DEVX. All others are the "
	       "driver's.",
	.bits = 16,
	.member_count = 4,
	.members = command_members,
};

static const struct segue_member_desc completion_mode_members[] = {
	{
		.name = "ON_ERROR",
		.doc = "Completes only if it fails. This is an unsignalled request.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_WQE_CTRL_CQ_UPDATE*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, enum mlx5_completion_mode",
		.value = SEGUE_COMPLETION_MODE_ON_ERROR,
	},
	{
		.name = "ON_FIRST_ERROR",
		.doc = "Completes only if it is the first to fail; the flushed requests behind it "
		       "write nothing.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_COMP_ONLY_FIRST_ERR",
		.value = SEGUE_COMPLETION_MODE_ON_FIRST_ERROR,
		.secondary = true,
	},
	{
		.name = "ALWAYS",
		.doc = "Always completes. This is a signalled request; libmlx5 calls it "
		       "MLX5_WQE_CTRL_CQ_UPDATE.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_WQE_CTRL_CQ_UPDATE*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, enum mlx5_completion_mode",
		.value = SEGUE_COMPLETION_MODE_ALWAYS,
	},
	{
		.name = "ALWAYS_AND_EVENT",
		.doc = "Always completes and also writes to the event queue, which raises an "
		       "event. Linux and DPDK declare it and hardly use it.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_WQE_CTRL_CQ_UPDATE*; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, enum mlx5_completion_mode",
		.value = SEGUE_COMPLETION_MODE_ALWAYS_AND_EVENT,
	},
};

const struct segue_enum_desc segue_completion_mode_desc = {
	.name = "completion_mode",
	.doc = "Completion and event mode, CE, bits 3:2 of the byte fm_ce_se in the control "
	       "segment: when the WQE writes a completion. A WQE that fails always writes an error "
	       "completion, except as FIRST_ERROR says.",
	.bits = 2,
	.member_count = 4,
	.members = completion_mode_members,
};

static const struct segue_member_desc cq_arm_cmd_members[] = {
	{
		.name = "ANY",
		.doc = "The next completion.",
		.source = "infiniband/mlx5dv.h, MLX5_CQ_DB_REQ_NOT_SOL and MLX5_CQ_DB_REQ_NOT",
		.value = SEGUE_CQ_ARM_CMD_ANY,
	},
	{
		.name = "SOLICITED",
		.doc = "The next completion that is solicited or in error.",
		.source = "infiniband/mlx5dv.h, MLX5_CQ_DB_REQ_NOT_SOL and MLX5_CQ_DB_REQ_NOT",
		.value = SEGUE_CQ_ARM_CMD_SOLICITED,
	},
};

const struct segue_enum_desc segue_cq_arm_cmd_desc = {
	.name = "cq_arm_cmd",
	.doc = "What an armed completion queue raises an event for.",
	.bits = 1,
	.member_count = 2,
	.members = cq_arm_cmd_members,
};

static const struct segue_member_desc cq_dbrec_members[] = {
	{
		.name = "SET_CI",
		.doc = "Consumer counter, modulo 2 to the power 24. Completions before it may be "
		       "overwritten.",
		.source = "providers/mlx5/mlx5.h, MLX5_CQ_SET_CI and MLX5_CQ_ARM_DB; "
			  "providers/mlx5/cq.c, update_cons_index",
		.value = SEGUE_CQ_DBREC_SET_CI,
	},
	{
		.name = "ARM",
		.doc = "Copy of the upper half of the last arming doorbell (see segment cq_arm).",
		.source = "providers/mlx5/mlx5.h, MLX5_CQ_SET_CI and MLX5_CQ_ARM_DB; "
			  "providers/mlx5/cq.c, update_cons_index",
		.value = SEGUE_CQ_DBREC_ARM,
	},
};

const struct segue_enum_desc segue_cq_dbrec_desc = {
	.name = "cq_dbrec",
	.doc = "Indices into the doorbell record of a completion queue, two big-endian 32-bit "
	       "words in host memory.",
	.bits = 1,
	.member_count = 2,
	.members = cq_dbrec_members,
};

static const struct segue_member_desc cqe_members[] = {
	{
		.name = "SIZE",
		.doc = "Bytes of a normal entry, and of the part of a 128-byte entry that holds "
		       "the fields.",
		.source = "infiniband/mlx5dv.h, struct mlx5_cqe64; Linux "
			  "include/linux/mlx5/device.h, struct mlx5_cqe128 and struct "
			  "mlx5_mini_cqe8",
		.value = SEGUE_CQE_SIZE,
	},
	{
		.name = "SIZE_128",
		.doc = "Bytes of a large entry; its second half has the form of a normal one.",
		.source = "infiniband/mlx5dv.h, struct mlx5_cqe64; Linux "
			  "include/linux/mlx5/device.h, struct mlx5_cqe128 and struct "
			  "mlx5_mini_cqe8",
		.value = SEGUE_CQE_SIZE_128,
	},
	{
		.name = "MINI_SIZE",
		.doc = "Bytes of a mini entry inside a compressed block.",
		.source = "infiniband/mlx5dv.h, struct mlx5_cqe64; Linux "
			  "include/linux/mlx5/device.h, struct mlx5_cqe128 and struct "
			  "mlx5_mini_cqe8",
		.value = SEGUE_CQE_MINI_SIZE,
	},
};

const struct segue_enum_desc segue_cqe_desc = {
	.name = "cqe",
	.doc = "Sizes of completion-queue entries.",
	.bits = 8,
	.member_count = 3,
	.members = cqe_members,
};

static const struct segue_member_desc cqe_app_members[] = {
	{
		.name = "NONE",
		.doc = "None; app_op and app_info mean nothing.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_TAG_MATCHING",
		.value = SEGUE_CQE_APP_NONE,
	},
	{
		.name = "TAG_MATCHING",
		.doc = "Tag matching, the matching of arriving messages with posted tags.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_TAG_MATCHING",
		.value = SEGUE_CQE_APP_TAG_MATCHING,
	},
};

const struct segue_enum_desc segue_cqe_app_desc = {
	.name = "cqe_app",
	.doc = "Which application of the device has written the app_op and app_info fields.",
	.bits = 8,
	.member_count = 2,
	.members = cqe_app_members,
};

static const struct segue_member_desc cqe_comp_res_format_members[] = {
	{
		.name = "HASH",
		.doc = "Mini entries keep the receive hash.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_cqe_comp_res_format",
		.value = SEGUE_CQE_COMP_RES_FORMAT_HASH,
	},
	{
		.name = "CSUM",
		.doc = "Mini entries keep the checksum.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_cqe_comp_res_format",
		.value = SEGUE_CQE_COMP_RES_FORMAT_CSUM,
	},
	{
		.name = "CSUM_STRIDX",
		.doc = "Mini entries keep the checksum and the stride index.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_cqe_comp_res_format",
		.value = SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX,
	},
};

const struct segue_enum_desc segue_cqe_comp_res_format_desc = {
	.name = "cqe_comp_res_format",
	.doc = "Compression formats as mlx5dv_create_cq() and mlx5dv_query_device() name them.",
	.bits = 3,
	.flags = true,
	.member_count = 3,
	.members = cqe_comp_res_format_members,
};

static const struct segue_member_desc cqe_format_members[] = {
	{
		.name = "NO_INLINE",
		.doc = "Payload is in the receive or destination buffer.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_NO_INLINE_DATA to "
			  "MLX5_COMPRESSED; infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_*",
		.value = SEGUE_CQE_FORMAT_NO_INLINE,
	},
	{
		.name = "INLINE_32",
		.doc = "Up to 32 bytes of payload lie at the start of this entry.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_NO_INLINE_DATA to "
			  "MLX5_COMPRESSED; infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_*",
		.value = SEGUE_CQE_FORMAT_INLINE_32,
	},
	{
		.name = "INLINE_64",
		.doc = "Up to 64 bytes of payload lie in the 64 bytes before this half of a "
		       "128-byte entry.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_NO_INLINE_DATA to "
			  "MLX5_COMPRESSED; infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_*",
		.value = SEGUE_CQE_FORMAT_INLINE_64,
	},
	{
		.name = "COMPRESSED",
		.doc = "This entry belongs to a compressed block.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_NO_INLINE_DATA to "
			  "MLX5_COMPRESSED; infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_*",
		.value = SEGUE_CQE_FORMAT_COMPRESSED,
	},
};

const struct segue_enum_desc segue_cqe_format_desc = {
	.name = "cqe_format",
	.doc = "Where payload is, bits 3:2 of the last byte of a CQE.",
	.bits = 2,
	.member_count = 4,
	.members = cqe_format_members,
};

static const struct segue_member_desc cqe_grh_members[] = {
	{
		.name = "NONE",
		.doc = "There was none.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_CQE_FLAG_L3_IN_*; "
			  "providers/mlx5/cq.c, handle_responder",
		.value = SEGUE_CQE_GRH_NONE,
	},
	{
		.name = "IN_DATA",
		.doc = "In the first 40 bytes of the receive buffer.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_CQE_FLAG_L3_IN_*; "
			  "providers/mlx5/cq.c, handle_responder",
		.value = SEGUE_CQE_GRH_IN_DATA,
	},
	{
		.name = "IN_CQE",
		.doc = "In the 40 bytes before the second half of a 128-byte entry.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_CQE_FLAG_L3_IN_*; "
			  "providers/mlx5/cq.c, handle_responder",
		.value = SEGUE_CQE_GRH_IN_CQE,
	},
};

const struct segue_enum_desc segue_cqe_grh_desc = {
	.name = "cqe_grh",
	.doc = "Whether a received message had a global route header, and where the device has put "
	       "it.",
	.bits = 2,
	.member_count = 3,
	.members = cqe_grh_members,
};

static const struct segue_member_desc cqe_l3_hdr_type_members[] = {
	{
		.name = "NONE",
		.doc = "The packet has no IP header that the device knows.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_L3_HDR_TYPE_*",
		.value = SEGUE_CQE_L3_HDR_TYPE_NONE,
	},
	{
		.name = "IPV6",
		.doc = "The packet has an IPv6 header.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_L3_HDR_TYPE_*",
		.value = SEGUE_CQE_L3_HDR_TYPE_IPV6,
	},
	{
		.name = "IPV4",
		.doc = "The packet has an IPv4 header.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_L3_HDR_TYPE_*",
		.value = SEGUE_CQE_L3_HDR_TYPE_IPV4,
	},
};

const struct segue_enum_desc segue_cqe_l3_hdr_type_desc = {
	.name = "cqe_l3_hdr_type",
	.doc = "Network-layer header that the device has found in a received packet.",
	.bits = 2,
	.member_count = 3,
	.members = cqe_l3_hdr_type_members,
};

static const struct segue_member_desc cqe_l4_hdr_type_members[] = {
	{
		.name = "NONE",
		.doc = "No transport header that the device knows.",
		.source = "Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*",
		.value = SEGUE_CQE_L4_HDR_TYPE_NONE,
	},
	{
		.name = "TCP_NO_ACK",
		.doc = "TCP without acknowledgement.",
		.source = "Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*",
		.value = SEGUE_CQE_L4_HDR_TYPE_TCP_NO_ACK,
	},
	{
		.name = "UDP",
		.doc = "A UDP header.",
		.source = "Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*",
		.value = SEGUE_CQE_L4_HDR_TYPE_UDP,
	},
	{
		.name = "TCP_ACK_NO_DATA",
		.doc = "TCP acknowledgement without payload.",
		.source = "Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*",
		.value = SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_NO_DATA,
	},
	{
		.name = "TCP_ACK_AND_DATA",
		.doc = "TCP acknowledgement with payload.",
		.source = "Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*",
		.value = SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_AND_DATA,
	},
};

const struct segue_enum_desc segue_cqe_l4_hdr_type_desc = {
	.name = "cqe_l4_hdr_type",
	.doc = "Transport-layer header that the device has found in a received packet.",
	.bits = 3,
	.member_count = 5,
	.members = cqe_l4_hdr_type_members,
};

static const struct segue_member_desc cqe_op_own_members[] = {
	{
		.name = "OWNER_MASK",
		.doc = "Owner bit, which flips each time the device passes the end of the ring.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_OWNER_MASK,
	},
	{
		.name = "SOLICITED_MASK",
		.doc = "Solicited bit.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_SOLICITED_MASK,
	},
	{
		.name = "INLINE_SCATTER_32",
		.doc = "Format INLINE_32 in place, as libmlx5 tests it.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_INLINE_SCATTER_32,
	},
	{
		.name = "INLINE_SCATTER_64",
		.doc = "Format INLINE_64 in place, as libmlx5 tests it.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_INLINE_SCATTER_64,
	},
	{
		.name = "FORMAT_MASK",
		.doc = "Bits that hold cqe_format.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_FORMAT_MASK,
	},
	{
		.name = "OPCODE_MASK",
		.doc = "Bits that hold cqe_opcode.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and "
			  "MLX5_INLINE_SCATTER_64",
		.value = SEGUE_CQE_OP_OWN_OPCODE_MASK,
	},
};

const struct segue_enum_desc segue_cqe_op_own_desc = {
	.name = "cqe_op_own",
	.doc = "Masks of the last byte of a completion-queue entry, which software reads first.",
	.bits = 8,
	.flags = true,
	.member_count = 6,
	.members = cqe_op_own_members,
};

static const struct segue_member_desc cqe_opcode_members[] = {
	{
		.name = "REQ",
		.doc = "A send WQE has completed; s_wqe_opcode says which operation it was.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_REQ,
	},
	{
		.name = "RESP_WR_IMM",
		.doc = "A receive was consumed by an RDMA WRITE with immediate.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESP_WR_IMM,
	},
	{
		.name = "RESP_SEND",
		.doc = "A receive was filled by a SEND, or by a packet on an Ethernet queue.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESP_SEND,
	},
	{
		.name = "RESP_SEND_IMM",
		.doc = "A receive was filled by a SEND with immediate.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESP_SEND_IMM,
	},
	{
		.name = "RESP_SEND_INV",
		.doc = "A receive was filled by a SEND that also invalidated a remote key.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESP_SEND_INV,
	},
	{
		.name = "RESIZE_CQ",
		.doc = "Last entry of a completion queue that is being resized; polling goes on in "
		       "the new buffer.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESIZE_CQ,
	},
	{
		.name = "NO_PACKET",
		.doc = "A tag-matching event that no packet has caused, such as an answer to a "
		       "list command.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_NO_PACKET,
	},
	{
		.name = "SIG_ERR",
		.doc = "A signature memory key has seen a wrong guard, application tag or "
		       "reference tag.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_SIG_ERR,
	},
	{
		.name = "REQ_ERR",
		.doc = "A send WQE has failed or was flushed.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_REQ_ERR,
	},
	{
		.name = "RESP_ERR",
		.doc = "A receive WQE has failed or was flushed.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_RESP_ERR,
	},
	{
		.name = "INVALID",
		.doc = "Written by software into a fresh buffer: the device has not been here yet.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID",
		.value = SEGUE_CQE_OPCODE_INVALID,
	},
};

const struct segue_enum_desc segue_cqe_opcode_desc = {
	.name = "cqe_opcode",
	.doc = "Kind of a completion, bits 7:4 of the last byte of a CQE.",
	.bits = 4,
	.member_count = 11,
	.members = cqe_opcode_members,
};

static const struct segue_member_desc cqe_roce_packet_members[] = {
	{
		.name = "V1",
		.doc = "RoCE v1, with a global route header.",
		.source = "UCX src/uct/ib/ud/base/ud_iface.h, uct_ud_iface_check_grh; Linux "
			  "include/linux/mlx5/device.h, MLX5_CQE_ROCE_L3_HEADER_TYPE_*",
		.value = SEGUE_CQE_ROCE_PACKET_V1,
	},
	{
		.name = "V2_IPV6",
		.doc = "RoCE v2, UDP over IPv6.",
		.source = "UCX src/uct/ib/ud/base/ud_iface.h, uct_ud_iface_check_grh; Linux "
			  "include/linux/mlx5/device.h, MLX5_CQE_ROCE_L3_HEADER_TYPE_*",
		.value = SEGUE_CQE_ROCE_PACKET_V2_IPV6,
	},
	{
		.name = "V2_IPV4",
		.doc = "RoCE v2, UDP over IPv4. The IP header is in the last 20 of the 40 bytes in "
		       "front of the message.",
		.source = "UCX src/uct/ib/ud/base/ud_iface.h, uct_ud_iface_check_grh; Linux "
			  "include/linux/mlx5/device.h, MLX5_CQE_ROCE_L3_HEADER_TYPE_*",
		.value = SEGUE_CQE_ROCE_PACKET_V2_IPV4,
	},
};

const struct segue_enum_desc segue_cqe_roce_packet_desc = {
	.name = "cqe_roce_packet",
	.doc = "What a datagram received over RoCE was on the wire, as the device says it in the "
	       "place of the service level.",
	.bits = 4,
	.member_count = 3,
	.members = cqe_roce_packet_members,
};

static const struct segue_member_desc cqe_syndrome_members[] = {
	{
		.name = "LOCAL_LENGTH_ERR",
		.doc = "A message was longer than the receive buffer, or a send longer than the "
		       "path or the port allows (IBV_WC_LOC_LEN_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR,
	},
	{
		.name = "LOCAL_QP_OP_ERR",
		.doc = "The device refused the WQE itself: a wrong segment, length, queue number, "
		       "or an operation that the queue pair does not do (IBV_WC_LOC_QP_OP_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
	},
	{
		.name = "LOCAL_PROT_ERR",
		.doc = "A local key of the WQE does not cover the memory it names or forbids the "
		       "access (IBV_WC_LOC_PROT_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR,
	},
	{
		.name = "WR_FLUSH_ERR",
		.doc = "The queue pair was already in the error state; this WQE was not attempted. "
		       "Look for the first error before it (IBV_WC_WR_FLUSH_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR,
	},
	{
		.name = "MW_BIND_ERR",
		.doc = "Binding a memory window failed, mostly because the region lacks the rights "
		       "(IBV_WC_MW_BIND_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_MW_BIND_ERR,
	},
	{
		.name = "BAD_RESP_ERR",
		.doc = "The peer answered with a packet that does not fit the request "
		       "(IBV_WC_BAD_RESP_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_BAD_RESP_ERR,
	},
	{
		.name = "LOCAL_ACCESS_ERR",
		.doc = "Data that arrived could not be written, because the local region forbids "
		       "it (IBV_WC_LOC_ACCESS_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR,
	},
	{
		.name = "REMOTE_INVAL_REQ_ERR",
		.doc = "The peer found the request invalid, for example too long for its receive "
		       "buffer or of a kind it does not serve (IBV_WC_REM_INV_REQ_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
	},
	{
		.name = "REMOTE_ACCESS_ERR",
		.doc = "The peer's remote key does not cover the address or forbids the operation "
		       "(IBV_WC_REM_ACCESS_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR,
	},
	{
		.name = "REMOTE_OP_ERR",
		.doc = "The peer could not complete the operation for a reason on its own side, "
		       "such as a bad receive WQE (IBV_WC_REM_OP_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_REMOTE_OP_ERR,
	},
	{
		.name = "TRANSPORT_RETRY_EXC_ERR",
		.doc = "No acknowledgement came in spite of all retries: the peer is gone, not "
		       "ready, or the path is wrong (IBV_WC_RETRY_EXC_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR,
	},
	{
		.name = "RNR_RETRY_EXC_ERR",
		.doc = "The peer had no receive posted in spite of all retries "
		       "(IBV_WC_RNR_RETRY_EXC_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR,
	},
	{
		.name = "REMOTE_ABORTED_ERR",
		.doc = "The operation was aborted, above all on shared receive queues; with vendor "
		       "syndrome 0x93 a page fault that will be retried (IBV_WC_REM_ABORT_ERR).",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, "
			  "mlx5_handle_error_cqe (status)",
		.value = SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR,
	},
};

const struct segue_enum_desc segue_cqe_syndrome_desc = {
	.name = "cqe_syndrome",
	.doc = "Why a WQE failed, as error completions report it. Each corresponds to one "
	       "ibv_wc_status.",
	.bits = 8,
	.member_count = 13,
	.members = cqe_syndrome_members,
};

static const struct segue_member_desc cqe_tls_members[] = {
	{
		.name = "NOT_DECRYPTED",
		.doc = "Not decrypted.",
		.source = "Linux include/linux/mlx5/device.h, CQE_TLS_OFFLOAD_*",
		.value = SEGUE_CQE_TLS_NOT_DECRYPTED,
	},
	{
		.name = "DECRYPTED",
		.doc = "Decrypted, and its authentication is good.",
		.source = "Linux include/linux/mlx5/device.h, CQE_TLS_OFFLOAD_*",
		.value = SEGUE_CQE_TLS_DECRYPTED,
	},
	{
		.name = "RESYNC",
		.doc = "Not decrypted; the device asks for resynchronisation.",
		.source = "Linux include/linux/mlx5/device.h, CQE_TLS_OFFLOAD_*",
		.value = SEGUE_CQE_TLS_RESYNC,
	},
	{
		.name = "ERROR",
		.doc = "Decryption or authentication failed.",
		.source = "Linux include/linux/mlx5/device.h, CQE_TLS_OFFLOAD_*",
		.value = SEGUE_CQE_TLS_ERROR,
	},
};

const struct segue_enum_desc segue_cqe_tls_desc = {
	.name = "cqe_tls",
	.doc = "What the TLS offload did with a received packet.",
	.bits = 2,
	.member_count = 4,
	.members = cqe_tls_members,
};

static const struct segue_member_desc crypto_order_members[] = {
	{
		.name = "ENCRYPTED_WIRE_SIGNATURE",
		.doc = "Encrypted on the wire; on transmit the signature is made before the "
		       "encryption.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_ORDER_*; "
			  "providers/mlx5/qp.c, get_crypto_order",
		.value = SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE,
	},
	{
		.name = "ENCRYPTED_MEMORY_SIGNATURE",
		.doc = "Encrypted in memory; on transmit the signature is made after the "
		       "decryption.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_ORDER_*; "
			  "providers/mlx5/qp.c, get_crypto_order",
		.value = SEGUE_CRYPTO_ORDER_ENCRYPTED_MEMORY_SIGNATURE,
	},
	{
		.name = "ENCRYPTED_RAW_WIRE",
		.doc = "Encrypted on the wire; on transmit the signature is made after the "
		       "encryption. Not with signatures in both domains.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_ORDER_*; "
			  "providers/mlx5/qp.c, get_crypto_order",
		.value = SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE,
	},
	{
		.name = "ENCRYPTED_RAW_MEMORY",
		.doc = "Encrypted in memory; on transmit the signature is made before the "
		       "decryption. Not with signatures in both domains.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_ORDER_*; "
			  "providers/mlx5/qp.c, get_crypto_order",
		.value = SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY,
	},
};

const struct segue_enum_desc segue_crypto_order_desc = {
	.name = "crypto_order",
	.doc = "Where data are encrypted, and on which side of the encryption the signature is.",
	.bits = 4,
	.member_count = 4,
	.members = crypto_order_members,
};

static const struct segue_member_desc crypto_standard_members[] = {
	{
		.name = "AES_XTS",
		.doc = "AES-XTS, which encrypts each data unit under a tweak of its own.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_STANDARD_AES_XTS",
		.value = SEGUE_CRYPTO_STANDARD_AES_XTS,
	},
};

const struct segue_enum_desc segue_crypto_standard_desc = {
	.name = "crypto_standard",
	.doc = "Encryption standard of a crypto BSF.",
	.bits = 4,
	.member_count = 1,
	.members = crypto_standard_members,
};

static const struct segue_member_desc dbrec_members[] = {
	{
		.name = "RCV",
		.doc = "Producer counter of the receive queue, in receive WQEs, modulo 65536.",
		.source = "infiniband/mlx5dv.h, MLX5_RCV_DBR and MLX5_SND_DBR; "
			  "providers/mlx5/qp.c, post_send_db",
		.value = SEGUE_DBREC_RCV,
	},
	{
		.name = "SND",
		.doc = "Producer counter of the send queue, in 64-byte blocks, modulo 65536.",
		.source = "infiniband/mlx5dv.h, MLX5_RCV_DBR and MLX5_SND_DBR; "
			  "providers/mlx5/qp.c, post_send_db",
		.value = SEGUE_DBREC_SND,
	},
};

const struct segue_enum_desc segue_dbrec_desc = {
	.name = "dbrec",
	.doc = "Indices into the doorbell record of a queue pair, two big-endian 32-bit words in "
	       "host memory that the device reads.",
	.bits = 1,
	.member_count = 2,
	.members = dbrec_members,
};

static const struct segue_member_desc dek_purpose_members[] = {
	{
		.name = "AES_XTS",
		.doc = "AES-XTS of data on their way.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_KEY_OBJ_KEY_PURPOSE_AES_XTS",
		.value = SEGUE_DEK_PURPOSE_AES_XTS,
	},
};

const struct segue_enum_desc segue_dek_purpose_desc = {
	.name = "dek_purpose",
	.doc = "What a data encryption key is for.",
	.bits = 4,
	.member_count = 1,
	.members = dek_purpose_members,
};

static const struct segue_member_desc dek_size_members[] = {
	{
		.name = "SIZE_128",
		.doc = "16 bytes.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_KEY_OBJ_KEY_SIZE_*",
		.value = SEGUE_DEK_SIZE_SIZE_128,
	},
	{
		.name = "SIZE_256",
		.doc = "32 bytes.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_KEY_OBJ_KEY_SIZE_*",
		.value = SEGUE_DEK_SIZE_SIZE_256,
	},
};

const struct segue_enum_desc segue_dek_size_desc = {
	.name = "dek_size",
	.doc = "Size of each half of a data encryption key.",
	.bits = 4,
	.member_count = 2,
	.members = dek_size_members,
};

static const struct segue_member_desc eth_cs_flag_members[] = {
	{
		.name = "L3_INNER_CSUM",
		.doc = "Checksum of the inner IPv4 header of a tunnelled packet.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_L3_INNER_CSUM",
		.value = SEGUE_ETH_CS_FLAG_L3_INNER_CSUM,
	},
	{
		.name = "L4_INNER_CSUM",
		.doc = "Checksum of the inner TCP or UDP header of a tunnelled packet.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_L4_INNER_CSUM",
		.value = SEGUE_ETH_CS_FLAG_L4_INNER_CSUM,
	},
	{
		.name = "L3_CSUM",
		.doc = "Checksum of the (outer) IPv4 header.",
		.source = "infiniband/mlx5dv.h, MLX5_ETH_WQE_L3_CSUM and MLX5_ETH_WQE_L4_CSUM; "
			  "Linux include/linux/mlx5/qp.h",
		.value = SEGUE_ETH_CS_FLAG_L3_CSUM,
	},
	{
		.name = "L4_CSUM",
		.doc = "Checksum of the (outer) TCP or UDP header.",
		.source = "infiniband/mlx5dv.h, MLX5_ETH_WQE_L3_CSUM and MLX5_ETH_WQE_L4_CSUM; "
			  "Linux include/linux/mlx5/qp.h",
		.value = SEGUE_ETH_CS_FLAG_L4_CSUM,
	},
};

const struct segue_enum_desc segue_eth_cs_flag_desc = {
	.name = "eth_cs_flag",
	.doc = "Checksums that the device is to compute on the way out, and header types that the "
	       "software parser is told.",
	.bits = 8,
	.flags = true,
	.member_count = 4,
	.members = eth_cs_flag_members,
};

static const struct segue_member_desc eth_inline_members[] = {
	{
		.name = "IPOIB_MIN_SIZE",
		.doc = "Least bytes of header for a UD queue pair that underlies IPoIB.",
		.source = "providers/mlx5/wqe.h, MLX5_ETH_L2_INLINE_HEADER_SIZE and its neighbours",
		.value = SEGUE_ETH_INLINE_IPOIB_MIN_SIZE,
	},
	{
		.name = "L2_SIZE",
		.doc = "Bytes that a device which needs the layer-2 header wants inlined, an "
		       "Ethernet header with VLAN tag. Also the most that libmlx5 inlines on IPoIB "
		       "queues.",
		.source = "providers/mlx5/wqe.h, MLX5_ETH_L2_INLINE_HEADER_SIZE and its neighbours",
		.value = SEGUE_ETH_INLINE_L2_SIZE,
	},
	{
		.name = "L2_MIN_SIZE",
		.doc = "Bytes of an Ethernet header without VLAN tag, the least that TSO accepts.",
		.source = "providers/mlx5/wqe.h, MLX5_ETH_L2_INLINE_HEADER_SIZE and its neighbours",
		.value = SEGUE_ETH_INLINE_L2_MIN_SIZE,
	},
};

const struct segue_enum_desc segue_eth_inline_desc = {
	.name = "eth_inline",
	.doc = "Sizes of packet headers that must or may be placed in the Ethernet segment.",
	.bits = 8,
	.member_count = 3,
	.members = eth_inline_members,
};

static const struct segue_member_desc eth_swp_flag_members[] = {
	{
		.name = "INNER_L3_IPV6",
		.doc = "The inner network header is IPv6, else IPv4.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_SWP_*",
		.value = SEGUE_ETH_SWP_FLAG_INNER_L3_IPV6,
	},
	{
		.name = "INNER_L4_UDP",
		.doc = "The inner transport header is UDP, else TCP.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_SWP_*",
		.value = SEGUE_ETH_SWP_FLAG_INNER_L4_UDP,
	},
	{
		.name = "OUTER_L3_IPV6",
		.doc = "The outer network header is IPv6, else IPv4.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_SWP_*",
		.value = SEGUE_ETH_SWP_FLAG_OUTER_L3_IPV6,
	},
	{
		.name = "OUTER_L4_UDP",
		.doc = "The outer transport header is UDP, else TCP.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_SWP_*",
		.value = SEGUE_ETH_SWP_FLAG_OUTER_L4_UDP,
	},
};

const struct segue_enum_desc segue_eth_swp_flag_desc = {
	.name = "eth_swp_flag",
	.doc = "Header types for the software parser, which lets the driver say where headers of "
	       "unusual packets are.",
	.bits = 8,
	.flags = true,
	.member_count = 4,
	.members = eth_swp_flag_members,
};

static const struct segue_member_desc fence_members[] = {
	{
		.name = "NONE",
		.doc = "Starts as soon as the device gets to it.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h, "
			  "MLX5_WQE_CTRL_FENCE",
		.value = SEGUE_FENCE_NONE,
	},
	{
		.name = "INITIATOR_SMALL",
		.doc = "Waits until the effects of earlier local operations, above all UMR, are "
		       "visible to this WQE. libmlx5 sets it on the WQE that follows a UMR.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h, "
			  "MLX5_WQE_CTRL_FENCE",
		.value = SEGUE_FENCE_INITIATOR_SMALL,
	},
	{
		.name = "FENCE",
		.doc = "Waits until earlier RDMA READs and atomics of this queue have returned "
		       "their data.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h, "
			  "MLX5_WQE_CTRL_FENCE",
		.value = SEGUE_FENCE_FENCE,
	},
	{
		.name = "STRONG_ORDERING",
		.doc = "Waits until all earlier WQEs of this queue have been executed.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h, "
			  "MLX5_WQE_CTRL_FENCE",
		.value = SEGUE_FENCE_STRONG_ORDERING,
	},
	{
		.name = "SMALL_AND_FENCE",
		.doc = "Both INITIATOR_SMALL and FENCE. This is what libmlx5 writes for "
		       "IBV_SEND_FENCE, under the name MLX5_WQE_CTRL_FENCE.",
		.source = "Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h, "
			  "MLX5_WQE_CTRL_FENCE",
		.value = SEGUE_FENCE_SMALL_AND_FENCE,
	},
};

const struct segue_enum_desc segue_fence_desc = {
	.name = "fence",
	.doc = "Fence mode, FM, bits 7:5 of the byte fm_ce_se in the control segment: which "
	       "earlier work of the same queue must have finished before this WQE starts.",
	.bits = 3,
	.member_count = 5,
	.members = fence_members,
};

static const struct segue_member_desc flow_op_members[] = {
	{
		.name = "ACTIVATE",
		.doc = "Inserts the entry, so that packets match it from now on.",
		.source = "DPDK drivers/net/mlx5/hws/mlx5dr_send.h, enum mlx5dr_wqe_gta_opcode",
		.value = SEGUE_FLOW_OP_ACTIVATE,
		.secondary = true,
	},
	{
		.name = "DEACTIVATE",
		.doc = "Removes the entry.",
		.source = "DPDK drivers/net/mlx5/hws/mlx5dr_send.h, enum mlx5dr_wqe_gta_opcode",
		.value = SEGUE_FLOW_OP_DEACTIVATE,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_flow_op_desc = {
	.name = "flow_op",
	.doc = "What FLOW_TBL_ACCESS does with a steering entry.",
	.bits = 4,
	.member_count = 2,
	.members = flow_op_members,
};

static const struct segue_member_desc general_object_members[] = {
	{
		.name = "DEK",
		.doc = "A data encryption key.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_OBJ_TYPE_DEK",
		.value = SEGUE_GENERAL_OBJECT_DEK,
	},
};

const struct segue_enum_desc segue_general_object_desc = {
	.name = "general_object",
	.doc = "Objects that CREATE_GENERAL_OBJECT makes, as far as the library does.",
	.bits = 16,
	.member_count = 1,
	.members = general_object_members,
};

static const struct segue_member_desc lkey_members[] = {
	{
		.name = "INVALID",
		.doc = "Names no memory. Ends the scatter list of a receive WQE.",
		.source = "infiniband/mlx5dv.h, MLX5_INVALID_LKEY",
		.value = SEGUE_LKEY_INVALID,
	},
};

const struct segue_enum_desc segue_lkey_desc = {
	.name = "lkey",
	.doc = "Special local keys.",
	.bits = 32,
	.member_count = 1,
	.members = lkey_members,
};

static const struct segue_member_desc mini_cqe_format_members[] = {
	{
		.name = "HASH",
		.doc = "The receive hash (segment mini_cqe).",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*",
		.value = SEGUE_MINI_CQE_FORMAT_HASH,
		.secondary = true,
	},
	{
		.name = "CSUM",
		.doc = "The checksum (segment mini_cqe_csum).",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*",
		.value = SEGUE_MINI_CQE_FORMAT_CSUM,
		.secondary = true,
	},
	{
		.name = "FTAG_STRIDX",
		.doc = "A flow tag and the stride index.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*",
		.value = SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX,
		.secondary = true,
	},
	{
		.name = "CSUM_STRIDX",
		.doc = "The checksum and the stride index (segment mini_cqe_csum).",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*",
		.value = SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX,
		.secondary = true,
	},
	{
		.name = "L34H_STRIDX",
		.doc = "The header types and the stride index.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*",
		.value = SEGUE_MINI_CQE_FORMAT_L34H_STRIDX,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_mini_cqe_format_desc = {
	.name = "mini_cqe_format",
	.doc = "What the first half of a mini CQE of a receive completion holds; chosen when the "
	       "completion queue is created.",
	.bits = 3,
	.member_count = 5,
	.members = mini_cqe_format_members,
};

static const struct segue_member_desc mkey_access_members[] = {
	{
		.name = "MODE_MTT",
		.doc = "The list holds addresses of pages of one size. Zero, neither mode, means "
		       "one physically contiguous piece.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_MKC_ACCESS_MODE_MTT",
		.value = SEGUE_MKEY_ACCESS_MODE_MTT,
	},
	{
		.name = "MODE_KLM",
		.doc = "The list holds KLMs, each with its own key, address and length.",
		.source = "providers/mlx5/mlx5_ifc.h, MLX5_MKC_ACCESS_MODE_KLMS",
		.value = SEGUE_MKEY_ACCESS_MODE_KLM,
	},
	{
		.name = "MODE_KSM",
		.doc = "The list holds KLMs of one common length, which need no search.",
		.source = "Linux include/linux/mlx5/mlx5_ifc.h, MLX5_MKC_ACCESS_MODE_KSM",
		.value = SEGUE_MKEY_ACCESS_MODE_KSM,
	},
	{
		.name = "LOCAL_READ",
		.doc = "The device may read for this side.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_PERM_*",
		.value = SEGUE_MKEY_ACCESS_LOCAL_READ,
	},
	{
		.name = "LOCAL_WRITE",
		.doc = "The device may write for this side.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_PERM_*",
		.value = SEGUE_MKEY_ACCESS_LOCAL_WRITE,
	},
	{
		.name = "REMOTE_READ",
		.doc = "The peer may read.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_PERM_*",
		.value = SEGUE_MKEY_ACCESS_REMOTE_READ,
	},
	{
		.name = "REMOTE_WRITE",
		.doc = "The peer may write.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_PERM_*",
		.value = SEGUE_MKEY_ACCESS_REMOTE_WRITE,
	},
	{
		.name = "ATOMIC",
		.doc = "The peer may do atomics.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_PERM_*",
		.value = SEGUE_MKEY_ACCESS_ATOMIC,
	},
	{
		.name = "UMR_EN",
		.doc = "The key may be changed by UMR. Set when the key is created.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_PERM_UMR_EN",
		.value = SEGUE_MKEY_ACCESS_UMR_EN,
	},
};

const struct segue_enum_desc segue_mkey_access_desc = {
	.name = "mkey_access",
	.doc = "Access rights and translation mode in the memory key context.",
	.bits = 8,
	.flags = true,
	.member_count = 9,
	.members = mkey_access_members,
};

static const struct segue_member_desc mkey_mask_members[] = {
	{
		.name = "LEN",
		.doc = "Length of the memory that the key covers.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_LEN,
	},
	{
		.name = "PAGE_SIZE",
		.doc = "Page size, low five bits of log_page_size.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_PAGE_SIZE",
		.value = SEGUE_MKEY_MASK_PAGE_SIZE,
	},
	{
		.name = "START_ADDR",
		.doc = "Address of the first byte that the key covers.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_START_ADDR,
	},
	{
		.name = "PD",
		.doc = "Protection domain that the key belongs to.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_PD",
		.value = SEGUE_MKEY_MASK_PD,
	},
	{
		.name = "EN_RINVAL",
		.doc = "Permission of remote invalidation.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_EN_RINVAL",
		.value = SEGUE_MKEY_MASK_EN_RINVAL,
	},
	{
		.name = "SIG_ERR",
		.doc = "Expected signature error count, which acknowledges a reported signature "
		       "error.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_SIG_ERR,
	},
	{
		.name = "BSF_ENABLE",
		.doc = "Whether byte stream formats (signature, crypto) are applied, and which.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_BSF_ENABLE,
	},
	{
		.name = "MKEY",
		.doc = "The low eight bits of the key, which the user chooses.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_MKEY,
	},
	{
		.name = "QPN",
		.doc = "The queue pair that the key is bound to.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_QPN,
	},
	{
		.name = "ACCESS_LOCAL_READ",
		.doc = "Right to read locally.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_LR",
		.value = SEGUE_MKEY_MASK_ACCESS_LOCAL_READ,
	},
	{
		.name = "ACCESS_LOCAL_WRITE",
		.doc = "Right to write locally.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE,
	},
	{
		.name = "ACCESS_REMOTE_READ",
		.doc = "Right of the peer to read.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_ACCESS_REMOTE_READ,
	},
	{
		.name = "ACCESS_REMOTE_WRITE",
		.doc = "Right of the peer to write.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE,
	},
	{
		.name = "ACCESS_ATOMIC",
		.doc = "Right of the peer to do atomics.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_ACCESS_ATOMIC,
	},
	{
		.name = "SMALL_FENCE",
		.doc = "Small fence on RDMA READ responses.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_SMALL_FENCE",
		.value = SEGUE_MKEY_MASK_SMALL_FENCE,
	},
	{
		.name = "RELAXED_ORDERING_WRITE",
		.doc = "Relaxed PCIe ordering of writes.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_MKEY_MASK_RELAXED_ORDERING_WRITE",
		.value = SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE,
	},
	{
		.name = "FREE",
		.doc = "The free bit, which makes the key unusable until it is set up.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux "
			  "include/linux/mlx5/device.h, MLX5_MKEY_MASK_*",
		.value = SEGUE_MKEY_MASK_FREE,
	},
	{
		.name = "PAGE_SIZE_5",
		.doc = "Sixth bit of log_page_size, on devices that have it.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_PAGE_SIZE_5 (Linux "
			  "6.17)",
		.value = SEGUE_MKEY_MASK_PAGE_SIZE_5,
	},
	{
		.name = "RELAXED_ORDERING_READ",
		.doc = "Relaxed PCIe ordering of reads.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_MKEY_MASK_RELAXED_ORDERING_READ",
		.value = SEGUE_MKEY_MASK_RELAXED_ORDERING_READ,
	},
};

const struct segue_enum_desc segue_mkey_mask_desc = {
	.name = "mkey_mask",
	.doc = "Which fields of the memory key context a UMR changes. Fields whose bit is clear "
	       "are left as they are.",
	.bits = 64,
	.flags = true,
	.member_count = 19,
	.members = mkey_mask_members,
};

static const struct segue_member_desc mprq_byte_cnt_members[] = {
	{
		.name = "LENGTH_MASK",
		.doc = "Bytes of this packet or message.",
		.source = "Linux include/linux/mlx5/device.h, struct mpwrq_cqe_bc; DPDK "
			  "mlx5_prm.h, MLX5_MPRQ_*; UCX ib_mlx5.h, UCT_IB_MLX5_MP_RQ_*",
		.value = SEGUE_MPRQ_BYTE_CNT_LENGTH_MASK,
	},
	{
		.name = "STRIDES_MASK",
		.doc = "Strides consumed, on an Ethernet striding queue (Linux takes one bit more, "
		       "0x7fff0000).",
		.source = "Linux include/linux/mlx5/device.h, struct mpwrq_cqe_bc; DPDK "
			  "mlx5_prm.h, MLX5_MPRQ_*; UCX ib_mlx5.h, UCT_IB_MLX5_MP_RQ_*",
		.value = SEGUE_MPRQ_BYTE_CNT_STRIDES_MASK,
	},
	{
		.name = "FIRST_MSG",
		.doc = "First packet of a message, on a striding tag-matching SRQ.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_MP_RQ_FIRST_MSG_FLAG",
		.value = SEGUE_MPRQ_BYTE_CNT_FIRST_MSG,
		.secondary = true,
	},
	{
		.name = "LAST_MSG",
		.doc = "Last packet of a message, on a striding tag-matching SRQ.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_MP_RQ_LAST_MSG_FLAG",
		.value = SEGUE_MPRQ_BYTE_CNT_LAST_MSG,
		.secondary = true,
	},
	{
		.name = "FILLER",
		.doc = "Filler completion: strides were skipped and carry no data.",
		.source = "Linux include/linux/mlx5/device.h, struct mpwrq_cqe_bc; DPDK "
			  "mlx5_prm.h, MLX5_MPRQ_*; UCX ib_mlx5.h, UCT_IB_MLX5_MP_RQ_*",
		.value = SEGUE_MPRQ_BYTE_CNT_FILLER,
	},
};

const struct segue_enum_desc segue_mprq_byte_cnt_desc = {
	.name = "mprq_byte_cnt",
	.doc = "Meaning of the bits of byte_cnt in completions of a striding receive queue. The "
	       "meaning of bits 30:29 depends on the kind of queue.",
	.bits = 32,
	.flags = true,
	.member_count = 5,
	.members = mprq_byte_cnt_members,
};

static const struct segue_member_desc opcode_members[] = {
	{
		.name = "NOP",
		.doc = "Does nothing but occupy ring space and, when asked to, complete. Used to "
		       "skip ring blocks and to flush a queue.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_NOP,
	},
	{
		.name = "SEND_INVAL",
		.doc = "Sends a message into a receive buffer of the peer and invalidates there "
		       "the remote key given in the immediate field.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_SEND_INVAL,
	},
	{
		.name = "RDMA_WRITE",
		.doc = "Writes local memory into memory of the peer. The peer sees no completion.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_RDMA_WRITE,
	},
	{
		.name = "RDMA_WRITE_IMM",
		.doc = "Writes like RDMA_WRITE, then consumes one receive of the peer, whose "
		       "completion reports the immediate.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_RDMA_WRITE_IMM,
	},
	{
		.name = "SEND",
		.doc = "Sends a message into the next receive buffer of the peer; on a raw packet "
		       "queue sends one Ethernet frame.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_SEND,
	},
	{
		.name = "SEND_IMM",
		.doc = "Sends like SEND and hands the peer 32 bits of immediate data in its "
		       "completion.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_SEND_IMM,
	},
	{
		.name = "TSO",
		.doc = "Segments one large TCP payload into packets of at most the given segment "
		       "size behind the inlined headers. Linux calls it LSO.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_TSO,
	},
	{
		.name = "WAIT",
		.doc = "Holds back the rest of this send queue until a completion queue, a memory "
		       "word or the device clock has reached a value; opmod_wait says which.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPCODE_WAIT; UCC "
			  "tl_mlx5_wqe.c",
		.value = SEGUE_OPCODE_WAIT,
		.secondary = true,
	},
	{
		.name = "RDMA_READ",
		.doc = "Reads memory of the peer into local memory.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_RDMA_READ,
	},
	{
		.name = "ATOMIC_CS",
		.doc = "Compares a 64-bit word of the peer and swaps it when equal; the old value "
		       "is written to local memory.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_ATOMIC_CS,
	},
	{
		.name = "ATOMIC_FA",
		.doc = "Adds to a 64-bit word of the peer; the old value is written to local "
		       "memory.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_ATOMIC_FA,
	},
	{
		.name = "ATOMIC_MASKED_CS",
		.doc = "Compares and swaps only the bits selected by two masks, on operands of 4 "
		       "or 8 bytes; opmod_masked_atomic gives the size.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_ATOMIC_MASKED_CS,
	},
	{
		.name = "ATOMIC_MASKED_FA",
		.doc = "Adds several independent fields of one word at once; the field boundary "
		       "mask says where a carry stops. opmod_masked_atomic gives the size.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_ATOMIC_MASKED_FA,
	},
	{
		.name = "SEND_EN",
		.doc = "Lets another send queue run up to a given producer index; the "
		       "cross-channel companion of WAIT.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPCODE_SEND_EN",
		.value = SEGUE_OPCODE_SEND_EN,
		.secondary = true,
	},
	{
		.name = "BIND_MW",
		.doc = "Memory window bind of the device's interface. libmlx5 never emits it and "
		       "binds windows with UMR instead.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_BIND_MW",
		.value = SEGUE_OPCODE_BIND_MW,
	},
	{
		.name = "FMR",
		.doc = "Fast memory registration of early firmware. Declared, but neither libmlx5 "
		       "nor the kernel posts it; UMR took its place.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_FMR,
	},
	{
		.name = "LOCAL_INVAL",
		.doc = "Local invalidate of the device's interface. libmlx5 never emits it and "
		       "invalidates keys with UMR instead.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_LOCAL_INVAL,
	},
	{
		.name = "CONFIG_CMD",
		.doc = "Configuration command. Declared, but neither libmlx5 nor the kernel posts "
		       "it.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_CONFIG_CMD,
	},
	{
		.name = "SET_PSV",
		.doc = "Sets a protection signature value, the running checksum state that a "
		       "signature memory key uses.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_SET_PSV,
	},
	{
		.name = "GET_PSV",
		.doc = "Writes protection signature values to memory.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_GET_PSV",
		.value = SEGUE_OPCODE_GET_PSV,
	},
	{
		.name = "CHECK_PSV",
		.doc = "Checks protection signature values and reports errors according to the "
		       "given masks.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_CHECK_PSV",
		.value = SEGUE_OPCODE_CHECK_PSV,
	},
	{
		.name = "DUMP",
		.doc = "Has the device read memory as if to send it, without sending. The kernel's "
		       "TLS offload replays record bytes with it after a retransmission.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_DUMP",
		.value = SEGUE_OPCODE_DUMP,
	},
	{
		.name = "UMR",
		.doc = "User-mode memory registration. Changes a memory key from the send queue, "
		       "among other things its layout, access rights and signature.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_UMR,
	},
	{
		.name = "RGET_PSV",
		.doc = "Remote variant of GET_PSV. Declared only.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_RGET_PSV",
		.value = SEGUE_OPCODE_RGET_PSV,
	},
	{
		.name = "RCHECK_PSV",
		.doc = "Remote variant of CHECK_PSV. Declared only.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_OPCODE_RCHECK_PSV",
		.value = SEGUE_OPCODE_RCHECK_PSV,
	},
	{
		.name = "TAG_MATCHING",
		.doc = "Appends to or removes from the tag list of a tag-matching SRQ. Posted on "
		       "the command queue pair that belongs to that SRQ.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_TAG_MATCHING,
	},
	{
		.name = "ENHANCED_MPSW",
		.doc = "Enhanced multi-packet send. One WQE carries many Ethernet frames, some "
		       "inline and some by pointer.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPCODE_ENHANCED_MPSW; Linux "
			  "include/linux/mlx5/device.h",
		.value = SEGUE_OPCODE_ENHANCED_MPSW,
	},
	{
		.name = "FLOW_TBL_ACCESS",
		.doc = "Writes steering entries or modify-header arguments from a send queue, so "
		       "that flow rules need no firmware command.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_FLOW_TBL_ACCESS,
	},
	{
		.name = "ACCESS_ASO",
		.doc = "Reads or changes an advanced steering operation object such as a meter, a "
		       "connection-tracking entry or a hit flag.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPCODE_ACCESS_ASO",
		.value = SEGUE_OPCODE_ACCESS_ASO,
		.secondary = true,
	},
	{
		.name = "MMO",
		.doc = "Memory-to-memory operation done by an engine of the device on local "
		       "memory; opmod_mmo says which.",
		.source = "infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their "
			  "own source",
		.value = SEGUE_OPCODE_MMO,
	},
	{
		.name = "LOCAL_MMO",
		.doc = "Second family of memory-to-memory operations, known for transposing a "
		       "matrix; opmod_local_mmo says which.",
		.source = "UCC src/components/tl/mlx5/tl_mlx5_wqe.c, MLX5_OPCODE_LOCAL_MMO",
		.value = SEGUE_OPCODE_LOCAL_MMO,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opcode_desc = {
	.name = "opcode",
	.doc = "Operation codes of send work-queue entries, bits 7:0 of the first dword of the "
	       "control segment. The opcode tells the device what to do and which segments it must "
	       "expect after the control segment.",
	.bits = 8,
	.member_count = 31,
	.members = opcode_members,
};

static const struct segue_member_desc opmod_aso_members[] = {
	{
		.name = "IPSEC",
		.doc = "State of an IPsec security association.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod",
		.value = SEGUE_OPMOD_ASO_IPSEC,
		.secondary = true,
	},
	{
		.name = "CONNECTION_TRACKING",
		.doc = "State of a tracked connection.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod",
		.value = SEGUE_OPMOD_ASO_CONNECTION_TRACKING,
		.secondary = true,
	},
	{
		.name = "POLICER",
		.doc = "State of a flow meter, which limits a rate.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod",
		.value = SEGUE_OPMOD_ASO_POLICER,
		.secondary = true,
	},
	{
		.name = "RACE_AVOIDANCE",
		.doc = "Race avoidance object; DPDK names it, and no public source explains it.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod",
		.value = SEGUE_OPMOD_ASO_RACE_AVOIDANCE,
		.secondary = true,
	},
	{
		.name = "FLOW_HIT",
		.doc = "Flags that tell which flows have seen packets.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod",
		.value = SEGUE_OPMOD_ASO_FLOW_HIT,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_aso_desc = {
	.name = "opmod_aso",
	.doc = "Opcode modifier of ACCESS_ASO: the kind of steering object that is read or "
	       "changed.",
	.bits = 8,
	.member_count = 5,
	.members = opmod_aso_members,
};

static const struct segue_member_desc opmod_flow_tbl_access_members[] = {
	{
		.name = "STE",
		.doc = "A steering entry follows the flow_update_ctrl segment.",
		.source = "DPDK drivers/net/mlx5/hws/mlx5dr_send.h, MLX5DR_WQE_OPMOD_GTA_STE",
		.value = SEGUE_OPMOD_FLOW_TBL_ACCESS_STE,
		.secondary = true,
	},
	{
		.name = "MODIFY_ARGUMENT",
		.doc = "Arguments of a modify-header action follow; libmlx5 posts this one.",
		.source = "DPDK drivers/net/mlx5/hws/mlx5dr_send.h, enum mlx5dr_wqe_opmod; "
			  "providers/mlx5/dr_send.c",
		.value = SEGUE_OPMOD_FLOW_TBL_ACCESS_MODIFY_ARGUMENT,
	},
};

const struct segue_enum_desc segue_opmod_flow_tbl_access_desc = {
	.name = "opmod_flow_tbl_access",
	.doc = "Opcode modifier of FLOW_TBL_ACCESS: what is written.",
	.bits = 8,
	.member_count = 2,
	.members = opmod_flow_tbl_access_members,
};

static const struct segue_member_desc opmod_local_mmo_members[] = {
	{
		.name = "TRANSPOSE",
		.doc = "Transposes a small matrix from the source to the destination.",
		.source = "UCC src/components/tl/mlx5/tl_mlx5_wqe.c, ucc_tl_mlx5_post_transpose",
		.value = SEGUE_OPMOD_LOCAL_MMO_TRANSPOSE,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_local_mmo_desc = {
	.name = "opmod_local_mmo",
	.doc = "Opcode modifier of LOCAL_MMO.",
	.bits = 8,
	.member_count = 1,
	.members = opmod_local_mmo_members,
};

static const struct segue_member_desc opmod_masked_atomic_members[] = {
	{
		.name = "SIZE_4",
		.doc = "Operands of 4 bytes.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_OPMOD_EXT_ATOMIC",
		.value = SEGUE_OPMOD_MASKED_ATOMIC_SIZE_4,
		.secondary = true,
	},
	{
		.name = "SIZE_8",
		.doc = "Operands of 8 bytes.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_OPMOD_EXT_ATOMIC",
		.value = SEGUE_OPMOD_MASKED_ATOMIC_SIZE_8,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_masked_atomic_desc = {
	.name = "opmod_masked_atomic",
	.doc = "Opcode modifier of the masked atomics: bit 3 set and the base-2 logarithm of the "
	       "operand size in bytes less 2 below it. 4 and 8 bytes are known to be in use.",
	.bits = 8,
	.member_count = 2,
	.members = opmod_masked_atomic_members,
};

static const struct segue_member_desc opmod_mmo_members[] = {
	{
		.name = "DMA",
		.doc = "Copies memory. This is what mlx5dv_wr_memcpy posts.",
		.source = "providers/mlx5/wqe.h, MLX5_OPC_MOD_MMO_DMA; DPDK "
			  "drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MMO_*",
		.value = SEGUE_OPMOD_MMO_DMA,
	},
	{
		.name = "COMP",
		.doc = "Compresses the source into the destination.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MMO_COMP",
		.value = SEGUE_OPMOD_MMO_COMP,
		.secondary = true,
	},
	{
		.name = "DECOMP",
		.doc = "Decompresses the source into the destination.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MMO_DECOMP",
		.value = SEGUE_OPMOD_MMO_DECOMP,
		.secondary = true,
	},
	{
		.name = "REGEX",
		.doc = "Searches the source for regular expressions and writes the matches to the "
		       "destination.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MMO_REGEX",
		.value = SEGUE_OPMOD_MMO_REGEX,
		.secondary = true,
	},
	{
		.name = "CRYPTO",
		.doc = "Encrypts or decrypts the source into the destination with AES-GCM.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MMO_CRYPTO",
		.value = SEGUE_OPMOD_MMO_CRYPTO,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_mmo_desc = {
	.name = "opmod_mmo",
	.doc = "Opcode modifier of MMO: what the memory-to-memory engine does.",
	.bits = 8,
	.member_count = 5,
	.members = opmod_mmo_members,
};

static const struct segue_member_desc opmod_set_psv_members[] = {
	{
		.name = "PSV",
		.doc = "Sets a protection signature value. The only form that libmlx5 posts.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TLS_TIS_PROGRESS_PARAMS; providers/mlx5/qp.c, "
			  "mlx5_umr_set_psv",
		.value = SEGUE_OPMOD_SET_PSV_PSV,
	},
	{
		.name = "TIS_PROGRESS_PARAMS",
		.doc = "Sets the progress parameters of a TLS-offloading transmit context. Kernel "
		       "only.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TLS_TIS_PROGRESS_PARAMS; providers/mlx5/qp.c, "
			  "mlx5_umr_set_psv",
		.value = SEGUE_OPMOD_SET_PSV_TIS_PROGRESS_PARAMS,
	},
	{
		.name = "TIR_PROGRESS_PARAMS",
		.doc = "Sets the progress parameters of a TLS-offloading receive context. Kernel "
		       "only.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TLS_TIS_PROGRESS_PARAMS; providers/mlx5/qp.c, "
			  "mlx5_umr_set_psv",
		.value = SEGUE_OPMOD_SET_PSV_TIR_PROGRESS_PARAMS,
	},
};

const struct segue_enum_desc segue_opmod_set_psv_desc = {
	.name = "opmod_set_psv",
	.doc = "Opcode modifier of SET_PSV.",
	.bits = 8,
	.member_count = 3,
	.members = opmod_set_psv_members,
};

static const struct segue_member_desc opmod_tso_members[] = {
	{
		.name = "TSO",
		.doc = "Segments a large packet.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MPW",
		.value = SEGUE_OPMOD_TSO_TSO,
	},
	{
		.name = "MPW",
		.doc = "Legacy multi-packet send of ConnectX-4 Lx; the enhanced form has its own "
		       "opcode, ENHANCED_MPSW.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MPW",
		.value = SEGUE_OPMOD_TSO_MPW,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_tso_desc = {
	.name = "opmod_tso",
	.doc = "Opcode modifier of TSO.",
	.bits = 8,
	.member_count = 2,
	.members = opmod_tso_members,
};

static const struct segue_member_desc opmod_umr_members[] = {
	{
		.name = "MKEY",
		.doc = "Changes a memory key. The only form that libmlx5 posts.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TRANSPORT_TIS_STATIC_PARAMS; providers/mlx5/qp.c",
		.value = SEGUE_OPMOD_UMR_MKEY,
	},
	{
		.name = "TIS_STATIC_PARAMS",
		.doc = "Sets the static parameters, keys above all, of a TLS-offloading transmit "
		       "context. Kernel only.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TRANSPORT_TIS_STATIC_PARAMS; providers/mlx5/qp.c",
		.value = SEGUE_OPMOD_UMR_TIS_STATIC_PARAMS,
	},
	{
		.name = "TIR_STATIC_PARAMS",
		.doc = "Sets the static parameters of a TLS-offloading receive context. Kernel "
		       "only.",
		.source = "Linux include/linux/mlx5/device.h, "
			  "MLX5_OPC_MOD_TRANSPORT_TIS_STATIC_PARAMS; providers/mlx5/qp.c",
		.value = SEGUE_OPMOD_UMR_TIR_STATIC_PARAMS,
	},
};

const struct segue_enum_desc segue_opmod_umr_desc = {
	.name = "opmod_umr",
	.doc = "Opcode modifier of UMR.",
	.bits = 8,
	.member_count = 3,
	.members = opmod_umr_members,
};

static const struct segue_member_desc opmod_wait_members[] = {
	{
		.name = "CQ_PI",
		.doc = "A completion queue has received a given number of completions (segment "
		       "wait_cq).",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_WAIT_*",
		.value = SEGUE_OPMOD_WAIT_CQ_PI,
		.secondary = true,
	},
	{
		.name = "DATA",
		.doc = "A 64-bit word in memory satisfies a comparison (segment wait_on_data). UCC "
		       "uses it to start a collective without the CPU.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_WAIT_*",
		.value = SEGUE_OPMOD_WAIT_DATA,
		.secondary = true,
	},
	{
		.name = "TIME",
		.doc = "The device clock satisfies a comparison (segment wait_on_time). Used to "
		       "pace packets.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_WAIT_*",
		.value = SEGUE_OPMOD_WAIT_TIME,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_opmod_wait_desc = {
	.name = "opmod_wait",
	.doc = "Opcode modifier of WAIT: what the queue waits for.",
	.bits = 8,
	.member_count = 3,
	.members = opmod_wait_members,
};

static const struct segue_member_desc post_flag_members[] = {
	{
		.name = "SOLICITED",
		.doc = "Asks the peer to raise an event for the receive it completes if its "
		       "completion queue is armed for solicited completions.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_SOLICITED,
	},
	{
		.name = "SIGNALED",
		.doc = "The completion is reported even if the request succeeds.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_SIGNALED,
	},
	{
		.name = "FIRST_ERROR_ONLY",
		.doc = "Writes a completion only if this request is the first to fail.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_FIRST_ERROR_ONLY,
		.secondary = true,
	},
	{
		.name = "SIGNALED_EVENT",
		.doc = "Reports the completion and also writes to the event queue, which raises an "
		       "event.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_SIGNALED_EVENT,
	},
	{
		.name = "INITIATOR_SMALL_FENCE",
		.doc = "Waits for the effects of earlier local operations such as UMR.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_INITIATOR_SMALL_FENCE,
	},
	{
		.name = "READ_FENCE",
		.doc = "Waits for the data of earlier RDMA READs and atomics.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_READ_FENCE,
	},
	{
		.name = "STRONG_ORDERING",
		.doc = "Waits for all earlier requests of this queue.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_STRONG_ORDERING,
	},
	{
		.name = "FENCE",
		.doc = "Waits for earlier local operations and for the data of earlier RDMA READs "
		       "and atomics. This is IBV_SEND_FENCE as libmlx5 writes it.",
		.source = "infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, "
			  "MLX5_FENCE_MODE_*",
		.value = SEGUE_FENCE,
	},
};

const struct segue_enum_desc segue_post_flag_desc = {
	.name = "post_flag",
	.doc = "Flags that a caller gives with a work request. Each value is the image of "
	       "control-segment fields in the third dword, so posting needs no translation. At "
	       "most one of the fence flags may be given.",
	.bits = 8,
	.flags = true,
	.member_count = 8,
	.members = post_flag_members,
};

static const struct segue_member_desc qp_attr_members[] = {
	{
		.name = "STATE",
		.doc = "The state to move to.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_STATE,
	},
	{
		.name = "CUR_STATE",
		.doc = "The state the caller believes the queue pair to be in; the call fails if "
		       "it is not.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_CUR_STATE,
	},
	{
		.name = "EN_SQD_ASYNC_NOTIFY",
		.doc = "Asks for an asynchronous event when the send queue has drained.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY,
	},
	{
		.name = "ACCESS_FLAGS",
		.doc = "What the peer may do to memory through this queue pair.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_ACCESS_FLAGS,
	},
	{
		.name = "PKEY_INDEX",
		.doc = "Index of the partition key in the table of the port.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_PKEY_INDEX,
	},
	{
		.name = "PORT",
		.doc = "Port of the device, counted from 1.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_PORT,
	},
	{
		.name = "QKEY",
		.doc = "Queue key that arriving datagrams must carry.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_QKEY,
	},
	{
		.name = "AV",
		.doc = "Address vector of the primary path to the peer.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_AV,
	},
	{
		.name = "PATH_MTU",
		.doc = "Largest packet payload of the path.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_PATH_MTU,
	},
	{
		.name = "TIMEOUT",
		.doc = "Local acknowledge timeout of the primary path.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_TIMEOUT,
	},
	{
		.name = "RETRY_CNT",
		.doc = "How often a request is repeated when no acknowledgement comes.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_RETRY_CNT,
	},
	{
		.name = "RNR_RETRY",
		.doc = "How often a request is repeated when the peer has no receive posted; 7 "
		       "means forever.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_RNR_RETRY,
	},
	{
		.name = "RQ_PSN",
		.doc = "Packet sequence number that the first packet from the peer will carry.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_RQ_PSN,
	},
	{
		.name = "MAX_QP_RD_ATOMIC",
		.doc = "RDMA READs and atomics this side may have outstanding.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC,
	},
	{
		.name = "ALT_PATH",
		.doc = "Alternate path for automatic path migration.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_ALT_PATH,
	},
	{
		.name = "MIN_RNR_TIMER",
		.doc = "Shortest wait that this side demands of a peer it answers with "
		       "receiver-not-ready.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_MIN_RNR_TIMER,
	},
	{
		.name = "SQ_PSN",
		.doc = "Packet sequence number of the first packet sent.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_SQ_PSN,
	},
	{
		.name = "MAX_DEST_RD_ATOMIC",
		.doc = "RDMA READs and atomics of the peer that this side can serve at once.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC,
	},
	{
		.name = "PATH_MIG_STATE",
		.doc = "State of automatic path migration.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_PATH_MIG_STATE,
	},
	{
		.name = "CAP",
		.doc = "Queue capacities. Few devices can change them after creation; mlx5 cannot.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_CAP,
	},
	{
		.name = "DEST_QPN",
		.doc = "Number of the peer's queue pair.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_DEST_QPN,
	},
	{
		.name = "RATE_LIMIT",
		.doc = "Packet pacing rate in kilobit per second.",
		.source = "infiniband/verbs.h, enum ibv_qp_attr_mask",
		.value = SEGUE_QP_ATTR_RATE_LIMIT,
	},
};

const struct segue_enum_desc segue_qp_attr_desc = {
	.name = "qp_attr",
	.doc = "Names the attributes that a modify call sets. A state transition requires some of "
	       "them and allows others.",
	.bits = 26,
	.flags = true,
	.member_count = 22,
	.members = qp_attr_members,
};

static const struct segue_member_desc qp_state_members[] = {
	{
		.name = "RESET",
		.doc = "Freshly created. Nothing can be posted and no packet moves.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_RESET,
	},
	{
		.name = "INIT",
		.doc = "Port and access rights are set. Receives may be posted and wait; packets "
		       "are dropped.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_INIT,
	},
	{
		.name = "RTR",
		.doc = "Ready to receive. The path to the peer is known and incoming requests are "
		       "answered.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_RTR,
	},
	{
		.name = "RTS",
		.doc = "Ready to send. Fully working in both directions.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_RTS,
	},
	{
		.name = "SQD",
		.doc = "Send queue drained or draining. Posted sends wait while the work already "
		       "begun is finished.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_SQD,
	},
	{
		.name = "SQE",
		.doc = "Send queue error. A send has failed on an unreliable transport; sends are "
		       "flushed and receives go on.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_SQE,
	},
	{
		.name = "ERR",
		.doc = "Error. Everything posted completes as flushed.",
		.source = "infiniband/verbs.h, enum ibv_qp_state",
		.value = SEGUE_QP_STATE_ERR,
	},
};

const struct segue_enum_desc segue_qp_state_desc = {
	.name = "qp_state",
	.doc = "States of a queue pair as verbs numbers them (the device numbers SQD and SQE the "
	       "other way round).",
	.bits = 3,
	.member_count = 7,
	.members = qp_state_members,
};

static const struct segue_member_desc query_hca_cap_op_mod_members[] = {
	{
		.name = "GENERAL_CURRENT",
		.doc = "The general ones, as they are in force.",
		.source = "providers/mlx5/mlx5_ifc.h, HCA_CAP_OPMOD_GET_CUR; "
			  "providers/mlx5/dr_devx.c, dr_devx_query_caps (op_mod = group | "
			  "HCA_CAP_OPMOD_GET_CUR)",
		.value = SEGUE_QUERY_HCA_CAP_OP_MOD_GENERAL_CURRENT,
	},
	{
		.name = "ATOMIC_CURRENT",
		.doc = "Those of atomic operations, group 3, as they are in force.",
		.source = "UCX src/uct/ib/mlx5/dv/ib_mlx5_ifc.h, UCT_IB_MLX5_CAP_ATOMIC",
		.value = SEGUE_QUERY_HCA_CAP_OP_MOD_ATOMIC_CURRENT,
	},
};

const struct segue_enum_desc segue_query_hca_cap_op_mod_desc = {
	.name = "query_hca_cap_op_mod",
	.doc = "Which capabilities QUERY_HCA_CAP is asked for: their group times 2, plus 1 for "
	       "those in force in place of the largest possible.",
	.bits = 16,
	.member_count = 2,
	.members = query_hca_cap_op_mod_members,
};

static const struct segue_member_desc repeat_block_op_members[] = {
	{
		.name = "STRIDED",
		.doc = "Strided blocks, repeated.",
		.source = "providers/mlx5/qp.c, umr_strided_seg_create; Linux "
			  "include/linux/mlx5/qp.h, MLX5_STRIDE_BLOCK_OP",
		.value = SEGUE_REPEAT_BLOCK_OP_STRIDED,
	},
};

const struct segue_enum_desc segue_repeat_block_op_desc = {
	.name = "repeat_block_op",
	.doc = "Form of a UMR list that starts with a repeat block.",
	.bits = 32,
	.member_count = 1,
	.members = repeat_block_op_members,
};

static const struct segue_member_desc sig_err_domain_members[] = {
	{
		.name = "WIRE",
		.doc = "In the data as they are on the wire.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_DOMAIN_*",
		.value = SEGUE_SIG_ERR_DOMAIN_WIRE,
	},
	{
		.name = "MEMORY",
		.doc = "In the data as they are in memory.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_DOMAIN_*",
		.value = SEGUE_SIG_ERR_DOMAIN_MEMORY,
	},
};

const struct segue_enum_desc segue_sig_err_domain_desc = {
	.name = "sig_err_domain",
	.doc = "Where a signature error was found.",
	.bits = 8,
	.member_count = 2,
	.members = sig_err_domain_members,
};

static const struct segue_member_desc sig_err_syndrome_members[] = {
	{
		.name = "REFTAG",
		.doc = "The reference tag, which numbers blocks, is not the expected one.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SYNDROME_*",
		.value = SEGUE_SIG_ERR_SYNDROME_REFTAG,
	},
	{
		.name = "APPTAG",
		.doc = "The application tag is not the expected one.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SYNDROME_*",
		.value = SEGUE_SIG_ERR_SYNDROME_APPTAG,
	},
	{
		.name = "GUARD",
		.doc = "The guard, which is the checksum over the block, is wrong.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SYNDROME_*",
		.value = SEGUE_SIG_ERR_SYNDROME_GUARD,
	},
};

const struct segue_enum_desc segue_sig_err_syndrome_desc = {
	.name = "sig_err_syndrome",
	.doc = "What a signature error completion complains about.",
	.bits = 16,
	.flags = true,
	.member_count = 3,
	.members = sig_err_syndrome_members,
};

static const struct segue_member_desc sig_err_type_members[] = {
	{
		.name = "BLOCK",
		.doc = "The signature of a block.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SIG_TYPE_*",
		.value = SEGUE_SIG_ERR_TYPE_BLOCK,
	},
	{
		.name = "TRANSACTION",
		.doc = "The signature of the transaction.",
		.source = "providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SIG_TYPE_*",
		.value = SEGUE_SIG_ERR_TYPE_TRANSACTION,
	},
};

const struct segue_enum_desc segue_sig_err_type_desc = {
	.name = "sig_err_type",
	.doc = "Whether a signature error concerns one block or the whole transaction.",
	.bits = 8,
	.member_count = 2,
	.members = sig_err_type_members,
};

static const struct segue_member_desc sig_mask_members[] = {
	{
		.name = "T10DIF_REFTAG",
		.doc = "The reference tag of T10-DIF.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_sig_mask",
		.value = SEGUE_SIG_MASK_T10DIF_REFTAG,
	},
	{
		.name = "T10DIF_APPTAG",
		.doc = "The application tag of T10-DIF.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_sig_mask",
		.value = SEGUE_SIG_MASK_T10DIF_APPTAG,
	},
	{
		.name = "T10DIF_GUARD",
		.doc = "The guard of T10-DIF.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_sig_mask",
		.value = SEGUE_SIG_MASK_T10DIF_GUARD,
	},
	{
		.name = "CRC32",
		.doc = "The four bytes of a CRC-32 or CRC-32C.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_sig_mask",
		.value = SEGUE_SIG_MASK_CRC32,
	},
	{
		.name = "CRC64_XP10",
		.doc = "All eight bytes of a CRC-64 XP10.",
		.source = "infiniband/mlx5dv.h, enum mlx5dv_sig_mask",
		.value = SEGUE_SIG_MASK_CRC64_XP10,
	},
};

const struct segue_enum_desc segue_sig_mask_desc = {
	.name = "sig_mask",
	.doc = "Which bytes of a block signature are checked or copied, one bit per byte, most "
	       "significant bit first.",
	.bits = 8,
	.flags = true,
	.member_count = 5,
	.members = sig_mask_members,
};

static const struct segue_member_desc t10dif_members[] = {
	{
		.name = "NONE",
		.doc = "No T10-DIF signature.",
		.source = "providers/mlx5/wqe.h, MLX5_T10DIF_CRC and MLX5_T10DIF_IPCS",
		.value = SEGUE_T10DIF_NONE,
	},
	{
		.name = "CRC",
		.doc = "CRC-16 with the T10 polynomial.",
		.source = "providers/mlx5/wqe.h, MLX5_T10DIF_CRC and MLX5_T10DIF_IPCS",
		.value = SEGUE_T10DIF_CRC,
	},
	{
		.name = "IPCS",
		.doc = "The Internet checksum.",
		.source = "providers/mlx5/wqe.h, MLX5_T10DIF_CRC and MLX5_T10DIF_IPCS",
		.value = SEGUE_T10DIF_IPCS,
	},
};

const struct segue_enum_desc segue_t10dif_desc = {
	.name = "t10dif",
	.doc = "Guard type of a T10-DIF signature.",
	.bits = 8,
	.member_count = 3,
	.members = t10dif_members,
};

static const struct segue_member_desc tm_app_op_members[] = {
	{
		.name = "NONE",
		.doc = "Not a tag-matching completion.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_NONE,
	},
	{
		.name = "CONSUMED",
		.doc = "A message has matched a tag entry; its data are still on the way and a "
		       "second completion follows.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_CONSUMED,
	},
	{
		.name = "EXPECTED",
		.doc = "The data of a message that has matched a tag entry are in place.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_EXPECTED,
	},
	{
		.name = "UNEXPECTED",
		.doc = "A message has matched no entry and was put into a receive buffer of the "
		       "SRQ.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_UNEXPECTED,
	},
	{
		.name = "NO_TAG",
		.doc = "A message without tag was put into a receive buffer of the SRQ.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_NO_TAG,
	},
	{
		.name = "APPEND",
		.doc = "Answer to an append command.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_APPEND,
	},
	{
		.name = "REMOVE",
		.doc = "Answer to a remove command.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_REMOVE,
	},
	{
		.name = "NOOP",
		.doc = "Answer to a no-operation command, which synchronises the counters.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_NOOP,
	},
	{
		.name = "CONSUMED_SW_RNDV",
		.doc = "Like CONSUMED, but software must carry out the rendezvous; a second "
		       "completion follows (Spelt RDNV in libmlx5).",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_CONSUMED_SW_RNDV,
	},
	{
		.name = "CONSUMED_MSG",
		.doc = "A message has matched a tag entry and is complete, in one completion.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_CONSUMED_MSG,
	},
	{
		.name = "CONSUMED_MSG_SW_RNDV",
		.doc = "A rendezvous header has matched a tag entry; software must carry out the "
		       "rendezvous. One completion (Spelt RDNV in libmlx5).",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV,
	},
	{
		.name = "MSG_COMPLETION_CANCELED",
		.doc = "The match was made but the transfer of the data was cancelled.",
		.source = "providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*",
		.value = SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED,
	},
};

const struct segue_enum_desc segue_tm_app_op_desc = {
	.name = "tm_app_op",
	.doc = "What a tag-matching completion reports.",
	.bits = 8,
	.member_count = 12,
	.members = tm_app_op_members,
};

static const struct segue_member_desc tm_flag_members[] = {
	{
		.name = "SW_CNT",
		.doc = "The field sw_cnt is valid: software tells the device how many unexpected "
		       "messages it has handled.",
		.source = "providers/mlx5/mlx5.h, MLX5_SRQ_FLAG_TM_*",
		.value = SEGUE_TM_FLAG_SW_CNT,
	},
	{
		.name = "CQE_REQ",
		.doc = "A completion is wanted for this list operation.",
		.source = "providers/mlx5/mlx5.h, MLX5_SRQ_FLAG_TM_*",
		.value = SEGUE_TM_FLAG_CQE_REQ,
	},
};

const struct segue_enum_desc segue_tm_flag_desc = {
	.name = "tm_flag",
	.doc = "Flags of the tag-matching segment.",
	.bits = 8,
	.flags = true,
	.member_count = 2,
	.members = tm_flag_members,
};

static const struct segue_member_desc tm_opcode_members[] = {
	{
		.name = "NOP",
		.doc = "Changes nothing; used to hand over the unexpected-message counter.",
		.source = "providers/mlx5/mlx5.h, MLX5_TM_OPCODE_*",
		.value = SEGUE_TM_OPCODE_NOP,
	},
	{
		.name = "APPEND",
		.doc = "Adds an entry.",
		.source = "providers/mlx5/mlx5.h, MLX5_TM_OPCODE_*",
		.value = SEGUE_TM_OPCODE_APPEND,
	},
	{
		.name = "REMOVE",
		.doc = "Removes an entry unless it has matched meanwhile.",
		.source = "providers/mlx5/mlx5.h, MLX5_TM_OPCODE_*",
		.value = SEGUE_TM_OPCODE_REMOVE,
	},
};

const struct segue_enum_desc segue_tm_opcode_desc = {
	.name = "tm_opcode",
	.doc = "Operations on the tag list of a tag-matching SRQ.",
	.bits = 4,
	.member_count = 3,
	.members = tm_opcode_members,
};

static const struct segue_member_desc tmh_opcode_members[] = {
	{
		.name = "NO_TAG",
		.doc = "No tag; the message goes to a receive buffer.",
		.source = "infiniband/tm_types.h, enum ibv_tmh_op",
		.value = SEGUE_TMH_OPCODE_NO_TAG,
	},
	{
		.name = "RNDV",
		.doc = "Rendezvous: a header with the place of the data follows, and the receiver "
		       "reads them.",
		.source = "infiniband/tm_types.h, enum ibv_tmh_op",
		.value = SEGUE_TMH_OPCODE_RNDV,
	},
	{
		.name = "FIN",
		.doc = "The receiver has read the data of a rendezvous.",
		.source = "infiniband/tm_types.h, enum ibv_tmh_op",
		.value = SEGUE_TMH_OPCODE_FIN,
	},
	{
		.name = "EAGER",
		.doc = "The data follow the header.",
		.source = "infiniband/tm_types.h, enum ibv_tmh_op",
		.value = SEGUE_TMH_OPCODE_EAGER,
	},
};

const struct segue_enum_desc segue_tmh_opcode_desc = {
	.name = "tmh_opcode",
	.doc = "Opcodes of the tag-matching header that a sender puts in front of its message.",
	.bits = 8,
	.member_count = 4,
	.members = tmh_opcode_members,
};

static const struct segue_member_desc uar_members[] = {
	{
		.name = "CQ_DOORBELL",
		.doc = "Where the 8 bytes that arm a completion queue are written.",
		.source = "infiniband/mlx5dv.h, MLX5_CQ_DOORBELL; providers/mlx5/mlx5.h, "
			  "MLX5_BF_OFFSET",
		.value = SEGUE_UAR_CQ_DOORBELL,
	},
	{
		.name = "BF_OFFSET",
		.doc = "Where the first send doorbell (BlueFlame register) of the page lies.",
		.source = "infiniband/mlx5dv.h, MLX5_CQ_DOORBELL; providers/mlx5/mlx5.h, "
			  "MLX5_BF_OFFSET",
		.value = SEGUE_UAR_BF_OFFSET,
	},
};

const struct segue_enum_desc segue_uar_desc = {
	.name = "uar",
	.doc = "Offsets in a UAR, the page of device registers that a process may write.",
	.bits = 12,
	.member_count = 2,
	.members = uar_members,
};

static const struct segue_member_desc umr_check_members[] = {
	{
		.name = "NONE",
		.doc = "The free bit is not looked at.",
		.source = "Linux include/linux/mlx5/device.h, MLX5_UMR_CHECK_NOT_FREE and "
			  "MLX5_UMR_CHECK_FREE; infiniband/mlx5dv.h, "
			  "MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE",
		.value = SEGUE_UMR_CHECK_NONE,
	},
	{
		.name = "FREE",
		.doc = "Fails unless the key is free (MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE in "
		       "mlx5dv.h; the kernel names it after the complaint, "
		       "MLX5_UMR_CHECK_NOT_FREE).",
		.source = "Linux include/linux/mlx5/device.h, MLX5_UMR_CHECK_NOT_FREE and "
			  "MLX5_UMR_CHECK_FREE; infiniband/mlx5dv.h, "
			  "MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE",
		.value = SEGUE_UMR_CHECK_FREE,
	},
	{
		.name = "NOT_FREE",
		.doc = "Fails if the key is free (MLX5_UMR_CHECK_FREE in the kernel).",
		.source = "Linux include/linux/mlx5/device.h, MLX5_UMR_CHECK_FREE",
		.value = SEGUE_UMR_CHECK_NOT_FREE,
	},
};

const struct segue_enum_desc segue_umr_check_desc = {
	.name = "umr_check",
	.doc = "What a UMR demands of the memory key's free bit before it changes anything.",
	.bits = 2,
	.member_count = 3,
	.members = umr_check_members,
};

static const struct segue_member_desc vendor_syndrome_members[] = {
	{
		.name = "BAD_WQE_INDEX",
		.doc = "The WQE index in the control segment is not the one that the device "
		       "expected.",
		.source = "copyrpc, commit e45ec09, which calls it BAD_CTRL_WQE_INDEX",
		.value = SEGUE_VENDOR_SYNDROME_BAD_WQE_INDEX,
		.secondary = true,
	},
	{
		.name = "RETRY_EXCEEDED",
		.doc = "Transport retries exceeded; seen with syndrome 0x15.",
		.source = "github.com/NVIDIA/nccl, issue 214",
		.value = SEGUE_VENDOR_SYNDROME_RETRY_EXCEEDED,
		.secondary = true,
	},
	{
		.name = "ODP_PFAULT",
		.doc = "A page fault on memory registered for on-demand paging. libmlx5 reposts "
		       "the receive by itself.",
		.source = "infiniband/mlx5dv.h, MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT; members that "
			  "it lacks name their own source",
		.value = SEGUE_VENDOR_SYNDROME_ODP_PFAULT,
	},
	{
		.name = "PSN",
		.doc = "A packet sequence number error.",
		.source = "UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_CQE_VENDOR_SYND_PSN",
		.value = SEGUE_VENDOR_SYNDROME_PSN,
		.secondary = true,
	},
	{
		.name = "FLUSH",
		.doc = "The WQE was flushed because the queue pair was in error; seen with "
		       "syndrome 0x05.",
		.source = "github.com/linux-nvme/nvme-cli, issue 3268; novitalabs/pegaflow, issue "
			  "230",
		.value = SEGUE_VENDOR_SYNDROME_FLUSH,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_vendor_syndrome_desc = {
	.name = "vendor_syndrome",
	.doc = "Second, device-specific error code of error completions (vendor_err in verbs). "
	       "NVIDIA documents none of them; only these are known.",
	.bits = 8,
	.member_count = 5,
	.members = vendor_syndrome_members,
};

static const struct segue_member_desc wait_cond_members[] = {
	{
		.name = "ALWAYS_TRUE",
		.doc = "Does not wait.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_ALWAYS_TRUE,
		.secondary = true,
	},
	{
		.name = "EQUAL",
		.doc = "The word equals the value.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_EQUAL,
		.secondary = true,
	},
	{
		.name = "BIGGER",
		.doc = "The word is bigger.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_BIGGER,
		.secondary = true,
	},
	{
		.name = "SMALLER",
		.doc = "The word is smaller.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_SMALLER,
		.secondary = true,
	},
	{
		.name = "CYCLIC_BIGGER",
		.doc = "The word is bigger in arithmetic that wraps.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_CYCLIC_BIGGER,
		.secondary = true,
	},
	{
		.name = "CYCLIC_SMALLER",
		.doc = "The word is smaller in arithmetic that wraps. DPDK waits for a time with "
		       "it.",
		.source = "DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*",
		.value = SEGUE_WAIT_COND_CYCLIC_SMALLER,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_wait_cond_desc = {
	.name = "wait_cond",
	.doc = "Comparison that WAIT on data or on time makes between the word it watches and the "
	       "given value, both after masking.",
	.bits = 4,
	.member_count = 6,
	.members = wait_cond_members,
};

static const struct segue_member_desc wait_fail_action_members[] = {
	{
		.name = "RETRY",
		.doc = "Reads the word again until the comparison holds.",
		.source = "UCC src/components/tl/mlx5/tl_mlx5_wqe.c, ACTION_RETRY and "
			  "ACTION_SEND_ERR_CQE",
		.value = SEGUE_WAIT_FAIL_ACTION_RETRY,
		.secondary = true,
	},
	{
		.name = "SEND_ERR_CQE",
		.doc = "Gives up with an error completion.",
		.source = "UCC src/components/tl/mlx5/tl_mlx5_wqe.c, ACTION_RETRY and "
			  "ACTION_SEND_ERR_CQE",
		.value = SEGUE_WAIT_FAIL_ACTION_SEND_ERR_CQE,
		.secondary = true,
	},
};

const struct segue_enum_desc segue_wait_fail_action_desc = {
	.name = "wait_fail_action",
	.doc = "What WAIT on data does while the comparison fails, low three bits of va_fail.",
	.bits = 3,
	.member_count = 2,
	.members = wait_fail_action_members,
};

static const struct segue_member_desc wqe_members[] = {
	{
		.name = "BLOCK_SIZE",
		.doc = "Bytes of a basic block. A WQE starts on a block, and the ring and the "
		       "producer index count blocks.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_BLOCK_SIZE,
	},
	{
		.name = "BLOCK_SHIFT",
		.doc = "Base-2 logarithm of BLOCK_SIZE.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_BLOCK_SHIFT,
	},
	{
		.name = "UNIT_SIZE",
		.doc = "Bytes of a unit, in which the control segment gives the length of a WQE.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_UNIT_SIZE,
	},
	{
		.name = "MAX_UNITS",
		.doc = "Most units that the 6-bit length in the control segment can express.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_MAX_UNITS,
	},
	{
		.name = "MAX_SIZE",
		.doc = "Bytes of the largest WQE, MAX_UNITS times UNIT_SIZE. A queue may have been "
		       "created for less.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_MAX_SIZE,
	},
	{
		.name = "INDEX_MASK",
		.doc = "Producer indices count blocks modulo 65536.",
		.source = "infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and "
			  "mlx5dv_set_ctrl_seg (ds)",
		.value = SEGUE_WQE_INDEX_MASK,
	},
};

const struct segue_enum_desc segue_wqe_desc = {
	.name = "wqe",
	.doc = "Sizes of send work-queue entries.",
	.bits = 16,
	.member_count = 6,
	.members = wqe_members,
};

static const struct segue_field_desc seg_atomic_fields[] = {
	{
		.name = "swap_add",
		.doc = "The new value for compare-and-swap, the addend for fetch-and-add.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "compare",
		.doc = "The value that the remote word must have for the swap to take place. "
		       "Ignored by fetch-and-add, where it is 0.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_atomic_desc = {
	.name = "atomic",
	.doc = "Operands of a 64-bit atomic, compare-and-swap or fetch-and-add. A data segment "
	       "that follows says where the old value goes.",
	.size = 16,
	.field_count = 2,
	.fields = seg_atomic_fields,
};

static const struct segue_field_desc seg_atomic_add_fields[] = {
	{
		.name = "swap_add",
		.doc = "The addend.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_atomic_add_desc = {
	.name = "atomic_add",
	.doc = "Operand of a 64-bit fetch-and-add: the atomic segment without its compare value, "
	       "which the device ignores. libmlx5 and UCX leave that half as they found it, so it "
	       "may hold anything in a WQE of theirs.",
	.size = 16,
	.field_count = 2,
	.fields = seg_atomic_add_fields,
};

static const struct segue_field_desc seg_av_dc_fields[] = {
	{
		.name = "dc_key",
		.doc = "Access key of the peer's DC target. A request with another key is refused.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "dqp_dct",
		.doc = "Number of the peer's DC target.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reverse_sl",
		.doc = "Service level for the packets that the peer sends back, such as "
		       "acknowledgements. Set by UCX; libmlx5 always writes 0.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "ext",
		.doc = "Extended address vector. Always set here, because 32 more bytes follow "
		       "(MLX5_EXTENDED_UD_AV).",
		.byte = 8,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "stat_rate",
		.doc = "Static rate limit of this path as the device codes it; 0 means the full "
		       "rate of the port.",
		.byte = 12,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "sl",
		.doc = "Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, "
		       "with bit 0 zero.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "fl",
		.doc = "Force loopback. Set, the packet is delivered to this port itself without "
		       "reaching the wire.",
		.byte = 12,
		.word = 32,
		.lsb = 23,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "mlid",
		.doc = "Source path bits, the low bits of the source LID, on InfiniBand. Zero on "
		       "RoCE.",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "rlid",
		.doc = "LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which "
		       "spreads flows over equal-cost paths.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "rmac",
		.doc = "Ethernet address of the next hop on RoCE. Zero on InfiniBand.",
		.byte = 20,
		.word = 0,
		.lsb = 0,
		.width = 48,
	},
	{
		.name = "tclass",
		.doc = "Traffic class of the global route header, or the IPv4 type of service or "
		       "IPv6 traffic class on RoCE v2.",
		.byte = 24,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "hop_limit",
		.doc = "Hop limit of the global route header, or the IP time to live on RoCE v2.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "grh",
		.doc = "Set when a global route header is present on InfiniBand. Must be zero on "
		       "RoCE, whose packets always have one.",
		.byte = 28,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "sgid_index",
		.doc = "Index of the source GID, and so of the source address, in the GID table of "
		       "the port.",
		.byte = 28,
		.word = 32,
		.lsb = 20,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "flow_label",
		.doc = "Flow label of the global route header or of the IPv6 header.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 20,
		.max = 0xfffffu,
	},
	{
		.name = "rgid",
		.doc = "GID of the peer, or its IPv6 address, or its IPv4 address mapped into "
		       "IPv6.",
		.byte = 32,
		.word = 0,
		.lsb = 0,
		.width = 128,
	},
	{
		.name = "reserved_at_41",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 28,
		.width = 3,
		.reserved = true,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_e0",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_e2",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 28,
		.width = 2,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_av_dc_desc = {
	.name = "av_dc",
	.doc = "Address vector of a DC initiator, 48 bytes. A DC initiator connects to the DC "
	       "target named here for as long as it has work for it; the vector is prepared once "
	       "per peer and copied into each WQE with the target's number and access key.",
	.size = 48,
	.field_count = 20,
	.fields = seg_av_dc_fields,
};

static const struct segue_field_desc seg_av_dc_compact_fields[] = {
	{
		.name = "dc_key",
		.doc = "Access key of the peer's DC target. A request with another key is refused.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "dqp_dct",
		.doc = "Number of the peer's DC target.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reverse_sl",
		.doc = "Service level for the packets that the peer sends back, such as "
		       "acknowledgements. Set by UCX; libmlx5 always writes 0.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "ext",
		.doc = "Extended address vector. Always clear here, because nothing but these 16 "
		       "bytes is present.",
		.byte = 8,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "stat_rate",
		.doc = "Static rate limit of this path as the device codes it; 0 means the full "
		       "rate of the port.",
		.byte = 12,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "sl",
		.doc = "Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, "
		       "with bit 0 zero.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "fl",
		.doc = "Force loopback. Set, the packet is delivered to this port itself without "
		       "reaching the wire.",
		.byte = 12,
		.word = 32,
		.lsb = 23,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "mlid",
		.doc = "Source path bits, the low bits of the source LID, on InfiniBand. Zero on "
		       "RoCE.",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "rlid",
		.doc = "LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which "
		       "spreads flows over equal-cost paths.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_41",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 28,
		.width = 3,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_av_dc_compact_desc = {
	.name = "av_dc_compact",
	.doc = "Short address vector of a DC initiator, 16 bytes: the first third of the full one "
	       "with its extension bit clear. Enough inside one InfiniBand subnet, where no global "
	       "route header is needed; not for RoCE.",
	.size = 16,
	.field_count = 10,
	.fields = seg_av_dc_compact_fields,
};

static const struct segue_field_desc seg_av_ud_fields[] = {
	{
		.name = "qkey",
		.doc = "Queue key of the peer's UD queue pair; a datagram with another key is "
		       "dropped there.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "dqp_dct",
		.doc = "Number of the peer's UD queue pair.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "ext",
		.doc = "Extended address vector. Always set here, because 32 more bytes follow "
		       "(MLX5_EXTENDED_UD_AV).",
		.byte = 8,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "stat_rate",
		.doc = "Static rate limit of this path as the device codes it; 0 means the full "
		       "rate of the port.",
		.byte = 12,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "sl",
		.doc = "Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, "
		       "with bit 0 zero.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "fl",
		.doc = "Force loopback. Set, the packet is delivered to this port itself without "
		       "reaching the wire.",
		.byte = 12,
		.word = 32,
		.lsb = 23,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "mlid",
		.doc = "Source path bits, the low bits of the source LID, on InfiniBand. Zero on "
		       "RoCE.",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "rlid",
		.doc = "LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which "
		       "spreads flows over equal-cost paths.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "rmac",
		.doc = "Ethernet address of the next hop on RoCE. Zero on InfiniBand.",
		.byte = 20,
		.word = 0,
		.lsb = 0,
		.width = 48,
	},
	{
		.name = "tclass",
		.doc = "Traffic class of the global route header, or the IPv4 type of service or "
		       "IPv6 traffic class on RoCE v2.",
		.byte = 24,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "hop_limit",
		.doc = "Hop limit of the global route header, or the IP time to live on RoCE v2.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "grh",
		.doc = "Set when a global route header is present on InfiniBand. Must be zero on "
		       "RoCE, whose packets always have one.",
		.byte = 28,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "sgid_index",
		.doc = "Index of the source GID, and so of the source address, in the GID table of "
		       "the port.",
		.byte = 28,
		.word = 32,
		.lsb = 20,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "flow_label",
		.doc = "Flow label of the global route header or of the IPv6 header.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 20,
		.max = 0xfffffu,
	},
	{
		.name = "rgid",
		.doc = "GID of the peer, or its IPv6 address, or its IPv4 address mapped into "
		       "IPv6.",
		.byte = 32,
		.word = 0,
		.lsb = 0,
		.width = 128,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_41",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 7,
		.reserved = true,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_e0",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_e2",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 28,
		.width = 2,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_av_ud_desc = {
	.name = "av_ud",
	.doc = "Address vector of a UD send, 48 bytes. Holds the whole path to the peer, because a "
	       "datagram queue has no fixed peer; it is prepared once per peer (an address handle) "
	       "and copied into each WQE with the peer's number and key.",
	.size = 48,
	.field_count = 20,
	.fields = seg_av_ud_fields,
};

static const struct segue_field_desc seg_av_ud_compact_fields[] = {
	{
		.name = "qkey",
		.doc = "Queue key of the peer's UD queue pair; a datagram with another key is "
		       "dropped there.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "dqp_dct",
		.doc = "Number of the peer's UD queue pair.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "ext",
		.doc = "Extended address vector. Always clear here, because nothing but these 16 "
		       "bytes is present.",
		.byte = 8,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "stat_rate",
		.doc = "Static rate limit of this path as the device codes it; 0 means the full "
		       "rate of the port.",
		.byte = 12,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "sl",
		.doc = "Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, "
		       "with bit 0 zero.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "fl",
		.doc = "Force loopback. Set, the packet is delivered to this port itself without "
		       "reaching the wire.",
		.byte = 12,
		.word = 32,
		.lsb = 23,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "mlid",
		.doc = "Source path bits, the low bits of the source LID, on InfiniBand. Zero on "
		       "RoCE.",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "rlid",
		.doc = "LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which "
		       "spreads flows over equal-cost paths.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_41",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 7,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_av_ud_compact_desc = {
	.name = "av_ud_compact",
	.doc = "Short address vector of a UD send, 16 bytes: the first third of the full one with "
	       "its extension bit clear. Enough inside one InfiniBand subnet, where no global "
	       "route header is needed; not for RoCE.",
	.size = 16,
	.field_count = 10,
	.fields = seg_av_ud_compact_fields,
};

static const struct segue_field_desc seg_bind_klm_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the piece.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.min = 0x1u,
		.max = 0x80000000u,
	},
	{
		.name = "mkey",
		.doc = "Local key of the memory region.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "address",
		.doc = "First byte, as the memory region counts addresses.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 0,
		.lsb = 0,
		.width = 384,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_bind_klm_desc = {
	.name = "bind_klm",
	.doc = "The one list entry of a memory window's binding, padded with zeros to 64 bytes: "
	       "the piece of a memory region that the window opens.",
	.size = 64,
	.field_count = 4,
	.fields = seg_bind_klm_fields,
};

static const struct segue_field_desc seg_bsf_fields[] = {
	{
		.name = "bsf_size",
		.doc = "Size of the BSF, or of both when a crypto BSF follows.",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_bsf_size_desc,
	},
	{
		.name = "sbs",
		.doc = "Same block structure. Blocks have the same size and signature in memory "
		       "and on the wire, so the device may copy signature bytes instead of "
		       "computing them anew.",
		.byte = 0,
		.word = 32,
		.lsb = 28,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "bsf_type",
		.doc = "Always a signature BSF, which tells it from a crypto BSF.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 2,
		.is_const = true,
		.const_value = 0x0u,
		.enumeration = &segue_bsf_type_desc,
	},
	{
		.name = "check_byte_mask",
		.doc = "Which bytes of each block's signature the device checks; a deviation is "
		       "reported by a sig_err_cqe.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_sig_mask_desc,
	},
	{
		.name = "w_bs_or_copy_mask",
		.doc = "With sbs the signature bytes that are copied (sig_mask), else the block "
		       "size on the wire (bsf_block_size).",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "m_bs_selector",
		.doc = "Size of the blocks in memory, each of which has a signature of its own "
		       "behind it.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_bsf_block_size_desc,
	},
	{
		.name = "raw_data_size",
		.doc = "Length of the data without signatures; all ones for any.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "w_bfs",
		.doc = "Checksum of a block on the wire.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_bsf_bfs_desc,
	},
	{
		.name = "w_psv",
		.doc = "Number of the protection signature value that keeps the state of the wire.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "m_bfs",
		.doc = "Checksum of a block in memory.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_bsf_bfs_desc,
	},
	{
		.name = "m_psv",
		.doc = "Number of the protection signature value that keeps the state of memory.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "t_init_gen_pro_size",
		.doc = "Transaction signature: initial value, generator and prologue size. No "
		       "public driver uses it; leave 0.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "rsvd_epi_size",
		.doc = "Transaction signature: epilogue size. No public driver uses it; leave 0.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "w_tfs_psv",
		.doc = "Transaction signature on the wire. No public driver uses it; leave 0.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "m_tfs_psv",
		.doc = "Transaction signature in memory. No public driver uses it; leave 0.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "w_inl",
		.doc = "T10-DIF fields on the wire.",
		.byte = 32,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.format = &segue_seg_bsf_inl_desc,
		.count = 1,
	},
	{
		.name = "m_inl",
		.doc = "T10-DIF fields in memory.",
		.byte = 48,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.format = &segue_seg_bsf_inl_desc,
		.count = 1,
	},
	{
		.name = "reserved_at_2",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 29,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_4",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 26,
		.width = 2,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_bsf_desc = {
	.name = "bsf",
	.doc = "Byte stream format of a signature key. Says how data are cut into blocks, and "
	       "which signature each block has in memory and on the wire, so that the device "
	       "checks, strips, inserts or copies signatures on the way.",
	.size = 64,
	.field_count = 19,
	.fields = seg_bsf_fields,
};

static const struct segue_field_desc seg_bsf_inl_fields[] = {
	{
		.name = "vld_refresh",
		.doc = "Whether the part is in use.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
		.flags = &segue_bsf_inl_valid_desc,
	},
	{
		.name = "dif_apptag",
		.doc = "Application tag of each block.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "dif_reftag",
		.doc = "Reference tag of the first block.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "sig_type",
		.doc = "How the guard is computed.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_t10dif_desc,
	},
	{
		.name = "rp_inv_seed",
		.doc = "Repetition and seed of the guard.",
		.byte = 8,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_bsf_rp_inv_seed_desc,
	},
	{
		.name = "dif_inc_ref_guard_check",
		.doc = "Increment of the reference tag, and escapes.",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_bsf_dif_flag_desc,
	},
	{
		.name = "dif_app_bitmask_check",
		.doc = "Bits of the application tag that are checked; libmlx5 writes 0xffff.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_50",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_bsf_inl_desc = {
	.name = "bsf_inl",
	.doc = "Inline part of a signature BSF. Describes the T10-DIF fields (guard, application "
	       "tag, reference tag) of one domain, wire or memory.",
	.size = 16,
	.field_count = 9,
	.fields = seg_bsf_inl_fields,
};

static const struct segue_field_desc seg_check_psv_fields[] = {
	{
		.name = "err_coalescing_op",
		.doc = "How several errors are combined. No public source explains the values.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "xport_err_op",
		.doc = "What happens to the queue pair on an error. No public source explains the "
		       "values.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "xport_err_mask",
		.doc = "Which errors affect the queue pair. No public source explains the bits.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "num_psv",
		.doc = "How many of the four psv_index fields count, from the first on.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "l_key",
		.doc = "Local key of that memory.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "va",
		.doc = "Address of the memory in which the device keeps the checked values.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "psv_index_0",
		.doc = "Number of protection signature value one.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_1",
		.doc = "Number of protection signature value two.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_2",
		.doc = "Number of protection signature value three.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_3",
		.doc = "Number of protection signature value four.",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_check_psv_desc = {
	.name = "check_psv",
	.doc = "CHECK_PSV segment. Checks up to four protection signature values and turns "
	       "deviations into errors. Declared, but posted neither by libmlx5 nor by the kernel.",
	.size = 48,
	.field_count = 15,
	.fields = seg_check_psv_fields,
};

static const struct segue_field_desc seg_command_in_fields[] = {
	{
		.name = "opcode",
		.doc = "What to do.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
		.enumeration = &segue_command_desc,
	},
	{
		.name = "op_mod",
		.doc = "Variant of the command, of query_hca_cap_op_mod for QUERY_HCA_CAP.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "number",
		.doc = "Number of the object; 0 where there is none.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_10",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_command_in_desc = {
	.name = "command_in",
	.doc = "Command to the device: what to do, and to which object. The shortest form, which "
	       "all queries have.",
	.size = 16,
	.field_count = 7,
	.fields = seg_command_in_fields,
};

static const struct segue_field_desc seg_cq_arm_fields[] = {
	{
		.name = "arm_sn",
		.doc = "Sequence number modulo 4, one more after each event, by which the device "
		       "tells a new request from a repeated one.",
		.byte = 0,
		.word = 32,
		.lsb = 28,
		.width = 2,
		.max = 0x3u,
	},
	{
		.name = "cmd",
		.doc = "What to raise an event for.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 1,
		.max = 0x1u,
		.enumeration = &segue_cq_arm_cmd_desc,
	},
	{
		.name = "ci",
		.doc = "Consumer counter up to which software has polled.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "cqn",
		.doc = "Number of the completion queue.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 2,
		.reserved = true,
	},
	{
		.name = "reserved_at_4",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 25,
		.width = 3,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_cq_arm_desc = {
	.name = "cq_arm",
	.doc = "Arming doorbell of a completion queue: 8 bytes written to the UAR at offset "
	       "CQ_DOORBELL, whose upper half is first stored in the ARM word of the doorbell "
	       "record.",
	.size = 8,
	.field_count = 7,
	.fields = seg_cq_arm_fields,
};

static const struct segue_field_desc seg_create_dek_in_fields[] = {
	{
		.name = "opcode",
		.doc = "What to do.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.is_const = true,
		.const_value = 0xa00u,
		.enumeration = &segue_command_desc,
	},
	{
		.name = "obj_type",
		.doc = "What to make.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.is_const = true,
		.const_value = 0xcu,
		.enumeration = &segue_general_object_desc,
	},
	{
		.name = "key_size",
		.doc = "Size of each half of the key.",
		.byte = 24,
		.word = 32,
		.lsb = 8,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_dek_size_desc,
	},
	{
		.name = "has_keytag",
		.doc = "Keys with crypto settings must name the tag that follows the key.",
		.byte = 24,
		.word = 32,
		.lsb = 7,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "key_purpose",
		.doc = "What the key is for.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_dek_purpose_desc,
	},
	{
		.name = "pd",
		.doc = "Number of the protection domain.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "opaque",
		.doc = "Whatever tells the user which key this is.",
		.byte = 64,
		.word = 0,
		.lsb = 0,
		.width = 64,
	},
	{
		.name = "key",
		.doc = "Both halves, then the tag if there is one; wrapped as a whole on devices "
		       "that import keys wrapped. Filled with zeros.",
		.byte = 80,
		.word = 0,
		.lsb = 0,
		.width = 1024,
	},
	{
		.name = "reserved_at_10",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 32,
		.lsb = 12,
		.width = 20,
		.reserved = true,
	},
	{
		.name = "reserved_at_d9",
		.doc = "",
		.byte = 24,
		.word = 32,
		.lsb = 4,
		.width = 3,
		.reserved = true,
	},
	{
		.name = "reserved_at_e0",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 0,
		.lsb = 0,
		.width = 256,
		.reserved = true,
	},
	{
		.name = "reserved_at_240",
		.doc = "",
		.byte = 72,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_680",
		.doc = "",
		.byte = 208,
		.word = 0,
		.lsb = 0,
		.width = 512,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_create_dek_in_desc = {
	.name = "create_dek_in",
	.doc = "Command CREATE_GENERAL_OBJECT for a data encryption key.",
	.size = 272,
	.field_count = 17,
	.fields = seg_create_dek_in_fields,
};

static const struct segue_field_desc seg_create_object_out_fields[] = {
	{
		.name = "status",
		.doc = "0 if the command was done.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why it was not, for the vendor.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "obj_id",
		.doc = "Number of the object.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_create_object_out_desc = {
	.name = "create_object_out",
	.doc = "Answer to CREATE_GENERAL_OBJECT.",
	.size = 16,
	.field_count = 5,
	.fields = seg_create_object_out_fields,
};

static const struct segue_field_desc seg_create_psv_in_fields[] = {
	{
		.name = "opcode",
		.doc = "What to do.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.is_const = true,
		.const_value = 0x600u,
		.enumeration = &segue_command_desc,
	},
	{
		.name = "op_mod",
		.doc = "Variant of the command; there is none.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "num_psv",
		.doc = "How many. The kernel lets 1 through.",
		.byte = 8,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "pd",
		.doc = "Number of the protection domain.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_10",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_44",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_create_psv_in_desc = {
	.name = "create_psv_in",
	.doc = "Command CREATE_PSV, which makes protection signature values.",
	.size = 16,
	.field_count = 8,
	.fields = seg_create_psv_in_fields,
};

static const struct segue_field_desc seg_create_psv_out_fields[] = {
	{
		.name = "status",
		.doc = "0 if the command was done.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why it was not, for the vendor.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv0_index",
		.doc = "Number of the first protection signature value.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "psv1_index",
		.doc = "Number of the second one.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "psv2_index",
		.doc = "Number of the third one.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "psv3_index",
		.doc = "Number of the fourth one.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_a0",
		.doc = "",
		.byte = 20,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_e0",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_create_psv_out_desc = {
	.name = "create_psv_out",
	.doc = "Answer to CREATE_PSV.",
	.size = 32,
	.field_count = 12,
	.fields = seg_create_psv_out_fields,
};

static const struct segue_field_desc seg_crypto_bsf_fields[] = {
	{
		.name = "bsf_size",
		.doc = "WITH_INLINE when it stands alone, SIG_AND_CRYPTO behind a signature BSF.",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_bsf_size_desc,
	},
	{
		.name = "bsf_type",
		.doc = "Always a crypto BSF, which tells it from a signature BSF.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 2,
		.is_const = true,
		.const_value = 0x1u,
		.enumeration = &segue_bsf_type_desc,
	},
	{
		.name = "enc_order",
		.doc = "Where data are encrypted, and the order of encryption and signature.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_crypto_order_desc,
	},
	{
		.name = "enc_standard",
		.doc = "Encryption standard; there is only one so far.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_crypto_standard_desc,
	},
	{
		.name = "raw_data_size",
		.doc = "Length of the data; all ones for any.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "bs_pointer",
		.doc = "Size of a data unit, the piece that is encrypted under one tweak. The "
		       "tweak grows by one from unit to unit.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_bsf_block_size_desc,
	},
	{
		.name = "xts_init_tweak",
		.doc = "Tweak of the first data unit. Devices that encrypt several units at once "
		       "take it big-endian, others little-endian.",
		.byte = 16,
		.word = 0,
		.lsb = 0,
		.width = 128,
	},
	{
		.name = "dek_ptr",
		.doc = "Number of the data encryption key object.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "keytag",
		.doc = "Tag that must agree with the one in the data encryption key, if that has "
		       "one.",
		.byte = 40,
		.word = 0,
		.lsb = 0,
		.width = 64,
	},
	{
		.name = "reserved_at_2",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 26,
		.width = 4,
		.reserved = true,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 20,
		.width = 4,
		.reserved = true,
	},
	{
		.name = "reserved_at_10",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 4,
		.width = 12,
		.reserved = true,
	},
	{
		.name = "reserved_at_48",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_120",
		.doc = "",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_180",
		.doc = "",
		.byte = 48,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_crypto_bsf_desc = {
	.name = "crypto_bsf",
	.doc = "Byte stream format of a crypto key. Names the key and the tweak with which the "
	       "device encrypts or decrypts data on their way through the memory key.",
	.size = 64,
	.field_count = 17,
	.fields = seg_crypto_bsf_fields,
};

static const struct segue_field_desc seg_ctrl_fields[] = {
	{
		.name = "opmod",
		.doc = "Opcode modifier. Its meaning depends on the opcode and it is 0 for most; "
		       "see the enums opmod_*.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "wqe_index",
		.doc = "Number of the WQE's first 64-byte block, counted since the queue was reset "
		       "and wrapped at 65536, whatever the ring's size. Comes back in the "
		       "completion.",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "opcode",
		.doc = "The operation, which also decides which segments must follow.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair, or of the send queue of a raw packet queue pair. "
		       "A wrong one is answered with a local queue operation error.",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "ds",
		.doc = "Length of the whole WQE including this segment, in units of 16 bytes.",
		.unit = "16 bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 6,
		.min = 0x1u,
		.max = 0x3fu,
	},
	{
		.name = "signature",
		.doc = "Complement of the exclusive or of all other bytes of the WQE when the "
		       "queue was created with WQE signatures, else 0.",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "dci_stream_channel_id",
		.doc = "Stream of a DC initiator that was created with streams; an error then "
		       "stops that stream only. Ignored on all other queues.",
		.byte = 8,
		.word = 32,
		.lsb = 8,
		.width = 16,
		.stale = true,
		.max = 0xffffu,
	},
	{
		.name = "fm",
		.doc = "Fence mode, the earlier work that this WQE waits for.",
		.byte = 8,
		.word = 32,
		.lsb = 5,
		.width = 3,
		.max = 0x7u,
		.enumeration = &segue_fence_desc,
	},
	{
		.name = "ce",
		.doc = "Completion mode, when this WQE writes a completion.",
		.byte = 8,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_completion_mode_desc,
	},
	{
		.name = "se",
		.doc = "Solicited event. The peer's completion carries the bit, which wakes a "
		       "consumer that has armed for solicited completions.",
		.byte = 8,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "imm",
		.doc = "By opcode the immediate data, the remote key to invalidate, the memory key "
		       "that a UMR changes, or the upper half of the MMO control word; else 0.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_38",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 6,
		.width = 2,
		.reserved = true,
	},
	{
		.name = "reserved_at_5b",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 4,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_5f",
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
	.doc = "Control segment, the first 16 bytes of every send WQE. Says which operation it is, "
	       "which queue it belongs to, how long it is, what it waits for and whether it "
	       "completes; the device reads its first 8 bytes also from the doorbell.",
	.size = 16,
	.field_count = 14,
	.fields = seg_ctrl_fields,
};

/* clang-format off */
static const uint64_t seg_data_lkey_never[] = {
	0x100u,
};
/* clang-format on */

static const struct segue_field_desc seg_data_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the piece. Never 0, which the device would take for 2 GiB; leave "
		       "an empty piece out instead.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 31,
		.min = 0x1u,
		.max = 0x7fffffffu,
	},
	{
		.name = "is_inline",
		.doc = "Clear, because the data is elsewhere; set (MLX5_INLINE_SEG) the payload "
		       "itself would follow.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "lkey",
		.doc = "Local key of the memory region. 0x100 is the invalid key, which ends a "
		       "receive list (see data_end).",
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
		.doc = "First byte, as the memory region counts addresses.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_data_desc = {
	.name = "data",
	.doc = "Data segment, one entry of a scatter/gather list: a piece of local memory to send "
	       "from or receive into. Also the body of every receive WQE.",
	.size = 16,
	.field_count = 4,
	.fields = seg_data_fields,
};

static const struct segue_field_desc seg_data_end_fields[] = {
	{
		.name = "byte_count",
		.doc = "Always 0, a length that no real piece has.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "lkey",
		.doc = "The invalid local key, at which the device stops reading the list.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x100u,
	},
	{
		.name = "reserved_at_40",
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
	.doc = "End of a receive list. Closes a receive WQE that holds fewer data segments than "
	       "its stride has room for; it has the form of a data segment with length 0 and the "
	       "invalid key.",
	.size = 16,
	.field_count = 3,
	.fields = seg_data_end_fields,
};

static const struct segue_field_desc seg_eth_fields[] = {
	{
		.name = "swp_outer_l4_offset",
		.doc = "Where the outer transport header starts, for the software parser; 0 lets "
		       "the device find it.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_outer_l3_offset",
		.doc = "Where the outer network header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_inner_l4_offset",
		.doc = "Where the inner transport header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_inner_l3_offset",
		.doc = "Where the inner network header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "cs_flags",
		.doc = "Checksums that the device is to compute and put into the packet.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_eth_cs_flag_desc,
	},
	{
		.name = "swp_flags",
		.doc = "Header types for the software parser.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_eth_swp_flag_desc,
	},
	{
		.name = "mss",
		.doc = "For TSO the bytes of TCP payload in each packet; else 0.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "flow_table_metadata",
		.doc = "Metadata that egress flow rules can match on; 0 when unused.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "inline_hdr_sz",
		.doc = "Bytes of packet header that follow. 0 if the device does not need any; 18 "
		       "on those that do; the whole header for TSO.",
		.unit = "bytes",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 10,
		.max = 0x3ffu,
	},
	{
		.name = "vlan_insert",
		.doc = "Clear; set, a VLAN tag would follow in place of headers (segment "
		       "eth_vlan).",
		.byte = 12,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "reserved_at_61",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 26,
		.width = 5,
		.reserved = true,
	},
	{
		.name = "reserved_at_70",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_eth_desc = {
	.name = "eth",
	.doc = "Ethernet segment of a raw packet queue. Says which checksums to compute and how to "
	       "segment, and carries the first bytes of the packet, which some devices want "
	       "inlined; these begin in the middle of the second unit, right behind the fixed 14 "
	       "bytes.",
	.size = 16,
	.field_count = 12,
	.fields = seg_eth_fields,
	.has_tail = true,
	.tail_at = 14,
	.tail_length = 8, /* inline_hdr_sz */
	.tail_pad = 16,
	.tail_min_size = 16,
};

static const struct segue_field_desc seg_eth_pad_fields[] = {
	{
		.name = "no_byte_count",
		.doc = "Zero where a data segment has its length, which tells the two apart.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 0,
		.lsb = 0,
		.width = 96,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_eth_pad_desc = {
	.name = "eth_pad",
	.doc = "Padding between the address vector and the Ethernet segment of a UD queue pair "
	       "that underlies IPoIB.",
	.size = 16,
	.field_count = 2,
	.fields = seg_eth_pad_fields,
};

static const struct segue_field_desc seg_eth_vlan_fields[] = {
	{
		.name = "swp_outer_l4_offset",
		.doc = "Where the outer transport header starts, for the software parser; 0 lets "
		       "the device find it.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_outer_l3_offset",
		.doc = "Where the outer network header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_inner_l4_offset",
		.doc = "Where the inner transport header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "swp_inner_l3_offset",
		.doc = "Where the inner network header starts, for the software parser.",
		.unit = "2 bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "cs_flags",
		.doc = "Checksums that the device is to compute and put into the packet.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_eth_cs_flag_desc,
	},
	{
		.name = "swp_flags",
		.doc = "Header types for the software parser.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_eth_swp_flag_desc,
	},
	{
		.name = "mss",
		.doc = "For TSO the bytes of TCP payload in each packet; else 0.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "flow_table_metadata",
		.doc = "Metadata that egress flow rules can match on; 0 when unused.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "vlan_insert",
		.doc = "Set, which tells this segment from the one with inlined headers.",
		.byte = 12,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "svlan",
		.doc = "Inserts a service tag (802.1ad) instead of a customer tag (802.1Q).",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "vlan_tci",
		.doc = "The tag: priority, drop eligibility and VLAN number.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_61",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 17,
		.width = 14,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_eth_vlan_desc = {
	.name = "eth_vlan",
	.doc = "Ethernet segment that has the device insert a VLAN tag. Nothing can be inlined "
	       "with it.",
	.size = 16,
	.field_count = 12,
	.fields = seg_eth_vlan_fields,
};

static const struct segue_field_desc seg_filler_fields[] = {
	{
		.name = "bytes",
		.doc = "Anything.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 128,
	},
};

const struct segue_segment_desc segue_seg_filler_desc = {
	.name = "filler",
	.doc = "Sixteen bytes that the device steps over without looking at them, in a NOP that "
	       "takes up room in the ring. Also what is left of a request that was turned into a "
	       "NOP after posting.",
	.size = 16,
	.field_count = 1,
	.fields = seg_filler_fields,
};

static const struct segue_field_desc seg_flow_update_ctrl_fields[] = {
	{
		.name = "op",
		.doc = "What is done with the steering entry.",
		.byte = 0,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_flow_op_desc,
	},
	{
		.name = "direct_index",
		.doc = "Index of the entry in a table that is not hashed (With op, flow_idx_update "
		       "of libmlx5).",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 28,
		.max = 0xfffffffu,
	},
	{
		.name = "stc_ix_0",
		.doc = "Steering action object of slot 0 (dest_handle of libmlx5).",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "stc_ix_1",
		.doc = "Steering action object of slot 1.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "stc_ix_2",
		.doc = "Steering action object of slot 2.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "stc_ix_3",
		.doc = "Steering action object of slot 3.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "stc_ix_4",
		.doc = "Steering action object of slot 4.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 0,
		.lsb = 0,
		.width = 192,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_flow_update_ctrl_desc = {
	.name = "flow_update_ctrl",
	.doc = "Control segment of FLOW_TBL_ACCESS. For a steering entry it says where it goes and "
	       "which actions it has; for modify-header arguments all of it is zero.",
	.size = 48,
	.field_count = 8,
	.fields = seg_flow_update_ctrl_fields,
};

static const struct segue_field_desc seg_get_psv_fields[] = {
	{
		.name = "num_psv",
		.doc = "How many of the four psv_index fields count, from the first on.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "l_key",
		.doc = "Local key of the memory they are written to.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "va",
		.doc = "Address to which the device writes the values.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "psv_index_0",
		.doc = "Number of protection signature value one.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_1",
		.doc = "Number of protection signature value two.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_2",
		.doc = "Number of protection signature value three.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "psv_index_3",
		.doc = "Number of protection signature value four.",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_get_psv_desc = {
	.name = "get_psv",
	.doc = "GET_PSV segment. Writes up to four protection signature values to memory. "
	       "Declared, but posted neither by libmlx5 nor by the kernel.",
	.size = 48,
	.field_count = 9,
	.fields = seg_get_psv_fields,
};

static const struct segue_field_desc seg_header_modify_argument_update_fields[] = {
	{
		.name = "argument_list",
		.doc = "The arguments, in the form that the modify-header action expects.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 512,
	},
};

const struct segue_segment_desc segue_seg_header_modify_argument_update_desc = {
	.name = "header_modify_argument_update",
	.doc = "Modify-header arguments, which the flow rules' actions that refer to them will use "
	       "from now on.",
	.size = 64,
	.field_count = 1,
	.fields = seg_header_modify_argument_update_fields,
};

static const struct segue_field_desc seg_inline_data_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the payload. libmlx5 writes no segment at all for an empty one.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 10,
		.min = 0x1u,
		.max = 0x3ffu,
	},
	{
		.name = "is_inline",
		.doc = "Set (MLX5_INLINE_SEG), which tells this segment from a data segment.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "reserved_at_1",
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
	.doc = "Inline data segment. The payload itself follows the 4-byte header, so the device "
	       "needs no second read and no memory key, and the caller may reuse its buffer at "
	       "once; padded to 16 bytes.",
	.size = 4,
	.field_count = 3,
	.fields = seg_inline_data_fields,
	.has_tail = true,
	.tail_at = 4,
	.tail_length = 0, /* byte_count */
	.tail_pad = 16,
	.tail_min_size = 16,
};

/* clang-format off */
static const uint64_t seg_klm_mkey_never[] = {
	0x400u,
};
/* clang-format on */

static const struct segue_field_desc seg_klm_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the piece, at most 2 GiB. 0 only in entries that pad the list to "
		       "a multiple of 64 bytes.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0x80000000u,
	},
	{
		.name = "mkey",
		.doc = "Local key of the memory region or of another memory key that the piece is "
		       "cut from. Never 0x400, which would make a repeat block of it.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
		.never = seg_klm_mkey_never,
		.never_count = 1,
	},
	{
		.name = "address",
		.doc = "First byte of the piece, as that key counts addresses.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_klm_desc = {
	.name = "klm",
	.doc = "KLM, an entry of a translation list (key, length, memory). Several of them make a "
	       "memory key that gathers pieces of other keys.",
	.size = 16,
	.field_count = 3,
	.fields = seg_klm_fields,
};

static const struct segue_field_desc seg_list_pad_fields[] = {
	{
		.name = "zero_0",
		.doc = "Always 0.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.is_const = true,
		.const_value = UINT64_C(0x0),
	},
	{
		.name = "zero_1",
		.doc = "Always 0.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.is_const = true,
		.const_value = UINT64_C(0x0),
	},
};

const struct segue_segment_desc segue_seg_list_pad_desc = {
	.name = "list_pad",
	.doc = "Sixteen zero bytes behind an interleaved translation list. As many follow the last "
	       "entry as make the repeat block and its entries a multiple of 64 bytes.",
	.size = 16,
	.field_count = 2,
	.fields = seg_list_pad_fields,
};

static const struct segue_field_desc seg_masked_cas32_fields[] = {
	{
		.name = "swap",
		.doc = "New value of the bits in swap_mask.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "compare",
		.doc = "Value that the bits in compare_mask must have.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "swap_mask",
		.doc = "Bits that are replaced. All ones swaps the whole word.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "compare_mask",
		.doc = "Bits that are compared. Zero swaps in any case.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
};

const struct segue_segment_desc segue_seg_masked_cas32_desc = {
	.name = "masked_cas32",
	.doc = "Operands of a masked compare-and-swap on 4 bytes. Compares the bits selected by "
	       "compare_mask, and when they agree replaces the bits selected by swap_mask.",
	.size = 16,
	.field_count = 4,
	.fields = seg_masked_cas32_fields,
};

static const struct segue_field_desc seg_masked_cas64_fields[] = {
	{
		.name = "swap",
		.doc = "New value of the bits in swap_mask.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "compare",
		.doc = "Value that the bits in compare_mask must have.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "swap_mask",
		.doc = "Bits that are replaced. All ones swaps the whole word.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "compare_mask",
		.doc = "Bits that are compared. Zero swaps in any case.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_masked_cas64_desc = {
	.name = "masked_cas64",
	.doc = "Operands of a masked compare-and-swap on 8 bytes. Compares the bits selected by "
	       "compare_mask, and when they agree replaces the bits selected by swap_mask.",
	.size = 32,
	.field_count = 4,
	.fields = seg_masked_cas64_fields,
};

static const struct segue_field_desc seg_masked_fa32_fields[] = {
	{
		.name = "add",
		.doc = "Addend, one part per field.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "field_boundary",
		.doc = "Highest bit of each field. Zero adds the word as a whole; all ones makes "
		       "it an exclusive or.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_masked_fa32_desc = {
	.name = "masked_fa32",
	.doc = "Operands of a masked fetch-and-add on 4 bytes. The word is a row of independent "
	       "fields, and each bit set in field_boundary is the most significant one of a field, "
	       "over which no carry runs.",
	.size = 16,
	.field_count = 3,
	.fields = seg_masked_fa32_fields,
};

static const struct segue_field_desc seg_masked_fa64_fields[] = {
	{
		.name = "add",
		.doc = "Addend, one part per field.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "field_boundary",
		.doc = "Highest bit of each field. Zero adds the word as a whole; all ones makes "
		       "it an exclusive or.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_masked_fa64_desc = {
	.name = "masked_fa64",
	.doc = "Operands of a masked fetch-and-add on 8 bytes. The word is a row of independent "
	       "fields, and each bit set in field_boundary is the most significant one of a field, "
	       "over which no carry runs.",
	.size = 16,
	.field_count = 2,
	.fields = seg_masked_fa64_fields,
};

static const struct segue_field_desc seg_mkey_bind_fields[] = {
	{
		.name = "free",
		.doc = "The key is in use.",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "access_flags",
		.doc = "What may be done through the window. The kernel has set the local right to "
		       "read when it created the window.",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_mkey_access_desc,
	},
	{
		.name = "qpn",
		.doc = "The queue pair that a type 2 window is bound to; 0xffffff for type 1, "
		       "which is open to all.",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "mkey_7_0",
		.doc = "Low eight bits of the window's new key.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "start_addr",
		.doc = "Address at which the peer finds the first byte; 0 for a window that counts "
		       "from zero.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "len",
		.doc = "Length of the window; a list entry cannot hold more than 2 GiB.",
		.unit = "bytes",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.min = UINT64_C(0x1),
		.max = UINT64_C(0x80000000),
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_2",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 14,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_18",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 0,
		.lsb = 0,
		.width = 256,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_mkey_bind_desc = {
	.name = "mkey_bind",
	.doc = "Memory key context of the binding of a memory window: where it starts, how long it "
	       "is, what the peer may do. The mask in the UMR control segment leaves all else "
	       "alone, and libmlx5 does not write it.",
	.size = 64,
	.field_count = 11,
	.fields = seg_mkey_bind_fields,
};

static const struct segue_field_desc seg_mkey_context_fields[] = {
	{
		.name = "free",
		.doc = "Set, the key is free: it exists but any access fails. Invalidating a key "
		       "means setting it.",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "access_mode_4_2",
		.doc = "Upper bits of the translation mode, 0 for all modes of access_flags.",
		.byte = 0,
		.word = 32,
		.lsb = 26,
		.width = 3,
		.max = 0x7u,
	},
	{
		.name = "relaxed_ordering_write",
		.doc = "PCIe writes through this key may pass others.",
		.byte = 0,
		.word = 32,
		.lsb = 18,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "small_fence",
		.doc = "RDMA READ responses through this key are fenced "
		       "(small_fence_on_rdma_read_response).",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "access_flags",
		.doc = "Access rights, and the translation mode in the low two bits.",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_mkey_access_desc,
	},
	{
		.name = "sf",
		.doc = "Declared by mlx5dv.h under this name; reserved in the key context of "
		       "mlx5_ifc.h and never written. Leave 0.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "qpn",
		.doc = "Number of the only queue pair that may use the key; 0xffffff for any.",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "mkey_7_0",
		.doc = "Low eight bits of the key, free for the user to vary, so that old copies "
		       "of the key stop working.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "length64",
		.doc = "The key covers the whole address space and len is ignored.",
		.byte = 12,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "bsf_en",
		.doc = "Byte stream formats (signature, crypto) are applied.",
		.byte = 12,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "sync_umr",
		.doc = "The key is changed only when earlier users have finished.",
		.byte = 12,
		.word = 32,
		.lsb = 29,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "expected_sigerr_count",
		.doc = "Parity of the signature errors that software has seen. The device reports "
		       "the next one only when it agrees.",
		.byte = 12,
		.word = 32,
		.lsb = 26,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "en_rinval",
		.doc = "The peer may invalidate the key.",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "pd",
		.doc = "Number of the protection domain.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "start_addr",
		.doc = "Address of the first byte, as users of the key count.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "len",
		.doc = "Length that the key covers.",
		.unit = "bytes",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "bsf_octword_size",
		.doc = "Size of the byte stream formats that the key has room for.",
		.unit = "16 bytes",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "translations_octword_size",
		.doc = "Size of the translation list that the key has room for.",
		.unit = "16 bytes",
		.byte = 52,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "order_read_after_write",
		.doc = "Ordering of reads after writes. Known from DPDK only.",
		.byte = 56,
		.word = 32,
		.lsb = 8,
		.width = 2,
		.max = 0x3u,
	},
	{
		.name = "relaxed_ordering_read",
		.doc = "PCIe reads through this key may pass others.",
		.byte = 56,
		.word = 32,
		.lsb = 6,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "log_page_size",
		.doc = "Base-2 logarithm of the page size. Bit 5 exists on newer devices only.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 6,
		.max = 0x3fu,
	},
	{
		.name = "crypto_en",
		.doc = "1 allows crypto on the key.",
		.byte = 60,
		.word = 32,
		.lsb = 27,
		.width = 2,
		.max = 0x3u,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_2",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 29,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_6",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 19,
		.width = 7,
		.reserved = true,
	},
	{
		.name = "reserved_at_e",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 17,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_63",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 27,
		.width = 2,
		.reserved = true,
	},
	{
		.name = "reserved_at_66",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 25,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_120",
		.doc = "",
		.byte = 36,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
	{
		.name = "reserved_at_1c0",
		.doc = "",
		.byte = 56,
		.word = 32,
		.lsb = 10,
		.width = 22,
		.reserved = true,
	},
	{
		.name = "reserved_at_1d8",
		.doc = "",
		.byte = 56,
		.word = 32,
		.lsb = 7,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_1e0",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 29,
		.width = 3,
		.reserved = true,
	},
	{
		.name = "reserved_at_1e5",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 27,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_mkey_context_desc = {
	.name = "mkey_context",
	.doc = "Memory key context segment. Holds the new values of the fields that the UMR "
	       "control segment selects; the rest is ignored.",
	.size = 64,
	.field_count = 34,
	.fields = seg_mkey_context_fields,
};

static const struct segue_field_desc seg_mkey_invalidate_fields[] = {
	{
		.name = "free",
		.doc = "The key is free.",
		.byte = 0,
		.word = 32,
		.lsb = 30,
		.width = 1,
		.is_const = true,
		.const_value = 0x1u,
	},
	{
		.name = "qpn",
		.doc = "No queue pair.",
		.byte = 4,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.is_const = true,
		.const_value = 0xffffffu,
	},
	{
		.name = "mkey_7_0",
		.doc = "Low eight bits that the key shall have. Zero for LOCAL_INV, the new key's "
		       "for the unbinding of a memory window.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_2",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 30,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 448,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_mkey_invalidate_desc = {
	.name = "mkey_invalidate",
	.doc = "Memory key context of an invalidation: says that the key is free and bound to no "
	       "queue pair. The mask in the UMR control segment leaves all else alone, and libmlx5 "
	       "does not write it.",
	.size = 64,
	.field_count = 6,
	.fields = seg_mkey_invalidate_fields,
};

static const struct segue_field_desc seg_mmo_data_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the source or destination, at most 2 GiB; libmlx5 gives both the "
		       "same.",
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
		.doc = "Local key of the memory.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "addr",
		.doc = "First byte, as the memory region counts addresses.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_mmo_data_desc = {
	.name = "mmo_data",
	.doc = "Data segment of a memory-to-memory operation: the source, then the destination. "
	       "Has the form of a data segment, but a length of 0 means 2 GiB.",
	.size = 16,
	.field_count = 4,
	.fields = seg_mmo_data_fields,
};

static const struct segue_field_desc seg_mmo_metadata_fields[] = {
	{
		.name = "mmo_control_31_0",
		.doc = "Lower half of the control word, 0 for DMA. The upper half is the immediate "
		       "field of the control segment.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "local_key",
		.doc = "Local key of the state memory (opaque buffer).",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "local_address",
		.doc = "Address of the state memory. libmlx5 has one per protection domain, for "
		       "DMA; DPDK one per operation in flight where results come back.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_mmo_metadata_desc = {
	.name = "mmo_metadata",
	.doc = "Metadata segment of a memory-to-memory operation. Holds the operation's parameters "
	       "and names a piece of memory, set aside for it, where the engine keeps state and "
	       "reports results.",
	.size = 16,
	.field_count = 3,
	.fields = seg_mmo_metadata_fields,
};

static const struct segue_field_desc seg_query_hca_cap_atomic_out_fields[] = {
	{
		.name = "status",
		.doc = "0 if the command was done.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why it was not, for the vendor.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "masked_fetch_add",
		.doc = "The device adds with a mask.",
		.byte = 32,
		.word = 32,
		.lsb = 3,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "masked_cmp_swap",
		.doc = "The device compares and swaps with masks.",
		.byte = 32,
		.word = 32,
		.lsb = 2,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "fetch_add",
		.doc = "The device adds.",
		.byte = 32,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "cmp_swap",
		.doc = "The device compares and swaps.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "atomic_size_qp",
		.doc = "Sizes of masked operands on connected queue pairs: bit n for 2^n bytes.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "atomic_size_dc",
		.doc = "The same on DC.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 192,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 32,
		.lsb = 4,
		.width = 28,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_120",
		.doc = "",
		.byte = 36,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_140",
		.doc = "",
		.byte = 40,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_query_hca_cap_atomic_out_desc = {
	.name = "query_hca_cap_atomic_out",
	.doc = "Beginning of the answer to QUERY_HCA_CAP for the capabilities of atomic "
	       "operations, as far as the library looks.",
	.size = 44,
	.field_count = 13,
	.fields = seg_query_hca_cap_atomic_out_fields,
};

static const struct segue_field_desc seg_query_hca_cap_out_fields[] = {
	{
		.name = "status",
		.doc = "0 if the command was done.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why it was not, for the vendor.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "log_max_klm_list_size",
		.doc = "Binary logarithm of the entries that the list of an indirect key may have.",
		.byte = 48,
		.word = 32,
		.lsb = 0,
		.width = 6,
		.max = 0x3fu,
	},
	{
		.name = "compact_address_vector",
		.doc = "The device takes the compact form of address vectors.",
		.byte = 80,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "dct",
		.doc = "The device has dynamically connected transport.",
		.byte = 80,
		.word = 32,
		.lsb = 5,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "xrc",
		.doc = "The device has XRC.",
		.byte = 84,
		.word = 32,
		.lsb = 3,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 320,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_180",
		.doc = "",
		.byte = 48,
		.word = 32,
		.lsb = 6,
		.width = 26,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_1a0",
		.doc = "",
		.byte = 52,
		.word = 0,
		.lsb = 0,
		.width = 224,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_281",
		.doc = "",
		.byte = 80,
		.word = 32,
		.lsb = 6,
		.width = 25,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_29b",
		.doc = "",
		.byte = 80,
		.word = 32,
		.lsb = 0,
		.width = 5,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_2a0",
		.doc = "",
		.byte = 84,
		.word = 32,
		.lsb = 4,
		.width = 28,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_2bd",
		.doc = "",
		.byte = 84,
		.word = 32,
		.lsb = 0,
		.width = 3,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_query_hca_cap_out_desc = {
	.name = "query_hca_cap_out",
	.doc = "Beginning of the answer to QUERY_HCA_CAP for the general capabilities, as far as "
	       "the library looks.",
	.size = 88,
	.field_count = 14,
	.fields = seg_query_hca_cap_out_fields,
};

static const struct segue_field_desc seg_query_xrc_srq_out_fields[] = {
	{
		.name = "status",
		.doc = "0 if the command was done.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why it was not, for the vendor.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "xrcd",
		.doc = "Number of the XRC domain.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "cqn",
		.doc = "Number of the completion queue.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "user_index",
		.doc = "What completions of version 1 carry in srqn_uidx to name this queue.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 96,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_a0",
		.doc = "",
		.byte = 20,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_e0",
		.doc = "",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.stale = true,
		.reserved = true,
	},
	{
		.name = "reserved_at_120",
		.doc = "",
		.byte = 36,
		.word = 0,
		.lsb = 0,
		.width = 96,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_query_xrc_srq_out_desc = {
	.name = "query_xrc_srq_out",
	.doc = "Beginning of the answer to QUERY_XRC_SRQ, as far as the library looks.",
	.size = 48,
	.field_count = 12,
	.fields = seg_query_xrc_srq_out_fields,
};

static const struct segue_field_desc seg_raddr_fields[] = {
	{
		.name = "remote_addr",
		.doc = "First byte of the target, as the peer's memory region counts addresses. "
		       "Must be aligned to the operand for atomics.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "rkey",
		.doc = "Remote key handed over by the peer for that memory region or window.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_raddr_desc = {
	.name = "raddr",
	.doc = "Remote address segment. Says where in the peer's memory an RDMA or atomic "
	       "operation lands.",
	.size = 16,
	.field_count = 3,
	.fields = seg_raddr_fields,
};

static const struct segue_field_desc seg_repeat_block_fields[] = {
	{
		.name = "byte_count",
		.doc = "Bytes of one round, which is the sum of the block lengths over the "
		       "entries.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "op",
		.doc = "Tells a repeat block from a KLM.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x400u,
		.enumeration = &segue_repeat_block_op_desc,
	},
	{
		.name = "repeat_count",
		.doc = "Number of rounds, that is how many blocks are taken from each entry.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "num_ent",
		.doc = "Number of entries that follow.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_repeat_block_desc = {
	.name = "repeat_block",
	.doc = "Head of an interleaved translation list. The entries that follow are taken in "
	       "turn, one block of each, again and again.",
	.size = 16,
	.field_count = 5,
	.fields = seg_repeat_block_fields,
};

static const struct segue_field_desc seg_repeat_ent_fields[] = {
	{
		.name = "stride",
		.doc = "Distance from the start of one block to the start of the next; larger than "
		       "byte_count when bytes are skipped.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_count",
		.doc = "Length of a block, of which one is taken in each round.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "memkey",
		.doc = "Local key of the memory region that the blocks are cut from.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "va",
		.doc = "First byte of the first block, as that key counts addresses.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_repeat_ent_desc = {
	.name = "repeat_ent",
	.doc = "Entry of an interleaved translation list: equal blocks at equal distances.",
	.size = 16,
	.field_count = 4,
	.fields = seg_repeat_ent_fields,
};

static const struct segue_field_desc seg_rvh_fields[] = {
	{
		.name = "va",
		.doc = "First byte of the data in the sender's memory.",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "rkey",
		.doc = "Remote key with which the receiver reads them.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "len",
		.doc = "Length of the data that the receiver has to read.",
		.unit = "bytes",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
};

const struct segue_segment_desc segue_seg_rvh_desc = {
	.name = "rvh",
	.doc = "Rendezvous header, which follows the tag-matching header of a RNDV message. Tells "
	       "the receiver's device where to read the data.",
	.size = 16,
	.field_count = 3,
	.fields = seg_rvh_fields,
};

static const struct segue_field_desc seg_rwqe_sig_fields[] = {
	{
		.name = "no_byte_count",
		.doc = "Zero where a data segment has its length, which tells the two apart.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.is_const = true,
		.const_value = 0x0u,
	},
	{
		.name = "signature",
		.doc = "Complement of the exclusive or of all bytes of the WQE and of its index.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "reserved_at_28",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_rwqe_sig_desc = {
	.name = "rwqe_sig",
	.doc = "Receive WQE signature. First unit of a receive WQE on queues with WQE signatures.",
	.size = 16,
	.field_count = 4,
	.fields = seg_rwqe_sig_fields,
};

static const struct segue_field_desc seg_send_en_fields[] = {
	{
		.name = "max_index",
		.doc = "Producer index, in 64-byte blocks, up to which the queue may run.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "qpn",
		.doc = "Number of the send queue or queue pair.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_send_en_desc = {
	.name = "send_en",
	.doc = "Segment of SEND_EN. Lets another send queue, created as a slave of cross-channel "
	       "chaining, run up to the given producer index.",
	.size = 16,
	.field_count = 5,
	.fields = seg_send_en_fields,
};

static const struct segue_field_desc seg_set_psv_fields[] = {
	{
		.name = "psv_index",
		.doc = "Number of the protection signature value, as the device gave it when it "
		       "was created.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "syndrome",
		.doc = "Error state to set; always 0.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "status",
		.doc = "Status to set; always 0. Reserved in libmlx5.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "transient_signature",
		.doc = "Starting state. T10-DIF: guard 63:48, application tag 47:32, reference tag "
		       "31:0. CRC-32: seed in 63:32. CRC-64: seed.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_set_psv_desc = {
	.name = "set_psv",
	.doc = "SET_PSV segment. Gives a protection signature value its starting state, which a "
	       "signature key needs before its first use and after an error.",
	.size = 16,
	.field_count = 5,
	.fields = seg_set_psv_fields,
};

static const struct segue_field_desc seg_signature_fields[] = {
	{
		.name = "signature",
		.doc = "Complement of the exclusive or of all bytes of the WQE.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_28",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_signature_desc = {
	.name = "signature",
	.doc = "WQE signature segment. On queues with WQE signatures it protects the WQE against "
	       "corruption on its way to the device. Declared; libmlx5 writes the signature into "
	       "the control segment instead.",
	.size = 16,
	.field_count = 4,
	.fields = seg_signature_fields,
};

static const struct segue_field_desc seg_srq_next_fields[] = {
	{
		.name = "next_wqe_index",
		.doc = "Index of the next WQE in the list. The device follows it when it needs "
		       "another buffer.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with WQE signatures, else 0.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_28",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_srq_next_desc = {
	.name = "srq_next",
	.doc = "First segment of a shared-receive WQE. Links the free entries of the queue into a "
	       "list, which is the order in which the device uses them.",
	.size = 16,
	.field_count = 5,
	.fields = seg_srq_next_fields,
};

static const struct segue_field_desc seg_tm_fields[] = {
	{
		.name = "opcode",
		.doc = "What is done with the tag list.",
		.byte = 0,
		.word = 32,
		.lsb = 28,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_tm_opcode_desc,
	},
	{
		.name = "flags",
		.doc = "Whether a completion is wanted and whether sw_cnt is valid.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.flags = &segue_tm_flag_desc,
	},
	{
		.name = "index",
		.doc = "On removal the number of the entry. On append the number that the next "
		       "append will give: software keeps its free entries in a list, the first "
		       "append fills entry 0. Completions name entries by it, in app_info.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "sw_cnt",
		.doc = "Unexpected messages that software has handled so far. The device appends "
		       "only while its own count agrees, so no message is missed.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "append_tag",
		.doc = "Tag that a message must carry, in the bits of append_mask.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "append_mask",
		.doc = "Bits of the tag that are compared.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_4",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_tm_desc = {
	.name = "tm",
	.doc = "Tag-matching segment. Changes the tag list of a tag-matching SRQ and reports to "
	       "the device how many unexpected messages software has taken.",
	.size = 32,
	.field_count = 9,
	.fields = seg_tm_fields,
};

static const struct segue_field_desc seg_tmh_fields[] = {
	{
		.name = "opcode",
		.doc = "Kind of the message, from which the receiving device knows what follows "
		       "the header.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_tmh_opcode_desc,
	},
	{
		.name = "app_ctx",
		.doc = "Free for software; the receiver finds it in the header that the device "
		       "stores.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "tag",
		.doc = "The tag, which the receiving device compares with the entries of its tag "
		       "list.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_tmh_desc = {
	.name = "tmh",
	.doc = "Tag-matching header, the first 16 bytes of a message to a tag-matching SRQ. "
	       "Written by the sender's software; the device of the receiver reads it.",
	.size = 16,
	.field_count = 4,
	.fields = seg_tmh_fields,
};

static const struct segue_field_desc seg_transpose_fields[] = {
	{
		.name = "element_size",
		.doc = "Size of a matrix element, which is moved as a whole.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "num_cols",
		.doc = "Number of columns of the source matrix. UCC notes that NVIDIA's manual has "
		       "rows first here, and believes the manual's naming to be wrong.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "num_rows",
		.doc = "Number of rows of the source matrix.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 7,
		.max = 0x7fu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 24,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 23,
		.width = 9,
		.reserved = true,
	},
	{
		.name = "reserved_at_30",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 7,
		.width = 9,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_transpose_desc = {
	.name = "transpose",
	.doc = "Transpose segment of LOCAL_MMO. Gives the shape of the matrix; two data segments, "
	       "source and destination, follow.",
	.size = 16,
	.field_count = 7,
	.fields = seg_transpose_fields,
};

static const struct segue_field_desc seg_umr_ctrl_fields[] = {
	{
		.name = "is_inline",
		.doc = "Set, the lists follow in the WQE (MLX5_WQE_UMR_CTRL_FLAG_INLINE); clear, a "
		       "pointer to them does.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "check_free",
		.doc = "What the free bit of the key must be, or else the UMR fails; protects "
		       "against binding a window twice.",
		.byte = 0,
		.word = 32,
		.lsb = 29,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_umr_check_desc,
	},
	{
		.name = "translation_offset_en",
		.doc = "The list replaces entries from an offset on, instead of all of them "
		       "(MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET).",
		.byte = 0,
		.word = 32,
		.lsb = 28,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "check_qpn",
		.doc = "Fails unless the key is bound to this queue pair "
		       "(MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN).",
		.byte = 0,
		.word = 32,
		.lsb = 27,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "klm_octowords",
		.doc = "Length of the translation list (KLMs, or a repeat block with its entries) "
		       "in units of 16 bytes, padded to a multiple of 64 bytes.",
		.unit = "16 bytes",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "bsf_octowords",
		.doc = "Length of the byte stream formats that follow, 4 per BSF. With "
		       "translation_offset_en the low half of the list entry to start from "
		       "(translation_offset).",
		.unit = "16 bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "mkey_mask",
		.doc = "Fields of the memory key context that are changed.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
		.flags = &segue_mkey_mask_desc,
	},
	{
		.name = "xlt_offset_47_16",
		.doc = "With translation_offset_en the upper part of the list entry to start from. "
		       "Written by the kernel only, for large regions.",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_5",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 27,
		.reserved = true,
	},
	{
		.name = "reserved_at_a0",
		.doc = "",
		.byte = 20,
		.word = 0,
		.lsb = 0,
		.width = 224,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_umr_ctrl_desc = {
	.name = "umr_ctrl",
	.doc = "UMR control segment. Says which fields of the memory key a UMR changes and how "
	       "long the lists are that follow.",
	.size = 48,
	.field_count = 10,
	.fields = seg_umr_ctrl_fields,
};

static const struct segue_field_desc seg_umr_pointer_fields[] = {
	{
		.name = "byte_count",
		.doc = "Length of the list in bytes, padded to 64, as Linux writes it; UCC and "
		       "DPDK write 0. The length that counts is klm_octowords.",
		.unit = "bytes",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "mkey",
		.doc = "Local key of the list.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "address",
		.doc = "First byte of the list.",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
};

const struct segue_segment_desc segue_seg_umr_pointer_desc = {
	.name = "umr_pointer",
	.doc = "Pointer to a translation list that is not inline. The list lies in registered "
	       "memory, aligned to 2048 bytes, which lets it be longer than a WQE.",
	.size = 16,
	.field_count = 3,
	.fields = seg_umr_pointer_fields,
};

static const struct segue_field_desc seg_wait_cq_fields[] = {
	{
		.name = "max_index",
		.doc = "Completion index to wait for, counted like the consumer index, modulo 2 to "
		       "the power 24.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "cqn",
		.doc = "Number of the completion queue that is watched; its entries may belong to "
		       "any other queue.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_60",
		.doc = "",
		.byte = 12,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_wait_cq_desc = {
	.name = "wait_cq",
	.doc = "Segment of WAIT on a completion queue. The send queue stops here until that queue "
	       "has received completions up to the given index.",
	.size = 16,
	.field_count = 5,
	.fields = seg_wait_cq_fields,
};

static const struct segue_field_desc seg_wait_on_data_fields[] = {
	{
		.name = "operation",
		.doc = "How the word is compared with the value.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_wait_cond_desc,
	},
	{
		.name = "invert",
		.doc = "Waits for the comparison to fail instead.",
		.byte = 0,
		.word = 32,
		.lsb = 4,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "lkey",
		.doc = "Local key of the memory region that the word is in.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "va_fail",
		.doc = "Address of the word, a multiple of 8; its low three bits hold the action "
		       "while the comparison fails (wait_fail_action).",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "data",
		.doc = "Value to compare with. The word in memory is taken as big-endian; UCC "
		       "stores both in the host's order, which is the same for EQUAL.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "data_mask",
		.doc = "Bits that are compared, in the same order.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 5,
		.width = 27,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_wait_on_data_desc = {
	.name = "wait_on_data",
	.doc = "Segment of WAIT on data. The send queue stops here until a 64-bit word of memory "
	       "satisfies a comparison; lets the CPU, a GPU or the peer start prepared work by one "
	       "write.",
	.size = 32,
	.field_count = 7,
	.fields = seg_wait_on_data_fields,
};

static const struct segue_field_desc seg_wait_on_time_fields[] = {
	{
		.name = "operation",
		.doc = "Comparison of the given time with the clock; DPDK uses CYCLIC_SMALLER.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_wait_cond_desc,
	},
	{
		.name = "invert",
		.doc = "Waits for the comparison to fail instead.",
		.byte = 0,
		.word = 32,
		.lsb = 4,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "value",
		.doc = "Time in the format of the queue's clock: free-running ticks, or seconds in "
		       "63:32 and nanoseconds in 31:0.",
		.byte = 16,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "mask",
		.doc = "Bits of the time that are compared.",
		.byte = 24,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 5,
		.width = 27,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_wait_on_time_desc = {
	.name = "wait_on_time",
	.doc = "Segment of WAIT on time. The send queue stops here until the device clock "
	       "satisfies a comparison; this is how packets are sent at a given time.",
	.size = 32,
	.field_count = 7,
	.fields = seg_wait_on_time_fields,
};

static const struct segue_field_desc seg_xrc_fields[] = {
	{
		.name = "xrc_srqn",
		.doc = "Number of the peer's XRC shared receive queue.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 0,
		.lsb = 0,
		.width = 96,
		.stale = true,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_seg_xrc_desc = {
	.name = "xrc",
	.doc = "XRC segment. Names the shared receive queue at the peer that an XRC request is "
	       "meant for, because one XRC connection serves many of them. libmlx5 leaves the last "
	       "twelve bytes as it found them.",
	.size = 16,
	.field_count = 3,
	.fields = seg_xrc_fields,
};

static const struct segue_field_desc cqe_cqe128_fields[] = {
	{
		.name = "inl_grh",
		.doc = "Payload when the format of the second half is INLINE_64, a global route "
		       "header in bytes 24 to 63 when its grh is IN_CQE; else undefined.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 512,
	},
	{
		.name = "cqe64",
		.doc = "The entry proper, whose last byte is the one to watch.",
		.byte = 64,
		.word = 0,
		.lsb = 0,
		.width = 512,
		.format = &segue_cqe_cqe64_desc,
		.count = 1,
	},
};

const struct segue_segment_desc segue_cqe_cqe128_desc = {
	.name = "cqe128",
	.doc = "Completion-queue entry of a queue with 128-byte entries. The second half has the "
	       "form of a 64-byte entry; the first holds up to 64 bytes of payload, or a global "
	       "route header in its last 40 bytes.",
	.size = 128,
	.is_cqe = true,
	.field_count = 2,
	.fields = cqe_cqe128_fields,
};

static const struct segue_field_desc cqe_cqe64_fields[] = {
	{
		.name = "tls",
		.doc = "What the TLS offload did.",
		.byte = 0,
		.word = 32,
		.lsb = 27,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_tls_desc,
	},
	{
		.name = "outer_l3_ipv6",
		.doc = "The outer header of a tunnelled packet is IPv6, else IPv4.",
		.byte = 0,
		.word = 32,
		.lsb = 25,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "tunneled",
		.doc = "The packet is tunnelled, and the header types are those of the inner one.",
		.byte = 0,
		.word = 32,
		.lsb = 24,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "wqe_id",
		.doc = "Index of the receive WQE, on striding queues.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "lro_tcppsh_abort_dupack",
		.doc = "LRO: bit 6 a packet had the TCP push flag, and why merging ended.",
		.byte = 4,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "lro_min_ttl",
		.doc = "LRO: smallest time to live of the merged packets.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "lro_tcp_win",
		.doc = "LRO: TCP window of the last merged packet.",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "lro_ack_seq_num",
		.doc = "LRO: acknowledgement number of the last merged packet.",
		.byte = 8,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "rss_hash_result",
		.doc = "Hash by which the packet was spread over queues.",
		.byte = 12,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "rss_hash_type",
		.doc = "Which headers the hash covers: bits 3:2 the IP version, bits 7:6 the "
		       "transport.",
		.byte = 16,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "ml_path",
		.doc = "In bits 6:0 the low bits of the LID that the message was sent to.",
		.byte = 16,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "check_sum",
		.doc = "Checksum over the packet on Ethernet queues. On striding tag-matching SRQs "
		       "the stride index (ib_stride_index in UCX).",
		.byte = 20,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "slid",
		.doc = "LID of the sender, on UD over InfiniBand.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "grh",
		.doc = "Whether there was a global route header and where it is.",
		.byte = 24,
		.word = 32,
		.lsb = 28,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_grh_desc,
	},
	{
		.name = "sl",
		.doc = "Service level on InfiniBand. On RoCE the kind of packet, see "
		       "cqe_roce_packet.",
		.byte = 24,
		.word = 32,
		.lsb = 24,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "rqpn",
		.doc = "Number of the sender's queue pair, on UD.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "hds_ip_ext",
		.doc = "Header split and IP extension information, the upper bits of the byte that "
		       "mlx5dv.h calls so. No public driver reads them.",
		.byte = 28,
		.word = 32,
		.lsb = 27,
		.width = 5,
		.max = 0x1fu,
	},
	{
		.name = "l4_ok",
		.doc = "The transport checksum is good.",
		.byte = 28,
		.word = 32,
		.lsb = 26,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "l3_ok",
		.doc = "The IP header checksum is good.",
		.byte = 28,
		.word = 32,
		.lsb = 25,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "l2_ok",
		.doc = "The layer-2 header is good.",
		.byte = 28,
		.word = 32,
		.lsb = 24,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "ip_frag",
		.doc = "The packet is an IP fragment.",
		.byte = 28,
		.word = 32,
		.lsb = 23,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "l4_hdr_type",
		.doc = "Kind of transport header that the device has found in the packet.",
		.byte = 28,
		.word = 32,
		.lsb = 20,
		.width = 3,
		.max = 0x7u,
		.enumeration = &segue_cqe_l4_hdr_type_desc,
	},
	{
		.name = "l3_hdr_type",
		.doc = "Kind of network header that the device has found in the packet.",
		.byte = 28,
		.word = 32,
		.lsb = 18,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_l3_hdr_type_desc,
	},
	{
		.name = "ip_ext_opts",
		.doc = "The IP header has options or extensions.",
		.byte = 28,
		.word = 32,
		.lsb = 17,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "vlan_stripped",
		.doc = "A VLAN tag was removed from the packet and is in vlan_info.",
		.byte = 28,
		.word = 32,
		.lsb = 16,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "vlan_info",
		.doc = "The VLAN tag that was removed from the packet, if vlan_stripped is set.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "lro_num_seg",
		.doc = "Number of packets that were merged into this one, on Ethernet queues with "
		       "LRO; else 0.",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "srqn_uidx",
		.doc = "With CQE version 1 the user index, a number that software gave the queue "
		       "pair or SRQ. With version 0 the number of the SRQ, or 0.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "imm_inval_pkey",
		.doc = "By opcode the immediate data, the invalidated remote key, or the index of "
		       "the partition key in 15:0; on Ethernet queues flow metadata.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "app",
		.doc = "Which application of the device the next two fields belong to.",
		.byte = 40,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_cqe_app_desc,
	},
	{
		.name = "app_op",
		.doc = "What the application reports.",
		.byte = 40,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_tm_app_op_desc,
	},
	{
		.name = "app_info",
		.doc = "For tag matching the index of the tag entry.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "Length of the message or packet. On striding queues see mprq_byte_cnt.",
		.unit = "bytes",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "timestamp",
		.doc = "Device clock at the completion.",
		.byte = 48,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE, on requester completions. On receive completions "
		       "the byte that mlx5dv.h calls sop_drop, which no public driver reads.",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair. On Ethernet receive queues the flow tag.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "wqe_counter",
		.doc = "Which WQE it was: for sends the wqe_index of the last WQE this completion "
		       "covers, for shared receives the index of the WQE, else a running number. "
		       "On striding queues the stride index.",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion. Bit 3 is set for errors and for INVALID, so one "
		       "test finds both.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Where the payload is: in its buffer, in this entry, or in the half before "
		       "it.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 29,
		.width = 3,
		.reserved = true,
	},
	{
		.name = "reserved_at_5",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 26,
		.width = 1,
		.reserved = true,
	},
	{
		.name = "reserved_at_8",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_90",
		.doc = "",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 32,
		.lsb = 30,
		.width = 2,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_cqe64_opcode_match[] = {
	SEGUE_CQE_OPCODE_REQ,
	SEGUE_CQE_OPCODE_RESP_WR_IMM,
	SEGUE_CQE_OPCODE_RESP_SEND,
	SEGUE_CQE_OPCODE_RESP_SEND_IMM,
	SEGUE_CQE_OPCODE_RESP_SEND_INV,
	SEGUE_CQE_OPCODE_RESIZE_CQ,
	SEGUE_CQE_OPCODE_NO_PACKET,
};
/* clang-format on */

/* clang-format off */
static const uint64_t cqe_cqe64_format_match[] = {
	SEGUE_CQE_FORMAT_NO_INLINE,
	SEGUE_CQE_FORMAT_INLINE_64,
};
/* clang-format on */

/* clang-format off */
static const uint64_t cqe_cqe64_app_op_match[] = {
	SEGUE_TM_APP_OP_NONE,
	SEGUE_TM_APP_OP_UNEXPECTED,
	SEGUE_TM_APP_OP_NO_TAG,
};
/* clang-format on */

static const struct segue_match_desc cqe_cqe64_matches[] = {
	{
		.field = 38, /* opcode */
		.value_count = 7,
		.values = cqe_cqe64_opcode_match,
	},
	{
		.field = 39, /* format */
		.value_count = 2,
		.values = cqe_cqe64_format_match,
	},
	{
		.field = 30, /* app_op */
		.value_count = 3,
		.values = cqe_cqe64_app_op_match,
	},
};

const struct segue_segment_desc segue_cqe_cqe64_desc = {
	.name = "cqe64",
	.doc = "Completion-queue entry, 64 bytes, for finished sends and receives. Its last byte "
	       "is written last and says whether the entry is new; software must read that byte "
	       "first.",
	.size = 64,
	.is_cqe = true,
	.field_count = 47,
	.fields = cqe_cqe64_fields,
	.match_count = 3,
	.matches = cqe_cqe64_matches,
};

static const struct segue_field_desc cqe_cqe_inline32_fields[] = {
	{
		.name = "data",
		.doc = "The payload, as many bytes as byte_cnt says. The fields of these 32 bytes "
		       "in a normal entry are not available.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 256,
	},
	{
		.name = "lro_num_seg",
		.doc = "Number of packets that were merged into this one, on Ethernet queues with "
		       "LRO; else 0.",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "srqn_uidx",
		.doc = "With CQE version 1 the user index, a number that software gave the queue "
		       "pair or SRQ. With version 0 the number of the SRQ, or 0.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "imm_inval_pkey",
		.doc = "By opcode the immediate data, the invalidated remote key, or the index of "
		       "the partition key in 15:0; on Ethernet queues flow metadata.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "app",
		.doc = "Which application of the device the next two fields belong to.",
		.byte = 40,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_cqe_app_desc,
	},
	{
		.name = "app_op",
		.doc = "What the application reports.",
		.byte = 40,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_tm_app_op_desc,
	},
	{
		.name = "app_info",
		.doc = "For tag matching the index of the tag entry.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "Length of the message or packet. On striding queues see mprq_byte_cnt.",
		.unit = "bytes",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "timestamp",
		.doc = "Device clock at the completion.",
		.byte = 48,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE, on requester completions. On receive completions "
		       "the byte that mlx5dv.h calls sop_drop, which no public driver reads.",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair. On Ethernet receive queues the flow tag.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "wqe_counter",
		.doc = "Which WQE it was: for sends the wqe_index of the last WQE this completion "
		       "covers, for shared receives the index of the WQE, else a running number. "
		       "On striding queues the stride index.",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Always INLINE_32, which tells this form from a normal entry.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.is_const = true,
		.const_value = 0x1u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
};

/* clang-format off */
static const uint64_t cqe_cqe_inline32_opcode_match[] = {
	SEGUE_CQE_OPCODE_REQ,
	SEGUE_CQE_OPCODE_RESP_WR_IMM,
	SEGUE_CQE_OPCODE_RESP_SEND,
	SEGUE_CQE_OPCODE_RESP_SEND_IMM,
	SEGUE_CQE_OPCODE_RESP_SEND_INV,
};
/* clang-format on */

/* clang-format off */
static const uint64_t cqe_cqe_inline32_format_match[] = {
	SEGUE_CQE_FORMAT_INLINE_32,
};
/* clang-format on */

static const struct segue_match_desc cqe_cqe_inline32_matches[] = {
	{
		.field = 13, /* opcode */
		.value_count = 5,
		.values = cqe_cqe_inline32_opcode_match,
	},
	{
		.field = 14, /* format */
		.value_count = 1,
		.values = cqe_cqe_inline32_format_match,
	},
};

const struct segue_segment_desc segue_cqe_cqe_inline32_desc = {
	.name = "cqe_inline32",
	.doc = "Completion-queue entry with up to 32 bytes of payload at its start: a short "
	       "message, READ result or atomic result that software must copy to its buffer "
	       "itself.",
	.size = 64,
	.is_cqe = true,
	.field_count = 17,
	.fields = cqe_cqe_inline32_fields,
	.match_count = 2,
	.matches = cqe_cqe_inline32_matches,
};

static const struct segue_field_desc cqe_cqe_inline64_fields[] = {
	{
		.name = "data",
		.doc = "The payload, as many bytes as byte_cnt of the second half says.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 512,
	},
};

const struct segue_segment_desc segue_cqe_cqe_inline64_desc = {
	.name = "cqe_inline64",
	.doc = "First half of a 128-byte entry whose second half has format INLINE_64: up to 64 "
	       "bytes of payload that software must copy to its buffer itself.",
	.size = 64,
	.is_cqe = true,
	.field_count = 1,
	.fields = cqe_cqe_inline64_fields,
};

static const struct segue_field_desc cqe_err_cqe_fields[] = {
	{
		.name = "wqe_id",
		.doc = "Index of the receive WQE, on striding queues.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "ib_stride_index",
		.doc = "Stride index, on striding tag-matching SRQs.",
		.byte = 20,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "srqn",
		.doc = "As srqn_uidx of a good entry.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "As byte_cnt of a good entry, where it means anything.",
		.unit = "bytes",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "hw_err_synd",
		.doc = "Error code of the hardware unit. UCX prints it; its values are not public.",
		.byte = 52,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "hw_synd_type",
		.doc = "Kind of that code. UCX prints it; its values are not public.",
		.byte = 52,
		.word = 32,
		.lsb = 20,
		.width = 4,
		.max = 0xfu,
	},
	{
		.name = "vendor_err_synd",
		.doc = "Second error code, vendor_err of verbs. Few values are known, see "
		       "vendor_syndrome.",
		.byte = 52,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "syndrome",
		.doc = "Why the WQE failed. This is what becomes the status of a work completion "
		       "in verbs.",
		.byte = 52,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_cqe_syndrome_desc,
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE, on requester errors.",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "wqe_counter",
		.doc = "Which WQE it was: for sends the wqe_index of the last WQE this completion "
		       "covers, for shared receives the index of the WQE, else a running number. "
		       "On striding queues the stride index.",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion. Bit 3 is set for errors and for INVALID, so one "
		       "test finds both.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Where the payload is: in its buffer, in this entry, or in the half before "
		       "it.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_20",
		.doc = "",
		.byte = 4,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
	{
		.name = "reserved_at_b0",
		.doc = "",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_c0",
		.doc = "",
		.byte = 24,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_100",
		.doc = "",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_120",
		.doc = "",
		.byte = 36,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_180",
		.doc = "",
		.byte = 48,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_1ac",
		.doc = "",
		.byte = 52,
		.word = 32,
		.lsb = 16,
		.width = 4,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_err_cqe_opcode_match[] = {
	SEGUE_CQE_OPCODE_REQ_ERR,
	SEGUE_CQE_OPCODE_RESP_ERR,
};
/* clang-format on */

static const struct segue_match_desc cqe_err_cqe_matches[] = {
	{
		.field = 12, /* opcode */
		.value_count = 2,
		.values = cqe_err_cqe_opcode_match,
	},
};

const struct segue_segment_desc segue_cqe_err_cqe_desc = {
	.name = "err_cqe",
	.doc = "Completion-queue entry of a WQE that has failed or was flushed. A requester error "
	       "also retires all unsignalled sends before it.",
	.size = 64,
	.is_cqe = true,
	.field_count = 24,
	.fields = cqe_err_cqe_fields,
	.match_count = 1,
	.matches = cqe_err_cqe_matches,
};

static const struct segue_field_desc cqe_mini_cqe_fields[] = {
	{
		.name = "rx_hash_result",
		.doc = "Hash by which the packet was spread over queues.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "As byte_cnt of the entry it stands for.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
};

const struct segue_segment_desc segue_cqe_mini_cqe_desc = {
	.name = "mini_cqe",
	.doc = "Mini CQE, what remains of a completion in a compressed block; all else is as in "
	       "the title entry. This form, with the receive hash, is for receive completions.",
	.size = 8,
	.is_cqe = true,
	.field_count = 2,
	.fields = cqe_mini_cqe_fields,
};

static const struct segue_field_desc cqe_mini_cqe_array_fields[] = {
	{
		.name = "mini",
		.doc = "Eight mini CQEs. Their form is known from how the queue was created "
		       "(mini_cqe_format), and is mini_cqe_req on send queues.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 512,
		.format = &segue_cqe_mini_cqe_desc,
		.count = 8,
	},
};

const struct segue_segment_desc segue_cqe_mini_cqe_array_desc = {
	.name = "mini_cqe_array",
	.doc = "Array of a compressed block in the classic layout. A title entry with format "
	       "COMPRESSED, whose byte_cnt is the number of mini CQEs, comes first; arrays of "
	       "eight follow it in the places of the entries they stand for.",
	.size = 64,
	.is_cqe = true,
	.field_count = 1,
	.fields = cqe_mini_cqe_array_fields,
};

static const struct segue_field_desc cqe_mini_cqe_array_trailer_fields[] = {
	{
		.name = "mini",
		.doc = "Seven mini CQEs, of which the first num_minus_one + 1 are filled.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 448,
		.format = &segue_cqe_mini_cqe_desc,
		.count = 7,
	},
	{
		.name = "validity_iteration_count",
		.doc = "Counts the rounds through the ring; takes the place of the owner bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "num_minus_one",
		.doc = "Number of mini CQEs less one.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0x6u,
	},
	{
		.name = "format",
		.doc = "Always a compressed block.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.is_const = true,
		.const_value = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Owner bit of the classic layout.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_1c0",
		.doc = "",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.reserved = true,
	},
	{
		.name = "reserved_at_1e0",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_mini_cqe_array_trailer_format_match[] = {
	SEGUE_CQE_FORMAT_COMPRESSED,
};
/* clang-format on */

static const struct segue_match_desc cqe_mini_cqe_array_trailer_matches[] = {
	{
		.field = 3, /* format */
		.value_count = 1,
		.values = cqe_mini_cqe_array_trailer_format_match,
	},
};

const struct segue_segment_desc segue_cqe_mini_cqe_array_trailer_desc = {
	.name = "mini_cqe_array_trailer",
	.doc = "Array of a compressed block in the enhanced layout: up to seven mini CQEs and a "
	       "trailer that has the place and form of the last bytes of an entry. The title is "
	       "the last normal entry before it.",
	.size = 64,
	.is_cqe = true,
	.field_count = 8,
	.fields = cqe_mini_cqe_array_trailer_fields,
	.match_count = 1,
	.matches = cqe_mini_cqe_array_trailer_matches,
};

static const struct segue_field_desc cqe_mini_cqe_csum_fields[] = {
	{
		.name = "checksum",
		.doc = "Checksum over the packet.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "stridx",
		.doc = "Stride index, on striding queues; else reserved.",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "As byte_cnt of the entry it stands for.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
};

const struct segue_segment_desc segue_cqe_mini_cqe_csum_desc = {
	.name = "mini_cqe_csum",
	.doc = "Mini CQE of a receive completion with the checksum and the stride index.",
	.size = 8,
	.is_cqe = true,
	.field_count = 3,
	.fields = cqe_mini_cqe_csum_fields,
};

static const struct segue_field_desc cqe_mini_cqe_req_fields[] = {
	{
		.name = "wqe_counter",
		.doc = "As wqe_counter of the entry it stands for.",
		.byte = 0,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE.",
		.byte = 0,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "byte_cnt",
		.doc = "As byte_cnt of the entry it stands for.",
		.unit = "bytes",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "reserved_at_18",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.reserved = true,
	},
};

const struct segue_segment_desc segue_cqe_mini_cqe_req_desc = {
	.name = "mini_cqe_req",
	.doc = "Mini CQE of a send completion.",
	.size = 8,
	.is_cqe = true,
	.field_count = 4,
	.fields = cqe_mini_cqe_req_fields,
};

static const struct segue_field_desc cqe_sig_err_cqe_fields[] = {
	{
		.name = "expected_trans_sig",
		.doc = "Guard in 31:16 and application tag in 15:0 that the signature of the block "
		       "holds, or the upper half of the CRC (mlx5dv_mkey_check(3)).",
		.byte = 16,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "actual_trans_sig",
		.doc = "Guard and application tag, or upper half of the CRC, that the data of the "
		       "block would have.",
		.byte = 20,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "expected_ref_tag",
		.doc = "Reference tag that the signature of the block holds, or the lower half of "
		       "a 64-bit CRC.",
		.byte = 24,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "actual_ref_tag",
		.doc = "Reference tag that the block should have, or lower half of the 64-bit CRC "
		       "of its data.",
		.byte = 28,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "syndrome",
		.doc = "Which parts of the signature are wrong.",
		.byte = 32,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
		.flags = &segue_sig_err_syndrome_desc,
	},
	{
		.name = "sig_type",
		.doc = "Block or transaction signature. Reserved on devices without the capability "
		       "sigerr_domain_and_sig_type.",
		.byte = 32,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_sig_err_type_desc,
	},
	{
		.name = "domain",
		.doc = "Wire or memory. Reserved on devices without that capability.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_sig_err_domain_desc,
	},
	{
		.name = "mkey",
		.doc = "The signature key through which the data passed; its index in 31:8 "
		       "identifies it.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "sig_err_offset",
		.doc = "Where the bad block begins, counted with the signatures before it.",
		.unit = "bytes",
		.byte = 40,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair. Named by Linux only.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Where the payload is: in its buffer, in this entry, or in the half before "
		       "it.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_0",
		.doc = "",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
	{
		.name = "reserved_at_180",
		.doc = "",
		.byte = 48,
		.word = 0,
		.lsb = 0,
		.width = 64,
		.reserved = true,
	},
	{
		.name = "reserved_at_1c0",
		.doc = "",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.reserved = true,
	},
	{
		.name = "reserved_at_1e0",
		.doc = "",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_sig_err_cqe_opcode_match[] = {
	SEGUE_CQE_OPCODE_SIG_ERR,
};
/* clang-format on */

static const struct segue_match_desc cqe_sig_err_cqe_matches[] = {
	{
		.field = 11, /* opcode */
		.value_count = 1,
		.values = cqe_sig_err_cqe_opcode_match,
	},
};

const struct segue_segment_desc segue_cqe_sig_err_cqe_desc = {
	.name = "sig_err_cqe",
	.doc = "Completion-queue entry that reports a wrong block signature. It belongs to a "
	       "memory key and to no WQE; the operation itself goes on and completes as usual.",
	.size = 64,
	.is_cqe = true,
	.field_count = 19,
	.fields = cqe_sig_err_cqe_fields,
	.match_count = 1,
	.matches = cqe_sig_err_cqe_matches,
};

static const struct segue_field_desc cqe_tm_cqe_fields[] = {
	{
		.name = "success",
		.doc = "The command was carried out (MLX5_TMC_SUCCESS). A remove fails when the "
		       "entry has matched meanwhile.",
		.byte = 0,
		.word = 32,
		.lsb = 31,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "hw_phase_cnt",
		.doc = "The device's count of unexpected messages; when it differs from "
		       "software's, a no-operation command must follow.",
		.byte = 4,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "lro_num_seg",
		.doc = "Number of packets that were merged into this one, on Ethernet queues with "
		       "LRO; else 0.",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "srqn_uidx",
		.doc = "With CQE version 1 the user index, a number that software gave the queue "
		       "pair or SRQ. With version 0 the number of the SRQ, or 0.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "imm_inval_pkey",
		.doc = "By opcode the immediate data, the invalidated remote key, or the index of "
		       "the partition key in 15:0; on Ethernet queues flow metadata.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "app",
		.doc = "Which application of the device the next two fields belong to.",
		.byte = 40,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_cqe_app_desc,
	},
	{
		.name = "app_op",
		.doc = "What the application reports.",
		.byte = 40,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_tm_app_op_desc,
	},
	{
		.name = "app_info",
		.doc = "For tag matching the index of the tag entry.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "Length of the message or packet. On striding queues see mprq_byte_cnt.",
		.unit = "bytes",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "timestamp",
		.doc = "Device clock at the completion.",
		.byte = 48,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE, on requester completions. On receive completions "
		       "the byte that mlx5dv.h calls sop_drop, which no public driver reads.",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair. On Ethernet receive queues the flow tag.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "wqe_counter",
		.doc = "Which WQE it was: for sends the wqe_index of the last WQE this completion "
		       "covers, for shared receives the index of the WQE, else a running number. "
		       "On striding queues the stride index.",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Where the payload is: in its buffer, in this entry, or in the half before "
		       "it.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_1",
		.doc = "",
		.byte = 0,
		.word = 32,
		.lsb = 0,
		.width = 31,
		.reserved = true,
	},
	{
		.name = "reserved_at_30",
		.doc = "",
		.byte = 4,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.reserved = true,
	},
	{
		.name = "reserved_at_40",
		.doc = "",
		.byte = 8,
		.word = 0,
		.lsb = 0,
		.width = 192,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_tm_cqe_app_match[] = {
	SEGUE_CQE_APP_TAG_MATCHING,
};
/* clang-format on */

/* clang-format off */
static const uint64_t cqe_tm_cqe_app_op_match[] = {
	SEGUE_TM_APP_OP_APPEND,
	SEGUE_TM_APP_OP_REMOVE,
	SEGUE_TM_APP_OP_NOOP,
};
/* clang-format on */

static const struct segue_match_desc cqe_tm_cqe_matches[] = {
	{
		.field = 5, /* app */
		.value_count = 1,
		.values = cqe_tm_cqe_app_match,
	},
	{
		.field = 6, /* app_op */
		.value_count = 3,
		.values = cqe_tm_cqe_app_op_match,
	},
};

const struct segue_segment_desc segue_cqe_tm_cqe_desc = {
	.name = "tm_cqe",
	.doc = "Completion-queue entry that answers a command on the tag list (append, remove, "
	       "no-operation).",
	.size = 64,
	.is_cqe = true,
	.field_count = 21,
	.fields = cqe_tm_cqe_fields,
	.match_count = 2,
	.matches = cqe_tm_cqe_matches,
};

static const struct segue_field_desc cqe_tm_match_cqe_fields[] = {
	{
		.name = "tmh",
		.doc = "The tag-matching header of the message.",
		.byte = 0,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.format = &segue_seg_tmh_desc,
		.count = 1,
	},
	{
		.name = "lro_num_seg",
		.doc = "Number of packets that were merged into this one, on Ethernet queues with "
		       "LRO; else 0.",
		.byte = 32,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "srqn_uidx",
		.doc = "With CQE version 1 the user index, a number that software gave the queue "
		       "pair or SRQ. With version 0 the number of the SRQ, or 0.",
		.byte = 32,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "imm_inval_pkey",
		.doc = "By opcode the immediate data, the invalidated remote key, or the index of "
		       "the partition key in 15:0; on Ethernet queues flow metadata.",
		.byte = 36,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "app",
		.doc = "Which application of the device the next two fields belong to.",
		.byte = 40,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_cqe_app_desc,
	},
	{
		.name = "app_op",
		.doc = "What the application reports.",
		.byte = 40,
		.word = 32,
		.lsb = 16,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_tm_app_op_desc,
	},
	{
		.name = "app_info",
		.doc = "For tag matching the index of the tag entry.",
		.byte = 40,
		.word = 32,
		.lsb = 0,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "byte_cnt",
		.doc = "Length of the message or packet. On striding queues see mprq_byte_cnt.",
		.unit = "bytes",
		.byte = 44,
		.word = 32,
		.lsb = 0,
		.width = 32,
		.max = 0xffffffffu,
	},
	{
		.name = "timestamp",
		.doc = "Device clock at the completion.",
		.byte = 48,
		.word = 64,
		.lsb = 0,
		.width = 64,
		.max = UINT64_C(0xffffffffffffffff),
	},
	{
		.name = "s_wqe_opcode",
		.doc = "Opcode of the send WQE, on requester completions. On receive completions "
		       "the byte that mlx5dv.h calls sop_drop, which no public driver reads.",
		.byte = 56,
		.word = 32,
		.lsb = 24,
		.width = 8,
		.max = 0xffu,
		.enumeration = &segue_opcode_desc,
	},
	{
		.name = "qpn",
		.doc = "Number of the queue pair. On Ethernet receive queues the flow tag.",
		.byte = 56,
		.word = 32,
		.lsb = 0,
		.width = 24,
		.max = 0xffffffu,
	},
	{
		.name = "wqe_counter",
		.doc = "Which WQE it was: for sends the wqe_index of the last WQE this completion "
		       "covers, for shared receives the index of the WQE, else a running number. "
		       "On striding queues the stride index.",
		.byte = 60,
		.word = 32,
		.lsb = 16,
		.width = 16,
		.max = 0xffffu,
	},
	{
		.name = "signature",
		.doc = "Signature on queues with CQE signatures. With the enhanced compression "
		       "layout the validity iteration count, which takes the place of the owner "
		       "bit.",
		.byte = 60,
		.word = 32,
		.lsb = 8,
		.width = 8,
		.max = 0xffu,
	},
	{
		.name = "opcode",
		.doc = "Kind of the completion.",
		.byte = 60,
		.word = 32,
		.lsb = 4,
		.width = 4,
		.max = 0xfu,
		.enumeration = &segue_cqe_opcode_desc,
	},
	{
		.name = "format",
		.doc = "Where the payload is: in its buffer, in this entry, or in the half before "
		       "it.",
		.byte = 60,
		.word = 32,
		.lsb = 2,
		.width = 2,
		.max = 0x3u,
		.enumeration = &segue_cqe_format_desc,
	},
	{
		.name = "se",
		.doc = "The peer has asked for a solicited event.",
		.byte = 60,
		.word = 32,
		.lsb = 1,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "owner",
		.doc = "Flips each time the device passes the end of the ring; tells a new entry "
		       "from the old one in its place.",
		.byte = 60,
		.word = 32,
		.lsb = 0,
		.width = 1,
		.max = 0x1u,
	},
	{
		.name = "reserved_at_80",
		.doc = "",
		.byte = 16,
		.word = 0,
		.lsb = 0,
		.width = 128,
		.reserved = true,
	},
};

/* clang-format off */
static const uint64_t cqe_tm_match_cqe_app_match[] = {
	SEGUE_CQE_APP_TAG_MATCHING,
};
/* clang-format on */

/* clang-format off */
static const uint64_t cqe_tm_match_cqe_app_op_match[] = {
	SEGUE_TM_APP_OP_CONSUMED,
	SEGUE_TM_APP_OP_EXPECTED,
	SEGUE_TM_APP_OP_CONSUMED_SW_RNDV,
	SEGUE_TM_APP_OP_CONSUMED_MSG,
	SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV,
	SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED,
};
/* clang-format on */

static const struct segue_match_desc cqe_tm_match_cqe_matches[] = {
	{
		.field = 4, /* app */
		.value_count = 1,
		.values = cqe_tm_match_cqe_app_match,
	},
	{
		.field = 5, /* app_op */
		.value_count = 6,
		.values = cqe_tm_match_cqe_app_op_match,
	},
};

const struct segue_segment_desc segue_cqe_tm_match_cqe_desc = {
	.name = "tm_match_cqe",
	.doc = "Completion-queue entry of a message that has matched a tag entry. The message's "
	       "tag-matching header lies in its first 16 bytes.",
	.size = 64,
	.is_cqe = true,
	.field_count = 18,
	.fields = cqe_tm_match_cqe_fields,
	.match_count = 2,
	.matches = cqe_tm_match_cqe_matches,
};

/* clang-format off */
const struct segue_enum_desc *const segue_enums[] = {
	[SEGUE_ENUM_ACCESS_FLAGS_ID] = &segue_access_flags_desc,
	[SEGUE_ENUM_BSF_BFS_ID] = &segue_bsf_bfs_desc,
	[SEGUE_ENUM_BSF_BLOCK_SIZE_ID] = &segue_bsf_block_size_desc,
	[SEGUE_ENUM_BSF_DIF_FLAG_ID] = &segue_bsf_dif_flag_desc,
	[SEGUE_ENUM_BSF_INL_VALID_ID] = &segue_bsf_inl_valid_desc,
	[SEGUE_ENUM_BSF_RP_INV_SEED_ID] = &segue_bsf_rp_inv_seed_desc,
	[SEGUE_ENUM_BSF_SIZE_ID] = &segue_bsf_size_desc,
	[SEGUE_ENUM_BSF_TYPE_ID] = &segue_bsf_type_desc,
	[SEGUE_ENUM_COMMAND_ID] = &segue_command_desc,
	[SEGUE_ENUM_COMPLETION_MODE_ID] = &segue_completion_mode_desc,
	[SEGUE_ENUM_CQ_ARM_CMD_ID] = &segue_cq_arm_cmd_desc,
	[SEGUE_ENUM_CQ_DBREC_ID] = &segue_cq_dbrec_desc,
	[SEGUE_ENUM_CQE_ID] = &segue_cqe_desc,
	[SEGUE_ENUM_CQE_APP_ID] = &segue_cqe_app_desc,
	[SEGUE_ENUM_CQE_COMP_RES_FORMAT_ID] = &segue_cqe_comp_res_format_desc,
	[SEGUE_ENUM_CQE_FORMAT_ID] = &segue_cqe_format_desc,
	[SEGUE_ENUM_CQE_GRH_ID] = &segue_cqe_grh_desc,
	[SEGUE_ENUM_CQE_L3_HDR_TYPE_ID] = &segue_cqe_l3_hdr_type_desc,
	[SEGUE_ENUM_CQE_L4_HDR_TYPE_ID] = &segue_cqe_l4_hdr_type_desc,
	[SEGUE_ENUM_CQE_OP_OWN_ID] = &segue_cqe_op_own_desc,
	[SEGUE_ENUM_CQE_OPCODE_ID] = &segue_cqe_opcode_desc,
	[SEGUE_ENUM_CQE_ROCE_PACKET_ID] = &segue_cqe_roce_packet_desc,
	[SEGUE_ENUM_CQE_SYNDROME_ID] = &segue_cqe_syndrome_desc,
	[SEGUE_ENUM_CQE_TLS_ID] = &segue_cqe_tls_desc,
	[SEGUE_ENUM_CRYPTO_ORDER_ID] = &segue_crypto_order_desc,
	[SEGUE_ENUM_CRYPTO_STANDARD_ID] = &segue_crypto_standard_desc,
	[SEGUE_ENUM_DBREC_ID] = &segue_dbrec_desc,
	[SEGUE_ENUM_DEK_PURPOSE_ID] = &segue_dek_purpose_desc,
	[SEGUE_ENUM_DEK_SIZE_ID] = &segue_dek_size_desc,
	[SEGUE_ENUM_ETH_CS_FLAG_ID] = &segue_eth_cs_flag_desc,
	[SEGUE_ENUM_ETH_INLINE_ID] = &segue_eth_inline_desc,
	[SEGUE_ENUM_ETH_SWP_FLAG_ID] = &segue_eth_swp_flag_desc,
	[SEGUE_ENUM_FENCE_ID] = &segue_fence_desc,
	[SEGUE_ENUM_FLOW_OP_ID] = &segue_flow_op_desc,
	[SEGUE_ENUM_GENERAL_OBJECT_ID] = &segue_general_object_desc,
	[SEGUE_ENUM_LKEY_ID] = &segue_lkey_desc,
	[SEGUE_ENUM_MINI_CQE_FORMAT_ID] = &segue_mini_cqe_format_desc,
	[SEGUE_ENUM_MKEY_ACCESS_ID] = &segue_mkey_access_desc,
	[SEGUE_ENUM_MKEY_MASK_ID] = &segue_mkey_mask_desc,
	[SEGUE_ENUM_MPRQ_BYTE_CNT_ID] = &segue_mprq_byte_cnt_desc,
	[SEGUE_ENUM_OPCODE_ID] = &segue_opcode_desc,
	[SEGUE_ENUM_OPMOD_ASO_ID] = &segue_opmod_aso_desc,
	[SEGUE_ENUM_OPMOD_FLOW_TBL_ACCESS_ID] = &segue_opmod_flow_tbl_access_desc,
	[SEGUE_ENUM_OPMOD_LOCAL_MMO_ID] = &segue_opmod_local_mmo_desc,
	[SEGUE_ENUM_OPMOD_MASKED_ATOMIC_ID] = &segue_opmod_masked_atomic_desc,
	[SEGUE_ENUM_OPMOD_MMO_ID] = &segue_opmod_mmo_desc,
	[SEGUE_ENUM_OPMOD_SET_PSV_ID] = &segue_opmod_set_psv_desc,
	[SEGUE_ENUM_OPMOD_TSO_ID] = &segue_opmod_tso_desc,
	[SEGUE_ENUM_OPMOD_UMR_ID] = &segue_opmod_umr_desc,
	[SEGUE_ENUM_OPMOD_WAIT_ID] = &segue_opmod_wait_desc,
	[SEGUE_ENUM_POST_FLAG_ID] = &segue_post_flag_desc,
	[SEGUE_ENUM_QP_ATTR_ID] = &segue_qp_attr_desc,
	[SEGUE_ENUM_QP_STATE_ID] = &segue_qp_state_desc,
	[SEGUE_ENUM_QUERY_HCA_CAP_OP_MOD_ID] = &segue_query_hca_cap_op_mod_desc,
	[SEGUE_ENUM_REPEAT_BLOCK_OP_ID] = &segue_repeat_block_op_desc,
	[SEGUE_ENUM_SIG_ERR_DOMAIN_ID] = &segue_sig_err_domain_desc,
	[SEGUE_ENUM_SIG_ERR_SYNDROME_ID] = &segue_sig_err_syndrome_desc,
	[SEGUE_ENUM_SIG_ERR_TYPE_ID] = &segue_sig_err_type_desc,
	[SEGUE_ENUM_SIG_MASK_ID] = &segue_sig_mask_desc,
	[SEGUE_ENUM_T10DIF_ID] = &segue_t10dif_desc,
	[SEGUE_ENUM_TM_APP_OP_ID] = &segue_tm_app_op_desc,
	[SEGUE_ENUM_TM_FLAG_ID] = &segue_tm_flag_desc,
	[SEGUE_ENUM_TM_OPCODE_ID] = &segue_tm_opcode_desc,
	[SEGUE_ENUM_TMH_OPCODE_ID] = &segue_tmh_opcode_desc,
	[SEGUE_ENUM_UAR_ID] = &segue_uar_desc,
	[SEGUE_ENUM_UMR_CHECK_ID] = &segue_umr_check_desc,
	[SEGUE_ENUM_VENDOR_SYNDROME_ID] = &segue_vendor_syndrome_desc,
	[SEGUE_ENUM_WAIT_COND_ID] = &segue_wait_cond_desc,
	[SEGUE_ENUM_WAIT_FAIL_ACTION_ID] = &segue_wait_fail_action_desc,
	[SEGUE_ENUM_WQE_ID] = &segue_wqe_desc,
	[SEGUE_ENUM_COUNT] = NULL,
};

const struct segue_segment_desc *const segue_segments[] = {
	[SEGUE_SEG_ATOMIC_ID] = &segue_seg_atomic_desc,
	[SEGUE_SEG_ATOMIC_ADD_ID] = &segue_seg_atomic_add_desc,
	[SEGUE_SEG_AV_DC_ID] = &segue_seg_av_dc_desc,
	[SEGUE_SEG_AV_DC_COMPACT_ID] = &segue_seg_av_dc_compact_desc,
	[SEGUE_SEG_AV_UD_ID] = &segue_seg_av_ud_desc,
	[SEGUE_SEG_AV_UD_COMPACT_ID] = &segue_seg_av_ud_compact_desc,
	[SEGUE_SEG_BIND_KLM_ID] = &segue_seg_bind_klm_desc,
	[SEGUE_SEG_BSF_ID] = &segue_seg_bsf_desc,
	[SEGUE_SEG_BSF_INL_ID] = &segue_seg_bsf_inl_desc,
	[SEGUE_SEG_CHECK_PSV_ID] = &segue_seg_check_psv_desc,
	[SEGUE_SEG_COMMAND_IN_ID] = &segue_seg_command_in_desc,
	[SEGUE_SEG_CQ_ARM_ID] = &segue_seg_cq_arm_desc,
	[SEGUE_SEG_CREATE_DEK_IN_ID] = &segue_seg_create_dek_in_desc,
	[SEGUE_SEG_CREATE_OBJECT_OUT_ID] = &segue_seg_create_object_out_desc,
	[SEGUE_SEG_CREATE_PSV_IN_ID] = &segue_seg_create_psv_in_desc,
	[SEGUE_SEG_CREATE_PSV_OUT_ID] = &segue_seg_create_psv_out_desc,
	[SEGUE_SEG_CRYPTO_BSF_ID] = &segue_seg_crypto_bsf_desc,
	[SEGUE_SEG_CTRL_ID] = &segue_seg_ctrl_desc,
	[SEGUE_SEG_DATA_ID] = &segue_seg_data_desc,
	[SEGUE_SEG_DATA_END_ID] = &segue_seg_data_end_desc,
	[SEGUE_SEG_ETH_ID] = &segue_seg_eth_desc,
	[SEGUE_SEG_ETH_PAD_ID] = &segue_seg_eth_pad_desc,
	[SEGUE_SEG_ETH_VLAN_ID] = &segue_seg_eth_vlan_desc,
	[SEGUE_SEG_FILLER_ID] = &segue_seg_filler_desc,
	[SEGUE_SEG_FLOW_UPDATE_CTRL_ID] = &segue_seg_flow_update_ctrl_desc,
	[SEGUE_SEG_GET_PSV_ID] = &segue_seg_get_psv_desc,
	[SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_ID] = &segue_seg_header_modify_argument_update_desc,
	[SEGUE_SEG_INLINE_DATA_ID] = &segue_seg_inline_data_desc,
	[SEGUE_SEG_KLM_ID] = &segue_seg_klm_desc,
	[SEGUE_SEG_LIST_PAD_ID] = &segue_seg_list_pad_desc,
	[SEGUE_SEG_MASKED_CAS32_ID] = &segue_seg_masked_cas32_desc,
	[SEGUE_SEG_MASKED_CAS64_ID] = &segue_seg_masked_cas64_desc,
	[SEGUE_SEG_MASKED_FA32_ID] = &segue_seg_masked_fa32_desc,
	[SEGUE_SEG_MASKED_FA64_ID] = &segue_seg_masked_fa64_desc,
	[SEGUE_SEG_MKEY_BIND_ID] = &segue_seg_mkey_bind_desc,
	[SEGUE_SEG_MKEY_CONTEXT_ID] = &segue_seg_mkey_context_desc,
	[SEGUE_SEG_MKEY_INVALIDATE_ID] = &segue_seg_mkey_invalidate_desc,
	[SEGUE_SEG_MMO_DATA_ID] = &segue_seg_mmo_data_desc,
	[SEGUE_SEG_MMO_METADATA_ID] = &segue_seg_mmo_metadata_desc,
	[SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_ID] = &segue_seg_query_hca_cap_atomic_out_desc,
	[SEGUE_SEG_QUERY_HCA_CAP_OUT_ID] = &segue_seg_query_hca_cap_out_desc,
	[SEGUE_SEG_QUERY_XRC_SRQ_OUT_ID] = &segue_seg_query_xrc_srq_out_desc,
	[SEGUE_SEG_RADDR_ID] = &segue_seg_raddr_desc,
	[SEGUE_SEG_REPEAT_BLOCK_ID] = &segue_seg_repeat_block_desc,
	[SEGUE_SEG_REPEAT_ENT_ID] = &segue_seg_repeat_ent_desc,
	[SEGUE_SEG_RVH_ID] = &segue_seg_rvh_desc,
	[SEGUE_SEG_RWQE_SIG_ID] = &segue_seg_rwqe_sig_desc,
	[SEGUE_SEG_SEND_EN_ID] = &segue_seg_send_en_desc,
	[SEGUE_SEG_SET_PSV_ID] = &segue_seg_set_psv_desc,
	[SEGUE_SEG_SIGNATURE_ID] = &segue_seg_signature_desc,
	[SEGUE_SEG_SRQ_NEXT_ID] = &segue_seg_srq_next_desc,
	[SEGUE_SEG_TM_ID] = &segue_seg_tm_desc,
	[SEGUE_SEG_TMH_ID] = &segue_seg_tmh_desc,
	[SEGUE_SEG_TRANSPOSE_ID] = &segue_seg_transpose_desc,
	[SEGUE_SEG_UMR_CTRL_ID] = &segue_seg_umr_ctrl_desc,
	[SEGUE_SEG_UMR_POINTER_ID] = &segue_seg_umr_pointer_desc,
	[SEGUE_SEG_WAIT_CQ_ID] = &segue_seg_wait_cq_desc,
	[SEGUE_SEG_WAIT_ON_DATA_ID] = &segue_seg_wait_on_data_desc,
	[SEGUE_SEG_WAIT_ON_TIME_ID] = &segue_seg_wait_on_time_desc,
	[SEGUE_SEG_XRC_ID] = &segue_seg_xrc_desc,
	[SEGUE_SEGMENT_COUNT] = NULL,
};

const struct segue_segment_desc *const segue_cqes[] = {
	[SEGUE_CQE_CQE128_ID] = &segue_cqe_cqe128_desc,
	[SEGUE_CQE_CQE64_ID] = &segue_cqe_cqe64_desc,
	[SEGUE_CQE_CQE_INLINE32_ID] = &segue_cqe_cqe_inline32_desc,
	[SEGUE_CQE_CQE_INLINE64_ID] = &segue_cqe_cqe_inline64_desc,
	[SEGUE_CQE_ERR_CQE_ID] = &segue_cqe_err_cqe_desc,
	[SEGUE_CQE_MINI_CQE_ID] = &segue_cqe_mini_cqe_desc,
	[SEGUE_CQE_MINI_CQE_ARRAY_ID] = &segue_cqe_mini_cqe_array_desc,
	[SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_ID] = &segue_cqe_mini_cqe_array_trailer_desc,
	[SEGUE_CQE_MINI_CQE_CSUM_ID] = &segue_cqe_mini_cqe_csum_desc,
	[SEGUE_CQE_MINI_CQE_REQ_ID] = &segue_cqe_mini_cqe_req_desc,
	[SEGUE_CQE_SIG_ERR_CQE_ID] = &segue_cqe_sig_err_cqe_desc,
	[SEGUE_CQE_TM_CQE_ID] = &segue_cqe_tm_cqe_desc,
	[SEGUE_CQE_TM_MATCH_CQE_ID] = &segue_cqe_tm_match_cqe_desc,
	[SEGUE_CQE_COUNT] = NULL,
};
/* clang-format on */
