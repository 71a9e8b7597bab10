/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generated from tests/codegen/base, tests/codegen/golden/spec by //codegen. Do not edit.
 * To change it, edit the spec and build again.
 */
/*
 * The names that a user calls. Each is one name for all transports and states: in C a macro that
 * selects the function by the type of its first argument, in C++ a set of overloads. A step that
 * may not come next has no function, so it does not compile, and the message names the state.
 */
#ifndef SEGUE_GEN_BUILDERS_H
#define SEGUE_GEN_BUILDERS_H

#include "segue/detail/step.h"
#include "segue/gen/dc.h"
#include "segue/gen/rc.h"
#include "segue/gen/rq.h"
#include "segue/gen/srq.h"

#ifndef __cplusplus

struct seguei_refused {
	struct seguei_refused_b b;
	int sq;
	SEGUEI_HAS_END(av, refused, struct seguei_refused)
	SEGUEI_HAS_END(batch_begin, refused, struct seguei_refused)
	SEGUEI_HAS_END(batch_end, refused, void)
	SEGUEI_HAS_END(commit, refused, int)
	SEGUEI_HAS_END(entry_list, refused, struct seguei_refused)
	SEGUEI_HAS_END(inline_data, refused, struct seguei_refused)
	SEGUEI_HAS_END(load_table, refused, struct seguei_refused)
	SEGUEI_HAS_END(mix, refused, struct seguei_refused)
	SEGUEI_HAS_END(nop, refused, struct seguei_refused)
	SEGUEI_HAS_END(post, refused, int)
	SEGUEI_HAS_END(post_blueflame, refused, int)
	SEGUEI_HAS_END(post_load_table, refused, int)
	SEGUEI_HAS_END(post_mix, refused, int)
	SEGUEI_HAS_END(post_nop, refused, int)
	SEGUEI_HAS_END(post_recv, refused, int)
	SEGUEI_HAS_END(post_send, refused, int)
	SEGUEI_HAS_END(post_srq_recv, refused, int)
	SEGUEI_HAS_END(post_write, refused, int)
	SEGUEI_HAS_END(raddr, refused, struct seguei_refused)
	SEGUEI_HAS_END(recv, refused, struct seguei_refused)
	SEGUEI_HAS_END(ring_doorbell, refused, void)
	SEGUEI_HAS_END(send, refused, struct seguei_refused)
	SEGUEI_HAS_END(sge, refused, struct seguei_refused)
	SEGUEI_HAS_END(sge_list, refused, struct seguei_refused)
	SEGUEI_HAS_END(srq_recv, refused, struct seguei_refused)
	SEGUEI_HAS_END(stream, refused, struct seguei_refused)
	SEGUEI_HAS_END(table_ctrl, refused, struct seguei_refused)
	SEGUEI_HAS_END(write, refused, struct seguei_refused)
};

#ifdef __clang__ /* see SEGUEI_MADE */
SEGUEI_HOT_FUNCTION struct seguei_refused seguei_refusal(void)
{
	return (struct seguei_refused){0};
}
#endif

/* The name of the bound value is declared, so it cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define segue_av(w, ... /* address_vector, dct */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_av, .b, .b, ( \
	SEGUEI_BY(seguei_step_across_av), \
	SEGUEI_BY(seguei_step_av), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_batch_begin(sq) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_batch_begin, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_batch_begin), \
	SEGUEI_BY(seguei_rc_batch_begin), \
	SEGUEI_ELSE()), ) SEGUEI_MADE
#define segue_batch_end(batch) \
	SEGUEI_DO(SEGUEI_BOUND, batch, segue_batch_end, SEGUEI_ITS_SQ, , ( \
	SEGUEI_BY(seguei_batch_end), \
	SEGUEI_ELSE(_end)), )
#define segue_commit(w) \
	SEGUEI_END(SEGUEI_BOUND, w, segue_commit, .b, , ( \
	SEGUEI_BY(seguei_dc_end_commit), \
	SEGUEI_BY(seguei_rc_end_commit), \
	SEGUEI_BY(seguei_rq_end_commit), \
	SEGUEI_BY(seguei_srq_end_commit), \
	SEGUEI_ELSE(_end)), ) SEGUEI_ENDED
#define segue_entry_list(w, ... /* list, count */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_entry_list, .b, .b, ( \
	SEGUEI_BY(seguei_step_load_table_entry_list), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_inline_data(w, ... /* data, byte_count */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_inline_data, .b, .b, ( \
	SEGUEI_BY(seguei_step_inline_data), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_load_table(sq, ... /* wr_id, flags */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_load_table, SEGUEI_START, .b, ( \
	SEGUEI_BY(seguei_request_load_table), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_mix(sq, ... /* wr_id, flags, cookie */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_mix, SEGUEI_START, .b, ( \
	SEGUEI_BY(seguei_request_mix), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_nop(sq, ... /* wr_id, flags */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_nop, SEGUEI_START, .b, ( \
	SEGUEI_BY(seguei_request_nop), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_post(w) \
	SEGUEI_END(SEGUEI_BOUND, w, segue_post, .b, , ( \
	SEGUEI_BY(seguei_dc_end_post), \
	SEGUEI_BY(seguei_rc_end_post), \
	SEGUEI_BY(seguei_rq_end_post), \
	SEGUEI_BY(seguei_srq_end_post), \
	SEGUEI_ELSE(_end)), ) SEGUEI_ENDED
#define segue_post_blueflame(w) \
	SEGUEI_END(SEGUEI_BOUND, w, segue_post_blueflame, .b, , ( \
	SEGUEI_BY(seguei_dc_end_post_blueflame), \
	SEGUEI_BY(seguei_rc_end_post_blueflame), \
	SEGUEI_ELSE(_end)), ) SEGUEI_ENDED
#define segue_post_load_table(sq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, sq, segue_post_load_table, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_rc_post_load_table), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_mix(sq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, sq, segue_post_mix, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_post_mix), \
	SEGUEI_BY(seguei_rc_post_mix), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_nop(sq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, sq, segue_post_nop, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_post_nop), \
	SEGUEI_BY(seguei_rc_post_nop), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_recv(rq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, rq, segue_post_recv, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_rq_post_recv), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_send(sq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, sq, segue_post_send, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_post_send), \
	SEGUEI_BY(seguei_rc_post_send), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_srq_recv(srq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, srq, segue_post_srq_recv, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_srq_post_srq_recv), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_post_write(sq, ... /* args */) \
	SEGUEI_CALL(SEGUEI_BOUND, sq, segue_post_write, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_post_write), \
	SEGUEI_BY(seguei_rc_post_write), \
	SEGUEI_ELSE(_end)), , __VA_ARGS__) SEGUEI_ENDED
#define segue_raddr(w, ... /* remote_addr, rkey */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_raddr, .b, .b, ( \
	SEGUEI_BY(seguei_step_across_raddr), \
	SEGUEI_BY(seguei_step_raddr), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_recv(rq, ... /* wr_id */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, rq, segue_recv, SEGUEI_ITSELF, .b, ( \
	SEGUEI_BY(seguei_rq_begin_recv), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_ring_doorbell(queue) \
	SEGUEI_DO(SEGUEI_BOUND, queue, segue_ring_doorbell, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_ring), \
	SEGUEI_BY(seguei_rc_ring), \
	SEGUEI_BY(seguei_rq_ring), \
	SEGUEI_BY(seguei_srq_ring), \
	SEGUEI_ELSE(_end)), )
#define segue_send(sq, ... /* wr_id, flags, imm */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_send, SEGUEI_START, .b, ( \
	SEGUEI_BY(seguei_request_send), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_sge(w, ... /* addr, byte_count, lkey */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_sge, .b, .b, ( \
	SEGUEI_BY(seguei_recv_step_data_sge), \
	SEGUEI_BY(seguei_step_across_data_sge), \
	SEGUEI_BY(seguei_step_data_sge), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_sge_list(w, ... /* list, count */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_sge_list, .b, .b, ( \
	SEGUEI_BY(seguei_recv_step_data_sge_list), \
	SEGUEI_BY(seguei_step_data_sge_list), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_srq_recv(srq, ... /* wr_id */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, srq, segue_srq_recv, SEGUEI_ITSELF, .b, ( \
	SEGUEI_BY(seguei_srq_begin_srq_recv), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_stream(w, ... /* stream */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_stream, .b, .b, ( \
	SEGUEI_BY(seguei_dc_stream), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_table_ctrl(w, ... /* entries, owner */) \
	SEGUEI_STEP(SEGUEI_BOUND, w, segue_table_ctrl, .b, .b, ( \
	SEGUEI_BY(seguei_step_load_table_table_ctrl), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
#define segue_write(sq, ... /* wr_id, flags */) \
	SEGUEI_BEGIN(SEGUEI_BOUND, sq, segue_write, SEGUEI_START, .b, ( \
	SEGUEI_BY(seguei_request_write), \
	SEGUEI_ELSE(_b)), , __VA_ARGS__) SEGUEI_MADE
/* NOLINTEND(bugprone-macro-parentheses) */
#else

/*
 * A step that no other overload fits selects its seguei_no_...: the worst of all conversions, so that
 * the compiler reports one error and not every overload. Either the step may not come next, and the
 * type of the state shows which steps may (SEGUEI_NEXT), or an argument after the state is missing,
 * is one too many or has another type.
 */
SEGUEI_NEXT_STEPS(av_or_stream)
	static_assert(Right, "not this step: what comes next is segue_av() or segue_stream()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_inline_data(), segue_post(), segue_post_blueflame(), segue_sge() or segue_sge_list()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post)
	static_assert(Right, "not this step: what comes next is segue_commit() or segue_post()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post_or_post_blueflame)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_post() or segue_post_blueflame()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post_or_post_blueflame_or_sge)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame() or segue_sge()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post_or_post_blueflame_or_sge_or_sge_list)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame(), segue_sge() or segue_sge_list()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post_or_post_blueflame_or_stream)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame() or segue_stream()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(commit_or_post_or_sge_or_sge_list)
	static_assert(Right,
			"not this step: what comes next is segue_commit(), segue_post(), segue_sge() or segue_sge_list()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(entry_list)
	static_assert(Right, "not this step: what comes next is segue_entry_list()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(inline_data_or_sge)
	static_assert(Right,
			"not this step: what comes next is segue_inline_data() or segue_sge()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(raddr)
	static_assert(Right, "not this step: what comes next is segue_raddr()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(sge)
	static_assert(Right, "not this step: what comes next is segue_sge()");
SEGUEI_NEXT_END
SEGUEI_NEXT_STEPS(table_ctrl)
	static_assert(Right, "not this step: what comes next is segue_table_ctrl()");
SEGUEI_NEXT_END

SEGUEI_NO_STATE(av)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_av(..., const struct segue_address_vector *address_vector, uint32_t dct): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(av)
SEGUEI_WAY(seguei_step_across_av)
SEGUEI_WAY(seguei_step_av)
template <class State, class To = seguei_to<typename State::segue_av>>
SEGUEI_BUILD To segue_av(State w, const struct segue_address_vector *address_vector,
		uint32_t dct SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_av::by::call(w.b, address_vector, dct)))
SEGUEI_NO_QUEUE(batch_begin)
	static_assert(has_it, "segue_batch_begin() takes a queue that has it");
	static_assert(!has_it, "segue_batch_begin(...) takes one argument, and no more");
SEGUEI_NO_MORE(batch_begin)
SEGUEI_BUILD struct segue_dc_batch segue_batch_begin(struct segue_dc_sq *sq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_batch_begin(SEGUEI_ITSELF(sq)))
SEGUEI_BUILD struct segue_rc_batch segue_batch_begin(struct segue_rc_sq *sq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_batch_begin(SEGUEI_ITSELF(sq)))
SEGUEI_NO_QUEUE(batch_end)
	static_assert(has_it, "segue_batch_end() takes a queue that has it");
	static_assert(!has_it, "segue_batch_end(...) takes one argument, and no more");
SEGUEI_NO_MORE(batch_end)
SEGUEI_HOT_FUNCTION void segue_batch_end(struct segue_dc_batch *batch SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_batch_end(SEGUEI_ITS_SQ(batch)))
SEGUEI_HOT_FUNCTION void segue_batch_end(struct segue_rc_batch *batch SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_batch_end(SEGUEI_ITS_SQ(batch)))
SEGUEI_NO_STATE(commit)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it, "segue_commit(...) takes one argument, and no more");
SEGUEI_NO_MORE(commit)
SEGUEI_WAY(seguei_dc_end_commit)
SEGUEI_WAY(seguei_rc_end_commit)
SEGUEI_WAY(seguei_rq_end_commit)
SEGUEI_WAY(seguei_srq_end_commit)
template <class State, class To = seguei_to<typename State::segue_commit>>
SEGUEI_BUILD To segue_commit(State w SEGUEI_CALLER)
	SEGUEI_CALLS(State::segue_commit::by::call(w.b))
SEGUEI_NO_STATE(entry_list)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_entry_list(..., const struct segue_seg_entry *list, uint32_t count): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(entry_list)
SEGUEI_WAY(seguei_step_load_table_entry_list)
template <class State, class To = seguei_to<typename State::segue_entry_list>>
SEGUEI_BUILD To segue_entry_list(State w, const struct segue_seg_entry *list,
		uint32_t count SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_entry_list::by::call(w.b, list, count)))
SEGUEI_NO_STATE(inline_data)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_inline_data(..., const void *data, uint32_t byte_count): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(inline_data)
SEGUEI_WAY(seguei_step_inline_data)
template <class State, class To = seguei_to<typename State::segue_inline_data>>
SEGUEI_BUILD To segue_inline_data(State w, const void *data, uint32_t byte_count SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_inline_data::by::call(w.b, data, byte_count)))
SEGUEI_NO_QUEUE(load_table)
	static_assert(has_it, "segue_load_table() takes a queue that has it");
	static_assert(!has_it,
			"segue_load_table(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(load_table)
SEGUEI_BUILD struct segue_rc_load_table_wants_table_ctrl segue_load_table(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_sq::segue_load_table, request_load_table, sq, wr_id, flags)
SEGUEI_BUILD struct segue_rc_load_table_wants_table_ctrl segue_load_table(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_batch::segue_load_table, request_load_table, batch, wr_id, flags)
SEGUEI_NO_QUEUE(mix)
	static_assert(has_it, "segue_mix() takes a queue that has it");
	static_assert(!has_it,
			"segue_mix(..., uint64_t wr_id, uint32_t flags, uint32_t cookie): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(mix)
SEGUEI_BUILD struct segue_dc_mix_wants_av segue_mix(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_sq::segue_mix, request_mix, sq, wr_id, flags, cookie)
SEGUEI_BUILD struct segue_dc_mix_wants_av segue_mix(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_batch::segue_mix, request_mix, batch, wr_id, flags, cookie)
SEGUEI_BUILD struct segue_rc_mix_wants_raddr segue_mix(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_sq::segue_mix, request_mix, sq, wr_id, flags, cookie)
SEGUEI_BUILD struct segue_rc_mix_wants_raddr segue_mix(struct segue_rc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_batch::segue_mix, request_mix, batch, wr_id, flags, cookie)
SEGUEI_NO_QUEUE(nop)
	static_assert(has_it, "segue_nop() takes a queue that has it");
	static_assert(!has_it,
			"segue_nop(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(nop)
SEGUEI_BUILD struct segue_dc_nop_complete segue_nop(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_sq::segue_nop, request_nop, sq, wr_id, flags)
SEGUEI_BUILD struct segue_dc_nop_complete segue_nop(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_batch::segue_nop, request_nop, batch, wr_id, flags)
SEGUEI_BUILD struct segue_rc_nop_complete segue_nop(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_sq::segue_nop, request_nop, sq, wr_id, flags)
SEGUEI_BUILD struct segue_rc_nop_complete segue_nop(struct segue_rc_batch *batch, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_batch::segue_nop, request_nop, batch, wr_id, flags)
SEGUEI_NO_STATE(post)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it, "segue_post(...) takes one argument, and no more");
SEGUEI_NO_MORE(post)
SEGUEI_WAY(seguei_dc_end_post)
SEGUEI_WAY(seguei_rc_end_post)
SEGUEI_WAY(seguei_rq_end_post)
SEGUEI_WAY(seguei_srq_end_post)
template <class State, class To = seguei_to<typename State::segue_post>>
SEGUEI_BUILD To segue_post(State w SEGUEI_CALLER)
	SEGUEI_CALLS(State::segue_post::by::call(w.b))
SEGUEI_NO_STATE(post_blueflame)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it, "segue_post_blueflame(...) takes one argument, and no more");
SEGUEI_NO_MORE(post_blueflame)
SEGUEI_WAY(seguei_dc_end_post_blueflame)
SEGUEI_WAY(seguei_rc_end_post_blueflame)
template <class State, class To = seguei_to<typename State::segue_post_blueflame>>
SEGUEI_BUILD To segue_post_blueflame(State w SEGUEI_CALLER)
	SEGUEI_CALLS(State::segue_post_blueflame::by::call(w.b))
SEGUEI_NO_QUEUE(post_load_table)
	static_assert(has_it, "segue_post_load_table() takes a queue that has it");
	static_assert(!has_it,
			"segue_post_load_table(..., const struct segue_rc_load_table_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_load_table)
SEGUEI_BUILD int segue_post_load_table(struct segue_rc_sq *sq,
		const struct segue_rc_load_table_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_post_load_table(SEGUEI_ITSELF(sq), args))
SEGUEI_NO_QUEUE(post_mix)
	static_assert(has_it, "segue_post_mix() takes a queue that has it");
	static_assert(!has<Held, SEGUEI_BY(seguei_dc_post_mix)>(nullptr),
			"segue_post_mix(..., const struct segue_dc_mix_args *args): an argument is missing, too many or of another type");
	static_assert(!has<Held, SEGUEI_BY(seguei_rc_post_mix)>(nullptr),
			"segue_post_mix(..., const struct segue_rc_mix_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_mix)
SEGUEI_BUILD int segue_post_mix(struct segue_dc_sq *sq,
		const struct segue_dc_mix_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_post_mix(SEGUEI_ITSELF(sq), args))
SEGUEI_BUILD int segue_post_mix(struct segue_rc_sq *sq,
		const struct segue_rc_mix_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_post_mix(SEGUEI_ITSELF(sq), args))
SEGUEI_NO_QUEUE(post_nop)
	static_assert(has_it, "segue_post_nop() takes a queue that has it");
	static_assert(!has<Held, SEGUEI_BY(seguei_dc_post_nop)>(nullptr),
			"segue_post_nop(..., const struct segue_dc_nop_args *args): an argument is missing, too many or of another type");
	static_assert(!has<Held, SEGUEI_BY(seguei_rc_post_nop)>(nullptr),
			"segue_post_nop(..., const struct segue_rc_nop_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_nop)
SEGUEI_BUILD int segue_post_nop(struct segue_dc_sq *sq,
		const struct segue_dc_nop_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_post_nop(SEGUEI_ITSELF(sq), args))
SEGUEI_BUILD int segue_post_nop(struct segue_rc_sq *sq,
		const struct segue_rc_nop_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_post_nop(SEGUEI_ITSELF(sq), args))
SEGUEI_NO_QUEUE(post_recv)
	static_assert(has_it, "segue_post_recv() takes a queue that has it");
	static_assert(!has_it,
			"segue_post_recv(..., const struct segue_rq_recv_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_recv)
SEGUEI_BUILD int segue_post_recv(struct segue_rq *rq,
		const struct segue_rq_recv_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rq_post_recv(SEGUEI_ITSELF(rq), args))
SEGUEI_NO_QUEUE(post_send)
	static_assert(has_it, "segue_post_send() takes a queue that has it");
	static_assert(!has<Held, SEGUEI_BY(seguei_dc_post_send)>(nullptr),
			"segue_post_send(..., const struct segue_dc_send_args *args): an argument is missing, too many or of another type");
	static_assert(!has<Held, SEGUEI_BY(seguei_rc_post_send)>(nullptr),
			"segue_post_send(..., const struct segue_rc_send_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_send)
SEGUEI_BUILD int segue_post_send(struct segue_dc_sq *sq,
		const struct segue_dc_send_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_post_send(SEGUEI_ITSELF(sq), args))
SEGUEI_BUILD int segue_post_send(struct segue_rc_sq *sq,
		const struct segue_rc_send_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_post_send(SEGUEI_ITSELF(sq), args))
SEGUEI_NO_QUEUE(post_srq_recv)
	static_assert(has_it, "segue_post_srq_recv() takes a queue that has it");
	static_assert(!has_it,
			"segue_post_srq_recv(..., const struct segue_srq_srq_recv_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_srq_recv)
SEGUEI_BUILD int segue_post_srq_recv(struct segue_srq *srq,
		const struct segue_srq_srq_recv_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_srq_post_srq_recv(SEGUEI_ITSELF(srq), args))
SEGUEI_NO_QUEUE(post_write)
	static_assert(has_it, "segue_post_write() takes a queue that has it");
	static_assert(!has<Held, SEGUEI_BY(seguei_dc_post_write)>(nullptr),
			"segue_post_write(..., const struct segue_dc_write_args *args): an argument is missing, too many or of another type");
	static_assert(!has<Held, SEGUEI_BY(seguei_rc_post_write)>(nullptr),
			"segue_post_write(..., const struct segue_rc_write_args *args): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(post_write)
SEGUEI_BUILD int segue_post_write(struct segue_dc_sq *sq,
		const struct segue_dc_write_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_post_write(SEGUEI_ITSELF(sq), args))
SEGUEI_BUILD int segue_post_write(struct segue_rc_sq *sq,
		const struct segue_rc_write_args *args SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_post_write(SEGUEI_ITSELF(sq), args))
SEGUEI_NO_STATE(raddr)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_raddr(..., uint64_t remote_addr, uint32_t rkey): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(raddr)
SEGUEI_WAY(seguei_step_across_raddr)
SEGUEI_WAY(seguei_step_raddr)
template <class State, class To = seguei_to<typename State::segue_raddr>>
SEGUEI_BUILD To segue_raddr(State w, uint64_t remote_addr, uint32_t rkey SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_raddr::by::call(w.b, remote_addr, rkey)))
SEGUEI_NO_QUEUE(recv)
	static_assert(has_it, "segue_recv() takes a queue that has it");
	static_assert(!has_it,
			"segue_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(recv)
SEGUEI_BUILD struct segue_rq_recv_may_take_sge segue_recv(struct segue_rq *rq,
		uint64_t wr_id SEGUEI_CALLER)
	SEGUEI_MAKES(rq::segue_recv, rq_begin_recv, rq, wr_id)
SEGUEI_NO_QUEUE(ring_doorbell)
	static_assert(has_it, "segue_ring_doorbell() takes a queue that has it");
	static_assert(!has_it, "segue_ring_doorbell(...) takes one argument, and no more");
SEGUEI_NO_MORE(ring_doorbell)
SEGUEI_HOT_FUNCTION void segue_ring_doorbell(struct segue_dc_sq *sq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_dc_ring(SEGUEI_ITSELF(sq)))
SEGUEI_HOT_FUNCTION void segue_ring_doorbell(struct segue_rc_sq *sq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rc_ring(SEGUEI_ITSELF(sq)))
SEGUEI_HOT_FUNCTION void segue_ring_doorbell(struct segue_rq *rq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_rq_ring(SEGUEI_ITSELF(rq)))
SEGUEI_HOT_FUNCTION void segue_ring_doorbell(struct segue_srq *srq SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_srq_ring(SEGUEI_ITSELF(srq)))
SEGUEI_NO_QUEUE(send)
	static_assert(has_it, "segue_send() takes a queue that has it");
	static_assert(!has_it,
			"segue_send(..., uint64_t wr_id, uint32_t flags, uint32_t imm): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(send)
SEGUEI_BUILD struct segue_dc_send_wants_av segue_send(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t imm SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_sq::segue_send, request_send, sq, wr_id, flags, imm)
SEGUEI_BUILD struct segue_dc_send_wants_av segue_send(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t imm SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_batch::segue_send, request_send, batch, wr_id, flags, imm)
SEGUEI_BUILD struct segue_rc_send_may_take_sge_or_inline_data segue_send(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags, uint32_t imm SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_sq::segue_send, request_send, sq, wr_id, flags, imm)
SEGUEI_BUILD struct segue_rc_send_may_take_sge_or_inline_data segue_send(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags,
		uint32_t imm SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_batch::segue_send, request_send, batch, wr_id, flags, imm)
SEGUEI_NO_STATE(sge)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_sge(..., uint64_t addr, uint32_t byte_count, uint32_t lkey): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(sge)
SEGUEI_WAY(seguei_recv_step_data_sge)
SEGUEI_WAY(seguei_step_across_data_sge)
SEGUEI_WAY(seguei_step_data_sge)
template <class State, class To = seguei_to<typename State::segue_sge>>
SEGUEI_BUILD To segue_sge(State w, uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_sge::by::call(w.b, addr, byte_count, lkey)))
SEGUEI_NO_STATE(sge_list)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_sge_list(..., const struct segue_seg_data *list, uint32_t count): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(sge_list)
SEGUEI_WAY(seguei_recv_step_data_sge_list)
SEGUEI_WAY(seguei_step_data_sge_list)
template <class State, class To = seguei_to<typename State::segue_sge_list>>
SEGUEI_BUILD To segue_sge_list(State w, const struct segue_seg_data *list,
		uint32_t count SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_sge_list::by::call(w.b, list, count)))
SEGUEI_NO_QUEUE(srq_recv)
	static_assert(has_it, "segue_srq_recv() takes a queue that has it");
	static_assert(!has_it,
			"segue_srq_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(srq_recv)
SEGUEI_BUILD struct segue_srq_srq_recv_may_take_sge segue_srq_recv(struct segue_srq *srq,
		uint64_t wr_id SEGUEI_CALLER)
	SEGUEI_MAKES(srq::segue_srq_recv, srq_begin_srq_recv, srq, wr_id)
SEGUEI_NO_STATE(stream)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_stream(..., uint32_t stream): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(stream)
SEGUEI_WAY(seguei_dc_stream)
template <class State, class To = seguei_to<typename State::segue_stream>>
SEGUEI_BUILD To segue_stream(State w, uint32_t stream SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_stream::by::call(w.b, stream)))
SEGUEI_NO_STATE(table_ctrl)
	(void)seguei_only<Held, has_it>();
	static_assert(!has_it,
			"segue_table_ctrl(..., uint32_t entries, const uint8_t *owner): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(table_ctrl)
SEGUEI_WAY(seguei_step_load_table_table_ctrl)
template <class State, class To = seguei_to<typename State::segue_table_ctrl>>
SEGUEI_BUILD To segue_table_ctrl(State w, uint32_t entries, const uint8_t *owner SEGUEI_CALLER)
	SEGUEI_CALLS(seguei_made<To>(State::segue_table_ctrl::by::call(w.b, entries, owner)))
SEGUEI_NO_QUEUE(write)
	static_assert(has_it, "segue_write() takes a queue that has it");
	static_assert(!has_it,
			"segue_write(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
SEGUEI_NO_MORE(write)
SEGUEI_BUILD struct segue_dc_write_wants_av segue_write(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_sq::segue_write, request_write, sq, wr_id, flags)
SEGUEI_BUILD struct segue_dc_write_wants_av segue_write(struct segue_dc_batch *batch,
		uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(dc_batch::segue_write, request_write, batch, wr_id, flags)
SEGUEI_BUILD struct segue_rc_write_wants_raddr segue_write(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_sq::segue_write, request_write, sq, wr_id, flags)
SEGUEI_BUILD struct segue_rc_write_wants_raddr segue_write(struct segue_rc_batch *batch,
		uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
	SEGUEI_BEGINS(rc_batch::segue_write, request_write, batch, wr_id, flags)

#endif

#endif
