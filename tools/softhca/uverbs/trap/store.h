/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Instructions that only store. The usual ones are decoded from the program's code at their fault,
 * so that a doorbell needs one signal and no system call. Every other one runs in a single step.
 * x86-64 only.
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

/* In a signal handler: true if the instruction at `context` (a ucontext_t) is such a store. */
bool uv_store_read(const void *context, struct uv_store *out);

#endif /* SOFTHCA_UVERBS_STORE_H */
