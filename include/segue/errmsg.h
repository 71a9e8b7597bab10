/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The sentence that explains a negative errno.
 *
 * Owner: the text is the thread's.
 * Threads: any, each with its own sentence.
 * Errors: cannot fail.
 * Source: errno(3). The sentences are Segue's.
 */
#ifndef SEGUE_ERRMSG_H
#define SEGUE_ERRMSG_H

#include <stdint.h>

#include "segue/detail/function.h"

#include "segue/detail/begin.h"

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

#include "segue/detail/end.h"

#endif
