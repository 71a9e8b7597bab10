/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compressed blocks of completions: a title, which says what all have in common, and arrays of what
 * each keeps of its own.
 *
 * The block in hand is in segue_cq.block, the completion made last in segue_cq.made.
 */
#ifndef SEGUE_RUNTIME_RING_CQ_COMPRESSION_H
#define SEGUE_RUNTIME_RING_CQ_COMPRESSION_H

#include "segue/cq.h"

/* The format of an entry: enum segue_cqe_format. */
static inline uint32_t seguei_cq_format(const uint8_t *entry)
{
	return (entry[SEGUEI_CQE_OP_OWN] & SEGUE_CQE_OP_OWN_FORMAT_MASK) >> 2;
}

/* Keeps an entry as the title of enhanced blocks behind it. */
void seguei_cq_block_title(struct segue_cq *cq, const uint8_t *entry);

/*
 * Takes the block that begins at this counter in hand: false if it has more entries than the ring,
 * or none.
 */
bool seguei_cq_block_begin(struct segue_cq *cq, uint32_t counter);

/* Makes the CQE of its next completion. */
void seguei_cq_block_make(struct segue_cq *cq);

/* Goes on to the one behind that. `counter`: where the block begins */
void seguei_cq_block_advance(struct segue_cq *cq, uint32_t counter);

#endif
