/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDMA WRITEs, one and 16 per doorbell, also by patterns that keep most fields, on rings of several
 * sizes. Receives of a queue pair, of a shared queue, and of a striding one.
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "tools/bench/ours/rounds.h"
#include "tools/bench/ours/values.h"

#define STRIDES 512u /* of a receive ring */
#define BATCH	16

static struct {
	_Alignas(64) uint8_t receives[STRIDES * 32];
	uint64_t wr_ids[STRIDES];
	uint16_t next[STRIDES];
	uint32_t dbrec, pi, limit;
	struct segue_rq rq;
	struct segue_srq srq;
	struct segue_mprq mprq;
} mine;
static uint32_t blocks; /* of the send ring in use */

static void reset(void)
{
	bench_ring_reset_at(blocks, 0);
}

static void reset_receives(void)
{
	struct segue_rq_init_options rq = {.buf = mine.receives,
					   .wqe_cnt = STRIDES,
					   .stride = 16,
					   .dbrec = &mine.dbrec,
					   .qpn = BENCH_QPN,
					   .wr_ids = mine.wr_ids};

	memset(mine.receives, 0, sizeof(mine.receives));
	mine.pi = 0;
	mine.limit = STRIDES;
	if (segue_rq_init(&mine.rq, &rq))
		bench_die("receive queue");
	rq.stride = 32;
	rq.next = mine.next;
	if (segue_srq_init(&mine.srq, &rq) || segue_mprq_init(&mine.mprq, &rq))
		bench_die("shared queues");
}

#define WRITE(queue, i, flags) \
	segue_raddr(segue_rdma_write(queue, i, flags), VALUE_remote_addr, VALUE_rkey)
#define LISTED(queue, i, flags) \
	segue_sge(WRITE(queue, i, flags), VALUE_addr, VALUE_byte_count, VALUE_lkey)

/* The fields that each repetition sets. Keys and address vectors stay, and all have one wr_id. */
#define SET_PIECE(r, i)                                \
	((void)(i), segue_set_sge_addr(r, VALUE_addr), \
	 segue_set_sge_byte_count(r, VALUE_byte_count))
#define SET_PLACES(r, i)                               \
	((void)(i), segue_set_sge_addr(r, VALUE_addr), \
	 segue_set_raddr_remote_addr(r, VALUE_remote_addr))
#define SET_WRITE(r, i) (SET_PLACES(r, i), segue_set_sge_byte_count(r, VALUE_byte_count))

static struct segue_rc_rdma_write_may_take_sge_pattern write_pattern;
static struct segue_rc_send_may_take_sge_pattern send_pattern;
static struct segue_dci_rdma_write_may_take_sge_pattern dci_pattern;

#define STORE_WRITE (floor_rdma_write(&w), floor_raddr(&w), floor_sge(&w));

#define ALL_OF(n)                                                                               \
	BENCH_BUILT(write_##n, n, segue_rc_sq, LISTED)                                          \
	BENCH_BATCHED(write_batch_##n, n, segue_rc_sq, segue_rc_batch, LISTED)                  \
	BENCH_REPEATED(write_kept_##n, n, rc_rdma_write_may_take_sge, write_pattern, SET_WRITE) \
	BENCH_STORED(write_##n, n, STORE_WRITE)
ALL_OF(1)
ALL_OF(16)

#define SENT(queue, i, flags) \
	segue_sge(segue_send(queue, i, flags), VALUE_addr, VALUE_byte_count, VALUE_lkey)
#define OVER_DC(queue, i, flags)                                                                 \
	segue_sge(segue_raddr(segue_av(segue_rdma_write(queue, i, flags), &bench_address_vector, \
				       VALUE_dqp_dct, VALUE_dc_key),                             \
			      VALUE_remote_addr, VALUE_rkey),                                    \
		  VALUE_addr, VALUE_byte_count, VALUE_lkey)
BENCH_LAID(lay_write, rc_rdma_write_may_take_sge, write_pattern, segue_rc_sq, LISTED)
BENCH_LAID(lay_send, rc_send_may_take_sge, send_pattern, segue_rc_sq, SENT)
BENCH_LAID(lay_dci, dci_rdma_write_may_take_sge, dci_pattern, segue_dci_sq, OVER_DC)
BENCH_BUILT(sends, BATCH, segue_rc_sq, SENT)
BENCH_BATCHED(sends_batch, BATCH, segue_rc_sq, segue_rc_batch, SENT)
BENCH_REPEATED(sends_kept, BATCH, rc_send_may_take_sge, send_pattern, SET_PIECE)
BENCH_BUILT(dci, BATCH, segue_dci_sq, OVER_DC)
BENCH_BATCHED(dci_batch, BATCH, segue_dci_sq, segue_dci_batch, OVER_DC)
BENCH_REPEATED(dci_kept, BATCH, dci_rdma_write_may_take_sge, dci_pattern, SET_WRITE)
BENCH_REPEATED(blocks_kept, BATCH, rc_rdma_write_may_take_sge, write_pattern, SET_PLACES)
BENCH_REPEATED(dci_blocks_kept, BATCH, dci_rdma_write_may_take_sge, dci_pattern, SET_PLACES)

#define RECEIVE(queue, recv, i) segue_sge(recv(queue, i), VALUE_addr, VALUE_byte_count, VALUE_lkey)
#define RECEIVED(name, queue, recv, n)                                       \
	BENCH_ROUND(name, n, (void)0, segue_commit(RECEIVE(queue, recv, i)), \
		    segue_post(RECEIVE(queue, recv, i)), (void)0)

RECEIVED(receive_one, &mine.rq, segue_recv, 1)
RECEIVED(receive_batch, &mine.rq, segue_recv, BATCH)
RECEIVED(shared_one, &mine.srq, segue_recv, 1)
RECEIVED(shared_batch, &mine.srq, segue_recv, BATCH)
RECEIVED(striding_one, &mine.mprq, segue_recv, 1)
RECEIVED(striding_batch, &mine.mprq, segue_recv, BATCH)

static inline __attribute__((always_inline)) int floor_receive(uint32_t n, bool honest)
{
	for (uint64_t i = 0; i < BENCH_ROUND_OF;) {
		for (uint32_t j = 0; j < n; j++, i++) {
			const uint32_t slot = mine.pi & (STRIDES - 1);

			if (honest) {
				if (__builtin_expect((int32_t)(mine.limit - mine.pi) <= 0, 0))
					return -1;
				mine.wr_ids[slot] = i;
			}
			mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(void *)(mine.receives +
										 (size_t)slot * 16),
					    VALUE_byte_count, VALUE_lkey, VALUE_addr);
			mine.pi++;
		}
		__asm__ volatile("" ::: "memory");
		*(volatile uint32_t *)&mine.dbrec = htobe32(mine.pi & 0xffff);
	}
	return 0;
}

#define RECEIVE_FLOOR(name, n, honest)           \
	static int name(void)                    \
	{                                        \
		return floor_receive(n, honest); \
	}

RECEIVE_FLOOR(honest_receive_one, 1, true)
RECEIVE_FLOOR(honest_receive_batch, BATCH, true)
RECEIVE_FLOOR(absolute_receive_one, 1, false)
RECEIVE_FLOOR(absolute_receive_batch, BATCH, false)

static const struct {
	const char *name;
	int (*builders)(void), (*batch)(void), (*kept)(void), (*honest)(void), (*absolute)(void);
	void (*lay)(void);
	uint32_t blocks;
} rows[] = {
	{"batch/write/1", write_1, write_batch_1, write_kept_1, BENCH_FLOORS(write_1), lay_write,
	 BENCH_BLOCKS},
	{"batch/write/16", write_16, write_batch_16, write_kept_16, BENCH_FLOORS(write_16),
	 lay_write, BENCH_BLOCKS},
	/* of one length, so that only the address changes */
	{"batch/block/16", write_16, write_batch_16, blocks_kept, BENCH_FLOORS(write_16), lay_write,
	 BENCH_BLOCKS},
	{"batch/send/16", sends, sends_batch, sends_kept, NULL, NULL, lay_send, BENCH_BLOCKS},
	{"batch/dci-write/16", dci, dci_batch, dci_kept, NULL, NULL, lay_dci, BENCH_BLOCKS},
	{"batch/dci-block/16", dci, dci_batch, dci_blocks_kept, NULL, NULL, lay_dci, BENCH_BLOCKS},
	{"ring/256", write_1, NULL, NULL, BENCH_FLOORS(write_1), NULL, 256},
	{"ring/8192", write_1, NULL, NULL, BENCH_FLOORS(write_1), NULL, 8192},
};

static const struct {
	const char *name;
	int (*builders)(void), (*honest)(void), (*absolute)(void);
} receives[] = {
	{"post-receive/1", receive_one, honest_receive_one, absolute_receive_one},
	{"post-receive/16", receive_batch, honest_receive_batch, absolute_receive_batch},
	{"post-shared/1", shared_one, NULL, NULL},
	{"post-shared/16", shared_batch, NULL, NULL},
	{"post-striding/1", striding_one, NULL, NULL},
	{"post-striding/16", striding_batch, NULL, NULL},
};

static void run_receives(const char *filter)
{
	for (size_t i = 0; i < sizeof(receives) / sizeof(receives[0]); i++) {
		const char *const name = receives[i].name;
		const struct bench_part parts[] = {
			{name, "builders", receives[i].builders, reset_receives, NULL},
			{name, "honest", receives[i].honest, reset_receives, NULL},
			{name, "absolute", receives[i].absolute, reset_receives, NULL},
		};

		if (bench_wanted(name, filter))
			bench_parts(parts, sizeof(parts) / sizeof(parts[0]));
	}
}

void bench_batches_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const name = rows[i].name;
		const struct bench_part parts[] = {
			{name, "builders", rows[i].builders, reset, bench_ring.ring},
			{name, "batch", rows[i].batch, reset, bench_ring.ring},
			{name, "kept", rows[i].kept, rows[i].lay, bench_ring.ring},
			{name, "honest", rows[i].honest, reset, bench_ring.ring},
			{name, "absolute", rows[i].absolute, reset, bench_ring.ring},
		};

		blocks = rows[i].blocks;
		if (bench_wanted(name, filter))
			bench_parts(parts, sizeof(parts) / sizeof(parts[0]));
	}
	run_receives(filter);
}
