/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * RDMA WRITE, so many with one doorbell, the last of them signaled; on rings of several sizes; by
 * BlueFlame. And receives: of a queue pair, of a shared queue, of a striding one.
 */
#include <endian.h>
#include <infiniband/mlx5dv.h>
#include <string.h>

#include "segue/errmsg.h"
#include "segue/gen/patterns.h"
#include "tools/bench/bench.h"
#include "tools/bench/floors.h"
#include "tools/bench/values.h"

#define MOST	8192u /* blocks of a ring */
#define STRIDES 512u  /* of a receive ring */
#define BATCH	16

static struct {
	_Alignas(64) uint8_t ring[MOST * 64];
	_Alignas(64) uint8_t receives[STRIDES * 32];
	struct segue_sq_slot slots[MOST];
	uint64_t wr_ids[MOST];
	uint16_t next[STRIDES];
	uint32_t dbrec[2];
	_Alignas(512) uint64_t uar[64];
	union {
		struct segue_rc_sq sq;
		struct segue_dci_sq dci;
	};
	struct segue_rq rq;
	struct segue_srq srq;
	struct segue_mprq mprq;
	struct segue_rc_rdma_write_may_take_sge_pattern write;
	struct segue_rc_send_may_take_sge_pattern send;
	struct segue_dci_rdma_write_may_take_sge_pattern dci_write;
	struct floor_sq floor;
	uint32_t blocks; /* of the ring in use */
} mine = {.blocks = BENCH_BLOCKS};

static void reset_at(uint32_t index)
{
	const struct segue_sq_attr sq = {.buf = mine.ring,
					 .wqe_cnt = mine.blocks,
					 .max_wqe_units = 16,
					 .dbrec = &mine.dbrec[1],
					 .bf_reg = mine.uar,
					 .bf_size = 256,
					 .qpn = BENCH_QPN,
					 .first_index = index,
					 .slots = mine.slots};
	const struct floor_sq floor = {.buf = mine.ring,
				       .end = mine.ring + (size_t)mine.blocks * 64,
				       .wr_ids = mine.wr_ids,
				       .qpn_be = htobe32(BENCH_QPN << 8),
				       .mask = mine.blocks - 1,
				       .limit = mine.blocks,
				       .dbrec = &mine.dbrec[1],
				       .reg = mine.uar};
	struct segue_rq_attr rq = {.buf = mine.receives,
				   .wqe_cnt = STRIDES,
				   .stride = 16,
				   .dbrec = mine.dbrec,
				   .qpn = BENCH_QPN,
				   .wr_ids = mine.wr_ids};

	memset(mine.ring, 0, sizeof(mine.ring));
	memset(mine.receives, 0, sizeof(mine.receives));
	mine.floor = floor;
	if (segue_sq_init(&mine.sq.sq, &sq) || segue_rq_init(&mine.rq, &rq))
		bench_die("queues");
	rq.stride = 32;
	rq.next = mine.next;
	if (segue_srq_init(&mine.srq, &rq) || segue_mprq_init(&mine.mprq, &rq))
		bench_die("shared queues");
	if (segue_pattern_rc_rdma_write_may_take_sge(
		    segue_sge(segue_raddr(segue_rdma_write(&mine.sq, 0, 0), VALUE_remote_addr,
					  VALUE_rkey),
			      VALUE_addr, VALUE_byte_count, VALUE_lkey),
		    &mine.write) ||
	    segue_pattern_rc_send_may_take_sge(
		    segue_sge(segue_send(&mine.sq, 0, 0), VALUE_addr, VALUE_byte_count, VALUE_lkey),
		    &mine.send) ||
	    segue_pattern_dci_rdma_write_may_take_sge(
		    segue_sge(segue_raddr(segue_av(segue_rdma_write(&mine.dci, 0, 0), &bench_ah,
						   VALUE_dqp_dct, VALUE_dc_key),
					  VALUE_remote_addr, VALUE_rkey),
			      VALUE_addr, VALUE_byte_count, VALUE_lkey),
		    &mine.dci_write))
		bench_die("patterns");
}

static void reset(void)
{
	reset_at(0);
}

/* Patterns have gone round the ring once, and the index is 0 again. */
#define LAID(name, state, member)                                                              \
	static void name(void)                                                                 \
	{                                                                                      \
		reset_at(0 - mine.blocks);                                                     \
		while (mine.sq.sq.pi) {                                                        \
			const uint32_t at = mine.sq.sq.pi;                                     \
			struct segue_##state##_repeat r = segue_repeat_begin(&mine.member, 0); \
			uint64_t wr_id;                                                        \
			int ret = segue_repeat(&r, SEGUE_SIGNALED);                            \
                                                                                               \
			segue_repeat_end(&r);                                                  \
			if (ret || segue_sq_retire(&mine.sq.sq, (uint16_t)at, &wr_id) < 0)     \
				bench_die(#name);                                              \
		}                                                                              \
	}
LAID(lay_write, rc_rdma_write_may_take_sge, write)
LAID(lay_send, rc_send_may_take_sge, send)
LAID(lay_dci, dci_rdma_write_may_take_sge, dci_write)

#define WRITE(flags) \
	segue_raddr(segue_rdma_write(queue, i, flags), VALUE_remote_addr, VALUE_rkey)
#define LISTED(flags)		segue_sge(WRITE(flags), VALUE_addr, VALUE_byte_count, VALUE_lkey)
#define INLINED(flags)		segue_inline_data(WRITE(flags), bench_payload, 28)

/* All but the last are committed, and rung with it. */
#define BUILT(name, n, request) BUILT_ON(name, n, request, rc, sq)
#define BUILT_ON(name, n, request, transport, member)                      \
	static int name(void)                                              \
	{                                                                  \
		struct segue_##transport##_sq *const queue = &mine.member; \
                                                                           \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {            \
			int ret = 0;                                       \
                                                                           \
			for (uint32_t j = 1; j < (n); j++, i++)            \
				ret |= segue_commit(request(0));           \
			ret |= segue_post(request(SEGUE_SIGNALED));        \
			if (__builtin_expect(ret, 0))                      \
				return ret;                                \
		}                                                          \
		return 0;                                                  \
	}

#define BATCHED(name, n, request) BATCHED_ON(name, n, request, rc, sq)
#define BATCHED_ON(name, n, request, transport, member)                                           \
	static int name(void)                                                                     \
	{                                                                                         \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                                   \
			struct segue_##transport##_batch batch = segue_batch_begin(&mine.member); \
			struct segue_##transport##_batch *const queue = &batch;                   \
			int ret = 0;                                                              \
                                                                                                  \
			for (uint32_t j = 1; j < (n); j++, i++)                                   \
				ret |= segue_commit(request(0));                                  \
			ret |= segue_commit(request(SEGUE_SIGNALED));                             \
			segue_batch_end(&batch);                                                  \
			if (__builtin_expect(ret, 0))                                             \
				return ret;                                                       \
		}                                                                                 \
		return 0;                                                                         \
	}

/* The same from patterns: what is set in each, and one wr_id for all. */
#define SET_PIECE(r) \
	(segue_set_sge_addr(r, VALUE_addr), segue_set_sge_byte_count(r, VALUE_byte_count))
#define SET_WRITE(r) (SET_PLACES(r), segue_set_sge_byte_count(r, VALUE_byte_count))
#define SET_PLACES(r) \
	(segue_set_sge_addr(r, VALUE_addr), segue_set_raddr_remote_addr(r, VALUE_remote_addr))

#define REPEATED(name, n, state, member, set)                                                  \
	static int name(void)                                                                  \
	{                                                                                      \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                                \
			struct segue_##state##_repeat r = segue_repeat_begin(&mine.member, i); \
			int ret = 0;                                                           \
                                                                                               \
			for (uint32_t j = 1; j < (n); j++, i++) {                              \
				set(&r);                                                       \
				ret |= segue_repeat(&r, 0);                                    \
			}                                                                      \
			set(&r);                                                               \
			ret |= segue_repeat(&r, SEGUE_SIGNALED);                               \
			segue_repeat_end(&r);                                                  \
			if (__builtin_expect(ret, 0))                                          \
				return ret;                                                    \
		}                                                                              \
		return 0;                                                                      \
	}

static inline __attribute__((always_inline)) int floor_one(uint64_t i, uint8_t flags, bool inlined,
							   bool honest, bool ring)
{
	struct floor_wqe w = floor_begin(&mine.floor, flags);

	floor_rdma_write(&w);
	floor_raddr(&w);
	if (inlined)
		floor_inline28(&w);
	else
		floor_sge(&w);
	return floor_finish(&w, i, honest, ring);
}

#define STORED(name, n, inlined, honest)                                                     \
	static int name(void)                                                                \
	{                                                                                    \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                              \
			int ret = 0;                                                         \
                                                                                             \
			for (uint32_t j = 1; j < (n); j++, i++)                              \
				ret |= floor_one(i, 0, inlined, honest, false);              \
			ret |= floor_one(i, MLX5_WQE_CTRL_CQ_UPDATE, inlined, honest, true); \
			if (__builtin_expect(ret, 0))                                        \
				return ret;                                                  \
		}                                                                            \
		return 0;                                                                    \
	}

#define SIZES(X) X(1) X(2) X(4) X(8) X(16) X(32) X(64)

#define ALL_OF(n)                                                                    \
	BUILT(write_##n, n, LISTED)                                                  \
	BATCHED(write_batch_##n, n, LISTED)                                          \
	REPEATED(write_pattern_##n, n, rc_rdma_write_may_take_sge, write, SET_WRITE) \
	STORED(honest_write_##n, n, false, true)                                     \
	STORED(absolute_write_##n, n, false, false)                                  \
	BUILT(inline_##n, n, INLINED)                                                \
	BATCHED(inline_batch_##n, n, INLINED)                                        \
	STORED(honest_inline_##n, n, true, true)                                     \
	STORED(absolute_inline_##n, n, true, false)
SIZES(ALL_OF)

#define SENT(flags) segue_sge(segue_send(queue, i, flags), VALUE_addr, VALUE_byte_count, VALUE_lkey)
#define OVER_DC(flags)                                                               \
	segue_sge(segue_raddr(segue_av(segue_rdma_write(queue, i, flags), &bench_ah, \
				       VALUE_dqp_dct, VALUE_dc_key),                 \
			      VALUE_remote_addr, VALUE_rkey),                        \
		  VALUE_addr, VALUE_byte_count, VALUE_lkey)
BUILT(sends, BATCH, SENT)
BATCHED(sends_batch, BATCH, SENT)
REPEATED(sends_pattern, BATCH, rc_send_may_take_sge, send, SET_PIECE)
BUILT_ON(dci, BATCH, OVER_DC, dci, dci)
BATCHED_ON(dci_batch, BATCH, OVER_DC, dci, dci)
REPEATED(dci_pattern, BATCH, dci_rdma_write_may_take_sge, dci_write, SET_WRITE)
REPEATED(blocks_pattern, BATCH, rc_rdma_write_may_take_sge, write, SET_PLACES)
REPEATED(dci_blocks_pattern, BATCH, dci_rdma_write_may_take_sge, dci_write, SET_PLACES)

static int blueflame(void)
{
	struct segue_rc_sq *const queue = &mine.sq;

	for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {
		const int ret = segue_post_blueflame(LISTED(SEGUE_SIGNALED));

		if (__builtin_expect(ret, 0))
			return ret;
	}
	return 0;
}

#define RECEIVED(name, queue, recv, n)                                                            \
	static int name(void)                                                                     \
	{                                                                                         \
		for (uint64_t i = 0; i < BENCH_ROUND_OF; i++) {                                   \
			int ret = 0;                                                              \
                                                                                                  \
			for (uint32_t j = 1; j < (n); j++, i++)                                   \
				ret |= segue_commit(segue_sge(recv(queue, i), VALUE_addr,         \
							      VALUE_byte_count, VALUE_lkey));     \
			ret |= segue_post(segue_sge(recv(queue, i), VALUE_addr, VALUE_byte_count, \
						    VALUE_lkey));                                 \
			if (__builtin_expect(ret, 0))                                             \
				return ret;                                                       \
		}                                                                                 \
		return 0;                                                                         \
	}

RECEIVED(receive_one, &mine.rq, segue_recv_rq, 1)
RECEIVED(receive_batch, &mine.rq, segue_recv_rq, BATCH)
RECEIVED(shared_one, &mine.srq, segue_recv_srq, 1)
RECEIVED(shared_batch, &mine.srq, segue_recv_srq, BATCH)
RECEIVED(striding_one, &mine.mprq, segue_recv_mprq, 1)
RECEIVED(striding_batch, &mine.mprq, segue_recv_mprq, BATCH)

static inline __attribute__((always_inline)) int floor_receive(uint32_t n, bool honest)
{
	for (uint64_t i = 0; i < BENCH_ROUND_OF;) {
		for (uint32_t j = 0; j < n; j++, i++) {
			const uint32_t slot = mine.floor.pi & (STRIDES - 1);

			if (honest) {
				if (__builtin_expect(
					    (int32_t)(mine.floor.limit - mine.floor.pi) <= 0, 0))
					return -1;
				mine.wr_ids[slot] = i;
			}
			mlx5dv_set_data_seg((struct mlx5_wqe_data_seg *)(void *)(mine.receives +
										 (size_t)slot * 16),
					    VALUE_byte_count, VALUE_lkey, VALUE_addr);
			mine.floor.pi++;
		}
		__asm__ volatile("" ::: "memory");
		*(volatile uint32_t *)mine.dbrec = htobe32(mine.floor.pi & 0xffff);
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
	int (*builders)(void), (*batch)(void), (*pattern)(void), (*honest)(void), (*absolute)(void);
	uint32_t blocks;
	void (*lay)(void);
} rows[] = {
#define ROWS_OF(n)                                                                  \
	{"batch/write/" #n, write_##n,		write_batch_##n, write_pattern_##n, \
	 honest_write_##n,  absolute_write_##n, BENCH_BLOCKS,	 lay_write},        \
		{"batch/inline28/" #n, inline_##n,	    inline_batch_##n, NULL, \
		 honest_inline_##n,    absolute_inline_##n, BENCH_BLOCKS,     NULL},
	SIZES(ROWS_OF)
	/* of one length, so that the places alone change */
	{"batch/block/16", write_16, write_batch_16, blocks_pattern, honest_write_16,
	 absolute_write_16, BENCH_BLOCKS, lay_write},
	{"batch/send/16", sends, sends_batch, sends_pattern, NULL, NULL, BENCH_BLOCKS, lay_send},
	{"batch/dci-write/16", dci, dci_batch, dci_pattern, NULL, NULL, BENCH_BLOCKS, lay_dci},
	{"batch/dci-block/16", dci, dci_batch, dci_blocks_pattern, NULL, NULL, BENCH_BLOCKS,
	 lay_dci},
	{"ring/256", write_1, NULL, NULL, honest_write_1, absolute_write_1, 256, NULL},
	{"ring/8192", write_1, NULL, NULL, honest_write_1, absolute_write_1, 8192, NULL},
	{"blueflame/write", blueflame, NULL, NULL, NULL, NULL, BENCH_BLOCKS, NULL},
	{"post-receive/1", receive_one, NULL, NULL, honest_receive_one, absolute_receive_one,
	 BENCH_BLOCKS, NULL},
	{"post-receive/16", receive_batch, NULL, NULL, honest_receive_batch, absolute_receive_batch,
	 BENCH_BLOCKS, NULL},
	{"post-shared/1", shared_one, NULL, NULL, NULL, NULL, BENCH_BLOCKS, NULL},
	{"post-shared/16", shared_batch, NULL, NULL, NULL, NULL, BENCH_BLOCKS, NULL},
	{"post-striding/1", striding_one, NULL, NULL, NULL, NULL, BENCH_BLOCKS, NULL},
	{"post-striding/16", striding_batch, NULL, NULL, NULL, NULL, BENCH_BLOCKS, NULL},
};

void bench_batches_run(const char *filter)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const char *const name = rows[i].name;
		const bool receives = !strncmp(name, "post-", 5);
		const struct bench_part parts[] = {
			{name, "builders", rows[i].builders, reset, receives ? NULL : mine.ring},
			{name, "batch", rows[i].batch, reset, mine.ring},
			{name, "pattern", rows[i].pattern, rows[i].lay, mine.ring},
			{name, "honest", rows[i].honest, reset, receives ? NULL : mine.ring},
			{name, "absolute", rows[i].absolute, reset, receives ? NULL : mine.ring},
		};

		mine.blocks = rows[i].blocks;
		for (size_t j = 0;
		     bench_wanted(name, filter) && j < sizeof(parts) / sizeof(parts[0]); j++)
			bench_part(&parts[j]);
	}
}
