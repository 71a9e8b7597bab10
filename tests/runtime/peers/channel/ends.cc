// SPDX-License-Identifier: BSD-2-Clause
// The four ends of requests, each brought about, and the books of both sides compared: what the
// sender was told of each request, and how often the receiver has seen it carried out.
#include <dlfcn.h>

#include <map>

#include "runtime/peers/channel/multi_channel.h"
#include "tests/runtime/peers/channel/trio.h"

namespace
{

// The emulated device's own interface (tools/softhca/uverbs/preload/injection.h).
void inject(const char *line)
{
	int (*const call)(const char *) = reinterpret_cast<int (*)(const char *)>(
		dlsym(RTLD_DEFAULT, "softhca_inject"));

	ASSERT_NE(nullptr, call);
	ASSERT_EQ(0, call(line)) << line;
}

enum Kind { WRITE, SEND, ADD };

} // namespace

// 0 sends to 1. Each request has a number, and a word of 1's memory that nothing else writes to.
class Ends : public Trio
{
      protected:
	static constexpr uint32_t PEER = 1, RIGHT = 0, WRONG = 0x5a00;
	static constexpr uint64_t NOT_TOLD = UINT64_MAX;

	struct Told {
		Kind kind;
		uint64_t end; // enum segue_outcome, or NOT_TOLD
	};

	void SetUp() override
	{
		Trio::SetUp();
		path.rnr_retry = 1;
		path.min_rnr_timer = 1;
	}

	void TearDown() override
	{
		inject("clear");
		Trio::TearDown();
	}

	void open_pair(uint32_t receives)
	{
		open(receives);
		for (uint32_t i = 0; i < COUNT; i++)
			memset(memory[i], 0, BYTES);
	}

	static void tell(const segue_wc *wc, void *arg) noexcept
	{
		Ends *self = static_cast<Ends *>(arg);
		Told &told = self->book[wc->wr_id];

		if (segue_wc_is_receive(wc))
			return;
		EXPECT_EQ(NOT_TOLD, told.end) << wc->wr_id << " ends twice";
		EXPECT_EQ(PEER, wc->peer.index);
		told.end = segue_multi_channel_outcome(self->multis[0], wc);
	}

	static void receive(const segue_wc *wc, void *arg) noexcept
	{
		Ends *self = static_cast<Ends *>(arg);
		uint64_t number;

		if (wc->syndrome || !segue_wc_is_receive(wc))
			return;
		memcpy(&number, segue_multi_channel_payload(self->multis[PEER], wc),
		       sizeof(number));
		self->messages[number]++;
		if (self->gives_back)
			segue_multi_channel_give_back(self->multis[PEER], wc);
	}

	void poll()
	{
		ASSERT_LE(0, found(segue_multi_channel_poll_each(multis[0], 16, tell, this)));
		if (multis[PEER]) {
			ASSERT_LE(0,
				  segue_multi_channel_poll_each(multis[PEER], 16, receive, this));
		}
	}

	// Returns its number.
	uint64_t request(Kind kind, uint32_t key = RIGHT)
	{
		const uint64_t number = ++last;
		const uint32_t offset = (uint32_t)number * 8;
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		int ret;

		book[number] = {kind, NOT_TOLD};
		memcpy(memory[0] + offset, &number, sizeof(number));
		while ((ret = post_it(kind, number, offset, key)) == -EAGAIN &&
		       segue_deadline_left_ms(deadline))
			poll();
		EXPECT_EQ(0, ret) << segue_errmsg();
		return number;
	}

	int post_it(Kind kind, uint64_t number, uint32_t offset, uint32_t key)
	{
		const segue_seg_data entry = piece(0, offset, 8);
		segue_peer_rdma_write_args write = {};
		segue_peer_atomic_fa_args add = {};
		segue_peer_send_imm_args send = {};

		switch (kind) {
		case WRITE:
			write.wr_id = number;
			write.flags = SEGUE_SIGNALED;
			write.remote_addr = remote.addr + offset;
			write.rkey = remote.key.rkey ^ key;
			write.sges = &entry;
			write.sge_count = 1;
			return segue_peer_rdma_write(multis[0], PEER, &write);
		case ADD:
			add.wr_id = number;
			add.flags = SEGUE_SIGNALED;
			add.remote_addr = remote.addr + offset;
			add.rkey = remote.key.rkey ^ key;
			add.swap_add = 1;
			add.addr = entry.addr;
			add.byte_count = 8;
			add.lkey = entry.lkey;
			return segue_peer_atomic_fa(multis[0], PEER, &add);
		default:
			send.wr_id = number;
			send.flags = SEGUE_SIGNALED;
			send.imm = segue_multi_channel_imm(multis[0]);
			send.sges = &entry;
			send.sge_count = 1;
			return segue_peer_send_imm(multis[0], PEER, &send);
		}
	}

	// Until all have been told.
	void settle()
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		bool all = false;

		while (!all && segue_deadline_left_ms(deadline)) {
			poll();
			all = true;
			for (const auto &[number, told] : book)
				all &= told.end != NOT_TOLD;
		}
		EXPECT_TRUE(all) << "a request has no end";
		compare();
	}

	// How often the receiver has seen it carried out.
	uint64_t seen(uint64_t number)
	{
		uint64_t word;

		memcpy(&word, memory[PEER] + number * 8, sizeof(word));
		if (book[number].kind == SEND)
			return messages[number];
		if (book[number].kind == ADD)
			return word;
		EXPECT_TRUE(!word || word == number) << number << " is " << word;
		return word != 0;
	}

	// Whatever the sender was told is true of the receiver.
	void compare()
	{
		for (const auto &[number, told] : book) {
			const uint64_t times = seen(number);

			if (told.end == SEGUE_OUTCOME_EXECUTED)
				EXPECT_EQ(1u, times) << number;
			else if (told.end == SEGUE_OUTCOME_UNKNOWN)
				EXPECT_LE(times, 1u) << number;
			else
				EXPECT_EQ(0u, times) << number << " has end " << told.end;
		}
	}

	void expect_end(uint64_t number, segue_outcome end)
	{
		EXPECT_EQ(static_cast<uint64_t>(end), book[number].end) << number;
	}

	// What may be posted again is, and is carried out once: the books know it by a new number.
	void post_again(const std::vector<uint64_t> &numbers)
	{
		std::vector<uint64_t> again;

		for (const uint64_t number : numbers) {
			expect_end(number, SEGUE_OUTCOME_NOT_EXECUTED);
			again.push_back(request(book[number].kind));
		}
		settle();
		for (const uint64_t number : again)
			expect_end(number, SEGUE_OUTCOME_EXECUTED);
	}

	// Over RC, and over DC after silence, the channel has failed: both sides renew it.
	void connect_again()
	{
		segue_endpoint of_peer, of_self;

		if (segue_channel_state(segue_multi_channel_at(multis[0], PEER)) ==
		    SEGUE_CHANNEL_UP)
			return;
		ASSERT_OK(segue_multi_channel_restart_peer(multis[0], PEER,
							   segue_deadline_in_ms(WAIT_MS)));
		ASSERT_OK(segue_multi_channel_restart_peer(multis[PEER], 0,
							   segue_deadline_in_ms(WAIT_MS)));
		ASSERT_OK(segue_multi_channel_endpoint(multis[0], PEER, &of_self));
		ASSERT_OK(segue_multi_channel_endpoint(multis[PEER], 0, &of_peer));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[0], PEER, &of_peer));
		ASSERT_OK(segue_multi_channel_connect_peer(multis[PEER], 0, &of_self));
	}

	void find_memory()
	{
		ASSERT_OK(segue_mr_remote_buf(mrs[PEER], 0, BYTES, &remote));
	}

	uint64_t last = 0;
	bool gives_back = true;
	segue_remote_buf remote = {};
	std::map<uint64_t, Told> book;
	std::map<uint64_t, uint64_t> messages;
};

TEST_P(Ends, CarriedOut)
{
	open_pair(64);
	find_memory();
	for (const Kind kind : {WRITE, SEND, ADD, WRITE})
		request(kind);
	settle();
	for (const auto &[number, told] : book)
		expect_end(number, SEGUE_OUTCOME_EXECUTED);
}

// One is refused; those before it were carried out, and those behind it were never sent.
TEST_P(Ends, FailedAndBehindItNotCarriedOut)
{
	open_pair(64);
	find_memory();
	const uint64_t before = request(WRITE);
	settle(); // or the failed one might go first over another DCI
	const uint64_t refused = request(WRITE, WRONG);
	const std::vector<uint64_t> behind = {request(WRITE), request(SEND), request(ADD)};
	settle();
	expect_end(before, SEGUE_OUTCOME_EXECUTED);
	expect_end(refused, SEGUE_OUTCOME_FAILED);
	connect_again();
	post_again(behind);
}

TEST_P(Ends, FailedAtomic)
{
	open_pair(64);
	find_memory();
	const uint64_t refused = request(ADD, WRONG);
	settle();
	expect_end(refused, SEGUE_OUTCOME_FAILED);
	connect_again();
	const uint64_t after = request(ADD);
	settle();
	expect_end(after, SEGUE_OUTCOME_EXECUTED);
}

// The receiver has room for one message, which it keeps: the second finds no receive.
TEST_P(Ends, NotCarriedOutWithoutAReceive)
{
	open_pair(1);
	find_memory();
	gives_back = false;
	const uint64_t first = request(SEND);
	settle();
	const std::vector<uint64_t> refused = {request(SEND), request(WRITE), request(ADD)};
	settle();
	expect_end(first, SEGUE_OUTCOME_EXECUTED);
	for (const uint64_t number : refused)
		expect_end(number, SEGUE_OUTCOME_NOT_EXECUTED);
}

// Its requests come through, but no answer does: all were carried out, once, though they were sent
// again and again.
TEST_P(Ends, UnknownThoughCarriedOut)
{
	std::vector<uint64_t> numbers;

	open_pair(64);
	find_memory();
	inject(GetParam() == SEGUE_TRANSPORT_RC ? "drop 100% op=0x11" : "drop 100% op=0xd1");
	inject(GetParam() == SEGUE_TRANSPORT_RC ? "drop 100% op=0x12" : "drop 100% op=0xd2");
	for (const Kind kind : {WRITE, SEND, ADD})
		numbers.push_back(request(kind));
	settle();
	inject("clear");
	for (const uint64_t number : numbers) {
		expect_end(number, SEGUE_OUTCOME_UNKNOWN);
		EXPECT_EQ(1u, seen(number)) << number;
	}
	connect_again();
	const uint64_t after = request(WRITE);
	settle();
	expect_end(after, SEGUE_OUTCOME_EXECUTED);
}

TEST_P(Ends, UnknownAndNeverThere)
{
	std::vector<uint64_t> numbers;

	open_pair(64);
	find_memory();
	inject("drop 100%");
	for (const Kind kind : {WRITE, SEND, ADD})
		numbers.push_back(request(kind));
	settle();
	inject("clear");
	for (const uint64_t number : numbers) {
		expect_end(number, SEGUE_OUTCOME_UNKNOWN);
		EXPECT_EQ(0u, seen(number)) << number;
	}
}

// The peer is gone: none of them can have been carried out, but who would know?
TEST_P(Ends, UnknownAfterADeath)
{
	open_pair(64);
	find_memory();
	kill(PEER);
	const std::vector<uint64_t> numbers = {request(WRITE), request(SEND), request(ADD)};
	settle();
	for (const uint64_t number : numbers)
		expect_end(number, SEGUE_OUTCOME_UNKNOWN);
}

INSTANTIATE_TEST_SUITE_P(Over, Ends, ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC),
			 name_of_transport);
