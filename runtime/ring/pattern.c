/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keeps a request as a pattern. Repeating it is inline code.
 *
 * Plain posts pay nothing for patterns. The queue's index shows requests in between, and a mark at
 * the next repetition's place shows builders that were dropped. The place of a field is a constant,
 * unless bytes of variable length precede it. When the request becomes a pattern, one walk checks
 * the constant places and finds the others.
 */
#include "segue/pattern.h"

#include <errno.h>
#include <inttypes.h>

#include "segue/base.h"
#include "segue/detail/pattern_slow_path.h"

/* The request in one piece, as if its index were 0. */
static void copy_out(const struct seguei_build *b, uint8_t wqe[SEGUEI_PATTERN_BYTES])
{
	const struct segue_sq *sq = b->sq;
	const size_t bytes = (size_t)b->units * SEGUEI_UNIT, behind = (size_t)(sq->end - b->start);
	const size_t first = bytes < behind ? bytes : behind;

	memset(wqe, 0, SEGUEI_PATTERN_BYTES);
	memcpy(wqe, b->start, first);
	memcpy(wqe + first, sq->buf, bytes - first);
	segue_put_be64(wqe, sq->ctrl | seguei_control_first(b->opmod, 0, b->opcode, b->units));
}

static void keep(struct seguei_pattern *p, const struct seguei_build *b,
		 const struct segue_machine *machine, const uint8_t wqe[SEGUEI_PATTERN_BYTES],
		 const struct seguei_stops *stops)
{
	memset(p, 0, sizeof(*p));
	p->sq = b->sq;
	p->machine = machine;
	p->start = p->apart;
	p->blocks = seguei_blocks(b->units);
	p->flags = b->flags;
	p->form = seguei_form_pack(seguei_form_of(b, SEGUEI_COMMIT));
	p->first = segue_get_be64(wqe);
	p->stops = *stops;
	memcpy(p->wqe, wqe, sizeof(p->wqe));
	if (SEGUE_CHECKED)
		seguei_check_wqe(machine, b->sq, b->start, b->units);
}

int seguei_pattern_keep(struct seguei_build *b, const struct segue_machine *machine,
			struct seguei_pattern *pattern, const char *expected,
			const struct seguei_stop *stops, size_t count)
{
	const uint32_t blocks = seguei_blocks(b->units);
	uint8_t wqe[SEGUEI_PATTERN_BYTES];
	struct seguei_stops found;

	seguei_step_last(b, "segue_pattern_...()");
	if (b->batch)
		return seguei_fail(EINVAL,
				   "Send queue of QP 0x%x: segue_pattern_...() is given a request "
				   "of a batch; begin it with the queue.",
				   b->sq->qpn);
	/* as a commit would, so that a refusal gives the same sentence */
	seguei_control_put_second(b->start, b->flags, b->imm);
	b->sq->pattern = NULL; /* its bytes may be overwritten */
	if (b->bad < 0)
		return seguei_unusual(b, machine, SEGUEI_COMMIT);
	if (blocks > SEGUEI_PATTERN_BLOCKS || !seguei_is_power_of_two(blocks))
		return seguei_fail(EMSGSIZE,
				   "Send queue of QP 0x%x: a pattern of %u units of 16 bytes takes "
				   "%u blocks, expected 1, 2 or 4, which come to lie in the same "
				   "place in each lap; post such requests in a batch.",
				   b->sq->qpn, b->units, blocks);
	copy_out(b, wqe);
	if (!seguei_stops_find(machine, wqe, (size_t)b->units * SEGUEI_UNIT, stops, count, &found))
		return seguei_fail(EINVAL,
				   "Send queue of QP 0x%x: segue_pattern_...() is given a request "
				   "of other segments than this type of pattern has: %s; post such "
				   "requests in a batch.",
				   b->sq->qpn, expected);
	seguei_name(b->sq->ctrl, b->start, b->pi, seguei_form_of(b, SEGUEI_COMMIT));
	keep(pattern, b, machine, wqe, &found);
	return 0;
}

int seguei_pattern_refuse_entry(const struct seguei_pattern *p, uint64_t entry)
{
	return seguei_fail(ERANGE,
			   "Send queue of QP 0x%x: entry %" PRIu64 " of a list is set, and the "
			   "pattern has %u, from 0 on; keep one that has as many as are set.",
			   p->sq->qpn, entry, p->stops.entries);
}
