/* SPDX-License-Identifier: BSD-2-Clause */
// Each syndrome provoked, and what happens to the rest of the queue.
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

#include "segue/gen/enums.h"
#include "tests/softhca/engine/engine_fixture.h"
extern "C" {
#include "tools/softhca/engine/counters.h"
#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/wire.h"
}

// From wire_priv.h, which is not C++: a datagram as it came from the wire.
extern "C" void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
                                     uint32_t src_ip, uint32_t dst_ip);

namespace {

using namespace eng;

class Errors : public ::testing::Test {
 protected:
  Errors() : a(hca, acq), b(hca, bcq) {
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    Connect(a, b);
  }
  void ExpectSend(uint8_t syndrome, int vendor = -1) {
    mlx5_err_cqe err = acq.WaitErr();
    EXPECT_EQ(MLX5_CQE_REQ_ERR, err.op_own >> 4);
    EXPECT_EQ(2, err.op_own & 2); // as cards have it
    EXPECT_EQ(syndrome, err.syndrome);
    if (vendor >= 0) {
      EXPECT_EQ(vendor, err.vendor_err_synd);
    }
    EXPECT_EQ(a.qpn, be32toh(err.s_wqe_opcode_qpn) & 0xffffff);
  }
  void ExpectRecv(uint8_t syndrome) {
    mlx5_err_cqe err = bcq.WaitErr();
    EXPECT_EQ(MLX5_CQE_RESP_ERR, err.op_own >> 4);
    EXPECT_EQ(2, err.op_own & 2); // as cards have it
    EXPECT_EQ(syndrome, err.syndrome);
  }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(8) uint8_t src[8192] = {}, dst[8192] = {};
  uint32_t skey, dkey;
};

TEST_F(Errors, LocalProtectionUnknownKeyThenFlush) {
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, 0xdeadbe00));
  // unsignaled: errors show anyway
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, 0).Raddr(dst, dkey).Data(src, 8, skey));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey));
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
  for (uint16_t i = 1; i <= 2; i++) {
    mlx5_err_cqe err = acq.WaitErr();
    EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, err.syndrome);
    EXPECT_EQ(0xf9, err.vendor_err_synd);
    EXPECT_EQ(i, be16toh(err.wqe_counter)) << "in order, each once";
  }
  EXPECT_TRUE(acq.Empty());
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(a.qp));
  // What is posted later is flushed too.
  a.Post(Wqe(MLX5_OPCODE_SEND));
  ExpectSend(MLX5_CQE_SYNDROME_WR_FLUSH_ERR);
}

// Completion mode 1: the first request to fail completes. Requests flushed after it do not, fetched
// already or not.
TEST_F(Errors, FlushedRequestsThatCompleteOnlyAsTheFirstErrorAreSilent) {
  constexpr uint8_t kFirstErrorOnly = 1 << 2;
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, kFirstErrorOnly).Raddr(dst, dkey).Data(src, 8, 0xdeadbe00));
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, kFirstErrorOnly).Raddr(dst, dkey).Data(src, 8, skey));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
  mlx5_err_cqe err = acq.WaitErr();
  EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, err.syndrome);
  EXPECT_EQ(2, be16toh(err.wqe_counter)) << "the one between is silent";
  EXPECT_TRUE(acq.Empty());
  a.Put(Wqe(MLX5_OPCODE_SEND, 0, kFirstErrorOnly));
  a.Post(Wqe(MLX5_OPCODE_SEND));
  err = acq.WaitErr();
  EXPECT_EQ(4, be16toh(err.wqe_counter)) << "in ERR already";
  EXPECT_TRUE(acq.Empty());
}

TEST_F(Errors, LocalProtectionReadIntoReadOnlyMemory) {
  uint32_t ro = hca.Mr(dst, 100, IBV_ACCESS_REMOTE_READ);
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(src, skey).Data(dst, 8, ro));
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
}

TEST_F(Errors, LocalProtectionUnmappedAfterRegistration) {
  void *gone = mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  uint32_t key = hca.Mr(gone, 8192);
  munmap(gone, 8192);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(gone, 5000, key));
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
}

TEST_F(Errors, LocalQpOperationWrongIndex) {
  Wqe w(MLX5_OPCODE_RDMA_WRITE);
  w.Raddr(dst, dkey).Data(src, 8, skey);
  w.index = 5;
  a.Post(w);
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, 0x68);
}

TEST_F(Errors, LocalQpOperationUnknownOpcode) {
  a.Post(Wqe(0x3e));
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR);
}

TEST_F(Errors, AtomicOfTheWrongLength) {
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(dst, dkey).Atomic(1, 0).Data(src, 4, skey));
  ExpectSend(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
}

TEST_F(Errors, RemoteAccessUnknownKey) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, 0x12345678).Data(src, 8, skey));
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, 0x88);
  ASSERT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_QP_ACCESS_ERR) == 1; }));
  EXPECT_EQ(1u, softhca_event_count(hca.dev, 1, SOFTHCA_COUNT_RESP_REMOTE_ACCESS));
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(b.qp));
}

TEST_F(Errors, RemoteAccessBounds) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(dst + 8000, dkey).Data(src, 200, skey));
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
  EXPECT_EQ(1u, softhca_referee_count(hca.dev, SOFTHCA_RULE_BOUNDS));
}

TEST_F(Errors, RemoteAccessRightOfTheRegion) {
  uint32_t read_only = hca.Mr(dst, 100, IBV_ACCESS_REMOTE_READ);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, read_only).Data(src, 8, skey));
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
}

TEST_F(Errors, RemoteAccessOtherPd) {
  softhca_pd *pd2 = nullptr;
  softhca_mkey *mr = nullptr;
  uint32_t pdn;
  ASSERT_EQ(0, softhca_pd_create(hca.dev, &pd2, &pdn));
  ASSERT_EQ(0, softhca_mr_create(pd2, reinterpret_cast<uintptr_t>(dst), 100,
                                 reinterpret_cast<uintptr_t>(dst), Hca::kAll, &mr));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, softhca_mkey_key(mr)).Data(src, 8, skey));
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR);
  EXPECT_EQ(1u, softhca_referee_count(hca.dev, SOFTHCA_RULE_FOREIGN_PD));
}

TEST_F(Errors, ReceiveTooShort) {
  b.PostRecv(dst, 10, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 11, skey));
  ExpectRecv(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR);
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
}

TEST_F(Errors, ReceiveWithABadKey) {
  b.PostRecv(dst, 100, 0x4242);
  a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 11, skey));
  ExpectRecv(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR);
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_OP_ERR);
}

TEST_F(Errors, MisalignedAtomic) {
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(dst + 4, dkey).Atomic(1, 0).Data(src, 8, skey));
  ExpectSend(MLX5_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR);
}

TEST_F(Errors, ReceivesAreFlushedInOrder) {
  for (int i = 0; i < 3; i++)
    b.PostRecv(dst, 10, dkey);
  ASSERT_EQ(0, b.To(IBV_QPS_ERR));
  for (uint16_t i = 0; i < 3; i++) {
    mlx5_err_cqe err = bcq.WaitErr();
    EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, err.syndrome);
    EXPECT_EQ(i, be16toh(err.wqe_counter));
  }
  EXPECT_TRUE(bcq.Empty());
}

TEST_F(Errors, ReceivesPostedInErrAreFlushedToo) {
  ASSERT_EQ(0, b.To(IBV_QPS_ERR));
  EXPECT_TRUE(bcq.Empty());
  b.PostRecv(dst, 10, dkey);
  b.PostRecv(dst, 10, dkey);
  for (uint16_t i = 0; i < 2; i++) {
    mlx5_err_cqe err = bcq.WaitErr();
    EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, err.syndrome);
    EXPECT_EQ(i, be16toh(err.wqe_counter));
  }
  EXPECT_TRUE(bcq.Empty());
}

// ---- each syndrome, once ----

struct Pair {
  explicit Pair(uint8_t rnr_retry, uint8_t timeout) : a(hca, acq), b(hca, bcq) {
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    a.attr.rnr_retry = rnr_retry;
    a.attr.timeout = timeout;
    Connect(a, b);
  }
  // A packet from b's address to a, as if b had sent it.
  void Deliver(softhca_pkt pkt) {
    const softhca_port &port = hca.dev->port[1];
    uint8_t buf[SOFTHCA_PKT_MAX] = {};
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    pkt.src_ip = pkt.dst_ip = port.ipv4;
    pkt.dqpn = a.qpn;
    pkt.migreq = true;
    pkt.pkey = 0xffff;
    const uint32_t len = softhca_pkt_encode(buf, &pkt, true);
    softhca_wire_deliver(static_cast<softhca_wire *>(port.wire), buf, len, port.ipv4, port.ipv4);
  }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(8) uint8_t src[4096] = {}, dst[4096] = {};
  uint32_t skey, dkey;
};

struct SyndromeCase {
  const char *name;
  uint8_t syndrome;
  bool at_receiver; // whose completion queue says it
  void (*provoke)(Pair &p);
};

constexpr SyndromeCase kSyndromes[] = {
    {"LocalLength", SEGUE_CQE_SYNDROME_LOCAL_LENGTH_ERR, true,
     [](Pair &p) {
       p.b.PostRecv(p.dst, 10, p.dkey);
       p.a.Post(Wqe(MLX5_OPCODE_SEND).Data(p.src, 11, p.skey));
     }},
    {"LocalQpOperation", SEGUE_CQE_SYNDROME_LOCAL_QP_OP_ERR, false,
     [](Pair &p) { p.a.Post(Wqe(0x3e)); }},
    {"LocalProtection", SEGUE_CQE_SYNDROME_LOCAL_PROT_ERR, false,
     [](Pair &p) { p.a.Post(Wqe(MLX5_OPCODE_SEND).Data(p.src, 8, 0x777700)); }},
    {"Flush", SEGUE_CQE_SYNDROME_WR_FLUSH_ERR, false,
     [](Pair &p) {
       ASSERT_EQ(0, p.a.To(IBV_QPS_ERR));
       p.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
     }},
    {"MwBind", SEGUE_CQE_SYNDROME_MW_BIND_ERR, false,
     [](Pair &p) {
       mlx5_wqe_umr_ctrl_seg ctrl{};
       uint8_t mkc[64] = {};
       ctrl.flags = MLX5_WQE_UMR_CTRL_FLAG_INLINE;
       p.a.Post(Wqe(MLX5_OPCODE_UMR).Raw(&ctrl, sizeof(ctrl)).Raw(mkc, sizeof(mkc)).Imm(0x777700));
     }},
    {"BadResponse", SEGUE_CQE_SYNDROME_BAD_RESP_ERR, false,
     [](Pair &p) {
       ASSERT_EQ(0, p.b.To(IBV_QPS_RESET)); // somebody else answers
       p.a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(p.dst, p.dkey).Data(p.src, 100, p.skey));
       int turns = 0; // until the request has left
       p.hca.Run([&] { return turns++ == 5; });
       softhca_pkt pkt{};
       pkt.transport = SOFTHCA_TR_RC;
       pkt.op = SOFTHCA_OP_READ_RESP_ONLY;
       pkt.psn = 0x100;
       pkt.payload_len = 99; // of 100
       p.Deliver(pkt);
     }},
    {"LocalAccess", SEGUE_CQE_SYNDROME_LOCAL_ACCESS_ERR, true,
     [](Pair &p) {
       p.b.PostRecv(p.dst, 10, p.dkey);
       p.a.Post(Wqe(MLX5_OPCODE_SEND_INVAL).Inline("x").Imm(p.dkey)); // an ordinary region
     }},
    {"RemoteInvalidRequest", SEGUE_CQE_SYNDROME_REMOTE_INVAL_REQ_ERR, false,
     [](Pair &p) {
       p.a.Post(
           Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(p.dst + 4, p.dkey).Atomic(1, 0).Data(p.src, 8, p.skey));
     }},
    {"RemoteAccess", SEGUE_CQE_SYNDROME_REMOTE_ACCESS_ERR, false,
     [](Pair &p) {
       p.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(p.dst, 0x777700).Data(p.src, 8, p.skey));
     }},
    {"RemoteOperation", SEGUE_CQE_SYNDROME_REMOTE_OP_ERR, false,
     [](Pair &p) {
       p.b.PostRecv(p.dst, 10, 0x777700);
       p.a.Post(Wqe(MLX5_OPCODE_SEND).Data(p.src, 8, p.skey));
     }},
    {"RetryExceeded", SEGUE_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, false,
     [](Pair &p) {
       ASSERT_EQ(0, p.b.To(IBV_QPS_RESET));
       p.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
     }},
    {"RnrRetryExceeded", SEGUE_CQE_SYNDROME_RNR_RETRY_EXC_ERR, false,
     [](Pair &p) { p.a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x")); }},
    // Nothing that is modelled aborts a request of somebody else; a fault plan does.
    {"RemoteAborted", SEGUE_CQE_SYNDROME_REMOTE_ABORTED_ERR, false,
     [](Pair &p) {
       char why[200];
       softhca_fault_set(softhca_fault_parse("complete nth=1 syndrome=0x22", why, sizeof(why)));
       p.a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(p.dst, p.dkey).Data(p.src, 8, p.skey));
     }},
};

// All that the spec, and so mlx5dv.h, knows.
constexpr uint8_t kKnown[] = {0x01, 0x02, 0x04, 0x05, 0x06, 0x10, 0x11,
                              0x12, 0x13, 0x14, 0x15, 0x16, 0x22};

constexpr bool EverySyndromeHasACase() {
  for (uint8_t known : kKnown) {
    bool found = false;
    for (const SyndromeCase &c : kSyndromes)
      found |= c.syndrome == known;
    if (!found)
      return false;
  }
  return sizeof(kSyndromes) / sizeof(kSyndromes[0]) == sizeof(kKnown);
}
static_assert(EverySyndromeHasACase(), "a syndrome without a case here");

class Syndrome : public ::testing::TestWithParam<SyndromeCase> {};

TEST_P(Syndrome, IsInTheErrorCqe) {
  Pair p(1, 4);
  GetParam().provoke(p);
  mlx5_err_cqe err = (GetParam().at_receiver ? p.bcq : p.acq).WaitErr();
  softhca_fault_free(softhca_fault_set(nullptr));
  EXPECT_EQ(GetParam().at_receiver ? MLX5_CQE_RESP_ERR : MLX5_CQE_REQ_ERR, err.op_own >> 4);
  EXPECT_EQ(GetParam().syndrome, err.syndrome);
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state((GetParam().at_receiver ? p.b : p.a).qp));
}

INSTANTIATE_TEST_SUITE_P(All, Syndrome, ::testing::ValuesIn(kSyndromes),
                         [](const ::testing::TestParamInfo<SyndromeCase> &info) {
                           return std::string(info.param.name);
                         });

TEST(Timeouts, RnrRetriesRunOut) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  a.attr.rnr_retry = 2;
  Connect(a, b);
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("nobody takes this"));
  EXPECT_EQ(MLX5_CQE_SYNDROME_RNR_RETRY_EXC_ERR, acq.WaitErr().syndrome);
}

TEST(Timeouts, RnrIsSurvivedWhenAReceiveComes) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  uint8_t dst[64];
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  Connect(a, b); // rnr_retry 7: forever
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("late"));
  EXPECT_FALSE(hca.Run([&] { return !acq.Empty(); }, 20));
  b.PostRecv(dst, sizeof(dst), dkey);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(4u, be32toh(bcq.Wait().byte_cnt));
}

TEST(Timeouts, RetriesRunOut) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  a.attr.timeout = 4; // 65 us
  Connect(a, b);
  ASSERT_EQ(0, b.To(IBV_QPS_RESET));
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("nobody answers"));
  mlx5_err_cqe err = acq.WaitErr();
  EXPECT_EQ(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, err.syndrome);
  EXPECT_EQ(0x81, err.vendor_err_synd);
}

TEST(Death, ARingThatVanishesKillsTheQueueOnly) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  auto *ring = static_cast<uint8_t *>(
      mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  uint32_t db[2] = {0, htobe32(1)}, qpn;
  struct softhca_qp_create c{};
  softhca_qp *qp = nullptr;
  c.pd = hca.pd;
  c.send_cq = c.recv_cq = acq.cq;
  c.uar = hca.uar;
  c.sq_va = reinterpret_cast<uintptr_t>(ring);
  c.db_va = reinterpret_cast<uintptr_t>(db);
  c.sq_wqes = 64;
  ASSERT_EQ(0, softhca_qp_create(hca.dev, &c, &qp, &qpn));
  Qp b(hca, bcq);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ASSERT_EQ(
      0, softhca_qp_modify(qp, &attr,
                           IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
  attr.qp_state = IBV_QPS_RTR;
  attr.path_mtu = IBV_MTU_1024;
  attr.dest_qp_num = b.qpn;
  attr.ah_attr.dlid = 1;
  ASSERT_EQ(0,
            softhca_qp_modify(qp, &attr,
                              IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                  IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER))
      << softhca_why();
  attr.qp_state = IBV_QPS_RTS;
  ASSERT_EQ(0, softhca_qp_modify(qp, &attr,
                                 IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                     IBV_QP_RNR_RETRY | IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
  munmap(ring, 4096);
  uint64_t doorbell = htobe64(uint64_t{qpn} << 8 | 1 | uint64_t{MLX5_OPCODE_SEND} << 32);
  memcpy(hca.page + 0x800, &doorbell, 8);
  EXPECT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_QP_FATAL) == 1; }));
  EXPECT_EQ(IBV_QPS_ERR, softhca_qp_state(qp));
  EXPECT_EQ(0, softhca_qp_destroy(qp));
}

// ---- memory that is not there, where a fault would not come back ----

struct Gone {
  Gone() {
    page = static_cast<uint8_t *>(
        mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    memset(page, 'x', 4096);
    munmap(page + 4096, 4096);
  }
  ~Gone() { munmap(page, 4096); }
  uint64_t At(size_t offset) const { return reinterpret_cast<uintptr_t>(page) + offset; }
  uint8_t *page;
};

TEST(Copy, AThreadThatBlocksAllSignalsSurvives) {
  Gone gone;
  ASSERT_EQ(0, softhca_copy_install());
  sigset_t all, old;
  sigfillset(&all);
  pthread_sigmask(SIG_BLOCK, &all, &old);
  softhca_lock();
  uint8_t bytes[16] = {};
  EXPECT_EQ(-EFAULT, softhca_copy_in(bytes, gone.At(4092), 8));
  EXPECT_EQ(-EFAULT, softhca_copy_out(gone.At(4096), bytes, 8));
  EXPECT_EQ(0, softhca_copy_in(bytes, gone.At(4088), 8));
  EXPECT_EQ('x', bytes[7]);
  softhca_unlock();
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

void FaultBehindHandlers(int sig) {
  signal(SIGSEGV, [](int) { _exit(3); });
  signal(SIGBUS, [](int) { _exit(4); });
  _exit(softhca_copy_install() || raise(sig));
}

TEST(Copy, FaultsOfTheProgramGoToItsOwnHandlers) {
  testing::FLAGS_gtest_death_test_style = "threadsafe"; // before anybody has installed ours
  EXPECT_EXIT(FaultBehindHandlers(SIGSEGV), testing::ExitedWithCode(3), "");
  EXPECT_EXIT(FaultBehindHandlers(SIGBUS), testing::ExitedWithCode(4), "");
}

void ForbidCrossCopies() {
  // if (nr == process_vm_readv || nr == process_vm_writev) return EPERM; allow
  sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_readv, 1, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_process_vm_writev, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  sock_fprog program = {sizeof(code) / sizeof(code[0]), code};
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
      prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
    _exit(0); // a machine without filters has no such sandbox
}

// In a process of its own: a filter stays.
TEST(Copy, ASandboxThatForbidsItIsGoneAround) {
  const pid_t child = fork();
  if (!child) {
    Gone gone;
    std::vector<uint8_t> big(10000, 'y');
    uint8_t bytes[16] = {};
    alarm(60);
    ForbidCrossCopies();
    if (softhca_copy_by_kernel(gone.At(4092), bytes, 8, true) != -EFAULT ||
        softhca_copy_by_kernel(gone.At(4092), bytes, 8, false) != -EFAULT ||
        softhca_copy_by_kernel(16, bytes, 8, true) != -EFAULT)
      _exit(1);
    if (softhca_copy_by_kernel(gone.At(4000), bytes, 8, true) || bytes[0] != 'x')
      _exit(2);
    std::vector<uint8_t> copy(big.size());
    if (softhca_copy_by_kernel(reinterpret_cast<uintptr_t>(copy.data()), big.data(), big.size(),
                               false) ||
        copy != big)
      _exit(3);
    _exit(0);
  }
  int status;
  ASSERT_EQ(child, waitpid(child, &status, 0));
  EXPECT_EQ(0, status);
}

// What a port announces as max_msg_sz (2^30) is what a request may move; gloo#474 shows the error
// on a card.
TEST(Length, OneByteMoreThanTheLongestMessage) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  uint8_t some[64];
  for (const auto &[more, syndrome] :
       {std::pair<uint32_t, uint8_t>{1, MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR},
        {0, MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR}}) {
    Qp a(hca, acq), b(hca, bcq);
    uint8_t *p = static_cast<uint8_t *>(mmap(nullptr, 1u << 30, PROT_READ | PROT_WRITE,
                                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    ASSERT_NE(MAP_FAILED, static_cast<void *>(p));
    const uint32_t key = hca.Mr(p, 1u << 30, 0);
    Connect(a, b);
    Wqe write = Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(some, 0x777700).Data(p, 1u << 30, key);
    if (more)
      write.Data(p, more, key);
    a.Post(write);
    EXPECT_EQ(syndrome, acq.WaitErr().syndrome) << more;
    munmap(p, 1u << 30);
  }
}

TEST(Sqd, DrainsAndTells) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  uint8_t dst[64];
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  Connect(a, b);
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("first"));
  hca.Run([&] { return !acq.Empty(); }, 5);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_SQD;
  attr.en_sqd_async_notify = 1;
  ASSERT_EQ(0, softhca_qp_modify(a.qp, &attr, IBV_QP_STATE | IBV_QP_EN_SQD_ASYNC_NOTIFY));
  a.Post(Wqe(MLX5_OPCODE_SEND).Inline("second"));
  b.PostRecv(dst, sizeof(dst), dkey);
  b.PostRecv(dst, sizeof(dst), dkey);
  acq.Wait();
  EXPECT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_SQ_DRAINED) == 1; }));
  EXPECT_TRUE(acq.Empty()) << "what came after SQD waits";
  ASSERT_EQ(0, a.To(IBV_QPS_RTS)) << softhca_why();
  acq.Wait();
}

TEST(Sqe, UdSendErrorLeavesTheReceiverAlive) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp a(hca, acq, opt), b(hca, bcq, opt);
  Connect(a, b);
  mlx5_wqe_av av{};
  av.dqp_dct = htobe32(b.qpn | MLX5_EXTENDED_UD_AV);
  av.rlid = htobe16(1);
  a.Post(Wqe(MLX5_OPCODE_SEND).Raw(&av, sizeof(av)).Data(&av, 10, 0x777700));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
  EXPECT_EQ(IBV_QPS_SQE, softhca_qp_state(a.qp));
  a.Post(Wqe(MLX5_OPCODE_SEND).Raw(&av, sizeof(av)).Inline("x"));
  EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, acq.WaitErr().syndrome);
  ASSERT_EQ(0, a.To(IBV_QPS_RTS)) << softhca_why();
  a.Post(Wqe(MLX5_OPCODE_SEND).Raw(&av, sizeof(av)).Inline("x"));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
}

TEST(Srq, LimitOnceAndLastWqe) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Srq srq(hca);
  QpOptions opt;
  opt.srq = srq.srq;
  Qp a(hca, acq), b(hca, bcq, opt);
  uint8_t dst[64];
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  Connect(a, b);
  for (int i = 0; i < 5; i++)
    srq.PostRecv(dst, sizeof(dst), dkey);
  ibv_srq_attr attr{};
  attr.srq_limit = 4;
  ASSERT_EQ(0, softhca_srq_modify(srq.srq, &attr, IBV_SRQ_LIMIT));
  for (int i = 0; i < 4; i++) {
    a.Post(Wqe(MLX5_OPCODE_SEND).Inline("x"));
    acq.Wait();
    EXPECT_EQ(i, be16toh(bcq.Wait().wqe_counter));
  }
  EXPECT_EQ(1u, hca.Count(IBV_EVENT_SRQ_LIMIT_REACHED));
  ASSERT_EQ(0, b.To(IBV_QPS_ERR));
  EXPECT_EQ(1u, hca.Count(IBV_EVENT_QP_LAST_WQE_REACHED));
}

} // namespace
