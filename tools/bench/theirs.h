/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * libmlx5's side: queues of each transport on a device, which never sees what is posted there,
 * because they are in state RESET for the device. So it runs on any mlx5 device, softhca included,
 * and shows what the CPU does with everything in its caches: no PCIe, no DMA.
 */
#ifndef SEGUE_BENCH_THEIRS_H
#define SEGUE_BENCH_THEIRS_H

#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>

#include "tools/bench/verbs.h"

/* Named for the queues of the spec. */
enum bench_queue_kind { QUEUE_rc, QUEUE_uc, QUEUE_ud, QUEUE_xrc_initiator, QUEUE_dci, QUEUES };

struct bench_their_device {
	struct ibv_context *context;
	struct ibv_pd *pd;
	struct ibv_cq *cq;  /* of which we write the entries */
	struct ibv_cq_ex *cqx;
	struct ibv_cq *own; /* of which the device does */
	struct bench_queue queues[QUEUES]; /* without a queue pair: the device does not make it */
};

extern struct bench_their_device bench_their_device;

/* Opens the first mlx5 device and a queue of each kind. Ends the program with a sentence if there
 * is none. */
void bench_open_theirs(void);

/* A queue as it was at first, for libmlx5; the device does not look at it. */
void bench_reset_theirs(struct bench_queue *q);

/* Posts a receive and has the device flush it. */
void bench_flush_theirs(struct bench_queue *q, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad);

#endif
