/* SPDX-License-Identifier: BSD-2-Clause */
/* Copying from and to application memory. */
#ifndef SOFTHCA_COPY_H
#define SOFTHCA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The engine copies with instructions that have an exception table. softhca_copy_fixup() repairs a
 * fault inside them. The owner of SIGSEGV and SIGBUS must call it. softhca_copy_install() installs
 * a chaining handler for programs without such an owner. While a foreign handler is installed, the
 * engine uses process_vm_readv().
 */
/* [unlocked] softhca_copy_install: installs a chaining SIGSEGV/SIGBUS handler for engine faults. */
int softhca_copy_install(void);
/* [unlocked] softhca_copy_changed: this thread's signal mask or a handler has changed. */
void softhca_copy_changed(void);
/*
 * [unlocked] softhca_copy_fixup: repairs a fault. `ucontext` is the third argument of the signal
 * handler. If it returns true, the handler must return. Async-signal-safe.
 */
bool softhca_copy_fixup(void *ucontext);
/* [unlocked] softhca_copy_owner: makes the engine trust `handler`, a sa_sigaction that calls
 * softhca_copy_fixup. */
void softhca_copy_owner(void (*handler)(int, void *, void *));
/* [unlocked] softhca_copy_in/out: 0 or -EFAULT. */
int softhca_copy_in(void *dst, uint64_t va, size_t len);
int softhca_copy_out(uint64_t va, const void *src, size_t len);
/* softhca_mapped: whether the first and the last byte are there, if there are any. */
static inline bool softhca_mapped(uint64_t va, uint64_t len)
{
	uint8_t byte;

	return !len || (!softhca_copy_in(&byte, va, 1) && !softhca_copy_in(&byte, va + len - 1, 1));
}
/* [unlocked] softhca_copy_by_kernel: slower, without signals. `in`: va to mine. Keeps errno. */
int softhca_copy_by_kernel(uint64_t va, void *mine, size_t len, bool in);

/* Asks again which handler SIGSEGV has. softhca_lock() calls it. */
void softhca_copy_refresh(void);
/* softhca_copy_refresh_soon: for frequent callers. Skips most refreshes without a known change. */
void softhca_copy_refresh_soon(void);
/* softhca_copy_never_blocks: declares that the calling thread never blocks faults. */
void softhca_copy_never_blocks(void);

#endif
