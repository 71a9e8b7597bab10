/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Places of segments in a built request, which a pattern finds once, when it is kept.
 *
 * Owner: nothing is kept or allocated.
 * Threads: any.
 * Errors: false.
 * Source: Segue's own.
 */
#ifndef SEGUE_DETAIL_SEGMENT_OFFSETS_H
#define SEGUE_DETAIL_SEGMENT_OFFSETS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/compiler.h"

#include "segue/detail/begin.h"

struct segue_machine;

/* A segment that a pattern sets fields of. */
struct seguei_stop {
	uint16_t segment; /* index in segue_segments[] */
	uint16_t byte;	  /* its first place in the request, in bytes */
	bool moves;	  /* its distance from there is that of all moving segments */
	bool listed;	  /* entries may follow, each the same segment */
};

struct seguei_stops {
	size_t shift;	  /* bytes by which moving segments lie after their first possible place */
	uint32_t end;	  /* end of the list, less the shift if that moves. 0: no list */
	uint32_t entries; /* entries of the list */
};

/* Finds the stops in a whole request. Returns false if one is missing, or misplaced. */
SEGUEI_COLD bool seguei_stops_find(const struct segue_machine *machine, const uint8_t *wqe,
				   size_t len, const struct seguei_stop *stops, size_t count,
				   struct seguei_stops *found);

#include "segue/detail/end.h"

#endif
