/* SPDX-License-Identifier: BSD-2-Clause */
// A million operations of every kind over a wire that drops, duplicates, delays,
// reorders and corrupts 1 % of the packets each: every byte right, every
// completion exactly once and in order. Virtual time; the seed is printed, and the
// same seed gives the same run. SOAK_OPS, SEGUE_TEST_SEED, SOAK_SOCKETS=1 or SOAK_RINGS=1,
// SOAK_PCAP in the environment.
#include "transport_harness.h"

#include <cstdlib>
#include <cstring>
#include <random>

#include "gtest/gtest.h"
#include "tests/seed/seed.h"
extern "C" {
#include "tools/softhca/engine/wire/pcap.h"
}

namespace {

using namespace harness;

const uint32_t kSlots = 64, kSlotSize = 163840;

uint64_t FromEnv(const char *name, uint64_t otherwise) {
  const char *s = getenv(name);
  return s ? strtoull(s, nullptr, 0) : otherwise;
}

// Bytes that depend on the operation and on the position.
void Fill(uint8_t *p, uint32_t len, uint64_t id) {
  uint64_t x = (id + 1) * 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < len; i += 8) {
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    memcpy(p + i, &x, len - i < 8 ? len - i : 8);
  }
}

struct Op {
  enum Kind { kSend, kSendImm, kWrite, kWriteImm, kRead, kAdd, kCas, kKinds } kind;
  uint32_t len;
  uint64_t expect; // atomics: the value that must come back
};

class Soak {
 public:
  Soak(enum softhca_qp_type type, uint64_t seed) : rng_(seed), type_(type) {
    a_ = std::make_unique<Device>();
    b_ = std::make_unique<Device>();
    qa_ = a_->NewQp(type);
    qb_ = b_->NewQp(type == SOFTHCA_QP_XRC_INI ? SOFTHCA_QP_XRC_TGT
                    : type == SOFTHCA_QP_DCI   ? SOFTHCA_QP_DCT
                                               : type);
    Attr attr;
    attr.psn = (static_cast<uint32_t>(rng_()) & 0xffffff) | 0xf00000; // so that it wraps
    Connect(qa_, qb_, attr);
    if (type == SOFTHCA_QP_XRC_INI)
      srqn_ = 5;
    local_.resize(kSlots * kSlotSize);
    remote_.resize(kSlots * kSlotSize);
    recv_.resize(kSlots * kSlotSize);
    fixed_.resize(kSlotSize * 2);
    Fill(fixed_.data(), kSlotSize * 2, ~0ull);
    lkey_ = a_->AddRegion(local_.data(), local_.size());
    write_key_ = b_->AddRegion(remote_.data(), remote_.size());
    read_key_ = b_->AddRegion(fixed_.data(), fixed_.size());
    cell_key_ = b_->AddRegion(cells_, sizeof(cells_));
    ops_.resize(kSlots);
    qa_->on_complete = [this](const Completion &c) { OnComplete(c); };
  }

  void Run(uint64_t count) {
    uint64_t last_progress = 0, idle_turns = 0;
    while (done_ < count && !testing::Test::HasFailure()) {
      const bool starve = rng_() % 4096 == 0;
      while (!starve && recv_posted_ - recv_done_ < kSlots - 1) {
        PostRecv(qb_, recv_posted_, recv_.data() + recv_posted_ % kSlots * kSlotSize, kSlotSize,
                 srqn_);
        recv_posted_++;
      }
      const uint64_t batch = rng_() % 17;
      for (uint64_t i = 0; i < batch && next_ < count && next_ - done_ < kSlots; i++)
        PostOne();
      Kick(qa_);
      Turn();
      CheckReceives();
      idle_turns = done_ == last_progress ? idle_turns + 1 : 0;
      last_progress = done_;
      ASSERT_LT(idle_turns, 1000000u) << "no progress after " << done_ << " operations";
    }
    ASSERT_EQ(done_, count);
    EXPECT_EQ(qa_->double_completions, 0u);
    EXPECT_EQ(recv_done_, recv_expected_);
    EXPECT_EQ(cells_[0], added_);
  }

 private:
  void PostOne() {
    const uint64_t id = next_++;
    const uint32_t slot = static_cast<uint32_t>(id % kSlots);
    Op &op = ops_[slot];
    uint8_t *local = local_.data() + slot * kSlotSize;
    op.kind = static_cast<Op::Kind>(rng_() % Op::kKinds);
    // Mostly small, sometimes several packets, sometimes many.
    const uint32_t r = static_cast<uint32_t>(rng_());
    op.len = r % 8 < 5 ? (r >> 8) % 257 : r % 8 < 7 ? (r >> 8) % 4097 : (r >> 8) % 24577;
    if (r % 128 == 7)
      op.len = (r >> 8) % kSlotSize;
    std::unique_ptr<Message> m;
    switch (op.kind) {
    case Op::kSend:
    case Op::kSendImm:
      m = NewMessage(SOFTHCA_MSG_SEND, id, local, op.len);
      m->has_imm = op.kind == Op::kSendImm;
      break;
    case Op::kWrite:
    case Op::kWriteImm:
      m = NewMessage(SOFTHCA_MSG_WRITE, id, local, op.len);
      m->raddr = reinterpret_cast<uint64_t>(remote_.data() + slot * kSlotSize);
      m->rkey = write_key_;
      m->has_imm = op.kind == Op::kWriteImm;
      break;
    case Op::kRead:
      m = NewMessage(SOFTHCA_MSG_READ, id, local, op.len);
      m->raddr = reinterpret_cast<uint64_t>(fixed_.data() + id % kSlotSize);
      m->rkey = read_key_;
      memset(local, 0, op.len);
      break;
    default:
      op.len = 8;
      m = NewMessage(SOFTHCA_MSG_ATOMIC, id, local, 8);
      m->rkey = cell_key_;
      Atomic(m.get(), &op);
      break;
    }
    if (op.kind <= Op::kWriteImm) {
      Fill(local, op.len, id);
      if (op.kind != Op::kWrite)
        expected_.push_back({id, op});
    }
    m->imm = htobe32(static_cast<uint32_t>(id));
    m->xrc_srqn = srqn_;
    m->u.span[0].lkey = lkey_;
    if (type_ == SOFTHCA_QP_DCI) {
      m->dest_buf.av = AvOf(qb_);
      m->dest_buf.dqpn = qb_->qpn;
      m->dest = &m->dest_buf;
    }
    Post(qa_, std::move(m));
  }

  // Executed once and in order, an atomic finds what its predecessors left.
  void Atomic(Message *m, Op *op) {
    if (op->kind == Op::kAdd) {
      m->raddr = reinterpret_cast<uint64_t>(&cells_[0]);
      m->atomic = {8, true, false, 3, 0, ~0ull, ~0ull, 0};
      op->expect = added_;
      added_ += 3;
    } else {
      m->raddr = reinterpret_cast<uint64_t>(&cells_[1]);
      m->atomic = {8, false, false, swapped_ + 1, swapped_, ~0ull, ~0ull, 0};
      op->expect = swapped_++;
    }
  }

  void OnComplete(const Completion &c) {
    ASSERT_EQ(c.wr_id, done_) << "out of order";
    ASSERT_EQ(c.syndrome, 0) << "operation " << c.wr_id;
    const uint32_t slot = static_cast<uint32_t>(c.wr_id % kSlots);
    const Op &op = ops_[slot];
    const uint8_t *local = local_.data() + slot * kSlotSize;
    uint64_t value;
    done_++;
    switch (op.kind) {
    case Op::kWrite:
    case Op::kWriteImm:
      ASSERT_EQ(memcmp(local, remote_.data() + slot * kSlotSize, op.len), 0) << c.wr_id;
      break;
    case Op::kRead:
      ASSERT_EQ(memcmp(local, fixed_.data() + c.wr_id % kSlotSize, op.len), 0) << c.wr_id;
      break;
    case Op::kAdd:
    case Op::kCas:
      memcpy(&value, local, 8);
      ASSERT_EQ(value, op.expect) << c.wr_id;
      break;
    default:
      break;
    }
  }

  void CheckReceives() {
    while (!qb_->recv_cq.empty()) {
      const RecvCompletion c = qb_->recv_cq.front();
      qb_->recv_cq.pop_front();
      ASSERT_FALSE(expected_.empty());
      const uint64_t id = expected_.front().first;
      const Op op = expected_.front().second;
      expected_.pop_front();
      ASSERT_EQ(c.syndrome, 0);
      ASSERT_EQ(c.wr_id, recv_done_);
      ASSERT_EQ(c.info.bytes, op.len);
      if (op.kind != Op::kSend) {
        ASSERT_EQ(c.info.imm_inv, htobe32(static_cast<uint32_t>(id)));
      }
      if (op.kind != Op::kWriteImm) {
        static uint8_t want[kSlotSize];
        Fill(want, op.len, id);
        ASSERT_EQ(memcmp(want, recv_.data() + recv_done_ % kSlots * kSlotSize, op.len), 0) << id;
      }
      recv_done_++;
      recv_expected_ = recv_done_ + expected_.size();
    }
    recv_expected_ = recv_done_ + expected_.size();
  }

  std::mt19937_64 rng_;
  enum softhca_qp_type type_;
  std::unique_ptr<Device> a_, b_;
  Qp *qa_, *qb_;
  uint32_t srqn_ = 0, lkey_, write_key_, read_key_, cell_key_;
  std::vector<uint8_t> local_, remote_, recv_, fixed_;
  uint64_t cells_[2] = {0, 0};
  uint64_t added_ = 0, swapped_ = 0;
  uint64_t next_ = 0, done_ = 0;
  uint64_t recv_posted_ = 0, recv_done_ = 0, recv_expected_ = 0;
  std::deque<std::pair<uint64_t, Op>> expected_;
  std::vector<Op> ops_;
};

struct Case {
  const char *name;
  enum softhca_qp_type type;
  const char *plan;
  uint64_t ops;
};

const char kAll[] = "drop 1%\nduplicate 1%\ndelay 1% 300us\nreorder 1% 5\ncorrupt 1%\nrnr 0.1%\n";

const Case kCases[] = {
    {"RcAll", SOFTHCA_QP_RC, kAll, 200000},
    {"XrcAll", SOFTHCA_QP_XRC_INI, kAll, 200000},
    {"DcAll", SOFTHCA_QP_DCI, kAll, 200000},
    {"RcClean", SOFTHCA_QP_RC, "", 200000},
    {"XrcClean", SOFTHCA_QP_XRC_INI, "", 100000},
    {"DcClean", SOFTHCA_QP_DCI, "", 100000},
    {"RcDrop", SOFTHCA_QP_RC, "drop 1%", 200000},
    {"RcDuplicate", SOFTHCA_QP_RC, "duplicate 1%", 200000},
    {"RcDelay", SOFTHCA_QP_RC, "delay 1% 1ms", 200000},
    {"RcReorder", SOFTHCA_QP_RC, "reorder 1% 8", 200000},
    {"RcCorrupt", SOFTHCA_QP_RC, "corrupt 1%", 200000},
    {"RcAwful", SOFTHCA_QP_RC, "drop 10%\nduplicate 10%\nreorder 10% 20\ncorrupt 5%", 50000},
};

class TransportSoak : public testing::TestWithParam<Case> {};

TEST_P(TransportSoak, EveryByteAndEveryCompletionOnce) {
  const Case &c = GetParam();
  const uint64_t seed = segue_test_seed();
  const uint64_t ops = FromEnv("SOAK_OPS", c.ops);
  softhca_wire_only_sockets(FromEnv("SOAK_SOCKETS", 0) != 0);
  softhca_wire_only_rings(FromEnv("SOAK_RINGS", 0) != 0);
  const char *path = getenv("SOAK_PCAP");
  softhca_pcap *pcap = path ? softhca_pcap_open(path) : nullptr;
  softhca_wire_set_pcap(pcap);
  Faults faults("seed " + std::to_string(seed) + "\n" + c.plan);
  const uint64_t start = Now();
  Soak soak(c.type, seed);
  soak.Run(ops);
  printf("%llu operations in %.3f s of virtual time; dropped %llu, duplicated %llu, delayed %llu, "
         "reordered %llu, corrupted %llu packets\n",
         static_cast<unsigned long long>(ops), static_cast<double>(Now() - start) / 1e9,
         static_cast<unsigned long long>(softhca_fault_count(SOFTHCA_FAULT_DROP)),
         static_cast<unsigned long long>(softhca_fault_count(SOFTHCA_FAULT_DUPLICATE)),
         static_cast<unsigned long long>(softhca_fault_count(SOFTHCA_FAULT_DELAY)),
         static_cast<unsigned long long>(softhca_fault_count(SOFTHCA_FAULT_REORDER)),
         static_cast<unsigned long long>(softhca_fault_count(SOFTHCA_FAULT_CORRUPT)));
  softhca_wire_only_sockets(false);
  softhca_wire_only_rings(false);
  softhca_wire_set_pcap(nullptr);
  softhca_pcap_close(pcap);
}

INSTANTIATE_TEST_SUITE_P(Faults, TransportSoak, testing::ValuesIn(kCases),
                         [](const testing::TestParamInfo<Case> &i) { return i.param.name; });

} // namespace
