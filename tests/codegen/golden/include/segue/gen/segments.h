/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/next.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_SEGMENTS_H
#define SEGUE_GEN_SEGMENTS_H

#include <assert.h>
#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/check.h"
#include "segue/gen/enums.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/** A segment packed once and copied into each request; made by segue_seg_av_prepare(). */
struct segue_address_vector {
	uint8_t bytes[16] __attribute__((aligned(16)));
};

#define SEGUE_SEG_AV_SIZE 16u /* bytes */
#define SEGUE_SEG_AV_UNITS 1u /* units of 16 bytes */
#define SEGUE_SEG_AV_DCT_MAX 0xffffffu

/**
 * Address vector of the peer.
 * Source: own:made up for tests
 */
struct segue_seg_av {
	uint64_t key; /* Key of the peer. */
	uint32_t dct; /* Number of the peer. */
	uint8_t mac[4]; /* Last bytes of the peer's Ethernet address. */
};

static_assert(sizeof(struct segue_address_vector) == SEGUE_SEG_AV_SIZE,
		"a prepared copy holds the whole segment");

/** segue_seg_av_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_av_pack(void *dst, const struct segue_seg_av *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(v->dct <= SEGUE_SEG_AV_DCT_MAX);
	segue_put_be64(p + 0, v->key);
	/* [23:0] dct */
	segue_put_be32(p + 8, v->dct);
	memcpy(p + 12, v->mac, 4);
}

/**
 * segue_seg_av_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_av_unpack(struct segue_seg_av *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->key = w0;
	v->dct = w8 & 0xffffffu;
	memcpy(v->mac, p + 12, 4);
	return (w8 & 0xff000000u) == 0;
}

/**
 * segue_seg_av_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_seg_av_check(const struct segue_seg_av *v,
		const char **field)
{
	if (v->dct > SEGUE_SEG_AV_DCT_MAX)
		return seguei_cannot_hold(field, "dct");
	return 0;
}

/** segue_seg_av_prepare() packs the parts that stay the same; dct are given with each request. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_av_prepare(struct segue_address_vector *dst,
		const struct segue_seg_av *v)
{
	struct segue_seg_av kept = *v;

	kept.dct = 0;
	segue_seg_av_pack(dst->bytes, &kept);
}

/** segue_seg_av_pack_prepared() writes the segment from its prepared copy and the rest. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_av_pack_prepared(void *dst,
		const struct segue_address_vector *src, uint32_t dct)
{
	const uint8_t *const kept = SEGUEI_ALIGNED(const uint8_t, src->bytes, 16);
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(dct <= SEGUE_SEG_AV_DCT_MAX);
	memcpy(p, kept, sizeof(src->bytes));
	segue_put_be32(p + 8, dct);
}

/* Writes the rest of a segment over the prepared copy that lies there. */
SEGUE_FUNCTION void seguei_seg_av_complete(void *dst, uint32_t dct)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be32(p + 8, dct);
}

#define SEGUE_SEG_CTRL_SIZE 16u /* bytes */
#define SEGUE_SEG_CTRL_UNITS 1u /* units of 16 bytes */
#define SEGUE_SEG_CTRL_QPN_MAX 0xffffffu
#define SEGUE_SEG_CTRL_DS_MIN 1u
#define SEGUE_SEG_CTRL_DS_MAX 0x3fu
#define SEGUE_SEG_CTRL_CE_MAX 2u
#define SEGUE_SEG_CTRL_SE_MAX 1u

/**
 * Control segment of the test set.
 * Source: own:made up for tests
 */
struct segue_seg_ctrl {
	uint8_t opmod; /* Modifies the opcode. */
	uint16_t wqe_index; /* Number of the entry's first block. */
	uint8_t opcode; /* The operation. One of enum segue_opcode. */
	uint32_t qpn; /* Number of the queue. */
	uint8_t ds; /* Length of the entry. Unit: 16 bytes. */
	uint8_t ce; /* When a completion is written. One of enum segue_completion_mode. */
	uint8_t se; /* Solicited event. */
	uint16_t stream; /* Stream of the queue. */
	uint32_t imm; /* Immediate data. */
};

/** segue_seg_ctrl_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_ctrl_pack(void *dst, const struct segue_seg_ctrl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(v->qpn <= SEGUE_SEG_CTRL_QPN_MAX);
	SEGUEI_DCHECK(v->ds >= SEGUE_SEG_CTRL_DS_MIN);
	SEGUEI_DCHECK(v->ds <= SEGUE_SEG_CTRL_DS_MAX);
	SEGUEI_DCHECK(v->ce <= SEGUE_SEG_CTRL_CE_MAX);
	SEGUEI_DCHECK((UINT64_C(0x5) >> (v->ce & 63) & 1));
	SEGUEI_DCHECK(v->se <= SEGUE_SEG_CTRL_SE_MAX);
	/* [31:24] opmod, [23:8] wqe_index, [7:0] opcode */
	/* [31:8] qpn, [5:0] ds */
	seguei_put_be32_pair(p + 0, v->opmod, v->wqe_index, v->opcode, v->qpn, v->ds);
	/* [3:2] ce, [1] se, [23:8] stream */
	segue_put_be32(p + 8, (uint32_t)v->stream << 8 | (uint32_t)v->ce << 2 |
			(uint32_t)v->se << 1);
	segue_put_be32(p + 12, v->imm);
}

/**
 * segue_seg_ctrl_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_ctrl_unpack(struct segue_seg_ctrl *v, const void *src)
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
	v->ce = (uint8_t)((w8 >> 2) & 0x3u);
	v->se = (uint8_t)((w8 >> 1) & 0x1u);
	v->stream = (uint16_t)(w8 >> 8);
	v->imm = w12;
	return (w4 & 0xc0u) == 0 && (w8 & 0xff0000f1u) == 0;
}

/**
 * segue_seg_ctrl_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_seg_ctrl_check(const struct segue_seg_ctrl *v,
		const char **field)
{
	if (v->qpn > SEGUE_SEG_CTRL_QPN_MAX)
		return seguei_cannot_hold(field, "qpn");
	if (v->ds < SEGUE_SEG_CTRL_DS_MIN || v->ds > SEGUE_SEG_CTRL_DS_MAX)
		return seguei_cannot_hold(field, "ds");
	if (v->ce > SEGUE_SEG_CTRL_CE_MAX || !(UINT64_C(0x5) >> (v->ce & 63) & 1))
		return seguei_cannot_hold(field, "ce");
	if (v->se > SEGUE_SEG_CTRL_SE_MAX)
		return seguei_cannot_hold(field, "se");
	return 0;
}

#define SEGUE_SEG_DATA_SIZE 16u /* bytes */
#define SEGUE_SEG_DATA_UNITS 1u /* units of 16 bytes */
#define SEGUE_SEG_DATA_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_DATA_BYTE_COUNT_MAX 0x80000000u

/**
 * One piece of local memory.
 * Source: own:made up for tests
 */
struct segue_seg_data {
	uint32_t byte_count; /* Length. Unit: bytes. The device reads 0 as 0x80000000u. */
	uint32_t lkey; /* Key of the piece. */
	uint64_t addr; /* First byte. */
};

/** segue_seg_data_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_data_pack(void *dst, const struct segue_seg_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(v->byte_count >= SEGUE_SEG_DATA_BYTE_COUNT_MIN);
	SEGUEI_DCHECK(v->byte_count <= SEGUE_SEG_DATA_BYTE_COUNT_MAX);
	SEGUEI_DCHECK(v->lkey != 0x100u);
	/* [31] is_inline = 0, [30:0] byte_count */
	segue_put_be32(p + 0, (v->byte_count & 0x7fffffffu));
	segue_put_be32(p + 4, v->lkey);
	segue_put_be64(p + 8, v->addr);
}

/**
 * segue_seg_data_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_data_unpack(struct segue_seg_data *v, const void *src)
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
 * segue_seg_data_check() returns 0, or -ERANGE with *field naming the first field whose value the
 * segment cannot hold.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_seg_data_check(const struct segue_seg_data *v,
		const char **field)
{
	if (v->byte_count < SEGUE_SEG_DATA_BYTE_COUNT_MIN ||
			v->byte_count > SEGUE_SEG_DATA_BYTE_COUNT_MAX)
		return seguei_cannot_hold(field, "byte_count");
	if (v->lkey == 0x100u)
		return seguei_cannot_hold(field, "lkey");
	return 0;
}

#define SEGUE_SEG_DATA_END_SIZE 16u /* bytes */
#define SEGUE_SEG_DATA_END_UNITS 1u /* units of 16 bytes */

/**
 * Ends a list of pieces that does not fill its stride.
 * Source: own:made up for tests
 */
struct segue_seg_data_end {
	uint8_t unused; /* This segment has no fields. */
};

/** segue_seg_data_end_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_data_end_pack(void *dst,
		const struct segue_seg_data_end *v)
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
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_data_end_unpack(struct segue_seg_data_end *v,
		const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->unused = 0;
	return w0 == 0 && w4 == 0x100u && segue_get_be64(p + 8) == 0;
}

/** segue_seg_data_end_check() returns 0: the segment holds all values. */
SEGUEI_HOLDS_ALL(segue_seg_data_end)

#define SEGUE_SEG_ENTRY_SIZE 16u /* bytes */
#define SEGUE_SEG_ENTRY_UNITS 1u /* units of 16 bytes */

/**
 * One entry of the table.
 * Source: own:made up for tests
 */
struct segue_seg_entry {
	uint64_t addr; /* First byte. */
	uint64_t length; /* Length in bytes. */
};

/** segue_seg_entry_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_entry_pack(void *dst, const struct segue_seg_entry *v)
{
	uint8_t *const p = (uint8_t *)dst;

	segue_put_be64(p + 0, v->addr);
	segue_put_be64(p + 8, v->length);
}

/**
 * segue_seg_entry_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_entry_unpack(struct segue_seg_entry *v,
		const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint64_t w8 = segue_get_be64(p + 8);

	v->addr = w0;
	v->length = w8;
	return true;
}

/** segue_seg_entry_check() returns 0: the segment holds all values. */
SEGUEI_HOLDS_ALL(segue_seg_entry)

#define SEGUE_SEG_INLINE_DATA_SIZE 4u /* bytes */
/* Where the payload begins. */
#define SEGUE_SEG_INLINE_DATA_TAIL 4u
#define SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN 1u
#define SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX 0x3ffu

/**
 * Payload inside the entry.
 * Source: own:made up for tests
 */
struct segue_seg_inline_data {
	uint16_t byte_count; /* Length. Unit: bytes. */
};

/**
 * segue_seg_inline_data_pack() writes all 4 bytes before the payload at dst, reserved bits as zero.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_inline_data_pack(void *dst,
		const struct segue_seg_inline_data *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(v->byte_count >= SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN);
	SEGUEI_DCHECK(v->byte_count <= SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX);
	/* [31] is_inline = 1, [9:0] byte_count */
	segue_put_be32(p + 0, 0x80000000u | v->byte_count);
}

/**
 * segue_seg_inline_data_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_inline_data_unpack(struct segue_seg_inline_data *v,
		const void *src)
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
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_seg_inline_data_check(
		const struct segue_seg_inline_data *v, const char **field)
{
	if (v->byte_count < SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MIN ||
			v->byte_count > SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX)
		return seguei_cannot_hold(field, "byte_count");
	return 0;
}

/**
 * segue_seg_inline_data_bytes() returns the bytes that the segment takes with a payload of `length`
 * bytes.
 */
SEGUE_FUNCTION size_t segue_seg_inline_data_bytes(size_t length)
{
	const size_t bytes = (SEGUE_SEG_INLINE_DATA_TAIL + length + 15) / 16 * 16;

	return bytes < 16 ? 16 : bytes;
}

#define SEGUE_SEG_NEXT_SIZE 16u /* bytes */
#define SEGUE_SEG_NEXT_UNITS 1u /* units of 16 bytes */

/**
 * Link of the shared queue.
 * Source: own:made up for tests
 */
struct segue_seg_next {
	uint16_t next_wqe_index; /* The entry behind this one. */
};

/** segue_seg_next_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_next_pack(void *dst, const struct segue_seg_next *v)
{
	uint8_t *const p = (uint8_t *)dst;

	/* [15:0] next_wqe_index */
	segue_put_be32(p + 0, v->next_wqe_index);
	/* reserved */
	segue_put_be32(p + 4, 0);
	segue_put_be64(p + 8, 0);
}

/**
 * segue_seg_next_unpack() fills *v, and returns false when a reserved bit is set or a constant
 * differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_next_unpack(struct segue_seg_next *v, const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);

	v->next_wqe_index = (uint16_t)w0;
	return (w0 & 0xffff0000u) == 0 && segue_is_zero(p + 4, 12);
}

/** segue_seg_next_check() returns 0: the segment holds all values. */
SEGUEI_HOLDS_ALL(segue_seg_next)

#define SEGUE_SEG_RADDR_SIZE 16u /* bytes */
#define SEGUE_SEG_RADDR_UNITS 1u /* units of 16 bytes */

/**
 * Remote address segment. Says where the operation lands.
 * Source: own:made up for tests
 */
struct segue_seg_raddr {
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
};

/** segue_seg_raddr_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_raddr_pack(void *dst, const struct segue_seg_raddr *v)
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
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_raddr_unpack(struct segue_seg_raddr *v,
		const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint64_t w0 = segue_get_be64(p + 0);
	const uint32_t w8 = segue_get_be32(p + 8);

	v->remote_addr = w0;
	v->rkey = w8;
	return segue_get_be32(p + 12) == 0;
}

/** segue_seg_raddr_check() returns 0: the segment holds all values. */
SEGUEI_HOLDS_ALL(segue_seg_raddr)

#define SEGUE_SEG_TABLE_CTRL_SIZE 16u /* bytes */
#define SEGUE_SEG_TABLE_CTRL_UNITS 1u /* units of 16 bytes */

/**
 * Says how long the table is and who may use it.
 * Source: own:made up for tests
 */
struct segue_seg_table_ctrl {
	uint8_t entries; /* Length of the table with its padding. Unit: 16 bytes. */
	uint8_t rights; /* Who may use it. Any of enum segue_holder. */
	uint8_t owner[8]; /* Name of the owner. */
};

/** segue_seg_table_ctrl_pack() writes all 16 bytes at dst, reserved bits as zero. */
SEGUEI_UNMERGED SEGUE_FUNCTION void segue_seg_table_ctrl_pack(void *dst,
		const struct segue_seg_table_ctrl *v)
{
	uint8_t *const p = (uint8_t *)dst;

	SEGUEI_DCHECK(((v->rights & 0xfcu) == 0));
	/* [7:0] entries */
	segue_put_be32(p + 0, v->entries);
	/* [7:0] rights */
	segue_put_be32(p + 4, v->rights);
	memcpy(p + 8, v->owner, 8);
}

/**
 * segue_seg_table_ctrl_unpack() fills *v, and returns false when a reserved bit is set or a
 * constant differs.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION bool segue_seg_table_ctrl_unpack(struct segue_seg_table_ctrl *v,
		const void *src)
{
	const uint8_t *const p = (const uint8_t *)src;
	const uint32_t w0 = segue_get_be32(p + 0);
	const uint32_t w4 = segue_get_be32(p + 4);

	v->entries = (uint8_t)w0;
	v->rights = (uint8_t)w4;
	memcpy(v->owner, p + 8, 8);
	return (w0 & 0xffffff00u) == 0 && (w4 & 0xffffff00u) == 0;
}

/**
 * segue_seg_table_ctrl_check() returns 0, or -ERANGE with *field naming the first field whose value
 * the segment cannot hold.
 */
SEGUEI_UNMERGED SEGUE_FUNCTION int segue_seg_table_ctrl_check(const struct segue_seg_table_ctrl *v,
		const char **field)
{
	if (!((v->rights & 0xfcu) == 0))
		return seguei_cannot_hold(field, "rights");
	return 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif /* SEGUE_GEN_SEGMENTS_H */
