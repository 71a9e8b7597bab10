// SPDX-License-Identifier: BSD-2-Clause
// ECE between channels: both sides tell at once what they offer, and both have the same afterwards.
#include <dlfcn.h>
#include <infiniband/verbs.h>
#include <stdlib.h>

#include <atomic>

#include "tests/runtime/peers/channel/trio.h"
#include "tests/runtime/peers/world/ranks.h"

namespace
{

constexpr uint32_t ALL = UINT32_MAX;

// What is taken from the offers of queue pairs, as if their device had less; what refuses a set.
std::atomic<uint32_t> offered{ALL};
std::atomic<int> refusal{0};
std::atomic<uint32_t> sets{0};

template <typename F> F next(const char *name)
{
	return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

// The options of softhca's device, its own or those that it was told to have; 0: it has none.
uint32_t known()
{
	const char *caps = getenv("SOFTHCA_CAPS");
	const char *told = caps ? strstr(caps, "ece=") : nullptr;

	return told ? (uint32_t)strtoul(told + 4, nullptr, 0) : 0x10000003;
}

} // namespace

// Before those of libibverbs.
extern "C" int ibv_query_ece(ibv_qp *qp, ibv_ece *ece)
{
	static const auto real = next<decltype(&ibv_query_ece)>("ibv_query_ece");
	const int ret = real(qp, ece);

	ece->options &= offered;
	return ret;
}

extern "C" int ibv_set_ece(ibv_qp *qp, ibv_ece *ece)
{
	static const auto real = next<decltype(&ibv_set_ece)>("ibv_set_ece");

	sets++;
	return refusal ? (int)refusal : real(qp, ece);
}

namespace
{

class Ece : public Trio {
protected:
	void SetUp() override
	{
		offered = ALL;
		refusal = 0;
		sets = 0;
		ASSERT_NO_FATAL_FAILURE(Trio::SetUp());
	}

	// Of peer 1 so much; of the others all.
	void open_with(uint32_t of_one)
	{
		for (uint32_t i = 0; i < COUNT; i++) {
			offered = i == 1 ? of_one : ALL;
			ASSERT_NO_FATAL_FAILURE(open_one(i, 64));
		}
		offered = ALL;
	}

	uint32_t agreed(uint32_t self, uint32_t peer)
	{
		segue_channel *channel = segue_multi_channel_at(multis[self], peer);
		segue_ece ece = {};

		EXPECT_OK(segue_qp_query_ece(segue_channel_qp(channel), &ece));
		return ece.options;
	}

	void expect_agreed(uint32_t a, uint32_t b, uint32_t options)
	{
		segue_local_buf from = {};
		segue_remote_buf there = {};

		EXPECT_EQ(options, agreed(a, b));
		EXPECT_EQ(options, agreed(b, a));
		ASSERT_OK(segue_mr_local_buf(mrs[a], 0, 64, &from));
		ASSERT_OK(segue_mr_remote_buf(mrs[b], 0, 64, &there));
		EXPECT_OK(segue_channel_write(segue_multi_channel_at(multis[a], b), &from, &there,
					      segue_deadline_in_ms(WAIT_MS)));
	}

	segue_endpoint endpoint(uint32_t of, uint32_t to)
	{
		segue_endpoint endpoint = {};

		EXPECT_OK(segue_multi_channel_endpoint(multis[of], to, &endpoint));
		return endpoint;
	}

	// As one that knew nothing of ECE wrote it: those bytes were zero.
	segue_endpoint older(uint32_t of, uint32_t to)
	{
		segue_endpoint plain = endpoint(of, to);

		EXPECT_EQ(0x15b3u, (uint32_t)plain.user[54] << 8 | plain.user[55]);
		memset(plain.user + 52, 0, sizeof(plain.user) - 52);
		return plain;
	}

	void restart(uint32_t a, uint32_t b)
	{
		ASSERT_OK(segue_multi_channel_restart_peer(multis[a], b,
							   segue_deadline_in_ms(WAIT_MS)));
		ASSERT_OK(segue_multi_channel_restart_peer(multis[b], a,
							   segue_deadline_in_ms(WAIT_MS)));
	}
};

TEST_P(Ece, WhatBothOfferIsSetOnBothSides)
{
	ASSERT_NO_FATAL_FAILURE(open());
	EXPECT_EQ(COUNT * COUNT, sets);
	expect_agreed(0, 1, known());
	expect_agreed(1, 2, known());
	EXPECT_EQ(known(), agreed(0, 0));
	// The next generation of a pair begins with the offers, not with what was agreed.
	ASSERT_NO_FATAL_FAILURE(restart(0, 1));
	const segue_endpoint to_1 = endpoint(0, 1), to_0 = endpoint(1, 0);
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &to_0));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[1], 0, &to_1));
	expect_agreed(0, 1, known());
}

// A pair has what the lesser of two devices offers, and the others are none the worse.
TEST_P(Ece, ALesserDevice)
{
	ASSERT_NO_FATAL_FAILURE(open_with(~1u));
	for (uint32_t i = 0; i < COUNT; i++)
		connect(i);
	expect_agreed(0, 1, known() & ~1u);
	expect_agreed(1, 2, known() & ~1u);
	expect_agreed(0, 2, known());
}

// Neither side has offered what would be left; and one that has none offers nothing.
TEST_P(Ece, NothingInCommon)
{
	for (uint32_t of_one : {0x2u, 0x10000001u, 0u}) {
		for (uint32_t i = 0; i < COUNT; i++) {
			offered = i == 1 ? of_one : 0x10000002;
			ASSERT_NO_FATAL_FAILURE(open_one(i, 64));
		}
		offered = ALL;
		for (uint32_t i = 0; i < COUNT; i++)
			connect(i);
		expect_agreed(0, 1, of_one == 2 ? known() & 2 : 0);
		expect_agreed(0, 2, known() & 0x10000002);
		for (uint32_t i = 0; i < COUNT; i++)
			kill(i);
	}
}

// Its endpoints say nothing, and it reads those of this side as it always did.
TEST_P(Ece, AnOlderPeer)
{
	ASSERT_NO_FATAL_FAILURE(open_with(ALL));
	const segue_endpoint to_1 = older(0, 1), to_0 = older(1, 0), now = endpoint(0, 1);
	uint8_t wire[SEGUE_ENDPOINT_WIRE_SIZE];

	segue_endpoint_pack(&now, wire);
	EXPECT_EQ(1, wire[5]); // the version that it knows
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &to_0));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[1], 0, &to_1));
	expect_agreed(0, 1, 0);
}

TEST_P(Ece, OfAnotherVendor)
{
	ASSERT_NO_FATAL_FAILURE(open_with(ALL));
	segue_endpoint to_0 = endpoint(1, 0), to_1 = endpoint(0, 1);

	to_0.user[55]++;
	to_1.user[55]++;
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &to_0));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[1], 0, &to_1));
	expect_agreed(0, 1, 0);
}

// What the peer will have, this side does not: they are not connected.
TEST_P(Ece, ARefusalIsNotPassedOver)
{
	ASSERT_NO_FATAL_FAILURE(open_with(ALL));
	const segue_endpoint to_0 = endpoint(1, 0), to_1 = endpoint(0, 1);

	refusal = EINVAL;
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect_peer(multis[0], 1, &to_0));
	EXPECT_SAYS("Peer 1 cannot be connected: Queue pair 0x");
	EXPECT_SAYS("are not set: Invalid argument");
	EXPECT_EQ(SEGUE_CHANNEL_READY, segue_channel_state(segue_multi_channel_at(multis[0], 1)));
	refusal = 0;
	EXPECT_OK(segue_multi_channel_connect_peer(multis[0], 1, &to_0));
	EXPECT_OK(segue_multi_channel_connect_peer(multis[1], 0, &to_1));
	expect_agreed(0, 1, known());
}

// All at once, by one endpoint for all; and a pair by itself.
TEST_P(Ece, OverAWorld)
{
	const Meeting meeting(COUNT);

	ASSERT_NO_FATAL_FAILURE(open_with(~1u));
	for (segue_multi_channel *multi : multis)
		segue_multi_channel_hand_over(multi);
	meeting.run([this](segue_world *world, uint32_t rank) {
		EXPECT_OK(segue_multi_channel_meet(multis[rank], world, "ece", soon()));
		EXPECT_EQ(known() & ~(uint32_t)(rank == 1), agreed(rank, 2));
		EXPECT_OK(segue_world_fence(world, soon()));
		if (rank != 2) {
			EXPECT_OK(segue_multi_channel_meet_peer(multis[rank], world, 1 - rank,
								soon()));
			EXPECT_EQ(known() & ~1u, agreed(rank, 1 - rank));
		}
		EXPECT_OK(segue_world_fence(world, soon()));
		segue_multi_channel_hand_over(multis[rank]);
	});
	expect_agreed(0, 1, known() & ~1u);
	expect_agreed(0, 2, known());
}

INSTANTIATE_TEST_SUITE_P(All, Ece, ::testing::Values(SEGUE_TRANSPORT_RC), name_of_transport);

} // namespace
