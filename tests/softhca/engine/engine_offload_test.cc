/* SPDX-License-Identifier: BSD-2-Clause */
// Data through keys with signatures and crypto, every byte compared with an oracle of its own;
// signature errors; what is refused.
#include <cstdlib>
#include <numeric>
#include <random>

#include "tests/seed/seed.h"
#include "tests/softhca/engine/engine_offload.h"

namespace {

using namespace eng;
using oracle::Bytes;
using oracle::Settings;
using oracle::Side;

// ---- the oracle itself, against published values ----

TEST(Oracle, KnowsTheCheckValues) {
  const Bytes text = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(0xd0dbu, oracle::Crc(oracle::DIF_CRC, text, false));
  EXPECT_EQ(0xcbf43926u, oracle::Crc(oracle::CRC32, text, true));
  EXPECT_EQ(0xe3069283u, oracle::Crc(oracle::CRC32C, text, true));
  EXPECT_EQ(0xae8b14860a799888u, oracle::Crc(oracle::CRC64, text, true));
  // RFC 1071, section 3, and its complement.
  EXPECT_EQ(0x220d, oracle::Checksum({0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7}, 0));
}

// IEEE 1619-2007, vectors 4 (its first block) and 15 (17 bytes, a stolen ciphertext).
TEST(Oracle, KnowsTheXtsVectors) {
  const Bytes key = {0x27, 0x18, 0x28, 0x18, 0x28, 0x45, 0x90, 0x45, 0x23, 0x53, 0x60,
                     0x28, 0x74, 0x71, 0x35, 0x26, 0x31, 0x41, 0x59, 0x26, 0x53, 0x58,
                     0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33, 0x83, 0x27, 0x95};
  const uint8_t tweak[16] = {};
  Bytes data(512);
  std::iota(data.begin(), data.end(), 0);
  oracle::Xts(key, tweak, true, data.data(), data.size());
  EXPECT_EQ((Bytes{0x27, 0xa7, 0x47, 0x9b, 0xef, 0xa1, 0xd4, 0x76}),
            Bytes(data.begin(), data.begin() + 8));
}

// ---- two queue pairs, a key with settings on one side ----

constexpr size_t kRoom = 1 << 17;

class Offload : public ::testing::Test {
 protected:
  Offload() : dice(segue_test_seed()) {
    Connect(a, b);
    key = OffloadKey(hca, false, 16);
    crypto_key = OffloadKey(hca, true, 16);
    coded_lkey = hca.Mr(coded.data(), coded.size());
    plain_lkey = hca.Mr(plain.data(), plain.size());
  }
  uint32_t Below(uint32_t n) { return static_cast<uint32_t>(dice() % n); }
  Side RandomSide() {
    static const uint32_t blocks[] = {512, 520, 4048, 4096, 4160};
    Side side;
    side.kind = static_cast<oracle::Kind>(Below(6));
    if (side.kind == oracle::NONE)
      return side;
    side.block = blocks[Below(5)];
    side.ones = Below(2);
    side.grows = Below(2);
    side.app = static_cast<uint16_t>(dice());
    side.ref = static_cast<uint32_t>(dice());
    side.psv = psv[Below(2)];
    return side;
  }
  void RandomCrypto(Settings *s) {
    static const uint32_t units[] = {512, 520, 4048, 4096, 4160};
    const bool both = s->mem.kind && s->wire.kind;
    s->crypto.on = true;
    s->crypto.encrypt_on_tx = Below(2);
    // the other orders are for one domain
    s->crypto.sig_first = both ? s->crypto.encrypt_on_tx : Below(2);
    s->crypto.unit = units[Below(5)];
    for (uint8_t &byte : s->crypto.tweak)
      byte = Below(4) ? 0xff : static_cast<uint8_t>(dice());
    s->crypto.key = keys[Below(2)];
    s->crypto.dek = s->crypto.key.size() == 32 ? deks[0] : deks[1];
  }
  Settings RandomSettings(bool crypto) {
    Settings s;
    s.mem = RandomSide();
    s.wire = RandomSide();
    if (Below(3) == 0 && s.mem.kind) { // the same structure, parts are copied
      const Side mem = s.mem;
      s.wire.kind = mem.kind;
      s.wire.block = mem.block;
      s.sbs = true;
      s.copy = static_cast<uint8_t>(dice());
    }
    if (crypto)
      RandomCrypto(&s);
    return s;
  }
  Bytes RandomData(const Settings &s) {
    size_t len = 1 + Below(Below(4) ? 12000 : 60000);
    while (!s.Fits(len) || len % 2) // words, for the checksum
      len++;
    Bytes data(len);
    const bool zeros = !Below(8);
    for (uint8_t &byte : data)
      byte = zeros ? 0 : static_cast<uint8_t>(dice());
    return data;
  }
  // Cuts `len` bytes of the coded side's memory into pieces.
  std::vector<ibv_sge> Pieces(size_t len) {
    std::vector<ibv_sge> list;
    uint64_t at = reinterpret_cast<uintptr_t>(coded.data());
    while (len) {
      const uint32_t n =
          list.size() == 7 ? static_cast<uint32_t>(len) : 1 + Below(static_cast<uint32_t>(len));
      list.push_back({at, n, coded_lkey});
      at += n;
      len -= n;
    }
    return list;
  }
  uint32_t Key(const Settings &s) { return softhca_mkey_key(s.crypto.on ? crypto_key : key); }
  void Configure(const Settings &s, size_t memory, uint8_t expected = 1) {
    a.Post(OffloadUmr(s.crypto.on ? crypto_key : key, Pieces(memory), s.Bsf(), expected));
    Good(acq, MLX5_CQE_REQ);
  }
  void Good(Cq &cq, uint8_t opcode) {
    mlx5_cqe64 cqe = cq.Wait();
    ASSERT_EQ(opcode, Opcode(cqe))
        << "syndrome " << int{reinterpret_cast<mlx5_err_cqe *>(&cqe)->syndrome} << ", "
        << softhca_referee_last(hca.dev);
  }
  // Out of the key's memory to the other side: by a local or a remote access.
  void Out(const Settings &s, uint32_t wire, unsigned how) {
    switch (how % 3) {
    case 0: // WRITE from it
      a.Post(
          Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(plain.data(), plain_lkey).Data(nullptr, wire, Key(s)));
      return Good(acq, MLX5_CQE_REQ);
    case 1: // the peer READs it
      b.Post(
          Wqe(MLX5_OPCODE_RDMA_READ).Raddr(nullptr, Key(s)).Data(plain.data(), wire, plain_lkey));
      return Good(bcq, MLX5_CQE_REQ);
    default: // SEND
      b.PostRecv(plain.data(), wire, plain_lkey);
      a.Post(Wqe(MLX5_OPCODE_SEND).Data(nullptr, wire, Key(s)));
      Good(acq, MLX5_CQE_REQ);
      return Good(bcq, MLX5_CQE_RESP_SEND);
    }
  }
  void In(const Settings &s, uint32_t wire, unsigned how) {
    switch (how % 3) {
    case 0: // the peer WRITEs to it
      b.Post(
          Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, Key(s)).Data(plain.data(), wire, plain_lkey));
      return Good(bcq, MLX5_CQE_REQ);
    case 1: // READ into it
      a.Post(
          Wqe(MLX5_OPCODE_RDMA_READ).Raddr(plain.data(), plain_lkey).Data(nullptr, wire, Key(s)));
      return Good(acq, MLX5_CQE_REQ);
    default:
      a.PostRecv(nullptr, wire, Key(s));
      b.Post(Wqe(MLX5_OPCODE_SEND).Data(plain.data(), wire, plain_lkey));
      Good(bcq, MLX5_CQE_REQ);
      return Good(acq, MLX5_CQE_RESP_SEND);
    }
  }
  static std::string Name(const Settings &s, size_t raw, bool tx) {
    char text[256];
    snprintf(text, sizeof(text),
             "%s, %zu bytes, memory %d/%u, wire %d/%u, sbs %d copy 0x%x, crypto %d unit %u tx %d "
             "first %d",
             tx ? "out" : "in", raw, s.mem.kind, s.mem.block, s.wire.kind, s.wire.block, s.sbs,
             s.copy, s.crypto.on, s.crypto.unit, s.crypto.encrypt_on_tx, s.crypto.sig_first);
    return text;
  }
  void Round(bool crypto) {
    const Settings s = RandomSettings(crypto);
    const Bytes data = RandomData(s);
    const bool tx = Below(2);
    const Bytes memory = s.Memory(data, tx), wire = s.Wire(data, tx);
    SCOPED_TRACE(Name(s, data.size(), tx));
    ASSERT_LE(memory.size(), kRoom);
    ASSERT_NO_FATAL_FAILURE(Configure(s, memory.size()));
    std::fill(coded.begin(), coded.end(), 0xee);
    std::fill(plain.begin(), plain.end(), 0xee);
    std::copy(tx ? memory.begin() : wire.begin(), tx ? memory.end() : wire.end(),
              tx ? coded.begin() : plain.begin());
    if (tx)
      Out(s, static_cast<uint32_t>(wire.size()), Below(3));
    else
      In(s, static_cast<uint32_t>(wire.size()), Below(3));
    const Bytes &want = tx ? wire : memory, &room = tx ? plain : coded;
    for (size_t i = 0; i < want.size(); i++)
      ASSERT_EQ(want[i], room[i]) << "byte " << i << " of " << want.size();
    ASSERT_EQ(0xee, room[want.size()]);
    EXPECT_STREQ("", softhca_referee_last(hca.dev));
  }

  std::mt19937_64 dice;
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a{hca, acq}, b{hca, bcq};
  Bytes coded = Bytes(kRoom), plain = Bytes(kRoom);
  softhca_mkey *key, *crypto_key;
  uint32_t coded_lkey, plain_lkey, psv[2] = {Psv(hca), Psv(hca)};
  Bytes keys[2] = {Bytes(32, 0x5a), Bytes(64, 0xc3)};
  uint32_t deks[2];

  void SetUp() override {
    for (unsigned i = 0; i < 2; i++) {
      std::iota(keys[i].begin(), keys[i].end(), static_cast<uint8_t>(17 * i + 3));
      deks[i] = Dek(hca, keys[i]);
    }
  }
};

TEST_F(Offload, SignaturesAreMadeCheckedStrippedAndCopied) {
  for (int i = 0; i < 200 && !HasFailure(); i++)
    Round(false);
}

TEST_F(Offload, DataAreEncrypted) {
  for (int i = 0; i < 150 && !HasFailure(); i++)
    Round(true);
}

// ---- signature errors ----

// As rdma-core's providers/mlx5/cq.c reads it (struct mlx5_sigerr_cqe).
struct SigErr {
  uint64_t expected, actual, offset;
  uint32_t mkey;
  uint16_t syndrome;
  uint8_t type, domain;

  explicit SigErr(const mlx5_cqe64 &cqe) {
    const uint8_t *p = reinterpret_cast<const uint8_t *>(&cqe);
    const auto be = [p](unsigned at, unsigned n) {
      uint64_t v = 0;
      for (unsigned i = 0; i < n; i++)
        v = v << 8 | p[at + i];
      return v;
    };
    expected = be(16, 4) << 32 | be(24, 4);
    actual = be(20, 4) << 32 | be(28, 4);
    syndrome = static_cast<uint16_t>(be(32, 2));
    type = p[34];
    domain = p[35];
    mkey = static_cast<uint32_t>(be(36, 4));
    offset = be(40, 8);
  }
};

// A signature as the values of a completion have it: at the top of 64 bits.
uint64_t Value(const Side &side, const Bytes &sig) {
  uint64_t v = 0;
  for (size_t i = 0; i < sig.size(); i++)
    v |= uint64_t{sig[i]} << 8 * (side.Dif() ? 7 - i : 8 - sig.size() + i);
  return v;
}

class SigErrors : public Offload {
 protected:
  static Side Dif() {
    Side side;
    side.kind = oracle::DIF_CRC;
    side.block = 512;
    side.app = 0x1234;
    side.ref = 100;
    side.grows = true;
    return side;
  }
  Bytes Three() {
    Bytes data(3 * 512);
    for (uint8_t &byte : data)
      byte = static_cast<uint8_t>(dice());
    return data;
  }
  // Sends `memory` through a key with that side in memory; what there is beside the good
  // completion.
  std::vector<SigErr> Errors(const Side &side, const Bytes &memory, uint8_t check = 0xff,
                             uint8_t expected = 1) {
    Settings s;
    std::vector<SigErr> errors;
    s.mem = side;
    s.mem.psv = psv[0];
    s.check = check;
    Configure(s, memory.size(), expected);
    std::copy(memory.begin(), memory.end(), coded.begin());
    a.Post(
        Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(plain.data(), plain_lkey).Data(nullptr, 3 * 512, Key(s)));
    for (;;) {
      const mlx5_cqe64 cqe = acq.Wait();
      if (Opcode(cqe) != MLX5_CQE_SIG_ERR) {
        EXPECT_EQ(MLX5_CQE_REQ, Opcode(cqe));
        return errors;
      }
      errors.emplace_back(cqe);
    }
  }
};

TEST_F(SigErrors, OfEveryKindSayWhatIsWrongAndWhere) {
  for (oracle::Kind kind :
       {oracle::DIF_CRC, oracle::DIF_SUM, oracle::CRC32, oracle::CRC32C, oracle::CRC64}) {
    SCOPED_TRACE(kind);
    Side side = Dif();
    side.kind = kind;
    Bytes data = Three(), memory = oracle::Encode(side, data);
    const size_t block = 512 + side.Size();
    const Bytes before(memory.begin() + block + 512, memory.begin() + 2 * block);
    memory[block + 300] ^= 0x40;
    Bytes changed(memory.begin() + block, memory.begin() + block + 512);
    key = OffloadKey(hca, false, 16);
    const std::vector<SigErr> errors = Errors(side, memory);
    ASSERT_EQ(1u, errors.size());
    EXPECT_EQ(Value(side, before), errors[0].expected); // what the signature says
    EXPECT_EQ(Value(side, oracle::Signature(side, changed, 1)), errors[0].actual);
    EXPECT_EQ(block, errors[0].offset);
    EXPECT_EQ(0x2000, errors[0].syndrome);
    EXPECT_EQ(0, errors[0].type);
    EXPECT_EQ(1, errors[0].domain);
    EXPECT_EQ(softhca_mkey_key(key), errors[0].mkey);
    EXPECT_EQ(memory[block + 300], plain[512 + 300]) << "the data pass all the same";
  }
}

TEST_F(SigErrors, NameTheFirstFieldThatIsWrong) {
  const Bytes data = Three();
  struct {
    size_t at;
    uint16_t syndrome;
  } const cases[] = {{520 + 512, 0x2000}, {520 + 514, 0x1000}, {520 + 519, 0x0800}};
  Bytes all = oracle::Encode(Dif(), data);
  for (const auto &c : cases) {
    Bytes memory = oracle::Encode(Dif(), data);
    memory[c.at] ^= 1;
    all[c.at] ^= 1;
    key = OffloadKey(hca, false, 16);
    const std::vector<SigErr> errors = Errors(Dif(), memory);
    ASSERT_EQ(1u, errors.size()) << c.at;
    EXPECT_EQ(c.syndrome, errors[0].syndrome);
    // Who does not look at that byte sees nothing: bits 7 to 0 are the bytes in order.
    EXPECT_EQ(0u,
              Errors(Dif(), memory, static_cast<uint8_t>(~(0x80 >> (c.at - 520 - 512))), 0).size());
  }
  key = OffloadKey(hca, false, 16);
  const std::vector<SigErr> errors = Errors(Dif(), all);
  ASSERT_EQ(1u, errors.size());
  EXPECT_EQ(0x2000, errors[0].syndrome);
}

TEST_F(SigErrors, DoNotConcernEscapedBlocks) {
  for (uint8_t escapes : {0, 1, 2}) {
    for (bool ref : {false, true}) {
      Side side = Dif();
      side.escapes = escapes;
      Bytes memory = oracle::Encode(side, Three());
      memory[520 + 100] ^= 1;
      memory[520 + 514] = memory[520 + 515] = 0xff;
      if (ref)
        std::fill_n(memory.begin() + 520 + 516, 4, 0xff);
      key = OffloadKey(hca, false, 16);
      EXPECT_EQ(escapes == 1 || (escapes == 2 && ref) ? 0u : 1u, Errors(side, memory).size())
          << int{escapes} << ref;
    }
  }
}

// The first one; then the next one when a UMR has said that it was seen, by the parity of their
// number.
TEST_F(SigErrors, AreReportedOneAtATime) {
  Bytes memory = oracle::Encode(Dif(), Three());
  memory[0] ^= 1;
  memory[600] ^= 1;
  EXPECT_EQ(1u, Errors(Dif(), memory, 0xff, 1).size());
  EXPECT_EQ(0u, Errors(Dif(), memory, 0xff, 1).size());
  EXPECT_EQ(1u, Errors(Dif(), memory, 0xff, 0).size());
  EXPECT_EQ(0u, Errors(Dif(), memory, 0xff, 0).size());
  EXPECT_EQ(1u, Errors(Dif(), memory, 0xff, 1).size());
}

TEST_F(SigErrors, OfWhatArrivesAreTheReceiversAndAboutTheWire) {
  Settings s;
  s.wire = Dif();
  Bytes wire = oracle::Encode(s.wire, Three());
  wire[2 * 520 + 5] ^= 1;
  std::copy(wire.begin(), wire.end(), plain.begin());
  Configure(s, 3 * 512);
  b.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(nullptr, Key(s))
             .Data(plain.data(), static_cast<uint32_t>(wire.size()), plain_lkey));
  Good(bcq, MLX5_CQE_REQ);
  const mlx5_cqe64 cqe = acq.Wait();
  ASSERT_EQ(MLX5_CQE_SIG_ERR, Opcode(cqe));
  EXPECT_EQ(0, SigErr(cqe).domain);
  EXPECT_EQ(2 * 520u, SigErr(cqe).offset);
  EXPECT_TRUE(bcq.Empty());
}

TEST_F(SigErrors, StayInTheProtectionSignatureValue) {
  const auto check = [this] {
    // CHECK_PSV
    a.Post(
        Wqe(0x22).Words64({0, 0}).Words32({1, plain_lkey}).Words64({0}).Words32({psv[0], 0, 0, 0}));
  };
  Bytes memory = oracle::Encode(Dif(), Three());
  EXPECT_EQ(0u, Errors(Dif(), memory).size());
  check();
  Good(acq, MLX5_CQE_REQ);
  memory[7] ^= 1;
  EXPECT_EQ(1u, Errors(Dif(), memory).size());
  a.Post(SetPsv(psv[0], 0));
  Good(acq, MLX5_CQE_REQ);
  check();
  Good(acq, MLX5_CQE_REQ);
  EXPECT_EQ(1u, Errors(Dif(), memory, 0xff, 0).size());
  check();
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
}

// Between the request that meets the error and the next one with a fence the queue stops; put back
// into RTS it goes on.
TEST_F(SigErrors, StopAQueueWithPipelining) {
  Qp c(hca, acq), d(hca, bcq);
  ASSERT_EQ(0, c.Init());
  ASSERT_EQ(0, softhca_qp_drain_sigerr(c.qp, true));
  ASSERT_EQ(0, d.Init());
  ASSERT_EQ(0, c.Rtr(hca, d.qpn));
  ASSERT_EQ(0, d.Rtr(hca, c.qpn));
  EXPECT_EQ(-EINVAL, softhca_qp_drain_sigerr(c.qp, true)) << "only in INIT";
  ASSERT_EQ(0, c.Rts());
  ASSERT_EQ(0, d.Rts());
  Settings s;
  s.mem = Dif();
  Bytes memory = oracle::Encode(s.mem, Three());
  memory[0] ^= 1;
  Configure(s, memory.size());
  std::copy(memory.begin(), memory.end(), coded.begin());
  d.PostRecv(plain.data() + 4096, 64, plain_lkey);
  c.Put(Wqe(MLX5_OPCODE_RDMA_WRITE, 0, 0)
            .Raddr(plain.data(), plain_lkey)
            .Data(nullptr, 3 * 512, Key(s)));
  const uint16_t answer = c.sq_pi;
  c.Put(Wqe(MLX5_OPCODE_SEND, 0, MLX5_WQE_CTRL_CQ_UPDATE | MLX5_WQE_CTRL_FENCE)
            .Data(plain.data(), 16, plain_lkey));
  c.Ring();
  Good(acq, MLX5_CQE_SIG_ERR);
  EXPECT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_SQ_DRAINED) == 1; }));
  EXPECT_EQ(IBV_QPS_SQD, softhca_qp_state(c.qp));
  EXPECT_EQ(answer, softhca_qp_sent(c.qp));
  hca.Settle();
  EXPECT_TRUE(acq.Empty());
  EXPECT_TRUE(bcq.Empty());
  ASSERT_EQ(0, c.To(IBV_QPS_RTS));
  Good(acq, MLX5_CQE_REQ);
  Good(bcq, MLX5_CQE_RESP_SEND);
}

// ---- what is refused ----

class Refused : public SigErrors {
 protected:
  // An error that a request of a's ends with; the rule it broke, and a word of the sentence.
  void Fails(const Wqe &w, uint8_t syndrome, softhca_rule rule, const char *word) {
    const uint64_t before = softhca_referee_count(hca.dev, rule);
    a.Post(w);
    EXPECT_EQ(syndrome, acq.WaitErr().syndrome) << word;
    EXPECT_EQ(before + 1, softhca_referee_count(hca.dev, rule)) << word;
    EXPECT_NE(nullptr, strstr(softhca_referee_last(hca.dev), word))
        << softhca_referee_last(hca.dev);
    Again();
  }
  void Again() {
    a.To(IBV_QPS_RESET);
    b.To(IBV_QPS_RESET);
    for (Qp *qp : {&a, &b})
      qp->sq_pi = qp->rq_pi = 0, qp->db[0] = qp->db[1] = 0;
    hca.Settle();
    while (acq.Poll() || bcq.Poll()) {
    }
    Connect(a, b);
  }
  Wqe WriteFrom(const Settings &s, uint64_t at = 0, uint32_t len = 512) {
    return Wqe(MLX5_OPCODE_RDMA_WRITE)
        .Raddr(plain.data(), plain_lkey)
        .Data(reinterpret_cast<void *>(at), len, Key(s));
  }
  Settings Crypto() {
    Settings s;
    s.crypto.on = true;
    s.crypto.unit = 512;
    s.crypto.key = keys[0];
    s.crypto.dek = deks[0];
    return s;
  }
};

TEST_F(Refused, ByteStreamFormatsThatMeanNothing) {
  struct {
    const char *word;
    softhca_rule rule;
    size_t at; // byte of the first format that is changed
    uint8_t to;
  } const cases[] = {
      {"bsf.bsf_size: found 0x1, expected 0x3", SOFTHCA_RULE_SEGMENT, 0, 0x40},
      {"bsf.bsf_type: found 0x1, expected 0x0", SOFTHCA_RULE_SEGMENT, 0, 0xc1},
      {"a signature needs blocks", SOFTHCA_RULE_VALUE, 3, 0},
      {"not modelled", SOFTHCA_RULE_VALUE, 16, 1},
      {"type of a T10-DIF guard", SOFTHCA_RULE_VALUE, 48 + 8, 3},
      {"does not repeat", SOFTHCA_RULE_VALUE, 48 + 9, 0x08},
      {"names no checksum", SOFTHCA_RULE_VALUE, 8, 0x10},
      {"differ in size", SOFTHCA_RULE_VALUE, 0, 0xd0},
      {"data units have", SOFTHCA_RULE_VALUE, 64 + 8, 0},
      {"crypto_bsf.enc_order: found 0x7, expected ENCRYPTED_WIRE_SIGNATURE", SOFTHCA_RULE_VALUE,
       64 + 1, 7},
  };
  Settings s = Crypto();
  s.mem = Dif();
  for (const auto &c : cases) {
    Bytes bsf = s.Bsf();
    bsf[c.at] = c.to;
    Fails(OffloadUmr(crypto_key, Pieces(1040), bsf), MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, c.rule,
          c.word);
  }
  s.wire = s.mem;
  s.crypto.encrypt_on_tx = true; // and crypto first
  Fails(OffloadUmr(crypto_key, Pieces(1040), s.Bsf()), MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR,
        SOFTHCA_RULE_VALUE, "does not go with signatures in both");
  s.crypto.encrypt_on_tx = false;
  softhca_mkey *small = OffloadKey(hca, false, 8, 4);
  Fails(OffloadUmr(small, Pieces(1040), s.Bsf()), MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR,
        SOFTHCA_RULE_BOUNDS, "was created for 4");
  Wqe cut = OffloadUmr(crypto_key, Pieces(1040), s.Bsf());
  cut.body.resize(cut.body.size() - 64);
  Fails(cut, MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, SOFTHCA_RULE_DS, "found the end of the WQE");
}

TEST_F(Refused, KeysWithoutWhatTheyWereMadeFor) {
  Settings s = Crypto();
  Configure(s, 1024);
  Fails(WriteFrom(s, 0, 2048), MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_BOUNDS,
        "on the wire are");
  Fails(WriteFrom(s, UINT64_MAX - 5), MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_ACCESS,
        "outside of the key");
  s.crypto.dek = 0xabcdef;
  Configure(s, 1024);
  Fails(WriteFrom(s), MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_ACCESS,
        "does not exist in this PD");
  s.crypto.dek = Dek(hca, keys[0], {1, 2, 3, 4, 5, 6, 7, 8});
  Configure(s, 1024);
  Fails(WriteFrom(s), MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_ACCESS, "key tag");
  s.crypto.keytag = {1, 2, 3, 4, 5, 6, 7, 8};
  Configure(s, 1024);
  a.Post(WriteFrom(s));
  Good(acq, MLX5_CQE_REQ);
  Settings none = s;
  crypto_key = OffloadKey(hca, true, 16);
  Wqe empty = OffloadUmr(crypto_key, Pieces(1024), {});
  empty.body[48 + 12] |= 0x40; // bsf_en without any
  a.Post(empty);
  Good(acq, MLX5_CQE_REQ);
  Fails(WriteFrom(none), MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_ACCESS, "none was set");
}

TEST_F(Refused, AtomicsListsAndWritesInTheMiddle) {
  Settings s;
  s.wire = Dif();
  Configure(s, 1536);
  b.Post(Wqe(MLX5_OPCODE_ATOMIC_FA)
             .Raddr(nullptr, Key(s))
             .Atomic(1, 0)
             .Data(plain.data(), 8, plain_lkey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, bcq.WaitErr().syndrome);
  EXPECT_NE(nullptr, strstr(softhca_referee_last(hca.dev), "an atomic operation"));
  Again();
  b.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(reinterpret_cast<void *>(100), Key(s))
             .Data(plain.data(), 8, plain_lkey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, bcq.WaitErr().syndrome);
  EXPECT_NE(nullptr, strstr(softhca_referee_last(hca.dev), "begin where a block"));
  Again();
  softhca_mkey *outer = OffloadKey(hca, false, 16);
  a.Post(OffloadUmr(outer, {{0, 512, Key(s)}}, {}));
  Good(acq, MLX5_CQE_REQ);
  Fails(Wqe(MLX5_OPCODE_RDMA_WRITE)
            .Raddr(plain.data(), plain_lkey)
            .Data(nullptr, 512, softhca_mkey_key(outer)),
        MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_ACCESS, "one with signatures or crypto");
}

// What mlx5dv_wr_set_mkey_crypto(3) says of lengths, with its examples.
TEST_F(Refused, PartsOfDataUnits) {
  struct {
    uint32_t unit, len;
    bool good;
  } const cases[] = {{512, 512, true}, {512, 128, true},  {512, 47, false},  {520, 520, true},
                     {520, 496, true}, {520, 512, false}, {512, 2048, true}, {512, 2047, false}};
  const char *const word = "which encrypts units of";
  const uint32_t state = hca.Mr(coded.data(), coded.size());
  const auto *const at = reinterpret_cast<uint8_t *>(
      (reinterpret_cast<uintptr_t>(coded.data()) + kRoom - 128) & ~uintptr_t{63});
  Settings s = Crypto();
  for (const auto &c : cases) {
    s.crypto.unit = c.unit;
    Configure(s, 2080);
    const ibv_sge key{0, c.len, Key(s)}, memory = Piece(plain.data(), c.len, plain_lkey);
    const Wqe local[] = {WriteFrom(s, 0, c.len), Copy(at, state, key, memory),
                         Copy(at, state, memory, key)};
    for (const Wqe &w : local) {
      if (!c.good) {
        Fails(w, MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, SOFTHCA_RULE_BOUNDS, word);
        continue;
      }
      a.Post(w);
      Good(acq, MLX5_CQE_REQ);
    }
    for (const uint8_t opcode : {MLX5_OPCODE_RDMA_WRITE, MLX5_OPCODE_RDMA_READ}) {
      if (opcode == MLX5_OPCODE_RDMA_READ && c.unit == 520)
        continue; // a READ comes in pieces, which need not be of whole units
      b.Post(Wqe(opcode).Raddr(nullptr, Key(s)).Data(plain.data(), c.len, plain_lkey));
      if (c.good) {
        Good(bcq, MLX5_CQE_REQ);
        continue;
      }
      EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_ACCESS_ERR, bcq.WaitErr().syndrome);
      Again();
    }
    // Its length shows with its last packet, and is the message's, not the buffer's.
    a.PostRecv(nullptr, 2080, Key(s));
    b.Post(Wqe(MLX5_OPCODE_SEND).Data(plain.data(), c.len, plain_lkey));
    if (c.good) {
      Good(bcq, MLX5_CQE_REQ);
      Good(acq, MLX5_CQE_RESP_SEND);
      continue;
    }
    EXPECT_EQ(MLX5_CQE_SYNDROME_REMOTE_OP_ERR, bcq.WaitErr().syndrome) << c.unit << ", " << c.len;
    EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome) << c.unit << ", " << c.len;
    EXPECT_NE(nullptr, strstr(softhca_referee_last(hca.dev), word))
        << softhca_referee_last(hca.dev);
    Again();
  }
}

// Any part of what is in memory can be asked for.
TEST_F(Offload, PartsAreThoseOfTheWhole) {
  for (int i = 0; i < 60 && !HasFailure(); i++) {
    const Settings s = RandomSettings(i % 2);
    const Bytes data = RandomData(s), memory = s.Memory(data, true), wire = s.Wire(data, true);
    Configure(s, memory.size());
    std::copy(memory.begin(), memory.end(), coded.begin());
    const uint32_t unit = s.crypto.on ? s.crypto.unit : 1;
    const uint32_t from = Below(static_cast<uint32_t>(wire.size())) / unit * unit;
    const uint32_t len = std::min<uint32_t>(unit * (1 + Below(9000 / unit)),
                                            static_cast<uint32_t>(wire.size()) - from);
    if (!s.mem.kind && !s.wire.kind && !oracle::Fits(s.crypto, len))
      continue; // the rest behind an odd number of units of 520 bytes
    b.Post(Wqe(MLX5_OPCODE_RDMA_READ)
               .Raddr(reinterpret_cast<void *>(uint64_t{from}), Key(s))
               .Data(plain.data(), len, plain_lkey));
    ASSERT_NO_FATAL_FAILURE(Good(bcq, MLX5_CQE_REQ))
        << Name(s, data.size(), true) << ", " << from << " +" << len;
    EXPECT_EQ(Bytes(wire.begin() + from, wire.begin() + from + len),
              Bytes(plain.begin(), plain.begin() + len))
        << Name(s, data.size(), true) << ", " << from << " +" << len;
  }
}

TEST(OneDataUnit, IsAllThatSuchADeviceTakes) {
  Hca hca([](softhca_config *c) { c->crypto_multi_block = false; });
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  Bytes src(1024), dst(1024), keys(32);
  std::iota(keys.begin(), keys.end(), 1);
  Connect(a, b);
  softhca_mkey *mkey = OffloadKey(hca, true);
  Settings s;
  s.crypto.on = s.crypto.encrypt_on_tx = s.crypto.sig_first = true;
  s.crypto.unit = 512;
  s.crypto.key = keys;
  s.crypto.dek = Dek(hca, keys);
  s.crypto.tweak = {7, 8, 9};
  const uint32_t skey = hca.Mr(src.data(), 1024), dkey = hca.Mr(dst.data(), 1024);
  Bytes bsf = s.Bsf(false);
  std::reverse(bsf.begin() + 16, bsf.begin() + 32); // little-endian
  a.Post(OffloadUmr(mkey, {{reinterpret_cast<uintptr_t>(src.data()), 1024, skey}}, bsf));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(dst.data(), dkey)
             .Data(nullptr, 512, softhca_mkey_key(mkey)));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_EQ(s.Wire(Bytes(512), true), Bytes(dst.begin(), dst.begin() + 512));
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
             .Raddr(dst.data(), dkey)
             .Data(nullptr, 1024, softhca_mkey_key(mkey)));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_PROT_ERR, acq.WaitErr().syndrome);
}

// A login has a number of 16 bits, 0 is none's.
TEST(Logins, AreAsManyAsTheirNumbers) {
  // The device's credential, wrapped as crypto_details.py does it.
  const uint8_t credential[SOFTHCA_CREDENTIAL + SOFTHCA_WRAPPED_EXTRA] = {
      0xaf, 0xbd, 0x0c, 0x1a, 0x31, 0xda, 0xfc, 0x25, 0xee, 0xb6, 0x40, 0x25,
      0x32, 0xd8, 0xb6, 0xff, 0x51, 0x16, 0xf7, 0xf2, 0x47, 0x44, 0x62, 0xd7,
      0x21, 0x8e, 0x94, 0x2e, 0x14, 0x4e, 0xeb, 0x0c, 0xb3, 0x00, 0xe6, 0x66,
      0x31, 0x91, 0x94, 0x89, 0x35, 0xa1, 0x9c, 0xd3, 0xb8, 0x56, 0x79, 0xc1};
  Hca hca([](softhca_config *c) { c->crypto_wrapped = true; });
  softhca_login *login = nullptr;
  uint32_t num;
  for (uint32_t i = 0; i < 65535; i++)
    ASSERT_EQ(0, softhca_login_create(hca.dev, 0, 0, credential, &login, &num)) << softhca_why();
  EXPECT_EQ(-ENOMEM, softhca_login_create(hca.dev, 0, 0, credential, &login, &num));
}

} // namespace
