/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Result of the generated automata for a WQE: its validity, its request and its segments' places. A
 * program posts few shapes of WQE, so the result is kept for each (plan.c).
 */
#ifndef SOFTHCA_PLAN_H
#define SOFTHCA_PLAN_H

#include "tools/softhca/engine/queue.h"

#include "segue/decode.h"

#define SOFTHCA_STEPS_MAX 64u /* segments of a WQE: it has at most 63 units of 16 bytes */

/* Segments of messages (wqe.c). Requests that stay inside the device have other segments. */
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
	uint16_t at, size; /* bytes. size includes payload and padding, and all entries of a list */
};

struct softhca_plan {
	const struct segue_machine_start *start;
	const struct softhca_step *step; /* without the control segment */
	unsigned n_steps;
	bool ethernet; /* has an Ethernet segment */
	uint8_t opcode; /* opcode of the request that is executed for it */
};

/* Kinds of queues by the requests that may be posted. */
enum softhca_grammar {
	SOFTHCA_GRAMMAR_RQ = SOFTHCA_QP_RWQ + 1, /* smaller values: enum softhca_qp_type */
	SOFTHCA_GRAMMAR_SRQ,
	SOFTHCA_GRAMMAR_MPRQ,
	SOFTHCA_GRAMMARS,
};

/* softhca_machine: the automaton. NULL if nothing can be posted there. */
const struct segue_machine *softhca_machine(unsigned grammar);
/*
 * softhca_plan_of: returns the plan of `len` bytes at `raw`, or NULL if a device cannot execute
 * them. *offence is NULL or the fault. It is always set without a plan, and with a plan if a device
 * tolerates the fault. Both are valid until the next call.
 */
const struct softhca_plan *softhca_plan_of(unsigned grammar, const uint8_t *raw, unsigned len,
					   const struct segue_offence **offence);

#endif
