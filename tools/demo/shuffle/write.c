/* SPDX-License-Identifier: BSD-2-Clause */
/* The shuffle over RC and DC: every block is written into its peer's inbox. */
#include <errno.h>
#include <stdio.h>

#include "job.h"
#include "segue/base.h"
#include "segue/gen/peers.h"

struct progress {
	uint32_t done, failed;
};

static void on_completion(const struct segue_wc *wc, void *arg)
{
	struct progress *progress = arg;

	progress->done++;
	progress->failed += wc->syndrome != 0;
}

static int post(struct job *job, uint32_t peer)
{
	const uint32_t bytes = job->choice.bytes;
	const struct segue_seg_data block = {
		.byte_count = bytes,
		.lkey = segue_mr_lkey(job->mr).lkey,
		.addr = (uintptr_t)job->out + (uint64_t)peer * bytes,
	};
	const struct segue_peer_rdma_write_args args = {
		.wr_id = peer,
		.flags = SEGUE_SIGNALED,
		.remote_addr = job->inboxes[peer].addr,
		.rkey = job->inboxes[peer].key.rkey,
		.sges = &block,
		.sge_count = 1,
	};

	return segue_peer_rdma_write(job->multi, peer, &args);
}

int shuffle_write(struct job *job, uint32_t round)
{
	const segue_deadline deadline = job_deadline(job);
	struct progress progress = {0};
	uint32_t posted = 0;
	int ret;

	(void)round;
	while (progress.done < job->size) {
		ret = 0;
		/* Begins after this rank, so that not all write to the same one. */
		while (posted < job->size &&
		       !(ret = post(job, (job->rank + 1 + posted) % job->size)))
			posted++;
		if (ret && ret != -EAGAIN && ret != -ENOSPC)
			return ret;
		ret = segue_multi_channel_poll_each(job->multi, 64, on_completion, &progress);
		if (ret < 0)
			return ret;
		if (progress.failed)
			return -EIO;
		if (!segue_deadline_left_ms(deadline))
			return -ETIMEDOUT;
	}
	/*
	 * A completed write is in the peer's memory. When all ranks are here, all blocks are there.
	 */
	return segue_world_fence(job->world, deadline);
}
