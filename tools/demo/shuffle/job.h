/* SPDX-License-Identifier: BSD-2-Clause */
/* One rank of a job: its world, its multi-channel, and a block for each peer. */
#ifndef SHUFFLE_JOB_H
#define SHUFFLE_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/multi_channel.h"
#include "segue/peers/world.h"

/* Options of the user. */
struct choice {
	enum segue_channel_transport over;
	uint32_t bytes; /* of each block */
	uint32_t rounds;
	const char *device;
	uint32_t timeout_ms;
	bool corrupt; /* damage one byte, to see that it is found */
};

struct job {
	struct choice choice;
	struct segue_world *world;
	uint32_t rank, size;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_multi_channel *multi;
	struct segue_mr *mr;
	/* blocks for the peers, by rank, then those from them */
	uint8_t *out;
	uint8_t *in;
	struct segue_remote_buf *inboxes; /* of the peers, for this rank's block */
	uint64_t checked, wrong;       /* bytes */
};

/* A point in time that a wait may last to. */
segue_deadline job_deadline(const struct job *job);

/*
 * Opens all objects and meets the others. 0, or a negative errno with segue_errmsg(). job_close()
 * frees what was opened in both cases.
 */
int job_open(struct job *job, const struct choice *choice);
void job_close(struct job *job);

/*
 * Fills the blocks of a round, and checks those that came. Every byte follows from sender, receiver
 * and round.
 */
void job_fill(struct job *job, uint32_t round);
void job_check(struct job *job, uint32_t round);

/*
 * Brings each block to its peer and waits until all have come here: over RC and DC by RDMA WRITE,
 * over UD in datagrams.
 */
int shuffle_write(struct job *job, uint32_t round);
int shuffle_datagrams(struct job *job, uint32_t round);

#endif
