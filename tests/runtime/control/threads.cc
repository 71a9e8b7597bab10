// SPDX-License-Identifier: BSD-2-Clause
// Control calls from many threads at once. Worth most below ThreadSanitizer (sanitize.sh tsan
// threads).
#include <dlfcn.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <string>
#include <thread>

#include "tests/runtime/control/faults.h"
#include "tests/runtime/control/place.h"

namespace {

constexpr int THREADS = 8;
std::atomic<int> destroying(0), most_destroying(0);

} // namespace

// Counts those who are in it at once, and gives others time to come.
extern "C" int ibv_destroy_srq(ibv_srq *srq)
{
	const auto real = reinterpret_cast<decltype(&ibv_destroy_srq)>(
		dlsym(RTLD_NEXT, "ibv_destroy_srq"));

	most_destroying = std::max<int>(most_destroying, ++destroying);
	sched_yield();
	const int ret = real(srq);

	destroying--;
	return ret;
}

class Threads : public Faulty {
protected:
	bool near = false; // half of the rings are near the device

	struct Worker {
		Threads *test;
		int number;
		std::string failure;
	};

	// Everything that a thread of a program may open for itself, used and closed again, below a
	// domain that all share.
	static void *work(void *arg)
	{
		Worker *worker = static_cast<Worker *>(arg);

		for (int round = 0; round < rounds(6) && worker->failure.empty(); round++)
			worker->failure = worker->test->once(worker->number * 1000 + round);
		return nullptr;
	}

	static void *open_srqs(void *arg)
	{
		Worker *worker = static_cast<Worker *>(arg);

		for (int round = 0; round < rounds(50) && worker->failure.empty(); round++)
			worker->failure = worker->test->srq_once();
		return nullptr;
	}

	// All threads at once, each with a number of its own; what went wrong in one of them.
	void start(void *(*routine)(void *))
	{
		Worker workers[THREADS];
		pthread_t threads[THREADS];

		for (int i = 0; i < THREADS; i++) {
			workers[i] = {this, i, ""};
			ASSERT_EQ(0, pthread_create(&threads[i], nullptr, routine, &workers[i]));
		}
		for (int i = 0; i < THREADS; i++) {
			pthread_join(threads[i], nullptr);
			EXPECT_EQ("", workers[i].failure);
		}
	}

	static void note(const segue_wc *wc, void *arg) noexcept
	{
		*static_cast<int *>(arg) += wc->syndrome ? 1000 : 1;
	}

#define TRY(call)                                       \
	do {                                            \
		if ((call) < 0)                         \
			return std::string(#call ": ") + segue_errmsg(); \
	} while (0)

	// Each by another way, while sends wait for receives that nobody posts.
	std::string stop_all(segue_qp *(&qps)[4], const segue_local_buf &piece)
	{
		int seen = 0;
		bool stopped;

		for (segue_qp *qp : qps)
			for (uint64_t i = 0; i < 2; i++)
				TRY(segue_post(segue_sge(
					segue_send(segue_qp_rc_sq(qp), i, i ? SEGUE_SIGNALED : 0),
					piece.addr, 64, piece.key.lkey)));
		TRY(segue_qp_flush(qps[0], segue_deadline_in_ms(PATIENCE_MS), note, &seen));
		TRY(segue_qp_reset(qps[1], note, &seen));
		TRY(segue_qp_drain_or_flush(qps[2], segue_deadline_in_ms(1), note, &seen,
					    &stopped));
		if (!stopped || seen != 3 * 2 * 1000)
			return "expected six sends back from three queue pairs, noted " +
			       std::to_string(seen);
		return ""; // closing the fourth drops what it has
	}

	std::string srq_once()
	{
		segue_srq_options options = {};
		segue_srq *srq;

		options.max_wr = 4;
		options.max_sge = 1;
		TRY(segue_srq_open(pd, &options, &srq));
		TRY(segue_srq_close(srq));
		return "";
	}

	std::string once(int seed)
	{
		segue_cq_options cq_options = {};
		segue_qp_options qp_options = {};
		segue_mr_options memory = {};
		segue_ah *address;
		segue_qp *qps[4];
		segue_path path;
		segue_local_buf piece;
		segue_remote_buf there;
		segue_mr *mr;
		segue_cq *own;
		uint8_t bytes[128] = {};
		int seen = 0;

		cq_options.entries = 4 * (2 * 16 + 16); // an error makes everything complete
		// rings of all threads out of the same blocks
		cq_options.near_device = near && seed % 2;
		TRY(segue_cq_open(device, &cq_options, &own));
		memory.addr = bytes;
		memory.length = sizeof(bytes);
		memory.access = SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_LOCAL_WRITE;
		TRY(segue_mr_open(pd, &memory, &mr));
		TRY(segue_mr_local_buf(mr, 0, 64, &piece));
		TRY(segue_mr_remote_buf(mr, 64, 64, &there));
		path = path_to(1);
		TRY(segue_ah_open(pd, &path, &address)); // the same of all threads
		qp_options = options_for(SEGUE_QP_RC);
		qp_options.send_cq = qp_options.recv_cq = own;
		qp_options.near_device = cq_options.near_device;
		memset(bytes, seed, 64);
		for (segue_qp *&qp : qps) {
			TRY(segue_qp_open(pd, &qp_options, &qp));
			path = path_to(segue_qp_number(qp));
			path.sq_psn = path.rq_psn = (uint32_t)seed * 2048;
			TRY(segue_qp_connect(qp, &path));
			TRY(segue_post(segue_sge(
				segue_raddr(segue_rdma_write(segue_qp_rc_sq(qp), 1, SEGUE_SIGNALED),
					    there.addr, there.key.rkey),
				piece.addr, 64, piece.key.lkey)));
		}
		for (segue_qp *qp : qps)
			TRY(segue_qp_drain(qp, segue_deadline_in_ms(PATIENCE_MS), note, &seen));
		if (seen != 4 || memcmp(bytes, bytes + 64, 64) != 0)
			return "the WRITEs were not carried out";
		const std::string stopped = stop_all(qps, piece);

		if (!stopped.empty())
			return stopped;
		TRY(segue_ah_close(address));
		for (segue_qp *qp : qps)
			TRY(segue_qp_close(qp));
		TRY(segue_mr_close(mr));
		TRY(segue_cq_close(own));
		return "";
	}
};

TEST_F(Threads, EachWithQueuesOfItsOwn)
{
	segue_place_info place;

	ASSERT_OK(segue_device_query_place(device, &place));
	near = place.numa_node >= 0 && may_bind(place.numa_node);
	start(work);
}

// libmlx5 frees its table of them twice where two threads destroy theirs at once: "double free or
// corruption", in one of six runs with 20,000 rounds for each thread.
TEST_F(Threads, SharedReceiveQueuesAreDestroyedOneAtATime)
{
	start(open_srqs);
	EXPECT_EQ(1, most_destroying);
}

// Closing twice is refused by name, whatever has been opened at the old address since.
TEST_F(Threads, ClosedTwice)
{
	segue_qp *once = open(SEGUE_QP_RC);
	segue_pd *domain;

	ASSERT_OK(segue_qp_close(once));
	segue_qp *other = open(SEGUE_QP_RC);
	EXPECT_EQ(-EINVAL, segue_qp_close(once));
	EXPECT_SAYS("closed already");
	ASSERT_OK(segue_qp_close(other));
	ASSERT_OK(segue_pd_open(device, &domain));
	ASSERT_OK(segue_pd_close(domain));
	EXPECT_EQ(-EINVAL, segue_pd_close(domain));
	EXPECT_SAYS("closed already");
	EXPECT_EQ(-EINVAL, segue_mr_close(reinterpret_cast<segue_mr *>(pd)));
	EXPECT_SAYS("this is no memory region");
}

// One thread takes events while another posts, fails, resets and connects again.
TEST_F(Threads, EventsBesidePosts)
{
	std::vector<segue_wc> got;
	std::atomic<bool> ended(false);
	segue_qp *qp = open(SEGUE_QP_RC);
	pthread_t thread;
	struct Waiter {
		segue_device *device;
		std::atomic<bool> *ended;
	} waiter = {device, &ended};

	ASSERT_EQ(0, pthread_create(
			     &thread, nullptr,
			     [](void *arg) -> void * {
				     const Waiter *w = static_cast<Waiter *>(arg);

				     while (!*w->ended)
					     EXPECT_LE(0,
						       segue_device_dispatch(
							       w->device, segue_deadline_in_ms(5)));
				     return nullptr;
			     },
			     &waiter));
	for (int round = 0; round < rounds(20); round++) {
		segue_path path = path_to(segue_qp_number(qp));

		path.sq_psn = path.rq_psn = (uint32_t)round * 65536;
		EXPECT_OK(segue_qp_connect(qp, &path));
		for (uint64_t i = 0; i < 8; i++)
			EXPECT_OK(write_to(qp, i, remote.addr,
					   i < 7 ? remote.key.rkey : remote.key.rkey + 0x100));
		const std::vector<segue_wc> done = take(8);

		EXPECT_NE(0, done.back().syndrome);
		EXPECT_OK(segue_qp_reset(qp, keep, &got));
	}
	ended = true;
	pthread_join(thread, nullptr);
}

// One thread posts while another polls, as the queue pair was opened for; a life after the other.
TEST_F(Threads, OnePostsAnotherPolls)
{
	constexpr uint64_t WRITES = 200;
	segue_qp_options options = options_for(SEGUE_QP_RC);
	std::vector<segue_wc> got;
	segue_qp *qp;

	options.split = true;
	ASSERT_OK(segue_qp_open(pd, &options, &qp));
	for (int round = 0; round < rounds(3); round++) {
		segue_path path = path_to(segue_qp_number(qp));

		path.sq_psn = path.rq_psn = (uint32_t)round * 65536;
		ASSERT_OK(segue_qp_connect(qp, &path));
		std::thread poster([&] {
			for (uint64_t i = 0; i < WRITES; i++) {
				int ret;

				while ((ret = write_to(qp, i, remote.addr, remote.key.rkey)) ==
				       -ENOSPC)
					sched_yield();
				EXPECT_EQ(0, ret) << segue_errmsg();
			}
		});
		const std::vector<segue_wc> done = take(WRITES);

		poster.join();
		for (uint64_t i = 0; i < WRITES; i++) {
			EXPECT_EQ(0, done[i].syndrome);
			EXPECT_EQ(i, done[i].wr_id);
		}
		segue_sq_hand_over(&segue_qp_rc_sq(qp)->sq);
		EXPECT_OK(segue_post(segue_nop(segue_qp_rc_sq(qp), 1, 0)));
		EXPECT_OK(segue_qp_drain(qp, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		EXPECT_TRUE(got.empty()) << "silent requests complete for nobody";
		EXPECT_OK(segue_post(segue_nop(segue_qp_rc_sq(qp), 2, SEGUE_SIGNALED)));
		EXPECT_OK(segue_qp_reset(qp, keep, &got));
		EXPECT_EQ(1u, got.size());
		got.clear();
	}
}

// A child that is made while other threads open and close does not wait for them: they are not
// there.
TEST_F(Threads, ForkWhileOthersOpen)
{
	std::atomic<bool> stop{false};
	segue_srq_options options = {};
	segue_cq_options cqs = {};
	segue_srq *srq;
	segue_cq *mine;

	options.max_wr = 16;
	options.max_sge = 1;
	options.near_device = cqs.near_device = true;
	cqs.entries = 16;
	const auto open_and_close = [&] {
		segue_srq *one;
		segue_cq *another;

		while (!stop) {
			EXPECT_OK(segue_srq_open(pd, &options, &one));
			EXPECT_OK(segue_cq_open(device, &cqs, &another));
			EXPECT_OK(segue_srq_close(one));
			EXPECT_OK(segue_cq_close(another));
		}
	};

	ASSERT_OK(segue_srq_open(pd, &options, &srq));
	ASSERT_OK(segue_cq_open(device, &cqs, &mine));
	std::thread threads[] = {std::thread(open_and_close), std::thread(open_and_close)};

	for (int i = 0; i < rounds(50); i++) {
		const pid_t child = fork();
		int status = -1;

		if (!child) {
			alarm(20); // ends it
			(void)segue_srq_close(srq);
			(void)segue_cq_close(mine);
			_exit(0);
		}
		EXPECT_EQ(child, waitpid(child, &status, 0));
		EXPECT_TRUE(WIFEXITED(status)) << "the child waits for a lock, round " << i;
		if (!WIFEXITED(status))
			break;
	}
	stop = true;
	for (std::thread &thread : threads)
		thread.join();
}

// What another thread does as soon as an event is acknowledged.
static std::function<void()> when_acknowledged;

extern "C" void ibv_ack_cq_events(ibv_cq *cq, unsigned int count)
{
	using acknowledge = void (*)(ibv_cq *, unsigned int);
	static const auto real = reinterpret_cast<acknowledge>(
		dlsym(RTLD_NEXT, "ibv_ack_cq_events"));

	real(cq, count);
	if (when_acknowledged)
		when_acknowledged();
}

// A queue may be closed as soon as its event is acknowledged. Until then closing waits.
TEST_F(Control, AnEventIsTakenBeforeItsQueueCanBeClosed)
{
	segue_cq_options options = {};
	segue_comp_channel *channel = nullptr;
	segue_cq *const usual = cq, *woken = nullptr;
	uint32_t events = 0;

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	options.entries = 100;
	options.channel = channel;
	ASSERT_OK(segue_cq_open(device, &options, &cq));
	segue_qp *const qp = open(SEGUE_QP_RC);
	const segue_path path = path_to(segue_qp_number(qp));

	ASSERT_OK(segue_qp_connect(qp, &path));
	ASSERT_OK(segue_cq_arm(cq, SEGUE_CQ_ARM_CMD_ANY));
	ASSERT_OK(segue_post(segue_nop(segue_qp_rc_sq(qp), 1, SEGUE_SIGNALED)));
	segue_cq *const mine = cq;

	when_acknowledged = [&] {
		events = mine->arm_sn;
		std::thread([&] {
			EXPECT_OK(segue_qp_close(qp));
			EXPECT_OK(segue_cq_close(mine));
		}).join();
	};
	EXPECT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(10000), &woken));
	when_acknowledged = nullptr;
	EXPECT_EQ(mine, woken);
	EXPECT_EQ(1u, events);
	cq = usual;
}
