/* SPDX-License-Identifier: BSD-2-Clause */
/* irdma: the header lies behind the first piece, and pieces behind it come in pairs. */
#include <gtest/gtest.h>

#include <cstring>

#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/printing.h"

namespace
{

constexpr uint64_t kValid = UINT64_C(1) << 63;

struct Irdma : testing::Test {
	uint8_t entry[256];
	segue_rc_sq sq;
	segue_rq rq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		sq.block = rq.block = {entry, sizeof(entry), 0};
	}

	uint64_t Word(uint32_t byte)
	{
		return segue_get_le64(entry + byte);
	}
};

/* As irdma_uk_rdma_write() makes them of two pieces: the second is followed by an empty one. */
TEST_F(Irdma, TheHeaderIsBehindTheFirstPiece)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_sge(segue_rdma_write(&sq, SEGUE_SIGNALED, 1, 0x1000,
								    100, 7, 1, 0x2000, 8),
						   0x3000, 200, 9, 1),
					 0, 0, 0, 1)),
		  0);
	EXPECT_EQ(sq.block.used, 64u);
	EXPECT_EQ(Word(0), 0x1000u);
	EXPECT_EQ(Word(8), kValid | UINT64_C(100) << 32 | 7);
	EXPECT_EQ(Word(16), 0x2000u);
	EXPECT_EQ(Word(24), kValid | UINT64_C(1) << 62 | UINT64_C(2) << 38 | 8);
	EXPECT_EQ(Word(32), 0x3000u);
	EXPECT_EQ(Word(40), kValid | UINT64_C(200) << 32 | 9);
	EXPECT_EQ(Word(48), 0u);
	EXPECT_EQ(Word(56), kValid);
	EXPECT_EQ(Judged(&segue_rc_machine, entry, 256), "no offence");
	entry[28] = 0x40; /* one piece behind the first, of operation 0 */
	entry[29] &= 0xfe;
	EXPECT_NE(Judged(&segue_rc_machine, entry, 256), "no offence") << "half a pair";
}

TEST_F(Irdma, ReceivesHaveAHeaderToo)
{
	ASSERT_EQ(segue_commit(segue_recv(&rq, 1, 0x1000, 100, 7, 1)), 0);
	EXPECT_EQ(rq.block.used, 32u);
	EXPECT_EQ(Word(8), kValid | UINT64_C(100) << 32 | 7);
	EXPECT_EQ(Word(24), kValid);
	EXPECT_EQ(Judged(&segue_rq_machine, entry, 32), "no offence");
}

} // namespace
