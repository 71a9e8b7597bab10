/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * From a number in a CQE to the queues that it is about, at the same cost for one queue pair and
 * for 2^16 of them.
 *
 * Two levels: pages of 256 numbers, found by the upper 16 of a number's 24 bits. Both are indexed
 * by bytes as they lie in the CQE, so nothing is swapped, and they are exact, so nothing is
 * compared: a number that nobody has leads to queues with nothing in flight. A page has an array
 * for each kind of queue: eight numbers' send queues share a cache line.
 *
 * Memory: the table of pages takes 512 KiB of addresses, of which only what is touched becomes
 * memory (4 KiB for numbers that follow each other); a page of 256 numbers 8.5 KiB, and it goes
 * with the last of them.
 *
 * Owner: the completion queue, which is its only user.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(); nothing has changed then.
 * Source: mlx5dv.h (struct mlx5_cqe64: sop_drop_qpn, srqn_uidx, both 24 bits, big endian).
 */
#ifndef SEGUE_DETAIL_CQ_MAP_H
#define SEGUE_DETAIL_CQ_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/compiler.h"
#include "segue/recv.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

#define SEGUEI_CQ_PAGE	256u
#define SEGUEI_CQ_PAGES 65536u

/*
 * By the lowest byte of the number. No pointer is NULL: what is missing is a queue with nothing in
 * flight.
 */
struct seguei_cq_page {
	struct segue_sq *sq[SEGUEI_CQ_PAGE];
	struct segue_rq *rq[SEGUEI_CQ_PAGE];
	struct segue_srq *srq[SEGUEI_CQ_PAGE];
	void *context[SEGUEI_CQ_PAGE];
	uint8_t address_bytes[SEGUEI_CQ_PAGE]; /* as in struct segue_cq_queue */
	bool taken[SEGUEI_CQ_PAGE];	       /* whether somebody has the number */
	uint32_t used;
};

/* Where a completion goes: to the queues at this place of this page. */
struct seguei_cq_route {
	const struct seguei_cq_page *page;
	uint32_t at;
};

struct seguei_cq_map {
	/*
	 * By the upper two bytes of the number, as they lie in a CQE: how far behind `other` its
	 * page is. So 0, where nobody is, leads to `other` without a question.
	 */
	uintptr_t *pages;
	const struct seguei_cq_page *other;
	uint32_t count; /* of numbers that somebody has */
};

/* The route of a number. @number: its 3 bytes in a CQE */
SEGUEI_HOT_FUNCTION struct seguei_cq_route seguei_cq_map_find(const struct seguei_cq_map *map,
							      const uint8_t *number)
{
	struct seguei_cq_route route;
	uintptr_t page;
	uint16_t upper;

	memcpy(&upper, number, sizeof(upper));
	page = (uintptr_t)map->other + map->pages[upper];
	SEGUEI_OWN_REGISTER(page); /* else gcc adds up the place in the page first */
	route.page = (const struct seguei_cq_page *)page;
	route.at = number[2];
	return route;
}

#include "segue/detail/end.h"

#endif
