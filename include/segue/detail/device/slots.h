/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A ring of entries in plain memory, for devices without a runtime in Segue. It keeps the next
 * slot, its lap, and the device's progress. segue/gen/rings.h puts each kind of queue into one, as
 * its device file describes it.
 *
 * Owner: memory and ring are the caller's. Nothing is kept or allocated.
 * Threads: one at a time per ring.
 * Errors: none. A full ring hands out no slot.
 * Source: the device's spec. Nothing here depends on a device.
 */
#ifndef SEGUE_SLOTS_H
#define SEGUE_SLOTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/declaration.h"
#include "segue/detail/mmio.h"

#include "segue/detail/begin.h"

/** Slots of one size, one after the other. */
struct segue_slots {
	void *memory;	/* first slot */
	uint32_t bytes; /* bytes of each slot */
	uint32_t count; /* number of slots, a power of two */
	uint32_t head;	/* slots that requests have filled since the ring was new, modulo 2^32 */
	uint32_t tail;	/* those of them that the device has finished */
};

/** What a completion completes. */
enum segue_completes {
	SEGUE_COMPLETES_NONE,	 /* no request. If it has failed, so has the queue */
	SEGUE_COMPLETES_ONE,	 /* the request of `index` */
	SEGUE_COMPLETES_NEXT,	 /* all requests before `index` */
	SEGUE_COMPLETES_RECEIVE, /* the receive of `index` */
};

/** A completion, as segue_ring_poll() reads it (segue/gen/rings.h). */
struct segue_completion {
	const void *entry;
	uint32_t index;	 /* modulo the ring's size, or what the entry holds of it */
	uint32_t status; /* device's own number, if the request has failed */
	uint8_t names;	 /* enum segue_completes */
	bool failed;
};

/* A byte that the device writes. What it wrote before is seen after this. */
SEGUE_FUNCTION uint8_t seguei_slots_acquire(const uint8_t *from)
{
	const volatile uint8_t *const here = from;
	const uint8_t byte = *here;

	seguei_order_memory_loads();
	return byte;
}

/** segue_slots_free() is the number of free slots. */
SEGUE_FUNCTION uint32_t segue_slots_free(const struct segue_slots *slots)
{
	return slots->count - (slots->head - slots->tail);
}

/** segue_slots_at() is the slot of a number, which continues over the laps. */
SEGUE_FUNCTION void *segue_slots_at(const struct segue_slots *slots, uint32_t number)
{
	return (uint8_t *)slots->memory + (size_t)(number & (slots->count - 1)) * slots->bytes;
}

/** segue_slots_odd_lap() is true if the next slot is in the second lap, the fourth, and so on. */
SEGUE_FUNCTION bool segue_slots_odd_lap(const struct segue_slots *slots)
{
	return slots->head & slots->count;
}

/** segue_slots_done() notes that the device has finished `count` more slots. */
SEGUE_FUNCTION void segue_slots_done(struct segue_slots *slots, uint32_t count)
{
	slots->tail += count;
}

/*
 * Fills the next slots with a request that was built elsewhere. It may continue at the ring's
 * beginning. The rest of the last slot becomes zero, as the bytes after the request at `from` are.
 */
SEGUE_FUNCTION void seguei_slots_fill(struct segue_slots *slots, const void *from, uint32_t bytes)
{
	const uint32_t first = slots->head & (slots->count - 1);
	const uint32_t taken = (bytes + slots->bytes - 1) / slots->bytes;
	const uint32_t behind = slots->count - first;
	const uint32_t one = taken < behind ? taken : behind;

	memcpy(segue_slots_at(slots, first), from, (size_t)one * slots->bytes);
	memcpy(slots->memory, (const uint8_t *)from + (size_t)one * slots->bytes,
	       (size_t)(taken - one) * slots->bytes);
	slots->head += taken;
}

#include "segue/detail/end.h"

#endif
