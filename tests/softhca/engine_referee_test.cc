/* SPDX-License-Identifier: BSD-2-Clause */
// Every rule of the referee, broken once, and a correct program about which it says nothing.
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/softhca/engine_fixture.h"

namespace {

using namespace eng;

class Referee : public ::testing::Test {
 protected:
  Referee() : a(hca, acq), b(hca, bcq) {
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    Connect(a, b);
  }
  // The rule was reported `n` times, and the last sentence holds `words`.
  void Expect(enum softhca_rule rule, const std::string &words, uint64_t n = 1) {
    hca.Settle();
    EXPECT_EQ(n, softhca_referee_count(hca.dev, rule));
    EXPECT_NE(std::string::npos, std::string(softhca_referee_last(hca.dev)).find(words))
        << softhca_referee_last(hca.dev);
  }
  Wqe Write() { return Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey); }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(8) uint8_t src[4096] = {}, dst[4096] = {};
  uint32_t skey, dkey;
};

TEST_F(Referee, WqeIndex) {
  Wqe w = Write();
  w.index = 9;
  a.Post(w);
  Expect(SOFTHCA_RULE_WQE_INDEX, "block 0 of the ring says wqe_index 9");
}

TEST_F(Referee, DsTooSmall) {
  Wqe w = Write();
  w.ds = 1;
  a.Post(w);
  Expect(SOFTHCA_RULE_DS, "ds leaves 0 bytes where the raddr segment needs 16");
}

TEST_F(Referee, DsBeyondTheProducer) {
  Wqe w = Write();
  w.ds = 40;
  a.Post(w);
  Expect(SOFTHCA_RULE_DS, "ds 40 needs 10 blocks, but the producer index allows 1");
}

TEST_F(Referee, DsZero) {
  Wqe w = Write();
  w.ds = 0;
  a.Post(w);
  Expect(SOFTHCA_RULE_DS, "ds is 0");
}

TEST_F(Referee, DsBehindInlineData) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Inline("x").Words32({0, 0, 0, 0}));
  Expect(SOFTHCA_RULE_DS, "found 16 more bytes, expected the end of the WQE");
}

TEST_F(Referee, SegmentInlineBehindData) {
  a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 8, skey).Inline("x"));
  Expect(SOFTHCA_RULE_SEGMENT, "inline data is not allowed after other data");
}

TEST_F(Referee, InlineLongerThanTheWqe) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Words32({MLX5_INLINE_SEG | 500, 0, 0, 0}));
  Expect(SOFTHCA_RULE_DS, "ds leaves 12 bytes for 500 bytes of inline data");
}

TEST_F(Referee, SegmentInlineWhereTheResultGoes) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(dst, dkey).Inline("x"));
  Expect(SOFTHCA_RULE_SEGMENT, "where the result goes");
}

TEST_F(Referee, SegmentInlineInAReceive) {
  b.PostRecv({mlx5_wqe_data_seg{htobe32(MLX5_INLINE_SEG | 8), 0, 0}});
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
  Expect(SOFTHCA_RULE_SEGMENT, "receive entry 0 holds an inline segment");
}

TEST_F(Referee, ReservedInRaddr) {
  Wqe w(MLX5_OPCODE_RDMA_WRITE);
  w.Words64({reinterpret_cast<uintptr_t>(dst)}).Words32({dkey, 0x77}).Data(src, 8, skey);
  a.Post(w);
  Expect(SOFTHCA_RULE_RESERVED, "raddr.reserved_at_60: found 0x77");
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait())) << "reported, but harmless";
}

TEST_F(Referee, ReservedInCtrl) {
  Wqe w = Write();
  w.fm_ce_se |= 1;
  a.Post(w);
  Expect(SOFTHCA_RULE_RESERVED, "fm_ce_se 0x09");
}

TEST_F(Referee, Qpn) {
  Wqe w = Write();
  w.qpn = a.qpn; // the doorbell must still find us: patch the ring after the doorbell was taken from it
  a.Put(w);
  a.Ring();
  a.sq[5] ^= 0x40; // qpn_ds is at 4..7
  Expect(SOFTHCA_RULE_QPN, "the control segment names QP 0x");
}

TEST_F(Referee, OpcodeUnknown) {
  a.Post(Wqe(0x33));
  Expect(SOFTHCA_RULE_OPCODE, "opcode 0x33 does not exist");
}

TEST_F(Referee, OpcodeOfAnotherTransport) {
  a.Post(Wqe(MLX5_OPCODE_TSO));
  Expect(SOFTHCA_RULE_OPCODE, "TSO is not possible on this transport");
}

TEST_F(Referee, OpmodOfAMaskedAtomic) {
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_MASKED_FA, 3).Raddr(dst, dkey).Words64({1, 0}).Data(src, 8, skey));
  Expect(SOFTHCA_RULE_OPCODE, "opmod 0x3");
}

TEST_F(Referee, DoorbellWithoutRecord) {
  a.Put(Write());
  memcpy(hca.page + 0x800, a.sq.data(), 8); // no record
  Expect(SOFTHCA_RULE_DOORBELL_NO_RECORD, "rung for WQE 0, but the doorbell record says 0");
  EXPECT_TRUE(acq.Empty()) << "it does not execute";
}

TEST_F(Referee, RecordWithoutDoorbell) {
  a.Put(Write());
  a.db[1] = htobe32(a.sq_pi);
  EXPECT_TRUE(hca.Run([&] { return softhca_referee_count(hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL) == 1; }));
  EXPECT_TRUE(acq.Empty()) << "it does not execute";
}

TEST_F(Referee, BlueFlameDiffersFromTheRing) {
  a.Put(Write());
  a.db[1] = htobe32(a.sq_pi);
  // As trap mode sees it: each 8-byte store on its own.
  for (size_t at = 0; at < 64; at += 8) {
    memcpy(hca.page + 0x800 + at, &a.sq[at], 8);
    if (at == 24)
      hca.page[0x800 + at] ^= 1;
    softhca_uar_scan(hca.uar);
  }
  Expect(SOFTHCA_RULE_BLUEFLAME, "BlueFlame byte 24 to 31");
}

TEST_F(Referee, BlueFlameThatIsTheRing) {
  a.Put(Write());
  a.db[1] = htobe32(a.sq_pi);
  for (size_t at = 0; at < 64; at += 8) {
    memcpy(hca.page + 0x800 + at, &a.sq[at], 8);
    softhca_uar_scan(hca.uar);
  }
  hca.Settle();
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

TEST_F(Referee, OverwrittenBeforeConsumed) {
  // Nobody takes the first send; 64 more blocks go around the ring.
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
  hca.Run([] { return false; }, 1);
  for (int i = 0; i < 64; i++)
    a.Put(Wqe(MLX5_OPCODE_NOP));
  a.Ring();
  Expect(SOFTHCA_RULE_OVERWRITTEN, "with WQE 0 not completed");
}

TEST_F(Referee, CqConsumerGoesBack) {
  for (int i = 0; i < 3; i++) {
    a.Post(Write());
    acq.Wait();
  }
  acq.Arm(false);
  hca.Settle();
  for (uint32_t i = 0; i < 61; i++) {
    a.Post(Write());
    acq.Wait();
  }
  // Now the ring is full as far as the cached index goes: the record is read again, first forward...
  a.Post(Write());
  acq.Wait();
  acq.db[0] = htobe32(50);
  for (int i = 0; i < 64; i++) {
    a.Post(Wqe(MLX5_OPCODE_NOP));
    hca.Settle();
  }
  Expect(SOFTHCA_RULE_CQ_BACKWARDS, "consumer index");
}

TEST_F(Referee, ForeignPd) {
  softhca_pd *pd2 = nullptr;
  softhca_mkey *mr = nullptr;
  uint32_t pdn;
  ASSERT_EQ(0, softhca_pd_create(hca.dev, &pd2, &pdn));
  uint64_t va = reinterpret_cast<uintptr_t>(src);
  ASSERT_EQ(0, softhca_mr_create(pd2, va, 100, va, 0, &mr));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, softhca_mkey_key(mr)));
  Expect(SOFTHCA_RULE_FOREIGN_PD, "of PD 2, but the queue belongs to PD 1");
}

TEST_F(Referee, RkeyAsLkey) {
  softhca_mkey *mw = nullptr;
  ASSERT_EQ(0, softhca_mw_create(hca.pd, IBV_MW_TYPE_1, &mw));
  mlx5_wqe_umr_ctrl_seg ctrl{};
  uint64_t mkc[8] = {};
  ctrl.flags = MLX5_WQE_UMR_CTRL_FLAG_INLINE;
  ctrl.mkey_mask = htobe64(MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE);
  mkc[2] = htobe64(reinterpret_cast<uintptr_t>(src)); // start_addr
  mkc[3] = htobe64(8);                                // len
  a.Put(Wqe(MLX5_OPCODE_UMR).Raw(&ctrl, sizeof(ctrl)).Raw(mkc, sizeof(mkc)).Data(src, 8, skey).Imm(softhca_mkey_key(mw)));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, softhca_mkey_key(mw)));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait())) << "the bind";
  Expect(SOFTHCA_RULE_RKEY_AS_LKEY, "is the rkey of a memory window");
}

TEST_F(Referee, BoundsNamesBothRanges) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src + 4090, 8, skey));
  char both[160];
  uint64_t at = reinterpret_cast<uintptr_t>(src);
  snprintf(both, sizeof(both), "local read of [0x%llx, 0x%llx) through key 0x%x, which covers [0x%llx, 0x%llx)",
           static_cast<unsigned long long>(at + 4090), static_cast<unsigned long long>(at + 4098), skey,
           static_cast<unsigned long long>(at), static_cast<unsigned long long>(at + 4096));
  Expect(SOFTHCA_RULE_BOUNDS, both);
}

TEST_F(Referee, ReceiveQueueFull) {
  for (int i = 0; i < 65; i++)
    b.PostRecv(dst, 8, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
  Expect(SOFTHCA_RULE_RQ_FULL, "65 receives are posted to a queue of 64 entries");
}

TEST_F(Referee, Access) {
  uint32_t ro = hca.Mr(dst, 100, IBV_ACCESS_REMOTE_READ);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, ro).Data(src, 8, skey));
  Expect(SOFTHCA_RULE_ACCESS, "whose access flags are");
}

TEST_F(Referee, OncePerQueueAndRule) {
  for (int i = 0; i < 5; i++) {
    Wqe w = Write();
    w.fm_ce_se |= 1;
    a.Post(w);
    acq.Wait();
  }
  Expect(SOFTHCA_RULE_RESERVED, "fm_ce_se");
}

TEST_F(Referee, SilentAboutACorrectProgram) {
  for (int i = 0; i < 300; i++) {
    b.PostRecv(dst, 100, dkey);
    a.Put(Write());
    a.Post(Wqe(MLX5_OPCODE_SEND).Inline("fine"));
    acq.Wait();
    acq.Wait();
    bcq.Wait();
  }
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

TEST(RefereeFile, JsonLinePerViolation) {
  std::string path = ::testing::TempDir() + "/referee.json";
  unlink(path.c_str());
  {
    Hca hca([&](softhca_config *c) { c->referee_json = path.c_str(); });
    Cq cq(hca);
    Qp a(hca, cq), b(hca, cq);
    Connect(a, b);
    a.Post(Wqe(0x3e));
    cq.WaitErr();
  }
  std::ifstream in(path);
  std::string line;
  ASSERT_TRUE(std::getline(in, line));
  EXPECT_EQ(0u, line.find("{\"rule\":\"opcode\",\"device\":\"mlx5_0\",\"object\":\"RC QP 0x")) << line;
  EXPECT_NE(std::string::npos, line.find("\"wqe\":\"0000003e")) << line;
  EXPECT_EQ('}', line.back());
  EXPECT_FALSE(std::getline(in, line)) << line;
}

// Shapes that were clean are remembered; what breaks a rule must be seen all the same.
TEST_F(Referee, SeesTheOneBadWqeAmongManyOfItsShape) {
  for (int i = 0; i < 100; i++) {
    a.Post(Write());
    acq.Wait();
  }
  Wqe w(MLX5_OPCODE_RDMA_WRITE);
  w.Words64({reinterpret_cast<uintptr_t>(dst)}).Words32({dkey, 0x80000000}).Data(src, 8, skey);
  a.Post(w);
  Expect(SOFTHCA_RULE_RESERVED, "raddr.reserved_at_60");
}

// libmlx5 writes only half of a fetch-and-add segment.
TEST_F(Referee, SilentAboutWhatTheDriverLeavesBehind) {
  for (uint64_t left : {UINT64_C(0), UINT64_C(0xdeadbeef00000001)}) {
    a.Post(Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(dst, dkey).Atomic(1, left).Data(src, 8, skey));
    acq.Wait();
  }
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

void BreakARuleUnderStrict() {
  Hca hca([](softhca_config *c) { c->strict = true; });
  Cq cq(hca);
  Qp a(hca, cq), b(hca, cq);
  Connect(a, b);
  a.Post(Wqe(0x3e));
  hca.Settle();
  exit(0);
}

TEST(RefereeStrict, Aborts) {
  EXPECT_EXIT(BreakARuleUnderStrict(), ::testing::KilledBySignal(SIGABRT), "opcode 0x3e does not exist");
}

} // namespace
