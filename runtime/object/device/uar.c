/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Registry of the BlueFlame registers in use. It counts the send queues of each register and so
 * decides whether they share it.
 */
#include "runtime/object/device/uar.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/tree/object.h"
#include "runtime/ring/uar.h"

struct known {
	struct seguei_link link; /* by the register's address */
	struct seguei_uar uar;
};

static struct seguei_table registers; /* guarded by the lock of the object trees */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static struct known *known_of(struct seguei_uar *uar)
{
	return (struct known *)((char *)uar - offsetof(struct known, uar));
}

bool seguei_uar_copies_wanted(void)
{
	const char *shut_up = getenv("MLX5_SHUT_UP_BF");

	return !shut_up || !strcmp(shut_up, "0");
}

/* Waits for a copy in progress. */
static void set_users(struct seguei_uar *uar, uint32_t users)
{
	seguei_uar_lock(uar);
	uar->users = users;
	uar->shared = users > 1 && !uar->dedicated;
	seguei_uar_unlock(uar);
}

static void forget_copy(struct seguei_link *link)
{
	seguei_uar_unlock(&((struct known *)link)->uar);
}

/*
 * Runs in a forked child, which has no thread within a copy. No thread is within the trees either,
 * because the fork held their lock.
 */
static void forget_copies(void)
{
	seguei_table_each(&registers, forget_copy);
}

static void mind_forks(void)
{
	(void)pthread_atfork(NULL, NULL, forget_copies);
}

static struct known *find_or_make(void *reg, bool dedicated)
{
	struct known *known = (struct known *)seguei_table_first(&registers, seguei_key_of(reg));

	if (known)
		return known;
	known = seguei_object_alloc(sizeof(*known), "BlueFlame register");
	if (!known)
		return NULL;
	atomic_flag_clear(&known->uar.locked);
	known->uar.dedicated = dedicated;
	known->uar.half = (uintptr_t)reg;
	seguei_table_add(&registers, &known->link, seguei_key_of(reg));
	return known;
}

struct seguei_uar *seguei_uar_join(void *reg, bool dedicated)
{
	struct known *known;

	(void)pthread_once(&once, mind_forks);
	seguei_tree_lock();
	known = find_or_make(reg, dedicated);
	if (known)
		set_users(&known->uar, known->uar.users + 1);
	seguei_tree_unlock();
	return known ? &known->uar : NULL;
}

void seguei_uar_leave(struct seguei_uar *uar)
{
	if (!uar)
		return;
	seguei_tree_lock();
	set_users(uar, uar->users - 1);
	if (!uar->users) {
		seguei_table_remove(&registers, &known_of(uar)->link);
		free(known_of(uar));
	}
	seguei_tree_unlock();
}
