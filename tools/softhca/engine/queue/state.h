/* SPDX-License-Identifier: BSD-2-Clause */
/* What this part keeps for the process, of plan.c, tables.c and cq_compress.c. */
#ifndef SOFTHCA_QUEUE_STATE_H
#define SOFTHCA_QUEUE_STATE_H

#include "plan.h"
#include "tables.h"
#include "wqe.h"

#define SHAPES 64u  /* per kind of queue; then the oldest makes room */
#define LIMITS 160u /* a WQE with more is walked each time */

/* Bits of an aligned 8-byte word, as they lie in memory: what they must be, or must not be. */
struct word {
	uint64_t mask, bits, at;
};

/* A field that must stay within limits. */
struct limit {
	uint64_t mask, min, span;
	uint16_t at; /* the aligned 8-byte word that it lies in */
	uint8_t shift;
	bool zero; /* is legal too */
};

/* A walk that is being written down. */
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
	struct softhca_plan once;	    /* the plan of the last walk: good until the next */
	struct segue_offence found;	    /* by it */
	const struct seguei_tables *tables; /* those in force */
	const struct segue_machine *machine[SOFTHCA_GRAMMARS];
	struct softhca_cq *open; /* queues with a block that is not yet written */
} the_queue __attribute__((visibility("hidden")));

#endif
