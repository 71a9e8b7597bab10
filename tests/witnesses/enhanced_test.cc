/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library polls rings with enhanced compression as UCX and Linux do: the same completions, and
 * the same number of entries given back.
 */
#include "tests/witnesses/enhanced.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

constexpr uint32_t kQpn = 0x1234, kLog = 4, kEntries = 1u << kLog, kBlocks = 64;

/* A completion queue of the library over a ring, with one queue pair. */
class Library
{
      public:
	explicit Library(const witness::Ring &ring)
	{
		segue_cq_init_options attr = {};
		segue_sq_init_options sq_attr = {};
		segue_rq_init_options rq_attr = {};
		segue_cq_queue queue = {};

		attr.buf = ring.buf;
		attr.cqe_cnt = ring.Entries();
		attr.cqe_size = ring.entry_size;
		attr.dbrec = cq_dbrec_;
		attr.enhanced = true;
		EXPECT_EQ(0, segue_cq_init(&cq, &attr)) << segue_errmsg();
		sq_attr.buf = sends_;
		sq_attr.wqe_cnt = kBlocks;
		sq_attr.max_wqe_units = 8;
		sq_attr.dbrec = &dbrec_[1];
		sq_attr.bf_reg = uar_;
		sq_attr.bf_size = 256;
		sq_attr.qpn = kQpn;
		sq_attr.slots = slots_;
		EXPECT_EQ(0, segue_sq_init(&sq.sq, &sq_attr)) << segue_errmsg();
		rq_attr.buf = receives_;
		rq_attr.wqe_cnt = kBlocks;
		rq_attr.stride = 64;
		rq_attr.dbrec = dbrec_;
		rq_attr.qpn = kQpn;
		rq_attr.wr_ids = wr_ids_;
		EXPECT_EQ(0, segue_rq_init(&rq, &rq_attr)) << segue_errmsg();
		queue.number = kQpn;
		queue.sq = &sq.sq;
		queue.rq = &rq;
		EXPECT_EQ(0, segue_cq_attach(&cq, &queue)) << segue_errmsg();
	}
	~Library()
	{
		segue_cq_fini(&cq);
	}

	/* Posts a send, or a receive, and returns the counter of its completion. */
	uint16_t Post(bool send)
	{
		uint16_t counter = uint16_t(send ? sq.sq.pi : received_++);

		EXPECT_EQ(0, send ? segue_post(segue_nop(&sq, counter, SEGUE_SIGNALED))
				  : segue_post(segue_sge(segue_recv(&rq, counter), 1, 64, 1)))
			<< segue_errmsg();
		return counter;
	}

	/* Completions as the readers show them, of what a program can see. */
	std::vector<witness::Cqe> Poll(int max)
	{
		std::vector<witness::Cqe> got;
		const int ret = segue_cq_poll_each(&cq, max, Keep, &got);

		EXPECT_EQ(int(got.size()), ret) << segue_errmsg();
		return got;
	}

	uint32_t told() const
	{
		return segue_be32(cq_dbrec_[0]);
	}

	segue_cq cq;
	segue_rc_sq sq;
	segue_rq rq;

      private:
	static void Keep(const segue_wc *wc, void *arg) noexcept
	{
		witness::Cqe cqe;

		EXPECT_EQ(wc->wr_id, wc->wqe_counter);
		memcpy(cqe.data(), wc->cqe, cqe.size());
		static_cast<std::vector<witness::Cqe> *>(arg)->push_back(cqe);
	}

	alignas(64) uint8_t sends_[kBlocks * 64];
	alignas(64) uint8_t receives_[kBlocks * 64];
	segue_sq_slot slots_[kBlocks];
	uint64_t wr_ids_[kBlocks];
	uint32_t dbrec_[2] = {}, cq_dbrec_[2] = {};
	alignas(512) uint8_t uar_[512] = {};
	uint16_t received_ = 0;
};

/* The fields that a block gives back: byte_cnt, QP number and opcode, wqe_counter, opcode. */
std::string Content(const witness::Cqe &cqe)
{
	const char *at = reinterpret_cast<const char *>(cqe.data());

	return std::string(at + witness::kByteCnt, 4) +
	       std::string(at + witness::kOpcodeOfSend, 6) + char(cqe[witness::kOpOwn] & 0xf0);
}

void ExpectSame(const std::vector<witness::Cqe> &want, const std::vector<witness::Cqe> &got)
{
	ASSERT_EQ(want.size(), got.size());
	for (size_t i = 0; i < want.size(); i++)
		ASSERT_EQ(Content(want[i]), Content(got[i])) << i;
}

class Enhanced : public testing::TestWithParam<uint32_t>
{
      protected:
	Enhanced() : dice_(segue_test_seed() + GetParam())
	{
		for (uint8_t *buf : {ring_, for_ucx_, for_linux_})
			witness::Ring{buf, kLog, GetParam()}.Fill();
	}

	witness::Ring At(uint8_t *buf) const
	{
		return {buf, kLog, GetParam()};
	}
	uint32_t Below(uint32_t n)
	{
		return uint32_t(dice_() % n);
	}

	/* A completion of a send (opcode 0) or a receive (2). */
	witness::Cqe Cqe(bool send, uint16_t counter)
	{
		witness::Cqe cqe{};

		witness::SetBe16(&cqe[witness::kByteCnt + 2], uint16_t(dice_()));
		witness::SetBe16(&cqe[witness::kOpcodeOfSend + 2], kQpn);
		witness::SetBe16(&cqe[witness::kWqeCounter], counter);
		cqe[witness::kOpOwn] = send ? 0 : 2 << 4;
		return cqe;
	}

	witness::Mini Mini(bool send, uint16_t counter)
	{
		witness::Mini mini{};

		if (send)
			witness::SetBe16(mini.data(), counter);
		mini[2] = send ? uint8_t(1 + Below(9)) : 0;
		witness::SetBe16(&mini[6], uint16_t(dice_()));
		return mini;
	}

	alignas(128) uint8_t ring_[kEntries * 128] = {};
	alignas(128) uint8_t for_ucx_[kEntries * 128] = {};
	alignas(128) uint8_t for_linux_[kEntries * 128] = {};
	SplitMix64 dice_;
};

/* A title, a block of four, two plain entries: seven completions in seven entries. */
TEST_P(Enhanced, ABlockTakesAnEntryForEachCompletion)
{
	Library library(At(ring_));
	std::vector<witness::Cqe> ucx, linux_;
	std::vector<witness::Mini> minis;
	witness::Writer writer(At(ring_));
	witness::Cqe cqe;

	writer.Plain(Cqe(false, library.Post(false)));
	for (int i = 0; i < 4; i++)
		minis.push_back(Mini(false, library.Post(false)));
	writer.Array(minis);
	for (int i = 0; i < 2; i++)
		writer.Plain(Cqe(false, library.Post(false)));
	memcpy(for_ucx_, ring_, sizeof(ring_));
	memcpy(for_linux_, ring_, sizeof(ring_));
	witness::UcxReader by_ucx(At(for_ucx_));
	witness::LinuxReader by_linux(At(for_linux_));
	while (by_ucx.Next(&cqe))
		ucx.push_back(cqe);
	by_linux.Poll(&linux_);
	EXPECT_EQ(7u, by_ucx.index());
	EXPECT_EQ(7u, by_linux.index());
	ExpectSame(ucx, linux_);
	ExpectSame(ucx, library.Poll(16));
	EXPECT_EQ(7u, library.told());
}

/*
 * Runs of a title and its arrays at every place of the ring, over more rounds than the validity
 * count has values. They end where the ring ends; the library is free to take others.
 */
TEST_P(Enhanced, RunsAreReadAsByUcxAndLinux)
{
	Library library(At(ring_));
	witness::Writer writers[] = {witness::Writer(At(ring_)), witness::Writer(At(for_ucx_)),
				     witness::Writer(At(for_linux_))};
	witness::UcxReader by_ucx(At(for_ucx_));
	witness::LinuxReader by_linux(At(for_linux_));
	const witness::Writer &writer = writers[0];
	uint32_t arrays = 0;

	while (writer.index() < kEntries * 600) {
		const bool send = Below(2);
		const uint32_t end = (writer.index() | (kEntries - 1)) + 1;
		uint32_t left = 1 + Below(end - writer.index());
		std::vector<witness::Cqe> ucx, linux_, got, more;
		witness::Cqe cqe = Cqe(send, library.Post(send));

		for (witness::Writer &one : writers)
			one.Plain(cqe);
		for (left--; left;) {
			const uint32_t n = std::min(left, 1 + Below(7));
			std::vector<witness::Mini> minis;

			for (uint32_t i = 0; i < n; i++)
				minis.push_back(Mini(send, library.Post(send)));
			for (witness::Writer &one : writers)
				one.Array(minis);
			left -= n;
			arrays++;
		}
		while (by_ucx.Next(&cqe))
			ucx.push_back(cqe);
		by_linux.Poll(&linux_);
		do {
			more = library.Poll(1 + int(Below(20)));
			got.insert(got.end(), more.begin(), more.end());
		} while (!more.empty());
		ASSERT_EQ(writer.index(), by_ucx.index());
		ASSERT_EQ(writer.index(), by_linux.index());
		ExpectSame(ucx, got);
		if (!send)
			ExpectSame(linux_, got);
		ASSERT_EQ(writer.index(), library.told()) << "round " << (writer.index() >> kLog);
	}
	EXPECT_LT(1000u, arrays);
}

INSTANTIATE_TEST_SUITE_P(Sizes, Enhanced, testing::Values(64u, 128u));

} // namespace
