/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Threads that wait for each other, as the lanes of a GPU's queue do, and give way meanwhile: each
 * in turn hands on to the next one. To give way to others must not cost a turn of the device, or a
 * sleep, each time. What is compared is the kernel's own sched_yield(), of the same moment. A turn
 * or a sleep each time makes each try too long, another program only some of them.
 */
#include <pthread.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tests/softhca/clients/client.h"

#define LANES  8u
#define PASSES 1000u /* of each lane */
#define TIMES  10    /* as long as by the kernel, and */
#define SLACK  2.0   /* seconds: a sleep of half a millisecond each time takes four */
#define TRIES  5

int failures;

static unsigned turn;
static bool by_kernel;

static void *lane(void *arg)
{
	const unsigned me = (unsigned)(uintptr_t)arg;

	for (unsigned i = 0; i < PASSES; i++) {
		while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) % LANES != me) {
			if (by_kernel)
				syscall(SYS_sched_yield);
			else
				sched_yield();
		}
		__atomic_fetch_add(&turn, 1, __ATOMIC_RELEASE);
	}
	return NULL;
}

static double run(bool kernel)
{
	const double start = seconds();
	pthread_t lanes[LANES];

	by_kernel = kernel;
	turn = 0;
	for (unsigned i = 0; i < LANES; i++)
		CHECK(!pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)i));
	for (unsigned i = 0; i < LANES; i++)
		CHECK(!pthread_join(lanes[i], NULL));
	return seconds() - start;
}

/* Whether a try was fast enough. */
static bool fast(void)
{
	const double kernel = run(true), ours = run(false);

	printf("%u hand-overs: %.3f s by the kernel, %.3f s by softhca\n", LANES * PASSES, kernel,
	       ours);
	return ours <= TIMES * kernel + SLACK;
}

int main(void)
{
	struct ibv_context *ctx = open_first();
	int tries = 0;

	while (!fast() && ++tries < TRIES)
		;
	CHECK(tries < TRIES);
	CHECK(!ibv_close_device(ctx));
	return failures != 0;
}
