/* SPDX-License-Identifier: BSD-2-Clause */
/* A trio whose multi-channels share one completion queue, one shared receive queue and one pool,
 * made with the first of them. */
#ifndef SEGUE_TESTS_RUNTIME_CHANNEL_SHARING_H
#define SEGUE_TESTS_RUNTIME_CHANNEL_SHARING_H

#include "tests/runtime/peers/channel/trio.h"

class Sharing : public Trio {
protected:
	void share(segue_multi_channel_options *options, uint32_t entries, uint32_t count)
	{
		segue_cq_options room = {};
		segue_srq_options places = {};
		segue_pool_options buffers = {};

		room.entries = entries;
		places.max_wr = count;
		places.max_sge = 1;
		buffers.count = count;
		buffers.size = 256;
		if (!cq) {
			ASSERT_OK(segue_cq_open(device, &room, &cq));
			ASSERT_OK(segue_srq_open(pd, &places, &srq));
			ASSERT_OK(segue_pool_open(pd, &buffers, &pool));
		}
		options->cq = cq;
		options->srq = srq;
		options->pool = pool;
		options->receives = 0;
	}

	segue_cq *cq = nullptr;
	segue_srq *srq = nullptr;
	segue_pool *pool = nullptr;
};

#endif
