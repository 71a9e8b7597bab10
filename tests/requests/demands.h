// SPDX-License-Identifier: BSD-2-Clause
// What the spec has to be carried out, and what is said to be left out.
#ifndef SEGUE_TESTS_REQUESTS_DEMANDS_H
#define SEGUE_TESTS_REQUESTS_DEMANDS_H

#include <set>
#include <string>
#include <vector>

namespace requests {

using Names = std::set<std::string>;

// What has no recipe, and why. Shown in the table as it is; an entry that has one after all is a failure.
struct Pending {
	const char *queue;   // "" stands for all of them
	const char *request;
	const char *segment; // "" stands for the request as a whole
	const char *why;
};

extern const std::vector<Pending> pending;

// A request of a queue, as a whole or with a segment that it may do without.
struct Demand {
	std::string queue, request, segment; // segment "": as a whole
	const char *creatable;               // why there is no queue for it, by its spec; or NULL
};

// Everything that the spec's automata have, and who answers for it.
std::vector<Demand> demands();
const Pending *pending_for(const Demand &demand);

} // namespace requests

#endif
