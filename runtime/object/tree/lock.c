/* SPDX-License-Identifier: BSD-2-Clause */
/* Locks of the object trees, which stay usable in the child of a fork. */
#include "runtime/object/tree/lock.h"

#include <pthread.h>

static pthread_mutex_t locks[SEGUEI_LOCKS] = {
	PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER,
	PTHREAD_MUTEX_INITIALIZER,
};
static pthread_once_t once = PTHREAD_ONCE_INIT;
static unsigned int forks;

static void lock_all(void)
{
	int i;

	for (i = 0; i < SEGUEI_LOCKS; i++)
		(void)pthread_mutex_lock(&locks[i]);
}

static void unlock_all(void)
{
	int i;

	for (i = SEGUEI_LOCKS; i > 0; i--)
		(void)pthread_mutex_unlock(&locks[i - 1]);
}

static void begin_child(void)
{
	forks++;
	unlock_all();
}

static void mind_forks(void)
{
	(void)pthread_atfork(lock_all, unlock_all, begin_child);
}

unsigned int seguei_forks(void)
{
	return forks;
}

void seguei_lock(enum seguei_lock which)
{
	(void)pthread_once(&once, mind_forks);
	(void)pthread_mutex_lock(&locks[which]);
}

void seguei_unlock(enum seguei_lock which)
{
	(void)pthread_mutex_unlock(&locks[which]);
}
