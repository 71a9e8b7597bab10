/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Checked builds.
 *
 * With SEGUE_CHECKED=1 a broken promise of the caller (a value too wide for its field, a builder
 * used twice) ends the program with the place and the condition. Without it the checks are still
 * compiled, so that they cannot rot, and then dropped as dead code.
 */
#ifndef SEGUE_DETAIL_CHECK_H
#define SEGUE_DETAIL_CHECK_H

#include <errno.h>

#include "segue/detail/declaration.h"

#ifndef SEGUE_CHECKED
#define SEGUE_CHECKED 0
#endif

#include "segue/detail/begin.h"

/** seguei_check_failed() prints the failed condition and its place on stderr, then aborts. */
__attribute__((cold, noinline, noreturn)) void seguei_check_failed(const char *condition,
								   const char *file, int line);

/*
 * Checked builds: notes the place from which the program called the present step, for sentences
 * with which a check ends it. Steps are macros in C and have hidden arguments in C++, so it is the
 * caller's line, not one of a generated header.
 */
SEGUEI_OF_LIBRARY void seguei_note_caller(const char *file, int line);

/*
 * Place where a request was begun that is not posted yet. Line 0: there is none, or it is not
 * known.
 */
struct seguei_begun {
	const char *file;
	int line;
};

/* The noted place, file and line. Line 0 if none was noted. */
int seguei_caller(const char **file);

/* Ends the program with a sentence, preceded by the last noted place, if any. */
__attribute__((cold, noinline, noreturn, format(printf, 1, 2))) void seguei_die_at_caller(
	const char *sentence, ...);

/* Result of a segment's check if a field cannot hold its value. */
SEGUE_FUNCTION int seguei_cannot_hold(const char **field, const char *name)
{
	*field = name;
	return -ERANGE;
}

/* The check of a segment with fields that hold each value of its struct. */
#define SEGUEI_HOLDS_ALL(segment)                                                       \
	SEGUEI_UNMERGED SEGUE_FUNCTION int segment##_check(const struct segment *v,     \
							   const char **field)          \
	{                                                                               \
		(void)v;                                                                \
		(void)field;                                                            \
		return 0;                                                               \
	}

#include "segue/detail/end.h"

/** SEGUEI_DCHECK() checks a condition in checked builds, and costs nothing in others. */
#ifdef SEGUE_FREESTANDING
#define SEGUEI_DCHECK(condition) ((void)sizeof(condition))
#else
#define SEGUEI_DCHECK(condition)                                             \
	do {                                                                 \
		if (SEGUE_CHECKED && !(condition))                           \
			seguei_check_failed(#condition, __FILE__, __LINE__); \
	} while (0)
#endif

#endif /* SEGUE_DETAIL_CHECK_H */
