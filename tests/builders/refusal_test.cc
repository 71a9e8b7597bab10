/* SPDX-License-Identifier: BSD-2-Clause */
/* What a refused request says: which field, what it was given, what it takes. Nothing is posted. */
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/base.h"
#include "segue/decode.h"
#include "segue/gen/builders.h"
#include "segue/mr.h"
#include "tests/builders/small_ring.h"

namespace {

/* NULL, which the compiler does not see: it warns of one that it does. */
template <typename T> T *Null()
{
	T *p = nullptr;

	__asm__("" : "+r"(p));
	return p;
}

class Refusal : public testing::Test, protected SmallRing {
protected:
	void SetUp() override
	{
		const segue_sq_init_options attr = Attr();

		ASSERT_EQ(0, segue_sq_init(&rc.sq, &attr));
		ASSERT_EQ(0, segue_sq_init(&dci.sq, &attr));
		ASSERT_EQ(0, segue_sq_init(&ud.sq, &attr));
	}

	void Refused(int ret, int error, const char *sentence) const
	{
		EXPECT_EQ(error, ret);
		EXPECT_NE(std::string::npos, std::string(segue_errmsg()).find(sentence))
			<< segue_errmsg();
		EXPECT_EQ(0u, rc.sq.pi);
	}

	struct segue_rc_sq rc = {};
	struct segue_dci_sq dci = {};
	struct segue_ud_sq ud = {};
};

#if !SEGUE_CHECKED /* which end the program there: checked_build_test */
/* A size of headers whose upper bits are the next field's: what follows then is read as something
 * else, which is not what is wrong. */
TEST_F(Refusal, OfASizeThatReachesAboveItsField)
{
	const uint8_t packet[64] = {
		0,    0,    0,	  0x0a, 0x12, 0x34, 0x56, 0x04, 0,    0,    0,	  0x80, 0,    0,
		0,    0,    0,	  0,	0,    0,    0x30, 0,	0,    0,    0,	  0,	0,    0,
		0x80, 0x0c, 0x03, 0x0a, 0x11, 0x18, 0x1f, 0x26, 0x2d, 0x34, 0x3b, 0x42, 0x49, 0x50,
		0,    0,    0,	  0,	0,    0,    0x80, 0,	0,    0x01, 0x03};
	char text[400] = "";

	seguei_refusal_print(&segue_raw_packet_machine, packet, sizeof(packet), text, sizeof(text));
	EXPECT_STREQ("'inline_hdr_sz' of segment 'eth' is 32780 (0x800c), expected 0 to 1023",
		     text);
}

/* Too large a number of a DCT sets the bit that makes its address a long one, in which the pieces
 * then lie. So two values may have been too large: that number, or a field of the long address. */
TEST_F(Refusal, OfANumberThatMakesAnAddressAnother)
{
	const uint8_t packet[64] = {
		0,    0,    0,	  0x0a, 0x12, 0x34, 0x56, 0x04, 0,    0,    0,	  0x2e, 0,    0,
		0,    0,    0x89, 0x28, 0xf1, 0x75, 0x91, 0x52, 0x09, 0x76, 0x83, 0x19, 0xdd, 0x5e,
		0x2f, 0x26, 0,	  0,	0,    0,    0,	  0x01, 0,    0,    0,	  0,	0x6b, 0x78,
		0x35, 0x5f, 0x63, 0xb3, 0x02, 0xea, 0x14, 0xb1, 0x53, 0x2d, 0xcd, 0xa6, 0x72, 0x6b};
	char text[400] = "";

	seguei_refusal_print(&segue_dci_machine, packet, sizeof(packet), text, sizeof(text));
	EXPECT_STREQ("a value does not fit its field, so that one segment looks like another (a "
		     "checked build says which and where)",
		     text);
}

TEST_F(Refusal, NamesFieldValueAndRange)
{
	static const char big[2048] = "";

	for (const uint32_t flags : {0u, (uint32_t)SEGUE_SIGNALED}) {
		const auto write = [&] {
			return segue_raddr(segue_rdma_write(&rc, 1, flags), 2, 3);
		};

		Refused(segue_post(segue_sge(write(), 4, 0, 5)), -ERANGE,
			"data.byte_count: found 0x0, expected 0x1 to 0x7fffffff");
		Refused(segue_post(segue_sge(write(), 4, 0x80000000, 5)), -ERANGE,
			"'byte_count' of segment 'data' is 2147483648 (0x80000000), expected 1 to "
			"2147483647");
		Refused(segue_post(segue_inline_data(write(), big, sizeof(big))), -ERANGE,
			"'byte_count' of segment 'inline_data' is 2048 (0x800), expected 1 to "
			"1023");
		/* and is forgotten */
		Refused(segue_post(segue_sge(write(), 4, 0, 5)), -ERANGE,
			"data.byte_count: found 0x0");
		Refused(segue_post(segue_raddr(segue_rdma_write(&rc, 1, flags | 1u << 31), 2, 3)),
			-ERANGE, "the flags hold 0x80000000, which rdma_write does not take");
	}
}

/* C would cut them to the field's type, and 257 is then a legal 1. */
TEST_F(Refusal, OfWhatATypeWouldCut)
{
	for (const int value : {256 + SEGUE_WAIT_COND_BIGGER, -256 + SEGUE_WAIT_COND_BIGGER}) {
		struct segue_rc_wait_on_time_args args = {};

		Refused(segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0),
							(uint32_t)value, 0, 8, 9)),
			-ERANGE, "'operation' of segment 'wait_on_time'");
		args.operation = (uint32_t)value;
		Refused(segue_post_wait_on_time(&rc, &args), -ERANGE,
			"'operation' of segment 'wait_on_time'");
	}
}

/* A window's rights are those of key contexts, not those of regions, which are other bits. */
TEST_F(Refusal, OfRightsOfARegionForAWindow)
{
	const uint32_t rights = SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE;

	Refused(segue_post(segue_bind_klm(
			segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(&rc, 1, SEGUE_SIGNALED, 2)), 3,
					4, 5, 6, rights),
			3, 4, 7)),
		-ERANGE,
		"a value does not fit its field (a checked build says which and where), one of");
}

/* What was said of one that nobody posted is not said of the next. */
TEST_F(Refusal, OfAnotherOneIsForgotten)
{
	static const uint8_t big[2048] = {};
	const auto null = segue_data_condition(segue_wait_on_data(&rc, 1, 0), nullptr);

	(void)null;
	Refused(segue_post(segue_sge(segue_raddr(segue_rdma_write(&rc, 2, 0), 2, 3), 4, 0, 5)),
		-ERANGE, "data.byte_count: found 0x0");

	const auto longer = segue_inline_data(segue_raddr(segue_rdma_write(&rc, 3, 0), 2, 3), big,
					      sizeof(big));

	(void)longer;
	Refused(segue_post(segue_sge(segue_raddr(segue_rdma_write(&rc, 4, 0), 2, 3), 4, 0, 5)),
		-ERANGE, "data.byte_count: found 0x0");
	Refused(segue_post(segue_data_condition(segue_wait_on_data(&rc, 5, 0), nullptr)), -ERANGE,
		"segue_data_condition() was given NULL");
}

TEST_F(Refusal, OfAStructThatIsNull)
{
	Refused(segue_post(segue_data_condition(segue_wait_on_data(&rc, 1, 0), nullptr)), -ERANGE,
		"segue_data_condition() was given NULL for wait_on_data, expected what the request "
		"needs of it");
	/* and is forgotten */
	Refused(segue_post(segue_sge(segue_send(&rc, 1, 0), 2, 0, 3)), -ERANGE, "data.byte_count");
}

TEST_F(Refusal, NamesTheFlag)
{
	Refused(segue_post(segue_sge(
			segue_raddr(segue_rdma_write(&rc, 1, SEGUE_SOLICITED | SEGUE_SIGNALED), 2,
				    3),
			4, 5, 6)),
		-ERANGE,
		"ctrl.se: found SOLICITED (0x2), expected what 'rdma_write' may carry on rc: "
		"SIGNALED, FIRST_ERROR_ONLY, ");
}

/* Fence modes are numbers, not bits. */
TEST_F(Refusal, OfFlagsThatDoNotGoTogether)
{
	for (const uint32_t signaled : {0u, (uint32_t)SEGUE_SIGNALED}) {
		struct segue_rc_nop_args args = {};

		args.flags = signaled | SEGUE_FENCE | SEGUE_INITIATOR_SMALL_FENCE;
		Refused(segue_post(segue_nop(&rc, 1, args.flags)), -ERANGE,
			"the flags INITIATOR_SMALL_FENCE, FENCE do not go together: 'fm' would be "
			"5, expected NONE (0), INITIATOR_SMALL (1), ");
		Refused(segue_post_nop(&rc, &args), -ERANGE, "'fm' would be 5, expected NONE (0)");
		Refused(segue_post(segue_nop(&rc, 1, signaled | SEGUE_FENCE | SEGUE_READ_FENCE)),
			-ERANGE, "the flags READ_FENCE, FENCE do not go together: 'fm' would be 6");
		Refused(segue_post(
				segue_nop(&rc, 1, signaled | SEGUE_FENCE | SEGUE_STRONG_ORDERING)),
			-ERANGE, "'fm' would be 7");
	}
	EXPECT_EQ(0, segue_post(segue_nop(&rc, 1, SEGUE_STRONG_ORDERING | SEGUE_SIGNALED)));
}

TEST_F(Refusal, NamesTheFieldThatIsTooNarrow)
{
	struct segue_address_vector ah = {};

	Refused(segue_post(segue_sge(segue_av(segue_send(&ud, 1, 0), &ah, 1 << 24, 5), 6, 7, 8)),
		-ERANGE,
		"'dqp_dct' of segment 'av_ud' is 16777216 (0x1000000), expected 0 to 16777215");
}
#endif

TEST_F(Refusal, OfWhatIsNoMember)
{
	struct segue_offence offence;
	char sentence[512];

	if (!SEGUE_CHECKED)
		Refused(segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0), 7, 0, 8, 9)),
			-ERANGE, "wait_on_time.operation: found 0x7, expected ");
	ASSERT_EQ(0, segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0),
						     SEGUE_WAIT_COND_BIGGER, 0, 8, 9)));
	ASSERT_EQ(0, segue_wqe_validate(&segue_rc_machine, ring, sizeof(ring), nullptr));
	ring[16 + 3] |= 7;
	ASSERT_GT(0, segue_wqe_validate(&segue_rc_machine, ring, sizeof(ring), &offence));
	segue_offence_print(&offence, sentence, sizeof(sentence));
	EXPECT_NE(nullptr, strstr(sentence, "operation")) << sentence;
}

/* In a segment, and up to the byte; what is only reserved comes behind everything else. */
TEST_F(Refusal, NamesTheFirstOffence)
{
	const auto found = [this] {
		struct segue_offence offence;
		char sentence[512];

		EXPECT_EQ(-EINVAL,
			  segue_wqe_validate(&segue_rc_machine, ring, sizeof(ring), &offence));
		segue_offence_print(&offence, sentence, sizeof(sentence));
		return std::string(sentence).substr(0, std::string(sentence).find(", expected"));
	};

	ASSERT_EQ(0, segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0),
						     SEGUE_WAIT_COND_BIGGER, 0, 8, 9)));
	ring[16 + 11] = 1;
	EXPECT_EQ("byte 27, wait_on_time, bits 63:0 of dword 2: found 0x100000000", found());
	ring[16 + 1] = 4;
	EXPECT_EQ("byte 17, wait_on_time, bits 31:5 of dword 0: found 0x2000", found());
	ring[16 + 3] |= 7;
	EXPECT_EQ("byte 19, wait_on_time.operation: found 0x7", found());
}

TEST_F(Refusal, OneCallWithAndWithoutItsOptionalPart)
{
	struct segue_rc_send_args args = {};
	struct segue_seg_data data = {};

	data.byte_count = 9;
	args.wr_id = 1;
	args.sge_count = 1;
	Refused(segue_post_send(&rc, &args), -EINVAL, "segue_post_send(): sges is NULL");
	args.sges = &data;
	args.inline_data_byte_count = 3;
	Refused(segue_post_send(&rc, &args), -EINVAL, "segue_post_send(): inline_data is NULL");
	args.inline_data_byte_count = 0;
	ASSERT_EQ(0, segue_post_send(&rc, &args));
	EXPECT_EQ(2, ring[7]) << "units of control and SGE";
	args.inline_data = "abc";
	args.inline_data_byte_count = 3;
	ASSERT_EQ(0, segue_post_send(&rc, &args));
	EXPECT_EQ(3, ring[64 + 7]);
	EXPECT_EQ(0, memcmp(ring + 64 + 20, "abc", 3));
}

TEST_F(Refusal, OfAnAddressThatIsNull)
{
	struct segue_dci_send_args args = {};

	args.wr_id = 1;
	EXPECT_EQ(-EINVAL, segue_post_send(&dci, &args));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "address_vector is NULL")) << segue_errmsg();
}

#if SEGUE_CHECKED
TEST_F(Refusal, CheckedBuildsPointAtTheCaller)
{
	const int line = __LINE__ + 1;
	const auto late = [&] { (void)segue_post(segue_sge(segue_send(&rc, 1, 0), 2, 0, 3)); };
	const std::string place =
		"refusal_test.cc:" + std::to_string(line) +
		": 'byte_count' of segment 'data' is 0 .*expected 1 to 2147483647";

	EXPECT_DEATH(late(), place);
	EXPECT_DEATH(
		(void)segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0), 7, 0, 8, 9)),
		"refusal_test.cc:[0-9]+: 'operation' of segment 'wait_on_time' is 7 .*expected "
		"ALWAYS_TRUE");
	EXPECT_DEATH((void)segue_post(segue_time_condition(segue_wait_on_time(&rc, 1, 0),
							   256 + SEGUE_WAIT_COND_BIGGER, 0, 8, 9)),
		     "refusal_test.cc:[0-9]+: 'operation' of segment 'wait_on_time' is 25[0-9] ");
	EXPECT_DEATH(
		(void)segue_post(segue_sge(
			segue_raddr(segue_rdma_write(&rc, 1, SEGUE_SOLICITED), 2, 3), 4, 5, 6)),
		"refusal_test.cc:[0-9]+: segue_rdma_write\\(\\): the request does not take the "
		"flag SOLICITED \\(0x2\\), expected of SIGNALED, ");
	EXPECT_DEATH((void)segue_post(segue_data_condition(segue_wait_on_data(&rc, 1, 0), nullptr)),
		     "refusal_test.cc:[0-9]+: segue_data_condition\\(\\): wait_on_data is NULL");
	EXPECT_DEATH((void)segue_post(
			     segue_sge(segue_av(segue_send(&dci, 1, 0),
						Null<const struct segue_address_vector>(), 5, 6),
				       7, 8, 9)),
		     "refusal_test.cc:[0-9]+: segue_av\\(\\): address_vector is NULL");
	EXPECT_DEATH((void)segue_post(segue_nop(&rc, 1, SEGUE_FENCE | SEGUE_INITIATOR_SMALL_FENCE)),
		     "refusal_test.cc:[0-9]+: segue_nop\\(\\): the flags INITIATOR_SMALL_FENCE, "
		     "FENCE do not go together: 'fm' would be 5, expected NONE");
	EXPECT_DEATH(
		(void)segue_post(segue_inline_data(segue_send(&rc, 1, 0), Null<const void>(), 3)),
		"refusal_test.cc:[0-9]+: segue_inline_data\\(\\): data is NULL");
}

TEST_F(Refusal, CheckedBuildsTellOfARequestThatIsDropped)
{
	const auto dropped = segue_sge(segue_send(&rc, 1, 0), 2, 3, 4); const int line = __LINE__;

	(void)dropped;
	testing::internal::CaptureStderr();
	ASSERT_EQ(0, segue_post(segue_sge(segue_send(&rc, 1, 0), 2, 3, 4)));
	const std::string said = testing::internal::GetCapturedStderr();
	EXPECT_NE(std::string::npos,
		  said.find("refusal_test.cc:" + std::to_string(line) +
			    ": the request begun here on send queue of QP 0x123 was never posted"))
		<< said;
	testing::internal::CaptureStderr();
	ASSERT_EQ(0, segue_post(segue_sge(segue_send(&rc, 1, 0), 2, 3, 4)));
	EXPECT_EQ("", testing::internal::GetCapturedStderr());
}
#endif

} // namespace
