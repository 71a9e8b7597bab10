/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A lock for queues that several threads use. Without contention it is taken and given back in a
 * few instructions. Queues that were not declared as shared never test theirs.
 */
#ifndef SEGUE_DETAIL_SPIN_H
#define SEGUE_DETAIL_SPIN_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

/* Waits until the lock is taken, and yields the processor during the wait. */
SEGUEI_COLD void seguei_spin_wait(uint32_t *lock);

SEGUEI_HOT_FUNCTION bool seguei_spin_try(uint32_t *lock)
{
	return !__atomic_exchange_n(lock, 1u, __ATOMIC_ACQUIRE);
}

SEGUEI_HOT_FUNCTION void seguei_spin_lock(uint32_t *lock)
{
	if (SEGUEI_UNLIKELY(!seguei_spin_try(lock)))
		seguei_spin_wait(lock);
}

SEGUEI_HOT_FUNCTION void seguei_spin_unlock(uint32_t *lock)
{
	__atomic_store_n(lock, 0u, __ATOMIC_RELEASE);
}

#include "segue/detail/end.h"

#endif
