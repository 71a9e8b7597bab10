/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a fuzz target without libFuzzer: random inputs from a seed that is printed.
 * SEGUE_TEST_SEED repeats a run, FUZZ_RUNS says how many inputs.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/seed/seed.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static uint64_t next_random(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return *state >> 33;
}

int main(void)
{
	const char *const runs = getenv("FUZZ_RUNS");
	uint64_t seed = segue_test_seed();
	const unsigned long count = runs ? strtoul(runs, NULL, 0) : 3000;
	uint8_t data[2048];

	for (unsigned long i = 0; i < count; i++) {
		const size_t size = next_random(&seed) % sizeof(data);

		for (size_t b = 0; b < size; b++)
			data[b] = (uint8_t)next_random(&seed);
		LLVMFuzzerTestOneInput(data, size);
	}
	return 0;
}
