// SPDX-License-Identifier: BSD-2-Clause
// The state tables, without a device. The oracle for values is infiniband/verbs.h.
#include <errno.h>
#include <gtest/gtest.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/gen/transports.h"

TEST(Transport, ValuesAreThoseOfVerbs)
{
	EXPECT_EQ(SEGUE_QP_STATE_RESET, IBV_QPS_RESET);
	EXPECT_EQ(SEGUE_QP_STATE_SQD, IBV_QPS_SQD);
	EXPECT_EQ(SEGUE_QP_STATE_SQE, IBV_QPS_SQE);
	EXPECT_EQ(SEGUE_QP_STATE_ERR, IBV_QPS_ERR);
	EXPECT_EQ(SEGUE_QP_ATTR_DEST_QPN, IBV_QP_DEST_QPN);
	EXPECT_EQ(SEGUE_QP_ATTR_MIN_RNR_TIMER, IBV_QP_MIN_RNR_TIMER);
	EXPECT_EQ(SEGUE_QP_ATTR_RATE_LIMIT, IBV_QP_RATE_LIMIT);
}

TEST(Transport, NamesMissingAttributes)
{
	const uint32_t mask = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
			      IBV_QP_RQ_PSN;

	EXPECT_EQ(-EINVAL,
		  segue_transition_check(&segue_rc_transport, IBV_QPS_INIT, IBV_QPS_RTR, mask));
	EXPECT_STREQ("rc queue pair, INIT to RTR: missing: MIN_RNR_TIMER, MAX_DEST_RD_ATOMIC.",
		     segue_errmsg());
	EXPECT_EQ(0,
		  segue_transition_check(&segue_rc_transport, IBV_QPS_INIT, IBV_QPS_RTR,
					 mask | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
}

TEST(Transport, NamesSurplusAttributes)
{
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_ud_transport, IBV_QPS_INIT, IBV_QPS_RTR,
						  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU));
	EXPECT_STREQ("ud queue pair, INIT to RTR: not allowed: AV, PATH_MTU.", segue_errmsg());
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_rc_transport, IBV_QPS_RESET, IBV_QPS_INIT,
						  IBV_QP_STATE | IBV_QP_PORT | IBV_QP_QKEY));
	EXPECT_STREQ("rc queue pair, RESET to INIT: missing: ACCESS_FLAGS, PKEY_INDEX; not "
		     "allowed: QKEY.",
		     segue_errmsg());
}

TEST(Transport, NamesTheWaysThereAre)
{
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_rc_transport, IBV_QPS_RESET, IBV_QPS_ERR,
						  IBV_QP_STATE));
	EXPECT_STREQ("rc queue pair: there is no way from RESET to ERR; from there a modify may go "
		     "to: RESET, INIT.",
		     segue_errmsg());
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_ud_transport, IBV_QPS_RTS, IBV_QPS_SQE,
						  IBV_QP_STATE));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "only the device itself"));
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_dct_transport, IBV_QPS_RTR, IBV_QPS_RTS,
						  IBV_QP_STATE));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "nowhere"));
	EXPECT_EQ(-EINVAL, segue_transition_check(&segue_rc_transport, 99, 1, IBV_QP_STATE));
}

// Every entry of every table: exactly the required mask passes, each bit less and each foreign bit
// more does not.
TEST(Transport, TablesAgreeWithTheCheck)
{
	for (const segue_transport_table *const *t = segue_transports; *t; t++)
		for (uint32_t from = 0; from < (*t)->n_states; from++)
			for (uint32_t to = 0; to < (*t)->n_states; to++) {
				const segue_transition *way = segue_transition_between(*t, from,
										       to);

				if (!way->valid) {
					EXPECT_NE(0, segue_transition_check(*t, from, to,
									    IBV_QP_STATE));
					continue;
				}
				EXPECT_NE(nullptr, (*t)->states[from].name);
				EXPECT_NE(nullptr, (*t)->states[to].name);
				EXPECT_EQ(0u, way->required & way->optional);
				EXPECT_EQ(0, segue_transition_check(*t, from, to, way->required));
				EXPECT_EQ(0, segue_transition_check(*t, from, to,
								    way->required | way->optional));
				for (uint32_t bit = 2; bit <= IBV_QP_RATE_LIMIT; bit <<= 1) {
					// Take a required one away, or add a foreign one.
					if (way->optional & bit)
						continue;
					EXPECT_NE(0, segue_transition_check(*t, from, to,
									    way->required ^ bit));
				}
			}
}
