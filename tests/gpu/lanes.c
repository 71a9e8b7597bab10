/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads as lanes fill one queue, and a thread as the device reads it (lanes.h).
 *
 *	lanes ring|held|collapsed FIRST REQUESTS [FAIL]
 *
 * Counters start at FIRST. Each lane posts REQUESTS requests of one or two blocks. With FAIL the
 * device answers the request at FIRST + FAIL with an error and flushes all later ones. FAIL is less
 * than REQUESTS, because a lane that has posted all of its requests before sees no failure. Then
 * the queue is cleared, and everything is done once more. With `held`, a ring, a lane sleeps before
 * it publishes, as one does that the system does not run. The last line says what was wrong.
 */
#include <pthread.h>
#include <time.h>

static void lane_pause(void);
static void device_pause(void);
static void lane_hold(void);

#define SEGUE_GPU_PAUSE()    lane_pause()
#define LANES_DEVICE_PAUSE() device_pause()
#define LANES_HOLD()	     lane_hold()
#include "tests/gpu/lanes.h"

#define LANES	   8
#define DEVICE	   LANES
#define IDLE_TURNS 200u /* in vain, since anything has changed */
#define ENDED	   UINT64_MAX
#define MOST_TURNS 200000u
#define MOST_NS	   UINT64_C(10000000000) /* a thread that the system does not run needs less */
#define HELD_SEC   2

static struct lanes m;

/* What each thread has waited for in vain: nothing can change if all have looked often enough. */
static struct {
	uint64_t seen;	/* state of the queue, as a sum of what only goes up */
	uint64_t turns; /* since it was so */
	uint64_t since; /* its first turn since */
} waits[LANES + 1];
static __thread uint32_t self;
static bool holds;

static uint64_t sum(void)
{
	const struct segue_gpu_queue *q = &m.queue;
	const uint64_t reserved = seguei_gpu_load(&q->reserved, false);
	const uint64_t done = seguei_gpu_load(&q->done, false);

	/* with a mistake `done` may run away */
	return __atomic_load_n(&m.executed, __ATOMIC_RELAXED) + reserved +
	       (done < reserved ? done : reserved) + seguei_gpu_load(&q->told, false) +
	       (seguei_gpu_load(&q->ready, false) & ~SEGUEI_GPU_TOP) +
	       (seguei_gpu_load(&q->error, false) != 0);
}

static bool waits_in_vain(uint32_t thread, uint64_t now)
{
	const uint64_t turns = __atomic_load_n(&waits[thread].turns, __ATOMIC_RELAXED);

	return turns == ENDED || (turns >= IDLE_TURNS &&
				  __atomic_load_n(&waits[thread].seen, __ATOMIC_RELAXED) == now);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Notes another turn of this thread, and returns true if all threads wait in vain. */
static bool all_wait(void)
{
	const uint64_t now = sum();
	uint64_t turns;
	uint32_t i;

	if (__atomic_load_n(&waits[self].seen, __ATOMIC_RELAXED) != now) {
		__atomic_store_n(&waits[self].turns, 0, __ATOMIC_RELAXED);
		__atomic_store_n(&waits[self].seen, now, __ATOMIC_RELAXED);
	}
	turns = __atomic_add_fetch(&waits[self].turns, 1, __ATOMIC_RELAXED);
	if (turns == 1)
		waits[self].since = now_ns();
	if (turns >= MOST_TURNS && self != DEVICE && now_ns() - waits[self].since >= MOST_NS)
		return true; /* another lane polls for ever */
	for (i = 0; i <= DEVICE; i++)
		if (!waits_in_vain(i, now))
			return false;
	return sum() == now;
}

static void lane_pause(void)
{
	if (all_wait())
		wrong("hang", "a lane waits, and the device has nothing to do", m.executed);
	sched_yield();
}

static void lane_hold(void)
{
	const struct timespec held = {.tv_sec = HELD_SEC};

	if (self || !holds)
		return;
	holds = false;
	nanosleep(&held, NULL);
}

static void device_pause(void)
{
	self = DEVICE;
	(void)all_wait();
	sched_yield();
}

static void *lane(void *arg)
{
	const uint64_t seed = (uint64_t)(uintptr_t)arg;
	int ret;

	self = (uint32_t)(seed % LANES);
	ret = lane_run(&m, seed);
	__atomic_store_n(&waits[self].turns, ENDED, __ATOMIC_RELAXED);

	if (ret == -EPROTO)
		wrong("early", "a request is done that the device has not read", m.queue.done);
	return (void *)(intptr_t)ret;
}

static void check_error(bool expected)
{
	struct segue_gpu_error error;
	const bool failed = segue_gpu_query_error(&m.queue, &error);

	if (failed != expected)
		wrong("error", "a failure was expected and not seen, or the reverse", m.executed);
	/* what is flushed overwrites the entry of a collapsed queue */
	if (failed && m.collapsed && error.syndrome == FLUSHED && error.index > m.fail_at)
		return;
	if (failed && (error.index != m.fail_at || error.qpn != QPN || error.syndrome != FAILURE ||
		       error.vendor_syndrome != VENDOR))
		wrong("error", "another request is named, or another syndrome", error.index);
}

/* All lanes from one state of the counters. Returns how many of them saw a failure. */
static uint32_t turn(uint64_t seed)
{
	pthread_t lanes[LANES], hardware;
	uint32_t failed = 0, i;
	void *ret;

	m.posted = m.executed = m.reg = m.record = 0;
	m.stop = false;
	memset(waits, 0, sizeof(waits));
	pthread_create(&hardware, NULL, device, &m);
	for (i = 0; i < LANES; i++)
		pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)(seed + i));
	for (i = 0; i < LANES; i++) {
		pthread_join(lanes[i], &ret);
		failed += ret != NULL;
	}
	__atomic_store_n(&m.stop, true, __ATOMIC_RELAXED);
	pthread_join(hardware, NULL);
	return failed;
}

int main(int argc, char **argv)
{
	const char *seed_text = getenv("SEGUE_TEST_SEED");
	const uint64_t seed = seed_text ? strtoull(seed_text, NULL, 0) : 1;
	struct segue_gpu_error error;
	uint64_t first, at;
	uint32_t failed;

	if (argc < 4)
		return 2;
	printf("seed %" PRIu64 "\n", seed);
	first = strtoull(argv[2], NULL, 0);
	if (lanes_open(&m, first, !strcmp(argv[1], "collapsed")))
		wrong("init", "the queue was refused", 0);
	m.requests = (uint32_t)strtoul(argv[3], NULL, 0);
	holds = !strcmp(argv[1], "held");
	if (segue_gpu_reserve(&m.queue, BLOCKS + 1, SEGUE_GPU_ALL, &at) != -EMSGSIZE ||
	    segue_gpu_reserve(&m.queue, 0, SEGUE_GPU_ALL, &at) != -EMSGSIZE)
		wrong("init", "a reservation larger than the ring was not refused", 0);
	if (segue_gpu_poll(&m.queue, SEGUE_GPU_ALL) || segue_gpu_query_error(&m.queue, &error))
		wrong("early", "an entry that was never written counts", first);
	if (argc > 4) {
		m.fail_at = first + strtoull(argv[4], NULL, 0);
		if (m.fail_at >= first + m.requests)
			return 2;
		failed = turn(seed);
		if (failed != LANES)
			wrong("error", "lanes ended without a failure", failed);
		check_error(true);
		segue_gpu_clear(&m.queue);
		device_clean(&m);
		m.fail_at = NOWHERE;
	}
	failed = turn(seed + LANES);
	if (failed)
		wrong("error", "lanes ended with a failure", failed);
	check_error(false);
	if (m.executed != m.posted || m.queue.done != m.queue.reserved)
		wrong("lost", "requests were not carried out", m.executed);
	printf("right: %" PRIu64 " requests, up to index %" PRIu64 "\n", m.executed, m.queue.done);
	return 0;
}
