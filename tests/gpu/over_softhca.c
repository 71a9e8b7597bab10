/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads as lanes write through one queue pair of softhca, and every byte is compared.
 *
 *	over_softhca REQUESTS
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "docs/examples/pair.h"
#include "segue/gpu/queue.h"

#define LANES 8
#define BYTES 16u

static struct segue_gpu_queue queue;
static struct segue_local_buf local;
static struct segue_remote_buf remote;
static uint64_t per_lane;

/* Where request `i` of a lane reads, and where it writes: one place each. */
static uint64_t place(uint64_t lane, uint64_t i)
{
	return BYTES * (lane * per_lane + i);
}

static int post(uint64_t lane, uint64_t i)
{
	const struct segue_seg_raddr raddr = {remote.addr + place(lane, i), remote.key.rkey};
	const struct segue_seg_data data = {BYTES, local.key.lkey, local.addr + place(lane, i)};
	struct segue_unit units[3];
	struct segue_seg_ctrl ctrl;
	uint64_t at;

	if (segue_gpu_reserve(&queue, 1, SEGUE_GPU_ALL, &at))
		return -EIO;
	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
	ctrl.wqe_index = (uint16_t)at;
	ctrl.qpn = queue.qpn;
	ctrl.ds = 3;
	ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
	segue_seg_ctrl_pack(units[0].bytes, &ctrl);
	segue_seg_raddr_pack(units[1].bytes, &raddr);
	segue_seg_data_pack(units[2].bytes, &data);
	segue_gpu_put(&queue, at, units, 3);
	segue_gpu_publish(&queue, at, 1, i % 4 == 3 ? SEGUE_GPU_RING : SEGUE_GPU_SILENT,
			  SEGUE_GPU_ALL);
	return 0;
}

static void *lane(void *arg)
{
	const uint64_t lane = (uint64_t)(uintptr_t)arg;
	uint64_t i;

	for (i = 0; i < per_lane; i++)
		if (post(lane, i))
			return (void *)1;
	return segue_gpu_quiet(&queue, SEGUE_GPU_ALL) ? (void *)1 : NULL;
}

/* The queue pair's ring and its completion queue's entries, as the lanes use them. */
static void take(struct pair *p)
{
	const struct segue_sq *sq = &segue_qp_rc_sq(p->a)->sq;

	queue.ring = sq->ring;
	queue.blocks = sq->mask + 1;
	queue.qpn = sq->qpn;
	queue.record = sq->dbrec;
	queue.reg = (volatile uint64_t *)sq->reg;
	queue.entries = p->cq->ring.buf;
	queue.entry_count = p->cq->ring.cqe_cnt;
	queue.entry_size = p->cq->ring.entry_size;
	queue.entry_record = p->cq->dbrec;
	if (segue_gpu_init(&queue)) {
		fprintf(stderr, "The queue was refused.\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct segue_gpu_error error;
	pthread_t lanes[LANES];
	struct pair p = {0};
	uint64_t i, all;
	uint64_t *words;

	if (argc < 2)
		return 2;
	per_lane = strtoull(argv[1], NULL, 0) / LANES;
	all = LANES * per_lane * BYTES;
	words = aligned_alloc(4096, (2 * all + 4095) / 4096 * 4096);
	for (i = 0; i < all / 8; i++)
		words[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	memset(words + all / 8, 0, all);
	pair_open(&p, words, 2 * all);
	must(segue_mr_local_buf(p.mr, 0, all, &local));
	must(segue_mr_remote_buf(p.mr, all, all, &remote));
	take(&p);
	for (i = 0; i < LANES; i++)
		pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)(i));
	for (i = 0; i < LANES; i++)
		pthread_join(lanes[i], NULL);
	if (segue_gpu_query_error(&queue, &error)) {
		fprintf(stderr, "Request %" PRIu64 " failed with syndrome 0x%02x.\n", error.index,
			error.syndrome);
		return 1;
	}
	if (queue.done != LANES * per_lane || memcmp(words, words + all / 8, all)) {
		fprintf(stderr, "%" PRIu64 " requests are done, and bytes are wrong.\n",
			queue.done);
		return 1;
	}
	printf("%" PRIu64 " WRITEs by %d lanes, all bytes right\n", queue.done, LANES);
	fflush(stdout);
	_Exit(0); /* the host's queues do not know what the lanes posted */
}
