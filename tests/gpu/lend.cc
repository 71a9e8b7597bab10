// SPDX-License-Identifier: BSD-2-Clause
// Send queues that are lent to lanes, and taken back: what is refused meanwhile, and that both
// sides go on where the other one ended.
#include "segue/gpu/lend.h"

#include "tests/runtime/control/fixture.h"

namespace
{

enum class Completions { RING, OVERRUN, COLLAPSED };

class Lend : public Control, public ::testing::WithParamInterface<Completions>
{
      protected:
	void SetUp() override
	{
		Control::SetUp();
		mr = share(words, sizeof(words));
		ASSERT_OK(segue_mr_local_buf(mr, 0, sizeof(words), &local));
		ASSERT_OK(segue_mr_remote_buf(mr, 0, sizeof(words), &remote));
	}

	segue_cq *open_sends(Completions kind)
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = 128;
		options.overrun_ignored = kind == Completions::OVERRUN;
		options.collapsed = kind == Completions::COLLAPSED;
		EXPECT_OK(segue_cq_open(device, &options, &made));
		return made;
	}

	void open_pair(segue_cq *on)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = sends = on;
		ASSERT_OK(segue_qp_open(pd, &options, &a));
		b = open(SEGUE_QP_RC);
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	}

	// By a lane: the word at `from` goes to `to`.
	int lane_write(uint32_t from, uint32_t to, uint32_t rkey)
	{
		const segue_seg_raddr raddr = {remote.addr + 8 * to, rkey};
		const segue_seg_data data = {8, local.key.lkey, local.addr + 8 * from};
		segue_seg_ctrl ctrl = {};
		segue_unit units[3];
		uint64_t at;
		const int ret = segue_gpu_reserve(&queue, 1, SEGUE_GPU_ONE, &at);

		if (ret)
			return ret;
		ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
		ctrl.wqe_index = static_cast<uint16_t>(at);
		ctrl.qpn = queue.qpn;
		ctrl.ds = 3;
		ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
		segue_seg_ctrl_pack(units[0].bytes, &ctrl);
		segue_seg_raddr_pack(units[1].bytes, &raddr);
		segue_seg_data_pack(units[2].bytes, &data);
		segue_gpu_put(&queue, at, units, 3);
		segue_gpu_publish(&queue, at, 1, SEGUE_GPU_RING, SEGUE_GPU_ONE);
		return 0;
	}

	// As many words, one after the other, and back to zero.
	void lane_writes(uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++) {
			words[0] = ++mark;
			ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
			ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
			ASSERT_EQ(mark, words[1]);
		}
	}

	int host_write(uint64_t wr_id)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), wr_id, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			local.addr, 8, local.key.lkey));
	}

	void host_writes(uint32_t count)
	{
		for (uint32_t i = 0; i < count; i++) {
			ASSERT_OK(host_write(++mark));
			EXPECT_EQ(mark, take(1, sends)[0].wr_id);
		}
	}

	alignas(64) uint64_t words[8] = {};
	uint64_t mark = 0;
	segue_mr *mr = nullptr;
	segue_local_buf local = {};
	segue_remote_buf remote = {};
	segue_gpu_queue queue = {};
	segue_cq *sends = nullptr;
	segue_qp *a = nullptr, *b = nullptr;
};

TEST_P(Lend, BothSidesGoOnWhereTheOtherOneEnded)
{
	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(GetParam())));
	for (uint32_t turn = 1; turn < 5; turn++) {
		if (GetParam() != Completions::COLLAPSED) {
			ASSERT_NO_FATAL_FAILURE(host_writes(37 * turn));
		}
		ASSERT_OK(segue_qp_lend(a, &queue));
		ASSERT_NO_FATAL_FAILURE(lane_writes(101 * turn));
		ASSERT_OK(segue_qp_take_back(a, &queue));
	}
	EXPECT_EQ(GetParam() == Completions::COLLAPSED ? 1010u : 1380u, queue.done);
	EXPECT_EQ(GetParam() == Completions::COLLAPSED, queue.entry_count == 0);
	EXPECT_EQ(GetParam() == Completions::RING, queue.entry_record != nullptr);
	EXPECT_OK(segue_qp_close(a));
	EXPECT_OK(segue_cq_close(sends));
}

TEST_P(Lend, MeanwhileItIsTheLanes)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	std::vector<segue_wc> completed;
	segue_gpu_queue second;
	segue_qp_info info;
	segue_qp *other;
	segue_wc wc[2];

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(GetParam())));
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_NO_FATAL_FAILURE(lane_writes(3));
	words[0] = ++mark;
	ASSERT_EQ(0,
		  lane_write(0, 1, remote.key.rkey)); // its completion is nobody's but the lanes'
	const uint32_t consumed = queue.entry_record ? *queue.entry_record : 0;

	EXPECT_EQ(-EBUSY, host_write(1));
	EXPECT_SAYS("is lent to lanes; when the last one has ended, call segue_qp_take_back()");
	EXPECT_EQ(-EBUSY, segue_cq_poll_each(sends, 8, keep, &completed));
	EXPECT_SAYS("is lent to lanes");
	EXPECT_EQ(-EBUSY, segue_cq_poll_each(sends, 1, keep, &completed));
	EXPECT_EQ(-EBUSY, segue_cq_poll(sends, 2, wc));
	EXPECT_EQ(-EBUSY, segue_cq_poll(sends, 1, wc));
	if (queue.entry_record) {
		EXPECT_EQ(consumed, *queue.entry_record);
	}
	EXPECT_EQ(-EBUSY, segue_qp_close(a));
	EXPECT_SAYS("Closing: completion queue");
	EXPECT_EQ(-EBUSY, segue_cq_close(sends));
	EXPECT_EQ(-EBUSY, segue_pd_close(pd));
	EXPECT_EQ(-EBUSY, segue_qp_query(a, &info));
	EXPECT_EQ(-EBUSY, segue_qp_modify_to(a, SEGUE_QP_STATE_ERR, nullptr));
	EXPECT_EQ(-EBUSY, segue_qp_reset(a, keep, &completed));
	EXPECT_EQ(-EBUSY, segue_qp_drain(a, segue_deadline_in_ms(20000), keep, &completed));
	EXPECT_SAYS("is lent to lanes");
	EXPECT_EQ(-EBUSY, segue_qp_lend(a, &second));
	EXPECT_SAYS("is lent to lanes");
	options.send_cq = sends;
	EXPECT_EQ(-EBUSY, segue_qp_open(pd, &options, &other));
	EXPECT_SAYS("is lent to lanes");
	ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
	ASSERT_NO_FATAL_FAILURE(lane_writes(200));
	ASSERT_OK(segue_qp_take_back(a, &queue));
	EXPECT_EQ(0, segue_cq_poll_each(sends, 8, keep, &completed));
	EXPECT_TRUE(completed.empty());
	EXPECT_EQ(-EINVAL, segue_qp_take_back(a, &queue));
	EXPECT_SAYS("is not lent");
}

TEST_P(Lend, AFailureEndsInAnotherLife)
{
	segue_gpu_error error;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(GetParam())));
	for (uint32_t life = 0; life < 3; life++) {
		std::vector<segue_wc> dropped;

		ASSERT_OK(segue_qp_lend(a, &queue));
		EXPECT_EQ(0u, queue.first);
		ASSERT_NO_FATAL_FAILURE(lane_writes(90));
		ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey ^ 0x5500));
		ASSERT_EQ(-EIO, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
		ASSERT_TRUE(segue_gpu_query_error(&queue, &error));
		EXPECT_EQ(90u, error.index);
		EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, error.syndrome);
		(void)lane_write(0, 1, remote.key.rkey);
		ASSERT_OK(segue_qp_take_back(a, &queue));
		EXPECT_EQ(SEGUE_QP_STATE_ERR, segue_qp_state(a));
		ASSERT_OK(segue_qp_reset(a, keep, &dropped));
		EXPECT_EQ(0u, dropped.size());
		ASSERT_OK(segue_qp_reset(b, keep, &dropped));
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	}
}

TEST_P(Lend, LanesThatAreLost)
{
	std::vector<segue_wc> dropped;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(GetParam())));
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_NO_FATAL_FAILURE(lane_writes(70));
	ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
	ASSERT_OK(segue_qp_take_back(a, nullptr));
	EXPECT_EQ(SEGUE_QP_STATE_ERR, segue_qp_state(a));
	ASSERT_OK(segue_qp_reset(a, keep, &dropped));
	ASSERT_OK(segue_qp_reset(b, keep, &dropped));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_NO_FATAL_FAILURE(lane_writes(70));
	ASSERT_OK(segue_qp_take_back(a, &queue));
}

TEST_P(Lend, LanesThatHaveNotEnded)
{
	uint64_t at;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(GetParam())));
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_EQ(0, segue_gpu_reserve(&queue, 2, SEGUE_GPU_ONE, &at));
	EXPECT_EQ(-EBUSY, segue_qp_take_back(a, &queue));
	EXPECT_SAYS("2 blocks of 64 bytes were reserved and not published");
	queue.reserved -= 2;
	ASSERT_EQ(0, lane_write(0, 1, remote.key.rkey));
	EXPECT_EQ(-EBUSY, segue_qp_take_back(a, &queue));
	EXPECT_SAYS("1 blocks of 64 bytes were published and are in flight");
	ASSERT_EQ(0, segue_gpu_quiet(&queue, SEGUE_GPU_ONE));
	EXPECT_OK(segue_qp_take_back(a, &queue));
}

INSTANTIATE_TEST_SUITE_P(Kinds, Lend,
			 ::testing::Values(Completions::RING, Completions::OVERRUN,
					   Completions::COLLAPSED));

class Refused : public Lend
{
};

TEST_F(Refused, WhatLanesCannotUse)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(-EINVAL, segue_qp_lend(qp, &queue));
	EXPECT_SAYS("move it to RTS first");
	ASSERT_NO_FATAL_FAILURE(connect(qp, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(qp, &queue));
	EXPECT_SAYS("shares its completion queue with other queue pairs or with receives");
}

TEST_F(Refused, QueuesThatAreTooSmallOrCompress)
{
	segue_cq_options cqs = {};
	segue_qp_options options = options_for(SEGUE_QP_RC);

	cqs.entries = 2;
	cqs.overcommit = true;
	ASSERT_OK(segue_cq_open(device, &cqs, &options.send_cq));
	ASSERT_NO_FATAL_FAILURE(open_pair(options.send_cq));
	if (options.send_cq->ring.cqe_cnt < segue_qp_rc_sq(a)->sq.mask + 1) {
		EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
		EXPECT_SAYS("expected one for each of the");
	}
	cqs = {};
	cqs.entries = 256;
	cqs.compress = true;
	ASSERT_OK(segue_cq_open(device, &cqs, &options.send_cq));
	ASSERT_NO_FATAL_FAILURE(open_pair(options.send_cq));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open one without compress");
}

TEST_F(Refused, RegistersOfAThreadAndQueuesOfTwo)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);

	options.send_cq = open_sends(Completions::RING);
	ASSERT_OK(segue_td_open(pd, &options.td));
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open it without td or own_register");
	options.td = nullptr;
	options.split = true;
	options.send_cq = open_sends(Completions::RING);
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, open(SEGUE_QP_RC)));
	EXPECT_EQ(-EINVAL, segue_qp_lend(a, &queue));
	EXPECT_SAYS("open it without split");
}

TEST_F(Refused, WorkInFlightAndCompletionsThatWait)
{
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(Completions::RING)));
	ASSERT_OK(host_write(1));
	EXPECT_EQ(-EBUSY, segue_qp_lend(a, &queue));
	EXPECT_SAYS("has 1 blocks of 64 bytes committed or in flight; call segue_qp_drain() first");
	take(1, sends);
	ASSERT_OK(segue_qp_lend(a, &queue));
	ASSERT_OK(segue_qp_take_back(a, &queue));
}

TEST_F(Refused, ACollapsedQueueIsForLanesAlone)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_cq_options cqs = {};
	segue_cq *made;

	ASSERT_NO_FATAL_FAILURE(open_pair(open_sends(Completions::COLLAPSED)));
	EXPECT_EQ(-EBUSY, host_write(1));
	EXPECT_SAYS("completes in a collapsed completion queue, which only lanes read; lend it by "
		    "segue_qp_lend()");
	options.recv_cq = sends;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &b));
	EXPECT_SAYS("recv_cq is collapsed, and receives would be lost there");
	cqs.entries = 16;
	cqs.collapsed = cqs.grow = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("collapsed is given together with grow");
	EXPECT_EQ(-ENOTSUP, segue_cq_resize(sends, 64));
}

} // namespace
