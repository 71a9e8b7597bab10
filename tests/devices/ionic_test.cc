/* SPDX-License-Identifier: BSD-2-Clause */
/* ionic: words of both orders, and a count that only some requests have. */
#include <gtest/gtest.h>

#include <cstring>

#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/cqes.h"
#include "segue/gen/machines.h"
#include "tests/providers/shown.h"

namespace
{

struct Ionic : testing::Test {
	uint8_t entry[128];
	segue_rc_sq sq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		sq.block = {entry, sizeof(entry), 0};
	}
};

TEST_F(Ionic, WordsOfBothOrders)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_rdma_write(&sq, SEGUE_SIGNALED, 0x0102, 1,
							  UINT64_C(0x1122334455667788), 9),
					 0x1000, 300, 7)),
		  0);
	EXPECT_EQ(sq.block.used, 48u);
	EXPECT_EQ(segue_get_le64(entry), 0x0102u);
	EXPECT_EQ(segue_get_be32(entry + 8), 0x04010018u);
	EXPECT_EQ(segue_get_be64(entry + 16), UINT64_C(0x1122334455667788));
	EXPECT_EQ(segue_get_be32(entry + 28), 300u);
	EXPECT_EQ(Judged(&segue_rc_machine, entry, 128), "no offence");
	EXPECT_NE(Printed(&segue_rc_machine, entry, 128).find("wqe_idx      0x0000000000000102"),
		  std::string::npos)
		<< Printed(&segue_rc_machine, entry, 128);
}

TEST_F(Ionic, APayloadIsCountedElsewhere)
{
	ASSERT_EQ(segue_commit(segue_payload(segue_rdma_write_inline(&sq, 0, 1, 0, 0x1000, 9),
					     "five!", 5)),
		  0);
	EXPECT_EQ(sq.block.used, 37u);
	EXPECT_EQ(segue_get_be32(entry + 8), 0x04000004u) << "no pieces";
	EXPECT_EQ(segue_get_be32(entry + 28), 5u);
	EXPECT_EQ(Judged(&segue_rc_machine, entry, 128), "no offence");
	entry[31] = 97;
	EXPECT_NE(Judged(&segue_rc_machine, entry, 128), "no offence");
}

} // namespace
