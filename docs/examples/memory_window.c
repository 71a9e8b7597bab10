/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * memory_window: a peer may write into a part of a region, until it may not.
 *
 * When to use it: memory is registered once, and each transfer gets a key of its own for just its
 * buffer, taken back when it is done. Binding is a request like others; registering is a system
 * call. What the card must have: segue_caps.memory_windows. The region is registered with MW_BIND,
 * and the queue pair takes requests of SEGUE_RC_BIND_MW_UNITS units. What to mind: a window of type
 * 2 belongs to the queue pair that has bound it, so only its peer reaches it. What the peer has
 * posted and not completed when the window is taken back fails, and its queue pair with it. The key
 * goes to the peer when the bind has completed, or in a message behind it that carries the fence.
 */
#include <string.h>

#include "pair.h"
#include "segue/explain.h"
#include "segue/qp.h"

#define PART   4096u
#define LENGTH 512u

static uint8_t memory[16384];

static void peer_writes(struct pair *p, const struct segue_remote_buf *window, uint64_t offset)
{
	struct segue_local_buf from;

	must(segue_mr_local_buf(p->mr, 0, 64, &from));
	must(segue_post(
		segue_sge_buf(segue_raddr(segue_rdma_write(segue_qp_rc_sq(p->b), 1, SEGUE_SIGNALED),
					  window->addr + offset, window->key.rkey),
			      from)));
}

/* Whether the peer's write failed, which is then said. */
static int write_failed(struct pair *p)
{
	struct segue_wc wc;
	char text[1024];
	int got;

	do {
		got = segue_cq_poll(p->cq, 1, &wc);
		must(got);
	} while (!got);
	if (!wc.syndrome)
		return 0;
	segue_qp_explain(p->b, &wc, text, sizeof(text));
	printf("%s\n", text);
	return 1;
}

int main(void)
{
	struct segue_mr_options attr = {.addr = memory,
					.length = sizeof(memory),
					.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_MW_BIND};
	struct segue_mw_bind_options part = {.wr_id = 2,
					     .flags = SEGUE_SIGNALED,
					     .length = LENGTH,
					     .access = SEGUE_ACCESS_REMOTE_WRITE};
	struct segue_remote_buf window;
	struct pair p;
	int life;

	memset(memory, 1, 64);
	pair_open(&p, memory, sizeof(memory));
	must(segue_qp_supports(p.a, "bind_mw"));
	must(segue_mr_open(p.pd, &attr, &part.mr));
	must(segue_mw_open(p.pd, SEGUE_MW_TYPE_2, &part.mw));

	/* Each life of the window has a key of its own. */
	for (life = 0; life < 2; life++) {
		part.offset = PART + (uint64_t)life * LENGTH;
		must(segue_qp_bind_mw(p.a, &part, &window));
		pair_complete(&p, 1);
		peer_writes(&p, &window, 100);
		pair_complete(&p, 1);
		if (memory[part.offset + 100] != 1 || memory[part.offset + 164] != 0) {
			fprintf(stderr, "The peer could not write into life %d of the window.\n",
				life);
			return 1;
		}
		must(segue_qp_unbind_mw(p.a, 3, SEGUE_SIGNALED, part.mw));
		pair_complete(&p, 1);
	}

	/* From now on the peer's requests through that key fail. */
	peer_writes(&p, &window, 200);
	if (!write_failed(&p) || memory[part.offset + 200] != 0) {
		fprintf(stderr, "The peer writes through a window that was taken back.\n");
		return 1;
	}
	printf("The peer has written through two lives of a window, and not after them.\n");
	pair_close(&p);
	return 0;
}
