// SPDX-License-Identifier: BSD-2-Clause
// Asynchronous events: each told once, about the right object and port, and acknowledged; and what
// is done about them.
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runtime/control/faults.h"

class Events : public Faulty {
protected:
  // One event of the type has come, about nothing but what is named, and no second one follows.
  void expect_one(int type, segue_qp *qp, segue_cq *about_cq, segue_srq *srq, uint8_t port)
  {
	  ASSERT_NO_FATAL_FAILURE(wait_for_event(type));
	  ASSERT_NO_FATAL_FAILURE(take_events());
	  ASSERT_EQ(1u, count_events(type));
	  const Event event = event_of(type);

	  EXPECT_EQ(qp, event.qp);
	  EXPECT_EQ(about_cq, event.cq);
	  EXPECT_EQ(srq, event.srq);
	  EXPECT_EQ(port, event.port);
	  EXPECT_HAS(event.text, segue_device_name(device));
	  EXPECT_HAS(event.text, "Next: ");
	  EXPECT_EQ(std::string::npos, event.text.find("does not know")) << event.text;
	  last = event;
	  events.clear();
	}

	Event last; // of expect_one()

	// A process whose device dies.
	void die()
	{
		const Pair p = pair();
		std::vector<segue_wc> got;
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *another;

		ASSERT_NO_FATAL_FAILURE(connect_patiently(p));
		INJECT("drop 100%");
		for (uint64_t i = 0; i < 3; i++)
			ASSERT_OK(write(p.a, i, i == 1 ? SEGUE_SIGNALED : 0));
		INJECT("at 0s device-fatal");
		ASSERT_NO_FATAL_FAILURE(
			expect_one(IBV_EVENT_DEVICE_FATAL, nullptr, nullptr, nullptr, 0));
		EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.a));
		EXPECT_EQ(-EIO, segue_qp_open(pd, &options, &another));
		EXPECT_SAYS("No RC queue pair");
		(void)segue_qp_reset(p.a, keep, &got);
		ASSERT_EQ(3u, got.size());
		for (uint64_t i = 0; i < 3; i++) {
			EXPECT_EQ(i, got[i].wr_id);
			EXPECT_NE(0, got[i].syndrome);
		}
		EXPECT_TRUE(segue_qp_is_idle(p.a));
	}

	std::string at_once(const std::string &event, const std::string &object)
	{
		return "at 0s " + event + " " + object;
	}
};

// Every kind that verbs know about what Segue opens.
TEST_F(Events, EveryKindOnceAndAcknowledged)
{
	segue_srq *srq = open_srq();
	segue_qp *qp = open_with_srq(srq), *other = open(SEGUE_QP_RC);
	const std::string on_qp = "qp=" + hex(segue_qp_number(qp)),
			  on_srq = "srq=" + hex(srq->ring.qpn);
	const struct {
		const char *name;
		int type;
		bool fatal;
	} of_qps[] = {{"comm-est", IBV_EVENT_COMM_EST, false},
		      {"sq-drained", IBV_EVENT_SQ_DRAINED, false},
		      {"path-mig", IBV_EVENT_PATH_MIG, false},
		      {"path-mig-err", IBV_EVENT_PATH_MIG_ERR, false},
		      {"qp-last-wqe", IBV_EVENT_QP_LAST_WQE_REACHED, false},
		      {"qp-req-err", IBV_EVENT_QP_REQ_ERR, true},
		      {"qp-access-err", IBV_EVENT_QP_ACCESS_ERR, true},
		      {"qp-fatal", IBV_EVENT_QP_FATAL, true}},
	  of_ports[] = {{"port-error", IBV_EVENT_PORT_ERR, false},
			{"port-active", IBV_EVENT_PORT_ACTIVE, false},
			{"lid-change", IBV_EVENT_LID_CHANGE, false},
			{"pkey-change", IBV_EVENT_PKEY_CHANGE, false},
			{"sm-change", IBV_EVENT_SM_CHANGE, false},
			{"client-reregister", IBV_EVENT_CLIENT_REREGISTER, false}};
	const segue_path path = path_to(1);

	ASSERT_OK(segue_qp_modify_to(qp, SEGUE_QP_STATE_INIT, &path));
	for (const auto &kind : of_qps) {
		SCOPED_TRACE(kind.name);
		INJECT(at_once(kind.name, on_qp));
		ASSERT_NO_FATAL_FAILURE(expect_one(kind.type, qp, nullptr, nullptr, 0));
		EXPECT_EQ(kind.fatal, segue_qp_state(qp) == SEGUE_QP_STATE_ERR);
	}
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RESET, segue_qp_state(other));
	for (const auto &kind : of_ports) {
		SCOPED_TRACE(kind.name);
		INJECT(at_once(kind.name, "port=2"));
		ASSERT_NO_FATAL_FAILURE(expect_one(kind.type, nullptr, nullptr, nullptr, 2));
	}
	INJECT(at_once("srq-limit", on_srq));
	ASSERT_NO_FATAL_FAILURE(expect_one(IBV_EVENT_SRQ_LIMIT_REACHED, nullptr, nullptr, srq, 0));
	INJECT(at_once("srq-error", on_srq));
	ASSERT_NO_FATAL_FAILURE(expect_one(IBV_EVENT_SRQ_ERR, nullptr, nullptr, srq, 0));
	INJECT(at_once("cq-error", "cq=" + hex(cq->cqn)));
	ASSERT_NO_FATAL_FAILURE(expect_one(IBV_EVENT_CQ_ERR, nullptr, cq, nullptr, 0));
	/* What was not acknowledged would be waited for here. */
	ASSERT_OK(segue_qp_close(qp));
	ASSERT_OK(segue_srq_close(srq));
}

// Of what the program opened beside Segue: told as well, though not which, and acknowledged.
TEST_F(Events, WorkQueueFails)
{
	ibv_wq_init_attr attr = {};

	attr.wq_type = IBV_WQT_RQ;
	attr.max_wr = 4;
	attr.max_sge = 1;
	attr.pd = segue_pd_ibv(pd);
	attr.cq = segue_cq_ibv(cq);
	ibv_wq *wq = ibv_create_wq(segue_device_ibv(device), &attr);

	ASSERT_NE(nullptr, wq) << strerror(errno);
	INJECT(at_once("wq-fatal", "qp=" + hex(wq->wq_num)));
	ASSERT_NO_FATAL_FAILURE(expect_one(IBV_EVENT_WQ_FATAL, nullptr, nullptr, nullptr, 0));
	EXPECT_TRUE(last.fatal);
	EXPECT_HAS(last.text, "a work queue failed");
	/* The only way in which such a queue fails. */
	INJECT(at_once("qp-fatal", "qp=" + hex(wq->wq_num)));
	ASSERT_NO_FATAL_FAILURE(expect_one(IBV_EVENT_WQ_FATAL, nullptr, nullptr, nullptr, 0));
	/* A queue pair knows no such event. */
	INJECT(at_once("wq-fatal", "qp=" + hex(segue_qp_number(open(SEGUE_QP_RC)))));
	take_events();
	EXPECT_EQ(0u, events.size());
	EXPECT_EQ(0, ibv_destroy_wq(wq));
}

// Events that nobody reads do not keep an object from being closed, and those of a closed one are
// not told.
TEST_F(Events, UnreadEventsGoWithTheirObject)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	for (int i = 0; i < 10; i++)
		INJECT("at 0s comm-est qp=" + hex(segue_qp_number(qp)));
	ASSERT_OK(segue_qp_close(qp));
	take_events();
	EXPECT_EQ(0u, events.size());
}

// A program that uses port 1 is not told of port 2.
TEST_F(Events, FilteredByPort)
{
	std::vector<Event> first, second;

	EXPECT_EQ(-EINVAL, segue_device_set_event_handler(device, 9, note_event, &first));
	EXPECT_SAYS("has no port 9");
	ASSERT_OK(segue_device_set_event_handler(device, 1, note_event, &first));
	ASSERT_OK(segue_device_set_event_handler(device, 2, note_event, &second));
	INJECT("at 0s port-down port=2");
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_PORT_ERR));
	EXPECT_EQ(0u, first.size());
	ASSERT_EQ(1u, second.size());
	EXPECT_HAS(second[0].text, "port 2");
	ASSERT_OK(segue_device_set_event_handler(device, 2, nullptr, nullptr));
	INJECT("at 0s port-up port=2");
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_PORT_ACTIVE));
	EXPECT_EQ(1u, second.size());
	EXPECT_EQ(2u, events.size());
}

// The descriptor for poll(2) says when there is something, and dispatch without a handler
// acknowledges all the same.
TEST_F(Events, DescriptorAndNoHandler)
{
	pollfd fd = {segue_device_event_fd(device), POLLIN, 0};
	segue_qp *qp = open(SEGUE_QP_RC);

	EXPECT_EQ(0, poll(&fd, 1, 0));
	EXPECT_EQ(0, segue_device_dispatch(device, SEGUE_NOW));
	INJECT("at 0s comm-est qp=" + hex(segue_qp_number(qp)));
	EXPECT_EQ(1, poll(&fd, 1, PATIENCE_MS));
	EXPECT_EQ(1, segue_device_dispatch(device, SEGUE_NOW));
	EXPECT_EQ(0, poll(&fd, 1, 0));
	ASSERT_OK(segue_qp_close(qp));
}

// More completions than the queue has entries, polled late: the event names the queue, its queue
// pairs are in ERR, and what was posted comes back once each.
TEST_F(Events, CompletionQueueOverrun)
{
	segue_cq *small = open_cq(3, true);
	const uint64_t count = small->ring.cqe_cnt + 8 < 15 ? small->ring.cqe_cnt + 8 : 15;
	const Pair p = pair(small);
	segue_qp *bystander = open(SEGUE_QP_RC);
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint64_t i = 0; i < count; i++)
		ASSERT_OK(write(p.a, i));
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(receive(p.a, 100 + i));
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_CQ_ERR));
	const Event event = event_of(IBV_EVENT_CQ_ERR);

	EXPECT_EQ(small, event.cq);
	EXPECT_TRUE(event.fatal);
	EXPECT_HAS(event.text, "completion queue " + hex(small->cqn));
	EXPECT_HAS(event.text, "overran");
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.a));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RESET, segue_qp_state(bystander));
	expect_state(p.a, SEGUE_QP_STATE_ERR);
	/* No completion comes for what was lost: a flush ends at its deadline, and reset gives it
	 * back. */
	EXPECT_EQ(-ETIMEDOUT, segue_qp_flush(p.a, segue_deadline_in_ms(50), keep, &got));
	ASSERT_OK(segue_qp_reset(p.a, keep, &got));
	ASSERT_EQ(count + 4, got.size());
	for (uint64_t i = 0; i < count + 4; i++)
		EXPECT_EQ(i < count ? i : 100 + i - count, got[i].wr_id);
	EXPECT_TRUE(segue_qp_is_idle(p.a));
	ASSERT_NO_FATAL_FAILURE(take_events());
	EXPECT_EQ(1u, count_events(IBV_EVENT_CQ_ERR));
	ASSERT_OK(segue_qp_close(p.a));
	ASSERT_OK(segue_cq_close(small));
}

// Down: requests fail when their retries are used up. Up again: connected anew, everything works.
TEST_F(Events, PortDownAndUp)
{
	Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect_hastily(p));
	INJECT("at 0s port-down port=1");
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_PORT_ERR));
	EXPECT_EQ(1, event_of(IBV_EVENT_PORT_ERR).port);
	segue_port_info port;

	ASSERT_OK(segue_device_query_port(device, 1, &port));
	EXPECT_FALSE(port.active);
	ASSERT_OK(write(p.a, 1));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, take(1)[0].syndrome);
	INJECT("at 0s port-up port=1");
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_PORT_ACTIVE));
	ASSERT_OK(segue_device_query_port(device, 1, &port));
	EXPECT_TRUE(port.active);
	std::vector<segue_wc> got;

	ASSERT_OK(segue_qp_reset(p.a, keep, &got));
	ASSERT_OK(segue_qp_reset(p.b, keep, &got));
	EXPECT_TRUE(got.empty());
	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write(p.a, 2));
	EXPECT_EQ(0, take(1)[0].syndrome);
	ASSERT_NO_FATAL_FAILURE(take_events());
	EXPECT_EQ(2u, events.size());
}

// The GID moves to another place of the table: it is read again, never remembered.
TEST_F(Events, GidMoves)
{
	segue_gid_info before, after;

	ASSERT_OK(segue_device_find_gid(device, 1, nullptr, &before));
	INJECT("at 0s gid-change port=1");
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_GID_CHANGE));
	EXPECT_EQ(1, event_of(IBV_EVENT_GID_CHANGE).port);
	EXPECT_HAS(event_of(IBV_EVENT_GID_CHANGE).text, "pick the GID again");
	ASSERT_OK(segue_device_find_gid(device, 1, nullptr, &after));
	segue_port_info port;

	ASSERT_OK(segue_device_query_port(device, 1, &port));
	if (port.link == SEGUE_LINK_ROCE) {
		EXPECT_NE(before.index, after.index);
		EXPECT_EQ(-ENOENT, segue_device_query_gid(device, 1, before.index, &before));
		EXPECT_SAYS("is empty");
		EXPECT_EQ(after.index, path_to(1).way.roce.route.sgid_index);
	} else {
		EXPECT_NE(0, memcmp(&before.gid, &after.gid, sizeof(before.gid)));
	}
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write(p.a, 1));
	EXPECT_EQ(0, take(1)[0].syndrome);
	INJECT("at 0s gid-change port=1"); /* and back, on InfiniBand */
}

// One event per arming, when the receives left fall below the limit.
TEST_F(Events, SharedQueueLimitOnce)
{
	segue_srq *srq = open_srq(8);
	segue_qp *a = open(SEGUE_QP_RC), *b = open_with_srq(srq);
	const uint32_t full = 8;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (int round = 1; round <= 2; round++) {
		while (segue_post(segue_sge(segue_recv(srq, 1), landing.addr, 1024,
					    landing.key.lkey)) == 0)
			;
		EXPECT_SAYS("posted");
		ASSERT_OK(segue_srq_arm_limit(srq, 4));
		ASSERT_NO_FATAL_FAILURE(take_events());
		EXPECT_EQ((size_t)round - 1, count_events(IBV_EVENT_SRQ_LIMIT_REACHED));
		for (uint32_t i = 0; i < full - 2; i++) {
			ASSERT_OK(send(a, 2));
			for (const segue_wc &wc : take(2))
				EXPECT_EQ(0, wc.syndrome);
		}
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		while (count_events(IBV_EVENT_SRQ_LIMIT_REACHED) < (size_t)round &&
		       segue_deadline_left_ms(deadline))
			ASSERT_NO_FATAL_FAILURE(take_events());
		ASSERT_NO_FATAL_FAILURE(take_events());
		EXPECT_EQ((size_t)round, count_events(IBV_EVENT_SRQ_LIMIT_REACHED));
		EXPECT_EQ(srq, event_of(IBV_EVENT_SRQ_LIMIT_REACHED).srq);
	}
}

// An empty shared queue stops nobody for good: senders wait, and go on when there are receives,
// round after round.
TEST_F(Events, SharedQueueStarved)
{
	segue_srq *srq = open_srq(4);
	segue_qp *a = open(SEGUE_QP_RC), *b = open_with_srq(srq);
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (uint64_t round = 0; round < 20; round++) {
		for (uint64_t i = 0; i < 8; i++)
			ASSERT_OK(send(a, i));
		for (int half = 0; half < 2; half++) {
			for (uint64_t i = 0; i < 4; i++)
				ASSERT_OK(
					segue_post(segue_sge(segue_recv(srq, 100 + i), landing.addr,
							     64, landing.key.lkey)));
			for (const segue_wc &wc : take(8))
				EXPECT_EQ(0, wc.syndrome) << explain(wc);
		}
		EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
	}
}

// The device dies: told once, posts are flushed or refused, every request comes back, and closing
// does not wait for anything. In a process of its own, as the emulated device stays dead.
TEST_F(Events, DeviceFatal)
{
	const pid_t child = fork();

	if (child) {
		int status = -1;

		ASSERT_EQ(child, waitpid(child, &status, 0));
		ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
		return;
	}
	SetUp();
	die();
	TearDown();
	_exit(HasFailure());
}

// Unplugged: every command says EIO, destroying too. Everything is closed all the same.
TEST_F(Events, DestroyOfAGoneDevice)
{
	segue_comp_channel *channel;
	segue_mw *mw;

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	ASSERT_OK(segue_mw_open(pd, SEGUE_MW_TYPE_2, &mw));
	pair();
	open_with_srq(open_srq());
	for (const char *command : {"destroy_qp", "destroy_cq", "destroy_srq", "dereg_mr",
				    "dealloc_pd", "dealloc_mw", "destroy_ah", "modify_qp"})
		INJECT(std::string("command ") + command + " EIO");
	ASSERT_OK(segue_device_close(device));
	INJECT("clear");
	ASSERT_OK(segue_device_open(nullptr, &device));
}

// What events say reaches the queues through their own thread: whoever dispatches events writes
// nothing that posts and polls read.
TEST_F(Events, QueuesStayTheirThreads)
{
	const Pair p = pair();
	std::vector<segue_wc> got;
	segue_sq before, after;

	ASSERT_NO_FATAL_FAILURE(connect_patiently(p));
	ASSERT_OK(write(p.a, 1));
	take(1);
	const segue_sq *sq = reinterpret_cast<segue_sq *>(segue_qp_rc_sq(p.a));

	// the peer has no such key
	ASSERT_OK(write_to(p.a, 2, remote.addr, remote.key.rkey + 0x100));
	const segue_wc failed = take(1)[0];

	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, failed.syndrome) << explain(failed);
	const_cast<segue_sq *>(sq)->limit--; // as it is for a moment while another thread retires
	memcpy(&before, sq, sizeof(before));
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_ACCESS_ERR));
	INJECT(at_once("qp-fatal", "qp=" + hex(segue_qp_number(p.a))));
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_FATAL));
	memcpy(&after, sq, sizeof(after));
	EXPECT_EQ(0, memcmp(&before, &after, sizeof(before)));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.a));
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.b));
	const_cast<segue_sq *>(sq)->limit++;
	ASSERT_OK(segue_qp_flush(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
}
