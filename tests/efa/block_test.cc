/* SPDX-License-Identifier: BSD-2-Clause */
/* What the installed libefa has no words for: entries of 128 bytes, WRITEs, refusals; and the
 * validator and the decoder. */
#include <gtest/gtest.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <vector>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "segue/gen/tables.h"

namespace
{

std::string Hex(const uint8_t *bytes, size_t size)
{
	static const char digits[] = "0123456789abcdef";
	std::string text;

	for (size_t i = 0; i < size; i++) {
		text += digits[bytes[i] >> 4];
		text += digits[bytes[i] & 15];
	}
	return text;
}

struct Block : testing::Test {
	uint8_t bytes[144];
	segue_srd_sq sq;
	segue_offence offence;

	void SetUp() override
	{
		Use(128);
	}

	void Use(uint32_t size)
	{
		std::memset(bytes, 0xee, sizeof(bytes));
		sq.block = {bytes, size, 0};
	}

	int Judge(uint32_t size)
	{
		return segue_wqe_validate(&segue_srd_machine, bytes, size, &offence);
	}

	std::string Sentence()
	{
		char text[400];

		segue_offence_print(&offence, text, sizeof(text));
		return text;
	}

	int Send(const void *data, uint32_t length)
	{
		return segue_commit(segue_inline_data(
			segue_send_inline(&sq, SEGUE_SIGNALED, 1, 0, 2, 3, 4), data, length));
	}
};

/* efa_io_defs.h: struct efa_io_tx_wqe_128 begins like the small one, and its inline data has 80
 * bytes. */
TEST_F(Block, LargeEntryBeginsLikeASmallOne)
{
	uint8_t small[64];

	Use(64);
	ASSERT_EQ(0, segue_commit(segue_sge(segue_send(&sq, SEGUE_SIGNALED, 0xa1b2, 1, 7, 8, 9),
					    0x1122334455667788, 0x100, 0xabcdef)));
	EXPECT_EQ(48u, sq.block.used);
	std::memcpy(small, bytes, sizeof(small));
	Use(128);
	ASSERT_EQ(0, segue_commit(segue_sge(segue_send(&sq, SEGUE_SIGNALED, 0xa1b2, 1, 7, 8, 9),
					    0x1122334455667788, 0x100, 0xabcdef)));
	EXPECT_EQ(Hex(small, 64) + std::string(128, '0'), Hex(bytes, 128));
	EXPECT_EQ("eeee", Hex(bytes + 128, 2));
	EXPECT_EQ(0, Judge(128)) << Sentence();
}

/* Written by hand from struct efa_io_tx_meta_desc and struct efa_io_rdma_req_128. */
TEST_F(Block, WriteInline)
{
	const uint8_t data[5] = {1, 2, 3, 4, 5};

	ASSERT_EQ(0, segue_commit(segue_inline_data(
			     segue_raddr(segue_rdma_write_inline_imm(&sq, SEGUE_SIGNALED, 0xa1b2, 1,
								     0x1718, 0xc3d4, 0x2a2b2c2d,
								     0x01020304),
					 0x1112131415161718, 0x31323334, sizeof(data)),
			     data, sizeof(data))));
	EXPECT_EQ("b2a1b21d"
		  "d4c30500"
		  "04030201"
		  "18170000"
		  "2d2c2b2a"
		  "00000000"
		  "00000000"
		  "00000000"
		  "05000000"
		  "34333231"
		  "18171615"
		  "14131211"
		  "0102030405" +
			  std::string(2 * (128 - 53), '0'),
		  Hex(bytes, 128));
	EXPECT_EQ(53u, sq.block.used);
	EXPECT_EQ(0, Judge(128)) << Sentence();
}

TEST_F(Block, WriteOfMemoryDiffersFromReadByItsOperation)
{
	std::string read, write;

	Use(64);
	ASSERT_EQ(0,
		  segue_commit(segue_sge(
			  segue_raddr(segue_rdma_read(&sq, 0, 1, 0, 2, 3, 4), 5, 6, 7), 8, 7, 9)));
	read = Hex(bytes, 64);
	ASSERT_EQ(0,
		  segue_commit(segue_sge(
			  segue_raddr(segue_rdma_write(&sq, 0, 1, 0, 2, 3, 4), 5, 6, 7), 8, 7, 9)));
	write = Hex(bytes, 64);
	EXPECT_EQ("81", read.substr(4, 2));
	EXPECT_EQ("82", write.substr(4, 2));
	EXPECT_EQ(read.substr(6), write.substr(6));
	EXPECT_EQ(0, Judge(64)) << Sentence();
}

TEST_F(Block, InlineGoesUpToTheLimitOfTheEntry)
{
	const std::vector<uint8_t> data(96, 0x5a);

	Use(64);
	EXPECT_EQ(0, Send(data.data(), 32));
	EXPECT_EQ(0, Judge(64)) << Sentence();
	EXPECT_EQ(-EMSGSIZE, Send(data.data(), 33));
	EXPECT_NE(nullptr, std::strstr(segue_errmsg(), "64 bytes")) << segue_errmsg();
	Use(128);
	EXPECT_EQ(0, Send(data.data(), 80));
	EXPECT_EQ(0, Judge(128)) << Sentence();
	EXPECT_EQ(-ERANGE, Send(data.data(), 81));
	EXPECT_EQ(-ERANGE, Send(nullptr, 0));
}

TEST_F(Block, RefusesWhatDoesNotFit)
{
	Use(64);
	EXPECT_EQ(-EMSGSIZE, segue_commit(segue_raddr(
				     segue_rdma_write_inline(&sq, 0, 1, 0, 2, 3, 4), 5, 6, 0)));
	EXPECT_NE(nullptr, std::strstr(segue_errmsg(), "at least 128")) << segue_errmsg();
	EXPECT_EQ(-ERANGE, segue_commit(segue_send(&sq, 0, 1, 2, 2, 3, 4))) << "a phase of 2";
	EXPECT_EQ(-ERANGE, segue_commit(segue_send(&sq, 1, 1, 0, 2, 3, 4)))
		<< "a flag that there is not";
	EXPECT_EQ(-ERANGE,
		  segue_commit(segue_sge(segue_send(&sq, 0, 1, 0, 2, 3, 4), 0, 1, 0x1000000)))
		<< "a key of 25 bits";
	Use(16);
	EXPECT_EQ(-EMSGSIZE, segue_commit(segue_send(&sq, 0, 1, 0, 2, 3, 4)));
	EXPECT_EQ("eeee", Hex(bytes, 2)) << "a block that is too small is not written";
	sq.block.at = nullptr;
	EXPECT_EQ(-EINVAL, segue_commit(segue_send(&sq, 0, 1, 0, 2, 3, 4)));
}

TEST_F(Block, HintsAreSet)
{
	Use(64);
	ASSERT_EQ(0, segue_commit(segue_hints(segue_send(&sq, 0, 1, 0, 2, 3, 4),
					      SEGUE_PROCESSING_HINT_BURST_PPS_SENSITIVE)));
	EXPECT_EQ(1, bytes[14]);
	EXPECT_EQ(0, Judge(64)) << Sentence();
}

TEST_F(Block, OneCall)
{
	const segue_seg_tx_buf buffer = {0x100, 0xabcdef, 0x1000};
	segue_srd_rdma_read_args args = {};
	std::string chain;

	Use(64);
	ASSERT_EQ(0,
		  segue_commit(segue_sge(
			  segue_raddr(segue_rdma_read(&sq, SEGUE_SIGNALED, 1, 0, 2, 3, 4), 5, 6, 7),
			  0x1000, 0x100, 0xabcdef)));
	chain = Hex(bytes, 64);
	EXPECT_EQ(64u, sq.block.used);
	args.flags = SEGUE_SIGNALED;
	args.req_id = 1;
	args.ah = 2;
	args.dest_qp_num = 3;
	args.qkey = 4;
	args.addr = 5;
	args.rkey = 6;
	args.length = 7;
	EXPECT_EQ(0, segue_commit_rdma_read(&sq, &args)) << "no buffer";
	EXPECT_EQ(48u, sq.block.used);
	EXPECT_EQ(chain.substr(64, 32), Hex(bytes + 32, 16));
	args.sges = &buffer;
	args.sge_count = 1;
	EXPECT_EQ(0, segue_commit_rdma_read(&sq, &args)) << segue_errmsg();
	EXPECT_EQ(64u, sq.block.used);
	EXPECT_EQ(chain, Hex(bytes, 64));
}

/* A repeat with a bound is an array in a one-call post: as many entries as the bound allows, and no
 * more. */
TEST_F(Block, OneCallTakesBuffers)
{
	const segue_seg_tx_buf buffers[3] = {
		{0x100, 0xabcdef, 0x1000}, {0x200, 0xabcdee, 0x2000}, {0x300, 0xabcded, 0x3000}};
	segue_srd_send_args args = {};
	std::string chain;

	Use(64);
	ASSERT_EQ(0, segue_commit(segue_sge(
			     segue_sge(segue_send(&sq, 0, 1, 0, 2, 3, 4), 0x1000, 0x100, 0xabcdef),
			     0x2000, 0x200, 0xabcdee)));
	chain = Hex(bytes, 64);
	args.req_id = 1;
	args.ah = 2;
	args.dest_qp_num = 3;
	args.qkey = 4;
	args.sges = buffers;
	args.sge_count = 2;
	EXPECT_EQ(0, segue_commit_send(&sq, &args)) << segue_errmsg();
	EXPECT_EQ(chain, Hex(bytes, 64));
	EXPECT_EQ(0, Judge(64)) << Sentence();
	args.sge_count = 3;
	EXPECT_EQ(-EINVAL, segue_commit_send(&sq, &args));
	EXPECT_STREQ("segue_commit_send(): sge_count is 3, expected 0 to 2; give as many entries "
		     "as the request takes.",
		     segue_errmsg());
}

/* Each byte of a good entry, changed: the validator says so, unless the byte is the caller's to
 * choose. */
TEST_F(Block, ValidatorFindsWhatIsNotARequest)
{
	Use(64);
	ASSERT_EQ(0,
		  segue_commit(segue_sge(segue_send(&sq, SEGUE_SIGNALED, 1, 0, 2, 3, 4), 5, 6, 7)));
	ASSERT_EQ(0, Judge(64)) << Sentence();
	bytes[2] = 0x85;
	EXPECT_NE(0, Judge(64));
	EXPECT_EQ(SEGUE_OFFENCE_OPCODE, offence.kind) << Sentence();
	bytes[2] = 0x00; /* not a meta descriptor */
	EXPECT_NE(0, Judge(64));
	EXPECT_EQ(SEGUE_OFFENCE_VALUE, offence.kind) << Sentence();
	bytes[2] = 0x80;
	bytes[6] = 3; /* three buffers */
	EXPECT_NE(0, Judge(64));
	EXPECT_EQ(SEGUE_OFFENCE_TRUNCATED, offence.kind) << Sentence();
	bytes[6] = 1;
	for (size_t at : {20u, 24u, 39u, 48u, 63u}) {
		bytes[at] ^= 1;
		EXPECT_NE(0, Judge(64)) << "byte " << at;
		EXPECT_EQ(SEGUE_OFFENCE_RESERVED, offence.kind) << Sentence();
		bytes[at] ^= 1;
	}
	EXPECT_NE(0, segue_wqe_validate(&segue_srd_machine, bytes, 31, &offence));
}

TEST_F(Block, DecoderNamesWhatItSees)
{
	char text[4000];

	Use(64);
	ASSERT_EQ(0, segue_commit(segue_sge(
			     segue_raddr(segue_rdma_read(&sq, SEGUE_SIGNALED, 1, 0, 2, 3, 4),
					 0x1122334455667788, 6, 7),
			     8, 7, 9)));
	segue_wqe_print(&segue_srd_machine, bytes, 64, SEGUE_FORMAT_TEXT, text, sizeof(text));
	EXPECT_NE(nullptr, std::strstr(text, "rdma_read on srd")) << text;
	EXPECT_NE(nullptr, std::strstr(text, "RDMA_READ")) << text;
	EXPECT_NE(nullptr, std::strstr(text, "0x1122334455667788")) << text;
	EXPECT_EQ(nullptr, std::strstr(text, "offence")) << text;
}

/* A completion says by its fields which of the formats of its size it has. */
TEST_F(Block, CompletionsAreToldApart)
{
	uint8_t cqe[32] = {};

	cqe[3] = SEGUE_QUEUE_TYPE_SEND << 1;
	EXPECT_EQ(&segue_tx_cdesc_desc, segue_cqe_match(cqe, 16));
	EXPECT_EQ(&segue_tx_cdesc_ex_desc, segue_cqe_match(cqe, 32));
	cqe[3] = SEGUE_QUEUE_TYPE_RECV << 1;
	EXPECT_EQ(&segue_rx_cdesc_desc, segue_cqe_match(cqe, 16));
	EXPECT_EQ(&segue_rx_cdesc_ex_desc, segue_cqe_match(cqe, 32));
	cqe[3] |= SEGUE_OP_TYPE_RDMA_WRITE << 4;
	EXPECT_EQ(&segue_rx_cdesc_write_desc, segue_cqe_match(cqe, 32));
	cqe[3] = 0;
	EXPECT_EQ(nullptr, segue_cqe_match(cqe, 16));
}

} // namespace
