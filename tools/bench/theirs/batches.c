/* SPDX-License-Identifier: BSD-2-Clause */
/* The batches of ../ours/batches.c through libmlx5. */
#include "tools/bench/theirs/device.h"

static struct bench_queue *queue;

#define WRITE_WR          \
	wr_rdma_write(q); \
	wr_sge(q);
#define WRITE_FILL          \
	fill_rdma_write(r); \
	fill_raddr(r);      \
	fill_sge(r);
BENCH_WR(write_1, QUEUE_rc, 1, WRITE_WR)
BENCH_WR(write_16, QUEUE_rc, 16, WRITE_WR)
BENCH_FILL(write_list_1, QUEUE_rc, 1, WRITE_FILL)
BENCH_FILL(write_list_16, QUEUE_rc, 16, WRITE_FILL)

static const struct {
	const char *name;
	int (*wr)(void), (*post_send)(void);
} rows[] = {
	{"batch/write/1", write_1, write_list_1},
	{"batch/write/16", write_16, write_list_16},
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
