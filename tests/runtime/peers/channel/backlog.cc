// SPDX-License-Identifier: BSD-2-Clause
// What comes while a call waits, and no handler takes it: nothing is lost, and polls hand it out
// first.
#include "segue/mkey.h"
#include "segue/peers/fan.h"
#include "segue/qp.h"
#include "tests/runtime/peers/channel/trio.h"

class Kept : public Trio {
protected:
	void adjust(segue_multi_channel_options *options) override
	{
		options->max_wqe_units = 32;
		if (options->self == 0)
			options->handler = nullptr;
	}

	int send_from(uint32_t self, uint32_t peer, uint32_t imm_index, uint8_t byte)
	{
		segue_peer_send_imm_args args = {};
		memory[self][0] = byte;
		const segue_seg_data entry = piece(self, 0, 1);

		args.wr_id = 9;
		args.flags = SEGUE_SIGNALED;
		args.imm = segue_multi_channel_imm(multis[imm_index]);
		args.sges = &entry;
		args.sge_count = 1;
		return segue_peer_send_imm(multis[self], peer, &args);
	}

	// The message has been taken by 0's card, which has not been polled.
	void send_and_wait(uint32_t self, uint8_t byte)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		size_t before = came[self].size();
		int ret;

		while ((ret = send_from(self, 0, self, byte)) == -EAGAIN &&
		       segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[self], 16, note,
									 &came[self])));
		ASSERT_EQ(0, ret) << segue_errmsg();
		while (came[self].size() == before && segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[self], 16, note,
									 &came[self])));
		ASSERT_EQ(before + 1, came[self].size());
	}

	void write_and_wait(uint32_t peer)
	{
		segue_local_buf from;
		segue_remote_buf to;

		ASSERT_OK(segue_mr_local_buf(mrs[0], 4096, 64, &from));
		ASSERT_OK(segue_mr_remote_buf(mrs[peer], 4096, 64, &to));
		ASSERT_OK(segue_channel_write(segue_multi_channel_at(multis[0], peer), &from, &to,
					      segue_deadline_in_ms(WAIT_MS)));
	}

	void poll_until(size_t count)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

		while (came[0].size() < count && segue_deadline_left_ms(deadline))
			ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 1, take, this)))
				<< segue_errmsg();
		ASSERT_EQ(count, came[0].size());
	}

	static void take(const segue_wc *wc, void *arg) noexcept
	{
		Kept *self = static_cast<Kept *>(arg);

		self->came[0].push_back(*wc);
		if (!segue_wc_is_receive(wc))
			return;
		self->bytes.push_back(
			*static_cast<uint8_t *>(segue_multi_channel_payload(self->multis[0], wc)));
		segue_multi_channel_give_back(self->multis[0], wc);
	}

	std::vector<uint8_t> bytes;
};

TEST_P(Kept, MessagesAreHandedOutByPollsInOrder)
{
	open(8);
	send_and_wait(1, 1);
	send_and_wait(2, 2);
	send_and_wait(1, 3);
	write_and_wait(1); // takes what came before it from the completion queue
	send_and_wait(1, 4);
	poll_until(4);
	EXPECT_EQ((std::vector<uint8_t>{1, 2, 3, 4}), bytes);
	EXPECT_EQ(1u, came[0][0].peer.index);
	EXPECT_EQ(2u, came[0][1].peer.index);
	// Their buffers are there again: nobody starves, however often it happens.
	for (uint8_t i = 0; i < 20; i++) {
		send_and_wait(1, i);
		write_and_wait(2);
		poll_until(came[0].size() + 1);
		EXPECT_EQ(i, bytes.back());
	}
}

TEST_P(Kept, MessagesThatNoGatherAskedForAreHandedOutByPolls)
{
	const uint32_t peers[] = {2};
	segue_fan_result result;
	segue_fan fan = {};
	segue_local_buf to;

	open(8);
	send_and_wait(1, 1);
	send_and_wait(2, 2);
	send_and_wait(2, 3);
	write_and_wait(1);
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 1;
	fan.results = &result;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	ASSERT_OK(segue_mr_local_buf(mrs[0], 128, 64, &to));
	ASSERT_OK(segue_fan_receive(&fan, &to));
	EXPECT_EQ(2, memory[0][128]);
	poll_until(2);
	EXPECT_EQ((std::vector<uint8_t>{1, 3}), bytes);
}

TEST_P(Kept, CompletionsOfTheProgramsOwnRequestsAreNotLost)
{
	segue_peer_rdma_write_args wrong = {};

	open();
	const segue_seg_data entry = piece(0, 0, 64);
	ASSERT_OK(post(1, SEGUE_SIGNALED, 0, 64, 41));
	ASSERT_OK(post(1, SEGUE_SIGNALED, 0, 64, 42));
	write_and_wait(1);
	poll_until(2);
	EXPECT_EQ(41u, came[0][0].wr_id);
	EXPECT_EQ(42u, came[0][1].wr_id);
	EXPECT_EQ(1u, came[0][1].peer.index);
	// One that failed can still be explained.
	wrong.wr_id = 43;
	wrong.flags = SEGUE_SIGNALED;
	wrong.rkey = 0x5a5a5a;
	wrong.sges = &entry;
	wrong.sge_count = 1;
	ASSERT_OK(segue_peer_rdma_write(multis[0], 1, &wrong));
	if (GetParam() == SEGUE_TRANSPORT_DC) {
		EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(WAIT_MS)));
	}
	write_and_wait(2);
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
	char sentence[512] = "";
	auto explain = [](const segue_wc *wc, void *arg) noexcept {
		if (wc->wr_id == 43)
			(void)snprintf(static_cast<char *>(arg), 512, "syndrome %u vendor %u",
				       wc->syndrome, wc->cqe[54]);
	};
	while (!sentence[0] && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 1, explain, sentence)));
	// REMOTE_ACCESS_ERR, 0x88
	EXPECT_NE(nullptr, strstr(sentence, "syndrome 19 vendor 136")) << sentence;
}

// More messages than receives, of one that is not asked for: nobody else's can come.
TEST_P(Kept, AGatherThatCannotEndSaysSo)
{
	const uint32_t peers[] = {1, 2};
	segue_fan_result results[2];
	segue_local_buf to[2];
	segue_fan fan = {};

	open(2);
	for (uint8_t i = 1; i <= 2; i++)
		send_and_wait(2, i);
	write_and_wait(1); // both are kept
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 1;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	ASSERT_OK(segue_mr_local_buf(mrs[0], 128, 64, &to[0]));
	EXPECT_EQ(-ENOBUFS, segue_fan_receive(&fan, to));
	EXPECT_SAYS("all 2 receives");
	EXPECT_EQ(-ENOBUFS, results[0].error);
	EXPECT_EQ(SEGUE_OUTCOME_NOT_EXECUTED, results[0].end);
	poll_until(2);
	send_and_wait(1, 3);
	EXPECT_OK(segue_fan_receive(&fan, to));
}

// Pieces of no bytes: alltoallv has them.
TEST_P(Kept, PiecesOfNoBytesAreRequestsOfNoBytes)
{
	segue_fan_result results[COUNT];
	segue_local_buf none[COUNT], to[COUNT];
	segue_remote_buf there[COUNT];
	segue_fan fan = {};

	open();
	for (uint32_t i = 0; i < COUNT; i++) {
		ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &to[i]));
		ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &none[i]));
		none[i].length = 0;
		ASSERT_OK(segue_mr_remote_buf(mrs[i], 0, 64, &there[i]));
		there[i].length = 0;
	}
	segue_channel *one = segue_multi_channel_at(multis[0], 1);
	EXPECT_OK(segue_channel_write(one, &none[1], &there[1], segue_deadline_in_ms(WAIT_MS)));
	EXPECT_OK(segue_channel_read(one, &none[1], &there[1], segue_deadline_in_ms(WAIT_MS)));
	EXPECT_OK(segue_channel_send(one, &none[1], segue_deadline_in_ms(WAIT_MS)));
	fan.multi = multis[0];
	fan.count = COUNT;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	EXPECT_OK(segue_fan_write(&fan, none, there));
	EXPECT_OK(segue_fan_read(&fan, none, there));
	EXPECT_OK(segue_fan_send(&fan, none));
	for (const segue_fan_result &result : results) {
		EXPECT_EQ(0, result.error);
		EXPECT_EQ(0u, result.bytes);
	}
	for (const uint8_t *bytes : memory)
		EXPECT_EQ(bytes[0], bytes[BYTES - 1]);
	// Of a fan, a peer to which nothing is to be written is left alone, dead or not.
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 2, "the test says so"));
	EXPECT_OK(segue_fan_write(&fan, none, there));
	EXPECT_OK(segue_fan_read(&fan, none, there));
	EXPECT_EQ(SEGUE_OUTCOME_EXECUTED, results[2].end);
	EXPECT_STREQ("", results[2].sentence);
	EXPECT_EQ(-EIO, segue_fan_send(&fan, none)); // a message without bytes is one
	EXPECT_EQ(-ENOTCONN, results[2].error);
	EXPECT_EQ(0, results[1].error);
	// What was refused before anything was posted is no success.
	none[1].length = 64;
	EXPECT_EQ(-ERANGE, segue_fan_write(&fan, none, there));
	for (const segue_fan_result &result : results) {
		EXPECT_EQ(-ECANCELED, result.error);
		EXPECT_EQ(SEGUE_OUTCOME_NOT_EXECUTED, result.end);
	}
}

// A poll that fails in the middle: what is in flight is not said to be done.
TEST_P(Kept, AFanWhosePollFailsSaysWhatIsNotKnown)
{
	segue_fan_result results[2];
	segue_local_buf from[2];
	segue_remote_buf to[2];
	const uint32_t peers[] = {1, 2};
	segue_dci_sender dci;
	segue_fan fan = {};

	open();
	fan.multi = multis[0];
	fan.peers = peers;
	fan.count = 2;
	fan.results = results;
	fan.deadline = segue_deadline_in_ms(WAIT_MS);
	for (uint32_t i = 0; i < 2; i++) {
		ASSERT_OK(segue_mr_local_buf(mrs[0], 0, 64, &from[i]));
		ASSERT_OK(segue_mr_remote_buf(mrs[peers[i]], 0, 64, &to[i]));
	}
	segue_channel *one = segue_multi_channel_at(multis[0], 1);
	if (GetParam() == SEGUE_TRANSPORT_DC) {
		ASSERT_OK(segue_channel_dci_sender(one, &dci));
	}
	segue_cq_queue known = {};

	known.number = segue_qp_number(segue_channel_qp(one));
	ASSERT_OK(segue_cq_detach(multis[0]->cq, &known));
	EXPECT_EQ(-EINVAL,
		  segue_fan_write(&fan, from,
				  to)); // what a poll says of a queue pair that it does not know
	EXPECT_EQ(-ETIMEDOUT, results[0].error);
	EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN, results[0].end);
	EXPECT_EQ(0u, results[0].bytes);
	EXPECT_SAYS("entries for rank");
}

TEST_P(Kept, DrainingEndsBehindASilentRequest)
{
	open();
	ASSERT_OK(post(1, 0));
	ASSERT_OK(post(2, SEGUE_SIGNALED));
	ASSERT_OK(post(2, 0));
	EXPECT_OK(segue_multi_channel_drain(multis[0], segue_deadline_in_ms(5000)));
}

TEST_P(Kept, AFailureIsSaidOnceAndKeepaliveSaysThatItIs)
{
	keepalive_ms = 50;
	open();
	kill(2);
	segue_channel *two = segue_multi_channel_at(multis[0], 2);
	const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);

	while (segue_channel_state(two) == SEGUE_CHANNEL_UP && segue_deadline_left_ms(deadline))
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, take, this)));
	const std::string reason = segue_channel_reason(two);
	EXPECT_EQ(0u, reason.find("peer 2, generation 1: keepalive has found it silent")) << reason;
	EXPECT_NE(std::string::npos, reason.find("TRANSPORT_RETRY_EXC_ERR")) << reason;
	EXPECT_EQ(std::string::npos, reason.find("rkey")) << reason;
	EXPECT_EQ(-ENOTCONN, post(2, SEGUE_SIGNALED));
	EXPECT_EQ("The channel has failed: " + reason, segue_errmsg());
}

TEST_P(Kept, TheQueuePairBehindAChannelCanBeHadAndMayTakeLargerRequests)
{
	open();
	segue_channel *one = segue_multi_channel_at(multis[0], 1);

	if (GetParam() == SEGUE_TRANSPORT_DC) {
		segue_dci_sender dci;

		EXPECT_EQ(nullptr, segue_channel_qp(one));
		EXPECT_SAYS("Peer 1 has no DCI now");
		ASSERT_OK(segue_channel_dci_sender(one, &dci));
		EXPECT_EQ(dci.sq, segue_qp_dci_sq(segue_channel_qp(one)));
	} else {
		EXPECT_EQ(segue_channel_rc_sq(one), segue_qp_rc_sq(segue_channel_qp(one)));
	}
	ASSERT_OK(segue_multi_channel_fail_peer(multis[0], 1, "the test says so"));
	EXPECT_EQ(nullptr, segue_channel_qp(one));
	EXPECT_SAYS("the test says so");
}

// What a peer may write to is a window, bound and taken back on the channel's own queue; and a list
// of pieces, over RC.
TEST_P(Kept, WindowsAndListsOfMemoryByPeer)
{
	segue_mw_bind_options part = {};
	segue_mr_options attr = {};
	segue_dci_sender dci;
	segue_remote_buf shown;
	segue_local_buf from;
	segue_mkey *mkey;
	segue_mr *whole;
	segue_mw *mw;

	open();
	attr.addr = memory[0];
	attr.length = BYTES;
	attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND;
	ASSERT_OK(segue_mr_open(pd, &attr, &whole));
	ASSERT_OK(segue_mw_open(
		pd, GetParam() == SEGUE_TRANSPORT_DC ? SEGUE_MW_TYPE_1 : SEGUE_MW_TYPE_2, &mw));
	segue_channel *one = segue_multi_channel_at(multis[0], 1);
	if (GetParam() == SEGUE_TRANSPORT_DC) {
		ASSERT_OK(segue_channel_dci_sender(one, &dci));
	}
	segue_qp *qp = segue_channel_qp(one);
	ASSERT_NE(nullptr, qp) << segue_errmsg();
	ASSERT_OK(segue_qp_supports(qp, GetParam() == SEGUE_TRANSPORT_DC ? "bind_mw_type1"
									 : "bind_mw"));
	part.wr_id = 5;
	part.flags = SEGUE_SIGNALED;
	part.mw = mw;
	part.mr = whole;
	part.offset = 256;
	part.length = 64;
	part.access = SEGUE_ACCESS_REMOTE_WRITE;
	ASSERT_OK(segue_qp_bind_mw(qp, &part, &shown));
	poll_until(1);
	EXPECT_EQ(0, came[0][0].syndrome);
	EXPECT_EQ(5u, came[0][0].wr_id);
	EXPECT_EQ(1u, came[0][0].peer.index);
	ASSERT_OK(segue_mr_local_buf(mrs[1], 0, 64, &from));
	EXPECT_OK(segue_channel_write(segue_multi_channel_at(multis[1], 0), &from, &shown,
				      segue_deadline_in_ms(WAIT_MS)));
	EXPECT_EQ(2, memory[0][256 + 63]);
	if (GetParam() == SEGUE_TRANSPORT_DC) { // it may have changed hands
		ASSERT_OK(segue_channel_dci_sender(one, &dci));
	}
	ASSERT_OK(segue_qp_unbind_mw(segue_channel_qp(one), 6, SEGUE_SIGNALED, mw));
	poll_until(2);
	EXPECT_EQ(0, came[0][1].syndrome);
	if (GetParam() == SEGUE_TRANSPORT_RC) {
		segue_mkey_layout umr = {};
		segue_mkey_options mkey_options = {};
		segue_local_buf pieces[2];

		mkey_options.max_entries = 4;
		ASSERT_OK(segue_mkey_open(pd, &mkey_options, &mkey));
		ASSERT_OK(segue_qp_supports(qp, "umr_list"));
		umr.wr_id = 8;
		umr.flags = SEGUE_SIGNALED;
		umr.mkey = mkey;
		umr.access = SEGUE_ACCESS_LOCAL_WRITE;
		for (uint32_t i = 0; i < 2; i++)
			ASSERT_OK(segue_mr_local_buf(mrs[0], 1024 + 512 * i, 64, &pieces[i]));
		ASSERT_OK(segue_mkey_post_list(segue_channel_rc_sq(one), &umr, pieces, 2));
		poll_until(3);
		EXPECT_EQ(0, came[0][2].syndrome);
		ASSERT_OK(segue_mkey_close(mkey));
	}
	ASSERT_OK(segue_mw_close(mw));
	ASSERT_OK(segue_mr_close(whole));
}

INSTANTIATE_TEST_SUITE_P(Over, Kept, ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
