/* SPDX-License-Identifier: BSD-2-Clause */
/* Size of a request's payload. */
#include "runtime/text/walk.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"
#include "segue/gen/tables.h"

static void add_payload(void *arg, const struct seguei_step_seen *step)
{
	uint64_t *sum = (uint64_t *)arg;

	if (step->segment == &segue_seg_data_desc) {
		struct segue_seg_data piece;

		(void)segue_seg_data_unpack(&piece, step->bytes);
		*sum += piece.byte_count;
	} else if (step->segment == &segue_seg_inline_data_desc) {
		struct segue_seg_inline_data inlined;

		(void)segue_seg_inline_data_unpack(&inlined, step->bytes);
		*sum += inlined.byte_count;
	}
}

uint64_t seguei_tso_beyond(const struct segue_machine *machine, const uint8_t *wqe, size_t len,
			   uint32_t most)
{
	struct segue_offence ignored;
	struct segue_seg_ctrl ctrl;
	uint64_t sum = 0;

	if (!most || len < SEGUE_SEG_CTRL_SIZE)
		return 0;
	(void)segue_seg_ctrl_unpack(&ctrl, wqe);
	if (ctrl.opcode != SEGUE_OPCODE_TSO ||
	    !seguei_walk_lax(machine, wqe, len, add_payload, &sum, &ignored))
		return 0;
	return sum > most ? sum : 0;
}
