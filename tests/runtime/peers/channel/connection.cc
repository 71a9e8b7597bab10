// SPDX-License-Identifier: BSD-2-Clause
// Endpoints that a program carries itself; the typed queues of peers; the calls that wait; and the
// place among other objects.
#include <dlfcn.h>

#include "segue/gen/builders.h"
#include "segue/peers/barrier.h"
#include "segue/peers/fan.h"
#include "tests/runtime/peers/channel/trio.h"

class Connect : public Trio {
protected:
	uint32_t mtu_of_one = 0; // of peer 1, if not the others'
	segue_path its_path;

	void adjust(segue_multi_channel_options *options) override
	{
		if (options->self != 1 || !mtu_of_one)
			return;
		its_path = path;
		its_path.mtu = mtu_of_one;
		options->path = &its_path;
	}

	using Endpoints = std::array<segue_endpoint, COUNT>;

	void prepare()
	{
		for (uint32_t i = 0; i < COUNT; i++)
			open_one(i, 64);
	}

	Endpoints for_peer(uint32_t self)
	{
		Endpoints endpoints = {};

		for (uint32_t i = 0; i < COUNT; i++)
			EXPECT_OK(segue_multi_channel_endpoint(multis[i], self, &endpoints[i]));
		return endpoints;
	}

	// 0 refuses them, with these words, and no channel has changed.
	void expect_refused(const Endpoints &endpoints, const char *words, uint32_t count = COUNT)
	{
		EXPECT_EQ(-EINVAL, segue_multi_channel_connect(multis[0], endpoints.data(), count));
		EXPECT_SAYS(words);
		for (uint32_t i = 0; i < COUNT; i++)
			EXPECT_EQ(SEGUE_CHANNEL_READY,
				  segue_channel_state(segue_multi_channel_at(multis[0], i)));
	}

	segue_channel *to(uint32_t peer)
	{
		return segue_multi_channel_at(multis[0], peer);
	}

	segue_local_buf local(uint32_t length)
	{
		segue_local_buf piece = {};

		EXPECT_OK(segue_mr_local_buf(mrs[0], 0, length, &piece));
		return piece;
	}

	segue_remote_buf remote(uint32_t peer, uint32_t length)
	{
		segue_remote_buf piece = {};

		EXPECT_OK(segue_mr_remote_buf(mrs[peer], 0, length, &piece));
		return piece;
	}

	void wait_for_sends(size_t count)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (sends() < count && segue_deadline_left_ms(deadline)) {
			for (uint32_t i = 0; i < COUNT; i++) {
				if (multis[i]) {
					ASSERT_LE(0, found(segue_multi_channel_poll_each(
							     multis[i], 16, note, &came[i])));
				}
			}
		}
		ASSERT_EQ(count, sends());
	}

	// Both sides begin a generation, and connect again.
	void restart(uint32_t a, uint32_t b)
	{
		segue_endpoint of_a, of_b;

		ASSERT_OK(segue_multi_channel_restart_peer(multis[a], b,
							   segue_deadline_in_ms(WAIT_MS)));
		ASSERT_OK(segue_multi_channel_restart_peer(multis[b], a,
							   segue_deadline_in_ms(WAIT_MS)));
		ASSERT_OK(segue_multi_channel_endpoint(multis[a], b, &of_a));
		ASSERT_OK(segue_multi_channel_endpoint(multis[b], a, &of_b));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[a], b, &of_b));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[b], a, &of_a));
	}
};

TEST_P(Connect, WrongEndpointsAreRefusedByName)
{
	prepare();
	Endpoints endpoints = for_peer(0), wrong = endpoints;

	expect_refused(endpoints, "2 endpoints are given for 3 peers", 2);
	std::swap(wrong[1], wrong[2]);
	expect_refused(wrong, "Endpoint of peer 1: it is that of peer 2");
	if (GetParam() == SEGUE_TRANSPORT_RC) {
		wrong = endpoints;
		wrong[2] = for_peer(1)[2];
		expect_refused(wrong, "Endpoint of peer 2: it is meant for peer 1");
	}
	wrong = endpoints;
	wrong[1] = {};
	expect_refused(wrong, "Endpoint of peer 1: it is missing");
	wrong = endpoints;
	wrong[2].type = SEGUE_QP_UC;
	expect_refused(wrong, "Endpoint of peer 2: it is of another transport");
	wrong = endpoints;
	wrong[2].qpn = 0;
	expect_refused(wrong, "Endpoint of peer 2: ");
	// The right ones are still taken, once.
	EXPECT_OK(segue_multi_channel_connect(multis[0], endpoints.data(), COUNT));
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect(multis[0], endpoints.data(), COUNT));
	EXPECT_SAYS("peer 0 is up already");
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect_peer(multis[0], 1, &endpoints[1]));
	EXPECT_SAYS("peer 1 is up");
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect_peer(multis[0], 3, &endpoints[1]));
}

// Who has not been told a side's queue key does not get a datagram into it: each draws its own,
// unless all are given one.
TEST_P(Connect, QueueKeysAreDrawn)
{
	if (GetParam() != SEGUE_TRANSPORT_UD)
		return;
	prepare();
	Endpoints endpoints = for_peer(0);
	EXPECT_NE(endpoints[0].qkey, endpoints[1].qkey);
	EXPECT_NE(endpoints[1].qkey, endpoints[2].qkey);
	for (const segue_endpoint &one : endpoints) {
		EXPECT_NE(0u, one.qkey);
		EXPECT_EQ(0u, one.qkey >> 31); // those are for privileged processes
	}
	for (uint32_t i = 0; i < COUNT; i++)
		connect(i);
	ASSERT_OK(send(1, SEGUE_SIGNALED));
	wait_for_sends(1);
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	while (came[1].empty() && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[1], 16, note, &came[1])));
	ASSERT_EQ(1u, came[1].size());
	EXPECT_EQ(0u, came[1][0].peer.index);
	for (uint32_t i = 0; i < COUNT; i++)
		kill(i);
	path.qkey = 0x1234567;
	prepare();
	EXPECT_EQ(path.qkey, for_peer(0)[1].qkey);
}

// Packets are as long as both can take. Initiators and targets of DC are for all peers, so that all
// have to agree.
TEST_P(Connect, PeersOfAnotherMtu)
{
	path.mtu = 2048;
	mtu_of_one = 512;
	prepare();
	Endpoints endpoints = for_peer(0);

	if (GetParam() == SEGUE_TRANSPORT_DC) {
		expect_refused(endpoints, "Endpoint of peer 1: its MTU is 512, this side's 2048");
		return;
	}
	for (uint32_t i = 0; i < COUNT; i++)
		connect(i);
	if (GetParam() == SEGUE_TRANSPORT_UD)
		return;
	const segue_local_buf from = local(BYTES);
	const segue_remote_buf there = remote(1, BYTES);

	EXPECT_OK(segue_channel_write(to(1), &from, &there, segue_deadline_in_ms(WAIT_MS)));
	EXPECT_EQ(memory[0][0], memory[1][BYTES - 1]);
	EXPECT_OK(segue_channel_read(to(1), &from, &there, segue_deadline_in_ms(WAIT_MS)));
}

// Of one that was taken for dead and is not, RC takes nothing more. A DC target is everybody's:
// what its key opens stays open.
TEST_P(Connect, WhatAFailedPeerCanStillReach)
{
	if (GetParam() == SEGUE_TRANSPORT_UD)
		return;
	open();
	ASSERT_OK(segue_multi_channel_fail_peer(multis[1], 0, "the test says so"));
	const segue_local_buf from = local(64);
	const segue_remote_buf there = remote(1, 64);

	EXPECT_EQ(GetParam() == SEGUE_TRANSPORT_DC ? 0 : -EIO,
		  segue_channel_write(to(1), &from, &there, segue_deadline_in_ms(WAIT_MS)));
	EXPECT_EQ(GetParam() == SEGUE_TRANSPORT_DC ? 1 : 2, memory[1][0]);
}

TEST_P(Connect, AnEndpointOfAnEarlierProcessIsRefused)
{
	open();
	segue_endpoint old, now;

	ASSERT_OK(segue_multi_channel_endpoint(multis[2], 0, &old));
	kill(2);
	free(memory[2]);
	segue_multi_channel_options options = {};
	options.transport = GetParam();
	options.peers = COUNT;
	options.self = 2;
	options.life = 2;
	options.path = &path;
	ASSERT_OK(segue_multi_channel_open(pd, &options, &multis[2]));
	memory[2] = nullptr;
	ASSERT_OK(segue_multi_channel_restart_peer(multis[0], 2, segue_deadline_in_ms(WAIT_MS)));
	ASSERT_OK(segue_multi_channel_endpoint(multis[2], 0, &now));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 2, &now));
	ASSERT_OK(segue_multi_channel_restart_peer(multis[0], 2, segue_deadline_in_ms(WAIT_MS)));
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect_peer(multis[0], 2, &old));
	EXPECT_SAYS("it is of process 1 in that place, but process 2 has followed");
}

TEST_P(Connect, TypedQueuesNameTheirPeer)
{
	open();
	for (uint32_t peer = 0; peer < COUNT; peer++) {
		const segue_local_buf from = local(32);
		const segue_remote_buf there = remote(peer, 32);
		const size_t before = sends();

		if (GetParam() == SEGUE_TRANSPORT_RC) {
			ASSERT_OK(segue_post(segue_sge(
				segue_raddr(segue_rdma_write(segue_channel_rc_sq(to(peer)), peer,
							     SEGUE_SIGNALED),
					    there.addr, there.key.rkey),
				from.addr, from.length, from.key.lkey)));
		} else if (GetParam() == SEGUE_TRANSPORT_DC) {
			segue_dci_sender dci;

			ASSERT_OK(segue_channel_dci_sender(to(peer), &dci));
			ASSERT_OK(segue_post(segue_sge(
				segue_raddr(segue_av(segue_rdma_write(dci.sq, peer, SEGUE_SIGNALED),
						     dci.ah, dci.dctn, dci.dc_key),
					    there.addr, there.key.rkey),
				from.addr, from.length, from.key.lkey)));
		} else {
			segue_ud_sender ud;

			ASSERT_OK(segue_channel_ud_sender(to(peer), &ud));
			ASSERT_OK(segue_post(
				segue_sge(segue_av(segue_send(ud.sq, peer, SEGUE_SIGNALED), ud.ah,
						   ud.qpn, ud.qkey),
					  from.addr, from.length, from.key.lkey)));
		}
		wait_for_sends(before + 1);
		EXPECT_EQ(0, came[0].back().syndrome);
		if (GetParam() != SEGUE_TRANSPORT_UD) {
			EXPECT_EQ(1, memory[peer][31]);
		}
	}
	for (const segue_wc &wc : came[0]) {
		if (!segue_wc_is_receive(&wc)) {
			EXPECT_EQ(wc.wr_id, wc.peer.index);
		}
	}
	// The others' are refused by name.
	segue_dci_sender dci;
	segue_ud_sender ud;

	if (GetParam() != SEGUE_TRANSPORT_RC) {
		EXPECT_EQ(nullptr, segue_channel_rc_sq(to(1)));
		EXPECT_SAYS("Peer 1 is reached over");
	}
	if (GetParam() != SEGUE_TRANSPORT_DC) {
		EXPECT_EQ(-EINVAL, segue_channel_dci_sender(to(1), &dci));
		EXPECT_SAYS("not DC");
	}
	if (GetParam() != SEGUE_TRANSPORT_UD) {
		EXPECT_EQ(-EINVAL, segue_channel_ud_sender(to(1), &ud));
		EXPECT_SAYS("not UD");
	}
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test says so"));
	if (GetParam() == SEGUE_TRANSPORT_RC) {
		EXPECT_EQ(nullptr, segue_channel_rc_sq(to(1)));
	} else if (GetParam() == SEGUE_TRANSPORT_DC) {
		EXPECT_EQ(-ENOTCONN, segue_channel_dci_sender(to(1), &dci));
	} else {
		EXPECT_EQ(-ENOTCONN, segue_channel_ud_sender(to(1), &ud));
	}
	EXPECT_SAYS("the test says so");
}

TEST_P(Connect, CallsThatWait)
{
	const segue_deadline soon = segue_deadline_in_ms(WAIT_MS);

	open();
	const segue_local_buf from = local(64);
	const segue_remote_buf there = remote(1, 64), less = remote(1, 63);

	ASSERT_OK(segue_channel_send(to(1), &from, soon));
	if (GetParam() == SEGUE_TRANSPORT_UD) {
		EXPECT_EQ(-ENOTSUP, segue_channel_write(to(1), &from, &there, soon));
		EXPECT_SAYS("UD has no request");
		return;
	}
	ASSERT_OK(segue_channel_write(to(1), &from, &there, soon));
	EXPECT_EQ(1, memory[1][63]);
	EXPECT_EQ(2, memory[1][64]);
	memset(memory[1], 9, 64);
	ASSERT_OK(segue_channel_read(to(1), &from, &there, soon));
	EXPECT_EQ(9, memory[0][63]);
	EXPECT_EQ(-ERANGE, segue_channel_write(to(1), &from, &less, soon));
	EXPECT_EQ(-ERANGE, segue_channel_read(to(1), &from, &less, soon));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test says so"));
	EXPECT_EQ(-ENOTCONN, segue_channel_write(to(1), &from, &there, soon));
	EXPECT_SAYS("the test says so");
	EXPECT_OK(segue_channel_write(to(2), &from, &there, soon));
}

TEST_P(Connect, CallsThatWaitEndAtTheirDeadline)
{
	if (GetParam() == SEGUE_TRANSPORT_UD)
		return; /* a datagram is done when it is sent */
	open(1);
	const segue_local_buf from = local(64);

	// A peer that takes one message, and no more.
	ASSERT_OK(segue_channel_send(to(1), &from, segue_deadline_in_ms(WAIT_MS)));
	EXPECT_EQ(-ETIMEDOUT, segue_channel_send(to(1), &from, segue_deadline_in_ms(50)));
	EXPECT_SAYS("Peer 1");
	EXPECT_EQ(-ETIMEDOUT, segue_multi_channel_drain(multis[0], segue_deadline_in_ms(50)));
	EXPECT_SAYS("outstanding to rank 1");
	// Its completion comes late, and is not taken for another call's.
	EXPECT_OK(segue_channel_send(to(2), &from, segue_deadline_in_ms(WAIT_MS)));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test gives it up"));
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
}

TEST_P(Connect, APeerThatIsThereTwiceGetsTwoRequestsButOneMessageIsGatheredOfIt)
{
	open();
	const uint32_t peers[] = {1, 2, 1};
	segue_fan_result results[3];
	segue_fan fan = {};
	segue_local_buf from = local(64);
	const segue_local_buf into[] = {from, from, from};

	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 3;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	EXPECT_OK(segue_fan_send_same(&fan, &from));
	for (const segue_fan_result &result : results)
		EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, result.end);
	EXPECT_EQ(-EINVAL, segue_fan_receive(&fan, into));
	EXPECT_SAYS("peer 1 is given twice");
}

// All three in one thread: nobody waits.
TEST_P(Connect, BarriersAreBegunAndTestedInTurn)
{
	open();
	std::array<segue_barrier_run, COUNT> first, second;
	static const uint32_t two[] = {2, 0};
	segue_barrier_run pair[2];

	if (GetParam() == SEGUE_TRANSPORT_UD) {
		EXPECT_EQ(-ENOTSUP, segue_barrier_begin(multis[0], 0, nullptr, COUNT, &first[0]));
		return;
	}
	for (uint32_t round = 0; round < 50; round++) {
		uint32_t done = 0;
		std::array<bool, COUNT> over = {};

		for (uint32_t i = 0; i + 1 < COUNT; i++)
			ASSERT_OK(segue_barrier_begin(multis[i], 1, nullptr, COUNT, &first[i]));
		for (uint32_t tries = 0; tries < 100; tries++)
			for (uint32_t i = 0; i + 1 < COUNT; i++)
				ASSERT_EQ(-EAGAIN, segue_barrier_test(&first[i])); // one is missing
		ASSERT_OK(segue_barrier_begin(multis[COUNT - 1], 1, nullptr, COUNT,
					      &first[COUNT - 1]));
		// another group meanwhile
		ASSERT_OK(segue_barrier_begin(multis[2], 2, two, 2, &pair[0]));
		ASSERT_OK(segue_barrier_begin(multis[0], 2, two, 2, &pair[1]));
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		while (done < COUNT && segue_deadline_left_ms(deadline))
			for (uint32_t i = 0; i < COUNT; i++) {
				const int ret = over[i] ? -EAGAIN : segue_barrier_test(&first[i]);

				if (ret == -EAGAIN)
					continue;
				ASSERT_OK(ret);
				over[i] = true;
				done++;
			}
		ASSERT_EQ(COUNT, done);
		int left = 2, rets[2] = {-EAGAIN, -EAGAIN};
		while (left && segue_deadline_left_ms(deadline))
			for (int i = 0; i < 2; i++)
				if (rets[i] == -EAGAIN &&
				    (rets[i] = segue_barrier_test(&pair[i])) != -EAGAIN) {
					ASSERT_OK(rets[i]);
					left--;
				}
		ASSERT_EQ(0, left);
	}
	ASSERT_OK(segue_barrier_begin(multis[0], 1, nullptr, COUNT, &second[0]));
	segue_barrier_cancel(&second[0]);
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	int ret = segue_barrier_begin(multis[1], 1, nullptr, COUNT, &second[1]);
	while ((!ret || ret == -EAGAIN) && segue_deadline_left_ms(deadline))
		ret = segue_barrier_test(&second[1]);
	EXPECT_EQ(-ETIMEDOUT, ret);
	EXPECT_SAYS("this side was late");
}

TEST_P(Connect, WhoHasFailedOrComeBackIsToldOnce)
{
	open();
	segue_peer_id peer;
	enum segue_channel_state state;

	EXPECT_FALSE(segue_multi_channel_next_change(multis[0], &peer, &state));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 2, "the test says so"));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test says so"));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 2, "again"));
	ASSERT_TRUE(segue_multi_channel_next_change(multis[0], &peer, &state));
	EXPECT_EQ(2u, peer.index);
	EXPECT_EQ(1u, peer.generation);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state);
	ASSERT_OK(segue_multi_channel_restart_peer(multis[0], 1, segue_deadline_in_ms(WAIT_MS)));
	ASSERT_OK(segue_multi_channel_restart_peer(multis[1], 0, segue_deadline_in_ms(WAIT_MS)));
	segue_endpoint theirs;
	ASSERT_OK(segue_multi_channel_endpoint(multis[1], 0, &theirs));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &theirs));
	ASSERT_TRUE(segue_multi_channel_next_change(multis[0], &peer, &state));
	EXPECT_EQ(1u, peer.index);
	EXPECT_EQ(2u, peer.generation);
	EXPECT_EQ(SEGUE_CHANNEL_UP, state);
	EXPECT_FALSE(segue_multi_channel_next_change(multis[0], &peer, &state));
}

TEST_P(Connect, WhatIsPostedFirstBehindARestartIsWaitedFor)
{
	open();
	restart(0, 1); // before anything was posted
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	EXPECT_EQ(-ETIMEDOUT, segue_multi_channel_drain(multis[0], SEGUE_NOW)); // nobody has polled
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
	wait_for_sends(1);
}

TEST_P(Connect, WithdrawnAndConnectedAgainAHundredTimes)
{
	open();
	for (uint32_t round = 0; round < 100; round++) {
		const size_t before = sends();

		restart(0, 1);
		EXPECT_EQ(round + 2, segue_channel_peer(to(1)).generation);
		ASSERT_OK(post(1, SEGUE_SIGNALED));
		wait_for_sends(before + 1);
		EXPECT_EQ(0, came[0].back().syndrome);
		EXPECT_EQ(round + 2, came[0].back().peer.generation);
		for (const segue_wc &wc : came[1])
			if (segue_wc_is_receive(&wc))
				segue_multi_channel_give_back(multis[1], &wc);
		came[1].clear();
	}
}

// Everybody posts as much as the queues take, and polls only then: each has its completion.
TEST_P(Connect, CompletionQueuesHoldWhatQueuesTake)
{
	size_t posted = 0;

	open();
	for (uint32_t peer = 0; peer < COUNT; peer++) {
		int ret;

		while (!(ret = GetParam() == SEGUE_TRANSPORT_UD ? send(2, SEGUE_SIGNALED)
								: post(peer, SEGUE_SIGNALED)))
			posted++;
		EXPECT_TRUE(ret == -ENOSPC || ret == -EAGAIN);
	}
	EXPECT_LE(64u, posted); // max_send_wr, at least
	wait_for_sends(posted);
	EXPECT_OK(segue_multi_channel_drain(multis[0], SEGUE_NOW));
}

TEST_P(Connect, ADomainClosesItsMultiChannels)
{
	segue_cq_options options = {};
	segue_multi_channel_options of_another = {};
	segue_multi_channel *another;
	segue_pd *domain;
	segue_cq *cq;

	ASSERT_OK(segue_pd_open(device, &domain));
	options.entries = 2048;
	ASSERT_OK(segue_cq_open(device, &options, &cq));
	of_another.transport = GetParam();
	of_another.peers = COUNT;
	of_another.cq = cq;
	ASSERT_OK(segue_multi_channel_open(domain, &of_another, &another));
	EXPECT_EQ(-EBUSY, segue_cq_close(cq));
	EXPECT_SAYS("queue pair");
	ASSERT_OK(segue_pd_close(domain));
	EXPECT_EQ(-EINVAL, segue_multi_channel_close(another));
	EXPECT_SAYS("multi-channel");
	EXPECT_OK(segue_cq_close(cq));
}

INSTANTIATE_TEST_SUITE_P(All, Connect,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
