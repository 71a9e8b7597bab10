/* SPDX-License-Identifier: BSD-2-Clause */
// Keys with signature and crypto settings, below engine tests.
#ifndef SOFTHCA_TESTS_ENGINE_OFFLOAD_H
#define SOFTHCA_TESTS_ENGINE_OFFLOAD_H

#include "tests/softhca/engine/engine_requests.h"
#include "tests/softhca/sig_oracle.h"
extern "C" {
#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/engine/offload/psv.h"
}

namespace eng {

// mlx5dv.h, MLX5_WQE_UMR_CTRL_MKEY_MASK_*
constexpr uint64_t kMaskSigErr = 0x200, kMaskBsf = 0x1000;

inline softhca_mkey *OffloadKey(Hca &hca, bool crypto, uint32_t max_klms = 8,
                                uint32_t bsf_room = 8) {
  softhca_mkey_attr attr{};
  attr.mode = SOFTHCA_MKEY_KLM;
  attr.pd = hca.pd;
  attr.free = attr.umr_en = true;
  attr.qpn = 0xffffff;
  attr.max_klms = max_klms;
  attr.bsf_room = bsf_room;
  attr.crypto = crypto;
  softhca_mkey *mkey = nullptr;
  EXPECT_EQ(0, softhca_mkey_create(hca.dev, &attr, &mkey)) << softhca_why();
  return mkey;
}

inline uint32_t Psv(Hca &hca) {
  softhca_psv *psv;
  uint32_t num = 0;
  EXPECT_EQ(0, softhca_psv_create(hca.pd, &psv, &num)) << softhca_why();
  return num;
}

inline uint32_t Dek(Hca &hca, const oracle::Bytes &key, const oracle::Bytes &keytag = {}) {
  softhca_dek_attr attr{};
  softhca_dek *dek;
  uint32_t num = 0;
  attr.pd = hca.pd;
  attr.bits = static_cast<unsigned>(key.size() * 4);
  attr.has_keytag = !keytag.empty();
  memcpy(attr.key, key.data(), key.size());
  if (!keytag.empty())
    memcpy(attr.key + key.size(), keytag.data(), keytag.size());
  EXPECT_EQ(0, softhca_dek_create(&attr, &dek, &num)) << softhca_why();
  return num;
}

// The UMR that gives a key its layout and settings, as libmlx5 writes it. `expected`: parity of the
// next signature error.
inline Wqe OffloadUmr(softhca_mkey *mkey, const std::vector<ibv_sge> &pieces,
                      const oracle::Bytes &bsf, uint8_t expected = 1) {
  const uint32_t key = softhca_mkey_key(mkey);
  uint64_t len = 0;
  Umr u;
  for (const ibv_sge &piece : pieces)
    len += piece.length;
  u.ctrl.flags = MLX5_WQE_UMR_CTRL_FLAG_INLINE;
  u.ctrl.klm_octowords = htobe16((pieces.size() + 3) / 4 * 4);
  u.ctrl.translation_offset = htobe16(bsf.size() / 16); // bsf_octowords
  u.ctrl.mkey_mask = htobe64(
      MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE | kMaskBsf | kMaskSigErr |
      MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE | MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC |
      MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ |
      MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE);
  u.mkc.access_flags = kRemoteRw | MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE |
                       MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_ATOMIC;
  u.mkc.qpn_mkey = htobe32(0xffffff00 | (key & 0xff));
  u.mkc.flags_pd = htobe32((bsf.empty() ? 0 : 1u << 30) | uint32_t{expected} << 26);
  u.mkc.len = htobe64(len);
  Wqe w = UmrWqe(key, u);
  for (size_t i = 0; i < (pieces.size() + 3) / 4 * 4; i++)
    if (i < pieces.size())
      w.Data(reinterpret_cast<void *>(pieces[i].addr), pieces[i].length, pieces[i].lkey);
    else
      w.Words64({0, 0});
  return w.Raw(bsf.data(), bsf.size());
}

inline Wqe SetPsv(uint32_t num, uint64_t value) {
  return Wqe(MLX5_OPCODE_SET_PSV).Words32({num, 0}).Words64({value});
}

} // namespace eng

#endif
