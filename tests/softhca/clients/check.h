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

/* What a call has left in errno is named only if the condition made that call. */
static inline void check_failed(const char *function, int line, const char *what)
{
	const int err = errno;

	fprintf(stderr, "%s:%d: %s: not true", function, line, what);
	if (err)
		fprintf(stderr, " (errno %d, %s)", err, strerror(err));
	fputc('\n', stderr);
	failures++;
}

#define CHECK(cond)                                              \
	do {                                                     \
		errno = 0;                                       \
		if (!(cond))                                     \
			check_failed(__func__, __LINE__, #cond); \
	} while (0)

/* errno goes with what gave -1. */
static inline void check_unequal(const char *function, int line, const char *what, long long got,
				 long long want)
{
	const int err = errno;

	fprintf(stderr, "%s:%d: %s: %lld (0x%llx)", function, line, what, got, got);
	if (got == -1 && err)
		fprintf(stderr, " (errno %d, %s)", err, strerror(err));
	fprintf(stderr, ", expected %lld (0x%llx)\n", want, want);
	failures++;
}

/* Two numbers, both of which are printed. */
#define CHECK_EQ(got, want)                                                                \
	do {                                                                               \
		const long long got_ = (long long)(got);                                   \
		const long long want_ = (long long)(want);                                 \
		if (got_ != want_)                                                         \
			check_unequal(__func__, __LINE__, #got " == " #want, got_, want_); \
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
