// SPDX-License-Identifier: BSD-2-Clause
// Queues of several threads, over plain memory and a device that is a thread: split among one that
// posts and one that polls, or shared behind a lock. Run as it is, and below ThreadSanitizer, which
// is not told of what the device does, as it would not be of a card.
#include "segue/lock.h"

#include <sched.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <thread>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"

namespace
{

constexpr uint32_t kBlocks = 32, kEntries = 256, kRequests = 1000;
// What a device does is no thread's doing. To clang no_sanitize() means all but atomics.
#ifdef __clang__
#define DEVICE __attribute__((disable_sanitizer_instrumentation, noinline))
#else
#define DEVICE __attribute__((no_sanitize("thread"), noinline))
#endif

// Where completions of some queues go.
struct Completions {
	Completions()
	{
		segue_cq_init_options attr = {};

		for (uint32_t i = 0; i < kEntries; i++)
			entries[i * 64 + 63] = SEGUE_CQE_OPCODE_INVALID << 4;
		attr.buf = entries;
		attr.cqe_cnt = kEntries;
		attr.cqe_size = 64;
		attr.dbrec = dbrec;
		EXPECT_EQ(0, segue_cq_init(&cq, &attr)) << segue_errmsg();
	}
	~Completions()
	{
		segue_cq_fini(&cq);
	}

	// Entries of one completion queue are written by one thread: the device.
	DEVICE void Write(uint32_t qpn, uint8_t opcode, uint32_t counter)
	{
		uint8_t *const entry = entries + size_t(written % kEntries) * 64;
		const uint32_t owner = written++ / kEntries & 1;

		for (int i = 0; i < 3; i++)
			entry[57 + i] = uint8_t(qpn >> (16 - 8 * i));
		__atomic_store_n(reinterpret_cast<uint32_t *>(entry + 60),
				 __builtin_bswap32(counter << 16 | uint32_t(opcode) << 4 | owner),
				 __ATOMIC_RELEASE);
	}

	segue_cq cq;
	uint32_t written = 0;
	alignas(64) uint8_t entries[kEntries * 64] = {};
	uint32_t dbrec[2] = {};
};

// The device has come as far as `seen`; what a record says now, of a counter of 16 bits.
DEVICE uint32_t Told(const uint32_t *record, uint32_t seen)
{
	const uint32_t now = __builtin_bswap32(__atomic_load_n(record, __ATOMIC_ACQUIRE));

	return seen + ((now - seen) & 0xffff);
}

struct Sends {
	Sends(uint32_t qpn, Completions *to, bool split) : qpn(qpn), to(to)
	{
		segue_sq_init_options attr = {};
		segue_cq_queue queue = {};

		attr.buf = ring;
		attr.wqe_cnt = kBlocks;
		attr.dbrec = &dbrec;
		attr.bf_reg = reg;
		attr.qpn = qpn;
		attr.slots = slots;
		EXPECT_EQ(0, segue_sq_init(&sq.sq, &attr)) << segue_errmsg();
		if (split)
			segue_sq_split(&sq.sq, &half);
		queue.number = qpn;
		queue.sq = &sq.sq;
		queue.context = this;
		EXPECT_EQ(0, segue_cq_attach(&to->cq, &queue)) << segue_errmsg();
	}

	// Carries out what was rung.
	DEVICE void Turn()
	{
		for (const uint32_t told = Told(&dbrec, done); done != told;) {
			const uint8_t *const wqe = ring + size_t(done % kBlocks) * 64;
			const uint32_t counter = done & 0xffff;

			done += (wqe[7] + 3u) / 4;
			if ((wqe[11] & 0xc) == SEGUE_SIGNALED)
				to->Write(qpn, SEGUE_CQE_OPCODE_REQ, counter);
		}
	}

	// All requests of one thread. Some are unsignaled, but not the last one.
	void Post(uint32_t first)
	{
		for (uint32_t i = 0; i < kRequests; i++) {
			const uint32_t flags = i % 3 && i + 1 < kRequests ? 0 : SEGUE_SIGNALED;
			int ret;

			while ((ret = segue_post(segue_sge(segue_send(&sq, first + i, flags), i, 8,
							   1))) == -ENOSPC)
				sched_yield();
			ASSERT_EQ(0, ret) << segue_errmsg();
		}
	}

	const uint32_t qpn;
	Completions *const to;
	segue_rc_sq sq = {};
	segue_sq half = {};
	uint32_t done = 0;
	uint32_t next = 0; // of the wr_ids that complete
	alignas(64) uint8_t ring[kBlocks * 64] = {};
	segue_sq_slot slots[kBlocks] = {};
	uint32_t dbrec = 0;
	alignas(64) uint8_t reg[64] = {};
};

struct Receives {
	Receives(uint32_t qpn, Completions *to) : qpn(qpn), to(to)
	{
		segue_rq_init_options attr = {};
		segue_cq_queue queue = {};

		attr.buf = ring;
		attr.wqe_cnt = kBlocks;
		attr.stride = 16;
		attr.dbrec = &dbrec;
		attr.wr_ids = wr_ids;
		EXPECT_EQ(0, segue_rq_init(&rq, &attr)) << segue_errmsg();
		segue_rq_split(&rq, &half);
		queue.number = qpn;
		queue.rq = &rq;
		EXPECT_EQ(0, segue_cq_attach(&to->cq, &queue)) << segue_errmsg();
	}

	DEVICE void Turn()
	{
		for (const uint32_t told = Told(&dbrec, done); done != told; done++)
			to->Write(qpn, SEGUE_CQE_OPCODE_RESP_SEND, done & 0xffff);
	}

	const uint32_t qpn;
	Completions *const to;
	segue_rq rq = {};
	segue_rq half = {};
	uint32_t done = 0;
	alignas(64) uint8_t ring[kBlocks * 16] = {};
	uint64_t wr_ids[kBlocks] = {};
	uint32_t dbrec = 0;
};

// A shared receive queue, whose completions go to two completion queues in turn.
struct Shared {
	Shared(Completions (&to)[2]) : to(to)
	{
		segue_rq_init_options attr = {};

		attr.buf = ring;
		attr.wqe_cnt = kBlocks;
		attr.stride = 32;
		attr.dbrec = &dbrec;
		attr.wr_ids = wr_ids;
		attr.next = next;
		EXPECT_EQ(0, segue_srq_init(&srq, &attr)) << segue_errmsg();
		segue_srq_enable_lock(&srq, &front);
		for (uint32_t i = 0; i < 2; i++) {
			segue_cq_queue queue = {};

			queue.number = 1 + i;
			queue.srq = &srq;
			EXPECT_EQ(0, segue_cq_attach(&to[i].cq, &queue)) << segue_errmsg();
		}
	}

	DEVICE void Turn()
	{
		for (const uint32_t told = Told(&dbrec, done); done != told; done++) {
			const uint8_t *const wqe = ring + size_t(at) * 32;
			const uint32_t entry = at;

			at = uint32_t(wqe[2]) << 8 | wqe[3]; // next_wqe_index
			to[done % 2].Write(1 + done % 2, SEGUE_CQE_OPCODE_RESP_SEND, entry);
		}
	}

	Completions (&to)[2];
	segue_srq srq = {};
	segue_srq front = {};
	uint32_t done = 0, at = 0;
	alignas(64) uint8_t ring[kBlocks * 32] = {};
	uint64_t wr_ids[kBlocks] = {};
	uint16_t next[kBlocks] = {};
	uint32_t dbrec = 0;
};

// The device works for as long as this lives.
template <class Turn> class Device
{
      public:
	explicit Device(Turn turn) : turn_(turn), thread_([this] { Run(); })
	{
	}
	~Device()
	{
		over_ = true;
		thread_.join();
	}

      private:
	DEVICE void Run()
	{
		while (!over_) {
			turn_();
			sched_yield();
		}
	}

	Turn turn_;
	std::atomic<bool> over_{false};
	std::thread thread_;
};

// In order, and none twice.
void TakeSend(const segue_wc *wc, void *arg) noexcept
{
	Sends *const sends = static_cast<Sends *>(wc->context);

	EXPECT_EQ(0, wc->syndrome);
	EXPECT_GE(wc->wr_id, sends->next);
	sends->next = uint32_t(wc->wr_id) + 1;
	(void)arg;
}

TEST(Split, OnePostsAnotherPolls)
{
	Completions completions;
	Sends sends(0x1234, &completions, true);
	Device device([&] { sends.Turn(); });
	std::thread poster([&] { sends.Post(0); });

	while (sends.next != kRequests) {
		ASSERT_LE(0, segue_cq_poll_each(&completions.cq, 16, TakeSend, nullptr))
			<< segue_errmsg();
		sched_yield();
	}
	poster.join();
	EXPECT_EQ(kBlocks - sends.sq.sq.blocks, segue_sq_room(&sends.sq.sq));
}

TEST(Split, RoomIsSeenByWhoPosts)
{
	Completions completions;
	Sends sends(0x1234, &completions, true);
	const uint32_t most = segue_sq_room(&sends.sq.sq);

	for (int round = 0; round < 100; round++) {
		uint32_t posted = 0;

		while (segue_post(segue_nop(&sends.sq, sends.next + posted, SEGUE_SIGNALED)) == 0)
			posted++;
		ASSERT_EQ(most, posted);
		ASSERT_EQ(0u, segue_sq_room(&sends.sq.sq));
		sends.Turn();
		for (uint32_t left = posted; left; left--)
			ASSERT_EQ(1, segue_cq_poll_each(&completions.cq, 1, TakeSend, nullptr))
				<< segue_errmsg();
		ASSERT_EQ(most, segue_sq_room(&sends.sq.sq));
	}
}

// What fails takes the slow path, on which the half that polls finds the slot all the same.
TEST(Split, Failures)
{
	Completions completions;
	Sends sends(0x1234, &completions, true);

	for (uint32_t i = 0; i < 100; i++) {
		segue_err_cqe failed = {};

		ASSERT_EQ(0, segue_post(segue_nop(&sends.sq, 2 * i, 0)));
		ASSERT_EQ(0, segue_post(segue_nop(&sends.sq, 2 * i + 1, SEGUE_SIGNALED)));
		failed.qpn = sends.qpn;
		failed.opcode = SEGUE_CQE_OPCODE_REQ_ERR;
		failed.syndrome = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR;
		failed.wqe_counter = uint16_t(2 * i + 1);
		failed.owner = completions.written / kEntries & 1;
		segue_err_cqe_pack(completions.entries +
					   size_t(completions.written++ % kEntries) * 64,
				   &failed);
		ASSERT_EQ(1, segue_cq_poll_each(
				     &completions.cq, 1,
				     [](const segue_wc *wc, void *arg) noexcept {
					     EXPECT_EQ(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR,
						       wc->syndrome);
					     EXPECT_EQ(*static_cast<uint32_t *>(arg) * 2 + 1,
						       wc->wr_id);
				     },
				     &i))
			<< segue_errmsg();
	}
}

TEST(Split, Receives)
{
	Completions completions;
	Receives receives(0x1234, &completions);
	Device device([&] { receives.Turn(); });
	uint64_t next = 0;
	std::thread poster([&] {
		for (uint64_t i = 0; i < kRequests; i++) {
			int ret;

			do {
				auto w = segue_sge(segue_recv(&receives.rq, i), i, 8, 1);

				ret = i % 2 ? segue_post(w) : segue_commit(w);
				if (ret) {
					segue_ring_doorbell(&receives.rq);
					sched_yield();
				}
			} while (ret == -ENOSPC);
			ASSERT_EQ(0, ret) << segue_errmsg();
		}
		segue_ring_doorbell(&receives.rq);
	});

	while (next != kRequests) {
		ASSERT_LE(0, segue_cq_poll_each(
				     &completions.cq, 16,
				     [](const segue_wc *wc, void *arg) noexcept {
					     EXPECT_EQ((*static_cast<uint64_t *>(arg))++,
						       wc->wr_id);
				     },
				     &next))
			<< segue_errmsg();
		sched_yield();
	}
	poster.join();
}

TEST(SharedQueues, CompletionQueue)
{
	constexpr uint32_t kQueues = 2, kPollers = 3;
	Completions completions;
	std::vector<std::unique_ptr<Sends>> sends;
	std::vector<std::thread> threads;
	std::atomic<uint32_t> over{0};

	for (uint32_t i = 0; i < kQueues; i++)
		sends.push_back(std::make_unique<Sends>(0x1000 + i, &completions, true));
	segue_cq_enable_lock(&completions.cq);
	Device device([&] {
		for (auto &one : sends)
			one->Turn();
	});
	for (auto &one : sends)
		threads.emplace_back([&one] { one->Post(0); });
	for (uint32_t i = 0; i < kPollers; i++)
		threads.emplace_back([&completions, &over, &sends, i] {
			while (over != kQueues) {
				if (i) {
					segue_cq_lock(&completions.cq);
				} else if (!segue_cq_trylock(&completions.cq)) {
					sched_yield();
					continue;
				}
				EXPECT_LE(0,
					  segue_cq_poll_each(&completions.cq, 4, TakeSend, nullptr))
					<< segue_errmsg();
				uint32_t done = 0;
				for (auto &one : sends)
					done += one->next == kRequests;
				over = done;
				segue_cq_unlock(&completions.cq);
				sched_yield();
			}
		});
	for (std::thread &thread : threads)
		thread.join();
}

TEST(SharedQueues, ReceiveQueue)
{
	constexpr uint32_t kThreads = 2;
	Completions completions[2];
	Shared shared(completions);
	Device device([&] { shared.Turn(); });
	static std::atomic<uint32_t> times[kThreads * kRequests];
	std::atomic<uint32_t> polled{0};
	std::vector<std::thread> threads;

	for (uint32_t t = 0; t < kThreads; t++) {
		threads.emplace_back([&shared, t] {
			for (uint32_t i = 0; i < kRequests; i++) {
				int ret;

				do {
					segue_srq_lock(&shared.srq);
					ret = segue_post(segue_sge(
						segue_recv(&shared.srq, t * kRequests + i), i, 8,
						1));
					segue_srq_unlock(&shared.srq);
					if (ret)
						sched_yield();
				} while (ret == -ENOSPC);
				ASSERT_EQ(0, ret) << segue_errmsg();
			}
		});
		threads.emplace_back([&completions, &polled, t] {
			while (polled != kThreads * kRequests) {
				uint32_t seen = 0;

				EXPECT_LE(0, segue_cq_poll_each(
						     &completions[t].cq, 4,
						     [](const segue_wc *wc, void *arg) noexcept {
							     times[wc->wr_id]++;
							     ++*static_cast<uint32_t *>(arg);
						     },
						     &seen))
					<< segue_errmsg();
				polled += seen;
				sched_yield();
			}
		});
	}
	for (std::thread &thread : threads)
		thread.join();
	for (const auto &one : times)
		ASSERT_EQ(1u, one.load());
}

} // namespace
