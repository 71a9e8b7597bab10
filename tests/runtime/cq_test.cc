/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queues against a simple model: a device that writes CQEs of every kind into plain
 * memory, for several queue pairs at once, at every position of the ring and across the wrap of its
 * counters. The seed is printed; SEGUE_TEST_SEED repeats a run.
 */
#include "segue/cq.h"
#include "tests/runtime/cq_model.h"

namespace
{

constexpr int kSteps = 20000;

TEST_P(CqTest, FollowsTheModel)
{
	AddPeers(7);
	for (int step = 0; step < kSteps && !HasFatalFailure() && !HasNonfatalFailure(); step++) {
		Peer &peer = *peers_[Below(uint32_t(peers_.size()))];

		switch (Below(6)) {
		case 0:
			Post(peer);
			break;
		case 1:
			PostReceive(peer);
			break;
		case 2:
			if (Free() > 2)
				Complete(peer);
			break;
		case 3:
			if (Free() > 2)
				Receive(peer);
			break;
		case 4:
			if (OneIn(3))
				Compress(peer);
			else if (OneIn(4))
				Renew(*std::find_if(peers_.begin(), peers_.end(),
						    [&](auto &one) { return one.get() == &peer; }));
			break;
		default:
			Poll(1 + Below(12));
			break;
		}
	}
	PollAll();
	EXPECT_GT(seen_, 3000u);
	EXPECT_GT(blocks_, 100u);
	EXPECT_GT(dropped_, 20u);
}

/*
 * All is as in the title, but what a format keeps of each: of sends the opcode, of receives the
 * hash or the checksum; whoever has the one must not see another packet's other.
 */
TEST_P(CqTest, EntriesOfABlockKeepTheirOwn)
{
	static const uint8_t opcodes[] = {SEGUE_OPCODE_UMR, SEGUE_OPCODE_SEND_IMM, SEGUE_OPCODE_UMR,
					  SEGUE_OPCODE_RDMA_READ};
	constexpr size_t kMany = sizeof(opcodes);

	AddPeers(1);
	for (int round = 0; round < 8; round++) {
		const bool sends = round % 2, hashes = round / 2 % 2;
		const uint16_t counter = uint16_t(peers_[0]->sq.sq.pi);
		segue_cqe64 title = Cqe(peers_[0]->qpn,
					sends ? SEGUE_CQE_OPCODE_REQ : SEGUE_CQE_OPCODE_RESP_SEND,
					counter);
		std::vector<std::vector<uint8_t>> minis;
		std::vector<std::pair<segue_cqe64, segue_wc>> got;
		const auto keep = [](const segue_wc *wc, void *arg) noexcept {
			segue_cqe64 cqe;

			ASSERT_TRUE(segue_cqe64_unpack(&cqe, wc->cqe));
			static_cast<decltype(got) *>(arg)->push_back({cqe, *wc});
		};
		const size_t first = GetParam().enhanced;

		cq_.ring.minis = hashes ? SEGUE_MINI_CQE_FORMAT_HASH : SEGUE_MINI_CQE_FORMAT_CSUM;
		title.s_wqe_opcode = SEGUE_OPCODE_NOP;
		title.rss_hash_result = 0x11223344;
		title.rss_hash_type = 0x5a;
		title.check_sum = 0x7788;
		for (size_t i = 0; i < first + kMany; i++) {
			if (sends)
				ASSERT_EQ(0,
					  segue_post(segue_nop(&peers_[0]->sq, i, SEGUE_SIGNALED)))
					<< segue_errmsg();
			else
				ASSERT_EQ(0, segue_post(segue_sge(segue_recv(&peers_[0]->rq, i), 1,
								  64, 1)))
					<< segue_errmsg();
		}
		if (first)
			Write(title);
		for (size_t i = 0; i < kMany; i++) {
			segue_mini_cqe_req send = {};
			segue_mini_cqe hash = {};
			segue_mini_cqe_csum sum = {};
			std::vector<uint8_t> bytes(8);

			send.wqe_counter = uint16_t(counter + first + i);
			send.s_wqe_opcode = opcodes[i];
			hash.rx_hash_result = uint32_t(0xa0b0c000 + i);
			sum.checksum = uint16_t(0xd000 + i);
			send.byte_cnt = hash.byte_cnt = sum.byte_cnt = uint32_t(100 + i);
			if (sends)
				segue_mini_cqe_req_pack(bytes.data(), &send);
			else if (hashes)
				segue_mini_cqe_pack(bytes.data(), &hash);
			else
				segue_mini_cqe_csum_pack(bytes.data(), &sum);
			minis.push_back(bytes);
		}
		if (GetParam().enhanced)
			WriteEnhanced(minis);
		else
			WriteClassic(title, minis);
		ASSERT_EQ(int(first + kMany), segue_cq_poll_each(&cq_, 16, keep, &got))
			<< segue_errmsg();
		for (size_t i = 0; i < kMany; i++) {
			const segue_cqe64 &cqe = got[first + i].first;
			const segue_wc &wc = got[first + i].second;

			EXPECT_EQ(first + i, wc.wr_id);
			EXPECT_EQ(100 + i, wc.byte_len);
			EXPECT_NE(0, wc.flags & SEGUE_WC_COMPRESSED);
			EXPECT_EQ(title.imm_inval_pkey, cqe.imm_inval_pkey);
			if (sends) {
				EXPECT_EQ(opcodes[i], wc.s_wqe_opcode);
				EXPECT_EQ(counter + first + i, wc.wqe_counter);
			} else if (hashes) {
				EXPECT_EQ(0xa0b0c000 + i, cqe.rss_hash_result);
				EXPECT_EQ(title.rss_hash_type, cqe.rss_hash_type);
				EXPECT_EQ(0, cqe.check_sum);
			} else {
				EXPECT_EQ(0xd000 + i, cqe.check_sum);
				EXPECT_EQ(0, cqe.rss_hash_type);
			}
		}
	}
}

TEST_P(CqTest, ForeignCqesAreReportedAndSteppedOver)
{
	segue_wc wc[4];

	AddPeers(3);
	Post(*peers_[0]);
	peers_[0]->sends[0].asked = true;
	Write(Cqe(peers_[0]->qpn, SEGUE_CQE_OPCODE_REQ, peers_[0]->sends[0].counter));
	Write(Cqe(0xabcdef, SEGUE_CQE_OPCODE_REQ, 0));
	Write(Cqe(peers_[1]->qpn, SEGUE_CQE_OPCODE_REQ, 17));
	WriteError(0xabcdee, SEGUE_CQE_OPCODE_RESP_ERR, 0, SEGUE_CQE_SYNDROME_WR_FLUSH_ERR);
	EXPECT_EQ(1, segue_cq_poll(&cq_, 4, wc)); /* what came before is not lost */
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 4, wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "0xabcdef")) << segue_errmsg();
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 4, wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "0x0011")) << segue_errmsg();
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 4, wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "0xabcdee")) << segue_errmsg();
	EXPECT_EQ(0, segue_cq_poll(&cq_, 4, wc));
}

TEST_P(CqTest, DetachDropsEntries)
{
	segue_wc wc[8];

	AddPeers(2);
	for (int i = 0; i < 3; i++) {
		for (auto &peer : peers_) {
			const uint16_t counter = uint16_t(peer->sq.sq.pi);

			ASSERT_EQ(0, segue_post(segue_nop(&peer->sq, 100 + i, SEGUE_SIGNALED)));
			Write(Cqe(peer->qpn, SEGUE_CQE_OPCODE_REQ, counter));
		}
	}
	EXPECT_EQ(-EEXIST, segue_cq_attach(&cq_, &peers_[0]->queue));
	EXPECT_EQ(0, segue_cq_detach(&cq_, &peers_[0]->queue));
	EXPECT_EQ(-ENOENT, segue_cq_detach(&cq_, &peers_[0]->queue));
	ASSERT_EQ(3, segue_cq_poll(&cq_, 8, wc)) << segue_errmsg();
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(peers_[1]->qpn, wc[i].qpn);
		EXPECT_EQ(100u + i, wc[i].wr_id);
	}
	EXPECT_EQ(pi_, seguei_cq_ci(&cq_));
}

/* A completion that a queue asked for itself is handed to nobody: 0 says that nothing is left, also
 * to those who poll one by one. */
TEST_P(CqTest, WhatNobodyAskedForDoesNotCount)
{
	segue_wc wc;

	AddPeers(3);
	for (int i = 0; i < 2; i++) {
		segue_rc_sq &silent = peers_[i]->sq;

		while (silent.sq.forced == seguei_sq_ci(&silent.sq))
			ASSERT_EQ(0, segue_post(segue_nop(&silent, 1, 0))) << segue_errmsg();
		Write(Cqe(peers_[i]->qpn, SEGUE_CQE_OPCODE_REQ, uint16_t(silent.sq.pi - 1)));
	}
	ASSERT_EQ(0, segue_post(segue_nop(&peers_[2]->sq, 7, SEGUE_SIGNALED)));
	Write(Cqe(peers_[2]->qpn, SEGUE_CQE_OPCODE_REQ, 0));
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, &wc)) << segue_errmsg();
	EXPECT_EQ(7u, wc.wr_id);
	EXPECT_EQ(peers_[0]->sq.sq.pi, seguei_sq_ci(&peers_[0]->sq.sq));
	EXPECT_EQ(0, segue_cq_poll(&cq_, 1, &wc));
	EXPECT_EQ(pi_, Told());
}

/*
 * A queue that takes no posts any more still has completions, and nothing is made of a request that
 * it refused.
 */
TEST_P(CqTest, QueuesThatRefusePostsComplete)
{
	segue_wc wc[4];

	AddPeers(1);
	segue_rc_sq &sq = peers_[0]->sq;

	ASSERT_EQ(0, segue_post(segue_nop(&sq, 7, SEGUE_SIGNALED)));
	ASSERT_EQ(0, segue_post(segue_nop(&sq, 8, SEGUE_SIGNALED)));
	Write(Cqe(peers_[0]->qpn, SEGUE_CQE_OPCODE_REQ, 0));
	segue_sq_set_postable(&sq.sq, false);
	ASSERT_EQ(1, segue_cq_poll(&cq_, 4, wc)) << segue_errmsg();
	EXPECT_EQ(7u, wc[0].wr_id);
	segue_sq_set_postable(&sq.sq, true);
	const volatile uint32_t strange = 1u << 31; // as a constant it does not compile
	const auto w = segue_raddr(segue_rdma_write(&sq, 9, strange), 1, 1);
	EXPECT_NE(0, segue_post(segue_sge(w, 1, 1, 1)));
	Write(Cqe(peers_[0]->qpn, SEGUE_CQE_OPCODE_REQ, 2));
	EXPECT_EQ(-EINVAL, segue_cq_poll(&cq_, 1, wc));
	EXPECT_TRUE(strstr(segue_errmsg(), "0x0002")) << segue_errmsg();
	Write(Cqe(peers_[0]->qpn, SEGUE_CQE_OPCODE_REQ, 1));
	ASSERT_EQ(1, segue_cq_poll(&cq_, 1, wc)) << segue_errmsg();
	EXPECT_EQ(8u, wc[0].wr_id);
}

TEST_P(CqTest, ManyQueuePairsAreFound)
{
	std::vector<uint32_t> qpns;
	segue_cq_queue queue = {};
	auto find = [this](uint32_t qpn) {
		const segue_cqe64 cqe = Cqe(qpn, SEGUE_CQE_OPCODE_RESP_SEND, 0);
		uint8_t bytes[64];

		segue_cqe64_pack(bytes, &cqe);
		return seguei_cq_find(&cq_, bytes);
	};

	queue.srq = &srq_;
	while (qpns.size() < 3000) {
		queue.number = Below(1 << 24);
		queue.context = (void *)(uintptr_t)queue.number;
		if (!segue_cq_attach(&cq_, &queue))
			qpns.push_back(queue.number);
		if (OneIn(3)) {
			const uint32_t at = Below(uint32_t(qpns.size()));

			queue.number = qpns[at];
			ASSERT_EQ(0, segue_cq_detach(&cq_, &queue));
			ASSERT_NE(&srq_, find(qpns[at]).page->srq[find(qpns[at]).at]);
			qpns.erase(qpns.begin() + at);
		}
	}
	for (uint32_t qpn : qpns) {
		const seguei_cq_route route = find(qpn);

		ASSERT_EQ((void *)(uintptr_t)qpn, route.page->context[route.at]);
	}
}

TEST_P(CqTest, ArmingTellsRecordAndRegister)
{
	uint8_t record[8], reg[8];
	segue_seg_cq_arm arm;

	segue_cq_ack_event(&cq_);
	ASSERT_EQ(0, segue_cq_arm(&cq_, SEGUE_CQ_ARM_CMD_SOLICITED));
	memcpy(reg, uar_ + 0x20, 8);
	memcpy(record, &dbrec_[1], 4);
	EXPECT_EQ(0, memcmp(reg, record, 4));
	ASSERT_TRUE(segue_seg_cq_arm_unpack(&arm, reg));
	EXPECT_EQ(1, arm.arm_sn);
	EXPECT_EQ(SEGUE_CQ_ARM_CMD_SOLICITED, arm.cmd);
	EXPECT_EQ(GetParam().first & 0xffffff, arm.ci);
	EXPECT_EQ(0x77u, arm.cqn);
}

TEST(CqInit, RefusesByName)
{
	alignas(64) static uint8_t ring[128 * 4];
	uint32_t dbrec[2];
	segue_cq cq;
	segue_cq_init_options good = {};

	good.buf = ring;
	good.cqe_cnt = 4;
	good.cqe_size = 64;
	good.dbrec = dbrec;
	EXPECT_EQ(0, segue_cq_init(&cq, &good));
	EXPECT_EQ(-EINVAL, segue_cq_arm(&cq, SEGUE_CQ_ARM_CMD_ANY));
	segue_cq_fini(&cq);
	segue_cq_fini(&cq);
	const std::pair<const char *, void (*)(segue_cq_init_options *)> bad[] = {
		{"buf", [](segue_cq_init_options *a) { a->buf = ring + 8; }},
		{"cqe_cnt", [](segue_cq_init_options *a) { a->cqe_cnt = 5; }},
		{"cqe_size", [](segue_cq_init_options *a) { a->cqe_size = 32; }},
		{"dbrec", [](segue_cq_init_options *a) { a->dbrec = nullptr; }},
		{"cqn", [](segue_cq_init_options *a) { a->cqn = 1 << 24; }},
	};
	for (const auto &[name, spoil] : bad) {
		segue_cq_init_options attr = good;

		spoil(&attr);
		EXPECT_EQ(-EINVAL, segue_cq_init(&cq, &attr));
		EXPECT_TRUE(strstr(segue_errmsg(), name)) << segue_errmsg();
	}
}

INSTANTIATE_TEST_SUITE_P(Forms, CqTest,
			 testing::Values(Form{64, false, 0}, Form{64, true, 0}, Form{128, false, 0},
					 Form{128, true, 0}, Form{64, false, 0xffffffe0u - 64},
					 Form{64, true, 0xffffff80u}, Form{128, false, 0xfffff9u}));

} // namespace
