// SPDX-License-Identifier: BSD-2-Clause
#include "tests/requests/offers.h"

#include <map>

#include "tests/requests/demands.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

// The member that stands for a segment, if the arguments have it.
#define MEMBER(name)                                                             \
	template <class A, class = void> struct has_##name : std::false_type {   \
	};                                                                       \
	template <class A>                                                       \
	struct has_##name<A, std::void_t<decltype(&A::name)>> : std::true_type { \
	};
MEMBER(sges)
MEMBER(inline_data)
MEMBER(fillers)
MEMBER(ah)

template <class A> Names segments_of()
{
	Names names;

	if (has_sges<A>::value)
		names.insert("data");
	if (has_inline_data<A>::value)
		names.insert("inline_data");
	if (has_fillers<A>::value)
		names.insert("filler");
	if (has_ah<A>::value)
		names.insert({"av_dc", "av_ud"});
	return names;
}

// The one-call post of that name, where the queue has it.
#define CALL(name)                                                                            \
	template <class Q, class = void> struct name##_of {                                   \
		static Names segments()                                                       \
		{                                                                             \
			return {};                                                            \
		}                                                                             \
	};                                                                                    \
	template <class Q>                                                                    \
	struct name##_of<Q, std::void_t<decltype(seguei_args_of<Q>(segue_post_##name))>> {    \
		static Names segments()                                                       \
		{                                                                             \
			return segments_of<decltype(seguei_args_of<Q>(segue_post_##name))>(); \
		}                                                                             \
	};
#define CALLS(X)                                                                               \
	X(send)                                                                                \
	X(send_imm)                                                                            \
	X(send_inv) X(rdma_write) X(rdma_write_imm) X(rdma_read) X(nop) X(tso) X(atomic_cs)    \
		X(atomic_fa) X(masked_atomic_cs32) X(masked_atomic_cs64) X(masked_atomic_fa32) \
			X(masked_atomic_fa64) X(recv)
CALLS(CALL)

using Offers = std::map<std::pair<std::string, std::string>, Names>;

template <class Q> void add_queue(Offers &all, const char *queue)
{
#define ADD(name) all[{queue, #name}] = name##_of<Q>::segments();
	CALLS(ADD)
}

const Offers &offers()
{
	static const Offers all = [] {
		Offers found;

		add_queue<segue_rc_sq>(found, "rc");
		add_queue<segue_uc_sq>(found, "uc");
		add_queue<segue_ud_sq>(found, "ud");
		add_queue<segue_dci_sq>(found, "dci");
		add_queue<segue_xrc_initiator_sq>(found, "xrc_initiator");
		add_queue<segue_raw_packet_sq>(found, "raw_packet");
		add_queue<segue_rq>(found, "rq");
		add_queue<segue_srq>(found, "srq");
		return found;
	}();

	return all;
}

} // namespace

bool is_offered(const std::string &queue, const std::string &request, const std::string &segment)
{
	/* One call receives on all kinds of queues; the requests are recv_rq, recv_srq, ... */
	const std::string call = request.rfind("recv_", 0) == 0 ? "recv" : request;
	const auto found = offers().find({queue, call});

	return found != offers().end() && found->second.count(segment);
}

} // namespace requests
