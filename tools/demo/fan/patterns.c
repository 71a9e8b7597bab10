/* SPDX-License-Identifier: BSD-2-Clause */
/* The collective patterns of the fan demo. */
#define _GNU_SOURCE
#include "patterns.h"

#include <time.h>

#include "segue/peers/barrier.h"

/*
 * Barriers of all ranks, and of those that are left. They are always over RC, so that measurements
 * over DC have the DC queues to themselves.
 */
enum { GROUP_ALL, GROUP_LEFT };

static uint32_t peer_of(const struct turn *turn, uint32_t i)
{
	return turn->peers ? turn->peers[i] : i;
}

static int wait_for_all(const struct turn *turn)
{
	return segue_barrier(turn->crew->multi[CREW_RC], turn->peers ? GROUP_LEFT : GROUP_ALL,
			     turn->peers, turn->count, segue_deadline_in_ms(CREW_WAIT_MS));
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

/* This side's blocks: those for the peers, or those from them. */
static int locals(const struct turn *turn, const uint8_t *half,
		  struct segue_local_buf pieces[CREW_MAX])
{
	const struct crew *crew = turn->crew;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < turn->count && !ret; i++)
		ret = segue_mr_local_buf(crew->mr,
					 (uint64_t)(half - crew->out) +
						 (uint64_t)peer_of(turn, i) * CREW_BLOCK,
					 turn->bytes, &pieces[i]);
	return ret;
}

/* This rank's block at each peer, in the same half of the peer's memory as `half` is of ours. */
static int remotes(const struct turn *turn, const uint8_t *half,
		   struct segue_remote_buf pieces[CREW_MAX])
{
	const struct crew *crew = turn->crew;
	uint32_t i;
	int ret = 0;

	for (i = 0; i < turn->count && !ret; i++)
		ret = segue_remote_buf_part(&crew->memory[turn->way][peer_of(turn, i)],
					    (uint64_t)(half - crew->out) +
						    (uint64_t)crew->rank * CREW_BLOCK,
					    turn->bytes, &pieces[i]);
	return ret;
}

/* Fills the outgoing blocks, and waits until all ranks have checked the last turn's. */
static int begin(struct turn *turn)
{
	uint32_t i;

	turn->crew->turn++;
	for (i = 0; i < turn->count; i++)
		crew_fill(turn->crew, peer_of(turn, i), turn->bytes);
	return wait_for_all(turn);
}

static void check(struct turn *turn, uint32_t to)
{
	uint32_t i;

	for (i = 0; i < turn->count; i++)
		crew_check(turn->crew, peer_of(turn, i), to, turn->bytes);
}

int play_scatter_write(struct turn *turn)
{
	const struct segue_fan fan = crew_fan(turn->crew, turn->way, turn->peers, turn->count);
	struct segue_remote_buf to[CREW_MAX];
	struct segue_local_buf from[CREW_MAX];
	int ret = locals(turn, turn->crew->out, from);

	if (!ret)
		ret = remotes(turn, turn->crew->in, to);
	if (!ret)
		ret = begin(turn);
	turn->us = now_us();
	if (!ret)
		ret = segue_fan_write(&fan, from, to);
	turn->us = now_us() - turn->us;
	/*
	 * A completed WRITE is in the peer's memory. When all ranks are here, all blocks are there.
	 */
	if (!ret)
		ret = wait_for_all(turn);
	if (!ret)
		check(turn, turn->crew->rank);
	return ret;
}

int play_gather_read(struct turn *turn)
{
	const struct segue_fan fan = crew_fan(turn->crew, turn->way, turn->peers, turn->count);
	struct segue_remote_buf from[CREW_MAX];
	struct segue_local_buf to[CREW_MAX];
	int ret = locals(turn, turn->crew->in, to);

	if (!ret)
		ret = remotes(turn, turn->crew->out, from);
	if (!ret)
		ret = begin(turn);
	turn->us = now_us();
	if (!ret)
		ret = segue_fan_read(&fan, to, from);
	turn->us = now_us() - turn->us;
	if (!ret)
		check(turn, turn->crew->rank);
	return ret ? ret : wait_for_all(turn);
}

/* Each rank sends one message to all the others, and receives theirs. */
int play_multicast(struct turn *turn)
{
	const struct segue_fan fan = crew_fan(turn->crew, turn->way, turn->peers, turn->count);
	struct segue_local_buf from, to[CREW_MAX];
	int ret = locals(turn, turn->crew->in, to);

	if (!ret)
		ret = segue_mr_local_buf(turn->crew->mr, 0, turn->bytes, &from);
	if (!ret)
		ret = begin(turn);
	crew_fill(turn->crew, CREW_ALL, turn->bytes);
	turn->us = now_us();
	if (!ret)
		ret = segue_fan_send_same(&fan, &from);
	if (!ret)
		ret = segue_fan_receive(&fan, to);
	turn->us = now_us() - turn->us;
	if (!ret)
		check(turn, CREW_ALL);
	return ret ? ret : wait_for_all(turn);
}
