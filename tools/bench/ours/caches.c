/* SPDX-License-Identifier: BSD-2-Clause */
/* Empties the caches before a round that is measured cold. */
#include "tools/bench/ours/bench.h"

#define LINE 64
#define LAST (1u << 20) /* bytes of the last level, which has code and data */

static volatile uint8_t other[2 * LAST];

void bench_empty_caches(void)
{
	/* 64 KiB of nops: twice what the first level of code has */
	__asm__ volatile(".rept 8192\n\t.byte 0x0f, 0x1f, 0x84, 0, 0, 0, 0, 0\n\t.endr");
	for (size_t i = 0; i < sizeof(other); i += LINE)
		(void)other[i];
}
