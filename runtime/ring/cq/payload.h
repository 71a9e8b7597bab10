/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Payload inside a CQE. The processor moves it to where the request wanted it, as the device would
 * have: only memory that the processor reaches under the SGE's address can be meant.
 */
#ifndef SEGUE_RUNTIME_RING_CQ_PAYLOAD_H
#define SEGUE_RUNTIME_RING_CQ_PAYLOAD_H

#include "segue/cq.h"

#define SEGUEI_CQ_STRAY (-4096) /* in place of an errno: the CQE's queue is not attached */

/*
 * Moves what lies in `room` bytes at `data`; *wc says of what and how much. Before the request is
 * retired. 0, SEGUEI_CQ_STRAY, or -EINVAL with a sentence.
 */
int seguei_cq_scatter(const struct segue_cq *cq, const uint8_t *data, uint32_t room,
		      struct segue_wc *wc);

#endif
