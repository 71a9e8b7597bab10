/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rounds of n send requests with one doorbell, the last of them signaled. A request is a macro or a
 * function: request(queue, wr_id, flags).
 */
#ifndef SEGUE_BENCH_ROUNDS_H
#define SEGUE_BENCH_ROUNDS_H

#include "segue/gen/patterns.h"
#include "tools/bench/ours/ring.h"

/*
 * Code that begins a round, does one of its requests, does the last one, and ends the round. It may
 * use `i`, the wr_id, and gives 0 or the request's error.
 */
#define BENCH_ROUND(name, n, begin, one, last, end)             \
	static int name(void)                                   \
	{                                                       \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) { \
			begin;                                  \
			int ret = 0;                            \
                                                                \
			for (uint32_t j = 1; j < (n); j++, i++) \
				ret |= one;                     \
			ret |= last;                            \
			end;                                    \
			if (__builtin_expect(ret, 0))           \
				return ret;                     \
		}                                               \
		return 0;                                       \
	}

#define BENCH_QUEUE(handle) struct handle *const queue = (struct handle *)(void *)&bench_ring.sq

/* All but the last are committed, and rung with the last. */
#define BENCH_BUILT(name, n, handle, request)                                         \
	BENCH_ROUND(name, n, BENCH_QUEUE(handle), segue_commit(request(queue, i, 0)), \
		    segue_post(request(queue, i, SEGUE_SIGNALED)), (void)0)

#define BENCH_BATCHED(name, n, handle, its_batch, request)            \
	BENCH_ROUND(name, n,                                          \
		    struct its_batch batch = segue_batch_begin(       \
			    (struct handle *)(void *)&bench_ring.sq), \
		    segue_commit(request(&batch, i, 0)),              \
		    segue_commit(request(&batch, i, SEGUE_SIGNALED)), segue_batch_end(&batch))

/* From a pattern: set(repeat, wr_id) sets the fields of each. */
#define BENCH_REPEATED(name, n, state, pattern, set)                                              \
	BENCH_ROUND(name, n, struct segue_##state##_repeat r = segue_repeat_begin(&(pattern), i), \
		    (set(&r, i), segue_repeat(&r, 0)),                                            \
		    (set(&r, i), segue_repeat(&r, SEGUE_SIGNALED)), segue_repeat_end(&r))

/*
 * Each by itself: post(request(queue, wr_id, flags)), where post is segue_post or
 * segue_post_blueflame.
 */
#define BENCH_ALONE(name, handle, post, request)                                              \
	BENCH_ROUND(name, 1, BENCH_QUEUE(handle), 0, post(request(queue, i, SEGUE_SIGNALED)), \
		    (void)0)

/* Patterns have filled the ring once, and the index is 0 again. */
#define BENCH_LAID(name, state, pattern, handle, request)                                     \
	static void name(void)                                                                \
	{                                                                                     \
		struct handle *const queue = (struct handle *)(void *)&bench_ring.sq;         \
                                                                                              \
		bench_ring_reset_at(BENCH_BLOCKS, 0 - BENCH_BLOCKS);                          \
		if (segue_pattern_##state(request(queue, 0, 0), &(pattern)))                  \
			bench_die(#name);                                                     \
		while (bench_ring.sq.pi) {                                                    \
			const uint32_t at = bench_ring.sq.pi;                                 \
			struct segue_##state##_repeat r = segue_repeat_begin(&(pattern), 0);  \
			uint64_t wr_id;                                                       \
			int ret = segue_repeat(&r, SEGUE_SIGNALED);                           \
                                                                                              \
			segue_repeat_end(&r);                                                 \
			if (ret || segue_sq_retire(&bench_ring.sq, (uint16_t)at, &wr_id) < 0) \
				bench_die(#name);                                             \
		}                                                                             \
	}

#ifdef BENCH_GATE /* Segue's side alone */
#define BENCH_FLOOR(row, end, steps)
#define BENCH_STORED(row, n, steps)
#define BENCH_FLOORS(row) NULL, NULL
#else
#define BENCH_FLOORS(row) honest_##row, absolute_##row

/* The floors, each request by itself, with an end of enum floor_end. */
#define BENCH_FLOOR(row, end, steps)                      \
	BENCH_FLOOR_ROUND(honest_##row, true, end, steps) \
	BENCH_FLOOR_ROUND(absolute_##row, false, end, steps)

#define BENCH_FLOOR_ROUND(name, honest, end, steps)                                \
	static int name(void)                                                      \
	{                                                                          \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                    \
			struct floor_wqe w = floor_begin(&bench_ring.floor,        \
							 MLX5_WQE_CTRL_CQ_UPDATE); \
			int ret;                                                   \
                                                                                   \
			steps ret = floor_finish(&w, i, honest, end);              \
			if (__builtin_expect(ret, 0))                              \
				return ret;                                        \
		}                                                                  \
		return 0;                                                          \
	}

/*
 * The floors, n per doorbell: the queue's state in registers, as far as the compiler has some, and
 * all or nothing.
 */
#define BENCH_STORED(row, n, steps)                      \
	BENCH_STORED_ROUND(honest_##row, n, true, steps) \
	BENCH_STORED_ROUND(absolute_##row, n, false, steps)

#define BENCH_STORED_ROUND(name, n, honest, steps)                                          \
	static int name(void)                                                               \
	{                                                                                   \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                             \
			struct floor_sq sq = bench_ring.floor;                              \
			struct floor_wqe w;                                                 \
                                                                                            \
			for (uint32_t j = 1; j < (n); j++, i++) {                           \
				w = floor_begin(&sq, 0);                                    \
				steps if (__builtin_expect(                                 \
						  floor_finish(&w, i, honest, FLOOR_LATER), \
						  0)) return -1;                            \
			}                                                                   \
			w = floor_begin(&sq, MLX5_WQE_CTRL_CQ_UPDATE);                      \
			steps if (__builtin_expect(floor_finish(&w, i, honest, FLOOR_RING), \
						   0)) return -1;                           \
			bench_ring.floor.pi = sq.pi;                                        \
		}                                                                           \
		return 0;                                                                   \
	}
#endif

#endif
