/* SPDX-License-Identifier: BSD-2-Clause */
/* What lanes and the device of a test share. */
#ifndef SEGUE_TESTS_GPU_MEMORY_H
#define SEGUE_TESTS_GPU_MEMORY_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gpu/flag.h"

#define BLOCKS	32u
#define ENTRIES 64u /* at most, of the completion queue */
#define QPN	0x1234u
#define NOWHERE UINT64_MAX

/* Cache lines each: what the device reads, and what it writes. */
struct lanes {
	uint8_t ring[BLOCKS * 128] __attribute__((aligned(64)));
	uint8_t entries[ENTRIES * 64] __attribute__((aligned(64)));
	uint8_t messages[BLOCKS * 8] __attribute__((aligned(64)));
	uint64_t finished[1];
	uint32_t record, entry_record;
	uint64_t reg, entry_reg;
	uint64_t posted, executed; /* requests */
	uint64_t held;	  /* index of a completion that the device holds back, or NOWHERE */
	uint32_t psn;	  /* the device's */
	uint64_t counted; /* requests before the first, as the device counts them */
	bool stop, collapsed;
	uint64_t fail_at;  /* index of the request that fails, or NOWHERE */
	uint32_t requests; /* of a lane */
	struct segue_gpu_queue queue;
};

__attribute__((noreturn)) static void wrong(const char *kind, const char *text, uint64_t index)
{
	printf("%s: %s (index %" PRIu64 ")\n", kind, text, index);
	fflush(stdout);
	_Exit(1);
}

/* What a request of that index has in its second unit, and in all behind it. */
SEGUE_FUNCTION uint64_t mark(uint64_t index, uint32_t unit)
{
	return (index + 1) * UINT64_C(0x9e3779b97f4a7c15) + unit;
}

#endif
