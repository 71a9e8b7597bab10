/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * device_memory: a counter and a mailbox on the card itself.
 *
 * When to use it: words that many peers meet with atomics, headers or descriptors that go out again
 * and again: the card reaches them without the bus. What the card must have:
 * segue_caps.max_device_memory, some hundred kilobytes that all programs share. What it costs: a
 * local read by the processor waits for the bus each time; it is not for data that the program
 * itself works with. What to mind: its addresses begin at 0, and the processor copies whole words
 * of 4 bytes.
 */
#include <string.h>

#include "pair.h"
#include "segue/mr.h"

#define ADDS	64u
#define MAILBOX 64u /* behind the counter */
#define LENGTH	256u

static struct {
	uint64_t was[ADDS];
	uint8_t message[LENGTH];
	uint8_t seen[LENGTH];
} memory;

/* The peer adds one; each time it is told what there was before. */
static void count(struct pair *p, struct segue_dm *dm)
{
	struct segue_remote_buf counter;
	struct segue_local_buf was;
	uint64_t after;
	uint32_t i;

	must(segue_dm_remote_buf(dm, 0, sizeof(uint64_t), &counter));
	for (i = 0; i < ADDS; i++) {
		must(segue_mr_local_buf(p->mr, i * sizeof(uint64_t), sizeof(uint64_t), &was));
		must(segue_post(segue_sge_buf(
			segue_atomic_add(segue_raddr(segue_atomic_fa(segue_qp_rc_sq(p->b), i,
								     SEGUE_SIGNALED),
						     counter.addr, counter.key.rkey),
					 1),
			was)));
		pair_complete(p, 1);
	}
	must(segue_dm_copy_from(dm, 0, &after, sizeof(after)));
	for (i = 0; i < ADDS; i++)
		if (memory.was[i] != i)
			break;
	if (i == ADDS && after == ADDS)
		return;
	fprintf(stderr, "The counter did not count.\n");
	exit(1);
}

/* A message into the mailbox by the peer, and out of it to the peer by a local request. */
static void mail(struct pair *p, struct segue_dm *dm)
{
	struct segue_remote_buf box, seen;
	struct segue_local_buf from, out;

	must(segue_mr_local_buf(p->mr, sizeof(memory.was), LENGTH, &from));
	must(segue_mr_remote_buf(p->mr, sizeof(memory.was) + LENGTH, LENGTH, &seen));
	must(segue_dm_remote_buf(dm, MAILBOX, LENGTH, &box));
	must(segue_dm_local_buf(dm, MAILBOX, LENGTH, &out));
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->b), 1, SEGUE_SIGNALED),
					  box.addr, box.key.rkey),
			      from)));
	pair_complete(p, 1);
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->a), 2, SEGUE_SIGNALED),
					  seen.addr, seen.key.rkey),
			      out)));
	pair_complete(p, 1);
	if (!memcmp(memory.seen, memory.message, LENGTH))
		return;
	fprintf(stderr, "The mailbox holds something else.\n");
	exit(1);
}

int main(void)
{
	struct segue_dm_options options = {.length = MAILBOX + LENGTH,
					   .log_align = 6,
					   .access = SEGUE_ACCESS_REMOTE_WRITE |
						     SEGUE_ACCESS_REMOTE_ATOMIC};
	const uint64_t zero = 0;
	struct segue_dm *dm;
	struct pair p;
	uint32_t i;

	for (i = 0; i < LENGTH; i++)
		memory.message[i] = (uint8_t)(i * 11 + 5);
	pair_open(&p, &memory, sizeof(memory));
	must(segue_dm_open(p.pd, &options, &dm));
	must(segue_dm_copy_to(dm, 0, &zero, sizeof(zero)));
	count(&p, dm);
	mail(&p, dm);
	printf("A counter on the card came to %u; a message of %u bytes went through it.\n", ADDS,
	       LENGTH);
	pair_close(&p);
	return 0;
}
