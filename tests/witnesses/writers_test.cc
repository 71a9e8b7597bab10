/* SPDX-License-Identifier: BSD-2-Clause */
/* Builders write what UCC, DPDK and Linux write, byte for byte, wherever the arguments agree. */
#include "tests/witnesses/writers.h"

#include <gtest/gtest.h>

#include <endian.h>

#include "segue/base.h"
#include "segue/gen/builders.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"

namespace
{

constexpr uint32_t kBlocks = 64, kQpn = 0x8efd73, kRounds = 2000;

class Writers : public testing::Test
{
      protected:
	Writers() : dice_(segue_test_seed())
	{
	}

	/* A queue that begins at this index. */
	segue_rc_sq *Fresh(uint32_t first = 0)
	{
		segue_sq_init_options attr = {};

		attr.buf = ring_;
		attr.wqe_cnt = kBlocks;
		attr.dbrec = &dbrec_;
		attr.bf_reg = &doorbell_;
		attr.qpn = kQpn;
		attr.first_index = first;
		attr.slots = slots_;
		EXPECT_EQ(0, segue_sq_init(&rc_.sq, &attr)) << segue_errmsg();
		return &rc_;
	}
	uint64_t Any(unsigned int bits)
	{
		return dice_() >> (64 - bits);
	}
	/* What lies from block `at` on, around the ring's end. */
	std::vector<uint8_t> Written(uint32_t at, size_t size) const
	{
		std::vector<uint8_t> bytes;

		for (size_t i = 0; i < size; i++)
			bytes.push_back(ring_[(at % kBlocks * 64 + i) % sizeof(ring_)]);
		return bytes;
	}
	void Same(const witness::Words &theirs, int ret, uint32_t at = 0)
	{
		ASSERT_EQ(0, ret) << segue_errmsg();
		ASSERT_EQ(theirs.Bytes(), Written(at, theirs.Bytes().size()));
	}

      private:
	SplitMix64 dice_;
	segue_rc_sq rc_ = {};
	alignas(64) uint8_t ring_[kBlocks * 64] = {};
	uint32_t dbrec_ = 0;
	uint64_t doorbell_ = 0;
	segue_sq_slot slots_[kBlocks] = {};
};

TEST_F(Writers, TransposeIsThatOfUcc)
{
	for (uint32_t i = 0; i < kRounds; i++) {
		const uint32_t element = 1 + uint32_t(Any(7)), cols = 1 + uint32_t(Any(6)),
			       rows = 1 + uint32_t(Any(6)), bytes = element * cols * rows;
		const uint32_t from_key = uint32_t(Any(32)), to_key = uint32_t(Any(32));
		const uint64_t from = Any(64), to = Any(64);

		Same(witness::UccTranspose(kQpn, element, cols, rows, from_key, from, to_key, to),
		     segue_post(segue_sge(
			     segue_sge(segue_matrix(segue_transpose(Fresh(), 0, SEGUE_SIGNALED),
						    element, cols, rows),
				       from, bytes, from_key),
			     to, bytes, to_key)));
	}
}

TEST_F(Writers, WaitOnDataIsThatOfUcc)
{
	for (uint32_t i = 0; i < kRounds; i++) {
		const uint64_t value = Any(64);
		segue_seg_wait_on_data until = {};

		until.operation = SEGUE_WAIT_COND_EQUAL;
		until.lkey = uint32_t(Any(32));
		until.va_fail = Any(64) & ~UINT64_C(7);
		until.data = be64toh(value);
		until.data_mask = be64toh(UINT64_C(0xffffffff));
		Same(witness::UccWaitOnData(kQpn, until.lkey, until.va_fail, value),
		     segue_post(segue_data_condition(segue_wait_on_data(Fresh(), 0, SEGUE_SIGNALED),
						     &until)));
	}
}

TEST_F(Writers, SendEnAndWaitAreThoseOfDpdk)
{
	for (uint32_t i = 0; i < kRounds; i++) {
		const uint32_t index = uint32_t(Any(24)), number = uint32_t(Any(24));

		Same(witness::DpdkSendEn(kQpn, index, number),
		     segue_post(segue_send_en_index(segue_send_en(Fresh(), 0, SEGUE_SIGNALED),
						    index & 0xffff, number)));
		Same(witness::DpdkWaitCq(kQpn, index, number),
		     segue_post(segue_wait_cq_index(segue_wait_cq(Fresh(), 0, 0), index, number)));
	}
}

TEST_F(Writers, WaitOnTimeIsThatOfDpdk)
{
	for (uint32_t i = 0; i < kRounds; i++) {
		const uint64_t time = Any(64), mask = Any(64);

		Same(witness::DpdkWaitOnTime(kQpn, time, mask),
		     segue_post(segue_time_condition(segue_wait_on_time(Fresh(), 0, 0),
						     SEGUE_WAIT_COND_CYCLIC_SMALLER, 0, time,
						     mask)));
	}
}

TEST_F(Writers, FlowTableAccessIsThatOfLinux)
{
	static const segue_seg_flow_update_ctrl none = {};
	uint8_t argument[64];

	for (uint32_t i = 0; i < kRounds; i++) {
		const uint16_t index = uint16_t(Any(16));
		const uint32_t id = uint32_t(Any(32));
		const bool reported = Any(1);

		for (uint8_t &byte : argument)
			byte = uint8_t(Any(8));
		Same(witness::LinuxArgument(index, kQpn, reported, id, argument),
		     segue_post(segue_header_modify_argument_update(
			     segue_flow_update_ctrl(
				     segue_flow_tbl_access(Fresh(index), 0,
							   reported ? SEGUE_SIGNALED : 0, id),
				     &none),
			     argument)),
		     index);
	}
}

} // namespace
