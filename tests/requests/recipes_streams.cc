// SPDX-License-Identifier: BSD-2-Clause
// Streams of a DC initiator: what fails on one is explained and flushes that one; the others go on, and it does so after its reset.
#include "tests/requests/refused.h"
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
		segue_dci_sq *const sq = segue_qp_dci(dci);
		const uint32_t pi = sq->sq.pi;

		ASSERT_OK(segue_post(segue_sge(segue_raddr(r.to(segue_stream(segue_rdma_write(sq, wr_id, SEGUE_SIGNALED), stream)), r.there.at(stream * 1000u), rkey),
					       r.here.at(stream * 700u), LENGTH, r.here.lkey())));
		r.saw(&sq->sq, pi);
	}
	void wrote(uint16_t stream) { r.there.put(stream * 1000u, r.here.bytes + stream * 700u, LENGTH); }

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
			EXPECT_EQ(wc.wr_id == BAD ? (int)SEGUE_CQE_SYNDROME_WR_FLUSH_ERR : 0, wc.syndrome) << "stream " << wc.wr_id;
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
	const char *const memory = strstr(text, "rkey (not the lkey)"), *const target = strstr(text, "the DC key");

	EXPECT_TRUE(memory && target && memory < target) << text;
	EXPECT_NE(nullptr, strstr(flushed, "Next: look for the first completion of stream 2 that failed with something else")) << flushed;
	r.compare();
	ASSERT_OK(segue_qp_reset_stream(s.dci, BAD));
	s.write(BAD, 101, r.there.rkey());
	r.complete({101});
	s.wrote(BAD);
	r.compare();
}

const bool added = (Entries<Dc>().refused().add("rdma_write", {}, one_fails, false), true);

} // namespace
} // namespace requests
