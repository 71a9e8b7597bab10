// SPDX-License-Identifier: BSD-2-Clause
// Ethernet frames by raw packet queue pairs, steered by their destination: into receives, or into strides that several frames share.
#include <infiniband/verbs.h>
#include <unistd.h>

#include "segue/striding.h"
#include "tests/requests/mixed/mixed.h"

namespace requests {
namespace {

constexpr uint32_t ETHERNET = 14, INLINED = 18, SHORTEST = 60;

class Frames : public Pair {
public:
	// Frames reach every port of the machine that wants them, so another run has other addresses.
	Frames(Mixed &t, uint32_t n)
		: Pair(t, n), destination{0x06, (uint8_t)(getpid() >> 16), (uint8_t)(getpid() >> 8), (uint8_t)getpid(), (uint8_t)t.below(256), (uint8_t)n}
	{
		reliable = false;
		stamp_at = ETHERNET;
		shortest = SHORTEST;
		longest = SLOT - 8;
	}
	void close() override { EXPECT_EQ(0, rule ? ibv_destroy_flow(rule) : 0); }

	bool has(Kind kind) const override { return kind == SEND || kind == SEND_INLINE || kind == NOTHING; }
	Wrong wrong_of(Kind kind) override { return kind == SEND ? LOCAL_KEY : NONE; }

	void open() override
	{
		uint8_t header[ETHERNET] = {};

		fill();
		memcpy(header, destination, sizeof(destination));
		header[6] = 2;
		header[12] = 0x88;
		header[13] = 0xb5; // IEEE 802: for local experiments
		for (uint32_t slot = 0; slot <= BATCH; slot++)
			here.store(MESSAGES + slot * SLOT, header, sizeof(header));
		a = ready(test.spare_cq);
		ASSERT_NO_FATAL_FAILURE(open_receiver());
		refill();
	}
	int post_receive(const Receive &r) override
	{
		return segue_post(segue_sge(segue_recv_rq(segue_qp_rq(b), r.wr_id), there.at(r.at), SLOT, there.key));
	}
	// mlx5's kernel driver leads no raw packet queue pair out of SQE, so it begins anew.
	void recover() override
	{
		segue_path path = test.path_to(0);

		ASSERT_OK(segue_qp_reset(a, Mixed::handler, &test));
		ASSERT_OK(segue_qp_connect(a, &path));
	}

	int post(Kind kind, uint64_t wr_id, uint32_t slot, Wrong with) override
	{
		segue_raw_packet_sq *const sq = segue_qp_raw_packet(a);
		const uint32_t length = kind == SEND_INLINE ? SHORTEST + test.below(16) : shortest + test.below(longest - shortest + 1);
		const size_t at = MESSAGES + slot * SLOT;

		after = nullptr;
		if (kind == NOTHING)
			return segue_post(segue_nop(sq, wr_id, SEGUE_SIGNALED));
		const std::vector<uint8_t> bytes = stamped(slot, length);

		if (with == NONE)
			after = [=] { expect({0, bytes, true, 0, 0, 0, false, false}); };
		auto frame = segue_eth(segue_send(sq, wr_id, SEGUE_SIGNALED), 0, here.bytes + at, INLINED);

		return kind == SEND_INLINE ? segue_post(segue_inline_data(frame, here.bytes + at + INLINED, length - INLINED))
					   : segue_post(segue_sge(frame, here.at(at + INLINED), length - INLINED, with == LOCAL_KEY ? NOBODYS_KEY : here.key));
	}

protected:
	segue_qp *ready(segue_cq *recv_cq)
	{
		segue_qp_options options = test.options_for(SEGUE_QP_RAW_PACKET);
		segue_path path = test.path_to(0);
		segue_qp *qp = nullptr;

		options.recv_cq = recv_cq;
		options.max_recv_wr = 16;
		options.max_recv_sge = 1;
		options.max_inline = 128;
		EXPECT_OK(segue_qp_open(test.pd, &options, &qp));
		EXPECT_OK(segue_qp_connect(qp, &path));
		return qp;
	}
	virtual void open_receiver()
	{
		b = ready(test.cq);
		steer(segue_qp_ibv(b));
	}
	void steer(ibv_qp *to)
	{
		struct {
			ibv_flow_attr attr;
			ibv_flow_spec_eth eth;
		} wanted = {};

		wanted.attr.type = IBV_FLOW_ATTR_NORMAL;
		wanted.attr.size = sizeof(wanted);
		wanted.attr.num_of_specs = 1;
		wanted.attr.port = 1;
		wanted.eth.type = IBV_FLOW_SPEC_ETH;
		wanted.eth.size = sizeof(wanted.eth);
		memcpy(wanted.eth.val.dst_mac, destination, sizeof(destination));
		memset(wanted.eth.mask.dst_mac, 0xff, sizeof(destination));
		rule = ibv_create_flow(to, &wanted.attr);
		ASSERT_NE(nullptr, rule) << strerror(errno);
	}

	ibv_flow *rule = nullptr;
	const uint8_t destination[6];
};

constexpr uint32_t LOG_STRIDE = 7, LOG_STRIDES = 3, STRIDE = 1u << LOG_STRIDE, STRIDES = 1u << LOG_STRIDES;
static_assert(STRIDE * STRIDES == SLOT, "a buffer is a slot");

/*
 * The frames of a buffer lie one behind the other, each from the beginning of a stride; one that does not fit into what is left begins the next
 * buffer.
 */
class Strides : public Frames {
public:
	using Frames::Frames;

	int post_receive(const Receive &r) override
	{
		return segue_post(segue_sge(segue_recv_mprq(segue_striding_mprq(striding), r.wr_id), there.at(r.at), SLOT, there.key));
	}
	bool fits() const override { return coming.size() + 1 < posted.size(); }
	void take_receive(const segue_wc &wc) override
	{
		ASSERT_FALSE(posted.empty());
		ASSERT_EQ(0, wc.syndrome);
		const Receive buffer = posted.front();

		EXPECT_EQ(buffer.wr_id, wc.wr_id) << "buffers in another order";
		if (wc.flags & SEGUE_WC_LAST_STRIDE)
			posted.pop_front();
		else
			test.receivers[wc.wr_id] = this; // more will come into it
		if (wc.flags & SEGUE_WC_FILLER) {
			EXPECT_TRUE(wc.flags & SEGUE_WC_LAST_STRIDE);
			skipped = STRIDES - next;
			next = 0;
			return;
		}
		const uint32_t used = (wc.byte_len + STRIDE - 1) / STRIDE;

		EXPECT_EQ(next, wc.wqe_counter) << "a frame at another stride";
		EXPECT_TRUE(!skipped || used > skipped) << "strides were skipped, and the frame would have fitted";
		skipped = 0;
		next += used;
		EXPECT_EQ(next == STRIDES, (wc.flags & SEGUE_WC_LAST_STRIDE) != 0);
		land(wc, buffer.at + wc.wqe_counter * STRIDE);
		next %= STRIDES;
	}

protected:
	// The model of one frame: as of any receive, but for the place.
	void land(segue_wc wc, size_t at)
	{
		const Receive place = {wc.wr_id, at};

		posted.push_front(place);
		Pair::take_receive(wc);
	}
	void open_receiver() override
	{
		segue_striding_options options = {};

		options.cq = test.open_cq(2000);
		options.max_wr = RECEIVES;
		options.max_sge = 1;
		options.log_stride = LOG_STRIDE;
		options.log_strides = LOG_STRIDES;
		ASSERT_OK(segue_striding_open(test.pd, &options, &striding));
		test.poll_also(options.cq);
		steer(segue_striding_ibv(striding));
	}

private:
	segue_striding *striding = nullptr;
	uint32_t next = 0, skipped = 0;
};

} // namespace

std::unique_ptr<Pair> make_frames(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Frames(test, number));
}

std::unique_ptr<Pair> make_strides(Mixed &test, uint32_t number)
{
	return std::unique_ptr<Pair>(new Strides(test, number));
}

} // namespace requests
