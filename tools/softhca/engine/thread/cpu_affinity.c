/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Separation of two processes on one processor. Processes that exchange packets by turns never both
 * want to run for long. So a scheduler sees no reason to part them once they are on one processor,
 * where each packet costs a sleep and a wake-up. The scheduler of a virtual machine may not even
 * use an idle processor for a wake-up. The process that notices this, while some processor is idle,
 * moves to another one. The processors that a thread may use stay as the program has set them.
 */
#include "thread.h"
#include "tools/softhca/engine/wire/wire.h"

#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOKS	   4
#define LOOK_NS	   UINT64_C(200000)
#define PAUSE_NS   UINT64_C(20000000)
#define PAUSE_MOST UINT64_C(320000000)

/*
 * Called directly after a packet was sent to the process on this processor, which therefore is
 * among those that want to run. One processor is enough for the two. If no more threads want to run
 * than there are processors, one processor is idle.
 */
bool softhca_apart_now(struct softhca_apart *a, uint64_t now, unsigned runnable,
		       unsigned processors)
{
	if (processors < 2 || runnable > processors) {
		a->looks = 0;
		a->pause_ns = !a->pause_ns		 ? PAUSE_NS
			      : a->pause_ns < PAUSE_MOST ? 2 * a->pause_ns
							 : PAUSE_MOST;
		a->next_ns = now + a->pause_ns;
		return false;
	}
	a->next_ns = now + LOOK_NS;
	if (++a->looks < LOOKS)
		return false;
	*a = (struct softhca_apart){.next_ns = now + PAUSE_NS};
	return true;
}

/* Number of threads on the whole machine that run or want to. A large number if it is unknown. */
static unsigned runnable(void)
{
	char text[128], *p = text;
	const int fd = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
	const ssize_t len = fd < 0 ? -1 : read(fd, text, sizeof(text) - 1);

	if (fd >= 0)
		close(fd);
	text[len > 0 ? len : 0] = '\0';
	for (int field = 0; p && field < 3; field++) {
		p = strchr(p, ' ');
		p += p != NULL;
	}
	return p ? (unsigned)strtoul(p, NULL, 10) : UINT32_MAX;
}

bool softhca_apart_move(void)
{
	cpu_set_t allowed, others;
	const int cpu = sched_getcpu();

	if (cpu < 0 || sched_getaffinity(0, sizeof(allowed), &allowed))
		return false;
	others = allowed;
	CPU_CLR(cpu, &others);
	/* The program may run where it could before. It was only moved, and may move again. */
	return CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others) &&
	       !sched_setaffinity(0, sizeof(allowed), &allowed);
}

/* Moves the caller to an idle processor, if there is one. Checks rarely. */
static bool stand_apart(uint64_t now, bool thread_awake)
{
	unsigned want = 0;
	cpu_set_t allowed;

	if (now < the_thread.apart.next_ns)
		return false;
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		CPU_ZERO(&allowed);
	if (CPU_COUNT(&allowed) > 1)
		want = runnable();
	want -= thread_awake && want > 1 && want < UINT32_MAX;
	return softhca_apart_now(&the_thread.apart, now, want, (unsigned)CPU_COUNT(&allowed)) &&
	       softhca_apart_move();
}

bool softhca_shares_cpu(bool thread_awake)
{
	if (!softhca_wire_shares_cpu(sched_getcpu()))
		return false;
	/* The other threads see at once that it has moved, or they would move too. */
	return !stand_apart(softhca_now_ns(), thread_awake) ||
	       softhca_wire_shares_cpu(sched_getcpu());
}
