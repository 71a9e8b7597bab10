/* SPDX-License-Identifier: BSD-2-Clause */
/* Decoding of layouts that no real segment has. */
#include <gtest/gtest.h>

#include "segue/decode.h"
#include "segue/gen/tables.h"
#include "tests/segments/bytes_test.h"

namespace
{

std::string Print(const struct segue_segment_desc *desc, const std::vector<uint8_t> &bytes)
{
	char out[4096];

	segue_segment_print(desc, bytes.data(), bytes.size(), SEGUE_FORMAT_TEXT, out, sizeof(out));
	return out;
}

TEST(OddDecode, FieldsAcrossDwords)
{
	EXPECT_EQ(Print(&segue_seg_odd_chain_desc, Bytes("a2468bab cdeb4b23 4579c0f1 00000000")),
		  "odd_chain\n"
		  "    fa 0x512345\n"
		  "    fb 0x1abcde\n"
		  "    fc 0x5a5\n"
		  "    fd 0x123457\n"
		  "    fe 0x9c0f1\n");
}

TEST(OddDecode, ZeroMeansOneMoreThanFits)
{
	const std::string text = Print(&segue_seg_odd_limits_desc,
				       Bytes("03000000 a2bcdef0 12345678 aaaa0000"
					     "80000000 00000001 00000000 00000001"));

	EXPECT_NE(text.find("fa 0x1000000\n"), std::string::npos) << text;
	EXPECT_NE(text.find("fg 0x10000\n"), std::string::npos) << text;
	EXPECT_NE(text.find("fi 0x100000000\n"), std::string::npos) << text;
	EXPECT_EQ(text.find('!'), std::string::npos) << text;
}

TEST(OddDecode, PayloadOverReservedBytes)
{
	std::vector<uint8_t> bytes = Bytes("00030000 0000005a 00000000 00000000 0000c1c2 c3000000"
					   "00000000 00000000 00000000 00000000 00000000 00000000");

	EXPECT_EQ(Print(&segue_seg_odd_tail_desc, bytes), "odd_tail\n"
							  "    length  3 bytes\n"
							  "    payload c1c2c3\n");
	bytes[17] = 1;
	bytes[21] = 2;
	EXPECT_EQ(Print(&segue_seg_odd_tail_desc, bytes),
		  "odd_tail\n"
		  "    length  3 bytes\n"
		  "    payload c1c2c3\n"
		  "    ! bytes 8 to 31: reserved bytes must be zero but byte 17 is 0x01\n"
		  "    ! payload: padding must be zero but byte 21 is 0x02\n");
}

} // namespace
