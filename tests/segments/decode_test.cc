/* SPDX-License-Identifier: BSD-2-Clause */
/* The decoder: text and JSON, problems, bounds, and bytes that mean nothing. */
#include "segue/decode.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>

#include "segue/gen/cqes.h"
#include "segue/gen/segments.h"
#include "segue/gen/tables.h"
#include "tests/segments/bytes_test.h"

namespace
{

/* Prints bytes that lie at the very end of an allocation, so that ASan sees a read beyond them. */
std::string Print(const struct segue_segment_desc *desc, const std::vector<uint8_t> &bytes,
		  enum segue_print_format format)
{
	const std::unique_ptr<uint8_t[]> exact(new uint8_t[bytes.size()]);
	std::vector<char> out(16384);

	std::copy(bytes.begin(), bytes.end(), exact.get());
	const size_t len = segue_segment_print(desc, exact.get(), bytes.size(), format, out.data(),
					       out.size());
	EXPECT_EQ(len, strlen(out.data()));
	return out.data();
}

std::string PrintCqe(const std::vector<uint8_t> &bytes, enum segue_print_format format)
{
	const std::unique_ptr<uint8_t[]> exact(new uint8_t[bytes.size()]);
	std::vector<char> out(16384);

	std::copy(bytes.begin(), bytes.end(), exact.get());
	const size_t len = segue_cqe_print(exact.get(), bytes.size(), format, out.data(),
					   out.size());
	EXPECT_EQ(len, strlen(out.data()));
	return out.data();
}

/* A strict reader of JSON, as far as nesting, strings and commas go. */
class Json
{
      public:
	static bool Valid(const std::string &text)
	{
		Json json(text);

		return json.Value() && json.at_ == text.size();
	}

      private:
	explicit Json(const std::string &text) : text_(text)
	{
	}

	bool Eat(const char *token)
	{
		const size_t len = strlen(token);

		if (text_.compare(at_, len, token) != 0)
			return false;
		at_ += len;
		return true;
	}

	bool String()
	{
		if (!Eat("\""))
			return false;
		while (at_ < text_.size() && text_[at_] != '"') {
			if ((unsigned char)text_[at_] < 0x20)
				return false;
			at_ += text_[at_] == '\\' ? 2 : 1;
		}
		return Eat("\"");
	}

	bool Value()
	{
		if (Eat("null"))
			return true;
		if (text_[at_] == '"')
			return String();
		if (Eat("{"))
			return Items('}', true);
		if (Eat("["))
			return Items(']', false);
		const size_t start = at_;
		while (isdigit((unsigned char)text_[at_]))
			at_++;
		return at_ > start;
	}

	bool Items(char end, bool keys)
	{
		const char close[2] = {end, 0};

		if (Eat(close))
			return true;
		do {
			if (keys && !(String() && Eat(": ")))
				return false;
			if (!Value())
				return false;
		} while (Eat(", "));
		return Eat(close);
	}

	const std::string &text_;
	size_t at_ = 0;
};

const char raddr_hex[] = "11223344 55667788 a1b2c3d4 00000000";

TEST(DecodeText, OneLinePerField)
{
	EXPECT_EQ(Print(&segue_seg_raddr_desc, Bytes(raddr_hex), SEGUE_FORMAT_TEXT),
		  "raddr\n"
		  "    remote_addr 0x1122334455667788\n"
		  "    rkey        0xa1b2c3d4\n");
}

TEST(DecodeText, NamesEnumsAndUnits)
{
	const std::string text = Print(&segue_seg_ctrl_desc,
				       Bytes("00010208 00012303 00000008 00000000"),
				       SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("opcode                0x08 RDMA_WRITE\n"), std::string::npos) << text;
	EXPECT_NE(text.find("ds                    3 x 16 bytes\n"), std::string::npos) << text;
	EXPECT_EQ(text.find('!'), std::string::npos) << text;
}

TEST(DecodeText, ShowsUnknownEnumValuesAsNumbers)
{
	const std::string text = Print(&segue_seg_ctrl_desc,
				       Bytes("000102fe 00012303 00000008 00000000"),
				       SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("0xfe (unknown)\n"), std::string::npos) << text;
}

TEST(DecodeText, ReportsReservedBits)
{
	std::string text = Print(&segue_seg_xrc_desc, Bytes("04123456 00000000 00000000 00000000"),
				 SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("! bits 31:24 of dword 0: reserved bits must be zero but are 0x4\n"),
		  std::string::npos)
		<< text;
	text = Print(&segue_seg_raddr_desc, Bytes("11223344 55667788 a1b2c3d4 00000400"),
		     SEGUE_FORMAT_TEXT);
	EXPECT_EQ(text.find('!'), std::string::npos) << "drivers leave old bytes there: " << text;
	text = Print(&segue_seg_masked_fa32_desc, Bytes("00000003 00000000 7fa487df d6001234"),
		     SEGUE_FORMAT_TEXT);
	EXPECT_EQ(text.find('!'), std::string::npos) << "UCX leaves old bytes there: " << text;
}

TEST(DecodeText, ReportsConstantsAndLimits)
{
	std::string text = Print(&segue_seg_data_desc, Bytes("80000001 00000000 00000000 00000000"),
				 SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("! is_inline: must be 0x0 but is 0x1\n"), std::string::npos) << text;
	text = Print(&segue_seg_data_desc, Bytes("00000000 00000100 00000000 00000000"),
		     SEGUE_FORMAT_TEXT);
	EXPECT_NE(text.find("! byte_count: is 0, below the least legal value 1\n"),
		  std::string::npos)
		<< text;
	EXPECT_NE(text.find("! lkey: may not be 0x100\n"), std::string::npos) << text;
}

TEST(DecodeText, ShowsPayloadAndMissingBytes)
{
	std::string text = Print(&segue_seg_inline_data_desc,
				 Bytes("80000005 01020304 05000000 00000000"), SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("byte_count 5 bytes\n    payload    0102030405\n"), std::string::npos)
		<< text;
	EXPECT_EQ(text.find('!'), std::string::npos) << text;
	text = Print(&segue_seg_inline_data_desc, Bytes("80000005 0102"), SEGUE_FORMAT_TEXT);
	EXPECT_NE(text.find("payload    0102\n"), std::string::npos) << text;
	EXPECT_NE(text.find("! payload: the segment takes 16 bytes but only 6 are there\n"),
		  std::string::npos)
		<< text;
	text = Print(&segue_seg_inline_data_desc, Bytes("80000001 01020000 00000000 00000000"),
		     SEGUE_FORMAT_TEXT);
	EXPECT_NE(text.find("! payload: padding must be zero but byte 5 is 0x02\n"),
		  std::string::npos)
		<< text;
}

TEST(DecodeText, TruncatedSegment)
{
	const std::string text = Print(&segue_seg_raddr_desc, Bytes("11223344 55667788 a1b2"),
				       SEGUE_FORMAT_TEXT);

	EXPECT_NE(text.find("remote_addr 0x1122334455667788\n"), std::string::npos) << text;
	EXPECT_EQ(text.find("rkey"), std::string::npos) << text;
	EXPECT_NE(text.find("! raddr: 16 bytes expected but only 10 are there\n"),
		  std::string::npos)
		<< text;
}

TEST(DecodeJson, Segment)
{
	EXPECT_EQ(Print(&segue_seg_raddr_desc, Bytes(raddr_hex), SEGUE_FORMAT_JSON),
		  "{\"name\": \"raddr\", \"fields\": {\"remote_addr\": \"0x1122334455667788\", "
		  "\"rkey\": 2712847316}}");
}

TEST(DecodeJson, Problems)
{
	EXPECT_EQ(Print(&segue_seg_xrc_desc, Bytes("01123456 00000000 00000000 00000000"),
			SEGUE_FORMAT_JSON),
		  "{\"name\": \"xrc\", \"fields\": {\"xrc_srqn\": 1193046}, "
		  "\"problems\": [{\"field\": \"bits 31:24 of dword 0\", "
		  "\"text\": \"reserved bits must be zero but are 0x1\"}]}");
}

TEST(DecodeJson, Enums)
{
	const std::string text = Print(&segue_seg_ctrl_desc,
				       Bytes("000102fe 00012303 00000008 00000000"),
				       SEGUE_FORMAT_JSON);

	EXPECT_NE(text.find("\"opcode\": {\"value\": 254, \"name\": null}"), std::string::npos)
		<< text;
	EXPECT_NE(text.find("\"ce\": {\"value\": 2, \"name\": \"ALWAYS\"}"), std::string::npos)
		<< text;
	EXPECT_TRUE(Json::Valid(text)) << text;
}

TEST(Decode, BoundsLikeSnprintf)
{
	const std::vector<uint8_t> bytes = Bytes(raddr_hex);
	const std::string whole = Print(&segue_seg_raddr_desc, bytes, SEGUE_FORMAT_TEXT);

	EXPECT_EQ(segue_segment_print(&segue_seg_raddr_desc, bytes.data(), bytes.size(),
				      SEGUE_FORMAT_TEXT, nullptr, 0),
		  whole.size());
	for (size_t size = 1; size <= whole.size() + 1; size++) {
		const std::unique_ptr<char[]> out(new char[size]);

		EXPECT_EQ(segue_segment_print(&segue_seg_raddr_desc, bytes.data(), bytes.size(),
					      SEGUE_FORMAT_TEXT, out.get(), size),
			  whole.size());
		EXPECT_EQ(std::string(out.get()), whole.substr(0, size - 1));
	}
}

TEST(Decode, EverySegmentOfEveryLengthAndAnyBytes)
{
	std::mt19937 random(1);

	for (int round = 0; round < 20; round++) {
		for (size_t i = 0; segue_segments[i]; i++) {
			for (size_t len = 0; len <= segue_segments[i]->size;
			     len += 1 + random() % 7) {
				std::vector<uint8_t> bytes(len);

				for (uint8_t &byte : bytes)
					byte = uint8_t(random());
				EXPECT_FALSE(
					Print(segue_segments[i], bytes, SEGUE_FORMAT_TEXT).empty());
				const std::string json = Print(segue_segments[i], bytes,
							       SEGUE_FORMAT_JSON);
				EXPECT_TRUE(Json::Valid(json)) << json;
			}
		}
	}
}

TEST(DecodeCqe, AnyBytes)
{
	std::mt19937 random(2);

	for (int round = 0; round < 5000; round++) {
		const size_t sizes[] = {0, 8, 20, 63, 64, 65, 128, 200};
		std::vector<uint8_t> bytes(sizes[round % 8]);

		for (uint8_t &byte : bytes)
			byte = uint8_t(random());
		EXPECT_FALSE(PrintCqe(bytes, SEGUE_FORMAT_TEXT).empty());
		const std::string json = PrintCqe(bytes, SEGUE_FORMAT_JSON);
		EXPECT_TRUE(Json::Valid(json)) << json;
	}
}

TEST(DecodeCqe, EveryFormatRecognisesItself)
{
	for (size_t i = 0; segue_cqes[i]; i++) {
		const struct segue_segment_desc *const desc = segue_cqes[i];
		std::vector<uint8_t> bytes(desc->size);

		for (size_t k = 0; k < desc->match_count; k++) {
			const struct segue_field_desc *const f =
				&desc->fields[desc->matches[k].field];

			/* Match fields are narrow and do not cross bytes. */
			ASSERT_NE(f->word, 0);
			const size_t last = f->byte * 8u + f->word - f->lsb - 1;
			const uint64_t value = desc->matches[k].values[0];
			bytes[last / 8] = uint8_t(bytes[last / 8] | value << (7 - last % 8));
		}
		const struct segue_segment_desc *const got = segue_cqe_match(bytes.data(),
									     bytes.size());
		ASSERT_NE(got, nullptr) << desc->name;
		if (desc->match_count) { /* the others are parts, or are told apart by the queue */
			EXPECT_EQ(got, desc) << desc->name << got->name;
		}
	}
}

TEST(DecodeCqe, ErrorThatLooksLikeTagMatching)
{
	for (const uint8_t app_op : {SEGUE_TM_APP_OP_APPEND, SEGUE_TM_APP_OP_EXPECTED}) {
		std::vector<uint8_t> bytes(64);
		bytes[40] = SEGUE_CQE_APP_TAG_MATCHING;
		bytes[41] = app_op;
		bytes[63] = SEGUE_CQE_OPCODE_REQ_ERR << 4;
		const struct segue_segment_desc *const got = segue_cqe_match(bytes.data(),
									     bytes.size());
		ASSERT_NE(got, nullptr);
		EXPECT_STREQ(got->name, "err_cqe");
	}
}

TEST(DecodeCqe, ErrorCompletion)
{
	/* Requester error 0x15 (transport retry), vendor 0x81, WQE 0x0102 of QP 0x000123, an RDMA
	 * WRITE. */
	std::vector<uint8_t> bytes(64);
	bytes[54] = 0x81;
	bytes[55] = 0x15;
	bytes[56] = 0x08;
	bytes[58] = 0x01;
	bytes[59] = 0x23;
	bytes[60] = 0x01;
	bytes[61] = 0x02;
	bytes[63] = 0xd0;
	const std::string text = PrintCqe(bytes, SEGUE_FORMAT_TEXT);

	EXPECT_EQ(text.find("err_cqe\n"), 0u) << text;
	EXPECT_NE(text.find("0x15 TRANSPORT_RETRY_EXC_ERR\n"), std::string::npos) << text;
	EXPECT_NE(text.find("0x000123\n"), std::string::npos) << text;
	EXPECT_NE(text.find("0x0102\n"), std::string::npos) << text;
}

TEST(DecodeCqe, ErrorInTheSecondHalfOf128Bytes)
{
	std::vector<uint8_t> bytes(128);

	bytes[64 + 55] = 0x05;
	bytes[64 + 63] = 0xd0;
	const std::string text = PrintCqe(bytes, SEGUE_FORMAT_TEXT);
	EXPECT_NE(text.find("err_cqe\n"), std::string::npos) << text;
	EXPECT_NE(text.find("0x05 WR_FLUSH_ERR\n"), std::string::npos) << text;
}

} // namespace
