/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues of several threads, declared as such before they are used.
 *
 * A split queue has two halves: one thread posts, another polls, and neither waits. Posts and polls
 * cost as much as with one thread. Shared completion queues and shared receive queues have a lock,
 * for any number of threads. Queues that were not declared as shared pay for none of this, and
 * checked builds stop at the second thread.
 *
 * Owner: the caller's memory, as that of the queues.
 * Threads: see each function. Any call that is not described as one half's, or as under the
 *   lock, is made while no other thread uses the queue.
 * Errors: none.
 * Source: Segue's own.
 */
#ifndef SEGUE_LOCK_H
#define SEGUE_LOCK_H

#include <stdbool.h>

#include "segue/cq.h"
#include "segue/detail/check.h"
#include "segue/detail/spin.h"
#include "segue/rq.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

/**
 * segue_sq_split() - let one thread post while another polls.
 * @sq: send queue, with nothing in flight: the half of the thread that posts
 * @polled: filled: the half of the thread that polls, which the completion queue uses in place of
 *   @sq. It lives as long as @sq
 *
 * Call it before segue_cq_attach(), which is given @sq. Neither half waits for the other: the one
 * that posts reads the other's progress when its room is used up. Posts and polls cost as much as
 * with one thread. All other calls on the queue, and on its queue pair, are made by either thread
 * while the other makes none. segue_qp_options.split does this for a queue pair.
 */
void segue_sq_split(struct segue_sq *sq, struct segue_sq *polled);

/**
 * segue_rq_split() - let one thread post receives while another polls.
 * @rq: receive queue, with nothing posted: the half of the thread that posts
 * @polled: filled: the half of the thread that polls, which the completion queue uses in place of
 *   @rq. It lives as long as @rq
 *
 * As segue_sq_split().
 */
void segue_rq_split(struct segue_rq *rq, struct segue_rq *polled);

/**
 * segue_srq_enable_lock() - let several threads post to a shared receive queue, and poll its
 * completions.
 * @srq: with nothing posted, and known to no completion queue
 * @front: filled: the queue that completion queues use in place of @srq. It lives as long as @srq
 *
 * Any number of posts are made between segue_srq_lock() and segue_srq_unlock(). A request that is
 * begun there must end there, too. Polls take the lock themselves, for each receive that has
 * completed, on the slow path, which costs some 100 instructions more. segue_srq_options.locked
 * does this.
 */
void segue_srq_enable_lock(struct segue_srq *srq, struct segue_srq *front);

/* Checked builds: the queue is shared, and the thread takes it, or gives it back. */
void seguei_srq_check_lock(struct segue_srq *srq);
void seguei_srq_check_unlock(struct segue_srq *srq);

/**
 * segue_srq_lock() - take the lock of a shared receive queue, for posts.
 * @srq: declared so (segue_srq_enable_lock(), segue_srq_options.locked)
 *
 * Waits while another thread has it. Not for a thread that has it already, and not around a poll.
 */
SEGUE_FUNCTION void segue_srq_lock(struct segue_srq *srq)
{
	seguei_spin_lock(&srq->lock);
	if (SEGUE_CHECKED)
		seguei_srq_check_lock(srq);
}

/** segue_srq_unlock() releases the lock of a shared receive queue. */
SEGUE_FUNCTION void segue_srq_unlock(struct segue_srq *srq)
{
	if (SEGUE_CHECKED)
		seguei_srq_check_unlock(srq);
	seguei_spin_unlock(&srq->lock);
}

/**
 * segue_cq_enable_lock() - let several threads poll a completion queue.
 * @cq: not polled yet
 *
 * All calls on it are made between segue_cq_lock() and segue_cq_unlock(). Polls of any form cost as
 * much as with one thread, and the lock adds some 20 instructions. The same holds for calls on a
 * queue pair that poll its completion queues or leave them: segue_qp_drain(), _flush(), _pause(),
 * _reset(), _drain_or_flush() and segue_qp_close(), with the locks of both queues if there are two.
 * While those wait for the device they give the locks back, and other threads poll. Handlers run
 * with the lock. If a thread posts without that lock, its queues must be split
 * (segue_qp_options.split), and its shared receive queues shared.
 */
SEGUE_FUNCTION void segue_cq_enable_lock(struct segue_cq *cq)
{
	cq->checked_owner = SEGUEI_OWNER_NOBODY;
}

/* Checked builds: the queue is shared, and the thread takes it, or gives it back. */
void seguei_cq_check_lock(struct segue_cq *cq);
void seguei_cq_check_unlock(struct segue_cq *cq);

/**
 * segue_cq_lock() - take the lock of a completion queue that is shared.
 * @cq: declared so (segue_cq_enable_lock())
 *
 * Waits while another thread has it. Not for a thread that has it already, for instance in a
 * handler.
 */
SEGUE_FUNCTION void segue_cq_lock(struct segue_cq *cq)
{
	seguei_spin_lock(&cq->lock);
	if (SEGUE_CHECKED)
		seguei_cq_check_lock(cq);
}

/**
 * segue_cq_trylock() - take the lock, unless another thread has it.
 *
 * Returns true if it was taken. A thread that polls only for others may leave the poll to them.
 */
SEGUEI_MUST_CHECK SEGUE_FUNCTION bool segue_cq_trylock(struct segue_cq *cq)
{
	if (!seguei_spin_try(&cq->lock))
		return false;
	if (SEGUE_CHECKED)
		seguei_cq_check_lock(cq);
	return true;
}

/** segue_cq_unlock() gives it back. */
SEGUE_FUNCTION void segue_cq_unlock(struct segue_cq *cq)
{
	if (SEGUE_CHECKED)
		seguei_cq_check_unlock(cq);
	seguei_spin_unlock(&cq->lock);
}

#include "segue/detail/end.h"

#endif
