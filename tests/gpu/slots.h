/* SPDX-License-Identifier: BSD-2-Clause */
/* What the devices of lanes.h without a record have in common (segue/gpu/slots.h). */
#ifndef SEGUE_TESTS_GPU_SLOTS_H
#define SEGUE_TESTS_GPU_SLOTS_H

#include "segue/gpu/slots.h"

#define VENDOR 0
#ifndef BLOCKS_MAX
/* A lane publishes a group of requests, of one block each. */
#define BLOCKS_MAX	7u
#define BLOCKS_OF(left) 1u
#endif

#include "tests/gpu/memory.h"

/* Another life of the device. */
static inline void slots_clean(struct lanes *m)
{
	if (m->finished[0])
		wrong("life", "a completion of the life before counts", m->queue.done);
	m->entry_reg = 0;
	m->held = NOWHERE;
	m->psn = m->queue.psn;
	m->counted = m->queue.passed;
}

/* What stood in the completion queue's memory before looks like completions. */
static inline void slots_open(struct lanes *m, uint32_t block_size, uint32_t entry_size)
{
	slots_clean(m);
	memset(m->entries, 0xff, sizeof(m->entries));
	m->queue.block_size = block_size;
	m->queue.entry_size = entry_size;
	m->queue.entry_count = ENTRIES;
	m->queue.finished = m->finished;
}

/* Stores a completion, the word with its lap last. */
static inline void store_entry(struct lanes *m, uint64_t entry, const uint32_t *words)
{
	const uint32_t size = (uint32_t)m->queue.entry_size, lap = SEGUEI_COMPLETION_LAP / 32;
	uint32_t *to = (uint32_t *)(void *)(m->entries + entry % ENTRIES * size);
	uint32_t i;

	for (i = 0; i < size / sizeof(*words); i++)
		if (i != lap)
			__atomic_store_n(&to[i], words[i], __ATOMIC_RELAXED);
	__atomic_store_n(&to[lap], words[lap], __ATOMIC_RELEASE);
}

/* The bit of a completion for its lap. */
static inline uint8_t entry_lap(uint64_t entry)
{
	return !(entry & ENTRIES);
}

/* How far a ring is filled, behind `at`, of an index that counts modulo `count`. */
static inline uint64_t behind_of(uint64_t at, uint32_t index, uint32_t count)
{
	return at + ((index - (uint32_t)at) & (count - 1));
}

/* A completion queue that is full, as far as the lanes have told. */
static inline void check_room(uint64_t entry, uint32_t taken)
{
	if (((entry - taken) & (ENTRIES - 1)) == ENTRIES - 1)
		wrong("overrun", "the completion queue is full", entry);
}

#endif
