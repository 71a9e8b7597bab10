/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The live clock page, from which a program reads the device's time. The read cannot be seen, so
 * the page is written at each turn of the device and before each time stamp. It never lags behind a
 * completion that a program has seen.
 */
#include "tools/softhca/engine/dev.h"
#include "tools/softhca/engine/scheduler.h"

#include <endian.h>
#include <errno.h>
#include <stdlib.h>
#include <time.h>

struct softhca_clock {
	struct softhca_clock *next;
	struct softhca_dev *dev;
	uint64_t *page; /* big-endian, high word first */
};

uint64_t softhca_clock_tick(const struct softhca_dev *dev)
{
	const uint64_t now = softhca_dev_clock(dev);

	for (const struct softhca_clock *c = dev->clocks; c; c = c->next)
		__atomic_store_n(c->page, htobe64(now), __ATOMIC_RELAXED);
	return now;
}

int softhca_clock_add(struct softhca_dev *dev, void *page, struct softhca_clock **out)
{
	struct softhca_clock *c = calloc(1, sizeof(*c));

	if (!c)
		return softhca_fail(-ENOMEM, "out of memory");
	c->dev = dev;
	c->page = page;
	c->next = dev->clocks;
	dev->clocks = c;
	softhca_clock_tick(dev);
	*out = c;
	return 0;
}

void softhca_clock_remove(struct softhca_clock *clock)
{
	if (!clock)
		return;
	for (struct softhca_clock **p = &clock->dev->clocks; *p; p = &(*p)->next)
		if (*p == clock) {
			*p = clock->next;
			break;
		}
	free(clock);
}

uint64_t softhca_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}
