/* SPDX-License-Identifier: BSD-2-Clause */
/* Send requests, each by builders and by one call, and by floors: make_rows.py makes them from the
 * spec. On plain memory: no device is needed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/errmsg.h"
#include "segue/gen/builders.h"
#include "tools/bench/bench.h"
#include "tools/bench/floors.h"
#include "tools/bench/values.h"

#define BENCH_FLAGS SEGUE_SIGNALED

volatile struct bench_values bench_values = {
	.addr = 0x1000,
	.remote_addr = 0x2000,
	.swap_add = 3,
	.compare = 4,
	.dc_key = 0x1ee7a330,
	.byte_count = 8,
	.lkey = 1,
	.rkey = 2,
	.imm = 5,
	.invalidate_rkey = 6,
	.dqp_dct = 0x321,
	.qkey = 0x11111111,
	.xrc_srqn = 7,
};
uint8_t bench_payload[256];
struct segue_ah bench_ah = {{[8] = 0x80}}; /* libmlx5's, where there is one */
struct segue_ah_compact bench_ah_compact;

static struct {
	_Alignas(64) uint8_t ring[BENCH_BLOCKS * 64];
	struct segue_sq_slot slots[BENCH_BLOCKS];
	uint64_t wr_ids[BENCH_BLOCKS];
	uint32_t dbrec;
	_Alignas(512) uint64_t uar[64];
	struct segue_sq sq;
	struct floor_sq floor;
} mine;

/* A round: its first refusal, or 0. */
#define BENCH_ROUND(name, handle, post)                                \
	static int name(void)                                          \
	{                                                              \
		struct handle *const sq = (struct handle *)&mine.sq;   \
                                                                       \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {        \
			const int ret = post;                          \
                                                                       \
			if (__builtin_expect(ret, 0))                  \
				return ret;                            \
		}                                                      \
		return 0;                                              \
	}

#define BENCH_FLOOR_ROUND(name, honest, steps)                                                  \
	static int name(void)                                                                   \
	{                                                                                       \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                                 \
			struct floor_wqe w = floor_begin(&mine.floor, MLX5_WQE_CTRL_CQ_UPDATE); \
			int ret;                                                                \
                                                                                                \
			steps ret = floor_finish(&w, i, honest, true);                          \
			if (__builtin_expect(ret, 0))                                           \
				return ret;                                                     \
		}                                                                               \
		return 0;                                                                       \
	}

#define BENCH_FLOOR(row, steps)                          \
	BENCH_FLOOR_ROUND(honest_##row, true, steps)     \
	BENCH_FLOOR_ROUND(absolute_##row, false, steps)

struct bench_send {
	const char *name;
	int (*builders)(void), (*one_call)(void), (*honest)(void), (*absolute)(void);
};

#include "tools/bench/sends_rows.h"

static void reset(void)
{
	const struct segue_sq_attr attr = {
		.buf = mine.ring,
		.wqe_cnt = BENCH_BLOCKS,
		.max_wqe_units = 63,
		.dbrec = &mine.dbrec,
		.bf_reg = mine.uar,
		.qpn = BENCH_QPN,
		.slots = mine.slots,
	};
	const struct floor_sq floor = {
		.buf = mine.ring,
		.end = mine.ring + sizeof(mine.ring),
		.wr_ids = mine.wr_ids,
		.qpn_be = htobe32(BENCH_QPN << 8),
		.mask = BENCH_BLOCKS - 1,
		.limit = BENCH_BLOCKS,
		.dbrec = &mine.dbrec,
		.reg = mine.uar,
	};

	memset(mine.ring, 0, sizeof(mine.ring));
	mine.floor = floor;
	if (segue_sq_init(&mine.sq, &attr))
		bench_die("send queue");
}

void bench_sends_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_payload); i++)
		bench_payload[i] = (uint8_t)(i * 7 + 1);
	for (size_t i = 0; i < sizeof(bench_sends) / sizeof(bench_sends[0]); i++) {
		const struct bench_send *row = &bench_sends[i];
		const struct bench_part parts[] = {
			{row->name, "builders", row->builders, reset, mine.ring},
			{row->name, "one-call", row->one_call, reset, mine.ring},
			{row->name, "honest", row->honest, reset, mine.ring},
			{row->name, "absolute", row->absolute, reset, mine.ring},
		};

		if (bench_wanted(row->name, filter))
			for (size_t j = 0; j < sizeof(parts) / sizeof(parts[0]); j++)
				bench_part(&parts[j]);
	}
}
