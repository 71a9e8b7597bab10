/* SPDX-License-Identifier: BSD-2-Clause */
/* Send requests, each by builders and by one call, and by floors: make_rows.py makes them from the
 * spec. On plain memory: no device is needed. */
#include "tools/bench/ours/rounds.h"
#include "tools/bench/ours/values.h"

struct bench_send {
	const char *name;
	int (*builders)(void), (*one_call)(void), (*honest)(void), (*absolute)(void);
};

#include "tools/bench/ours/sends_rows.h"

void bench_sends_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_sends) / sizeof(bench_sends[0]); i++) {
		const struct bench_send *row = &bench_sends[i];
		const struct bench_part parts[] = {
			{row->name, "builders", row->builders, bench_ring_reset, bench_ring.ring},
			{row->name, "one-call", row->one_call, bench_ring_reset, bench_ring.ring},
			{row->name, "honest", row->honest, bench_ring_reset, bench_ring.ring},
			{row->name, "absolute", row->absolute, bench_ring_reset, bench_ring.ring},
		};

		if (bench_wanted(row->name, filter))
			bench_parts(parts, sizeof(parts) / sizeof(parts[0]));
	}
}
