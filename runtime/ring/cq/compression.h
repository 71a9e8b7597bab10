/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Compressed blocks of completions. A block is a title with the common fields, and arrays of the
 * fields that differ.
 *
 * segue_cq.block holds the current block, and segue_cq.made the completion expanded last.
 */
#ifndef SEGUE_RUNTIME_RING_CQ_COMPRESSION_H
#define SEGUE_RUNTIME_RING_CQ_COMPRESSION_H

#include "segue/cq.h"

/* The format of an entry: enum segue_cqe_format. */
static inline uint32_t seguei_cq_format(const uint8_t *entry)
{
	return (entry[SEGUEI_CQE_OP_OWN] & SEGUE_CQE_OP_OWN_FORMAT_MASK) >> 2;
}

/* Keeps an entry as the title of the enhanced blocks after it. */
void seguei_cq_block_title(struct segue_cq *cq, const uint8_t *entry);

/* Starts the block at this counter. False if it has more entries than the ring, or none. */
bool seguei_cq_block_begin(struct segue_cq *cq, uint32_t counter);

/* Expands the next completion of the block into a CQE. */
void seguei_cq_block_make(struct segue_cq *cq);

/* Advances to the completion after that. `counter`: first entry of the block. */
void seguei_cq_block_advance(struct segue_cq *cq, uint32_t counter);

#endif
