/* SPDX-License-Identifier: BSD-2-Clause */
/* Checks of test programs in C: a sentence on stderr, a count, and on they go. */
#ifndef SOFTHCA_TESTS_CHECK_H
#define SOFTHCA_TESTS_CHECK_H

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Each program defines it, and leaves with it as its exit status. */
extern int failures;

#define CHECK(cond)                                                                       \
	do {                                                                              \
		if (!(cond)) {                                                            \
			fprintf(stderr, "%s:%d: %s: not true (errno %d, %s)\n", __func__, \
				__LINE__, #cond, errno, strerror(errno));                 \
			failures++;                                                       \
		}                                                                         \
	} while (0)

/* For verbs that return the error number. */
#define CHECK_RC(call, want)                                                                     \
	do {                                                                                     \
		int got_ = (call);                                                               \
		if (got_ != (want)) {                                                            \
			fprintf(stderr, "%s:%d: %s: %d (%s), expected %d\n", __func__, __LINE__, \
				#call, got_, strerror(got_), (want));                            \
			failures++;                                                              \
		}                                                                                \
	} while (0)

/* For verbs that return NULL and set errno. */
#define CHECK_NULL(call, want)                                                               \
	do {                                                                                 \
		errno = 0;                                                                   \
		if ((call) != NULL || errno != (want)) {                                     \
			fprintf(stderr, "%s:%d: %s: errno %d (%s), expected %d\n", __func__, \
				__LINE__, #call, errno, strerror(errno), (want));            \
			failures++;                                                          \
		}                                                                            \
	} while (0)

/* For calls that give -1 and set errno. */
#define CHECK_ERRNO(call, want)                                                              \
	do {                                                                                 \
		errno = 0;                                                                   \
		if ((call) != -1 || errno != (want)) {                                       \
			fprintf(stderr, "%s:%d: %s: errno %d (%s), expected %d\n", __func__, \
				__LINE__, #call, errno, strerror(errno), (want));            \
			failures++;                                                          \
		}                                                                            \
	} while (0)

/* Without it nothing that follows makes sense. */
#define NEED(ptr)                                                                          \
	do {                                                                               \
		if (!(ptr)) {                                                              \
			fprintf(stderr, "%s:%d: %s is missing (errno %d, %s)\n", __func__, \
				__LINE__, #ptr, errno, strerror(errno));                   \
			exit(1);                                                           \
		}                                                                          \
	} while (0)

#endif
