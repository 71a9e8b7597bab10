/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * fan: several processes scatter, gather and multicast over RC and over DC, with each byte checked.
 * Then one of them is killed. The others report why they cannot reach it, and go on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "patterns.h"
#include "segue/base.h"
#include "tools/segue/perf/ranks.h"

#define EXIT_USAGE 2
#define EXIT_WRONG 3
#define ROUNDS_MAX 1000u

static const char help[] =
	"Usage: fan [options]\n"
	"\n"
	"  --ranks N       processes of this host, 2 to 16 (4); the last one is killed in the end\n"
	"  --rounds N      of each pattern (20)\n"
	"  --device NAME   RDMA device (the first mlx5 with an active port)\n"
	"  --help          this text\n"
	"\n"
	"Exit status: 0 all well, 1 failure, 2 wrong usage, 3 wrong data.\n";

struct choice {
	uint32_t ranks, rounds;
	const char *device;
};

static const char *const ways[CREW_WAYS] = {"RC", "DC"};

static const struct pattern {
	const char *name;
	int (*play)(struct turn *turn);
	uint32_t bytes;
} patterns[] = {
	{"scatter by WRITE", play_scatter_write, 64}, {"", play_scatter_write, CREW_BLOCK},
	{"gather by READ", play_gather_read, 64},     {"", play_gather_read, CREW_BLOCK},
	{"multicast by SEND", play_multicast, 64},    {"", play_multicast, 4096},
};
#define PATTERNS (sizeof(patterns) / sizeof(patterns[0]))

static int ascending(const void *a, const void *b)
{
	const double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static int measure(struct crew *crew, const struct pattern *pattern, uint32_t way, uint32_t rounds,
		   double *median)
{
	static double us[ROUNDS_MAX];
	struct turn turn = {.crew = crew, .way = way, .bytes = pattern->bytes, .count = crew->size};
	uint32_t round;
	int ret = 0;

	for (round = 0; round < rounds && !ret; round++) {
		ret = pattern->play(&turn);
		us[round] = turn.us;
	}
	qsort(us, rounds, sizeof(us[0]), ascending);
	*median = us[rounds / 2];
	return ret;
}

/* Bytes that go out in a call, in megabytes per second. */
static double rate(const struct crew *crew, const struct pattern *pattern, double us)
{
	return us > 0 ? (double)pattern->bytes * crew->size / us : 0;
}

static int play_all(struct crew *crew, uint32_t rounds)
{
	double us[CREW_WAYS];
	uint32_t i, way;
	int ret = 0;

	if (crew->rank == 0) {
		printf("%u processes, each to all at the same time; medians of %u rounds\n\n",
		       crew->size, rounds);
		printf("                               over RC                over DC\n");
		printf("                     bytes     us a call      MB/s    us a call      "
		       "MB/s\n");
	}
	for (i = 0; i < PATTERNS && !ret; i++) {
		for (way = 0; way < CREW_WAYS && !ret; way++)
			ret = measure(crew, &patterns[i], way, rounds, &us[way]);
		if (crew->rank == 0 && !ret)
			printf("%-19s %6u %13.1f %9.1f %12.1f %9.1f\n", patterns[i].name,
			       patterns[i].bytes, us[CREW_RC],
			       rate(crew, &patterns[i], us[CREW_RC]), us[CREW_DC],
			       rate(crew, &patterns[i], us[CREW_DC]));
		fflush(stdout);
	}
	return ret;
}

/* Sends to all, with the dead one among them, which alone must fail. */
static int meet_death(struct crew *crew, uint32_t way, uint32_t dead)
{
	const struct segue_fan fan = crew_fan(crew, way, NULL, crew->size);
	struct segue_local_buf from[CREW_MAX];
	struct segue_remote_buf to[CREW_MAX];
	uint32_t i;
	int ret = 0;

	for (i = 0; i < crew->size && !ret; i++) {
		ret = segue_mr_local_buf(crew->mr, (uint64_t)i * CREW_BLOCK, 64, &from[i]);
		if (!ret) /* at a place that is not checked */
			ret = segue_remote_buf_part(&crew->memory[way][i],
						    (uint64_t)(2 * CREW_MAX - 1) * CREW_BLOCK, 64,
						    &to[i]);
	}
	if (ret)
		return ret;
	ret = segue_fan_write(&fan, from, to);
	for (i = 0; i < crew->size; i++)
		if ((crew->results[i].error != 0) != (i == dead)) {
			if (ret)
				return ret;
			fprintf(stderr,
				"fan: rank %u: a request to rank %u, which is dead, was carried "
				"out.\n",
				crew->rank, dead);
			crew->wrong++;
		}
	if (crew->rank == 0)
		printf("  %s: %s\n", ways[way], crew->results[dead].sentence);
	return 0;
}

static int go_on(struct crew *crew, uint32_t left, uint32_t rounds)
{
	uint32_t peers[CREW_MAX], i, way, round;
	struct turn turn = {.crew = crew, .peers = peers, .count = left};
	int ret = 0;

	for (i = 0; i < left; i++)
		peers[i] = i;
	for (i = 0; i < PATTERNS; i++)
		for (way = 0; way < CREW_WAYS; way++)
			for (round = 0; round < rounds && !ret; round++) {
				turn.way = way;
				turn.bytes = patterns[i].bytes;
				ret = patterns[i].play(&turn);
			}
	return ret;
}

/* Collects the ranks' counts of checked bytes on rank 0. A dead rank is skipped. */
static int sum_up(struct crew *crew, const char *key, uint32_t ranks, uint64_t *checked,
		  uint64_t *wrong)
{
	uint8_t sums[16];
	uint32_t rank;
	int ret;

	segue_put_be64(sums, crew->checked);
	segue_put_be64(sums + 8, crew->wrong);
	ret = segue_world_put(crew->world, key, sums, sizeof(sums));
	*checked = *wrong = 0;
	for (rank = 0; rank < ranks && !ret && crew->rank == 0; rank++) {
		struct segue_world_value value = {.data = sums, .size = sizeof(sums)};

		ret = segue_world_get(crew->world, rank, key, segue_deadline_in_ms(CREW_WAIT_MS),
				      &value);
		*checked += segue_get_be64(sums);
		*wrong += segue_get_be64(sums + 8);
	}
	return ret;
}

static int lose_one(struct crew *crew, uint32_t rounds, uint64_t *wrong)
{
	const segue_deadline deadline = segue_deadline_in_ms(CREW_WAIT_MS);
	const uint32_t dead = crew->size - 1;
	uint64_t before = 0, checked;
	bool gone = false;
	uint32_t way;
	int ret;

	ret = sum_up(crew, "sums", crew->size, &before, wrong);
	if (!ret)
		ret = segue_world_fence(crew->world, deadline);
	if (ret)
		return ret;
	crew->checked = 0;
	if (crew->rank == dead)
		raise(SIGKILL);
	while (!segue_world_query_gone(crew->world, dead, &gone, NULL) && !gone &&
	       segue_deadline_left_ms(deadline))
		usleep(1000);
	if (crew->rank == 0)
		printf("\nNow rank %u is killed, and the others write to all:\n", dead);
	for (way = 0; way < CREW_WAYS && !ret; way++)
		ret = meet_death(crew, way, dead);
	if (!ret)
		ret = go_on(crew, crew->size - 1, rounds);
	if (!ret)
		ret = sum_up(crew, "more sums", crew->size - 1, &checked, wrong);
	if (!ret && crew->rank == 0)
		printf("\nData: %" PRIu64 " bytes checked by %u ranks, and %" PRIu64
		       " more by the %u that went on, %s.\n",
		       before, crew->size, checked, crew->size - 1,
		       *wrong ? "NOT all right" : "all right");
	fflush(stdout);
	return ret;
}

static int run_rank(const void *arg)
{
	const struct choice *choice = arg;
	uint64_t wrong = 0;
	struct crew crew;
	int ret;

	ret = crew_open(&crew, choice->device);
	if (!ret)
		ret = play_all(&crew, choice->rounds);
	if (!ret)
		ret = lose_one(&crew, choice->rounds, &wrong);
	if (ret)
		fprintf(stderr, "fan: rank %u: %s\n", crew.rank, segue_errmsg());
	crew_close(&crew);
	return ret ? EXIT_FAILURE : (wrong ? EXIT_WRONG : EXIT_SUCCESS);
}

static const struct option long_options[] = {
	{"ranks", required_argument, NULL, 'n'},
	{"rounds", required_argument, NULL, 'r'},
	{"device", required_argument, NULL, 'd'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

int main(int argc, char **argv)
{
	struct choice choice = {.ranks = 4, .rounds = 20};
	int option;

	while ((option = getopt_long(argc, argv, "h", long_options, NULL)) != -1) {
		switch (option) {
		case 'n':
			choice.ranks = ranks_number("fan", "ranks", optarg, 2, CREW_MAX);
			break;
		case 'r':
			choice.rounds = ranks_number("fan", "rounds", optarg, 1, ROUNDS_MAX);
			break;
		case 'd':
			choice.device = optarg;
			break;
		case 'h':
			fputs(help, stdout);
			return EXIT_SUCCESS;
		default:
			fputs("Try 'fan --help'.\n", stderr);
			return EXIT_USAGE;
		}
	}
	if (optind != argc) {
		fprintf(stderr, "fan: unknown argument '%s'; see --help.\n", argv[optind]);
		return EXIT_USAGE;
	}
	return ranks_run(choice.ranks, run_rank, &choice, EXIT_SUCCESS);
}
