/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by the files that let the device thread run often enough: thread.c, crowd.c, priority.c.
 */
#ifndef SOFTHCA_THREAD_H
#define SOFTHCA_THREAD_H

#include "tools/softhca/engine/internal.h"

#include <sys/types.h>

/* One thread of this process. */
struct softhca_task {
	pid_t tid;
	char state;	/* R: has or wants a processor; S: sleeps; ... as in proc(5) */
	uint64_t ticks; /* processor time used so far, usually in 10 ms */
	int cpu;	/* that it runs on or ran on last */
};
/* softhca_task_look: false if there is no such thread. */
bool softhca_task_look(pid_t tid, struct softhca_task *task);
/* softhca_task_list: up to `max` threads, without `except`; how many. */
unsigned softhca_task_list(pid_t *tids, unsigned max, pid_t except);

/* softhca_crowded: do more threads want a processor than there are? Cheap; the thread asks often.
 */
bool softhca_crowded(uint64_t now);
/* softhca_crowd_slept: a sleep without a reason to end early took so much longer than asked for. */
void softhca_crowd_slept(uint64_t now, uint64_t too_long);

/* softhca_priority_start: called by the device thread once, first. */
void softhca_priority_start(void);
/*
 * softhca_priority_crowded: called by the device thread while processors are short: puts itself
 * ahead of the program's threads and beside the one that spins.
 */
void softhca_priority_crowded(uint64_t now);
/* softhca_priority_ahead: is the device thread's nice value below the program's by now? */
bool softhca_priority_ahead(void);
/* softhca_priority_free: there are processors enough again. */
void softhca_priority_free(void);

#endif
