// SPDX-License-Identifier: BSD-2-Clause
// The transports as types: what is different between them, and nothing else.
#ifndef SEGUE_TESTS_REQUESTS_TRANSPORTS_H
#define SEGUE_TESTS_REQUESTS_TRANSPORTS_H

#include "tests/requests/rig.h"

namespace requests {

constexpr uint64_t DC_KEY = UINT64_C(0x1234567890abcdef);
constexpr uint32_t QKEY = 0x11111111;

// What names the peer in a request.
struct Peer {
	const segue_address_vector *ah = nullptr;
	segue_address_vector_compact compact = {};
	uint32_t number = 0; // of the queue pair, or of its shared receive queue
};

struct Connected {
	static constexpr const char *av = "";
	template <class B> static B to(const Peer &, B b) { return b; }
	template <class A> static void address(const Peer &, A &) {}
};

struct Rc : Connected {
	static constexpr const char *name = "rc";
	static constexpr segue_qp_type from = SEGUE_QP_RC, at = SEGUE_QP_RC;
	static segue_rc_sq *sq(segue_qp *qp)
	{
		return segue_qp_rc_sq(qp);
	}
};

struct Uc : Connected {
	static constexpr const char *name = "uc";
	static constexpr segue_qp_type from = SEGUE_QP_UC, at = SEGUE_QP_UC;
	static segue_uc_sq *sq(segue_qp *qp)
	{
		return segue_qp_uc_sq(qp);
	}
};

struct Xrc {
	static constexpr const char *name = "xrc_initiator", *av = "";
	static constexpr segue_qp_type from = SEGUE_QP_XRC_INITIATOR, at = SEGUE_QP_XRC_TARGET;
	static segue_xrc_initiator_sq *sq(segue_qp *qp)
	{
		return segue_qp_xrc_initiator_sq(qp);
	}
	template <class B> static auto to(const Peer &peer, B b)
	{
		return segue_xrc(b, peer.number);
	}
	template <class A> static void address(const Peer &peer, A &args)
	{
		args.xrc_srqn = peer.number;
	}
};

struct AnyUd {
	static constexpr const char *name = "ud";
	static constexpr segue_qp_type from = SEGUE_QP_UD, at = SEGUE_QP_UD;
	static segue_ud_sq *sq(segue_qp *qp)
	{
		return segue_qp_ud_sq(qp);
	}
	template <class A> static void address(const Peer &peer, A &args)
	{
		args.address_vector = peer.ah;
		args.dqp_dct = peer.number;
		args.qkey = QKEY;
	}
};

struct Ud : AnyUd {
	static constexpr const char *av = "av_ud";
	template <class B> static auto to(const Peer &peer, B b)
	{
		return segue_av(b, peer.ah, peer.number, QKEY);
	}
};

struct UdCompact : AnyUd {
	static constexpr const char *av = "av_ud_compact";
	template <class B> static auto to(const Peer &peer, B b)
	{
		return segue_av_compact(b, &peer.compact, peer.number, QKEY);
	}
};

struct AnyDc {
	static constexpr const char *name = "dci";
	static constexpr segue_qp_type from = SEGUE_QP_DCI, at = SEGUE_QP_DCT;
	static segue_dci_sq *sq(segue_qp *qp)
	{
		return segue_qp_dci_sq(qp);
	}
	template <class A> static void address(const Peer &peer, A &args)
	{
		args.address_vector = peer.ah;
		args.dqp_dct = peer.number;
		args.dc_key = DC_KEY;
	}
};

struct Dc : AnyDc {
	static constexpr const char *av = "av_dc";
	template <class B> static auto to(const Peer &peer, B b)
	{
		return segue_av(b, peer.ah, peer.number, DC_KEY);
	}
};

struct DcCompact : AnyDc {
	static constexpr const char *av = "av_dc_compact";
	template <class B> static auto to(const Peer &peer, B b)
	{
		return segue_av_compact(b, &peer.compact, peer.number, DC_KEY);
	}
};

struct Raw : Connected {
	static constexpr const char *name = "raw_packet";
	static constexpr segue_qp_type from = SEGUE_QP_RAW_PACKET, at = SEGUE_QP_RAW_PACKET;
	static segue_raw_packet_sq *sq(segue_qp *qp)
	{
		return segue_qp_raw_packet_sq(qp);
	}
};

// A requester and a responder of one transport.
template <class T> class Ends : public Rig {
public:
	using Do = void (*)(Ends &);

	Ends(const Recipe &said, Do function) : Rig(said), body(function) {}

	void TestBody() override
	{
		if (fits_link())
			body(*this);
	}

	auto *sq() { return T::sq(a); }
	template <class B> auto to(B b) { return T::to(peer, b); }

	/*
	 * Posts the request in the recipe's way, and looks at what was posted. The one-call form
	 * gets arguments with wr_id, flags and the peer filled in.
	 */
	template <class Args, class Build, class Fill, class Call>
	void post(Build build, Fill fill, Call call, uint32_t flags = SEGUE_SIGNALED)
	{
		auto *queue = sq();
		const uint32_t pi = queue->sq.pi;

		if (recipe.how == How::BUILDER) {
			ASSERT_OK(build(queue));
		} else {
			Args args = {};

			args.wr_id = SEND_ID;
			args.flags = flags;
			fill(args);
			ASSERT_OK(call(queue, &args));
		}
		saw(&queue->sq, pi);
	}

	// A receive of `length` bytes at `offset` there.
	void receive(size_t offset, uint32_t length)
	{
		ASSERT_OK(srq ? segue_post(segue_sge(segue_recv(srq, RECV_ID), there.at(offset),
						     length, there.lkey()))
			      : segue_post(segue_sge(segue_recv(segue_qp_rq(b), RECV_ID),
						     there.at(offset), length, there.lkey())));
	}

	// Another requester, and who gets its messages: the same responder where there are no
	// connections.
	void open_pair(const segue_qp_options &options, segue_qp **from, segue_qp **end)
	{
		const segue_path nowhere = datagram_path();

		ASSERT_OK(segue_qp_open(pd, &options, from));
		*end = b;
		if (connected) {
			ASSERT_NO_FATAL_FAILURE(open_responder(end));
			ASSERT_NO_FATAL_FAILURE(connect(*from, *end));
		} else {
			ASSERT_OK(segue_qp_connect(*from, &nowhere));
		}
	}

	segue_qp *a = nullptr, *b = nullptr;
	segue_srq *srq = nullptr;
	Peer peer;

protected:
	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Rig::SetUp());
		if (fits_link()) {
			ASSERT_NO_FATAL_FAILURE(make());
		}
	}

private:
  static constexpr bool connected = T::at != SEGUE_QP_UD && T::at != SEGUE_QP_DCT &&
				    T::at != SEGUE_QP_RAW_PACKET;

  void make();
  void open_responder(segue_qp **out);
  void open_shared()
  {
	  segue_srq_options options = {};

	  options.max_wr = 16;
	  options.max_sge = 2;
	  options.xrcd = xrcd;
	  options.cq = xrcd ? cq : nullptr;
	  ASSERT_OK(segue_srq_open(pd, &options, &srq));
	}
	// A path without connection: datagrams, DC.
	segue_path datagram_path()
	{
		segue_path path = path_to(0);

		path.qkey = QKEY;
		return path;
	}
	void address()
	{
		const segue_path path = datagram_path();
		segue_ah *opened;

		for (segue_qp *qp : {a, b})
			ASSERT_OK(segue_qp_connect(qp, &path));
		if (T::at == SEGUE_QP_RAW_PACKET)
			return; // each frame has its own
		ASSERT_OK(segue_ah_open(pd, &path, &opened));
		peer.ah = segue_ah_av(opened);
		this->destination = segue_ah_ibv(opened);
		if (std::string(T::av).find("compact") != std::string::npos) {
			ASSERT_OK(segue_ah_av_compact(opened, &peer.compact));
		}
		peer.number = segue_qp_number(b);
	}

	const Do body;
	segue_xrcd *xrcd = nullptr;
};

template <class T> void Ends<T>::open_responder(segue_qp **out)
{
	segue_qp_options options = options_of(T::at);

	if (T::at == SEGUE_QP_XRC_TARGET && !xrcd) {
		ASSERT_OK(segue_xrcd_open(device, -1, &xrcd));
	}
	if ((T::at == SEGUE_QP_XRC_TARGET || T::at == SEGUE_QP_DCT) && !srq) {
		ASSERT_NO_FATAL_FAILURE(open_shared());
	}
	options.xrcd = xrcd;
	if (T::at == SEGUE_QP_DCT) {
		options.recv_cq = cq;
		options.srq = srq;
		options.dc_key = DC_KEY;
	}
	ASSERT_OK(segue_qp_open(pd, &options, out));
}

template <class T> void Ends<T>::make()
{
	segue_qp_options options = options_of(T::from);

	ASSERT_NO_FATAL_FAILURE(open_responder(&b));
	if (T::from == SEGUE_QP_RAW_PACKET)
		options.recv_cq = open_cq();
	ASSERT_OK(segue_qp_open(pd, &options, &a));
	if (connected) {
		ASSERT_NO_FATAL_FAILURE(connect(a, b));
	} else {
		ASSERT_NO_FATAL_FAILURE(address());
	}
	if (T::at == SEGUE_QP_XRC_TARGET)
		peer.number = segue_srq_number(srq);
}

// libmlx5 writes no short address vectors.
template <class T> Names libmlx5_for()
{
	return {std::string(T::av).find("compact") == std::string::npos ? LIBMLX5 : MLX5DV};
}

// How a family of recipes is entered into the list, for one transport.
template <class T> class Entries {
public:
	// `uses`: optional segments, those of the address left out.
  Entries &add(const char *request, Names uses, typename Ends<T>::Do body, bool one_call = true)
  {
	  if (*T::av && addressed)
		  uses.insert(T::av);
	  for (How how : {How::BUILDER, How::ONE_CALL}) {
		  if (how == How::ONE_CALL &&
		      (!one_call || wrong ||
		       std::string(T::av).find("compact") != std::string::npos))
			  continue;
		  recipes().push_back(
			  {T::name, request, uses, how, link_of(), oracles,
			   [body](const Recipe &said) { return new Ends<T>(said, body); }, wrong,
			   beside});
	  }
	  return *this;
	}
	// Whom they ask.
	Entries &by(const Names &whom)
	{
		oracles = whom;
		return *this;
	}
	// One thing is wrong with them.
	Entries &refused()
	{
		wrong = true;
		return *this;
	}
	// They show that besides.
	Entries &besides(const char *what)
	{
		beside = what;
		return *this;
	}
	// The device has it on one link only.
	Entries &on(const char *link)
	{
		only = link;
		return *this;
	}
	// Requests that name no peer.
	Entries &local()
	{
		addressed = false;
		return *this;
	}

private:
	const char *link_of() const
	{
		if (*only)
			return only;
		if (T::from == SEGUE_QP_RAW_PACKET)
			return "roce";
		return std::string(T::av).find("compact") != std::string::npos ? "ib" : "";
	}
	bool addressed = true, wrong = false;
	Names oracles;
	const char *only = "", *beside = "";
};

} // namespace requests

#endif
