/* SPDX-License-Identifier: BSD-2-Clause */
/* Functions on the map that polling does not need. */
#ifndef SEGUE_RUNTIME_RING_CQ_MAP_H
#define SEGUE_RUNTIME_RING_CQ_MAP_H

#include "segue/detail/cq_map.h"

#define SEGUEI_CQ_NUMBER_MAX 0xffffffu /* 24 bits */

struct segue_cq_queue;

/* Initializes an empty map. Nothing is allocated before the first number is added. */
void seguei_cq_map_init(struct seguei_cq_map *map);
void seguei_cq_map_fini(struct seguei_cq_map *map);

/* True if a route leads to a queue of that kind, or to any queue. */
bool seguei_cq_route_has_sq(struct seguei_cq_route route);
bool seguei_cq_route_has_rq(struct seguei_cq_route route);
bool seguei_cq_route_has_srq(struct seguei_cq_route route);
bool seguei_cq_route_leads(struct seguei_cq_route route);

/* True if the number is in the map, and the number's route. */
bool seguei_cq_map_has(const struct seguei_cq_map *map, uint32_t number);
struct seguei_cq_route seguei_cq_map_route(const struct seguei_cq_map *map, uint32_t number);

/*
 * Adds a free number with its queues, each of which may be NULL. 0 or -ENOMEM, without a sentence.
 */
int seguei_cq_map_put(struct seguei_cq_map *map, uint32_t number,
		      const struct segue_cq_queue *queue);

/* Removes a number that is in the map. */
void seguei_cq_map_remove(struct seguei_cq_map *map, uint32_t number);

/*
 * Sets the queues of all numbers that are not in the map. NULL means none, and cannot fail. 0 or
 * -ENOMEM, without a sentence.
 */
int seguei_cq_map_set_other(struct seguei_cq_map *map, const struct segue_cq_queue *other);

#endif
