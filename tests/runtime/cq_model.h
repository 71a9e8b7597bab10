/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The simple model of a completion queue: a device that writes CQEs of every kind into plain
 * memory, for several queue pairs at once, and what a poll is to hand out of them.
 */
#ifndef SEGUE_TESTS_RUNTIME_CQ_MODEL_H
#define SEGUE_TESTS_RUNTIME_CQ_MODEL_H

#include <errno.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/cq_payload.h"
#include "segue/gen/builders.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

constexpr uint32_t kBlocks = 32;
constexpr uint32_t kReceives = 16;

struct Form {
	uint32_t cqe_size;
	bool enhanced;
	uint32_t first;
};

/* What poll is to hand out. */
struct Expected {
	uint64_t wr_id;
	uint32_t qpn;
	uint8_t opcode;
	uint32_t byte_len;
	uint32_t imm;
	uint8_t syndrome;
};

/* One queue pair with its rings, and what is in flight in them. */
class Peer
{
      public:
	Peer(uint32_t qpn, segue_srq *srq) : qpn(qpn)
	{
		segue_sq_init_options sq_attr = {};
		segue_rq_init_options rq_attr = {};

		sq_attr.buf = ring_;
		sq_attr.wqe_cnt = kBlocks;
		sq_attr.max_wqe_units = 8;
		sq_attr.dbrec = &dbrec_[1];
		sq_attr.bf_reg = uar_;
		sq_attr.bf_size = 256;
		sq_attr.qpn = qpn;
		sq_attr.slots = slots_;
		EXPECT_EQ(0, segue_sq_init(&sq.sq, &sq_attr)) << segue_errmsg();
		rq_attr.buf = recv_ring_;
		rq_attr.wqe_cnt = kReceives;
		rq_attr.stride = 64;
		rq_attr.dbrec = dbrec_;
		rq_attr.qpn = qpn;
		rq_attr.wr_ids = wr_ids_;
		EXPECT_EQ(0, segue_rq_init(&rq, &rq_attr)) << segue_errmsg();
		queue = {};
		queue.number = qpn;
		queue.sq = &sq.sq;
		queue.context = this;
		if (srq)
			queue.srq = srq;
		else
			queue.rq = &rq;
	}

	struct Flight {
		uint16_t counter;
		uint64_t wr_id;
		bool asked;
		bool read;
	};

	uint32_t qpn;
	segue_rc_sq sq;
	segue_rq rq;
	segue_cq_queue queue;
	std::deque<Flight> sends;
	std::deque<uint64_t> receives;
	uint8_t landing[3][64];

      private:
	alignas(64) uint8_t ring_[kBlocks * 64];
	alignas(64) uint8_t recv_ring_[kReceives * 64];
	segue_sq_slot slots_[kBlocks];
	uint64_t wr_ids_[kReceives];
	uint32_t dbrec_[2] = {};
	alignas(512) uint8_t uar_[512] = {}; /* the doorbell toggles between its halves */
};

class CqTest : public testing::TestWithParam<Form>
{
      protected:
	static constexpr uint32_t kEntries = 32;
	static constexpr uint32_t kLog = 5;

	CqTest()
	    : dice_(segue_test_seed() + GetParam().cqe_size + GetParam().enhanced * 7 +
		    GetParam().first)
	{
		const Form &form = GetParam();
		segue_cq_init_options attr = {};
		segue_rq_init_options srq_attr = {};

		ring_ = static_cast<uint8_t *>(aligned_alloc(64, kEntries * 128));
		memset(ring_, 0, kEntries * 128);
		for (uint32_t i = 0; i < kEntries; i++) /* as libmlx5 leaves a fresh buffer */
			ring_[(i + 1) * form.cqe_size - 1] = SEGUE_CQE_OPCODE_INVALID << 4;
		attr.buf = ring_;
		attr.cqe_cnt = kEntries;
		attr.cqe_size = form.cqe_size;
		attr.dbrec = dbrec_;
		attr.uar = uar_;
		attr.cqn = 0x77;
		attr.first_index = form.first;
		attr.enhanced = form.enhanced;
		EXPECT_EQ(0, segue_cq_init(&cq_, &attr)) << segue_errmsg();
		pi_ = form.first;
		dbrec_[0] = segue_be32(form.first & 0xffffff);

		srq_attr.buf = srq_ring_;
		srq_attr.wqe_cnt = kReceives;
		srq_attr.stride = 64;
		srq_attr.dbrec = &srq_dbrec_;
		srq_attr.qpn = 0x99;
		srq_attr.wr_ids = srq_wr_ids_;
		srq_attr.next = srq_next_;
		EXPECT_EQ(0, segue_srq_init(&srq_, &srq_attr)) << segue_errmsg();
	}

	~CqTest() override
	{
		segue_cq_fini(&cq_);
		free(ring_);
	}

	void AddPeers(int n)
	{
		for (int i = 0; i < n; i++) {
			/* Numbers that share their low bits, too. */
			const uint32_t qpn = i % 2 ? 0x100u + i : 0x1000u * (i + 1);

			peers_.push_back(std::make_unique<Peer>(qpn, i % 3 == 2 ? &srq_ : nullptr));
			ASSERT_EQ(0, segue_cq_attach(&cq_, &peers_.back()->queue))
				<< segue_errmsg();
		}
	}

	uint32_t Below(uint32_t n) { return n ? uint32_t(dice_() % n) : 0; }
	bool OneIn(uint32_t n) { return Below(n) == 0; }
	uint32_t Free() const { return kEntries - (pi_ - Told()); }
	uint32_t Round(uint32_t counter) const { return counter >> kLog; }

	/* Consumer counter in the doorbell record, widened. */
	uint32_t Told() const
	{
		return seguei_cq_ci(&cq_) -
		       ((seguei_cq_ci(&cq_) - segue_be32(dbrec_[0])) & 0xffffff);
	}

	uint8_t *Entry(uint32_t counter)
	{
		return ring_ + (counter % kEntries + 1) * GetParam().cqe_size - 64;
	}

	/* The device writes an entry. */
	void Write(segue_cqe64 cqe, const std::vector<uint8_t> &payload = {})
	{
		uint8_t bytes[64];
		uint8_t *entry = Entry(pi_);

		ASSERT_GT(Free(), 0u);
		cqe.owner = Round(pi_) & 1;
		cqe.signature = GetParam().enhanced ? uint8_t(Round(pi_)) : uint8_t(dice_());
		cqe.se = Below(2);
		segue_cqe64_pack(bytes, &cqe);
		memcpy(entry, bytes, 64);
		if (!payload.empty())
			memcpy(cqe.format == SEGUE_CQE_FORMAT_INLINE_32 ? entry : entry - 64,
			       payload.data(), payload.size());
		pi_++;
	}

	void WriteError(uint32_t qpn, uint8_t opcode, uint16_t counter, uint8_t syndrome)
	{
		segue_err_cqe cqe = {};
		uint8_t *entry = Entry(pi_);

		cqe.qpn = qpn;
		cqe.opcode = opcode;
		cqe.wqe_counter = counter;
		cqe.syndrome = syndrome;
		cqe.vendor_err_synd = 0x81;
		cqe.owner = Round(pi_) & 1;
		cqe.signature = GetParam().enhanced ? uint8_t(Round(pi_)) : uint8_t(dice_());
		segue_err_cqe_pack(entry, &cqe);
		pi_++;
	}

	void Post(Peer &peer)
	{
		Peer::Flight flight = {uint16_t(peer.sq.sq.pi), dice_(), !OneIn(3), OneIn(2)};
		const uint32_t flags = flight.asked ? SEGUE_SIGNALED : 0;
		int ret;

		if (peer.sends.size() > 6 || segue_sq_room(&peer.sq.sq) < 4)
			return;
		if (flight.read) {
			auto w = segue_raddr(segue_rdma_read(&peer.sq, flight.wr_id, flags), 0x1000,
					     5);
			ret = segue_post(
				segue_sge(segue_sge(w, uint64_t(uintptr_t(peer.landing[0])), 10, 1),
					  uint64_t(uintptr_t(peer.landing[1])), 54, 1));
		} else {
			ret = segue_post(segue_nop(&peer.sq, flight.wr_id, flags));
		}
		ASSERT_EQ(0, ret) << segue_errmsg();
		peer.sends.push_back(flight);
	}

	void PostReceive(Peer &peer)
	{
		const uint64_t wr_id = dice_(), to = uint64_t(uintptr_t(peer.landing[2]));

		if (peer.queue.srq) {
			const uint32_t slot = srq_.head;

			if (srq_.ring.pi != srq_.ring.limit) {
				ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&srq_, wr_id),
								  uint64_t(uintptr_t(srq_landing_)),
								  64, 1)));
				srq_posted_.push_back({uint16_t(slot), wr_id});
			}
		} else if (peer.rq.ring.pi != peer.rq.ring.limit) {
			ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&peer.rq, wr_id), to, 64, 1)));
			peer.receives.push_back(wr_id);
		}
	}

	/* Takes in-flight sends up to one that completes; false if there is none. */
	bool TakeSend(Peer &peer, Peer::Flight *flight, bool any)
	{
		size_t last = 0;

		for (size_t i = 0; i < peer.sends.size() && last == 0; i++)
			if ((any || peer.sends[i].asked) && OneIn(2))
				last = i + 1;
		if (!last)
			return false;
		*flight = peer.sends[last - 1];
		peer.sends.erase(peer.sends.begin(), peer.sends.begin() + last);
		return true;
	}

	bool TakeReceive(Peer &peer, uint16_t *counter, uint64_t *wr_id)
	{
		if (peer.queue.srq) {
			if (srq_posted_.empty())
				return false;
			const uint32_t at = Below(uint32_t(srq_posted_.size()));

			*counter = srq_posted_[at].first;
			*wr_id = srq_posted_[at].second;
			srq_posted_.erase(srq_posted_.begin() + at);
			return true;
		}
		if (peer.receives.empty())
			return false;
		*counter = uint16_t(dice_());
		*wr_id = peer.receives.front();
		peer.receives.pop_front();
		return true;
	}

	segue_cqe64 Cqe(uint32_t qpn, uint8_t opcode, uint16_t counter)
	{
		segue_cqe64 cqe = {};

		cqe.qpn = qpn;
		cqe.opcode = opcode;
		cqe.wqe_counter = counter;
		cqe.byte_cnt = Below(1u << 30);
		cqe.imm_inval_pkey = uint32_t(dice_());
		cqe.srqn_uidx = Below(1 << 24);
		return cqe;
	}

	std::vector<uint8_t> Payload(uint32_t n)
	{
		std::vector<uint8_t> bytes(n);

		for (uint8_t &byte : bytes)
			byte = uint8_t(dice_());
		return bytes;
	}

	void Complete(Peer &peer)
	{
		Peer::Flight flight;
		segue_cqe64 cqe;
		const bool error = OneIn(8);

		if (!TakeSend(peer, &flight, error))
			return;
		if (error) {
			WriteError(peer.qpn, SEGUE_CQE_OPCODE_REQ_ERR, flight.counter,
				   SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR);
			expected_.push_back({flight.wr_id, peer.qpn, SEGUE_CQE_OPCODE_REQ_ERR, 0, 0,
					     SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR});
			return;
		}
		cqe = Cqe(peer.qpn, SEGUE_CQE_OPCODE_REQ, flight.counter);
		if (flight.read && OneIn(2)) {
			const bool wide = GetParam().cqe_size == 128 && OneIn(2);
			const std::vector<uint8_t> payload = Payload(1 + Below(wide ? 64 : 32));

			cqe.format = wide ? SEGUE_CQE_FORMAT_INLINE_64 : SEGUE_CQE_FORMAT_INLINE_32;
			cqe.byte_cnt = uint32_t(payload.size());
			Write(cqe, payload);
			expected_.push_back({flight.wr_id, peer.qpn, cqe.opcode, cqe.byte_cnt,
					     cqe.imm_inval_pkey, 0});
			PollAll();
			const size_t first = std::min<size_t>(10, payload.size());
			EXPECT_EQ(0, memcmp(peer.landing[0], payload.data(), first));
			EXPECT_EQ(0, memcmp(peer.landing[1], payload.data() + first,
					    payload.size() - first));
			return;
		}
		Write(cqe);
		expected_.push_back(
			{flight.wr_id, peer.qpn, cqe.opcode, cqe.byte_cnt, cqe.imm_inval_pkey, 0});
	}

	void Receive(Peer &peer)
	{
		uint16_t counter;
		uint64_t wr_id;
		segue_cqe64 cqe;

		if (!TakeReceive(peer, &counter, &wr_id))
			return;
		if (OneIn(8)) {
			WriteError(peer.qpn, SEGUE_CQE_OPCODE_RESP_ERR, counter,
				   SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
			expected_.push_back({wr_id, peer.qpn, SEGUE_CQE_OPCODE_RESP_ERR, 0, 0,
					     SEGUE_CQE_SYNDROME_WR_FLUSH_ERR});
			return;
		}
		cqe = Cqe(peer.qpn, uint8_t(SEGUE_CQE_OPCODE_RESP_WR_IMM + Below(4)), counter);
		if (OneIn(3)) {
			const bool wide = GetParam().cqe_size == 128 && OneIn(2);
			const std::vector<uint8_t> payload = Payload(Below(wide ? 65 : 33));
			uint8_t *landing = peer.queue.srq ? srq_landing_ : peer.landing[2];
			uint8_t after[64];

			cqe.format = wide ? SEGUE_CQE_FORMAT_INLINE_64 : SEGUE_CQE_FORMAT_INLINE_32;
			cqe.byte_cnt = uint32_t(payload.size());
			Write(cqe, payload);
			expected_.push_back(
				{wr_id, peer.qpn, cqe.opcode, cqe.byte_cnt, cqe.imm_inval_pkey, 0});
			memcpy(after, landing, sizeof(after));
			if (!payload.empty())
				memcpy(after, payload.data(), payload.size());
			PollAll();
			EXPECT_EQ(0, memcmp(landing, after, sizeof(after)))
				<< payload.size() << " bytes";
			return;
		}
		Write(cqe);
		expected_.push_back(
			{wr_id, peer.qpn, cqe.opcode, cqe.byte_cnt, cqe.imm_inval_pkey, 0});
	}

	/* A queue pair goes, with what it has in the ring, and comes again. */
	void Renew(std::unique_ptr<Peer> &peer)
	{
		const uint32_t qpn = peer->qpn;
		segue_srq *const srq = peer->queue.srq;
		const auto own = [qpn](const Expected &one) { return one.qpn == qpn; };

		ASSERT_EQ(0, segue_cq_detach(&cq_, &peer->queue)) << segue_errmsg();
		dropped_ += std::count_if(expected_.begin(), expected_.end(), own);
		expected_.erase(std::remove_if(expected_.begin(), expected_.end(), own),
				expected_.end());
		peer = std::make_unique<Peer>(qpn, srq);
		ASSERT_EQ(0, segue_cq_attach(&cq_, &peer->queue)) << segue_errmsg();
	}

	/* Completions of one queue pair as a compressed block: receives in order, or sends. */
	void Compress(Peer &peer)
	{
		const bool sends = peer.queue.srq || OneIn(2);
		std::vector<std::vector<uint8_t>> minis;
		std::vector<Expected> block;
		segue_cqe64 title = Cqe(
			peer.qpn, sends ? SEGUE_CQE_OPCODE_REQ : SEGUE_CQE_OPCODE_RESP_SEND, 0);
		const uint32_t most = 2 + Below(18);

		if (Free() < 24)
			return;
		if (GetParam().enhanced) { /* the last plain entry is the title */
			Peer::Flight flight;
			uint16_t counter;
			uint64_t wr_id;

			if (sends ? !TakeSend(peer, &flight, false)
				  : !TakeReceive(peer, &counter, &wr_id))
				return;
			title.wqe_counter = sends ? flight.counter : counter;
			Write(title);
			expected_.push_back({sends ? flight.wr_id : wr_id, peer.qpn, title.opcode,
					     title.byte_cnt, title.imm_inval_pkey, 0});
			if (OneIn(2))
				PollAll();
		}
		while (minis.size() < most) {
			std::vector<uint8_t> bytes(8);
			uint64_t wr_id;
			uint32_t byte_cnt = uint32_t(dice_());

			if (sends) {
				Peer::Flight flight;
				segue_mini_cqe_req mini = {};

				if (!TakeSend(peer, &flight, false))
					break;
				mini.wqe_counter = flight.counter;
				mini.byte_cnt = byte_cnt;
				segue_mini_cqe_req_pack(bytes.data(), &mini);
				wr_id = flight.wr_id;
			} else {
				segue_mini_cqe mini = {};
				uint16_t counter;

				if (!TakeReceive(peer, &counter, &wr_id))
					break;
				mini.rx_hash_result = uint32_t(dice_());
				mini.byte_cnt = byte_cnt;
				segue_mini_cqe_pack(bytes.data(), &mini);
			}
			minis.push_back(bytes);
			block.push_back(
				{wr_id, peer.qpn, title.opcode, byte_cnt, title.imm_inval_pkey, 0});
		}
		if (minis.empty())
			return;
		if (GetParam().enhanced)
			WriteEnhanced(minis);
		else
			WriteClassic(title, minis);
		expected_.insert(expected_.end(), block.begin(), block.end());
		blocks_++;
	}

	/* Arrays of up to seven. Each takes as many entries as it has completions. */
	void WriteEnhanced(const std::vector<std::vector<uint8_t>> &minis)
	{
		for (size_t first = 0, n; first < minis.size(); first += n) {
			segue_mini_cqe_array_trailer array = {};

			n = std::min<size_t>(minis.size() - first, 1 + Below(7));
			for (size_t i = 0; i < n; i++)
				memcpy(array.mini + 8 * i, minis[first + i].data(), 8);
			array.num_minus_one = uint8_t(n - 1);
			array.validity_iteration_count = uint8_t(Round(pi_));
			array.owner = Below(2);
			segue_mini_cqe_array_trailer_pack(Entry(pi_), &array);
			pi_ += uint32_t(n);
		}
	}

	void WriteClassic(segue_cqe64 title, const std::vector<std::vector<uint8_t>> &minis)
	{
		const uint32_t n = uint32_t(minis.size());

		if (n == 1) { /* a block of one entry has no room for its array */
			title.byte_cnt = segue_get_be32(minis[0].data() + 4);
			title.wqe_counter = segue_get_be16(minis[0].data());
			Write(title);
			return;
		}
		for (uint32_t i = 0; i < n; i++)
			memcpy(Entry(pi_ + (i < 8 ? 1 : i / 8 * 8)) + i % 8 * 8, minis[i].data(),
			       8);
		title.byte_cnt = n;
		title.format = SEGUE_CQE_FORMAT_COMPRESSED;
		title.owner = Round(pi_) & 1;
		segue_cqe64_pack(Entry(pi_), &title);
		pi_ += n;
	}

	static void Check(const segue_wc *wc, void *arg) noexcept
	{
		CqTest *test = static_cast<CqTest *>(arg);

		ASSERT_FALSE(test->expected_.empty()) << "a completion out of nowhere";
		const Expected want = test->expected_.front();
		test->expected_.pop_front();
		EXPECT_EQ(want.wr_id, wc->wr_id);
		EXPECT_EQ(want.qpn, wc->qpn);
		EXPECT_EQ(want.opcode, wc->opcode);
		EXPECT_EQ(want.syndrome, wc->syndrome);
		if (!want.syndrome) {
			EXPECT_EQ(want.byte_len, wc->byte_len);
			/* sends have none: arrays say 0 */
			if (want.opcode != SEGUE_CQE_OPCODE_REQ) {
				EXPECT_EQ(want.imm, wc->imm);
			}
		}
		EXPECT_EQ(want.qpn, static_cast<Peer *>(wc->context)->qpn);
		test->seen_++;
	}

	void Poll(int max)
	{
		const size_t before = expected_.size();
		int ret;

		if (OneIn(3)) {
			ret = segue_cq_poll_each(&cq_, max, Check, this);
		} else if (OneIn(2)) {
			ret = segue_cq_poll_payload(&cq_, max, Check, this);
		} else {
			std::vector<segue_wc> wc(max);

			ret = segue_cq_poll(&cq_, max, wc.data());
			for (int i = 0; i < ret; i++)
				Check(&wc[i], this);
		}
		ASSERT_GE(ret, 0) << segue_errmsg();
		ASSERT_EQ(std::min<size_t>(before, max), size_t(ret));
	}

	void PollAll()
	{
		while (!expected_.empty() && !HasFatalFailure())
			Poll(1 + Below(40));
		Poll(1);
		EXPECT_EQ(pi_, seguei_cq_ci(&cq_));
	}

	SplitMix64 dice_;
	segue_cq cq_;
	uint8_t *ring_;
	uint32_t dbrec_[2] = {};
	alignas(8) uint8_t uar_[4096] = {};
	uint32_t pi_; /* of the device */
	std::vector<std::unique_ptr<Peer>> peers_;
	std::deque<Expected> expected_;
	uint64_t seen_ = 0, blocks_ = 0, dropped_ = 0;

	segue_srq srq_;
	alignas(64) uint8_t srq_ring_[kReceives * 64];
	uint64_t srq_wr_ids_[kReceives];
	uint16_t srq_next_[kReceives];
	uint32_t srq_dbrec_;
	uint8_t srq_landing_[64];
	std::deque<std::pair<uint16_t, uint64_t>> srq_posted_;
};

#endif
