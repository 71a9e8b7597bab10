// SPDX-License-Identifier: BSD-2-Clause
// Indirect keys in recipes, and who looks at what can be done with a key.
#ifndef SEGUE_TESTS_REQUESTS_KEYS_H
#define SEGUE_TESTS_REQUESTS_KEYS_H

#include <vector>

#include "tests/requests/rig.h"

namespace requests {

struct Piece {
	uint64_t addr;
	uint32_t length, lkey;
};

// What the recipes' UMRs change of a key, which is what libmlx5 does: whose memory, which rights,
// and that it is free no more.
constexpr uint64_t KEY_MASK = SEGUE_MKEY_MASK_FREE | SEGUE_MKEY_MASK_MKEY | SEGUE_MKEY_MASK_LEN |
			      SEGUE_MKEY_MASK_ACCESS_LOCAL_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_WRITE |
			      SEGUE_MKEY_MASK_ACCESS_REMOTE_READ | SEGUE_MKEY_MASK_ACCESS_ATOMIC;

segue_mkey *open_key(Rig &r, uint16_t entries = 8);
segue_seg_mkey_context key_context(uint32_t key, uint64_t length);
// Makes a key of pieces, by a request on that RC queue pair, and waits for it. The key may be
// invalidated by peers.
uint32_t key_of_pieces(Rig &r, segue_qp *qp, const std::vector<Piece> &pieces);

// Writes the first bytes of `here` to the start of what an indirect key names; the syndrome.
uint8_t write_through(Rig &r, segue_qp *by, uint32_t rkey, uint32_t length, uint64_t at = 0);

} // namespace requests

#endif
