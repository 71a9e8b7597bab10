/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The locks of a queue pair's completion queues. The caller of a polling call holds them, and the
 * call releases them while it waits for the device.
 */
#include <sched.h>

#include "runtime/object/qp/qp.h"
#include "segue/lock.h"

/* A held lock belongs to the caller. A queue without a lock is never locked. */
static bool is_locked(const struct segue_cq *cq)
{
	return cq && __atomic_load_n(&cq->lock, __ATOMIC_RELAXED);
}

struct seguei_cq_locks seguei_qp_unlock_cqs(const struct segue_qp *qp)
{
	struct seguei_cq_locks given_back = {NULL, NULL};

	if (is_locked(qp->send_cq))
		given_back.send = qp->send_cq;
	if (qp->recv_cq != qp->send_cq && is_locked(qp->recv_cq))
		given_back.recv = qp->recv_cq;
	if (given_back.send)
		segue_cq_unlock(given_back.send);
	if (given_back.recv)
		segue_cq_unlock(given_back.recv);
	return given_back;
}

/*
 * Other threads may take the two locks in the other order, so this one holds none while it waits.
 */
void seguei_qp_relock_cqs(const struct seguei_cq_locks *locks)
{
	if (!locks->send || !locks->recv) {
		if (locks->send || locks->recv)
			segue_cq_lock(locks->send ? locks->send : locks->recv);
		return;
	}
	for (;;) {
		segue_cq_lock(locks->send);
		if (segue_cq_trylock(locks->recv))
			return;
		segue_cq_unlock(locks->send);
		(void)sched_yield();
	}
}
