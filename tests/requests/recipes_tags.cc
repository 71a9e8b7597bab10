// SPDX-License-Identifier: BSD-2-Clause
// A tag list: what is appended, removed, expected and not, eager and by rendezvous.
#include "segue/tags.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint8_t TELL = SEGUE_TM_FLAG_CQE_REQ | SEGUE_TM_FLAG_SW_CNT;
constexpr uint64_t COMMAND = 30, ENTRY = 31, TAG = UINT64_C(0x1122334455667788), ALL = UINT64_MAX;
constexpr uint32_t CONTEXT = 0xa1b2c3d4;
constexpr size_t MESSAGE = 1000, BUFFER = 4096, RECEIVE = 16384;

// A connected pair whose one end takes its messages from a queue with a list.
struct Tagged {
	explicit Tagged(Ends<Rc> &rig) : r(rig)
	{
		segue_srq_options options = {};
		segue_qp_options qp = r.options_of(SEGUE_QP_RC);
		segue_qp *b;

		options.max_wr = 8;
		options.max_sge = 1;
		options.cq = r.cq;
		options.context = this;
		options.max_tags = 4;
		EXPECT_OK(segue_srq_open(r.pd, &options, &srq));
		from = r.open_one(SEGUE_QP_RC);
		qp.max_recv_wr = qp.max_recv_sge = 0;
		qp.srq = srq;
		EXPECT_OK(segue_qp_open(r.pd, &qp, &b));
		r.connect(from, b);
		sq = segue_tag_sq(srq);
	}
	// A header at the front of the message; what follows it is what memory holds anyway.
	void header(uint8_t opcode, uint64_t tag)
	{
		segue_seg_tmh tmh = {};
		uint8_t bytes[SEGUE_SEG_TMH_SIZE];

		tmh.opcode = opcode;
		tmh.app_ctx = CONTEXT;
		tmh.tag = tag;
		segue_seg_tmh_pack(bytes, &tmh);
		r.here.store(MESSAGE, bytes, sizeof(bytes));
	}
	void send(uint32_t length)
	{
		ASSERT_OK(segue_post(
			segue_sge(segue_send(segue_qp_rc_sq(from), SEND_ID, SEGUE_SIGNALED),
				  r.here.at(MESSAGE), SEGUE_SEG_TMH_SIZE + length, r.here.lkey())));
	}
	void eager(uint64_t tag, uint32_t length)
	{
		header(SEGUE_TMH_OPCODE_EAGER, tag);
		send(length);
	}
	segue_tag entry(uint32_t length)
	{
		segue_tag tag = {};

		tag.wr_id = ENTRY;
		tag.tag = TAG;
		tag.mask = ALL;
		tag.buffer.addr = r.there.at(BUFFER);
		tag.buffer.length = length;
		tag.buffer.key.lkey = r.there.lkey();
		return tag;
	}
	uint16_t append(uint32_t length)
	{
		const segue_tag tag = entry(length);
		uint16_t handle = 99;

		EXPECT_OK(segue_tag_append(srq, COMMAND, &tag, &handle));
		answer(SEGUE_TM_APP_OP_APPEND, true);
		return handle;
	}
	// The next completion about the list; sends complete besides.
	segue_wc next(segue_wc_details *details)
	{
		const segue_deadline deadline = segue_deadline_in_ms(20000);
		segue_wc wc = {};

		while (segue_deadline_left_ms(deadline) > 0) {
			const int got = r.found(segue_cq_poll_details(r.cq, 1, &wc, details));

			if (got == 1 && wc.flags & SEGUE_WC_TAG) {
				EXPECT_EQ(this, wc.context);
				return wc;
			}
			EXPECT_TRUE(got < 1 ||
				    (!wc.syndrome && (wc.wr_id == SEND_ID || wc.wr_id == RECV_ID)))
				<< r.explained(wc);
		}
		ADD_FAILURE() << "no completion";
		return wc;
	}
	// Until memory is as it should be: what the sender is told completes before that, or
	// behind.
	void settle()
	{
		const segue_deadline deadline = segue_deadline_in_ms(20000);
		segue_wc wc = {};

		while (!(r.here.as_wanted() && r.there.as_wanted()) &&
		       segue_deadline_left_ms(deadline) > 0) {
			const int got = r.found(segue_cq_poll(r.cq, 1, &wc));

			ASSERT_LE(0, got);
			ASSERT_TRUE(!got ||
				    (!wc.syndrome && (wc.wr_id == SEND_ID || wc.wr_id == RECV_ID)))
				<< r.explained(wc);
		}
		r.compare();
	}
	uint16_t answer(segue_tm_app_op op, bool done)
	{
		segue_wc_details details;
		const segue_wc wc = next(&details);

		EXPECT_EQ(op, segue_wc_tag_op(&wc));
		EXPECT_EQ(COMMAND, wc.wr_id);
		EXPECT_EQ(done, !(wc.flags & SEGUE_WC_TAG_REFUSED));
		EXPECT_FALSE(segue_wc_is_receive(&wc));
		EXPECT_TRUE(details.valid & SEGUE_WC_HAS_TAG_COUNT);
		return details.tag_count;
	}
	segue_wc expect(segue_tm_app_op op, uint64_t wr_id, uint16_t handle, bool with_header)
	{
		segue_wc_details details;
		const segue_wc wc = next(&details);

		EXPECT_EQ(op, segue_wc_tag_op(&wc));
		EXPECT_EQ(wr_id, wc.wr_id);
		EXPECT_EQ(with_header, (details.valid & SEGUE_WC_HAS_TAG) != 0);
		if (with_header) {
			EXPECT_EQ(TAG, details.tag);
			EXPECT_EQ(CONTEXT, details.tag_context);
		}
		if (details.valid & SEGUE_WC_HAS_TAG_HANDLE) {
			EXPECT_EQ(handle, details.tag_handle);
		}
		return wc;
	}
	void lands(uint16_t handle, uint32_t length)
	{
		eager(TAG, length);
		const segue_wc wc = expect(SEGUE_TM_APP_OP_CONSUMED_MSG, ENTRY, handle, true);

		EXPECT_EQ(0, wc.syndrome);
		EXPECT_TRUE(segue_wc_is_receive(&wc));
		EXPECT_EQ(length, wc.byte_len);
		r.there.put(BUFFER, r.here.bytes + MESSAGE + SEGUE_SEG_TMH_SIZE, length);
		r.compare();
	}
	void unexpected(uint64_t tag, uint32_t length)
	{
		ASSERT_OK(segue_post(segue_sge(segue_recv(srq, RECV_ID), r.there.at(RECEIVE), 2000,
					       r.there.lkey())));
		eager(tag, length);
		const segue_wc wc = expect(SEGUE_TM_APP_OP_UNEXPECTED, RECV_ID, 0, false);

		EXPECT_EQ(length + SEGUE_SEG_TMH_SIZE, wc.byte_len);
		r.there.put(RECEIVE, r.here.bytes + MESSAGE, length + SEGUE_SEG_TMH_SIZE);
		r.compare();
	}

	Ends<Rc> &r;
	segue_srq *srq = nullptr;
	segue_qp *from = nullptr;
	segue_rc_sq *sq = nullptr;
};

// Posts a command in the recipe's way.
template <class Args, class Build, class Fill, class Call>
void command(Tagged &t, Build build, Fill fill, Call call)
{
	const uint32_t pi = t.sq->sq.pi;

	if (t.r.recipe.how == How::BUILDER) {
		ASSERT_OK(build());
	} else {
		Args args = {};

		args.wr_id = COMMAND;
		fill(args);
		ASSERT_OK(call(t.sq, &args));
	}
	t.r.saw(&t.sq->sq, pi);
}

void append(Tagged &t, uint32_t length)
{
	const segue_tag tag = t.entry(length);
	segue_tag_slot place;

	ASSERT_OK(segue_tag_reserve(t.srq, &tag, &place));
	command<segue_rc_tm_append_args>(
		t,
		[&] {
			auto with = segue_tm(segue_tm_append(t.sq, COMMAND, 0), TELL, place.next,
					     place.count, tag.tag, tag.mask);

			return length ? segue_post(segue_sge(with, tag.buffer.addr, length,
							     tag.buffer.key.lkey))
				      : segue_post(segue_data_end(with));
		},
		[&](auto &args) {
			args.tm_flags = TELL;
			args.index = place.next;
			args.sw_cnt = place.count;
			args.append_tag = tag.tag;
			args.append_mask = tag.mask;
			args.addr = tag.buffer.addr;
			args.byte_count = length;
			args.lkey = tag.buffer.key.lkey;
		},
		[](segue_rc_sq *sq, const segue_rc_tm_append_args *args) {
			return segue_post_tm_append(sq, args);
		});
	EXPECT_EQ(0, place.handle);
	t.answer(SEGUE_TM_APP_OP_APPEND, true);
}

void eager(Ends<Rc> &r)
{
	Tagged t(r);

	append(t, 500);
	t.lands(0, 300);
	t.lands(t.append(500), 500); // and once more, through the next entry
}

void of_nothing(Ends<Rc> &r)
{
	Tagged t(r);

	append(t, 0);
	t.lands(0, 0);
}

// A message of several packets is told twice; by rendezvous the device reads the data itself and
// tells the sender.
void announced(Ends<Rc> &r)
{
	Tagged t(r);
	segue_seg_rvh rvh = {};
	uint8_t bytes[SEGUE_SEG_RVH_SIZE];

	append(t, 8000);
	t.eager(TAG, 6000);
	t.expect(SEGUE_TM_APP_OP_CONSUMED, ENTRY, 0, true);
	EXPECT_EQ(6000u, t.expect(SEGUE_TM_APP_OP_EXPECTED, ENTRY, 0, false).byte_len);
	r.there.put(BUFFER, r.here.bytes + MESSAGE + SEGUE_SEG_TMH_SIZE, 6000);
	r.compare();

	const uint16_t handle = t.append(8000);

	rvh.va = r.here.at(20000);
	rvh.rkey = r.here.rkey();
	rvh.len = 7000;
	segue_seg_rvh_pack(bytes, &rvh);
	r.here.store(MESSAGE + SEGUE_SEG_TMH_SIZE, bytes, sizeof(bytes));
	ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(t.from), RECV_ID), r.here.at(0), 64,
				       r.here.lkey())));
	t.header(SEGUE_TMH_OPCODE_RNDV, TAG);
	t.send(SEGUE_SEG_RVH_SIZE);
	t.expect(SEGUE_TM_APP_OP_CONSUMED, ENTRY, handle, true);
	EXPECT_EQ(7000u, t.expect(SEGUE_TM_APP_OP_EXPECTED, ENTRY, handle, false).byte_len);
	r.there.put(BUFFER, r.here.bytes + 20000, 7000);
	// The sender hears that it is done: its own header with another kind.
	r.here.put(0, r.here.bytes + MESSAGE, SEGUE_SEG_TMH_SIZE);
	r.here.want[0] = SEGUE_TMH_OPCODE_FIN;
	t.settle();
}

void removed(Ends<Rc> &r)
{
	Tagged t(r);
	const uint16_t handle = t.append(500);
	const auto remove = [&](uint16_t which) {
		command<segue_rc_tm_remove_args>(
			t,
			[&] {
				return segue_post(segue_tm(segue_tm_remove(t.sq, COMMAND, 0),
							   SEGUE_TM_FLAG_CQE_REQ, which, 0, 0, 0));
			},
			[&](auto &args) {
				args.tm_flags = SEGUE_TM_FLAG_CQE_REQ, args.index = which;
			},
			[](segue_rc_sq *sq, const segue_rc_tm_remove_args *args) {
				return segue_post_tm_remove(sq, args);
			});
	};

	remove(handle);
	t.answer(SEGUE_TM_APP_OP_REMOVE, true);
	EXPECT_EQ(-ENOENT, segue_tag_remove(t.srq, COMMAND, handle));
	ASSERT_NO_FATAL_FAILURE(t.unexpected(TAG, 200)); // its buffer is out of reach
	ASSERT_OK(segue_tag_sync(t.srq, COMMAND));
	t.answer(SEGUE_TM_APP_OP_NOOP, true);

	// A message that has come is not taken back.
	const uint16_t next = t.append(500);

	t.lands(next, 60);
	EXPECT_EQ(-ENOENT, segue_tag_remove(t.srq, COMMAND, next));
	EXPECT_SAYS("its message has come");
	remove(next);
	t.answer(SEGUE_TM_APP_OP_REMOVE, false);
	t.lands(t.append(500), 70); // all is in order behind that
}

void synchronised(Ends<Rc> &r)
{
	Tagged t(r);
	const segue_tag tag = t.entry(100);

	EXPECT_EQ(-EINVAL, segue_tag_append(t.srq, COMMAND, nullptr, nullptr));
	EXPECT_SAYS("tag is NULL");
	EXPECT_EQ(-EINVAL, segue_tag_append(nullptr, COMMAND, &tag, nullptr));
	EXPECT_SAYS("srq is NULL");

	ASSERT_NO_FATAL_FAILURE(t.unexpected(5, 100));
	ASSERT_NO_FATAL_FAILURE(t.unexpected(6, 50));
	command<segue_rc_tm_noop_args>(
		t,
		[&] {
			return segue_post(
				segue_tm(segue_tm_noop(t.sq, COMMAND, 0), TELL, 0, 1, 0, 0));
		},
		[&](auto &args) { args.tm_flags = TELL, args.sw_cnt = 1; },
		[](segue_rc_sq *sq, const segue_rc_tm_noop_args *args) {
			return segue_post_tm_noop(sq, args);
		});
	EXPECT_EQ(2, t.answer(SEGUE_TM_APP_OP_NOOP, true));
	EXPECT_TRUE(segue_tag_needs_sync(t.srq)); // it was told of one
	// What was appended now would wait; the count catches up, and it matches.
	ASSERT_OK(segue_tag_sync(t.srq, COMMAND));
	EXPECT_EQ(2, t.answer(SEGUE_TM_APP_OP_NOOP, true));
	EXPECT_FALSE(segue_tag_needs_sync(t.srq));
	t.lands(t.append(500), 200);
}

const bool added = (Entries<Rc>()
			    .on("ib")
			    .by({LIBMLX5})
			    .add("tm_append", {"data"}, eager)
			    .add("tm_append", {"data_end"}, of_nothing, false)
			    .add("tm_append", {"data"}, announced)
			    .add("tm_remove", {}, removed)
			    .add("tm_noop", {}, synchronised),
		    true);

} // namespace
} // namespace requests
