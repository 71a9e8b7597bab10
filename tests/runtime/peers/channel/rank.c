/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "tests/runtime/peers/channel/rank.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "segue/endpoint.h"
#include "segue/peers/exchange.h"

struct rank r;
struct segue_fan_result results[RANKS_MAX];

segue_deadline soon(void)
{
	return segue_deadline_in_ms(WAIT_MS);
}

uint8_t *slot(enum part part, uint32_t peer)
{
	return r.memory + ((uint32_t)part * RANKS_MAX + peer) * SLOT;
}

uint8_t byte_of(uint32_t from, uint32_t to, uint32_t what, uint32_t at)
{
	return (uint8_t)(from * 31 + to * 57 + what * 101 + r.round * 13 + at * 7 + (at >> 8));
}

void fill(uint32_t what)
{
	uint32_t peer, at;

	for (peer = 0; peer < r.count; peer++)
		for (at = 0; at < SLOT; at++)
			slot(OUT, peer)[at] = byte_of(r.self, peer, what, at);
}

bool holds(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t what)
{
	uint32_t at;

	for (at = 0; at < SLOT; at++)
		if (bytes[at] != byte_of(from, to, what, at))
			return false;
	return true;
}

struct segue_fan everybody(void)
{
	const struct segue_fan fan = {
		.multi = r.multi, .count = r.count, .results = results, .deadline = soon()};

	return fan;
}

void locals(enum part part, uint32_t length, struct segue_local_buf out[RANKS_MAX])
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(!segue_mr_local_buf(r.mr, (uint64_t)(slot(part, i) - r.memory), length,
					 &out[i]));
}

void remotes(enum part part, uint32_t length, struct segue_remote_buf out[RANKS_MAX])
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(!segue_remote_buf_part(&r.boxes[i], (uint64_t)(slot(part, r.self) - r.memory),
					    length, &out[i]));
}

void find(uint32_t peer)
{
	MUST(!segue_multi_channel_find(r.multi, peer, "box", soon(), &r.boxes[peer]));
	MUST(r.boxes[peer].length == PARTS * RANKS_MAX * SLOT);
}

void check_in(uint32_t what)
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, r.self, what));
	memset(slot(IN, 0), 0, RANKS_MAX * SLOT);
}

/* However many they are: over RC each asks each for a number, and else there is a tree of 16 below
 * each. */
static void meet(const struct segue_multi_channel_options *options)
{
	const uint64_t numbers = options->transport == SEGUE_TRANSPORT_RC ? 1 + r.count : 0,
		       most = 16 + 5;
	struct segue_world_traffic before, taken;

	segue_world_get_traffic(r.world, &before);
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	segue_world_get_traffic(r.world, &taken);
	taken.exchanges -= before.exchanges;
	taken.bytes -= before.bytes;
	if (segue_world_incarnation(r.world) > 1)
		return;
	MUST(taken.exchanges <= (options->on_demand ? 0 : numbers + most));
	if (r.self == 0)
		printf("each of %u ranks: %llu exchanges with the rendezvous, %llu bytes of keys "
		       "and values\n",
		       r.count, (unsigned long long)taken.exchanges,
		       (unsigned long long)taken.bytes);
	fflush(stdout);
}

void open_queues(struct segue_multi_channel_options *options)
{
	struct segue_mr_options attr = {
		.length = PARTS * RANKS_MAX * SLOT,
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC,
	};
	const char *timeout = getenv("SEGUE_TEST_TIMEOUT");
	struct segue_path path;

	alarm(280);
	MUST(!segue_world_open(NULL, soon(), &r.world));
	r.self = options->self = segue_world_rank(r.world);
	r.count = options->peers = segue_world_size(r.world);
	MUST(!segue_device_open(NULL, &r.device));
	MUST(!segue_pd_open(r.device, &r.pd));
	r.memory = aligned_alloc(4096, attr.length);
	MUST(r.memory);
	memset(r.memory, 0, attr.length);
	attr.addr = r.memory;
	MUST(!segue_mr_open(r.pd, &attr, &r.mr));
	MUST(!segue_path_init(&path, r.device, 1));
	/* 0.5 s; by hand less, where the machine has nothing else to do */
	path.timeout = timeout ? (uint8_t)atoi(timeout) : 17;
	path.retry_cnt = 5;
	path.qkey = 0x4711; /* UD: that of a group, too */
	options->path = &path;
	options->receive_size = SLOT;
	options->ask_world_ms = 50;
	options->imm_names_sender = options->transport == SEGUE_TRANSPORT_DC;
	options->dcis = options->transport == SEGUE_TRANSPORT_DC ? 3 : 0;
	MUST(!segue_multi_channel_open(r.pd, options, &r.multi));
	options->path = NULL;
}

void open_rank(struct segue_multi_channel_options options)
{
	struct segue_remote_buf box;

	open_queues(&options);
	MUST(!segue_mr_remote_buf(r.mr, 0, PARTS * RANKS_MAX * SLOT, &box));
	meet(&options);
	MUST(!segue_multi_channel_publish(r.multi, "box", &box));
}

void close_rank(void)
{
	MUST(!segue_multi_channel_close(r.multi));
	MUST(!segue_device_close(r.device));
	MUST(!segue_world_close(r.world, soon()));
}

void survivors(uint32_t dead, uint32_t peers[RANKS_MAX])
{
	uint32_t i, n = 0;

	for (i = 0; i < r.count; i++)
		if (i != dead)
			peers[n++] = i;
}

void set_number(const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	setenv(name, text, 1);
}

pid_t start_rank(uint32_t rank, int (*rank_main)(void))
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_number("SEGUE_RANK", rank);
	exit(rank_main());
}

int prepare_world(uint32_t ranks)
{
	char rendezvous[32];
	uint16_t port;
	int listener;

	if (!ranks || ranks > RANKS_MAX || segue_exchange_open("0", &listener) ||
	    segue_exchange_port(listener, &port))
		return -1;
	close(listener);
	snprintf(rendezvous, sizeof(rendezvous), "127.0.0.1:%u", port);
	set_number("SEGUE_SIZE", ranks);
	return setenv("SEGUE_RENDEZVOUS", rendezvous, 1) ||
	       setenv("SEGUE_TOKEN", "a secret of this test", 1);
}

/* The rendezvous, in a process that is no rank. */
static int serve(void)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	MUST(!segue_world_serve(NULL, soon()));
	return 0;
}

int run_ranks(uint32_t ranks, uint32_t kills, uint32_t pause_ms, int (*rank_main)(void))
{
	uint32_t left = ranks, rank, killed = 0;
	pid_t pids[RANKS_MAX], pid;
	int status;

	if (prepare_world(ranks))
		return 2;
	set_number("SEGUE_TEST_KILLS", 0);
	if (getenv("SEGUE_SERVED") && left++ && !fork())
		exit(serve());
	for (rank = 0; rank < ranks; rank++)
		pids[rank] = start_rank(rank, rank_main);
	while (left && (pid = wait(&status)) > 0) {
		for (rank = 0; rank < ranks && pids[rank] != pid; rank++)
			;
		if (rank < ranks && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL &&
		    killed < kills) {
			set_number("SEGUE_TEST_KILLS", ++killed);
			usleep(pause_ms * 1000);
			pids[rank] = start_rank(rank, rank_main);
			continue;
		}
		if (!WIFEXITED(status) || WEXITSTATUS(status)) {
			fprintf(stderr, "rank %u ended with status 0x%x\n", rank, status);
			return 1;
		}
		left--;
	}
	printf("%u ranks, %u deaths, all right\n", ranks, killed);
	return killed == kills ? 0 : 1;
}
