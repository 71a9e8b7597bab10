// SPDX-License-Identifier: BSD-2-Clause
// Indices that wrap: the device's counters have 16 bits, ours 32. Ours are made to start where both wrap at the same request.
#include "tests/runtime/control/fixture.h"

namespace
{

constexpr uint32_t START = 0xffff0000; // to the device: 0
constexpr uint32_t REQUESTS = 70000;
constexpr uint32_t BATCH = 128;

class Wraps : public Control {
protected:
	segue_qp *open_deep()
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.max_send_wr = 2 * BATCH;
		options.max_recv_wr = 2 * BATCH;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	// As the queue was made, but for where it counts from. Before anything is posted.
	static void shift(segue_sq *sq)
	{
		segue_sq_attr attr = {};

		attr.buf = sq->buf;
		attr.wqe_cnt = sq->mask + 1;
		attr.max_wqe_units = sq->max_units;
		attr.dbrec = const_cast<uint32_t *>(sq->dbrec);
		attr.bf_reg = (void *)sq->reg;
		attr.bf_size = (uint32_t)sq->reg_toggle;
		attr.qpn = sq->qpn;
		attr.first_index = START;
		attr.slots = sq->slots;
		ASSERT_EQ(0u, sq->pi);
		ASSERT_OK(segue_sq_init(sq, &attr));
	}

	static void shift(seguei_recv_ring *ring)
	{
		ASSERT_EQ(0u, ring->pi);
		ring->pi += START;
		ring->ci += START;
		ring->limit += START;
	}
};

TEST_F(Wraps, SendQueue)
{
	segue_qp *a = open_deep(), *b = open_deep();

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	segue_rc_sq *sq = segue_qp_rc(a);

	ASSERT_NO_FATAL_FAILURE(shift(&sq->sq));
	for (uint64_t done = 0; done < REQUESTS; done += BATCH) {
		for (uint64_t i = 0; i < BATCH; i++) {
			ASSERT_OK(segue_commit(segue_nop(sq, done + i, i % 4 == 3 ? SEGUE_SIGNALED : 0)));
		}
		segue_ring(sq);
		const std::vector<segue_wc> got = take(BATCH / 4);

		for (size_t i = 0; i < got.size(); i++) {
			ASSERT_EQ(0, got[i].syndrome) << "request " << done;
			ASSERT_EQ(done + 4 * i + 3, got[i].wr_id);
		}
		ASSERT_EQ(sq->sq.pi, sq->sq.ci);
	}
	EXPECT_LT(sq->sq.pi, START);
	EXPECT_LT(2u * 256, cq->ci); // the completion queue went round, too
}

TEST_F(Wraps, ReceiveQueue)
{
	segue_qp *a = open_deep(), *b = open_deep();

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	segue_rc_sq *sq = segue_qp_rc(a);
	segue_rq *rq = segue_qp_rq(b);
	uint64_t receives = 0;

	ASSERT_NO_FATAL_FAILURE(shift(&sq->sq));
	ASSERT_NO_FATAL_FAILURE(shift(&rq->ring));
	for (uint64_t done = 0; done < REQUESTS; done += BATCH) {
		for (uint64_t i = 0; i < BATCH; i++) {
			ASSERT_OK(segue_commit(segue_sge(segue_recv_rq(rq, done + i), 0x1000, 64, 1)));
		}
		segue_ring(rq);
		for (uint64_t i = 0; i < BATCH; i++) // nothing in them, so nothing lands
			ASSERT_OK(segue_commit(segue_send_imm(sq, done + i, i == BATCH - 1 ? SEGUE_SIGNALED : 0, (uint32_t)(done + i))));
		segue_ring(sq);
		for (const segue_wc &wc : take(BATCH + 1)) {
			ASSERT_EQ(0, wc.syndrome) << "message " << done;
			if (wc.opcode == SEGUE_CQE_OPCODE_REQ) {
				ASSERT_EQ(done + BATCH - 1, wc.wr_id);
				continue;
			}
			ASSERT_EQ(receives, wc.wr_id);
			ASSERT_EQ(receives, wc.imm);
			receives++;
		}
	}
	EXPECT_LT(rq->ring.pi, START);
	EXPECT_LT(sq->sq.pi, START);
	EXPECT_LT(65536u, cq->ci);
}

} // namespace
