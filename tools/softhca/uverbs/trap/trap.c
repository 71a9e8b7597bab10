/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Traps stores to doorbell pages. The pages are read-only, and the signal handler carries the store
 * out.
 */
#include "tools/softhca/uverbs/trap/trap.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/trap/memic.h"
#include "tools/softhca/uverbs/trap/store.h"
#include "tools/softhca/uverbs/uverbs.h"

#define EFLAGS_TF  0x100
#define FIRST_SIZE 256u /* a power of two */

/*
 * Pages that the application sees read-only. Signal handlers find them by address and without a
 * lock, in an open hash. Its entries are never removed. When it is half full, a larger one replaces
 * it, and it is never freed. A page that is gone has no `uar`.
 */
struct uv_trap_range {
	char *addr;
	struct softhca_uar *uar;
	struct uv_obj *owner; /* of the doorbell page, under the engine's lock like the next one */
	struct uv_trap_range *of_uar; /* next one of the same doorbell page */
};

struct uv_trap_table {
	uint32_t size, used;
	struct uv_trap_range *slot[];
};

/* Signals that we own, and the actions that the application has tried to install for them. */
static const int owned[UV_OWNED_SIGNALS] = {SIGSEGV, SIGBUS, SIGTRAP};
struct the_trap the_trap;

/* The page this thread has opened for one store. */
static __thread struct uv_trap_range *stepping __attribute__((tls_model("initial-exec")));
static __thread struct softhca_uar *stepping_uar __attribute__((tls_model("initial-exec")));
static __thread size_t stepping_offset __attribute__((tls_model("initial-exec")));

bool uv_trap_on(void)
{
	return the_trap.mode;
}

static char *page_of(const void *addr)
{
	return (char *)((uintptr_t)addr & ~(uintptr_t)(SOFTHCA_UAR_SIZE - 1));
}

/* Place of a page in the table, present or not. */
static struct uv_trap_range **slot_of(struct uv_trap_table *table, const char *page)
{
	uint32_t at = (uint32_t)((uintptr_t)page / SOFTHCA_UAR_SIZE * 2654435761u);
	struct uv_trap_range *r;

	for (;; at++) {
		r = __atomic_load_n(&table->slot[at & (table->size - 1)], __ATOMIC_ACQUIRE);
		if (!r || r->addr == page)
			return &table->slot[at & (table->size - 1)];
	}
}

static struct uv_trap_range *find_range(const void *addr)
{
	struct uv_trap_table *const table = __atomic_load_n(&the_trap.ranges, __ATOMIC_ACQUIRE);

	return table ? *slot_of(table, page_of(addr)) : NULL;
}

#if defined(__x86_64__)
/*
 * Most stores are carried out here, in the device's view of the page, which stays closed to the
 * program. That runs the device, for which an alternate stack is too small.
 */
static bool store_at_once(struct uv_trap_range *r, struct softhca_uar *uar, const void *addr,
			  ucontext_t *uc)
{
	const size_t offset = (size_t)((const char *)addr - r->addr);
	struct uv_store s;

	if (uc->uc_stack.ss_size || !uv_store_read(uc, &s) || s.addr != (uintptr_t)addr ||
	    offset + s.size > SOFTHCA_UAR_SIZE)
		return false;
	softhca_uar_store_begins(uar, offset);
	softhca_lock();
	if (r->uar == uar) {
		memcpy((char *)softhca_uar_page(uar) + offset, s.bytes, s.size);
		softhca_uar_scan_store(uar, offset);
		softhca_uar_store_ends(uar);
	}
	softhca_unlock();
	uc->uc_mcontext.gregs[REG_RIP] += (greg_t)s.length;
	return true;
}

static bool begin_step(void *addr, void *context)
{
	ucontext_t *uc = context;
	struct uv_trap_range *r = the_trap.mode ? find_range(addr) : NULL;
	struct softhca_uar *uar = r ? __atomic_load_n(&r->uar, __ATOMIC_ACQUIRE) : NULL;

	if (uv_memic_begin(addr)) {
		uc->uc_mcontext.gregs[REG_EFL] |= EFLAGS_TF;
		return true;
	}
	if (!uar)
		return false;
	if (store_at_once(r, uar, addr, uc))
		return true;
	stepping_offset = (size_t)((char *)addr - r->addr);
	softhca_uar_store_begins(uar, stepping_offset);
	if (mprotect(r->addr, SOFTHCA_UAR_SIZE, PROT_READ | PROT_WRITE)) {
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
	struct uv_trap_range *r = stepping;
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
	 * Close first, then scan. A store of another thread while the page is open is found by this
	 * scan. A later store faults.
	 */
	(void)mprotect(r->addr, SOFTHCA_UAR_SIZE, PROT_READ);
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

	for (size_t i = 0; i < UV_OWNED_SIGNALS; i++)
		if (owned[i] == sig)
			act = the_trap.app_action[i];
	if (act.sa_flags & SA_SIGINFO || (act.sa_handler != SIG_DFL && act.sa_handler != SIG_IGN)) {
		/* Ours may be interrupted by themselves, theirs as the program requested. */
		if (!(act.sa_flags & SA_NODEFER)) {
			sigset_t mine;

			sigemptyset(&mine);
			sigaddset(&mine, sig);
			(void)uv_libc()->pthread_sigmask(SIG_BLOCK, &mine, NULL);
		}
		if (act.sa_flags & SA_SIGINFO)
			act.sa_sigaction(sig, info, context);
		else
			act.sa_handler(sig);
		return;
	}
	if (act.sa_handler == SIG_IGN && info->si_code <= 0)
		return; /* sent by kill(), not a fault */
	/* The default action at the faulting instruction, so that the core dump is right. */
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
	 * The device runs in the handlers and needs a real stack. SIGSEGV may be a stack overflow
	 * that the application handles on its alternate stack. If the application has one, that
	 * signal does little, and SIGTRAP the rest. The device detects unmapped memory by faults,
	 * so SIGSEGV stays unblocked.
	 */
	act.sa_flags = SA_SIGINFO | SA_RESTART | (sig == SIGTRAP ? 0 : SA_ONSTACK | SA_NODEFER);
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

	the_trap.mode = trap;
	pthread_mutex_lock(&the_trap.action_lock);
	for (size_t i = 0; i < UV_OWNED_SIGNALS && !err && !the_trap.installed; i++) {
		if (owned[i] == SIGTRAP && !trap)
			continue; /* a debugger's signal, which is left alone */
		err = install(owned[i], &the_trap.app_action[i]);
	}
	if (!err)
		the_trap.installed = true;
	the_trap.steps = trap;
	pthread_mutex_unlock(&the_trap.action_lock);
	if (!err)
		softhca_copy_owner(owner.opaque);
	return err;
}

int uv_trap_steps(void)
{
	int err = 0;

	if (!UV_TRAPS)
		return -EOPNOTSUPP;
	pthread_mutex_lock(&the_trap.action_lock);
	for (size_t i = 0; i < UV_OWNED_SIGNALS && !the_trap.steps; i++)
		if (owned[i] == SIGTRAP)
			err = install(SIGTRAP, &the_trap.app_action[i]);
	if (!err)
		__atomic_store_n(&the_trap.steps, true, __ATOMIC_RELEASE);
	pthread_mutex_unlock(&the_trap.action_lock);
	return err;
}

bool uv_trap_sigaction(int sig, const struct sigaction *act, struct sigaction *old, int *ret)
{
	bool ours = false;

	if (!__atomic_load_n(&the_trap.installed, __ATOMIC_ACQUIRE) ||
	    (sig == SIGTRAP && !__atomic_load_n(&the_trap.steps, __ATOMIC_ACQUIRE)))
		return false;
	pthread_mutex_lock(&the_trap.action_lock);
	for (size_t i = 0; i < UV_OWNED_SIGNALS; i++) {
		struct sigaction before = the_trap.app_action[i];

		if (owned[i] != sig)
			continue;
		if (act)
			the_trap.app_action[i] = *act;
		if (old)
			*old = before;
		ours = true;
		*ret = 0;
	}
	pthread_mutex_unlock(&the_trap.action_lock);
	return ours;
}

void uv_trap_unblock(sigset_t *set)
{
	if (!__atomic_load_n(&the_trap.steps, __ATOMIC_ACQUIRE))
		return;
	sigdelset(set, SIGSEGV);
	sigdelset(set, SIGTRAP);
}

/* Makes room for one more: 0 or -ENOMEM. Called with the lock. Readers may use the old table. */
static int make_room(void)
{
	struct uv_trap_table *const old = the_trap.ranges;
	const uint32_t size = old ? old->size * 2 : FIRST_SIZE;
	struct uv_trap_table *table;

	if (old && old->used < old->size / 2)
		return 0;
	table = calloc(1, sizeof(*table) + size * sizeof(table->slot[0]));
	if (!table)
		return -ENOMEM;
	table->size = size;
	for (uint32_t i = 0; old && i < old->size; i++)
		if (old->slot[i])
			*slot_of(table, old->slot[i]->addr) = old->slot[i];
	table->used = old ? old->used : 0;
	__atomic_store_n(&the_trap.ranges, table, __ATOMIC_RELEASE);
	return 0;
}

static struct uv_trap_range *new_range(char *page)
{
	struct uv_trap_range *r;

	if (make_room())
		return NULL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return NULL;
	r->addr = page;
	__atomic_store_n(slot_of(the_trap.ranges, page), r, __ATOMIC_RELEASE);
	the_trap.ranges->used++;
	return r;
}

int uv_trap_add(void *addr, struct uv_obj *uar)
{
	struct uv_trap_range *r = find_range(addr);

	if (!r)
		r = new_range(page_of(addr));
	if (!r)
		return -ENOMEM;
	/* The same address for another page. The former one was unmapped without our knowledge. */
	for (struct uv_trap_range **p = r->owner ? &r->owner->u.uar.traps : NULL; p && *p;
	     p = &(*p)->of_uar)
		if (*p == r) {
			*p = r->of_uar;
			break;
		}
	r->owner = uar;
	r->of_uar = uar->u.uar.traps;
	uar->u.uar.traps = r;
	__atomic_store_n(&r->uar, uar->hw, __ATOMIC_RELEASE);
	return 0;
}

void uv_trap_forget(struct uv_obj *uar)
{
	for (struct uv_trap_range *r = uar->u.uar.traps; r; r = r->of_uar) {
		__atomic_store_n(&r->uar, NULL, __ATOMIC_RELEASE);
		r->owner = NULL;
	}
	uar->u.uar.traps = NULL;
}

void uv_trap_reset(void)
{
	the_trap.ranges = NULL; /* the parent's */
	stepping = NULL;
	uv_memic_fork_child();
}
