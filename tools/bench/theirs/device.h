/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libmlx5's side: queues of each transport on a device, which never reads what is posted, because
 * for the device they are in state RESET. So it runs on any mlx5 device, softhca included, and
 * shows the cost of the CPU with everything in its caches: no PCIe, no DMA.
 */
#ifndef SEGUE_BENCH_THEIRS_H
#define SEGUE_BENCH_THEIRS_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <stdbool.h>

#include "tools/bench/ours/bench.h"
#include "tools/bench/theirs/verbs.h"

/* Named for the queues of the spec. */
enum bench_queue_kind { QUEUE_rc, QUEUE_uc, QUEUE_ud, QUEUE_xrc_initiator, QUEUE_dci, QUEUES };

struct bench_their_device {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq; /* with entries written by us */
	struct ibv_cq_ex *cqx;
	struct ibv_cq *own;		   /* with entries written by the device */
	struct bench_queue queues[QUEUES]; /* without a queue pair: the device does not make it */
};

extern struct bench_their_device bench_their_device;

/* Opens the first mlx5 device and a queue of each kind. Ends the program with a sentence if there
 * is none. */
void bench_open_theirs(void);

/* Whether libmlx5's calls are carried out by Segue (segue_verbs_adopt()): BENCH_ADOPT says so. */
bool bench_is_adopted(void);

/* Where queue pairs complete that are taken. */
struct ibv_cq *bench_second_queue(void);

/* Resets a queue for libmlx5. The device does not notice. */
void bench_reset_theirs(struct bench_queue *q);

/* Posts a receive and makes the device flush it. */
void bench_flush_theirs(struct bench_queue *q, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

/* A round of n requests with one doorbell, the last of them signaled. Steps get `q`. */
#define BENCH_WR(name, kind, n, steps)                                               \
	static int name(void)                                                        \
	{                                                                            \
		struct bench_queue *const q = &bench_their_device.queues[kind];      \
                                                                                     \
		for (uint64_t i = 0; i < BENCH_ROUND_OF;) {                          \
			int ret;                                                     \
                                                                                     \
			ibv_wr_start(q->qpx);                                        \
			for (uint32_t j = 1; j <= (n); j++, i++) {                   \
				q->qpx->wr_id = i;                                   \
				q->qpx->wr_flags = j == (n) ? IBV_SEND_SIGNALED : 0; \
				steps                                                \
			}                                                            \
			ret = ibv_wr_complete(q->qpx);                               \
			if (__builtin_expect(ret, 0))                                \
				return ret;                                          \
		}                                                                    \
		return 0;                                                            \
	}

/* The same as a list. Steps get `r`. */
#define BENCH_FILL(name, kind, n, steps)                                             \
	static int name(void)                                                        \
	{                                                                            \
		struct bench_queue *const q = &bench_their_device.queues[kind];      \
                                                                                     \
		for (uint64_t i = 0; i < BENCH_ROUND_OF;) {                          \
			struct bench_request list[n];                                \
			struct ibv_send_wr *bad;                                     \
			int ret;                                                     \
                                                                                     \
			for (uint32_t j = 1; j <= (n); j++, i++) {                   \
				struct bench_request *const r = &list[j - 1];        \
                                                                                     \
				r->wr.wr_id = i;                                     \
				r->wr.next = j < (n) ? &r[1].wr : NULL;              \
				r->wr.sg_list = r->list;                             \
				r->wr.num_sge = 0;                                   \
				r->wr.send_flags = j == (n) ? IBV_SEND_SIGNALED : 0; \
				steps                                                \
			}                                                            \
			ret = ibv_post_send(q->qp, &list[0].wr, &bad);               \
			if (__builtin_expect(ret, 0))                                \
				return ret;                                          \
		}                                                                    \
		return 0;                                                            \
	}

#endif
