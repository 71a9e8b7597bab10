/* SPDX-License-Identifier: BSD-2-Clause */
/* Resources of the fan demo: a region, and a multi-channel over each transport. */
#define _GNU_SOURCE
#include "crew.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pattern.h"
#include "segue/base.h"

#define PAGE 4096u

/* 4.096 us * 2^17 is half a second. Three repetitions of it find a dead peer. */
#define ACK_TIMEOUT 17
#define REPEATS	    3

static segue_deadline soon(void)
{
	return segue_deadline_in_ms(CREW_WAIT_MS);
}

static int open_memory(struct crew *crew)
{
	const size_t half = (size_t)CREW_MAX * CREW_BLOCK;
	struct segue_mr_options attr = {
		.length = 2 * half,
		.access = SEGUE_ACCESS_LOCAL_WRITE | SEGUE_ACCESS_REMOTE_WRITE |
			  SEGUE_ACCESS_REMOTE_READ,
	};

	crew->out = aligned_alloc(PAGE, attr.length);
	if (!crew->out)
		return -ENOMEM;
	memset(crew->out, 0, attr.length);
	crew->in = crew->out + half;
	attr.addr = crew->out;
	return segue_mr_open(crew->pd, &attr, &crew->mr);
}

/* One region, registered once, serves both ways. */
static int open_way(struct crew *crew, uint32_t way, const struct segue_path *path)
{
	static const char *const names[CREW_WAYS] = {"rc", "dc"};
	const struct segue_multi_channel_options options = {
		.transport = way == CREW_RC ? SEGUE_TRANSPORT_RC : SEGUE_TRANSPORT_DC,
		.peers = crew->size,
		.self = crew->rank,
		.path = path,
		/* messages over DC name their sender, as the queue pair does over RC */
		.imm_names_sender = way == CREW_DC,
	};
	struct segue_remote_buf mine;
	uint32_t peer;
	int ret;

	ret = segue_multi_channel_open(crew->pd, &options, &crew->multi[way]);
	if (!ret)
		ret = segue_multi_channel_meet(crew->multi[way], crew->world, names[way], soon());
	if (!ret)
		ret = segue_mr_remote_buf(crew->mr, 0, (uint64_t)2 * CREW_MAX * CREW_BLOCK, &mine);
	if (!ret)
		ret = segue_multi_channel_publish(crew->multi[way], "blocks", &mine);
	for (peer = 0; peer < crew->size && !ret; peer++)
		ret = segue_multi_channel_find(crew->multi[way], peer, "blocks", soon(),
					       &crew->memory[way][peer]);
	return ret;
}

int crew_open(struct crew *crew, const char *device)
{
	struct segue_path path;
	uint32_t way;
	int ret;

	memset(crew, 0, sizeof(*crew));
	ret = segue_world_open(NULL, soon(), &crew->world);
	if (ret)
		return ret;
	crew->rank = segue_world_rank(crew->world);
	crew->size = segue_world_size(crew->world);
	ret = segue_device_open(device, &crew->device);
	if (!ret)
		ret = segue_pd_open(crew->device, &crew->pd);
	if (!ret)
		ret = open_memory(crew);
	if (!ret)
		ret = segue_path_init(&path, crew->device, 1);
	path.timeout = ACK_TIMEOUT;
	path.retry_cnt = REPEATS;
	for (way = 0; way < CREW_WAYS && !ret; way++)
		ret = open_way(crew, way, &path);
	return ret;
}

void crew_close(struct crew *crew)
{
	uint32_t way;

	for (way = 0; way < CREW_WAYS; way++)
		(void)segue_multi_channel_close(crew->multi[way]);
	(void)segue_device_close(crew->device);
	(void)segue_world_close(crew->world, soon());
	free(crew->out);
}

struct segue_fan crew_fan(struct crew *crew, uint32_t way, const uint32_t *peers, uint32_t count)
{
	const struct segue_fan fan = {.multi = crew->multi[way],
				      .peers = peers,
				      .count = count,
				      .results = crew->results,
				      .deadline = soon()};

	return fan;
}

static uint64_t seed(uint32_t from, uint32_t to, uint32_t turn)
{
	return (uint64_t)from << 48 ^ (uint64_t)to << 40 ^ turn;
}

void crew_fill(struct crew *crew, uint32_t to, uint32_t bytes)
{
	pattern_fill(crew->out + (size_t)(to % CREW_MAX) * CREW_BLOCK, bytes,
		     seed(crew->rank, to, crew->turn));
}

void crew_check(struct crew *crew, uint32_t from, uint32_t to, uint32_t bytes)
{
	uint8_t *block = crew->in + (size_t)from * CREW_BLOCK;
	const int64_t at = pattern_check(block, bytes, seed(from, to, crew->turn));

	if (at >= 0 && !crew->wrong++)
		fprintf(stderr,
			"fan: rank %u: byte %lld of a block from rank %u is wrong in turn %u\n",
			crew->rank, (long long)at, from, crew->turn);
	crew->checked += bytes;
	/* a missing block must not be taken for the one before */
	memset(block, 0, bytes);
}
