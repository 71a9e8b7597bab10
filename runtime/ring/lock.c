/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queues of two threads: the split of a queue into two halves, and the lock of a shared receive
 * queue.
 */
#include "segue/lock.h"

#include <sched.h>

#include "runtime/ring/split.h"

void segue_sq_split(struct segue_sq *sq, struct segue_sq *polled)
{
	sq->polled = NULL;
	*polled = *sq;
	if (sq->spare) /* used by the posting half */
		polled->most = sq->mask + 1;
	polled->room = polled->most;
	seguei_sq_set_ci(polled, seguei_sq_ci(sq));
	polled->checked_owner = SEGUEI_OWNER_POLLER;
	sq->polled = polled->polled = polled;
}

void segue_rq_split(struct segue_rq *rq, struct segue_rq *polled)
{
	rq->ring.polled = NULL;
	*polled = *rq;
	polled->ring.room = polled->ring.most;
	seguei_recv_set_ci(&polled->ring, seguei_recv_ci(&rq->ring));
	polled->ring.checked_owner = SEGUEI_OWNER_POLLER;
	rq->ring.polled = polled->ring.polled = &polled->ring;
	seguei_recv_widen(&polled->ring);
}

void segue_srq_enable_lock(struct segue_srq *srq, struct segue_srq *front)
{
	static uint16_t none; /* stands for SEGUEI_SRQ_POSTED */

	*front = *srq;
	front->ring.mask = 0;
	front->ring.checked_owner = SEGUEI_OWNER_POLLER;
	front->next = &none;
	front->behind = srq;
	srq->front = front;
	srq->ring.checked_owner = SEGUEI_OWNER_NOBODY;
}

/* Reads of the lock before the thread yields its processor. */
#define LOOKS 100

void seguei_spin_wait(uint32_t *lock)
{
	uint32_t looks = 0;

	do {
		while (__atomic_load_n(lock, __ATOMIC_RELAXED))
			if (++looks % LOOKS == 0)
				sched_yield();
	} while (!seguei_spin_try(lock));
}
