/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_window: a peer may write into a part of a region, until it may not.
 *
 * When to use it: memory is registered once, and each transfer gets a key of its own for just its buffer, taken back when it is done. Binding
 * is a request like others; registering is a system call.
 * What the card must have: segue_caps.memory_windows. The region is registered with MW_BIND.
 * What to mind: a window of type 2 belongs to the queue pair that has bound it, so only its peer reaches it. What the peer has posted and not completed when the window is invalidated fails.
 */
#include <string.h>

#include "docs/examples/pair.h"
#include "segue/can.h"

#define PART   4096u
#define LENGTH 512u

static uint8_t memory[16384];

static void peer_writes(struct pair *p, uint32_t rkey, uint64_t at)
{
	struct segue_local from;

	must(segue_mr_local(p->mr, 0, 64, &from));
	must(segue_post(segue_sge_piece(segue_raddr(segue_rdma_write(segue_qp_rc(p->b), 1, SEGUE_SIGNALED), at, rkey), from)));
	pair_complete(p, 1);
}

/* Each life of a window has a key of its own, which is returned. */
static uint32_t bind(struct pair *p, struct segue_mw *window, struct segue_mr *region, uint64_t start)
{
	const uint32_t was = segue_mw_key(window).rkey, key = segue_mw_next_key(window).rkey;

	must(segue_post(segue_bind_klm(segue_mkey_bind(segue_umr_ctrl(segue_bind_mw(segue_qp_rc(p->a), 2, SEGUE_SIGNALED, was)), start, LENGTH,
						       segue_qp_number(p->a), (uint8_t)key,
						       SEGUE_MKEY_ACCESS_LOCAL_READ | SEGUE_MKEY_ACCESS_REMOTE_WRITE),
				       start, LENGTH, segue_mr_lkey(region).lkey)));
	pair_complete(p, 1);
	return key;
}

int main(void)
{
	struct segue_mr_attr attr = {.addr = memory, .length = sizeof(memory),
				     .access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND};
	const uint64_t start = (uintptr_t)memory + PART;
	struct segue_rc_sq *sq;
	struct segue_mr *region;
	struct segue_mw *window;
	uint32_t key;
	struct pair p;

	memset(memory, 1, 64);
	pair_open(&p, memory, sizeof(memory));
	sq = segue_qp_rc(p.a);
	must(segue_qp_can(p.a, "bind_mw"));
	must(segue_mr_open_shared(p.pd, &attr, &region));
	must(segue_mw_open(p.pd, 2, &window));

	key = bind(&p, window, region, start);
	peer_writes(&p, key, start + 100);
	if (memory[PART + 100] != 1 || memory[PART + 164] != 0) {
		fprintf(stderr, "The peer could not write into the window.\n");
		return 1;
	}

	/* The end of its life: from now on the peer's requests through that key fail, and it can be bound anew. */
	must(segue_post(segue_mkey_invalidate(segue_umr_ctrl(segue_local_inv(sq, 3, SEGUE_SIGNALED, key)), (uint8_t)key)));
	pair_complete(&p, 1);
	key = bind(&p, window, region, start + LENGTH);
	peer_writes(&p, key, start + LENGTH + 100);
	if (memory[PART + LENGTH + 100] != 1) {
		fprintf(stderr, "The peer could not write into the second window.\n");
		return 1;
	}
	printf("The peer has written through two lives of a window.\n");
	pair_close(&p);
	return 0;
}
