// SPDX-License-Identifier: BSD-2-Clause
// Handlers of C++ that throw from polls by peer: at what a poll finds, and at what was kept while a
// call waited. And calls that wait, from a handler: they are refused, and nothing is counted twice.
#include <stdexcept>

#include "segue/peers/multi_channel.h"
#include "segue/segue.hpp"
#include "tests/runtime/peers/channel/trio.h"

class ThrowingByPeer : public Trio
{
      protected:
	void adjust(segue_multi_channel_options *options) override
	{
		if (options->self == 0)
			options->handler = nullptr;
	}

	// So many completions of 0's own WRITEs, which either wait or are kept.
	void complete(uint64_t count, bool keep)
	{
		for (uint64_t i = 0; i < count; i++)
			ASSERT_OK(post(1, SEGUE_SIGNALED, 0, 64, i));
		if (!keep)
			return;
		segue_local_buf from;
		segue_remote_buf to;

		// A call that waits takes what came before its own.
		ASSERT_OK(segue_mr_local_buf(mrs[0], 4096, 64, &from));
		ASSERT_OK(segue_mr_remote_buf(mrs[1], 4096, 64, &to));
		ASSERT_OK(segue_channel_write(segue_multi_channel_at(multis[0], 1), &from, &to,
					      segue_deadline_in_ms(WAIT_MS)));
	}

	void poll_while_throwing(uint64_t count)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		uint64_t next = 0, caught = 0;

		while (next < count && segue_deadline_left_ms(deadline)) {
			try {
				const segue::result<int> n = segue::poll(
					multis[0], 5, [&](const segue_wc &wc) {
						EXPECT_EQ(next, wc.wr_id);
						next++;
						throw std::runtime_error("of one");
					});

				ASSERT_TRUE(n) << n.error().what();
				found(*n);
			} catch (const std::runtime_error &) {
				caught++;
			}
		}
		EXPECT_EQ(count, next);
		EXPECT_EQ(count, caught);
		EXPECT_EQ(0, *segue::poll(multis[0], 5, [](const segue_wc &) {}));
	}

	// A handler that waits.
	static void wait(const segue_wc *wc, void *arg) noexcept
	{
		ThrowingByPeer *const self = static_cast<ThrowingByPeer *>(arg);
		segue_local_buf from;
		segue_remote_buf to;

		EXPECT_EQ(self->waited, wc->wr_id);
		self->waited++;
		EXPECT_OK(segue_mr_local_buf(self->mrs[0], 4096, 64, &from));
		EXPECT_OK(segue_mr_remote_buf(self->mrs[1], 4096, 64, &to));
		EXPECT_EQ(-EBUSY, segue_channel_write(segue_multi_channel_at(self->multis[0], 1),
						      &from, &to, segue_deadline_in_ms(WAIT_MS)));
		EXPECT_SAYS("may post, but not wait or poll");
	}

	uint64_t waited = 0;
};

TEST_P(ThrowingByPeer, AtWhatAPollFinds)
{
	open(8);
	ASSERT_NO_FATAL_FAILURE(complete(12, false));
	poll_while_throwing(12);
}

TEST_P(ThrowingByPeer, AtWhatWasKept)
{
	open(8);
	ASSERT_NO_FATAL_FAILURE(complete(12, true));
	poll_while_throwing(12);
}

TEST_P(ThrowingByPeer, WaitingIsRefusedAtWhatAPollFinds)
{
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

	open(8);
	ASSERT_NO_FATAL_FAILURE(complete(12, false));
	while (waited < 12 && segue_deadline_left_ms(deadline))
		found(segue_multi_channel_poll_each(multis[0], 5, wait, this));
	EXPECT_EQ(12u, waited);
}

TEST_P(ThrowingByPeer, WaitingIsRefusedAtWhatWasKept)
{
	open(8);
	ASSERT_NO_FATAL_FAILURE(complete(12, true));
	EXPECT_EQ(12, segue_multi_channel_poll_each(multis[0], 20, wait, this));
	EXPECT_EQ(12u, waited);
}

// None is looked at, whatever there is.
TEST_P(ThrowingByPeer, OfNoneIsNone)
{
	open(8);
	ASSERT_NO_FATAL_FAILURE(complete(3, true));
	ASSERT_NO_FATAL_FAILURE(complete(3, false));
	for (const int most : {0, -1}) {
		EXPECT_EQ(0, segue_multi_channel_poll_each(multis[0], most, wait, this));
		EXPECT_EQ(0, *segue::poll(multis[0], most, [](const segue_wc &) { FAIL(); }));
	}
	EXPECT_EQ(0u, waited);
}

INSTANTIATE_TEST_SUITE_P(Over, ThrowingByPeer,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
