/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The second ring of a send queue, for devices with entries of one size. A longer request
 * continues there. The generated builders fill it as they fill the block.
 *
 * Owner: the ring is the caller's, which adds the units of completed requests to `room`.
 * Threads: one at a time per queue.
 * Errors: negative errno with segue_errmsg(), from commit alone.
 * Source: the device's spec. Nothing here depends on a device.
 */
#ifndef SEGUE_OVERFLOW_H
#define SEGUE_OVERFLOW_H

#include <stdint.h>
#include <string.h>

#include "segue/detail/device/block.h"

#include "segue/detail/begin.h"

/** The second ring, for bytes that do not fit the entry. Units are the device's. */
struct segue_spill {
	/* first byte. NULL: there is none, and the request lies in the block as a whole */
	void *ring;
	uint32_t units; /* size of the ring, a power of two */
	uint32_t room;	/* free units. Commit subtracts those that a request needs */
	uint32_t next;	/* first unit of the next request, modulo `units`. Commit advances it */
};

/* The unit in which a request continues. */
SEGUEI_HOT_FUNCTION uint32_t seguei_spill_index(const struct segue_spill *spill)
{
	return spill->next & (spill->units - 1);
}

/*
 * Called after seguei_block_begin(). @entry: bytes of an entry. @largest: bytes of the largest
 * request.
 */
SEGUEI_HOT_FUNCTION void seguei_spill_begin(struct seguei_block *b, struct segue_spill *spill,
					    uint32_t entry, uint32_t unit, uint32_t largest)
{
	b->spill = spill;
	b->entry = entry;
	if (SEGUEI_UNLIKELY(b->bad < 0))
		return;
	if (!spill->ring) {
		b->over = b->start + entry;
		b->over_mask = UINT32_MAX;
		return;
	}
	b->over = (uint8_t *)spill->ring;
	b->over_at = seguei_spill_index(spill) * unit;
	b->over_mask = spill->units * unit - 1;
	b->limit = spill->room < (largest - entry) / unit ? entry + spill->room * unit : largest;
}

/* Address of the byte that is `from` bytes after the request's beginning. */
SEGUEI_HOT_FUNCTION uint8_t *seguei_spill_place(const struct seguei_block *b, uint32_t from)
{
	return from < b->entry ? b->start + from
			       : b->over + ((b->over_at + (from - b->entry)) & b->over_mask);
}

/*
 * As seguei_block_take(). The spec ensures that no segment lies in both rings, or at both ends of
 * one.
 */
SEGUEI_HOT_FUNCTION uint8_t *seguei_spill_take(struct seguei_block *b, uint32_t bytes)
{
	const uint32_t from = b->bytes;

	return SEGUEI_LIKELY(seguei_block_take(b, bytes) != NULL) ? seguei_spill_place(b, from)
								  : NULL;
}

/* Copies payload, which may continue at the ring's beginning. Zeros the rest of its last unit. */
SEGUEI_HOT_FUNCTION void seguei_spill_copy(const struct seguei_block *b, uint32_t from,
					   const void *data, uint32_t length, uint32_t unit)
{
	uint8_t *const p = seguei_spill_place(b, from);
	uint32_t left = length;

	if (from < b->entry || b->over_mask == UINT32_MAX) {
		memcpy(p, data, length);
		return;
	}
	if (p + length > b->over + b->over_mask + 1)
		left = (uint32_t)(b->over + b->over_mask + 1 - p);
	memcpy(p, data, left);
	memcpy(b->over, (const uint8_t *)data + left, length - left);
	if (length % unit)
		memset(seguei_spill_place(b, from + length), 0, unit - length % unit);
}

/* As seguei_block_finish(). */
SEGUEI_HOT_FUNCTION int seguei_spill_finish(struct seguei_block *b, uint32_t unit,
					    const struct segue_machine *machine)
{
	const uint32_t over = b->bytes > b->entry ? (b->bytes - b->entry + unit - 1) / unit : 0;

	if (b->bytes < b->entry)
		b->bytes = b->entry;
	if (b->spill->ring)
		b->spill->room -= over;
	b->spill->next += over;
	return seguei_block_finish(b, machine);
}

#include "segue/detail/end.h"

#endif
