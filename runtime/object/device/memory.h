/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory that the library allocates for a device to work in. */
#ifndef SEGUE_RUNTIME_MEMORY_H
#define SEGUE_RUNTIME_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

struct segue_device;

/* What it should be; nothing set is what malloc() has. */
struct seguei_memory_wish {
	bool huge_pages;  /* of the size that the system has as default */
	bool near_device; /* on the device's NUMA node */
};

struct seguei_memory {
	void *start;   /* at a page's beginning; NULL: none */
	size_t mapped; /* bytes, if it is mapped; 0: it is of malloc() */
};

/*
 * Takes `bytes`, for `whose` sentence: 0, or -ENOMEM, -ENOTSUP or what the kernel says, with the
 * wish that could not be met and what to do.
 */
int seguei_memory_take(struct seguei_memory *memory, const char *whose, struct segue_device *device,
		       size_t bytes, struct seguei_memory_wish wish);

/* Gives it back; of memory that was not taken, nothing. */
void seguei_memory_give_back(struct seguei_memory *memory);

#endif
