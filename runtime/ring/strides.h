/* SPDX-License-Identifier: BSD-2-Clause */
/* A receive queue that consumes its buffers stride by stride. */
#ifndef SEGUE_RUNTIME_STRIDES_H
#define SEGUE_RUNTIME_STRIDES_H

#include "segue/cq.h"

struct seguei_strides {
	struct segue_mprq mprq;
	void *context;
	uint32_t each; /* strides per buffer */
	uint32_t used; /* strides of the oldest buffer in use */
};

/*
 * Attaches the striding queue to a completion queue, as its only receiver: 0 or -EEXIST with a
 * sentence. Detaching it drops its entries that were not polled.
 */
int seguei_cq_attach_strides(struct segue_cq *cq, struct seguei_strides *strides);
void seguei_cq_detach_strides(struct segue_cq *cq);

/* True if the entry completes a receive of the striding queue. */
bool seguei_strides_own(const struct segue_cq *cq, const uint8_t *cqe);

/* Handles such a completion, good or failed: 1 and *wc, or a negative errno with a sentence. */
int seguei_strides_complete(struct segue_cq *cq, const uint8_t *cqe, struct segue_wc *wc);

#endif
