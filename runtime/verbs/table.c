/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of verbs objects by address. Readers take no lock: a table that has become too small is
 * replaced, but not freed, because a reader may be in it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/verbs/layer.h"

#define FIRST_ENTRIES 64u

/* A table with one entry, which is always free. */
__extension__ static struct seguei_layer_table none = {.entries = {{NULL, NULL}}};

struct seguei_layer_table *seguei_layer_table = &none;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used; /* entries with a key, also of objects that are gone */

static struct seguei_layer_entry *place_of(struct seguei_layer_table *table, const void *key)
{
	uint32_t at = (uint32_t)((uintptr_t)key >> SEGUEI_LAYER_ALIGN);

	while (table->entries[at & table->mask].key && table->entries[at & table->mask].key != key)
		at++;
	return &table->entries[at & table->mask];
}

/* Entries of objects that are gone have no record, and are not copied. */
static int grow(void)
{
	struct seguei_layer_table *const old = seguei_layer_table;
	const uint32_t entries = old == &none ? FIRST_ENTRIES : 2 * (old->mask + 1);
	struct seguei_layer_table *table = calloc(1, sizeof(*table) +
							     entries * sizeof(table->entries[0]));
	uint32_t i;

	if (!table)
		return -ENOMEM;
	table->mask = entries - 1;
	used = 0;
	for (i = 0; old != &none && i <= old->mask; i++)
		if (old->entries[i].record) {
			*place_of(table, old->entries[i].key) = old->entries[i];
			used++;
		}
	__atomic_store_n(&seguei_layer_table, table, __ATOMIC_RELEASE);
	return 0;
}

int seguei_layer_add(const void *key, void *record)
{
	struct seguei_layer_entry *entry;
	int ret = 0;

	pthread_mutex_lock(&lock);
	if (2 * (used + 1) > seguei_layer_table->mask)
		ret = grow();
	if (!ret) {
		entry = place_of(seguei_layer_table, key);
		if (!entry->key)
			used++;
		__atomic_store_n(&entry->record, record, __ATOMIC_RELAXED);
		__atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/* For a child of fork(), which has one thread. */
void seguei_layer_forget_all(void)
{
	seguei_layer_table = &none;
}

void seguei_layer_remove(const void *key)
{
	struct seguei_layer_entry *entry;

	pthread_mutex_lock(&lock);
	entry = place_of(seguei_layer_table, key);
	if (entry->key == key)
		__atomic_store_n(&entry->record, NULL, __ATOMIC_RELAXED);
	pthread_mutex_unlock(&lock);
}
