/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * kills TRANSPORT RANKS ROUNDS kill|cut|heal: in the middle of a pattern, which goes on and on, one
 * rank is killed, or its link is cut. The others complete, know who it was and why, and go on
 * without it; then it is back (by a new process, or, when the link heals, by itself), and all work
 * together again. By hand with 100 rounds. A cut is known only when all retries are over:
 * SEGUE_TEST_TIMEOUT=15 makes each 0.13 s in place of 0.5 s.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>

#include "tests/runtime/peers/channel/rank.h"
#include "tests/seed/seed.h"

#define BARRIER_MS (cuts ? 3000 : 8000) /* a cut is no death, so nobody is told of it */
#define ROUND_S	   120 /* at most */

enum pattern { WRITE, READ, MULTICAST, BARRIER, PATTERNS };

static enum segue_channel_transport over;
static uint32_t rounds;
static bool cuts, heals;

/* Messages of this round. */
static uint64_t received[RANKS_MAX], sent;
static uint32_t iteration;
static volatile sig_atomic_t is_time;

struct message {
	uint32_t round, iteration;
};

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct message message;

	(void)arg;
	if (!segue_wc_is_receive(wc))
		return;
	if (!wc->syndrome && wc->peer.index < r.count) {
		memcpy(&message, segue_multi_channel_payload(r.multi, wc), sizeof(message));
		/* Of one that dies in this round some may be left in the next: not after its place
		 * was taken. */
		MUST(message.round == r.round);
		MUST(message.iteration == received[wc->peer.index]);
		received[wc->peer.index]++;
	}
	segue_multi_channel_give_back(r.multi, wc);
}

/* ---- patterns: 0, or what the call says ---- */

static int write_once(const struct segue_fan *fan)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];

	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	return segue_fan_write(fan, local, remote);
}

static int read_once(const struct segue_fan *fan)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];
	uint32_t i;
	int ret;

	locals(BACK, SLOT, local);
	remotes(OUT, SLOT, remote);
	ret = segue_fan_read(fan, local, remote);
	for (i = 0; i < r.count; i++)
		MUST(results[i].error || holds(slot(BACK, i), i, r.self, 9));
	return ret;
}

static int multicast_once(const struct segue_fan *fan)
{
	const struct message message = {r.round, iteration};
	struct segue_local_buf local;

	memcpy(slot(BACK, 0), &message, sizeof(message));
	MUST(!segue_mr_local_buf(r.mr, (uint64_t)(slot(BACK, 0) - r.memory), sizeof(message),
				 &local));
	return segue_fan_send_same(fan, &local);
}

static int play_once(enum pattern pattern)
{
	const struct segue_fan fan = everybody();

	switch (pattern) {
	case WRITE:
		return write_once(&fan);
	case READ:
		return read_once(&fan);
	case MULTICAST:
		return multicast_once(&fan);
	default:
		return segue_barrier(r.multi, 0, NULL, r.count, segue_deadline_in_ms(BARRIER_MS));
	}
}

/* Everybody else's has been carried out. */
static void check_others(uint32_t dead)
{
	uint32_t i;

	for (i = 0; i < r.count; i++)
		MUST(i == dead ? results[i].error && results[i].end != SEGUE_OUTCOME_EXECUTED &&
					 results[i].sentence[0]
			       : !results[i].error);
}

/* ---- who dies ---- */

static void on_alarm(int number)
{
	(void)number;
	is_time = 1;
	if (!cuts)
		(void)kill(getpid(), SIGKILL);
}

static void inject_fault(const char *line)
{
	int (*inject)(const char *);

	*(void **)&inject = dlsym(RTLD_DEFAULT, "softhca_inject");
	MUST(inject && !inject(line));
}

/* In the middle of what it does. When its link is cut, it lives until the others have found that
 * out. */
static void die(enum pattern pattern)
{
	struct itimerval in = {
		.it_value = {0,
			     2000 + (long)((segue_test_seed() * 2654435761u * (r.round + 1)) >> 8) %
					     40000}};
	char key[SEGUE_WORLD_KEY_MAX + 1], byte[1];
	struct segue_world_value value = {.data = byte, .size = 1};
	uint32_t i;

	MUST(signal(SIGALRM, on_alarm) != SIG_ERR && !setitimer(ITIMER_REAL, &in, NULL));
	for (; !is_time; iteration++)
		MUST(!play_once(pattern));
	inject_fault("drop 100%");
	/* Too early: neither is there anybody yet, nor would anything arrive. */
	MUST(!heals || segue_multi_channel_meet_peer(r.multi, r.world, 0,
						     segue_deadline_in_ms(20)) == -ETIMEDOUT);
	snprintf(key, sizeof(key), "seen/%u", r.round);
	for (i = 0; i < r.count; i++) {
		value.size = 1;
		MUST(i == r.self || !segue_world_get(r.world, i, key, soon(), &value));
	}
	if (!heals)
		raise(SIGKILL);
}

/* Nobody else had to start anything. */
static void come_back(void)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];
	uint32_t i;

	MUST(signal(SIGALRM, SIG_DFL) != SIG_ERR);
	alarm(ROUND_S);
	is_time = 0;
	inject_fault("clear");
	snprintf(key, sizeof(key), "healed/%u", r.round);
	MUST(!segue_world_put(r.world, key, "x", 1));
	for (i = 0; i < r.count; i++) {
		const struct segue_channel *channel = segue_multi_channel_at(r.multi, i);
		const uint32_t generation = segue_channel_peer(channel).generation;

		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, i, soon()));
		MUST(segue_channel_state(channel) == SEGUE_CHANNEL_UP &&
		     segue_channel_peer(channel).generation == generation + 1);
	}
	MUST(!segue_barrier_restart(r.multi, r.round + 1));
}

/* It does not hear this, and what it put when it did the same is no answer to this. */
static void try_too_early(uint32_t dead)
{
	MUST(segue_multi_channel_meet_peer(r.multi, r.world, dead, segue_deadline_in_ms(20)) ==
	     -ETIMEDOUT);
	MUST(strstr(segue_errmsg(), "has not come back in time"));
	MUST(segue_channel_state(segue_multi_channel_at(r.multi, dead)) == SEGUE_CHANNEL_FAILED);
}

/* The same process as before. */
static void welcome_back(uint32_t dead)
{
	struct segue_channel *channel = segue_multi_channel_at(r.multi, dead);
	char key[SEGUE_WORLD_KEY_MAX + 1], byte[1];
	struct segue_world_value value = {.data = byte, .size = 1};
	uint32_t generation;

	snprintf(key, sizeof(key), "healed/%u", r.round);
	MUST(!segue_world_get(r.world, dead, key, soon(), &value));
	generation = segue_channel_peer(channel).generation;
	MUST(!segue_multi_channel_meet_peer(r.multi, r.world, dead, soon()));
	MUST(segue_channel_state(channel) == SEGUE_CHANNEL_UP &&
	     segue_channel_peer(channel).generation == generation + 1);
	MUST(!segue_barrier_restart(r.multi, r.round + 1));
}

/* ---- who goes on ---- */

static void meet_all(void)
{
	MUST(!segue_barrier(r.multi, 0, NULL, r.count, soon()));
}

static void meet_survivors(uint32_t dead)
{
	uint32_t peers[RANKS_MAX];

	survivors(dead, peers);
	MUST(!segue_barrier(r.multi, dead, peers, r.count - 1, soon()));
}

/* Plays until it fails, and a barrier, which only fails for want of somebody, until it is known who
 * that is. */
static void play_until_death(enum pattern pattern, uint32_t dead)
{
	const struct segue_channel *channel = segue_multi_channel_at(r.multi, dead);
	struct segue_fan fan;
	int ret = 0;

	for (; !ret; iteration++)
		ret = play_once(pattern);
	sent = iteration;
	if (pattern == BARRIER) {
		MUST(ret == -ENOTCONN || ret == -ETIMEDOUT);
		ret = 0;
		while (!ret) {
			fan = everybody();
			ret = write_once(&fan);
		}
	}
	MUST(ret == -EIO);
	check_others(dead);
	MUST(segue_channel_state(channel) == SEGUE_CHANNEL_FAILED);
	MUST(strstr(segue_channel_reason(channel), "generation"));
	if (cuts)
		MUST(strstr(segue_channel_reason(channel), "RETRY_EXC"));
	/* Now it is refused at once. */
	fan = everybody();
	MUST(write_once(&fan) == -EIO && results[dead].error == -ENOTCONN &&
	     results[dead].end == SEGUE_OUTCOME_NOT_EXECUTED);
	check_others(dead);
}

/* Who finds nothing lets others run. */
static void poll_once(void)
{
	const int found = segue_multi_channel_poll_each(r.multi, 64, on_completion, NULL);

	MUST(found >= 0);
	if (!found)
		sched_yield();
}

/* How many messages each survivor has sent; all have come, once and in order. */
static void check_messages(uint32_t dead)
{
	struct segue_local_buf local[RANKS_MAX], mine[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX], theirs[RANKS_MAX];
	uint32_t peers[RANKS_MAX], i;
	struct segue_fan fan = everybody();
	uint64_t theirs_sent;

	survivors(dead, peers);
	fan.peers = peers;
	fan.count = r.count - 1;
	for (i = 0; i < r.count; i++)
		memcpy(slot(OUT, i), &sent, sizeof(sent));
	locals(OUT, sizeof(sent), local);
	remotes(IN, sizeof(sent), remote);
	for (i = 0; i < fan.count; i++) {
		mine[i] = local[peers[i]];
		theirs[i] = remote[peers[i]];
	}
	MUST(!segue_fan_write(&fan, mine, theirs));
	meet_survivors(dead);
	for (i = 0; i < fan.count; i++) {
		const segue_deadline deadline = soon();

		memcpy(&theirs_sent, slot(IN, peers[i]), sizeof(theirs_sent));
		while (received[peers[i]] < theirs_sent && segue_deadline_left_ms(deadline))
			poll_once();
		MUST(received[peers[i]] == theirs_sent);
	}
	meet_survivors(dead);
}

static void outlive(enum pattern pattern, uint32_t dead)
{
	char key[SEGUE_WORLD_KEY_MAX + 1];

	play_until_death(pattern, dead);
	meet_survivors(dead);
	if (pattern == MULTICAST)
		check_messages(dead);
	if (heals)
		try_too_early(dead);
	snprintf(key, sizeof(key), "seen/%u", r.round);
	MUST(!segue_world_put(r.world, key, "x", 1));
	if (heals)
		welcome_back(dead);
	else
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, dead, soon()));
	MUST(!segue_channel_reason(segue_multi_channel_at(r.multi, dead))[0]);
	find(dead);
}

/* All are there again. */
static void play_together(void)
{
	struct segue_fan fan;

	meet_all();
	fill(5);
	fan = everybody();
	MUST(!write_once(&fan));
	meet_all();
	check_in(5);
	meet_all();
}

static int run_rank(void)
{
	const char *kills = getenv("SEGUE_TEST_KILLS");
	uint32_t i, dead;

	open_rank(
		(struct segue_multi_channel_options){.transport = over, .handler = on_completion});
	for (i = 0; i < r.count; i++)
		find(i);
	r.round = kills ? (uint32_t)atoi(kills) : 0;
	if (r.round) {
		r.round--;
		play_together();
		r.round++;
	} else {
		MUST(!segue_world_fence(r.world, soon()));
	}
	for (; r.round < rounds; r.round++) {
		const enum pattern pattern = r.round % PATTERNS;

		alarm(ROUND_S);
		dead = 1 + r.round % (r.count - 1);
		memset(received, 0, sizeof(received));
		iteration = 0;
		fill(9);
		/* Not a barrier: the one that dies is through it, and dead, before others are,
		 * where there are few processors. */
		MUST(!segue_world_fence(r.world, soon()));
		if (r.self == dead) {
			die(pattern);
			come_back();
		} else {
			outlive(pattern, dead);
		}
		play_together();
	}
	MUST(!segue_world_fence(r.world, soon()));
	close_rank();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 5 || atoi(argv[2]) < 3) {
		fprintf(stderr, "usage: kills rc|dc RANKS ROUNDS kill|cut|heal; 3 ranks or more\n");
		return 2;
	}
	over = strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_RC : SEGUE_TRANSPORT_DC;
	rounds = (uint32_t)atoi(argv[3]);
	heals = !strcmp(argv[4], "heal");
	cuts = heals || !strcmp(argv[4], "cut");
	(void)segue_test_seed();
	return run_ranks((uint32_t)atoi(argv[2]), heals ? 0 : rounds, 100, run_rank);
}
