/* SPDX-License-Identifier: BSD-2-Clause */
/* Where bnxt_re differs from other devices: several control segments, a length that is a sum, a
 * size of the whole entry, and receives with a header. */
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

struct Block : testing::Test {
	uint8_t bytes[256];
	segue_rc_sq rc;
	segue_ud_sq ud;
	segue_rq rq;
	segue_srq srq;

	void SetUp() override
	{
		Use(128);
	}

	void Use(uint32_t size)
	{
		std::memset(bytes, 0xee, sizeof(bytes));
		rc.block = ud.block = rq.block = srq.block = {bytes, size, 0};
	}

	std::string Judge(const segue_machine *machine, uint32_t size)
	{
		return Judged(machine, bytes, size);
	}

	std::string Shown(const segue_machine *machine, uint32_t size)
	{
		return Printed(machine, bytes, size);
	}
};

TEST_F(Block, LengthIsTheSumOfThePieces)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_sge(segue_send(&rc, SEGUE_SIGNALED), 1, 100, 2), 3,
					 0x10000, 4)),
		  0);
	EXPECT_EQ(rc.block.used, 64u);
	EXPECT_EQ(bytes[2], 4) << "slots";
	EXPECT_EQ(segue_get_le32(bytes + 8), 0x10064u);
	EXPECT_EQ(Judge(&segue_rc_machine, 128), "no offence");
	bytes[8]++;
	EXPECT_EQ(Judge(&segue_rc_machine, 128),
		  "byte 8, sqe_send.length: found 0x10065, expected 0x10064, which follows from "
		  "the rest (work request send on rc, state "
		  "may_take_sge)");
}

TEST_F(Block, SumsThatDoNotFit)
{
	EXPECT_EQ(segue_commit(segue_sge(segue_sge(segue_send(&rc, 0), 1, 0xffffffff, 2), 3, 1, 4)),
		  -ERANGE);
}

TEST_F(Block, ArraysAreSummedUp)
{
	const segue_seg_sge list[] = {{1, 2, 30}, {4, 5, 60}, {7, 8, 90}};

	ASSERT_EQ(segue_commit(
			  segue_sge_list(segue_raddr(segue_rdma_read(&rc, 0), 0x1000, 7), list, 3)),
		  0);
	EXPECT_EQ(segue_get_le32(bytes + 8), 180u);
	EXPECT_EQ(bytes[2], 5);
}

TEST_F(Block, PayloadTakesWholeSlots)
{
	ASSERT_EQ(
		segue_commit(segue_inline_data(segue_send_inline(&rc, 0), "seventeen letters", 17)),
		0);
	EXPECT_EQ(rc.block.used, 64u);
	EXPECT_EQ(bytes[2], 4);
	EXPECT_EQ(segue_get_le32(bytes + 8), 17u);
	EXPECT_EQ(Judge(&segue_rc_machine, 128), "no offence");
	EXPECT_NE(
		Shown(&segue_rc_machine, 128).find("payload 736576656e7465656e206c657474657273\n"),
		std::string::npos)
		<< Shown(&segue_rc_machine, 128);
	EXPECT_EQ(Shown(&segue_rc_machine, 128).find("!"), std::string::npos);
	bytes[8] = 33;
	EXPECT_EQ(Judge(&segue_rc_machine, 128),
		  "byte 8, sqe_send.length: found 0x21, expected 0x20, which follows from the rest "
		  "(work request send_inline on rc, state complete)");
	bytes[8] = 16;
	EXPECT_NE(Judge(&segue_rc_machine, 128), "no offence");
}

TEST_F(Block, PayloadThatDoesNotFit)
{
	uint8_t data[97] = {};

	Use(256);
	EXPECT_EQ(segue_commit(segue_inline_data(segue_send_inline(&rc, 0), data, 96)), 0);
	EXPECT_EQ(segue_commit(segue_inline_data(segue_send_inline(&rc, 0), data, 97)), -ERANGE);
	Use(60);
	EXPECT_EQ(segue_commit(segue_inline_data(segue_send_inline(&rc, 0), data, 17)), -EMSGSIZE)
		<< "64 bytes, in whole slots";
}

TEST_F(Block, EachOperationHasItsControlSegment)
{
	ASSERT_EQ(
		segue_commit(segue_sge(
			segue_cas(segue_atomic_cas(&rc, 0, 0x1122334455667788, 9), 1, 2), 3, 8, 4)),
		0);
	EXPECT_EQ(Judge(&segue_rc_machine, 128), "no offence");
	EXPECT_NE(Shown(&segue_rc_machine, 128).find("rva         0x1122334455667788"),
		  std::string::npos)
		<< Shown(&segue_rc_machine, 128);
	bytes[1] |= 0x10;
	EXPECT_EQ(Judge(&segue_rc_machine, 128),
		  "byte 1, sqe_atomic.inline_data: found 0x1, expected 0x0 in this request (work "
		  "request atomic_cas on rc)");
	bytes[1] ^= 0x10;
	bytes[3] = 1;
	EXPECT_EQ(Judge(&segue_rc_machine, 128), "byte 3, sqe_atomic, bits 31:24 of dword 0: found "
						 "0x1, expected zero, the bits are reserved "
						 "(work request atomic_cas on rc)");
}

TEST_F(Block, SizesThatAreNone)
{
	ASSERT_EQ(segue_commit(segue_send(&rc, 0)), 0);
	bytes[2] = 1;
	EXPECT_EQ(Judge(&segue_rc_machine, 128),
		  "byte 32, sqe_send.wqe_size: found 1, expected no less than the control segment "
		  "(work request send on rc)");
	bytes[2] = 9;
	EXPECT_EQ(Judge(&segue_rc_machine, 128),
		  "byte 32, sqe_send.wqe_size: found 9, expected what fits the 128 bytes that are "
		  "there (work request send on rc)");
	bytes[2] = 16;
	EXPECT_EQ(Judge(&segue_rc_machine, 256), "byte 32, sqe_send.wqe_size: found 16, expected "
						 "what fits the 240 bytes of the device's "
						 "largest WQE (work request send on rc)");
	EXPECT_NE(Judge(&segue_rc_machine, 2).find("expected"), std::string::npos);
	EXPECT_NE(Judge(&segue_rc_machine, 20)
			  .find("found 20 bytes, expected 32 bytes, the control segment's size"),
		  std::string::npos);
}

TEST_F(Block, ReceivesBeginWithAHeader)
{
	ASSERT_EQ(segue_commit(segue_sge(segue_recv(&rq, 0xa4142), 1, 2, 3)), 0);
	EXPECT_EQ(rq.block.used, 48u);
	EXPECT_EQ(bytes[0], SEGUE_WR_OPCODE_RECV);
	EXPECT_EQ(bytes[2], 3);
	EXPECT_EQ(segue_get_le32(bytes + 8), 0xa4142u);
	EXPECT_EQ(Judge(&segue_rq_machine, 128), "no offence");
	EXPECT_EQ(segue_commit(segue_sge(segue_recv(&rq, 0x100000), 1, 2, 3)), -ERANGE)
		<< "20 bits";
	ASSERT_EQ(segue_commit(segue_srq_recv(&srq, 1)), 0)
		<< "a shared queue takes one without pieces";
	bytes[0] = 0;
	EXPECT_EQ(Judge(&segue_rq_machine, 128),
		  "byte 0, rqe.wr_type: found opcode 0x0, expected the opcode of a work request of "
		  "rq (on rq)");
}

TEST_F(Block, RingsGoRoundWithinARequest)
{
	uint8_t memory[8 * 16] = {};
	segue_rc_ring sends = {};
	segue_seg_doorbell doorbell = {};

	sends.slots = {memory, 16, 8, 0, 0};
	ASSERT_EQ(segue_commit(segue_sge(
			  segue_sge(segue_send(segue_rc_ring_next(&sends), 0), 1, 2, 3), 4, 5, 6)),
		  0);
	segue_rc_ring_push(&sends);
	EXPECT_EQ(segue_slots_free(&sends.slots), 4u);
	segue_slots_done(&sends.slots, 4);
	ASSERT_EQ(segue_commit(segue_sge(
			  segue_sge(segue_sge(segue_send(segue_rc_ring_next(&sends), 0), 1, 2, 3),
				    4, 5, 6),
			  0x77, 8, 9)),
		  0);
	segue_rc_ring_push(&sends);
	EXPECT_EQ(memory[4 * 16 + 2], 5) << "slots of the second request";
	EXPECT_EQ(segue_get_le64(memory), 0x77u) << "its last one is the ring's first";
	segue_rc_ring_doorbell(&sends, &doorbell);
	EXPECT_EQ(doorbell.indx, 1u);
	EXPECT_EQ(doorbell.epoch, 1);
	EXPECT_EQ(doorbell.valid, 1);
	ASSERT_EQ(segue_commit(segue_sge(
			  segue_sge(segue_send(segue_rc_ring_next(&sends), 0), 1, 2, 3), 4, 5, 6)),
		  -EMSGSIZE)
		<< "three slots are free";
}

TEST_F(Block, DatagramsNameTheirReceiver)
{
	const segue_seg_sge piece = {1, 2, 3};
	segue_ud_ud_send_imm_args args = {};

	args.flags = SEGUE_SIGNALED;
	args.avid = 5;
	args.imm = 8;
	args.sges = &piece;
	args.sge_count = 1;

	ASSERT_EQ(segue_commit_ud_send_imm(&ud, &args), 0);
	EXPECT_EQ(segue_get_le32(bytes + 20), 5u);
	EXPECT_EQ(Judge(&segue_ud_machine, 128), "no offence");
	EXPECT_EQ(segue_commit(segue_ud_send(&ud, 0, 1 << 20, 1, 1)), -ERANGE);
	EXPECT_EQ(segue_commit(segue_ud_send(&ud, SEGUE_FENCE, 1, 1, 1)), -ERANGE)
		<< "no flag of a datagram";
}

} // namespace
