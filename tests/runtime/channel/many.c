/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many TRANSPORT RANKS ROUNDS: every pattern among so many processes, each byte checked; then, ROUNDS times, one of them is killed and
 * comes back, while the others go on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "segue/barrier.h"
#include "segue/bytes.h"
#include "segue/device.h"
#include "segue/endpoint.h"
#include "segue/errmsg.h"
#include "segue/fan.h"
#include "segue/mr.h"
#include "segue/pd.h"

#define RANKS_MAX 16
#define SLOT	  512u /* bytes for each peer in each part of the memory */
#define WAIT_MS	  60000

/* Parts of a rank's memory, one slot for each peer. */
enum part { OUT, IN, BACK, PARTS };

static struct rank {
	struct segue_world *world;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_multi_channel *multi;
	struct segue_mr *mr;
	uint8_t *memory;
	uint32_t self, count, round;
	struct segue_remote boxes[RANKS_MAX]; /* the peers' whole memory */
} r;

static struct segue_fan_result results[RANKS_MAX];

#define MUST(condition)                                                                                                        \
	do {                                                                                                                   \
		if (!(condition)) {                                                                                            \
			fprintf(stderr, "rank %u of %u, round %u, line %d: %s: %s\n", r.self, r.count, r.round, __LINE__, #condition, \
				segue_errmsg());                                                                               \
			_exit(1);                                                                                              \
		}                                                                                                              \
	} while (0)

static segue_deadline soon(void)
{
	return segue_deadline_in_ms(WAIT_MS);
}

static uint8_t *slot(enum part part, uint32_t peer)
{
	return r.memory + ((uint32_t)part * RANKS_MAX + peer) * SLOT;
}

static uint8_t byte_of(uint32_t from, uint32_t to, uint32_t what, uint32_t at)
{
	return (uint8_t)(from * 31 + to * 57 + what * 101 + r.round * 13 + at * 7 + (at >> 8));
}

static void fill(uint32_t what)
{
	uint32_t peer, at;

	for (peer = 0; peer < r.count; peer++)
		for (at = 0; at < SLOT; at++)
			slot(OUT, peer)[at] = byte_of(r.self, peer, what, at);
}

static bool holds(const uint8_t *bytes, uint32_t from, uint32_t to, uint32_t what)
{
	uint32_t at;

	for (at = 0; at < SLOT; at++)
		if (bytes[at] != byte_of(from, to, what, at))
			return false;
	return true;
}

static struct segue_fan everybody(void)
{
	const struct segue_fan fan = {.multi = r.multi, .count = r.count, .results = results, .deadline = soon()};

	return fan;
}

static void locals(enum part part, uint32_t length, struct segue_local out[RANKS_MAX])
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(!segue_mr_local(r.mr, (uint64_t)(slot(part, i) - r.memory), length, &out[i]));
}

static void remotes(enum part part, uint32_t length, struct segue_remote out[RANKS_MAX])
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(!segue_remote_part(&r.boxes[i], (uint64_t)(slot(part, r.self) - r.memory), length, &out[i]));
}

static void find(uint32_t peer)
{
	MUST(!segue_multi_channel_find(r.multi, peer, "box", &r.boxes[peer], soon()));
	MUST(r.boxes[peer].length == PARTS * RANKS_MAX * SLOT);
}

static void open_rank(enum segue_over over)
{
	struct segue_multi_channel_options options = {.over = over, .imm_names_sender = over == SEGUE_OVER_DC};
	struct segue_mr_attr attr = {
		.length = PARTS * RANKS_MAX * SLOT,
		.access = SEGUE_ACCESS_FLAGS_LOCAL_WRITE | SEGUE_ACCESS_FLAGS_REMOTE_WRITE | SEGUE_ACCESS_FLAGS_REMOTE_READ |
			  SEGUE_ACCESS_FLAGS_REMOTE_ATOMIC,
	};
	struct segue_path path;
	struct segue_remote box;

	alarm(280);
	MUST(!segue_world_open(NULL, soon(), &r.world));
	r.self = options.self = segue_world_rank(r.world);
	r.count = options.peers = segue_world_size(r.world);
	MUST(!segue_device_open(&r.device, NULL));
	MUST(!segue_pd_open(r.device, &r.pd));
	r.memory = aligned_alloc(4096, attr.length);
	MUST(r.memory);
	memset(r.memory, 0, attr.length);
	attr.addr = r.memory;
	MUST(!segue_mr_open_shared(r.pd, &attr, &r.mr));
	MUST(!segue_path_init(&path, r.device, 1));
	path.timeout = 17; /* 0.5 s */
	path.retry_cnt = 5;
	options.path = &path;
	options.receive_size = SLOT;
	options.dcis = over == SEGUE_OVER_DC ? 3 : 0;
	MUST(!segue_multi_channel_open(r.pd, &options, &r.multi));
	MUST(!segue_mr_remote(r.mr, 0, attr.length, &box));
	MUST(!segue_multi_channel_meet(r.multi, r.world, "many", soon()));
	MUST(!segue_multi_channel_publish(r.multi, "box", &box));
}

static void meet_line(void)
{
	if (r.multi->over == SEGUE_OVER_UD)
		MUST(!segue_world_fence(r.world, soon()));
	else
		MUST(!segue_barrier(r.multi, 0, NULL, r.count, soon()));
}

static void check_in(uint32_t what)
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, r.self, what));
	memset(slot(IN, 0), 0, RANKS_MAX * SLOT);
}

static void play_memory(void)
{
	struct segue_local local[RANKS_MAX];
	struct segue_remote remote[RANKS_MAX];
	uint64_t add[RANKS_MAX], sum = 0;
	struct segue_fan fan = everybody();
	uint32_t i;

	fill(1);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(!segue_scatter_write(&fan, local, remote));
	for (i = 0; i < r.count; i++)
		MUST(results[i].end == SEGUE_END_CARRIED_OUT && results[i].bytes == SLOT);
	meet_line();
	check_in(1);
	locals(IN, SLOT, local);
	remotes(OUT, SLOT, remote);
	fan.deadline = soon();
	MUST(!segue_gather_read(&fan, local, remote));
	check_in(1);
	meet_line();
	for (i = 0; i < r.count; i++) {
		add[i] = r.self + 1 + i;
		/* Everybody adds to the first slot of the part. */
		MUST(!segue_remote_part(&r.boxes[i], (uint64_t)(slot(BACK, 0) - r.memory), 8, &remote[i]));
	}
	locals(IN, 8, local);
	MUST(!segue_scatter_atomic(&fan, local, remote, add));
	meet_line();
	for (i = 0; i < r.count; i++)
		sum += i + 1 + r.self;
	MUST(*(uint64_t *)(void *)slot(BACK, 0) == sum || segue_get_be64(slot(BACK, 0)) == sum);
	memset(slot(BACK, 0), 0, 8);
	memset(slot(IN, 0), 0, RANKS_MAX * SLOT);
	meet_line();
}

static void play_messages(void)
{
	struct segue_local out[RANKS_MAX], in[RANKS_MAX];
	struct segue_fan fan = everybody();
	uint32_t i, at;

	fill(2);
	locals(OUT, SLOT, out);
	locals(IN, SLOT, in);
	MUST(!segue_scatter_send(&fan, out));
	fan.deadline = soon();
	MUST(!segue_gather_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(results[i].bytes == SLOT);
	check_in(2);
	meet_line();
	/* The same for all: what rank 0 would get. */
	for (at = 0; at < SLOT; at++)
		slot(OUT, 0)[at] = byte_of(r.self, 0, 3, at);
	fan.deadline = soon();
	MUST(!segue_multicast_send(&fan, &out[0]));
	MUST(!segue_gather_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, 0, 3));
	meet_line();
}

/* Barriers of some only, and one to which a rank does not come. */
static void play_barriers(void)
{
	const uint32_t pair[] = {0, r.count - 1};
	int i;

	for (i = 0; i < 50; i++)
		meet_line();
	if (r.self == pair[0] || r.self == pair[1])
		for (i = 0; i < 20; i++)
			MUST(!segue_barrier(r.multi, 3, pair, r.count == 1 ? 1 : 2, soon()));
	meet_line();
	if (r.count < 2)
		return;
	if (r.self == 1) {
		/* Late: the others have given it up when it comes. */
		MUST(!segue_world_fence(r.world, soon()));
	} else {
		MUST(segue_barrier(r.multi, 0, NULL, r.count, segue_deadline_in_ms(100)) == -ETIMEDOUT);
		MUST(strstr(segue_errmsg(), "missing"));
		MUST(!segue_world_fence(r.world, soon()));
	}
	if (r.self == 1)
		(void)segue_barrier(r.multi, 0, NULL, r.count, segue_deadline_in_ms(100));
	MUST(!segue_world_fence(r.world, soon()));
	meet_line();
}

static void survivors(uint32_t dead, uint32_t peers[RANKS_MAX])
{
	uint32_t i, n = 0;

	for (i = 0; i < r.count; i++)
		if (i != dead)
			peers[n++] = i;
}

/* After the last one was killed: the others' requests are carried out, its own are not, and it is named. */
static void outlive(uint32_t dead)
{
	struct segue_local local[RANKS_MAX];
	struct segue_remote remote[RANKS_MAX];
	struct segue_fan fan = everybody();
	struct segue_channel *channel = segue_multi_channel_peer(r.multi, dead);
	uint32_t i, peers[RANKS_MAX];

	while (segue_world_gone(r.world, dead, NULL) != 1 && segue_deadline_left_ms(fan.deadline))
		usleep(1000);
	fill(4);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(segue_scatter_write(&fan, local, remote) == -EIO);
	for (i = 0; i < r.count; i++)
		MUST(i == dead ? results[i].error && results[i].end != SEGUE_END_CARRIED_OUT : !results[i].error);
	MUST(segue_channel_state(channel) == SEGUE_CHANNEL_FAILED);
	MUST(strstr(segue_channel_reason(channel), "peer") && strstr(results[dead].sentence, "generation"));
	/* From now on it is refused at once, with the reason. */
	fan.deadline = soon();
	MUST(segue_gather_read(&fan, local, remote) == -EIO);
	MUST(results[dead].error == -ENOTCONN && results[dead].end == SEGUE_END_NOT_CARRIED_OUT);
	survivors(dead, peers);
	MUST(!segue_barrier(r.multi, 4, peers, r.count - 1, soon()));
}

/* It is back, of the next generation. */
static void welcome(uint32_t dead)
{
	const struct segue_peer before = segue_channel_peer(segue_multi_channel_peer(r.multi, dead));
	struct segue_peer now;

	MUST(!segue_multi_channel_renew(r.multi, r.world, dead, soon()));
	now = segue_channel_peer(segue_multi_channel_peer(r.multi, dead));
	MUST(now.index == dead && now.generation == before.generation + 1);
	MUST(!segue_channel_reason(segue_multi_channel_peer(r.multi, dead))[0]);
	find(dead);
}

/* All together, over whatever generations; fences of the world, as barriers of the returned one begin anew. */
static void play_after_return(void)
{
	struct segue_local local[RANKS_MAX];
	struct segue_remote remote[RANKS_MAX];
	struct segue_fan fan = everybody();

	fill(5);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(!segue_scatter_write(&fan, local, remote));
	MUST(!segue_world_fence(r.world, soon()));
	check_in(5);
	MUST(!segue_world_fence(r.world, soon()));
}

static int run_rank(enum segue_over over, uint32_t rounds)
{
	uint32_t i, dead;
	bool returned;

	open_rank(over);
	dead = r.count - 1;
	returned = segue_world_life(r.world) > 1;
	for (i = 0; i < r.count; i++)
		find(i);
	if (!returned) {
		MUST(!segue_world_fence(r.world, soon()));
		if (over != SEGUE_OVER_UD) {
			play_memory();
			play_barriers();
		}
		play_messages();
		/* What a process has posted may die with it, and the last barrier's numbers are no exception. */
		MUST(!segue_world_fence(r.world, soon()));
	}
	for (r.round = segue_world_life(r.world) - 1; r.round < rounds; r.round++) {
		if (r.self == dead) {
			if (returned) {
				r.round--;
				play_after_return();
				r.round++;
			}
			raise(SIGKILL);
		}
		outlive(dead);
		welcome(dead);
		play_after_return();
	}
	if (r.self == dead && returned) {
		r.round--;
		play_after_return();
	}
	MUST(!segue_world_fence(r.world, soon()));
	MUST(!segue_multi_channel_close(r.multi));
	MUST(!segue_device_close(r.device));
	MUST(!segue_world_close(r.world, soon()));
	return 0;
}

static void set_number(const char *name, uint32_t value)
{
	char text[16];

	snprintf(text, sizeof(text), "%u", value);
	setenv(name, text, 1);
}

static pid_t start(uint32_t rank, enum segue_over over, uint32_t rounds)
{
	const pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	set_number("SEGUE_RANK", rank);
	exit(run_rank(over, rounds));
}

int main(int argc, char **argv)
{
	const enum segue_over over = argc > 1 && !strcmp(argv[1], "dc")	  ? SEGUE_OVER_DC
				     : argc > 1 && !strcmp(argv[1], "ud") ? SEGUE_OVER_UD
									  : SEGUE_OVER_RC;
	const uint32_t ranks = argc > 2 ? (uint32_t)atoi(argv[2]) : 4, rounds = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
	pid_t pids[RANKS_MAX], pid;
	uint32_t left = ranks, rank, kills = 0;
	char rendezvous[32];
	int listener, status;
	uint16_t port;

	if (!ranks || ranks > RANKS_MAX || segue_exchange_open("0", &listener) || segue_exchange_port(listener, &port))
		return 2;
	close(listener);
	snprintf(rendezvous, sizeof(rendezvous), "127.0.0.1:%u", port);
	setenv("SEGUE_RENDEZVOUS", rendezvous, 1);
	set_number("SEGUE_SIZE", ranks);
	for (rank = 0; rank < ranks; rank++)
		pids[rank] = start(rank, over, rounds);
	while (left && (pid = wait(&status)) > 0) {
		for (rank = 0; rank < ranks && pids[rank] != pid; rank++)
			;
		if (rank < ranks && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL && kills < rounds) {
			kills++;
			sleep(1); /* so that the others see it dead, not only back */
			pids[rank] = start(rank, over, rounds);
			continue;
		}
		if (!WIFEXITED(status) || WEXITSTATUS(status)) {
			fprintf(stderr, "rank %u ended with status 0x%x\n", rank, status);
			return 1;
		}
		left--;
	}
	printf("%u ranks, %u deaths, all right\n", ranks, kills);
	return kills == rounds ? 0 : 1;
}
