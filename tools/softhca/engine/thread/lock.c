/* SPDX-License-Identifier: BSD-2-Clause */
/* The process-wide lock of the device. */
#include "thread.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"

#include <time.h>

static _Thread_local bool is_mine __attribute__((tls_model("initial-exec")));

/* Work after each acquisition of the lock. */
static void have_it(void)
{
	__atomic_store_n(&the_thread.taken, the_thread.taken + 1, __ATOMIC_RELAXED);
	is_mine = true;
	softhca_copy_refresh();
}

void softhca_lock(void)
{
	__atomic_fetch_add(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&the_thread.lock);
	__atomic_fetch_sub(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	have_it();
}

/*
 * A mutex goes to the next thread that asks. That is the running device thread rather than a thread
 * that must be woken up first. So the device thread lets all present waiters have the lock first.
 */
void softhca_lock_after_others(void)
{
	const unsigned others = __atomic_load_n(&the_thread.wanted, __ATOMIC_RELAXED);
	const unsigned start = __atomic_load_n(&the_thread.taken, __ATOMIC_RELAXED);
	const struct timespec nap = {.tv_nsec = 20000};

	for (unsigned i = 0;
	     i < 100 && __atomic_load_n(&the_thread.taken, __ATOMIC_RELAXED) - start < others; i++)
		nanosleep(&nap, NULL);
	softhca_lock();
}

static void have_it_lightly(void)
{
	__atomic_store_n(&the_thread.taken, the_thread.taken + 1, __ATOMIC_RELAXED);
	is_mine = true;
	softhca_copy_refresh_soon();
}

bool softhca_lock_try(void)
{
	if (pthread_mutex_trylock(&the_thread.lock))
		return false;
	have_it_lightly();
	return true;
}

void softhca_lock_lightly(void)
{
	__atomic_fetch_add(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&the_thread.lock);
	__atomic_fetch_sub(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	have_it_lightly();
}

bool softhca_lock_is_mine(void)
{
	return is_mine;
}

bool softhca_lock_soon(unsigned int ms)
{
	struct timespec until;
	int err;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += ms / 1000;
	until.tv_nsec += (long)(ms % 1000) * 1000000;
	if (until.tv_nsec >= 1000000000) {
		until.tv_sec++;
		until.tv_nsec -= 1000000000;
	}
	__atomic_fetch_add(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	err = pthread_mutex_timedlock(&the_thread.lock, &until);
	__atomic_fetch_sub(&the_thread.wanted, 1, __ATOMIC_RELAXED);
	if (err)
		return false;
	have_it();
	return true;
}

void softhca_unlock(void)
{
	softhca_cq_close_all();
	is_mine = false;
	pthread_mutex_unlock(&the_thread.lock);
}

void softhca_lock_reinit(void)
{
	const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	the_thread.wanted = 0;
	softhca_cq_forget_all();
	/* Releasing it is equivalent, but ThreadSanitizer can follow it. */
	if (is_mine)
		softhca_unlock();
	else
		the_thread.lock = fresh;
}
