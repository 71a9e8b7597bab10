/* SPDX-License-Identifier: BSD-2-Clause */
/* What C++ programs do with the names of builders besides calling them with a queue. */
#include <gtest/gtest.h>

#include <type_traits>

// A program may have macros that are called as a step or a queue is.
#define dc no queue
#define ud no queue
#define commit no step
#define nop no step
#define raddr no step
#include "segue/gen/builders.h"
#include "tests/builders/small_ring.h"

namespace {

// The types that the address of what is called with a queue is deduced from.
template <class Queue, class Result, class... Behind>
Result result_of(Result (*)(Queue *, Behind...));

template <class Queue, class Arguments, class... Behind>
Arguments arguments_of(int (*)(Queue *, const Arguments *, Behind...));

template <class A, class B> void same()
{
	static_assert(std::is_same<A, B>::value, "another type is deduced");
}

class Names : public testing::Test, protected SmallRing {
protected:
	void SetUp() override
	{
		const segue_sq_init_options attr = Attr();

		ASSERT_EQ(0, segue_sq_init(&rc.sq, &attr));
	}

	// A queue's own type.
	struct Derived : segue_rc_sq {
	};

	// What holds a queue, and stands for it.
	struct Holder {
		operator segue_rc_sq *() const
		{
			return held;
		}

		segue_rc_sq *held;
	};

	Derived rc = {};
};

TEST_F(Names, HaveAddressesOfWhichTypesAreDeduced)
{
	same<segue_rc_send_args, decltype(arguments_of<segue_rc_sq>(segue_post_send))>();
	same<segue_ud_send_args, decltype(arguments_of<segue_ud_sq>(segue_post_send))>();
	same<segue_rc_send_may_take_sge_or_inline_data,
	     decltype(result_of<segue_rc_sq>(segue_send))>();
	same<segue_rc_batch, decltype(result_of<segue_rc_sq>(segue_batch_begin))>();
}

#if !SEGUE_CHECKED // where each has the place of its call behind its own arguments
TEST_F(Names, HaveAddresses)
{
	segue_rc_nop_may_take_filler (*const begin)(segue_rc_sq *, uint64_t, uint32_t) = segue_nop;
	segue_rc_nop_may_take_filler (*const step)(segue_rc_nop_may_take_filler,
						   const segue_seg_filler *, uint32_t) =
		segue_filler_list;
	int (*const end)(segue_rc_nop_may_take_filler) = segue_post;
	int (*const one_call)(segue_rc_sq *, const segue_rc_nop_args *) = segue_post_nop;
	const segue_rc_nop_args args = {};

	EXPECT_EQ(0, end(step(begin(&rc, 1, SEGUE_SIGNALED), nullptr, 0)));
	EXPECT_EQ(0, one_call(&rc, &args));
	EXPECT_EQ(2u, rc.sq.pi);
}
#endif

TEST_F(Names, TakeWhatConvertsToAQueue)
{
	const segue_rc_nop_args args = {};
	const Holder holder = {&rc};
	segue_rc_batch batch = segue_batch_begin(&rc);

	EXPECT_EQ(0, segue_commit(segue_nop(&batch, 1, 0)));
	segue_batch_end(&batch);
	EXPECT_EQ(0, segue_post(segue_nop(holder, 2, 0)));
	EXPECT_EQ(0, segue_post_nop(holder, &args));
	EXPECT_EQ(0, segue_post(segue_nop(&rc, 3, 0)));
	EXPECT_EQ(0, segue_post_nop(&rc, &args));
	segue_ring_doorbell(&rc);
	EXPECT_EQ(5u, rc.sq.pi);
}

} // namespace
