/* SPDX-License-Identifier: BSD-2-Clause */
/* cxgb4: entries that end within a unit, behind a header that is no multiple of it. */
#include <gtest/gtest.h>

#include <cstring>

#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/printing.h"

namespace
{

constexpr uint8_t kWrid[] = {0x34, 0x12};

struct Cxgb4 : testing::Test {
	uint8_t entry[320];
	segue_rc_sq sq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		sq.block = {entry, sizeof(entry), 0};
	}

	uint32_t Dword(uint32_t number)
	{
		return segue_get_be32(entry + 4 * number);
	}
};

/* As build_rdma_write() makes them: 40 bytes and 16 for each piece, counted in units of 16. */
TEST_F(Cxgb4, PiecesBehindAnOddHeader)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_sge(segue_rdma_write(&sq, SEGUE_SIGNALED, kWrid,
								    0x3000, 9),
						   7, 100, 0x1000),
					 8, 200, 0x2000)),
		  0);
	EXPECT_EQ(sq.block.used, 80u);
	EXPECT_EQ(Dword(0), 0x14013412u);
	EXPECT_EQ(Dword(1), 5u);
	EXPECT_EQ(Dword(4), 300u);
	EXPECT_EQ(Dword(8), 0x83000002u);
	EXPECT_EQ(Dword(10), 7u);
	EXPECT_EQ(Dword(14), 8u);
	EXPECT_EQ(segue_get_be64(entry + 64), 0x2000u);
	EXPECT_EQ(segue_get_be64(entry + 72), 0u);
	EXPECT_EQ(Judged(&segue_rc_machine, entry, 80), "no offence");
	entry[79] = 1;
	EXPECT_NE(Judged(&segue_rc_machine, entry, 80), "no offence") << "what fills up the unit";
}

TEST_F(Cxgb4, PayloadsOfAnyLengthBehindAnOddHeader)
{
	char data[280];

	std::memset(data, 0, sizeof(data)); /* as what fills up a unit */
	for (uint32_t len = 1; len <= sizeof(data); len++) {
		const auto begun = segue_rdma_write_inline(&sq, 0, kWrid, 0x3000, 9);

		ASSERT_EQ(segue_commit(segue_payload(begun, data, len)), 0);
		ASSERT_EQ(sq.block.used, (40 + len + 15) / 16 * 16);
		ASSERT_EQ(Dword(4), len);
		ASSERT_EQ(Dword(9), len);
		ASSERT_EQ(Judged(&segue_rc_machine, entry, sq.block.used), "no offence") << len;
		entry[39]++;
		ASSERT_NE(Judged(&segue_rc_machine, entry, sq.block.used), "no offence") << len;
	}
	ASSERT_EQ(segue_commit(segue_rdma_write_inline(&sq, 0, kWrid, 0x3000, 9)), 0);
	EXPECT_EQ(sq.block.used, 48u);
	EXPECT_EQ(Judged(&segue_rc_machine, entry, 48), "no offence");
}

} // namespace
