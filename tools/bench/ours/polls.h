/* SPDX-License-Identifier: BSD-2-Clause */
/* Completions for all contenders: a round of entries, written by us into their ring. */
#ifndef SEGUE_BENCH_POLLS_H
#define SEGUE_BENCH_POLLS_H

#include <stdbool.h>
#include <stdint.h>

#include "segue/gen/cqes.h"
#include "tools/bench/ours/bench.h"

#define BENCH_PAYLOAD 28u /* bytes within a completion */
#define BENCH_MINIS   8u  /* completions of a compressed block */

struct bench_poll {
	const char *name; /* of the row, without the number that a poll asks for */
	uint8_t opcode;	  /* of the entries. 0xf if there is none */
	uint8_t format;
	uint8_t syndrome; /* of failed ones */
	bool shared;      /* receives of a shared queue */
	bool compressed;
};

enum { BENCH_POLLS = 7 };

extern const struct bench_poll bench_polls[BENCH_POLLS];

/* A ring of completions. */
struct bench_cqes {
	uint8_t *buf;
	uint32_t entries, qpn, uidx;
	uint32_t pi; /* written so far */
};

/* All entries. */
void bench_complete(struct bench_cqes *ring, const struct bench_poll *poll);

#endif
