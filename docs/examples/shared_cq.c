/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * shared_cq: two threads post to a queue pair each, and both poll one completion queue that has a
 * lock. Each takes the completions of both, and closes its own queue pair when it is done.
 *
 * When to use it: one place where all completions come in, as a pool of workers has it. What the
 * card must have: nothing. What to mind: a queue of its own for each thread is faster, and needs
 * none of this. Handlers run with the lock, so they are short.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>

#include "pair.h"
#include "segue/lock.h"

#define THREADS 2
#define WRITES	1000
#define BLOCK	64

static struct {
	uint8_t from[THREADS][BLOCK], to[THREADS][BLOCK];
} memory;

static struct pair pair;

struct poster {
	struct segue_qp *qp;
	struct segue_local_buf from;
	struct segue_remote_buf to;
	uint32_t done; /* written with the lock, by whichever thread polls */
};

static void count(const struct segue_wc *wc, void *arg)
{
	struct poster *poster = wc->context;

	(void)arg;
	must(wc->syndrome ? -1 : 0);
	__atomic_store_n(&poster->done, poster->done + 1, __ATOMIC_RELEASE);
}

/* Takes the completions of both threads. If the lock is taken, the other thread polls. */
static void poll(void)
{
	if (!segue_cq_trylock(pair.cq)) {
		sched_yield();
		return;
	}
	must(segue_cq_poll_each(pair.cq, 16, count, NULL));
	segue_cq_unlock(pair.cq);
}

/* Posts take no lock: the queue pair is split. */
static void *run(void *arg)
{
	struct poster *poster = arg;
	uint32_t posted = 0;

	while (posted < WRITES) {
		const int ret = segue_post(
			segue_sge_buf(segue_raddr_buf(segue_rdma_write(segue_qp_rc_sq(poster->qp),
								       posted, SEGUE_SIGNALED),
						      poster->to),
				      poster->from));

		if (ret != -ENOSPC) {
			must(ret);
			posted++;
		} else {
			poll();
		}
	}
	while (__atomic_load_n(&poster->done, __ATOMIC_ACQUIRE) < WRITES)
		poll();
	/* The other thread polls on while the device closes it. */
	segue_cq_lock(pair.cq);
	must(segue_qp_close(poster->qp));
	segue_cq_unlock(pair.cq);
	return NULL;
}

static void open_poster(struct poster *poster, uint32_t number)
{
	struct segue_qp_options options = pair_options(&pair);
	struct segue_path path;

	options.split = true;
	options.context = poster;
	must(segue_qp_open(pair.pd, &options, &poster->qp));
	path = path_here(&pair, segue_qp_number(poster->qp)); /* to itself */
	path.sq_psn = path.rq_psn = 1000 * (number + 1);
	must(segue_qp_connect(poster->qp, &path));
	must(segue_mr_local_buf(pair.mr, number * BLOCK, BLOCK, &poster->from));
	must(segue_mr_remote_buf(pair.mr, sizeof(memory.from) + number * BLOCK, BLOCK,
				 &poster->to));
	memset(memory.from[number], 0x50 + (int)number, BLOCK);
}

int main(void)
{
	static struct poster posters[THREADS];
	pthread_t threads[THREADS];

	pair_begin(&pair, &memory, sizeof(memory));
	segue_cq_enable_lock(pair.cq); /* before anybody polls it */
	for (uint32_t i = 0; i < THREADS; i++)
		open_poster(&posters[i], i);
	for (uint32_t i = 0; i < THREADS; i++)
		if (pthread_create(&threads[i], NULL, run, &posters[i]))
			return 1;
	for (uint32_t i = 0; i < THREADS; i++)
		(void)pthread_join(threads[i], NULL);
	pair_close(&pair);
	if (memcmp(memory.from, memory.to, sizeof(memory.to)) != 0) {
		fprintf(stderr, "A block is not where it was to be.\n");
		return 1;
	}
	printf("%d threads, %d WRITEs each, one completion queue\n", THREADS, WRITES);
	return 0;
}
