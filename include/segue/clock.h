/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device's clock, and time stamps of completions in nanoseconds.
 *
 * A device stamps each completion with a counter of its own (segue_wc_details.timestamp), which
 * runs at segue_caps.clock_khz. The kernel's driver keeps a page that maps that counter to its PTP
 * clock. That clock counts nanoseconds since 1970. It starts from the system's clock when the
 * driver is loaded, and a daemon (phc2sys(8), ptp4l(8)) may correct it from then on.
 *
 *	segue_device_query_clock(device, &clock);
 *	...
 *	segue_wc_get_details(wc, &details);
 *	ns = segue_clock_ns(&clock, details.timestamp);
 *
 * A completion queue that is opened with segue_cq_options.timestamps always has such stamps. Other
 * queues have the stamps that card and firmware are configured for.
 *
 * Owner: a struct segue_clock is a copy, owned by the caller.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(). Converting cannot fail.
 * Source: mlx5dv_get_clock_info(3), mlx5dv_ts_to_ns(3).
 */
#ifndef SEGUE_CLOCK_H
#define SEGUE_CLOCK_H

#include <stdint.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

struct segue_device;

/** Time at one value of the device's counter, and the rate between both. */
struct segue_clock {
	uint64_t ns;       /* nanoseconds since 1970 at the counter's value `ticks` */
	uint64_t fraction; /* fraction of the next nanosecond, in 2^-shift ns */
	uint64_t ticks;    /* value of the counter */
	uint64_t mask;     /* bits that the counter has */
	uint32_t mult;     /* a tick takes this many 2^-shift ns */
	uint32_t shift;
};

/**
 * segue_device_query_clock() - read the relation of the device's counter to its clock.
 * @clock: filled on success
 *
 * It costs no system call. Call it again from time to time, for example each second: the kernel
 * corrects the rate, and an old reading lacks the later corrections. Returns 0, -ENOTSUP if the
 * driver does not report it, or -EAGAIN if the driver was writing it in each of ten attempts.
 * Source: mlx5dv_get_clock_info(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_clock(struct segue_device *device,
					       struct segue_clock *clock);

/**
 * segue_clock_ns() - nanoseconds since 1970, by the device's clock, of a time stamp or of
 * segue_device_query_ticks().
 * @clock: of the device that made the stamp, read before or after it
 * @ticks: at most half of the counter's range before or after the moment at which `clock` was read
 *
 * Source: mlx5dv_ts_to_ns(3), which differs where its product does not fit into 64 bits.
 */
SEGUEI_HOT_FUNCTION uint64_t segue_clock_ns(const struct segue_clock *clock, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 product;
	const uint64_t ahead = (ticks - clock->ticks) & clock->mask,
		       behind = (clock->ticks - ticks) & clock->mask;

	if (ahead <= clock->mask / 2)
		return clock->ns +
		       (uint64_t)(((product)ahead * clock->mult + clock->fraction) >> clock->shift);
	return clock->ns -
	       (uint64_t)(((product)behind * clock->mult - clock->fraction) >> clock->shift);
}

#include "segue/detail/end.h"

#endif
