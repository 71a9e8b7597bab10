/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every legal layout at every place of the ring where it can meet the end: built, compared with
 * bytes that a second reading of the spec made, validated, printed and read back, unpacked and
 * packed again.
 */
#include <gtest/gtest.h>

#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

extern "C" {
#include "runtime/text/decode.h"
#include "runtime/text/walk.h"
}
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/tables.h"
#include "tests/builders/json.h"
#include "tests/builders/walk.h"
#include "tests/segments/bytes_test.h"

uint8_t walk_payload[1024];

namespace
{

constexpr uint32_t kBlocks = 128; /* of the send ring; the largest WQE has 16 */
constexpr size_t kGuard = 1024;
constexpr uint8_t kDirt = 0xaa;
constexpr uint32_t kStrides = 4;

/* Memory for a ring, with guards on both sides and dirt everywhere. */
class Memory
{
      public:
	explicit Memory(size_t size)
	    : size_(size), whole_(size + 2 * kGuard + 64, kDirt), clean_(whole_)
	{
	}

	uint8_t *ring()
	{
		return whole_.data() + kGuard + (64 - uintptr_t(whole_.data() + kGuard) % 64) % 64;
	}

	/* `len` bytes of the ring from `at` on, across its end. */
	std::vector<uint8_t> Take(size_t at, size_t len)
	{
		std::vector<uint8_t> bytes(len);

		for (size_t i = 0; i < len; i++)
			bytes[i] = ring()[(at + i) % size_];
		return bytes;
	}

	/* Dirt again where a WQE was; true if then no byte of the whole is anything else. */
	bool CleanBut(size_t at, size_t len)
	{
		for (size_t i = 0; i < len; i++)
			ring()[(at + i) % size_] = kDirt;
		return whole_ == clean_;
	}

      private:
	size_t size_;
	std::vector<uint8_t> whole_, clean_;
};

struct Seen {
	std::string names; /* lists once */
	std::vector<std::string> entries; /* each list entry */
	std::vector<uint8_t> again; /* bytes after unpacking and packing */
	bool clean = true;
};

const walk_repack *RepackOf(const std::string &name)
{
	for (const walk_repack *r = walk_repacks; r->name; r++)
		if (name == r->name)
			return r;
	return nullptr;
}

/* One segment, unpacked and packed; the payload is copied and its padding written as zeros. */
void Repack(Seen *seen, const segue_segment_desc *desc, const uint8_t *bytes, size_t size)
{
	const walk_repack *r = RepackOf(desc->name);
	std::vector<uint8_t> out(size);
	uint64_t length = 0;

	if (!r) {
		ADD_FAILURE() << desc->name << " has no packer";
		return;
	}
	seen->clean = r->repack(out.data(), bytes) && seen->clean;
	if (desc->has_tail) {
		ASSERT_TRUE(
			seguei_field_get(&desc->fields[desc->tail_length], bytes, size, &length));
		ASSERT_LE(desc->tail_at + length, size);
		memcpy(out.data() + desc->tail_at, bytes + desc->tail_at, length);
	}
	seen->again.insert(seen->again.end(), out.begin(), out.end());
	seen->entries.push_back(desc->name);
}

void Visit(void *arg, const seguei_step_seen *step)
{
	Seen *seen = static_cast<Seen *>(arg);
	const uint32_t entry = step->segment->size;

	seen->names += (seen->names.empty() ? "" : " ") + std::string(step->segment->name);
	if (!step->symbol || step->symbol->op != SEGUE_MACHINE_SYMBOL_LIST) {
		Repack(seen, step->segment, step->bytes, step->size);
		return;
	}
	for (uint32_t at = 0; at + entry <= step->size; at += entry)
		Repack(seen, step->segment, step->bytes + at, entry);
}

void PutBits(std::vector<uint8_t> *out, const segue_field_desc &field, uint64_t value)
{
	/* bit, counted from the start */
	const size_t lowest = size_t(field.byte) * 8 + field.word - field.lsb - 1;

	for (uint16_t i = 0; i < field.width; i++)
		if (value >> i & 1)
			(*out)[(lowest - i) / 8] |= uint8_t(0x80 >> (lowest - i) % 8);
}

/* The value of a field as the decoder printed it. */
uint64_t NumberOf(const Json &json)
{
	if (json.kind == Json::kObject)
		return json.Get("value") ? NumberOf(*json.Get("value")) : 0;
	if (json.kind == Json::kString)
		return strtoull(json.text.c_str(), nullptr, 0);
	EXPECT_EQ(json.kind, Json::kNumber);
	return json.number;
}

/* The bytes of a segment out of what the decoder printed about it. */
std::vector<uint8_t> Encode(const segue_segment_desc *desc, const Json &json)
{
	std::vector<uint8_t> out(desc->size);
	const Json *fields = json.Get("fields");

	EXPECT_FALSE(json.Get("problems")) << desc->name;
	if (!fields) {
		ADD_FAILURE() << desc->name << " has no fields";
		return out;
	}
	for (uint16_t i = 0; i < desc->field_count; i++) {
		const segue_field_desc &field = desc->fields[i];
		const Json *value = fields->Get(field.name);

		if (field.is_const)
			PutBits(&out, field, field.const_value);
		if (field.is_const || field.reserved)
			continue;
		if (!value) {
			ADD_FAILURE() << desc->name << "." << field.name << " is not printed";
			continue;
		}
		if (field.word == 0) {
			std::vector<uint8_t> bytes;

			if (field.format)
				bytes = Encode(field.format, *value);
			else
				bytes = Bytes(value->text);
			EXPECT_EQ(bytes.size() * 8, field.width);
			std::copy(bytes.begin(), bytes.end(), out.begin() + field.byte);
			continue;
		}
		PutBits(&out, field,
			field.has_zero_means && NumberOf(*value) == field.zero_means
				? 0
				: NumberOf(*value));
	}
	if (desc->has_tail) {
		const std::vector<uint8_t> bytes = Bytes(fields->Get("payload")->text);

		out.resize(desc->tail_at);
		out.insert(out.end(), bytes.begin(), bytes.end());
		while (out.size() % desc->tail_pad || out.size() < desc->tail_min_size)
			out.push_back(0);
	}
	return out;
}

const segue_segment_desc *DescOf(const std::string &name)
{
	for (size_t i = 0; segue_segments[i]; i++)
		if (name == segue_segments[i]->name)
			return segue_segments[i];
	return nullptr;
}

std::string Print(const segue_machine *machine, const std::vector<uint8_t> &wqe,
		  segue_print_format format)
{
	const size_t len = segue_wqe_print(machine, wqe.data(), wqe.size(), format, nullptr, 0);
	std::vector<char> text(len + 1), cut(len / 2 + 1);

	EXPECT_EQ(
		segue_wqe_print(machine, wqe.data(), wqe.size(), format, text.data(), text.size()),
		len);
	EXPECT_EQ(segue_wqe_print(machine, wqe.data(), wqe.size(), format, cut.data(), cut.size()),
		  len);
	EXPECT_EQ(std::string(text.data(), len / 2), cut.data());
	return text.data();
}

class Walk : public testing::TestWithParam<const walk_set *>
{
      protected:
	void SetUp() override
	{
		for (size_t i = 0; i < sizeof(walk_payload); i++)
			walk_payload[i] = uint8_t(i * 7 + 3);
		GetParam()->fill_tables();
	}

	/* What is independent of the place in the ring: `used` bytes of `wqe` are the request, the
	 * rest is dirt. */
	void CheckMeaning(const walk_case &c, const std::vector<uint8_t> &wqe, size_t used)
	{
		const segue_machine *machine = GetParam()->machine;
		segue_offence offence;
		char sentence[384];
		Seen seen;

		const int ret = segue_wqe_validate(machine, wqe.data(), wqe.size(), &offence);
		segue_offence_print(&offence, sentence, sizeof(sentence));
		ASSERT_EQ(ret, 0) << sentence << "\n" << Hex(wqe);

		const segue_machine_start *start = seguei_walk(machine, wqe.data(), wqe.size(),
							       Visit, &seen, &offence);
		ASSERT_TRUE(start);
		EXPECT_STREQ(start->name, c.request);
		EXPECT_EQ(seen.names, c.segments);
		EXPECT_TRUE(seen.clean);
		EXPECT_EQ(Hex(seen.again), Hex(wqe.data(), used));

		const std::string text = Print(machine, wqe, SEGUE_FORMAT_TEXT);
		EXPECT_EQ(text.substr(0, text.find('\n')),
			  std::string(c.request) + " on " + machine->name);
		EXPECT_EQ(text.find("offence"), std::string::npos) << text;
		EXPECT_EQ(text.find("! "), std::string::npos) << text;
		CheckJson(c, wqe, used, seen);
	}

	void CheckJson(const walk_case &c, const std::vector<uint8_t> &wqe, size_t used,
		       const Seen &seen)
	{
		const std::string text = Print(GetParam()->machine, wqe, SEGUE_FORMAT_JSON);
		const Json json = Json::Parse(text);
		std::vector<uint8_t> again;

		ASSERT_EQ(json.kind, Json::kObject) << text;
		EXPECT_EQ(json.Get("request")->text, c.request);
		EXPECT_EQ(json.Get("queue")->text, GetParam()->name);
		EXPECT_EQ(json.Get("valid")->number, 1u);
		EXPECT_EQ(json.Get("offence")->kind, Json::kNull);
		ASSERT_EQ(json.Get("segments")->items.size(), seen.entries.size()) << text;
		for (size_t i = 0; i < seen.entries.size(); i++) {
			const Json &segment = json.Get("segments")->items[i];
			const segue_segment_desc *desc = DescOf(segment.Get("name")->text);

			EXPECT_EQ(segment.Get("name")->text, seen.entries[i]);
			ASSERT_TRUE(desc);
			const std::vector<uint8_t> bytes = Encode(desc, segment);
			again.insert(again.end(), bytes.begin(), bytes.end());
		}
		EXPECT_EQ(Hex(again), Hex(wqe.data(), used)) << text;
	}

	void CheckSend(const walk_case &c, uint32_t base);
	template <class Queue, class Init, class Retire>
	void CheckReceive(const walk_case &c, Init init, Retire retire);

	size_t pairs_ = 0;
};

void Walk::CheckSend(const walk_case &c, uint32_t base)
{
	const std::vector<uint8_t> wanted = Bytes(c.hex);
	const uint32_t blocks = uint32_t(wanted.size() + 63) / 64;
	static segue_sq_slot slots[kBlocks];
	static Memory memory(size_t(kBlocks) * 64);
	bool meaning = false;

	for (uint32_t start = kBlocks - blocks; start <= kBlocks; start++) {
		const uint32_t first = base + start; /* the last one is the ring's beginning */
		uint32_t dbrec = 0xaaaaaaaa;
		alignas(64) uint64_t reg[8] = {0};
		segue_sq_init_options attr = {};
		segue_sq sq;
		std::vector<uint8_t> expected = wanted;
		uint64_t wr_id = 0;

		attr.buf = memory.ring();
		attr.wqe_cnt = kBlocks;
		attr.max_wqe_units = 63;
		attr.dbrec = &dbrec;
		attr.bf_reg = reg;
		attr.qpn = WALK_QPN;
		attr.first_index = first;
		attr.slots = slots;
		ASSERT_EQ(segue_sq_init(&sq, &attr), 0) << segue_errmsg();
		ASSERT_EQ(c.build(&sq, 0x1122334455667788, c.flags, c.n), 0) << segue_errmsg();

		expected[1] = uint8_t(first >> 8);
		expected[2] = uint8_t(first);
		const size_t at = size_t(first % kBlocks) * 64;
		const std::vector<uint8_t> wqe = memory.Take(at, expected.size());
		ASSERT_EQ(Hex(wqe), Hex(expected)) << "at block " << start;
		ASSERT_TRUE(memory.CleanBut(at, wqe.size())) << "at block " << start;

		EXPECT_EQ(dbrec, c.rings ? segue_be32((first + blocks) & 0xffff) : 0xaaaaaaaa);
		EXPECT_EQ(memcmp(reg, c.rings ? expected.data() : (const uint8_t *)"\0\0\0\0\0\0\0",
				 8),
			  0);
		EXPECT_EQ(sq.pi, first + blocks);
		EXPECT_EQ(segue_sq_retire(&sq, uint16_t(first), &wr_id), 1);
		EXPECT_EQ(wr_id, 0x1122334455667788u);
		EXPECT_EQ(seguei_sq_ci(&sq), sq.pi);
		pairs_++;
		if (!meaning)
			CheckMeaning(c, wqe, wqe.size());
		else
			ASSERT_EQ(segue_wqe_validate(GetParam()->machine, wqe.data(), wqe.size(),
						     nullptr),
				  0);
		meaning = true;
		if (HasFatalFailure())
			return;
	}
}

template <class Queue, class Init, class Retire>
void Walk::CheckReceive(const walk_case &c, Init init, Retire retire)
{
	const std::vector<uint8_t> wanted = Bytes(c.hex);
	const bool linked = !std::is_same<Queue, segue_rq>::value;
	uint32_t dbrec = 0xaaaaaaaa;
	uint64_t wr_ids[kStrides];
	uint16_t next[kStrides];
	Memory memory(size_t(kStrides) * c.stride);
	segue_rq_init_options attr = {};
	Queue queue;

	attr.buf = memory.ring();
	attr.wqe_cnt = kStrides;
	attr.stride = c.stride;
	attr.dbrec = &dbrec;
	attr.qpn = WALK_QPN;
	attr.wr_ids = wr_ids;
	attr.next = next;
	ASSERT_EQ(init(&queue, &attr), 0) << segue_errmsg();
	for (uint32_t slot = 0; slot < kStrides; slot++) {
		std::vector<uint8_t> expected = wanted;
		uint64_t wr_id = 0;

		dbrec = 0xaaaaaaaa;
		ASSERT_EQ(c.build(&queue, 77 + slot, c.flags, c.n), 0) << segue_errmsg();
		if (linked)
			expected[3] = uint8_t((slot + 1) % kStrides);
		const size_t at = size_t(slot) * c.stride;
		const std::vector<uint8_t> wqe = memory.Take(at, c.stride);
		ASSERT_EQ(Hex(wqe.data(), expected.size()), Hex(expected)) << "in stride " << slot;
		ASSERT_TRUE(memory.CleanBut(at, expected.size())) << "in stride " << slot;
		EXPECT_EQ(dbrec, c.rings ? segue_be32(slot + 1) : 0xaaaaaaaa);
		ASSERT_EQ(retire(&queue, slot, &wr_id), 0) << segue_errmsg();
		EXPECT_EQ(wr_id, 77 + slot);
		pairs_++;
		CheckMeaning(c, wqe, expected.size());
		if (HasFatalFailure())
			return;
	}
}

TEST_P(Walk, EveryLayoutEverywhere)
{
	static const uint32_t bases[] = {0, 0x10000 - kBlocks, 0xffffffff - kBlocks + 1,
					 0x12345600};
	const walk_set *set = GetParam();
	const std::string name = set->name;

	for (size_t i = 0; i < set->count; i++) {
		const walk_case &c = set->cases[i];
		SCOPED_TRACE(testing::Message() << name << ": " << c.title << " {" << c.n[0] << ", "
						<< c.n[1] << "} flags 0x" << std::hex << c.flags);

		if (set->machine->send)
			CheckSend(c, bases[i % 4]);
		else if (name == "rq")
			CheckReceive<segue_rq>(c, segue_rq_init,
					       [](segue_rq *q, uint32_t, uint64_t *w) {
						       return segue_rq_retire(q, w);
					       });
		else if (name == "srq")
			CheckReceive<segue_srq>(
				c, segue_srq_init, [](segue_srq *q, uint32_t slot, uint64_t *w) {
					return segue_srq_retire(q, uint16_t(slot), w);
				});
		else
			CheckReceive<segue_mprq>(
				c, segue_mprq_init, [](segue_mprq *q, uint32_t slot, uint64_t *w) {
					return segue_srq_retire(&q->srq, uint16_t(slot), w);
				});
		if (HasFailure())
			return;
	}
	printf("%-13s %3zu chains, %4zu layouts, %5zu (layout, offset) pairs\n", set->name,
	       set->shapes, set->count, pairs_);
	EXPECT_GT(set->count, 0u);
}

std::vector<const walk_set *> Sets()
{
	std::vector<const walk_set *> sets;

	for (size_t i = 0; walk_sets[i]; i++)
		sets.push_back(walk_sets[i]);
	return sets;
}

INSTANTIATE_TEST_SUITE_P(All, Walk, testing::ValuesIn(Sets()),
			 [](const testing::TestParamInfo<const walk_set *> &info) {
				 return std::string(info.param->name);
			 });

TEST(Walks, CoverEveryQueue)
{
	std::string names;

	for (const walk_set *set : Sets())
		names += std::string(set->name) + " ";
	EXPECT_EQ(names, "dci raw_packet rc uc ud xrc_initiator rq srq mprq ");
}

} // namespace
