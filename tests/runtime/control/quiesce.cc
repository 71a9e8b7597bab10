// SPDX-License-Identifier: BSD-2-Clause
// One queue pair comes to rest while seven others on its completion queue go on at full speed.
#include <unistd.h>

#include "tests/runtime/control/faults.h"

extern "C" {
#include "runtime/ring/cq/geometry.h"
}

namespace {

constexpr uint64_t OTHERS = 7;
constexpr uint64_t WINDOW = 16;

// What is known of one of the others: its requests come back once, in order, and each is followed
// by the next.
struct Runner {
	segue_qp *qp;
	uint64_t posted, done;
};

} // namespace

class Stopping : public Faulty {
protected:
	void SetUp() override
	{
		Faulty::SetUp();
		alarm(120); // waiting without an end is what is looked for
		crowd = open_cq(1024);
		victim = open_connected();
		for (Runner &runner : runners) {
			runner = {open_connected(), 0, 0};
			while (runner.posted < WINDOW)
				again(runner);
		}
	}

	void TearDown() override
	{
		running = false;
		for (Runner &runner : runners) {
			EXPECT_OK(segue_qp_drain(runner.qp, segue_deadline_in_ms(PATIENCE_MS),
						 take_one, this));
			EXPECT_EQ(runner.posted, runner.done);
		}
		alarm(0);
		Faulty::TearDown();
	}

	// To itself, so that one queue pair is all it takes. It waits for ever for a receive that
	// is not posted.
	segue_qp *open_connected()
	{
		segue_cq *mine = cq;
		segue_qp *qp;

		cq = crowd;
		segue_qp_options options = options_for(SEGUE_QP_RC);
		options.max_send_wr = 64;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		cq = mine;
		connect_to_itself(qp);
		return qp;
	}

	void connect_to_itself(segue_qp *qp)
	{
		segue_path path = path_to(segue_qp_number(qp));

		next_psn = (next_psn + 0x12345) & 0xffffff;
		path.sq_psn = path.rq_psn = next_psn;
		path.timeout = 20;
		EXPECT_OK(segue_qp_connect(qp, &path));
	}

	void again(Runner &runner)
	{
		EXPECT_OK(write(runner.qp, runner.posted++));
	}

	static void take_one(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<Stopping *>(arg)->take_that(wc);
	}

	// The handler costs more than the device needs for the next request: the completion queue
	// is never empty.
	void take_that(const segue_wc *wc)
	{
		const uint64_t until = now_us() + 2000000;

		if (wc->qpn == segue_qp_number(victim))
			back.push_back(*wc);
		for (Runner &runner : runners) {
			if (wc->qpn != segue_qp_number(runner.qp))
				continue;
			ASSERT_EQ(0, wc->syndrome) << explain(*wc);
			ASSERT_EQ(runner.done, wc->wr_id);
			runner.done++;
			others++;
			if (running)
				again(runner);
		}
		if (running)
			wait_for_more(behind(wc), until);
	}

	// The counter of the entry behind this one; of the next one if this one has none, because
	// the library made it. How far a poll has come, the queue knows only when the poll is over.
	uint32_t behind(const segue_wc *wc)
	{
		for (uint32_t i = 0; i < crowd->ring.cqe_cnt; i++)
			if (seguei_cq_ring_entry(&crowd->ring, at + i) == wc->cqe) {
				at += i;
				return at + 1;
			}
		return seguei_cq_ci(crowd);
	}

	void wait_for_more(uint32_t counter, uint64_t until)
	{
		while (!seguei_cq_ring_is_new(&crowd->ring, counter) && now_us() < until)
			;
	}

	// Sends that no receive answers, unsignaled ones among them.
	void post_what_stays()
	{
		const uint32_t flags[] = {SEGUE_SIGNALED, 0, 0, 0};

		for (uint64_t i = 0; i < 4; i++)
			ASSERT_OK(segue_post(
				segue_sge(segue_send(segue_qp_rc_sq(victim), i, flags[i]),
					  local.addr, 64, local.key.lkey)));
	}

	// Everything posted came back, once, sends in order.
	void expect_back(uint64_t sends)
	{
		ASSERT_EQ(sends, back.size());
		for (uint64_t i = 0; i < sends; i++) {
			EXPECT_EQ(i, back[i].wr_id);
			EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, back[i].syndrome);
		}
		back.clear();
	}

	segue_cq *crowd = nullptr;
	segue_qp *victim = nullptr;
	Runner runners[OTHERS];
	std::vector<segue_wc> back;
	uint64_t others = 0;
	uint32_t at = 0; // counter of the entry handed out last
	bool running = true;
};

TEST_F(Stopping, DrainEndsWithItsSends)
{
	for (int round = 0; round < 20; round++) {
		for (uint64_t i = 0; i < 10; i++)
			ASSERT_OK(write(victim, i, 0));
		ASSERT_OK(
			segue_qp_drain(victim, segue_deadline_in_ms(PATIENCE_MS), take_one, this));
		EXPECT_TRUE(segue_qp_is_idle(victim));
		EXPECT_TRUE(back.empty());
	}
	EXPECT_LT(0u, others);
}

TEST_F(Stopping, DrainEndsAtItsDeadline)
{
	post_what_stays();
	const uint64_t start = now_us();

	EXPECT_EQ(-ETIMEDOUT, segue_qp_drain(victim, segue_deadline_in_ms(50), take_one, this));
	EXPECT_LE(50000u, now_us() - start);
	EXPECT_SAYS("in flight at the deadline");
	EXPECT_TRUE(back.empty());
	ASSERT_OK(segue_qp_flush(victim, segue_deadline_in_ms(PATIENCE_MS), take_one, this));
	expect_back(4);
}

TEST_F(Stopping, ResetEndsAndItWorksAgain)
{
	for (int round = 0; round < 5; round++) {
		post_what_stays();
		ASSERT_OK(segue_qp_reset(victim, take_one, this));
		expect_back(4);
		connect_to_itself(victim);
		ASSERT_OK(write(victim, 77));
		ASSERT_OK(
			segue_qp_drain(victim, segue_deadline_in_ms(PATIENCE_MS), take_one, this));
		ASSERT_EQ(1u, back.size());
		EXPECT_EQ(77u, back[0].wr_id);
		EXPECT_EQ(0, back[0].syndrome) << explain(back[0]);
		back.clear();
	}
}

// Step by step, between the polls of a program that has other things to do: a step hands out
// nothing of the others.
TEST_F(Stopping, StepsBetweenPolls)
{
	while (!others)
		// from here on it is never empty
		ASSERT_LE(0, segue_cq_poll_each(crowd, 1, take_one, this)) << segue_errmsg();
	const segue_qp_stop ways[] = {SEGUE_QP_STOP_DRAIN, SEGUE_QP_STOP_PAUSE, SEGUE_QP_STOP_FLUSH,
				      SEGUE_QP_STOP_RESET};

	for (const segue_qp_stop way : ways) {
		const bool waits = way == SEGUE_QP_STOP_DRAIN || way == SEGUE_QP_STOP_PAUSE;
		bool there = false, alone = false;

		if (waits) {
			for (uint64_t i = 0; i < 4; i++)
				ASSERT_OK(write(victim, i, 0));
		} else {
			post_what_stays();
		}
		const uint64_t before = others;
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		ASSERT_OK(segue_qp_stop_begin(victim, way));
		for (int step = 0; !there && segue_deadline_left_ms(deadline) > 0; step++) {
			const uint64_t polled_before = others + back.size();

			ASSERT_LE(0, segue_cq_poll_each(crowd, 16, take_one, this))
				<< segue_errmsg();
			const uint64_t polled = others;

			// Each poll finds something, and those of others do not end: they stop for
			// no longer than that. Only the completion by which the library sees the
			// end may stand alone; it is handed to nobody, so nobody waits behind it.
			if (polled + back.size() == polled_before) {
				ASSERT_FALSE(alone) << "way " << way << ", step " << step;
				alone = true;
				wait_for_more(seguei_cq_ci(crowd), now_us() + 2000000);
			}
			ASSERT_OK(segue_qp_stop_progress(victim, take_one, this, &there));
			ASSERT_EQ(polled, others);
		}
		ASSERT_TRUE(there) << way;
		EXPECT_LT(before, others);
		if (way == SEGUE_QP_STOP_PAUSE) {
			ASSERT_OK(segue_qp_resume(victim));
		}
		ASSERT_OK(segue_qp_stop_progress(victim, take_one, this, &there));
		EXPECT_TRUE(there) << "nothing is under way";
		if (waits) {
			ASSERT_OK(segue_qp_drain(victim, deadline, take_one, this));
			EXPECT_TRUE(back.empty());
			continue;
		}
		expect_back(4);
		EXPECT_TRUE(segue_qp_is_idle(victim));
		if (way == SEGUE_QP_STOP_FLUSH) {
			ASSERT_OK(segue_qp_reset(victim, take_one, this));
		}
		connect_to_itself(victim);
	}
	EXPECT_EQ(-EINVAL, segue_qp_stop_begin(victim, SEGUE_QP_STOP_NONE));
	EXPECT_SAYS("enum segue_qp_stop");
}
