// SPDX-License-Identifier: BSD-2-Clause
// Streams of a DC initiator: an error of one leaves the others alone.
#include "tests/runtime/control/faults.h"
#include "tests/seed/seed.h"

class Streams : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		segue_qp_options options = options_for(SEGUE_QP_DCT);
		const segue_path path = path_to(0);

		options.recv_cq = cq;
		options.srq = open_srq();
		options.dc_key = 0x1234;
		ASSERT_OK(segue_qp_open(pd, &options, &dct));
		ASSERT_OK(segue_qp_connect(dct, &path));
		ASSERT_OK(segue_ah_open(pd, &path, &address));
	}

	segue_qp *open_dci(uint8_t log_streams, uint8_t log_errored)
	{
		segue_qp_options options = options_for(SEGUE_QP_DCI);
		const segue_path path = path_to(0);
		segue_qp *dci = nullptr;

		options.dci_log_streams = log_streams;
		options.dci_log_errored = log_errored;
		EXPECT_OK(segue_qp_open(pd, &options, &dci));
		EXPECT_OK(segue_qp_connect(dci, &path));
		return dci;
	}

	int write_on(segue_qp *dci, uint16_t stream, uint64_t wr_id, bool good = true)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_av(segue_stream(segue_rdma_write(segue_qp_dci_sq(dci),
									   wr_id, SEGUE_SIGNALED),
							  stream),
					     segue_ah_av(address), segue_qp_number(dct), 0x1234),
				    remote.addr,
				    good ? remote.key.rkey : remote.key.rkey ^ 0x00777700),
			local.addr, 64, local.key.lkey));
	}

	segue_qp *dct;
	segue_ah *address;
};

TEST_F(Streams, OneFailsTheOthersGoOn)
{
	segue_qp *dci = open_dci(2, 2);

	for (int round = 0; round < 10; round++) {
		ASSERT_OK(write_on(dci, 1, 10, false));
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
		for (uint16_t stream = 0; stream < 4; stream++) {
			ASSERT_OK(write_on(dci, stream, stream));
			const segue_wc wc = take(1)[0];

			EXPECT_EQ(stream, wc.wr_id);
			EXPECT_EQ(stream == 1 ? (int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0,
				  wc.syndrome)
				<< explain(wc);
		}
		expect_state(dci, SEGUE_QP_STATE_RTS);
		ASSERT_OK(segue_qp_reset_stream(dci, 1));
		ASSERT_OK(write_on(dci, 1, 11));
		EXPECT_EQ(0, take(1)[0].syndrome);
	}
}

TEST_F(Streams, TooManyFailuresFailTheQueuePair)
{
	segue_qp *dci = open_dci(2, 1);

	ASSERT_OK(write_on(dci, 1, 1, false));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
	expect_state(dci, SEGUE_QP_STATE_RTS);
	ASSERT_OK(write_on(dci, 2, 2, false));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
	expect_state(dci, SEGUE_QP_STATE_ERR);
}

TEST_F(Streams, RefusedByName)
{
	segue_qp *plain = open(SEGUE_QP_DCI), *dci = open_dci(2, 2);

	EXPECT_EQ(-EINVAL, segue_qp_reset_stream(plain, 0));
	EXPECT_SAYS("has no stream 0");
	EXPECT_EQ(-EINVAL, segue_qp_reset_stream(dci, 4));
	EXPECT_SAYS("expected less than 4");
	EXPECT_GT(0, segue_qp_reset_stream(dci, 3));
	EXPECT_SAYS("only one that has failed");
	segue_qp_options options = options_for(SEGUE_QP_DCI);

	options.dci_log_streams = 30;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &plain));
	EXPECT_SAYS("dci_log_streams is 30");
}

// Streams with work of their own, good and bad, in random order: each request comes back once.
TEST_F(Streams, RandomRuns)
{
	segue_qp *dci = open_dci(3, 3);
	bool failed[8] = {};
	uint64_t next = 0;

	srand((unsigned)segue_test_seed());
	for (int round = 0; round < 200; round++) {
		const size_t count = 1 + (size_t)rand() % 8;
		std::vector<uint16_t> streams;
		size_t bad = 0;

		for (size_t i = 0; i < count; i++) {
			uint16_t stream;

			do
				stream = (uint16_t)(rand() % 8);
			while (failed[stream]);
			/* Never the last one: the queue pair would fail. */
			const bool good = bad || rand() % 4;

			ASSERT_OK(write_on(dci, stream, next + i, good));
			streams.push_back(stream);
			if (!good) {
				bad++;
				failed[stream] = true;
			}
		}
		const std::vector<segue_wc> got = take(count);

		for (size_t i = 0; i < count; i++) {
			EXPECT_EQ(next + i, got[i].wr_id);
			if (got[i].syndrome) {
				EXPECT_TRUE(failed[streams[i]]) << explain(got[i]);
			}
		}
		next += count;
		for (uint16_t stream = 0; stream < 8; stream++) {
			if (failed[stream]) {
				ASSERT_OK(segue_qp_reset_stream(dci, stream));
			}
			failed[stream] = false;
		}
	}
	expect_state(dci, SEGUE_QP_STATE_RTS);
}
