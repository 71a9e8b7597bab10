/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words by which lanes learn that something has arrived: from a peer, whose device writes them by
 * WRITE or atomics behind the data, or from other lanes.
 *
 * A device writes a word of 8 bytes at once. RC carries out the WRITEs and atomics of a queue pair
 * in the order in which they were posted, so the data is there when the word is.
 *
 * Owner: memory is the caller's. Threads: any. Errors: cannot fail.
 * Source: IBTA specification, volume 1, 9.5 (ordering of requests) and 10.8 (atomicity); fences as
 *   in atomic.h.
 */
#ifndef SEGUE_GPU_FLAG_H
#define SEGUE_GPU_FLAG_H

#include "segue/gpu/atomic.h"

/** segue_gpu_flag() is a word that a device writes. What came before the word is seen after it. */
SEGUEI_HOT_FUNCTION uint64_t segue_gpu_flag(const uint64_t *word)
{
#if SEGUEI_GPU
	const volatile uint64_t *const here = word;
	const uint64_t value = *here;

	seguei_order_memory_loads();
	return value;
#else
	return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}

/**
 * segue_gpu_arrive() adds to a word of the lanes' own, and returns the value before. What the lane
 * did before is seen by those that arrive later, and by those that see it in segue_gpu_arrived().
 */
SEGUEI_HOT_FUNCTION uint64_t segue_gpu_arrive(uint64_t more, enum segue_gpu_share share,
					      uint64_t *word)
{
	uint64_t before;

	seguei_gpu_fence(share);
#if SEGUEI_GPU
	before = seguei_gpu_add(word, more, share);
#else
	before = __atomic_fetch_add(word, more, __ATOMIC_ACQ_REL);
#endif
	seguei_gpu_fence(share);
	return before;
}

/** segue_gpu_arrived() is the value of such a word. */
SEGUEI_HOT_FUNCTION uint64_t segue_gpu_arrived(const uint64_t *word)
{
	return seguei_gpu_load(word, true);
}

#endif
