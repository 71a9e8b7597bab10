/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * pattern: blocks of one size are written one after the other, as storage does, and each request
 * costs half of what it costs to build.
 *
 * When to use it: many requests of one shape on a queue: WRITEs of blocks, SENDs of one kind; over
 * DC, where the address vector stays in the ring. What the card must have: nothing. What to mind:
 * requests of a burst share their wr_id, unless segue_repeat_wr_id() gives another. Other requests
 * on the queue are fine, and make the next lap dearer. A field that one request sets has to be set
 * in each.
 */
#include <string.h>

#include "pair.h"
#include "segue/gen/patterns.h"

#define BLOCKS 256
#define BURST  8

static struct {
	uint8_t from[BLOCKS][64], to[BLOCKS][64];
} memory;

static void write_all(struct pair *p, struct segue_rc_rdma_write_may_take_sge_pattern *pattern,
		      struct segue_local_buf from, struct segue_remote_buf to)
{
	for (uint64_t block = 0; block < BLOCKS;) {
		struct segue_rc_rdma_write_may_take_sge_repeat r = segue_repeat_begin(pattern,
										      block);

		for (int i = 0; i < BURST; i++, block++) {
			segue_set_sge_addr(&r, from.addr + 64 * block);
			segue_set_raddr_remote_addr(&r, to.addr + 64 * block);
			must(segue_repeat(&r, i == BURST - 1 ? SEGUE_SIGNALED : 0));
		}
		segue_repeat_end(&r);
		pair_complete(p, 1);
		if (block % 40 == 0) { /* something else in between */
			must(segue_post(segue_nop(segue_qp_rc_sq(p->a), 0, SEGUE_SIGNALED)));
			pair_complete(p, 1);
		}
	}
}

/* With other numbers than before, as late packets might fit those. */
static void connect_again(struct pair *p)
{
	struct segue_path to_a = path_here(p, segue_qp_number(p->a)),
			  to_b = path_here(p, segue_qp_number(p->b));

	to_a.sq_psn = to_b.rq_psn = 3000;
	to_b.sq_psn = to_a.rq_psn = 4000;
	must(segue_qp_connect(p->a, &to_b));
	must(segue_qp_connect(p->b, &to_a));
}

int main(void)
{
	struct segue_rc_rdma_write_may_take_sge_pattern pattern;
	struct segue_local_buf from;
	struct segue_remote_buf to;
	struct pair p;

	pair_open(&p, &memory, sizeof(memory));
	must(segue_mr_local_buf(p.mr, 0, 64, &from));
	must(segue_mr_remote_buf(p.mr, sizeof(memory.from), 64, &to));
	must(segue_pattern_rc_rdma_write_may_take_sge(
		segue_sge_buf(segue_raddr_buf(segue_rdma_write(segue_qp_rc_sq(p.a), 0, 0), to),
			      from),
		&pattern));
	for (int life = 0; life < 2; life++) {
		for (uint32_t i = 0; i < sizeof(memory.from); i++)
			(&memory.from[0][0])[i] = (uint8_t)(i / 64 * 3 + i + (unsigned int)life);
		write_all(&p, &pattern, from, to);
		if (memcmp(memory.from, memory.to, sizeof(memory.to)) != 0) {
			fprintf(stderr, "A block is not where it was to be.\n");
			return 1;
		}
		if (life == 0) { /* and the queues begin anew */
			must(segue_qp_reset(p.a, NULL, NULL));
			must(segue_qp_reset(p.b, NULL, NULL));
			connect_again(&p);
		}
	}
	printf("All blocks were written, twice.\n");
	pair_close(&p);
	return 0;
}
