/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Base of all headers: the version, the sentence of the last error, and deadlines.
 *
 * docs/versions.md describes the changes that may come with another version.
 *
 * Owner: values. The text of a sentence is the thread's.
 * Threads: any, each with its own sentence.
 * Errors: cannot fail.
 * Source: semver.org; errno(3); clock_gettime(2), CLOCK_MONOTONIC; poll(2).
 */
#ifndef SEGUE_BASE_H
#define SEGUE_BASE_H

#include <stdint.h>

#include "segue/detail/declaration.h"

#include "segue/detail/begin.h"

#define SEGUE_VERSION_MAJOR 0
#define SEGUE_VERSION_MINOR 1
#define SEGUE_VERSION_PATCH 0

/** The version as one number that grows, for #if. */
#define SEGUE_VERSION \
	(SEGUE_VERSION_MAJOR * 1000000 + SEGUE_VERSION_MINOR * 1000 + SEGUE_VERSION_PATCH)

/**
 * segue_version() is the library's SEGUE_VERSION.
 *
 * The headers hold half of Segue, so a program and its library must have exactly the same version:
 * compare this number with SEGUE_VERSION once, at the start.
 */
uint32_t segue_version(void);

/**
 * segue_errmsg() - the reason why the last Segue call of this thread failed.
 *
 * Returns a sentence that names the object, what was expected and what to do next, or "" if no call
 * has failed yet. The text belongs to the thread and stays until its next failing call. Never NULL.
 */
const char *segue_errmsg(void);

/* Keeps a sentence for segue_errmsg(), which may be among its arguments, and returns -err. */
int seguei_fail(int err, const char *format, ...) __attribute__((format(printf, 2, 3), cold));

/*
 * Returns 0, or -EINVAL if a reserved word of options is not 0. @what: object or structure, for the
 * sentence
 */
int seguei_check_reserved(const uint64_t reserved[4], const char *what);

/**
 * A point in time at which a wait gives up, in nanoseconds of CLOCK_MONOTONIC. SEGUE_NOW is in the
 * past: a call tests once and does not wait. SEGUE_NEVER never comes.
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
