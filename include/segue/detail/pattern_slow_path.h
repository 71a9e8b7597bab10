/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A pattern's work off the fast path. The library holds these functions. A program without it gets
 * them by segue/freestanding.h.
 *
 * Owner: none.
 * Threads: that of the queue.
 * Errors: negative errno. Only the library has sentences.
 * Source: Segue's own.
 */
#ifndef SEGUE_DETAIL_PATTERN_SLOW_PATH_H
#define SEGUE_DETAIL_PATTERN_SLOW_PATH_H

#include "segue/pattern.h"

#include "segue/detail/begin.h"

/* Blocks that are laid at once if they do not hold the pattern. */
#define SEGUEI_PATTERN_AHEAD 16u

/* Lays the pattern into free blocks from its index on, up to the end of the ring. */
SEGUE_FUNCTION void seguei_pattern_lay(struct seguei_pattern *p, uint32_t to_end)
{
	const struct segue_sq *sq = p->sq;
	const uint32_t free_blocks = seguei_ring_blocks(sq) - (p->pi - seguei_sq_ci(sq));
	uint32_t most = to_end < SEGUEI_PATTERN_AHEAD ? to_end : SEGUEI_PATTERN_AHEAD, n;

	if (free_blocks < most)
		most = free_blocks;
	for (n = 0; n + p->blocks <= most; n += p->blocks)
		seguei_copy_to_ring(p->start + (size_t)n * SEGUEI_BLOCK, p->wqe,
				    (size_t)p->blocks * SEGUEI_BLOCK);
	p->laid = p->pi + n;
}

/* Places the pattern at the producer index. */
SEGUE_FUNCTION void seguei_pattern_place(struct seguei_pattern *p)
{
	struct segue_sq *sq = p->sq;
	const uint32_t pi = sq->pi, size = seguei_ring_blocks(sq), at = pi & sq->mask;
	const uint32_t to_end = size - at;

	p->pi = pi;
	p->slot = &sq->slots[at];
	p->reserve = p->flags & SEGUE_SIGNALED ? 0 : sq->silent_reserve;
	if (to_end < p->blocks || sq->tight) { /* not at the place of each lap */
		seguei_copy_to_ring(p->apart, p->wqe, sizeof(p->wqe));
		p->start = p->apart;
		p->straight = pi - p->blocks;
		sq->pattern = NULL; /* no check sees whether others write after it, once it ends */
		return;
	}
	sq->pattern = p;
	p->start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	if (pi - p->began >= size) {
		p->began = pi - size;
		p->laid = pi + size;
	} else if ((int32_t)(p->laid - pi) < (int32_t)p->blocks) {
		seguei_pattern_lay(p, to_end);
	}
	p->straight = (p->laid - pi < to_end ? p->laid : pi + to_end) - p->blocks;
}

SEGUEI_OF_LIBRARY void seguei_pattern_anew(struct seguei_pattern *p)
{
	p->beyond = 0;
	p->began = p->sq->pi;
	p->laid = p->sq->pi;
	seguei_pattern_place(p);
}

/* Refuses an entry that was set but is not in the list. */
SEGUE_FUNCTION int seguei_pattern_refuse_beyond(struct seguei_pattern *p)
{
	const uint64_t entry = p->beyond - 1;

	p->beyond = 0;
	return seguei_pattern_refuse_entry(p, entry);
}

SEGUEI_OF_LIBRARY int seguei_pattern_unusual(struct seguei_pattern *p, uint32_t pi, uint64_t wr_id,
					     uint32_t flags, int32_t bad)
{
	struct segue_sq *sq = p->sq;
	const size_t bytes = (size_t)seguei_form_unpack(p->form).units * SEGUEI_UNIT;
	const uint32_t at = pi & sq->mask;
	uint8_t *const start = sq->buf + (size_t)at * SEGUEI_BLOCK;
	int ret;

	if (p->start == p->apart)
		seguei_copy_across(sq, start, p->apart, bytes);
	segue_put_be32(SEGUEI_ALIGNED(uint8_t, start + SEGUEI_CONTROL_FLAGS_AT, 4), flags);
	sq->slots[at].wr_id = wr_id;
	sq->slots[at].next = pi + p->blocks;
	sq->pi = pi;
	ret = p->beyond ? seguei_pattern_refuse_beyond(p)
			: seguei_finish_unusual(sq, p->form, bad, p->machine);
	if (!ret)
		/* none: the end rings */
		sq->committed = sq->pi - p->blocks - seguei_ring_blocks(sq);
	seguei_pattern_place(p);
	return ret;
}

#include "segue/detail/end.h"

#endif
