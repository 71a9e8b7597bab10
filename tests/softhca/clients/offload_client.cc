/* SPDX-License-Identifier: BSD-2-Clause */
// A program over mlx5dv that knows nothing of softhca: keys with signatures and crypto, random
// ones, used locally and by the peer; what mlx5dv_mkey_check() says of errors; data encryption
// keys. On a real card it compares the card with the oracle.
#include <infiniband/mlx5dv.h>
#include <infiniband/verbs.h>
#include <sched.h>

#include <cerrno>
#include <cstdlib>
#include <numeric>
#include <random>

#include "tests/seed/seed.h"
#include "tests/softhca/sig_verbs.h"

namespace {

using oracle::Bytes;
using oracle::Settings;
using oracle::Side;

constexpr size_t kRoom = 1 << 17;
constexpr int kRounds = 60;
constexpr uint32_t kBlocks[] = {512, 520, 4048, 4096, 4160};

class End {
 public:
  void Open(ibv_context *context, ibv_pd *pd) {
    ibv_qp_init_attr_ex init{};
    mlx5dv_qp_init_attr dv{};
    cq = ibv_create_cq(context, 64, nullptr, nullptr, 0);
    init.qp_type = IBV_QPT_RC;
    init.send_cq = init.recv_cq = cq;
    init.pd = pd;
    init.cap = {16, 16, 4, 4, 512};
    init.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
    init.send_ops_flags = IBV_QP_EX_WITH_SEND;
    dv.comp_mask =
        MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS | MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
    // What arrives in a completion libmlx5 copies to the address itself, which such a key does not
    // have.
    dv.create_flags = MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
    dv.send_ops_flags = MLX5DV_QP_EX_WITH_MKEY_CONFIGURE;
    qp = mlx5dv_create_qp(context, &init, &dv);
    ASSERT_NE(nullptr, qp);
    qpx = ibv_qp_to_qp_ex(qp);
    dvx = mlx5dv_qp_ex_from_ibv_qp_ex(qpx);
  }
  void Close() {
    ibv_destroy_qp(qp);
    ibv_destroy_cq(cq);
  }
  void Connect(const End &peer, const ibv_port_attr &port, const ibv_gid &gid) {
    ibv_qp_attr attr{};
    attr.qp_state = IBV_QPS_INIT;
    attr.port_num = 1;
    attr.qp_access_flags = IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
    ASSERT_EQ(0,
              ibv_modify_qp(qp, &attr,
                            IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT | IBV_QP_ACCESS_FLAGS));
    attr.qp_state = IBV_QPS_RTR;
    attr.path_mtu = IBV_MTU_512;
    attr.dest_qp_num = peer.qp->qp_num;
    attr.max_dest_rd_atomic = 4;
    attr.min_rnr_timer = 1;
    attr.ah_attr.port_num = 1;
    attr.ah_attr.dlid = port.lid;
    if (port.link_layer == IBV_LINK_LAYER_ETHERNET) {
      attr.ah_attr.is_global = 1;
      attr.ah_attr.grh = {gid, 0, 3, 64, 0};
    }
    ASSERT_EQ(0,
              ibv_modify_qp(qp, &attr,
                            IBV_QP_STATE | IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN |
                                IBV_QP_RQ_PSN | IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
    attr.qp_state = IBV_QPS_RTS;
    attr.timeout = 14;
    attr.retry_cnt = attr.rnr_retry = 7;
    attr.max_rd_atomic = 4;
    ASSERT_EQ(0, ibv_modify_qp(qp, &attr,
                               IBV_QP_STATE | IBV_QP_SQ_PSN | IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT |
                                   IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC));
  }
  void Wait() {
    ibv_wc wc;
    int n;
    while (!(n = ibv_poll_cq(cq, 1, &wc)))
      sched_yield();
    ASSERT_EQ(1, n);
    ASSERT_EQ(IBV_WC_SUCCESS, wc.status) << ibv_wc_status_str(wc.status);
  }
  void Drain() { // signature errors are taken by the way
    ibv_wc wc;
    for (int i = 0; i < 100; i++, sched_yield())
      EXPECT_EQ(0, ibv_poll_cq(cq, 1, &wc));
  }
  void Post(ibv_wr_opcode opcode, ibv_sge sge, uint64_t raddr = 0, uint32_t rkey = 0) {
    ibv_send_wr wr{}, *bad;
    wr.opcode = opcode;
    wr.send_flags = IBV_SEND_SIGNALED;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.wr.rdma.remote_addr = raddr;
    wr.wr.rdma.rkey = rkey;
    ASSERT_EQ(0, ibv_post_send(qp, &wr, &bad));
  }
  void PostRecv(ibv_sge sge) {
    ibv_recv_wr wr{}, *bad;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    ASSERT_EQ(0, ibv_post_recv(qp, &wr, &bad));
  }

  ibv_cq *cq = nullptr;
  ibv_qp *qp = nullptr;
  ibv_qp_ex *qpx = nullptr;
  mlx5dv_qp_ex *dvx = nullptr;
};

class OffloadClient : public ::testing::Test {
 protected:
  void SetUp() override {
    int n;
    ibv_device **list = ibv_get_device_list(&n);
    mlx5dv_context_attr attr{};
    ibv_port_attr port;
    ibv_gid gid;
    ASSERT_LT(0, n);
    context = mlx5dv_open_device(list[0], &attr);
    ibv_free_device_list(list);
    ASSERT_NE(nullptr, context);
    caps.comp_mask = MLX5DV_CONTEXT_MASK_CRYPTO_OFFLOAD | MLX5DV_CONTEXT_MASK_SIGNATURE_OFFLOAD;
    ASSERT_EQ(0, mlx5dv_query_device(context, &caps));
    pd = ibv_alloc_pd(context);
    coded_mr = ibv_reg_mr(pd, coded.data(), kRoom, kAll);
    plain_mr = ibv_reg_mr(pd, plain.data(), kRoom, kAll);
    ASSERT_EQ(0, ibv_query_port(context, 1, &port));
    ASSERT_EQ(0,
              ibv_query_gid(context, 1, port.link_layer == IBV_LINK_LAYER_ETHERNET ? 3 : 0, &gid));
    a.Open(context, pd);
    b.Open(context, pd);
    a.Connect(b, port, gid);
    b.Connect(a, port, gid);
    dice.seed(segue_test_seed());
  }
  void TearDown() override {
    for (mlx5dv_mkey *key : keys)
      EXPECT_EQ(0, mlx5dv_destroy_mkey(key));
    for (mlx5dv_dek *dek : deks)
      EXPECT_EQ(0, mlx5dv_dek_destroy(dek));
    a.Close();
    b.Close();
    ibv_dereg_mr(coded_mr);
    ibv_dereg_mr(plain_mr);
    EXPECT_EQ(0, ibv_dealloc_pd(pd)) << "something is left";
    ibv_close_device(context);
  }
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(dice() % n); }
  mlx5dv_mkey *Key(uint32_t flags) {
    mlx5dv_mkey_init_attr attr{};
    attr.pd = pd;
    attr.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT | flags;
    attr.max_entries = 4;
    mlx5dv_mkey *key = mlx5dv_create_mkey(&attr);
    EXPECT_NE(nullptr, key) << strerror(errno);
    keys.push_back(key);
    return key;
  }
  mlx5dv_dek *Dek(const Bytes &key, bool tagged = false) {
    mlx5dv_dek_init_attr attr{};
    attr.key_size = key.size() - (tagged ? 8 : 0) == 32 ? MLX5DV_CRYPTO_KEY_SIZE_128
                                                        : MLX5DV_CRYPTO_KEY_SIZE_256;
    attr.has_keytag = tagged;
    attr.key_purpose = MLX5DV_CRYPTO_KEY_PURPOSE_AES_XTS;
    attr.pd = pd;
    memcpy(attr.opaque, "opaque!", 8);
    memcpy(attr.key, key.data(), key.size());
    attr.comp_mask = MLX5DV_DEK_INIT_ATTR_CRYPTO_LOGIN;
    mlx5dv_dek *dek = mlx5dv_dek_create(context, &attr);
    EXPECT_NE(nullptr, dek) << strerror(errno);
    deks.push_back(dek);
    return dek;
  }
  Side RandomSide() {
    Side side;
    side.kind = static_cast<oracle::Kind>(Below(6));
    side.block = kBlocks[Below(5)];
    side.ones = Below(2);
    side.grows = Below(2);
    side.app = static_cast<uint16_t>(dice());
    side.ref = static_cast<uint32_t>(dice());
    return side;
  }
  // What libmlx5 copies of its own accord.
  static void FindCopied(Settings *s) {
    const Side &m = s->mem, &w = s->wire;
    s->sbs = m.kind && m.block == w.block && (m.Dif() ? w.Dif() : m.kind == w.kind);
    if (!s->sbs)
      s->copy = 0;
    else if (m.Dif())
      s->copy = static_cast<uint8_t>((m.kind == w.kind && m.ones == w.ones ? 0xc0 : 0) |
                                     (m.app == w.app ? 0x30 : 0) | (m.ref == w.ref ? 0x0f : 0));
    else
      s->copy = m.Size() == 8 ? 0xff : 0xf0;
  }
  Settings RandomSettings() {
    Settings s;
    s.mem = RandomSide();
    s.wire = Below(3) ? RandomSide() : s.mem;
    if (!s.mem.kind && !s.wire.kind)
      s.mem.kind = oracle::CRC32C;
    FindCopied(&s);
    return s;
  }
  void Configure(mlx5dv_mkey *key, const Settings &s, size_t memory, bool sig = true) {
    mlx5dv_mkey_conf_attr conf{};
    ibv_sge pieces[2] = {
        {Va(coded), static_cast<uint32_t>(memory - memory / 3), coded_mr->lkey},
        {Va(coded) + memory - memory / 3, static_cast<uint32_t>(memory / 3), coded_mr->lkey}};
    ibv_wr_start(a.qpx);
    a.qpx->wr_flags = IBV_SEND_SIGNALED | IBV_SEND_INLINE;
    mlx5dv_wr_mkey_configure(a.dvx, key, static_cast<uint8_t>(2 + sig + s.crypto.on), &conf);
    mlx5dv_wr_set_mkey_access_flags(
        a.dvx, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ);
    mlx5dv_wr_set_mkey_layout_list(a.dvx, 2, pieces);
    oracle::Set(a.dvx, s, sig, deks.empty() ? nullptr : deks.back());
    ASSERT_EQ(0, ibv_wr_complete(a.qpx));
    a.Wait();
  }
  template <class T>
  static uint64_t Va(const T &v) {
    return reinterpret_cast<uintptr_t>(v.data());
  }
  void Out(mlx5dv_mkey *key, uint32_t len) {
    const ibv_sge ours{0, len, key->lkey}, theirs{Va(plain), len, plain_mr->lkey};
    switch (Below(3)) {
    case 0:
      a.Post(IBV_WR_RDMA_WRITE, ours, Va(plain), plain_mr->rkey);
      return a.Wait();
    case 1:
      b.Post(IBV_WR_RDMA_READ, theirs, 0, key->rkey);
      return b.Wait();
    default:
      b.PostRecv(theirs);
      a.Post(IBV_WR_SEND, ours);
      a.Wait();
      b.Wait();
    }
  }
  void In(mlx5dv_mkey *key, uint32_t len) {
    const ibv_sge ours{0, len, key->lkey}, theirs{Va(plain), len, plain_mr->lkey};
    switch (Below(3)) {
    case 0:
      b.Post(IBV_WR_RDMA_WRITE, theirs, 0, key->rkey);
      return b.Wait();
    case 1:
      a.Post(IBV_WR_RDMA_READ, ours, Va(plain), plain_mr->rkey);
      return a.Wait();
    default:
      a.PostRecv(ours);
      b.Post(IBV_WR_SEND, theirs);
      b.Wait();
      a.Wait();
    }
  }
  void Round(mlx5dv_mkey *key, const Settings &s, bool sig = true) {
    size_t raw = 2 + Below(20000);
    while (raw % 2 || !s.Fits(raw))
      raw++;
    Bytes data(raw);
    for (uint8_t &byte : data)
      byte = static_cast<uint8_t>(dice());
    const bool tx = Below(2);
    const Bytes memory = s.Memory(data, tx), wire = s.Wire(data, tx);
    SCOPED_TRACE(std::string(tx ? "out " : "in ") + std::to_string(raw) + ", memory " +
                 std::to_string(s.mem.kind) + "/" + std::to_string(s.mem.block) + ", wire " +
                 std::to_string(s.wire.kind) + "/" + std::to_string(s.wire.block));
    ASSERT_NO_FATAL_FAILURE(Configure(key, s, memory.size(), sig));
    std::fill(coded.begin(), coded.end(), 0);
    std::fill(plain.begin(), plain.end(), 0);
    const Bytes &from = tx ? memory : wire, &want = tx ? wire : memory;
    Bytes &source = tx ? coded : plain, &target = tx ? plain : coded;
    std::copy(from.begin(), from.end(), source.begin());
    if (tx)
      Out(key, static_cast<uint32_t>(wire.size()));
    else
      In(key, static_cast<uint32_t>(wire.size()));
    ASSERT_EQ(want, Bytes(target.begin(), target.begin() + want.size()));
    mlx5dv_mkey_err err{};
    if (sig) {
      ASSERT_EQ(0, mlx5dv_mkey_check(key, &err));
      ASSERT_EQ(MLX5DV_MKEY_NO_ERR, err.err_type);
    }
  }
  bool HasCrypto() {
    return caps.crypto_caps.crypto_engines && !caps.crypto_caps.wrapped_import_method;
  }

  static constexpr int kAll =
      IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ;
  std::mt19937_64 dice;
  ibv_context *context = nullptr;
  mlx5dv_context caps{};
  ibv_pd *pd = nullptr;
  Bytes coded = Bytes(kRoom), plain = Bytes(kRoom);
  ibv_mr *coded_mr = nullptr, *plain_mr = nullptr;
  End a, b;
  std::vector<mlx5dv_mkey *> keys;
  std::vector<mlx5dv_dek *> deks;
};

TEST_F(OffloadClient, Capabilities) {
  EXPECT_EQ(uint64_t{MLX5DV_SIG_PROT_CAP_T10DIF | MLX5DV_SIG_PROT_CAP_CRC},
            caps.sig_caps.block_prot);
  EXPECT_EQ(0x1fu, caps.sig_caps.block_size);
  EXPECT_EQ(0x7u, caps.sig_caps.crc_type);
  EXPECT_EQ(0u, caps.crypto_caps.failed_selftests);
  EXPECT_LT(0u, caps.crypto_caps.log_max_num_deks);
}

TEST_F(OffloadClient, Signatures) {
  mlx5dv_mkey *key = Key(MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE);
  for (int i = 0; i < kRounds && !HasFailure(); i++)
    Round(key, RandomSettings());
}

TEST_F(OffloadClient, Crypto) {
  ASSERT_TRUE(HasCrypto());
  Bytes halves(Below(2) ? 32 : 64);
  std::iota(halves.begin(), halves.end(), 9);
  Dek(halves);
  mlx5dv_mkey *key = Key(MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO);
  mlx5dv_mkey *both =
      Key(MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO | MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE);
  for (int i = 0; i < kRounds && !HasFailure(); i++) {
    Settings s = i % 2 ? RandomSettings() : Settings();
    s.crypto.on = true;
    s.crypto.encrypt_on_tx = Below(2);
    s.crypto.sig_first = s.mem.kind && s.wire.kind ? s.crypto.encrypt_on_tx : Below(2);
    s.crypto.unit = kBlocks[Below(5)];
    s.crypto.key = halves;
    for (uint8_t &byte : s.crypto.tweak)
      byte = static_cast<uint8_t>(dice());
    Round(i % 2 ? both : key, s, i % 2);
  }
}

TEST_F(OffloadClient, ErrorsAreThoseOfTheBlock) {
  for (oracle::Kind kind : {oracle::DIF_CRC, oracle::CRC32, oracle::CRC64}) {
    mlx5dv_mkey *key = Key(MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE);
    Settings s;
    s.mem.kind = kind;
    s.mem.block = 512;
    s.mem.ones = true;
    Bytes memory = oracle::Encode(s.mem, Bytes(1024, 0x11));
    const size_t block = 512 + s.mem.Size();
    memory[block] ^= 1;
    // Twice: the key reports again once it has been configured again.
    for (int i = 0; i < 2; i++) {
      const Bytes changed(memory.begin() + block, memory.begin() + block + 512);
      mlx5dv_mkey_err err{};
      Configure(key, s, memory.size());
      std::copy(memory.begin(), memory.end(), coded.begin());
      Out(key, 1024);
      a.Drain();
      ASSERT_EQ(0, mlx5dv_mkey_check(key, &err));
      ASSERT_EQ(MLX5DV_MKEY_SIG_BLOCK_BAD_GUARD, err.err_type);
      const bool big = s.mem.Dif();
      const auto number = [big](const Bytes &sig, size_t n) {
        uint64_t v = 0;
        for (size_t k = 0; k < n; k++)
          v |= uint64_t{sig[k]} << 8 * (big ? n - 1 - k : k);
        return v;
      };
      const size_t n = big ? 2 : s.mem.Size();
      EXPECT_EQ(number(Bytes(memory.begin() + block + 512, memory.end()), n),
                err.err.sig.expected_value);
      EXPECT_EQ(number(oracle::Signature(s.mem, changed, 1), n), err.err.sig.actual_value);
      EXPECT_EQ(block, err.err.sig.offset);
      ASSERT_EQ(0, mlx5dv_mkey_check(key, &err));
      EXPECT_EQ(MLX5DV_MKEY_NO_ERR, err.err_type) << "told once";
    }
  }
}

TEST_F(OffloadClient, DataEncryptionKeys) {
  ASSERT_TRUE(HasCrypto());
  mlx5dv_dek_attr attr{};
  mlx5dv_dek *dek = Dek(Bytes(72, 7), true);
  ASSERT_EQ(0, mlx5dv_dek_query(dek, &attr));
  EXPECT_EQ(MLX5DV_DEK_STATE_READY, attr.state);
  EXPECT_STREQ("opaque!", attr.opaque);
  EXPECT_EQ(EBUSY, ibv_dealloc_pd(pd)) << "it belongs to it";
  mlx5dv_crypto_login_attr login{};
  EXPECT_EQ(EOPNOTSUPP, mlx5dv_crypto_login(context, &login)) << "keys are not wrapped here";
  enum mlx5dv_crypto_login_state state;
  EXPECT_EQ(0, mlx5dv_crypto_login_query_state(context, &state));
  EXPECT_EQ(MLX5DV_CRYPTO_LOGIN_STATE_NO_LOGIN, state);
  EXPECT_EQ(ENOENT, mlx5dv_crypto_logout(context));
}

} // namespace
