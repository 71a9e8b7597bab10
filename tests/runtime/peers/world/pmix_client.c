/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank under mpirun that is late, dies, or loses its launcher, between two calls or inside of
 * one; it says what its fences say. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/peers/world.h"

static int fence(struct segue_world *world, const char *which, uint64_t ms)
{
	const int ret = segue_world_fence(world, segue_deadline_in_ms(ms));

	printf("rank %u: %s: %d %s\n", segue_world_rank(world), which, ret,
	       ret ? segue_errmsg() : "");
	fflush(stdout);
	return ret;
}

/*
 * Rank 0 kills the server while rank 1 waits for it in a fence, and rank 2 in a get, for which all
 * are there but nobody comes. Each has half a minute, and says how long it took.
 */
static void lose_server(struct segue_world *world)
{
	struct segue_world_value value = {.size = 0};
	struct timespec begun, ended;
	int ret = 0;

	(void)clock_gettime(CLOCK_MONOTONIC, &begun);
	switch (segue_world_rank(world)) {
	case 0:
		sleep(1);
		kill(getppid(), SIGKILL);
		return;
	case 1:
		ret = segue_world_fence(world, segue_deadline_in_ms(30000));
		break;
	default:
		ret = segue_world_get(world, 0, "nobody puts it", segue_deadline_in_ms(30000),
				      &value);
		break;
	}
	(void)clock_gettime(CLOCK_MONOTONIC, &ended);
	printf("rank %u: inside: %d after %ld s: %s\n", segue_world_rank(world), ret,
	       (long)(ended.tv_sec - begun.tv_sec), segue_errmsg());
	fflush(stdout);
}

static void on_pipe(int number)
{
	(void)number;
}

/* A program's own handler of SIGPIPE is still there behind segue_world_open(). */
static bool keeps_handler(void)
{
	struct sigaction action;

	return !sigaction(SIGPIPE, NULL, &action) && action.sa_handler == on_pipe;
}

int main(int argc, char **argv)
{
	const char *mode = argc > 1 ? argv[1] : "";
	struct segue_world *world;
	uint32_t rank;

	alarm(60); /* nothing here may hang */
	/* What the launcher prints for its ranks dies with it. */
	if (argc > 2 && !freopen(argv[2], "a", stdout))
		return 1;
	if (!strcmp(mode, "late"))
		(void)signal(SIGPIPE, on_pipe);
	if (segue_world_open(NULL, segue_deadline_in_ms(10000), &world)) {
		printf("%s\n", segue_errmsg());
		return 1;
	}
	rank = segue_world_rank(world);
	if (!strcmp(mode, "late") && !keeps_handler())
		return 1;
	if (fence(world, "first", 30000))
		return 1;
	if (!strcmp(mode, "late") && rank == 1)
		sleep(4);
	if (!strcmp(mode, "die") && rank == 1)
		raise(SIGKILL);
	if (!strcmp(mode, "inside")) {
		lose_server(world);
		return 0;
	}
	if (!strcmp(mode, "orphan")) {
		if (rank == 0)
			kill(getppid(), SIGKILL);
		sleep(2);
	}
	(void)fence(world, "second", 2000);
	(void)fence(world, "third", 2000);
	(void)segue_world_close(world, segue_deadline_in_ms(1000));
	return 0;
}
