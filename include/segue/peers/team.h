/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Teams: all of a world in one call. Ranks that started together open the world, a device and a
 * domain, memory of the same size and queues to all ranks, meet, and know the memory of all.
 *
 *	segue_team_open(&options, deadline, &team);
 *	segue_team_local_buf(team, 0, 4096, &from);
 *	segue_team_remote_buf(team, peer, 0, 4096, &to);
 *	segue_channel_write(segue_multi_channel_at(team->multi, peer), &from, &to, deadline);
 *
 * A program may use the parts as their headers describe (segue/peers/world.h, device.h, pd.h, mr.h,
 * multi_channel.h), or open them by itself. Peer i of the multi-channel is rank i.
 *
 * Owner: a team is the program's, and owns all its parts.
 * Threads: those of its world and of its multi-channel: one.
 * Errors: negative errno with segue_errmsg(), which names the rank.
 * Source: Segue's own.
 */
#ifndef SEGUE_TEAM_H
#define SEGUE_TEAM_H

#include "segue/detail/declaration.h"
#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/world.h"

#include "segue/detail/begin.h"

/** Options of a team, the same at all ranks. All zero is RC without memory. */
struct segue_team_options {
	/* bytes of each rank's memory, which peers may read, write and count in */
	uint64_t bytes;
	uint64_t bytes_per_rank; /* bytes added to it for each rank of the world */
	const char *device;	 /* name for segue_device_open(). NULL means the first one */
	const char *name;	 /* distinguishes teams of one world. NULL means "team" */
	/* options for segue_world_open(). NULL takes all from the environment */
	const struct segue_world_options *world;
	/*
	 * Options of the queues, above all `over`. peers, self and life are set here. So are, if
	 * they are zero, path (a silent peer fails after some seconds), keepalive_ms (1000),
	 * ask_world_ms (100), and over DC imm_names_sender. SEGUE_MS_NEVER switches such an option
	 * off
	 */
	struct segue_multi_channel_options queues;
	uint64_t reserved[4]; /* 0 */
};

/** A team. Members are for reading. */
struct segue_team {
	struct segue_world *world;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_mr *mr; /* region of the memory. NULL without memory */
	struct segue_multi_channel *multi;
	uint32_t rank, size;
	uint8_t *memory; /* zero at first, in whole pages */
	uint64_t bytes;
	/*
	 * memory of each rank. Its length is 0 if it is not known, because the rank's process has
	 * just come back
	 */
	struct segue_remote_buf *theirs;
};

/**
 * segue_team_open() - open a world and everything that its ranks need to reach each other's memory.
 * @options: not kept. NULL: all zero
 * @deadline: for all of it
 * @out: set on success, when all ranks are up
 *
 * A process that came back in place of another opens the same, while the others call
 * segue_team_meet_peer(). Returns 0, or an error of segue_world_open(), segue_device_open(),
 * segue_mr_open(), segue_multi_channel_open() or segue_multi_channel_meet(). Returns -EINVAL if the
 * bytes do not fit 64 bits, or -EPROTO naming a rank with memory of another size.
 */
SEGUEI_MUST_CHECK int segue_team_open(const struct segue_team_options *options,
				      segue_deadline deadline, struct segue_team **out);

/**
 * segue_team_close() - wait until nothing of this side's is outstanding, and close everything.
 * @team: or NULL
 * @deadline: for both, and for segue_world_close(). SEGUE_NOW does not wait
 *
 * Unless a peer has failed, it waits for all ranks to call this, so that no rank takes one that has
 * left for a dead rank. If a peer has failed, the others learn that this rank has ended
 * (segue_world_query_gone()), and no longer wait for it. The team is closed in any case. Returns 0,
 * or the first error.
 */
int segue_team_close(struct segue_team *team, segue_deadline deadline);

/**
 * segue_team_local_buf() - describe a piece of this rank's memory.
 * @team: team
 * @offset: bytes from its start
 * @length: bytes
 * @out: set on success
 *
 * Returns as segue_mr_local_buf(), or -EINVAL if the team was opened without memory.
 */
SEGUEI_MUST_CHECK int segue_team_local_buf(const struct segue_team *team, uint64_t offset,
					   uint64_t length, struct segue_local_buf *out);

/**
 * segue_team_remote_buf() - describe a piece of a rank's memory.
 * @team: team
 * @rank: number from 0
 * @offset: bytes from its start
 * @length: bytes
 * @out: set on success
 *
 * Returns as segue_remote_buf_part(), -EINVAL if there is no such rank, or -ENOTCONN if its memory
 * is not known.
 */
SEGUEI_MUST_CHECK int segue_team_remote_buf(const struct segue_team *team, uint32_t rank,
					    uint64_t offset, uint64_t length,
					    struct segue_remote_buf *out);

/**
 * segue_team_meet_peer() - connect again to a rank that failed, or that has come back.
 * @team: team
 * @rank: number of that rank, from 0
 * @deadline: time limit for the rank to come
 *
 * As segue_multi_channel_meet_peer(). After it, this side also knows the rank's memory. Returns the
 * same.
 */
SEGUEI_MUST_CHECK int segue_team_meet_peer(struct segue_team *team, uint32_t rank,
					   segue_deadline deadline);

#include "segue/detail/end.h"

#endif
