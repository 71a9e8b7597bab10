// SPDX-License-Identifier: BSD-2-Clause
// Raw packet queue pairs: whole frames, from one to another of the same port.
#include <stddef.h>

#include "tests/runtime/control/faulty.h"

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

	// Frames to this address come to the queue pair.
	ibv_flow *steer(segue_qp *qp)
	{
		struct {
			ibv_flow_attr attr;
			ibv_flow_spec_eth eth;
		} rule = {};

		rule.attr.type = IBV_FLOW_ATTR_NORMAL;
		rule.attr.size = sizeof(rule);
		rule.attr.num_of_specs = 1;
		rule.attr.port = 1;
		rule.eth.type = IBV_FLOW_SPEC_ETH;
		rule.eth.size = sizeof(rule.eth);
		memcpy(rule.eth.val.dst_mac, address, sizeof(address));
		memset(rule.eth.mask.dst_mac, 0xff, sizeof(address));
		return ibv_create_flow(segue_qp_ibv(qp), &rule.attr);
	}

	const uint8_t address[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x55};
};

// Receives posted before the queue pair takes frames are there when it does, although libmlx5 writes the doorbell record on the way.
TEST_F(Raw, ReceivesPostedInInit)
{
	segue_qp *a = open_raw(open_cq(16)), *b = open_raw(cq);
	const segue_path path = path_to(0);

	ASSERT_OK(segue_qp_to(b, SEGUE_QP_STATE_INIT, &path));
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(receive(b, 10 + i));
	ASSERT_OK(segue_qp_connect(b, &path));
	ASSERT_OK(segue_qp_connect(a, &path));
	ibv_flow *flow = steer(b);

	ASSERT_NE(nullptr, flow) << strerror(errno);
	memcpy(from, address, sizeof(address));
	memset(from + 6, 0x02, 6);
	from[12] = 0x88;
	from[13] = 0xb5; // IEEE 802: for local experiments
	for (uint64_t i = 0; i < 4; i++) {
		from[14] = (uint8_t)i;
		memset(to, 0, sizeof(to));
		ASSERT_OK(segue_post(segue_sge(segue_eth(segue_send(segue_qp_raw_packet(a), i, SEGUE_SIGNALED), 0, from, 18), local.addr + 18,
					       100 - 18, local.key.lkey)));
		for (const segue_wc &wc : take(2)) {
			EXPECT_EQ(0, wc.syndrome) << explain(wc);
			EXPECT_EQ(segue_wc_is_receive(&wc) ? 10 + i : i, wc.wr_id);
		}
		EXPECT_EQ(0, memcmp(from, to, 100));
	}
	EXPECT_EQ(0, ibv_destroy_flow(flow));
	const segue_qp_options options = raw_options(cq);

	EXPECT_EQ(-EEXIST, segue_qp_open(pd, &options, &a));
	EXPECT_SAYS("give each a recv_cq of its own");
}
