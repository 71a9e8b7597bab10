// SPDX-License-Identifier: BSD-2-Clause
// Multicast groups over UD: members get every byte and know who sent it, others get nothing; and
// what is refused.
#include "segue/peers/multi_channel.h"

#include "tests/runtime/peers/channel/trio.h"

class Group : public Trio {
protected:
  segue_mcast_options options = {};
  std::array<segue_mcast *, COUNT> groups = {};

  void SetUp() override
  {
	  Trio::SetUp();
	  path.qkey = 0x4711;
	  if (path.link == SEGUE_LINK_IB) {
		  options.mgid.bytes[0] = 0xff;
		  options.mgid.bytes[1] = 0x12;
		  options.mgid.bytes[15] = 0x42;
		  options.mlid = 0xc042;
	  } else {
		  const uint8_t address[] = {0xff, 0xff, 239, 1, 2, 66};

		  memcpy(options.mgid.bytes + 10, address, sizeof(address));
	  }
	}

	void join(uint32_t who)
	{
		ASSERT_OK(segue_multi_channel_join_mcast(multis[who], &options, &groups[who]));
	}

	int send(uint32_t who, uint32_t offset, uint32_t length)
	{
		segue_local_buf from;

		EXPECT_OK(segue_mr_local_buf(mrs[who], offset, length, &from));
		return segue_multi_channel_send_mcast(multis[who], groups[who], &from,
						      segue_deadline_in_ms(WAIT_MS));
	}

	// Polls one of them until so many messages have come, or that long.
	size_t hear(uint32_t who, size_t count, uint32_t ms)
	{
		const segue_deadline deadline = segue_deadline_in_ms(ms);

		while (came[who].size() < count && segue_deadline_left_ms(deadline))
			EXPECT_LE(0, found(segue_multi_channel_poll_each(multis[who], 16, note,
									 &came[who])));
		return came[who].size();
	}
};

TEST_P(Group, MembersGetEveryByteAndKnowWhoSent)
{
	open();
	for (uint32_t who = 0; who < COUNT; who++)
		join(who);
	for (uint32_t round = 0; round < 20; round++) {
		for (uint32_t at = 0; at < 1024; at++)
			memory[0][at] = (uint8_t)(at * 7 + round);
		ASSERT_OK(send(0, 0, 1000 + round));
		for (uint32_t who = 1; who < COUNT; who++) {
			ASSERT_EQ(1u, hear(who, 1, WAIT_MS)) << who;
			const segue_wc &wc = came[who].back();
			EXPECT_EQ(0u, wc.peer.index);
			EXPECT_EQ(1000 + round, segue_multi_channel_payload_size(multis[who], &wc));
			EXPECT_EQ(0,
				  memcmp(memory[0], segue_multi_channel_payload(multis[who], &wc),
					 1000 + round));
			segue_multi_channel_give_back(multis[who], &wc);
			came[who].clear();
		}
	}
	EXPECT_EQ(0u, hear(0, 1, 50)) << "one hears oneself";
	// Datagrams to one peer go on as before.
	ASSERT_OK(Trio::send(1, SEGUE_SIGNALED));
	ASSERT_EQ(1u, hear(1, 1, WAIT_MS));
	EXPECT_EQ(0u, came[1].back().peer.index);
}

TEST_P(Group, WhoHasLeftOrOnlySendsHearsNothing)
{
	open();
	join(1);
	join(2);
	options.send_only = true;
	join(0);
	ASSERT_OK(send(0, 0, 64));
	EXPECT_EQ(1u, hear(1, 1, WAIT_MS));
	EXPECT_EQ(1u, hear(2, 1, WAIT_MS));
	ASSERT_OK(segue_mcast_leave(groups[1]));
	ASSERT_OK(send(0, 0, 64));
	EXPECT_EQ(2u, hear(2, 2, WAIT_MS));
	ASSERT_OK(send(2, 0, 64));
	EXPECT_EQ(1u, hear(1, 2, 100)) << "it has left";
	EXPECT_EQ(0u, hear(0, 1, 100) - sends()) << "it only sends";
	EXPECT_OK(segue_mcast_leave(nullptr));
	options.send_only = false;
	join(1); // and comes back
	ASSERT_OK(send(0, 0, 64));
	EXPECT_EQ(2u, hear(1, 2, WAIT_MS));
}

TEST_P(Group, GoesWithItsQueuePair)
{
	open();
	join(1);
	kill(1);
	join(0);
	EXPECT_OK(segue_mcast_leave(groups[0]));
}

// A key that was drawn is known to its peers, but not to a group.
TEST_P(Group, NeedsAQueueKeyThatAllKnow)
{
	path.qkey = 0;
	open();
	EXPECT_EQ(-EINVAL, segue_multi_channel_join_mcast(multis[0], &options, &groups[0]));
	EXPECT_SAYS("path.qkey");
}

TEST_P(Group, WhatMakesNoSenseIsRefusedByName)
{
	segue_mcast_options wrong = options;

	open();
	wrong.mgid.bytes[path.link == SEGUE_LINK_IB ? 0 : 12] = 0x20;
	EXPECT_EQ(-EINVAL, segue_multi_channel_join_mcast(multis[0], &wrong, &groups[0]));
	EXPECT_SAYS("mgid is no multicast address");
	for (uint16_t mlid : {1, 0xbfff, 0xffff}) {
		wrong = options;
		wrong.mlid = mlid;
		EXPECT_EQ(-EINVAL, segue_multi_channel_join_mcast(multis[0], &wrong, &groups[0]));
		EXPECT_SAYS("mlid is 0x");
	}
	wrong = options;
	wrong.flow_label = 1 << 20;
	EXPECT_EQ(-EINVAL, segue_multi_channel_join_mcast(multis[0], &wrong, &groups[0]));
	EXPECT_SAYS("flow_label");
	join(0);
	EXPECT_EQ(-EINVAL, send(0, 0, path.mtu + 1));
	EXPECT_SAYS("no datagram");
}

INSTANTIATE_TEST_SUITE_P(Over, Group, ::testing::Values(SEGUE_TRANSPORT_UD), name_of_transport);

class NoGroup : public Group {};

TEST_P(NoGroup, OverConnections)
{
	open();
	EXPECT_EQ(-ENOTSUP, segue_multi_channel_join_mcast(multis[0], &options, &groups[0]));
	EXPECT_SAYS("has no groups; use UD");
}

INSTANTIATE_TEST_SUITE_P(Over, NoGroup, ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
