/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A device thread among programs that spin, on too few processors. It needs little, but it needs it
 * at once: each time it wakes up the scheduler must find it entitled to a processor that a program
 * is busy polling on.
 *
 * - Short slices: of two that are entitled, the one with the shorter slice goes first.
 * - A lower nice value than the program's: then what the thread used so far rarely counts against
 *   it. With the privilege it lowers its own; without, it raises those of the program's threads.
 * - Beside the program: two spinning programs and two device threads that mostly sleep look
 *   balanced to the kernel with both programs on one processor, where they take turns of
 *   milliseconds. So the device thread stays on the processor its program spins on.
 */
#include "thread.h"

#include <errno.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define SLICE_NS    100000u
#define OWN_NICE    (-10)
#define AHEAD	    5		      /* nice levels: three times the weight */
#define LOOK_NS	    UINT64_C(1000000) /* until it is known that the program spins */
#define FOLLOW_NS   UINT64_C(4000000) /* then */
#define IN_A_ROW    8		      /* a thread that wants a processor so often in a row spins */
#define RENICE_NS   UINT64_C(500000000) /* the program may have started threads */
#define MAX_THREADS 256u
#define FEW_THREADS 16u /* looked at for one that spins */

static bool keep_nice;
static struct {
	pid_t self, beside;
	int nice;	 /* as it was at first */
	bool low, ahead; /* our own nice value was lowered; it is below the program's */
	unsigned in_a_row;
	bool pinned;
	int cpu;
	cpu_set_t home;
	uint64_t next_look, next_renice;
} me;

void softhca_thread_keep_nice(bool keep)
{
	keep_nice = keep;
}

/* Linux 6.12 and later; older kernels ignore it. */
static void ask_for_short_slices(void)
{
	struct {
		uint32_t size, policy;
		uint64_t flags;
		int32_t nice;
		uint32_t priority;
		uint64_t runtime, deadline, period;
	} attr = {0};

	if (syscall(SYS_sched_getattr, 0, &attr, sizeof(attr), 0) || attr.policy != SCHED_OTHER)
		return;
	attr.size = sizeof(attr);
	attr.runtime = SLICE_NS;
	if (syscall(SYS_sched_setattr, 0, &attr, 0))
		return; /* only slower */
}

void softhca_priority_start(void)
{
	me.self = (pid_t)syscall(SYS_gettid);
	me.nice = getpriority(PRIO_PROCESS, 0);
	me.beside = 0;
	me.in_a_row = 0;
	me.low = me.ahead = me.pinned = false;
	me.next_look = me.next_renice = 0;
	prctl(PR_SET_TIMERSLACK, 1);
	ask_for_short_slices();
}

/* ---- ahead of the program ---- */

static bool renice_program(void)
{
	const int least = getpriority(PRIO_PROCESS, 0) + AHEAD;
	pid_t tids[MAX_THREADS];
	const unsigned n = softhca_task_list(tids, MAX_THREADS, me.self);
	bool all = n < MAX_THREADS;

	for (unsigned i = 0; i < n; i++) {
		int nice;

		errno = 0;
		nice = getpriority(PRIO_PROCESS, (id_t)tids[i]);
		if (!errno && nice < least && setpriority(PRIO_PROCESS, (id_t)tids[i], least))
			all = false;
	}
	return all;
}

static void get_ahead(uint64_t now)
{
	if (keep_nice || me.low || now < me.next_renice)
		return; /* as it was */
	me.next_renice = now + RENICE_NS;
	me.low = !setpriority(PRIO_PROCESS, 0, OWN_NICE);
	me.ahead = me.low || renice_program();
}

bool softhca_priority_ahead(void)
{
	return me.ahead;
}

/* ---- beside the program ---- */

/* The processor on which a thread of ours spins, or -1 if it does not want one. */
static int cpu_of(pid_t tid)
{
	struct softhca_task task;

	return softhca_task_look(tid, &task) && task.state == 'R' ? task.cpu : -1;
}

static int cpu_of_program(void)
{
	int cpu = me.beside ? cpu_of(me.beside) : -1;
	pid_t tids[FEW_THREADS];
	unsigned n;

	me.in_a_row++;
	if (cpu >= 0)
		return cpu;
	me.beside = 0;
	me.in_a_row = 0;
	n = softhca_task_list(tids, FEW_THREADS, me.self);
	for (unsigned i = 0; i < n && cpu < 0; i++) {
		cpu = cpu_of(tids[i]);
		if (cpu >= 0)
			me.beside = tids[i];
	}
	return cpu;
}

static void move_to(int cpu)
{
	cpu_set_t set;

	if (cpu >= CPU_SETSIZE || (me.pinned && cpu == me.cpu))
		return;
	if (!me.pinned && sched_getaffinity(0, sizeof(me.home), &me.home))
		return;
	CPU_ZERO(&set);
	CPU_SET(cpu, &set);
	me.pinned = !sched_setaffinity(0, sizeof(set), &set) || me.pinned;
	me.cpu = cpu;
}

/* Ahead of a program that sleeps and wakes up the thread would only be in its way. */
void softhca_priority_free(void)
{
	if (me.pinned)
		sched_setaffinity(0, sizeof(me.home), &me.home);
	if (me.low)
		setpriority(PRIO_PROCESS, 0, me.nice);
	me.pinned = me.low = me.ahead = false;
	me.next_renice = 0;
}

void softhca_priority_crowded(uint64_t now)
{
	int cpu;

	if (now < me.next_look)
		return;
	cpu = cpu_of_program();
	if (cpu >= 0 && me.in_a_row >= IN_A_ROW) {
		me.next_look = now + FOLLOW_NS;
		get_ahead(now);
		move_to(cpu);
	} else {
		me.next_look = now + LOOK_NS;
		softhca_priority_free();
	}
}
