/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points in time at which a wait gives up: nanoseconds of CLOCK_MONOTONIC.
 *
 * Owner: values; nothing is owned.
 * Threads: any.
 * Errors: cannot fail.
 * Source: clock_gettime(2), CLOCK_MONOTONIC; poll(2).
 */
#ifndef SEGUE_DEADLINE_H
#define SEGUE_DEADLINE_H

#include <stdint.h>

#include "segue/detail/begin.h"

/**
 * A point in time. SEGUE_NOW has passed already (look once, do not wait); SEGUE_NEVER does not
 * come.
 */
typedef uint64_t segue_deadline;
#define SEGUE_NOW   UINT64_C(0)
#define SEGUE_NEVER UINT64_MAX

/**
 * segue_deadline_in_ms() is the point in time so many milliseconds from now. Any thread; cannot
 * fail.
 */
segue_deadline segue_deadline_in_ms(uint64_t ms);

/**
 * segue_deadline_left_ms() is the time left in milliseconds, rounded up, as poll(2) takes it: 0
 * when the deadline has passed, -1 for SEGUE_NEVER, INT_MAX at most. Any thread; cannot fail.
 */
int segue_deadline_left_ms(segue_deadline deadline);

#include "segue/detail/end.h"

#endif
