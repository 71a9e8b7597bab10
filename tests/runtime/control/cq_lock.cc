// SPDX-License-Identifier: BSD-2-Clause
// A completion queue with a lock: calls that wait for the device give the lock back meanwhile, so
// that others poll, and do what is waited for.
#include <dlfcn.h>

#include <atomic>
#include <thread>

#include "segue/lock.h"
#include "tests/runtime/control/faults.h"

static std::atomic<bool> asks(false), destroying(false), taken(false);

// The device takes its time until another thread has had the lock.
extern "C" int ibv_destroy_qp(ibv_qp *qp)
{
	const auto real =
		reinterpret_cast<decltype(&ibv_destroy_qp)>(dlsym(RTLD_NEXT, "ibv_destroy_qp"));
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

	destroying = asks.load();
	while (destroying && !taken && segue_deadline_left_ms(deadline))
		sched_yield();
	return real(qp);
}

class CqLock : public Faulty
{
      protected:
	void SetUp() override
	{
		segue_cq_options options = {};

		Faulty::SetUp();
		options.entries = 100;
		ASSERT_OK(segue_cq_open(device, &options, &receives));
		segue_cq_enable_lock(cq);
		segue_cq_enable_lock(receives);
	}

	segue_cq *receives = nullptr;
};

TEST_F(CqLock, IsFreeWhileADrainWaits)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *a = nullptr, *b = nullptr;
	std::atomic<bool> begun(false);
	std::vector<segue_wc> done;

	options.recv_cq = receives;
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	segue_path to_b = path_to(segue_qp_number(b)), to_a = path_to(segue_qp_number(a));

	fresh_psns(&to_b, &to_a);
	to_b.rnr_retry = 7; /* until the other thread posts a receive */
	ASSERT_OK(segue_qp_connect(a, &to_b));
	ASSERT_OK(segue_qp_connect(b, &to_a));

	std::thread other([&] {
		while (!begun)
			sched_yield();
		segue_cq_lock(receives);
		EXPECT_OK(segue_post(segue_recv(segue_qp_rq(b), 2)));
		segue_cq_unlock(receives);
	});
	segue_cq_lock(cq);
	segue_cq_lock(receives);
	EXPECT_OK(segue_post(segue_send(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED)));
	begun = true;
	EXPECT_OK(segue_qp_drain(a, segue_deadline_in_ms(PATIENCE_MS), keep, &done));
	segue_cq_unlock(receives);
	segue_cq_unlock(cq);
	other.join();
	EXPECT_LE(1u, done.size());
}

TEST_F(CqLock, IsFreeWhileAQueuePairIsClosed)
{
	segue_qp *const qp = open(SEGUE_QP_RC);

	asks = true;
	std::thread other([&] {
		while (!destroying)
			sched_yield();
		segue_cq_lock(cq);
		taken = true;
		segue_cq_unlock(cq);
	});
	segue_cq_lock(cq);
	EXPECT_OK(segue_qp_close(qp));
	EXPECT_TRUE(taken);
	segue_cq_unlock(cq);
	other.join();
	asks = false;
}
