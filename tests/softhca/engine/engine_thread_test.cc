/* SPDX-License-Identifier: BSD-2-Clause */
// The device thread against posting threads; meant for ThreadSanitizer too.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <poll.h>
#include <sched.h>

#include "tests/softhca/engine/engine_fixture.h"

extern "C" {
#include "tools/softhca/engine/thread/thread.h"
}

namespace {

using namespace eng;

// What a driver does before it rings: stores must be visible in program order.
// An exchange, because ThreadSanitizer does not know fences.
void Fence() {
  static std::atomic<int> fence;
  fence.exchange(0);
}

struct Pair {
  explicit Pair(Hca &hca) : acq(hca, 256), bcq(hca, 256), a(hca, acq), b(hca, bcq) {
    Connect(a, b);
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
  }
  // Batches of 16 writes, the last one signaled.
  void Run(int batches) {
    for (int i = 0; i < batches; i++) {
      for (int k = 0; k < 16; k++)
        a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, k == 15 ? MLX5_WQE_CTRL_CQ_UPDATE : 0)
                  .Raddr(dst + k * 8, dkey)
                  .Data(src + k * 8, 8, skey));
      Fence();
      a.Ring();
      uint64_t end = softhca_now_ns() + UINT64_C(20000000000);
      for (int empty = 1; !acq.Poll(); empty++) {
        ASSERT_LT(softhca_now_ns(), end) << "batch " << i << ": a doorbell was lost";
        Fence();
        if (empty % 64 == 0)
          sched_yield(); // the device needs a processor, too
      }
    }
  }
  Cq acq, bcq;
  Qp a, b;
  alignas(8) uint8_t src[128] = {}, dst[128] = {};
  uint32_t skey, dkey;
};

TEST(DeviceThread, NoDoorbellIsLostWhenThreadsShareAPage) {
  Hca hca;
  Pair one(hca), two(hca); // one doorbell page: they overwrite each other's doorbells
  ASSERT_EQ(0, softhca_thread_start(false));
  std::thread t1([&] { one.Run(2000); }), t2([&] { two.Run(2000); });
  t1.join();
  t2.join();
  softhca_thread_stop();
}

// Nobody says which page was rung: the device finds it, and then keeps looking there, also while
// pages come and go.
TEST(DeviceThread, ADoorbellAmongThousandsOfPagesIsFound) {
  constexpr size_t kPages = 3000, kSize = 4096;
  Hca hca;
  Pair pair(hca);
  std::unique_ptr<uint8_t, void (*)(void *)> memory(
      static_cast<uint8_t *>(aligned_alloc(kSize, kPages * kSize)), free);
  std::vector<softhca_uar *> pages(kPages);
  memset(memory.get(), 0, kPages * kSize);
  uint32_t id;
  for (size_t i = 0; i < kPages; i++)
    ASSERT_EQ(0, softhca_uar_create(hca.dev, memory.get() + i * kSize, &pages[i], &id));
  ASSERT_EQ(0, softhca_thread_start(false));
  for (size_t gone = 0; gone < kPages; gone += 300) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    pair.Run(20);
    softhca_lock();
    for (size_t i = gone; i < gone + 300; i++)
      EXPECT_EQ(0, softhca_uar_destroy(pages[i]));
    softhca_unlock();
  }
  softhca_thread_stop();
}

TEST(DeviceThread, StartAndStopManyTimes) {
  Hca hca;
  Pair pair(hca);
  for (int i = 0; i < 50; i++) {
    ASSERT_EQ(0, softhca_thread_start(false));
    ASSERT_EQ(0, softhca_thread_start(false)) << "twice is once";
    pair.Run(1);
    softhca_thread_stop();
  }
}

TEST(DeviceThread, CommandsWhileItRuns) {
  Hca hca;
  Pair pair(hca);
  ASSERT_EQ(0, softhca_thread_start(false));
  std::atomic<bool> stop{false};
  std::thread commands([&] {
    uint8_t buf[64];
    while (!stop) {
      softhca_lock();
      softhca_mkey *mr = nullptr;
      uint64_t va = reinterpret_cast<uintptr_t>(buf);
      EXPECT_EQ(0, softhca_mr_create(hca.pd, va, sizeof(buf), va, 0, &mr));
      EXPECT_EQ(0, softhca_mkey_destroy(mr));
      softhca_unlock();
      softhca_thread_kick();
    }
  });
  pair.Run(500);
  stop = true;
  commands.join();
  softhca_thread_stop();
}

// Polls with the device thread running beside.
uint64_t Reports(Hca &hca) {
  softhca_lock();
  uint64_t n = softhca_referee_count(hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL);
  softhca_unlock();
  return n;
}

bool Reported(Hca &hca) {
  uint64_t end = softhca_now_ns() + UINT64_C(60000000000);
  while (softhca_now_ns() < end) {
    if (Reports(hca))
      return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return false;
}

TEST(DeviceThread, AForgottenDoorbellIsReportedWhateverOtherThreadsDo) {
  Hca hca;
  Pair pair(hca);
  std::atomic<bool> stop{false};
  std::thread spins([&] {
    while (!stop)
      Fence();
  });
  std::thread sleeps([&] {
    while (!stop)
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  ASSERT_EQ(0, softhca_thread_start(false));
  pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  Fence();
  pair.a.db[1] = htobe32(pair.a.sq_pi);
  EXPECT_TRUE(Reported(hca));
  stop = true;
  spins.join();
  sleeps.join();
  softhca_thread_stop();
}

TEST(DeviceThread, ADoorbellBeingStoredIsNotForgotten) {
  Hca hca;
  Pair pair(hca);
  ASSERT_EQ(0, softhca_thread_start(false));
  softhca_uar_store_begins(hca.uar, 0x800); // as trap mode does, while the store is under way
  pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  Fence();
  pair.a.db[1] = htobe32(pair.a.sq_pi);
  std::this_thread::sleep_for(std::chrono::milliseconds(700));
  EXPECT_EQ(0u, Reports(hca)) << "the thread may still be inside of the store";
  softhca_lock();
  softhca_uar_store_ends(hca.uar);
  softhca_unlock();
  EXPECT_TRUE(Reported(hca)) << "now nothing will ring any more";
  softhca_thread_stop();
}

// How often the device thread has gone to sleep so far.
uint64_t Naps() {
  uint64_t naps = 0;
  for (const auto &task : std::filesystem::directory_iterator("/proc/self/task")) {
    std::ifstream status(task.path() / "status");
    const std::string name = "Name:\tsofthca", count = "voluntary_ctxt_switches:";
    bool ours = false;
    for (std::string line; std::getline(status, line);) {
      ours |= line == name;
      if (ours && line.compare(0, count.size(), count) == 0)
        naps += std::stoull(line.substr(count.size()));
    }
  }
  return naps;
}

// A program that sleeps costs the machine hardly anything: a look at doorbells now and then, and
// where those are told of, at what rings none.
TEST(DeviceThread, SleepsAsLongAsTheProgram) {
  for (bool told : {false, true}) {
    Hca hca;
    softhca_uar_set_trapped(hca.uar, told);
    ASSERT_EQ(0, softhca_thread_start(told));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const uint64_t start = softhca_now_ns(), before = Naps();
    std::this_thread::sleep_for(std::chrono::milliseconds(1000));
    const uint64_t naps = Naps() - before, ms = (softhca_now_ns() - start) / 1000000;
    softhca_thread_stop();
    EXPECT_GT(naps, 0u);
    EXPECT_LT(naps * 1000 / ms, told ? 20u : 120u) << (told ? "told" : "looking") << ", a second";
  }
}

// For a while after the program has said something its next word costs no system call: it wakes up
// nobody who will look soon.
TEST(DeviceThread, NapsLightlyWhileTheProgramSaysSomething) {
  Hca hca;
  softhca_uar_set_trapped(hca.uar, true);
  const auto deep = [] {
    softhca_lock();
    const bool is = the_thread.deep;
    softhca_unlock();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    return is;
  };
  ASSERT_EQ(0, softhca_thread_start(true));
  uint64_t start = softhca_now_ns();
  while (!deep())
    ASSERT_LT(softhca_now_ns() - start, UINT64_C(20000000000));
  start = softhca_now_ns();
  softhca_lock();
  softhca_thread_told();
  softhca_unlock();
  for (bool is = deep(); softhca_now_ns() - start < UINT64_C(80000000); is = deep())
    ASSERT_FALSE(is) << (softhca_now_ns() - start) / 1000 << " microseconds later";
  while (!deep())
    ASSERT_LT(softhca_now_ns() - start, UINT64_C(20000000000));
  softhca_thread_stop();
}

// Two on one processor: who waits looks some times in a row whether a processor has nothing to do,
// ever more seldom where there is none. Milliseconds until it is readable; -1: not within a second.
int64_t ReadableAfter(int fd) {
  const uint64_t start = softhca_now_ns();
  pollfd alarm{fd, POLLIN, 0};
  return poll(&alarm, 1, 1000) == 1 ? static_cast<int64_t>(softhca_now_ns() - start) / 1000000 : -1;
}

TEST(Alarm, GoesOffOnceAndIsSetAgainByWhoAsksAfterThat) {
  const uint64_t start = softhca_now_ns();
  const int fd = softhca_alarm(start, 20000000);
  ASSERT_GE(fd, 0);
  EXPECT_EQ(fd, softhca_alarm(start + 1000, 900000000)) << "it is set, and goes off before that";
  EXPECT_GE(ReadableAfter(fd), 10);
  EXPECT_EQ(ReadableAfter(fd), 0) << "nobody has asked again";
  EXPECT_EQ(fd, softhca_alarm(softhca_now_ns(), 20000000));
  EXPECT_GE(ReadableAfter(fd), 10);
}

// Who rings without a word waits for a few microseconds while he is busy, else for a tenth of his
// own silence, at most ten milliseconds.
TEST(Nap, DelaysASilentDoorbellByATenthOfTheSilence) {
  constexpr uint64_t kUs = 1000, kMs = 1000 * kUs;
  for (uint64_t idle = 0; idle < 2 * kMs; idle += 10 * kUs) {
    EXPECT_LE(softhca_nap_ns(idle, false), 5 * kUs) << idle;
    EXPECT_LE(softhca_nap_ns(idle, true), 20 * kUs) << idle;
    EXPECT_GT(softhca_nap_ns(idle, true), softhca_nap_ns(idle, false))
        << "the processor is left to who rings next";
  }
  for (uint64_t idle = 2 * kMs; idle < 1000 * kMs; idle += kMs / 4) {
    EXPECT_LE(softhca_nap_ns(idle, false), idle / 10) << idle;
    EXPECT_LE(softhca_nap_ns(idle, false), 10 * kMs) << idle;
    // 5000 looks a second took a tenth of a processor for each process that slept, 850 still 4 %.
    EXPECT_GE(softhca_nap_ns(idle, false), std::min(idle / 20, 10 * kMs)) << idle;
  }
}

TEST(Apart, MovesWhenAProcessorIsFreeAndOnlyThen) {
  softhca_apart apart{};
  uint64_t now = UINT64_C(1000000000), pause = 0;
  auto looks = [&](unsigned runnable, unsigned processors) {
    now = apart.next_ns > now ? apart.next_ns : now;
    return softhca_apart_now(&apart, now, runnable, processors);
  };
  for (int i = 0; i < 8; i++) {
    EXPECT_FALSE(looks(3, 2)) << "somebody computes on the other one";
    EXPECT_GE(apart.next_ns - now, pause);
    pause = apart.next_ns - now;
  }
  EXPECT_LE(pause, UINT64_C(1000000000)) << "a processor may become free";
  EXPECT_FALSE(looks(1, 1)) << "there is no other";
  for (int again = 0; again < 3; again++) {
    int tries = 0;
    while (!looks(2, 2))
      ASSERT_LT(++tries, 10);
    EXPECT_EQ(tries, 3) << "one look is no proof, the fourth is one";
    EXPECT_GT(apart.next_ns - now, UINT64_C(1000000));
  }
  EXPECT_FALSE(looks(2, 2));
  EXPECT_FALSE(looks(3, 2));
  EXPECT_FALSE(looks(2, 2)) << "the looks must be in a row";
}

TEST(Apart, AThreadThatMovesMayRunWhereItMightBefore) {
  cpu_set_t before, after;
  bool elsewhere = false;
  ASSERT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
  const bool others = CPU_COUNT(&before) > 1;
  for (int i = 0; i < 100 && elsewhere != others; i++) { // it may be moved back before we look
    const int cpu = sched_getcpu();
    EXPECT_EQ(others, softhca_apart_move());
    elsewhere = sched_getcpu() != cpu;
    ASSERT_EQ(0, sched_getaffinity(0, sizeof(after), &after));
    ASSERT_TRUE(CPU_EQUAL(&before, &after));
  }
  EXPECT_EQ(others, elsewhere);
}

} // namespace
