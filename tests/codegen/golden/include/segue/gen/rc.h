/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/mix.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_RC_H
#define SEGUE_GEN_RC_H

#include "segue/gen/machines.h"
#include "segue/gen/steps.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Send queue. One peer, in order, acknowledged. */
struct segue_rc_sq {
	SEGUEI_HAS_STEP(batch_begin, rc_batch_begin, rc_batch)
	SEGUEI_HAS_STEP(load_table, request_load_table, rc_load_table_wants_table_ctrl)
	SEGUEI_HAS_STEP(mix, request_mix, rc_mix_wants_raddr)
	SEGUEI_HAS_STEP(nop, request_nop, rc_nop_complete)
	SEGUEI_HAS_END(post_load_table, rc_post_load_table, int)
	SEGUEI_HAS_END(post_mix, rc_post_mix, int)
	SEGUEI_HAS_END(post_nop, rc_post_nop, int)
	SEGUEI_HAS_END(post_send, rc_post_send, int)
	SEGUEI_HAS_END(post_write, rc_post_write, int)
	SEGUEI_HAS_END(ring_doorbell, rc_ring, void)
	SEGUEI_HAS_STEP(send, request_send, rc_send_may_take_sge_or_inline_data)
	SEGUEI_HAS_STEP(write, request_write, rc_write_wants_raddr)
	struct segue_sq sq;
};

/** Several requests in a row, with the queue's state in registers: see segue_batch_begin(). */
struct segue_rc_batch {
	SEGUEI_HAS_END(batch_end, batch_end, void)
	SEGUEI_HAS_STEP(load_table, request_load_table, rc_load_table_wants_table_ctrl)
	SEGUEI_HAS_STEP(mix, request_mix, rc_mix_wants_raddr)
	SEGUEI_HAS_STEP(nop, request_nop, rc_nop_complete)
	SEGUEI_HAS_STEP(send, request_send, rc_send_may_take_sge_or_inline_data)
	SEGUEI_HAS_STEP(write, request_write, rc_write_wants_raddr)
	struct seguei_batch sq;
} SEGUEI_STATE;

/* Least size of each request, in the units of segue_qp_options.max_wqe_units. Each further SGE or entry of a list adds to it. */
#define SEGUE_RC_LOAD_TABLE_UNITS 6u
#define SEGUE_RC_MIX_UNITS 3u
#define SEGUE_RC_NOP_UNITS 1u
#define SEGUE_RC_SEND_UNITS 1u
#define SEGUE_RC_WRITE_UNITS 2u

/*
 * A work request under construction. The name of each type is the steps that it expects. A type
 * that begins with may_take, or is called complete, can be posted.
 */
struct segue_rc_load_table_wants_table_ctrl {
	SEGUEI_HAS_STEP(table_ctrl, step_load_table_table_ctrl, rc_load_table_wants_entry_list)
	SEGUEI_NEXT(build, table_ctrl)
} SEGUEI_STATE;

struct segue_rc_load_table_wants_entry_list {
	SEGUEI_HAS_STEP(entry_list, step_load_table_entry_list, rc_load_table_complete)
	SEGUEI_NEXT(build, entry_list)
} SEGUEI_STATE;

struct segue_rc_load_table_complete {
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_rc_mix_wants_raddr {
	SEGUEI_HAS_STEP(raddr, step_across_raddr, rc_mix_wants_sge_or_inline_data)
	SEGUEI_NEXT(build, raddr)
} SEGUEI_STATE;

struct segue_rc_mix_wants_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, rc_mix_wants_sge)
	SEGUEI_HAS_STEP(sge, step_across_data_sge, rc_mix_may_take_sge)
	SEGUEI_NEXT(build, inline_data_or_sge)
} SEGUEI_STATE;

struct segue_rc_mix_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, rc_mix_complete)
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge)
} SEGUEI_STATE;

struct segue_rc_mix_wants_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, rc_mix_may_take_sge)
	SEGUEI_NEXT(build, sge)
} SEGUEI_STATE;

struct segue_rc_mix_complete {
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_rc_nop_complete {
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_rc_send_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, rc_send_complete)
	SEGUEI_HAS_STEP(sge, step_data_sge, rc_send_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, rc_send_may_take_sge)
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_rc_send_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, rc_send_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, rc_send_may_take_sge)
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_rc_send_complete {
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_rc_write_wants_raddr {
	SEGUEI_HAS_STEP(raddr, step_raddr, rc_write_may_take_sge_or_inline_data)
	SEGUEI_NEXT(build, raddr)
} SEGUEI_STATE;

struct segue_rc_write_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, rc_write_complete)
	SEGUEI_HAS_STEP(sge, step_data_sge, rc_write_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, rc_write_may_take_sge)
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_rc_write_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, rc_write_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, rc_write_may_take_sge)
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_rc_write_complete {
	SEGUEI_ENDS(rc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

/** Loads a table of up to 16 entries. */
SEGUEI_BUILD struct seguei_build seguei_request_load_table(struct seguei_build b, uint64_t wr_id,
		uint32_t flags)
{
	seguei_request(&b, wr_id, SEGUE_OPCODE_TABLE, 1, flags, 0);
	seguei_refuse_if(&b, seguei_wrong_flags("load_table", flags, SEGUEI_MAY_LOAD_TABLE));
	return b;
}

/**
 * Remote address segment. Says where the operation lands.
 * @remote_addr: First byte of the target.
 * @rkey: Key of the target.
 */
SEGUEI_BUILD struct seguei_build seguei_step_across_raddr(struct seguei_build b,
		uint64_t remote_addr, uint32_t rkey)
{
	struct segue_seg_raddr v;

	seguei_step(&b, "segue_raddr()");
	v.remote_addr = remote_addr;
	v.rkey = rkey;
	seguei_put_raddr(&b, true, &v);
	return b;
}

/** One entry of the table. */
SEGUEI_BUILD struct seguei_build seguei_step_load_table_entry_list(struct seguei_build b,
		const struct segue_seg_entry *list, uint32_t count)
{
	seguei_step(&b, "segue_entry_list()");
	seguei_need(count && !list, "segue_entry_list()", "list");
	seguei_refuse_if(&b, count < 1 || count > 16);
	seguei_put_entry_list(&b, 0, 0, 64, list, count);
	return b;
}

/**
 * Says how long the table is and who may use it.
 * @entries: Length of the table with its padding. (16 bytes, 0 to 0xff)
 * @owner: Name of the owner. 8 bytes.
 */
SEGUEI_BUILD struct seguei_build seguei_step_load_table_table_ctrl(struct seguei_build b,
		uint32_t entries, const uint8_t *owner)
{
	struct segue_seg_table_ctrl v;

	seguei_step(&b, "segue_table_ctrl()");
	seguei_need(!owner, "segue_table_ctrl()", "owner");
	seguei_refuse_outside(&b, SEGUEI_FIELD(SEGUE_SEG_TABLE_CTRL_ID, 0), entries, 0, 0xffu);
	v.entries = (uint8_t)entries;
	memcpy(v.owner, owner, sizeof(v.owner));
	v.rights = 0x3u;
	b.announced[0] = (uint32_t)v.entries * 16u;
	seguei_put_table_ctrl(&b, false, &v);
	return b;
}

SEGUEI_BUILD int seguei_rc_end_commit(struct seguei_build b)
{
	return seguei_commit_only(&b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUEI_BUILD int seguei_rc_end_post(struct seguei_build b)
{
	return seguei_post(&b, SEGUEI_MACHINE(segue_rc_machine));
}

SEGUEI_BUILD int seguei_rc_end_post_blueflame(struct seguei_build b)
{
	return seguei_post_blueflame(&b, SEGUEI_MACHINE(segue_rc_machine));
}

/** Rings all requests committed on this queue, once. */
SEGUEI_HOT_FUNCTION void seguei_rc_ring(struct segue_rc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/** Begins a batch: see segue_batch_begin(3). */
SEGUEI_BUILD struct segue_rc_batch seguei_rc_batch_begin(struct segue_rc_sq *sq)
{
	struct segue_rc_batch batch;

	batch.sq = seguei_batch_begin(&sq->sq);
	return batch;
}

SEGUEI_BUILD int seguei_rc_post_load_table(struct segue_rc_sq *sq,
		const struct segue_rc_load_table_args *args)
{
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->owner))
		return seguei_no_argument("segue_post_load_table", "owner");
	if (SEGUEI_UNLIKELY(!args->entrys && args->entry_count))
		return seguei_no_argument("segue_post_load_table", "entrys");
	b = seguei_request_load_table(seguei_begin(&sq->sq), args->wr_id, args->flags);
	b = seguei_step_load_table_table_ctrl(b, args->entries, args->owner);
	b = seguei_step_load_table_entry_list(b, args->entrys, args->entry_count);
	return seguei_rc_end_post(b);
}

SEGUEI_BUILD int seguei_rc_post_mix(struct segue_rc_sq *sq, const struct segue_rc_mix_args *args)
{
	if (args->inline_data) {
		struct seguei_build b;

		if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
			return seguei_no_argument("segue_post_mix", "sges");
		if (SEGUEI_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
			return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count,
					1u, 2);
		b = seguei_request_mix(seguei_begin(&sq->sq), args->wr_id, args->flags,
				args->cookie);
		b = seguei_step_across_raddr(b, args->remote_addr, args->rkey);
		b = seguei_step_inline_data(b, args->inline_data, args->inline_data_byte_count);
		b = seguei_step_mix_data_sge_list(b, args->sges, args->sge_count);
		return seguei_rc_end_post(b);
	}
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->inline_data && args->inline_data_byte_count))
		return seguei_no_argument("segue_post_mix", "inline_data");
	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_mix", "sges");
	if (SEGUEI_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
		return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count, 1u, 2);
	b = seguei_request_mix(seguei_begin(&sq->sq), args->wr_id, args->flags, args->cookie);
	b = seguei_step_across_raddr(b, args->remote_addr, args->rkey);
	b = seguei_step_mix_data_sge_list(b, args->sges, args->sge_count);
	return seguei_rc_end_post(b);
}

SEGUEI_BUILD int seguei_rc_post_nop(struct segue_rc_sq *sq, const struct segue_rc_nop_args *args)
{
	struct seguei_build b;

	b = seguei_request_nop(seguei_begin(&sq->sq), args->wr_id, args->flags);
	return seguei_rc_end_post(b);
}

SEGUEI_BUILD int seguei_rc_post_send(struct segue_rc_sq *sq, const struct segue_rc_send_args *args)
{
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_send", "sges");
	b = seguei_request_send(seguei_begin(&sq->sq), args->wr_id, args->flags, args->imm);
	b = seguei_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_rc_end_post(b);
}

SEGUEI_BUILD int seguei_rc_post_write(struct segue_rc_sq *sq,
		const struct segue_rc_write_args *args)
{
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_write", "sges");
	b = seguei_request_write(seguei_begin(&sq->sq), args->wr_id, args->flags);
	b = seguei_step_raddr(b, args->remote_addr, args->rkey);
	b = seguei_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_rc_end_post(b);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
