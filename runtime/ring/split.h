/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues of two threads, one half each. The posting half keeps the other's progress as it last read
 * it. The polling half does not know how far the other has posted, so it assumes that all possible
 * requests are posted.
 *
 * Each half is a whole struct segue_sq over the same ring and slots, and the completion queue knows
 * the polling half. So posts and polls are the code of one thread. The posting half reads the
 * other's index only when its room is used up. A shared receive queue with a lock shows completion
 * queues a front with nothing posted, so that they take the slow path, which takes the lock.
 */
#ifndef SEGUE_RUNTIME_RING_SPLIT_H
#define SEGUE_RUNTIME_RING_SPLIT_H

#include "segue/detail/spin.h"
#include "segue/rq.h"
#include "segue/sq.h"

/* Index up to which receives have completed, as published by the polling thread. */
static inline uint32_t seguei_recv_retired(const struct seguei_recv_ring *ring)
{
	return ring->polled ? SEGUEI_SEEN(&ring->polled->limit) - ring->polled->room
			    : seguei_recv_ci(ring);
}

/* Receives that may be posted. */
static inline uint32_t seguei_recv_most(const struct seguei_recv_ring *ring)
{
	return ring->spare ? ring->mask + 1 : ring->most + 1;
}

/* See seguei_sq_catch_up(). */
static inline void seguei_recv_catch_up(struct seguei_recv_ring *ring)
{
	if (ring->polled)
		seguei_recv_set_ci(ring, seguei_recv_retired(ring));
}

/* See seguei_sq_widen(). */
static inline void seguei_recv_widen(struct seguei_recv_ring *ring)
{
	if (ring->polled == ring)
		ring->pi = seguei_recv_ci(ring) - 1;
}

/* The shared queue that holds the receives of this front. */
static inline struct segue_srq *seguei_srq_behind(struct segue_srq *srq)
{
	return srq->behind ? srq->behind : srq;
}

/* Locks the shared queue that the front stands for. Does nothing on other queues. */
static inline void seguei_srq_lock_behind(struct segue_srq *srq)
{
	if (srq->behind)
		seguei_spin_lock(&srq->behind->lock);
}

static inline void seguei_srq_unlock_behind(struct segue_srq *srq)
{
	if (srq->behind)
		seguei_spin_unlock(&srq->behind->lock);
}

#endif
