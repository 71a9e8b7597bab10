/* SPDX-License-Identifier: BSD-2-Clause */
// Queue pair states and masks, argument checks of creators, references, ports; what a doorbell
// costs among many.
#include "tests/softhca/engine/engine_fixture.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/counters.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
}

namespace {

using namespace eng;

constexpr int kInitRc = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS;
constexpr int kRtrRc = IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                       IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
constexpr int kRtsRc = IBV_QP_STATE | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                       IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC;

class QpState : public ::testing::Test {
 protected:
  QpState() : qp(hca, cq) {
    attr.port_num = 1;
    attr.path_mtu = IBV_MTU_1024;
    attr.ah_attr.dlid = 1;
    attr.ah_attr.port_num = 1;
    attr.dest_qp_num = 5;
  }
  int Modify(enum ibv_qp_state to, int mask) {
    attr.qp_state = to;
    return softhca_qp_modify(qp.qp, &attr, mask);
  }
  Hca hca;
  Cq cq{hca};
  Qp qp;
  ibv_qp_attr attr{};
};

TEST_F(QpState, EachRequiredAttributeIsRequired) {
  struct {
    enum ibv_qp_state to;
    int mask;
  } steps[] = {{IBV_QPS_INIT, kInitRc}, {IBV_QPS_RTR, kRtrRc}, {IBV_QPS_RTS, kRtsRc}};
  for (auto &step : steps) {
    for (int bit = 2; bit < 1 << 26; bit <<= 1) { // bit 1 is the state itself
      if (step.mask & bit) {
        EXPECT_EQ(-EINVAL, Modify(step.to, step.mask & ~bit)) << "without 0x" << std::hex << bit;
      }
    }
    EXPECT_EQ(-EINVAL, Modify(step.to, step.mask | IBV_QP_QKEY)) << "RC has no qkey";
    ASSERT_EQ(0, Modify(step.to, step.mask)) << softhca_why();
    EXPECT_EQ(step.to, softhca_qp_state(qp.qp));
  }
}

TEST_F(QpState, NoShortCuts) {
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc));
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc));
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_ERR, IBV_QP_STATE)) << "RESET to ERR does not exist";
  EXPECT_EQ(0, Modify(IBV_QPS_RESET, IBV_QP_STATE));
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_SQE, IBV_QP_STATE));
  EXPECT_EQ(-EINVAL, Modify(static_cast<enum ibv_qp_state>(9), IBV_QP_STATE));
  ASSERT_EQ(0, Modify(IBV_QPS_INIT, kInitRc));
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc));
  ASSERT_EQ(0, Modify(IBV_QPS_ERR, IBV_QP_STATE));
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_INIT, kInitRc));
  ASSERT_EQ(0, Modify(IBV_QPS_RESET, IBV_QP_STATE));
}

TEST_F(QpState, ValuesAreChecked) {
  attr.port_num = 0;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_INIT, kInitRc));
  attr.port_num = 2;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_INIT, kInitRc));
  attr.port_num = 1;
  attr.pkey_index = 100;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_INIT, kInitRc));
  attr.pkey_index = 0;
  ASSERT_EQ(0, Modify(IBV_QPS_INIT, kInitRc));
  attr.path_mtu = static_cast<enum ibv_mtu>(6);
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc));
  attr.path_mtu = IBV_MTU_4096;
  attr.max_dest_rd_atomic = 17;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc));
  attr.max_dest_rd_atomic = 16;
  attr.min_rnr_timer = 32;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc));
  attr.min_rnr_timer = 31;
  attr.ah_attr.dlid = 0;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc)) << "no LID and no GRH";
  attr.ah_attr.is_global = 1;
  attr.ah_attr.grh.dgid.raw[0] = 0xfe;
  attr.ah_attr.grh.sgid_index = 15;
  EXPECT_EQ(-ENODATA, Modify(IBV_QPS_RTR, kRtrRc)) << "an empty GID entry";
  attr.ah_attr.grh.sgid_index = 0;
  attr.dest_qp_num = 1 << 24;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTR, kRtrRc));
  attr.dest_qp_num = 7;
  ASSERT_EQ(0, Modify(IBV_QPS_RTR, kRtrRc)) << softhca_why();
  attr.retry_cnt = 8;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc));
  attr.retry_cnt = 7;
  attr.timeout = 32;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc));
  attr.timeout = 31;
  attr.max_rd_atomic = 17;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc));
}

TEST_F(QpState, QueryTellsWhatWasSet) {
  ASSERT_EQ(0, qp.Init());
  ASSERT_EQ(0, qp.Rtr(hca, 0x99));
  ASSERT_EQ(0, qp.Rts());
  ibv_qp_attr got{};
  ASSERT_EQ(0, softhca_qp_query(qp.qp, &got));
  EXPECT_EQ(IBV_QPS_RTS, got.qp_state);
  EXPECT_EQ(0x99u, got.dest_qp_num);
  EXPECT_EQ(0x100u, got.rq_psn);
  EXPECT_EQ(IBV_MTU_1024, got.path_mtu);
  EXPECT_EQ(7, got.retry_cnt);
  ASSERT_EQ(0, qp.To(IBV_QPS_RESET));
  ASSERT_EQ(0, softhca_qp_query(qp.qp, &got));
  EXPECT_EQ(0u, got.dest_qp_num) << "RESET forgets";
}

TEST_F(QpState, CurStateMustBeTrue) {
  ASSERT_EQ(0, qp.Init());
  ASSERT_EQ(0, qp.Rtr(hca, 5));
  attr.cur_qp_state = IBV_QPS_RTS;
  EXPECT_EQ(-EINVAL, Modify(IBV_QPS_RTS, kRtsRc | IBV_QP_CUR_STATE));
  attr.cur_qp_state = IBV_QPS_RTR;
  EXPECT_EQ(0, Modify(IBV_QPS_RTS, kRtsRc | IBV_QP_CUR_STATE));
}

TEST_F(QpState, ResetStartsOver) {
  Qp peer(hca, cq);
  Connect(qp, peer);
  for (int i = 0; i < 70; i++) {
    qp.Post(Wqe(MLX5_OPCODE_NOP));
    cq.Wait();
  }
  ASSERT_EQ(0, qp.To(IBV_QPS_RESET));
  qp.sq_pi = 0;
  qp.db[0] = qp.db[1] = 0;
  ASSERT_EQ(0, qp.Init());
  ASSERT_EQ(0, qp.Rtr(hca, peer.qpn));
  ASSERT_EQ(0, qp.Rts());
  qp.Post(Wqe(MLX5_OPCODE_NOP));
  EXPECT_EQ(0, be16toh(cq.Wait().wqe_counter));
}

// The responder's failure ends the requester of the same queue pair at once, while its answer is
// still on the way. A program that connects again, with the same packet numbers as programs do,
// must not meet it.
TEST_F(QpState, ResetLeavesNothingOfTheLastLifeOnTheWire) {
  uint8_t memory[64] = {};
  uint32_t key = hca.Mr(memory, sizeof(memory));
  auto connect = [&] {
    ASSERT_EQ(0, qp.Init());
    ASSERT_EQ(0, qp.Rtr(hca, qp.qpn));
    ASSERT_EQ(0, qp.Rts());
  };
  connect();
  qp.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(memory, 0xdeadbe00).Inline("refused"));
  cq.WaitErr();
  ASSERT_EQ(0, qp.To(IBV_QPS_RESET));
  qp.sq_pi = 0;
  qp.db[0] = qp.db[1] = 0;
  connect();
  qp.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(memory, key).Inline("good"));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(cq.Wait()));
  EXPECT_STREQ("good", reinterpret_cast<char *>(memory));
}

TEST(QpRoce, NeedsAGrh) {
  Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
  Cq cq(hca);
  Qp qp(hca, cq);
  ASSERT_EQ(0, qp.Init());
  EXPECT_EQ(-EINVAL, qp.Rtr(hca, 5));
  EXPECT_STREQ("on RoCE an address needs is_global and a GID", softhca_why());
}

TEST(QpCreate, ChecksItsArguments) {
  Hca hca, other([](softhca_config *c) { c->index = 1; });
  Cq cq(hca);
  alignas(64) uint8_t ring[8192];
  uint32_t db[2], qpn;
  softhca_qp *qp = nullptr;
  struct softhca_qp_create good{};
  good.pd = hca.pd;
  good.send_cq = good.recv_cq = cq.cq;
  good.sq_va = good.rq_va = reinterpret_cast<uintptr_t>(ring);
  good.db_va = reinterpret_cast<uintptr_t>(db);
  good.sq_wqes = 64;
  good.rq_wqes = 64;
  good.rq_stride = 64;
  auto expect = [&](int err, const std::function<void(struct softhca_qp_create *)> &change) {
    struct softhca_qp_create c = good;
    change(&c);
    EXPECT_EQ(err, softhca_qp_create(hca.dev, &c, &qp, &qpn)) << softhca_why();
  };
  expect(-EINVAL, [](auto *c) { c->pd = nullptr; });
  expect(-EINVAL, [&](auto *c) { c->pd = other.pd; });
  expect(-EINVAL, [](auto *c) { c->send_cq = nullptr; });
  expect(-EINVAL, [](auto *c) { c->sq_wqes = 48; });
  expect(-EINVAL, [](auto *c) { c->rq_stride = 48; });
  expect(-EINVAL, [](auto *c) { c->rq_wqes = 1 << 20; });
  expect(-EFAULT, [](auto *c) { c->sq_va = 4096; });
  expect(-EFAULT, [](auto *c) { c->db_va = 0; });
  expect(-EINVAL, [](auto *c) { c->type = SOFTHCA_QP_DCT; });
  expect(-EINVAL, [](auto *c) { c->type = SOFTHCA_QP_XRC_TGT; });
  expect(-EINVAL, [](auto *c) { c->type = SOFTHCA_QP_DCI; });
  expect(0, [](auto *) {});
  EXPECT_EQ(0, softhca_qp_destroy(qp));
}

TEST(Limits, NumbersRunOut) {
  Hca hca([](softhca_config *c) { c->max_pd = 3; });
  softhca_pd *pd = nullptr;
  uint32_t pdn;
  EXPECT_EQ(0, softhca_pd_create(hca.dev, &pd, &pdn));
  EXPECT_EQ(0, softhca_pd_create(hca.dev, &pd, &pdn));
  EXPECT_EQ(-ENOMEM, softhca_pd_create(hca.dev, &pd, &pdn));
  EXPECT_EQ(0, softhca_pd_destroy(pd));
  EXPECT_EQ(0, softhca_pd_create(hca.dev, &pd, &pdn));
}

TEST(Mr, ChecksAndReferences) {
  Hca hca;
  softhca_mkey *mr = nullptr;
  uint8_t buf[100];
  uint64_t va = reinterpret_cast<uintptr_t>(buf);
  EXPECT_EQ(-EFAULT, softhca_mr_create(hca.pd, 0x1000, 8192, 0x1000, 0, &mr));
  EXPECT_EQ(-EINVAL, softhca_mr_create(hca.pd, va, UINT64_MAX - 10, va, 0, &mr))
      << "it goes around";
  EXPECT_EQ(-EINVAL, softhca_mr_create(hca.pd, va, 100, va, IBV_ACCESS_REMOTE_WRITE, &mr));
  EXPECT_EQ(-EINVAL, softhca_mr_create(hca.pd, va, 100, va, 1u << 15, &mr)) << "no such flag";
  ASSERT_EQ(0, softhca_mr_create(hca.pd, va, 100, va, IBV_ACCESS_LOCAL_WRITE, &mr));
  EXPECT_EQ(-EBUSY, softhca_pd_destroy(hca.pd));
  uint32_t old = softhca_mkey_key(mr);
  EXPECT_EQ(0, softhca_mr_rereg(mr, IBV_REREG_MR_CHANGE_ACCESS, nullptr, nullptr, 0));
  EXPECT_EQ(old, softhca_mkey_key(mr)) << "mlx5 changes the region in place";
  EXPECT_EQ(-EINVAL, softhca_mr_rereg(mr, 0, nullptr, nullptr, 0));
  EXPECT_EQ(0, softhca_mkey_destroy(mr));
  EXPECT_EQ(0, softhca_pd_destroy(hca.pd));
}

TEST(Mr, OnDemandOnlyWhereAnnounced) {
  Hca hca([](softhca_config *c) { c->odp = false; });
  softhca_mkey *mr = nullptr;
  EXPECT_EQ(-EOPNOTSUPP,
            softhca_mr_create(hca.pd, 0x1000, 8192, 0x1000, IBV_ACCESS_ON_DEMAND, &mr));
}

TEST(Ports, EventsComeOnceAndNameThePort) {
  Hca hca([](softhca_config *c) { c->nports = 2; });
  EXPECT_EQ(0, softhca_port_set(hca.dev, 2, IBV_PORT_DOWN));
  EXPECT_EQ(0, softhca_port_set(hca.dev, 2, IBV_PORT_DOWN));
  ASSERT_EQ(1u, hca.events.size());
  EXPECT_EQ(IBV_EVENT_PORT_ERR, hca.events[0].type);
  EXPECT_EQ(2u, hca.events[0].port);
  EXPECT_EQ(0, softhca_port_set(hca.dev, 2, IBV_PORT_ACTIVE));
  EXPECT_EQ(1u, hca.Count(IBV_EVENT_PORT_ACTIVE));
  EXPECT_EQ(-EINVAL, softhca_port_set(hca.dev, 3, IBV_PORT_DOWN));
  softhca_port_attr one{}, two{};
  ASSERT_EQ(0, softhca_port_query(hca.dev, 1, &one));
  ASSERT_EQ(0, softhca_port_query(hca.dev, 2, &two));
  EXPECT_NE(one.lid, two.lid);
}

TEST(Fatal, EverythingFailsButDestroy) {
  Hca hca;
  Cq cq(hca);
  Qp qp(hca, cq);
  softhca_dev_fatal(hca.dev);
  EXPECT_EQ(1u, hca.Count(IBV_EVENT_DEVICE_FATAL));
  softhca_pd *pd = nullptr;
  uint32_t pdn;
  EXPECT_EQ(-EIO, softhca_pd_create(hca.dev, &pd, &pdn));
  EXPECT_EQ(-EIO, qp.Init());
}

// perfquery -R and its masks: what is not named goes on.
TEST(Traffic, IsClearedByName) {
  Hca hca;
  Cq cq(hca);
  Qp a(hca, cq), b(hca, cq);
  Connect(a, b);
  uint8_t bytes[64] = {};
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(bytes, hca.Mr(bytes, 64)).Inline("counted"));
  cq.Wait();
  softhca_traffic before{}, after{}, which{};
  softhca_traffic_of(hca.dev, 1, &before);
  EXPECT_LT(0u, before.xmit_data);
  EXPECT_LT(0u, before.rcv_data);
  which.xmit_data = 1;
  softhca_traffic_clear(hca.dev, 1, &which);
  softhca_traffic_of(hca.dev, 1, &after);
  EXPECT_EQ(0u, after.xmit_data);
  EXPECT_EQ(before.rcv_data, after.rcv_data);
  EXPECT_EQ(before.unicast_xmit, after.unicast_xmit);
}

// `--dump`: each ring that was written to has a file when it goes, with its bytes.
TEST(Dump, HoldsRingsOfQueuesThatGo) {
  std::string folder = testing::TempDir() + "softhca-dump-XXXXXX";
  ASSERT_NE(nullptr, mkdtemp(folder.data()));
  std::map<std::string, std::vector<uint8_t>> rings;
  {
    Hca hca([&](softhca_config *c) { c->dump = folder.c_str(); });
    Cq cq(hca);
    Qp qp(hca, cq);
    uint8_t bytes[64] = {};
    const uint32_t key = hca.Mr(bytes, sizeof(bytes));
    ASSERT_EQ(0, qp.Init() | qp.Rtr(hca, qp.qpn) | qp.Rts()) << softhca_why();
    qp.PostRecv(bytes, sizeof(bytes), key);
    qp.Post(Wqe(MLX5_OPCODE_SEND).Inline("to itself"));
    cq.Wait();
    cq.Wait();
    char number[16];
    snprintf(number, sizeof(number), "-0x%x-", qp.qpn);
    rings["sq" + std::string(number) + "rc"] = qp.sq;
    rings["rq" + std::string(number) + "stride-64"] = qp.rq;
    snprintf(number, sizeof(number), "-0x%x-", cq.cqn);
    rings["cq" + std::string(number) + "size-64"] = cq.buf;
  }
  for (const auto &file : std::filesystem::directory_iterator(folder)) {
    const std::string path = file.path().string(), name = path.substr(path.rfind("q-0x") - 1);
    std::ifstream in(path, std::ios::binary);
    EXPECT_EQ(1u, rings.count(name)) << name;
    EXPECT_EQ(rings[name],
              std::vector<uint8_t>(std::istreambuf_iterator<char>(in), {}));
    rings.erase(name);
  }
  EXPECT_TRUE(rings.empty()) << rings.begin()->first << " is missing";
  std::filesystem::remove_all(folder);
}

TEST(Multicast, JoinLeaveBusy) {
  Hca hca;
  Cq cq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp qp(hca, cq, opt), rc(hca, cq);
  union ibv_gid gid{};
  EXPECT_EQ(-EINVAL, softhca_qp_mcast(qp.qp, &gid, 0xc000, true));
  gid.raw[0] = 0xff;
  EXPECT_EQ(-EINVAL, softhca_qp_mcast(rc.qp, &gid, 0xc000, true));
  EXPECT_EQ(0, softhca_qp_mcast(qp.qp, &gid, 0xc000, true));
  EXPECT_EQ(0, softhca_qp_mcast(qp.qp, &gid, 0xc000, true));
  EXPECT_EQ(-EBUSY, softhca_qp_destroy(qp.qp));
  EXPECT_EQ(0, softhca_qp_mcast(qp.qp, &gid, 0xc000, false));
  EXPECT_EQ(-EINVAL, softhca_qp_mcast(qp.qp, &gid, 0xc000, false));
}

union ibv_gid Group(uint8_t n) {
  union ibv_gid gid{};
  gid.raw[0] = 0xff;
  gid.raw[15] = n;
  return gid;
}

// As many as the device says: each gets a socket, and what would get none is refused.
TEST(Multicast, NoMoreThanTheCapabilities) {
  unsigned most = 0;
  Hca hca([&](softhca_config *c) { most = c->max_mcast_grp; });
  Cq cq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp qp(hca, cq, opt), other(hca, cq, opt);
  ASSERT_EQ(0, qp.Init());
  for (unsigned n = 0; n < most; n++) {
    const auto gid = Group(uint8_t(n));
    ASSERT_EQ(0, softhca_qp_mcast(n % 2 ? other.qp : qp.qp, &gid, 0xc000, true))
        << n << softhca_why();
  }
  const auto first = Group(0), more = Group(uint8_t(most));
  EXPECT_EQ(-ENOMEM, softhca_qp_mcast(qp.qp, &more, 0xc000, true));
  EXPECT_NE(nullptr, strstr(softhca_why(), "max_mcast_grp")) << softhca_why();
  EXPECT_EQ(0, softhca_qp_mcast(other.qp, &first, 0xc000, true)) << "no group more";
  EXPECT_EQ(0, softhca_qp_mcast(qp.qp, &first, 0xc000, false));
  EXPECT_EQ(-ENOMEM, softhca_qp_mcast(qp.qp, &more, 0xc000, true))
      << "the other one is in it still";
  EXPECT_EQ(0, softhca_qp_mcast(other.qp, &first, 0xc000, false));
  EXPECT_EQ(0, softhca_qp_mcast(qp.qp, &more, 0xc000, true));
  softhca_qp_mcast_leave(qp.qp);
  softhca_qp_mcast_leave(other.qp);
}

TEST(Multicast, NoMoreMembersThanTheCapabilities) {
  Hca hca([](softhca_config *c) { c->max_mcast_qp = 2; });
  Cq cq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp a(hca, cq, opt), b(hca, cq, opt), c(hca, cq, opt);
  const auto gid = Group(1);
  EXPECT_EQ(0, softhca_qp_mcast(a.qp, &gid, 0xc000, true));
  EXPECT_EQ(0, softhca_qp_mcast(b.qp, &gid, 0xc000, true));
  EXPECT_EQ(-ENOMEM, softhca_qp_mcast(c.qp, &gid, 0xc000, true));
  EXPECT_NE(nullptr, strstr(softhca_why(), "max_mcast_qp")) << softhca_why();
  softhca_qp_mcast_leave(a.qp);
  EXPECT_EQ(0, softhca_qp_mcast(c.qp, &gid, 0xc000, true));
  softhca_qp_mcast_leave(b.qp);
  softhca_qp_mcast_leave(c.qp);
}

// 200 queue pairs on one page. Counted is how many are looked at for the doorbells of others.
class Crowd : public ::testing::Test {
 protected:
  static constexpr size_t kMany = 200;

  Crowd() {
    for (size_t i = 0; i < kMany; i++) {
      qps.push_back(std::make_unique<Qp>(hca, cq));
      EXPECT_EQ(0, qps[i]->Init());
      EXPECT_EQ(0, qps[i]->Rtr(hca, qps[i]->qpn));
      EXPECT_EQ(0, qps[i]->Rts());
    }
    hca.Settle();
    before = hca.dev->look.queues;
  }
  void Post(size_t i) { qps[i]->Post(Wqe(MLX5_OPCODE_NOP)); }
  void PostAndSay(size_t i) {
    Post(i);
    softhca_look_rung(qps[i]->qpn);
  }
  uint64_t Looked() const { return hca.dev->look.queues - before; }
  // Whose request completes next.
  uint32_t Next() { return be32toh(cq.Wait().sop_drop_qpn) & SOFTHCA_NUM_MASK; }

  Hca hca;
  Cq cq{hca, 1024};
  std::vector<std::unique_ptr<Qp>> qps;
  uint64_t before = 0;
};

TEST_F(Crowd, WhoSaysThatHeHasRungIsLookedAtAlone) {
  for (const auto i : {0, 150, 7, 199}) {
    PostAndSay(i);
    EXPECT_EQ(qps[i]->qpn, Next());
  }
  hca.Settle();
  EXPECT_EQ(0u, Looked());
}

TEST_F(Crowd, WhoSaysSoAfterItWasSeenIsNotSilent) {
  Post(3);
  EXPECT_EQ(qps[3]->qpn, Next());
  softhca_look_rung(qps[3]->qpn);
  const uint64_t looked = Looked();
  PostAndSay(4);
  EXPECT_EQ(qps[4]->qpn, Next());
  hca.Settle();
  EXPECT_EQ(looked, Looked());
}

TEST_F(Crowd, InSilenceOneIsFoundBehindAnothersDoorbell) {
  Post(120);
  Post(5);
  EXPECT_EQ(qps[5]->qpn, Next());
  EXPECT_EQ(qps[120]->qpn, Next());
  hca.Settle();
  EXPECT_GE(Looked(), kMany);
}

TEST_F(Crowd, ASilentOneIsFoundBehindASaidDoorbell) {
  Post(120); // nobody knows yet that this one is silent: the others are asked before long
  PostAndSay(5);
  EXPECT_EQ(qps[5]->qpn, Next());
  EXPECT_EQ(qps[120]->qpn, Next());
  hca.Settle();
  EXPECT_EQ(0u, Looked());
  Post(121); // now it is known that there are such
  PostAndSay(5);
  EXPECT_EQ(qps[5]->qpn, Next());
  EXPECT_EQ(qps[121]->qpn, Next());
  hca.Settle();
  EXPECT_GE(Looked(), kMany);
  EXPECT_EQ(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_RECORD_NO_DOORBELL));
}

TEST_F(Crowd, AReplacedDoorbellCameBeforeACommand) {
  Post(120);
  PostAndSay(5);
  EXPECT_EQ(0, qps[120]->To(IBV_QPS_ERR));
  EXPECT_EQ(qps[5]->qpn, Next());
  EXPECT_EQ(qps[120]->qpn, Next());
}

// Queue pairs of GPUs may have no doorbell record (send_dbr_mode).
TEST(NoRecord, OnlyDoorbellsHaveTheIndex) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  QpOptions opt;
  opt.no_record = true;
  Qp a(hca, acq, opt), b(hca, bcq);
  Connect(a, b);
  uint8_t bytes[16] = {};
  const uint32_t key = hca.Mr(bytes, sizeof(bytes));
  const auto write = [&] { return Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(bytes, key); };
  a.db[1] = htobe32(9); // nothing reads it
  a.Put(write());
  memcpy(hca.page + 0x800, a.sq.data(), 8); // the register of the others
  hca.Settle();
  EXPECT_TRUE(acq.Empty());
  memcpy(hca.page + 0x600, a.sq.data(), 8); // a WQE
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  Wqe large = write(); // of two blocks
  for (int i = 0; i < 5; i++)
    large.Data(bytes, 1, key);
  a.Put(large);
  memcpy(hca.page + 0x600, &a.sq[64], 8);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  a.Put(write());
  a.Put(write());
  const uint64_t behind = htobe64(uint64_t{a.sq_pi} << 40 | uint64_t{a.qpn} << 8);
  memcpy(hca.page + 0x600, &behind, 8); // the index behind all
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  memcpy(hca.page + 0x600, a.sq.data(), 8); // an old doorbell that comes late
  hca.Settle();
  EXPECT_TRUE(acq.Empty());
  EXPECT_EQ(5, softhca_qp_sent(a.qp));
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

} // namespace
