/* SPDX-License-Identifier: BSD-2-Clause */
/* Message contents that can be checked: a random stream, and a checksum at its end. */
#include "pattern.h"

#include <string.h>

#include "segue/segue.h"

#define SUM_SIZE 4u

/* Steele and Vigna's SplitMix64: neighbouring seeds give different streams. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

/* Fowler, Noll and Vo's hash of the bytes before it, which shows swapped or shifted blocks. */
static uint32_t sum_of(const uint8_t *bytes, uint32_t size)
{
	uint32_t sum = 0x811c9dc5u;
	uint32_t i;

	for (i = 0; i < size; i++)
		sum = (sum ^ bytes[i]) * 0x01000193u;
	return sum;
}

/* Eight bytes of the pattern, or fewer at its end. */
static uint32_t piece(uint8_t word[8], uint64_t *state, uint32_t left)
{
	segue_put_be64(word, next(state));
	return left < 8 ? left : 8;
}

void pattern_fill(uint8_t *bytes, uint32_t size, uint64_t seed)
{
	const uint32_t body = size - SUM_SIZE;
	uint32_t at, length;
	uint8_t word[8];

	for (at = 0; at < body; at += length) {
		length = piece(word, &seed, body - at);
		memcpy(bytes + at, word, length);
	}
	segue_put_be32(bytes + body, sum_of(bytes, body));
}

int64_t pattern_check(const uint8_t *bytes, uint32_t size, uint64_t seed)
{
	const uint32_t body = size - SUM_SIZE;
	uint32_t at, length;
	uint8_t word[8];

	for (at = 0; at < body; at += length) {
		length = piece(word, &seed, body - at);
		if (!memcmp(bytes + at, word, length))
			continue;
		while (bytes[at] == word[at % 8])
			at++;
		return at;
	}
	return segue_get_be32(bytes + body) == sum_of(bytes, body) ? -1 : (int64_t)body;
}
