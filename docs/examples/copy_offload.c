/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * copy_offload: the card copies local memory while the processor does something else.
 *
 * When to use it: large copies within a process (compaction, staging buffers) whose end need not be
 * waited for at once, and copies that must come between two requests of the same queue. What the
 * card must have: segue_caps.max_memcpy, which says how much a request may copy. What to mind: both
 * ranges are registered, and may not overlap. The device keeps its own notes in 64 bytes of the
 * program's memory (mmo_metadata), which stay registered as long as the queue pair is used for
 * copies.
 */
#include <string.h>

#include "pair.h"
#include "segue/qp.h"

static struct {
	_Alignas(64) uint8_t notes[64];
	uint8_t from[100000], to[100000];
} memory;

int main(void)
{
	struct segue_local_buf notes, from, to;
	struct segue_qp_options qp;
	struct pair p;

	for (size_t i = 0; i < sizeof(memory.from); i++)
		memory.from[i] = (uint8_t)(i * 7 + (i >> 8));
	pair_begin(&p, &memory, sizeof(memory));
	qp = pair_options(&p);
	/* some devices copy for such queue pairs only (segue_caps.memcpy_by_option) */
	qp.device_memcpy = true;
	must(segue_qp_open(p.pd, &qp, &p.a));
	must(segue_qp_open(p.pd, &qp, &p.b));
	pair_connect(&p);
	must(segue_qp_supports(p.a, "memcpy"));
	must(segue_mr_local_buf(p.mr, 0, sizeof(memory.notes), &notes));
	must(segue_mr_local_buf(p.mr, sizeof(memory.notes), sizeof(memory.from), &from));
	must(segue_mr_local_buf(p.mr, sizeof(memory.notes) + sizeof(memory.from), sizeof(memory.to),
				&to));
	must(segue_post(segue_mmo_data(
		segue_mmo_data(
			segue_mmo_metadata(segue_memcpy(segue_qp_rc_sq(p.a), 1, SEGUE_SIGNALED), 0,
					   notes.key.lkey, notes.addr),
			from.addr, from.length, from.key.lkey),
		to.addr, to.length, to.key.lkey)));
	pair_complete(&p, 1);
	if (memcmp(memory.from, memory.to, sizeof(memory.from))) {
		fprintf(stderr, "The copy differs.\n");
		return 1;
	}
	printf("%zu bytes copied by the device.\n", sizeof(memory.from));
	pair_close(&p);
	return 0;
}
