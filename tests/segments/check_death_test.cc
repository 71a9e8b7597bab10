/* SPDX-License-Identifier: BSD-2-Clause */
/* In checked builds a value that its field cannot hold ends the program with the place. */
#include <gtest/gtest.h>

#include "segue/gen/segments.h"

TEST(CheckedPack, NamesTheFieldThatIsTooNarrow)
{
	struct segue_seg_ctrl ctrl;
	uint8_t bytes[SEGUE_SEG_CTRL_SIZE];

	memset(&ctrl, 0, sizeof(ctrl));
	ctrl.ds = SEGUE_SEG_CTRL_DS_MAX + 1;
	EXPECT_DEATH(segue_seg_ctrl_pack(bytes, &ctrl),
		     "segments.h:[0-9]+: check failed: v->ds <= SEGUE_SEG_CTRL_DS_MAX");
	ctrl.ds = 1;
	ctrl.qpn = SEGUE_SEG_CTRL_QPN_MAX + 1;
	EXPECT_DEATH(segue_seg_ctrl_pack(bytes, &ctrl), "check failed: v->qpn");
}

TEST(CheckedPack, RefusesAValueThatMakesAnotherSegment)
{
	struct segue_seg_data data;
	uint8_t bytes[SEGUE_SEG_DATA_SIZE];

	memset(&data, 0, sizeof(data));
	data.byte_count = 1;
	data.lkey = 0x100;
	EXPECT_DEATH(segue_seg_data_pack(bytes, &data), "check failed: v->lkey != 0x100u");
}

TEST(CheckedPack, LetsLegalValuesPass)
{
	struct segue_seg_raddr raddr;
	uint8_t bytes[SEGUE_SEG_RADDR_SIZE];

	raddr.remote_addr = UINT64_MAX;
	raddr.rkey = UINT32_MAX;
	segue_seg_raddr_pack(bytes, &raddr);
	EXPECT_EQ(bytes[0], 0xff);
}
