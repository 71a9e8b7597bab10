/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * prepared: work that is posted now and starts when a word of memory says so.
 *
 * When to use it: the doorbell is rung early, by a thread that has time, and whoever has the data
 * (another thread, a GPU, a peer by RDMA) starts the send with one store, without a library call.
 * Queues of such steps make a ring that runs without a processor. What the card must have: WAIT on
 * data (segue_caps.wait_on_data). What to mind: the device reads the word again and again while it
 * waits, and the queue stands still behind it, so it gets a queue pair of its own.
 */
#include "pair.h"
#include "segue/qp.h"

static struct {
	uint8_t start[8]; /* big-endian, as the device compares */
	uint8_t from[256], to[256];
} memory __attribute__((aligned(64)));

int main(void)
{
	struct segue_seg_wait_on_data wait = {
		.operation = SEGUE_WAIT_COND_EQUAL, .data = 1, .data_mask = UINT64_MAX};
	struct segue_local_buf word, from;
	struct segue_remote_buf to;
	struct segue_wc wc;
	struct pair p;

	pair_open(&p, &memory, sizeof(memory));
	must(segue_qp_supports(p.a, "wait_on_data"));
	must(segue_mr_local_buf(p.mr, 0, 8, &word));
	must(segue_mr_local_buf(p.mr, 8, 256, &from));
	must(segue_mr_remote_buf(p.mr, 8 + 256, 256, &to));
	wait.lkey = word.key.lkey;
	wait.va_fail = word.addr | SEGUE_WAIT_FAIL_ACTION_RETRY;

	/* Both are in the device's hands now. */
	must(segue_commit(
		segue_data_condition(segue_wait_on_data(segue_qp_rc_sq(p.a), 1, 0), &wait)));
	must(segue_post(segue_sge_buf(
		segue_raddr_buf(segue_rdma_write(segue_qp_rc_sq(p.a), 2, SEGUE_SIGNALED), to),
		from)));
	for (int i = 0; i < 1000; i++)
		if (segue_cq_poll(p.cq, 1, &wc) != 0) {
			fprintf(stderr, "It did not wait.\n");
			return 1;
		}

	/* The data come to be only now, and the last store starts the request. */
	for (uint32_t i = 0; i < sizeof(memory.from); i++)
		memory.from[i] = (uint8_t)(i * 3 + 1);
	segue_order_stores();
	segue_put_be64(memory.start, 1);
	pair_complete(&p, 1);
	for (uint32_t i = 0; i < sizeof(memory.to); i++)
		if (memory.to[i] != (uint8_t)(i * 3 + 1)) {
			fprintf(stderr, "Byte %u is %u.\n", i, memory.to[i]);
			return 1;
		}
	printf("One store has started the prepared write.\n");
	pair_close(&p);
	return 0;
}
