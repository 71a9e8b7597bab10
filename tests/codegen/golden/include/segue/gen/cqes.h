/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/cqes by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_CQES_H
#define SEGUE_GEN_CQES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/bytes.h"
#include "segue/check.h"
#include "segue/compiler.h"
#include "segue/gen/enums.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#define SEGUE_CQE_CQE128_SIZE 128u /* bytes */

/**
 * Completion-queue entry of a queue with 128-byte entries. The second half has the form of a
 * 64-byte entry; the first holds up to 64 bytes of payload, or a global route header in its last 40
 * bytes.
 * Source: Linux include/linux/mlx5/device.h, struct mlx5_cqe128; providers/mlx5/cq.c, get_sw_cqe;
 * UCX src/uct/ib/mlx5/ib_mlx5.inl, uct_ib_mlx5_gid_from_cqe
 */
struct segue_cqe_cqe128 {
	/*
	 * Payload when the format of the second half is INLINE_64, a global route header in bytes
	 * 24 to 63 when its grh is IN_CQE; else undefined.
	 */
	uint8_t inl_grh[64];
	/*
	 * The entry proper, whose last byte is the one to watch. Holds struct segue_cqe_cqe64,
	 * packed.
	 */
	uint8_t cqe64[64];
};

/** segue_cqe_cqe128_pack() writes all 128 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_cqe128_pack(void *dst, const struct segue_cqe_cqe128 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	memcpy(p + 0, v->inl_grh, 64);
	memcpy(p + 64, v->cqe64, 64);
}

/**
 * segue_cqe_cqe128_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUE_INLINE bool segue_cqe_cqe128_unpack(struct segue_cqe_cqe128 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;

	memcpy(v->inl_grh, p + 0, 64);
	memcpy(v->cqe64, p + 64, 64);
	return true;
}

/**
 * segue_cqe_cqe128_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_cqe_cqe128_check(const struct segue_cqe_cqe128 *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_CQE64_SIZE		  64u /* bytes */
#define SEGUE_CQE_CQE64_TLS_MAX		  3u
#define SEGUE_CQE_CQE64_OUTER_L3_IPV6_MAX 1u
#define SEGUE_CQE_CQE64_TUNNELED_MAX	  1u
#define SEGUE_CQE_CQE64_GRH_MAX		  3u
#define SEGUE_CQE_CQE64_SL_MAX		  0xfu
#define SEGUE_CQE_CQE64_RQPN_MAX	  0xffffffu
#define SEGUE_CQE_CQE64_HDS_IP_EXT_MAX	  0x1fu
#define SEGUE_CQE_CQE64_L4_OK_MAX	  1u
#define SEGUE_CQE_CQE64_L3_OK_MAX	  1u
#define SEGUE_CQE_CQE64_L2_OK_MAX	  1u
#define SEGUE_CQE_CQE64_IP_FRAG_MAX	  1u
#define SEGUE_CQE_CQE64_L4_HDR_TYPE_MAX	  7u
#define SEGUE_CQE_CQE64_L3_HDR_TYPE_MAX	  3u
#define SEGUE_CQE_CQE64_IP_EXT_OPTS_MAX	  1u
#define SEGUE_CQE_CQE64_VLAN_STRIPPED_MAX 1u
#define SEGUE_CQE_CQE64_SRQN_UIDX_MAX	  0xffffffu
#define SEGUE_CQE_CQE64_QPN_MAX		  0xffffffu
#define SEGUE_CQE_CQE64_OPCODE_MAX	  0xfu
#define SEGUE_CQE_CQE64_FORMAT_MAX	  3u
#define SEGUE_CQE_CQE64_SE_MAX		  1u
#define SEGUE_CQE_CQE64_OWNER_MAX	  1u

/**
 * Completion-queue entry, 64 bytes, for finished sends and receives. Its last byte is written last
 * and says whether the entry is new; software must read that byte first.
 * Source: infiniband/mlx5dv.h, struct mlx5_cqe64; Linux include/linux/mlx5/device.h, struct
 * mlx5_cqe64 (Ethernet and TLS); DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_cqe
 */
struct segue_cqe_cqe64 {
	/* What the TLS offload did. One of enum segue_cqe_tls. */
	uint8_t tls;
	/* The outer header of a tunnelled packet is IPv6, else IPv4. */
	uint8_t outer_l3_ipv6;
	/* The packet is tunnelled, and the header types are those of the inner one. */
	uint8_t tunneled;
	/* Index of the receive WQE, on striding queues. */
	uint16_t wqe_id;
	/* LRO: bit 6 a packet had the TCP push flag, and why merging ended. */
	uint8_t lro_tcppsh_abort_dupack;
	/* LRO: smallest time to live of the merged packets. */
	uint8_t lro_min_ttl;
	/* LRO: TCP window of the last merged packet. */
	uint16_t lro_tcp_win;
	/* LRO: acknowledgement number of the last merged packet. */
	uint32_t lro_ack_seq_num;
	/* Hash by which the packet was spread over queues. */
	uint32_t rss_hash_result;
	/* Which headers the hash covers: bits 3:2 the IP version, bits 7:6 the transport. */
	uint8_t rss_hash_type;
	/* In bits 6:0 the low bits of the LID that the message was sent to. */
	uint8_t ml_path;
	/*
	 * Checksum over the packet on Ethernet queues. On striding tag-matching SRQs the stride
	 * index (ib_stride_index in UCX).
	 */
	uint16_t check_sum;
	/* LID of the sender, on UD over InfiniBand. */
	uint16_t slid;
	/* Whether there was a global route header and where it is. One of enum segue_cqe_grh. */
	uint8_t grh;
	/* Service level on InfiniBand. On RoCE the kind of packet, see cqe_roce_packet. */
	uint8_t sl;
	/* Number of the sender's queue pair, on UD. */
	uint32_t rqpn;
	/*
	 * Header split and IP extension information, the upper bits of the byte that mlx5dv.h calls
	 * so. No public driver reads them.
	 */
	uint8_t hds_ip_ext;
	/* The transport checksum is good. */
	uint8_t l4_ok;
	/* The IP header checksum is good. */
	uint8_t l3_ok;
	/* The layer-2 header is good. */
	uint8_t l2_ok;
	/* The packet is an IP fragment. */
	uint8_t ip_frag;
	/*
	 * Kind of transport header that the device has found in the packet. One of enum
	 * segue_cqe_l4_hdr_type.
	 */
	uint8_t l4_hdr_type;
	/*
	 * Kind of network header that the device has found in the packet. One of enum
	 * segue_cqe_l3_hdr_type.
	 */
	uint8_t l3_hdr_type;
	/* The IP header has options or extensions. */
	uint8_t ip_ext_opts;
	/* A VLAN tag was removed from the packet and is in vlan_info. */
	uint8_t vlan_stripped;
	/* The VLAN tag that was removed from the packet, if vlan_stripped is set. */
	uint16_t vlan_info;
	/* Number of packets that were merged into this one, on Ethernet queues with LRO; else 0. */
	uint8_t lro_num_seg;
	/*
	 * With CQE version 1 the user index, a number that software gave the queue pair or SRQ.
	 * With version 0 the number of the SRQ, or 0.
	 */
	uint32_t srqn_uidx;
	/*
	 * By opcode the immediate data, the invalidated remote key, or the index of the partition
	 * key in 15:0; on Ethernet queues flow metadata.
	 */
	uint32_t imm_inval_pkey;
	/*
	 * Which application of the device the next two fields belong to. One of enum segue_cqe_app.
	 */
	uint8_t app;
	/* What the application reports. One of enum segue_tm_app_op. */
	uint8_t app_op;
	/* For tag matching the index of the tag entry. */
	uint16_t app_info;
	/* Length of the message or packet. On striding queues see mprq_byte_cnt. Unit: bytes. */
	uint32_t byte_cnt;
	/* Device clock at the completion. */
	uint64_t timestamp;
	/*
	 * Opcode of the send WQE, on requester completions. On receive completions the byte that
	 * mlx5dv.h calls sop_drop, which no public driver reads. One of enum segue_opcode.
	 */
	uint8_t s_wqe_opcode;
	/* Number of the queue pair. On Ethernet receive queues the flow tag. */
	uint32_t qpn;
	/*
	 * Which WQE it was: for sends the wqe_index of the last WQE this completion covers, for
	 * shared receives the index of the WQE, else a running number. On striding queues the
	 * stride index.
	 */
	uint16_t wqe_counter;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/*
	 * Kind of the completion. Bit 3 is set for errors and for INVALID, so one test finds both.
	 * One of enum segue_cqe_opcode.
	 */
	uint8_t opcode;
	/*
	 * Where the payload is: in its buffer, in this entry, or in the half before it. One of enum
	 * segue_cqe_format.
	 */
	uint8_t format;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_cqe64_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_cqe64_pack(void *dst, const struct segue_cqe_cqe64 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->tls <= SEGUE_CQE_CQE64_TLS_MAX);
	SEGUE_DCHECK(v->outer_l3_ipv6 <= SEGUE_CQE_CQE64_OUTER_L3_IPV6_MAX);
	SEGUE_DCHECK(v->tunneled <= SEGUE_CQE_CQE64_TUNNELED_MAX);
	SEGUE_DCHECK(v->grh <= SEGUE_CQE_CQE64_GRH_MAX);
	SEGUE_DCHECK(v->sl <= SEGUE_CQE_CQE64_SL_MAX);
	SEGUE_DCHECK(v->rqpn <= SEGUE_CQE_CQE64_RQPN_MAX);
	SEGUE_DCHECK(v->hds_ip_ext <= SEGUE_CQE_CQE64_HDS_IP_EXT_MAX);
	SEGUE_DCHECK(v->l4_ok <= SEGUE_CQE_CQE64_L4_OK_MAX);
	SEGUE_DCHECK(v->l3_ok <= SEGUE_CQE_CQE64_L3_OK_MAX);
	SEGUE_DCHECK(v->l2_ok <= SEGUE_CQE_CQE64_L2_OK_MAX);
	SEGUE_DCHECK(v->ip_frag <= SEGUE_CQE_CQE64_IP_FRAG_MAX);
	SEGUE_DCHECK(v->l4_hdr_type <= SEGUE_CQE_CQE64_L4_HDR_TYPE_MAX);
	SEGUE_DCHECK(v->l3_hdr_type <= SEGUE_CQE_CQE64_L3_HDR_TYPE_MAX);
	SEGUE_DCHECK(v->ip_ext_opts <= SEGUE_CQE_CQE64_IP_EXT_OPTS_MAX);
	SEGUE_DCHECK(v->vlan_stripped <= SEGUE_CQE_CQE64_VLAN_STRIPPED_MAX);
	SEGUE_DCHECK(v->srqn_uidx <= SEGUE_CQE_CQE64_SRQN_UIDX_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_CQE64_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_CQE64_OPCODE_MAX);
	SEGUE_DCHECK(v->format <= SEGUE_CQE_CQE64_FORMAT_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_CQE64_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_CQE64_OWNER_MAX);
	/* [28:27] tls, [25] outer_l3_ipv6, [24] tunneled, [15:0] wqe_id */
	segue_put_be32(p + 0, (uint32_t)v->tls << 27 | (uint32_t)v->outer_l3_ipv6 << 25 |
				      (uint32_t)v->tunneled << 24 | v->wqe_id);
	/* [31:24] lro_tcppsh_abort_dupack, [23:16] lro_min_ttl, [15:0] lro_tcp_win */
	segue_put_be32(p + 4, (uint32_t)v->lro_tcppsh_abort_dupack << 24 |
				      (uint32_t)v->lro_min_ttl << 16 | v->lro_tcp_win);
	segue_put_be32(p + 8, v->lro_ack_seq_num);
	segue_put_be32(p + 12, v->rss_hash_result);
	/* [31:24] rss_hash_type, [23:16] ml_path */
	segue_put_be32(p + 16, (uint32_t)v->rss_hash_type << 24 | (uint32_t)v->ml_path << 16);
	/* [31:16] check_sum, [15:0] slid */
	segue_put_be32(p + 20, (uint32_t)v->check_sum << 16 | v->slid);
	/* [29:28] grh, [27:24] sl, [23:0] rqpn */
	segue_put_be32(p + 24, (uint32_t)v->grh << 28 | (uint32_t)v->sl << 24 | v->rqpn);
	/*
	 * [31:27] hds_ip_ext, [26] l4_ok, [25] l3_ok, [24] l2_ok, [23] ip_frag, [22:20]
	 * l4_hdr_type, [19:18] l3_hdr_type, [17] ip_ext_opts, [16] vlan_stripped, [15:0] vlan_info
	 */
	segue_put_be32(p + 28, (uint32_t)v->hds_ip_ext << 27 | (uint32_t)v->l4_ok << 26 |
				       (uint32_t)v->l3_ok << 25 | (uint32_t)v->l2_ok << 24 |
				       (uint32_t)v->ip_frag << 23 | (uint32_t)v->l4_hdr_type << 20 |
				       (uint32_t)v->l3_hdr_type << 18 |
				       (uint32_t)v->ip_ext_opts << 17 |
				       (uint32_t)v->vlan_stripped << 16 | v->vlan_info);
	/* [31:24] lro_num_seg, [23:0] srqn_uidx */
	segue_put_be32(p + 32, (uint32_t)v->lro_num_seg << 24 | v->srqn_uidx);
	segue_put_be32(p + 36, v->imm_inval_pkey);
	/* [31:24] app, [23:16] app_op, [15:0] app_info */
	segue_put_be32(p + 40, (uint32_t)v->app << 24 | (uint32_t)v->app_op << 16 | v->app_info);
	segue_put_be32(p + 44, v->byte_cnt);
	segue_put_be64(p + 48, v->timestamp);
	/* [31:24] s_wqe_opcode, [23:0] qpn */
	segue_put_be32(p + 56, (uint32_t)v->s_wqe_opcode << 24 | v->qpn);
	/* [31:16] wqe_counter, [15:8] signature, [7:4] opcode, [3:2] format, [1] se, [0] owner */
	segue_put_be32(p + 60, (uint32_t)v->wqe_counter << 16 | (uint32_t)v->signature << 8 |
				       (uint32_t)v->opcode << 4 | (uint32_t)v->format << 2 |
				       (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_cqe64_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUE_INLINE bool segue_cqe_cqe64_unpack(struct segue_cqe_cqe64 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint32_t w24 = segue_get_be32(p + 24);
	const uint32_t w28 = segue_get_be32(p + 28);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint64_t w48 = segue_get_be64(p + 48);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->tls = (uint8_t)((w0 >> 27) & 0x3u);
	v->outer_l3_ipv6 = (uint8_t)((w0 >> 25) & 0x1u);
	v->tunneled = (uint8_t)((w0 >> 24) & 0x1u);
	v->wqe_id = (uint16_t)w0;
	v->lro_tcppsh_abort_dupack = (uint8_t)(w4 >> 24);
	v->lro_min_ttl = (uint8_t)(w4 >> 16);
	v->lro_tcp_win = (uint16_t)w4;
	v->lro_ack_seq_num = w8;
	v->rss_hash_result = w12;
	v->rss_hash_type = (uint8_t)(w16 >> 24);
	v->ml_path = (uint8_t)(w16 >> 16);
	v->check_sum = (uint16_t)(w20 >> 16);
	v->slid = (uint16_t)w20;
	v->grh = (uint8_t)((w24 >> 28) & 0x3u);
	v->sl = (uint8_t)((w24 >> 24) & 0xfu);
	v->rqpn = w24 & 0xffffffu;
	v->hds_ip_ext = (uint8_t)(w28 >> 27);
	v->l4_ok = (uint8_t)((w28 >> 26) & 0x1u);
	v->l3_ok = (uint8_t)((w28 >> 25) & 0x1u);
	v->l2_ok = (uint8_t)((w28 >> 24) & 0x1u);
	v->ip_frag = (uint8_t)((w28 >> 23) & 0x1u);
	v->l4_hdr_type = (uint8_t)((w28 >> 20) & 0x7u);
	v->l3_hdr_type = (uint8_t)((w28 >> 18) & 0x3u);
	v->ip_ext_opts = (uint8_t)((w28 >> 17) & 0x1u);
	v->vlan_stripped = (uint8_t)((w28 >> 16) & 0x1u);
	v->vlan_info = (uint16_t)w28;
	v->lro_num_seg = (uint8_t)(w32 >> 24);
	v->srqn_uidx = w32 & 0xffffffu;
	v->imm_inval_pkey = w36;
	v->app = (uint8_t)(w40 >> 24);
	v->app_op = (uint8_t)(w40 >> 16);
	v->app_info = (uint16_t)w40;
	v->byte_cnt = w44;
	v->timestamp = w48;
	v->s_wqe_opcode = (uint8_t)(w56 >> 24);
	v->qpn = w56 & 0xffffffu;
	v->wqe_counter = (uint16_t)(w60 >> 16);
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->format = (uint8_t)((w60 >> 2) & 0x3u);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return (w0 & 0xe4ff0000u) == 0 && (w16 & 0xffffu) == 0 && (w24 & 0xc0000000u) == 0;
}

/**
 * segue_cqe_cqe64_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_cqe_cqe64_check(const struct segue_cqe_cqe64 *v, const char **field)
{
	if (v->tls > SEGUE_CQE_CQE64_TLS_MAX) {
		*field = "tls";
		return -ERANGE;
	}
	if (v->outer_l3_ipv6 > SEGUE_CQE_CQE64_OUTER_L3_IPV6_MAX) {
		*field = "outer_l3_ipv6";
		return -ERANGE;
	}
	if (v->tunneled > SEGUE_CQE_CQE64_TUNNELED_MAX) {
		*field = "tunneled";
		return -ERANGE;
	}
	if (v->grh > SEGUE_CQE_CQE64_GRH_MAX) {
		*field = "grh";
		return -ERANGE;
	}
	if (v->sl > SEGUE_CQE_CQE64_SL_MAX) {
		*field = "sl";
		return -ERANGE;
	}
	if (v->rqpn > SEGUE_CQE_CQE64_RQPN_MAX) {
		*field = "rqpn";
		return -ERANGE;
	}
	if (v->hds_ip_ext > SEGUE_CQE_CQE64_HDS_IP_EXT_MAX) {
		*field = "hds_ip_ext";
		return -ERANGE;
	}
	if (v->l4_ok > SEGUE_CQE_CQE64_L4_OK_MAX) {
		*field = "l4_ok";
		return -ERANGE;
	}
	if (v->l3_ok > SEGUE_CQE_CQE64_L3_OK_MAX) {
		*field = "l3_ok";
		return -ERANGE;
	}
	if (v->l2_ok > SEGUE_CQE_CQE64_L2_OK_MAX) {
		*field = "l2_ok";
		return -ERANGE;
	}
	if (v->ip_frag > SEGUE_CQE_CQE64_IP_FRAG_MAX) {
		*field = "ip_frag";
		return -ERANGE;
	}
	if (v->l4_hdr_type > SEGUE_CQE_CQE64_L4_HDR_TYPE_MAX) {
		*field = "l4_hdr_type";
		return -ERANGE;
	}
	if (v->l3_hdr_type > SEGUE_CQE_CQE64_L3_HDR_TYPE_MAX) {
		*field = "l3_hdr_type";
		return -ERANGE;
	}
	if (v->ip_ext_opts > SEGUE_CQE_CQE64_IP_EXT_OPTS_MAX) {
		*field = "ip_ext_opts";
		return -ERANGE;
	}
	if (v->vlan_stripped > SEGUE_CQE_CQE64_VLAN_STRIPPED_MAX) {
		*field = "vlan_stripped";
		return -ERANGE;
	}
	if (v->srqn_uidx > SEGUE_CQE_CQE64_SRQN_UIDX_MAX) {
		*field = "srqn_uidx";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_CQE_CQE64_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_CQE64_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->format > SEGUE_CQE_CQE64_FORMAT_MAX) {
		*field = "format";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_CQE64_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_CQE64_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_CQE_INLINE32_SIZE	     64u /* bytes */
#define SEGUE_CQE_CQE_INLINE32_SRQN_UIDX_MAX 0xffffffu
#define SEGUE_CQE_CQE_INLINE32_QPN_MAX	     0xffffffu
#define SEGUE_CQE_CQE_INLINE32_OPCODE_MAX    0xfu
#define SEGUE_CQE_CQE_INLINE32_SE_MAX	     1u
#define SEGUE_CQE_CQE_INLINE32_OWNER_MAX     1u

/**
 * Completion-queue entry with up to 32 bytes of payload at its start: a short message, READ result
 * or atomic result that software must copy to its buffer itself.
 * Source: infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_32; providers/mlx5/cq.c, handle_responder
 */
struct segue_cqe_cqe_inline32 {
	/*
	 * The payload, as many bytes as byte_cnt says. The fields of these 32 bytes in a normal
	 * entry are not available.
	 */
	uint8_t data[32];
	/* Number of packets that were merged into this one, on Ethernet queues with LRO; else 0. */
	uint8_t lro_num_seg;
	/*
	 * With CQE version 1 the user index, a number that software gave the queue pair or SRQ.
	 * With version 0 the number of the SRQ, or 0.
	 */
	uint32_t srqn_uidx;
	/*
	 * By opcode the immediate data, the invalidated remote key, or the index of the partition
	 * key in 15:0; on Ethernet queues flow metadata.
	 */
	uint32_t imm_inval_pkey;
	/*
	 * Which application of the device the next two fields belong to. One of enum segue_cqe_app.
	 */
	uint8_t app;
	/* What the application reports. One of enum segue_tm_app_op. */
	uint8_t app_op;
	/* For tag matching the index of the tag entry. */
	uint16_t app_info;
	/* Length of the message or packet. On striding queues see mprq_byte_cnt. Unit: bytes. */
	uint32_t byte_cnt;
	/* Device clock at the completion. */
	uint64_t timestamp;
	/*
	 * Opcode of the send WQE, on requester completions. On receive completions the byte that
	 * mlx5dv.h calls sop_drop, which no public driver reads. One of enum segue_opcode.
	 */
	uint8_t s_wqe_opcode;
	/* Number of the queue pair. On Ethernet receive queues the flow tag. */
	uint32_t qpn;
	/*
	 * Which WQE it was: for sends the wqe_index of the last WQE this completion covers, for
	 * shared receives the index of the WQE, else a running number. On striding queues the
	 * stride index.
	 */
	uint16_t wqe_counter;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/* Kind of the completion. One of enum segue_cqe_opcode. */
	uint8_t opcode;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_cqe_inline32_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_cqe_inline32_pack(void *dst, const struct segue_cqe_cqe_inline32 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->srqn_uidx <= SEGUE_CQE_CQE_INLINE32_SRQN_UIDX_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_CQE_INLINE32_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_CQE_INLINE32_OPCODE_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_CQE_INLINE32_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_CQE_INLINE32_OWNER_MAX);
	memcpy(p + 0, v->data, 32);
	/* [31:24] lro_num_seg, [23:0] srqn_uidx */
	segue_put_be32(p + 32, (uint32_t)v->lro_num_seg << 24 | v->srqn_uidx);
	segue_put_be32(p + 36, v->imm_inval_pkey);
	/* [31:24] app, [23:16] app_op, [15:0] app_info */
	segue_put_be32(p + 40, (uint32_t)v->app << 24 | (uint32_t)v->app_op << 16 | v->app_info);
	segue_put_be32(p + 44, v->byte_cnt);
	segue_put_be64(p + 48, v->timestamp);
	/* [31:24] s_wqe_opcode, [23:0] qpn */
	segue_put_be32(p + 56, (uint32_t)v->s_wqe_opcode << 24 | v->qpn);
	/*
	 * [31:16] wqe_counter, [15:8] signature, [7:4] opcode, [3:2] format = 1, [1] se, [0] owner
	 */
	segue_put_be32(p + 60, 0x4u | (uint32_t)v->wqe_counter << 16 | (uint32_t)v->signature << 8 |
				       (uint32_t)v->opcode << 4 | (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_cqe_inline32_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_cqe_inline32_unpack(struct segue_cqe_cqe_inline32 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint64_t w48 = segue_get_be64(p + 48);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	memcpy(v->data, p + 0, 32);
	v->lro_num_seg = (uint8_t)(w32 >> 24);
	v->srqn_uidx = w32 & 0xffffffu;
	v->imm_inval_pkey = w36;
	v->app = (uint8_t)(w40 >> 24);
	v->app_op = (uint8_t)(w40 >> 16);
	v->app_info = (uint16_t)w40;
	v->byte_cnt = w44;
	v->timestamp = w48;
	v->s_wqe_opcode = (uint8_t)(w56 >> 24);
	v->qpn = w56 & 0xffffffu;
	v->wqe_counter = (uint16_t)(w60 >> 16);
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return (w60 & 0xcu) == 0x4u;
}

/**
 * segue_cqe_cqe_inline32_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_cqe_inline32_check(const struct segue_cqe_cqe_inline32 *v,
					       const char **field)
{
	if (v->srqn_uidx > SEGUE_CQE_CQE_INLINE32_SRQN_UIDX_MAX) {
		*field = "srqn_uidx";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_CQE_CQE_INLINE32_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_CQE_INLINE32_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_CQE_INLINE32_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_CQE_INLINE32_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_CQE_INLINE64_SIZE 64u /* bytes */

/**
 * First half of a 128-byte entry whose second half has format INLINE_64: up to 64 bytes of payload
 * that software must copy to its buffer itself.
 * Source: infiniband/mlx5dv.h, MLX5_INLINE_SCATTER_64; providers/mlx5/cq.c, handle_responder
 */
struct segue_cqe_cqe_inline64 {
	uint8_t data[64]; /* The payload, as many bytes as byte_cnt of the second half says. */
};

/** segue_cqe_cqe_inline64_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_cqe_inline64_pack(void *dst, const struct segue_cqe_cqe_inline64 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	memcpy(p + 0, v->data, 64);
}

/**
 * segue_cqe_cqe_inline64_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_cqe_inline64_unpack(struct segue_cqe_cqe_inline64 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;

	memcpy(v->data, p + 0, 64);
	return true;
}

/**
 * segue_cqe_cqe_inline64_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_cqe_inline64_check(const struct segue_cqe_cqe_inline64 *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_ERR_CQE_SIZE		   64u /* bytes */
#define SEGUE_CQE_ERR_CQE_SRQN_MAX	   0xffffffu
#define SEGUE_CQE_ERR_CQE_HW_SYND_TYPE_MAX 0xfu
#define SEGUE_CQE_ERR_CQE_QPN_MAX	   0xffffffu
#define SEGUE_CQE_ERR_CQE_OPCODE_MAX	   0xfu
#define SEGUE_CQE_ERR_CQE_FORMAT_MAX	   3u
#define SEGUE_CQE_ERR_CQE_SE_MAX	   1u
#define SEGUE_CQE_ERR_CQE_OWNER_MAX	   1u

/**
 * Completion-queue entry of a WQE that has failed or was flushed. A requester error also retires
 * all unsignalled sends before it.
 * Source: infiniband/mlx5dv.h, struct mlx5_err_cqe; DPDK drivers/common/mlx5/mlx5_prm.h, struct
 * mlx5_error_cqe (wqe_id, ib_stride_index, byte_cnt, hw_err_synd); UCX
 * src/uct/ib/mlx5/ib_mlx5_log.c (hw_synd_type)
 */
struct segue_cqe_err_cqe {
	/* Index of the receive WQE, on striding queues. */
	uint16_t wqe_id;
	/* Stride index, on striding tag-matching SRQs. */
	uint16_t ib_stride_index;
	/* As srqn_uidx of a good entry. */
	uint32_t srqn;
	/* As byte_cnt of a good entry, where it means anything. Unit: bytes. */
	uint32_t byte_cnt;
	/* Error code of the hardware unit. UCX prints it; its values are not public. */
	uint8_t hw_err_synd;
	/* Kind of that code. UCX prints it; its values are not public. */
	uint8_t hw_synd_type;
	/* Second error code, vendor_err of verbs. Few values are known, see vendor_syndrome. */
	uint8_t vendor_err_synd;
	/*
	 * Why the WQE failed. This is what becomes the status of a work completion in verbs. One of
	 * enum segue_cqe_syndrome.
	 */
	uint8_t syndrome;
	/* Opcode of the send WQE, on requester errors. One of enum segue_opcode. */
	uint8_t s_wqe_opcode;
	/* Number of the queue pair. */
	uint32_t qpn;
	/*
	 * Which WQE it was: for sends the wqe_index of the last WQE this completion covers, for
	 * shared receives the index of the WQE, else a running number. On striding queues the
	 * stride index.
	 */
	uint16_t wqe_counter;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/*
	 * Kind of the completion. Bit 3 is set for errors and for INVALID, so one test finds both.
	 * One of enum segue_cqe_opcode.
	 */
	uint8_t opcode;
	/*
	 * Where the payload is: in its buffer, in this entry, or in the half before it. One of enum
	 * segue_cqe_format.
	 */
	uint8_t format;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_err_cqe_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_err_cqe_pack(void *dst, const struct segue_cqe_err_cqe *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->srqn <= SEGUE_CQE_ERR_CQE_SRQN_MAX);
	SEGUE_DCHECK(v->hw_synd_type <= SEGUE_CQE_ERR_CQE_HW_SYND_TYPE_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_ERR_CQE_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_ERR_CQE_OPCODE_MAX);
	SEGUE_DCHECK(v->format <= SEGUE_CQE_ERR_CQE_FORMAT_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_ERR_CQE_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_ERR_CQE_OWNER_MAX);
	/* [15:0] wqe_id */
	segue_put_be32(p + 0, v->wqe_id);
	/* reserved */
	memset(p + 4, 0, 16);
	/* [31:16] ib_stride_index */
	segue_put_be32(p + 20, (uint32_t)v->ib_stride_index << 16);
	/* reserved */
	segue_put_be64(p + 24, 0);
	/* [23:0] srqn */
	segue_put_be32(p + 32, v->srqn);
	/* reserved */
	segue_put_be64(p + 36, 0);
	segue_put_be32(p + 44, v->byte_cnt);
	/* reserved */
	segue_put_be32(p + 48, 0);
	/* [31:24] hw_err_synd, [23:20] hw_synd_type, [15:8] vendor_err_synd, [7:0] syndrome */
	segue_put_be32(p + 52, (uint32_t)v->hw_err_synd << 24 | (uint32_t)v->hw_synd_type << 20 |
				       (uint32_t)v->vendor_err_synd << 8 | v->syndrome);
	/* [31:24] s_wqe_opcode, [23:0] qpn */
	segue_put_be32(p + 56, (uint32_t)v->s_wqe_opcode << 24 | v->qpn);
	/* [31:16] wqe_counter, [15:8] signature, [7:4] opcode, [3:2] format, [1] se, [0] owner */
	segue_put_be32(p + 60, (uint32_t)v->wqe_counter << 16 | (uint32_t)v->signature << 8 |
				       (uint32_t)v->opcode << 4 | (uint32_t)v->format << 2 |
				       (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_err_cqe_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUE_INLINE bool segue_cqe_err_cqe_unpack(struct segue_cqe_err_cqe *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint32_t w52 = segue_get_be32(p + 52);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->wqe_id = (uint16_t)w0;
	v->ib_stride_index = (uint16_t)(w20 >> 16);
	v->srqn = w32 & 0xffffffu;
	v->byte_cnt = w44;
	v->hw_err_synd = (uint8_t)(w52 >> 24);
	v->hw_synd_type = (uint8_t)((w52 >> 20) & 0xfu);
	v->vendor_err_synd = (uint8_t)(w52 >> 8);
	v->syndrome = (uint8_t)w52;
	v->s_wqe_opcode = (uint8_t)(w56 >> 24);
	v->qpn = w56 & 0xffffffu;
	v->wqe_counter = (uint16_t)(w60 >> 16);
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->format = (uint8_t)((w60 >> 2) & 0x3u);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return (w0 & 0xffff0000u) == 0 && segue_is_zero(p + 4, 16) && (w20 & 0xffffu) == 0 &&
	       segue_get_be64(p + 24) == 0 && (w32 & 0xff000000u) == 0 &&
	       segue_get_be64(p + 36) == 0 && segue_get_be32(p + 48) == 0 && (w52 & 0xf0000u) == 0;
}

/**
 * segue_cqe_err_cqe_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_cqe_err_cqe_check(const struct segue_cqe_err_cqe *v, const char **field)
{
	if (v->srqn > SEGUE_CQE_ERR_CQE_SRQN_MAX) {
		*field = "srqn";
		return -ERANGE;
	}
	if (v->hw_synd_type > SEGUE_CQE_ERR_CQE_HW_SYND_TYPE_MAX) {
		*field = "hw_synd_type";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_CQE_ERR_CQE_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_ERR_CQE_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->format > SEGUE_CQE_ERR_CQE_FORMAT_MAX) {
		*field = "format";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_ERR_CQE_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_ERR_CQE_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_MINI_CQE_SIZE 8u /* bytes */

/**
 * Mini CQE, what remains of a completion in a compressed block; all else is as in the title entry.
 * This form, with the receive hash, is for receive completions.
 * Source: Linux include/linux/mlx5/device.h, struct mlx5_mini_cqe8; DPDK
 * drivers/common/mlx5/mlx5_prm.h, struct mlx5_mini_cqe8
 */
struct segue_cqe_mini_cqe {
	uint32_t rx_hash_result; /* Hash by which the packet was spread over queues. */
	uint32_t byte_cnt;	 /* As byte_cnt of the entry it stands for. Unit: bytes. */
};

/** segue_cqe_mini_cqe_pack() writes all 8 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_mini_cqe_pack(void *dst, const struct segue_cqe_mini_cqe *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->rx_hash_result);
	segue_put_be32(p + 4, v->byte_cnt);
}

/**
 * segue_cqe_mini_cqe_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUE_INLINE bool segue_cqe_mini_cqe_unpack(struct segue_cqe_mini_cqe *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->rx_hash_result = w0;
	v->byte_cnt = w4;
	return true;
}

/**
 * segue_cqe_mini_cqe_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_cqe_mini_cqe_check(const struct segue_cqe_mini_cqe *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_MINI_CQE_ARRAY_SIZE 64u /* bytes */

/**
 * Array of a compressed block in the classic layout. A title entry with format COMPRESSED, whose
 * byte_cnt is the number of mini CQEs, comes first; arrays of eight follow it in the places of the
 * entries they stand for.
 * Source: Linux include/linux/mlx5/device.h, MLX5_MINI_CQE_ARRAY_SIZE and
 * MLX5_CQE_COMPRESS_LAYOUT_BASIC; DPDK drivers/net/mlx5/mlx5_rx.c, mlx5_rx_poll_len
 */
struct segue_cqe_mini_cqe_array {
	/*
	 * Eight mini CQEs. Their form is known from how the queue was created (mini_cqe_format),
	 * and is mini_cqe_req on send queues. Holds 8 times struct segue_cqe_mini_cqe, packed.
	 */
	uint8_t mini[64];
};

/** segue_cqe_mini_cqe_array_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_mini_cqe_array_pack(void *dst,
						 const struct segue_cqe_mini_cqe_array *v)
{
	uint8_t *const p = (uint8_t *)dst;

	memcpy(p + 0, v->mini, 64);
}

/**
 * segue_cqe_mini_cqe_array_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_mini_cqe_array_unpack(struct segue_cqe_mini_cqe_array *v,
						  const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;

	memcpy(v->mini, p + 0, 64);
	return true;
}

/**
 * segue_cqe_mini_cqe_array_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_mini_cqe_array_check(const struct segue_cqe_mini_cqe_array *v,
						 const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_SIZE		   64u /* bytes */
#define SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_NUM_MINUS_ONE_MAX 6u
#define SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_SE_MAX		   1u
#define SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_OWNER_MAX	   1u

/**
 * Array of a compressed block in the enhanced layout: up to seven mini CQEs and a trailer that has
 * the place and form of the last bytes of an entry. The title is the last normal entry before it.
 * Source: Linux include/linux/mlx5/device.h, MLX5_CQE_COMPRESS_LAYOUT_ENHANCED and
 * get_cqe_enhanced_num_mini_cqes; UCX src/uct/ib/mlx5/ib_mlx5.c, uct_ib_mlx5_iface_cqe_unzip_init
 */
struct segue_cqe_mini_cqe_array_trailer {
	/*
	 * Seven mini CQEs, of which the first num_minus_one + 1 are filled. Holds 7 times struct
	 * segue_cqe_mini_cqe, packed.
	 */
	uint8_t mini[56];
	/* Counts the rounds through the ring; takes the place of the owner bit. */
	uint8_t validity_iteration_count;
	/* Number of mini CQEs less one. */
	uint8_t num_minus_one;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/* Owner bit of the classic layout. */
	uint8_t owner;
};

/** segue_cqe_mini_cqe_array_trailer_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_mini_cqe_array_trailer_pack(
	void *dst, const struct segue_cqe_mini_cqe_array_trailer *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->num_minus_one <= SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_NUM_MINUS_ONE_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_OWNER_MAX);
	memcpy(p + 0, v->mini, 56);
	/* reserved */
	segue_put_be32(p + 56, 0);
	/*
	 * [15:8] validity_iteration_count, [7:4] num_minus_one, [3:2] format = 3, [1] se, [0] owner
	 */
	segue_put_be32(p + 60, 0xcu | (uint32_t)v->validity_iteration_count << 8 |
				       (uint32_t)v->num_minus_one << 4 | (uint32_t)v->se << 1 |
				       v->owner);
}

/**
 * segue_cqe_mini_cqe_array_trailer_unpack() fills *v, and returns false when a reserved bit is set
 * or a constant differs.
 */
SEGUE_INLINE bool segue_cqe_mini_cqe_array_trailer_unpack(
	struct segue_cqe_mini_cqe_array_trailer *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w60 = segue_get_be32(p + 60);

	memcpy(v->mini, p + 0, 56);
	v->validity_iteration_count = (uint8_t)(w60 >> 8);
	v->num_minus_one = (uint8_t)((w60 >> 4) & 0xfu);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return segue_get_be32(p + 56) == 0 && (w60 & 0xffff000cu) == 0xcu;
}

/**
 * segue_cqe_mini_cqe_array_trailer_check() returns 0, or -ERANGE with *field naming the first field
 * whose value the segment cannot hold.
 */
static inline int segue_cqe_mini_cqe_array_trailer_check(
	const struct segue_cqe_mini_cqe_array_trailer *v, const char **field)
{
	if (v->num_minus_one > SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_NUM_MINUS_ONE_MAX) {
		*field = "num_minus_one";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_MINI_CQE_ARRAY_TRAILER_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_MINI_CQE_CSUM_SIZE 8u /* bytes */

/**
 * Mini CQE of a receive completion with the checksum and the stride index.
 * Source: Linux include/linux/mlx5/device.h, struct mlx5_mini_cqe8; DPDK
 * drivers/common/mlx5/mlx5_prm.h, struct mlx5_mini_cqe8
 */
struct segue_cqe_mini_cqe_csum {
	uint16_t checksum; /* Checksum over the packet. */
	uint16_t stridx;   /* Stride index, on striding queues; else reserved. */
	uint32_t byte_cnt; /* As byte_cnt of the entry it stands for. Unit: bytes. */
};

/** segue_cqe_mini_cqe_csum_pack() writes all 8 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_mini_cqe_csum_pack(void *dst, const struct segue_cqe_mini_cqe_csum *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:16] checksum, [15:0] stridx */
	segue_put_be32(p + 0, (uint32_t)v->checksum << 16 | v->stridx);
	segue_put_be32(p + 4, v->byte_cnt);
}

/**
 * segue_cqe_mini_cqe_csum_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_mini_cqe_csum_unpack(struct segue_cqe_mini_cqe_csum *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->checksum = (uint16_t)(w0 >> 16);
	v->stridx = (uint16_t)w0;
	v->byte_cnt = w4;
	return true;
}

/**
 * segue_cqe_mini_cqe_csum_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_mini_cqe_csum_check(const struct segue_cqe_mini_cqe_csum *v,
						const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_MINI_CQE_REQ_SIZE 8u /* bytes */

/**
 * Mini CQE of a send completion.
 * Source: Linux include/linux/mlx5/device.h, struct mlx5_mini_cqe8; DPDK
 * drivers/common/mlx5/mlx5_prm.h, struct mlx5_mini_cqe8 (which has the last two bytes of the first
 * half the other way round); UCX src/uct/ib/mlx5/ib_mlx5.h, uct_ib_mlx5_mini_cqe8_t
 */
struct segue_cqe_mini_cqe_req {
	uint16_t wqe_counter; /* As wqe_counter of the entry it stands for. */
	uint8_t s_wqe_opcode; /* Opcode of the send WQE. One of enum segue_opcode. */
	uint32_t byte_cnt;    /* As byte_cnt of the entry it stands for. Unit: bytes. */
};

/** segue_cqe_mini_cqe_req_pack() writes all 8 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_mini_cqe_req_pack(void *dst, const struct segue_cqe_mini_cqe_req *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:16] wqe_counter, [15:8] s_wqe_opcode */
	segue_put_be32(p + 0, (uint32_t)v->wqe_counter << 16 | (uint32_t)v->s_wqe_opcode << 8);
	segue_put_be32(p + 4, v->byte_cnt);
}

/**
 * segue_cqe_mini_cqe_req_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_mini_cqe_req_unpack(struct segue_cqe_mini_cqe_req *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->wqe_counter = (uint16_t)(w0 >> 16);
	v->s_wqe_opcode = (uint8_t)(w0 >> 8);
	v->byte_cnt = w4;
	return (w0 & 0xffu) == 0;
}

/**
 * segue_cqe_mini_cqe_req_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_mini_cqe_req_check(const struct segue_cqe_mini_cqe_req *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_CQE_SIG_ERR_CQE_SIZE	 64u /* bytes */
#define SEGUE_CQE_SIG_ERR_CQE_QPN_MAX	 0xffffffu
#define SEGUE_CQE_SIG_ERR_CQE_OPCODE_MAX 0xfu
#define SEGUE_CQE_SIG_ERR_CQE_FORMAT_MAX 3u
#define SEGUE_CQE_SIG_ERR_CQE_SE_MAX	 1u
#define SEGUE_CQE_SIG_ERR_CQE_OWNER_MAX	 1u

/**
 * Completion-queue entry that reports a wrong block signature. It belongs to a memory key and to no
 * WQE; the operation itself goes on and completes as usual.
 * Source: providers/mlx5/cq.c, struct mlx5_sigerr_cqe; Linux include/linux/mlx5/device.h, struct
 * mlx5_sig_err_cqe (qpn); providers/mlx5/man/mlx5dv_mkey_check.3.md (values); Linux
 * drivers/infiniband/ulp/iser/iser_verbs.c, iser_check_task_pi_status (offset)
 */
struct segue_cqe_sig_err_cqe {
	/*
	 * Guard in 31:16 and application tag in 15:0 that the signature of the block holds, or the
	 * upper half of the CRC (mlx5dv_mkey_check(3)).
	 */
	uint32_t expected_trans_sig;
	/*
	 * Guard and application tag, or upper half of the CRC, that the data of the block would
	 * have.
	 */
	uint32_t actual_trans_sig;
	/*
	 * Reference tag that the signature of the block holds, or the lower half of a 64-bit CRC.
	 */
	uint32_t expected_ref_tag;
	/* Reference tag that the block should have, or lower half of the 64-bit CRC of its data. */
	uint32_t actual_ref_tag;
	/* Which parts of the signature are wrong. Any of enum segue_sig_err_syndrome. */
	uint16_t syndrome;
	/*
	 * Block or transaction signature. Reserved on devices without the capability
	 * sigerr_domain_and_sig_type. One of enum segue_sig_err_type.
	 */
	uint8_t sig_type;
	/*
	 * Wire or memory. Reserved on devices without that capability. One of enum
	 * segue_sig_err_domain.
	 */
	uint8_t domain;
	/* The signature key through which the data passed; its index in 31:8 identifies it. */
	uint32_t mkey;
	/* Where the bad block begins, counted with the signatures before it. Unit: bytes. */
	uint64_t sig_err_offset;
	/* Number of the queue pair. Named by Linux only. */
	uint32_t qpn;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/* Kind of the completion. One of enum segue_cqe_opcode. */
	uint8_t opcode;
	/*
	 * Where the payload is: in its buffer, in this entry, or in the half before it. One of enum
	 * segue_cqe_format.
	 */
	uint8_t format;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_sig_err_cqe_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_sig_err_cqe_pack(void *dst, const struct segue_cqe_sig_err_cqe *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_SIG_ERR_CQE_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_SIG_ERR_CQE_OPCODE_MAX);
	SEGUE_DCHECK(v->format <= SEGUE_CQE_SIG_ERR_CQE_FORMAT_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_SIG_ERR_CQE_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_SIG_ERR_CQE_OWNER_MAX);
	/* reserved */
	memset(p + 0, 0, 16);
	segue_put_be32(p + 16, v->expected_trans_sig);
	segue_put_be32(p + 20, v->actual_trans_sig);
	segue_put_be32(p + 24, v->expected_ref_tag);
	segue_put_be32(p + 28, v->actual_ref_tag);
	/* [31:16] syndrome, [15:8] sig_type, [7:0] domain */
	segue_put_be32(p + 32,
		       (uint32_t)v->syndrome << 16 | (uint32_t)v->sig_type << 8 | v->domain);
	segue_put_be32(p + 36, v->mkey);
	segue_put_be64(p + 40, v->sig_err_offset);
	/* reserved */
	segue_put_be64(p + 48, 0);
	/* [23:0] qpn */
	segue_put_be32(p + 56, v->qpn);
	/* [15:8] signature, [7:4] opcode, [3:2] format, [1] se, [0] owner */
	segue_put_be32(p + 60, (uint32_t)v->signature << 8 | (uint32_t)v->opcode << 4 |
				       (uint32_t)v->format << 2 | (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_sig_err_cqe_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_sig_err_cqe_unpack(struct segue_cqe_sig_err_cqe *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint32_t w24 = segue_get_be32(p + 24);
	const uint32_t w28 = segue_get_be32(p + 28);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint64_t w40 = segue_get_be64(p + 40);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->expected_trans_sig = w16;
	v->actual_trans_sig = w20;
	v->expected_ref_tag = w24;
	v->actual_ref_tag = w28;
	v->syndrome = (uint16_t)(w32 >> 16);
	v->sig_type = (uint8_t)(w32 >> 8);
	v->domain = (uint8_t)w32;
	v->mkey = w36;
	v->sig_err_offset = w40;
	v->qpn = w56 & 0xffffffu;
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->format = (uint8_t)((w60 >> 2) & 0x3u);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return segue_is_zero(p + 0, 16) && segue_get_be64(p + 48) == 0 &&
	       (w56 & 0xff000000u) == 0 && (w60 & 0xffff0000u) == 0;
}

/**
 * segue_cqe_sig_err_cqe_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_sig_err_cqe_check(const struct segue_cqe_sig_err_cqe *v,
					      const char **field)
{
	if (v->qpn > SEGUE_CQE_SIG_ERR_CQE_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_SIG_ERR_CQE_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->format > SEGUE_CQE_SIG_ERR_CQE_FORMAT_MAX) {
		*field = "format";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_SIG_ERR_CQE_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_SIG_ERR_CQE_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_TM_CQE_SIZE	       64u /* bytes */
#define SEGUE_CQE_TM_CQE_SUCCESS_MAX   1u
#define SEGUE_CQE_TM_CQE_SRQN_UIDX_MAX 0xffffffu
#define SEGUE_CQE_TM_CQE_QPN_MAX       0xffffffu
#define SEGUE_CQE_TM_CQE_OPCODE_MAX    0xfu
#define SEGUE_CQE_TM_CQE_FORMAT_MAX    3u
#define SEGUE_CQE_TM_CQE_SE_MAX	       1u
#define SEGUE_CQE_TM_CQE_OWNER_MAX     1u

/**
 * Completion-queue entry that answers a command on the tag list (append, remove, no-operation).
 * Source: infiniband/mlx5dv.h, struct mlx5_tm_cqe and struct mlx5_cqe64; providers/mlx5/cq.c,
 * handle_tag_matching
 */
struct segue_cqe_tm_cqe {
	/*
	 * The command was carried out (MLX5_TMC_SUCCESS). A remove fails when the entry has matched
	 * meanwhile.
	 */
	uint8_t success;
	/*
	 * The device's count of unexpected messages; when it differs from software's, a
	 * no-operation command must follow.
	 */
	uint16_t hw_phase_cnt;
	/* Number of packets that were merged into this one, on Ethernet queues with LRO; else 0. */
	uint8_t lro_num_seg;
	/*
	 * With CQE version 1 the user index, a number that software gave the queue pair or SRQ.
	 * With version 0 the number of the SRQ, or 0.
	 */
	uint32_t srqn_uidx;
	/*
	 * By opcode the immediate data, the invalidated remote key, or the index of the partition
	 * key in 15:0; on Ethernet queues flow metadata.
	 */
	uint32_t imm_inval_pkey;
	/*
	 * Which application of the device the next two fields belong to. One of enum segue_cqe_app.
	 */
	uint8_t app;
	/* What the application reports. One of enum segue_tm_app_op. */
	uint8_t app_op;
	/* For tag matching the index of the tag entry. */
	uint16_t app_info;
	/* Length of the message or packet. On striding queues see mprq_byte_cnt. Unit: bytes. */
	uint32_t byte_cnt;
	/* Device clock at the completion. */
	uint64_t timestamp;
	/*
	 * Opcode of the send WQE, on requester completions. On receive completions the byte that
	 * mlx5dv.h calls sop_drop, which no public driver reads. One of enum segue_opcode.
	 */
	uint8_t s_wqe_opcode;
	/* Number of the queue pair. On Ethernet receive queues the flow tag. */
	uint32_t qpn;
	/*
	 * Which WQE it was: for sends the wqe_index of the last WQE this completion covers, for
	 * shared receives the index of the WQE, else a running number. On striding queues the
	 * stride index.
	 */
	uint16_t wqe_counter;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/* Kind of the completion. One of enum segue_cqe_opcode. */
	uint8_t opcode;
	/*
	 * Where the payload is: in its buffer, in this entry, or in the half before it. One of enum
	 * segue_cqe_format.
	 */
	uint8_t format;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_tm_cqe_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_tm_cqe_pack(void *dst, const struct segue_cqe_tm_cqe *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->success <= SEGUE_CQE_TM_CQE_SUCCESS_MAX);
	SEGUE_DCHECK(v->srqn_uidx <= SEGUE_CQE_TM_CQE_SRQN_UIDX_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_TM_CQE_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_TM_CQE_OPCODE_MAX);
	SEGUE_DCHECK(v->format <= SEGUE_CQE_TM_CQE_FORMAT_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_TM_CQE_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_TM_CQE_OWNER_MAX);
	/* [31] success */
	segue_put_be32(p + 0, (uint32_t)v->success << 31);
	/* [31:16] hw_phase_cnt */
	segue_put_be32(p + 4, (uint32_t)v->hw_phase_cnt << 16);
	/* reserved */
	memset(p + 8, 0, 24);
	/* [31:24] lro_num_seg, [23:0] srqn_uidx */
	segue_put_be32(p + 32, (uint32_t)v->lro_num_seg << 24 | v->srqn_uidx);
	segue_put_be32(p + 36, v->imm_inval_pkey);
	/* [31:24] app, [23:16] app_op, [15:0] app_info */
	segue_put_be32(p + 40, (uint32_t)v->app << 24 | (uint32_t)v->app_op << 16 | v->app_info);
	segue_put_be32(p + 44, v->byte_cnt);
	segue_put_be64(p + 48, v->timestamp);
	/* [31:24] s_wqe_opcode, [23:0] qpn */
	segue_put_be32(p + 56, (uint32_t)v->s_wqe_opcode << 24 | v->qpn);
	/* [31:16] wqe_counter, [15:8] signature, [7:4] opcode, [3:2] format, [1] se, [0] owner */
	segue_put_be32(p + 60, (uint32_t)v->wqe_counter << 16 | (uint32_t)v->signature << 8 |
				       (uint32_t)v->opcode << 4 | (uint32_t)v->format << 2 |
				       (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_tm_cqe_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUE_INLINE bool segue_cqe_tm_cqe_unpack(struct segue_cqe_tm_cqe *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint64_t w48 = segue_get_be64(p + 48);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->success = (uint8_t)(w0 >> 31);
	v->hw_phase_cnt = (uint16_t)(w4 >> 16);
	v->lro_num_seg = (uint8_t)(w32 >> 24);
	v->srqn_uidx = w32 & 0xffffffu;
	v->imm_inval_pkey = w36;
	v->app = (uint8_t)(w40 >> 24);
	v->app_op = (uint8_t)(w40 >> 16);
	v->app_info = (uint16_t)w40;
	v->byte_cnt = w44;
	v->timestamp = w48;
	v->s_wqe_opcode = (uint8_t)(w56 >> 24);
	v->qpn = w56 & 0xffffffu;
	v->wqe_counter = (uint16_t)(w60 >> 16);
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->format = (uint8_t)((w60 >> 2) & 0x3u);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return (w0 & 0x7fffffffu) == 0 && (w4 & 0xffffu) == 0 && segue_is_zero(p + 8, 24);
}

/**
 * segue_cqe_tm_cqe_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_cqe_tm_cqe_check(const struct segue_cqe_tm_cqe *v, const char **field)
{
	if (v->success > SEGUE_CQE_TM_CQE_SUCCESS_MAX) {
		*field = "success";
		return -ERANGE;
	}
	if (v->srqn_uidx > SEGUE_CQE_TM_CQE_SRQN_UIDX_MAX) {
		*field = "srqn_uidx";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_CQE_TM_CQE_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_TM_CQE_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->format > SEGUE_CQE_TM_CQE_FORMAT_MAX) {
		*field = "format";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_TM_CQE_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_TM_CQE_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_CQE_TM_MATCH_CQE_SIZE	     64u /* bytes */
#define SEGUE_CQE_TM_MATCH_CQE_SRQN_UIDX_MAX 0xffffffu
#define SEGUE_CQE_TM_MATCH_CQE_QPN_MAX	     0xffffffu
#define SEGUE_CQE_TM_MATCH_CQE_OPCODE_MAX    0xfu
#define SEGUE_CQE_TM_MATCH_CQE_FORMAT_MAX    3u
#define SEGUE_CQE_TM_MATCH_CQE_SE_MAX	     1u
#define SEGUE_CQE_TM_MATCH_CQE_OWNER_MAX     1u

/**
 * Completion-queue entry of a message that has matched a tag entry. The message's tag-matching
 * header lies in its first 16 bytes.
 * Source: infiniband/mlx5dv.h, struct mlx5_cqe64 (tmh); providers/mlx5/cq.c, handle_tag_matching
 */
struct segue_cqe_tm_match_cqe {
	/* The tag-matching header of the message. Holds struct segue_seg_tmh, packed. */
	uint8_t tmh[16];
	/* Number of packets that were merged into this one, on Ethernet queues with LRO; else 0. */
	uint8_t lro_num_seg;
	/*
	 * With CQE version 1 the user index, a number that software gave the queue pair or SRQ.
	 * With version 0 the number of the SRQ, or 0.
	 */
	uint32_t srqn_uidx;
	/*
	 * By opcode the immediate data, the invalidated remote key, or the index of the partition
	 * key in 15:0; on Ethernet queues flow metadata.
	 */
	uint32_t imm_inval_pkey;
	/*
	 * Which application of the device the next two fields belong to. One of enum segue_cqe_app.
	 */
	uint8_t app;
	/* What the application reports. One of enum segue_tm_app_op. */
	uint8_t app_op;
	/* For tag matching the index of the tag entry. */
	uint16_t app_info;
	/* Length of the message or packet. On striding queues see mprq_byte_cnt. Unit: bytes. */
	uint32_t byte_cnt;
	/* Device clock at the completion. */
	uint64_t timestamp;
	/*
	 * Opcode of the send WQE, on requester completions. On receive completions the byte that
	 * mlx5dv.h calls sop_drop, which no public driver reads. One of enum segue_opcode.
	 */
	uint8_t s_wqe_opcode;
	/* Number of the queue pair. On Ethernet receive queues the flow tag. */
	uint32_t qpn;
	/*
	 * Which WQE it was: for sends the wqe_index of the last WQE this completion covers, for
	 * shared receives the index of the WQE, else a running number. On striding queues the
	 * stride index.
	 */
	uint16_t wqe_counter;
	/*
	 * Signature on queues with CQE signatures. With the enhanced compression layout the
	 * validity iteration count, which takes the place of the owner bit.
	 */
	uint8_t signature;
	/* Kind of the completion. One of enum segue_cqe_opcode. */
	uint8_t opcode;
	/*
	 * Where the payload is: in its buffer, in this entry, or in the half before it. One of enum
	 * segue_cqe_format.
	 */
	uint8_t format;
	/* The peer has asked for a solicited event. */
	uint8_t se;
	/*
	 * Flips each time the device passes the end of the ring; tells a new entry from the old one
	 * in its place.
	 */
	uint8_t owner;
};

/** segue_cqe_tm_match_cqe_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_cqe_tm_match_cqe_pack(void *dst, const struct segue_cqe_tm_match_cqe *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->srqn_uidx <= SEGUE_CQE_TM_MATCH_CQE_SRQN_UIDX_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_CQE_TM_MATCH_CQE_QPN_MAX);
	SEGUE_DCHECK(v->opcode <= SEGUE_CQE_TM_MATCH_CQE_OPCODE_MAX);
	SEGUE_DCHECK(v->format <= SEGUE_CQE_TM_MATCH_CQE_FORMAT_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_CQE_TM_MATCH_CQE_SE_MAX);
	SEGUE_DCHECK(v->owner <= SEGUE_CQE_TM_MATCH_CQE_OWNER_MAX);
	memcpy(p + 0, v->tmh, 16);
	/* reserved */
	memset(p + 16, 0, 16);
	/* [31:24] lro_num_seg, [23:0] srqn_uidx */
	segue_put_be32(p + 32, (uint32_t)v->lro_num_seg << 24 | v->srqn_uidx);
	segue_put_be32(p + 36, v->imm_inval_pkey);
	/* [31:24] app, [23:16] app_op, [15:0] app_info */
	segue_put_be32(p + 40, (uint32_t)v->app << 24 | (uint32_t)v->app_op << 16 | v->app_info);
	segue_put_be32(p + 44, v->byte_cnt);
	segue_put_be64(p + 48, v->timestamp);
	/* [31:24] s_wqe_opcode, [23:0] qpn */
	segue_put_be32(p + 56, (uint32_t)v->s_wqe_opcode << 24 | v->qpn);
	/* [31:16] wqe_counter, [15:8] signature, [7:4] opcode, [3:2] format, [1] se, [0] owner */
	segue_put_be32(p + 60, (uint32_t)v->wqe_counter << 16 | (uint32_t)v->signature << 8 |
				       (uint32_t)v->opcode << 4 | (uint32_t)v->format << 2 |
				       (uint32_t)v->se << 1 | v->owner);
}

/**
 * segue_cqe_tm_match_cqe_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUE_INLINE bool segue_cqe_tm_match_cqe_unpack(struct segue_cqe_tm_match_cqe *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);
	const uint64_t w48 = segue_get_be64(p + 48);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	memcpy(v->tmh, p + 0, 16);
	v->lro_num_seg = (uint8_t)(w32 >> 24);
	v->srqn_uidx = w32 & 0xffffffu;
	v->imm_inval_pkey = w36;
	v->app = (uint8_t)(w40 >> 24);
	v->app_op = (uint8_t)(w40 >> 16);
	v->app_info = (uint16_t)w40;
	v->byte_cnt = w44;
	v->timestamp = w48;
	v->s_wqe_opcode = (uint8_t)(w56 >> 24);
	v->qpn = w56 & 0xffffffu;
	v->wqe_counter = (uint16_t)(w60 >> 16);
	v->signature = (uint8_t)(w60 >> 8);
	v->opcode = (uint8_t)((w60 >> 4) & 0xfu);
	v->format = (uint8_t)((w60 >> 2) & 0x3u);
	v->se = (uint8_t)((w60 >> 1) & 0x1u);
	v->owner = (uint8_t)(w60 & 0x1u);
	return segue_is_zero(p + 16, 16);
}

/**
 * segue_cqe_tm_match_cqe_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_cqe_tm_match_cqe_check(const struct segue_cqe_tm_match_cqe *v,
					       const char **field)
{
	if (v->srqn_uidx > SEGUE_CQE_TM_MATCH_CQE_SRQN_UIDX_MAX) {
		*field = "srqn_uidx";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_CQE_TM_MATCH_CQE_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->opcode > SEGUE_CQE_TM_MATCH_CQE_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	if (v->format > SEGUE_CQE_TM_MATCH_CQE_FORMAT_MAX) {
		*field = "format";
		return -ERANGE;
	}
	if (v->se > SEGUE_CQE_TM_MATCH_CQE_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	if (v->owner > SEGUE_CQE_TM_MATCH_CQE_OWNER_MAX) {
		*field = "owner";
		return -ERANGE;
	}
	return 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif /* SEGUE_GEN_CQES_H */
