/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * Requests that are kept as patterns, and the fields that each repetition may set: see segue/pattern.h. A
 * type is named for the state of the builder that it keeps, and has a member of no size for each field that
 * it can set, so that others do not compile.
 */
#ifndef SEGUE_GEN_PATTERNS_H
#define SEGUE_GEN_PATTERNS_H

#include "segue/gen/builders.h"
#include "segue/pattern.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/* The fields of one segment that each repetition may set, by the segment's byte in the request. */
#define SEGUEI_SETS_ctrl(byte, moves) \
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE((byte) + 12, moves))
#define SEGUEI_SETS_data(byte, moves) \
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE((byte) + 4, moves)) \
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE((byte) + 8, moves))
#define SEGUEI_SETS_data_of(byte, moves) \
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE((byte) + 4, moves)) \
	SEGUEI_SETS(segue_set_sge_lkey_of, SEGUEI_PLACE((byte) + 4, moves)) \
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE((byte) + 8, moves)) \
	SEGUEI_SETS(segue_set_sge_addr_of, SEGUEI_PLACE((byte) + 8, moves))
#define SEGUEI_SETS_raddr(byte, moves) \
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE((byte) + 0, moves)) \
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE((byte) + 8, moves))

/*
 * For the requests at one state of their builder: the types of their patterns, and a function that keeps one without
 * posting it. It returns 0, or a negative errno with segue_errmsg().
 */
#define SEGUEI_PATTERN(queue, stage, legal, segments, sets, n, ...) \
	struct segue_##queue##_##stage##_repeat { \
		struct seguei_repeat repeat; \
		SEGUEI_SETS(seguei_legal, legal) \
		sets \
	}; \
	struct segue_##queue##_##stage##_pattern { \
		struct seguei_pattern pattern; \
		SEGUEI_REPEATS(struct segue_##queue##_##stage##_repeat) \
	}; \
	SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_##queue##_##stage(struct segue_##queue##_##stage w, struct segue_##queue##_##stage##_pattern *pattern) \
	{ \
		static const struct seguei_stop stops[] = {__VA_ARGS__}; \
		return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_##queue##_machine), &pattern->pattern, segments, stops, n); \
	}

SEGUEI_PATTERN(dc, mix_may_take_sge, SEGUEI_MAY_MIX, "av, data", SEGUEI_SETS_data(32,
		0) SEGUEI_SETS_ctrl(0, 0), 1, {SEGUE_SEG_DATA_ID, 32, 0, 0})
SEGUEI_PATTERN(dc, mix_complete, SEGUEI_MAY_MIX, "av, data, data", SEGUEI_SETS_data(32,
		0) SEGUEI_SETS_ctrl(0, 0), 1, {SEGUE_SEG_DATA_ID, 32, 0, 0})
SEGUEI_PATTERN(dc, nop_complete, SEGUEI_MAY_NOP, "", , 0, {0, 0, 0, 0})
SEGUEI_PATTERN(dc, send_may_take_sge_or_inline_data, SEGUEI_MAY_SEND, "av", SEGUEI_SETS_ctrl(0, 0),
		0, {0, 0, 0, 0})
SEGUEI_PATTERN(dc, send_complete, SEGUEI_MAY_SEND, "av, inline_data", SEGUEI_SETS_ctrl(0, 0), 0, {0,
		0, 0, 0})
SEGUEI_PATTERN(dc, send_may_take_sge, SEGUEI_MAY_SEND, "av, data", SEGUEI_SETS_data_of(32,
		0) SEGUEI_SETS_ctrl(0, 0), 1, {SEGUE_SEG_DATA_ID, 32, 0, 1})
SEGUEI_PATTERN(dc, write_may_take_sge_or_inline_data, SEGUEI_MAY_WRITE, "av, raddr",
		SEGUEI_SETS_raddr(32, 0), 1, {SEGUE_SEG_RADDR_ID, 32, 0, 0})
SEGUEI_PATTERN(dc, write_complete, SEGUEI_MAY_WRITE, "av, raddr, inline_data", SEGUEI_SETS_raddr(32,
		0), 1, {SEGUE_SEG_RADDR_ID, 32, 0, 0})
SEGUEI_PATTERN(dc, write_may_take_sge, SEGUEI_MAY_WRITE, "av, raddr, data", SEGUEI_SETS_raddr(32,
		0) SEGUEI_SETS_data_of(48, 0), 2, {SEGUE_SEG_RADDR_ID, 32, 0, 0},
		{SEGUE_SEG_DATA_ID, 48, 0, 1})
SEGUEI_PATTERN(rc, load_table_complete, SEGUEI_MAY_LOAD_TABLE, "table_ctrl", , 0, {0, 0, 0, 0})
SEGUEI_PATTERN(rc, mix_may_take_sge, SEGUEI_MAY_MIX, "raddr, data", SEGUEI_SETS_raddr(16,
		0) SEGUEI_SETS_data(32, 0) SEGUEI_SETS_ctrl(0, 0), 2, {SEGUE_SEG_RADDR_ID, 16, 0,
		0}, {SEGUE_SEG_DATA_ID, 32, 0, 0})
SEGUEI_PATTERN(rc, mix_complete, SEGUEI_MAY_MIX, "raddr, data, data", SEGUEI_SETS_raddr(16,
		0) SEGUEI_SETS_data(32, 0) SEGUEI_SETS_ctrl(0, 0), 2, {SEGUE_SEG_RADDR_ID, 16, 0,
		0}, {SEGUE_SEG_DATA_ID, 32, 0, 0})
SEGUEI_PATTERN(rc, nop_complete, SEGUEI_MAY_NOP, "", , 0, {0, 0, 0, 0})
SEGUEI_PATTERN(rc, send_may_take_sge_or_inline_data, SEGUEI_MAY_SEND, "", SEGUEI_SETS_ctrl(0, 0), 0,
		{0, 0, 0, 0})
SEGUEI_PATTERN(rc, send_complete, SEGUEI_MAY_SEND, "inline_data", SEGUEI_SETS_ctrl(0, 0), 0, {0, 0,
		0, 0})
SEGUEI_PATTERN(rc, send_may_take_sge, SEGUEI_MAY_SEND, "data", SEGUEI_SETS_data_of(16,
		0) SEGUEI_SETS_ctrl(0, 0), 1, {SEGUE_SEG_DATA_ID, 16, 0, 1})
SEGUEI_PATTERN(rc, write_may_take_sge_or_inline_data, SEGUEI_MAY_WRITE, "raddr", SEGUEI_SETS_raddr(
		16, 0), 1, {SEGUE_SEG_RADDR_ID, 16, 0, 0})
SEGUEI_PATTERN(rc, write_complete, SEGUEI_MAY_WRITE, "raddr, inline_data", SEGUEI_SETS_raddr(16, 0),
		1, {SEGUE_SEG_RADDR_ID, 16, 0, 0})
SEGUEI_PATTERN(rc, write_may_take_sge, SEGUEI_MAY_WRITE, "raddr, data", SEGUEI_SETS_raddr(16,
		0) SEGUEI_SETS_data_of(32, 0), 2, {SEGUE_SEG_RADDR_ID, 16, 0, 0},
		{SEGUE_SEG_DATA_ID, 32, 0, 1})

/* Sets a field that is a word without limits. */
SEGUEI_HOT_FUNCTION void seguei_repeat_put_be32(struct seguei_repeat *r, size_t place,
		uint32_t value)
{
	segue_put_be32(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 4), value);
}

/* Sets a field that is a word without limits. */
SEGUEI_HOT_FUNCTION void seguei_repeat_put_be64(struct seguei_repeat *r, size_t place,
		uint64_t value)
{
	segue_put_be64(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 8), value);
}

/** segue_set_imm() sets imm of the next repetition. */
#define segue_set_imm(r, imm) seguei_repeat_put_be32(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_imm), imm)

/** segue_set_raddr_remote_addr() sets remote_addr of the next repetition. */
#define segue_set_raddr_remote_addr(r, remote_addr) seguei_repeat_put_be64(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_remote_addr), remote_addr)

/** segue_set_raddr_rkey() sets rkey of the next repetition. */
#define segue_set_raddr_rkey(r, rkey) seguei_repeat_put_be32(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_rkey), rkey)

/** segue_set_sge_addr() sets addr of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_addr(r, addr) seguei_repeat_put_be64(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr), addr)
/** segue_set_sge_addr_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_addr_of(r, index, addr) seguei_repeat_put_be64(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr_of), 8, index, SEGUE_SEG_DATA_SIZE), addr)

/** segue_set_sge_lkey() sets lkey of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_lkey(r, lkey) seguei_repeat_put_be32(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey), lkey)
/** segue_set_sge_lkey_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_lkey_of(r, index, lkey) seguei_repeat_put_be32(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey_of), 4, index, SEGUE_SEG_DATA_SIZE), lkey)

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
