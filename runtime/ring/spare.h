/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings that are filled to the end. While less is free than one largest request takes, requests are
 * built in spare memory, the queue is closed to the straight path, and a commit copies to the ring
 * what has room there.
 */
#ifndef SEGUE_RUNTIME_RING_SPARE_H
#define SEGUE_RUNTIME_RING_SPARE_H

#include "segue/sq.h"

/* Initializes the spare memory that the attributes name, and what the straight path may fill. */
void seguei_sq_use_spare(struct segue_sq *sq, const struct segue_sq_init_options *attr);

/*
 * Has the next request built in the ring or in the spare memory, as the room says. After each
 * change of the producer index but by the straight path. Nothing on queues without spare memory.
 */
void seguei_sq_settle(struct segue_sq *sq);

/* Says that the ring has no room for a request of so many blocks: -ENOSPC. */
int seguei_sq_refuse_at_end(const struct segue_sq *sq, uint32_t blocks);

#endif
