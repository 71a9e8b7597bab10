/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every byte that our builders write against what libmlx5 writes into the ring of an equal queue
 * for the same request.
 *
 * The queue pairs are real ones, of whatever mlx5 device there is (softhca in tests); each batch of
 * random requests goes through ibv_wr_*() or ibv_post_send(), and through our builders into a plain
 * ring of the same size, index and number. Both rings are zero where the batch goes, so bytes that
 * libmlx5 leaves stale compare equal to reserved bits. The requests are nonsense to the device,
 * which may fail them all: a queue pair in error still takes posts and completes them.
 *
 * SEGUE_TEST_COUNT requests per transport (100000); the seed is printed, SEGUE_TEST_SEED repeats a
 * run.
 */
#include <endian.h>
#include <gtest/gtest.h>
#include <sched.h>

#include <string>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/runtime/libmlx5_wr.h"
#include "tests/seed/dice.h"

namespace
{

constexpr uint32_t kMaxInline = 200;
constexpr uint32_t kBatch = 16;

const char *const kOpNames[] = {"SEND", "SEND_IMM", "SEND_INV",	 "WRITE",  "WRITE_IMM",
				"READ", "CS",	    "FA",	 "LOCAL_INV", "BIND_MW"};

struct Request : Wr {
	bool through_post_send, small_fence;
	uint8_t payload[kMaxInline];
	uint32_t payload_len;
	uint8_t access; /* of a memory window */
};

/* Adds what all transports share. */
class Twin
{
      public:
	Twin(ibv_qp_type type, bool dci)
	    : type_(type), dci_(dci), dice_(Seed() * 31 + type * 2 + dci)
	{
	}

	~Twin()
	{
		if (qp_)
			ibv_destroy_qp(qp_);
		if (mw_)
			ibv_dealloc_mw(mw_);
		free(ring_);
	}

	void Open()
	{
		mlx5dv_obj object = {};
		segue_sq_init_options attr = {};

		CreateQp();
		ASSERT_NE(nullptr, qp_) << strerror(errno);
		poster_.Open(qp_, type_);
		ASSERT_NO_FATAL_FAILURE(ToRts(qp_, type_));
		object.qp.in = qp_;
		object.qp.out = &theirs_;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
		ring_ = static_cast<uint8_t *>(aligned_alloc(64, theirs_.sq.wqe_cnt * 64));
		memset(ring_, 0, theirs_.sq.wqe_cnt * 64);
		slots_.resize(theirs_.sq.wqe_cnt);
		attr.buf = ring_;
		attr.wqe_cnt = theirs_.sq.wqe_cnt;
		attr.max_wqe_units = 24;
		attr.dbrec = &dbrec_;
		attr.bf_reg = uar_;
		attr.bf_size = 256;
		attr.qpn = qp_->qp_num;
		attr.slots = slots_.data();
		ASSERT_EQ(0, segue_sq_init(&sq_, &attr)) << segue_errmsg();
		if (type_ == IBV_QPT_RC || type_ == IBV_QPT_UC)
			mw_ = ibv_alloc_mw(Device::Get().pd, IBV_MW_TYPE_2);
	}

	/* Posts `count` requests of these kinds both ways. */
	void Run(const std::vector<Op> &ops, uint32_t count)
	{
		uint32_t done = 0;

		while (done < count) {
			const uint32_t n = 1 + Below(kBatch);
			std::vector<Request> batch(n);

			for (Request &request : batch)
				Draw(&request, ops);
			batch.back().signaled = true;
			Clear();
			Post(batch);
			if (testing::Test::HasFatalFailure())
				return;
			Compare(batch);
			if (testing::Test::HasFailure())
				return;
			Drain();
			done += n;
			if (testing::Test::HasFatalFailure())
				return;
		}
		printf("%u requests, %u blocks\n", done, sq_.pi);
	}

      private:
	uint32_t Below(uint32_t n) { return uint32_t(dice_() % n); }
	bool OneIn(uint32_t n) { return Below(n) == 0; }

	void CreateQp()
	{
		Device &d = Device::Get();
		ibv_qp_init_attr_ex init = {};
		mlx5dv_qp_init_attr dv = {};

		init.qp_type = type_;
		init.send_cq = d.cq;
		init.recv_cq = type_ == IBV_QPT_XRC_SEND || dci_ ? nullptr : d.cq;
		init.pd = d.pd;
		init.cap.max_send_wr = 128;
		init.cap.max_recv_wr = type_ == IBV_QPT_XRC_SEND || dci_ ? 0 : 4;
		init.cap.max_send_sge = kMaxSge;
		init.cap.max_recv_sge = type_ == IBV_QPT_XRC_SEND || dci_ ? 0 : 1;
		init.cap.max_inline_data = kMaxInline;
		init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
		init.send_ops_flags = OpsOf(type_);
		if (dci_) {
			init.recv_cq = d.cq;
			dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
			dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		}
		qp_ = mlx5dv_create_qp(d.context, &init, &dv);
	}

	void Draw(Request *r, const std::vector<Op> &ops)
	{
		do {
			r->op = ops[Below(uint32_t(ops.size()))];
		} while (r->op == Op::BIND_MW && !mw_);
		r->signaled = OneIn(2);
		/* means nothing elsewhere */
		r->solicited = (r->op <= Op::SEND_INV || r->op == Op::WRITE_IMM) && OneIn(4);
		r->fence = OneIn(4);
		r->use_inline = OneIn(2);
		r->through_post_send = false;
		r->imm = uint32_t(dice_());
		r->rkey = uint32_t(dice_());
		r->remote_addr = dice_();
		r->compare = dice_();
		r->swap = dice_();
		r->remote_qpn = Below(1 << 24);
		r->remote_qkey = Below(1u << 31);
		r->dc_key = dice_();
		r->srqn = Below(1 << 24);
		r->stream = OneIn(3) ? 1 + Below(0xffff) : 0;
		r->n_sge = Below(kMaxSge + 1);
		r->payload_len = OneIn(3) ? 1 + Below(32) : 1 + Below(kMaxInline);
		for (size_t at = 0; at < sizeof(r->payload); at += sizeof(uint64_t)) {
			/* to draw one for each byte would take longer than all else */
			const uint64_t word = dice_();

			static_assert(sizeof(r->payload) % sizeof(word) == 0);
			memcpy(r->payload + at, &word, sizeof(word));
		}
		if (r->op == Op::READ || r->op == Op::CS || r->op == Op::FA ||
		    r->op == Op::LOCAL_INV || r->op == Op::BIND_MW)
			r->use_inline = false;
		if (r->op == Op::CS || r->op == Op::FA)
			r->n_sge = 1;
		if (r->op == Op::READ && r->n_sge == 0)
			r->n_sge = 1;
		for (uint32_t i = 0; i < r->n_sge; i++)
			r->sge[i] = {dice_(), 1 + Below(INT32_MAX), uint32_t(dice_())};
		if (r->op == Op::CS || r->op == Op::FA)
			r->sge[0].length = 8;
		if (r->use_inline) { /* in pieces */
			uint32_t at = 0;

			r->n_sge = 1 + Below(kMaxSge);
			for (uint32_t i = 0; i < r->n_sge; i++) {
				const uint32_t left = r->payload_len - at;
				const uint32_t part = i + 1 == r->n_sge ? left : Below(left + 1);

				r->sge[i] = {uint64_t(uintptr_t(r->payload + at)), part, 0};
				at += part;
			}
		}
		r->access = uint8_t(Below(2) * IBV_ACCESS_REMOTE_WRITE |
				    Below(2) * IBV_ACCESS_REMOTE_READ);
		r->ah = Device::Get().ah;
		r->mw = mw_;
		r->bind = Bind(*r);
	}

	/* Zeroes what the next batch may take of both rings. */
	void Clear()
	{
		const uint32_t n = theirs_.sq.wqe_cnt;

		for (uint32_t i = 0; i < kBatch * 6 && i < n; i++) {
			memset(static_cast<uint8_t *>(theirs_.sq.buf) + (sq_.pi + i) % n * 64, 0,
			       64);
			memset(ring_ + (sq_.pi + i) % n * 64, 0, 64);
		}
	}

	void Post(std::vector<Request> &batch)
	{
		const bool post_send = !dci_ && OneIn(2);

		for (Request &r : batch) {
			r.through_post_send = post_send;
			if (post_send && type_ == IBV_QPT_XRC_SEND && r.op == Op::LOCAL_INV)
				r.op = Op::SEND;
		}
		if (post_send)
			ASSERT_NO_FATAL_FAILURE(PostSend(batch));
		else
			ASSERT_NO_FATAL_FAILURE(PostWr(batch));
		starts_.clear();
		for (Request &r : batch) {
			r.small_fence = small_fence_;
			small_fence_ = r.op == Op::LOCAL_INV || r.op == Op::BIND_MW;
			starts_.push_back(sq_.pi);
			ASSERT_EQ(0, PostOurs(r)) << kOpNames[int(r.op)] << ": " << segue_errmsg();
		}
		starts_.push_back(sq_.pi);
	}

	void PostWr(const std::vector<Request> &batch)
	{
		ibv_wr_start(poster_.qpx);
		for (const Request &r : batch)
			poster_.Post(r, wr_id_++);
		ASSERT_EQ(0, ibv_wr_complete(poster_.qpx));
	}

	ibv_mw_bind_info Bind(const Request &r) const
	{
		Device &d = Device::Get();

		return {d.mr, uint64_t(uintptr_t(d.memory)) + r.imm % 64, 64 + r.srqn % 1024,
			unsigned(r.access)};
	}

	void PostSend(const std::vector<Request> &batch)
	{
		static const ibv_wr_opcode opcodes[] = {
			IBV_WR_SEND,		IBV_WR_SEND_WITH_IMM,	     IBV_WR_SEND_WITH_INV,
			IBV_WR_RDMA_WRITE,	IBV_WR_RDMA_WRITE_WITH_IMM,  IBV_WR_RDMA_READ,
			IBV_WR_ATOMIC_CMP_AND_SWP, IBV_WR_ATOMIC_FETCH_AND_ADD, IBV_WR_LOCAL_INV,
			IBV_WR_BIND_MW,
		};
		std::vector<ibv_send_wr> wrs(batch.size());
		ibv_send_wr *bad = nullptr;

		for (size_t i = 0; i < batch.size(); i++) {
			const Request &r = batch[i];
			ibv_send_wr &wr = wrs[i];

			wr = {};
			wr.wr_id = wr_id_++;
			wr.next = i + 1 < batch.size() ? &wrs[i + 1] : nullptr;
			wr.opcode = opcodes[int(r.op)];
			wr.send_flags = (r.signaled ? IBV_SEND_SIGNALED : 0) |
					(r.solicited ? IBV_SEND_SOLICITED : 0) |
					(r.fence ? IBV_SEND_FENCE : 0) |
					(r.use_inline ? IBV_SEND_INLINE : 0);
			wr.sg_list = const_cast<ibv_sge *>(r.sge);
			wr.num_sge = int(r.n_sge);
			if (r.op == Op::SEND_IMM || r.op == Op::WRITE_IMM)
				wr.imm_data = htobe32(r.imm);
			if (r.op == Op::SEND_INV || r.op == Op::LOCAL_INV)
				wr.invalidate_rkey = r.imm;
			if (type_ == IBV_QPT_XRC_SEND)
				wr.qp_type.xrc.remote_srqn = r.srqn;
			if (type_ == IBV_QPT_UD) {
				wr.wr.ud.ah = Device::Get().ah;
				wr.wr.ud.remote_qpn = r.remote_qpn;
				wr.wr.ud.remote_qkey = r.remote_qkey;
			} else if (r.op == Op::WRITE || r.op == Op::WRITE_IMM || r.op == Op::READ) {
				wr.wr.rdma.remote_addr = r.remote_addr;
				wr.wr.rdma.rkey = r.rkey;
			} else if (r.op == Op::CS || r.op == Op::FA) {
				wr.wr.atomic.remote_addr = r.remote_addr;
				wr.wr.atomic.rkey = r.rkey;
				wr.wr.atomic.compare_add = r.op == Op::CS ? r.compare : r.swap;
				wr.wr.atomic.swap = r.swap;
			} else if (r.op == Op::BIND_MW) {
				wr.bind_mw.mw = mw_;
				wr.bind_mw.rkey = r.rkey;
				wr.bind_mw.bind_info = r.bind;
				wr.num_sge = 0;
			}
			if (r.op == Op::LOCAL_INV)
				wr.num_sge = 0;
		}
		ASSERT_EQ(0, ibv_post_send(qp_, wrs.data(), &bad))
			<< "request " << bad - wrs.data() << ", "
			<< kOpNames[int(batch[bad - wrs.data()].op)];
	}

	uint32_t Flags(const Request &r) const
	{
		uint32_t flags = (r.signaled ? SEGUE_SIGNALED : 0) |
				 (r.solicited ? SEGUE_SOLICITED : 0);

		return flags |
		       (r.fence ? SEGUE_FENCE : (r.small_fence ? SEGUE_INITIATOR_SMALL_FENCE : 0));
	}

	template <class W> int Tail(W w, const Request &r)
	{
		segue_seg_data list[kMaxSge];

		if (r.use_inline)
			return segue_commit(segue_inline_data(w, r.payload, r.payload_len));
		if (!r.n_sge)
			return segue_commit(w);
		for (uint32_t i = 0; i < r.n_sge; i++) {
			list[i] = {};
			list[i].byte_count = r.sge[i].length;
			list[i].lkey = r.sge[i].lkey;
			list[i].addr = r.sge[i].addr;
		}
		return segue_commit(segue_sge_list(w, list, r.n_sge));
	}

	template <class W> int Read(W w, const Request &r)
	{
		auto next = segue_sge(w, r.sge[0].addr, r.sge[0].length, r.sge[0].lkey);

		for (uint32_t i = 1; i < r.n_sge; i++)
			next = segue_sge(next, r.sge[i].addr, r.sge[i].length, r.sge[i].lkey);
		return segue_commit(next);
	}

	/* What RC, UC, XRC and DC have in common; `to` adds the address. */
	template <class Sq, class To> int Connected(Sq *sq, const Request &r, To to)
	{
		const uint32_t flags = Flags(r);

		switch (r.op) {
		case Op::SEND:
			return Tail(to(segue_send(sq, 0, flags)), r);
		case Op::SEND_IMM:
			return Tail(to(segue_send_imm(sq, 0, flags, r.imm)), r);
		case Op::SEND_INV:
			return Tail(to(segue_send_inv(sq, 0, flags, r.imm)), r);
		case Op::WRITE:
			return Tail(segue_raddr(to(segue_rdma_write(sq, 0, flags)), r.remote_addr,
						r.rkey),
				    r);
		case Op::WRITE_IMM:
			return Tail(segue_raddr(to(segue_rdma_write_imm(sq, 0, flags, r.imm)),
						r.remote_addr, r.rkey),
				    r);
		default:
			return -1;
		}
	}

	template <class Sq, class To> int Reading(Sq *sq, const Request &r, To to)
	{
		const uint32_t flags = Flags(r);

		switch (r.op) {
		case Op::READ:
			return Read(segue_raddr(to(segue_rdma_read(sq, 0, flags)), r.remote_addr,
						r.rkey),
				    r);
		case Op::CS:
			return Read(
				segue_compare_swap(segue_raddr(to(segue_atomic_cs(sq, 0, flags)),
							       r.remote_addr, r.rkey),
						   r.compare, r.swap),
				r);
		case Op::FA:
			return Read(segue_atomic_add(segue_raddr(to(segue_atomic_fa(sq, 0, flags)),
								 r.remote_addr, r.rkey),
						     r.swap),
				    r);
		default:
			return Connected(sq, r, to);
		}
	}

	template <class Sq> int Keys(Sq *sq, const Request &r)
	{
		const uint32_t flags = Flags(r);

		if (r.op == Op::LOCAL_INV)
			return segue_commit(segue_mkey_invalidate(
				segue_umr_ctrl(segue_local_inv(sq, 0, flags, r.imm)), 0));
		const ibv_mw_bind_info &info = r.bind;
		const uint8_t access = uint8_t(
			(r.access & IBV_ACCESS_REMOTE_WRITE ? SEGUE_MKEY_ACCESS_REMOTE_WRITE : 0) |
			(r.access & IBV_ACCESS_REMOTE_READ ? SEGUE_MKEY_ACCESS_REMOTE_READ : 0));

		return segue_commit(segue_bind_klm(
			segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(sq, 0, flags, mw_->rkey)),
					info.addr, info.length, qp_->qp_num, uint8_t(r.rkey),
					access),
			info.addr, uint32_t(info.length), info.mr->lkey));
	}

	int PostOurs(const Request &r)
	{
		const auto nothing = [](auto w) { return w; };

		if (type_ == IBV_QPT_UD) {
			segue_ud_sq *sq = reinterpret_cast<segue_ud_sq *>(&sq_);
			const segue_address_vector *ah = &Device::Get().ud_ah;

			if (r.op == Op::SEND)
				return Tail(segue_av(segue_send(sq, 0, Flags(r)), ah, r.remote_qpn,
						     r.remote_qkey),
					    r);
			return Tail(segue_av(segue_send_imm(sq, 0, Flags(r), r.imm), ah,
					     r.remote_qpn, r.remote_qkey),
				    r);
		}
		if (type_ == IBV_QPT_XRC_SEND) {
			segue_xrc_initiator_sq *sq = reinterpret_cast<segue_xrc_initiator_sq *>(
				&sq_);

			if (r.op == Op::LOCAL_INV)
				return Keys(sq, r);
			return Reading(sq, r, [&r](auto w) { return segue_xrc(w, r.srqn); });
		}
		if (dci_) {
			segue_dci_sq *sq = reinterpret_cast<segue_dci_sq *>(&sq_);
			const segue_address_vector *ah = &Device::Get().dc_ah;

			return Reading(sq, r, [&r, ah](auto w) {
				if (r.stream)
					w = segue_stream(w, uint16_t(r.stream));
				return segue_av(w, ah, r.remote_qpn, r.dc_key);
			});
		}
		if (type_ == IBV_QPT_UC) {
			segue_uc_sq *sq = reinterpret_cast<segue_uc_sq *>(&sq_);

			return r.op == Op::LOCAL_INV || r.op == Op::BIND_MW
				       ? Keys(sq, r)
				       : Connected(sq, r, nothing);
		}
		segue_rc_sq *sq = reinterpret_cast<segue_rc_sq *>(&sq_);

		return r.op == Op::LOCAL_INV || r.op == Op::BIND_MW ? Keys(sq, r)
								    : Reading(sq, r, nothing);
	}

	void Compare(const std::vector<Request> &batch)
	{
		for (size_t i = 0; i < batch.size(); i++) {
			if (Same(i))
				continue;
			FAIL() << kOpNames[int(batch[i].op)] << " through "
			       << (batch[i].through_post_send ? "post_send" : "wr") << ", "
			       << batch[i].n_sge << " SGEs, inline " << batch[i].use_inline
			       << " of " << batch[i].payload_len << ", request " << i << " of "
			       << batch.size() << "\nlibmlx5:\n"
			       << Blocks(theirs_.sq.buf, i) << "segue:\n"
			       << Blocks(ring_, i);
		}
	}

	/* Whether both rings hold the same for a request of the batch. */
	bool Same(size_t request) const
	{
		const uint8_t *const theirs = static_cast<const uint8_t *>(theirs_.sq.buf);

		for (uint32_t at = starts_[request]; at != starts_[request + 1]; at++) {
			const size_t block = at % theirs_.sq.wqe_cnt * 64;

			if (memcmp(theirs + block, ring_ + block, 64) != 0)
				return false;
		}
		return true;
	}

	/* What a ring holds for it, in words. */
	std::string Blocks(const void *ring, size_t request) const
	{
		const uint8_t *const bytes = static_cast<const uint8_t *>(ring);
		std::vector<uint8_t> all;

		for (uint32_t at = starts_[request]; at != starts_[request + 1]; at++) {
			const uint8_t *const block = bytes + at % theirs_.sq.wqe_cnt * 64;

			all.insert(all.end(), block, block + 64);
		}
		return Hex(all.data(), all.size());
	}

	/* Waits for the last request of the batch. */
	void Drain()
	{
		uint64_t wr_id;

		ASSERT_NO_FATAL_FAILURE(Device::Get().WaitFor(wr_id_ - 1));
		ASSERT_LE(0, segue_sq_retire(&sq_, uint16_t(starts_[starts_.size() - 2]), &wr_id))
			<< segue_errmsg();
	}

	const ibv_qp_type type_;
	const bool dci_;
	SplitMix64 dice_;
	ibv_qp *qp_ = nullptr;
	Poster poster_;
	ibv_mw *mw_ = nullptr;
	mlx5dv_qp theirs_ = {};
	uint8_t *ring_ = nullptr;
	std::vector<segue_sq_slot> slots_;
	segue_sq sq_;
	uint32_t dbrec_ = 0;
	alignas(512) uint8_t uar_[512] = {};
	std::vector<uint32_t> starts_;
	uint64_t wr_id_ = 1;
	bool small_fence_ = false;
};

void Compare(ibv_qp_type type, bool dci, const std::vector<Op> &ops)
{
	Twin twin(type, dci);

	if (!Device::Get().context)
		FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	ASSERT_NO_FATAL_FAILURE(twin.Open());
	twin.Run(ops, Count());
}

const std::vector<Op> kWrites = {Op::SEND, Op::SEND_IMM, Op::SEND_INV, Op::WRITE, Op::WRITE_IMM};
const std::vector<Op> kReads = {Op::SEND,      Op::SEND_IMM, Op::SEND_INV, Op::WRITE,
				Op::WRITE_IMM, Op::READ,     Op::CS,	   Op::FA};

TEST(Libmlx5Bytes, Rc)
{
	Compare(IBV_QPT_RC, false, kReads);
}

TEST(Libmlx5Bytes, Uc)
{
	Compare(IBV_QPT_UC, false, kWrites);
}

TEST(Libmlx5Bytes, Ud)
{
	Compare(IBV_QPT_UD, false, {Op::SEND, Op::SEND_IMM});
}

TEST(Libmlx5Bytes, XrcInitiator)
{
	Compare(IBV_QPT_XRC_SEND, false, kReads);
}

TEST(Libmlx5Bytes, Dci)
{
	Compare(IBV_QPT_DRIVER, true, kReads);
}

TEST(Libmlx5Bytes, RcKeys)
{
	Compare(IBV_QPT_RC, false, {Op::SEND, Op::WRITE, Op::LOCAL_INV, Op::BIND_MW});
}

TEST(Libmlx5Bytes, UcKeys)
{
	Compare(IBV_QPT_UC, false, {Op::SEND, Op::WRITE, Op::LOCAL_INV, Op::BIND_MW});
}

TEST(Libmlx5Bytes, XrcKeys)
{
	Compare(IBV_QPT_XRC_SEND, false, {Op::SEND, Op::WRITE, Op::LOCAL_INV});
}

} // namespace
