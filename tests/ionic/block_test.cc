/* SPDX-License-Identifier: BSD-2-Clause */
/* Where ionic differs from other devices: words of both orders, a count that only some requests
 * have, a color per lap, and control segments that are whole entries. */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/detail/bytes.h"
#include "segue/gen/builders.h"
#include "segue/gen/cqes.h"
#include "segue/gen/machines.h"
#include "segue/gen/rings.h"
#include "tests/providers/printing.h"

namespace
{

struct Block : testing::Test {
	uint8_t entry[128];
	segue_rc_sq rc;
	segue_rq rq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		rc = {};
		rq = {};
		rc.block = rq.block = {entry, sizeof(entry), 0};
	}

	std::string Judge()
	{
		return Judged(&segue_rc_machine, entry, sizeof(entry));
	}
};

TEST_F(Block, WordsOfBothOrders)
{
	rc.lap.bit = 1;
	ASSERT_EQ(segue_commit(segue_sge(segue_rdma_write(&rc, SEGUE_SIGNALED, 0x0102,
							  UINT64_C(0x1122334455667788), 9),
					 0x1000, 300, 7)),
		  0);
	EXPECT_EQ(rc.block.used, 48u);
	EXPECT_EQ(segue_get_le64(entry), 0x0102u);
	EXPECT_EQ(segue_get_be32(entry + 8), 0x21010018u);
	EXPECT_EQ(segue_get_be64(entry + 16), UINT64_C(0x1122334455667788));
	EXPECT_EQ(segue_get_be32(entry + 28), 300u);
	EXPECT_EQ(Judge(), "no offence");
	EXPECT_NE(Printed(&segue_rc_machine, entry, 128).find("wqe_idx      0x0000000000000102"),
		  std::string::npos)
		<< Printed(&segue_rc_machine, entry, 128);
}

TEST_F(Block, APayloadIsCountedElsewhere)
{
	ASSERT_EQ(segue_commit(segue_inline_data(segue_rdma_write_inline(&rc, 0, 0, 0x1000, 9),
						 "five!", 5)),
		  0);
	EXPECT_EQ(rc.block.used, 37u);
	EXPECT_EQ(segue_get_be32(entry + 8), 0x21000004u) << "no pieces";
	EXPECT_EQ(segue_get_be32(entry + 28), 5u);
	EXPECT_EQ(Judge(), "no offence");
	entry[9] = 1;
	EXPECT_NE(Judge(), "no offence") << "a payload has no pieces";
	entry[9] = 0;
	entry[31] = 97;
	EXPECT_NE(Judge(), "no offence") << "97 bytes do not fit behind the header";
}

/* Entries of 512 bytes, of a queue that wants lists of the lengths of up to `most` pieces. */
struct Listed : testing::Test {
	uint8_t entry[512] = {};
	segue_rc_sq rc = {};
	segue_seg_sge list[17] = {};

	int Send(uint32_t most, uint32_t count)
	{
		for (uint32_t i = 0; i < 17; i++)
			list[i] = {0x1000 + i, list[i].len ? list[i].len : 100 + i, 7};
		rc.block = {entry, sizeof(entry), 0};
		rc.table = most;
		return segue_commit(segue_sge_list(segue_send(&rc, 0, 0), list, count));
	}

	std::string Judge()
	{
		return Judged(&segue_rc_machine, entry, sizeof(entry));
	}
};

TEST_F(Listed, NoListOfTwoPiecesNorWhereNoneIsWanted)
{
	EXPECT_EQ(Send(16, 2), 0);
	EXPECT_EQ(rc.block.used, 64u);
	EXPECT_EQ(entry[10], 0);
	EXPECT_EQ(Send(0, 3), 0);
	EXPECT_EQ(rc.block.used, 80u);
	EXPECT_EQ(entry[10], 0);
	EXPECT_EQ(Judge(), "no offence");
}

TEST_F(Listed, LengthsStandInFrontOfPieces)
{
	for (uint32_t count = 3; count <= 16; count++) {
		ASSERT_EQ(Send(16, count), 0) << count;
		EXPECT_EQ(rc.block.used, 64 + 16 * count);
		EXPECT_EQ(entry[9], count);
		EXPECT_EQ(entry[10], count > 8 ? 0x20 : 0x10);
		for (uint32_t i = 0; i < 16; i++) {
			const uint32_t wanted = i < count ? 100 + i : 0;

			EXPECT_EQ(count > 8 ? segue_get_be16(entry + 32 + 2 * i)
				  : i < 8   ? segue_get_be32(entry + 32 + 4 * i)
					    : wanted,
				  wanted);
			EXPECT_EQ(segue_get_be64(entry + 64 + 16 * i), i < count ? 0x1000 + i : 0u);
		}
		EXPECT_EQ(segue_get_be32(entry + 28), 100 * count + count * (count - 1) / 2);
		EXPECT_EQ(Judge(), "no offence");
	}
}

TEST_F(Listed, StepsAreListedToo)
{
	rc.block = {entry, sizeof(entry), 0};
	rc.table = 8;
	ASSERT_EQ(
		segue_commit(segue_sge(
			segue_sge(segue_sge(segue_send(&rc, 0, 0), 1, 11, 7), 2, 12, 7), 3, 13, 7)),
		0);
	EXPECT_EQ(segue_get_be32(entry + 40), 13u);
	EXPECT_EQ(segue_get_be64(entry + 96), 3u);
	EXPECT_EQ(Judge(), "no offence");
}

TEST_F(Listed, TheDecoderShowsTheList)
{
	ASSERT_EQ(Send(16, 9), 0);
	const std::string shown = Printed(&segue_rc_machine, entry, sizeof(entry));

	EXPECT_NE(shown.find("lengths16"), std::string::npos) << shown;
	EXPECT_NE(shown.find("len_9"), std::string::npos) << shown;
	EXPECT_NE(shown.find("byte 64: sge"), std::string::npos) << shown;
}

TEST_F(Listed, RefusesWhatNoListHolds)
{
	EXPECT_EQ(Send(8, 9), -EMSGSIZE);
	EXPECT_EQ(Send(16, 17), -EMSGSIZE);
	EXPECT_NE(std::strstr(segue_errmsg(), "fewer buffers"), nullptr) << segue_errmsg();
	list[4].len = 0x10000;
	EXPECT_EQ(Send(16, 8), 0);
	EXPECT_EQ(Send(16, 9), -ERANGE);
	EXPECT_NE(std::strstr(segue_errmsg(), "0x10000, as piece 5 has"), nullptr)
		<< segue_errmsg();
	rc.block.size = 64 + 3 * 16 - 1;
	EXPECT_EQ(segue_commit(segue_sge_list(segue_send(&rc, 0, 0), list, 3)), -EMSGSIZE);
}

TEST_F(Listed, TheValidatorComparesTheList)
{
	ASSERT_EQ(Send(16, 3), 0);
	EXPECT_EQ(Judge(), "no offence");
	entry[39]++; /* the second length */
	EXPECT_NE(Judge().find("len_2"), std::string::npos) << Judge();
	entry[39]--;
	entry[47] = 1; /* the length of a fourth piece */
	EXPECT_NE(Judge().find("len_4"), std::string::npos) << Judge();
	entry[47] = 0;
	entry[10] = 0x20; /* the form for nine pieces or more */
	EXPECT_NE(Judge().find("spec"), std::string::npos) << Judge();
	ASSERT_EQ(Send(0, 2), 0);
	entry[10] = 0x10;
	EXPECT_NE(Judge().find("spec"), std::string::npos) << Judge();
}

TEST_F(Block, AtomicsAreWholeEntries)
{
	rc.block.size = 64;
	EXPECT_EQ(segue_commit(segue_atomic_cas(&rc, 0, 0, 0x1000, 9, 1, 2, 3, 0x2000)), 0);
	EXPECT_EQ(rc.block.used, 64u);
	EXPECT_EQ(segue_get_be64(entry + 28), 2u) << "swap";
	EXPECT_EQ(segue_get_be64(entry + 36), 1u) << "compare";
	rc.block.size = 48;
	EXPECT_EQ(segue_commit(segue_atomic_cas(&rc, 0, 0, 0x1000, 9, 1, 2, 3, 0x2000)), -EMSGSIZE);
}

/* A ring of 4 entries: the color is 1 in the first lap, and the doorbell's index stays below 4. */
TEST(Ring, ColorsAndDoorbells)
{
	static uint8_t memory[4 * 64];
	segue_rc_ring ring = {};

	ring.slots = {memory, 64, 4, 0, 0};
	for (uint32_t i = 0; i < 10; i++) {
		segue_seg_doorbell doorbell = {};
		segue_rc_sq *sq = segue_rc_ring_next(&ring);

		ASSERT_NE(sq, nullptr);
		ASSERT_EQ(segue_commit(segue_local_inv(sq, SEGUE_SIGNALED, i % 4, 7)), 0);
		segue_rc_ring_push(&ring);
		EXPECT_EQ(memory[i % 4 * 64 + 11], i / 4 % 2 ? 0x08 : 0x18);
		segue_rc_ring_doorbell(&ring, &doorbell);
		EXPECT_EQ(doorbell.prod, (i + 1) % 4);
		segue_slots_done(&ring.slots, 1);
	}
}

/* The entry says which of the two orders of completion is meant. */
TEST(Completion, OfAMessageNumberOrOfAnEntry)
{
	const uint8_t msn[32] = {0, 0, 0, 0, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 0,
				 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9, 2 << 5 | 1};
	const uint8_t npg[32] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
				 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 9, 3 << 5 | 3};
	segue_send_msn_cqe by_number;
	segue_send_npg_cqe by_entry;

	EXPECT_TRUE(segue_send_msn_cqe_unpack(&by_number, msn));
	EXPECT_EQ(by_number.msg_msn, 5u);
	EXPECT_EQ(by_number.qid, 9u);
	EXPECT_EQ(by_number.color, 1);
	EXPECT_TRUE(segue_send_npg_cqe_unpack(&by_entry, npg));
	EXPECT_EQ(by_entry.wqe_idx, 6u);
	EXPECT_EQ(by_entry.error, 1);
	EXPECT_EQ(by_entry.status_length, uint32_t{SEGUE_STATUS_WQE_FLUSHED_ERR});
}

} // namespace
