// SPDX-License-Identifier: BSD-2-Clause
// What the spec has to be carried out, and what it says is left out.
#ifndef SEGUE_TESTS_REQUESTS_DEMANDS_H
#define SEGUE_TESTS_REQUESTS_DEMANDS_H

#include <set>
#include <string>
#include <vector>

namespace requests {

using Names = std::set<std::string>;

// A request of a queue, as a whole or with a segment that it may do without.
struct Demand {
	std::string queue, request, segment; // segment "": as a whole
	const char *creatable;               // why there is no queue for it, by its spec; or NULL
	const char *unseen;                  // why nobody has carried it out, by its spec; or NULL
};

// Everything that the spec's automata have. They are walked once.
const std::vector<Demand> &demands();

} // namespace requests

#endif
