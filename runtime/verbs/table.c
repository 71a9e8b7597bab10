/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Records of verbs objects by address. Readers take no lock: a table that has become too small is
 * replaced, but not freed, because a reader may be in it.
 */
#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

#include "runtime/verbs/layer.h"

#define FIRST_ENTRIES 64u
/* Up to this size a table grows until each object is at its first place. */
#define SPARSE_ENTRIES 1024u
#define BYTES	      sizeof(struct seguei_layer_entry)

/* A table with one entry, which is always free. */
__extension__ static struct seguei_layer_table none = {.entries = {{NULL, NULL}}};

struct seguei_layer_table *seguei_layer_table = &none;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t used; /* entries with a key, including those of destroyed objects */
static uint32_t live; /* objects */

/* Key of a destroyed object. The entry may be used again. */
static const char gone;

/* The object's entry, or the first free entry where it would be. */
static struct seguei_layer_entry *place_of(struct seguei_layer_table *table, const void *key)
{
	const size_t last = table->mask / BYTES;
	size_t at = SEGUEI_LAYER_OFFSET(table, key) / BYTES;
	struct seguei_layer_entry *entry, *found = NULL;
	const void *now;

	for (;; at = (at + 1) & last) {
		entry = &table->entries[at];
		now = __atomic_load_n(&entry->key, __ATOMIC_ACQUIRE);
		if (now == key)
			return entry;
		if (!found && now == &gone)
			found = entry;
		if (!now)
			return found ? found : entry;
	}
}

void *seguei_layer_search(const void *key)
{
	struct seguei_layer_table *table = __atomic_load_n(&seguei_layer_table, __ATOMIC_ACQUIRE);
	const struct seguei_layer_entry *entry = place_of(table, key);

	return __atomic_load_n(&entry->key, __ATOMIC_RELAXED) == key
		       ? __atomic_load_n(&entry->record, __ATOMIC_RELAXED)
		       : NULL;
}

/* Copies the table without destroyed objects to one of at least `entries` entries. */
static int rehash(uint32_t entries)
{
	struct seguei_layer_table *const old = seguei_layer_table;
	struct seguei_layer_table *table;
	size_t i;

	while (entries < FIRST_ENTRIES || entries <= 4 * live)
		entries *= 2;
	table = calloc(1, sizeof(*table) + entries * BYTES);
	if (!table)
		return -ENOMEM;
	table->mask = (entries - 1) * BYTES;
	for (i = 0; i <= old->mask / BYTES; i++)
		if (old->entries[i].key && old->entries[i].key != &gone)
			*place_of(table, old->entries[i].key) = old->entries[i];
	used = live;
	__atomic_store_n(&seguei_layer_table, table, __ATOMIC_RELEASE);
	return 0;
}

/*
 * A larger table has each object at its first place that has been there, so only the new one may
 * want another table.
 */
int seguei_layer_add(const void *key, void *record)
{
	struct seguei_layer_entry *entry;
	uint32_t entries;
	int ret = 0;

	pthread_mutex_lock(&lock);
	do {
		entries = (uint32_t)(seguei_layer_table->mask / BYTES) + 1;
		if (2 * (used + 1) >= entries)
			ret = rehash(entries);
		entry = ret ? NULL : place_of(seguei_layer_table, key);
	} while (entry && entries < SPARSE_ENTRIES &&
		 entry != seguei_layer_table->entries +
				  SEGUEI_LAYER_OFFSET(seguei_layer_table, key) / BYTES &&
		 !rehash(2 * entries));
	if (entry) {
		used += !entry->key;
		live += entry->key != key;
		__atomic_store_n(&entry->record, record, __ATOMIC_RELAXED);
		__atomic_store_n(&entry->key, key, __ATOMIC_RELEASE);
	}
	pthread_mutex_unlock(&lock);
	return ret;
}

/* Called in a child of fork(), which has one thread. */
void seguei_layer_forget_all(void)
{
	seguei_layer_table = &none;
	used = live = 0;
}

void seguei_layer_remove(const void *key)
{
	struct seguei_layer_entry *entry;

	pthread_mutex_lock(&lock);
	entry = place_of(seguei_layer_table, key);
	if (entry->key == key) {
		__atomic_store_n(&entry->key, &gone, __ATOMIC_RELEASE);
		live--;
	}
	pthread_mutex_unlock(&lock);
}
