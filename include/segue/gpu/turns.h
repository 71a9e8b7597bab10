/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What lanes do with a queue (state.h): reserve, put, publish in turn, ring, poll, wait. The file
 * that includes this says what depends on the device: seguei_gpu_tell(), _take(), _taken(),
 * _must_tell(), _counts(), _count() and _forget(), and the entries that are never used
 * (SEGUEI_GPU_SPARE).
 *
 * Owner: all memory is the host's. Threads: as `share` says. Errors: negative errno, no sentence.
 * Source: segue/gpu/queue.h and segue/gpu/slots.h.
 */
#ifndef SEGUE_GPU_TURNS_H
#define SEGUE_GPU_TURNS_H

#ifdef __cplusplus /* programs may refuse casts like those of C, for themselves */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif

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
	if (consumed != q->consumed) {
		q->consumed = consumed;
		seguei_gpu_store(&q->done, done, share);
		seguei_gpu_taken(q, consumed);
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
	if (SEGUEI_UNLIKELY(n - UINT64_C(1) >= q->blocks - SEGUEI_GPU_SPARE))
		return -EMSGSIZE;
	*at = seguei_gpu_add(&q->reserved, n, share);
	if (SEGUEI_LIKELY(*at + n - seguei_gpu_load(&q->done, true) <=
			  q->blocks - SEGUEI_GPU_SPARE))
		return 0;
	return seguei_gpu_wait(q, *at + n - (q->blocks - SEGUEI_GPU_SPARE), share);
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
	const bool tells = ring == SEGUE_GPU_RING || seguei_gpu_must_tell(q, at + n);
	const bool turns = tells || seguei_gpu_counts(q);
	const uint64_t next = turns ? at | SEGUEI_GPU_TOP : at + n;
	uint64_t i;

	if (share != SEGUE_GPU_ONE) {
		if (!turns)
			seguei_gpu_fence(share);
		while (!seguei_gpu_swap(&q->ready, at, next, share))
			SEGUE_GPU_PAUSE();
		if (!turns)
			return;
	}
	if (seguei_gpu_counts(q))
		seguei_gpu_fence(share); /* the lane that had the turn has counted */
	for (i = at; seguei_gpu_counts(q) && i < at + n;)
		i += seguei_gpu_count(q, i);
	if (tells)
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
	const uint64_t range = UINT64_C(2) * SEGUE_GPU_BLOCKS_MAX;

	q->reserved = (q->reserved + range - 1) / range * range;
	q->ready = q->told = q->done = q->reserved;
	q->consumed = q->error = q->error_index = q->numbered = q->passed = 0;
	seguei_gpu_forget(q);
}

#ifdef __cplusplus
#pragma GCC diagnostic pop
#endif

#endif
