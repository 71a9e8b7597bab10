// SPDX-License-Identifier: BSD-2-Clause
/*
 * Random bytes as receive rings, of each kind of queue: noise_test [COUNT], and as single entries.
 * Never believed; where a dump is so short that noise is legal by chance, that is what is said. The
 * share of those is what the format leaves to chance.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "segue/gen/machines.h"
#include "tests/seed/seed.h"
#include "tools/segue/receive_ring.h"
#include "tools/segue/wqe.h"

#define USUAL	    100000 /* rings of each kind */
#define ENTRIES_MAX 64
#define STRIDE_MAX  128

static uint64_t state;

static uint64_t draw(void)
{
	uint64_t z = state += UINT64_C(0x9e3779b97f4a7c15); /* splitmix64 */

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* What one entry of noise passes with: its length's top bit in each piece, and a link within the
 * ring. */
static double legal_by_chance(const struct receive_ring *ring)
{
	const int linked = strcmp(ring->machine->name, "rq") != 0;
	const double entries = (double)(ring->len / ring->stride);
	const double pieces = (double)(ring->stride / 16) - linked;

	return pow(pow(0.5, pieces) * (linked && ring->whole ? entries / 65536 : 1), entries);
}

static int run(const char *queue, bool whole, uint64_t count)
{
	static uint64_t bytes[ENTRIES_MAX * STRIDE_MAX / 8];
	struct receive_ring ring = {
		.machine = wqe_machine(queue), .bytes = (const uint8_t *)bytes, .whole = whole};
	uint64_t seen[SEGUE_EXIT_UNDECIDED + 1] = {0}, n;
	double expected = 0, undecided;
	size_t i;

	for (n = 0; n < count; n++) {
		ring.stride = receive_stride(ring.machine) << draw() % 3;
		ring.len = whole ? ring.stride << draw() % 7 : ring.stride;
		for (i = 0; i < ring.len / 8; i++)
			bytes[i] = draw();
		expected += legal_by_chance(&ring);
		seen[receive_judge(&ring)]++;
	}
	undecided = (double)seen[SEGUE_EXIT_UNDECIDED];
	printf("%s %s of noise: %.3f %% refused, %.3f %% undecided (%.3f %% by chance), %llu "
	       "believed\n",
	       queue, whole ? "rings" : "entries",
	       100. * (double)seen[SEGUE_EXIT_OFFENCE] / (double)count,
	       100. * undecided / (double)count, 100. * expected / (double)count,
	       (unsigned long long)seen[SEGUE_EXIT_OK]);
	/* One in 2^20 may be believed; five sigmas, and as many for what is rare. */
	if (seen[SEGUE_EXIT_OK] > 3 + (count >> 19) ||
	    fabs(undecided - expected) > 5 * sqrt(expected) + 5) {
		printf("that is not as expected\n");
		return 1;
	}
	return 0;
}

int main(int argc, char **argv)
{
	const uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 0) : USUAL;
	static const char *const queues[] = {"rq", "srq", "mprq"};
	int bad = 0;
	size_t i;

	state = segue_test_seed();
	for (i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
		bad |= run(queues[i], true, count) | run(queues[i], false, count / 10);
	return bad;
}
