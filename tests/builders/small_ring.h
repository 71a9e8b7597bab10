/* SPDX-License-Identifier: BSD-2-Clause */
// The memory of a send queue of 64 blocks, for tests of what builders say.
#ifndef SEGUE_TESTS_SMALL_RING_H
#define SEGUE_TESTS_SMALL_RING_H

#include <cstdint>

#include "segue/sq.h"

struct SmallRing {
	segue_sq_init_options Attr()
	{
		segue_sq_init_options attr = {};

		attr.buf = ring;
		attr.wqe_cnt = 64;
		attr.dbrec = &dbrec;
		attr.bf_reg = &doorbell;
		attr.qpn = 0x123;
		attr.slots = slots;
		return attr;
	}

	alignas(64) uint8_t ring[64 * 64] = {};
	uint32_t dbrec = 0;
	uint64_t doorbell = 0;
	segue_sq_slot slots[64] = {};
};

#endif
