/* SPDX-License-Identifier: BSD-2-Clause */
// Pieces of work requests as libmlx5 writes them: address vectors, and what makes, binds and frees
// keys.
#ifndef SOFTHCA_TESTS_ENGINE_REQUESTS_H
#define SOFTHCA_TESTS_ENGINE_REQUESTS_H

#include "tests/softhca/engine/engine_fixture.h"

namespace eng {

inline Wqe &Av(Wqe &w, uint64_t key, uint32_t qpn, uint16_t lid) {
  mlx5_wqe_av av{};
  av.key.dc_key = htobe64(key);
  av.dqp_dct = htobe32(qpn | MLX5_EXTENDED_UD_AV);
  av.rlid = htobe16(lid);
  return w.Raw(&av, sizeof(av));
}

inline uint16_t Lid(Hca &hca) {
  softhca_port_attr port{};
  softhca_port_query(hca.dev, 1, &port);
  return port.lid;
}

// mlx5_wqe_mkey_context_seg without its flexible end.
struct MkeyContext {
  uint8_t free, reserved1, access_flags, sf;
  uint32_t qpn_mkey, reserved2, flags_pd;
  uint64_t start_addr, len;
  uint8_t rest[32];
};
static_assert(sizeof(MkeyContext) == 64, "as in mlx5dv.h");

struct Umr {
  mlx5_wqe_umr_ctrl_seg ctrl{};
  MkeyContext mkc{};
};

inline Wqe UmrWqe(uint32_t key, const Umr &u) {
  return Wqe(MLX5_OPCODE_UMR).Raw(&u.ctrl, sizeof(u.ctrl)).Raw(&u.mkc, sizeof(u.mkc)).Imm(key);
}

inline Umr BindUmr(bool type2, uint32_t qpn, uint8_t variant, const void *addr, uint64_t len,
                   uint8_t access) {
  Umr u;
  u.ctrl.flags = MLX5_WQE_UMR_CTRL_FLAG_TRNSLATION_OFFSET | MLX5_WQE_UMR_CTRL_FLAG_INLINE;
  uint64_t mask = MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE | MLX5_WQE_UMR_CTRL_MKEY_MASK_MKEY;
  if (type2)
    mask |= MLX5_WQE_UMR_CTRL_MKEY_MASK_QPN;
  if (len) {
    mask |= MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_START_ADDR |
            MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE |
            MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ |
            MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE |
            MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_ATOMIC;
    if (type2)
      u.ctrl.flags |= MLX5_WQE_UMR_CTRL_FLAG_CHECK_FREE;
    u.ctrl.klm_octowords = htobe16(4); // one entry, padded to a block
    u.mkc.access_flags = access;
    u.mkc.start_addr = htobe64(reinterpret_cast<uintptr_t>(addr));
    u.mkc.len = htobe64(len);
  } else {
    if (type2)
      u.ctrl.flags |= MLX5_WQE_UMR_CTRL_FLAG_CHECK_QPN;
    u.mkc.free = MLX5_WQE_MKEY_CONTEXT_FREE;
  }
  u.ctrl.mkey_mask = htobe64(mask);
  u.mkc.qpn_mkey = htobe32(variant | (type2 && len ? qpn << 8 : 0xffffff00));
  return u;
}

inline Wqe Bind(uint32_t old_key, const Umr &u, uint32_t lkey, const void *addr, uint32_t len) {
  mlx5_wqe_umr_klm_seg klm{htobe32(len), htobe32(lkey), htobe64(reinterpret_cast<uintptr_t>(addr))};
  uint8_t pad[48] = {};
  return UmrWqe(old_key, u).Raw(&klm, sizeof(klm)).Raw(pad, sizeof(pad));
}

constexpr uint8_t kRemoteRw = MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_WRITE |
                              MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_REMOTE_READ;

// A change of a tag list. `next`: for an append the number of the entry after it, for a removal the
// entry's own.
inline Wqe TagWqe(uint8_t op, uint8_t flags, uint16_t next, uint16_t sw_count, uint64_t tag = 0,
                  uint64_t mask = 0) {
  Wqe w(MLX5_OPCODE_TAG_MATCHING, 0, 0);
  return w.Words32({uint32_t{op} << 28 | uint32_t{flags} << 16 | next, sw_count, 0, 0})
      .Words64({tag, mask});
}

// A receive queue with a tag list, and the queue pair that its commands are posted to.
struct Tagged {
  explicit Tagged(Hca &hca, Cq &cq, uint32_t tags = 8)
      : srq(hca, 16, &cq, nullptr, 0x77, tags), cmd(hca, cq, Options(srq)) {
    Connect(cmd, cmd);
  }
  static QpOptions Options(Srq &srq) {
    QpOptions opt;
    opt.srq = srq.srq;
    return opt;
  }
  // A queue pair is connected with itself in one go only.
  static void Connect(Qp &a, Qp &b) {
    EXPECT_EQ(0, a.Init()) << softhca_why();
    EXPECT_EQ(0, a.Rtr(b.hca, b.qpn)) << softhca_why();
    EXPECT_EQ(0, a.Rts()) << softhca_why();
  }
  Srq srq;
  Qp cmd;
};

// A copy of memory, with 64 bytes of memory for the device.
inline Wqe Copy(const void *state, uint32_t state_key, const ibv_sge &from, const ibv_sge &to) {
  return Wqe(MLX5_OPCODE_MMO, 1)
      .Words32({0, state_key})
      .Words64({reinterpret_cast<uintptr_t>(state)})
      .Data(reinterpret_cast<void *>(from.addr), from.length, from.lkey)
      .Data(reinterpret_cast<void *>(to.addr), to.length, to.lkey);
}

inline ibv_sge Piece(const void *p, uint32_t len, uint32_t key) {
  return {reinterpret_cast<uintptr_t>(p), len, key};
}

} // namespace eng

#endif
