/* SPDX-License-Identifier: BSD-2-Clause */
// Queues that wait for each other: WAIT for completions, memory and time, SEND_EN.
#include <unistd.h>

#include <ctime>

#include "tests/softhca/engine/engine_fixture.h"
extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/thread/thread.h"
}

#include "segue/gen/enums.h"

namespace {

using namespace eng;

// `a` waits; `other` completes into a queue of its own.
struct World {
  explicit World(bool master = true, bool managed = false)
      : a(hca, acq, Options(master, false)), b(hca, bcq, Options(false, managed)), c(hca, ccq) {
    key = hca.Mr(word, sizeof(word));
    Connect(a, c);
    Loop(b);
  }
  static QpOptions Options(bool master, bool managed) {
    QpOptions opt;
    opt.cross_master = master;
    opt.managed_send = managed;
    return opt;
  }
  // Connected to itself.
  static void Loop(Qp &qp) {
    ASSERT_EQ(0, qp.Init()) << softhca_why();
    ASSERT_EQ(0, qp.Rtr(qp.hca, qp.qpn)) << softhca_why();
    ASSERT_EQ(0, qp.Rts()) << softhca_why();
  }
  Wqe Wait(uint32_t index) { return WaitFor(bcq.cqn, index); }
  static Wqe WaitFor(uint32_t cqn, uint32_t index) {
    return Wqe(SEGUE_OPCODE_WAIT, SEGUE_OPMOD_WAIT_CQ_PI).Words32({0, 0, index, cqn});
  }
  Wqe WaitData(uint32_t operation, uint64_t data, uint64_t mask = ~UINT64_C(0),
               uint64_t action = 0) {
    return Wqe(SEGUE_OPCODE_WAIT, SEGUE_OPMOD_WAIT_DATA)
        .Words32({operation, key})
        .Words64({reinterpret_cast<uintptr_t>(word) | action, data, mask});
  }
  Wqe Enable(uint32_t qpn, uint16_t index) {
    return Wqe(SEGUE_OPCODE_SEND_EN).Words32({0, 0, index, qpn});
  }
  // Completes `n` times on b's queue.
  void Complete(int n = 1) {
    for (int i = 0; i < n; i++) {
      b.Post(Wqe(MLX5_OPCODE_NOP));
      bcq.Wait();
    }
  }
  void Put(uint64_t value) { __atomic_store_n(&word[0], htobe64(value), __ATOMIC_RELEASE); }
  // Nothing comes, however often the device turns.
  void Held(Cq &cq) {
    hca.Settle();
    EXPECT_TRUE(cq.Empty());
  }
  Hca hca;
  Cq acq{hca}, bcq{hca}, ccq{hca};
  Qp a, b, c;
  alignas(64) uint64_t word[8] = {};
  uint32_t key;
};

TEST(WaitCq, HoldsTheQueueUntilTheCountIsReached) {
  World w;
  w.a.Put(w.Wait(3));
  w.a.Post(Wqe(MLX5_OPCODE_NOP));
  w.Complete(2);
  w.Held(w.acq);
  w.Complete();
  EXPECT_EQ(0, be16toh(w.acq.Wait().wqe_counter));
  EXPECT_EQ(1, be16toh(w.acq.Wait().wqe_counter));
  EXPECT_STREQ("", softhca_referee_last(w.hca.dev));
}

TEST(WaitCq, WhatIsReachedAlreadyHoldsNothing) {
  World w;
  w.Complete(5);
  for (uint32_t index : {0u, 1u, 5u}) {
    w.a.Post(w.Wait(index));
    w.acq.Wait();
  }
  w.a.Post(w.Wait(6));
  w.Held(w.acq);
}

// The index has 24 bits and wraps: "reached" is meant in arithmetic that wraps as well.
TEST(WaitCq, TheIndexWraps) {
  World w;
  w.bcq.cq->produced = 0xfffffe;
  w.a.Post(w.Wait(1));
  w.Complete(2);
  w.Held(w.acq);
  w.Complete();
  w.acq.Wait();
}

TEST(WaitCq, EarlierRequestsAreNotHeld) {
  World w;
  uint8_t dst[8];
  w.c.PostRecv(dst, 8, w.hca.Mr(dst, 8));
  w.a.Put(Wqe(MLX5_OPCODE_SEND).Inline("x"));
  w.a.Post(w.Wait(1));
  EXPECT_EQ(0, be16toh(w.acq.Wait().wqe_counter));
  w.Held(w.acq);
  w.Complete();
  EXPECT_EQ(1, be16toh(w.acq.Wait().wqe_counter));
}

// A chain through three queues, each waiting for the one before.
TEST(WaitCq, Chains) {
  World w;
  Qp d(w.hca, w.ccq);
  World::Loop(d);
  d.Put(World::WaitFor(w.acq.cqn, 1));
  d.Post(Wqe(MLX5_OPCODE_NOP, 0, 0));
  w.a.Post(w.Wait(1));
  w.Held(w.acq);
  w.Held(w.ccq);
  w.Complete();
  w.acq.Wait();
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.ccq.Wait()));
}

TEST(WaitCq, ManyWaitForOne) {
  World w;
  std::vector<std::unique_ptr<Qp>> qps;
  for (uint32_t i = 0; i < 20; i++) {
    qps.push_back(std::make_unique<Qp>(w.hca, w.ccq));
    World::Loop(*qps.back());
    qps.back()->Post(w.Wait(i % 4 + 1));
  }
  for (int round = 0; round < 4; round++) {
    w.Complete();
    for (int i = 0; i < 5; i++)
      w.ccq.Wait();
    w.Held(w.ccq);
  }
}

TEST(WaitCq, AnUnknownQueueIsAnError) {
  World w;
  w.a.Post(World::WaitFor(0xabcde, 1));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.acq.WaitErr().syndrome);
  EXPECT_EQ(1u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_VALUE));
}

// Nobody will ever reach the index.
TEST(WaitCq, DestroyingTheQueueWaitedForEndsTheWait) {
  World w;
  auto other = std::make_unique<Cq>(w.hca);
  w.a.Post(World::WaitFor(other->cqn, 1));
  w.Held(w.acq);
  other.reset();
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.acq.WaitErr().syndrome);
}

TEST(WaitCq, ResetForgetsTheWait) {
  World w;
  w.a.Post(w.Wait(1));
  w.Held(w.acq);
  ASSERT_EQ(0, w.a.To(IBV_QPS_RESET));
  w.Complete();
  w.Held(w.acq);
  EXPECT_EQ(nullptr, w.hca.dev->waiting);
  w.a.sq_pi = 0;
  w.a.db[1] = 0;
  ASSERT_EQ(0, w.c.To(IBV_QPS_RESET));
  Connect(w.a, w.c);
  w.a.Post(Wqe(MLX5_OPCODE_NOP));
  EXPECT_EQ(0, be16toh(w.acq.Wait().wqe_counter));
}

TEST(WaitCq, AnErrorFlushesTheWait) {
  World w;
  w.a.Put(w.Wait(1));
  w.a.Post(Wqe(MLX5_OPCODE_NOP));
  w.Held(w.acq);
  ASSERT_EQ(0, w.a.To(IBV_QPS_ERR));
  for (int i = 0; i < 2; i++) {
    mlx5_err_cqe err = w.acq.WaitErr();
    EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, err.syndrome);
    EXPECT_EQ(i, be16toh(err.wqe_counter));
  }
  w.Complete();
  w.Held(w.acq);
}

TEST(WaitCq, DestroyingTheWaiterLeavesNothing) {
  World w;
  {
    Qp d(w.hca, w.ccq);
    World::Loop(d);
    d.Post(w.Wait(1));
    w.Held(w.ccq);
    EXPECT_NE(nullptr, w.hca.dev->waiting);
  }
  EXPECT_EQ(nullptr, w.hca.dev->waiting);
  w.Complete();
}

// ---- data ----

struct Comparison {
  const char *name;
  uint32_t operation;
  uint64_t held, goes; // words, compared with 100 in the lower 16 bits
};

constexpr Comparison kComparisons[] = {
    {"Equal", SEGUE_WAIT_COND_EQUAL, 99, 100},
    {"EqualInTheMaskedBits", SEGUE_WAIT_COND_EQUAL, 0x10063, 0x70064},
    {"NotEqual", 1u << 4 | SEGUE_WAIT_COND_EQUAL, 100, 101},
    {"Bigger", SEGUE_WAIT_COND_BIGGER, 100, 101},
    {"BiggerThoughFarAway", SEGUE_WAIT_COND_BIGGER, 0, 0xffff},
    {"NotBigger", 1u << 4 | SEGUE_WAIT_COND_BIGGER, 101, 100},
    {"Smaller", SEGUE_WAIT_COND_SMALLER, 100, 99},
    {"CyclicBigger", SEGUE_WAIT_COND_CYCLIC_BIGGER, 100, 101},
    {"CyclicBiggerHeldByWhatIsBehind", SEGUE_WAIT_COND_CYCLIC_BIGGER, 0xffff, 0x8063},
    {"CyclicSmaller", SEGUE_WAIT_COND_CYCLIC_SMALLER, 100, 0xffff},
};

class WaitData : public ::testing::TestWithParam<Comparison> {};

TEST_P(WaitData, Compares) {
  const Comparison &c = GetParam();
  World w;
  w.Put(c.held);
  w.a.Put(w.WaitData(c.operation, 0x20000 | 100, 0xffff));
  w.a.Post(Wqe(MLX5_OPCODE_NOP));
  w.Held(w.acq);
  w.Put(c.goes);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
  EXPECT_STREQ("", softhca_referee_last(w.hca.dev));
}

INSTANTIATE_TEST_SUITE_P(All, WaitData, ::testing::ValuesIn(kComparisons),
                         [](const ::testing::TestParamInfo<Comparison> &info) {
                           return std::string(info.param.name);
                         });

TEST(WaitDataAction, GivesUpWithAnErrorIfAskedTo) {
  World w;
  w.a.Post(w.WaitData(SEGUE_WAIT_COND_EQUAL, 1, ~UINT64_C(0), SEGUE_WAIT_FAIL_ACTION_SEND_ERR_CQE));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.acq.WaitErr().syndrome);
}

TEST(WaitDataKey, MustReachTheWord) {
  World w;
  w.key ^= 0x5500;
  w.a.Post(w.WaitData(SEGUE_WAIT_COND_EQUAL, 1));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, w.acq.WaitErr().syndrome);
}

// The key goes away while the queue waits.
TEST(WaitDataKey, ThatIsDestroyedEndsTheWait) {
  World w;
  softhca_mkey *mr = w.hca.MrObject(w.word, sizeof(w.word));
  w.key = softhca_mkey_key(mr);
  w.a.Post(w.WaitData(SEGUE_WAIT_COND_EQUAL, 1));
  w.Held(w.acq);
  softhca_mkey_destroy(mr);
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, w.acq.WaitErr().syndrome);
}

// The peer's RDMA WRITE lets it go.
TEST(WaitDataPeer, StartsPreparedWork) {
  World w;
  uint64_t one = htobe64(1);
  w.a.Post(w.WaitData(SEGUE_WAIT_COND_EQUAL, 1));
  w.Held(w.acq);
  w.b.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.word, w.key).Data(&one, 8, w.hca.Mr(&one, 8)));
  w.acq.Wait();
}

// ---- time ----

Wqe WaitTime(uint64_t value, uint32_t operation = SEGUE_WAIT_COND_CYCLIC_SMALLER,
             uint64_t mask = ~UINT64_C(0)) {
  return Wqe(SEGUE_OPCODE_WAIT, SEGUE_OPMOD_WAIT_TIME)
      .Words32({operation, 0, 0, 0})
      .Words64({value, mask});
}

TEST(WaitTimeClock, HoldsUntilTheMomentAndNotLonger) {
  World w;
  const uint64_t when = softhca_dev_clock(w.hca.dev) + 20000000;
  w.a.Put(WaitTime(when));
  w.a.Post(Wqe(MLX5_OPCODE_NOP));
  softhca_poll_all(false, nullptr);
  uint64_t next = 0;
  if (softhca_poll_all(false, &next) == 0 && softhca_dev_clock(w.hca.dev) < when) {
    EXPECT_LE(next, when + 1 - softhca_dev_clock(w.hca.dev) + softhca_now_ns() + 1000000)
        << "the thread's alarm";
  }
  mlx5_cqe64 cqe = w.acq.Wait();
  EXPECT_LT(when, be64toh(cqe.timestamp));
  w.acq.Wait();
}

TEST(WaitTimeClock, ThePastHoldsNothing) {
  World w;
  w.a.Post(WaitTime(softhca_dev_clock(w.hca.dev) - 1));
  w.acq.Wait();
  // In the lower 32 bits only.
  w.a.Post(WaitTime((softhca_dev_clock(w.hca.dev) - 1000) & 0xffffffff,
                    SEGUE_WAIT_COND_CYCLIC_SMALLER, 0xffffffff));
  w.acq.Wait();
}

TEST(WaitTimeClock, AnUnknownComparisonIsAnError) {
  World w;
  w.a.Post(WaitTime(0, 9));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.acq.WaitErr().syndrome);
}

// ---- the device thread ----

uint64_t ProcessorNs() {
  timespec t{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<uint64_t>(t.tv_sec) * 1000000000 + static_cast<uint64_t>(t.tv_nsec);
}

uint8_t OpOwn(Cq &cq) { return __atomic_load_n(&cq.buf[63], __ATOMIC_ACQUIRE) >> 4; }

// In trap mode nothing but the thread looks at memory; it must neither sleep for ever nor spin.
TEST(WaitThread, SeesMemoryAndTimeWithoutSpinning) {
  World w;
  softhca_lock();
  w.hca.Settle();
  w.a.Put(w.WaitData(SEGUE_WAIT_COND_EQUAL, 1));
  w.a.Put(WaitTime(0)); // always in the past
  w.a.Ring();
  softhca_uar_set_trapped(w.hca.uar, true);
  softhca_uar_scan(w.hca.uar);
  softhca_unlock();
  ASSERT_EQ(0, softhca_thread_start(true));
  usleep(300000);
  const uint64_t before = ProcessorNs();
  usleep(300000);
  EXPECT_GT(UINT64_C(150000000), ProcessorNs() - before) << "the thread spins";
  EXPECT_EQ(MLX5_CQE_INVALID, OpOwn(w.acq));
  w.Put(1);
  for (int i = 0; i < 60000 && OpOwn(w.acq) == MLX5_CQE_INVALID; i++)
    usleep(1000);
  EXPECT_EQ(MLX5_CQE_REQ, OpOwn(w.acq));
  softhca_thread_stop();
}

// ---- SEND_EN ----

TEST(SendEnable, ReleasesUpToAnIndexAndNothingElseDoes) {
  World w(true, true);
  for (int i = 0; i < 3; i++)
    w.b.Put(Wqe(MLX5_OPCODE_NOP));
  w.b.Ring(); // a managed queue does not listen
  w.Held(w.bcq);
  w.a.Post(w.Enable(w.b.qpn, 2));
  w.acq.Wait();
  EXPECT_EQ(0, be16toh(w.bcq.Wait().wqe_counter));
  EXPECT_EQ(1, be16toh(w.bcq.Wait().wqe_counter));
  w.Held(w.bcq);
  w.a.Post(w.Enable(w.b.qpn, 1)); // behind: no news
  w.acq.Wait();
  w.Held(w.bcq);
  w.a.Post(w.Enable(w.b.qpn, 3));
  EXPECT_EQ(2, be16toh(w.bcq.Wait().wqe_counter));
  EXPECT_STREQ("", softhca_referee_last(w.hca.dev));
}

// WAIT and SEND_EN together: what DPDK does to pace packets.
TEST(SendEnable, BehindAWaitForTheReleasedQueue) {
  World w(true, true);
  for (int i = 0; i < 40; i++)
    w.b.Put(Wqe(MLX5_OPCODE_NOP));
  for (uint16_t i = 1; i <= 20; i++) {
    w.a.Put(w.Enable(w.b.qpn, static_cast<uint16_t>(2 * i)));
    w.a.Put(w.Wait(2u * i));
  }
  w.a.Ring();
  for (int i = 0; i < 40; i++) {
    EXPECT_EQ(i, be16toh(w.bcq.Wait().wqe_counter));
    EXPECT_EQ(i, be16toh(w.acq.Wait().wqe_counter));
  }
}

TEST(SendEnable, BeforeTheQueueMaySendIsKept) {
  World w(true, true);
  Qp d(w.hca, w.ccq, World::Options(false, true));
  d.Put(Wqe(MLX5_OPCODE_NOP));
  w.a.Post(w.Enable(d.qpn, 1));
  w.acq.Wait();
  w.Held(w.ccq);
  World::Loop(d);
  EXPECT_EQ(0, be16toh(w.ccq.Wait().wqe_counter));
}

TEST(SendEnable, BeyondTheRingIsOverwriting) {
  World w(true, true);
  w.a.Post(w.Enable(w.b.qpn, 100));
  EXPECT_TRUE(w.hca.Run([&] { return w.hca.Count(IBV_EVENT_QP_FATAL) == 1; }));
  EXPECT_EQ(1u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_OVERWRITTEN));
}

// A record ahead of the doorbells is how a managed queue looks all the time.
TEST(SendEnable, TheRecordOfAManagedQueueIsNobodysBusiness) {
  World w(true, true);
  w.b.Put(Wqe(MLX5_OPCODE_NOP));
  w.b.db[1] = htobe32(w.b.sq_pi);
  for (uint64_t now = 1; now < 10; now++)
    softhca_referee_scan(w.hca.dev, now * 1000000000);
  EXPECT_EQ(0u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL));
}

} // namespace
