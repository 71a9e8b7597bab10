// SPDX-License-Identifier: BSD-2-Clause
// Queue pairs for cross-channel operations, whose life goes through the kernel's own commands: they
// are queue pairs like others, and let each other go.
#include <algorithm>

#include "tests/runtime/control/faults.h"

namespace
{

class Cross : public Faulty {
protected:
	segue_qp_options cross(segue_qp_type type, bool managed)
	{
		segue_qp_options options = options_for(type);

		options.cross_channel = !managed;
		options.managed_send = managed;
		return options;
	}

	segue_qp *make(const segue_qp_options &options)
	{
		segue_qp *qp = nullptr;

		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}

	// One that lets others go, a managed queue, and an end for each.
	void make_all()
	{
		master = {make(cross(SEGUE_QP_RC, false)), open(SEGUE_QP_RC)};
		managed = {make(cross(SEGUE_QP_RC, true)), open(SEGUE_QP_RC)};
		ASSERT_NO_FATAL_FAILURE(connect(master.a, master.b));
		ASSERT_NO_FATAL_FAILURE(connect(managed.a, managed.b));
	}

	int let_go(uint64_t wr_id)
	{
		return segue_post(segue_send_en_index(
			segue_send_en(segue_qp_rc_sq(master.a), wr_id, SEGUE_SIGNALED),
			segue_qp_send_index(managed.a), segue_qp_number(managed.a)));
	}

	void refused(const segue_qp_options &options, const char *words)
	{
		segue_qp *qp = nullptr;

		EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp)) << words;
		EXPECT_SAYS(words);
	}

	// All of them, in any order.
	void expect_ids(std::vector<segue_wc> got, std::vector<uint64_t> want, bool flushed = false)
	{
		std::vector<uint64_t> ids;

		for (const segue_wc &wc : got) {
			EXPECT_EQ(flushed ? SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0, wc.syndrome)
				<< explain(wc);
			ids.push_back(wc.wr_id);
		}
		std::sort(ids.begin(), ids.end());
		EXPECT_EQ(want, ids);
	}

	Pair master, managed;
};

TEST_F(Cross, WorksAsOthersDo)
{
	const Pair p = {make(cross(SEGUE_QP_RC, false)), make(cross(SEGUE_QP_RC, false))};
	segue_qp_info info;

	EXPECT_EQ(nullptr, segue_qp_ibv(p.a));
	for (int life = 0; life < 3; life++) {
		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		ASSERT_OK(segue_qp_query(p.a, &info));
		EXPECT_EQ(SEGUE_QP_STATE_RTS, info.state);
		memset(to, 0, sizeof(to));
		ASSERT_OK(receive(p.b, 1));
		ASSERT_OK(receive(p.a, 2));
		ASSERT_OK(send(p.a, 3));
		ASSERT_OK(write(p.b, 4));
		expect_ids(take(3), {1, 3, 4});
		EXPECT_EQ(0, memcmp(from, to, 64));
		EXPECT_EQ(1u, segue_qp_send_index(p.a));
		std::vector<segue_wc> got;

		ASSERT_OK(segue_qp_flush(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		expect_ids(got, {2}, true);
		ASSERT_OK(segue_qp_query(p.a, &info));
		EXPECT_EQ(SEGUE_QP_STATE_ERR, info.state);
		for (segue_qp *qp : {p.a, p.b})
			ASSERT_OK(segue_qp_reset(qp, keep, &got));
		EXPECT_EQ(0u, segue_qp_send_index(p.a));
	}
}

TEST_F(Cross, GivesBackWhatWasNotLetGo)
{
	std::vector<segue_wc> got;
	bool stopped = false;

	ASSERT_NO_FATAL_FAILURE(make_all());
	ASSERT_OK(write(managed.a, 1));
	ASSERT_OK(write(managed.a, 2, 0));
	const uint16_t behind = segue_qp_send_index(managed.a);

	ASSERT_OK(
		segue_qp_drain_or_flush(managed.a, segue_deadline_in_ms(20), keep, &got, &stopped));
	EXPECT_TRUE(stopped);
	expect_ids(got, {1, 2}, true);
	EXPECT_EQ(2u, behind);
	EXPECT_EQ(0, to[0]);
}

// Nothing of the library's own gets in between, as who lets it go has counted without it.
TEST_F(Cross, AddsNothingToAManagedQueue)
{
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(make_all());
	ASSERT_OK(write(managed.a, 1, 0));
	EXPECT_EQ(-ETIMEDOUT, segue_qp_drain(managed.a, segue_deadline_in_ms(10), keep, &got));
	EXPECT_EQ(1u, segue_qp_send_index(managed.a));
	ASSERT_OK(write(managed.a, 2));
	ASSERT_OK(let_go(3));
	expect_ids(take(2), {2, 3});
	ASSERT_OK(segue_qp_drain(managed.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	EXPECT_TRUE(got.empty());
}

// More blocks than a managed queue's index can tell apart.
TEST_F(Cross, GoesOnWhereTheIndexWraps)
{
	constexpr uint32_t AT_ONCE = 15, ALL = 66000;

	ASSERT_NO_FATAL_FAILURE(make_all());
	for (uint32_t done = 0; done < ALL; done += AT_ONCE) {
		for (uint32_t i = 1; i <= AT_ONCE; i++)
			ASSERT_OK(segue_post(segue_nop(segue_qp_rc_sq(managed.a), i,
						       i == AT_ONCE ? SEGUE_SIGNALED : 0)));
		ASSERT_OK(let_go(99));
		expect_ids(take(2), {AT_ONCE, 99});
		ASSERT_FALSE(HasFailure()) << "behind " << done << " requests";
	}
	EXPECT_GT(AT_ONCE * 100, segue_qp_send_index(managed.a));
	memset(to, 0, sizeof(to));
	ASSERT_OK(write(managed.a, 1));
	ASSERT_OK(let_go(2));
	expect_ids(take(2), {1, 2});
	EXPECT_EQ(0, memcmp(from, to, 64));
}

TEST_F(Cross, HearsOfItsEvents)
{
	ASSERT_NO_FATAL_FAILURE(make_all());
	INJECT("at 0s qp-access-err qp=" + hex(segue_qp_number(managed.a)));
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_ACCESS_ERR));
	EXPECT_EQ(managed.a, event_of(IBV_EVENT_QP_ACCESS_ERR).qp);
	EXPECT_OK(segue_qp_close(managed.a));
}

TEST_F(Cross, LiesWhereItWasAskedTo)
{
	segue_place_info place;

	ASSERT_OK(segue_device_query_place(device, &place));
	segue_qp_options options = cross(SEGUE_QP_RC, true);

	options.near_device = true;
	segue_qp *qp = nullptr;

	if (segue_qp_open(pd, &options, &qp)) {
		EXPECT_SAYS("NUMA node");
		return;
	}
	EXPECT_OK(segue_qp_close(qp));
}

TEST_F(Cross, RefusesWhatOnlyLibmlx5Has)
{
	segue_qp_options options = cross(SEGUE_QP_RC, false);

	options.scatter_to_cqe = true;
	refused(options, "together with scatter_to_cqe");
	options = cross(SEGUE_QP_RC, true);
	options.signature_pipelining = true;
	refused(options, "an option that libmlx5 gives to its own");
	options = cross(SEGUE_QP_RC, false);
	ASSERT_OK(segue_td_open(pd, &options.td));
	refused(options, "together with td");
	options = cross(SEGUE_QP_DCI, false);
	options.dci_log_streams = 1;
	refused(options, "together with dci_log_streams");
	options = cross(SEGUE_QP_RAW_PACKET, true);
	options.recv_cq = cq;
	refused(options, "the kernel leaves it out");
	options = options_for(SEGUE_QP_DCT);
	options.managed_send = true;
	options.recv_cq = cq;
	refused(options, "it does not send");
}

// What the device has opened is closed again, also when it is refused in the middle.
TEST_F(Cross, LeavesNothing)
{
	const unsigned before = open_objects();
	segue_qp_options options = cross(SEGUE_QP_RC, false);
	segue_qp *qp = nullptr;

	for (int i = 0; i < 3; i++) {
		qp = make(options);
		EXPECT_LT(before, open_objects());
		EXPECT_OK(segue_qp_close(qp));
	}
	options.max_send_wr = segue_device_caps(device)->max_qp_wr;
	options.max_send_sge = segue_device_caps(device)->max_sge;
	options.send_cq = options.recv_cq = open_cq(segue_device_caps(device)->max_cqe, true);
	EXPECT_GT(0, segue_qp_open(pd, &options, &qp));
	EXPECT_OK(segue_cq_close(options.send_cq));
	EXPECT_EQ(before, open_objects());
}

} // namespace
