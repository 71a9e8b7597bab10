// SPDX-License-Identifier: BSD-2-Clause
// From device to completed requests over real libibverbs and libmlx5.
#include "tests/runtime/control/fixture.h"

TEST_F(Control, WriteBetweenTwoRcQueuePairs)
{
	static uint8_t from[4096], to[4096];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	segue_local local;
	segue_remote remote;

	for (size_t i = 0; i < sizeof(from); i++)
		from[i] = (uint8_t)(i * 7 + 1);
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RTS, segue_qp_state(a));
	ASSERT_OK(segue_mr_local(share(from, sizeof(from)), 0, sizeof(from), &local));
	ASSERT_OK(segue_mr_remote(share(to, sizeof(to)), 0, sizeof(to), &remote));
	ASSERT_OK(segue_post(segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc(a), 4711, SEGUE_SIGNALED), remote.addr,
						   remote.key.rkey),
				       local.addr, local.length, local.key.lkey)));
	const segue_wc wc = take(1)[0];

	EXPECT_EQ(4711u, wc.wr_id);
	EXPECT_EQ(0, wc.syndrome);
	EXPECT_EQ(segue_qp_number(a), wc.qpn);
	EXPECT_EQ(0, memcmp(from, to, sizeof(from)));
	EXPECT_TRUE(segue_qp_idle(a));
}

TEST_F(Control, PostsAreRefusedBeforeRts)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(-EINVAL, segue_post(segue_sge(segue_send(segue_qp_rc(qp), 1, 0), 0x1000, 4, 5)));
	EXPECT_SAYS("in a state that rejects send requests");
}

TEST_F(Control, FlushGivesEverythingBack)
{
	static uint8_t memory[4096];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const uint32_t lkey = segue_mr_lkey(share(memory, sizeof(memory))).lkey;
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (uint64_t i = 0; i < 16; i++)
		ASSERT_OK(segue_post(segue_sge(segue_recv_rq(segue_qp_rq(a), i), (uintptr_t)memory, 64, lkey)));
	EXPECT_FALSE(segue_qp_idle(a));
	ASSERT_OK(segue_qp_flush(a, segue_deadline_in_ms(5000), keep, &got));
	ASSERT_LE(16u, got.size());
	for (uint64_t i = 0; i < 16; i++) {
		EXPECT_EQ(i, got[i].wr_id);
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[i].syndrome);
	}
}
