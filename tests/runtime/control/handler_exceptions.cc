// SPDX-License-Identifier: BSD-2-Clause
// Handlers of C++ that throw, at each kind of completion: what they were called with counts as
// polled, and nothing is lost or comes twice.
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>

#include "segue/segue.hpp"
#include "tests/runtime/control/fixture.h"
#include "tests/seed/seed.h"

namespace
{
enum place { GOOD, FAILED, PAYLOAD, LAST_ENTRY, COMPRESSED };

class Throwing : public Control
{
      protected:
	// What is expected of a queue pair, in order, and has come.
	struct Count {
		uint64_t sends = 0, receives = 0;
	};

	void open(bool compress, bool enhanced)
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = 255;
		options.compress = compress;
		options.compress_enhanced = enhanced;
		options.overcommit = true;
		ASSERT_OK(segue_cq_open(device, &options, &made));
		owned.emplace(segue::owner<segue_cq>(made, segue_cq_close));
		ring = made;
		segue_mr *mr = share(memory, sizeof(memory));

		key = segue_mr_ibv(mr)->lkey;
	}

	void open_pair(bool payload)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = options.recv_cq = ring;
		options.max_send_wr = options.max_recv_wr = 64;
		options.max_inline = 0;
		options.scatter_to_cqe = payload;
		ASSERT_OK(segue_qp_open(pd, &options, &a));
		ASSERT_OK(segue_qp_open(pd, &options, &b));
		connect(a, b);
		counts.clear();
	}

	void post(uint64_t id, uint32_t length, uint32_t lkey)
	{
		const uint64_t addr = (uintptr_t)memory;

		ASSERT_OK(segue_post(
			segue_sge(segue_recv(segue_qp_rq(b), id), addr, sizeof(memory), key)));
		ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), id, SEGUE_SIGNALED),
					       addr, length, lkey)));
	}

	void note(const segue_wc &wc)
	{
		const bool send = !segue_wc_is_receive(&wc);
		uint64_t &next = send ? counts[wc.qpn].sends : counts[wc.qpn].receives;

		ASSERT_EQ(next, wc.wr_id);
		next++;
		seen[wc.syndrome		      ? FAILED
		     : wc.flags & SEGUE_WC_COMPRESSED ? COMPRESSED
		     : wc.cqe == last_entry()	      ? LAST_ENTRY
		     : wc.cqe[63] >> 2 & 3	      ? PAYLOAD
						      : GOOD]++;
	}

	const uint8_t *last_entry() const
	{
		return ring->ring.buf + (size_t)ring->ring.cqe_cnt * ring->ring.entry_size - 64;
	}

	// Polls until so many were seen in all, with a handler that throws half of the time.
	void poll_all(uint64_t sends, uint64_t receives)
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);
		const auto handler = [&](const segue_wc &wc) {
			note(wc);
			if (random() % 2) {
				thrown++;
				throw std::runtime_error(std::to_string(wc.wr_id));
			}
		};

		while ((counts[segue_qp_number(a)].sends < sends ||
			counts[segue_qp_number(b)].receives < receives) &&
		       segue_deadline_left_ms(deadline) > 0 && !HasFatalFailure()) {
			try {
				const segue::result<int> n = owned->poll(1 + (int)(random() % 20),
									 handler);

				ASSERT_TRUE(n) << n.error().what();
				found(*n);
			} catch (const std::runtime_error &) {
				caught++;
			}
		}
		EXPECT_EQ(sends, counts[segue_qp_number(a)].sends);
		EXPECT_EQ(receives, counts[segue_qp_number(b)].receives);
		EXPECT_EQ(thrown, caught);
	}

	// Rounds of messages, polled while a handler throws.
	void run(uint32_t shortest, uint32_t longest)
	{
		uint64_t id = 0;

		for (int round = 0; round < 60 && !HasFatalFailure(); round++) {
			for (uint32_t i = 1 + random() % 40; i; i--)
				post(id++, shortest + random() % (longest - shortest), key);
			poll_all(id, id);
		}
		EXPECT_OK(segue_qp_close(a));
		EXPECT_OK(segue_qp_close(b));
	}

	unsigned int seed = (unsigned int)segue_test_seed();
	std::mt19937 random{seed};
	::testing::ScopedTrace trace{__FILE__, __LINE__, "seed " + std::to_string(seed)};
	std::optional<segue::cq> owned;
	segue_cq *ring = nullptr;
	segue_qp *a = nullptr, *b = nullptr;
	uint32_t key = 0;
	std::map<uint32_t, Count> counts;
	std::map<place, int> seen;
	uint64_t thrown = 0, caught = 0;
	alignas(64) uint8_t memory[1024] = {};
};

TEST_F(Throwing, AtGoodOnesAndTheRingsLast)
{
	open(false, false);
	open_pair(false);
	run(65, 900);
	EXPECT_LT(0, seen[GOOD]);
	EXPECT_LT(0, seen[LAST_ENTRY]);
	EXPECT_LT(0u, thrown);
}

TEST_F(Throwing, AtPayload)
{
	open(false, false);
	open_pair(true);
	run(1, 30);
	EXPECT_LT(0, seen[PAYLOAD]);
}

TEST_F(Throwing, InBlocks)
{
	open(true, false);
	open_pair(false);
	run(65, 900);
	EXPECT_LT(0, seen[COMPRESSED]);
}

TEST_F(Throwing, InEnhancedBlocks)
{
	open(true, true);
	open_pair(false);
	run(65, 900);
	EXPECT_LT(0, seen[COMPRESSED]);
}

// A failed one behind good ones, and what is flushed behind it.
TEST_F(Throwing, AtFailedOnes)
{
	open(false, false);
	for (int round = 0; round < 20; round++) {
		open_pair(false);
		for (uint64_t id = 0; id < 16; id++)
			post(id, 100, id < 8 ? key : key ^ 0x7700);
		poll_all(16, 8);
		EXPECT_OK(segue_qp_close(a));
		EXPECT_OK(segue_qp_close(b));
	}
	EXPECT_LT(0, seen[FAILED]);
}

// In a call that waits the first exception leaves when all is done, and the others are handed out.
TEST_F(Throwing, InACallThatWaits)
{
	open(false, false);
	open_pair(false);

	segue::rc_qp waits(segue::owner<segue_qp>(a, segue_qp_close));

	for (uint64_t id = 0; id < 20; id++)
		post(id, 100, key);
	std::string first;
	try {
		(void)waits.drain(segue_deadline_in_ms(30000), [&](const segue_wc &wc) {
			note(wc);
			throw std::runtime_error(std::to_string(wc.wr_id));
		});
	} catch (const std::runtime_error &why) {
		first = why.what();
	}
	EXPECT_EQ("0", first);
	EXPECT_EQ(20u, counts[waits.number()].sends);
	poll_all(20, 20);
	// The next call is not in its way.
	EXPECT_TRUE(waits.drain(segue_deadline_in_ms(30000), [](const segue_wc &) {}));
	EXPECT_TRUE(waits.flush(segue_deadline_in_ms(30000), [](const segue_wc &) noexcept {}));
}

// One that does not throw takes C's way: it has all of them in one poll, which is under way.
TEST_F(Throwing, OnesThatDoNotAreCalledByC)
{
	open(false, false);
	open_pair(false);
	for (uint64_t id = 0; id < 4; id++)
		post(id, 100, key);

	const segue_deadline deadline = segue_deadline_in_ms(30000);
	int n = 0;

	while (n < 8 && segue_deadline_left_ms(deadline) > 0)
		n += *owned->poll(
			8, [&](const segue_wc &) noexcept { EXPECT_EQ(ring->busy, ring->entry); });
	EXPECT_EQ(8, n);
}
} // namespace
