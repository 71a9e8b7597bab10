// SPDX-License-Identifier: BSD-2-Clause
// Completion queues have room for all that can complete on them, also when an error makes
// unsignaled requests complete.
#include <unistd.h>

#include "tests/runtime/control/faults.h"

class Budget : public Faulty {
protected:
	segue_qp_options sender(segue_cq *on, uint32_t max_send_wr)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = options.recv_cq = on;
		options.max_send_wr = max_send_wr;
		options.max_recv_wr = options.max_recv_sge = 0;
		return options;
	}

	// To itself, or NULL if it is refused.
	segue_qp *connected(segue_cq *on, uint32_t max_send_wr)
	{
		const segue_qp_options options = sender(on, max_send_wr);
		segue_qp *qp = nullptr;

		if (segue_qp_open(pd, &options, &qp))
			return nullptr;
		segue_path path = path_to(segue_qp_number(qp));

		path.sq_psn = path.rq_psn = 77;
		EXPECT_OK(segue_qp_connect(qp, &path));
		return qp;
	}

	segue_cq *open_cq_with(uint32_t entries, bool grow, bool overcommit)
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = entries;
		options.grow = grow;
		options.overcommit = overcommit;
		EXPECT_OK(segue_cq_open(device, &options, &made));
		return made;
	}

	// As many unsignaled requests as there may be, the first of which fails.
	uint64_t fail_silently(segue_qp *qp)
	{
		uint64_t posted = 0;

		while (!write_to(qp, posted, remote.addr, remote.key.rkey + (posted ? 0 : 0x100),
				 0))
			posted++;
		return posted;
	}

	void expect_overruns(unsigned int overruns)
	{
		usleep(200000);
		ASSERT_NO_FATAL_FAILURE(take_events());
		EXPECT_EQ(overruns, count_events(IBV_EVENT_CQ_ERR));
	}

	// Every one of them completes, in order, with an error.
	void expect_all_back(segue_qp *qp, uint64_t posted)
	{
		std::vector<segue_wc> got;

		expect_state(qp, SEGUE_QP_STATE_ERR);
		ASSERT_NO_FATAL_FAILURE(expect_overruns(0));
		ASSERT_OK(segue_qp_flush(qp, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		ASSERT_EQ(posted, got.size());
		for (uint64_t i = 0; i < posted; i++) {
			EXPECT_EQ(i, got[i].wr_id);
			EXPECT_NE(0, got[i].syndrome);
		}
	}

	static constexpr uint64_t kAll = 4000;

	struct Again {
		Budget *test;
		segue_qp *qp;
		uint64_t posted, done;
	};

	// A handler that posts one more for each.
	static void again(const segue_wc *wc, void *arg) noexcept
	{
		Again *a = static_cast<Again *>(arg);

		ASSERT_EQ(0, wc->syndrome) << explain(*wc);
		ASSERT_EQ(a->done++, wc->wr_id);
		if (a->posted < kAll) {
			ASSERT_OK(a->test->write(a->qp, a->posted++));
		}
	}

	// Some entries are left over beyond those that are reserved: else a poll would tell the
	// device of each that it takes.
	static void expect_room(const segue_cq *of)
	{
		EXPECT_LE(segue_cq_reserved(of) / 4, of->stretch);
	}
};

// A queue pair is refused if its unsignaled requests would overrun the queue once one fails, and
// the sentence has the number of entries that it needs.
TEST_F(Budget, TooFewEntriesAreRefused)
{
	segue_cq *small = open_cq(7), *ample;

	ASSERT_EQ(nullptr, connected(small, 64));
	EXPECT_SAYS("needs 128 entries");
	EXPECT_SAYS("7 of 7 are free");
	EXPECT_SAYS("open it with at least 128 entries");
	EXPECT_EQ(0u, segue_cq_reserved(small));
	ample = open_cq(128);
	segue_qp *qp = connected(ample, 64);

	ASSERT_NE(nullptr, qp) << segue_errmsg();
	EXPECT_EQ(128u, segue_cq_reserved(ample));
	expect_room(ample);
	ASSERT_NO_FATAL_FAILURE(expect_all_back(qp, fail_silently(qp)));
}

// Of requests that are as short as can be, a largest one stands for two; to the last entry.
TEST_F(Budget, FilledToTheLastEntry)
{
	segue_cq *tight = open_cq(255);
	segue_qp *qps[8];
	uint64_t posted[8];

	for (int i = 0; i < 8; i++)
		ASSERT_NE(nullptr, qps[i] = connected(tight, i < 7 ? 16 : 15)) << segue_errmsg();
	EXPECT_EQ(254u, segue_cq_reserved(tight));
	expect_room(tight);
	EXPECT_EQ(nullptr, connected(tight, 1));
	for (int i = 0; i < 8; i++)
		posted[i] = fail_silently(qps[i]);
	for (int i = 0; i < 8; i++) {
		std::vector<segue_wc> got;

		EXPECT_EQ(i < 7 ? 32u : 30u, posted[i]);
		expect_state(qps[i], SEGUE_QP_STATE_ERR);
	}
	ASSERT_NO_FATAL_FAILURE(expect_overruns(0));
	take(254, tight);
	for (segue_qp *qp : qps)
		EXPECT_TRUE(segue_qp_is_idle(qp));
}

// A handler that posts for each completion, in one poll of everything, does not need entries that
// the poll has not given back.
TEST_F(Budget, HandlerThatPosts)
{
	for (const uint32_t reserved : {62u, 60u, 48u}) {
		segue_cq *tight = open_cq(62);
		Again a = {this, connected(tight, reserved / 2), 0, 0};
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		ASSERT_NE(nullptr, a.qp) << segue_errmsg();
		ASSERT_EQ(reserved, segue_cq_reserved(tight));
		while (!write(a.qp, a.posted))
			a.posted++;
		EXPECT_EQ(reserved, a.posted);
		usleep(20000); // it is full before the first poll
		while (a.done < kAll && segue_deadline_left_ms(deadline) > 0)
			ASSERT_LE(0, segue_cq_poll_each(tight, 1 << 30, again, &a))
				<< segue_errmsg();
		EXPECT_EQ(kAll, a.done);
		ASSERT_NO_FATAL_FAILURE(expect_overruns(0));
	}
}

// What a queue pair had is free again when it is closed, and kept through resets.
TEST_F(Budget, ClosingGivesBack)
{
	segue_cq *small = open_cq(63);
	std::vector<segue_wc> got;

	for (int round = 0; round < 20; round++) {
		segue_qp *qp = connected(small, 31);

		ASSERT_NE(nullptr, qp) << segue_errmsg();
		EXPECT_EQ(62u, segue_cq_reserved(small));
		ASSERT_OK(segue_qp_reset(qp, keep, &got));
		EXPECT_EQ(62u, segue_cq_reserved(small));
		EXPECT_EQ(nullptr, connected(small, 31));
		ASSERT_OK(segue_qp_close(qp));
		EXPECT_EQ(0u, segue_cq_reserved(small));
	}
}

// After a reset a queue pair takes as many requests as before, and no more.
TEST_F(Budget, ResetKeepsTheLimit)
{
	segue_cq *small = open_cq(64);
	segue_qp *qp = connected(small, 16);
	std::vector<segue_wc> got;
	segue_path path = path_to(segue_qp_number(qp));

	ASSERT_OK(segue_qp_reset(qp, keep, &got));
	path.sq_psn = path.rq_psn = 99;
	ASSERT_OK(segue_qp_connect(qp, &path));
	EXPECT_EQ(32u, fail_silently(qp));
}

// Receives of a shared queue are counted once for all who take from it; those of queue pairs each.
TEST_F(Budget, Receives)
{
	segue_cq *small = open_cq(127);
	segue_srq *srq = open_srq(20);
	segue_qp_options options = sender(small, 4);
	segue_qp *a, *b, *own;

	options.srq = srq;
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	EXPECT_EQ(8u + 20, segue_cq_reserved(small));
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	EXPECT_EQ(8u + 8 + 20, segue_cq_reserved(small));
	options.srq = nullptr;
	options.max_recv_wr = 30;
	options.max_recv_sge = 1;
	ASSERT_OK(segue_qp_open(pd, &options, &own));
	EXPECT_EQ(8u + 8 + 20 + 8 + 30, segue_cq_reserved(small));
	options.max_recv_wr = 100;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &own));
	EXPECT_SAYS("8 blocks of sends, 100 receives");
	ASSERT_OK(segue_qp_close(a));
	EXPECT_EQ(8u + 20 + 8 + 30, segue_cq_reserved(small));
	ASSERT_OK(segue_qp_close(b));
	EXPECT_EQ(8u + 30, segue_cq_reserved(small));

	// Sends and receives on queues of their own: refused as a whole.
	segue_cq *other = open_cq(7);

	options.recv_cq = other;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &own));
	EXPECT_EQ(8u + 30, segue_cq_reserved(small));
	EXPECT_EQ(0u, segue_cq_reserved(other));
}

// XRC: who fills the shared queue may be unknown, so it reserves for itself.
TEST_F(Budget, XrcSharedQueue)
{
	segue_srq_options options = {};
	segue_srq *srq;

	ASSERT_OK(segue_xrcd_open(device, -1, &options.xrcd));
	options.cq = open_cq(31);
	options.max_wr = 40;
	options.max_sge = 1;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &options, &srq));
	EXPECT_SAYS("40 receives");
	options.max_wr = 25;
	ASSERT_OK(segue_srq_open(pd, &options, &srq));
	EXPECT_EQ(25u, segue_cq_reserved(options.cq));
	ASSERT_OK(segue_srq_close(srq));
	EXPECT_EQ(0u, segue_cq_reserved(options.cq));
}

// It grows while requests are in flight, and none of them is lost.
TEST_F(Budget, Grows)
{
	segue_cq *on = open_cq_with(1, true, false);
	std::vector<std::pair<segue_qp *, uint64_t>> failed;

	for (int i = 0; i < 12; i++) {
		segue_qp *qp = connected(on, 16);

		ASSERT_NE(nullptr, qp) << segue_errmsg();
		EXPECT_EQ(32u * (uint32_t)(i + 1), segue_cq_reserved(on));
		expect_room(on);
		failed.push_back({qp, fail_silently(qp)});
		EXPECT_EQ(32u, failed.back().second);
	}
	for (const auto &one : failed)
		expect_state(one.first, SEGUE_QP_STATE_ERR);
	ASSERT_NO_FATAL_FAILURE(expect_overruns(0));
	take(12 * 32, on);
	EXPECT_EQ(-EINVAL, segue_cq_resize(on, 100));
	EXPECT_SAYS("384 are reserved");
	for (const auto &one : failed)
		ASSERT_OK(segue_qp_close(one.first));
	ASSERT_OK(segue_cq_resize(on, 100));
}

// Whoever says so may have too few, and that is what it looks like then.
TEST_F(Budget, Overcommits)
{
	segue_cq *on = open_cq_with(7, false, true);
	segue_qp *qp = connected(on, 64);

	ASSERT_NE(nullptr, qp) << segue_errmsg();
	EXPECT_EQ(0u, segue_cq_reserved(on));
	fail_silently(qp);
	expect_state(qp, SEGUE_QP_STATE_ERR);
	ASSERT_NO_FATAL_FAILURE(expect_overruns(1));
}

// Adopted ones need entries for as many requests as libmlx5 would take, unless the program says
// that it wants less.
TEST_F(Budget, Adopted)
{
	ibv_context *context = segue_device_ibv(device);
	ibv_cq *verbs_cq = ibv_create_cq(context, 60, nullptr, nullptr, 0);
	ibv_qp_init_attr init = {};
	segue_qp_options options = {};
	segue_cq *adopted;
	segue_qp *qp;

	ASSERT_NE(nullptr, verbs_cq);
	init.send_cq = init.recv_cq = verbs_cq;
	init.qp_type = IBV_QPT_RC;
	init.cap.max_send_wr = 64;
	init.cap.max_recv_wr = 40;
	init.cap.max_send_sge = init.cap.max_recv_sge = 1;
	ibv_qp *verbs_qp = ibv_create_qp(segue_pd_ibv(pd), &init);

	ASSERT_NE(nullptr, verbs_qp);
	ASSERT_OK(segue_cq_adopt(device, verbs_cq, nullptr, &adopted));
	options.type = SEGUE_QP_RC;
	options.send_cq = options.recv_cq = adopted;
	EXPECT_EQ(-EINVAL, segue_qp_adopt(pd, verbs_qp, &options, &qp));
	EXPECT_SAYS("of 63 are free");
	options.max_send_wr = 20;
	options.max_recv_wr = 40;
	ASSERT_OK(segue_qp_adopt(pd, verbs_qp, &options, &qp));
	EXPECT_EQ(20u + 40, segue_cq_reserved(adopted));
	ASSERT_OK(segue_qp_close(qp));
	ASSERT_OK(segue_cq_close(adopted));
	EXPECT_EQ(0, ibv_destroy_qp(verbs_qp));
	EXPECT_EQ(0, ibv_destroy_cq(verbs_cq));
}
