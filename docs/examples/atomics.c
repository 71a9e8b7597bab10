/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * atomics: a counter and a lock in a peer's memory, changed without its processor.
 *
 * When to use it: tickets, reference counts, locks that many peers share. One word per request; the
 * former value comes back. What the card must have: segue_caps.atomics; with global_atomics the
 * peer's processor may change the word with atomics of its own meanwhile. What to mind: the word
 * lies in the byte order of the peer's processor and is aligned to 8 bytes; the former value
 * arrives in this side's order. A request whose answer was lost must not be posted again: it may
 * have been carried out.
 */
#include <inttypes.h>

#include "pair.h"
#include "segue/qp.h"

static struct {
	uint64_t counter, lock; /* the peer's */
	uint64_t former;        /* here */
} memory = {.counter = 41};

#define MINE 7u

static struct segue_remote_buf word(struct pair *p, const uint64_t *at)
{
	struct segue_remote_buf there;

	must(segue_mr_remote_buf(p->mr, (size_t)((const char *)at - (const char *)&memory),
				 sizeof(*at), &there));
	return there;
}

int main(void)
{
	struct segue_local_buf former;
	struct segue_rc_sq *sq;
	struct pair p;

	pair_open(&p, &memory, sizeof(memory));
	sq = segue_qp_rc_sq(p.a);
	must(segue_qp_supports(p.a, "atomic_fa"));
	must(segue_mr_local_buf(p.mr, (size_t)((char *)&memory.former - (char *)&memory),
				sizeof(memory.former), &former));

	must(segue_post(segue_sge_buf(
		segue_atomic_add(segue_raddr_buf(segue_atomic_fa(sq, 1, SEGUE_SIGNALED),
						 word(&p, &memory.counter)),
				 1),
		former)));
	pair_complete(&p, 1);
	if (memory.former != 41 || memory.counter != 42) {
		fprintf(stderr, "The counter is %" PRIu64 " and was %" PRIu64 ".\n", memory.counter,
			memory.former);
		return 1;
	}

	/* The lock is taken if nobody has it; the former value says whether that was so. */
	for (int attempt = 0; attempt < 2; attempt++) {
		must(segue_post(segue_sge_buf(
			segue_compare_swap(segue_raddr_buf(segue_atomic_cs(sq, 2, SEGUE_SIGNALED),
							   word(&p, &memory.lock)),
					   0, MINE),
			former)));
		pair_complete(&p, 1);
		if (memory.former != (attempt ? MINE : 0) || memory.lock != MINE) {
			fprintf(stderr, "The lock is %" PRIu64 " and was %" PRIu64 ".\n",
				memory.lock, memory.former);
			return 1;
		}
	}
	printf("The counter has counted, and the lock was taken once.\n");
	pair_close(&p);
	return 0;
}
