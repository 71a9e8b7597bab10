/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * part rc|dc|ud KILLS: three of five ranks have a multi-channel of their own, over a group; the
 * other two know nothing of it. One of the three dies, and comes back.
 */
#define _GNU_SOURCE
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runtime/peers/channel/rank.h"

static const uint32_t part[] = {1, 2, 4};

#define PART  (sizeof(part) / sizeof(part[0]))

static enum segue_channel_transport over;
static uint32_t kills;

static void ignore(const struct segue_wc *wc, void *arg)
{
	(void)wc;
	(void)arg;
}

static void all_to_all(uint32_t what)
{
	struct segue_local_buf from[RANKS_MAX];
	struct segue_remote_buf to[RANKS_MAX];
	const struct segue_fan fan = everybody();
	uint32_t i;

	if (over == SEGUE_TRANSPORT_UD) {
		for (i = 0; i < 20; i++)
			MUST(!segue_barrier(r.multi, 1, NULL, r.count, soon()));
		return;
	}
	fill(what);
	locals(OUT, SLOT, from);
	remotes(IN, SLOT, to);
	MUST(!segue_barrier(r.multi, 1, NULL, r.count, soon()));
	MUST(!segue_fan_write(&fan, from, to));
	MUST(!segue_barrier(r.multi, 1, NULL, r.count, soon()));
	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, r.self, what));
}

static void open_part(struct segue_world *world)
{
	struct segue_multi_channel_options options = {
		.transport = over, .peers = PART, .ask_world_ms = 50, .events = true};
	struct segue_mr_options attr = {.length = PARTS * RANKS_MAX * SLOT,
					.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE};
	struct segue_remote_buf box;

	MUST(!segue_world_open_group(world, "part", part, PART, &r.world));
	r.self = options.self = segue_world_rank(r.world);
	r.count = segue_world_size(r.world);
	MUST(!segue_device_open(NULL, &r.device) && !segue_pd_open(r.device, &r.pd));
	r.memory = attr.addr = aligned_alloc(4096, attr.length);
	MUST(r.memory && !segue_mr_open(r.pd, &attr, &r.mr));
	memset(r.memory, 0, attr.length);
	MUST(!segue_multi_channel_open(r.pd, &options, &r.multi));
	MUST(!segue_multi_channel_meet(r.multi, r.world, "part", soon()));
	MUST(!segue_mr_remote_buf(r.mr, 0, attr.length, &box));
	MUST(!segue_multi_channel_publish(r.multi, "box", &box));
}

/* The world's word wakes who sleeps on the queues. */
static void sleep_until_told(uint32_t dead)
{
	struct pollfd fd = {.fd = segue_multi_channel_fd(r.multi), .events = POLLIN};
	enum segue_channel_state state;
	struct segue_peer_id peer;
	int ret;

	MUST(fd.fd >= 0);
	while (!segue_multi_channel_next_change(r.multi, &peer, &state)) {
		ret = segue_multi_channel_arm(r.multi);
		MUST(ret >= 0);
		if (!ret)
			MUST(poll(&fd, 1, WAIT_MS) == 1);
		MUST(segue_multi_channel_poll_each(r.multi, 16, ignore, NULL) >= 0);
	}
	MUST(peer.index == dead && state == SEGUE_CHANNEL_FAILED);
}

/* Who dies does it when the others are past the barrier: one that is still in it may be told that
 * he is dead before it hears what he has sent. */
static void wait_for_others(uint32_t round)
{
	struct segue_world_value value = {.data = &round, .size = sizeof(round)};
	char key[32];
	uint32_t i;

	snprintf(key, sizeof(key), "past %u", round);
	if (r.self != PART - 1) {
		MUST(!segue_world_put(r.world, key, &round, sizeof(round)));
		return;
	}
	for (i = 0; i < PART - 1; i++)
		MUST(!segue_world_get(r.world, i, key, soon(), &value));
}

static void die_and_be_renewed(uint32_t round)
{
	const uint32_t last = PART - 1;
	uint32_t life = 0;
	bool gone;

	wait_for_others(round);
	if (r.self == last && segue_world_incarnation(r.world) == round + 1)
		raise(SIGKILL);
	if (r.self != last && over == SEGUE_TRANSPORT_UD)
		MUST(segue_barrier(r.multi, 1, NULL, r.count, soon()) == -ENOTCONN);
	if (r.self != last)
		sleep_until_told(last);
	do
		MUST(!segue_world_query_gone(r.world, last, &gone, &life));
	while (life < round + 2);
	if (r.self != last) {
		struct segue_peer_id peer;
		enum segue_channel_state state;

		MUST(!segue_multi_channel_meet_peer(r.multi, r.world, last, soon()));
		MUST(segue_multi_channel_next_change(r.multi, &peer, &state));
		MUST(peer.index == last && peer.generation == round + 2 &&
		     state == SEGUE_CHANNEL_UP);
	}
}

static int play(void)
{
	struct segue_world *world;
	uint32_t i, round;

	alarm(280);
	MUST(!segue_world_open(NULL, soon(), &world));
	if (segue_world_rank(world) == 0 || segue_world_rank(world) == 3) {
		struct segue_world_value value = {.data = &round, .size = sizeof(round)};

		MUST(!segue_world_get(world, 1, "over", soon(), &value)); /* nothing else */
		MUST(!segue_world_close(world, soon()));
		return 0;
	}
	open_part(world);
	for (round = (uint32_t)atoi(getenv("SEGUE_TEST_KILLS"));; round++) {
		for (i = 0; i < r.count; i++)
			find(i);
		all_to_all(round);
		MUST(!segue_barrier_drained(r.multi, 1, NULL, r.count, soon()));
		if (round == kills)
			break;
		die_and_be_renewed(round);
	}
	MUST(!segue_world_fence(r.world, soon()));
	MUST(!segue_multi_channel_close(r.multi) && !segue_device_close(r.device));
	MUST(!segue_world_close(r.world, soon()));
	MUST(!segue_world_put(world, "over", &round, sizeof(round)));
	MUST(!segue_world_close(world, soon()));
	return 0;
}

int main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: part rc|dc|ud KILLS\n");
		return 2;
	}
	over = !strcmp(argv[1], "rc")
		       ? SEGUE_TRANSPORT_RC
		       : (!strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_DC : SEGUE_TRANSPORT_UD);
	kills = (uint32_t)atoi(argv[2]);
	return run_ranks(5, kills, 20, play);
}
