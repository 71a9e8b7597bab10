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

#include "segue/gen/control.h"
#include "segue/gen/cqes.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "segue/gpu/state.h"

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* Of a block. */
#define SEGUEI_GPU_UNITS ((uint32_t)SEGUE_WQE_BLOCK_SIZE / SEGUE_UNIT_SIZE)
/* Blocks that no request takes. */
#define SEGUEI_GPU_SPARE 0

#if SEGUE_GPU_BLOCKS_MAX > (SEGUEI_CONTROL_INDEX_MAX + 1) / 2
#error "A ring has more than half of the blocks that completions count."
#endif

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
	const uint32_t low = (uint32_t)index & SEGUEI_CONTROL_INDEX_MAX;

	seguei_gpu_record(q->record, segue_be32(low));
	seguei_gpu_doorbell(q->reg, segue_be64(seguei_control_queue(q->qpn) +
					       seguei_control_first(0, low, 0, 0)));
	seguei_gpu_store(&q->told, index, SEGUE_GPU_ONE);
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
	uint32_t more, i;

	memset(words, 0, sizeof(words));
	words[last] = seguei_gpu_load_device(&from[last]);
	(void)segue_cqe64_unpack(&cqe, words);
	if (cqe.opcode == SEGUE_CQE_OPCODE_INVALID ||
	    (q->entry_count && cqe.owner != !!(consumed & q->entry_count)))
		return false;
	more = (cqe.wqe_counter - (uint32_t)*done) & SEGUEI_CONTROL_INDEX_MAX;
	if (more >= q->blocks) /* a collapsed entry that has not changed */
		return false;
	if (cqe.opcode != SEGUE_CQE_OPCODE_REQ) {
		for (i = 0; i < last; i++)
			words[i] = seguei_gpu_load_device(&from[i]);
		if (seguei_gpu_load_device(&from[last]) != words[last])
			return false; /* the next failure has overwritten it */
		(void)segue_err_cqe_unpack(&failed, words);
		*done += more;
		seguei_gpu_fail(q, *done, *done,
				(uint32_t)failed.vendor_err_synd << 8 | failed.syndrome);
		return false;
	}
	(void)segue_seg_ctrl_unpack(&ctrl, segue_gpu_block(q, *done + more));
	*done += more + (ctrl.ds + SEGUEI_GPU_UNITS - 1) / SEGUEI_GPU_UNITS;
	return true;
}

/* Notes how many entries were taken. */
SEGUEI_HOT_FUNCTION void seguei_gpu_taken(struct segue_gpu_queue *q, uint64_t consumed)
{
	if (q->entry_record)
		seguei_gpu_record(q->entry_record, segue_be32(consumed & SEGUE_SEG_CQ_ARM_CI_MAX));
}

/* The entries are the completion queue's, and nothing is kept of them. */
#define seguei_gpu_forget(q)		((void)(q))
/* No number of requests needs a doorbell of its own, and nothing is counted in turn. */
#define seguei_gpu_must_tell(q, behind) ((void)(q), (void)(behind), false)
#define seguei_gpu_counts(q)		((void)(q), false)
#define seguei_gpu_count(q, at)		((void)(q), (void)(at), 1)

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#include "segue/gpu/turns.h" /* what lanes do */

#endif
