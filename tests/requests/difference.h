// SPDX-License-Identifier: BSD-2-Clause
#ifndef SEGUE_TESTS_REQUESTS_DIFFERENCE_H
#define SEGUE_TESTS_REQUESTS_DIFFERENCE_H

#include <stdint.h>
#include <string.h>

#include <algorithm>

namespace requests {

// Where two pieces of memory differ first, `length` if nowhere. They nearly never do, which
// memcmp() says sooner than a loop that is not optimized.
inline size_t first_difference(const uint8_t *a, const uint8_t *b, size_t length)
{
	return memcmp(a, b, length) ? (size_t)(std::mismatch(a, a + length, b).first - a) : length;
}

} // namespace requests

#endif
