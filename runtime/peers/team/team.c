/* SPDX-License-Identifier: BSD-2-Clause */
/* All ranks of a world, with memory and channels, in one call. */
#include "segue/peers/team.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/peers/channel/multi_channel.h"
#include "runtime/peers/world/world.h"
#include "segue/base.h"

#define NAME	     "team"   /* name of the multi-channel, if the options have none */
#define MEMORY	     "memory" /* name of the published memory */
#define KEEPALIVE_MS 1000
#define ASK_WORLD_MS 100

/* A peer fails after a second without an acknowledgement, and three more. */
#define TIMEOUT	     18
#define RETRY_CNT    3

/* Time limit for the others to notice that the team was not opened. */
#define LEAVE_MS     2000

/* ---- memory ---- */

static int open_memory(struct segue_team *team, const struct segue_team_options *options)
{
	const size_t page = (size_t)sysconf(_SC_PAGESIZE);
	struct segue_mr_options attr = {
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_ATOMIC};

	if (__builtin_mul_overflow(options->bytes_per_rank, team->size, &team->bytes) ||
	    __builtin_add_overflow(team->bytes, options->bytes, &team->bytes))
		return seguei_fail(EINVAL,
				   "Team: %llu bytes, and %llu for each of %u ranks, are more than "
				   "64 bits count; expected less.",
				   (unsigned long long)options->bytes,
				   (unsigned long long)options->bytes_per_rank, team->size);
	team->theirs = calloc(team->size, sizeof(*team->theirs));
	if (team->bytes && team->bytes < SIZE_MAX - page) {
		attr.length = (team->bytes + page - 1) / page * page;
		team->memory = aligned_alloc(page, attr.length);
	}
	if (!team->theirs || (team->bytes && !team->memory))
		return seguei_fail(ENOMEM, "Team: no memory for %llu bytes and %u ranks.",
				   (unsigned long long)team->bytes, team->size);
	if (!team->bytes)
		return 0;
	memset(team->memory, 0, attr.length);
	attr.addr = team->memory;
	attr.length = team->bytes;
	return segue_mr_open(team->pd, &attr, &team->mr);
}

static int keep(struct segue_team *team, uint32_t rank, const uint8_t *wire)
{
	struct segue_remote_buf *theirs = &team->theirs[rank];
	const int ret = segue_remote_buf_unpack(wire, SEGUE_REMOTE_BUF_WIRE_SIZE, theirs);

	if (ret || theirs->length == team->bytes)
		return ret;
	return seguei_fail(EPROTO,
			   "Team: rank %u has %llu bytes of memory, this one %llu; expected the "
			   "same options everywhere.",
			   rank, (unsigned long long)theirs->length,
			   (unsigned long long)team->bytes);
}

static int find(struct segue_team *team, uint32_t rank, segue_deadline deadline)
{
	return segue_multi_channel_find(team->multi, rank, MEMORY, deadline, &team->theirs[rank]);
}

/*
 * Finds the memory of all ranks. After a process has come back there is no fence, so the peers are
 * asked one by one.
 */
static int find_all(struct segue_team *team, segue_deadline deadline)
{
	uint32_t rank;
	int ret = 0;

	for (rank = 0; rank < team->size && !ret; rank++)
		if (seguei_peer_state(team->multi, rank) == SEGUE_CHANNEL_UP)
			ret = find(team, rank, deadline);
	return ret;
}

static int tell_all(struct segue_team *team, const struct segue_remote_buf *mine,
		    segue_deadline deadline)
{
	uint8_t wire[SEGUE_REMOTE_BUF_WIRE_SIZE],
		*wires = malloc((size_t)team->size * sizeof(wire));
	uint32_t rank;
	int ret;

	if (!wires)
		return seguei_fail(ENOMEM, "Team: no memory for %u keys.", team->size);
	segue_remote_buf_pack(mine, wire);
	ret = segue_world_allgather(team->world, wire, sizeof(wire), deadline, wires);
	for (rank = 0; rank < team->size && !ret; rank++)
		ret = keep(team, rank, wires + rank * sizeof(wire));
	free(wires);
	return ret;
}

/* True if all are the first processes in their places. Peers that have met agree about that. */
static bool is_first(const struct segue_team *team)
{
	uint32_t rank = 0;

	while (rank < team->size && seguei_peer_life(team->multi, rank) == 1)
		rank++;
	return rank == team->size && segue_world_incarnation(team->world) == 1;
}

static int share_memory(struct segue_team *team, segue_deadline deadline)
{
	struct segue_remote_buf mine;
	int ret;

	if (!team->bytes)
		return 0;
	ret = segue_mr_remote_buf(team->mr, 0, team->bytes, &mine);
	if (!ret)
		ret = segue_multi_channel_publish(team->multi, MEMORY, &mine);
	if (ret)
		return ret;
	return is_first(team) ? tell_all(team, &mine, deadline) : find_all(team, deadline);
}

/* ---- opening ---- */

static int open_queues(struct segue_team *team, const struct segue_team_options *options)
{
	struct segue_multi_channel_options queues = options->queues;
	struct segue_path path;
	int ret = 0;

	queues.peers = team->size;
	queues.self = team->rank;
	queues.life = segue_world_incarnation(team->world);
	queues.imm_names_sender = queues.transport == SEGUE_TRANSPORT_DC;
	if (!queues.keepalive_ms && queues.transport != SEGUE_TRANSPORT_UD)
		queues.keepalive_ms = KEEPALIVE_MS;
	if (!queues.ask_world_ms)
		queues.ask_world_ms = ASK_WORLD_MS;
	if (!queues.path) {
		ret = segue_path_init(&path, team->device, queues.port ? queues.port : 1);
		path.timeout = TIMEOUT;
		path.retry_cnt = RETRY_CNT;
		queues.path = &path;
	}
	return ret ? ret : segue_multi_channel_open(team->pd, &queues, &team->multi);
}

static int open_parts(struct segue_team *team, const struct segue_team_options *options,
		      segue_deadline deadline)
{
	int ret = segue_world_open(options->world, deadline, &team->world);

	if (ret)
		return ret;
	team->rank = segue_world_rank(team->world);
	team->size = segue_world_size(team->world);
	ret = segue_device_open(options->device, &team->device);
	if (!ret)
		ret = segue_pd_open(team->device, &team->pd);
	if (!ret)
		ret = open_memory(team, options);
	if (!ret)
		ret = open_queues(team, options);
	if (ret)
		return ret;
	ret = segue_multi_channel_meet(team->multi, team->world,
				       options->name ? options->name : NAME, deadline);
	return ret ? ret : share_memory(team, deadline);
}

static int close_parts(struct segue_team *team, segue_deadline deadline)
{
	int ret = segue_multi_channel_close(team->multi), one;

	one = segue_device_close(team->device);
	ret = ret ? ret : one;
	one = segue_world_close(team->world, deadline);
	ret = ret ? ret : one;
	free(team->memory);
	free(team->theirs);
	free(team);
	return ret;
}

int segue_team_open(const struct segue_team_options *options, segue_deadline deadline,
		    struct segue_team **out)
{
	static const struct segue_team_options none;
	struct segue_team *team = calloc(1, sizeof(*team));
	char why[512];
	int ret;

	if (!team)
		return seguei_fail(ENOMEM, "Team: no memory.");
	options = options ? options : &none;
	ret = seguei_check_reserved(options->reserved, "Team");
	if (!ret)
		ret = open_parts(team, options, deadline);
	if (!ret) {
		*out = team;
		return 0;
	}
	(void)snprintf(why, sizeof(why), "%s", segue_errmsg());
	if (team->world && ret != -EPROTO) /* the others notice that by themselves */
		seguei_world_ends_because(team->world, "it has not been able to open its team");
	(void)close_parts(team, segue_deadline_in_ms(LEAVE_MS));
	return seguei_fail(-ret, "%s", why);
}

#define HAS_CLOSED "it has closed its team, in which "

/*
 * Reports the failure, so that others that wait for this rank, for instance in a barrier, do not
 * wait until their deadline. Only the first failure is reported, because a peer that closed its
 * team after another's failure is not a cause.
 */
static void tell_of_failure(const struct segue_team *team)
{
	char why[96];
	const char *its;
	uint32_t rank = 0;

	while (rank < team->size && seguei_peer_state(team->multi, rank) != SEGUE_CHANNEL_FAILED)
		rank++;
	its = rank < team->size ? seguei_world_reason_of(team->world, rank) : NULL;
	if (its && !strncmp(its, HAS_CLOSED, strlen(HAS_CLOSED))) {
		seguei_world_ends_because(team->world, its);
		return;
	}
	(void)snprintf(why, sizeof(why), HAS_CLOSED "%s %u had failed",
		       rank < team->size ? "peer" : "requests of rank",
		       rank < team->size ? rank : team->rank);
	seguei_world_ends_because(team->world, why);
}

int segue_team_close(struct segue_team *team, segue_deadline deadline)
{
	int ret, one;

	if (!team)
		return 0;
	ret = segue_multi_channel_drain(team->multi, deadline);
	/*
	 * A rank that is late, for instance in a barrier, would take this side for dead. If a
	 * peer has failed, this side does not wait for all.
	 */
	if (ret || team->multi->more->changes.n_failed)
		tell_of_failure(team);
	else
		(void)segue_world_fence(team->world, deadline);
	one = close_parts(team, deadline);
	return ret ? ret : one;
}

/* ---- memory of ranks ---- */

int segue_team_local_buf(const struct segue_team *team, uint64_t offset, uint64_t length,
			 struct segue_local_buf *out)
{
	if (!team->mr)
		return seguei_fail(EINVAL, "segue_team_local_buf(): the team was opened without "
					   "memory; give bytes or bytes_per_rank.");
	return segue_mr_local_buf(team->mr, offset, length, out);
}

int segue_team_remote_buf(const struct segue_team *team, uint32_t rank, uint64_t offset,
			  uint64_t length, struct segue_remote_buf *out)
{
	if (rank >= team->size)
		return seguei_fail(EINVAL,
				   "segue_team_remote_buf(): rank %u does not exist, there are "
				   "%u.",
				   rank, team->size);
	if (!team->theirs[rank].length)
		return seguei_fail(ENOTCONN,
				   "segue_team_remote_buf(): memory of rank %u is not known; "
				   "segue_team_meet_peer() asks for it.",
				   rank);
	return segue_remote_buf_part(&team->theirs[rank], offset, length, out);
}

int segue_team_meet_peer(struct segue_team *team, uint32_t rank, segue_deadline deadline)
{
	int ret = segue_multi_channel_meet_peer(team->multi, team->world, rank, deadline);

	if (ret || !team->bytes)
		return ret;
	team->theirs[rank].length = 0;
	return find(team, rank, deadline);
}
