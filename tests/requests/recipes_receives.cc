// SPDX-License-Identifier: BSD-2-Clause
// Receives: a message is spread over the pieces in order.
#include "tests/requests/receive_place.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint32_t SIZE = 1500;

template <class Args, class Q, class Build, class Call>
void receive(Rig &r, Q *queue, const segue_machine &machine, Build build, Call call)
{
	const segue_seg_data list[3] = {r.there.piece(9000, 700), r.there.piece(64, 500),
					r.there.piece(20000, 600)};
	const uint8_t *wqe = next_of(queue);

	if (r.recipe.how == How::BUILDER) {
		ASSERT_OK(build(queue, list, 3));
	} else {
		Args args = {};

		args.wr_id = RECV_ID;
		args.sges = list;
		args.sge_count = 3;
		ASSERT_OK(call(queue, &args));
	}
	r.saw_receive(machine, wqe, queue->ring.stride);
}

void sent(Rig &r, segue_qp *by)
{
	ASSERT_OK(segue_post(segue_sge(segue_send(segue_qp_rc_sq(by), SEND_ID, SEGUE_SIGNALED),
				       r.here.at(2000), SIZE, r.here.lkey())));
	for (const segue_wc &wc : r.take(2)) {
		ASSERT_EQ(0, wc.syndrome) << r.explained(wc);
		if (segue_wc_is_receive(&wc)) {
			EXPECT_EQ(RECV_ID, wc.wr_id);
			EXPECT_EQ(SIZE, wc.byte_len);
		}
	}
	r.there.put(9000, r.here.bytes + 2000, 700);
	r.there.put(64, r.here.bytes + 2700, 500);
	r.there.put(20000, r.here.bytes + 3200, 300);
	r.compare();
}

void own(Ends<Rc> &r)
{
	receive<segue_rq_recv_args>(
		r, segue_qp_rq(r.b), segue_rq_machine,
		[](segue_rq *rq, const segue_seg_data *list, uint32_t n) {
			return segue_post(segue_sge_list(segue_recv(rq, RECV_ID), list, n));
		},
		[](segue_rq *rq, const segue_rq_recv_args *args) {
			return segue_post_recv(rq, args);
		});
	sent(r, r.a);
}

void shared(Ends<Rc> &r)
{
	segue_qp_options options = r.options_of(SEGUE_QP_RC);
	segue_srq_options srqs = {};
	segue_qp *a = r.open_one(SEGUE_QP_RC), *b;

	srqs.max_wr = 16;
	srqs.max_sge = 4;
	ASSERT_OK(segue_srq_open(r.pd, &srqs, &options.srq));
	options.max_recv_wr = options.max_recv_sge = 0;
	ASSERT_OK(segue_qp_open(r.pd, &options, &b));
	r.connect(a, b);
	receive<segue_srq_recv_args>(
		r, options.srq, segue_srq_machine,
		[](segue_srq *srq, const segue_seg_data *list, uint32_t n) {
			return segue_post(segue_sge_list(segue_recv(srq, RECV_ID), list, n));
		},
		[](segue_srq *srq, const segue_srq_recv_args *args) {
			return segue_post_recv(srq, args);
		});
	sent(r, a);
}

bool add(const char *queue, const char *request, Ends<Rc>::Do body)
{
	for (How how : {How::BUILDER, How::ONE_CALL})
		recipes().push_back(
			{queue, request, {"data"}, how, "", {LIBMLX5}, [body](const Recipe &said) {
				 return new Ends<Rc>(said, body);
			 }});
	return true;
}

const bool added = add("rq", "recv_rq", own) && add("srq", "recv_srq", shared);

} // namespace
} // namespace requests
