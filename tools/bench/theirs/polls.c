/* SPDX-License-Identifier: BSD-2-Clause */
/* Receives and polls through libmlx5: ibv_post_recv(), ibv_poll_cq(), ibv_start_poll(). */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "tools/bench/ours/polls.h"
#include "tools/bench/theirs/device.h"

#define BATCH	16
#define WAIT_MS 10000

static struct bench_queue *queue;
static struct bench_cqes plain, extended; /* of the two completion queues */
static const struct bench_poll *current;
static struct bench_cqes *into;
static uint8_t landing[64];
static uint64_t total; /* so that nothing is optimised away */

static inline __attribute__((always_inline)) int post_receives(uint32_t at_a_time)
{
	for (uint32_t i = 0; i < BENCH_ROUND_OF; i += at_a_time) {
		struct ibv_sge sge[BATCH];
		struct ibv_recv_wr wr[BATCH], *bad;
		int ret;

		for (uint32_t j = 0; j < at_a_time; j++) {
			sge[j].addr = (uintptr_t)landing;
			sge[j].length = VALUE_byte_count;
			sge[j].lkey = VALUE_lkey;
			wr[j].wr_id = i + j;
			wr[j].sg_list = &sge[j];
			wr[j].num_sge = 1;
			wr[j].next = j + 1 < at_a_time ? &wr[j + 1] : NULL;
		}
		ret = ibv_post_recv(queue->qp, wr, &bad);
		if (__builtin_expect(ret, 0))
			return ret;
	}
	return 0;
}

static int post_receives_one(void)
{
	return post_receives(1);
}

static int post_receives_batch(void)
{
	return post_receives(BATCH);
}

static void reset(void)
{
	bench_reset_theirs(queue);
}

static void reset_poll(void)
{
	struct ibv_qp_ex *const qpx = queue->qpx;

	reset();
	for (uint32_t i = 0; i < BENCH_ALL; i++) {
		ibv_wr_start(qpx);
		qpx->wr_id = i;
		qpx->wr_flags = IBV_SEND_SIGNALED;
		ibv_wr_rdma_write(qpx, 1, 0x2000);
		ibv_wr_set_sge(qpx, 1, 0x1000, 8);
		if (ibv_wr_complete(qpx))
			bench_die("what is to complete");
	}
	for (uint32_t i = 0; i < BENCH_ALL; i += BENCH_ROUND_OF)
		if (post_receives(1))
			bench_die("receives that are to complete");
	bench_complete(into, current);
}

static inline __attribute__((always_inline)) int poll(int at_a_time, int expected)
{
	struct ibv_wc wc[BATCH];

	for (uint32_t i = 0; i < BENCH_ROUND_OF; i += (uint32_t)at_a_time) {
		const int got = ibv_poll_cq(bench_their_device.cq, at_a_time, wc);

		for (int j = 0; j < got; j++)
			total += wc[j].wr_id + wc[j].status + wc[j].byte_len;
		if (__builtin_expect(got != expected, 0))
			return -1;
	}
	return 0;
}

static int poll_one(void)
{
	return poll(1, 1);
}

static int poll_batch(void)
{
	return poll(BATCH, BATCH);
}

static int poll_none(void)
{
	return poll(1, 0);
}

static inline __attribute__((always_inline)) int next_poll(uint32_t at_a_time)
{
	struct ibv_cq_ex *const cq = bench_their_device.cqx;

	for (uint32_t i = 0; i < BENCH_ROUND_OF; i += at_a_time) {
		struct ibv_poll_cq_attr attr = {0};

		if (__builtin_expect(ibv_start_poll(cq, &attr), 0))
			return -1;
		total += cq->wr_id + cq->status + ibv_wc_read_byte_len(cq);
		for (uint32_t j = 1; j < at_a_time; j++) {
			if (__builtin_expect(ibv_next_poll(cq), 0))
				return -1;
			total += cq->wr_id + cq->status + ibv_wc_read_byte_len(cq);
		}
		ibv_end_poll(cq);
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

static int next_poll_none(void)
{
	for (uint32_t i = 0; i < BENCH_ROUND_OF; i++) {
		struct ibv_poll_cq_attr attr = {0};

		if (__builtin_expect(ibv_start_poll(bench_their_device.cqx, &attr) != ENOENT, 0))
			return -1;
	}
	return 0;
}

static void describe(struct ibv_cq *cq, struct mlx5dv_cq *dv)
{
	struct mlx5dv_obj obj;

	memset(&obj, 0, sizeof(obj));
	memset(dv, 0, sizeof(*dv));
	obj.cq.in = cq;
	obj.cq.out = dv;
	if (mlx5dv_init_obj(&obj, MLX5DV_OBJ_CQ))
		bench_die("mlx5dv_init_obj");
}

/*
 * libmlx5 finds the queue pair by an index of its own, which a receive that the device flushes
 * contains.
 */
static uint32_t learn(void)
{
	const struct timespec moment = {.tv_sec = 0, .tv_nsec = 1000000};
	struct ibv_sge sge = {.addr = (uintptr_t)landing, .length = sizeof(landing), .lkey = 1};
	struct ibv_recv_wr wr = {.sg_list = &sge, .num_sge = 1}, *bad;
	struct segue_err_cqe cqe;
	struct mlx5dv_cq dv;

	describe(bench_their_device.own, &dv);
	bench_flush_theirs(queue, &wr, &bad);
	for (int ms = 0; ms < WAIT_MS; ms++) {
		(void)segue_err_cqe_unpack(&cqe,
					   (uint8_t *)dv.buf + dv.cqe_size - SEGUE_ERR_CQE_SIZE);
		if (cqe.opcode == SEGUE_CQE_OPCODE_RESP_ERR)
			return cqe.srqn_uidx;
		nanosleep(&moment, NULL);
	}
	bench_die("the device does not flush");
}

static void open_ring(struct bench_cqes *ring, struct ibv_cq *cq, uint32_t uidx)
{
	struct mlx5dv_cq dv;

	describe(cq, &dv);
	if (dv.cqe_size != SEGUE_CQE_SIZE)
		bench_die("a completion queue of another form than asked for");
	ring->buf = dv.buf;
	ring->entries = dv.cqe_cnt;
	ring->qpn = queue->qp->qp_num;
	ring->uidx = uidx;
}

static const struct {
	const char *name;
	size_t poll;
	int (*array)(void), (*next)(void);
} rows[] = {
	{"poll/send/1", 0, poll_one, next_poll_one},
	{"poll/send/16", 0, poll_batch, next_poll_batch},
	{"poll/receive/1", 1, poll_one, next_poll_one},
	{"poll/receive/16", 1, poll_batch, next_poll_batch},
	{"poll/empty/1", 3, poll_none, next_poll_none},
	{"poll/payload/1", 4, poll_one, next_poll_one},
	{"poll/failed/1", 5, poll_one, next_poll_one},
};

void bench_their_polls_run(const char *filter)
{
	const struct bench_part receives[] = {
		{"post-receive/1", "ibv_post_recv", post_receives_one, reset, NULL},
		{"post-receive/16", "ibv_post_recv", post_receives_batch, reset, NULL},
	};

	if (!queue && bench_is_adopted()) {
		queue = &bench_their_device.queues[QUEUE_rc];
		open_ring(&plain, bench_second_queue(), 0);
		bench_their_device.cq = bench_their_device.own;
	} else if (!queue) {
		queue = &bench_their_device.queues[QUEUE_rc];
		open_ring(&plain, bench_their_device.cq, learn());
		open_ring(&extended, ibv_cq_ex_to_cq(bench_their_device.cqx), plain.uidx);
	}
	for (size_t i = 0; i < sizeof(receives) / sizeof(receives[0]); i++)
		if (bench_wanted(receives[i].row, filter))
			bench_part(&receives[i]);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct bench_part array = {rows[i].name, "ibv_poll_cq", rows[i].array,
						 reset_poll, NULL};
		const struct bench_part next = {rows[i].name, "ibv_start_poll", rows[i].next,
						reset_poll, NULL};

		if (!bench_wanted(rows[i].name, filter))
			continue;
		current = &bench_polls[rows[i].poll];
		into = &plain;
		bench_part(&array);
		if (bench_is_adopted())
			continue; /* those are filled as an ibv_wc is */
		into = &extended;
		bench_part(&next);
	}
}
