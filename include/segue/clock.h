/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The device's clock, in nanoseconds: what time stamps of completions mean.
 *
 * A device stamps each completion with a counter of its own (segue_wc_details.timestamp), which
 * runs at segue_caps.clock_khz. The kernel's driver keeps a page that says what time of its PTP
 * clock that counter stands for: nanoseconds since 1970, as the system's clock had them when the
 * driver was loaded, and since then as whoever disciplines the card's clock (phc2sys(8), ptp4l(8))
 * has set it.
 *
 *	segue_device_query_clock(device, &clock);
 *	...
 *	segue_wc_get_details(wc, &details);
 *	ns = segue_clock_ns(&clock, details.timestamp);
 *
 * A completion queue that is opened with segue_cq_options.timestamps has such stamps for certain;
 * others have what card and firmware were set up for.
 *
 * Owner: a struct segue_clock is the caller's, and a copy.
 * Threads: any.
 * Errors: negative errno with segue_errmsg(); converting cannot fail.
 * Source: mlx5dv_get_clock_info(3), mlx5dv_ts_to_ns(3).
 */
#ifndef SEGUE_CLOCK_H
#define SEGUE_CLOCK_H

#include <stdint.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

struct segue_device;

/** What time the device's counter stood for at one moment, and how fast both run. */
struct segue_clock {
	uint64_t ns;       /* nanoseconds since 1970, */
	uint64_t fraction; /* and this many 2^shift-th of one more, */
	uint64_t ticks;    /* when the counter stood here */
	uint64_t mask;     /* bits that the counter has */
	uint32_t mult;     /* a tick has so many 2^shift-th of a nanosecond */
	uint32_t shift;
};

/**
 * segue_device_query_clock() - learn what the device's counter means.
 * @clock: filled on success
 *
 * It costs no system call. Call it again now and then, say each second: the kernel corrects the
 * rate, and an old reading lacks the corrections since. Returns 0; -ENOTSUP if the driver does not
 * tell; -EAGAIN if it was being written at that moment, ten times running. Source:
 * mlx5dv_get_clock_info(3).
 */
SEGUEI_MUST_CHECK int segue_device_query_clock(struct segue_device *device,
					       struct segue_clock *clock);

/**
 * segue_clock_ns() - nanoseconds since 1970, by the device's clock, of a time stamp or of
 * segue_device_query_ticks().
 * @clock: of the device that made the stamp, read before or after it
 * @ticks: at most half of the counter's range before or behind the moment at which `clock` was read
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
