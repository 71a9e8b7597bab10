// SPDX-License-Identifier: BSD-2-Clause
// Two rails over two ports of a device: peers are spread, a rail that fails is named and left, and
// taken again.
#include "segue/peers/multi_channel.h"

#include <dlfcn.h>

#include "tests/runtime/peers/channel/sharing.h"

class Rails : public Sharing {
protected:
	static constexpr uint32_t RAILS = 2;

	void adjust(segue_multi_channel_options *options) override
	{
		ASSERT_NO_FATAL_FAILURE(share(options, 16384, 128));
		first[options->self] = *options;
	}

	// The second rail is like the first, but for its port.
	void open_rails()
	{
		segue_path other = path;

		open();
		ASSERT_OK(segue_path_init(&other, device, 2));
		other.timeout = path.timeout;
		other.retry_cnt = path.retry_cnt;
		other.rnr_retry = path.rnr_retry;
		for (uint32_t i = 0; i < COUNT; i++) {
			rails[i][0] = multis[i];
			first[i].path = &other;
			ASSERT_OK(segue_multi_channel_open(pd, &first[i], &rails[i][1]));
		}
		for (uint32_t i = 0; i < COUNT; i++)
			for (uint32_t peer = 0; peer < COUNT; peer++)
				up(i, peer);
		mine.multis = rails[0].data();
		mine.count = RAILS;
	}

	void up(uint32_t self, uint32_t peer)
	{
		segue_endpoint theirs;

		ASSERT_OK(segue_multi_channel_endpoint(rails[peer][1], self, &theirs));
		ASSERT_OK(segue_multi_channel_connect_peer(rails[self][1], peer, &theirs));
	}

	struct Seen {
		Rails *test;
		std::vector<std::pair<segue_wc, segue_multi_channel *>> all;
	};

	static void see(const segue_wc *wc, void *arg) noexcept
	{
		Seen *seen = static_cast<Seen *>(arg);

		seen->all.emplace_back(*wc, segue_multi_channel_of(wc));
		if (segue_wc_is_receive(wc))
			segue_multi_channel_give_back(segue_multi_channel_of(wc), wc);
	}

	// A message of 0 by this rail; the completions at both ends. `taken`: one is expected there
	Seen say(segue_multi_channel *rail, uint32_t peer, bool taken)
	{
		const segue_deadline deadline = segue_deadline_in_ms(WAIT_MS);
		const segue_seg_data entry = piece(0, 0, 64);
		segue_peer_send_imm_args args = {};
		Seen seen = {this, {}};

		args.wr_id = 5;
		args.flags = SEGUE_SIGNALED;
		args.imm = segue_multi_channel_imm(rail);
		args.sges = &entry;
		args.sge_count = 1;
		EXPECT_OK(segue_peer_send_imm(rail, peer, &args));
		while (seen.all.size() < (taken ? 2u : 1u) && segue_deadline_left_ms(deadline))
			for (uint32_t i = 0; i < COUNT; i++)
				for (segue_multi_channel *multi : rails[i])
					EXPECT_LE(0, found(segue_multi_channel_poll_each(
							     multi, 16, see, &seen)));
		return seen;
	}

	// By the rail that it should take, to the peer's end of that.
	void expect_by(uint32_t rail, uint32_t peer)
	{
		ASSERT_EQ(rails[0][rail], segue_rails_pick(&mine, peer)) << "peer " << peer;
		const Seen seen = say(rails[0][rail], peer, true);

		ASSERT_EQ(2u, seen.all.size());
		for (const auto &one : seen.all) {
			const bool received = segue_wc_is_receive(&one.first);

			EXPECT_EQ(0, one.first.syndrome);
			EXPECT_EQ(received ? 0u : peer, one.first.peer.index);
			EXPECT_EQ(rails[received ? peer : 0][rail], one.second);
		}
	}

	void inject(const char *line)
	{
		int (*softhca_inject)(const char *);

		*(void **)&softhca_inject = dlsym(RTLD_DEFAULT, "softhca_inject");
		ASSERT_NE(nullptr, softhca_inject);
		ASSERT_EQ(0, softhca_inject(line));
	}

	// The other rail of a peer does not work: the program finds out, and over UD has to be
	// told.
	void lose_second_rail(uint32_t peer)
	{
		inject("at 0s port-down port=2");
		if (GetParam() == SEGUE_TRANSPORT_UD) {
			ASSERT_OK(
				segue_multi_channel_fail_peer(rails[0][1], peer, "port 2 is down"));
			return;
		}
		const Seen seen = say(rails[0][1], peer, false);

		ASSERT_EQ(1u, seen.all.size());
		EXPECT_EQ(SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, seen.all[0].first.syndrome);
		EXPECT_EQ(rails[0][1], seen.all[0].second);
		EXPECT_EQ(SEGUE_OUTCOME_UNKNOWN,
			  segue_multi_channel_outcome(seen.all[0].second, &seen.all[0].first));
		EXPECT_NE(nullptr,
			  strstr(segue_channel_reason(segue_multi_channel_at(rails[0][1], peer)),
				 "RETRY_EXC"));
	}

	void TearDown() override
	{
		for (auto &one : rails)
			EXPECT_OK(segue_multi_channel_close(one[1]));
		Trio::TearDown();
	}

	std::array<std::array<segue_multi_channel *, RAILS>, COUNT> rails = {};
	std::array<segue_multi_channel_options, COUNT> first = {};
	segue_rails mine = {};
};

TEST_P(Rails, ARailThatFailsIsLeftAndTakenAgain)
{
	ASSERT_NO_FATAL_FAILURE(open_rails());
	for (uint32_t peer = 0; peer < COUNT; peer++)
		expect_by(peer % RAILS, peer);
	lose_second_rail(1);
	for (uint32_t peer = 0; peer < COUNT; peer++)
		expect_by(0, peer);
	inject("at 0s port-up port=2");
	ASSERT_OK(segue_multi_channel_restart_peer(rails[0][1], 1, segue_deadline_in_ms(WAIT_MS)));
	ASSERT_OK(segue_multi_channel_restart_peer(rails[1][1], 0, segue_deadline_in_ms(WAIT_MS)));
	up(0, 1);
	up(1, 0);
	for (uint32_t peer = 0; peer < COUNT; peer++)
		expect_by(peer % RAILS, peer);
}

// Up on none: it is refused where it belongs, with the reason.
TEST_P(Rails, APeerThatIsUpOnNoneIsRefusedWithTheReason)
{
	const segue_seg_data entry = {};
	segue_peer_send_imm_args args = {};

	ASSERT_NO_FATAL_FAILURE(open_rails());
	ASSERT_OK(segue_multi_channel_fail_peer(rails[0][0], 1, "the first"));
	ASSERT_OK(segue_multi_channel_fail_peer(rails[0][1], 1, "the second"));
	args.sges = &entry;
	EXPECT_EQ(rails[0][1], segue_rails_pick(&mine, 1));
	EXPECT_EQ(-ENOTCONN, segue_peer_send_imm(segue_rails_pick(&mine, 1), 1, &args));
	EXPECT_SAYS("the second");
	EXPECT_EQ(-EINVAL, segue_peer_send_imm(segue_rails_pick(&mine, COUNT), COUNT, &args));
	EXPECT_SAYS("peer 3 does not exist");
}

INSTANTIATE_TEST_SUITE_P(All, Rails,
			 ::testing::Values(SEGUE_TRANSPORT_RC, SEGUE_TRANSPORT_DC,
					   SEGUE_TRANSPORT_UD),
			 name_of_transport);
