/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * scale RANKS [BYTES]: so many ranks of a TCP world over loopback, as threads of some
 * processes, and what it takes them to come, and to give each other so many bytes. Rank 0 has a
 * process of its own.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/endpoint.h"
#include "segue/peers/exchange.h"
#include "segue/peers/world.h"

#define TOGETHER   250 /* ranks in a process */
#define STACK_SIZE (256 * 1024)
#define WAIT_MS	   280000
#define BYTES	   128 /* of an endpoint */

static struct segue_world_options options = {
	.engine = "tcp", .job = "scale", .token = "a secret of this test"};
static size_t size;

#define MUST(condition)                                                            \
	do {                                                                       \
		if (!(condition)) {                                                \
			fprintf(stderr, "line %d: %s: %s\n", __LINE__, #condition, \
				segue_errmsg());                                   \
			_exit(1);                                                  \
		}                                                                  \
	} while (0)

struct times {
	double open, fence, collect;
};

static double now(void)
{
	struct timespec at;

	(void)clock_gettime(CLOCK_MONOTONIC, &at);
	return (double)at.tv_sec + (double)at.tv_nsec / 1e9;
}

/* Each byte says whose it is. */
static uint8_t byte_of(uint32_t rank, size_t at)
{
	return (uint8_t)(rank * 37 + (rank >> 8) + at * 11);
}

static void check(const uint8_t *all, uint32_t ranks)
{
	uint32_t rank;
	size_t at;

	for (rank = 0; rank < ranks; rank++)
		for (at = 0; at < size; at++)
			MUST(all[rank * size + at] == byte_of(rank, at));
}

static void collect(struct segue_world *world, uint32_t rank)
{
	uint8_t *all = malloc(options.size * size), *mine = malloc(size);
	size_t at;

	MUST(all && mine);
	for (at = 0; at < size; at++)
		mine[at] = byte_of(rank, at);
	MUST(!segue_world_allgather(world, mine, size, segue_deadline_in_ms(WAIT_MS), all));
	check(all, options.size);
	free(all);
	free(mine);
}

static void report(const struct times *times, const struct segue_world_traffic *all)
{
	uint64_t most = 0, most_bytes = 0, bytes = 0;
	struct rusage usage;
	uint32_t i;

	for (i = 0; i < options.size; i++) {
		most = all[i].exchanges > most ? all[i].exchanges : most;
		most_bytes = all[i].bytes > most_bytes ? all[i].bytes : most_bytes;
		bytes += all[i].bytes;
	}
	(void)getrusage(RUSAGE_SELF, &usage);
	printf("%u ranks, %zu bytes of each: come in %.2f s, a fence %.3f s, all to all %.3f s; "
	       "exchanges of a rank at most %llu, KB %.1f in the "
	       "mean and at most %.1f; rank 0 has %ld MB\n",
	       options.size, size, times->open, times->fence, times->collect,
	       (unsigned long long)most, (double)bytes / 1000 / options.size,
	       (double)most_bytes / 1000, usage.ru_maxrss / 1024);
	/* The fences, 16 below, the one above and its address, this one's address. */
	MUST(most <= 1 + 1 + 16 + 2 + 1);
}

static void *run_rank(void *arg)
{
	const uint32_t rank = (uint32_t)(uintptr_t)arg;
	struct segue_world_options mine = options;
	struct segue_world_traffic traffic, *all = malloc(options.size * sizeof(*all));
	struct segue_world *world;
	struct times times = {.open = now()};

	mine.rank = rank;
	MUST(all && !segue_world_open(&mine, segue_deadline_in_ms(WAIT_MS), &world));
	MUST(!segue_world_fence(world, segue_deadline_in_ms(WAIT_MS)));
	times.fence = now();
	times.open = times.fence - times.open;
	MUST(!segue_world_fence(world, segue_deadline_in_ms(WAIT_MS)));
	times.collect = now();
	times.fence = times.collect - times.fence;
	collect(world, rank);
	times.collect = now() - times.collect;
	segue_world_get_traffic(world, &traffic);
	traffic.exchanges -= 2; /* the fences before it */
	MUST(!segue_world_allgather(world, &traffic, sizeof(traffic), segue_deadline_in_ms(WAIT_MS),
				    all));
	if (rank == 0)
		report(&times, all);
	free(all);
	MUST(!segue_world_close(world, segue_deadline_in_ms(WAIT_MS)));
	return NULL;
}

static void run_some(uint32_t first, uint32_t count)
{
	pthread_t threads[TOGETHER];
	pthread_attr_t attr;
	uint32_t i;

	alarm(WAIT_MS / 1000);
	(void)pthread_attr_init(&attr);
	(void)pthread_attr_setstacksize(&attr, STACK_SIZE);
	for (i = 0; i < count; i++)
		MUST(!pthread_create(&threads[i], &attr, run_rank, (void *)(uintptr_t)(first + i)));
	for (i = 0; i < count; i++)
		(void)pthread_join(threads[i], NULL);
	exit(0);
}

static int choose_port(char *rendezvous, size_t room)
{
	uint16_t port;
	int listener;

	if (segue_exchange_open("0", &listener) || segue_exchange_port(listener, &port))
		return 1;
	close(listener);
	snprintf(rendezvous, room, "127.0.0.1:%u", port);
	return 0;
}

int main(int argc, char **argv)
{
	char rendezvous[32];
	uint32_t first, count;
	int status, failed = 0;

	options.size = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 100;
	size = argc > 2 ? strtoul(argv[2], NULL, 10) : BYTES;
	if (!options.size || !size || choose_port(rendezvous, sizeof(rendezvous)))
		return 2;
	options.rendezvous = rendezvous;
	for (first = 0; first < options.size; first += count) {
		count = !first ? 1
			       : (options.size - first < TOGETHER ? options.size - first
								  : TOGETHER);
		if (!fork())
			run_some(first, count);
	}
	while (wait(&status) > 0)
		failed |= status;
	return failed ? 1 : 0;
}
