// SPDX-License-Identifier: BSD-2-Clause
// What was posted in a scope has completed when it is over, however it ends; and what the peers
// make of that.
#include "segue/peers/scope.h"

#include <dlfcn.h>

#include <stdexcept>

#include "runtime/peers/channel/multi_channel.h"
#include "segue/gen/builders.h"
#include "segue/segue.hpp"
#include "tests/runtime/peers/channel/scope_block.h"
#include "tests/runtime/peers/channel/trio.h"
#include "tests/seed/seed.h"

// The emulated device's own interface (tools/softhca/uverbs/preload/injection.h).
static int inject(const char *line)
{
	int (*const call)(const char *) = reinterpret_cast<int (*)(const char *)>(
		dlsym(RTLD_DEFAULT, "softhca_inject"));

	return call ? call(line) : -1;
}

class Scope : public Trio {
protected:
	segue_scope scope;

	void begin(segue_deadline deadline)
	{
		segue_scope_begin(&scope, multis[0], deadline);
	}

	// Nothing is in flight to anybody.
	void expect_rest()
	{
		segue_scope_left left;

		begin(SEGUE_NOW);
		scope.all = true; // all that is in flight counts
		EXPECT_OK(segue_scope_leave(&scope, &left));
		EXPECT_EQ(0u, left.requests);
	}

	bool is_quiet(uint32_t peer)
	{
		const segue_channel *channel = segue_multi_channel_at(multis[0], peer);
		const segue_sq *sq = channel->more->owner.sq;

		if (GetParam() == SEGUE_TRANSPORT_DC)
			sq = channel->dci->owner == channel->tag ? channel->dci->sq : nullptr;
		return !sq || seguei_sq_is_idle(sq);
	}

	void expect_named(uint32_t peer)
	{
		const std::string digits = std::to_string(peer);

		EXPECT_SAYS(digits.c_str());
		EXPECT_EQ(SEGUE_CHANNEL_FAILED,
			  segue_channel_state(segue_multi_channel_at(multis[0], peer)));
		EXPECT_NE("", reason_of(peer));
	}

	std::string reason_of(uint32_t peer)
	{
		return segue_channel_reason(segue_multi_channel_at(multis[0], peer));
	}

	static std::string hex(const void *address)
	{
		char text[32];

		(void)snprintf(text, sizeof(text), "0x%llx",
			       (unsigned long long)(uintptr_t)address);
		return text;
	}

	void expect_works(uint32_t peer)
	{
		const size_t before = sends();

		begin(segue_deadline_in_ms(WAIT_MS));
		EXPECT_OK(post(peer, SEGUE_SIGNALED));
		EXPECT_OK(segue_scope_end(&scope));
		EXPECT_EQ(before + 1, sends());
		EXPECT_EQ(0, came[0].back().syndrome);
	}
};

// Where peers answer, and where they do not.
class ConnectedScope : public Scope {};
class DatagramScope : public Scope {};

TEST_P(Scope, EndsWhenAllHasCompletedSilentOrNot)
{
	open();
	for (uint32_t i = 0; i < 256; i++)
		memory[0][i] = (uint8_t)(i * 7);
	for (int round = 0; round < 20; round++) {
		came[0].clear();
		begin(segue_deadline_in_ms(WAIT_MS));
		for (uint32_t i = 0; i < 12; i++) {
			int ret;

			while ((ret = post(1 + i % 2, i % 3 ? 0 : SEGUE_SIGNALED, 64 * (i / 3))) ==
			       -EAGAIN)
				ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16,
										 note, &came[0])));
			ASSERT_OK(ret);
		}
		ASSERT_OK(segue_scope_end(&scope));
		EXPECT_EQ(4u, sends());
		expect_rest();
		for (uint32_t peer = 1; peer < COUNT; peer++) // so that there are receives again
			EXPECT_LE(0, found(segue_multi_channel_poll_each(multis[peer], 64, note,
									 &came[peer])));
	}
	for (uint32_t peer = 1; peer < COUNT && GetParam() != SEGUE_TRANSPORT_UD; peer++)
		EXPECT_EQ(0, memcmp(memory[0], memory[peer], 256));
	EXPECT_OK(segue_scope_end(&scope)); // over, which is no error
}

TEST_P(Scope, LeavesWhatIsInFlightAndSaysSo)
{
	segue_scope_left left;

	open();
	begin(SEGUE_NOW);
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	EXPECT_EQ(-EBUSY, segue_scope_leave(&scope, &left));
	EXPECT_EQ(3u, left.requests);
	EXPECT_EQ(2u, left.peers);
	EXPECT_SAYS("3 requests to ranks 1 and 2");
	EXPECT_OK(segue_scope_leave(&scope, nullptr));
	ASSERT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
	expect_rest();
}

TEST_P(Scope, MayStandInAnother)
{
	segue_scope outer;
	segue_scope_left left;

	open();
	segue_scope_begin(&outer, multis[0], segue_deadline_in_ms(WAIT_MS));
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	{
		segue::scope inner(multis[0], segue_deadline_in_ms(WAIT_MS));

		ASSERT_OK(post(2, SEGUE_SIGNALED));
		EXPECT_OK(inner.end());
		EXPECT_OK(inner.leave(&left));
		EXPECT_EQ(0u, left.requests);
	}
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	EXPECT_OK(segue_scope_end(&outer));
	EXPECT_EQ(3u, sends());
	expect_rest();
}

static void post_again(const segue_wc *wc, void *arg) noexcept
{
	uint32_t *left = static_cast<uint32_t *>(arg);
	const seguei_owner *owner = static_cast<const seguei_owner *>(wc->context);
	segue_peer_send_imm_args args = {};

	if (segue_wc_is_receive(wc) || !*left)
		return;
	--*left;
	args.flags = SEGUE_SIGNALED;
	EXPECT_OK(segue_peer_send_imm(owner->multi, 1, &args));
}

TEST_P(Scope, WaitsForWhatHandlersPost)
{
	uint32_t chain = 20;

	open();
	multis[0]->more->options.handler = post_again;
	multis[0]->more->options.arg = &chain;
	begin(segue_deadline_in_ms(WAIT_MS));
	ASSERT_OK(send(1, SEGUE_SIGNALED));
	ASSERT_OK(segue_scope_end(&scope));
	EXPECT_EQ(0u, chain);
	expect_rest();
}

TEST_P(Scope, IsEndedByADestructorAlsoBehindAnException)
{
	open();
	try {
		segue::scope inside(multis[0], segue_deadline_in_ms(WAIT_MS));

		for (int i = 0; i < 5; i++)
			ASSERT_OK(post(1, SEGUE_SIGNALED));
		(void)seguei_fail(EINVAL, "what was wrong");
		throw std::runtime_error("on its way");
	} catch (const std::runtime_error &) {
		EXPECT_EQ(5u, sends());
		EXPECT_STREQ("what was wrong", segue_errmsg());
		expect_rest();
	}
}

TEST_P(ConnectedScope, IsEndedByItsBlockInC)
{
	segue_remote_buf from;
	uint64_t sum;

	open();
	uint64_t *words = reinterpret_cast<uint64_t *>(memory[1]);
	for (uint64_t i = 0; i < 8; i++)
		words[i] = i + 1;
	ASSERT_OK(segue_mr_remote_buf(mrs[1], 0, 64, &from));
	for (int round = 0; round < 10; round++) {
		EXPECT_EQ(-E2BIG, read_in_block(multis[0], pd, 1, &from, LEAVE_BY_RETURN, &sum));
		EXPECT_STREQ("a reason of its own", segue_errmsg());
		EXPECT_EQ(36u, sum);
		EXPECT_OK(read_in_block(multis[0], pd, 1, &from, LEAVE_BY_BREAK, &sum));
		EXPECT_EQ(36u, sum);
		EXPECT_OK(read_in_block(multis[0], pd, 1, &from, LEAVE_BY_END, &sum));
		EXPECT_EQ(36u, sum);
	}
}

TEST_P(ConnectedScope, NamesADeadPeerAndTheOthersAreDone)
{
	open();
	kill(2);
	segue_scope outer;
	segue_scope_begin(&outer, multis[0], segue_deadline_in_ms(WAIT_MS));
	begin(segue_deadline_in_ms(WAIT_MS));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	EXPECT_EQ(-EIO, segue_scope_end(&scope));
	EXPECT_SAYS("2 requests failed, the first one: peer 2");
	expect_named(2);
	EXPECT_NE(std::string::npos, reason_of(2).find(hex(memory[2]))) << reason_of(2);
	EXPECT_EQ(3u, sends());
	expect_rest();
	expect_works(1);
	// A scope begun after that has nothing to do with it; the outer one has.
	begin(segue_deadline_in_ms(WAIT_MS));
	EXPECT_EQ(-ENOTCONN, post(2, SEGUE_SIGNALED));
	EXPECT_OK(segue_scope_end(&scope));
	EXPECT_EQ(-EIO, segue_scope_end(&outer));
}

// Whatever was posted in a scope has completed behind it, by peer or by the peer's own queue,
// however scopes are nested.
TEST_P(ConnectedScope, RandomNestsHaveNothingInFlightBehindThem)
{
	constexpr uint32_t STEPS = 3000, DEPTH = 4;
	uint64_t state = segue_test_seed();
	std::array<segue_scope, DEPTH> scopes;
	std::array<std::array<bool, COUNT>, DEPTH + 1> posted = {};
	uint32_t depth = 0;

	open();
	segue_rc_sq *const kept = GetParam() == SEGUE_TRANSPORT_RC
					  ? segue_channel_rc_sq(
						    segue_multi_channel_at(multis[0], 1))
					  : nullptr;
	segue_remote_buf there;
	ASSERT_OK(segue_mr_remote_buf(mrs[1], 0, 64, &there));
	for (uint32_t step = 0; step < STEPS && !HasFailure(); step++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		const uint32_t what = (uint32_t)(state >> 60),
			       peer = (uint32_t)(state >> 40) % COUNT;

		if (what < 3 && depth < DEPTH) {
			segue_scope_begin(&scopes[depth++], multis[0],
					  segue_deadline_in_ms(WAIT_MS));
		} else if (what < 6 && depth) {
			ASSERT_OK(segue_scope_end(&scopes[--depth]));
			for (uint32_t i = 0; i < COUNT; i++) {
				if (posted[depth + 1][i]) {
					EXPECT_TRUE(is_quiet(i)) << i << " in step " << step;
				}
				posted[depth][i] |= posted[depth + 1][i];
				posted[depth + 1][i] = false;
			}
		} else if (what < 8 && kept) {
			if (!segue_post(segue_sge(segue_raddr(segue_rdma_write(kept, 7, 0),
							      there.addr, there.key.rkey),
						  (uintptr_t)memory[0], 64,
						  segue_mr_lkey(mrs[0]).lkey)))
				posted[depth][1] = true;
		} else {
			posted[depth][peer] |= !post(peer, what & 1 ? SEGUE_SIGNALED : 0);
		}
	}
	while (depth)
		ASSERT_OK(segue_scope_end(&scopes[--depth]));
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
	for (uint32_t i = 0; i < COUNT; i++)
		EXPECT_TRUE(is_quiet(i)) << i;
}

// The peer lives, but takes no more messages, and rnr_retry is for ever: only the deadline ends
// that.
TEST_P(ConnectedScope, GivesUpWhoHasNotAnsweredByTheDeadline)
{
	open(1);
	begin(segue_deadline_in_ms(100));
	block(1);
	ASSERT_OK(post(1, 0));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	EXPECT_EQ(-ETIMEDOUT, segue_scope_end(&scope));
	EXPECT_SAYS("in flight to rank 1 have been flushed");
	expect_named(1);
	expect_rest();
	expect_works(2);
}

TEST_P(ConnectedScope, DoesNotWaitForWhatCameBefore)
{
	open(1);
	block(1);
	expect_works(2);
	EXPECT_EQ(SEGUE_CHANNEL_UP, segue_channel_state(segue_multi_channel_at(multis[0], 1)));
	EXPECT_EQ(1u, sends()) << "the one that waits has come back";
	EXPECT_OK(segue_multi_channel_fail_peer(multis[0], 1, "enough"));
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
}

// The kernel refuses to bring the queue pair into error: a reset is left.
TEST_P(ConnectedScope, TakesTheQueueFromTheDeviceWhereNothingElseHelps)
{
	open(1);
	begin(segue_deadline_in_ms(50));
	block(1);
	ASSERT_EQ(0, inject("command modify_qp ENOMEM count=2"));
	EXPECT_EQ(-ETIMEDOUT, segue_scope_end(&scope));
	expect_named(1);
	expect_rest();
	EXPECT_EQ(1u, sends());
	EXPECT_NE(0, came[0].back().syndrome);
	expect_works(2);
}

// A datagram is under way until the card has sent it, which a queue pair in SQD does not do.
TEST_P(DatagramScope, TakesTheQueueOfDatagramsFromTheDevice)
{
	open();
	ASSERT_OK(segue_qp_pause(multis[0]->more->queues.ud, segue_deadline_in_ms(WAIT_MS), note,
				 &came[0]));
	begin(segue_deadline_in_ms(50));
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	ASSERT_OK(post(2, 0));
	EXPECT_EQ(-ETIMEDOUT, segue_scope_end(&scope));
	EXPECT_SAYS("ranks 1 and 2");
	expect_rest();
	EXPECT_EQ(2u, sends());
	expect_works(1);
	expect_works(2);
}

TEST_P(Scope, OutlivesItsMultiChannel)
{
	open();
	begin(segue_deadline_in_ms(WAIT_MS));
	ASSERT_OK(post(1, SEGUE_SIGNALED));
	kill(0);
	EXPECT_OK(segue_scope_end(&scope));
}

INSTANTIATE_TEST_SUITE_P(Over, Scope,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
INSTANTIATE_TEST_SUITE_P(Over, ConnectedScope,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
INSTANTIATE_TEST_SUITE_P(Over, DatagramScope, ::testing::Values(SEGUE_TRANSPORT_UD),
			 name_of_transport);
