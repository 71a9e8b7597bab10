/* SPDX-License-Identifier: BSD-2-Clause */
// The commands, with the device linked in and looked into. What a fuzz target found has its regression test here.
#include <infiniband/verbs.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "gtest/gtest.h"
#include "tools/softhca/engine/internal.h"

namespace {

ibv_context *Open() {
  ibv_device **list = ibv_get_device_list(nullptr);
  ibv_context *ctx = list && list[0] ? ibv_open_device(list[0]) : nullptr;
  ibv_free_device_list(list);
  return ctx;
}

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
  void *p = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED)
    GTEST_SKIP() << "no address space for 16 TB";
  errno = 0;
  EXPECT_EQ(nullptr, ibv_reg_mr(pd, p, size, IBV_ACCESS_LOCAL_WRITE));
  EXPECT_EQ(ENOMEM, errno);
  ibv_mr *mr = ibv_reg_mr(pd, p, 1 << 20, IBV_ACCESS_LOCAL_WRITE);
  ASSERT_NE(nullptr, mr);
  EXPECT_EQ(0, ibv_dereg_mr(mr));
  munmap(p, size);
  EXPECT_EQ(0, ibv_dealloc_pd(pd));
  EXPECT_EQ(0, ibv_close_device(ctx));
}

// A program that dies does not leave its groups first; its queue pair must not outlive it all the same.
TEST(Close, QueuePairInAMulticastGroup) {
  ibv_context *ctx = Open();
  ASSERT_NE(nullptr, ctx);
  ibv_pd *pd = ibv_alloc_pd(ctx);
  ibv_cq *cq = ibv_create_cq(ctx, 4, nullptr, nullptr, 0);
  ibv_qp_init_attr init{};
  init.send_cq = init.recv_cq = cq;
  init.qp_type = IBV_QPT_UD;
  init.cap = {4, 4, 1, 1, 0};
  ibv_qp *qp = ibv_create_qp(pd, &init);
  ASSERT_NE(nullptr, qp);
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ASSERT_EQ(0, ibv_modify_qp(qp, &attr, IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_QKEY));
  ibv_gid group{};
  group.raw[0] = 0xff;
  group.raw[1] = 0x12;
  ASSERT_EQ(0, ibv_attach_mcast(qp, &group, 0xc001));
  EXPECT_EQ(1u, QueuePairs());
  ASSERT_EQ(0, close(ctx->cmd_fd));
  EXPECT_EQ(0u, QueuePairs());
}

} // namespace
