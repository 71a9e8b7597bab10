// SPDX-License-Identifier: BSD-2-Clause
/* Data that proves itself: each byte follows from the side that made it, the row, and its place. */
#include "tools/segue/perf/perf.h"

static uint8_t byte_at(uint32_t at, uint32_t seed)
{
	const uint32_t mixed = (at ^ seed) * 2654435761u; /* Knuth's multiplicative hash */

	return (uint8_t)(mixed >> 24 ^ at >> 16);
}

void perf_fill(uint8_t *bytes, uint32_t size, uint32_t seed)
{
	uint32_t i;

	for (i = 0; i < size; i++)
		bytes[i] = byte_at(i, seed);
}

uint64_t perf_wrong(const uint8_t *bytes, uint32_t size, uint32_t seed)
{
	uint64_t wrong = 0;
	uint32_t i;

	for (i = 0; i < size; i++)
		wrong += bytes[i] != byte_at(i, seed);
	return wrong;
}

uint32_t perf_seed(const struct perf_side *side, bool mine)
{
	return (mine ? side->rank : side->partner) * 65537u + side->rows * 257u + side->row.op;
}
