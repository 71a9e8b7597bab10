/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A BlueFlame register: which queues ring it, and whether whole requests may be copied to it.
 *
 * 8 bytes are stored at once, so queue pairs of several threads may ring one register without
 * asking. A copy is many stores, and two at a time would mix, or one would be cut by another
 * thread's 8 bytes. So copies go to a register that one thread has for itself: a thread domain's,
 * or one that only one queue pair rings. The latter can change while that queue pair copies, hence
 * the lock, which only copying takes, and who joins. Source: rdma-core providers/mlx5/qp.c,
 * post_send_db(); mlx5.c, need_uuar_lock().
 */
#ifndef SEGUE_RUNTIME_UAR_H
#define SEGUE_RUNTIME_UAR_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct seguei_uar {
	/* to one thread, by a thread domain: all its queue pairs copy, without the lock */
	bool dedicated;
	atomic_flag locked; /* else */
	bool shared;               /* by several queue pairs: nobody copies. With the lock */
	/* where the next copy goes. Copies alternate between the halves, whoever makes them */
	uintptr_t half;
	uint32_t users;            /* send queues. With the lock of the object trees */
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
