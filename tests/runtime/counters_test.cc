// SPDX-License-Identifier: BSD-2-Clause
// Counters of queues over plain memory: each thing that is counted is done a number of times, and
// nothing else has changed then. This file is compiled with SEGUE_COUNTERS=1, the library is not.
#include "segue/counters.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/patterns.h"

namespace
{

constexpr uint32_t kBlocks = 32, kEntries = 64, kQpn = 0x1234;

class Counters : public testing::Test
{
      protected:
	Counters()
	{
		segue_sq_init_options sends = {};
		segue_rq_init_options receives = {};
		segue_cq_init_options completions = {};
		segue_cq_queue queue = {};

		memset(&memory_, 0, sizeof(memory_));
		for (uint32_t i = 0; i < kEntries; i++)
			memory_.cqes[i * 64 + 63] = SEGUE_CQE_OPCODE_INVALID << 4;
		sends.buf = memory_.ring;
		sends.wqe_cnt = kBlocks;
		sends.dbrec = &memory_.dbrec[1];
		sends.bf_reg = memory_.reg;
		sends.bf_size = 256;
		sends.qpn = kQpn;
		sends.slots = memory_.slots;
		EXPECT_EQ(0, segue_sq_init(&sq_.sq, &sends)) << segue_errmsg();
		receives.buf = memory_.receives;
		receives.wqe_cnt = kBlocks;
		receives.stride = 64;
		receives.dbrec = &memory_.dbrec[0];
		receives.wr_ids = memory_.wr_ids;
		EXPECT_EQ(0, segue_rq_init(&rq_, &receives)) << segue_errmsg();
		completions.buf = memory_.cqes;
		completions.cqe_cnt = kEntries;
		completions.cqe_size = 64;
		completions.dbrec = &memory_.dbrec[2];
		EXPECT_EQ(0, segue_cq_init(&cq_, &completions)) << segue_errmsg();
		queue.number = kQpn;
		queue.sq = &sq_.sq;
		queue.rq = &rq_;
		EXPECT_EQ(0, segue_cq_attach(&cq_, &queue)) << segue_errmsg();
	}

	~Counters() override
	{
		segue_cq_fini(&cq_);
	}

	int Post(uint32_t flags)
	{
		return segue_post(segue_sge(segue_send(&sq_, 1, flags), 64, 8, 1));
	}

	// The device writes one.
	void Complete(uint8_t opcode, uint32_t counter, uint8_t syndrome = 0)
	{
		uint8_t *const entry = memory_.cqes + size_t(written_ % kEntries) * 64;
		const uint8_t owner = written_++ / kEntries & 1;
		segue_err_cqe failed = {};
		segue_cqe64 good = {};

		if (syndrome) {
			failed.qpn = kQpn;
			failed.opcode = opcode;
			failed.syndrome = syndrome;
			failed.wqe_counter = uint16_t(counter);
			failed.owner = owner;
			segue_err_cqe_pack(entry, &failed);
			return;
		}
		good.qpn = kQpn;
		good.opcode = opcode;
		good.wqe_counter = uint16_t(counter);
		good.owner = owner;
		segue_cqe64_pack(entry, &good);
	}

	int Poll(int max)
	{
		return segue_cq_poll_each(
			&cq_, max, [](const segue_wc *, void *) noexcept {}, nullptr);
	}

	segue_counters Sends() const
	{
		segue_counters counters;

		segue_sq_get_counters(&sq_.sq, &counters);
		return counters;
	}

	segue_counters Receives() const
	{
		segue_counters counters;

		segue_rq_get_counters(&rq_, &counters);
		return counters;
	}

	segue_counters Completions() const
	{
		segue_counters counters;

		segue_cq_get_counters(&cq_, &counters);
		return counters;
	}

	static std::string Print(const segue_counters &counters)
	{
		char line[512];

		EXPECT_EQ(strlen((segue_counters_print(&counters, line, sizeof(line)), line)),
			  segue_counters_print(&counters, nullptr, 0));
		return line;
	}

	struct {
		alignas(64) uint8_t ring[kBlocks * 64];
		alignas(64) uint8_t receives[kBlocks * 64];
		alignas(64) uint8_t cqes[kEntries * 64];
		alignas(512) uint8_t reg[512];
		segue_sq_slot slots[kBlocks];
		uint64_t wr_ids[kBlocks];
		uint32_t dbrec[4];
	} memory_;
	uint32_t written_ = 0;
	segue_rc_sq sq_ = {};
	segue_rq rq_ = {};
	segue_cq cq_ = {};
};

TEST_F(Counters, BeginAtNothing)
{
	EXPECT_EQ("", Print(Sends()));
	EXPECT_EQ("", Print(Receives()));
	EXPECT_EQ("", Print(Completions()));
}

TEST_F(Counters, EachWayToPost)
{
	EXPECT_EQ(0, Post(SEGUE_SIGNALED));
	EXPECT_EQ("posted=1 rung=1", Print(Sends()));
	EXPECT_EQ(0, segue_commit(segue_nop(&sq_, 1, SEGUE_SIGNALED)));
	EXPECT_EQ(0, segue_commit(segue_nop(&sq_, 1, SEGUE_SIGNALED)));
	EXPECT_EQ("posted=3 rung=1", Print(Sends()));
	segue_ring_doorbell(&sq_);
	EXPECT_EQ("posted=3 rung=2", Print(Sends()));
	EXPECT_EQ(0, segue_post_blueflame(segue_nop(&sq_, 1, SEGUE_SIGNALED)));
	EXPECT_EQ("posted=4 rung=3", Print(Sends()));
	EXPECT_EQ(0, segue_commit(segue_nop(&sq_, 1, SEGUE_SIGNALED)));
	EXPECT_EQ(0, segue_post_blueflame(segue_nop(&sq_, 1, SEGUE_SIGNALED)))
		<< "by the doorbell, as one is waiting";
	EXPECT_EQ("posted=6 rung=4", Print(Sends()));
	EXPECT_EQ(0, segue_commit(segue_nop(&sq_, 1, SEGUE_SIGNALED)));
	EXPECT_EQ(1u, segue_sq_abort(&sq_.sq));
	EXPECT_EQ("posted=7 rung=4", Print(Sends()));
}

TEST_F(Counters, BatchesAndPatterns)
{
	auto batch = segue_batch_begin(&sq_);

	EXPECT_EQ(0, segue_commit(segue_nop(&batch, 1, SEGUE_SIGNALED)));
	EXPECT_EQ(0, segue_commit(segue_nop(&batch, 1, SEGUE_SIGNALED)));
	segue_batch_end(&batch);
	EXPECT_EQ("posted=2 rung=1", Print(Sends()));

	segue_rc_send_may_take_sge_pattern pattern;

	ASSERT_EQ(0, segue_pattern_rc_send_may_take_sge(
			     segue_sge(segue_send(&sq_, 0, SEGUE_SIGNALED), 3, 4, 5), &pattern))
		<< segue_errmsg();
	auto repeat = segue_repeat_begin(&pattern, 1);
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, segue_repeat(&repeat, 0));
	segue_repeat_end(&repeat);
	EXPECT_EQ("posted=5 rung=2", Print(Sends()));
}

// Unsignaled requests take the slow path in the end. They are counted there, too, and only once.
TEST_F(Counters, ForcedAndRefused)
{
	uint64_t posted = 0, refused = 0;

	while (refused < 3)
		if (Post(0) == 0)
			posted++;
		else
			refused++;
	EXPECT_EQ(posted, Sends().posted);
	EXPECT_EQ(posted, Sends().rung);
	EXPECT_EQ(refused, Sends().refused);
	EXPECT_GE(Sends().forced, 1u);
	EXPECT_LT(Sends().forced, posted);
}

TEST_F(Counters, Receiving)
{
	volatile uint32_t long_ = 0x80000001u;

	for (int i = 0; i < 2; i++)
		EXPECT_EQ(0, segue_commit(segue_sge(segue_recv(&rq_, 1), 1, 1, 1)));
	segue_ring_doorbell(&rq_);
	EXPECT_EQ(0, segue_post(segue_sge(segue_recv(&rq_, 1), 1, 1, 1)));
	EXPECT_EQ("posted=3 rung=2", Print(Receives()));
	EXPECT_EQ(-ERANGE, segue_post(segue_sge(segue_recv(&rq_, 1), 1, long_, 1)));
	EXPECT_EQ("posted=3 rung=2 refused=1", Print(Receives()));
}

TEST_F(Counters, Polls)
{
	segue_wc_details details;
	segue_wc wc[4];

	EXPECT_EQ(0, Poll(1));
	EXPECT_EQ(0, Poll(4));
	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, wc));
	EXPECT_EQ(0, segue_cq_poll(&cq_, 4, wc));
	EXPECT_EQ(0, segue_cq_poll_details(&cq_, 1, wc, &details));
	EXPECT_EQ(-ENOENT, segue_cq_start_poll(&cq_, wc));
	EXPECT_EQ("polls=5 empty=5", Print(Completions()));
	for (uint32_t i = 0; i < 6; i++) {
		EXPECT_EQ(0, Post(SEGUE_SIGNALED));
		Complete(SEGUE_CQE_OPCODE_REQ, i);
	}
	EXPECT_EQ(1, Poll(1));
	EXPECT_EQ(1, segue_cq_poll(&cq_, 1, wc));
	EXPECT_EQ(1, segue_cq_poll_details(&cq_, 1, wc, &details));
	EXPECT_EQ(0, segue_cq_start_poll(&cq_, wc));
	segue_cq_end_poll(&cq_);
	EXPECT_EQ(2, Poll(4));
	EXPECT_EQ("polls=9 empty=5 entries=6", Print(Completions()));
}

TEST_F(Counters, ErrorsBySyndrome)
{
	for (int i = 0; i < 3; i++)
		EXPECT_EQ(0, Post(SEGUE_SIGNALED));
	EXPECT_EQ(0, segue_post(segue_sge(segue_recv(&rq_, 1), 1, 1, 1)));
	Complete(SEGUE_CQE_OPCODE_REQ_ERR, 0, SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR);
	Complete(SEGUE_CQE_OPCODE_REQ_ERR, 1, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
	Complete(SEGUE_CQE_OPCODE_REQ_ERR, 2, 0xee);
	Complete(SEGUE_CQE_OPCODE_RESP_ERR, 0, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
	EXPECT_EQ(4, Poll(8));
	EXPECT_EQ("posted=3 rung=3", Print(Sends()));
	EXPECT_EQ("posted=1 rung=1", Print(Receives()));
	EXPECT_EQ("polls=1 entries=4 WR_FLUSH_ERR=2 RNR_RETRY_EXC_ERR=1 OTHER_ERR=1",
		  Print(Completions()));
}

TEST_F(Counters, TextIsCut)
{
	segue_counters counters = {};
	char line[8];

	counters.posted = 1234567;
	EXPECT_EQ(strlen("posted=1234567"), segue_counters_print(&counters, line, sizeof(line)));
	EXPECT_STREQ("posted=", line);
}

} // namespace
