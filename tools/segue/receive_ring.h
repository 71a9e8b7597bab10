/* SPDX-License-Identifier: BSD-2-Clause */
/* Entries of a receive queue, dumped from memory: one, or a whole ring. */
#ifndef SEGUE_TOOL_RECEIVE_RING_H
#define SEGUE_TOOL_RECEIVE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/tables.h"
#include "tools/segue/report.h"

#define RECEIVE_STRIDE_MAX 4096

struct receive_ring {
	const struct segue_machine *machine;
	const uint8_t *bytes;
	size_t len, stride; /* bytes, a multiple of the stride */
	bool whole;	    /* all of a ring: links must lead to one of its entries */
};

/* receive_stride() is the least stride of a queue's entries: no driver makes shared queues with
 * entries that hold a link and no buffer. */
size_t receive_stride(const struct segue_machine *machine);

/*
 * receive_judge() returns SEGUE_EXIT_OK, SEGUE_EXIT_OFFENCE, or SEGUE_EXIT_UNDECIDED if nothing is
 * wrong but random bytes could well look like that.
 */
int receive_judge(const struct receive_ring *ring);

/* receive_print() prints a record for each entry that was posted, one for entries that were not,
 * and the verdict, which it returns. */
int receive_print(struct report *report, const struct receive_ring *ring);

#endif
