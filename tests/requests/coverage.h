// SPDX-License-Identifier: BSD-2-Clause
// What the spec has, what has a recipe, and the table of both.
#ifndef SEGUE_TESTS_REQUESTS_COVERAGE_H
#define SEGUE_TESTS_REQUESTS_COVERAGE_H

#include <string>
#include <vector>

#include "tests/requests/recipe.h"

namespace requests {

// A request of a queue, as a whole or with a segment that it may do without.
struct Demand {
	std::string queue, request, segment; // segment "": as a whole
	const char *creatable;               // why there is no queue for it, by its spec; or NULL
};

// Everything that the spec's automata have, and who answers for it.
std::vector<Demand> demands();
bool executed(const Demand &demand, How how);
const Pending *pending_for(const Demand &demand);

// Sentences about what is neither executed nor pending, and about what is pending although it is executed.
std::vector<std::string> gaps();

// A page in Markdown.
std::string table();

} // namespace requests

#endif
