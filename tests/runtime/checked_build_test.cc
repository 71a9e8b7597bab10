/* SPDX-License-Identifier: BSD-2-Clause */
/* What checked builds find: each broken promise ends the program with a sentence. */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <thread>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/gen/patterns.h"

static_assert(SEGUE_CHECKED == 1, "this test is of checked builds");

namespace
{

/* A builder must be used; this uses it. */
template <class Builder> void Drop(const Builder &)
{
}

class Checked : public testing::Test
{
      protected:
	void SetUp() override
	{
		segue_sq_init_options sq = {};
		segue_rq_init_options rq = {};

		testing::FLAGS_gtest_death_test_style = "threadsafe";
		sq.buf = ring_;
		sq.wqe_cnt = 64;
		sq.dbrec = &dbrec_;
		sq.bf_reg = reg_;
		sq.qpn = 0xabc;
		sq.slots = slots_;
		ASSERT_EQ(segue_sq_init(&rc_.sq, &sq), 0);
		rq.buf = strides_;
		rq.wqe_cnt = 8;
		rq.stride = 64;
		rq.dbrec = &dbrec_;
		rq.qpn = 0xdef;
		rq.wr_ids = wr_ids_;
		ASSERT_EQ(segue_rq_init(&rq_, &rq), 0);
	}

	alignas(64) uint8_t ring_[64 * 64] = {0};
	alignas(64) uint8_t strides_[8 * 64] = {0};
	alignas(64) uint8_t reg_[512] = {0};
	segue_sq_slot slots_[64] = {};
	uint64_t wr_ids_[8] = {0};
	uint32_t dbrec_ = 0;
	segue_rc_sq rc_;
	segue_rq rq_;
};

using CheckedDeathTest = Checked;

/* A CQE of the lap before names a block in which another request is in flight: only its counter's
 * upper bits tell. */
TEST_F(Checked, StaleCompletionsAreRefused)
{
	const uint16_t stale = uint16_t(rc_.sq.pi);
	uint64_t wr_id;

	for (int i = 0; i < 64; i++) {
		ASSERT_EQ(segue_post(segue_nop(&rc_, 1, SEGUE_SIGNALED)), 0);
		ASSERT_EQ(segue_sq_retire(&rc_.sq, uint16_t(i), &wr_id), 1);
	}
	ASSERT_EQ(segue_post(segue_nop(&rc_, 2, SEGUE_SIGNALED)), 0);
	EXPECT_EQ(segue_sq_retire(&rc_.sq, stale, &wr_id), -EINVAL);
	EXPECT_EQ(segue_sq_retire(&rc_.sq, uint16_t(stale + 64), &wr_id), 1);
	EXPECT_EQ(wr_id, 2u);
}

TEST_F(Checked, LetsGoodRequestsPass)
{
	for (int i = 0; i < 6; i++) {
		ASSERT_EQ(segue_post(segue_sge(
				  segue_raddr(segue_rdma_write(&rc_, 1, SEGUE_SIGNALED), 1, 2), 3,
				  4, 5)),
			  0)
			<< segue_errmsg();
		ASSERT_EQ(segue_post(segue_sge(segue_recv(&rq_, 1), 3, 4, 5)), 0) << segue_errmsg();
	}
}

TEST_F(Checked, LetsABuilderBeDropped)
{
	auto dropped = segue_raddr(segue_rdma_write(&rc_, 1, 0), 1, 2);

	Drop(dropped);
	EXPECT_EQ(segue_post(segue_send(&rc_, 2, SEGUE_SIGNALED)), 0);
}

TEST_F(CheckedDeathTest, BuilderPostedTwice)
{
	auto w = segue_sge(segue_raddr(segue_rdma_write(&rc_, 1, 0), 1, 2), 3, 4, 5);

	ASSERT_EQ(segue_post(w), 0);
	EXPECT_DEATH((void)segue_post(w), "segue_post\\(\\) on send queue of QP 0xabc is given a "
					  "builder that was already used");
}

TEST_F(CheckedDeathTest, BuilderContinuedTwice)
{
	auto w = segue_raddr(segue_rdma_write(&rc_, 1, 0), 1, 2);
	auto first = segue_sge(w, 3, 4, 5);

	Drop(first);
	EXPECT_DEATH(Drop(segue_sge(w, 3, 4, 5)), "segue_sge\\(\\) on send queue of QP 0xabc is "
						  "given a builder that was already used");
}

TEST_F(CheckedDeathTest, BuilderFromBeforeALaterRequest)
{
	auto old = segue_raddr(segue_rdma_write(&rc_, 1, 0), 1, 2);
	auto later = segue_send(&rc_, 2, 0);

	Drop(later);
	EXPECT_DEATH(Drop(segue_sge(old, 3, 4, 5)), "before a later work request was begun");
}

TEST_F(CheckedDeathTest, ReceiveBuilderPostedTwice)
{
	auto w = segue_sge(segue_recv(&rq_, 1), 3, 4, 5);

	ASSERT_EQ(segue_post(w), 0);
	EXPECT_DEATH((void)segue_post(w),
		     "receive queue 0xdef is given a builder that was already used");
}

TEST_F(CheckedDeathTest, SecondThread)
{
	ASSERT_EQ(segue_post(segue_send(&rc_, 1, 0)), 0);
	EXPECT_DEATH(
	    {
		    std::thread other([this] { (void)segue_post(segue_send(&rc_, 2, 0)); });
		    other.join();
	    },
	    "Send queue of QP 0xabc is used by a second thread");
}

TEST_F(CheckedDeathTest, SecondThreadOnAReceiveQueue)
{
	ASSERT_EQ(segue_post(segue_sge(segue_recv(&rq_, 1), 3, 4, 5)), 0);
	EXPECT_DEATH(
		{
			std::thread other([this] {
				(void)segue_post(segue_sge(segue_recv(&rq_, 2), 3, 4, 5));
			});
			other.join();
		},
		"Receive queue 0xdef is used by a second thread.*segue_rq_hand_over");
}

TEST_F(Checked, HandedOverQueueTakesAnotherThread)
{
	int ret = -1;

	ASSERT_EQ(segue_post(segue_send(&rc_, 1, 0)), 0);
	segue_sq_hand_over(&rc_.sq);
	std::thread other([&] { ret = segue_post(segue_send(&rc_, 2, 0)); });
	other.join();
	EXPECT_EQ(ret, 0);
}

TEST_F(Checked, HandedOverReceiveQueueTakesAnotherThread)
{
	int ret = -1;

	ASSERT_EQ(segue_post(segue_sge(segue_recv(&rq_, 1), 3, 4, 5)), 0);
	segue_rq_hand_over(&rq_);
	std::thread other([&] { ret = segue_post(segue_sge(segue_recv(&rq_, 2), 3, 4, 5)); });
	other.join();
	EXPECT_EQ(ret, 0);
}

/* A field narrower than its C type. */
TEST_F(CheckedDeathTest, ValueTooWide)
{
	segue_seg_tm tm;

	memset(&tm, 0, sizeof(tm));
	tm.opcode = 16; /* four bits */
	uint8_t bytes[SEGUE_SEG_TM_SIZE];
	EXPECT_DEATH(segue_seg_tm_pack(bytes, &tm), "check failed: .*opcode");
}

TEST_F(CheckedDeathTest, ValueTooWideInABuilder)
{
	EXPECT_DEATH(Drop(segue_send_en_index(segue_send_en(&rc_, 1, 0), 0, 0x1000000)),
		     "checked_build_test.cc:.*'qpn' of segment 'send_en' is 16777216 .*expected 0 "
		     "to 16777215");
}

/* The bytes are looked at again when the request is whole: here somebody overwrote them in between.
 */
TEST_F(CheckedDeathTest, BadWqeAtCommit)
{
	auto w = segue_sge(segue_raddr(segue_rdma_write(&rc_, 1, 0), 1, 2), 3, 4, 5);

	memset(ring_ + 32, 0, 4); /* the SGE's length */
	EXPECT_DEATH((void)segue_post(w), "Send queue of QP 0xabc: the request is not a legal WQE, "
					  "byte 32, data.byte_count: found 0x0");
}

/* What a device cuts into frames at most is its own, so no table tells. */
TEST_F(CheckedDeathTest, MoreThanTheDeviceCuts)
{
	static const uint8_t headers[54] = {0};
	segue_raw_packet_sq raw;
	segue_sq_init_options attr = {};

	attr.buf = ring_;
	attr.wqe_cnt = 64;
	attr.dbrec = &dbrec_;
	attr.bf_reg = reg_;
	attr.qpn = 0xabc;
	attr.slots = slots_;
	attr.max_tso = 1000;
	ASSERT_EQ(segue_sq_init(&raw.sq, &attr), 0);
	const auto begun = [&] {
		return segue_inline_data(
			segue_eth(segue_tso(&raw, 1, 0), 0, 100, headers, sizeof(headers)), headers,
			50);
	};

	EXPECT_EQ(segue_post(segue_sge(segue_sge(begun(), 2, 900, 3), 2, 50, 3)), 0)
		<< segue_errmsg();
	EXPECT_DEATH((void)segue_post(segue_sge(segue_sge(begun(), 2, 900, 3), 2, 51, 3)),
		     "checked_build_test.cc:[0-9]+: Send queue of QP 0xabc: the request has 1001 "
		     "bytes cut into frames, and the device takes 1000 at most");
}

TEST_F(CheckedDeathTest, BadReceiveWqeAtCommit)
{
	auto w = segue_sge(segue_sge(segue_recv(&rq_, 1), 3, 4, 5), 6, 7, 8);

	memset(strides_ + 16, 0xff, 4);
	EXPECT_DEATH((void)segue_post(w),
		     "Receive queue 0xdef: the request is not a legal WQE, byte 16");
}

/* Blocks keep what they had a lap ago: what is set once is set in each repetition. */
TEST_F(CheckedDeathTest, APatternIsRepeatedAlike)
{
	segue_rc_send_may_take_sge_pattern p;

	ASSERT_EQ(0, segue_pattern_rc_send_may_take_sge(segue_sge(segue_send(&rc_, 1, 0), 1, 2, 3),
							&p));
	auto r = segue_repeat_begin(&p, 1);
	segue_set_sge_addr(&r, 4);
	ASSERT_EQ(0, segue_repeat(&r, 0));
	EXPECT_DEATH(Drop(segue_nop(&rc_, 2, 0)), "QP 0xabc: a batch was begun and not ended");
	segue_set_sge_byte_count(&r, 4);
	EXPECT_DEATH((void)segue_repeat(&r, 0),
		     "QP 0xabc: a pattern is repeated with other fields set than before");
	segue_set_sge_addr(&r, 4);
	segue_repeat_end(&r);
}

/* The queue's state is in the batch until it ends. */
TEST_F(CheckedDeathTest, RequestBesideABatch)
{
	segue_rc_batch batch = segue_batch_begin(&rc_);

	ASSERT_EQ(0, segue_commit(segue_nop(&batch, 1, 0)));
	EXPECT_DEATH(Drop(segue_nop(&rc_, 2, 0)), "QP 0xabc: a batch was begun and not ended");
	EXPECT_DEATH(Drop(segue_batch_begin(&rc_)), "QP 0xabc: a batch was begun and not ended");
	segue_batch_end(&batch);
	EXPECT_EQ(0, segue_post(segue_nop(&rc_, 2, SEGUE_SIGNALED)));
}

} // namespace
