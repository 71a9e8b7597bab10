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
#define MOST   8000u  /* hand-overs, and */
#define LONG   2.0    /* seconds, because a busy machine has time for fewer */
#define TIMES  10     /* as long as by the kernel, and */
#define SLACK  250e-6 /* seconds: a sleep each time takes half a millisecond and more */
#define TRIES  5

int failures;

static unsigned turn;
static bool by_kernel, over;
static double end;

static void *lane(void *arg)
{
	const unsigned me = (unsigned)(uintptr_t)arg;

	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		if (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) % LANES != me) {
			if (by_kernel)
				syscall(SYS_sched_yield);
			else
				sched_yield();
			continue;
		}
		if (__atomic_add_fetch(&turn, 1, __ATOMIC_RELEASE) >= MOST || seconds() > end)
			__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	}
	return NULL;
}

/* Seconds that a hand-over took. */
static double run(bool kernel)
{
	const double start = seconds();
	pthread_t lanes[LANES];

	by_kernel = kernel;
	over = false;
	end = start + LONG;
	turn = 0;
	for (unsigned i = 0; i < LANES; i++)
		CHECK(!pthread_create(&lanes[i], NULL, lane, (void *)(uintptr_t)i));
	for (unsigned i = 0; i < LANES; i++)
		CHECK(!pthread_join(lanes[i], NULL));
	return (seconds() - start) / turn;
}

/* Whether a try was fast enough. */
static bool fast(void)
{
	const double kernel = run(true), ours = run(false);

	printf("a hand-over: %.1f us by the kernel, %.1f us by softhca\n", kernel * 1e6,
	       ours * 1e6);
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
