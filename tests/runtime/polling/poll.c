/* SPDX-License-Identifier: BSD-2-Clause */
/* Polls a known number of times, for callgrind to count. The functions that are counted are called
 * poll_…(). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/cq.h"
#include "segue/detail/cq_payload.h"
#include "segue/gen/builders.h"

#define ENTRIES 256
#define ROUNDS	64 /* polling_test.py divides by this */
#define QPN	0x1234
#define BATCH	16

static struct {
	_Alignas(64) uint8_t cqes[ENTRIES * 64];
	_Alignas(64) uint8_t ring[ENTRIES * 64];
	_Alignas(64) uint8_t recv_ring[ENTRIES * 64];
	struct segue_sq_slot slots[ENTRIES];
	uint64_t wr_ids[ENTRIES];
	uint16_t next[ENTRIES];
	uint32_t dbrec[4];
	uint64_t uar[512];
} memory;

static struct segue_rc_sq sq;
static struct segue_rq rq;
static struct segue_srq srq;

static void sum(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome;
}

static void sum_receive(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome + (wc->byte_len + wc->imm);
}

/* Functions of their own, so that their instructions can be counted. */
#define MEASURED(name, poll, max, handler) \
	__attribute__((noinline)) int name(struct segue_cq *cq, uint64_t *total) \
	{ \
		return poll(cq, max, handler, total); \
	}

MEASURED(poll_empty, segue_cq_poll_each, 1, sum)
MEASURED(poll_send, segue_cq_poll_each, 1, sum)
MEASURED(poll_send_16, segue_cq_poll_each, BATCH, sum)
MEASURED(poll_receive, segue_cq_poll_each, 1, sum_receive)
MEASURED(poll_receive_srq, segue_cq_poll_each, 1, sum_receive)
MEASURED(poll_receive_inline, segue_cq_poll_each, 1, sum_receive)

/* Behind one with payload in its entry the straight path goes on. */
MEASURED(poll_inline_16, segue_cq_poll_each, BATCH, sum_receive)

/* As a program does that asks for such completions. */
MEASURED(poll_payload, segue_cq_poll_payload, 1, sum_receive)
MEASURED(poll_payload_16, segue_cq_poll_payload, BATCH, sum_receive)
MEASURED(poll_payload_srq, segue_cq_poll_payload, 1, sum_receive)

/* And for those that complete without payload. */
MEASURED(poll_payload_none, segue_cq_poll_payload, 1, sum_receive)

/* Into arrays. */
__attribute__((noinline)) int poll_wc(struct segue_cq *cq, struct segue_wc *wc)
{
	return segue_cq_poll(cq, 1, wc);
}

__attribute__((noinline)) int poll_wc_16(struct segue_cq *cq, struct segue_wc *wc)
{
	return segue_cq_poll(cq, BATCH, wc);
}

static void check(int condition)
{
	if (!condition)
		exit(1);
}

static void open_cq(struct segue_cq *cq, bool shared)
{
	const struct segue_cq_init_options attr = {
		.buf = memory.cqes, .cqe_cnt = ENTRIES, .cqe_size = 64, .dbrec = memory.dbrec};
	const struct segue_sq_init_options sq_attr = {.buf = memory.ring,
						      .wqe_cnt = ENTRIES,
						      .max_wqe_units = 16,
						      .dbrec = &memory.dbrec[2],
						      .bf_reg = memory.uar,
						      .qpn = QPN,
						      .slots = memory.slots};
	const struct segue_rq_init_options rq_attr = {.buf = memory.recv_ring,
						      .wqe_cnt = ENTRIES,
						      .stride = 64,
						      .dbrec = &memory.dbrec[3],
						      .qpn = QPN,
						      .wr_ids = memory.wr_ids,
						      .next = memory.next};
	struct segue_cq_queue queue = {.number = QPN, .sq = &sq.sq, .rq = &rq};

	memset(&memory, 0, sizeof(memory));
	memset(memory.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(memory.cqes));
	check(!segue_cq_init(cq, &attr) && !segue_sq_init(&sq.sq, &sq_attr) &&
	      !segue_rq_init(&rq, &rq_attr) && !segue_srq_init(&srq, &rq_attr));
	if (shared) {
		queue.rq = NULL;
		queue.srq = &srq;
	}
	check(!segue_cq_attach(cq, &queue));
}

static void complete(uint32_t at, uint8_t opcode, uint16_t counter)
{
	const struct segue_cqe64 cqe = {
		.qpn = QPN, .opcode = opcode, .wqe_counter = counter, .byte_cnt = 1};

	segue_cqe64_pack(memory.cqes + at % ENTRIES * 64, &cqe);
}

static void complete_inline(uint32_t at, uint16_t counter)
{
	const struct segue_cqe64 cqe = {.qpn = QPN,
					.opcode = SEGUE_CQE_OPCODE_RESP_SEND,
					.format = SEGUE_CQE_FORMAT_INLINE_32,
					.wqe_counter = counter,
					.byte_cnt = 8};

	segue_cqe64_pack(memory.cqes + at % ENTRIES * 64, &cqe);
}

static void post_nops(struct segue_cq *cq, int count)
{
	for (int i = 0; i < count; i++) {
		complete(seguei_cq_ci(cq) + (uint32_t)i, SEGUE_CQE_OPCODE_REQ, (uint16_t)sq.sq.pi);
		check(!segue_post(segue_nop(&sq, 1, SEGUE_SIGNALED)));
	}
}

static void post_receives(struct segue_cq *cq, int count)
{
	for (int i = 0; i < count; i++) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), 8, 8, 8)));
		complete(seguei_cq_ci(cq) + (uint32_t)i, SEGUE_CQE_OPCODE_RESP_SEND, 0);
	}
}

/* In a loop, as programs poll: what does not change stays where it is. */
#define LOOP(name, max, handler)                                                     \
	__attribute__((noinline)) void name(struct segue_cq *cq, uint64_t *total)    \
	{                                                                            \
		for (int i = 0; i < ROUNDS; i += (max))                              \
			check(segue_cq_poll_each(cq, max, handler, total) == (max)); \
	}

LOOP(loop_send, 1, sum)
LOOP(loop_send_16, BATCH, sum)
LOOP(loop_receive, 1, sum_receive)

#define LOOP_WC(name, max)                                                               \
	__attribute__((noinline)) void name(struct segue_cq *cq, uint64_t *total)        \
	{                                                                                \
		struct segue_wc wc[max];                                                 \
                                                                                         \
		for (int i = 0; i < ROUNDS; i += (max)) {                                \
			check(segue_cq_poll(cq, max, wc) == (max));                      \
			for (int j = 0; j < (max); j++)                                  \
				*total += wc[j].wr_id + wc[j].syndrome + wc[j].byte_len; \
		}                                                                        \
	}

LOOP_WC(loop_wc, 1)
LOOP_WC(loop_wc_16, BATCH)
LOOP_WC(loop_wc_receive, 1)
LOOP_WC(loop_wc_receive_16, BATCH)

static void loops(struct segue_cq *cq, uint64_t *total)
{
	static const struct {
		void (*post)(struct segue_cq *cq, int count);
		void (*poll)(struct segue_cq *cq, uint64_t *total);
	} all[] = {
		{post_nops, loop_send},
		{post_nops, loop_send_16},
		{post_receives, loop_receive},
		{post_nops, loop_wc},
		{post_nops, loop_wc_16},
		{post_receives, loop_wc_receive},
		{post_receives, loop_wc_receive_16},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		open_cq(cq, false);
		all[i].post(cq, ROUNDS);
		all[i].poll(cq, total);
		segue_cq_fini(cq);
	}
}

static void arrays(struct segue_cq *cq)
{
	struct segue_wc wc[BATCH];

	open_cq(cq, false);
	for (int i = 0; i < ROUNDS; i++) {
		post_nops(cq, 1);
		check(poll_wc(cq, wc) == 1);
	}
	post_nops(cq, BATCH);
	check(poll_wc_16(cq, wc) == BATCH);
	segue_cq_fini(cq);
}

static void sends(struct segue_cq *cq, uint64_t *total)
{
	open_cq(cq, false);
	for (int i = 0; i < ROUNDS; i++) {
		complete((uint32_t)i, SEGUE_CQE_OPCODE_REQ, (uint16_t)sq.sq.pi);
		check(!segue_post(segue_nop(&sq, 1, SEGUE_SIGNALED)));
		check(poll_send(cq, total) == 1);
		check(poll_empty(cq, total) == 0);
	}
	for (int i = 0; i < BATCH; i++) {
		complete((uint32_t)(ROUNDS + i), SEGUE_CQE_OPCODE_REQ, (uint16_t)sq.sq.pi);
		check(!segue_post(segue_nop(&sq, 1, SEGUE_SIGNALED)));
	}
	check(poll_send_16(cq, total) == BATCH);
	segue_cq_fini(cq);
}

static void receives(struct segue_cq *cq, uint64_t *total)
{
	open_cq(cq, false);
	for (int i = 0; i < ROUNDS; i++) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), 8, 8, 8)));
		complete((uint32_t)i, SEGUE_CQE_OPCODE_RESP_SEND, 0);
		check(poll_receive(cq, total) == 1);
	}
	segue_cq_fini(cq);
	open_cq(cq, true);
	for (int i = 0; i < ROUNDS; i++) {
		complete((uint32_t)i, SEGUE_CQE_OPCODE_RESP_SEND, (uint16_t)srq.head);
		check(!segue_post(segue_sge(segue_recv(&srq, 1), 8, 8, 8)));
		check(poll_receive_srq(cq, total) == 1);
	}
	segue_cq_fini(cq);
}

static void inline_receives(struct segue_cq *cq, uint64_t *total)
{
	uint64_t landing = 1;

	open_cq(cq, false);
	for (int i = 0; i < ROUNDS; i++) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), (uintptr_t)&landing, 8, 8)));
		complete_inline((uint32_t)i, 0);
		check(poll_receive_inline(cq, total) == 1 && landing == 0);
		landing = 1;
	}
	for (int i = 0; i < BATCH; i++) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), (uintptr_t)&landing, 8, 8)));
		complete(ROUNDS + (uint32_t)i, SEGUE_CQE_OPCODE_RESP_SEND, 0);
	}
	complete_inline(ROUNDS, 0);
	check(poll_inline_16(cq, total) == BATCH);
	segue_cq_fini(cq);
}

static void payload_receives(struct segue_cq *cq, uint64_t *total)
{
	uint64_t landing = 1;
	uint32_t at = 0;

	open_cq(cq, false);
	for (int i = 0; i < ROUNDS; i++, landing = 1) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), (uintptr_t)&landing, 8, 8)));
		complete_inline(at++, 0);
		check(poll_payload(cq, total) == 1 && landing == 0);
		check(!segue_post(segue_sge(segue_recv(&rq, 1), (uintptr_t)&landing, 8, 8)));
		complete(at++, SEGUE_CQE_OPCODE_RESP_SEND, 0);
		check(poll_payload_none(cq, total) == 1);
	}
	for (int i = 0; i < BATCH; i++) {
		check(!segue_post(segue_sge(segue_recv(&rq, 1), (uintptr_t)&landing, 8, 8)));
		complete_inline(at++, 0);
	}
	check(poll_payload_16(cq, total) == BATCH && landing == 0);
	segue_cq_fini(cq);
	open_cq(cq, true);
	landing = 1;
	for (int i = 0; i < ROUNDS; i++, landing = 1) {
		complete_inline((uint32_t)i, (uint16_t)srq.head);
		check(!segue_post(segue_sge(segue_recv(&srq, 1), (uintptr_t)&landing, 8, 8)));
		check(poll_payload_srq(cq, total) == 1 && landing == 0);
	}
	segue_cq_fini(cq);
}

int main(void)
{
	struct segue_cq cq;
	uint64_t total = 0;

	sends(&cq, &total);
	receives(&cq, &total);
	inline_receives(&cq, &total);
	payload_receives(&cq, &total);
	arrays(&cq);
	loops(&cq, &total);
	printf("%llu\n", (unsigned long long)total);
	return 0;
}
