/* SPDX-License-Identifier: BSD-2-Clause */
/* DSA: random descriptors against the kernel's public struct, which the compiler lays out. */
#include <gtest/gtest.h>
#include <linux/idxd.h>

#include <cstring>

#include "segue/gen/builders.h"
#include "segue/gen/machines.h"
#include "tests/providers/printing.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

constexpr int kPosts = 10000;

struct Dsa : testing::Test {
	SplitMix64 dice{segue_test_seed()};
	alignas(64) uint8_t entry[64];
	segue_wq wq;
	dsa_hw_desc want;

	uint64_t Draw()
	{
		return dice() >> dice() % 60;
	}

	void Begin(unsigned opcode, uint32_t flags)
	{
		std::memset(entry, 0xee, sizeof(entry));
		std::memset(&want, 0, sizeof(want));
		wq.block = {};
		wq.block.at = entry;
		wq.block.size = sizeof(entry);
		want.opcode = opcode;
		want.flags = flags;
		want.pasid = Draw() & 0xfffff;
		want.priv = dice() & 1;
		want.completion_addr = Draw();
	}

	/* What most operations have. */
	void Operands()
	{
		want.src_addr = Draw();
		want.dst_addr = Draw();
		want.xfer_size = static_cast<uint32_t>(Draw());
		want.int_handle = static_cast<uint16_t>(Draw());
	}

	int Post(unsigned opcode, uint32_t flags);
};

#define ARGS flags, want.pasid, want.priv, want.completion_addr

int Dsa::Post(unsigned opcode, uint32_t flags)
{
	Begin(opcode, flags);
	Operands();
	const uint64_t first = want.src_addr, second = want.dst_addr;
	const uint32_t size = want.xfer_size;
	const uint16_t handle = want.int_handle;

	switch (opcode) {
	case DSA_OPCODE_NOOP:
	case DSA_OPCODE_DRAIN:
		want.src_addr = want.dst_addr = 0;
		want.xfer_size = 0;
		want.int_handle = 0;
		return opcode == DSA_OPCODE_NOOP ? segue_commit(segue_noop(&wq, ARGS))
						 : segue_commit(segue_drain(&wq, ARGS));
	case DSA_OPCODE_BATCH: {
		const segue_seg_list v = {first, size, handle};

		want.dst_addr = 0;
		return segue_commit(segue_list(segue_batch(&wq, ARGS), &v));
	}
	case DSA_OPCODE_MEMMOVE: {
		const segue_seg_move v = {first, second, size, handle};

		return segue_commit(segue_move(segue_memmove(&wq, ARGS), &v));
	}
	case DSA_OPCODE_MEMFILL: {
		const segue_seg_fill v = {first, second, size, handle};

		return segue_commit(segue_fill(segue_memfill(&wq, ARGS), &v));
	}
	case DSA_OPCODE_COMPARE: {
		want.expected_res = static_cast<uint8_t>(Draw());
		const segue_seg_two v = {first, second, size, handle, want.expected_res};

		return segue_commit(segue_two(segue_compare(&wq, ARGS), &v));
	}
	case DSA_OPCODE_COMPVAL: {
		want.expected_res = static_cast<uint8_t>(Draw());
		const segue_seg_with_pattern v = {first, second, size, handle, want.expected_res};

		return segue_commit(segue_with_pattern(segue_compval(&wq, ARGS), &v));
	}
	case DSA_OPCODE_CR_DELTA: {
		want.delta_addr = Draw();
		want.max_delta_size = static_cast<uint32_t>(Draw());
		want.expected_res_mask = static_cast<uint8_t>(Draw());
		const segue_seg_delta v = {first,
					   second,
					   size,
					   handle,
					   want.delta_addr,
					   want.max_delta_size,
					   want.expected_res_mask};

		return segue_commit(segue_delta(segue_cr_delta(&wq, ARGS), &v));
	}
	case DSA_OPCODE_AP_DELTA: {
		want.delta_rec_size = static_cast<uint32_t>(Draw());
		const segue_seg_apply v = {first, second, size, handle, want.delta_rec_size};

		return segue_commit(segue_apply(segue_ap_delta(&wq, ARGS), &v));
	}
	case DSA_OPCODE_DUALCAST: {
		want.dest2 = Draw();
		const segue_seg_dual v = {first, second, size, handle, want.dest2};

		return segue_commit(segue_dual(segue_dualcast(&wq, ARGS), &v));
	}
	case DSA_OPCODE_CRCGEN: {
		want.dst_addr = 0;
		want.crc_seed = static_cast<uint32_t>(Draw());
		want.seed_addr = Draw();
		const segue_seg_crc v = {first, size, handle, want.crc_seed, want.seed_addr};

		return segue_commit(segue_crc(segue_crcgen(&wq, ARGS), &v));
	}
	case DSA_OPCODE_COPY_CRC: {
		want.crc_seed = static_cast<uint32_t>(Draw());
		want.seed_addr = Draw();
		const segue_seg_copied_crc v = {first,	second,	       size,
						handle, want.crc_seed, want.seed_addr};

		return segue_commit(segue_copied_crc(segue_copy_crc(&wq, ARGS), &v));
	}
	default: {
		const segue_seg_flush v = {second, size, handle};

		want.src_addr = 0;
		return segue_commit(segue_flush(segue_cflush(&wq, ARGS), &v));
	}
	}
}

TEST_F(Dsa, DescriptorsAreThoseOfThePublicStruct)
{
	static const unsigned opcodes[] = {
		DSA_OPCODE_NOOP,     DSA_OPCODE_BATCH,	  DSA_OPCODE_DRAIN,   DSA_OPCODE_MEMMOVE,
		DSA_OPCODE_MEMFILL,  DSA_OPCODE_COMPARE,  DSA_OPCODE_COMPVAL, DSA_OPCODE_CR_DELTA,
		DSA_OPCODE_AP_DELTA, DSA_OPCODE_DUALCAST, DSA_OPCODE_CRCGEN,  DSA_OPCODE_COPY_CRC,
		DSA_OPCODE_CFLUSH};

	static_assert(sizeof(dsa_hw_desc) == sizeof(entry), "a descriptor has 64 bytes");
	for (int i = 0; i < kPosts; i++) {
		const unsigned opcode = opcodes[dice() % std::size(opcodes)];
		const uint32_t flags = dice() &
				       (IDXD_OP_FLAG_CRAV | IDXD_OP_FLAG_RCR | IDXD_OP_FLAG_RCI);

		ASSERT_EQ(Post(opcode, flags), 0) << "post " << i << ", opcode " << opcode;
		ASSERT_EQ(std::memcmp(entry, &want, sizeof(entry)), 0)
			<< "post " << i << "\n"
			<< Printed(&segue_wq_machine, entry, sizeof(entry));
		ASSERT_EQ(Judged(&segue_wq_machine, entry, sizeof(entry)), "no offence") << i;
	}
}

TEST_F(Dsa, WhatAnOperationDoesNotHaveIsRefused)
{
	ASSERT_EQ(Post(DSA_OPCODE_DRAIN, 0), 0);
	entry[40] = 1;
	EXPECT_NE(Judged(&segue_wq_machine, entry, sizeof(entry)), "no offence");
	EXPECT_EQ(Post(DSA_OPCODE_NOOP, IDXD_OP_FLAG_CC), -ERANGE) << "it writes nothing";
	entry[7] = 0x7f;
	EXPECT_NE(Judged(&segue_wq_machine, entry, sizeof(entry)), "no offence") << "opcode 0x7f";
}

} // namespace
