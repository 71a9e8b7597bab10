/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What comes behind a request that changes a key waits for it, as libmlx5 has it: one request,
 * whichever way it is posted, whatever completes or is refused in between, and with its own fence
 * if it has one.
 */
#include <gtest/gtest.h>

#include <cstdint>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/gen/builders.h"

namespace
{

class FenceTest : public testing::Test
{
      protected:
	static constexpr uint32_t kBlocks = 64;

	void SetUp() override
	{
		segue_sq_init_options attr = {};

		attr.buf = ring_;
		attr.wqe_cnt = kBlocks;
		attr.dbrec = &dbrec_;
		attr.bf_reg = reg_;
		attr.bf_size = 256;
		attr.qpn = 0x77;
		attr.slots = slots_;
		ASSERT_EQ(0, segue_sq_init(&rc_.sq, &attr)) << segue_errmsg();
	}

	/* The fence of the request that was posted `back` before the last one. */
	uint32_t Fence(uint32_t pi)
	{
		segue_seg_ctrl ctrl;

		EXPECT_TRUE(segue_seg_ctrl_unpack(&ctrl, ring_ + size_t(pi % kBlocks) * 64));
		return ctrl.fm;
	}

	int Write(uint32_t flags)
	{
		at_ = rc_.sq.pi;
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(&rc_, 5, flags), 0x1000, 7), 0x2000, 64, 9));
	}

	void Invalidate(uint32_t flags, bool ring)
	{
		auto w = segue_mkey_invalidate(
			segue_umr_ctrl(segue_local_inv(&rc_, 3, flags, 0x1234)), 0x34);

		at_ = rc_.sq.pi;
		ASSERT_EQ(0, ring ? segue_post(w) : segue_commit(w)) << segue_errmsg();
	}

	segue_rc_sq rc_;
	uint32_t at_ = 0;

      private:
	alignas(64) uint8_t ring_[kBlocks * 64];
	segue_sq_slot slots_[kBlocks];
	uint32_t dbrec_ = 0;
	alignas(512) uint8_t reg_[512] = {};
};

TEST_F(FenceTest, NextRequestOnly)
{
	uint64_t wr_id;

	for (uint32_t round = 0; round < 200; round++) {
		const bool silent = round % 2, ring = round / 2 % 2, early = round / 4 % 2,
			   refused = round / 8 % 2;
		const uint32_t room = segue_sq_room(&rc_.sq);

		Invalidate(silent ? 0 : SEGUE_SIGNALED, ring);
		EXPECT_EQ(uint32_t(SEGUE_FENCE_NONE), Fence(at_));
		EXPECT_LT(0u, segue_sq_room(&rc_.sq));
		EXPECT_GT(room, segue_sq_room(&rc_.sq));
		if (early) {
			ASSERT_LE(0, segue_sq_retire(&rc_.sq, uint16_t(at_), &wr_id))
				<< segue_errmsg();
		}
		if (refused) {
			ASSERT_EQ(-ERANGE,
				  segue_post(segue_sge(
					  segue_raddr(segue_rdma_write(&rc_, 5, 0), 0x1000, 7),
					  0x2000, 1u << 31, 9)));
		}
		ASSERT_EQ(0, Write(silent ? 0 : SEGUE_SIGNALED)) << segue_errmsg();
		EXPECT_EQ(uint32_t(SEGUE_FENCE_INITIATOR_SMALL), Fence(at_)) << round;
		ASSERT_EQ(0, Write(SEGUE_SIGNALED));
		EXPECT_EQ(uint32_t(SEGUE_FENCE_NONE), Fence(at_)) << round;
		while (segue_sq_oldest(&rc_.sq, &wr_id))
			segue_sq_drop_oldest(&rc_.sq);
	}
}

TEST_F(FenceTest, OwnFenceCounts)
{
	for (const uint32_t flags :
	     {uint32_t(SEGUE_READ_FENCE), uint32_t(SEGUE_STRONG_ORDERING), uint32_t(SEGUE_FENCE)}) {
		Invalidate(SEGUE_SIGNALED, true);
		ASSERT_EQ(0, Write(SEGUE_SIGNALED | flags)) << segue_errmsg();
		EXPECT_EQ(flags >> 5, Fence(at_));
		ASSERT_EQ(0, Write(SEGUE_SIGNALED));
		EXPECT_EQ(uint32_t(SEGUE_FENCE_NONE), Fence(at_));
	}
}

/* One behind another is fenced as well, and a full queue or one in a wrong state refuses as ever.
 */
TEST_F(FenceTest, RefusalsAreAsBefore)
{
	Invalidate(SEGUE_SIGNALED, true);
	Invalidate(SEGUE_SIGNALED, true);
	EXPECT_EQ(uint32_t(SEGUE_FENCE_INITIATOR_SMALL), Fence(at_));
	segue_sq_set_postable(&rc_.sq, false);
	EXPECT_EQ(0u, segue_sq_room(&rc_.sq));
	EXPECT_EQ(-EINVAL, Write(SEGUE_SIGNALED));
	segue_sq_set_postable(&rc_.sq, true);
	ASSERT_EQ(0, Write(SEGUE_SIGNALED)) << segue_errmsg();
	EXPECT_EQ(uint32_t(SEGUE_FENCE_INITIATOR_SMALL), Fence(at_));
	while (segue_sq_room(&rc_.sq) >= 3)
		Invalidate(SEGUE_SIGNALED, true);
	while (!Write(SEGUE_SIGNALED)) {
	}
	EXPECT_EQ(-ENOSPC, Write(SEGUE_SIGNALED));
	EXPECT_EQ(0u, segue_sq_room(&rc_.sq));
}

} // namespace
