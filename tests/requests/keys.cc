// SPDX-License-Identifier: BSD-2-Clause
#include "segue/mkey.h"
#include "tests/requests/keys.h"

namespace requests {

segue_mkey *open_key(Rig &r, uint16_t entries)
{
	segue_mkey *mkey = nullptr;

	EXPECT_OK(open_mkey(r.pd, entries, 0, &mkey));
	return mkey;
}

segue_seg_mkey_context key_context(uint32_t key, uint64_t length)
{
	segue_seg_mkey_context context = {};

	context.qpn = 0xffffff;
	context.mkey_7_0 = (uint8_t)key;
	context.access_flags = SEGUE_MKEY_ACCESS_LOCAL_WRITE | SEGUE_MKEY_ACCESS_REMOTE_WRITE |
			       SEGUE_MKEY_ACCESS_REMOTE_READ;
	context.len = length;
	return context;
}

uint32_t key_of_pieces(Rig &r, segue_qp *qp, const std::vector<Piece> &pieces)
{
	const uint32_t key = segue_mkey_lkey(open_key(r)).lkey;
	std::vector<segue_seg_klm> klms;
	uint64_t length = 0;

	for (const Piece &piece : pieces) {
		klms.push_back({piece.length, piece.lkey, piece.addr});
		length += piece.length;
	}
	segue_seg_mkey_context context = key_context(key, length);

	context.en_rinval = 1;
	EXPECT_OK(segue_post(segue_klm_list(
		segue_mkey_context(
			segue_umr_ctrl(segue_umr_list(segue_qp_rc_sq(qp), 90, SEGUE_SIGNALED, key),
				       0, (uint16_t)((klms.size() + 3) / 4 * 4),
				       KEY_MASK | SEGUE_MKEY_MASK_EN_RINVAL),
			&context),
		klms.data(), (uint32_t)klms.size())));
	r.complete({90});
	return key;
}

uint8_t write_through(Rig &r, segue_qp *by, uint32_t rkey, uint32_t length, uint64_t at)
{
	EXPECT_OK(segue_post(segue_sge(
		segue_raddr(segue_rdma_write(segue_qp_rc_sq(by), 91, SEGUE_SIGNALED), at, rkey),
		r.here.at(0), length, r.here.lkey())));
	return r.completion().syndrome;
}

} // namespace requests
