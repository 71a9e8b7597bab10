// SPDX-License-Identifier: BSD-2-Clause
// Requests that wait in SQD are taken back: as libmlx5 does on a queue pair of its own.
#include <infiniband/mlx5dv.h>

#include <algorithm>
#include <random>

#include "tests/runtime/control/faults.h"
#include "tests/seed/seed.h"

namespace {

constexpr size_t SLOT = 64, SLOTS = 24;

struct Op {
	uint64_t wr_id;
	bool signaled;
	int kind; // 0: write, 1: write of two pieces, 2: read
};

// What came of them, whoever posted: wr_ids of good completions, in order, and what memory holds.
struct Outcome {
	std::vector<uint64_t> completed;
	std::vector<int> cancelled; // by each call
	std::vector<uint8_t> target, source;
};

class Cancel : public Faulty {
protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Faulty::SetUp());
		source_mr = share(source_bytes, sizeof(source_bytes));
		target_mr = share(target_bytes, sizeof(target_bytes));
	}
	void fill()
	{
		for (size_t i = 0; i < sizeof(source_bytes); i++) {
			source_bytes[i] = (uint8_t)(i * 3 + 1);
			target_bytes[i] = (uint8_t)(i * 5 + 2);
		}
	}
	void keep_memory(Outcome *o)
	{
		o->source.assign(source_bytes, source_bytes + sizeof(source_bytes));
		o->target.assign(target_bytes, target_bytes + sizeof(target_bytes));
	}

	Outcome by_segue(const std::vector<Op> &ops, const std::vector<uint64_t> &takes);
	Outcome by_libmlx5(const std::vector<Op> &ops, const std::vector<uint64_t> &takes);

	alignas(64) uint8_t source_bytes[SLOT * SLOTS], target_bytes[SLOT * SLOTS];
	segue_mr *source_mr = nullptr, *target_mr = nullptr;
};

void post(segue_rc_sq *sq, const Op &op, uint64_t here, uint64_t there, uint32_t lkey,
	  uint32_t rkey)
{
	const uint32_t flags = op.signaled ? (uint32_t)SEGUE_SIGNALED : 0;
	segue_seg_data more = {};

	more.addr = here + 40;
	more.byte_count = 20;
	more.lkey = lkey;
	if (op.kind == 2) {
		ASSERT_OK(segue_post(
			segue_sge(segue_raddr(segue_rdma_read(sq, op.wr_id, flags), there, rkey),
				  here, SLOT, lkey)));
	} else if (op.kind == 1) {
		ASSERT_OK(segue_post(segue_sge_list(
			segue_sge(segue_raddr(segue_rdma_write(sq, op.wr_id, flags), there, rkey),
				  here, 30, lkey),
			&more, 1)));
	} else {
		ASSERT_OK(segue_post(
			segue_sge(segue_raddr(segue_rdma_write(sq, op.wr_id, flags), there, rkey),
				  here, SLOT, lkey)));
	}
}

Outcome Cancel::by_segue(const std::vector<Op> &ops, const std::vector<uint64_t> &takes)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
	std::vector<segue_wc> got;
	Outcome o;

	fill();
	connect(a, b);
	EXPECT_OK(segue_qp_pause(a, deadline, keep, &got));
	for (size_t i = 0; i < ops.size(); i++) {
		segue_remote_buf remote;

		EXPECT_OK(segue_mr_remote_buf(target_mr, i * SLOT, SLOT, &remote));
		post(segue_qp_rc_sq(a), ops[i], (uintptr_t)source_bytes + i * SLOT, remote.addr,
		     segue_mr_lkey(source_mr).lkey, remote.key.rkey);
	}
	for (uint64_t wr_id : takes) {
		uint32_t count = 99;

		EXPECT_OK(segue_qp_cancel_posted(a, wr_id, &count));
		o.cancelled.push_back((int)count);
	}
	EXPECT_OK(segue_qp_resume(a));
	EXPECT_OK(segue_qp_drain(a, deadline, keep, &got));
	for (const segue_wc &wc : got) {
		EXPECT_EQ(0, wc.syndrome) << wc.wr_id;
		o.completed.push_back(wc.wr_id);
	}
	keep_memory(&o);
	EXPECT_OK(segue_qp_close(a));
	EXPECT_OK(segue_qp_close(b));
	return o;
}

// A queue pair of libmlx5's, connected and moved by verbs; the other end is ours.
Outcome Cancel::by_libmlx5(const std::vector<Op> &ops, const std::vector<uint64_t> &takes)
{
	ibv_context *context = segue_device_ibv(device);
	ibv_cq *their_cq = ibv_create_cq(context, 64, nullptr, nullptr, 0);
	mlx5dv_qp_init_attr dv = {};
	ibv_qp_init_attr_ex init = {};
	segue_qp *peer = open(SEGUE_QP_RC), *adopted = nullptr;
	segue_qp_options options = {};
	segue_cq *adopted_cq = nullptr;
	ibv_qp_attr attr = {};
	Outcome o;

	fill();
	init.qp_type = IBV_QPT_RC;
	init.send_cq = init.recv_cq = their_cq;
	init.cap.max_send_wr = 32;
	init.cap.max_send_sge = 2;
	init.pd = segue_pd_ibv(pd);
	init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	init.send_ops_flags = IBV_QP_EX_WITH_RDMA_WRITE | IBV_QP_EX_WITH_RDMA_READ;
	ibv_qp *qp = mlx5dv_create_qp(context, &init, &dv);
	ibv_qp_ex *ex = ibv_qp_to_qp_ex(qp);

	// Connected by Segue, and then left to verbs.
	EXPECT_OK(segue_cq_adopt(device, their_cq, nullptr, &adopted_cq));
	options.type = SEGUE_QP_RC;
	options.send_cq = options.recv_cq = adopted_cq;
	EXPECT_OK(segue_qp_adopt(pd, qp, &options, &adopted));
	connect(adopted, peer);
	EXPECT_OK(segue_qp_close(adopted));
	EXPECT_OK(segue_cq_close(adopted_cq));
	attr.qp_state = IBV_QPS_SQD;
	EXPECT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	for (size_t i = 0; i < ops.size(); i++) {
		const uint64_t here = (uintptr_t)source_bytes + i * SLOT;
		const ibv_sge pieces[2] = {{here, 30, segue_mr_lkey(source_mr).lkey},
					   {here + 40, 20, segue_mr_lkey(source_mr).lkey}};
		segue_remote_buf remote;

		EXPECT_OK(segue_mr_remote_buf(target_mr, i * SLOT, SLOT, &remote));
		ibv_wr_start(ex);
		ex->wr_id = ops[i].wr_id;
		ex->wr_flags = ops[i].signaled ? (unsigned)IBV_SEND_SIGNALED : 0;
		if (ops[i].kind == 2)
			ibv_wr_rdma_read(ex, remote.key.rkey, remote.addr);
		else
			ibv_wr_rdma_write(ex, remote.key.rkey, remote.addr);
		if (ops[i].kind == 1)
			ibv_wr_set_sge_list(ex, 2, pieces);
		else
			ibv_wr_set_sge(ex, pieces[0].lkey, here, SLOT);
		EXPECT_EQ(0, ibv_wr_complete(ex));
	}
	for (uint64_t wr_id : takes)
		o.cancelled.push_back(
			mlx5dv_qp_cancel_posted_send_wrs(mlx5dv_qp_ex_from_ibv_qp_ex(ex), wr_id));
	attr.qp_state = IBV_QPS_RTS;
	EXPECT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE));
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
	const size_t expected = (size_t)std::count_if(ops.begin(), ops.end(),
						      [](const Op &op) { return op.signaled; });

	while (o.completed.size() < expected && segue_deadline_left_ms(deadline) > 0) {
		ibv_wc wc;

		if (ibv_poll_cq(their_cq, 1, &wc) != 1)
			continue;
		EXPECT_EQ(IBV_WC_SUCCESS, wc.status);
		o.completed.push_back(wc.wr_id);
	}
	keep_memory(&o);
	EXPECT_EQ(0, ibv_destroy_qp(qp));
	EXPECT_EQ(0, ibv_destroy_cq(their_cq));
	EXPECT_OK(segue_qp_close(peer));
	return o;
}

// What both must come to.
Outcome model(const std::vector<Op> &ops, const std::vector<uint64_t> &takes,
	      std::vector<uint8_t> source, std::vector<uint8_t> target)
{
	Outcome o;

	for (uint64_t wr_id : takes)
		o.cancelled.push_back((int)std::count_if(
			ops.begin(), ops.end(), [&](const Op &op) { return op.wr_id == wr_id; }));
	for (size_t i = 0; i < ops.size(); i++) {
		uint8_t *const from = &source[i * SLOT], *const to = &target[i * SLOT];

		if (ops[i].signaled)
			o.completed.push_back(ops[i].wr_id);
		if (std::find(takes.begin(), takes.end(), ops[i].wr_id) != takes.end())
			continue;
		if (ops[i].kind == 2) {
			std::copy(to, to + SLOT, from);
		} else if (ops[i].kind == 1) {
			std::copy(from, from + 30, to);
			std::copy(from + 40, from + 60, to + 30);
		} else {
			std::copy(from, from + SLOT, to);
		}
	}
	o.source = source;
	o.target = target;
	return o;
}

void expect_same(const Outcome &a, const Outcome &b, const char *who)
{
	EXPECT_EQ(a.cancelled, b.cancelled) << who;
	EXPECT_EQ(a.completed, b.completed) << who;
	EXPECT_TRUE(a.source == b.source) << who;
	EXPECT_TRUE(a.target == b.target) << who;
}

// Random requests of a few numbers, some of which are taken back: ours, libmlx5's and the model's
// outcome are the same.
TEST_F(Cancel, AsLibmlx5)
{
	std::mt19937_64 dice(segue_test_seed());
	const auto below = [&](uint64_t n) { return dice() % n; };

	for (int round = 0; round < rounds(30) && !HasFailure(); round++) {
		std::vector<uint64_t> takes;
		std::vector<Op> ops;

		for (size_t i = 0, n = 1 + below(12); i < n; i++)
			ops.push_back({100 + below(4), below(2) == 0, (int)below(3)});
		ops.back().signaled = true;
		for (size_t i = 0, n = 1 + below(3); i < n; i++) {
			const uint64_t wr_id = 100 + below(5); // one of which nobody has

			if (std::find(takes.begin(), takes.end(), wr_id) == takes.end())
				takes.push_back(wr_id);
		}
		fill();
		Outcome before;
		keep_memory(&before);
		const Outcome want = model(ops, takes, before.source, before.target);

		expect_same(want, by_segue(ops, takes), "Segue");
		expect_same(want, by_libmlx5(ops, takes), "libmlx5");
	}
}

// What has been carried out before the pause is not taken back, whether it was asked to complete or
// not, nor counted.
TEST_F(Cancel, WhatWasBegunStays)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
	std::vector<segue_wc> got;
	segue_remote_buf remote;
	uint32_t count = 99;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	fill();
	ASSERT_OK(segue_mr_remote_buf(target_mr, 0, sizeof(target_bytes), &remote));
	const auto write = [&](size_t slot, bool signaled) {
		post(segue_qp_rc_sq(a), {7, signaled, 0}, (uintptr_t)source_bytes + slot * SLOT,
		     remote.addr + slot * SLOT, segue_mr_lkey(source_mr).lkey, remote.key.rkey);
	};

	EXPECT_EQ(-EINVAL, segue_qp_cancel_posted(a, 7, &count));
	EXPECT_SAYS("not at rest in SQD");
	write(0, true);
	write(1, false);
	ASSERT_OK(segue_qp_pause(a, deadline, keep, &got));
	write(2, true);
	write(3, false);
	ASSERT_OK(segue_qp_cancel_posted(a, 7, &count));
	EXPECT_EQ(2u, count);
	ASSERT_OK(segue_qp_cancel_posted(a, 7, &count));
	EXPECT_EQ(0u, count) << "twice";
	ASSERT_OK(segue_qp_resume(a));
	ASSERT_OK(segue_qp_drain(a, deadline, keep, &got));
	EXPECT_EQ(2u, got.size());
	EXPECT_EQ(0, memcmp(target_bytes, source_bytes, 2 * SLOT));
	EXPECT_NE(0, memcmp(target_bytes + 2 * SLOT, source_bytes + 2 * SLOT, SLOT));
	EXPECT_NE(0, memcmp(target_bytes + 3 * SLOT, source_bytes + 3 * SLOT, SLOT));
	// On to ERR in place of RTS: it is flushed like others.
	got.clear();
	ASSERT_OK(segue_qp_pause(a, deadline, keep, &got));
	write(4, true);
	ASSERT_OK(segue_qp_cancel_posted(a, 7, &count));
	EXPECT_EQ(1u, count);
	ASSERT_OK(segue_qp_flush(a, deadline, keep, &got));
	ASSERT_EQ(1u, got.size());
	EXPECT_EQ(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[0].syndrome);
	EXPECT_EQ(7u, got[0].wr_id);
}

// Round the end of the ring and round the device's 16-bit counter.
TEST_F(Cancel, RoundTheRing)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
	std::vector<segue_wc> got;
	segue_remote_buf remote;

	ASSERT_NO_FATAL_FAILURE(start_late(&segue_qp_rc_sq(a)->sq));
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	fill();
	ASSERT_OK(segue_mr_remote_buf(target_mr, 0, sizeof(target_bytes), &remote));
	for (int round = 0; round < 40; round++) {
		uint32_t count = 99;

		ASSERT_OK(segue_qp_pause(a, deadline, keep, &got));
		for (uint64_t i = 0; i < 5; i++)
			ASSERT_NO_FATAL_FAILURE(
				post(segue_qp_rc_sq(a), {i, true, 1}, (uintptr_t)source_bytes,
				     remote.addr + i * SLOT, segue_mr_lkey(source_mr).lkey,
				     remote.key.rkey));
		ASSERT_OK(segue_qp_cancel_posted(a, 3, &count));
		ASSERT_EQ(1u, count);
		ASSERT_OK(segue_qp_resume(a));
		ASSERT_OK(segue_qp_drain(a, deadline, keep, &got));
		ASSERT_EQ(5u, got.size());
		got.clear();
		ASSERT_EQ(source_bytes[0], target_bytes[0]);
		ASSERT_EQ((uint8_t)(3 * SLOT * 5 + 2), target_bytes[3 * SLOT]) << round;
	}
}

TEST_F(Cancel, Refused)
{
	segue_qp_options options = options_for(SEGUE_QP_XRC_TARGET);
	segue_xrcd *xrcd;
	uint32_t count;
	segue_qp *qp;

	ASSERT_OK(segue_xrcd_open(device, -1, &xrcd));
	options.xrcd = xrcd;
	ASSERT_OK(segue_qp_open(pd, &options, &qp));
	EXPECT_EQ(-EINVAL, segue_qp_cancel_posted(qp, 1, &count));
	EXPECT_SAYS("whose sends cannot wait in SQD");
	EXPECT_EQ(-EINVAL, segue_qp_cancel_posted(nullptr, 1, &count));
}

} // namespace
