/* SPDX-License-Identifier: BSD-2-Clause */
/* The side on which the program calls segue_verbs_*() on adopted objects. */
#ifndef SEGUE_TESTS_VERBS_FUNCTIONS_SIDE_H
#define SEGUE_TESTS_VERBS_FUNCTIONS_SIDE_H

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/pd.h"
#include "segue/qp.h"
#include "segue/verbs.h"
#include "tests/runtime/verbs/side.h"

extern "C" void seguei_qp_let_fill(struct segue_qp *qp);

class FunctionsSide : public Side
{
      public:
	~FunctionsSide() override
	{
		EXPECT_EQ(0, segue_device_close(device_));
	}

	void Open(ibv_device *device) override
	{
		segue_cq_options options = {};

		ASSERT_NO_FATAL_FAILURE(Side::Open(device));
		options.overcommit = true;
		ASSERT_EQ(0, segue_device_adopt(context, &device_)) << segue_errmsg();
		ASSERT_EQ(0, segue_pd_adopt(device_, pd, &pd_)) << segue_errmsg();
		ASSERT_EQ(0, segue_cq_adopt(device_, cq, &options, &cq_)) << segue_errmsg();
	}

	void Make(const Shape &shape) override
	{
		segue_qp_options options = {};

		ASSERT_NO_FATAL_FAILURE(Side::Make(shape));
		options.send_cq = cq_;
		options.recv_cq = shape.type == IBV_QPT_XRC_SEND ? nullptr : cq_;
		options.max_wqe_units = 28;
		ASSERT_EQ(0, segue_qp_adopt(pd_, qp, &options, &qp_)) << segue_errmsg();
		seguei_qp_let_fill(qp_);
	}

	void Destroy() override
	{
		EXPECT_EQ(0, segue_qp_close(qp_)) << segue_errmsg();
		Side::Destroy();
	}

	int PostSend(ibv_send_wr *wr, ibv_send_wr **bad) override
	{
		return segue_verbs_post_send(qp_, wr, bad);
	}
	int PostRecv(ibv_recv_wr *wr, ibv_recv_wr **bad) override
	{
		return segue_verbs_post_recv(qp_, wr, bad);
	}
	int Poll(int most, ibv_wc *wc) override
	{
		return segue_verbs_poll_cq(cq_, most, wc);
	}

      protected:
	void Arrived() override
	{
		segue_qp_info info;

		ASSERT_EQ(0, segue_qp_query(qp_, &info)) << segue_errmsg();
	}

      private:
	segue_device *device_ = nullptr;
	segue_pd *pd_ = nullptr;
	segue_cq *cq_ = nullptr;
	segue_qp *qp_ = nullptr;
};

#endif
