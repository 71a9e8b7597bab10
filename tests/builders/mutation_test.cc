/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random mutations of valid WQEs in heap buffers of exact size, under AddressSanitizer and UBSan:
 * nothing is read out of bounds, the validator refuses exactly what a second one refuses, and each
 * offence is where it is said to be.
 */
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "segue/decode.h"
#include "segue/gen/machines.h"
#include "tests/builders/oracle.h"
#include "tests/seed/seed.h"
#include "tests/segments/bytes_test.h"

namespace
{

using Bytes_ = std::vector<uint8_t>;

struct Corpus {
	std::string name;
	const segue_machine *machine;
	const oracle::Queue *queue;
	std::vector<Bytes_> wqes;
};

std::mt19937_64 rng;

uint64_t Random(uint64_t below)
{
	return below ? rng() % below : 0;
}

std::vector<Corpus> ReadCorpus(const std::string &path, const oracle::Spec &spec)
{
	std::vector<Corpus> all;
	std::ifstream file(path);
	std::string name, hex;
	size_t stride;

	for (size_t i = 0; segue_machines[i]; i++)
		all.push_back({segue_machines[i]->name,
			       segue_machines[i],
			       spec.Get(segue_machines[i]->name),
			       {}});
	while (file >> name >> stride >> hex) {
		Bytes_ wqe = Bytes(hex);

		if (wqe.size() < stride)
			wqe.resize(stride, 0xaa);
		for (Corpus &c : all)
			if (c.name == name)
				c.wqes.push_back(wqe);
	}
	return all;
}

const Bytes_ &Pick(const Corpus &c)
{
	return c.wqes[Random(c.wqes.size())];
}

void SetDs(const Corpus &c, Bytes_ *wqe, uint64_t ds)
{
	if (c.queue->send && wqe->size() > 7)
		(*wqe)[7] = uint8_t(((*wqe)[7] & 0xc0) | (ds & 0x3f));
}

const uint8_t kCorner[] = {0, 1, 2, 4, 8, 0x10, 0x20, 0x3f, 0x40, 0x7f, 0x80, 0xc0, 0xff};

/* One change; several may follow each other. */
void Mutate(const Corpus &c, Bytes_ *wqe)
{
	switch (Random(12)) {
	case 0:
	case 1:
	case 2:
		if (!wqe->empty())
			(*wqe)[Random(wqe->size())] ^= uint8_t(1u << Random(8));
		break;
	case 3:
	case 4:
		if (!wqe->empty())
			(*wqe)[Random(wqe->size())] = Random(2) ? uint8_t(rng())
								: kCorner[Random(sizeof(kCorner))];
		break;
	case 5: /* the buffer ends early */
		wqe->resize(Random(wqe->size() + 1));
		break;
	case 6: /* the WQE says another length */
		SetDs(c, wqe, Random(2) ? Random(64) : wqe->size() / 16 + Random(3) - 1);
		break;
	case 7: { /* beginning of one, end of another */
		const Bytes_ &other = Pick(c);
		const size_t from = Random(other.size() / 16 + 1) * 16,
			     to = Random(wqe->size() / 16 + 1) * 16;

		wqe->resize(to < wqe->size() ? to : wqe->size());
		wqe->insert(wqe->end(), other.begin() + long(from), other.end());
		if (wqe->size() > 1008)
			wqe->resize(1008);
		if (Random(4))
			SetDs(c, wqe, wqe->size() / 16);
		break;
	}
	case 8: { /* a unit less or twice */
		const size_t unit = Random(wqe->size() / 16) * 16;

		if (wqe->size() < 32)
			break;
		if (Random(2) || wqe->size() > 992) {
			wqe->erase(wqe->begin() + long(unit), wqe->begin() + long(unit) + 16);
		} else {
			const Bytes_ copy(wqe->begin() + long(unit),
					  wqe->begin() + long(unit) + 16);

			wqe->insert(wqe->begin() + long(unit), copy.begin(), copy.end());
		}
		if (Random(4))
			SetDs(c, wqe, wqe->size() / 16);
		break;
	}
	case 9: { /* a dword of corner values or noise */
		const size_t at = Random(wqe->size() / 4) * 4;
		const uint8_t corner = kCorner[Random(sizeof(kCorner))];

		for (size_t i = at; i < at + 4 && i < wqe->size(); i++)
			(*wqe)[i] = Random(2) ? uint8_t(rng()) : corner;
		break;
	}
	case 10: { /* a unit of another WQE */
		const Bytes_ &other = Pick(c);
		const size_t from = Random(other.size() / 16) * 16,
			     to = Random(wqe->size() / 16) * 16;

		if (to + 16 <= wqe->size() && from + 16 <= other.size())
			memcpy(wqe->data() + to, other.data() + from, 16);
		break;
	}
	default:
		if (Random(50) == 0)
			for (uint8_t &byte : *wqe)
				byte = uint8_t(rng());
		else if (c.queue->send && wqe->size() > 3)
			(*wqe)[3] = Pick(c)[3]; /* another opcode */
		break;
	}
}

[[noreturn]] void Fail(const Corpus &c, const Bytes_ &wqe, const segue_offence &o, const char *why)
{
	char sentence[384];

	segue_offence_print(&o, sentence, sizeof(sentence));
	fprintf(stderr, "FAILED on %s: %s\nkind %d: %s\n%s\n", c.name.c_str(), why, int(o.kind),
		sentence, Hex(wqe).c_str());
	exit(1);
}

bool FixedDiffers(const std::vector<oracle::Node> &nodes, const oracle::Segment *s,
		  const oracle::Field *f, uint64_t value)
{
	for (const oracle::Node &node : nodes) {
		if (node.segment == s)
			for (const oracle::Fixed &fixed : node.fixed)
				if (fixed.field == f && fixed.value != value)
					return true;
		for (const auto &body : node.bodies)
			if (FixedDiffers(body, s, f, value))
				return true;
	}
	return false;
}

/* The reserved range of that name has a bit set in the byte that is named, and no byte before it
 * has, in a segment that begins where one may. */
bool ReservedIsSet(const oracle::Segment &s, const segue_offence &o, const uint8_t *bytes,
		   const oracle::Matcher &matcher)
{
	unsigned int high, low, dword, from, to;
	uint32_t first, width, inside;
	bool named = false;

	if (o.offset < o.segment_at ||
	    !(matcher.Reached(o.segment_at) || (o.segment_at == 0 && s.name == "ctrl")))
		return false;
	if (sscanf(o.field, "bits %u:%u of dword %u", &high, &low, &dword) == 3) {
		first = dword * 32 + (high > 31 ? 63 : 31) - high;
		width = high - low + 1;
	} else if (sscanf(o.field, "bytes %u to %u", &from, &to) == 2) {
		first = from * 8;
		width = (to - from + 1) * 8;
	} else {
		return false;
	}
	inside = o.offset - o.segment_at;
	for (uint32_t reserved : s.reserved) {
		if (reserved / 8 > inside ||
		    !oracle::Wqe{bytes + o.segment_at, 0}.Bits(reserved, 1))
			continue;
		if (reserved / 8 < inside)
			return false;
		named = named || (reserved >= first && reserved < first + width);
	}
	return named;
}

/* An offence must be true of the bytes, in the place and of the kind it says. */
void CheckOffence(const oracle::Spec &spec, const Corpus &c, const Bytes_ &wqe,
		  const segue_offence &o, const uint8_t *bytes)
{
	const oracle::Validator second(spec, *c.queue, bytes, uint32_t(wqe.size()));
	const uint32_t length = second.Length();
	const oracle::Request *request = nullptr;
	const oracle::Segment *segment = o.segment ? spec.Find(o.segment) : nullptr;
	const oracle::Field *field = segment && o.field ? segment->Get(o.field) : nullptr;
	const bool in_ctrl = c.queue->send && o.segment && std::string(o.segment) == "ctrl";

	if (o.offset > wqe.size())
		Fail(c, wqe, o, "the offset lies outside");
	if (!o.found[0] || !o.expected[0] || !o.machine || c.name != o.machine)
		Fail(c, wqe, o, "the offence is not fully described");
	for (const oracle::Request &r : c.queue->requests)
		if (o.request && r.name == o.request)
			request = &r;
	if (o.request && (!request || !second.IsOpcode(*request)))
		Fail(c, wqe, o, "the request is not the one of the opcode");
	if (second.Accepts(false) != (o.kind == SEGUE_OFFENCE_RESERVED))
		Fail(c, wqe, o, "reserved bits are reported if and only if all else is well");

	if (o.kind == SEGUE_OFFENCE_TRUNCATED) {
		if (!c.queue->send || length != 0)
			Fail(c, wqe, o, "all bytes are there");
		return;
	}
	if (o.kind == SEGUE_OFFENCE_OPCODE) {
		for (const oracle::Request &r : c.queue->requests)
			if (second.IsOpcode(r))
				Fail(c, wqe, o, "there is such a request");
		return;
	}
	if (o.kind == SEGUE_OFFENCE_FLAGS) {
		if (!request || !field || field->first / 8 != o.offset || second.FlagsFit(*request))
			Fail(c, wqe, o, "the flags are all right");
		if ((oracle::Wqe{bytes, 0}.Bits(field->first, field->width)
			     << (95 - field->first - field->width + 1) &
		     ~uint64_t(request->flags)) == 0)
			Fail(c, wqe, o, "that field is all right");
		return;
	}

	/* Up to the segment at fault all must be well. */
	oracle::Matcher matcher({bytes, length}, false);
	uint32_t start = o.offset;
	if (request)
		(void)matcher.Match(*request, c.queue->send ? 16 : 0);
	if (o.kind == SEGUE_OFFENCE_RESERVED) {
		if (!segment || !o.field || !ReservedIsSet(*segment, o, bytes, matcher))
			Fail(c, wqe, o, "no bit is set there");
		return;
	}
	if (o.kind == SEGUE_OFFENCE_VALUE) {
		if (!field || field->first / 8 > o.offset)
			Fail(c, wqe, o, "the field is unknown");
		start = o.offset - field->first / 8;
		if (start != o.segment_at)
			Fail(c, wqe, o, "the segment begins elsewhere");
		for (const oracle::Field &other : segment->fields)
			if (other.first / 8 < field->first / 8 &&
			    oracle::BadField(other, oracle::Wqe{bytes + start, 0}.Bits(
							    other.first, other.width)))
				Fail(c, wqe, o, "a field before that one is wrong, too");
		const uint64_t value = oracle::Wqe{bytes + start, 0}.Bits(field->first,
									  field->width);
		if (!oracle::BadField(*field, value) &&
		    !(request && FixedDiffers(request->layout, segment, field, value)))
			Fail(c, wqe, o, "the value is all right");
	}
	if (in_ctrl)
		return;
	if (!request)
		Fail(c, wqe, o, "the request is missing");
	if (!matcher.Reached(start))
		Fail(c, wqe, o, "there is an offence before that one");
	for (const oracle::Event &e : matcher.events)
		if (e.at == start && e.ok && e.size > 0 && matcher.Reached(e.at + e.size) &&
		    o.kind != SEGUE_OFFENCE_VALUE)
			Fail(c, wqe, o, "a segment fits there");
}

void Check(const oracle::Spec &spec, const Corpus &c, const Bytes_ &wqe, uint64_t *kinds)
{
	/* Exactly as many bytes, on the heap: a read beyond them ends the program. */
	const std::unique_ptr<uint8_t[]> bytes(new uint8_t[wqe.size()]);
	static char text[65536 + 1];
	segue_offence o;

	memset(&o, 0xaa, sizeof(o));
	std::copy(wqe.begin(), wqe.end(), bytes.get());
	const int ret = segue_wqe_validate(c.machine, bytes.get(), wqe.size(), &o);
	const bool accepted =
		oracle::Validator(spec, *c.queue, bytes.get(), uint32_t(wqe.size())).Accepts(true);

	if ((ret == 0) != (o.kind == SEGUE_OFFENCE_NONE))
		Fail(c, wqe, o, "result and kind differ");
	if ((ret == 0) != accepted)
		Fail(c, wqe, o,
		     accepted ? "the second validator accepts this"
			      : "the second validator refuses this");
	if (ret)
		CheckOffence(spec, c, wqe, o, bytes.get());
	kinds[o.kind]++;

	const segue_print_format format = Random(2) ? SEGUE_FORMAT_TEXT : SEGUE_FORMAT_JSON;
	const size_t room = Random(8) ? sizeof(text) - 1 : Random(300);
	text[room] = '\x7f';
	const size_t len = segue_wqe_print(c.machine, bytes.get(), wqe.size(), format, text, room);
	if (len >= sizeof(text) - 1 || text[room] != '\x7f' ||
	    (room && strlen(text) != (len < room ? len : room - 1)))
		Fail(c, wqe, o, "the print is cut wrongly");
	if (format == SEGUE_FORMAT_JSON && len < room && Random(64) == 0) {
		const Json json = Json::Parse(text);

		if (json.kind != Json::kObject || json.Get("valid")->number != (ret == 0))
			Fail(c, wqe, o, "the JSON is broken");
	}
	if (!std::equal(wqe.begin(), wqe.end(), bytes.get()))
		Fail(c, wqe, o, "the WQE was changed");
}

} // namespace

/*
 * Where a buffer was allocated tells nobody anything here, and keeping the call stacks of millions
 * takes a tenth of the time. Nor does the library keep a buffer, so that fewer than millions of
 * freed ones need to be held back; new pages for those take another tenth.
 */
extern "C" const char *__asan_default_options()
{
	return "malloc_context_size=1:max_malloc_fill_size=0:quarantine_size_mb=16";
}

uint64_t FromEnvironment(const char *name, uint64_t otherwise)
{
	const char *value = getenv(name);

	return value ? strtoull(value, nullptr, 0) : otherwise;
}

/* mutation_test ORACLE CORPUS [COUNT] */
int main(int argc, char **argv)
{
	static const char *const names[] = {"none",  "truncated", "opcode", "flags",   "segment",
					    "value", "list",	  "length", "reserved"};
	const oracle::Spec spec(argv[1]);
	std::vector<Corpus> all = ReadCorpus(argv[2], spec);
	/* Bazel runs it in parts, which share the valid WQEs and the mutations. */
	const uint64_t parts = FromEnvironment("TEST_TOTAL_SHARDS", 1),
		       part = FromEnvironment("TEST_SHARD_INDEX", 0);
	const uint64_t count = (argc > 3 ? strtoull(argv[3], nullptr, 0) : 1000000) / parts;
	const uint64_t seed = segue_test_seed() + (part << 32);
	uint64_t kinds[9] = {0}, valid[9] = {0};

	fflush(stdout);
	rng.seed(seed);
	uint64_t number = 0;
	Bytes_ wqe; /* keeps its memory from one to the next */
	for (const Corpus &c : all)
		for (const Bytes_ &good : c.wqes)
			if (number++ % parts == part)
				Check(spec, c, good, valid);
	printf("%llu valid WQEs\n", (unsigned long long)valid[0]);
	for (size_t i = 1; i < 9; i++)
		if (valid[i])
			return 1;
	for (uint64_t i = 0; i < count; i++) {
		const Corpus &c = all[i % all.size()];
		wqe = Pick(c);
		if (wqe.size() > 320 && Random(4))
			wqe = Pick(c); /* long ones cost most */
		for (uint64_t n = Random(3) + 1; n; n--)
			Mutate(c, &wqe);
		Check(spec, c, wqe, kinds);
	}
	printf("%llu mutations:", (unsigned long long)count);
	for (size_t i = 0; i < 9; i++)
		printf(" %s %llu", names[i], (unsigned long long)kinds[i]);
	printf("\n");
	for (uint64_t kind : kinds)
		if (count >= 100000 && kind == 0)
			return 1;
	if (const char *file = getenv("TEST_SHARD_STATUS_FILE"))
		std::ofstream(file).flush(); /* it must be there */
	return 0;
}
