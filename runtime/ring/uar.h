/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A BlueFlame register: the queues that ring it, and whether WQEs may be copied to it.
 *
 * A doorbell is one 8-byte store, so queue pairs of several threads may ring one register without a
 * lock. A BlueFlame copy is many stores. Two copies at once would mix, and another thread's
 * doorbell would cut one. So only a register of a single thread gets copies: that of a thread
 * domain, or one that a single queue pair rings. A second queue pair can join the latter during a
 * copy, so copying and joining take a lock. Source: rdma-core providers/mlx5/qp.c, post_send_db();
 * mlx5.c, need_uuar_lock().
 *
 * A request after others that were not rung gets a plain doorbell, too, because a copy stands for
 * the next request.
 */
#ifndef SEGUE_RUNTIME_UAR_H
#define SEGUE_RUNTIME_UAR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct seguei_uar {
	/* for one thread, by a thread domain: all its queue pairs copy without the lock */
	bool dedicated;
	atomic_flag locked; /* the lock of registers that are not dedicated */
	bool shared;	    /* rung by several queue pairs, so none copies */
	/* half of the next copy. All queue pairs alternate between the halves */
	uintptr_t half;
	uint32_t users; /* send queues that ring it, under the lock of the object trees */
};

static inline void seguei_uar_lock(struct seguei_uar *uar)
{
	while (atomic_flag_test_and_set_explicit(&uar->locked, memory_order_acquire))
		;
}

static inline void seguei_uar_unlock(struct seguei_uar *uar)
{
	atomic_flag_clear_explicit(&uar->locked, memory_order_release);
}

#endif
