// SPDX-License-Identifier: BSD-2-Clause
// What only checked builds find: objects that are closed twice or used afterwards.
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
