// SPDX-License-Identifier: BSD-2-Clause
// Requests that a program holds in its hand, alone and for many peers: tested, waited for,
// forgotten, begun in scopes; and posts of pieces.
#include "segue/peers/channel.h"

#include <poll.h>

#include <memory>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/peers/fan.h"
#include "segue/peers/post.h"
#include "segue/peers/scope.h"
#include "tests/runtime/peers/channel/trio.h"

class Request : public Trio {
protected:
	segue_channel *to(uint32_t peer)
	{
		return segue_multi_channel_at(multis[0], peer);
	}

	segue_local_buf local(uint32_t offset, uint32_t length)
	{
		segue_local_buf piece = {};

		EXPECT_OK(segue_mr_local_buf(mrs[0], offset, length, &piece));
		return piece;
	}

	segue_remote_buf remote(uint32_t of, uint32_t offset, uint32_t length)
	{
		segue_remote_buf piece = {};

		EXPECT_OK(segue_mr_remote_buf(mrs[of], offset, length, &piece));
		return piece;
	}

	uint64_t word(uint32_t of, uint32_t offset)
	{
		uint64_t value;

		memcpy(&value, memory[of] + offset, sizeof(value));
		return value;
	}

	void put_word(uint32_t of, uint32_t offset, uint64_t value)
	{
		memcpy(memory[of] + offset, &value, sizeof(value));
	}

	static segue_request_args what_of(segue_request_kind kind, const segue_local_buf *local,
					  const segue_remote_buf *remote)
	{
		segue_request_args what = {};

		what.kind = kind;
		what.local = local;
		what.remote = remote;
		return what;
	}

	// Takes what has come, so that there are receives again.
	void drain_receives()
	{
		for (uint32_t peer = 1; peer < COUNT; peer++) {
			EXPECT_LE(0, found(segue_multi_channel_poll_each(multis[peer], 64, note,
									 &came[peer])));
			for (const segue_wc &wc : came[peer])
				if (segue_wc_is_receive(&wc))
					segue_multi_channel_give_back(multis[peer], &wc);
			came[peer].clear();
			EXPECT_LE(0, segue_multi_channel_poll_each(multis[peer], 64, note,
								   &came[peer]));
		}
	}

	segue_deadline soon()
	{
		return segue_deadline_in_ms(WAIT_MS);
	}
};

class ConnectedRequest : public Request
{
};

// There is one queue, in which the order of posts can be read.
class DatagramFan : public Request
{
      protected:
	std::vector<uint32_t> order_of(uint32_t self, const uint32_t *peers, uint32_t count = COUNT)
	{
		const segue_sq *sq = multis[self]->more->queues.ud_owner.sq;
		segue_fan_result results[COUNT];
		std::vector<uint32_t> order;
		segue_fan_args what = {};
		segue_fan_run *run;
		segue_fan fan = {};
		segue_local_buf from;

		EXPECT_OK(segue_mr_local_buf(mrs[self], 0, 64, &from));
		what.kind = SEGUE_REQUEST_SEND;
		what.local = &from;
		what.same = true;
		fan.multi = multis[self];
		fan.peers = peers;
		fan.count = count;
		fan.results = results;
		fan.deadline = soon();
		uint32_t at = sq->pi;
		EXPECT_OK(segue_fan_begin(&fan, &what, &run));
		for (uint32_t i = 0; i < count; i++, at = sq->slots[at & sq->mask].next)
			order.push_back(sq->slots[at & sq->mask].tag & SEGUEI_TAG_INDEX);
		EXPECT_OK(segue_fan_end(run));
		return order;
	}
};

// So that ranks do not all begin with the same peer.
TEST_P(DatagramFan, BeginsBehindItsOwnSide)
{
	using Order = std::vector<uint32_t>;
	const uint32_t backwards[] = {2, 1, 0};

	open();
	EXPECT_EQ((Order{1, 2, 0}), order_of(0, nullptr));
	EXPECT_EQ((Order{2, 0, 1}), order_of(1, nullptr));
	EXPECT_EQ((Order{0, 1, 2}), order_of(2, nullptr));
	EXPECT_EQ((Order{0, 2, 1}), order_of(1, backwards));
	EXPECT_EQ((Order{2, 1}), order_of(0, backwards, 2)) << "it is not among them";
}

TEST_P(Request, IsTestedUntilItIsOver)
{
	open();
	const segue_local_buf from = local(0, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_SEND, &from, nullptr);
	segue_request request;
	int ret;

	ASSERT_OK(segue_request_begin(to(1), &what, &request));
	const segue_deadline deadline = soon();
	while ((ret = segue_request_test(&request)) == -EAGAIN && segue_deadline_left_ms(deadline))
		sched_yield();
	EXPECT_OK(ret);
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, request.end);
	EXPECT_OK(segue_request_test(&request)); // as often as one likes
	EXPECT_OK(segue_request_wait(&request, SEGUE_NOW));
	segue_request_forget(&request);
}

TEST_P(ConnectedRequest, ManyAtOnceToOnePeerEachHaveTheirOwnEnd)
{
	constexpr uint32_t MANY = 20;
	std::array<segue_request, MANY> requests;

	open();
	for (uint32_t i = 0; i < MANY; i++) {
		const segue_local_buf from = local(64 * i, 64);
		const segue_remote_buf to_there = remote(1, 4096 + 64 * i, 64);
		const segue_request_args what = what_of(SEGUE_REQUEST_WRITE, &from, &to_there);

		memset(memory[0] + 64 * i, (int)(i + 40), 64);
		ASSERT_OK(segue_request_begin(to(1), &what, &requests[i]));
	}
	for (uint32_t i = MANY; i-- > 0;) // in any order
		EXPECT_OK(segue_request_wait(&requests[i], soon()));
	for (uint32_t i = 0; i < MANY; i++)
		EXPECT_EQ(i + 40, memory[1][4096 + 64 * i + 63]);
}

TEST_P(ConnectedRequest, PiecesComeOneBehindTheOther)
{
	open();
	segue_local_buf from[] = {local(0, 16), local(100, 1), local(200, 32), local(300, 1),
				  local(400, 1)};
	const segue_remote_buf there = remote(2, 0, 49);
	segue_request_args what = what_of(SEGUE_REQUEST_WRITE, from, &there);
	segue_request request;

	from[1].length = 0;
	memset(memory[0], 11, 16);
	memset(memory[0] + 200, 12, 32);
	memory[0][300] = 13;
	what.pieces = 4;
	ASSERT_OK(segue_request_begin(to(2), &what, &request));
	ASSERT_OK(segue_request_wait(&request, soon()));
	EXPECT_EQ(11, memory[2][15]);
	EXPECT_EQ(12, memory[2][16]);
	EXPECT_EQ(12, memory[2][47]);
	EXPECT_EQ(13, memory[2][48]);
	EXPECT_EQ(3, memory[2][49]);
	what.pieces = 5;
	EXPECT_EQ(-EINVAL, segue_request_begin(to(2), &what, &request));
	EXPECT_SAYS("5 pieces, expected at most 4");
	const segue_remote_buf less = remote(2, 0, 48);
	what.pieces = 4;
	what.remote = &less;
	EXPECT_EQ(-ERANGE, segue_request_begin(to(2), &what, &request));
	EXPECT_SAYS("49 bytes are local, but peer 2's piece has 48");
	EXPECT_EQ(-EINVAL, segue_request_test(&request)); // nothing was posted
	what.remote = nullptr;
	EXPECT_EQ(-EINVAL, segue_request_begin(to(2), &what, &request));
}

TEST_P(ConnectedRequest, AtomicsThatWait)
{
	open();
	const segue_local_buf before = local(0, 8);
	const segue_remote_buf at = remote(1, 512, 8);

	put_word(1, 512, 1000);
	ASSERT_OK(segue_channel_fetch_add(to(1), &before, &at, 5, soon()));
	EXPECT_EQ(1000u, word(0, 0));
	EXPECT_EQ(1005u, word(1, 512));
	ASSERT_OK(segue_channel_compare_swap(to(1), &before, &at, 1005, 77, soon()));
	EXPECT_EQ(1005u, word(0, 0));
	EXPECT_EQ(77u, word(1, 512));
	// not what is there
	ASSERT_OK(segue_channel_compare_swap(to(1), &before, &at, 1005, 78, soon()));
	EXPECT_EQ(77u, word(0, 0));
	EXPECT_EQ(77u, word(1, 512));
	const segue_remote_buf odd = remote(1, 513, 8);
	EXPECT_EQ(-EINVAL, segue_channel_fetch_add(to(1), &before, &odd, 5, soon()));
	EXPECT_SAYS("a multiple of 8");
	const segue_local_buf half = local(0, 4);
	EXPECT_EQ(-EINVAL, segue_channel_fetch_add(to(1), &half, &at, 5, soon()));
}

TEST_P(ConnectedRequest, OneThatIsForgottenMayEndWithoutHarm)
{
	open(1);
	block(1);
	const segue_local_buf from = local(0, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_SEND, &from, nullptr);
	auto request = std::make_unique<segue_request>();

	ASSERT_OK(segue_request_begin(to(1), &what, request.get()));
	EXPECT_EQ(-ETIMEDOUT, segue_request_wait(request.get(), segue_deadline_in_ms(20)));
	EXPECT_SAYS("Peer 1 has not answered in time");
	segue_request_forget(request.get());
	request.reset();
	segue_request other; // takes its place
	ASSERT_OK(segue_request_begin(to(2), &what, &other));
	EXPECT_OK(segue_request_wait(&other, soon()));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test gives it up"));
	EXPECT_OK(segue_multi_channel_drain(multis[0], soon()));
}

TEST_P(ConnectedRequest, WhatFailsSaysWhyAndWhetherItMayBeRepeated)
{
	open(1);
	block(1);
	const segue_local_buf from = local(0, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_SEND, &from, nullptr);
	segue_request request;

	ASSERT_OK(segue_request_begin(to(1), &what, &request));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test gives it up"));
	EXPECT_EQ(-EIO, segue_request_wait(&request, soon()));
	EXPECT_SAYS("the test gives it up");
	EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN, request.end);
	EXPECT_EQ(-ENOTCONN, segue_request_begin(to(1), &what, &request));
}

TEST_P(ConnectedRequest, ClosingEndsWhatIsUnderWay)
{
	open(1);
	block(1);
	const segue_local_buf from = local(0, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_SEND, &from, nullptr);
	segue_request request;

	ASSERT_OK(segue_request_begin(to(1), &what, &request));
	kill(0);
	EXPECT_EQ(-EIO, segue_request_test(&request));
	EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN, request.end);
	segue_request_forget(&request);
}

TEST_P(ConnectedRequest, BegunInAScopeItIsOverWithIt)
{
	open();
	const segue_local_buf from = local(0, 64);
	const segue_remote_buf there = remote(1, 4096, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_WRITE, &from, &there);
	segue_request request;
	segue_scope scope;

	segue_scope_begin(&scope, multis[0], soon());
	memset(memory[0], 99, 64);
	ASSERT_OK(segue_request_begin(to(1), &what, &request));
	ASSERT_OK(segue_scope_end(&scope));
	EXPECT_TRUE(request.done);
	EXPECT_OK(segue_request_test(&request));
	EXPECT_EQ(99, memory[1][4096 + 63]);
}

TEST_P(ConnectedRequest, AFanIsBegunAndTestedWithSeveralRequestsAndPiecesForEachPeer)
{
	constexpr uint32_t ENTRIES = 8;
	open();
	uint32_t peers[ENTRIES];
	std::vector<segue_local_buf> from;
	std::vector<segue_remote_buf> there;
	segue_fan_result results[ENTRIES];
	segue_fan fan = {};
	segue_fan_args what = {};
	segue_fan_run *run;
	segue_scope scope;
	int ret;

	for (uint32_t i = 0; i < ENTRIES; i++) {
		peers[i] = 1 + i % 2;
		memset(memory[0] + 64 * i, (int)(i + 1), 32);
		memset(memory[0] + 1024 + 64 * i, (int)(i + 101), 32);
		from.push_back(local(64 * i, 32));
		from.push_back(local(1024 + 64 * i, 32));
		there.push_back(remote(peers[i], 4096 + 64 * i, 64));
	}
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = ENTRIES;
	fan.results = results;
	fan.deadline = soon();
	what.kind = SEGUE_REQUEST_WRITE;
	what.local = from.data();
	what.pieces = 2;
	what.remote = there.data();
	segue_scope_begin(&scope, multis[0], soon());
	ASSERT_OK(segue_fan_begin(&fan, &what, &run));
	while ((ret = segue_fan_test(run)) == -EAGAIN && segue_deadline_left_ms(fan.deadline))
		sched_yield();
	EXPECT_OK(ret);
	EXPECT_OK(segue_fan_end(run));
	EXPECT_OK(segue_scope_end(&scope));
	for (uint32_t i = 0; i < ENTRIES; i++) {
		EXPECT_EQ(64u, results[i].bytes);
		EXPECT_EQ(0, results[i].error);
		EXPECT_EQ(i + 1, memory[peers[i]][4096 + 64 * i]);
		EXPECT_EQ(i + 101, memory[peers[i]][4096 + 64 * i + 63]);
	}
	what.pieces = 40;
	EXPECT_EQ(-EINVAL, segue_fan_begin(&fan, &what, &run));
	EXPECT_EQ(-ECANCELED, results[0].error);
}

// More than its queue takes at once: the rest follows while it is tested.
TEST_P(ConnectedRequest, AFanOfManyRequestsToOnePeerPostsThemAsThereIsRoom)
{
	constexpr uint32_t ENTRIES = 300;
	open();
	const std::vector<uint32_t> peers(ENTRIES, 2);
	std::vector<segue_fan_result> results(ENTRIES);
	std::vector<uint64_t> ones(ENTRIES, 1);
	const std::vector<segue_local_buf> before(ENTRIES, local(0, 8));
	const std::vector<segue_remote_buf> at(ENTRIES, remote(2, 8, 8));
	segue_fan fan = {};

	put_word(2, 8, 0);
	fan.multi = multis[0];
	fan.peers = peers.data();
	fan.count = ENTRIES;
	fan.results = results.data();
	fan.deadline = soon();
	EXPECT_OK(segue_fan_fetch_add(&fan, before.data(), at.data(), ones.data()));
	EXPECT_EQ(ENTRIES, word(2, 8));
}

TEST_P(Request, AFanThatIsEndedEarlyNamesWhoIsMissing)
{
	if (GetParam() == SEGUE_TRANSPORT_UD)
		return; // a datagram is done when it is sent
	open(1);
	block(1);
	const segue_local_buf from = local(0, 64);
	const uint32_t peers[] = {1, 2};
	segue_fan_result results[2];
	segue_fan fan = {};
	segue_fan_args what = {};
	segue_fan_run *run;

	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 2;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(100);
	what.kind = SEGUE_REQUEST_SEND;
	what.local = &from;
	what.same = true;
	ASSERT_OK(segue_fan_begin(&fan, &what, &run));
	EXPECT_EQ(-ETIMEDOUT, segue_fan_end(run));
	EXPECT_EQ(-ETIMEDOUT, results[0].error);
	EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN, results[0].end);
	EXPECT_EQ(0, results[1].error);
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, results[1].end);
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test gives it up"));
	EXPECT_OK(segue_multi_channel_drain(multis[0], soon()));
}

TEST_P(Request, RoomIsWaitedFor)
{
	open();
	const segue_local_buf from = local(0, 64);

	for (uint32_t i = 0; i < 200; i++) {
		ASSERT_OK(segue_channel_make_room(to(1), soon()));
		ASSERT_OK(segue_peer_send_buf(multis[0], 1, i, SEGUE_SIGNALED, &from)) << i;
		if (i % 16 == 0)
			drain_receives();
	}
	const segue_deadline deadline = soon();
	while (sends() < 200 && segue_deadline_left_ms(deadline)) {
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note, &came[0])));
		drain_receives();
	}
	EXPECT_EQ(200u, sends());
}

TEST_P(ConnectedRequest, RoomThatDoesNotComeIsATimeout)
{
	open(1);
	block(1);
	const segue_local_buf from = local(0, 64);
	int ret;

	while (!(ret = segue_peer_send_buf(multis[0], 1, 1, SEGUE_SIGNALED, &from)))
		;
	EXPECT_EQ(-ENOSPC, ret);
	EXPECT_EQ(-ETIMEDOUT, segue_channel_make_room(to(1), segue_deadline_in_ms(20)));
	EXPECT_SAYS("Peer 1: its queue has not become free");
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test gives it up"));
	EXPECT_EQ(-ENOTCONN, segue_channel_make_room(to(1), soon()));
	EXPECT_OK(segue_multi_channel_drain(multis[0], soon()));
}

TEST_P(ConnectedRequest, PiecesArePostedAsTheyAre)
{
	open();
	const segue_local_buf out = local(0, 64), in = local(128, 64);
	const segue_remote_buf there = remote(1, 4096, 64);

	memset(memory[0], 55, 64);
	ASSERT_OK(segue_peer_write_buf(multis[0], 1, 1, SEGUE_SIGNALED, &out, &there));
	ASSERT_OK(segue_peer_read_buf(multis[0], 1, 2, SEGUE_SIGNALED, &in, &there));
	const segue_deadline deadline = soon();
	while (sends() < 2 && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note, &came[0])));
	EXPECT_EQ(55, memory[1][4096 + 63]);
	EXPECT_EQ(55, memory[0][128 + 63]);
}

// Memory that was taken back: who is late is refused, and over DC that is all.
TEST_P(ConnectedRequest, ARegionThatWasClosedIsRefusedToWhoIsLate)
{
	open();
	const segue_local_buf from = local(0, 64);
	const segue_remote_buf there = remote(1, 4096, 64);
	const segue_request_args what = what_of(SEGUE_REQUEST_WRITE, &from, &there);
	segue_request request;

	ASSERT_OK(segue_mr_close(mrs[1]));
	memset(memory[0], 77, 64);
	ASSERT_OK(segue_request_begin(to(1), &what, &request));
	EXPECT_EQ(-EIO, segue_request_wait(&request, soon()));
	EXPECT_SAYS("REMOTE_ACCESS");
	EXPECT_EQ(SEGUE_OUTCOME_FAILED, request.end);
	EXPECT_EQ(2, memory[1][4096]);
	if (GetParam() == SEGUE_TRANSPORT_RC) {
		EXPECT_EQ(SEGUE_CHANNEL_FAILED, segue_channel_state(to(1)));
		return;
	}
	EXPECT_EQ(SEGUE_CHANNEL_UP, segue_channel_state(to(1)));
	EXPECT_OK(segue_channel_send(to(1), &from, soon()));
}

// Another key: another multi-channel, whose target has one of its own. Who still posts to the
// former finds nobody.
TEST_P(ConnectedRequest, WhoIsLateForAnotherTargetFindsNobody)
{
	if (GetParam() != SEGUE_TRANSPORT_DC)
		return;
	open();
	const segue_local_buf from = local(0, 64);

	ASSERT_OK(segue_multi_channel_close(multis[1]));
	multis[1] = nullptr;
	open_one(1, 64);
	EXPECT_EQ(-EIO, segue_channel_send(to(1), &from, soon()));
	EXPECT_SAYS("RETRY_EXC");
	connect(1);
	ASSERT_OK(segue_multi_channel_restart_peer(multis[0], 1, soon()));
	segue_endpoint theirs;
	ASSERT_OK(segue_multi_channel_endpoint(multis[1], 0, &theirs));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &theirs));
	EXPECT_OK(segue_channel_send(to(1), &from, soon()));
}

// Another key for the same multi-channel: who is late finds nobody, what had come is not lost, and
// who is told goes on.
TEST_P(ConnectedRequest, AKeyThatWasRotatedOpensNothing)
{
	open();
	const segue_local_buf from = local(0, 64);
	segue_endpoint theirs;

	if (GetParam() != SEGUE_TRANSPORT_DC) {
		EXPECT_EQ(-ENOTSUP, segue_multi_channel_rotate_dc_key(multis[1]));
		return;
	}
	EXPECT_OK(segue_channel_send(to(1), &from, soon()));
	EXPECT_EQ(0, segue_multi_channel_rotate_dc_key(multis[1]));
	EXPECT_EQ(-EIO, segue_channel_send(to(1), &from, soon()));
	EXPECT_SAYS("RETRY_EXC");
	// The one that has rotated it sends on, and others are not touched.
	EXPECT_OK(segue_channel_send(segue_multi_channel_at(multis[1], 0), &from, soon()));
	EXPECT_OK(segue_channel_send(to(2), &from, soon()));
	ASSERT_OK(segue_multi_channel_restart_peer(multis[0], 1, soon()));
	ASSERT_OK(segue_multi_channel_endpoint(multis[1], 0, &theirs));
	ASSERT_OK(segue_multi_channel_connect_peer(multis[0], 1, &theirs));
	EXPECT_OK(segue_channel_send(to(1), &from, soon()));
	const segue_deadline deadline = soon();
	while (came[1].size() < 2 && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[1], 16, note, &came[1])));
	EXPECT_EQ(2u, came[1].size());
	for (uint32_t i = 0; i < 200; i++) // no receive is lost thereby
		ASSERT_EQ(0, segue_multi_channel_rotate_dc_key(multis[2]));
}

class Sleeper : public Request
{
	void adjust(segue_multi_channel_options *options) override
	{
		options->events = true;
	}
};

// Who sleeps on the one descriptor wakes when something has come, and misses nothing.
TEST_P(Sleeper, WakesForEachMessage)
{
	open();
	const segue_local_buf from = local(0, 64);
	struct pollfd fd = {segue_multi_channel_fd(multis[1]), POLLIN, 0};
	size_t woken = 0;

	ASSERT_LE(0, fd.fd) << segue_errmsg();
	for (uint32_t i = 0; i < 100; i++) {
		int ret;

		while ((ret = segue_multi_channel_arm(multis[1])) == 1)
			ASSERT_LE(0, segue_multi_channel_poll_each(multis[1], 16, note, &came[1]));
		ASSERT_EQ(0, ret) << segue_errmsg();
		if (i == 0) {
			EXPECT_EQ(0, poll(&fd, 1, 0));
		}
		came[1].clear();
		ASSERT_OK(segue_channel_send(to(1), &from, soon()));
		ASSERT_EQ(1, poll(&fd, 1, WAIT_MS)); // it is there, so the event is
		const segue_deadline deadline = soon();
		while (came[1].empty() && segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[1], 16, note,
									 &came[1])));
		ASSERT_EQ(1u, came[1].size());
		segue_multi_channel_give_back(multis[1], &came[1][0]);
		woken++;
	}
	EXPECT_EQ(100u, woken);
}

TEST_P(Request, WithoutEventsThereIsNothingToSleepOn)
{
	open();
	EXPECT_EQ(-EINVAL, segue_multi_channel_fd(multis[0]));
	EXPECT_SAYS("without `events`");
	EXPECT_EQ(-EINVAL, segue_multi_channel_arm(multis[0]));
}

INSTANTIATE_TEST_SUITE_P(Over, DatagramFan, ::testing::Values(SEGUE_TRANSPORT_UD),
			 name_of_transport);
INSTANTIATE_TEST_SUITE_P(Over, Sleeper,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
INSTANTIATE_TEST_SUITE_P(Over, Request,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
INSTANTIATE_TEST_SUITE_P(Over, ConnectedRequest,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
