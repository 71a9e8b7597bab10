/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * segue_verbs_*() against libmlx5, on random programs (twins.h). SEGUE_TEST_COUNT is how many
 * programs run; SEGUE_TEST_SEED repeats them.
 */
#include <memory>

#include "tests/runtime/verbs/functions_side.h"
#include "tests/runtime/verbs/twins.h"

namespace
{

constexpr uint32_t kProgramsOfPair = 50;

TEST(Functions, AreEqual)
{
	const char *given = getenv("SEGUE_TEST_COUNT");
	const uint32_t count = given ? uint32_t(strtoul(given, nullptr, 0)) : 3000;
	ibv_device **list = ibv_get_device_list(nullptr);
	Side theirs;
	FunctionsSide ours;

	ASSERT_TRUE(list && list[0]);
	ASSERT_NO_FATAL_FAILURE(theirs.Open(list[0]));
	ASSERT_NO_FATAL_FAILURE(ours.Open(list[0]));
	ibv_free_device_list(list);
	Twins twins(&theirs, &ours, Seed(), false);
	for (uint32_t done = 0; done < count && !HasFailure(); done += kProgramsOfPair)
		twins.Run(kProgramsOfPair);
}

} // namespace
