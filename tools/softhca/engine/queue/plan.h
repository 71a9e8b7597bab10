/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the generated automata say of a WQE: is it one, of which request, and where are its
 * segments? A program posts few shapes of WQE, so the answer is kept for each (plan.c).
 */
#ifndef SOFTHCA_PLAN_H
#define SOFTHCA_PLAN_H

#include "tools/softhca/engine/queue.h"

#include "segue/validate.h"

#define SOFTHCA_STEPS_MAX 64u /* segments of a WQE: it has at most 63 units of 16 bytes */

/* What a segment says of a message (wqe.c); others are of requests that stay here. */
enum softhca_part {
	SOFTHCA_PART_OTHER,
	SOFTHCA_PART_DATA,
	SOFTHCA_PART_INLINE,
	SOFTHCA_PART_RADDR,
	SOFTHCA_PART_XRC,
	SOFTHCA_PART_AV,
	SOFTHCA_PART_CAS,
	SOFTHCA_PART_FA,
	SOFTHCA_PART_CAS32,
	SOFTHCA_PART_CAS64,
	SOFTHCA_PART_FA32,
	SOFTHCA_PART_FA64,
	SOFTHCA_PART_ETH,
	SOFTHCA_PART_ETH_VLAN,
};

enum softhca_part softhca_part_of(const struct segue_segment_desc *segment);

/* A segment. */
struct softhca_step {
	const struct segue_segment_desc *segment;
	enum softhca_part part;
	uint16_t at, size; /* bytes; size with payload and padding, of a list all its entries */
};

struct softhca_plan {
	const struct segue_machine_start *start;
	const struct softhca_step *step; /* the control segment is none of them */
	unsigned n_steps;
	bool ethernet; /* has an Ethernet segment */
	uint8_t opcode; /* of the request as which it is carried out */
};

/* Queues by what may be posted to them. */
enum softhca_grammar {
	SOFTHCA_GRAMMAR_RQ = SOFTHCA_QP_RWQ + 1, /* before: enum softhca_qp_type */
	SOFTHCA_GRAMMAR_SRQ,
	SOFTHCA_GRAMMAR_MPRQ,
	SOFTHCA_GRAMMARS,
};

/* softhca_machine: the automaton; NULL: nothing can be posted there. */
const struct segue_machine *softhca_machine(unsigned grammar);
/*
 * softhca_plan_of: the plan of `len` bytes at `raw`, or NULL if a device cannot execute them.
 * *offence is NULL, or what is wrong with them: without a plan always, with one if a device does
 * not mind. Both are good until the next call.
 */
const struct softhca_plan *softhca_plan_of(unsigned grammar, const uint8_t *raw, unsigned len,
					   const struct segue_offence **offence);

#endif
