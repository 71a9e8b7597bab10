/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * threads N [ROUNDS]: every rank has N threads, and each of them its own lane: a multi-channel to
 * the lanes of that number in all ranks. Device, domain and memory region are one for all threads
 * of a process; queues are not shared, so nothing is locked.
 *
 * Ranks are started by mpirun, by srun, or by hand: SEGUE_RENDEZVOUS=HOST:PORT SEGUE_SIZE=…
 * SEGUE_RANK=… threads 4
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/barrier.h"
#include "segue/peers/fan.h"
#include "segue/peers/multi_channel.h"

#define THREADS_MAX 16
#define RANKS_MAX   64
#define BLOCK	    1024u /* bytes from each lane to each of its peers */
#define WAIT_MS	    60000

/* What the threads of a process have in common. Nobody changes it while they run. */
static struct process {
	struct segue_world *world;
	struct segue_device *device;
	struct segue_pd *pd;
	struct segue_mr *mr;
	uint8_t *memory; /* of each lane: blocks that go out, and blocks that come in, by rank */
	uint32_t rank, size, threads, rounds;
} process;

/* What one thread has for itself. */
struct lane {
	uint32_t number;
	struct segue_multi_channel *multi;
	struct segue_remote_buf
		peers[RANKS_MAX]; /* where this lane's block belongs in each of them */
	uint64_t checked;	  /* bytes */
	int error;
};

enum half { OUT, IN };

/* Says what went wrong, which segue_errmsg() does not know. */
static int fail(int error, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	(void)vfprintf(stderr, format, arguments);
	va_end(arguments);
	return -error;
}

/* Says what a call of the library's found wrong. The sentence is the calling thread's own. */
static int check_call(int ret)
{
	return ret ? fail(-ret, "threads: %s\n", segue_errmsg()) : 0;
}

static segue_deadline soon(void)
{
	return segue_deadline_in_ms(WAIT_MS);
}

/* Of a lane's memory. Lanes touch nothing of each other's. */
static uint64_t offset_of(uint32_t lane, enum half half, uint32_t rank)
{
	return (((uint64_t)lane * 2 + half) * process.size + rank) * BLOCK;
}

static uint8_t byte_of(uint32_t lane, uint32_t from, uint32_t to, uint32_t round, uint32_t at)
{
	return (uint8_t)(lane * 89 + from * 31 + to * 57 + round * 13 + at * 7 + (at >> 8));
}

static int open_process(void)
{
	const struct segue_world_options *from_environment = NULL;
	struct segue_mr_options attr = {.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE};
	int ret;

	ret = check_call(segue_world_open(from_environment, soon(), &process.world));
	if (ret)
		return ret;
	process.rank = segue_world_rank(process.world);
	process.size = segue_world_size(process.world);
	if (process.size > RANKS_MAX)
		return fail(EINVAL, "threads: %u ranks are too many, expected at most %d.\n",
			    process.size, RANKS_MAX);
	attr.length = offset_of(process.threads, OUT, 0);
	process.memory = aligned_alloc(4096, (attr.length + 4095) / 4096 * 4096);
	if (!process.memory)
		return fail(ENOMEM, "threads: no memory.\n");
	memset(process.memory, 0, attr.length);
	attr.addr = process.memory;
	ret = segue_device_open(NULL, &process.device);
	if (!ret)
		ret = segue_pd_open(process.device, &process.pd);
	return check_call(ret ? ret : segue_mr_open(process.pd, &attr, &process.mr));
}

/* A world belongs to one thread at a time. So the lanes meet one after the other, before the
 * threads start, */
static int open_lane(struct lane *lane)
{
	const struct segue_multi_channel_options options = {
		.transport = SEGUE_TRANSPORT_RC, .peers = process.size, .self = process.rank};
	struct segue_remote_buf box, all;
	char name[16];
	uint32_t peer;
	int ret;

	(void)snprintf(name, sizeof(name), "lane %u", lane->number);
	ret = segue_multi_channel_open(process.pd, &options, &lane->multi);
	if (!ret)
		ret = segue_multi_channel_meet(lane->multi, process.world, name, soon());
	if (!ret)
		ret = segue_mr_remote_buf(process.mr, offset_of(lane->number, IN, 0),
					  (uint64_t)process.size * BLOCK, &box);
	if (!ret)
		ret = segue_multi_channel_publish(lane->multi, "in", &box);
	for (peer = 0; peer < process.size && !ret; peer++) {
		ret = segue_multi_channel_find(lane->multi, peer, "in", soon(), &all);
		if (!ret)
			ret = segue_remote_buf_part(&all, (uint64_t)process.rank * BLOCK, BLOCK,
						    &lane->peers[peer]);
	}
	/* and what this thread has used goes over to the lane's own. */
	if (!ret)
		segue_multi_channel_hand_over(lane->multi);
	return check_call(ret);
}

static void fill(const struct lane *lane, uint32_t round)
{
	uint32_t to, at;

	for (to = 0; to < process.size; to++)
		for (at = 0; at < BLOCK; at++)
			process.memory[offset_of(lane->number, OUT, to) + at] = byte_of(
				lane->number, process.rank, to, round, at);
}

static int check(struct lane *lane, uint32_t round)
{
	uint32_t from, at;

	for (from = 0; from < process.size; from++)
		for (at = 0; at < BLOCK; at++, lane->checked++)
			if (process.memory[offset_of(lane->number, IN, from) + at] !=
			    byte_of(lane->number, from, process.rank, round, at))
				return fail(EBADMSG,
					    "threads: lane %u: byte %u from rank %u is wrong in "
					    "round %u.\n",
					    lane->number, at, from, round);
	return 0;
}

static int play_round(struct lane *lane, uint32_t round)
{
	struct segue_fan_result results[RANKS_MAX];
	struct segue_local_buf blocks[RANKS_MAX];
	const struct segue_fan fan = {.multi = lane->multi,
				      .count = process.size,
				      .results = results,
				      .deadline = soon()};
	uint32_t to;
	int ret = 0;

	fill(lane, round);
	for (to = 0; to < process.size && !ret; to++)
		ret = segue_mr_local_buf(process.mr, offset_of(lane->number, OUT, to), BLOCK,
					 &blocks[to]);
	if (!ret)
		ret = segue_fan_write(&fan, blocks, lane->peers);
	/* A WRITE that has completed lies in the peer's memory: when all are here, all blocks are.
	 */
	if (!ret)
		ret = segue_barrier(lane->multi, 0, NULL, process.size, soon());
	ret = check_call(ret);
	if (!ret)
		ret = check(lane, round);
	return ret ? ret : check_call(segue_barrier(lane->multi, 0, NULL, process.size, soon()));
}

static void *run_lane(void *arg)
{
	struct lane *lane = arg;
	uint32_t round;

	for (round = 0; round < process.rounds && !lane->error; round++)
		lane->error = play_round(lane, round);
	return NULL;
}

static int run_lanes(struct lane *lanes, uint64_t *checked)
{
	pthread_t threads[THREADS_MAX];
	uint32_t i, started;
	int ret = 0;

	for (started = 0; started < process.threads && !ret; started++)
		ret = pthread_create(&threads[started], NULL, run_lane, &lanes[started]);
	if (ret) {
		started--;
		ret = fail(ret, "threads: lane %u has no thread: %s.\n", started, strerror(ret));
	}
	for (i = 0; i < started; i++) {
		(void)pthread_join(threads[i], NULL);
		*checked += lanes[i].checked;
		if (!ret && lanes[i].error)
			ret = lanes[i].error;
	}
	/* The others may still be at their last barrier: nobody's queues go before all have come
	 * here. */
	return ret ? ret : check_call(segue_world_fence(process.world, soon()));
}

static void close_all(struct lane *lanes)
{
	uint32_t i;

	for (i = 0; i < process.threads; i++)
		(void)segue_multi_channel_close(lanes[i].multi);
	(void)segue_device_close(process.device);
	(void)segue_world_close(process.world, soon());
	free(process.memory);
}

int main(int argc, char **argv)
{
	static struct lane lanes[THREADS_MAX];
	uint64_t checked = 0;
	uint32_t i;
	int ret;

	process.threads = argc > 1 ? (uint32_t)atoi(argv[1]) : 0;
	process.rounds = argc > 2 ? (uint32_t)atoi(argv[2]) : 100;
	if (!process.threads || process.threads > THREADS_MAX) {
		fprintf(stderr, "Usage: threads N [ROUNDS], with N from 1 to %d.\n", THREADS_MAX);
		return 2;
	}
	ret = open_process();
	for (i = 0; i < process.threads && !ret; i++) {
		lanes[i].number = i;
		ret = open_lane(&lanes[i]);
	}
	if (!ret)
		ret = run_lanes(lanes, &checked);
	if (!ret)
		printf("rank %u of %u: %u threads, %llu bytes, all right\n", process.rank,
		       process.size, process.threads, (unsigned long long)checked);
	close_all(lanes);
	return ret ? 1 : 0;
}
