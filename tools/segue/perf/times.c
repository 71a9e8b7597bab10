// SPDX-License-Identifier: BSD-2-Clause
/* Histogram of times, in logarithmic buckets. */
#include "tools/segue/perf/times.h"

#include "segue/detail/bytes.h"

/* Times below 2^STEP_BITS have a bucket each. Each power of two above has as many. */
static uint32_t bucket_of(uint64_t ns)
{
	uint32_t power;

	if (ns >> TIMES_BITS)
		return TIMES_BUCKETS - 1;
	if (!(ns >> TIMES_STEP_BITS))
		return (uint32_t)ns;
	power = 63u - (uint32_t)__builtin_clzll(ns) - TIMES_STEP_BITS;
	return (power << TIMES_STEP_BITS) + (uint32_t)(ns >> power);
}

/* The middle of a bucket. */
static uint64_t time_of(uint32_t bucket)
{
	const uint32_t row = bucket >> TIMES_STEP_BITS;
	const uint32_t power = row ? row - 1 : 0;
	const uint64_t first = row ? ((bucket & ((1u << TIMES_STEP_BITS) - 1)) |
				      1u << TIMES_STEP_BITS)
				   : bucket;

	return (first << power) + (power ? 1ull << (power - 1) : 0);
}

void times_add(struct perf_times *times, uint64_t ns)
{
	times->min = times->count && times->min < ns ? times->min : ns;
	times->max = times->max > ns ? times->max : ns;
	times->count++;
	times->sum += ns;
	times->buckets[bucket_of(ns)]++;
}

void times_merge(struct perf_times *all, const struct perf_times *times)
{
	uint32_t i;

	if (!times->count)
		return;
	all->min = all->count && all->min < times->min ? all->min : times->min;
	all->max = all->max > times->max ? all->max : times->max;
	all->count += times->count;
	all->sum += times->sum;
	for (i = 0; i < TIMES_BUCKETS; i++)
		all->buckets[i] += times->buckets[i];
}

uint64_t times_quantile(const struct perf_times *times, uint32_t per_million)
{
	const uint64_t wanted = (times->count * per_million + 999999) / 1000000;
	uint64_t seen = 0, ns;
	uint32_t i;

	if (!times->count)
		return 0;
	for (i = 0; i < TIMES_BUCKETS - 1; i++) {
		seen += times->buckets[i];
		if (seen >= wanted && seen)
			break;
	}
	ns = time_of(i);
	ns = ns < times->min ? times->min : ns;
	return ns > times->max ? times->max : ns;
}

uint64_t times_between(const struct perf_times *times, uint64_t from, uint64_t to)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < TIMES_BUCKETS; i++)
		if (times->buckets[i] && time_of(i) >= from && time_of(i) < to)
			sum += times->buckets[i];
	return sum;
}

void times_write(const struct perf_times *times, uint8_t *wire)
{
	uint32_t i;

	segue_put_be64(wire, times->count);
	segue_put_be64(wire + 8, times->sum);
	segue_put_be64(wire + 16, times->min);
	segue_put_be64(wire + 24, times->max);
	for (i = 0; i < TIMES_BUCKETS; i++)
		segue_put_be32(wire + 32 + i * 4, times->buckets[i]);
}

void times_read(struct perf_times *times, const uint8_t *wire)
{
	uint32_t i;

	times->count = segue_get_be64(wire);
	times->sum = segue_get_be64(wire + 8);
	times->min = segue_get_be64(wire + 16);
	times->max = segue_get_be64(wire + 24);
	for (i = 0; i < TIMES_BUCKETS; i++)
		times->buckets[i] = segue_get_be32(wire + 32 + i * 4);
}
