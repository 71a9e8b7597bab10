/* SPDX-License-Identifier: BSD-2-Clause */
/* docs/examples/efa_ring.h against a device in ordinary memory: it reads what the doorbell says,
 * and completes it in another order. */
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "docs/examples/efa_ring.h"
#include "tests/seed/seed.h"

namespace
{

constexpr uint32_t kEntries = 64, kCompletions = 128, kBatch = 16, kRequests = 10000;

struct Device {
	alignas(64) uint8_t requests[kEntries * 64];
	uint8_t completions[kCompletions * SEGUE_TX_CDESC_SIZE];
	uint32_t doorbell = 0;
	uint32_t taken = 0, written = 0; /* entries, so far */
	std::vector<uint32_t> numbers;	 /* taken, and not completed */

	/* Takes what the doorbell names, in its lap. */
	void Take()
	{
		ASSERT_LE(static_cast<uint16_t>(doorbell - taken), kBatch) << "for one doorbell";
		for (; static_cast<uint16_t>(taken) != static_cast<uint16_t>(doorbell); taken++) {
			const uint8_t *at = &requests[taken % kEntries * 64];
			segue_seg_remote_mem remote;
			segue_seg_tx_meta meta;

			ASSERT_TRUE(segue_seg_tx_meta_unpack(&meta, at));
			ASSERT_TRUE(
				segue_seg_remote_mem_unpack(&remote, at + SEGUE_SEG_TX_META_SIZE));
			ASSERT_EQ(meta.phase, taken / kEntries % 2);
			ASSERT_EQ(meta.req_id, taken % kEntries);
			ASSERT_EQ(remote.addr, taken) << "the request of that number";
			numbers.push_back(meta.req_id);
		}
	}

	/* Completes one of those that it has taken. */
	void Complete(uint32_t which, uint8_t status)
	{
		segue_tx_cdesc cqe = {};

		std::swap(numbers[which], numbers.back());
		cqe.req_id = static_cast<uint16_t>(numbers.back());
		cqe.status = status;
		cqe.phase = written / kCompletions % 2 == 0;
		cqe.q_type = SEGUE_QUEUE_TYPE_SEND;
		segue_tx_cdesc_pack(&completions[written++ % kCompletions * SEGUE_TX_CDESC_SIZE],
				    &cqe);
		numbers.pop_back();
	}
};

struct Ring : testing::Test {
	std::mt19937_64 random{segue_test_seed()};
	Device device = {};
	efa queue;
	uint32_t posted = 0, done = 0;

	void SetUp() override
	{
		const segue_slots requests = {device.requests, 64, kEntries, 0, 0};
		const segue_slots completions = {device.completions, SEGUE_TX_CDESC_SIZE,
						 kCompletions, 0, 0};

		efa_open(&queue, &requests, &completions, &device.doorbell, kBatch);
	}

	int Write()
	{
		const efa_peer peer = {1, 2, 3};
		const segue_seg_remote_mem to = {100, 7, posted};
		const segue_seg_tx_buf from = {100, 8, 0x1000};
		const int ret = efa_write(&queue, &peer, &to, &from);

		posted += !ret;
		device.Take();
		return ret;
	}
};

TEST_F(Ring, CompletionsInAnyOrder)
{
	uint32_t number, status;

	while (done < kRequests && !HasFatalFailure()) {
		if (posted < kRequests && random() % 2)
			(void)Write();
		if (random() % 8 == 0 || posted == kRequests) {
			efa_ring(&queue);
			device.Take();
		}
		if (!device.numbers.empty() && random() % 2)
			device.Complete(static_cast<uint32_t>(random() % device.numbers.size()), 0);
		for (; efa_poll(&queue, &number, &status); done++)
			ASSERT_EQ(status, 0u);
		ASSERT_LE(posted - done, kEntries);
	}
	EXPECT_EQ(queue.ring.slots.tail, kRequests);
}

TEST_F(Ring, AnEntryIsFreeWhenAllBeforeItAre)
{
	uint32_t number, status;

	for (uint32_t i = 0; i < kEntries; i++)
		ASSERT_EQ(Write(), 0);
	EXPECT_EQ(Write(), -ENOSPC);
	device.Complete(kEntries - 1, 0);
	ASSERT_EQ(efa_poll(&queue, &number, &status), 1);
	EXPECT_EQ(number, kEntries - 1);
	EXPECT_EQ(Write(), -ENOSPC) << "the first entry is still in use";
	device.Complete(0, SEGUE_COMP_STATUS_REMOTE_RNR);
	ASSERT_EQ(efa_poll(&queue, &number, &status), 1);
	EXPECT_EQ(number, 0u);
	EXPECT_EQ(status, uint32_t{SEGUE_COMP_STATUS_REMOTE_RNR});
	EXPECT_EQ(Write(), 0);
	EXPECT_EQ(efa_poll(&queue, &number, &status), 0);
}

} // namespace
