/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table whose elements contain their own links. Only growing needs memory, and without it
 * the table keeps its size.
 */
#ifndef SEGUE_RUNTIME_TABLE_H
#define SEGUE_RUNTIME_TABLE_H

#include <stdint.h>

/* Member of each element. */
struct seguei_link {
	struct seguei_link *next;
	uint64_t key;
};

#define SEGUEI_TABLE_FIRST_LOG 6

/* A zeroed table is empty. */
struct seguei_table {
	struct seguei_link *first[1 << SEGUEI_TABLE_FIRST_LOG];
	struct seguei_link **buckets; /* allocated when the built-in ones are too few, otherwise
					 NULL */
	uint32_t log_size;
	uint32_t count;
};

/* Any number of links may have the same key. */
void seguei_table_add(struct seguei_table *table, struct seguei_link *link, uint64_t key);

/* Does nothing if the link is not in the table. The memory of an empty table is freed. */
void seguei_table_remove(struct seguei_table *table, struct seguei_link *link);

/* The first link with the key, and the next one after a link. NULL after the last. */
struct seguei_link *seguei_table_first(struct seguei_table *table, uint64_t key);
struct seguei_link *seguei_table_next(const struct seguei_link *link);

/* Calls a function for each link. The function must not change the table. */
void seguei_table_each(struct seguei_table *table, void (*call)(struct seguei_link *link));

#endif
