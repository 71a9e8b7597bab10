// SPDX-License-Identifier: BSD-2-Clause
// Kinds of memory: on demand, by a descriptor, through windows, with every right.
#include <sys/mman.h>
#include <unistd.h>

#include "segue/detail/bytes.h"
#include "tests/runtime/control/faults.h"

namespace
{

constexpr size_t PAGE = 4096, PAGES = 16, BYTES = PAGE * PAGES;
constexpr uint32_t RIGHTS = SEGUE_ACCESS_ON_DEMAND | SEGUE_ACCESS_LOCAL_WRITE |
			    SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE;

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
		void *at = mmap(pages, BYTES, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS | (pages ? MAP_FIXED : 0), -1, 0);

		ASSERT_NE(MAP_FAILED, at);
		pages = static_cast<uint8_t *>(at);
	}

	segue_mr *shared(void *addr, uint64_t length, uint32_t access = RIGHTS)
	{
		segue_mr_options attr = {};
		segue_mr *mr = nullptr;

		attr.addr = addr;
		attr.length = length;
		attr.access = access;
		EXPECT_OK(segue_mr_open(pd, &attr, &mr));
		return mr;
	}

	int refused(void *addr, uint64_t length, uint32_t access)
	{
		segue_mr_options attr = {};
		segue_mr *mr = nullptr;

		attr.addr = addr;
		attr.length = length;
		attr.access = access;
		return segue_mr_open(pd, &attr, &mr);
	}

	int read_from(uint64_t addr, uint32_t rkey)
	{
		return segue_post(segue_sge(
			segue_raddr(segue_rdma_read(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED), addr,
				    rkey),
			landing.addr, landing.length, landing.key.lkey));
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
	segue_mr *mr = shared(pages, BYTES);
	segue_remote_buf all, piece;

	ASSERT_OK(segue_mr_remote_buf(mr, 0, BYTES, &all));
	for (size_t round = 0; round < 8; round++) {
		ASSERT_NO_FATAL_FAILURE(map_pages());
		/* Across two pages. */
		ASSERT_OK(segue_remote_buf_part(&all, (2 * round + 1) * PAGE - 32, 64, &piece));
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
	segue_mr *mr = shared(nullptr, UINT64_MAX);
	std::vector<uint8_t> heap(100, 0);
	segue_local_buf mine;
	segue_remote_buf theirs;

	ASSERT_OK(segue_mr_local_buf(mr, (uintptr_t)from, 100, &mine));
	EXPECT_EQ((uintptr_t)from, mine.addr);
	ASSERT_OK(segue_mr_remote_buf(mr, (uintptr_t)heap.data(), heap.size(), &theirs));
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED),
				      theirs.addr, theirs.key.rkey),
			  mine.addr, mine.length, mine.key.lkey)));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	EXPECT_EQ(0, memcmp(heap.data(), from, heap.size()));
}

// Both sides address it from elsewhere than where the program has it.
TEST_F(Memory, AddressedFromElsewhere)
{
	const uint64_t iova = UINT64_C(0x700000000000) + PAGE;
	segue_mr_options attr = {};
	segue_mr *mr = nullptr;
	segue_remote_buf all;

	attr.addr = pages;
	attr.length = BYTES;
	attr.access = SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE;
	attr.use_iova = true;
	attr.iova = iova;
	ASSERT_OK(segue_mr_open(pd, &attr, &mr));
	ASSERT_OK(segue_mr_remote_buf(mr, 0, BYTES, &all));
	EXPECT_EQ(iova, all.addr);
	ASSERT_OK(write_to(p.a, 1, iova + 100, all.key.rkey));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	EXPECT_EQ(0, memcmp(pages + 100, from, 64));

	attr.iova = iova + 1;
	EXPECT_EQ(-EINVAL, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("expected the same offset within a page");
	attr.iova = UINT64_MAX - PAGE + 1;
	EXPECT_EQ(-EINVAL, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("pass the end of all addresses");
	attr.iova = iova;
	attr.access |= SEGUE_ACCESS_ZERO_BASED;
	EXPECT_EQ(-EINVAL, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("use_iova is set together with ZERO_BASED");
}

TEST_F(Memory, OnDemandIsRefusedByName)
{
	EXPECT_EQ(-EINVAL, refused(nullptr, 100, 0));
	EXPECT_SAYS("addr is NULL, expected the first byte");
	EXPECT_EQ(-EINVAL, refused(nullptr, 100, SEGUE_ACCESS_ON_DEMAND));
	EXPECT_SAYS("length UINT64_MAX for all of the program's memory");
}

TEST_F(Memory, Prefetch)
{
	segue_mr *mr = shared(pages, BYTES), *fixed = source;

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
	mr = shared(nullptr, UINT64_MAX);
	ASSERT_OK(segue_mr_prefetch(mr, (uintptr_t)pages, PAGE));
}

// Rights that change how memory is named, or in which order it is written: data arrives, and no
// more is allowed than was said.
TEST_F(Memory, OtherRights)
{
	const uint32_t write = SEGUE_ACCESS_REMOTE_WRITE;

	for (const uint32_t more :
	     {0u, (uint32_t)SEGUE_ACCESS_ZERO_BASED, (uint32_t)SEGUE_ACCESS_RELAXED_ORDERING,
	      (uint32_t)SEGUE_ACCESS_ZERO_BASED | SEGUE_ACCESS_RELAXED_ORDERING}) {
		SCOPED_TRACE(more);
		const Pair q = pair();
		segue_mr *mr = shared(pages, BYTES, write | more); // LOCAL_WRITE comes with it
		segue_remote_buf there;

		ASSERT_NO_FATAL_FAILURE(connect(q.a, q.b));
		ASSERT_OK(segue_mr_remote_buf(mr, PAGE, 64, &there));
		EXPECT_EQ(more & SEGUE_ACCESS_ZERO_BASED ? PAGE : (uintptr_t)pages + PAGE,
			  there.addr);
		memset(pages, 0, BYTES);
		ASSERT_OK(write_to(q.a, 1, there.addr, there.key.rkey));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		EXPECT_EQ(0, memcmp(pages + PAGE, from, 64));
		ASSERT_OK(segue_post(segue_sge(
			segue_raddr_buf(segue_rdma_read(segue_qp_rc_sq(q.a), 2, SEGUE_SIGNALED),
					there),
			landing.addr, 64, landing.key.lkey)));
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
	}
}

// Other pages and other rights under one region; what was there before is reached no more.
TEST_F(Memory, RegisteredAgain)
{
	const uint32_t write = SEGUE_ACCESS_REMOTE_WRITE, read = SEGUE_ACCESS_REMOTE_READ;
	segue_mr *mr = shared(pages, PAGE, write);
	segue_mr_options attr = {};
	segue_remote_buf was, now;

	ASSERT_OK(segue_mr_remote_buf(mr, 0, 64, &was));
	attr.addr = pages + 4 * PAGE;
	attr.length = 2 * PAGE;
	attr.access = write | read;
	ASSERT_OK(segue_mr_rereg(mr, &attr));
	ASSERT_OK(segue_mr_remote_buf(mr, PAGE, PAGE, &now));
	EXPECT_EQ((uintptr_t)pages + 5 * PAGE, now.addr);
	EXPECT_EQ(-ERANGE, segue_mr_remote_buf(mr, PAGE, PAGE + 1, &was));
	ASSERT_OK(write_to(p.a, 1, now.addr, now.key.rkey));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	EXPECT_EQ(0, memcmp(pages + 5 * PAGE, from, 64));
	ASSERT_OK(read_from(now.addr, now.key.rkey));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	ASSERT_OK(write_to(p.a, 2, was.addr, now.key.rkey));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
	EXPECT_OK(segue_mr_close(mr));
}

TEST_F(Memory, RegisteredAgainIsRefusedByName)
{
	segue_mr *mr = shared(pages, PAGE, SEGUE_ACCESS_REMOTE_WRITE);
	segue_mr *zero = shared(pages, PAGE,
				SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_ZERO_BASED);
	segue_mr_options attr = {};
	segue_remote_buf there;

	attr.addr = pages;
	attr.length = BYTES;
	attr.access = SEGUE_ACCESS_REMOTE_WRITE;
	EXPECT_EQ(-EINVAL, segue_mr_rereg(zero, &attr));
	EXPECT_SAYS("cannot be registered again as it is: expected memory that requests name by "
		    "its address");
	attr.use_iova = true;
	attr.iova = 1 << 20;
	EXPECT_EQ(-EINVAL, segue_mr_rereg(mr, &attr));
	EXPECT_SAYS("cannot be registered again in that way");
	attr.use_iova = false;
	attr.length = 0;
	EXPECT_EQ(-EINVAL, segue_mr_rereg(mr, &attr));
	attr.addr = reinterpret_cast<void *>(PAGE); // nothing is there
	attr.length = PAGE;
	EXPECT_GT(0, segue_mr_rereg(mr, &attr));
	ASSERT_OK(segue_mr_remote_buf(mr, 0, PAGE, &there));
	EXPECT_EQ((uintptr_t)pages, there.addr);
	EXPECT_OK(segue_mr_close(mr));
}

// Memory by a descriptor: requests use the address that was chosen for it.
TEST_F(Memory, DmaBuf)
{
	const int fd = memfd_create("segue", MFD_CLOEXEC);
	const uint64_t iova = UINT64_C(0x700000000000), offset = 3 * PAGE;
	segue_mr_options attr = {};
	segue_mr *mr = nullptr;
	segue_remote_buf there;
	uint8_t found[64];

	ASSERT_LE(0, fd);
	ASSERT_EQ(0, ftruncate(fd, 8 * PAGE));
	attr.addr = reinterpret_cast<void *>(iova);
	attr.length = 2 * PAGE;
	attr.access = SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE;
	attr.use_dmabuf = true;
	attr.dmabuf_fd = fd;
	attr.dmabuf_offset = offset;
	const int ret = segue_mr_open(pd, &attr, &mr);

	if (ret) /* a card takes real ones only */
		GTEST_SKIP() << segue_errmsg();
	ASSERT_OK(segue_mr_remote_buf(mr, PAGE - 32, 64, &there));
	EXPECT_EQ(iova + PAGE - 32, there.addr);
	ASSERT_OK(write_to(p.a, 1, there.addr, there.key.rkey));
	ASSERT_NO_FATAL_FAILURE(expect_good());
	ASSERT_EQ(64, pread(fd, found, sizeof(found), (off_t)(offset + PAGE - 32)));
	EXPECT_EQ(0, memcmp(found, from, sizeof(found)));
	EXPECT_EQ(-ERANGE, segue_mr_remote_buf(mr, 2 * PAGE, 1, &there));
	ASSERT_OK(segue_mr_close(mr));
	/* What is not there, or no such memory. */
	attr.dmabuf_offset = 7 * PAGE;
	EXPECT_EQ(-EINVAL, segue_mr_open(pd, &attr, &mr));
	attr.dmabuf_offset = offset;
	close(fd);
	EXPECT_EQ(-EBADF, segue_mr_open(pd, &attr, &mr));
	EXPECT_SAYS("Memory region of 8192 bytes");
}

// Results of 8 bytes come as the host has numbers, those of 4 bytes most significant byte first.
TEST_F(Memory, AtomicResultsHaveTheirByteOrder)
{
	const uint64_t word = 0x1122334455667788;
	const uint32_t half = 0xa1b2c3d4;
	uint8_t result[8];

	memcpy(to, &word, sizeof(word));
	ASSERT_OK(segue_post(segue_sge(
		segue_atomic_add(
			segue_raddr(segue_atomic_fa(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED),
				    remote.addr, remote.key.rkey),
			2),
		local.addr, 8, local.key.lkey)));
	ASSERT_EQ(0, take(1)[0].syndrome);
	EXPECT_EQ(0, memcmp(from, &word, sizeof(word)));
	ASSERT_OK(segue_post(segue_sge(
		segue_masked_fa64(segue_raddr(segue_masked_atomic_fa64(segue_qp_rc_sq(p.a), 2,
								       SEGUE_SIGNALED),
					      remote.addr, remote.key.rkey),
				  4, 0),
		local.addr, 8, local.key.lkey)));
	ASSERT_EQ(0, take(1)[0].syndrome);
	const uint64_t then = word + 2, now = then + 4;

	EXPECT_EQ(0, memcmp(from, &then, sizeof(then)));
	EXPECT_EQ(0, memcmp(to, &now, sizeof(now)));
	memcpy(to, &half, sizeof(half));
	ASSERT_OK(segue_post(segue_sge(
		segue_masked_fa32(segue_raddr(segue_masked_atomic_fa32(segue_qp_rc_sq(p.a), 3,
								       SEGUE_SIGNALED),
					      remote.addr, remote.key.rkey),
				  1, 0),
		local.addr, 4, local.key.lkey)));
	ASSERT_EQ(0, take(1)[0].syndrome);
	segue_put_be32(result, half);
	EXPECT_EQ(0, memcmp(from, result, sizeof(half)));
	const uint32_t more = half + 1;

	EXPECT_EQ(0, memcmp(to, &more, sizeof(more)));
}

// A window is bound to a piece by a request, moves to another one, and its keys of before are worth
// nothing.
TEST_F(Memory, WindowIsBoundAndMoves)
{
	const uint32_t access = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_REMOTE_WRITE;
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_mr_options attr = {};
	segue_qp *a = open(SEGUE_QP_RC), *b; // b is of the owner's side
	segue_mr *mr;
	segue_mw *mw;
	segue_local_buf piece;
	uint32_t before = 0;

	attr.addr = pages;
	attr.length = BYTES;
	attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_MW_BIND;
	ASSERT_OK(segue_mr_open(pd, &attr, &mr));
	ASSERT_OK(segue_mw_open(pd, SEGUE_MW_TYPE_2, &mw));
	options.max_wqe_units = 16; // what binds is longer than a SEND
	ASSERT_OK(segue_qp_open(pd, &options, &b));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	segue_rc_sq *sq = segue_qp_rc_sq(b);

	for (uint64_t round = 0; round < 4; round++) {
		const uint32_t was = segue_mw_rkey(mw).rkey, now = segue_mw_next_rkey(mw).rkey;

		EXPECT_EQ(now, segue_mw_rkey(mw).rkey);
		ASSERT_OK(segue_mr_local_buf(mr, (round + 1) * PAGE, 128, &piece));
		ASSERT_OK(segue_post(segue_bind_klm(
			segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(sq, 1, SEGUE_SIGNALED, was)),
					piece.addr, piece.length, segue_qp_number(b), (uint8_t)now,
					access),
			piece.addr, piece.length, piece.key.lkey)));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		ASSERT_OK(write_to(a, round, piece.addr + 64, now));
		ASSERT_NO_FATAL_FAILURE(expect_good());
		EXPECT_EQ(0, memcmp(pages + (round + 1) * PAGE + 64, from, 64));
		before = was;
		ASSERT_OK(segue_post(segue_mkey_invalidate(
			segue_umr_ctrl(segue_local_inv(sq, 2, SEGUE_SIGNALED, now)),
			(uint8_t)now)));
		ASSERT_NO_FATAL_FAILURE(expect_good());
	}
	EXPECT_EQ(0, pages[0]);
	ASSERT_OK(write_to(a, 9, piece.addr, before));
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, take(1)[0].syndrome);
}

// What is used where no memory is fails, there and by name, and nothing else.
TEST_F(Memory, PageThatIsNotThere)
{
	segue_mr *mr = shared(pages, BYTES);
	segue_remote_buf there;

	ASSERT_OK(segue_mr_remote_buf(mr, 8 * PAGE, 64, &there));
	/* The page goes, but its place is kept: the rings of the next pair might else come there.
	 */
	ASSERT_NE(MAP_FAILED, mmap(pages + 8 * PAGE, PAGE, PROT_NONE,
				   MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
	ASSERT_OK(write_to(p.a, 7, there.addr, there.key.rkey));
	const segue_wc wc = take(1)[0];

	EXPECT_EQ(7u, wc.wr_id);
	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, wc.syndrome) << explain(wc);
	expect_state(p.a, SEGUE_QP_STATE_ERR);
	/* The same on the requester's own side. */
	const Pair q = pair();
	segue_local_buf here;

	ASSERT_NO_FATAL_FAILURE(connect(q.a, q.b));
	ASSERT_OK(segue_mr_local_buf(mr, 8 * PAGE, 64, &here));
	ASSERT_OK(segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_write(segue_qp_rc_sq(q.a), 8, SEGUE_SIGNALED), remote),
		here)));
	const segue_wc own = take(1)[0];

	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, own.syndrome) << explain(own);
}

} // namespace
