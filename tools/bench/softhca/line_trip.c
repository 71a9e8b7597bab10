/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Round trip of a cache line between two processors, in nanoseconds: the median of 20 tries of 10
 * ms. Two processes on two processors cannot be faster than that. On a virtual machine the host
 * determines it: 100 ns if two processors share a cache, 500 if they do not, and more if the host
 * runs them by turns.
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define TRIES  20
#define TRY_NS 10000000u

static struct {
	_Alignas(64) atomic_uint word;
	_Alignas(64) atomic_bool over;
} line;

static uint64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Puts the calling thread on the n-th processor of those that the process may use. */
static void run_on(int n)
{
	cpu_set_t allowed, one;

	CPU_ZERO(&one);
	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return;
	for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
		if (!CPU_ISSET(cpu, &allowed) || n-- > 0)
			continue;
		CPU_SET(cpu, &one);
		sched_setaffinity(0, sizeof(one), &one);
		return;
	}
}

static void *answer(void *unused)
{
	(void)unused;
	run_on(1);
	while (!atomic_load_explicit(&line.over, memory_order_relaxed))
		if (atomic_load_explicit(&line.word, memory_order_acquire) == 1)
			atomic_store_explicit(&line.word, 0, memory_order_release);
	return NULL;
}

static double one_try(void)
{
	const uint64_t begin = now_ns();
	uint64_t end = begin, trips = 0;

	for (; end - begin < TRY_NS; end = now_ns()) {
		for (int i = 0; i < 64; i++, trips++) {
			atomic_store_explicit(&line.word, 1, memory_order_release);
			while (atomic_load_explicit(&line.word, memory_order_acquire))
				;
		}
	}
	return (double)(end - begin) / (double)trips;
}

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

int main(void)
{
	double tries[TRIES];
	cpu_set_t allowed;
	pthread_t other;

	if (sched_getaffinity(0, sizeof(allowed), &allowed) || CPU_COUNT(&allowed) < 2) {
		fprintf(stderr, "line_trip: this process may use one processor; two are needed\n");
		return 1;
	}
	if (pthread_create(&other, NULL, answer, NULL)) {
		fprintf(stderr, "line_trip: no second thread could be started\n");
		return 1;
	}
	run_on(0);
	for (int i = 0; i < TRIES; i++)
		tries[i] = one_try();
	atomic_store(&line.over, true);
	pthread_join(other, NULL);
	qsort(tries, TRIES, sizeof(tries[0]), ascending);
	printf("%.0f\n", tries[TRIES / 2]);
	return 0;
}
