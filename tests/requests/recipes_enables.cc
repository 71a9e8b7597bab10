// SPDX-License-Identifier: BSD-2-Clause
// A queue that lets another one go on: what is posted there moves no data before.
#include "segue/qp.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

constexpr uint64_t FIRST_ID = 80, SECOND_ID = 81, WAIT_ID = 82, LET_GO_ID = 83, OTHER = 84;
constexpr size_t FIRST = 512, SECOND = 8192;
constexpr uint32_t ROOM = 1000, LENGTH = 300;

// What waits to be let go, and where it goes.
template <class T> struct Held {
	static constexpr uint32_t header = T::from == SEGUE_QP_UD ? SEGUE_GRH_SIZE : 0;

	explicit Held(Ends<T> &rig) : r(rig) {}

	void make()
	{
		segue_qp_options options = r.options_of(T::from);

		options.cross_channel = false;
		options.managed_send = true;
		r.open_pair(options, &managed, &end);
	}
	// A message and a receive for it; the index behind it.
	void post(uint64_t wr_id, size_t at, uint16_t *behind)
	{
		auto *const sq = T::sq(managed);

		if (r.srq) {
			ASSERT_OK(segue_post(segue_sge(segue_recv(r.srq, RECV_ID), r.there.at(at),
						       ROOM, r.there.lkey())));
		} else {
			ASSERT_OK(segue_post(segue_sge(segue_recv(segue_qp_rq(end), RECV_ID),
						       r.there.at(at), ROOM, r.there.lkey())));
		}
		ASSERT_OK(segue_post(segue_sge(r.to(segue_send(sq, wr_id, SEGUE_SIGNALED)),
					       r.here.at(at + 1), LENGTH, r.here.lkey())));
		*behind = segue_qp_send_index(managed);
	}
	// The message at that place has come, and nothing else.
	void came(size_t at)
	{
		// of the network, which nobody promises
		r.there.put(at, r.there.bytes + at, header);
		r.there.put(at + header, r.here.bytes + at + 1, LENGTH);
		r.compare();
	}
	uint32_t number() const { return segue_qp_number(managed); }

	Ends<T> &r;
	segue_qp *managed = nullptr, *end = nullptr;
};

// The first at once; the second behind a WAIT, so that no processor has to do with it any more.
template <class T> void lets_go(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	Held<T> held(r);
	uint16_t first, second;

	ASSERT_NO_FATAL_FAILURE(held.make());
	if (!*T::av) { // else it is the same responder
		r.peer.number = r.srq ? segue_srq_number(r.srq) : segue_qp_number(held.end);
	}
	ASSERT_OK(segue_qp_supports(r.a, "send_en"));
	ASSERT_NO_FATAL_FAILURE(held.post(FIRST_ID, FIRST, &first));
	ASSERT_NO_FATAL_FAILURE(held.post(SECOND_ID, SECOND, &second));
	ASSERT_NO_FATAL_FAILURE(r.nothing_completes());
	r.compare();

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_send_en)>(
		[&](auto *sq) {
			return segue_post(segue_send_en_index(
				segue_send_en(sq, SEND_ID, SEGUE_SIGNALED), first, held.number()));
		},
		[&](auto &args) { args.max_index = first, args.qpn = held.number(); },
		[](auto *sq, auto *args) { return segue_post_send_en(sq, args); });
	r.complete({SEND_ID, FIRST_ID, RECV_ID});
	held.came(FIRST);
	ASSERT_NO_FATAL_FAILURE(r.nothing_completes());

	segue_qp_options options = r.options_of(SEGUE_QP_UC);
	segue_qp *trigger;

	options.send_cq = r.open_cq();
	ASSERT_OK(segue_qp_open(r.pd, &options, &trigger));
	r.connect(trigger, r.open_one(SEGUE_QP_UC));
	ASSERT_OK(segue_commit(segue_wait_cq_index(segue_wait_cq(r.sq(), WAIT_ID, SEGUE_SIGNALED),
						   1, segue_cq_number(options.send_cq))));
	ASSERT_OK(segue_post(segue_send_en_index(segue_send_en(r.sq(), LET_GO_ID, SEGUE_SIGNALED),
						 second, held.number())));
	ASSERT_NO_FATAL_FAILURE(r.nothing_completes());
	r.compare();
	ASSERT_OK(segue_post(segue_nop(segue_qp_uc_sq(trigger), OTHER, SEGUE_SIGNALED)));
	r.complete({WAIT_ID, LET_GO_ID, SECOND_ID, RECV_ID});
	EXPECT_EQ(1u, r.take(1, options.send_cq).size());
	held.came(SECOND);
}

// Whom nobody has opened for it, and who does not exist, is not let go; and not everybody may do
// so.
template <class T> void lets_go_nobody(Ends<T> &r)
{
	const auto refused = [&r](uint32_t number) {
		fails(
			r,
			[&](auto *sq) {
				return segue_post(segue_send_en_index(
					segue_send_en(sq, SEND_ID, SEGUE_SIGNALED), 1, number));
			},
			SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, "was opened with managed_send");
	};
	segue_qp_options options = r.options_of(T::from);
	Held<T> held(r);

	refused(0xdead);
	const uint32_t not_managed = segue_qp_number(r.a);

	ASSERT_NO_FATAL_FAILURE(r.open_pair(options, &r.a, &r.b));
	refused(not_managed);
	ASSERT_NO_FATAL_FAILURE(held.make());
	options.cross_channel = false;
	ASSERT_NO_FATAL_FAILURE(r.open_pair(options, &r.a, &r.b));
	EXPECT_EQ(-ENOTSUP, segue_qp_supports(r.a, "send_en"));
	EXPECT_SAYS("set cross_channel");
	refused(held.number());
}

template <class T> void add_enables()
{
	Entries<T>()
		.local()
		.add("send_en", {}, lets_go<T>)
		.refused()
		.add("send_en", {}, lets_go_nobody<T>, false);
}

const bool added = (add_enables<Rc>(), add_enables<Uc>(), add_enables<Ud>(), add_enables<Xrc>(),
		    add_enables<Dc>(), true);

} // namespace
} // namespace requests
