// SPDX-License-Identifier: BSD-2-Clause
// Buffer pools, alone and feeding receive queues. Built with checks and without.
#include "segue/pool.h"

#include <random>
#include <set>

#include "tests/runtime/control/fixture.h"
#include "tests/runtime/control/place.h"
#include "tests/seed/seed.h"

class Pool : public Control {
protected:
	segue_pool *open_pool(uint32_t count, uint32_t size, uint32_t access = 0)
	{
		segue_pool_options options = {};
		segue_pool *pool = nullptr;

		options.count = count;
		options.size = size;
		options.access = access;
		EXPECT_OK(segue_pool_open(pd, &options, &pool));
		return pool;
	}
};

TEST_F(Pool, GivesEachBufferOnce)
{
	segue_pool *pool = open_pool(100, 65);
	std::set<uintptr_t> seen;
	void *buffer, *last = nullptr;

	ASSERT_NE(nullptr, pool);
	while ((buffer = segue_pool_pop(pool))) {
		EXPECT_EQ(0u, (uintptr_t)buffer % 64);
		memset(buffer, 0xaa, 65);
		EXPECT_TRUE(seen.insert((uintptr_t)buffer).second);
		last = buffer;
	}
	EXPECT_EQ(100u, seen.size());
	EXPECT_EQ(0u, segue_pool_available(pool));
	// The buffer given back last is the next one taken: it is still in the cache.
	segue_pool_push(pool, last);
	EXPECT_EQ(1u, segue_pool_available(pool));
	EXPECT_EQ(last, segue_pool_pop(pool));
	ASSERT_OK(segue_pool_close(pool));
}

TEST_F(Pool, IsOnTheNodeOfItsDevice)
{
	segue_pool_options options = {};
	segue_pool *pool = nullptr;
	segue_place_info place;

	ASSERT_OK(segue_device_query_place(device, &place));
	options.count = 100;
	options.size = 4096;
	options.near_device = true;
	const int ret = segue_pool_open(pd, &options, &pool);

	if (place.numa_node < 0) {
		EXPECT_EQ(-ENOTSUP, ret);
		EXPECT_SAYS("does not say on which NUMA node");
	} else if (!may_bind(place.numa_node)) {
		EXPECT_GT(0, ret);
		EXPECT_SAYS("cannot be bound to NUMA node");
	} else {
		ASSERT_OK(ret);
		EXPECT_EQ(place.numa_node, node_of(segue_pool_pop(pool)));
		ASSERT_OK(segue_pool_close(pool));
	}
}

TEST_F(Pool, IsOnHugePages)
{
	const unsigned long available = meminfo("HugePages_Free: %lu"),
			    kib = meminfo("Hugepagesize: %lu");
	segue_pool_options options = {};
	segue_pool *pool = nullptr;

	options.count = 10;
	options.size = 4096;
	options.huge_pages = true;
	if (available) {
		ASSERT_OK(segue_pool_open(pd, &options, &pool));
		EXPECT_EQ(kib, page_kib_of(segue_pool_pop(pool)));
		ASSERT_OK(segue_pool_close(pool));
	}
	options.count = 1 << 20; // more than there are
	options.size = 1 << 22;
	EXPECT_EQ(-ENOMEM, segue_pool_open(pd, &options, &pool));
	EXPECT_SAYS("bytes on huge pages of");
	alignas(64) static uint8_t memory[64];

	options.memory = memory;
	EXPECT_EQ(-EINVAL, segue_pool_open(pd, &options, &pool));
	EXPECT_SAYS("memory is given, and huge_pages is asked for");
	if (!available)
		GTEST_SKIP() << NO_HUGE_PAGES;
}

TEST_F(Pool, RefusesByName)
{
	alignas(64) static uint8_t memory[64];
	segue_pool_options options = {};
	segue_pool *pool;

	options.size = 64;
	EXPECT_EQ(-EINVAL, segue_pool_open(pd, &options, &pool));
	EXPECT_SAYS("count is 0");
	options.count = 1;
	options.size = 0;
	EXPECT_EQ(-EINVAL, segue_pool_open(pd, &options, &pool));
	EXPECT_SAYS("size is 0");
	options.size = 64;
	options.memory = memory + 1;
	EXPECT_EQ(-EINVAL, segue_pool_open(pd, &options, &pool));
	EXPECT_SAYS("aligned to 64");
	EXPECT_EQ(-EINVAL, segue_pool_open(nullptr, &options, &pool));
	EXPECT_EQ(0u, segue_pool_bytes(1, UINT32_MAX));
	EXPECT_EQ(128u * 3, segue_pool_bytes(3, 65));
	options.memory = memory;
	ASSERT_OK(segue_pool_open(pd, &options, &pool));
	EXPECT_EQ((void *)memory, segue_pool_pop(pool));
	ASSERT_OK(segue_pool_close(pool));
	EXPECT_OK(segue_pool_close(nullptr));
}

TEST_F(Pool, PeersReachItOnlyIfTheyMay)
{
	segue_pool *closed = open_pool(4, 64), *open = open_pool(4, 64, SEGUE_ACCESS_REMOTE_WRITE);
	segue_remote_buf remote;

	EXPECT_EQ(-EACCES, segue_mr_remote_buf(segue_pool_mr(closed), 0, 64, &remote));
	EXPECT_OK(segue_mr_remote_buf(segue_pool_mr(open), 0, 4 * 64, &remote));
}

// Random messages in windows that are larger than the queue: every buffer comes back with its own
// message, none twice.
TEST_F(Pool, FeedsAReceiveQueue)
{
	const unsigned int seed = (unsigned int)segue_test_seed();
	std::mt19937 random(seed);
	segue_pool *pool = open_pool(40, 256);
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	uint64_t sent = 0, received = 0;

	SCOPED_TRACE("seed " + std::to_string(seed));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	// max_recv_wr is 16: more cannot be posted, however many buffers there are.
	EXPECT_LE(16u, segue_pool_post_rq(pool, segue_qp_rq(b), UINT32_MAX));
	EXPECT_EQ(0u, segue_pool_post_rq(pool, segue_qp_rq(b), UINT32_MAX));
	while (received < 2000) {
		const uint64_t batch = std::min<uint64_t>(1 + random() % 15, 2000 - sent);
		uint64_t expected = sent;

		for (uint64_t i = 0; i < batch; i++, sent++)
			ASSERT_OK(segue_post(segue_inline_data(
				segue_send(segue_qp_rc_sq(a), sent, SEGUE_SIGNALED), &sent, 8)));
		for (const segue_wc &wc : take(2 * batch)) {
			ASSERT_EQ(0, wc.syndrome);
			if (wc.opcode == SEGUE_CQE_OPCODE_REQ)
				continue;
			EXPECT_EQ(0, memcmp((void *)wc.wr_id, &expected, 8));
			expected++;
			received++;
			segue_pool_push(pool, (void *)wc.wr_id);
		}
		EXPECT_EQ(batch, segue_pool_post_rq(pool, segue_qp_rq(b), UINT32_MAX));
	}
}

TEST_F(Pool, RunsDryAndSaysSo)
{
	segue_pool *pool = open_pool(3, 64);
	segue_srq_options options = {};
	segue_srq *srq;

	options.max_wr = 16;
	options.max_sge = 1;
	ASSERT_OK(segue_srq_open(pd, &options, &srq));
	EXPECT_EQ(2u, segue_pool_post_srq(pool, srq, 2));
	EXPECT_EQ(1u, segue_pool_post_srq(pool, srq, UINT32_MAX));
	EXPECT_EQ(0u, segue_pool_post_srq(pool, srq, UINT32_MAX));
	EXPECT_EQ(nullptr, segue_pool_pop(pool));
}

#if SEGUE_CHECKED
TEST_F(Pool, MisuseEndsTheProgram)
{
	segue_pool *pool = open_pool(4, 128);
	uint8_t *buffer = (uint8_t *)segue_pool_pop(pool),
		*second = (uint8_t *)segue_pool_pop(pool);
	uint8_t other[64];

	segue_pool_push(pool, second);
	EXPECT_DEATH(segue_pool_push(pool, second), "has been given back already");
	EXPECT_DEATH(segue_pool_push(pool, other), "is not a buffer of this pool");
	EXPECT_DEATH(segue_pool_push(pool, buffer + 8), "lies inside of a buffer");
	EXPECT_DEATH((void)segue_pool_local_buf(pool, buffer, 129), "shorter than the piece");
}
#endif
