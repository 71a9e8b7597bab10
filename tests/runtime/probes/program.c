/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Passes each probe of the rings a known number of times: three sends, one of them in a batch, one
 * of which fails, and two receives. Over plain memory.
 */
#include <stdio.h>
#include <stdlib.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/gen/builders.h"

#define QPN	0x1234
#define BLOCKS	32
#define ENTRIES 16

static struct {
	_Alignas(64) uint8_t ring[BLOCKS * 64];
	_Alignas(64) uint8_t receives[BLOCKS * 64];
	_Alignas(64) uint8_t cqes[ENTRIES * 64];
	_Alignas(64) uint8_t reg[64];
	struct segue_sq_slot slots[BLOCKS];
	uint64_t wr_ids[BLOCKS];
	uint32_t dbrec[4];
} memory;

static void check(int ret)
{
	if (ret < 0) {
		fprintf(stderr, "probes: %s\n", segue_errmsg());
		exit(1);
	}
}

static void complete(uint32_t entry, uint8_t opcode, uint16_t counter)
{
	const struct segue_cqe64 cqe = {.qpn = QPN, .opcode = opcode, .wqe_counter = counter};

	segue_cqe64_pack(memory.cqes + (size_t)entry * 64, &cqe);
}

static void nothing(const struct segue_wc *wc, void *arg)
{
	(void)wc;
	(void)arg;
}

int main(void)
{
	const struct segue_sq_init_options sends = {.buf = memory.ring,
						    .wqe_cnt = BLOCKS,
						    .dbrec = &memory.dbrec[1],
						    .bf_reg = memory.reg,
						    .qpn = QPN,
						    .slots = memory.slots};
	const struct segue_rq_init_options receives = {.buf = memory.receives,
						       .wqe_cnt = BLOCKS,
						       .stride = 64,
						       .dbrec = &memory.dbrec[0],
						       .qpn = QPN,
						       .wr_ids = memory.wr_ids};
	const struct segue_cq_init_options completions = {
		.buf = memory.cqes, .cqe_cnt = ENTRIES, .cqe_size = 64, .dbrec = &memory.dbrec[2]};
	const struct segue_err_cqe failed = {.qpn = QPN,
					     .opcode = SEGUE_CQE_OPCODE_REQ_ERR,
					     .syndrome = SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR,
					     .vendor_err_synd = 0x88,
					     .wqe_counter = 1};
	/* not static: bpftrace cannot read arguments that stand in objects of a function */
	struct segue_rc_sq *const sq = calloc(1, sizeof(*sq));
	struct segue_rq *const rq = calloc(1, sizeof(*rq));
	struct segue_cq *const cq = calloc(1, sizeof(*cq));
	struct segue_rc_batch batch;
	uint32_t i;

	if (!sq || !rq || !cq)
		return 1;
	for (i = 0; i < ENTRIES; i++)
		memory.cqes[i * 64 + 63] = SEGUE_CQE_OPCODE_INVALID << 4;
	check(segue_sq_init(&sq->sq, &sends));
	check(segue_rq_init(rq, &receives));
	check(segue_cq_init(cq, &completions));
	check(segue_cq_attach(cq,
			      &(struct segue_cq_queue){.number = QPN, .sq = &sq->sq, .rq = rq}));
	check(segue_post(segue_sge(segue_send(sq, 7, SEGUE_SIGNALED), 64, 8, 1)));
	check(segue_post(segue_nop(sq, 8, SEGUE_SIGNALED)));
	batch = segue_batch_begin(sq);
	check(segue_commit(segue_nop(&batch, 9, SEGUE_SIGNALED)));
	segue_batch_end(&batch);
	for (i = 0; i < 2; i++)
		check(segue_post(segue_sge(segue_recv(rq, i), 64, 8, 1)));
	complete(0, SEGUE_CQE_OPCODE_REQ, 0);
	segue_err_cqe_pack(memory.cqes + 64, &failed);
	complete(2, SEGUE_CQE_OPCODE_REQ, 2);
	complete(3, SEGUE_CQE_OPCODE_RESP_SEND, 0);
	check(segue_cq_poll_each(cq, 8, nothing, NULL));
	segue_cq_fini(cq);
	free(sq);
	free(rq);
	free(cq);
	return 0;
}
