// SPDX-License-Identifier: BSD-2-Clause
// Control calls from a handler: each is refused with a sentence, changes nothing, and works when
// the poll is over. For each kind of poll, wherever it has come to.
#include <functional>
#include <memory>

#include "tests/runtime/control/fixture.h"

namespace
{
constexpr uint64_t POSTED = 12; // requests of each queue pair

struct Call {
	const char *name;
	std::function<int()> make;
};

class Handlers : public Control
{
      protected:
	void SetUp() override
	{
		Control::SetUp();
		segue_mr *mr = share(memory, sizeof(memory));

		ASSERT_OK(segue_mr_local_buf(mr, 0, sizeof(memory), &local));
		ASSERT_OK(segue_mr_remote_buf(mr, 0, sizeof(memory), &remote));
		victim = loop();
		other = loop();
	}

	segue_qp *loop(bool payload = false)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.max_recv_wr = 64;
		options.scatter_to_cqe = payload;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		segue_path path = path_to(segue_qp_number(qp));

		path.sq_psn = path.rq_psn = next_psn += 0x1000;
		EXPECT_OK(segue_qp_connect(qp, &path));
		return qp;
	}

	int write(segue_qp *qp, uint64_t id, uint32_t key)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_write(segue_qp_rc_sq(qp), id, SEGUE_SIGNALED),
				    remote.addr, key),
			local.addr, 8, local.key.lkey));
	}

	static void grow(const segue_wc *, void *arg) noexcept
	{
		auto *const self = static_cast<Handlers *>(arg);
		segue_qp_options large = self->options_for(SEGUE_QP_RC);
		segue_qp *qp;

		large.max_send_wr = 1000;
		EXPECT_EQ(-EBUSY, segue_qp_open(self->pd, &large, &qp));
		EXPECT_SAYS("segue_qp_open()");
	}

	// Until so many entries wait in the ring: what is to come is not waited for in handlers.
	void await(uint32_t entries)
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);
		const uint32_t from = seguei_cq_ci(cq);

		while (!written(from + entries - 1) && segue_deadline_left_ms(deadline) > 0)
			sched_yield();
		ASSERT_TRUE(written(from + entries - 1));
	}

	bool written(uint32_t at) const
	{
		const uint8_t *entry = cq->ring.buf + (size_t)((at & (cq->ring.cqe_cnt - 1)) + 1) *
							      cq->ring.entry_size;
		const uint8_t op_own = *(const volatile uint8_t *)(entry - 1);

		return op_own >> 4 != SEGUE_CQE_OPCODE_INVALID &&
		       (op_own & 1) == (at >> cq->ring.log_cnt & 1);
	}

	void post_both(uint32_t key)
	{
		for (uint64_t i = 0; i < POSTED; i++) {
			ASSERT_OK(write(victim, i, key));
			ASSERT_OK(write(other, i, remote.key.rkey));
		}
	}

	std::vector<Call> calls()
	{
		static segue_qp *never;
		static segue_qp_info info;
		static const auto ignore = [](const segue_wc *, void *) noexcept {
			ADD_FAILURE() << "a call that is refused hands out nothing";
		};
		static segue_wc wc[4];

		(void)wc;
		return
		{
			{"Closing", [this] { return segue_qp_close(victim); }},
				{"segue_qp_modify_to()",
				 [this] {
					 return segue_qp_modify_to(victim, SEGUE_QP_STATE_ERR,
								   nullptr);
				 }},
				{"segue_qp_modify_to()",
				 [this] {
					 return segue_qp_modify_to(victim, SEGUE_QP_STATE_RESET,
								   nullptr);
				 }},
				{"segue_qp_modify()",
				 [this] {
					 ibv_qp_attr attr = {};

					 attr.qp_state = IBV_QPS_RESET;
					 return segue_qp_modify(victim, &attr, SEGUE_QP_ATTR_STATE);
				 }},
				{"segue_qp_query()",
				 [this] { return segue_qp_query(victim, &info); }},
				{"segue_qp_stop_begin()",
				 [this] { return segue_qp_reset(victim, ignore, nullptr); }},
				{"segue_qp_stop_begin()",
				 [this] {
					 return segue_qp_drain(victim, SEGUE_NOW, ignore, nullptr);
				 }},
				{"segue_qp_stop_begin()",
				 [this] {
					 return segue_qp_flush(victim, SEGUE_NOW, ignore, nullptr);
				 }},
				{"segue_qp_stop_progress()",
				 [this] {
					 bool there;

					 return segue_qp_stop_progress(victim, ignore, nullptr,
								       &there);
				 }},
				{"segue_qp_open()",
				 [this] {
					 const segue_qp_options options = options_for(SEGUE_QP_RC);

					 return segue_qp_open(pd, &options, &never);
				 }},
				{"segue_qp_adopt()",
				 [this] {
					 const segue_qp_options options = options_for(SEGUE_QP_RC);

					 return segue_qp_adopt(pd, segue_qp_ibv(victim), &options,
							       &never);
				 }},
				{"segue_cq_resize()", [this] { return segue_cq_resize(cq, 9000); }},
				{"segue_cq_attach()",
				 [this] {
					 segue_cq_queue queue = {};

					 queue.number = 0x777;
					 queue.sq = &segue_qp_rc_sq(victim)->sq;
					 return segue_cq_attach(cq, &queue);
				 }},
				{"segue_cq_detach()",
				 [this] {
					 segue_cq_queue queue = {};

					 queue.number = segue_qp_number(victim);
					 return segue_cq_detach(cq, &queue);
				 }},
				{"segue_cq_detach()",
				 [this] {
					 segue_cq_queue queue = {};

					 queue.key = SEGUE_CQ_BY_DEFAULT;
					 return segue_cq_detach(cq, &queue);
				 }},
				{"Closing", [this] { return segue_pd_close(pd); }},
				{"Closing", [this] { return segue_device_close(device); }},
#if !SEGUE_CHECKED /* which stops here */
				{"Polling",
				 [this] { return segue_cq_poll_each(cq, 8, ignore, nullptr); }},
				{"Polling",
				 [this] { return segue_cq_poll_each(cq, 1, ignore, nullptr); }},
				{"Polling", [this] { return segue_cq_poll(cq, 1, wc); }},
				{"Polling", [this] { return segue_cq_poll(cq, 4, wc); }},
				{"Polling", [this] { return segue_cq_start_poll(cq, wc); }},
#endif
		};
	}

	// @nested: also other polls, where they would do harm.
	void try_all(bool nested)
	{
		for (const Call &call : calls()) {
			if (!nested && !strcmp(call.name, "Polling"))
				continue;
			EXPECT_EQ(-EBUSY, call.make()) << call.name;
			EXPECT_SAYS(call.name);
			EXPECT_SAYS("is being polled");
		}
	}

	static void look(const segue_wc *wc, void *arg) noexcept
	{
		static_cast<Handlers *>(arg)->see(wc);
	}

	void see(const segue_wc *wc)
	{
		std::vector<segue_wc> &of = wc->qpn == segue_qp_number(victim) ? victims : others;

		ASSERT_EQ(of.size(), wc->wr_id);
		of.push_back(*wc);
		try_all(nested);
	}

	// What all have come to when everything was polled.
	void expect_all(bool failed = false)
	{
		ASSERT_EQ(POSTED, victims.size());
		ASSERT_EQ(POSTED, others.size());
		for (uint64_t i = 0; i < POSTED; i++) {
			EXPECT_EQ(failed, victims[i].syndrome != 0);
			EXPECT_EQ(0, others[i].syndrome);
		}
		EXPECT_FALSE(written(seguei_cq_ci(cq)));
		EXPECT_OK(segue_cq_resize(cq, 9000));
		EXPECT_OK(segue_qp_reset(victim, keep, &others));
		EXPECT_OK(segue_qp_close(victim));
		EXPECT_EQ(POSTED, others.size());
		post_more();
	}

	// The queue pair that stays goes on.
	void post_more()
	{
		segue_wc wc;

		for (uint64_t i = 0; i < 3000; i++) {
			const segue_deadline deadline = segue_deadline_in_ms(30000);
			int n = 0;

			ASSERT_OK(write(other, i, remote.key.rkey));
			while (!n && segue_deadline_left_ms(deadline) > 0)
				n = found(segue_cq_poll(cq, 1, &wc));
			ASSERT_EQ(1, n);
			ASSERT_EQ(i, wc.wr_id);
			ASSERT_EQ(0, wc.syndrome);
		}
	}

	segue_qp *victim = nullptr, *other = nullptr;
	std::vector<segue_wc> victims, others;
	bool nested = false;
	segue_local_buf local = {};
	segue_remote_buf remote = {};
	char memory[4096] = {};
};

TEST_F(Handlers, AmongGoodOnes)
{
	post_both(remote.key.rkey);
	await(2 * POSTED);
	nested = true;
	while (victims.size() + others.size() < 2 * POSTED)
		ASSERT_LT(0, segue_cq_poll_each(cq, 5, look, this)) << segue_errmsg();
	expect_all();
}

TEST_F(Handlers, OneByCall)
{
	post_both(remote.key.rkey);
	await(2 * POSTED);
	while (victims.size() + others.size() < 2 * POSTED)
		ASSERT_LT(0, segue_cq_poll_each(cq, 1, look, this)) << segue_errmsg();
	expect_all();
}

// Closing the queue pair whose completion has failed is what one would like to do.
TEST_F(Handlers, AtFailedOnes)
{
	post_both(remote.key.rkey ^ 0xff00);
	await(2 * POSTED);
	while (victims.size() + others.size() < 2 * POSTED)
		ASSERT_LT(0, segue_cq_poll_each(cq, 64, look, this)) << segue_errmsg();
	expect_all(true);
}

TEST_F(Handlers, BetweenStartAndEnd)
{
	segue_wc wc;
	int ret;

	post_both(remote.key.rkey);
	await(2 * POSTED);
	for (ret = segue_cq_start_poll(cq, &wc); !ret; ret = segue_cq_next_poll(cq, &wc))
		see(&wc);
	ASSERT_EQ(-ENOENT, ret);
	segue_cq_end_poll(cq);
	expect_all();
}

// At the ring's last entry, and in each other place: round after round.
TEST_F(Handlers, AllAlongTheRing)
{
	const uint32_t entries = 3 * cq->ring.cqe_cnt;
	uint32_t seen = 0;

	while (seen < entries) {
		std::function<void(const segue_wc &)> refuse = [&](const segue_wc &wc) {
			ASSERT_EQ(0, wc.syndrome);
			seen++;
			ASSERT_EQ(-EBUSY, segue_qp_close(victim));
			ASSERT_EQ(-EBUSY,
				  segue_qp_modify_to(victim, SEGUE_QP_STATE_RESET, nullptr));
		};
		const auto call = [](const segue_wc *wc, void *arg) noexcept {
			(*static_cast<decltype(refuse) *>(arg))(*wc);
		};

		for (uint64_t i = 0; i < 8; i++)
			ASSERT_OK(write(victim, i, remote.key.rkey));
		await(8);
		for (int n = 0; n < 8;)
			n += found(segue_cq_poll_each(cq, 8, call, &refuse));
	}
	EXPECT_OK(segue_qp_close(victim));
	post_more();
}

// Payload in the entry: by both forms.
TEST_F(Handlers, AtPayload)
{
	segue_qp *qp = loop(true);
	uint32_t seen = 0;
	const auto call = [](const segue_wc *, void *arg) noexcept {
		auto *const of = static_cast<std::pair<segue_qp *, uint32_t *> *>(arg);

		EXPECT_EQ(-EBUSY, segue_qp_close(of->first));
		++*of->second;
	};
	std::pair<segue_qp *, uint32_t *> arg{qp, &seen};

	for (uint64_t i = 0; i < 8; i++)
		ASSERT_OK(segue_post(
			segue_sge(segue_recv(segue_qp_rq(qp), i), local.addr, 8, local.key.lkey)));
	for (uint64_t i = 0; i < 8; i++)
		ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(qp), i, SEGUE_SIGNALED),
					       local.addr, 8, local.key.lkey)));
	await(16);
	while (seen < 8)
		ASSERT_LT(0, segue_cq_poll_each(cq, 3, call, &arg)) << segue_errmsg();
	while (seen < 16)
		ASSERT_LT(0, segue_cq_poll_each(cq, 3, call, &arg)) << segue_errmsg();
	EXPECT_OK(segue_qp_close(qp));
	post_more();
}

// A reset hands back what was posted, to a handler that may not close the queue pair, either.
TEST_F(Handlers, WhileAResetHandsBack)
{
	uint32_t seen = 0;
	const auto call = [](const segue_wc *, void *arg) noexcept {
		auto *const of = static_cast<std::pair<segue_qp *, uint32_t *> *>(arg);

		EXPECT_EQ(-EBUSY, segue_qp_close(of->first));
		EXPECT_EQ(-EBUSY, segue_qp_modify_to(of->first, SEGUE_QP_STATE_INIT, nullptr));
		++*of->second;
	};
	std::pair<segue_qp *, uint32_t *> arg{victim, &seen};

	for (uint64_t i = 0; i < 8; i++)
		ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(victim), i), local.addr, 8,
					       local.key.lkey)));
	EXPECT_OK(segue_qp_reset(victim, call, &arg));
	EXPECT_EQ(8u, seen);
	EXPECT_OK(segue_qp_close(victim));
	post_more();
}

// A queue that may grow does not do so under a poll.
TEST_F(Handlers, GrowthWaits)
{
	segue_cq *const whole = cq;
	segue_cq_options options = {};

	options.entries = 64;
	options.grow = true;
	ASSERT_OK(segue_cq_open(device, &options, &cq));
	victim = loop();
	for (uint64_t i = 0; i < 8; i++)
		ASSERT_OK(write(victim, i, remote.key.rkey));
	await(8);

	for (int n = 0; n < 8;)
		n += found(segue_cq_poll_each(cq, 8, grow, this));
	segue_qp_options large = options_for(SEGUE_QP_RC);
	segue_qp *qp;

	large.max_send_wr = 1000;
	EXPECT_OK(segue_qp_open(pd, &large, &qp));
	cq = whole;
}
} // namespace
