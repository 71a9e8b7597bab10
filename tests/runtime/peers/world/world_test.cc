// SPDX-License-Identifier: BSD-2-Clause
// Worlds: what ranks tell each other, fences and their numbers, strangers.
#include "segue/peers/world.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include <atomic>
#include <chrono>

#include "ranks.h"

/* Where libpmix is not installed. Stands before the C library's own for this program. */
static bool no_libpmix;

extern "C" void *dlopen(const char *name, int flags) noexcept
{
	static const auto next = reinterpret_cast<void *(*)(const char *, int)>(
		dlsym(RTLD_NEXT, "dlopen"));

	return next(no_libpmix && name && !strncmp(name, "libpmix", 7) ? "libnowhere.so" : name,
		    flags);
}

TEST(World, OfOneNeedsNobody)
{
	segue_world_options options = {};
	segue_world *world;
	char bytes[4];
	segue_world_value value = {bytes, sizeof(bytes), 1, 0};

	options.engine = "alone";
	ASSERT_EQ(0, segue_world_open(&options, SEGUE_NOW, &world));
	EXPECT_EQ(1u, segue_world_size(world));
	EXPECT_EQ(0u, segue_world_rank(world));
	put_text(world, "k", "value");
	EXPECT_EQ(0, segue_world_fence(world, SEGUE_NOW));
	ASSERT_EQ(0, segue_world_get(world, 0, "k", SEGUE_NOW, &value));
	EXPECT_EQ("alue", std::string(bytes, value.size));
	EXPECT_EQ(5u, value.total);
	EXPECT_EQ(-ETIMEDOUT, segue_world_get(world, 0, "other", SEGUE_NOW, &value));
	EXPECT_EQ(-EINVAL, segue_world_get(world, 1, "k", SEGUE_NOW, &value));
	said("1 ranks");
	value.offset = 6;
	EXPECT_EQ(-ERANGE, segue_world_get(world, 0, "k", SEGUE_NOW, &value));
	EXPECT_EQ(0, segue_world_abort(world, 3, "enough"));
	EXPECT_EQ(-ECANCELED, segue_world_fence(world, SEGUE_NOW));
	said("enough");
	EXPECT_EQ(0, segue_world_close(world, SEGUE_NOW));
}

TEST(World, TheEnvironmentChoosesAndIsNamed)
{
	segue_world *world;

	for (const char *name :
	     {"SEGUE_WORLD", "SEGUE_RENDEZVOUS", "PMIX_RANK", "PMIX_NAMESPACE", "PMI_FD"})
		unsetenv(name);
	ASSERT_EQ(0, segue_world_open(nullptr, SEGUE_NOW, &world));
	EXPECT_EQ(std::string("alone (neither SEGUE_RENDEZVOUS nor PMIX_RANK is set)"),
		  segue_world_describe(world));
	segue_world_close(world, SEGUE_NOW);

	setenv("PMIX_RANK", "0", 1);
	setenv("PMIX_NAMESPACE", "x", 1);
	no_libpmix = true;
	EXPECT_EQ(-ENOTSUP, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("libpmix.so.2 cannot be loaded (libnowhere.so: cannot open");
	said("Debian: libpmix2");
	no_libpmix = false;
	setenv("SEGUE_WORLD", "alone", 1);
	ASSERT_EQ(0, segue_world_open(nullptr, SEGUE_NOW, &world));
	EXPECT_EQ(std::string("alone (SEGUE_WORLD is set)"), segue_world_describe(world));
	segue_world_close(world, SEGUE_NOW);
	for (const char *name : {"SEGUE_WORLD", "PMIX_RANK", "PMIX_NAMESPACE"})
		unsetenv(name);

	setenv("PMI_FD", "3", 1);
	EXPECT_EQ(-ENOTSUP, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("PMI-1");
	unsetenv("PMI_FD");

	setenv("SEGUE_RENDEZVOUS", "127.0.0.1:1", 1);
	EXPECT_EQ(-EINVAL, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("SEGUE_SIZE");
	setenv("SEGUE_SIZE", "2", 1);
	setenv("SEGUE_RANK", "two", 1);
	EXPECT_EQ(-EINVAL, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("SEGUE_RANK is 'two'");
	setenv("SEGUE_RANK", "2", 1);
	EXPECT_EQ(-EINVAL, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("rank 2 of 2");
	setenv("SEGUE_RANK", "1", 1);
	setenv("SEGUE_TOKEN", "secret", 1);
	EXPECT_EQ(-ETIMEDOUT, segue_world_open(nullptr, segue_deadline_in_ms(100), &world));
	said("missing is rank 0");
	setenv("SEGUE_RENDEZVOUS", "127.0.0.1", 1);
	EXPECT_EQ(-EINVAL, segue_world_open(nullptr, SEGUE_NOW, &world));
	said("HOST:PORT");
	for (const char *name : {"SEGUE_RENDEZVOUS", "SEGUE_SIZE", "SEGUE_RANK", "SEGUE_TOKEN"})
		unsetenv(name);
}

TEST(World, RanksReadWhatOthersPut)
{
	const Meeting meeting(5);

	meeting.run([](segue_world *world, uint32_t rank) {
		for (int round = 0; round < 20; round++) {
			const std::string key = "round " + std::to_string(round);

			put_text(world, key.c_str(), "from " + std::to_string(rank));
			EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
			for (uint32_t other = 0; other < 5; other++)
				EXPECT_EQ("from " + std::to_string(other),
					  get_text(world, other, key.c_str()));
		}
	});
}

TEST(World, LargeValuesArriveWholeAndInPieces)
{
	const Meeting meeting(3);

	meeting.run([](segue_world *world, uint32_t rank) {
		std::vector<uint32_t> words(SEGUE_WORLD_VALUE_MAX / 4), got(words.size());
		segue_world_value value = {got.data(), SEGUE_WORLD_VALUE_MAX, 0, 0};
		uint32_t one;

		for (uint32_t i = 0; i < words.size(); i++)
			words[i] = i * 2654435761u + rank;
		EXPECT_EQ(0, segue_world_put(world, "words", words.data(), SEGUE_WORLD_VALUE_MAX));
		EXPECT_EQ(-EINVAL,
			  segue_world_put(world, "words", words.data(), SEGUE_WORLD_VALUE_MAX + 1));
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		for (uint32_t other = 0; other < 3; other++) {
			value.size = SEGUE_WORLD_VALUE_MAX;
			value.offset = 0;
			value.data = got.data();
			ASSERT_EQ(0, segue_world_get(world, other, "words", soon(), &value))
				<< segue_errmsg();
			ASSERT_EQ(SEGUE_WORLD_VALUE_MAX, value.size);
			EXPECT_EQ(12345 * 2654435761u + other, got[12345]);
			value = {&one, sizeof(one), 4 * 777, 0};
			ASSERT_EQ(0, segue_world_get(world, other, "words", soon(), &value))
				<< segue_errmsg();
			EXPECT_EQ(777 * 2654435761u + other, one);
			EXPECT_EQ(SEGUE_WORLD_VALUE_MAX, value.total);
		}
	});
}

TEST(World, WhatIsDroppedOrTakenIsThereNoMore)
{
	const Meeting meeting(3);

	meeting.run([](segue_world *world, uint32_t rank) {
		char bytes[8];
		segue_world_value value = {bytes, sizeof(bytes), 0, 0};
		int ret;

		put_text(world, "kept", "k");
		put_text(world, "dropped", "d");
		EXPECT_EQ(0, segue_world_remove(world, "dropped"));
		EXPECT_EQ(0, segue_world_remove(world, "never"));
		if (rank == 0)
			put_text(world, "one", "o");
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ("k", get_text(world, (rank + 1) % 3, "kept"));
		EXPECT_EQ(-ETIMEDOUT,
			  segue_world_get(world, (rank + 1) % 3, "dropped", SEGUE_NOW, &value));
		// Of two that want it one gets it, at once or when it comes.
		ret = rank ? segue_world_take(world, 0, "one", SEGUE_NOW, &value) : 0;
		put_text(world, "got", std::to_string(ret));
		if (rank == 0) {
			EXPECT_EQ(-ETIMEDOUT, std::stoi(get_text(world, 1, "got")) +
						      std::stoi(get_text(world, 2, "got")));
		}
		value.size = sizeof(bytes);
		if (rank == 1) {
			EXPECT_EQ(0, segue_world_take(world, 2, "late", soon(), &value));
		}
		if (rank == 2)
			put_text(world, "late", "l");
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		value.size = sizeof(bytes);
		EXPECT_EQ(-ETIMEDOUT, segue_world_get(world, 2, "late", SEGUE_NOW, &value));
		// Its place is free for another.
		put_text(world, "dropped", "again");
		EXPECT_EQ("again", get_text(world, rank, "dropped"));
		EXPECT_EQ(-EINVAL, segue_world_remove(world, ""));
		said("segue_world_remove(): the key");
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	});
}

// Two that come later are ranks when all say so; one that gives up before is none.
TEST(World, GrowsWhenItsRanksSaySo)
{
	const Meeting meeting(2);
	constexpr uint32_t size = 4;
	std::vector<std::thread> threads;
	std::atomic<uint32_t> ranks(0);

	const auto work = [&](segue_world *world, bool may_fence) {
		std::vector<uint32_t> all(size);
		const segue_deadline deadline = soon();

		if (segue_world_rank(world) < 2 && may_fence) {
			const bool odd = segue_world_rank(world);
			EXPECT_EQ(-EPROTO,
				  (odd ? segue_world_admit : segue_world_fence)(world, soon()));
			said("some ranks call segue_world_admit()");
			EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		}
		while (segue_world_size(world) < size && segue_deadline_left_ms(deadline))
			ASSERT_EQ(0, segue_world_admit(world, soon())) << segue_errmsg();
		ASSERT_EQ(size, segue_world_size(world));
		const uint32_t mine = segue_world_rank(world);
		ASSERT_EQ(0, segue_world_allgather(world, &mine, sizeof(mine), soon(), all.data()))
			<< segue_errmsg();
		for (uint32_t i = 0; i < size; i++)
			EXPECT_EQ(i, all[i]);
		ranks |= 1u << mine;
		put_text(world, "mine", std::to_string(mine));
		for (uint32_t i = 0; i < size; i++)
			EXPECT_EQ(std::to_string(i), get_text(world, i, "mine"));
		/* Nobody waits any more. */
		EXPECT_EQ(0, segue_world_admit(world, soon())) << segue_errmsg();
		EXPECT_EQ(size, segue_world_size(world));
		EXPECT_EQ(0, segue_world_close(world, soon())) << segue_errmsg();
	};
	segue_world_options joins = meeting.options(0);
	segue_world *none = nullptr;

	joins.join = true;
	segue_world *zero = meeting.open(0), *one = meeting.open(1);
	EXPECT_EQ(-ETIMEDOUT, segue_world_open(&joins, segue_deadline_in_ms(100), &none));
	said("was not admitted");
	threads.emplace_back(work, zero, true);
	threads.emplace_back(work, one, true);
	for (uint32_t i = 2; i < size; i++)
		threads.emplace_back([&] {
			segue_world *world = nullptr;

			ASSERT_EQ(0, segue_world_open(&joins, soon(), &world)) << segue_errmsg();
			EXPECT_EQ(1u, segue_world_incarnation(world));
			work(world, false);
		});
	for (std::thread &thread : threads)
		thread.join();
	EXPECT_EQ((1u << size) - 1, ranks);
}

TEST(World, AGetWaitsForItsValue)
{
	const Meeting meeting(2);

	meeting.run([](segue_world *world, uint32_t rank) {
		char byte;
		segue_world_value value = {&byte, 1, 0, 0};

		if (rank == 0) {
			EXPECT_EQ(-ETIMEDOUT, segue_world_get(world, 1, "never",
							      segue_deadline_in_ms(50), &value));
			said("rank 1");
			said("'never'");
			put_text(world, "go", "x");
		} else {
			EXPECT_EQ("x", get_text(world, 0, "go"));
		}
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	});
}

TEST(World, ALateRankIsNamedAndNotPairedWithTheNextFence)
{
	const Meeting meeting(4);
	std::atomic<int> given_up(0);

	meeting.run([&](segue_world *world, uint32_t rank) {
		put_text(world, "here", "x");
		EXPECT_EQ("x", get_text(world, 3, "here"));
		if (rank != 3) {
			EXPECT_EQ(-ETIMEDOUT, segue_world_fence(world, segue_deadline_in_ms(200)));
			said("rank 3");
			said("fence 0");
			given_up++;
		} else {
			while (given_up < 3)
				usleep(1000);
			/* Fence 0 is over: this must not count as coming to fence 1. */
			EXPECT_EQ(-ETIMEDOUT, segue_world_fence(world, soon()));
			said("fence 0 is over");
			put_text(world, "between", "y");
		}
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ("y", get_text(world, 3, "between"));
	});
}

TEST(World, WhoNeverCameIsNamed)
{
	const Meeting meeting(3);
	segue_world *world = meeting.open(0);

	ASSERT_NE(nullptr, world);
	EXPECT_EQ(-ETIMEDOUT, segue_world_fence(world, segue_deadline_in_ms(100)));
	said("ranks 1 and 2");
	said("never joined");
	/* Who comes behind that comes to the next one, at which all are. */
	segue_world *one = meeting.open(1), *two = meeting.open(2);
	std::thread first([&] { EXPECT_EQ(0, segue_world_fence(one, soon())) << segue_errmsg(); });
	std::thread second([&] { EXPECT_EQ(0, segue_world_fence(two, soon())) << segue_errmsg(); });
	EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
	first.join();
	second.join();
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(two, soon()));
	EXPECT_EQ(0, segue_world_close(world, soon()));
}

TEST(World, StrangersWhoStaySilentDelayNobody)
{
	const Meeting meeting(4);
	std::vector<segue_world *> worlds = {meeting.open(0)};
	std::vector<int> strangers;
	const auto begin = std::chrono::steady_clock::now();

	for (int i = 0; i < 400; i++)
		strangers.push_back(meeting.connect_raw());
	for (uint32_t rank = 1; rank < 4; rank++)
		worlds.push_back(meeting.open(rank));
	for (uint32_t rank = 1; rank < 4; rank++) {
		put_text(worlds[rank], "r", "x");
		EXPECT_EQ("x", get_text(worlds[0], rank, "r"));
	}
	/* A stranger has 5 s to say hello: 400 of them 2000 s, if they were waited for. */
	EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
	for (int fd : strangers)
		close(fd);
	for (uint32_t rank = 4; rank-- > 0;)
		EXPECT_EQ(0, segue_world_close(worlds[rank], soon()));
}

TEST(World, TheWrongOnesAreRefusedByField)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *other = nullptr;
	segue_world_options options = meeting.options(1);

	options.token = "wrong";
	EXPECT_EQ(-EACCES, segue_world_open(&options, soon(), &other));
	said("token");
	options = meeting.options(1);
	options.job = "another";
	EXPECT_EQ(-EACCES, segue_world_open(&options, soon(), &other));
	said("job");
	options = meeting.options(1);
	options.size = 3;
	EXPECT_EQ(-EACCES, segue_world_open(&options, soon(), &other));
	said("size");
	options = meeting.options(0);
	EXPECT_EQ(-EADDRINUSE, segue_world_open(&options, soon(), &other));
	segue_world *one = meeting.open(1);
	options = meeting.options(1);
	EXPECT_EQ(-EACCES, segue_world_open(&options, segue_deadline_in_ms(100), &other));
	said("is there already");
	EXPECT_EQ(nullptr, other);
	EXPECT_EQ(0, segue_world_close(one, soon()));
	EXPECT_EQ(0, segue_world_close(zero, soon()));
}

TEST(World, AnAbortReachesEverybody)
{
	const Meeting meeting(3);

	meeting.run([](segue_world *world, uint32_t rank) {
		EXPECT_EQ(0, segue_world_fence(world, soon()));
		if (rank == 1) {
			EXPECT_EQ(0, segue_world_abort(world, 42, "the disk is full"));
			return;
		}
		EXPECT_EQ(-ECANCELED, segue_world_fence(world, soon()));
		said("rank 1");
		said("42");
		said("the disk is full");
	});
}

TEST(World, RankZeroSaysWhoWasStillThere)
{
	const Meeting meeting(2);
	segue_world *zero = meeting.open(0), *one = meeting.open(1);

	EXPECT_EQ(-ETIMEDOUT, segue_world_close(zero, segue_deadline_in_ms(50)));
	said("rank 1");
	EXPECT_EQ(-ECONNRESET, segue_world_fence(one, soon()));
	said("rank 0");
	EXPECT_EQ(0, segue_world_close(one, soon()));
}

TEST(World, ManyRanksMeet)
{
	const Meeting meeting(200);

	meeting.run([](segue_world *world, uint32_t rank) {
		put_text(world, "r", std::to_string(rank));
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		for (uint32_t other = rank; other < rank + 200; other += 7)
			EXPECT_EQ(std::to_string(other % 200), get_text(world, other % 200, "r"));
	});
}

// What each gives is everybody's, and each has exchanged no more than it has neighbours, however
// many there are.
TEST(World, AFenceBringsWhatAllGive)
{
	for (const uint32_t ranks : {1u, 2u, 17u, 18u, 19u, 100u, 273u, 300u}) {
		const Meeting meeting(ranks);
		std::atomic<uint64_t> most(0);

		meeting.run([&](segue_world *world, uint32_t rank) {
			segue_world_traffic traffic;

			for (uint32_t round = 0; round < 2; round++) {
				const std::vector<uint32_t> mine = {rank * 31 + round, ~rank, rank};
				std::vector<uint32_t> all(3 * ranks, 0xdead);

				ASSERT_EQ(0, segue_world_allgather(world, mine.data(), 12, soon(),
								   all.data()))
					<< segue_errmsg();
				for (uint32_t i = 0; i < ranks; i++) {
					EXPECT_EQ(i * 31 + round, all[3 * i]);
					EXPECT_EQ(~i, all[3 * i + 1]);
					EXPECT_EQ(i, all[3 * i + 2]);
				}
			}
			segue_world_get_traffic(world, &traffic);
			for (uint64_t before = most;
			     before < traffic.exchanges &&
			     !most.compare_exchange_weak(before, traffic.exchanges);)
				;
			EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		});
		printf("%u ranks: at most %llu exchanges of a rank for two of them\n", ranks,
		       (unsigned long long)most);
		EXPECT_LE(most, 2 * (16u + 4u));
	}
}

TEST(World, WhoGivesAnotherSizeIsNamed)
{
	const Meeting meeting(4);

	meeting.run([](segue_world *world, uint32_t rank) {
		uint8_t mine[8] = {}, all[4 * 8];
		const int ret = segue_world_allgather(world, mine, rank == 2 ? 7 : 8, soon(), all);

		if (rank == 0) {
			EXPECT_EQ(-EPROTO, ret);
			said("ranks from 2 on give 7 bytes each, but rank 0 gives 8");
		} else {
			EXPECT_EQ(-ENOTCONN, ret);
			said("rank 0");
		}
		EXPECT_EQ(0, segue_world_fence(world, soon())) << segue_errmsg();
		EXPECT_EQ(0, segue_world_allgather(world, mine, 8, soon(), all)) << segue_errmsg();
		EXPECT_EQ(-EINVAL, segue_world_allgather(world, mine, 0, soon(), all));
	});
}

TEST(World, ACollectionOfOneNeedsNobody)
{
	segue_world_options options = {};
	segue_world *world;
	char all = 0;

	options.engine = "alone";
	ASSERT_EQ(0, segue_world_open(&options, soon(), &world)) << segue_errmsg();
	EXPECT_EQ(0, segue_world_allgather(world, "x", 1, soon(), &all)) << segue_errmsg();
	EXPECT_EQ('x', all);
	EXPECT_EQ(0, segue_world_close(world, soon()));
}
