/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The send requests of sends.c that libmlx5 has, too, each copied to a BlueFlame register, which is
 * plain memory here and checked afterwards. make_rows.py makes them from the spec.
 */
#include <string.h>

#include "tools/bench/ours/rounds.h"
#include "tools/bench/ours/values.h"

struct bench_copied {
	const char *name;
	int (*builders)(void), (*honest)(void), (*absolute)(void);
};

#include "tools/bench/ours/blueflame_rows.h"

/*
 * True if the last request of a round is in the register, or its doorbell if it is too long. All
 * requests of a round have one size.
 */
static bool in_register(uint32_t pi)
{
	const uint32_t blocks = pi / BENCH_ROUND_OF;
	const uint8_t *const last = bench_ring.ring + (size_t)(pi - blocks) * 64;
	const uint8_t *const halves = (const uint8_t *)bench_ring.uar;
	const size_t bytes = blocks * 64 > FLOOR_HALF ? 8 : (size_t)blocks * 64;

	return blocks &&
	       (!memcmp(halves, last, bytes) || !memcmp(halves + FLOOR_HALF, last, bytes));
}

static void run(const char *name, const char *contender, int (*round)(void), const uint32_t *pi)
{
	const struct bench_part part = {name, contender, round, bench_ring_reset, bench_ring.ring};

	bench_part(&part);
	if (round && !in_register(*pi))
		bench_die("the register has not the last request");
}

void bench_blueflame_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_copied) / sizeof(bench_copied[0]); i++) {
		const struct bench_copied *row = &bench_copied[i];

		if (!bench_wanted(row->name, filter))
			continue;
		run(row->name, "builders", row->builders, &bench_ring.sq.pi);
		run(row->name, "honest", row->honest, &bench_ring.floor.pi);
		run(row->name, "absolute", row->absolute, &bench_ring.floor.pi);
	}
}
