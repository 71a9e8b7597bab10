/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive queue whose buffers are used up stride by stride. */
#ifndef SEGUE_RUNTIME_STRIDES_H
#define SEGUE_RUNTIME_STRIDES_H

#include "segue/cq.h"

struct seguei_strides {
	struct segue_mprq mprq;
	void *context;
	uint32_t each; /* strides of a buffer */
	uint32_t used; /* of the oldest */
};

/*
 * Tells a completion queue of it, on which nobody else receives: 0 or -EEXIST with a sentence.
 * Forgets it, with its entries that were not polled.
 */
int seguei_cq_attach_strides(struct segue_cq *cq, struct seguei_strides *strides);
void seguei_cq_detach_strides(struct segue_cq *cq);

/* True if the entry is of a receive, which is that queue's. */
bool seguei_strides_own(const struct segue_cq *cq, const uint8_t *cqe);

/* Such a completion, good or failed: 1 and *wc, or a negative errno with a sentence. */
int seguei_strides_complete(struct segue_cq *cq, const uint8_t *cqe, struct segue_wc *wc);

#endif
