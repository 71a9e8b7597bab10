/* SPDX-License-Identifier: BSD-2-Clause */
/* The receivers of a completion queue, by number or by user index. */
#ifndef SEGUE_RUNTIME_RING_CQ_RECEIVERS_H
#define SEGUE_RUNTIME_RING_CQ_RECEIVERS_H

#include "segue/cq.h"

/*
 * Must be called after the receivers have changed. Sets the route of unknown numbers, and whether
 * receives take the fast path.
 */
void seguei_cq_arrange(struct segue_cq *cq);

/*
 * False if every entry needs the slow path, because a number may be a flow tag that equals the
 * number of another receiver.
 */
bool seguei_cq_is_straight(const struct segue_cq *cq);

/* Sets `last` accordingly. */
void seguei_cq_set_last(struct segue_cq *cq);

/* True if there is a receiver other than one that takes all receives. */
bool seguei_cq_has_receivers(const struct segue_cq *cq);

/* 0, or -EEXIST if a queue is attached that takes all receives. */
int seguei_cq_check_receiver(const struct segue_cq *cq);

/* segue_cq_attach() and segue_cq_detach() by a key that is not a queue pair's number. */
int seguei_cq_attach_receiver(struct segue_cq *cq, const struct segue_cq_queue *queue);
int seguei_cq_detach_receiver(struct segue_cq *cq, const struct segue_cq_queue *queue);

/* True if both lead to one queue. Without an index, the map may hold it under any number. */
bool seguei_cq_same_route(const struct segue_cq *cq, struct seguei_cq_route a,
			  struct seguei_cq_route b);

/* Drops the CQEs in the ring that belong to the route. Later entries move up. */
void seguei_cq_drop_entries(struct segue_cq *cq, struct seguei_cq_route route);

#endif
