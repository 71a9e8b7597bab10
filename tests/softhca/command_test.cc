/* SPDX-License-Identifier: BSD-2-Clause */
// The commands, with the device linked in and looked into. What a fuzz target found has its
// regression test here.
#include <fcntl.h>
#include <infiniband/verbs.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
}

namespace {

[[maybe_unused]] const int two_ports = setenv("SOFTHCA_PORTS", "2", 1);

ibv_context *Open() {
  ibv_device **list = ibv_get_device_list(nullptr);
  ibv_context *ctx = list && list[0] ? ibv_open_device(list[0]) : nullptr;
  ibv_free_device_list(list);
  return ctx;
}

// Not an enumerator: ibv_reg_mr() is a macro, which compares it with one of another enumeration.
const int kWritable = IBV_ACCESS_LOCAL_WRITE;

unsigned QueuePairs() {
  softhca_lock();
  const unsigned n = softhca_dev_by_index(0)->qps.used;
  softhca_unlock();
  return n;
}

TEST(ModifyCq, ChecksAndTakesModeration) {
  ibv_context *ctx = Open();
  ASSERT_NE(nullptr, ctx);
  ibv_device_attr_ex attr{};
  ASSERT_EQ(0, ibv_query_device_ex(ctx, nullptr, &attr));
  EXPECT_EQ(0xffff, attr.cq_mod_caps.max_cq_count);
  EXPECT_EQ(0xfff, attr.cq_mod_caps.max_cq_period);
  ibv_cq *cq = ibv_create_cq(ctx, 4, nullptr, nullptr, 0);
  ibv_modify_cq_attr mod{};
  mod.attr_mask = IBV_CQ_ATTR_MODERATE;
  mod.moderate = {16, 100};
  EXPECT_EQ(0, ibv_modify_cq(cq, &mod));
  mod.moderate = {16, 0x1000};
  EXPECT_EQ(EINVAL, ibv_modify_cq(cq, &mod));
  EXPECT_EQ(0, ibv_destroy_cq(cq));
  EXPECT_EQ(0, ibv_close_device(ctx));
}

// Looking at every page of a huge reservation took minutes, with the device standing still.
TEST(RegMr, MoreThanThereIsMemory) {
  ibv_context *ctx = Open();
  ASSERT_NE(nullptr, ctx);
  ibv_pd *pd = ibv_alloc_pd(ctx);
  const size_t size = size_t{1} << 44;
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                 -1, 0);
  if (p == MAP_FAILED)
    GTEST_SKIP() << "no address space for 16 TB";
  errno = 0;
  EXPECT_EQ(nullptr, ibv_reg_mr(pd, p, size, kWritable));
  EXPECT_EQ(ENOMEM, errno);
  ibv_mr *mr = ibv_reg_mr(pd, p, 1 << 20, kWritable);
  ASSERT_NE(nullptr, mr);
  EXPECT_EQ(0, ibv_dereg_mr(mr));
  munmap(p, size);
  EXPECT_EQ(0, ibv_dealloc_pd(pd));
  EXPECT_EQ(0, ibv_close_device(ctx));
}

// A device and a protection domain.
class Domain : public testing::Test {
 protected:
  void SetUp() override {
    ctx = Open();
    ASSERT_NE(nullptr, ctx);
    pd = ibv_alloc_pd(ctx);
  }
  void TearDown() override {
    EXPECT_EQ(0, ibv_dealloc_pd(pd));
    EXPECT_EQ(0, ibv_close_device(ctx));
  }

  ibv_context *ctx = nullptr;
  ibv_pd *pd = nullptr;
};

// Pinning a page for writing wants a page that may be written; ib_umem_get() of the kernel.
TEST_F(Domain, WhatPinningFinds) {
  const size_t page = 4096, size = 1024 * page;
  auto *p = static_cast<char *>(
      mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(MAP_FAILED, p);
  auto refused = [&](char *at, size_t len, int access) {
    errno = 0;
    ibv_mr *mr = ibv_reg_mr(pd, at, len, access);
    if (!mr)
      return errno;
    EXPECT_EQ(0, ibv_dereg_mr(mr));
    return 0;
  };

  EXPECT_EQ(0, refused(p, size, IBV_ACCESS_LOCAL_WRITE));
  ASSERT_EQ(0, mprotect(p + page, page, PROT_READ));
  EXPECT_EQ(EFAULT, refused(p, 3 * page, IBV_ACCESS_LOCAL_WRITE)) << "a page in the middle";
  EXPECT_EQ(EFAULT, refused(p + page + 8, 8, IBV_ACCESS_LOCAL_WRITE));
  EXPECT_EQ(EFAULT, refused(p + page, 8, IBV_ACCESS_MW_BIND)) << "windows may let others write";
  EXPECT_EQ(0, refused(p, 3 * page, IBV_ACCESS_REMOTE_READ));
  ASSERT_EQ(0, mprotect(p + size - page, page, PROT_NONE));
  EXPECT_EQ(EFAULT, refused(p + 2 * page, size - 2 * page, 0)) << "the last page of a large region";
  ASSERT_EQ(0, mprotect(p + size - page, page, PROT_READ | PROT_WRITE));
  EXPECT_EQ(0, refused(p + 2 * page, size - 2 * page, IBV_ACCESS_LOCAL_WRITE));
  EXPECT_EQ(EINVAL, refused(p, 8, 1 << 18)) << "a flag that does not exist";
  EXPECT_EQ(EOPNOTSUPP, refused(p, 8, 1 << 8)) << "one that mlx5 does not support";
  EXPECT_EQ(EINVAL, refused(p, 8, IBV_ACCESS_REMOTE_WRITE | 1 << 8));
  EXPECT_EQ(EINVAL, refused(p, 0, 0)) << "no page at all";
  EXPECT_EQ(0, refused(p + 8, 0, 0)) << "the page that it begins in";
  ibv_mr *mr = ibv_reg_mr(pd, p, page, kWritable);
  ASSERT_NE(nullptr, mr);
  EXPECT_NE(0, ibv_rereg_mr(mr, IBV_REREG_MR_CHANGE_TRANSLATION, nullptr, p + page, page, 0));
  EXPECT_EQ(EFAULT, errno);
  EXPECT_EQ(0, ibv_dereg_mr(mr));
  munmap(p, size);
}

TEST_F(Domain, ChannelThatIsNone) {
  ibv_comp_channel none{};
  none.context = ctx;
  none.fd = open("/dev/null", O_RDONLY);
  EXPECT_EQ(nullptr, ibv_create_cq(ctx, 4, nullptr, &none, 0));
  EXPECT_EQ(EBADF, errno);
  close(none.fd);
}

// The device lives as long as the last duplicate, also when no descriptor is left to count them
// with.
TEST_F(Domain, DuplicateIsClosedWithoutDescriptorsLeft) {
  const int second = dup(ctx->cmd_fd);
  rlimit before{}, none{};
  ASSERT_LE(0, second);
  ASSERT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
  none.rlim_max = before.rlim_max;
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
  EXPECT_EQ(0, close(second));
  ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &before));
  ibv_pd *another = ibv_alloc_pd(ctx);
  ASSERT_NE(nullptr, another);
  EXPECT_EQ(0, ibv_dealloc_pd(another));
}

// mlx5_ib_create_srq() hands no limit to the device: it is armed by ibv_modify_srq() alone.
TEST_F(Domain, LimitOfASrqAtItsCreationIsNone) {
  ibv_srq_init_attr init{};
  init.attr = {16, 1, 8};
  ibv_srq *srq = ibv_create_srq(pd, &init);
  ASSERT_NE(nullptr, srq);
  ibv_srq_attr attr{};
  ASSERT_EQ(0, ibv_query_srq(srq, &attr));
  EXPECT_EQ(0u, attr.srq_limit);
  EXPECT_EQ(0, ibv_destroy_srq(srq));
}

// A queue pair in INIT on port 1.
class ModifyQp : public Domain {
 protected:
  void SetUp() override {
    ASSERT_NO_FATAL_FAILURE(Domain::SetUp());
    cq = ibv_create_cq(ctx, 4, nullptr, nullptr, 0);
  }
  void TearDown() override {
    if (qp) {
      EXPECT_EQ(0, ibv_destroy_qp(qp));
    }
    EXPECT_EQ(0, ibv_destroy_cq(cq));
    Domain::TearDown();
  }
  void Make(ibv_qp_type type) {
    ibv_qp_init_attr init{};
    init.send_cq = init.recv_cq = cq;
    init.qp_type = type;
    init.cap = {4, 4, 1, 1, 0};
    qp = ibv_create_qp(pd, &init);
    ASSERT_NE(nullptr, qp);
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
                               IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT |
                                   (type == IBV_QPT_UD ? IBV_QP_QKEY : IBV_QP_ACCESS_FLAGS)));
  }
  int Rtr(uint8_t port, uint8_t depth = 0) {
    ibv_qp_attr attr{};
    attr.max_dest_rd_atomic = depth;
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_1024;
    attr.dest_qp_num = qp->qp_num;
    attr.ah_attr.dlid = 1;
    attr.ah_attr.port_num = port;
    return ibv_modify_qp(qp, &attr,
                         IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                             IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER);
  }
  int To(ibv_qp_state state, int mask = 0) {
    ibv_qp_attr attr{};
    attr.qp_state = state;
    return ibv_modify_qp(qp, &attr, IBV_QP_STATE | mask);
  }

  ibv_cq *cq = nullptr;
  ibv_qp *qp = nullptr;
};

// modify_qp() of uverbs compares the path's port with the one that INIT was given.
TEST_F(ModifyQp, PathThroughAnotherPort) {
  Make(IBV_QPT_RC);
  EXPECT_EQ(EINVAL, Rtr(0));
  EXPECT_EQ(EINVAL, Rtr(2));
  EXPECT_EQ(0, Rtr(1));
}

// query_qp_attr() of mlx5_ib reads the device's context, which has less than the program said.
TEST_F(ModifyQp, QueryReadsTheContext) {
  ibv_qp_init_attr init{};
  ibv_qp_attr got{};
  auto set = [&](unsigned access, uint8_t depth) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = access;
    EXPECT_EQ(0, To(IBV_QPS_RESET));
    EXPECT_EQ(0,
              ibv_modify_qp(qp, &attr,
                            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    EXPECT_EQ(0, Rtr(1, depth));
    EXPECT_EQ(0, ibv_query_qp(qp, &got, IBV_QP_ACCESS_FLAGS | IBV_QP_MAX_DEST_RD_ATOMIC, &init));
  };

  Make(IBV_QPT_RC);
  EXPECT_EQ(0, ibv_query_qp(qp, &got, IBV_QP_MAX_QP_RD_ATOMIC, &init));
  EXPECT_EQ(1, got.max_rd_atomic);
  set(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ, 3);
  EXPECT_EQ(unsigned{IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ}, got.qp_access_flags);
  EXPECT_EQ(4, got.max_dest_rd_atomic);
  set(IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ, 0);
  EXPECT_EQ(unsigned{IBV_ACCESS_REMOTE_WRITE}, got.qp_access_flags);
  EXPECT_EQ(1, got.max_dest_rd_atomic);
}

// mlx5_ib has no command that leads to SQD; whoever wants one all the same says sqd=1.
TEST_F(ModifyQp, NoWayToSqd) {
  Make(IBV_QPT_RC);
  ASSERT_EQ(0, Rtr(1));
  ASSERT_EQ(0, To(IBV_QPS_RTS, IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY |
                                   IBV_QP_SQ_PSN | IBV_QP_MAX_QP_RD_ATOMIC));
  EXPECT_EQ(EINVAL, To(IBV_QPS_SQD));
  softhca_lock();
  EXPECT_EQ(IBV_QPS_RTS, softhca_qp_find(softhca_dev_by_index(0), qp->qp_num)->state);
  softhca_unlock();
}

// is_valid_mcast_lid() of the kernel: InfiniBand wants the LID of a group.
TEST_F(ModifyQp, GroupNeedsTheLidOfAGroup) {
  ibv_gid group{};
  group.raw[0] = 0xff;
  group.raw[1] = 0x12;
  Make(IBV_QPT_UD);
  for (uint16_t lid : {0, 1, 0xbfff, 0xffff})
    EXPECT_EQ(EINVAL, ibv_attach_mcast(qp, &group, lid)) << lid;
  for (uint16_t lid : {0xc000, 0xfffe}) {
    EXPECT_EQ(0, ibv_attach_mcast(qp, &group, lid)) << lid;
    EXPECT_EQ(EINVAL, ibv_detach_mcast(qp, &group, 3));
    EXPECT_EQ(0, ibv_detach_mcast(qp, &group, lid)) << lid;
  }
}

// A program that dies does not leave its groups first; its queue pair must not outlive it all the
// same.
TEST(Close, QueuePairInAMulticastGroup) {
  // What libmlx5 keeps of it is never freed; LeakSanitizer finds it from here.
  static ibv_context *const ctx = Open();
  ASSERT_NE(nullptr, ctx);
  ibv_pd *pd = ibv_alloc_pd(ctx);
  ibv_cq *cq = ibv_create_cq(ctx, 4, nullptr, nullptr, 0);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq;
  init.qp_type = IBV_QPT_UD;
  init.cap = {4, 4, 1, 1, 0};
  static ibv_qp *const qp = ibv_create_qp(pd, &init);
  ASSERT_NE(nullptr, qp);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ASSERT_EQ(0,
            ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
  ibv_gid group{};
  group.raw[0] = 0xff;
  group.raw[1] = 0x12;
  ASSERT_EQ(0, ibv_attach_mcast(qp, &group, 0xc001));
  EXPECT_EQ(1u, QueuePairs());
  ASSERT_EQ(0, close(ctx->cmd_fd));
  EXPECT_EQ(0u, QueuePairs());
}

} // namespace
