/* SPDX-License-Identifier: BSD-2-Clause */
// Every rule of the referee, broken once.
#include <sys/mman.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/softhca/engine/engine_referee.h"
#include "tests/softhca/engine/json_check.h"
extern "C" {
#include "tools/softhca/engine/pinned_pages.h"
}

namespace {

using namespace eng;

// A SEND that never finds a receive, to a new queue pair on `to`, until somebody says so.
void Sends(Qp &from, Hca &to, Cq &cq, const QpOptions &opt = {}) {
  Qp d(to, cq, opt);
  d.attr.min_rnr_timer = 20; // 10 ms
  Connect(from, d);
  from.Post(Wqe(MLX5_OPCODE_SEND).Inline("hang"));
  EXPECT_TRUE(from.hca.Run([&] {
    return softhca_referee_count(from.hca.dev, SOFTHCA_RULE_NO_RECEIVE) &&
           softhca_referee_count(to.dev, SOFTHCA_RULE_NO_RECEIVE);
  }, 20000));
}

// A request that the peer's queue pair, with these access flags, does not allow.
void Refused(World &w, unsigned access, const Wqe &wqe) {
  Qp c(w.hca, w.acq), d(w.hca, w.bcq);
  ASSERT_EQ(
      0, c.Init() | d.Init(access) | c.Rtr(w.hca, d.qpn) | d.Rtr(w.hca, c.qpn) | c.Rts() | d.Rts());
  c.Post(wqe);
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, w.acq.WaitErr().syndrome);
}

// One violation. `words` are in its sentence, `decoded` in the WQE printed below it (nullptr: it is
// not about a WQE).
struct Case {
  const char *name;
  enum softhca_rule rule;
  const char *json, *words, *decoded;
  void (*provoke)(World &w);
};

constexpr Case kCases[] = {
    {"WqeIndex", SOFTHCA_RULE_WQE_INDEX, "wqe-index", "block 0 of the ring says wqe_index 9",
     "0x0009",
     [](World &w) {
       Wqe bad = w.Write();
       bad.index = 9;
       w.a.Post(bad);
     }},
    {"DsTooSmall", SOFTHCA_RULE_DS, "ds",
     "byte 16: found the end of the WQE, expected segment 'raddr'", "1 x 16 bytes",
     [](World &w) {
       Wqe bad = w.Write();
       bad.ds = 1;
       w.a.Post(bad);
     }},
    {"DsBeyondTheProducer", SOFTHCA_RULE_DS, "ds",
     "ds 40 needs 10 blocks, but the producer index allows 1", "40 x 16 bytes",
     [](World &w) {
       Wqe bad = w.Write();
       bad.ds = 40;
       w.a.Post(bad);
     }},
    {"DsZero", SOFTHCA_RULE_DS, "ds", "ds is 0", "offence at byte 7, ctrl.ds",
     [](World &w) {
       Wqe bad = w.Write();
       bad.ds = 0;
       w.a.Post(bad);
     }},
    {"DsBehindInlineData", SOFTHCA_RULE_DS, "ds", "expected the end of the WQE", "rdma_write",
     [](World &w) {
       w.a.Post(
           Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Inline("x").Data(w.src, 8, w.skey));
     }},
    {"InlineLongerThanTheWqe", SOFTHCA_RULE_DS, "ds", "found 512 bytes with its payload, 16 left",
     "rdma_write",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
                    .Raddr(w.dst, w.dkey)
                    .Words32({MLX5_INLINE_SEG | 500, 0, 0, 0}));
     }},
    {"InlineWhereTheResultGoes", SOFTHCA_RULE_SEGMENT, "segment",
     "data.is_inline: found 0x1, expected 0x0", "rdma_read",
     [](World &w) { w.a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(w.dst, w.dkey).Inline("x")); }},
    {"InlineAfterData", SOFTHCA_RULE_SEGMENT, "segment", "data.is_inline: found 0x1, expected 0x0",
     "send", [](World &w) { w.a.Post(Wqe(MLX5_OPCODE_SEND).Data(w.src, 8, w.skey).Inline("x")); }},
    {"InlineInAReceive", SOFTHCA_RULE_SEGMENT, "segment", "receive entry 0 holds an inline segment",
     "on rq",
     [](World &w) {
       w.b.PostRecv({mlx5_wqe_data_seg{htobe32(MLX5_INLINE_SEG | 8), 0, 0}});
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
     }},
    {"ReservedInInlineData", SOFTHCA_RULE_RESERVED, "reserved",
     "inline_data, bits 30:10 of dword 0: found 0x77", "inline_data",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
                    .Raddr(w.dst, w.dkey)
                    .Words32({MLX5_INLINE_SEG | 0x77 << 10 | 8, 0, 0, 0}));
     }},
    {"ReservedInCtrl", SOFTHCA_RULE_RESERVED, "reserved", "ctrl, bits 0:0 of dword 2: found 0x1",
     "bits 0:0 of dword 2: reserved bits must be zero but are 0x1",
     [](World &w) {
       Wqe bad = w.Write();
       bad.fm_ce_se |= 1;
       w.a.Post(bad);
     }},
    {"Qpn", SOFTHCA_RULE_QPN, "qpn", "the control segment names QP 0x", "rdma_write",
     [](World &w) {
       w.a.Put(w.Write());
       w.a.Ring();
       w.a.sq[5] ^= 0x40; // qpn_ds is at 4..7; the doorbell has the right one
     }},
    {"OpcodeUnknown", SOFTHCA_RULE_OPCODE, "opcode", "found opcode 0x33 with opmod 0x0",
     "no work request", [](World &w) { w.a.Post(Wqe(0x33)); }},
    {"OpcodeOfAnotherTransport", SOFTHCA_RULE_OPCODE, "opcode",
     "TSO is not possible on this transport", "no work request",
     [](World &w) { w.a.Post(Wqe(MLX5_OPCODE_TSO)); }},
    {"OpmodOfAMaskedAtomic", SOFTHCA_RULE_OPCODE, "opcode", "opmod 0x3", "no work request",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_ATOMIC_MASKED_FA, 3)
                    .Raddr(w.dst, w.dkey)
                    .Words64({1, 0})
                    .Data(w.src, 8, w.skey));
     }},
    {"FlagSolicitedOnAWrite", SOFTHCA_RULE_FLAGS, "flags", "ctrl.se", "rdma_write",
     [](World &w) {
       Wqe bad = w.Write();
       bad.fm_ce_se |= MLX5_WQE_CTRL_SOLICITED;
       w.a.Post(bad);
     }},
    {"ValueOfAnEmptyPiece", SOFTHCA_RULE_VALUE, "value", "data.byte_count: found 0x0, expected",
     "rdma_write",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(w.src, 0, w.skey));
       EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR, w.acq.WaitErr().syndrome) << "2 GiB";
     }},
    {"SendEnableOnAQueueThatControlsNobody", SOFTHCA_RULE_OPCODE, "opcode",
     "was not created to control others", "send_en",
     [](World &w) {
       w.a.Post(Wqe(SEGUE_OPCODE_SEND_EN).Words32({0, 0, 1, w.b.qpn}));
     }},
    {"SendEnableOfAQueueNotControlled", SOFTHCA_RULE_VALUE, "value",
     "was not created to be controlled", "send_en",
     [](World &w) {
       QpOptions opt;
       opt.cross_master = true;
       Qp c(w.hca, w.acq, opt), d(w.hca, w.acq);
       Connect(c, d);
       c.Post(Wqe(SEGUE_OPCODE_SEND_EN).Words32({0, 0, 1, d.qpn}));
       w.acq.WaitErr();
     }},
    {"WaitForACompletionQueueThatIsNot", SOFTHCA_RULE_VALUE, "value",
     "WAIT for CQ 0xabcde, which does not exist", "wait_cq",
     [](World &w) {
       w.a.Post(Wqe(SEGUE_OPCODE_WAIT).Words32({0, 0, 1, 0xabcde}));
     }},
    {"TagCommandWithoutAList", SOFTHCA_RULE_OPCODE, "opcode",
     "a tag matching command on a queue pair whose receive queue", "tm_noop",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_TAG_MATCHING, 0, 0).Words64({0, 0, 0, 0}));
     }},
    {"MatrixTooLarge", SOFTHCA_RULE_VALUE, "value",
     "a matrix of 64 rows and 2 columns of 128 bytes does not fit", "transpose",
     [](World &w) {
       w.a.Post(Wqe(SEGUE_OPCODE_LOCAL_MMO)
                    .Words32({128, 2 << 16 | 64, 0, 0})
                    .Data(w.src, 1024, w.skey)
                    .Data(w.dst, 1024, w.dkey));
     }},
    {"MatrixLongerThanItsBuffer", SOFTHCA_RULE_BOUNDS, "bounds",
     "a matrix of 24 bytes in buffers of 24 and 23", "transpose",
     [](World &w) {
       w.a.Post(Wqe(SEGUE_OPCODE_LOCAL_MMO)
                    .Words32({4, 2 << 16 | 3, 0, 0})
                    .Data(w.src, 24, w.skey)
                    .Data(w.dst, 23, w.dkey));
     }},
    {"CopyWithoutMemoryForTheDevice", SOFTHCA_RULE_ACCESS, "access",
     "local write through key 0x77, which does not exist", "memcpy",
     [](World &w) {
       w.a.Post(Copy(w.dst, 0x77, Piece(w.src, 8, w.skey), Piece(w.dst, 8, w.dkey)));
       EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, w.acq.WaitErr().syndrome);
     }},
    {"CopyWithLessMemoryForTheDevice", SOFTHCA_RULE_BOUNDS, "bounds", "local write of [0x",
     "memcpy",
     [](World &w) {
       w.a.Post(Copy(w.dst + sizeof(w.dst) - 56, w.dkey, Piece(w.src, 8, w.skey),
                     Piece(w.dst, 8, w.dkey)));
       EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, w.acq.WaitErr().syndrome);
     }},
    {"CopyWithMisalignedMemoryForTheDevice", SOFTHCA_RULE_VALUE, "value",
     "expected a multiple of 64", "memcpy",
     [](World &w) {
       w.a.Post(Copy(w.dst + 1032, w.dkey, Piece(w.src, 8, w.skey), Piece(w.dst, 8, w.dkey)));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    {"CopyOntoItself", SOFTHCA_RULE_VALUE, "value",
     "source and destination of a copy of 100 bytes overlap", "memcpy",
     [](World &w) {
       const uint32_t other = w.hca.Mr(w.dst, 200);
       w.a.Post(
           Copy(w.dst + 1024, w.dkey, Piece(w.dst + 99, 100, w.dkey), Piece(w.dst, 100, other)));
       w.a.Post(
           Copy(w.dst + 1024, w.dkey, Piece(w.dst + 100, 100, w.dkey), Piece(w.dst, 100, other)));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    {"DoorbellWithoutRecord", SOFTHCA_RULE_DOORBELL_NO_RECORD, "doorbell-without-record",
     "rung for WQE 0, but the doorbell record says 0", "rdma_write",
     [](World &w) {
       w.a.Put(w.Write());
       memcpy(w.hca.page + 0x800, w.a.sq.data(), 8); // no record
     }},
    {"RecordWithoutDoorbell", SOFTHCA_RULE_RECORD_NO_DOORBELL, "record-without-doorbell",
     "the doorbell record says 1, but no doorbell was rung since 0", "rdma_write",
     [](World &w) {
       w.a.Put(w.Write());
       w.a.db[1] = htobe32(w.a.sq_pi);
       w.hca.Run(
           [&] { return softhca_referee_count(w.hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL) == 1; });
     }},
    {"Unannounced", SOFTHCA_RULE_UNANNOUNCED, "unannounced",
     "behind the last one that a doorbell announced, at 1: it was never executed",
     "rdma_write on rc",
     [](World &w) {
       Qp c(w.hca, w.acq), d(w.hca, w.bcq);
       Connect(c, d);
       c.Post(w.Write());
       c.Put(w.Write());
       w.hca.Settle();
     }},
    {"BlueFlameDiffersFromTheRing", SOFTHCA_RULE_BLUEFLAME, "blueflame", "BlueFlame byte 24 to 31",
     "rdma_write",
     [](World &w) {
       w.a.Put(w.Write());
       w.a.db[1] = htobe32(w.a.sq_pi);
       // As trap mode sees it: each 8-byte store on its own.
       for (size_t at = 0; at < 64; at += 8) {
         memcpy(w.hca.page + 0x800 + at, &w.a.sq[at], 8);
         if (at == 24)
           w.hca.page[0x800 + at] ^= 1;
         softhca_uar_scan(w.hca.uar);
       }
     }},
    {"OverwrittenBeforeConsumed", SOFTHCA_RULE_OVERWRITTEN, "overwritten",
     "with WQE 0 not completed", nullptr,
     [](World &w) {
       // Nobody takes the first send; 64 more blocks go around the ring.
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
       w.hca.Run([] { return false; }, 1);
       for (int i = 0; i < 64; i++)
         w.a.Put(Wqe(MLX5_OPCODE_NOP));
       w.a.Ring();
     }},
    {"CqConsumerGoesBack", SOFTHCA_RULE_CQ_BACKWARDS, "cq-consumer",
     "consumer index went back from 5 to 3", nullptr,
     [](World &w) {
       for (int i = 0; i < 5; i++) {
         w.a.Post(w.Write());
         w.acq.Wait();
       }
       softhca_referee_scan(w.hca.dev, 0);
       w.acq.db[0] = htobe32(3);
       softhca_referee_scan(w.hca.dev, 0);
     }},
    {"CqConsumerAheadOfTheProducer", SOFTHCA_RULE_CQ_BACKWARDS, "cq-consumer",
     "consumer index 100 is beyond the 64 entries written so far", nullptr,
     [](World &w) {
       for (int i = 0; i < 64; i++) {
         w.a.Post(w.Write());
         w.acq.Wait();
       }
       w.acq.db[0] = htobe32(100);
       w.a.Post(w.Write());
     }},
    {"CqOverruns", SOFTHCA_RULE_CQ_OVERRUN, "cq-overrun",
     "completion 4 finds all 4 entries unread", nullptr,
     [](World &w) {
       Cq small(w.hca, 4);
       Qp c(w.hca, small), d(w.hca, w.bcq);
       Connect(c, d);
       for (int i = 0; i < 6; i++)
         c.Put(w.Write());
       c.Ring();
       w.hca.Settle();
     }},
    {"CqUnmarked", SOFTHCA_RULE_CQ_UNMARKED, "cq-unmarked",
     "entry 0 looked like a completion before the first one came: its last byte was 0x00", nullptr,
     [](World &w) {
       std::fill(w.acq.buf.begin(), w.acq.buf.end(), 0);
       w.a.Post(w.Write());
       w.hca.Settle();
     }},
    {"CqUnmarkedAndCollapsed", SOFTHCA_RULE_CQ_UNMARKED, "cq-unmarked", "its last byte was 0x0e",
     nullptr,
     [](World &w) {
       Cq collapsed(w.hca, 64, 64, false, [](softhca_cq_attr *attr) { attr->collapsed = true; });
       Qp c(w.hca, collapsed), d(w.hca, w.bcq);
       Connect(c, d);
       collapsed.buf[63] = 0x0e;
       c.Post(w.Write());
       w.hca.Settle();
     }},
    {"ForeignPd", SOFTHCA_RULE_FOREIGN_PD, "foreign-pd", "of PD 2, but the queue belongs to PD 1",
     "rdma_write",
     [](World &w) {
       softhca_pd *pd2 = nullptr;
       softhca_mkey *mr = nullptr;
       uint32_t pdn;
       ASSERT_EQ(0, softhca_pd_create(w.hca.dev, &pd2, &pdn));
       ASSERT_EQ(0, softhca_mr_create(pd2, At(w.src), 100, At(w.src), 0, &mr));
       w.a.Post(
           Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(w.src, 8, softhca_mkey_key(mr)));
     }},
    {"RkeyAsLkey", SOFTHCA_RULE_RKEY_AS_LKEY, "rkey-as-lkey", "is the rkey of a memory window",
     "rdma_write",
     [](World &w) {
       softhca_mkey *mw = nullptr;
       ASSERT_EQ(0, softhca_mw_create(w.hca.pd, IBV_MW_TYPE_1, &mw));
       w.a.Put(Bind(softhca_mkey_key(mw),
                    BindUmr(false, 0, softhca_mkey_key(mw) & 0xff, w.src, 8, kRemoteRw), w.skey,
                    w.src, 8));
       w.a.Post(
           Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(w.src, 8, softhca_mkey_key(mw)));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait())) << "the bind";
     }},
    {"BoundsOfALocalRead", SOFTHCA_RULE_BOUNDS, "bounds", "local read of [0x", "rdma_write",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(w.src + 4090, 8, w.skey));
     }},
    {"BoundsOfAnAnswer", SOFTHCA_RULE_BOUNDS, "bounds", "local write of [0x", "rdma_read",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(w.dst, w.dkey).Data(w.src + 4090, 8, w.skey));
     }},
    {"BoundsOfAReceive", SOFTHCA_RULE_BOUNDS, "bounds", "local write of [0x", "on rq",
     [](World &w) {
       w.b.PostRecv(w.dst + 4090, 8, w.dkey);
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("12345678"));
     }},
    {"BoundsOfThePeer", SOFTHCA_RULE_BOUNDS, "bounds", "remote write of [0x", nullptr,
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst + 4090, w.dkey).Data(w.src, 8, w.skey));
     }},
    {"ReceiveQueueFull", SOFTHCA_RULE_RQ_FULL, "receive-queue-full",
     "65 receives are posted to a queue of 64 entries", nullptr,
     [](World &w) {
       for (int i = 0; i < 65; i++)
         w.b.PostRecv(w.dst, 8, w.dkey);
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
     }},
    {"SharedReceiveQueueFull", SOFTHCA_RULE_RQ_FULL, "receive-queue-full",
     "17 receives are posted to an SRQ of 16 entries", nullptr,
     [](World &w) {
       Srq srq(w.hca);
       QpOptions opt;
       opt.srq = srq.srq;
       Qp c(w.hca, w.acq), d(w.hca, w.bcq, opt);
       Connect(c, d);
       for (int i = 0; i < 17; i++)
         srq.PostRecv(w.dst, 8, w.dkey);
       c.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
       w.acq.Wait();
     }},
    {"AccessFlags", SOFTHCA_RULE_ACCESS, "access", "whose access flags are", nullptr,
     [](World &w) {
       uint32_t ro = w.hca.Mr(w.dst, 100, IBV_ACCESS_REMOTE_READ);
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, ro).Data(w.src, 8, w.skey));
     }},
    {"KeyThatDoesNotExist", SOFTHCA_RULE_ACCESS, "access",
     "local read through key 0x12345678, which does not exist", "rdma_write",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(w.src, 8, 0x12345678));
     }},
    {"InvalidateAnOrdinaryRegion", SOFTHCA_RULE_ACCESS, "access",
     "cannot be invalidated: it is an ordinary region", nullptr,
     [](World &w) {
       w.b.PostRecv(w.dst, 8, w.dkey);
       w.a.Post(Wqe(MLX5_OPCODE_SEND_INVAL).Imm(w.dkey));
     }},
    {"MessageLongerThanTheReceive", SOFTHCA_RULE_BOUNDS, "bounds",
     "has 8 bytes or more, and the receive takes 7", "on rq",
     [](World &w) {
       w.b.PostRecv(w.dst, 7, w.dkey);
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("12345678"));
     }},
    {"NobodyPostedAReceive", SOFTHCA_RULE_NO_RECEIVE, "no-receive",
     "no receive is posted, and QP 0x", nullptr,
     [](World &w) {
       Hca other(Impatient);
       Cq cq(other);
       Qp c(other, cq);
       Sends(c, w.hca, w.bcq);
     }},
    {"NobodyPostedASharedReceive", SOFTHCA_RULE_NO_RECEIVE, "no-receive",
     "no receive is posted to its SRQ 0x", nullptr,
     [](World &w) {
       Hca other(Impatient);
       Cq cq(other);
       Qp c(other, cq);
       Srq srq(w.hca);
       QpOptions opt;
       opt.srq = srq.srq;
       Sends(c, w.hca, w.bcq, opt);
     }},
    {"RepeatedForEver", SOFTHCA_RULE_NO_RECEIVE, "no-receive",
     "answered for 300 ms that no receive is posted there", "send on rc",
     [](World &w) {
       Hca other(Impatient);
       Cq cq(other);
       Qp c(w.hca, w.acq);
       Sends(c, other, cq);
     }},
    {"WrongDcKey", SOFTHCA_RULE_DC_KEY, "dc-key", "DC access key 0xbad, expected 0xfeed", nullptr,
     [](World &w) {
       Srq srq(w.hca);
       QpOptions dci, dct;
       dci.type = SOFTHCA_QP_DCI;
       dct.type = SOFTHCA_QP_DCT;
       dct.srq = srq.srq;
       dct.dckey = 0xfeed;
       Qp c(w.hca, w.acq, dci), d(w.hca, w.bcq, dct);
       ASSERT_EQ(0, c.Init() | d.Init() | c.Rtr(w.hca, 0) | d.Rtr(w.hca, 0) | c.Rts());
       Wqe send(MLX5_OPCODE_SEND);
       c.Post(Av(send, 0xbad, d.qpn, Lid(w.hca)).Inline("x"));
       EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, w.acq.WaitErr().syndrome);
     }},
    {"WrongQkey", SOFTHCA_RULE_QKEY, "qkey", "has the Q_Key 0x77, expected 0x1234, and is dropped",
     nullptr,
     [](World &w) {
       QpOptions ud;
       ud.type = SOFTHCA_QP_UD;
       Qp c(w.hca, w.acq, ud), d(w.hca, w.bcq, ud);
       ASSERT_EQ(0, c.Init() | d.Init() | c.Rtr(w.hca, 0) | d.Rtr(w.hca, 0) | c.Rts() | d.Rts());
       Wqe send(MLX5_OPCODE_SEND);
       c.Post(Av(send, uint64_t{0x77} << 32, d.qpn, Lid(w.hca)).Inline("x"));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    {"WrongPartition", SOFTHCA_RULE_PKEY, "pkey",
     "is of partition 0xffff and is dropped, as pkey_index 1 is partition 0x8001", nullptr,
     [](World &w) {
       QpOptions ud;
       ud.type = SOFTHCA_QP_UD;
       Qp c(w.hca, w.acq, ud), d(w.hca, w.bcq, ud);
       ASSERT_EQ(0, softhca_pkey_set(w.hca.dev, 1, 1, 0x8001));
       d.attr.pkey_index = 1;
       ASSERT_EQ(0, c.Init() | d.Init() | c.Rtr(w.hca, 0) | d.Rtr(w.hca, 0) | c.Rts() | d.Rts());
       d.PostRecv(w.dst, 64, w.dkey);
       Wqe send(MLX5_OPCODE_SEND);
       c.Post(Av(send, uint64_t{0x1234} << 32, d.qpn, Lid(w.hca)).Inline("x"));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    {"NoPartition", SOFTHCA_RULE_PKEY, "pkey", "as pkey_index 1 is partition 0x0", nullptr,
     [](World &w) {
       Qp c(w.hca, w.acq), d(w.hca, w.bcq);
       ASSERT_EQ(0, softhca_pkey_set(w.hca.dev, 1, 1, 0));
       d.attr.pkey_index = 1;
       Connect(c, d);
       c.Post(w.Write());
       EXPECT_TRUE(w.hca.Run(
           [&] { return softhca_referee_count(w.hca.dev, SOFTHCA_RULE_PKEY) != 0; }, 5000));
     }},
    {"AnotherKindOfGid", SOFTHCA_RULE_GID_TYPE, "gid-type",
     "is RoCE v1 and is dropped, as sgid_index 1 makes", nullptr,
     [](World &w) {
       Qp c(w.hca, w.acq), d(w.hca, w.bcq);
       c.port = d.port = 2;
       Address(c, 0, 1);
       Address(d, 1, 0);
       c.attr.timeout = 1;
       Connect(c, d);
       c.Post(w.Write());
       EXPECT_EQ(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, w.acq.WaitErr().syndrome);
     }},
    {"MisalignedAtomic", SOFTHCA_RULE_ATOMIC, "atomic-alignment",
     "an atomic of 8 bytes at address 0x", nullptr,
     [](World &w) {
       w.a.Post(
           Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(w.dst + 4, w.dkey).Atomic(1, 0).Data(w.src, 8, w.skey));
       EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, w.acq.WaitErr().syndrome);
     }},
    {"WriteWithoutTheFlag", SOFTHCA_RULE_FORBIDDEN, "forbidden",
     "needs IBV_ACCESS_REMOTE_WRITE among qp_access_flags, which are 0x4", nullptr,
     [](World &w) { Refused(w, IBV_ACCESS_REMOTE_READ, w.Write()); }},
    {"ReadWithoutTheFlag", SOFTHCA_RULE_FORBIDDEN, "forbidden",
     "needs IBV_ACCESS_REMOTE_READ among", nullptr,
     [](World &w) {
       Refused(w, 0, Wqe(MLX5_OPCODE_RDMA_READ).Raddr(w.dst, w.dkey).Data(w.src, 8, w.skey));
     }},
    {"AtomicWithoutTheFlag", SOFTHCA_RULE_FORBIDDEN, "forbidden",
     "needs IBV_ACCESS_REMOTE_ATOMIC among", nullptr,
     [](World &w) {
       Refused(w, IBV_ACCESS_REMOTE_READ,
               Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(w.dst, w.dkey).Atomic(1, 0).Data(w.src, 8, w.skey));
     }},
    {"MoreReadsThanThePeerTakes", SOFTHCA_RULE_RD_ATOMIC, "max-dest-rd-atomic",
     "than max_dest_rd_atomic 1 allows", nullptr,
     [](World &w) {
       Qp c(w.hca, w.acq), d(w.hca, w.bcq);
       d.attr.max_dest_rd_atomic = 1;
       Connect(c, d);
       for (int i = 0; i < 8; i++)
         c.Put(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(w.dst, w.dkey).Data(w.src, 8, w.skey));
       c.Ring();
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    // What was flushed waits for its turn, behind another stream's.
    {"StreamResetTooEarly", SOFTHCA_RULE_STREAM_RESET, "stream-reset",
     "stream 2 is reset, and a request of it has not completed", "rdma_write on dc",
     [](World &w) {
       Streams s(w);
       s.Write(2, 0xdead00);
       s.Send(0);
       s.Write(2, w.dkey);
       EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, w.acq.WaitErr().syndrome);
       EXPECT_EQ(0, softhca_qp_reset_stream(s.dci.qp, 2)) << softhca_why();
       s.srq.PostRecv(w.dst, 8, w.dkey);
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
       EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, w.acq.WaitErr().syndrome);
     }},
    // It waits for a receive.
    {"BufferChangedTooEarly", SOFTHCA_RULE_BUFFER_CHANGED, "buffer-changed",
     "the buffer of WQE 0 (8 bytes) was changed before its completion", "send on rc",
     [](World &w) {
       w.a.Post(Wqe(MLX5_OPCODE_SEND).Data(w.src, 8, w.skey));
       w.hca.Run([&] { return w.a.qp->sq.in_flight == 1; });
       w.src[7] ^= 1;
       w.b.PostRecv(w.dst, 8, w.dkey);
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
    {"StaleRegistration", SOFTHCA_RULE_STALE, "registration-stale",
     "what was registered there was unmapped", "rdma_write on rc",
     [](World &w) {
       auto *page = static_cast<uint8_t *>(
           mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
       const uint32_t key = w.hca.Mr(page, 4096);
       page[4] = 44;
       EXPECT_NE(nullptr, softhca_pinned_go(reinterpret_cast<uintptr_t>(page), 4096,
                                            SOFTHCA_GOING_UNMAPPED));
       munmap(page, 4096);
       w.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, w.dkey).Data(page, 8, key));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
       EXPECT_EQ(44, w.dst[4]);
     }},
    {"NoSmallFence", SOFTHCA_RULE_SMALL_FENCE, "small-fence", "WQE 3 follows the change of key",
     "rdma_write on rc",
     [](World &w) {
       softhca_mkey *mw = nullptr;
       ASSERT_EQ(0, softhca_mw_create(w.hca.pd, IBV_MW_TYPE_1, &mw));
       const uint32_t key = softhca_mkey_key(mw);
       w.a.Put(Bind(key, BindUmr(false, 0, key & 0xff, w.src, 8, kRemoteRw), w.skey, w.src, 8));
       w.a.Post(w.Write());
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
       EXPECT_EQ(0, softhca_mkey_destroy(mw));
     }},
    {"ReservedLeft", SOFTHCA_RULE_LEFT, "reserved-left",
     "byte 16, raddr, bits 31:0 of dword 3: these reserved bits are set", "rdma_write on rc",
     [](World &w) {
       w.hca.dev->cfg.remarks = true;
       w.a.Post(w.Write());
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
       EXPECT_EQ(0u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_LEFT));
       Wqe left = w.Write();
       left.body[12] = 0x5a;
       w.a.Post(left);
       EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.acq.Wait()));
     }},
};

constexpr bool EveryRuleHasACase() {
  for (int rule = 0; rule < SOFTHCA_RULE_MAX; rule++) {
    bool found = false;
    for (const Case &c : kCases)
      found |= c.rule == rule;
    if (!found)
      return false;
  }
  return true;
}
static_assert(EveryRuleHasACase(), "a rule of the referee without a case here");

class Rule : public ::testing::TestWithParam<Case> {};

// Each line that begins with `start` and holds `words`.
int Lines(const std::string &text, const std::string &start, const std::string &words) {
  std::istringstream in(text);
  int n = 0;
  for (std::string line; std::getline(in, line);)
    n += line.find(start) == 0 && line.find(words) != std::string::npos;
  return n;
}

TEST_P(Rule, IsToldOnceOnStderrAndInTheFile) {
  const Case &c = GetParam();
  const std::string path = ::testing::TempDir() + "/referee_" + c.name + ".json";
  unlink(path.c_str());
  testing::internal::CaptureStderr();
  {
    World w(path);
    c.provoke(w);
    w.hca.Settle();
    EXPECT_EQ(1u, softhca_referee_count(w.hca.dev, c.rule)) << softhca_referee_last(w.hca.dev);
  }
  const std::string err = testing::internal::GetCapturedStderr();
  EXPECT_EQ(1, Lines(err, "softhca: mlx5_0: ", c.words)) << err;
  std::ifstream file(path);
  std::stringstream json;
  json << file.rdbuf();
  unlink(path.c_str());
  const std::string rule =
      std::string("{\"rule\":\"") + c.json + "\",\"device\":\"mlx5_0\",\"object\":\"";
  EXPECT_EQ(1, Lines(json.str(), rule, c.words)) << json.str();
  EXPECT_EQ("", JsonLinesProblem(json.str())) << json.str();
  if (c.decoded) {
    EXPECT_LE(1, Lines(err, "\t", c.decoded)) << err;
    EXPECT_EQ(1, Lines(json.str(), rule, ",\"decoded\":{\"queue\":")) << json.str();
  } else {
    EXPECT_EQ(0, Lines(json.str(), rule, "decoded")) << json.str();
  }
}

TEST(Unannounced, AreNotRequestsFromBeforeAReset) {
  World w;
  Qp c(w.hca, w.acq), d(w.hca, w.bcq);
  Connect(c, d);
  for (int i = 0; i < 4; i++)
    c.Put(w.Write());
  c.Ring();
  w.hca.Settle();
  EXPECT_EQ(0, c.To(IBV_QPS_RESET) | d.To(IBV_QPS_RESET));
  c.sq_pi = 0;
  Connect(c, d);
  EXPECT_EQ(0, c.To(IBV_QPS_ERR));
  EXPECT_EQ(0u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_UNANNOUNCED));
}

INSTANTIATE_TEST_SUITE_P(All, Rule, ::testing::ValuesIn(kCases),
                         [](const ::testing::TestParamInfo<Case> &info) {
                           return std::string(info.param.name);
                         });

} // namespace
