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

#include "segue/step.h"
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
	SEGUEI_HAS_END(ring, refused, void)
	SEGUEI_HAS_END(send, refused, struct seguei_refused)
	SEGUEI_HAS_END(sge, refused, struct seguei_refused)
	SEGUEI_HAS_END(sge_list, refused, struct seguei_refused)
	SEGUEI_HAS_END(srq_recv, refused, struct seguei_refused)
	SEGUEI_HAS_END(stream, refused, struct seguei_refused)
	SEGUEI_HAS_END(table_ctrl, refused, struct seguei_refused)
	SEGUEI_HAS_END(write, refused, struct seguei_refused)
};

#ifdef __clang__ /* see SEGUEI_MADE */
SEGUE_HOT_FUNCTION struct seguei_refused seguei_refusal(void)
{
	return (struct seguei_refused){0};
}
#endif

/* The name of the bound value is declared, so it cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define segue_av(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_av, .b, .b, ( \
	SEGUEI_BY(seguei_step_across_av), \
	SEGUEI_BY(seguei_step_av), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_batch_begin(first) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_batch_begin, SEGUEI_ITSELF, , ( \
	SEGUEI_BY(seguei_dc_batch_begin), \
	SEGUEI_BY(seguei_rc_batch_begin), \
	default: seguei_refused), ())

#define segue_batch_end(first) \
	SEGUEI_DO(SEGUEI_BOUND, first, segue_batch_end, SEGUEI_ITS_SQ, ( \
	SEGUEI_BY(seguei_batch_end), \
	default: seguei_refused_end))

#define segue_commit(first) \
	SEGUEI_END(SEGUEI_BOUND, first, segue_commit, .b, ( \
	SEGUEI_BY(seguei_dc_end_commit), \
	SEGUEI_BY(seguei_rc_end_commit), \
	SEGUEI_BY(seguei_rq_end_commit), \
	SEGUEI_BY(seguei_srq_end_commit), \
	default: seguei_refused_end))

#define segue_entry_list(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_entry_list, .b, .b, ( \
	SEGUEI_BY(seguei_step_load_table_entry_list), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_inline_data(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_inline_data, .b, .b, ( \
	SEGUEI_BY(seguei_step_inline_data), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_load_table(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_load_table, SEGUEI_ITS_SQ, .b, ( \
	SEGUEI_BY(seguei_batched_load_table), \
	SEGUEI_BY(seguei_request_load_table), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_mix(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_mix, SEGUEI_ITS_SQ, .b, ( \
	SEGUEI_BY(seguei_batched_mix), \
	SEGUEI_BY(seguei_request_mix), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_nop(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_nop, SEGUEI_ITS_SQ, .b, ( \
	SEGUEI_BY(seguei_batched_nop), \
	SEGUEI_BY(seguei_request_nop), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_post(first) \
	SEGUEI_END(SEGUEI_BOUND, first, segue_post, .b, ( \
	SEGUEI_BY(seguei_dc_end_post), \
	SEGUEI_BY(seguei_rc_end_post), \
	SEGUEI_BY(seguei_rq_end_post), \
	SEGUEI_BY(seguei_srq_end_post), \
	default: seguei_refused_end))

#define segue_post_blueflame(first) \
	SEGUEI_END(SEGUEI_BOUND, first, segue_post_blueflame, .b, ( \
	SEGUEI_BY(seguei_dc_end_post_blueflame), \
	SEGUEI_BY(seguei_rc_end_post_blueflame), \
	default: seguei_refused_end))

#define segue_post_load_table(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_load_table, ( \
	SEGUEI_BY(seguei_rc_post_load_table), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_mix(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_mix, ( \
	SEGUEI_BY(seguei_dc_post_mix), \
	SEGUEI_BY(seguei_rc_post_mix), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_nop(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_nop, ( \
	SEGUEI_BY(seguei_dc_post_nop), \
	SEGUEI_BY(seguei_rc_post_nop), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_recv(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_recv, ( \
	SEGUEI_BY(seguei_rq_post_recv), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_send(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_send, ( \
	SEGUEI_BY(seguei_dc_post_send), \
	SEGUEI_BY(seguei_rc_post_send), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_srq_recv(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_srq_recv, ( \
	SEGUEI_BY(seguei_srq_post_srq_recv), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_post_write(first, ...) \
	SEGUEI_CALL(SEGUEI_BOUND, first, segue_post_write, ( \
	SEGUEI_BY(seguei_dc_post_write), \
	SEGUEI_BY(seguei_rc_post_write), \
	default: seguei_refused_end), (, __VA_ARGS__))

#define segue_raddr(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_raddr, .b, .b, ( \
	SEGUEI_BY(seguei_step_across_raddr), \
	SEGUEI_BY(seguei_step_raddr), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_recv(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_recv, SEGUEI_ITSELF, .b, ( \
	SEGUEI_BY(seguei_rq_begin_recv), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_ring(first) \
	SEGUEI_DO(SEGUEI_BOUND, first, segue_ring, SEGUEI_ITSELF, ( \
	SEGUEI_BY(seguei_dc_ring), \
	SEGUEI_BY(seguei_rc_ring), \
	SEGUEI_BY(seguei_rq_ring), \
	SEGUEI_BY(seguei_srq_ring), \
	default: seguei_refused_end))

#define segue_send(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_send, SEGUEI_ITS_SQ, .b, ( \
	SEGUEI_BY(seguei_batched_send), \
	SEGUEI_BY(seguei_request_send), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_sge(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_sge, .b, .b, ( \
	SEGUEI_BY(seguei_recv_step_data_sge), \
	SEGUEI_BY(seguei_step_across_data_sge), \
	SEGUEI_BY(seguei_step_data_sge), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_sge_list(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_sge_list, .b, .b, ( \
	SEGUEI_BY(seguei_recv_step_data_sge_list), \
	SEGUEI_BY(seguei_step_data_sge_list), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_srq_recv(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_srq_recv, SEGUEI_ITSELF, .b, ( \
	SEGUEI_BY(seguei_srq_begin_srq_recv), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_stream(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_stream, .b, .b, ( \
	SEGUEI_BY(seguei_dc_stream), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_table_ctrl(first, ...) \
	SEGUEI_STEP(SEGUEI_BOUND, first, segue_table_ctrl, .b, .b, ( \
	SEGUEI_BY(seguei_step_load_table_table_ctrl), \
	default: seguei_refused_b), (, __VA_ARGS__))

#define segue_write(first, ...) \
	SEGUEI_BEGIN(SEGUEI_BOUND, first, segue_write, SEGUEI_ITS_SQ, .b, ( \
	SEGUEI_BY(seguei_batched_write), \
	SEGUEI_BY(seguei_request_write), \
	default: seguei_refused_b), (, __VA_ARGS__))

/* NOLINTEND(bugprone-macro-parentheses) */
#else

/*
 * A step that nothing else fits ends in its seguei_no_...: the worst of all conversions, so that the
 * compiler says one sentence in place of every overload there is. Either the step does not come
 * next, and what does is said by the type of the state (SEGUEI_NEXT), or something behind the state
 * is missing, one too many or of another type.
 */
struct seguei_next_av_or_stream {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_av() or segue_stream()");
	};
};
struct seguei_next_commit_or_inline_data_or_post_or_post_blueflame_or_sge_or_sge_list {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_inline_data(), segue_post(), segue_post_blueflame(), segue_sge() or segue_sge_list()");
	};
};
struct seguei_next_commit_or_post {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit() or segue_post()");
	};
};
struct seguei_next_commit_or_post_or_post_blueflame {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_post() or segue_post_blueflame()");
	};
};
struct seguei_next_commit_or_post_or_post_blueflame_or_sge {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame() or segue_sge()");
	};
};
struct seguei_next_commit_or_post_or_post_blueflame_or_sge_or_sge_list {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame(), segue_sge() or segue_sge_list()");
	};
};
struct seguei_next_commit_or_post_or_post_blueflame_or_stream {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_post(), segue_post_blueflame() or segue_stream()");
	};
};
struct seguei_next_commit_or_post_or_sge_or_sge_list {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_commit(), segue_post(), segue_sge() or segue_sge_list()");
	};
};
struct seguei_next_entry_list {
	template <bool Right> struct only {
		static_assert(Right, "not this step: what comes next is segue_entry_list()");
	};
};
struct seguei_next_inline_data_or_sge {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes next is segue_inline_data() or segue_sge()");
	};
};
struct seguei_next_raddr {
	template <bool Right> struct only {
		static_assert(Right, "not this step: what comes next is segue_raddr()");
	};
};
struct seguei_next_sge {
	template <bool Right> struct only {
		static_assert(Right, "not this step: what comes next is segue_sge()");
	};
};
struct seguei_next_table_ctrl {
	template <bool Right> struct only {
		static_assert(Right, "not this step: what comes next is segue_table_ctrl()");
	};
};
struct seguei_no_av {
	SEGUEI_NO(segue_av, seguei_no_av)
	template <class State> seguei_no_av(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_av(..., const struct segue_ah *ah, uint32_t dct): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_av(seguei_no_av, ...);

SEGUEI_WAY(seguei_step_across_av)
SEGUEI_WAY(seguei_step_av)
template <class State, class To = seguei_to<typename State::segue_av>>
SEGUE_BUILD To segue_av(State w, const struct segue_ah *ah, uint32_t dct SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_av::by::call(w.b, ah, dct));
}

struct seguei_no_batch_begin {
	SEGUEI_NO(segue_batch_begin, seguei_no_batch_begin)
	template <class State> seguei_no_batch_begin(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_batch_begin() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_batch_begin(...) takes one argument, and no more");
	}
};
seguei_refused segue_batch_begin(seguei_no_batch_begin, ...);

SEGUEI_WAY(seguei_dc_batch_begin)
SEGUEI_WAY(seguei_rc_batch_begin)
template <class Queue, class To = seguei_to<typename Queue::segue_batch_begin>>
SEGUE_BUILD To segue_batch_begin(Queue *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_batch_begin::by::call(sq);
}

struct seguei_no_batch_end {
	SEGUEI_NO(segue_batch_end, seguei_no_batch_end)
	template <class State> seguei_no_batch_end(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_batch_end() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_batch_end(...) takes one argument, and no more");
	}
};
seguei_refused segue_batch_end(seguei_no_batch_end, ...);

SEGUEI_WAY(seguei_batch_end)
template <class Queue, class To = seguei_to<typename Queue::segue_batch_end>>
SEGUE_HOT_FUNCTION To segue_batch_end(Queue *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_batch_end::by::call(&sq->sq);
}

struct seguei_no_commit {
	SEGUEI_NO(segue_commit, seguei_no_commit)
	template <class State> seguei_no_commit(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_commit(...) takes one argument, and no more");
	}
};
seguei_refused segue_commit(seguei_no_commit, ...);

SEGUEI_WAY(seguei_dc_end_commit)
SEGUEI_WAY(seguei_rc_end_commit)
SEGUEI_WAY(seguei_rq_end_commit)
SEGUEI_WAY(seguei_srq_end_commit)
template <class State, class To = seguei_to<typename State::segue_commit>>
SEGUE_BUILD To segue_commit(State w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return State::segue_commit::by::call(w.b);
}

struct seguei_no_entry_list {
	SEGUEI_NO(segue_entry_list, seguei_no_entry_list)
	template <class State> seguei_no_entry_list(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_entry_list(..., const struct segue_seg_entry *list, uint32_t count): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_entry_list(seguei_no_entry_list, ...);

SEGUEI_WAY(seguei_step_load_table_entry_list)
template <class State, class To = seguei_to<typename State::segue_entry_list>>
SEGUE_BUILD To segue_entry_list(State w, const struct segue_seg_entry *list,
		uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_entry_list::by::call(w.b, list, count));
}

struct seguei_no_inline_data {
	SEGUEI_NO(segue_inline_data, seguei_no_inline_data)
	template <class State> seguei_no_inline_data(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_inline_data(..., const void *data, uint32_t byte_count): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_inline_data(seguei_no_inline_data, ...);

SEGUEI_WAY(seguei_step_inline_data)
template <class State, class To = seguei_to<typename State::segue_inline_data>>
SEGUE_BUILD To segue_inline_data(State w, const void *data, uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_inline_data::by::call(w.b, data, byte_count));
}

struct seguei_no_load_table {
	SEGUEI_NO(segue_load_table, seguei_no_load_table)
	template <class State> seguei_no_load_table(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_load_table() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_load_table(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_load_table(seguei_no_load_table, ...);

SEGUEI_WAY(seguei_batched_load_table)
SEGUEI_WAY(seguei_request_load_table)
template <class Queue, class To = seguei_to<typename Queue::segue_load_table>>
SEGUE_BUILD To segue_load_table(Queue *sq, uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_load_table::by::call(&sq->sq, wr_id, flags));
}

struct seguei_no_mix {
	SEGUEI_NO(segue_mix, seguei_no_mix)
	template <class State> seguei_no_mix(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_mix() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_mix(..., uint64_t wr_id, uint32_t flags, uint32_t cookie): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_mix(seguei_no_mix, ...);

SEGUEI_WAY(seguei_batched_mix)
SEGUEI_WAY(seguei_request_mix)
template <class Queue, class To = seguei_to<typename Queue::segue_mix>>
SEGUE_BUILD To segue_mix(Queue *sq, uint64_t wr_id, uint32_t flags, uint32_t cookie SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_mix::by::call(&sq->sq, wr_id, flags, cookie));
}

struct seguei_no_nop {
	SEGUEI_NO(segue_nop, seguei_no_nop)
	template <class State> seguei_no_nop(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_nop() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_nop(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_nop(seguei_no_nop, ...);

SEGUEI_WAY(seguei_batched_nop)
SEGUEI_WAY(seguei_request_nop)
template <class Queue, class To = seguei_to<typename Queue::segue_nop>>
SEGUE_BUILD To segue_nop(Queue *sq, uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_nop::by::call(&sq->sq, wr_id, flags));
}

struct seguei_no_post {
	SEGUEI_NO(segue_post, seguei_no_post)
	template <class State> seguei_no_post(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_post(...) takes one argument, and no more");
	}
};
seguei_refused segue_post(seguei_no_post, ...);

SEGUEI_WAY(seguei_dc_end_post)
SEGUEI_WAY(seguei_rc_end_post)
SEGUEI_WAY(seguei_rq_end_post)
SEGUEI_WAY(seguei_srq_end_post)
template <class State, class To = seguei_to<typename State::segue_post>>
SEGUE_BUILD To segue_post(State w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return State::segue_post::by::call(w.b);
}

struct seguei_no_post_blueflame {
	SEGUEI_NO(segue_post_blueflame, seguei_no_post_blueflame)
	template <class State> seguei_no_post_blueflame(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_post_blueflame(...) takes one argument, and no more");
	}
};
seguei_refused segue_post_blueflame(seguei_no_post_blueflame, ...);

SEGUEI_WAY(seguei_dc_end_post_blueflame)
SEGUEI_WAY(seguei_rc_end_post_blueflame)
template <class State, class To = seguei_to<typename State::segue_post_blueflame>>
SEGUE_BUILD To segue_post_blueflame(State w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return State::segue_post_blueflame::by::call(w.b);
}

struct seguei_no_post_load_table {
	SEGUEI_NO(segue_post_load_table, seguei_no_post_load_table)
	template <class State> seguei_no_post_load_table(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_load_table() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_load_table(..., const struct segue_rc_load_table_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_load_table(seguei_no_post_load_table, ...);

SEGUEI_WAY(seguei_rc_post_load_table)
template <class Queue, class To = seguei_to<typename Queue::segue_post_load_table>>
SEGUE_BUILD To segue_post_load_table(Queue *sq,
		seguei_args<typename Queue::segue_post_load_table> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_load_table::by::call(sq, args);
}

struct seguei_no_post_mix {
	SEGUEI_NO(segue_post_mix, seguei_no_post_mix)
	template <class State> seguei_no_post_mix(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_mix() takes a queue that has it, which this is not");
		constexpr bool takes_1 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_dc_post_mix)>(nullptr);
		static_assert(!takes_1,
				"segue_post_mix(..., const struct segue_dc_mix_args *args): an argument is missing, too many or of another type");
		constexpr bool takes_2 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_rc_post_mix)>(nullptr);
		static_assert(!takes_2,
				"segue_post_mix(..., const struct segue_rc_mix_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_mix(seguei_no_post_mix, ...);

SEGUEI_WAY(seguei_dc_post_mix)
SEGUEI_WAY(seguei_rc_post_mix)
template <class Queue, class To = seguei_to<typename Queue::segue_post_mix>>
SEGUE_BUILD To segue_post_mix(Queue *sq,
		seguei_args<typename Queue::segue_post_mix> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_mix::by::call(sq, args);
}

struct seguei_no_post_nop {
	SEGUEI_NO(segue_post_nop, seguei_no_post_nop)
	template <class State> seguei_no_post_nop(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_nop() takes a queue that has it, which this is not");
		constexpr bool takes_1 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_dc_post_nop)>(nullptr);
		static_assert(!takes_1,
				"segue_post_nop(..., const struct segue_dc_nop_args *args): an argument is missing, too many or of another type");
		constexpr bool takes_2 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_rc_post_nop)>(nullptr);
		static_assert(!takes_2,
				"segue_post_nop(..., const struct segue_rc_nop_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_nop(seguei_no_post_nop, ...);

SEGUEI_WAY(seguei_dc_post_nop)
SEGUEI_WAY(seguei_rc_post_nop)
template <class Queue, class To = seguei_to<typename Queue::segue_post_nop>>
SEGUE_BUILD To segue_post_nop(Queue *sq,
		seguei_args<typename Queue::segue_post_nop> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_nop::by::call(sq, args);
}

struct seguei_no_post_recv {
	SEGUEI_NO(segue_post_recv, seguei_no_post_recv)
	template <class State> seguei_no_post_recv(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_recv() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_recv(..., const struct segue_rq_recv_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_recv(seguei_no_post_recv, ...);

SEGUEI_WAY(seguei_rq_post_recv)
template <class Queue, class To = seguei_to<typename Queue::segue_post_recv>>
SEGUE_BUILD To segue_post_recv(Queue *sq,
		seguei_args<typename Queue::segue_post_recv> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_recv::by::call(sq, args);
}

struct seguei_no_post_send {
	SEGUEI_NO(segue_post_send, seguei_no_post_send)
	template <class State> seguei_no_post_send(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_send() takes a queue that has it, which this is not");
		constexpr bool takes_1 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_dc_post_send)>(nullptr);
		static_assert(!takes_1,
				"segue_post_send(..., const struct segue_dc_send_args *args): an argument is missing, too many or of another type");
		constexpr bool takes_2 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_rc_post_send)>(nullptr);
		static_assert(!takes_2,
				"segue_post_send(..., const struct segue_rc_send_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_send(seguei_no_post_send, ...);

SEGUEI_WAY(seguei_dc_post_send)
SEGUEI_WAY(seguei_rc_post_send)
template <class Queue, class To = seguei_to<typename Queue::segue_post_send>>
SEGUE_BUILD To segue_post_send(Queue *sq,
		seguei_args<typename Queue::segue_post_send> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_send::by::call(sq, args);
}

struct seguei_no_post_srq_recv {
	SEGUEI_NO(segue_post_srq_recv, seguei_no_post_srq_recv)
	template <class State> seguei_no_post_srq_recv(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_srq_recv() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_srq_recv(..., const struct segue_srq_srq_recv_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_srq_recv(seguei_no_post_srq_recv, ...);

SEGUEI_WAY(seguei_srq_post_srq_recv)
template <class Queue, class To = seguei_to<typename Queue::segue_post_srq_recv>>
SEGUE_BUILD To segue_post_srq_recv(Queue *sq,
		seguei_args<typename Queue::segue_post_srq_recv> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_srq_recv::by::call(sq, args);
}

struct seguei_no_post_write {
	SEGUEI_NO(segue_post_write, seguei_no_post_write)
	template <class State> seguei_no_post_write(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_post_write() takes a queue that has it, which this is not");
		constexpr bool takes_1 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_dc_post_write)>(nullptr);
		static_assert(!takes_1,
				"segue_post_write(..., const struct segue_dc_write_args *args): an argument is missing, too many or of another type");
		constexpr bool takes_2 = has<typename seguei_pointed<State>::type, SEGUEI_BY(
				seguei_rc_post_write)>(nullptr);
		static_assert(!takes_2,
				"segue_post_write(..., const struct segue_rc_write_args *args): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_post_write(seguei_no_post_write, ...);

SEGUEI_WAY(seguei_dc_post_write)
SEGUEI_WAY(seguei_rc_post_write)
template <class Queue, class To = seguei_to<typename Queue::segue_post_write>>
SEGUE_BUILD To segue_post_write(Queue *sq,
		seguei_args<typename Queue::segue_post_write> args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_post_write::by::call(sq, args);
}

struct seguei_no_raddr {
	SEGUEI_NO(segue_raddr, seguei_no_raddr)
	template <class State> seguei_no_raddr(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_raddr(..., uint64_t remote_addr, uint32_t rkey): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_raddr(seguei_no_raddr, ...);

SEGUEI_WAY(seguei_step_across_raddr)
SEGUEI_WAY(seguei_step_raddr)
template <class State, class To = seguei_to<typename State::segue_raddr>>
SEGUE_BUILD To segue_raddr(State w, uint64_t remote_addr, uint32_t rkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_raddr::by::call(w.b, remote_addr, rkey));
}

struct seguei_no_recv {
	SEGUEI_NO(segue_recv, seguei_no_recv)
	template <class State> seguei_no_recv(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_recv() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_recv(seguei_no_recv, ...);

SEGUEI_WAY(seguei_rq_begin_recv)
template <class Queue, class To = seguei_to<typename Queue::segue_recv>>
SEGUE_BUILD To segue_recv(Queue *sq, uint64_t wr_id SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_recv::by::call(sq, wr_id));
}

struct seguei_no_ring {
	SEGUEI_NO(segue_ring, seguei_no_ring)
	template <class State> seguei_no_ring(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_ring() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_ring(...) takes one argument, and no more");
	}
};
seguei_refused segue_ring(seguei_no_ring, ...);

SEGUEI_WAY(seguei_dc_ring)
SEGUEI_WAY(seguei_rc_ring)
SEGUEI_WAY(seguei_rq_ring)
SEGUEI_WAY(seguei_srq_ring)
template <class Queue, class To = seguei_to<typename Queue::segue_ring>>
SEGUE_HOT_FUNCTION To segue_ring(Queue *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return Queue::segue_ring::by::call(sq);
}

struct seguei_no_send {
	SEGUEI_NO(segue_send, seguei_no_send)
	template <class State> seguei_no_send(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_send() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_send(..., uint64_t wr_id, uint32_t flags, uint32_t imm): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_send(seguei_no_send, ...);

SEGUEI_WAY(seguei_batched_send)
SEGUEI_WAY(seguei_request_send)
template <class Queue, class To = seguei_to<typename Queue::segue_send>>
SEGUE_BUILD To segue_send(Queue *sq, uint64_t wr_id, uint32_t flags, uint32_t imm SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_send::by::call(&sq->sq, wr_id, flags, imm));
}

struct seguei_no_sge {
	SEGUEI_NO(segue_sge, seguei_no_sge)
	template <class State> seguei_no_sge(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_sge(..., uint64_t addr, uint32_t byte_count, uint32_t lkey): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_sge(seguei_no_sge, ...);

SEGUEI_WAY(seguei_recv_step_data_sge)
SEGUEI_WAY(seguei_step_across_data_sge)
SEGUEI_WAY(seguei_step_data_sge)
template <class State, class To = seguei_to<typename State::segue_sge>>
SEGUE_BUILD To segue_sge(State w, uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_sge::by::call(w.b, addr, byte_count, lkey));
}

struct seguei_no_sge_list {
	SEGUEI_NO(segue_sge_list, seguei_no_sge_list)
	template <class State> seguei_no_sge_list(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_sge_list(..., const struct segue_seg_data *list, uint32_t count): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_sge_list(seguei_no_sge_list, ...);

SEGUEI_WAY(seguei_recv_step_data_sge_list)
SEGUEI_WAY(seguei_step_data_sge_list)
template <class State, class To = seguei_to<typename State::segue_sge_list>>
SEGUE_BUILD To segue_sge_list(State w, const struct segue_seg_data *list,
		uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_sge_list::by::call(w.b, list, count));
}

struct seguei_no_srq_recv {
	SEGUEI_NO(segue_srq_recv, seguei_no_srq_recv)
	template <class State> seguei_no_srq_recv(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_srq_recv() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_srq_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_srq_recv(seguei_no_srq_recv, ...);

SEGUEI_WAY(seguei_srq_begin_srq_recv)
template <class Queue, class To = seguei_to<typename Queue::segue_srq_recv>>
SEGUE_BUILD To segue_srq_recv(Queue *sq, uint64_t wr_id SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_srq_recv::by::call(sq, wr_id));
}

struct seguei_no_stream {
	SEGUEI_NO(segue_stream, seguei_no_stream)
	template <class State> seguei_no_stream(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_stream(..., uint32_t stream): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_stream(seguei_no_stream, ...);

SEGUEI_WAY(seguei_dc_stream)
template <class State, class To = seguei_to<typename State::segue_stream>>
SEGUE_BUILD To segue_stream(State w, uint32_t stream SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_stream::by::call(w.b, stream));
}

struct seguei_no_table_ctrl {
	SEGUEI_NO(segue_table_ctrl, seguei_no_table_ctrl)
	template <class State> seguei_no_table_ctrl(const State &state)
	{
		(void)typename decltype(seguei_next_of(
				&state))::template only<has<State>(nullptr)>();
		static_assert(!has<State>(nullptr),
				"segue_table_ctrl(..., uint32_t entries, const uint8_t *owner): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_table_ctrl(seguei_no_table_ctrl, ...);

SEGUEI_WAY(seguei_step_load_table_table_ctrl)
template <class State, class To = seguei_to<typename State::segue_table_ctrl>>
SEGUE_BUILD To segue_table_ctrl(State w, uint32_t entries, const uint8_t *owner SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(State::segue_table_ctrl::by::call(w.b, entries, owner));
}

struct seguei_no_write {
	SEGUEI_NO(segue_write, seguei_no_write)
	template <class State> seguei_no_write(const State &)
	{
		static_assert(has<typename seguei_pointed<State>::type>(nullptr),
				"segue_write() takes a queue that has it, which this is not");
		static_assert(!has<typename seguei_pointed<State>::type>(nullptr),
				"segue_write(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");
	}
};
seguei_refused segue_write(seguei_no_write, ...);

SEGUEI_WAY(seguei_batched_write)
SEGUEI_WAY(seguei_request_write)
template <class Queue, class To = seguei_to<typename Queue::segue_write>>
SEGUE_BUILD To segue_write(Queue *sq, uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_made<To>(Queue::segue_write::by::call(&sq->sq, wr_id, flags));
}

#endif

#endif
