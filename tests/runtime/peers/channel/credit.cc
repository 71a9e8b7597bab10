// SPDX-License-Identifier: BSD-2-Clause
// Messages that each peer may have in one side's receives.
#include "segue/peers/multi_channel.h"

#include "segue/peers/channel.h"
#include "segue/peers/fan.h"
#include "trio.h"

namespace
{

constexpr uint32_t CREDITS = 4;
// A server with fewer receives than its clients would fill.
constexpr uint32_t CLIENTS = 64;
constexpr uint32_t RECEIVES = 96;

void note(const segue_wc *wc, void *arg) noexcept
{
	static_cast<std::vector<segue_wc> *>(arg)->push_back(*wc);
}

} // namespace

class Credit : public Trio
{
      protected:
	void adjust(segue_multi_channel_options *options) override
	{
		options->credits = CREDITS;
		options->handler = nullptr; // what a gather does not ask for is kept
	}

	segue_channel *to(uint32_t peer)
	{
		return segue_multi_channel_at(multis[0], peer);
	}

	// As many as may go now.
	uint32_t send_all(uint32_t peer)
	{
		uint32_t sent = 0;

		for (; segue_channel_credits(to(peer)); sent++) {
			EXPECT_OK(send(peer, SEGUE_SIGNALED));
			segue_channel_spend_credit(to(peer));
		}
		return sent;
	}

	void poll(uint32_t who)
	{
		const int found_now = segue_multi_channel_poll_each(multis[who], 16, ::note,
								    &came[who]);

		ASSERT_LE(0, found(found_now)) << segue_errmsg();
	}

	void await_messages(uint32_t who, size_t count)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (came[who].size() < count && segue_deadline_left_ms(deadline)) {
			poll(0);
			poll(who);
		}
		ASSERT_EQ(count, came[who].size());
	}

	void give_all_back(uint32_t who)
	{
		for (const segue_wc &wc : came[who])
			segue_multi_channel_give_back(multis[who], &wc);
		came[who].clear();
	}

	void await_credits(uint32_t peer, uint32_t count)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (segue_channel_credits(to(peer)) < count &&
		       segue_deadline_left_ms(deadline)) {
			poll(0);
			poll(peer);
		}
		ASSERT_EQ(count, segue_channel_credits(to(peer)));
	}
};

TEST_P(Credit, ComesBackWithTheBuffer)
{
	open();
	for (uint32_t round = 0; round < 10; round++) {
		EXPECT_EQ(CREDITS, send_all(1));
		EXPECT_EQ(CREDITS, segue_channel_credits(to(2))); // each peer has its own
		await_messages(1, CREDITS);
		EXPECT_EQ(0u, segue_channel_credits(to(1)));
		give_all_back(1);
		// Who has been told finds a receive, not a buffer that is to be posted.
		EXPECT_FALSE(multis[1]->due & SEGUEI_DUE_RECEIVES);
		await_credits(1, CREDITS);
	}
}

TEST_P(Credit, IsWaitedForByCallsThatWait)
{
	const segue_local_buf nothing = {};
	segue_fan_result results[1];
	const uint32_t peers[] = {1};
	segue_fan fan = {};

	open();
	EXPECT_EQ(CREDITS, send_all(1));
	EXPECT_EQ(-ETIMEDOUT, segue_channel_send(to(1), &nothing, segue_deadline_in_ms(20)));
	segue_request_args what = {};
	segue_request request = {};
	what.kind = SEGUE_REQUEST_SEND;
	what.local = &nothing;
	EXPECT_EQ(-EAGAIN, segue_request_begin(to(1), &what, &request));
	EXPECT_SAYS("Peer 1 has given back none of the 4 messages");
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 1;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(20);
	EXPECT_EQ(-ETIMEDOUT, segue_fan_send(&fan, &nothing));
	EXPECT_EQ(-EAGAIN, results[0].error);
	await_messages(1, CREDITS);
	give_all_back(1);
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	await_credits(1, CREDITS);
	EXPECT_OK(segue_fan_send(&fan, &nothing));
	EXPECT_EQ(CREDITS - 1, segue_channel_credits(to(1)));
}

TEST_P(Credit, AGatherGivesThemBack)
{
	uint8_t into[64];
	segue_local_buf where = {};
	segue_fan_result results[1];
	const uint32_t peers[] = {0};
	segue_fan fan = {};

	open();
	where.addr = (uintptr_t)into;
	where.length = sizeof(into);
	fan.multi = multis[1];
	fan.peers = peers;
	fan.count = 1;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	EXPECT_EQ(CREDITS, send_all(1));
	for (uint32_t i = 0; i < CREDITS; i++)
		EXPECT_OK(segue_fan_receive(&fan, &where));
	await_credits(1, CREDITS);
}

TEST_P(Credit, BeginsAnewWithAGeneration)
{
	open();
	EXPECT_EQ(CREDITS, send_all(1));
	await_messages(1, CREDITS);
	for (const uint32_t both : {0u, 1u})
		ASSERT_OK(segue_multi_channel_restart_peer(multis[both], 1 - both,
							   segue_deadline_in_ms(WAIT_MS)));
	for (const uint32_t both : {0u, 1u}) {
		segue_endpoint endpoint;

		ASSERT_OK(segue_multi_channel_endpoint(multis[1 - both], both, &endpoint));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[both], 1 - both, &endpoint));
	}
	EXPECT_EQ(CREDITS, segue_channel_credits(to(1)));
	give_all_back(1); // of the former: they count no more
	EXPECT_EQ(CREDITS, send_all(1));
	await_messages(1, CREDITS);
	EXPECT_EQ(0u, segue_channel_credits(to(1)));
	give_all_back(1);
	await_credits(1, CREDITS);
}

TEST_P(Credit, WhatMakesNoSenseIsRefused)
{
	segue_multi_channel_options options = {};
	segue_multi_channel *multi = nullptr;
	segue_endpoint endpoint;

	options.transport = GetParam();
	options.peers = COUNT;
	options.path = &path;
	options.receives = 8;
	options.credits = 3;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &options, &multi));
	EXPECT_SAYS("credits is 3 for each of 3 peers, but there are 8 receives");
	options.transport = SEGUE_TRANSPORT_UD;
	options.credits = 1;
	EXPECT_EQ(-EINVAL, segue_multi_channel_open(pd, &options, &multi));
	EXPECT_SAYS("over UD");
	options.transport = GetParam();
	options.credits = 0;
	open_one(0, 64);
	options.self = 1;
	ASSERT_OK(segue_multi_channel_open(pd, &options, &multi));
	ASSERT_OK(segue_multi_channel_endpoint(multi, 0, &endpoint));
	EXPECT_EQ(-EINVAL, segue_multi_channel_connect_peer(multis[0], 1, &endpoint));
	EXPECT_SAYS("its side has 0 credits, this one 4");
	EXPECT_OK(segue_multi_channel_close(multi));
}

// All but one send as much as they may, and the server gives nothing back; the last one comes then.
TEST_P(Credit, WhoSendsMuchStarvesNobody)
{
	segue_multi_channel_options options = {};
	std::vector<segue_multi_channel *> clients(CLIENTS);
	segue_multi_channel *server = nullptr;
	std::vector<segue_wc> got, unused;
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	segue_endpoint endpoint;
	uint32_t sent = 0;

	options.transport = GetParam();
	options.path = &path;
	options.own_numbers = true;
	options.imm_names_sender = GetParam() == SEGUE_TRANSPORT_DC;
	options.credits = RECEIVES / CLIENTS;
	options.peers = CLIENTS;
	options.receives = RECEIVES;
	ASSERT_OK(segue_multi_channel_open(pd, &options, &server));
	options.peers = 1;
	options.receives = 8;
	options.dcis = GetParam() == SEGUE_TRANSPORT_DC ? 1 : 0;
	for (uint32_t i = 0; i < CLIENTS; i++) {
		ASSERT_OK(segue_multi_channel_open(pd, &options, &clients[i]));
		ASSERT_OK(segue_multi_channel_endpoint(clients[i], 0, &endpoint));
		segue_endpoint servers;
		ASSERT_OK(segue_multi_channel_endpoint(server, i, &servers));
		ASSERT_OK(segue_multi_channel_connect_peer(server, i, &endpoint));
		ASSERT_OK(segue_multi_channel_connect_peer(clients[i], 0, &servers));
	}
	for (uint32_t i = 0; i + 1 < CLIENTS; i++) {
		segue_channel *channel = segue_multi_channel_at(clients[i], 0);

		for (uint32_t tries = 0; tries < 4 && segue_channel_credits(channel); tries++) {
			segue_peer_send_imm_args args = {};

			args.flags = SEGUE_SIGNALED;
			args.imm = i | 1u << 20; // as segue_multi_channel_connect_host() sets it
			ASSERT_OK(segue_peer_send_imm(clients[i], 0, &args));
			segue_channel_spend_credit(channel);
			sent++;
		}
	}
	EXPECT_EQ(CLIENTS - 1, sent);
	while (got.size() < sent && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(server, 16, note, &got)));
	ASSERT_EQ(sent, got.size());
	// One receive is there for the one that has not sent yet.
	segue_peer_send_imm_args last = {};
	last.flags = SEGUE_SIGNALED;
	last.imm = (CLIENTS - 1) | 1u << 20;
	ASSERT_OK(segue_peer_send_imm(clients[CLIENTS - 1], 0, &last));
	while (got.size() < CLIENTS && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(server, 16, note, &got)));
	EXPECT_EQ(CLIENTS, got.size());
	for (const segue_wc &wc : got)
		segue_multi_channel_give_back(server, &wc);
	while (!segue_channel_credits(segue_multi_channel_at(clients[0], 0)) &&
	       segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(server, 16, note, &got)));
	EXPECT_EQ(1u, segue_channel_credits(segue_multi_channel_at(clients[0], 0)));
	for (segue_multi_channel *client : clients)
		EXPECT_OK(segue_multi_channel_close(client));
	EXPECT_OK(segue_multi_channel_close(server));
}

INSTANTIATE_TEST_SUITE_P(Each, Credit, ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
