// SPDX-License-Identifier: BSD-2-Clause
// A request as it lies in a ring, taken apart by the names of the spec.
#ifndef SEGUE_TESTS_REQUESTS_POSTED_REQUEST_H
#define SEGUE_TESTS_REQUESTS_POSTED_REQUEST_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "segue/tables.h"

struct ibv_ah;
struct segue_machine;
namespace oracle {
struct Settings;
}

namespace requests {

struct Part {
	const segue_segment_desc *segment;
	size_t at, size; // of a list all its entries
};

struct Posted {
	std::string queue, request; // request "": the bytes are none
	std::vector<uint8_t> bytes;
	std::vector<Part> parts;
	size_t end = 0; // of the last one
	ibv_ah *to = nullptr; // whose bytes its address vector is
	const oracle::Settings *settings = nullptr; // of the key, as the recipe has made them
	std::string offence;  // a sentence, or ""

	bool has(const char *segment) const;
	// How many segments of that name there are, or entries of the list.
	size_t count(const char *segment) const;
	// A field of the nth of them.
	uint64_t value(const char *segment, const char *field, size_t nth = 0) const;
	// Where the payload of the segment begins, and its length.
	const uint8_t *payload(const char *segment, size_t *length) const;
};

// Blocks of a queue, or an entry of a receive queue.
Posted take_apart(const segue_machine &machine, const std::vector<uint8_t> &bytes);

} // namespace requests

#endif
