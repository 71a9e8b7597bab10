/* SPDX-License-Identifier: BSD-2-Clause */
/* The threads of this process, and other processes, as /proc shows them. */
#ifndef SOFTHCA_PROC_TASK_H
#define SOFTHCA_PROC_TASK_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* One thread of this process. */
struct softhca_task {
	pid_t tid;
	char state;	/* R: has or wants a processor. S: sleeps. Others as in proc(5) */
	uint64_t ticks; /* processor time used so far, usually in 10 ms */
	int cpu;	/* the processor that it runs on, or last ran on */
};
/* softhca_task_look: false if there is no such thread. */
bool softhca_task_look(pid_t tid, struct softhca_task *task);
/* softhca_task_list: lists up to `max` threads, without `except`, and returns their number. */
unsigned softhca_task_list(pid_t *tids, unsigned max, pid_t except);

/* Facts about another process from the kernel. */
struct softhca_process {
	bool wants_cpu;	 /* a thread runs, waits for a processor, or for the disk */
	uint64_t had_ns; /* processor time used so far, in ticks of usually 10 ms */
};
/* softhca_process_look: false if there is no such process, or it cannot be seen from here. */
bool softhca_process_look(pid_t pid, struct softhca_process *process);

#endif
