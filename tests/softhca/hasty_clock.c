/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A clock for perftest: gettimeofday() that runs HASTE times as fast. Each of its processes finds
 * out at its end how fast the processor's counter runs, spinning on that call 200 times for 0.22 s
 * in all, only to print figures. Most of what a short run computes was that. Counter and clock are
 * still read side by side, so it is satisfied; the figures come out wrong by HASTE, and no test
 * reads them.
 */
#include <sys/time.h>
#include <time.h>

#define HASTE 32

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
	struct timespec t;
	long long us;

	(void)zone;
	clock_gettime(CLOCK_MONOTONIC, &t);
	us = (t.tv_sec * 1000000000ll + t.tv_nsec) * HASTE / 1000;
	now->tv_sec = us / 1000000;
	now->tv_usec = us % 1000000;
	return 0;
}
