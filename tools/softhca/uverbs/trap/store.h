/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that store and do nothing else. The usual ones are read from the program's code
 * where they have faulted, so that a doorbell needs one signal and no system call; every other one
 * runs in single step. x86-64 only.
 */
#ifndef SOFTHCA_UVERBS_STORE_H
#define SOFTHCA_UVERBS_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct uv_store {
	uintptr_t addr;
	size_t size; /* 4, 8 or 16 */
	uint8_t bytes[16];
	size_t length; /* of the instruction */
};

/* In a signal handler: is the instruction at `context` (a ucontext_t) such a store, of what? */
bool uv_store_read(const void *context, struct uv_store *out);

#endif /* SOFTHCA_UVERBS_STORE_H */
