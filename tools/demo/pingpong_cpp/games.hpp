/* SPDX-License-Identifier: BSD-2-Clause */
/* The game: messages go back and forth, and every one of them is checked. */
#ifndef PINGPONG_CPP_GAMES_HPP
#define PINGPONG_CPP_GAMES_HPP

#include <chrono>

#include "side.hpp"

enum class kind { write_imm, stream, send };
constexpr kind kinds[] = {kind::write_imm, kind::stream, kind::send};

/* A number of messages of one size and kind. */
struct set {
	enum kind kind;
	std::uint32_t size;  // bytes
	std::uint32_t count; /* timed round trips, or WRITEs of a stream */
};

/*
 * A set of this size, for so many rounds of the smallest. Whether messages of that kind can have
 * the size.
 */
set set_of(const side &side, kind kind, std::uint32_t size);
bool takes(kind kind, std::uint32_t size);

using times = std::vector<std::chrono::nanoseconds>;

/* Plays a set as the caller, which begins: `count` round trips, or all of a stream in the first. */
times call(side &side, const set &set);

/* Plays it as the answering side. */
void answer(side &side, const set &set);

// Writes with a key that the peer never gave out, and returns the explanation of the failure.
std::string mistake(side &side);

#endif
