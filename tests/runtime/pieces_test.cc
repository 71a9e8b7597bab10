// SPDX-License-Identifier: BSD-2-Clause
// Lists of libibverbs' pieces beside segue_sge() for each piece that is not empty: the rings are
// the same, wherever the ring ends, and so is each refusal.
#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/verbs.h"
#include "tests/runtime/plain_queue.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

using Pieces = std::vector<ibv_sge>;

// With a few empty ones, and one in 50 lists with a piece that is too long.
Pieces Draw(SplitMix64 *dice, uint32_t most)
{
	Pieces pieces((*dice)() % (most + 1));

	for (ibv_sge &piece : pieces) {
		piece.addr = (*dice)();
		piece.length = (*dice)() % 6 ? uint32_t((*dice)() % INT32_MAX) : 0;
		piece.lkey = uint32_t((*dice)());
	}
	if (!pieces.empty() && (*dice)() % 50 == 0)
		pieces.back().length = 1u << 31;
	return pieces;
}

template <class State> int OneByOne(State request, const Pieces &pieces)
{
	auto w = segue_sge_list(request, nullptr, 0);

	for (const ibv_sge &piece : pieces)
		if (piece.length)
			w = segue_sge(w, piece.addr, piece.length, piece.lkey);
	return segue_post(w);
}

template <class State> int AsTheyAre(State request, const Pieces &pieces)
{
	return segue_post(segue_verbs_sge_list(request, pieces.data(), uint32_t(pieces.size())));
}

struct Sends {
	World world = {};
	segue_rc_sq queue = {};

	explicit Sends(uint32_t first)
	{
		OpenOver(&world, &queue, first);
	}
	auto Write()
	{
		return segue_raddr(segue_rdma_write(&queue, 1, SEGUE_SIGNALED), 2, 3);
	}
};

TEST(Pieces, OfSends)
{
	SplitMix64 dice(segue_test_seed());

	for (uint32_t first = 0; first < 200 * kBlocks; first++) {
		const Pieces pieces = Draw(&dice, kUnits + 2);
		Sends theirs(first), ours(first);

		ASSERT_EQ(OneByOne(theirs.Write(), pieces), AsTheyAre(ours.Write(), pieces));
		ASSERT_EQ(theirs.queue.sq.pi, ours.queue.sq.pi);
		if (theirs.queue.sq.pi != first) {
			ASSERT_EQ(0, memcmp(theirs.world.ring, ours.world.ring,
					    sizeof(theirs.world.ring)))
				<< pieces.size() << " pieces at " << first;
		}
		ASSERT_EQ(theirs.world.dbrec, ours.world.dbrec);
	}
}

struct Receives {
	static constexpr uint32_t kStrides = 4, kStride = 128;

	alignas(64) uint8_t ring[kStrides * kStride] = {};
	uint64_t wr_ids[kStrides] = {};
	uint32_t dbrec = 0;
	segue_rq queue = {};

	Receives()
	{
		segue_rq_init_options options = {};

		options.buf = ring;
		options.wqe_cnt = kStrides;
		options.stride = kStride;
		options.dbrec = &dbrec;
		options.qpn = 0x1234;
		options.wr_ids = wr_ids;
		EXPECT_EQ(0, segue_rq_init(&queue, &options)) << segue_errmsg();
	}
};

TEST(Pieces, OfReceives)
{
	SplitMix64 dice(segue_test_seed());

	for (int i = 0; i < 1000; i++) {
		Receives theirs, ours;

		for (uint32_t j = 0; j < Receives::kStrides; j++) {
			const Pieces pieces = Draw(&dice, Receives::kStride / 16);

			ASSERT_EQ(OneByOne(segue_recv(&theirs.queue, j), pieces),
				  AsTheyAre(segue_recv(&ours.queue, j), pieces));
		}
		ASSERT_EQ(0, memcmp(theirs.ring, ours.ring, sizeof(theirs.ring)));
		ASSERT_EQ(theirs.dbrec, ours.dbrec);
	}
}

} // namespace
