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

#include "segue/gen/dc.h"
#include "segue/gen/rc.h"
#include "segue/gen/rq.h"
#include "segue/gen/srq.h"

#ifndef __cplusplus

struct seguei_refused {
	char nothing;
	SEGUEI_HAS_STEP(segue_av)
	SEGUEI_HAS_STEP(segue_batch_begin)
	SEGUEI_HAS_STEP(segue_batch_end)
	SEGUEI_HAS_STEP(segue_commit)
	SEGUEI_HAS_STEP(segue_entry_list)
	SEGUEI_HAS_STEP(segue_inline_data)
	SEGUEI_HAS_STEP(segue_load_table)
	SEGUEI_HAS_STEP(segue_mix)
	SEGUEI_HAS_STEP(segue_nop)
	SEGUEI_HAS_STEP(segue_post)
	SEGUEI_HAS_STEP(segue_post_blueflame)
	SEGUEI_HAS_STEP(segue_post_load_table)
	SEGUEI_HAS_STEP(segue_post_mix)
	SEGUEI_HAS_STEP(segue_post_nop)
	SEGUEI_HAS_STEP(segue_post_recv)
	SEGUEI_HAS_STEP(segue_post_send)
	SEGUEI_HAS_STEP(segue_post_srq_recv)
	SEGUEI_HAS_STEP(segue_post_write)
	SEGUEI_HAS_STEP(segue_raddr)
	SEGUEI_HAS_STEP(segue_recv)
	SEGUEI_HAS_STEP(segue_ring)
	SEGUEI_HAS_STEP(segue_send)
	SEGUEI_HAS_STEP(segue_sge)
	SEGUEI_HAS_STEP(segue_sge_list)
	SEGUEI_HAS_STEP(segue_srq_recv)
	SEGUEI_HAS_STEP(segue_stream)
	SEGUEI_HAS_STEP(segue_table_ctrl)
	SEGUEI_HAS_STEP(segue_write)
};

/* Where a mistake ends that the compiler has reported already. They exist nowhere, and take whatever is given. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wstrict-prototypes"
/* In C23 () takes nothing, and ... need not follow a parameter; gcc 12 and clang 14 know neither yet. */
#if __STDC_VERSION__ > 201710L && (defined(__clang__) ? __clang_major__ >= 15 : __GNUC__ >= 13)
#define SEGUEI_ANYTHING ...
#else
#define SEGUEI_ANYTHING
#endif
__attribute__((error("this is not a step of this state"))) struct seguei_refused seguei_refused(
		SEGUEI_ANYTHING);
__attribute__((error("this is not a step of this state"))) int seguei_refused_end(SEGUEI_ANYTHING);
#pragma GCC diagnostic pop

#ifdef __clang__ /* see SEGUEI_TAKE */
SEGUE_HOT_FUNCTION struct seguei_refused seguei_refusal(void)
{
	return (struct seguei_refused){0};
}

SEGUE_HOT_FUNCTION int seguei_refusal_int(void)
{
	return 0;
}
#endif

/* The name of the bound value is declared, so it cannot stand in parentheses. NOLINTBEGIN(bugprone-macro-parentheses) */
#define segue_av(first, ...) SEGUEI_av(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_av(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_av); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_mix_wants_av: seguei_dc_mix_wants_av_av, \
	struct segue_dc_send_wants_av: seguei_dc_send_wants_av_av, \
	struct segue_dc_write_wants_av: seguei_dc_write_wants_av_av, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_batch_begin(first) SEGUEI_batch_begin(SEGUEI_BOUND, first)
#define SEGUEI_batch_begin(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_batch_begin); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_batch_begin, \
	struct segue_rc_sq *: seguei_rc_batch_begin, \
	default: seguei_refused)(n) SEGUEI_TAKEN

#define segue_batch_end(first) SEGUEI_batch_end(SEGUEI_BOUND, first)
#define SEGUEI_batch_end(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_batch_end); \
	SEGUEI_NOTE_CALLER \
	_Generic(n, \
	struct segue_dc_batch *: seguei_dc_batch_end, \
	struct segue_rc_batch *: seguei_rc_batch_end, \
	default: seguei_refused_end)(n); })

#define segue_commit(first) SEGUEI_commit(SEGUEI_BOUND, first)
#define SEGUEI_commit(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_commit); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_mix_may_take_sge: seguei_dc_mix_may_take_sge_commit, \
	struct segue_dc_mix_complete: seguei_dc_mix_complete_commit, \
	struct segue_dc_nop_complete: seguei_dc_nop_complete_commit, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_commit, \
	struct segue_dc_send_may_take_sge: seguei_dc_send_may_take_sge_commit, \
	struct segue_dc_send_complete: seguei_dc_send_complete_commit, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_commit, \
	struct segue_dc_write_may_take_sge: seguei_dc_write_may_take_sge_commit, \
	struct segue_dc_write_complete: seguei_dc_write_complete_commit, \
	struct segue_rc_load_table_complete: seguei_rc_load_table_complete_commit, \
	struct segue_rc_mix_may_take_sge: seguei_rc_mix_may_take_sge_commit, \
	struct segue_rc_mix_complete: seguei_rc_mix_complete_commit, \
	struct segue_rc_nop_complete: seguei_rc_nop_complete_commit, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_commit, \
	struct segue_rc_send_may_take_sge: seguei_rc_send_may_take_sge_commit, \
	struct segue_rc_send_complete: seguei_rc_send_complete_commit, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_commit, \
	struct segue_rc_write_may_take_sge: seguei_rc_write_may_take_sge_commit, \
	struct segue_rc_write_complete: seguei_rc_write_complete_commit, \
	struct segue_rq_recv_may_take_sge: seguei_rq_recv_may_take_sge_commit, \
	struct segue_rq_recv_complete: seguei_rq_recv_complete_commit, \
	struct segue_srq_srq_recv_may_take_sge: seguei_srq_srq_recv_may_take_sge_commit, \
	struct segue_srq_srq_recv_complete: seguei_srq_srq_recv_complete_commit, \
	default: seguei_refused_end)(n) SEGUEI_TAKEN_INT

#define segue_entry_list(first, ...) SEGUEI_entry_list(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_entry_list(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_entry_list); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_rc_load_table_wants_entry_list: seguei_rc_load_table_wants_entry_list_entry_list, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_inline_data(first, ...) SEGUEI_inline_data(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_inline_data(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_inline_data); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_mix_wants_sge_or_inline_data: seguei_dc_mix_wants_sge_or_inline_data_inline_data, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_inline_data, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_inline_data, \
	struct segue_rc_mix_wants_sge_or_inline_data: seguei_rc_mix_wants_sge_or_inline_data_inline_data, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_inline_data, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_inline_data, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_load_table(first, ...) SEGUEI_load_table(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_load_table(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_load_table); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_rc_sq *: seguei_rc_begin_load_table, \
	struct segue_rc_batch *: seguei_rc_batch_load_table, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_mix(first, ...) SEGUEI_mix(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_mix(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_mix); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_begin_mix, \
	struct segue_dc_batch *: seguei_dc_batch_mix, \
	struct segue_rc_sq *: seguei_rc_begin_mix, \
	struct segue_rc_batch *: seguei_rc_batch_mix, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_nop(first, ...) SEGUEI_nop(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_nop(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_nop); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_begin_nop, \
	struct segue_dc_batch *: seguei_dc_batch_nop, \
	struct segue_rc_sq *: seguei_rc_begin_nop, \
	struct segue_rc_batch *: seguei_rc_batch_nop, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_post(first) SEGUEI_post(SEGUEI_BOUND, first)
#define SEGUEI_post(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_post); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_mix_may_take_sge: seguei_dc_mix_may_take_sge_post, \
	struct segue_dc_mix_complete: seguei_dc_mix_complete_post, \
	struct segue_dc_nop_complete: seguei_dc_nop_complete_post, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_post, \
	struct segue_dc_send_may_take_sge: seguei_dc_send_may_take_sge_post, \
	struct segue_dc_send_complete: seguei_dc_send_complete_post, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_post, \
	struct segue_dc_write_may_take_sge: seguei_dc_write_may_take_sge_post, \
	struct segue_dc_write_complete: seguei_dc_write_complete_post, \
	struct segue_rc_load_table_complete: seguei_rc_load_table_complete_post, \
	struct segue_rc_mix_may_take_sge: seguei_rc_mix_may_take_sge_post, \
	struct segue_rc_mix_complete: seguei_rc_mix_complete_post, \
	struct segue_rc_nop_complete: seguei_rc_nop_complete_post, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_post, \
	struct segue_rc_send_may_take_sge: seguei_rc_send_may_take_sge_post, \
	struct segue_rc_send_complete: seguei_rc_send_complete_post, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_post, \
	struct segue_rc_write_may_take_sge: seguei_rc_write_may_take_sge_post, \
	struct segue_rc_write_complete: seguei_rc_write_complete_post, \
	struct segue_rq_recv_may_take_sge: seguei_rq_recv_may_take_sge_post, \
	struct segue_rq_recv_complete: seguei_rq_recv_complete_post, \
	struct segue_srq_srq_recv_may_take_sge: seguei_srq_srq_recv_may_take_sge_post, \
	struct segue_srq_srq_recv_complete: seguei_srq_srq_recv_complete_post, \
	default: seguei_refused_end)(n) SEGUEI_TAKEN_INT

#define segue_post_blueflame(first) SEGUEI_post_blueflame(SEGUEI_BOUND, first)
#define SEGUEI_post_blueflame(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_post_blueflame); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_mix_may_take_sge: seguei_dc_mix_may_take_sge_post_blueflame, \
	struct segue_dc_mix_complete: seguei_dc_mix_complete_post_blueflame, \
	struct segue_dc_nop_complete: seguei_dc_nop_complete_post_blueflame, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_post_blueflame, \
	struct segue_dc_send_may_take_sge: seguei_dc_send_may_take_sge_post_blueflame, \
	struct segue_dc_send_complete: seguei_dc_send_complete_post_blueflame, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_post_blueflame, \
	struct segue_dc_write_may_take_sge: seguei_dc_write_may_take_sge_post_blueflame, \
	struct segue_dc_write_complete: seguei_dc_write_complete_post_blueflame, \
	struct segue_rc_load_table_complete: seguei_rc_load_table_complete_post_blueflame, \
	struct segue_rc_mix_may_take_sge: seguei_rc_mix_may_take_sge_post_blueflame, \
	struct segue_rc_mix_complete: seguei_rc_mix_complete_post_blueflame, \
	struct segue_rc_nop_complete: seguei_rc_nop_complete_post_blueflame, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_post_blueflame, \
	struct segue_rc_send_may_take_sge: seguei_rc_send_may_take_sge_post_blueflame, \
	struct segue_rc_send_complete: seguei_rc_send_complete_post_blueflame, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_post_blueflame, \
	struct segue_rc_write_may_take_sge: seguei_rc_write_may_take_sge_post_blueflame, \
	struct segue_rc_write_complete: seguei_rc_write_complete_post_blueflame, \
	default: seguei_refused_end)(n) SEGUEI_TAKEN_INT

#define segue_post_load_table(first, ...) SEGUEI_post_load_table(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_load_table(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_load_table); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_rc_sq *: seguei_rc_post_load_table, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_mix(first, ...) SEGUEI_post_mix(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_mix(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_mix); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_post_mix, \
	struct segue_rc_sq *: seguei_rc_post_mix, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_nop(first, ...) SEGUEI_post_nop(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_nop(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_nop); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_post_nop, \
	struct segue_rc_sq *: seguei_rc_post_nop, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_recv(first, ...) SEGUEI_post_recv(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_recv(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_recv); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_rq *: seguei_rq_post_recv, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_send(first, ...) SEGUEI_post_send(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_send(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_send); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_post_send, \
	struct segue_rc_sq *: seguei_rc_post_send, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_srq_recv(first, ...) SEGUEI_post_srq_recv(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_srq_recv(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_srq_recv); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_srq *: seguei_srq_post_srq_recv, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_post_write(first, ...) SEGUEI_post_write(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_post_write(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_post_write); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE_INT \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_post_write, \
	struct segue_rc_sq *: seguei_rc_post_write, \
	default: seguei_refused_end)(n, __VA_ARGS__) SEGUEI_TAKEN_INT

#define segue_raddr(first, ...) SEGUEI_raddr(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_raddr(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_raddr); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_write_wants_raddr: seguei_dc_write_wants_raddr_raddr, \
	struct segue_rc_mix_wants_raddr: seguei_rc_mix_wants_raddr_raddr, \
	struct segue_rc_write_wants_raddr: seguei_rc_write_wants_raddr_raddr, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_recv(first, ...) SEGUEI_recv(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_recv(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_recv); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_rq *: seguei_rq_begin_recv, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_ring(first) SEGUEI_ring(SEGUEI_BOUND, first)
#define SEGUEI_ring(n, first) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_ring); \
	SEGUEI_NOTE_CALLER \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_ring, \
	struct segue_rc_sq *: seguei_rc_ring, \
	struct segue_rq *: seguei_rq_ring, \
	struct segue_srq *: seguei_srq_ring, \
	default: seguei_refused_end)(n); })

#define segue_send(first, ...) SEGUEI_send(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_send(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_send); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_begin_send, \
	struct segue_dc_batch *: seguei_dc_batch_send, \
	struct segue_rc_sq *: seguei_rc_begin_send, \
	struct segue_rc_batch *: seguei_rc_batch_send, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_sge(first, ...) SEGUEI_sge(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_sge(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_sge); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_mix_wants_sge_or_inline_data: seguei_dc_mix_wants_sge_or_inline_data_sge, \
	struct segue_dc_mix_may_take_sge: seguei_dc_mix_may_take_sge_sge, \
	struct segue_dc_mix_wants_sge: seguei_dc_mix_wants_sge_sge, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_sge, \
	struct segue_dc_send_may_take_sge: seguei_dc_send_may_take_sge_sge, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_sge, \
	struct segue_dc_write_may_take_sge: seguei_dc_write_may_take_sge_sge, \
	struct segue_rc_mix_wants_sge_or_inline_data: seguei_rc_mix_wants_sge_or_inline_data_sge, \
	struct segue_rc_mix_may_take_sge: seguei_rc_mix_may_take_sge_sge, \
	struct segue_rc_mix_wants_sge: seguei_rc_mix_wants_sge_sge, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_sge, \
	struct segue_rc_send_may_take_sge: seguei_rc_send_may_take_sge_sge, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_sge, \
	struct segue_rc_write_may_take_sge: seguei_rc_write_may_take_sge_sge, \
	struct segue_rq_recv_may_take_sge: seguei_rq_recv_may_take_sge_sge, \
	struct segue_srq_srq_recv_may_take_sge: seguei_srq_srq_recv_may_take_sge_sge, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_sge_list(first, ...) SEGUEI_sge_list(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_sge_list(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_sge_list); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_send_may_take_sge_or_inline_data: seguei_dc_send_may_take_sge_or_inline_data_sge_list, \
	struct segue_dc_send_may_take_sge: seguei_dc_send_may_take_sge_sge_list, \
	struct segue_dc_write_may_take_sge_or_inline_data: seguei_dc_write_may_take_sge_or_inline_data_sge_list, \
	struct segue_dc_write_may_take_sge: seguei_dc_write_may_take_sge_sge_list, \
	struct segue_rc_send_may_take_sge_or_inline_data: seguei_rc_send_may_take_sge_or_inline_data_sge_list, \
	struct segue_rc_send_may_take_sge: seguei_rc_send_may_take_sge_sge_list, \
	struct segue_rc_write_may_take_sge_or_inline_data: seguei_rc_write_may_take_sge_or_inline_data_sge_list, \
	struct segue_rc_write_may_take_sge: seguei_rc_write_may_take_sge_sge_list, \
	struct segue_rq_recv_may_take_sge: seguei_rq_recv_may_take_sge_sge_list, \
	struct segue_srq_srq_recv_may_take_sge: seguei_srq_srq_recv_may_take_sge_sge_list, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_srq_recv(first, ...) SEGUEI_srq_recv(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_srq_recv(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_srq_recv); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_srq *: seguei_srq_begin_srq_recv, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_stream(first, ...) SEGUEI_stream(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_stream(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_stream); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_mix_wants_av: seguei_dc_mix_wants_av_stream, \
	struct segue_dc_nop_complete: seguei_dc_nop_complete_stream, \
	struct segue_dc_send_wants_av: seguei_dc_send_wants_av_stream, \
	struct segue_dc_write_wants_av: seguei_dc_write_wants_av_stream, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_table_ctrl(first, ...) SEGUEI_table_ctrl(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_table_ctrl(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n.segue_table_ctrl); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_rc_load_table_wants_table_ctrl: seguei_rc_load_table_wants_table_ctrl_table_ctrl, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

#define segue_write(first, ...) SEGUEI_write(SEGUEI_BOUND, first, __VA_ARGS__)
#define SEGUEI_write(n, first, ...) \
	__extension__({ \
	__auto_type n = (first); \
	(void)sizeof(n->segue_write); \
	SEGUEI_NOTE_CALLER \
	SEGUEI_TAKE \
	_Generic(n, \
	struct segue_dc_sq *: seguei_dc_begin_write, \
	struct segue_dc_batch *: seguei_dc_batch_write, \
	struct segue_rc_sq *: seguei_rc_begin_write, \
	struct segue_rc_batch *: seguei_rc_batch_write, \
	default: seguei_refused)(n, __VA_ARGS__) SEGUEI_TAKEN

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
/* A queue, or what is neither. */
struct seguei_next_request {
	template <bool Right> struct only {
		static_assert(Right,
				"not this step: what comes first is a request of this queue, and the step behind it");

	};
};
struct seguei_next_nothing {
	template <bool Right> struct only {
		static_assert(Right,
				"the first argument is neither a queue nor a request that is being built");

	};
};
template <class State> typename State::seguei_next seguei_next_of(const State *);
template <class Queue> seguei_next_request seguei_next_of(Queue *const *);
seguei_next_nothing seguei_next_of(...);

/* What a refused step returns: nobody complains about the steps behind it. */
struct seguei_refused {
	operator int() const;
};

struct seguei_no_av {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_wants_av) ||
		__is_same(State, struct segue_dc_send_wants_av) ||
		__is_same(State, struct segue_dc_write_wants_av);
	template <class State> seguei_no_av(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_av(..., const struct segue_ah *ah, uint32_t dct): an argument is missing, too many or of another type");

	}
	seguei_no_av(seguei_refused)
	{
	}
};
seguei_refused segue_av(seguei_no_av, ...);

struct seguei_no_batch_begin {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_batch_begin(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_batch_begin() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_batch_begin(...) takes one argument, and no more");
	}
	seguei_no_batch_begin(seguei_refused)
	{
	}
};
seguei_refused segue_batch_begin(seguei_no_batch_begin, ...);

struct seguei_no_batch_end {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_batch *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_batch_end(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_batch_end() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_batch_end(...) takes one argument, and no more");
	}
	seguei_no_batch_end(seguei_refused)
	{
	}
};
seguei_refused segue_batch_end(seguei_no_batch_end, ...);

struct seguei_no_commit {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_may_take_sge) ||
		__is_same(State, struct segue_dc_mix_complete) ||
		__is_same(State, struct segue_dc_nop_complete) ||
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge) ||
		__is_same(State, struct segue_dc_send_complete) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge) ||
		__is_same(State, struct segue_dc_write_complete) ||
		__is_same(State, struct segue_rc_load_table_complete) ||
		__is_same(State, struct segue_rc_mix_may_take_sge) ||
		__is_same(State, struct segue_rc_mix_complete) ||
		__is_same(State, struct segue_rc_nop_complete) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge) ||
		__is_same(State, struct segue_rc_send_complete) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge) ||
		__is_same(State, struct segue_rc_write_complete) ||
		__is_same(State, struct segue_rq_recv_may_take_sge) ||
		__is_same(State, struct segue_rq_recv_complete) ||
		__is_same(State, struct segue_srq_srq_recv_may_take_sge) ||
		__is_same(State, struct segue_srq_srq_recv_complete);
	template <class State> seguei_no_commit(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>, "segue_commit(...) takes one argument, and no more");
	}
	seguei_no_commit(seguei_refused)
	{
	}
};
seguei_refused segue_commit(seguei_no_commit, ...);

struct seguei_no_entry_list {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rc_load_table_wants_entry_list);
	template <class State> seguei_no_entry_list(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_entry_list(..., const struct segue_seg_entry *list, uint32_t count): an argument is missing, too many or of another type");

	}
	seguei_no_entry_list(seguei_refused)
	{
	}
};
seguei_refused segue_entry_list(seguei_no_entry_list, ...);

struct seguei_no_inline_data {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_wants_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_mix_wants_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data);
	template <class State> seguei_no_inline_data(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_inline_data(..., const void *data, uint32_t byte_count): an argument is missing, too many or of another type");

	}
	seguei_no_inline_data(seguei_refused)
	{
	}
};
seguei_refused segue_inline_data(seguei_no_inline_data, ...);

struct seguei_no_load_table {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_load_table(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_load_table() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_load_table(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");

	}
	seguei_no_load_table(seguei_refused)
	{
	}
};
seguei_refused segue_load_table(seguei_no_load_table, ...);

struct seguei_no_mix {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_dc_batch *) ||
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_mix(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_mix() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_mix(..., uint64_t wr_id, uint32_t flags, uint32_t cookie): an argument is missing, too many or of another type");

	}
	seguei_no_mix(seguei_refused)
	{
	}
};
seguei_refused segue_mix(seguei_no_mix, ...);

struct seguei_no_nop {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_dc_batch *) ||
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_nop(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_nop() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_nop(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");

	}
	seguei_no_nop(seguei_refused)
	{
	}
};
seguei_refused segue_nop(seguei_no_nop, ...);

struct seguei_no_post {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_may_take_sge) ||
		__is_same(State, struct segue_dc_mix_complete) ||
		__is_same(State, struct segue_dc_nop_complete) ||
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge) ||
		__is_same(State, struct segue_dc_send_complete) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge) ||
		__is_same(State, struct segue_dc_write_complete) ||
		__is_same(State, struct segue_rc_load_table_complete) ||
		__is_same(State, struct segue_rc_mix_may_take_sge) ||
		__is_same(State, struct segue_rc_mix_complete) ||
		__is_same(State, struct segue_rc_nop_complete) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge) ||
		__is_same(State, struct segue_rc_send_complete) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge) ||
		__is_same(State, struct segue_rc_write_complete) ||
		__is_same(State, struct segue_rq_recv_may_take_sge) ||
		__is_same(State, struct segue_rq_recv_complete) ||
		__is_same(State, struct segue_srq_srq_recv_may_take_sge) ||
		__is_same(State, struct segue_srq_srq_recv_complete);
	template <class State> seguei_no_post(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>, "segue_post(...) takes one argument, and no more");
	}
	seguei_no_post(seguei_refused)
	{
	}
};
seguei_refused segue_post(seguei_no_post, ...);

struct seguei_no_post_blueflame {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_may_take_sge) ||
		__is_same(State, struct segue_dc_mix_complete) ||
		__is_same(State, struct segue_dc_nop_complete) ||
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge) ||
		__is_same(State, struct segue_dc_send_complete) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge) ||
		__is_same(State, struct segue_dc_write_complete) ||
		__is_same(State, struct segue_rc_load_table_complete) ||
		__is_same(State, struct segue_rc_mix_may_take_sge) ||
		__is_same(State, struct segue_rc_mix_complete) ||
		__is_same(State, struct segue_rc_nop_complete) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge) ||
		__is_same(State, struct segue_rc_send_complete) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge) ||
		__is_same(State, struct segue_rc_write_complete);
	template <class State> seguei_no_post_blueflame(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_post_blueflame(...) takes one argument, and no more");
	}
	seguei_no_post_blueflame(seguei_refused)
	{
	}
};
seguei_refused segue_post_blueflame(seguei_no_post_blueflame, ...);

struct seguei_no_post_load_table {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_post_load_table(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_post_load_table() takes a queue that has it, which this is not");

		static_assert(!takes_1<State>,
				"segue_post_load_table(..., const struct segue_rc_load_table_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_load_table(seguei_refused)
	{
	}
};
seguei_refused segue_post_load_table(seguei_no_post_load_table, ...);

struct seguei_no_post_mix {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *);
	template <class State> static constexpr bool takes_2 =
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_post_mix(const State &state)
	{
		(void)state;
		static_assert(takes_1<State> || takes_2<State>,
				"segue_post_mix() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_post_mix(..., const struct segue_dc_mix_args *args): an argument is missing, too many or of another type");

		static_assert(!takes_2<State>,
				"segue_post_mix(..., const struct segue_rc_mix_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_mix(seguei_refused)
	{
	}
};
seguei_refused segue_post_mix(seguei_no_post_mix, ...);

struct seguei_no_post_nop {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *);
	template <class State> static constexpr bool takes_2 =
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_post_nop(const State &state)
	{
		(void)state;
		static_assert(takes_1<State> || takes_2<State>,
				"segue_post_nop() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_post_nop(..., const struct segue_dc_nop_args *args): an argument is missing, too many or of another type");

		static_assert(!takes_2<State>,
				"segue_post_nop(..., const struct segue_rc_nop_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_nop(seguei_refused)
	{
	}
};
seguei_refused segue_post_nop(seguei_no_post_nop, ...);

struct seguei_no_post_recv {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rq *);
	template <class State> seguei_no_post_recv(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_post_recv() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_post_recv(..., const struct segue_rq_recv_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_recv(seguei_refused)
	{
	}
};
seguei_refused segue_post_recv(seguei_no_post_recv, ...);

struct seguei_no_post_send {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *);
	template <class State> static constexpr bool takes_2 =
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_post_send(const State &state)
	{
		(void)state;
		static_assert(takes_1<State> || takes_2<State>,
				"segue_post_send() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_post_send(..., const struct segue_dc_send_args *args): an argument is missing, too many or of another type");

		static_assert(!takes_2<State>,
				"segue_post_send(..., const struct segue_rc_send_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_send(seguei_refused)
	{
	}
};
seguei_refused segue_post_send(seguei_no_post_send, ...);

struct seguei_no_post_srq_recv {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_srq *);
	template <class State> seguei_no_post_srq_recv(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_post_srq_recv() takes a queue that has it, which this is not");

		static_assert(!takes_1<State>,
				"segue_post_srq_recv(..., const struct segue_srq_srq_recv_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_srq_recv(seguei_refused)
	{
	}
};
seguei_refused segue_post_srq_recv(seguei_no_post_srq_recv, ...);

struct seguei_no_post_write {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *);
	template <class State> static constexpr bool takes_2 =
		__is_same(State, struct segue_rc_sq *);
	template <class State> seguei_no_post_write(const State &state)
	{
		(void)state;
		static_assert(takes_1<State> || takes_2<State>,
				"segue_post_write() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_post_write(..., const struct segue_dc_write_args *args): an argument is missing, too many or of another type");

		static_assert(!takes_2<State>,
				"segue_post_write(..., const struct segue_rc_write_args *args): an argument is missing, too many or of another type");

	}
	seguei_no_post_write(seguei_refused)
	{
	}
};
seguei_refused segue_post_write(seguei_no_post_write, ...);

struct seguei_no_raddr {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_write_wants_raddr) ||
		__is_same(State, struct segue_rc_mix_wants_raddr) ||
		__is_same(State, struct segue_rc_write_wants_raddr);
	template <class State> seguei_no_raddr(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_raddr(..., uint64_t remote_addr, uint32_t rkey): an argument is missing, too many or of another type");

	}
	seguei_no_raddr(seguei_refused)
	{
	}
};
seguei_refused segue_raddr(seguei_no_raddr, ...);

struct seguei_no_recv {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rq *);
	template <class State> seguei_no_recv(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_recv() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");

	}
	seguei_no_recv(seguei_refused)
	{
	}
};
seguei_refused segue_recv(seguei_no_recv, ...);

struct seguei_no_ring {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rq *) ||
		__is_same(State, struct segue_srq *);
	template <class State> seguei_no_ring(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_ring() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>, "segue_ring(...) takes one argument, and no more");
	}
	seguei_no_ring(seguei_refused)
	{
	}
};
seguei_refused segue_ring(seguei_no_ring, ...);

struct seguei_no_send {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_dc_batch *) ||
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_send(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_send() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_send(..., uint64_t wr_id, uint32_t flags, uint32_t imm): an argument is missing, too many or of another type");

	}
	seguei_no_send(seguei_refused)
	{
	}
};
seguei_refused segue_send(seguei_no_send, ...);

struct seguei_no_sge {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_wants_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_mix_may_take_sge) ||
		__is_same(State, struct segue_dc_mix_wants_sge) ||
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge) ||
		__is_same(State, struct segue_rc_mix_wants_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_mix_may_take_sge) ||
		__is_same(State, struct segue_rc_mix_wants_sge) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge) ||
		__is_same(State, struct segue_rq_recv_may_take_sge) ||
		__is_same(State, struct segue_srq_srq_recv_may_take_sge);
	template <class State> seguei_no_sge(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_sge(..., uint64_t addr, uint32_t byte_count, uint32_t lkey): an argument is missing, too many or of another type");

	}
	seguei_no_sge(seguei_refused)
	{
	}
};
seguei_refused segue_sge(seguei_no_sge, ...);

struct seguei_no_sge_list {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_send_may_take_sge) ||
		__is_same(State, struct segue_dc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_dc_write_may_take_sge) ||
		__is_same(State, struct segue_rc_send_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_send_may_take_sge) ||
		__is_same(State, struct segue_rc_write_may_take_sge_or_inline_data) ||
		__is_same(State, struct segue_rc_write_may_take_sge) ||
		__is_same(State, struct segue_rq_recv_may_take_sge) ||
		__is_same(State, struct segue_srq_srq_recv_may_take_sge);
	template <class State> seguei_no_sge_list(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_sge_list(..., const struct segue_seg_data *list, uint32_t count): an argument is missing, too many or of another type");

	}
	seguei_no_sge_list(seguei_refused)
	{
	}
};
seguei_refused segue_sge_list(seguei_no_sge_list, ...);

struct seguei_no_srq_recv {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_srq *);
	template <class State> seguei_no_srq_recv(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_srq_recv() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_srq_recv(..., uint64_t wr_id): an argument is missing, too many or of another type");

	}
	seguei_no_srq_recv(seguei_refused)
	{
	}
};
seguei_refused segue_srq_recv(seguei_no_srq_recv, ...);

struct seguei_no_stream {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_mix_wants_av) ||
		__is_same(State, struct segue_dc_nop_complete) ||
		__is_same(State, struct segue_dc_send_wants_av) ||
		__is_same(State, struct segue_dc_write_wants_av);
	template <class State> seguei_no_stream(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_stream(..., uint32_t stream): an argument is missing, too many or of another type");

	}
	seguei_no_stream(seguei_refused)
	{
	}
};
seguei_refused segue_stream(seguei_no_stream, ...);

struct seguei_no_table_ctrl {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_rc_load_table_wants_table_ctrl);
	template <class State> seguei_no_table_ctrl(const State &state)
	{
		typename decltype(seguei_next_of(&state))::template only<takes_1<State>> right;
		(void)right;
		static_assert(!takes_1<State>,
				"segue_table_ctrl(..., uint32_t entries, const uint8_t *owner): an argument is missing, too many or of another type");

	}
	seguei_no_table_ctrl(seguei_refused)
	{
	}
};
seguei_refused segue_table_ctrl(seguei_no_table_ctrl, ...);

struct seguei_no_write {
	template <class State> static constexpr bool takes_1 =
		__is_same(State, struct segue_dc_sq *) ||
		__is_same(State, struct segue_dc_batch *) ||
		__is_same(State, struct segue_rc_sq *) ||
		__is_same(State, struct segue_rc_batch *);
	template <class State> seguei_no_write(const State &state)
	{
		(void)state;
		static_assert(takes_1<State>,
				"segue_write() takes a queue that has it, which this is not");
		static_assert(!takes_1<State>,
				"segue_write(..., uint64_t wr_id, uint32_t flags): an argument is missing, too many or of another type");

	}
	seguei_no_write(seguei_refused)
	{
	}
};
seguei_refused segue_write(seguei_no_write, ...);

SEGUE_BUILD struct segue_dc_mix_wants_sge_or_inline_data segue_av(struct segue_dc_mix_wants_av w,
		const struct segue_ah *ah, uint32_t dct SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_wants_av_av(w, ah, dct);
}

SEGUE_BUILD struct segue_dc_send_may_take_sge_or_inline_data segue_av(
		struct segue_dc_send_wants_av w, const struct segue_ah *ah,
		uint32_t dct SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_wants_av_av(w, ah, dct);
}

SEGUE_BUILD struct segue_dc_write_wants_raddr segue_av(struct segue_dc_write_wants_av w,
		const struct segue_ah *ah, uint32_t dct SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_wants_av_av(w, ah, dct);
}

SEGUE_BUILD struct segue_dc_batch segue_batch_begin(struct segue_dc_sq *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_batch_begin(sq);
}

SEGUE_BUILD struct segue_rc_batch segue_batch_begin(struct segue_rc_sq *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_begin(sq);
}

SEGUE_HOT_FUNCTION void segue_batch_end(struct segue_dc_batch *batch SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_dc_batch_end(batch);
}

SEGUE_HOT_FUNCTION void segue_batch_end(struct segue_rc_batch *batch SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_rc_batch_end(batch);
}

SEGUE_BUILD int segue_commit(struct segue_dc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_nop_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_dc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_load_table_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_load_table_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_nop_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rq_recv_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_rq_recv_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_complete_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_srq_srq_recv_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_may_take_sge_commit(w);
}

SEGUE_BUILD int segue_commit(struct segue_srq_srq_recv_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_complete_commit(w);
}

SEGUE_BUILD struct segue_rc_load_table_complete segue_entry_list(
		struct segue_rc_load_table_wants_entry_list w, const struct segue_seg_entry *list,
		uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_load_table_wants_entry_list_entry_list(w, list, count);
}

SEGUE_BUILD struct segue_dc_mix_wants_sge segue_inline_data(
		struct segue_dc_mix_wants_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_wants_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_dc_send_complete segue_inline_data(
		struct segue_dc_send_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_dc_write_complete segue_inline_data(
		struct segue_dc_write_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_mix_wants_sge segue_inline_data(
		struct segue_rc_mix_wants_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_wants_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_send_complete segue_inline_data(
		struct segue_rc_send_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_write_complete segue_inline_data(
		struct segue_rc_write_may_take_sge_or_inline_data w, const void *data,
		uint32_t byte_count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_inline_data(w, data, byte_count);
}

SEGUE_BUILD struct segue_rc_load_table_wants_table_ctrl segue_load_table(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_begin_load_table(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_load_table_wants_table_ctrl segue_load_table(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_load_table(batch, wr_id, flags);
}

SEGUE_BUILD struct segue_dc_mix_wants_av segue_mix(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_begin_mix(sq, wr_id, flags, cookie);
}

SEGUE_BUILD struct segue_dc_mix_wants_av segue_mix(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_batch_mix(batch, wr_id, flags, cookie);
}

SEGUE_BUILD struct segue_rc_mix_wants_raddr segue_mix(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_begin_mix(sq, wr_id, flags, cookie);
}

SEGUE_BUILD struct segue_rc_mix_wants_raddr segue_mix(struct segue_rc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t cookie SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_mix(batch, wr_id, flags, cookie);
}

SEGUE_BUILD struct segue_dc_nop_complete segue_nop(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dc_nop_complete segue_nop(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_batch_nop(batch, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_nop_complete segue_nop(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_begin_nop(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_nop_complete segue_nop(struct segue_rc_batch *batch, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_nop(batch, wr_id, flags);
}

SEGUE_BUILD int segue_post(struct segue_dc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_nop_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_dc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_load_table_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_load_table_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_nop_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rq_recv_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_rq_recv_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_complete_post(w);
}

SEGUE_BUILD int segue_post(struct segue_srq_srq_recv_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_may_take_sge_post(w);
}

SEGUE_BUILD int segue_post(struct segue_srq_srq_recv_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_complete_post(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_nop_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(
		struct segue_dc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(
		struct segue_dc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_dc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_load_table_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_load_table_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_mix_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_mix_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_nop_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_nop_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(
		struct segue_rc_send_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_send_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_send_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(
		struct segue_rc_write_may_take_sge_or_inline_data w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_write_may_take_sge w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_post_blueflame(w);
}

SEGUE_BUILD int segue_post_blueflame(struct segue_rc_write_complete w SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_complete_post_blueflame(w);
}

SEGUE_BUILD int segue_post_load_table(struct segue_rc_sq *sq,
		const struct segue_rc_load_table_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_post_load_table(sq, args);
}

SEGUE_BUILD int segue_post_mix(struct segue_dc_sq *sq,
		const struct segue_dc_mix_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_post_mix(sq, args);
}

SEGUE_BUILD int segue_post_mix(struct segue_rc_sq *sq,
		const struct segue_rc_mix_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_post_mix(sq, args);
}

SEGUE_BUILD int segue_post_nop(struct segue_dc_sq *sq,
		const struct segue_dc_nop_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_post_nop(sq, args);
}

SEGUE_BUILD int segue_post_nop(struct segue_rc_sq *sq,
		const struct segue_rc_nop_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_post_nop(sq, args);
}

SEGUE_BUILD int segue_post_recv(struct segue_rq *rq,
		const struct segue_rq_recv_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_post_recv(rq, args);
}

SEGUE_BUILD int segue_post_send(struct segue_dc_sq *sq,
		const struct segue_dc_send_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_post_send(sq, args);
}

SEGUE_BUILD int segue_post_send(struct segue_rc_sq *sq,
		const struct segue_rc_send_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_post_send(sq, args);
}

SEGUE_BUILD int segue_post_srq_recv(struct segue_srq *srq,
		const struct segue_srq_srq_recv_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_post_srq_recv(srq, args);
}

SEGUE_BUILD int segue_post_write(struct segue_dc_sq *sq,
		const struct segue_dc_write_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_post_write(sq, args);
}

SEGUE_BUILD int segue_post_write(struct segue_rc_sq *sq,
		const struct segue_rc_write_args *args SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_post_write(sq, args);
}

SEGUE_BUILD struct segue_dc_write_may_take_sge_or_inline_data segue_raddr(
		struct segue_dc_write_wants_raddr w, uint64_t remote_addr,
		uint32_t rkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_wants_raddr_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_mix_wants_sge_or_inline_data segue_raddr(
		struct segue_rc_mix_wants_raddr w, uint64_t remote_addr,
		uint32_t rkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_wants_raddr_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rc_write_may_take_sge_or_inline_data segue_raddr(
		struct segue_rc_write_wants_raddr w, uint64_t remote_addr,
		uint32_t rkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_wants_raddr_raddr(w, remote_addr, rkey);
}

SEGUE_BUILD struct segue_rq_recv_may_take_sge segue_recv(struct segue_rq *rq,
		uint64_t wr_id SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_begin_recv(rq, wr_id);
}

SEGUE_HOT_FUNCTION void segue_ring(struct segue_dc_sq *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_dc_ring(sq);
}

SEGUE_HOT_FUNCTION void segue_ring(struct segue_rc_sq *sq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_rc_ring(sq);
}

SEGUE_HOT_FUNCTION void segue_ring(struct segue_rq *rq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_rq_ring(rq);
}

SEGUE_HOT_FUNCTION void segue_ring(struct segue_srq *srq SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	seguei_srq_ring(srq);
}

SEGUE_BUILD struct segue_dc_send_wants_av segue_send(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags, uint32_t imm SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_begin_send(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_dc_send_wants_av segue_send(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags, uint32_t imm SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_batch_send(batch, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge_or_inline_data segue_send(struct segue_rc_sq *sq,
		uint64_t wr_id, uint32_t flags, uint32_t imm SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_begin_send(sq, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge_or_inline_data segue_send(
		struct segue_rc_batch *batch, uint64_t wr_id, uint32_t flags,
		uint32_t imm SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_send(batch, wr_id, flags, imm);
}

SEGUE_BUILD struct segue_dc_mix_may_take_sge segue_sge(
		struct segue_dc_mix_wants_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_wants_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_mix_complete segue_sge(struct segue_dc_mix_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_mix_may_take_sge segue_sge(struct segue_dc_mix_wants_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_wants_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_send_may_take_sge segue_sge(
		struct segue_dc_send_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_send_may_take_sge segue_sge(struct segue_dc_send_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_write_may_take_sge segue_sge(
		struct segue_dc_write_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_write_may_take_sge segue_sge(struct segue_dc_write_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_mix_may_take_sge segue_sge(
		struct segue_rc_mix_wants_sge_or_inline_data w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_wants_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_mix_complete segue_sge(struct segue_rc_mix_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_mix_may_take_sge segue_sge(struct segue_rc_mix_wants_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_mix_wants_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge segue_sge(
		struct segue_rc_send_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge segue_sge(struct segue_rc_send_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_write_may_take_sge segue_sge(
		struct segue_rc_write_may_take_sge_or_inline_data w, uint64_t addr,
		uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rc_write_may_take_sge segue_sge(struct segue_rc_write_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_rq_recv_may_take_sge segue_sge(struct segue_rq_recv_may_take_sge w,
		uint64_t addr, uint32_t byte_count, uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_srq_srq_recv_may_take_sge segue_sge(
		struct segue_srq_srq_recv_may_take_sge w, uint64_t addr, uint32_t byte_count,
		uint32_t lkey SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_may_take_sge_sge(w, addr, byte_count, lkey);
}

SEGUE_BUILD struct segue_dc_send_may_take_sge segue_sge_list(
		struct segue_dc_send_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dc_send_may_take_sge segue_sge_list(struct segue_dc_send_may_take_sge w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dc_write_may_take_sge segue_sge_list(
		struct segue_dc_write_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_dc_write_may_take_sge segue_sge_list(struct segue_dc_write_may_take_sge w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge segue_sge_list(
		struct segue_rc_send_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_send_may_take_sge segue_sge_list(struct segue_rc_send_may_take_sge w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_send_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_write_may_take_sge segue_sge_list(
		struct segue_rc_write_may_take_sge_or_inline_data w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_or_inline_data_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rc_write_may_take_sge segue_sge_list(struct segue_rc_write_may_take_sge w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_write_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_rq_recv_may_take_sge segue_sge_list(struct segue_rq_recv_may_take_sge w,
		const struct segue_seg_data *list, uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rq_recv_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_srq_srq_recv_may_take_sge segue_sge_list(
		struct segue_srq_srq_recv_may_take_sge w, const struct segue_seg_data *list,
		uint32_t count SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_srq_recv_may_take_sge_sge_list(w, list, count);
}

SEGUE_BUILD struct segue_srq_srq_recv_may_take_sge segue_srq_recv(struct segue_srq *srq,
		uint64_t wr_id SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_srq_begin_srq_recv(srq, wr_id);
}

SEGUE_BUILD struct segue_dc_mix_wants_av segue_stream(struct segue_dc_mix_wants_av w,
		uint32_t stream SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_mix_wants_av_stream(w, stream);
}

SEGUE_BUILD struct segue_dc_nop_complete segue_stream(struct segue_dc_nop_complete w,
		uint32_t stream SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_nop_complete_stream(w, stream);
}

SEGUE_BUILD struct segue_dc_send_wants_av segue_stream(struct segue_dc_send_wants_av w,
		uint32_t stream SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_send_wants_av_stream(w, stream);
}

SEGUE_BUILD struct segue_dc_write_wants_av segue_stream(struct segue_dc_write_wants_av w,
		uint32_t stream SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_write_wants_av_stream(w, stream);
}

SEGUE_BUILD struct segue_rc_load_table_wants_entry_list segue_table_ctrl(
		struct segue_rc_load_table_wants_table_ctrl w, uint32_t entries,
		const uint8_t *owner SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_load_table_wants_table_ctrl_table_ctrl(w, entries, owner);
}

SEGUE_BUILD struct segue_dc_write_wants_av segue_write(struct segue_dc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_begin_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_dc_write_wants_av segue_write(struct segue_dc_batch *batch, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_dc_batch_write(batch, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_write_wants_raddr segue_write(struct segue_rc_sq *sq, uint64_t wr_id,
		uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_begin_write(sq, wr_id, flags);
}

SEGUE_BUILD struct segue_rc_write_wants_raddr segue_write(struct segue_rc_batch *batch,
		uint64_t wr_id, uint32_t flags SEGUEI_CALLER)
{
	SEGUEI_NOTE_CALLER
	return seguei_rc_batch_write(batch, wr_id, flags);
}

#endif

#endif
