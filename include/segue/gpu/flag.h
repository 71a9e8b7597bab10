/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Words that notify lanes of an arrival. A peer's device writes them after the data, by a WRITE or
 * an atomic, or other lanes write them.
 *
 * A device writes a word of 8 bytes at once. RC carries out the WRITEs and atomics of a queue pair
 * in the order in which they were posted, so the data is there when the word is.
 *
 * Owner: memory is the caller's. Threads: any. Errors: cannot fail.
 * Source: IBTA specification, volume 1, 9.5 (ordering of requests) and 10.8 (atomicity); fences:
 *   see atomic.h.
 */
#ifndef SEGUE_GPU_FLAG_H
#define SEGUE_GPU_FLAG_H

#include "segue/gpu/atomic.h"

/**
 * segue_gpu_flag() is a word that a device writes. All that the device wrote before the word is
 * visible after this call.
 */
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
 * segue_gpu_arrive() adds to a word that only lanes write, and returns the value before. All
 * earlier stores of the lane are visible to lanes that arrive later, and to lanes that read the new
 * value by segue_gpu_arrived().
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
