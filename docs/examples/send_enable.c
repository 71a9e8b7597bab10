/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * send_enable: one arrival lets two queues go, with no processor between.
 *
 * When to use it: a step of a collective or a pipeline that goes to several peers. The messages lie
 * ready in queues that are managed; one queue waits for what they depend on, and then lets each of
 * them go up to where it says. With WAIT alone (wait_chain.c) each of those queues would wait for
 * itself; here one does, it says in which order, and a queue may be let go piece by piece. What the
 * card must have: cross-channel operations (segue_caps.wait_cq), and on the computer a kernel
 * of 5.7 or later. Any transport but raw packet. What it costs: nothing of the processor while it
 * runs. Such queue pairs do without what libmlx5 gives to its own (see struct segue_qp_options),
 * and their requests are not copied to the doorbell register, so that a small one takes a little
 * longer. The program counts itself how far a managed queue may go; what is behind that never
 * completes.
 */
#include <string.h>

#include "pair.h"
#include "segue/qp.h"

#define PEERS 2

static struct {
	char first[64], middle[64], last[PEERS][64];
} memory;

static struct segue_local_buf place(struct pair *p, const char *at)
{
	struct segue_local_buf piece;

	must(segue_mr_local_buf(p->mr, (size_t)(at - (char *)&memory), sizeof(memory.first),
				&piece));
	return piece;
}

/* A message to each peer is posted before anybody knows what it will be; a managed queue keeps it.
 */
static void prepare(struct pair *to, int number)
{
	struct segue_qp_options options = pair_options(to);

	must(segue_qp_open(to->pd, &options, &to->b));
	options.managed_send = true;
	must(segue_qp_open(to->pd, &options, &to->a));
	pair_connect(to);
	must(segue_post(
		segue_sge_buf(segue_recv(segue_qp_rq(to->b), 1), place(to, memory.last[number]))));
	must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(to->a), 2, SEGUE_SIGNALED),
				      place(to, memory.middle))));
}

int main(void)
{
	const struct segue_cq_options entries = {.entries = 64};
	struct segue_qp_options options;
	struct segue_cq *arrivals;
	struct pair in, out[PEERS];
	struct segue_wc wc;
	int i;

	pair_begin(&in, &memory, sizeof(memory));
	/* of in.b alone, as completions are counted there */
	must(segue_cq_open(in.device, &entries, &arrivals));
	options = pair_options(&in);
	must(segue_qp_open(in.pd, &options, &in.a));
	options.recv_cq = arrivals;
	options.cross_channel = true; /* it lets the others go */
	must(segue_qp_open(in.pd, &options, &in.b));
	pair_connect(&in);
	must(segue_qp_supports(in.b, "send_en"));
	must(segue_post(
		segue_sge_buf(segue_recv(segue_qp_rq(in.b), 3), place(&in, memory.middle))));

	/* Wait for the first arrival, then let each queue go up to behind what it has. */
	must(segue_commit(segue_wait_cq_index(segue_wait_cq(segue_qp_rc_sq(in.b), 4, 0), 1,
					      segue_cq_number(arrivals))));
	for (i = 0; i < PEERS; i++) {
		out[i] = in;
		prepare(&out[i], i);
		must(segue_post(segue_send_en_index(
			segue_send_en(segue_qp_rc_sq(in.b), 5, SEGUE_SIGNALED),
			segue_qp_send_index(out[i].a), segue_qp_number(out[i].a))));
	}
	if (segue_cq_poll(in.cq, 1, &wc)) {
		fprintf(stderr, "Something has gone before it was let go.\n");
		return 1;
	}

	strcpy(memory.first, "let go by nobody's processor");
	must(segue_post(segue_sge_buf(segue_send(segue_qp_rc_sq(in.a), 6, SEGUE_SIGNALED),
				      place(&in, memory.first))));
	/* the first message; of each peer the request that lets it go, the send and the receive */
	pair_complete(&in, 1 + PEERS * 3);
	while (!segue_cq_poll(arrivals, 1, &wc))
		;
	for (i = 0; i < PEERS; i++) {
		if (strcmp(memory.first, memory.last[i])) {
			fprintf(stderr, "'%s' arrived at peer %d.\n", memory.last[i], i);
			return 1;
		}
	}
	printf("One arrival has let %d queues go.\n", PEERS);
	pair_close(&in);
	return 0;
}
