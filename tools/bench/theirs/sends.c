/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send requests through libmlx5: those of ../ours/sends.c that it has calls for, one per doorbell
 * and several. make_rows.py makes them. If the environment lets libmlx5 use BlueFlame, the first
 * are those of ../ours/blueflame.c.
 */
#include "tools/bench/theirs/device.h"

struct bench_theirs {
	const char *name;
	enum bench_queue_kind kind;
	int (*wr)(void), (*post_send)(void);
};

#include "tools/bench/theirs/rows.h"

static struct bench_queue *current;

static void reset(void)
{
	bench_reset_theirs(current);
}

void bench_theirs_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_theirs) / sizeof(bench_theirs[0]); i++) {
		const struct bench_theirs *row = &bench_theirs[i];

		current = &bench_their_device.queues[row->kind];
		if (!current->qp || !bench_wanted(row->name, filter))
			continue;
		const struct bench_part wr = {row->name, "ibv_wr", row->wr, reset, current->ring};
		const struct bench_part post_send = {row->name, "ibv_post_send", row->post_send,
						     reset, current->ring};

		bench_part(&wr);
		bench_part(&post_send);
	}
}
