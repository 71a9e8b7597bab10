/* SPDX-License-Identifier: BSD-2-Clause */
/* Copying from and to application memory. */
#ifndef SOFTHCA_COPY_H
#define SOFTHCA_COPY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The engine copies with instructions that have an exception table: a fault inside them is repaired
 * by softhca_copy_fixup(), to be called by whoever owns SIGSEGV and SIGBUS. softhca_copy_install()
 * installs a chaining handler for programs in which nobody else does. While the handler that is
 * installed is not one of ours, process_vm_readv() is used.
 */
/* [unlocked] softhca_copy_install: a SIGSEGV/SIGBUS handler for engine faults; chains the rest. */
int softhca_copy_install(void);
/* [unlocked] softhca_copy_changed: this thread's signal mask or a handler has been changed. */
void softhca_copy_changed(void);
/*
 * [unlocked] softhca_copy_fixup: `ucontext` is the third argument of the signal handler. True:
 * repaired, return from the handler. Async-signal-safe.
 */
bool softhca_copy_fixup(void *ucontext);
/* [unlocked] softhca_copy_owner: tell the engine that `handler` (a sa_sigaction that calls
 * softhca_copy_fixup) is trusted. */
void softhca_copy_owner(void (*handler)(int, void *, void *));
/* [unlocked] softhca_copy_in/out: 0 or -EFAULT. */
int softhca_copy_in(void *dst, uint64_t va, size_t len);
int softhca_copy_out(uint64_t va, const void *src, size_t len);
/* [unlocked] softhca_copy_by_kernel: without signals, slower; `in`: va to mine. Keeps errno. */
int softhca_copy_by_kernel(uint64_t va, void *mine, size_t len, bool in);

/* Look again who handles SIGSEGV; softhca_lock() does it. */
void softhca_copy_refresh(void);
/* softhca_copy_refresh_soon: for who comes often: after a known change, else now and then. */
void softhca_copy_refresh_soon(void);
/* softhca_copy_never_blocks: the calling thread lets faults through, for ever. */
void softhca_copy_never_blocks(void);

#endif
