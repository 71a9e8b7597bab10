// SPDX-License-Identifier: BSD-2-Clause
// One wrong thing in requests that need no peer to fail: on every queue that has them.
#define SEGUE_CONSTANTS 0 /* values that no field takes are given here, too */
#include "segue/detail/build.h"
#include "segue/gen/segments.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

// What a request is to carry is in nobody's memory. That is found before anything leaves, also
// where no peer answers.
template <class T> void carries_nobodys(Ends<T> &r)
{
	const std::string &request = r.recipe.request;

	r.receive(RECEIVE, 4000);
	fails(
		r,
		[&](auto *sq) {
			const auto from_nobodys = [&](auto b) {
				return segue_post(segue_sge(b, r.here.at(0), 100, NOBODYS_KEY));
			};

			if (request == "send")
				return from_nobodys(r.to(segue_send(sq, SEND_ID, SEGUE_SIGNALED)));
			if (request == "send_imm")
				return from_nobodys(
					r.to(segue_send_imm(sq, SEND_ID, SEGUE_SIGNALED, 3)));
			if constexpr (T::from != SEGUE_QP_UD) {
				if (request == "send_inv")
					return from_nobodys(r.to(segue_send_inv(
						sq, SEND_ID, SEGUE_SIGNALED, NOBODYS_KEY)));
				if (request == "rdma_write")
					return from_nobodys(segue_raddr(
						r.to(segue_rdma_write(sq, SEND_ID, SEGUE_SIGNALED)),
						r.there.at(0), r.there.rkey()));
				if (request == "rdma_write_imm")
					return from_nobodys(segue_raddr(
						r.to(segue_rdma_write_imm(sq, SEND_ID,
									  SEGUE_SIGNALED, 3)),
						r.there.at(0), r.there.rkey()));
			}
			return -EINVAL;
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
	r.nothing_completes();
	r.compare();
}

// Whatever a request is, it says whose it is, and the device looks. (The doorbell says so, too, and
// rightly: it would ring another queue.)
template <class T> void names_another_queue(Ends<T> &r)
{
	segue_sq *const sq = &r.sq()->sq;
	const uint32_t pi = sq->pi;
	uint8_t *const wqe = sq->buf + (size_t)(pi & sq->mask) * SEGUEI_BLOCK;
	segue_seg_ctrl ctrl;
	uint64_t doorbell;

	if (r.recipe.request == "nop") {
		ASSERT_OK(segue_commit(segue_nop(r.sq(), SEND_ID, SEGUE_SIGNALED)));
	} else { // a moment that has passed
		ASSERT_OK(segue_commit(
			segue_time_condition(segue_wait_on_time(r.sq(), SEND_ID, SEGUE_SIGNALED),
					     SEGUE_WAIT_COND_CYCLIC_SMALLER, 0, 0, UINT64_MAX)));
	}
	r.saw(sq, pi);
	memcpy(&doorbell, wqe, sizeof(doorbell));
	ASSERT_TRUE(segue_seg_ctrl_unpack(&ctrl, wqe));
	ctrl.qpn ^= 0x555;
	segue_seg_ctrl_pack(wqe, &ctrl);
	seguei_sq_ring(sq, sq->pi, doorbell);
	is_refused(r, SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
		   r.recipe.request == "nop" ? "see that nothing has overwritten it"
					     : "and that segue_qp_supports() allows it");
	r.compare();
}

template <class T> void bind_without_right(Ends<T> &r)
{
	segue_mw *mw;

	ASSERT_OK(segue_mw_open(r.pd, SEGUE_MW_TYPE_2, &mw));
	const uint32_t was = segue_mw_rkey(mw).rkey, key = segue_mw_next_rkey(mw).rkey;

	fails(
		r,
		[&](auto *sq) { // the region was not registered for windows
			return segue_post(segue_bind_klm(
				segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(sq, SEND_ID,
									     SEGUE_SIGNALED, was)),
						r.there.at(0), 64, segue_qp_number(r.a),
						(uint8_t)key,
						SEGUE_MKEY_ACCESS_LOCAL_READ |
							SEGUE_MKEY_ACCESS_REMOTE_WRITE),
				r.there.at(0), 64, r.there.lkey()));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR, "registered with SEGUE_ACCESS_MW_BIND");
}

template <class T> void window_without_right(Ends<T> &r)
{
	segue_mw *mw;

	ASSERT_OK(segue_mw_open(r.pd, SEGUE_MW_TYPE_1, &mw));
	const uint32_t was = segue_mw_rkey(mw).rkey, key = segue_mw_next_rkey(mw).rkey;

	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_bind_klm(
				segue_mkey_bind(segue_umr_ctrl(segue_bind_mw_type1(
							sq, SEND_ID, SEGUE_SIGNALED, was)),
						r.there.at(0), 64, 0xffffff, (uint8_t)key,
						SEGUE_MKEY_ACCESS_LOCAL_READ |
							SEGUE_MKEY_ACCESS_REMOTE_WRITE),
				r.there.at(0), 64, r.there.lkey()));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR, "registered with SEGUE_ACCESS_MW_BIND");
}

/* Begun by either request that takes a key out of use. */
template <class T, class Begin> void takes_a_region(Ends<T> &r, Begin begin)
{
	const uint32_t key = r.there.rkey();

	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_mkey_invalidate(segue_umr_ctrl(begin(sq, key)),
								(uint8_t)key));
		},
		SEGUE_CQE_SYNDROME_MW_BIND_ERR,
		"see that the key which changes may be changed by UMR");
}

template <class T> void unbinds_a_region(Ends<T> &r)
{
	takes_a_region(r, [](auto *sq, uint32_t key) {
		return segue_unbind_mw_type1(sq, SEND_ID, SEGUE_SIGNALED, key);
	});
}

template <class T> void invalidates_a_region(Ends<T> &r)
{
	takes_a_region(r, [](auto *sq, uint32_t key) {
		return segue_local_inv(sq, SEND_ID, SEGUE_SIGNALED, key);
	});
}

template <class T> void copies_from_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_mmo_data(
				segue_mmo_data(segue_mmo_metadata(
						       segue_memcpy(sq, SEND_ID, SEGUE_SIGNALED), 0,
						       r.here.lkey(), r.here.at(4096)),
					       r.here.at(0), 100, NOBODYS_KEY),
				r.there.at(0), 100, r.there.lkey()));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

void copies_unequal(Ends<Rc> &r)
{
	ASSERT_OK(segue_post(segue_mmo_data(
		segue_mmo_data(segue_mmo_metadata(segue_memcpy(r.sq(), SEND_ID, SEGUE_SIGNALED), 0,
						  r.here.lkey(), r.here.at(4096)),
			       r.here.at(0), 100, r.here.lkey()),
		r.there.at(0), 99, r.there.lkey())));
	r.walked = true;
	is_refused(r, SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR, "MMO",
		   "source and destination of a copy the same length");
	r.compare();
}

void copies_nothing(Ends<Rc> &r)
{
	EXPECT_EQ(-ERANGE,
		  segue_post(segue_mmo_data(
			  segue_mmo_data(
				  segue_mmo_metadata(segue_memcpy(r.sq(), SEND_ID, SEGUE_SIGNALED),
						     0, r.here.lkey(), r.here.at(4096)),
				  r.here.at(0), 0, r.here.lkey()),
			  r.there.at(0), 0, r.there.lkey())));
	EXPECT_SAYS("'byte_count' of segment 'mmo_data'");
	copies_unequal(r);
}

template <class T> void turns_nobodys(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_sge(
				segue_sge(segue_matrix(segue_transpose(sq, SEND_ID, SEGUE_SIGNALED),
						       4, 5, 5),
					  r.here.at(0), 100, NOBODYS_KEY),
				r.there.at(0), 100, r.there.lkey()));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

void turns_too_much(Ends<Rc> &r)
{
	const uint32_t pi = r.sq()->sq.pi;

	EXPECT_EQ(-ERANGE,
		  segue_post(segue_sge(
			  segue_sge(segue_matrix(segue_transpose(r.sq(), SEND_ID, SEGUE_SIGNALED),
						 129, 3, 3),
				    r.here.at(0), 1161, r.here.lkey()),
			  r.there.at(0), 1161, r.there.lkey())));
	EXPECT_SAYS("element_size");
	EXPECT_EQ(-ERANGE,
		  segue_post(segue_sge(
			  segue_sge(segue_matrix(segue_transpose(r.sq(), SEND_ID, SEGUE_SIGNALED),
						 4, 65, 1),
				    r.here.at(0), 260, r.here.lkey()),
			  r.there.at(0), 260, r.there.lkey())));
	EXPECT_SAYS("num_cols");
	EXPECT_EQ(pi, r.sq()->sq.pi);
	ASSERT_OK(segue_post(segue_sge(
		segue_sge(segue_matrix(segue_transpose(r.sq(), SEND_ID, SEGUE_SIGNALED), 4, 64, 64),
			  r.here.at(0), 16384, r.here.lkey()),
		r.there.at(0), 16384, r.there.lkey())));
	r.walked = true;
	is_refused(r, SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, "LOCAL_MMO", "8192 bytes");
	r.compare();
}

template <class T> void waits_for_nobodys(Ends<T> &r)
{
	segue_seg_wait_on_data wait = {};

	wait.operation = SEGUE_WAIT_COND_EQUAL;
	wait.lkey = NOBODYS_KEY;
	wait.va_fail = r.here.at(8192) | SEGUE_WAIT_FAIL_ACTION_RETRY;
	wait.data_mask = UINT64_MAX;
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_data_condition(
				segue_wait_on_data(sq, SEND_ID, SEGUE_SIGNALED), &wait));
		},
		SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, LOCAL);
}

template <class T> void waits_for_no_queue(Ends<T> &r)
{
	fails(
		r,
		[&](auto *sq) {
			return segue_post(segue_wait_cq_index(
				segue_wait_cq(sq, SEND_ID, SEGUE_SIGNALED), 1, 0xdead));
		},
		SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR,
		"see that the completion queue that it names exists on this device");
}

template <class T> void add_unanswered()
{
	Entries<T> entries;

	for (const char *request : {"send", "send_imm", "send_inv", "rdma_write", "rdma_write_imm"})
		if (T::from != SEGUE_QP_UD || !strcmp(request, "send") ||
		    !strcmp(request, "send_imm"))
			entries.refused().add(request, {"data"}, carries_nobodys<T>, false);
}

template <class T> void add_waits()
{
	Entries<T>()
		.local()
		.refused()
		.add("nop", {}, names_another_queue<T>, false)
		.add("wait_on_time", {}, names_another_queue<T>, false)
		.add("wait_on_data", {}, waits_for_nobodys<T>, false)
		.add("wait_cq", {}, waits_for_no_queue<T>, false);
}

template <class T> void add_keys()
{
	Entries<T>()
		.local()
		.refused()
		.add("bind_mw", {}, bind_without_right<T>, false)
		.add("bind_mw_type1", {}, window_without_right<T>, false)
		.add("unbind_mw_type1", {}, unbinds_a_region<T>, false)
		.add("local_inv", {}, invalidates_a_region<T>, false);
}

template <class T> void add_copies()
{
	Entries<T>()
		.local()
		.refused()
		.add("memcpy", {}, copies_from_nobodys<T>, false)
		.add("transpose", {}, turns_nobodys<T>, false);
}

const bool added = (add_unanswered<Uc>(), add_unanswered<Ud>(), add_waits<Rc>(), add_waits<Uc>(),
		    add_waits<Ud>(), add_waits<Xrc>(), add_waits<Dc>(), add_waits<Raw>(),
		    add_keys<Rc>(), add_keys<Uc>(), add_keys<Xrc>(), add_keys<Dc>(),
		    add_copies<Rc>(), add_copies<Dc>(),
		    Entries<Rc>()
			    .refused()
			    .add("memcpy", {}, copies_nothing, false)
			    .add("transpose", {}, turns_too_much, false),
		    true);

} // namespace
} // namespace requests
