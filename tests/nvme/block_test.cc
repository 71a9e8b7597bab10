/* SPDX-License-Identifier: BSD-2-Clause */
/* NVM Express: entries of one length, two spaces of opcodes, counts from 0, and nothing of RDMA.
 * Bytes are compared with structs written by hand. */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <random>
#include <string>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/cqes.h"
#include "segue/gen/machines.h"
#include "segue/gen/rings.h"
#include "tests/providers/printing.h"
#include "tests/seed/seed.h"

namespace
{

/* As drivers write them, on little-endian processors. */
struct Command {
	uint8_t opcode, flags;
	uint16_t command_id;
	uint32_t nsid, cdw2[2];
	uint64_t metadata, prp1, prp2;
};

struct ReadWrite {
	Command common;
	uint64_t slba;
	uint16_t length, control;
	uint32_t dsmgmt, reftag;
	uint16_t lbat, lbatm;
};

struct CreateSq {
	Command common;
	uint16_t sqid, qsize, flags, cqid;
	uint32_t rest[4];
};

struct GetLog {
	Command common;
	uint8_t lid, lsp;
	uint16_t numdl, numdu, lsi;
	uint64_t lpo;
	uint8_t rest[3], csi;
	uint32_t last;
};

static_assert(sizeof(ReadWrite) == 64 && sizeof(CreateSq) == 64 && sizeof(GetLog) == 64, "entries");

struct Block : testing::Test {
	uint8_t entry[64];
	segue_io_sq io;
	segue_admin_sq admin;

	void SetUp() override
	{
		std::memset(entry, 0xee, sizeof(entry));
		io.block = admin.block = {entry, sizeof(entry), 0};
	}
};

TEST_F(Block, ReadsAndWritesAreAsByHand)
{
	std::mt19937_64 random(segue_test_seed());

	for (int i = 0; i < 1000; i++) {
		segue_seg_rw rw = {};
		ReadWrite hand = {};
		const bool writes = random() & 1, fused = random() & 1;

		rw.slba = hand.slba = random();
		rw.length = static_cast<uint32_t>(random() % 65536 + 1);
		hand.length = static_cast<uint16_t>(rw.length - 1);
		rw.fua = random() & 1;
		rw.lr = random() & 1;
		rw.prchk_guard = random() & 1;
		rw.dtype = random() & 15;
		hand.control = static_cast<uint16_t>(rw.lr << 15 | rw.fua << 14 |
						     rw.prchk_guard << 12 | rw.dtype << 4);
		rw.freq = random() & 15;
		rw.latency = random() & 3;
		rw.dspec = static_cast<uint16_t>(random());
		hand.dsmgmt = static_cast<uint32_t>(rw.dspec) << 16 | rw.latency << 4 | rw.freq;
		rw.reftag = hand.reftag = static_cast<uint32_t>(random());
		rw.lbat = hand.lbat = static_cast<uint16_t>(random());
		rw.lbatm = hand.lbatm = static_cast<uint16_t>(random());
		hand.common.opcode = writes ? 1 : 2;
		hand.common.flags = fused ? 2 : 0;
		hand.common.command_id = static_cast<uint16_t>(random());
		hand.common.nsid = static_cast<uint32_t>(random());
		hand.common.metadata = random();
		hand.common.prp1 = random();
		hand.common.prp2 = random();
		const auto finish = [&](auto begun) {
			return segue_commit(segue_rw(
				segue_prp(begun, hand.common.prp1, hand.common.prp2), &rw));
		};
		const uint32_t flags = fused ? uint32_t{SEGUE_FUSE_SECOND} : 0;

		ASSERT_EQ(writes ? finish(segue_write(&io, flags, hand.common.command_id,
						      hand.common.nsid, hand.common.metadata))
				 : finish(segue_read(&io, flags, hand.common.command_id,
						     hand.common.nsid, hand.common.metadata)),
			  0)
			<< segue_errmsg();
		ASSERT_EQ(io.block.used, 64u);
		ASSERT_EQ(std::memcmp(entry, &hand, sizeof(hand)), 0);
		ASSERT_EQ(Judged(&segue_io_machine, entry, 64), "no offence");
	}
}

TEST_F(Block, CountsBeginAtZero)
{
	CreateSq hand = {};

	hand.common.opcode = 1;
	hand.common.command_id = 5;
	hand.common.prp1 = 0x1000;
	hand.sqid = 3;
	hand.qsize = 1023;
	hand.flags = 1 | 3 << 1;
	hand.cqid = 7;
	ASSERT_EQ(segue_commit(segue_new_sq(segue_prp(segue_create_sq(&admin, 5), 0x1000), 3, 1024,
					    1, SEGUE_QPRIO_LOW, 7)),
		  0);
	EXPECT_EQ(std::memcmp(entry, &hand, sizeof(hand)), 0);
	EXPECT_NE(Printed(&segue_admin_machine, entry, 64).find("qsize 0x0400"), std::string::npos)
		<< Printed(&segue_admin_machine, entry, 64);
	EXPECT_EQ(segue_commit(segue_new_sq(segue_prp(segue_create_sq(&admin, 5), 0x1000), 3, 65537,
					    1, SEGUE_QPRIO_LOW, 7)),
		  -ERANGE);
	EXPECT_EQ(segue_commit(segue_new_sq(segue_prp(segue_create_sq(&admin, 5), 0x1000), 3, 1, 1,
					    SEGUE_QPRIO_LOW, 7)),
		  -ERANGE)
		<< "a queue has two entries";
	std::memcpy(entry, &hand, sizeof(hand));
	std::memset(entry + 42, 0, 2);
	EXPECT_EQ(Judged(&segue_admin_machine, entry, 64),
		  "byte 42, new_sq.qsize: found 0x0, expected 0x2 to 0x10000 (work request "
		  "create_sq on "
		  "admin, state wants_new_sq)");
}

TEST_F(Block, OneCountLiesInTwoPlaces)
{
	segue_seg_log log = {};
	GetLog hand = {};

	log.lid = hand.lid = 2;
	log.numd = 0x12345678;
	hand.numdl = 0x5677;
	hand.numdu = 0x1234;
	log.lpo = hand.lpo = 512;
	hand.common.opcode = 2;
	hand.common.command_id = 9;
	hand.common.nsid = 0xffffffff;
	hand.common.prp1 = 0x2000;
	ASSERT_EQ(segue_commit(segue_log(
			  segue_prp(segue_get_log_page(&admin, 9, 0xffffffff), 0x2000, 0), &log)),
		  0);
	EXPECT_EQ(std::memcmp(entry, &hand, sizeof(hand)), 0);
	EXPECT_NE(Printed(&segue_admin_machine, entry, 64).find("305419896 x 4 bytes"),
		  std::string::npos)
		<< Printed(&segue_admin_machine, entry, 64);
}

TEST_F(Block, OpcodesAreOfTheirQueue)
{
	const uint8_t zeros[64] = {};

	ASSERT_EQ(segue_commit(segue_flush(&io, 0, 1, 2)), 0);
	EXPECT_EQ(Judged(&segue_io_machine, entry, 64), "no offence");
	EXPECT_NE(Printed(&segue_io_machine, entry, 64).find("flush on io"), std::string::npos);
	EXPECT_NE(Printed(&segue_admin_machine, entry, 64).find("delete_sq on admin"),
		  std::string::npos)
		<< "the same opcode, 0, of administrative commands";
	EXPECT_EQ(std::memcmp(entry + 24, zeros, 40), 0);
}

TEST_F(Block, DescriptorsAreToldApartByTheHeader)
{
	segue_seg_rw rw = {};

	rw.length = 1;
	ASSERT_EQ(segue_commit(segue_rw(segue_sgl(segue_read_sgl(&io, 0, 1, 2, 0), 0x1000, 512, 0,
						  SEGUE_SGL_TYPE_DATA),
					&rw)),
		  0);
	EXPECT_EQ(entry[1], 0x40);
	EXPECT_NE(Printed(&segue_io_machine, entry, 64).find("read_sgl on io"), std::string::npos);
}

TEST_F(Block, DoorbellsSayTheTail)
{
	uint8_t memory[2 * 64];
	segue_io_ring ring = {};
	segue_seg_doorbell doorbell;

	ring.slots = {memory, 64, 2, 0, 0};
	for (uint32_t i = 1; i <= 5; i++) {
		ASSERT_EQ(segue_commit(segue_flush(segue_io_ring_next(&ring), 0, i, 1)), 0);
		segue_io_ring_push(&ring);
		segue_slots_done(&ring.slots, 1);
		segue_io_ring_doorbell(&ring, &doorbell);
		EXPECT_EQ(doorbell.tail, i % 2);
	}
}

TEST_F(Block, CompletionsAreRead)
{
	const uint8_t bytes[16] = {8, 0, 0, 0, 0, 0, 0, 0, 0x10, 0, 3, 0, 5, 0, 0x05, 0x80};
	segue_cqe cqe;

	ASSERT_TRUE(segue_cqe_unpack(&cqe, bytes));
	EXPECT_EQ(cqe.result, 8u);
	EXPECT_EQ(cqe.sq_id, 3);
	EXPECT_EQ(cqe.command_id, 5);
	EXPECT_EQ(cqe.phase, 1);
	EXPECT_EQ(cqe.sc, 2);
	EXPECT_EQ(cqe.dnr, 1);
}

} // namespace
