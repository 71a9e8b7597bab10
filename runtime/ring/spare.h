/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Rings that are filled to the end. While less room is free than the largest request needs,
 * requests are built in spare memory, the fast path is closed, and a commit copies each request
 * that has room to the ring.
 *
 * The fast path counts blocks, of which a request has at least one. When as many blocks are in
 * flight as there may be requests, a commit counts the requests.
 */
#ifndef SEGUE_RUNTIME_RING_SPARE_H
#define SEGUE_RUNTIME_RING_SPARE_H

#include "segue/sq.h"

/*
 * Initializes the spare memory of the options, and the part of the ring that the fast path may
 * fill.
 */
void seguei_sq_use_spare(struct segue_sq *sq, const struct segue_sq_init_options *attr);

/*
 * Chooses where the next request is built, ring or spare memory. Must be called after each change
 * of the producer index outside the fast path. Does nothing on queues without spare memory.
 */
void seguei_sq_settle(struct segue_sq *sq);

/*
 * Opens a split queue for as many more requests as may be committed. Those in flight are counted,
 * unless there is room even if each has one block. The caller commits one that ends at `next`, if
 * there is room. Without an effect on other queues, and while the next request is built in spare
 * memory.
 */
void seguei_sq_open_further(struct segue_sq *sq, uint32_t next);

/* Refuses a request of so many blocks for lack of room: -ENOSPC with a sentence. */
int seguei_sq_refuse_at_end(const struct segue_sq *sq, uint32_t blocks);

#endif
