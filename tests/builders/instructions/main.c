/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs every shape a known number of times, for callgrind to count, and checks that both ways write
 * the same bytes: a comparison of two programs that do different things would be worth nothing.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/builders/instructions/shapes.h"

#define BLOCKS 256
#define ROUNDS 64 /* instructions_test.py divides by this */

struct segue_address_vector shape_ah;
uint32_t shape_flags = SEGUE_SIGNALED, shape_count = 1;

struct world {
	_Alignas(64) uint8_t ring[BLOCKS * 64];
	struct segue_sq_slot slots[BLOCKS];
	uint64_t wr_ids[BLOCKS];
	uint32_t dbrec[2];
	_Alignas(512) uint64_t uar[64]; /* the doorbell toggles between its halves */
};

static void *open_sq(struct world *w, struct segue_sq *sq)
{
	const struct segue_sq_init_options attr = {
		.buf = w->ring,
		.wqe_cnt = BLOCKS,
		.max_wqe_units = 16,
		.dbrec = &w->dbrec[1],
		.bf_reg = w->uar,
		.bf_size = 256,
		.qpn = 0x123456,
		.slots = w->slots,
	};

	memset(w, 0, sizeof(*w));
	return segue_sq_init(sq, &attr) ? NULL : sq;
}

static void *open_rq(struct world *w, struct segue_rq *rq)
{
	const struct segue_rq_init_options attr = {
		.buf = w->ring,
		.wqe_cnt = BLOCKS,
		.stride = 64,
		.dbrec = w->dbrec,
		.qpn = 1,
		.wr_ids = w->wr_ids,
	};

	memset(w, 0, sizeof(*w));
	return segue_rq_init(rq, &attr) ? NULL : rq;
}

typedef int post_function(struct segue_sq *sq, SHAPE_PARAMETERS);
typedef int recv_function(struct segue_rq *rq, SHAPE_PARAMETERS);

static uint8_t payload[64];

static void run(post_function *post, struct world *w, uint64_t rounds, uint32_t length)
{
	struct segue_sq sq;

	if (!open_sq(w, &sq))
		exit(1);
	for (uint64_t i = 0; i < rounds; i++)
		if (post(&sq, i, (uint64_t)(uintptr_t)payload, length, 0x1100, 0x7f0000001000 + i,
			 0x2200))
			exit(1);
}

static void run_recv(recv_function *post, struct world *w)
{
	struct segue_rq rq;

	if (!open_rq(w, &rq))
		exit(1);
	for (uint64_t i = 0; i < ROUNDS; i++)
		if (post(&rq, i, 0x10000 + i, 4096, 0x1100, 0, 0))
			exit(1);
}

/* A batch counts as many requests as it has. */
static uint64_t rounds_of(const char *name)
{
	return strncmp(name, "write_16", 8) ? ROUNDS : ROUNDS / 16;
}

static uint32_t length_of(const char *name)
{
	return strcmp(name, "write_inline_any") ? 4096 : 28;
}

static struct world generated, by_hand;

static int same(const char *name)
{
	if (!memcmp(&generated, &by_hand, sizeof(generated)))
		return 0;
	printf("%s: generated and hand-written code leave different bytes\n", name);
	return 1;
}

int main(void)
{
	int different = 0;

	for (size_t i = 0; i < sizeof(payload); i++)
		payload[i] = (uint8_t)(i * 7 + 1);
	memset(&shape_ah, 0x5a, sizeof(shape_ah));
	memset(&shape_ah, 0, 12);
	shape_ah.bytes[8] = 0x80;
#define RUN_SHAPE(name)                                           \
	run(generated_##name, &generated, rounds_of(#name), length_of(#name)); \
	run(by_hand_##name, &by_hand, rounds_of(#name), length_of(#name)); \
	different |= same(#name);
	SHAPES(RUN_SHAPE)
	run_recv(generated_recv_1, &generated);
	run_recv(by_hand_recv_1, &by_hand);
	different |= same("recv_1");
	return different;
}
