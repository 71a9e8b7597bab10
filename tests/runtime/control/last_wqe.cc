// SPDX-License-Identifier: BSD-2-Clause
// Closing a queue pair on a shared receive queue: the entry that it has taken comes back, also from
// a device that takes its time.
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/runtime/control/faults.h"

// How long the device takes to end what a queue pair in ERR receives; NEVER: it does not. softhca
// is done when the command is.
static constexpr unsigned kNever = ~0u;
static unsigned late_ms;

static struct Ending {
	std::mutex lock;
	ibv_qp *qp; // not in ERR yet, though it was told to
	std::thread thread;
} ending;

template <typename F> static F next(const char *name)
{
	return reinterpret_cast<F>(dlsym(RTLD_NEXT, name));
}

static int really_modify(ibv_qp *qp, ibv_qp_attr *attr, int mask)
{
	static const auto real = next<decltype(&ibv_modify_qp)>("ibv_modify_qp");

	return real(qp, attr, mask);
}

static void end_late(ibv_qp *qp)
{
	ibv_qp_attr attr = {};

	std::this_thread::sleep_for(std::chrono::milliseconds(late_ms));
	const std::lock_guard<std::mutex> guard(ending.lock);

	attr.qp_state = IBV_QPS_ERR;
	if (ending.qp == qp) {
		EXPECT_EQ(0, really_modify(qp, &attr, IBV_QP_STATE));
	}
	ending.qp = nullptr;
}

// Before those of libibverbs and of the device: a card answers the command, and ends what it has
// under way afterwards.
extern "C" int ibv_modify_qp(ibv_qp *qp, ibv_qp_attr *attr, int mask)
{
	if (!late_ms || !qp->srq || attr->qp_state != IBV_QPS_ERR)
		return really_modify(qp, attr, mask);
	if (late_ms == kNever)
		return 0;
	const std::lock_guard<std::mutex> guard(ending.lock);

	ending.qp = qp;
	ending.thread = std::thread(end_late, qp);
	return 0;
}

// A queue pair that is destroyed before gives nothing back.
extern "C" int ibv_destroy_qp(ibv_qp *qp)
{
	static const auto real = next<decltype(&ibv_destroy_qp)>("ibv_destroy_qp");

	{
		const std::lock_guard<std::mutex> guard(ending.lock);

		if (ending.qp == qp)
			ending.qp = nullptr;
	}
	if (qp->srq && ending.thread.joinable())
		ending.thread.join();
	return real(qp);
}

class LastWqe : public Faulty {
protected:
	void TearDown() override
	{
		late_ms = 0;
		Faulty::TearDown();
	}

	// A connection whose receiver is in the middle of a message.
	void receive_half(segue_srq *srq, Pair *made)
	{
		const volatile uint8_t *first = to;
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		made->a = open(SEGUE_QP_RC);
		made->b = open_with_srq(srq);
		segue_path to_b = path_to(segue_qp_number(made->b));
		segue_path to_a = path_to(segue_qp_number(made->a));

		fresh_psns(&to_b, &to_a);
		to_b.mtu = to_a.mtu = 256;
		to_b.timeout = to_a.timeout = 20;
		ASSERT_OK(segue_qp_connect(made->a, &to_b));
		ASSERT_OK(segue_qp_connect(made->b, &to_a));
		to[0] = 0;
		INJECT("drop 100% after=1"); // the first of sixteen packets gets through
		ASSERT_OK(send(made->a, 9, sizeof(from)));
		while (*first != from[0] && segue_deadline_left_ms(deadline) > 0)
			sched_yield();
		ASSERT_EQ(from[0], *first);
	}

	int post(segue_srq *srq, uint64_t wr_id)
	{
		return segue_post(segue_sge(segue_recv(srq, wr_id), landing.addr, sizeof(to),
					    landing.key.lkey));
	}

	// How long it takes to close a queue pair.
	static uint64_t close_us(segue_qp *qp)
	{
		const uint64_t start = now_us();

		EXPECT_OK(segue_qp_close(qp));
		return now_us() - start;
	}

	// A queue pair that may have received.
	segue_qp *connected(segue_srq *srq)
	{
		segue_qp *a = open(SEGUE_QP_RC), *b = open_with_srq(srq);

		connect(a, b);
		return b;
	}
};

// The shared queue keeps all its entries.
TEST_F(LastWqe, EntryComesBackFromALateDevice)
{
	segue_srq *srq = open_srq(3);

	for (uint64_t i = 0; i < 3; i++)
		ASSERT_OK(post(srq, i));
	for (uint64_t round = 0; round < 5; round++) {
		Pair p;

		ASSERT_NO_FATAL_FAILURE(receive_half(srq, &p));
		late_ms = 20;
		ASSERT_OK(segue_qp_close(p.b));
		late_ms = 0;
		ASSERT_OK(segue_qp_close(p.a));
		INJECT("clear");
		ASSERT_OK(post(srq, 10 + round)) << "the entry is lost";
	}
}

// Whoever else has an event hears of it, once; of the queue pair that goes nobody hears.
TEST_F(LastWqe, OtherEventsAreTold)
{
	segue_srq *srq = open_srq(3);
	Pair p;

	ASSERT_OK(post(srq, 1));
	ASSERT_NO_FATAL_FAILURE(receive_half(srq, &p));
	EXPECT_OK(segue_device_set_event_handler(device, 0, note_event, &events));
	late_ms = 50;
	INJECT("at 1ms client-reregister port=1");
	ASSERT_OK(segue_qp_close(p.b));
	late_ms = 0;
	wait_for_event(IBV_EVENT_CLIENT_REREGISTER);
	take_events();
	EXPECT_EQ(1u, count_events(IBV_EVENT_CLIENT_REREGISTER));
	EXPECT_EQ(0u, count_events(IBV_EVENT_QP_LAST_WQE_REACHED));
}

// Another thread reads the events: it takes that one, too, and the queue pair hears of it.
TEST_F(LastWqe, AnotherThreadDispatches)
{
	segue_srq *srq = open_srq(3);
	std::atomic<bool> done{false};

	ASSERT_OK(post(srq, 1));
	std::thread dispatcher([&] {
		while (!done)
			EXPECT_LE(0, segue_device_dispatch(device, segue_deadline_in_ms(5)));
	});
	for (int round = 0; round < 5; round++) {
		Pair p;

		ASSERT_NO_FATAL_FAILURE(receive_half(srq, &p));
		late_ms = 20;
		EXPECT_GT(900000u, close_us(p.b));
		late_ms = 0;
		ASSERT_OK(segue_qp_close(p.a));
		INJECT("clear");
		EXPECT_OK(post(srq, 2)) << "the entry is lost";
	}
	done = true;
	dispatcher.join();
}

// A handler may close another queue pair, which reads the events meanwhile.
static void close_it(const segue_event *event, void *arg) noexcept
{
	segue_qp **qp = static_cast<segue_qp **>(arg);

	if (event->type == IBV_EVENT_CLIENT_REREGISTER && *qp) {
		EXPECT_OK(segue_qp_close(*qp));
		*qp = nullptr;
	}
}

TEST_F(LastWqe, ClosedByAHandler)
{
	segue_srq *srq = open_srq(3);
	const uint64_t start = now_us();
	segue_qp *qp = connected(srq);

	EXPECT_OK(segue_device_set_event_handler(device, 0, close_it, &qp));
	INJECT("at 1ms client-reregister port=1");
	while (qp && now_us() - start < PATIENCE_MS * 1000)
		ASSERT_LE(0, segue_device_dispatch(device, segue_deadline_in_ms(10)));
	EXPECT_EQ(nullptr, qp);
}

// A device that never says it is not waited for long, and the less, the more it has been.
TEST_F(LastWqe, SilentDevice)
{
	segue_srq *srq = open_srq(3);
	segue_qp *first = connected(srq), *second = connected(srq), *third = connected(srq);
	uint64_t took;

	late_ms = kNever;
	took = close_us(first);
	EXPECT_LT(900000u, took);
	EXPECT_GT(PATIENCE_MS * 1000u, took);
	EXPECT_GT(900000u, close_us(second));
	late_ms = 0;
	EXPECT_GT(900000u, close_us(third)) << "it has said it again";
}

// Who cannot have taken anything waits for nothing.
TEST_F(LastWqe, NeverConnected)
{
	segue_srq *srq = open_srq(3);
	segue_qp *fresh = open_with_srq(srq), *connected_once = connected(srq);

	late_ms = kNever;
	EXPECT_GT(900000u, close_us(fresh));
	ASSERT_OK(segue_qp_modify_to(connected_once, SEGUE_QP_STATE_RESET, nullptr));
	EXPECT_GT(900000u, close_us(connected_once));
}
