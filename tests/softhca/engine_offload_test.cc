/* SPDX-License-Identifier: BSD-2-Clause */
// Data through keys with signatures and crypto, every byte compared with an oracle of its own; signature errors; what is refused.
#include <cstdlib>
#include <numeric>
#include <random>

#include "tests/softhca/engine_offload.h"

namespace {

using namespace eng;
using oracle::Bytes;
using oracle::Settings;
using oracle::Side;

// ---- the oracle itself, against published values ----

TEST(Oracle, KnowsTheCheckValues) {
  const Bytes text = {'1', '2', '3', '4', '5', '6', '7', '8', '9'};
  EXPECT_EQ(0xd0dbu, oracle::Crc(text, 16, 0x8bb7, 0, false));                                  // CRC-16/T10-DIF
  EXPECT_EQ(0xcbf43926u, oracle::Crc(text, 32, 0x04c11db7, 0xffffffff, true));                  // CRC-32
  EXPECT_EQ(0xe3069283u, oracle::Crc(text, 32, 0x1edc6f41, 0xffffffff, true));                  // CRC-32C
  EXPECT_EQ(0xae8b14860a799888u, oracle::Crc(text, 64, 0xad93d23594c93659, ~uint64_t{0}, true)); // CRC-64/NVME
}

// IEEE 1619-2007, vectors 4 (its first block) and 15 (17 bytes, a stolen ciphertext).
TEST(Oracle, KnowsTheXtsVectors) {
  const Bytes key = {0x27, 0x18, 0x28, 0x18, 0x28, 0x45, 0x90, 0x45, 0x23, 0x53, 0x60, 0x28, 0x74, 0x71, 0x35, 0x26,
                     0x31, 0x41, 0x59, 0x26, 0x53, 0x58, 0x97, 0x93, 0x23, 0x84, 0x62, 0x64, 0x33, 0x83, 0x27, 0x95};
  const uint8_t tweak[16] = {};
  Bytes data(512);
  std::iota(data.begin(), data.end(), 0);
  oracle::Xts(key, tweak, true, data.data(), data.size());
  EXPECT_EQ((Bytes{0x27, 0xa7, 0x47, 0x9b, 0xef, 0xa1, 0xd4, 0x76}), Bytes(data.begin(), data.begin() + 8));
}

// ---- two queue pairs, a key with settings on one side ----

constexpr size_t kRoom = 1 << 17;

class Offload : public ::testing::Test {
 protected:
  Offload() : seed(Seed()), dice(seed) {
    printf("SEGUE_TEST_SEED=%llu\n", static_cast<unsigned long long>(seed));
    Connect(a, b);
    key = OffloadKey(hca, false, 16);
    crypto_key = OffloadKey(hca, true, 16);
    coded_lkey = hca.Mr(coded.data(), coded.size());
    plain_lkey = hca.Mr(plain.data(), plain.size());
  }
  static uint64_t Seed() {
    const char *given = getenv("SEGUE_TEST_SEED");
    return given ? strtoull(given, nullptr, 0) : std::random_device()();
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
    s->crypto.sig_first = both ? s->crypto.encrypt_on_tx : Below(2); // the other orders are for one domain
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
      const uint32_t n = list.size() == 7 ? static_cast<uint32_t>(len) : 1 + Below(static_cast<uint32_t>(len));
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
    ASSERT_EQ(opcode, Opcode(cqe)) << "syndrome " << int{reinterpret_cast<mlx5_err_cqe *>(&cqe)->syndrome} << ", "
                                   << softhca_referee_last(hca.dev);
  }
  // Out of the key's memory to the other side: by a local or a remote access.
  void Out(const Settings &s, uint32_t wire, unsigned how) {
    switch (how % 3) {
    case 0: // WRITE from it
      a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(plain.data(), plain_lkey).Data(nullptr, wire, Key(s)));
      return Good(acq, MLX5_CQE_REQ);
    case 1: // the peer READs it
      b.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(nullptr, Key(s)).Data(plain.data(), wire, plain_lkey));
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
      b.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, Key(s)).Data(plain.data(), wire, plain_lkey));
      return Good(bcq, MLX5_CQE_REQ);
    case 1: // READ into it
      a.Post(Wqe(MLX5_OPCODE_RDMA_READ).Raddr(plain.data(), plain_lkey).Data(nullptr, wire, Key(s)));
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
    snprintf(text, sizeof(text), "%s, %zu bytes, memory %d/%u, wire %d/%u, sbs %d copy 0x%x, crypto %d unit %u tx %d first %d",
             tx ? "out" : "in", raw, s.mem.kind, s.mem.block, s.wire.kind, s.wire.block, s.sbs, s.copy, s.crypto.on,
             s.crypto.unit, s.crypto.encrypt_on_tx, s.crypto.sig_first);
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
    std::copy(tx ? memory.begin() : wire.begin(), tx ? memory.end() : wire.end(), tx ? coded.begin() : plain.begin());
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

  const uint64_t seed;
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

} // namespace
