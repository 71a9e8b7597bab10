/* SPDX-License-Identifier: BSD-2-Clause */
/* The ring of a completion queue: the places of entries, and the marks of new ones. */
#ifndef SEGUE_RUNTIME_RING_CQ_GEOMETRY_H
#define SEGUE_RUNTIME_RING_CQ_GEOMETRY_H

#include "segue/cq.h"

/* True while a poll holds entries. NULL is allowed. */
bool seguei_cq_is_polled(const struct segue_cq *cq);

/*
 * 0, or -EBUSY with a sentence while the queue is polled, which means that the call comes from a
 * handler or from between segue_cq_start_poll() and segue_cq_end_poll(). NULL is allowed. @call:
 * name of the call
 */
int seguei_cq_check_unpolled(const struct segue_cq *cq, const char *call);

/* Returns -EBUSY, with that sentence. */
int seguei_cq_refuse_polled(const struct segue_cq *cq, const char *call);

/*
 * Refuses polls, and all calls that are refused during a poll, until seguei_cq_unbar(). No poll is
 * under way. @why: end of the sentence "completion queue 0x12 ..."
 */
void seguei_cq_bar(struct segue_cq *cq, const char *why);
void seguei_cq_unbar(struct segue_cq *cq, uint32_t ci);

/* Mask of the bits in an entry's last dword that distinguish new from old, in memory order. */
uint32_t seguei_cq_ring_own_mask(const struct seguei_cq_ring *ring);

/* Value of those bits in an entry that the device has written at this counter. */
uint32_t seguei_cq_ring_own(const struct seguei_cq_ring *ring, uint32_t counter);

/* The last 64 bytes of the entry at this counter. */
uint8_t *seguei_cq_ring_entry(const struct seguei_cq_ring *ring, uint32_t counter);

/* True if the device has written the entry. */
bool seguei_cq_ring_is_new(const struct seguei_cq_ring *ring, uint32_t counter);

/*
 * Makes the entry look as if it were from the round before the one in which its counter comes next.
 */
void seguei_cq_ring_make_old(const struct seguei_cq_ring *ring, uint32_t counter);

/* Makes the entry look as if the device had written it at this counter. */
void seguei_cq_ring_make_new(const struct seguei_cq_ring *ring, uint32_t counter);

/*
 * Copies an entry to another place or another ring, new or old as it is. A 128-byte entry is copied
 * whole.
 */
void seguei_cq_ring_move(const struct seguei_cq_ring *to, uint32_t to_counter,
			 const struct seguei_cq_ring *from, uint32_t from_counter);

#endif
