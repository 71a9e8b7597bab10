/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Buffers of a striding receive queue go back when Linux and DPDK give them back, with failed
 * completions in their middle.
 */
#include "tests/witnesses/striding.h"

#include <gtest/gtest.h>

#include <cstring>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"
extern "C" {
#include "runtime/ring/strides.h"
}

namespace
{

constexpr uint32_t kEach = 16, kBuffers = 8, kCqes = 16, kQpn = 0x55;

class StridingErrors : public testing::Test
{
      protected:
	StridingErrors() : dice_(segue_test_seed())
	{
		segue_cq_init_options attr = {};
		segue_rq_init_options list = {};

		for (uint32_t i = 0; i < kCqes; i++)
			ring_[(i + 1) * 64 - 1] = 0xf1;
		attr.buf = ring_;
		attr.cqe_cnt = kCqes;
		attr.cqe_size = 64;
		attr.dbrec = dbrec_;
		EXPECT_EQ(0, segue_cq_init(&cq_, &attr)) << segue_errmsg();
		list.buf = entries_;
		list.wqe_cnt = kBuffers;
		list.stride = 64;
		list.dbrec = &list_dbrec_;
		list.qpn = kQpn;
		list.wr_ids = wr_ids_;
		list.next = next_;
		EXPECT_EQ(0, segue_srq_init(&strides_.mprq.srq, &list)) << segue_errmsg();
		strides_.each = kEach;
		EXPECT_EQ(0, seguei_cq_attach_strides(&cq_, &strides_)) << segue_errmsg();
	}
	~StridingErrors() override
	{
		segue_cq_fini(&cq_);
	}

	void Post()
	{
		ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&strides_.mprq, posted_), 1, 4096, 1)))
			<< segue_errmsg();
		posted_++;
	}

	/* The device writes a completion of this many strides, from where the last one ended. */
	const uint8_t *Complete(uint32_t strides, bool failed, uint32_t named)
	{
		uint8_t *cqe = ring_ + pi_ % kCqes * 64;

		memset(cqe, 0, 63);
		cqe[3] = uint8_t(entry_ % kBuffers);
		cqe[44] = uint8_t(named >> 8);
		cqe[45] = uint8_t(named);
		cqe[47] = failed ? 0 : 60;
		cqe[54] = failed ? 0x81 : 0;
		cqe[55] = failed ? 0x04 : 0; /* LOCAL_PROT_ERR */
		cqe[59] = kQpn;
		cqe[61] = uint8_t(stride_);
		cqe[63] = uint8_t((failed ? 0xe : 2) << 4 | (pi_ / kCqes & 1));
		pi_++;
		stride_ += strides;
		if (stride_ == kEach) {
			stride_ = 0;
			entry_++;
		}
		return cqe;
	}

	segue_cq cq_;
	seguei_strides strides_ = {};
	SplitMix64 dice_;
	uint32_t pi_ = 0, entry_ = 0, stride_ = 0;
	uint64_t posted_ = 0;

      private:
	alignas(64) uint8_t ring_[kCqes * 64] = {};
	alignas(64) uint8_t entries_[kBuffers * 64] = {};
	uint64_t wr_ids_[kBuffers];
	uint16_t next_[kBuffers];
	uint32_t dbrec_[2] = {}, list_dbrec_ = 0;
};

TEST_F(StridingErrors, ConsumeTheStridesThatTheyName)
{
	witness::LinuxStrides by_linux(kEach);
	witness::DpdkStrides by_dpdk(kEach);
	uint64_t given_back = 0, errors = 0;

	for (int i = 0; i < 5000; i++) {
		while (posted_ - given_back < 4)
			Post();
		const uint32_t n = 1 + uint32_t(dice_() % (kEach - stride_));
		const bool failed = dice_() % 4 == 0;
		const witness::Striding cqe = {Complete(n, failed, n)};
		const bool back = by_linux.Take(cqe);
		segue_wc wc;

		ASSERT_EQ(back, by_dpdk.Take(cqe));
		ASSERT_EQ(failed, cqe.Failed());
		ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
		ASSERT_EQ(given_back, wc.wr_id);
		ASSERT_EQ(failed, wc.syndrome != 0);
		ASSERT_EQ(back, (wc.flags & SEGUE_WC_LAST_STRIDE) != 0) << i;
		ASSERT_EQ(cqe.StrideIndex(), wc.wqe_counter);
		given_back += back;
		errors += failed;
	}
	EXPECT_LT(500u, errors);
}

/* As a device that says nothing of strides would have it, and flushes. */
TEST_F(StridingErrors, WithoutStridesStandForTheWholeBuffer)
{
	segue_wc wc[3];

	Post();
	Post();
	(void)Complete(3, false, 3);
	const witness::Striding cqe = {Complete(kEach - 3, true, 0)};
	ASSERT_EQ(kEach, witness::XlioStridesOfError(cqe, kEach));
	(void)Complete(kEach, true, 0);
	ASSERT_EQ(3, segue_cq_poll(&cq_, 3, wc)) << segue_errmsg();
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(i / 2, int(wc[i].wr_id));
		EXPECT_EQ(i > 0, (wc[i].flags & SEGUE_WC_LAST_STRIDE) != 0);
	}
}

TEST_F(StridingErrors, OfMoreStridesThanAreLeftAreRefused)
{
	segue_wc wc;

	Post();
	(void)Complete(3, true, kEach + 1);
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "17 strides")) << segue_errmsg();
}

} // namespace
