/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * As libmlx5_bytes_test.cc, for the requests that change memory keys (lists, strided lists, access,
 * type 1 windows), for copies by the device, and for Ethernet packets, plain and segmented.
 * SEGUE_TEST_COUNT requests of each family (100000); the seed is printed, SEGUE_TEST_SEED repeats a
 * run. Keys with signatures or encryption are compared in libmlx5_offload_test.cc.
 *
 * One exception: where the headers of a TSO cross the end of the ring, libmlx5 44 writes the SGEs
 * 32 bytes too far behind them (it counts the Ethernet segment once more), so only what lies before
 * them is compared, and the rest of that batch is not.
 */
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/runtime/libmlx5_twin.h"

namespace
{

constexpr uint32_t kMaxEntries = 16;
constexpr uint32_t kBatch = 32;
constexpr uint32_t kHeaderAt = 16 + 14; /* of a packet, in its WQE */

enum class Op {
	LIST,
	INTERLEAVED,
	CONFIGURE_LIST,
	CONFIGURE_ACCESS,
	CONFIGURE_NOTHING,
	WINDOW,
	UNBIND,
	MEMCPY,
	FRAME,
	TSO,
	SEND
};

const char *const kOpNames[] = {"mr_list",
				"mr_interleaved",
				"mkey_configure with a list",
				"mkey_configure with access",
				"mkey_configure",
				"bind_mw of type 1",
				"unbind of type 1",
				"memcpy",
				"packet",
				"TSO",
				"SEND"};

struct Request {
	Op op;
	bool signaled, solicited, fence, small_fence, csum, use_inline;
	uint32_t access, n, repeat, n_sge;
	uint16_t mss;
	ibv_sge pieces[kMaxEntries];
	mlx5dv_mr_interleaved strides[kMaxEntries];
	ibv_sge sge[kMaxSge];
	uint8_t header[kMaxHeader];
	uint32_t header_len;
	uint32_t window; /* its key before */
	uint8_t tag;     /* and the low byte of its key behind */
};

/* Real for verbs, plain for us. */
class Twin : public TwinQp
{
      public:
	using TwinQp::TwinQp;

	~Twin()
	{
		if (mw_)
			ibv_dealloc_mw(mw_);
		if (mkey_)
			mlx5dv_destroy_mkey(mkey_);
	}

	bool Open(uint64_t mlx5_ops)
	{
		ibv_device_attr_ex device = {};

		if (!TwinQp::Open(mlx5_ops))
			return false;
		if (type_ == IBV_QPT_RC)
			CreateKeys();
		EXPECT_EQ(0, ibv_query_device_ex(Device::Get().context, nullptr, &device));
		/* else libmlx5 follows a stale pointer */
		csum_ = device.orig_attr.device_cap_flags & IBV_DEVICE_RAW_IP_CSUM;
		return true;
	}

	void Run(const std::vector<Op> &ops, uint32_t count)
	{
		uint32_t done = 0;

		while (done < count && !testing::Test::HasFailure()) {
			std::vector<Request> batch(1 + Below(kBatch));

			for (Request &request : batch)
				Draw(&request, ops);
			batch.back().signaled = true;
			Clear(kBatch * 10);
			ASSERT_NO_FATAL_FAILURE(PostTheirs(batch));
			starts_.clear();
			for (Request &request : batch) {
				request.small_fence = small_fence_;
				small_fence_ = request.op < Op::MEMCPY;
				starts_.push_back(sq_.pi);
				Learn(request);
				ASSERT_EQ(0, PostOurs(request))
					<< kOpNames[int(request.op)] << ": " << segue_errmsg();
			}
			starts_.push_back(sq_.pi);
			ASSERT_NO_FATAL_FAILURE(Compare(batch));
			ASSERT_NO_FATAL_FAILURE(Drain(starts_[starts_.size() - 2]));
			done += uint32_t(batch.size());
		}
		printf("%u requests, %u blocks\n", done, sq_.pi);
	}

	/* What libmlx5 says of a key that is given these rights. */
	int Configure(uint32_t access)
	{
		mlx5dv_mkey_conf_attr conf = {};

		ibv_wr_start(qpx_);
		qpx_->wr_flags = IBV_SEND_INLINE;
		mlx5dv_wr_mkey_configure(mqpx_, mkey_, 1, &conf);
		mlx5dv_wr_set_mkey_access_flags(mqpx_, access);
		return ibv_wr_complete(qpx_);
	}

      private:
	void CreateKeys()
	{
		mlx5dv_mkey_init_attr attr = {};

		attr.pd = Device::Get().pd;
		attr.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT;
		attr.max_entries = kMaxEntries;
		mkey_ = mlx5dv_create_mkey(&attr);
		mw_ = ibv_alloc_mw(Device::Get().pd, IBV_MW_TYPE_1);
		EXPECT_NE(nullptr, mkey_);
		EXPECT_NE(nullptr, mw_);
	}

	void Draw(Request *r, const std::vector<Op> &ops)
	{
		Device &d = Device::Get();

		*r = {};
		r->op = ops[Below(uint32_t(ops.size()))];
		r->signaled = OneIn(2);
		r->fence = OneIn(4);
		r->csum = csum_ && OneIn(2);
		r->use_inline = OneIn(2);
		r->access = Below(16);
		r->n = 1 + Below(kMaxEntries - 1);
		r->repeat = 1 + Below(1000);
		r->n_sge = 1 + Below(kMaxSge);
		r->mss = uint16_t(1 + Below(9000));
		r->header_len = 14 + Below(kMaxHeader - 13);
		for (ibv_sge &piece : r->pieces)
			piece = {dice_(), 1 + Below(1 << 26), uint32_t(dice_())};
		for (mlx5dv_mr_interleaved &stride : r->strides)
			stride = {dice_(), 1 + Below(0x7fff), Below(0x7fff), uint32_t(dice_())};
		for (ibv_sge &sge : r->sge)
			sge = {uint64_t(uintptr_t(d.memory)) + Below(2048),
			       1 + Below(r->use_inline ? 40 : 1024), d.mr->lkey};
		for (uint8_t &byte : r->header)
			byte = uint8_t(dice_());
	}

	void PostTheirs(std::vector<Request> &batch)
	{
		bool open = false;

		for (Request &r : batch) {
			if (r.op == Op::WINDOW || r.op == Op::UNBIND) { /* not one of a batch */
				if (open) {
					ASSERT_EQ(0, ibv_wr_complete(qpx_));
				}
				open = false;
				ASSERT_NO_FATAL_FAILURE(Bind(&r));
				continue;
			}
			if (!open)
				ibv_wr_start(qpx_);
			open = true;
			Begin(r);
		}
		if (open) {
			ASSERT_EQ(0, ibv_wr_complete(qpx_));
		}
	}

	void Bind(Request *r)
	{
		Device &d = Device::Get();
		ibv_mw_bind bind = {};

		bind.wr_id = wr_id_++;
		bind.send_flags = (r->signaled ? IBV_SEND_SIGNALED : 0) |
				  (r->fence ? IBV_SEND_FENCE : 0);
		bind.bind_info = {d.mr, r->sge[0].addr, r->sge[0].length,
				  Access(*r) & (IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ)};
		if (r->op == Op::UNBIND)
			bind.bind_info = {};
		r->window = mw_->rkey;
		ASSERT_EQ(0, ibv_bind_mw(qp_, mw_, &bind));
		r->tag = uint8_t(mw_->rkey);
	}

	uint32_t Access(const Request &r) const
	{
		return (r.access & 1 ? IBV_ACCESS_REMOTE_WRITE : 0) |
		       (r.access & 2 ? IBV_ACCESS_REMOTE_READ : 0) |
		       (r.access & 4 ? IBV_ACCESS_LOCAL_WRITE : 0) |
		       (r.access & 8 ? IBV_ACCESS_REMOTE_ATOMIC : 0);
	}

	void Begin(const Request &r)
	{
		mlx5dv_mkey_conf_attr conf = {};
		Request copy = r; /* they want it writable */

		qpx_->wr_id = wr_id_++;
		qpx_->wr_flags = (r.signaled ? IBV_SEND_SIGNALED : 0) |
				 (r.fence ? IBV_SEND_FENCE : 0);
		if (r.op <= Op::CONFIGURE_NOTHING)
			qpx_->wr_flags |= IBV_SEND_INLINE;
		switch (r.op) {
		case Op::LIST:
			return mlx5dv_wr_mr_list(mqpx_, mkey_, Access(r), uint16_t(r.n),
						 copy.pieces);
		case Op::INTERLEAVED:
			return mlx5dv_wr_mr_interleaved(mqpx_, mkey_, Access(r), r.repeat,
							uint16_t(r.n), copy.strides);
		case Op::CONFIGURE_LIST:
			mlx5dv_wr_mkey_configure(mqpx_, mkey_, 1, &conf);
			return mlx5dv_wr_set_mkey_layout_list(mqpx_, uint16_t(r.n), copy.pieces);
		case Op::CONFIGURE_ACCESS:
			mlx5dv_wr_mkey_configure(mqpx_, mkey_, 1, &conf);
			return mlx5dv_wr_set_mkey_access_flags(mqpx_, Access(r));
		case Op::CONFIGURE_NOTHING:
			return mlx5dv_wr_mkey_configure(mqpx_, mkey_, 0, &conf);
		case Op::MEMCPY:
			return mlx5dv_wr_memcpy(mqpx_, r.sge[0].lkey, r.sge[0].addr, r.sge[1].lkey,
						r.sge[1].addr, r.sge[0].length);
		case Op::TSO:
			qpx_->wr_flags |= r.csum ? unsigned(IBV_SEND_IP_CSUM) : 0;
			ibv_wr_send_tso(qpx_, copy.header, uint16_t(r.header_len), r.mss);
			return ibv_wr_set_sge_list(qpx_, r.n_sge, r.sge);
		case Op::FRAME:
			qpx_->wr_flags |= r.csum ? unsigned(IBV_SEND_IP_CSUM) : 0;
			break;
		default:
			break;
		}
		if (r.use_inline)
			qpx_->wr_flags |= IBV_SEND_INLINE;
		ibv_wr_send(qpx_);
		if (r.use_inline)
			ibv_wr_set_inline_data(qpx_, copy.header, r.header_len);
		else
			ibv_wr_set_sge_list(qpx_, r.n_sge, r.sge);
	}

	/* libmlx5 keeps the scratch memory of copies to itself. */
	void Learn(const Request &r)
	{
		const uint8_t *wqe = static_cast<uint8_t *>(theirs_.sq.buf) +
				     size_t(sq_.pi) % theirs_.sq.wqe_cnt * 64;

		if (r.op == Op::MEMCPY)
			segue_seg_mmo_metadata_unpack(&scratch_, wqe + 16);
	}

	uint32_t Flags(const Request &r) const
	{
		return (r.signaled ? SEGUE_SIGNALED : 0) |
		       (r.fence ? SEGUE_FENCE : (r.small_fence ? SEGUE_INITIATOR_SMALL_FENCE : 0));
	}

	template <class W> int Tail(W w, const Request &r)
	{
		segue_seg_data list[kMaxSge] = {};

		if (r.use_inline && r.op != Op::TSO)
			return segue_commit(segue_inline_data(w, r.header, r.header_len));
		for (uint32_t i = 0; i < r.n_sge; i++) {
			list[i].byte_count = r.sge[i].length;
			list[i].lkey = r.sge[i].lkey;
			list[i].addr = r.sge[i].addr;
		}
		return segue_commit(segue_sge_list(w, list, r.n_sge));
	}

	uint8_t KeyAccess(const Request &r) const
	{
		return uint8_t((r.access & 1 ? SEGUE_MKEY_ACCESS_REMOTE_WRITE : 0) |
			       (r.access & 2 ? SEGUE_MKEY_ACCESS_REMOTE_READ : 0) |
			       (r.access & 4 ? SEGUE_MKEY_ACCESS_LOCAL_WRITE : 0) |
			       (r.access & 8 ? SEGUE_MKEY_ACCESS_ATOMIC : 0));
	}

	int Key(segue_rc_sq *sq, const Request &r)
	{
		const uint64_t access_mask = SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
					     SEGUE_MKEY_MASK_ACCESS_REMOTE_READ |
					     SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
					     SEGUE_MKEY_MASK_ACCESS_ATOMIC;
		const bool listed = r.op != Op::CONFIGURE_ACCESS && r.op != Op::CONFIGURE_NOTHING;
		const bool access = r.op != Op::CONFIGURE_LIST && r.op != Op::CONFIGURE_NOTHING;
		uint64_t mask = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY;
		segue_seg_mkey_context key = {};
		segue_seg_repeat_ent entries[kMaxEntries] = {};
		segue_seg_klm klms[kMaxEntries] = {};
		uint32_t bytes = 0;

		mask |= (access ? access_mask : 0) | (listed ? uint64_t(SEGUE_MKEY_MASK_LEN) : 0);
		key.qpn = 0xffffff;
		key.mkey_7_0 = uint8_t(mkey_->lkey);
		key.access_flags = access ? KeyAccess(r) : 0;
		if (r.op == Op::INTERLEAVED) {
			for (uint32_t i = 0; i < r.n; i++) {
				entries[i].stride = uint16_t(r.strides[i].bytes_count +
							     r.strides[i].bytes_skip);
				entries[i].byte_count = uint16_t(r.strides[i].bytes_count);
				entries[i].memkey = r.strides[i].lkey;
				entries[i].va = r.strides[i].addr;
				bytes += r.strides[i].bytes_count;
			}
			key.len = uint64_t(bytes) * r.repeat;
			auto w = segue_repeat_ent_list(
				segue_repeat_block(
					segue_mkey_context(
						segue_umr_ctrl(segue_umr_interleaved(sq, 0,
										     Flags(r),
										     mkey_->lkey),
							       0, Octowords(r.n + 1), mask),
						&key),
					bytes, r.repeat, uint16_t(r.n)),
				entries, r.n);

			return segue_commit(w);
		}
		for (uint32_t i = 0; listed && i < r.n; i++) {
			klms[i].byte_count = r.pieces[i].length;
			klms[i].mkey = r.pieces[i].lkey;
			klms[i].address = r.pieces[i].addr;
			key.len += r.pieces[i].length;
		}
		return segue_commit(segue_klm_list(
			segue_mkey_context(
				segue_umr_ctrl(segue_umr_list(sq, 0, Flags(r), mkey_->lkey), 0,
					       listed ? Octowords(r.n) : uint16_t(0), mask),
				&key),
			klms, listed ? r.n : 0));
	}

	int PostOurs(const Request &r)
	{
		segue_rc_sq *rc = reinterpret_cast<segue_rc_sq *>(&sq_);
		segue_raw_packet_sq *raw = reinterpret_cast<segue_raw_packet_sq *>(&sq_);
		const uint8_t csum = r.csum ? uint8_t(SEGUE_ETH_CS_FLAG_L3_CSUM |
						      SEGUE_ETH_CS_FLAG_L4_CSUM)
					    : 0;

		switch (r.op) {
		case Op::WINDOW:
			return segue_commit(segue_bind_klm(
				segue_mkey_bind(
					segue_umr_ctrl(
						segue_bind_mw_type1(rc, 0, Flags(r), r.window)),
					r.sge[0].addr, r.sge[0].length, 0xffffff, r.tag,
					uint8_t(KeyAccess(r) & (SEGUE_MKEY_ACCESS_REMOTE_WRITE |
								SEGUE_MKEY_ACCESS_REMOTE_READ))),
				r.sge[0].addr, r.sge[0].length, r.sge[0].lkey));
		case Op::UNBIND:
			return segue_commit(segue_mkey_invalidate(
				segue_umr_ctrl(segue_unbind_mw_type1(rc, 0, Flags(r), r.window)),
				r.tag));
		case Op::MEMCPY:
			return segue_commit(segue_mmo_data(
				segue_mmo_data(segue_mmo_metadata(segue_memcpy(rc, 0, Flags(r)),
								  scratch_.mmo_control_31_0,
								  scratch_.local_key,
								  scratch_.local_address),
					       r.sge[1].addr, r.sge[0].length, r.sge[1].lkey),
				r.sge[0].addr, r.sge[0].length, r.sge[0].lkey));
		case Op::FRAME:
			return Tail(segue_eth(segue_send(raw, 0, Flags(r)), csum, nullptr, 0), r);
		case Op::TSO:
			return Tail(segue_eth(segue_tso(raw, 0, Flags(r)), csum, r.mss, r.header,
					      r.header_len),
				    r);
		case Op::SEND:
			return Tail(segue_send(rc, 0, Flags(r)), r);
		default:
			return Key(rc, r);
		}
	}

	void Compare(const std::vector<Request> &batch)
	{
		const uint32_t n = theirs_.sq.wqe_cnt;

		for (size_t i = 0; i < batch.size(); i++) {
			std::vector<uint8_t> a, b;

			Take(starts_[i], starts_[i + 1], &a, &b);
			const bool across = batch[i].op == Op::TSO && starts_[i] % n == n - 1 &&
					    kHeaderAt + batch[i].header_len > 64;
			if (across) {
				a.resize((kHeaderAt + batch[i].header_len + 15) / 16 * 16);
				b.resize(a.size());
			}
			ASSERT_EQ(a, b) << kOpNames[int(batch[i].op)] << ", request " << i << " of "
					<< batch.size() << ", " << batch[i].n << " entries, "
					<< batch[i].n_sge << " SGEs, header of "
					<< batch[i].header_len << "\nlibmlx5:\n"
					<< Hex(a.data(), a.size()) << "segue:\n"
					<< Hex(b.data(), b.size());
			if (across)
				return; /* the next one lies over what was misplaced */
		}
	}

	mlx5dv_mkey *mkey_ = nullptr;
	ibv_mw *mw_ = nullptr;
	std::vector<uint32_t> starts_;
	bool small_fence_ = false, csum_ = false;
	segue_seg_mmo_metadata scratch_ = {};
};

void Compare(ibv_qp_type type, uint64_t mlx5_ops, const std::vector<Op> &ops)
{
	Twin twin(type);

	setenv("MLX5_DEBUG_FILE", "/dev/null", 0);
	if (!Device::Get().context)
		FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	if (!twin.Open(mlx5_ops))
		FAIL() << "the device has no such queue pair";
	twin.Run(ops, Count());
}

TEST(Libmlx5Keys, Lists)
{
	Compare(IBV_QPT_RC,
		MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MR_INTERLEAVED |
			MLX5DV_QP_EX_WITH_MKEY_CONFIGURE,
		{Op::LIST, Op::INTERLEAVED, Op::CONFIGURE_LIST, Op::CONFIGURE_ACCESS,
		 Op::CONFIGURE_NOTHING, Op::SEND});
}

/* So there are no bytes of libmlx5's to compare those of segue_mkey_post_list() with. */
TEST(Libmlx5Keys, RelaxedOrderingIsForRegionsOnly)
{
	Twin twin(IBV_QPT_RC);

	ASSERT_TRUE(twin.Open(MLX5DV_QP_EX_WITH_MR_LIST | MLX5DV_QP_EX_WITH_MKEY_CONFIGURE));
	EXPECT_EQ(0, twin.Configure(IBV_ACCESS_LOCAL_WRITE));
	EXPECT_EQ(EINVAL, twin.Configure(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_RELAXED_ORDERING));
}

TEST(Libmlx5Keys, Windows)
{
	Compare(IBV_QPT_RC, 0, {Op::WINDOW, Op::UNBIND, Op::SEND});
}

TEST(Libmlx5Keys, Copies)
{
	Compare(IBV_QPT_RC, MLX5DV_QP_EX_WITH_MEMCPY, {Op::MEMCPY, Op::SEND});
}

TEST(Libmlx5Keys, Packets)
{
	Compare(IBV_QPT_RAW_PACKET, 0, {Op::FRAME, Op::TSO});
}

} // namespace
