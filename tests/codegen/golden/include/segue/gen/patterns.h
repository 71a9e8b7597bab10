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
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_dc_mix_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_mix_may_take_sge_repeat)
};

/** segue_pattern_dc_mix_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_mix_may_take_sge(
		struct segue_dc_mix_may_take_sge w,
		struct segue_dc_mix_may_take_sge_pattern *pattern)
{
	struct segue_seg_data v1;
	const bool right = segue_seg_data_unpack(&v1, seguei_built_at(&w.b, 32));

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			right ? NULL : "av, data");
}

/** Repetitions of mix on dc. */
struct segue_dc_mix_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_dc_mix_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_mix_complete_repeat)
};

/** segue_pattern_dc_mix_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_mix_complete(struct segue_dc_mix_complete w,
		struct segue_dc_mix_complete_pattern *pattern)
{
	struct segue_seg_data v1;
	const bool right = segue_seg_data_unpack(&v1, seguei_built_at(&w.b, 32));

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern,
			right ? NULL : "av, data, data");
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
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_nop_complete(struct segue_dc_nop_complete w,
		struct segue_dc_nop_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on dc. */
struct segue_dc_send_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_dc_send_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_dc_send_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_may_take_sge_or_inline_data(
		struct segue_dc_send_may_take_sge_or_inline_data w,
		struct segue_dc_send_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on dc. */
struct segue_dc_send_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_dc_send_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_complete_repeat)
};

/** segue_pattern_dc_send_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_complete(struct segue_dc_send_complete w,
		struct segue_dc_send_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on dc. */
struct segue_dc_send_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_lkey_of, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_sge_addr_of, 40)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_dc_send_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_send_may_take_sge_repeat)
};

/** segue_pattern_dc_send_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_send_may_take_sge(
		struct segue_dc_send_may_take_sge w,
		struct segue_dc_send_may_take_sge_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on dc. */
struct segue_dc_write_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 32)
	SEGUEI_SETS(segue_set_raddr_rkey, 40)
};

struct segue_dc_write_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_dc_write_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_may_take_sge_or_inline_data(
		struct segue_dc_write_may_take_sge_or_inline_data w,
		struct segue_dc_write_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on dc. */
struct segue_dc_write_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 32)
	SEGUEI_SETS(segue_set_raddr_rkey, 40)
};

struct segue_dc_write_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_complete_repeat)
};

/** segue_pattern_dc_write_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_complete(
		struct segue_dc_write_complete w, struct segue_dc_write_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on dc. */
struct segue_dc_write_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 32)
	SEGUEI_SETS(segue_set_raddr_rkey, 40)
	SEGUEI_SETS(segue_set_sge_lkey, 52)
	SEGUEI_SETS(segue_set_sge_lkey_of, 52)
	SEGUEI_SETS(segue_set_sge_addr, 56)
	SEGUEI_SETS(segue_set_sge_addr_of, 56)
};

struct segue_dc_write_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_dc_write_may_take_sge_repeat)
};

/** segue_pattern_dc_write_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_dc_write_may_take_sge(
		struct segue_dc_write_may_take_sge w,
		struct segue_dc_write_may_take_sge_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_dc_machine), &pattern->pattern, NULL);
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
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_load_table_complete(
		struct segue_rc_load_table_complete w,
		struct segue_rc_load_table_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of mix on rc. */
struct segue_rc_mix_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 16)
	SEGUEI_SETS(segue_set_raddr_rkey, 24)
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_rc_mix_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_mix_may_take_sge_repeat)
};

/** segue_pattern_rc_mix_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_mix_may_take_sge(
		struct segue_rc_mix_may_take_sge w,
		struct segue_rc_mix_may_take_sge_pattern *pattern)
{
	struct segue_seg_data v1;
	const bool right = segue_seg_data_unpack(&v1, seguei_built_at(&w.b, 32));

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			right ? NULL : "raddr, data");
}

/** Repetitions of mix on rc. */
struct segue_rc_mix_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 16)
	SEGUEI_SETS(segue_set_raddr_rkey, 24)
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_rc_mix_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_mix_complete_repeat)
};

/** segue_pattern_rc_mix_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_mix_complete(struct segue_rc_mix_complete w,
		struct segue_rc_mix_complete_pattern *pattern)
{
	struct segue_seg_data v1;
	const bool right = segue_seg_data_unpack(&v1, seguei_built_at(&w.b, 32));

	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern,
			right ? NULL : "raddr, data, data");
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
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_nop_complete(struct segue_rc_nop_complete w,
		struct segue_rc_nop_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on rc. */
struct segue_rc_send_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_rc_send_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_rc_send_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_may_take_sge_or_inline_data(
		struct segue_rc_send_may_take_sge_or_inline_data w,
		struct segue_rc_send_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on rc. */
struct segue_rc_send_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_rc_send_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_complete_repeat)
};

/** segue_pattern_rc_send_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_complete(struct segue_rc_send_complete w,
		struct segue_rc_send_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of send on rc. */
struct segue_rc_send_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0xau)
	SEGUEI_SETS(segue_set_sge_lkey, 20)
	SEGUEI_SETS(segue_set_sge_lkey_of, 20)
	SEGUEI_SETS(segue_set_sge_addr, 24)
	SEGUEI_SETS(segue_set_sge_addr_of, 24)
	SEGUEI_SETS(segue_set_imm, 12)
};

struct segue_rc_send_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_send_may_take_sge_repeat)
};

/** segue_pattern_rc_send_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_send_may_take_sge(
		struct segue_rc_send_may_take_sge w,
		struct segue_rc_send_may_take_sge_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on rc. */
struct segue_rc_write_may_take_sge_or_inline_data_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 16)
	SEGUEI_SETS(segue_set_raddr_rkey, 24)
};

struct segue_rc_write_may_take_sge_or_inline_data_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_may_take_sge_or_inline_data_repeat)
};

/** segue_pattern_rc_write_may_take_sge_or_inline_data() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_may_take_sge_or_inline_data(
		struct segue_rc_write_may_take_sge_or_inline_data w,
		struct segue_rc_write_may_take_sge_or_inline_data_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on rc. */
struct segue_rc_write_complete_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 16)
	SEGUEI_SETS(segue_set_raddr_rkey, 24)
};

struct segue_rc_write_complete_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_complete_repeat)
};

/** segue_pattern_rc_write_complete() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_complete(
		struct segue_rc_write_complete w, struct segue_rc_write_complete_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

/** Repetitions of write on rc. */
struct segue_rc_write_may_take_sge_repeat {
	struct seguei_repeat repeat;
	SEGUEI_SETS(seguei_legal, 0x8u)
	SEGUEI_SETS(segue_set_raddr_remote_addr, 16)
	SEGUEI_SETS(segue_set_raddr_rkey, 24)
	SEGUEI_SETS(segue_set_sge_lkey, 36)
	SEGUEI_SETS(segue_set_sge_lkey_of, 36)
	SEGUEI_SETS(segue_set_sge_addr, 40)
	SEGUEI_SETS(segue_set_sge_addr_of, 40)
};

struct segue_rc_write_may_take_sge_pattern {
	struct seguei_pattern pattern;
	SEGUEI_REPEATS(struct segue_rc_write_may_take_sge_repeat)
};

/** segue_pattern_rc_write_may_take_sge() keeps a request, which is not posted. Returns 0, or a negative errno with segue_errmsg(). */
SEGUE_MUST_CHECK SEGUE_FUNCTION int segue_pattern_rc_write_may_take_sge(
		struct segue_rc_write_may_take_sge w,
		struct segue_rc_write_may_take_sge_pattern *pattern)
{
	return seguei_pattern_keep(&w.b, SEGUEI_MACHINE(segue_rc_machine), &pattern->pattern, NULL);
}

SEGUE_HOT_FUNCTION void seguei_set_imm(struct seguei_repeat *r, size_t at, uint32_t imm)
{
	seguei_repeat_sets(r, at);
	segue_put_be32(r->start + at, (uint32_t)imm);
}

/** segue_set_imm() sets imm of the next repetition. */
#define segue_set_imm(r, imm) seguei_set_imm(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_imm), imm)

SEGUE_HOT_FUNCTION void seguei_set_raddr_remote_addr(struct seguei_repeat *r, size_t at,
		uint64_t remote_addr)
{
	seguei_repeat_sets(r, at);
	segue_put_be64(r->start + at, (uint64_t)remote_addr);
}

/** segue_set_raddr_remote_addr() sets remote_addr of the next repetition. */
#define segue_set_raddr_remote_addr(r, remote_addr) seguei_set_raddr_remote_addr(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_remote_addr), remote_addr)

SEGUE_HOT_FUNCTION void seguei_set_raddr_rkey(struct seguei_repeat *r, size_t at, uint32_t rkey)
{
	seguei_repeat_sets(r, at);
	segue_put_be32(r->start + at, (uint32_t)rkey);
}

/** segue_set_raddr_rkey() sets rkey of the next repetition. */
#define segue_set_raddr_rkey(r, rkey) seguei_set_raddr_rkey(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_raddr_rkey), rkey)

SEGUE_HOT_FUNCTION void seguei_set_sge_addr(struct seguei_repeat *r, size_t at, uint64_t addr)
{
	seguei_repeat_sets(r, at);
	segue_put_be64(r->start + at, (uint64_t)addr);
}

/** segue_set_sge_addr() sets addr of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_addr(r, addr) seguei_set_sge_addr(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr), addr)
/** segue_set_sge_addr_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_addr_of(r, index, addr) seguei_set_sge_addr(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_addr_of), index, SEGUE_SEG_DATA_SIZE), addr)

SEGUE_HOT_FUNCTION void seguei_set_sge_lkey(struct seguei_repeat *r, size_t at, uint32_t lkey)
{
	seguei_repeat_sets(r, at);
	segue_put_be32(r->start + at, (uint32_t)lkey);
}

/** segue_set_sge_lkey() sets lkey of the next repetition: of the first entry, where there may be several. */
#define segue_set_sge_lkey(r, lkey) seguei_set_sge_lkey(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey), lkey)
/** segue_set_sge_lkey_of() does so of entry `index`, from 0, of its list. */
#define segue_set_sge_lkey_of(r, index, lkey) seguei_set_sge_lkey(&(r)->repeat, seguei_repeat_entry(&(r)->repeat, SEGUEI_SET_AT(r, segue_set_sge_lkey_of), index, SEGUE_SEG_DATA_SIZE), lkey)

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
