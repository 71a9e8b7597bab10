/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What checked builds find in polling: a second thread, unless it was declared, and a poll within a
 * poll.
 */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <thread>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "segue/lock.h"

static_assert(SEGUE_CHECKED == 1, "this test is of checked builds");

namespace
{

class CheckedCq : public testing::Test
{
      protected:
	void SetUp() override
	{
		segue_cq_init_options cq = {};
		segue_sq_init_options sq = {};
		segue_cq_queue queue = {};

		testing::FLAGS_gtest_death_test_style = "threadsafe";
		memset(cqes_, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(cqes_));
		cq.buf = cqes_;
		cq.cqe_cnt = 16;
		cq.cqe_size = 64;
		cq.dbrec = dbrec_;
		cq.cqn = 0x77;
		ASSERT_EQ(0, segue_cq_init(&cq_, &cq));
		sq.buf = ring_;
		sq.wqe_cnt = 64;
		sq.dbrec = &dbrec_[2];
		sq.bf_reg = reg_;
		sq.qpn = 0xabc;
		sq.slots = slots_;
		ASSERT_EQ(0, segue_sq_init(&rc_.sq, &sq));
		queue.number = 0xabc;
		queue.sq = &rc_.sq;
		ASSERT_EQ(0, segue_cq_attach(&cq_, &queue));
	}

	void TearDown() override { segue_cq_fini(&cq_); }

	void PostAndComplete()
	{
		segue_cqe64 cqe = {};

		cqe.qpn = 0xabc;
		cqe.opcode = SEGUE_CQE_OPCODE_REQ;
		cqe.wqe_counter = uint16_t(rc_.sq.pi);
		ASSERT_EQ(0, segue_post(segue_nop(&rc_, 1, SEGUE_SIGNALED)));
		segue_cqe64_pack(cqes_, &cqe);
	}

	static int PollElsewhere(segue_cq *cq)
	{
		int ret = -1;
		std::thread other([&] {
			segue_wc wc;

			ret = segue_cq_poll(cq, 1, &wc);
		});

		other.join();
		return ret;
	}

	static void PollAgain(const segue_wc *, void *cq) noexcept
	{
		segue_wc wc;

		(void)segue_cq_poll((segue_cq *)cq, 1, &wc);
	}

	alignas(64) uint8_t cqes_[16 * 64];
	alignas(64) uint8_t ring_[64 * 64] = {0};
	alignas(64) uint8_t reg_[512] = {0};
	segue_sq_slot slots_[64] = {};
	uint32_t dbrec_[3] = {0};
	segue_cq cq_;
	segue_rc_sq rc_;
};

using CheckedCqDeathTest = CheckedCq;

/* Even while nothing completes: that two threads poll is wrong before it does harm. */
TEST_F(CheckedCqDeathTest, TwoThreadsPoll)
{
	segue_wc wc;

	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_DEATH(PollElsewhere(&cq_),
		     "Completion queue 0x77 is used by a second thread.*segue_cq_hand_over");
}

TEST_F(CheckedCqDeathTest, OneThreadPostsAndAnotherPolls)
{
	PostAndComplete();
	EXPECT_DEATH(PollElsewhere(&cq_),
		     "Send queue of QP 0xabc is posted to by one thread while another polls");
}

TEST_F(CheckedCq, OneThreadPostsAndAnotherPollsAsDeclared)
{
	segue_cq_queue queue = {};
	segue_sq half;

	queue.number = 0xabc;
	ASSERT_EQ(0, segue_cq_detach(&cq_, &queue));
	segue_sq_split(&rc_.sq, &half);
	queue.sq = &rc_.sq;
	ASSERT_EQ(0, segue_cq_attach(&cq_, &queue));
	PostAndComplete();
	EXPECT_EQ(1, PollElsewhere(&cq_));
}

TEST_F(CheckedCqDeathTest, LockedAndNotShared)
{
	EXPECT_DEATH(segue_cq_lock(&cq_),
		     "Completion queue 0x77 is locked, and it was not declared to be shared");
}

TEST_F(CheckedCqDeathTest, SharedAndNotLocked)
{
	segue_wc wc;

	segue_cq_enable_lock(&cq_);
	EXPECT_DEATH((void)segue_cq_poll(&cq_, 1, &wc),
		     "Completion queue 0x77 is shared, and used by a thread that has not locked");
	segue_cq_lock(&cq_);
	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
	segue_cq_unlock(&cq_);
	std::thread other([&] {
		EXPECT_TRUE(segue_cq_trylock(&cq_));
		EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
		segue_cq_unlock(&cq_);
	});
	other.join();
}

TEST_F(CheckedCqDeathTest, ReceivesSharedAndNotLocked)
{
	segue_rq_init_options attr = {};
	segue_srq srq, front;
	uint16_t next[16];
	uint64_t wr_ids[16];

	attr.buf = ring_;
	attr.wqe_cnt = 16;
	attr.stride = 32;
	attr.dbrec = &dbrec_[2];
	attr.qpn = 0x99;
	attr.wr_ids = wr_ids;
	attr.next = next;
	ASSERT_EQ(0, segue_srq_init(&srq, &attr)) << segue_errmsg();
	EXPECT_DEATH(segue_srq_lock(&srq), "0x99 is locked, and it was not declared to be shared");
	srq.lock = 0;
	segue_srq_enable_lock(&srq, &front);
	EXPECT_DEATH((void)segue_post(segue_sge(segue_recv(&srq, 1), 8, 8, 8)),
		     "0x99 is shared, and used by a thread that has not locked it");
	segue_srq_lock(&srq);
	EXPECT_EQ(0, segue_post(segue_sge(segue_recv(&srq, 1), 8, 8, 8))) << segue_errmsg();
	segue_srq_unlock(&srq);
}

TEST_F(CheckedCqDeathTest, PollInAHandler)
{
	PostAndComplete();
	EXPECT_DEATH((void)segue_cq_poll_each(&cq_, 1, PollAgain, &cq_),
		     "Completion queue 0x77 is polled while a poll of it is under way");
}

TEST_F(CheckedCqDeathTest, PollBeforeTheEndOfAPoll)
{
	segue_wc wc;

	PostAndComplete();
	ASSERT_EQ(0, segue_cq_start_poll(&cq_, &wc));
	EXPECT_DEATH((void)segue_cq_start_poll(&cq_, &wc), "segue_cq_end_poll");
	segue_cq_end_poll(&cq_);
	EXPECT_EQ(-ENOENT, segue_cq_start_poll(&cq_, &wc));
	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
}

TEST_F(CheckedCq, HandedOverQueuesTakeAnotherThread)
{
	segue_wc wc;

	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
	PostAndComplete();
	segue_cq_hand_over(&cq_);
	segue_sq_hand_over(&rc_.sq);
	EXPECT_EQ(1, PollElsewhere(&cq_)) << segue_errmsg();
}

} // namespace
