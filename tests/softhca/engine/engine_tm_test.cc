/* SPDX-License-Identifier: BSD-2-Clause */
// Tag matching: the list and its commands, what messages match, rendezvous.
#include "tests/softhca/engine/engine_requests.h"
extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
}

#include "segue/gen/enums.h"

namespace {

using namespace eng;

constexpr uint8_t kTell = SEGUE_TM_FLAG_CQE_REQ, kCount = SEGUE_TM_FLAG_SW_CNT;

// `a` sends to `b`, which has the tag list.
struct World {
  World() : a(hca, acq), b(hca, tcq, Tagged::Options(tagged.srq)) {
    for (size_t i = 0; i < sizeof(src); i++)
      src[i] = static_cast<uint8_t>(i * 11 + 3);
    key = hca.Mr(all, sizeof(all));
    Connect(a, b);
  }
  // Appends an entry for a buffer; entries are numbered from 0 in this order.
  void Append(uint64_t tag, uint64_t mask, void *to, uint32_t len, uint8_t flags = kTell,
              uint16_t count = 0) {
    Wqe w = TagWqe(SEGUE_TM_OPCODE_APPEND, flags, ++next, count, tag, mask);
    if (len)
      w.Data(to, len, key);
    else
      w.Words32({0, MLX5_INVALID_LKEY, 0, 0});
    tagged.cmd.Post(w);
    if (flags & kTell)
      Answer(SEGUE_TM_APP_OP_APPEND);
  }
  // The answer to a command: did it succeed, and the count of unexpected messages.
  std::pair<bool, uint16_t> Answer(int op) {
    mlx5_cqe64 cqe = tcq.Wait();
    EXPECT_EQ(MLX5_CQE_NO_PACKET, Opcode(cqe));
    EXPECT_EQ(SEGUE_CQE_APP_TAG_MATCHING, cqe.app);
    EXPECT_EQ(op, cqe.app_op);
    EXPECT_EQ(0x77u, be32toh(cqe.srqn_uidx));
    return {be32toh(cqe.tm_cqe.success) == MLX5_TMC_SUCCESS, be16toh(cqe.tm_cqe.hw_phase_cnt)};
  }
  bool Remove(uint16_t index) {
    tagged.cmd.Post(TagWqe(SEGUE_TM_OPCODE_REMOVE, kTell, index, 0));
    return Answer(SEGUE_TM_APP_OP_REMOVE).first;
  }
  uint16_t Sync(uint16_t count) {
    tagged.cmd.Post(TagWqe(SEGUE_TM_OPCODE_NOP, kTell | kCount, 0, count));
    return Answer(SEGUE_TM_APP_OP_NOOP).second;
  }
  void Header(uint8_t op, uint64_t tag, uint32_t ctx = 0xc0ffee) {
    memset(src, 0, 16);
    src[0] = op;
    ctx = htobe32(ctx);
    tag = htobe64(tag);
    memcpy(src + 4, &ctx, 4);
    memcpy(src + 8, &tag, 8);
  }
  // Sends a header and `len` bytes behind it.
  void Send(uint8_t op, uint64_t tag, uint32_t len, uint8_t opcode = MLX5_OPCODE_SEND) {
    Header(op, tag);
    a.Post(Wqe(opcode).Data(src, 16 + len, key));
  }
  void Rendezvous(uint64_t tag, const void *from, uint32_t rkey, uint32_t len) {
    Header(SEGUE_TMH_OPCODE_RNDV, tag);
    const uint64_t va = htobe64(reinterpret_cast<uintptr_t>(from));
    rkey = htobe32(rkey);
    len = htobe32(len);
    memcpy(src + 16, &va, 8);
    memcpy(src + 24, &rkey, 4);
    memcpy(src + 28, &len, 4);
    a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 32 + 8, key));
  }
  // The next completion about messages.
  mlx5_cqe64 Expect(int op, int opcode = MLX5_CQE_RESP_SEND) {
    mlx5_cqe64 cqe = tcq.Wait();
    EXPECT_EQ(opcode, Opcode(cqe));
    EXPECT_EQ(SEGUE_CQE_APP_TAG_MATCHING, cqe.app);
    EXPECT_EQ(op, cqe.app_op);
    return cqe;
  }
  void ExpectTag(const mlx5_cqe64 &cqe, uint16_t index, uint64_t tag) {
    EXPECT_EQ(index, be16toh(cqe.app_info));
    EXPECT_EQ(tag, be64toh(cqe.tmh.tag));
    EXPECT_EQ(0xc0ffeeu, be32toh(cqe.tmh.app_ctx));
  }
  void Matches(uint16_t index, uint64_t tag) {
    Send(SEGUE_TMH_OPCODE_EAGER, tag, 50);
    ExpectTag(Expect(SEGUE_TM_APP_OP_CONSUMED_MSG), index, tag);
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  }
  void IsUnexpected(uint64_t tag) {
    tagged.srq.PostRecv(ring, 1000, key);
    Send(SEGUE_TMH_OPCODE_EAGER, tag, 50);
    EXPECT_EQ(66u, be32toh(Expect(SEGUE_TM_APP_OP_UNEXPECTED).byte_cnt));
    EXPECT_EQ(0, memcmp(src, ring, 66));
    acq.Wait();
  }
  Hca hca;
  Cq acq{hca}, tcq{hca};
  Tagged tagged{hca, tcq};
  Qp a, b;
  uint16_t next = 0;
  alignas(64) uint8_t all[40000] = {};
  uint8_t *const src = all, *const dst = all + 10000, *const ring = all + 30000;
  uint32_t key;
};

TEST(TagMatch, AnEagerMessageLandsBehindItsHeader) {
  World w;
  w.Append(5, 0xff, w.dst, 100);
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 80);
  mlx5_cqe64 cqe = w.Expect(SEGUE_TM_APP_OP_CONSUMED_MSG);
  w.ExpectTag(cqe, 0, 5);
  EXPECT_EQ(80u, be32toh(cqe.byte_cnt));
  EXPECT_EQ(0x77u, be32toh(cqe.srqn_uidx));
  EXPECT_EQ(0, memcmp(w.src + 16, w.dst, 80));
  EXPECT_EQ(0, w.dst[80]);
  EXPECT_STREQ("", softhca_referee_last(w.hca.dev));
}

TEST(TagMatch, ALongOneIsAnnouncedFirst) {
  World w;
  w.Append(5, 0xff, w.dst, 9000);
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 5000, MLX5_OPCODE_SEND_IMM);
  w.ExpectTag(w.Expect(SEGUE_TM_APP_OP_CONSUMED, MLX5_CQE_NO_PACKET), 0, 5);
  mlx5_cqe64 cqe = w.Expect(SEGUE_TM_APP_OP_EXPECTED, MLX5_CQE_RESP_SEND_IMM);
  EXPECT_EQ(0, be16toh(cqe.app_info));
  EXPECT_EQ(5000u, be32toh(cqe.byte_cnt));
  EXPECT_EQ(0, memcmp(w.src + 16, w.dst, 5000));
}

TEST(TagMatch, TheFirstThatFitsUnderItsMask) {
  World w;
  w.Append(0x12, 0xff, w.dst, 100);
  w.Append(0x30, 0xf0, w.dst, 100);
  w.Append(0x34, 0xff, w.dst, 100);
  w.Append(0, 0, w.dst, 100);
  w.Append(0x12, 0xff, w.dst, 100);
  w.Matches(1, 0x34);
  w.Matches(2, 0x34);
  w.Matches(0, 0x12);
  w.Matches(3, 0x12);
  w.Matches(4, 0x12);
}

TEST(TagMatch, AnEmptyBufferTakesAnEmptyMessage) {
  World w;
  w.Append(5, 0xff, nullptr, 0);
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 0);
  EXPECT_EQ(0u, be32toh(w.Expect(SEGUE_TM_APP_OP_CONSUMED_MSG).byte_cnt));
}

TEST(TagMatch, WithoutATagItGoesToAReceive) {
  World w;
  w.Append(0, 0, w.dst, 100);
  for (uint8_t op : std::initializer_list<uint8_t>{SEGUE_TMH_OPCODE_NO_TAG, SEGUE_TMH_OPCODE_FIN}) {
    w.tagged.srq.PostRecv(w.ring, 1000, w.key);
    w.Send(op, 5, 20);
    EXPECT_EQ(36u, be32toh(w.Expect(SEGUE_TM_APP_OP_NO_TAG).byte_cnt));
    EXPECT_EQ(0, memcmp(w.src, w.ring, 36));
  }
  EXPECT_EQ(0, w.Sync(0)) << "they are not counted";
}

// ---- the count of unexpected messages ----

TEST(TagPhase, UnexpectedMessagesAreCounted) {
  World w;
  w.IsUnexpected(5);
  w.IsUnexpected(6);
  EXPECT_EQ(2, w.Sync(0));
}

TEST(TagPhase, WhatIsAppendedTooLateMatchesNothingUntilSoftwareHasCaughtUp) {
  World w;
  w.Append(5, 0xff, w.dst, 100);
  w.IsUnexpected(7);
  w.Append(7, 0xff, w.dst, 100); // perhaps for the one that has come
  w.IsUnexpected(7);
  w.Matches(0, 5); // was there before
  EXPECT_EQ(2, w.Sync(1));
  w.IsUnexpected(7);
  EXPECT_EQ(3, w.Sync(3));
  w.Matches(1, 7);
}

TEST(TagPhase, AnAppendMayTellTheCount) {
  World w;
  w.IsUnexpected(7);
  w.Append(7, 0xff, w.dst, 100, kTell | kCount, 1);
  w.Matches(0, 7);
}

TEST(TagPhase, WithoutAReceiveTheSenderTriesAgainAndCountsOnce) {
  World w;
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 10);
  w.hca.Settle();
  EXPECT_TRUE(w.acq.Empty());
  w.tagged.srq.PostRecv(w.ring, 1000, w.key);
  w.Expect(SEGUE_TM_APP_OP_UNEXPECTED);
  EXPECT_EQ(1, w.Sync(1));
}

// ---- the list ----

TEST(TagList, RemovesWhatHasNotMatched) {
  World w;
  w.Append(5, 0xff, w.dst, 100);
  w.Append(6, 0xff, w.dst, 100);
  EXPECT_TRUE(w.Remove(0));
  EXPECT_FALSE(w.Remove(0));
  w.Matches(1, 6);
  EXPECT_FALSE(w.Remove(1)) << "it has matched";
  w.IsUnexpected(5);
}

TEST(TagList, FullIsToldSo) {
  World w;
  for (int i = 0; i < 8; i++)
    w.Append(5, 0xff, w.dst, 100);
  w.tagged.cmd.Post(TagWqe(SEGUE_TM_OPCODE_APPEND, kTell, 9, 0, 1, 1).Data(w.dst, 100, w.key));
  EXPECT_FALSE(w.Answer(SEGUE_TM_APP_OP_APPEND).first);
}

TEST(TagList, SilentCommandsAreCarriedOut) {
  World w;
  w.Append(5, 0xff, w.dst, 100, 0);
  w.Matches(0, 5);
  EXPECT_TRUE(w.tcq.Empty());
}

// ---- rendezvous ----

TEST(TagRendezvous, TheDeviceReadsAndSaysSo) {
  for (uint32_t len : {0u, 1u, 1024u, 5000u}) {
    World w;
    w.a.PostRecv(w.ring, 1000, w.key); // for the end
    w.Append(5, 0xff, w.dst, 9000);
    w.Rendezvous(5, w.src + 100, w.key, len);
    w.ExpectTag(w.Expect(SEGUE_TM_APP_OP_CONSUMED, MLX5_CQE_NO_PACKET), 0, 5);
    mlx5_cqe64 cqe = w.Expect(SEGUE_TM_APP_OP_EXPECTED);
    EXPECT_EQ(0, be16toh(cqe.app_info));
    EXPECT_EQ(len, be32toh(cqe.byte_cnt));
    EXPECT_EQ(0u, be64toh(cqe.tmh.tag)) << "the header was told before";
    EXPECT_EQ(0, memcmp(w.src + 100, w.dst, len));
    EXPECT_EQ(0, w.dst[len]);
    // The request's send and the peer's message that it is done.
    for (int i = 0; i < 2; i++) {
      cqe = w.acq.Wait();
      if (Opcode(cqe) == MLX5_CQE_REQ)
        continue;
      EXPECT_EQ(MLX5_CQE_RESP_SEND, Opcode(cqe));
      EXPECT_EQ(16u, be32toh(cqe.byte_cnt));
      EXPECT_EQ(SEGUE_TMH_OPCODE_FIN, w.ring[0]);
      EXPECT_EQ(0, memcmp(w.src + 4, w.ring + 4, 12));
    }
  }
}

TEST(TagRendezvous, SeveralAreUnderWayAtOnce) {
  World w;
  for (uint64_t i = 0; i < 8; i++) {
    w.a.PostRecv(w.ring, 1000, w.key);
    w.Append(i, 0xff, w.dst + i * 1000, 1000);
  }
  for (uint64_t i = 0; i < 8; i++) {
    w.Rendezvous(7 - i, w.src + 100 + i, w.key, 900);
    // the header is used again
    while (Opcode(w.acq.Wait()) != MLX5_CQE_REQ && !::testing::Test::HasFailure())
      ;
  }
  for (int done = 0; done < 8 && !::testing::Test::HasFailure();) {
    mlx5_cqe64 cqe = w.tcq.Wait();
    if (cqe.app_op != SEGUE_TM_APP_OP_EXPECTED)
      continue;
    const uint16_t index = be16toh(cqe.app_info);
    EXPECT_EQ(0, memcmp(w.src + 107 - index, w.dst + index * 1000, 900)) << index;
    done++;
  }
}

TEST(TagRendezvous, WithoutAMatchIsSoftwares) {
  World w;
  w.tagged.srq.PostRecv(w.ring, 1000, w.key);
  w.Rendezvous(5, w.src, w.key, 100);
  EXPECT_EQ(40u, be32toh(w.Expect(SEGUE_TM_APP_OP_UNEXPECTED).byte_cnt));
  EXPECT_EQ(1, w.Sync(1));
}

TEST(TagRendezvous, LargerThanItsBufferIsSoftwares) {
  World w;
  w.Append(5, 0xff, w.dst, 100);
  w.Rendezvous(5, w.src, w.key, 101);
  mlx5_cqe64 cqe = w.Expect(SEGUE_TM_APP_OP_CONSUMED_MSG_SW_RNDV);
  w.ExpectTag(cqe, 0, 5);
  EXPECT_EQ(24u, be32toh(cqe.byte_cnt));
  EXPECT_EQ(0, memcmp(w.src + 16, w.dst, 24));
}

TEST(TagRendezvous, WhatCannotBeReadIsCanceled) {
  World w;
  w.Append(5, 0xff, w.dst, 100);
  w.Rendezvous(5, w.src, w.key ^ 0x5500, 50);
  w.Expect(SEGUE_TM_APP_OP_CONSUMED, MLX5_CQE_NO_PACKET);
  EXPECT_EQ(0, be16toh(w.Expect(SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED).app_info));
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(w.b.qp));
  EXPECT_EQ(1u, w.hca.Count(IBV_EVENT_QP_FATAL));
}

// The peer is gone; what was under way ends with the queue pair.
TEST(TagRendezvous, EndsWithTheQueuePair) {
  for (bool reset : {false, true}) {
    World w;
    w.Append(5, 0xff, w.dst, 100);
    w.Rendezvous(5, w.src, w.key, 50);
    softhca_lock();
    softhca_uar_scan(w.hca.uar);
    while (!w.b.qp->sq.head)
      softhca_poll_all(false, nullptr);
    EXPECT_EQ(0, w.b.To(reset ? IBV_QPS_RESET : IBV_QPS_ERR));
    EXPECT_EQ(nullptr, w.b.qp->sq.head);
    softhca_unlock();
    w.Expect(SEGUE_TM_APP_OP_CONSUMED, MLX5_CQE_NO_PACKET);
    if (reset) {
      EXPECT_TRUE(w.tcq.Empty());
    } else {
      w.Expect(SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED);
    }
  }
}

// ---- what cannot be received ----

TEST(TagHostile, LongerThanTheBufferItMatches) {
  World w;
  w.Append(5, 0xff, w.dst, 10);
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 11);
  EXPECT_EQ(0, be16toh(w.Expect(SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED).app_info));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, w.acq.WaitErr().syndrome);
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(w.b.qp));
}

TEST(TagHostile, NoHeader) {
  for (uint8_t op : std::initializer_list<uint8_t>{0, 4, 0xff}) {
    World w;
    w.tagged.srq.PostRecv(w.ring, 1000, w.key);
    w.Header(op, 0);
    w.a.Post(Wqe(MLX5_OPCODE_SEND).Data(w.src, op ? 16 : 15, w.key));
    EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, w.acq.WaitErr().syndrome) << int{op};
    EXPECT_EQ(1u, w.hca.Count(IBV_EVENT_QP_REQ_ERR));
  }
}

TEST(TagHostile, ABufferThatIsNotRegistered) {
  World w;
  w.tagged.cmd.Post(TagWqe(SEGUE_TM_OPCODE_APPEND, kTell, 1, 0, 5, 0xff).Data(w.dst, 100, 0x1234));
  w.Answer(SEGUE_TM_APP_OP_APPEND);
  w.Send(SEGUE_TMH_OPCODE_EAGER, 5, 10);
  w.Expect(SEGUE_TM_APP_OP_MSG_COMPLETION_CANCELED);
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_OP_ERR, w.acq.WaitErr().syndrome);
}

TEST(TagHostile, CommandsThatAreNone) {
  const Wqe bad[] = {TagWqe(3, kTell, 1, 0), TagWqe(SEGUE_TM_OPCODE_APPEND, kTell, 1, 0),
                     TagWqe(SEGUE_TM_OPCODE_APPEND, kTell, 1, 0).Inline("x"),
                     Wqe(MLX5_OPCODE_TAG_MATCHING, 0, 0)};
  for (const Wqe &wqe : bad) {
    World w;
    w.tagged.cmd.Post(wqe);
    EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.tcq.WaitErr().syndrome);
  }
}

TEST(TagCreate, IsRefusedWithoutACqAndForUd) {
  Hca hca;
  Cq cq(hca);
  struct softhca_srq_attr attr{};
  softhca_srq *srq = nullptr;
  uint32_t num;
  attr.type = IBV_SRQT_TM;
  attr.pd = hca.pd;
  attr.wqes = 16;
  attr.wqe_shift = 6;
  attr.max_tags = 8;
  EXPECT_EQ(-EINVAL, softhca_srq_create(hca.dev, &attr, &srq, &num));
  Srq good(hca, 16, &cq, nullptr, 1, 8);
  struct softhca_qp_create c{};
  softhca_qp *qp;
  c.type = SOFTHCA_QP_UD;
  c.pd = hca.pd;
  c.send_cq = c.recv_cq = cq.cq;
  c.srq = good.srq;
  EXPECT_EQ(-EINVAL, softhca_qp_create(hca.dev, &c, &qp, &num));
  Hca without([](softhca_config *cfg) { cfg->tag_matching = false; });
  attr.pd = without.pd;
  EXPECT_EQ(-EOPNOTSUPP, softhca_srq_create(without.dev, &attr, &srq, &num));
}

} // namespace
