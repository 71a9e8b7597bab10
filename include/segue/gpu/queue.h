/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Send queue that lanes of a GPU, or threads of a host, fill. See docs/gpu.md.
 *
 * Blocks of 64 bytes have indices of 64 bits. They are published in the order of their indices: a
 * lane waits for all lanes that reserved earlier. One lane can reserve for a group: all lanes write
 * their blocks, the group synchronizes (__syncthreads(), __syncwarp()), and that lane publishes.
 *
 * A lane that waits polls for all lanes, and rings the doorbell for requests that were published
 * and not rung. Each wait ends when a request has failed. A request that is waited for must be
 * signaled, and a ring must not fill up with unsignaled ones. In lockstep (AMD) one lane of a wave
 * calls at a time.
 *
 * Owner: all memory is the host's. Threads: see enum segue_gpu_share. Errors: negative errno,
 * without a sentence.
 * Source: mlx5dv.h; rdma-core providers/mlx5/qp.c, cq.c; NVSHMEM (IBGDA) and DOCA GPUNetIO for a
 *   doorbell that holds the producer index.
 */
#ifndef SEGUE_GPU_QUEUE_H
#define SEGUE_GPU_QUEUE_H

#include <errno.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/detail/unit.h"
#include "segue/gen/control.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "segue/gpu/atomic.h"

#ifndef SEGUE_GPU_PAUSE
#if SEGUEI_GPU || SEGUEI_NVCC || defined(__HIP__)
#define SEGUE_GPU_PAUSE() ((void)0)
#else
#include <sched.h>
#define SEGUE_GPU_PAUSE() ((void)sched_yield())
#endif
#endif

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* Units of a block. */
#define SEGUEI_GPU_UNITS     ((uint32_t)SEGUE_WQE_BLOCK_SIZE / SEGUE_UNIT_SIZE)
/* Flag in `ready`: a lane is ringing the doorbell. Flag in `error`: a request has failed. */
#define SEGUEI_GPU_TOP	     (UINT64_C(1) << 63)

/**
 * Largest ring. Completions count modulo 65536. Half of that range distinguishes old completions
 * from new ones.
 */
#define SEGUE_GPU_BLOCKS_MAX 32768u

/** A queue, in memory that lanes and host reach. Addresses are those of the lanes. */
struct segue_gpu_queue {
	/* set by the program before segue_gpu_init() */
	uint8_t *ring;		   /* aligned to 64 bytes */
	volatile uint32_t *record; /* send half of the doorbell record */
	volatile uint64_t *reg;	   /* doorbell register */
	/* entries of the completion queue, marked invalid as libmlx5 marks them */
	uint8_t *entries;
	/* consumer half of its doorbell record. NULL: it may overrun */
	volatile uint32_t *entry_record;
	uint64_t blocks;      /* blocks of the ring, a power of two */
	uint64_t entry_count; /* a power of two, at least `blocks`. 0: collapsed, one entry */
	uint64_t entry_size;  /* 64 or 128 bytes */
	uint64_t first;	      /* index of the first block to reserve */
	uint64_t consumed;    /* entries consumed so far */
	uint32_t qpn;	      /* queue pair number */

	/*
	 * Members of the queue itself: counts of blocks. Those that lanes write have cache lines of
	 * their own.
	 */
	uint64_t reserved __attribute__((aligned(64)));
	uint64_t ready __attribute__((aligned(64))); /* published */
	uint64_t told;				     /* rung: the device was notified of them */
	uint64_t done __attribute__((aligned(64)));  /* completed */
	uint64_t error, error_index;		     /* of the first failed request */
	uint64_t polling __attribute__((aligned(64)));
};

/** The first request that failed. In a collapsed queue, a flushed request may overwrite it. */
struct segue_gpu_error {
	uint64_t index; /* index of its first block */
	uint32_t qpn;
	uint8_t syndrome;	 /* enum segue_cqe_syndrome */
	uint8_t vendor_syndrome; /* as ibv_wc.vendor_err */
};

/**
 * segue_gpu_init() checks the members that the program has set. All others must be zero. Returns 0
 * or -EINVAL. Called by the host.
 */
SEGUE_FUNCTION int segue_gpu_init(struct segue_gpu_queue *q)
{
	if (!q->record || !q->reg || !q->ring || (uintptr_t)q->ring % SEGUE_WQE_BLOCK_SIZE ||
	    !q->blocks || q->blocks > SEGUE_GPU_BLOCKS_MAX || q->blocks & (q->blocks - 1) ||
	    !q->entries || q->entry_count & (q->entry_count - 1) ||
	    (q->entry_count && q->entry_count < q->blocks) || q->qpn > SEGUEI_CONTROL_QUEUE_MAX ||
	    (q->entry_size != SEGUE_CQE64_SIZE && q->entry_size != SEGUE_CQE128_SIZE))
		return -EINVAL;
	q->reserved = q->ready = q->told = q->done = q->first;
	return 0;
}

/** segue_gpu_block() is the address of a block. No other function wraps an index. */
SEGUEI_HOT_FUNCTION uint8_t *segue_gpu_block(const struct segue_gpu_queue *q, uint64_t index)
{
	return q->ring + (size_t)(index & (q->blocks - 1)) * SEGUE_WQE_BLOCK_SIZE;
}

/** segue_gpu_put() stores a request from this block index on, also across the end of the ring. */
SEGUEI_HOT_FUNCTION void segue_gpu_put(const struct segue_gpu_queue *q, uint64_t at,
				       const struct segue_unit *units, uint32_t count)
{
	uint32_t i;

	for (i = 0; i < count; i += SEGUEI_GPU_UNITS)
		segue_put_units(segue_gpu_block(q, at + i / SEGUEI_GPU_UNITS), &units[i],
				count - i < SEGUEI_GPU_UNITS ? count - i : SEGUEI_GPU_UNITS);
}

/* Rings the doorbell for all blocks before `index`. One lane at a time. */
SEGUEI_HOT_FUNCTION void seguei_gpu_tell(struct segue_gpu_queue *q, uint64_t index)
{
	const uint32_t low = (uint32_t)index & 0xffff;

	seguei_gpu_record(q->record, segue_be32(low));
	seguei_gpu_doorbell(q->reg, segue_be64(seguei_control_queue(q->qpn) +
					       seguei_control_first(0, low, 0, 0)));
	seguei_gpu_store(&q->told, index, SEGUE_GPU_ONE);
}

/** segue_gpu_ring() rings the doorbell for the published requests, unless they were rung. */
SEGUE_FUNCTION void segue_gpu_ring(struct segue_gpu_queue *q, enum segue_gpu_share share)
{
	const uint64_t ready = seguei_gpu_load(&q->ready, false);

	if (ready & SEGUEI_GPU_TOP || seguei_gpu_load(&q->told, false) >= ready)
		return;
	if (share != SEGUE_GPU_ONE &&
	    !seguei_gpu_swap(&q->ready, ready, ready | SEGUEI_GPU_TOP, share))
		return;
	seguei_gpu_tell(q, ready);
	seguei_gpu_store(&q->ready, ready, share);
}

SEGUEI_HOT_FUNCTION bool seguei_gpu_has_failed(const struct segue_gpu_queue *q)
{
	return (int32_t)(seguei_gpu_load(&q->error, false) >> 32) < 0;
}

/*
 * Takes an entry, and moves *done after its request, or to a request that failed. True if the entry
 * is good.
 */
SEGUE_FUNCTION bool seguei_gpu_take(struct segue_gpu_queue *q, uint64_t consumed, uint64_t *done)
{
	const uint32_t last = SEGUE_CQE64_SIZE / sizeof(uint32_t) - 1;
	const uint64_t place = q->entry_count ? consumed & (q->entry_count - 1) : 0;
	const uint8_t *entry = q->entries + (place + 1) * q->entry_size - SEGUE_CQE64_SIZE;
	const uint32_t *from = (const uint32_t *)(const void *)entry;
	uint32_t words[SEGUE_CQE64_SIZE / sizeof(uint32_t)];
	struct segue_seg_ctrl ctrl;
	struct segue_err_cqe failed;
	struct segue_cqe64 cqe;
	uint64_t error;
	uint16_t more;
	uint32_t i;

	memset(words, 0, sizeof(words));
	words[last] = seguei_gpu_load_device(&from[last]);
	(void)segue_cqe64_unpack(&cqe, words);
	if (cqe.opcode == SEGUE_CQE_OPCODE_INVALID ||
	    (q->entry_count && cqe.owner != !!(consumed & q->entry_count)))
		return false;
	more = (uint16_t)(cqe.wqe_counter - (uint16_t)*done);
	if (more >= q->blocks) /* a collapsed entry that has not changed */
		return false;
	if (cqe.opcode != SEGUE_CQE_OPCODE_REQ) {
		for (i = 0; i < last; i++)
			words[i] = seguei_gpu_load_device(&from[i]);
		if (seguei_gpu_load_device(&from[last]) != words[last])
			return false; /* the next failure has overwritten it */
		(void)segue_err_cqe_unpack(&failed, words);
		*done += more;
		error = SEGUEI_GPU_TOP | (uint32_t)failed.vendor_err_synd << 8 | failed.syndrome;
		/* a wait for an earlier request ends */
		seguei_gpu_store(&q->done, *done, SEGUE_GPU_ALL);
		seguei_gpu_store(&q->error_index, *done, SEGUE_GPU_ONE);
		seguei_order_memory_stores(); /* the host may read it at any time */
		seguei_gpu_store(&q->error, error, SEGUE_GPU_ALL);
		return false;
	}
	(void)segue_seg_ctrl_unpack(&ctrl, segue_gpu_block(q, *done + more));
	*done += more + (ctrl.ds + SEGUEI_GPU_UNITS - 1) / SEGUEI_GPU_UNITS;
	return true;
}

/** segue_gpu_poll() takes completions, for all lanes. Returns true if there were any. */
SEGUE_FUNCTION bool segue_gpu_poll(struct segue_gpu_queue *q, enum segue_gpu_share share)
{
	uint64_t consumed, done, before;

	if (share != SEGUE_GPU_ONE &&
	    (seguei_gpu_load(&q->polling, false) || !seguei_gpu_swap(&q->polling, 0, 1, share)))
		return false;
	seguei_gpu_fence(share);
	consumed = q->consumed;
	done = before = seguei_gpu_load(&q->done, false);
	while (!seguei_gpu_has_failed(q) && seguei_gpu_take(q, consumed, &done))
		consumed++;
	if (done != before) {
		q->consumed = consumed;
		seguei_gpu_store(&q->done, done, share);
		if (q->entry_record)
			seguei_gpu_record(q->entry_record, segue_be32(consumed & 0xffffff));
	}
	seguei_gpu_store(&q->polling, 0, share);
	return done != before;
}

/* Waits until all blocks before index `behind` have completed. Returns 0 or -EIO. */
SEGUE_FUNCTION int seguei_gpu_wait(struct segue_gpu_queue *q, uint64_t behind,
				   enum segue_gpu_share share)
{
	while (seguei_gpu_load(&q->done, true) < behind) {
		if (seguei_gpu_has_failed(q))
			return seguei_gpu_load(&q->done, true) < behind ? -EIO : 0;
		segue_gpu_ring(q, share);
		if (!segue_gpu_poll(q, share))
			SEGUE_GPU_PAUSE();
	}
	return 0;
}

/**
 * segue_gpu_reserve() - take `n` blocks from index *at on, and wait until they are free.
 *
 * Lanes that reserve later wait until these blocks are published. Returns 0, -EMSGSIZE if n is 0 or
 * larger than the ring, or -EIO if a request has failed and there is no room. After an error
 * nothing may be written.
 */
SEGUEI_MUST_CHECK SEGUEI_HOT_FUNCTION int segue_gpu_reserve(struct segue_gpu_queue *q, uint32_t n,
							    enum segue_gpu_share share,
							    uint64_t *at)
{
	if (SEGUEI_UNLIKELY(n - UINT64_C(1) >= q->blocks))
		return -EMSGSIZE;
	*at = seguei_gpu_add(&q->reserved, n, share);
	if (SEGUEI_LIKELY(*at + n - seguei_gpu_load(&q->done, true) <= q->blocks))
		return 0;
	return seguei_gpu_wait(q, *at + n - q->blocks, share);
}

/** Whether a publication rings the doorbell, or leaves that to a later publication or to a wait. */
enum segue_gpu_ring { SEGUE_GPU_SILENT, SEGUE_GPU_RING };

/**
 * segue_gpu_publish() - hand reserved blocks over, in the order of their indices.
 *
 * Waits for lanes that reserved earlier, so these must not end before they have published. After a
 * failure no lane gets room if an earlier one got none. Cannot fail.
 */
SEGUEI_HOT_FUNCTION void segue_gpu_publish(struct segue_gpu_queue *q, uint64_t at, uint32_t n,
					   enum segue_gpu_ring ring, enum segue_gpu_share share)
{
	const uint64_t next = ring == SEGUE_GPU_RING ? at | SEGUEI_GPU_TOP : at + n;

	if (share != SEGUE_GPU_ONE) {
		if (ring == SEGUE_GPU_SILENT)
			seguei_gpu_fence(share);
		while (!seguei_gpu_swap(&q->ready, at, next, share))
			SEGUE_GPU_PAUSE();
		if (ring == SEGUE_GPU_SILENT)
			return;
	}
	if (ring == SEGUE_GPU_RING)
		seguei_gpu_tell(q, at + n);
	seguei_gpu_store(&q->ready, at + n, share);
}

/**
 * segue_gpu_done() polls, and sets *done to whether the request at this index has completed.
 * Returns 0 or -EIO.
 */
SEGUE_FUNCTION int segue_gpu_done(struct segue_gpu_queue *q, uint64_t at,
				  enum segue_gpu_share share, bool *done)
{
	segue_gpu_ring(q, share);
	(void)segue_gpu_poll(q, share);
	*done = seguei_gpu_load(&q->done, true) > at;
	return seguei_gpu_has_failed(q) && seguei_gpu_load(&q->done, true) <= at ? -EIO : 0;
}

/** segue_gpu_wait() waits until the request of this index has completed. Returns 0, or -EIO. */
SEGUE_FUNCTION int segue_gpu_wait(struct segue_gpu_queue *q, uint64_t at,
				  enum segue_gpu_share share)
{
	return seguei_gpu_wait(q, at + 1, share);
}

/** segue_gpu_quiet() waits until all published requests have completed. Returns 0, or -EIO. */
SEGUE_FUNCTION int segue_gpu_quiet(struct segue_gpu_queue *q, enum segue_gpu_share share)
{
	return seguei_gpu_wait(q, seguei_gpu_load(&q->ready, false) & ~SEGUEI_GPU_TOP, share);
}

/** segue_gpu_query_error() fills in the first failure. Returns true if there is one. */
SEGUE_FUNCTION bool segue_gpu_query_error(const struct segue_gpu_queue *q,
					  struct segue_gpu_error *error)
{
	const uint64_t word = seguei_gpu_load(&q->error, false);

	if (!word)
		return false;
	seguei_order_memory_loads();
	error->index = seguei_gpu_load(&q->error_index, false);
	error->qpn = q->qpn;
	error->vendor_syndrome = (uint8_t)(word >> 8);
	error->syndrome = (uint8_t)word;
	return true;
}

/**
 * segue_gpu_clear() - forget the failure and all requests, after the queue pair was reset and its
 * completion queue counts from 0. Called by the host, while no lane uses the queue. Indices
 * continue at a multiple of 65536.
 */
SEGUE_FUNCTION void segue_gpu_clear(struct segue_gpu_queue *q)
{
	q->reserved = (q->reserved + 0xffff) & ~UINT64_C(0xffff);
	q->ready = q->told = q->done = q->reserved;
	q->consumed = q->error = q->error_index = 0;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
