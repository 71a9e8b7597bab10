/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One walk through a raw WQE along an automaton, as used for validation, printing and re-encoding.
 */
#ifndef SEGUEI_WALK_H
#define SEGUEI_WALK_H

#include "segue/decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A segment that the walk has recognized. */
struct seguei_step_seen {
	const struct segue_machine_symbol *symbol; /* NULL for the control segment */
	const struct segue_segment_desc *segment;
	const uint8_t *bytes;
	uint32_t offset; /* in the WQE */
	uint32_t size;	 /* with payload and padding. For a list: of all entries */
};

typedef void seguei_visit(void *arg, const struct seguei_step_seen *step);

/*
 * Walks, and calls `visit` (may be NULL) for each segment up to the first offence. Returns the
 * request that the bytes are or resemble, or NULL. offence->kind is NONE if they are a complete,
 * legal request.
 */
const struct segue_machine_start *seguei_walk(const struct segue_machine *machine,
					      const uint8_t *wqe, size_t len, seguei_visit *visit,
					      void *arg, struct segue_offence *offence);

/* Repeats the visits of a call of seguei_walk() that returned `start`, or NULL. */
void seguei_walk_again(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       const struct segue_machine_start *start, seguei_visit *visit, void *arg);

/*
 * seguei_walk() for code that executes WQEs. Values out of range, flags and reserved bits do not
 * stop the walk, because no later segment moves. offence->kind is SEGUE_OFFENCE_NONE if the
 * segments are those of a whole request.
 */
const struct segue_machine_start *seguei_walk_lax(const struct segue_machine *machine,
						  const uint8_t *wqe, size_t len,
						  seguei_visit *visit, void *arg,
						  struct segue_offence *offence);

/*
 * Bytes of a TSO's pieces and inline payload, if they exceed the device's limit, or 0. The limit is
 * not in the spec, but comes from ibv_query_device_ex(3), tso_caps.max_tso. 0 means that it is not
 * known.
 */
uint64_t seguei_tso_beyond(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
			   uint32_t most);

#ifdef __cplusplus
}
#endif

#endif
