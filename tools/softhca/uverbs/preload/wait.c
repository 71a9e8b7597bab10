/* SPDX-License-Identifier: BSD-2-Clause */
/* poll() is defined here, so it must not be inlined as well. */
#undef _FORTIFY_SOURCE
#include "tools/softhca/uverbs/preload/wait.h"

#include <poll.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/evq.h"
#include "tools/softhca/uverbs/preload/preload.h"

#define EXPORT	   __attribute__((visibility("default")))
/* A sleep and a wake-up cost as much. */
#define SPIN_NS	   UINT64_C(50000)
#define ASK_KERNEL 16 /* empty turns */
#define AMONG_OTHERS 4	/* calls for a turn, if several threads yield */
#define NAP_NS	   UINT64_C(500000)

bool uv_wait_turn(void)
{
	/* Sleeps at once, because a process on our processor can do nothing before we leave it. */
	return softhca_drive() > 0 || softhca_drive_nap(NAP_NS);
}

void uv_wait_rung(uint32_t qpn)
{
	softhca_drive_rung(qpn);
}

void uv_wait_armed(void)
{
	softhca_drive_armed();
}

static bool ready(struct pollfd *fds, unsigned long n)
{
	const struct timespec now = {0};

	return ppoll(fds, n, &now, NULL) != 0;
}

void uv_wait_readable(struct pollfd *fds, unsigned long n, int timeout_ms)
{
	uint64_t spin = SPIN_NS, pushed, end;
	bool ours = false;

	for (unsigned long i = 0; i < n && !ours; i++)
		ours = uv_evq_known(fds[i].fd);
	if (!ours || ready(fds, n))
		return;
	if ((timeout_ms >= 0 && (uint64_t)timeout_ms * 1000000 < spin) ||
	    softhca_drive_shares_cpu())
		spin = 0;
	end = softhca_now_ns() + spin;
	do {
		pushed = uv_evq_pushed();
		(void)softhca_drive();
		if (uv_evq_pushed() != pushed && ready(fds, n))
			return;
	} while (softhca_now_ns() < end);
	if (timeout_ms)
		softhca_drive_park();
}

/*
 * A program that yields has nothing to do, so this runs a turn of the device. The kernel is asked
 * only from time to time, because a system call costs more than a turn. If several threads yield,
 * perhaps to each other, the one that can go on needs the processor. Then most calls go to the
 * kernel, and no thread sleeps.
 */
EXPORT int sched_yield(void)
{
	static _Thread_local unsigned int empty __attribute__((tls_model("initial-exec")));

	if (!softhca_drive_on())
		return (int)syscall(SYS_sched_yield);
	if (softhca_drive_among_others()) {
		if (++empty % AMONG_OTHERS == 0)
			(void)softhca_drive();
		return (int)syscall(SYS_sched_yield);
	}
	if (uv_wait_turn() || ++empty % ASK_KERNEL)
		return 0;
	return (int)syscall(SYS_sched_yield);
}

EXPORT int poll(struct pollfd *fds, nfds_t n, int timeout)
{
	const struct timespec ts = {timeout / 1000, (long)(timeout % 1000) * 1000000};

	uv_wait_readable(fds, n, timeout);
	return ppoll(fds, n, timeout < 0 ? NULL : &ts, NULL);
}

EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room);
EXPORT int __poll_chk(struct pollfd *fds, nfds_t n, int timeout, size_t room)
{
	uv_fortify(n, room / sizeof(*fds));
	return poll(fds, n, timeout);
}
