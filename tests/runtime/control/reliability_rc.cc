// SPDX-License-Identifier: BSD-2-Clause
// Requests that fail: what is seen on both sides, that every request comes back once and in order,
// and that waiting ends.
#include "tests/runtime/control/faults.h"

class Requests : public Faulty {
protected:
	// The failed request, then the rest of the queue, flushed.
	void expect_first_then_flush(segue_qp *qp, uint8_t syndrome, uint64_t count)
	{
		std::vector<segue_wc> got = take(count);

		for (uint64_t i = 0; i < count; i++) {
			EXPECT_EQ(i, got[i].wr_id);
			EXPECT_EQ(segue_qp_number(qp), got[i].qpn);
			EXPECT_EQ(i ? (int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : (int)syndrome,
				  got[i].syndrome)
				<< explain(got[i]);
		}
		EXPECT_HAS(explain(got[0]), "QP " + hex(segue_qp_number(qp)));
		EXPECT_HAS(explain(got[0]), "Next: ");
		EXPECT_EQ(0, segue_cq_poll_each(cq, 16, keep, &got));
		EXPECT_TRUE(segue_qp_is_idle(qp));
		expect_state(qp, SEGUE_QP_STATE_ERR);
	}
};

TEST_F(Requests, FlushedInOrderSignalledOrNot)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect_patiently(p));
	INJECT("drop 100%");
	for (uint64_t i = 0; i < 12; i++)
		ASSERT_OK(write(p.a, i, i % 3 == 1 ? SEGUE_SIGNALED : 0));
	for (uint64_t i = 0; i < 8; i++)
		ASSERT_OK(receive(p.a, 100 + i));
	ASSERT_OK(segue_qp_flush(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	ASSERT_EQ(20u, got.size());
	uint64_t sends = 0, receives = 100;

	for (const segue_wc &wc : got) {
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, wc.syndrome);
		EXPECT_EQ(wc.opcode == SEGUE_CQE_OPCODE_REQ_ERR ? sends++ : receives++, wc.wr_id);
	}
	EXPECT_EQ(12u, sends);
	EXPECT_EQ(108u, receives);
	EXPECT_TRUE(segue_qp_is_idle(p.a));
}

// Unsignaled requests that were done before the flush: none is left in flight, and no other
// completion comes.
TEST_F(Requests, FlushAfterSilentSuccess)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write(p.a, 0));
	EXPECT_EQ(0, take(1)[0].syndrome);
	for (uint64_t i = 1; i < 4; i++)
		ASSERT_OK(write(p.a, i, 0));
	ASSERT_OK(segue_qp_drain(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	for (uint64_t i = 4; i < 7; i++)
		ASSERT_OK(write(p.a, i, 0));
	ASSERT_OK(segue_qp_flush(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	EXPECT_TRUE(segue_qp_is_idle(p.a));
	for (const segue_wc &wc : got)
		EXPECT_TRUE(wc.wr_id >= 4 && wc.syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR)
			<< explain(wc);
}

TEST_F(Requests, DrainWaitsForASilentTail)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (int round = 0; round < 50; round++) {
		memset(to, 0, sizeof(to));
		for (uint64_t i = 0; i < (uint64_t)round % 15 + 1; i++)
			ASSERT_OK(write(p.a, i, 0));
		ASSERT_OK(segue_qp_drain(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		EXPECT_TRUE(segue_qp_is_idle(p.a));
		EXPECT_EQ(0, memcmp(from, to, 64));
		EXPECT_TRUE(got.empty()) << explain(got[0]);
	}
}

// The deadline comes first: the queue pair is stopped, and what arrives later changes nothing.
TEST_F(Requests, DrainThatIsLateFlushes)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect_patiently(p));
	INJECT("drop 100%");
	for (uint64_t i = 0; i < 5; i++)
		ASSERT_OK(write(p.a, i, 0));
	EXPECT_EQ(-ETIMEDOUT, segue_qp_drain(p.a, segue_deadline_in_ms(20), keep, &got));
	EXPECT_SAYS("in flight at the deadline");
	EXPECT_TRUE(got.empty());
	bool stopped = false;

	EXPECT_OK(segue_qp_drain_or_flush(p.a, segue_deadline_in_ms(20), keep, &got, &stopped));
	EXPECT_TRUE(stopped);
	ASSERT_EQ(5u, got.size());
	for (uint64_t i = 0; i < 5; i++) {
		EXPECT_EQ(i, got[i].wr_id);
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[i].syndrome);
	}
	INJECT("clear");
	EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.a));
	ASSERT_OK(segue_mr_close(source)); /* its memory could be freed now */
	const uint64_t until = now_us() + 50000;

	while (now_us() < until)
		EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
	EXPECT_EQ(0, to[0]);
}

TEST_F(Requests, LateReadDoesNotReachFreedMemory)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect_patiently(p));
	memset(to, 0x5a, sizeof(to));
	INJECT("delay 100% 200ms");
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_read(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED),
				      remote.addr, remote.key.rkey),
			  local.addr, 64, local.key.lkey)));
	bool stopped = true;

	ASSERT_OK(segue_qp_drain_or_flush(p.a, SEGUE_NOW, keep, &got, &stopped));
	ASSERT_EQ(1u, got.size());
	if (!stopped)
		GTEST_SKIP() << "this machine was busy for longer than the answer was late";
	memset(from, 0x11, sizeof(from));
	const uint64_t until = now_us() + 600000;

	while (now_us() < until)
		EXPECT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
	for (int i = 0; i < 64; i++)
		ASSERT_EQ(0x11, from[i]);
}

TEST_F(Requests, RetriesExceeded)
{
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect_hastily(p));
	INJECT("drop 100%");
	for (uint64_t i = 0; i < 4; i++)
		ASSERT_OK(write(p.a, i));
	std::vector<segue_wc> got = take(4);

	EXPECT_EQ((int)SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, got[0].syndrome);
	EXPECT_EQ((int)SEGUE_VENDOR_SYNDROME_RETRY_EXCEEDED, got[0].vendor_syndrome);
	EXPECT_HAS(explain(got[0]), "check that the peer is alive");
	for (uint64_t i = 0; i < 4; i++)
		EXPECT_EQ(i, got[i].wr_id);
	for (uint64_t i = 1; i < 4; i++)
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, got[i].syndrome);
	expect_state(p.a, SEGUE_QP_STATE_ERR);
	expect_state(p.b, SEGUE_QP_STATE_RTS);
}

// The way leads nowhere: another LID or GID, or a queue pair that does not exist.
TEST_F(Requests, WrongAddress)
{
	for (int what = 0; what < 2; what++) {
		const Pair p = pair();
		segue_path path = hasty_path_to(segue_qp_number(p.b));

		if (what)
			path.dest_qpn = 0x123456;
		else if (path.link == SEGUE_LINK_IB)
			path.way.ib.dlid = 0x4242;
		else
			path.way.roce.route.dgid.bytes[15] ^= 0x55;
		const int ret = segue_qp_connect(p.a, &path);

		/* RoCE: nobody has this GID, and the kernel has to find the peer's MAC */
		if (ret) {
			EXPECT_SAYS("is refused by the device");
			continue;
		}
		ASSERT_OK(write(p.a, 1));
		const segue_wc wc = take(1)[0];

		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, wc.syndrome);
		EXPECT_HAS(explain(wc), "GID or LID, queue pair number");
	}
}

// Loss that retries make good: nothing lost, nothing doubled, in order.
TEST_F(Requests, LossIsMadeGood)
{
	const Pair p = pair();

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	INJECT("seed 7");
	INJECT("drop 10%");
	INJECT("duplicate 10%");
	INJECT("reorder 5% 2");
	for (uint64_t i = 0; i < 16; i++)
		ASSERT_OK(receive(p.b, i));
	for (uint64_t i = 0; i < 16; i++)
		ASSERT_OK(send(p.a, 100 + i));
	uint64_t sends = 100, receives = 0;

	for (const segue_wc &wc : take(32)) {
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
		EXPECT_EQ(wc.opcode == SEGUE_CQE_OPCODE_REQ ? sends++ : receives++, wc.wr_id);
	}
	EXPECT_EQ(116u, sends);
	EXPECT_EQ(16u, receives);
	std::vector<segue_wc> more;

	EXPECT_EQ(0, segue_cq_poll_each(cq, 16, keep, &more));
}

TEST_F(Requests, RnrRetriesAreUsedUp)
{
	for (uint8_t retries = 0; retries < 7; retries++) {
		const Pair p = pair();
		segue_path to_b = path_to(segue_qp_number(p.b)),
			   to_a = path_to(segue_qp_number(p.a));

		to_b.rnr_retry = retries;
		to_a.min_rnr_timer = segue_rnr_timer_for_us(5000);
		ASSERT_OK(segue_qp_connect(p.a, &to_b));
		ASSERT_OK(segue_qp_connect(p.b, &to_a));
		const uint64_t start = now_us();

		ASSERT_OK(send(p.a, 1));
		const segue_wc wc = take(1)[0];

		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR, wc.syndrome) << explain(wc);
		EXPECT_HAS(explain(wc), "post receives at the peer earlier");
		EXPECT_LE(retries * 5000u * 9 / 10, now_us() - start);
		expect_state(p.b, SEGUE_QP_STATE_RTS);
		ASSERT_OK(segue_qp_close(p.a));
		ASSERT_OK(segue_qp_close(p.b));
	}
}

// 7 is for ever: the send waits until there is a receive.
TEST_F(Requests, RnrForEver)
{
	const Pair p = pair();
	segue_path to_b = path_to(segue_qp_number(p.b)), to_a = path_to(segue_qp_number(p.a));
	std::vector<segue_wc> got;

	to_b.rnr_retry = 7;
	to_a.min_rnr_timer = segue_rnr_timer_for_us(1000);
	ASSERT_OK(segue_qp_connect(p.a, &to_b));
	ASSERT_OK(segue_qp_connect(p.b, &to_a));
	ASSERT_OK(send(p.a, 1));
	const uint64_t until = now_us() + 50000; /* many times what other values would survive */

	while (now_us() < until)
		ASSERT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got)) << explain(got[0]);
	ASSERT_OK(receive(p.b, 2));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
}

// The wait is at least as long as its code says. 0 is the longest of all, which nobody means: it is
// refused.
TEST_F(Requests, RnrTimers)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	segue_path path = path_to(77);

	path.min_rnr_timer = 0;
	EXPECT_EQ(-EINVAL, segue_qp_connect(qp, &path));
	EXPECT_SAYS("min_rnr_timer is 0, which stands for the longest wait, 655 ms");
	path.min_rnr_timer = 33;
	EXPECT_EQ(-EINVAL, segue_qp_connect(qp, &path));
	EXPECT_EQ(12, segue_rnr_timer_for_us(640));
	EXPECT_EQ(640u, segue_rnr_timer_us(12));
	EXPECT_EQ(SEGUE_RNR_TIMER_655_MS, segue_rnr_timer_for_us(500000));
	for (const uint8_t code : {1, 12, 20, 24, SEGUE_RNR_TIMER_655_MS}) {
		const Pair p = pair();
		segue_path to_b = path_to(segue_qp_number(p.b)),
			   to_a = path_to(segue_qp_number(p.a));

		to_b.rnr_retry = 1;
		to_a.min_rnr_timer = code;
		ASSERT_OK(segue_qp_connect(p.a, &to_b));
		ASSERT_OK(segue_qp_connect(p.b, &to_a));
		const uint64_t start = now_us();

		ASSERT_OK(send(p.a, 1));
		EXPECT_EQ((int)SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR, take(1)[0].syndrome);
		EXPECT_LE(segue_rnr_timer_us(code) / 10 * 9, now_us() - start)
			<< "code " << (int)code;
		ASSERT_OK(segue_qp_close(p.a));
		ASSERT_OK(segue_qp_close(p.b));
	}
}

// A remote key that is unknown, gone, too short, read-only or of another domain.
TEST_F(Requests, RemoteAccess)
{
	enum { UNKNOWN, GONE, BOUNDS, READ_ONLY, FOREIGN, CASES };
	static uint8_t other[4096];

	for (int what = 0; what < CASES; what++) {
		SCOPED_TRACE(what);
		const Pair p = pair();
		uint64_t addr = (uintptr_t)other;
		segue_mr *mr = share(other, sizeof(other));
		uint32_t rkey = segue_mr_ibv(mr)->rkey;
		segue_mr_options attr = {};
		segue_pd *foreign;

		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		if (what == UNKNOWN)
			rkey ^= 0x00777700;
		if (what == GONE) {
			ASSERT_OK(segue_mr_close(mr));
		}
		if (what == BOUNDS)
			addr += sizeof(other) - 63;
		attr.addr = other;
		attr.length = sizeof(other);
		attr.access = SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE;
		if (what == READ_ONLY) {
			attr.access = SEGUE_ACCESS_REMOTE_READ;
			ASSERT_OK(segue_mr_open(pd, &attr, &mr));
			rkey = segue_mr_ibv(mr)->rkey;
		}
		if (what == FOREIGN) {
			ASSERT_OK(segue_pd_open(device, &foreign));
			ASSERT_OK(segue_mr_open(foreign, &attr, &mr));
			rkey = segue_mr_ibv(mr)->rkey;
		}
		events.clear();
		for (uint64_t i = 0; i < 3; i++)
			ASSERT_OK(write_to(p.a, i, addr, rkey));
		expect_first_then_flush(p.a, SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, 3);
		/* The responder has no completion to tell it, but an event. */
		ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_ACCESS_ERR));
		EXPECT_EQ(p.b, event_of(IBV_EVENT_QP_ACCESS_ERR).qp);
		EXPECT_EQ((uint32_t)SEGUE_QP_STATE_ERR, segue_qp_state(p.b));
		expect_state(p.b, SEGUE_QP_STATE_ERR);
		EXPECT_HAS(event_of(IBV_EVENT_QP_ACCESS_ERR).text,
			   "queue pair " + hex(segue_qp_number(p.b)));
		ASSERT_OK(segue_qp_close(p.a));
		ASSERT_OK(segue_qp_close(p.b));
	}
}

TEST_F(Requests, OperationThatThePeerForbids)
{
	const Pair p = pair();
	segue_path to_b = path_to(segue_qp_number(p.b)), to_a = path_to(segue_qp_number(p.a));

	to_a.access_flags = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_READ;
	ASSERT_OK(segue_qp_connect(p.a, &to_b));
	ASSERT_OK(segue_qp_connect(p.b, &to_a));
	for (uint64_t i = 0; i < 2; i++)
		ASSERT_OK(write(p.a, i));
	expect_first_then_flush(p.a, SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, 2);
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_REQ_ERR));
	EXPECT_EQ(p.b, event_of(IBV_EVENT_QP_REQ_ERR).qp);
	EXPECT_EQ(0, to[0]);
}

// A local key that is unknown, too short, or of another domain: only the first request, the rest is
// flushed.
TEST_F(Requests, LocalProtection)
{
	static uint8_t other[4096];

	for (int what = 0; what < 3; what++) {
		SCOPED_TRACE(what);
		const Pair p = pair();
		uint32_t lkey = local.key.lkey;
		uint64_t addr = local.addr;
		segue_mr_options attr = {};
		segue_pd *foreign;
		segue_mr *mr;

		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		if (what == 0)
			lkey ^= 0x00777700;
		if (what == 1)
			addr += sizeof(from) - 63;
		if (what == 2) {
			attr.addr = other;
			attr.length = sizeof(other);
			ASSERT_OK(segue_pd_open(device, &foreign));
			ASSERT_OK(segue_mr_open(foreign, &attr, &mr));
			lkey = segue_mr_lkey(mr).lkey;
			addr = (uintptr_t)other;
		}
		for (uint64_t i = 0; i < 3; i++)
			ASSERT_OK(segue_post(
				segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p.a), i,
								       SEGUE_SIGNALED),
						      remote.addr, remote.key.rkey),
					  i ? local.addr : addr, 64, i ? local.key.lkey : lkey)));
		expect_first_then_flush(p.a, SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, 3);
		ASSERT_OK(segue_qp_close(p.a));
		ASSERT_OK(segue_qp_close(p.b));
	}
}

// Nobody counts which requests name a region: closing it is not refused, and what is posted fails
// in an orderly way.
TEST_F(Requests, RegionClosedUnderAPostedReceive)
{
	segue_qp *a = open(SEGUE_QP_RC), *b = open(SEGUE_QP_RC);
	static uint8_t memory[64];
	segue_mr *mr = share(memory, sizeof(memory));

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(b), 2), (uintptr_t)memory,
				       sizeof(memory), segue_mr_lkey(mr).lkey)));
	ASSERT_OK(segue_mr_close(mr));
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(a), 1, SEGUE_SIGNALED), local.addr,
				       sizeof(memory), local.key.lkey)));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(wc.wr_id == 2 ? SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR
					: SEGUE_CQE_SYNDROME_REMOTE_OP_ERR,
			  wc.syndrome);
	EXPECT_EQ(0, memory[0]);
}

// The receive is shorter than the message: 1 at the responder, 9 (remote invalid request) at the
// requester.
TEST_F(Requests, ReceiveTooShort)
{
	const Pair p = pair();
	int seen = 0;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(receive(p.b, 1, 32));
	ASSERT_OK(receive(p.b, 2, 1024));
	ASSERT_OK(send(p.a, 3));
	for (const segue_wc &wc : take(3)) {
		seen |= 1 << wc.wr_id;
		if (wc.wr_id == 1)
			EXPECT_EQ((int)SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR, wc.syndrome);
		else if (wc.wr_id == 2)
			EXPECT_EQ((int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, wc.syndrome);
		else
			EXPECT_EQ((int)SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, wc.syndrome);
		EXPECT_EQ(wc.wr_id != 3, segue_wc_is_receive(&wc));
		EXPECT_HAS(explain(wc), "Next: ");
	}
	EXPECT_EQ(14, seen);
}

TEST_F(Requests, ReceiveWithoutLocalAccess)
{
	const Pair p = pair();
	int seen = 0;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(p.b), 1), landing.addr, 64,
				       landing.key.lkey ^ 0x00777700)));
	ASSERT_OK(send(p.a, 2));
	for (const segue_wc &wc : take(2)) {
		seen |= 1 << wc.wr_id;
		EXPECT_EQ(wc.wr_id == 1 ? (int)SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR
					: (int)SEGUE_CQE_SYNDROME_REMOTE_OP_ERR,
			  wc.syndrome);
	}
	EXPECT_EQ(6, seen);
}

// An entry of a shared queue is too short: it fails its queue pair; the others and the shared queue
// go on.
TEST_F(Requests, SharedReceiveTooShort)
{
	segue_srq *srq = open_srq();
	segue_qp *a = open(SEGUE_QP_RC), *b = open_with_srq(srq), *c = open(SEGUE_QP_RC),
		 *d = open_with_srq(srq);
	int seen = 0;

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	ASSERT_NO_FATAL_FAILURE(connect(c, d));
	ASSERT_OK(segue_post(segue_sge(segue_recv(srq, 1), landing.addr, 32, landing.key.lkey)));
	ASSERT_OK(segue_post(segue_sge(segue_recv(srq, 2), landing.addr, 1024, landing.key.lkey)));
	ASSERT_OK(send(a, 3));
	for (const segue_wc &wc : take(2)) {
		seen |= 1 << wc.wr_id;
		EXPECT_EQ(wc.wr_id == 1 ? (int)SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR
					: (int)SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
			  wc.syndrome);
	}
	EXPECT_EQ(10, seen);
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_QP_LAST_WQE_REACHED));
	EXPECT_EQ(b, event_of(IBV_EVENT_QP_LAST_WQE_REACHED).qp);
	ASSERT_OK(send(c, 4));
	seen = 0;
	for (const segue_wc &wc : take(2)) {
		seen |= 1 << wc.wr_id;
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	}
	EXPECT_EQ(20, seen);
}

// UD: a send with a bad key leads to SQE, which is left by segue_qp_resume(); receives go on
// throughout.
TEST_F(Requests, DatagramsGoOnAfterAnError)
{
	segue_qp *a = open(SEGUE_QP_UD), *b = open(SEGUE_QP_UD);
	segue_path path = path_to(0);
	segue_ah *address;

	path.qkey = 5;
	ASSERT_OK(segue_qp_connect(a, &path));
	ASSERT_OK(segue_qp_connect(b, &path));
	ASSERT_OK(segue_ah_open(pd, &path, &address));
	for (const uint32_t spoil : {0x00777700u, 0u}) {
		ASSERT_OK(segue_post(
			segue_sge(segue_av(segue_send(segue_qp_ud_sq(a), 1, SEGUE_SIGNALED),
					   segue_ah_av(address), segue_qp_number(b), 5),
				  local.addr, 64, local.key.lkey ^ spoil)));
		EXPECT_EQ(spoil ? (int)SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR : 0, take(1)[0].syndrome);
		if (!spoil)
			break;
		expect_state(a, SEGUE_QP_STATE_SQE);
		EXPECT_EQ(-EINVAL, segue_qp_resume(b));
		EXPECT_SAYS("leads from SQD or SQE back to RTS");
		ASSERT_OK(segue_qp_resume(a));
	}
}

// SQD: what is under way completes, what is posted later waits, and RTS goes on.
TEST_F(Requests, PauseAndResume)
{
	const Pair p = pair();
	std::vector<segue_wc> got;

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	for (uint64_t round = 0; round < 5; round++) {
		got.clear();
		for (uint64_t i = 0; i < 4; i++)
			ASSERT_OK(write(p.a, i));
		ASSERT_OK(segue_qp_pause(p.a, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		EXPECT_EQ((uint32_t)SEGUE_QP_STATE_SQD, segue_qp_state(p.a));
		const size_t done = got.size();

		memset(to, 0, sizeof(to));
		ASSERT_OK(write(p.a, 4));
		EXPECT_EQ(-EINVAL, segue_qp_drain(p.a, SEGUE_NOW, keep, &got));
		EXPECT_SAYS("in SQD");
		const uint64_t until = now_us() + 20000;

		while (now_us() < until)
			ASSERT_EQ(0, segue_cq_poll_each(cq, 4, keep, &got));
		EXPECT_EQ(0, to[0]) << "a request was carried out in SQD";
		ASSERT_OK(segue_qp_resume(p.a));
		for (const segue_wc &wc : take(5 - done))
			got.push_back(wc);
		for (uint64_t i = 0; i < 5; i++) {
			EXPECT_EQ(i, got[i].wr_id);
			EXPECT_EQ(0, got[i].syndrome);
		}
	}
	segue_qp *dci = open(SEGUE_QP_DCI);
	const segue_path path = path_to(0);

	ASSERT_OK(segue_qp_connect(dci, &path));
	EXPECT_EQ(-EINVAL, segue_qp_pause(dci, SEGUE_NOW, keep, &got));
	EXPECT_SAYS("there is no way from RTS to SQD");
}

// With the notification asked for, the event says when SQD has come to rest.
TEST_F(Requests, DrainedEvent)
{
	const Pair p = pair();
	ibv_qp_attr attr = {};

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	ASSERT_OK(write(p.a, 1));
	attr.qp_state = IBV_QPS_SQD;
	attr.en_sqd_async_notify = 1;
	ASSERT_OK(segue_qp_modify(p.a, &attr,
				  SEGUE_QP_ATTR_STATE | SEGUE_QP_ATTR_EN_SQD_ASYNC_NOTIFY));
	ASSERT_NO_FATAL_FAILURE(wait_for_event(IBV_EVENT_SQ_DRAINED));
	EXPECT_EQ(p.a, event_of(IBV_EVENT_SQ_DRAINED).qp);
	ASSERT_OK(segue_qp_resume(p.a)); /* the device may not have begun the request before */
	EXPECT_EQ(0, take(1)[0].syndrome);
}

// After an error: reset, connect again, work again; round after round.
TEST_F(Requests, ResetAndReuseAfterAnError)
{
	const Pair p = pair();

	for (int round = 0; round < 5; round++) {
		std::vector<segue_wc> got;

		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		ASSERT_OK(receive(p.a, 77));
		ASSERT_OK(write(p.a, 0));
		ASSERT_OK(write_to(p.a, 1, remote.addr, remote.key.rkey ^ 0x00777700));
		ASSERT_OK(write(p.a, 2, 0));
		ASSERT_OK(segue_qp_reset(p.a, keep, &got));
		ASSERT_EQ(4u, got.size());
		for (uint64_t i = 0; i < 3; i++) {
			size_t times = 0;

			for (const segue_wc &wc : got)
				times += wc.wr_id == i;
			EXPECT_EQ(1u, times);
		}
		EXPECT_EQ((uint32_t)SEGUE_QP_STATE_RESET, segue_qp_state(p.a));
		EXPECT_TRUE(segue_qp_is_idle(p.a));
		ASSERT_OK(segue_qp_reset(p.b, keep, &got));
		EXPECT_EQ(4u, got.size());
	}
}

// A loop that spins for one completion ends when it is an error.
TEST_F(Requests, SpinningEndsWithAnError)
{
	const Pair p = pair();
	const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
	segue_wc wc = {};
	int n;

	ASSERT_NO_FATAL_FAILURE(connect_hastily(p));
	ASSERT_OK(segue_qp_modify_to(p.b, SEGUE_QP_STATE_ERR, nullptr));
	ASSERT_OK(write(p.a, 9, 0)); /* nobody even asked for a completion */
	while ((n = found(segue_cq_poll(cq, 1, &wc))) == 0 && segue_deadline_left_ms(deadline) > 0)
		;
	ASSERT_EQ(1, n);
	EXPECT_EQ(9u, wc.wr_id);
	EXPECT_NE(0, wc.syndrome);
}

// Many queue pairs fail at once: one line for each cause, one for all that was flushed.
TEST_F(Requests, FloodIsFolded)
{
	std::vector<Pair> pairs(4);
	segue_flood flood = {};
	std::string log;
	char text[1024];

	for (Pair &p : pairs) {
		p = pair();
		ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
		for (uint64_t i = 0; i < 10; i++)
			ASSERT_OK(write_to(p.a, i, remote.addr,
					   i ? remote.key.rkey : remote.key.rkey ^ 0x00777700));
	}
	size_t causes = 0;

	for (const segue_wc &wc : take(40)) {
		causes += wc.syndrome == SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR;
		if (segue_wc_explain_flood(&flood, &wc, nullptr, text, sizeof(text)))
			log += std::string(text) + "\n";
	}
	segue_wc_explain_flood(&flood, nullptr, nullptr, text, sizeof(text));
	log += text;
	EXPECT_EQ(4u, causes);
	EXPECT_HAS(log, "were flushed.");
	size_t lines = 0;

	for (char c : log)
		lines += c == '\n';
	EXPECT_EQ(4u, lines) << log;
}
