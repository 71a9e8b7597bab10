// SPDX-License-Identifier: BSD-2-Clause
// Streams of a DC initiator: what fails on one is explained and flushes that one; the others go on,
// and it does so after its reset.
#include "tests/requests/refusal.h"
#include "tests/requests/transports.h"

namespace requests {
namespace {

constexpr uint8_t LOG_STREAMS = 2;
constexpr uint16_t STREAMS = 1 << LOG_STREAMS, BAD = 2;
constexpr uint32_t LENGTH = 300;

struct Streams {
	explicit Streams(Ends<Dc> &rig) : r(rig)
	{
		segue_qp_options options = r.options_of(SEGUE_QP_DCI);
		const segue_path path = r.path_to(0);

		options.dci_log_streams = LOG_STREAMS;
		options.dci_log_errored = LOG_STREAMS;
		EXPECT_OK(segue_qp_open(r.pd, &options, &dci));
		EXPECT_OK(segue_qp_connect(dci, &path));
	}
	// Each stream writes to a place of its own.
	void write(uint16_t stream, uint64_t wr_id, uint32_t rkey)
	{
		write(stream, wr_id, rkey, r.here.lkey());
	}
	void write(uint16_t stream, uint64_t wr_id, uint32_t rkey, uint32_t lkey)
	{
		segue_dci_sq *const sq = segue_qp_dci_sq(dci);
		const uint32_t pi = sq->sq.pi;

		ASSERT_OK(segue_post(segue_sge(
			segue_raddr(r.to(segue_stream(segue_rdma_write(sq, wr_id, SEGUE_SIGNALED),
						      stream)),
				    r.there.at(stream * 1000u), rkey),
			r.here.at(stream * 700u), LENGTH, lkey)));
		r.saw(&sq->sq, pi);
	}
	// One that is told to be flushed: the word and the place for its former value stay as they
	// are.
	void add(uint16_t stream, uint64_t wr_id)
	{
		const auto fetch_add = r.to(segue_stream(
			segue_atomic_fa(segue_qp_dci_sq(dci), wr_id, SEGUE_SIGNALED), stream));
		const auto aimed = segue_raddr(fetch_add, r.there.at(stream * 1000u),
					       r.there.rkey());

		ASSERT_OK(segue_post(segue_sge(segue_atomic_add(aimed, 1), r.here.at(stream * 700u),
					       8, r.here.lkey())));
	}
	// One that waits for a receive.
	void send(uint16_t stream, uint64_t wr_id)
	{
		const auto with = r.to(segue_stream(
			segue_send(segue_qp_dci_sq(dci), wr_id, SEGUE_SIGNALED), stream));

		ASSERT_OK(segue_post(
			segue_sge(with, r.here.at(stream * 700u), LENGTH, r.here.lkey())));
	}
	void wrote(uint16_t stream)
	{
		r.there.put(stream * 1000u, r.here.bytes + stream * 700u, LENGTH);
	}

	Ends<Dc> &r;
	segue_qp *dci = nullptr;
};

void one_fails(Ends<Dc> &r)
{
	Streams s(r);
	char text[1024] = "", flushed[1024] = "";

	s.write(BAD, 100, NOBODYS_KEY);
	for (uint16_t stream = 0; stream < STREAMS; stream++)
		s.write(stream, stream, r.there.rkey());
	for (const segue_wc &wc : r.take(1 + STREAMS)) {
		if (wc.wr_id == 100) {
			EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, wc.syndrome);
			segue_qp_explain(s.dci, &wc, text, sizeof(text));
		} else {
			EXPECT_EQ(wc.wr_id == BAD ? (int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0,
				  wc.syndrome)
				<< "stream " << wc.wr_id;
			if (wc.wr_id != BAD)
				s.wrote((uint16_t)wc.wr_id);
			else
				segue_qp_explain(s.dci, &wc, flushed, sizeof(flushed));
		}
	}
	EXPECT_NE(nullptr, strstr(text, "RDMA_WRITE")) << text;
	EXPECT_NE(nullptr, strstr(text, "It was on stream 2, and only that has stopped")) << text;
	EXPECT_NE(nullptr, strstr(text, "segue_qp_reset_stream(qp, 2)")) << text;
	// Far more often it is the key of the memory than that of the target.
	const char *const memory = strstr(text, "rkey (not the lkey)"), *const target = strstr(
										text, "the DC key");

	EXPECT_TRUE(memory && target && memory < target) << text;
	EXPECT_NE(nullptr, strstr(flushed, "Next: look for the first completion of stream 2 that "
					   "failed with something else"))
		<< flushed;
	r.compare();
	ASSERT_OK(segue_qp_reset_stream(s.dci, BAD));
	s.write(BAD, 101, r.there.rkey());
	r.complete({101});
	s.wrote(BAD);
	r.compare();
}

// It fails while a request of another stream, posted before, still waits: nothing behind it is
// carried out, though nobody can be told yet.
void fails_behind_another(Ends<Dc> &r, uint32_t rkey, uint32_t lkey, uint8_t syndrome)
{
	Streams s(r);

	s.send(0, 100);
	s.write(BAD, 101, r.there.rkey());
	s.wrote(BAD);
	s.write(BAD, 102, rkey, lkey);
	s.add(BAD, 103);
	r.nothing_completes();
	s.add(BAD, 104);
	r.nothing_completes();
	r.receive(RECEIVE, LENGTH);
	r.there.put(RECEIVE, r.here.bytes, LENGTH);

	std::vector<uint64_t> sent;
	for (const segue_wc &wc : r.take(6)) {
		const uint8_t flushed = wc.wr_id > 102 ? SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0;

		EXPECT_EQ(wc.wr_id == 102 ? syndrome : flushed, wc.syndrome)
			<< "request " << wc.wr_id;
		if (wc.wr_id != RECV_ID)
			sent.push_back(wc.wr_id);
	}
	EXPECT_EQ((std::vector<uint64_t>{100, 101, 102, 103, 104}), sent);
	r.compare();
	ASSERT_OK(segue_qp_reset_stream(s.dci, BAD));
	s.write(BAD, 105, r.there.rkey());
	r.complete({105});
	r.compare();
}

void key_here_behind_another(Ends<Dc> &r)
{
	fails_behind_another(r, r.there.rkey(), NOBODYS_KEY, SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR);
}
void key_there_behind_another(Ends<Dc> &r)
{
	fails_behind_another(r, NOBODYS_KEY, r.here.lkey(), SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR);
}

// Its stream is reset as soon as it is told, while what was flushed behind it still waits for its
// turn: the reset holds, but that is too early, and is said.
void reset_at_once(Ends<Dc> &r)
{
	Streams s(r);

	s.write(BAD, 101, NOBODYS_KEY);
	s.send(0, 100);
	s.add(BAD, 103);
	EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, r.completion().syndrome);
	testing::internal::CaptureStderr();
	const int ret = segue_qp_reset_stream(s.dci, BAD);
	const std::string said = testing::internal::GetCapturedStderr();

	ASSERT_OK(ret);
	EXPECT_NE(std::string::npos,
		  said.find("stream 2 is reset, and a request of it has not completed"))
		<< said;
	s.write(BAD, 104, r.there.rkey());
	s.wrote(BAD);
	r.receive(RECEIVE, LENGTH);
	r.there.put(RECEIVE, r.here.bytes, LENGTH);
	for (const segue_wc &wc : r.take(4))
		EXPECT_EQ(wc.wr_id == 103 ? (int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0, wc.syndrome)
			<< "request " << wc.wr_id;
	r.compare();
}

// Too early as well: what was posted before the reset is flushed, even if nobody has looked at it
// by then.
void posted_before_reset(Ends<Dc> &r)
{
	Streams s(r);

	s.write(BAD, 100, NOBODYS_KEY);
	EXPECT_EQ(SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, r.completion().syndrome);
	s.add(BAD, 101);
	ASSERT_OK(segue_qp_reset_stream(s.dci, BAD));
	EXPECT_EQ(SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, r.completion().syndrome);
	s.write(BAD, 102, r.there.rkey());
	s.wrote(BAD);
	r.complete({102});
	r.compare();
}

const bool added = (Entries<Dc>()
				.refused()
				.add("rdma_write", {}, one_fails, false)
				.add("rdma_write", {}, key_here_behind_another, false)
				.add("rdma_write", {}, key_there_behind_another, false)
				.add("rdma_write", {}, reset_at_once, false)
				.add("rdma_write", {}, posted_before_reset, false),
			    true);

} // namespace
} // namespace requests
