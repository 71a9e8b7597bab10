// SPDX-License-Identifier: BSD-2-Clause
// Peers that die while nothing happens: found by empty WRITEs within the period and the retries,
// and nobody else is.
#include "runtime/peers/channel/multi_channel.h"
#include "segue/fan.h"
#include "tests/runtime/peers/channel/trio.h"

class Keepalive : public Trio {
protected:
	static constexpr uint32_t PERIOD_MS = 100;
	// What four time-outs of 17 ms take is less; the rest is for a machine that is busy.
	static constexpr uint32_t NAMED_MS = PERIOD_MS + 5000;

	void SetUp() override
	{
		Trio::SetUp();
		keepalive_ms = PERIOD_MS;
	}

	enum segue_channel_state state_of(uint32_t peer)
	{
		return segue_channel_state(segue_multi_channel_at(multis[0], peer));
	}

	// Polls, with nothing to do, for so long or until a peer has failed.
	void idle(uint32_t ms, uint32_t peer)
	{
		const segue_deadline deadline = segue_deadline_in_ms(ms);

		while (segue_deadline_left_ms(deadline) && state_of(peer) == SEGUE_CHANNEL_UP)
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note, &came[0])))
				<< segue_errmsg();
	}
};

TEST_P(Keepalive, WithoutItNobodyNotices)
{
	keepalive_ms = 0;
	open();
	kill(2);
	idle(5 * PERIOD_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(2));
	EXPECT_EQ(0u, segue_multi_channel_keepalive(multis[0]));
}

TEST_P(Keepalive, NamesWhoDiedWhileIdle)
{
	open();
	kill(2);
	idle(NAMED_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	const std::string reason = segue_channel_reason(segue_multi_channel_at(multis[0], 2));
	EXPECT_NE(std::string::npos, reason.find("peer 2, generation 1")) << reason;
	EXPECT_NE(std::string::npos, reason.find("RETRY_EXC")) << reason;
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	EXPECT_TRUE(came[0].empty()) << "the library's own requests are handed to nobody";
	EXPECT_OK(post(1, SEGUE_SIGNALED));
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
	ASSERT_EQ(1u, sends());
	EXPECT_EQ(0, came[0].back().syndrome);
}

// A program that is never idle: each of its polls finds something.
TEST_P(Keepalive, NamesWhoDiedUnderLoad)
{
	open();
	kill(2);
	const segue_deadline deadline = segue_deadline_in_ms(NAMED_MS);
	uint32_t under_way = 0;

	while (state_of(2) == SEGUE_CHANNEL_UP && segue_deadline_left_ms(deadline)) {
		while (under_way < 32 && !post(1, SEGUE_SIGNALED))
			under_way++;
		came[0].clear();
		const int got = segue_multi_channel_poll_each(multis[0], 1, note, &came[0]);
		ASSERT_LE(0, got);
		multis[0]->empty = 0; // as if every poll had found something
		under_way -= static_cast<uint32_t>(got);
	}
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
}

// Who waits for a message of a peer that is dead is told so, long before the deadline.
TEST_P(Keepalive, EndsAWaitForTheDead)
{
	const uint32_t peers[] = {2};
	segue_fan_result result;
	segue_fan fan = {};
	segue_local_buf to;

	open();
	kill(2);
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 1;
	fan.results = &result;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &to));
	EXPECT_EQ(-EIO, segue_fan_receive(&fan, &to));
	EXPECT_EQ(-ENOTCONN, result.error);
	EXPECT_NE(nullptr, strstr(result.sentence, "peer 2"));
}

TEST_P(Keepalive, LeavesTheLivingAlone)
{
	open();
	idle(10 * PERIOD_MS, 1);
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(2));
	EXPECT_TRUE(came[0].empty());
	for (const uint8_t *bytes : memory) // an empty WRITE writes nothing
		EXPECT_EQ(bytes[0], bytes[BYTES - 1]);
}

// Programs that sleep until an event call it themselves.
TEST_P(Keepalive, SaysWhenItIsToBeCalledAgain)
{
	open();
	const uint32_t next = segue_multi_channel_keepalive(multis[0]);
	EXPECT_GT(next, 0u);
	EXPECT_LE(next, PERIOD_MS / COUNT + 1);
}

INSTANTIATE_TEST_SUITE_P(Over, Keepalive, ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);

class DatagramKeepalive : public Trio {};

TEST_P(DatagramKeepalive, IsRefused)
{
	segue_multi_channel_options options = {};
	segue_multi_channel *multi;

	options.over = GetParam();
	options.peers = 2;
	options.keepalive_ms = 10;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &options, &multi));
	EXPECT_SAYS("over UD no acknowledgement shows");
}

INSTANTIATE_TEST_SUITE_P(Over, DatagramKeepalive, ::testing::Values(SEGUE_TRANSPORT_UD),
			 name_of_transport);
