/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The seed of a random test: SEGUE_TEST_SEED, else drawn from the clock. It is printed in the form
 * that repeats the run; tools/test reads it there when it gives a timing test its second try.
 */
#ifndef SEGUE_TESTS_SEED_H
#define SEGUE_TESTS_SEED_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

/* The same one each time in a process. */
static inline uint64_t segue_test_seed(void)
{
	static uint64_t seed;
	static int drawn;

	if (!drawn) {
		const char *const given = getenv("SEGUE_TEST_SEED");
		struct timespec now;

		/* Short enough for whoever keeps 32 bits of it. */
		clock_gettime(CLOCK_REALTIME, &now);
		seed = given ? strtoull(given, NULL, 0)
			     : ((uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000 +
				(uint64_t)getpid() * 65536) & 0x7fffffff;
		drawn = 1;
		printf("SEGUE_TEST_SEED=%llu\n", (unsigned long long)seed);
		fflush(stdout);
	}
	return seed;
}

#endif /* SEGUE_TESTS_SEED_H */
