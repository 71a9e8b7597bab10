/* SPDX-License-Identifier: BSD-2-Clause: alltoall rc|dc [ROUNDS], blocks from each to each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "segue/peers.h"
#define BLOCK 4096u
int main(int argc, char **argv)
{
	const struct segue_team_options options = {
		.queues.transport = argc > 1 && !strcmp(argv[1], "dc") ? SEGUE_TRANSPORT_DC
								       : SEGUE_TRANSPORT_RC,
		.bytes_per_rank = 2 * BLOCK /* blocks that go out, then blocks that come in */};
	const segue_deadline deadline = segue_deadline_in_ms(600000);
	struct segue_team *team;
	int ret = segue_team_open(&options, deadline, &team), rounds = argc > 2 ? atoi(argv[2]) : 1;
	const uint32_t n = ret ? 0 : team->size, me = n ? team->rank : 0, in = n * BLOCK;
	struct segue_local_buf *from = calloc(n + 1, sizeof(*from));
	struct segue_remote_buf *to = calloc(n + 1, sizeof(*to));
	struct segue_fan fan = {.count = n, .results = calloc(n + 1, sizeof(*fan.results)),
				.deadline = deadline, .multi = n ? team->multi : NULL};
	for (uint32_t i = 0; i < n && !ret; i++) {
		memset(team->memory + i * BLOCK, (int)(me + 3 * i), BLOCK);
		ret = segue_team_local_buf(team, i * BLOCK, BLOCK, &from[i]);
		ret = ret ? ret : segue_team_remote_buf(team, i, in + me * BLOCK, BLOCK, &to[i]);
	}
	for (int round = 0; round < rounds && !ret; round++) {
		ret = segue_fan_write(&fan, from, to);
		ret = ret ? ret : segue_barrier(team->multi, 0, NULL, n, deadline);
	}
	for (uint32_t at = 0; at < n * BLOCK && !ret; at++)
		ret = team->memory[in + at] == (uint8_t)(at / BLOCK + 3 * me) ? 0 : -1;
	if (ret)
		fprintf(stderr, "alltoall: %s\n", segue_errmsg());
	else if (me == 0)
		printf("%u ranks, each to all: every byte is right\n", n);
	ret |= n && segue_team_close(team, deadline) && fprintf(stderr, "%s\n", segue_errmsg());
	return free(from), free(to), free(fan.results), ret ? 1 : 0;
}
