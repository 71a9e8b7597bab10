/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/next.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * Functions that write one segment of a WQE: into its place in the ring, in range, and within the
 * largest WQE. The typed builders of each queue call them. `wraps` means that the segment may start
 * at the end of the ring of a send queue.
 */
#ifndef SEGUE_GEN_PUT_H
#define SEGUE_GEN_PUT_H

#include "segue/detail/build.h"
#include "segue/detail/unit.h"
#include "segue/gen/segments.h"
#include "segue/gen/tables.h"
#include "segue/rq.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

SEGUEI_HOT_FUNCTION void seguei_put_av_prepared(struct seguei_build *b, bool wraps,
		const struct segue_address_vector *address_vector, uint32_t dct)
{
	seguei_fits(b, SEGUE_SEG_AV_UNITS);
	segue_seg_av_pack_prepared(seguei_here_or_wrapped(b, wraps), address_vector, dct);
	seguei_refuse_outside(b, SEGUEI_FIELD(SEGUE_SEG_AV_ID, 1), dct, 0x0u, 0xffffffu);
	seguei_advance(b, SEGUE_SEG_AV_UNITS);
}

SEGUEI_HOT_FUNCTION void seguei_put_data_judge(struct seguei_build *b,
		const struct segue_seg_data *v)
{
	seguei_refuse_outside(b, SEGUEI_FIELD(SEGUE_SEG_DATA_ID, 1), v->byte_count, 0x1u,
			0x80000000u);
}

SEGUEI_HOT_FUNCTION void seguei_put_data(struct seguei_build *b, bool wraps,
		const struct segue_seg_data *v)
{
	if (SEGUE_CHECKED)
		seguei_put_data_judge(b, v); /* before the packer does,
				which does not know the caller */
	seguei_fits(b, SEGUE_SEG_DATA_UNITS);
	SEGUEI_PACK_UNIT(segue_seg_data_pack, seguei_here_or_wrapped(b, wraps), v);
	seguei_put_data_judge(b, v);
	seguei_advance(b, SEGUE_SEG_DATA_UNITS);
}

/* Writes entries one after the other, across the end of the ring. Most often there is one, which needs no loop. */
SEGUEI_HOT_FUNCTION void seguei_put_data_array(struct seguei_build *b,
		const struct segue_seg_data *list, uint32_t count)
{
	uint32_t i = 0;

	if (SEGUEI_LIKELY(count == 1)) {
		seguei_put_data(b, true, list);
		return;
	}
	for (; i < count; i++) {
		seguei_put_data(b, true, &list[i]);
	}
}

/* Writes as many bytes as an earlier segment announced in `slot`, padded with zeros to `pad`. Both count `head` bytes before the list. */
SEGUEI_UNMERGED SEGUE_FUNCTION void seguei_put_entry_list(struct seguei_build *b, uint32_t slot,
		uint32_t head, uint32_t pad, const struct segue_seg_entry *list, uint32_t count)
{
	const uint32_t most = b->sq->max_units * SEGUEI_UNIT / SEGUE_SEG_ENTRY_SIZE;
	const uint32_t counted = count > most ? most + 1 : count;
	const uint32_t bytes = (head + counted * SEGUE_SEG_ENTRY_SIZE + pad - 1) / pad * pad - head;
	uint8_t packed[SEGUE_SEG_ENTRY_SIZE];
	uint32_t i;

	if (head + bytes != b->announced[slot]) {
		seguei_refuse_if(b, true);
		return;
	}
	if (!seguei_fits(b, bytes / SEGUEI_UNIT))
		return;
	for (i = 0; i < bytes / SEGUE_SEG_ENTRY_SIZE; i++) {
		memset(packed, 0, sizeof(packed));
		if (i < count)
			segue_seg_entry_pack(packed, &list[i]);
		seguei_copy_across(b->sq, seguei_here_or_wrapped(b, true), packed, sizeof(packed));
		seguei_advance_across(b, SEGUE_SEG_ENTRY_SIZE / SEGUEI_UNIT);
	}
}

SEGUEI_HOT_FUNCTION void seguei_put_inline_data(struct seguei_build *b,
		struct segue_seg_inline_data v, const void *data, uint32_t length)
{
	const uint32_t units = (uint32_t)(segue_seg_inline_data_bytes(length) / SEGUEI_UNIT);
	uint8_t packed[SEGUE_SEG_INLINE_DATA_SIZE], *p;

	SEGUEI_CONSTANT(length, length > 0x3ffu, seguei_constant_outside);
	v.byte_count = (uint16_t)length;
	p = seguei_here_if_short(b, length, 1, SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX, units,
			(uint32_t)(segue_seg_inline_data_bytes(SEGUEI_COPY_MOST) / SEGUEI_UNIT));
	if (SEGUEI_LIKELY(p != NULL)) {
		if (!SEGUEI_KNOWN(length) || (SEGUE_SEG_INLINE_DATA_TAIL + length) % SEGUEI_UNIT)
			seguei_zero_unit(p + (size_t)units * SEGUEI_UNIT - SEGUEI_UNIT);
		segue_seg_inline_data_pack(SEGUEI_ALIGNED(uint8_t, p, SEGUEI_UNIT), &v);
		seguei_copy_short(p + SEGUE_SEG_INLINE_DATA_TAIL, data, length);
		seguei_advance(b, units);
	} else if (SEGUEI_UNLIKELY(length - 1u > SEGUE_SEG_INLINE_DATA_BYTE_COUNT_MAX - 1u)) {
		seguei_refuse_length(b, SEGUEI_FIELD(SEGUE_SEG_INLINE_DATA_ID, 1),
				length); /* with length 0, data may be NULL */
	} else if (SEGUEI_LIKELY(seguei_fits(b, units))) {
		const struct seguei_tailed tailed = {packed, SEGUE_SEG_INLINE_DATA_TAIL, data,
				length, units};

		segue_seg_inline_data_pack(packed, &v);
		seguei_put_tailed(b->sq, b->at, &tailed);
		seguei_advance_across(b, units);
	}
}

SEGUEI_HOT_FUNCTION void seguei_put_raddr(struct seguei_build *b, bool wraps,
		const struct segue_seg_raddr *v)
{
	seguei_fits(b, SEGUE_SEG_RADDR_UNITS);
	SEGUEI_PACK_UNIT(segue_seg_raddr_pack, seguei_here_or_wrapped(b, wraps), v);
	seguei_advance(b, SEGUE_SEG_RADDR_UNITS);
}

SEGUEI_HOT_FUNCTION void seguei_put_table_ctrl_judge(struct seguei_build *b,
		const struct segue_seg_table_ctrl *v)
{
	seguei_refuse_unless(b, SEGUEI_FIELD(SEGUE_SEG_TABLE_CTRL_ID, 1), v->rights,
			((v->rights & 0xfcu) == 0));
}

SEGUEI_HOT_FUNCTION void seguei_put_table_ctrl(struct seguei_build *b, bool wraps,
		const struct segue_seg_table_ctrl *v)
{
	if (SEGUE_CHECKED)
		seguei_put_table_ctrl_judge(b, v); /* before the packer does,
				which does not know the caller */
	seguei_fits(b, SEGUE_SEG_TABLE_CTRL_UNITS);
	SEGUEI_PACK_UNIT(segue_seg_table_ctrl_pack, seguei_here_or_wrapped(b, wraps), v);
	seguei_put_table_ctrl_judge(b, v);
	seguei_advance(b, SEGUE_SEG_TABLE_CTRL_UNITS);
}

SEGUEI_HOT_FUNCTION void seguei_recv_put_data(struct seguei_recv *b, const struct segue_seg_data *v)
{
	seguei_recv_refuse_outside(b, SEGUEI_FIELD(SEGUE_SEG_DATA_ID, 1), v->byte_count, 0x1u,
			0x80000000u);
	segue_seg_data_pack(seguei_recv_here(b, SEGUE_SEG_DATA_SIZE), v);
}

/* Writes entries one after the other, across the end of the ring. Most often there is one, which needs no loop. */
SEGUEI_HOT_FUNCTION void seguei_recv_put_data_array(struct seguei_recv *b,
		const struct segue_seg_data *list, uint32_t count)
{
	uint32_t i = 0;

	if (SEGUEI_LIKELY(count == 1)) {
		seguei_recv_put_data(b, list);
		return;
	}
	for (; i < count; i++) {
		seguei_recv_put_data(b, &list[i]);
	}
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
