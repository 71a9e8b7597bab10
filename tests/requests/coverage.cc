// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/coverage.h"

#include <algorithm>
#include <map>

#include "segue/gen/machines.h"
#include "segue/tables.h"
#include "tests/requests/offers.h"
#include "tests/requests/oracles.h"

namespace requests {
namespace {

// Something about every request can be wrong, on every queue that carries it out.
bool is_seen_refused(const Demand &d)
{
	return std::any_of(recipes().begin(), recipes().end(), [&](const Recipe &r) {
		return r.refused && r.besides.empty() && r.queue == d.queue &&
		       r.request == d.request;
	});
}

std::string numbered(const std::vector<std::string> &notes)
{
	std::string list;

	for (size_t i = 0; i < notes.size(); i++)
		list += std::to_string(i + 1) + ". " + notes[i] +
			(notes[i].back() == '.' ? "\n" : ".\n");
	return list;
}

size_t excused(const std::string &queue, const std::string &request)
{
	const std::vector<Demand> &all = demands();

	return (size_t)std::count_if(all.begin(), all.end(), [&](const Demand &d) {
		return d.queue == queue && d.request == request && d.unseen;
	});
}

// Why queue pairs cannot share such a receive queue, by its spec; or NULL.
const char *not_shared(const std::string &queue, const std::string &request)
{
	for (const segue_machine *const *m = segue_machines; *m; m++)
		for (uint16_t i = 0; i < (*m)->n_starts; i++)
			if (queue == (*m)->name && request == (*m)->starts[i].name)
				return (*m)->starts[i].shared;
	return nullptr;
}

// What is shown besides requests, on that queue; `oracle` may be NULL.
bool shown(const Besides &b, const std::string &queue, bool refused, std::string *oracle)
{
	for (const Recipe &r : recipes())
		if (r.besides == b.name && r.queue == queue && r.refused == refused) {
			if (oracle)
				*oracle = join(r.oracles);
			return true;
		}
	return false;
}

std::string table_of_besides()
{
	std::string page =
		"\n## Besides requests\n\n| What | On | Oracle | Shown by |\n|---|---|---|---|\n";

	for (const Besides &b : besides) {
		std::string oracle, on;

		for (const std::string &queue : b.on)
			if (shown(b, queue, false, &oracle))
				on += (on.empty() ? "" : "; ") + queue +
				      (shown(b, queue, true, nullptr) ? ", refused" : "");
		page += std::string("| ") + b.name + " | " + on + "; on no other: " + b.why_not +
			" | " + (oracle.empty() ? "arithmetic" : oracle) + " | " + b.shown + " |\n";
	}
	return page;
}

// The program that shows a request, or else the page whose C is compiled.
std::string example_of(const std::string &request)
{
	for (const Example &e : examples)
		if (request == e.request)
			return std::string("[") + e.program + "](../examples/" + e.program + ".c)";
	return "[page](requests/" + request + ".md)";
}

} // namespace

bool executed(const Demand &demand, How how)
{
	return std::any_of(recipes().begin(), recipes().end(), [&](const Recipe &r) {
		return !r.refused && r.besides.empty() && r.queue == demand.queue &&
		       r.request == demand.request && r.how == how &&
		       (demand.segment.empty() || r.uses.count(demand.segment));
	});
}

std::vector<std::string> gaps()
{
	std::vector<std::string> found;

	for (const Demand &d : demands()) {
		const std::string what = d.request + " on " + d.queue +
					 (d.segment.empty() ? "" : " with " + d.segment);
		const bool in_one_call = d.segment.empty() ||
					 is_offered(d.queue, d.request, d.segment);
		const bool there = executed(d, How::BUILDER) &&
				   (!in_one_call || executed(d, How::ONE_CALL));

		if (there && d.creatable)
			found.push_back(what + " is carried out, although its spec says that there "
					       "is no queue for it (creatable)");
		if (there && d.unseen)
			found.push_back(
				what +
				" is carried out, although its spec says that nobody has (unseen)");
		if (!there && !d.creatable && !d.unseen)
			found.push_back(what + " is in the spec, but no recipe carries it out" +
					(executed(d, How::BUILDER) ? " by its one-call post" : "") +
					"; add one to tests/requests");
		if (there && d.segment.empty() && !is_seen_refused(d))
			found.push_back(what +
					" is carried out, but no recipe does it with one thing "
					"wrong; add one to tests/requests/recipes_refused.cc, "
					"or _local.cc if it takes no peer");
	}
	for (const segue_machine *const *m = segue_machines; *m; m++)
		for (uint16_t i = 0; i < (*m)->n_starts; i++)
			if (excused((*m)->name, (*m)->starts[i].name) != (*m)->starts[i].n_unseen)
				found.push_back(std::string((*m)->starts[i].name) + " on " +
						(*m)->name +
						": its spec excuses a segment that it cannot do "
						"without (unseen)");
	for (const std::string &gap : gaps_of_oracles())
		found.push_back(gap);
	for (const Besides &b : besides)
		for (const std::string &queue : b.on)
			for (const bool refused : {false, true})
				if (!shown(b, queue, refused, nullptr))
					found.push_back(std::string("no recipe shows ") + b.name +
							" on " + queue +
							(refused ? " with one thing wrong" : ""));
	return found;
}

std::string table()
{
	std::vector<std::string> queues, requests;
	std::map<std::pair<std::string, std::string>, Names> forms;
	std::set<std::pair<std::string, std::string>> refusals;
	std::vector<std::string> notes, silent;
	std::string page;

	for (const Recipe &r : recipes()) {
		if (!r.besides.empty())
			continue;
		if (r.refused) {
			refusals.insert({r.request, r.queue});
			continue;
		}
		forms[{r.request, r.queue}].insert(r.uses.begin(), r.uses.end());
	}
	for (const Demand &d : demands()) {
		if (std::find(queues.begin(), queues.end(), d.queue) == queues.end())
			queues.push_back(d.queue);
		if (std::find(requests.begin(), requests.end(), d.request) == requests.end())
			requests.push_back(d.request);
	}
	std::sort(requests.begin(), requests.end());
	const auto note = [&](const std::string &text) {
		const auto at = std::find(notes.begin(), notes.end(), text);
		const size_t number = (size_t)(at - notes.begin()) + 1;

		if (at == notes.end())
			notes.push_back(text);
		return "[" + std::to_string(number) + "](#not-yet-executed)";
	};

	page = "<!-- SPDX-License-Identifier: BSD-2-Clause -->\n"
	       "<!-- Printed by //tests/requests --table, which a test compares. -->\n\n"
	       "# Requests, carried out\n\n"
	       "Each request of the [reference](README.md) on each queue that has it: opened with "
	       "`segue_qp_open()`, posted by its builder and by\n"
	       "its one-call form, polled with `segue_cq_poll_each()`, and all of the memory on "
	       "both "
	       "sides compared with a model in the test (`tests/requests`).\n"
	       "What follows \"yes\" are the segments that a request may do without and that were "
	       "there. A dash: the transport does not have the request. \"Refused\":\n"
	       "with one thing wrong, too, which the device answers with its syndrome and Segue "
	       "with a sentence. What\n"
	       "the memory must hold is counted and copied in the test itself; an oracle is "
	       "somebody else who is asked besides, while the test runs: [how](#oracles). Without "
	       "a program of its own, the example is the C on the request's page, which a test "
	       "compiles.\n\n";
	page += "| Request |";
	for (const std::string &queue : queues)
		page += " " + queue + " |";
	page += " Oracle | Example |\n|---|";
	for (size_t i = 0; i <= queues.size() + 1; i++)
		page += "---|";
	page += "\n";
	for (const std::string &request : requests) {
		page += "| [" + request + "](requests/" + request + ".md) |";
		for (const std::string &queue : queues) {
			std::string cell;
			bool has = false,
			     any = executed({queue, request, "", nullptr, nullptr}, How::BUILDER);

			for (const Demand &d : demands()) {
				if (d.queue != queue || d.request != request)
					continue;
				has = true;
				if (executed(d, How::BUILDER) &&
				    (!d.segment.empty() || executed(d, How::ONE_CALL)))
					continue;
				if (d.creatable)
					cell = "no queue " + note(d.creatable);
				else if (d.unseen)
					cell += (cell.empty() ? "" : "; ") +
						(d.segment.empty() ? std::string("not yet")
								   : "not yet " + d.segment) +
						" " + note(d.unseen);
				if (d.segment.empty())
					break;
			}
			const Names &used = forms[{request, queue}];

			if (any)
				cell = "yes" + (used.empty() ? "" : ": " + join(used)) +
				       (cell.empty() ? "" : "; " + cell);
			if (refusals.count({request, queue}))
				cell += "; refused";
			if (const char *why = not_shared(queue, request))
				cell += "; no queue shared " + note(why);
			page += " " + (has ? cell : std::string("–")) + " |";
		}
		page += " " + oracles_of(request, &silent) + " | " + example_of(request) + " |\n";
	}
	page += table_of_besides();
	page += "\n## Not yet executed\n\nBuilders, validator and decoder have these; nothing has "
		"carried them out through a queue of Segue's own.\n\n";
	page += numbered(notes) + about_oracles() + numbered(silent);
	return page;
}

} // namespace requests
