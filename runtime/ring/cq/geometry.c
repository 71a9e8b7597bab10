/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Owner bits and places of entries: which entry of a completion ring is new.
 *
 * One load of a CQE's last dword serves the fast path. One comparison tests owner, opcode and
 * format, and two levels of pages find the queue, so 65,536 queue pairs cost as many instructions
 * as one. A missing page or queue stands for one with nothing in flight, so the fast path never
 * tests for NULL. A WQE is in flight if its end is at most `room` below `limit`, a comparison that
 * retiring needs anyway. While posts are refused, `room` is 0, and completions take the slow path.
 */
#include "runtime/ring/cq/geometry.h"

#define SIGNATURE (SEGUE_CQE64_SIZE - 2)
#define OWNER	  ((uint32_t)SEGUE_CQE_OP_OWN_OWNER_MASK)

/* Number of complete rounds through the ring. */
static uint32_t round_of(const struct seguei_cq_ring *ring, uint32_t counter)
{
	return counter >> ring->log_cnt;
}

/* An entry's last dword with only these two bytes set, in memory order. */
static uint32_t last_dword(uint32_t signature, uint32_t op_own)
{
	return segue_be32((signature & 0xff) << 8 | op_own);
}

uint32_t seguei_cq_ring_own_mask(const struct seguei_cq_ring *ring)
{
	return ring->enhanced ? last_dword(0xff, 0) : last_dword(0, OWNER);
}

uint32_t seguei_cq_ring_own(const struct seguei_cq_ring *ring, uint32_t counter)
{
	const uint32_t round = round_of(ring, counter);

	return last_dword(round, round & OWNER) & seguei_cq_ring_own_mask(ring);
}

uint8_t *seguei_cq_ring_entry(const struct seguei_cq_ring *ring, uint32_t counter)
{
	return ring->buf + (size_t)((counter & (ring->cqe_cnt - 1)) + 1) * ring->entry_size -
	       SEGUE_CQE64_SIZE;
}

bool seguei_cq_ring_is_new(const struct seguei_cq_ring *ring, uint32_t counter)
{
	const uint8_t *entry = seguei_cq_ring_entry(ring, counter);
	const uint32_t last = *(const volatile uint32_t *)(const void *)(entry + SEGUEI_CQE_LAST);

	return ((last ^ seguei_cq_ring_own(ring, counter)) & seguei_cq_ring_own_mask(ring)) == 0 &&
	       (segue_be32(last) >> 4 & 0xf) != SEGUE_CQE_OPCODE_INVALID;
}

void seguei_cq_ring_make_old(const struct seguei_cq_ring *ring, uint32_t counter)
{
	const uint32_t before = round_of(ring, counter) - 1;
	uint8_t *entry = seguei_cq_ring_entry(ring, counter);

	entry[SIGNATURE] = (uint8_t)before;
	entry[SEGUEI_CQE_OP_OWN] =
		(uint8_t)((uint32_t)SEGUE_CQE_OPCODE_INVALID << 4 | (before & OWNER));
}

void seguei_cq_ring_make_new(const struct seguei_cq_ring *ring, uint32_t counter)
{
	const uint32_t round = round_of(ring, counter);
	uint8_t *entry = seguei_cq_ring_entry(ring, counter);

	if (ring->enhanced)
		entry[SIGNATURE] = (uint8_t)round;
	entry[SEGUEI_CQE_OP_OWN] = (uint8_t)((entry[SEGUEI_CQE_OP_OWN] & ~OWNER) | (round & OWNER));
}

void seguei_cq_ring_move(const struct seguei_cq_ring *to, uint32_t to_counter,
			 const struct seguei_cq_ring *from, uint32_t from_counter)
{
	const size_t size = to->entry_size, front = size - SEGUE_CQE64_SIZE;

	memcpy(seguei_cq_ring_entry(to, to_counter) - front,
	       seguei_cq_ring_entry(from, from_counter) - front, size);
	seguei_cq_ring_make_new(to, to_counter);
}
