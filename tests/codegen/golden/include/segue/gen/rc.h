/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/mix.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_RC_H
#define SEGUE_GEN_RC_H

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

/** Send queue. One peer, in order, acknowledged. */
struct segue_rc_sq {
	SEGUEI_HAS_STEP(segue_batch_begin)
	SEGUEI_HAS_STEP(segue_load_table)
	SEGUEI_HAS_STEP(segue_mix)
	SEGUEI_HAS_STEP(segue_nop)
	SEGUEI_HAS_STEP(segue_post_load_table)
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
struct segue_rc_batch {
	SEGUEI_HAS_STEP(segue_batch_end)
	SEGUEI_HAS_STEP(segue_load_table)
	SEGUEI_HAS_STEP(segue_mix)
	SEGUEI_HAS_STEP(segue_nop)
	SEGUEI_HAS_STEP(segue_send)
	SEGUEI_HAS_STEP(segue_write)
	struct seguei_batch batch;
};

/* How long each request is at least, in the units of segue_qp_options.max_wqe_units. Each further SGE or entry of a list makes it longer. */
#define SEGUE_RC_LOAD_TABLE_UNITS 6u
#define SEGUE_RC_MIX_UNITS 3u
#define SEGUE_RC_NOP_UNITS 1u
#define SEGUE_RC_SEND_UNITS 1u
#define SEGUE_RC_WRITE_UNITS 2u

/*
 * A work request under construction. Each type is named for what it expects to; a type that
 * begins with may_take, or is called complete, can be posted.
 */
struct segue_rc_load_table_wants_table_ctrl {
	SEGUEI_HAS_STEP(segue_table_ctrl)
	SEGUEI_NEXT(table_ctrl)
	struct seguei_build b;
};

struct segue_rc_load_table_wants_entry_list {
	SEGUEI_HAS_STEP(segue_entry_list)
	SEGUEI_NEXT(entry_list)
	struct seguei_build b;
};

struct segue_rc_load_table_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_rc_mix_wants_raddr {
	SEGUEI_HAS_STEP(segue_raddr)
	SEGUEI_NEXT(raddr)
	struct seguei_build b;
};

struct segue_rc_mix_wants_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(inline_data_or_sge)
	struct seguei_build b;
};

struct segue_rc_mix_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge)
	struct seguei_build b;
};

struct segue_rc_mix_wants_sge {
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_NEXT(sge)
	struct seguei_build b;
};

struct segue_rc_mix_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_rc_nop_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_rc_send_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_rc_send_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_rc_send_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

struct segue_rc_write_wants_raddr {
	SEGUEI_HAS_STEP(segue_raddr)
	SEGUEI_NEXT(raddr)
	struct seguei_build b;
};

struct segue_rc_write_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_rc_write_may_take_sge {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame_or_sge_or_sge_list)
	struct seguei_build b;
};

struct segue_rc_write_complete {
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_NEXT(commit_or_post_or_post_blueflame)
	struct seguei_build b;
};

/** Loads a table of up to 16 entries. */
SEGUE_BUILD struct segue_rc_load_table_wants_table_ctrl seguei_rc_begin_load_table(
		struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_load_table_wants_table_ctrl w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_TABLE, 1, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("load_table", flags, 0x0u));
	return w;
}

SEGUE_BUILD struct segue_rc_load_table_wants_table_ctrl seguei_rc_batch_load_table(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_load_table_wants_table_ctrl w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_TABLE, 1, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("load_table", flags, 0x0u));
	return w;
}

/** Has what the other requests do not have. */
SEGUE_BUILD struct segue_rc_mix_wants_raddr seguei_rc_begin_mix(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags, uint32_t cookie)
{
	struct segue_rc_mix_wants_raddr w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_MIX, 0, flags, cookie);
	seguei_refuse_if(&w.b, seguei_wrong_flags("mix", flags, 0xau));
	return w;
}

SEGUE_BUILD struct segue_rc_mix_wants_raddr seguei_rc_batch_mix(struct segue_rc_batch *batch,
		uint64_t wr_id, uint32_t flags, uint32_t cookie)
{
	struct segue_rc_mix_wants_raddr w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_MIX, 0, flags, cookie);
	seguei_refuse_if(&w.b, seguei_wrong_flags("mix", flags, 0xau));
	return w;
}

/** Does nothing. */
SEGUE_BUILD struct segue_rc_nop_complete seguei_rc_begin_nop(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags)
{
	struct segue_rc_nop_complete w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("nop", flags, 0x8u));
	return w;
}

SEGUE_BUILD struct segue_rc_nop_complete seguei_rc_batch_nop(struct segue_rc_batch *batch,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_nop_complete w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_NOP, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("nop", flags, 0x8u));
	return w;
}

/** Sends a message, with immediate data. */
SEGUE_BUILD struct segue_rc_send_may_take_sge_or_inline_data seguei_rc_begin_send(
		struct segue_rc_sq *sq, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_rc_send_may_take_sge_or_inline_data w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_SEND, 0, flags, imm);
	seguei_refuse_if(&w.b, seguei_wrong_flags("send", flags, 0xau));
	return w;
}

SEGUE_BUILD struct segue_rc_send_may_take_sge_or_inline_data seguei_rc_batch_send(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags, uint32_t imm)
{
	struct segue_rc_send_may_take_sge_or_inline_data w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_SEND, 0, flags, imm);
	seguei_refuse_if(&w.b, seguei_wrong_flags("send", flags, 0xau));
	return w;
}

/** Writes to the peer's memory. */
SEGUE_BUILD struct segue_rc_write_wants_raddr seguei_rc_begin_write(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_write_wants_raddr w;

	w.b = seguei_begin(&sq->sq, wr_id, SEGUE_OPCODE_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("write", flags, 0x8u));
	return w;
}

SEGUE_BUILD struct segue_rc_write_wants_raddr seguei_rc_batch_write(struct segue_rc_batch *batch,
		uint64_t wr_id, uint32_t flags)
{
	struct segue_rc_write_wants_raddr w;

	w.b = seguei_batch_start(&batch->batch, wr_id, SEGUE_OPCODE_WRITE, 0, flags, 0);
	seguei_refuse_if(&w.b, seguei_wrong_flags("write", flags, 0x8u));
	return w;
}

/** Says how long the table is and who may use it. */
SEGUE_BUILD struct segue_rc_load_table_wants_entry_list seguei_rc_load_table_wants_table_ctrl_table_ctrl(
		struct segue_rc_load_table_wants_table_ctrl w, uint32_t entries,
		const uint8_t *owner)
{
	struct segue_rc_load_table_wants_entry_list to;
	struct segue_seg_table_ctrl v;

	seguei_step(&w.b, "segue_table_ctrl()");
	seguei_need(!owner, "segue_table_ctrl()", "owner");
	seguei_refuse_outside(&w.b, SEGUEI_FIELD(SEGUE_SEG_TABLE_CTRL_ID, 0), entries, 0, 0xffu);
	v.entries = (uint8_t)entries;
	memcpy(v.owner, owner, sizeof(v.owner));
	v.rights = 0x3u;
	w.b.announced[0] = (uint32_t)v.entries * 16u;
	seguei_put_table_ctrl(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** One entry of the table. */
SEGUE_BUILD struct segue_rc_load_table_complete seguei_rc_load_table_wants_entry_list_entry_list(
		struct segue_rc_load_table_wants_entry_list w, const struct segue_seg_entry *list,
		uint32_t count)
{
	struct segue_rc_load_table_complete to;

	seguei_step(&w.b, "segue_entry_list()");
	seguei_need(count && !list, "segue_entry_list()", "list");
	seguei_refuse_if(&w.b, count < 1 || count > 16);
	seguei_put_entry_list(&w.b, 0, 0, 64, list, count);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where the operation lands. */
SEGUE_BUILD struct segue_rc_mix_wants_sge_or_inline_data seguei_rc_mix_wants_raddr_raddr(
		struct segue_rc_mix_wants_raddr w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_mix_wants_sge_or_inline_data to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, true, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_mix_may_take_sge seguei_rc_mix_wants_sge_or_inline_data_sge(
		struct segue_rc_mix_wants_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_rc_mix_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_mix_wants_sge seguei_rc_mix_wants_sge_or_inline_data_inline_data(
		struct segue_rc_mix_wants_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_rc_mix_wants_sge to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_mix_complete seguei_rc_mix_may_take_sge_sge(
		struct segue_rc_mix_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_rc_mix_complete to;
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
SEGUE_BUILD struct segue_rc_mix_may_take_sge seguei_rc_mix_wants_sge_sge(
		struct segue_rc_mix_wants_sge w, uint64_t addr, uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_mix_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_send_may_take_sge seguei_rc_send_may_take_sge_or_inline_data_sge(
		struct segue_rc_send_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_send_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_send_may_take_sge seguei_rc_send_may_take_sge_or_inline_data_sge_list(
		struct segue_rc_send_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count)
{
	struct segue_rc_send_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Payload inside the entry. */
SEGUE_BUILD struct segue_rc_send_complete seguei_rc_send_may_take_sge_or_inline_data_inline_data(
		struct segue_rc_send_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_rc_send_complete to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_send_may_take_sge seguei_rc_send_may_take_sge_sge(
		struct segue_rc_send_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_rc_send_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_send_may_take_sge seguei_rc_send_may_take_sge_sge_list(
		struct segue_rc_send_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_rc_send_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Remote address segment. Says where the operation lands. */
SEGUE_BUILD struct segue_rc_write_may_take_sge_or_inline_data seguei_rc_write_wants_raddr_raddr(
		struct segue_rc_write_wants_raddr w, uint64_t remote_addr, uint32_t rkey)
{
	struct segue_rc_write_may_take_sge_or_inline_data to;
	struct segue_seg_raddr v;

	seguei_step(&w.b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&w.b, false, &v);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_write_may_take_sge seguei_rc_write_may_take_sge_or_inline_data_sge(
		struct segue_rc_write_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey)
{
	struct segue_rc_write_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_write_may_take_sge seguei_rc_write_may_take_sge_or_inline_data_sge_list(
		struct segue_rc_write_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count)
{
	struct segue_rc_write_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** Payload inside the entry. */
SEGUE_BUILD struct segue_rc_write_complete seguei_rc_write_may_take_sge_or_inline_data_inline_data(
		struct segue_rc_write_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count)
{
	struct segue_rc_write_complete to;
	struct segue_seg_inline_data v;

	seguei_step(&w.b, "segue_inline_data()");
	seguei_need(byte_count && !data, "segue_inline_data()", "data");
	v.byte_count = 0;
	seguei_put_inline_data(&w.b, v, data, byte_count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_write_may_take_sge seguei_rc_write_may_take_sge_sge(
		struct segue_rc_write_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey)
{
	struct segue_rc_write_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_write_may_take_sge seguei_rc_write_may_take_sge_sge_list(
		struct segue_rc_write_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_rc_write_may_take_sge to;

	seguei_step(&w.b, "segue_sge_list()");
	seguei_need(count && !list, "segue_sge_list()", "list");
	seguei_put_data_array(&w.b, list, count);
	to.b = w.b;
	return to;
}

/** One piece of local memory. */
SEGUE_BUILD struct segue_rc_mix_may_take_sge seguei_rc_mix_wants_sge_or_inline_data_sge_array_0(
		struct segue_rc_mix_wants_sge_or_inline_data w, const struct segue_seg_data *list,
		uint32_t count)
{
	struct segue_rc_mix_may_take_sge to;
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
SEGUE_BUILD struct segue_rc_mix_may_take_sge seguei_rc_mix_wants_sge_sge_array_1(
		struct segue_rc_mix_wants_sge w, const struct segue_seg_data *list, uint32_t count)
{
	struct segue_rc_mix_may_take_sge to;
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

SEGUE_BUILD int seguei_rc_load_table_complete_commit(struct segue_rc_load_table_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_load_table_complete_post(struct segue_rc_load_table_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_load_table_complete_post_blueflame(struct segue_rc_load_table_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_may_take_sge_commit(struct segue_rc_mix_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_may_take_sge_post(struct segue_rc_mix_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_may_take_sge_post_blueflame(struct segue_rc_mix_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_complete_commit(struct segue_rc_mix_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_complete_post(struct segue_rc_mix_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_mix_complete_post_blueflame(struct segue_rc_mix_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_nop_complete_commit(struct segue_rc_nop_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_nop_complete_post(struct segue_rc_nop_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_nop_complete_post_blueflame(struct segue_rc_nop_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_or_inline_data_commit(
		struct segue_rc_send_may_take_sge_or_inline_data w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_or_inline_data_post(
		struct segue_rc_send_may_take_sge_or_inline_data w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_or_inline_data_post_blueflame(
		struct segue_rc_send_may_take_sge_or_inline_data w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_commit(struct segue_rc_send_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_post(struct segue_rc_send_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_may_take_sge_post_blueflame(struct segue_rc_send_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_complete_commit(struct segue_rc_send_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_complete_post(struct segue_rc_send_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_send_complete_post_blueflame(struct segue_rc_send_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_or_inline_data_commit(
		struct segue_rc_write_may_take_sge_or_inline_data w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_or_inline_data_post(
		struct segue_rc_write_may_take_sge_or_inline_data w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_or_inline_data_post_blueflame(
		struct segue_rc_write_may_take_sge_or_inline_data w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_commit(struct segue_rc_write_may_take_sge w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_post(struct segue_rc_write_may_take_sge w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_may_take_sge_post_blueflame(struct segue_rc_write_may_take_sge w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_complete_commit(struct segue_rc_write_complete w)
{
	return seguei_commit_only(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_complete_post(struct segue_rc_write_complete w)
{
	return seguei_post(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUE_BUILD int seguei_rc_write_complete_post_blueflame(struct segue_rc_write_complete w)
{
	return seguei_post_blueflame(&w.b, SEGUEI_MACHINE(segue_rc_machine));
}

/** Tells the device about everything committed on this queue, once. */
SEGUE_HOT_FUNCTION void seguei_rc_ring(struct segue_rc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/** Begins a batch: see segue_batch_begin(3). */
SEGUE_BUILD struct segue_rc_batch seguei_rc_batch_begin(struct segue_rc_sq *sq)
{
	struct segue_rc_batch batch;

	batch.batch = seguei_batch_begin(&sq->sq);
	return batch;
}

/** Tells the device about everything committed in a batch, and before it on this queue, once. */
SEGUE_HOT_FUNCTION void seguei_rc_batch_end(struct segue_rc_batch *batch)
{
	seguei_batch_end(&batch->batch);
}

/** Arguments of segue_post_load_table(). Loads a table of up to 16 entries. */
struct segue_rc_load_table_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t entries; /* Length of the table with its padding. */
	const uint8_t *owner; /* Name of the owner. */
	const struct segue_seg_entry *entrys; /* the entries */
	uint32_t entry_count; /* entries */
};

SEGUE_BUILD int seguei_rc_post_load_table(struct segue_rc_sq *sq,
		const struct segue_rc_load_table_args *args)
{
	struct segue_rc_load_table_wants_table_ctrl w0;
	struct segue_rc_load_table_wants_entry_list w1;
	struct segue_rc_load_table_complete w2;

	if (SEGUE_UNLIKELY(!args->owner))
		return seguei_no_argument("segue_post_load_table", "owner");
	if (SEGUE_UNLIKELY(!args->entrys && args->entry_count))
		return seguei_no_argument("segue_post_load_table", "entrys");
	w0 = seguei_rc_begin_load_table(sq, args->wr_id, args->flags);
	w1 = seguei_rc_load_table_wants_table_ctrl_table_ctrl(w0, args->entries, args->owner);
	w2 = seguei_rc_load_table_wants_entry_list_entry_list(w1, args->entrys, args->entry_count);
	return seguei_rc_load_table_complete_post(w2);
}

/** Arguments of segue_post_mix(). Has what the other requests do not have. */
struct segue_rc_mix_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t cookie; /* Comes back with the completion. */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries, 1 to 2 */
	const void *inline_data; /* payload, copied; NULL: left out */
	uint32_t inline_data_byte_count; /* Length. */
};

SEGUE_BUILD int seguei_rc_post_mix(struct segue_rc_sq *sq, const struct segue_rc_mix_args *args)
{
	if (args->inline_data) {
		struct segue_rc_mix_wants_raddr w0;
		struct segue_rc_mix_wants_sge_or_inline_data w1;
		struct segue_rc_mix_wants_sge w2;
		struct segue_rc_mix_may_take_sge w3;

		if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
			return seguei_no_argument("segue_post_mix", "sges");
		if (SEGUE_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
			return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count,
					1u, 2);
		w0 = seguei_rc_begin_mix(sq, args->wr_id, args->flags, args->cookie);
		w1 = seguei_rc_mix_wants_raddr_raddr(w0, args->remote_addr, args->rkey);
		w2 = seguei_rc_mix_wants_sge_or_inline_data_inline_data(w1, args->inline_data,
				args->inline_data_byte_count);
		w3 = seguei_rc_mix_wants_sge_sge_array_1(w2, args->sges, args->sge_count);
		return seguei_rc_mix_may_take_sge_post(w3);
	}
	struct segue_rc_mix_wants_raddr w0;
	struct segue_rc_mix_wants_sge_or_inline_data w1;
	struct segue_rc_mix_may_take_sge w2;

	if (SEGUE_UNLIKELY(!args->inline_data && args->inline_data_byte_count))
		return seguei_no_argument("segue_post_mix", "inline_data");
	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_mix", "sges");
	if (SEGUE_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
		return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count, 1u, 2);
	w0 = seguei_rc_begin_mix(sq, args->wr_id, args->flags, args->cookie);
	w1 = seguei_rc_mix_wants_raddr_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_mix_wants_sge_or_inline_data_sge_array_0(w1, args->sges, args->sge_count);
	return seguei_rc_mix_may_take_sge_post(w2);
}

/** Arguments of segue_post_nop(). Does nothing. */
struct segue_rc_nop_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
};

SEGUE_BUILD int seguei_rc_post_nop(struct segue_rc_sq *sq, const struct segue_rc_nop_args *args)
{
	struct segue_rc_nop_complete w0;

	w0 = seguei_rc_begin_nop(sq, args->wr_id, args->flags);
	return seguei_rc_nop_complete_post(w0);
}

/** Arguments of segue_post_send(). Sends a message, with immediate data. */
struct segue_rc_send_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t imm; /* Immediate data. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_rc_post_send(struct segue_rc_sq *sq, const struct segue_rc_send_args *args)
{
	struct segue_rc_send_may_take_sge_or_inline_data w0;
	struct segue_rc_send_may_take_sge w1;

	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_send", "sges");
	w0 = seguei_rc_begin_send(sq, args->wr_id, args->flags, args->imm);
	w1 = seguei_rc_send_may_take_sge_or_inline_data_sge_list(w0, args->sges, args->sge_count);
	return seguei_rc_send_may_take_sge_post(w1);
}

/** Arguments of segue_post_write(). Writes to the peer's memory. */
struct segue_rc_write_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUE_BUILD int seguei_rc_post_write(struct segue_rc_sq *sq, const struct segue_rc_write_args *args)
{
	struct segue_rc_write_wants_raddr w0;
	struct segue_rc_write_may_take_sge_or_inline_data w1;
	struct segue_rc_write_may_take_sge w2;

	if (SEGUE_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_write", "sges");
	w0 = seguei_rc_begin_write(sq, args->wr_id, args->flags);
	w1 = seguei_rc_write_wants_raddr_raddr(w0, args->remote_addr, args->rkey);
	w2 = seguei_rc_write_may_take_sge_or_inline_data_sge_list(w1, args->sges, args->sge_count);
	return seguei_rc_write_may_take_sge_post(w2);
}

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
