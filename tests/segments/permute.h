/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A GPU's permutation of bytes for a host, which then packs as device code does. PTX ISA, "prmt",
 * default mode.
 */
#ifndef TESTS_SEGMENTS_PERMUTE_H
#define TESTS_SEGMENTS_PERMUTE_H

#include <stdint.h>

static inline uint32_t permute(uint32_t low, uint32_t high, uint32_t order)
{
	const uint64_t bytes = (uint64_t)high << 32 | low;
	uint32_t word = 0;
	unsigned int i;

	for (i = 0; i < 4; i++)
		word |= (uint32_t)(bytes >> 8 * (order >> 4 * i & 7) & 0xff) << 8 * i;
	return word;
}

#define SEGUEI_PERMUTE permute

#endif
