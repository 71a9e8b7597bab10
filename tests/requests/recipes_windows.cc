// SPDX-License-Identifier: BSD-2-Clause
// Memory windows. What a window lets do is seen by a peer that writes through it, or by the next
// bind where no peer can reach it.
#include "segue/qp.h"
#include "tests/requests/keys.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr size_t START = 5000;
constexpr uint32_t LENGTH = 300, BIND_ID = 80;
constexpr uint8_t RIGHTS = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE;

// A window on a part of the memory that the requests of `r` bind.
template <class T> struct Window {
	Window(Ends<T> &rig, int type) : r(rig)
	{
		segue_mr_options attr = {};

		attr.addr = r.there.bytes;
		attr.length = sizeof(r.there.bytes);
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			      SEGUE_ACCESS_MW_BIND;
		EXPECT_OK(segue_mr_open(r.pd, &attr, &mr));
		EXPECT_OK(segue_mw_open(r.pd, segue_mw_type(type), &mw));
		was = key = segue_mw_rkey(mw).rkey;
		qpn = type == 2 ? segue_qp_number(r.a) : 0xffffff;
	}
	// A window of type 2 is the queue pair's, so only its peer reaches it; one of type 1 is
	// anybody's.
	void take_key()
	{
		was = key;
		key = segue_mw_next_rkey(mw).rkey;
	}
	template <class B> auto bound(B b)
	{
		return segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(b), r.there.at(START), LENGTH,
						      qpn, (uint8_t)key, RIGHTS),
				      r.there.at(START), LENGTH, segue_mr_lkey(mr).lkey);
	}
	template <class A> void fill(A &args)
	{
		args.rkey = was;
		args.start_addr = r.there.at(START);
		args.len = LENGTH;
		args.qpn = qpn;
		args.mkey_7_0 = (uint8_t)key;
		args.access_flags = RIGHTS;
		args.address = r.there.at(START);
		args.byte_count = LENGTH;
		args.mkey = segue_mr_lkey(mr).lkey;
	}
	// Posted beside the request that is under test.
	uint8_t bind2()
	{
		take_key();
		EXPECT_OK(segue_post(bound(segue_bind_mw(r.sq(), BIND_ID, SEGUE_SIGNALED, was))));
		return r.completion().syndrome;
	}
	uint8_t bind1()
	{
		take_key();
		EXPECT_OK(segue_post(
			bound(segue_bind_mw_type1(r.sq(), BIND_ID, SEGUE_SIGNALED, was))));
		return r.completion().syndrome;
	}

	Ends<T> &r;
	segue_mr *mr = nullptr;
	segue_mw *mw = nullptr;
	uint32_t was, key, qpn;
};

// The peer's queue pair can be reached from, and is not the target of an initiator.
template <class T> constexpr bool two_ways = T::from == T::at;

// The peer writes 40 bytes through the window, from within it; the syndrome, or that nothing was
// written.
template <class T> bool peer_writes(Ends<T> &r, const Window<T> &w, size_t at)
{
	EXPECT_OK(segue_post(segue_sge(segue_raddr(segue_rdma_write(T::sq(r.b), 81, SEGUE_SIGNALED),
						   r.there.at(at), w.key),
				       r.here.at(0), 40, r.here.lkey())));
	const segue_wc wc = r.completion();

	// a refused write is dropped in silence: a good one behind it, and nothing else, arrives
	if (T::from == SEGUE_QP_UC) {
		r.nothing_completes();
		return !memcmp(r.there.bytes + at, r.here.bytes, 40);
	}
	return wc.syndrome == 0;
}

// Through a window of type 1 anybody may.
template <class T> bool witness_writes(Ends<T> &r, const Window<T> &w, size_t at)
{
	const auto pair = r.witness();

	return write_through(r, pair.second, w.key, 40, r.there.at(at)) == 0;
}

template <class T> void bind(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	Window<T> w(r, 2);

	w.take_key();
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_bind_mw)>(
		[&](auto *sq) {
			return segue_post(
				w.bound(segue_bind_mw(sq, SEND_ID, SEGUE_SIGNALED, w.was)));
		},
		[&](auto &args) { w.fill(args); },
		[](auto *sq, auto *args) { return segue_post_bind_mw(sq, args); });
	r.complete({SEND_ID});
	if constexpr (two_ways<T>) {
		EXPECT_TRUE(peer_writes(r, w, START + 10));
		r.there.put(START + 10, r.here.bytes, 40);
		EXPECT_FALSE(peer_writes(r, w, START + LENGTH - 20)); // sticks out
	} else {
		EXPECT_EQ(SEGUE_CQE_SYNDROME_MW_BIND_ERR, w.bind2()); // not free any more
	}
	r.compare(T::from == SEGUE_QP_UC);
}

template <class T> void invalidate(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	Window<T> w(r, 2);

	ASSERT_EQ(0, w.bind2());
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_local_inv)>(
		[&](auto *sq) {
			return segue_post(segue_mkey_invalidate(
				segue_umr_ctrl(segue_local_inv(sq, SEND_ID, SEGUE_SIGNALED, w.key)),
				(uint8_t)w.key));
		},
		[&](auto &args) { args.invalidate_rkey = w.key, args.mkey_7_0 = (uint8_t)w.key; },
		[](auto *sq, auto *args) { return segue_post_local_inv(sq, args); });
	r.complete({SEND_ID});
	EXPECT_EQ(0, w.bind2()); // it was free
	if constexpr (two_ways<T>) {
		EXPECT_OK(segue_post(segue_mkey_invalidate(
			segue_umr_ctrl(segue_local_inv(r.sq(), BIND_ID, SEGUE_SIGNALED, w.key)),
			(uint8_t)w.key)));
		EXPECT_EQ(0, r.completion().syndrome);
		EXPECT_FALSE(peer_writes(r, w, START));
	}
	r.compare();
}

template <class T> void bind_type1(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	Window<T> w(r, 1);

	w.take_key();
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_bind_mw_type1)>(
		[&](auto *sq) {
			return segue_post(
				w.bound(segue_bind_mw_type1(sq, SEND_ID, SEGUE_SIGNALED, w.was)));
		},
		[&](auto &args) { w.fill(args); },
		[](auto *sq, auto *args) { return segue_post_bind_mw_type1(sq, args); });
	r.complete({SEND_ID});
	EXPECT_TRUE(witness_writes(r, w, START));
	r.there.put(START, r.here.bytes, 40);
	EXPECT_FALSE(witness_writes(r, w, START - 1));
	r.compare();
}

template <class T> void unbind_type1(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	Window<T> w(r, 1);

	ASSERT_EQ(0, w.bind1());
	EXPECT_TRUE(witness_writes(r, w, START));
	r.there.put(START, r.here.bytes, 40);
	w.take_key();
	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_unbind_mw_type1)>(
		[&](auto *sq) {
			return segue_post(
				segue_mkey_invalidate(segue_umr_ctrl(segue_unbind_mw_type1(
							      sq, SEND_ID, SEGUE_SIGNALED, w.was)),
						      (uint8_t)w.key));
		},
		[&](auto &args) { args.rkey = w.was, args.mkey_7_0 = (uint8_t)w.key; },
		[](auto *sq, auto *args) { return segue_post_unbind_mw_type1(sq, args); });
	r.complete({SEND_ID});
	EXPECT_FALSE(witness_writes(r, w, START + 100));
	r.compare();
}

// Bound and unbound by one call each.
template <class T> struct Call {
	Call(Ends<T> &rig, int type) : window(rig, type), r(rig) {}

	segue_mw_bind_options wish(uint64_t at, uint64_t length)
	{
		segue_mw_bind_options b = {};

		b.wr_id = SEND_ID;
		b.flags = SEGUE_SIGNALED;
		b.mw = window.mw;
		b.mr = window.mr;
		b.offset = at;
		b.length = length;
		b.access = SEGUE_ACCESS_REMOTE_WRITE;
		return b;
	}
	void bind(uint32_t more = 0)
	{
		segue_mw_bind_options b = wish(START, LENGTH);
		const uint32_t pi = r.sq()->sq.pi;

		b.access |= more;
		ASSERT_OK(segue_qp_bind_mw(r.a, &b, &shown));
		r.saw(&r.sq()->sq, pi);
		r.complete({SEND_ID});
		EXPECT_EQ(more ? 0 : r.there.at(START), shown.addr);
		EXPECT_EQ(LENGTH, shown.length);
		EXPECT_EQ(segue_mw_rkey(window.mw).rkey, shown.key.rkey);
		window.key = shown.key.rkey;
	}
	void unbind()
	{
		ASSERT_OK(segue_qp_unbind_mw(r.a, BIND_ID, SEGUE_SIGNALED, window.mw));
		r.complete({BIND_ID});
	}
	void refused(const segue_mw_bind_options &b, int ret, const char *why)
	{
		const uint32_t pi = r.sq()->sq.pi, key = segue_mw_rkey(window.mw).rkey;

		EXPECT_EQ(ret, segue_qp_bind_mw(r.a, &b, nullptr)) << why;
		EXPECT_SAYS(why);
		EXPECT_EQ(pi, r.sq()->sq.pi);
		EXPECT_EQ(key, segue_mw_rkey(window.mw).rkey);
	}

	Window<T> window;
	Ends<T> &r;
	segue_remote_buf shown = {};
};

template <class T> void call_type2(Ends<T> &r)
{
	Call<T> c(r, 2);

	for (int life = 0; life < 3; life++) {
		ASSERT_NO_FATAL_FAILURE(c.bind());
		if constexpr (two_ways<T>) {
			EXPECT_TRUE(peer_writes(r, c.window, START + 10));
			r.there.put(START + 10, r.here.bytes, 40);
		}
		ASSERT_NO_FATAL_FAILURE(c.unbind());
	}
	r.compare(T::from == SEGUE_QP_UC);
}

template <class T> void call_type1(Ends<T> &r)
{
	Call<T> c(r, 1);

	ASSERT_NO_FATAL_FAILURE(c.bind());
	EXPECT_TRUE(witness_writes(r, c.window, START));
	r.there.put(START, r.here.bytes, 40);
	ASSERT_NO_FATAL_FAILURE(c.bind()); // anew, without unbinding
	EXPECT_TRUE(witness_writes(r, c.window, START + LENGTH - 40));
	r.there.put(START + LENGTH - 40, r.here.bytes, 40);
	EXPECT_FALSE(witness_writes(r, c.window, START + LENGTH - 39));
	ASSERT_NO_FATAL_FAILURE(c.unbind());
	EXPECT_FALSE(witness_writes(r, c.window, START));
	r.compare();
}

// Its addresses begin at 0, and the far end of what may be bound is the region's.
void call_zero_based(Ends<Rc> &r)
{
	Call<Rc> c(r, 2);
	segue_mw_bind_options all = c.wish(0, Memory::SIZE);

	ASSERT_NO_FATAL_FAILURE(c.bind(SEGUE_ACCESS_ZERO_BASED));
	ASSERT_OK(segue_post(
		segue_sge(segue_raddr(segue_rdma_write(segue_qp_rc_sq(r.b), 81, SEGUE_SIGNALED),
				      LENGTH - 40, c.window.key),
			  r.here.at(0), 40, r.here.lkey())));
	r.complete({81});
	r.there.put(START + LENGTH - 40, r.here.bytes, 40);
	r.compare();
	ASSERT_NO_FATAL_FAILURE(c.unbind());
	ASSERT_OK(segue_qp_bind_mw(r.a, &all, nullptr));
	r.complete({SEND_ID});
	r.compare();
}

// Nothing of that is posted, and the window keeps its key.
void call_refused(Ends<Rc> &r)
{
	Call<Rc> c(r, 2);
	const segue_mw_bind_options good = c.wish(START, LENGTH);
	segue_mw_bind_options b;
	segue_mr_options attr = {};
	segue_mr *plain, *fixed;
	segue_pd *pd;

	c.refused(c.wish(START, 0), -ERANGE, "0 bytes from 5000 on");
	c.refused(c.wish(Memory::SIZE - 10, 11), -ERANGE,
		  "11 bytes from 32758 on, expected 1 to 2147483648 within the 32768");
	c.refused(c.wish(UINT64_MAX, 2), -ERANGE, "within the 32768");
	b = good, b.mw = nullptr;
	EXPECT_EQ(-EINVAL, segue_qp_bind_mw(r.a, &b, nullptr));
	EXPECT_SAYS("mw is NULL");
	b = good, b.mr = nullptr;
	c.refused(b, -EINVAL, "mr is NULL");
	b = good, b.access = SEGUE_ACCESS_LOCAL_WRITE;
	c.refused(b, -EINVAL, "expected REMOTE rights");
	b = good, b.access = SEGUE_MKEY_ACCESS_REMOTE_WRITE;
	c.refused(b, -EINVAL, "access");
	b = good, b.mr = r.there.mr;
	c.refused(b, -EACCES, "was opened without MW_BIND");
	attr.addr = r.there.bytes, attr.length = Memory::SIZE, attr.access = SEGUE_ACCESS_MW_BIND;
	ASSERT_OK(segue_mr_open(r.pd, &attr, &fixed));
	b = good, b.mr = fixed;
	c.refused(b, -EACCES, "was opened without LOCAL_WRITE");
	ASSERT_OK(segue_pd_open(r.device, &pd));
	ASSERT_OK(segue_mr_open(pd, &attr, &plain));
	b = good, b.mr = plain;
	c.refused(b, -EINVAL, "of another protection domain");
	EXPECT_EQ(-EINVAL, segue_qp_bind_mw(r.a, nullptr, nullptr));
	EXPECT_EQ(-EINVAL, segue_qp_bind_mw(nullptr, &good, nullptr));
	EXPECT_EQ(-EINVAL, segue_qp_unbind_mw(r.a, 1, 0, nullptr));

	segue_qp_options small = r.options_of(SEGUE_QP_RC);
	segue_qp *qp;

	small.max_wqe_units = SEGUE_RC_BIND_MW_UNITS - 1;
	ASSERT_OK(segue_qp_open(r.pd, &small, &qp));
	EXPECT_EQ(-ENOTSUP, segue_qp_bind_mw(qp, &good, nullptr));
	EXPECT_SAYS("set max_wqe_units");
	EXPECT_EQ(-ENOTSUP, segue_qp_bind_mw(r.open_one(SEGUE_QP_UD), &good, nullptr));
	EXPECT_SAYS("ud does not have bind_mw");
	call_type2(r);
}

// A queue that is full leaves the window as it is.
void call_without_room(Ends<Rc> &r)
{
	Call<Rc> c(r, 1);
	uint32_t n = 0;

	while (!segue_post(segue_nop(r.sq(), 1000 + n, 0)))
		n++;
	c.refused(c.wish(START, LENGTH), -ENOSPC, "poll the completion queue");
	ASSERT_OK(segue_qp_drain(
		r.a, segue_deadline_in_ms(20000), [](const segue_wc *, void *) noexcept {},
		nullptr));
	call_type1(r);
}

// libmlx5 binds on these only.
template <class T> Names binding()
{
	return {T::from == SEGUE_QP_RC || T::from == SEGUE_QP_UC ? LIBMLX5 : MLX5DV};
}

template <class T> void add_calls()
{
	Entries<T>()
		.local()
		.by(binding<T>())
		.add("bind_mw", {}, call_type2<T>, false)
		.add("bind_mw_type1", {}, call_type1<T>, false);
}

template <class T> void add_windows()
{
	Entries<T>()
		.local()
		.by({T::from == SEGUE_QP_DCI ? MLX5DV : LIBMLX5})
		.add("local_inv", {}, invalidate<T>)
		.by(binding<T>())
		.add("bind_mw", {}, bind<T>)
		.add("bind_mw_type1", {}, bind_type1<T>)
		.add("unbind_mw_type1", {}, unbind_type1<T>);
}

const bool added = (add_windows<Rc>(), add_windows<Uc>(), add_windows<Xrc>(), add_windows<Dc>(),
		    add_calls<Rc>(), add_calls<Uc>(), add_calls<Xrc>(), add_calls<Dc>(),
		    Entries<Rc>()
			    .by(binding<Rc>())
			    .add("bind_mw", {}, call_zero_based, false)
			    .add("bind_mw", {}, call_refused, false)
			    .add("bind_mw_type1", {}, call_without_room, false),
		    true);

} // namespace
} // namespace requests
