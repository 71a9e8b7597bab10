/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of batches.c through libmlx5: so many requests with one doorbell, and BlueFlame where
 * the environment lets libmlx5 use it. */
#include "tools/bench/bench.h"
#include "tools/bench/theirs.h"

static struct bench_queue *queue;

static inline __attribute__((always_inline)) int batch(uint32_t n, bool inlined)
{
	struct bench_queue *const q = queue;

	for (uint64_t i = 0; i < BENCH_ROUND_OF;) {
		int ret;

		ibv_wr_start(q->qpx);
		for (uint32_t j = 1; j <= n; j++, i++) {
			q->qpx->wr_id = i;
			q->qpx->wr_flags = j == n ? IBV_SEND_SIGNALED : 0;
			wr_rdma_write(q);
			if (inlined)
				wr_inline28(q);
			else
				wr_sge(q);
		}
		ret = ibv_wr_complete(q->qpx);
		if (__builtin_expect(ret, 0))
			return ret;
	}
	return 0;
}

/* A list of requests. */
static inline __attribute__((always_inline)) int list(uint32_t n, bool inlined)
{
	for (uint64_t i = 0; i < BENCH_ROUND_OF;) {
		struct bench_request r[64];
		struct ibv_send_wr *bad;
		int ret;

		for (uint32_t j = 0; j < n; j++, i++) {
			r[j].wr.wr_id = i;
			r[j].wr.next = j + 1 < n ? &r[j + 1].wr : NULL;
			r[j].wr.sg_list = r[j].list;
			r[j].wr.send_flags = j + 1 < n ? 0 : IBV_SEND_SIGNALED;
			fill_rdma_write(&r[j]);
			fill_raddr(&r[j]);
			if (inlined)
				fill_inline28(&r[j]);
			else
				fill_sge(&r[j]);
		}
		ret = ibv_post_send(queue->qp, &r[0].wr, &bad);
		if (__builtin_expect(ret, 0))
			return ret;
	}
	return 0;
}

#define SIZES(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)
#define ROUNDS_OF(n)                       \
	static int write_##n(void)         \
	{                                  \
		return batch(n, false);    \
	}                                  \
	static int inline_##n(void)        \
	{                                  \
		return batch(n, true);     \
	}                                  \
	static int write_list_##n(void)    \
	{                                  \
		return list(n, false);     \
	}                                  \
	static int inline_list_##n(void)   \
	{                                  \
		return list(n, true);      \
	}
SIZES(ROUNDS_OF)

static const struct {
	const char *name;
	int (*wr)(void), (*post_send)(void);
} rows[] = {
#define ROWS_OF(n)                                               \
	{"batch/write/" #n, write_##n, write_list_##n},          \
	{"batch/inline28/" #n, inline_##n, inline_list_##n},
	SIZES(ROWS_OF)
	{"blueflame/write", write_1, write_list_1},
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
