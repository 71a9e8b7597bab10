/* SPDX-License-Identifier: BSD-2-Clause */
/* Starts the ranks of a measurement as processes of this machine, and waits for them. */
#include "tools/segue/perf/ranks.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/endpoint.h"
#include "segue/peers/exchange.h"

static void set_number(const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	setenv(name, text, 1);
}

/* A TCP port that is free now. */
static int free_port(uint16_t *port)
{
	int listener, ret;

	ret = segue_exchange_open("0", &listener);
	if (ret)
		return ret;
	ret = segue_exchange_port(listener, port);
	close(listener);
	return ret;
}

static int collect(int killed)
{
	int worst = 0, status;

	while (wait(&status) > 0) {
		int code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILURE;

		if (WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL)
			code = killed;
		worst = code > worst ? code : worst;
	}
	return worst;
}

uint32_t ranks_number(const char *program, const char *option, const char *text, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (!errno && end != text && !*end && value >= min && value <= max)
		return (uint32_t)value;
	fprintf(stderr, "%s: --%s is '%s', expected a number from %ld to %ld; see --help.\n",
		program, option, text, min, max);
	exit(2);
}

/* The process that starts the ranks gives them a secret, unless there is one. */
static int give_token(void)
{
	unsigned long long random[2];
	char text[33];

	if (getrandom(random, sizeof(random), 0) != (ssize_t)sizeof(random))
		return -errno;
	snprintf(text, sizeof(text), "%016llx%016llx", random[0], random[1]);
	return setenv("SEGUE_TOKEN", text, 0);
}

int ranks_run(uint32_t count, int (*run)(const void *arg), const void *arg, int killed)
{
	const pid_t parent = getpid();
	char rendezvous[32];
	uint16_t port;
	uint32_t rank;

	if (give_token() || free_port(&port)) {
		fprintf(stderr, "%s\n", segue_errmsg());
		return EXIT_FAILURE;
	}
	snprintf(rendezvous, sizeof(rendezvous), "127.0.0.1:%u", port);
	setenv("SEGUE_RENDEZVOUS", rendezvous, 1);
	set_number("SEGUE_SIZE", count);
	fflush(stdout);
	for (rank = 0; rank < count; rank++) {
		const pid_t pid = fork();

		if (pid == 0) {
			prctl(PR_SET_PDEATHSIG, SIGKILL);
			set_number("SEGUE_RANK", rank);
			exit(getppid() == parent ? run(arg) : EXIT_FAILURE);
		}
		if (pid < 0) {
			perror("fork");
			return EXIT_FAILURE;
		}
	}
	return collect(killed);
}
