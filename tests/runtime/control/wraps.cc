// SPDX-License-Identifier: BSD-2-Clause
// Indices that wrap, of queues that a device works on. Ours are made to start where they wrap
// together with the device's.
#include <endian.h>

#include <algorithm>

#include "tests/runtime/control/faults.h"

namespace
{

constexpr uint32_t REQUESTS = 70000;
constexpr uint32_t BATCH = 128;

class Wraps : public Faulty {
protected:
	segue_qp *open_deep(segue_srq *srq = nullptr)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.max_send_wr = 2 * BATCH;
		options.srq = srq;
		options.max_recv_wr = srq ? 0 : 2 * BATCH;
		options.max_recv_sge = srq ? 0 : 1;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	// A batch of empty messages: nothing in them, so nothing lands.
	static void send_batch(segue_rc_sq *sq, uint64_t first)
	{
		for (uint64_t i = 0; i < BATCH; i++)
			ASSERT_OK(segue_commit(segue_send_imm(sq, first + i,
							      i == BATCH - 1 ? SEGUE_SIGNALED : 0,
							      (uint32_t)(first + i))));
		segue_ring_doorbell(sq);
	}

	// The receives of a batch, and its one send: what was posted first came first.
	void expect_batch(uint64_t first)
	{
		uint64_t receives = first;

		for (const segue_wc &wc : take(BATCH + 1)) {
			ASSERT_EQ(0, wc.syndrome) << "message " << first;
			if (wc.opcode == SEGUE_CQE_OPCODE_REQ) {
				ASSERT_EQ(first + BATCH - 1, wc.wr_id);
				continue;
			}
			ASSERT_EQ(receives, wc.wr_id);
			ASSERT_EQ(receives, wc.imm);
			receives++;
		}
		ASSERT_EQ(first + BATCH, receives);
	}

	// All messages, a batch at a time. `receive` posts one receive, without a doorbell.
	template <class Queue, class Receive>
	void carry(segue_qp *from, Queue *queue, Receive receive)
	{
		segue_rc_sq *sq = segue_qp_rc_sq(from);

		ASSERT_NO_FATAL_FAILURE(start_late(&sq->sq));
		ASSERT_NO_FATAL_FAILURE(start_late(&queue->ring));
		for (uint64_t done = 0; done < REQUESTS; done += BATCH) {
			for (uint64_t i = 0; i < BATCH; i++)
				ASSERT_OK(receive(done + i));
			segue_ring_doorbell(queue);
			ASSERT_NO_FATAL_FAILURE(send_batch(sq, done));
			ASSERT_NO_FATAL_FAILURE(expect_batch(done));
		}
		EXPECT_LT(queue->ring.pi, LATE);
		EXPECT_LT(sq->sq.pi, LATE);
		EXPECT_LT(65536u, seguei_cq_ci(cq));
	}
};

TEST_F(Wraps, SendQueue)
{
	segue_qp *a = open_deep(), *b = open_deep();

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	segue_rc_sq *sq = segue_qp_rc_sq(a);

	ASSERT_NO_FATAL_FAILURE(start_late(&sq->sq));
	for (uint64_t done = 0; done < REQUESTS; done += BATCH) {
		for (uint64_t i = 0; i < BATCH; i++)
			ASSERT_OK(segue_commit(
				segue_nop(sq, done + i, i % 4 == 3 ? SEGUE_SIGNALED : 0)));
		segue_ring_doorbell(sq);
		const std::vector<segue_wc> got = take(BATCH / 4);

		for (size_t i = 0; i < got.size(); i++) {
			ASSERT_EQ(0, got[i].syndrome) << "request " << done;
			ASSERT_EQ(done + 4 * i + 3, got[i].wr_id);
		}
		ASSERT_EQ(sq->sq.pi, seguei_sq_ci(&sq->sq));
	}
	EXPECT_LT(sq->sq.pi, LATE);
	EXPECT_LT(2u * 2048, seguei_cq_ci(cq)); // the completion queue went round, too
}

TEST_F(Wraps, ReceiveQueue)
{
	segue_qp *a = open_deep(), *b = open_deep();
	segue_rq *rq = segue_qp_rq(b);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	carry(a, rq, [rq](uint64_t wr_id) {
		return segue_commit(segue_sge(segue_recv(rq, wr_id), 0x1000, 64, 1));
	});
}

// The device counts what is posted to a shared queue with 16 bits, too; its entries it finds by
// their links.
TEST_F(Wraps, SharedReceiveQueue)
{
	segue_srq *srq = open_srq(2 * BATCH);
	segue_qp *a = open_deep(), *b = open_deep(srq);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	carry(a, srq, [srq](uint64_t wr_id) {
		return segue_commit(segue_sge(segue_recv(srq, wr_id), 0x1000, 64, 1));
	});
}

// The consumer counter: 24 bits of it go to the device, 32 are kept.
TEST_F(Wraps, CompletionQueue)
{
	for (const uint32_t entries : {4u, 64u, 256u}) {
		SCOPED_TRACE(entries);
		segue_cq *mine = cq, *wrapping = open_cq(entries - 1, true);
		const uint32_t laps = 2 * wrapping->ring.cqe_cnt;

		cq = wrapping;
		segue_qp *a = open_deep(), *b = open_deep();

		ASSERT_NO_FATAL_FAILURE(connect(a, b));
		INJECT("at 0s cq-wrap cq=" + hex(wrapping->cqn));
		seguei_cq_set_ring(wrapping, wrapping->ring.buf, wrapping->ring.cqe_cnt, 0u - laps);
		ASSERT_EQ(htobe32((0u - laps) & 0xffffff), wrapping->dbrec[0])
			<< "the device does not count from there";
		for (uint64_t done = 0; done < 4 * laps;) {
			const uint64_t batch = std::min<uint64_t>(1 + done % 7,
								  wrapping->ring.cqe_cnt);

			for (uint64_t i = 0; i < batch; i++)
				ASSERT_OK(segue_commit(
					segue_nop(segue_qp_rc_sq(a), done + i, SEGUE_SIGNALED)));
			segue_ring_doorbell(segue_qp_rc_sq(a));
			for (const segue_wc &wc : take(batch)) {
				ASSERT_EQ(0, wc.syndrome);
				ASSERT_EQ(done++, wc.wr_id);
			}
			ASSERT_EQ(htobe32(seguei_cq_ci(wrapping) & 0xffffff), wrapping->dbrec[0]);
		}
		EXPECT_LE(2 * laps, seguei_cq_ci(wrapping));
		EXPECT_GT(4 * laps, seguei_cq_ci(wrapping));
		cq = mine;
	}
	ASSERT_NO_FATAL_FAILURE(take_events());
	EXPECT_EQ(0u, count_events(IBV_EVENT_CQ_ERR));
}

// Events are asked for with the consumer counter as well.
TEST_F(Wraps, EventsOfACompletionQueue)
{
	segue_comp_channel *channel;
	segue_cq_options options = {};
	segue_cq *mine = cq, *told;

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	options.entries = 7;
	options.overcommit = true;
	options.channel = channel;
	ASSERT_OK(segue_cq_open(device, &options, &cq));
	segue_qp *a = open_deep(), *b = open_deep();

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	INJECT("at 0s cq-wrap cq=" + hex(cq->cqn));
	seguei_cq_set_ring(cq, cq->ring.buf, cq->ring.cqe_cnt, 0u - 2 * cq->ring.cqe_cnt);
	for (uint64_t i = 0; i < 6 * cq->ring.cqe_cnt; i++) {
		ASSERT_OK(segue_cq_arm(cq, SEGUE_CQ_ARM_CMD_ANY));
		ASSERT_OK(segue_post(segue_nop(segue_qp_rc_sq(a), i, SEGUE_SIGNALED)));
		ASSERT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(PATIENCE_MS),
						     &told))
			<< segue_errmsg();
		EXPECT_EQ(cq, told);
		EXPECT_EQ(i, take(1)[0].wr_id);
	}
	EXPECT_GT(6 * cq->ring.cqe_cnt, seguei_cq_ci(cq));
	cq = mine;
}

} // namespace
