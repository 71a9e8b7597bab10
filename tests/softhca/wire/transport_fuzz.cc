/* SPDX-License-Identifier: BSD-2-Clause */
// Hostile packets. The input is a list of packets, headers and all, with only the
// ICRC put right; they go to queue pairs of every type that have requests and
// receives outstanding. Nothing may crash, and no message may complete twice.
//
// With libFuzzer:  clang++ -fsanitize=fuzzer,address,undefined -DSOFTHCA_LIBFUZZER ...
// (tests/softhca/fuzz.sh does it); otherwise a GoogleTest that makes its own inputs.
#include "fuzz_packets.h"

#include <cstdlib>
#include <random>

#include "gtest/gtest.h"
#include "tests/seed/seed.h"

namespace {

using namespace packets;

void OneInput(const uint8_t *data, size_t size) {
  static World w;
  Reader in{{data, size}};
  uint8_t packet[SOFTHCA_PKT_MAX] = {};
  w.Reset(in.Byte());
  for (int n = 0; in.left && n < 64; n++) {
    const uint32_t len = MakePacket(&in, packet, w);
    w.Inject(packet, len);
    if (in.Byte() % 8 == 0)
      Turn();
  }
  for (int i = 0; i < 3; i++)
    Turn();
  w.Check();
}

} // namespace

#ifdef SOFTHCA_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  OneInput(data, size);
  return 0;
}
#else
TEST(TransportFuzz, HostilePackets) {
  const char *runs = getenv("FUZZ_RUNS");
  std::mt19937_64 rng(segue_test_seed());
  std::vector<uint8_t> data;
  for (uint64_t i = 0, n = runs ? strtoull(runs, nullptr, 0) : 20000; i < n; i++) {
    data.resize(rng() % 400);
    for (auto &b : data)
      b = static_cast<uint8_t>(rng());
    OneInput(data.data(), data.size());
  }
}
#endif
