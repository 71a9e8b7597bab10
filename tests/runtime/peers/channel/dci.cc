// SPDX-License-Identifier: BSD-2-Clause
// Who has which DC initiator: nobody keeps one, nobody is forgotten, and who fails fails alone.
#include <chrono>

#include "segue/peers/fan.h"
#include "tests/runtime/peers/channel/trio.h"

class Dci : public Trio {
protected:
	uint32_t dcis = 1, quota = 4;

	void adjust(segue_multi_channel_options *options) override
	{
		options->dcis = dcis;
		options->quota = quota;
	}

	void poll()
	{
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note, &came[0])));
	}

	size_t count(uint32_t peer) const
	{
		size_t n = 0;

		for (const segue_wc &wc : came[0])
			n += !segue_wc_is_receive(&wc) && wc.peer.index == peer;
		return n;
	}

	void wait_for(size_t n)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (sends() < n && segue_deadline_left_ms(deadline))
			poll();
		ASSERT_EQ(n, sends());
	}

	// Until it has a queue.
	void post_patiently(uint32_t peer, uint64_t wr_id)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		int ret;

		while ((ret = post(peer, SEGUE_SIGNALED, 0, 64, wr_id)) == -EAGAIN &&
		       segue_deadline_left_ms(deadline))
			poll();
		ASSERT_EQ(0, ret) << segue_errmsg();
	}

	int post_wrong(uint32_t peer, uint64_t wr_id)
	{
		const segue_seg_data entry = piece(0, 0, 64);
		segue_peer_rdma_write_args write = {};
		segue_remote_buf there;

		EXPECT_OK(segue_mr_remote_buf(mrs[peer], 0, 64, &there));
		write.wr_id = wr_id;
		write.flags = SEGUE_SIGNALED;
		write.remote_addr = there.addr;
		write.rkey = there.key.rkey ^ 0x5a00;
		write.sges = &entry;
		write.sge_count = 1;
		return segue_peer_rdma_write(multis[0], peer, &write);
	}

	// As block(), while another is blocked.
	void block_another(uint32_t peer)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		ASSERT_OK(send(peer, SEGUE_SIGNALED));
		while (!count(peer) && segue_deadline_left_ms(deadline))
			poll();
		ASSERT_EQ(1u, count(peer));
		came[0].clear();
		ASSERT_OK(send(peer, SEGUE_SIGNALED));
	}

	enum segue_channel_state state_of(uint32_t peer)
	{
		return segue_channel_state(segue_multi_channel_at(multis[0], peer));
	}
};

TEST_P(Dci, ABusyPeerDoesNotKeepIt)
{
	open();
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

	// 0 is never without work; 1 wants one request after another done.
	for (uint64_t done = 0; done < 50 && segue_deadline_left_ms(deadline); done++) {
		int ret = -EAGAIN;
		uint32_t others = 0;

		while (ret == -EAGAIN && segue_deadline_left_ms(deadline)) {
			others += post(0, SEGUE_SIGNALED) == 0;
			ret = post(1, SEGUE_SIGNALED, 0, 64, done);
			poll();
		}
		ASSERT_EQ(0, ret);
		// Once 1 has asked, 0 ends its share: at most a quota of blocks, and what was
		// before.
		EXPECT_GE(2 * quota, others) << "until " << done;
	}
	EXPECT_OK(segue_multi_channel_drain(multis[0], deadline));
	EXPECT_EQ(50u, count(1));
}

TEST_P(Dci, AllHaveTheirShare)
{
	open();
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	uint32_t posted[COUNT] = {};

	while (posted[0] + posted[1] + posted[2] < 600 && segue_deadline_left_ms(deadline)) {
		for (uint32_t peer = 0; peer < COUNT; peer++)
			while (post(peer, SEGUE_SIGNALED) == 0)
				posted[peer]++;
		poll();
	}
	EXPECT_OK(segue_multi_channel_drain(multis[0], deadline));
	for (uint32_t peer = 0; peer < COUNT; peer++) {
		EXPECT_EQ(posted[peer], count(peer));
		EXPECT_LT(100u, posted[peer]) << peer; /* a fair share is 200 */
	}
}

TEST_P(Dci, WhoAsksAndNeverComesAgainDoesNotHoldTheOthers)
{
	open();
	ASSERT_OK(post(0, SEGUE_SIGNALED));
	ASSERT_EQ(-EAGAIN, post(1, SEGUE_SIGNALED));
	EXPECT_SAYS("Peer 1 waits for a DCI");
	wait_for(1);
	// The queue is idle, and it is 1's turn, who does not come.
	for (uint64_t i = 0; i < 20; i++)
		post_patiently(2, i);
	wait_for(21);
}

TEST_P(Dci, ADeadPeerHoldsItsOwnOnly)
{
	dcis = 2;
	open();
	kill(2);
	ASSERT_OK(post(2, SEGUE_SIGNALED, 0, 64, 1000));
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	uint64_t done = 0;
	auto last = std::chrono::steady_clock::now();
	std::chrono::nanoseconds longest{0};

	while (!count(2) && segue_deadline_left_ms(deadline)) {
		post_patiently(1, done++);
		while (count(1) < done && segue_deadline_left_ms(deadline))
			poll();
		longest = std::max(
			longest, std::chrono::nanoseconds(std::chrono::steady_clock::now() - last));
		last = std::chrono::steady_clock::now();
	}
	printf("%llu requests to another while the dead one was waited for; the longest took %lld "
	       "us\n",
	       (unsigned long long)done, (long long)longest.count() / 1000);
	EXPECT_LT(10u, done);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
}

TEST_P(Dci, TheOnlyOneIsMendedAndGoesOnInOrder)
{
	open();
	kill(2);
	for (uint64_t i = 0; i < 3; i++)
		ASSERT_OK(post(2, SEGUE_SIGNALED, 0, 64, 100 + i));
	EXPECT_EQ(-EAGAIN, post(1, SEGUE_SIGNALED));
	for (uint64_t i = 0; i < 5; i++)
		post_patiently(1, i);
	wait_for(8);
	EXPECT_EQ(SEGUE_CHANNEL_FAILED, state_of(2));
	EXPECT_NE(nullptr, strstr(segue_channel_reason(segue_multi_channel_at(multis[0], 2)),
				  "peer 2, generation 1"));
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	for (size_t i = 0; i < 3; i++) {
		EXPECT_EQ(2u, came[0][i].peer.index);
		EXPECT_EQ(100 + i, came[0][i].wr_id);
		EXPECT_NE(0, came[0][i].syndrome);
	}
	for (size_t i = 3; i < 8; i++) {
		EXPECT_EQ(1u, came[0][i].peer.index);
		EXPECT_EQ(i - 3, came[0][i].wr_id);
		EXPECT_EQ(0, came[0][i].syndrome);
	}
	EXPECT_EQ(-ENOTCONN, post(2, SEGUE_SIGNALED));
}

// Receivers that live, and have no receive: each would hold a DCI for ever (rnr_retry 7).
TEST_P(Dci, OneOnWhichNothingMovesIsTakenAway)
{
	dcis = 2;
	open(1);
	block(1);
	came[0].clear();
	block_another(2);
	EXPECT_EQ(-EAGAIN, post(0, SEGUE_SIGNALED));
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	int ret = -EAGAIN;

	while (ret == -EAGAIN && segue_deadline_left_ms(deadline)) {
		poll();
		ret = post(0, SEGUE_SIGNALED, 0, 64, 77);
	}
	ASSERT_EQ(0, ret) << segue_errmsg();
	while (!count(0) && segue_deadline_left_ms(deadline))
		poll();
	EXPECT_EQ(1u, count(0));
	// What was on it comes back, and its peer lives.
	while (count(1) + count(2) < 1 && segue_deadline_left_ms(deadline))
		poll();
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(2));
}

// What wants no receive ends by itself, however late its device is (dci_late_test: a second).
TEST_P(Dci, OneThatOnlyWritesIsLeftAlone)
{
	path.retry_cnt = 0;
	open();
	ASSERT_OK(post(1, SEGUE_SIGNALED, 0, 64, 1));
	post_patiently(2, 2);
	wait_for(2);
	for (const segue_wc &wc : came[0])
		EXPECT_EQ(0, wc.syndrome);
}

// One peer's DCI is full, and those behind it in a fan have theirs.
TEST_P(Dci, AFanGoesOnBehindOneThatIsFull)
{
	const uint32_t peers[] = {1, 0, 2};
	segue_fan_result results[COUNT];
	segue_local_buf from[COUNT];
	segue_remote_buf to[COUNT];
	segue_fan fan = {};

	dcis = 2;
	open(1);
	block(1);
	while (!post(1, SEGUE_SIGNALED))
		;
	for (uint32_t i = 0; i < COUNT; i++) {
		ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &from[i]));
		ASSERT_OK(segue_mr_remote_buf(mrs[peers[i]], 4096, 64, &to[i]));
	}
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = COUNT;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(1000);
	EXPECT_EQ(-ETIMEDOUT, segue_fan_write(&fan, from, to));
	EXPECT_EQ(-EAGAIN, results[0].error);
	EXPECT_EQ(SEGUE_OUTCOME_NOT_EXECUTED, results[0].end);
	EXPECT_EQ(0, results[1].error);
	EXPECT_EQ(0, results[2].error);
}

// Over DC its peer is none the worse, so no channel has a reason.
TEST_P(Dci, AFanSaysWhyARequestWasRefused)
{
	segue_fan_result results[1];
	segue_remote_buf there;
	segue_local_buf from;
	segue_fan fan = {};

	open();
	ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &from));
	ASSERT_OK(segue_mr_remote_buf(mrs[0], 0, 64, &there));
	there.key.rkey ^= 0x5a00;
	fan.multi = multis[0];
	fan.count = 1;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	EXPECT_EQ(-EIO, segue_fan_write(&fan, &from, &there));
	EXPECT_SAYS("segue_fan_write(): peer 0: its request failed with REMOTE_ACCESS_ERR");
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(0));
}

class Ends : public Dci {
protected:
  std::vector<segue_outcome> ends;

  static void note_end(const segue_wc *wc, void *arg) noexcept
  {
	  Ends *self = static_cast<Ends *>(arg);

	  if (!segue_wc_is_receive(wc))
		  self->ends.push_back(segue_multi_channel_outcome(self->multis[0], wc));
	}

	void adjust(segue_multi_channel_options *options) override
	{
		Dci::adjust(options);
		options->handler = note_end;
		options->arg = this;
	}

	void wait_for_ends(size_t n)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (ends.size() < n && segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, note_end,
									 this)));
		ASSERT_EQ(n, ends.size());
	}
};

TEST_P(Ends, ARefusedRequestIsNotTheEndOfThePeer)
{
	open();
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	ASSERT_OK(post_wrong(1, 1));
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	wait_for_ends(3);
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, ends[0]);
	EXPECT_EQ(SEGUE_OUTCOME_FAILED, ends[1]);
	EXPECT_EQ(SEGUE_OUTCOME_NOT_EXECUTED, ends[2]);
	EXPECT_EQ(SEGUE_CHANNEL_UP, state_of(1));
	post_patiently(1, 3);
	wait_for_ends(4);
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, ends[3]);
	// What was refused then says nothing of what this side stops now.
	kill(1);
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test says so"));
	wait_for_ends(5);
	EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN, ends[4]);
	// The queue was mended, whatever became of its last request.
	post_patiently(2, 5);
	wait_for_ends(6);
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, ends[5]);
}

INSTANTIATE_TEST_SUITE_P(All, Dci, ::testing::Values(SEGUE_TRANSPORT_DC), name_of_transport);
INSTANTIATE_TEST_SUITE_P(All, Ends, ::testing::Values(SEGUE_TRANSPORT_DC), name_of_transport);
