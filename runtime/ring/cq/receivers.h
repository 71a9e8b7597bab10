/* SPDX-License-Identifier: BSD-2-Clause */
/* The receivers on a completion queue, and whether a CQE names them by number or by index. */
#ifndef SEGUE_RUNTIME_RING_CQ_RECEIVERS_H
#define SEGUE_RUNTIME_RING_CQ_RECEIVERS_H

#include "segue/cq.h"

/*
 * After the receivers have changed: where unknown numbers lead, and whether receives take the
 * straight path.
 */
void seguei_cq_arrange(struct segue_cq *cq);

/*
 * False if every entry has to be looked at more closely: a number may be a flow tag, and that the
 * number of somebody who receives.
 */
bool seguei_cq_is_straight(const struct segue_cq *cq);

/* Sets `last` by it. */
void seguei_cq_set_last(struct segue_cq *cq);

/* Whether there is any but one that takes all receives. */
bool seguei_cq_has_receivers(const struct segue_cq *cq);

/* 0, or -EEXIST if a queue is attached that takes all receives. */
int seguei_cq_check_receiver(const struct segue_cq *cq);

/* Whether both lead to one queue, of which the map without index may have any number. */
bool seguei_cq_same_route(const struct segue_cq *cq, struct seguei_cq_route a,
			  struct seguei_cq_route b);

/* Drops the CQEs that lie in the ring and lead there: those behind them move up. */
void seguei_cq_drop_entries(struct segue_cq *cq, struct seguei_cq_route route);

#endif
