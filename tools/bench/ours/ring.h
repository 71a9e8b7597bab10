/* SPDX-License-Identifier: BSD-2-Clause */
/* The send queue of Segue's rows and of the floors, in plain memory: no device is needed. */
#ifndef SEGUE_BENCH_RING_H
#define SEGUE_BENCH_RING_H

#include "segue/gen/builders.h"
#include "tools/bench/ours/bench.h"
#include "tools/bench/ours/floors.h"

#define BENCH_MOST_BLOCKS 8192u

struct bench_ring {
	_Alignas(64) uint8_t ring[BENCH_MOST_BLOCKS * 64];
	struct segue_sq_slot slots[BENCH_MOST_BLOCKS];
	uint64_t wr_ids[BENCH_MOST_BLOCKS];
	uint32_t dbrec;
	_Alignas(512) uint64_t uar[64];
	struct segue_sq sq;
	struct floor_sq floor;
	uint32_t blocks; /* in use */
};

BENCH_HERE struct bench_ring bench_ring;

/* Resets it to BENCH_BLOCKS blocks. */
void bench_ring_reset(void);

/* Resets it to so many blocks, starting at an index. */
void bench_ring_reset_at(uint32_t blocks, uint32_t index);

#endif
