/* SPDX-License-Identifier: BSD-2-Clause */
/* The part of the map that polling does not need. */
#ifndef SEGUE_RUNTIME_RING_CQ_MAP_H
#define SEGUE_RUNTIME_RING_CQ_MAP_H

#include "segue/cq_map.h"

#define SEGUEI_CQ_NUMBER_MAX 0xffffffu /* 24 bits */

struct segue_cq_queue;

/* An empty map. Nothing to free before the first number is put in. */
void seguei_cq_map_init(struct seguei_cq_map *map);
void seguei_cq_map_fini(struct seguei_cq_map *map);

/* True if a route leads to a queue of the kind, or to any. */
bool seguei_cq_route_has_sq(struct seguei_cq_route route);
bool seguei_cq_route_has_rq(struct seguei_cq_route route);
bool seguei_cq_route_has_srq(struct seguei_cq_route route);
bool seguei_cq_route_leads(struct seguei_cq_route route);

/* Whether somebody has the number; and where it leads. */
bool seguei_cq_map_has(const struct seguei_cq_map *map, uint32_t number);
struct seguei_cq_route seguei_cq_map_route(const struct seguei_cq_map *map, uint32_t number);

/*
 * Gives a number that nobody has to queues, each of which may be NULL. 0 or -ENOMEM, without a
 * sentence.
 */
int seguei_cq_map_put(struct seguei_cq_map *map, uint32_t number,
		      const struct segue_cq_queue *queue);

/* Takes it away from somebody who has it. */
void seguei_cq_map_remove(struct seguei_cq_map *map, uint32_t number);

/*
 * Where numbers lead that nobody has; NULL: nowhere, which cannot fail. 0 or -ENOMEM, without a
 * sentence.
 */
int seguei_cq_map_set_other(struct seguei_cq_map *map, const struct segue_cq_queue *other);

#endif
