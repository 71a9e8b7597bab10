/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Could these bytes be anything? A receive entry has no opcode, no length and no index, and half of
 * all random bytes are a legal one, so that legality proves little. The evidence is the number of
 * bits by which a description of the entry is shorter than random bytes: by what the format
 * demands, and by what entries of programs are like, small numbers and repeated ones. Noise comes
 * to N bits once in 2^N.
 */
#ifndef SEGUE_TOOL_EVIDENCE_H
#define SEGUE_TOOL_EVIDENCE_H

#include <stdbool.h>
#include <stdint.h>

#include "runtime/text/walk.h"

#define EVIDENCE_PIECES \
	256 /* segments of one entry that are compared with those of the entry before */

struct evidence {
	int64_t demanded; /* bits that could have only one value, and have it */
	/* bits that small and repeated values spare, less those that name the code */
	int64_t usual;
	/* the segments of the entry before, by their place */
	const uint8_t *before[EVIDENCE_PIECES];
};

/* evidence_take() weighs one segment of a legal entry, as seguei_walk() hands it out: `evidence` is
 * a struct evidence. The bytes must stay where they are while it is in use. */
void evidence_take(void *evidence, const struct seguei_step_seen *step);

/* evidence_enough() is true if it is hard to believe that noise came out so: once in a million at
 * most. */
bool evidence_enough(const struct evidence *evidence);

#endif
