/* SPDX-License-Identifier: BSD-2-Clause */
/* The game: messages go back and forth, and every one of them is looked at. */
#ifndef PINGPONG_CPP_PLAY_HPP
#define PINGPONG_CPP_PLAY_HPP

#include <chrono>

#include "side.hpp"

enum class kind { write_imm, stream, send };
constexpr kind kinds[] = {kind::write_imm, kind::stream, kind::send};

// So many messages of one size and kind.
struct set {
	enum kind kind;
	std::uint32_t size;  // bytes
	std::uint32_t count; // round trips that are timed; of a stream, WRITEs
};

// A set of this size out of so many rounds of the smallest; whether messages of it can be so large.
set set_of(const side &side, kind kind, std::uint32_t size);
bool takes(kind kind, std::uint32_t size);

using times = std::vector<std::chrono::nanoseconds>;

// Plays a set as the caller, who begins: `count` round trips, or all of a stream in the first.
times call(side &side, const set &set);

// Plays it as the one who answers.
void answer(side &side, const set &set);

// Writes with a key that the peer never gave out, and returns the explanation of the failure.
std::string mistake(side &side);

#endif
