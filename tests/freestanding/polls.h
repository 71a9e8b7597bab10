/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Repetitions of a pattern, and polls of what becomes of them, wherever this is compiled. The
 * entries of the completion queue are written here, as a device would: good ones and failed ones,
 * some more often than the ring is long.
 */
#ifndef SEGUE_TESTS_ALONE_POLLS_H
#define SEGUE_TESTS_ALONE_POLLS_H

#include "segue/cq.h"
#include "segue/gen/patterns.h"
#include "tests/freestanding/posts.h"

#define POLLS	      4000
#define POLLS_ENTRIES 16u
#define POLLS_QPN     0x123456u

struct polls {
	struct posts posts; /* queue and seed; its results are not used */
	struct segue_cq cq;
	struct segue_rc_rdma_write_may_take_sge_pattern pattern;
	uint8_t cqes[POLLS_ENTRIES][SEGUE_CQE_SIZE] __attribute__((aligned(SEGUE_CQE_SIZE)));
	uint32_t waiting[POLLS_ENTRIES]; /* where requests in flight begin */
	uint32_t posted, written, handed;
	int32_t result[POLLS];	   /* of a poll */
	uint64_t wr_id[2 * POLLS]; /* of a completion */
	uint8_t syndrome[2 * POLLS];
};

/* The entry of the oldest request in flight that has none. */
SEGUE_FUNCTION void polls_complete(struct polls *p)
{
	const uint32_t at = p->written % POLLS_ENTRIES;
	const uint8_t owner = (uint8_t)(p->written / POLLS_ENTRIES % 2);
	const uint16_t counter = (uint16_t)p->waiting[at];
	struct segue_err_cqe failed;
	struct segue_cqe64 good;

	memset(&good, 0, sizeof(good));
	memset(&failed, 0, sizeof(failed));
	good.qpn = failed.qpn = POLLS_QPN;
	good.wqe_counter = failed.wqe_counter = counter;
	good.s_wqe_opcode = failed.s_wqe_opcode = SEGUE_OPCODE_RDMA_WRITE;
	good.owner = failed.owner = owner;
	failed.opcode = SEGUE_CQE_OPCODE_REQ_ERR;
	failed.syndrome = SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR;
	if (posts_draw(&p->posts, 10))
		segue_cqe64_pack(p->cqes[at], &good);
	else
		segue_err_cqe_pack(p->cqes[at], &failed);
	p->written++;
}

SEGUE_FUNCTION void polls_note(const struct segue_wc *wc, void *arg) SEGUEI_NOEXCEPT
{
	struct polls *p = (struct polls *)arg;

	p->wr_id[p->handed] = wc->wr_id;
	p->syndrome[p->handed++] = wc->syndrome;
}

/* Some repetitions; what is in flight fits the completion queue. */
SEGUE_FUNCTION void polls_repeat(struct polls *p)
{
	struct segue_rc_rdma_write_may_take_sge_repeat r = segue_repeat_begin(&p->pattern,
									      p->posted);
	uint32_t left = posts_draw(&p->posts, 4);

	while (left-- && p->posted - p->handed < POLLS_ENTRIES) {
		segue_repeat_wr_id(&r, p->posted);
		segue_set_raddr_remote_addr(&r, (uint64_t)p->posted * 64);
		p->waiting[p->posted % POLLS_ENTRIES] = r.repeat.pi;
		if (segue_repeat(&r, SEGUE_SIGNALED) == 0)
			p->posted++;
	}
	segue_repeat_end(&r);
}

/* In each way that there is to poll. */
SEGUE_FUNCTION int polls_poll(struct polls *p)
{
	struct segue_wc wc[4];
	int i, count;

	switch (posts_draw(&p->posts, 4)) {
	case 0:
		return segue_cq_poll_each(&p->cq, 1, polls_note, p);
	case 1:
		return segue_cq_poll_each(&p->cq, 8, polls_note, p);
	case 2:
		count = segue_cq_poll(&p->cq, 4, wc);
		for (i = 0; i < count; i++)
			polls_note(&wc[i], p);
		return count;
	default:
		count = segue_cq_start_poll(&p->cq, wc);
		if (count)
			return count;
		do {
			polls_note(wc, p);
			count++;
		} while (segue_cq_next_poll(&p->cq, wc) == 0);
		segue_cq_end_poll(&p->cq);
		return count;
	}
}

SEGUE_FUNCTION void polls_run(struct polls *p)
{
	uint32_t i;

	for (i = 0; i < POLLS; i++) {
		if (posts_draw(&p->posts, 50) == 0) /* the pattern is laid anew */
			segue_ring_doorbell(&p->posts.sq);
		polls_repeat(p);
		while (p->written != p->posted && posts_draw(&p->posts, 3))
			polls_complete(p);
		p->result[i] = polls_poll(p);
	}
}

#endif
