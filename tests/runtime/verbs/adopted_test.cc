/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A program's own calls on a context that is adopted, against libmlx5, on random programs
 * (twins.h). SEGUE_TEST_COUNT is how many programs run; SEGUE_TEST_SEED repeats them.
 */
#include <infiniband/mlx5dv.h>

#include "segue/base.h"
#include "segue/verbs.h"
#include "tests/runtime/verbs/second_queue.h"
#include "tests/runtime/verbs/twins.h"

namespace
{

constexpr uint32_t kProgramsOfPair = 50;

class AdoptedSide : public Side
{
      public:
	void Make(const Shape &shape) override
	{
		ASSERT_NO_FATAL_FAILURE(Side::Make(shape));
		ASSERT_TRUE(segue_test_is_taken(qp));
		if (!described_)
			DescribeCq(segue_test_second_queue(cq));
		described_ = true;
	}

      protected:
	/* A program that looks for its ring is left alone. */
	void Describe() override
	{
	}
	void Opened() override
	{
		ASSERT_EQ(0, segue_verbs_adopt(context)) << segue_errmsg();
	}

      private:
	bool described_ = false;
};

TEST(Adopted, IsEqual)
{
	const char *given = getenv("SEGUE_TEST_COUNT");
	const uint32_t count = given ? uint32_t(strtoul(given, nullptr, 0)) : 3000;
	ibv_device **list = ibv_get_device_list(nullptr);
	Side theirs;
	AdoptedSide ours;

	ASSERT_TRUE(list && list[0]);
	ASSERT_NO_FATAL_FAILURE(theirs.Open(list[0]));
	ASSERT_NO_FATAL_FAILURE(ours.Open(list[0]));
	ibv_free_device_list(list);
	Twins twins(&theirs, &ours, Seed(), true);
	for (uint32_t done = 0; done < count && !HasFailure(); done += kProgramsOfPair)
		twins.Run(kProgramsOfPair);
}

/* A context that has a completion queue is refused, with a count. */
void ExpectRefused(ibv_context *context, const char *queues)
{
	EXPECT_EQ(-EBUSY, segue_verbs_adopt(context));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), queues)) << segue_errmsg();
}

TEST(Adopted, IsRefusedLate)
{
	ibv_device **list = ibv_get_device_list(nullptr);
	ibv_cq_init_attr_ex attr = {};
	ibv_context *context;
	ibv_cq *cqs[2];

	ASSERT_TRUE(list && list[0]);
	context = ibv_open_device(list[0]);
	ibv_free_device_list(list);
	ASSERT_NE(nullptr, context);
	attr.cqe = 4;
	cqs[0] = ibv_create_cq(context, 4, nullptr, nullptr, 0);
	cqs[1] = ibv_cq_ex_to_cq(mlx5dv_create_cq(context, &attr, nullptr));
	ASSERT_TRUE(cqs[0] && cqs[1]);
	ExpectRefused(context, "2 completion queues ");
	EXPECT_EQ(0, ibv_destroy_cq(cqs[1]));
	ExpectRefused(context, "1 completion queue ");
	EXPECT_EQ(0, ibv_destroy_cq(cqs[0]));
	EXPECT_EQ(0, segue_verbs_adopt(context)) << segue_errmsg();
	EXPECT_EQ(0, ibv_close_device(context));
}

} // namespace
