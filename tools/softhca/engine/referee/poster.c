/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A doorbell record without a doorbell is either forgotten or only late. The driver writes one
 * directly after the other, but its thread may lose the processor in between, for a long time on a
 * loaded machine. The doorbell counts as late while some thread of the program may be between the
 * two writes. A thread is not between them if it was seen asleep (nothing sleeps there), or has
 * used enough processor time to be past. In trap mode a thread may also sleep inside of the store.
 * Each page counts such threads.
 */
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/thread/thread.h"

#include <sys/syscall.h>
#include <unistd.h>

#define THREADS 128u /* further threads count as past the two writes */

static struct {
	struct poster {
		pid_t tid;
		uint64_t ticks;	    /* processor time when it was last known to be past */
		uint64_t past_at;   /* and the time of that */
		uint64_t looked_at; /* to find threads that have ended */
	} posters[THREADS];
	unsigned nposters;
} the_referee;

static struct poster *find(pid_t tid)
{
	for (unsigned i = 0; i < the_referee.nposters; i++)
		if (the_referee.posters[i].tid == tid)
			return &the_referee.posters[i];
	if (the_referee.nposters == THREADS)
		return NULL;
	the_referee.posters[the_referee.nposters] = (struct poster){.tid = tid};
	return &the_referee.posters[the_referee.nposters++];
}

static void look_at(pid_t tid, uint64_t now)
{
	struct softhca_task task;
	struct poster *p;

	if (!softhca_task_look(tid, &task))
		return;
	p = find(tid);
	if (!p)
		return;
	/* It runs, waits for a page or is stopped, so it may be between the two writes. */
	if ((task.state != 'R' && task.state != 'D' && task.state != 'T' && task.state != 't') ||
	    (p->looked_at && task.ticks > p->ticks)) {
		p->ticks = task.ticks;
		p->past_at = now;
	} else if (!p->looked_at) {
		p->ticks = task.ticks;
	}
	p->looked_at = now;
}

void softhca_posters_look(uint64_t now)
{
	pid_t tids[THREADS];
	const unsigned n = softhca_task_list(tids, THREADS, (pid_t)syscall(SYS_gettid));

	for (unsigned i = 0; i < n; i++)
		look_at(tids[i], now);
	for (unsigned i = 0; i < the_referee.nposters;)
		if (the_referee.posters[i].looked_at != now)
			the_referee.posters[i] = the_referee.posters[--the_referee.nposters];
		else
			i++;
}

bool softhca_poster_under_way(const struct softhca_qp *qp, uint64_t since)
{
	if (qp->uar && __atomic_load_n(&qp->uar->storing, __ATOMIC_ACQUIRE))
		return true;
	for (unsigned i = 0; i < the_referee.nposters; i++)
		if (the_referee.posters[i].past_at <= since)
			return true;
	return false;
}
