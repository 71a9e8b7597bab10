/* SPDX-License-Identifier: BSD-2-Clause */
/* Failed completions in sentences: what they must name, bounds of the text, floods of flushes. */
#include "segue/explain.h"

#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "segue/gen/tables.h"

namespace
{

segue_wc Failed(uint8_t syndrome, uint8_t vendor)
{
	segue_wc wc = {};

	wc.opcode = SEGUE_CQE_OPCODE_REQ_ERR;
	wc.s_wqe_opcode = SEGUE_OPCODE_RDMA_WRITE;
	wc.qpn = 0x123;
	wc.wr_id = 0x77;
	wc.syndrome = syndrome;
	wc.vendor_syndrome = vendor;
	return wc;
}

std::string Explain(const segue_wc &wc, const segue_cq_queue *queue = nullptr)
{
	char text[1024];
	const size_t length = segue_wc_explain(&wc, queue, text, sizeof(text));

	EXPECT_EQ(strlen(text), length);
	return text;
}

bool Has(const std::string &text, const char *part)
{
	return text.find(part) != std::string::npos;
}

TEST(Explain, EverySyndromeByNameAndDoc)
{
	for (int i = 0; i < segue_cqe_syndrome_desc.member_count; i++) {
		const segue_member_desc &member = segue_cqe_syndrome_desc.members[i];
		const std::string text = Explain(Failed(uint8_t(member.value), 0));

		EXPECT_TRUE(Has(text, member.name) && Has(text, member.doc) && Has(text, "Next: "))
			<< text;
		EXPECT_TRUE(Has(text, "RDMA_WRITE of QP 0x123") && Has(text, "wr_id 0x77")) << text;
		EXPECT_NE(nullptr, member.source);
	}
}

TEST(Explain, UnknownIsSaidToBeUnknown)
{
	EXPECT_TRUE(Has(Explain(Failed(0x77, 0)), "syndrome 0x77, which is unknown"));
	EXPECT_TRUE(Has(Explain(Failed(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0x88)),
			"0x88, whose meaning is unknown"));
	EXPECT_TRUE(Has(Explain(Failed(SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, 0x81)),
			"RETRY_EXCEEDED"));
}

// What public reports establish, and what they only mention.
TEST(Explain, ReportedSyndromes)
{
	const struct {
		uint8_t code;
		const char *name;
	} statuses[] = {{0x01, "LOCAL_LENGTH"},	   {0x02, "LOCAL_QP_OP"},
			{0x04, "LOCAL_PROT"},	   {0x05, "WR_FLUSH"},
			{0x06, "MW_BIND"},	   {0x10, "BAD_RESP"},
			{0x11, "LOCAL_ACCESS"},	   {0x12, "REMOTE_INVAL_REQ"},
			{0x13, "REMOTE_ACCESS"},   {0x14, "REMOTE_OP"},
			{0x15, "TRANSPORT_RETRY"}, {0x16, "RNR_RETRY"},
			{0x22, "REMOTE_ABORTED"}},
	  vendors[] = {{0x81, "RETRY_EXCEEDED"},
		       {0xf9, "FLUSH"},
		       {0x68, "BAD_WQE_INDEX"},
		       {0x93, "ODP_PFAULT"},
		       {0x99, "PSN"}};

	EXPECT_EQ(sizeof(statuses) / sizeof(statuses[0]), segue_cqe_syndrome_desc.member_count);
	for (const auto &status : statuses)
		EXPECT_TRUE(Has(Explain(Failed(status.code, 0)), status.name))
			<< Explain(Failed(status.code, 0));
	EXPECT_EQ(sizeof(vendors) / sizeof(vendors[0]), segue_vendor_syndrome_desc.member_count);
	for (const auto &vendor : vendors)
		EXPECT_TRUE(Has(Explain(Failed(0x13, vendor.code)), vendor.name))
			<< Explain(Failed(0x13, vendor.code));
	for (int i = 0; i < segue_vendor_syndrome_desc.member_count; i++) {
		ASSERT_NE(nullptr, segue_vendor_syndrome_desc.members[i].source);
		EXPECT_LT(10u, strlen(segue_vendor_syndrome_desc.members[i].source));
	}
	for (const uint8_t unsettled : {0x8a, 0x88, 0x51, 0x52})
		EXPECT_TRUE(Has(Explain(Failed(0x13, unsettled)), "whose meaning is unknown"));
}

// The commonest mistake: nothing about keys that few use.
TEST(Explain, AWrongRkeyInShort)
{
	const std::string text = Explain(Failed(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0));

	EXPECT_TRUE(Has(text, "compare remote address, length and rkey")) << text;
	EXPECT_FALSE(Has(text, "encrypt")) << text;
}

TEST(Explain, NamesWhatTheRequestNamed)
{
	alignas(64) static uint8_t ring[32 * 64];
	alignas(512) static uint8_t uar[512];
	static segue_sq_slot slots[32];
	uint32_t dbrec;
	segue_rc_sq sq;
	segue_sq_init_options attr = {};
	segue_cq_queue queue = {};
	segue_wc wc = Failed(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0);

	attr.buf = ring;
	attr.wqe_cnt = 32;
	attr.dbrec = &dbrec;
	attr.bf_reg = uar;
	attr.qpn = 0x123;
	attr.slots = slots;
	ASSERT_EQ(0, segue_sq_init(&sq.sq, &attr)) << segue_errmsg();
	ASSERT_EQ(0, segue_post(segue_sge(segue_raddr(segue_rdma_write(&sq, 0x77, SEGUE_SIGNALED),
						      0xabcdef01, 0xbad),
					  1, 2, 3)));
	queue.number = 0x123;
	queue.sq = &sq.sq;
	EXPECT_TRUE(Has(Explain(wc, &queue), "remote address 0xabcdef01 and rkey 0xbad"))
		<< Explain(wc, &queue);
	wc.wqe_counter = 32; /* the same block, one round later: another WQE */
	EXPECT_FALSE(Has(Explain(wc, &queue), "0xbad"));
}

TEST(Explain, TextIsBounded)
{
	const segue_wc wc = Failed(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0x88);
	const std::string whole = Explain(wc);
	char text[64];

	for (size_t n = 0; n < sizeof(text); n++) {
		memset(text, '#', sizeof(text));
		EXPECT_EQ(whole.size(), segue_wc_explain(&wc, nullptr, n ? text : nullptr, n));
		if (n) {
			EXPECT_EQ(whole.substr(0, n - 1), text);
		}
		EXPECT_EQ('#', text[n]);
	}
}

TEST(Explain, FloodsAreFolded)
{
	const segue_wc first = Failed(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0),
		       flush = Failed(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, 0xf9);
	segue_flood flood = {};
	char text[1024];

	EXPECT_LT(0u, segue_wc_explain_flood(&flood, &first, nullptr, text, sizeof(text)));
	for (int i = 0; i < 100; i++)
		EXPECT_EQ(0u, segue_wc_explain_flood(&flood, &flush, nullptr, text, sizeof(text)));
	EXPECT_LT(0u, segue_wc_explain_flood(&flood, &first, nullptr, text, sizeof(text)));
	EXPECT_TRUE(Has(text, "100 further requests of QP 0x123 were flushed. RDMA_WRITE")) << text;
	EXPECT_EQ(0u, segue_wc_explain_flood(&flood, nullptr, nullptr, text, sizeof(text)));
	/* Those of several queue pairs are one flood, however they are mixed. */
	segue_wc other = flush;

	for (int i = 0; i < 100; i++) {
		other.qpn = 0x200 + (uint32_t)i % 3;
		EXPECT_EQ(0u, segue_wc_explain_flood(&flood, &other, nullptr, text, sizeof(text)));
	}
	segue_wc_explain_flood(&flood, nullptr, nullptr, text, sizeof(text));
	EXPECT_STREQ("100 further requests of QP 0x200, 0x201, 0x202 were flushed.", text);
	for (uint32_t i = 0; i < 20; i++) {
		other.qpn = 0x300 + i;
		segue_wc_explain_flood(&flood, &other, nullptr, text, sizeof(text));
	}
	segue_wc_explain_flood(&flood, nullptr, nullptr, text, sizeof(text));
	EXPECT_TRUE(Has(text, "20 further requests of QP 0x300") &&
		    Has(text, "and maybe others were flushed."))
		<< text;
}

} // namespace
