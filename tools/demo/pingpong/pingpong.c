/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ping-pong over RDMA: two processes connect over TCP, write and send messages to each other with
 * generated builders, prove that the data is right, and show how long it takes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "games.h"
#include "segue/base.h"
#include "segue/peers/exchange.h"

#define EXIT_USAGE 2
#define EXIT_WRONG 3 /* a message had wrong content */

enum mode { BOTH, SERVER, CLIENT, WHICH };

struct options {
	enum mode mode;
	const char *host;
	const char *port;
	struct choice choice;
};

static const char help[] =
	"Usage: pingpong [options]                both sides, as two processes of this host\n"
	"       pingpong --server [options]       one side, on one host, and\n"
	"       pingpong --client HOST [options]  the other side, on another\n"
	"\n"
	"Messages go back and forth as RDMA WRITE with immediate and as inline SEND; all of them "
	"are\n"
	"checked. Then a deliberate mistake is explained.\n"
	"\n"
	"  --port PORT       TCP port to meet at (18530); 0 for a server: any free one\n"
	"  --device NAME     RDMA device (the first mlx5 with an active port)\n"
	"  --ib-port N       its port (1)\n"
	"  --gid-index N     RoCE: entry of its GID table (the best one)\n"
	"  --rounds N        round trips per size, up to 4 KiB; larger sizes get fewer (1000)\n"
	"  --timeout SECONDS of every wait (30)\n"
	"  --corrupt         damage messages, to see that it is found\n"
	"  --which           only say which device would be used; exit 1 if there is none\n"
	"  --help            this text\n"
	"\n"
	"Exit status: 0 all well, 1 failure, 2 wrong usage, 3 wrong data.\n";

/* Message sizes that both sides play, in this order. */
static const uint32_t sizes[] = {8, 64, 256, 1024, 4096, 16384, 65536, 262144, MESSAGE_MAX};
#define N_SIZES (sizeof(sizes) / sizeof(sizes[0]))

/* Prints the error on stderr, and returns the exit status. */
static int complain(const struct side *side)
{
	fprintf(stderr, "pingpong: %s\n", side->why[0] ? side->why : segue_errmsg());
	return EXIT_FAILURE;
}

static int compare(const void *a, const void *b)
{
	const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* Prints half a round trip: shortest, median, and the limit of 99 in 100, in microseconds. */
static void print_latency(uint64_t *times, uint32_t count)
{
	qsort(times, count, sizeof(*times), compare);
	printf("  %8.2f %8.2f %8.2f", (double)times[0] / 2e3, (double)times[count / 2] / 2e3,
	       (double)times[count - 1 - count / 100] / 2e3);
}

static int measure(struct side *side, enum kind kind, uint32_t size, uint64_t *times)
{
	const struct set set = {.kind = kind, .size = size, .count = play_count(side, size)};
	int ret;

	ret = play_call(side, &set, times);
	if (ret)
		return ret;
	if (kind == KIND_STREAM)
		printf("  %10.0f %9.1f", set.count * 1e9 / (double)times[0],
		       (double)set.count * size * 1e3 / (double)times[0]);
	else
		print_latency(times, set.count);
	return 0;
}

static int play_table(struct side *side)
{
	uint64_t *times = calloc(side->rounds, sizeof(*times));
	int ret = times ? 0 : -ENOMEM;
	enum kind kind;
	size_t i;

	printf("          RDMA WRITE with immediate   RDMA WRITE, streamed   SEND, inline\n"
	       "          half a round trip, us       messages               half a round trip, "
	       "us\n"
	       "   bytes       min   median     99%%  per second      MB/s        min   median     "
	       "99%%\n");
	for (i = 0; i < N_SIZES && !ret; i++) {
		printf("%8u", sizes[i]);
		for (kind = KIND_WRITE_IMM; kind < KINDS && !ret; kind++)
			if (kind_takes(kind, sizes[i]))
				ret = measure(side, kind, sizes[i], times);
		printf("\n");
		fflush(stdout);
	}
	free(times);
	return ret;
}

static int answer_table(struct side *side)
{
	int ret = 0;
	size_t i;

	for (i = 0; i < N_SIZES && !ret; i++) {
		struct set set = {.size = sizes[i], .count = play_count(side, sizes[i])};

		for (set.kind = KIND_WRITE_IMM; set.kind < KINDS && !ret; set.kind++)
			if (kind_takes(set.kind, set.size))
				ret = play_answer(side, &set);
	}
	return ret;
}

static void print_header(const struct side *side)
{
	printf("%s port %u, %s, MTU %u; queue pair 0x%x, and 0x%x at the peer\n\n",
	       segue_device_name(side->device), side->path.port,
	       side->path.link == SEGUE_LINK_ROCE ? "RoCE" : "InfiniBand", side->path.mtu,
	       segue_qp_number(side->qp), side->theirs.qpn);
	fflush(stdout);
}

static int show_mistake(struct side *side)
{
	char sentence[sizeof(side->why)];
	int ret;

	/* Printed before the device's own message on stderr. */
	printf("\nA deliberate mistake, an RDMA WRITE with a wrong rkey, explained by "
	       "segue_qp_explain():\n");
	fflush(stdout);
	ret = play_mistake(side, sentence, sizeof(sentence));
	if (!ret)
		printf("  %s\n", sentence);
	return ret;
}

/* Plays all games of one side. */
static int play(struct side *side, const struct meeting *meeting)
{
	const bool caller = meeting->listener < 0;
	int ret;

	/* The first meeting exchanges endpoints, the second one follows when both can receive. */
	ret = side_meet(side, meeting);
	if (!ret)
		ret = side_connect(side);
	if (!ret)
		ret = side_meet(side, meeting);
	if (ret)
		return ret;
	if (caller)
		print_header(side);
	ret = caller ? play_table(side) : answer_table(side);
	if (!ret && caller)
		ret = show_mistake(side);
	return ret ? ret : side_meet(side, meeting);
}

static int run(const struct options *options, const struct meeting *meeting)
{
	struct side side;
	int status;

	if (side_open(&side, &options->choice) || play(&side, meeting)) {
		status = complain(&side);
	} else if (side.wrong || side.peer_wrong) {
		fprintf(stderr, "pingpong: the data is wrong: %u messages here, %u at the peer\n",
			side.wrong, side.peer_wrong);
		status = EXIT_WRONG;
	} else {
		if (meeting->listener < 0 || options->mode == SERVER)
			printf("\nData: %u messages checked here and %u at the peer, all right.\n",
			       side.checked, side.peer_checked);
		status = EXIT_SUCCESS;
	}
	side_close(&side);
	return status;
}

static int run_which(const struct options *options)
{
	struct side side = {.why = ""};

	if (segue_device_open(options->choice.device, &side.device))
		return complain(&side);
	printf("%s\n", segue_device_name(side.device));
	side_close(&side);
	return EXIT_SUCCESS;
}

static int run_server(const struct options *options, int listener)
{
	const struct meeting meeting = {.listener = listener};
	uint16_t port;
	int status;

	if (options->mode == SERVER && !segue_exchange_port(listener, &port)) {
		printf("waiting for a client at TCP port %u\n", port);
		fflush(stdout);
	}
	status = run(options, &meeting);
	close(listener);
	return status;
}

static int run_client(const struct options *options)
{
	const struct meeting meeting = {
		.listener = -1, .host = options->host, .service = options->port};

	return run(options, &meeting);
}

/* The server is a child process, and ends with this one. It opens everything itself. */
static int run_both(struct options *options, int listener)
{
	const pid_t parent = getpid();
	char port[8];
	uint16_t number;
	int status, child;
	pid_t pid;

	if (segue_exchange_port(listener, &number)) {
		fprintf(stderr, "pingpong: %s\n", segue_errmsg());
		return EXIT_FAILURE;
	}
	snprintf(port, sizeof(port), "%u", number);
	options->host = "127.0.0.1";
	options->port = port;
	pid = fork();
	if (pid < 0) {
		perror("pingpong: fork");
		return EXIT_FAILURE;
	}
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		exit(getppid() == parent ? run_server(options, listener) : EXIT_FAILURE);
	}
	close(listener);
	status = run_client(options);
	if (status != EXIT_SUCCESS && status != EXIT_WRONG)
		kill(pid, SIGTERM);
	if (waitpid(pid, &child, 0) != pid || !WIFEXITED(child))
		return status ? status : EXIT_FAILURE;
	return status ? status : WEXITSTATUS(child);
}

static int run_listening(struct options *options)
{
	int listener;

	if (segue_exchange_open(options->mode == BOTH ? "0" : options->port, &listener)) {
		fprintf(stderr, "pingpong: %s\n", segue_errmsg());
		return EXIT_FAILURE;
	}
	return options->mode == BOTH ? run_both(options, listener) : run_server(options, listener);
}

/* Reads the number of an option. Ends the program if it is invalid or out of range. */
static long number(const char *option, const char *text, long min, long max)
{
	char *end;
	long value;

	errno = 0;
	value = strtol(text, &end, 10);
	if (!errno && end != text && !*end && value >= min && value <= max)
		return value;
	fprintf(stderr, "pingpong: --%s is '%s', expected a number from %ld to %ld; see --help.\n",
		option, text, min, max);
	exit(EXIT_USAGE);
}

enum { OPT_DEVICE = 1, OPT_IB_PORT, OPT_GID_INDEX, OPT_ROUNDS, OPT_TIMEOUT, OPT_CORRUPT };

static const struct option long_options[] = {
	{"server", no_argument, NULL, 's'},
	{"client", required_argument, NULL, 'c'},
	{"port", required_argument, NULL, 'p'},
	{"which", no_argument, NULL, 'w'},
	{"help", no_argument, NULL, 'h'},
	{"device", required_argument, NULL, OPT_DEVICE},
	{"ib-port", required_argument, NULL, OPT_IB_PORT},
	{"gid-index", required_argument, NULL, OPT_GID_INDEX},
	{"rounds", required_argument, NULL, OPT_ROUNDS},
	{"timeout", required_argument, NULL, OPT_TIMEOUT},
	{"corrupt", no_argument, NULL, OPT_CORRUPT},
	{NULL, 0, NULL, 0},
};

static void choose(struct choice *choice, int option, const char *name)
{
	switch (option) {
	case OPT_DEVICE:
		choice->device = optarg;
		break;
	case OPT_IB_PORT:
		choice->port = (uint8_t)number(name, optarg, 1, 254);
		break;
	case OPT_GID_INDEX:
		choice->gid_index = (int)number(name, optarg, 0, 255);
		break;
	case OPT_ROUNDS:
		choice->rounds = (uint32_t)number(name, optarg, 1, 100000000);
		break;
	case OPT_TIMEOUT:
		choice->timeout_ms = (uint32_t)number(name, optarg, 1, 86400) * 1000;
		break;
	case OPT_CORRUPT:
		choice->corrupt = true;
		break;
	default:
		fputs("Try 'pingpong --help'.\n", stderr);
		exit(EXIT_USAGE);
	}
}

static void parse(struct options *options, int argc, char **argv)
{
	int option, index = 0;

	while ((option = getopt_long(argc, argv, "h", long_options, &index)) != -1) {
		switch (option) {
		case 's':
			options->mode = SERVER;
			break;
		case 'c':
			options->mode = CLIENT;
			options->host = optarg;
			break;
		case 'p':
			options->port = optarg;
			break;
		case 'w':
			options->mode = WHICH;
			break;
		case 'h':
			fputs(help, stdout);
			exit(EXIT_SUCCESS);
		default:
			choose(&options->choice, option, long_options[index].name);
		}
	}
	if (optind == argc)
		return;
	fprintf(stderr, "pingpong: unknown argument '%s'; see --help.\n", argv[optind]);
	exit(EXIT_USAGE);
}

int main(int argc, char **argv)
{
	struct options options = {
		.port = "18530",
		.choice = {.port = 1, .gid_index = -1, .rounds = 1000, .timeout_ms = 30000},
	};

	parse(&options, argc, argv);
	if (options.mode == WHICH)
		return run_which(&options);
	return options.mode == CLIENT ? run_client(&options) : run_listening(&options);
}
