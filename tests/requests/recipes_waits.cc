// SPDX-License-Identifier: BSD-2-Clause
// Requests that hold a send queue, and the one that does nothing.
#include "segue/detail/bytes.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint64_t BEHIND = 70, OTHER = 71;

template <class T> void nop(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_nop)>(
		[&](auto *sq) { return segue_post(segue_nop(sq, SEND_ID, SEGUE_SIGNALED)); },
		[](auto &) {}, [](auto *sq, auto *args) { return segue_post_nop(sq, args); });
	r.complete({SEND_ID});
	r.compare();
}

// The device steps over what follows, whatever it is.
template <class T> void filled(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	segue_seg_filler fillers[5];

	for (size_t i = 0; i < 5; i++)
		memcpy(fillers[i].bytes, r.here.bytes + 16 * i, 16);
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_nop)>(
		[&](auto *sq) {
			return segue_post(segue_filler_list(segue_nop(sq, SEND_ID, SEGUE_SIGNALED),
							    fillers, 5));
		},
		[&](auto &args) { args.fillers = fillers, args.filler_count = 5; },
		[](auto *sq, auto *args) { return segue_post_nop(sq, args); });
	r.complete({SEND_ID});
	// What is behind it is found.
	ASSERT_OK(segue_post(segue_nop(r.sq(), BEHIND, SEGUE_SIGNALED)));
	r.complete({BEHIND});
	r.compare();
}

// Posted behind what waits: it may not overtake.
template <class T> void post_behind(Ends<T> &r)
{
	ASSERT_OK(segue_post(segue_nop(r.sq(), BEHIND, SEGUE_SIGNALED)));
}

template <class T> void on_data(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const uint64_t value = UINT64_C(0x1020304050607080), under = UINT64_C(0x00ffffffffffff00);
	segue_seg_wait_on_data wait = {};
	uint8_t word[8];

	wait.operation = SEGUE_WAIT_COND_EQUAL;
	wait.lkey = r.here.lkey();
	wait.va_fail = r.here.at(8192) | SEGUE_WAIT_FAIL_ACTION_RETRY;
	wait.data = value;
	wait.data_mask = under;
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_wait_on_data)>(
		[&](auto *sq) {
			return segue_post(segue_data_condition(
				segue_wait_on_data(sq, SEND_ID, SEGUE_SIGNALED), &wait));
		},
		[&](auto &args) { args.wait_on_data = &wait; },
		[](auto *sq, auto *args) { return segue_post_wait_on_data(sq, args); });
	ASSERT_NO_FATAL_FAILURE(post_behind(r));
	ASSERT_NO_FATAL_FAILURE(r.nothing_completes());
	segue_put_be64(word, value ^ UINT64_C(0xaa000000000000bb)); // differs where nobody looks
	r.here.store(8192, word, sizeof(word));
	r.complete({SEND_ID, BEHIND});
	r.compare();
}

template <class T> void on_time(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	uint64_t now, then;

	ASSERT_OK(segue_device_query_ticks(r.device, &now));
	const uint64_t until = now + segue_device_caps(r.device)->clock_khz * 50; // 50 ms

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_wait_on_time)>(
		[&](auto *sq) {
			return segue_post(segue_time_condition(
				segue_wait_on_time(sq, SEND_ID, SEGUE_SIGNALED),
				SEGUE_WAIT_COND_CYCLIC_SMALLER, 0, until, UINT64_MAX));
		},
		[&](auto &args) {
			args.operation = SEGUE_WAIT_COND_CYCLIC_SMALLER, args.value = until,
			args.mask = UINT64_MAX;
		},
		[](auto *sq, auto *args) { return segue_post_wait_on_time(sq, args); });
	ASSERT_NO_FATAL_FAILURE(post_behind(r));
	r.complete({SEND_ID, BEHIND});
	ASSERT_OK(segue_device_query_ticks(r.device, &then));
	EXPECT_LE(until, then);
	r.compare();
}

// Until a completion queue of somebody else has its first two completions.
template <class T> void on_cq(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	segue_qp_options options = r.options_of(SEGUE_QP_UC);
	segue_qp *other;

	options.send_cq = r.open_cq();
	ASSERT_OK(segue_qp_open(r.pd, &options, &other));
	r.connect(other, r.open_one(SEGUE_QP_UC));
	const uint32_t cqn = segue_cq_number(options.send_cq);

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_wait_cq)>(
		[&](auto *sq) {
			return segue_post(segue_wait_cq_index(
				segue_wait_cq(sq, SEND_ID, SEGUE_SIGNALED), 2, cqn));
		},
		[&](auto &args) { args.max_index = 2, args.cqn = cqn; },
		[](auto *sq, auto *args) { return segue_post_wait_cq(sq, args); });
	ASSERT_NO_FATAL_FAILURE(post_behind(r));
	for (int i = 0; i < 2; i++) {
		ASSERT_NO_FATAL_FAILURE(r.nothing_completes());
		ASSERT_OK(segue_post(segue_nop(segue_qp_uc_sq(other), OTHER, SEGUE_SIGNALED)));
	}
	r.complete({SEND_ID, BEHIND});
	EXPECT_EQ(2u, r.take(2, options.send_cq).size());
	r.compare();
}

template <class T> void add_waits()
{
	Entries<T>()
		.local()
		.by({MLX5DV})
		.add("nop", {}, nop<T>)
		.add("nop", {"filler"}, filled<T>);
	Entries<T>()
		.local()
		.add("wait_on_data", {}, on_data<T>)
		.add("wait_on_time", {}, on_time<T>)
		.add("wait_cq", {}, on_cq<T>);
}

const bool added = (add_waits<Rc>(), add_waits<Uc>(), add_waits<Ud>(), add_waits<Xrc>(),
		    add_waits<Dc>(), add_waits<Raw>(), true);

} // namespace
} // namespace requests
