/* SPDX-License-Identifier: BSD-2-Clause */
// A send queue over plain memory: what a device sees of it, and what is kept of each request. Two
// of them are equal byte for byte after the same requests, but for the place of the rings.
#ifndef SEGUE_TESTS_RUNTIME_PLAIN_QUEUE_H
#define SEGUE_TESTS_RUNTIME_PLAIN_QUEUE_H

#include <cstdint>
#include <gtest/gtest.h>

#include "segue/base.h"
#include "segue/sq.h"

constexpr uint32_t kBlocks = 32, kUnits = 16;

struct World {
	alignas(64) uint8_t ring[kBlocks * 64];
	alignas(64) uint8_t reg[512];
	segue_sq_slot slots[kBlocks];
	uint32_t dbrec;
};

// `world` holds what there is before the queue's first request.
template <class Queue> void OpenOver(World *world, Queue *queue, uint32_t first)
{
	segue_sq_init_options attr = {};

	attr.buf = world->ring;
	attr.wqe_cnt = kBlocks;
	attr.max_wqe_units = kUnits;
	attr.dbrec = &world->dbrec;
	attr.bf_reg = world->reg;
	attr.qpn = 0x1234;
	attr.first_index = first;
	attr.slots = world->slots;
	ASSERT_EQ(0, segue_sq_init(&queue->sq, &attr)) << segue_errmsg();
}

#endif
