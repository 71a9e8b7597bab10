/* SPDX-License-Identifier: BSD-2-Clause */
/* Send requests, each by builders and by one call, and by floors: make_rows.py makes them from the
 * spec. On plain memory: no device is needed. */
#include "tools/bench/ring.h"
#include "tools/bench/values.h"

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

/* A round: its first refusal, or 0. */
#define BENCH_ROUND(name, handle, post)                                            \
	static int name(void)                                                      \
	{                                                                          \
		struct handle *const sq = (struct handle *)(void *)&bench_ring.sq; \
                                                                                   \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                    \
			const int ret = post;                                      \
                                                                                   \
			if (__builtin_expect(ret, 0))                              \
				return ret;                                        \
		}                                                                  \
		return 0;                                                          \
	}

#define BENCH_FLOOR_ROUND(name, honest, steps)                                     \
	static int name(void)                                                      \
	{                                                                          \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                    \
			struct floor_wqe w = floor_begin(&bench_ring.floor,        \
							 MLX5_WQE_CTRL_CQ_UPDATE); \
			int ret;                                                   \
                                                                                   \
			steps ret = floor_finish(&w, i, honest, true);             \
			if (__builtin_expect(ret, 0))                              \
				return ret;                                        \
		}                                                                  \
		return 0;                                                          \
	}

#define BENCH_FLOOR(row, steps)                      \
	BENCH_FLOOR_ROUND(honest_##row, true, steps) \
	BENCH_FLOOR_ROUND(absolute_##row, false, steps)

struct bench_send {
	const char *name;
	int (*builders)(void), (*one_call)(void), (*honest)(void), (*absolute)(void);
};

#include "tools/bench/sends_rows.h"

void bench_sends_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(bench_payload); i++)
		bench_payload[i] = (uint8_t)(i * 7 + 1);
	for (size_t i = 0; i < sizeof(bench_sends) / sizeof(bench_sends[0]); i++) {
		const struct bench_send *row = &bench_sends[i];
		const struct bench_part parts[] = {
			{row->name, "builders", row->builders, bench_ring_reset, bench_ring.ring},
			{row->name, "one-call", row->one_call, bench_ring_reset, bench_ring.ring},
			{row->name, "honest", row->honest, bench_ring_reset, bench_ring.ring},
			{row->name, "absolute", row->absolute, bench_ring_reset, bench_ring.ring},
		};

		if (bench_wanted(row->name, filter))
			bench_parts(parts, sizeof(parts) / sizeof(parts[0]));
	}
}
