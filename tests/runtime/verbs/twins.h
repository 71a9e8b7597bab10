/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Random programs of libibverbs' calls on two sides, libmlx5's and another one. After each call the
 * sides must agree: on its result, on the request that was refused, on each byte of the rings and
 * of the doorbell records, and on each member of each completion. Entries of the completion queues
 * are written by the test, the same on both sides. Some of the calls are another thread's.
 */
#ifndef SEGUE_TESTS_VERBS_TWINS_H
#define SEGUE_TESTS_VERBS_TWINS_H

#include <net/ethernet.h>

#include <deque>
#include <thread>

#include "tests/runtime/libmlx5.h"
#include "tests/runtime/verbs/side.h"
#include "tests/seed/dice.h"

/* A request in flight, found in libmlx5's ring. */
struct Posted {
	uint32_t index;
	uint8_t opcode;
	bool signaled;
};

constexpr uint32_t kPieces = 8;	      /* of a request, at most */
constexpr uint32_t kList = 6;	      /* requests of a call, at most */
constexpr uint32_t kBlocks = 8;	      /* of a raw packet's request, at most */
constexpr uint32_t kWindowBlocks = 3; /* of one that changes a key */
constexpr uint8_t kUntouched = 0x5a;

class Twins
{
      public:
	/* `whole`: ours also has ibv_wr_*() */
	Twins(Side *theirs, Side *ours, uint64_t seed, bool whole)
	    : a_(theirs), b_(ours), dice_(seed), whole_(whole)
	{
		ibv_port_attr port;

		for (uint32_t i = 0; i < sizeof(payload_); i++)
			payload_[i] = uint8_t(i + 1);
		ethernet_ = !ibv_query_port(a_->context, 1, &port) &&
			    port.link_layer == IBV_LINK_LAYER_ETHERNET;
	}

	/* `programs` on one pair of queue pairs. */
	void Run(uint32_t programs)
	{
		Draw();
		ASSERT_NO_FATAL_FAILURE(a_->Make(shape_));
		ASSERT_NO_FATAL_FAILURE(b_->Make(shape_));
		ASSERT_EQ(0, memcmp(&a_->cap, &b_->cap, sizeof(a_->cap)));
		for (uint32_t i = 0; i < programs && !testing::Test::HasFatalFailure(); i++)
			Program();
		a_->Destroy();
		b_->Destroy();
	}

      private:
	uint32_t Below(uint32_t n)
	{
		return uint32_t(dice_() % n);
	}
	bool OneIn(uint32_t n)
	{
		return Below(n) == 0;
	}

	void Draw()
	{
		static const ibv_qp_type types[] = {IBV_QPT_RC, IBV_QPT_RC,	  IBV_QPT_UC,
						    IBV_QPT_UD, IBV_QPT_XRC_SEND, IBV_QPT_DRIVER};

		shape_.type = types[Below(whole_ ? 6 : 5)];
		if (ethernet_ && OneIn(2))
			shape_.type = IBV_QPT_RAW_PACKET;
		shape_.sends = 1 + Below(OneIn(3) ? 4 : 40);
		shape_.receives = 1 + Below(20);
		shape_.send_sges = 1 + Below(kPieces - 2);
		shape_.recv_sges = 1 + Below(kPieces - 2);
		shape_.inlined = OneIn(2) ? 0 : Below(200);
		shape_.signal_all = OneIn(4);
	}

	void Program()
	{
		const uint32_t calls = 1 + Below(30);

		ASSERT_NO_FATAL_FAILURE(a_->Reset());
		ASSERT_NO_FATAL_FAILURE(b_->Reset());
		sent_ = received_ = after_failure_ = 0;
		receives_ = 0;
		flight_.clear();
		for (uint32_t i = 0; i < calls && !testing::Test::HasFailure(); i++) {
			if (OneIn(4))
				std::thread([this] { Call(); }).join();
			else
				Call();
		}
		Poll(kEntries);
	}

	void Call()
	{
		switch (Below(6)) {
		case 0:
		case 1:
		case 2:
			return Send();
		case 3:
			if (Receives(shape_.type))
				Receive();
			return;
		case 4:
			return Complete(1 + Below(5));
		default:
			return Poll(int(Below(20)));
		}
	}

	/* `read`: libmlx5 may read from there */
	void DrawSges(ibv_sge *sges, uint32_t count, bool read)
	{
		for (uint32_t i = 0; i < count; i++) {
			sges[i].addr = read ? uintptr_t(payload_) + Below(64) : dice_();
			sges[i].length = OneIn(5) ? 0 : 1 + Below(read ? 40 : INT32_MAX);
			sges[i].lkey = uint32_t(dice_());
		}
	}

	/* For the other side, where handles are others. */
	struct Calls {
		ibv_send_wr wrs[kList];
		ibv_sge sges[kList][kPieces];
		uint32_t count;
	};

	/* After this one libmlx5's setters write where they wrote last. */
	static bool IsWrongTso(const ibv_send_wr &wr)
	{
		return wr.opcode == IBV_WR_TSO &&
		       (wr.tso.hdr_sz < ETHER_HDR_LEN || wr.tso.hdr_sz > kTsoHeader);
	}

	/*
	 * What libmlx5 does wrong: behind a SEND of the same call, it leaves out as many pieces of
	 * a TSO request as the headers of the SEND took (sg_copy_ptr of _mlx5_post_send()). If the
	 * header of a TSO request crosses the end of the ring, it writes the pieces 32 bytes behind
	 * their place (set_tso_eth_seg()). A piece that is all headers is sent twice by
	 * ibv_wr_set_sge() and ibv_wr_set_inline_data() (mlx5_send_wr_set_sge_eth()).
	 */
	void AvoidWrong(Calls *calls) const
	{
		const uint32_t blocks = a_->ring.sq.wqe_cnt;
		bool right = sent_ % blocks + calls->count * kBlocks < blocks;

		for (uint32_t i = 0; i < calls->count; i++) {
			ibv_send_wr &wr = calls->wrs[i];

			if (wr.opcode == IBV_WR_TSO && !right)
				wr.opcode = ibv_wr_opcode(77);
			right = right && wr.opcode != IBV_WR_SEND;
			if (wr.num_sge == 1 && calls->sges[i]->length == ETHER_HDR_LEN + 4)
				calls->sges[i]->length++;
		}
	}

	/* Whether ibv_wr_*() has a function for each, and libmlx5 minds the number of pieces. */
	bool Known(const Calls &calls) const
	{
		for (uint32_t i = 0; i < calls.count; i++)
			if (calls.wrs[i].opcode > IBV_WR_TSO || IsWrongTso(calls.wrs[i]) ||
			    calls.wrs[i].num_sge > int(a_->cap.max_send_sge))
				return false;
		return true;
	}

	static void Link(Calls *calls, Side *side, ibv_qp_type type)
	{
		for (uint32_t i = 0; i < calls->count; i++) {
			ibv_send_wr &wr = calls->wrs[i];

			wr.next = i + 1 < calls->count ? &calls->wrs[i + 1] : nullptr;
			wr.sg_list = calls->sges[i];
			if (type == IBV_QPT_UD)
				wr.wr.ud.ah = side->ah;
			if (wr.opcode == IBV_WR_BIND_MW) {
				wr.bind_mw.mw = side->mw;
				wr.bind_mw.bind_info.mr = side->mr;
			}
		}
	}

	ibv_wr_opcode DrawOpcode()
	{
		static const ibv_wr_opcode all[] = {
			IBV_WR_SEND,
			IBV_WR_SEND_WITH_IMM,
			IBV_WR_RDMA_WRITE,
			IBV_WR_RDMA_WRITE_WITH_IMM,
			IBV_WR_SEND_WITH_INV,
			IBV_WR_RDMA_READ,
			IBV_WR_ATOMIC_CMP_AND_SWP,
			IBV_WR_ATOMIC_FETCH_AND_ADD,
			IBV_WR_BIND_MW,
			IBV_WR_LOCAL_INV,
		};

		if (OneIn(60))
			return ibv_wr_opcode(77);
		switch (shape_.type) {
		case IBV_QPT_UD:
			return all[Below(2)];
		case IBV_QPT_UC:
			return OneIn(6) ? all[8 + Below(2)] : all[Below(5)];
		case IBV_QPT_RAW_PACKET:
			return OneIn(2) ? IBV_WR_TSO : IBV_WR_SEND;
		default:
			return all[Below(10)];
		}
	}

	void DrawRequest(ibv_send_wr *wr, ibv_sge *sges)
	{
		bool atomic, key;

		*wr = {};
		wr->wr_id = dice_();
		wr->opcode = DrawOpcode();
		atomic = wr->opcode == IBV_WR_ATOMIC_CMP_AND_SWP ||
			 wr->opcode == IBV_WR_ATOMIC_FETCH_AND_ADD;
		key = wr->opcode == IBV_WR_BIND_MW || wr->opcode == IBV_WR_LOCAL_INV;
		wr->send_flags = Below(4) * IBV_SEND_FENCE | (OneIn(3) ? IBV_SEND_INLINE : 0) |
				 (OneIn(3) ? IBV_SEND_IP_CSUM : 0);
		if (!key)
			wr->send_flags |= Below(2) * IBV_SEND_SOLICITED;
		wr->num_sge = OneIn(30)	 ? int(shape_.send_sges) + 3
			      : OneIn(2) ? 1
					 : int(Below(uint32_t(a_->cap.max_send_sge) + 1));
		if (wr->num_sge > int(kPieces))
			wr->num_sge = int(kPieces);
		if (atomic || wr->opcode == IBV_WR_RDMA_READ)
			wr->send_flags &= ~unsigned(IBV_SEND_INLINE);
		DrawSges(sges, kPieces,
			 wr->send_flags & IBV_SEND_INLINE ||
				 (shape_.type == IBV_QPT_RAW_PACKET &&
				  (wr->opcode == IBV_WR_SEND || OneIn(2))));
		if (wr->opcode == IBV_WR_TSO) {
			wr->tso.hdr = payload_;
			wr->tso.hdr_sz = uint16_t(OneIn(30) ? Below(whole_ ? 2 : 1) * kTsoHeader +
								      ETHER_HDR_LEN - 1
							    : ETHER_HDR_LEN + Below(85));
			wr->tso.mss = uint16_t(dice_());
			return;
		}
		if (atomic) {
			wr->num_sge = 1;
			sges[0].length = 8;
			wr->wr.atomic.remote_addr = dice_() & ~uint64_t(7);
			wr->wr.atomic.rkey = uint32_t(dice_());
			wr->wr.atomic.compare_add = dice_();
			wr->wr.atomic.swap = dice_();
		} else if (shape_.type == IBV_QPT_UD) {
			wr->wr.ud.remote_qpn = Below(1 << 24);
			wr->wr.ud.remote_qkey = uint32_t(dice_());
		} else {
			wr->wr.rdma.remote_addr = dice_();
			wr->wr.rdma.rkey = uint32_t(dice_());
		}
		if (shape_.type == IBV_QPT_XRC_SEND)
			wr->qp_type.xrc.remote_srqn = Below(1 << 24);
		wr->imm_data = uint32_t(dice_());
		if (key) {
			wr->num_sge = 0;
			wr->bind_mw.rkey = uint32_t(dice_());
			wr->bind_mw.bind_info = {nullptr, dice_(), OneIn(4) ? 0 : 1 + Below(4096),
						 Below(8) << 1};
		}
	}

	static void Clear(Side *side, uint32_t sent, uint32_t flight)
	{
		for (uint32_t i = flight; i < side->ring.sq.wqe_cnt; i++)
			memset(side->SendBlock(sent + i - flight), 0, kBlock);
	}

	/* Blocks in flight are not to be cleared. */
	uint32_t InFlight() const
	{
		return flight_.empty() ? 0 : sent_ - flight_.front().index;
	}

	void Send()
	{
		Calls theirs = {}, ours;
		ibv_send_wr *bad_a = nullptr, *bad_b = nullptr;
		int ret_a, ret_b;

		theirs.count = OneIn(2) ? 1 : 1 + Below(kList);
		for (uint32_t i = 0; i < theirs.count; i++)
			DrawRequest(&theirs.wrs[i], theirs.sges[i]);
		AvoidWrong(&theirs);
		ours = theirs;
		Link(&theirs, a_, shape_.type);
		Link(&ours, b_, shape_.type);
		Clear(a_, sent_, InFlight());
		Clear(b_, sent_, InFlight());
		/* libmlx5 writes to wherever it was last if ibv_wr_*() finds no room */
		const bool dc = shape_.type == IBV_QPT_DRIVER;
		bool wr = whole_ && (dc || OneIn(2)) && Known(theirs);

		if (wr)
			Poll(kEntries);
		wr = wr && flight_.size() + theirs.count <= a_->cap.max_send_wr;
		/* a DCI's ring is too short for so many windows, and libmlx5 does not mind */
		if (dc && (!wr || InFlight() + theirs.count * kWindowBlocks > a_->ring.sq.wqe_cnt))
			return;
		if (wr) {
			ret_a = a_->PostWr(theirs.wrs);
			ret_b = b_->PostWr(ours.wrs);
		} else {
			ret_a = a_->PostSend(theirs.wrs, &bad_a);
			ret_b = b_->PostSend(ours.wrs, &bad_b);
		}
		ASSERT_EQ(ret_a, ret_b) << "opcode " << (bad_a ? bad_a : theirs.wrs)->opcode;
		if (bad_a) {
			ASSERT_EQ(bad_a - theirs.wrs, bad_b - ours.wrs);
		}
		CompareSends();
		if (ret_a)
			after_failure_ = sent_;
	}

	/* Which word of a block names an object that is another one on each side, or 0. */
	static uint32_t NameIn(const Side *side, uint32_t word)
	{
		return word >> 8 == side->qp->qp_num ? 1
		       : word == side->mw->rkey	     ? 2
		       : word == side->mr->lkey	     ? 3
						     : 0;
	}

	/* Writes bytes in words only if they differ: that takes most of the time of a program. */
	static void CompareBytes(const void *a, const void *b, uint32_t size)
	{
		if (memcmp(a, b, size))
			FAIL() << Hex(static_cast<const uint8_t *>(a), size) << "\n"
			       << Hex(static_cast<const uint8_t *>(b), size);
	}

	/* A word that names the same object on both sides, or is the same, is alike. */
	void CompareBlock(uint32_t at) const
	{
		uint8_t a[kBlock], b[kBlock];

		memcpy(a, a_->SendBlock(at), kBlock);
		memcpy(b, b_->SendBlock(at), kBlock);
		if (at == after_failure_) {
			a[11] &= 0x1f;
			b[11] &= 0x1f;
		}
		for (uint32_t i = 0; i + 4 <= kBlock; i += 4) {
			uint32_t word_a, word_b;

			memcpy(&word_a, a + i, 4);
			memcpy(&word_b, b + i, 4);
			const uint32_t name = NameIn(a_, be32toh(word_a));

			if (!name || name != NameIn(b_, be32toh(word_b)))
				continue;
			if (name > 1 || (word_a ^ word_b) >> 24 == 0)
				memcpy(b + i, a + i, 4);
		}
		ASSERT_NO_FATAL_FAILURE(CompareBytes(a, b, kBlock)) << "block " << at;
	}

	void CompareSends()
	{
		const uint32_t now = be32toh(a_->ring.dbrec[1]);
		uint32_t at = sent_;

		ASSERT_EQ(now, be32toh(b_->ring.dbrec[1])) << "doorbell record";
		for (; (at & 0xffff) != now; at++)
			ASSERT_NO_FATAL_FAILURE(CompareBlock(at));
		while (sent_ != at) {
			const uint8_t *wqe = a_->SendBlock(sent_);
			const uint32_t units = wqe[7] & 0x3f;

			flight_.push_back({sent_, wqe[3], (wqe[11] & 0xc) != 0});
			sent_ += (units + 3) / 4;
		}
	}

	void Receive()
	{
		ibv_recv_wr wrs[kList] = {}, *bad_a = nullptr, *bad_b = nullptr;
		ibv_sge sges[kList][kPieces];
		const uint32_t count = OneIn(2) ? 1 : 1 + Below(kList);
		int ret_a, ret_b;

		for (uint32_t i = 0; i < count; i++) {
			wrs[i].wr_id = dice_();
			wrs[i].next = i + 1 < count ? &wrs[i + 1] : nullptr;
			wrs[i].sg_list = sges[i];
			wrs[i].num_sge = OneIn(30) ? int(kPieces)
						   : int(Below(a_->cap.max_recv_sge + 1));
			DrawSges(sges[i], kPieces, false);
		}
		for (uint32_t i = received_; i < received_ + a_->ring.rq.wqe_cnt - receives_; i++) {
			memset(a_->Receive(i), 0, a_->ring.rq.stride);
			memset(b_->Receive(i), 0, b_->ring.rq.stride);
		}
		ret_a = a_->PostRecv(wrs, &bad_a);
		ret_b = b_->PostRecv(wrs, &bad_b);
		ASSERT_EQ(ret_a, ret_b);
		if (ret_a) {
			ASSERT_EQ(bad_a, bad_b);
		}
		ASSERT_EQ(a_->ring.dbrec[0], b_->ring.dbrec[0]) << "doorbell record of receives";
		for (; (received_ & 0xffff) != be32toh(a_->ring.dbrec[0]); received_++, receives_++)
			ASSERT_NO_FATAL_FAILURE(CompareBytes(a_->Receive(received_),
							     b_->Receive(received_),
							     a_->ring.rq.stride));
	}

	template <class Cqe, class Pack> void Write(Cqe *cqe, Pack pack)
	{
		for (Side *side : {a_, b_}) {
			cqe->qpn = side->qp->qp_num;
			cqe->owner = written_ / side->Entries() & 1;
			pack(side->Entry(written_), cqe);
		}
		written_++;
	}

	void Fail(uint8_t opcode, uint16_t counter)
	{
		static const uint8_t syndromes[] = {0x05, 0x10, 0x11, 0x13, 0x15, 0x22, 0x04};
		segue_err_cqe cqe = {};

		cqe.opcode = opcode;
		cqe.syndrome = syndromes[OneIn(10) ? Below(7) : Below(2) * 4];
		cqe.vendor_err_synd = uint8_t(dice_());
		cqe.wqe_counter = counter;
		Write(&cqe, segue_err_cqe_pack);
	}

	void CompleteSend()
	{
		size_t most = 0;
		segue_cqe64 cqe = {};

		while (most < flight_.size() && (!flight_[most].signaled || OneIn(2)))
			most++;
		if (most == flight_.size())
			return;
		const Posted done = flight_[most];
		flight_.erase(flight_.begin(), flight_.begin() + long(most) + 1);
		if (OneIn(8))
			return Fail(SEGUE_CQE_OPCODE_REQ_ERR, uint16_t(done.index));
		cqe.opcode = SEGUE_CQE_OPCODE_REQ;
		cqe.s_wqe_opcode = done.opcode;
		cqe.byte_cnt = uint32_t(dice_());
		cqe.wqe_counter = uint16_t(done.index);
		Write(&cqe, segue_cqe64_pack);
	}

	void CompleteReceive()
	{
		static const uint8_t opcodes[] = {
			SEGUE_CQE_OPCODE_RESP_SEND, SEGUE_CQE_OPCODE_RESP_SEND,
			SEGUE_CQE_OPCODE_RESP_SEND_IMM, SEGUE_CQE_OPCODE_RESP_SEND_INV,
			SEGUE_CQE_OPCODE_RESP_WR_IMM};
		const uint16_t counter = uint16_t(received_ - receives_);
		segue_cqe64 cqe = {};

		if (!receives_)
			return;
		receives_--;
		if (OneIn(8))
			return Fail(SEGUE_CQE_OPCODE_RESP_ERR, counter);
		cqe.opcode = opcodes[Below(5)];
		cqe.byte_cnt = uint32_t(dice_());
		cqe.imm_inval_pkey = uint32_t(dice_());
		cqe.slid = uint16_t(dice_());
		cqe.rqpn = Below(1 << 24);
		cqe.sl = uint8_t(Below(16));
		cqe.grh = uint8_t(Below(4));
		cqe.ml_path = uint8_t(dice_());
		cqe.l3_ok = !OneIn(3);
		cqe.l4_ok = !OneIn(3);
		cqe.l3_hdr_type = uint8_t(Below(3));
		cqe.wqe_counter = counter;
		Write(&cqe, segue_cqe64_pack);
	}

	void Complete(uint32_t count)
	{
		for (uint32_t i = 0; i < count && written_ - polled_ < kEntries - 8; i++) {
			if (OneIn(2))
				CompleteSend();
			else
				CompleteReceive();
		}
	}

	void Poll(int most)
	{
		std::vector<ibv_wc> theirs(size_t(most) + 1), ours(size_t(most) + 1);
		int got_a, got_b;

		memset(theirs.data(), kUntouched, theirs.size() * sizeof(ibv_wc));
		memset(ours.data(), kUntouched, ours.size() * sizeof(ibv_wc));
		got_a = a_->Poll(most, theirs.data());
		got_b = b_->Poll(most, ours.data());
		ASSERT_EQ(got_a, got_b);
		for (int i = 0; i < got_a; i++) {
			ASSERT_EQ(a_->qp->qp_num, theirs[size_t(i)].qp_num);
			ASSERT_EQ(b_->qp->qp_num, ours[size_t(i)].qp_num);
			ours[size_t(i)].qp_num = theirs[size_t(i)].qp_num;
		}
		for (size_t i = 0; i < theirs.size(); i++)
			ASSERT_NO_FATAL_FAILURE(CompareBytes(&theirs[i], &ours[i], sizeof(ibv_wc)))
				<< "completion " << i;
		polled_ += uint32_t(got_a);
	}

	Side *const a_, *const b_;
	SplitMix64 dice_;
	const bool whole_;
	bool ethernet_; /* both sides can be raw packet queue pairs */
	Shape shape_ = {};
	uint32_t sent_ = 0, received_ = 0; /* since RESET: blocks, receives */
	uint32_t receives_ = 0;		   /* in flight */
	/*
	 * The block after RESET, through which libmlx5 remembers a fence for the next request, or
	 * after a request that was refused, for which libmlx5 forgets it.
	 */
	uint32_t after_failure_ = 0;
	uint32_t written_ = 0, polled_ = 0;
	std::deque<Posted> flight_;
	uint8_t payload_[128];
};

#endif
