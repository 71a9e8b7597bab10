/* SPDX-License-Identifier: BSD-2-Clause */
// Completion queues: formats, arming, overrun, resize.
#include "tests/softhca/engine/engine_fixture.h"

namespace {

using namespace eng;

// A queue pair connected to itself through its neighbour, completing NOPs: the simplest source of
// CQEs.
struct Nops {
  explicit Nops(Hca &hca, Cq &cq, const QpOptions &opt = {}) : a(hca, cq, opt), b(hca, cq) {
    Connect(a, b);
  }
  void Post(int n = 1) {
    for (int i = 0; i < n; i++)
      a.Put(Wqe(MLX5_OPCODE_NOP));
    a.Ring();
  }
  Qp a, b;
};

TEST(CqFormat, OwnerBitFlipsWithEachRound) {
  Hca hca;
  Cq cq(hca, 4);
  Nops nops(hca, cq);
  for (int i = 0; i < 20; i++) {
    nops.Post();
    mlx5_cqe64 cqe = cq.Wait();
    EXPECT_EQ(i / 4 % 2, cqe.op_own & 1) << i;
    EXPECT_EQ(i, be16toh(cqe.wqe_counter));
  }
}

// ---- moderation ----

constexpr uint16_t kLong = 60000; // microseconds; the most is 65535

// No event yet. On a busy machine the period may have passed, and then there may be one.
void ExpectNone(const Hca &hca, uint64_t since_ns) {
  if (softhca_now_ns() - since_ns < kLong * UINT64_C(1000)) {
    EXPECT_EQ(0u, hca.cq_events.size());
  }
}

TEST(CqModeration, WaitsForTheCount) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  softhca_cq_moderate(cq.cq, 4, kLong);
  cq.Arm(false);
  hca.Settle();
  const uint64_t from = softhca_now_ns();
  for (int i = 0; i < 3; i++) {
    nops.Post();
    cq.Wait();
  }
  ExpectNone(hca, from);
  nops.Post();
  cq.Wait();
  EXPECT_EQ(1u, hca.cq_events.size());
}

TEST(CqModeration, WaitsForThePeriodFromTheFirstEntryOn) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  softhca_cq_moderate(cq.cq, 100, 5000);
  cq.Arm(false);
  hca.Settle();
  const uint64_t from = softhca_now_ns();
  nops.Post();
  EXPECT_TRUE(hca.Run([&] { return !hca.cq_events.empty(); }));
  EXPECT_LE(UINT64_C(5000000), softhca_now_ns() - from);
}

TEST(CqModeration, HoldsForEntriesThatCameBeforeTheArm) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  softhca_cq_moderate(cq.cq, 2, kLong);
  const uint64_t from = softhca_now_ns();
  nops.Post();
  EXPECT_TRUE(hca.Run([&] { return !cq.Empty(); }));
  cq.Arm(false);
  for (int i = 0; i < 5; i++)
    softhca_poll_all(false, nullptr);
  ExpectNone(hca, from);
  nops.Post();
  EXPECT_TRUE(hca.Run([&] { return !hca.cq_events.empty(); }));
}

TEST(CqModeration, SwitchedOffTellsWhatItHeldBack) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  softhca_cq_moderate(cq.cq, 2, kLong);
  cq.Arm(false);
  const uint64_t from = softhca_now_ns();
  nops.Post();
  cq.Wait();
  ExpectNone(hca, from);
  softhca_cq_moderate(cq.cq, 0, 0);
  EXPECT_EQ(1u, hca.cq_events.size());
}

TEST(CqFormat, Entry128HoldsTheCqeInItsSecondHalf) {
  Hca hca;
  Cq cq(hca, 8, 128);
  Nops nops(hca, cq);
  nops.Post();
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(cq.Wait()));
  for (int i = 0; i < 64; i++)
    ASSERT_EQ(0xAA, cq.last_entry[i]) << "the first half is not touched without inline data";
}

TEST(CqFormat, Version1NamesTheUserIndexVersion0TheNumber) {
  for (uint8_t version : {0, 1}) {
    Hca hca([=](softhca_config *c) { c->cqe_version = version; });
    Cq cq(hca);
    QpOptions opt;
    opt.uidx = 0x4321;
    Nops nops(hca, cq, opt);
    nops.Post();
    mlx5_cqe64 cqe = cq.Wait();
    EXPECT_EQ(version ? 0x4321u : 0u, be32toh(cqe.srqn_uidx));
    EXPECT_EQ(nops.a.qpn, be32toh(cqe.sop_drop_qpn) & 0xffffff);
  }
}

TEST(CqFormat, Version0NamesTheSrq) {
  Hca hca([](softhca_config *c) { c->cqe_version = 0; });
  Cq acq(hca), bcq(hca);
  Srq srq(hca);
  QpOptions opt;
  opt.srq = srq.srq;
  Qp a(hca, acq), b(hca, bcq, opt);
  Connect(a, b);
  uint8_t dst[8];
  srq.PostRecv(dst, 8, hca.Mr(dst, 8));
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
  EXPECT_EQ(srq.srqn, be32toh(bcq.Wait().srqn_uidx));
}

TEST(InlineScatter, SmallMessagesTravelInTheCqe) {
  Hca hca;
  Cq acq(hca), bcq(hca), bcq128(hca, 64, 128);
  uint8_t dst[100] = {};
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  QpOptions opt;
  opt.scatter_cqe = true;
  for (Cq *cq : {&bcq, &bcq128}) {
    Qp a(hca, acq), b(hca, *cq, opt);
    Connect(a, b);
    for (int len : {1, 32, 33, 64, 65}) {
      std::string text(static_cast<size_t>(len), 'a');
      memset(dst, 0, sizeof(dst));
      b.PostRecv(dst, sizeof(dst), dkey);
      a.Post(Wqe(MLX5_OPCODE_SEND).Inline(text));
      acq.Wait();
      mlx5_cqe64 cqe = cq->Wait();
      EXPECT_EQ(len, static_cast<int>(be32toh(cqe.byte_cnt)));
      const char *data = reinterpret_cast<char *>(dst);
      if (len <= 32) {
        EXPECT_EQ(MLX5_INLINE_SCATTER_32, cqe.op_own & 0xc) << len;
        data = reinterpret_cast<char *>(&cqe);
      } else if (len <= 64 && cq->size == 128) {
        EXPECT_EQ(MLX5_INLINE_SCATTER_64, cqe.op_own & 0xc) << len;
        data = reinterpret_cast<char *>(cq->last_entry.data());
      } else {
        EXPECT_EQ(0, cqe.op_own & 0xc) << len;
      }
      EXPECT_EQ(text, std::string(data, static_cast<size_t>(len)));
    }
  }
}

TEST(Arm, FiresOnceAndOnlyWhenArmed) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  nops.Post();
  cq.Wait();
  hca.Settle();
  EXPECT_EQ(0u, hca.cq_events.size());
  cq.Arm(false); // the very first arm: record 0, as it was
  hca.Settle();
  EXPECT_EQ(0u, hca.cq_events.size());
  nops.Post(3);
  hca.Settle();
  ASSERT_EQ(1u, hca.cq_events.size()) << "three completions, one event";
  EXPECT_EQ(cq.cq, hca.cq_events[0]);
}

TEST(Arm, TheFirstArmOfAFreshQueueIsSeenWithoutItsDoorbell) {
  // Two queues of one page armed at once: the second doorbell overwrites the first; both arm
  // records are 0.
  Hca hca;
  Cq one(hca), two(hca);
  Nops n1(hca, one), n2(hca, two);
  one.Arm(false);
  two.Arm(false);
  hca.Settle();
  n1.Post();
  n2.Post();
  hca.Settle();
  EXPECT_EQ(2u, hca.cq_events.size());
}

TEST(Arm, AnEntryThatIsAlreadyThereFiresAtOnce) {
  Hca hca;
  Cq cq(hca);
  Nops nops(hca, cq);
  nops.Post();
  hca.Settle();
  cq.Arm(false);
  hca.Settle();
  EXPECT_EQ(1u, hca.cq_events.size());
  // But not a second time for the same entry.
  cq.sn++;
  cq.Arm(false);
  hca.Settle();
  EXPECT_EQ(1u, hca.cq_events.size());
  nops.Post();
  hca.Settle();
  EXPECT_EQ(2u, hca.cq_events.size());
}

TEST(Arm, SolicitedOnly) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  uint8_t dst[64];
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  Connect(a, b);
  bcq.Arm(true);
  for (int i = 0; i < 2; i++)
    b.PostRecv(dst, sizeof(dst), dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("plain"));
  bcq.Wait();
  EXPECT_EQ(0u, hca.cq_events.size());
  a.Post(Wqe(MLX5_OPCODE_SEND, 0, MLX5_WQE_CTRL_CQ_UPDATE | MLX5_WQE_CTRL_SOLICITED)
             .Inline("solicited"));
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(2, cqe.op_own & 2);
  EXPECT_EQ(1u, hca.cq_events.size());
}

TEST(Arm, AnErrorCountsAsSolicited) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  Connect(a, b);
  acq.Arm(true);
  hca.Settle();
  a.Post(Wqe(0x3f));
  acq.WaitErr();
  EXPECT_EQ(1u, hca.cq_events.size());
}

TEST(Overrun, KillsTheQueueAndItsQueuePairs) {
  Hca hca;
  Cq cq(hca, 4);
  Nops nops(hca, cq);
  nops.Post(5);
  EXPECT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_QP_FATAL) == 2; }));
  EXPECT_EQ(1u, hca.Count(IBV_EVENT_CQ_ERR));
  EXPECT_EQ(cq.cq, hca.events[0].obj);
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(nops.a.qp));
  for (int i = 0; i < 4; i++)
    EXPECT_TRUE(cq.Poll()) << "what fitted is there";
}

TEST(Overrun, MayBeIgnored) {
  Hca hca;
  Cq cq(hca, 4, 64, true);
  Nops nops(hca, cq);
  nops.Post(6);
  hca.Settle();
  EXPECT_EQ(0u, hca.events.size());
}

TEST(Overrun, FullIsNotOverrun) {
  Hca hca;
  Cq cq(hca, 4);
  Nops nops(hca, cq);
  for (int round = 0; round < 10; round++) {
    nops.Post(4);
    hca.Settle();
    for (int i = 0; i < 4; i++)
      ASSERT_TRUE(cq.Poll());
  }
  EXPECT_EQ(0u, hca.events.size());
}

TEST(Resize, ContinuesInTheNewRing) {
  Hca hca;
  Cq cq(hca, 8);
  Nops nops(hca, cq);
  nops.Post(3);
  hca.Settle();
  std::vector<uint8_t> fresh(32 * 64, 0xAA);
  for (int i = 0; i < 32; i++)
    fresh[i * 64 + 63] = MLX5_CQE_INVALID << 4;
  ASSERT_EQ(0, softhca_cq_resize(cq.cq, reinterpret_cast<uintptr_t>(fresh.data()), 32, 64));
  nops.Post();
  hca.Settle();
  for (int i = 0; i < 3; i++)
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(*cq.Poll()));
  EXPECT_EQ(MLX5_CQE_RESIZE_CQ, Opcode(*cq.Poll()));
  EXPECT_TRUE(cq.Empty());
  // libmlx5 copies entry i of the old ring to i + 1 of the new one; the device goes on behind them.
  const uint8_t *next = &fresh[4 * 64];
  EXPECT_EQ(MLX5_CQE_REQ, next[63] >> 4);
  EXPECT_EQ(3, next[60] << 8 | next[61]);
}

TEST(Resize, RefusesWhatDoesNotFit) {
  Hca hca;
  Cq cq(hca, 8);
  Nops nops(hca, cq);
  std::vector<uint8_t> fresh(64 * 64);
  uint64_t va = reinterpret_cast<uintptr_t>(fresh.data());
  nops.Post(3);
  hca.Settle();
  EXPECT_EQ(-ENOSPC, softhca_cq_resize(cq.cq, va, 2, 64));
  EXPECT_EQ(-EINVAL, softhca_cq_resize(cq.cq, va, 3, 64));
  EXPECT_EQ(-EINVAL, softhca_cq_resize(cq.cq, va, 16, 32));
  EXPECT_EQ(-EFAULT, softhca_cq_resize(cq.cq, 4096, 16, 64));
}

TEST(Create, ChecksItsArguments) {
  Hca hca;
  alignas(64) uint8_t buf[4096];
  uint32_t db[2];
  softhca_cq_attr attr{};
  softhca_cq *cq = nullptr;
  uint32_t cqn;
  attr.buf_va = reinterpret_cast<uintptr_t>(buf);
  attr.db_va = reinterpret_cast<uintptr_t>(db);
  attr.cqes = 3;
  attr.cqe_size = 64;
  EXPECT_EQ(-EINVAL, softhca_cq_create(hca.dev, &attr, &cq, &cqn));
  attr.cqes = 0;
  EXPECT_EQ(-EINVAL, softhca_cq_create(hca.dev, &attr, &cq, &cqn));
  attr.cqes = 4;
  attr.cqe_size = 96;
  EXPECT_EQ(-EINVAL, softhca_cq_create(hca.dev, &attr, &cq, &cqn));
  attr.cqe_size = 64;
  attr.db_va = 8;
  EXPECT_EQ(-EFAULT, softhca_cq_create(hca.dev, &attr, &cq, &cqn));
  attr.db_va = reinterpret_cast<uintptr_t>(db);
  ASSERT_EQ(0, softhca_cq_create(hca.dev, &attr, &cq, &cqn));
  EXPECT_EQ(cq, softhca_cq_find(hca.dev, cqn));
  {
    struct softhca_qp_create c{};
    softhca_qp *raw = nullptr;
    uint32_t qpn;
    c.pd = hca.pd;
    c.send_cq = c.recv_cq = cq;
    ASSERT_EQ(0, softhca_qp_create(hca.dev, &c, &raw, &qpn));
    EXPECT_EQ(-EBUSY, softhca_cq_destroy(cq));
    EXPECT_EQ(-EBUSY, softhca_pd_destroy(hca.pd));
    EXPECT_EQ(0, softhca_qp_destroy(raw));
  }
  EXPECT_EQ(0, softhca_cq_destroy(cq));
  EXPECT_EQ(nullptr, softhca_cq_find(hca.dev, cqn));
}

} // namespace
