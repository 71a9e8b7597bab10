/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Every byte of a receive entry that our builders write against what libmlx5 writes into an equal
 * queue, plain and shared. SEGUE_TEST_COUNT entries of each kind (100000); the seed is printed,
 * SEGUE_TEST_SEED repeats a run.
 */
#include <gtest/gtest.h>

#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/runtime/libmlx5.h"
#include "tests/seed/dice.h"

namespace
{

constexpr uint32_t kReceives = 128;

class Receives
{
      public:
	explicit Receives(bool shared) : shared_(shared), dice_(Seed() * 37 + shared) {}

	~Receives() { Close(); }

	/* Fills rings both ways until so many entries have been compared. */
	void Run(uint32_t count)
	{
		uint32_t done = 0;

		while (done < count && !testing::Test::HasFailure()) {
			Open();
			if (testing::Test::HasFatalFailure())
				return;
			done += Fill();
		}
		printf("%u entries of %u bytes\n", done, stride_);
	}

      private:
	uint32_t Below(uint32_t n) { return uint32_t(dice_() % n); }

	void Close()
	{
		if (qp_)
			ibv_destroy_qp(qp_);
		if (theirs_)
			ibv_destroy_srq(theirs_);
		free(ring_);
		qp_ = nullptr;
		theirs_ = nullptr;
		ring_ = nullptr;
	}

	void Open()
	{
		segue_rq_init_options attr = {};

		Close();
		if (shared_)
			ASSERT_NO_FATAL_FAILURE(OpenSrq());
		else
			ASSERT_NO_FATAL_FAILURE(OpenQp());
		ring_ = static_cast<uint8_t *>(aligned_alloc(64, wqe_cnt_ * stride_));
		memset(ring_, 0, wqe_cnt_ * stride_);
		wr_ids_.resize(wqe_cnt_);
		next_.resize(wqe_cnt_);
		attr.buf = ring_;
		attr.wqe_cnt = wqe_cnt_;
		attr.stride = stride_;
		attr.dbrec = &dbrec_;
		attr.wr_ids = wr_ids_.data();
		attr.next = next_.data();
		ASSERT_EQ(0, shared_ ? segue_srq_init(&srq_, &attr) : segue_rq_init(&rq_, &attr))
			<< segue_errmsg();
	}

	void OpenSrq()
	{
		ibv_srq_init_attr init = {};
		mlx5dv_srq dv = {};
		mlx5dv_obj object = {};

		init.attr.max_wr = kReceives - 1;
		init.attr.max_sge = 1 + Below(kMaxSge);
		theirs_ = ibv_create_srq(Device::Get().pd, &init);
		ASSERT_NE(nullptr, theirs_);
		object.srq.in = theirs_;
		object.srq.out = &dv;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_SRQ));
		ASSERT_EQ(0u, dv.head);
		buf_ = static_cast<uint8_t *>(dv.buf);
		stride_ = dv.stride;
		wqe_cnt_ = dv.tail + 1;
		/* rounded up by libmlx5 */
		max_sge_ = init.attr.max_sge < kMaxSge ? init.attr.max_sge : kMaxSge;
	}

	void OpenQp()
	{
		Device &d = Device::Get();
		ibv_qp_init_attr init = {};
		ibv_qp_attr attr = {};
		mlx5dv_qp dv = {};
		mlx5dv_obj object = {};

		init.qp_type = IBV_QPT_RC;
		init.send_cq = d.cq;
		init.recv_cq = d.cq;
		init.cap.max_send_wr = 1;
		init.cap.max_recv_wr = kReceives;
		init.cap.max_send_sge = 1;
		init.cap.max_recv_sge = max_sge_ = 1 + Below(kMaxSge);
		qp_ = ibv_create_qp(d.pd, &init);
		ASSERT_NE(nullptr, qp_);
		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		ASSERT_EQ(0, ibv_modify_qp(qp_, &attr,
					   IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
						   IBV_QP_ACCESS_FLAGS));
		object.qp.in = qp_;
		object.qp.out = &dv;
		ASSERT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_QP));
		buf_ = static_cast<uint8_t *>(dv.rq.buf);
		stride_ = dv.rq.stride;
		wqe_cnt_ = dv.rq.wqe_cnt;
	}

	/* One entry less than there are: that many our queue takes. Returns how many. */
	uint32_t Fill()
	{
		uint32_t i;

		for (i = 0; i < wqe_cnt_ - 1; i++) {
			Post(i);
			if (testing::Test::HasFatalFailure())
				return i;
			if (memcmp(buf_ + i * stride_, ring_ + i * stride_, stride_)) {
				ADD_FAILURE() << "entry " << i << ", " << max_sge_
					      << " SGEs at most\nlibmlx5:\n"
					      << Hex(buf_ + i * stride_, stride_) << "segue:\n"
					      << Hex(ring_ + i * stride_, stride_);
				return i;
			}
		}
		return i;
	}

	void Post(uint32_t i)
	{
		ibv_sge sges[kMaxSge];
		segue_seg_data list[kMaxSge] = {};
		ibv_recv_wr wr = {}, *bad;

		wr.wr_id = i;
		wr.sg_list = sges;
		wr.num_sge = int(1 + Below(max_sge_));
		for (int k = 0; k < wr.num_sge; k++) {
			sges[k] = {dice_(), 1 + Below(INT32_MAX), uint32_t(dice_())};
			list[k].addr = sges[k].addr;
			list[k].byte_count = sges[k].length;
			list[k].lkey = sges[k].lkey;
		}
		if (shared_) {
			ASSERT_EQ(0, ibv_post_srq_recv(theirs_, &wr, &bad));
			ASSERT_EQ(0, segue_post(segue_sge_list(segue_recv(&srq_, i), list,
							       uint32_t(wr.num_sge))))
				<< segue_errmsg();
		} else {
			ASSERT_EQ(0, ibv_post_recv(qp_, &wr, &bad));
			ASSERT_EQ(0, segue_post(segue_sge_list(segue_recv(&rq_, i), list,
							       uint32_t(wr.num_sge))))
				<< segue_errmsg();
		}
	}

	const bool shared_;
	SplitMix64 dice_;
	ibv_qp *qp_ = nullptr;
	ibv_srq *theirs_ = nullptr;
	uint8_t *buf_ = nullptr, *ring_ = nullptr;
	uint32_t stride_ = 0, wqe_cnt_ = 0, max_sge_ = 0, dbrec_ = 0;
	std::vector<uint64_t> wr_ids_;
	std::vector<uint16_t> next_;
	segue_rq rq_;
	segue_srq srq_;
};

TEST(Libmlx5Bytes, ReceiveQueue)
{
	if (!Device::Get().context)
		FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	Receives(false).Run(Count());
}

TEST(Libmlx5Bytes, SharedReceiveQueue)
{
	if (!Device::Get().context)
		FAIL() << "no mlx5 device; softhca LIBMLX5_TEST has one";
	Receives(true).Run(Count());
}

} // namespace
