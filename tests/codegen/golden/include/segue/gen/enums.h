/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/enums, spec/verbs/enums by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_ENUMS_H
#define SEGUE_GEN_ENUMS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/**
 * What may be done to a memory region, or through a queue pair.
 * Source: infiniband/verbs.h, enum ibv_access_flags; rdma/ib_user_ioctl_verbs.h, enum
 * ib_uverbs_access_flags
 */
enum segue_access_flags {
	/* The device may write on behalf of this side: receives, READ results, atomic results. */
	SEGUE_ACCESS_FLAGS_LOCAL_WRITE = 0x1,
	/* The peer may write. Requires LOCAL_WRITE on a region. */
	SEGUE_ACCESS_FLAGS_REMOTE_WRITE = 0x2,
	/* The peer may read. */
	SEGUE_ACCESS_FLAGS_REMOTE_READ = 0x4,
	/* The peer may do atomics. Requires LOCAL_WRITE on a region. */
	SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC = 0x8,
	/* Memory windows may be bound to the region. */
	SEGUE_ACCESS_FLAGS_MW_BIND = 0x10,
	/* Remote addresses count from zero instead of from the region's address. */
	SEGUE_ACCESS_FLAGS_ZERO_BASED = 0x20,
	/* Pages are not pinned; the device faults them in on demand. */
	SEGUE_ACCESS_FLAGS_ON_DEMAND = 0x40,
	/* The memory consists of huge pages. Only meaningful together with ON_DEMAND. */
	SEGUE_ACCESS_FLAGS_HUGETLB = 0x80,
	/*
	 * PCIe writes to the region may pass each other. Devices that cannot do it ignore the flag.
	 */
	SEGUE_ACCESS_FLAGS_RELAXED_ORDERING = 0x100000,
};

/**
 * segue_access_flags_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_access_flags_name(uint32_t value);

/**
 * Block format selector: which checksum protects a block. Zero with T10-DIF, which the inline part
 * describes.
 * Source: providers/mlx5/wqe.h, MLX5_BFS_*; providers/mlx5/qp.c, mlx5_umr_crc_bfs
 */
enum segue_bsf_bfs {
	/* The CRC starts from zero instead of all ones. */
	SEGUE_BSF_BFS_CRC_SEED = 0x01,
	/*
	 * The block signature repeats for each block (Also called MLX5_BFS_CRC_BLOCK_SIGS_COV_BIT).
	 */
	SEGUE_BSF_BFS_CRC_REPEAT = 0x02,
	/* CRC-32 with the IEEE 802.3 polynomial. */
	SEGUE_BSF_BFS_CRC32 = 0x20,
	/* CRC-32C (Castagnoli). */
	SEGUE_BSF_BFS_CRC32C = 0x40,
	/* CRC-64 XP10, the checksum of the T10 standard for large blocks. */
	SEGUE_BSF_BFS_CRC64_XP10 = 0x50,
};

/**
 * segue_bsf_bfs_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_bsf_bfs_name(uint32_t value);

/**
 * Block size selector of signatures and of crypto data units.
 * Source: providers/mlx5/qp.c, bs_to_bs_selector
 */
enum segue_bsf_block_size {
	/* No blocks; used for a domain without signatures. */
	SEGUE_BSF_BLOCK_SIZE_NONE = 0x00,
	/* Blocks of 512 bytes. */
	SEGUE_BSF_BLOCK_SIZE_B512 = 0x01,
	/* Blocks of 520 bytes. */
	SEGUE_BSF_BLOCK_SIZE_B520 = 0x02,
	/* Blocks of 4096 bytes. */
	SEGUE_BSF_BLOCK_SIZE_B4096 = 0x03,
	/* Blocks of 4160 bytes. */
	SEGUE_BSF_BLOCK_SIZE_B4160 = 0x04,
	/* 1 GiB according to Linux, 1 MiB according to DPDK; libmlx5 does not use it. */
	SEGUE_BSF_BLOCK_SIZE_LARGE = 0x05,
	/* Blocks of 4048 bytes. */
	SEGUE_BSF_BLOCK_SIZE_B4048 = 0x06,
};

/**
 * segue_bsf_block_size_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_bsf_block_size_name(uint32_t value);

/**
 * How T10-DIF tags are incremented and when checks are skipped.
 * Source: providers/mlx5/wqe.h, MLX5_BSF_INC_REFTAG, MLX5_BSF_APPTAG_ESCAPE and
 * MLX5_BSF_APPREF_ESCAPE
 */
enum segue_bsf_dif_flag {
	/* A block whose application tag is 0xffff is not checked. */
	SEGUE_BSF_DIF_FLAG_APPTAG_ESCAPE = 0x01,
	/*
	 * A block whose application tag is 0xffff and whose reference tag is 0xffffffff is not
	 * checked.
	 */
	SEGUE_BSF_DIF_FLAG_APPREF_ESCAPE = 0x02,
	/* The reference tag grows by one with each block. */
	SEGUE_BSF_DIF_FLAG_INC_REFTAG = 0x40,
};

/**
 * segue_bsf_dif_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_bsf_dif_flag_name(uint32_t value);

/**
 * Validity flags of an inline BSF part.
 * Source: providers/mlx5/wqe.h, MLX5_BSF_INL_VALID and MLX5_BSF_REFRESH_DIF
 */
enum segue_bsf_inl_valid {
	/* The tags are taken anew from this part for each use of the key. */
	SEGUE_BSF_INL_VALID_REFRESH_DIF = 0x4000,
	/* The inline part is in use. */
	SEGUE_BSF_INL_VALID_INL_VALID = 0x8000,
};

/**
 * segue_bsf_inl_valid_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_bsf_inl_valid_name(uint32_t value);

/**
 * Repeat, inversion and seed of a T10-DIF guard.
 * Source: providers/mlx5/wqe.h, MLX5_BSF_REPEAT_BLOCK and MLX5_BSF_SEED
 */
enum segue_bsf_rp_inv_seed {
	/* The guard starts from all ones instead of zero. */
	SEGUE_BSF_RP_INV_SEED_SEED = 0x08,
	/* The signature repeats for each block. */
	SEGUE_BSF_RP_INV_SEED_REPEAT_BLOCK = 0x80,
};

/**
 * segue_bsf_rp_inv_seed_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_bsf_rp_inv_seed_name(uint32_t value);

/**
 * How large a byte stream format (BSF) is; devices read as much as this says.
 * Source: providers/mlx5/wqe.h, MLX5_BSF_SIZE_*; DPDK drivers/common/mlx5/mlx5_prm.h,
 * MLX5_BSF_SIZE_*
 */
enum segue_bsf_size {
	/* 16 bytes, the basic part. */
	SEGUE_BSF_SIZE_BASIC = 0,
	/* 32 bytes, the basic and the extended part. */
	SEGUE_BSF_SIZE_EXTENDED = 1,
	/* 64 bytes, both parts and two inline parts. Also a crypto BSF that stands alone. */
	SEGUE_BSF_SIZE_WITH_INLINE = 2,
	/* 128 bytes, a signature BSF and a crypto BSF. */
	SEGUE_BSF_SIZE_SIG_AND_CRYPTO = 3,
};

/**
 * segue_bsf_size_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_bsf_size_name(uint32_t value);

/**
 * What a byte stream format (BSF) describes.
 * Source: providers/mlx5/wqe.h, MLX5_BSF_TYPE_CRYPTO; DPDK drivers/common/mlx5/mlx5_prm.h,
 * MLX5_BSF_P_TYPE_*
 */
enum segue_bsf_type {
	/* Block signatures that are checked, stripped, inserted or copied. */
	SEGUE_BSF_TYPE_SIGNATURE = 0,
	/* Encryption or decryption of the data that pass. */
	SEGUE_BSF_TYPE_CRYPTO = 1,
};

/**
 * segue_bsf_type_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_bsf_type_name(uint32_t value);

/**
 * Commands to the device that the library sends through DEVX. All others are the driver's.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_HCA_CAP; Linux
 * include/linux/mlx5/mlx5_ifc.h, MLX5_CMD_OP_QUERY_XRC_SRQ
 */
enum segue_command {
	/* What the device can do. */
	SEGUE_COMMAND_QUERY_HCA_CAP = 0x0100,
	/* A protection signature value. */
	SEGUE_COMMAND_CREATE_PSV = 0x0600,
	/* The context of an XRC shared receive queue. */
	SEGUE_COMMAND_QUERY_XRC_SRQ = 0x0707,
	/* An object of the kind that the command names, of general_object. */
	SEGUE_COMMAND_CREATE_GENERAL_OBJECT = 0x0a00,
};

/**
 * segue_command_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_command_name(uint32_t value);

/**
 * Completion and event mode, CE, bits 3:2 of the byte fm_ce_se in the control segment: when the WQE
 * writes a completion. A WQE that fails always writes an error completion, except as FIRST_ERROR
 * says.
 * Source: Linux include/linux/mlx5/qp.h, MLX5_WQE_CTRL_CQ_UPDATE*; DPDK
 * drivers/common/mlx5/mlx5_prm.h, enum mlx5_completion_mode
 */
enum segue_completion_mode {
	/* Completes only if it fails. This is an unsignalled request. */
	SEGUE_COMPLETION_MODE_ON_ERROR = 0,
	/*
	 * Completes only if it is the first to fail; the flushed requests behind it write nothing.
	 */
	SEGUE_COMPLETION_MODE_ON_FIRST_ERROR = 1,
	/*
	 * Always completes. This is a signalled request; libmlx5 calls it MLX5_WQE_CTRL_CQ_UPDATE.
	 */
	SEGUE_COMPLETION_MODE_ALWAYS = 2,
	/*
	 * Always completes and also writes to the event queue, which raises an event. Linux and
	 * DPDK declare it and hardly use it.
	 */
	SEGUE_COMPLETION_MODE_ALWAYS_AND_EVENT = 3,
};

/**
 * segue_completion_mode_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_completion_mode_name(uint32_t value);

/**
 * What an armed completion queue raises an event for.
 * Source: infiniband/mlx5dv.h, MLX5_CQ_DB_REQ_NOT_SOL and MLX5_CQ_DB_REQ_NOT
 */
enum segue_cq_arm_cmd {
	SEGUE_CQ_ARM_CMD_ANY = 0,	/* The next completion. */
	SEGUE_CQ_ARM_CMD_SOLICITED = 1, /* The next completion that is solicited or in error. */
};

/**
 * segue_cq_arm_cmd_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cq_arm_cmd_name(uint32_t value);

/**
 * Indices into the doorbell record of a completion queue, two big-endian 32-bit words in host
 * memory.
 * Source: providers/mlx5/mlx5.h, MLX5_CQ_SET_CI and MLX5_CQ_ARM_DB; providers/mlx5/cq.c,
 * update_cons_index
 */
enum segue_cq_dbrec {
	/* Consumer counter, modulo 2 to the power 24. Completions before it may be overwritten. */
	SEGUE_CQ_DBREC_SET_CI = 0,
	/* Copy of the upper half of the last arming doorbell (see segment cq_arm). */
	SEGUE_CQ_DBREC_ARM = 1,
};

/**
 * segue_cq_dbrec_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cq_dbrec_name(uint32_t value);

/**
 * Sizes of completion-queue entries.
 * Source: infiniband/mlx5dv.h, struct mlx5_cqe64; Linux include/linux/mlx5/device.h, struct
 * mlx5_cqe128 and struct mlx5_mini_cqe8
 */
enum segue_cqe {
	/* Bytes of a normal entry, and of the part of a 128-byte entry that holds the fields. */
	SEGUE_CQE_SIZE = 0x40,
	/* Bytes of a large entry; its second half has the form of a normal one. */
	SEGUE_CQE_SIZE_128 = 0x80,
	/* Bytes of a mini entry inside a compressed block. */
	SEGUE_CQE_MINI_SIZE = 0x08,
};

/**
 * segue_cqe_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_cqe_name(uint32_t value);

/**
 * Which application of the device has written the app_op and app_info fields.
 * Source: providers/mlx5/cq.c, MLX5_CQE_APP_TAG_MATCHING
 */
enum segue_cqe_app {
	/* None; app_op and app_info mean nothing. */
	SEGUE_CQE_APP_NONE = 0x00,
	/* Tag matching, the matching of arriving messages with posted tags. */
	SEGUE_CQE_APP_TAG_MATCHING = 0x01,
};

/**
 * segue_cqe_app_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_app_name(uint32_t value);

/**
 * Compression formats as mlx5dv_create_cq() and mlx5dv_query_device() name them.
 * Source: infiniband/mlx5dv.h, enum mlx5dv_cqe_comp_res_format
 */
enum segue_cqe_comp_res_format {
	/* Mini entries keep the receive hash. */
	SEGUE_CQE_COMP_RES_FORMAT_HASH = 0x1,
	/* Mini entries keep the checksum. */
	SEGUE_CQE_COMP_RES_FORMAT_CSUM = 0x2,
	/* Mini entries keep the checksum and the stride index. */
	SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX = 0x4,
};

/**
 * segue_cqe_comp_res_format_name() returns the member's name as in the spec, or NULL when the value
 * is no member.
 */
const char *segue_cqe_comp_res_format_name(uint32_t value);

/**
 * Where payload is, bits 3:2 of the last byte of a CQE.
 * Source: Linux include/linux/mlx5/device.h, MLX5_NO_INLINE_DATA to MLX5_COMPRESSED;
 * infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_*
 */
enum segue_cqe_format {
	/* Payload is in the receive or destination buffer. */
	SEGUE_CQE_FORMAT_NO_INLINE = 0,
	/* Up to 32 bytes of payload lie at the start of this entry. */
	SEGUE_CQE_FORMAT_INLINE_32 = 1,
	/* Up to 64 bytes of payload lie in the 64 bytes before this half of a 128-byte entry. */
	SEGUE_CQE_FORMAT_INLINE_64 = 2,
	/* This entry belongs to a compressed block. */
	SEGUE_CQE_FORMAT_COMPRESSED = 3,
};

/**
 * segue_cqe_format_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_format_name(uint32_t value);

/**
 * Whether a received message had a global route header, and where the device has put it.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_CQE_FLAG_L3_IN_*; providers/mlx5/cq.c,
 * handle_responder
 */
enum segue_cqe_grh {
	SEGUE_CQE_GRH_NONE = 0,	   /* There was none. */
	SEGUE_CQE_GRH_IN_DATA = 1, /* In the first 40 bytes of the receive buffer. */
	SEGUE_CQE_GRH_IN_CQE = 2,  /* In the 40 bytes before the second half of a 128-byte entry. */
};

/**
 * segue_cqe_grh_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_grh_name(uint32_t value);

/**
 * Network-layer header that the device has found in a received packet.
 * Source: infiniband/mlx5dv.h, MLX5_CQE_L3_HDR_TYPE_*
 */
enum segue_cqe_l3_hdr_type {
	SEGUE_CQE_L3_HDR_TYPE_NONE = 0, /* The packet has no IP header that the device knows. */
	SEGUE_CQE_L3_HDR_TYPE_IPV6 = 1, /* The packet has an IPv6 header. */
	SEGUE_CQE_L3_HDR_TYPE_IPV4 = 2, /* The packet has an IPv4 header. */
};

/**
 * segue_cqe_l3_hdr_type_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_cqe_l3_hdr_type_name(uint32_t value);

/**
 * Transport-layer header that the device has found in a received packet.
 * Source: Linux include/linux/mlx5/device.h, CQE_L4_HDR_TYPE_*
 */
enum segue_cqe_l4_hdr_type {
	SEGUE_CQE_L4_HDR_TYPE_NONE = 0,		    /* No transport header that the device knows. */
	SEGUE_CQE_L4_HDR_TYPE_TCP_NO_ACK = 1,	    /* TCP without acknowledgement. */
	SEGUE_CQE_L4_HDR_TYPE_UDP = 2,		    /* A UDP header. */
	SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_NO_DATA = 3,  /* TCP acknowledgement without payload. */
	SEGUE_CQE_L4_HDR_TYPE_TCP_ACK_AND_DATA = 4, /* TCP acknowledgement with payload. */
};

/**
 * segue_cqe_l4_hdr_type_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_cqe_l4_hdr_type_name(uint32_t value);

/**
 * Masks of the last byte of a completion-queue entry, which software reads first.
 * Source: infiniband/mlx5dv.h, MLX5_CQE_OWNER_MASK, MLX5_INLINE_SCATTER_32 and
 * MLX5_INLINE_SCATTER_64
 */
enum segue_cqe_op_own {
	/* Owner bit, which flips each time the device passes the end of the ring. */
	SEGUE_CQE_OP_OWN_OWNER_MASK = 0x01,
	/* Solicited bit. */
	SEGUE_CQE_OP_OWN_SOLICITED_MASK = 0x02,
	/* Format INLINE_32 in place, as libmlx5 tests it. */
	SEGUE_CQE_OP_OWN_INLINE_SCATTER_32 = 0x04,
	/* Format INLINE_64 in place, as libmlx5 tests it. */
	SEGUE_CQE_OP_OWN_INLINE_SCATTER_64 = 0x08,
	/* Bits that hold cqe_format. */
	SEGUE_CQE_OP_OWN_FORMAT_MASK = 0x0c,
	/* Bits that hold cqe_opcode. */
	SEGUE_CQE_OP_OWN_OPCODE_MASK = 0xf0,
};

/**
 * segue_cqe_op_own_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_op_own_name(uint32_t value);

/**
 * Kind of a completion, bits 7:4 of the last byte of a CQE.
 * Source: infiniband/mlx5dv.h, MLX5_CQE_REQ to MLX5_CQE_INVALID
 */
enum segue_cqe_opcode {
	/* A send WQE has completed; s_wqe_opcode says which operation it was. */
	SEGUE_CQE_OPCODE_REQ = 0,
	/* A receive was consumed by an RDMA WRITE with immediate. */
	SEGUE_CQE_OPCODE_RESP_WR_IMM = 1,
	/* A receive was filled by a SEND, or by a packet on an Ethernet queue. */
	SEGUE_CQE_OPCODE_RESP_SEND = 2,
	/* A receive was filled by a SEND with immediate. */
	SEGUE_CQE_OPCODE_RESP_SEND_IMM = 3,
	/* A receive was filled by a SEND that also invalidated a remote key. */
	SEGUE_CQE_OPCODE_RESP_SEND_INV = 4,
	/*
	 * Last entry of a completion queue that is being resized; polling goes on in the new
	 * buffer.
	 */
	SEGUE_CQE_OPCODE_RESIZE_CQ = 5,
	/* A tag-matching event that no packet has caused, such as an answer to a list command. */
	SEGUE_CQE_OPCODE_NO_PACKET = 6,
	/* A signature memory key has seen a wrong guard, application tag or reference tag. */
	SEGUE_CQE_OPCODE_SIG_ERR = 12,
	/* A send WQE has failed or was flushed. */
	SEGUE_CQE_OPCODE_REQ_ERR = 13,
	/* A receive WQE has failed or was flushed. */
	SEGUE_CQE_OPCODE_RESP_ERR = 14,
	/* Written by software into a fresh buffer: the device has not been here yet. */
	SEGUE_CQE_OPCODE_INVALID = 15,
};

/**
 * segue_cqe_opcode_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_opcode_name(uint32_t value);

/**
 * What a datagram received over RoCE was on the wire, as the device says it in the place of the
 * service level.
 * Source: UCX src/uct/ib/ud/base/ud_iface.h, uct_ud_iface_check_grh; Linux
 * include/linux/mlx5/device.h, MLX5_CQE_ROCE_L3_HEADER_TYPE_*
 */
enum segue_cqe_roce_packet {
	/* RoCE v1, with a global route header. */
	SEGUE_CQE_ROCE_PACKET_V1 = 0,
	/* RoCE v2, UDP over IPv6. */
	SEGUE_CQE_ROCE_PACKET_V2_IPV6 = 9,
	/*
	 * RoCE v2, UDP over IPv4. The IP header is in the last 20 of the 40 bytes in front of the
	 * message.
	 */
	SEGUE_CQE_ROCE_PACKET_V2_IPV4 = 10,
};

/**
 * segue_cqe_roce_packet_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_cqe_roce_packet_name(uint32_t value);

/**
 * Why a WQE failed, as error completions report it. Each corresponds to one ibv_wc_status.
 * Source: infiniband/mlx5dv.h, MLX5_CQE_SYNDROME_*; providers/mlx5/cq.c, mlx5_handle_error_cqe
 * (status)
 */
enum segue_cqe_syndrome {
	/*
	 * A message was longer than the receive buffer, or a send longer than the path or the port
	 * allows (IBV_WC_LOC_LEN_ERR).
	 */
	SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR = 0x01,
	/*
	 * The device refused the WQE itself: a wrong segment, length, queue number, or an operation
	 * that the queue pair does not do (IBV_WC_LOC_QP_OP_ERR).
	 */
	SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR = 0x02,
	/*
	 * A local key of the WQE does not cover the memory it names or forbids the access
	 * (IBV_WC_LOC_PROT_ERR).
	 */
	SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR = 0x04,
	/*
	 * The queue pair was already in the error state; this WQE was not attempted. Look for the
	 * first error before it (IBV_WC_WR_FLUSH_ERR).
	 */
	SEGUE_CQE_SYNDROME_WR_FLUSH_ERR = 0x05,
	/*
	 * Binding a memory window failed, mostly because the region lacks the rights
	 * (IBV_WC_MW_BIND_ERR).
	 */
	SEGUE_CQE_SYNDROME_MW_BIND_ERR = 0x06,
	/* The peer answered with a packet that does not fit the request (IBV_WC_BAD_RESP_ERR). */
	SEGUE_CQE_SYNDROME_BAD_RESP_ERR = 0x10,
	/*
	 * Data that arrived could not be written, because the local region forbids it
	 * (IBV_WC_LOC_ACCESS_ERR).
	 */
	SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR = 0x11,
	/*
	 * The peer found the request invalid, for example too long for its receive buffer or of a
	 * kind it does not serve (IBV_WC_REM_INV_REQ_ERR).
	 */
	SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR = 0x12,
	/*
	 * The peer's remote key does not cover the address or forbids the operation
	 * (IBV_WC_REM_ACCESS_ERR).
	 */
	SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR = 0x13,
	/*
	 * The peer could not complete the operation for a reason on its own side, such as a bad
	 * receive WQE (IBV_WC_REM_OP_ERR).
	 */
	SEGUE_CQE_SYNDROME_REMOTE_OP_ERR = 0x14,
	/*
	 * No acknowledgement came in spite of all retries: the peer is gone, not ready, or the path
	 * is wrong (IBV_WC_RETRY_EXC_ERR).
	 */
	SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR = 0x15,
	/* The peer had no receive posted in spite of all retries (IBV_WC_RNR_RETRY_EXC_ERR). */
	SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR = 0x16,
	/*
	 * The operation was aborted, above all on shared receive queues; with vendor syndrome 0x93
	 * a page fault that will be retried (IBV_WC_REM_ABORT_ERR).
	 */
	SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR = 0x22,
};

/**
 * segue_cqe_syndrome_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_syndrome_name(uint32_t value);

/**
 * What the TLS offload did with a received packet.
 * Source: Linux include/linux/mlx5/device.h, CQE_TLS_OFFLOAD_*
 */
enum segue_cqe_tls {
	SEGUE_CQE_TLS_NOT_DECRYPTED = 0, /* Not decrypted. */
	SEGUE_CQE_TLS_DECRYPTED = 1,	 /* Decrypted, and its authentication is good. */
	SEGUE_CQE_TLS_RESYNC = 2,	 /* Not decrypted; the device asks for resynchronisation. */
	SEGUE_CQE_TLS_ERROR = 3,	 /* Decryption or authentication failed. */
};

/**
 * segue_cqe_tls_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_cqe_tls_name(uint32_t value);

/**
 * Where data are encrypted, and on which side of the encryption the signature is.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_ORDER_*; providers/mlx5/qp.c, get_crypto_order
 */
enum segue_crypto_order {
	/* Encrypted on the wire; on transmit the signature is made before the encryption. */
	SEGUE_CRYPTO_ORDER_ENCRYPTED_WIRE_SIGNATURE = 0,
	/* Encrypted in memory; on transmit the signature is made after the decryption. */
	SEGUE_CRYPTO_ORDER_ENCRYPTED_MEMORY_SIGNATURE = 1,
	/*
	 * Encrypted on the wire; on transmit the signature is made after the encryption. Not with
	 * signatures in both domains.
	 */
	SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_WIRE = 2,
	/*
	 * Encrypted in memory; on transmit the signature is made before the decryption. Not with
	 * signatures in both domains.
	 */
	SEGUE_CRYPTO_ORDER_ENCRYPTED_RAW_MEMORY = 3,
};

/**
 * segue_crypto_order_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_crypto_order_name(uint32_t value);

/**
 * Encryption standard of a crypto BSF.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_STANDARD_AES_XTS
 */
enum segue_crypto_standard {
	/* AES-XTS, which encrypts each data unit under a tweak of its own. */
	SEGUE_CRYPTO_STANDARD_AES_XTS = 0,
};

/**
 * segue_crypto_standard_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_crypto_standard_name(uint32_t value);

/**
 * Indices into the doorbell record of a queue pair, two big-endian 32-bit words in host memory that
 * the device reads.
 * Source: infiniband/mlx5dv.h, MLX5_RCV_DBR and MLX5_SND_DBR; providers/mlx5/qp.c, post_send_db
 */
enum segue_dbrec {
	/* Producer counter of the receive queue, in receive WQEs, modulo 65536. */
	SEGUE_DBREC_RCV = 0,
	/* Producer counter of the send queue, in 64-byte blocks, modulo 65536. */
	SEGUE_DBREC_SND = 1,
};

/**
 * segue_dbrec_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_dbrec_name(uint32_t value);

/**
 * What a data encryption key is for.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_KEY_OBJ_KEY_PURPOSE_AES_XTS
 */
enum segue_dek_purpose {
	SEGUE_DEK_PURPOSE_AES_XTS = 3, /* AES-XTS of data on their way. */
};

/**
 * segue_dek_purpose_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_dek_purpose_name(uint32_t value);

/**
 * Size of each half of a data encryption key.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_ENCRYPTION_KEY_OBJ_KEY_SIZE_*
 */
enum segue_dek_size {
	SEGUE_DEK_SIZE_SIZE_128 = 0, /* 16 bytes. */
	SEGUE_DEK_SIZE_SIZE_256 = 1, /* 32 bytes. */
};

/**
 * segue_dek_size_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_dek_size_name(uint32_t value);

/**
 * Checksums that the device is to compute on the way out, and header types that the software parser
 * is told.
 * Source: infiniband/mlx5dv.h, MLX5_ETH_WQE_L3_CSUM and MLX5_ETH_WQE_L4_CSUM; Linux
 * include/linux/mlx5/qp.h
 */
enum segue_eth_cs_flag {
	/* Checksum of the inner IPv4 header of a tunnelled packet. */
	SEGUE_ETH_CS_FLAG_L3_INNER_CSUM = 0x10,
	/* Checksum of the inner TCP or UDP header of a tunnelled packet. */
	SEGUE_ETH_CS_FLAG_L4_INNER_CSUM = 0x20,
	/* Checksum of the (outer) IPv4 header. */
	SEGUE_ETH_CS_FLAG_L3_CSUM = 0x40,
	/* Checksum of the (outer) TCP or UDP header. */
	SEGUE_ETH_CS_FLAG_L4_CSUM = 0x80,
};

/**
 * segue_eth_cs_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_eth_cs_flag_name(uint32_t value);

/**
 * Sizes of packet headers that must or may be placed in the Ethernet segment.
 * Source: providers/mlx5/wqe.h, MLX5_ETH_L2_INLINE_HEADER_SIZE and its neighbours
 */
enum segue_eth_inline {
	/* Least bytes of header for a UD queue pair that underlies IPoIB. */
	SEGUE_ETH_INLINE_IPOIB_MIN_SIZE = 0x04,
	/*
	 * Bytes that a device which needs the layer-2 header wants inlined, an Ethernet header with
	 * VLAN tag. Also the most that libmlx5 inlines on IPoIB queues.
	 */
	SEGUE_ETH_INLINE_L2_SIZE = 0x12,
	/* Bytes of an Ethernet header without VLAN tag, the least that TSO accepts. */
	SEGUE_ETH_INLINE_L2_MIN_SIZE = 0x0e,
};

/**
 * segue_eth_inline_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_eth_inline_name(uint32_t value);

/**
 * Header types for the software parser, which lets the driver say where headers of unusual packets
 * are.
 * Source: Linux include/linux/mlx5/qp.h, MLX5_ETH_WQE_SWP_*
 */
enum segue_eth_swp_flag {
	SEGUE_ETH_SWP_FLAG_INNER_L3_IPV6 = 0x01, /* The inner network header is IPv6, else IPv4. */
	SEGUE_ETH_SWP_FLAG_INNER_L4_UDP = 0x02,	 /* The inner transport header is UDP, else TCP. */
	SEGUE_ETH_SWP_FLAG_OUTER_L3_IPV6 = 0x10, /* The outer network header is IPv6, else IPv4. */
	SEGUE_ETH_SWP_FLAG_OUTER_L4_UDP = 0x20,	 /* The outer transport header is UDP, else TCP. */
};

/**
 * segue_eth_swp_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_eth_swp_flag_name(uint32_t value);

/**
 * Fence mode, FM, bits 7:5 of the byte fm_ce_se in the control segment: which earlier work of the
 * same queue must have finished before this WQE starts.
 * Source: Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*; infiniband/mlx5dv.h,
 * MLX5_WQE_CTRL_FENCE
 */
enum segue_fence {
	/* Starts as soon as the device gets to it. */
	SEGUE_FENCE_NONE = 0,
	/*
	 * Waits until the effects of earlier local operations, above all UMR, are visible to this
	 * WQE. libmlx5 sets it on the WQE that follows a UMR.
	 */
	SEGUE_FENCE_INITIATOR_SMALL = 1,
	/* Waits until earlier RDMA READs and atomics of this queue have returned their data. */
	SEGUE_FENCE_FENCE = 2,
	/* Waits until all earlier WQEs of this queue have been executed. */
	SEGUE_FENCE_STRONG_ORDERING = 3,
	/*
	 * Both INITIATOR_SMALL and FENCE. This is what libmlx5 writes for IBV_SEND_FENCE, under the
	 * name MLX5_WQE_CTRL_FENCE.
	 */
	SEGUE_FENCE_SMALL_AND_FENCE = 4,
};

/**
 * segue_fence_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_fence_name(uint32_t value);

/**
 * What FLOW_TBL_ACCESS does with a steering entry.
 * Source: DPDK drivers/net/mlx5/hws/mlx5dr_send.h, enum mlx5dr_wqe_gta_opcode
 */
enum segue_flow_op {
	SEGUE_FLOW_OP_ACTIVATE = 0,   /* Inserts the entry, so that packets match it from now on. */
	SEGUE_FLOW_OP_DEACTIVATE = 1, /* Removes the entry. */
};

/**
 * segue_flow_op_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_flow_op_name(uint32_t value);

/**
 * Objects that CREATE_GENERAL_OBJECT makes, as far as the library does.
 * Source: providers/mlx5/mlx5_ifc.h, MLX5_OBJ_TYPE_DEK
 */
enum segue_general_object {
	SEGUE_GENERAL_OBJECT_DEK = 0x000c, /* A data encryption key. */
};

/**
 * segue_general_object_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_general_object_name(uint32_t value);

/**
 * Special local keys.
 * Source: infiniband/mlx5dv.h, MLX5_INVALID_LKEY
 */
enum segue_lkey {
	SEGUE_LKEY_INVALID = 0x100, /* Names no memory. Ends the scatter list of a receive WQE. */
};

/**
 * segue_lkey_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_lkey_name(uint32_t value);

/**
 * What the first half of a mini CQE of a receive completion holds; chosen when the completion queue
 * is created.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_CQE_RESP_FORMAT_*
 */
enum segue_mini_cqe_format {
	/* The receive hash (segment mini_cqe). */
	SEGUE_MINI_CQE_FORMAT_HASH = 0,
	/* The checksum (segment mini_cqe_csum). */
	SEGUE_MINI_CQE_FORMAT_CSUM = 1,
	/* A flow tag and the stride index. */
	SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX = 2,
	/* The checksum and the stride index (segment mini_cqe_csum). */
	SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX = 3,
	/* The header types and the stride index. */
	SEGUE_MINI_CQE_FORMAT_L34H_STRIDX = 4,
};

/**
 * segue_mini_cqe_format_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_mini_cqe_format_name(uint32_t value);

/**
 * Access rights and translation mode in the memory key context.
 * Source: infiniband/mlx5dv.h, MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_*; Linux
 * include/linux/mlx5/device.h, MLX5_PERM_*
 */
enum segue_mkey_access {
	/*
	 * The list holds addresses of pages of one size. Zero, neither mode, means one physically
	 * contiguous piece.
	 */
	SEGUE_MKEY_ACCESS_MODE_MTT = 0x01,
	/* The list holds KLMs, each with its own key, address and length. */
	SEGUE_MKEY_ACCESS_MODE_KLM = 0x02,
	/* The list holds KLMs of one common length, which need no search. */
	SEGUE_MKEY_ACCESS_MODE_KSM = 0x03,
	/* The device may read for this side. */
	SEGUE_MKEY_ACCESS_LOCAL_READ = 0x04,
	/* The device may write for this side. */
	SEGUE_MKEY_ACCESS_LOCAL_WRITE = 0x08,
	/* The peer may read. */
	SEGUE_MKEY_ACCESS_REMOTE_READ = 0x10,
	/* The peer may write. */
	SEGUE_MKEY_ACCESS_REMOTE_WRITE = 0x20,
	/* The peer may do atomics. */
	SEGUE_MKEY_ACCESS_ATOMIC = 0x40,
	/* The key may be changed by UMR. Set when the key is created. */
	SEGUE_MKEY_ACCESS_UMR_EN = 0x80,
};

/**
 * segue_mkey_access_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_mkey_access_name(uint32_t value);

/**
 * Which fields of the memory key context a UMR changes. Fields whose bit is clear are left as they
 * are.
 * Source: infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*; Linux include/linux/mlx5/device.h,
 * MLX5_MKEY_MASK_*
 */
/* Length of the memory that the key covers. */
#define SEGUE_MKEY_MASK_LEN		       UINT64_C(0x1)
/* Page size, low five bits of log_page_size. */
#define SEGUE_MKEY_MASK_PAGE_SIZE	       UINT64_C(0x2)
/* Address of the first byte that the key covers. */
#define SEGUE_MKEY_MASK_START_ADDR	       UINT64_C(0x40)
/* Protection domain that the key belongs to. */
#define SEGUE_MKEY_MASK_PD		       UINT64_C(0x80)
/* Permission of remote invalidation. */
#define SEGUE_MKEY_MASK_EN_RINVAL	       UINT64_C(0x100)
/* Expected signature error count, which acknowledges a reported signature error. */
#define SEGUE_MKEY_MASK_SIG_ERR		       UINT64_C(0x200)
/* Whether byte stream formats (signature, crypto) are applied, and which. */
#define SEGUE_MKEY_MASK_BSF_ENABLE	       UINT64_C(0x1000)
/* The low eight bits of the key, which the user chooses. */
#define SEGUE_MKEY_MASK_MKEY		       UINT64_C(0x2000)
/* The queue pair that the key is bound to. */
#define SEGUE_MKEY_MASK_QPN		       UINT64_C(0x4000)
/* Right to read locally. */
#define SEGUE_MKEY_MASK_ACCESS_LOCAL_READ      UINT64_C(0x20000)
/* Right to write locally. */
#define SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE     UINT64_C(0x40000)
/* Right of the peer to read. */
#define SEGUE_MKEY_MASK_ACCESS_REMOTE_READ     UINT64_C(0x80000)
/* Right of the peer to write. */
#define SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE    UINT64_C(0x100000)
/* Right of the peer to do atomics. */
#define SEGUE_MKEY_MASK_ACCESS_ATOMIC	       UINT64_C(0x200000)
/* Small fence on RDMA READ responses. */
#define SEGUE_MKEY_MASK_SMALL_FENCE	       UINT64_C(0x800000)
/* Relaxed PCIe ordering of writes. */
#define SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE UINT64_C(0x2000000)
/* The free bit, which makes the key unusable until it is set up. */
#define SEGUE_MKEY_MASK_FREE		       UINT64_C(0x20000000)
/* Sixth bit of log_page_size, on devices that have it. */
#define SEGUE_MKEY_MASK_PAGE_SIZE_5	       UINT64_C(0x40000000000)
/* Relaxed PCIe ordering of reads. */
#define SEGUE_MKEY_MASK_RELAXED_ORDERING_READ  UINT64_C(0x800000000000)

/**
 * segue_mkey_mask_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_mkey_mask_name(uint64_t value);

/**
 * Meaning of the bits of byte_cnt in completions of a striding receive queue. The meaning of bits
 * 30:29 depends on the kind of queue.
 * Source: Linux include/linux/mlx5/device.h, struct mpwrq_cqe_bc; DPDK mlx5_prm.h, MLX5_MPRQ_*; UCX
 * ib_mlx5.h, UCT_IB_MLX5_MP_RQ_*
 */
/* Bytes of this packet or message. */
#define SEGUE_MPRQ_BYTE_CNT_LENGTH_MASK	 0xffffu
/* Strides consumed, on an Ethernet striding queue (Linux takes one bit more, 0x7fff0000). */
#define SEGUE_MPRQ_BYTE_CNT_STRIDES_MASK 0x3fff0000u
/* First packet of a message, on a striding tag-matching SRQ. */
#define SEGUE_MPRQ_BYTE_CNT_FIRST_MSG	 0x20000000u
/* Last packet of a message, on a striding tag-matching SRQ. */
#define SEGUE_MPRQ_BYTE_CNT_LAST_MSG	 0x40000000u
/* Filler completion: strides were skipped and carry no data. */
#define SEGUE_MPRQ_BYTE_CNT_FILLER	 0x80000000u

/**
 * segue_mprq_byte_cnt_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_mprq_byte_cnt_name(uint32_t value);

/**
 * Operation codes of send work-queue entries, bits 7:0 of the first dword of the control segment.
 * The opcode tells the device what to do and which segments it must expect after the control
 * segment.
 * Source: infiniband/mlx5dv.h, MLX5_OPCODE_*; members that it lacks name their own source
 */
enum segue_opcode {
	/*
	 * Does nothing but occupy ring space and, when asked to, complete. Used to skip ring blocks
	 * and to flush a queue.
	 */
	SEGUE_OPCODE_NOP = 0x00,
	/*
	 * Sends a message into a receive buffer of the peer and invalidates there the remote key
	 * given in the immediate field.
	 */
	SEGUE_OPCODE_SEND_INVAL = 0x01,
	/* Writes local memory into memory of the peer. The peer sees no completion. */
	SEGUE_OPCODE_RDMA_WRITE = 0x08,
	/*
	 * Writes like RDMA_WRITE, then consumes one receive of the peer, whose completion reports
	 * the immediate.
	 */
	SEGUE_OPCODE_RDMA_WRITE_IMM = 0x09,
	/*
	 * Sends a message into the next receive buffer of the peer; on a raw packet queue sends one
	 * Ethernet frame.
	 */
	SEGUE_OPCODE_SEND = 0x0a,
	/* Sends like SEND and hands the peer 32 bits of immediate data in its completion. */
	SEGUE_OPCODE_SEND_IMM = 0x0b,
	/*
	 * Segments one large TCP payload into packets of at most the given segment size behind the
	 * inlined headers. Linux calls it LSO.
	 */
	SEGUE_OPCODE_TSO = 0x0e,
	/*
	 * Holds back the rest of this send queue until a completion queue, a memory word or the
	 * device clock has reached a value; opmod_wait says which.
	 */
	SEGUE_OPCODE_WAIT = 0x0f,
	/* Reads memory of the peer into local memory. */
	SEGUE_OPCODE_RDMA_READ = 0x10,
	/*
	 * Compares a 64-bit word of the peer and swaps it when equal; the old value is written to
	 * local memory.
	 */
	SEGUE_OPCODE_ATOMIC_CS = 0x11,
	/* Adds to a 64-bit word of the peer; the old value is written to local memory. */
	SEGUE_OPCODE_ATOMIC_FA = 0x12,
	/*
	 * Compares and swaps only the bits selected by two masks, on operands of 4 or 8 bytes;
	 * opmod_masked_atomic gives the size.
	 */
	SEGUE_OPCODE_ATOMIC_MASKED_CS = 0x14,
	/*
	 * Adds several independent fields of one word at once; the field boundary mask says where a
	 * carry stops. opmod_masked_atomic gives the size.
	 */
	SEGUE_OPCODE_ATOMIC_MASKED_FA = 0x15,
	/*
	 * Lets another send queue run up to a given producer index; the cross-channel companion of
	 * WAIT.
	 */
	SEGUE_OPCODE_SEND_EN = 0x17,
	/*
	 * Memory window bind of the device's interface. libmlx5 never emits it and binds windows
	 * with UMR instead.
	 */
	SEGUE_OPCODE_BIND_MW = 0x18,
	/*
	 * Fast memory registration of early firmware. Declared, but neither libmlx5 nor the kernel
	 * posts it; UMR took its place.
	 */
	SEGUE_OPCODE_FMR = 0x19,
	/*
	 * Local invalidate of the device's interface. libmlx5 never emits it and invalidates keys
	 * with UMR instead.
	 */
	SEGUE_OPCODE_LOCAL_INVAL = 0x1b,
	/* Configuration command. Declared, but neither libmlx5 nor the kernel posts it. */
	SEGUE_OPCODE_CONFIG_CMD = 0x1f,
	/*
	 * Sets a protection signature value, the running checksum state that a signature memory key
	 * uses.
	 */
	SEGUE_OPCODE_SET_PSV = 0x20,
	/* Writes protection signature values to memory. */
	SEGUE_OPCODE_GET_PSV = 0x21,
	/* Checks protection signature values and reports errors according to the given masks. */
	SEGUE_OPCODE_CHECK_PSV = 0x22,
	/*
	 * Has the device read memory as if to send it, without sending. The kernel's TLS offload
	 * replays record bytes with it after a retransmission.
	 */
	SEGUE_OPCODE_DUMP = 0x23,
	/*
	 * User-mode memory registration. Changes a memory key from the send queue, among other
	 * things its layout, access rights and signature.
	 */
	SEGUE_OPCODE_UMR = 0x25,
	/* Remote variant of GET_PSV. Declared only. */
	SEGUE_OPCODE_RGET_PSV = 0x26,
	/* Remote variant of CHECK_PSV. Declared only. */
	SEGUE_OPCODE_RCHECK_PSV = 0x27,
	/*
	 * Appends to or removes from the tag list of a tag-matching SRQ. Posted on the command
	 * queue pair that belongs to that SRQ.
	 */
	SEGUE_OPCODE_TAG_MATCHING = 0x28,
	/*
	 * Enhanced multi-packet send. One WQE carries many Ethernet frames, some inline and some by
	 * pointer.
	 */
	SEGUE_OPCODE_ENHANCED_MPSW = 0x29,
	/*
	 * Writes steering entries or modify-header arguments from a send queue, so that flow rules
	 * need no firmware command.
	 */
	SEGUE_OPCODE_FLOW_TBL_ACCESS = 0x2c,
	/*
	 * Reads or changes an advanced steering operation object such as a meter, a
	 * connection-tracking entry or a hit flag.
	 */
	SEGUE_OPCODE_ACCESS_ASO = 0x2d,
	/*
	 * Memory-to-memory operation done by an engine of the device on local memory; opmod_mmo
	 * says which.
	 */
	SEGUE_OPCODE_MMO = 0x2f,
	/*
	 * Second family of memory-to-memory operations, known for transposing a matrix;
	 * opmod_local_mmo says which.
	 */
	SEGUE_OPCODE_LOCAL_MMO = 0x32,
};

/**
 * segue_opcode_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opcode_name(uint32_t value);

/**
 * Opcode modifier of ACCESS_ASO: the kind of steering object that is read or changed.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, enum mlx5_access_aso_opc_mod
 */
enum segue_opmod_aso {
	/* State of an IPsec security association. */
	SEGUE_OPMOD_ASO_IPSEC = 0x00,
	/* State of a tracked connection. */
	SEGUE_OPMOD_ASO_CONNECTION_TRACKING = 0x01,
	/* State of a flow meter, which limits a rate. */
	SEGUE_OPMOD_ASO_POLICER = 0x02,
	/* Race avoidance object; DPDK names it, and no public source explains it. */
	SEGUE_OPMOD_ASO_RACE_AVOIDANCE = 0x03,
	/* Flags that tell which flows have seen packets. */
	SEGUE_OPMOD_ASO_FLOW_HIT = 0x04,
};

/**
 * segue_opmod_aso_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_aso_name(uint32_t value);

/**
 * Opcode modifier of FLOW_TBL_ACCESS: what is written.
 * Source: DPDK drivers/net/mlx5/hws/mlx5dr_send.h, enum mlx5dr_wqe_opmod; providers/mlx5/dr_send.c
 */
enum segue_opmod_flow_tbl_access {
	/* A steering entry follows the flow_update_ctrl segment. */
	SEGUE_OPMOD_FLOW_TBL_ACCESS_STE = 0x00,
	/* Arguments of a modify-header action follow; libmlx5 posts this one. */
	SEGUE_OPMOD_FLOW_TBL_ACCESS_MODIFY_ARGUMENT = 0x01,
};

/**
 * segue_opmod_flow_tbl_access_name() returns the member's name as in the spec, or NULL when the
 * value is no member.
 */
const char *segue_opmod_flow_tbl_access_name(uint32_t value);

/**
 * Opcode modifier of LOCAL_MMO.
 * Source: UCC src/components/tl/mlx5/tl_mlx5_wqe.c, ucc_tl_mlx5_post_transpose
 */
enum segue_opmod_local_mmo {
	/* Transposes a small matrix from the source to the destination. */
	SEGUE_OPMOD_LOCAL_MMO_TRANSPOSE = 0x00,
};

/**
 * segue_opmod_local_mmo_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_opmod_local_mmo_name(uint32_t value);

/**
 * Opcode modifier of the masked atomics: bit 3 set and the base-2 logarithm of the operand size in
 * bytes less 2 below it. 4 and 8 bytes are known to be in use.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_OPMOD_EXT_ATOMIC
 */
enum segue_opmod_masked_atomic {
	SEGUE_OPMOD_MASKED_ATOMIC_SIZE_4 = 0x08, /* Operands of 4 bytes. */
	SEGUE_OPMOD_MASKED_ATOMIC_SIZE_8 = 0x09, /* Operands of 8 bytes. */
};

/**
 * segue_opmod_masked_atomic_name() returns the member's name as in the spec, or NULL when the value
 * is no member.
 */
const char *segue_opmod_masked_atomic_name(uint32_t value);

/**
 * Opcode modifier of MMO: what the memory-to-memory engine does.
 * Source: providers/mlx5/wqe.h, MLX5_OPC_MOD_MMO_DMA; DPDK drivers/common/mlx5/mlx5_prm.h,
 * MLX5_OPC_MOD_MMO_*
 */
enum segue_opmod_mmo {
	/* Copies memory. This is what mlx5dv_wr_memcpy posts. */
	SEGUE_OPMOD_MMO_DMA = 0x01,
	/* Compresses the source into the destination. */
	SEGUE_OPMOD_MMO_COMP = 0x02,
	/* Decompresses the source into the destination. */
	SEGUE_OPMOD_MMO_DECOMP = 0x03,
	/* Searches the source for regular expressions and writes the matches to the destination. */
	SEGUE_OPMOD_MMO_REGEX = 0x04,
	/* Encrypts or decrypts the source into the destination with AES-GCM. */
	SEGUE_OPMOD_MMO_CRYPTO = 0x06,
};

/**
 * segue_opmod_mmo_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_mmo_name(uint32_t value);

/**
 * Opcode modifier of SET_PSV.
 * Source: Linux include/linux/mlx5/device.h, MLX5_OPC_MOD_TLS_TIS_PROGRESS_PARAMS;
 * providers/mlx5/qp.c, mlx5_umr_set_psv
 */
enum segue_opmod_set_psv {
	/* Sets a protection signature value. The only form that libmlx5 posts. */
	SEGUE_OPMOD_SET_PSV_PSV = 0x00,
	/* Sets the progress parameters of a TLS-offloading transmit context. Kernel only. */
	SEGUE_OPMOD_SET_PSV_TIS_PROGRESS_PARAMS = 0x01,
	/* Sets the progress parameters of a TLS-offloading receive context. Kernel only. */
	SEGUE_OPMOD_SET_PSV_TIR_PROGRESS_PARAMS = 0x02,
};

/**
 * segue_opmod_set_psv_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_set_psv_name(uint32_t value);

/**
 * Opcode modifier of TSO.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_MPW
 */
enum segue_opmod_tso {
	/* Segments a large packet. */
	SEGUE_OPMOD_TSO_TSO = 0x00,
	/*
	 * Legacy multi-packet send of ConnectX-4 Lx; the enhanced form has its own opcode,
	 * ENHANCED_MPSW.
	 */
	SEGUE_OPMOD_TSO_MPW = 0x01,
};

/**
 * segue_opmod_tso_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_tso_name(uint32_t value);

/**
 * Opcode modifier of UMR.
 * Source: Linux include/linux/mlx5/device.h, MLX5_OPC_MOD_TRANSPORT_TIS_STATIC_PARAMS;
 * providers/mlx5/qp.c
 */
enum segue_opmod_umr {
	/* Changes a memory key. The only form that libmlx5 posts. */
	SEGUE_OPMOD_UMR_MKEY = 0x00,
	/*
	 * Sets the static parameters, keys above all, of a TLS-offloading transmit context. Kernel
	 * only.
	 */
	SEGUE_OPMOD_UMR_TIS_STATIC_PARAMS = 0x01,
	/* Sets the static parameters of a TLS-offloading receive context. Kernel only. */
	SEGUE_OPMOD_UMR_TIR_STATIC_PARAMS = 0x02,
};

/**
 * segue_opmod_umr_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_umr_name(uint32_t value);

/**
 * Opcode modifier of WAIT: what the queue waits for.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_OPC_MOD_WAIT_*
 */
enum segue_opmod_wait {
	/* A completion queue has received a given number of completions (segment wait_cq). */
	SEGUE_OPMOD_WAIT_CQ_PI = 0x00,
	/*
	 * A 64-bit word in memory satisfies a comparison (segment wait_on_data). UCC uses it to
	 * start a collective without the CPU.
	 */
	SEGUE_OPMOD_WAIT_DATA = 0x01,
	/* The device clock satisfies a comparison (segment wait_on_time). Used to pace packets. */
	SEGUE_OPMOD_WAIT_TIME = 0x02,
};

/**
 * segue_opmod_wait_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_opmod_wait_name(uint32_t value);

/**
 * Flags that a caller gives with a work request. Each value is the image of control-segment fields
 * in the third dword, so posting needs no translation. At most one of the fence flags may be given.
 * Source: infiniband/mlx5dv.h, MLX5_WQE_CTRL_*; Linux include/linux/mlx5/qp.h, MLX5_FENCE_MODE_*
 */
enum segue_post_flag {
	/*
	 * Asks the peer to raise an event for the receive it completes if its completion queue is
	 * armed for solicited completions.
	 */
	SEGUE_SOLICITED = 0x02,
	/* The completion is reported even if the request succeeds. */
	SEGUE_SIGNALED = 0x08,
	/* Writes a completion only if this request is the first to fail. */
	SEGUE_FIRST_ERROR_ONLY = 0x04,
	/* Reports the completion and also writes to the event queue, which raises an event. */
	SEGUE_SIGNALED_EVENT = 0x0c,
	/* Waits for the effects of earlier local operations such as UMR. */
	SEGUE_INITIATOR_SMALL_FENCE = 0x20,
	/* Waits for the data of earlier RDMA READs and atomics. */
	SEGUE_READ_FENCE = 0x40,
	/* Waits for all earlier requests of this queue. */
	SEGUE_STRONG_ORDERING = 0x60,
	/*
	 * Waits for earlier local operations and for the data of earlier RDMA READs and atomics.
	 * This is IBV_SEND_FENCE as libmlx5 writes it.
	 */
	SEGUE_FENCE = 0x80,
};

/**
 * segue_post_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_post_flag_name(uint32_t value);

/**
 * Names the attributes that a modify call sets. A state transition requires some of them and allows
 * others.
 * Source: infiniband/verbs.h, enum ibv_qp_attr_mask
 */
enum segue_qp_attr {
	/* The state to move to. */
	SEGUE_QP_ATTR_STATE = 0x1,
	/* The state the caller believes the queue pair to be in; the call fails if it is not. */
	SEGUE_QP_ATTR_CUR_STATE = 0x2,
	/* Asks for an asynchronous event when the send queue has drained. */
	SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY = 0x4,
	/* What the peer may do to memory through this queue pair. */
	SEGUE_QP_ATTR_ACCESS_FLAGS = 0x8,
	/* Index of the partition key in the table of the port. */
	SEGUE_QP_ATTR_PKEY_INDEX = 0x10,
	/* Port of the device, counted from 1. */
	SEGUE_QP_ATTR_PORT = 0x20,
	/* Queue key that arriving datagrams must carry. */
	SEGUE_QP_ATTR_QKEY = 0x40,
	/* Address vector of the primary path to the peer. */
	SEGUE_QP_ATTR_AV = 0x80,
	/* Largest packet payload of the path. */
	SEGUE_QP_ATTR_PATH_MTU = 0x100,
	/* Local acknowledge timeout of the primary path. */
	SEGUE_QP_ATTR_TIMEOUT = 0x200,
	/* How often a request is repeated when no acknowledgement comes. */
	SEGUE_QP_ATTR_RETRY_CNT = 0x400,
	/* How often a request is repeated when the peer has no receive posted; 7 means forever. */
	SEGUE_QP_ATTR_RNR_RETRY = 0x800,
	/* Packet sequence number that the first packet from the peer will carry. */
	SEGUE_QP_ATTR_RQ_PSN = 0x1000,
	/* RDMA READs and atomics this side may have outstanding. */
	SEGUE_QP_ATTR_MAX_QP_RD_ATOMIC = 0x2000,
	/* Alternate path for automatic path migration. */
	SEGUE_QP_ATTR_ALT_PATH = 0x4000,
	/* Shortest wait that this side demands of a peer it answers with receiver-not-ready. */
	SEGUE_QP_ATTR_MIN_RNR_TIMER = 0x8000,
	/* Packet sequence number of the first packet sent. */
	SEGUE_QP_ATTR_SQ_PSN = 0x10000,
	/* RDMA READs and atomics of the peer that this side can serve at once. */
	SEGUE_QP_ATTR_MAX_DEST_RD_ATOMIC = 0x20000,
	/* State of automatic path migration. */
	SEGUE_QP_ATTR_PATH_MIG_STATE = 0x40000,
	/* Queue capacities. Few devices can change them after creation; mlx5 cannot. */
	SEGUE_QP_ATTR_CAP = 0x80000,
	/* Number of the peer's queue pair. */
	SEGUE_QP_ATTR_DEST_QPN = 0x100000,
	/* Packet pacing rate in kilobit per second. */
	SEGUE_QP_ATTR_RATE_LIMIT = 0x2000000,
};

/**
 * segue_qp_attr_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_qp_attr_name(uint32_t value);

/**
 * States of a queue pair as verbs numbers them (the device numbers SQD and SQE the other way
 * round).
 * Source: infiniband/verbs.h, enum ibv_qp_state
 */
enum segue_qp_state {
	/* Freshly created. Nothing can be posted and no packet moves. */
	SEGUE_QP_STATE_RESET = 0,
	/* Port and access rights are set. Receives may be posted and wait; packets are dropped. */
	SEGUE_QP_STATE_INIT = 1,
	/* Ready to receive. The path to the peer is known and incoming requests are answered. */
	SEGUE_QP_STATE_RTR = 2,
	/* Ready to send. Fully working in both directions. */
	SEGUE_QP_STATE_RTS = 3,
	/*
	 * Send queue drained or draining. Posted sends wait while the work already begun is
	 * finished.
	 */
	SEGUE_QP_STATE_SQD = 4,
	/*
	 * Send queue error. A send has failed on an unreliable transport; sends are flushed and
	 * receives go on.
	 */
	SEGUE_QP_STATE_SQE = 5,
	/* Error. Everything posted completes as flushed. */
	SEGUE_QP_STATE_ERR = 6,
};

/**
 * segue_qp_state_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_qp_state_name(uint32_t value);

/**
 * Which capabilities QUERY_HCA_CAP is asked for: their group times 2, plus 1 for those in force in
 * place of the largest possible.
 * Source: providers/mlx5/mlx5_ifc.h, HCA_CAP_OPMOD_GET_CUR; providers/mlx5/dr_devx.c,
 * dr_devx_query_caps (op_mod = group | HCA_CAP_OPMOD_GET_CUR)
 */
enum segue_query_hca_cap_op_mod {
	/* The general ones, as they are in force. */
	SEGUE_QUERY_HCA_CAP_OP_MOD_GENERAL_CURRENT = 0x0001,
	/* Those of atomic operations, group 3, as they are in force. */
	SEGUE_QUERY_HCA_CAP_OP_MOD_ATOMIC_CURRENT = 0x0007,
};

/**
 * segue_query_hca_cap_op_mod_name() returns the member's name as in the spec, or NULL when the
 * value is no member.
 */
const char *segue_query_hca_cap_op_mod_name(uint32_t value);

/**
 * Form of a UMR list that starts with a repeat block.
 * Source: providers/mlx5/qp.c, umr_strided_seg_create; Linux include/linux/mlx5/qp.h,
 * MLX5_STRIDE_BLOCK_OP
 */
enum segue_repeat_block_op {
	SEGUE_REPEAT_BLOCK_OP_STRIDED = 0x400, /* Strided blocks, repeated. */
};

/**
 * segue_repeat_block_op_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_repeat_block_op_name(uint32_t value);

/**
 * Where a signature error was found.
 * Source: providers/mlx5/verbs.c, MLX5_SIGERR_CQE_DOMAIN_*
 */
enum segue_sig_err_domain {
	SEGUE_SIG_ERR_DOMAIN_WIRE = 0x00,   /* In the data as they are on the wire. */
	SEGUE_SIG_ERR_DOMAIN_MEMORY = 0x01, /* In the data as they are in memory. */
};

/**
 * segue_sig_err_domain_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_sig_err_domain_name(uint32_t value);

/**
 * What a signature error completion complains about.
 * Source: providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SYNDROME_*
 */
enum segue_sig_err_syndrome {
	/* The reference tag, which numbers blocks, is not the expected one. */
	SEGUE_SIG_ERR_SYNDROME_REFTAG = 0x0800,
	/* The application tag is not the expected one. */
	SEGUE_SIG_ERR_SYNDROME_APPTAG = 0x1000,
	/* The guard, which is the checksum over the block, is wrong. */
	SEGUE_SIG_ERR_SYNDROME_GUARD = 0x2000,
};

/**
 * segue_sig_err_syndrome_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_sig_err_syndrome_name(uint32_t value);

/**
 * Whether a signature error concerns one block or the whole transaction.
 * Source: providers/mlx5/verbs.c, MLX5_SIGERR_CQE_SIG_TYPE_*
 */
enum segue_sig_err_type {
	SEGUE_SIG_ERR_TYPE_BLOCK = 0x00,       /* The signature of a block. */
	SEGUE_SIG_ERR_TYPE_TRANSACTION = 0x01, /* The signature of the transaction. */
};

/**
 * segue_sig_err_type_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_sig_err_type_name(uint32_t value);

/**
 * Which bytes of a block signature are checked or copied, one bit per byte, most significant bit
 * first.
 * Source: infiniband/mlx5dv.h, enum mlx5dv_sig_mask
 */
enum segue_sig_mask {
	SEGUE_SIG_MASK_T10DIF_REFTAG = 0x0f, /* The reference tag of T10-DIF. */
	SEGUE_SIG_MASK_T10DIF_APPTAG = 0x30, /* The application tag of T10-DIF. */
	SEGUE_SIG_MASK_T10DIF_GUARD = 0xc0,  /* The guard of T10-DIF. */
	SEGUE_SIG_MASK_CRC32 = 0xf0,	     /* The four bytes of a CRC-32 or CRC-32C. */
	SEGUE_SIG_MASK_CRC64_XP10 = 0xff,    /* All eight bytes of a CRC-64 XP10. */
};

/**
 * segue_sig_mask_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_sig_mask_name(uint32_t value);

/**
 * Guard type of a T10-DIF signature.
 * Source: providers/mlx5/wqe.h, MLX5_T10DIF_CRC and MLX5_T10DIF_IPCS
 */
enum segue_t10dif {
	SEGUE_T10DIF_NONE = 0x00, /* No T10-DIF signature. */
	SEGUE_T10DIF_CRC = 0x01,  /* CRC-16 with the T10 polynomial. */
	SEGUE_T10DIF_IPCS = 0x02, /* The Internet checksum. */
};

/**
 * segue_t10dif_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_t10dif_name(uint32_t value);

/**
 * What a tag-matching completion reports.
 * Source: providers/mlx5/cq.c, MLX5_CQE_APP_OP_TM_*
 */
enum segue_tm_app_op {
	/* Not a tag-matching completion. */
	SEGUE_TM_APP_OP_NONE = 0x00,
	/*
	 * A message has matched a tag entry; its data are still on the way and a second completion
	 * follows.
	 */
	SEGUE_TM_APP_OP_CONSUMED = 0x01,
	/* The data of a message that has matched a tag entry are in place. */
	SEGUE_TM_APP_OP_EXPECTED = 0x02,
	/* A message has matched no entry and was put into a receive buffer of the SRQ. */
	SEGUE_TM_APP_OP_UNEXPECTED = 0x03,
	/* A message without tag was put into a receive buffer of the SRQ. */
	SEGUE_TM_APP_OP_NO_TAG = 0x04,
	/* Answer to an append command. */
	SEGUE_TM_APP_OP_APPEND = 0x05,
	/* Answer to a remove command. */
	SEGUE_TM_APP_OP_REMOVE = 0x06,
	/* Answer to a no-operation command, which synchronises the counters. */
	SEGUE_TM_APP_OP_NOOP = 0x07,
	/*
	 * Like CONSUMED, but software must carry out the rendezvous; a second completion follows
	 * (Spelt RDNV in libmlx5).
	 */
	SEGUE_TM_APP_OP_CONSUMED_SW_RNDV = 0x09,
	/* A message has matched a tag entry and is complete, in one completion. */
	SEGUE_TM_APP_OP_CONSUMED_MSG = 0x0a,
	/*
	 * A rendezvous header has matched a tag entry; software must carry out the rendezvous. One
	 * completion (Spelt RDNV in libmlx5).
	 */
	SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV = 0x0b,
	/* The match was made but the transfer of the data was cancelled. */
	SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED = 0x0c,
};

/**
 * segue_tm_app_op_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_tm_app_op_name(uint32_t value);

/**
 * Flags of the tag-matching segment.
 * Source: providers/mlx5/mlx5.h, MLX5_SRQ_FLAG_TM_*
 */
enum segue_tm_flag {
	/*
	 * The field sw_cnt is valid: software tells the device how many unexpected messages it has
	 * handled.
	 */
	SEGUE_TM_FLAG_SW_CNT = 0x40,
	/* A completion is wanted for this list operation. */
	SEGUE_TM_FLAG_CQE_REQ = 0x80,
};

/**
 * segue_tm_flag_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_tm_flag_name(uint32_t value);

/**
 * Operations on the tag list of a tag-matching SRQ.
 * Source: providers/mlx5/mlx5.h, MLX5_TM_OPCODE_*
 */
enum segue_tm_opcode {
	/* Changes nothing; used to hand over the unexpected-message counter. */
	SEGUE_TM_OPCODE_NOP = 0,
	/* Adds an entry. */
	SEGUE_TM_OPCODE_APPEND = 1,
	/* Removes an entry unless it has matched meanwhile. */
	SEGUE_TM_OPCODE_REMOVE = 2,
};

/**
 * segue_tm_opcode_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_tm_opcode_name(uint32_t value);

/**
 * Opcodes of the tag-matching header that a sender puts in front of its message.
 * Source: infiniband/tm_types.h, enum ibv_tmh_op
 */
enum segue_tmh_opcode {
	/* No tag; the message goes to a receive buffer. */
	SEGUE_TMH_OPCODE_NO_TAG = 0x00,
	/* Rendezvous: a header with the place of the data follows, and the receiver reads them. */
	SEGUE_TMH_OPCODE_RNDV = 0x01,
	/* The receiver has read the data of a rendezvous. */
	SEGUE_TMH_OPCODE_FIN = 0x02,
	/* The data follow the header. */
	SEGUE_TMH_OPCODE_EAGER = 0x03,
};

/**
 * segue_tmh_opcode_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_tmh_opcode_name(uint32_t value);

/**
 * Offsets in a UAR, the page of device registers that a process may write.
 * Source: infiniband/mlx5dv.h, MLX5_CQ_DOORBELL; providers/mlx5/mlx5.h, MLX5_BF_OFFSET
 */
enum segue_uar {
	/* Where the 8 bytes that arm a completion queue are written. */
	SEGUE_UAR_CQ_DOORBELL = 0x020,
	/* Where the first send doorbell (BlueFlame register) of the page lies. */
	SEGUE_UAR_BF_OFFSET = 0x800,
};

/**
 * segue_uar_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_uar_name(uint32_t value);

/**
 * What a UMR demands of the memory key's free bit before it changes anything.
 * Source: Linux include/linux/mlx5/device.h, MLX5_UMR_CHECK_NOT_FREE and MLX5_UMR_CHECK_FREE;
 * infiniband/mlx5dv.h, MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE
 */
enum segue_umr_check {
	/* The free bit is not looked at. */
	SEGUE_UMR_CHECK_NONE = 0,
	/*
	 * Fails unless the key is free (MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE in mlx5dv.h; the kernel
	 * names it after the complaint, MLX5_UMR_CHECK_NOT_FREE).
	 */
	SEGUE_UMR_CHECK_FREE = 1,
	/* Fails if the key is free (MLX5_UMR_CHECK_FREE in the kernel). */
	SEGUE_UMR_CHECK_NOT_FREE = 2,
};

/**
 * segue_umr_check_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_umr_check_name(uint32_t value);

/**
 * Second, device-specific error code of error completions (vendor_err in verbs). NVIDIA documents
 * none of them; only these are known.
 * Source: infiniband/mlx5dv.h, MLX5_CQE_VENDOR_SYNDROME_ODP_PFAULT; members that it lacks name
 * their own source
 */
enum segue_vendor_syndrome {
	/* The WQE index in the control segment is not the one that the device expected. */
	SEGUE_VENDOR_SYNDROME_BAD_WQE_INDEX = 0x68,
	/* Transport retries exceeded; seen with syndrome 0x15. */
	SEGUE_VENDOR_SYNDROME_RETRY_EXCEEDED = 0x81,
	/*
	 * A page fault on memory registered for on-demand paging. libmlx5 reposts the receive by
	 * itself.
	 */
	SEGUE_VENDOR_SYNDROME_ODP_PFAULT = 0x93,
	/* A packet sequence number error. */
	SEGUE_VENDOR_SYNDROME_PSN = 0x99,
	/* The WQE was flushed because the queue pair was in error; seen with syndrome 0x05. */
	SEGUE_VENDOR_SYNDROME_FLUSH = 0xf9,
};

/**
 * segue_vendor_syndrome_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_vendor_syndrome_name(uint32_t value);

/**
 * Comparison that WAIT on data or on time makes between the word it watches and the given value,
 * both after masking.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_WAIT_COND_*
 */
enum segue_wait_cond {
	/* Does not wait. */
	SEGUE_WAIT_COND_ALWAYS_TRUE = 0,
	/* The word equals the value. */
	SEGUE_WAIT_COND_EQUAL = 1,
	/* The word is bigger. */
	SEGUE_WAIT_COND_BIGGER = 2,
	/* The word is smaller. */
	SEGUE_WAIT_COND_SMALLER = 3,
	/* The word is bigger in arithmetic that wraps. */
	SEGUE_WAIT_COND_CYCLIC_BIGGER = 4,
	/* The word is smaller in arithmetic that wraps. DPDK waits for a time with it. */
	SEGUE_WAIT_COND_CYCLIC_SMALLER = 5,
};

/**
 * segue_wait_cond_name() returns the member's name as in the spec, or NULL when the value is no
 * member.
 */
const char *segue_wait_cond_name(uint32_t value);

/**
 * What WAIT on data does while the comparison fails, low three bits of va_fail.
 * Source: UCC src/components/tl/mlx5/tl_mlx5_wqe.c, ACTION_RETRY and ACTION_SEND_ERR_CQE
 */
enum segue_wait_fail_action {
	/* Reads the word again until the comparison holds. */
	SEGUE_WAIT_FAIL_ACTION_RETRY = 0,
	/* Gives up with an error completion. */
	SEGUE_WAIT_FAIL_ACTION_SEND_ERR_CQE = 1,
};

/**
 * segue_wait_fail_action_name() returns the member's name as in the spec, or NULL when the value is
 * no member.
 */
const char *segue_wait_fail_action_name(uint32_t value);

/**
 * Sizes of send work-queue entries.
 * Source: infiniband/mlx5dv.h, MLX5_SEND_WQE_BB, MLX5_SEND_WQE_SHIFT and mlx5dv_set_ctrl_seg (ds)
 */
enum segue_wqe {
	/*
	 * Bytes of a basic block. A WQE starts on a block, and the ring and the producer index
	 * count blocks.
	 */
	SEGUE_WQE_BLOCK_SIZE = 0x0040,
	/* Base-2 logarithm of BLOCK_SIZE. */
	SEGUE_WQE_BLOCK_SHIFT = 0x0006,
	/* Bytes of a unit, in which the control segment gives the length of a WQE. */
	SEGUE_WQE_UNIT_SIZE = 0x0010,
	/* Most units that the 6-bit length in the control segment can express. */
	SEGUE_WQE_MAX_UNITS = 0x003f,
	/*
	 * Bytes of the largest WQE, MAX_UNITS times UNIT_SIZE. A queue may have been created for
	 * less.
	 */
	SEGUE_WQE_MAX_SIZE = 0x03f0,
	/* Producer indices count blocks modulo 65536. */
	SEGUE_WQE_INDEX_MASK = 0xffff,
};

/**
 * segue_wqe_name() returns the member's name as in the spec, or NULL when the value is no member.
 */
const char *segue_wqe_name(uint32_t value);

#ifdef __cplusplus
}
#endif

#endif /* SEGUE_GEN_ENUMS_H */
