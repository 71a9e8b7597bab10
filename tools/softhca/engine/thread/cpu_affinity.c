/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Two processes that exchange packets by turns never both want to run for long. So a scheduler sees
 * no reason to part them once they are on one processor, where each packet costs a sleep and a
 * wake-up, and that of a virtual machine may not even count an idle processor as one to wake
 * somebody up on. Whoever notices that, while some processor has nothing to do, moves to another
 * one. The processors that a thread may use stay as the program has set them.
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
 * Asked right after a packet was sent to the one who shares the processor, who therefore is among
 * those who want to run: one processor is enough for the two of us, and as long as no more want to
 * run than there are processors, one has nothing to do.
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

/* Threads of the whole machine that run or want to; many, if nobody says. */
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
	/* The program may run where it might before; it is moved, and may be moved again. */
	return CPU_COUNT(&others) && !sched_setaffinity(0, sizeof(others), &others) &&
	       !sched_setaffinity(0, sizeof(allowed), &allowed);
}

/* Moves the caller to another processor, if one has nothing to do. Seldom looks. */
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
	/* If it has moved, the others know it at once, or they would do the same. */
	return !stand_apart(softhca_now_ns(), thread_awake) ||
	       softhca_wire_shares_cpu(sched_getcpu());
}
