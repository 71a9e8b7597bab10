/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * team TRANSPORT RANKS ROUNDS: teams of several processes. All write to all; over RC and DC the
 * last one dies, comes back, and is gone up with again.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "segue/peers/team.h"
#include "tests/runtime/peers/channel/rank.h"

#define BLOCK 512u

static struct segue_team *team;
static enum segue_channel_transport over;
static uint32_t rounds;

static uint32_t kills(void)
{
	return (uint32_t)atoi(getenv("SEGUE_TEST_KILLS"));
}

/* In everybody's memory: 8 bytes to tell of it, and behind them blocks that go out, and those that
 * come in. */
static uint64_t place(uint32_t part, uint32_t rank)
{
	return BLOCK + ((uint64_t)part * team->size + rank) * BLOCK;
}

static void all_to_all(uint32_t what)
{
	struct segue_local_buf from[RANKS_MAX];
	struct segue_remote_buf to[RANKS_MAX];
	const struct segue_fan fan = {
		.multi = team->multi, .count = team->size, .results = results, .deadline = soon()};
	uint32_t i, at;

	for (i = 0; i < team->size; i++) {
		for (at = 0; at < BLOCK; at++)
			team->memory[place(0, i) + at] = byte_of(team->rank, i, what, at);
		MUST(!segue_team_local_buf(team, place(0, i), BLOCK, &from[i]));
		MUST(!segue_team_remote_buf(team, i, place(1, team->rank), BLOCK, &to[i]));
	}
	MUST(over == SEGUE_TRANSPORT_UD || !segue_fan_write(&fan, from, to));
	MUST(!segue_barrier(team->multi, 0, NULL, team->size, soon()));
	for (i = 0; i < team->size && over != SEGUE_TRANSPORT_UD; i++)
		for (at = 0; at < BLOCK; at++)
			MUST(team->memory[place(1, i) + at] == byte_of(i, team->rank, what, at));
	MUST(!segue_barrier(team->multi, 0, NULL, team->size, soon()));
}

static void refusals(void)
{
	struct segue_remote_buf to;
	struct segue_local_buf from;

	MUST(segue_team_remote_buf(team, team->size, 0, 8, &to) == -EINVAL &&
	     strstr(segue_errmsg(), "does not exist"));
	MUST(segue_team_remote_buf(team, 0, team->bytes, 8, &to) == -ERANGE);
	MUST(segue_team_local_buf(team, team->bytes - 4, 8, &from) == -ERANGE);
	MUST(segue_multi_channel_at(team->multi, team->size) == NULL);
}

static void go_on(uint32_t round)
{
	const uint32_t last = team->size - 1;
	struct segue_remote_buf to;
	bool gone = false;
	uint32_t life;

	if (team->rank == last && segue_world_incarnation(team->world) == round + 1) {
		MUST(!segue_barrier_drained(team->multi, 0, NULL, team->size, soon()));
		raise(SIGKILL);
	}
	MUST(!segue_barrier_drained(team->multi, 0, NULL, team->size, soon()));
	do
		MUST(!segue_world_query_gone(team->world, last, &gone, &life));
	while (!gone && life < round + 2);
	MUST(!segue_team_meet_peer(team, last, soon()));
	MUST(!segue_team_remote_buf(team, last, 0, 8, &to));
}

static int play(void)
{
	const struct segue_team_options options = {
		.bytes = BLOCK, .bytes_per_rank = 2 * BLOCK, .queues.transport = over};
	uint32_t round;

	alarm(280);
	MUST(!segue_team_open(&options, soon(), &team));
	r.self = team->rank;
	r.count = team->size;
	MUST(team->bytes == BLOCK + team->size * 2 * BLOCK);
	refusals();
	for (round = kills(); round < rounds; round++) {
		all_to_all(round);
		go_on(round);
	}
	all_to_all(rounds);
	MUST(!segue_barrier_drained(team->multi, 0, NULL, team->size, soon()));
	MUST(!segue_team_close(team, soon()));
	return 0;
}

/* Somebody has other options than the rest. */
static int play_unequal(void)
{
	struct segue_team_options options = {.bytes = BLOCK, .queues.transport = over};
	const uint32_t rank = (uint32_t)atoi(getenv("SEGUE_RANK"));

	options.bytes += rank == 1;
	MUST(segue_team_open(&options, soon(), &team) == -EPROTO);
	MUST(rank == 1 || strstr(segue_errmsg(), "rank 1 has 513 bytes of memory, this one 512"));
	return 0;
}

/* One gives up: those that wait for it hear of that, long before their deadline. */
static int play_failure(void)
{
	const struct segue_team_options options = {.bytes = BLOCK, .queues.transport = over};

	MUST(!segue_team_open(&options, soon(), &team));
	MUST(!segue_world_fence(team->world, soon())); /* all have opened it */
	if (team->rank == 1) {
		MUST(!segue_multi_channel_fail_peer(team->multi, 2, "the test says so"));
	} else {
		MUST(segue_barrier(team->multi, 0, NULL, team->size, SEGUE_NEVER) == -ENOTCONN);
		MUST(strstr(segue_errmsg(), "has ended: it has closed its team, in which peer"));
	}
	MUST(!segue_team_close(team, soon()));
	return 0;
}

/* Each gives up when it hears of the next one's end: all name what the last one has seen. */
static int play_chain(void)
{
	const struct segue_team_options options = {.bytes = BLOCK, .queues.transport = over};
	bool gone = false;
	uint32_t life;

	MUST(!segue_team_open(&options, soon(), &team));
	MUST(!segue_world_fence(team->world, soon())); /* all have opened it */
	if (team->rank == team->size - 1) {
		MUST(!segue_multi_channel_fail_peer(team->multi, 1, "the test says so"));
	} else {
		while (!gone)
			MUST(!segue_world_query_gone(team->world, team->rank + 1, &gone, &life));
		MUST(segue_barrier(team->multi, 0, NULL, team->size, SEGUE_NEVER) == -ENOTCONN);
		MUST(strstr(segue_errmsg(), "closed its team, in which peer 1 had failed"));
	}
	MUST(!segue_team_close(team, soon()));
	return 0;
}

static int play_too_much(void)
{
	const struct segue_team_options options = {
		.bytes = UINT64_MAX, .bytes_per_rank = 8, .queues.transport = over};

	MUST(segue_team_open(&options, soon(), &team) == -EINVAL);
	MUST(strstr(segue_errmsg(), "and 8 for each of 1 ranks, are more than 64 bits count"));
	return 0;
}

int main(int argc, char **argv)
{
	uint32_t ranks;

	if (argc != 4) {
		fprintf(stderr, "usage: team rc|dc|ud RANKS ROUNDS\n");
		return 2;
	}
	over = !strcmp(argv[1], "rc")
		       ? SEGUE_TRANSPORT_RC
		       : (!strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_DC : SEGUE_TRANSPORT_UD);
	ranks = (uint32_t)atoi(argv[2]);
	rounds = (uint32_t)atoi(argv[3]);
	MUST(segue_team_close(NULL, SEGUE_NOW) == 0);
	return run_ranks(ranks, rounds, 20, play) || run_ranks(2, 0, 0, play_unequal) ||
	       run_ranks(3, 0, 0, play_failure) || run_ranks(4, 0, 0, play_chain) ||
	       run_ranks(1, 0, 0, play_too_much);
}
