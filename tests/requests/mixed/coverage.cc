// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/mixed/coverage.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "runtime/text/walk.h"
#include "segue/gen/segments.h"

namespace requests {
namespace {

// What has no place here beyond what nobody can carry out (`creatable` and `unseen` in the spec).
struct LeftOut {
	const char *link;    // "" stands for both
	const char *queue;   // "" stands for all of them
	const char *request; // likewise
	const char *segment; // "" stands for the request as a whole and all of its segments
	const char *why;
};

const LeftOut left_out[] = {
	{"ib", "raw_packet", "", "", "frames are Ethernet's"},
	{"ib", "mprq", "", "", "frames are Ethernet's"},
	{"roce", "rc", "tm_append", "", "tag lists are InfiniBand's"},
	{"roce", "rc", "tm_remove", "", "tag lists are InfiniBand's"},
	{"roce", "rc", "tm_noop", "", "tag lists are InfiniBand's"},
	{"roce", "", "", "av_ud_compact",
	 "it has no place for the global address, which every path of RoCE has"},
	{"roce", "", "", "av_dc_compact",
	 "it has no place for the global address, which every path of RoCE has"},
};

bool is_for(const char *name, const std::string &of)
{
	return !*name || of == name;
}

bool is_left_out(const LeftOut &entry, const Demand &d, const std::string &link)
{
	return is_for(entry.link, link) && is_for(entry.queue, d.queue) &&
	       is_for(entry.request, d.request) && is_for(entry.segment, d.segment);
}

const char *reason(const Demand &d, const std::string &link)
{
	if (d.creatable)
		return d.creatable;
	if (d.unseen)
		return d.unseen;
	for (const LeftOut &entry : left_out)
		if (is_left_out(entry, d, link))
			return entry.why;
	return nullptr;
}

std::string name_of(const Demand &d)
{
	return d.request + " on " + d.queue + (d.segment.empty() ? "" : " with " + d.segment);
}

} // namespace

void Covered::add(const char *machine, const segue_sq *sq)
{
	for (const segue_machine *const *m = segue_machines; *m; m++)
		if (!strcmp((*m)->name, machine))
			queues.push_back({*m, sq, sq->pi});
}

void Covered::skip()
{
	for (Queue &q : queues)
		q.seen = q.sq->pi;
}

void Covered::look()
{
	uint8_t wqe[SEGUE_WQE_MAX_UNITS * SEGUE_WQE_UNIT_SIZE + SEGUEI_BLOCK];

	for (Queue &q : queues)
		while (q.seen != q.sq->pi) {
			segue_seg_ctrl ctrl;
			size_t length = SEGUEI_BLOCK;

			for (size_t at = 0; at < length; at += SEGUEI_BLOCK, q.seen++) {
				memcpy(wqe + at,
				       q.sq->buf + (size_t)(q.seen & q.sq->mask) * SEGUEI_BLOCK,
				       SEGUEI_BLOCK);
				ASSERT_TRUE(segue_seg_ctrl_unpack(&ctrl, wqe));
				length = (size_t)ctrl.ds * SEGUE_WQE_UNIT_SIZE;
				ASSERT_LE(length, sizeof(wqe) - SEGUEI_BLOCK);
			}
			look(*q.machine, wqe, length);
		}
}

void Covered::look(const segue_machine &machine, const uint8_t *wqe, size_t length)
{
	segue_offence offence = {};
	std::set<const segue_segment_desc *> segments = {nullptr};
	char text[512] = "";
	const segue_machine_start *start = seguei_walk(
		&machine, wqe, length,
		[](void *arg, const seguei_step_seen *step) {
			if (step->symbol && step->symbol->op != SEGUE_MACHINE_SYMBOL_TERMINATOR &&
			    step->size)
				static_cast<std::set<const segue_segment_desc *> *>(arg)->insert(
					step->segment);
		},
		&segments, &offence);

	if (offence.kind != SEGUE_OFFENCE_NONE)
		segue_offence_print(&offence, text, sizeof(text));
	ASSERT_STREQ("", text) << "on " << machine.name;
	ASSERT_NE(nullptr, start);
	for (const segue_segment_desc *segment : segments)
		counts[std::make_tuple(&machine, start, segment)]++;
}

uint64_t Covered::count_of(const Demand &d) const
{
	uint64_t count = 0;

	for (const auto &[form, posted] : counts) {
		const auto [machine, start, segment] = form;

		if (d.queue == machine->name && d.request == start->name &&
		    d.segment == (segment ? segment->name : ""))
			count += posted;
	}
	return count;
}

std::vector<std::string> Covered::gaps(const std::string &link) const
{
	std::set<const LeftOut *> needed;
	std::vector<std::string> found;

	for (const Demand &d : demands()) {
		const char *const why = reason(d, link);

		for (const LeftOut &entry : left_out)
			if (is_left_out(entry, d, link))
				needed.insert(&entry);
		if (!count_of(d) && !why)
			found.push_back(name_of(d) +
					" is in the spec, but not posted; add it to "
					"tests/requests/mixed, or to its list of what is left out");
		if (count_of(d) && why)
			found.push_back(name_of(d) +
					" is posted, although it is said to be left out: " + why);
	}
	for (const LeftOut &entry : left_out)
		if (is_for(entry.link, link) && !needed.count(&entry))
			found.push_back(std::string(entry.request) + " on " + entry.queue +
					" is left out, but the spec does not have it");
	return found;
}

// How much there is, the rarest named; and what is left out.
std::string Covered::summary(const std::string &link) const
{
	std::multimap<uint64_t, std::string> rare;
	std::map<std::string, Names> out;
	std::string text;

	for (const Demand &d : demands()) {
		const char *const why = reason(d, link);

		if (count_of(d))
			rare.insert({count_of(d), name_of(d)});
		else if (why)
			out[why].insert(d.segment.empty() || d.unseen ? name_of(d) : d.segment);
	}
	text = std::to_string(rare.size()) + " forms of requests posted";
	for (const auto &r : rare) {
		if (r.first != rare.begin()->first)
			break;
		text += ", " + r.second + " least often (" + std::to_string(r.first) + ")";
	}
	for (const auto &o : out) {
		text += "\n  left out:";
		for (const std::string &name : o.second)
			text += " " + name + ",";
		text.back() = ':';
		text += " " + o.first;
	}
	return text;
}

} // namespace requests
