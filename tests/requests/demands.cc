// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/demands.h"

#include <set>

#include "segue/gen/machines.h"
#include "segue/tables.h"

namespace requests {
namespace {

// The segments of a request's WQEs, and whether a WQE can end without `left_out`.
struct Walk {
	const segue_machine &machine;
	std::set<uint16_t> seen;
	Names segments;
	bool ends = false;

	void from(uint16_t state, const std::string &left_out)
	{
		const segue_machine_state &s = machine.states[state];

		if (!seen.insert(state).second)
			return;
		ends |= s.accepting;
		for (uint16_t i = 0; i < s.n_edges; i++) {
			const segue_machine_edge &edge = machine.edges[s.first_edge + i];
			const segue_machine_symbol &symbol = machine.symbols[edge.symbol];

			if (symbol.segment->name == left_out)
				continue;
			if (symbol.op != SEGUE_MACHINE_SYMBOL_TERMINATOR)
				segments.insert(symbol.segment->name);
			from(edge.to, left_out);
		}
	}
};

Names optional_segments(const segue_machine &machine, const segue_machine_start &start)
{
	Walk all{machine, {}, {}};
	Names optional;

	all.from(start.to, "");
	for (const std::string &segment : all.segments) {
		Walk without{machine, {}, {}};

		without.from(start.to, segment);
		if (without.ends)
			optional.insert(segment);
	}
	return optional;
}

const char *unseen_of(const segue_machine_start &start, const std::string &segment)
{
	for (uint16_t i = 0; i < start.n_unseen; i++)
		if (segment == start.unseen[i].segment)
			return start.unseen[i].why;
	return nullptr;
}

std::vector<Demand> walked()
{
	std::vector<Demand> all;

	for (const segue_machine *const *m = segue_machines; *m; m++)
		for (uint16_t i = 0; i < (*m)->n_starts; i++) {
			const segue_machine_start &start = (*m)->starts[i];

			all.push_back({(*m)->name, start.name, "", start.creatable,
				       unseen_of(start, "")});
			for (const std::string &segment : optional_segments(**m, start))
				all.push_back({(*m)->name, start.name, segment, start.creatable,
					       unseen_of(start, segment)});
		}
	return all;
}

} // namespace

const std::vector<Demand> &demands()
{
	static const std::vector<Demand> all = walked();

	return all;
}

} // namespace requests
