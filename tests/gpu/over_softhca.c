/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads as lanes write through one queue pair of softhca, and every byte is compared. Counters
 * start so that they pass 2^32 on the way. Then the host goes on where the lanes have ended.
 *
 *	over_softhca ring|collapsed REQUESTS
 */
#include <inttypes.h>
#include <pthread.h>
#include <string.h>

#include "docs/examples/pair.h"
#include "segue/gpu/lend.h"

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

/* As pair_open(), with a completion queue for the lanes. */
static struct segue_cq *open_lanes(struct pair *p, void *memory, size_t size, bool collapsed)
{
	const struct segue_cq_options options = {.entries = 512, .collapsed = collapsed};
	struct segue_cq *made = NULL;
	struct segue_qp_options qp;

	pair_begin(p, memory, size);
	qp = pair_options(p);
	must(segue_qp_open(p->pd, &qp, &p->b));
	must(segue_cq_open(p->device, &options, &made));
	qp.send_cq = made;
	must(segue_qp_open(p->pd, &qp, &p->a));
	pair_connect(p);
	return made;
}

/* Indices of the lanes have 64 bits, those of the device the lower 16. */
static void lend(struct pair *p)
{
	must(segue_qp_lend(p->a, &queue));
	queue.first += (UINT64_C(1) << 32) - UINT64_C(0x10000);
	if (segue_gpu_init(&queue)) {
		fprintf(stderr, "The queue was refused.\n");
		exit(1);
	}
}

/* One more WRITE by the host, of zeroes over the first place. */
static void go_on(struct pair *p, struct segue_cq *cq, void *first)
{
	static const uint8_t zeroes[BYTES];

	must(segue_post(segue_inline_data(
		segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->a), 7, SEGUE_SIGNALED), remote.addr,
			    remote.key.rkey),
		zeroes, BYTES)));
	p->cq = cq;
	if (pair_next(p, &(struct segue_wc_details){0}).wr_id != 7 ||
	    memcmp(first, zeroes, BYTES)) {
		fprintf(stderr, "The host's WRITE behind the lanes' is lost.\n");
		exit(1);
	}
}

int main(int argc, char **argv)
{
	struct segue_gpu_error error;
	pthread_t lanes[LANES];
	struct pair p = {0};
	struct segue_cq *cq;
	uint64_t i, all, done;
	uint64_t *words;
	bool collapsed;

	if (argc < 3)
		return 2;
	collapsed = !strcmp(argv[1], "collapsed");
	per_lane = strtoull(argv[2], NULL, 0) / LANES;
	all = LANES * per_lane * BYTES;
	words = aligned_alloc(4096, (2 * all + 4095) / 4096 * 4096);
	for (i = 0; i < all / 8; i++)
		words[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
	memset(words + all / 8, 0, all);
	cq = open_lanes(&p, words, 2 * all, collapsed);
	must(segue_mr_local_buf(p.mr, 0, all, &local));
	must(segue_mr_remote_buf(p.mr, all, all, &remote));
	lend(&p);
	for (i = 0; i < LANES; i++)
		pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)(i));
	for (i = 0; i < LANES; i++)
		pthread_join(lanes[i], NULL);
	if (segue_gpu_query_error(&queue, &error)) {
		fprintf(stderr, "Request %" PRIu64 " failed with syndrome 0x%02x.\n", error.index,
			error.syndrome);
		return 1;
	}
	done = queue.done - queue.first;
	if (done != LANES * per_lane || memcmp(words, words + all / 8, all)) {
		fprintf(stderr, "%" PRIu64 " requests are done, and bytes are wrong.\n", done);
		return 1;
	}
	must(segue_qp_take_back(p.a, &queue));
	if (!collapsed)
		go_on(&p, cq, words + all / 8);
	printf("%s: %" PRIu64 " WRITEs by %d lanes, up to index %" PRIu64 ", all bytes right\n",
	       argv[1], done, LANES, queue.done);
	pair_close(&p);
	free(words);
	return 0;
}
