// SPDX-License-Identifier: BSD-2-Clause
// Worlds that lose a rank for good: nobody waits for one that has retired.
#include <errno.h>

#include <array>

#include "ranks.h"

namespace
{

bool is_gone(segue_world *world, uint32_t rank, uint32_t *life = nullptr)
{
	bool gone = false;

	EXPECT_EQ(0, segue_world_query_gone(world, rank, &gone, life)) << segue_errmsg();
	return gone;
}

// Until it hears of that.
void await_gone(segue_world *world, uint32_t rank)
{
	const segue_deadline deadline = soon();

	while (!is_gone(world, rank) && segue_deadline_left_ms(deadline))
		usleep(1000);
	EXPECT_TRUE(is_gone(world, rank)) << "rank " << rank;
}

using Call = std::function<void(segue_world *)>;

// All of them at once.
void together(const std::vector<segue_world *> &worlds, const Call &call)
{
	std::vector<std::thread> threads;

	for (segue_world *world : worlds)
		threads.emplace_back([world, &call] { call(world); });
	for (std::thread &thread : threads)
		thread.join();
}

void fence(segue_world *world)
{
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
}

void admit(segue_world *world)
{
	EXPECT_EQ(0, segue_world_admit(world, soon())) << segue_errmsg();
}

void close_all(const std::vector<segue_world *> &worlds)
{
	together(worlds, [](segue_world *world) {
		EXPECT_EQ(0, segue_world_close(world, soon())) << segue_errmsg();
	});
}

// Each gives its rank and a hundred; `gap` gives nothing.
void collect(const std::vector<segue_world *> &worlds, uint32_t gap)
{
	together(worlds, [gap](segue_world *world) {
		const uint32_t mine = segue_world_rank(world) + 100;
		std::array<uint32_t, 8> all;

		all.fill(7);
		EXPECT_EQ(0, segue_world_allgather(world, &mine, sizeof(mine), soon(), all.data()))
			<< segue_errmsg();
		for (uint32_t rank = 0; rank < segue_world_size(world); rank++)
			EXPECT_EQ(rank == gap ? 0 : rank + 100, all[rank]) << "rank " << rank;
	});
}

constexpr uint32_t NO_GAP = UINT32_MAX;

// One that is let in by the others.
segue_world *join(const Meeting &meeting, const std::vector<segue_world *> &worlds)
{
	segue_world_options options = meeting.options(0);
	segue_world *newcomer = nullptr;
	const segue_deadline deadline = soon();
	const uint32_t before = segue_world_size(worlds[0]);

	options.join = true;
	options.size = 0;
	std::thread caller([&] {
		EXPECT_EQ(0, segue_world_open(&options, soon(), &newcomer)) << segue_errmsg();
	});
	/* Once it is in, another admission would wait for it, too. */
	while (segue_world_size(worlds[0]) == before && segue_deadline_left_ms(deadline)) {
		usleep(10000);
		together(worlds, admit);
	}
	caller.join();
	return newcomer;
}

} // namespace

// One was admitted, and leaves: the world goes on without it, as large as it was, and grows again.
TEST(WorldShrink, AfterOneThatWasAdmittedHasLeft)
{
	const Meeting meeting(2);
	const std::vector<segue_world *> first = {meeting.open(0), meeting.open(1)};
	segue_world *newcomer = join(meeting, first);
	uint32_t life = 0;

	ASSERT_NE(nullptr, newcomer);
	EXPECT_EQ(2u, segue_world_rank(newcomer));
	together({first[0], first[1], newcomer}, fence);
	EXPECT_EQ(0, segue_world_close(newcomer, soon()));
	together(first, [](segue_world *world) {
		EXPECT_EQ(-ENOTCONN, segue_world_fence(world, soon()));
		said("rank 2 left");
		EXPECT_EQ(-ENOTCONN, segue_world_admit(world, soon()));
	});

	EXPECT_EQ(0, segue_world_retire(first[0], 2, soon())) << segue_errmsg();
	EXPECT_EQ(0, segue_world_retire(first[0], 2, soon())) << "once more does no harm";
	await_gone(first[0], 2);
	await_gone(first[1], 2);
	EXPECT_EQ(3u, segue_world_size(first[1])) << "until all agree on it";
	together(first, fence);
	EXPECT_EQ(2u, segue_world_size(first[0]));
	EXPECT_EQ(2u, segue_world_size(first[1]));
	collect(first, NO_GAP);

	/* Another one is let in: it has the same number, and is known as another process. */
	segue_world *other = join(meeting, first);
	ASSERT_NE(nullptr, other);
	EXPECT_EQ(2u, segue_world_rank(other));
	EXPECT_EQ(2u, segue_world_incarnation(other));
	EXPECT_EQ(3u, segue_world_size(first[1]));
	collect({first[0], first[1], other}, NO_GAP);
	EXPECT_FALSE(is_gone(first[1], 2, &life));
	EXPECT_EQ(2u, life);
	close_all({first[0], first[1], other});
}

TEST(WorldShrink, ByOneThatRetiresItself)
{
	const Meeting meeting(3);
	const std::vector<segue_world *> stay = {meeting.open(0), meeting.open(1)};
	segue_world *leaves = meeting.open(2);

	together({stay[0], stay[1], leaves}, fence);
	EXPECT_EQ(0, segue_world_retire(leaves, 2, soon())) << segue_errmsg();
	EXPECT_EQ(-ESHUTDOWN, segue_world_fence(leaves, soon()));
	said("this rank has retired");
	await_gone(stay[1], 2);
	said("rank 2 has retired: it has decided that itself");
	collect(stay, 2);
	EXPECT_EQ(2u, segue_world_size(stay[1]));
	collect(stay, NO_GAP);
	close_all({leaves, stay[0], stay[1]});
}

// A rank in the middle: the others keep their numbers, and somebody may take its place.
TEST(WorldShrink, LeavesAGapThatCanBeFilled)
{
	const Meeting meeting(4);
	const std::vector<segue_world *> stay = {meeting.open(0), meeting.open(2), meeting.open(3)};
	segue_world *leaves = meeting.open(1);
	char byte;
	segue_world_value value = {&byte, 1, 0, 0};

	EXPECT_EQ(0, segue_world_close(leaves, soon()));
	EXPECT_EQ(0, segue_world_retire(stay[0], 1, soon())) << segue_errmsg();
	together(stay, fence);
	EXPECT_EQ(4u, segue_world_size(stay[1]));
	collect(stay, 1);
	collect(stay, 1);
	EXPECT_EQ(-ENOTCONN, segue_world_get(stay[1], 1, "other", soon(), &value));
	said("rank 1 has retired");
	segue_world *fills = meeting.open(1);
	EXPECT_EQ(2u, segue_world_incarnation(fills));
	collect({stay[0], fills, stay[1], stay[2]}, NO_GAP);
	EXPECT_FALSE(is_gone(stay[2], 1));
	close_all({stay[0], fills, stay[1], stay[2]});
}

// One that does not come at all: who waits for it is released by the decision.
TEST(WorldShrink, WithoutOneThatNeverCame)
{
	const Meeting meeting(3);
	const std::vector<segue_world *> here = {meeting.open(0), meeting.open(1)};
	std::thread waits([&] { fence(here[1]); });

	EXPECT_EQ(0, segue_world_retire(here[0], 2, soon())) << segue_errmsg();
	fence(here[0]);
	waits.join();
	EXPECT_EQ(2u, segue_world_size(here[0]));
	EXPECT_EQ(2u, segue_world_size(here[1]));
	/* Its process comes too late, and is told that there is no such rank. */
	segue_world_options late = meeting.options(2);
	segue_world *world = nullptr;
	EXPECT_EQ(-EACCES, segue_world_open(&late, segue_deadline_in_ms(2000), &world));
	said("rank");
	close_all(here);
}

TEST(WorldShrink, IsRefusedWhereItMakesNoSense)
{
	const Meeting meeting(3);
	const std::vector<segue_world *> all = {meeting.open(0), meeting.open(1), meeting.open(2)};
	segue_world_options options = {};
	segue_world *alone = nullptr;

	options.engine = "alone";
	EXPECT_EQ(-EBUSY, segue_world_retire(all[0], 1, soon()));
	said("rank 1 is there");
	EXPECT_EQ(-EPERM, segue_world_retire(all[1], 2, soon()));
	said("rank 1 retires itself, but not rank 2");
	EXPECT_EQ(-EINVAL, segue_world_retire(all[0], 0, soon()));
	said("does not retire");
	EXPECT_EQ(-EINVAL, segue_world_retire(all[0], 3, soon()));
	together(all, fence);
	ASSERT_EQ(0, segue_world_open(&options, soon(), &alone)) << segue_errmsg();
	EXPECT_EQ(-ENOTSUP, segue_world_retire(alone, 0, soon()));
	EXPECT_EQ(0, segue_world_close(alone, soon()));
	close_all(all);
}
