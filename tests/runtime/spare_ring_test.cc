/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings with spare memory, filled to their last block, against a model: random sequences of posts,
 * batches and completions. What is in flight may not change. The seed is printed.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/lock.h"
#include "tests/runtime/ring_dice.h"

namespace
{

struct InFlight {
	uint32_t at, blocks;
	uint64_t wr_id;
	bool silent;
	std::vector<uint8_t> bytes;
};

struct Sizes {
	uint32_t ring, units, requests;
	bool split;
};

class FullRing
{
      public:
	FullRing(const Sizes &sizes, uint64_t stream)
	    : sizes_(sizes), dice_(stream), ring_((sizes.ring + 1) * 64), slots_(sizes.ring),
	      spare_(new segue_sq_spare)
	{
		segue_sq_init_options attr = {};

		buf_ = ring_.data() + (64 - uintptr_t(ring_.data()) % 64) % 64;
		pi_ = ci_ = dice_.OneIn(2) ? uint32_t(-5) : 0;
		dbrec_ = segue_be32(pi_ & 0xffff);
		attr.buf = buf_;
		attr.wqe_cnt = sizes.ring;
		attr.max_wqe_units = sizes.units;
		attr.dbrec = &dbrec_;
		attr.bf_reg = reg_;
		attr.bf_size = 256;
		attr.qpn = 0x1234;
		attr.first_index = pi_;
		attr.slots = slots_.data();
		attr.spare = spare_.get();
		attr.max_requests = sizes.requests;
		EXPECT_EQ(0, segue_sq_init(&rc_.sq, &attr)) << segue_errmsg();
		if (sizes.split)
			segue_sq_split(&rc_.sq, &half_);
		most_ = sizes.requests < sizes.ring ? sizes.requests : sizes.ring;
	}

	void Run(int steps)
	{
		for (int i = 0; i < steps && !testing::Test::HasFailure(); i++) {
			if (dice_.OneIn(200)) /* large rings fill while few requests complete */
				pace_ = dice_.OneIn(2) ? 3 : 100;
			if (dice_.OneIn(pace_) && !flight_.empty())
				Complete();
			else if (dice_.OneIn(6))
				Batch();
			else if (dice_.OneIn(40))
				TakeBack();
			else
				Send();
			Check();
			if (testing::Test::HasFailure())
				ADD_FAILURE() << "step " << i << " of {" << sizes_.ring << ", "
					      << sizes_.units << ", " << sizes_.requests << "}";
		}
	}

	uint32_t full = 0, taken = 0;

      private:
	bool HasRoom(uint32_t blocks) const
	{
		return pi_ - ci_ + blocks <= sizes_.ring && flight_.size() < most_;
	}

	/* Of 2 + `pieces` units. For a while all requests are short, then all are long. */
	uint32_t Pieces()
	{
		const uint32_t most = sizes_.units - 2;

		if (dice_.OneIn(100))
			kind_ = dice_.Below(3);
		return !kind_ || (kind_ == 2 && dice_.OneIn(2)) ? 1 : 1 + dice_.Below(most);
	}

	struct segue_rc_rdma_write_may_take_sge_or_inline_data Begin(uint64_t wr_id, uint32_t flags)
	{
		return segue_raddr(segue_rdma_write(&rc_, wr_id, flags), wr_id * 3, 7);
	}

	static std::vector<segue_seg_data> List(uint32_t pieces, uint64_t wr_id)
	{
		std::vector<segue_seg_data> list(pieces);

		for (uint32_t i = 0; i < pieces; i++)
			list[i] = {1 + i, uint32_t(wr_id), wr_id << 8 | i};
		return list;
	}

	void Send()
	{
		const uint64_t wr_id = ++next_id_;
		const uint32_t pieces = Pieces(), blocks = (2 + pieces + 3) / 4;
		const bool silent = dice_.OneIn(3);
		const auto list = List(pieces, wr_id);
		const uint32_t room = segue_sq_room(&rc_.sq);
		auto b = segue_sge_list(Begin(wr_id, silent ? 0 : SEGUE_SIGNALED), list.data(),
					pieces);
		int ret;

		EXPECT_EQ(HasRoom(1), room > 0);
		if (dice_.OneIn(9))
			return; /* dropped: no trace */
		ret = dice_.OneIn(3)   ? segue_commit(b)
		      : dice_.OneIn(2) ? segue_post_blueflame(b)
				       : segue_post(b);
		Took(ret, wr_id, pieces, blocks, silent);
		if (dice_.OneIn(4))
			segue_ring_doorbell(&rc_);
	}

	void Batch()
	{
		auto batch = segue_batch_begin(&rc_);
		const uint32_t count = 1 + dice_.Below(6);

		for (uint32_t i = 0; i < count; i++) {
			const uint64_t wr_id = ++next_id_;
			const uint32_t pieces = Pieces(), blocks = (2 + pieces + 3) / 4;
			const bool silent = dice_.OneIn(3);
			const auto list = List(pieces, wr_id);

			Took(segue_commit(segue_sge_list(
				     segue_raddr(segue_rdma_write(&batch, wr_id,
								  silent ? 0 : SEGUE_SIGNALED),
						 wr_id * 3, 7),
				     list.data(), pieces)),
			     wr_id, pieces, blocks, silent);
			if (dice_.OneIn(2 + pace_) && !flight_.empty())
				Complete();
		}
		segue_batch_end(&batch);
	}

	void Took(int ret, uint64_t wr_id, uint32_t pieces, uint32_t blocks, bool silent)
	{
		EXPECT_EQ(HasRoom(blocks)	  ? 0
			  : blocks <= sizes_.ring ? -ENOSPC
						  : -EMSGSIZE,
			  ret)
			<< segue_errmsg();
		if (ret) {
			full++;
			return;
		}
		taken++;
		InFlight sent = {pi_, blocks, wr_id, silent, Bytes(pi_, 2 + pieces)};
		segue_seg_raddr raddr;
		segue_seg_data last;

		(void)segue_seg_raddr_unpack(&raddr, sent.bytes.data() + 16);
		EXPECT_EQ(wr_id * 3, raddr.remote_addr);
		(void)segue_seg_data_unpack(&last, sent.bytes.data() + (1 + pieces) * 16);
		EXPECT_EQ(wr_id << 8 | (pieces - 1), last.addr);
		EXPECT_EQ(uint16_t(pi_), sent.bytes[1] << 8 | sent.bytes[2]);
		EXPECT_EQ(2 + pieces, sent.bytes[7]);
		flight_.push_back(sent);
		pi_ += blocks;
		/* the next one is built in the ring if the ring, whatever else, has room for it */
		EXPECT_EQ(rc_.sq.pi - seguei_sq_ci(&rc_.sq) + rc_.sq.blocks > sizes_.ring,
			  rc_.sq.tight);
	}

	std::vector<uint8_t> Bytes(uint32_t at, uint32_t units) const
	{
		std::vector<uint8_t> bytes(units * 16);

		for (size_t i = 0; i < bytes.size(); i++)
			bytes[i] = buf_[((at % sizes_.ring) * 64 + i) % (sizes_.ring * 64)];
		return bytes;
	}

	bool NotRung(uint32_t at) const
	{
		return int16_t(uint16_t(__builtin_bswap32(dbrec_)) - uint16_t(at)) <= 0;
	}

	/* Completes up to a request that says so, in the order of the queue. */
	void Complete()
	{
		size_t n = 1 + dice_.Below(uint32_t(flight_.size())), last = 0;
		uint64_t wr_id = 0;
		bool any = false;

		for (size_t i = 0; i < n; i++)
			if (flight_[i].bytes[11] & 8 && !NotRung(flight_[i].at)) {
				last = i;
				any = true;
			}
		if (!any)
			return;
		segue_sq *const polled = sizes_.split ? &half_ : &rc_.sq;

		EXPECT_EQ(flight_[last].silent ? 0 : 1,
			  segue_sq_retire(polled, uint16_t(flight_[last].at), &wr_id))
			<< segue_errmsg();
		EXPECT_EQ(flight_[last].wr_id, wr_id);
		ci_ = flight_[last].at + flight_[last].blocks;
		flight_.erase(flight_.begin(), flight_.begin() + long(last) + 1);
	}

	void TakeBack()
	{
		const uint32_t told = pi_ -
				      uint16_t(uint16_t(pi_) - uint16_t(__builtin_bswap32(dbrec_)));
		uint32_t n = 0;

		while (!flight_.empty() && int32_t(flight_.back().at - told) >= 0) {
			flight_.pop_back();
			n++;
		}
		EXPECT_EQ(n, segue_sq_abort(&rc_.sq));
		pi_ = rc_.sq.pi;
	}

	/* The ring holds what it held, and what nobody has asked for completes where it must. */
	void Check()
	{
		bool completes = flight_.empty();

		for (const InFlight &each : flight_) {
			EXPECT_EQ(each.bytes, Bytes(each.at, uint32_t(each.bytes.size() / 16)))
				<< "request " << each.wr_id << " changed";
			completes |= (each.bytes[11] & 8) != 0;
		}
		if (!HasRoom(1)) {
			EXPECT_TRUE(completes) << "full for ever";
		}
	}

	const Sizes sizes_;
	Dice dice_;
	std::vector<uint8_t> ring_;
	std::vector<segue_sq_slot> slots_;
	std::unique_ptr<segue_sq_spare> spare_;
	uint8_t *buf_;
	alignas(512) uint8_t reg_[512] = {};
	uint32_t dbrec_ = 0;
	segue_rc_sq rc_ = {};
	segue_sq half_ = {};
	std::deque<InFlight> flight_;
	uint32_t pi_, ci_, most_, kind_ = 2, pace_ = 3;
	uint64_t next_id_ = 0;
};

TEST(SpareRing, IsFilledToTheLastBlock)
{
	const Sizes all[] = {
		{1, 8, 1, false},     {2, 8, 2, false},	  {4, 8, 4, false},	{8, 12, 8, false},
		{8, 30, 3, false},    {64, 20, 9, false}, {128, 8, 128, false}, {64, 63, 64, false},
		{32, 16, 100, true},  {4, 8, 2, true},	  {256, 40, 36, true},	{256, 20, 60, true},
		{256, 20, 60, false},
	};
	uint32_t full = 0, taken = 0;

	for (int round = 0; round < 12; round++)
		for (const Sizes &sizes : all) {
			FullRing ring(sizes, uint64_t(round) * 100 + sizes.ring);

			ring.Run(2000);
			full += ring.full;
			taken += ring.taken;
			if (HasFailure())
				return;
		}
	EXPECT_LT(10000u, full);
	EXPECT_LT(10000u, taken);
}

} // namespace
