/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * Requests that are kept as patterns, and what each repetition may set: see segue/pattern.h. A type is
 * named for the state of the builder that it keeps, and has a member of no size for each field that it can
 * set, so that others do not compile.
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

/** Repetitions of mix on dc. */
struct segue_dc_mix_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_dc_mix_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_mix_may_take_sge_repeat)
};

/** segue_pattern_dc_mix_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_mix_may_take_sge(
		struct segue_dc_mix_may_take_sge w,
		struct segue_dc_mix_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_DATA_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, data", stops, 1);
}

/** Repetitions of mix on dc. */
struct segue_dc_mix_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_dc_mix_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_mix_complete_repeat)
};

/** segue_pattern_dc_mix_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_mix_complete(struct segue_dc_mix_complete w,
		struct segue_dc_mix_complete_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_DATA_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, data, data", stops, 1);
}

/** Repetitions of nop on dc. */
struct segue_dc_nop_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
};

struct segue_dc_nop_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_nop_complete_repeat)
};

/** segue_pattern_dc_nop_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_nop_complete(struct segue_dc_nop_complete w,
		struct segue_dc_nop_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, "",
			NULL, 0);
}

/** Repetitions of send on dc. */
struct segue_dc_send_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_dc_send_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_dc_send_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_may_take_sge_or_inline_data(
		struct segue_dc_send_may_take_sge_or_inline_data w,
		struct segue_dc_send_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, "av",
			NULL, 0);
}

/** Repetitions of send on dc. */
struct segue_dc_send_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_dc_send_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_complete_repeat)
};

/** segue_pattern_dc_send_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_complete(struct segue_dc_send_complete w,
		struct segue_dc_send_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, inline_data", NULL, 0);
}

/** Repetitions of send on dc. */
struct segue_dc_send_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_lkey_of, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_sge_addr_of, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_dc_send_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_may_take_sge_repeat)
};

/** segue_pattern_dc_send_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_may_take_sge(
		struct segue_dc_send_may_take_sge w,
		struct segue_dc_send_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_DATA_ID, 32, false, true },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, data", stops, 1);
}

/** Repetitions of write on dc. */
struct segue_dc_write_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(32, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(40, 0))
};

struct segue_dc_write_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_dc_write_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_may_take_sge_or_inline_data(
		struct segue_dc_write_may_take_sge_or_inline_data w,
		struct segue_dc_write_may_take_sge_or_inline_data_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, raddr", stops, 1);
}

/** Repetitions of write on dc. */
struct segue_dc_write_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(32, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(40, 0))
};

struct segue_dc_write_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_complete_repeat)
};

/** segue_pattern_dc_write_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_complete(
		struct segue_dc_write_complete w, struct segue_dc_write_complete_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, raddr, inline_data", stops, 1);
}

/** Repetitions of write on dc. */
struct segue_dc_write_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(32, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(52, 0))
	SEGUEI_SETS(segue_set_sge_lkey_of, SEGUEI_PLACE(52, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(56, 0))
	SEGUEI_SETS(segue_set_sge_addr_of, SEGUEI_PLACE(56, 0))
};

struct segue_dc_write_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_may_take_sge_repeat)
};

/** segue_pattern_dc_write_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_may_take_sge(
		struct segue_dc_write_may_take_sge w,
		struct segue_dc_write_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 32, false, false },
		{ SEGUE_SEG_DATA_ID, 48, false, true },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			"av, raddr, data", stops, 2);
}

/** Repetitions of load_table on rc. */
struct segue_rc_load_table_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x0u)
};

struct segue_rc_load_table_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_load_table_complete_repeat)
};

/** segue_pattern_rc_load_table_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_load_table_complete(
		struct segue_rc_load_table_complete w,
		struct segue_rc_load_table_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"table_ctrl", NULL, 0);
}

/** Repetitions of mix on rc. */
struct segue_rc_mix_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(16, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(24, 0))
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_rc_mix_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_mix_may_take_sge_repeat)
};

/** segue_pattern_rc_mix_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_mix_may_take_sge(
		struct segue_rc_mix_may_take_sge w,
		struct segue_rc_mix_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 16, false, false },
		{ SEGUE_SEG_DATA_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"raddr, data", stops, 2);
}

/** Repetitions of mix on rc. */
struct segue_rc_mix_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(16, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(24, 0))
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_rc_mix_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_mix_complete_repeat)
};

/** segue_pattern_rc_mix_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_mix_complete(struct segue_rc_mix_complete w,
		struct segue_rc_mix_complete_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 16, false, false },
		{ SEGUE_SEG_DATA_ID, 32, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"raddr, data, data", stops, 2);
}

/** Repetitions of nop on rc. */
struct segue_rc_nop_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
};

struct segue_rc_nop_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_nop_complete_repeat)
};

/** segue_pattern_rc_nop_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_nop_complete(struct segue_rc_nop_complete w,
		struct segue_rc_nop_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, "",
			NULL, 0);
}

/** Repetitions of send on rc. */
struct segue_rc_send_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_rc_send_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_rc_send_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_may_take_sge_or_inline_data(
		struct segue_rc_send_may_take_sge_or_inline_data w,
		struct segue_rc_send_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, "",
			NULL, 0);
}

/** Repetitions of send on rc. */
struct segue_rc_send_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_rc_send_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_complete_repeat)
};

/** segue_pattern_rc_send_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_complete(struct segue_rc_send_complete w,
		struct segue_rc_send_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"inline_data", NULL, 0);
}

/** Repetitions of send on rc. */
struct segue_rc_send_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(20, 0))
	SEGUEI_SETS(segue_set_sge_lkey_of, SEGUEI_PLACE(20, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(24, 0))
	SEGUEI_SETS(segue_set_sge_addr_of, SEGUEI_PLACE(24, 0))
	SEGUEI_SETS(segue_set_imm, SEGUEI_PLACE(12, 0))
};

struct segue_rc_send_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_may_take_sge_repeat)
};

/** segue_pattern_rc_send_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_may_take_sge(
		struct segue_rc_send_may_take_sge w,
		struct segue_rc_send_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_DATA_ID, 16, false, true },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"data", stops, 1);
}

/** Repetitions of write on rc. */
struct segue_rc_write_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(16, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(24, 0))
};

struct segue_rc_write_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_rc_write_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_may_take_sge_or_inline_data(
		struct segue_rc_write_may_take_sge_or_inline_data w,
		struct segue_rc_write_may_take_sge_or_inline_data_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 16, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"raddr", stops, 1);
}

/** Repetitions of write on rc. */
struct segue_rc_write_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(16, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(24, 0))
};

struct segue_rc_write_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_complete_repeat)
};

/** segue_pattern_rc_write_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_complete(
		struct segue_rc_write_complete w, struct segue_rc_write_complete_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 16, false, false },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"raddr, inline_data", stops, 1);
}

/** Repetitions of write on rc. */
struct segue_rc_write_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, SEGUEI_PLACE(16, 0))
	SEGUEI_SETS(segue_set_raddr_rkey, SEGUEI_PLACE(24, 0))
	SEGUEI_SETS(segue_set_sge_lkey, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_lkey_of, SEGUEI_PLACE(36, 0))
	SEGUEI_SETS(segue_set_sge_addr, SEGUEI_PLACE(40, 0))
	SEGUEI_SETS(segue_set_sge_addr_of, SEGUEI_PLACE(40, 0))
};

struct segue_rc_write_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_may_take_sge_repeat)
};

/** segue_pattern_rc_write_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUEI_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_may_take_sge(
		struct segue_rc_write_may_take_sge w,
		struct segue_rc_write_may_take_sge_pattern *pattern)
{
	static const struct seguei_stop stops[] = {
		{ SEGUE_SEG_RADDR_ID, 16, false, false },
		{ SEGUE_SEG_DATA_ID, 32, false, true },
	};

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			"raddr, data", stops, 2);
}

SEGUEI_HOT_FUNCTION void seguei_set_imm(struct seguei_repeat *r, size_t place, uint32_t imm)
{
	segue_put_be32(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 4),
			(uint32_t)imm);
}

/** segue_set_imm() sets imm of the next repetition. */
#define segue_set_imm(r, imm) seguei_set_imm(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_imm), imm)

SEGUEI_HOT_FUNCTION void seguei_set_raddr_remote_addr(struct seguei_repeat *r, size_t place,
		uint64_t remote_addr)
{
	segue_put_be64(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 8),
			(uint64_t)remote_addr);
}

/** segue_set_raddr_remote_addr() sets remote_addr of the next repetition. */
#define segue_set_raddr_remote_addr(r, remote_addr) seguei_set_raddr_remote_addr(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_remote_addr), remote_addr)

SEGUEI_HOT_FUNCTION void seguei_set_raddr_rkey(struct seguei_repeat *r, size_t place, uint32_t rkey)
{
	segue_put_be32(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 4),
			(uint32_t)rkey);
}

/** segue_set_raddr_rkey() sets rkey of the next repetition. */
#define segue_set_raddr_rkey(r, rkey) seguei_set_raddr_rkey(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_rkey), rkey)

SEGUEI_HOT_FUNCTION void seguei_set_sge_addr(struct seguei_repeat *r, size_t place, uint64_t addr)
{
	segue_put_be64(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 8),
			(uint64_t)addr);
}

/** segue_set_sge_addr() sets addr of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_addr(r, addr) seguei_set_sge_addr(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr), addr)
/** segue_set_sge_addr_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_addr_of(r, index, addr) seguei_set_sge_addr(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr_of), 8, index, SEGUE_SEG_DATA_SIZE), addr)

SEGUEI_HOT_FUNCTION void seguei_set_sge_lkey(struct seguei_repeat *r, size_t place, uint32_t lkey)
{
	segue_put_be32(SEGUEI_ALIGNED(uint8_t, r->start + seguei_repeat_sets(r, place), 4),
			(uint32_t)lkey);
}

/** segue_set_sge_lkey() sets lkey of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_lkey(r, lkey) seguei_set_sge_lkey(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey), lkey)
/** segue_set_sge_lkey_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_lkey_of(r, index, lkey) seguei_set_sge_lkey(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey_of), 4, index, SEGUE_SEG_DATA_SIZE), lkey)

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
