/* SPDX-License-Identifier: BSD-2-Clause */
// What a program does that a card need not forgive, and what it does that is right and looks alike.
#include "tests/softhca/engine/engine_requests.h"
extern "C" {
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/pinned_pages.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/transport.h"
}

namespace {

using namespace eng;

struct World {
  World() : hca([](softhca_config *c) { c->watch = true; }), a(hca, acq), b(hca, bcq) {
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    Connect(a, b);
  }
  Wqe Write() { return Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey); }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(64) uint8_t src[4096] = {}, dst[4096] = {};
  uint32_t skey, dkey;
};

// A window that is bound, and a request behind it.
struct Fence {
  const char *name;
  uint8_t fm;
  bool wait, read;
  uint64_t findings;
};

TEST(SmallFence, IsWantedBehindAChangeOfAKey) {
  // mlx5dv.h, wr.c
  const uint8_t kSmall = 1 << 5, kReads = 2 << 5, kStrong = 3 << 5, kBoth = 4 << 5;
  static_assert(MLX5_WQE_CTRL_INITIATOR_SMALL_FENCE == 1 << 5 && MLX5_WQE_CTRL_FENCE == 4 << 5,
                "as there");
  const Fence cases[] = {
      {"none", 0, false, false, 1},       {"reads", kReads, false, false, 1},
      {"small", kSmall, false, false, 0}, {"strong", kStrong, false, false, 0},
      {"both", kBoth, false, false, 0},   {"after the completion", 0, true, false, 0},
      {"of its own", 0, false, true, 0}};
  for (const Fence &f : cases) {
    SCOPED_TRACE(f.name);
    World w;
    softhca_mkey *mw = nullptr;
    ASSERT_EQ(0, softhca_mw_create(w.hca.pd, IBV_MW_TYPE_1, &mw));
    const uint32_t key = softhca_mkey_key(mw);
    w.a.Put(Bind(key, BindUmr(false, 0, key & 0xff, w.src, 8, kRemoteRw), w.skey, w.src, 8));
    if (f.wait) {
      w.a.Ring();
      EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
    }
    Wqe next = w.Write();
    if (f.read)
      next.opcode = MLX5_OPCODE_RDMA_READ;
    next.fm_ce_se |= f.fm;
    w.a.Post(next);
    for (int i = f.wait; i < 2; i++)
      EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
    EXPECT_EQ(f.findings, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_SMALL_FENCE))
        << softhca_referee_last(w.hca.dev);
    w.a.Post(w.Write());
    w.acq.Wait();
    EXPECT_EQ(f.findings, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_SMALL_FENCE)) << "once";
    EXPECT_EQ(0, softhca_mkey_destroy(mw));
  }
}

// Calls about nothing, or beyond the end of memory, need no look at what is registered.
TEST(Pinned, NothingHasNoPages) {
  Hca hca;
  alignas(4096) static uint8_t page[4096];
  const uint64_t va = reinterpret_cast<uintptr_t>(page);
  hca.Mr(page, sizeof(page));
  EXPECT_TRUE(softhca_pinned(va, 1));
  EXPECT_FALSE(softhca_pinned(va, 0));
  EXPECT_FALSE(softhca_pinned(va, UINT64_MAX));
}

} // namespace
