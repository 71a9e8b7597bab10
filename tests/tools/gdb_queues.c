/* SPDX-License-Identifier: BSD-2-Clause */
/* Queues over plain memory, to be printed in gdb: two receives posted, a completion with an error,
 * and a multi-channel of three peers. */
#include <infiniband/mlx5dv.h>
#include <stdint.h>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/peers/multi_channel.h"

#define ENTRIES 8
#define STRIDE	32

static _Alignas(64) uint8_t ring[ENTRIES * STRIDE];
static uint64_t wr_ids[ENTRIES];
static uint32_t doorbell_record;
static struct mlx5_cqe64 cqes[ENTRIES];

static void stop(struct segue_rq *rq, struct segue_multi_channel *multi, struct segue_wc *wc)
{
	(void)rq;
	(void)multi;
	(void)wc;
}

int main(void)
{
	const struct segue_rq_init_options attr = {
		.buf = ring,
		.wqe_cnt = ENTRIES,
		.stride = STRIDE,
		.dbrec = &doorbell_record,
		.qpn = 0x123,
		.wr_ids = wr_ids,
	};
	static struct segue_channel channels[3];
	static struct segue_sq queue = {.qpn = 0x77};
	struct segue_cq cq = {.cqn = 0x55};
	struct mlx5_err_cqe *error = (void *)&cqes[1];
	struct segue_multi_channel multi = {
		.channels = channels, .count = 3, .transport = SEGUE_TRANSPORT_DC};
	struct segue_wc wc = {.wr_id = 9, .qpn = 0x123, .byte_len = 64, .peer = {2, 1}};
	struct segue_rq rq;
	uint32_t i;

	if (segue_rq_init(&rq, &attr))
		return 1;
	for (i = 0; i < 2; i++)
		if (segue_post(
			    segue_sge(segue_recv(&rq, i), 0x7f0000001000 + i * 4096, 256, 0x1900)))
			return 1;
	for (i = 0; i < 3; i++) {
		channels[i].index = i;
		channels[i].tag = 1u << SEGUEI_TAG_SHIFT | i;
		channels[i].state = SEGUE_CHANNEL_UP;
		channels[i].sq = &queue;
	}
	channels[2].state = SEGUE_CHANNEL_FAILED;
	channels[2].tag = 3u << SEGUEI_TAG_SHIFT | 2;
	channels[2].sq = NULL;
	multi.cq = &cq;
	error->syndrome = MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR;
	error->op_own = MLX5_CQE_REQ_ERR << 4;
	cq.ring.buf = cqes;
	cq.ring.cqe_cnt = ENTRIES;
	cq.ring.entry_size = sizeof(cqes[0]);
	cq.ci = 1;
	stop(&rq, &multi, &wc);
	return 0;
}
