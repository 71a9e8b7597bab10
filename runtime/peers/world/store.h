/* SPDX-License-Identifier: BSD-2-Clause */
/* A store of bytes by rank and key. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_STORE_H
#define SEGUE_RUNTIME_PEERS_WORLD_STORE_H

#include <stddef.h>
#include <stdint.h>

struct seguei_item;

/* Empty if all zero. */
struct seguei_store {
	struct seguei_item **buckets;
	uint32_t n_buckets; /* a power of two, or 0 */
	uint32_t count;
};

/* Copies the bytes, and replaces earlier ones. 0 or -ENOMEM. */
int seguei_store_put(struct seguei_store *store, uint32_t rank, const char *key, const void *data,
		     size_t size);

/* The bytes, or NULL. Valid until the next put with this rank and key. */
const void *seguei_store_get(const struct seguei_store *store, uint32_t rank, const char *key,
			     size_t *size);

/* Removes the bytes, if there are any. */
void seguei_store_drop(struct seguei_store *store, uint32_t rank, const char *key);

void seguei_store_free(struct seguei_store *store);

#endif
