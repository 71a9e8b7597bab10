// SPDX-License-Identifier: BSD-2-Clause
// What a program does with the verbs objects itself, beside Segue or before it adopts them.
#include <infiniband/mlx5dv.h>
#include <poll.h>

#include <algorithm>

#include "tests/runtime/control/faults.h"

namespace {

class Outside : public Faulty {
protected:
	// A queue pair that libibverbs made on a completion queue of Segue's.
	ibv_qp *make_verbs(ibv_cq *on)
	{
		ibv_qp_init_attr init = {};

		init.qp_type = IBV_QPT_RC;
		init.send_cq = init.recv_cq = on;
		init.cap = {16, 16, 1, 1, 0};
		return ibv_create_qp(segue_pd_ibv(pd), &init);
	}

	// RESET to RTS, by verbs alone.
	void lead(ibv_qp *qp, const segue_path &path, ibv_qp_state to = IBV_QPS_RTS)
	{
		ibv_qp_attr attr = {};

		attr.qp_state = IBV_QPS_RESET;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
		attr.qp_state = IBV_QPS_INIT;
		attr.port_num = 1;
		attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
					   IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
						   IBV_QP_ACCESS_FLAGS));
		if (to == IBV_QPS_INIT)
			return;
		ASSERT_EQ(SEGUE_LINK_IB, path.link);
		attr.qp_state = IBV_QPS_RTR;
		attr.dest_qp_num = path.dest_qpn;
		attr.ah_attr.dlid = path.way.ib.dlid;
		attr.ah_attr.port_num = attr.max_dest_rd_atomic = 1;
		attr.path_mtu = IBV_MTU_1024;
		attr.rq_psn = path.rq_psn;
		attr.min_rnr_timer = 12;
		ASSERT_EQ(0,
			  ibv_modify_qp(qp, &attr,
					IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU |
						IBV_QP_DEST_QPN | IBV_QP_RQ_PSN |
						IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
		attr.qp_state = IBV_QPS_RTS;
		attr.timeout = 14;
		attr.retry_cnt = attr.rnr_retry = 7;
		attr.sq_psn = path.sq_psn;
		attr.max_rd_atomic = 1;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
					   IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
						   IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN |
						   IBV_QP_MAX_QP_RD_ATOMIC));
	}

	// Both of a pair are led through RESET to RTS, by verbs, with packet numbers of their own.
	void lead_anew(const Pair &p)
	{
		segue_path to_b = path_to(segue_qp_number(p.b)),
			   to_a = path_to(segue_qp_number(p.a));

		fresh_psns(&to_b, &to_a);
		ASSERT_NO_FATAL_FAILURE(lead(segue_qp_ibv(p.a), to_b));
		ASSERT_NO_FATAL_FAILURE(lead(segue_qp_ibv(p.b), to_a));
	}

	void query(segue_qp *qp, uint32_t state, uint32_t sends, uint32_t receives)
	{
		segue_qp_info info = {};

		ASSERT_OK(segue_qp_query(qp, &info));
		EXPECT_EQ(state, info.state);
		EXPECT_EQ(sends, info.sends);
		EXPECT_EQ(receives, info.receives);
	}

	// Packets that the device sends for one 64-byte WRITE, and no more.
	uint64_t requests_done(segue_qp *from_qp, uint64_t wr_id)
	{
		uint64_t count = 0;

		EXPECT_OK(write(from_qp, wr_id));
		const std::vector<segue_wc> first = take(1);

		EXPECT_EQ(wr_id, first[0].wr_id);
		EXPECT_EQ(0, first[0].syndrome);
		count = 1;
		for (int i = 0; i < 200; i++) {
			std::vector<segue_wc> more;

			count += (uint64_t)found(segue_cq_poll_each(cq, 16, keep, &more));
		}
		return count;
	}
};

// As the issue has it: what was posted in one life is not carried out in the next, however it was
// posted.
TEST_F(Outside, ResetIsSeenByQuery)
{
	Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (bool polled : {true, false}) {
		for (bool batch : {false, true}) {
			for (uint64_t i = 0; i < 5; i++) {
				const auto chain = segue_sge(
					segue_raddr(segue_rdma_write(segue_qp_rc_sq(p.a), i,
								     SEGUE_SIGNALED),
						    remote.addr, remote.key.rkey),
					local.addr, 64, local.key.lkey);

				ASSERT_OK(batch ? segue_commit(chain) : segue_post(chain));
			}
			if (batch)
				segue_ring_doorbell(segue_qp_rc_sq(p.a));
			if (polled)
				take(5);
			ASSERT_OK(receive(p.a, 77));
			ASSERT_NO_FATAL_FAILURE(lead_anew(p));
			ASSERT_NO_FATAL_FAILURE(query(p.a, SEGUE_QP_STATE_RTS, 0, 0));
			ASSERT_NO_FATAL_FAILURE(query(p.b, SEGUE_QP_STATE_RTS, 0, 0));
			memset(to, 0, sizeof(to));
			EXPECT_EQ(1u, requests_done(p.a, 100));
			EXPECT_EQ(0, memcmp(from, to, 64));
		}
	}
}

// Receives alone tell it, too; so does a state that follows only from RESET.
TEST_F(Outside, ResetIsSeenByReceives)
{
	Pair p = pair();
	ibv_qp_attr attr = {};

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(receive(p.b, i));
	ASSERT_NO_FATAL_FAILURE(lead_anew(p));
	ASSERT_NO_FATAL_FAILURE(query(p.b, SEGUE_QP_STATE_RTS, 0, 0));
	ASSERT_NO_FATAL_FAILURE(query(p.a, SEGUE_QP_STATE_RTS, 0, 0));
	ASSERT_OK(receive(p.b, 9));
	ASSERT_OK(send(p.a, 1));
	std::vector<segue_wc> taken = take(2);

	for (const segue_wc &wc : taken)
		EXPECT_EQ(segue_wc_is_receive(&wc) ? 9u : 1u, wc.wr_id);

	ASSERT_OK(receive(p.b, 10));
	attr.qp_state = IBV_QPS_ERR;
	ASSERT_EQ(0, ibv_modify_qp(segue_qp_ibv(p.b), &attr, IBV_QP_STATE));
	ASSERT_NO_FATAL_FAILURE(query(p.b, SEGUE_QP_STATE_ERR, 0, 1));
	ASSERT_NO_FATAL_FAILURE(lead(segue_qp_ibv(p.b), path_to(0), IBV_QPS_INIT));
	ASSERT_NO_FATAL_FAILURE(query(p.b, SEGUE_QP_STATE_INIT, 0, 0));
	std::vector<segue_wc> none;

	EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &none)) << segue_errmsg();
}

// Whoever only asks, in whatever moment, changes nothing.
TEST_F(Outside, QueryAloneKeepsWhatIsCommitted)
{
	Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint64_t i = 0; i < 3; i++) {
		ASSERT_OK(segue_commit(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(p.a), i, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			local.addr, 64, local.key.lkey)));
		ASSERT_NO_FATAL_FAILURE(query(p.a, SEGUE_QP_STATE_RTS, (uint32_t)i + 1, 0));
	}
	segue_ring_doorbell(segue_qp_rc_sq(p.a));
	ASSERT_NO_FATAL_FAILURE(query(p.a, SEGUE_QP_STATE_RTS, 3, 0));
	take(3);
	ASSERT_NO_FATAL_FAILURE(query(p.a, SEGUE_QP_STATE_RTS, 0, 0));
}

// Somebody has used the completion queue, over its end, before Segue gets it.
TEST_F(Outside, PolledCompletionQueueIsTakenOver)
{
	for (uint32_t before : {1u, 31u, 32u, 33u, 100u}) {
		ibv_cq *verbs = ibv_create_cq(segue_device_ibv(device), 31, nullptr, nullptr, 0);
		segue_qp_options options = {};
		segue_qp *peer = open(SEGUE_QP_RC), *adopted;
		segue_cq *taken_over;
		segue_path there, back;

		ASSERT_NE(nullptr, verbs);
		ibv_qp *old = make_verbs(verbs), *qp = make_verbs(verbs);

		ASSERT_NE(nullptr, old);
		ASSERT_NE(nullptr, qp);
		there = path_to(segue_qp_number(peer));
		back = path_to(old->qp_num);
		fresh_psns(&there, &back);
		ASSERT_NO_FATAL_FAILURE(lead(old, there));
		ASSERT_OK(segue_qp_connect(peer, &back));
		for (uint32_t i = 0; i < before; i++) {
			ibv_sge sge = {local.addr, 64, local.key.lkey};
			ibv_send_wr wr = {}, *bad;
			ibv_wc wc;

			wr.sg_list = &sge;
			wr.num_sge = 1;
			wr.opcode = IBV_WR_RDMA_WRITE;
			wr.send_flags = IBV_SEND_SIGNALED;
			wr.wr.rdma.remote_addr = remote.addr;
			wr.wr.rdma.rkey = remote.key.rkey;
			ASSERT_EQ(0, ibv_post_send(old, &wr, &bad));
			const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

			while (ibv_poll_cq(verbs, 1, &wc) == 0 &&
			       segue_deadline_left_ms(deadline) > 0)
				sched_yield();
			ASSERT_EQ(IBV_WC_SUCCESS, wc.status);
		}
		ASSERT_OK(segue_qp_close(peer));

		peer = open(SEGUE_QP_RC);
		ASSERT_OK(segue_cq_adopt(device, verbs, nullptr, &taken_over));
		options.send_cq = options.recv_cq = taken_over;
		options.max_send_wr = options.max_recv_wr = 8;
		ASSERT_OK(segue_qp_adopt(pd, qp, &options, &adopted));
		ASSERT_NO_FATAL_FAILURE(connect(adopted, peer));
		std::vector<segue_wc> stale;

		EXPECT_EQ(0, segue_cq_poll_each(taken_over, 4, keep, &stale))
			<< before << ": " << segue_errmsg();
		for (uint64_t i = 0; i < 70; i++) {
			ASSERT_OK(write(adopted, i));
			EXPECT_EQ(i, take(1, taken_over)[0].wr_id);
		}
		ASSERT_OK(segue_qp_close(adopted));
		ASSERT_OK(segue_cq_close(taken_over));
		ASSERT_OK(segue_qp_close(peer));
		EXPECT_EQ(0, ibv_destroy_qp(qp));
		EXPECT_EQ(0, ibv_destroy_qp(old));
		EXPECT_EQ(0, ibv_destroy_cq(verbs));
	}
}

// It has raised events, and it has completions that nobody has polled yet: those are somebody
// else's.
TEST_F(Outside, EventsAndWaitingCompletions)
{
	ibv_comp_channel *channel = ibv_create_comp_channel(segue_device_ibv(device));

	ASSERT_NE(nullptr, channel);
	ibv_cq *verbs = ibv_create_cq(segue_device_ibv(device), 31, nullptr, channel, 0),
	       *from_event;

	ASSERT_NE(nullptr, verbs);
	ibv_qp *qp = make_verbs(verbs);
	segue_qp_options options = {};
	segue_qp *adopted;
	segue_cq *taken_over = nullptr;
	ibv_qp_attr attr = {};
	ibv_recv_wr receive_wr = {}, *bad;
	ibv_wc wc;
	void *context;

	ASSERT_NE(nullptr, qp);
	for (int i = 0; i < 5; i++) { // the last arming has number 0 again
		ASSERT_EQ(0, ibv_req_notify_cq(verbs, 0));
		ASSERT_NO_FATAL_FAILURE(lead(qp, path_to(0), IBV_QPS_INIT));
		ASSERT_EQ(0, ibv_post_recv(qp, &receive_wr, &bad));
		attr.qp_state = IBV_QPS_ERR;
		ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
		ASSERT_EQ(0, ibv_get_cq_event(channel, &from_event, &context));
		ibv_ack_cq_events(verbs, 1);
		EXPECT_EQ(-EBUSY, segue_cq_adopt(device, verbs, nullptr, &taken_over));
		EXPECT_SAYS("1 completion waits");
		EXPECT_EQ(nullptr, taken_over);
		ASSERT_EQ(1, ibv_poll_cq(verbs, 1, &wc));
	}
	ASSERT_OK(segue_cq_adopt(device, verbs, nullptr, &taken_over));
	options.send_cq = options.recv_cq = taken_over;
	options.max_send_wr = options.max_recv_wr = 8;
	ASSERT_NO_FATAL_FAILURE(lead(qp, path_to(0), IBV_QPS_INIT));
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &adopted));
	for (uint64_t i = 0; i < 6; i++) {
		pollfd fd = {};

		ASSERT_OK(segue_cq_arm(taken_over, SEGUE_CQ_ARM_CMD_ANY));
		ASSERT_OK(receive(adopted, i));
		ASSERT_OK(segue_qp_modify_to(adopted, SEGUE_QP_STATE_ERR, nullptr));
		fd.fd = channel->fd;
		fd.events = POLLIN;
		ASSERT_EQ(1, ::poll(&fd, 1, PATIENCE_MS)) << "no event " << i;
		ASSERT_EQ(0, ibv_get_cq_event(channel, &from_event, &context));
		ibv_ack_cq_events(verbs, 1);
		segue_cq_ack_event(taken_over);
		EXPECT_EQ(i, take(1, taken_over)[0].wr_id);
		ASSERT_OK(segue_qp_modify_to(adopted, SEGUE_QP_STATE_RESET, nullptr));
		const segue_path path = path_to(0);

		ASSERT_OK(segue_qp_modify_to(adopted, SEGUE_QP_STATE_INIT, &path));
	}
	ASSERT_OK(segue_qp_close(adopted));
	ASSERT_OK(segue_cq_close(taken_over));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
	EXPECT_EQ(0, ibv_destroy_cq(verbs));
	EXPECT_EQ(0, ibv_destroy_comp_channel(channel));
}

// libmlx5 may ring the registers of a context that it was asked for, and of queue pairs that it
// made: nothing is copied there.
TEST_F(Outside, NoCopiesToRegistersThatOthersRing)
{
	segue_qp_options options = {};
	ibv_device **list = ibv_get_device_list(nullptr);
	ibv_qp *qp = make_verbs(segue_cq_ibv(cq));
	segue_qp *adopted;
	segue_td *td;

	ASSERT_NE(nullptr, qp);
	options.send_cq = options.recv_cq = cq;
	ASSERT_OK(segue_qp_adopt(pd, qp, &options, &adopted));
	EXPECT_EQ(nullptr, segue_qp_rc_sq(adopted)->sq.uar);
	EXPECT_NE(nullptr, segue_qp_rc_sq(open(SEGUE_QP_RC))->sq.uar);
	ASSERT_OK(segue_qp_close(adopted));
	EXPECT_EQ(0, ibv_destroy_qp(qp));
	ASSERT_OK(segue_device_close(device));

	ibv_context *context = ibv_open_device(list[0]);
	segue_cq_options cqs = {};

	ibv_free_device_list(list);
	ASSERT_NE(nullptr, context);
	ASSERT_OK(segue_device_adopt(context, &device));
	ASSERT_OK(segue_pd_open(device, &pd));
	cqs.entries = 1000;
	ASSERT_OK(segue_cq_open(device, &cqs, &cq));
	EXPECT_EQ(nullptr, segue_qp_rc_sq(open(SEGUE_QP_RC))->sq.uar);
	ASSERT_OK(segue_td_open(pd, &td));
	options = options_for(SEGUE_QP_RC);
	options.td = td;
	ASSERT_OK(segue_qp_open(pd, &options, &adopted));
	EXPECT_NE(nullptr, segue_qp_rc_sq(adopted)->sq.uar);
	segue_qp *peer = open(SEGUE_QP_RC);

	ASSERT_NO_FATAL_FAILURE(connect(peer, adopted));
	ASSERT_OK(segue_mr_local_buf(share(from, sizeof(from)), 0, sizeof(from), &local));
	ASSERT_OK(segue_mr_remote_buf(share(to, sizeof(to)), 0, sizeof(to), &remote));
	for (segue_qp *from_qp : {peer, adopted}) {
		ASSERT_OK(segue_post_blueflame(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(from_qp), 3, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			local.addr, 64, local.key.lkey)));
		EXPECT_EQ(0, take(1)[0].syndrome);
	}
	ASSERT_OK(segue_device_close(device));
	EXPECT_EQ(0, ibv_close_device(context));
	device = nullptr;
}

} // namespace
