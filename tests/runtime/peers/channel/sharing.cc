// SPDX-License-Identifier: BSD-2-Clause
// Several multi-channels on one completion queue, one shared receive queue and one pool; and where
// queues of their own lie.
#include "segue/peers/fan.h"
#include "tests/runtime/control/place.h"
#include "tests/runtime/peers/channel/sharing.h"

class Shared : public Sharing {
protected:
	static constexpr uint32_t BUFFERS = 16;

	void adjust(segue_multi_channel_options *options) override
	{
		ASSERT_NO_FATAL_FAILURE(share(options, 4096, BUFFERS));
		options->handler = nullptr;
	}

	segue_local_buf local(uint32_t of, uint32_t offset)
	{
		segue_local_buf piece = {};

		EXPECT_OK(segue_mr_local_buf(mrs[of], offset, 64, &piece));
		return piece;
	}

	int send_to(uint32_t peer)
	{
		const segue_local_buf from = local(0, 0);

		return segue_channel_send(segue_multi_channel_at(multis[0], peer), &from,
					  segue_deadline_in_ms(5000));
	}

	// A message of 0.
	int receive(uint32_t at)
	{
		const uint32_t sender = 0;
		const segue_local_buf into = local(at, 128);
		segue_fan_result result;
		segue_fan fan = {};

		fan.multi = multis[at];
		fan.peers = &sender;
		fan.count = 1;
		fan.results = &result;
		fan.deadline = segue_deadline_in_ms(5000);
		return segue_fan_receive(&fan, &into);
	}
};

TEST_P(Shared, EachGetsItsOwn)
{
	open();
	for (int i = 0; i < 100; i++) {
		memory[0][0] = (uint8_t)i;
		ASSERT_OK(send_to(1));
		// While 0 waits for another, it polls what comes for 1 as well.
		ASSERT_OK(send_to(2));
		ASSERT_OK(receive(1));
		ASSERT_OK(receive(2));
		EXPECT_EQ((uint8_t)i, memory[1][128]);
		EXPECT_EQ((uint8_t)i, memory[2][128]);
	}
}

// Messages that it has kept, and such as nobody has polled: others take their receives from the
// same buffers.
TEST_P(Shared, WhatOneLeavesBehindIsTheOthersAgain)
{
	open();
	for (uint32_t round = 0; round < 2 * BUFFERS; round++) {
		const segue_seg_data entry = piece(0, 0, 64);
		segue_peer_send_imm_args unheard = {};
		segue_endpoint theirs, mine;

		ASSERT_OK(send_to(2)) << "round " << round;
		ASSERT_OK(send_to(2)) << "round " << round;
		unheard.wr_id = 1;
		unheard.flags = SEGUE_SIGNALED;
		unheard.sges = &entry;
		unheard.sge_count = 1;
		ASSERT_OK(segue_peer_send_imm(multis[0], 2, &unheard));
		ASSERT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(5000)));
		// perhaps in the middle of coming
		ASSERT_OK(segue_peer_send_imm(multis[0], 2, &unheard));
		kill(2);
		ASSERT_OK(segue_mr_close(mrs[2]));
		free(memory[2]);
		memory[2] = nullptr;
		ASSERT_OK(
			segue_multi_channel_restart_peer(multis[0], 2, segue_deadline_in_ms(5000)));
		open_one(2, 0);
		ASSERT_OK(segue_multi_channel_endpoint(multis[2], 0, &theirs));
		ASSERT_OK(segue_multi_channel_endpoint(multis[0], 2, &mine));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 2, &theirs));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[2], 0, &mine));
		ASSERT_OK(send_to(1)) << "round " << round;
		ASSERT_OK(receive(1)) << "round " << round;
	}
	for (uint32_t i = 0; i < COUNT; i++)
		kill(i);
	// All are posted, and none is with anybody.
	EXPECT_EQ(0u, segue_pool_available(pool));
	EXPECT_EQ(BUFFERS, srq->ring.pi - (srq->ring.limit - srq->ring.most));
}

TEST_P(Shared, TheyAreNotClosedBefore)
{
	open();
	EXPECT_EQ(-EBUSY, segue_srq_close(srq));
	EXPECT_EQ(-EBUSY, segue_pool_close(pool));
	EXPECT_SAYS("multi-channel");
	for (uint32_t i = 0; i < COUNT; i++)
		kill(i);
	EXPECT_OK(segue_srq_close(srq));
	EXPECT_OK(segue_pool_close(pool));
}

TEST_P(Shared, OneWithoutTheOtherIsRefusedByName)
{
	segue_multi_channel_options options = {}, wrong;
	segue_pool_options buffers = {};
	segue_multi_channel *multi;
	segue_pool *elsewhere;
	segue_pd *another;

	adjust(&options);
	options.transport = GetParam();
	options.peers = COUNT;
	options.path = &path;
	wrong = options;
	wrong.pool = nullptr;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
	EXPECT_SAYS("pool is NULL");
	wrong = options;
	wrong.srq = nullptr;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
	EXPECT_SAYS("srq is NULL");
	wrong = options;
	wrong.receives = 5;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
	EXPECT_SAYS("receives is given");
	wrong = options;
	wrong.receive_size = 5;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
	EXPECT_SAYS("receive_size is given");
	buffers.count = 4;
	buffers.size = 40;
	ASSERT_OK(segue_pd_open(device, &another));
	ASSERT_OK(segue_pool_open(another, &buffers, &elsewhere));
	wrong = options;
	wrong.pool = elsewhere;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
	EXPECT_SAYS("another protection domain");
	EXPECT_OK(segue_pd_close(another));
	if (GetParam() == SEGUE_TRANSPORT_UD) {
		ASSERT_OK(segue_pool_open(pd, &buffers, &wrong.pool));
		EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &wrong, &multi));
		EXPECT_SAYS("the pool's buffers have 40 bytes");
	}
}

// Each of its objects is asked for it: where that cannot be, they say so one after the other.
TEST_P(Shared, OnHugePagesAndNear)
{
	segue_multi_channel_options given = {}, options;
	segue_place_info place;
	segue_multi_channel *multi;

	adjust(&given);
	ASSERT_OK(segue_device_query_place(device, &place));
	options = given;
	options.transport = GetParam();
	options.peers = COUNT;
	options.path = &path;
	options.near_device = true;
	if (place.numa_node < 0 || !may_bind(place.numa_node)) {
		EXPECT_GT(0, segue_multi_channel_open(pd, &options, &multi));
		EXPECT_SAYS("Queue pair: ");
		options.srq = nullptr;
		options.pool = nullptr;
		EXPECT_GT(0, segue_multi_channel_open(pd, &options, &multi));
		EXPECT_SAYS("Shared receive queue: ");
		options.cq = nullptr;
		EXPECT_GT(0, segue_multi_channel_open(pd, &options, &multi));
		EXPECT_SAYS("Completion queue: ");
		return;
	}
	options.cq = nullptr;
	options.srq = nullptr;
	options.pool = nullptr;
	options.huge_pages = meminfo("HugePages_Free: %lu") >= 4;
	ASSERT_OK(segue_multi_channel_open(pd, &options, &multi));
	const void *const pieces[] = {multi->cq->ring.buf, multi->srq->ring.buf,
				      multi->pool->start};
	for (const void *at : pieces) {
		EXPECT_EQ(MPOL_BIND, policy_of(at));
		EXPECT_EQ(options.huge_pages, page_kib_of(at) > 4);
	}
	EXPECT_OK(segue_multi_channel_close(multi));
	if (!options.huge_pages)
		GTEST_SKIP() << NO_HUGE_PAGES;
}

INSTANTIATE_TEST_SUITE_P(All, Shared,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
