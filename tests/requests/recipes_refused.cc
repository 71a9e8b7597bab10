// SPDX-License-Identifier: BSD-2-Clause
// One wrong thing per request and queue: the device answers with the syndrome for it, Segue with a
// sentence, and no memory has changed.
#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/mkey.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

template <class T> void write_without_key(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_raddr(r.to(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED)),
					    r.there.at(0), NOBODYS_KEY),
				r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, REMOTE);
}

template <class T> void write_imm_behind_the_end(Ends<T> &r)
{
	r.receive(0, 64);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_raddr(
					r.to(segue_rdma_write_imm(sq, SEND_ID, SEGUE_SIGNALED, 5)),
					r.there.at(Memory::SIZE - 50), r.there.rkey()),
				r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, REMOTE);
}

template <class T> void read_into_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_raddr(r.to(segue_rdma_read(sq, SEND_ID, SEGUE_SIGNALED)),
					    r.there.at(0), r.there.rkey()),
				r.here.at(0), 100, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

template <class T> void unaligned_swap(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_compare_swap(
					segue_raddr(
						r.to(segue_atomic_cs(sq, SEND_ID, SEGUE_SIGNALED)),
						r.there.at(4), r.there.rkey()),
					2, 1),
				r.here.at(0), 8, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, "aligned to its 8 bytes");
}

template <class T> void add_without_key(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_atomic_add(segue_raddr(r.to(segue_atomic_fa(sq, SEND_ID,
										  SEGUE_SIGNALED)),
							     r.there.at(8), NOBODYS_KEY),
						 1),
				r.here.at(0), 8, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, REMOTE);
}

template <class T> void send_from_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(r.to(segue_send(sq, SEND_ID, SEGUE_SIGNALED)),
						    r.here.at(0), 100, NOBODYS_KEY));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

// The peer has 50 bytes for it.
template <class T> void send_too_long(Ends<T> &r)
{
	r.receive(RECEIVE, 50);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge(r.to(segue_send_imm(sq, SEND_ID, SEGUE_SIGNALED, 3)),
					  r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
		"check that the peer's receive is long enough", 50);
}

template <class T> void masked_unaligned(Ends<T> &r)
{
	const std::string which = r.recipe.request.substr(strlen("masked_atomic_"));
	const uint64_t at = r.there.at(which.find("64") != std::string::npos ? 4 : 2);
	const uint32_t size = which.find("64") != std::string::npos ? 8 : 4;

	fails(
		r,
		[&](auto *sq) {
			if (which == "cs32")
				return segue_post(segue_sge(
					segue_masked_compare_swap32(
						segue_raddr(r.to(segue_masked_atomic_cs32(
								    sq, SEND_ID, SEGUE_SIGNALED)),
							    at, r.there.rkey()),
						2, 1, 4, 3),
					r.here.at(0), size, r.here.lkey()));
			if (which == "fa32")
				return segue_post(segue_sge(
					segue_masked_fa32(
						segue_raddr(r.to(segue_masked_atomic_fa32(
								    sq, SEND_ID, SEGUE_SIGNALED)),
							    at, r.there.rkey()),
						1, 2),
					r.here.at(0), size, r.here.lkey()));
			if (which == "cs64")
				return segue_post(segue_sge(
					segue_masked_compare_swap64(
						segue_raddr(r.to(segue_masked_atomic_cs64(
								    sq, SEND_ID, SEGUE_SIGNALED)),
							    at, r.there.rkey()),
						2, 1, 4, 3),
					r.here.at(0), size, r.here.lkey()));
			return segue_post(segue_sge(
				segue_masked_fa64(segue_raddr(r.to(segue_masked_atomic_fa64(
								      sq, SEND_ID, SEGUE_SIGNALED)),
							      at, r.there.rkey()),
						  1, 2),
				r.here.at(0), size, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR,
		r.recipe.request.find("64") != std::string::npos ? "aligned to its 8 bytes"
								 : "aligned to its 4 bytes");
}

// The peer is to invalidate what it does not have: it goes to ERR and answers nothing (class J).
template <class T> void invalidates_nobodys(Ends<T> &r)
{
	r.receive(RECEIVE, 200);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				r.to(segue_send_inv(sq, SEND_ID, SEGUE_SIGNALED, NOBODYS_KEY)),
				r.here.at(0), 100, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, "check that the peer is alive", 200);
}

// What to do next is about the request that failed, and not about messages or segments.
void says_what_is_next(Ends<Rc> &r)
{
	ASSERT_OK(segue_post(segue_sge(
		segue_atomic_add(segue_raddr(segue_atomic_fa(r.sq(), SEND_ID, SEGUE_SIGNALED),
					     r.there.at(8), r.there.rkey()),
				 1),
		r.here.at(0), 4, r.here.lkey())));
	r.walked = true;
	is_refused(r, SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR, "ATOMIC_FA",
		   "memory of exactly its size");
	r.compare();
}

void sets_nobodys_value(Ends<Rc> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_psv(segue_set_psv(sq, SEND_ID, SEGUE_SIGNALED), 0xdead, 1));
		},
		SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, "signature values that are open");
}

void gets_into_nobodys(Ends<Rc> &r)
{
	segue_seg_get_psv get = {};
	segue_sigval *psv;

	ASSERT_OK(segue_sigval_open(r.pd, &psv));
	get.num_psv = 1;
	get.l_key = NOBODYS_KEY;
	get.va = r.here.at(8192);
	get.psv_index_0 = segue_sigval_number(psv);
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_psv_get(segue_get_psv(sq, SEND_ID, SEGUE_SIGNALED), &get));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

// A queue pair whose receive queue has no list has none to change.
void list_that_is_none(Ends<Rc> &r)
{
	fails(
		r,
		[&](auto *sq) {
			if (r.recipe.request == "tm_append")
				return segue_post(
					segue_sge(segue_tm(segue_tm_append(sq, SEND_ID, 0),
							   SEGUE_TM_FLAG_CQE_REQ, 1, 0, 1, 1),
						  r.here.at(0), 64, r.here.lkey()));
			if (r.recipe.request == "tm_remove")
				return segue_post(segue_tm(segue_tm_remove(sq, SEND_ID, 0),
							   SEGUE_TM_FLAG_CQE_REQ, 0, 0, 0, 0));
			return segue_post(segue_tm(segue_tm_noop(sq, SEND_ID, 0),
						   SEGUE_TM_FLAG_CQE_REQ, 0, 0, 0, 0));
		},
		SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
		"post commands of a tag list on segue_tag_sq()");
}

// What stands in front are no headers of TCP.
void cuts_what_is_no_tcp(Ends<Raw> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(
				segue_sge(segue_eth(segue_tso(sq, SEND_ID, SEGUE_SIGNALED), 0, 100,
						    r.here.bytes, 54),
					  r.here.at(0), 200, r.here.lkey()));
		},
		SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
		"let the request begin with all headers of a TCP message");
}

// A value that is too wide is among those that the sentence names, though the segment has many.
void cuts_into_too_much(Ends<Raw> &r)
{
	EXPECT_EQ(-ERANGE,
		  segue_post(segue_sge(segue_eth(segue_tso(r.sq(), SEND_ID, SEGUE_SIGNALED), 0,
						 65536, r.here.bytes, 54),
				       r.here.at(0), 200, r.here.lkey())));
	EXPECT_SAYS("'mss'");
	EXPECT_SAYS("; correct the argument and post again.");
	cuts_what_is_no_tcp(r);
}

// The receive is wrong: both sides are told.
void received_into_nobodys(Ends<Rc> &r)
{
	segue_qp_options options = r.options_of(SEGUE_QP_RC);
	segue_qp *from = r.open_one(SEGUE_QP_RC), *at;
	const segue_machine *machine = &segue_rq_machine;
	const seguei_recv_ring *ring;

	if (r.recipe.queue == "srq") {
		segue_srq_options srq = {};

		srq.max_wr = 4;
		srq.max_sge = 1;
		ASSERT_OK(segue_srq_open(r.pd, &srq, &options.srq));
		options.max_recv_wr = options.max_recv_sge = 0;
		machine = &segue_srq_machine;
	}
	ASSERT_OK(segue_qp_open(r.pd, &options, &at));
	r.connect(from, at);
	if (options.srq) {
		ASSERT_OK(segue_post(segue_sge(segue_recv(options.srq, RECV_ID), r.there.at(0), 200,
					       NOBODYS_KEY)));
		ring = &options.srq->ring;
	} else {
		ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(at), RECV_ID), r.there.at(0),
					       200, NOBODYS_KEY)));
		ring = &segue_qp_rq(at)->ring;
	}
	r.saw_receive(*machine, ring->buf, ring->stride);
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(from), SEND_ID, SEGUE_SIGNALED),
				       r.here.at(0), 100, r.here.lkey())));
	for (const segue_wc &wc : r.take(2)) {
		const bool receive = segue_wc_is_receive(&wc);
		char text[1024] = "";

		segue_qp_explain(receive ? at : from, &wc, text, sizeof(text));
		EXPECT_EQ(receive ? RECV_ID : SEND_ID, wc.wr_id);
		EXPECT_EQ(receive ? SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR
				  : SEGUE_CQE_SYNDROME_REMOTE_OP_ERR,
			  wc.syndrome)
			<< text;
		EXPECT_NE(nullptr, strstr(text, "Next: ")) << text;
	}
	r.compare();
}

template <class T> void add_refusals()
{
	Entries<T>()
		.refused()
		.add("rdma_write", {}, write_without_key<T>, false)
		.add("rdma_write_imm", {}, write_imm_behind_the_end<T>, false)
		.add("rdma_read", {}, read_into_nobodys<T>, false)
		.add("atomic_cs", {}, unaligned_swap<T>, false)
		.add("atomic_fa", {}, add_without_key<T>, false)
		.add("send", {}, send_from_nobodys<T>, false)
		.add("send_imm", {}, send_too_long<T>, false)
		.add("send_inv", {}, invalidates_nobodys<T>, false);
}

template <class T> void add_masked()
{
	Entries<T> entries;

	for (const char *request : {"masked_atomic_cs32", "masked_atomic_fa32",
				    "masked_atomic_cs64", "masked_atomic_fa64"})
		entries.refused().add(request, {}, masked_unaligned<T>, false);
}

void add_receives()
{
	for (const char *queue : {"rq", "srq"})
		recipes().push_back({queue,
				     std::string("recv_") + queue,
				     {},
				     How::BUILDER,
				     "",
				     {},
				     [](const Recipe &said) {
					     return new Ends<Rc>(said, received_into_nobodys);
				     },
				     true});
}

void add_of_rc()
{
	Entries<Rc>()
		.refused()
		.add("atomic_fa", {}, says_what_is_next, false)
		.add("set_psv", {}, sets_nobodys_value, false)
		.add("get_psv", {}, gets_into_nobodys, false)
		.add("tm_append", {}, list_that_is_none, false)
		.add("tm_remove", {}, list_that_is_none, false)
		.add("tm_noop", {}, list_that_is_none, false);
}

const bool added = (add_refusals<Rc>(), add_refusals<Xrc>(), add_refusals<Dc>(), add_masked<Rc>(),
		    add_masked<Dc>(), add_of_rc(), add_receives(),
		    Entries<Raw>()
			    .refused()
			    .add("tso", {}, cuts_what_is_no_tcp, false)
			    .add("tso", {}, cuts_into_too_much, false),
		    true);

} // namespace
} // namespace requests
