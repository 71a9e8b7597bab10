// SPDX-License-Identifier: BSD-2-Clause
// Rings and doorbell records where they were asked to be: on huge pages, and on the device's NUMA
// node.
#include <infiniband/mlx5dv.h>

#include <random>

#include "tests/runtime/control/faults.h"
#include "tests/runtime/control/place.h"
#include "tests/seed/seed.h"

namespace
{

struct Wish {
	bool huge_pages, near_device;
};

// A piece of memory that the device has.
struct Piece {
	const void *start;
	size_t bytes;
};

template <typename Options> void ask(Options *options, const Wish &wish)
{
	options->huge_pages = wish.huge_pages;
	options->near_device = wish.near_device;
}

std::vector<Piece> pieces_of(segue_qp *qp)
{
	mlx5dv_qp dv = {};
	mlx5dv_obj obj = {};

	obj.qp.in = segue_qp_ibv(qp);
	obj.qp.out = &dv;
	EXPECT_EQ(0, mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP));
	return {{dv.sq.buf, (size_t)dv.sq.wqe_cnt * dv.sq.stride},
		{dv.rq.buf, (size_t)dv.rq.wqe_cnt * dv.rq.stride},
		{(const void *)dv.dbrec, 8}};
}

std::vector<Piece> pieces_of(segue_cq *cq)
{
	mlx5dv_cq dv = {};
	mlx5dv_obj obj = {};

	obj.cq.in = segue_cq_ibv(cq);
	obj.cq.out = &dv;
	EXPECT_EQ(0, mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ));
	return {{dv.buf, (size_t)dv.cqe_cnt * dv.cqe_size}, {(const void *)dv.dbrec, 8}};
}

std::vector<Piece> pieces_of(segue_srq *srq)
{
	mlx5dv_srq dv = {};
	mlx5dv_obj obj = {};

	obj.srq.in = segue_srq_ibv(srq);
	obj.srq.out = &dv;
	EXPECT_EQ(0, mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ));
	return {{dv.buf, (size_t)(dv.tail + 1) * dv.stride}, {(const void *)dv.dbrec, 8}};
}

} // namespace

class Rings : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		ASSERT_OK(segue_device_query_place(device, &place));
	}

	static bool wants_huge_pages(const Wish &wish)
	{
		return wish.huge_pages && meminfo("HugePages_Free: %lu") < 2;
	}

	// NULL if the wish can come true here; else what the sentence says.
	const char *obstacle(const Wish &wish)
	{
		if (wants_huge_pages(wish))
			return "on huge pages of";
		if (wish.near_device && place.numa_node < 0)
			return "does not say on which NUMA node";
		return wish.near_device && !may_bind(place.numa_node)
			       ? "cannot be bound to NUMA node"
			       : nullptr;
	}

	bool is_there(const Wish &wish, const void *at)
	{
		return (!wish.huge_pages || page_kib_of(at) == meminfo("Hugepagesize: %lu")) &&
		       (!wish.near_device ||
			(policy_of(at) == MPOL_BIND && node_of(at) == place.numa_node));
	}

	void expect_there(const Wish &wish, const std::vector<Piece> &pieces)
	{
		for (const Piece &piece : pieces) {
			if (!piece.bytes)
				continue;
			EXPECT_TRUE(is_there(wish, piece.start)) << piece.bytes << " bytes";
			EXPECT_TRUE(is_there(wish, (const uint8_t *)piece.start + piece.bytes - 1))
				<< piece.bytes << " bytes";
		}
	}

	int open_cq(const Wish &wish, uint32_t entries, segue_cq **out)
	{
		segue_cq_options options = {};

		options.entries = entries;
		options.overcommit = true;
		ask(&options, wish);
		return segue_cq_open(device, &options, out);
	}

	int open_srq(const Wish &wish, uint32_t max_wr, segue_srq **out, segue_xrcd *xrcd = nullptr,
		     segue_cq *completes = nullptr)
	{
		segue_srq_options options = {};

		options.max_wr = max_wr;
		options.max_sge = 1;
		options.xrcd = xrcd;
		options.cq = completes;
		ask(&options, wish);
		return segue_srq_open(pd, &options, out);
	}

	int open_rc(const Wish &wish, segue_cq *completes, segue_qp **out, segue_srq *srq = nullptr,
		    segue_td *td = nullptr, uint32_t max_send_wr = 16)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = options.recv_cq = completes;
		options.max_send_wr = max_send_wr;
		options.td = td;
		options.srq = srq;
		if (srq)
			options.max_recv_wr = options.max_recv_sge = 0;
		ask(&options, wish);
		return segue_qp_open(pd, &options, out);
	}

	// Enough of them for every ring to go round.
	void carry(segue_qp *a, segue_qp *b, segue_srq *srq, segue_cq *completes)
	{
		for (uint64_t i = 0; i < 100; i++) {
			memset(from, (int)i + 1, sizeof(from));
			memset(to, 0, sizeof(to));
			ASSERT_OK(write(a, i));
			ASSERT_EQ(0, take(1, completes)[0].syndrome);
			ASSERT_EQ(0, memcmp(from, to, 64));
			ASSERT_OK(segue_post(segue_sge(segue_recv(srq, i), landing.addr + 64, 64,
						       landing.key.lkey)));
			ASSERT_OK(send(a, i));
			for (const segue_wc &wc : take(2, completes))
				ASSERT_EQ(0, wc.syndrome);
			ASSERT_EQ(0, memcmp(from, to + 64, 64));
			ASSERT_OK(write_to(b, i, remote.addr + 128, remote.key.rkey));
			ASSERT_EQ(0, take(1, completes)[0].syndrome);
			ASSERT_EQ(0, memcmp(from, to + 128, 64));
		}
	}

	void refuses(const Wish &wish, const char *why)
	{
		segue_srq *srq;
		segue_cq *own;
		segue_qp *qp;

		EXPECT_GT(0, open_cq(wish, 100, &own));
		EXPECT_SAYS(why);
		EXPECT_SAYS("Completion queue: ");
		EXPECT_GT(0, open_srq(wish, 16, &srq));
		EXPECT_SAYS(why);
		EXPECT_SAYS("Shared receive queue: ");
		EXPECT_GT(0, open_rc(wish, cq, &qp));
		EXPECT_SAYS(why);
		EXPECT_SAYS("Queue pair: ");
	}

	// One that matches tags has a queue pair besides, for its list. libmlx5 makes it on
	// InfiniBand ports only.
	void matches_tags(const Wish &wish, segue_cq *completes)
	{
		segue_srq_options options = {};
		segue_srq *srq;

		if (path_to(1).link != SEGUE_LINK_IB)
			return;
		options.max_wr = 16;
		options.max_sge = 1;
		options.max_tags = 8;
		options.cq = completes;
		ask(&options, wish);
		ASSERT_OK(segue_srq_open(pd, &options, &srq));
		expect_there(wish, {pieces_of(srq)[0]});
		ASSERT_OK(segue_srq_close(srq));
	}

	void works(const Wish &wish)
	{
		std::vector<Piece> all;
		segue_srq *srq, *xrc_srq;
		segue_xrcd *xrcd;
		segue_qp *a, *b;
		segue_td *td;
		segue_cq *own;
		auto check = [&](const std::vector<Piece> &pieces) {
			expect_there(wish, pieces);
			all.insert(all.end(), pieces.begin(), pieces.end());
		};

		ASSERT_OK(segue_td_open(pd, &td));
		ASSERT_OK(segue_xrcd_open(device, -1, &xrcd));
		ASSERT_OK(open_cq(wish, 100, &own));
		check(pieces_of(own));
		ASSERT_OK(open_srq(wish, 16, &srq));
		check(pieces_of(srq));
		ASSERT_OK(open_srq(wish, 16, &xrc_srq, xrcd, own));
		check({pieces_of(xrc_srq)[0]}); // its record stays libmlx5's
		ASSERT_OK(open_rc(wish, own, &a));
		check(pieces_of(a));
		ASSERT_OK(open_rc(wish, own, &b, srq, td));
		check(pieces_of(b));
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
		ASSERT_NO_FATAL_FAILURE(carry(a, b, srq, own));
		for (uint32_t entries : {1000u, 30u}) {
			ASSERT_OK(segue_cq_resize(own, entries));
			check({Piece{own->ring.buf,
				     (size_t)own->ring.cqe_cnt * own->ring.entry_size}});
			ASSERT_NO_FATAL_FAILURE(carry(a, b, srq, own));
		}
		ASSERT_NO_FATAL_FAILURE(matches_tags(wish, own));
		ASSERT_OK(segue_qp_close(a));
		ASSERT_OK(segue_qp_close(b));
		ASSERT_OK(segue_srq_close(xrc_srq));
		ASSERT_OK(segue_srq_close(srq));
		ASSERT_OK(segue_cq_close(own));
		ASSERT_OK(segue_td_close(td));
		for (const Piece &piece : all)
			EXPECT_FALSE(piece.bytes && is_there(wish, piece.start))
				<< piece.bytes << " bytes are still there";
	}

	void try_wish(const Wish &wish)
	{
		const char *why = obstacle(wish);

		if (!why) {
			works(wish);
			return;
		}
		refuses(wish, why);
		if (wants_huge_pages(wish))
			GTEST_SKIP() << NO_HUGE_PAGES;
	}

	segue_place_info place = {};
};

TEST_F(Rings, AreOnTheNodeOfTheirDevice)
{
	try_wish({false, true});
}

TEST_F(Rings, AreOnHugePages)
{
	try_wish({true, false});
}

TEST_F(Rings, AreOnHugePagesOfThatNode)
{
	try_wish({true, true});
}

TEST_F(Rings, LieElsewhereUnlessAsked)
{
	segue_qp *qp = open(SEGUE_QP_RC);

	for (const Piece &piece : pieces_of(qp))
		EXPECT_NE(MPOL_BIND, policy_of(piece.start));
	for (const Piece &piece : pieces_of(cq))
		EXPECT_NE(MPOL_BIND, policy_of(piece.start));
}

TEST_F(Rings, AreRefusedWhereThereAreNone)
{
	segue_qp_options options = options_for(SEGUE_QP_DCT);
	segue_qp *qp;

	options.recv_cq = cq;
	options.srq = Faulty::open_srq();
	options.near_device = true;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("DCT queue pair: huge_pages or near_device is given, but it has no rings");
}

// Of any size, opened and closed in any order: none is given memory that another one has, and all
// of it is clear.
TEST_F(Rings, NeverShareMemory)
{
	const Wish wish = {false, true};
	const uint64_t seed = segue_test_seed();
	std::mt19937 random((unsigned int)seed);
	struct Object {
		segue_qp *qp;
		segue_cq *cq;
		segue_srq *srq;
		std::vector<Piece> pieces;
	};
	std::vector<Object> objects;
	segue_cq *all;

	SCOPED_TRACE("seed " + std::to_string(seed));
	if (obstacle(wish))
		return refuses(wish, obstacle(wish));
	ASSERT_OK(open_cq({}, 10, &all));
	for (int round = 0; round < rounds(400); round++) {
		if (objects.size() > 40 || (!objects.empty() && random() % 3 == 0)) {
			const size_t at = random() % objects.size();

			for (const Piece &piece :
			     objects[at].qp ? objects[at].pieces : std::vector<Piece>())
				memset(const_cast<void *>(piece.start), 0xff, piece.bytes);
			ASSERT_OK(segue_qp_close(objects[at].qp));
			ASSERT_OK(segue_cq_close(objects[at].cq));
			ASSERT_OK(segue_srq_close(objects[at].srq));
			objects.erase(objects.begin() + (long)at);
			continue;
		}
		Object made = {};

		switch (random() % 3) {
		case 0:
			ASSERT_OK(open_rc(wish, all, &made.qp, nullptr, nullptr,
					  1 + random() % (random() % 8 ? 20 : 8000)));
			made.pieces = pieces_of(made.qp);
			for (const Piece &piece : made.pieces)
				for (size_t i = 0; i < piece.bytes; i += 4)
					ASSERT_EQ(0, memcmp((const uint8_t *)piece.start + i,
							    "\0\0\0", 4));
			break;
		case 1:
			ASSERT_OK(open_cq(wish, 1 + random() % 10000, &made.cq));
			made.pieces = pieces_of(made.cq);
			break;
		default:
			ASSERT_OK(open_srq(wish, 1 + random() % 500, &made.srq));
			made.pieces = pieces_of(made.srq);
		}
		expect_there(wish, made.pieces);
		for (const Object &other : objects)
			for (const Piece &theirs : other.pieces)
				for (const Piece &ours : made.pieces)
					ASSERT_TRUE((uintptr_t)theirs.start + theirs.bytes <=
							    (uintptr_t)ours.start ||
						    (uintptr_t)ours.start + ours.bytes <=
							    (uintptr_t)theirs.start);
		objects.push_back(made);
	}
}

// What cannot be destroyed holds on to its memory until the device is closed, which it then can be.
TEST_F(Rings, GoWithADeviceThatIsGone)
{
	const Wish wish = {false, true};
	std::vector<Piece> pieces;
	segue_srq *srq;
	segue_td *td;
	segue_cq *own;
	segue_qp *qp;

	if (obstacle(wish))
		return refuses(wish, obstacle(wish));
	ASSERT_OK(segue_td_open(pd, &td));
	ASSERT_OK(open_cq(wish, 100, &own));
	ASSERT_OK(open_srq(wish, 16, &srq));
	ASSERT_OK(open_rc(wish, own, &qp, nullptr, td));
	pieces = pieces_of(qp);
	for (const char *command :
	     {"destroy_qp", "destroy_srq", "destroy_cq", "dereg_mr", "dealloc_pd"})
		INJECT(std::string("command ") + command + " EIO every=1");
	EXPECT_OK(segue_qp_close(qp));
	EXPECT_LT(0u, faults_met());
	expect_there(wish, pieces);
	EXPECT_OK(segue_device_close(device));
	EXPECT_FALSE(is_there(wish, pieces[0].start));
	INJECT("clear");
	ASSERT_NO_FATAL_FAILURE(Control::SetUp());
}
