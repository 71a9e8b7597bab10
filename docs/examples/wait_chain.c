/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * wait_chain: a message is passed on by the card alone, as in a step of a ring.
 *
 * When to use it: collectives and pipelines whose next step is known beforehand: it is posted
 * before the data are there, waits in the queue for a completion, and runs without the processor.
 * What the card must have: cross-channel operations (segue_caps.wait_cq).
 * What to mind: the queue that waits is blocked with everything behind it. The count is of all
 * completions since the queue was made, whoever polls them, and the one that is waited for is still
 * polled by the program.
 */
#include <string.h>

#include "pair.h"
#include "segue/qp.h"

static struct {
	char first[64], middle[64], last[64];
} memory;

static struct segue_local_buf place(struct pair *p, const char *at)
{
	struct segue_local_buf piece;

	must(segue_mr_local_buf(p->mr, (size_t)(at - (char *)&memory), sizeof(memory.first),
				&piece));
	return piece;
}

static void poll_one(struct segue_cq *cq)
{
	struct segue_wc wc;
	int got;

	do {
		got = segue_cq_poll(cq, 1, &wc);
		must(got);
	} while (!got);
	must(wc.syndrome ? -1 : 0);
}

int main(void)
{
	struct segue_cq_options entries = {.entries = 64};
	struct segue_qp_options options;
	struct segue_cq *arrivals;
	struct pair in, out;

	/* in: a → b; out: a → b. What comes to in.b is passed on by out.a. */
	pair_begin(&in, &memory, sizeof(memory));
	/* of in.b alone, as completions are counted there */
	must(segue_cq_open(in.device, &entries, &arrivals));
	options = pair_options(&in);
	must(segue_qp_open(in.pd, &options, &in.a));
	options.recv_cq = arrivals;
	must(segue_qp_open(in.pd, &options, &in.b));
	pair_connect(&in);
	out = in;
	options = pair_options(&out);
	must(segue_qp_open(out.pd, &options, &out.a));
	must(segue_qp_open(out.pd, &options, &out.b));
	pair_connect(&out);
	must(segue_qp_supports(out.a, "wait_cq"));

	/* The step is there before the data: wait for the first arrival, then send what has
	 * arrived. */
	must(segue_post(
		segue_sge_buf(segue_recv(segue_qp_rq(in.b), 1), place(&in, memory.middle))));
	must(segue_post(
		segue_sge_buf(segue_recv(segue_qp_rq(out.b), 2), place(&out, memory.last))));
	must(segue_commit(segue_wait_cq_index(segue_wait_cq(segue_qp_rc_sq(out.a), 3, 0), 1,
					      segue_cq_number(arrivals))));
	must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(out.a), 4, SEGUE_SIGNALED),
				      place(&out, memory.middle))));

	strcpy(memory.first, "passed on by nobody's processor");
	must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(in.a), 5, SEGUE_SIGNALED),
				      place(&in, memory.first))));
	pair_complete(&in, 3); /* both sends, and the receive at the end */
	poll_one(arrivals);
	if (strcmp(memory.first, memory.last)) {
		fprintf(stderr, "'%s' arrived.\n", memory.last);
		return 1;
	}
	printf("The message went two steps; the second was posted before it came.\n");
	pair_close(&in);
	return 0;
}
