// SPDX-License-Identifier: BSD-2-Clause
// Peers that die while nothing happens: found by empty WRITEs within the period and the retries,
// and nobody else is.
#include <unistd.h>

#include <chrono>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/peers/fan.h"
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

	void expect_said(uint32_t peer, const char *text)
	{
		const char *reason = segue_channel_reason(segue_multi_channel_at(multis[0], peer));

		EXPECT_NE(nullptr, strstr(reason, text)) << reason;
	}

	// Polls, with nothing to do, for so long or until a peer has failed.
	void idle(uint32_t ms, uint32_t peer)
	{
		const segue_deadline deadline = segue_deadline_in_ms(ms);

		while (segue_deadline_left_ms(deadline) && state_of(peer) == SEGUE_CHANNEL_UP)
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note,
									 &came[0])))
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

// A world of three ranks that says what a test wants.
struct Words {
	segue_world world; // first
	bool dead, vouches;

	static int gone(segue_world *world, uint32_t rank, bool *gone, uint32_t *life)
	{
		*gone = rank == 2 && reinterpret_cast<Words *>(world)->dead;
		*life = 1;
		if (*gone)
			(void)seguei_fail(0, "World: rank 2 has died: the test says so.");
		return 0;
	}

	static bool vouches_for(segue_world *world, uint32_t rank)
	{
		(void)rank;
		return reinterpret_cast<Words *>(world)->vouches;
	}
};

class WorldKeepalive : public Keepalive
{
      protected:
	void SetUp() override
	{
		Keepalive::SetUp();
		engine.name = "words";
		engine.gone = Words::gone;
		engine.vouches = Words::vouches_for;
		words.world.engine = &engine;
		words.world.size = COUNT;
	}

	void adjust(segue_multi_channel_options *options) override
	{
		options->ask_world_ms = PERIOD_MS;
	}

	void open_in_world()
	{
		open();
		multis[0]->more->rendezvous.world = &words.world;
	}

	// Requests that 0 has posted.
	uint32_t posted() const
	{
		const seguei_multi_more *more = multis[0]->more;
		uint32_t count = 0;

		for (uint32_t i = 0; i < COUNT && GetParam() == SEGUE_TRANSPORT_RC; i++)
			count += multis[0]->channels[i].more->owner.sq->pi;
		for (uint32_t i = 0; i < more->options.dcis; i++)
			count += more->dcis.all[i].sq->pi;
		return count;
	}

	bool is_tried(uint32_t peer)
	{
		const segue_channel *channel = segue_multi_channel_at(multis[0], peer);

		if (GetParam() == SEGUE_TRANSPORT_RC)
			return channel->more->owner.sq->pi;
		return channel->dci->owner == channel->tag && !seguei_sq_is_idle(channel->dci->sq);
	}

	seguei_world_engine engine = {};
	Words words = {};
};

// Whose process lives as far as the world knows is not failed for being silent, and not written to.
TEST_P(WorldKeepalive, BelievesAWorldThatVouches)
{
	words.vouches = true;
	open_in_world();
	kill(2);
	idle(10 * PERIOD_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(2));
	EXPECT_EQ(0u, posted());
}

TEST_P(WorldKeepalive, WritesNothingToWhoIsKnownToHaveDied)
{
	words.dead = true;
	words.vouches = true; // for the others
	open_in_world();
	idle(NAMED_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	expect_said(2, "the test says so");
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	EXPECT_EQ(0u, posted());
}

// The world has shrunk: what it knew of the rank is gone with it.
TEST_P(WorldKeepalive, FailsAPeerThatHasRetired)
{
	words.vouches = true;
	open_in_world();
	words.world.size = 2;
	idle(NAMED_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	expect_said(2, "it has retired");
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
}

// A world that knows of no death, but has no connection that would tell it, as that of PMIx.
TEST_P(WorldKeepalive, AsksThePeerWhereTheWorldDoesNotKnow)
{
	open_in_world();
	kill(2);
	idle(NAMED_MS, 2);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	expect_said(2, "keepalive has found it silent");
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
}

// The world may hear of a death while the retries last: its word says more.
TEST_P(WorldKeepalive, AsksTheWorldOnceMoreBeforeItFailsAPeer)
{
	open_in_world();
	kill(2);
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	while (!is_tried(2) && segue_deadline_left_ms(deadline))
		(void)segue_multi_channel_keepalive(multis[0]);
	multis[0]->keeps_alive = false; // no further turn asks
	words.dead = true;
	while (state_of(2) == SEGUE_CHANNEL_UP && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note, &came[0])));
	expect_said(2, "the test says so");
}

INSTANTIATE_TEST_SUITE_P(Over, WorldKeepalive,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);

// One side with many peers, which are all at one other: how much it writes when idle.
class CrowdKeepalive
    : public ::testing::TestWithParam<std::tuple<segue_channel_transport, uint32_t>>
{
      protected:
	static constexpr uint32_t PERIOD_MS = 50;
	// An empty WRITE with an address vector before it.
	static constexpr uint32_t DC_BLOCKS = 2;

	void TearDown() override
	{
		EXPECT_OK(segue_device_close(device));
	}

	void open(uint32_t keepalive_ms)
	{
		const uint32_t count = std::get<1>(GetParam());
		segue_multi_channel_options options = {};
		std::array<std::vector<segue_endpoint>, 2> endpoints;

		ASSERT_OK(segue_device_open(nullptr, &device));
		ASSERT_OK(segue_pd_open(device, &pd));
		options.transport = std::get<0>(GetParam());
		options.peers = count;
		options.max_send_wr = 4;
		options.own_numbers = true;
		options.keepalive_ms = keepalive_ms;
		for (uint32_t side = 0; side < 2; side++) {
			ASSERT_OK(segue_multi_channel_open(pd, &options, &sides[side]));
			options.keepalive_ms = 0;
			endpoints[side].resize(count);
			for (uint32_t i = 0; i < count; i++)
				ASSERT_OK(segue_multi_channel_endpoint(sides[side], i,
								       &endpoints[side][i]));
		}
		for (uint32_t side = 0; side < 2; side++)
			ASSERT_OK(segue_multi_channel_connect(sides[side],
							      endpoints[1 - side].data(), count));
		for (uint32_t i = 0; i < count; i++) // over DC channels are made when first used
			ASSERT_NE(nullptr, segue_multi_channel_at(sides[0], i));
	}

	uint32_t posted() const
	{
		const seguei_multi_more *more = sides[0]->more;
		uint32_t count = 0;

		for (uint32_t i = 0;
		     i < sides[0]->count && sides[0]->transport == SEGUE_TRANSPORT_RC; i++)
			count += sides[0]->channels[i].more->owner.sq->pi;
		for (uint32_t i = 0; i < more->options.dcis; i++)
			count += more->dcis.all[i].sq->pi / DC_BLOCKS;
		return count;
	}

	// Polls for some periods; returns how many there were, begun ones included.
	uint32_t idle(uint32_t periods)
	{
		const auto from = std::chrono::steady_clock::now();
		const segue_deadline deadline = segue_deadline_in_ms(periods * PERIOD_MS);

		while (segue_deadline_left_ms(deadline)) {
			EXPECT_LE(0, segue_multi_channel_poll_each(
					     sides[0], 16, [](const segue_wc *, void *) noexcept {},
					     nullptr))
				<< segue_errmsg();
			(void)segue_multi_channel_keepalive(sides[0]); // polls look less often
			sched_yield();
		}
		const std::chrono::duration<double, std::milli> took =
			std::chrono::steady_clock::now() - from;
		return static_cast<uint32_t>(took.count() / PERIOD_MS) + 1;
	}

	// Each peer once. Over DC queues do not show whom they were for.
	bool all_tried() const
	{
		uint32_t idle_ones = 0;

		if (sides[0]->transport == SEGUE_TRANSPORT_DC)
			return posted() >= sides[0]->count;
		for (uint32_t i = 0; i < sides[0]->count; i++)
			idle_ones += !sides[0]->channels[i].more->owner.sq->pi;
		return !idle_ones;
	}

	segue_device *device = nullptr;
	segue_pd *pd = nullptr;
	std::array<segue_multi_channel *, 2> sides = {};
};

// However many peers there are, and however long nothing was polled.
TEST_P(CrowdKeepalive, WritesNoMoreForMorePeers)
{
	ASSERT_NO_FATAL_FAILURE(open(PERIOD_MS));
	EXPECT_GT(segue_multi_channel_keepalive(sides[0]), 0u);
	const uint32_t periods = idle(10);
	EXPECT_GT(posted(), 0u);
	EXPECT_LE(posted(), SEGUE_KEEPALIVE_MAX * (periods + 1));
	usleep(4 * PERIOD_MS * 1000);
	const uint32_t before = posted();
	(void)segue_multi_channel_keepalive(sides[0]);
	EXPECT_LE(posted(), before + SEGUE_KEEPALIVE_MAX) << "a call that is late makes up for it";
}

// Nobody is left out, the first one neither.
TEST_P(CrowdKeepalive, GivesEachPeerItsTurn)
{
	ASSERT_NO_FATAL_FAILURE(open(4));
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	while (!all_tried() && segue_deadline_left_ms(deadline))
		EXPECT_LE(0,
			  segue_multi_channel_poll_each(
				  sides[0], 16, [](const segue_wc *, void *) noexcept {}, nullptr));
	EXPECT_TRUE(all_tried());
}

TEST_P(CrowdKeepalive, IsSwitchedOff)
{
	ASSERT_NO_FATAL_FAILURE(open(SEGUE_MS_NEVER));
	EXPECT_EQ(0u, segue_multi_channel_keepalive(sides[0]));
	(void)idle(2);
	EXPECT_EQ(0u, posted());
}

INSTANTIATE_TEST_SUITE_P(
	Of, CrowdKeepalive,
	::testing::Combine(::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			   ::testing::Values(8u, 32u, 64u)),
	[](const auto &info) {
		return std::string(std::get<0>(info.param) == SEGUE_TRANSPORT_RC ? "RC" : "DC") +
		       std::to_string(std::get<1>(info.param));
	});

class DatagramKeepalive : public Trio {};

TEST_P(DatagramKeepalive, IsRefused)
{
	segue_multi_channel_options options = {};
	segue_multi_channel *multi;

	options.transport = GetParam();
	options.peers = 2;
	options.keepalive_ms = 10;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &options, &multi));
	EXPECT_SAYS("over UD no acknowledgement shows");
	options.keepalive_ms = SEGUE_MS_NEVER;
	ASSERT_OK(segue_multi_channel_open(pd, &options, &multi));
	EXPECT_OK(segue_multi_channel_close(multi));
}

INSTANTIATE_TEST_SUITE_P(Over, DatagramKeepalive, ::testing::Values(SEGUE_TRANSPORT_UD),
			 name_of_transport);
