/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Tests whether a value fits its field, without a branch, for callers that collect offences in a
 * sign bit.
 */
#ifndef SEGUE_DETAIL_RANGE_H
#define SEGUE_DETAIL_RANGE_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/check.h"
#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

/* True for sizes of rings. */
SEGUE_FUNCTION bool seguei_is_power_of_two(uint32_t value)
{
	return value && !(value & (value - 1));
}

/*
 * Negative if the value lies outside min to max. That takes two instructions if max is 2^31 - 1,
 * and three if it is less. The other bits of the result have no meaning.
 */
SEGUEI_HOT_FUNCTION int32_t seguei_outside(uint64_t value, uint64_t min, uint64_t max)
{
	const uint32_t above = (uint32_t)value - (uint32_t)min;

	if (max == INT32_MAX && min <= 1 && value <= UINT32_MAX)
		return (int32_t)((uint32_t)value | above);
#ifndef __clang__ /* clang compares in as many instructions. Signed ranges begin above their end */
	if (min <= max && max <= INT32_MAX && value <= UINT32_MAX)
		return (int32_t)((above + (INT32_MAX - (uint32_t)(max - min))) | above);
#endif
	return -(int32_t)(value - min > max - min);
}

/*
 * Number of a field in checked builds: the segment's index in segue_segments[], and the field's in
 * its description.
 */
#define SEGUEI_FIELD(segment, field) ((uint32_t)(segment) << 8 | (uint32_t)(field))

struct segue_machine;

/*
 * Checked builds: ends the program, and prints the field, its value, its range and the call's
 * place.
 */
SEGUEI_COLD void seguei_check_value(uint32_t field, uint64_t value);

/* "'mss' of segment 'eth' is 16384 (0x4000), expected 0 to 16383". As snprintf(). */
SEGUEI_COLD size_t seguei_value_print(uint32_t field, uint64_t value, char *out, size_t outlen);

/* Reasons of a refusal that a builder can record. The sign of `bad` shows that there is any. */
enum seguei_why {
	SEGUEI_TOO_LONG = 1, /* the reason, whatever else is wrong */
	SEGUEI_NULL = 2,     /* it was given NULL: seguei_note_null() */
	/* a payload has a wrong length, and was not written: segue_sq.wrong_field */
	SEGUEI_LENGTH = 4,
	/* not an offence: the next request must wait for this one, see seguei_sq_fence_next() */
	SEGUEI_FENCES = 8,
};

/* The reason of a ring's refusal, as an errno. @postable: the queue pair's state takes requests */
SEGUE_FUNCTION int seguei_ring_refusal(int32_t bad, bool too_long, bool postable)
{
	if (too_long)
		return EMSGSIZE;
	if (bad < 0)
		return ERANGE;
	return postable ? ENOSPC : EINVAL;
}

/*
 * Prints why bytes that were built are refused: the offence in them, or the fields that may have
 * had too large values. As snprintf().
 */
SEGUEI_COLD size_t seguei_refusal_print(const struct segue_machine *machine, const void *wqe,
					size_t len, char *out, size_t outlen);

/*
 * A builder was given NULL. Checked builds end the program. Other builds report it when the request
 * is refused (SEGUEI_NULL).
 */
SEGUEI_COLD void seguei_note_null(const char *call, const char *member);

/* Prints that report. As snprintf(). */
SEGUEI_COLD size_t seguei_null_print(char *out, size_t outlen);

/* Checked builds: ends the program with the flags that a request does not take. */
SEGUEI_COLD void seguei_check_flags(const char *request, uint32_t flags, uint32_t legal);

/* Checked builds: ends the program with flags that exclude each other. */
SEGUEI_COLD void seguei_check_clash(const char *request, uint32_t flags);

/* Refuses NULL in a one-call post that needs a value: -EINVAL, and a sentence. */
SEGUEI_COLD int seguei_no_argument(const char *call, const char *member);

/*
 * Refuses an array in a one-call post that does not have the request's number of entries: -EINVAL,
 * and a sentence.
 */
SEGUEI_COLD int seguei_wrong_count(const char *call, const char *member, uint32_t count,
				   uint32_t least, uint32_t most);

/*
 * Makes an optimizing compiler refuse constants that are out of range: the functions exist nowhere,
 * and calls of them are left over only if a constant was given. SEGUE_CONSTANTS defined as 0 leaves
 * constants to be refused when they are posted, as other values are.
 */
#ifndef SEGUE_CONSTANTS
#define SEGUE_CONSTANTS 1
#endif

#if SEGUE_CONSTANTS && !SEGUEI_NVCC && defined(__has_attribute)
#if __has_attribute(error)
SEGUEI_OF_LIBRARY __attribute__((error("a constant lies outside of the range of its field"))) void
seguei_constant_outside(void);
SEGUEI_OF_LIBRARY __attribute__((error("a constant is no member of the enum of its field"))) void
seguei_constant_strange(void);
SEGUEI_OF_LIBRARY __attribute__((error("the request does not take these flags"))) void
seguei_constant_flags(void);
/* Tests the value itself, because gcc may know `wrong` even of a value that is not constant. */
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

/* Negative unless the value is one of its field's legal values. */
SEGUEI_HOT_FUNCTION int32_t seguei_field_unless(uint32_t field, uint64_t value, bool legal)
{
	SEGUEI_CONSTANT(value, !legal, seguei_constant_strange);
	if (SEGUE_CHECKED && !legal)
		seguei_check_value(field, value);
	return -(int32_t)!legal;
}

/*
 * Checked builds: ends the program if a needed pointer is missing. Other builds continue, as C
 * does.
 */
SEGUEI_HOT_FUNCTION void seguei_need(bool missing, const char *call, const char *member)
{
	if (SEGUE_CHECKED && missing)
		seguei_note_null(call, member);
}

/* True if flags exclude each other: combined they are not a member of their field's enum. */
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

#include "segue/detail/end.h"

#endif
