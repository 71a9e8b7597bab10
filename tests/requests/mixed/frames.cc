// SPDX-License-Identifier: BSD-2-Clause
// Ethernet frames by raw packet queue pairs, steered by their destination: into receives, or into
// strides that several frames share.
#include <unistd.h>

#include "segue/raw_packet.h"
#include "tests/requests/internet.h"
#include "tests/requests/mixed/waits.h"
#include "tests/requests/receive_place.h"

namespace requests {
namespace {

constexpr uint32_t INLINED = 18, SHORTEST = 60, MOST_SEGMENTS = 3;
constexpr uint8_t SUMS = SEGUE_ETH_CS_FLAG_L3_CSUM | SEGUE_ETH_CS_FLAG_L4_CSUM;

class Frames : public Pair {
public:
  // Frames reach every port of the machine that wants them, so another run has other addresses.
  Frames(Mixed &t, uint32_t n)
      : Pair(t, n), destination{0x06,
				(uint8_t)(getpid() >> 16),
				(uint8_t)(getpid() >> 8),
				(uint8_t)getpid(),
				(uint8_t)t.below(256),
				(uint8_t)n}
  {
	  reliable = false;
	  stamp_at = ETHERNET;
	  shortest = SHORTEST;
	  longest = SLOT - 8;
	}
	bool has(Kind kind) const override
	{
		return kind == SEND || kind == NOTHING || (kind == WAIT && !waited) ||
		       (kind == CUT && coming.size() + MOST_SEGMENTS < posted.size());
	}
	Wrong wrong_of(Kind kind) override { return kind == SEND ? LOCAL_KEY : NONE; }

	void open() override
	{
		fill();
		memcpy(header, destination, sizeof(destination));
		header[6] = 2;
		header[12] = EXPERIMENTAL >> 8;
		header[13] = EXPERIMENTAL & 0xff;
		for (uint32_t slot = 0; slot <= BATCH; slot++)
			here.store(MESSAGES + slot * SLOT, header, sizeof(header));
		a = ready(test.spare_cq);
		test.covered.add("raw_packet", &segue_qp_raw_packet_sq(a)->sq);
		ASSERT_NO_FATAL_FAILURE(open_receiver());
		refill();
	}
	int post_receive(const Receive &r) override
	{
		return segue_post(segue_sge(segue_recv(segue_qp_rq(b), r.wr_id), there.at(r.at),
					    SLOT, there.key));
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
		segue_raw_packet_sq *const sq = segue_qp_raw_packet_sq(a);
		const auto same = [](auto begun) { return begun; };
		const bool tagged = kind == SEND && !test.below(3),
			   inlined = with == NONE && !tagged && !test.below(3);
		const uint32_t length = inlined ? SHORTEST + test.below(16)
						: shortest + test.below(longest - shortest + 1);
		const size_t at = MESSAGES + slot * SLOT;

		before = after = nullptr;
		if (kind == NOTHING)
			return post_nothing(*this, sq, wr_id, SEGUE_SIGNALED, same);
		if (kind == WAIT)
			return post_wait(*this, sq, wr_id, same);
		if (kind == CUT)
			return post_cut(wr_id, slot);
		std::vector<uint8_t> bytes = stamped(slot, length);

		if (tagged) { // the device puts a tag behind the addresses
			const uint16_t tag = 0x6000 | (uint16_t)test.below(0x1000);

			bytes.insert(bytes.begin() + 12,
				     {0x81, 0, (uint8_t)(tag >> 8), (uint8_t)tag});
			model(with, bytes);
			return segue_post(segue_sge(
				segue_eth_vlan(segue_send(sq, wr_id, SEGUE_SIGNALED), 0, tag),
				here.at(at), length, with == LOCAL_KEY ? NOBODYS_KEY : here.key));
		}
		auto frame = segue_eth(segue_send(sq, wr_id, SEGUE_SIGNALED), 0, here.bytes + at,
				       INLINED);

		model(with, bytes);
		return inlined ? segue_post(segue_inline_data(frame, here.bytes + at + INLINED,
							      length - INLINED))
			       : segue_post(segue_sge(frame, here.at(at + INLINED),
						      length - INLINED,
						      with == LOCAL_KEY ? NOBODYS_KEY : here.key));
	}

protected:
	void model(Wrong with, const std::vector<uint8_t> &bytes)
	{
		if (with == NONE)
			after = [this, bytes] { expect({0, bytes, true, 0, 0, 0, false, false}); };
	}

	// A message of TCP that the device cuts into two or three frames, each with headers of its
	// own and a stamp in front.
	int post_cut(uint64_t wr_id, uint32_t slot)
	{
		segue_raw_packet_sq *const sq = segue_qp_raw_packet_sq(a);
		const bool inlined = test.below(2);
		const uint32_t count = 2 + test.below(MOST_SEGMENTS - 1),
			       mss = inlined ? 10 + test.below(10) : 10 + test.below(200);
		const uint32_t last = 8 + test.below(mss - 7), payload = (count - 1) * mss + last;
		const size_t at = MESSAGES + slot * SLOT + HEADERS;
		std::vector<Message> frames;
		uint8_t headers[HEADERS];

		memcpy(headers, header, ETHERNET);
		headers[12] = 8, headers[13] = 0; // IPv4
		lay_tcp(headers + ETHERNET, payload);
		for (uint32_t i = 0; i < count; i++) {
			const uint32_t size = i + 1 == count ? last : mss;
			uint8_t number_of[8];

			segue_put_be64(number_of, ++stamp);
			here.store(at + i * mss, number_of, sizeof(number_of));
			std::vector<uint8_t> frame(headers, headers + HEADERS);

			frame.insert(frame.end(), here.bytes + at + i * mss,
				     here.bytes + at + i * mss + size);
			lay_segment(frame.data() + ETHERNET, i, i * mss, size, i + 1 == count);
			frames.push_back({stamp, frame, true, 0, 0, 0, false, false});
		}
		after = [this, frames] {
			for (const Message &frame : frames)
				expect(frame);
		};
		auto cut = segue_eth(segue_tso(sq, wr_id, SEGUE_SIGNALED), SUMS, (uint16_t)mss,
				     headers, HEADERS);

		return inlined ? segue_post(segue_inline_data(cut, here.bytes + at, payload))
			       : segue_post(segue_sge(cut, here.at(at), payload, here.key));
	}

	segue_qp *ready(segue_cq *recv_cq)
	{
		segue_qp_options options = test.options_for(SEGUE_QP_RAW_PACKET);
		segue_path path = test.path_to(0);

		options.recv_cq = recv_cq;
		options.max_recv_wr = 16;
		options.max_recv_sge = 1;
		options.max_inline = 128;
		options.max_wqe_units = 24;
		segue_qp *const qp = test.open_qp(options);

		EXPECT_OK(segue_qp_connect(qp, &path));
		return qp;
	}
	virtual void open_receiver()
	{
		b = ready(test.cq);
		const segue_flow_rule rule = to_here();
		segue_flow *flow;

		ASSERT_OK(segue_flow_open_to_qp(b, &rule, &flow));
	}
	segue_flow_rule to_here() const
	{
		segue_flow_rule rule = {};

		rule.port = 1;
		memcpy(rule.dst_mac, destination, sizeof(destination));
		return rule;
	}

	const uint8_t destination[6];
	uint8_t header[ETHERNET] = {};
};

constexpr uint32_t LOG_STRIDE = 7, LOG_STRIDES = 3, STRIDE = 1u << LOG_STRIDE,
		   STRIDES = 1u << LOG_STRIDES;
static_assert(STRIDE * STRIDES == SLOT, "a buffer is a slot");

/*
 * The frames of a buffer lie one behind the other, each from the beginning of a stride; one that
 * does not fit into what is left begins the next buffer.
 */
class Strides : public Frames {
public:
	using Frames::Frames;

	// In one piece or two.
	int post_receive(const Receive &r) override
	{
		segue_mprq *const mprq = segue_striding_mprq(striding);
		const uint8_t *const wqe = next_of(mprq);
		const uint32_t first = SLOT / 4;
		const int ret = test.below(2)
					? segue_post(segue_sge(segue_recv(mprq, r.wr_id),
							       there.at(r.at), SLOT, there.key))
					: segue_post(segue_sge(
						  segue_sge(segue_recv(mprq, r.wr_id),
							    there.at(r.at), first, there.key),
						  there.at(r.at + first), SLOT - first, there.key));

		if (!ret && received < 100)
			test.covered.look(segue_mprq_machine, wqe, mprq->srq.ring.stride);
		return ret;
	}
	bool fits() const override { return coming.size() + 1 < posted.size(); }
	bool has(Kind kind) const override
	{
		return Frames::has(kind) &&
		       (kind != CUT || coming.size() + MOST_SEGMENTS + 1 < posted.size());
	}
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
		EXPECT_TRUE(!skipped || used > skipped)
			<< "strides were skipped, and the frame would have fitted";
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
		options.max_sge = 2;
		options.log_stride = LOG_STRIDE;
		options.log_strides = LOG_STRIDES;
		ASSERT_OK(segue_striding_open(test.pd, &options, &striding));
		test.poll_also(options.cq);
		const segue_flow_rule rule = to_here();
		segue_flow *flow;

		ASSERT_OK(segue_flow_open_to_striding(striding, &rule, &flow));
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
