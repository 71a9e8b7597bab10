/* SPDX-License-Identifier: BSD-2-Clause */
/* Key-value store of the rendezvous, by rank and key. */
#include "runtime/peers/world/store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"

#define BUCKETS_MIN 64u

struct seguei_item {
	struct seguei_item *next;
	uint32_t hash, rank;
	size_t size;
	void *data;
	char key[];
};

/* FNV (Fowler, Noll and Vo). */
static uint32_t hash_of(uint32_t rank, const char *key)
{
	uint32_t hash = 0x811c9dc5u ^ rank * 0x9e3779b1u;

	for (; *key; key++)
		hash = (hash ^ (uint8_t)*key) * 0x01000193u;
	return hash ^ hash >> 15;
}

static struct seguei_item *find(const struct seguei_store *store, uint32_t rank, const char *key)
{
	const uint32_t hash = hash_of(rank, key);
	struct seguei_item *item = store->n_buckets ? store->buckets[hash & (store->n_buckets - 1)]
						    : NULL;

	while (item && (item->hash != hash || item->rank != rank || strcmp(item->key, key)))
		item = item->next;
	return item;
}

static int grow(struct seguei_store *store)
{
	const uint32_t wanted = store->n_buckets ? store->n_buckets * 2 : BUCKETS_MIN;
	struct seguei_item **buckets, *item, *next;
	uint32_t i;

	if (store->count < store->n_buckets)
		return 0;
	buckets = calloc(wanted, sizeof(struct seguei_item *));
	if (!buckets)
		return -ENOMEM;
	for (i = 0; i < store->n_buckets; i++) {
		for (item = store->buckets[i]; item; item = next) {
			next = item->next;
			item->next = buckets[item->hash & (wanted - 1)];
			buckets[item->hash & (wanted - 1)] = item;
		}
	}
	free(store->buckets);
	store->buckets = buckets;
	store->n_buckets = wanted;
	return 0;
}

static struct seguei_item *add(struct seguei_store *store, uint32_t rank, const char *key)
{
	const size_t length = strlen(key) + 1;
	struct seguei_item *item;

	if (grow(store))
		return NULL;
	item = calloc(1, sizeof(*item) + length);
	if (!item)
		return NULL;
	memcpy(item->key, key, length);
	item->rank = rank;
	item->hash = hash_of(rank, key);
	item->next = store->buckets[item->hash & (store->n_buckets - 1)];
	store->buckets[item->hash & (store->n_buckets - 1)] = item;
	store->count++;
	return item;
}

int seguei_store_put(struct seguei_store *store, uint32_t rank, const char *key, const void *data,
		     size_t size)
{
	struct seguei_item *item = find(store, rank, key);
	void *copy = malloc(size ? size : 1);

	if (copy && !item)
		item = add(store, rank, key);
	if (!copy || !item) {
		free(copy);
		return seguei_fail(ENOMEM, "World: no memory for '%s' of rank %u, %zu bytes.", key,
				   rank, size);
	}
	if (size)
		memcpy(copy, data, size);
	free(item->data);
	item->data = copy;
	item->size = size;
	return 0;
}

const void *seguei_store_get(const struct seguei_store *store, uint32_t rank, const char *key,
			     size_t *size)
{
	const struct seguei_item *item = find(store, rank, key);

	if (!item)
		return NULL;
	*size = item->size;
	return item->data;
}

void seguei_store_drop(struct seguei_store *store, uint32_t rank, const char *key)
{
	struct seguei_item *item = find(store, rank, key), **link;

	if (!item)
		return;
	link = &store->buckets[item->hash & (store->n_buckets - 1)];
	while (*link != item)
		link = &(*link)->next;
	*link = item->next;
	store->count--;
	free(item->data);
	free(item);
}

void seguei_store_free(struct seguei_store *store)
{
	struct seguei_item *item, *next;
	uint32_t i;

	for (i = 0; i < store->n_buckets; i++) {
		for (item = store->buckets[i]; item; item = next) {
			next = item->next;
			free(item->data);
			free(item);
		}
	}
	free(store->buckets);
	memset(store, 0, sizeof(*store));
}
