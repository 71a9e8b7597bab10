/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A send queue that lanes of a GPU fill, or threads of a host, on any device whose `rings` have
 * completions: bnxt_re, ionic, EFA. See docs/gpu.md. The calls are those of segue/gpu/queue.h.
 *
 * An index is that of an entry of `block_size` bytes. One of the ring's entries stays free, because
 * doorbells and completions count modulo the ring. Requests take one entry each. They have the bit
 * of segue_gpu_lap(), and all are signaled if the device completes them in any order. `done` passes
 * a request when it and all before it have completed.
 *
 * On EFA `batch` is the max_batch of efadv_query_qp_wqs(), in entries. The kernel's max_tx_batch is
 * in units of 64 bytes, of which an entry of 128 bytes has two.
 *
 * In the variable mode of bnxt_re (`block_size` 16) an entry is a slot. A request takes as many as
 * it has units, and as many are reserved and published. The doorbell counts slots. Completions and
 * the table of packet numbers count requests, and the table has an entry for each two slots.
 *
 * The device has no record: the doorbell has the index. Packet numbers are one step in the order of
 * the entries (`messages`), which this file makes by hand, as well as the lengths of requests.
 *
 * Owner: all memory is the host's. Threads: as `share` says. Errors: negative errno, no sentence.
 * Source: the device's file in spec/; for packet numbers and the variable mode rdma-core
 *   providers/bnxt_re/verbs.c (bnxt_re_fill_psns_for_msntbl, bnxt_re_create_qp,
 *   bnxt_re_get_sqmem_size, bnxt_re_poll_success_scqe); for `batch` providers/efa/verbs.c
 *   (efa_sq_initialize, efadv_query_qp_wqs) and kernel-headers/rdma/efa-abi.h.
 */
#ifndef SEGUE_GPU_SLOTS_H
#define SEGUE_GPU_SLOTS_H

#include "segue/gen/rings.h"
#include "segue/gen/segments.h"
#include "segue/gpu/state.h"

#ifdef __cplusplus
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

/* Entries that no request takes: a full ring would look like an empty one. */
#define SEGUEI_GPU_SPARE 1
/* Of the largest completion that is read. */
#define SEGUEI_GPU_WORDS 16u

/** segue_gpu_block() is where an entry lies. No other function wraps an index. */
SEGUEI_HOT_FUNCTION uint8_t *segue_gpu_block(const struct segue_gpu_queue *q, uint64_t index)
{
	return q->ring + (size_t)((index & (q->blocks - 1)) * q->block_size);
}

#ifdef SEGUE_SEG_MSN_SEARCH_SIZE
#define seguei_gpu_counts(q) ((q)->messages != NULL)
#define seguei_gpu_varies(q) ((q)->block_size == SEGUE_UNIT_SIZE) /* in variable mode */

/* The header of the request that stands there. */
SEGUEI_HOT_FUNCTION struct segue_seg_sqe seguei_gpu_header(const struct segue_gpu_queue *q,
							   uint64_t at)
{
	struct segue_seg_sqe sqe;

	(void)segue_seg_sqe_unpack(
		&sqe, SEGUEI_ALIGNED(uint8_t, segue_gpu_block(q, at), SEGUE_UNIT_SIZE));
	return sqe;
}

/* Entries of a request, or slots. */
SEGUEI_HOT_FUNCTION uint32_t seguei_gpu_length(const struct segue_gpu_queue *q, uint64_t at)
{
	return seguei_gpu_varies(q) ? seguei_gpu_header(q, at).wqe_size : 1;
}

/* Packets of a request: its message has at least one. Atomics have no length, and one packet. */
SEGUEI_HOT_FUNCTION uint32_t seguei_gpu_packets(const struct segue_gpu_queue *q, uint64_t at)
{
	const struct segue_seg_sqe sqe = seguei_gpu_header(q, at);

	if (sqe.wr_type == SEGUE_WR_OPCODE_ATOMIC_CS || sqe.wr_type == SEGUE_WR_OPCODE_ATOMIC_FA ||
	    !sqe.length)
		return 1;
	return (sqe.length - 1) / q->mtu + 1;
}

/*
 * Notes the packet numbers of a request, in the order of the entries: the lane has the turn.
 * Returns the request's entries.
 */
SEGUEI_HOT_FUNCTION uint32_t seguei_gpu_count(struct segue_gpu_queue *q, uint64_t at)
{
	const uint64_t place = seguei_gpu_varies(q) ? q->numbered++ & (q->blocks / 2 - 1)
						    : at & (q->blocks - 1);
	uint8_t *to = q->messages + (size_t)place * SEGUE_SEG_MSN_SEARCH_SIZE;
	const uint32_t mask = SEGUE_SEG_MSN_SEARCH_START_PSN_MAX;
	const uint32_t next = (q->psn + seguei_gpu_packets(q, at)) & mask;
	const uint32_t length = seguei_gpu_length(q, at);
	struct segue_seg_msn_search search;

	search.start_psn = q->psn;
	search.next_psn = next;
	search.start_idx = (uint16_t)(at & (q->blocks - 1));
	segue_seg_msn_search_pack(SEGUEI_ALIGNED(uint8_t, to, SEGUE_SEG_MSN_SEARCH_SIZE), &search);
	q->psn = next;
	return length;
}
#else
#define seguei_gpu_counts(q)	 ((void)(q), false)
#define seguei_gpu_varies(q)	 ((void)(q), false)
#define seguei_gpu_length(q, at) ((void)(q), (void)(at), 1u)
#define seguei_gpu_count(q, at)	 seguei_gpu_length(q, at)
#endif

/* Clears what completions have left, so that what stood there before is not read as some. */
SEGUE_FUNCTION void seguei_gpu_forget(const struct segue_gpu_queue *q)
{
	memset(q->entries, SEGUEI_COMPLETION_FIRST ? 0 : 0xff,
	       (size_t)(q->entry_count * q->entry_size));
	memset(q->finished, 0, (size_t)(q->blocks + 63) / 64 * sizeof(*q->finished));
}

/**
 * segue_gpu_init() checks the program's members, others being zero, and clears the entries of the
 * completion queue and `finished`, as segue_gpu_clear() does. 0, or -EINVAL. By the host.
 */
SEGUE_FUNCTION int segue_gpu_init(struct segue_gpu_queue *q)
{
	if (!q->reg || !q->ring || !q->block_size || q->block_size % SEGUE_UNIT_SIZE ||
	    q->blocks < 2 || q->blocks > SEGUE_GPU_BLOCKS_MAX || q->blocks & (q->blocks - 1) ||
	    !q->entries || q->entry_count < q->blocks / (seguei_gpu_varies(q) ? 2 : 1) ||
	    q->entry_count & (q->entry_count - 1) || q->entry_size % sizeof(uint32_t) ||
	    q->entry_size / sizeof(uint32_t) > SEGUEI_GPU_WORDS || !q->finished ||
	    (q->messages && !q->mtu))
		return -EINVAL;
	seguei_gpu_forget(q);
	q->reserved = q->ready = q->told = q->done = q->first;
	return 0;
}

/** segue_gpu_lap() is the bit of an index by which its entry differs from the lap before. */
SEGUEI_HOT_FUNCTION uint8_t segue_gpu_lap(const struct segue_gpu_queue *q, uint64_t index)
{
	return !!(index & q->blocks) ^ SEGUEI_ENTRY_FIRST;
}

/**
 * segue_gpu_put() stores a request of `count` units in an entry, and zeros after it. In variable
 * mode it stores them in as many slots, also across the end of the ring.
 */
SEGUEI_HOT_FUNCTION void segue_gpu_put(const struct segue_gpu_queue *q, uint64_t at,
				       const struct segue_unit *units, uint32_t count)
{
	const uint32_t all = (uint32_t)(q->block_size / SEGUE_UNIT_SIZE);
	uint8_t *block = segue_gpu_block(q, at);
	struct segue_unit zero;

	if (seguei_gpu_varies(q)) {
		for (; count--; at++)
			segue_put_units(segue_gpu_block(q, at), units++, 1);
		return;
	}
	segue_put_units(block, units, count);
	memset(&zero, 0, sizeof(zero));
	for (; count < all; count++)
		segue_put_units(block + (size_t)count * SEGUE_UNIT_SIZE, &zero, 1);
}

/* Writes a doorbell for entries before `index`. `rest` is what does not depend on it. */
SEGUEI_HOT_FUNCTION void seguei_gpu_bell(volatile uint64_t *to, uint64_t rest, uint64_t index,
					 uint64_t count)
{
	const struct segue_slots slots = {NULL, 0, (uint32_t)count, (uint32_t)index, 0};
	struct segue_seg_doorbell doorbell;
	uint64_t image = 0;

	memset(&doorbell, 0, sizeof(doorbell));
	seguei_lanes_doorbell(&slots, &doorbell);
	segue_seg_doorbell_pack(&image, &doorbell);
	if (SEGUE_SEG_DOORBELL_SIZE == sizeof(uint32_t))
		seguei_gpu_doorbell32((volatile uint32_t *)to, (uint32_t)(image | rest));
	else
		seguei_gpu_doorbell(to, image | rest);
}

/*
 * Tells the device of all entries before `index`, by as many doorbells as it needs. One lane at a
 * time.
 */
SEGUEI_HOT_FUNCTION void seguei_gpu_tell(struct segue_gpu_queue *q, uint64_t index)
{
	uint64_t at;

	if (q->batch) {
		seguei_order_memory_loads(); /* another lane has rung last */
		for (at = seguei_gpu_load(&q->told, false) + q->batch; at < index; at += q->batch)
			seguei_gpu_bell(q->reg, q->bell, at, q->blocks);
	}
	seguei_gpu_bell(q->reg, q->bell, index, q->blocks);
	seguei_gpu_store(&q->told, index, SEGUE_GPU_ONE);
}

/* Tells the device how many completions were taken, if it wants to know. */
SEGUEI_HOT_FUNCTION void seguei_gpu_taken(struct segue_gpu_queue *q, uint64_t consumed)
{
	if (q->entry_reg)
		seguei_gpu_bell(q->entry_reg, q->entry_bell, consumed, q->entry_count);
}

/* True if so many entries must not wait for a doorbell any longer. */
SEGUEI_HOT_FUNCTION bool seguei_gpu_must_tell(const struct segue_gpu_queue *q, uint64_t behind)
{
	return q->batch && behind - seguei_gpu_load(&q->told, false) >= q->batch;
}

/* Notes that a request has completed, and moves *done behind all that have, without a gap. */
SEGUEI_HOT_FUNCTION void seguei_gpu_finish(const struct segue_gpu_queue *q, uint64_t index,
					   uint64_t *done)
{
	const uint64_t mask = q->blocks - 1;

	q->finished[(index & mask) / 64] |= UINT64_C(1) << index % 64;
	while (q->finished[(*done & mask) / 64] >> *done % 64 & 1) {
		q->finished[(*done & mask) / 64] &= ~(UINT64_C(1) << *done % 64);
		++*done;
	}
}

/* Reads an entry, the word with the lap before the rest. Returns false if it is not new. */
SEGUEI_HOT_FUNCTION bool seguei_gpu_read(const struct segue_gpu_queue *q, uint64_t consumed,
					 struct segue_completion *entry, uint32_t *words)
{
	const uint32_t lap = SEGUEI_COMPLETION_LAP / 32;
	const uint32_t *from = (const uint32_t *)(const void *)(q->entries +
								(consumed & (q->entry_count - 1)) *
									q->entry_size);
	uint8_t bit;
	uint32_t i;

	memset(words, 0, SEGUEI_GPU_WORDS * sizeof(*words));
	words[lap] = seguei_gpu_load_device(&from[lap]);
	bit = ((const uint8_t *)words)[SEGUEI_COMPLETION_LAP / 8] >> SEGUEI_COMPLETION_LAP % 8 & 1;
	if (bit == (!!(consumed & q->entry_count) ^ !SEGUEI_COMPLETION_FIRST))
		return false;
	for (i = 0; i < q->entry_size / sizeof(*words); i++)
		words[i] = seguei_gpu_load_device(&from[i]);
	(void)seguei_completion_read(entry, words);
	return true;
}

/*
 * The entry that a completion names, or the one behind those that it names. If these have failed,
 * the last of them. In variable mode it counts requests, and their lengths lead to the slot.
 */
SEGUEI_HOT_FUNCTION uint64_t seguei_gpu_named(struct segue_gpu_queue *q,
					      const struct segue_completion *entry, uint64_t done)
{
	const bool next = entry->names == SEGUE_COMPLETES_NEXT;
	const bool walks = next && seguei_gpu_varies(q);
	uint64_t count = (entry->index - (walks ? q->passed : done)) & (q->blocks - 1);

	if (next && entry->failed && count)
		count--; /* all before it have completed */
	if (!walks)
		return done + count;
	for (q->passed += count; count; count--)
		done += seguei_gpu_length(q, done);
	return done;
}

/* Takes an entry, and moves *done behind its requests, or to a failed one. True if it is good. */
SEGUE_FUNCTION bool seguei_gpu_take(struct segue_gpu_queue *q, uint64_t consumed, uint64_t *done)
{
	uint32_t words[SEGUEI_GPU_WORDS];
	struct segue_completion entry;
	uint64_t index;

	if (!seguei_gpu_read(q, consumed, &entry, words))
		return false;
	index = seguei_gpu_named(q, &entry, *done);
	if (entry.names == SEGUE_COMPLETES_NEXT)
		*done = index;
	else if (entry.names == SEGUE_COMPLETES_ONE && !entry.failed)
		seguei_gpu_finish(q, index, done);
	if (!entry.failed || entry.names == SEGUE_COMPLETES_RECEIVE)
		return true;
	if (entry.names == SEGUE_COMPLETES_NONE)
		index = *done;
	seguei_gpu_fail(q, *done, index, entry.status & 0xff);
	return false;
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#include "segue/gpu/turns.h" /* what lanes do */

#endif
