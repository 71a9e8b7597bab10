/* SPDX-License-Identifier: BSD-2-Clause */
/* The process-wide lock, number tables, and reasons of failures. */
#include "internal.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned wanted; /* threads that wait for the lock or are about to take it */
static unsigned taken;	/* how often it was taken; written with it */
static _Thread_local bool is_mine;
static _Thread_local char why[256];

/* What follows whenever the lock has been taken. */
static void have_it(void)
{
	__atomic_store_n(&taken, taken + 1, __ATOMIC_RELAXED);
	is_mine = true;
	softhca_copy_refresh();
}

void softhca_lock(void)
{
	__atomic_fetch_add(&wanted, 1, __ATOMIC_RELAXED);
	pthread_mutex_lock(&lock);
	__atomic_fetch_sub(&wanted, 1, __ATOMIC_RELAXED);
	have_it();
}

/*
 * A mutex goes to whoever asks next, and that is the device thread, which is running, rather than
 * a thread that has to be woken up first. So it stays away until as many as wait now have had the
 * lock.
 */
void softhca_lock_after_others(void)
{
	const unsigned others = __atomic_load_n(&wanted, __ATOMIC_RELAXED);
	const unsigned start = __atomic_load_n(&taken, __ATOMIC_RELAXED);
	const struct timespec nap = {.tv_nsec = 20000};

	for (unsigned i = 0; i < 100 && __atomic_load_n(&taken, __ATOMIC_RELAXED) - start < others;
	     i++)
		nanosleep(&nap, NULL);
	softhca_lock();
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
	__atomic_fetch_add(&wanted, 1, __ATOMIC_RELAXED);
	err = pthread_mutex_timedlock(&lock, &until);
	__atomic_fetch_sub(&wanted, 1, __ATOMIC_RELAXED);
	if (err)
		return false;
	have_it();
	return true;
}

void softhca_unlock(void)
{
	softhca_cq_close_all();
	is_mine = false;
	pthread_mutex_unlock(&lock);
}

void softhca_lock_reinit(void)
{
	const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;

	wanted = 0;
	softhca_cq_forget_all();
	/* Giving it back is the same, but ThreadSanitizer can follow it. */
	if (is_mine)
		softhca_unlock();
	else
		lock = fresh;
}

uint64_t softhca_now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (uint64_t)ts.tv_sec * 1000000000u + (uint64_t)ts.tv_nsec;
}

const char *softhca_why(void)
{
	return why;
}

void softhca_why_clear(void)
{
	why[0] = '\0';
}

int softhca_fail(int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(why, sizeof(why), fmt, ap);
	va_end(ap);
	return err;
}

static int grow(struct softhca_table *t)
{
	uint32_t size = t->size ? t->size * 2 : 64;
	void **slot;

	if (t->max && size > t->max + 1)
		size = t->max + 1;
	if (size > SOFTHCA_NUM_MASK - t->base)
		size = SOFTHCA_NUM_MASK - t->base;
	if (size <= t->size)
		return softhca_fail(-ENOMEM, "all %u objects of this kind are in use", t->used);
	slot = realloc(t->slot, size * sizeof(*slot));
	if (!slot)
		return softhca_fail(-ENOMEM, "out of memory");
	for (uint32_t i = t->size; i < size; i++)
		slot[i] = NULL;
	t->slot = slot;
	t->size = size;
	return 0;
}

int softhca_table_add(struct softhca_table *t, void *obj, uint32_t *num)
{
	uint32_t n;
	int err;

	if (t->max && t->used >= t->max)
		return softhca_fail(-ENOMEM, "all %u objects of this kind are in use", t->max);
	/* Half empty keeps numbers from being reused at once: a stale number should hit nothing. */
	if (t->used + 1 >= t->size / 2 + 1) {
		err = grow(t);
		if (err && t->used + 1 >= t->size)
			return err;
	}
	for (n = t->next; !n || n >= t->size || t->slot[n]; n++)
		if (n >= t->size)
			n = 0;
	t->slot[n] = obj;
	t->used++;
	t->next = n + 1;
	*num = t->base + n;
	return 0;
}

void *softhca_table_get(const struct softhca_table *t, uint32_t num)
{
	return num - t->base < t->size ? t->slot[num - t->base] : NULL;
}

void softhca_table_del(struct softhca_table *t, uint32_t num)
{
	if (softhca_table_get(t, num)) {
		t->slot[num - t->base] = NULL;
		t->used--;
	}
}

void *softhca_table_iter(const struct softhca_table *t, uint32_t *num)
{
	uint32_t n = *num < t->base ? 1 : *num - t->base + 1;

	for (; n < t->size; n++) {
		if (t->slot[n]) {
			*num = t->base + n;
			return t->slot[n];
		}
	}
	return NULL;
}

void softhca_table_free(struct softhca_table *t)
{
	free(t->slot);
	t->slot = NULL;
	t->size = t->used = t->next = 0;
}
