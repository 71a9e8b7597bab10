// SPDX-License-Identifier: BSD-2-Clause
// Raw packet queue pairs: whole frames, from one to another of the same port.
#include <stddef.h>

#include <algorithm>

#include "segue/raw_packet.h"
#include "tests/runtime/control/faults.h"

class Raw : public Faulty {
protected:
	segue_qp_options raw_options(segue_cq *recv_cq)
	{
		segue_qp_options options = options_for(SEGUE_QP_RAW_PACKET);

		options.recv_cq = recv_cq;
		options.max_recv_wr = 16;
		options.max_recv_sge = 1;
		return options;
	}

	segue_qp *open_raw(segue_cq *recv_cq)
	{
		const segue_qp_options options = raw_options(recv_cq);
		segue_qp *qp = nullptr;

		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	// Frames to this address come to the queue pair, and its completions name a tag if there is
	// one.
	segue_flow *steer(segue_qp *qp, uint8_t last = 0x55, uint32_t tag = 0)
	{
		segue_flow *flow = nullptr;
		segue_flow_rule rule = {};

		rule.port = 1;
		memcpy(rule.dst_mac, address, sizeof(address));
		rule.dst_mac[5] = last;
		rule.tag = tag;
		EXPECT_OK(segue_flow_open_to_qp(qp, &rule, &flow));
		return flow;
	}

	// Sends a frame to the address that ends so.
	void send_frame(segue_qp *qp, uint64_t wr_id, uint8_t last = 0x55)
	{
		memcpy(from, address, sizeof(address));
		from[5] = last;
		memset(from + 6, 0x02, 6);
		from[12] = 0x88;
		from[13] = 0xb5; // IEEE 802: for local experiments
		from[14] = (uint8_t)wr_id;
		ASSERT_OK(segue_post(segue_sge(
			segue_eth(segue_send(segue_qp_raw_packet_sq(qp), wr_id, SEGUE_SIGNALED), 0,
				  from, 18),
			local.addr + 18, 100 - 18, local.key.lkey)));
	}

	// Opened, with a context and receives from `first` on.
	segue_qp *ready_raw(segue_cq *recv_cq, void *context, uint64_t first)
	{
		segue_qp_options options = raw_options(recv_cq);
		const segue_path path = path_to(0);
		segue_qp *qp = nullptr;

		options.context = context;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		EXPECT_OK(segue_qp_connect(qp, &path));
		for (uint64_t i = first; i < first + 4; i++)
			EXPECT_OK(receive(qp, i));
		return qp;
	}

	static bool names_indices(segue_device *device)
	{
		return segue_device_caps(device)->cqe_version_1;
	}

	const uint8_t address[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};
};

// Receives posted before the queue pair takes frames are there when it does, although libmlx5
// writes the doorbell record on the way.
TEST_F(Raw, ReceivesPostedInInit)
{
	segue_qp *a = open_raw(open_cq(64)), *b = open_raw(cq);
	const segue_path path = path_to(0);

	ASSERT_OK(segue_qp_modify_to(b, SEGUE_QP_STATE_INIT, &path));
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(receive(b, 10 + i));
	ASSERT_OK(segue_qp_connect(b, &path));
	ASSERT_OK(segue_qp_connect(a, &path));
	segue_flow *flow = steer(b);

	ASSERT_NE(nullptr, flow) << strerror(errno);
	for (uint64_t i = 0; i < 4; i++) {
		memset(to, 0, sizeof(to));
		ASSERT_NO_FATAL_FAILURE(send_frame(a, i));
		for (const segue_wc &wc : take(2)) {
			EXPECT_EQ(0, wc.syndrome) << explain(wc);
			EXPECT_EQ(segue_wc_is_receive(&wc) ? 10 + i : i, wc.wr_id);
		}
		EXPECT_EQ(0, memcmp(from, to, 100));
	}
	EXPECT_OK(segue_flow_close(flow));
}

// A completion of a receive that failed names the receive queue, which has a number of its own on a
// card.
TEST_F(Raw, FlushGivesEveryReceiveBack)
{
	segue_cq *other = open_cq(16);
	segue_qp *qp = ready_raw(other, this, 10);
	std::vector<segue_wc> got;

	ASSERT_OK(segue_qp_flush(qp, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	ASSERT_EQ(4u, got.size());
	for (uint64_t i = 0; i < 4; i++) {
		EXPECT_EQ(10 + i, got[i].wr_id);
		EXPECT_EQ(this, got[i].context);
		EXPECT_EQ(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[i].syndrome);
	}
	ASSERT_OK(segue_qp_reset(qp, keep, &got));
	ASSERT_OK(segue_qp_close(qp));
}

// After a failed send there is no way back but through RESET, and Segue says so; its rule and what
// was posted to the other one stay.
TEST_F(Raw, AfterAFailedSend)
{
	segue_qp *a = open_raw(open_cq(64)), *b = ready_raw(cq, this, 10);
	const segue_path path = path_to(0);
	segue_flow *flow = steer(b);
	segue_qp_info info;

	ASSERT_OK(segue_qp_connect(a, &path));
	INJECT("complete nth=1 syndrome=0x04");
	ASSERT_NO_FATAL_FAILURE(send_frame(a, 1));
	EXPECT_EQ(SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, take(1)[0].syndrome);
	ASSERT_OK(segue_qp_query(a, &info));
	ASSERT_EQ(SEGUE_QP_STATE_SQE, info.state);
	EXPECT_EQ(-EINVAL, segue_qp_resume(a));
	EXPECT_SAYS("call segue_qp_reset() and connect it again");
	std::vector<segue_wc> none;

	ASSERT_OK(segue_qp_reset(a, keep, &none));
	ASSERT_OK(segue_qp_connect(a, &path));
	ASSERT_NO_FATAL_FAILURE(send_frame(a, 2));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	EXPECT_EQ(0, memcmp(from, to, 100));
	EXPECT_OK(segue_flow_close(flow));
}

// One that has a completion queue to itself takes every tag, also the number of a queue pair that
// sends there.
TEST_F(Raw, AnyTag)
{
	segue_cq *shared = open_cq(64);
	segue_qp *a = open_raw(shared), *b = ready_raw(cq, this, 10);
	const uint32_t tags[] = {1, segue_qp_number(a), segue_qp_number(b), 0xffffff};
	const segue_path path = path_to(0);

	if (!names_indices(device))
		return; // nor tags
	ASSERT_OK(segue_qp_connect(a, &path));
	for (uint64_t i = 0; i < 4; i++) {
		segue_flow *flow = steer(b, 0x55, tags[i]);

		ASSERT_NE(nullptr, flow) << strerror(errno);
		ASSERT_NO_FATAL_FAILURE(send_frame(a, i));
		for (const segue_wc &wc : take(2)) {
			EXPECT_EQ(segue_wc_is_receive(&wc) ? 10 + i : i, wc.wr_id);
			EXPECT_EQ(segue_wc_is_receive(&wc) ? this : nullptr, wc.context);
			EXPECT_EQ(segue_wc_is_receive(&wc) ? tags[i] : segue_qp_number(a), wc.qpn);
		}
		EXPECT_OK(segue_flow_close(flow));
	}
}

// A rate holds back what is posted at once; only the least time is judged.
TEST_F(Raw, AtARate)
{
	constexpr uint32_t FRAMES = 10, BITS = 8 * 100;
	const segue_caps *caps = segue_device_caps(device);
	segue_qp_rate rate = {};
	segue_qp *qp = open_raw(cq);
	const segue_path path = path_to(0);

	ASSERT_LT(0u, caps->rate_min);
	rate.kbps = 100;
	ASSERT_LE(caps->rate_min, rate.kbps);
	EXPECT_EQ(-EINVAL, segue_qp_set_rate(qp, &rate));
	EXPECT_SAYS("expected a raw packet queue pair in RTS");
	ASSERT_OK(segue_qp_connect(qp, &path));
	ASSERT_OK(segue_qp_set_rate(qp, &rate));
	const segue_deadline least = segue_deadline_in_ms(FRAMES * BITS / rate.kbps / 2);
	for (uint32_t i = 0; i < FRAMES; i++)
		ASSERT_NO_FATAL_FAILURE(send_frame(qp, i, 0x77));
	take(FRAMES);
	EXPECT_EQ(0, segue_deadline_left_ms(least));
	rate.kbps = caps->rate_max + 1;
	EXPECT_EQ(-EINVAL, segue_qp_set_rate(qp, &rate));
	EXPECT_SAYS("or 0 without a burst for no limit");
	rate.kbps = 0;
	rate.burst_bytes = 2000;
	EXPECT_EQ(-EINVAL, segue_qp_set_rate(qp, &rate));
	rate.burst_bytes = 0;
	EXPECT_OK(segue_qp_set_rate(qp, &rate));
}

// Several receive on one completion queue, beside connected queue pairs, and a tag that is the
// number of one of these misleads nobody.
TEST_F(Raw, ManyOnOneCompletionQueue)
{
	const Pair p = pair();
	segue_qp *a = open_raw(open_cq(64)), *b, *c;
	const segue_path path = path_to(0);

	if (!names_indices(device)) { // and numbers may be anybody's
		const segue_qp_options options = raw_options(cq), beside = raw_options(open_cq(64));

		EXPECT_EQ(-EEXIST, segue_qp_open(pd, &options, &c));
		EXPECT_SAYS("give each a recv_cq of its own");
		ASSERT_OK(segue_qp_open(pd, &beside, &b));
		EXPECT_EQ(-EEXIST, segue_qp_open(pd, &beside, &c));
		EXPECT_SAYS("give each queue a recv_cq of its own");
		return;
	}
	b = ready_raw(cq, &a, 10);
	c = ready_raw(cq, &b, 20);
	ASSERT_OK(segue_qp_connect(a, &path));
	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(receive(p.b, 30 + i));
	segue_flow *to_b = steer(b, 0x55, segue_qp_number(p.b)),
		   *to_c = steer(c, 0x56, segue_qp_number(b));

	ASSERT_TRUE(to_b && to_c) << strerror(errno);
	for (uint64_t i = 0; i < 4; i++) {
		std::vector<uint64_t> ids;

		ASSERT_NO_FATAL_FAILURE(send_frame(a, i));
		ASSERT_NO_FATAL_FAILURE(send_frame(a, i, 0x56));
		ASSERT_OK(send(p.a, 40 + i));
		for (const segue_wc &wc : take(6)) {
			EXPECT_EQ(0, wc.syndrome) << explain(wc);
			EXPECT_EQ(wc.wr_id / 10 == 1   ? &a
				  : wc.wr_id / 10 == 2 ? &b
						       : nullptr,
				  wc.context);
			ids.push_back(wc.wr_id);
		}
		std::sort(ids.begin(), ids.end());
		EXPECT_EQ((std::vector<uint64_t>{i, i, 10 + i, 20 + i, 30 + i, 40 + i}), ids);
	}
	EXPECT_OK(segue_flow_close(to_b));
	EXPECT_OK(segue_flow_close(to_c));
	// What is left of one that is closed goes with it, and of nobody else.
	ASSERT_OK(receive(p.b, 34));
	ASSERT_OK(receive(c, 24));
	ASSERT_OK(segue_qp_modify_to(c, SEGUE_QP_STATE_ERR, nullptr));
	ASSERT_OK(segue_qp_modify_to(p.b, SEGUE_QP_STATE_ERR, nullptr));
	ASSERT_OK(segue_qp_close(b));
	std::vector<uint64_t> ids;

	for (const segue_wc &wc : take(2))
		ids.push_back(wc.wr_id);
	std::sort(ids.begin(), ids.end());
	EXPECT_EQ((std::vector<uint64_t>{24, 34}), ids);
}
