/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies from and to memory of the application, which may vanish at any time.
 *
 * Real hardware has pinned pages. The engine has only pointers of the application. A copy therefore
 * runs in a few instructions at known addresses, so that a signal handler can turn a fault in them
 * into an error (as the kernel does for copy_from_user). The routine is assembly, also because
 * ThreadSanitizer must not see the device's "DMA" as a data race. If the SIGSEGV handler does not
 * know the engine, or the thread blocks the signal, the kernel copies (copy_kernel.c).
 */
#include "tools/softhca/engine/memory/mem.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define REFRESH_EVERY 256u /* turns */

typedef void (*handler_fn)(int, siginfo_t *, void *);

/* A fault in a thread that blocks the signal kills it. Many worker threads block it. */
static _Thread_local bool blocked __attribute__((tls_model("initial-exec")));
static _Thread_local bool never_blocks __attribute__((tls_model("initial-exec")));
/* Last signal change that this thread has seen. UINT32_MAX: none yet. */
static _Thread_local unsigned int seen_changes = UINT32_MAX, skipped;

#if defined(__x86_64__)
/* Loads and stores of up to 8 bytes are single instructions, so a doorbell record is never torn. */
__asm__(".text\n"
	".p2align 4\n"
	".hidden softhca_copy_begin\n"
	".hidden softhca_copy_end\n"
	".hidden softhca_copy_fault\n"
	".hidden softhca_copy_asm\n"
	".globl softhca_copy_asm, softhca_copy_begin, softhca_copy_end, softhca_copy_fault\n"
	".type softhca_copy_asm, @function\n"
	"softhca_copy_asm:\n"
	"softhca_copy_begin:\n"
	"	cmpq $512, %rdx\n"
	"	jae 3f\n"
	"1:	cmpq $8, %rdx\n"
	"	jb 2f\n"
	"	movq (%rsi), %rax\n"
	"	movq %rax, (%rdi)\n"
	"	addq $8, %rsi\n"
	"	addq $8, %rdi\n"
	"	subq $8, %rdx\n"
	"	jmp 1b\n"
	"2:	testq $4, %rdx\n"
	"	jz 4f\n"
	"	movl (%rsi), %eax\n"
	"	movl %eax, (%rdi)\n"
	"	addq $4, %rsi\n"
	"	addq $4, %rdi\n"
	"	subq $4, %rdx\n"
	"4:	testq %rdx, %rdx\n"
	"	jz 5f\n"
	"3:	movq %rdx, %rcx\n"
	"	rep movsb\n"
	"softhca_copy_end:\n"
	"5:	xorl %eax, %eax\n"
	"	ret\n"
	"softhca_copy_fault:\n"
	"	movl $-14, %eax\n"
	"	ret\n"
	".size softhca_copy_asm, . - softhca_copy_asm\n");

int softhca_copy_asm(void *dst, const void *src, size_t len);
extern const char softhca_copy_begin[], softhca_copy_end[], softhca_copy_fault[];

bool softhca_copy_fixup(void *ucontext)
{
	ucontext_t *uc = ucontext;
	uintptr_t ip = (uintptr_t)uc->uc_mcontext.gregs[REG_RIP];

	if (ip < (uintptr_t)softhca_copy_begin || ip >= (uintptr_t)softhca_copy_end)
		return false;
	uc->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)softhca_copy_fault;
	return true;
}
#else
/* Other processors have no fast routine yet. Every copy is a system call. */
static int softhca_copy_asm(void *dst, const void *src, size_t len)
{
	(void)dst, (void)src, (void)len;
	return -EFAULT;
}

bool softhca_copy_fixup(void *ucontext)
{
	(void)ucontext;
	return false;
}
#define SOFTHCA_NO_FAST_COPY 1
#endif

static void chain(int sig, siginfo_t *info, void *uc)
{
	const struct sigaction *old = sig == SIGSEGV ? &the_memory.old_segv : &the_memory.old_bus;

	if (old->sa_flags & SA_SIGINFO) {
		old->sa_sigaction(sig, info, uc);
	} else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
		old->sa_handler(sig);
	} else {
		/* Restores the default, so that the repeated instruction faults again. */
		signal(sig, SIG_DFL);
	}
}

static void on_fault(int sig, siginfo_t *info, void *uc)
{
	if (!softhca_copy_fixup(uc))
		chain(sig, info, uc);
}

static void own_handler(int sig, void *info, void *uc)
{
	on_fault(sig, info, uc);
}

void softhca_copy_owner(void (*handler)(int, void *, void *))
{
	for (int i = 0; i < the_memory.nowners; i++)
		if (the_memory.owners[i] == handler)
			return;
	if (the_memory.nowners < SOFTHCA_COPY_OWNERS)
		the_memory.owners[the_memory.nowners++] = handler;
	softhca_copy_refresh();
}

int softhca_copy_install(void)
{
	struct sigaction sa, cur;

	if (sigaction(SIGSEGV, NULL, &cur))
		return -errno;
	if (cur.sa_flags & SA_SIGINFO &&
	    cur.sa_sigaction == (handler_fn)(void (*)(void))own_handler)
		return 0;
	memset(&sa, 0, sizeof(sa));
	sa.sa_sigaction = (handler_fn)(void (*)(void))own_handler;
	sa.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
	sigemptyset(&sa.sa_mask);
	softhca_copy_owner(own_handler);
	if (sigaction(SIGBUS, &sa, &the_memory.old_bus) ||
	    sigaction(SIGSEGV, &sa, &the_memory.old_segv))
		return -errno;
	softhca_copy_refresh();
	return 0;
}

void softhca_copy_never_blocks(void)
{
	never_blocks = true;
}

#ifndef SOFTHCA_NO_FAST_COPY
static bool is_blocked(void)
{
	const uint64_t mine = UINT64_C(1) << (SIGSEGV - 1) | UINT64_C(1) << (SIGBUS - 1);
	uint64_t mask = 0;

	return !never_blocks &&
	       !syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, &mask, sizeof(mask)) && mask & mine;
}
#endif

/*
 * Asks the kernel itself, because sigaction() may be interposed (as by our own front) and would
 * then return the application's handler. The kernel's struct begins with handler and flags.
 */
void softhca_copy_refresh(void)
{
#ifndef SOFTHCA_NO_FAST_COPY
	struct {
		void (*handler)(void);
		unsigned long flags;
		void *restorer;
		uint64_t mask;
	} cur = {0};
	bool ok = false;

	if (the_memory.nowners && !syscall(SYS_rt_sigaction, SIGSEGV, NULL, &cur, sizeof(cur.mask)))
		for (int i = 0; i < the_memory.nowners; i++)
			ok |= (void (*)(void))the_memory.owners[i] == cur.handler;
	__atomic_store_n(&the_memory.fast, ok, __ATOMIC_RELAXED);
	blocked = ok && is_blocked();
#endif
}

void softhca_copy_changed(void)
{
	__atomic_fetch_add(&the_memory.changes, 1, __ATOMIC_RELAXED);
}

/* Changes that were not seen are noticed a little later. */
void softhca_copy_refresh_soon(void)
{
	const unsigned int now = __atomic_load_n(&the_memory.changes, __ATOMIC_RELAXED);

	if (seen_changes == now && ++skipped < REFRESH_EVERY)
		return;
	seen_changes = now;
	skipped = 0;
	softhca_copy_refresh();
}

/* Returns whether a fault would come to the engine's handler. */
static bool may_fault(void)
{
	return __atomic_load_n(&the_memory.fast, __ATOMIC_RELAXED) && !blocked;
}

int softhca_copy_in(void *dst, uint64_t va, size_t len)
{
	if (!len)
		return 0;
	if (may_fault())
		return softhca_copy_asm(dst, (const void *)(uintptr_t)va, len);
	return softhca_copy_by_kernel(va, dst, len, true);
}

int softhca_copy_out(uint64_t va, const void *src, size_t len)
{
	union {
		const void *in;
		void *out;
	} u = {src};

	if (!len)
		return 0;
	if (may_fault())
		return softhca_copy_asm((void *)(uintptr_t)va, src, len);
	return softhca_copy_by_kernel(va, u.out, len, false);
}
