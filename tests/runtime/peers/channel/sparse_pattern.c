/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * sparse RANKS: ranks in a ring, each of which speaks to its two neighbours and to nobody else: so
 * there is a queue pair for each of these, and none for the others. The last rank dies and comes
 * back.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "segue/peers/scope.h"
#include "tests/runtime/peers/channel/rank.h"

/* In the order of their indices, so that nobody waits in a circle. */
static void neighbours(uint32_t out[2])
{
	const uint32_t before = (r.self + r.count - 1) % r.count, behind = (r.self + 1) % r.count;

	out[0] = before < behind ? before : behind;
	out[1] = before < behind ? behind : before;
}

static void check_states(void)
{
	uint32_t near[2], i;

	neighbours(near);
	for (i = 0; i < r.count; i++)
		MUST(segue_channel_state(segue_multi_channel_at(r.multi, i)) ==
		     (i == near[0] || i == near[1] ? SEGUE_CHANNEL_UP : SEGUE_CHANNEL_MADE));
}

/* Both write to this one's memory, and it to theirs. Each time elsewhere: who is quick is ahead of
 * the others by one. */
static void play(enum part to)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];
	uint32_t near[2], i;
	int ret;

	neighbours(near);
	fill(3);
	locals(OUT, SLOT, local);
	for (i = 0; i < 2; i++) {
		find(near[i]);
		MUST(!segue_remote_buf_part(&r.boxes[near[i]],
					    (uint64_t)(slot(to, r.self) - r.memory), SLOT,
					    &remote[i]));
		MUST(!segue_channel_write(segue_multi_channel_at(r.multi, near[i]), &local[near[i]],
					  &remote[i], soon()));
	}
	/* Those that are not its neighbours come here while one is dead. */
	while ((ret = segue_world_fence(r.world, soon())) == -ENOTCONN)
		usleep(1000);
	MUST(!ret);
	for (i = 0; i < 2; i++)
		MUST(holds(slot(to, near[i]), near[i], r.self, 3));
	check_states();
}

static void check_refusals(void)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_fan fan = everybody();
	struct segue_scope scope;
	uint32_t i;

	locals(OUT, SLOT, local);
	segue_scope_begin(&scope, r.multi, soon());
	MUST(segue_fan_send(&fan, local) == -EIO);
	for (i = 0; i < r.count; i++)
		MUST(results[i].error == -ENOTCONN && results[i].end == SEGUE_OUTCOME_NOT_EXECUTED);
	MUST(!segue_channel_rc_sq(segue_multi_channel_at(r.multi, 0)) &&
	     strstr(segue_errmsg(), "segue_multi_channel_meet_peer()"));
	MUST(!segue_scope_end(&scope));
	MUST(!segue_multi_channel_drain(r.multi, SEGUE_NOW));
	segue_multi_channel_hand_over(r.multi);
}

/* The neighbours of the one that died wait for its return, whether they know of its death yet or
 * not; the others have nothing to do with that. */
static void welcome(uint32_t dead)
{
	uint32_t near[2], i;

	neighbours(near);
	for (i = 0; i < 2; i++) {
		if (near[i] != dead)
			continue;
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, dead, soon()));
		MUST(segue_channel_peer(segue_multi_channel_at(r.multi, dead)).generation == 2);
	}
}

static int run_rank(void)
{
	const char *kills = getenv("SEGUE_TEST_KILLS");
	const bool back = kills && atoi(kills);
	struct segue_world_traffic before, now;
	uint64_t alone;
	uint32_t near[2], i;

	open_rank((struct segue_multi_channel_options){.transport = SEGUE_TRANSPORT_RC,
						       .on_demand = true});
	neighbours(near);
	alone = segue_multi_channel_bytes_per_peer(r.multi);
	check_refusals();
	segue_world_get_traffic(r.world, &before);
	for (i = 0; i < 2; i++) {
		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, near[i], soon()));
	}
	segue_world_get_traffic(r.world, &now);
	if (r.self == 0)
		printf("two of %u peers: %llu exchanges, %llu bytes of memory for each of all, "
		       "%llu before\n",
		       r.count, (unsigned long long)(now.exchanges - before.exchanges),
		       (unsigned long long)segue_multi_channel_bytes_per_peer(r.multi),
		       (unsigned long long)alone);
	MUST(segue_multi_channel_bytes_per_peer(r.multi) > alone);
	if (!back) {
		play(IN);
		if (r.self == r.count - 1)
			raise(SIGKILL);
		welcome(r.count - 1);
	}
	play(BACK);
	close_rank();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 2 || atoi(argv[1]) < 4) {
		fprintf(stderr, "usage: sparse RANKS; 4 or more\n");
		return 2;
	}
	return run_ranks((uint32_t)atoi(argv[1]), 1, 0, run_rank);
}
