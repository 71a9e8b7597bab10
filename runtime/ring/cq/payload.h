/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Payload inside a CQE. The processor copies it to the request's buffers in place of the device, so
 * the address of each SGE must be one that the processor can use.
 */
#ifndef SEGUE_RUNTIME_RING_CQ_PAYLOAD_H
#define SEGUE_RUNTIME_RING_CQ_PAYLOAD_H

#include "segue/cq.h"

#define SEGUEI_CQ_STRAY (-4096) /* an errno of its own: the CQE's queue is not attached */

/*
 * Copies up to `room` bytes at `data`. *wc names the request and the length. Must be called before
 * the request is retired. 0, SEGUEI_CQ_STRAY, or -EINVAL with a sentence.
 */
int seguei_cq_scatter(const struct segue_cq *cq, const uint8_t *data, uint32_t room,
		      struct segue_wc *wc);

#endif
