// SPDX-License-Identifier: BSD-2-Clause
// Completion queues under traffic: resized, moderated, waited for.
#include <random>
#include <set>

#include "tests/runtime/control/fixture.h"
#include "tests/seed/seed.h"

class Cqs : public Control {
protected:
  segue_cq *open_cq(uint32_t entries, uint32_t cqe_size = 0, segue_comp_channel *channel = nullptr)
  {
	  segue_cq_options options = {};
	  segue_cq *made = nullptr;

	  options.entries = entries;
	  options.cqe_size = cqe_size;
	  options.channel = channel;
	  options.overcommit = true; // never more wait than a test has posted
	  EXPECT_OK(segue_cq_open(device, &options, &made));
	  return made;
	}

	// Two queue pairs that complete on one queue.
	void open_pair(segue_cq *on, segue_qp **a, segue_qp **b)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);

		options.send_cq = options.recv_cq = on;
		options.max_send_wr = options.max_recv_wr = 256;
		ASSERT_OK(segue_qp_open(pd, &options, a));
		ASSERT_OK(segue_qp_open(pd, &options, b));
		ASSERT_NO_FATAL_FAILURE(connect(*a, *b));
	}

	// Posts receives and SENDs until `outstanding` of each are on their way. Payload and wr_id
	// are the count.
	void fill(segue_qp *a, segue_qp *b, uint64_t *sent, uint64_t upto)
	{
		for (; *sent < upto; (*sent)++) {
			uint64_t *to = &landed[*sent % 256];

			ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), *sent),
						       (uintptr_t)to, 8, key)));
			ASSERT_OK(segue_post(segue_inline_data(
				segue_send(segue_qp_rc_sq(a), *sent, SEGUE_SIGNALED), sent, 8)));
		}
	}

	// Every send and every receive completes once, in order, with its own payload.
	void take_in_order(segue_cq *from, size_t count)
	{
		for (const segue_wc &wc : take(count, from)) {
			ASSERT_EQ(0, wc.syndrome);
			if (wc.opcode == SEGUE_CQE_OPCODE_REQ) {
				ASSERT_EQ(next_send++, wc.wr_id);
			} else {
				ASSERT_EQ(next_receive, wc.wr_id);
				ASSERT_EQ(next_receive, landed[next_receive % 256]);
				next_receive++;
			}
		}
	}

	void traffic(uint32_t cqe_size)
	{
		const unsigned int seed = (unsigned int)segue_test_seed();
		std::mt19937 random(seed);
		segue_cq *on = open_cq(255, cqe_size);
		uint64_t sent = 0;
		segue_qp *a, *b;

		SCOPED_TRACE("seed " + std::to_string(seed));
		key = segue_mr_lkey(share(landed, sizeof(landed))).lkey;
		ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
		for (int round = 0; round < 300; round++) {
			const uint64_t waiting = sent - next_send + sent - next_receive;

			// At most 100 of each wait, so that 255 entries are always enough.
			ASSERT_NO_FATAL_FAILURE(
				fill(a, b, &sent, sent + random() % (101 - (waiting + 1) / 2)));
			if (random() % 2) {
				ASSERT_OK(segue_cq_resize(on, 255u << random() % 5)) << round;
			}
			const uint64_t out = sent - next_send + sent - next_receive;

			ASSERT_NO_FATAL_FAILURE(take_in_order(on, random() % (out + 1)));
		}
		ASSERT_NO_FATAL_FAILURE(take_in_order(on, sent - next_send + sent - next_receive));
		EXPECT_LT(1000u, sent);
		EXPECT_EQ(sent, next_send);
		EXPECT_EQ(sent, next_receive);
		EXPECT_EQ(0, segue_cq_poll_each(on, 1, keep, nullptr));
	}

	uint64_t landed[256];
	uint64_t next_send = 0, next_receive = 0;
	uint32_t key = 0;
};

TEST_F(Cqs, ResizedUnderTraffic)
{
	traffic(64);
}

TEST_F(Cqs, ResizedUnderTrafficOf128Bytes)
{
	traffic(128);
}

// Whether small payload comes inside completions is the program's choice, and it is off unless it
// is asked for.
TEST_F(Cqs, PayloadComesInsideCompletionsOnlyIfAskedFor)
{
	segue_cq *on = open_cq(255);

	key = segue_mr_lkey(share(landed, sizeof(landed))).lkey;
	for (const bool asked : {false, true}) {
		segue_qp_options options = options_for(SEGUE_QP_RC);
		uint64_t payload = 0x1234 + asked;
		unsigned int inside = 0;
		segue_qp *a, *b;

		options.send_cq = options.recv_cq = on;
		options.scatter_to_cqe = asked;
		ASSERT_OK(segue_qp_open(pd, &options, &a));
		ASSERT_OK(segue_qp_open(pd, &options, &b));
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
		ASSERT_OK(segue_post(
			segue_sge(segue_recv(segue_qp_rq(b), 1), (uintptr_t)landed, 8, key)));
		ASSERT_OK(segue_post(segue_inline_data(
			segue_send(segue_qp_rc_sq(a), 2, SEGUE_SIGNALED), &payload, 8)));
		const segue_deadline deadline = segue_deadline_in_ms(30000);
		auto look = [](const segue_wc *wc, void *arg) noexcept {
			segue_cqe64 cqe;

			ASSERT_EQ(0, wc->syndrome);
			(void)segue_cqe64_unpack(&cqe, wc->cqe);
			*(unsigned int *)arg += cqe.format != SEGUE_CQE_FORMAT_NO_INLINE;
		};
		int taken = 0;

		while (taken < 2 && segue_deadline_left_ms(deadline) > 0)
			taken += found(segue_cq_poll_each(on, 1, look, &inside));
		ASSERT_EQ(2, taken);
		EXPECT_EQ(asked ? 1u : 0u, inside);
		EXPECT_EQ(payload, landed[0]);
		ASSERT_OK(segue_qp_close(a));
		ASSERT_OK(segue_qp_close(b));
	}
}

TEST_F(Cqs, ResizeRefusesByName)
{
	segue_cq *on = open_cq(255), *adopted;
	uint64_t sent = 0;
	segue_mr *region;
	segue_qp *a, *b;
	ibv_cq *verbs;

	EXPECT_EQ(-EINVAL, segue_cq_resize(on, 0));
	EXPECT_SAYS("entries is 0");
	EXPECT_EQ(-EINVAL, segue_cq_resize(on, UINT32_MAX));
	EXPECT_EQ(-EINVAL, segue_cq_resize(nullptr, 10));
	EXPECT_OK(segue_cq_resize(on, 200)); // the ring has 256 entries already
	region = share(landed, sizeof(landed));
	key = segue_mr_lkey(region).lkey;
	ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
	ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, 40));
	// A write behind the SENDs: when it has landed, 40 receives have completed at least.
	const segue_deadline deadline = segue_deadline_in_ms(20000);
	const uint64_t mark = 0x1234567890abcdef;

	landed[255] = 0;
	ASSERT_OK(segue_post(
		segue_inline_data(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 0, 0),
					      (uintptr_t)&landed[255], segue_mr_ibv(region)->rkey),
				  &mark, 8)));
	while (*(volatile uint64_t *)&landed[255] != mark && segue_deadline_left_ms(deadline) > 0)
		sched_yield();
	EXPECT_EQ(mark, landed[255]);
	EXPECT_EQ(-EINVAL, segue_cq_resize(on, 15));
	EXPECT_SAYS("do not fit 15 entries; poll first");
	ASSERT_NO_FATAL_FAILURE(take_in_order(on, 80));
	EXPECT_OK(segue_cq_resize(on, 15));
	ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, 45));
	ASSERT_NO_FATAL_FAILURE(take_in_order(on, 10));

	verbs = ibv_create_cq(segue_device_ibv(device), 16, nullptr, nullptr, 0);
	ASSERT_NE(nullptr, verbs);
	ASSERT_OK(segue_cq_adopt(device, verbs, nullptr, &adopted));
	EXPECT_EQ(-ENOTSUP, segue_cq_resize(adopted, 64));
	EXPECT_SAYS("before it is adopted");
	ASSERT_OK(segue_cq_close(adopted));
	EXPECT_EQ(0, ibv_destroy_cq(verbs));
}

// A resized queue is armed and raises its event as before.
TEST_F(Cqs, ResizedQueueRaisesEvents)
{
	segue_comp_channel *channel;
	uint64_t sent = 0;
	segue_qp *a, *b;
	segue_cq *on, *woken;

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	on = open_cq(15, 0, channel);
	key = segue_mr_lkey(share(landed, sizeof(landed))).lkey;
	ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
	for (uint32_t entries : {63u, 15u, 1023u}) {
		ASSERT_OK(segue_cq_arm(on, SEGUE_CQ_ARM_CMD_ANY));
		ASSERT_OK(segue_cq_resize(on, entries));
		ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, sent + 1));
		ASSERT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(20000), &woken))
			<< segue_errmsg();
		EXPECT_EQ(on, woken);
		ASSERT_NO_FATAL_FAILURE(take_in_order(on, 2));
	}
}

// Completions say when they were written, by the clock that the device can be asked for.
TEST_F(Cqs, TimesOfCompletions)
{
	const uint64_t khz = segue_device_caps(device)->clock_khz;
	uint64_t before, after, last = 0, sent = 0;
	segue_cq *on = open_cq(255);
	segue_wc_details details[2];
	segue_wc wc[2];
	segue_qp *a, *b;

	ASSERT_LT(0u, khz);
	key = segue_mr_lkey(share(landed, sizeof(landed))).lkey;
	ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
	for (int round = 0; round < 20; round++) {
		const segue_deadline deadline = segue_deadline_in_ms(20000);
		int taken = 0;

		ASSERT_OK(segue_device_query_ticks(device, &before));
		ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, sent + 1));
		while (taken < 2 && segue_deadline_left_ms(deadline) > 0) {
			const int n = found(
				segue_cq_poll_details(on, 2 - taken, wc + taken, details + taken));

			ASSERT_LE(0, n);
			taken += n;
		}
		ASSERT_EQ(2, taken);
		ASSERT_OK(segue_device_query_ticks(device, &after));
		for (const segue_wc_details &one : details) {
			ASSERT_TRUE(one.valid & SEGUE_WC_HAS_TIMESTAMP);
			EXPECT_LE(before, one.timestamp);
			EXPECT_GE(after, one.timestamp);
			EXPECT_LE(last, one.timestamp) << "a completion queue is in order";
			last = one.timestamp;
		}
		EXPECT_GT(20000u, (after - before) / khz) << "milliseconds";
	}
}

// What moderation promises is how often events come at most; completions are all there.
TEST_F(Cqs, ModeratedQueueCompletesEverything)
{
	segue_comp_channel *channel;
	uint64_t sent = 0;
	segue_qp *a, *b;
	segue_cq *on, *woken;

	ASSERT_OK(segue_comp_channel_open(device, &channel));
	on = open_cq(255, 0, channel);
	key = segue_mr_lkey(share(landed, sizeof(landed))).lkey;
	ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
	ASSERT_OK(segue_cq_moderate(on, 8, 100));
	ASSERT_OK(segue_cq_arm(on, SEGUE_CQ_ARM_CMD_ANY));
	ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, 32));
	ASSERT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(20000), &woken))
		<< segue_errmsg();
	ASSERT_NO_FATAL_FAILURE(take_in_order(on, 64));
	// Fewer than are to be waited for: the period lets the event through.
	ASSERT_OK(segue_cq_moderate(on, 1000, 2000));
	ASSERT_OK(segue_cq_arm(on, SEGUE_CQ_ARM_CMD_ANY));
	ASSERT_NO_FATAL_FAILURE(fill(a, b, &sent, 33));
	ASSERT_EQ(1, segue_comp_channel_wait(channel, segue_deadline_in_ms(20000), &woken))
		<< segue_errmsg();
	ASSERT_NO_FATAL_FAILURE(take_in_order(on, 2));
	EXPECT_OK(segue_cq_moderate(on, 0, 0));
}

// ---- compressed completions ----

class CompressedCqs : public Cqs {
protected:
	// A pair that completes on one queue. The same requests are posted to both kinds.
	struct Side {
		segue_cq *on;
		segue_qp *a, *b;
		std::vector<segue_wc> sends, receives;
		unsigned int from_blocks = 0;
	};

	void open_side(Side *side, uint32_t cqe_size, bool compress, uint32_t format = 0)
	{
		segue_cq_options options = {};

		options.compress_enhanced = compress && enhanced;

		options.entries = 255;
		options.cqe_size = cqe_size;
		options.compress = compress;
		options.compress_format = format;
		options.overcommit = true;
		ASSERT_OK(segue_cq_open(device, &options, &side->on));
		ASSERT_NO_FATAL_FAILURE(open_pair(side->on, &side->a, &side->b));
	}

	static void sort(const segue_wc *wc, void *arg) noexcept
	{
		Side *side = static_cast<Side *>(arg);
		const uint8_t *bytes = wc->cqe, *cq = reinterpret_cast<const uint8_t *>(side->on);

		side->from_blocks += bytes >= cq && bytes < cq + sizeof(*side->on);
		(wc->opcode == SEGUE_CQE_OPCODE_REQ ? side->sends : side->receives).push_back(*wc);
	}

	// Payload is too long for CQEs, so that nothing but compression can change them.
	void post(Side *side, uint64_t wr_id, uint32_t what, uint32_t length)
	{
		const uint64_t to = (uintptr_t)big;
		const uint32_t rkey = key;

		if (what < 3) {
			ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(side->b), wr_id), to,
						       sizeof(big), key)));
		}
		switch (what) {
		case 0:
		case 1:
			ASSERT_OK(segue_post(segue_sge(
				segue_send(segue_qp_rc_sq(side->a), wr_id, SEGUE_SIGNALED), to,
				length, key)));
			break;
		case 2:
			ASSERT_OK(
				segue_post(segue_sge(segue_send_imm(segue_qp_rc_sq(side->a), wr_id,
								    SEGUE_SIGNALED, length % 2),
						     to, length, key)));
			break;
		case 3:
			ASSERT_OK(segue_post(segue_sge(
				segue_raddr(segue_rdma_write(segue_qp_rc_sq(side->a), wr_id, 0), to,
					    rkey),
				to, length, key)));
			break;
		default:
			ASSERT_OK(segue_post(
				segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(side->a),
								       wr_id, SEGUE_SIGNALED),
						      to, rkey),
					  to, length, key)));
		}
	}

	// Until both sides have as many as were posted; a handful at a time, so that polls end
	// within blocks.
	void poll(Side *side, size_t sends, size_t receives, int most)
	{
		const segue_deadline deadline = segue_deadline_in_ms(30000);

		while (side->sends.size() + side->receives.size() < sends + receives &&
		       segue_deadline_left_ms(deadline) > 0)
			ASSERT_LE(0, found(segue_cq_poll_each(side->on, most, sort, side)));
		ASSERT_EQ(sends, side->sends.size());
		ASSERT_EQ(receives, side->receives.size());
	}

	void reset_without_a_poll();

	void same(const std::vector<segue_wc> &plain, const std::vector<segue_wc> &packed)
	{
		ASSERT_EQ(plain.size(), packed.size());
		for (size_t i = 0; i < plain.size(); i++) {
			EXPECT_EQ(plain[i].wr_id, packed[i].wr_id) << i;
			EXPECT_EQ(plain[i].byte_len, packed[i].byte_len) << i;
			EXPECT_EQ(plain[i].imm, packed[i].imm) << i;
			EXPECT_EQ(plain[i].opcode, packed[i].opcode) << i;
			EXPECT_EQ(plain[i].s_wqe_opcode, packed[i].s_wqe_opcode) << i;
			EXPECT_EQ(plain[i].syndrome, packed[i].syndrome) << i;
			EXPECT_EQ(plain[i].wqe_counter, packed[i].wqe_counter) << i;
		}
	}

	void compare(uint32_t cqe_size, uint32_t format = 0, uint64_t rounds = 400)
	{
		const unsigned int seed = (unsigned int)segue_test_seed();
		std::mt19937 random(seed);
		Side plain, packed;

		SCOPED_TRACE("seed " + std::to_string(seed));
		// registered for both, so the rkey is the same
		key = segue_mr_ibv(share(big, sizeof(big)))->lkey;
		ASSERT_NO_FATAL_FAILURE(open_side(&plain, cqe_size, false));
		ASSERT_NO_FATAL_FAILURE(open_side(&packed, cqe_size, true, format));
		for (uint64_t round = 0, wr_id = 0; round < rounds; round++) {
			const int most = 1 + (int)(random() % 60);
			size_t sends = 0, receives = 0;

			for (uint32_t i = 1 + random() % 60; i; i--, wr_id++) {
				const uint32_t what = random() % 5, length = 65 + random() % 900;

				ASSERT_NO_FATAL_FAILURE(post(&plain, wr_id, what, length));
				ASSERT_NO_FATAL_FAILURE(post(&packed, wr_id, what, length));
				sends += what != 3;
				receives += what < 3;
			}
			ASSERT_NO_FATAL_FAILURE(poll(&plain, sends, receives, most));
			ASSERT_NO_FATAL_FAILURE(poll(&packed, sends, receives, most));
			ASSERT_NO_FATAL_FAILURE(same(plain.sends, packed.sends));
			ASSERT_NO_FATAL_FAILURE(same(plain.receives, packed.receives));
			for (Side *side : {&plain, &packed}) {
				side->sends.clear();
				side->receives.clear();
			}
		}
		EXPECT_EQ(0u, plain.from_blocks);
		EXPECT_LT(100u, packed.from_blocks);
		printf("%u completions came from blocks\n", packed.from_blocks);
	}

	alignas(8) uint8_t big[1024] = {};
	bool enhanced = false; // the layout of the compressed queue
};

// The queue, and the queue pairs on it, are made by raw commands.
class EnhancedCqs : public CompressedCqs {
protected:
	EnhancedCqs() { enhanced = true; }

	segue_cq *open_enhanced()
	{
		segue_cq_options options = {};
		segue_cq *made = nullptr;

		options.entries = 2000;
		options.compress = options.compress_enhanced = true;
		EXPECT_OK(segue_cq_open(device, &options, &made));
		return made;
	}
};

TEST_F(CompressedCqs, GiveTheSameCompletions)
{
	compare(64);
}

TEST_F(CompressedCqs, GiveTheSameCompletionsInEachFormat)
{
	for (const uint32_t format :
	     {SEGUE_CQE_COMP_RES_FORMAT_HASH, SEGUE_CQE_COMP_RES_FORMAT_CSUM,
	      SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX})
		ASSERT_NO_FATAL_FAILURE(compare(64, format, 60));
}

TEST_F(CompressedCqs, GiveTheSameCompletionsOf128Bytes)
{
	compare(128);
}

TEST_F(EnhancedCqs, GiveTheSameCompletions)
{
	compare(64);
}

TEST_F(EnhancedCqs, GiveTheSameCompletionsOf128BytesAndOfSums)
{
	compare(128, SEGUE_CQE_COMP_RES_FORMAT_CSUM, 150);
}

// READs and atomics go both ways, what is flushed comes as ever, and another life may follow.
TEST_F(EnhancedCqs, QueuePairsLiveAsOthersDo)
{
	segue_cq *on = open_enhanced();
	uint64_t *const words = reinterpret_cast<uint64_t *>(big);
	std::vector<segue_wc> got;
	segue_qp *a, *b;

	key = segue_mr_ibv(share(big, sizeof(big)))->lkey;
	ASSERT_NO_FATAL_FAILURE(open_pair(on, &a, &b));
	EXPECT_EQ(nullptr, segue_qp_ibv(a));
	for (int life = 0; life < 3; life++) {
		segue_qp_info info;

		words[0] = 40, words[1] = 0;
		ASSERT_OK(segue_qp_query(a, &info));
		EXPECT_EQ(SEGUE_QP_STATE_RTS, info.state);
		ASSERT_OK(segue_post(segue_sge(
			segue_atomic_add(
				segue_raddr(segue_atomic_fa(segue_qp_rc_sq(b), 1, SEGUE_SIGNALED),
					    (uintptr_t)&words[0], key),
				2),
			(uintptr_t)&words[1], 8, key)));
		take(1, on);
		EXPECT_EQ(42u, words[0]);
		EXPECT_EQ(40u, words[1]);
		ASSERT_OK(segue_post(
			segue_sge(segue_raddr(segue_rdma_read(segue_qp_rc_sq(a), 2, SEGUE_SIGNALED),
					      (uintptr_t)&words[0], key),
				  (uintptr_t)&words[2], 8, key)));
		take(1, on);
		EXPECT_EQ(42u, words[2]);
		for (uint64_t i = 0; i < 10; i++)
			ASSERT_OK(segue_post(
				segue_sge(segue_recv(segue_qp_rq(a), i), (uintptr_t)big, 64, key)));
		got.clear();
		ASSERT_OK(segue_qp_flush(a, segue_deadline_in_ms(20000), keep, &got));
		ASSERT_EQ(10u, got.size());
		EXPECT_EQ(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[9].syndrome);
		for (segue_qp *qp : {a, b}) {
			ASSERT_OK(segue_qp_reset(qp, keep, &got));
			ASSERT_OK(segue_qp_query(qp, &info));
			EXPECT_EQ(SEGUE_QP_STATE_RESET, info.state);
		}
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	}
}

// One side completes there, the other where the kernel made the queue.
TEST_F(EnhancedCqs, BesideAQueueOfTheKernels)
{
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *a, *b = open(SEGUE_QP_RC);

	key = segue_mr_ibv(share(big, sizeof(big)))->lkey;
	options.send_cq = open_enhanced();
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(a), 1), (uintptr_t)big, 64, key)));
	ASSERT_OK(segue_post(
		segue_inline_data(segue_send(segue_qp_rc_sq(b), 2, SEGUE_SIGNALED), "b", 2)));
	EXPECT_EQ(2u, take(2).size());
	EXPECT_STREQ("b", (const char *)big);
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(a), 3, SEGUE_SIGNALED),
				      (uintptr_t)big, key),
			  (uintptr_t)big + 64, 8, key)));
	EXPECT_EQ(3u, take(1, options.send_cq)[0].wr_id);
	EXPECT_EQ(-EBUSY, segue_cq_close(options.send_cq));
	ASSERT_OK(segue_qp_close(a));
	ASSERT_OK(segue_cq_close(options.send_cq));
}

TEST_F(EnhancedCqs, WhatTheKernelServesIsRefused)
{
	segue_qp_options options = options_for(SEGUE_QP_UD);
	segue_cq_options cqs = {};
	segue_srq_options srqs = {};
	segue_cq *on = open_enhanced(), *made;
	segue_qp *qp;
	segue_srq *srq;

	EXPECT_TRUE(segue_device_caps(device)->cqe_enhanced_compression);
	EXPECT_EQ(nullptr, segue_cq_ibv(on));
	options.recv_cq = on;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("only RC queue pairs with receives of their own can have");
	(options = options_for(SEGUE_QP_RC)).send_cq = on;
	options.managed_send = true;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("which the kernel makes");
	options.managed_send = false;
	options.scatter_to_cqe = true;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("compress_enhanced is given together with scatter_to_cqe");
	options.scatter_to_cqe = false;
	ASSERT_OK(segue_qp_open(pd, &options, &qp));
	EXPECT_EQ(-ENOTSUP, segue_qp_set_udp_source_port(qp, 0xc000));
	EXPECT_SAYS("does not know a queue pair on completion queues with compress_enhanced");
	EXPECT_EQ(-ENOTSUP, segue_cq_moderate(on, 1, 1));
	EXPECT_SAYS("the kernel does not know completion queue");
	EXPECT_EQ(-ENOTSUP, segue_cq_resize(on, 1000));
	srqs.max_wr = 8, srqs.max_sge = 1, srqs.max_tags = 4;
	srqs.cq = on;
	EXPECT_EQ(-ENOTSUP, segue_srq_open(pd, &srqs, &srq));
	cqs.entries = 8;
	cqs.compress_enhanced = true;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("compress_enhanced is given without compress");
	cqs.compress = true;
	ASSERT_OK(segue_comp_channel_open(device, &cqs.channel));
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &made));
	EXPECT_SAYS("it is only polled");
}

// Entries of 128 bytes have a capability of their own, which DEVX does not look at for the library.
TEST_F(Cqs, CompressionOfLargeEntriesIsAskedFor)
{
	const bool can = segue_device_caps(device)->cqe_128_compression;
	segue_cq_options cqs = {};
	segue_cq *made;

	cqs.entries = 8;
	cqs.cqe_size = 128;
	cqs.compress = true;
	for (const bool enhanced : {false, true}) {
		cqs.compress_enhanced = enhanced;
		if (can) {
			ASSERT_OK(segue_cq_open(device, &cqs, &made));
			continue;
		}
		EXPECT_EQ(-ENOTSUP, segue_cq_open(device, &cqs, &made));
		EXPECT_SAYS("cannot compress completions of 128 bytes");
	}
	cqs.cqe_size = 64;
	EXPECT_OK(segue_cq_open(device, &cqs, &made));
}

// What was compressed and not polled, or polled up to the middle of a block, is not there after a
// reset; what comes then is.
TEST_F(EnhancedCqs, ResetWithoutAPoll)
{
	reset_without_a_poll();
}

TEST_F(CompressedCqs, ResetWithoutAPoll)
{
	reset_without_a_poll();
}

void CompressedCqs::reset_without_a_poll()
{
	key = segue_mr_ibv(share(big, sizeof(big)))->lkey;
	for (int polled : {0, 1, 9, 12, 20}) {
		Side side;

		SCOPED_TRACE(polled);
		ASSERT_NO_FATAL_FAILURE(open_side(&side, 64, true));
		for (uint64_t i = 0; i < 20; i++)
			ASSERT_OK(segue_commit(
				segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(side.a), i,
								       SEGUE_SIGNALED),
						      (uintptr_t)big, key),
					  (uintptr_t)big, 100 + (uint32_t)i, key)));
		segue_ring_doorbell(segue_qp_rc_sq(side.a));
		usleep(20000); // they complete at once
		if (polled) {
			ASSERT_NO_FATAL_FAILURE(poll(&side, (size_t)polled, 0, polled));
			EXPECT_LE(enhanced ? polled - 1u : 1u, side.from_blocks); // title
		}
		ASSERT_OK(segue_qp_modify_to(side.a, SEGUE_QP_STATE_RESET, nullptr));
		ASSERT_OK(segue_qp_modify_to(side.b, SEGUE_QP_STATE_RESET, nullptr));
		ASSERT_NO_FATAL_FAILURE(connect(side.a, side.b));
		side.sends.clear();
		for (uint64_t i = 100; i < 103; i++)
			ASSERT_NO_FATAL_FAILURE(post(&side, i, 4, 100));
		ASSERT_NO_FATAL_FAILURE(poll(&side, 3, 0, 8));
		for (uint64_t i = 0; i < 3; i++)
			EXPECT_EQ(100 + i, side.sends[i].wr_id);
		EXPECT_EQ(0, segue_cq_poll_each(side.on, 8, sort, &side)) << segue_errmsg();
		ASSERT_OK(segue_qp_close(side.a));
		ASSERT_OK(segue_qp_close(side.b));
	}
}

// Of two queue pairs that take from one shared queue the first is closed before anybody has polled:
// its entries are free again, the other's completions come.
TEST_F(CompressedCqs, CloseWithoutAPoll)
{
	segue_cq_options cqs = {};
	segue_srq_options srqs = {};
	segue_qp_options options = options_for(SEGUE_QP_RC);
	segue_qp *from[2], *to[2];
	std::vector<segue_wc> got;
	segue_cq *on;
	segue_srq *srq;

	key = segue_mr_ibv(share(big, sizeof(big)))->lkey;
	cqs.entries = 255;
	cqs.compress = cqs.overcommit = true;
	ASSERT_OK(segue_cq_open(device, &cqs, &on));
	srqs.max_wr = 24;
	srqs.max_sge = 1;
	ASSERT_OK(segue_srq_open(pd, &srqs, &srq));
	options.max_recv_wr = options.max_recv_sge = 0;
	options.send_cq = options.recv_cq = on;
	options.srq = srq;
	for (int i = 0; i < 2; i++) {
		from[i] = open(SEGUE_QP_RC);
		ASSERT_OK(segue_qp_open(pd, &options, &to[i]));
		ASSERT_NO_FATAL_FAILURE(connect(from[i], to[i]));
	}
	const auto fill = [&] {
		uint64_t posted = 0;

		while (!segue_post(
			segue_sge(segue_recv(srq, posted), (uintptr_t)big, sizeof(big), key)))
			posted++;
		return posted;
	};

	ASSERT_EQ(24u, fill());
	for (uint64_t i = 0; i < 24; i++)
		ASSERT_OK(segue_post(
			segue_sge(segue_send(segue_qp_rc_sq(from[i / 6 % 2]), i, SEGUE_SIGNALED),
				  (uintptr_t)big, 200, key)));
	take(24);
	ASSERT_OK(segue_qp_close(to[0]));
	EXPECT_EQ(12u, fill());
	const segue_deadline deadline = segue_deadline_in_ms(20000);

	while (got.size() < 12 && segue_deadline_left_ms(deadline) > 0)
		found(segue_cq_poll_each(on, 5, keep, &got));
	EXPECT_EQ(12u, got.size());
	for (const segue_wc &wc : got)
		EXPECT_EQ(segue_qp_number(to[1]), wc.qpn);
	EXPECT_EQ(0, segue_cq_poll_each(on, 5, keep, &got)) << segue_errmsg();
}
