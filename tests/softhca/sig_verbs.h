/* SPDX-License-Identifier: BSD-2-Clause */
// Signatures and encryption of a key as mlx5dv wants them.
#ifndef SOFTHCA_TESTS_SIG_VERBS_H
#define SOFTHCA_TESTS_SIG_VERBS_H

#include <infiniband/mlx5dv.h>

#include "tests/softhca/sig_oracle.h"

namespace oracle {

inline mlx5dv_block_size BlockSize(uint32_t bytes) {
  switch (bytes) {
  case 512:
    return MLX5DV_BLOCK_SIZE_512;
  case 520:
    return MLX5DV_BLOCK_SIZE_520;
  case 4048:
    return MLX5DV_BLOCK_SIZE_4048;
  case 4096:
    return MLX5DV_BLOCK_SIZE_4096;
  default:
    return MLX5DV_BLOCK_SIZE_4160;
  }
}

// A side as mlx5dv wants it.
struct Domain {
  explicit Domain(const Side &side) : none(side.kind == NONE) {
    dif.bg_type = side.kind == DIF_CRC ? MLX5DV_SIG_T10DIF_CRC : MLX5DV_SIG_T10DIF_CSUM;
    dif.bg = side.ones ? 0xffff : 0;
    dif.app_tag = side.app;
    dif.ref_tag = side.ref;
    dif.flags = static_cast<uint16_t>((side.grows ? MLX5DV_SIG_T10DIF_FLAG_REF_REMAP : 0) |
                                      (side.escapes & 1 ? MLX5DV_SIG_T10DIF_FLAG_APP_ESCAPE : 0));
    crc.type = side.kind == CRC32    ? MLX5DV_SIG_CRC_TYPE_CRC32
               : side.kind == CRC32C ? MLX5DV_SIG_CRC_TYPE_CRC32C
                                             : MLX5DV_SIG_CRC_TYPE_CRC64_XP10;
    crc.seed = !side.ones ? 0 : side.kind == CRC64 ? UINT64_MAX : UINT32_MAX;
    domain.block_size = BlockSize(side.block);
    domain.sig_type = side.Dif() ? MLX5DV_SIG_TYPE_T10DIF : MLX5DV_SIG_TYPE_CRC;
    if (side.Dif())
      domain.sig.dif = &dif;
    else
      domain.sig.crc = &crc;
  }
  const mlx5dv_sig_block_domain *Get() const { return none ? nullptr : &domain; }

  bool none;
  mlx5dv_sig_t10dif dif{};
  mlx5dv_sig_crc crc{};
  mlx5dv_sig_block_domain domain{};
};

// Between mlx5dv_wr_mkey_configure(), which was told of one setter for each, and ibv_wr_complete().
inline void Set(mlx5dv_qp_ex *qp, const Settings &s, bool sig, mlx5dv_dek *dek) {
  mlx5dv_sig_block_attr block{};
  mlx5dv_crypto_attr crypto{};
  const Domain mem(s.mem), wire(s.wire);
  block.mem = mem.Get();
  block.wire = wire.Get();
  block.check_mask = s.check;
  if (sig)
    mlx5dv_wr_set_mkey_sig_block(qp, &block);
  crypto.crypto_standard = MLX5DV_CRYPTO_STANDARD_AES_XTS;
  crypto.encrypt_on_tx = s.crypto.encrypt_on_tx;
  crypto.signature_crypto_order = s.crypto.sig_first
                                      ? MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_BEFORE_CRYPTO_ON_TX
                                      : MLX5DV_SIGNATURE_CRYPTO_ORDER_SIGNATURE_AFTER_CRYPTO_ON_TX;
  crypto.data_unit_size = BlockSize(s.crypto.unit);
  memcpy(crypto.initial_tweak, s.crypto.tweak.data(), 16);
  memcpy(crypto.keytag, s.crypto.keytag.data(), 8);
  crypto.dek = dek;
  if (s.crypto.on)
    mlx5dv_wr_set_mkey_crypto(qp, &crypto);
}

} // namespace oracle

#endif
