/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDMA WRITEs of libibverbs' pieces, as a program gets them: their number is not known to the
 * compiler. 16 with one doorbell.
 */
#include "segue/verbs.h"
#include "tools/bench/ours/rounds.h"
#include "tools/bench/ours/values.h"

#define BATCH 16
#define MOST  16u

static struct ibv_sge pieces[MOST];
static uint32_t count;

#define LISTED(queue, i, flags)                                                                \
	segue_verbs_sge_list(                                                                  \
		segue_raddr(segue_rdma_write(queue, i, flags), VALUE_remote_addr, VALUE_rkey), \
		pieces, count)
BENCH_BUILT(listed, BATCH, segue_rc_sq, LISTED)

static const struct {
	const char *name;
	uint32_t count;
} rows[] = {{"pieces/1", 1}, {"pieces/2", 2}, {"pieces/4", 4}, {"pieces/16", MOST}};

void bench_pieces_run(const char *filter)
{
	for (uint32_t i = 0; i < MOST; i++) {
		pieces[i].addr = VALUE_addr + i;
		pieces[i].length = VALUE_byte_count;
		pieces[i].lkey = VALUE_lkey;
	}
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bench_part part = {rows[i].name, "builders", listed, bench_ring_reset,
						bench_ring.ring};

		count = rows[i].count;
		if (bench_wanted(part.row, filter))
			bench_part(&part);
	}
}
