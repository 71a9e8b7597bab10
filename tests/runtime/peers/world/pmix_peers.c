/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Ranks under mpirun that write to each other until one of them is killed; the others say who it
 * was and why, and go on without it. With an argument, all but the last one go on only seconds
 * later, as on a busy machine: the last one is through long before them.
 */
#define _GNU_SOURCE
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "segue/base.h"
#include "segue/device.h"
#include "segue/mr.h"
#include "segue/pd.h"
#include "segue/peers/barrier.h"
#include "segue/peers/fan.h"

#define RANKS_MAX 16
#define DEAD	  1
#define WAIT_MS	  30000
#define LATE_S	  3

#define MUST(condition)                                                                    \
	do {                                                                               \
		if (!(condition)) {                                                        \
			printf("line %d: %s: %s\n", __LINE__, #condition, segue_errmsg()); \
			return 1;                                                          \
		}                                                                          \
	} while (0)

static _Alignas(4096) uint64_t memory[2][RANKS_MAX];
static struct segue_fan_result results[RANKS_MAX];

/* Who leaves takes its queue pairs along: nobody does before each of the living has had all its
 * answers. */
static int leave_together(struct segue_multi_channel *multi, uint32_t count)
{
	uint32_t living[RANKS_MAX];
	uint32_t i, n = 0;

	for (i = 0; i < count; i++) {
		if (i != DEAD)
			living[n++] = i;
	}
	MUST(!segue_barrier(multi, 0, living, n, segue_deadline_in_ms(WAIT_MS)));
	return 0;
}

static int play(struct segue_world *world, struct segue_multi_channel *multi, struct segue_mr *mr,
		bool late)
{
	const uint32_t self = segue_world_rank(world), count = segue_world_size(world);
	struct segue_fan fan = {.multi = multi, .count = count, .results = results};
	struct segue_local_buf from[RANKS_MAX];
	struct segue_remote_buf box, to[RANKS_MAX];
	uint32_t i, rounds = 0;
	int ret = 0;

	MUST(!segue_mr_remote_buf(mr, 0, sizeof(memory), &box));
	MUST(!segue_multi_channel_publish(multi, "box", &box));
	MUST(!segue_world_fence(world, segue_deadline_in_ms(WAIT_MS)));
	for (i = 0; i < count; i++) {
		MUST(!segue_multi_channel_find(multi, i, "box", segue_deadline_in_ms(WAIT_MS),
					       &box));
		MUST(!segue_remote_buf_part(&box, self * sizeof(uint64_t), sizeof(uint64_t),
					    &to[i]));
		MUST(!segue_mr_local_buf(mr, sizeof(memory[0]) + i * sizeof(uint64_t),
					 sizeof(uint64_t), &from[i]));
	}
	while (!ret) {
		if (++rounds == 20 && self == DEAD)
			raise(SIGKILL);
		for (i = 0; i < count; i++)
			memory[1][i] = rounds;
		fan.deadline = segue_deadline_in_ms(WAIT_MS);
		ret = segue_fan_write(&fan, from, to);
	}
	printf("rank %u: %s\n", self, results[DEAD].sentence);
	for (i = 0; i < count; i++)
		MUST(!results[i].error == (i != DEAD));
	if (late && self != count - 1)
		sleep(LATE_S);
	for (rounds = 0; rounds < 100; rounds++) {
		fan.deadline = segue_deadline_in_ms(WAIT_MS);
		(void)segue_fan_write(&fan, from, to);
		for (i = 0; i < count; i++)
			MUST(!results[i].error == (i != DEAD));
	}
	printf("rank %u: the others go on\n", self);
	return leave_together(multi, count);
}

int main(int argc, char **argv)
{
	struct segue_mr_options attr = {.addr = memory,
					.length = sizeof(memory),
					.access = SEGUE_ACCESS_LOCAL_WRITE |
						  SEGUE_ACCESS_REMOTE_WRITE};
	struct segue_multi_channel_options options = {.transport = SEGUE_TRANSPORT_RC};
	struct segue_multi_channel *multi;
	struct segue_device *device;
	struct segue_world *world;
	struct segue_path path;
	struct segue_mr *mr;
	struct segue_pd *pd;

	alarm(60);
	MUST(!segue_world_open(NULL, segue_deadline_in_ms(WAIT_MS), &world));
	options.self = segue_world_rank(world);
	options.peers = segue_world_size(world);
	options.path = &path;
	MUST(!segue_device_open(NULL, &device) && !segue_pd_open(device, &pd) &&
	     !segue_mr_open(pd, &attr, &mr));
	MUST(!segue_path_init(&path, device, 1));
	path.timeout = 17; /* 0.5 s */
	path.retry_cnt = 3;
	MUST(!segue_multi_channel_open(pd, &options, &multi));
	MUST(!segue_multi_channel_meet(multi, world, "pmix", segue_deadline_in_ms(WAIT_MS)));
	(void)argv;
	if (play(world, multi, mr, argc > 1))
		return 1;
	fflush(stdout);
	(void)segue_device_close(device);
	(void)segue_world_close(world, segue_deadline_in_ms(1000));
	return 0;
}
