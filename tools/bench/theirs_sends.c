/* SPDX-License-Identifier: BSD-2-Clause */
/* Send requests through libmlx5, those of sends.c for which it has calls; make_rows.py makes them.
 */
#include <errno.h>
#include <string.h>

#include "tools/bench/bench.h"
#include "tools/bench/theirs.h"

#define BENCH_WR(name, kind, steps)                                            \
	static int name(void)                                                  \
	{                                                                      \
		struct bench_queue *const q = &bench_their_device.queues[kind]; \
                                                                               \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                \
			int ret;                                               \
                                                                               \
			ibv_wr_start(q->qpx);                                  \
			q->qpx->wr_id = i;                                     \
			q->qpx->wr_flags = IBV_SEND_SIGNALED;                  \
			steps ret = ibv_wr_complete(q->qpx);                   \
			if (__builtin_expect(ret, 0))                          \
				return ret;                                    \
		}                                                              \
		return 0;                                                      \
	}

#define BENCH_FILL(name, kind, steps)                                          \
	static int name(void)                                                  \
	{                                                                      \
		struct bench_queue *const q = &bench_their_device.queues[kind]; \
                                                                               \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                \
			struct bench_request r;                                \
			struct ibv_send_wr *bad;                               \
			int ret;                                               \
                                                                               \
			r.wr.wr_id = i;                                        \
			r.wr.next = NULL;                                      \
			r.wr.sg_list = r.list;                                 \
			r.wr.num_sge = 0;                                      \
			r.wr.send_flags = IBV_SEND_SIGNALED;                   \
			steps ret = ibv_post_send(q->qp, &r.wr, &bad);         \
			if (__builtin_expect(ret, 0))                          \
				return ret;                                    \
		}                                                              \
		return 0;                                                      \
	}

struct bench_theirs {
	const char *name;
	enum bench_queue_kind kind;
	int (*wr)(void), (*post_send)(void);
};

#include "tools/bench/theirs_rows.h"

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
