/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * dc_streams: one DC initiator with four streams. One of them fails, and the others go on.
 *
 * When to use it: an initiator for several peers, none of which is to wait for another. Each stream
 * is in order for itself, goes to one target at a time for itself, and fails for itself: a peer
 * that is gone holds up and flushes the requests of its stream only. What the card must have:
 * segue_caps.dci_streams; dci_max_log_concurrent says how many. What it costs: nothing between
 * streams is in order. After 2^dci_log_errored streams have failed, the queue pair does: reset each
 * when the completions of its flushed requests have been polled. Streams share one send queue, so
 * one that waits may fill it.
 */
#include <string.h>

#include "pair.h"
#include "segue/ah.h"
#include "segue/explain.h"
#include "segue/srq.h"

#define DC_KEY	    UINT64_C(0x5345475545)
#define LOG_STREAMS 2
#define STREAMS	    (1 << LOG_STREAMS)
#define BAD	    1 /* the stream that fails */
#define SIZE	    64u

/* What each stream writes, then what it writes to. */
static uint8_t memory[2 * STREAMS * SIZE];

struct many {
	struct pair p;
	struct segue_qp *dci, *dct;
	struct segue_ah *address;
	struct segue_remote_buf remote;
	int good, refused, flushed;
};

static void open_target(struct many *m)
{
	const struct segue_srq_options srq = {.max_wr = 1, .max_sge = 1};
	struct segue_qp_options qp = {.type = SEGUE_QP_DCT, .recv_cq = m->p.cq, .dc_key = DC_KEY};
	const struct segue_path path = path_here(&m->p, 0);

	must(segue_srq_open(m->p.pd, &srq, &qp.srq));
	must(segue_qp_open(m->p.pd, &qp, &m->dct));
	must(segue_qp_connect(m->dct, &path));
	must(segue_ah_open(m->p.pd, &path, &m->address));
}

static void open_initiator(struct many *m)
{
	struct segue_qp_options qp = pair_options(&m->p);
	const struct segue_path path = path_here(&m->p, 0);

	qp.type = SEGUE_QP_DCI;
	qp.recv_cq = NULL;
	qp.max_recv_wr = qp.max_recv_sge = 0;
	qp.dci_log_streams = LOG_STREAMS;
	/* only when all of them have failed the queue pair does */
	qp.dci_log_errored = LOG_STREAMS;
	must(segue_qp_open(m->p.pd, &qp, &m->dci));
	must(segue_qp_connect(m->dci, &path));
}

/* The wr_id is the stream. */
static void write_on(struct many *m, uint16_t stream, uint32_t rkey)
{
	struct segue_local_buf from;

	must(segue_mr_local_buf(m->p.mr, (size_t)stream * SIZE, SIZE, &from));
	must(segue_post(segue_sge_buf(
		segue_raddr(segue_av(segue_stream(segue_rdma_write(segue_qp_dci_sq(m->dci), stream,
								   SEGUE_SIGNALED),
						  stream),
				     segue_ah_av(m->address), segue_qp_number(m->dct), DC_KEY),
			    m->remote.addr + (STREAMS + (uint64_t)stream) * SIZE, rkey),
		from)));
}

/* So many completions, counted by what they say. */
static void count(struct many *m, int completions)
{
	const segue_deadline deadline = segue_deadline_in_ms(30000);
	struct segue_wc wc;
	char text[1024];

	m->good = m->refused = m->flushed = 0;
	while (completions > 0 && segue_deadline_left_ms(deadline) > 0) {
		const int got = segue_cq_poll(m->p.cq, 1, &wc);

		must(got);
		completions -= got;
		if (!got)
			continue;
		if (!wc.syndrome) {
			m->good++;
		} else if (wc.syndrome == SEGUE_CQE_SYNDROME_WR_FLUSH_ERR && wc.wr_id == BAD) {
			/* not carried out: it was behind the failed one on its stream */
			m->flushed++;
		} else {
			m->refused++;
			segue_qp_explain(m->dci, &wc, text, sizeof(text));
			printf("Stream %u: %s\n", (unsigned int)wc.wr_id, text);
		}
	}
}

int main(void)
{
	static struct many m;
	uint16_t stream;
	int round, i;

	for (i = 0; i < STREAMS * (int)SIZE; i++)
		memory[i] = (uint8_t)(1 + i / (int)SIZE * 16 + i % 13);
	pair_begin(&m.p, memory, sizeof(memory));
	must(segue_mr_remote_buf(m.p.mr, 0, sizeof(memory), &m.remote));
	open_target(&m);
	open_initiator(&m);

	/* One request that the target refuses, and then two on each stream, that one included. */
	write_on(&m, BAD, m.remote.key.rkey ^ 0x777700);
	for (round = 0; round < 2; round++)
		for (stream = 0; stream < STREAMS; stream++)
			write_on(&m, stream, m.remote.key.rkey);
	count(&m, 1 + 2 * STREAMS);
	if (m.good != 2 * (STREAMS - 1) || m.refused != 1 || m.flushed != 2) {
		fprintf(stderr, "%d good, %d refused and %d flushed.\n", m.good, m.refused,
			m.flushed);
		return 1;
	}
	for (stream = 0; stream < STREAMS; stream++) {
		const uint8_t *const to = memory + (STREAMS + stream) * SIZE;

		if (stream == BAD ? to[0] != 0 : memcmp(to, memory + stream * SIZE, SIZE) != 0) {
			fprintf(stderr,
				"What stream %u has written is not there, or should not be.\n",
				stream);
			return 1;
		}
	}

	/* All of its requests have been told of: it begins anew, while the others know nothing of
	 * it. */
	must(segue_qp_reset_stream(m.dci, BAD));
	write_on(&m, BAD, m.remote.key.rkey);
	count(&m, 1);
	if (m.good != 1 ||
	    memcmp(memory + (STREAMS + BAD) * SIZE, memory + BAD * SIZE, SIZE) != 0) {
		fprintf(stderr, "The stream does not work again.\n");
		return 1;
	}
	printf("One stream of %d failed, the others went on, and it works again.\n", STREAMS);
	pair_close(&m.p);
	return 0;
}
