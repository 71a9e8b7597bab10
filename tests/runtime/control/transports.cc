// SPDX-License-Identifier: BSD-2-Clause
// A message or an RDMA WRITE on every transport.
#include <infiniband/mlx5dv.h>

#include <stdlib.h>

#include <map>

#include "segue/ah.h"
#include "tests/runtime/control/fixture.h"

class Transports : public Control {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Control::SetUp());
		for (size_t i = 0; i < sizeof(from); i++)
			from[i] = (uint8_t)(i * 5 + 3);
		memset(to, 0, sizeof(to));
		segue_mr *source = share(from, sizeof(from)), *target = share(to, sizeof(to));

		ASSERT_OK(segue_mr_local_buf(source, 0, sizeof(from), &local));
		ASSERT_OK(segue_mr_local_buf(target, 0, sizeof(to), &landing));
		ASSERT_OK(segue_mr_remote_buf(target, 0, sizeof(to), &remote));
	}

	segue_srq *open_srq(segue_xrcd *xrcd = nullptr)
	{
		segue_srq_options options = {};
		segue_srq *srq = nullptr;

		options.max_wr = 16;
		options.max_sge = 1;
		options.xrcd = xrcd;
		options.cq = xrcd ? cq : nullptr;
		EXPECT_OK(segue_srq_open(pd, &options, &srq));
		return srq;
	}

	// One completion of the sender with wr_id 1, one of the receiver with wr_id 2, both good.
	void expect_pair()
	{
		int seen = 0;

		for (const segue_wc &wc : take(2)) {
			EXPECT_EQ(0, wc.syndrome);
			seen |= 1 << wc.wr_id;
		}
		EXPECT_EQ(6, seen);
	}

	alignas(64) uint8_t from[1024], to[2048];
	segue_local_buf local, landing;
	segue_remote_buf remote;
};

TEST_F(Transports, UcSend)
{
	segue_qp *a = open(SEGUE_QP_UC), *b = open(SEGUE_QP_UC);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), 2), landing.addr, landing.length,
				       landing.key.lkey)));
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_uc_sq(a), 1, SEGUE_SIGNALED), local.addr,
				       local.length, local.key.lkey)));
	expect_pair();
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
}

TEST_F(Transports, UdSendAndReply)
{
	segue_qp *a = open(SEGUE_QP_UD), *b = open(SEGUE_QP_UD);
	segue_path path = path_to(0);
	segue_ah *address, *again, *back;
	std::vector<segue_wc> got;
	segue_path reply = path_to(0);

	path.qkey = 0x11111111;
	ASSERT_OK(segue_qp_connect(a, &path));
	ASSERT_OK(segue_qp_connect(b, &path));
	ASSERT_OK(segue_ah_open(pd, &path, &address));
	ASSERT_OK(segue_ah_open(pd, &path, &again));
	EXPECT_EQ(address, again);
	ASSERT_OK(segue_ah_close(again));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), 2), landing.addr, landing.length,
				       landing.key.lkey)));
	ASSERT_OK(
		segue_post(segue_sge(segue_av(segue_send(segue_qp_ud_sq(a), 1, SEGUE_SIGNALED),
					      segue_ah_av(address), segue_qp_number(b), 0x11111111),
				     local.addr, local.length, local.key.lkey)));
	for (const segue_wc &wc : take(2)) {
		EXPECT_EQ(0, wc.syndrome);
		if (wc.wr_id != 2)
			continue;
		if (to[SEGUE_GRH_SIZE - 20] >> 4 == 4 && reply.link == SEGUE_LINK_ROCE)
			to[0] = 0x60; /* what stands before an IPv4 header means nothing */
		ASSERT_OK(segue_path_reply(&reply, wc.cqe, to));
	}
	EXPECT_EQ(0, memcmp(from, to + SEGUE_GRH_SIZE, sizeof(from)));
	EXPECT_EQ(segue_qp_number(a), reply.dest_qpn);
	ASSERT_OK(segue_ah_open(pd, &reply, &back));
	/* It leads there. */
	memset(to, 0, sizeof(to));
	ASSERT_OK(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(a), 2), landing)));
	ASSERT_OK(
		segue_post(segue_sge_buf(segue_av(segue_send(segue_qp_ud_sq(b), 1, SEGUE_SIGNALED),
						  segue_ah_av(back), reply.dest_qpn, 0x11111111),
					 local)));
	expect_pair();
	EXPECT_EQ(0, memcmp(from, to + SEGUE_GRH_SIZE, sizeof(from)));
}

TEST_F(Transports, SharedReceiveQueue)
{
	segue_srq *srq = open_srq();
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *a = open(SEGUE_QP_RC), *b;

	options.srq = srq;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &b));
	EXPECT_SAYS("together with srq");
	options.max_recv_wr = options.max_recv_sge = 0;
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	EXPECT_EQ(nullptr, segue_qp_rq(b));
	EXPECT_SAYS("post to its shared receive queue");
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(
		segue_sge(segue_recv(srq, 2), landing.addr, landing.length, landing.key.lkey)));
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED), local.addr,
				       local.length, local.key.lkey)));
	expect_pair();
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	EXPECT_EQ(-EBUSY, segue_srq_close(srq));
	EXPECT_SAYS("is used by 1 open object(s), among them the queue pair");
}

TEST_F(Transports, XrcSend)
{
	segue_qp_options options = options_for(SEGUE_QP_XRC_TARGET);
	segue_xrcd *xrcd;
	segue_srq *srq;
	segue_qp *a = open(SEGUE_QP_XRC_INITIATOR), *b;

	ASSERT_OK(segue_xrcd_open(device, -1, &xrcd));
	srq = open_srq(xrcd);
	options.xrcd = xrcd;
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(
		segue_sge(segue_recv(srq, 2), landing.addr, landing.length, landing.key.lkey)));
	ASSERT_OK(segue_post(
		segue_sge(segue_xrc(segue_send(segue_qp_xrc_initiator_sq(a), 1, SEGUE_SIGNALED),
				    segue_srq_number(srq)),
			  local.addr, local.length, local.key.lkey)));
	expect_pair();
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
}

TEST_F(Transports, DcWrite)
{
	segue_qp_options options = options_for(SEGUE_QP_DCT);
	segue_qp *dci = open(SEGUE_QP_DCI), *dct;
	const segue_path path = path_to(0);
	segue_ah *address;

	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &dct));
	EXPECT_SAYS("recv_cq is NULL");
	options.recv_cq = cq;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &dct));
	EXPECT_SAYS("srq is NULL");
	options.srq = open_srq();
	options.dc_key = 0x1234;
	ASSERT_OK(segue_qp_open(pd, &options, &dct));
	ASSERT_OK(segue_qp_connect(dct, &path));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RTR, segue_qp_state(dct));
	EXPECT_NE(0u, segue_qp_number(dct));
	ASSERT_OK(segue_qp_connect(dci, &path));
	ASSERT_OK(segue_ah_open(pd, &path, &address));
	ASSERT_OK(segue_post(segue_sge(
		segue_raddr(segue_av(segue_rdma_write(segue_qp_dci_sq(dci), 1, SEGUE_SIGNALED),
				     segue_ah_av(address), segue_qp_number(dct), 0x1234),
			    remote.addr, remote.key.rkey),
		local.addr, local.length, local.key.lkey)));
	EXPECT_EQ(0, take(1)[0].syndrome);
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	/*
	 * A receive says what the packet was: UCX's ib_mlx5.inl quotes the PRM, bit 3 for UDP and 2
	 * for IPv4, for UD and DC alike.
	 */
	ASSERT_OK(segue_post(segue_sge(segue_recv(options.srq, 2), landing.addr, landing.length,
				       landing.key.lkey)));
	ASSERT_OK(segue_post(segue_sge(segue_av(segue_send(segue_qp_dci_sq(dci), 1, SEGUE_SIGNALED),
						segue_ah_av(address), segue_qp_number(dct), 0x1234),
				       local.addr, local.length, local.key.lkey)));
	for (const segue_wc &wc : take(2)) {
		segue_cqe64 cqe;

		EXPECT_EQ(0, wc.syndrome);
		ASSERT_TRUE(segue_cqe64_unpack(&cqe, wc.cqe));
		if (wc.opcode != SEGUE_CQE_OPCODE_REQ) {
			EXPECT_EQ(path.link == SEGUE_LINK_IB ? 0 : 8 | 2, cqe.sl);
		}
	}
}

TEST_F(Transports, AdoptedQueuePair)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	ibv_qp_init_attr init = {};
	segue_qp *a, *b = open(SEGUE_QP_RC);
	ibv_qp *qp;

	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = segue_cq_ibv(cq);
	init.cap = {64, 16, 2, 1, 60};
	qp = ibv_create_qp(segue_pd_ibv(pd), &init);
	ASSERT_NE(nullptr, qp);
	options.type = SEGUE_QP_NONE;
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED),
				      remote.addr, remote.key.rkey),
			  local.addr, local.length, local.key.lkey)));
	EXPECT_EQ(0, take(1)[0].syndrome);
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	ASSERT_OK(segue_qp_close(a));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
}

// A queue pair, its completion queue and its shared receive queue, all made by somebody else, and
// handed back.
TEST_F(Transports, AdoptedQueues)
{
	ibv_context *context = segue_device_ibv(device);
	ibv_cq *verbs_cq = ibv_create_cq(context, 63, nullptr, nullptr, 0);
	ibv_srq_init_attr srq_init = {};
	ibv_qp_init_attr init = {};
	segue_qp_options options = {};
	segue_srq *srq;
	segue_cq *mine = cq;
	segue_qp *a = open(SEGUE_QP_RC), *b;

	srq_init.attr = {16, 1, 0};
	ibv_srq *verbs_srq = ibv_create_srq(segue_pd_ibv(pd), &srq_init);

	ASSERT_NE(nullptr, verbs_cq);
	ASSERT_NE(nullptr, verbs_srq);
	EXPECT_EQ(-EINVAL, segue_srq_adopt(pd, nullptr, &srq));
	EXPECT_SAYS("is NULL");
	ASSERT_OK(segue_cq_adopt(device, verbs_cq, nullptr, &options.send_cq));
	ASSERT_OK(segue_srq_adopt(pd, verbs_srq, &options.srq));
	options.recv_cq = options.send_cq;
	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = verbs_cq;
	init.srq = verbs_srq;
	init.cap = {16, 0, 1, 0, 0};
	ibv_qp *verbs_qp = ibv_create_qp(segue_pd_ibv(pd), &init);

	ASSERT_NE(nullptr, verbs_qp);
	ASSERT_OK(segue_qp_adopt(pd, verbs_qp, &options, &b));
	srq = options.srq;
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (uint64_t i = 0; i < 40; i++) {
		ASSERT_OK(segue_post(segue_sge_buf(segue_recv(srq, i), landing)));
		ASSERT_OK(segue_post(segue_sge_buf(
			segue_send(segue_qp_rc_sq(a), 100 + i, SEGUE_SIGNALED), local)));
		const segue_wc got = take(1, options.recv_cq)[0], sent = take(1, mine)[0];

		EXPECT_EQ(i, got.wr_id);
		EXPECT_EQ(0, got.syndrome);
		EXPECT_TRUE(segue_wc_is_receive(&got));
		EXPECT_EQ(sizeof(from), got.byte_len);
		EXPECT_EQ(100 + i, sent.wr_id);
		EXPECT_FALSE(segue_wc_is_receive(&sent));
	}
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	ASSERT_OK(segue_qp_close(b));
	ASSERT_OK(segue_srq_close(srq));
	ASSERT_OK(segue_cq_close(options.send_cq));
	EXPECT_EQ(0, ibv_destroy_qp(verbs_qp));
	EXPECT_EQ(0, ibv_destroy_srq(verbs_srq));
	EXPECT_EQ(0, ibv_destroy_cq(verbs_cq));
}

// The shared receive queue is the one that the queue pair was made with, and a refusal leaves `out`
// alone.
TEST_F(Transports, AdoptedWithAnotherSharedQueue)
{
	segue_qp_options options = {};
	ibv_qp_init_attr init = {};
	segue_srq *srq = open_srq();
	segue_qp *adopted = nullptr;

	options.send_cq = options.recv_cq = cq;
	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = segue_cq_ibv(cq);
	init.cap = {16, 16, 1, 1, 0};
	ibv_qp *own = ibv_create_qp(segue_pd_ibv(pd), &init);

	init.srq = segue_srq_ibv(srq);
	ibv_qp *shared = ibv_create_qp(segue_pd_ibv(pd), &init);

	ASSERT_NE(nullptr, own);
	ASSERT_NE(nullptr, shared);
	EXPECT_EQ(-EINVAL, segue_qp_adopt(pd, shared, &options, &adopted));
	EXPECT_SAYS("takes its receives from another shared queue");
	options.srq = srq;
	EXPECT_EQ(-EINVAL, segue_qp_adopt(pd, own, &options, &adopted));
	EXPECT_SAYS("has receives of its own");
	EXPECT_EQ(nullptr, adopted);
	EXPECT_EQ(0, ibv_destroy_qp(own));
	EXPECT_EQ(0, ibv_destroy_qp(shared));
}

// A queue pair that was made to receive only, with a completion queue for each side.
TEST_F(Transports, AdoptedWithoutSends)
{
	segue_cq_options cqs = {};
	segue_qp_options options = {};
	ibv_qp_init_attr init = {};
	segue_qp *a = open(SEGUE_QP_RC), *b;

	cqs.entries = 16;
	options.send_cq = cq;
	ASSERT_OK(segue_cq_open(device, &cqs, &options.recv_cq));
	init.qp_type = IBV_QPT_RC;
	init.send_cq = segue_cq_ibv(cq);
	init.recv_cq = segue_cq_ibv(options.recv_cq);
	init.cap = {0, 16, 0, 1, 0};
	ibv_qp *qp = ibv_create_qp(segue_pd_ibv(pd), &init);

	ASSERT_NE(nullptr, qp);
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(segue_sge_buf(segue_recv(segue_qp_rq(b), 5), landing)));
	ASSERT_OK(
		segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED), local)));
	EXPECT_EQ(5u, take(1, options.recv_cq)[0].wr_id);
	EXPECT_EQ(1u, take(1)[0].wr_id);
	ASSERT_OK(segue_qp_close(b));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
}

// A DC target that others make and move: the kernel does not say how it was made, and has its
// number only in RTR.
TEST_F(Transports, AdoptedTarget)
{
	segue_qp_options options = options_for(SEGUE_QP_DCT);
	segue_qp *dci = open(SEGUE_QP_DCI), *dct;
	const segue_path path = path_to(0);
	ibv_qp_init_attr_ex init = {};
	mlx5dv_qp_init_attr dv = {};
	segue_qp_info info;
	segue_ah *address;

	options.recv_cq = cq;
	options.srq = open_srq();
	init.qp_type = IBV_QPT_DRIVER;
	init.send_cq = init.recv_cq = segue_cq_ibv(cq);
	init.srq = segue_srq_ibv(options.srq);
	init.comp_mask = IBV_QP_INIT_ATTR_PD;
	init.pd = segue_pd_ibv(pd);
	dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
	dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCT;
	dv.dc_init_attr.dct_access_key = 0x1234;
	ibv_qp *qp = mlx5dv_create_qp(segue_device_ibv(device), &init, &dv);

	ASSERT_NE(nullptr, qp) << strerror(errno);
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &dct));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RESET, segue_qp_state(dct));

	ibv_qp_attr attr = {};

	attr.qp_state = IBV_QPS_INIT;
	attr.port_num = 1;
	attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
	ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
				   IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
					   IBV_QP_ACCESS_FLAGS));
	attr.qp_state = IBV_QPS_RTR;
	attr.path_mtu = IBV_MTU_1024;
	attr.min_rnr_timer = 12;
	attr.ah_attr.port_num = 1;
	attr.ah_attr.is_global = path.link == SEGUE_LINK_ROCE;
	attr.ah_attr.grh.hop_limit = 1;
	if (path.link == SEGUE_LINK_ROCE)
		attr.ah_attr.grh.sgid_index = path.way.roce.route.sgid_index;
	ASSERT_EQ(0,
		  ibv_modify_qp(qp, &attr,
				IBV_QP_STATE | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU));
	ASSERT_OK(segue_qp_query(dct, &info));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RTR, info.state);
	EXPECT_EQ(qp->qp_num, info.qpn);

	ASSERT_OK(segue_qp_connect(dci, &path));
	ASSERT_OK(segue_ah_open(pd, &path, &address));
	ASSERT_OK(segue_post(segue_sge_buf(segue_recv(options.srq, 9), landing)));
	ASSERT_OK(segue_post(
		segue_sge_buf(segue_av(segue_send(segue_qp_dci_sq(dci), 1, SEGUE_SIGNALED),
				       segue_ah_av(address), info.qpn, 0x1234),
			      local)));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(segue_wc_is_receive(&wc) ? 9u : 1u, wc.wr_id);
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	ASSERT_OK(segue_qp_close(dct));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
}

// A DC initiator with streams that mlx5dv made.
TEST_F(Transports, AdoptedInitiatorWithStreams)
{
	ibv_qp_init_attr_ex init = {};
	mlx5dv_qp_init_attr dv = {};
	segue_qp_options options = {};
	segue_qp *dci;

	init.qp_type = IBV_QPT_DRIVER;
	init.send_cq = init.recv_cq = segue_cq_ibv(cq);
	init.cap = {16, 0, 1, 0, 0};
	init.comp_mask = IBV_QP_INIT_ATTR_PD;
	init.pd = segue_pd_ibv(pd);
	dv.comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC | MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
	dv.dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
	dv.dc_init_attr.dci_streams.log_num_concurent = 2;
	dv.dc_init_attr.dci_streams.log_num_errored = 1;
	ibv_qp *qp = mlx5dv_create_qp(segue_device_ibv(device), &init, &dv);

	ASSERT_NE(nullptr, qp) << strerror(errno);
	options.type = SEGUE_QP_DCI;
	options.send_cq = cq;
	options.dci_log_streams = 2;
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &dci));
	EXPECT_NE(nullptr, segue_qp_dci_sq(dci));
	EXPECT_EQ(-EINVAL, segue_qp_reset_stream(dci, 4));
	EXPECT_SAYS("has no stream 4, expected less than 4");
	ASSERT_OK(segue_qp_close(dci));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
}

// More queue pairs than registers: those that share one know it, and whole requests still arrive.
TEST_F(Transports, QueuePairsOfARegisterKnowIt)
{
	std::map<uintptr_t, seguei_uar *> of_registers;
	size_t copying = 0;

	for (int i = 0; i < 40; i++) {
		const segue_sq *sq = &segue_qp_uc_sq(open(SEGUE_QP_UC))->sq;
		const uintptr_t reg = sq->reg & ~(uintptr_t)sq->reg_toggle;

		if (!sq->reg_toggle)
			continue; // one without BlueFlame
		ASSERT_NE(nullptr, sq->uar);
		if (!of_registers[reg])
			of_registers[reg] = sq->uar;
		EXPECT_EQ(of_registers[reg], sq->uar);
		copying++;
	}
	EXPECT_LT(2u, of_registers.size());
	EXPECT_LT(of_registers.size(), copying);
	segue_qp *a = open(SEGUE_QP_UC), *b = open(SEGUE_QP_UC);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), 2), landing.addr, landing.length,
				       landing.key.lkey)));
	ASSERT_OK(segue_post_blueflame(
		segue_inline_data(segue_send(segue_qp_uc_sq(a), 1, SEGUE_SIGNALED), from, 16)));
	expect_pair();
	EXPECT_EQ(0, memcmp(from, to, 16));
}

// Two threads with a domain each: registers of their own, of which all their queue pairs know.
TEST_F(Transports, ThreadDomains)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_td *td[2];
	segue_qp *qp[4];
	segue_pd *other;

	for (int i = 0; i < 2; i++)
		ASSERT_OK(segue_td_open(pd, &td[i]));
	for (int i = 0; i < 4; i++) {
		options.td = td[i / 2];
		ASSERT_OK(segue_qp_open(pd, &options, &qp[i]));
		ASSERT_NE(nullptr, segue_qp_rc_sq(qp[i])->sq.uar);
	}
	EXPECT_EQ(segue_qp_rc_sq(qp[0])->sq.uar, segue_qp_rc_sq(qp[1])->sq.uar);
	EXPECT_EQ(segue_qp_rc_sq(qp[2])->sq.uar, segue_qp_rc_sq(qp[3])->sq.uar);
	EXPECT_NE(segue_qp_rc_sq(qp[0])->sq.reg, segue_qp_rc_sq(qp[2])->sq.reg);
	ASSERT_NO_FATAL_FAILURE(connect(qp[0], qp[1]));
	for (uint64_t i = 0; i < 6; i++) {
		ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(qp[1]), 2), landing.addr,
					       landing.length, landing.key.lkey)));
		ASSERT_OK(segue_post_blueflame(segue_inline_data(
			segue_send(segue_qp_rc_sq(qp[0]), 1, SEGUE_SIGNALED), from, 16)));
		expect_pair();
	}
	EXPECT_EQ(-EBUSY, segue_td_close(td[0]));
	EXPECT_SAYS("used by 2 open object(s), among them the queue pair");
	ASSERT_OK(segue_pd_open(device, &other));
	EXPECT_EQ(-EINVAL, segue_qp_open(other, &options, &qp[0]));
	EXPECT_SAYS("td is of another protection domain");
}

TEST_F(Transports, NoCopiesIfTheUserSaysSo)
{
	setenv("MLX5_SHUT_UP_BF", "1", 1);
	const segue_sq *sq = &segue_qp_rc_sq(open(SEGUE_QP_RC))->sq;

	EXPECT_EQ(0u, sq->reg_toggle);
	setenv("MLX5_SHUT_UP_BF", "0", 1);
	sq = &segue_qp_rc_sq(open(SEGUE_QP_RC))->sq;
	EXPECT_NE(0u, sq->reg_toggle);
	unsetenv("MLX5_SHUT_UP_BF");
}

// A rate by its name is the one on the wire, of which the device is told; none that is not known
// becomes "no limit".
TEST_F(Transports, RatesOfAPath)
{
	static const uint32_t rates[][2] = {{2500, 2500},    {10000, 10000}, {14000, 14062},
					    {25000, 25781},  {50000, 53125}, {56000, 56250},
					    {100000, 103125}};
	const auto told = [this](uint32_t mbps) {
		segue_path path = path_to(2);
		segue_ah *address = nullptr;
		mlx5dv_ah ah = {};
		mlx5dv_obj object = {};

		path.rate_mbps = mbps;
		EXPECT_OK(segue_path_check(&path, true));
		EXPECT_OK(segue_ah_open(pd, &path, &address));
		object.ah.in = segue_ah_ibv(address);
		object.ah.out = &ah;
		EXPECT_EQ(0, mlx5dv_init_obj(&object, MLX5DV_OBJ_AH));
		const uint8_t rate = ah.av->stat_rate_sl >> 4;

		EXPECT_OK(segue_ah_close(address));
		return (int)rate;
	};
	segue_path path = path_to(2);
	segue_ah *none;

	EXPECT_EQ(0, told(0));
	for (const auto &rate : rates) {
		EXPECT_EQ(told(rate[1]), told(rate[0])) << rate[0];
		EXPECT_NE(0, told(rate[0])) << rate[0];
	}
	// libmlx5 has no code for them in an address vector
	for (uint32_t mbps : {200000u, 300000u, 400000u}) {
		path.rate_mbps = mbps;
		EXPECT_OK(segue_path_check(&path, true));
		EXPECT_EQ(-ENOTSUP, segue_ah_open(pd, &path, &none)) << mbps;
		EXPECT_SAYS("libmlx5 does not know rate_mbps");
	}
	for (uint32_t mbps : {1u, 1000u, 35000u, 45000u, 105000u, 2000000u, UINT32_MAX}) {
		path.rate_mbps = mbps;
		EXPECT_EQ(-EINVAL, segue_path_check(&path, true)) << mbps;
		EXPECT_SAYS("rate_mbps");
	}
}

// Back to RESET and to work again: indices start at 0, old completions are gone.
TEST_F(Transports, ResetAndConnectAgain)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);

	for (uint64_t round = 0; round < 5; round++) {
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
		for (uint64_t i = 0; i <= round; i++)
			ASSERT_OK(segue_post(
				segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), round,
								       SEGUE_SIGNALED),
						      remote.addr, remote.key.rkey),
					  local.addr, local.length, local.key.lkey)));
		EXPECT_EQ(round, take(1)[0].wr_id);
		ASSERT_OK(segue_qp_modify_to(a, SEGUE_QP_STATE_RESET, nullptr));
		ASSERT_OK(segue_qp_modify_to(b, SEGUE_QP_STATE_RESET, nullptr));
	}
}
