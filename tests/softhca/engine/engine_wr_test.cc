/* SPDX-License-Identifier: BSD-2-Clause */
// Every work request, posted as raw bytes: what reaches memory and what the CQE says.
#include <unistd.h>

#include "segue/gen/enums.h"
#include "tests/softhca/engine/engine_fixture.h"
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

namespace {

using namespace eng;

constexpr uint8_t kSignal = MLX5_WQE_CTRL_CQ_UPDATE;

// Two connected RC queue pairs of one device, with a buffer each.
class Rc : public ::testing::Test {
 protected:
  using Tune = std::function<void(softhca_config *)>;
  explicit Rc(const Tune &tune = nullptr) : hca(tune), a(hca, acq), b(hca, bcq) {
    for (size_t i = 0; i < sizeof(src); i++)
      src[i] = static_cast<uint8_t>(i * 7 + 1);
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    Connect(a, b);
  }
  void ExpectReq(uint8_t opcode) {
    mlx5_cqe64 cqe = acq.Wait();
    ASSERT_EQ(MLX5_CQE_REQ, Opcode(cqe))
        << "syndrome " << int{reinterpret_cast<mlx5_err_cqe *>(&cqe)->syndrome};
    EXPECT_EQ(opcode, be32toh(cqe.sop_drop_qpn) >> 24);
    EXPECT_EQ(a.qpn, be32toh(cqe.sop_drop_qpn) & 0xffffff);
    EXPECT_EQ(a.last_index, be16toh(cqe.wqe_counter));
  }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(64) uint8_t src[20000] = {}, dst[20000] = {};
  uint32_t skey, dkey;
};

TEST_F(Rc, SendFillsTheReceive) {
  b.PostRecv(dst, 5000, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 3000, skey));
  ExpectReq(MLX5_OPCODE_SEND);
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(MLX5_CQE_RESP_SEND, Opcode(cqe));
  EXPECT_EQ(3000u, be32toh(cqe.byte_cnt));
  EXPECT_EQ(b.qpn, be32toh(cqe.sop_drop_qpn));
  EXPECT_EQ(0, memcmp(src, dst, 3000));
  EXPECT_EQ(0, dst[3000]);
}

TEST_F(Rc, SendWithImmediate) {
  b.PostRecv(dst, 64, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND_IMM).Inline("hello").Imm(0xcafe0123));
  ExpectReq(MLX5_OPCODE_SEND_IMM);
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(MLX5_CQE_RESP_SEND_IMM, Opcode(cqe));
  EXPECT_EQ(0xcafe0123u, be32toh(cqe.imm_inval_pkey));
  EXPECT_EQ(5u, be32toh(cqe.byte_cnt));
  EXPECT_EQ("hello", std::string(reinterpret_cast<char *>(dst), 5));
}

// A protocol header in the WQE, then registered memory, as UCX sends.
TEST_F(Rc, InlineHeaderThenData) {
  for (const std::string &header :
       {std::string("h"), std::string("twelve bytes"), std::string(100, 'x')}) {
    const uint32_t len = 9000, all = len + static_cast<uint32_t>(header.size());
    memset(dst, 0, sizeof(dst));
    b.PostRecv(dst, sizeof(dst), dkey);
    a.Post(Wqe(MLX5_OPCODE_SEND).Inline(header).Data(src, 10, skey).Data(src + 10, len - 10, skey));
    ExpectReq(MLX5_OPCODE_SEND);
    ASSERT_EQ(all, be32toh(bcq.Wait().byte_cnt));
    EXPECT_EQ(header, std::string(reinterpret_cast<char *>(dst), header.size()));
    EXPECT_EQ(0, memcmp(src, dst + header.size(), len));
    EXPECT_EQ(0, dst[all]);
  }
}

TEST_F(Rc, SendOfNothing) {
  b.PostRecv(dst, 64, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND));
  ExpectReq(MLX5_OPCODE_SEND);
  EXPECT_EQ(0u, be32toh(bcq.Wait().byte_cnt));
}

TEST_F(Rc, GathersAndScatters) {
  auto seg = [&](uint8_t *p, uint32_t n) {
    return mlx5_wqe_data_seg{htobe32(n), htobe32(dkey), htobe64(reinterpret_cast<uintptr_t>(p))};
  };
  b.PostRecv({seg(dst + 10, 1500), seg(dst + 5000, 100), seg(dst + 8000, 4000)});
  a.Post(Wqe(MLX5_OPCODE_SEND)
             .Data(src, 7, skey)
             .Data(src + 100, 1600, skey)
             .Data(src + 4000, 393, skey));
  ExpectReq(MLX5_OPCODE_SEND);
  EXPECT_EQ(2000u, be32toh(bcq.Wait().byte_cnt));
  std::vector<uint8_t> sent, got;
  for (auto [p, n] : {std::pair(src, 7), {src + 100, 1600}, {src + 4000, 393}})
    sent.insert(sent.end(), p, p + n);
  for (auto [p, n] : {std::pair(dst + 10, 1500), {dst + 5000, 100}, {dst + 8000, 400}})
    got.insert(got.end(), p, p + n);
  EXPECT_EQ(sent, got);
}

TEST_F(Rc, WriteAndWriteImmediate) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 10000, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, memcmp(src, dst, 10000));
  EXPECT_TRUE(bcq.Empty());
  b.PostRecv(nullptr, 0, 0);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE_IMM).Raddr(dst + 10000, dkey).Data(src, 5, skey).Imm(77));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE_IMM);
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(MLX5_CQE_RESP_WR_IMM, Opcode(cqe));
  EXPECT_EQ(77u, be32toh(cqe.imm_inval_pkey));
  EXPECT_EQ(5u, be32toh(cqe.byte_cnt));
}

TEST_F(Rc, Read) {
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(src + 1, skey).Data(dst, 9999, dkey));
  mlx5_cqe64 cqe = acq.Wait();
  EXPECT_EQ(9999u, be32toh(cqe.byte_cnt));
  EXPECT_EQ(0, memcmp(src + 1, dst, 9999));
}

TEST_F(Rc, AtomicsPlain) {
  uint64_t word = 40, old = 0;
  uint32_t wkey = hca.Mr(&word, 8), okey = hca.Mr(&old, 8);
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_FA).Raddr(&word, wkey).Atomic(2, 0).Data(&old, 8, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_FA);
  EXPECT_EQ(42u, word);
  EXPECT_EQ(40u, old);
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_CS).Raddr(&word, wkey).Atomic(7, 41).Data(&old, 8, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_CS);
  EXPECT_EQ(42u, word) << "41 was not there: no swap";
  EXPECT_EQ(42u, old);
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_CS).Raddr(&word, wkey).Atomic(7, 42).Data(&old, 8, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_CS);
  EXPECT_EQ(7u, word);
}

TEST_F(Rc, AtomicsMasked) {
  uint64_t word = 0x1122334455667788, old = 0;
  uint32_t wkey = hca.Mr(&word, 8), okey = hca.Mr(&old, 8);
  // 8 bytes: compare only the low half, replace only the top byte.
  a.Post(
      Wqe(MLX5_OPCODE_ATOMIC_MASKED_CS, 9)
          .Raddr(&word, wkey)
          .Words64({0xAAAAAAAAAAAAAAAA, 0xffffffff55667788, 0xff00000000000000, 0x00000000ffffffff})
          .Data(&old, 8, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_MASKED_CS);
  EXPECT_EQ(0xAA22334455667788u, word);
  EXPECT_EQ(0x1122334455667788u, old);
  // Fields of 32 bits: no carry out of the lower one.
  word = 0x00000001ffffffff;
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_MASKED_FA, 9)
             .Raddr(&word, wkey)
             .Words64({0x0000000100000001, 0x8000000080000000})
             .Data(&old, 8, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_MASKED_FA);
  EXPECT_EQ(0x0000000200000000u, word);
  // 4 bytes.
  word = 5;
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_MASKED_FA, 8)
             .Raddr(&word, wkey)
             .Words32({3, 0, 0, 0})
             .Data(&old, 4, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_MASKED_FA);
  EXPECT_EQ(8u, word);
  EXPECT_EQ(htobe32(5), static_cast<uint32_t>(old))
      << "4 bytes come back most significant byte first";
  a.Post(Wqe(MLX5_OPCODE_ATOMIC_MASKED_CS, 8)
             .Raddr(&word, wkey)
             .Words32({0xff, 8, 0xf, 0xffffffff})
             .Data(&old, 4, okey));
  ExpectReq(MLX5_OPCODE_ATOMIC_MASKED_CS);
  EXPECT_EQ(0xfu, word);
}

TEST_F(Rc, NopAndUnsignalled) {
  a.Post(Wqe(MLX5_OPCODE_NOP));
  ExpectReq(MLX5_OPCODE_NOP);
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, 0).Raddr(dst, dkey).Data(src, 8, skey));
  a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, 0).Raddr(dst + 8, dkey).Data(src + 8, 8, skey));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst + 16, dkey).Data(src + 16, 8, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_TRUE(acq.Empty()) << "only the signaled one completes visibly";
  EXPECT_EQ(0, memcmp(src, dst, 24));
}

TEST_F(Rc, TheRingWraps) {
  for (int i = 0; i < 1000; i++) {
    size_t at = static_cast<size_t>(i) % 100 * 64;
    // 4 to 6 segments: one or two blocks, so that WQEs straddle the end of the ring.
    Wqe w(MLX5_OPCODE_RDMA_WRITE);
    w.Raddr(dst + at, dkey);
    for (int s = 0; s <= i % 5; s++)
      w.Data(src + i + s * 4, 4, skey);
    a.Post(w);
    ExpectReq(MLX5_OPCODE_RDMA_WRITE);
    ASSERT_EQ(0, memcmp(src + i, dst + at, 4 * (i % 5 + 1))) << i;
  }
}

TEST_F(Rc, FencedSendWaitsForTheRead) {
  b.PostRecv(dst + 10000, 64, dkey);
  a.Put(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(src, skey).Data(dst, 8, dkey));
  a.Post(Wqe(MLX5_OPCODE_SEND, 0, kSignal | MLX5_WQE_CTRL_FENCE).Data(dst, 8, dkey));
  acq.Wait();
  acq.Wait();
  bcq.Wait();
  EXPECT_EQ(0, memcmp(src, dst + 10000, 8)) << "the send must carry what the read brought";
}

TEST_F(Rc, MemoryCopy) {
  a.Post(Copy(dst + 19200, dkey, Piece(src, 9000, skey), Piece(dst, 9000, dkey)));
  ExpectReq(MLX5_OPCODE_MMO);
  EXPECT_EQ(0, memcmp(src, dst, 9000));
}

TEST(MemoryCopy, IsNoLongerThanTheDeviceSays) {
  Hca hca([](softhca_config *c) { c->max_memcpy = 64; });
  Cq cq(hca);
  Qp a(hca, cq), b(hca, cq);
  Connect(a, b);
  alignas(64) uint8_t memory[256] = {1, 2, 3};
  const uint32_t key = hca.Mr(memory, sizeof(memory));
  a.Post(Copy(memory + 192, key, Piece(memory, 64, key), Piece(memory + 64, 64, key)));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(cq.Wait()));
  EXPECT_EQ(0, memcmp(memory, memory + 64, 64));
  a.Post(Copy(memory + 192, key, Piece(memory, 65, key), Piece(memory + 65, 65, key)));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_LENGTH_ERR, cq.WaitErr().syndrome);
  EXPECT_NE(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_VALUE))
      << softhca_referee_last(hca.dev);
}

// ---- keys made by work requests ----

TEST_F(Rc, WindowType2BindUseInvalidate) {
  softhca_mkey *mw = nullptr;
  ASSERT_EQ(0, softhca_mw_create(hca.pd, IBV_MW_TYPE_2, &mw));
  uint32_t key = softhca_mkey_key(mw), bound = (key & ~0xffu) | ((key + 1) & 0xff);
  // b owns the window; a writes through it.
  b.Post(
      Bind(key, BindUmr(true, b.qpn, bound & 0xff, dst + 100, 50, kRemoteRw), dkey, dst + 100, 50));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(bcq.Wait()));
  ASSERT_EQ(bound, softhca_mkey_key(mw));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst + 100, bound).Data(src, 50, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, memcmp(src, dst + 100, 50));
  // The peer invalidates it with a send.
  b.PostRecv(dst, 10, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND_INVAL).Inline("x").Imm(bound));
  ExpectReq(MLX5_OPCODE_SEND_INVAL);
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(MLX5_CQE_RESP_SEND_INV, Opcode(cqe));
  EXPECT_EQ(bound, be32toh(cqe.imm_inval_pkey));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst + 100, bound).Data(src, 50, skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
  // No window holds the region any more.
  EXPECT_EQ(0, softhca_mkey_destroy(softhca_mkey_find(hca.dev, dkey))) << softhca_why();
}

TEST_F(Rc, WindowIsSmallerThanItsRegion) {
  softhca_mkey *mw = nullptr;
  ASSERT_EQ(0, softhca_mw_create(hca.pd, IBV_MW_TYPE_1, &mw));
  uint32_t key = softhca_mkey_key(mw);
  b.Post(Bind(key, BindUmr(false, 0, (key + 1) & 0xff, dst + 100, 50, kRemoteRw), dkey, dst + 100,
              50));
  bcq.Wait();
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst + 100, softhca_mkey_key(mw)).Data(src, 51, skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
  EXPECT_NE(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_BOUNDS))
      << softhca_referee_last(hca.dev);
}

TEST_F(Rc, BindWithoutTheRightFails) {
  softhca_mkey *mw = nullptr;
  ASSERT_EQ(0, softhca_mw_create(hca.pd, IBV_MW_TYPE_2, &mw));
  uint32_t plain = hca.Mr(dst, 100, IBV_ACCESS_LOCAL_WRITE);
  a.Post(Bind(softhca_mkey_key(mw), BindUmr(true, a.qpn, 1, dst, 50, kRemoteRw), plain, dst, 50));
  EXPECT_EQ(MLX5_CQE_SYNDROME_MW_BIND_ERR, acq.WaitErr().syndrome);
}

TEST_F(Rc, LocalInvalidate) {
  softhca_mkey *mw = nullptr;
  ASSERT_EQ(0, softhca_mw_create(hca.pd, IBV_MW_TYPE_2, &mw));
  uint32_t key = softhca_mkey_key(mw);
  a.Post(Bind(key, BindUmr(true, a.qpn, key & 0xff, dst, 50, kRemoteRw), dkey, dst, 50));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(UmrWqe(key, BindUmr(true, a.qpn, 0, nullptr, 0, 0)));
  ExpectReq(MLX5_OPCODE_UMR);
  // Bound again under a new name: only possible because it is free now.
  a.Post(Bind(key, BindUmr(true, a.qpn, 9, dst, 50, kRemoteRw), dkey, dst, 50));
  ExpectReq(MLX5_OPCODE_UMR);
  EXPECT_EQ(9u, softhca_mkey_key(mw) & 0xff);
}

class Indirect : public Rc {
 protected:
  explicit Indirect(const Tune &tune = nullptr) : Rc(tune) {
    softhca_mkey_attr attr{};
    attr.mode = SOFTHCA_MKEY_KLM;
    attr.pd = hca.pd;
    attr.free = true;
    attr.umr_en = true;
    attr.qpn = 0xffffff;
    attr.max_klms = 8;
    EXPECT_EQ(0, softhca_mkey_create(hca.dev, &attr, &mkey));
    key = softhca_mkey_key(mkey);
    u.ctrl.flags = MLX5_WQE_UMR_CTRL_FLAG_INLINE;
    u.ctrl.klm_octowords = htobe16(4);
    u.ctrl.mkey_mask = htobe64(MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE |
                               MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE |
                               MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ |
                               MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE);
    u.mkc.access_flags = kRemoteRw | MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE;
    u.mkc.qpn_mkey = htobe32(0xffffff00 | (key & 0xff));
  }
  Umr u;
  softhca_mkey *mkey = nullptr;
  uint32_t key;
};

TEST_F(Indirect, ListOfRanges) {
  u.mkc.len = htobe64(300);
  Wqe w = UmrWqe(key, u);
  w.Data(dst + 1000, 100, dkey).Data(dst, 150, dkey).Data(dst + 5000, 50, dkey).Data(nullptr, 0, 0);
  a.Post(w);
  ExpectReq(MLX5_OPCODE_UMR);
  // Addresses of an indirect key count from 0. A range over all three parts, off by 10 at both
  // ends:
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(reinterpret_cast<void *>(10), key).Data(src, 280, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, memcmp(dst + 1010, src, 90));
  EXPECT_EQ(0, memcmp(dst, src + 90, 150));
  EXPECT_EQ(0, memcmp(dst + 5000, src + 240, 40));
  EXPECT_EQ(0, dst[5040]);
  // As an lkey: the scattered pieces read back in order.
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(dst + 9000, dkey)
             .Data(reinterpret_cast<void *>(10), 280, key));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, memcmp(dst + 9000, src, 280));
  // One byte too far.
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(reinterpret_cast<void *>(10), 291, key));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
}

// A UMR may relax the order of a key.
TEST_F(Indirect, RelaxedOrder) {
  u.mkc.len = htobe64(100);
  u.ctrl.mkey_mask |= htobe64(SEGUE_MKEY_MASK_RELAXED_ORDERING_WRITE |
                              SEGUE_MKEY_MASK_RELAXED_ORDERING_READ);
  a.Post(UmrWqe(key, u).Data(dst, 100, dkey).Words64({0, 0, 0, 0, 0, 0}));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, key).Data(src, 100, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, memcmp(dst, src, 100));
}

// Not on a device that says it cannot change that.
class Ordered : public Indirect {
 protected:
  Ordered() : Indirect([](softhca_config *c) { c->relaxed_umr = false; }) {}
};

TEST_F(Ordered, IsNotRelaxed) {
  u.mkc.len = htobe64(100);
  u.ctrl.mkey_mask |= htobe64(SEGUE_MKEY_MASK_RELAXED_ORDERING_READ);
  a.Post(UmrWqe(key, u).Data(dst, 100, dkey).Words64({0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, acq.WaitErr().syndrome);
  EXPECT_NE(std::string::npos, std::string(softhca_referee_last(hca.dev)).find("PCIe order"))
      << softhca_referee_last(hca.dev);
}

// A key may be longer than its list, and an earlier list longer than that.
TEST_F(Indirect, NothingLiesBehindTheList) {
  u.mkc.len = htobe64(400);
  u.ctrl.klm_octowords = htobe16(8);
  Wqe longer = UmrWqe(key, u);
  for (int i = 0; i < 8; i++)
    longer.Data(dst, 50, dkey);
  a.Post(longer);
  ExpectReq(MLX5_OPCODE_UMR);
  u.ctrl.klm_octowords = htobe16(4);
  a.Post(UmrWqe(key, u).Data(dst, 100, dkey).Data(dst, 50, dkey).Words64({0, 0, 0, 0}));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, key).Data(src, 150, skey));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, key).Data(src, 151, skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
}

TEST_F(Indirect, Interleaved) {
  // 4 repetitions of 8 bytes from src (every 32) and 4 bytes from src + 10000 (every 16).
  mlx5_wqe_umr_repeat_block_seg head{};
  head.byte_count = htobe32(12);
  head.op = htobe32(0x400);
  head.repeat_count = htobe32(4);
  head.num_ent = htobe16(2);
  mlx5_wqe_umr_repeat_ent_seg ent[2] = {
      {htobe16(32), htobe16(8), htobe32(skey), htobe64(reinterpret_cast<uintptr_t>(src))},
      {htobe16(16), htobe16(4), htobe32(skey), htobe64(reinterpret_cast<uintptr_t>(src + 10000))},
  };
  u.mkc.len = htobe64(48);
  uint8_t pad[16] = {};
  a.Post(UmrWqe(key, u).Raw(&head, 16).Raw(ent, 32).Raw(pad, 16));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(nullptr, key).Data(dst, 48, dkey));
  ExpectReq(MLX5_OPCODE_RDMA_READ);
  for (int r = 0; r < 4; r++) {
    EXPECT_EQ(0, memcmp(dst + r * 12, src + r * 32, 8)) << r;
    EXPECT_EQ(0, memcmp(dst + r * 12 + 8, src + 10000 + r * 16, 4)) << r;
  }
}

// A thousand million pieces of one byte: refused at once, not looked at one by one while nothing
// else runs.
TEST_F(Indirect, APieceAByteHasItsLimit) {
  u.mkc.len = htobe64(1u << 30);
  const uint64_t at = reinterpret_cast<uintptr_t>(dst);
  a.Post(UmrWqe(key, u)
             .Words32({1, 0x400, 1u << 30, 1, 1u << 0, dkey, uint32_t(at >> 32), uint32_t(at)})
             .Words64({0, 0, 0, 0}));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(nullptr, key)
             .Data(nullptr, 1u << 30, softhca_null_mkey(hca.dev)));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, acq.WaitErr().syndrome);
  EXPECT_NE(std::string::npos, std::string(softhca_referee_last(hca.dev)).find("pieces"))
      << softhca_referee_last(hca.dev);
}

TEST_F(Indirect, AKeyThatListsItselfIsAnError) {
  u.mkc.len = htobe64(100);
  a.Post(UmrWqe(key, u).Data(nullptr, 100, key).Words64({0, 0, 0, 0, 0, 0}));
  ExpectReq(MLX5_OPCODE_UMR);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(nullptr, 100, key));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
}

TEST_F(Rc, NullKeySwallowsAndGivesZeros) {
  uint32_t null_key = softhca_null_mkey(hca.dev);
  memset(dst, 1, 100);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(nullptr, 100, null_key));
  ExpectReq(MLX5_OPCODE_RDMA_WRITE);
  EXPECT_EQ(0, dst[99]);
  EXPECT_EQ(1, dst[100] + 1);
}

// ---- the other transports ----

TEST(Uc, SendAndWrite) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UC;
  Qp a(hca, acq, opt), b(hca, bcq, opt);
  Connect(a, b);
  uint8_t src[5000], dst[5000] = {};
  memset(src, 0x5a, sizeof(src));
  uint32_t skey = hca.Mr(src, sizeof(src)), dkey = hca.Mr(dst, sizeof(dst));
  b.PostRecv(dst, 100, dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Data(src, 100, skey));
  acq.Wait();
  EXPECT_EQ(100u, be32toh(bcq.Wait().byte_cnt));
  b.PostRecv(dst, 0, dkey);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE_IMM).Raddr(dst, dkey).Data(src, 5000, skey).Imm(3));
  acq.Wait();
  EXPECT_EQ(MLX5_CQE_RESP_WR_IMM, Opcode(bcq.Wait()));
  EXPECT_EQ(0, memcmp(src, dst, 5000));
  a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(dst, dkey).Data(src, 8, skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, acq.WaitErr().syndrome) << "UC has no READ";
  EXPECT_EQ(IBV_QPS_SQE, softhca_qp_state(a.qp));
  EXPECT_EQ(IBV_QPS_RTS, softhca_qp_state(b.qp));
}

TEST(Ud, SendCarriesTheSender) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp a(hca, acq, opt), b(hca, bcq, opt);
  Connect(a, b);
  uint8_t dst[140] = {};
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  b.PostRecv(dst, sizeof(dst), dkey);
  Wqe w(MLX5_OPCODE_SEND_IMM);
  w.Imm(9);
  a.Post(Av(w, uint64_t{0x1234} << 32, b.qpn, Lid(hca)).Inline("datagram"));
  acq.Wait();
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(48u, be32toh(cqe.byte_cnt)) << "40 bytes of GRH count";
  EXPECT_EQ(a.qpn, be32toh(cqe.flags_rqpn) & 0xffffff);
  EXPECT_EQ(Lid(hca), be16toh(cqe.slid));
  EXPECT_EQ("datagram", std::string(reinterpret_cast<char *>(dst) + 40, 8));
}

// One datagram of 10 bytes with this address vector; the CQE and what arrived, GRH and all.
struct Datagram {
  Datagram(enum softhca_link link, mlx5_wqe_av av, bool to_group = false)
      : hca([=](softhca_config *c) { c->link[0] = link; }) {
    QpOptions opt;
    opt.type = SOFTHCA_QP_UD;
    Qp a(hca, acq, opt), b(hca, bcq, opt);
    Connect(a, b);
    const softhca_port &port = hca.dev->port[1];
    ibv_gid group{};
    memset(group.raw, 0x12, sizeof(group.raw));
    group.raw[0] = 0xff;
    // Of our own: every process of the machine may hear it.
    const pid_t pid = getpid();
    memcpy(group.raw + 8, &pid, sizeof(pid));
    memcpy(own.raw, port.gid[link == SOFTHCA_LINK_IB ? 0 : 3].raw, sizeof(own.raw));
    av.key.qkey.qkey = htobe32(0x1234);
    av.dqp_dct = htobe32((to_group ? 0xffffff : b.qpn) | MLX5_EXTENDED_UD_AV);
    av.rlid = htobe16(to_group ? 0xc001 : port.lid);
    memcpy(av.rgid, to_group ? group.raw : own.raw, sizeof(av.rgid));
    if (to_group) {
      EXPECT_EQ(0, softhca_qp_mcast(b.qp, &group, 0xc001, true));
    }
    b.PostRecv(dst, sizeof(dst), hca.Mr(dst, sizeof(dst)));
    hca.Settle();
    a.Post(Wqe(MLX5_OPCODE_SEND).Raw(&av, sizeof(av)).Inline("0123456789"));
    acq.Wait();
    cqe = bcq.Wait();
    softhca_qp_mcast_leave(b.qp);
  }
  unsigned Sl() const { return be32toh(cqe.flags_rqpn) >> 24 & 0xf; }
  unsigned Grh() const { return be32toh(cqe.flags_rqpn) >> 28 & 3; }
  Hca hca;
  Cq acq{hca}, bcq{hca};
  ibv_gid own;
  uint8_t dst[140] = {};
  mlx5_cqe64 cqe;
};

TEST(Ud, InfiniBandTellsTheServiceLevel) {
  mlx5_wqe_av av{};
  av.stat_rate_sl = 11;
  Datagram d(SOFTHCA_LINK_IB, av);
  EXPECT_EQ(11u, d.Sl());
  EXPECT_EQ(0u, d.Grh());
  for (int i = 0; i < 40; i++)
    EXPECT_EQ(0, d.dst[i]) << i;
}

TEST(Ud, InfiniBandWithAGrhTellsBothGids) {
  mlx5_wqe_av av{};
  av.grh_gid_fl = htobe32(1u << 30);
  Datagram d(SOFTHCA_LINK_IB, av);
  EXPECT_EQ(1u, d.Grh());
  EXPECT_EQ(0x60, d.dst[0]);
  EXPECT_EQ(12 + 8 + 12 + 4, d.dst[4] << 8 | d.dst[5]) << "from the BTH to the ICRC";
  EXPECT_EQ(0x1b, d.dst[6]);
  EXPECT_EQ(0, memcmp(d.dst + 8, d.own.raw, 16)) << "sender";
  EXPECT_EQ(0, memcmp(d.dst + 24, d.own.raw, 16)) << "receiver, of the same port here";
}

TEST(Ud, InfiniBandMulticastHasAGrh) {
  mlx5_wqe_av av{};
  av.grh_gid_fl = htobe32(1u << 30);
  Datagram d(SOFTHCA_LINK_IB, av, true);
  EXPECT_EQ(1u, d.Grh());
  EXPECT_EQ(0, memcmp(d.dst + 8, d.own.raw, 16)) << "sender";
  EXPECT_EQ(0xff, d.dst[24]);
  EXPECT_EQ(0x12, d.dst[39]);
}

TEST(Ud, RoceTellsTheTrafficClassInTheIpHeader) {
  mlx5_wqe_av av{};
  av.tclass = 0x6a;
  av.grh_gid_fl = htobe32(1u << 30 | 3u << 20);
  Datagram d(SOFTHCA_LINK_ROCE, av);
  EXPECT_EQ(1u, d.Grh()) << "in front of the data";
  EXPECT_EQ(10u, d.Sl()) << "in its place the kind of packet: UDP over IPv4";
  EXPECT_EQ(0x45, d.dst[20]);
  EXPECT_EQ(0x6a, d.dst[21]);
}

TEST(Ud, WrongQkeyIsDroppedSilently) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  QpOptions opt;
  opt.type = SOFTHCA_QP_UD;
  Qp a(hca, acq, opt), b(hca, bcq, opt);
  Connect(a, b);
  uint8_t dst[140];
  b.PostRecv(dst, sizeof(dst), hca.Mr(dst, sizeof(dst)));
  Wqe w(MLX5_OPCODE_SEND);
  a.Post(Av(w, uint64_t{0x4321} << 32, b.qpn, Lid(hca)).Inline("datagram"));
  acq.Wait();
  hca.Settle();
  EXPECT_TRUE(bcq.Empty());
}

TEST(Xrc, SendNamesTheSrq) {
  Hca hca;
  Cq acq(hca), bcq(hca), scq(hca);
  softhca_xrcd *xrcd = nullptr;
  uint32_t num;
  ASSERT_EQ(0, softhca_xrcd_create(hca.dev, &xrcd, &num));
  Srq srq(hca, 16, &scq, xrcd, 0x777);
  QpOptions ini, tgt;
  ini.type = SOFTHCA_QP_XRC_INI;
  tgt.type = SOFTHCA_QP_XRC_TGT;
  tgt.xrcd = xrcd;
  Qp a(hca, acq, ini), b(hca, bcq, tgt);
  Connect(a, b);
  uint8_t dst[100] = {};
  uint32_t dkey = hca.Mr(dst, sizeof(dst));
  srq.PostRecv(dst, sizeof(dst), dkey);
  a.Post(Wqe(MLX5_OPCODE_SEND).Words32({srq.srqn, 0, 0, 0}).Inline("over xrc"));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  mlx5_cqe64 cqe = scq.Wait();
  EXPECT_EQ(0x777u, be32toh(cqe.srqn_uidx));
  EXPECT_EQ("over xrc", std::string(reinterpret_cast<char *>(dst), 8));
  EXPECT_TRUE(bcq.Empty());
  a.Post(
      Wqe(MLX5_OPCODE_RDMA_WRITE).Words32({srq.srqn, 0, 0, 0}).Raddr(dst, dkey).Inline("written!"));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ("written!", std::string(reinterpret_cast<char *>(dst), 8));
}

TEST(Dc, SendWriteReadAtomic) {
  Hca hca;
  Cq acq(hca), bcq(hca);
  Srq srq(hca);
  QpOptions dci, dct;
  dci.type = SOFTHCA_QP_DCI;
  dct.type = SOFTHCA_QP_DCT;
  dct.srq = srq.srq;
  dct.dckey = 0xfeedULL << 32;
  Qp a(hca, acq, dci), b(hca, bcq, dct);
  EXPECT_EQ(0u, b.qpn) << "a DCT has no number before RTR";
  ASSERT_EQ(0, a.Init());
  ASSERT_EQ(0, b.Init());
  ASSERT_EQ(0, a.Rtr(hca, 0));
  ASSERT_EQ(0, b.Rtr(hca, 0)) << softhca_why();
  ASSERT_EQ(0, a.Rts());
  ASSERT_NE(0u, b.qpn);
  uint64_t word = 5;
  uint8_t dst[3000] = {};
  uint32_t dkey = hca.Mr(dst, sizeof(dst)), wkey = hca.Mr(&word, 8);
  srq.PostRecv(dst, 1000, dkey);
  Wqe send(MLX5_OPCODE_SEND);
  a.Post(Av(send, dct.dckey, b.qpn, Lid(hca)).Inline("to a target"));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  mlx5_cqe64 cqe = bcq.Wait();
  EXPECT_EQ(11u, be32toh(cqe.byte_cnt));
  Wqe fa(MLX5_OPCODE_ATOMIC_FA);
  Av(fa, dct.dckey, b.qpn, Lid(hca)).Raddr(&word, wkey).Atomic(10, 0).Data(dst, 8, dkey);
  a.Post(fa);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(15u, word);
  Wqe rd(MLX5_OPCODE_RDMA_READ);
  Av(rd, dct.dckey, b.qpn, Lid(hca)).Raddr(dst, dkey).Data(dst + 1500, 1500, dkey);
  a.Post(rd);
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(0, memcmp(dst, dst + 1500, 1500));
  Wqe wrong(MLX5_OPCODE_SEND);
  a.Post(Av(wrong, 0xbad, b.qpn, Lid(hca)).Inline("x"));
  EXPECT_NE(0, acq.WaitErr().syndrome) << "a wrong access key";
}

} // namespace
