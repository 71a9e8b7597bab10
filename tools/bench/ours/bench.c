/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * rows [--cycles] [ROW...]: does all rows, or those with names that begin so, once for an
 * instrument that counts within measured(), up to counted(). Each line has row, contender,
 * operations, and a sum over the bytes of the first 16 requests ("-" if it writes none), which is
 * the same for contenders that have written the same. With --cycles it counts the core's own
 * cycles, if the machine allows it: row, contender, and the fewest cycles per operation of many
 * rounds.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/gen/segments.h"
#include "tools/bench/ours/bench.h"
#include "tools/bench/ours/values.h"
#ifdef BENCH_THEIRS
#include "tools/bench/theirs/device.h"
#endif

#define ROUNDS	    41 /* of which the fastest counts */
#define COMPARED    16 /* requests */
#define COLD_ROUNDS 64

__attribute__((noreturn)) void bench_die(const char *what)
{
	fprintf(stderr, "bench: %s: %s\n", what, segue_errmsg());
	exit(1);
}

bool bench_wanted(const char *row, const char *filter)
{
#ifdef BENCH_COLD /* those of as many operations */
	return filter && !strcmp(row, filter);
#else
	return filter ? !strncmp(row, filter, strlen(filter)) : strncmp(row, "blueflame/", 10) != 0;
#endif
}

/* The place that an instrument counts in. */
__attribute__((noinline)) static int measured(int (*round)(void))
{
	const int ret = round();

	__asm__ volatile("");
	return ret;
}

/* The instrument records the counts since the last call here. */
__attribute__((noinline)) static void counted(void)
{
	__asm__ volatile("");
}

/* FNV-1a, over the first requests. The queue's number may differ. */
static uint64_t sum_of(const uint8_t *wqe)
{
	struct segue_seg_ctrl ctrl;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	for (int n = 0; n < COMPARED; n++) {
		segue_seg_ctrl_unpack(&ctrl, wqe);
		for (uint32_t i = 0; i < ctrl.ds * 16u; i++)
			sum = (sum ^ (i >= 4 && i < 7 ? 0 : wqe[i])) * UINT64_C(0x100000001b3);
		wqe += (ctrl.ds + 3) / 4 * 64u;
	}
	return sum;
}

/* A counter of this thread's cycles outside of the kernel, or -1. */
static int cycles = -1;

static void open_cycles(void)
{
	struct perf_event_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.size = sizeof(attr);
	attr.type = PERF_TYPE_HARDWARE;
	attr.config = PERF_COUNT_HW_CPU_CYCLES;
	attr.exclude_kernel = 1;
	cycles = (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
	if (cycles < 0) {
		fprintf(stderr,
			"bench: this machine counts no cycles for programs (perf_event_open: %s); "
			"count instructions instead\n",
			strerror(errno));
		exit(1);
	}
}

static uint64_t cycles_now(void)
{
	uint64_t now = 0;

	if (read(cycles, &now, sizeof(now)) != sizeof(now))
		bench_die("cycles cannot be read");
	return now;
}

static void print_cycles(const struct bench_part *part)
{
	uint64_t least = UINT64_MAX;

	for (int i = 0; i < ROUNDS; i++) {
		uint64_t start, taken;

		part->reset();
		start = cycles_now();
		if (measured(part->round))
			bench_die(part->row);
		taken = cycles_now() - start;
		least = taken < least ? taken : least;
	}
	printf("%s %s %.2f\n", part->row, part->contender, (double)least / BENCH_ROUND_OF);
}

/* Does a part once more and counts it: all rounds, or some of them with empty caches. */
static void count(const struct bench_part *part, const char *caches, bool empty)
{
	_Alignas(4096) uint8_t stack[64]; /* so that its lines are the same everywhere */
	const uint32_t rounds = empty ? COLD_ROUNDS : BENCH_ROUNDS;

	__asm__ volatile("" : : "r"(stack) : "memory");
	part->reset();
	for (uint32_t i = 0; i < BENCH_ROUNDS; i++) {
		if (empty && i < rounds)
			bench_empty_caches();
		if ((i < rounds ? measured(part->round) : part->round()))
			bench_die(part->row);
	}
	counted();
	printf("%s %s%s %u ", part->row, part->contender, caches, rounds * BENCH_ROUND_OF);
	if (part->ring)
		printf("%016" PRIx64 "\n", sum_of(part->ring));
	else
		printf("-\n");
}

void bench_part(const struct bench_part *part)
{
	int ret = 0;

	if (!part->round)
		return;
	part->reset();
	for (uint32_t i = 0; i < BENCH_ROUNDS && !ret; i++)
		ret = part->round();
	if (ret) {
		printf("%s %s refused: %s\n", part->row, part->contender, segue_errmsg());
		return;
	}
	if (cycles >= 0) {
		print_cycles(part);
		return;
	}
#ifdef BENCH_COLD
	count(part, "/warm", false);
	count(part, "/cold", true);
#else
	count(part, "", false);
#endif
}

void bench_parts(const struct bench_part *parts, size_t n)
{
	for (size_t i = 0; i < n; i++)
		bench_part(&parts[i]);
}

static void run(const char *filter)
{
#ifndef BENCH_COLD
	bench_sends_run(filter);
	bench_blueflame_run(filter);
	bench_batched_run(filter);
#endif
	bench_batches_run(filter);
	bench_pieces_run(filter);
	bench_polls_run(filter);
#ifdef BENCH_THEIRS
#ifndef BENCH_COLD
	bench_theirs_run(filter);
#endif
	bench_their_batches_run(filter);
	bench_their_polls_run(filter);
#endif
}

int main(int argc, char **argv)
{
	int first = 1;

	if (argc > 1 && !strcmp(argv[1], "--cycles")) {
		open_cycles();
		first++;
	}
	bench_fill_payload();
#ifdef BENCH_THEIRS
	bench_open_theirs();
#endif
	for (int i = first; i < argc || i == first; i++)
		run(argv[i]);
	return 0;
}
