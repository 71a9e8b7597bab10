/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/preload/trap.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/file/memic.h"

#define MAX_RANGES 4096
#define EFLAGS_TF  0x100

/* Read in signal handlers: slots are published by `uar`, last on the way in, first on the way out.
 */
struct range {
	char *addr;
	size_t len;
	struct softhca_uar *uar;
};

static struct range ranges[MAX_RANGES];
static unsigned int num_ranges;
static bool trap_mode;
static bool steps; /* SIGTRAP is ours, too */

/* The signals we own, and what the application believes to have installed for them. */
static const int owned[] = {SIGSEGV, SIGBUS, SIGTRAP};
#define NUM_OWNED (sizeof(owned) / sizeof(owned[0]))
static struct sigaction app_action[NUM_OWNED];
static pthread_mutex_t action_lock = PTHREAD_MUTEX_INITIALIZER;
static bool installed;

/* The page this thread has opened for one store. */
static __thread struct range *stepping __attribute__((tls_model("initial-exec")));
static __thread struct softhca_uar *stepping_uar __attribute__((tls_model("initial-exec")));
static __thread size_t stepping_offset __attribute__((tls_model("initial-exec")));

bool uv_trap_on(void)
{
	return trap_mode;
}

static struct range *find_range(const void *addr)
{
	unsigned int n = __atomic_load_n(&num_ranges, __ATOMIC_ACQUIRE);
	const char *at = addr;

	for (unsigned int i = 0; i < n; i++) {
		struct range *r = &ranges[i];

		if (__atomic_load_n(&r->uar, __ATOMIC_ACQUIRE) && at >= r->addr &&
		    at < r->addr + r->len)
			return r;
	}
	return NULL;
}

#if defined(__x86_64__)
static bool begin_step(void *addr, void *context)
{
	ucontext_t *uc = context;
	struct range *r = trap_mode ? find_range(addr) : NULL;
	struct softhca_uar *uar = r ? __atomic_load_n(&r->uar, __ATOMIC_ACQUIRE) : NULL;

	if (uv_memic_begin(addr)) {
		uc->uc_mcontext.gregs[REG_EFL] |= EFLAGS_TF;
		return true;
	}
	if (!uar)
		return false;
	stepping_offset = (size_t)((char *)addr - r->addr);
	softhca_uar_store_begins(uar, stepping_offset);
	if (mprotect(r->addr, r->len, PROT_READ | PROT_WRITE)) {
		softhca_uar_store_ends(uar);
		return false;
	}
	stepping = r;
	stepping_uar = uar;
	uc->uc_mcontext.gregs[REG_EFL] |= EFLAGS_TF;
	return true;
}

static bool end_step(void *context)
{
	ucontext_t *uc = context;
	struct range *r = stepping;
	struct softhca_uar *uar;

	if (uv_memic_end()) {
		uc->uc_mcontext.gregs[REG_EFL] &= ~EFLAGS_TF;
		return true;
	}
	if (!r)
		return false;
	stepping = NULL;
	uc->uc_mcontext.gregs[REG_EFL] &= ~EFLAGS_TF;
	/*
	 * Close first, then look: a store that another thread slips in while the page is open is
	 * found by this scan, one that comes later faults.
	 */
	(void)mprotect(r->addr, r->len, PROT_READ);
	softhca_lock();
	uar = r->uar;
	if (uar)
		softhca_uar_scan_store(uar, stepping_offset);
	if (uar && uar == stepping_uar)
		softhca_uar_store_ends(uar);
	softhca_unlock();
	return true;
}
#else
static bool begin_step(void *addr, void *context)
{
	(void)addr;
	(void)context;
	return false;
}

static bool end_step(void *context)
{
	(void)context;
	return false;
}
#endif

static void chain(int sig, siginfo_t *info, void *context)
{
	struct sigaction act = {.sa_handler = SIG_DFL};

	for (size_t i = 0; i < NUM_OWNED; i++)
		if (owned[i] == sig)
			act = app_action[i];
	if (act.sa_flags & SA_SIGINFO) {
		act.sa_sigaction(sig, info, context);
		return;
	}
	if (act.sa_handler != SIG_DFL && act.sa_handler != SIG_IGN) {
		act.sa_handler(sig);
		return;
	}
	if (act.sa_handler == SIG_IGN && info->si_code <= 0)
		return; /* sent by kill(), not a fault */
	/* The default action, at the faulting instruction, so that the core dump is right. */
	act.sa_handler = SIG_DFL;
	act.sa_flags = 0;
	sigemptyset(&act.sa_mask);
	(void)uv_libc()->sigaction(sig, &act, NULL);
	if (info->si_code <= 0)
		(void)raise(sig);
}

static void handler(int sig, siginfo_t *info, void *context)
{
	int saved = errno;
	bool done = false;

	if (sig == SIGTRAP)
		done = end_step(context);
	else if (softhca_copy_fixup(context))
		done = true;
	else if (sig == SIGSEGV && info->si_code > 0)
		done = begin_step(info->si_addr, context);
	errno = saved;
	if (!done)
		chain(sig, info, context);
}

static int install(int sig, struct sigaction *old)
{
	struct sigaction act;

	memset(&act, 0, sizeof(act));
	act.sa_sigaction = handler;
	/*
	 * The device runs in the SIGTRAP handler and needs a real stack. SIGSEGV may be a stack
	 * overflow that the application handles on its alternate one, and it does little.
	 */
	act.sa_flags = SA_SIGINFO | SA_RESTART | (sig == SIGTRAP ? 0 : SA_ONSTACK);
	sigemptyset(&act.sa_mask);
	return uv_libc()->sigaction(sig, &act, old) ? -errno : 0;
}

int uv_trap_init(bool trap)
{
	union {
		void (*handler)(int, siginfo_t *, void *);
		void (*opaque)(int, void *, void *);
	} owner = {.handler = handler};
	int err = 0;

	trap_mode = trap;
	pthread_mutex_lock(&action_lock);
	for (size_t i = 0; i < NUM_OWNED && !err && !installed; i++) {
		if (owned[i] == SIGTRAP && !trap)
			continue; /* a debugger's signal: leave it alone */
		err = install(owned[i], &app_action[i]);
	}
	if (!err)
		installed = true;
	steps = trap;
	pthread_mutex_unlock(&action_lock);
	if (!err)
		softhca_copy_owner(owner.opaque);
	return err;
}

int uv_trap_steps(void)
{
	int err = 0;

#if !defined(__x86_64__)
	return -EOPNOTSUPP;
#endif
	pthread_mutex_lock(&action_lock);
	for (size_t i = 0; i < NUM_OWNED && !steps; i++)
		if (owned[i] == SIGTRAP)
			err = install(SIGTRAP, &app_action[i]);
	if (!err)
		__atomic_store_n(&steps, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&action_lock);
	return err;
}

bool uv_trap_sigaction(int sig, const struct sigaction *act, struct sigaction *old, int *ret)
{
	bool ours = false;

	if (!__atomic_load_n(&installed, __ATOMIC_ACQUIRE) || (sig == SIGTRAP && !__atomic_load_n(&steps, __ATOMIC_ACQUIRE)))
		return false;
	pthread_mutex_lock(&action_lock);
	for (size_t i = 0; i < NUM_OWNED; i++) {
		struct sigaction before = app_action[i];

		if (owned[i] != sig)
			continue;
		if (act)
			app_action[i] = *act;
		if (old)
			*old = before;
		ours = true;
		*ret = 0;
	}
	pthread_mutex_unlock(&action_lock);
	return ours;
}

void uv_trap_unblock(sigset_t *set)
{
	if (!__atomic_load_n(&steps, __ATOMIC_ACQUIRE))
		return;
	sigdelset(set, SIGSEGV);
	sigdelset(set, SIGTRAP);
}

void uv_trap_add(void *addr, size_t len, struct softhca_uar *uar)
{
	unsigned int i;

	/* Under the engine's lock, so writers are alone; the handlers read without it. */
	for (i = 0; i < num_ranges; i++)
		if (!ranges[i].uar)
			break;
	if (i == MAX_RANGES)
		return;
	ranges[i].addr = addr;
	ranges[i].len = len;
	__atomic_store_n(&ranges[i].uar, uar, __ATOMIC_RELEASE);
	if (i == num_ranges)
		__atomic_store_n(&num_ranges, i + 1, __ATOMIC_RELEASE);
}

void uv_trap_forget(struct softhca_uar *uar)
{
	for (unsigned int i = 0; i < num_ranges; i++)
		if (ranges[i].uar == uar)
			__atomic_store_n(&ranges[i].uar, NULL, __ATOMIC_RELEASE);
}

void uv_trap_reset(void)
{
	num_ranges = 0;
	stepping = NULL;
	memset(ranges, 0, sizeof(ranges));
	uv_memic_fork_child();
}
