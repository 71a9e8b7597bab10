/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completions: sends and receives one by one and by 16, none, with payload inside, failed and
 * compressed. The floors know of one queue pair more than they could: every completion is its own.
 * They read the entry, keep the index, and update the doorbell record. The honest one also finds
 * the wr_id and frees the room.
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <stdio.h>
#include <string.h>

#include "segue/base.h"
#include "segue/cq.h"
#include "segue/detail/cq_payload.h"
#include "segue/gen/builders.h"
#include "tools/bench/ours/polls.h"
#include "tools/bench/ours/values.h"

#define BATCH 16

const struct bench_poll bench_polls[BENCH_POLLS] = {
	{.name = "poll/send", .opcode = SEGUE_CQE_OPCODE_REQ},
	{.name = "poll/receive", .opcode = SEGUE_CQE_OPCODE_RESP_SEND},
	{.name = "poll/shared", .opcode = SEGUE_CQE_OPCODE_RESP_SEND, .shared = true},
	{.name = "poll/empty", .opcode = SEGUE_CQE_OPCODE_INVALID},
	{.name = "poll/payload",
	 .opcode = SEGUE_CQE_OPCODE_RESP_SEND,
	 .format = SEGUE_CQE_FORMAT_INLINE_32},
	{.name = "poll/failed",
	 .opcode = SEGUE_CQE_OPCODE_REQ_ERR,
	 .syndrome = SEGUE_CQE_SYNDROME_WR_FLUSH_ERR},
	{.name = "poll/compressed", .opcode = SEGUE_CQE_OPCODE_RESP_SEND, .compressed = true},
};

static uint8_t *next_of(struct bench_cqes *ring)
{
	return ring->buf + (size_t)(ring->pi % ring->entries) * SEGUE_CQE_SIZE;
}

static uint8_t owner_of(const struct bench_cqes *ring)
{
	return ring->pi / ring->entries & 1;
}

static void fail(struct bench_cqes *ring, const struct bench_poll *poll, uint32_t i)
{
	struct segue_err_cqe cqe;

	memset(&cqe, 0, sizeof(cqe));
	cqe.opcode = poll->opcode;
	cqe.syndrome = poll->syndrome;
	cqe.qpn = ring->qpn;
	cqe.s_wqe_opcode = SEGUE_OPCODE_RDMA_WRITE;
	cqe.srqn_uidx = ring->uidx;
	cqe.wqe_counter = (uint16_t)i;
	cqe.owner = owner_of(ring);
	segue_err_cqe_pack(next_of(ring), &cqe);
	ring->pi++;
}

/* The entries of a compressed block follow its first one. */
static void compress(struct bench_cqes *ring, struct segue_cqe64 *cqe)
{
	uint8_t *const title = next_of(ring);
	struct segue_mini_cqe mini;

	memset(&mini, 0, sizeof(mini));
	mini.byte_cnt = VALUE_byte_count;
	cqe->byte_cnt = BENCH_MINIS;
	cqe->format = SEGUE_CQE_FORMAT_COMPRESSED;
	cqe->owner = owner_of(ring);
	segue_cqe64_pack(title, cqe);
	for (uint32_t i = 0; i < BENCH_MINIS; i++)
		segue_mini_cqe_pack(title + SEGUE_CQE_SIZE + 8 * (size_t)i, &mini);
	ring->pi += BENCH_MINIS;
}

void bench_complete(struct bench_cqes *ring, const struct bench_poll *poll)
{
	struct segue_cqe64 cqe;

	if (poll->opcode == SEGUE_CQE_OPCODE_INVALID)
		return;
	memset(&cqe, 0, sizeof(cqe));
	cqe.opcode = poll->opcode;
	cqe.qpn = ring->qpn;
	cqe.srqn_uidx = ring->uidx;
	cqe.format = poll->format;
	cqe.byte_cnt = poll->format ? BENCH_PAYLOAD : VALUE_byte_count;
	cqe.s_wqe_opcode = SEGUE_OPCODE_RDMA_WRITE;
	for (uint32_t i = 0; i < BENCH_ALL; i++) {
		cqe.wqe_counter = (uint16_t)i;
		if (poll->syndrome) {
			fail(ring, poll, i);
		} else if (poll->compressed) {
			if (i % BENCH_MINIS == 0)
				compress(ring, &cqe);
		} else {
			cqe.owner = owner_of(ring);
			segue_cqe64_pack(next_of(ring), &cqe);
			ring->pi++;
		}
	}
}

static struct {
	_Alignas(64) uint8_t cqes[BENCH_ENTRIES * SEGUE_CQE_SIZE];
	_Alignas(64) uint8_t sends[BENCH_BLOCKS * 64], receives[BENCH_BLOCKS * 16],
		shared[BENCH_BLOCKS * 32];
	struct segue_sq_slot slots[BENCH_BLOCKS];
	uint64_t wr_ids[BENCH_BLOCKS], shared_wr_ids[BENCH_BLOCKS];
	uint16_t next[BENCH_BLOCKS];
	uint32_t dbrec[5];
	uint64_t uar[8];
	uint8_t landing[64];
	struct segue_cq cq;
	struct segue_rc_sq sq;
	struct segue_rq rq;
	struct segue_srq srq;
	struct bench_cqes ring;
	const struct bench_poll *poll; /* the measured poll */
	uint64_t total; /* so that nothing is optimised away */
	struct {
		uint32_t ci, room;
		const uint64_t *wr_ids;
	} floor;
} mine;

static void open_queues(void)
{
	const struct segue_cq_init_options cq = {.buf = mine.cqes,
						 .cqe_cnt = BENCH_ENTRIES,
						 .cqe_size = SEGUE_CQE_SIZE,
						 .dbrec = mine.dbrec};
	const struct segue_sq_init_options sq = {.buf = mine.sends,
						 .wqe_cnt = BENCH_BLOCKS,
						 .max_wqe_units = 16,
						 .dbrec = &mine.dbrec[2],
						 .bf_reg = mine.uar,
						 .qpn = BENCH_QPN,
						 .slots = mine.slots};
	const struct segue_rq_init_options rq = {.buf = mine.receives,
						 .wqe_cnt = BENCH_BLOCKS,
						 .stride = 16,
						 .dbrec = &mine.dbrec[3],
						 .qpn = BENCH_QPN,
						 .wr_ids = mine.wr_ids};
	const struct segue_rq_init_options srq = {.buf = mine.shared,
						  .wqe_cnt = BENCH_BLOCKS,
						  .stride = 32,
						  .dbrec = &mine.dbrec[4],
						  .qpn = 1,
						  .wr_ids = mine.shared_wr_ids,
						  .next = mine.next};
	const struct segue_cq_queue queue = {.number = BENCH_QPN,
					     .sq = &mine.sq.sq,
					     .rq = mine.poll->shared ? NULL : &mine.rq,
					     .srq = mine.poll->shared ? &mine.srq : NULL};

	segue_cq_fini(&mine.cq);
	memset(mine.cqes, SEGUE_CQE_OPCODE_INVALID << 4, sizeof(mine.cqes));
	if (segue_cq_init(&mine.cq, &cq) || segue_sq_init(&mine.sq.sq, &sq) ||
	    segue_rq_init(&mine.rq, &rq) || segue_srq_init(&mine.srq, &srq) ||
	    segue_cq_attach(&mine.cq, &queue))
		bench_die("queues to poll");
}

static void reset(void)
{
	int ret = 0;

	open_queues();
	for (uint32_t i = 0; i < BENCH_ALL; i++) {
		ret |= segue_post(segue_nop(&mine.sq, i, SEGUE_SIGNALED));
		ret |= segue_post(segue_sge(segue_recv(&mine.rq, i), (uintptr_t)mine.landing,
					    sizeof(mine.landing), 1));
		ret |= segue_post(segue_sge(segue_recv(&mine.srq, i), (uintptr_t)mine.landing,
					    sizeof(mine.landing), 1));
	}
	if (ret)
		bench_die("what is to complete");
	mine.ring.buf = mine.cqes;
	mine.ring.entries = BENCH_ENTRIES;
	mine.ring.qpn = BENCH_QPN;
	mine.ring.pi = 0;
	bench_complete(&mine.ring, mine.poll);
	mine.floor.ci = 0;
	mine.floor.wr_ids = mine.wr_ids;
}

static void sum(const struct segue_wc *wc, void *arg)
{
	*(uint64_t *)arg += wc->wr_id + wc->syndrome + wc->byte_len;
}

#define EACH(at_a_time) for (uint32_t i = 0; i < BENCH_ROUND_OF; i += (at_a_time))

static int poll_one(void)
{
	EACH(1)
	if (__builtin_expect(segue_cq_poll_each(&mine.cq, 1, sum, &mine.total) != 1, 0))
		return -1;
	return 0;
}

static int poll_batch(void)
{
	EACH(BATCH)
	if (__builtin_expect(segue_cq_poll_each(&mine.cq, BATCH, sum, &mine.total) != BATCH, 0))
		return -1;
	return 0;
}

static int poll_none(void)
{
	EACH(1)
	if (__builtin_expect(segue_cq_poll_each(&mine.cq, 1, sum, &mine.total) != 0, 0))
		return -1;
	return 0;
}

static int poll_payload(void)
{
	EACH(1)
		if (__builtin_expect(segue_cq_poll_payload(&mine.cq, 1, sum, &mine.total) != 1, 0))
			return -1;
	return 0;
}

static inline __attribute__((always_inline)) int poll_wc(int at_a_time)
{
	struct segue_wc wc[BATCH];

	EACH((uint32_t)at_a_time) {
		const int got = segue_cq_poll(&mine.cq, at_a_time, wc);

		for (int j = 0; j < got; j++)
			sum(&wc[j], &mine.total);
		if (__builtin_expect(got != at_a_time, 0))
			return -1;
	}
	return 0;
}

static int poll_wc_one(void)
{
	return poll_wc(1);
}

static int poll_wc_batch(void)
{
	return poll_wc(BATCH);
}

static inline __attribute__((always_inline)) int next_poll(uint32_t at_a_time)
{
	struct segue_wc wc;

	EACH(at_a_time) {
		if (__builtin_expect(segue_cq_start_poll(&mine.cq, &wc), 0))
			return -1;
		sum(&wc, &mine.total);
		for (uint32_t j = 1; j < at_a_time; j++) {
			if (__builtin_expect(segue_cq_next_poll(&mine.cq, &wc), 0))
				return -1;
			sum(&wc, &mine.total);
		}
		segue_cq_end_poll(&mine.cq);
	}
	return 0;
}

static int next_poll_one(void)
{
	return next_poll(1);
}

static int next_poll_batch(void)
{
	return next_poll(BATCH);
}

/* A poll of a floor. Returns the number of completions. */
static inline __attribute__((always_inline)) int floor_poll(int max, uint8_t opcode, bool honest)
{
	int count = 0;

	while (count < max) {
		const struct mlx5_cqe64 *cqe =
			(const struct mlx5_cqe64 *)(const void *)(mine.cqes +
								  (size_t)(mine.floor.ci &
									   (BENCH_ENTRIES - 1)) *
									  SEGUE_CQE_SIZE);
		const uint8_t op_own = *(const volatile uint8_t *)&cqe->op_own;
		uint32_t counter;

		if ((op_own & 1) != (mine.floor.ci / BENCH_ENTRIES & 1) ||
		    op_own >> 4 == SEGUE_CQE_OPCODE_INVALID)
			break;
		__asm__ volatile("" ::: "memory");
		if (__builtin_expect(op_own >> 4 != opcode, 0))
			return -1;
		counter = be16toh(cqe->wqe_counter) & (BENCH_BLOCKS - 1);
		if (honest) {
			if (__builtin_expect((be32toh(cqe->sop_drop_qpn) & 0xffffff) != BENCH_QPN,
					     0))
				return -1;
			mine.total += mine.floor.wr_ids[counter];
			mine.floor.room = counter + BENCH_BLOCKS;
		} else {
			mine.total += counter;
		}
		mine.total += opcode == SEGUE_CQE_OPCODE_REQ ? 0 : be32toh(cqe->byte_cnt);
		mine.floor.ci++;
		count++;
	}
	if (count) {
		__asm__ volatile("" ::: "memory");
		*(volatile uint32_t *)mine.dbrec = htobe32(mine.floor.ci & 0xffffff);
	}
	return count;
}

#define FLOOR_POLL(name, at_a_time, expected, opcode, honest)                                 \
	static int name(void)                                                                 \
	{                                                                                     \
		EACH(at_a_time)                                                               \
		if (__builtin_expect(floor_poll(at_a_time, opcode, honest) != (expected), 0)) \
			return -1;                                                            \
		return 0;                                                                     \
	}

FLOOR_POLL(honest_send, 1, 1, SEGUE_CQE_OPCODE_REQ, true)
FLOOR_POLL(honest_send_batch, BATCH, BATCH, SEGUE_CQE_OPCODE_REQ, true)
FLOOR_POLL(honest_receive, 1, 1, SEGUE_CQE_OPCODE_RESP_SEND, true)
FLOOR_POLL(honest_receive_batch, BATCH, BATCH, SEGUE_CQE_OPCODE_RESP_SEND, true)
FLOOR_POLL(honest_none, 1, 0, SEGUE_CQE_OPCODE_REQ, true)
FLOOR_POLL(absolute_send, 1, 1, SEGUE_CQE_OPCODE_REQ, false)
FLOOR_POLL(absolute_send_batch, BATCH, BATCH, SEGUE_CQE_OPCODE_REQ, false)
FLOOR_POLL(absolute_receive, 1, 1, SEGUE_CQE_OPCODE_RESP_SEND, false)
FLOOR_POLL(absolute_receive_batch, BATCH, BATCH, SEGUE_CQE_OPCODE_RESP_SEND, false)
FLOOR_POLL(absolute_none, 1, 0, SEGUE_CQE_OPCODE_REQ, false)

static const struct {
	const char *name;
	size_t poll;
	int (*handler)(void), (*array)(void), (*next)(void), (*honest)(void), (*absolute)(void);
} rows[] = {
	{"poll/send/1", 0, poll_one, poll_wc_one, next_poll_one, honest_send, absolute_send},
	{"poll/send/16", 0, poll_batch, poll_wc_batch, next_poll_batch, honest_send_batch,
	 absolute_send_batch},
	{"poll/receive/1", 1, poll_one, poll_wc_one, next_poll_one, honest_receive,
	 absolute_receive},
	{"poll/receive/16", 1, poll_batch, poll_wc_batch, next_poll_batch, honest_receive_batch,
	 absolute_receive_batch},
	{"poll/shared/1", 2, poll_one, poll_wc_one, next_poll_one, NULL, NULL},
	{"poll/shared/16", 2, poll_batch, poll_wc_batch, next_poll_batch, NULL, NULL},
	{"poll/empty/1", 3, poll_none, NULL, NULL, honest_none, absolute_none},
	{"poll/payload/1", 4, poll_payload, poll_wc_one, next_poll_one, NULL, NULL},
	{"poll/failed/1", 5, poll_one, poll_wc_one, next_poll_one, NULL, NULL},
	{"poll/compressed/1", 6, poll_one, poll_wc_one, next_poll_one, NULL, NULL},
	{"poll/compressed/16", 6, poll_batch, poll_wc_batch, next_poll_batch, NULL, NULL},
};

void bench_polls_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const name = rows[i].name;
		const struct bench_part parts[] = {
			{name, "handler", rows[i].handler, reset, NULL},
			{name, "array", rows[i].array, reset, NULL},
			{name, "one-by-one", rows[i].next, reset, NULL},
			{name, "honest", rows[i].honest, reset, NULL},
			{name, "absolute", rows[i].absolute, reset, NULL},
		};

		mine.poll = &bench_polls[rows[i].poll];
		for (size_t j = 0;
		     bench_wanted(name, filter) && j < sizeof(parts) / sizeof(parts[0]); j++)
			bench_part(&parts[j]);
	}
}
