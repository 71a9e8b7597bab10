/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/mix.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_DC_H
#define SEGUE_GEN_DC_H

#include "segue/commit.h"
#include "segue/gen/machines.h"
#include "segue/gen/put.h"
#include "segue/step.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Send queue. Another peer with each request. */
struct segue_dc_sq {
	SEGUEI_HAS_STEP(segue_batch_begin)
	SEGUEI_HAS_STEP(segue_mix)
	SEGUEI_HAS_STEP(segue_nop)
	SEGUEI_HAS_STEP(segue_post_mix)
	SEGUEI_HAS_STEP(segue_post_nop)
	SEGUEI_HAS_STEP(segue_post_send)
	SEGUEI_HAS_STEP(segue_post_write)
	SEGUEI_HAS_STEP(segue_ring)
	SEGUEI_HAS_STEP(segue_send)
	SEGUEI_HAS_STEP(segue_write)
	struct segue_sq sq;
};

/** Several requests in a row, whose queue's state the compiler keeps in registers: segue_batch_begin(). */
struct segue_dc_batch {
	SEGUEI_HAS_STEP(segue_batch_end)
	SEGUEI_HAS_STEP(segue_mix)
	SEGUEI_HAS_STEP(segue_nop)
	SEGUEI_HAS_STEP(segue_send)
	SEGUEI_HAS_STEP(segue_write)
	struct seguei_batch batch;
};

/* How long each request is at least, in the units of segue_qp_options.max_wqe_units. Each further SGE or entry of a list makes it longer. */
#define SEGUE_DC_MIX_UNITS 3u
#define SEGUE_DC_NOP_UNITS 1u
#define SEGUE_DC_SEND_UNITS 2u
#define SEGUE_DC_WRITE_UNITS 3u

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_dc_mix_wants_av {
	SEGUEI_HAS_STEP(segue_av)
	SEGUEI_HAS_STEP(segue_stream)
	SEGUEI_NEXT(av_or_stream)
	struct seguei_build b;
};

struct segue_dc_mix_wants_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(inline_data_or_sge)
	struct seguei_build b;
};

struct segue_dc_mix_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge)
	struct seguei_build b;
};

struct segue_dc_mix_wants_sge {
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(sge)
	struct seguei_build b;
};

struct segue_dc_mix_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_dc_nop_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_stream)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_stream)
	struct seguei_build b;
};

struct segue_dc_send_wants_av {
	SEGUEI_HAS_STEP(segue_av)
	SEGUEI_HAS_STEP(segue_stream)
	SEGUEI_NEXT(av_or_stream)
	struct seguei_build b;
};

struct segue_dc_send_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_dc_send_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_dc_send_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_dc_write_wants_av {
	SEGUEI_HAS_STEP(segue_av)
	SEGUEI_HAS_STEP(segue_stream)
	SEGUEI_NEXT(av_or_stream)
	struct seguei_build b;
};

struct segue_dc_write_wants_raddr {
	SEGUEI_HAS_STEP(segue_raddr)
	SEGUEI_NEXT(raddr)
	struct seguei_build b;
};

struct segue_dc_write_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_dc_write_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_dc_write_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

/** Has what the other requests do not have. */
SEGUE_BUILD struct segue_dc_mix_wants_av seguei_dc_begin_mix(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t cookie)
{
	struct segue_dc_mix_wants_av w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_MIX, 0, flags, cookie);
	seguei_refuse_if(&w.b, seguei_wrong_flags("mix", flags, 0xau));
	return w;
}

SEGUE_BUILD struct segue_dc_mix_wants_av seguei_dc_batch_mix(struct segue_dc_batch *batch,
		uint64_t wr_id, uint32_t flags, uint32_t cookie)
{
	struct segue_dc_mix_wants_av w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_MIX, 0, flags, cookie);
	seguei_refuse_if(&w.b, seguei_wrong_flags("mix", flags, 0xau));
	return w;
}

/** Does nothing. */
SEGUE_BUILD struct segue_dc_nop_complete seguei_dc_begin_nop(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags)
{
	struct segue_dc_nop_complete w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("nop", flags, 0x8u));
	return w;
}

SEGUE_BUILD struct segue_dc_nop_complete seguei_dc_batch_nop(struct segue_dc_batch *batch,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_dc_nop_complete w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("nop", flags, 0x8u));
	return w;
}

/** Sends a message, with immediate data. */
SEGUE_BUILD struct segue_dc_send_wants_av seguei_dc_begin_send(struct segue_dc_sq *sq,
		uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_dc_send_wants_av w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND, 0, flags, imm);
	seguei_refuse_if(&w.b, seguei_wrong_flags("send", flags, 0xau));
	return w;
}

SEGUE_BUILD struct segue_dc_send_wants_av seguei_dc_batch_send(struct segue_dc_batch *batch,
		uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_dc_send_wants_av w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_SEND, 0, flags, imm);
	seguei_refuse_if(&w.b, seguei_wrong_flags("send", flags, 0xau));
	return w;
}

/** Writes to the peer's memory. */
SEGUE_BUILD struct segue_dc_write_wants_av seguei_dc_begin_write(struct segue_dc_sq *sq,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_dc_write_wants_av w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("write", flags, 0x8u));
	return w;
}

SEGUE_BUILD struct segue_dc_write_wants_av seguei_dc_batch_write(struct segue_dc_batch *batch,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_dc_write_wants_av w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("write", flags, 0x8u));
	return w;
}

/** Stream of the request. */
SEGUE_BUILD struct segue_dc_mix_wants_av seguei_dc_mix_wants_av_stream(
		struct segue_dc_mix_wants_av w, uint32_t stream)
{
	seguei_step(&w.b, "segue_stream()");
	seguei_refuse_outside(&w.b, SEGUEI_FIELD(SEGUE_SEG_CTRL_ID, 7), stream, 0, 0xffffu);
	w.b.flags |= (uint32_t)stream << 8;
	return w;
}

/** Stream of the request. */
SEGUE_BUILD struct segue_dc_nop_complete seguei_dc_nop_complete_stream(
		struct segue_dc_nop_complete w, uint32_t stream)
{
	seguei_step(&w.b, "segue_stream()");
	seguei_refuse_outside(&w.b, SEGUEI_FIELD(SEGUE_SEG_CTRL_ID, 7), stream, 0, 0xffffu);
	w.b.flags |= (uint32_t)stream << 8;
	return w;
}

/** Stream of the request. */
SEGUE_BUILD struct segue_dc_send_wants_av seguei_dc_send_wants_av_stream(
		struct segue_dc_send_wants_av w, uint32_t stream)
{
	seguei_step(&w.b, "segue_stream()");
	seguei_refuse_outside(&w.b, SEGUEI_FIELD(SEGUE_SEG_CTRL_ID, 7), stream, 0, 0xffffu);
	w.b.flags |= (uint32_t)stream << 8;
	return w;
}

/** Stream of the request. */
SEGUE_BUILD struct segue_dc_write_wants_av seguei_dc_write_wants_av_stream(
		struct segue_dc_write_wants_av w, uint32_t stream)
{
	seguei_step(&w.b, "segue_stream()");
	seguei_refuse_outside(&w.b, SEGUEI_FIELD(SEGUE_SEG_CTRL_ID, 7), stream, 0, 0xffffu);
	w.b.flags |= (uint32_t)stream << 8;
	return w;
}

/** Address vector of the peer. */
SEGUE_BUILD struct segue_dc_mix_wants_sge_or_inline_data seguei_dc_mix_wants_av_av(
		struct segue_dc_mix_wants_av w, const struct segue_ah *ah, uint32_t dct)
{
	struct segue_dc_mix_wants_sge_or_inline_data to;

	seguei_step(&w.b, "segue_av()");
	seguei_need(!ah, "segue_av()", "ah");
	seguei_put_av_prepared(&w.b, true, ah, dct);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_mix_may_take_sge seguei_dc_mix_wants_sge_or_inline_data_sge(
		struct segue_dc_mix_wants_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_dc_mix_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** Payload inside the entry. */
SEGUE_BUILD struct segue_dc_mix_wants_sge seguei_dc_mix_wants_sge_or_inline_data_inline_data(
		struct segue_dc_mix_wants_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_dc_mix_wants_sge to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_mix_complete seguei_dc_mix_may_take_sge_sge(
		struct segue_dc_mix_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_dc_mix_complete to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_mix_may_take_sge seguei_dc_mix_wants_sge_sge(
		struct segue_dc_mix_wants_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_dc_mix_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** Address vector of the peer. */
SEGUE_BUILD struct segue_dc_send_may_take_sge_or_inline_data seguei_dc_send_wants_av_av(
		struct segue_dc_send_wants_av w, const struct segue_ah *ah, uint32_t dct)
{
	struct segue_dc_send_may_take_sge_or_inline_data to;

	seguei_step(&w.b, "segue_av()");
	seguei_need(!ah, "segue_av()", "ah");
	seguei_put_av_prepared(&w.b, false, ah, dct);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_send_may_take_sge seguei_dc_send_may_take_sge_or_inline_data_sge(
		struct segue_dc_send_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_dc_send_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_send_may_take_sge seguei_dc_send_may_take_sge_or_inline_data_sge_list(
		struct segue_dc_send_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count)
{
	struct segue_dc_send_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Payload inside the entry. */
SEGUE_BUILD struct segue_dc_send_complete seguei_dc_send_may_take_sge_or_inline_data_inline_data(
		struct segue_dc_send_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_dc_send_complete to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_send_may_take_sge seguei_dc_send_may_take_sge_sge(
		struct segue_dc_send_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_dc_send_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_send_may_take_sge seguei_dc_send_may_take_sge_sge_list(
		struct segue_dc_send_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_dc_send_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Address vector of the peer. */
SEGUE_BUILD struct segue_dc_write_wants_raddr seguei_dc_write_wants_av_av(
		struct segue_dc_write_wants_av w, const struct segue_ah *ah, uint32_t dct)
{
	struct segue_dc_write_wants_raddr to;

	seguei_step(&w.b, "segue_av()");
	seguei_need(!ah, "segue_av()", "ah");
	seguei_put_av_prepared(&w.b, false, ah, dct);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where the operation lands. */
SEGUE_BUILD struct segue_dc_write_may_take_sge_or_inline_data seguei_dc_write_wants_raddr_raddr(
		struct segue_dc_write_wants_raddr w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_dc_write_may_take_sge_or_inline_data to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_write_may_take_sge seguei_dc_write_may_take_sge_or_inline_data_sge(
		struct segue_dc_write_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_dc_write_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_write_may_take_sge seguei_dc_write_may_take_sge_or_inline_data_sge_list(
		struct segue_dc_write_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count)
{
	struct segue_dc_write_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Payload inside the entry. */
SEGUE_BUILD struct segue_dc_write_complete seguei_dc_write_may_take_sge_or_inline_data_inline_data(
		struct segue_dc_write_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_dc_write_complete to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_write_may_take_sge seguei_dc_write_may_take_sge_sge(
		struct segue_dc_write_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_dc_write_may_take_sge to;
	struct segue_seg_data v;

	seguei_step(&w.b, "segue_sge()");
	v.addr = addr;
	v.byte_count = byte_count;
	v.lkey = lkey;
	seguei_put_data(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_write_may_take_sge seguei_dc_write_may_take_sge_sge_list(
		struct segue_dc_write_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_dc_write_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_mix_may_take_sge seguei_dc_mix_wants_sge_or_inline_data_sge_array_0(
		struct segue_dc_mix_wants_sge_or_inline_data w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_dc_mix_may_take_sge to;
	uint32_t i, written = 0;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	for (i = 0; i < count && written <= 2u; i++) {
		seguei_put_data(&w.b, true, &list[i]);
		written++;
	}
	seguei_refuse_if(&w.b, written < 1u || written > 2u);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_dc_mix_may_take_sge seguei_dc_mix_wants_sge_sge_array_1(
		struct segue_dc_mix_wants_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_dc_mix_may_take_sge to;
	uint32_t i, written = 0;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	for (i = 0; i < count && written <= 2u; i++) {
		seguei_put_data(&w.b, true, &list[i]);
		written++;
	}
	seguei_refuse_if(&w.b, written < 1u || written > 2u);
	to.b = w.b;
	return to;
}

SEGUE_BUILD int seguei_dc_mix_may_take_sge_commit(struct segue_dc_mix_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_mix_may_take_sge_post(struct segue_dc_mix_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_mix_may_take_sge_post_blueflame(struct segue_dc_mix_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_mix_complete_commit(struct segue_dc_mix_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_mix_complete_post(struct segue_dc_mix_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_mix_complete_post_blueflame(struct segue_dc_mix_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_nop_complete_commit(struct segue_dc_nop_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_nop_complete_post(struct segue_dc_nop_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_nop_complete_post_blueflame(struct segue_dc_nop_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_or_inline_data_commit(
		struct segue_dc_send_may_take_sge_or_inline_data w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_or_inline_data_post(
		struct segue_dc_send_may_take_sge_or_inline_data w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_or_inline_data_post_blueflame(
		struct segue_dc_send_may_take_sge_or_inline_data w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_commit(struct segue_dc_send_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_post(struct segue_dc_send_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_may_take_sge_post_blueflame(struct segue_dc_send_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_complete_commit(struct segue_dc_send_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_complete_post(struct segue_dc_send_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_send_complete_post_blueflame(struct segue_dc_send_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_or_inline_data_commit(
		struct segue_dc_write_may_take_sge_or_inline_data w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_or_inline_data_post(
		struct segue_dc_write_may_take_sge_or_inline_data w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_or_inline_data_post_blueflame(
		struct segue_dc_write_may_take_sge_or_inline_data w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_commit(struct segue_dc_write_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_post(struct segue_dc_write_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_may_take_sge_post_blueflame(struct segue_dc_write_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_complete_commit(struct segue_dc_write_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_complete_post(struct segue_dc_write_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUE_BUILD int seguei_dc_write_complete_post_blueflame(struct segue_dc_write_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_dc_machine));
}

/** Tells the device about everything committed on this queue, once. */
SEGUE_HOT_FUNCTION void seguei_dc_ring(struct segue_dc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/** Begins a batch: see segue_batch_begin(3). */
SEGUE_BUILD struct segue_dc_batch seguei_dc_batch_begin(struct segue_dc_sq *sq)
{
	struct segue_dc_batch batch;

	batch.batch = seguei_batch_begin(&sq->sq);
	return batch;
}

/** Tells the device about everything committed in a batch, and before it on this queue, once. */
SEGUE_HOT_FUNCTION void seguei_dc_batch_end(struct segue_dc_batch *batch)
{
	seguei_batch_end(&batch->batch);
}

/** Arguments of segue_post_mix(). Has what the other requests do not have. */
struct segue_dc_mix_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t cookie; /* Comes back with the completion. */
	const struct segue_ah *ah; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries, 1 to 2 */
	const void *inline_data; /* payload, copied; NULL: left out */
	uint32_t inline_data_byte_count; /* Length. */
};

SEGUE_BUILD int seguei_dc_post_mix(struct segue_dc_sq *sq, const struct segue_dc_mix_args *args)
{
	if (args->inline_data) {
		struct segue_dc_mix_wants_av w0;
		struct segue_dc_mix_wants_sge_or_inline_data w1;
		struct segue_dc_mix_wants_sge w2;
		struct segue_dc_mix_may_take_sge w3;

		if (SEGUE_UNLIKELY(!args->ah))
			return seguei_no_argument("segue_post_mix", "ah");
		if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
			return seguei_no_argument("segue_post_mix", "sges");
		if (SEGUE_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
			return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count,
					1u, 2);
		w0 = seguei_dc_begin_mix(sq, args->wr_id, args->flags, args->cookie);
		w1 = seguei_dc_mix_wants_av_av(w0, args->ah, args->dct);
		w2 = seguei_dc_mix_wants_sge_or_inline_data_inline_data(w1, args->inline_data,
				args->inline_data_byte_count);
		w3 = seguei_dc_mix_wants_sge_sge_array_1(w2, args->sges, args->sge_count);
		return seguei_dc_mix_may_take_sge_post(w3);
	}
	struct segue_dc_mix_wants_av w0;
	struct segue_dc_mix_wants_sge_or_inline_data w1;
	struct segue_dc_mix_may_take_sge w2;

	if (SEGUE_UNLIKELY(!args->inline_data && args->inline_data_byte_count))
		return seguei_no_argument("segue_post_mix", "inline_data");
	if (SEGUE_UNLIKELY(!args->ah))
		return seguei_no_argument("segue_post_mix", "ah");
	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_mix", "sges");
	if (SEGUE_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
		return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count, 1u, 2);
	w0 = seguei_dc_begin_mix(sq, args->wr_id, args->flags, args->cookie);
	w1 = seguei_dc_mix_wants_av_av(w0, args->ah, args->dct);
	w2 = seguei_dc_mix_wants_sge_or_inline_data_sge_array_0(w1, args->sges, args->sge_count);
	return seguei_dc_mix_may_take_sge_post(w2);
}

/** Arguments of segue_post_nop(). Does nothing. */
struct segue_dc_nop_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
};

SEGUE_BUILD int seguei_dc_post_nop(struct segue_dc_sq *sq, const struct segue_dc_nop_args *args)
{
	struct segue_dc_nop_complete w0;

	w0 = seguei_dc_begin_nop(sq, args->wr_id, args->flags);
	return seguei_dc_nop_complete_post(w0);
}

/** Arguments of segue_post_send(). Sends a message, with immediate data. */
struct segue_dc_send_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t imm; /* Immediate data. */
	const struct segue_ah *ah; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_dc_post_send(struct segue_dc_sq *sq, const struct segue_dc_send_args *args)
{
	struct segue_dc_send_wants_av w0;
	struct segue_dc_send_may_take_sge_or_inline_data w1;
	struct segue_dc_send_may_take_sge w2;

	if (SEGUE_UNLIKELY(!args->ah))
		return seguei_no_argument("segue_post_send", "ah");
	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_send", "sges");
	w0 = seguei_dc_begin_send(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_dc_send_wants_av_av(w0, args->ah, args->dct);
	w2 = seguei_dc_send_may_take_sge_or_inline_data_sge_list(w1, args->sges, args->sge_count);
	return seguei_dc_send_may_take_sge_post(w2);
}

/** Arguments of segue_post_write(). Writes to the peer's memory. */
struct segue_dc_write_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	const struct segue_ah *ah; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_dc_post_write(struct segue_dc_sq *sq, const struct segue_dc_write_args *args)
{
	struct segue_dc_write_wants_av w0;
	struct segue_dc_write_wants_raddr w1;
	struct segue_dc_write_may_take_sge_or_inline_data w2;
	struct segue_dc_write_may_take_sge w3;

	if (SEGUE_UNLIKELY(!args->ah))
		return seguei_no_argument("segue_post_write", "ah");
	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_write", "sges");
	w0 = seguei_dc_begin_write(sq, args->wr_id, args->flags);
	w1 = seguei_dc_write_wants_av_av(w0, args->ah, args->dct);
	w2 = seguei_dc_write_wants_raddr_raddr(w1, args->remote_addr, args->rkey);
	w3 = seguei_dc_write_may_take_sge_or_inline_data_sge_list(w2, args->sges, args->sge_count);
	return seguei_dc_write_may_take_sge_post(w3);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
