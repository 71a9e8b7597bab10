/* SPDX-License-Identifier: BSD-2-Clause */
/* Hexadecimal digits in a text. */
#ifndef SEGUE_TOOL_LOG_DIGITS_H
#define SEGUE_TOOL_LOG_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The value of a digit, or -1. */
static inline int digit_value(char c)
{
	static const uint8_t one_more[256] = {
		['0'] = 1, 2,  3,  4,  5,  6,	       7,  8,  9,  10, ['A'] = 11,
		12,	   13, 14, 15, 16, ['a'] = 11, 12, 13, 14, 15, 16};

	return one_more[(unsigned char)c] - 1;
}

/* How many digits stand at a place. */
static inline size_t digits_at(const char *at, const char *end)
{
	size_t n = 0;

	while (at + n < end && digit_value(at[n]) >= 0)
		n++;
	return n;
}

static inline uint64_t digits_number(const char *at, size_t digits)
{
	uint64_t value = 0;

	while (digits--)
		value = value << 4 | (uint64_t)digit_value(*at++);
	return value;
}

/* True if "0x" and more stand at a place. */
static inline bool digits_marked(const char *at, const char *end)
{
	return end - at > 2 && at[0] == '0' && (at[1] | 0x20) == 'x';
}

#endif
