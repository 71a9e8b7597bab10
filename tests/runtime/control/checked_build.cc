// SPDX-License-Identifier: BSD-2-Clause
// What only checked builds find: objects that are closed twice or used afterwards, and a queue that
// two threads use.
#include <thread>

#include "tests/runtime/control/fixture.h"

TEST_F(Control, ClosedTwice)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	const segue_path path = path_to(1);
	segue_qp_info info;

	ASSERT_OK(segue_qp_close(qp));
	EXPECT_EQ(-EINVAL, segue_qp_close(qp));
	EXPECT_SAYS("the queue pair has been closed already");
	EXPECT_EQ(-EINVAL, segue_qp_query(qp, &info));
	EXPECT_SAYS("has been closed already");
	EXPECT_EQ(-EINVAL, segue_qp_connect(qp, &path));
}

TEST_F(Control, PostedToAfterItIsClosed)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	segue_rc_sq *sq = segue_qp_rc_sq(qp);
	segue_rq *rq = segue_qp_rq(qp);

	testing::FLAGS_gtest_death_test_style = "threadsafe";
	ASSERT_OK(segue_qp_close(qp));
	EXPECT_DEATH((void)segue_post(segue_nop(sq, 1, SEGUE_SIGNALED)),
		     "Send queue of QP 0x[0-9a-f]+ is posted to after it was closed");
	EXPECT_DEATH((void)segue_post(segue_sge(segue_recv(rq, 1), 0x1000, 64, 1)),
		     "Receive queue 0x[0-9a-f]+ is posted to after it was closed");
}

TEST_F(Control, UsedAfterItsParentIsClosed)
{
	static uint8_t memory[64];
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_mr *mr = share(memory, sizeof(memory));
	segue_qp *qp;

	ASSERT_OK(segue_pd_close(pd));
	EXPECT_EQ(-EINVAL, segue_mr_close(mr));
	EXPECT_SAYS("the memory region has been closed already");
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("the protection domain has been closed already");
}

TEST_F(Control, TakenForAnotherKind)
{
	EXPECT_EQ(-EINVAL, segue_qp_close((segue_qp *)pd));
	EXPECT_SAYS("this is no queue pair");
	EXPECT_OK(segue_qp_close(nullptr));
}

// Two threads on one queue lose requests; the second one is stopped, unless the queue was handed
// over.
TEST_F(Control, SecondThread)
{
	static uint8_t memory[64];
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	segue_mr *mr = share(memory, sizeof(memory));
	segue_remote_buf remote;
	const auto post = [&] {
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			remote.addr, 8, segue_mr_lkey(mr).lkey));
	};
	const auto receive = [&] {
		return segue_post(segue_sge(segue_recv(segue_qp_rq(a), 2), remote.addr, 64,
					    segue_mr_lkey(mr).lkey));
	};

	/* A thread that is made in a forked child confuses ThreadSanitizer: the child starts from
	 * the beginning. */
	testing::FLAGS_gtest_death_test_style = "threadsafe";
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_mr_remote_buf(mr, 0, sizeof(memory), &remote));
	ASSERT_OK(post());
	ASSERT_OK(receive());
	EXPECT_EQ(0, take(1)[0].syndrome);
	EXPECT_DEATH(std::thread(post).join(),
		     "Send queue of QP 0x[0-9a-f]+ is used by a second thread");
	EXPECT_DEATH(std::thread(receive).join(),
		     "Receive queue 0x[0-9a-f]+ is used by a second thread");
	segue_sq_hand_over(&segue_qp_rc_sq(a)->sq);
	std::thread([&] { EXPECT_EQ(0, post()) << segue_errmsg(); }).join();
	/* Whose completions are polled is posted to by the same thread, so the queue comes back
	 * first. */
	EXPECT_DEATH(take(1), "is posted to by one thread while another polls its completions");
	segue_sq_hand_over(&segue_qp_rc_sq(a)->sq);
	EXPECT_EQ(0, take(1)[0].syndrome);
}
