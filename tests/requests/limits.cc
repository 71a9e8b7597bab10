// SPDX-License-Identifier: BSD-2-Clause
// The largest requests that a queue was opened for are carried out, and one piece or byte more is
// refused before it is posted: on each transport.
#include "tests/requests/frames.h"

namespace requests {
namespace {

constexpr uint32_t UNITS = 63, UNIT = 16; // of Rig::options_of()
constexpr uint32_t LENGTH_BYTES = 4;	  // in front of inline payload
constexpr size_t TO = 512;

// What stands before the payload, in units: control, address, remote address.
template <class T> constexpr uint32_t HEAD = 0;
template <> constexpr uint32_t HEAD<Rc> = 2;
template <> constexpr uint32_t HEAD<Uc> = 2;
template <> constexpr uint32_t HEAD<Xrc> = 3;
template <> constexpr uint32_t HEAD<Dc> = 5;
template <> constexpr uint32_t HEAD<DcCompact> = 3;
template <> constexpr uint32_t HEAD<Ud> = 4;
template <> constexpr uint32_t HEAD<UdCompact> = 2;
template <> constexpr uint32_t HEAD<Raw> = 3;

// Those that need a receive, and what arrives in front of their payload: a route header, or the
// part of a frame that stands in its Ethernet segment.
template <class T>
constexpr bool message = T::from == SEGUE_QP_UD || T::from == SEGUE_QP_RAW_PACKET;
constexpr uint32_t INLINED = 18;
template <class T>
constexpr uint32_t FRONT = T::from == SEGUE_QP_UD	    ? SEGUE_GRH_SIZE
			   : T::from == SEGUE_QP_RAW_PACKET ? INLINED
							    : 0;

template <class T>
const char *const LINK = T::from == SEGUE_QP_RAW_PACKET				   ? "roce"
			 : std::string(T::av).find("compact") != std::string::npos ? "ib"
										   : "";
template <class T>
const Recipe said_of = {T::name, message<T> ? "send" : "rdma_write", {}, How::BUILDER, LINK<T>, {},
			nullptr};

template <class T> class Limits : public Ends<T> {
protected:
	Limits() : Ends<T>(said_of<T>, nullptr) {}

	void SetUp() override
	{
		ASSERT_NO_FATAL_FAILURE(Ends<T>::SetUp());
		if (T::from == SEGUE_QP_RAW_PACKET)
			lay_frame(this->here, EXPERIMENTAL);
	}
	auto begun(uint64_t wr_id)
	{
		if constexpr (T::from == SEGUE_QP_RAW_PACKET)
			return segue_eth(segue_send(this->sq(), wr_id, SEGUE_SIGNALED), 0,
					 this->here.bytes, INLINED);
		else if constexpr (message<T>)
			return this->to(segue_send(this->sq(), wr_id, SEGUE_SIGNALED));
		else
			return segue_raddr(
				this->to(segue_rdma_write(this->sq(), wr_id, SEGUE_SIGNALED)),
				this->there.at(TO), this->there.rkey());
	}
	// One that is posted: `bytes` arrive, and nothing else.
	template <class Post> void carried(Post post, const std::vector<uint8_t> &bytes)
	{
		const uint32_t pi = this->sq()->sq.pi;
		std::unique_ptr<Steered> steered;

		if (message<T>) {
			ASSERT_NO_FATAL_FAILURE(this->receive(TO - FRONT<T>, 8000));
		}
		if (T::from == SEGUE_QP_RAW_PACKET)
			steered = std::make_unique<Steered>(this->b);
		ASSERT_OK(post());
		this->saw(&this->sq()->sq, pi);
		this->complete(message<T> ? std::vector<uint64_t>{SEND_ID, RECV_ID}
					  : std::vector<uint64_t>{SEND_ID});
		if (T::from == SEGUE_QP_RAW_PACKET)
			this->there.put(TO - FRONT<T>, this->here.bytes, FRONT<T>);
		else /* a route header, or what stands for one */
			this->there.put(TO - FRONT<T>, this->there.bytes + TO - FRONT<T>, FRONT<T>);
		this->there.put(TO, bytes.data(), bytes.size());
		this->compare(T::from == SEGUE_QP_UC);
	}
	template <class Post> void refused(Post post, int ret)
	{
		const uint32_t pi = this->sq()->sq.pi;

		EXPECT_EQ(ret, post());
		EXPECT_EQ(pi, this->sq()->sq.pi);
		EXPECT_STRNE("", segue_errmsg());
	}
};

using All = ::testing::Types<Rc, Uc, Xrc, Dc, DcCompact, Ud, UdCompact, Raw>;
TYPED_TEST_SUITE(Limits, All, );

TYPED_TEST(Limits, Pieces)
{
	if (!this->fits_link()) {
		this->walked = true;
		return;
	}
	constexpr uint32_t MOST = UNITS - HEAD<TypeParam>;
	std::vector<segue_seg_data> list(1000);
	std::vector<uint8_t> bytes;

	for (uint32_t i = 0; i <= MOST; i++) {
		list[i] = this->here.piece(20 * i, 3 + i % 5);
		if (i < MOST)
			bytes.insert(bytes.end(), this->here.bytes + 20 * i,
				     this->here.bytes + 20 * i + list[i].byte_count);
	}
	this->refused(
		[&] {
			return segue_post(
				segue_sge_list(this->begun(SEND_ID), list.data(), MOST + 1));
		},
		-EMSGSIZE);
	EXPECT_SAYS("than the 63 units");
	this->carried(
		[&] { return segue_post(segue_sge_list(this->begun(SEND_ID), list.data(), MOST)); },
		bytes);
	this->refused(
		[&] { return segue_post(segue_sge_list(this->begun(SEND_ID), list.data(), 1000)); },
		-EMSGSIZE);
}

TYPED_TEST(Limits, InlineBytes)
{
	if (!this->fits_link()) {
		this->walked = true;
		return;
	}
	constexpr uint32_t MOST = (UNITS - HEAD<TypeParam>)*UNIT - LENGTH_BYTES;
	const std::vector<uint8_t> bytes(this->here.bytes + 100, this->here.bytes + 100 + MOST);

	this->refused(
		[&] {
			return segue_post(segue_inline_data(this->begun(SEND_ID),
							    this->here.bytes + 100, MOST + 1));
		},
		-EMSGSIZE);
	this->carried(
		[&] {
			return segue_post(segue_inline_data(this->begun(SEND_ID),
							    this->here.bytes + 100, MOST));
		},
		bytes);
	// More than its length field holds. As a constant it does not compile.
	const volatile uint32_t more = 1024;

	this->refused(
		[&] {
			return segue_post(segue_inline_data(this->begun(SEND_ID),
							    this->here.bytes + 100, more));
		},
		-ERANGE);
	// shorter frames would be padded
	const uint32_t least = TypeParam::from == SEGUE_QP_RAW_PACKET ? 60 - INLINED : 1;

	this->carried(
		[&] {
			return segue_post(segue_inline_data(this->begun(SEND_ID),
							    this->here.bytes + 100, least));
		},
		{bytes.begin(), bytes.begin() + least});
}

// Receives have the room that they were opened for.
class ReceiveLimits : public Ends<Rc> {
protected:
	ReceiveLimits() : Ends<Rc>(said_of<Rc>, nullptr) {}
};

TEST_F(ReceiveLimits, Pieces)
{
	const uint32_t most = segue_qp_rq(b)->ring.stride / UNIT; // a power of two, 4 or more
	std::vector<segue_seg_data> list(most + 1);
	uint32_t length = 0;

	for (uint32_t i = 0; i <= most; i++)
		list[i] = there.piece(TO + 16 * i, 16);
	EXPECT_LT(0, -segue_post(segue_sge_list(segue_recv(segue_qp_rq(b), RECV_ID), list.data(),
						most + 1)));
	EXPECT_STRNE("", segue_errmsg());
	ASSERT_OK(
		segue_post(segue_sge_list(segue_recv(segue_qp_rq(b), RECV_ID), list.data(), most)));
	length = 16 * most;
	ASSERT_OK(segue_post(segue_sge(segue_send(sq(), SEND_ID, SEGUE_SIGNALED), here.at(0),
				       length, here.lkey())));
	complete({SEND_ID, RECV_ID});
	there.put(TO, here.bytes, length);
	compare();
	walked = true;
}

} // namespace
} // namespace requests
