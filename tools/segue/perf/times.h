/* SPDX-License-Identifier: BSD-2-Clause */
/* A histogram of times, exact to 1 in 128, of a fixed size however long a run is. */
#ifndef SEGUE_TOOL_PERF_TIMES_H
#define SEGUE_TOOL_PERF_TIMES_H

#include <stdint.h>

#define TIMES_STEP_BITS 7
#define TIMES_BITS	41 /* longer times, half an hour, count as this */
#define TIMES_BUCKETS	((TIMES_BITS - TIMES_STEP_BITS + 1) << TIMES_STEP_BITS)

struct perf_times {
	uint64_t count, sum, min, max; /* exact, in nanoseconds */
	uint32_t buckets[TIMES_BUCKETS];
};

void times_add(struct perf_times *times, uint64_t ns);
void times_merge(struct perf_times *all, const struct perf_times *times);

/* The time that so many of a million do not exceed. 0 if there are none. */
uint64_t times_quantile(const struct perf_times *times, uint32_t per_million);

/* How many lie from `from` to before `to`, by the middle of their bucket. */
uint64_t times_between(const struct perf_times *times, uint64_t from, uint64_t to);

/* Bytes of a histogram as it travels between ranks. */
#define TIMES_WIRE_SIZE (4 * 8 + TIMES_BUCKETS * 4)
void times_write(const struct perf_times *times, uint8_t *wire);
void times_read(struct perf_times *times, const uint8_t *wire);

#endif
