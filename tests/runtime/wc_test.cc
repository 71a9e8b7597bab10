/* SPDX-License-Identifier: BSD-2-Clause */
/* What completions say, and the ways to poll them, over a ring that the test writes itself. */
#include "segue/wc.h"

#include <cerrno>
#include <cstring>
#include <gtest/gtest.h>
#include <vector>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/cq_payload.h"
#include "segue/explain.h"
#include "segue/gen/builders.h"

namespace
{

constexpr uint32_t kQpn = 0x1234, kShared = 0x5678, kEntries = 64, kBlocks = 64, kReceives = 8;

class Wc : public testing::Test
{
      protected:
	void SetUp() override
	{
		segue_cq_init_options cq = {};
		segue_sq_init_options sq = {};
		segue_rq_init_options rq = {};
		segue_cq_queue queue = {};

		memset(cqes_, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(cqes_));
		cq.buf = cqes_;
		cq.cqe_cnt = kEntries;
		cq.cqe_size = 64;
		cq.dbrec = dbrec_;
		ASSERT_EQ(0, segue_cq_init(&cq_, &cq)) << segue_errmsg();
		sq.buf = ring_;
		sq.wqe_cnt = kBlocks;
		sq.max_wqe_units = 8;
		sq.dbrec = &dbrec_[2];
		sq.bf_reg = uar_;
		sq.qpn = kQpn;
		sq.slots = slots_;
		ASSERT_EQ(0, segue_sq_init(&sq_.sq, &sq)) << segue_errmsg();
		rq.buf = receives_;
		rq.wqe_cnt = kReceives;
		rq.stride = 64;
		rq.dbrec = &dbrec_[3];
		rq.qpn = kQpn;
		rq.wr_ids = wr_ids_;
		ASSERT_EQ(0, segue_rq_init(&rq_, &rq)) << segue_errmsg();
		rq.buf = shared_receives_;
		rq.dbrec = &dbrec_[4];
		rq.qpn = 0x99;
		rq.wr_ids = shared_wr_ids_;
		rq.next = next_;
		ASSERT_EQ(0, segue_srq_init(&srq_, &rq)) << segue_errmsg();
		queue.number = kQpn;
		queue.sq = &sq_.sq;
		queue.rq = &rq_;
		queue.context = this;
		ASSERT_EQ(0, segue_cq_attach(&cq_, &queue)) << segue_errmsg();
		queue.number = kShared;
		queue.sq = nullptr;
		queue.rq = nullptr;
		queue.srq = &srq_;
		ASSERT_EQ(0, segue_cq_attach(&cq_, &queue)) << segue_errmsg();
	}

	void TearDown() override { segue_cq_fini(&cq_); }

	uint8_t *Next() { return cqes_ + pi_ % kEntries * 64; }
	uint8_t Owner() const { return pi_ / kEntries & 1; }

	void Write(segue_cqe64 cqe)
	{
		cqe.owner = Owner();
		segue_cqe64_pack(Next(), &cqe);
		pi_++;
	}

	segue_cqe64 Receive(uint8_t opcode)
	{
		segue_cqe64 cqe = {};

		EXPECT_EQ(0, segue_post(segue_sge(segue_recv(&rq_, 7), 8, 64, 1)))
			<< segue_errmsg();
		cqe.qpn = kQpn;
		cqe.opcode = opcode;
		cqe.byte_cnt = 60;
		cqe.imm_inval_pkey = 0xcafe;
		return cqe;
	}

	/* A request that completes, and its completion. */
	segue_cqe64 Send(uint64_t wr_id)
	{
		segue_cqe64 cqe = {};

		cqe.qpn = kQpn;
		cqe.opcode = SEGUE_CQE_OPCODE_REQ;
		cqe.wqe_counter = uint16_t(sq_.sq.pi);
		EXPECT_EQ(0, segue_post(segue_nop(&sq_, wr_id, SEGUE_SIGNALED))) << segue_errmsg();
		return cqe;
	}

	void WriteError(uint32_t qpn, uint8_t opcode, uint16_t counter, uint8_t syndrome,
			uint8_t vendor)
	{
		segue_err_cqe cqe = {};

		cqe.qpn = qpn;
		cqe.opcode = opcode;
		cqe.wqe_counter = counter;
		cqe.syndrome = syndrome;
		cqe.vendor_err_synd = vendor;
		cqe.owner = Owner();
		segue_err_cqe_pack(Next(), &cqe);
		pi_++;
	}

	int PollOne(segue_wc *wc, segue_wc_details *details)
	{
		return segue_cq_poll_details(&cq_, 1, wc, details);
	}

	alignas(64) uint8_t cqes_[kEntries * 64];
	alignas(64) uint8_t ring_[kBlocks * 64] = {};
	alignas(64) uint8_t receives_[kReceives * 64] = {};
	alignas(64) uint8_t shared_receives_[kReceives * 64] = {};
	segue_sq_slot slots_[kBlocks];
	uint64_t wr_ids_[kReceives], shared_wr_ids_[kReceives];
	uint16_t next_[kReceives];
	uint32_t dbrec_[5] = {};
	alignas(64) uint8_t uar_[64] = {};
	segue_cq cq_;
	segue_rc_sq sq_;
	segue_rq rq_;
	segue_srq srq_;
	uint32_t pi_ = 0; /* entries written */
};

TEST(Version, IsThatOfTheHeaders)
{
	EXPECT_EQ(uint32_t(SEGUE_VERSION), segue_version());
}

/* ---- what a completion says ---- */

TEST_F(Wc, SignatureErrorIsNoSuccessAndNoReceive)
{
	segue_sig_err_cqe cqe = {};
	segue_wc_details details;
	char text[512];
	segue_wc wc;

	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_SIG_ERR;
	cqe.mkey = 0xabc00;
	cqe.sig_err_offset = 520;
	cqe.expected_ref_tag = 5;
	segue_sig_err_cqe_pack(Next(), &cqe);
	pi_++;
	ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
	EXPECT_EQ(SEGUE_WC_SIGNATURE_ERR, wc.syndrome);
	EXPECT_FALSE(segue_wc_is_receive(&wc));
	EXPECT_EQ(kQpn, wc.qpn);
	EXPECT_EQ(this, wc.context);
	ASSERT_EQ(uint32_t(SEGUE_WC_HAS_SIGNATURE), details.valid);
	EXPECT_EQ(0xabc00u, details.signature.mkey);
	EXPECT_EQ(520u, details.signature.sig_err_offset);
	EXPECT_EQ(5u, details.signature.expected_ref_tag);
	segue_wc_explain(&wc, nullptr, text, sizeof(text));
	EXPECT_TRUE(strstr(text, "signature")) << text;
}

TEST_F(Wc, ImmSaysWhatItIs)
{
	const struct {
		uint8_t opcode, flags;
	} kinds[] = {{SEGUE_CQE_OPCODE_RESP_SEND, 0},
		     {SEGUE_CQE_OPCODE_RESP_SEND_IMM, SEGUE_WC_IMM},
		     {SEGUE_CQE_OPCODE_RESP_WR_IMM, SEGUE_WC_IMM},
		     {SEGUE_CQE_OPCODE_RESP_SEND_INV, SEGUE_WC_INVALIDATED}};

	for (const auto &kind : kinds) {
		segue_wc_details details;
		segue_wc wc;

		Write(Receive(kind.opcode));
		ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
		EXPECT_EQ(kind.flags, wc.flags);
		EXPECT_EQ(kind.flags == SEGUE_WC_IMM, (details.valid & SEGUE_WC_HAS_IMM) != 0);
		EXPECT_EQ(kind.flags == SEGUE_WC_IMM ? 0xcafeu : 0, details.imm);
		EXPECT_EQ(kind.flags == SEGUE_WC_INVALIDATED ? 0xcafeu : 0,
			  details.invalidated_key);
	}
}

TEST_F(Wc, DetailsOfAReceive)
{
	segue_cqe64 cqe = Receive(SEGUE_CQE_OPCODE_RESP_SEND);
	segue_wc_details details;
	segue_wc wc;

	cqe.rqpn = 0xabcdef;
	cqe.slid = 17;
	cqe.sl = 3;
	cqe.ml_path = 0x85;
	cqe.grh = SEGUE_CQE_GRH_IN_DATA;
	cqe.timestamp = 0x1122334455667788;
	cqe.l3_hdr_type = SEGUE_CQE_L3_HDR_TYPE_IPV4;
	cqe.l3_ok = 1;
	cqe.vlan_stripped = 1;
	cqe.vlan_info = 0x6007;
	Write(cqe);
	ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
	EXPECT_EQ(uint32_t(SEGUE_WC_HAS_BYTE_LEN | SEGUE_WC_HAS_TIMESTAMP | SEGUE_WC_HAS_SOURCE |
			   SEGUE_WC_HAS_CHECKSUM | SEGUE_WC_HAS_VLAN),
		  details.valid);
	EXPECT_EQ(60u, details.byte_len);
	EXPECT_EQ(0xabcdefu, details.src_qp);
	EXPECT_EQ(17, details.slid);
	EXPECT_EQ(3, details.sl);
	EXPECT_EQ(5, details.path_bits);
	EXPECT_TRUE(details.grh);
	EXPECT_EQ(0x1122334455667788u, details.timestamp);
	EXPECT_TRUE(details.l3_ok);
	EXPECT_FALSE(details.l4_ok);
	EXPECT_EQ(0x6007, details.vlan);
}

/* Payload lies where source, VLAN and hash would. */
TEST_F(Wc, PayloadInTheEntryLeavesNoSource)
{
	segue_cqe64 cqe = {};
	uint8_t landing[32] = {};
	segue_wc_details details;
	segue_wc wc;

	ASSERT_EQ(0,
		  segue_post(segue_sge(segue_recv(&rq_, 7), uint64_t(uintptr_t(landing)), 32, 1)));
	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_RESP_SEND;
	cqe.format = SEGUE_CQE_FORMAT_INLINE_32;
	cqe.byte_cnt = 32;
	Write(cqe);
	memset(cqes_, 0xff, 32);
	ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
	EXPECT_EQ(uint32_t(SEGUE_WC_HAS_BYTE_LEN | SEGUE_WC_HAS_TIMESTAMP), details.valid);
	EXPECT_EQ(0xff, landing[31]);
}

TEST_F(Wc, BytesOfSendsAreThoseThatComeBack)
{
	const struct {
		uint8_t opcode;
		bool bytes;
	} kinds[] = {{SEGUE_OPCODE_RDMA_WRITE, false},
		     {SEGUE_OPCODE_SEND, false},
		     {SEGUE_OPCODE_RDMA_READ, true}};

	for (const auto &kind : kinds) {
		segue_cqe64 cqe = Send(1);
		segue_wc_details details;
		segue_wc wc;

		cqe.s_wqe_opcode = kind.opcode;
		cqe.byte_cnt = 99;
		Write(cqe);
		ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
		EXPECT_EQ(kind.bytes, (details.valid & SEGUE_WC_HAS_BYTE_LEN) != 0);
		EXPECT_EQ(kind.bytes ? 99u : 0, details.byte_len);
		EXPECT_FALSE(details.valid & SEGUE_WC_HAS_SOURCE);
	}
}

/* libmlx5 does not believe the entry's count, so neither do we. */
TEST_F(Wc, AtomicResultInTheEntryHasEightBytes)
{
	segue_cqe64 cqe = {};
	uint64_t landing = 0;
	segue_wc_details details;
	segue_wc wc;

	ASSERT_EQ(0,
		  segue_post(segue_sge(
			  segue_atomic_add(
				  segue_raddr(segue_atomic_fa(&sq_, 1, SEGUE_SIGNALED), 8, 8), 1),
			  uint64_t(uintptr_t(&landing)), 8, 1)))
		<< segue_errmsg();
	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_REQ;
	cqe.s_wqe_opcode = SEGUE_OPCODE_ATOMIC_FA;
	cqe.format = SEGUE_CQE_FORMAT_INLINE_32;
	Write(cqe);
	memset(cqes_, 0x77, 8);
	ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
	EXPECT_EQ(0x7777777777777777u, landing);
	EXPECT_EQ(8u, wc.byte_len);
	EXPECT_EQ(8u, details.byte_len);
	EXPECT_EQ(uint32_t(SEGUE_WC_HAS_BYTE_LEN | SEGUE_WC_HAS_TIMESTAMP |
			   SEGUE_WC_HAS_ATOMIC_RESULT),
		  details.valid);
	EXPECT_EQ(0, memcmp(&landing, details.atomic_result, 8));
}

TEST_F(Wc, AtomicResultInMemoryHasEightBytes)
{
	for (const uint8_t opcode :
	     {SEGUE_OPCODE_ATOMIC_CS, SEGUE_OPCODE_ATOMIC_FA, SEGUE_OPCODE_ATOMIC_MASKED_FA}) {
		const uint32_t expected = opcode == SEGUE_OPCODE_ATOMIC_MASKED_FA ? 0x60 : 8;
		segue_cqe64 cqe = Send(1);
		segue_wc_details details;
		segue_wc wc;

		cqe.s_wqe_opcode = opcode;
		cqe.byte_cnt = 0x60; /* which nobody believes of the plain ones */
		Write(cqe);
		ASSERT_EQ(1, PollOne(&wc, &details)) << segue_errmsg();
		EXPECT_EQ(expected, wc.byte_len);
		EXPECT_EQ(uint32_t(SEGUE_WC_HAS_BYTE_LEN | SEGUE_WC_HAS_TIMESTAMP), details.valid);
		EXPECT_EQ(expected, details.byte_len);
	}
	/* A receive has as many as it has, whatever lies in the byte that names a send's opcode. */
	segue_cqe64 cqe = Receive(SEGUE_CQE_OPCODE_RESP_SEND);
	segue_wc wc;

	cqe.s_wqe_opcode = SEGUE_OPCODE_ATOMIC_CS;
	Write(cqe);
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(60u, wc.byte_len);
}

/* As many as asked for, and no more. */
TEST_F(Wc, NoneIsHandedOutWhereNoneIsAskedFor)
{
	const auto fail = [](const segue_wc *, void *) noexcept {
		ADD_FAILURE() << "a completion that nobody asked for";
	};
	volatile int none = 0;
	segue_wc wc;

	Write(Send(1));
	EXPECT_EQ(0, segue_cq_poll_each(&cq_, 0, fail, nullptr));
	EXPECT_EQ(0, segue_cq_poll_each(&cq_, none, fail, nullptr));
	EXPECT_EQ(0, segue_cq_poll_payload(&cq_, none, fail, nullptr));
	EXPECT_EQ(0, segue_cq_poll(&cq_, none, &wc));
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(1u, wc.wr_id);
}

/* Arrays are filled by stores of several members at once: they say what is said one by one. */
TEST_F(Wc, ArraysSayWhatIsSaidOneByOne)
{
	for (uint32_t i = 0; i < 6 * 256; i++) {
		/* up to RESP_SEND_INV, and one that is none of these */
		const uint8_t opcode = uint8_t(i >> 8);
		segue_cqe64 cqe = {};
		segue_wc wc, array[3];

		if (opcode == SEGUE_CQE_OPCODE_RESP_SEND_INV + 1)
			continue;
		memset(&wc, 0x5a, sizeof(wc));
		memset(array, 0xa5, sizeof(array));
		for (int copy = 0; copy < 4; copy++) {
			cqe = opcode == SEGUE_CQE_OPCODE_REQ ? Send(7) : Receive(opcode);
			cqe.s_wqe_opcode = uint8_t(i);
			cqe.signature = 0xff;
			cqe.se = 1;
			cqe.byte_cnt = 0x80ff01;
			cqe.imm_inval_pkey = 0xfedcba98;
			if (opcode != SEGUE_CQE_OPCODE_REQ)
				cqe.wqe_counter = 0xf00d;
			Write(cqe);
			if (copy == 0) {
				ASSERT_EQ(0, segue_cq_start_poll(&cq_, &wc)) << segue_errmsg();
				segue_cq_end_poll(&cq_);
			} else if (copy == 1) {
				ASSERT_EQ(1, segue_cq_poll(&cq_, 1, array)) << segue_errmsg();
			}
		}
		ASSERT_EQ(2, segue_cq_poll(&cq_, 2, array + 1)) << segue_errmsg();
		for (const segue_wc &filled : array) {
			ASSERT_EQ(7u, filled.wr_id);
			ASSERT_EQ(this, filled.context);
			ASSERT_EQ(nullptr, filled.cqe);
			ASSERT_EQ(wc.qpn, filled.qpn);
			ASSERT_EQ(segue_wc_byte_len(&wc), filled.byte_len) << int(cqe.s_wqe_opcode);
			ASSERT_EQ(wc.opcode, filled.opcode);
			ASSERT_EQ(wc.s_wqe_opcode, filled.s_wqe_opcode);
			ASSERT_EQ(0, filled.syndrome);
			ASSERT_EQ(0, filled.vendor_syndrome);
			ASSERT_EQ(wc.flags, filled.flags);
			ASSERT_EQ(wc.peer.index, filled.peer.index);
			ASSERT_EQ(wc.peer.generation, filled.peer.generation);
			if (opcode == SEGUE_CQE_OPCODE_REQ)
				ASSERT_NE(wc.wqe_counter, filled.wqe_counter);
			else
				ASSERT_EQ(0xf00d, filled.wqe_counter);
			if (wc.flags) {
				ASSERT_EQ(wc.imm, filled.imm);
			}
		}
	}
}

/* ---- payload in the entry ---- */

/* Nothing is behind the null key: what an SGE of it takes is dropped, and its address is nobody's.
 */
TEST_F(Wc, PayloadForTheNullKeyGoesNowhere)
{
	const segue_seg_data pieces[] = {{4, 1, 0}, {4, 0xd00, 8}, {4, 1, 0}};
	segue_seg_data receive[3];
	uint8_t first[4] = {}, last[4] = {};
	segue_cqe64 cqe = {};
	segue_wc wc;

	memcpy(receive, pieces, sizeof(receive));
	receive[0].addr = uint64_t(uintptr_t(first));
	receive[2].addr = uint64_t(uintptr_t(last));
	cq_.null_key = 0xd00;
	ASSERT_EQ(0, segue_post(segue_sge_list(segue_recv(&rq_, 7), receive, 3))) << segue_errmsg();
	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_RESP_SEND;
	cqe.format = SEGUE_CQE_FORMAT_INLINE_32;
	cqe.byte_cnt = 12;
	Write(cqe);
	memcpy(cqes_, "abcdefghijkl", 12);
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(12u, wc.byte_len);
	EXPECT_EQ(0, memcmp("abcd", first, 4));
	EXPECT_EQ(0, memcmp("ijkl", last, 4));
}

/* One that does not fit its buffers, or that nobody has posted, leaves the straight path and is
 * said. */
TEST_F(Wc, PayloadWithoutRoomIsRefused)
{
	uint8_t landing[8] = {};
	segue_cqe64 cqe = {};
	segue_wc wc;

	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_RESP_SEND;
	cqe.format = SEGUE_CQE_FORMAT_INLINE_32;
	cqe.byte_cnt = 12;
	Write(cqe);
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "12 of 12 bytes")) << segue_errmsg();
	ASSERT_EQ(0,
		  segue_post(segue_sge(segue_recv(&rq_, 7), uint64_t(uintptr_t(landing)), 8, 1)));
	Write(cqe);
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "4 of 12 bytes")) << segue_errmsg();
	cqe.byte_cnt = 33;
	Write(cqe);
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_NE(nullptr, strstr(segue_errmsg(), "33 bytes of payload in its 32"))
		<< segue_errmsg();
}

/* ---- on-demand paging ---- */

TEST_F(Wc, PageFaultOfASharedReceiveIsPostedAgain)
{
	uint8_t first[64];
	segue_wc wc;

	for (uint64_t i = 0; i < 3; i++)
		ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&srq_, 100 + i), 0x1000 * (i + 1), 64,
						  5)))
			<< segue_errmsg();
	memcpy(first, shared_receives_, 64);
	WriteError(kShared, SEGUE_CQE_OPCODE_RESP_ERR, 0, SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR,
		   SEGUE_VENDOR_SYNDROME_ODP_PFAULT);
	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg(); /* nobody is told */
	EXPECT_EQ(4u, srq_.ring.pi);
	EXPECT_EQ(4u, segue_be32(dbrec_[4]) & 0xffff) << "the device does not know of it";
	EXPECT_EQ(3u, srq_.ring.pi - seguei_recv_ci(&srq_.ring));
	/* The same pieces of memory, in the entry that the device takes next, linked to the one
	 * after it. */
	EXPECT_EQ(0, memcmp(first + 16, shared_receives_ + 3 * 64 + 16, 48));
	EXPECT_EQ(srq_.head, uint32_t(segue_get_be16(shared_receives_ + 3 * 64 + 2)));
	/* The message comes again, and with it the wr_id. */
	segue_cqe64 cqe = {};
	cqe.qpn = kShared;
	cqe.opcode = SEGUE_CQE_OPCODE_RESP_SEND;
	cqe.wqe_counter = 3;
	Write(cqe);
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(100u, wc.wr_id);
	/* Every entry can be posted again, as often as one likes. */
	for (int lap = 0; lap < 3 * int(kReceives); lap++) {
		const uint16_t at = uint16_t(srq_.head);

		ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&srq_, lap), 0x1000, 64, 5)))
			<< segue_errmsg();
		cqe.wqe_counter = at;
		Write(cqe);
		ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
		EXPECT_EQ(uint64_t(lap), wc.wr_id);
	}
}

/* Other aborts are errors like all. */
TEST_F(Wc, OtherAbortsAreTold)
{
	segue_wc wc;

	ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&srq_, 100), 0x1000, 64, 5)))
		<< segue_errmsg();
	WriteError(kShared, SEGUE_CQE_OPCODE_RESP_ERR, 0, SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR, 0);
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(100u, wc.wr_id);
	EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR, wc.syndrome);
}

/* ---- one by one ---- */

TEST_F(Wc, StartNextEnd)
{
	uint64_t expected = 0;
	segue_wc wc;

	EXPECT_EQ(-ENOENT, segue_cq_start_poll(&cq_, &wc));
	/* over the end of the ring, where the path is another */
	for (uint32_t round = 0; round < 4 * kEntries; round++) {
		const uint32_t n = 1 + round % 5;

		for (uint32_t i = 0; i < n; i++)
			Write(Send(expected + i));
		ASSERT_EQ(0, segue_cq_start_poll(&cq_, &wc)) << segue_errmsg();
		for (uint32_t i = 0; i < n; i++) {
			EXPECT_EQ(expected++, wc.wr_id);
			EXPECT_EQ(wc.cqe, cqes_ + (seguei_cq_ci(&cq_) - 1) % kEntries * 64);
			ASSERT_EQ(i + 1 < n ? 0 : -ENOENT, segue_cq_next_poll(&cq_, &wc));
		}
		segue_cq_end_poll(&cq_);
		EXPECT_EQ(pi_ & 0xffffff, segue_be32(dbrec_[0]));
		EXPECT_EQ(-ENOENT, segue_cq_start_poll(&cq_, &wc));
	}
}

TEST_F(Wc, OneByOneLeavesOutWhatNobodyAskedFor)
{
	segue_cqe64 cqe = {};
	segue_wc wc;

	while (sq_.sq.forced == seguei_sq_ci(&sq_.sq))
		ASSERT_EQ(0, segue_post(segue_nop(&sq_, 1, 0))) << segue_errmsg();
	cqe.qpn = kQpn;
	cqe.opcode = SEGUE_CQE_OPCODE_REQ;
	cqe.wqe_counter = uint16_t(sq_.sq.pi - 1);
	Write(cqe);
	EXPECT_EQ(-ENOENT, segue_cq_start_poll(&cq_, &wc));
	EXPECT_EQ(1u, segue_be32(dbrec_[0])) << "the entry is not given back";
}

TEST_F(Wc, OneByOneStepsOverForeignEntries)
{
	segue_cqe64 foreign = {};
	segue_wc wc;

	foreign.qpn = 0xabcdef;
	foreign.opcode = SEGUE_CQE_OPCODE_REQ;
	Write(foreign);
	Write(Send(5));
	EXPECT_EQ(-EINVAL, segue_cq_start_poll(&cq_, &wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "0xabcdef")) << segue_errmsg();
	ASSERT_EQ(0, segue_cq_next_poll(&cq_, &wc)) << segue_errmsg();
	EXPECT_EQ(5u, wc.wr_id);
	EXPECT_EQ(-ENOENT, segue_cq_next_poll(&cq_, &wc));
	segue_cq_end_poll(&cq_);
	EXPECT_EQ(2u, segue_be32(dbrec_[0]));
}

/* ---- taking back ---- */

TEST_F(Wc, WhatWasNotRungCanBeTakenBack)
{
	segue_wc wc;

	EXPECT_EQ(0u, segue_sq_abort(&sq_.sq));
	for (uint64_t lap = 0; lap < 5 * kBlocks; lap++) {
		const segue_cqe64 told = Send(1000 + lap);
		const uint32_t pi = sq_.sq.pi, n = uint32_t(lap % 4);

		for (uint32_t i = 0; i < n; i++)
			ASSERT_EQ(0, segue_commit(segue_nop(&sq_, i, i % 2 ? SEGUE_SIGNALED : 0)))
				<< segue_errmsg();
		EXPECT_EQ(n, segue_sq_abort(&sq_.sq));
		EXPECT_EQ(pi, sq_.sq.pi);
		segue_ring_doorbell(&sq_); /* tells nothing new */
		EXPECT_EQ(pi & 0xffff, segue_be32(dbrec_[2]));
		/* Only what the device knows of completes. */
		Write(told);
		ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
		EXPECT_EQ(1000 + lap, wc.wr_id);
		EXPECT_EQ(sq_.sq.pi, seguei_sq_ci(&sq_.sq));
		segue_cqe64 forgotten = told;
		forgotten.wqe_counter = uint16_t(pi);
		Write(forgotten);
		EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, &wc))
			<< "a request that was taken back has completed";
	}
}

/* Unsignaled requests that were taken back do not make the queue fill up with the others. */
TEST_F(Wc, TakingBackKeepsSilentWorkInCheck)
{
	uint32_t posted = 0;

	for (; segue_sq_room(&sq_.sq) > 2 * sq_.sq.blocks; posted++) {
		ASSERT_EQ(0, segue_post(segue_nop(&sq_, posted, 0))) << segue_errmsg();
		ASSERT_EQ(0, segue_commit(segue_nop(&sq_, 0, 0))) << segue_errmsg();
		ASSERT_EQ(1u, segue_sq_abort(&sq_.sq));
	}
	while (!segue_post(segue_nop(&sq_, posted, 0)))
		posted++;
	/* The last one completes, whatever was taken back. */
	const uint8_t *last = ring_ + ((sq_.sq.pi - 1) % kBlocks) * 64;
	EXPECT_EQ(uint32_t(SEGUE_SIGNALED), segue_get_be32(last + 8) & SEGUE_SIGNALED);
}

} // namespace
