/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Receive rings against a simple model, over random sequences of everything a caller and a
 * device can do. The seed is printed; SEGUE_TEST_SEED repeats a run.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <type_traits>
#include <vector>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/runtime/ring_dice.h"

namespace
{

struct Received {
	uint32_t slot;
	uint64_t wr_id;
	std::vector<uint8_t> bytes;
};

int Retire(segue_rq *q, uint16_t, uint64_t *wr_id) { return segue_rq_retire(q, wr_id); }
int Retire(segue_srq *q, uint16_t slot, uint64_t *wr_id)
{
	return segue_srq_retire(q, slot, wr_id);
}
int Retire(segue_mprq *q, uint16_t slot, uint64_t *wr_id)
{
	return segue_srq_retire(&q->srq, slot, wr_id);
}
int Init(segue_rq *q, const segue_rq_init_options *a)
{
	return segue_rq_init(q, a);
}
int Init(segue_srq *q, const segue_rq_init_options *a)
{
	return segue_srq_init(q, a);
}
int Init(segue_mprq *q, const segue_rq_init_options *a)
{
	return segue_mprq_init(q, a);
}
const seguei_recv_ring &RingOf(const segue_rq &q) { return q.ring; }
const seguei_recv_ring &RingOf(const segue_srq &q) { return q.ring; }
const seguei_recv_ring &RingOf(const segue_mprq &q) { return q.srq.ring; }
auto Begin(segue_rq *q, uint64_t wr_id)
{
	return segue_recv(q, wr_id);
}
auto Begin(segue_srq *q, uint64_t wr_id)
{
	return segue_recv(q, wr_id);
}
auto Begin(segue_mprq *q, uint64_t wr_id)
{
	return segue_recv(q, wr_id);
}

template <class Queue> class ReceiveRing
{
      public:
	static constexpr bool kLinked = !std::is_same<Queue, segue_rq>::value;
	/* SGEs */
	static constexpr uint32_t kLeast = std::is_same<Queue, segue_mprq>::value ? 1 : 0;

	ReceiveRing(uint32_t wqe_cnt, uint32_t stride, uint32_t first, uint64_t stream)
	    : dice_(stream), wqe_cnt_(wqe_cnt), stride_(stride),
	      memory_(wqe_cnt * stride + 64, 0xaa), wr_ids_(wqe_cnt), next_(wqe_cnt), pi_(first)
	{
		segue_rq_init_options attr = {};

		buf_ = memory_.data() + (64 - uintptr_t(memory_.data()) % 64) % 64;
		attr.buf = buf_;
		attr.wqe_cnt = wqe_cnt;
		attr.stride = stride;
		attr.dbrec = &dbrec_;
		attr.qpn = 0x99;
		attr.first_index = first;
		attr.wr_ids = wr_ids_.data();
		attr.next = kLinked ? next_.data() : nullptr;
		EXPECT_EQ(Init(&queue_, &attr), 0) << segue_errmsg();
		for (uint32_t i = 0; i < wqe_cnt; i++)
			free_.push_back(kLinked ? i : (first + i) % wqe_cnt);
	}

	void Run(int steps)
	{
		for (int i = 0; i < steps && !testing::Test::HasFailure(); i++) {
			const uint32_t what = dice_.Below(16);

			if (what < 9)
				Receive();
			else if (what < 11)
				Ring();
			else if (what < 15)
				Complete();
			else
				WrongCompletion();
			CheckInvariants();
			if (testing::Test::HasFailure())
				ADD_FAILURE() << "in step " << i << " of ring {" << wqe_cnt_ << ", "
					      << stride_ << "}";
		}
	}

	uint32_t posted = 0, full = 0, refused = 0;

      private:
	void Receive()
	{
		const uint32_t fit = stride_ / 16 - (kLinked ? 1 : 0);
		const uint32_t n = kLeast + dice_.Below(fit + 2 - kLeast);
		const bool bad = n && dice_.OneIn(10), drop = dice_.OneIn(8), post = dice_.OneIn(2);
		const uint32_t wrong = bad ? dice_.Below(n) : ~0u;
		const bool room = free_.size() > 1; /* one entry is always the queue's own */
		const uint64_t wr_id = dice_.Word();
		const uint32_t dbrec = dbrec_;
		const std::vector<uint8_t> before(buf_, buf_ + wqe_cnt_ * stride_);
		const std::vector<uint64_t> wr_ids = wr_ids_;
		std::vector<uint8_t> expected;

		if (kLinked) {
			Big(&expected, free_.size() > 1 ? free_[1] : 0, 4);
			expected.resize(16);
		}
		std::vector<segue_seg_data> list(n + 1);
		for (uint32_t i = 0; i < n; i++) {
			list[i].addr = dice_.Word();
			list[i].byte_count = i == wrong ? 0x80000000u : 1 + dice_.Below(0x7fffffff);
			list[i].lkey = 0x1000 + i;
			Big(&expected, list[i].byte_count, 4);
			Big(&expected, list[i].lkey, 4);
			Big(&expected, list[i].addr, 8);
		}
		if (expected.size() < stride_) {
			Big(&expected, 0, 4);
			Big(&expected, 0x100, 4);
			Big(&expected, 0, 8);
		}
		const int ret = Build(list, n, wr_id, drop, post);
		const int wanted = drop	     ? 1
				   : n > fit ? -EMSGSIZE
				   : bad     ? -ERANGE
				   : room    ? 0
					     : -ENOSPC;
		ASSERT_EQ(ret, wanted) << segue_errmsg();
		full += ret == -ENOSPC;
		refused += ret == -EMSGSIZE || ret == -ERANGE;
		if (ret) {
			/* Only the entry that is next, and free, may hold other bytes now. */
			for (uint32_t slot = 0; slot < wqe_cnt_; slot++) {
				const bool kept = memcmp(buf_ + slot * stride_,
							 before.data() + slot * stride_,
							 stride_) == 0;

				ASSERT_TRUE(kept || (!free_.empty() && slot == free_[0]))
					<< "entry " << slot;
			}
			ASSERT_EQ(dbrec_, dbrec);
			ASSERT_EQ(wr_ids_, wr_ids);
			return;
		}
		const Received r = {free_[0], wr_id, expected};
		free_.pop_front();
		ASSERT_EQ(Entry(r.slot, expected.size()), expected);
		flight_.push_back(r);
		pi_++;
		posted++;
		ASSERT_EQ(dbrec_, post ? segue_be32(pi_ & 0xffff) : dbrec);
	}

	template <class Builder> int End(Builder w, bool drop, bool post)
	{
		return drop ? 1 : post ? segue_post(w) : segue_commit(w);
	}

	int Build(const std::vector<segue_seg_data> &list, uint32_t n, uint64_t wr_id, bool drop,
		  bool post)
	{
		uint32_t from = 0;

		if (kLeast) {
			auto w = segue_sge(Begin(&queue_, wr_id), list[0].addr, list[0].byte_count,
					   list[0].lkey);
			for (from = 1; from < n; from++)
				w = segue_sge(w, list[from].addr, list[from].byte_count,
					      list[from].lkey);
			return End(w, drop, post);
		}
		return BuildList(list, n, wr_id, drop, post,
				 std::integral_constant<bool, kLeast == 0>());
	}

	int BuildList(const std::vector<segue_seg_data> &list, uint32_t n, uint64_t wr_id,
		      bool drop, bool post, std::true_type)
	{
		return End(segue_sge_list(Begin(&queue_, wr_id), list.data(), n), drop, post);
	}

	int BuildList(const std::vector<segue_seg_data> &, uint32_t, uint64_t, bool, bool,
		      std::false_type)
	{
		return 1;
	}

	std::vector<uint8_t> Entry(uint32_t slot, size_t len) const
	{
		return {buf_ + slot * stride_, buf_ + slot * stride_ + len};
	}

	void Ring()
	{
		segue_ring_doorbell(&queue_);
		ASSERT_EQ(dbrec_, segue_be32(pi_ & 0xffff));
	}

	void Complete()
	{
		uint64_t wr_id = 0;

		if (flight_.empty()) {
			ASSERT_EQ(Retire(&queue_, 0, &wr_id), -EINVAL);
			return;
		}
		/* a shared queue completes in any order */
		const size_t which = kLinked ? dice_.Below(uint32_t(flight_.size())) : 0;
		const Received r = flight_[which];

		flight_.erase(flight_.begin() + long(which));
		ASSERT_EQ(Retire(&queue_, uint16_t(r.slot), &wr_id), 0) << segue_errmsg();
		ASSERT_EQ(wr_id, r.wr_id);
		free_.push_back(r.slot);
	}

	void WrongCompletion()
	{
		uint64_t wr_id = 42;

		if (!kLinked)
			return;
		/* Beyond the ring, or an entry that the device does not have. */
		const uint32_t slot = dice_.OneIn(2) || free_.empty()
					      ? wqe_cnt_ + dice_.Below(100)
					      : free_[dice_.Below(uint32_t(free_.size()))];
		ASSERT_EQ(Retire(&queue_, uint16_t(slot), &wr_id), -EINVAL) << "entry " << slot;
		ASSERT_EQ(wr_id, 42u);
	}

	void CheckInvariants()
	{
		ASSERT_EQ(RingOf(queue_).pi, pi_);
		ASSERT_EQ(RingOf(queue_).pi - seguei_recv_ci(&RingOf(queue_)), flight_.size());
		for (const Received &r : flight_)
			ASSERT_EQ(Entry(r.slot, r.bytes.size()), r.bytes)
				<< "a receive that is posted was overwritten";
	}

	Dice dice_;
	uint32_t wqe_cnt_, stride_;
	std::vector<uint8_t> memory_;
	std::vector<uint64_t> wr_ids_;
	std::vector<uint16_t> next_;
	uint8_t *buf_;
	uint32_t dbrec_ = kNoDoorbell, pi_;
	Queue queue_;
	std::deque<uint32_t> free_;
	std::deque<Received> flight_;
};

template <class Queue> class ReceiveQueue : public testing::Test
{
};

using Queues = testing::Types<segue_rq, segue_srq, segue_mprq>;
TYPED_TEST_SUITE(ReceiveQueue, Queues, );

TYPED_TEST(ReceiveQueue, AgainstTheModel)
{
	uint64_t stream = 3000;
	uint32_t posted = 0, full = 0, refused = 0;

	for (uint32_t wqe_cnt : {2u, 4u, 8u, 64u})
		for (uint32_t stride : {32u, 64u, 256u})
			for (uint32_t first : kFirst) {
				const auto ring = std::make_unique<ReceiveRing<TypeParam>>(
					wqe_cnt, stride, first, stream++);
				ring->Run(kSteps / 8);
				posted += ring->posted;
				full += ring->full;
				refused += ring->refused;
				if (this->HasFailure())
					return;
			}
	printf("%u posted, %u found the queue full, %u refused\n", posted, full, refused);
	for (uint32_t count : {posted, full, refused})
		EXPECT_GT(count, 100u);
}

} // namespace
