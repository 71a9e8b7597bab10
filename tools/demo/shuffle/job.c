/* SPDX-License-Identifier: BSD-2-Clause */
/* A rank of the shuffle demo: its objects, its blocks, and the check of what arrived. */
#define _GNU_SOURCE
#include "job.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 4096u

/* 4.096 us * 2^18 is a second, so a peer that waits for a processor does not count as dead. */
#define ACK_TIMEOUT 18

segue_deadline job_deadline(const struct job *job)
{
	return segue_deadline_in_ms(job->choice.timeout_ms);
}

static uint64_t half(const struct job *job)
{
	return (uint64_t)job->size * job->choice.bytes;
}

/* One region holds outgoing and incoming blocks. */
static int open_memory(struct job *job)
{
	struct segue_mr_options attr = {
		.length = 2 * half(job),
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE,
	};

	if (posix_memalign((void **)&job->out, PAGE, attr.length)) {
		job->out = NULL;
		return -ENOMEM;
	}
	memset(job->out, 0, attr.length);
	job->in = job->out + half(job);
	attr.addr = job->out;
	job->inboxes = calloc(job->size, sizeof(*job->inboxes));
	return job->inboxes ? segue_mr_open(job->pd, &attr, &job->mr) : -ENOMEM;
}

static int open_channels(struct job *job)
{
	struct segue_multi_channel_options options = {
		.transport = job->choice.over,
		.peers = job->size,
		.self = job->rank,
		.receives = 64 * job->size < 4096 ? 64 * job->size : 4096,
		.imm_names_sender = job->choice.over == SEGUE_TRANSPORT_DC,
	};
	struct segue_path path;
	int ret;

	ret = segue_path_init(&path, job->device, 1);
	if (ret)
		return ret;
	path.timeout = ACK_TIMEOUT;
	options.path = &path;
	return segue_multi_channel_open(job->pd, &options, &job->multi);
}

/* Each rank publishes its inbox, and finds the others'. */
static int swap_inboxes(struct job *job)
{
	struct segue_remote_buf mine, theirs;
	uint32_t peer;
	int ret;

	ret = segue_mr_remote_buf(job->mr, half(job), half(job), &mine);
	if (!ret)
		ret = segue_multi_channel_publish(job->multi, "inbox", &mine);
	for (peer = 0; peer < job->size && !ret; peer++) {
		ret = segue_multi_channel_find(job->multi, peer, "inbox", job_deadline(job),
					       &theirs);
		if (!ret)
			ret = segue_remote_buf_part(&theirs,
						    (uint64_t)job->rank * job->choice.bytes,
						    job->choice.bytes, &job->inboxes[peer]);
	}
	return ret;
}

int job_open(struct job *job, const struct choice *choice)
{
	int ret;

	memset(job, 0, sizeof(*job));
	job->choice = *choice;
	ret = segue_world_open(NULL, job_deadline(job), &job->world);
	if (ret)
		return ret;
	job->rank = segue_world_rank(job->world);
	job->size = segue_world_size(job->world);
	ret = segue_device_open(choice->device, &job->device);
	if (!ret)
		ret = segue_pd_open(job->device, &job->pd);
	if (!ret)
		ret = open_memory(job);
	if (!ret)
		ret = open_channels(job);
	if (!ret)
		ret = segue_multi_channel_meet(job->multi, job->world, "shuffle",
					       job_deadline(job));
	return ret ? ret : swap_inboxes(job);
}

void job_close(struct job *job)
{
	(void)segue_multi_channel_close(job->multi);
	(void)segue_device_close(job->device);
	(void)segue_world_close(job->world, job_deadline(job));
	free(job->inboxes);
	free(job->out);
}

/* SplitMix64 of Steele and Vigna: neighbouring seeds give different streams. */
static uint64_t next(uint64_t *state)
{
	uint64_t z = *state += 0x9e3779b97f4a7c15u;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
	z = (z ^ z >> 27) * 0x94d049bb133111ebu;
	return z ^ z >> 31;
}

static uint64_t seed(uint32_t from, uint32_t to, uint32_t round)
{
	uint64_t state = (uint64_t)from << 40 ^ (uint64_t)to << 20 ^ round;

	return next(&state);
}

/* Fills or checks the bytes of a block. Returns the number of wrong ones. */
static uint32_t go_through(uint8_t *block, uint32_t bytes, uint64_t state, bool fill)
{
	uint32_t at, wrong = 0;

	for (at = 0; at < bytes; at += 8) {
		const uint64_t word = next(&state);
		const uint32_t length = bytes - at < 8 ? bytes - at : 8;
		uint32_t i;

		if (fill) {
			memcpy(block + at, &word, length);
			continue;
		}
		for (i = 0; i < length; i++)
			wrong += block[at + i] != ((const uint8_t *)&word)[i];
	}
	return wrong;
}

void job_fill(struct job *job, uint32_t round)
{
	const uint32_t bytes = job->choice.bytes;
	uint32_t peer;

	for (peer = 0; peer < job->size; peer++)
		(void)go_through(job->out + (uint64_t)peer * bytes, bytes,
				 seed(job->rank, peer, round), true);
	if (job->choice.corrupt && round == 0 && job->rank == 0)
		job->out[half(job) - 1] ^= 0x10;
}

void job_check(struct job *job, uint32_t round)
{
	const uint32_t bytes = job->choice.bytes;
	uint32_t peer, wrong;

	for (peer = 0; peer < job->size; peer++) {
		wrong = go_through(job->in + (uint64_t)peer * bytes, bytes,
				   seed(peer, job->rank, round), false);
		if (wrong && !job->wrong)
			fprintf(stderr,
				"shuffle: rank %u: %u bytes from rank %u are wrong in round %u\n",
				job->rank, wrong, peer, round);
		job->wrong += wrong;
		job->checked += bytes;
	}
	/* A missing block must not be taken for the one before. */
	memset(job->in, 0, half(job));
}
