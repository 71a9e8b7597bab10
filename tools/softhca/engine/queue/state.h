/* SPDX-License-Identifier: BSD-2-Clause */
/* State of this part for the process, for plan.c, tables.c and cq_compress.c. */
#ifndef SOFTHCA_QUEUE_STATE_H
#define SOFTHCA_QUEUE_STATE_H

#include "plan.h"
#include "tables.h"
#include "wqe.h"

#define SHAPES 64u  /* per kind of queue. The oldest one is replaced */
#define LIMITS 160u /* a WQE with more is walked each time */

/* Bits of an aligned 8-byte word in memory order, with values that are required or excluded. */
struct word {
	uint64_t mask, bits, at;
};

/* A field that must stay within limits. */
struct limit {
	uint64_t mask, min, span;
	uint16_t at; /* aligned 8-byte word that contains it */
	uint8_t shift;
	bool zero; /* 0 is legal too */
};

/* Notes of a walk. */
struct notes {
	const struct segue_machine *machine;
	const struct segue_machine_start *start;
	struct softhca_step step[SOFTHCA_STEPS_MAX];
	struct limit limit[LIMITS];
	struct word excluded[LIMITS];
	uint8_t fixed[SOFTHCA_WQE_MAX] __attribute__((aligned(8))); /* bits that must stay */
	unsigned n_steps, n_limits, n_excluded;
	bool full; /* too much for a shape */
	bool ethernet;
};

extern struct the_queue {
	struct {
		const struct shape *last;
		struct shape *shape[SHAPES];
		unsigned n, oldest;
	} known[SOFTHCA_GRAMMARS];
	struct notes notes;
	struct softhca_plan once;	    /* plan of the last walk, valid until the next */
	struct segue_offence found;	    /* fault that the walk found */
	const struct seguei_tables *tables; /* tables in force */
	const struct segue_machine *machine[SOFTHCA_GRAMMARS];
	struct softhca_cq *open; /* queues with a block that is not yet written */
} the_queue __attribute__((visibility("hidden")));

#endif
