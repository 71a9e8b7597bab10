/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An all-to-all shuffle: every rank has a block for every other one, and every byte that arrives is
 * checked. Started by mpirun, srun, or by hand, or with --ranks as so many processes of this host.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "segue/base.h"
#include "tools/segue/perf/ranks.h"

#define EXIT_USAGE 2
#define EXIT_WRONG 3

static const char help[] =
	"Usage: shuffle [options]            one rank; the environment says which (mpirun, srun, "
	"SEGUE_RENDEZVOUS)\n"
	"       shuffle --ranks N [options]  N ranks, as processes of this host\n"
	"\n"
	"  --transport rc|dc|ud  what blocks go over (rc)\n"
	"  --bytes N             of a block (65536)\n"
	"  --rounds N            (10)\n"
	"  --device NAME         RDMA device (the first mlx5 with an active port)\n"
	"  --timeout SECONDS     of every wait (60)\n"
	"  --corrupt             damage a byte, to see that it is found\n"
	"  --help                this text\n"
	"\n"
	"Exit status: 0 all well, 1 failure, 2 wrong usage, 3 wrong data.\n";

/* Collects each rank's sums on rank 0, for its summary. */
static int sum_up(struct job *job, uint64_t *checked, uint64_t *wrong)
{
	uint8_t sums[16];
	uint32_t rank;
	int ret;

	segue_put_be64(sums, job->checked);
	segue_put_be64(sums + 8, job->wrong);
	ret = segue_world_put(job->world, "sums", sums, sizeof(sums));
	if (!ret)
		ret = segue_world_fence(job->world, job_deadline(job));
	for (rank = 0; rank < job->size && !ret; rank++) {
		struct segue_world_value value = {.data = sums, .size = sizeof(sums)};

		ret = segue_world_get(job->world, rank, "sums", job_deadline(job), &value);
		*checked += segue_get_be64(sums);
		*wrong += segue_get_be64(sums + 8);
	}
	/* Rank 0 serves the others until they have the result. */
	return ret ? ret : segue_world_fence(job->world, job_deadline(job));
}

static int play(struct job *job, uint64_t *checked, uint64_t *wrong)
{
	uint32_t round;
	int ret = 0;

	for (round = 0; round < job->choice.rounds && !ret; round++) {
		job_fill(job, round);
		/* No inbox is written while it is being checked. */
		ret = segue_world_fence(job->world, job_deadline(job));
		if (!ret)
			ret = job->choice.over == SEGUE_TRANSPORT_UD ? shuffle_datagrams(job, round)
								     : shuffle_write(job, round);
		if (!ret)
			job_check(job, round);
	}
	return ret ? ret : sum_up(job, checked, wrong);
}

/*
 * Reports an error: a peer's reason is better than that of the call that noticed. While the device
 * still tries to reach the peer, the world may know it.
 */
static void complain(const struct job *job, int err)
{
	bool told = false, gone;
	char why[512];
	uint32_t peer;

	snprintf(why, sizeof(why), "%s", segue_errmsg());
	for (peer = 0; job->multi && peer < job->size; peer++) {
		struct segue_channel *channel = segue_multi_channel_at(job->multi, peer);

		if (segue_channel_reason(channel)[0])
			fprintf(stderr, "shuffle: rank %u: %s\n", job->rank,
				segue_channel_reason(channel));
		else if (!segue_world_query_gone(job->world, peer, &gone, NULL) && gone)
			fprintf(stderr, "shuffle: rank %u: %s\n", job->rank, segue_errmsg());
		else
			continue;
		told = true;
	}
	if (why[0])
		fprintf(stderr, "shuffle: rank %u: %s\n", job->rank, why);
	else if (!told)
		fprintf(stderr, "shuffle: rank %u: the round has not ended in %u ms: %s\n",
			job->rank, job->choice.timeout_ms, strerror(-err));
}

static int run_rank(const void *arg)
{
	const struct choice *choice = arg;
	static const char *const names[] = {"RC", "DC", "UD"};
	uint64_t checked = 0, wrong = 0;
	struct job job;
	int ret;

	ret = job_open(&job, choice);
	if (!ret && job.rank == 0) {
		printf("%s; over %s, %" PRIu64 " bytes of memory per peer and %" PRIu64
		       " for all\n",
		       segue_world_describe(job.world), names[choice->over],
		       segue_multi_channel_bytes_per_peer(job.multi),
		       segue_multi_channel_bytes_shared(job.multi));
		fflush(stdout);
	}
	if (!ret)
		ret = play(&job, &checked, &wrong);
	if (ret)
		complain(&job, ret);
	else if (job.rank == 0)
		printf("%u ranks, %" PRIu64 " bytes, %s\n", job.size, checked,
		       wrong ? "NOT all right" : "all right");
	fflush(stdout);
	job_close(&job);
	return ret ? EXIT_FAILURE : (wrong ? EXIT_WRONG : EXIT_SUCCESS);
}

static enum segue_channel_transport transport(const char *text)
{
	if (!strcmp(text, "rc"))
		return SEGUE_TRANSPORT_RC;
	if (!strcmp(text, "dc"))
		return SEGUE_TRANSPORT_DC;
	if (!strcmp(text, "ud"))
		return SEGUE_TRANSPORT_UD;
	fprintf(stderr, "shuffle: --transport is '%s', expected rc, dc or ud.\n", text);
	exit(EXIT_USAGE);
}

static const struct option long_options[] = {
	{"transport", required_argument, NULL, 't'},
	{"bytes", required_argument, NULL, 'b'},
	{"rounds", required_argument, NULL, 'r'},
	{"ranks", required_argument, NULL, 'n'},
	{"device", required_argument, NULL, 'd'},
	{"timeout", required_argument, NULL, 's'},
	{"corrupt", no_argument, NULL, 'c'},
	{"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static void take_option(int option, const char *name, struct choice *choice, uint32_t *ranks)
{
	switch (option) {
	case 't':
		choice->over = transport(optarg);
		break;
	case 'b':
		choice->bytes = ranks_number("shuffle", name, optarg, 1, 1 << 28);
		break;
	case 'r':
		choice->rounds = ranks_number("shuffle", name, optarg, 1, 1000000);
		break;
	case 'n':
		*ranks = ranks_number("shuffle", name, optarg, 1, 256);
		break;
	case 'd':
		choice->device = optarg;
		break;
	case 's':
		choice->timeout_ms = ranks_number("shuffle", name, optarg, 1, 86400) * 1000;
		break;
	case 'c':
		choice->corrupt = true;
		break;
	case 'h':
		fputs(help, stdout);
		exit(EXIT_SUCCESS);
	default:
		fputs("Try 'shuffle --help'.\n", stderr);
		exit(EXIT_USAGE);
	}
}

int main(int argc, char **argv)
{
	struct choice choice = {
		.over = SEGUE_TRANSPORT_RC, .bytes = 65536, .rounds = 10, .timeout_ms = 60000};
	uint32_t ranks = 0;
	int option, index = 0;

	while ((option = getopt_long(argc, argv, "h", long_options, &index)) != -1)
		take_option(option, option == 'h' ? "help" : long_options[index].name, &choice,
			    &ranks);
	if (optind != argc) {
		fprintf(stderr, "shuffle: unknown argument '%s'; see --help.\n", argv[optind]);
		return EXIT_USAGE;
	}
	return ranks ? ranks_run(ranks, run_rank, &choice, EXIT_FAILURE) : run_rank(&choice);
}
