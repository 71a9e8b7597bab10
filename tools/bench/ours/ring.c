/* SPDX-License-Identifier: BSD-2-Clause */
/* The send ring on which Segue's rows run. */
#include "tools/bench/ours/ring.h"

#include <endian.h>
#include <string.h>

#define R bench_ring

struct bench_ring bench_ring;

void bench_ring_reset(void)
{
	bench_ring_reset_at(BENCH_BLOCKS, 0);
}

void bench_ring_reset_at(uint32_t blocks, uint32_t index)
{
	const struct segue_sq_init_options attr = {.buf = R.ring,
						   .wqe_cnt = blocks,
						   .max_wqe_units = 63,
						   .dbrec = &R.dbrec,
						   .bf_reg = R.uar,
						   .bf_size = FLOOR_HALF,
						   .qpn = BENCH_QPN,
						   .first_index = index,
						   .slots = R.slots};
	const struct floor_sq floor = {.buf = R.ring,
				       .end = R.ring + (size_t)blocks * 64,
				       .wr_ids = R.wr_ids,
				       .qpn_be = htobe32(BENCH_QPN << 8),
				       .mask = blocks - 1,
				       .limit = blocks,
				       .dbrec = &R.dbrec,
				       .reg = R.uar};

	memset(R.ring, 0, (size_t)blocks * 64);
	memset(R.uar, 0, sizeof(R.uar));
	R.floor = floor;
	R.blocks = blocks;
	if (segue_sq_init(&R.sq, &attr))
		bench_die("send queue");
}
