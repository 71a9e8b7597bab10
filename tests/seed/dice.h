// SPDX-License-Identifier: BSD-2-Clause
// Random numbers for tests that draw millions of them: Vigna's splitmix64. An engine of the
// standard library, not optimized, takes half of the time of such a test.
#ifndef SEGUE_TESTS_DICE_H
#define SEGUE_TESTS_DICE_H

#include <stdint.h>

class SplitMix64
{
      public:
	using result_type = uint64_t;
	explicit SplitMix64(uint64_t seed) : state_(seed) {}
	static constexpr result_type min() { return 0; }
	static constexpr result_type max() { return UINT64_MAX; }
	result_type operator()()
	{
		uint64_t z = state_ += 0x9e3779b97f4a7c15;

		z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
		z = (z ^ z >> 27) * 0x94d049bb133111eb;
		return z ^ z >> 31;
	}

      private:
	uint64_t state_;
};

#endif
