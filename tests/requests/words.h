// SPDX-License-Identifier: BSD-2-Clause
// What masked atomics make of a word, by arithmetic bit by bit.
#ifndef SEGUE_TESTS_REQUESTS_WORDS_H
#define SEGUE_TESTS_REQUESTS_WORDS_H

#include <cstdint>
#include <cstring>
#include <vector>

namespace requests {

// A word as the peer's processor has it, in either memory of the model.
template <class W> W word_of(const std::vector<uint8_t> &bytes, size_t at)
{
	W word;

	memcpy(&word, bytes.data() + at, sizeof(word));
	return word;
}

// Sums of fields: no carry leaves a bit of the boundary.
template <class W> W add_fields(W a, W b, W boundary)
{
	unsigned carry = 0;
	W sum = 0;

	for (unsigned i = 0; i < 8 * sizeof(W); i++) {
		const unsigned x = a >> i & 1, y = b >> i & 1;

		sum |= (W)(x ^ y ^ carry) << i;
		carry = boundary >> i & 1 ? 0 : (x + y + carry) >> 1;
	}
	return sum;
}

template <class W> struct Masked {
	W compare, swap, compare_mask, swap_mask;

	W after(W former) const
	{
		return ((former ^ compare) & compare_mask)
			       ? former
			       : (former & (W)~swap_mask) | (swap & swap_mask);
	}
};

} // namespace requests

#endif
