// SPDX-License-Identifier: BSD-2-Clause
// Groups: some ranks of a world as a world of their own.
#include <errno.h>

#include "ranks.h"

// Two groups of one world that overlap in nothing, and one of all: fences and collects of each are
// their own.
TEST(Group, SomeRanksAreAWorldOfTheirOwn)
{
	constexpr uint32_t SIZE = 7;
	const Meeting meeting(SIZE);

	meeting.run([](segue_world *world, uint32_t rank) {
		std::vector<uint32_t> ranks;
		for (uint32_t other = rank % 2; other < SIZE; other += 2)
			ranks.push_back(other);
		segue_world *group;
		ASSERT_EQ(0, segue_world_open_group(world, rank % 2 ? "odd" : "even", ranks.data(),
						    (uint32_t)ranks.size(), &group))
			<< segue_errmsg();
		EXPECT_EQ(rank / 2, segue_world_rank(group));
		EXPECT_EQ(ranks.size(), segue_world_size(group));
		EXPECT_EQ(1u, segue_world_incarnation(group));
		for (uint32_t round = 0; round < 20; round++) {
			const uint32_t mine = rank * 1000 + round;
			std::vector<uint32_t> all(ranks.size());

			ASSERT_EQ(0, segue_world_fence(group, soon())) << segue_errmsg();
			ASSERT_EQ(0, segue_world_allgather(group, &mine, sizeof(mine), soon(),
							   all.data()))
				<< segue_errmsg();
			for (uint32_t i = 0; i < ranks.size(); i++)
				EXPECT_EQ(ranks[i] * 1000 + round, all[i]);
		}
		bool gone = true;
		uint32_t life = 0;
		ASSERT_EQ(0, segue_world_query_gone(group, 0, &gone, &life)) << segue_errmsg();
		EXPECT_FALSE(gone);
		EXPECT_EQ(1u, life);
		EXPECT_EQ(0, segue_world_close(group, SEGUE_NOW)) << segue_errmsg();
		// which is still there
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	});
}

TEST(Group, WhoIsMissingInAFenceIsNamedAndTheLateOneIsTold)
{
	const Meeting meeting(4);

	meeting.run([](segue_world *world, uint32_t rank) {
		const uint32_t ranks[] = {1, 3};
		segue_world *group;

		if (rank % 2) {
			ASSERT_EQ(0, segue_world_open_group(world, "two", ranks, 2, &group))
				<< segue_errmsg();
			if (rank == 1) {
				EXPECT_EQ(-ETIMEDOUT,
					  segue_world_fence(group, segue_deadline_in_ms(50)));
				said("rank 3 of the world is missing");
			}
		}
		ASSERT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		if (rank == 3) {
			EXPECT_EQ(-ETIMEDOUT, segue_world_fence(group, soon()));
			said("rank 1 of the world has given it up");
		}
		ASSERT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		if (rank % 2) {
			// the next one is whole
			EXPECT_EQ(0, segue_world_fence(group, soon())) << segue_errmsg();
			EXPECT_EQ(0, segue_world_close(group, SEGUE_NOW)) << segue_errmsg();
		}
		ASSERT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	});
}

TEST(Group, RefusesWhatIsNoGroup)
{
	const Meeting meeting(2);

	meeting.run([](segue_world *world, uint32_t rank) {
		const uint32_t twice[] = {rank, rank}, without[] = {1 - rank}, beyond[] = {rank, 2};
		segue_world *group;

		EXPECT_EQ(-EINVAL, segue_world_open_group(world, "x", twice, 2, &group));
		said("is 2 times among the 2");
		EXPECT_EQ(-EINVAL, segue_world_open_group(world, "x", without, 1, &group));
		EXPECT_EQ(-EINVAL, segue_world_open_group(world, "x", beyond, 2, &group));
		said("rank 2, entry 1, does not exist");
		for (const char *name : {"", "a/b", "12345678901234567"})
			EXPECT_EQ(-EINVAL, segue_world_open_group(world, name, twice, 1, &group));
		EXPECT_EQ(-EINVAL, segue_world_open_group(world, nullptr, twice, 1, &group));
		// nobody leaves before all have come
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	});
}
