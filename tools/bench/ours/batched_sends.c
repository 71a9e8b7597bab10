/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The send requests of sends.c that libmlx5 has, too: 16 with one doorbell, and some in batches of
 * other sizes. make_rows.py makes them from the spec.
 */
#include "tools/bench/ours/rounds.h"
#include "tools/bench/ours/values.h"

struct bench_batched {
	const char *name, *repeats; /* the contender that repeats a pattern */
	int (*builders)(void), (*batch)(void), (*pattern)(void), (*honest)(void), (*absolute)(void);
	void (*lay)(void);
};

#include "tools/bench/ours/batched_rows.h"

void bench_batched_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_batched) / sizeof(bench_batched[0]); i++) {
		const struct bench_batched *row = &bench_batched[i];
		const struct bench_part parts[] = {
			{row->name, "builders", row->builders, bench_ring_reset, bench_ring.ring},
			{row->name, "batch", row->batch, bench_ring_reset, bench_ring.ring},
			{row->name, row->repeats, row->pattern, row->lay, bench_ring.ring},
			{row->name, "honest", row->honest, bench_ring_reset, bench_ring.ring},
			{row->name, "absolute", row->absolute, bench_ring_reset, bench_ring.ring},
		};

		if (bench_wanted(row->name, filter))
			bench_parts(parts, sizeof(parts) / sizeof(parts[0]));
	}
}
