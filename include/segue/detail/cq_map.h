/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Map from a number in a CQE to its queues, at the same cost for one queue pair and for 2^16 of
 * them.
 *
 * It has two levels: pages of 256 numbers, found by the upper 16 of a number's 24 bits. Both are
 * indexed by bytes as they lie in the CQE, so nothing is swapped, and they are exact, so nothing is
 * compared: an unused number leads to queues with nothing in flight. A page has an array for each
 * kind of queue, so the send queues of eight numbers share a cache line.
 *
 * Memory: the table of pages takes 512 KiB of addresses, of which only touched pages become memory
 * (4 KiB for numbers that follow each other). A page of 256 numbers takes 8.5 KiB, and is freed
 * with the last of them.
 *
 * Owner: the completion queue, which is its only user.
 * Threads: that of the completion queue.
 * Errors: negative errno with segue_errmsg(), and nothing has changed.
 * Source: mlx5dv.h (struct mlx5_cqe64: sop_drop_qpn, srqn_uidx, both 24 bits, big endian).
 */
#ifndef SEGUE_DETAIL_CQ_MAP_H
#define SEGUE_DETAIL_CQ_MAP_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "segue/detail/compiler.h"
#include "segue/rq.h"
#include "segue/sq.h"

#include "segue/detail/begin.h"

#define SEGUEI_CQ_PAGE	256u
#define SEGUEI_CQ_PAGES 65536u

/*
 * Queues by the lowest byte of the number. No pointer is NULL: a missing queue is one with nothing
 * in flight.
 */
struct seguei_cq_page {
	struct segue_sq *sq[SEGUEI_CQ_PAGE];
	struct segue_rq *rq[SEGUEI_CQ_PAGE];
	struct segue_srq *srq[SEGUEI_CQ_PAGE];
	void *context[SEGUEI_CQ_PAGE];
	uint8_t address_bytes[SEGUEI_CQ_PAGE]; /* see struct segue_cq_queue */
	bool taken[SEGUEI_CQ_PAGE];	       /* whether the number is used */
	uint32_t used;
};

/* Route of a completion: to the queues at this place of this page. */
struct seguei_cq_route {
	const struct seguei_cq_page *page;
	uint32_t at;
};

struct seguei_cq_map {
	/*
	 * By the upper two bytes of the number, as they lie in a CQE: the distance of its page from
	 * `other`. An unused number has 0, which leads to `other` without a test.
	 */
	uintptr_t *pages;
	const struct seguei_cq_page *other;
	uint32_t count; /* used numbers */
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
	SEGUEI_OWN_REGISTER(page); /* keeps gcc from adding the place in the page first */
	route.page = (const struct seguei_cq_page *)page;
	route.at = number[2];
	return route;
}

#include "segue/detail/end.h"

#endif
