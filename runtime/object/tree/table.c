/* SPDX-License-Identifier: BSD-2-Clause */
/* Hash table of links that lie within their owners, so adding one allocates nothing but buckets. */
#include "runtime/object/tree/table.h"

#include <stddef.h>
#include <stdlib.h>

/*
 * Multiplicative hashing (Knuth, volume 3, 6.4): the golden ratio spreads addresses, which have
 * zeros at the end.
 */
#define GOLDEN 0x9e3779b97f4a7c15u

static uint32_t log_size_of(const struct seguei_table *table)
{
	return table->buckets ? table->log_size : SEGUEI_TABLE_FIRST_LOG;
}

static struct seguei_link **buckets_of(struct seguei_table *table)
{
	return table->buckets ? table->buckets : table->first;
}

static uint32_t place(uint64_t key, uint32_t log_size)
{
	return (uint32_t)(key * GOLDEN >> (64 - log_size));
}

static void put(struct seguei_link **buckets, uint32_t log_size, struct seguei_link *link)
{
	struct seguei_link **bucket = &buckets[place(link->key, log_size)];

	link->next = *bucket;
	*bucket = link;
}

static void grow(struct seguei_table *table)
{
	struct seguei_link **old = buckets_of(table);
	const uint32_t size = 1u << log_size_of(table), log_size = log_size_of(table) + 1;
	struct seguei_link **buckets = calloc((size_t)1 << log_size, sizeof(struct seguei_link *));
	uint32_t i;

	if (!buckets)
		return;
	for (i = 0; i < size; i++) {
		struct seguei_link *link, *next;

		for (link = old[i]; link; link = next) {
			next = link->next;
			put(buckets, log_size, link);
		}
		old[i] = NULL;
	}
	free(table->buckets);
	table->buckets = buckets;
	table->log_size = log_size;
}

void seguei_table_add(struct seguei_table *table, struct seguei_link *link, uint64_t key)
{
	if (table->count >= 1u << log_size_of(table))
		grow(table);
	link->key = key;
	put(buckets_of(table), log_size_of(table), link);
	table->count++;
}

void seguei_table_remove(struct seguei_table *table, struct seguei_link *link)
{
	struct seguei_link **at = &buckets_of(table)[place(link->key, log_size_of(table))];

	while (*at && *at != link)
		at = &(*at)->next;
	if (!*at)
		return;
	*at = link->next;
	if (--table->count)
		return;
	free(table->buckets);
	table->buckets = NULL;
}

/* The first link with the key, from `link` on. */
static struct seguei_link *with_key(struct seguei_link *link, uint64_t key)
{
	while (link && link->key != key)
		link = link->next;
	return link;
}

struct seguei_link *seguei_table_first(struct seguei_table *table, uint64_t key)
{
	return with_key(buckets_of(table)[place(key, log_size_of(table))], key);
}

struct seguei_link *seguei_table_next(const struct seguei_link *link)
{
	return with_key(link->next, link->key);
}

void seguei_table_each(struct seguei_table *table, void (*call)(struct seguei_link *link))
{
	struct seguei_link *link;
	uint32_t i;

	for (i = 0; i < 1u << log_size_of(table); i++)
		for (link = buckets_of(table)[i]; link; link = link->next)
			call(link);
}
