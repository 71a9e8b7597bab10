/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Buffer pools: registered buffers of one size, taken and given back in a few instructions, and
 * posted as receives in batches.
 *
 * The free buffers are a stack, so that the last one used, still in the cache, is used next. A pool
 * has no lock. It belongs to one thread at a time, like the queues that it feeds.
 *
 * Owner: a pool is a child of its protection domain. Buffers are its own, and borrowed while popped
 *   or posted.
 * Threads: one at a time, that of the queues it feeds. Any may open and close it.
 * Errors: negative errno with segue_errmsg(). Misuse ends checked builds.
 * Source: ibv_reg_mr(3). The stack is Segue's.
 */
#ifndef SEGUE_POOL_H
#define SEGUE_POOL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/check.h"
#include "segue/detail/compiler.h"
#include "segue/gen/machines.h"
#include "segue/gen/put.h"
#include "segue/mr.h"
#include "segue/rq.h"

#include "segue/detail/begin.h"

/** Options of a pool. */
struct segue_pool_options {
	uint32_t count; /* buffers, 1 or more */
	uint32_t size;	/* bytes of each, 1 to 2^31 - 64 */
	/* rights of enum segue_access. LOCAL_WRITE is added. 0: no peer reaches them */
	uint32_t access;
	/* segue_pool_bytes() of the caller's, 64-byte aligned. NULL: allocated */
	void *memory;
	/*
	 * allocated memory is on huge pages of the system's default size, which saves the device
	 * and the processor address translations
	 */
	bool huge_pages;
	/* allocated memory is on the device's NUMA node, see segue_device_query_place() */
	bool near_device;
	uint64_t reserved[4]; /* 0 */
};

/* A pool. Its members are for the functions below. */
struct segue_pool {
	void **free; /* stack of the free buffers */
	uint32_t n_free;
	uint32_t count;
	uint32_t size;	 /* bytes of a buffer, as in the options */
	uint32_t stride; /* bytes from one buffer to the next: whole cache lines */
	uint32_t lkey;
	uint8_t *start; /* first byte of the first buffer */
	bool *out;	/* by buffer: it is not free. Only in checked builds */
};

/**
 * segue_pool_bytes() is the memory of a pool, in bytes. Each buffer begins on a cache line.
 * 0 if count or size is out of range. Any thread.
 */
uint64_t segue_pool_bytes(uint32_t count, uint32_t size);

/**
 * segue_pool_open() - register memory and cut it into buffers, all free.
 * @pd: its owner
 * @options: not kept. Memory given stays the caller's and outlives the pool
 * @out: set on success
 *
 * Control path. Returns 0, -EINVAL naming the option, -ENOMEM, -ENOTSUP if the device's NUMA node
 * is not known, or an error as of segue_mr_open(). Source: mmap(2), mbind(2), Linux
 * Documentation/admin-guide/mm/hugetlbpage.rst.
 */
SEGUEI_MUST_CHECK int segue_pool_open(struct segue_pd *pd, const struct segue_pool_options *options,
				      struct segue_pool **out);

/**
 * segue_pool_close() - end the registration and free the memory, unless it was given.
 * @pool: or NULL
 *
 * Control path. Buffers that are still posted or held become invalid, so close or flush the queues
 * first. Closing the protection domain uses this order. Returns 0 or a negative errno from the
 * kernel.
 */
int segue_pool_close(struct segue_pool *pool);

/** segue_pool_mr() is the region, for segue_mr_remote_buf(). The pool owns it. Any thread. */
struct segue_mr *segue_pool_mr(struct segue_pool *pool);

/* Checked builds: end the program if a buffer is not the pool's, or is given back twice. */
SEGUEI_OF_LIBRARY void seguei_pool_check_pop(struct segue_pool *pool, const void *buffer);
SEGUEI_OF_LIBRARY void seguei_pool_check_push(struct segue_pool *pool, const void *buffer);
SEGUEI_OF_LIBRARY void seguei_pool_check_piece(const struct segue_pool *pool, const void *buffer,
					       uint32_t length);

/** segue_pool_available() is the number of free buffers. Owner's thread. Cannot fail. */
SEGUEI_HOT_FUNCTION uint32_t segue_pool_available(const struct segue_pool *pool)
{
	return pool->n_free;
}

/** segue_pool_pop() takes a buffer, or returns NULL if none is free. Owner's thread. */
SEGUEI_HOT_FUNCTION void *segue_pool_pop(struct segue_pool *pool)
{
	void *buffer;

	if (SEGUEI_UNLIKELY(pool->n_free == 0))
		return NULL;
	buffer = pool->free[--pool->n_free];
	if (SEGUE_CHECKED)
		seguei_pool_check_pop(pool, buffer);
	return buffer;
}

/**
 * segue_pool_push() - give a buffer back.
 * @pool: pool that it was taken from. Owner's thread
 * @buffer: its first byte, as segue_pool_pop() returned it or as wr_id of a receive
 *
 * Checked builds end the program with a sentence if the buffer is free already or not this pool's.
 * Other builds do not check, but never write past the pool's own memory.
 */
SEGUEI_HOT_FUNCTION void segue_pool_push(struct segue_pool *pool, void *buffer)
{
	if (SEGUE_CHECKED)
		seguei_pool_check_push(pool, buffer);
	if (SEGUEI_LIKELY(pool->n_free < pool->count))
		pool->free[pool->n_free++] = buffer;
}

/** segue_pool_local_buf() describes the first @length bytes of a buffer as an SGE. Cannot fail. */
SEGUEI_HOT_FUNCTION struct segue_local_buf segue_pool_local_buf(const struct segue_pool *pool,
								const void *buffer, uint32_t length)
{
	struct segue_local_buf piece;

	if (SEGUE_CHECKED)
		seguei_pool_check_piece(pool, buffer, length);
	piece.addr = (uintptr_t)buffer;
	piece.length = length;
	piece.key.lkey = pool->lkey;
	return piece;
}

/* Number of receives in a batch: the smallest of the wish, the free buffers and the room. */
SEGUEI_HOT_FUNCTION uint32_t seguei_pool_batch(const struct segue_pool *pool,
					       const struct seguei_recv_ring *ring, uint32_t max)
{
	/* the limit may be posted at, too */
	const int32_t room = (int32_t)(ring->limit - ring->pi + 1);

	if (room <= 0)
		return 0;
	if (max > (uint32_t)room)
		max = (uint32_t)room;
	return max < pool->n_free ? max : pool->n_free;
}

/*
 * Writes a begun receive's only entry, step by step, as the builders' names come with those of all
 * queues.
 */
SEGUEI_HOT_FUNCTION void seguei_pool_put(const struct segue_pool *pool, struct seguei_recv *b)
{
	struct segue_seg_data v;

	if (SEGUE_CHECKED)
		seguei_note_caller(__FILE__, __LINE__);
	seguei_recv_step(b, "segue_sge()");
	v.addr = b->wr_id;
	v.byte_count = pool->size;
	v.lkey = pool->lkey;
	seguei_recv_put_data(b, &v);
}

/**
 * segue_pool_post_rq() - post free buffers as receives, with one doorbell for all of them.
 * @pool: pool. Owner's thread, which is also that of the queue
 * @rq: receive queue
 * @max: most receives. UINT32_MAX: as many as there are buffers and room
 *
 * The wr_id of each is the buffer's address. To repost, push buffers back in the handler and call
 * this once after the poll. Returns the number posted, 0 if there is no buffer or no room.
 */
SEGUEI_HOT_FUNCTION uint32_t segue_pool_post_rq(struct segue_pool *pool, struct segue_rq *rq,
						uint32_t max)
{
	const uint32_t batch = seguei_pool_batch(pool, &rq->ring, max);
	uint32_t i;

	for (i = 0; i < batch; i++) {
		void *buffer = segue_pool_pop(pool);
		struct seguei_recv b = seguei_rq_begin(rq, (uintptr_t)buffer);

		seguei_pool_put(pool, &b);
		if (SEGUEI_UNLIKELY(seguei_rq_commit_only(&b, SEGUEI_MACHINE(segue_rq_machine)))) {
			segue_pool_push(pool, buffer);
			break;
		}
	}
	if (SEGUEI_LIKELY(i > 0))
		seguei_rq_ring(rq);
	return i;
}

/** segue_pool_post_srq() is segue_pool_post_rq() for a shared receive queue. It returns the number
 * of receives posted, at most @max. */
SEGUEI_HOT_FUNCTION uint32_t segue_pool_post_srq(struct segue_pool *pool, struct segue_srq *srq,
						 uint32_t max)
{
	const uint32_t batch = seguei_pool_batch(pool, &srq->ring, max);
	uint32_t i;

	for (i = 0; i < batch; i++) {
		void *buffer = segue_pool_pop(pool);
		struct seguei_recv b = seguei_srq_begin(srq, (uintptr_t)buffer);

		seguei_pool_put(pool, &b);
		if (SEGUEI_UNLIKELY(
			    seguei_srq_commit_only(&b, SEGUEI_MACHINE(segue_srq_machine)))) {
			segue_pool_push(pool, buffer);
			break;
		}
	}
	if (SEGUEI_LIKELY(i > 0))
		seguei_srq_ring(srq);
	return i;
}

#include "segue/detail/end.h"

#endif
