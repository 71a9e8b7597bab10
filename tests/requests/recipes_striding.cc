// SPDX-License-Identifier: BSD-2-Clause
// Striding receives: several frames share a buffer, and one that does not fit into the rest of it
// begins the next.
#include "segue/raw_packet.h"
#include "tests/requests/receive_place.h"
#include "tests/requests/refusal.h"

namespace requests {
namespace {

constexpr uint32_t LOG_STRIDE = 7, LOG_STRIDES = 3, STRIDE = 1u << LOG_STRIDE,
		   BUFFER = STRIDE << LOG_STRIDES;
constexpr size_t FIRST = 4096, SECOND = 12288, FRAME = 100; // where frames are made
constexpr uint64_t BUFFERS = 50;

struct Strides {
	explicit Strides(Ends<Raw> &rig, bool shift, segue_cq *on = nullptr) : r(rig)
	{
		segue_striding_options options = {};

		options.cq = on ? on : r.open_cq();
		options.max_wr = 4;
		options.max_sge = 2;
		options.log_stride = LOG_STRIDE;
		options.log_strides = LOG_STRIDES;
		options.shift = shift;
		options.context = this;
		cq = options.cq;
		EXPECT_OK(segue_striding_open(r.pd, &options, &striding));
		mprq = segue_striding_mprq(striding);
		segue_flow_rule rule = {};

		rule.port = 1;
		memcpy(rule.dst_mac, address, sizeof(address));
		EXPECT_OK(segue_flow_open_to_striding(striding, &rule, &flow));
	}
	~Strides() { EXPECT_OK(segue_striding_close(striding)); }
	// A frame of `length` bytes, whose first 18 are in the request.
	void send(uint32_t length)
	{
		commit(length);
		segue_ring_doorbell(r.sq());
		r.complete({SEND_ID});
	}
	void commit(uint32_t length)
	{
		uint8_t header[18] = {};

		memcpy(header, address, sizeof(address));
		header[6] = 2;
		header[12] = 0x88;
		header[13] = 0xb5; // IEEE 802: for local experiments
		header[14] = (uint8_t)length;
		r.here.store(FRAME, header, sizeof(header));
		ASSERT_OK(segue_commit(
			segue_sge(segue_eth(segue_send(r.sq(), SEND_ID, SEGUE_SIGNALED), 0, header,
					    sizeof(header)),
				  r.here.at(FRAME + 18), length - 18, r.here.lkey())));
	}
	segue_wc next()
	{
		const std::vector<segue_wc> got = r.take(1, cq);
		const segue_wc none = {};

		EXPECT_EQ(1u, got.size());
		return got.empty() ? none : got[0];
	}
	// The next completion is of that frame, there.
	void lands(uint32_t length, uint64_t buffer, uint16_t stride, bool last, size_t at)
	{
		const segue_wc wc = next();

		EXPECT_EQ(0, wc.syndrome) << r.explained(wc);
		EXPECT_EQ(this, wc.context);
		EXPECT_EQ(buffer, wc.wr_id);
		EXPECT_EQ(length, wc.byte_len);
		EXPECT_EQ(stride, wc.wqe_counter);
		EXPECT_EQ(last, (wc.flags & SEGUE_WC_LAST_STRIDE) != 0);
		EXPECT_EQ(0, wc.flags & SEGUE_WC_FILLER);
		EXPECT_TRUE(segue_wc_is_receive(&wc));
		r.there.put(at, r.here.bytes + FRAME, length);
		r.compare();
	}

	Ends<Raw> &r;
	segue_striding *striding = nullptr;
	segue_mprq *mprq = nullptr;
	segue_cq *cq = nullptr;
	segue_flow *flow = nullptr;
	const uint8_t address[6] = {0x02, 0x11, 0x22, 0x33, 0x44, 0x66};
};

void post(Strides &s, uint64_t wr_id, size_t at)
{
	const segue_seg_data pieces[2] = {s.r.there.piece(at, BUFFER / 2),
					  s.r.there.piece(at + BUFFER / 2, BUFFER / 2)};
	const uint8_t *const wqe = next_of(s.mprq);

	if (s.r.recipe.how == How::BUILDER) {
		ASSERT_OK(segue_post(
			segue_sge_list(segue_sge(segue_recv(s.mprq, wr_id), pieces[0].addr,
						 pieces[0].byte_count, pieces[0].lkey),
				       pieces + 1, 1)));
	} else {
		segue_mprq_recv_args args = {};

		args.wr_id = wr_id;
		args.addr = pieces[0].addr, args.byte_count = pieces[0].byte_count,
		args.lkey = pieces[0].lkey;
		args.sges = pieces + 1;
		args.sge_count = 1;
		ASSERT_OK(segue_post_recv(s.mprq, &args));
	}
	s.r.saw_receive(segue_mprq_machine, wqe, s.mprq->srq.ring.stride);
}

void strides(Ends<Raw> &r)
{
	for (const bool shift : {false, true}) {
		Strides s(r, shift);
		const size_t in = shift ? 2 : 0;

		ASSERT_NO_FATAL_FAILURE(post(s, BUFFERS, FIRST));
		ASSERT_NO_FATAL_FAILURE(post(s, BUFFERS + 1, SECOND));
		s.send(60);
		s.lands(60, BUFFERS, 0, false, FIRST + in);
		s.send(STRIDE * 5 - 10);
		s.lands(STRIDE * 5 - 10, BUFFERS, 1, false, FIRST + STRIDE + in);
		// Two strides are left: what needs three skips them.
		s.send(STRIDE * 2 + 40);
		const segue_wc filler = s.next();

		EXPECT_EQ(BUFFERS, filler.wr_id);
		EXPECT_EQ(0u, filler.byte_len);
		EXPECT_EQ(SEGUE_WC_FILLER | SEGUE_WC_LAST_STRIDE,
			  filler.flags & (SEGUE_WC_FILLER | SEGUE_WC_LAST_STRIDE));
		s.lands(STRIDE * 2 + 40, BUFFERS + 1, 0, false, SECOND + in);
		// The first one is the program's again, and comes behind the second, which is used
		// up to its last stride.
		ASSERT_NO_FATAL_FAILURE(post(s, BUFFERS + 2, FIRST));
		s.send(STRIDE * 5 - 2);
		s.lands(STRIDE * 5 - 2, BUFFERS + 1, 3, true, SECOND + 3 * STRIDE + in);
		s.send(70);
		s.lands(70, BUFFERS + 2, 0, false, FIRST + in);
		// Nobody else receives where it does.
		segue_qp_options other = r.options_of(SEGUE_QP_RC);
		segue_qp *qp;

		other.recv_cq = s.cq;
		EXPECT_EQ(-EEXIST, segue_qp_open(r.pd, &other, &qp));
		EXPECT_SAYS("striding receive queue completes here");
	}
}

// As often round the ring as it takes for its counters to pass their first byte.
void round(Ends<Raw> &r)
{
	Strides s(r, false);

	ASSERT_NO_FATAL_FAILURE(post(s, 0, FIRST));
	for (uint32_t i = 0; i < 300; i++) {
		ASSERT_OK(segue_post(segue_sge(segue_recv(s.mprq, i + 1),
					       r.there.at(i % 2 ? FIRST : SECOND), BUFFER,
					       r.there.lkey())));
		s.send(STRIDE * 8 - i % 8);
		s.lands(STRIDE * 8 - i % 8, i, 0, true, i % 2 ? SECOND : FIRST);
		ASSERT_FALSE(r.HasFailure());
	}
}

segue_cq *open_compressed(Ends<Raw> &r, uint32_t format)
{
	segue_cq_options options = {};
	segue_cq *cq = nullptr;

	options.entries = 512;
	options.compress = true;
	options.compress_format = format;
	EXPECT_OK(segue_cq_open(r.device, &options, &cq));
	return cq;
}

/*
 * Completions out of compressed blocks say where their frames begin, and are the same as without
 * compression. Frames come in bursts, so that there are blocks.
 */
void compressed(Ends<Raw> &r)
{
	segue_cq *const cq = open_compressed(r, SEGUE_CQE_COMP_RES_FORMAT_CSUM_STRIDX);
	Strides s(r, false, cq);
	uint32_t from_blocks = 0;

	for (uint32_t burst = 0; burst < 20; burst++) {
		ASSERT_NO_FATAL_FAILURE(post(s, burst, burst % 2 ? FIRST : SECOND));
		for (uint32_t i = 0; i < 4; i++)
			s.commit(STRIDE + 20 + i);
		segue_ring_doorbell(r.sq());
		r.complete({SEND_ID, SEND_ID, SEND_ID, SEND_ID});
		for (uint32_t i = 0; i < 4; i++) {
			const segue_wc wc = s.next();

			from_blocks += wc.flags & SEGUE_WC_COMPRESSED ? 1 : 0;
			EXPECT_EQ(0, wc.syndrome) << r.explained(wc);
			EXPECT_EQ(burst, wc.wr_id);
			EXPECT_EQ(STRIDE + 20 + i, wc.byte_len);
			EXPECT_EQ(2 * i, wc.wqe_counter);
			EXPECT_EQ(i == 3, (wc.flags & SEGUE_WC_LAST_STRIDE) != 0);
			EXPECT_EQ(&s, wc.context);
			/* All but the 15th byte is alike in all of them, which is their length. */
			r.there.put((burst % 2 ? FIRST : SECOND) + 2 * i * STRIDE,
				    r.here.bytes + FRAME, STRIDE + 20 + i);
			r.there.want[(burst % 2 ? FIRST : SECOND) + 2 * i * STRIDE + 14] =
				(uint8_t)(STRIDE + 20 + i);
		}
		r.compare();
		ASSERT_FALSE(r.HasFailure());
	}
	EXPECT_LT(20u, from_blocks);
}

// Other formats do not say where frames begin.
void compressed_otherwise(Ends<Raw> &r)
{
	for (const uint32_t format : {0u, (uint32_t)SEGUE_CQE_COMP_RES_FORMAT_CSUM}) {
		segue_striding_options options = {};
		segue_striding *striding;

		options.cq = open_compressed(r, format);
		options.max_wr = options.max_sge = 1;
		options.log_stride = LOG_STRIDE;
		options.log_strides = LOG_STRIDES;
		EXPECT_EQ(-EINVAL, segue_striding_open(r.pd, &options, &striding));
		EXPECT_SAYS("set compress_format");
	}
	segue_cq_options wrong = {};
	segue_cq *cq;

	wrong.entries = 4;
	wrong.compress_format = SEGUE_CQE_COMP_RES_FORMAT_CSUM;
	EXPECT_EQ(-EINVAL, segue_cq_open(r.device, &wrong, &cq));
	EXPECT_SAYS("without compress");
	wrong.compress = true;
	wrong.compress_format = 3;
	EXPECT_EQ(-EINVAL, segue_cq_open(r.device, &wrong, &cq));
	EXPECT_SAYS("expected HASH, CSUM or CSUM_STRIDX");
	for (const bool shared : {true, false}) { // the reference's sentence
		segue_striding_options options = {};
		segue_striding *striding = nullptr;

		options.cq = r.open_cq();
		options.max_wr = options.max_sge = 1;
		options.log_stride = LOG_STRIDE;
		options.log_strides = LOG_STRIDES;
		options.shared = shared;
		EXPECT_EQ(shared ? -ENOTSUP : 0, segue_striding_open(r.pd, &options, &striding));
		if (shared) {
			EXPECT_SAYS(segue_mprq_machine.starts[0].shared);
		}
		EXPECT_OK(segue_striding_close(striding));
	}
	compressed(r);
}

// One byte less than its strides have is refused before it is posted, whichever way, and one more
// is not.
void too_short(Ends<Raw> &r)
{
	Strides s(r, false);
	const uint32_t pi = s.mprq->srq.ring.pi;
	const segue_seg_data rest = r.there.piece(SECOND, 1);
	segue_mprq_recv_args args = {};

	EXPECT_EQ(-ERANGE, segue_post(segue_sge(segue_recv(s.mprq, BUFFERS), r.there.at(FIRST),
						BUFFER - 1, r.there.lkey())));
	EXPECT_SAYS(
		"the buffer has 1023 bytes, expected 1024 or more, which all of its strides have");
	EXPECT_EQ(-ERANGE, segue_commit(segue_sge_list(segue_sge(segue_recv(s.mprq, BUFFERS),
								 r.there.at(FIRST), BUFFER - 2,
								 r.there.lkey()),
						       &rest, 1)));
	args.addr = r.there.at(FIRST), args.byte_count = 1, args.lkey = r.there.lkey();
	EXPECT_EQ(-ERANGE, segue_post_recv(s.mprq, &args));
	EXPECT_SAYS("the buffer has 1 bytes, expected 1024");
	const volatile uint32_t nothing = 0; // as a constant it does not compile

	args.byte_count = nothing; // and this is another offence
	EXPECT_EQ(-ERANGE, segue_post_recv(s.mprq, &args));
	EXPECT_SAYS("data.byte_count");
	EXPECT_EQ(pi, s.mprq->srq.ring.pi);
	ASSERT_OK(
		segue_post(segue_sge_list(segue_sge(segue_recv(s.mprq, BUFFERS), r.there.at(FIRST),
						    BUFFER - 1, r.there.lkey()),
					  &rest, 1)));
	r.saw_receive(segue_mprq_machine, s.mprq->srq.ring.buf, s.mprq->srq.ring.stride);
	s.send(60);
	s.lands(60, BUFFERS, 0, false, FIRST);
}

// The buffer is nobody's.
void received_into_nobodys(Ends<Raw> &r)
{
	Strides s(r, false);
	char text[1024] = "";

	ASSERT_OK(segue_post(
		segue_sge(segue_recv(s.mprq, BUFFERS), r.there.at(FIRST), BUFFER, NOBODYS_KEY)));
	r.saw_receive(segue_mprq_machine, s.mprq->srq.ring.buf, s.mprq->srq.ring.stride);
	s.send(80);
	const segue_wc wc = s.next();

	segue_wc_explain(&wc, nullptr, text, sizeof(text));
	EXPECT_EQ(BUFFERS, wc.wr_id);
	EXPECT_EQ(SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, wc.syndrome) << text;
	EXPECT_NE(nullptr, strstr(text, "Next: ")) << text;
	r.compare();
}

bool add(Ends<Raw>::Do body, bool wrong = false)
{
	for (How how : {How::BUILDER, How::ONE_CALL})
		if (!wrong || how == How::BUILDER)
			recipes().push_back(
				{"mprq",
				 "recv_mprq",
				 {},
				 how,
				 "roce",
				 wrong ? Names{} : Names{MLX5DV},
				 [body](const Recipe &said) { return new Ends<Raw>(said, body); },
				 wrong});
	return true;
}

const bool added = add(strides) && add(round) && add(compressed_otherwise) && add(too_short) &&
		   add(received_into_nobodys, true);

} // namespace
} // namespace requests
