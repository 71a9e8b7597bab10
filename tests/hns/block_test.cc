/* SPDX-License-Identifier: BSD-2-Clause */
/* Where hns differs from other devices: what does not fit an entry goes on in a second ring, a
 * payload lies in four places of a datagram, and old bytes lie behind a request. */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/rings.h"
#include "segue/gen/tables.h"
#include "tests/providers/printing.h"

namespace
{

constexpr uint32_t kUnit = 16, kUnits = 8;

struct Block : testing::Test {
	uint8_t entry[2048], ring[kUnits * kUnit];
	segue_rc_sq rc;
	segue_ud_sq ud;
	segue_rq rq;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		std::memset(ring, 0xee, sizeof(ring));
		rc = {};
		ud = {};
		rc.block = ud.block = rq.block = {entry, sizeof(entry), 0};
	}

	/* A second ring, of which so many units are free. */
	void UseRing(uint32_t room, uint32_t next)
	{
		rc.block.size = 64;
		rc.spill = {ring, kUnits, room, next};
	}

	std::string Judge(const segue_machine *machine, uint32_t size)
	{
		return Judged(machine, entry, size);
	}

	std::string Shown(const segue_machine *machine, uint32_t size)
	{
		return Printed(machine, entry, size);
	}
};

TEST_F(Block, TwoPiecesFitTheEntry)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_sge(segue_send(&rc, SEGUE_SIGNALED, 1), 1, 100, 2),
					 3, 200, 4)),
		  0);
	EXPECT_EQ(rc.block.used, 64u);
	EXPECT_EQ(segue_get_le32(entry + 4), 300u);
	EXPECT_EQ(entry[15], 2) << "pieces";
	EXPECT_EQ(rc.spill.next, 0u);
	EXPECT_EQ(Judge(&segue_rc_machine, 64), "no offence");
	entry[4]++;
	EXPECT_EQ(Judge(&segue_rc_machine, 64),
		  "byte 4, sqe.msg_len: found 0x12d, expected 0x12c, which follows from the rest "
		  "(work request send on rc, state may_take_sge)");
}

TEST_F(Block, MoreGoOnInTheRing)
{
	const segue_seg_sge list[] = {
		{10, 1, 100}, {20, 2, 200}, {30, 3, 300}, {0, 4, 0}, {50, 5, 500}};

	UseRing(kUnits, 23);
	ASSERT_EQ(segue_commit(segue_sge_list(segue_rdma_read(&rc, 0, 1, 0x1000, 7), list, 5)), 0);
	EXPECT_EQ(rc.block.used, 96u) << "both rings";
	EXPECT_EQ(segue_get_le32(entry + 16), 7u) << "begins in the last unit";
	EXPECT_EQ(entry[15], 4) << "one has no length";
	EXPECT_EQ(segue_get_le32(ring + 7 * kUnit), 30u);
	EXPECT_EQ(segue_get_le32(ring), 50u) << "and goes on in the first one";
	EXPECT_EQ(rc.spill.next, 25u);
	EXPECT_EQ(rc.spill.room, kUnits - 2);
}

TEST_F(Block, PayloadGoesRoundInTheRing)
{
	uint8_t data[40];

	for (uint8_t i = 0; i < sizeof(data); i++)
		data[i] = i;
	UseRing(kUnits, 7);
	ASSERT_EQ(segue_commit(segue_inline_data(segue_send_inline_ext(&rc, 0, 1), data, 40)), 0);
	EXPECT_EQ(entry[15], 3) << "units of payload";
	EXPECT_EQ(std::memcmp(ring + 7 * kUnit, data, 16), 0);
	EXPECT_EQ(std::memcmp(ring, data + 16, 24), 0);
	EXPECT_EQ(ring[24], 0) << "the rest of the last unit";
	EXPECT_EQ(ring[31], 0);
	EXPECT_EQ(ring[32], 0xee) << "and no more";
}

TEST_F(Block, FullRingsRefuse)
{
	const segue_seg_sge list[] = {{10, 1, 100}, {20, 2, 200}, {30, 3, 300}, {40, 4, 400}};

	UseRing(1, 0);
	EXPECT_EQ(segue_commit(segue_sge_list(segue_send(&rc, 0, 1), list, 4)), -EMSGSIZE);
	EXPECT_NE(std::string(segue_errmsg()).find("does not fit its 80 bytes"), std::string::npos)
		<< segue_errmsg();
	EXPECT_EQ(rc.spill.next, 0u);
	EXPECT_EQ(rc.spill.room, 1u);
	EXPECT_EQ(segue_commit(segue_sge_list(segue_send(&rc, 0, 1), list, 3)), 0);
	EXPECT_EQ(rc.spill.room, 0u);
}

TEST_F(Block, RefusalsNameWhatLiesInTheRing)
{
	const segue_seg_sge list[] = {{10, 1, 100}, {20, 2, 200}, {0x80000000, 3, 300}};

	UseRing(kUnits, 7);
	EXPECT_EQ(segue_commit(segue_sge_list(segue_send(&rc, 0, 1), list, 3)), 0)
		<< "a length that is never one is for the validator to find";
	std::memcpy(entry + 64, ring + 7 * kUnit, kUnit);
	EXPECT_NE(Judge(&segue_rc_machine, 80).find("byte 64, sge.length"), std::string::npos)
		<< Judge(&segue_rc_machine, 80);
	EXPECT_EQ(segue_commit(segue_send(&rc, 0, 2)), -ERANGE) << "the owner is a bit";
}

TEST_F(Block, OldBytesBehindARequest)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_send(&rc, 0, 1), 1, 100, 2)), 0);
	std::memset(entry + 48, 0xab, 16);
	EXPECT_EQ(Judge(&segue_rc_machine, 64), "no offence");
}

TEST_F(Block, DatagramsHoldEightBytesInFourPlaces)
{
	const uint8_t dmac[6] = {1, 2, 3, 4, 5, 6}, dgid[16] = {0xfe, 0x80};

	ASSERT_EQ(segue_commit(segue_ud_send_inline(&ud, SEGUE_SIGNALED, 1, 7, 0x77665544332211,
						    0x123456, 0x11, 0x22, 3, 4, 5, 6, 7, 8, dmac,
						    dgid)),
		  0);
	EXPECT_EQ(ud.block.used, 64u);
	EXPECT_EQ(segue_get_le32(entry + 4), 0x22110007u);
	EXPECT_EQ(entry[15], 0x33);
	EXPECT_EQ(segue_get_le32(entry + 16), 0x665544u);
	EXPECT_EQ(segue_get_le32(entry + 20), 0x70077u);
	EXPECT_EQ(Judge(&segue_ud_machine, 64), "no offence");
	EXPECT_NE(Shown(&segue_ud_machine, 64).find("data        0x0077665544332211\n"),
		  std::string::npos)
		<< Shown(&segue_ud_machine, 64);
	EXPECT_EQ(segue_commit(segue_ud_send_inline(&ud, 0, 1, 9, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
						    dmac, dgid)),
		  -ERANGE)
		<< "nine bytes do not fit";
	EXPECT_EQ(segue_commit(segue_ud_send_inline(&ud, 0, 1, 8, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1,
						    nullptr, dgid)),
		  -ERANGE);
	EXPECT_NE(std::string(segue_errmsg()).find("dmac"), std::string::npos) << segue_errmsg();
}

TEST_F(Block, LongerAtomicsHaveTheirOperandsInTheRing)
{
	const uint8_t swap[16] = {1}, compare[16] = {2};

	ASSERT_EQ(segue_commit(segue_operand(
			  segue_operand(segue_no_operands(segue_sge(
						segue_atomic_cas_16(&rc, 0, 1, 0x1000, 7), 3, 4)),
					swap),
			  compare)),
		  0);
	EXPECT_EQ(rc.block.used, 96u);
	EXPECT_EQ(Judge(&segue_rc_machine, 96), "no offence");
	EXPECT_NE(Judge(&segue_rc_machine, 80), "no offence");
	EXPECT_NE(Shown(&segue_rc_machine, 96).find("atomic_cas_16 on rc"), std::string::npos);
}

TEST_F(Block, RingsKnowTheirLap)
{
	uint8_t memory[4 * 64] = {};
	segue_rc_ring sends = {};
	segue_seg_doorbell doorbell = {};

	sends.slots = {memory, 64, 4, 0, 0};
	for (uint32_t i = 0; i < 70000; i++) {
		segue_rc_sq *const q = segue_rc_ring_next(&sends);

		ASSERT_NE(q, nullptr);
		ASSERT_EQ(segue_rc_ring_lap(&sends), i & 4 ? 0u : 1u);
		ASSERT_EQ(segue_commit(segue_sge(segue_send(q, 0, segue_rc_ring_lap(&sends)), 1,
						 i + 1, 2)),
			  0);
		segue_rc_ring_push(&sends);
		ASSERT_EQ(segue_get_le32(memory + i % 4 * 64 + 4), i + 1);
		if (i % 4 == 3) {
			ASSERT_EQ(segue_rc_ring_next(&sends), nullptr) << "it is full";
			segue_slots_done(&sends.slots, 4);
		}
	}
	segue_rc_ring_doorbell(&sends, &doorbell);
	EXPECT_EQ(doorbell.pi, 70000u & 0xffff);
	EXPECT_EQ(doorbell.cmd, SEGUE_DB_CMD_SQ);
}

TEST_F(Block, ReceivesMayEndEarly)
{
	ASSERT_EQ(segue_commit(segue_sge_end(segue_sge(segue_recv(&rq), 1, 2, 3))), 0);
	EXPECT_EQ(rq.block.used, 32u);
	EXPECT_EQ(segue_get_le32(entry + 16), 0x80000000u);
	EXPECT_EQ(Judge(&segue_rq_machine, 32), "no offence");
	EXPECT_EQ(segue_commit(segue_sge(segue_recv(&rq), 1, 2, 3)), 0);
	EXPECT_EQ(Judge(&segue_rq_machine, 64), "no offence") << "zeros, of version 3";
}

} // namespace
