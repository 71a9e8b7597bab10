// SPDX-License-Identifier: BSD-2-Clause
/* The histogram of segue perf against sorted times: nothing is off by more than 1 in 128. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/seed/seed.h"
#include "tools/segue/perf/times.h"

#define COUNT 20000u

static uint64_t all[COUNT];
static struct perf_times whole, part[2], merged, copy;
static uint8_t wire[TIMES_WIRE_SIZE];
static int bad;

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

static void expect(int ok, const char *what)
{
	if (!ok)
		printf("FAILED: %s\n", what);
	bad |= !ok;
}

static void expect_quantile(uint32_t per_million)
{
	const uint64_t rank = ((uint64_t)COUNT * per_million + 999999) / 1000000;
	const uint64_t exact = all[rank ? rank - 1 : 0], said = times_quantile(&whole, per_million);
	const uint64_t off = said > exact ? said - exact : exact - said;

	if (off * 128 <= exact)
		return;
	printf("FAILED: %u of a million: %llu, expected %llu\n", per_million,
	       (unsigned long long)said, (unsigned long long)exact);
	bad = 1;
}

int main(void)
{
	static const uint32_t quantiles[] = {0, 1, 10000, 500000, 990000, 999000, 1000000};
	uint64_t sum = 0;
	uint32_t i;

	expect(times_quantile(&whole, 500000) == 0, "no times have no median");
	srand48((long)segue_test_seed());
	for (i = 0; i < COUNT; i++) {
		all[i] = (uint64_t)mrand48() & 0xffffffff;
		all[i] = (all[i] << 9) >> (lrand48() % 42);
		sum += all[i];
		times_add(&whole, all[i]);
		times_add(&part[i % 2], all[i]);
	}
	qsort(all, COUNT, sizeof(all[0]), compare);
	for (i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		expect_quantile(quantiles[i]);
	expect(whole.count == COUNT && whole.sum == sum, "count and sum are exact");
	expect(whole.min == all[0] && whole.max == all[COUNT - 1], "least and largest are exact");
	expect(times_between(&whole, 0, UINT64_MAX) == COUNT, "all lie between 0 and the end");
	expect(times_between(&whole, 0, 5000) + times_between(&whole, 5000, UINT64_MAX) == COUNT,
	       "neighbours do not overlap");
	times_merge(&merged, &part[0]);
	times_merge(&merged, &part[1]);
	expect(!memcmp(&merged, &whole, sizeof(whole)), "the parts are the whole");
	times_write(&whole, wire);
	times_read(&copy, wire);
	expect(!memcmp(&copy, &whole, sizeof(whole)), "what is read is what was written");
	times_add(&whole, UINT64_MAX);
	expect(whole.max == UINT64_MAX && times_between(&whole, 1ull << 40, UINT64_MAX) > 0,
	       "a time without end is in the last bucket");
	return bad;
}
