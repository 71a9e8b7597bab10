/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send rings against a simple model, over random sequences of everything a caller and a
 * device can do. The seed is printed; SEGUE_TEST_SEED repeats a run.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "tests/runtime/plain_queue.h"
#include "tests/runtime/ring_dice.h"

namespace
{

constexpr uint8_t kSilence = 0x55; /* what a doorbell register holds while nobody writes it */

struct Sent {
	uint32_t first; /* producer index of its first block */
	uint32_t blocks;
	uint64_t wr_id;
	bool asked;	 /* for a completion */
	bool rung = false;
	std::vector<uint8_t> bytes;
};

struct Sizes {
	uint32_t wqe_cnt, max_units, bf_size, first_index;
};

/* A queue, its memory, the model of what is in flight and a device that carries it out. */
class SendRing
{
      public:
	SendRing(const Sizes &setup, uint64_t stream)
	    : setup_(setup), dice_(stream), memory_(setup.wqe_cnt * 64 + 64), slots_(setup.wqe_cnt)
	{
		segue_sq_init_options attr = {};

		memset(slots_.data(), 0xff * int(dice_.Below(2)),
		       slots_.size() * sizeof(slots_[0]));
		buf_ = memory_.data() + (64 - uintptr_t(memory_.data()) % 64) % 64;
		memset(reg_, kSilence, sizeof(reg_));
		attr.buf = buf_;
		attr.wqe_cnt = setup.wqe_cnt;
		attr.max_wqe_units = setup.max_units;
		attr.dbrec = &dbrec_;
		attr.bf_reg = reg_;
		attr.bf_size = setup.bf_size;
		attr.qpn = 0x1234;
		attr.first_index = setup.first_index;
		attr.slots = slots_.data();
		EXPECT_EQ(segue_sq_init(&rc_.sq, &attr), 0) << segue_errmsg();
		max_units_ = rc_.sq.max_units;
		reserve_ = (max_units_ + 3) / 4;
		pi_ = ci_ = device_ = setup.first_index;
	}

	void Run(int steps)
	{
		for (int i = 0; i < steps && !testing::Test::HasFailure(); i++) {
			Step();
			CheckInvariants();
			/* said then: a trace made at each step takes longer than the step */
			if (testing::Test::HasFailure())
				ADD_FAILURE() << "in step " << i << " of ring {" << setup_.wqe_cnt
					      << ", " << setup_.max_units << ", " << setup_.bf_size
					      << ", " << setup_.first_index << "}";
		}
		Drain();
	}

	/* Unsignaled requests only, rung and polled only when refused: the queue must not block. */
	void RunSilent(int requests)
	{
		for (int i = 0; i < requests && !testing::Test::HasFailure(); i++) {
			const uint32_t units = 1 + dice_.Below(max_units_);
			const uint32_t flags = dice_.OneIn(3) ? uint32_t(SEGUE_FIRST_ERROR_ONLY)
							      : 0;

			if (Room() < (units + 3) / 4) {
				Send(Shape::kNop, units - 1, flags, Ending::kPost, -ENOSPC);
				Ring();
				ASSERT_FALSE(cqes_.empty())
					<< "full, and no completion will ever come";
				while (!cqes_.empty())
					Poll();
			}
			Send(Shape::kNop, units - 1, flags,
			     dice_.OneIn(2) ? Ending::kPost : Ending::kCommit, 0);
			CheckInvariants();
			if (testing::Test::HasFailure())
				ADD_FAILURE() << "in silent request " << i;
		}
	}

	uint32_t wrapped = 0, full = 0, refused = 0, forced = 0, blueflames = 0, sent = 0;

      private:
	enum class Shape { kNop, kWrite, kInline };
	enum class Ending { kCommit, kPost, kBlueFlame, kDrop };

	uint32_t Room() const { return stopped_ ? 0 : setup_.wqe_cnt - reserve_ - (pi_ - ci_); }

	void Step()
	{
		switch (dice_.Below(16)) {
		default:
			RandomSend();
			break;
		case 9:
			Ring();
			break;
		case 10:
		case 11:
		case 12:
			Poll();
			break;
		case 13:
			WrongCompletion();
			break;
		case 14:
			if (dice_.OneIn(8)) {
				stopped_ = !stopped_;
				segue_sq_set_postable(&rc_.sq, !stopped_);
			}
			break;
		case 15:
			if (stopped_) {
				stopped_ = false;
				segue_sq_set_postable(&rc_.sq, true);
			}
			break;
		}
	}

	void RandomSend()
	{
		static const uint32_t flag_sets[] = {0,
						     0,
						     0,
						     SEGUE_SIGNALED,
						     SEGUE_SIGNALED,
						     SEGUE_SIGNALED | SEGUE_FENCE,
						     SEGUE_FIRST_ERROR_ONLY,
						     SEGUE_SIGNALED_EVENT};
		const Shape shape = Shape(dice_.Below(3));
		uint32_t flags = flag_sets[dice_.Below(8)];
		uint32_t n; /* fillers, SGEs or bytes */
		int expected = 0;

		if (shape == Shape::kInline)
			n = 1 + dice_.Below(dice_.OneIn(8) ? 1100 : (max_units_ - 2) * 16 - 4);
		else
			n = dice_.Below(
				dice_.OneIn(8) ? 80 : max_units_ - (shape == Shape::kNop ? 0 : 1));
		bad_ = dice_.OneIn(12);
		if (bad_ && dice_.OneIn(2))
			flags |= 0x80000000u; /* no such flag */
		const bool bad_flag = bad_ && (flags >> 31);
		const uint32_t units = Units(shape, n);

		const bool no_bytes = bad_ && !bad_flag && shape == Shape::kInline;
		if (units > max_units_ && !no_bytes && !(shape == Shape::kInline && n > 1023))
			expected = -EMSGSIZE;
		else if (bad_flag ||
			 (bad_ && (shape == Shape::kWrite ? n > 0 : shape == Shape::kInline)) ||
			 (shape == Shape::kInline && n > 1023))
			expected = -ERANGE;
		else if (stopped_)
			expected = -EINVAL;
		else if ((units + 3) / 4 > Room())
			expected = -ENOSPC;
		Send(shape, n, flags, Ending(dice_.Below(4)), expected);
	}

	static uint32_t Units(Shape shape, uint32_t n)
	{
		switch (shape) {
		case Shape::kNop:
			return 1 + n;
		case Shape::kWrite:
			return 2 + n;
		default:
			return 2 + (n + 4 + 15) / 16;
		}
	}

	template <class Builder> int End(Builder w, Ending ending)
	{
		switch (ending) {
		case Ending::kCommit:
			return segue_commit(w);
		case Ending::kPost:
			return segue_post(w);
		case Ending::kBlueFlame:
			return segue_post_blueflame(w);
		default:
			return 1; /* dropped */
		}
	}

	int Build(Shape shape, uint32_t n, uint64_t wr_id, uint32_t flags, Ending ending,
		  std::vector<uint8_t> *body)
	{
		std::vector<segue_seg_data> sges(n);
		std::vector<segue_seg_filler> fillers(n);
		std::vector<uint8_t> payload(n + 1);

		dice_.Fill(payload.data(), payload.size());
		if (shape == Shape::kNop) {
			for (segue_seg_filler &f : fillers) {
				dice_.Fill(f.bytes, sizeof(f.bytes));
				body->insert(body->end(), f.bytes, f.bytes + 16);
			}
			return End(
				segue_filler_list(segue_nop(&rc_, wr_id, flags), fillers.data(), n),
				ending);
		}
		const uint64_t address = dice_.Word();
		Big(body, address, 8);
		Big(body, 0x77, 4);
		Big(body, 0, 4);
		auto w = segue_raddr(segue_rdma_write(&rc_, wr_id, flags), address, 0x77);
		if (shape == Shape::kInline) {
			if (bad_ && !(flags >> 31))
				/* no bytes: not an inline segment, and nowhere to take them from */
				return End(segue_inline_data(w, nullptr, 0), ending);
			Big(body, 0x80000000u | n, 4);
			body->insert(body->end(), payload.begin(), payload.begin() + n);
			body->resize((body->size() + 15) / 16 * 16);
			return End(segue_inline_data(w, payload.data(), n), ending);
		}
		auto s = segue_sge_list(w, sges.data(), 0);
		const uint32_t wrong = bad_ && !(flags >> 31) && n ? dice_.Below(n) : ~0u;
		for (uint32_t i = 0; i < n; i++) {
			const uint32_t length = i == wrong ? (dice_.OneIn(2) ? 0 : 0x80000000u)
							   : 1 + dice_.Below(0x7fffffff);

			Big(body, length, 4);
			Big(body, 0x100 + i + 1, 4);
			Big(body, address + i, 8);
			s = segue_sge(s, address + i, length, 0x100 + i + 1);
		}
		return End(s, ending);
	}

	void Send(Shape shape, uint32_t n, uint32_t flags, Ending ending, int expected)
	{
		const segue_sq before = rc_.sq;
		const uint64_t wr_id = dice_.Word();
		const uint32_t dbrec = dbrec_;
		std::vector<uint8_t> body;

		const int ret = Build(shape, n, wr_id, flags, ending, &body);
		if (ending == Ending::kDrop || expected) {
			ASSERT_EQ(ret, ending == Ending::kDrop ? 1 : expected) << segue_errmsg();
			/* Nothing has changed but bytes that nobody owns, and what the sentence was
			 * made of. */
			segue_sq now = rc_.sq;
			now.wrong_field = before.wrong_field;
			now.wrong_length = before.wrong_length;
			ASSERT_EQ(memcmp(&before, &now, sizeof(before)), 0);
			ASSERT_EQ(dbrec_, dbrec);
			CheckRegister({}, 0);
			full += ret == -ENOSPC;
			refused += ret < 0 && ret != -ENOSPC;
			return;
		}
		ASSERT_EQ(ret, 0) << segue_errmsg();
		Accept(flags, wr_id, body, shape, ending);
	}

	void Accept(uint32_t flags, uint64_t wr_id, const std::vector<uint8_t> &body, Shape shape,
		    Ending ending)
	{
		const uint32_t units = 1 + uint32_t(body.size()) / 16;
		Sent s = {pi_, (units + 3) / 4, wr_id, (flags & SEGUE_SIGNALED) != 0, false, {}};
		std::vector<uint8_t> expected;

		Big(&expected, (pi_ & 0xffff) << 8 | (shape == Shape::kNop ? 0x00 : 0x08), 4);
		Big(&expected, 0x1234u << 8 | units, 4);
		Big(&expected, flags, 4);
		Big(&expected, 0, 4);
		expected.insert(expected.end(), body.begin(), body.end());
		s.bytes = Ringed(pi_, expected.size());
		if (!s.asked && (s.bytes[11] & 0x08)) {
			/* Made to complete: then it completes like any other, without an event. */
			forced++;
			expected[11] = uint8_t((expected[11] & ~0x0c) | 0x08);
		}
		ASSERT_EQ(s.bytes, expected);
		wrapped += (pi_ & (setup_.wqe_cnt - 1)) + s.blocks > setup_.wqe_cnt;
		pi_ += s.blocks;
		flight_.push_back(s);
		sent++;
		/* A request that goes by BlueFlame is committed first; ringing again does no harm.
		 */
		last_posted_ = ending == Ending::kPost;
		if (ending == Ending::kCommit) {
			CheckRegister({}, 0);
			return;
		}
		/* Behind requests that were not rung, or that the record does not name, a copy
		 * would pass them over. */
		const bool flame = ending == Ending::kBlueFlame &&
				   s.blocks * 64 <= setup_.bf_size && rung_ && rung_pi_ == s.first;
		blueflames += flame;
		CheckRung(flame ? Ringed(s.first, s.blocks * 64)
				: std::vector<uint8_t>(s.bytes.begin(), s.bytes.begin() + 8));
	}

	void Ring()
	{
		if (flight_.empty() && sent) /* a fresh queue has nothing to say */
			return;
		if (flight_.empty()) {
			segue_ring_doorbell(&rc_);
			ASSERT_EQ(dbrec_, kNoDoorbell);
			CheckRegister({}, 0);
			return;
		}
		const uint32_t dbrec = dbrec_;

		segue_ring_doorbell(&rc_);
		const Sent &last = flight_.back();
		if (last_posted_ || last.rung) {
			/* The device knows. */
			ASSERT_EQ(dbrec_, dbrec);
			CheckRegister({}, 0);
			return;
		}
		CheckRung(std::vector<uint8_t>(last.bytes.begin(), last.bytes.begin() + 8));
	}

	/* The record names all that is committed and the register has got `bytes`; then the device
	 * goes to work. */
	void CheckRung(const std::vector<uint8_t> &bytes)
	{
		ASSERT_EQ(dbrec_, segue_be32(pi_ & 0xffff));
		CheckRegister(bytes, half_);
		half_ = setup_.bf_size ? 1 - half_ : 0;
		rung_ = true;
		rung_pi_ = pi_;
		for (Sent &s : flight_) {
			if (s.rung)
				continue;
			const std::vector<uint8_t> now = Ringed(s.first, s.bytes.size());

			ASSERT_EQ(now, s.bytes);
			s.rung = true;
			if (now[11] & 0x08)
				cqes_.push_back(uint16_t(now[1] << 8 | now[2]));
		}
	}

	void CheckRegister(const std::vector<uint8_t> &bytes, uint32_t half)
	{
		std::vector<uint8_t> expected(sizeof(reg_), kSilence);

		std::copy(bytes.begin(), bytes.end(), expected.begin() + half * setup_.bf_size);
		ASSERT_EQ(memcmp(reg_, expected.data(), sizeof(reg_)), 0);
		memset(reg_, kSilence, sizeof(reg_));
	}

	void Poll()
	{
		uint64_t wr_id = 0;

		if (cqes_.empty())
			return;
		const uint16_t counter = cqes_.front();
		cqes_.pop_front();
		const int ret = segue_sq_retire(&rc_.sq, counter, &wr_id);
		while (!flight_.empty() && uint16_t(flight_.front().first) != counter) {
			ASSERT_FALSE(flight_.front().asked)
				<< "a completion that was asked for got lost";
			ci_ += flight_.front().blocks;
			flight_.pop_front();
		}
		ASSERT_FALSE(flight_.empty());
		const Sent &s = flight_.front();
		ASSERT_EQ(ret, s.asked ? 1 : 0) << "a forced completion is nobody's";
		ASSERT_EQ(wr_id, s.wr_id);
		ci_ += s.blocks;
		flight_.pop_front();
	}

	/* A CQE that names no WQE in flight changes nothing. */
	void WrongCompletion()
	{
		const segue_sq before = rc_.sq;
		const uint16_t counter = uint16_t(pi_ + dice_.Below(2 * setup_.wqe_cnt));
		uint64_t wr_id = 42;

		for (const Sent &s : flight_)
			if ((s.first & rc_.sq.mask) == (counter & rc_.sq.mask))
				return;
		ASSERT_EQ(segue_sq_retire(&rc_.sq, counter, &wr_id), -EINVAL);
		ASSERT_EQ(wr_id, 42u);
		ASSERT_EQ(memcmp(&before, &rc_.sq, sizeof(before)), 0);
	}

	std::vector<uint8_t> Ringed(uint32_t index, size_t len) const
	{
		const uint8_t *at = buf_ + size_t(index & (setup_.wqe_cnt - 1)) * 64;
		const size_t before_end = std::min(len, size_t(buf_ + setup_.wqe_cnt * 64 - at));
		std::vector<uint8_t> bytes(at, at + before_end);

		bytes.insert(bytes.end(), buf_, buf_ + (len - before_end));
		return bytes;
	}

	void CheckInvariants()
	{
		ASSERT_EQ(rc_.sq.pi, pi_);
		ASSERT_EQ(seguei_sq_ci(&rc_.sq), ci_);
		ASSERT_EQ(segue_sq_room(&rc_.sq), Room());
		for (const Sent &s : flight_)
			ASSERT_EQ(Ringed(s.first, s.bytes.size()), s.bytes)
				<< "a WQE in flight was overwritten";
		uint64_t wr_id = 0;
		ASSERT_EQ(segue_sq_oldest(&rc_.sq, &wr_id), !flight_.empty());
		if (flight_.empty())
			return;
		ASSERT_EQ(wr_id, flight_.front().wr_id);
	}

	/* Flush: every request comes out once, in order. */
	void Drain()
	{
		while (!flight_.empty() && !testing::Test::HasFailure()) {
			ci_ += flight_.front().blocks;
			flight_.pop_front();
			segue_sq_drop_oldest(&rc_.sq);
			CheckInvariants();
		}
	}

	Sizes setup_;
	Dice dice_;
	std::vector<uint8_t> memory_;
	std::vector<segue_sq_slot> slots_;
	uint8_t *buf_;
	uint32_t dbrec_ = kNoDoorbell;
	bool rung_ = false;    /* ever */
	uint32_t rung_pi_ = 0; /* as far as the record says */
	alignas(4096) uint8_t reg_[4096];
	segue_rc_sq rc_;
	uint32_t max_units_, reserve_, pi_, ci_, device_, half_ = 0;
	bool stopped_ = false, bad_ = false, last_posted_ = false;
	std::deque<Sent> flight_;
	std::deque<uint16_t> cqes_;
};

const Sizes kSetups[] = {
	{8, 0, 0, 0},	  {8, 8, 256, 0},    {16, 0, 256, 0},  {16, 20, 64, 0},
	{32, 40, 256, 0}, {64, 63, 1024, 0}, {64, 12, 128, 0}, {128, 63, 256, 0},
};

TEST(SendQueue, AgainstTheModel)
{
	uint64_t stream = 0;
	uint32_t wrapped = 0, full = 0, refused = 0, forced = 0, blueflames = 0, sent = 0;

	for (Sizes setup : kSetups)
		for (uint32_t first : kFirst) {
			setup.first_index = first;
			const auto ring = std::make_unique<SendRing>(setup, stream++);
			ring->Run(kSteps);
			wrapped += ring->wrapped;
			full += ring->full;
			refused += ring->refused;
			forced += ring->forced;
			blueflames += ring->blueflames;
			sent += ring->sent;
			if (HasFailure())
				return;
		}
	printf("%u sent, %u across the end, %u forced to complete, %u by BlueFlame, %u found the "
	       "queue full, %u refused\n",
	       sent, wrapped, forced, blueflames, full, refused);
	for (uint32_t count : {wrapped, full, refused, forced, blueflames})
		EXPECT_GT(count, 100u);
}

TEST(SendQueue, SilentWorkNeverBlocks)
{
	uint64_t stream = 1000;

	for (Sizes setup : kSetups)
		for (uint32_t first : kFirst) {
			setup.first_index = first;
			const auto ring = std::make_unique<SendRing>(setup, stream++);
			ring->RunSilent(kSteps / 4);
			EXPECT_GT(ring->forced, 10u);
			if (HasFailure())
				return;
		}
}

/* More than 2^16 requests on one ring, so that every 16-bit count wraps by itself. */
TEST(SendQueue, RunsFarPastSixteenBits)
{
	const auto ring = std::make_unique<SendRing>(Sizes{16, 8, 256, 0}, 2000);

	ring->Run(330000);
	EXPECT_GT(ring->sent, 70000u);
}

/* ---- what initialisation refuses ---- */

// Two buffers of one request, each from a call with a side effect.
TEST(SendQueue, BuffersAreEvaluatedOnce)
{
	World world = {};
	segue_rc_sq sq;
	int calls = 0;
	const auto local = [&calls] {
		calls++;
		return segue_local_buf{0x1000u * (uint64_t)calls, 64, {7}};
	};
	const auto remote = [&calls] {
		calls++;
		return segue_remote_buf{0x9000, 64, {9}};
	};

	OpenOver(&world, &sq, 0);
	ASSERT_EQ(0, segue_post(segue_sge_buf(
			     segue_sge_buf(segue_raddr_buf(segue_rdma_write(&sq, 1, SEGUE_SIGNALED),
							   remote()),
					   local()),
			     local())))
		<< segue_errmsg();
	EXPECT_EQ(3, calls);
}

TEST(SendQueue, BadAttributesAreNamed)
{
	alignas(64) static uint8_t buf[64 * 64];
	alignas(512) static uint8_t reg[1024];
	static segue_sq_slot slots[64];
	static uint32_t dbrec;
	const segue_sq_init_options good = {buf, 64, 0,	    &dbrec, reg, 256,	  nullptr,
					    1,	 0,  slots, 0,	    0,	 nullptr, 0,
					    {}};
	segue_sq sq;
	const auto refuses = [&](const char *what, void (*change)(segue_sq_init_options *)) {
		segue_sq_init_options attr = good;

		change(&attr);
		memset(&sq, 0x5a, sizeof(sq));
		const segue_sq before = sq;
		EXPECT_EQ(segue_sq_init(&sq, &attr), -EINVAL) << what;
		EXPECT_NE(std::string(segue_errmsg()).find(what), std::string::npos)
			<< segue_errmsg();
		EXPECT_EQ(memcmp(&before, &sq, sizeof(sq)), 0) << what;
	};

	ASSERT_EQ(segue_sq_init(&sq, &good), 0);
	refuses("buf", [](segue_sq_init_options *a) { a->buf = nullptr; });
	refuses("buf", [](segue_sq_init_options *a) { a->buf = buf + 16; });
	refuses("wqe_cnt", [](segue_sq_init_options *a) { a->wqe_cnt = 0; });
	refuses("wqe_cnt", [](segue_sq_init_options *a) { a->wqe_cnt = 4; });
	refuses("wqe_cnt", [](segue_sq_init_options *a) { a->wqe_cnt = 48; });
	refuses("wqe_cnt", [](segue_sq_init_options *a) { a->wqe_cnt = 65536; });
	refuses("wqe_cnt", [](segue_sq_init_options *a) {
		a->wqe_cnt = 16;
		a->max_wqe_units = 63;
	});
	refuses("max_wqe_units", [](segue_sq_init_options *a) { a->max_wqe_units = 7; });
	refuses("max_wqe_units", [](segue_sq_init_options *a) { a->max_wqe_units = 64; });
	refuses("dbrec", [](segue_sq_init_options *a) { a->dbrec = nullptr; });
	refuses("bf_reg", [](segue_sq_init_options *a) { a->bf_reg = nullptr; });
	refuses("bf_reg", [](segue_sq_init_options *a) {
		a->bf_size = 0;
		a->bf_reg = static_cast<uint8_t *>(a->bf_reg) + 4;
	});
	refuses("bf_reg", [](segue_sq_init_options *a) {
		// At its second half: the other one would be before the register.
		a->bf_size = 256;
		a->bf_reg = static_cast<uint8_t *>(a->bf_reg) + 256;
	});
	refuses("bf_reg", [](segue_sq_init_options *a) {
		a->bf_size = 0x80000000;
		a->bf_reg = static_cast<uint8_t *>(a->bf_reg) + 512;
	});
	refuses("slots", [](segue_sq_init_options *a) { a->slots = nullptr; });
	refuses("bf_size", [](segue_sq_init_options *a) { a->bf_size = 100; });
	refuses("bf_size", [](segue_sq_init_options *a) { a->bf_size = 192; });
	refuses("qpn", [](segue_sq_init_options *a) { a->qpn = 0x1000000; });
	refuses("max_blocks", [](segue_sq_init_options *a) { a->max_blocks = 15; });
	refuses("max_blocks", [](segue_sq_init_options *a) { a->max_blocks = 49; });
}

} // namespace
