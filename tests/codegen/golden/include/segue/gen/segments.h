/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from spec/mlx5/segments by //codegen. Do not edit.
 * To change it, edit the spec and run: bazel run //tools:update_goldens
 */
#ifndef SEGUE_GEN_SEGMENTS_H
#define SEGUE_GEN_SEGMENTS_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/bytes.h"
#include "segue/check.h"
#include "segue/gen/enums.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/**
 * A segment packed once and copied into each request; made by segue_seg_av_dc_prepare() or
 * segue_seg_av_ud_prepare().
 */
struct segue_ah {
	uint8_t bytes[48];
};

/**
 * A segment packed once and copied into each request; made by segue_seg_av_dc_compact_prepare() or
 * segue_seg_av_ud_compact_prepare().
 */
struct segue_ah_compact {
	uint8_t bytes[16];
};

#define SEGUE_SEG_ATOMIC_SIZE 16u /* bytes */
#define SEGUE_SEG_ATOMIC_DS   1u  /* units of 16 bytes */

/**
 * Operands of a 64-bit atomic, compare-and-swap or fetch-and-add. A data segment that follows says
 * where the old value goes.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_atomic_seg; providers/mlx5/qp.c, _set_atomic_seg
 */
struct segue_seg_atomic {
	/* The new value for compare-and-swap, the addend for fetch-and-add. */
	uint64_t swap_add;
	/*
	 * The value that the remote word must have for the swap to take place. Ignored by
	 * fetch-and-add, where it is 0.
	 */
	uint64_t compare;
};

/** segue_seg_atomic_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_atomic_pack(void *dst, const struct segue_seg_atomic *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->swap_add);
	segue_put_be64(p + 8, v->compare);
}

/**
 * segue_seg_atomic_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_atomic_unpack(struct segue_seg_atomic *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->swap_add = w0;
	v->compare = w8;
	return true;
}

/**
 * segue_seg_atomic_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_atomic_check(const struct segue_seg_atomic *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_ATOMIC_ADD_SIZE 16u /* bytes */
#define SEGUE_SEG_ATOMIC_ADD_DS	  1u  /* units of 16 bytes */

/**
 * Operand of a 64-bit fetch-and-add: the atomic segment without its compare value, which the device
 * ignores. libmlx5 and UCX leave that half as they found it, so it may hold anything in a WQE of
 * theirs.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_atomic_seg; providers/mlx5/qp.c, _set_atomic_seg
 */
struct segue_seg_atomic_add {
	uint64_t swap_add; /* The addend. */
};

/** segue_seg_atomic_add_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_atomic_add_pack(void *dst, const struct segue_seg_atomic_add *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->swap_add);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_atomic_add_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_atomic_add_unpack(struct segue_seg_atomic_add *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);

	v->swap_add = w0;
	return segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_atomic_add_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_atomic_add_check(const struct segue_seg_atomic_add *v,
					     const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_AV_DC_SIZE	       48u /* bytes */
#define SEGUE_SEG_AV_DC_DS	       3u  /* units of 16 bytes */
#define SEGUE_SEG_AV_DC_DQP_DCT_MAX    0xffffffu
#define SEGUE_SEG_AV_DC_REVERSE_SL_MAX 0xfu
#define SEGUE_SEG_AV_DC_STAT_RATE_MAX  0xfu
#define SEGUE_SEG_AV_DC_SL_MAX	       0xfu
#define SEGUE_SEG_AV_DC_FL_MAX	       1u
#define SEGUE_SEG_AV_DC_MLID_MAX       0x7fu
#define SEGUE_SEG_AV_DC_GRH_MAX	       1u
#define SEGUE_SEG_AV_DC_FLOW_LABEL_MAX 0xfffffu

/**
 * Address vector of a DC initiator, 48 bytes. A DC initiator connects to the DC target named here
 * for as long as it has work for it; the vector is prepared once per peer and copied into each WQE
 * with the target's number and access key.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_av; providers/mlx5/qp.c, mlx5_send_wr_set_dc_addr;
 * UCX dc_mlx5_ep.c (reverse_sl); UCX src/uct/ib/mlx5/ib_mlx5.inl, uct_ib_mlx5_set_dgram_seg (leaves
 * dword 4 as it was in the ring)
 */
struct segue_seg_av_dc {
	/* Access key of the peer's DC target. A request with another key is refused. */
	uint64_t dc_key;
	/* Number of the peer's DC target. */
	uint32_t dqp_dct;
	/*
	 * Service level for the packets that the peer sends back, such as acknowledgements. Set by
	 * UCX; libmlx5 always writes 0.
	 */
	uint8_t reverse_sl;
	/*
	 * Static rate limit of this path as the device codes it; 0 means the full rate of the port.
	 */
	uint8_t stat_rate;
	/*
	 * Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, with bit 0 zero.
	 */
	uint8_t sl;
	/*
	 * Force loopback. Set, the packet is delivered to this port itself without reaching the
	 * wire.
	 */
	uint8_t fl;
	/* Source path bits, the low bits of the source LID, on InfiniBand. Zero on RoCE. */
	uint8_t mlid;
	/*
	 * LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which spreads flows over
	 * equal-cost paths.
	 */
	uint16_t rlid;
	/* Ethernet address of the next hop on RoCE. Zero on InfiniBand. */
	uint8_t rmac[6];
	/*
	 * Traffic class of the global route header, or the IPv4 type of service or IPv6 traffic
	 * class on RoCE v2.
	 */
	uint8_t tclass;
	/* Hop limit of the global route header, or the IP time to live on RoCE v2. */
	uint8_t hop_limit;
	/*
	 * Set when a global route header is present on InfiniBand. Must be zero on RoCE, whose
	 * packets always have one.
	 */
	uint8_t grh;
	/* Index of the source GID, and so of the source address, in the GID table of the port. */
	uint8_t sgid_index;
	/* Flow label of the global route header or of the IPv6 header. */
	uint32_t flow_label;
	/* GID of the peer, or its IPv6 address, or its IPv4 address mapped into IPv6. */
	uint8_t rgid[16];
};

static_assert(sizeof(struct segue_ah) == SEGUE_SEG_AV_DC_SIZE,
	      "a prepared copy holds the whole segment");

/** segue_seg_av_dc_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_av_dc_pack(void *dst, const struct segue_seg_av_dc *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->dqp_dct <= SEGUE_SEG_AV_DC_DQP_DCT_MAX);
	SEGUE_DCHECK(v->reverse_sl <= SEGUE_SEG_AV_DC_REVERSE_SL_MAX);
	SEGUE_DCHECK(v->stat_rate <= SEGUE_SEG_AV_DC_STAT_RATE_MAX);
	SEGUE_DCHECK(v->sl <= SEGUE_SEG_AV_DC_SL_MAX);
	SEGUE_DCHECK(v->fl <= SEGUE_SEG_AV_DC_FL_MAX);
	SEGUE_DCHECK(v->mlid <= SEGUE_SEG_AV_DC_MLID_MAX);
	SEGUE_DCHECK(v->grh <= SEGUE_SEG_AV_DC_GRH_MAX);
	SEGUE_DCHECK(v->flow_label <= SEGUE_SEG_AV_DC_FLOW_LABEL_MAX);
	segue_put_be64(p + 0, v->dc_key);
	/* [23:0] dqp_dct, [27:24] reverse_sl, [31] ext = 1 */
	segue_put_be32(p + 8, 0x80000000u | (uint32_t)v->reverse_sl << 24 | v->dqp_dct);
	/* [31:28] stat_rate, [27:24] sl, [23] fl, [22:16] mlid, [15:0] rlid */
	segue_put_be32(p + 12, (uint32_t)v->stat_rate << 28 | (uint32_t)v->sl << 24 |
				       (uint32_t)v->fl << 23 | (uint32_t)v->mlid << 16 | v->rlid);
	/* reserved */
	segue_put_be32(p + 16, 0);
	memcpy(p + 20, v->rmac, 6);
	/* [15:8] tclass, [7:0] hop_limit */
	segue_put_be16(p + 26, (uint16_t)(v->tclass << 8 | v->hop_limit));
	/* [30] grh, [27:20] sgid_index, [19:0] flow_label */
	segue_put_be32(p + 28,
		       (uint32_t)v->grh << 30 | (uint32_t)v->sgid_index << 20 | v->flow_label);
	memcpy(p + 32, v->rgid, 16);
}

/**
 * segue_seg_av_dc_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_av_dc_unpack(struct segue_seg_av_dc *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);
	const uint16_t w26 = segue_get_be16(p + 26);
	const uint32_t w28 = segue_get_be32(p + 28);

	v->dc_key = w0;
	v->dqp_dct = w8 & 0xffffffu;
	v->reverse_sl = (uint8_t)((w8 >> 24) & 0xfu);
	v->stat_rate = (uint8_t)(w12 >> 28);
	v->sl = (uint8_t)((w12 >> 24) & 0xfu);
	v->fl = (uint8_t)((w12 >> 23) & 0x1u);
	v->mlid = (uint8_t)((w12 >> 16) & 0x7fu);
	v->rlid = (uint16_t)w12;
	memcpy(v->rmac, p + 20, 6);
	v->tclass = (uint8_t)(w26 >> 8);
	v->hop_limit = (uint8_t)w26;
	v->grh = (uint8_t)((w28 >> 30) & 0x1u);
	v->sgid_index = (uint8_t)(w28 >> 20);
	v->flow_label = w28 & 0xfffffu;
	memcpy(v->rgid, p + 32, 16);
	return (w8 & 0xf0000000u) == 0x80000000u && segue_get_be32(p + 16) == 0 &&
	       (w28 & 0xb0000000u) == 0;
}

/**
 * segue_seg_av_dc_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_av_dc_check(const struct segue_seg_av_dc *v, const char **field)
{
	if (v->dqp_dct > SEGUE_SEG_AV_DC_DQP_DCT_MAX) {
		*field = "dqp_dct";
		return -ERANGE;
	}
	if (v->reverse_sl > SEGUE_SEG_AV_DC_REVERSE_SL_MAX) {
		*field = "reverse_sl";
		return -ERANGE;
	}
	if (v->stat_rate > SEGUE_SEG_AV_DC_STAT_RATE_MAX) {
		*field = "stat_rate";
		return -ERANGE;
	}
	if (v->sl > SEGUE_SEG_AV_DC_SL_MAX) {
		*field = "sl";
		return -ERANGE;
	}
	if (v->fl > SEGUE_SEG_AV_DC_FL_MAX) {
		*field = "fl";
		return -ERANGE;
	}
	if (v->mlid > SEGUE_SEG_AV_DC_MLID_MAX) {
		*field = "mlid";
		return -ERANGE;
	}
	if (v->grh > SEGUE_SEG_AV_DC_GRH_MAX) {
		*field = "grh";
		return -ERANGE;
	}
	if (v->flow_label > SEGUE_SEG_AV_DC_FLOW_LABEL_MAX) {
		*field = "flow_label";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_av_dc_prepare() packs the parts that stay the same; dqp_dct and dc_key are given with
 * each request.
 */
static inline void segue_seg_av_dc_prepare(struct segue_ah *dst, const struct segue_seg_av_dc *v)
{
	struct segue_seg_av_dc kept = *v;

	kept.dqp_dct = 0;
	kept.dc_key = 0;
	segue_seg_av_dc_pack(dst->bytes, &kept);
}

/** segue_seg_av_dc_pack_prepared() writes the segment from its prepared copy and the rest. */
static inline void segue_seg_av_dc_pack_prepared(void *dst, const struct segue_ah *src,
						 uint32_t dqp_dct, uint64_t dc_key)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(dqp_dct <= SEGUE_SEG_AV_DC_DQP_DCT_MAX);
	memcpy(p, src->bytes, sizeof(src->bytes));
	segue_put_be64(p + 0, dc_key);
	segue_or_be32(p + 8, src->bytes + 8, dqp_dct);
}

#define SEGUE_SEG_AV_DC_COMPACT_SIZE	       16u /* bytes */
#define SEGUE_SEG_AV_DC_COMPACT_DS	       1u  /* units of 16 bytes */
#define SEGUE_SEG_AV_DC_COMPACT_DQP_DCT_MAX    0xffffffu
#define SEGUE_SEG_AV_DC_COMPACT_REVERSE_SL_MAX 0xfu
#define SEGUE_SEG_AV_DC_COMPACT_STAT_RATE_MAX  0xfu
#define SEGUE_SEG_AV_DC_COMPACT_SL_MAX	       0xfu
#define SEGUE_SEG_AV_DC_COMPACT_FL_MAX	       1u
#define SEGUE_SEG_AV_DC_COMPACT_MLID_MAX       0x7fu

/**
 * Short address vector of a DC initiator, 16 bytes: the first third of the full one with its
 * extension bit clear. Enough inside one InfiniBand subnet, where no global route header is needed;
 * not for RoCE.
 * Source: UCX src/uct/ib/mlx5/dc/dc_mlx5_ep.c, uct_dc_mlx5_set_dgram_seg
 * Known from secondary sources only.
 */
struct segue_seg_av_dc_compact {
	/* Access key of the peer's DC target. A request with another key is refused. */
	uint64_t dc_key;
	/* Number of the peer's DC target. */
	uint32_t dqp_dct;
	/*
	 * Service level for the packets that the peer sends back, such as acknowledgements. Set by
	 * UCX; libmlx5 always writes 0.
	 */
	uint8_t reverse_sl;
	/*
	 * Static rate limit of this path as the device codes it; 0 means the full rate of the port.
	 */
	uint8_t stat_rate;
	/*
	 * Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, with bit 0 zero.
	 */
	uint8_t sl;
	/*
	 * Force loopback. Set, the packet is delivered to this port itself without reaching the
	 * wire.
	 */
	uint8_t fl;
	/* Source path bits, the low bits of the source LID, on InfiniBand. Zero on RoCE. */
	uint8_t mlid;
	/*
	 * LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which spreads flows over
	 * equal-cost paths.
	 */
	uint16_t rlid;
};

static_assert(sizeof(struct segue_ah_compact) == SEGUE_SEG_AV_DC_COMPACT_SIZE,
	      "a prepared copy holds the whole segment");

/** segue_seg_av_dc_compact_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_av_dc_compact_pack(void *dst, const struct segue_seg_av_dc_compact *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->dqp_dct <= SEGUE_SEG_AV_DC_COMPACT_DQP_DCT_MAX);
	SEGUE_DCHECK(v->reverse_sl <= SEGUE_SEG_AV_DC_COMPACT_REVERSE_SL_MAX);
	SEGUE_DCHECK(v->stat_rate <= SEGUE_SEG_AV_DC_COMPACT_STAT_RATE_MAX);
	SEGUE_DCHECK(v->sl <= SEGUE_SEG_AV_DC_COMPACT_SL_MAX);
	SEGUE_DCHECK(v->fl <= SEGUE_SEG_AV_DC_COMPACT_FL_MAX);
	SEGUE_DCHECK(v->mlid <= SEGUE_SEG_AV_DC_COMPACT_MLID_MAX);
	segue_put_be64(p + 0, v->dc_key);
	/* [23:0] dqp_dct, [27:24] reverse_sl, [31] ext = 0 */
	segue_put_be32(p + 8, (uint32_t)v->reverse_sl << 24 | v->dqp_dct);
	/* [31:28] stat_rate, [27:24] sl, [23] fl, [22:16] mlid, [15:0] rlid */
	segue_put_be32(p + 12, (uint32_t)v->stat_rate << 28 | (uint32_t)v->sl << 24 |
				       (uint32_t)v->fl << 23 | (uint32_t)v->mlid << 16 | v->rlid);
}

/**
 * segue_seg_av_dc_compact_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_av_dc_compact_unpack(struct segue_seg_av_dc_compact *v,
						  const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->dc_key = w0;
	v->dqp_dct = w8 & 0xffffffu;
	v->reverse_sl = (uint8_t)((w8 >> 24) & 0xfu);
	v->stat_rate = (uint8_t)(w12 >> 28);
	v->sl = (uint8_t)((w12 >> 24) & 0xfu);
	v->fl = (uint8_t)((w12 >> 23) & 0x1u);
	v->mlid = (uint8_t)((w12 >> 16) & 0x7fu);
	v->rlid = (uint16_t)w12;
	return (w8 & 0xf0000000u) == 0;
}

/**
 * segue_seg_av_dc_compact_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_av_dc_compact_check(const struct segue_seg_av_dc_compact *v,
						const char **field)
{
	if (v->dqp_dct > SEGUE_SEG_AV_DC_COMPACT_DQP_DCT_MAX) {
		*field = "dqp_dct";
		return -ERANGE;
	}
	if (v->reverse_sl > SEGUE_SEG_AV_DC_COMPACT_REVERSE_SL_MAX) {
		*field = "reverse_sl";
		return -ERANGE;
	}
	if (v->stat_rate > SEGUE_SEG_AV_DC_COMPACT_STAT_RATE_MAX) {
		*field = "stat_rate";
		return -ERANGE;
	}
	if (v->sl > SEGUE_SEG_AV_DC_COMPACT_SL_MAX) {
		*field = "sl";
		return -ERANGE;
	}
	if (v->fl > SEGUE_SEG_AV_DC_COMPACT_FL_MAX) {
		*field = "fl";
		return -ERANGE;
	}
	if (v->mlid > SEGUE_SEG_AV_DC_COMPACT_MLID_MAX) {
		*field = "mlid";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_av_dc_compact_prepare() packs the parts that stay the same; dqp_dct and dc_key are
 * given with each request.
 */
static inline void segue_seg_av_dc_compact_prepare(struct segue_ah_compact *dst,
						   const struct segue_seg_av_dc_compact *v)
{
	struct segue_seg_av_dc_compact kept = *v;

	kept.dqp_dct = 0;
	kept.dc_key = 0;
	segue_seg_av_dc_compact_pack(dst->bytes, &kept);
}

/**
 * segue_seg_av_dc_compact_pack_prepared() writes the segment from its prepared copy and the rest.
 */
static inline void segue_seg_av_dc_compact_pack_prepared(void *dst,
							 const struct segue_ah_compact *src,
							 uint32_t dqp_dct, uint64_t dc_key)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(dqp_dct <= SEGUE_SEG_AV_DC_COMPACT_DQP_DCT_MAX);
	memcpy(p, src->bytes, sizeof(src->bytes));
	segue_put_be64(p + 0, dc_key);
	segue_or_be32(p + 8, src->bytes + 8, dqp_dct);
}

#define SEGUE_SEG_AV_UD_SIZE	       48u /* bytes */
#define SEGUE_SEG_AV_UD_DS	       3u  /* units of 16 bytes */
#define SEGUE_SEG_AV_UD_DQP_DCT_MAX    0xffffffu
#define SEGUE_SEG_AV_UD_STAT_RATE_MAX  0xfu
#define SEGUE_SEG_AV_UD_SL_MAX	       0xfu
#define SEGUE_SEG_AV_UD_FL_MAX	       1u
#define SEGUE_SEG_AV_UD_MLID_MAX       0x7fu
#define SEGUE_SEG_AV_UD_GRH_MAX	       1u
#define SEGUE_SEG_AV_UD_FLOW_LABEL_MAX 0xfffffu

/**
 * Address vector of a UD send, 48 bytes. Holds the whole path to the peer, because a datagram queue
 * has no fixed peer; it is prepared once per peer (an address handle) and copied into each WQE with
 * the peer's number and key.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_av; providers/mlx5/verbs.c, mlx5_create_ah;
 * providers/mlx5/qp.c, set_datagram_seg; UCX src/uct/ib/mlx5/ib_mlx5.inl, uct_ib_mlx5_set_dgram_seg
 * (leaves dwords 1 and 4 as they were in the ring)
 */
struct segue_seg_av_ud {
	/* Queue key of the peer's UD queue pair; a datagram with another key is dropped there. */
	uint32_t qkey;
	/* Number of the peer's UD queue pair. */
	uint32_t dqp_dct;
	/*
	 * Static rate limit of this path as the device codes it; 0 means the full rate of the port.
	 */
	uint8_t stat_rate;
	/*
	 * Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, with bit 0 zero.
	 */
	uint8_t sl;
	/*
	 * Force loopback. Set, the packet is delivered to this port itself without reaching the
	 * wire.
	 */
	uint8_t fl;
	/* Source path bits, the low bits of the source LID, on InfiniBand. Zero on RoCE. */
	uint8_t mlid;
	/*
	 * LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which spreads flows over
	 * equal-cost paths.
	 */
	uint16_t rlid;
	/* Ethernet address of the next hop on RoCE. Zero on InfiniBand. */
	uint8_t rmac[6];
	/*
	 * Traffic class of the global route header, or the IPv4 type of service or IPv6 traffic
	 * class on RoCE v2.
	 */
	uint8_t tclass;
	/* Hop limit of the global route header, or the IP time to live on RoCE v2. */
	uint8_t hop_limit;
	/*
	 * Set when a global route header is present on InfiniBand. Must be zero on RoCE, whose
	 * packets always have one.
	 */
	uint8_t grh;
	/* Index of the source GID, and so of the source address, in the GID table of the port. */
	uint8_t sgid_index;
	/* Flow label of the global route header or of the IPv6 header. */
	uint32_t flow_label;
	/* GID of the peer, or its IPv6 address, or its IPv4 address mapped into IPv6. */
	uint8_t rgid[16];
};

static_assert(sizeof(struct segue_ah) == SEGUE_SEG_AV_UD_SIZE,
	      "a prepared copy holds the whole segment");

/** segue_seg_av_ud_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_av_ud_pack(void *dst, const struct segue_seg_av_ud *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->dqp_dct <= SEGUE_SEG_AV_UD_DQP_DCT_MAX);
	SEGUE_DCHECK(v->stat_rate <= SEGUE_SEG_AV_UD_STAT_RATE_MAX);
	SEGUE_DCHECK(v->sl <= SEGUE_SEG_AV_UD_SL_MAX);
	SEGUE_DCHECK(v->fl <= SEGUE_SEG_AV_UD_FL_MAX);
	SEGUE_DCHECK(v->mlid <= SEGUE_SEG_AV_UD_MLID_MAX);
	SEGUE_DCHECK(v->grh <= SEGUE_SEG_AV_UD_GRH_MAX);
	SEGUE_DCHECK(v->flow_label <= SEGUE_SEG_AV_UD_FLOW_LABEL_MAX);
	segue_put_be32(p + 0, v->qkey);
	/* reserved */
	segue_put_be32(p + 4, 0);
	/* [23:0] dqp_dct, [31] ext = 1 */
	segue_put_be32(p + 8, 0x80000000u | v->dqp_dct);
	/* [31:28] stat_rate, [27:24] sl, [23] fl, [22:16] mlid, [15:0] rlid */
	segue_put_be32(p + 12, (uint32_t)v->stat_rate << 28 | (uint32_t)v->sl << 24 |
				       (uint32_t)v->fl << 23 | (uint32_t)v->mlid << 16 | v->rlid);
	/* reserved */
	segue_put_be32(p + 16, 0);
	memcpy(p + 20, v->rmac, 6);
	/* [15:8] tclass, [7:0] hop_limit */
	segue_put_be16(p + 26, (uint16_t)(v->tclass << 8 | v->hop_limit));
	/* [30] grh, [27:20] sgid_index, [19:0] flow_label */
	segue_put_be32(p + 28,
		       (uint32_t)v->grh << 30 | (uint32_t)v->sgid_index << 20 | v->flow_label);
	memcpy(p + 32, v->rgid, 16);
}

/**
 * segue_seg_av_ud_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_av_ud_unpack(struct segue_seg_av_ud *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);
	const uint16_t w26 = segue_get_be16(p + 26);
	const uint32_t w28 = segue_get_be32(p + 28);

	v->qkey = w0;
	v->dqp_dct = w8 & 0xffffffu;
	v->stat_rate = (uint8_t)(w12 >> 28);
	v->sl = (uint8_t)((w12 >> 24) & 0xfu);
	v->fl = (uint8_t)((w12 >> 23) & 0x1u);
	v->mlid = (uint8_t)((w12 >> 16) & 0x7fu);
	v->rlid = (uint16_t)w12;
	memcpy(v->rmac, p + 20, 6);
	v->tclass = (uint8_t)(w26 >> 8);
	v->hop_limit = (uint8_t)w26;
	v->grh = (uint8_t)((w28 >> 30) & 0x1u);
	v->sgid_index = (uint8_t)(w28 >> 20);
	v->flow_label = w28 & 0xfffffu;
	memcpy(v->rgid, p + 32, 16);
	return segue_get_be32(p + 4) == 0 && (w8 & 0xff000000u) == 0x80000000u &&
	       segue_get_be32(p + 16) == 0 && (w28 & 0xb0000000u) == 0;
}

/**
 * segue_seg_av_ud_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_av_ud_check(const struct segue_seg_av_ud *v, const char **field)
{
	if (v->dqp_dct > SEGUE_SEG_AV_UD_DQP_DCT_MAX) {
		*field = "dqp_dct";
		return -ERANGE;
	}
	if (v->stat_rate > SEGUE_SEG_AV_UD_STAT_RATE_MAX) {
		*field = "stat_rate";
		return -ERANGE;
	}
	if (v->sl > SEGUE_SEG_AV_UD_SL_MAX) {
		*field = "sl";
		return -ERANGE;
	}
	if (v->fl > SEGUE_SEG_AV_UD_FL_MAX) {
		*field = "fl";
		return -ERANGE;
	}
	if (v->mlid > SEGUE_SEG_AV_UD_MLID_MAX) {
		*field = "mlid";
		return -ERANGE;
	}
	if (v->grh > SEGUE_SEG_AV_UD_GRH_MAX) {
		*field = "grh";
		return -ERANGE;
	}
	if (v->flow_label > SEGUE_SEG_AV_UD_FLOW_LABEL_MAX) {
		*field = "flow_label";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_av_ud_prepare() packs the parts that stay the same; dqp_dct and qkey are given with
 * each request.
 */
static inline void segue_seg_av_ud_prepare(struct segue_ah *dst, const struct segue_seg_av_ud *v)
{
	struct segue_seg_av_ud kept = *v;

	kept.dqp_dct = 0;
	kept.qkey = 0;
	segue_seg_av_ud_pack(dst->bytes, &kept);
}

/** segue_seg_av_ud_pack_prepared() writes the segment from its prepared copy and the rest. */
static inline void segue_seg_av_ud_pack_prepared(void *dst, const struct segue_ah *src,
						 uint32_t dqp_dct, uint32_t qkey)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(dqp_dct <= SEGUE_SEG_AV_UD_DQP_DCT_MAX);
	memcpy(p, src->bytes, sizeof(src->bytes));
	segue_put_be32(p + 0, qkey);
	segue_put_be32(p + 8, 0x80000000u | dqp_dct);
}

#define SEGUE_SEG_AV_UD_COMPACT_SIZE	      16u /* bytes */
#define SEGUE_SEG_AV_UD_COMPACT_DS	      1u  /* units of 16 bytes */
#define SEGUE_SEG_AV_UD_COMPACT_DQP_DCT_MAX   0xffffffu
#define SEGUE_SEG_AV_UD_COMPACT_STAT_RATE_MAX 0xfu
#define SEGUE_SEG_AV_UD_COMPACT_SL_MAX	      0xfu
#define SEGUE_SEG_AV_UD_COMPACT_FL_MAX	      1u
#define SEGUE_SEG_AV_UD_COMPACT_MLID_MAX      0x7fu

/**
 * Short address vector of a UD send, 16 bytes: the first third of the full one with its extension
 * bit clear. Enough inside one InfiniBand subnet, where no global route header is needed; not for
 * RoCE.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, UCT_IB_MLX5_AV_BASE_SIZE; ib_mlx5.inl,
 * uct_ib_mlx5_set_ud_av
 * Known from secondary sources only.
 */
struct segue_seg_av_ud_compact {
	/* Queue key of the peer's UD queue pair; a datagram with another key is dropped there. */
	uint32_t qkey;
	/* Number of the peer's UD queue pair. */
	uint32_t dqp_dct;
	/*
	 * Static rate limit of this path as the device codes it; 0 means the full rate of the port.
	 */
	uint8_t stat_rate;
	/*
	 * Service level on InfiniBand. On RoCE the Ethernet priority in bits 3:1, with bit 0 zero.
	 */
	uint8_t sl;
	/*
	 * Force loopback. Set, the packet is delivered to this port itself without reaching the
	 * wire.
	 */
	uint8_t fl;
	/* Source path bits, the low bits of the source LID, on InfiniBand. Zero on RoCE. */
	uint8_t mlid;
	/*
	 * LID of the peer on InfiniBand. On RoCE v2 the UDP source port, which spreads flows over
	 * equal-cost paths.
	 */
	uint16_t rlid;
};

static_assert(sizeof(struct segue_ah_compact) == SEGUE_SEG_AV_UD_COMPACT_SIZE,
	      "a prepared copy holds the whole segment");

/** segue_seg_av_ud_compact_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_av_ud_compact_pack(void *dst, const struct segue_seg_av_ud_compact *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->dqp_dct <= SEGUE_SEG_AV_UD_COMPACT_DQP_DCT_MAX);
	SEGUE_DCHECK(v->stat_rate <= SEGUE_SEG_AV_UD_COMPACT_STAT_RATE_MAX);
	SEGUE_DCHECK(v->sl <= SEGUE_SEG_AV_UD_COMPACT_SL_MAX);
	SEGUE_DCHECK(v->fl <= SEGUE_SEG_AV_UD_COMPACT_FL_MAX);
	SEGUE_DCHECK(v->mlid <= SEGUE_SEG_AV_UD_COMPACT_MLID_MAX);
	segue_put_be32(p + 0, v->qkey);
	/* reserved */
	segue_put_be32(p + 4, 0);
	/* [23:0] dqp_dct, [31] ext = 0 */
	segue_put_be32(p + 8, v->dqp_dct);
	/* [31:28] stat_rate, [27:24] sl, [23] fl, [22:16] mlid, [15:0] rlid */
	segue_put_be32(p + 12, (uint32_t)v->stat_rate << 28 | (uint32_t)v->sl << 24 |
				       (uint32_t)v->fl << 23 | (uint32_t)v->mlid << 16 | v->rlid);
}

/**
 * segue_seg_av_ud_compact_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_av_ud_compact_unpack(struct segue_seg_av_ud_compact *v,
						  const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->qkey = w0;
	v->dqp_dct = w8 & 0xffffffu;
	v->stat_rate = (uint8_t)(w12 >> 28);
	v->sl = (uint8_t)((w12 >> 24) & 0xfu);
	v->fl = (uint8_t)((w12 >> 23) & 0x1u);
	v->mlid = (uint8_t)((w12 >> 16) & 0x7fu);
	v->rlid = (uint16_t)w12;
	return segue_get_be32(p + 4) == 0 && (w8 & 0xff000000u) == 0;
}

/**
 * segue_seg_av_ud_compact_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_av_ud_compact_check(const struct segue_seg_av_ud_compact *v,
						const char **field)
{
	if (v->dqp_dct > SEGUE_SEG_AV_UD_COMPACT_DQP_DCT_MAX) {
		*field = "dqp_dct";
		return -ERANGE;
	}
	if (v->stat_rate > SEGUE_SEG_AV_UD_COMPACT_STAT_RATE_MAX) {
		*field = "stat_rate";
		return -ERANGE;
	}
	if (v->sl > SEGUE_SEG_AV_UD_COMPACT_SL_MAX) {
		*field = "sl";
		return -ERANGE;
	}
	if (v->fl > SEGUE_SEG_AV_UD_COMPACT_FL_MAX) {
		*field = "fl";
		return -ERANGE;
	}
	if (v->mlid > SEGUE_SEG_AV_UD_COMPACT_MLID_MAX) {
		*field = "mlid";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_av_ud_compact_prepare() packs the parts that stay the same; dqp_dct and qkey are given
 * with each request.
 */
static inline void segue_seg_av_ud_compact_prepare(struct segue_ah_compact *dst,
						   const struct segue_seg_av_ud_compact *v)
{
	struct segue_seg_av_ud_compact kept = *v;

	kept.dqp_dct = 0;
	kept.qkey = 0;
	segue_seg_av_ud_compact_pack(dst->bytes, &kept);
}

/**
 * segue_seg_av_ud_compact_pack_prepared() writes the segment from its prepared copy and the rest.
 */
static inline void segue_seg_av_ud_compact_pack_prepared(void *dst,
							 const struct segue_ah_compact *src,
							 uint32_t dqp_dct, uint32_t qkey)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(dqp_dct <= SEGUE_SEG_AV_UD_COMPACT_DQP_DCT_MAX);
	memcpy(p, src->bytes, sizeof(src->bytes));
	segue_put_be32(p + 0, qkey);
	segue_put_be32(p + 8, dqp_dct);
}

#define SEGUE_SEG_BIND_KLM_SIZE		  64u /* bytes */
#define SEGUE_SEG_BIND_KLM_DS		  4u  /* units of 16 bytes */
#define SEGUE_SEG_BIND_KLM_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_BIND_KLM_BYTE_COUNT_MAX 0x80000000u

/**
 * The one list entry of a memory window's binding, padded with zeros to 64 bytes: the piece of a
 * memory region that the window opens.
 * Source: providers/mlx5/qp.c, set_umr_data_seg; infiniband/mlx5dv.h, struct mlx5_wqe_umr_klm_seg
 */
struct segue_seg_bind_klm {
	uint32_t byte_count; /* Length of the piece. Unit: bytes. */
	uint32_t mkey;	     /* Local key of the memory region. */
	uint64_t address;    /* First byte, as the memory region counts addresses. */
};

/** segue_seg_bind_klm_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_bind_klm_pack(void *dst, const struct segue_seg_bind_klm *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->byte_count >= SEGUE_SEG_BIND_KLM_BYTE_COUNT_MIN);
	SEGUE_DCHECK(v->byte_count <= SEGUE_SEG_BIND_KLM_BYTE_COUNT_MAX);
	segue_put_be32(p + 0, v->byte_count);
	segue_put_be32(p + 4, v->mkey);
	segue_put_be64(p + 8, v->address);
	/* reserved */
	memset(p + 16, 0, 48);
}

/**
 * segue_seg_bind_klm_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_bind_klm_unpack(struct segue_seg_bind_klm *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->byte_count = w0;
	v->mkey = w4;
	v->address = w8;
	return segue_is_zero(p + 16, 48);
}

/**
 * segue_seg_bind_klm_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_bind_klm_check(const struct segue_seg_bind_klm *v, const char **field)
{
	if (v->byte_count < SEGUE_SEG_BIND_KLM_BYTE_COUNT_MIN ||
	    v->byte_count > SEGUE_SEG_BIND_KLM_BYTE_COUNT_MAX) {
		*field = "byte_count";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_BSF_SIZE	   64u /* bytes */
#define SEGUE_SEG_BSF_DS	   4u  /* units of 16 bytes */
#define SEGUE_SEG_BSF_BSF_SIZE_MAX 3u
#define SEGUE_SEG_BSF_SBS_MAX	   1u
#define SEGUE_SEG_BSF_W_PSV_MAX	   0xffffffu
#define SEGUE_SEG_BSF_M_PSV_MAX	   0xffffffu

/**
 * Byte stream format of a signature key. Says how data are cut into blocks, and which signature
 * each block has in memory and on the wire, so that the device checks, strips, inserts or copies
 * signatures on the way.
 * Source: providers/mlx5/wqe.h, struct mlx5_bsf; providers/mlx5/qp.c, mlx5_umr_fill_sig_bsf
 */
struct segue_seg_bsf {
	/* Size of the BSF, or of both when a crypto BSF follows. One of enum segue_bsf_size. */
	uint8_t bsf_size;
	/*
	 * Same block structure. Blocks have the same size and signature in memory and on the wire,
	 * so the device may copy signature bytes instead of computing them anew.
	 */
	uint8_t sbs;
	/*
	 * Which bytes of each block's signature the device checks; a deviation is reported by a
	 * sig_err_cqe. Any of enum segue_sig_mask.
	 */
	uint8_t check_byte_mask;
	/*
	 * With sbs the signature bytes that are copied (sig_mask), else the block size on the wire
	 * (bsf_block_size).
	 */
	uint8_t w_bs_or_copy_mask;
	/*
	 * Size of the blocks in memory, each of which has a signature of its own behind it. One of
	 * enum segue_bsf_block_size.
	 */
	uint8_t m_bs_selector;
	/* Length of the data without signatures; all ones for any. Unit: bytes. */
	uint32_t raw_data_size;
	/* Checksum of a block on the wire. Any of enum segue_bsf_bfs. */
	uint8_t w_bfs;
	/* Number of the protection signature value that keeps the state of the wire. */
	uint32_t w_psv;
	/* Checksum of a block in memory. Any of enum segue_bsf_bfs. */
	uint8_t m_bfs;
	/* Number of the protection signature value that keeps the state of memory. */
	uint32_t m_psv;
	/*
	 * Transaction signature: initial value, generator and prologue size. No public driver uses
	 * it; leave 0.
	 */
	uint32_t t_init_gen_pro_size;
	/* Transaction signature: epilogue size. No public driver uses it; leave 0. */
	uint32_t rsvd_epi_size;
	/* Transaction signature on the wire. No public driver uses it; leave 0. */
	uint32_t w_tfs_psv;
	/* Transaction signature in memory. No public driver uses it; leave 0. */
	uint32_t m_tfs_psv;
	/* T10-DIF fields on the wire. Holds struct segue_seg_bsf_inl, packed. */
	uint8_t w_inl[16];
	/* T10-DIF fields in memory. Holds struct segue_seg_bsf_inl, packed. */
	uint8_t m_inl[16];
};

/** segue_seg_bsf_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_bsf_pack(void *dst, const struct segue_seg_bsf *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->bsf_size <= SEGUE_SEG_BSF_BSF_SIZE_MAX);
	SEGUE_DCHECK(v->sbs <= SEGUE_SEG_BSF_SBS_MAX);
	SEGUE_DCHECK(v->w_psv <= SEGUE_SEG_BSF_W_PSV_MAX);
	SEGUE_DCHECK(v->m_psv <= SEGUE_SEG_BSF_M_PSV_MAX);
	/*
	 * [31:30] bsf_size, [28] sbs, [25:24] bsf_type = 0, [23:16] check_byte_mask, [15:8]
	 * w_bs_or_copy_mask, [7:0] m_bs_selector
	 */
	segue_put_be32(p + 0, (uint32_t)v->bsf_size << 30 | (uint32_t)v->sbs << 28 |
				      (uint32_t)v->check_byte_mask << 16 |
				      (uint32_t)v->w_bs_or_copy_mask << 8 | v->m_bs_selector);
	segue_put_be32(p + 4, v->raw_data_size);
	/* [31:24] w_bfs, [23:0] w_psv */
	segue_put_be32(p + 8, (uint32_t)v->w_bfs << 24 | v->w_psv);
	/* [31:24] m_bfs, [23:0] m_psv */
	segue_put_be32(p + 12, (uint32_t)v->m_bfs << 24 | v->m_psv);
	segue_put_be32(p + 16, v->t_init_gen_pro_size);
	segue_put_be32(p + 20, v->rsvd_epi_size);
	segue_put_be32(p + 24, v->w_tfs_psv);
	segue_put_be32(p + 28, v->m_tfs_psv);
	memcpy(p + 32, v->w_inl, 16);
	memcpy(p + 48, v->m_inl, 16);
}

/**
 * segue_seg_bsf_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_bsf_unpack(struct segue_seg_bsf *v, const void *src)
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

	v->bsf_size = (uint8_t)(w0 >> 30);
	v->sbs = (uint8_t)((w0 >> 28) & 0x1u);
	v->check_byte_mask = (uint8_t)(w0 >> 16);
	v->w_bs_or_copy_mask = (uint8_t)(w0 >> 8);
	v->m_bs_selector = (uint8_t)w0;
	v->raw_data_size = w4;
	v->w_bfs = (uint8_t)(w8 >> 24);
	v->w_psv = w8 & 0xffffffu;
	v->m_bfs = (uint8_t)(w12 >> 24);
	v->m_psv = w12 & 0xffffffu;
	v->t_init_gen_pro_size = w16;
	v->rsvd_epi_size = w20;
	v->w_tfs_psv = w24;
	v->m_tfs_psv = w28;
	memcpy(v->w_inl, p + 32, 16);
	memcpy(v->m_inl, p + 48, 16);
	return (w0 & 0x2f000000u) == 0;
}

/**
 * segue_seg_bsf_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_bsf_check(const struct segue_seg_bsf *v, const char **field)
{
	if (v->bsf_size > SEGUE_SEG_BSF_BSF_SIZE_MAX) {
		*field = "bsf_size";
		return -ERANGE;
	}
	if (v->sbs > SEGUE_SEG_BSF_SBS_MAX) {
		*field = "sbs";
		return -ERANGE;
	}
	if (v->w_psv > SEGUE_SEG_BSF_W_PSV_MAX) {
		*field = "w_psv";
		return -ERANGE;
	}
	if (v->m_psv > SEGUE_SEG_BSF_M_PSV_MAX) {
		*field = "m_psv";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_BSF_INL_SIZE 16u /* bytes */
#define SEGUE_SEG_BSF_INL_DS   1u  /* units of 16 bytes */

/**
 * Inline part of a signature BSF. Describes the T10-DIF fields (guard, application tag, reference
 * tag) of one domain, wire or memory.
 * Source: providers/mlx5/wqe.h, struct mlx5_bsf_inl; providers/mlx5/qp.c,
 * mlx5_umr_fill_inl_bsf_t10dif
 */
struct segue_seg_bsf_inl {
	/* Whether the part is in use. Any of enum segue_bsf_inl_valid. */
	uint16_t vld_refresh;
	/* Application tag of each block. */
	uint16_t dif_apptag;
	/* Reference tag of the first block. */
	uint32_t dif_reftag;
	/* How the guard is computed. One of enum segue_t10dif. */
	uint8_t sig_type;
	/* Repetition and seed of the guard. Any of enum segue_bsf_rp_inv_seed. */
	uint8_t rp_inv_seed;
	/* Increment of the reference tag, and escapes. Any of enum segue_bsf_dif_flag. */
	uint8_t dif_inc_ref_guard_check;
	/* Bits of the application tag that are checked; libmlx5 writes 0xffff. */
	uint16_t dif_app_bitmask_check;
};

/** segue_seg_bsf_inl_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_bsf_inl_pack(void *dst, const struct segue_seg_bsf_inl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:16] vld_refresh, [15:0] dif_apptag */
	segue_put_be32(p + 0, (uint32_t)v->vld_refresh << 16 | v->dif_apptag);
	segue_put_be32(p + 4, v->dif_reftag);
	/* [31:24] sig_type, [23:16] rp_inv_seed */
	segue_put_be32(p + 8, (uint32_t)v->sig_type << 24 | (uint32_t)v->rp_inv_seed << 16);
	/* [23:16] dif_inc_ref_guard_check, [15:0] dif_app_bitmask_check */
	segue_put_be32(p + 12,
		       (uint32_t)v->dif_inc_ref_guard_check << 16 | v->dif_app_bitmask_check);
}

/**
 * segue_seg_bsf_inl_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_bsf_inl_unpack(struct segue_seg_bsf_inl *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->vld_refresh = (uint16_t)(w0 >> 16);
	v->dif_apptag = (uint16_t)w0;
	v->dif_reftag = w4;
	v->sig_type = (uint8_t)(w8 >> 24);
	v->rp_inv_seed = (uint8_t)(w8 >> 16);
	v->dif_inc_ref_guard_check = (uint8_t)(w12 >> 16);
	v->dif_app_bitmask_check = (uint16_t)w12;
	return (w8 & 0xffffu) == 0 && (w12 & 0xff000000u) == 0;
}

/**
 * segue_seg_bsf_inl_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_bsf_inl_check(const struct segue_seg_bsf_inl *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_CHECK_PSV_SIZE 48u /* bytes */
#define SEGUE_SEG_CHECK_PSV_DS	 3u  /* units of 16 bytes */

/**
 * CHECK_PSV segment. Checks up to four protection signature values and turns deviations into
 * errors. Declared, but posted neither by libmlx5 nor by the kernel.
 * Source: providers/mlx5/wqe.h, struct mlx5_seg_check_psv
 */
struct segue_seg_check_psv {
	/* How several errors are combined. No public source explains the values. */
	uint16_t err_coalescing_op;
	/* What happens to the queue pair on an error. No public source explains the values. */
	uint16_t xport_err_op;
	/* Which errors affect the queue pair. No public source explains the bits. */
	uint16_t xport_err_mask;
	/* How many of the four psv_index fields count, from the first on. */
	uint8_t num_psv;
	/* Local key of that memory. */
	uint32_t l_key;
	/* Address of the memory in which the device keeps the checked values. */
	uint64_t va;
	/* Number of protection signature value one. */
	uint32_t psv_index_0;
	/* Number of protection signature value two. */
	uint32_t psv_index_1;
	/* Number of protection signature value three. */
	uint32_t psv_index_2;
	/* Number of protection signature value four. */
	uint32_t psv_index_3;
};

/** segue_seg_check_psv_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_check_psv_pack(void *dst, const struct segue_seg_check_psv *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [15:0] err_coalescing_op */
	segue_put_be32(p + 0, v->err_coalescing_op);
	/* [15:0] xport_err_op */
	segue_put_be32(p + 4, v->xport_err_op);
	/* [15:0] xport_err_mask */
	segue_put_be32(p + 8, v->xport_err_mask);
	/* reserved */
	segue_put_be32(p + 12, 0);
	/* [7:0] num_psv */
	segue_put_be32(p + 16, v->num_psv);
	segue_put_be32(p + 20, v->l_key);
	segue_put_be64(p + 24, v->va);
	segue_put_be32(p + 32, v->psv_index_0);
	segue_put_be32(p + 36, v->psv_index_1);
	segue_put_be32(p + 40, v->psv_index_2);
	segue_put_be32(p + 44, v->psv_index_3);
}

/**
 * segue_seg_check_psv_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_check_psv_unpack(struct segue_seg_check_psv *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint64_t w24 = segue_get_be64(p + 24);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);

	v->err_coalescing_op = (uint16_t)w0;
	v->xport_err_op = (uint16_t)w4;
	v->xport_err_mask = (uint16_t)w8;
	v->num_psv = (uint8_t)w16;
	v->l_key = w20;
	v->va = w24;
	v->psv_index_0 = w32;
	v->psv_index_1 = w36;
	v->psv_index_2 = w40;
	v->psv_index_3 = w44;
	return (w0 & 0xffff0000u) == 0 && (w4 & 0xffff0000u) == 0 && (w8 & 0xffff0000u) == 0 &&
	       segue_get_be32(p + 12) == 0 && (w16 & 0xffffff00u) == 0;
}

/**
 * segue_seg_check_psv_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_check_psv_check(const struct segue_seg_check_psv *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_COMMAND_IN_SIZE	16u /* bytes */
#define SEGUE_SEG_COMMAND_IN_DS		1u  /* units of 16 bytes */
#define SEGUE_SEG_COMMAND_IN_NUMBER_MAX 0xffffffu

/**
 * Command to the device: what to do, and to which object. The shortest form, which all queries
 * have.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_query_hca_cap_in_bits; Linux
 * include/linux/mlx5/mlx5_ifc.h, struct mlx5_ifc_query_xrc_srq_in_bits
 */
struct segue_seg_command_in {
	uint16_t opcode; /* What to do. One of enum segue_command. */
	uint16_t op_mod; /* Variant of the command, of query_hca_cap_op_mod for QUERY_HCA_CAP. */
	uint32_t number; /* Number of the object; 0 where there is none. */
};

/** segue_seg_command_in_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_command_in_pack(void *dst, const struct segue_seg_command_in *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->number <= SEGUE_SEG_COMMAND_IN_NUMBER_MAX);
	/* [31:16] opcode */
	segue_put_be32(p + 0, (uint32_t)v->opcode << 16);
	/* [15:0] op_mod */
	segue_put_be32(p + 4, v->op_mod);
	/* [23:0] number */
	segue_put_be32(p + 8, v->number);
	/* reserved */
	segue_put_be32(p + 12, 0);
}

/**
 * segue_seg_command_in_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_command_in_unpack(struct segue_seg_command_in *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->opcode = (uint16_t)(w0 >> 16);
	v->op_mod = (uint16_t)w4;
	v->number = w8 & 0xffffffu;
	return (w0 & 0xffffu) == 0 && (w4 & 0xffff0000u) == 0 && (w8 & 0xff000000u) == 0 &&
	       segue_get_be32(p + 12) == 0;
}

/**
 * segue_seg_command_in_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_command_in_check(const struct segue_seg_command_in *v,
					     const char **field)
{
	if (v->number > SEGUE_SEG_COMMAND_IN_NUMBER_MAX) {
		*field = "number";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CQ_ARM_SIZE	    8u /* bytes */
#define SEGUE_SEG_CQ_ARM_ARM_SN_MAX 3u
#define SEGUE_SEG_CQ_ARM_CMD_MAX    1u
#define SEGUE_SEG_CQ_ARM_CI_MAX	    0xffffffu
#define SEGUE_SEG_CQ_ARM_CQN_MAX    0xffffffu

/**
 * Arming doorbell of a completion queue: 8 bytes written to the UAR at offset CQ_DOORBELL, whose
 * upper half is first stored in the ARM word of the doorbell record.
 * Source: providers/mlx5/cq.c, mlx5_arm_cq; Linux include/linux/mlx5/cq.h, mlx5_cq_arm;
 * infiniband/mlx5dv.h, MLX5_CQ_DB_REQ_NOT_SOL
 */
struct segue_seg_cq_arm {
	/*
	 * Sequence number modulo 4, one more after each event, by which the device tells a new
	 * request from a repeated one.
	 */
	uint8_t arm_sn;
	/* What to raise an event for. One of enum segue_cq_arm_cmd. */
	uint8_t cmd;
	/* Consumer counter up to which software has polled. */
	uint32_t ci;
	/* Number of the completion queue. */
	uint32_t cqn;
};

/** segue_seg_cq_arm_pack() writes all 8 bytes at dst, reserved bits as zero. */
static inline void segue_seg_cq_arm_pack(void *dst, const struct segue_seg_cq_arm *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->arm_sn <= SEGUE_SEG_CQ_ARM_ARM_SN_MAX);
	SEGUE_DCHECK(v->cmd <= SEGUE_SEG_CQ_ARM_CMD_MAX);
	SEGUE_DCHECK(v->ci <= SEGUE_SEG_CQ_ARM_CI_MAX);
	SEGUE_DCHECK(v->cqn <= SEGUE_SEG_CQ_ARM_CQN_MAX);
	/* [29:28] arm_sn, [24] cmd, [23:0] ci */
	segue_put_be32(p + 0, (uint32_t)v->arm_sn << 28 | (uint32_t)v->cmd << 24 | v->ci);
	/* [23:0] cqn */
	segue_put_be32(p + 4, v->cqn);
}

/**
 * segue_seg_cq_arm_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_cq_arm_unpack(struct segue_seg_cq_arm *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->arm_sn = (uint8_t)((w0 >> 28) & 0x3u);
	v->cmd = (uint8_t)((w0 >> 24) & 0x1u);
	v->ci = w0 & 0xffffffu;
	v->cqn = w4 & 0xffffffu;
	return (w0 & 0xce000000u) == 0 && (w4 & 0xff000000u) == 0;
}

/**
 * segue_seg_cq_arm_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_cq_arm_check(const struct segue_seg_cq_arm *v, const char **field)
{
	if (v->arm_sn > SEGUE_SEG_CQ_ARM_ARM_SN_MAX) {
		*field = "arm_sn";
		return -ERANGE;
	}
	if (v->cmd > SEGUE_SEG_CQ_ARM_CMD_MAX) {
		*field = "cmd";
		return -ERANGE;
	}
	if (v->ci > SEGUE_SEG_CQ_ARM_CI_MAX) {
		*field = "ci";
		return -ERANGE;
	}
	if (v->cqn > SEGUE_SEG_CQ_ARM_CQN_MAX) {
		*field = "cqn";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CREATE_DEK_IN_SIZE		272u /* bytes */
#define SEGUE_SEG_CREATE_DEK_IN_DS		17u  /* units of 16 bytes */
#define SEGUE_SEG_CREATE_DEK_IN_KEY_SIZE_MAX	0xfu
#define SEGUE_SEG_CREATE_DEK_IN_HAS_KEYTAG_MAX	1u
#define SEGUE_SEG_CREATE_DEK_IN_KEY_PURPOSE_MAX 0xfu
#define SEGUE_SEG_CREATE_DEK_IN_PD_MAX		0xffffffu

/**
 * Command CREATE_GENERAL_OBJECT for a data encryption key.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_create_encryption_key_obj_in_bits;
 * providers/mlx5/verbs.c, _mlx5dv_dek_create
 */
struct segue_seg_create_dek_in {
	/* Size of each half of the key. One of enum segue_dek_size. */
	uint8_t key_size;
	/* Keys with crypto settings must name the tag that follows the key. */
	uint8_t has_keytag;
	/* What the key is for. One of enum segue_dek_purpose. */
	uint8_t key_purpose;
	/* Number of the protection domain. */
	uint32_t pd;
	/* Whatever tells the user which key this is. */
	uint8_t opaque[8];
	/*
	 * Both halves, then the tag if there is one; wrapped as a whole on devices that import keys
	 * wrapped. Filled with zeros.
	 */
	uint8_t key[128];
};

/** segue_seg_create_dek_in_pack() writes all 272 bytes at dst, reserved bits as zero. */
static inline void segue_seg_create_dek_in_pack(void *dst, const struct segue_seg_create_dek_in *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->key_size <= SEGUE_SEG_CREATE_DEK_IN_KEY_SIZE_MAX);
	SEGUE_DCHECK(v->has_keytag <= SEGUE_SEG_CREATE_DEK_IN_HAS_KEYTAG_MAX);
	SEGUE_DCHECK(v->key_purpose <= SEGUE_SEG_CREATE_DEK_IN_KEY_PURPOSE_MAX);
	SEGUE_DCHECK(v->pd <= SEGUE_SEG_CREATE_DEK_IN_PD_MAX);
	/* [31:16] opcode = 2560 */
	segue_put_be32(p + 0, 0xa000000u);
	/* [15:0] obj_type = 12 */
	segue_put_be32(p + 4, 0xcu);
	/* reserved */
	memset(p + 8, 0, 16);
	/* [11:8] key_size, [7] has_keytag, [3:0] key_purpose */
	segue_put_be32(p + 24,
		       (uint32_t)v->key_size << 8 | (uint32_t)v->has_keytag << 7 | v->key_purpose);
	/* [23:0] pd */
	segue_put_be32(p + 28, v->pd);
	/* reserved */
	memset(p + 32, 0, 32);
	memcpy(p + 64, v->opaque, 8);
	/* reserved */
	segue_put_be64(p + 72, 0);
	memcpy(p + 80, v->key, 128);
	/* reserved */
	memset(p + 208, 0, 64);
}

/**
 * segue_seg_create_dek_in_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_create_dek_in_unpack(struct segue_seg_create_dek_in *v,
						  const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w24 = segue_get_be32(p + 24);
	const uint32_t w28 = segue_get_be32(p + 28);

	v->key_size = (uint8_t)((w24 >> 8) & 0xfu);
	v->has_keytag = (uint8_t)((w24 >> 7) & 0x1u);
	v->key_purpose = (uint8_t)(w24 & 0xfu);
	v->pd = w28 & 0xffffffu;
	memcpy(v->opaque, p + 64, 8);
	memcpy(v->key, p + 80, 128);
	return w0 == 0xa000000u && w4 == 0xcu && segue_is_zero(p + 8, 16) &&
	       (w24 & 0xfffff070u) == 0 && (w28 & 0xff000000u) == 0 && segue_is_zero(p + 32, 32) &&
	       segue_get_be64(p + 72) == 0 && segue_is_zero(p + 208, 64);
}

/**
 * segue_seg_create_dek_in_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_create_dek_in_check(const struct segue_seg_create_dek_in *v,
						const char **field)
{
	if (v->key_size > SEGUE_SEG_CREATE_DEK_IN_KEY_SIZE_MAX) {
		*field = "key_size";
		return -ERANGE;
	}
	if (v->has_keytag > SEGUE_SEG_CREATE_DEK_IN_HAS_KEYTAG_MAX) {
		*field = "has_keytag";
		return -ERANGE;
	}
	if (v->key_purpose > SEGUE_SEG_CREATE_DEK_IN_KEY_PURPOSE_MAX) {
		*field = "key_purpose";
		return -ERANGE;
	}
	if (v->pd > SEGUE_SEG_CREATE_DEK_IN_PD_MAX) {
		*field = "pd";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CREATE_OBJECT_OUT_SIZE 16u /* bytes */
#define SEGUE_SEG_CREATE_OBJECT_OUT_DS	 1u  /* units of 16 bytes */

/**
 * Answer to CREATE_GENERAL_OBJECT.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_general_obj_out_cmd_hdr_bits
 */
struct segue_seg_create_object_out {
	uint8_t status;	   /* 0 if the command was done. */
	uint32_t syndrome; /* Why it was not, for the vendor. */
	uint32_t obj_id;   /* Number of the object. */
};

/** segue_seg_create_object_out_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_create_object_out_pack(void *dst,
						    const struct segue_seg_create_object_out *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:24] status */
	segue_put_be32(p + 0, (uint32_t)v->status << 24);
	segue_put_be32(p + 4, v->syndrome);
	segue_put_be32(p + 8, v->obj_id);
	/* reserved */
	segue_put_be32(p + 12, 0);
}

/**
 * segue_seg_create_object_out_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_create_object_out_unpack(struct segue_seg_create_object_out *v,
						      const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->status = (uint8_t)(w0 >> 24);
	v->syndrome = w4;
	v->obj_id = w8;
	return (w0 & 0xffffffu) == 0 && segue_get_be32(p + 12) == 0;
}

/**
 * segue_seg_create_object_out_check() returns 0, or -ERANGE with *field naming the first field
 * whose value the segment cannot hold.
 */
static inline int segue_seg_create_object_out_check(const struct segue_seg_create_object_out *v,
						    const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_CREATE_PSV_IN_SIZE	    16u /* bytes */
#define SEGUE_SEG_CREATE_PSV_IN_DS	    1u	/* units of 16 bytes */
#define SEGUE_SEG_CREATE_PSV_IN_NUM_PSV_MAX 0xfu
#define SEGUE_SEG_CREATE_PSV_IN_PD_MAX	    0xffffffu

/**
 * Command CREATE_PSV, which makes protection signature values.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_create_psv_in_bits; providers/mlx5/mlx5.c,
 * mlx5_create_psv
 */
struct segue_seg_create_psv_in {
	uint16_t op_mod; /* Variant of the command; there is none. */
	uint8_t num_psv; /* How many. The kernel lets 1 through. */
	uint32_t pd;	 /* Number of the protection domain. */
};

/** segue_seg_create_psv_in_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_create_psv_in_pack(void *dst, const struct segue_seg_create_psv_in *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->num_psv <= SEGUE_SEG_CREATE_PSV_IN_NUM_PSV_MAX);
	SEGUE_DCHECK(v->pd <= SEGUE_SEG_CREATE_PSV_IN_PD_MAX);
	/* [31:16] opcode = 1536 */
	segue_put_be32(p + 0, 0x6000000u);
	/* [15:0] op_mod */
	segue_put_be32(p + 4, v->op_mod);
	/* [31:28] num_psv, [23:0] pd */
	segue_put_be32(p + 8, (uint32_t)v->num_psv << 28 | v->pd);
	/* reserved */
	segue_put_be32(p + 12, 0);
}

/**
 * segue_seg_create_psv_in_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_create_psv_in_unpack(struct segue_seg_create_psv_in *v,
						  const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->op_mod = (uint16_t)w4;
	v->num_psv = (uint8_t)(w8 >> 28);
	v->pd = w8 & 0xffffffu;
	return w0 == 0x6000000u && (w4 & 0xffff0000u) == 0 && (w8 & 0xf000000u) == 0 &&
	       segue_get_be32(p + 12) == 0;
}

/**
 * segue_seg_create_psv_in_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_create_psv_in_check(const struct segue_seg_create_psv_in *v,
						const char **field)
{
	if (v->num_psv > SEGUE_SEG_CREATE_PSV_IN_NUM_PSV_MAX) {
		*field = "num_psv";
		return -ERANGE;
	}
	if (v->pd > SEGUE_SEG_CREATE_PSV_IN_PD_MAX) {
		*field = "pd";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CREATE_PSV_OUT_SIZE		32u /* bytes */
#define SEGUE_SEG_CREATE_PSV_OUT_DS		2u  /* units of 16 bytes */
#define SEGUE_SEG_CREATE_PSV_OUT_PSV0_INDEX_MAX 0xffffffu
#define SEGUE_SEG_CREATE_PSV_OUT_PSV1_INDEX_MAX 0xffffffu
#define SEGUE_SEG_CREATE_PSV_OUT_PSV2_INDEX_MAX 0xffffffu
#define SEGUE_SEG_CREATE_PSV_OUT_PSV3_INDEX_MAX 0xffffffu

/**
 * Answer to CREATE_PSV.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_create_psv_out_bits
 */
struct segue_seg_create_psv_out {
	uint8_t status;	     /* 0 if the command was done. */
	uint32_t syndrome;   /* Why it was not, for the vendor. */
	uint32_t psv0_index; /* Number of the first protection signature value. */
	uint32_t psv1_index; /* Number of the second one. */
	uint32_t psv2_index; /* Number of the third one. */
	uint32_t psv3_index; /* Number of the fourth one. */
};

/** segue_seg_create_psv_out_pack() writes all 32 bytes at dst, reserved bits as zero. */
static inline void segue_seg_create_psv_out_pack(void *dst,
						 const struct segue_seg_create_psv_out *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->psv0_index <= SEGUE_SEG_CREATE_PSV_OUT_PSV0_INDEX_MAX);
	SEGUE_DCHECK(v->psv1_index <= SEGUE_SEG_CREATE_PSV_OUT_PSV1_INDEX_MAX);
	SEGUE_DCHECK(v->psv2_index <= SEGUE_SEG_CREATE_PSV_OUT_PSV2_INDEX_MAX);
	SEGUE_DCHECK(v->psv3_index <= SEGUE_SEG_CREATE_PSV_OUT_PSV3_INDEX_MAX);
	/* [31:24] status */
	segue_put_be32(p + 0, (uint32_t)v->status << 24);
	segue_put_be32(p + 4, v->syndrome);
	/* reserved */
	segue_put_be64(p + 8, 0);
	/* [23:0] psv0_index */
	segue_put_be32(p + 16, v->psv0_index);
	/* [23:0] psv1_index */
	segue_put_be32(p + 20, v->psv1_index);
	/* [23:0] psv2_index */
	segue_put_be32(p + 24, v->psv2_index);
	/* [23:0] psv3_index */
	segue_put_be32(p + 28, v->psv3_index);
}

/**
 * segue_seg_create_psv_out_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_create_psv_out_unpack(struct segue_seg_create_psv_out *v,
						   const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint32_t w24 = segue_get_be32(p + 24);
	const uint32_t w28 = segue_get_be32(p + 28);

	v->status = (uint8_t)(w0 >> 24);
	v->syndrome = w4;
	v->psv0_index = w16 & 0xffffffu;
	v->psv1_index = w20 & 0xffffffu;
	v->psv2_index = w24 & 0xffffffu;
	v->psv3_index = w28 & 0xffffffu;
	return (w0 & 0xffffffu) == 0 && segue_get_be64(p + 8) == 0 && (w16 & 0xff000000u) == 0 &&
	       (w20 & 0xff000000u) == 0 && (w24 & 0xff000000u) == 0 && (w28 & 0xff000000u) == 0;
}

/**
 * segue_seg_create_psv_out_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_create_psv_out_check(const struct segue_seg_create_psv_out *v,
						 const char **field)
{
	if (v->psv0_index > SEGUE_SEG_CREATE_PSV_OUT_PSV0_INDEX_MAX) {
		*field = "psv0_index";
		return -ERANGE;
	}
	if (v->psv1_index > SEGUE_SEG_CREATE_PSV_OUT_PSV1_INDEX_MAX) {
		*field = "psv1_index";
		return -ERANGE;
	}
	if (v->psv2_index > SEGUE_SEG_CREATE_PSV_OUT_PSV2_INDEX_MAX) {
		*field = "psv2_index";
		return -ERANGE;
	}
	if (v->psv3_index > SEGUE_SEG_CREATE_PSV_OUT_PSV3_INDEX_MAX) {
		*field = "psv3_index";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CRYPTO_BSF_SIZE	      64u /* bytes */
#define SEGUE_SEG_CRYPTO_BSF_DS		      4u  /* units of 16 bytes */
#define SEGUE_SEG_CRYPTO_BSF_BSF_SIZE_MAX     3u
#define SEGUE_SEG_CRYPTO_BSF_ENC_ORDER_MAX    0xfu
#define SEGUE_SEG_CRYPTO_BSF_ENC_STANDARD_MAX 0xfu
#define SEGUE_SEG_CRYPTO_BSF_DEK_PTR_MAX      0xffffffu

/**
 * Byte stream format of a crypto key. Names the key and the tweak with which the device encrypts or
 * decrypts data on their way through the memory key.
 * Source: providers/mlx5/wqe.h, struct mlx5_crypto_bsf; providers/mlx5/qp.c,
 * mlx5_umr_fill_crypto_bsf; DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_umr_bsf_seg
 * (widths)
 */
struct segue_seg_crypto_bsf {
	/*
	 * WITH_INLINE when it stands alone, SIG_AND_CRYPTO behind a signature BSF. One of enum
	 * segue_bsf_size.
	 */
	uint8_t bsf_size;
	/*
	 * Where data are encrypted, and the order of encryption and signature. One of enum
	 * segue_crypto_order.
	 */
	uint8_t enc_order;
	/* Encryption standard; there is only one so far. One of enum segue_crypto_standard. */
	uint8_t enc_standard;
	/* Length of the data; all ones for any. Unit: bytes. */
	uint32_t raw_data_size;
	/*
	 * Size of a data unit, the piece that is encrypted under one tweak. The tweak grows by one
	 * from unit to unit. One of enum segue_bsf_block_size.
	 */
	uint8_t bs_pointer;
	/*
	 * Tweak of the first data unit. Devices that encrypt several units at once take it
	 * big-endian, others little-endian.
	 */
	uint8_t xts_init_tweak[16];
	/* Number of the data encryption key object. */
	uint32_t dek_ptr;
	/* Tag that must agree with the one in the data encryption key, if that has one. */
	uint8_t keytag[8];
};

/** segue_seg_crypto_bsf_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_crypto_bsf_pack(void *dst, const struct segue_seg_crypto_bsf *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->bsf_size <= SEGUE_SEG_CRYPTO_BSF_BSF_SIZE_MAX);
	SEGUE_DCHECK(v->enc_order <= SEGUE_SEG_CRYPTO_BSF_ENC_ORDER_MAX);
	SEGUE_DCHECK(v->enc_standard <= SEGUE_SEG_CRYPTO_BSF_ENC_STANDARD_MAX);
	SEGUE_DCHECK(v->dek_ptr <= SEGUE_SEG_CRYPTO_BSF_DEK_PTR_MAX);
	/* [31:30] bsf_size, [25:24] bsf_type = 1, [19:16] enc_order, [3:0] enc_standard */
	segue_put_be32(p + 0, 0x1000000u | (uint32_t)v->bsf_size << 30 |
				      (uint32_t)v->enc_order << 16 | v->enc_standard);
	segue_put_be32(p + 4, v->raw_data_size);
	/* [31:24] bs_pointer */
	segue_put_be32(p + 8, (uint32_t)v->bs_pointer << 24);
	/* reserved */
	segue_put_be32(p + 12, 0);
	memcpy(p + 16, v->xts_init_tweak, 16);
	/* [23:0] dek_ptr */
	segue_put_be32(p + 32, v->dek_ptr);
	/* reserved */
	segue_put_be32(p + 36, 0);
	memcpy(p + 40, v->keytag, 8);
	/* reserved */
	memset(p + 48, 0, 16);
}

/**
 * segue_seg_crypto_bsf_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_crypto_bsf_unpack(struct segue_seg_crypto_bsf *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w32 = segue_get_be32(p + 32);

	v->bsf_size = (uint8_t)(w0 >> 30);
	v->enc_order = (uint8_t)((w0 >> 16) & 0xfu);
	v->enc_standard = (uint8_t)(w0 & 0xfu);
	v->raw_data_size = w4;
	v->bs_pointer = (uint8_t)(w8 >> 24);
	memcpy(v->xts_init_tweak, p + 16, 16);
	v->dek_ptr = w32 & 0xffffffu;
	memcpy(v->keytag, p + 40, 8);
	return (w0 & 0x3ff0fff0u) == 0x1000000u && (w8 & 0xffffffu) == 0 &&
	       segue_get_be32(p + 12) == 0 && (w32 & 0xff000000u) == 0 &&
	       segue_get_be32(p + 36) == 0 && segue_is_zero(p + 48, 16);
}

/**
 * segue_seg_crypto_bsf_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_crypto_bsf_check(const struct segue_seg_crypto_bsf *v,
					     const char **field)
{
	if (v->bsf_size > SEGUE_SEG_CRYPTO_BSF_BSF_SIZE_MAX) {
		*field = "bsf_size";
		return -ERANGE;
	}
	if (v->enc_order > SEGUE_SEG_CRYPTO_BSF_ENC_ORDER_MAX) {
		*field = "enc_order";
		return -ERANGE;
	}
	if (v->enc_standard > SEGUE_SEG_CRYPTO_BSF_ENC_STANDARD_MAX) {
		*field = "enc_standard";
		return -ERANGE;
	}
	if (v->dek_ptr > SEGUE_SEG_CRYPTO_BSF_DEK_PTR_MAX) {
		*field = "dek_ptr";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_CTRL_SIZE    16u /* bytes */
#define SEGUE_SEG_CTRL_DS      1u  /* units of 16 bytes */
#define SEGUE_SEG_CTRL_QPN_MAX 0xffffffu
#define SEGUE_SEG_CTRL_DS_MIN  1u
#define SEGUE_SEG_CTRL_DS_MAX  0x3fu
#define SEGUE_SEG_CTRL_FM_MAX  7u
#define SEGUE_SEG_CTRL_CE_MAX  3u
#define SEGUE_SEG_CTRL_SE_MAX  1u

/**
 * Control segment, the first 16 bytes of every send WQE. Says which operation it is, which queue it
 * belongs to, how long it is, what it waits for and whether it completes; the device reads its
 * first 8 bytes also from the doorbell.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_ctrl_seg and mlx5dv_set_ctrl_seg; UCX
 * src/uct/ib/mlx5/ib_mlx5.inl, uct_ib_mlx5_set_ctrl_seg (leaves dci_stream_channel_id as it was in
 * the ring, unless built for SSE 4.2 or NEON)
 */
struct segue_seg_ctrl {
	/*
	 * Opcode modifier. Its meaning depends on the opcode and it is 0 for most; see the enums
	 * opmod_*.
	 */
	uint8_t opmod;
	/*
	 * Number of the WQE's first 64-byte block, counted since the queue was reset and wrapped at
	 * 65536, whatever the ring's size. Comes back in the completion.
	 */
	uint16_t wqe_index;
	/*
	 * The operation, which also decides which segments must follow. One of enum segue_opcode.
	 */
	uint8_t opcode;
	/*
	 * Number of the queue pair, or of the send queue of a raw packet queue pair. A wrong one is
	 * answered with a local queue operation error.
	 */
	uint32_t qpn;
	/* Length of the whole WQE including this segment, in units of 16 bytes. Unit: 16 bytes. */
	uint8_t ds;
	/*
	 * Complement of the exclusive or of all other bytes of the WQE when the queue was created
	 * with WQE signatures, else 0.
	 */
	uint8_t signature;
	/*
	 * Stream of a DC initiator that was created with streams; an error then stops that stream
	 * only. Ignored on all other queues.
	 */
	uint16_t dci_stream_channel_id;
	/* Fence mode, the earlier work that this WQE waits for. One of enum segue_fence. */
	uint8_t fm;
	/* Completion mode, when this WQE writes a completion. One of enum segue_completion_mode. */
	uint8_t ce;
	/*
	 * Solicited event. The peer's completion carries the bit, which wakes a consumer that has
	 * armed for solicited completions.
	 */
	uint8_t se;
	/*
	 * By opcode the immediate data, the remote key to invalidate, the memory key that a UMR
	 * changes, or the upper half of the MMO control word; else 0.
	 */
	uint32_t imm;
};

/** segue_seg_ctrl_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_ctrl_pack(void *dst, const struct segue_seg_ctrl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->qpn <= SEGUE_SEG_CTRL_QPN_MAX);
	SEGUE_DCHECK(v->ds >= SEGUE_SEG_CTRL_DS_MIN);
	SEGUE_DCHECK(v->ds <= SEGUE_SEG_CTRL_DS_MAX);
	SEGUE_DCHECK(v->fm <= SEGUE_SEG_CTRL_FM_MAX);
	SEGUE_DCHECK(v->ce <= SEGUE_SEG_CTRL_CE_MAX);
	SEGUE_DCHECK(v->se <= SEGUE_SEG_CTRL_SE_MAX);
	/* [31:24] opmod, [23:8] wqe_index, [7:0] opcode */
	segue_put_be32(p + 0, (uint32_t)v->opmod << 24 | (uint32_t)v->wqe_index << 8 | v->opcode);
	/* [31:8] qpn, [5:0] ds */
	segue_put_be32(p + 4, v->qpn << 8 | v->ds);
	/* [31:24] signature, [23:8] dci_stream_channel_id, [7:5] fm, [3:2] ce, [1] se */
	segue_put_be32(p + 8,
		       (uint32_t)v->signature << 24 | (uint32_t)v->dci_stream_channel_id << 8 |
			       (uint32_t)v->fm << 5 | (uint32_t)v->ce << 2 | (uint32_t)v->se << 1);
	segue_put_be32(p + 12, v->imm);
}

/**
 * segue_seg_ctrl_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_ctrl_unpack(struct segue_seg_ctrl *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->opmod = (uint8_t)(w0 >> 24);
	v->wqe_index = (uint16_t)(w0 >> 8);
	v->opcode = (uint8_t)w0;
	v->qpn = w4 >> 8;
	v->ds = (uint8_t)(w4 & 0x3fu);
	v->signature = (uint8_t)(w8 >> 24);
	v->dci_stream_channel_id = (uint16_t)(w8 >> 8);
	v->fm = (uint8_t)((w8 >> 5) & 0x7u);
	v->ce = (uint8_t)((w8 >> 2) & 0x3u);
	v->se = (uint8_t)((w8 >> 1) & 0x1u);
	v->imm = w12;
	return (w4 & 0xc0u) == 0 && (w8 & 0x11u) == 0;
}

/**
 * segue_seg_ctrl_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_ctrl_check(const struct segue_seg_ctrl *v, const char **field)
{
	if (v->qpn > SEGUE_SEG_CTRL_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->ds < SEGUE_SEG_CTRL_DS_MIN || v->ds > SEGUE_SEG_CTRL_DS_MAX) {
		*field = "ds";
		return -ERANGE;
	}
	if (v->fm > SEGUE_SEG_CTRL_FM_MAX) {
		*field = "fm";
		return -ERANGE;
	}
	if (v->ce > SEGUE_SEG_CTRL_CE_MAX) {
		*field = "ce";
		return -ERANGE;
	}
	if (v->se > SEGUE_SEG_CTRL_SE_MAX) {
		*field = "se";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_DATA_SIZE	      16u /* bytes */
#define SEGUE_SEG_DATA_DS	      1u  /* units of 16 bytes */
#define SEGUE_SEG_DATA_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_DATA_BYTE_COUNT_MAX 0x7fffffffu

/**
 * Data segment, one entry of a scatter/gather list: a piece of local memory to send from or receive
 * into. Also the body of every receive WQE.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_data_seg and mlx5dv_set_data_seg
 */
struct segue_seg_data {
	/*
	 * Length of the piece. Never 0, which the device would take for 2 GiB; leave an empty piece
	 * out instead. Unit: bytes.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region. 0x100 is the invalid key, which ends a receive list (see
	 * data_end).
	 */
	uint32_t lkey;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
};

/** segue_seg_data_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_data_pack(void *dst, const struct segue_seg_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->byte_count >= SEGUE_SEG_DATA_BYTE_COUNT_MIN);
	SEGUE_DCHECK(v->byte_count <= SEGUE_SEG_DATA_BYTE_COUNT_MAX);
	SEGUE_DCHECK(v->lkey != 0x100u);
	/* [30:0] byte_count, [31] is_inline = 0 */
	segue_put_be32(p + 0, v->byte_count);
	segue_put_be32(p + 4, v->lkey);
	segue_put_be64(p + 8, v->addr);
}

/**
 * segue_seg_data_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_data_unpack(struct segue_seg_data *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->byte_count = w0 & 0x7fffffffu;
	v->lkey = w4;
	v->addr = w8;
	return (w0 & 0x80000000u) == 0;
}

/**
 * segue_seg_data_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_data_check(const struct segue_seg_data *v, const char **field)
{
	if (v->byte_count < SEGUE_SEG_DATA_BYTE_COUNT_MIN ||
	    v->byte_count > SEGUE_SEG_DATA_BYTE_COUNT_MAX) {
		*field = "byte_count";
		return -ERANGE;
	}
	if (v->lkey == 0x100u) {
		*field = "lkey";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_DATA_END_SIZE 16u /* bytes */
#define SEGUE_SEG_DATA_END_DS	1u  /* units of 16 bytes */

/**
 * End of a receive list. Closes a receive WQE that holds fewer data segments than its stride has
 * room for; it has the form of a data segment with length 0 and the invalid key.
 * Source: providers/mlx5/qp.c, set_data_ptr_seg_end and mlx5_post_recv; infiniband/mlx5dv.h,
 * MLX5_INVALID_LKEY
 */
struct segue_seg_data_end {
	uint8_t unused; /* This segment has no fields. */
};

/** segue_seg_data_end_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_data_end_pack(void *dst, const struct segue_seg_data_end *v)
{
	uint8_t *const p = (uint8_t *)dst;

	(void)v;
	/* [31:0] byte_count = 0 */
	segue_put_be32(p + 0, 0);
	/* [31:0] lkey = 256 */
	segue_put_be32(p + 4, 0x100u);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_data_end_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_data_end_unpack(struct segue_seg_data_end *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->unused = 0;
	return w0 == 0 && w4 == 0x100u && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_data_end_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_data_end_check(const struct segue_seg_data_end *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_ETH_SIZE		16u /* bytes */
#define SEGUE_SEG_ETH_DS		1u  /* units of 16 bytes */
/* Where the payload begins. */
#define SEGUE_SEG_ETH_TAIL		14u
#define SEGUE_SEG_ETH_INLINE_HDR_SZ_MAX 0x3ffu

/**
 * Ethernet segment of a raw packet queue. Says which checksums to compute and how to segment, and
 * carries the first bytes of the packet, which some devices want inlined; these begin in the middle
 * of the second unit, right behind the fixed 14 bytes.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_eth_seg; Linux include/linux/mlx5/qp.h, struct
 * mlx5_wqe_eth_seg (software parser); DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_eseg
 * (metadata)
 */
struct segue_seg_eth {
	/*
	 * Where the outer transport header starts, for the software parser; 0 lets the device find
	 * it. Unit: 2 bytes.
	 */
	uint8_t swp_outer_l4_offset;
	/* Where the outer network header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_outer_l3_offset;
	/* Where the inner transport header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_inner_l4_offset;
	/* Where the inner network header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_inner_l3_offset;
	/*
	 * Checksums that the device is to compute and put into the packet. Any of enum
	 * segue_eth_cs_flag.
	 */
	uint8_t cs_flags;
	/* Header types for the software parser. Any of enum segue_eth_swp_flag. */
	uint8_t swp_flags;
	/* For TSO the bytes of TCP payload in each packet; else 0. Unit: bytes. */
	uint16_t mss;
	/* Metadata that egress flow rules can match on; 0 when unused. */
	uint32_t flow_table_metadata;
	/*
	 * Bytes of packet header that follow. 0 if the device does not need any; 18 on those that
	 * do; the whole header for TSO. Unit: bytes.
	 */
	uint16_t inline_hdr_sz;
};

/** segue_seg_eth_pack() writes all 16 bytes before the payload at dst, reserved bits as zero. */
static inline void segue_seg_eth_pack(void *dst, const struct segue_seg_eth *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->inline_hdr_sz <= SEGUE_SEG_ETH_INLINE_HDR_SZ_MAX);
	/*
	 * [31:24] swp_outer_l4_offset, [23:16] swp_outer_l3_offset, [15:8] swp_inner_l4_offset,
	 * [7:0] swp_inner_l3_offset
	 */
	segue_put_be32(p + 0, (uint32_t)v->swp_outer_l4_offset << 24 |
				      (uint32_t)v->swp_outer_l3_offset << 16 |
				      (uint32_t)v->swp_inner_l4_offset << 8 |
				      v->swp_inner_l3_offset);
	/* [31:24] cs_flags, [23:16] swp_flags, [15:0] mss */
	segue_put_be32(p + 4, (uint32_t)v->cs_flags << 24 | (uint32_t)v->swp_flags << 16 | v->mss);
	segue_put_be32(p + 8, v->flow_table_metadata);
	/* [25:16] inline_hdr_sz, [31] vlan_insert = 0 */
	segue_put_be32(p + 12, (uint32_t)v->inline_hdr_sz << 16);
}

/**
 * segue_seg_eth_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_eth_unpack(struct segue_seg_eth *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->swp_outer_l4_offset = (uint8_t)(w0 >> 24);
	v->swp_outer_l3_offset = (uint8_t)(w0 >> 16);
	v->swp_inner_l4_offset = (uint8_t)(w0 >> 8);
	v->swp_inner_l3_offset = (uint8_t)w0;
	v->cs_flags = (uint8_t)(w4 >> 24);
	v->swp_flags = (uint8_t)(w4 >> 16);
	v->mss = (uint16_t)w4;
	v->flow_table_metadata = w8;
	v->inline_hdr_sz = (uint16_t)((w12 >> 16) & 0x3ffu);
	return (w12 & 0xfc000000u) == 0;
}

/**
 * segue_seg_eth_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_eth_check(const struct segue_seg_eth *v, const char **field)
{
	if (v->inline_hdr_sz > SEGUE_SEG_ETH_INLINE_HDR_SZ_MAX) {
		*field = "inline_hdr_sz";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_eth_bytes() returns the bytes that the segment takes with a payload of `length` bytes.
 */
static inline size_t segue_seg_eth_bytes(size_t length)
{
	const size_t bytes = (SEGUE_SEG_ETH_TAIL + length + 15) / 16 * 16;

	return bytes < 16 ? 16 : bytes;
}

#define SEGUE_SEG_ETH_PAD_SIZE 16u /* bytes */
#define SEGUE_SEG_ETH_PAD_DS   1u  /* units of 16 bytes */

/**
 * Padding between the address vector and the Ethernet segment of a UD queue pair that underlies
 * IPoIB.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_eth_pad; providers/mlx5/qp.c,
 * mlx5_post_send_underlay
 */
struct segue_seg_eth_pad {
	uint8_t unused; /* This segment has no fields. */
};

/** segue_seg_eth_pad_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_eth_pad_pack(void *dst, const struct segue_seg_eth_pad *v)
{
	uint8_t *const p = (uint8_t *)dst;

	(void)v;
	/* [31:0] no_byte_count = 0 */
	segue_put_be32(p + 0, 0);
	/* reserved */
	segue_put_be32(p + 4, 0);
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_eth_pad_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_eth_pad_unpack(struct segue_seg_eth_pad *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);

	v->unused = 0;
	return w0 == 0 && segue_is_zero(p + 4, 12);
}

/**
 * segue_seg_eth_pad_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_eth_pad_check(const struct segue_seg_eth_pad *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_ETH_VLAN_SIZE	     16u /* bytes */
#define SEGUE_SEG_ETH_VLAN_DS	     1u	 /* units of 16 bytes */
#define SEGUE_SEG_ETH_VLAN_SVLAN_MAX 1u

/**
 * Ethernet segment that has the device insert a VLAN tag. Nothing can be inlined with it.
 * Source: Linux include/linux/mlx5/qp.h, struct mlx5_wqe_eth_seg (insert) and
 * MLX5_ETH_WQE_INSERT_VLAN; DPDK drivers/common/mlx5/mlx5_prm.h, MLX5_ETH_WQE_VLAN_INSERT
 */
struct segue_seg_eth_vlan {
	/*
	 * Where the outer transport header starts, for the software parser; 0 lets the device find
	 * it. Unit: 2 bytes.
	 */
	uint8_t swp_outer_l4_offset;
	/* Where the outer network header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_outer_l3_offset;
	/* Where the inner transport header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_inner_l4_offset;
	/* Where the inner network header starts, for the software parser. Unit: 2 bytes. */
	uint8_t swp_inner_l3_offset;
	/*
	 * Checksums that the device is to compute and put into the packet. Any of enum
	 * segue_eth_cs_flag.
	 */
	uint8_t cs_flags;
	/* Header types for the software parser. Any of enum segue_eth_swp_flag. */
	uint8_t swp_flags;
	/* For TSO the bytes of TCP payload in each packet; else 0. Unit: bytes. */
	uint16_t mss;
	/* Metadata that egress flow rules can match on; 0 when unused. */
	uint32_t flow_table_metadata;
	/* Inserts a service tag (802.1ad) instead of a customer tag (802.1Q). */
	uint8_t svlan;
	/* The tag: priority, drop eligibility and VLAN number. */
	uint16_t vlan_tci;
};

/** segue_seg_eth_vlan_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_eth_vlan_pack(void *dst, const struct segue_seg_eth_vlan *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->svlan <= SEGUE_SEG_ETH_VLAN_SVLAN_MAX);
	/*
	 * [31:24] swp_outer_l4_offset, [23:16] swp_outer_l3_offset, [15:8] swp_inner_l4_offset,
	 * [7:0] swp_inner_l3_offset
	 */
	segue_put_be32(p + 0, (uint32_t)v->swp_outer_l4_offset << 24 |
				      (uint32_t)v->swp_outer_l3_offset << 16 |
				      (uint32_t)v->swp_inner_l4_offset << 8 |
				      v->swp_inner_l3_offset);
	/* [31:24] cs_flags, [23:16] swp_flags, [15:0] mss */
	segue_put_be32(p + 4, (uint32_t)v->cs_flags << 24 | (uint32_t)v->swp_flags << 16 | v->mss);
	segue_put_be32(p + 8, v->flow_table_metadata);
	/* [31] vlan_insert = 1, [16] svlan, [15:0] vlan_tci */
	segue_put_be32(p + 12, 0x80000000u | (uint32_t)v->svlan << 16 | v->vlan_tci);
}

/**
 * segue_seg_eth_vlan_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_eth_vlan_unpack(struct segue_seg_eth_vlan *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->swp_outer_l4_offset = (uint8_t)(w0 >> 24);
	v->swp_outer_l3_offset = (uint8_t)(w0 >> 16);
	v->swp_inner_l4_offset = (uint8_t)(w0 >> 8);
	v->swp_inner_l3_offset = (uint8_t)w0;
	v->cs_flags = (uint8_t)(w4 >> 24);
	v->swp_flags = (uint8_t)(w4 >> 16);
	v->mss = (uint16_t)w4;
	v->flow_table_metadata = w8;
	v->svlan = (uint8_t)((w12 >> 16) & 0x1u);
	v->vlan_tci = (uint16_t)w12;
	return (w12 & 0xfffe0000u) == 0x80000000u;
}

/**
 * segue_seg_eth_vlan_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_eth_vlan_check(const struct segue_seg_eth_vlan *v, const char **field)
{
	if (v->svlan > SEGUE_SEG_ETH_VLAN_SVLAN_MAX) {
		*field = "svlan";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_FILLER_SIZE 16u /* bytes */
#define SEGUE_SEG_FILLER_DS   1u  /* units of 16 bytes */

/**
 * Sixteen bytes that the device steps over without looking at them, in a NOP that takes up room in
 * the ring. Also what is left of a request that was turned into a NOP after posting.
 * Source: providers/mlx5/qp.c, mlx5dv_qp_cancel_wr (changes the opcode to NOP and leaves all else);
 * UCX rc_mlx5.inl, uct_rc_mlx5_txqp_inline_post (NOP counts the address vector)
 */
struct segue_seg_filler {
	uint8_t bytes[16]; /* Anything. */
};

/** segue_seg_filler_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_filler_pack(void *dst, const struct segue_seg_filler *v)
{
	uint8_t *const p = (uint8_t *)dst;

	memcpy(p + 0, v->bytes, 16);
}

/**
 * segue_seg_filler_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_filler_unpack(struct segue_seg_filler *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;

	memcpy(v->bytes, p + 0, 16);
	return true;
}

/**
 * segue_seg_filler_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_filler_check(const struct segue_seg_filler *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_FLOW_UPDATE_CTRL_SIZE		    48u /* bytes */
#define SEGUE_SEG_FLOW_UPDATE_CTRL_DS		    3u	/* units of 16 bytes */
#define SEGUE_SEG_FLOW_UPDATE_CTRL_OP_MAX	    0xfu
#define SEGUE_SEG_FLOW_UPDATE_CTRL_DIRECT_INDEX_MAX 0xfffffffu

/**
 * Control segment of FLOW_TBL_ACCESS. For a steering entry it says where it goes and which actions
 * it has; for modify-header arguments all of it is zero.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_flow_update_ctrl_seg; DPDK
 * drivers/net/mlx5/hws/mlx5dr_send.h, struct mlx5dr_wqe_gta_ctrl_seg (entries)
 * Known from secondary sources only.
 */
struct segue_seg_flow_update_ctrl {
	/* What is done with the steering entry. One of enum segue_flow_op. */
	uint8_t op;
	/*
	 * Index of the entry in a table that is not hashed (With op, flow_idx_update of libmlx5).
	 */
	uint32_t direct_index;
	/* Steering action object of slot 0 (dest_handle of libmlx5). */
	uint32_t stc_ix_0;
	/* Steering action object of slot 1. */
	uint32_t stc_ix_1;
	/* Steering action object of slot 2. */
	uint32_t stc_ix_2;
	/* Steering action object of slot 3. */
	uint32_t stc_ix_3;
	/* Steering action object of slot 4. */
	uint32_t stc_ix_4;
};

/** segue_seg_flow_update_ctrl_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_flow_update_ctrl_pack(void *dst,
						   const struct segue_seg_flow_update_ctrl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->op <= SEGUE_SEG_FLOW_UPDATE_CTRL_OP_MAX);
	SEGUE_DCHECK(v->direct_index <= SEGUE_SEG_FLOW_UPDATE_CTRL_DIRECT_INDEX_MAX);
	/* [31:28] op, [27:0] direct_index */
	segue_put_be32(p + 0, (uint32_t)v->op << 28 | v->direct_index);
	segue_put_be32(p + 4, v->stc_ix_0);
	segue_put_be32(p + 8, v->stc_ix_1);
	segue_put_be32(p + 12, v->stc_ix_2);
	segue_put_be32(p + 16, v->stc_ix_3);
	segue_put_be32(p + 20, v->stc_ix_4);
	/* reserved */
	memset(p + 24, 0, 24);
}

/**
 * segue_seg_flow_update_ctrl_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_flow_update_ctrl_unpack(struct segue_seg_flow_update_ctrl *v,
						     const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);

	v->op = (uint8_t)(w0 >> 28);
	v->direct_index = w0 & 0xfffffffu;
	v->stc_ix_0 = w4;
	v->stc_ix_1 = w8;
	v->stc_ix_2 = w12;
	v->stc_ix_3 = w16;
	v->stc_ix_4 = w20;
	return segue_is_zero(p + 24, 24);
}

/**
 * segue_seg_flow_update_ctrl_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_flow_update_ctrl_check(const struct segue_seg_flow_update_ctrl *v,
						   const char **field)
{
	if (v->op > SEGUE_SEG_FLOW_UPDATE_CTRL_OP_MAX) {
		*field = "op";
		return -ERANGE;
	}
	if (v->direct_index > SEGUE_SEG_FLOW_UPDATE_CTRL_DIRECT_INDEX_MAX) {
		*field = "direct_index";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_GET_PSV_SIZE 48u /* bytes */
#define SEGUE_SEG_GET_PSV_DS   3u  /* units of 16 bytes */

/**
 * GET_PSV segment. Writes up to four protection signature values to memory. Declared, but posted
 * neither by libmlx5 nor by the kernel.
 * Source: providers/mlx5/wqe.h, struct mlx5_seg_get_psv
 */
struct segue_seg_get_psv {
	uint8_t num_psv;      /* How many of the four psv_index fields count, from the first on. */
	uint32_t l_key;	      /* Local key of the memory they are written to. */
	uint64_t va;	      /* Address to which the device writes the values. */
	uint32_t psv_index_0; /* Number of protection signature value one. */
	uint32_t psv_index_1; /* Number of protection signature value two. */
	uint32_t psv_index_2; /* Number of protection signature value three. */
	uint32_t psv_index_3; /* Number of protection signature value four. */
};

/** segue_seg_get_psv_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_get_psv_pack(void *dst, const struct segue_seg_get_psv *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* reserved */
	memset(p + 0, 0, 16);
	/* [7:0] num_psv */
	segue_put_be32(p + 16, v->num_psv);
	segue_put_be32(p + 20, v->l_key);
	segue_put_be64(p + 24, v->va);
	segue_put_be32(p + 32, v->psv_index_0);
	segue_put_be32(p + 36, v->psv_index_1);
	segue_put_be32(p + 40, v->psv_index_2);
	segue_put_be32(p + 44, v->psv_index_3);
}

/**
 * segue_seg_get_psv_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_get_psv_unpack(struct segue_seg_get_psv *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w16 = segue_get_be32(p + 16);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint64_t w24 = segue_get_be64(p + 24);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);
	const uint32_t w44 = segue_get_be32(p + 44);

	v->num_psv = (uint8_t)w16;
	v->l_key = w20;
	v->va = w24;
	v->psv_index_0 = w32;
	v->psv_index_1 = w36;
	v->psv_index_2 = w40;
	v->psv_index_3 = w44;
	return segue_is_zero(p + 0, 16) && (w16 & 0xffffff00u) == 0;
}

/**
 * segue_seg_get_psv_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_get_psv_check(const struct segue_seg_get_psv *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_SIZE 64u /* bytes */
#define SEGUE_SEG_HEADER_MODIFY_ARGUMENT_UPDATE_DS   4u	 /* units of 16 bytes */

/**
 * Modify-header arguments, which the flow rules' actions that refer to them will use from now on.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_header_modify_argument_update_seg;
 * providers/mlx5/dr_send.c, dr_set_header_modify_arg_update_seg
 */
struct segue_seg_header_modify_argument_update {
	/* The arguments, in the form that the modify-header action expects. */
	uint8_t argument_list[64];
};

/**
 * segue_seg_header_modify_argument_update_pack() writes all 64 bytes at dst, reserved bits as zero.
 */
static inline void segue_seg_header_modify_argument_update_pack(
	void *dst, const struct segue_seg_header_modify_argument_update *v)
{
	uint8_t *const p = (uint8_t *)dst;

	memcpy(p + 0, v->argument_list, 64);
}

/**
 * segue_seg_header_modify_argument_update_unpack() fills *v, and returns false when a reserved bit
 * is set or a constant differs.
 */
static inline bool segue_seg_header_modify_argument_update_unpack(
	struct segue_seg_header_modify_argument_update *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;

	memcpy(v->argument_list, p + 0, 64);
	return true;
}

/**
 * segue_seg_header_modify_argument_update_check() returns 0, or -ERANGE with *field naming the
 * first field whose value the segment cannot hold.
 */
static inline int segue_seg_header_modify_argument_update_check(
	const struct segue_seg_header_modify_argument_update *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_INLINE_DATA_SIZE	     4u /* bytes */
/* Where the payload begins. */
#define SEGUE_SEG_INLINE_DATA_TAIL	     4u
#define SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX 0x3ffu

/**
 * Inline data segment. The payload itself follows the 4-byte header, so the device needs no second
 * read and no memory key, and the caller may reuse its buffer at once; padded to 16 bytes.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_inline_seg; infiniband/mlx5dv.h, MLX5_INLINE_SEG;
 * Linux include/linux/mlx5/qp.h, MLX5_WQE_INLINE_SEG_BYTE_COUNT_MASK
 */
struct segue_seg_inline_data {
	/* Length of the payload. libmlx5 writes no segment at all for an empty one. Unit: bytes. */
	uint16_t byte_count;
};

/**
 * segue_seg_inline_data_pack() writes all 4 bytes before the payload at dst, reserved bits as zero.
 */
static inline void segue_seg_inline_data_pack(void *dst, const struct segue_seg_inline_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->byte_count >= SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN);
	SEGUE_DCHECK(v->byte_count <= SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX);
	/* [9:0] byte_count, [31] is_inline = 1 */
	segue_put_be32(p + 0, 0x80000000u | v->byte_count);
}

/**
 * segue_seg_inline_data_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_inline_data_unpack(struct segue_seg_inline_data *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);

	v->byte_count = (uint16_t)(w0 & 0x3ffu);
	return (w0 & 0xfffffc00u) == 0x80000000u;
}

/**
 * segue_seg_inline_data_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_inline_data_check(const struct segue_seg_inline_data *v,
					      const char **field)
{
	if (v->byte_count < SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN ||
	    v->byte_count > SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX) {
		*field = "byte_count";
		return -ERANGE;
	}
	return 0;
}

/**
 * segue_seg_inline_data_bytes() returns the bytes that the segment takes with a payload of `length`
 * bytes.
 */
static inline size_t segue_seg_inline_data_bytes(size_t length)
{
	const size_t bytes = (SEGUE_SEG_INLINE_DATA_TAIL + length + 15) / 16 * 16;

	return bytes < 16 ? 16 : bytes;
}

#define SEGUE_SEG_KLM_SIZE	     16u /* bytes */
#define SEGUE_SEG_KLM_DS	     1u	 /* units of 16 bytes */
#define SEGUE_SEG_KLM_BYTE_COUNT_MAX 0x80000000u

/**
 * KLM, an entry of a translation list (key, length, memory). Several of them make a memory key that
 * gathers pieces of other keys.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_umr_klm_seg
 */
struct segue_seg_klm {
	/*
	 * Length of the piece, at most 2 GiB. 0 only in entries that pad the list to a multiple of
	 * 64 bytes. Unit: bytes.
	 */
	uint32_t byte_count;
	/*
	 * Local key of the memory region or of another memory key that the piece is cut from. Never
	 * 0x400, which would make a repeat block of it.
	 */
	uint32_t mkey;
	/* First byte of the piece, as that key counts addresses. */
	uint64_t address;
};

/** segue_seg_klm_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_klm_pack(void *dst, const struct segue_seg_klm *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->byte_count <= SEGUE_SEG_KLM_BYTE_COUNT_MAX);
	SEGUE_DCHECK(v->mkey != 0x400u);
	segue_put_be32(p + 0, v->byte_count);
	segue_put_be32(p + 4, v->mkey);
	segue_put_be64(p + 8, v->address);
}

/**
 * segue_seg_klm_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_klm_unpack(struct segue_seg_klm *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->byte_count = w0;
	v->mkey = w4;
	v->address = w8;
	return true;
}

/**
 * segue_seg_klm_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_klm_check(const struct segue_seg_klm *v, const char **field)
{
	if (v->byte_count > SEGUE_SEG_KLM_BYTE_COUNT_MAX) {
		*field = "byte_count";
		return -ERANGE;
	}
	if (v->mkey == 0x400u) {
		*field = "mkey";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_LIST_PAD_SIZE 16u /* bytes */
#define SEGUE_SEG_LIST_PAD_DS	1u  /* units of 16 bytes */

/**
 * Sixteen zero bytes behind an interleaved translation list. As many follow the last entry as make
 * the repeat block and its entries a multiple of 64 bytes.
 * Source: providers/mlx5/qp.c, umr_strided_seg_create (clears up to the next multiple of four
 * entries)
 */
struct segue_seg_list_pad {
	uint8_t unused; /* This segment has no fields. */
};

/** segue_seg_list_pad_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_list_pad_pack(void *dst, const struct segue_seg_list_pad *v)
{
	uint8_t *const p = (uint8_t *)dst;

	(void)v;
	/* [63:0] zero_0 = 0 */
	segue_put_be64(p + 0, 0);
	/* [63:0] zero_1 = 0 */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_list_pad_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_list_pad_unpack(struct segue_seg_list_pad *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->unused = 0;
	return w0 == 0 && w8 == 0;
}

/**
 * segue_seg_list_pad_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_list_pad_check(const struct segue_seg_list_pad *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MASKED_CAS32_SIZE 16u /* bytes */
#define SEGUE_SEG_MASKED_CAS32_DS   1u	/* units of 16 bytes */

/**
 * Operands of a masked compare-and-swap on 4 bytes. Compares the bits selected by compare_mask, and
 * when they agree replaces the bits selected by swap_mask.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, struct uct_ib_mlx5_atomic_masked_cswap32_seg;
 * providers/mlx5/wqe.h, struct mlx5_wqe_masked_atomic_seg (8-byte form)
 * Known from secondary sources only.
 */
struct segue_seg_masked_cas32 {
	uint32_t swap;	       /* New value of the bits in swap_mask. */
	uint32_t compare;      /* Value that the bits in compare_mask must have. */
	uint32_t swap_mask;    /* Bits that are replaced. All ones swaps the whole word. */
	uint32_t compare_mask; /* Bits that are compared. Zero swaps in any case. */
};

/** segue_seg_masked_cas32_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_masked_cas32_pack(void *dst, const struct segue_seg_masked_cas32 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->swap);
	segue_put_be32(p + 4, v->compare);
	segue_put_be32(p + 8, v->swap_mask);
	segue_put_be32(p + 12, v->compare_mask);
}

/**
 * segue_seg_masked_cas32_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_masked_cas32_unpack(struct segue_seg_masked_cas32 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->swap = w0;
	v->compare = w4;
	v->swap_mask = w8;
	v->compare_mask = w12;
	return true;
}

/**
 * segue_seg_masked_cas32_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_masked_cas32_check(const struct segue_seg_masked_cas32 *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MASKED_CAS64_SIZE 32u /* bytes */
#define SEGUE_SEG_MASKED_CAS64_DS   2u	/* units of 16 bytes */

/**
 * Operands of a masked compare-and-swap on 8 bytes. Compares the bits selected by compare_mask, and
 * when they agree replaces the bits selected by swap_mask.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_masked_atomic_seg; UCX
 * src/uct/ib/mlx5/rc/rc_mlx5.inl, uct_rc_mlx5_txqp_dptr_post
 */
struct segue_seg_masked_cas64 {
	uint64_t swap;	       /* New value of the bits in swap_mask. */
	uint64_t compare;      /* Value that the bits in compare_mask must have. */
	uint64_t swap_mask;    /* Bits that are replaced. All ones swaps the whole word. */
	uint64_t compare_mask; /* Bits that are compared. Zero swaps in any case. */
};

/** segue_seg_masked_cas64_pack() writes all 32 bytes at dst, reserved bits as zero. */
static inline void segue_seg_masked_cas64_pack(void *dst, const struct segue_seg_masked_cas64 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->swap);
	segue_put_be64(p + 8, v->compare);
	segue_put_be64(p + 16, v->swap_mask);
	segue_put_be64(p + 24, v->compare_mask);
}

/**
 * segue_seg_masked_cas64_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_masked_cas64_unpack(struct segue_seg_masked_cas64 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint64_t w8 = segue_get_be64(p + 8);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);

	v->swap = w0;
	v->compare = w8;
	v->swap_mask = w16;
	v->compare_mask = w24;
	return true;
}

/**
 * segue_seg_masked_cas64_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_masked_cas64_check(const struct segue_seg_masked_cas64 *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MASKED_FA32_SIZE 16u /* bytes */
#define SEGUE_SEG_MASKED_FA32_DS   1u  /* units of 16 bytes */

/**
 * Operands of a masked fetch-and-add on 4 bytes. The word is a row of independent fields, and each
 * bit set in field_boundary is the most significant one of a field, over which no carry runs.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, struct uct_ib_mlx5_atomic_masked_fadd32_seg
 * Known from secondary sources only.
 */
struct segue_seg_masked_fa32 {
	/* Addend, one part per field. */
	uint32_t add;
	/*
	 * Highest bit of each field. Zero adds the word as a whole; all ones makes it an exclusive
	 * or.
	 */
	uint32_t field_boundary;
};

/** segue_seg_masked_fa32_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_masked_fa32_pack(void *dst, const struct segue_seg_masked_fa32 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->add);
	segue_put_be32(p + 4, v->field_boundary);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_masked_fa32_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_masked_fa32_unpack(struct segue_seg_masked_fa32 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->add = w0;
	v->field_boundary = w4;
	return segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_masked_fa32_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_masked_fa32_check(const struct segue_seg_masked_fa32 *v,
					      const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MASKED_FA64_SIZE 16u /* bytes */
#define SEGUE_SEG_MASKED_FA64_DS   1u  /* units of 16 bytes */

/**
 * Operands of a masked fetch-and-add on 8 bytes. The word is a row of independent fields, and each
 * bit set in field_boundary is the most significant one of a field, over which no carry runs.
 * Source: UCX src/uct/ib/mlx5/ib_mlx5.h, struct uct_ib_mlx5_atomic_masked_fadd64_seg
 * Known from secondary sources only.
 */
struct segue_seg_masked_fa64 {
	/* Addend, one part per field. */
	uint64_t add;
	/*
	 * Highest bit of each field. Zero adds the word as a whole; all ones makes it an exclusive
	 * or.
	 */
	uint64_t field_boundary;
};

/** segue_seg_masked_fa64_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_masked_fa64_pack(void *dst, const struct segue_seg_masked_fa64 *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->add);
	segue_put_be64(p + 8, v->field_boundary);
}

/**
 * segue_seg_masked_fa64_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_masked_fa64_unpack(struct segue_seg_masked_fa64 *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->add = w0;
	v->field_boundary = w8;
	return true;
}

/**
 * segue_seg_masked_fa64_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_masked_fa64_check(const struct segue_seg_masked_fa64 *v,
					      const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MKEY_BIND_SIZE    64u /* bytes */
#define SEGUE_SEG_MKEY_BIND_DS	    4u	/* units of 16 bytes */
#define SEGUE_SEG_MKEY_BIND_QPN_MAX 0xffffffu
#define SEGUE_SEG_MKEY_BIND_LEN_MIN UINT64_C(1)
#define SEGUE_SEG_MKEY_BIND_LEN_MAX UINT64_C(0x80000000)

/**
 * Memory key context of the binding of a memory window: where it starts, how long it is, what the
 * peer may do. The mask in the UMR control segment leaves all else alone, and libmlx5 does not
 * write it.
 * Source: providers/mlx5/qp.c, set_umr_mkey_seg; infiniband/mlx5dv.h, struct
 * mlx5_wqe_mkey_context_seg
 */
struct segue_seg_mkey_bind {
	/*
	 * What may be done through the window. The kernel has set the local right to read when it
	 * created the window. Any of enum segue_mkey_access.
	 */
	uint8_t access_flags;
	/*
	 * The queue pair that a type 2 window is bound to; 0xffffff for type 1, which is open to
	 * all.
	 */
	uint32_t qpn;
	/* Low eight bits of the window's new key. */
	uint8_t mkey_7_0;
	/* Address at which the peer finds the first byte; 0 for a window that counts from zero. */
	uint64_t start_addr;
	/* Length of the window; a list entry cannot hold more than 2 GiB. Unit: bytes. */
	uint64_t len;
};

/** segue_seg_mkey_bind_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_mkey_bind_pack(void *dst, const struct segue_seg_mkey_bind *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->qpn <= SEGUE_SEG_MKEY_BIND_QPN_MAX);
	SEGUE_DCHECK(v->len >= SEGUE_SEG_MKEY_BIND_LEN_MIN);
	SEGUE_DCHECK(v->len <= SEGUE_SEG_MKEY_BIND_LEN_MAX);
	/* [30] free = 0, [15:8] access_flags */
	segue_put_be32(p + 0, (uint32_t)v->access_flags << 8);
	/* [31:8] qpn, [7:0] mkey_7_0 */
	segue_put_be32(p + 4, v->qpn << 8 | v->mkey_7_0);
	/* reserved */
	segue_put_be64(p + 8, 0);
	segue_put_be64(p + 16, v->start_addr);
	segue_put_be64(p + 24, v->len);
	/* reserved */
	memset(p + 32, 0, 32);
}

/**
 * segue_seg_mkey_bind_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_mkey_bind_unpack(struct segue_seg_mkey_bind *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);

	v->access_flags = (uint8_t)(w0 >> 8);
	v->qpn = w4 >> 8;
	v->mkey_7_0 = (uint8_t)w4;
	v->start_addr = w16;
	v->len = w24;
	return (w0 & 0xffff00ffu) == 0 && segue_get_be64(p + 8) == 0 && segue_is_zero(p + 32, 32);
}

/**
 * segue_seg_mkey_bind_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_mkey_bind_check(const struct segue_seg_mkey_bind *v, const char **field)
{
	if (v->qpn > SEGUE_SEG_MKEY_BIND_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->len < SEGUE_SEG_MKEY_BIND_LEN_MIN || v->len > SEGUE_SEG_MKEY_BIND_LEN_MAX) {
		*field = "len";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_MKEY_CONTEXT_SIZE			  64u /* bytes */
#define SEGUE_SEG_MKEY_CONTEXT_DS			  4u  /* units of 16 bytes */
#define SEGUE_SEG_MKEY_CONTEXT_FREE_MAX			  1u
#define SEGUE_SEG_MKEY_CONTEXT_ACCESS_MODE_4_2_MAX	  7u
#define SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_WRITE_MAX 1u
#define SEGUE_SEG_MKEY_CONTEXT_SMALL_FENCE_MAX		  1u
#define SEGUE_SEG_MKEY_CONTEXT_QPN_MAX			  0xffffffu
#define SEGUE_SEG_MKEY_CONTEXT_LENGTH64_MAX		  1u
#define SEGUE_SEG_MKEY_CONTEXT_BSF_EN_MAX		  1u
#define SEGUE_SEG_MKEY_CONTEXT_SYNC_UMR_MAX		  1u
#define SEGUE_SEG_MKEY_CONTEXT_EXPECTED_SIGERR_COUNT_MAX  1u
#define SEGUE_SEG_MKEY_CONTEXT_EN_RINVAL_MAX		  1u
#define SEGUE_SEG_MKEY_CONTEXT_PD_MAX			  0xffffffu
#define SEGUE_SEG_MKEY_CONTEXT_ORDER_READ_AFTER_WRITE_MAX 3u
#define SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_READ_MAX  1u
#define SEGUE_SEG_MKEY_CONTEXT_LOG_PAGE_SIZE_MAX	  0x3fu
#define SEGUE_SEG_MKEY_CONTEXT_CRYPTO_EN_MAX		  3u

/**
 * Memory key context segment. Holds the new values of the fields that the UMR control segment
 * selects; the rest is ignored.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_mkey_context_seg; providers/mlx5/mlx5_ifc.h, struct
 * mlx5_ifc_mkc_bits; DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_ifc_mkc_bits
 * (order_read_after_write)
 */
struct segue_seg_mkey_context {
	/*
	 * Set, the key is free: it exists but any access fails. Invalidating a key means setting
	 * it.
	 */
	uint8_t free;
	/* Upper bits of the translation mode, 0 for all modes of access_flags. */
	uint8_t access_mode_4_2;
	/* PCIe writes through this key may pass others. */
	uint8_t relaxed_ordering_write;
	/* RDMA READ responses through this key are fenced (small_fence_on_rdma_read_response). */
	uint8_t small_fence;
	/*
	 * Access rights, and the translation mode in the low two bits. Any of enum
	 * segue_mkey_access.
	 */
	uint8_t access_flags;
	/*
	 * Declared by mlx5dv.h under this name; reserved in the key context of mlx5_ifc.h and never
	 * written. Leave 0.
	 */
	uint8_t sf;
	/* Number of the only queue pair that may use the key; 0xffffff for any. */
	uint32_t qpn;
	/*
	 * Low eight bits of the key, free for the user to vary, so that old copies of the key stop
	 * working.
	 */
	uint8_t mkey_7_0;
	/* The key covers the whole address space and len is ignored. */
	uint8_t length64;
	/* Byte stream formats (signature, crypto) are applied. */
	uint8_t bsf_en;
	/* The key is changed only when earlier users have finished. */
	uint8_t sync_umr;
	/*
	 * Parity of the signature errors that software has seen. The device reports the next one
	 * only when it agrees.
	 */
	uint8_t expected_sigerr_count;
	/* The peer may invalidate the key. */
	uint8_t en_rinval;
	/* Number of the protection domain. */
	uint32_t pd;
	/* Address of the first byte, as users of the key count. */
	uint64_t start_addr;
	/* Length that the key covers. Unit: bytes. */
	uint64_t len;
	/* Size of the byte stream formats that the key has room for. Unit: 16 bytes. */
	uint32_t bsf_octword_size;
	/* Size of the translation list that the key has room for. Unit: 16 bytes. */
	uint32_t translations_octword_size;
	/* Ordering of reads after writes. Known from DPDK only. */
	uint8_t order_read_after_write;
	/* PCIe reads through this key may pass others. */
	uint8_t relaxed_ordering_read;
	/* Base-2 logarithm of the page size. Bit 5 exists on newer devices only. */
	uint8_t log_page_size;
	/* 1 allows crypto on the key. */
	uint8_t crypto_en;
};

/** segue_seg_mkey_context_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_mkey_context_pack(void *dst, const struct segue_seg_mkey_context *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->free <= SEGUE_SEG_MKEY_CONTEXT_FREE_MAX);
	SEGUE_DCHECK(v->access_mode_4_2 <= SEGUE_SEG_MKEY_CONTEXT_ACCESS_MODE_4_2_MAX);
	SEGUE_DCHECK(v->relaxed_ordering_write <=
		     SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_WRITE_MAX);
	SEGUE_DCHECK(v->small_fence <= SEGUE_SEG_MKEY_CONTEXT_SMALL_FENCE_MAX);
	SEGUE_DCHECK(v->qpn <= SEGUE_SEG_MKEY_CONTEXT_QPN_MAX);
	SEGUE_DCHECK(v->length64 <= SEGUE_SEG_MKEY_CONTEXT_LENGTH64_MAX);
	SEGUE_DCHECK(v->bsf_en <= SEGUE_SEG_MKEY_CONTEXT_BSF_EN_MAX);
	SEGUE_DCHECK(v->sync_umr <= SEGUE_SEG_MKEY_CONTEXT_SYNC_UMR_MAX);
	SEGUE_DCHECK(v->expected_sigerr_count <= SEGUE_SEG_MKEY_CONTEXT_EXPECTED_SIGERR_COUNT_MAX);
	SEGUE_DCHECK(v->en_rinval <= SEGUE_SEG_MKEY_CONTEXT_EN_RINVAL_MAX);
	SEGUE_DCHECK(v->pd <= SEGUE_SEG_MKEY_CONTEXT_PD_MAX);
	SEGUE_DCHECK(v->order_read_after_write <=
		     SEGUE_SEG_MKEY_CONTEXT_ORDER_READ_AFTER_WRITE_MAX);
	SEGUE_DCHECK(v->relaxed_ordering_read <= SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_READ_MAX);
	SEGUE_DCHECK(v->log_page_size <= SEGUE_SEG_MKEY_CONTEXT_LOG_PAGE_SIZE_MAX);
	SEGUE_DCHECK(v->crypto_en <= SEGUE_SEG_MKEY_CONTEXT_CRYPTO_EN_MAX);
	/*
	 * [30] free, [28:26] access_mode_4_2, [18] relaxed_ordering_write, [16] small_fence, [15:8]
	 * access_flags, [7:0] sf
	 */
	segue_put_be32(p + 0, (uint32_t)v->free << 30 | (uint32_t)v->access_mode_4_2 << 26 |
				      (uint32_t)v->relaxed_ordering_write << 18 |
				      (uint32_t)v->small_fence << 16 |
				      (uint32_t)v->access_flags << 8 | v->sf);
	/* [31:8] qpn, [7:0] mkey_7_0 */
	segue_put_be32(p + 4, v->qpn << 8 | v->mkey_7_0);
	/* reserved */
	segue_put_be32(p + 8, 0);
	/*
	 * [31] length64, [30] bsf_en, [29] sync_umr, [26] expected_sigerr_count, [24] en_rinval,
	 * [23:0] pd
	 */
	segue_put_be32(p + 12, (uint32_t)v->length64 << 31 | (uint32_t)v->bsf_en << 30 |
				       (uint32_t)v->sync_umr << 29 |
				       (uint32_t)v->expected_sigerr_count << 26 |
				       (uint32_t)v->en_rinval << 24 | v->pd);
	segue_put_be64(p + 16, v->start_addr);
	segue_put_be64(p + 24, v->len);
	segue_put_be32(p + 32, v->bsf_octword_size);
	/* reserved */
	memset(p + 36, 0, 16);
	segue_put_be32(p + 52, v->translations_octword_size);
	/* [9:8] order_read_after_write, [6] relaxed_ordering_read, [5:0] log_page_size */
	segue_put_be32(p + 56, (uint32_t)v->order_read_after_write << 8 |
				       (uint32_t)v->relaxed_ordering_read << 6 | v->log_page_size);
	/* [28:27] crypto_en */
	segue_put_be32(p + 60, (uint32_t)v->crypto_en << 27);
}

/**
 * segue_seg_mkey_context_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_mkey_context_unpack(struct segue_seg_mkey_context *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w12 = segue_get_be32(p + 12);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w52 = segue_get_be32(p + 52);
	const uint32_t w56 = segue_get_be32(p + 56);
	const uint32_t w60 = segue_get_be32(p + 60);

	v->free = (uint8_t)((w0 >> 30) & 0x1u);
	v->access_mode_4_2 = (uint8_t)((w0 >> 26) & 0x7u);
	v->relaxed_ordering_write = (uint8_t)((w0 >> 18) & 0x1u);
	v->small_fence = (uint8_t)((w0 >> 16) & 0x1u);
	v->access_flags = (uint8_t)(w0 >> 8);
	v->sf = (uint8_t)w0;
	v->qpn = w4 >> 8;
	v->mkey_7_0 = (uint8_t)w4;
	v->length64 = (uint8_t)(w12 >> 31);
	v->bsf_en = (uint8_t)((w12 >> 30) & 0x1u);
	v->sync_umr = (uint8_t)((w12 >> 29) & 0x1u);
	v->expected_sigerr_count = (uint8_t)((w12 >> 26) & 0x1u);
	v->en_rinval = (uint8_t)((w12 >> 24) & 0x1u);
	v->pd = w12 & 0xffffffu;
	v->start_addr = w16;
	v->len = w24;
	v->bsf_octword_size = w32;
	v->translations_octword_size = w52;
	v->order_read_after_write = (uint8_t)((w56 >> 8) & 0x3u);
	v->relaxed_ordering_read = (uint8_t)((w56 >> 6) & 0x1u);
	v->log_page_size = (uint8_t)(w56 & 0x3fu);
	v->crypto_en = (uint8_t)((w60 >> 27) & 0x3u);
	return (w0 & 0xa3fa0000u) == 0 && segue_get_be32(p + 8) == 0 && (w12 & 0x1a000000u) == 0 &&
	       segue_is_zero(p + 36, 16) && (w56 & 0xfffffc80u) == 0 && (w60 & 0xe7ffffffu) == 0;
}

/**
 * segue_seg_mkey_context_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_mkey_context_check(const struct segue_seg_mkey_context *v,
					       const char **field)
{
	if (v->free > SEGUE_SEG_MKEY_CONTEXT_FREE_MAX) {
		*field = "free";
		return -ERANGE;
	}
	if (v->access_mode_4_2 > SEGUE_SEG_MKEY_CONTEXT_ACCESS_MODE_4_2_MAX) {
		*field = "access_mode_4_2";
		return -ERANGE;
	}
	if (v->relaxed_ordering_write > SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_WRITE_MAX) {
		*field = "relaxed_ordering_write";
		return -ERANGE;
	}
	if (v->small_fence > SEGUE_SEG_MKEY_CONTEXT_SMALL_FENCE_MAX) {
		*field = "small_fence";
		return -ERANGE;
	}
	if (v->qpn > SEGUE_SEG_MKEY_CONTEXT_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	if (v->length64 > SEGUE_SEG_MKEY_CONTEXT_LENGTH64_MAX) {
		*field = "length64";
		return -ERANGE;
	}
	if (v->bsf_en > SEGUE_SEG_MKEY_CONTEXT_BSF_EN_MAX) {
		*field = "bsf_en";
		return -ERANGE;
	}
	if (v->sync_umr > SEGUE_SEG_MKEY_CONTEXT_SYNC_UMR_MAX) {
		*field = "sync_umr";
		return -ERANGE;
	}
	if (v->expected_sigerr_count > SEGUE_SEG_MKEY_CONTEXT_EXPECTED_SIGERR_COUNT_MAX) {
		*field = "expected_sigerr_count";
		return -ERANGE;
	}
	if (v->en_rinval > SEGUE_SEG_MKEY_CONTEXT_EN_RINVAL_MAX) {
		*field = "en_rinval";
		return -ERANGE;
	}
	if (v->pd > SEGUE_SEG_MKEY_CONTEXT_PD_MAX) {
		*field = "pd";
		return -ERANGE;
	}
	if (v->order_read_after_write > SEGUE_SEG_MKEY_CONTEXT_ORDER_READ_AFTER_WRITE_MAX) {
		*field = "order_read_after_write";
		return -ERANGE;
	}
	if (v->relaxed_ordering_read > SEGUE_SEG_MKEY_CONTEXT_RELAXED_ORDERING_READ_MAX) {
		*field = "relaxed_ordering_read";
		return -ERANGE;
	}
	if (v->log_page_size > SEGUE_SEG_MKEY_CONTEXT_LOG_PAGE_SIZE_MAX) {
		*field = "log_page_size";
		return -ERANGE;
	}
	if (v->crypto_en > SEGUE_SEG_MKEY_CONTEXT_CRYPTO_EN_MAX) {
		*field = "crypto_en";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_MKEY_INVALIDATE_SIZE 64u /* bytes */
#define SEGUE_SEG_MKEY_INVALIDATE_DS   4u  /* units of 16 bytes */

/**
 * Memory key context of an invalidation: says that the key is free and bound to no queue pair. The
 * mask in the UMR control segment leaves all else alone, and libmlx5 does not write it.
 * Source: providers/mlx5/qp.c, set_umr_mkey_seg with a length of 0; infiniband/mlx5dv.h, struct
 * mlx5_wqe_mkey_context_seg
 */
struct segue_seg_mkey_invalidate {
	/*
	 * Low eight bits that the key shall have. Zero for LOCAL_INV, the new key's for the
	 * unbinding of a memory window.
	 */
	uint8_t mkey_7_0;
};

/** segue_seg_mkey_invalidate_pack() writes all 64 bytes at dst, reserved bits as zero. */
static inline void segue_seg_mkey_invalidate_pack(void *dst,
						  const struct segue_seg_mkey_invalidate *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [30] free = 1 */
	segue_put_be32(p + 0, 0x40000000u);
	/* [31:8] qpn = 16777215, [7:0] mkey_7_0 */
	segue_put_be32(p + 4, 0xffffff00u | v->mkey_7_0);
	/* reserved */
	memset(p + 8, 0, 56);
}

/**
 * segue_seg_mkey_invalidate_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_mkey_invalidate_unpack(struct segue_seg_mkey_invalidate *v,
						    const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->mkey_7_0 = (uint8_t)w4;
	return w0 == 0x40000000u && (w4 & 0xffffff00u) == 0xffffff00u && segue_is_zero(p + 8, 56);
}

/**
 * segue_seg_mkey_invalidate_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_mkey_invalidate_check(const struct segue_seg_mkey_invalidate *v,
						  const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_MMO_DATA_SIZE		  16u /* bytes */
#define SEGUE_SEG_MMO_DATA_DS		  1u  /* units of 16 bytes */
#define SEGUE_SEG_MMO_DATA_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_MMO_DATA_BYTE_COUNT_MAX 0x80000000u

/**
 * Data segment of a memory-to-memory operation: the source, then the destination. Has the form of a
 * data segment, but a length of 0 means 2 GiB.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_data_seg; providers/mlx5/wqe.h, struct mlx5_mmo_wqe;
 * providers/mlx5/qp.c, mlx5_send_wr_memcpy
 */
struct segue_seg_mmo_data {
	/*
	 * Length of the source or destination, at most 2 GiB; libmlx5 gives both the same. Unit:
	 * bytes. The device reads 0 as 0x80000000u.
	 */
	uint32_t byte_count;
	/* Local key of the memory. */
	uint32_t lkey;
	/* First byte, as the memory region counts addresses. */
	uint64_t addr;
};

/** segue_seg_mmo_data_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_mmo_data_pack(void *dst, const struct segue_seg_mmo_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->byte_count >= SEGUE_SEG_MMO_DATA_BYTE_COUNT_MIN);
	SEGUE_DCHECK(v->byte_count <= SEGUE_SEG_MMO_DATA_BYTE_COUNT_MAX);
	/* [30:0] byte_count */
	segue_put_be32(p + 0, (v->byte_count & 0x7fffffffu));
	segue_put_be32(p + 4, v->lkey);
	segue_put_be64(p + 8, v->addr);
}

/**
 * segue_seg_mmo_data_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_mmo_data_unpack(struct segue_seg_mmo_data *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->byte_count = w0 & 0x7fffffffu;
	if (v->byte_count == 0)
		v->byte_count = 0x80000000u;
	v->lkey = w4;
	v->addr = w8;
	return (w0 & 0x80000000u) == 0;
}

/**
 * segue_seg_mmo_data_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_mmo_data_check(const struct segue_seg_mmo_data *v, const char **field)
{
	if (v->byte_count < SEGUE_SEG_MMO_DATA_BYTE_COUNT_MIN ||
	    v->byte_count > SEGUE_SEG_MMO_DATA_BYTE_COUNT_MAX) {
		*field = "byte_count";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_MMO_METADATA_SIZE 16u /* bytes */
#define SEGUE_SEG_MMO_METADATA_DS   1u	/* units of 16 bytes */

/**
 * Metadata segment of a memory-to-memory operation. Holds the operation's parameters and names a
 * piece of memory, set aside for it, where the engine keeps state and reports results.
 * Source: providers/mlx5/wqe.h, struct mlx5_mmo_metadata_seg; providers/mlx5/qp.c,
 * mlx5_send_wr_memcpy; DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_metadata_seg
 */
struct segue_seg_mmo_metadata {
	/*
	 * Lower half of the control word, 0 for DMA. The upper half is the immediate field of the
	 * control segment.
	 */
	uint32_t mmo_control_31_0;
	/* Local key of the state memory (opaque buffer). */
	uint32_t local_key;
	/*
	 * Address of the state memory. libmlx5 has one per protection domain, for DMA; DPDK one per
	 * operation in flight where results come back.
	 */
	uint64_t local_address;
};

/** segue_seg_mmo_metadata_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_mmo_metadata_pack(void *dst, const struct segue_seg_mmo_metadata *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->mmo_control_31_0);
	segue_put_be32(p + 4, v->local_key);
	segue_put_be64(p + 8, v->local_address);
}

/**
 * segue_seg_mmo_metadata_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_mmo_metadata_unpack(struct segue_seg_mmo_metadata *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->mmo_control_31_0 = w0;
	v->local_key = w4;
	v->local_address = w8;
	return true;
}

/**
 * segue_seg_mmo_metadata_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_mmo_metadata_check(const struct segue_seg_mmo_metadata *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_SIZE			44u /* bytes */
#define SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_FETCH_ADD_MAX 1u
#define SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_CMP_SWAP_MAX	1u
#define SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_FETCH_ADD_MAX	1u
#define SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_CMP_SWAP_MAX		1u

/**
 * Beginning of the answer to QUERY_HCA_CAP for the capabilities of atomic operations, as far as the
 * library looks.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_query_hca_cap_out_bits and struct
 * mlx5_ifc_atomic_caps_bits; UCX src/uct/ib/mlx5/dv/ib_mlx5_ifc.h, UCT_IB_MLX5_ATOMIC_OPS_*
 */
struct segue_seg_query_hca_cap_atomic_out {
	/* 0 if the command was done. */
	uint8_t status;
	/* Why it was not, for the vendor. */
	uint32_t syndrome;
	/* The device adds with a mask. */
	uint8_t masked_fetch_add;
	/* The device compares and swaps with masks. */
	uint8_t masked_cmp_swap;
	/* The device adds. */
	uint8_t fetch_add;
	/* The device compares and swaps. */
	uint8_t cmp_swap;
	/* Sizes of masked operands on connected queue pairs: bit n for 2^n bytes. */
	uint16_t atomic_size_qp;
	/* The same on DC. */
	uint16_t atomic_size_dc;
};

/** segue_seg_query_hca_cap_atomic_out_pack() writes all 44 bytes at dst, reserved bits as zero. */
static inline void segue_seg_query_hca_cap_atomic_out_pack(
	void *dst, const struct segue_seg_query_hca_cap_atomic_out *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->masked_fetch_add <=
		     SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_FETCH_ADD_MAX);
	SEGUE_DCHECK(v->masked_cmp_swap <= SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_CMP_SWAP_MAX);
	SEGUE_DCHECK(v->fetch_add <= SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_FETCH_ADD_MAX);
	SEGUE_DCHECK(v->cmp_swap <= SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_CMP_SWAP_MAX);
	/* [31:24] status */
	segue_put_be32(p + 0, (uint32_t)v->status << 24);
	segue_put_be32(p + 4, v->syndrome);
	/* reserved */
	memset(p + 8, 0, 24);
	/* [3] masked_fetch_add, [2] masked_cmp_swap, [1] fetch_add, [0] cmp_swap */
	segue_put_be32(p + 32, (uint32_t)v->masked_fetch_add << 3 |
				       (uint32_t)v->masked_cmp_swap << 2 |
				       (uint32_t)v->fetch_add << 1 | v->cmp_swap);
	/* [15:0] atomic_size_qp */
	segue_put_be32(p + 36, v->atomic_size_qp);
	/* [15:0] atomic_size_dc */
	segue_put_be32(p + 40, v->atomic_size_dc);
}

/**
 * segue_seg_query_hca_cap_atomic_out_unpack() fills *v, and returns false when a reserved bit is
 * set or a constant differs.
 */
static inline bool segue_seg_query_hca_cap_atomic_out_unpack(
	struct segue_seg_query_hca_cap_atomic_out *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w32 = segue_get_be32(p + 32);
	const uint32_t w36 = segue_get_be32(p + 36);
	const uint32_t w40 = segue_get_be32(p + 40);

	v->status = (uint8_t)(w0 >> 24);
	v->syndrome = w4;
	v->masked_fetch_add = (uint8_t)((w32 >> 3) & 0x1u);
	v->masked_cmp_swap = (uint8_t)((w32 >> 2) & 0x1u);
	v->fetch_add = (uint8_t)((w32 >> 1) & 0x1u);
	v->cmp_swap = (uint8_t)(w32 & 0x1u);
	v->atomic_size_qp = (uint16_t)w36;
	v->atomic_size_dc = (uint16_t)w40;
	return (w0 & 0xffffffu) == 0 && segue_is_zero(p + 8, 24) && (w32 & 0xfffffff0u) == 0 &&
	       (w36 & 0xffff0000u) == 0 && (w40 & 0xffff0000u) == 0;
}

/**
 * segue_seg_query_hca_cap_atomic_out_check() returns 0, or -ERANGE with *field naming the first
 * field whose value the segment cannot hold.
 */
static inline int segue_seg_query_hca_cap_atomic_out_check(
	const struct segue_seg_query_hca_cap_atomic_out *v, const char **field)
{
	if (v->masked_fetch_add > SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_FETCH_ADD_MAX) {
		*field = "masked_fetch_add";
		return -ERANGE;
	}
	if (v->masked_cmp_swap > SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_MASKED_CMP_SWAP_MAX) {
		*field = "masked_cmp_swap";
		return -ERANGE;
	}
	if (v->fetch_add > SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_FETCH_ADD_MAX) {
		*field = "fetch_add";
		return -ERANGE;
	}
	if (v->cmp_swap > SEGUE_SEG_QUERY_HCA_CAP_ATOMIC_OUT_CMP_SWAP_MAX) {
		*field = "cmp_swap";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_QUERY_HCA_CAP_OUT_SIZE		       88u /* bytes */
#define SEGUE_SEG_QUERY_HCA_CAP_OUT_LOG_MAX_KLM_LIST_SIZE_MAX  0x3fu
#define SEGUE_SEG_QUERY_HCA_CAP_OUT_COMPACT_ADDRESS_VECTOR_MAX 1u
#define SEGUE_SEG_QUERY_HCA_CAP_OUT_DCT_MAX		       1u
#define SEGUE_SEG_QUERY_HCA_CAP_OUT_XRC_MAX		       1u

/**
 * Beginning of the answer to QUERY_HCA_CAP for the general capabilities, as far as the library
 * looks.
 * Source: providers/mlx5/mlx5_ifc.h, struct mlx5_ifc_query_hca_cap_out_bits and struct
 * mlx5_ifc_cmd_hca_cap_bits
 */
struct segue_seg_query_hca_cap_out {
	/* 0 if the command was done. */
	uint8_t status;
	/* Why it was not, for the vendor. */
	uint32_t syndrome;
	/* Binary logarithm of the entries that the list of an indirect key may have. */
	uint8_t log_max_klm_list_size;
	/* The device takes the compact form of address vectors. */
	uint8_t compact_address_vector;
	/* The device has dynamically connected transport. */
	uint8_t dct;
	/* The device has XRC. */
	uint8_t xrc;
};

/** segue_seg_query_hca_cap_out_pack() writes all 88 bytes at dst, reserved bits as zero. */
static inline void segue_seg_query_hca_cap_out_pack(void *dst,
						    const struct segue_seg_query_hca_cap_out *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->log_max_klm_list_size <=
		     SEGUE_SEG_QUERY_HCA_CAP_OUT_LOG_MAX_KLM_LIST_SIZE_MAX);
	SEGUE_DCHECK(v->compact_address_vector <=
		     SEGUE_SEG_QUERY_HCA_CAP_OUT_COMPACT_ADDRESS_VECTOR_MAX);
	SEGUE_DCHECK(v->dct <= SEGUE_SEG_QUERY_HCA_CAP_OUT_DCT_MAX);
	SEGUE_DCHECK(v->xrc <= SEGUE_SEG_QUERY_HCA_CAP_OUT_XRC_MAX);
	/* [31:24] status */
	segue_put_be32(p + 0, (uint32_t)v->status << 24);
	segue_put_be32(p + 4, v->syndrome);
	/* reserved */
	memset(p + 8, 0, 40);
	/* [5:0] log_max_klm_list_size */
	segue_put_be32(p + 48, v->log_max_klm_list_size);
	/* reserved */
	memset(p + 52, 0, 28);
	/* [31] compact_address_vector, [5] dct */
	segue_put_be32(p + 80, (uint32_t)v->compact_address_vector << 31 | (uint32_t)v->dct << 5);
	/* [3] xrc */
	segue_put_be32(p + 84, (uint32_t)v->xrc << 3);
}

/**
 * segue_seg_query_hca_cap_out_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_query_hca_cap_out_unpack(struct segue_seg_query_hca_cap_out *v,
						      const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w48 = segue_get_be32(p + 48);
	const uint32_t w80 = segue_get_be32(p + 80);
	const uint32_t w84 = segue_get_be32(p + 84);

	v->status = (uint8_t)(w0 >> 24);
	v->syndrome = w4;
	v->log_max_klm_list_size = (uint8_t)(w48 & 0x3fu);
	v->compact_address_vector = (uint8_t)(w80 >> 31);
	v->dct = (uint8_t)((w80 >> 5) & 0x1u);
	v->xrc = (uint8_t)((w84 >> 3) & 0x1u);
	return (w0 & 0xffffffu) == 0 && segue_is_zero(p + 8, 40) && (w48 & 0xffffffc0u) == 0 &&
	       segue_is_zero(p + 52, 28) && (w80 & 0x7fffffdfu) == 0 && (w84 & 0xfffffff7u) == 0;
}

/**
 * segue_seg_query_hca_cap_out_check() returns 0, or -ERANGE with *field naming the first field
 * whose value the segment cannot hold.
 */
static inline int segue_seg_query_hca_cap_out_check(const struct segue_seg_query_hca_cap_out *v,
						    const char **field)
{
	if (v->log_max_klm_list_size > SEGUE_SEG_QUERY_HCA_CAP_OUT_LOG_MAX_KLM_LIST_SIZE_MAX) {
		*field = "log_max_klm_list_size";
		return -ERANGE;
	}
	if (v->compact_address_vector > SEGUE_SEG_QUERY_HCA_CAP_OUT_COMPACT_ADDRESS_VECTOR_MAX) {
		*field = "compact_address_vector";
		return -ERANGE;
	}
	if (v->dct > SEGUE_SEG_QUERY_HCA_CAP_OUT_DCT_MAX) {
		*field = "dct";
		return -ERANGE;
	}
	if (v->xrc > SEGUE_SEG_QUERY_HCA_CAP_OUT_XRC_MAX) {
		*field = "xrc";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_QUERY_XRC_SRQ_OUT_SIZE	   48u /* bytes */
#define SEGUE_SEG_QUERY_XRC_SRQ_OUT_DS		   3u  /* units of 16 bytes */
#define SEGUE_SEG_QUERY_XRC_SRQ_OUT_XRCD_MAX	   0xffffffu
#define SEGUE_SEG_QUERY_XRC_SRQ_OUT_CQN_MAX	   0xffffffu
#define SEGUE_SEG_QUERY_XRC_SRQ_OUT_USER_INDEX_MAX 0xffffffu

/**
 * Beginning of the answer to QUERY_XRC_SRQ, as far as the library looks.
 * Source: Linux include/linux/mlx5/mlx5_ifc.h, struct mlx5_ifc_query_xrc_srq_out_bits and struct
 * mlx5_ifc_xrc_srqc_bits
 */
struct segue_seg_query_xrc_srq_out {
	/* 0 if the command was done. */
	uint8_t status;
	/* Why it was not, for the vendor. */
	uint32_t syndrome;
	/* Number of the XRC domain. */
	uint32_t xrcd;
	/* Number of the completion queue. */
	uint32_t cqn;
	/* What completions of version 1 carry in srqn_uidx to name this queue. */
	uint32_t user_index;
};

/** segue_seg_query_xrc_srq_out_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_query_xrc_srq_out_pack(void *dst,
						    const struct segue_seg_query_xrc_srq_out *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->xrcd <= SEGUE_SEG_QUERY_XRC_SRQ_OUT_XRCD_MAX);
	SEGUE_DCHECK(v->cqn <= SEGUE_SEG_QUERY_XRC_SRQ_OUT_CQN_MAX);
	SEGUE_DCHECK(v->user_index <= SEGUE_SEG_QUERY_XRC_SRQ_OUT_USER_INDEX_MAX);
	/* [31:24] status */
	segue_put_be32(p + 0, (uint32_t)v->status << 24);
	segue_put_be32(p + 4, v->syndrome);
	/* reserved */
	segue_put_be32(p + 8, 0);
	segue_put_be64(p + 12, 0);
	/* [23:0] xrcd */
	segue_put_be32(p + 20, v->xrcd);
	/* [23:0] cqn */
	segue_put_be32(p + 24, v->cqn);
	/* reserved */
	segue_put_be32(p + 28, 0);
	/* [23:0] user_index */
	segue_put_be32(p + 32, v->user_index);
	/* reserved */
	segue_put_be32(p + 36, 0);
	segue_put_be64(p + 40, 0);
}

/**
 * segue_seg_query_xrc_srq_out_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_query_xrc_srq_out_unpack(struct segue_seg_query_xrc_srq_out *v,
						      const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w20 = segue_get_be32(p + 20);
	const uint32_t w24 = segue_get_be32(p + 24);
	const uint32_t w32 = segue_get_be32(p + 32);

	v->status = (uint8_t)(w0 >> 24);
	v->syndrome = w4;
	v->xrcd = w20 & 0xffffffu;
	v->cqn = w24 & 0xffffffu;
	v->user_index = w32 & 0xffffffu;
	return (w0 & 0xffffffu) == 0 && segue_is_zero(p + 8, 12) && (w20 & 0xff000000u) == 0 &&
	       (w24 & 0xff000000u) == 0 && segue_get_be32(p + 28) == 0 &&
	       (w32 & 0xff000000u) == 0 && segue_is_zero(p + 36, 12);
}

/**
 * segue_seg_query_xrc_srq_out_check() returns 0, or -ERANGE with *field naming the first field
 * whose value the segment cannot hold.
 */
static inline int segue_seg_query_xrc_srq_out_check(const struct segue_seg_query_xrc_srq_out *v,
						    const char **field)
{
	if (v->xrcd > SEGUE_SEG_QUERY_XRC_SRQ_OUT_XRCD_MAX) {
		*field = "xrcd";
		return -ERANGE;
	}
	if (v->cqn > SEGUE_SEG_QUERY_XRC_SRQ_OUT_CQN_MAX) {
		*field = "cqn";
		return -ERANGE;
	}
	if (v->user_index > SEGUE_SEG_QUERY_XRC_SRQ_OUT_USER_INDEX_MAX) {
		*field = "user_index";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_RADDR_SIZE 16u /* bytes */
#define SEGUE_SEG_RADDR_DS   1u	 /* units of 16 bytes */

/**
 * Remote address segment. Says where in the peer's memory an RDMA or atomic operation lands.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_raddr_seg; providers/mlx5/qp.c, set_raddr_seg; UCX
 * src/uct/ib/mlx5/ib_mlx5.inl, uct_ib_mlx5_ep_set_rdma_seg (leaves the last dword as it was in the
 * ring)
 */
struct segue_seg_raddr {
	/*
	 * First byte of the target, as the peer's memory region counts addresses. Must be aligned
	 * to the operand for atomics.
	 */
	uint64_t remote_addr;
	/* Remote key handed over by the peer for that memory region or window. */
	uint32_t rkey;
};

/** segue_seg_raddr_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_raddr_pack(void *dst, const struct segue_seg_raddr *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->remote_addr);
	segue_put_be32(p + 8, v->rkey);
	/* reserved */
	segue_put_be32(p + 12, 0);
}

/**
 * segue_seg_raddr_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_raddr_unpack(struct segue_seg_raddr *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->remote_addr = w0;
	v->rkey = w8;
	return segue_get_be32(p + 12) == 0;
}

/**
 * segue_seg_raddr_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_raddr_check(const struct segue_seg_raddr *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_REPEAT_BLOCK_SIZE 16u /* bytes */
#define SEGUE_SEG_REPEAT_BLOCK_DS   1u	/* units of 16 bytes */

/**
 * Head of an interleaved translation list. The entries that follow are taken in turn, one block of
 * each, again and again.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_umr_repeat_block_seg; providers/mlx5/qp.c,
 * umr_strided_seg_create
 */
struct segue_seg_repeat_block {
	/*
	 * Bytes of one round, which is the sum of the block lengths over the entries. Unit: bytes.
	 */
	uint32_t byte_count;
	/* Number of rounds, that is how many blocks are taken from each entry. */
	uint32_t repeat_count;
	/* Number of entries that follow. */
	uint16_t num_ent;
};

/** segue_seg_repeat_block_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_repeat_block_pack(void *dst, const struct segue_seg_repeat_block *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->byte_count);
	/* [31:0] op = 1024 */
	segue_put_be32(p + 4, 0x400u);
	segue_put_be32(p + 8, v->repeat_count);
	/* [15:0] num_ent */
	segue_put_be32(p + 12, v->num_ent);
}

/**
 * segue_seg_repeat_block_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_repeat_block_unpack(struct segue_seg_repeat_block *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->byte_count = w0;
	v->repeat_count = w8;
	v->num_ent = (uint16_t)w12;
	return w4 == 0x400u && (w12 & 0xffff0000u) == 0;
}

/**
 * segue_seg_repeat_block_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_repeat_block_check(const struct segue_seg_repeat_block *v,
					       const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_REPEAT_ENT_SIZE 16u /* bytes */
#define SEGUE_SEG_REPEAT_ENT_DS	  1u  /* units of 16 bytes */

/**
 * Entry of an interleaved translation list: equal blocks at equal distances.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_umr_repeat_ent_seg
 */
struct segue_seg_repeat_ent {
	/*
	 * Distance from the start of one block to the start of the next; larger than byte_count
	 * when bytes are skipped. Unit: bytes.
	 */
	uint16_t stride;
	/* Length of a block, of which one is taken in each round. Unit: bytes. */
	uint16_t byte_count;
	/* Local key of the memory region that the blocks are cut from. */
	uint32_t memkey;
	/* First byte of the first block, as that key counts addresses. */
	uint64_t va;
};

/** segue_seg_repeat_ent_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_repeat_ent_pack(void *dst, const struct segue_seg_repeat_ent *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:16] stride, [15:0] byte_count */
	segue_put_be32(p + 0, (uint32_t)v->stride << 16 | v->byte_count);
	segue_put_be32(p + 4, v->memkey);
	segue_put_be64(p + 8, v->va);
}

/**
 * segue_seg_repeat_ent_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_repeat_ent_unpack(struct segue_seg_repeat_ent *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->stride = (uint16_t)(w0 >> 16);
	v->byte_count = (uint16_t)w0;
	v->memkey = w4;
	v->va = w8;
	return true;
}

/**
 * segue_seg_repeat_ent_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_repeat_ent_check(const struct segue_seg_repeat_ent *v,
					     const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_RVH_SIZE 16u /* bytes */
#define SEGUE_SEG_RVH_DS   1u  /* units of 16 bytes */

/**
 * Rendezvous header, which follows the tag-matching header of a RNDV message. Tells the receiver's
 * device where to read the data.
 * Source: infiniband/tm_types.h, struct ibv_rvh
 */
struct segue_seg_rvh {
	uint64_t va;   /* First byte of the data in the sender's memory. */
	uint32_t rkey; /* Remote key with which the receiver reads them. */
	uint32_t len;  /* Length of the data that the receiver has to read. Unit: bytes. */
};

/** segue_seg_rvh_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_rvh_pack(void *dst, const struct segue_seg_rvh *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->va);
	segue_put_be32(p + 8, v->rkey);
	segue_put_be32(p + 12, v->len);
}

/**
 * segue_seg_rvh_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_rvh_unpack(struct segue_seg_rvh *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->va = w0;
	v->rkey = w8;
	v->len = w12;
	return true;
}

/**
 * segue_seg_rvh_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_rvh_check(const struct segue_seg_rvh *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_RWQE_SIG_SIZE 16u /* bytes */
#define SEGUE_SEG_RWQE_SIG_DS	1u  /* units of 16 bytes */

/**
 * Receive WQE signature. First unit of a receive WQE on queues with WQE signatures.
 * Source: providers/mlx5/wqe.h, struct mlx5_rwqe_sig; providers/mlx5/qp.c, set_sig_seg
 */
struct segue_seg_rwqe_sig {
	/* Complement of the exclusive or of all bytes of the WQE and of its index. */
	uint8_t signature;
};

/** segue_seg_rwqe_sig_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_rwqe_sig_pack(void *dst, const struct segue_seg_rwqe_sig *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:0] no_byte_count = 0 */
	segue_put_be32(p + 0, 0);
	/* [31:24] signature */
	segue_put_be32(p + 4, (uint32_t)v->signature << 24);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_rwqe_sig_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_rwqe_sig_unpack(struct segue_seg_rwqe_sig *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->signature = (uint8_t)(w4 >> 24);
	return w0 == 0 && (w4 & 0xffffffu) == 0 && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_rwqe_sig_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_rwqe_sig_check(const struct segue_seg_rwqe_sig *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_SEND_EN_SIZE	  16u /* bytes */
#define SEGUE_SEG_SEND_EN_DS	  1u  /* units of 16 bytes */
#define SEGUE_SEG_SEND_EN_QPN_MAX 0xffffffu

/**
 * Segment of SEND_EN. Lets another send queue, created as a slave of cross-channel chaining, run up
 * to the given producer index.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_qseg; DPDK
 * drivers/net/mlx5/mlx5_txpp.c, mlx5_txpp_fill_wqe_rearm_queue
 * Known from secondary sources only.
 */
struct segue_seg_send_en {
	uint16_t max_index; /* Producer index, in 64-byte blocks, up to which the queue may run. */
	uint32_t qpn;	    /* Number of the send queue or queue pair. */
};

/** segue_seg_send_en_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_send_en_pack(void *dst, const struct segue_seg_send_en *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->qpn <= SEGUE_SEG_SEND_EN_QPN_MAX);
	/* reserved */
	segue_put_be64(p + 0, 0);
	/* [15:0] max_index */
	segue_put_be32(p + 8, v->max_index);
	/* [23:0] qpn */
	segue_put_be32(p + 12, v->qpn);
}

/**
 * segue_seg_send_en_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_send_en_unpack(struct segue_seg_send_en *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->max_index = (uint16_t)w8;
	v->qpn = w12 & 0xffffffu;
	return segue_get_be64(p + 0) == 0 && (w8 & 0xffff0000u) == 0 && (w12 & 0xff000000u) == 0;
}

/**
 * segue_seg_send_en_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_send_en_check(const struct segue_seg_send_en *v, const char **field)
{
	if (v->qpn > SEGUE_SEG_SEND_EN_QPN_MAX) {
		*field = "qpn";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_SET_PSV_SIZE		16u /* bytes */
#define SEGUE_SEG_SET_PSV_DS		1u  /* units of 16 bytes */
#define SEGUE_SEG_SET_PSV_PSV_INDEX_MAX 0xffffffu

/**
 * SET_PSV segment. Gives a protection signature value its starting state, which a signature key
 * needs before its first use and after an error.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_set_psv_seg; providers/mlx5/qp.c, mlx5_umr_set_psv;
 * Linux include/linux/mlx5/qp.h, struct mlx5_seg_set_psv (status)
 */
struct segue_seg_set_psv {
	/* Number of the protection signature value, as the device gave it when it was created. */
	uint32_t psv_index;
	/* Error state to set; always 0. */
	uint16_t syndrome;
	/* Status to set; always 0. Reserved in libmlx5. */
	uint16_t status;
	/*
	 * Starting state. T10-DIF: guard 63:48, application tag 47:32, reference tag 31:0. CRC-32:
	 * seed in 63:32. CRC-64: seed.
	 */
	uint64_t transient_signature;
};

/** segue_seg_set_psv_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_set_psv_pack(void *dst, const struct segue_seg_set_psv *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->psv_index <= SEGUE_SEG_SET_PSV_PSV_INDEX_MAX);
	/* [23:0] psv_index */
	segue_put_be32(p + 0, v->psv_index);
	/* [31:16] syndrome, [15:0] status */
	segue_put_be32(p + 4, (uint32_t)v->syndrome << 16 | v->status);
	segue_put_be64(p + 8, v->transient_signature);
}

/**
 * segue_seg_set_psv_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_set_psv_unpack(struct segue_seg_set_psv *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->psv_index = w0 & 0xffffffu;
	v->syndrome = (uint16_t)(w4 >> 16);
	v->status = (uint16_t)w4;
	v->transient_signature = w8;
	return (w0 & 0xff000000u) == 0;
}

/**
 * segue_seg_set_psv_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_set_psv_check(const struct segue_seg_set_psv *v, const char **field)
{
	if (v->psv_index > SEGUE_SEG_SET_PSV_PSV_INDEX_MAX) {
		*field = "psv_index";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_SIGNATURE_SIZE 16u /* bytes */
#define SEGUE_SEG_SIGNATURE_DS	 1u  /* units of 16 bytes */

/**
 * WQE signature segment. On queues with WQE signatures it protects the WQE against corruption on
 * its way to the device. Declared; libmlx5 writes the signature into the control segment instead.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_signature_seg
 */
struct segue_seg_signature {
	uint8_t signature; /* Complement of the exclusive or of all bytes of the WQE. */
};

/** segue_seg_signature_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_signature_pack(void *dst, const struct segue_seg_signature *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* reserved */
	segue_put_be32(p + 0, 0);
	/* [31:24] signature */
	segue_put_be32(p + 4, (uint32_t)v->signature << 24);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_signature_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_signature_unpack(struct segue_seg_signature *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w4 = segue_get_be32(p + 4);

	v->signature = (uint8_t)(w4 >> 24);
	return segue_get_be32(p + 0) == 0 && (w4 & 0xffffffu) == 0 && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_signature_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_signature_check(const struct segue_seg_signature *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_SRQ_NEXT_SIZE 16u /* bytes */
#define SEGUE_SEG_SRQ_NEXT_DS	1u  /* units of 16 bytes */

/**
 * First segment of a shared-receive WQE. Links the free entries of the queue into a list, which is
 * the order in which the device uses them.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_srq_next_seg; providers/mlx5/srq.c
 */
struct segue_seg_srq_next {
	/* Index of the next WQE in the list. The device follows it when it needs another buffer. */
	uint16_t next_wqe_index;
	/* Signature on queues with WQE signatures, else 0. */
	uint8_t signature;
};

/** segue_seg_srq_next_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_srq_next_pack(void *dst, const struct segue_seg_srq_next *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [15:0] next_wqe_index */
	segue_put_be32(p + 0, v->next_wqe_index);
	/* [31:24] signature */
	segue_put_be32(p + 4, (uint32_t)v->signature << 24);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_srq_next_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_srq_next_unpack(struct segue_seg_srq_next *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->next_wqe_index = (uint16_t)w0;
	v->signature = (uint8_t)(w4 >> 24);
	return (w0 & 0xffff0000u) == 0 && (w4 & 0xffffffu) == 0 && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_srq_next_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_srq_next_check(const struct segue_seg_srq_next *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_TM_SIZE	32u /* bytes */
#define SEGUE_SEG_TM_DS		2u  /* units of 16 bytes */
#define SEGUE_SEG_TM_OPCODE_MAX 0xfu

/**
 * Tag-matching segment. Changes the tag list of a tag-matching SRQ and reports to the device how
 * many unexpected messages software has taken.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_tm_seg; providers/mlx5/qp.c, set_tm_seg and
 * mlx5_post_srq_ops (index: tag->next - srq->tm_list)
 */
struct segue_seg_tm {
	/* What is done with the tag list. One of enum segue_tm_opcode. */
	uint8_t opcode;
	/* Whether a completion is wanted and whether sw_cnt is valid. Any of enum segue_tm_flag. */
	uint8_t flags;
	/*
	 * On removal the number of the entry. On append the number that the next append will give:
	 * software keeps its free entries in a list, the first append fills entry 0. Completions
	 * name entries by it, in app_info.
	 */
	uint16_t index;
	/*
	 * Unexpected messages that software has handled so far. The device appends only while its
	 * own count agrees, so no message is missed.
	 */
	uint16_t sw_cnt;
	/* Tag that a message must carry, in the bits of append_mask. */
	uint64_t append_tag;
	/* Bits of the tag that are compared. */
	uint64_t append_mask;
};

/** segue_seg_tm_pack() writes all 32 bytes at dst, reserved bits as zero. */
static inline void segue_seg_tm_pack(void *dst, const struct segue_seg_tm *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->opcode <= SEGUE_SEG_TM_OPCODE_MAX);
	/* [31:28] opcode, [23:16] flags, [15:0] index */
	segue_put_be32(p + 0, (uint32_t)v->opcode << 28 | (uint32_t)v->flags << 16 | v->index);
	/* [15:0] sw_cnt */
	segue_put_be32(p + 4, v->sw_cnt);
	/* reserved */
	segue_put_be64(p + 8, 0);
	segue_put_be64(p + 16, v->append_tag);
	segue_put_be64(p + 24, v->append_mask);
}

/**
 * segue_seg_tm_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_tm_unpack(struct segue_seg_tm *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);

	v->opcode = (uint8_t)(w0 >> 28);
	v->flags = (uint8_t)(w0 >> 16);
	v->index = (uint16_t)w0;
	v->sw_cnt = (uint16_t)w4;
	v->append_tag = w16;
	v->append_mask = w24;
	return (w0 & 0xf000000u) == 0 && (w4 & 0xffff0000u) == 0 && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_tm_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_tm_check(const struct segue_seg_tm *v, const char **field)
{
	if (v->opcode > SEGUE_SEG_TM_OPCODE_MAX) {
		*field = "opcode";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_TMH_SIZE 16u /* bytes */
#define SEGUE_SEG_TMH_DS   1u  /* units of 16 bytes */

/**
 * Tag-matching header, the first 16 bytes of a message to a tag-matching SRQ. Written by the
 * sender's software; the device of the receiver reads it.
 * Source: infiniband/tm_types.h, struct ibv_tmh
 */
struct segue_seg_tmh {
	/*
	 * Kind of the message, from which the receiving device knows what follows the header. One
	 * of enum segue_tmh_opcode.
	 */
	uint8_t opcode;
	/* Free for software; the receiver finds it in the header that the device stores. */
	uint32_t app_ctx;
	/* The tag, which the receiving device compares with the entries of its tag list. */
	uint64_t tag;
};

/** segue_seg_tmh_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_tmh_pack(void *dst, const struct segue_seg_tmh *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [31:24] opcode */
	segue_put_be32(p + 0, (uint32_t)v->opcode << 24);
	segue_put_be32(p + 4, v->app_ctx);
	segue_put_be64(p + 8, v->tag);
}

/**
 * segue_seg_tmh_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_tmh_unpack(struct segue_seg_tmh *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->opcode = (uint8_t)(w0 >> 24);
	v->app_ctx = w4;
	v->tag = w8;
	return (w0 & 0xffffffu) == 0;
}

/**
 * segue_seg_tmh_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_tmh_check(const struct segue_seg_tmh *v, const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_TRANSPOSE_SIZE	 16u /* bytes */
#define SEGUE_SEG_TRANSPOSE_DS		 1u  /* units of 16 bytes */
#define SEGUE_SEG_TRANSPOSE_NUM_COLS_MAX 0x7fu
#define SEGUE_SEG_TRANSPOSE_NUM_ROWS_MAX 0x7fu

/**
 * Transpose segment of LOCAL_MMO. Gives the shape of the matrix; two data segments, source and
 * destination, follow.
 * Source: UCC src/components/tl/mlx5/tl_mlx5_wqe.c, struct transpose_seg
 * Known from secondary sources only.
 */
struct segue_seg_transpose {
	/* Size of a matrix element, which is moved as a whole. Unit: bytes. */
	uint8_t element_size;
	/*
	 * Number of columns of the source matrix. UCC notes that NVIDIA's manual has rows first
	 * here, and believes the manual's naming to be wrong.
	 */
	uint8_t num_cols;
	/* Number of rows of the source matrix. */
	uint8_t num_rows;
};

/** segue_seg_transpose_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_transpose_pack(void *dst, const struct segue_seg_transpose *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->num_cols <= SEGUE_SEG_TRANSPOSE_NUM_COLS_MAX);
	SEGUE_DCHECK(v->num_rows <= SEGUE_SEG_TRANSPOSE_NUM_ROWS_MAX);
	/* [7:0] element_size */
	segue_put_be32(p + 0, v->element_size);
	/* [22:16] num_cols, [6:0] num_rows */
	segue_put_be32(p + 4, (uint32_t)v->num_cols << 16 | v->num_rows);
	/* reserved */
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_transpose_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_transpose_unpack(struct segue_seg_transpose *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->element_size = (uint8_t)w0;
	v->num_cols = (uint8_t)((w4 >> 16) & 0x7fu);
	v->num_rows = (uint8_t)(w4 & 0x7fu);
	return (w0 & 0xffffff00u) == 0 && (w4 & 0xff80ff80u) == 0 && segue_get_be64(p + 8) == 0;
}

/**
 * segue_seg_transpose_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_transpose_check(const struct segue_seg_transpose *v, const char **field)
{
	if (v->num_cols > SEGUE_SEG_TRANSPOSE_NUM_COLS_MAX) {
		*field = "num_cols";
		return -ERANGE;
	}
	if (v->num_rows > SEGUE_SEG_TRANSPOSE_NUM_ROWS_MAX) {
		*field = "num_rows";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_UMR_CTRL_SIZE			     48u /* bytes */
#define SEGUE_SEG_UMR_CTRL_DS			     3u	 /* units of 16 bytes */
#define SEGUE_SEG_UMR_CTRL_IS_INLINE_MAX	     1u
#define SEGUE_SEG_UMR_CTRL_CHECK_FREE_MAX	     3u
#define SEGUE_SEG_UMR_CTRL_TRANSLATION_OFFSET_EN_MAX 1u
#define SEGUE_SEG_UMR_CTRL_CHECK_QPN_MAX	     1u

/**
 * UMR control segment. Says which fields of the memory key a UMR changes and how long the lists are
 * that follow.
 * Source: infiniband/mlx5dv.h, struct mlx5_wqe_umr_ctrl_seg; Linux include/linux/mlx5/qp.h, struct
 * mlx5_wqe_umr_ctrl_seg (xlt_offset_47_16)
 */
struct segue_seg_umr_ctrl {
	/*
	 * Set, the lists follow in the WQE (MLX5_WQE_UMR_CTRL_FLAG_INLINE); clear, a pointer to
	 * them does.
	 */
	uint8_t is_inline;
	/*
	 * What the free bit of the key must be, or else the UMR fails; protects against binding a
	 * window twice. One of enum segue_umr_check.
	 */
	uint8_t check_free;
	/*
	 * The list replaces entries from an offset on, instead of all of them
	 * (MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET).
	 */
	uint8_t translation_offset_en;
	/* Fails unless the key is bound to this queue pair (MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN). */
	uint8_t check_qpn;
	/*
	 * Length of the translation list (KLMs, or a repeat block with its entries) in units of 16
	 * bytes, padded to a multiple of 64 bytes. Unit: 16 bytes.
	 */
	uint16_t klm_octowords;
	/*
	 * Length of the byte stream formats that follow, 4 per BSF. With translation_offset_en the
	 * low half of the list entry to start from (translation_offset). Unit: 16 bytes.
	 */
	uint16_t bsf_octowords;
	/* Fields of the memory key context that are changed. Any of enum segue_mkey_mask. */
	uint64_t mkey_mask;
	/*
	 * With translation_offset_en the upper part of the list entry to start from. Written by the
	 * kernel only, for large regions.
	 */
	uint32_t xlt_offset_47_16;
};

/** segue_seg_umr_ctrl_pack() writes all 48 bytes at dst, reserved bits as zero. */
static inline void segue_seg_umr_ctrl_pack(void *dst, const struct segue_seg_umr_ctrl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->is_inline <= SEGUE_SEG_UMR_CTRL_IS_INLINE_MAX);
	SEGUE_DCHECK(v->check_free <= SEGUE_SEG_UMR_CTRL_CHECK_FREE_MAX);
	SEGUE_DCHECK(v->translation_offset_en <= SEGUE_SEG_UMR_CTRL_TRANSLATION_OFFSET_EN_MAX);
	SEGUE_DCHECK(v->check_qpn <= SEGUE_SEG_UMR_CTRL_CHECK_QPN_MAX);
	/* [31] is_inline, [30:29] check_free, [28] translation_offset_en, [27] check_qpn */
	segue_put_be32(p + 0, (uint32_t)v->is_inline << 31 | (uint32_t)v->check_free << 29 |
				      (uint32_t)v->translation_offset_en << 28 |
				      (uint32_t)v->check_qpn << 27);
	/* [31:16] klm_octowords, [15:0] bsf_octowords */
	segue_put_be32(p + 4, (uint32_t)v->klm_octowords << 16 | v->bsf_octowords);
	segue_put_be64(p + 8, v->mkey_mask);
	segue_put_be32(p + 16, v->xlt_offset_47_16);
	/* reserved */
	memset(p + 20, 0, 28);
}

/**
 * segue_seg_umr_ctrl_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_umr_ctrl_unpack(struct segue_seg_umr_ctrl *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);
	const uint32_t w16 = segue_get_be32(p + 16);

	v->is_inline = (uint8_t)(w0 >> 31);
	v->check_free = (uint8_t)((w0 >> 29) & 0x3u);
	v->translation_offset_en = (uint8_t)((w0 >> 28) & 0x1u);
	v->check_qpn = (uint8_t)((w0 >> 27) & 0x1u);
	v->klm_octowords = (uint16_t)(w4 >> 16);
	v->bsf_octowords = (uint16_t)w4;
	v->mkey_mask = w8;
	v->xlt_offset_47_16 = w16;
	return (w0 & 0x7ffffffu) == 0 && segue_is_zero(p + 20, 28);
}

/**
 * segue_seg_umr_ctrl_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_umr_ctrl_check(const struct segue_seg_umr_ctrl *v, const char **field)
{
	if (v->is_inline > SEGUE_SEG_UMR_CTRL_IS_INLINE_MAX) {
		*field = "is_inline";
		return -ERANGE;
	}
	if (v->check_free > SEGUE_SEG_UMR_CTRL_CHECK_FREE_MAX) {
		*field = "check_free";
		return -ERANGE;
	}
	if (v->translation_offset_en > SEGUE_SEG_UMR_CTRL_TRANSLATION_OFFSET_EN_MAX) {
		*field = "translation_offset_en";
		return -ERANGE;
	}
	if (v->check_qpn > SEGUE_SEG_UMR_CTRL_CHECK_QPN_MAX) {
		*field = "check_qpn";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_UMR_POINTER_SIZE 16u /* bytes */
#define SEGUE_SEG_UMR_POINTER_DS   1u  /* units of 16 bytes */

/**
 * Pointer to a translation list that is not inline. The list lies in registered memory, aligned to
 * 2048 bytes, which lets it be longer than a WQE.
 * Source: UCC src/components/tl/mlx5/tl_mlx5_wqe.c, struct mlx5_wqe_umr_pointer_seg; Linux
 * drivers/infiniband/hw/mlx5/wr.c, set_reg_data_seg (byte_count)
 * Known from secondary sources only.
 */
struct segue_seg_umr_pointer {
	/*
	 * Length of the list in bytes, padded to 64, as Linux writes it; UCC and DPDK write 0. The
	 * length that counts is klm_octowords. Unit: bytes.
	 */
	uint32_t byte_count;
	/* Local key of the list. */
	uint32_t mkey;
	/* First byte of the list. */
	uint64_t address;
};

/** segue_seg_umr_pointer_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_umr_pointer_pack(void *dst, const struct segue_seg_umr_pointer *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 0, v->byte_count);
	segue_put_be32(p + 4, v->mkey);
	segue_put_be64(p + 8, v->address);
}

/**
 * segue_seg_umr_pointer_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_umr_pointer_unpack(struct segue_seg_umr_pointer *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->byte_count = w0;
	v->mkey = w4;
	v->address = w8;
	return true;
}

/**
 * segue_seg_umr_pointer_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_umr_pointer_check(const struct segue_seg_umr_pointer *v,
					      const char **field)
{
	(void)v;
	(void)field;
	return 0;
}

#define SEGUE_SEG_WAIT_CQ_SIZE		16u /* bytes */
#define SEGUE_SEG_WAIT_CQ_DS		1u  /* units of 16 bytes */
#define SEGUE_SEG_WAIT_CQ_MAX_INDEX_MAX 0xffffffu
#define SEGUE_SEG_WAIT_CQ_CQN_MAX	0xffffffu

/**
 * Segment of WAIT on a completion queue. The send queue stops here until that queue has received
 * completions up to the given index.
 * Source: DPDK drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_qseg; DPDK
 * drivers/net/mlx5/mlx5_txpp.c, mlx5_txpp_fill_wqe_rearm_queue
 * Known from secondary sources only.
 */
struct segue_seg_wait_cq {
	/*
	 * Completion index to wait for, counted like the consumer index, modulo 2 to the power 24.
	 */
	uint32_t max_index;
	/*
	 * Number of the completion queue that is watched; its entries may belong to any other
	 * queue.
	 */
	uint32_t cqn;
};

/** segue_seg_wait_cq_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_wait_cq_pack(void *dst, const struct segue_seg_wait_cq *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->max_index <= SEGUE_SEG_WAIT_CQ_MAX_INDEX_MAX);
	SEGUE_DCHECK(v->cqn <= SEGUE_SEG_WAIT_CQ_CQN_MAX);
	/* reserved */
	segue_put_be64(p + 0, 0);
	/* [23:0] max_index */
	segue_put_be32(p + 8, v->max_index);
	/* [23:0] cqn */
	segue_put_be32(p + 12, v->cqn);
}

/**
 * segue_seg_wait_cq_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_wait_cq_unpack(struct segue_seg_wait_cq *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w8 = segue_get_be32(p + 8);
	const uint32_t w12 = segue_get_be32(p + 12);

	v->max_index = w8 & 0xffffffu;
	v->cqn = w12 & 0xffffffu;
	return segue_get_be64(p + 0) == 0 && (w8 & 0xff000000u) == 0 && (w12 & 0xff000000u) == 0;
}

/**
 * segue_seg_wait_cq_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
static inline int segue_seg_wait_cq_check(const struct segue_seg_wait_cq *v, const char **field)
{
	if (v->max_index > SEGUE_SEG_WAIT_CQ_MAX_INDEX_MAX) {
		*field = "max_index";
		return -ERANGE;
	}
	if (v->cqn > SEGUE_SEG_WAIT_CQ_CQN_MAX) {
		*field = "cqn";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_WAIT_ON_DATA_SIZE	     32u /* bytes */
#define SEGUE_SEG_WAIT_ON_DATA_DS	     2u	 /* units of 16 bytes */
#define SEGUE_SEG_WAIT_ON_DATA_OPERATION_MAX 0xfu
#define SEGUE_SEG_WAIT_ON_DATA_INVERT_MAX    1u

/**
 * Segment of WAIT on data. The send queue stops here until a 64-bit word of memory satisfies a
 * comparison; lets the CPU, a GPU or the peer start prepared work by one write.
 * Source: UCC src/components/tl/mlx5/tl_mlx5_wqe.c, struct wait_on_data_seg; DPDK
 * drivers/common/mlx5/mlx5_prm.h, struct mlx5_wqe_wseg
 * Known from secondary sources only.
 */
struct segue_seg_wait_on_data {
	/* How the word is compared with the value. One of enum segue_wait_cond. */
	uint8_t operation;
	/* Waits for the comparison to fail instead. */
	uint8_t invert;
	/* Local key of the memory region that the word is in. */
	uint32_t lkey;
	/*
	 * Address of the word, a multiple of 8; its low three bits hold the action while the
	 * comparison fails (wait_fail_action).
	 */
	uint64_t va_fail;
	/*
	 * Value to compare with. The word in memory is taken as big-endian; UCC stores both in the
	 * host's order, which is the same for EQUAL.
	 */
	uint64_t data;
	/* Bits that are compared, in the same order. */
	uint64_t data_mask;
};

/** segue_seg_wait_on_data_pack() writes all 32 bytes at dst, reserved bits as zero. */
static inline void segue_seg_wait_on_data_pack(void *dst, const struct segue_seg_wait_on_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->operation <= SEGUE_SEG_WAIT_ON_DATA_OPERATION_MAX);
	SEGUE_DCHECK(v->invert <= SEGUE_SEG_WAIT_ON_DATA_INVERT_MAX);
	/* [3:0] operation, [4] invert */
	segue_put_be32(p + 0, (uint32_t)v->invert << 4 | v->operation);
	segue_put_be32(p + 4, v->lkey);
	segue_put_be64(p + 8, v->va_fail);
	segue_put_be64(p + 16, v->data);
	segue_put_be64(p + 24, v->data_mask);
}

/**
 * segue_seg_wait_on_data_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_wait_on_data_unpack(struct segue_seg_wait_on_data *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);
	const uint64_t w8 = segue_get_be64(p + 8);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);

	v->operation = (uint8_t)(w0 & 0xfu);
	v->invert = (uint8_t)((w0 >> 4) & 0x1u);
	v->lkey = w4;
	v->va_fail = w8;
	v->data = w16;
	v->data_mask = w24;
	return (w0 & 0xffffffe0u) == 0;
}

/**
 * segue_seg_wait_on_data_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_wait_on_data_check(const struct segue_seg_wait_on_data *v,
					       const char **field)
{
	if (v->operation > SEGUE_SEG_WAIT_ON_DATA_OPERATION_MAX) {
		*field = "operation";
		return -ERANGE;
	}
	if (v->invert > SEGUE_SEG_WAIT_ON_DATA_INVERT_MAX) {
		*field = "invert";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_WAIT_ON_TIME_SIZE	     32u /* bytes */
#define SEGUE_SEG_WAIT_ON_TIME_DS	     2u	 /* units of 16 bytes */
#define SEGUE_SEG_WAIT_ON_TIME_OPERATION_MAX 0xfu
#define SEGUE_SEG_WAIT_ON_TIME_INVERT_MAX    1u

/**
 * Segment of WAIT on time. The send queue stops here until the device clock satisfies a comparison;
 * this is how packets are sent at a given time.
 * Source: DPDK drivers/net/mlx5/mlx5_tx.h, mlx5_tx_wseg_init; DPDK drivers/common/mlx5/mlx5_prm.h,
 * struct mlx5_wqe_wseg
 * Known from secondary sources only.
 */
struct segue_seg_wait_on_time {
	/*
	 * Comparison of the given time with the clock; DPDK uses CYCLIC_SMALLER. One of enum
	 * segue_wait_cond.
	 */
	uint8_t operation;
	/* Waits for the comparison to fail instead. */
	uint8_t invert;
	/*
	 * Time in the format of the queue's clock: free-running ticks, or seconds in 63:32 and
	 * nanoseconds in 31:0.
	 */
	uint64_t value;
	/* Bits of the time that are compared. */
	uint64_t mask;
};

/** segue_seg_wait_on_time_pack() writes all 32 bytes at dst, reserved bits as zero. */
static inline void segue_seg_wait_on_time_pack(void *dst, const struct segue_seg_wait_on_time *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->operation <= SEGUE_SEG_WAIT_ON_TIME_OPERATION_MAX);
	SEGUE_DCHECK(v->invert <= SEGUE_SEG_WAIT_ON_TIME_INVERT_MAX);
	/* [3:0] operation, [4] invert */
	segue_put_be32(p + 0, (uint32_t)v->invert << 4 | v->operation);
	/* reserved */
	segue_put_be32(p + 4, 0);
	segue_put_be64(p + 8, 0);
	segue_put_be64(p + 16, v->value);
	segue_put_be64(p + 24, v->mask);
}

/**
 * segue_seg_wait_on_time_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
static inline bool segue_seg_wait_on_time_unpack(struct segue_seg_wait_on_time *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint64_t w16 = segue_get_be64(p + 16);
	const uint64_t w24 = segue_get_be64(p + 24);

	v->operation = (uint8_t)(w0 & 0xfu);
	v->invert = (uint8_t)((w0 >> 4) & 0x1u);
	v->value = w16;
	v->mask = w24;
	return (w0 & 0xffffffe0u) == 0 && segue_is_zero(p + 4, 12);
}

/**
 * segue_seg_wait_on_time_check() returns 0, or -ERANGE with *field naming the first field whose
 * value the segment cannot hold.
 */
static inline int segue_seg_wait_on_time_check(const struct segue_seg_wait_on_time *v,
					       const char **field)
{
	if (v->operation > SEGUE_SEG_WAIT_ON_TIME_OPERATION_MAX) {
		*field = "operation";
		return -ERANGE;
	}
	if (v->invert > SEGUE_SEG_WAIT_ON_TIME_INVERT_MAX) {
		*field = "invert";
		return -ERANGE;
	}
	return 0;
}

#define SEGUE_SEG_XRC_SIZE	   16u /* bytes */
#define SEGUE_SEG_XRC_DS	   1u  /* units of 16 bytes */
#define SEGUE_SEG_XRC_XRC_SRQN_MAX 0xffffffu

/**
 * XRC segment. Names the shared receive queue at the peer that an XRC request is meant for, because
 * one XRC connection serves many of them. libmlx5 leaves the last twelve bytes as it found them.
 * Source: providers/mlx5/wqe.h, struct mlx5_wqe_xrc_seg; providers/mlx5/qp.c,
 * mlx5_send_wr_set_xrc_srqn
 */
struct segue_seg_xrc {
	uint32_t xrc_srqn; /* Number of the peer's XRC shared receive queue. */
};

/** segue_seg_xrc_pack() writes all 16 bytes at dst, reserved bits as zero. */
static inline void segue_seg_xrc_pack(void *dst, const struct segue_seg_xrc *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUE_DCHECK(v->xrc_srqn <= SEGUE_SEG_XRC_XRC_SRQN_MAX);
	/* [23:0] xrc_srqn */
	segue_put_be32(p + 0, v->xrc_srqn);
	/* reserved */
	segue_put_be32(p + 4, 0);
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_xrc_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
static inline bool segue_seg_xrc_unpack(struct segue_seg_xrc *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);

	v->xrc_srqn = w0 & 0xffffffu;
	return (w0 & 0xff000000u) == 0 && segue_is_zero(p + 4, 12);
}

/**
 * segue_seg_xrc_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
static inline int segue_seg_xrc_check(const struct segue_seg_xrc *v, const char **field)
{
	if (v->xrc_srqn > SEGUE_SEG_XRC_XRC_SRQN_MAX) {
		*field = "xrc_srqn";
		return -ERANGE;
	}
	return 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif /* SEGUE_GEN_SEGMENTS_H */
