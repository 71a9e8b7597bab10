// SPDX-License-Identifier: BSD-2-Clause
// RC into a shared receive queue with a tag list: messages for its entries, messages that nobody
// expects, and messages without a tag.
#include "segue/tags.h"
#include "tests/requests/mixed/pairs.h"

namespace requests {
namespace {

constexpr uint32_t TAGS = 4, HEADER = SEGUE_SEG_TMH_SIZE;

struct Entry {
	uint64_t tag;
	size_t at; // a slot of those that a responder does not send from
	uint32_t room;
	uint16_t handle;
	std::vector<uint8_t> bytes; // of the message that was sent to it
	bool sent, told;
};

struct Tagged : PairOf<Rc> {
	Tagged(Mixed &t, uint32_t n) : PairOf<Rc>(t, n)
	{
		stamp_at = HEADER;
		longest = SLOT - GRH - HEADER;
	}

	bool has(Kind kind) const override
	{
		return kind != SEND_IMM && kind != WRITE_IMM && kind != SEND_INV &&
		       PairOf<Rc>::has(kind);
	}
	Wrong wrong_of(Kind kind) override
	{
		return kind == SEND ? LOCAL_KEY : PairOf<Rc>::wrong_of(kind);
	}

	void open_shared(segue_xrcd *) override
	{
		segue_srq_options options = {};

		options.max_wr = RECEIVES;
		options.max_sge = 1;
		// completions there do not say of which list they are
		options.cq = test.open_cq(2000);
		options.context = static_cast<Pair *>(this);
		options.max_tags = TAGS;
		ASSERT_OK(segue_srq_open(test.pd, &options, &srq));
		test.poll_also(options.cq);
		receive_cq = options.cq;
		test.covered.add("rc", &segue_tag_sq(srq)->sq);
	}

	// The list is filled: entries wait for the messages of this batch. Now and then one is for
	// an empty message.
	void prepare() override
	{
		ASSERT_NO_FATAL_FAILURE(PairOf<Rc>::prepare());
		while (entries.size() < TAGS) {
			const uint64_t wr_id = test.next_id++;
			Entry entry = {(uint64_t)test.random() << 32 | ++tags,
				       free_place(),
				       test.below(8) ? SLOT : 0,
				       0,
				       {},
				       false,
				       false};
			segue_tag tag = {};

			tag.wr_id = test.next_id++;
			tag.tag = entry.tag;
			tag.mask = UINT64_MAX;
			tag.buffer = {there.at(entry.at), entry.room, {there.key}};
			ASSERT_OK(segue_tag_append(srq, wr_id, &tag, &entry.handle));
			commands.insert(wr_id);
			entries[tag.wr_id] = entry;
			test.pending[wr_id] = {};
		}
	}
	void finish() override
	{
		uint64_t wr_id = test.next_id++;

		// one for which nothing has come is taken back
		if (!test.below(4) && !entries.empty()) {
			ASSERT_OK(segue_tag_remove(srq, wr_id, entries.begin()->second.handle));
			commands.insert(wr_id);
			entries.erase(entries.begin());
			test.pending[wr_id] = {};
			wr_id = test.next_id++;
		}
		if (!segue_tag_needs_sync(srq) && test.below(8))
			return;

		ASSERT_OK(segue_tag_sync(srq, wr_id));
		commands.insert(wr_id);
		test.pending[wr_id] = {};
	}
	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong with) override
	{
		if (kind != SEND)
			return PairOf<Rc>::post(kind, wr_id, slot, with);
		const uint32_t choice = test.below(3);
		segue_seg_tmh header = {};
		uint8_t packed[HEADER];
		auto entry = entries.end();

		for (auto e = entries.begin(); choice == 0 && e != entries.end(); ++e)
			if (!e->second.sent)
				entry = e;
		const uint32_t length = HEADER +
					test.below(std::min(longest, entry == entries.end()
									     ? longest
									     : entry->second.room) +
						   1);

		header.opcode = choice == 2 ? SEGUE_TMH_OPCODE_NO_TAG : SEGUE_TMH_OPCODE_EAGER;
		header.app_ctx = slot;
		header.tag = entry == entries.end() ? ~(uint64_t)0 : entry->second.tag;
		segue_seg_tmh_pack(packed, &header);
		here.store(MESSAGES + slot * SLOT, packed, HEADER);
		const std::vector<uint8_t> bytes = stamped(slot, length);

		before = after = nullptr;
		if (with == NONE && entry == entries.end()) {
			after = [this, bytes] { expect({0, bytes, true, 0, 0, 0, false, false}); };
		} else if (with == NONE) {
			after = [this, entry, bytes] {
				entry->second.sent = true;
				entry->second.bytes.assign(bytes.begin() + HEADER, bytes.end());
				there.put(entry->second.at, entry->second.bytes.data(),
					  entry->second.bytes.size());
				test.pending[entry->first] = {};
			};
		}
		return segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), wr_id, SEGUE_SIGNALED),
					    here.at(MESSAGES + slot * SLOT), length,
					    with == LOCAL_KEY ? NOBODYS_KEY : here.key));
	}

	bool takes_tags(const segue_wc &wc) override
	{
		const uint32_t op = segue_wc_tag_op(&wc);
		const auto entry = entries.find(wc.wr_id);

		EXPECT_EQ(0, wc.syndrome);
		if (op == SEGUE_TM_APP_OP_UNEXPECTED || op == SEGUE_TM_APP_OP_NO_TAG)
			return false; // a receive like others
		if (op == SEGUE_TM_APP_OP_APPEND || op == SEGUE_TM_APP_OP_REMOVE ||
		    op == SEGUE_TM_APP_OP_NOOP) {
			EXPECT_EQ(1u, commands.erase(wc.wr_id))
				<< "an answer to a command that nobody has given";
			EXPECT_EQ(0, wc.flags & SEGUE_WC_TAG_REFUSED);
			test.pending.erase(wc.wr_id);
			return true;
		}
		if (entry == entries.end() || !entry->second.sent) {
			ADD_FAILURE() << "a message for an entry that none was sent to, of pair "
				      << number;
			return true;
		}
		if (op == SEGUE_TM_APP_OP_CONSUMED) { // its data are on their way
			EXPECT_FALSE(entry->second.told);
			entry->second.told = true;
			return true;
		}
		EXPECT_EQ(op, entry->second.told ? SEGUE_TM_APP_OP_EXPECTED
						 : SEGUE_TM_APP_OP_CONSUMED_MSG);
		EXPECT_EQ(entry->second.bytes.size(), wc.byte_len);
		EXPECT_EQ(1u, test.pending.erase(wc.wr_id));
		entries.erase(entry);
		return true;
	}

private:
	size_t free_place() const
	{
		std::set<size_t> taken;
		size_t at = MESSAGES;

		for (const auto &e : entries)
			taken.insert(e.second.at);
		while (taken.count(at))
			at += SLOT;
		return at;
	}

	std::map<uint64_t, Entry> entries; // by the wr_id of their messages
	std::set<uint64_t> commands;
	uint64_t tags = 0;
};

} // namespace

std::unique_ptr<Pair> make_tagged(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Tagged(test, number));
}

} // namespace requests
