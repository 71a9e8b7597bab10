// SPDX-License-Identifier: BSD-2-Clause
// Memory windows. What a window lets do is seen by a peer that writes through it, or by the next bind where no peer can reach it.
#include "tests/requests/keys.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr size_t START = 5000;
constexpr uint32_t LENGTH = 300, BIND_ID = 80;
constexpr uint8_t RIGHTS = SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE;

// A window on a part of the memory that the requests of `r` bind.
template <class T> struct Window {
	Window(Ends<T> &rig, int type) : r(rig)
	{
		segue_mr_attr attr = {};

		attr.addr = r.there.bytes;
		attr.length = sizeof(r.there.bytes);
		attr.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND;
		EXPECT_OK(segue_mr_open_shared(r.pd, &attr, &mr));
		EXPECT_OK(segue_mw_open(r.pd, type, &mw));
		was = key = segue_mw_key(mw).rkey;
		qpn = type == 2 ? segue_qp_number(r.a) : 0xffffff;
	}
	// A window of type 2 is the queue pair's, so only its peer reaches it; one of type 1 is anybody's.
	void take_key()
	{
		was = key;
		key = segue_mw_next_key(mw).rkey;
	}
	template <class B> auto bound(B b)
	{
		return segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(b), r.there.at(START), LENGTH, qpn, (uint8_t)key, RIGHTS),
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
		EXPECT_OK(segue_post(bound(segue_bind_mw_type1(r.sq(), BIND_ID, SEGUE_SIGNALED, was))));
		return r.completion().syndrome;
	}

	Ends<T> &r;
	segue_mr *mr = nullptr;
	segue_mw *mw = nullptr;
	uint32_t was, key, qpn;
};

// The peer's queue pair can be reached from, and is not the target of an initiator.
template <class T> constexpr bool two_ways = T::from == T::at;

// The peer writes 40 bytes through the window, from within it; the syndrome, or that nothing was written.
template <class T> bool peer_writes(Ends<T> &r, const Window<T> &w, size_t at)
{
	EXPECT_OK(segue_post(segue_sge(segue_raddr(segue_rdma_write(T::sq(r.b), 81, SEGUE_SIGNALED), r.there.at(at), w.key), r.here.at(0), 40,
				       r.here.lkey())));
	const segue_wc wc = r.completion();

	if (T::from == SEGUE_QP_UC) { // a refused write is dropped in silence: a good one behind it, and nothing else, arrives
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
		[&](auto *sq) { return segue_post(w.bound(segue_bind_mw(sq, SEND_ID, SEGUE_SIGNALED, w.was))); },
		[&](auto &args) { w.fill(args); }, [](auto *sq, auto *args) { return segue_post_bind_mw(sq, args); });
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
			return segue_post(
				segue_mkey_invalidate(segue_umr_ctrl(segue_local_inv(sq, SEND_ID, SEGUE_SIGNALED, w.key)), (uint8_t)w.key));
		},
		[&](auto &args) { args.invalidate_rkey = w.key, args.mkey_7_0 = (uint8_t)w.key; },
		[](auto *sq, auto *args) { return segue_post_local_inv(sq, args); });
	r.complete({SEND_ID});
	EXPECT_EQ(0, w.bind2()); // it was free
	if constexpr (two_ways<T>) {
		EXPECT_OK(segue_post(
			segue_mkey_invalidate(segue_umr_ctrl(segue_local_inv(r.sq(), BIND_ID, SEGUE_SIGNALED, w.key)), (uint8_t)w.key)));
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
		[&](auto *sq) { return segue_post(w.bound(segue_bind_mw_type1(sq, SEND_ID, SEGUE_SIGNALED, w.was))); },
		[&](auto &args) { w.fill(args); }, [](auto *sq, auto *args) { return segue_post_bind_mw_type1(sq, args); });
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
				segue_mkey_invalidate(segue_umr_ctrl(segue_unbind_mw_type1(sq, SEND_ID, SEGUE_SIGNALED, w.was)), (uint8_t)w.key));
		},
		[&](auto &args) { args.rkey = w.was, args.mkey_7_0 = (uint8_t)w.key; },
		[](auto *sq, auto *args) { return segue_post_unbind_mw_type1(sq, args); });
	r.complete({SEND_ID});
	EXPECT_FALSE(witness_writes(r, w, START + 100));
	r.compare();
}

template <class T> void add_windows()
{
	Entries<T>()
		.local()
		.add("bind_mw", {}, bind<T>)
		.add("local_inv", {}, invalidate<T>)
		.add("bind_mw_type1", {}, bind_type1<T>)
		.add("unbind_mw_type1", {}, unbind_type1<T>);
}

const bool added = (add_windows<Rc>(), add_windows<Uc>(), add_windows<Xrc>(), add_windows<Dc>(), true);

} // namespace
} // namespace requests
