// SPDX-License-Identifier: BSD-2-Clause
// Queues at their limits: what does not fit is refused with a sentence, the ring is as it was, and
// the queue goes on.
#include <functional>

#include "tests/runtime/control/faults.h"

class Limits : public Faulty {
protected:
	// A transport with all that a post on it needs.
	struct Wire {
		const char *name;
		segue_qp_type type;
		segue_qp *qp = nullptr, *peer = nullptr;
		segue_ah *address = nullptr;
		segue_srq *xrc_srq = nullptr;
	};

	segue_path datagram_path()
	{
		segue_path path = path_to(0);

		path.qkey = 5;
		return path;
	}

	void open_xrc(Wire &w)
	{
		segue_qp_options options = options_for(SEGUE_QP_XRC_TARGET);
		segue_srq_options srqs = {};

		ASSERT_OK(segue_xrcd_open(device, -1, &options.xrcd));
		srqs.max_wr = 16;
		srqs.max_sge = 1;
		srqs.xrcd = options.xrcd;
		srqs.cq = cq;
		ASSERT_OK(segue_srq_open(pd, &srqs, &w.xrc_srq));
		w.qp = open(SEGUE_QP_XRC_INITIATOR);
		ASSERT_OK(segue_qp_open(pd, &options, &w.peer));
		ASSERT_NO_FATAL_FAILURE(connect(w.qp, w.peer));
	}

	void open_dc(Wire &w)
	{
		segue_qp_options options = options_for(SEGUE_QP_DCT);
		const segue_path path = path_to(0);

		options.recv_cq = cq;
		options.srq = open_srq();
		options.dc_key = 7;
		w.qp = open(SEGUE_QP_DCI);
		ASSERT_OK(segue_qp_open(pd, &options, &w.peer));
		ASSERT_OK(segue_qp_connect(w.qp, &path));
		ASSERT_OK(segue_qp_connect(w.peer, &path));
		ASSERT_OK(segue_ah_open(pd, &path, &w.address));
	}

	void open_wire(Wire &w)
	{
		if (w.type == SEGUE_QP_XRC_INITIATOR)
			return open_xrc(w);
		if (w.type == SEGUE_QP_DCI)
			return open_dc(w);
		w.qp = open(w.type);
		w.peer = open(w.type);
		if (w.type != SEGUE_QP_UD) {
			connect(w.qp, w.peer);
			return;
		}
		const segue_path path = datagram_path();

		ASSERT_OK(segue_qp_connect(w.qp, &path));
		ASSERT_OK(segue_qp_connect(w.peer, &path));
		ASSERT_OK(segue_ah_open(pd, &path, &w.address));
	}

	std::vector<Wire> wires()
	{
		std::vector<Wire> all(5);

		all[0].name = "RC", all[0].type = SEGUE_QP_RC;
		all[1].name = "UC", all[1].type = SEGUE_QP_UC;
		all[2].name = "UD", all[2].type = SEGUE_QP_UD;
		all[3].name = "XRC", all[3].type = SEGUE_QP_XRC_INITIATOR;
		all[4].name = "DC", all[4].type = SEGUE_QP_DCI;
		return all;
	}

	// Adds so many SGEs, or inline bytes, to a builder and posts it.
	template <class Builder>
	int finish(Builder b, uint32_t sges, uint32_t inlined)
	{
		const segue_seg_data item = {8, local.key.lkey, local.addr};
		const std::vector<segue_seg_data> items(sges, item);

		return inlined ? segue_post(segue_inline_data(b, from, inlined))
			       : segue_post(segue_sge_list(b, items.data(), sges));
	}

	// A WRITE, or on UD a SEND.
	int post(const Wire &w, uint64_t wr_id, uint32_t sges = 1, uint32_t inlined = 0,
		 uint32_t flags = SEGUE_SIGNALED)
	{
		const uint64_t to = remote.addr;
		const uint32_t rkey = remote.key.rkey;

		switch (w.type) {
		case SEGUE_QP_RC:
			return finish(
				segue_raddr(segue_rdma_write(segue_qp_rc_sq(w.qp), wr_id, flags),
					    to, rkey),
				sges, inlined);
		case SEGUE_QP_UC:
			return finish(
				segue_raddr(segue_rdma_write(segue_qp_uc_sq(w.qp), wr_id, flags),
					    to, rkey),
				sges, inlined);
		case SEGUE_QP_UD:
			return finish(segue_av(segue_send(segue_qp_ud_sq(w.qp), wr_id, flags),
					       segue_ah_av(w.address), segue_qp_number(w.peer), 5),
				      sges, inlined);
		case SEGUE_QP_XRC_INITIATOR:
			return finish(segue_raddr(segue_xrc(segue_rdma_write(
								    segue_qp_xrc_initiator_sq(w.qp),
								    wr_id, flags),
							    segue_srq_number(w.xrc_srq)),
						  to, rkey),
				      sges, inlined);
		default:
			return finish(segue_raddr(segue_av(segue_rdma_write(segue_qp_dci_sq(w.qp),
									    wr_id, flags),
							   segue_ah_av(w.address),
							   segue_qp_number(w.peer), 7),
						  to, rkey),
				      sges, inlined);
		}
	}

	// A SEND.
	int message(const Wire &w, uint64_t wr_id, uint32_t length)
	{
		const segue_seg_data item = {length, local.key.lkey, local.addr};

		switch (w.type) {
		case SEGUE_QP_RC:
			return segue_post(segue_sge_list(
				segue_send(segue_qp_rc_sq(w.qp), wr_id, SEGUE_SIGNALED), &item, 1));
		case SEGUE_QP_UC:
			return segue_post(segue_sge_list(
				segue_send(segue_qp_uc_sq(w.qp), wr_id, SEGUE_SIGNALED), &item, 1));
		case SEGUE_QP_UD:
			return segue_post(segue_sge_list(
				segue_av(segue_send(segue_qp_ud_sq(w.qp), wr_id, SEGUE_SIGNALED),
					 segue_ah_av(w.address), segue_qp_number(w.peer), 5),
				&item, 1));
		case SEGUE_QP_XRC_INITIATOR:
			return segue_post(
				segue_sge_list(segue_xrc(segue_send(segue_qp_xrc_initiator_sq(w.qp),
								    wr_id, SEGUE_SIGNALED),
							 segue_srq_number(w.xrc_srq)),
					       &item, 1));
		default:
			return segue_post(segue_sge_list(
				segue_av(segue_send(segue_qp_dci_sq(w.qp), wr_id, SEGUE_SIGNALED),
					 segue_ah_av(w.address), segue_qp_number(w.peer), 7),
				&item, 1));
		}
	}

	// Not rung for: many go with one doorbell.
	static int nothing(const Wire &w)
	{
		switch (w.type) {
		case SEGUE_QP_RC:
			return segue_commit(segue_nop(segue_qp_rc_sq(w.qp), 0, 0));
		case SEGUE_QP_UC:
			return segue_commit(segue_nop(segue_qp_uc_sq(w.qp), 0, 0));
		case SEGUE_QP_UD:
			return segue_commit(segue_nop(segue_qp_ud_sq(w.qp), 0, 0));
		case SEGUE_QP_XRC_INITIATOR:
			return segue_commit(segue_nop(segue_qp_xrc_initiator_sq(w.qp), 0, 0));
		default:
			return segue_commit(segue_nop(segue_qp_dci_sq(w.qp), 0, 0));
		}
	}

	// Requests that do nothing, each of one block, until the producer index has come there.
	void pass_time(const Wire &w, uint32_t index)
	{
		const segue_sq *sq = sq_of(w);
		std::vector<segue_wc> got;

		while ((int32_t)(sq->pi - index) < 0) {
			while ((int32_t)(sq->pi - index) < 0 && !nothing(w))
				;
			ASSERT_OK(segue_qp_drain(w.qp, segue_deadline_in_ms(PATIENCE_MS), keep,
						 &got));
		}
		ASSERT_TRUE(got.empty());
	}

	static segue_sq *sq_of(const Wire &w)
	{
		switch (w.type) {
		case SEGUE_QP_RC:
			return &segue_qp_rc_sq(w.qp)->sq;
		case SEGUE_QP_UC:
			return &segue_qp_uc_sq(w.qp)->sq;
		case SEGUE_QP_UD:
			return &segue_qp_ud_sq(w.qp)->sq;
		case SEGUE_QP_XRC_INITIATOR:
			return &segue_qp_xrc_initiator_sq(w.qp)->sq;
		default:
			return &segue_qp_dci_sq(w.qp)->sq;
		}
	}

	// What the device would read of a ring that must not change: all that is in flight.
	struct Picture {
		std::vector<uint8_t> blocks;
		uint32_t pi, record;

		bool operator==(const Picture &other) const
		{
			return blocks == other.blocks && pi == other.pi && record == other.record;
		}
	};

	static Picture picture(const segue_sq *sq)
	{
		Picture p;

		for (uint32_t at = seguei_sq_ci(sq); at != sq->pi; at++) {
			const uint8_t *block = sq->buf + (size_t)(at & sq->mask) * 64;

			p.blocks.insert(p.blocks.end(), block, block + 64);
		}
		p.pi = sq->pi;
		p.record = *sq->dbrec;
		return p;
	}

	static Picture picture(const seguei_recv_ring *ring)
	{
		Picture p;

		for (uint32_t at = seguei_recv_ci(ring); at != ring->pi; at++) {
			const uint8_t *stride = ring->buf +
						(size_t)(at & ring->mask) * ring->stride;

			p.blocks.insert(p.blocks.end(), stride, stride + ring->stride);
		}
		p.pi = ring->pi;
		p.record = *ring->dbrec;
		return p;
	}

	// Something the device must not have changed, and neither must a refusal.
	template <class Ring>
	void expect_refused(const Ring *ring, int err, const char *sentence,
			    const std::function<int()> &post)
	{
		const Picture before = picture(ring);

		for (int i = 0; i < 3; i++) {
			EXPECT_EQ(err, post());
			EXPECT_SAYS(sentence);
		}
		EXPECT_TRUE(before == picture(ring)) << "a refused request has changed the ring";
	}

	void expect_good(const Wire &w, uint64_t wr_id)
	{
		ASSERT_OK(post(w, wr_id));
		const segue_wc wc = take(1)[0];

		EXPECT_EQ(wr_id, wc.wr_id);
		EXPECT_EQ(0, wc.syndrome) << explain(wc);
	}
};

// As many requests as fit, one more, and on: nothing is lost, and each comes back once.
TEST_F(Limits, SendQueueFull)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		const std::string sentence = "Send queue of QP " + hex(segue_qp_number(w.qp)) +
					     ": the request needs";

		for (int round = 0; round < rounds(6); round++) {
			uint64_t posted = 0;

			/* Large ones, then such as fit into the last block. */
			while (!post(w, posted, 2) || !post(w, posted, 1))
				ASSERT_GT(1000u, ++posted);
			EXPECT_LE(16u, posted);
			expect_refused(sq_of(w), -ENOSPC, sentence.c_str(),
				       [&] { return post(w, 999); });
			EXPECT_SAYS("poll the completion queue and post again");
			EXPECT_SAYS(" of 64 bytes, ");
			EXPECT_EQ(nullptr, strstr(segue_errmsg(), " 1 blocks"));
			const std::vector<segue_wc> got = take(posted);

			for (uint64_t i = 0; i < posted; i++) {
				EXPECT_EQ(i, got[i].wr_id);
				EXPECT_EQ(0, got[i].syndrome) << explain(got[i]);
			}
		}
		ASSERT_NO_FATAL_FAILURE(expect_good(w, 1000));
	}
}

// A queue cannot fill up with work that nobody asked to complete.
TEST_F(Limits, SilentWorkNeverFillsTheQueueForGood)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
		std::vector<segue_wc> got;
		int posted = 0;

		while (posted < rounds(200) && segue_deadline_left_ms(deadline) > 0) {
			const int ret = post(w, (uint64_t)posted, 1, 0, 0);

			ASSERT_TRUE(!ret || ret == -ENOSPC) << segue_errmsg();
			posted += !ret;
			ASSERT_LE(0, found(segue_cq_poll_each(cq, 16, keep, &got)));
		}
		EXPECT_EQ(rounds(200), posted);
		EXPECT_TRUE(got.empty()) << explain(got[0]);
		ASSERT_OK(segue_qp_drain(w.qp, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
	}
}

TEST_F(Limits, TooManyPieces)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		const std::string sentence = "Send queue of QP " + hex(segue_qp_number(w.qp)) +
					     ": the request is longer than";

		ASSERT_OK(post(w, 1, 2)); /* as asked for */
		EXPECT_EQ(0, take(1)[0].syndrome);
		for (const uint32_t sges : {12u, 30u, 62u, 63u, 64u, 200u, 4000u})
			expect_refused(sq_of(w), -EMSGSIZE, sentence.c_str(),
				       [&] { return post(w, 1, sges); });
		EXPECT_SAYS("post fewer SGEs or less inline data");
		ASSERT_NO_FATAL_FAILURE(expect_good(w, 2));
	}
}

TEST_F(Limits, TooMuchInlineData)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		ASSERT_OK(post(w, 1, 0, 60)); /* as asked for */
		EXPECT_EQ(0, take(1)[0].syndrome);
		for (const uint32_t bytes : {1024u, 2048u, 4096u})
			expect_refused(sq_of(w), -ERANGE,
				       "'byte_count' of segment 'inline_data' is",
				       [&] { return post(w, 1, 0, bytes); });
		for (const uint32_t bytes : {200u, 512u, 1023u})
			expect_refused(sq_of(w), -EMSGSIZE, "less inline data",
				       [&] { return post(w, 1, 0, bytes); });
		ASSERT_NO_FATAL_FAILURE(expect_good(w, 2));
	}
}

// Lengths that an SGE cannot hold.
TEST_F(Limits, LengthOutOfRange)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		for (const uint32_t length : {0u, 0x80000000u, 0xffffffffu})
			expect_refused(sq_of(w), -ERANGE,
				       length ? "'byte_count' of segment 'data' is"
					      : "data.byte_count: found 0x0, expected 0x1 to",
				       [&] { return message(w, 1, length); });
		ASSERT_NO_FATAL_FAILURE(expect_good(w, 2));
	}
}

// As many receives as fit, one more; they come back in order, each once.
TEST_F(Limits, ReceiveQueueFull)
{
	for (Wire &w : wires()) {
		if (w.type == SEGUE_QP_XRC_INITIATOR || w.type == SEGUE_QP_DCI)
			continue; /* they receive from shared queues only */
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		segue_rq *rq = segue_qp_rq(w.peer);

		for (int round = 0; round < rounds(2); round++) {
			uint64_t posted = 0;

			while (!segue_post(segue_sge(segue_recv(rq, posted), landing.addr, 1024,
						     landing.key.lkey)))
				ASSERT_GT(100u, ++posted);
			EXPECT_LE(16u, posted);
			expect_refused(&rq->ring, -ENOSPC, "receives are posted", [&] {
				return segue_post(segue_sge(segue_recv(rq, 1), landing.addr, 64,
							    landing.key.lkey));
			});
			for (uint64_t i = 0; i < posted; i++) {
				ASSERT_OK(message(w, 500, 8));
				for (const segue_wc &wc : take(2)) {
					EXPECT_EQ(0, wc.syndrome) << explain(wc);
					EXPECT_TRUE(wc.wr_id == 500 || wc.wr_id == i);
				}
			}
		}
	}
}

TEST_F(Limits, TooManyPiecesOfAReceive)
{
	const Pair p = pair();
	segue_rq *rq = segue_qp_rq(p.b);
	segue_srq *srq = open_srq();
	const std::vector<segue_seg_data> items(40, {64, landing.key.lkey, landing.addr});

	ASSERT_NO_FATAL_FAILURE(connect(p.a, p.b));
	expect_refused(&rq->ring, -EMSGSIZE, "has more SGEs than its stride", [&] {
		return segue_post(segue_sge_list(segue_recv(rq, 1), items.data(), 40));
	});
	expect_refused(&srq->ring, -EMSGSIZE, "has more SGEs than its stride", [&] {
		return segue_post(segue_sge_list(segue_recv(srq, 1), items.data(), 40));
	});
	ASSERT_OK(receive(p.b, 1));
	ASSERT_OK(send(p.a, 2));
	for (const segue_wc &wc : take(2))
		EXPECT_EQ(0, wc.syndrome);
}

// A shared queue that is full refuses; used up, it serves again whatever is posted.
TEST_F(Limits, SharedQueueFullAndEmpty)
{
	segue_srq *srq = open_srq(4);
	segue_qp *a = open(SEGUE_QP_RC), *b = open_with_srq(srq);

	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (int round = 0; round < rounds(3); round++) {
		uint64_t posted = 0;

		while (!segue_post(
			segue_sge(segue_recv(srq, posted), landing.addr, 64, landing.key.lkey)))
			ASSERT_GT(100u, ++posted);
		EXPECT_LE(4u, posted);
		expect_refused(&srq->ring, -ENOSPC, "receives are posted", [&] {
			return segue_post(
				segue_sge(segue_recv(srq, 1), landing.addr, 64, landing.key.lkey));
		});
		for (uint64_t i = 0; i < posted; i++) {
			ASSERT_OK(send(a, 500));
			for (const segue_wc &wc : take(2)) {
				EXPECT_EQ(0, wc.syndrome) << explain(wc);
				EXPECT_TRUE(wc.wr_id == 500 || wc.wr_id < posted);
			}
		}
	}
}

// A queue pair that is closed while a message comes in gives its receive back: the shared queue
// keeps all its entries.
TEST_F(Limits, ClosedInTheMiddleOfAReceive)
{
	segue_srq *srq = open_srq(3);
	segue_qp *a, *b;

	for (uint64_t i = 0; i < 3; i++)
		ASSERT_OK(segue_post(
			segue_sge(segue_recv(srq, i), landing.addr, 4096, landing.key.lkey)));
	for (int round = 0; round < 8; round++) {
		const volatile uint8_t *first = to;
		const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);

		a = open(SEGUE_QP_RC), b = open_with_srq(srq);
		segue_path to_b = path_to(segue_qp_number(b)), to_a = path_to(segue_qp_number(a));

		to_b.mtu = to_a.mtu = 256;
		to_b.timeout = to_a.timeout = 20;
		ASSERT_OK(segue_qp_connect(a, &to_b));
		ASSERT_OK(segue_qp_connect(b, &to_a));
		to[0] = 0;
		INJECT("drop 100% after=1"); // the first of sixteen packets gets through
		ASSERT_OK(send(a, 9, 4096));
		while (*first != from[0] && segue_deadline_left_ms(deadline) > 0)
			sched_yield();
		ASSERT_EQ(from[0], *first);
		ASSERT_OK(segue_qp_close(b));
		ASSERT_OK(segue_qp_close(a));
		INJECT("clear");
		// One came back, whichever that was.
		ASSERT_OK(segue_post(segue_sge(segue_recv(srq, 10 + (uint64_t)round), landing.addr,
					       4096, landing.key.lkey)));
		EXPECT_EQ(3u, srq->ring.pi - seguei_recv_ci(&srq->ring));
	}
	a = open(SEGUE_QP_RC), b = open_with_srq(srq);
	ASSERT_NO_FATAL_FAILURE(connect(a, b));
	for (int i = 0; i < 3; i++) {
		ASSERT_OK(send(a, 500));
		for (const segue_wc &wc : take(2))
			EXPECT_EQ(0, wc.syndrome) << explain(wc);
	}
}

// A completion queue filled to the last entry, again and again: nothing overruns, nothing is lost.
TEST_F(Limits, CompletionQueueFull)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		segue_cq *mine = cq, *small = open_cq(7, true);
		const uint64_t entries = small->ring.cqe_cnt;

		cq = small;
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		for (int round = 0; round < rounds(4); round++) {
			for (uint64_t i = 0; i < entries; i++)
				ASSERT_OK(post(w, i));
			/* Until the last entry is there, which nobody has taken yet. */
			const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
			const uint32_t last = seguei_cq_ci(small) + (uint32_t)entries - 1;
			const volatile uint8_t *op_own = small->ring.buf +
							 (size_t)(last &
								  (small->ring.cqe_cnt - 1)) *
								 small->entry_size +
							 small->entry_size - 1;

			while ((*op_own >> 4 == SEGUE_CQE_OPCODE_INVALID ||
				(*op_own & 1) != (last / entries & 1)) &&
			       segue_deadline_left_ms(deadline) > 0)
				sched_yield();
			const std::vector<segue_wc> got = take(entries);

			for (uint64_t i = 0; i < entries; i++) {
				EXPECT_EQ(i, got[i].wr_id);
				EXPECT_EQ(0, got[i].syndrome);
			}
		}
		ASSERT_NO_FATAL_FAILURE(take_events());
		EXPECT_EQ(0u, count_events(IBV_EVENT_CQ_ERR));
		cq = mine;
	}
}

// Ours and the device's indices wrap at the same request, amid traffic; order and identity hold.
TEST_F(Limits, IndexWraps)
{
	for (Wire &w : wires()) {
		SCOPED_TRACE(w.name);
		ASSERT_NO_FATAL_FAILURE(open_wire(w));
		segue_sq *sq = sq_of(w);

		ASSERT_NO_FATAL_FAILURE(start_late(sq));
		ASSERT_NO_FATAL_FAILURE(pass_time(w, 0u - 200));
		uint64_t next = 0, seen = 0;
		segue_wc wc[16];

		for (const segue_deadline deadline = segue_deadline_in_ms(PATIENCE_MS);
		     sq->pi - 200u > 200u && segue_deadline_left_ms(deadline) > 0;) {
			/* One in eight completes. */
			while (!post(w, next, 1, 60, next % 8 == 7 ? SEGUE_SIGNALED : 0))
				next++;
			const int n = found(segue_cq_poll(cq, 16, wc));

			ASSERT_LE(0, n);
			for (int i = 0; i < n; i++) {
				ASSERT_EQ(0, wc[i].syndrome) << explain(wc[i]);
				ASSERT_EQ(seen + 7, wc[i].wr_id);
				seen += 8;
			}
		}
		EXPECT_LE(200u, sq->pi);
		EXPECT_GT(LATE, sq->pi);
		std::vector<segue_wc> got;

		ASSERT_OK(segue_qp_drain(w.qp, segue_deadline_in_ms(PATIENCE_MS), keep, &got));
		EXPECT_EQ(next / 8, seen / 8 + got.size());
	}
}

// What the kernel refuses is said with all that was asked for, mistaken numbers too.
TEST_F(Limits, PathMtuInBytes)
{
	segue_qp *qp = open(SEGUE_QP_RC);
	segue_path path = path_to(0x123);
	const uint32_t bytes = 1024;
	ibv_qp_attr attr = {};

	ASSERT_OK(segue_qp_modify_to(qp, SEGUE_QP_STATE_INIT, &path));
	attr.qp_state = IBV_QPS_RTR;
	memcpy(&attr.path_mtu, &bytes, sizeof(bytes));
	attr.ah_attr.port_num = 1;
	attr.ah_attr.dlid = 1;
	EXPECT_EQ(-EINVAL,
		  segue_qp_modify(qp, &attr,
				  IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
					  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC |
					  IBV_QP_MIN_RNR_TIMER));
	EXPECT_SAYS("mtu 1024 (no enum ibv_mtu)");
}

// What the device does not have so many of is refused before it is asked.
TEST_F(Limits, OptionsBeyondTheDevice)
{
	const segue_caps *caps = segue_device_caps(device);
	segue_qp_options options;
	segue_srq_options srqs = {};
	segue_cq_options cqs = {};
	segue_srq *srq;
	segue_cq *other;
	segue_qp *qp;

	(options = options_for(SEGUE_QP_RC)).max_send_wr = caps->max_qp_wr + 1;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("max_send_wr is");
	(options = options_for(SEGUE_QP_RC)).max_send_sge = caps->max_sge + 1;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("max_send_sge is");
	(options = options_for(SEGUE_QP_RC)).max_recv_sge = caps->max_sge + 1;
	EXPECT_EQ(-EINVAL, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("max_recv_sge is");
	cqs.entries = caps->max_cqe + 1;
	EXPECT_EQ(-EINVAL, segue_cq_open(device, &cqs, &other));
	EXPECT_SAYS("entries is");
	srqs.max_wr = caps->max_srq_wr; /* one stays free */
	srqs.max_sge = 1;
	EXPECT_EQ(-EINVAL, segue_srq_open(pd, &srqs, &srq));
	EXPECT_SAYS("max_wr is");
	srqs.max_wr--;
	ASSERT_OK(segue_srq_open(pd, &srqs, &srq));
	(options = options_for(SEGUE_QP_RC)).max_send_wr = caps->max_qp_wr;
	EXPECT_GT(0, segue_qp_open(pd, &options, &qp));
	EXPECT_SAYS("fewer or smaller sends");
}
