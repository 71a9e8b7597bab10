/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Points in time at which a wait gives up: nanoseconds of CLOCK_MONOTONIC.
 *
 * Owner: values. Nothing is owned.
 * Threads: any.
 * Errors: cannot fail.
 * Source: clock_gettime(2), CLOCK_MONOTONIC; poll(2).
 */
#ifndef SEGUE_DEADLINE_H
#define SEGUE_DEADLINE_H

#include <stdint.h>

#include "segue/detail/begin.h"

/**
 * A point in time. SEGUE_NOW is in the past: a call tests once and does not wait. SEGUE_NEVER never
 * comes.
 */
typedef uint64_t segue_deadline;
#define SEGUE_NOW   UINT64_C(0)
#define SEGUE_NEVER UINT64_MAX

/**
 * segue_deadline_in_ms() is the point in time that many milliseconds from now. Any thread may call
 * it. Cannot fail.
 */
segue_deadline segue_deadline_in_ms(uint64_t ms);

/**
 * segue_deadline_left_ms() is the time left in milliseconds, rounded up, as poll(2) takes it: 0
 * when the deadline has passed, -1 for SEGUE_NEVER, INT_MAX at most. Any thread may call it. Cannot
 * fail.
 */
int segue_deadline_left_ms(segue_deadline deadline);

#include "segue/detail/end.h"

#endif
