/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Trap mode, and the fault signals in both modes.
 *
 * In trap mode the application's view of a doorbell page is read-only. A store faults; the handler
 * carries it out in the device's view of the page (store.h), or opens the page, lets the one
 * instruction run in single step and closes the page, and runs the device in the storing thread.
 * Every store is seen, in order, with no polling.
 */
#ifndef SOFTHCA_UVERBS_TRAP_H
#define SOFTHCA_UVERBS_TRAP_H

#include <signal.h>
#include <stdbool.h>

struct uv_obj;

/* Whether the processor carries out single steps. */
#if defined(__x86_64__)
#define UV_TRAPS true
#else
#define UV_TRAPS false
#endif

/* Installs the fault handlers. Returns 0 or a negative errno. */
int uv_trap_init(bool trap);
bool uv_trap_on(void);
/* Single steps are needed, also without trap mode: 0, or a negative errno if they cannot be had. */
int uv_trap_steps(void);

/* A doorbell page was mapped (PROT_READ already): 0, or -errno if its stores will go unseen. */
int uv_trap_add(void *addr, struct uv_obj *uar);
/* The page is gone. */
void uv_trap_forget(struct uv_obj *uar);
/* The forked child has none. */
void uv_trap_reset(void);

/*
 * What the application does with the signals that we need. Returns true if it was about one of
 * them and was handled (`*ret` is then the result of the call).
 */
bool uv_trap_sigaction(int sig, const struct sigaction *act, struct sigaction *old, int *ret);
/* Removes our signals from a mask the application wants to block: a blocked fault kills. */
void uv_trap_unblock(sigset_t *set);

#endif /* SOFTHCA_UVERBS_TRAP_H */
