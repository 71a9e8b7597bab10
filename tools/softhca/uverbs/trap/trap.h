/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trap mode, and the fault signals in both modes.
 *
 * In trap mode the application's view of a doorbell page is read-only, so a store faults. The
 * handler carries it out in the device's view of the page (store.h). Otherwise it opens the page,
 * lets the one instruction run in a single step and closes the page. It then runs the device in the
 * storing thread. Every store is seen, in order, without polling.
 */
#ifndef SOFTHCA_UVERBS_TRAP_H
#define SOFTHCA_UVERBS_TRAP_H

#include <signal.h>
#include <stdbool.h>

struct uv_obj;

/* Whether the processor has single steps. */
#if defined(__x86_64__)
#define UV_TRAPS true
#else
#define UV_TRAPS false
#endif

/* Installs the fault handlers. Returns 0 or a negative errno. */
int uv_trap_init(bool trap);
bool uv_trap_on(void);
/* Prepares single steps, also without trap mode. 0, or a negative errno if they are impossible. */
int uv_trap_steps(void);

/* A doorbell page was mapped (PROT_READ already). 0, or -errno if its stores will not be seen. */
int uv_trap_add(void *addr, struct uv_obj *uar);
/* The page was unmapped. */
void uv_trap_forget(struct uv_obj *uar);
/* Forgets all pages in the forked child. */
void uv_trap_reset(void);

/*
 * Handles the application's calls for the signals that we need. Returns true if it was one of them
 * and was handled (`*ret` is then the result of the call).
 */
bool uv_trap_sigaction(int sig, const struct sigaction *act, struct sigaction *old, int *ret);
/* Removes our signals from a mask that the application blocks. A blocked fault kills. */
void uv_trap_unblock(sigset_t *set);

#endif /* SOFTHCA_UVERBS_TRAP_H */
