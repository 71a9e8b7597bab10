// SPDX-License-Identifier: BSD-2-Clause
// Requests of a batch beside the same ones posted one by one: the rings, what is kept of each
// request, the doorbell record and every refusal are the same, wherever the ring ends, is full, or
// is about to fill up with unsignaled requests.
#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/runtime/plain_queue.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

template <class Queue> void Open(World *world, Queue *queue, uint32_t first)
{
	memset(world, 0, sizeof(*world));
	OpenOver(world, queue, first);
}

struct Request {
	uint32_t kind, flags, length;
	uint64_t number;
};

uint8_t payload[256];

// The same request on a queue and on a batch; returned as the ending does.
template <class Handle> int Commit(Handle *handle, const Request &r)
{
	const uint64_t n = r.number;

	switch (r.kind) {
	case 0:
		return segue_commit(segue_nop(handle, n, r.flags));
	case 1: // 0 bytes are refused
		return segue_commit(
			segue_sge(segue_raddr(segue_rdma_write(handle, n, r.flags), n * 4096, 7),
				  n * 64, r.length, 9));
	case 2:
		return segue_commit(
			segue_inline_data(segue_raddr(segue_rdma_write(handle, n, r.flags), n, 7),
					  payload, r.length));
	case 3: {
		const segue_seg_data list[5] = {
			{1, 2, n}, {3, 4, n}, {5, 6, n}, {7, 8, n}, {9, 10, n}};

		return segue_commit(
			segue_sge_list(segue_send(handle, n, r.flags), list, 1 + r.length % 5));
	}
	case 4:
		return segue_commit(segue_sge(
			segue_atomic_add(segue_raddr(segue_atomic_fa(handle, n, r.flags), 8, 9), n),
			8, 8, 1));
	case 5: // the next request waits for it
		return segue_commit(segue_mkey_invalidate(
			segue_umr_ctrl(segue_local_inv(handle, n, r.flags, uint32_t(n))),
			uint8_t(n)));
	default:
		return -EDOM;
	}
}

class Batch : public testing::Test
{
      protected:
	Batch() : dice_(segue_test_seed()) {}

	uint32_t Below(uint32_t n) { return uint32_t(dice_() % n); }

	void Same(const char *when)
	{
		ASSERT_EQ(0, memcmp(one_.ring, many_.ring, sizeof(one_.ring))) << when;
		ASSERT_EQ(0, memcmp(one_.slots, many_.slots, sizeof(one_.slots))) << when;
		ASSERT_EQ(one_.dbrec, many_.dbrec) << when;
		ASSERT_EQ(0, memcmp(one_.reg, many_.reg, sizeof(one_.reg))) << when;
		ASSERT_EQ(plain_.sq.pi, batched_.sq.pi) << when;
		ASSERT_EQ(plain_.sq.limit, batched_.sq.limit) << when;
		ASSERT_EQ(plain_.sq.forced, batched_.sq.forced) << when;
	}

	SplitMix64 dice_;
	World one_, many_;
	segue_rc_sq plain_, batched_;
};

TEST_F(Batch, LeavesWhatRequestsOneByOneLeave)
{
	uint32_t refused = 0, forced = 0;

	for (int life = 0; life < 200 && !HasFatalFailure(); life++) {
		const uint32_t first = life % 3 == 0   ? UINT32_MAX - Below(100)
				       : life % 3 == 1 ? 0xffffu - Below(100)
						       : Below(100);

		Open(&one_, &plain_, first);
		Open(&many_, &batched_, first);
		for (int round = 0; round < 60 && !HasFatalFailure(); round++) {
			segue_rc_batch batch = segue_batch_begin(&batched_);
			const uint32_t n = Below(20), silent = Below(3);

			for (uint32_t i = 0; i < n; i++) {
				const Request r = {
					Below(6),
					!silent || Below(4) == 0 ? uint32_t(SEGUE_SIGNALED) : 0,
					Below(8) ? 1 + Below(120) : Below(2) * 200, dice_() >> 8};
				const int plain = Commit(&plain_, r);
				const std::string said = plain ? segue_errmsg() : "";

				ASSERT_EQ(plain, Commit(&batch, r)) << segue_errmsg();
				if (plain) {
					ASSERT_EQ(said, segue_errmsg());
				}
				refused += plain != 0;
			}
			segue_ring_doorbell(&plain_);
			segue_batch_end(&batch);
			Same("behind a batch");
			for (uint32_t i = Below(12); i > 0; i--) {
				segue_sq_drop_oldest(&plain_.sq);
				segue_sq_drop_oldest(&batched_.sq);
			}
			forced += plain_.sq.forced != first;
		}
	}
	EXPECT_GT(refused, 100u);
	EXPECT_GT(forced, 100u);
}

// A post within a batch tells the device of all before it, and a poll meanwhile makes room.
TEST_F(Batch, CanBePostedAndPolledMeanwhile)
{
	Open(&one_, &plain_, 0);
	Open(&many_, &batched_, 0);
	segue_rc_batch batch = segue_batch_begin(&batched_);

	for (uint32_t i = 0; i < 100; i++) {
		uint64_t wr_id;

		ASSERT_EQ(0, segue_commit(segue_nop(&plain_, i, 0)));
		ASSERT_EQ(0, segue_commit(segue_nop(&batch, i, 0)));
		ASSERT_EQ(0, segue_post(segue_nop(&plain_, i, SEGUE_SIGNALED)));
		ASSERT_EQ(0, i % 2 ? segue_post(segue_nop(&batch, i, SEGUE_SIGNALED))
				   : segue_post_blueflame(segue_nop(&batch, i, SEGUE_SIGNALED)));
		Same("behind a post");
		ASSERT_EQ(1, segue_sq_retire(&plain_.sq, uint16_t(2 * i + 1), &wr_id));
		ASSERT_EQ(1, segue_sq_retire(&batched_.sq, uint16_t(2 * i + 1), &wr_id));
		ASSERT_EQ(i, wr_id);
	}
	memset(many_.reg, 0, sizeof(many_.reg));
	segue_batch_end(&batch); // there is nothing to tell
	EXPECT_EQ(0, many_.reg[3]);
	EXPECT_EQ(0u, segue_sq_abort(&batched_.sq));
}

// What was committed before a batch is told with it; an empty one tells nothing.
TEST_F(Batch, TellsOfWhatWasCommittedBefore)
{
	Open(&many_, &batched_, 0);
	ASSERT_EQ(0, segue_commit(segue_nop(&batched_, 1, 0)));
	segue_rc_batch empty = segue_batch_begin(&batched_);
	segue_batch_end(&empty);
	EXPECT_EQ(0u, many_.dbrec);
	segue_rc_batch batch = segue_batch_begin(&batched_);
	ASSERT_EQ(0, segue_commit(segue_nop(&batch, 2, 0)));
	segue_batch_end(&batch);
	EXPECT_EQ(segue_be32(2), many_.dbrec);
}

// A burst whose last request is made to complete at the doorbell.
TEST(SignalLast, AtTheDoorbell)
{
	World world;
	segue_rc_sq rc = {};
	uint64_t wr_id = 0;

	Open(&world, &rc, 0);
	EXPECT_EQ(0, segue_sq_signal_last(&rc.sq)) << "nothing was committed";
	for (uint64_t i = 1; i <= 3; i++)
		ASSERT_EQ(0, segue_commit(segue_nop(&rc, i, SEGUE_FIRST_ERROR_ONLY)));
	EXPECT_EQ(1, segue_sq_signal_last(&rc.sq));
	EXPECT_EQ(0, segue_sq_signal_last(&rc.sq)) << "it is signaled";
	segue_ring_doorbell(&rc);
	EXPECT_EQ(0, segue_sq_signal_last(&rc.sq)) << "the device knows of it";
	for (uint32_t i = 0; i < 3; i++)
		EXPECT_EQ(i == 2 ? SEGUE_SIGNALED : SEGUE_FIRST_ERROR_ONLY,
			  world.ring[i * 64 + 11] & SEGUE_SIGNALED_EVENT);
	EXPECT_EQ(1, segue_sq_retire(&rc.sq, 2, &wr_id));
	EXPECT_EQ(3u, wr_id);
	EXPECT_EQ(kBlocks - rc.sq.blocks, segue_sq_room(&rc.sq));

	ASSERT_EQ(0, segue_commit(segue_nop(&rc, 4, SEGUE_SIGNALED_EVENT)));
	EXPECT_EQ(0, segue_sq_signal_last(&rc.sq));
	EXPECT_EQ(SEGUE_SIGNALED_EVENT, world.ring[3 * 64 + 11] & SEGUE_SIGNALED_EVENT);
	segue_ring_doorbell(&rc);
	ASSERT_EQ(1, segue_sq_retire(&rc.sq, 3, &wr_id));

	// one that the queue itself has made to complete is the program's then
	for (uint64_t i = 5; segue_sq_room(&rc.sq) > 0; i++) {
		ASSERT_EQ(0, segue_commit(segue_nop(&rc, i, 0)));
		if (segue_sq_room(&rc.sq) == 0) {
			EXPECT_EQ(1, segue_sq_signal_last(&rc.sq));
			segue_ring_doorbell(&rc);
			EXPECT_EQ(1, segue_sq_retire(&rc.sq, uint16_t(rc.sq.pi - 1), &wr_id));
			EXPECT_EQ(i, wr_id);
			break;
		}
	}
	EXPECT_EQ(kBlocks - rc.sq.blocks, segue_sq_room(&rc.sq));
}

} // namespace
