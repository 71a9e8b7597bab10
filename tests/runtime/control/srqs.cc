// SPDX-License-Identifier: BSD-2-Clause
// Shared receive queues: many queue pairs, completions out of order, running dry, limit events,
// several XRC queues on one completion queue.
#include <algorithm>
#include <deque>
#include <random>

#include "segue/pool.h"
#include "segue/tags.h"
#include "tests/runtime/control/fixture.h"
#include "tests/seed/seed.h"

class Srqs : public Control {
protected:
	static constexpr uint32_t kSize = 9000; // two or three packets

	segue_srq *open_srq(uint32_t max_wr, segue_xrcd *xrcd = nullptr, void *context = nullptr)
	{
		segue_srq_options options = {};
		segue_srq *srq = nullptr;

		options.max_wr = max_wr;
		options.max_sge = 1;
		options.xrcd = xrcd;
		options.cq = xrcd ? cq : nullptr;
		options.context = context;
		EXPECT_OK(segue_srq_open(pd, &options, &srq));
		return srq;
	}

	segue_pool *open_pool(uint32_t count)
	{
		segue_pool_options options = {};
		segue_pool *pool = nullptr;

		options.count = count;
		options.size = kSize;
		EXPECT_OK(segue_pool_open(pd, &options, &pool));
		return pool;
	}

	segue_qp *open_with(segue_srq *srq)
	{
		segue_qp_options options = options_for(SEGUE_QP_RC);
		segue_qp *qp = nullptr;

		options.srq = srq;
		options.max_recv_wr = options.max_recv_sge = 0;
		EXPECT_OK(segue_qp_open(pd, &options, &qp));
		return qp;
	}
};

// A sender, its shared receiver, and what is on the way between them.
struct Lane {
	segue_qp *from, *to;
	// its buffer may be changed when a send is done, and not when it has landed
	uint64_t sent = 0, done = 0, landed = 0;
	std::deque<uint32_t> lengths;
};

// 20000 messages of one to three packets over six queue pairs. Receives are given back in random
// order and in batches, so the queue runs dry at times and senders have to wait. Every receive must
// come back once, with its own bytes.
TEST_F(Srqs, RandomOrderAndRunningDry)
{
	const uint32_t kPosted = 200, kMessages = 20000;
	const unsigned int seed = (unsigned int)segue_test_seed();
	std::mt19937 random(seed);
	segue_srq *srq = open_srq(kPosted);
	segue_pool *pool = open_pool(kPosted);
	std::vector<void *> held;
	Lane lanes[6];
	uint32_t sent = 0, landed = 0, dry = 0;
	static uint8_t outbox[6][16][kSize];
	const uint32_t key = segue_mr_lkey(share(outbox, sizeof(outbox))).lkey;
	const segue_deadline deadline = segue_deadline_in_ms(100000);

	SCOPED_TRACE("seed " + std::to_string(seed));
	for (Lane &lane : lanes) {
		lane.from = open(SEGUE_QP_RC);
		lane.to = open_with(srq);
		ASSERT_NO_FATAL_FAILURE(connect(lane.from, lane.to));
	}
	ASSERT_EQ(kPosted, segue_pool_post_srq(pool, srq, UINT32_MAX));
	std::vector<segue_wc> seen;
	while (landed < kMessages) {
		ASSERT_LT(0, segue_deadline_left_ms(deadline))
			<< sent << " sent, " << landed << " landed";
		Lane &lane = lanes[random() % 6];

		if (sent < kMessages && lane.sent - lane.done < 16 &&
		    segue_sq_room(&segue_qp_rc_sq(lane.from)->sq) > 1) {
			uint8_t *out = outbox[&lane - lanes][lane.sent % 16];
			const uint32_t length = random() % 4 ? 16 + random() % 200
							     : kSize - random() % 8000;

			// Lane and count at both ends: a mixed-up buffer shows.
			const uint64_t mark = (uint64_t)(&lane - lanes) << 32 | lane.sent;

			memcpy(out, &mark, 8);
			memcpy(out + length - 8, &mark, 8);
			ASSERT_OK(segue_post(
				segue_sge(segue_send(segue_qp_rc_sq(lane.from), 0, SEGUE_SIGNALED),
					  (uintptr_t)out, length, key)));
			lane.lengths.push_back(length);
			lane.sent++;
			sent++;
		}
		seen.clear();
		ASSERT_LE(0, found(segue_cq_poll_each(cq, 8, keep, &seen)));
		for (const segue_wc &wc : seen) {
			ASSERT_EQ(0, wc.syndrome);
			Lane *to = nullptr;
			for (Lane &l : lanes) {
				l.done += segue_qp_number(l.from) == wc.qpn;
				if (segue_qp_number(l.to) == wc.qpn)
					to = &l;
			}
			if (!segue_wc_is_receive(&wc))
				continue;
			ASSERT_NE(nullptr, to);
			const uint64_t mark = (uint64_t)(to - lanes) << 32 | to->landed;

			ASSERT_EQ(to->lengths.front(), wc.byte_len);
			ASSERT_EQ(0, memcmp((void *)wc.wr_id, &mark, 8));
			ASSERT_EQ(0, memcmp((uint8_t *)wc.wr_id + wc.byte_len - 8, &mark, 8));
			to->lengths.pop_front();
			to->landed++;
			landed++;
			held.push_back((void *)wc.wr_id);
		}
		if (held.size() < kPosted && !(held.size() > 50 && random() % 64 == 0) &&
		    landed < kMessages)
			continue;
		dry += held.size() == kPosted;
		std::shuffle(held.begin(), held.end(), random);
		for (void *buffer : held)
			segue_pool_push(pool, buffer);
		ASSERT_EQ(held.size(), segue_pool_post_srq(pool, srq, UINT32_MAX));
		held.clear();
	}
	EXPECT_EQ(kMessages, sent);
	EXPECT_EQ(0u, segue_pool_available(pool));
	printf("the queue was empty %u times\n", dry);
	// The list has lost no entry: what is posted and what still fits are as many as were asked
	// for.
	uint32_t entries = kPosted;

	while (segue_post(segue_sge(segue_recv(srq, 1), (uintptr_t)outbox, 64, key)) == 0)
		entries++;
	EXPECT_SAYS("receives are posted");
	EXPECT_EQ(kPosted, entries);
}

static void count_limit(const segue_event *event, void *arg) noexcept
{
	if (event->type == IBV_EVENT_SRQ_LIMIT_REACHED)
		++*static_cast<int *>(arg);
}

TEST_F(Srqs, LimitRaisesOneEventEachTimeItIsArmed)
{
	segue_srq *srq = open_srq(64);
	segue_pool *pool = open_pool(64);
	segue_qp *a = open(SEGUE_QP_RC), *b = open_with(srq);
	int events = 0;

	EXPECT_OK(segue_device_set_event_handler(device, 0, count_limit, &events));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (int round = 1; round <= 3; round++) {
		segue_pool_post_srq(pool, srq, UINT32_MAX);
		ASSERT_OK(segue_srq_arm_limit(srq, 60));
		EXPECT_EQ(0, segue_device_dispatch(device, SEGUE_NOW)) << "60 are left and more";
		// Down to 56: one event, not five.
		for (int i = 0; i < 8; i++)
			ASSERT_OK(segue_post(
				segue_inline_data(segue_send(segue_qp_rc_sq(a), 0, 0), &i, 4)));
		for (const segue_wc &wc : take(8))
			segue_pool_push(pool, (void *)wc.wr_id);
		ASSERT_EQ(1, segue_device_dispatch(device, segue_deadline_in_ms(20000)))
			<< segue_errmsg();
		EXPECT_EQ(round, events);
		EXPECT_EQ(0, segue_device_dispatch(device, SEGUE_NOW));
	}
	EXPECT_NE(0, segue_srq_arm_limit(srq, 1u << 20));
	EXPECT_SAYS("limit 1048576 is refused");
}

// One completion queue, nine XRC queues, two targets: each completion names its own queue, by index
// or by number.
TEST_F(Srqs, SeveralXrcQueuesOnOneCompletionQueue)
{
	const unsigned int seed = (unsigned int)segue_test_seed();
	std::mt19937 random(seed);
	segue_qp_options options = options_for(SEGUE_QP_XRC_TARGET);
	segue_srq *srqs[9];
	segue_pool *pools[9];
	segue_qp *from[2], *to[2];
	uint64_t sent = 0;

	SCOPED_TRACE("seed " + std::to_string(seed));
	ASSERT_OK(segue_xrcd_open(device, -1, &options.xrcd));
	for (int i = 0; i < 9; i++) {
		srqs[i] = open_srq(16, options.xrcd, &srqs[i]);
		ASSERT_NE(nullptr, srqs[i]);
		pools[i] = open_pool(16);
		ASSERT_EQ(16u, segue_pool_post_srq(pools[i], srqs[i], UINT32_MAX));
	}
	for (int i = 0; i < 2; i++) {
		from[i] = open(SEGUE_QP_XRC_INITIATOR);
		ASSERT_OK(segue_qp_open(pd, &options, &to[i]));
		ASSERT_NO_FATAL_FAILURE(connect(from[i], to[i]));
	}
	for (int round = 0; round < 400; round++) {
		const int lane = random() % 2, which = random() % 9;
		const uint64_t mark = sent++;

		ASSERT_OK(segue_post(segue_inline_data(
			segue_xrc(segue_send(segue_qp_xrc_initiator_sq(from[lane]), mark,
					     SEGUE_SIGNALED),
				  segue_srq_number(srqs[which])),
			&mark, 8)));
		for (const segue_wc &wc : take(2)) {
			ASSERT_EQ(0, wc.syndrome);
			if (wc.opcode == SEGUE_CQE_OPCODE_REQ)
				continue;
			EXPECT_EQ((void *)&srqs[which], wc.context);
			EXPECT_EQ(0, memcmp((void *)wc.wr_id, &mark, 8));
			segue_pool_push(pools[which], (void *)wc.wr_id);
			EXPECT_EQ(1u, segue_pool_post_srq(pools[which], srqs[which], UINT32_MAX));
		}
	}
	// One goes, the others stay.
	ASSERT_OK(segue_srq_close(srqs[4]));
	ASSERT_OK(segue_post(segue_inline_data(
		segue_xrc(segue_send(segue_qp_xrc_initiator_sq(from[0]), 7, SEGUE_SIGNALED),
			  segue_srq_number(srqs[5])),
		"12345678", 8)));
	for (const segue_wc &wc : take(2))
		EXPECT_TRUE(wc.opcode == SEGUE_CQE_OPCODE_REQ || wc.context == &srqs[5]);
}

TEST_F(Srqs, IndexTable)
{
	const unsigned int seed = (unsigned int)segue_test_seed();
	std::mt19937 random(seed);
	std::vector<uint32_t> in;
	segue_srq *srq = open_srq(4);
	segue_cq_queue queue = {}, without_queue = {};

	SCOPED_TRACE("seed " + std::to_string(seed));
	queue.key = without_queue.key = SEGUE_CQ_BY_USER_INDEX;
	queue.srq = srq;
	queue.number = 1u << 24;
	EXPECT_EQ(-EINVAL, segue_cq_attach(cq, &queue));
	EXPECT_EQ(-EINVAL, segue_cq_attach(cq, &without_queue));
	EXPECT_EQ(-ENOENT, segue_cq_detach(cq, &without_queue));
	for (int i = 0; i < 20000; i++) {
		// Few values, so that they often share a place.
		const uint32_t index = random() % 64 * 64 + random() % 3;
		auto at = std::find(in.begin(), in.end(), index);

		queue.number = index;
		queue.context = (void *)(uintptr_t)index;
		if (at == in.end() && random() % 2) {
			ASSERT_OK(segue_cq_attach(cq, &queue));
			EXPECT_EQ(-EEXIST, segue_cq_attach(cq, &queue));
			in.push_back(index);
		} else if (at != in.end()) {
			ASSERT_OK(segue_cq_detach(cq, &queue));
			in.erase(at);
		} else {
			ASSERT_EQ(-ENOENT, segue_cq_detach(cq, &queue));
		}
		const uint32_t looked_for = random() % 64 * 64 + random() % 3;
		const bool there = std::find(in.begin(), in.end(), looked_for) != in.end();
		uint8_t cqe[64] = {};
		seguei_cq_route route;

		segue_put_be32(cqe + 32, looked_for);
		route = seguei_cq_find(cq, cqe);
		ASSERT_EQ(there, route.page->srq[route.at] == srq);
		if (there) {
			ASSERT_EQ((void *)(uintptr_t)looked_for, route.page->context[route.at]);
		}
	}
}

// One receiver takes what names nobody else, until it is detached.
TEST_F(Srqs, DefaultReceiver)
{
	segue_cq_queue first = {}, second = {};
	uint8_t cqe[64] = {};
	segue_rq rq = {};

	first.key = second.key = SEGUE_CQ_BY_DEFAULT;
	first.srq = open_srq(4);
	second.srq = open_srq(4);
	EXPECT_EQ(-ENOENT, segue_cq_detach(cq, &first));
	ASSERT_OK(segue_cq_attach(cq, &first));
	EXPECT_EQ(-EEXIST, segue_cq_attach(cq, &second));
	EXPECT_SAYS("a shared receive queue takes all receives that name no other queue");
	second.srq = nullptr;
	second.rq = &rq;
	EXPECT_EQ(-EEXIST, segue_cq_attach(cq, &second));
	const seguei_cq_route route = seguei_cq_find(cq, cqe);
	EXPECT_EQ(first.srq, route.page->srq[route.at]);
	ASSERT_OK(segue_cq_detach(cq, &first));
	EXPECT_EQ(-ENOENT, segue_cq_detach(cq, &first));
	second.srq = first.srq;
	EXPECT_EQ(-EINVAL, segue_cq_attach(cq, &second));
	EXPECT_SAYS("a receive queue or a shared receive queue alone");
}

// One that matches tags names tags in its completions: it is not taken for a plain one.
TEST_F(Srqs, TagMatchingIsNotAdopted)
{
	ibv_srq_init_attr_ex attr = {};
	ibv_context *context = segue_device_ibv(device);
	ibv_cq_init_attr_ex cq_attr = {};
	segue_srq *srq;

	cq_attr.cqe = 64;
	cq_attr.wc_flags = (uint64_t)IBV_WC_STANDARD_FLAGS | IBV_WC_EX_WITH_TM_INFO;
	ibv_cq_ex *verbs_cq = ibv_create_cq_ex(context, &cq_attr);

	ASSERT_NE(nullptr, verbs_cq);
	attr.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
	attr.attr.max_wr = 8;
	attr.attr.max_sge = 1;
	attr.srq_type = IBV_SRQT_BASIC;
	attr.pd = segue_pd_ibv(pd);
	attr.cq = ibv_cq_ex_to_cq(verbs_cq);
	for (const bool tags : {false, true}) {
		if (tags) {
			attr.srq_type = IBV_SRQT_TM;
			attr.comp_mask |= IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM;
			attr.tm_cap.max_num_tags = attr.tm_cap.max_ops = 8;
		}
		ibv_srq *verbs = ibv_create_srq_ex(context, &attr);

		// libmlx5's own queue pair for tags has no route, so on Ethernet it makes none.
		if (tags && path_to(0).link != SEGUE_LINK_IB) {
			EXPECT_EQ(nullptr, verbs);
			continue;
		}
		ASSERT_NE(nullptr, verbs) << strerror(errno);
		EXPECT_EQ(tags ? -ENOTSUP : 0, segue_srq_adopt(pd, verbs, &srq)) << segue_errmsg();
		if (tags)
			EXPECT_SAYS("matches tags");
		else
			ASSERT_OK(segue_srq_close(srq));
		EXPECT_EQ(0, ibv_destroy_srq(verbs));
	}
	EXPECT_EQ(0, ibv_destroy_cq(ibv_cq_ex_to_cq(verbs_cq)));
}

// What a tag list must have is said by name, and all of it is closed with its queue.
TEST_F(Srqs, TagListsAreOpenedOrRefusedByName)
{
	segue_srq_options options = {};
	segue_srq *list = nullptr, *other;
	const segue_tag entry = {7, 1, 1, {}};
	uint16_t handle;

	options.max_wr = 4;
	options.max_sge = 1;
	options.max_tags = 2;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &options, &list));
	EXPECT_SAYS("cq is NULL");
	options.cq = cq;
	options.locked = true;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &options, &list));
	EXPECT_SAYS("locked is given");
	options.locked = false;
	options.max_tags = segue_device_caps(device)->max_tags + 1;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &options, &list));
	EXPECT_SAYS("max_tags");
	options.max_tags = 2;
	if (path_to(0).link != SEGUE_LINK_IB) {
		EXPECT_GT(0, segue_srq_open(pd, &options, &list));
		EXPECT_SAYS("InfiniBand ports only");
		return;
	}
	options.max_tag_commands = 2;
	ASSERT_OK(segue_srq_open(pd, &options, &list));
	EXPECT_EQ(-EEXIST, segue_srq_open(pd, &options, &other));
	EXPECT_SAYS("give this one a completion queue of its own");

	segue_qp_options qp = options_for(SEGUE_QP_RC);
	segue_cq_options cqs = {};
	segue_qp *opened;

	qp.max_recv_wr = qp.max_recv_sge = 0;
	qp.srq = list;
	cqs.entries = 500;
	ASSERT_OK(segue_cq_open(device, &cqs, &qp.recv_cq));
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &qp, &opened));
	EXPECT_SAYS("another completion queue than that of srq");

	// A full list, and a full queue of commands.
	for (int i = 0; i < 2; i++)
		ASSERT_OK(segue_tag_append(list, 1, &entry, &handle));
	EXPECT_EQ(-ENOSPC, segue_tag_append(list, 1, &entry, nullptr));
	EXPECT_SAYS("all its 2 commands");
	EXPECT_EQ(2u, take(2).size());
	EXPECT_EQ(-ENOSPC, segue_tag_append(list, 1, &entry, nullptr));
	EXPECT_SAYS("all 2 entries");
	ASSERT_OK(segue_tag_remove(list, 1, handle));
	EXPECT_EQ(1u, take(1).size());
	ASSERT_OK(segue_tag_append(list, 1, &entry, nullptr));

	// With an answer that nobody has polled.
	ASSERT_OK(segue_srq_close(list));
	ASSERT_OK(segue_srq_open(pd, &options, &list)); // its completion queue is free again
	options.max_tags = 0;
	options.cq = nullptr;
	ASSERT_OK(segue_srq_open(pd, &options, &other));
	EXPECT_EQ(-EINVAL, segue_tag_append(other, 1, &entry, nullptr));
	EXPECT_SAYS("no tag list");
	ASSERT_OK(segue_pd_close(pd)); // and everything on it, in whatever order
	pd = nullptr;
}
