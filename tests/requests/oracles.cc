// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/oracles.h"

#include <algorithm>
#include <map>

#include "tests/requests/coverage.h"
#include "tests/requests/mirror.h"

namespace requests {
namespace {

// Why nobody else is asked for a request, with a segment, on a queue; "" is any.
struct Silent {
	const char *request, *segment, *queue, *why;
	const char *asked_elsewhere = nullptr; // whom another test asks
};

constexpr const char *MASKED = "libmlx5 has no call for masked atomics, and mlx5dv.h knows their "
			       "opcodes, but not their operands",
		     *RINGS = "not by the recipe: what UCX has posted is read out of its rings, "
			      "and Segue's builder writes the same (`tests/requests/ucx.sh`)",
		     *DPDK = "DPDK alone posts it, on queues that it keeps to itself";

constexpr Silent SILENT[] = {
	{"masked_atomic_cs32", "", "rc", RINGS, "UCX"},
	{"masked_atomic_cs64", "", "rc", RINGS, "UCX"},
	{"masked_atomic_fa32", "", "rc", RINGS, "UCX"},
	{"masked_atomic_fa64", "", "rc", RINGS, "UCX"},
	{"masked_atomic_cs32", "", "dci", MASKED},
	{"masked_atomic_cs64", "", "dci", MASKED},
	{"masked_atomic_fa32", "", "dci", MASKED},
	{"masked_atomic_fa64", "", "dci", MASKED},
	{"get_psv", "", "", "libmlx5 has the format of the request in itself and never posts it"},
	{"transpose", "", "", "UCC alone posts it, on queues that it keeps to itself"},
	{"send_en", "", "", DPDK},
	{"wait_cq", "", "", DPDK},
	{"wait_on_time", "", "", DPDK},
	{"wait_on_data", "", "",
	 "UCC and DPDK alone post it, on queues that they keep to themselves"},
};

bool fits(const Recipe &r, const Demand &d)
{
	return !r.refused && r.besides.empty() && r.queue == d.queue && r.request == d.request &&
	       (d.segment.empty() || r.uses.count(d.segment));
}

bool somebody_is_asked(const Demand &d)
{
	return std::any_of(recipes().begin(), recipes().end(),
			   [&](const Recipe &r) { return fits(r, d) && !r.oracles.empty(); });
}

bool is_about(const Silent &s, const Demand &d)
{
	return (!*s.request || d.request == s.request) && (!*s.segment || d.segment == s.segment) &&
	       (!*s.queue || d.queue == s.queue);
}

const Silent *why_nobody(const Demand &d)
{
	for (const Silent &s : SILENT)
		if (is_about(s, d))
			return &s;
	return nullptr;
}

std::vector<Demand> carried_out(const std::string &request)
{
	std::vector<Demand> all;

	for (const Demand &d : demands())
		if (d.request == request && executed(d, How::BUILDER))
			all.push_back(d);
	return all;
}

size_t number_of(const std::string &note, std::vector<std::string> *notes)
{
	const auto at = std::find(notes->begin(), notes->end(), note);
	const size_t number = (size_t)(at - notes->begin()) + 1;

	if (at == notes->end())
		notes->push_back(note);
	return number;
}

} // namespace

std::string join(const Names &names)
{
	std::string all;

	for (const std::string &name : names)
		all += (all.empty() ? "" : ", ") + name;
	return all;
}

std::string oracles_of(const std::string &request, std::vector<std::string> *notes)
{
	std::map<std::string, Names> asked_on; // by oracle
	std::map<size_t, Names> silent;	       // by note: queues or segments
	Names queues, quiet;
	std::string cell;

	for (const Demand &d : carried_out(request)) {
		queues.insert(d.queue);
		for (const Recipe &r : recipes())
			if (fits(r, d))
				for (const std::string &oracle : r.oracles)
					asked_on[oracle].insert(d.queue);
		if (!somebody_is_asked(d) && why_nobody(d) && why_nobody(d)->asked_elsewhere) {
			asked_on[std::string(why_nobody(d)->asked_elsewhere) + " [" +
				 std::to_string(number_of(why_nobody(d)->why, notes)) +
				 "](#oracles)"]
				.insert(d.queue);
		} else if (!somebody_is_asked(d) && why_nobody(d)) {
			Names &what = silent[number_of(why_nobody(d)->why, notes)];

			if (d.segment.empty())
				quiet.insert(d.queue), what.insert(d.queue);
			else if (!quiet.count(d.queue))
				what.insert(d.segment);
		}
	}
	for (const auto &asked : asked_on)
		cell += (cell.empty() ? "" : ", ") + asked.first +
			(asked.second == queues ? "" : " (" + join(asked.second) + ")");
	for (const auto &note : silent)
		if (!note.second.empty())
			cell += (cell.empty() ? "" : "; ") +
				(quiet == queues ? std::string("nobody")
						 : "not " + join(note.second)) +
				" [" + std::to_string(note.first) + "](#oracles)";
	return cell.empty() ? "–" : cell;
}

std::string about_oracles()
{
	return "\n## Oracles\n\n"
	       "libmlx5 is given what the request says, posts it on a queue of its own on the same "
	       "device by its own call, and must write the same bytes, but for what is\n"
	       "its own: " +
	       join(own_fields()) +
	       ". mlx5dv.h is rdma-core's header for programs that write requests\n"
	       "themselves: what libmlx5 has no call for is put together by its functions and "
	       "structures. libcrypto (AES-XTS) and ISA-L (CRC-32C, T10-DIF) say\n"
	       "what memory holds behind protected keys, scapy what frames with tags and segments "
	       "with checksums look like. A recipe that names an oracle and does not ask it fails, "
	       "and so does one that asks without saying so.\n"
	       "Where nobody else is asked, or by another test:\n\n";
}

std::vector<std::string> gaps_of_oracles()
{
	std::vector<std::string> found;

	for (const Demand &d : demands()) {
		const std::string what = d.request + " on " + d.queue +
					 (d.segment.empty() ? "" : " with " + d.segment);

		if (!executed(d, How::BUILDER))
			continue;
		if (somebody_is_asked(d) && why_nobody(d))
			found.push_back(what +
					" has an oracle, although it is said to have none: " +
					why_nobody(d)->why);
		if (!somebody_is_asked(d) && !why_nobody(d))
			found.push_back(what + " is checked by nobody else; ask somebody, or say "
					       "in tests/requests/oracles.cc why not");
	}
	return found;
}

} // namespace requests
