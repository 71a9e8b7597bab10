/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Asking whether a value fits its field without a branch, for whoever collects offences in a sign
 * bit.
 */
#ifndef SEGUE_DETAIL_RANGE_H
#define SEGUE_DETAIL_RANGE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/check.h"
#include "segue/detail/compiler.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* True of sizes that rings have. */
SEGUE_FUNCTION bool seguei_is_power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

/*
 * Negative if the value lies outside min to max. That takes two instructions where max is 2^31 - 1,
 * three where it is less; any other bits of the result may be set.
 */
SEGUEI_HOT_FUNCTION int32_t seguei_outside(uint64_t value, uint64_t min, uint64_t max)
{
	const uint32_t above = (uint32_t)value - (uint32_t)min;

	if (max == INT32_MAX && min <= 1 && value <= UINT32_MAX)
		return (int32_t)((uint32_t)value | above);
#ifndef __clang__ /* which compares in as many; signed ranges begin above their end */
	if (min <= max && max <= INT32_MAX && value <= UINT32_MAX)
		return (int32_t)((above + (INT32_MAX - (uint32_t)(max - min))) | above);
#endif
	return -(int32_t)(value - min > max - min);
}

/*
 * A field as checked builds name it: the segment's index in segue_segments[], and the field's in
 * its description.
 */
#define SEGUEI_FIELD(segment, field) ((uint32_t)(segment) << 8 | (uint32_t)(field))

#ifdef __cplusplus
extern "C" {
#endif

struct segue_machine;

/*
 * Checked builds: ends the program with the field, its value, its range and the place of the call.
 */
SEGUEI_COLD void seguei_check_value(uint32_t field, uint64_t value);

/* "'mss' of segment 'eth' is 16384 (0x4000), expected 0 to 16383". As snprintf(). */
SEGUEI_COLD size_t seguei_value_print(uint32_t field, uint64_t value, char *out, size_t outlen);

/* What a builder knows of why it will be refused; of other reasons it knows that there is one. */
enum seguei_why {
	SEGUEI_TOO_LONG = 1, /* and this is why, whatever else is wrong */
	SEGUEI_NULL = 2,     /* it was given NULL: seguei_note_null() */
	/* it was given a length that it has not written: segue_sq.wrong_field */
	SEGUEI_LENGTH = 4,
	/* no offence: the next request has to wait for it, see seguei_sq_fence_next() */
	SEGUEI_FENCES = 8,
};

/* Why a ring refuses a request, as an errno. @postable: the queue pair's state takes requests */
SEGUE_FUNCTION int seguei_ring_refusal(int32_t bad, bool too_long, bool postable)
{
	if (too_long)
		return EMSGSIZE;
	if (bad < 0)
		return ERANGE;
	return postable ? ENOSPC : EINVAL;
}

/*
 * Says in words why bytes that were built are refused: what is wrong with them, or which fields may
 * have been given values too large for them. As snprintf().
 */
SEGUEI_COLD size_t seguei_refusal_print(const struct segue_machine *machine, const void *wqe,
					size_t len, char *out, size_t outlen);

/*
 * A builder was given NULL: checked builds end the program, others say so when the request is
 * refused, which has to know it (SEGUEI_NULL).
 */
SEGUEI_COLD void seguei_note_null(const char *call, const char *member);

/* Says it. As snprintf(). */
SEGUEI_COLD size_t seguei_null_print(char *out, size_t outlen);

/* Checked builds: ends the program with the flags that a request does not take. */
SEGUEI_COLD void seguei_check_flags(const char *request, uint32_t flags, uint32_t legal);

/* Checked builds: ends the program with flags that do not go together. */
SEGUEI_COLD void seguei_check_clash(const char *request, uint32_t flags);

/* A one-call post was given NULL where it needs something: -EINVAL, and a sentence. */
SEGUEI_COLD int seguei_no_argument(const char *call, const char *member);

/*
 * A one-call post was given an array of so many entries, which are not as many as the request
 * takes: -EINVAL, and a sentence.
 */
SEGUEI_COLD int seguei_wrong_count(const char *call, const char *member, uint32_t count,
				   uint32_t least, uint32_t most);

#ifdef __cplusplus
}
#endif

/*
 * What the compiler knows to be wrong it refuses, where it optimizes: the functions exist nowhere,
 * and calls of them are left over only where a constant was given. SEGUE_CONSTANTS defined as 0
 * leaves constants to be refused when they are posted, as other values are.
 */
#ifndef SEGUE_CONSTANTS
#define SEGUE_CONSTANTS 1
#endif

#if SEGUE_CONSTANTS && !SEGUEI_NVCC && defined(__has_attribute)
#if __has_attribute(error)
#ifdef __cplusplus
extern "C" {
#endif
SEGUEI_OF_LIBRARY __attribute__((error("a constant lies outside of the range of its field"))) void
seguei_constant_outside(void);
SEGUEI_OF_LIBRARY __attribute__((error("a constant is no member of the enum of its field"))) void
seguei_constant_strange(void);
SEGUEI_OF_LIBRARY __attribute__((error("the request does not take these flags"))) void
seguei_constant_flags(void);
#ifdef __cplusplus
}
#endif
/* Of the value: of what is wrong gcc knows more behind a comparison, without any constant. */
#define SEGUEI_CONSTANT(value, wrong, refuse)       \
	do {                                        \
		if (SEGUEI_KNOWN(value) && (wrong)) \
			refuse();                   \
	} while (0)
#endif
#endif
#ifndef SEGUEI_CONSTANT
#define SEGUEI_CONSTANT(value, wrong, refuse) ((void)0)
#endif

/* As seguei_outside(), for a value that a caller has given. */
SEGUEI_HOT_FUNCTION int32_t seguei_field_outside(uint32_t field, uint64_t value, uint64_t min,
						 uint64_t max)
{
	const int32_t bad = seguei_outside(value, min, max);

	SEGUEI_CONSTANT(value, value - min > max - min, seguei_constant_outside);
	if (SEGUE_CHECKED && bad < 0)
		seguei_check_value(field, value);
	return bad;
}

/* Negative unless the value is one of those that its field may have. */
SEGUEI_HOT_FUNCTION int32_t seguei_field_unless(uint32_t field, uint64_t value, bool legal)
{
	SEGUEI_CONSTANT(value, !legal, seguei_constant_strange);
	if (SEGUE_CHECKED && !legal)
		seguei_check_value(field, value);
	return -(int32_t)!legal;
}

/* Checked builds: what a pointer leads to is needed. Others go on, as C does. */
SEGUEI_HOT_FUNCTION void seguei_need(bool missing, const char *call, const char *member)
{
	if (SEGUE_CHECKED && missing)
		seguei_note_null(call, member);
}

/* True if flags do not go together: together they are no member of their field's enum. */
SEGUEI_HOT_FUNCTION bool seguei_block_flags_clash(const char *request, uint32_t flags,
						  bool together)
{
	if (SEGUE_CHECKED && !together)
		seguei_check_clash(request, flags);
	return !together;
}

/* True if there are flags that the request does not take. */
SEGUEI_HOT_FUNCTION bool seguei_strange_flags(const char *request, uint32_t flags, uint32_t legal)
{
	SEGUEI_CONSTANT(flags, (flags & ~legal) != 0, seguei_constant_flags);
	if (SEGUE_CHECKED && (flags & ~legal))
		seguei_check_flags(request, flags, legal);
	return (flags & ~legal) != 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
