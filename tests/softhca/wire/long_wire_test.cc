// SPDX-License-Identifier: BSD-2-Clause
// How fast, and with how many packets, a connection to another host carries data over a wire that
// is long, slow or lossy. The wire is a model in virtual time, so a busy machine changes no figure.
// bad_wire.sh has the same wires between real hosts.
#include "transport_harness.h"

#include <algorithm>
#include <cstdio>
#include <ostream>
#include <tuple>

#include "gtest/gtest.h"
#include "tests/seed/dice.h"
#include "tests/seed/seed.h"
extern "C" {
#include "tools/softhca/engine/fault/fault.h"
}

namespace {

using namespace harness;

constexpr uint32_t kPiece = 65536, kPieces = 31, kDepth = 16, kMtu = 1024;
constexpr uint64_t kMs = 1000000;

struct Wire {
  const char *name;
  uint64_t delay_ns;
  uint64_t ns_per_byte;
  double loss;
  double most;    // packets sent for each that is needed
  double slowest; // how many times as long as READ it may take

  friend void PrintTo(const Wire &w, std::ostream *out) { *out << w.name; }
};

// The wire between the two devices, in each direction.
struct Model {
  Wire wire;
  SplitMix64 dice{segue_test_seed()};
  std::map<uint32_t, uint64_t> free_at; // by receiver

  softhca_fault_verdict Pass(uint32_t len, uint32_t dst_ip) {
    softhca_fault_verdict v = {};
    if (static_cast<double>(dice() >> 11) * 0x1p-53 < wire.loss) {
      v.kind = SOFTHCA_FAULT_DROP;
      return v;
    }
    uint64_t &free = free_at[dst_ip];
    free = std::max(free, Now()) + len * wire.ns_per_byte;
    v.kind = SOFTHCA_FAULT_DELAY;
    v.delay_ns = free - Now() + wire.delay_ns;
    return v;
  }
};

Model *model;

} // namespace

// The linker puts them in place of the functions that they are named after.
extern "C" {
bool __wrap_softhca_wire_far(struct softhca_wire *, uint32_t) { return true; }
bool __wrap_softhca_wire_has_hosts(void) { return true; }
bool __wrap_softhca_fault_packets_on(void) { return model != nullptr; }
struct softhca_fault_verdict __wrap_softhca_fault_packet(const uint8_t *, uint32_t len,
                                                         uint32_t dst_ip) {
  return model->Pass(len, dst_ip);
}
}

namespace {

struct Figures {
  double mb_per_s, ratio;
};

class Far : public testing::TestWithParam<std::tuple<enum softhca_link, Wire>> {
protected:
  Far() : a_(std::get<0>(GetParam())), b_(std::get<0>(GetParam())) {
    model_.wire = std::get<1>(GetParam());
    model = &model_;
    Attr attr;
    attr.timeout = 18;
    qa_ = a_.NewQp(SOFTHCA_QP_RC);
    qb_ = b_.NewQp(SOFTHCA_QP_RC);
    Connect(qa_, qb_, attr);
    here_.resize(kPiece * kPieces);
    there_.resize(kPiece * kPieces);
    lkey_ = a_.AddRegion(here_.data(), here_.size());
    rkey_ = b_.AddRegion(there_.data(), there_.size());
  }
  ~Far() override { model = nullptr; }

  void PostPiece(enum softhca_kind kind, uint32_t i) {
    auto m = NewMessage(kind, i, here_.data() + i * kPiece, kPiece);
    m->u.span[0].lkey = lkey_;
    m->raddr = reinterpret_cast<uint64_t>(there_.data()) + i * kPiece;
    m->rkey = rkey_;
    Post(qa_, std::move(m));
    Kick(qa_);
  }

  static void Fill(std::vector<uint8_t> *bytes, unsigned salt) {
    for (size_t i = 0; i < bytes->size(); i++)
      (*bytes)[i] = static_cast<uint8_t>(i * 7 + (i >> 10) * 13 + salt);
  }

  // All pieces, so many at a time.
  void CarryOnce(enum softhca_kind kind) {
    uint32_t posted = 0, done = 0;
    for (uint32_t i = 0; kind == SOFTHCA_MSG_SEND && i < kPieces; i++)
      PostRecv(qb_, i, there_.data() + i * kPiece, kPiece);
    while (done < kPieces) {
      if (posted < kPieces && posted - done < kDepth) {
        PostPiece(kind, posted++);
        continue;
      }
      EXPECT_TRUE(RunUntil([&] { return !qa_->send_cq.empty(); }, 100000000));
      if (qa_->send_cq.empty() || qa_->send_cq.front().syndrome) {
        ADD_FAILURE() << "piece " << done << " failed";
        return;
      }
      qa_->send_cq.pop_front();
      done++;
    }
  }

  // Several times on a lossy wire, because a few lost packets more or fewer make a difference.
  Figures Carry(enum softhca_kind kind) {
    const bool read = kind == SOFTHCA_MSG_READ;
    const unsigned rounds = model_.wire.loss > 0 ? 4 : 1;
    const Device &sender = read ? b_ : a_;
    const uint64_t start = Now(), before = Sent(sender);
    for (unsigned round = 0; round < rounds && !HasFailure(); round++) {
      Fill(&here_, round * 2);
      Fill(&there_, round * 2 + 1);
      const auto source = read ? there_ : here_;
      CarryOnce(kind);
      EXPECT_TRUE((read ? here_ : there_) == source);
    }
    const double bytes = double{kPiece} * kPieces * rounds;
    return {bytes * 1e3 / static_cast<double>(Now() - start),
            static_cast<double>(Sent(sender) - before) * kMtu / bytes};
  }

  static uint64_t Sent(const Device &d) {
    return softhca_wire_stats(static_cast<const softhca_wire *>(d.dev.port[1].wire))->tx_packets;
  }

  Device a_, b_;
  Qp *qa_, *qb_;
  uint32_t lkey_, rkey_;
  std::vector<uint8_t> here_, there_;
  Model model_{};
};

TEST_P(Far, WriteAndSendAreAsFastAsRead) {
  const Wire &wire = std::get<1>(GetParam());
  const Figures write = Carry(SOFTHCA_MSG_WRITE), send = Carry(SOFTHCA_MSG_SEND),
                read = Carry(SOFTHCA_MSG_READ);
  printf("%s: WRITE %.3f MB/s %.3f, SEND %.3f MB/s %.3f, READ %.3f MB/s %.3f\n", wire.name,
         write.mb_per_s, write.ratio, send.mb_per_s, send.ratio, read.mb_per_s, read.ratio);
  for (const Figures &f : {write, send}) {
    EXPECT_GE(f.mb_per_s * wire.slowest, read.mb_per_s);
    EXPECT_LE(f.ratio, wire.most);
  }
  // A READ asks again for all of a chunk.
  EXPECT_LE(read.ratio, wire.loss > 0 ? wire.most + 0.3 : wire.most);
}

// Without loss nothing is sent twice.
const Wire kWires[] = {
    {"1 ms", kMs / 2, 0, 0, 1, 1.2},
    {"10 ms", 5 * kMs, 0, 0, 1, 1.2},
    {"50 ms", 25 * kMs, 0, 0, 1, 1.2},
    {"1 ms, 1 % lost", kMs / 2, 0, 0.01, 1.5, 2},
    {"10 ms, 1 % lost", 5 * kMs, 0, 0.01, 1.5, 2},
    {"50 ms, 1 % lost", 25 * kMs, 0, 0.01, 1.5, 2},
    {"20 Mbit/s", kMs / 2, 400, 0, 1, 1.2},
    {"20 Mbit/s, 1 % lost", kMs / 2, 400, 0.01, 1.5, 2},
};
INSTANTIATE_TEST_SUITE_P(All, Far,
                         testing::Combine(testing::Values(SOFTHCA_LINK_IB, SOFTHCA_LINK_ROCE),
                                          testing::ValuesIn(kWires)));

} // namespace
