/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Operands of all contenders, not known to the compiler, as in a program. make_rows.py looks for
 * VALUE_ and the name of a parameter.
 */
#ifndef SEGUE_BENCH_VALUES_H
#define SEGUE_BENCH_VALUES_H

#include <stdint.h>

#include "segue/ah.h"

struct bench_values {
	uint64_t addr, remote_addr, swap_add, compare, dc_key;
	uint32_t byte_count, lkey, rkey, imm, invalidate_rkey, dqp_dct, qkey, xrc_srqn;
};

/* At an address that the compiler knows, as a static one is. */
#define BENCH_HERE extern __attribute__((visibility("hidden")))

BENCH_HERE volatile struct bench_values bench_values;
BENCH_HERE uint8_t bench_payload[256];
BENCH_HERE struct segue_address_vector bench_address_vector; /* libmlx5's, where there is one */
BENCH_HERE struct segue_address_vector_compact bench_address_vector_compact;

/* Bytes that could be mistaken for each other differ. */
void bench_fill_payload(void);

#define VALUE_addr	      bench_values.addr
#define VALUE_remote_addr     bench_values.remote_addr
#define VALUE_swap_add	      bench_values.swap_add
#define VALUE_compare	      bench_values.compare
#define VALUE_dc_key	      bench_values.dc_key
#define VALUE_byte_count      bench_values.byte_count
#define VALUE_lkey	      bench_values.lkey
#define VALUE_rkey	      bench_values.rkey
#define VALUE_imm	      bench_values.imm
#define VALUE_invalidate_rkey bench_values.invalidate_rkey
#define VALUE_dqp_dct	      bench_values.dqp_dct
#define VALUE_qkey	      bench_values.qkey
#define VALUE_xrc_srqn	      bench_values.xrc_srqn

/* A constant that the compiler does not know. */
static inline uint64_t opaque(uint64_t value)
{
	__asm__("" : "+r"(value));
	return value;
}

#endif
