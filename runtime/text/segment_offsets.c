/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds where the segments that a pattern changes lie in a request. */
#include "segue/detail/segment_offsets.h"

#include "runtime/text/walk.h"
#include "segue/gen/tables.h"

/* A segment and its repetitions without a gap. */
struct run {
	const struct segue_segment_desc *segment;
	uint32_t first, end, entries;
};

static void add(void *arg, const struct seguei_step_seen *step)
{
	struct run *run = (struct run *)arg;

	if (step->segment != run->segment || (run->entries && step->offset != run->end))
		return;
	if (!run->entries)
		run->first = step->offset;
	run->end = step->offset + step->size;
	run->entries++;
}

bool seguei_stops_find(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
		       const struct seguei_stop *stops, size_t count, struct seguei_stops *found)
{
	const struct seguei_stop *moved = NULL;
	struct segue_offence ignored;

	*found = (struct seguei_stops){0, 0, 0};
	for (size_t i = 0; i < count; i++) {
		struct run run = {segue_segments[stops[i].segment], 0, 0, 0};
		size_t far;

		(void)seguei_walk_lax(machine, wqe, len, add, &run, &ignored);
		far = (size_t)run.first - stops[i].byte;
		if (!run.entries || (stops[i].moves ? moved && far != found->shift : far != 0))
			return false;
		if (stops[i].moves) {
			moved = &stops[i];
			found->shift = far;
		}
		if (stops[i].listed) {
			found->end = run.end - (uint32_t)far;
			found->entries = run.entries;
		}
	}
	return true;
}
