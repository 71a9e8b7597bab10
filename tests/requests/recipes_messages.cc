// SPDX-License-Identifier: BSD-2-Clause
// Messages and writes: what arrives is what the pieces hold, one behind the other.
#include "tests/requests/keys.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint32_t IMM = 0xa1b2c3d4, LANDING = 512;

// What a request carries.
enum Payload { LIST, INLINE, INLINE_AND_LIST, NOTHING };

template <class T, Payload F> struct Carried {
	static constexpr bool inlined = F == INLINE || F == INLINE_AND_LIST,
			      listed = F == LIST || F == INLINE_AND_LIST;
	// Several packets, where a message may have several.
	static constexpr uint32_t SHORT = 77, FIRST = 700,
				  SECOND = T::from == SEGUE_QP_UD ? 200 : 5000;

	static std::vector<uint8_t> bytes(const Memory &m)
	{
		std::vector<uint8_t> all;

		if (inlined)
			all.insert(all.end(), m.bytes + 3, m.bytes + 3 + SHORT);
		if (listed) {
			all.insert(all.end(), m.bytes + 101, m.bytes + 101 + FIRST);
			all.insert(all.end(), m.bytes + 9001, m.bytes + 9001 + SECOND);
		}
		return all;
	}
	// The last steps of a builder.
	template <class B> static int post(const Memory &m, B b)
	{
		if constexpr (F == LIST)
			return listed_behind(m, b);
		else if constexpr (F == INLINE)
			return segue_post(segue_inline_data(b, m.bytes + 3, SHORT));
		else if constexpr (F == INLINE_AND_LIST)
			return listed_behind(m, segue_inline_data(b, m.bytes + 3, SHORT));
		else
			return segue_post(b);
	}
	static Names uses()
	{
		Names names;

		if (inlined)
			names.insert("inline_data");
		if (listed)
			names.insert("data");
		return names;
	}

private:
	template <class B> static int listed_behind(const Memory &m, B b)
	{
		return segue_post(segue_sge(segue_sge(b, m.at(101), FIRST, m.lkey()), m.at(9001),
					    SECOND, m.lkey()));
	}
};

// The one-call forms take a list, and those of messages bytes in front of it.
template <class T, Payload F, class A>
void give(const Memory &m, A &args, segue_seg_data (&list)[2])
{
	using C = Carried<T, F>;

	if constexpr (C::listed) {
		list[0] = m.piece(101, C::FIRST);
		list[1] = m.piece(9001, C::SECOND);
		args.sges = list;
		args.sge_count = 2;
	}
	if constexpr (C::inlined) {
		args.inline_data = m.bytes + 3;
		args.inline_data_byte_count = C::SHORT;
	}
}

// Kinds of messages: how they begin, and what their receive says.
struct Send {
	static constexpr uint8_t flags = 0;
	template <class Q> using Args = ARGS(static_cast<Q *>(nullptr), segue_post_send);

	template <class T> void prepare(Ends<T> &) {}
	template <class Q> auto begin(Q *sq) { return segue_send(sq, SEND_ID, SEGUE_SIGNALED); }
	template <class A> void fill(A &) {}
	template <class Q, class A> static int call(Q *sq, const A *args)
	{
		return segue_post_send(sq, args);
	}
	template <class T> void after(Ends<T> &, const segue_wc &) {}
};

struct SendImm {
	static constexpr uint8_t flags = SEGUE_WC_IMM;
	template <class Q> using Args = ARGS(static_cast<Q *>(nullptr), segue_post_send_imm);

	template <class T> void prepare(Ends<T> &) {}
	template <class Q> auto begin(Q *sq)
	{
		return segue_send_imm(sq, SEND_ID, SEGUE_SIGNALED, IMM);
	}
	template <class A> void fill(A &args) { args.imm = IMM; }
	template <class Q, class A> static int call(Q *sq, const A *args)
	{
		return segue_post_send_imm(sq, args);
	}
	template <class T> void after(Ends<T> &, const segue_wc &wc) { EXPECT_EQ(IMM, wc.imm); }
};

// Takes a key away that somebody else could write through until then.
struct SendInv {
	static constexpr uint8_t flags = SEGUE_WC_INVALIDATED;
	template <class Q> using Args = ARGS(static_cast<Q *>(nullptr), segue_post_send_inv);

	template <class T> void prepare(Ends<T> &r)
	{
		pair = r.witness();
		key = key_of_pieces(r, pair.first, {{r.there.at(20000), 64, r.there.lkey()}});
		EXPECT_EQ(0, write_through(r, pair.second, key, 64));
		r.there.put(20000, r.here.bytes, 64);
	}
	template <class Q> auto begin(Q *sq)
	{
		return segue_send_inv(sq, SEND_ID, SEGUE_SIGNALED, key);
	}
	template <class A> void fill(A &args) { args.invalidate_rkey = key; }
	template <class Q, class A> static int call(Q *sq, const A *args)
	{
		return segue_post_send_inv(sq, args);
	}
	template <class T> void after(Ends<T> &r, const segue_wc &wc)
	{
		EXPECT_EQ(key, wc.imm);
		EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR,
			  write_through(r, pair.second, key, 32));
	}

	std::pair<segue_qp *, segue_qp *> pair;
	uint32_t key;
};

template <class T, class K, Payload F> void message(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	using C = Carried<T, F>;
	const uint32_t header = T::from == SEGUE_QP_UD ? SEGUE_GRH_SIZE : 0;
	const std::vector<uint8_t> bytes = C::bytes(r.here);
	segue_seg_data list[2];
	K kind;

	kind.prepare(r);
	r.receive(LANDING, 8000);
	r.template post<typename K::template Args<Q>>(
		[&](auto *sq) { return C::post(r.here, r.to(kind.begin(sq))); },
		[&](auto &args) {
			T::address(r.peer, args);
			kind.fill(args);
			give<T, F>(r.here, args, list);
		},
		[](auto *sq, auto *args) { return K::call(sq, args); });
	for (const segue_wc &wc : r.take(2)) {
		ASSERT_EQ(0, wc.syndrome) << r.explained(wc);
		if (!segue_wc_is_receive(&wc)) {
			EXPECT_EQ(SEND_ID, wc.wr_id);
			continue;
		}
		EXPECT_EQ(RECV_ID, wc.wr_id);
		EXPECT_EQ(header + bytes.size(), wc.byte_len);
		EXPECT_EQ(K::flags, wc.flags);
		kind.after(r, wc);
	}
	/* A route header, or what stands for one, is not part of the message. */
	r.there.put(LANDING, r.there.bytes + LANDING, header);
	r.there.put(LANDING + header, bytes.data(), bytes.size());
	r.compare();
}

// An RDMA WRITE; with immediate data the peer learns of it.
template <class T, bool IMMEDIATE, Payload F> void write(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	using C = Carried<T, F>;
	constexpr Payload LISTED = F == INLINE ? LIST : F; // inlined writes are the builders' alone
	const std::vector<uint8_t> bytes = C::bytes(r.here);
	const auto address = [&](auto &args) {
		T::address(r.peer, args);
		args.remote_addr = r.there.at(LANDING);
		args.rkey = r.there.rkey();
	};
	segue_seg_data list[2];

	if constexpr (IMMEDIATE) {
		r.receive(20000, 64);
		r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_rdma_write_imm)>(
			[&](auto *sq) {
				return C::post(
					r.here,
					segue_raddr(r.to(segue_rdma_write_imm(sq, SEND_ID,
									      SEGUE_SIGNALED, IMM)),
						    r.there.at(LANDING), r.there.rkey()));
			},
			[&](auto &args) {
				address(args), args.imm = IMM, give<T, LISTED>(r.here, args, list);
			},
			[](auto *sq, auto *args) { return segue_post_rdma_write_imm(sq, args); });
		for (const segue_wc &wc : r.take(2)) {
			ASSERT_EQ(0, wc.syndrome) << r.explained(wc);
			if (!segue_wc_is_receive(&wc))
				continue;
			EXPECT_EQ(IMM, wc.imm);
			EXPECT_EQ(SEGUE_WC_IMM, wc.flags);
			EXPECT_EQ(bytes.size(), wc.byte_len);
		}
	} else {
		r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_rdma_write)>(
			[&](auto *sq) {
				return C::post(r.here,
					       segue_raddr(r.to(segue_rdma_write(sq, SEND_ID,
										 SEGUE_SIGNALED)),
							   r.there.at(LANDING), r.there.rkey()));
			},
			[&](auto &args) { address(args), give<T, LISTED>(r.here, args, list); },
			[](auto *sq, auto *args) { return segue_post_rdma_write(sq, args); });
		r.complete({SEND_ID});
	}
	r.there.put(LANDING, bytes.data(), bytes.size());
	r.compare(T::from == SEGUE_QP_UC); // nobody tells when an unreliable write has arrived
}

// Reads land in two pieces.
template <class T> void read(Ends<T> &r)
{
	using Q = std::remove_pointer_t<decltype(r.sq())>;
	const segue_seg_data list[2] = {r.here.piece(300, 1000), r.here.piece(12000, 4999)};

	r.template post<ARGS(static_cast<Q *>(nullptr), segue_post_rdma_read)>(
		[&](auto *sq) {
			return segue_post(segue_sge_list(
				segue_raddr(r.to(segue_rdma_read(sq, SEND_ID, SEGUE_SIGNALED)),
					    r.there.at(777), r.there.rkey()),
				list, 2));
		},
		[&](auto &args) {
			T::address(r.peer, args);
			args.remote_addr = r.there.at(777);
			args.rkey = r.there.rkey();
			args.sges = list;
			args.sge_count = 2;
		},
		[](auto *sq, auto *args) { return segue_post_rdma_read(sq, args); });
	r.complete({SEND_ID});
	r.here.put(300, r.there.bytes + 777, 1000);
	r.here.put(12000, r.there.bytes + 1777, 4999);
	r.compare();
}

// libmlx5 inlines all or nothing; and mlx5dv.h has no address vectors that it does not have to be
// given whole.
template <class T> Names of_both()
{
	const bool addressed = *T::av && std::string(T::av).find("compact") == std::string::npos;

	return addressed ? Names{} : Names{MLX5DV};
}

template <class T, class K> void add_message(const char *request)
{
	Entries<T>()
		.by(of_both<T>())
		.add(request, Carried<T, INLINE_AND_LIST>::uses(), message<T, K, INLINE_AND_LIST>)
		.by(libmlx5_for<T>())
		.add(request, Carried<T, LIST>::uses(), message<T, K, LIST>)
		.add(request, Carried<T, INLINE>::uses(), message<T, K, INLINE>)
		.add(request, {}, message<T, K, NOTHING>);
}

template <class T, bool IMMEDIATE> void add_write(const char *request)
{
	Entries<T>()
		.by(libmlx5_for<T>())
		.add(request, Carried<T, LIST>::uses(), write<T, IMMEDIATE, LIST>)
		.add(request, Carried<T, INLINE>::uses(), write<T, IMMEDIATE, INLINE>, false)
		.add(request, {}, write<T, IMMEDIATE, NOTHING>);
}

template <class T> void add_connected()
{
	add_message<T, SendInv>("send_inv");
	add_write<T, false>("rdma_write");
	add_write<T, true>("rdma_write_imm");
}

template <class... T> bool add_all()
{
	(add_message<T, Send>("send"), ...);
	(add_message<T, SendImm>("send_imm"), ...);
	return true;
}

template <class... T> bool add_reliable()
{
	(Entries<T>().by(libmlx5_for<T>()).add("rdma_read", {"data"}, read<T>), ...);
	return true;
}

const bool added = add_all<Rc, Uc, Ud, UdCompact, Xrc, Dc, DcCompact>() &&
		   add_reliable<Rc, Xrc, Dc, DcCompact>() &&
		   (add_connected<Rc>(), add_connected<Uc>(), add_connected<Xrc>(),
		    add_connected<Dc>(), add_connected<DcCompact>(), true);

} // namespace
} // namespace requests
