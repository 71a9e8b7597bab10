/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that the library allocates for the device's use. */
#ifndef SEGUE_RUNTIME_MEMORY_H
#define SEGUE_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct segue_device;

/* Requested properties. Without any the memory comes from malloc(). */
struct seguei_memory_wish {
	bool huge_pages;  /* of the system's default size */
	bool near_device; /* on the device's NUMA node */
};

struct seguei_memory {
	void *start;   /* aligned to a page. NULL if none */
	size_t mapped; /* bytes if it was mapped. 0 means malloc() */
};

/*
 * Allocates `bytes`: 0, or -ENOMEM, -ENOTSUP or an error of the kernel. The sentence begins with
 * `whose`, and has the property that failed and what to do.
 */
int seguei_memory_take(struct seguei_memory *memory, const char *whose, struct segue_device *device,
		       size_t bytes, struct seguei_memory_wish wish);

/* Frees it. Does nothing for memory that was not allocated. */
void seguei_memory_give_back(struct seguei_memory *memory);

#endif
