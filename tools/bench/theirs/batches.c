/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of ../ours/batches.c through libmlx5: so many requests with one doorbell, and BlueFlame
 * where the environment lets libmlx5 use it. */
#include "tools/bench/theirs/device.h"

static struct bench_queue *queue;

#define SIZES(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)
#define ROUNDS_OF(n)                                                                             \
	BENCH_WR(write_##n, QUEUE_rc, n, wr_rdma_write(q); wr_sge(q);)                           \
	BENCH_WR(inline_##n, QUEUE_rc, n, wr_rdma_write(q); wr_inline28(q);)                     \
	BENCH_FILL(write_list_##n, QUEUE_rc, n, fill_rdma_write(r); fill_raddr(r); fill_sge(r);) \
	BENCH_FILL(inline_list_##n, QUEUE_rc, n, fill_rdma_write(r); fill_raddr(r);              \
		   fill_inline28(r);)
SIZES(ROUNDS_OF)

static const struct {
	const char *name;
	int (*wr)(void), (*post_send)(void);
} rows[] = {
#define ROWS_OF(n)                                      \
	{"batch/write/" #n, write_##n, write_list_##n}, \
		{"batch/inline28/" #n, inline_##n, inline_list_##n},
	SIZES(ROWS_OF){"blueflame/write", write_1, write_list_1},
};

static void reset(void)
{
	bench_reset_theirs(queue);
}

void bench_their_batches_run(const char *filter)
{
	queue = &bench_their_device.queues[QUEUE_rc];
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bench_part wr = {rows[i].name, "ibv_wr", rows[i].wr, reset,
					      queue->ring};
		const struct bench_part post_send = {rows[i].name, "ibv_post_send",
						     rows[i].post_send, reset, queue->ring};

		if (!bench_wanted(rows[i].name, filter))
			continue;
		bench_part(&wr);
		bench_part(&post_send);
	}
}
