/* SPDX-License-Identifier: BSD-2-Clause */
/* Operands of the rows. They are volatile, so the compiler cannot fold them into the requests. */
#include "tools/bench/ours/values.h"

#include <stddef.h>

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
struct segue_address_vector bench_address_vector = {{[8] = 0x80}};
struct segue_address_vector_compact bench_address_vector_compact;

void bench_fill_payload(void)
{
	for (size_t i = 0; i < sizeof(bench_payload); i++)
		bench_payload[i] = (uint8_t)(i * 7 + 1);
}
