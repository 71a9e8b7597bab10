/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec/mix.yaml by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
#ifndef SEGUE_GEN_DC_H
#define SEGUE_GEN_DC_H

#include "segue/gen/machines.h"
#include "segue/gen/steps.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
extern "C" {
#endif

/** Send queue. Another peer with each request. */
struct segue_dc_sq {
	SEGUEI_HAS_STEP(batch_begin, dc_batch_begin, dc_batch)
	SEGUEI_HAS_STEP(mix, request_mix, dc_mix_wants_av)
	SEGUEI_HAS_STEP(nop, request_nop, dc_nop_complete)
	SEGUEI_HAS_END(post_mix, dc_post_mix, int)
	SEGUEI_HAS_END(post_nop, dc_post_nop, int)
	SEGUEI_HAS_END(post_send, dc_post_send, int)
	SEGUEI_HAS_END(post_write, dc_post_write, int)
	SEGUEI_HAS_END(ring_doorbell, dc_ring, void)
	SEGUEI_HAS_STEP(send, request_send, dc_send_wants_av)
	SEGUEI_HAS_STEP(write, request_write, dc_write_wants_av)
	struct segue_sq sq;
};

/** Several requests in a row, with the queue's state in registers: see segue_batch_begin(). */
struct segue_dc_batch {
	SEGUEI_HAS_END(batch_end, batch_end, void)
	SEGUEI_HAS_STEP(mix, request_mix, dc_mix_wants_av)
	SEGUEI_HAS_STEP(nop, request_nop, dc_nop_complete)
	SEGUEI_HAS_STEP(send, request_send, dc_send_wants_av)
	SEGUEI_HAS_STEP(write, request_write, dc_write_wants_av)
	struct seguei_batch sq;
} SEGUEI_STATE;

/* Least size of each request, in the units of segue_qp_options.max_wqe_units. Each further SGE or entry of a list adds to it. */
#define SEGUE_DC_MIX_UNITS 3u
#define SEGUE_DC_NOP_UNITS 1u
#define SEGUE_DC_SEND_UNITS 2u
#define SEGUE_DC_WRITE_UNITS 3u

/*
 * A work request under construction. The name of each type is the steps that it expects. A type
 * that begins with may_take, or is called complete, can be posted.
 */
struct segue_dc_mix_wants_av {
	SEGUEI_HAS_STEP(av, step_across_av, dc_mix_wants_sge_or_inline_data)
	SEGUEI_HAS_STEP(stream, dc_stream, dc_mix_wants_av)
	SEGUEI_NEXT(build, av_or_stream)
} SEGUEI_STATE;

struct segue_dc_mix_wants_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, dc_mix_wants_sge)
	SEGUEI_HAS_STEP(sge, step_across_data_sge, dc_mix_may_take_sge)
	SEGUEI_NEXT(build, inline_data_or_sge)
} SEGUEI_STATE;

struct segue_dc_mix_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, dc_mix_complete)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge)
} SEGUEI_STATE;

struct segue_dc_mix_wants_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, dc_mix_may_take_sge)
	SEGUEI_NEXT(build, sge)
} SEGUEI_STATE;

struct segue_dc_mix_complete {
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_dc_nop_complete {
	SEGUEI_HAS_STEP(stream, dc_stream, dc_nop_complete)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_stream)
} SEGUEI_STATE;

struct segue_dc_send_wants_av {
	SEGUEI_HAS_STEP(av, step_av, dc_send_may_take_sge_or_inline_data)
	SEGUEI_HAS_STEP(stream, dc_stream, dc_send_wants_av)
	SEGUEI_NEXT(build, av_or_stream)
} SEGUEI_STATE;

struct segue_dc_send_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, dc_send_complete)
	SEGUEI_HAS_STEP(sge, step_data_sge, dc_send_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, dc_send_may_take_sge)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_dc_send_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, dc_send_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, dc_send_may_take_sge)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_dc_send_complete {
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

struct segue_dc_write_wants_av {
	SEGUEI_HAS_STEP(av, step_av, dc_write_wants_raddr)
	SEGUEI_HAS_STEP(stream, dc_stream, dc_write_wants_av)
	SEGUEI_NEXT(build, av_or_stream)
} SEGUEI_STATE;

struct segue_dc_write_wants_raddr {
	SEGUEI_HAS_STEP(raddr, step_raddr, dc_write_may_take_sge_or_inline_data)
	SEGUEI_NEXT(build, raddr)
} SEGUEI_STATE;

struct segue_dc_write_may_take_sge_or_inline_data {
	SEGUEI_HAS_STEP(inline_data, step_inline_data, dc_write_complete)
	SEGUEI_HAS_STEP(sge, step_data_sge, dc_write_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, dc_write_may_take_sge)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_dc_write_may_take_sge {
	SEGUEI_HAS_STEP(sge, step_across_data_sge, dc_write_may_take_sge)
	SEGUEI_HAS_STEP(sge_list, step_data_sge_list, dc_write_may_take_sge)
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame_or_sge_or_sge_list)
} SEGUEI_STATE;

struct segue_dc_write_complete {
	SEGUEI_ENDS(dc)
	SEGUEI_NEXT(build, commit_or_post_or_post_blueflame)
} SEGUEI_STATE;

/**
 * Address vector of the peer.
 * @dct: Number of the peer. (0 to 0xffffff)
 */
SEGUEI_BUILD struct seguei_build seguei_step_across_av(struct seguei_build b,
		const struct segue_address_vector *address_vector, uint32_t dct)
{
	seguei_step(&b, "segue_av()");
	seguei_need(!address_vector, "segue_av()", "address_vector");
	seguei_put_av_prepared(&b, true, address_vector, dct);
	return b;
}

/**
 * Address vector of the peer.
 * @dct: Number of the peer. (0 to 0xffffff)
 */
SEGUEI_BUILD struct seguei_build seguei_step_av(struct seguei_build b,
		const struct segue_address_vector *address_vector, uint32_t dct)
{
	seguei_step(&b, "segue_av()");
	seguei_need(!address_vector, "segue_av()", "address_vector");
	seguei_put_av_prepared(&b, false, address_vector, dct);
	return b;
}

/** Stream of the request. */
SEGUEI_BUILD struct seguei_build seguei_dc_stream(struct seguei_build b, uint32_t stream)
{
	seguei_step(&b, "segue_stream()");
	seguei_refuse_outside(&b, SEGUEI_FIELD(SEGUE_SEG_CTRL_ID, 7), stream, 0, 0xffffu);
	b.flags |= (uint32_t)stream << 8;
	return b;
}

SEGUEI_BUILD int seguei_dc_end_commit(struct seguei_build b)
{
	return seguei_commit_only(&b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUEI_BUILD int seguei_dc_end_post(struct seguei_build b)
{
	return seguei_post(&b, SEGUEI_MACHINE(segue_dc_machine));
}

SEGUEI_BUILD int seguei_dc_end_post_blueflame(struct seguei_build b)
{
	return seguei_post_blueflame(&b, SEGUEI_MACHINE(segue_dc_machine));
}

/** Rings all requests committed on this queue, once. */
SEGUEI_HOT_FUNCTION void seguei_dc_ring(struct segue_dc_sq *sq)
{
	seguei_sq_ring_committed(&sq->sq);
}

/** Begins a batch: see segue_batch_begin(3). */
SEGUEI_BUILD struct segue_dc_batch seguei_dc_batch_begin(struct segue_dc_sq *sq)
{
	struct segue_dc_batch batch;

	batch.sq = seguei_batch_begin(&sq->sq);
	return batch;
}

/** Arguments of segue_post_mix(). Has what the other requests do not have. */
struct segue_dc_mix_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t cookie; /* Comes back with the completion. */
	const struct segue_address_vector *address_vector; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries, 1 to 2 */
	const void *inline_data; /* payload, copied; NULL: left out */
	uint32_t inline_data_byte_count; /* Length. */
};

SEGUEI_BUILD int seguei_dc_post_mix(struct segue_dc_sq *sq, const struct segue_dc_mix_args *args)
{
	if (args->inline_data) {
		struct seguei_build b;

		if (SEGUEI_UNLIKELY(!args->address_vector))
			return seguei_no_argument("segue_post_mix", "address_vector");
		if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
			return seguei_no_argument("segue_post_mix", "sges");
		if (SEGUEI_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
			return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count,
					1u, 2);
		b = seguei_request_mix(seguei_begin(&sq->sq), args->wr_id, args->flags,
				args->cookie);
		b = seguei_step_across_av(b, args->address_vector, args->dct);
		b = seguei_step_inline_data(b, args->inline_data, args->inline_data_byte_count);
		b = seguei_step_mix_data_sge_list(b, args->sges, args->sge_count);
		return seguei_dc_end_post(b);
	}
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->inline_data && args->inline_data_byte_count))
		return seguei_no_argument("segue_post_mix", "inline_data");
	if (SEGUEI_UNLIKELY(!args->address_vector))
		return seguei_no_argument("segue_post_mix", "address_vector");
	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_mix", "sges");
	if (SEGUEI_UNLIKELY(args->sge_count < 1u || args->sge_count > 2u))
		return seguei_wrong_count("segue_post_mix", "sge_count", args->sge_count, 1u, 2);
	b = seguei_request_mix(seguei_begin(&sq->sq), args->wr_id, args->flags, args->cookie);
	b = seguei_step_across_av(b, args->address_vector, args->dct);
	b = seguei_step_mix_data_sge_list(b, args->sges, args->sge_count);
	return seguei_dc_end_post(b);
}

SEGUEI_BUILD int seguei_dc_post_nop(struct segue_dc_sq *sq, const struct segue_dc_nop_args *args)
{
	struct seguei_build b;

	b = seguei_request_nop(seguei_begin(&sq->sq), args->wr_id, args->flags);
	return seguei_dc_end_post(b);
}

/** Arguments of segue_post_send(). Sends a message, with immediate data. */
struct segue_dc_send_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	uint32_t imm; /* Immediate data. */
	const struct segue_address_vector *address_vector; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUEI_BUILD int seguei_dc_post_send(struct segue_dc_sq *sq, const struct segue_dc_send_args *args)
{
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->address_vector))
		return seguei_no_argument("segue_post_send", "address_vector");
	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_send", "sges");
	b = seguei_request_send(seguei_begin(&sq->sq), args->wr_id, args->flags, args->imm);
	b = seguei_step_av(b, args->address_vector, args->dct);
	b = seguei_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_dc_end_post(b);
}

/** Arguments of segue_post_write(). Writes to the peer's memory. */
struct segue_dc_write_args {
	uint64_t wr_id; /* returned with the completion */
	uint32_t flags; /* of enum segue_post_flag, or 0 */
	const struct segue_address_vector *address_vector; /* prepared once per destination */
	uint32_t dct; /* Number of the peer. */
	uint64_t remote_addr; /* First byte of the target. */
	uint32_t rkey; /* Key of the target. */
	const struct segue_seg_data *sges; /* the entries */
	uint32_t sge_count; /* entries */
};

SEGUEI_BUILD int seguei_dc_post_write(struct segue_dc_sq *sq,
		const struct segue_dc_write_args *args)
{
	struct seguei_build b;

	if (SEGUEI_UNLIKELY(!args->address_vector))
		return seguei_no_argument("segue_post_write", "address_vector");
	if (SEGUEI_UNLIKELY(!args->sges && args->sge_count))
		return seguei_no_argument("segue_post_write", "sges");
	b = seguei_request_write(seguei_begin(&sq->sq), args->wr_id, args->flags);
	b = seguei_step_av(b, args->address_vector, args->dct);
	b = seguei_step_raddr(b, args->remote_addr, args->rkey);
	b = seguei_step_data_sge_list(b, args->sges, args->sge_count);
	return seguei_dc_end_post(b);
}

#ifdef __cplusplus
}
#pragma GCC diagnostic pop
#endif

#endif
