/* SPDX-License-Identifier: BSD-2-Clause */
// Signatures and encryption once more: CRC-32 by zlib, CRC-32C and T10-DIF by Intel's ISA-L, AES by
// libcrypto (which is there wherever Python is). The bytes of the settings are those of rdma-core's
// providers/mlx5/wqe.h.
#ifndef SOFTHCA_TESTS_SIG_ORACLE_H
#define SOFTHCA_TESTS_SIG_ORACLE_H

#include <dlfcn.h>
#include <isa-l/crc.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace oracle {

using Bytes = std::vector<uint8_t>;

// Who has computed something since this was cleared.
inline std::set<std::string> &Asked() {
  static std::set<std::string> asked;
  return asked;
}

// The one that no library here has: CRC-64/NVME, bit by bit
// (https://reveng.sourceforge.io/crc-catalogue/all.htm).
inline uint64_t Crc64(const Bytes &data, uint64_t crc) {
  for (uint8_t byte : data) {
    crc ^= byte;
    for (int i = 0; i < 8; i++)
      crc = crc >> 1 ^ (crc & 1 ? 0x9a6c9329ac4bc9b5 : 0);
  }
  return ~crc;
}

enum Kind { NONE, DIF_CRC, DIF_SUM, CRC32, CRC32C, CRC64 };

// A CRC whose register begins with zeros or ones. zlib takes and gives it inverted, ISA-L as it is.
inline uint64_t Crc(Kind kind, const Bytes &data, bool ones) {
  unsigned char *const bytes = const_cast<unsigned char *>(data.data());
  const int size = static_cast<int>(data.size());
  if (kind == CRC64)
    return Crc64(data, ones ? ~uint64_t{0} : 0);
  Asked().insert(kind == CRC32 ? "zlib" : "ISA-L");
  if (kind == CRC32)
    return crc32(ones ? 0 : 0xffffffff, bytes, data.size());
  if (kind == CRC32C)
    return static_cast<uint32_t>(~crc32_iscsi(bytes, size, ones ? 0xffffffff : 0));
  return crc16_t10dif(ones ? 0xffff : 0, bytes, data.size());
}

struct Side {
  Kind kind = NONE;
  uint32_t block = 0;
  bool ones = false, grows = false;
  uint16_t app = 0;
  uint32_t ref = 0;
  uint8_t escapes = 0;
  uint32_t psv = 0;

  bool Dif() const { return kind == DIF_CRC || kind == DIF_SUM; }
  uint32_t Size() const { return kind == NONE ? 0 : kind == CRC32 || kind == CRC32C ? 4 : 8; }
};

inline void Append(Bytes *out, uint64_t value, unsigned bytes, bool big) {
  for (unsigned i = 0; i < bytes; i++)
    out->push_back(static_cast<uint8_t>(value >> 8 * (big ? bytes - 1 - i : i)));
}

inline uint16_t Checksum(const Bytes &data, uint32_t sum) { // RFC 1071
  for (size_t i = 0; i < data.size(); i += 2)
    sum += uint32_t{data[i]} << 8 | (i + 1 < data.size() ? data[i + 1] : 0);
  while (sum >> 16)
    sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

inline Bytes Signature(const Side &side, const Bytes &block, uint32_t index) {
  Bytes out;
  switch (side.kind) {
  case NONE:
    break;
  case DIF_CRC:
    Append(&out, Crc(side.kind, block, side.ones), 2, true);
    break;
  case DIF_SUM:
    Append(&out, Checksum(block, side.ones ? 0xffff : 0), 2, true);
    break;
  case CRC32:
  case CRC32C:
    Append(&out, Crc(side.kind, block, side.ones), 4, false);
    break;
  case CRC64:
    Append(&out, Crc(side.kind, block, side.ones), 8, false);
    break;
  }
  if (side.Dif()) {
    Append(&out, side.app, 2, true);
    Append(&out, side.ref + (side.grows ? index : 0), 4, true);
  }
  return out;
}

// Data with a signature behind each whole block. `from` and its `mask` replace bytes of each
// signature.
inline Bytes Encode(const Side &side, const Bytes &data, const Side *from = nullptr,
                    uint8_t mask = 0) {
  if (side.kind == NONE)
    return data;
  Bytes out;
  uint32_t index = 0;
  for (size_t at = 0; at < data.size(); at += side.block, index++) {
    const Bytes block(data.begin() + at, data.begin() + std::min(data.size(), at + side.block));
    out.insert(out.end(), block.begin(), block.end());
    if (block.size() != side.block)
      break;
    Bytes sig = Signature(side, block, index);
    if (from) {
      const Bytes theirs = Signature(*from, block, index);
      for (size_t i = 0; i < sig.size(); i++) // the top bit is the most significant byte
        if (mask >> (side.Dif() ? 7 - i : 8 - sig.size() + i) & 1)
          sig[i] = theirs[i];
    }
    out.insert(out.end(), sig.begin(), sig.end());
  }
  return out;
}

// ---- libcrypto ----

inline void *Crypto(const char *name) {
  static void *lib = [] {
    void *found = dlopen("libcrypto.so.3", RTLD_NOW);
    return found ? found : dlopen("libcrypto.so", RTLD_NOW);
  }();
  void *f = lib ? dlsym(lib, name) : nullptr;
  if (!f)
    ADD_FAILURE() << "libcrypto has no " << name;
  return f;
}

// One data unit; the key is both halves.
inline void Xts(const Bytes &key, const uint8_t tweak[16], bool encrypt, uint8_t *data,
                size_t len) {
  using New = void *(*)();
  using Init = int (*)(void *, const void *, void *, const uint8_t *, const uint8_t *, int);
  using Update = int (*)(void *, uint8_t *, int *, const uint8_t *, int);
  using Free = void (*)(void *);
  Asked().insert("libcrypto");
  void *ctx = reinterpret_cast<New>(Crypto("EVP_CIPHER_CTX_new"))();
  const void *cipher =
      reinterpret_cast<New>(Crypto(key.size() == 32 ? "EVP_aes_128_xts" : "EVP_aes_256_xts"))();
  Bytes out(len + 16);
  int size = 0;
  ASSERT_EQ(1, reinterpret_cast<Init>(Crypto("EVP_CipherInit_ex"))(ctx, cipher, nullptr, key.data(),
                                                                   tweak, encrypt));
  ASSERT_EQ(1, reinterpret_cast<Update>(Crypto("EVP_CipherUpdate"))(ctx, out.data(), &size, data,
                                                                    static_cast<int>(len)));
  ASSERT_EQ(static_cast<int>(len), size);
  memcpy(data, out.data(), len);
  reinterpret_cast<Free>(Crypto("EVP_CIPHER_CTX_free"))(ctx);
}

struct Cipher {
  bool on = false;
  bool encrypt_on_tx = false, sig_first = false;
  uint32_t unit = 0, dek = 0;
  Bytes key, keytag = Bytes(8);
  std::array<uint8_t, 16> tweak{}; // little-endian
};

inline Bytes Crypt(const Cipher &c, bool encrypt, Bytes data) {
  uint8_t tweak[16];
  memcpy(tweak, c.tweak.data(), 16);
  for (size_t at = 0; at < data.size(); at += c.unit) {
    Xts(c.key, tweak, encrypt, data.data() + at, std::min<size_t>(c.unit, data.size() - at));
    for (unsigned i = 0; i < 16 && !++tweak[i]; i++) {
    }
  }
  return data;
}

// What mlx5dv_wr_set_mkey_crypto(3) asks of lengths, and that a last unit that is not whole
// consists of whole blocks.
inline bool Fits(const Cipher &c, size_t len) {
  return !c.on || len % c.unit == 0 ||
         (len % 16 == 0 && len % c.unit % 16 == 0 && len % c.unit <= c.unit - 16);
}

// ---- what a UMR says of it ----

inline uint8_t Selector(uint32_t block) {
  switch (block) {
  case 512:
    return 1;
  case 520:
    return 2;
  case 4096:
    return 3;
  case 4160:
    return 4;
  case 4048:
    return 6;
  default:
    return 0;
  }
}

inline uint32_t Selected(const Side &side) {
  const uint32_t base = side.kind == CRC32    ? 0x20
                        : side.kind == CRC32C ? 0x40
                        : side.kind == CRC64  ? 0x50
                                              : 0;
  return base ? (base | (side.ones ? 0 : 1) | 2) << 24 : 0;
}

inline void AppendInline(Bytes *out, const Side &side) {
  const uint32_t flags = (side.grows ? 0x40u : 0) | side.escapes;
  Append(out, side.Dif() ? 0xc000u << 16 | side.app : 0, 4, true);
  Append(out, side.Dif() ? side.ref : 0, 4, true);
  Append(
      out,
      side.Dif() ? (side.kind == DIF_CRC ? 1u : 2u) << 24 | (side.ones ? 0x88u : 0x80u) << 16 : 0,
      4, true);
  Append(out, side.Dif() ? flags << 16 | 0xffff : 0, 4, true);
}

struct Settings {
  Side mem, wire;
  bool sbs = false;
  uint8_t check = 0xff, copy = 0;
  Cipher crypto;

  Bytes SigBsf() const {
    Bytes out;
    Append(&out, (crypto.on ? 3u : 2u) << 30 | (sbs ? 1u << 28 : 0) | uint32_t{check} << 16 |
                     uint32_t{sbs ? copy : Selector(wire.block)} << 8 | Selector(mem.block),
           4, true);
    Append(&out, 0xffffffff, 4, true);
    Append(&out, Selected(wire) | wire.psv, 4, true);
    Append(&out, Selected(mem) | mem.psv, 4, true);
    out.resize(32);
    AppendInline(&out, wire);
    AppendInline(&out, mem);
    return out;
  }
  Bytes CryptoBsf(bool alone) const {
    static const uint32_t orders[2][2] = {{1, 3}, {2, 0}};
    Bytes out;
    Append(
        &out,
        (alone ? 2u : 3u) << 30 | 1u << 24 | orders[crypto.encrypt_on_tx][crypto.sig_first] << 16,
        4, true);
    Append(&out, 0xffffffff, 4, true);
    Append(&out, uint32_t{Selector(crypto.unit)} << 24, 4, true);
    Append(&out, 0, 4, true);
    // for several units: big-endian
    out.insert(out.end(), crypto.tweak.rbegin(), crypto.tweak.rend());
    Append(&out, crypto.dek, 4, true);
    Append(&out, 0, 4, true);
    out.insert(out.end(), crypto.keytag.begin(), crypto.keytag.end());
    out.resize(64);
    return out;
  }
  Bytes Bsf(bool sig = true) const {
    Bytes out = sig ? SigBsf() : Bytes();
    if (crypto.on) {
      const Bytes more = CryptoBsf(!sig);
      out.insert(out.end(), more.begin(), more.end());
    }
    return out;
  }
  // What is where if these data pass, out of memory (tx) or into it.
  Bytes Memory(const Bytes &data, bool tx) const {
    const Bytes plain = Encode(mem, data, tx ? nullptr : &wire, copy);
    return crypto.on && !crypto.sig_first ? Crypt(crypto, !crypto.encrypt_on_tx, plain) : plain;
  }
  Bytes Wire(const Bytes &data, bool tx) const {
    const Bytes plain = Encode(wire, data, tx ? &mem : nullptr, copy);
    return crypto.on && crypto.sig_first ? Crypt(crypto, crypto.encrypt_on_tx, plain) : plain;
  }
  bool Fits(size_t raw) const {
    const Side &side = crypto.sig_first ? wire : mem;
    return oracle::Fits(crypto, raw + (side.kind != NONE ? raw / side.block * side.Size() : 0));
  }
};

} // namespace oracle

#endif
