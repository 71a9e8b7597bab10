/* SPDX-License-Identifier: BSD-2-Clause */
/* Map from a completion's queue number to its queues, in two levels of pages. */
#include "runtime/ring/cq/map.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>

#include "segue/cq.h"
#include "segue/detail/bytes.h"

/*
 * Placeholders for missing queues. Nothing is in flight there, so they retire nothing and are never
 * written.
 */
static struct segue_sq_slot no_slot;
static struct segue_sq no_sq = {.slots = &no_slot, .kept = &no_slot};
static struct segue_rq no_rq;
static uint16_t no_entry;
static struct segue_srq no_srq = {.next = &no_entry};

#define TIMES_4(x)   x, x, x, x
#define TIMES_16(x)  TIMES_4(x), TIMES_4(x), TIMES_4(x), TIMES_4(x)
#define TIMES_64(x)  TIMES_16(x), TIMES_16(x), TIMES_16(x), TIMES_16(x)
#define TIMES_256(x) TIMES_64(x), TIMES_64(x), TIMES_64(x), TIMES_64(x)

static const struct seguei_cq_page nobody = {
	.sq = {TIMES_256(&no_sq)},
	.rq = {TIMES_256(&no_rq)},
	.srq = {TIMES_256(&no_srq)},
};

/* The table of a map without numbers. It is never written, and takes no memory until it is read. */
static uintptr_t no_pages[SEGUEI_CQ_PAGES];

/* The polling half of a queue that is split or shared. */
static struct segue_sq *polled_sq(struct segue_sq *sq)
{
	return sq->polled ? sq->polled : sq;
}

static struct segue_rq *polled_rq(struct segue_rq *rq)
{
	return rq->ring.polled ? (struct segue_rq *)((uintptr_t)rq->ring.polled -
						     offsetof(struct segue_rq, ring))
			       : rq;
}

static struct segue_srq *polled_srq(struct segue_srq *srq)
{
	return srq->front ? srq->front : srq;
}

static void fill(struct seguei_cq_page *page, uint32_t at, const struct segue_cq_queue *queue)
{
	page->sq[at] = queue->sq ? polled_sq(queue->sq) : &no_sq;
	page->rq[at] = queue->rq ? polled_rq(queue->rq) : &no_rq;
	page->srq[at] = queue->srq ? polled_srq(queue->srq) : &no_srq;
	page->context[at] = queue->context;
	page->address_bytes[at] = (uint8_t)queue->address_bytes;
}

static void fill_all(struct seguei_cq_page *page, const struct segue_cq_queue *queue)
{
	uint32_t i;

	for (i = 0; i < SEGUEI_CQ_PAGE; i++)
		fill(page, i, queue);
}

bool seguei_cq_route_has_sq(struct seguei_cq_route route)
{
	return route.page->sq[route.at] != &no_sq;
}

bool seguei_cq_route_has_rq(struct seguei_cq_route route)
{
	return route.page->rq[route.at] != &no_rq;
}

bool seguei_cq_route_has_srq(struct seguei_cq_route route)
{
	return route.page->srq[route.at] != &no_srq;
}

bool seguei_cq_route_leads(struct seguei_cq_route route)
{
	return seguei_cq_route_has_sq(route) || seguei_cq_route_has_rq(route) ||
	       seguei_cq_route_has_srq(route);
}

void seguei_cq_map_init(struct seguei_cq_map *map)
{
	map->pages = no_pages;
	map->other = &nobody;
	map->count = 0;
}

static void forget_other(struct seguei_cq_map *map)
{
	if (map->other != &nobody)
		free((void *)(uintptr_t)map->other);
	map->other = &nobody;
}

/* The page of numbers with these upper bytes, or NULL. */
static struct seguei_cq_page *page_at(const struct seguei_cq_map *map, uint32_t upper)
{
	const uintptr_t offset = map->pages[upper];

	return offset ? (struct seguei_cq_page *)((uintptr_t)map->other + offset) : NULL;
}

static void set_page(struct seguei_cq_map *map, uint32_t upper, const struct seguei_cq_page *page)
{
	map->pages[upper] = page ? (uintptr_t)page - (uintptr_t)map->other : 0;
}

static uint32_t used_of(const struct seguei_cq_page *page)
{
	return page ? page->used : 0;
}

void seguei_cq_map_fini(struct seguei_cq_map *map)
{
	uint32_t i, left = map->count;

	if (map->pages && map->pages != no_pages) {
		/* Stops at the last page in use, because most of the table was never touched. */
		for (i = 0; left; i++) {
			struct seguei_cq_page *page = page_at(map, i);

			left -= used_of(page);
			free(page);
		}
		free(map->pages);
	}
	forget_other(map);
	seguei_cq_map_init(map);
}

/* Index of a number's page in the table, and the number's index in its page. */
static uint16_t upper_of(uint32_t number)
{
	uint8_t bytes[2];
	uint16_t upper;

	segue_put_be16(bytes, (uint16_t)(number >> 8));
	memcpy(&upper, bytes, sizeof(upper));
	return upper;
}

static uint32_t lowest_of(uint32_t number)
{
	return number % SEGUEI_CQ_PAGE;
}

bool seguei_cq_map_has(const struct seguei_cq_map *map, uint32_t number)
{
	const struct seguei_cq_page *page = page_at(map, upper_of(number));

	return page && page->taken[lowest_of(number)];
}

struct seguei_cq_route seguei_cq_map_route(const struct seguei_cq_map *map, uint32_t number)
{
	uint8_t bytes[4];

	segue_put_be32(bytes, number);
	return seguei_cq_map_find(map, bytes + 1);
}

/* Queues of all numbers that are not in the map. */
static struct segue_cq_queue other_of(const struct seguei_cq_map *map)
{
	const struct seguei_cq_page *page = map->other;
	const struct segue_cq_queue queue = {
		.sq = page->sq[0],
		.rq = page->rq[0],
		.srq = page->srq[0],
		.context = page->context[0],
	};

	return queue;
}

int seguei_cq_map_put(struct seguei_cq_map *map, uint32_t number,
		      const struct segue_cq_queue *queue)
{
	const struct segue_cq_queue other = other_of(map);
	const uint16_t upper = upper_of(number);
	struct seguei_cq_page *page;

	if (map->pages == no_pages) {
		uintptr_t *pages = calloc(SEGUEI_CQ_PAGES, sizeof(*pages));

		if (!pages)
			return -ENOMEM;
		map->pages = pages;
	}
	page = page_at(map, upper);
	if (!page) {
		page = calloc(1, sizeof(*page));
		if (!page)
			return -ENOMEM;
		fill_all(page, &other);
		set_page(map, upper, page);
	}
	fill(page, lowest_of(number), queue);
	page->taken[lowest_of(number)] = true;
	page->used++;
	map->count++;
	return 0;
}

void seguei_cq_map_remove(struct seguei_cq_map *map, uint32_t number)
{
	const struct segue_cq_queue other = other_of(map);
	const uint16_t upper = upper_of(number);
	struct seguei_cq_page *page = page_at(map, upper);

	map->count--;
	if (--page->used == 0) {
		set_page(map, upper, NULL);
		free(page);
		return;
	}
	fill(page, lowest_of(number), &other);
	page->taken[lowest_of(number)] = false;
}

/* Sets the queues of a page's free numbers. */
static void fill_free(struct seguei_cq_page *page, const struct segue_cq_queue *queue)
{
	uint32_t i;

	for (i = 0; i < SEGUEI_CQ_PAGE; i++)
		if (!page->taken[i])
			fill(page, i, queue);
}

int seguei_cq_map_set_other(struct seguei_cq_map *map, const struct segue_cq_queue *other)
{
	const uintptr_t before = (uintptr_t)map->other;
	struct seguei_cq_page *page = NULL;
	struct segue_cq_queue free_places;
	uint32_t i, left = map->count;

	if (other) {
		page = calloc(1, sizeof(*page));
		if (!page)
			return -ENOMEM;
		fill_all(page, other);
	}
	forget_other(map);
	if (page)
		map->other = page;
	free_places = other_of(map);
	for (i = 0; left; i++) {
		if (!map->pages[i])
			continue;
		map->pages[i] += before - (uintptr_t)map->other;
		left -= page_at(map, i)->used;
		fill_free(page_at(map, i), &free_places);
	}
	return 0;
}
