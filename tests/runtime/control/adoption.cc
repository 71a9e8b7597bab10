// SPDX-License-Identifier: BSD-2-Clause
// Adopted queues take what libmlx5's take: held against a second queue pair of the same shape, on
// which libmlx5 posts itself.
#include "tests/runtime/control/faults.h"
#include "tests/seed/seed.h"

namespace
{

class Adopted : public Faulty
{
      protected:
	struct Shape {
		ibv_qp_type type;
		uint32_t sends, receives, sges, receive_sges, inline_data;
	};

	void SetUp() override
	{
		ibv_device **list = ibv_get_device_list(nullptr);

		context = ibv_open_device(list[0]);
		ibv_free_device_list(list);
		ASSERT_NE(nullptr, context);
		verbs_pd = ibv_alloc_pd(context);
		mr = ibv_reg_mr(verbs_pd, memory, sizeof(memory),
				IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
		ASSERT_NE(nullptr, mr);
		ASSERT_OK(segue_device_adopt(context, &device));
		ASSERT_OK(segue_pd_adopt(device, verbs_pd, &pd));
	}

	void TearDown() override
	{
		EXPECT_OK(segue_device_close(device));
		for (ibv_qp *qp : qps)
			EXPECT_EQ(0, ibv_destroy_qp(qp));
		for (ibv_cq *each : cqs)
			EXPECT_EQ(0, ibv_destroy_cq(each));
		EXPECT_EQ(0, ibv_dereg_mr(mr));
		EXPECT_EQ(0, ibv_dealloc_pd(verbs_pd));
		EXPECT_EQ(0, ibv_close_device(context));
	}

	ibv_cq *make_cq(int entries)
	{
		cqs.push_back(ibv_create_cq(context, entries, nullptr, nullptr, 0));
		return cqs.back();
	}

	// A queue pair of libibverbs, in RESET.
	ibv_qp *make(const Shape &shape, ibv_cq *on)
	{
		ibv_qp_init_attr init = {};

		init.qp_type = shape.type;
		init.send_cq = init.recv_cq = on;
		init.cap = {shape.sends, shape.receives, shape.sges, shape.receive_sges,
			    shape.inline_data};
		qps.push_back(ibv_create_qp(verbs_pd, &init));
		return qps.back();
	}

	// RESET to RTS. Its peer is not there, so nothing completes while a test looks.
	void lead(ibv_qp *qp)
	{
		ibv_qp_attr attr = {};
		ibv_port_attr port;

		ASSERT_EQ(0, ibv_query_port(context, 1, &port));
		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		ASSERT_EQ(0,
			  ibv_modify_qp(qp, &attr,
					IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
						(qp->qp_type == IBV_QPT_UD ? IBV_QP_QKEY
									   : IBV_QP_ACCESS_FLAGS)));
		attr.qp_state = IBV_QPS_RTR;
		attr.dest_qp_num = 0xfffff0;
		attr.ah_attr.dlid = port.lid;
		attr.ah_attr.port_num = attr.max_dest_rd_atomic = 1;
		attr.path_mtu = IBV_MTU_1024;
		attr.min_rnr_timer = 12;
		int mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			   IBV_QP_RQ_PSN;

		if (qp->qp_type == IBV_QPT_RC)
			mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
					   qp->qp_type == IBV_QPT_UD ? IBV_QP_STATE : mask));
		attr.qp_state = IBV_QPS_RTS;
		attr.timeout = 31;
		attr.retry_cnt = attr.rnr_retry = 7;
		attr.max_rd_atomic = 1;
		mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
		if (qp->qp_type == IBV_QPT_RC)
			mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
				IBV_QP_MAX_QP_RD_ATOMIC;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, mask));
	}

	// What libmlx5 takes before it says that its queue is full.
	uint32_t sends_of_libmlx5(ibv_qp *qp, int pieces)
	{
		std::vector<ibv_sge> sges((size_t)pieces, {(uintptr_t)memory, 8, mr->lkey});
		ibv_send_wr wr = {}, *bad;
		uint32_t n = 0;

		wr.sg_list = sges.data();
		wr.num_sge = pieces;
		wr.opcode = IBV_WR_RDMA_WRITE;
		wr.send_flags = IBV_SEND_SIGNALED;
		wr.wr.rdma.remote_addr = (uintptr_t)memory;
		wr.wr.rdma.rkey = mr->rkey;
		while (!ibv_post_send(qp, &wr, &bad))
			n++;
		return n;
	}

	uint32_t receives_of_libmlx5(ibv_qp *qp)
	{
		ibv_recv_wr wr = {}, *bad;
		uint32_t n = 0;

		while (!ibv_post_recv(qp, &wr, &bad))
			n++;
		return n;
	}

	uint32_t sends_of_segue(segue_qp *qp, uint32_t pieces)
	{
		std::vector<segue_seg_data> sges(pieces, {8, mr->lkey, (uintptr_t)memory});
		uint32_t n = 0;
		int ret;

		do {
			const uint32_t room = segue_sq_room(&segue_qp_rc_sq(qp)->sq);

			ret = segue_post(segue_sge_list(
				segue_raddr(segue_rdma_write(segue_qp_rc_sq(qp), n, SEGUE_SIGNALED),
					    (uintptr_t)memory, mr->rkey),
				sges.data(), pieces));
			if (!ret)
				EXPECT_LT(0u, room);
			n += !ret;
		} while (!ret);
		EXPECT_EQ(-ENOSPC, ret) << segue_errmsg();
		return n;
	}

	uint32_t receives_of_segue(segue_qp *qp)
	{
		uint32_t n = 0;
		int ret;

		do {
			ret = segue_post(segue_sge(segue_recv(segue_qp_rq(qp), n),
						   (uintptr_t)memory, 8, mr->lkey));
			n += !ret;
		} while (!ret);
		EXPECT_EQ(-ENOSPC, ret) << segue_errmsg();
		return n;
	}

	ibv_context *context = nullptr;
	ibv_pd *verbs_pd = nullptr;
	ibv_mr *mr = nullptr;
	std::vector<ibv_qp *> qps;
	std::vector<ibv_cq *> cqs;
	char memory[4096];
};

TEST_F(Adopted, TakesWhatLibmlx5Takes)
{
	const Shape shapes[] = {
		{IBV_QPT_RC, 128, 512, 1, 1, 0}, {IBV_QPT_RC, 1, 1, 1, 1, 0},
		{IBV_QPT_RC, 2, 2, 1, 1, 0},	 {IBV_QPT_RC, 4, 3, 1, 1, 0},
		{IBV_QPT_RC, 100, 100, 1, 1, 0}, {IBV_QPT_RC, 128, 512, 16, 4, 0},
		{IBV_QPT_RC, 256, 1, 16, 1, 0},	 {IBV_QPT_RC, 16, 16, 4, 1, 0},
		{IBV_QPT_RC, 64, 64, 1, 1, 400}, {IBV_QPT_RC, 8, 1, 30, 30, 0},
	};

	for (const Shape &shape : shapes) {
		SCOPED_TRACE(testing::Message() << shape.sends << " sends, " << shape.receives
						<< " receives, " << shape.sges << " pieces");
		ibv_cq *on = make_cq(4000), *others = make_cq(4000);
		segue_qp_options options = {};
		segue_qp *qp;

		ASSERT_OK(segue_cq_adopt(device, on, nullptr, &cq));
		options.send_cq = options.recv_cq = cq;
		for (uint32_t pieces : {1u, shape.sges}) {
			ibv_qp *reference = make(shape, others), *verbs = make(shape, on);

			ASSERT_NE(nullptr, reference);
			ASSERT_NE(nullptr, verbs);
			ASSERT_NO_FATAL_FAILURE(lead(reference));
			ASSERT_NO_FATAL_FAILURE(lead(verbs));
			ASSERT_OK(segue_qp_adopt(pd, verbs, &options, &qp));
			EXPECT_EQ(sends_of_libmlx5(reference, (int)pieces),
				  sends_of_segue(qp, pieces));
			EXPECT_EQ(receives_of_libmlx5(reference), receives_of_segue(qp));
		}
	}
}

// The depths of perftest, whose completion queue is made for the sends alone.
TEST_F(Adopted, CompletionQueuesOfTheProgramsSize)
{
	for (uint32_t depth : {100u, 126u, 127u, 128u, 200u}) {
		SCOPED_TRACE(depth);
		ibv_cq *on = make_cq((int)depth);
		segue_qp_options options = {};
		segue_cq_options overcommit = {}, wrong = {};
		segue_cq *by_count;
		segue_qp *qp;
		ibv_qp *verbs = make({IBV_QPT_RC, depth, 512, 1, 1, 0}, on);

		ASSERT_NE(nullptr, verbs);
		ASSERT_NO_FATAL_FAILURE(lead(verbs));
		wrong.entries = 7;
		wrong.overcommit = true;
		EXPECT_EQ(-EINVAL, segue_cq_adopt(device, on, &wrong, &by_count));
		EXPECT_SAYS("overcommit alone");
		ASSERT_OK(segue_cq_adopt(device, on, nullptr, &by_count));
		options.send_cq = options.recv_cq = by_count;
		EXPECT_EQ(-EINVAL, segue_qp_adopt(pd, verbs, &options, &qp));
		EXPECT_SAYS("name fewer requests as max_send_wr and max_recv_wr, or adopt it with "
			    "`overcommit`");
		EXPECT_EQ(nullptr, strstr(segue_errmsg(), "resize")) << segue_errmsg();
		ASSERT_OK(segue_cq_close(by_count));

		overcommit.overcommit = true;
		ASSERT_OK(segue_cq_adopt(device, on, &overcommit, &by_count));
		options.send_cq = options.recv_cq = by_count;
		ASSERT_OK(segue_qp_adopt(pd, verbs, &options, &qp));
		EXPECT_EQ(0u, segue_cq_reserved(by_count));
		EXPECT_LE(depth, sends_of_segue(qp, 1));
	}
}

// Copies go to a register only if the program says that it is one thread's.
TEST_F(Adopted, OwnRegister)
{
	segue_qp_options options = {};
	segue_qp *qp;
	ibv_cq *on = make_cq(500);

	ASSERT_OK(segue_cq_adopt(device, on, nullptr, &cq));
	options = options_for(SEGUE_QP_RC);
	options.own_register = true;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("only an adopted one has it; use td");
	options = {};
	options.send_cq = options.recv_cq = cq;
	for (bool own : {false, true}) {
		ibv_qp *verbs = make({IBV_QPT_RC, 16, 16, 1, 1, 0}, on);

		ASSERT_NO_FATAL_FAILURE(lead(verbs));
		options.own_register = own;
		ASSERT_OK(segue_qp_adopt(pd, verbs, &options, &qp));
		EXPECT_EQ(own, segue_qp_rc_sq(qp)->sq.copy_most != 0);
		EXPECT_EQ(own, segue_qp_rc_sq(qp)->sq.half != nullptr);
		const auto before = segue_qp_rc_sq(qp)->sq.half ? *segue_qp_rc_sq(qp)->sq.half : 0;

		ASSERT_OK(segue_post_blueflame(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(qp), 1, SEGUE_SIGNALED),
				    (uintptr_t)memory, mr->rkey),
			(uintptr_t)memory, 8, mr->lkey)));
		if (own)
			EXPECT_NE(before, *segue_qp_rc_sq(qp)->sq.half) << "nothing was copied";
		ASSERT_OK(segue_qp_close(qp));
	}
}

// A shared receive queue counts as many receives as libmlx5 has room for.
TEST_F(Adopted, SharedReceives)
{
	for (uint32_t receives : {1u, 63u, 4095u}) {
		ibv_srq_init_attr init = {};
		ibv_recv_wr wr = {}, *bad;
		uint32_t theirs = 0, ours = 0;
		segue_srq *srq;

		init.attr = {receives, 1, 0};
		ibv_srq *reference = ibv_create_srq(verbs_pd, &init);

		init.attr = {receives, 1, 0};
		ibv_srq *verbs = ibv_create_srq(verbs_pd, &init);

		ASSERT_NE(nullptr, verbs);
		while (!ibv_post_srq_recv(reference, &wr, &bad))
			theirs++;
		ASSERT_OK(segue_srq_adopt(pd, verbs, &srq));
		while (!segue_post(
			segue_sge(segue_recv(srq, ours), (uintptr_t)memory, 8, mr->lkey)))
			ours++;
		EXPECT_EQ(theirs, ours) << receives;
		ASSERT_OK(segue_srq_close(srq));
		EXPECT_EQ(0, ibv_destroy_srq(verbs));
		EXPECT_EQ(0, ibv_destroy_srq(reference));
	}
}

} // namespace
