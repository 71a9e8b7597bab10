/* SPDX-License-Identifier: BSD-2-Clause */
/* Deadlines on the monotonic clock. */
#define _POSIX_C_SOURCE 200809L
#include "segue/base.h"

#include <limits.h>
#include <time.h>

#define NS_PER_MS  UINT64_C(1000000)
#define NS_PER_SEC UINT64_C(1000000000)

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * NS_PER_SEC + (uint64_t)time.tv_nsec;
}

segue_deadline segue_deadline_in_ms(uint64_t ms)
{
	const uint64_t start = now();

	return ms < (SEGUE_NEVER - start) / NS_PER_MS ? start + ms * NS_PER_MS : SEGUE_NEVER;
}

int segue_deadline_left_ms(segue_deadline deadline)
{
	uint64_t start, left;

	if (deadline == SEGUE_NEVER)
		return -1;
	start = now();
	if (deadline <= start)
		return 0;
	left = (deadline - start + NS_PER_MS - 1) / NS_PER_MS;
	return left < INT_MAX ? (int)left : INT_MAX;
}
