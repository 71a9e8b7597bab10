/* SPDX-License-Identifier: BSD-2-Clause */
/* Data that can be checked: every byte follows from a seed, with a checksum at the end. */
#ifndef PINGPONG_PATTERN_H
#define PINGPONG_PATTERN_H

#include <stdint.h>

/* The smallest message: half of it pattern, half checksum. */
#define PATTERN_MIN 8u

/* Fills `size` bytes: the pattern of a seed, and its checksum in the last four. */
void pattern_fill(uint8_t *bytes, uint32_t size, uint64_t seed);

/* The first byte that is not as pattern_fill() makes it, or -1. */
int64_t pattern_check(const uint8_t *bytes, uint32_t size, uint64_t seed);

#endif
