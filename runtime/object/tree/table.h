/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A hash table of things that hold their own links. Only growing needs memory, and where there is
 * none it stays as it is.
 */
#ifndef SEGUE_RUNTIME_TABLE_H
#define SEGUE_RUNTIME_TABLE_H

#include <stdint.h>

/* Part of what is in the table. */
struct seguei_link {
	struct seguei_link *next;
	uint64_t key;
};

#define SEGUEI_TABLE_FIRST_LOG 6

/* Zeroed: empty. */
struct seguei_table {
	struct seguei_link *first[1 << SEGUEI_TABLE_FIRST_LOG];
	struct seguei_link **buckets; /* once those are too few, else NULL */
	uint32_t log_size;
	uint32_t count;
};

/* Any number of links may have the same key. */
void seguei_table_add(struct seguei_table *table, struct seguei_link *link, uint64_t key);

/* Nothing happens if it is not there. The memory of an empty table is freed. */
void seguei_table_remove(struct seguei_table *table, struct seguei_link *link);

/* The first link with the key, and the next one behind another; NULL behind the last. */
struct seguei_link *seguei_table_first(struct seguei_table *table, uint64_t key);
struct seguei_link *seguei_table_next(const struct seguei_link *link);

/* Calls a function for each link; it changes nothing in the table. */
void seguei_table_each(struct seguei_table *table, void (*call)(struct seguei_link *link));

#endif
