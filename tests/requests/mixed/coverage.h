// SPDX-License-Identifier: BSD-2-Clause
/*
 * Which requests of the spec have been posted, read off the rings. What the spec has, and neither
 * was posted nor is named with a reason, is a gap: a request that somebody adds must come here,
 * too.
 */
#ifndef SEGUE_TESTS_REQUESTS_MIXED_COVERAGE_H
#define SEGUE_TESTS_REQUESTS_MIXED_COVERAGE_H

#include <map>
#include <tuple>

#include "segue/gen/machines.h"
#include "segue/gen/builders.h"
#include "tests/requests/demands.h"

namespace requests {

class Covered {
public:
	// A send queue of that machine, before anything is posted on it.
	void add(const char *machine, const segue_sq *sq);
	// What was posted since the last look.
	void look();
	// The queues may have begun anew.
	void skip();
	// A receive.
	void look(const segue_machine &machine, const uint8_t *wqe, size_t length);

	// Sentences about requests that are missing, or said to be missing and there. `link` is
	// "ib" or "roce".
	std::vector<std::string> gaps(const std::string &link) const;
	std::string summary(const std::string &link) const;

private:
	struct Queue {
		const segue_machine *machine;
		const segue_sq *sq;
		uint32_t seen;
	};

	uint64_t count_of(const Demand &demand) const;

	std::vector<Queue> queues;
	// nullptr for the request as a whole
	std::map<std::tuple<const segue_machine *, const segue_machine_start *,
			    const segue_segment_desc *>,
		 uint64_t>
		counts;
};

} // namespace requests

#endif
