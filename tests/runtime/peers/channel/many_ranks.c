/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * many TRANSPORT RANKS ROUNDS: every pattern among so many processes, each byte checked; then,
 * ROUNDS times, one of them is killed and comes back, while the others go on.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "segue/detail/bytes.h"
#include "segue/peers/multi_channel.h"
#include "tests/runtime/peers/channel/rank.h"

static enum segue_channel_transport over;
static uint32_t rounds;

static void meet_line(void)
{
	MUST(!segue_barrier(r.multi, 0, NULL, r.count, soon()));
}

static void play_memory(void)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];
	uint64_t add[RANKS_MAX], sum = 0;
	struct segue_fan fan = everybody();
	uint32_t i;

	fill(1);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(!segue_fan_write(&fan, local, remote));
	for (i = 0; i < r.count; i++)
		MUST(results[i].end == SEGUE_OUTCOME_EXECUTED && results[i].bytes == SLOT);
	meet_line();
	check_in(1);
	locals(IN, SLOT, local);
	remotes(OUT, SLOT, remote);
	fan.deadline = soon();
	MUST(!segue_fan_read(&fan, local, remote));
	check_in(1);
	meet_line();
	for (i = 0; i < r.count; i++) {
		add[i] = r.self + 1 + i;
		/* Everybody adds to the first slot of the part. */
		MUST(!segue_remote_buf_part(&r.boxes[i], (uint64_t)(slot(BACK, 0) - r.memory), 8,
					    &remote[i]));
	}
	locals(IN, 8, local);
	MUST(!segue_fan_fetch_add(&fan, local, remote, add));
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
	struct segue_local_buf out[RANKS_MAX], in[RANKS_MAX];
	struct segue_fan fan = everybody();
	uint32_t i, at;

	fill(2);
	locals(OUT, SLOT, out);
	locals(IN, SLOT, in);
	MUST(!segue_fan_send(&fan, out));
	fan.deadline = soon();
	MUST(!segue_fan_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(results[i].bytes == SLOT);
	check_in(2);
	meet_line();
	/* The same for all: what rank 0 would get. */
	for (at = 0; at < SLOT; at++)
		slot(OUT, 0)[at] = byte_of(r.self, 0, 3, at);
	fan.deadline = soon();
	MUST(!segue_fan_send_same(&fan, &out[0]));
	MUST(!segue_fan_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(holds(slot(IN, i), i, 0, 3));
	meet_line();
}

/* Each tells a group of all once, by one request, and hears the others. */
static void play_group(void)
{
	struct segue_mcast_options options = {.mlid = 0};
	const uint8_t roce[] = {0xff, 0xff, 239, 1, 2, 77}, ib[] = {0xff, 0x12};
	struct segue_local_buf out[RANKS_MAX], in[RANKS_MAX];
	struct segue_fan fan = everybody();
	uint32_t others[RANKS_MAX], i, n = 0;
	struct segue_mcast *group;
	struct segue_path path;

	MUST(!segue_path_init(&path, r.device, 1));
	if (path.link == SEGUE_LINK_IB) {
		memcpy(options.mgid.bytes, ib, sizeof(ib));
		options.mgid.bytes[15] = 77;
		options.mlid = 0xc077;
	} else {
		memcpy(options.mgid.bytes + 10, roce, sizeof(roce));
	}
	MUST(!segue_multi_channel_join_mcast(r.multi, &options, &group));
	fill(6);
	locals(OUT, SLOT, out);
	locals(IN, SLOT, in);
	memset(slot(IN, 0), 0, RANKS_MAX * SLOT);
	for (i = 0; i < r.count; i++)
		if (i != r.self) {
			in[n] = in[i];
			others[n++] = i;
		}
	fan.peers = others;
	fan.count = n;
	meet_line(); /* nobody sends before all are members */
	MUST(!segue_multi_channel_send_mcast(r.multi, group, &out[0], soon()));
	MUST(!segue_fan_receive(&fan, in));
	for (i = 0; i < r.count; i++)
		MUST(i == r.self || holds(slot(IN, i), i, 0, 6));
	meet_line();
	MUST(!segue_mcast_leave(group));
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
		MUST(segue_barrier(r.multi, 0, NULL, r.count, segue_deadline_in_ms(100)) ==
		     -ETIMEDOUT);
		MUST(strstr(segue_errmsg(), "missing"));
		MUST(!segue_world_fence(r.world, soon()));
	}
	if (r.self == 1) {
		MUST(segue_barrier(r.multi, 0, NULL, r.count, soon()) == -ETIMEDOUT);
		MUST(strstr(segue_errmsg(), "has given it up"));
	}
	MUST(!segue_world_fence(r.world, soon()));
	meet_line();
}

/* After the last one was killed: the others' requests are carried out, its own are not, and it is
 * named. */
static void outlive(uint32_t dead)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];
	struct segue_fan fan = everybody();
	struct segue_channel *channel = segue_multi_channel_at(r.multi, dead);
	uint32_t i, peers[RANKS_MAX];
	bool gone = false;

	while (!segue_world_query_gone(r.world, dead, &gone, NULL) && !gone &&
	       segue_deadline_left_ms(fan.deadline))
		usleep(1000);
	fill(4);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(segue_fan_write(&fan, local, remote) == -EIO);
	for (i = 0; i < r.count; i++)
		MUST(i == dead ? results[i].error && results[i].end != SEGUE_OUTCOME_EXECUTED
			       : !results[i].error);
	MUST(segue_channel_state(channel) == SEGUE_CHANNEL_FAILED);
	MUST(strstr(segue_channel_reason(channel), "peer") &&
	     strstr(results[dead].sentence, "generation"));
	/* From now on it is refused at once, with the reason. */
	fan.deadline = soon();
	MUST(segue_fan_read(&fan, local, remote) == -EIO);
	MUST(results[dead].error == -ENOTCONN && results[dead].end == SEGUE_OUTCOME_NOT_EXECUTED);
	survivors(dead, peers);
	MUST(!segue_barrier(r.multi, 4, peers, r.count - 1, soon()));
}

/* It is back, of the next generation. */
static void welcome(uint32_t dead)
{
	const struct segue_peer_id before = segue_channel_peer(
		segue_multi_channel_at(r.multi, dead));
	struct segue_endpoint former, present;
	struct segue_peer_id now;

	MUST(!segue_multi_channel_endpoint(r.multi, dead, &former));
	MUST(!segue_multi_channel_meet_peer(r.multi, r.world, dead, soon()));
	now = segue_channel_peer(segue_multi_channel_at(r.multi, dead));
	MUST(now.index == dead && now.generation == before.generation + 1);
	MUST(!segue_channel_reason(segue_multi_channel_at(r.multi, dead))[0]);
	/* Packets of the former that are still on their way do not fit the present one. */
	MUST(!segue_multi_channel_endpoint(r.multi, dead, &present));
	MUST(over != SEGUE_TRANSPORT_RC || former.psn != present.psn);
	find(dead);
}

/* All together, over whatever generations: also barriers, whose numbers the returned one does not
 * know. */
static void play_after_return(void)
{
	struct segue_local_buf local[RANKS_MAX];
	struct segue_remote_buf remote[RANKS_MAX];
	struct segue_fan fan = everybody();

	fill(5);
	locals(OUT, SLOT, local);
	remotes(IN, SLOT, remote);
	MUST(!segue_fan_write(&fan, local, remote));
	meet_line();
	check_in(5);
	meet_line();
	meet_line();
	MUST(!segue_world_fence(r.world, soon()));
}

static int run_rank(void)
{
	uint32_t i, dead;
	bool returned;

	open_rank((struct segue_multi_channel_options){.transport = over});
	dead = r.count - 1;
	returned = segue_world_incarnation(r.world) > 1;
	for (i = 0; i < r.count; i++)
		find(i);
	if (!returned) {
		MUST(!segue_world_fence(r.world, soon()));
		if (over != SEGUE_TRANSPORT_UD)
			play_memory();
		play_barriers();
		play_messages();
		if (over == SEGUE_TRANSPORT_UD)
			play_group();
		/* What a process has posted may die with it, and the last barrier's numbers are no
		 * exception. */
		MUST(!segue_world_fence(r.world, soon()));
	}
	for (r.round = segue_world_incarnation(r.world) - 1; r.round < rounds; r.round++) {
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
	close_rank();
	return 0;
}

int main(int argc, char **argv)
{
	over = argc > 1 && !strcmp(argv[1], "dc")   ? SEGUE_TRANSPORT_DC
	       : argc > 1 && !strcmp(argv[1], "ud") ? SEGUE_TRANSPORT_UD
						    : SEGUE_TRANSPORT_RC;
	rounds = argc > 3 ? (uint32_t)atoi(argv[3]) : 0;
	/* A second later, so that the others see it dead, not only back. */
	return run_ranks(argc > 2 ? (uint32_t)atoi(argv[2]) : 4, rounds, 1000, run_rank);
}
