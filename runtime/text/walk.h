/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * One walk through a raw WQE along an automaton: what validation, printing and re-encoding have in
 * common.
 */
#ifndef SEGUEI_WALK_H
#define SEGUEI_WALK_H

#include "segue/validate.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A segment that the walk has recognised. */
struct seguei_step_seen {
	const struct segue_machine_symbol *symbol; /* NULL for the control segment */
	const struct segue_segment_desc *segment;
	const uint8_t *bytes;
	uint32_t offset; /* in the WQE */
	uint32_t size;   /* payload and padding included; of a list all its entries */
};

typedef void seguei_visit(void *arg, const struct seguei_step_seen *step);

/*
 * Walks and calls `visit` (may be NULL) for each segment up to the first offence. Returns the
 * request that the bytes are, or were taken for; NULL if there is none. offence->kind says whether
 * they are a whole and legal one.
 */
const struct segue_machine_start *seguei_walk(const struct segue_machine *machine,
					      const uint8_t *wqe, size_t len, seguei_visit *visit,
					      void *arg, struct segue_offence *offence);

/* Visits once more what seguei_walk() has gone through, which returned `start` (NULL: none). */
void seguei_walk_again(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       const struct segue_machine_start *start, seguei_visit *visit, void *arg);

/*
 * seguei_walk() for code that carries WQEs out: values out of range, flags and reserved bits do not
 * stop the walk, as nothing behind them moves. offence->kind is SEGUE_OFFENCE_NONE if the segments
 * are those of a whole request.
 */
const struct segue_machine_start *seguei_walk_lax(const struct segue_machine *machine,
						  const uint8_t *wqe, size_t len,
						  seguei_visit *visit, void *arg,
						  struct segue_offence *offence);

/*
 * Bytes that a TSO has cut into frames, of its pieces and of its inline payload, if those are more
 * than the device takes; else 0, and of any other request. What a device takes at most is no fact
 * of the spec (ibv_query_device_ex(3), tso_caps.max_tso); 0: nobody knows.
 */
uint64_t seguei_tso_beyond(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
			   uint32_t most);

#ifdef __cplusplus
}
#endif

#endif
