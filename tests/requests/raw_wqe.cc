// SPDX-License-Identifier: BSD-2-Clause
// Requests as bytes: carried out like others, round the end of the ring too, or refused by the byte
// that is wrong.
#include "segue/qp.h"
#include "tests/requests/rig.h"

namespace requests {
namespace {

class RawWqe : public Control {
protected:
	void SetUp() override
	{
		Control::SetUp();
		for (size_t i = 0; i < sizeof(from); i++)
			from[i] = (uint8_t)(i * 3 + 1);
		source = share(from, sizeof(from));
		target = share(to, sizeof(to));
		qp = open(SEGUE_QP_RC);
		ASSERT_NO_FATAL_FAILURE(connect(qp, open(SEGUE_QP_RC)));
	}
	// An RDMA WRITE of so many pieces of 10 bytes, by the packers alone.
	std::vector<uint8_t> write(uint32_t pieces)
	{
		std::vector<uint8_t> wqe(16 * (2 + pieces));
		segue_seg_ctrl ctrl = {};
		segue_seg_raddr raddr = {};
		segue_remote_buf remote;

		EXPECT_OK(segue_mr_remote_buf(target, 0, sizeof(to), &remote));
		ctrl.opcode = SEGUE_OPCODE_RDMA_WRITE;
		ctrl.ce = SEGUE_COMPLETION_MODE_ALWAYS;
		segue_seg_ctrl_pack(wqe.data(), &ctrl);
		raddr.remote_addr = remote.addr;
		raddr.rkey = remote.key.rkey;
		segue_seg_raddr_pack(&wqe[16], &raddr);
		for (uint32_t i = 0; i < pieces; i++) {
			segue_seg_data data = {};

			data.addr = (uintptr_t)from + 20 * i;
			data.byte_count = 10;
			data.lkey = segue_mr_lkey(source).lkey;
			segue_seg_data_pack(&wqe[16 * (2 + i)], &data);
		}
		return wqe;
	}

	alignas(64) uint8_t from[256], to[256];
	segue_mr *source, *target;
	segue_qp *qp;
};

TEST_F(RawWqe, IsCarriedOut)
{
	for (uint64_t i = 0; i < 200; i++) {
		// one block, or two, which may lie at both ends of the ring
		const uint32_t pieces = 1 + i % 3;
		const std::vector<uint8_t> wqe = write(pieces);

		memset(to, 0, sizeof(to));
		ASSERT_OK(segue_qp_post_raw_wqe(qp, 1000 + i, wqe.data(), wqe.size()));
		const segue_wc wc = take(1)[0];

		ASSERT_EQ(0, wc.syndrome);
		ASSERT_EQ(1000 + i, wc.wr_id);
		for (uint32_t at = 0; at < 10 * pieces; at++)
			ASSERT_EQ(from[at / 10 * 20 + at % 10], to[at]) << at;
		ASSERT_EQ(0, to[10 * pieces]);
	}
}

TEST_F(RawWqe, IsRefusedByWhatIsWrong)
{
	std::vector<uint8_t> wqe = write(1);

	EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(qp, 1, wqe.data(), 40));
	EXPECT_SAYS("40 bytes, expected a multiple of 16");
	EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(qp, 1, wqe.data(), 16)); // no address
	EXPECT_SAYS("raddr");
	EXPECT_EQ(-EMSGSIZE, segue_qp_post_raw_wqe(qp, 1, write(60).data(), 16 * 62));
	EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(qp, 1, nullptr, 32));
	EXPECT_SAYS("wqe is NULL");
	EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(nullptr, 1, wqe.data(), 32));
	wqe[3] = 0x3f; // no such opcode
	EXPECT_EQ(-EINVAL, segue_qp_post_raw_wqe(qp, 1, wqe.data(), wqe.size()));
	EXPECT_SAYS("opcode");
	// Nothing of that was posted.
	EXPECT_TRUE(segue_qp_is_idle(qp));
	for (int i = 0; i < 1000; i++)
		if (segue_qp_post_raw_wqe(qp, 2, write(1).data(), 48) == -ENOSPC)
			return;
	ADD_FAILURE() << "the queue never was full";
}

} // namespace
} // namespace requests
