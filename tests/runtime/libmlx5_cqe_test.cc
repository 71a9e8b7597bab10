/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The same completion-queue entry through libmlx5's ibv_poll_cq(), through its ibv_start_poll() and
 * ibv_next_poll(), and through our poll: status, opcode, wr_id, length, immediate or invalidated
 * key, flags, vendor syndrome, addresses, payload.
 *
 * Entries of every kind are drawn and written into the ring of a completion queue that the device
 * never touches, and into a plain ring of ours; requests are posted to real queue pairs, in error
 * so that the device leaves them alone, and to plain rings alike. A second test copies what the
 * device writes by itself under traffic. SEGUE_TEST_COUNT entries per form (100000); the seed is
 * printed, SEGUE_TEST_SEED repeats a run.
 *
 * One exception: libmlx5 44 takes the payload of READs and atomics from the wrong place in entries
 * of 128 bytes (it counts from the entry's start, not from its last 64 bytes). Such payload is
 * compared with what was drawn, not with libmlx5.
 */
#include <fcntl.h>
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "segue/detail/cq_payload.h"
#include "tests/runtime/libmlx5_mirror.h"
#include "tests/seed/dice.h"

namespace
{

class Mirror
{
      public:
	explicit Mirror(uint32_t cqe_size) : cqe_size_(cqe_size), dice_(Seed() * 41 + cqe_size) {}

	~Mirror()
	{
		peers_.clear();
		xrc_.reset();
		plain_.reset();
		segue_cq_fini(&ours_);
		free(ring_);
		if (xrcd_)
			ibv_close_xrcd(xrcd_);
	}

	/* Queue pairs of all kinds; `live` ones stay in RTS and complete where they are compared.
	 */
	void Open(bool live)
	{
		ibv_srq_init_attr init = {};
		segue_cq_init_options attr = {};

		live_ = live;
		ASSERT_NO_FATAL_FAILURE(remote_region_.Open(&remote_));
		ASSERT_NO_FATAL_FAILURE(theirs_.Open(cqe_size_));
		ASSERT_NO_FATAL_FAILURE(unread_.Open(cqe_size_));
		ring_ = static_cast<uint8_t *>(aligned_alloc(64, kEntries * cqe_size_));
		memcpy(ring_, theirs_.dv.buf, kEntries * cqe_size_);
		attr.buf = ring_;
		attr.cqe_cnt = kEntries;
		attr.cqe_size = cqe_size_;
		attr.dbrec = dbrec_;
		ASSERT_EQ(0, segue_cq_init(&ours_, &attr)) << segue_errmsg();
		init.attr.max_wr = kDepth;
		init.attr.max_sge = 2;
		plain_ = std::make_unique<Shared>();
		ASSERT_NO_FATAL_FAILURE(plain_->Open(ibv_create_srq(Device::Get().pd, &init)));
		ASSERT_NO_FATAL_FAILURE(OpenXrc());
		for (Kind kind :
		     {Kind::RC, Kind::RC_SRQ, Kind::UC, Kind::UD, Kind::DCI, Kind::DCT}) {
			ASSERT_NO_FATAL_FAILURE(AddPeer(kind));
		}
		for (Kind kind : {Kind::XRC_SEND, Kind::XRC_RECV})
			if (!live) {
				ASSERT_NO_FATAL_FAILURE(AddPeer(kind));
			}
		if (!live) {
			ASSERT_NO_FATAL_FAILURE(Learn());
		}
	}

	/* Entries drawn. */
	void Run(uint32_t count)
	{
		while (done_ < count && !testing::Test::HasFailure()) {
			Refill();
			Drop();
			for (uint32_t i = 1 + Below(8); i; i--)
				Draw();
			ASSERT_NO_FATAL_FAILURE(Poll());
		}
		printf("%u entries of %u bytes, %u with payload, %u errors\n", done_, cqe_size_,
		       payloads_, errors_);
		EXPECT_GT(payloads_, count / 50);
		EXPECT_GT(errors_, count / 50);
	}

	/* Entries that the device writes. */
	void RunLive(uint32_t count)
	{
		static const uint8_t opcodes[] = {
			SEGUE_OPCODE_SEND,	 SEGUE_OPCODE_SEND_IMM,
			SEGUE_OPCODE_RDMA_WRITE, SEGUE_OPCODE_RDMA_WRITE_IMM,
			SEGUE_OPCODE_RDMA_READ,	 SEGUE_OPCODE_ATOMIC_CS,
			SEGUE_OPCODE_ATOMIC_FA};

		while (done_ < count && !testing::Test::HasFailure()) {
			uint32_t expected = 0;

			Refill();
			for (uint32_t i = 1 + Below(12); i; i--) {
				Peer &peer = *peers_[Below(uint32_t(peers_.size()))];
				const uint32_t choices = peer.Connected()
								 ? 7
								 : (peer.GetKind() == Kind::UC ? 4
											       : 2);
				const uint8_t opcode = peer.GetKind() == Kind::DCI
							       ? uint8_t(SEGUE_OPCODE_SEND)
							       : opcodes[Below(choices)];
				/* a UD receive has a GRH before it */
				const uint32_t bytes = 1 +
						       Below(peer.GetKind() == Kind::UD ? 24 : 64);
				const bool dc = peer.GetKind() == Kind::DCI;

				if (!peer.Sends())
					continue;
				ASSERT_NO_FATAL_FAILURE(
					peer.Post(wr_id_++, opcode, bytes,
						  dc ? Dctn() : uint64_t(uintptr_t(remote_.data())),
						  remote_region_.Key()));
				expected += 1 + (opcode == SEGUE_OPCODE_SEND ||
						 opcode == SEGUE_OPCODE_SEND_IMM ||
						 opcode == SEGUE_OPCODE_RDMA_WRITE_IMM);
			}
			ASSERT_NO_FATAL_FAILURE(Fetch(expected));
			ASSERT_NO_FATAL_FAILURE(Poll());
		}
		printf("%u entries of %u bytes under traffic, %u with payload\n", done_, cqe_size_,
		       payloads_);
	}

      private:
	struct Written {
		Peer *peer;
		Shared *shared;
		Flight flight;
		bool send, payload;
		uint32_t bytes;
		uint8_t data[64];
	};

	uint32_t Below(uint32_t n) { return uint32_t(dice_() % n); }
	bool OneIn(uint32_t n) { return Below(n) == 0; }

	uint32_t Dctn() const
	{
		for (auto &peer : peers_)
			if (peer->GetKind() == Kind::DCT)
				return peer->qp->qp_num;
		return 0;
	}

	void OpenXrc()
	{
		ibv_xrcd_init_attr domain = {};
		ibv_srq_init_attr_ex init = {};

		domain.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
		domain.fd = -1;
		domain.oflags = O_CREAT;
		xrcd_ = ibv_open_xrcd(Device::Get().context, &domain);
		ASSERT_NE(nullptr, xrcd_);
		init.attr.max_wr = kDepth;
		init.attr.max_sge = 2;
		init.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_XRCD |
				 IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_PD;
		init.srq_type = IBV_SRQT_XRC;
		init.xrcd = xrcd_;
		init.pd = Device::Get().pd;
		init.cq = ibv_cq_ex_to_cq(live_ ? theirs_.cq : unread_.cq);
		xrc_ = std::make_unique<Shared>();
		ASSERT_NO_FATAL_FAILURE(
			xrc_->Open(ibv_create_srq_ex(Device::Get().context, &init)));
		segue_cq_queue unnamed = {};

		unnamed.key = SEGUE_CQ_BY_DEFAULT;
		unnamed.srq = &xrc_->twin;
		ASSERT_EQ(0, segue_cq_attach(&ours_, &unnamed)) << segue_errmsg();
	}

	void AddPeer(Kind kind)
	{
		const bool plain = kind == Kind::RC_SRQ || kind == Kind::DCT;
		Shared *shared = plain ? plain_.get()
				       : (kind == Kind::XRC_RECV ? xrc_.get() : nullptr);
		auto peer = std::make_unique<Peer>(kind, shared);

		ASSERT_NO_FATAL_FAILURE(
			peer->Create(ibv_cq_ex_to_cq(live_ ? theirs_.cq : unread_.cq), xrcd_));
		ASSERT_NO_FATAL_FAILURE(peer->Connect(peer->qp->qp_num)); /* to itself */
		ASSERT_NO_FATAL_FAILURE(peer->OpenTwin(&ours_));
		if (!live_ && kind != Kind::DCT) {
			ASSERT_NO_FATAL_FAILURE(peer->Fail());
		}
		peers_.push_back(std::move(peer));
	}

	/*
	 * The device's own entries tell by which index libmlx5 knows a queue pair (CQE version 1),
	 * or 0 (version 0). With version 1 nothing tells those of XRC SRQs and DCTs, so their
	 * receives are left to version 0.
	 */
	void Learn()
	{
		version_ = 0;
		for (auto &peer : peers_) {
			if (!peer->Sends())
				continue;
			ASSERT_NO_FATAL_FAILURE(peer->Post(wr_id_++, SEGUE_OPCODE_SEND, 8, 0, 0));
			ASSERT_TRUE(unread_.Wait(unread_ci_)) << "no flush";
			peer->uidx = segue_get_be32(unread_.Entry(unread_ci_) + cqe_size_ - 64 +
						    32) &
				     0xffffff;
			version_ |= peer->uidx != 0;
			Drop();
		}
	}

	/* What the device has flushed is not looked at. */
	void Drop()
	{
		while (unread_.New(unread_ci_))
			unread_ci_++;
		unread_.dv.dbrec[0] = segue_be32(unread_ci_ & 0xffffff);
	}

	void Refill()
	{
		for (auto &peer : peers_) {
			static const uint8_t opcodes[] = {
				SEGUE_OPCODE_SEND,	     SEGUE_OPCODE_SEND_IMM,
				SEGUE_OPCODE_SEND_INVAL,     SEGUE_OPCODE_RDMA_WRITE,
				SEGUE_OPCODE_RDMA_WRITE_IMM, SEGUE_OPCODE_RDMA_READ,
				SEGUE_OPCODE_ATOMIC_CS,	     SEGUE_OPCODE_ATOMIC_FA};
			static const uint32_t choices[] = {8, 8, 5, 2, 1, 0, 1};

			if (!live_ && peer->Sends() && peer->SendRoom())
				peer->Post(wr_id_++, opcodes[Below(choices[int(peer->GetKind())])],
					   1 + Below(64), 0, 0);
			while (peer->HasRq() && peer->ReceiveRoom())
				peer->PostReceive(wr_id_++);
		}
		for (Shared *shared : {plain_.get(), xrc_.get()})
			while (shared->Room())
				shared->Post(wr_id_++);
	}

	/* One entry into both rings. */
	void Draw()
	{
		Written w = {};
		uint8_t bytes[128];

		w.peer = peers_[Below(uint32_t(peers_.size()))].get();
		w.send = w.peer->Sends() && (OneIn(2) || !w.peer->Receives());
		w.shared = w.send ? nullptr : w.peer->shared;
		if (version_ && w.shared && !w.peer->uidx)
			return;
		std::deque<Flight> &flight = w.send ? w.peer->sends
						    : (w.shared ? w.shared->flight
								: w.peer->receives);
		if (flight.empty())
			return;
		/* shared ones complete in any order */
		const uint32_t at = w.send || !w.shared ? 0 : Below(uint32_t(flight.size()));
		w.flight = flight[at];
		flight.erase(flight.begin() + at);
		for (uint8_t &byte : bytes)
			byte = uint8_t(dice_());
		if (OneIn(5))
			Error(w, bytes + 64);
		else
			Good(&w, bytes);
		Push(w, bytes + 128 - cqe_size_);
	}

	uint32_t Index(const Written &w) const
	{
		if (version_)
			return w.peer->uidx;
		return w.shared ? w.shared->srqn : 0;
	}

	void Good(Written *w, uint8_t *bytes)
	{
		const uint8_t opcode = w->flight.wqe_opcode;
		const bool atomic = opcode == SEGUE_OPCODE_ATOMIC_CS ||
				    opcode == SEGUE_OPCODE_ATOMIC_FA;
		const bool returns = w->send && w->peer->Connected() &&
				     (opcode == SEGUE_OPCODE_RDMA_READ || atomic);
		segue_cqe64 cqe = {};

		segue_cqe64_unpack(&cqe, bytes + 64);
		cqe.app = SEGUE_CQE_APP_NONE;
		cqe.format = SEGUE_CQE_FORMAT_NO_INLINE;
		cqe.opcode = w->send ? uint8_t(SEGUE_CQE_OPCODE_REQ)
				     : uint8_t(SEGUE_CQE_OPCODE_RESP_WR_IMM + Below(4));
		cqe.qpn = w->peer->qp->qp_num;
		cqe.srqn_uidx = Index(*w);
		cqe.lro_num_seg = 0;
		cqe.wqe_counter = w->flight.counter;
		if (w->send)
			cqe.s_wqe_opcode = opcode;
		if (atomic)
			cqe.byte_cnt = 8;
		if ((returns || !w->send) && OneIn(3)) {
			const bool wide = cqe_size_ == 128 && OneIn(2);

			/* READs were asked for 1 to 64 bytes; what does not fit is another test's.
			 */
			w->payload = true;
			w->bytes = atomic ? 8 : 1 + Below(wide ? kLanding : 32);
			if (w->send && !atomic)
				w->bytes = 1;
			cqe.byte_cnt = w->bytes;
			cqe.format = wide ? SEGUE_CQE_FORMAT_INLINE_64 : SEGUE_CQE_FORMAT_INLINE_32;
			payloads_++;
		}
		segue_cqe64_pack(bytes + 64, &cqe);
		if (w->payload) {
			uint8_t *data = cqe.format == SEGUE_CQE_FORMAT_INLINE_64 ? bytes
										 : bytes + 64;

			for (uint32_t i = 0;
			     i < (cqe.format == SEGUE_CQE_FORMAT_INLINE_64 ? 64u : 32u); i++)
				w->data[i] = data[i] = uint8_t(dice_());
		}
	}

	void Error(const Written &w, uint8_t *bytes)
	{
		segue_err_cqe cqe = {};

		cqe.opcode = w.send ? SEGUE_CQE_OPCODE_REQ_ERR : SEGUE_CQE_OPCODE_RESP_ERR;
		do {
			cqe.syndrome = OneIn(4) ? uint8_t(1 + Below(255))
						: uint8_t(1 + Below(0x23));
			cqe.vendor_err_synd = uint8_t(dice_());
			/* To libmlx5 that pair says: a page fault of an SRQ, which it posts again
			 * and tells nobody. */
		} while (cqe.syndrome == SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR);
		cqe.srqn_uidx = Index(w);
		cqe.qpn = w.peer->qp->qp_num;
		cqe.s_wqe_opcode = w.flight.wqe_opcode;
		cqe.wqe_counter = w.flight.counter;
		segue_err_cqe_pack(bytes, &cqe);
		errors_++;
	}

	void Push(const Written &w, uint8_t *bytes)
	{
		uint8_t *last = bytes + cqe_size_ - 1;

		*last = uint8_t((*last & ~1) | (pi_ / kEntries & 1));
		memcpy(theirs_.Entry(pi_), bytes, cqe_size_);
		memcpy(ring_ + pi_ % kEntries * cqe_size_, bytes, cqe_size_);
		pi_++;
		written_.push_back(w);
	}

	/* Copies what the device writes. */
	void Fetch(uint32_t n)
	{
		for (; n; n--) {
			ASSERT_TRUE(theirs_.Wait(pi_)) << "no completion";
			seguei_order_memory_loads();
			const uint8_t *entry = theirs_.Entry(pi_);
			const uint8_t op_own = entry[cqe_size_ - 1];
			const uint32_t qpn = segue_get_be32(entry + cqe_size_ - 8) & 0xffffff;
			Written w = {};

			for (auto &peer : peers_)
				if (peer->qp->qp_num == qpn)
					w.peer = peer.get();
			ASSERT_NE(nullptr, w.peer) << "QP " << qpn;
			w.send = op_own >> 4 == SEGUE_CQE_OPCODE_REQ ||
				 op_own >> 4 == SEGUE_CQE_OPCODE_REQ_ERR;
			w.payload = op_own & SEGUE_CQE_OP_OWN_FORMAT_MASK;
			payloads_ += w.payload;
			w.shared = w.send ? nullptr : w.peer->shared;
			w.flight = TakeLive(w, segue_get_be16(entry + cqe_size_ - 4));
			memcpy(ring_ + pi_ % kEntries * cqe_size_, entry, cqe_size_);
			pi_++;
			written_.push_back(w);
		}
	}

	Flight TakeLive(const Written &w, uint16_t counter)
	{
		std::deque<Flight> &flight = w.send ? w.peer->sends
						    : (w.shared ? w.shared->flight
								: w.peer->receives);
		size_t at = 0;

		while (w.shared && at + 1 < flight.size() && flight[at].counter != counter)
			at++;
		const Flight f = flight.at(at);
		flight.erase(flight.begin() + at);
		return f;
	}

	static void Keep(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<std::vector<Seen> *>(arg)->push_back(Ours(*wc));
	}

	/* Polls all that was written, both ways, and compares. */
	void Poll()
	{
		std::vector<Seen> a, b;
		const size_t n = written_.size();
		const bool extended = OneIn(2);

		while (b.size() < n) {
			const int most = 1 + int(Below(8));

			ASSERT_LT(0, OneIn(2) ? segue_cq_poll_each(&ours_, most, Keep, &b)
					      : segue_cq_poll_payload(&ours_, most, Keep, &b))
				<< segue_errmsg();
		}
		if (n && extended) {
			ASSERT_NO_FATAL_FAILURE(PollExtended(&a));
		} else if (n) {
			ASSERT_NO_FATAL_FAILURE(PollPlain(n, &a));
		}
		ASSERT_EQ(n, a.size());
		for (size_t i = 0; i < n; i++) {
			ASSERT_EQ(Defined(a[i]), Defined(b[i]))
				<< "entry " << i << ", kind " << int(written_[i].peer->GetKind())
				<< (extended ? ", extended" : "") << "\n"
				<< Hex(theirs_.Entry(pi_ - uint32_t(n - i)), cqe_size_);
			ASSERT_EQ(written_[i].flight.wr_id, b[i].wr_id);
			ASSERT_NO_FATAL_FAILURE(Payload(written_[i]));
		}
		done_ += uint32_t(n);
		written_.clear();
	}

	void PollPlain(size_t n, std::vector<Seen> *out)
	{
		std::vector<ibv_wc> wc(n);

		ASSERT_EQ(int(n), ibv_poll_cq(ibv_cq_ex_to_cq(theirs_.cq), int(n), wc.data()));
		for (const ibv_wc &one : wc)
			out->push_back(Theirs(one));
	}

	void PollExtended(std::vector<Seen> *out)
	{
		ibv_poll_cq_attr attr = {};

		for (int ret = ibv_start_poll(theirs_.cq, &attr); ret != ENOENT;
		     ret = ibv_next_poll(theirs_.cq)) {
			ASSERT_EQ(0, ret);
			out->push_back(TheirsEx(theirs_.cq));
		}
		ibv_end_poll(theirs_.cq);
	}

	void Payload(const Written &w)
	{
		if (!w.payload)
			return;
		if (!w.send)
			return w.shared ? w.shared->Compare(w.flight.slot)
					: w.peer->CompareReceive(w.flight.slot);
		if (w.bytes) {
			ASSERT_EQ(0, memcmp(w.peer->SentOurs(w.flight.slot), w.data, w.bytes));
		}
		if (cqe_size_ == 64) {
			ASSERT_EQ(0, memcmp(w.peer->SentOurs(w.flight.slot),
					    w.peer->SentTheirs(w.flight.slot), kLanding));
		}
	}

	const uint32_t cqe_size_;
	bool live_ = false, version_ = false;
	SplitMix64 dice_;
	CqRing theirs_, unread_;
	uint32_t unread_ci_ = 0, pi_ = 0, done_ = 0, payloads_ = 0, errors_ = 0;
	uint64_t wr_id_ = 1;
	segue_cq ours_ = {};
	uint8_t *ring_ = nullptr;
	uint32_t dbrec_[2] = {};
	ibv_xrcd *xrcd_ = nullptr;
	std::unique_ptr<Shared> plain_, xrc_;
	std::vector<std::unique_ptr<Peer>> peers_;
	std::vector<Written> written_;
	std::vector<uint64_t> remote_ = std::vector<uint64_t>(64);
	Region remote_region_;
};

class Libmlx5Cqe : public testing::TestWithParam<uint32_t>
{
      protected:
	void SetUp() override
	{
		setenv("MLX5_DEBUG_FILE", "/dev/null", 0); /* it prints each error completion */
		if (!Device::Get().context)
			FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	}
};

TEST_P(Libmlx5Cqe, DrawnEntries)
{
	Mirror mirror(GetParam());

	ASSERT_NO_FATAL_FAILURE(mirror.Open(false));
	mirror.Run(Count());
}

TEST_P(Libmlx5Cqe, EntriesOfTheDevice)
{
	Mirror mirror(GetParam());

	ASSERT_NO_FATAL_FAILURE(mirror.Open(true));
	mirror.RunLive(Count() / 200);
}

INSTANTIATE_TEST_SUITE_P(Forms, Libmlx5Cqe, testing::Values(64u, 128u));

} // namespace
