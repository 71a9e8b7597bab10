/* SPDX-License-Identifier: BSD-2-Clause */
// What the referee says beside a rule's sentence, and correct programs about which it says nothing.
#include "tests/softhca/engine/engine_referee.h"

namespace {

using namespace eng;

class Referee : public ::testing::Test, protected World {
 protected:
  // The rule was reported once, and the last sentence holds `words`.
  void Expect(enum softhca_rule rule, const std::string &words) {
    hca.Settle();
    EXPECT_EQ(1u, softhca_referee_count(hca.dev, rule));
    EXPECT_NE(std::string::npos, std::string(softhca_referee_last(hca.dev)).find(words))
        << softhca_referee_last(hca.dev);
  }
};

TEST_F(Referee, BoundsNamesBothRanges) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src + 4090, 8, skey));
  char both[160];
  snprintf(both, sizeof(both),
           "local read of [0x%llx, 0x%llx) through key 0x%x, which covers [0x%llx, 0x%llx)",
           static_cast<unsigned long long>(At(src) + 4090),
           static_cast<unsigned long long>(At(src) + 4098), skey,
           static_cast<unsigned long long>(At(src)),
           static_cast<unsigned long long>(At(src) + 4096));
  Expect(SOFTHCA_RULE_BOUNDS, both);
}

// What a device can execute in spite of the violation, it does.
TEST_F(Referee, ReservedBitsAreReportedButHarmless) {
  Wqe w = Write();
  w.fm_ce_se |= 1;
  a.Post(w);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
}

// Cards ignore these, so only a program that asks for remarks gets one.
TEST_F(Referee, SilentAboutOldBytesInReservedWords) {
  Wqe w = Write();
  w.body[15] = 1;
  a.Post(w);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

// A remark does not end a program that runs with --strict.
TEST(RefereeStrict, OnlyRemarksOnOldBytesInReservedWords) {
  Hca hca([](softhca_config *c) { c->strict = c->remarks = true; });
  Cq cq(hca);
  Qp a(hca, cq), b(hca, cq);
  Connect(a, b);
  uint8_t dst[8];
  const uint32_t key = hca.Mr(dst, sizeof(dst));
  Wqe w = Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, key).Data(dst, 8, key);
  w.body[15] = 1;
  a.Post(w);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(cq.Wait()));
  EXPECT_EQ(1u, softhca_referee_count(hca.dev, SOFTHCA_RULE_LEFT));
}

TEST_F(Referee, WithoutARecordOrADoorbellNothingExecutes) {
  a.Put(Write());
  memcpy(hca.page + 0x800, a.sq.data(), 8);
  Expect(SOFTHCA_RULE_DOORBELL_NO_RECORD, "it does not execute");
  EXPECT_TRUE(acq.Empty());
  a.db[1] = htobe32(a.sq_pi);
  EXPECT_TRUE(hca.Run(
      [&] { return softhca_referee_count(hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL) == 1; }));
  EXPECT_TRUE(acq.Empty());
}

// The first doorbell of a full ring of the largest size is seen after the last request was posted:
// two registers take turns.
TEST_F(Referee, SilentAboutADoorbellOfALargeRingThatIsSeenLate) {
  QpOptions opt;
  opt.sq_wqes = 32768;
  Qp large(hca, acq, opt), peer(hca, bcq);
  Connect(large, peer);
  large.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, 0).Raddr(dst, dkey));
  for (uint32_t i = 1; i < opt.sq_wqes; i++)
    large.Put(Wqe(MLX5_OPCODE_NOP, 0, 0));
  large.db[1] = htobe32(large.sq_pi);
  memcpy(hca.page + 0x800, large.sq.data(), 8);
  hca.Run([&] { return softhca_qp_sent(large.qp) == 32768; });
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
  EXPECT_EQ(32768, softhca_qp_sent(large.qp));
}

// What was right before says nothing about what comes now.
TEST_F(Referee, FindsABadPieceWhateverWasPostedBefore) {
  for (int clean = 0; clean < 2; clean++)
    for (const bool by_key : {false, true}) {
      Qp one(hca, acq), two(hca, bcq);
      Connect(one, two);
      if (clean) {
        one.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 0x140, skey));
        EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
      }
      // For a key that would end a receive list it is the segment that is wrong.
      const softhca_rule rule = by_key ? SOFTHCA_RULE_SEGMENT : SOFTHCA_RULE_VALUE;
      const uint64_t before = softhca_referee_count(hca.dev, rule);
      one.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
                   .Raddr(dst, dkey)
                   .Data(src, by_key ? 8 : 0, by_key ? 0x100 : skey));
      EXPECT_EQ(by_key ? MLX5_CQE_SYNDROME_LOCAL_PROT_ERR : MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR,
                acq.WaitErr().syndrome);
      EXPECT_EQ(before + 1, softhca_referee_count(hca.dev, rule))
          << (clean ? "after a clean one, " : "first, ") << (by_key ? "lkey 0x100" : "length 0");
    }
}

// Entries of receive queues are held to their grammar, too; here the device can do what they say.
TEST_F(Referee, JudgesReceiveEntries) {
  b.PostRecv({mlx5_wqe_data_seg{htobe32(8), htobe32(dkey), htobe64(At(dst))},
              mlx5_wqe_data_seg{0, htobe32(dkey), 0}});
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("12345678"));
  acq.Wait();
  Expect(SOFTHCA_RULE_VALUE, "byte 16, data.byte_count: found 0x0");
}

TEST_F(Referee, JudgesEntriesOfSharedReceiveQueues) {
  Srq srq(hca);
  QpOptions opt;
  opt.srq = srq.srq;
  Qp c(hca, acq), d(hca, bcq, opt);
  Connect(c, d);
  srq.PostRecv(dst, 8, dkey);
  srq.buf[32 + 15] = 1; // behind the key that ends the list
  c.Post(Wqe(MLX5_OPCODE_SEND).Inline("12345678"));
  acq.Wait();
  Expect(SOFTHCA_RULE_RESERVED, "data_end, bits 63:0 of dword 2: found 0x1");
}

// A receive that comes late is none of the program's mistakes, and with --strict no reason to
// abort.
TEST(RefereeStrict, OnlySaysThatAReceiveIsMissing) {
  Hca hca([](softhca_config *c) {
    Impatient(c);
    c->strict = true;
  }), other;
  Cq acq(hca), bcq(other);
  Qp a(hca, acq), b(other, bcq);
  b.attr.min_rnr_timer = 20;
  Connect(a, b);
  uint8_t dst[8];
  const uint32_t dkey = other.Mr(dst, sizeof(dst));
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("late"));
  EXPECT_TRUE(
      hca.Run([&] { return softhca_referee_count(hca.dev, SOFTHCA_RULE_NO_RECEIVE) == 1; }, 20000));
  b.PostRecv(dst, 8, dkey);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
}

// Anybody may send a datagram to a UD queue pair.
TEST(RefereeStrict, OnlySaysThatAStrangerHasAnotherQkey)
{
	Hca hca([](softhca_config *c) { c->strict = true; });
	Cq acq(hca), bcq(hca);
	QpOptions ud;
	ud.type = SOFTHCA_QP_UD;
	Qp a(hca, acq, ud), b(hca, bcq, ud);
	ASSERT_EQ(0, a.Init() | b.Init() | a.Rtr(hca, 0) | b.Rtr(hca, 0) | a.Rts() | b.Rts());
	Wqe send(MLX5_OPCODE_SEND);
	a.Post(Av(send, uint64_t{0x77} << 32, b.qpn, Lid(hca)).Inline("x"));
	EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
	EXPECT_TRUE(hca.Run([&] { return softhca_referee_count(hca.dev, SOFTHCA_RULE_QKEY) == 1; },
			    20000));
}

// An inlined header, then data by reference, as UCX sends it.
TEST_F(Referee, SilentAboutAnInlinedHeaderBeforeData) {
  memcpy(src, "data", 4);
  b.PostRecv(dst, 100, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("header").Data(src, 4, skey));
  acq.Wait();
  EXPECT_EQ(10u, be32toh(bcq.Wait().byte_cnt));
  EXPECT_EQ(0, memcmp(dst, "headerdata", 10));
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
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

// As trap mode does it, for the `n`th 8 bytes of a WQE and a register.
void Store(Hca &hca, size_t reg, const uint8_t *wqe, size_t n) {
  const size_t at = 0x800 + reg * 0x100 + n * 8;
  softhca_uar_store_begins(hca.uar, at);
  memcpy(hca.page + at, wqe + n * 8, 8);
  softhca_uar_scan_store(hca.uar, at);
  softhca_uar_store_ends(hca.uar);
}

// While one thread's store has the page open, stores of others reach it without a trap.
TEST_F(Referee, BlueFlameCopiesThatOtherThreadsAreWriting) {
  a.Put(Write());
  a.Put(Write());
  a.db[1] = htobe32(a.sq_pi);
  const uint8_t *const first = &a.sq[0], *const second = &a.sq[64];
  Store(hca, 0, first, 0);
  // The rest of it slips in, and then the next one in the other register, as far as its third
  // store.
  memcpy(hca.page + 0x808, first + 8, 56);
  memcpy(hca.page + 0x900, second, 24);
  b.PostRecv(dst, 100, dkey);
  b.Post(Wqe(MLX5_OPCODE_NOP));
  Store(hca, 2, &b.sq[0], 1); // another thread's, trapped
  for (size_t n = 3; n < 8; n++)
    Store(hca, 1, second, n);
  // One lap later, in the register where the first one's bytes are left.
  a.Put(Wqe(MLX5_OPCODE_SEND).Inline("other bytes than before"));
  a.db[1] = htobe32(a.sq_pi);
  for (size_t n = 0; n < 8; n++)
    Store(hca, 0, &a.sq[128], n);
  hca.Settle();
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

TEST_F(Referee, BlueFlameStoresAreJudgedOneByOne) {
  a.Put(Write());
  a.db[1] = htobe32(a.sq_pi);
  uint8_t wrong[64];
  memcpy(wrong, a.sq.data(), 64);
  wrong[40] ^= 1;
  for (size_t n = 0; n < 8; n++)
    Store(hca, 3, wrong, n);
  Expect(SOFTHCA_RULE_BLUEFLAME, "BlueFlame byte 40 to 47");
}

TEST_F(Referee, OncePerQueueAndRule) {
  for (int i = 0; i < 5; i++) {
    Wqe w = Write();
    w.fm_ce_se |= 1;
    a.Post(w);
    acq.Wait();
  }
  Expect(SOFTHCA_RULE_RESERVED, "ctrl, bits 0:0 of dword 2");
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

// Shapes that were clean are remembered; what breaks a rule must be seen all the same.
TEST_F(Referee, SeesTheOneBadWqeAmongManyOfItsShape) {
  for (int i = 0; i < 100; i++) {
    a.Post(Write());
    acq.Wait();
  }
  Wqe w = Write();
  w.fm_ce_se |= 1;
  a.Post(w);
  Expect(SOFTHCA_RULE_RESERVED, "ctrl, bits 0:0 of dword 2");
}

// UCX builds its WQEs over old ones and leaves these bits as they were.
TEST_F(Referee, SilentAboutStaleBitsThatTheDeviceIgnores) {
  Wqe w(MLX5_OPCODE_RDMA_WRITE);
  w.Words64({reinterpret_cast<uintptr_t>(dst)}).Words32({dkey, 0x77}).Data(src, 8, skey);
  a.Put(w);
  a.sq[9] = 0x22; // dci_stream_channel_id, on a queue without streams
  a.Ring();
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

// libmlx5 writes only half of a fetch-and-add segment.
TEST_F(Referee, SilentAboutWhatTheDriverLeavesBehind) {
  for (uint64_t left : {UINT64_C(0), UINT64_C(0xdeadbeef00000001)}) {
    a.Post(Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(dst, dkey).Atomic(1, left).Data(src, 8, skey));
    acq.Wait();
  }
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

// Another stream has a request under way. That an entry of the completion queue was not given back
// does not mean that nobody has seen it.
TEST_F(Referee, SilentAboutAStreamThatIsResetWhenAllOfItHasBeenTold) {
  Streams s(*this);
  for (int i = 0; i < 40; i++) {
    s.Write(1, 0xdead00);
    s.Write(1, dkey);
    s.Send(3);
    EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
    EXPECT_TRUE(hca.Run([this] { return !acq.Empty(); }));
    EXPECT_EQ(0, softhca_qp_reset_stream(s.dci.qp, 1)) << softhca_why();
    EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, acq.WaitErr().syndrome);
    s.srq.PostRecv(dst, 100, dkey);
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  }
  EXPECT_EQ(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_STREAM_RESET))
      << softhca_referee_last(hca.dev);
}

// What comes to a stream that has failed is flushed; the others go on.
TEST_F(Referee, AFailedStreamIsFlushedByItself) {
  Streams s(*this);
  s.Write(1, 0xdead00);
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
  s.Write(1, dkey);
  EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, acq.WaitErr().syndrome);
  s.Write(2, dkey);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(IBV_QPS_RTS, softhca_qp_state(s.dci.qp));
}

// Posted a moment before, it has not even been looked at.
TEST_F(Referee, SeesARequestThatWasPostedBeforeItsStreamIsReset) {
  Streams s(*this);
  s.Write(1, 0xdead00);
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
  s.Write(0, dkey);
  s.Write(1, dkey);
  EXPECT_EQ(0, softhca_qp_reset_stream(s.dci.qp, 1)) << softhca_why();
  EXPECT_EQ(1u, softhca_referee_count(hca.dev, SOFTHCA_RULE_STREAM_RESET))
      << softhca_referee_last(hca.dev);
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
  EXPECT_EXIT(BreakARuleUnderStrict(), ::testing::KilledBySignal(SIGABRT),
              "found opcode 0x3e with opmod 0x0(.|\n)*--strict: the program ends here\\.");
}

} // namespace
