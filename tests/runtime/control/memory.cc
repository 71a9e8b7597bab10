// SPDX-License-Identifier: BSD-2-Clause
// Memory whose pages are not pinned: the device looks them up when a request needs them.
#include <sys/mman.h>

#include "tests/runtime/control/faulty.h"

namespace
{

constexpr size_t PAGE = 4096, PAGES = 16, BYTES = PAGE * PAGES;
constexpr uint32_t RIGHTS = SEGUE_ACCESS_FLAGS_ON_DEMAND | SEGUE_ACCESS_FLAGS_LOCAL_WRITE | SEGUE_ACCESS_FLAGS_REMOTE_READ |
			    SEGUE_ACCESS_FLAGS_REMOTE_WRITE;

class Memory : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		map_pages();
		p = pair();
		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	}

	void TearDown() override
	{
		Faulty::TearDown();
		munmap(pages, BYTES);
	}

	// Other pages at the same address, all zero.
	void map_pages()
	{
		void *at = mmap(pages, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | (pages ? MAP_FIXED : 0), -1, 0);

		ASSERT_NE(MAP_FAILED, at);
		pages = static_cast<uint8_t *>(at);
	}

	segue_mr *on_demand(void *addr, uint64_t length, uint32_t access = RIGHTS)
	{
		segue_mr_attr attr = {};
		segue_mr *mr = nullptr;

		attr.addr = addr;
		attr.length = length;
		attr.access = access;
		EXPECT_OK(segue_mr_open_shared(pd, &attr, &mr));
		return mr;
	}

	int refused(void *addr, uint64_t length, uint32_t access)
	{
		segue_mr_attr attr = {};
		segue_mr *mr = nullptr;

		attr.addr = addr;
		attr.length = length;
		attr.access = access;
		return segue_mr_open_local(pd, &attr, &mr);
	}

	int read_from(uint64_t addr, uint32_t rkey)
	{
		return segue_post(segue_sge(segue_raddr(segue_rdma_read(segue_qp_rc(p.a), 1, SEGUE_SIGNALED), addr, rkey), landing.addr,
					    landing.length, landing.key.lkey));
	}

	void expect_good()
	{
		const segue_wc wc = take(1)[0];

		ASSERT_EQ(0, wc.syndrome) << explain(wc);
	}

	Pair p;
	uint8_t *pages = nullptr;
};

// What lies at an address may be other pages than when it was registered.
TEST_F(Memory, OnDemandFollowsThePages)
{
	segue_mr *mr = on_demand(pages, BYTES);
	segue_remote all, piece;

	ASSERT_OK(segue_mr_remote(mr, 0, BYTES, &all));
	for (size_t round = 0; round < 8; round++) {
		ASSERT_NO_FATAL_FAILURE(map_pages());
		/* Across two pages. */
		ASSERT_OK(segue_remote_part(&all, (2 * round + 1) * PAGE - 32, 64, &piece));
		ASSERT_OK(write_to(p.a, round, piece.addr, piece.key.rkey));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		EXPECT_EQ(0, memcmp(pages + (2 * round + 1) * PAGE - 32, from, 64));
		memset(pages, (int)(round + 1), sizeof(to));
		ASSERT_OK(read_from(all.addr, all.key.rkey));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		EXPECT_EQ(0, memcmp(to, pages, sizeof(to)));
	}
}

// One key for everything the program has, and will have.
TEST_F(Memory, ImplicitRegionIsAllMemory)
{
	if (!segue_device_caps(device)->implicit_on_demand_paging)
		GTEST_SKIP() << "the device has none";
	segue_mr *mr = on_demand(nullptr, UINT64_MAX);
	std::vector<uint8_t> heap(100, 0);
	segue_local mine;
	segue_remote theirs;

	ASSERT_OK(segue_mr_local(mr, (uintptr_t)from, 100, &mine));
	EXPECT_EQ((uintptr_t)from, mine.addr);
	ASSERT_OK(segue_mr_remote(mr, (uintptr_t)heap.data(), heap.size(), &theirs));
	ASSERT_OK(segue_post(segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc(p.a), 1, SEGUE_SIGNALED), theirs.addr, theirs.key.rkey),
				       mine.addr, mine.length, mine.key.lkey)));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	EXPECT_EQ(0, memcmp(heap.data(), from, heap.size()));
}

TEST_F(Memory, OnDemandIsRefusedByName)
{
	EXPECT_EQ(-EINVAL, refused(nullptr, 100, 0));
	EXPECT_SAYS("addr is NULL, expected the first byte");
	EXPECT_EQ(-EINVAL, refused(nullptr, 100, SEGUE_ACCESS_FLAGS_ON_DEMAND));
	EXPECT_SAYS("length UINT64_MAX for all of the program's memory");
}

TEST_F(Memory, Prefetch)
{
	segue_mr *mr = on_demand(pages, BYTES), *fixed = source;

	ASSERT_OK(segue_mr_prefetch(mr, 0, BYTES));
	ASSERT_OK(segue_mr_prefetch(mr, 5 * PAGE + 1, 1));
	ASSERT_OK(segue_mr_prefetch(mr, BYTES - 1, 1));
	EXPECT_EQ(-ERANGE, segue_mr_prefetch(mr, BYTES, 1));
	EXPECT_SAYS("are not a piece of the 65536 bytes there are");
	EXPECT_EQ(-ERANGE, segue_mr_prefetch(mr, 0, 0));
	EXPECT_EQ(-EINVAL, segue_mr_prefetch(fixed, 0, 1));
	EXPECT_SAYS("opened without ON_DEMAND");
	/* Memory that is not there any more. */
	ASSERT_EQ(0, munmap(pages + 8 * PAGE, PAGE));
	EXPECT_EQ(-EFAULT, segue_mr_prefetch(mr, 0, BYTES));
	EXPECT_SAYS("there is no memory there");
	ASSERT_OK(segue_mr_prefetch(mr, 0, 8 * PAGE));
	/* All of memory, in more bytes than one request of the kernel takes. */
	mr = on_demand(nullptr, UINT64_MAX);
	ASSERT_OK(segue_mr_prefetch(mr, (uintptr_t)pages, PAGE));
}

// A window is bound to a piece by a request, moves to another one, and its keys of before are worth nothing.
TEST_F(Memory, WindowIsBoundAndMoves)
{
	const uint32_t access = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_REMOTE_WRITE;
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_mr_attr attr = {};
	segue_qp *a = open(SEGUE_QP_RC), *b; // b is of the owner's side
	segue_mr *mr;
	segue_mw *mw;
	segue_local piece;
	uint32_t before = 0;

	attr.addr = pages;
	attr.length = BYTES;
	attr.access = SEGUE_ACCESS_FLAGS_LOCAL_WRITE | SEGUE_ACCESS_FLAGS_MW_BIND;
	ASSERT_OK(segue_mr_open_shared(pd, &attr, &mr));
	ASSERT_OK(segue_mw_open(pd, 2, &mw));
	options.max_wqe_units = 16; // what binds is longer than a SEND
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	segue_rc_sq *sq = segue_qp_rc(b);

	for (uint64_t round = 0; round < 4; round++) {
		const uint32_t was = segue_mw_key(mw).rkey, now = segue_mw_next_key(mw).rkey;

		EXPECT_EQ(now, segue_mw_key(mw).rkey);
		ASSERT_OK(segue_mr_local(mr, (round + 1) * PAGE, 128, &piece));
		ASSERT_OK(segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(sq, 1, SEGUE_SIGNALED, was)), piece.addr, piece.length,
								    segue_qp_number(b), (uint8_t)now, access),
						    piece.addr, piece.length, piece.key.lkey)));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		ASSERT_OK(write_to(a, round, piece.addr + 64, now));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		EXPECT_EQ(0, memcmp(pages + (round + 1) * PAGE + 64, from, 64));
		before = was;
		ASSERT_OK(segue_post(segue_mkey_invalidate(segue_umr_ctrl(segue_local_inv(sq, 2, SEGUE_SIGNALED, now)), (uint8_t)now)));
		ASSERT_NO_FATAL_FAILURE(expect_good());
	}
	EXPECT_EQ(0, pages[0]);
	ASSERT_OK(write_to(a, 9, piece.addr, before));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
}

// What is used where no memory is fails, there and by name, and nothing else.
TEST_F(Memory, PageThatIsNotThere)
{
	segue_mr *mr = on_demand(pages, BYTES);
	segue_remote there;

	ASSERT_OK(segue_mr_remote(mr, 8 * PAGE, 64, &there));
	ASSERT_EQ(0, munmap(pages + 8 * PAGE, PAGE));
	ASSERT_OK(write_to(p.a, 7, there.addr, there.key.rkey));
	const segue_wc wc = take(1)[0];

	EXPECT_EQ(7u, wc.wr_id);
	EXPECT_NE(0, wc.syndrome);
	expect_state(p.a, SEGUE_QP_STATE_ERR);
}

} // namespace
