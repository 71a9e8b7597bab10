/* SPDX-License-Identifier: BSD-2-Clause */
/* What the tests of send and of receive rings share: dice, and the positions where rings begin. */
#ifndef SEGUE_TESTS_RUNTIME_RING_DICE_H
#define SEGUE_TESTS_RUNTIME_RING_DICE_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "segue/detail/bytes.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

constexpr int kSteps = 4000;
constexpr uint32_t kNoDoorbell = 0x55555555;

class Dice
{
      public:
	explicit Dice(uint64_t stream) : engine_(segue_test_seed() * 1000003 + stream) {}
	uint32_t Below(uint32_t n) { return n ? uint32_t(engine_() % n) : 0; }
	bool OneIn(uint32_t n) { return Below(n) == 0; }
	uint64_t Word() { return engine_(); }

	/* Eight bytes of each word: to draw one takes longer than all else. */
	void Fill(void *to, size_t bytes)
	{
		for (size_t at = 0; at < bytes; at += sizeof(uint64_t)) {
			const uint64_t word = Word();

			memcpy(static_cast<uint8_t *>(to) + at, &word,
			       std::min(bytes - at, sizeof(word)));
		}
	}

      private:
	SplitMix64 engine_;
};

/* Appends a number, its highest byte first. */
inline void Big(std::vector<uint8_t> *out, uint64_t value, size_t bytes)
{
	const uint64_t big = segue_be64(value << (64 - 8 * bytes));
	const size_t at = out->size();

	out->resize(at + bytes);
	memcpy(out->data() + at, &big, bytes);
}

const uint32_t kFirst[] = {0,	    1,		5,	    0xfff0,	0xffff,
			   0x10000, 0x7ffffff0, 0xffffff80, 0xfffffff9, 0xffffffff};

#endif
