/* SPDX-License-Identifier: BSD-2-Clause */
// Raw packets: frames with their offloads, steering rules, hashes, striding receives.
#include <netinet/in.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <map>

#include "tests/softhca/engine/engine_fixture.h"
extern "C" {
#include "tools/softhca/engine/packet/eth.h"
}

// Frames wait a second for a receive. Time in which this process has no processor is none of it:
// from one look at the clock to the next at most 10 ms count.
extern "C" int clock_gettime(clockid_t clock, timespec *now) noexcept {
  static int64_t seen, counted;
  const long ret = syscall(SYS_clock_gettime, clock, now);
  if (clock == CLOCK_MONOTONIC && !ret) {
    const int64_t real = now->tv_sec * INT64_C(1000000000) + now->tv_nsec;
    counted += seen ? std::min(real - seen, INT64_C(10000000)) : real;
    seen = real;
    *now = {static_cast<time_t>(counted / 1000000000), static_cast<long>(counted % 1000000000)};
  }
  return static_cast<int>(ret);
}

namespace eng {
namespace {

uint64_t Va(const void *p) { return reinterpret_cast<uintptr_t>(p); }

void Ethernet(softhca_config *cfg) { cfg->link[0] = SOFTHCA_LINK_ROCE; }

struct Frame {
  std::vector<uint8_t> bytes;
  Frame &Put16(unsigned v) { return Put8(v >> 8).Put8(v); }
  Frame &Put32(uint32_t v) { return Put16(v >> 16).Put16(v); }
  Frame &Put8(unsigned v) {
    bytes.push_back(static_cast<uint8_t>(v));
    return *this;
  }
};

constexpr uint32_t kSrc = 0x0a000001, kDst = 0x0a000002;

// Ethernet, IPv4, TCP or UDP; checksums zero.
std::vector<uint8_t> Ip4(uint8_t proto, const std::string &payload, uint32_t src = kSrc,
                         uint16_t dport = 80, uint8_t dmac = 0x02) {
  Frame f;
  f.Put8(dmac).Put8(0).Put32(0x11223344).Put16(0x0200).Put32(0x55667788).Put16(0x0800);
  size_t l4 = proto == IPPROTO_TCP ? 20 : 8;
  f.Put16(0x4500)
      .Put16(static_cast<unsigned>(20 + l4 + payload.size()))
      .Put32(0x12340000)
      .Put8(64)
      .Put8(proto)
      .Put16(0);
  f.Put32(src).Put32(kDst).Put16(4000).Put16(dport);
  if (proto == IPPROTO_TCP)
    // CWR, ACK, PSH, FIN
    f.Put32(1000).Put32(7).Put8(0x50).Put8(0x98 | 1).Put16(512).Put16(0).Put16(0);
  else
    f.Put16(static_cast<unsigned>(8 + payload.size())).Put16(0);
  f.bytes.insert(f.bytes.end(), payload.begin(), payload.end());
  return f.bytes;
}

void ToRts(Qp &qp) {
  ibv_qp_attr attr{};
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = 1;
  ASSERT_EQ(0, softhca_qp_modify(qp.qp, &attr, IBV_QP_STATE | IBV_QP_PORT)) << softhca_why();
  ASSERT_EQ(0, qp.To(IBV_QPS_RTR));
  ASSERT_EQ(0, qp.To(IBV_QPS_RTS));
}

QpOptions RawOptions() {
  QpOptions opt;
  opt.type = SOFTHCA_QP_RAW;
  return opt;
}

// A sender, and a receiver of everything unless told otherwise.
struct Pair {
  Hca hca{Ethernet};
  Cq acq{hca}, bcq{hca};
  Qp a{hca, acq, RawOptions()}, b{hca, bcq, RawOptions()};
  std::vector<uint8_t> sent = std::vector<uint8_t>(65536), got = std::vector<uint8_t>(65536);
  uint32_t skey = hca.Mr(sent.data(), sent.size()), gkey = hca.Mr(got.data(), got.size());
  std::vector<softhca_steer *> rules;
  uint32_t posted = 0;

  Pair() {
    ToRts(a);
    ToRts(b);
  }
  ~Pair() {
    for (softhca_steer *r : rules)
      softhca_steer_destroy(r);
  }
  softhca_steer_attr All(softhca_qp *to) {
    softhca_steer_attr r{};
    r.kind = SOFTHCA_STEER_NORMAL;
    r.port = 1;
    r.qp = to;
    return r;
  }
  void Rule(const softhca_steer_attr &attr) {
    softhca_steer *r = nullptr;
    ASSERT_EQ(0, softhca_steer_create(hca.dev, &attr, &r)) << softhca_why();
    rules.push_back(r);
  }
  // The nth receive of 2048 bytes.
  uint8_t *Recv(Qp &qp) {
    uint8_t *at = &got[posted++ * 2048];
    qp.PostRecv(at, 2048, gkey);
    return at;
  }
  // 14 bytes before the end of the segment's first unit: flags, mss, headers.
  static std::vector<uint8_t> Eth(uint8_t cs_flags, uint16_t mss,
                                  const std::vector<uint8_t> &inlined) {
    std::vector<uint8_t> seg((std::max<size_t>(14 + inlined.size(), 16) + 15) / 16 * 16);
    seg[4] = cs_flags;
    seg[6] = static_cast<uint8_t>(mss >> 8);
    seg[7] = static_cast<uint8_t>(mss);
    seg[12] = static_cast<uint8_t>(inlined.size() >> 8);
    seg[13] = static_cast<uint8_t>(inlined.size());
    std::copy(inlined.begin(), inlined.end(), seg.begin() + 14);
    return seg;
  }
  void Send(const std::vector<uint8_t> &frame, uint8_t cs_flags = 0) {
    std::copy(frame.begin(), frame.end(), sent.begin());
    auto eth = Eth(cs_flags, 0, {});
    a.Post(Wqe(MLX5_OPCODE_SEND)
               .Raw(eth.data(), eth.size())
               .Data(sent.data(), static_cast<uint32_t>(frame.size()), skey));
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  }
};

TEST(Toeplitz, PublishedVectors) {
  // "Verifying the RSS hash calculation", the suite Microsoft publishes for drivers of network
  // cards.
  const uint8_t key[40] = {0x6d, 0x5a, 0x56, 0xda, 0x25, 0x5b, 0x0e, 0xc2, 0x41, 0x67,
                           0x25, 0x3d, 0x43, 0xa3, 0x8f, 0xb0, 0xd0, 0xca, 0x2b, 0xcb,
                           0xae, 0x7b, 0x30, 0xb4, 0x77, 0xcb, 0x2d, 0xa3, 0x80, 0x30,
                           0xf2, 0x0c, 0x6a, 0x42, 0xb7, 0x3b, 0xbe, 0xac, 0x01, 0xfa};
  const uint8_t tcp4[12] = {66,  9,  149,       187,        161,       142,
                            100, 80, 2794 >> 8, 2794 & 255, 1766 >> 8, 1766 & 255};
  EXPECT_EQ(0x323e8fc2u, softhca_toeplitz(key, tcp4, 8));
  EXPECT_EQ(0x51ccc178u, softhca_toeplitz(key, tcp4, 12));
  const uint8_t ip6[32] = {0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x1f, 0xff, 0, 0, 0, 0, 0, 0, 0, 7,
                           0x3f, 0xfe, 0x25, 0x01, 0x02, 0x00, 0x00, 0x03, 0, 0, 0, 0, 0, 0, 0, 1};
  EXPECT_EQ(0x2cc18cd5u, softhca_toeplitz(key, ip6, 32));
}

TEST(Eth, HashIsSymmetricAndNamesWhatItCovers) {
  softhca_hash hash{};
  for (unsigned i = 0; i < sizeof(hash.key); i++)
    hash.key[i] = static_cast<uint8_t>(i * 7 + 3);
  auto there = Ip4(IPPROTO_UDP, "x"), back = there;
  std::swap_ranges(back.begin() + 26, back.begin() + 30, back.begin() + 30);
  std::swap_ranges(back.begin() + 34, back.begin() + 36, back.begin() + 36);
  softhca_eth a, b;
  softhca_eth_parse(&a, there.data(), there.size());
  softhca_eth_parse(&b, back.data(), back.size());
  hash.fields = IBV_RX_HASH_SRC_IPV4 | IBV_RX_HASH_DST_IPV4 | IBV_RX_HASH_SRC_PORT_UDP |
                IBV_RX_HASH_DST_PORT_UDP;
  uint32_t ha, hb;
  uint8_t type;
  ASSERT_TRUE(softhca_eth_hash(&a, &hash, &ha, &type));
  EXPECT_EQ(0x84, type);
  ASSERT_TRUE(softhca_eth_hash(&b, &hash, &hb, &type));
  EXPECT_EQ(ha, hb);
  hash.fields = IBV_RX_HASH_SRC_PORT_TCP;
  EXPECT_FALSE(softhca_eth_hash(&a, &hash, &ha, &type)) << "it is UDP";
}

TEST(Eth, OpensWhatIpv6Carries) {
  for (uint8_t proto : {IPPROTO_UDP, IPPROTO_TCP}) {
    const unsigned l4 = proto == IPPROTO_TCP ? 20 : 8;
    Frame f;
    f.Put32(0x02001122).Put32(0x33440200).Put32(0x55667788).Put16(0x86dd);
    f.Put32(0x60012345).Put16(l4 + 3).Put8(proto).Put8(64);
    for (int i = 0; i < 8; i++)
      f.Put32(0x20010db8u + static_cast<unsigned>(i));
    f.Put16(4000).Put16(80);
    if (proto == IPPROTO_TCP)
      f.Put32(1000).Put32(7).Put8(0x50).Put8(0x10).Put16(512).Put16(0).Put16(0);
    else
      f.Put16(l4 + 3).Put16(0);
    f.Put8('a').Put8('b').Put8('c');
    softhca_eth eth;
    softhca_eth_checksum(f.bytes.data(), f.bytes.size(), false, true);
    softhca_eth_parse(&eth, f.bytes.data(), f.bytes.size());
    EXPECT_EQ(6, eth.ip);
    EXPECT_EQ(54u, eth.l4);
    EXPECT_EQ(54 + l4, eth.payload);
    EXPECT_TRUE(eth.l3_ok && eth.l4_ok);
    const uint8_t ports[4] = {4000 >> 8, 4000 & 255, 0, 80};
    const int at = proto == IPPROTO_TCP ? SOFTHCA_KEY_TCP_SPORT : SOFTHCA_KEY_UDP_SPORT;
    EXPECT_EQ(0, memcmp(eth.key + at, ports, 4));
    EXPECT_EQ(0, memcmp(eth.key + SOFTHCA_KEY_FLOW_LABEL, "\0\x01\x23\x45", 4));
    f.bytes.back() ^= 1;
    softhca_eth_parse(&eth, f.bytes.data(), f.bytes.size());
    EXPECT_FALSE(eth.l4_ok);
  }
}

TEST(Raw, NothingWithoutARuleEverythingWithOne) {
  Pair p;
  auto frame = Ip4(IPPROTO_UDP, std::string(100, 'x'));
  uint8_t *at = p.Recv(p.b);
  p.Send(frame);
  p.hca.Settle();
  EXPECT_TRUE(p.bcq.Empty()) << "no rule";
  p.Rule(p.All(p.b.qp));
  // 18 bytes of header inlined, the rest by pointer.
  std::copy(frame.begin(), frame.end(), p.sent.begin());
  auto eth = Pair::Eth(0, 0, {frame.begin(), frame.begin() + 18});
  p.a.Post(Wqe(MLX5_OPCODE_SEND)
               .Raw(eth.data(), eth.size())
               .Data(&p.sent[18], static_cast<uint32_t>(frame.size() - 18), p.skey));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(p.acq.Wait()));
  mlx5_cqe64 cqe = p.bcq.Wait();
  EXPECT_EQ(frame.size(), be32toh(cqe.byte_cnt));
  EXPECT_EQ(0, memcmp(frame.data(), at, frame.size()));
  EXPECT_EQ(MLX5_CQE_L3_HDR_TYPE_IPV4, cqe.l4_hdr_type_etc >> 2 & 3);
  EXPECT_FALSE(cqe.hds_ip_ext & MLX5_CQE_L3_OK) << "its IP checksum is 0";
  EXPECT_STREQ("", softhca_referee_last(p.hca.dev));
}

// The ones' complement sum of an IP packet, without what pads the frame: Linux takes check_sum for
// it (en_rx.c, mlx5e_handle_csum(); CHECKSUM_COMPLETE in skbuff.h).
uint16_t SumOf(const std::vector<uint8_t> &frame, size_t bytes)
{
	uint32_t sum = 0;
	for (size_t i = 0; i < bytes; i++)
		sum += frame[14 + i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return static_cast<uint16_t>(sum);
}

TEST(Raw, SumsPacketsAndTellsAcksFromData)
{
	struct Case {
		uint8_t proto;
		std::string payload;
		size_t padding;
		uint8_t l4; // CQE_L4_HDR_TYPE_* of Linux's device.h
	};
	const Case cases[] = {{IPPROTO_UDP, "odd", 0, 2},
			      {IPPROTO_UDP, "", 18, 2},
			      {IPPROTO_TCP, "data", 0, 4},
			      {IPPROTO_TCP, "", 0, 3},
			      {IPPROTO_TCP, "", 6, 3}};
	Pair p;
	p.Rule(p.All(p.b.qp));
	for (const Case &c : cases) {
		auto frame = Ip4(c.proto, c.payload);
		const size_t bytes = frame.size() - 14;
		frame.resize(frame.size() + c.padding, 0xa7);
		p.Recv(p.b);
		p.Send(frame);
		mlx5_cqe64 cqe = p.bcq.Wait();
		uint16_t sum;
		memcpy(&sum, reinterpret_cast<uint8_t *>(&cqe) + 20, 2);
		EXPECT_EQ(SumOf(frame, bytes), be16toh(sum)) << c.payload << c.padding;
		EXPECT_NE(0, sum);
		EXPECT_EQ(c.l4, cqe.l4_hdr_type_etc >> 4 & 7) << c.payload << c.padding;
	}
}

TEST(Raw, FramesWaitForReceives) {
  Pair p;
  p.Rule(p.All(p.b.qp));
  std::vector<uint8_t *> at;
  for (unsigned i = 0; i < 20; i++)
    p.Send(Ip4(IPPROTO_UDP, std::string(100 + i, 'x')));
  p.hca.Settle();
  EXPECT_TRUE(p.bcq.Empty());
  for (unsigned i = 0; i < 20; i++) {
    if (i % 4 == 0) { // as many as come now
      for (unsigned n = 0; n < 4; n++)
        p.Recv(p.b);
      p.hca.Settle();
    }
    EXPECT_EQ(42u + 100 + i, be32toh(p.bcq.Wait().byte_cnt)) << "in order, none lost";
  }
  EXPECT_TRUE(p.bcq.Empty());
}

TEST(Raw, WithoutReceivesForLongFramesAreLost) {
  Pair p;
  p.Rule(p.All(p.b.qp));
  p.Send(Ip4(IPPROTO_UDP, "one"));
  p.Send(Ip4(IPPROTO_UDP, "two"));
  p.hca.Run([] { return false; }, 1500);
  p.Recv(p.b);
  p.Recv(p.b);
  p.hca.Settle();
  EXPECT_TRUE(p.bcq.Empty()) << "nobody waits for more than a second";
  p.Send(Ip4(IPPROTO_UDP, "there again"));
  EXPECT_EQ(42u + 11, be32toh(p.bcq.Wait().byte_cnt));
}

// Fills a port, and empties it. False if the machine takes so long to fill it that frames are lost.
bool FillPort() {
  Pair p;
  p.Rule(p.All(p.b.qp));
  std::copy_n(Ip4(IPPROTO_UDP, std::string(4000, 'x')).begin(), 4042, p.sent.begin());
  const std::vector<uint8_t> eth(16);
  const uint64_t begun = softhca_now_ns();
  unsigned posted = 0, sent = 0;
  for (unsigned quiet = 0; quiet < 50; quiet++) {
    for (; posted < sent + 16; posted++)
      p.a.Post(Wqe(MLX5_OPCODE_SEND).Raw(eth.data(), eth.size()).Data(p.sent.data(), 4042, p.skey));
    softhca_poll_all(false, nullptr);
    for (; p.acq.Poll(); sent++)
      quiet = 0;
  }
  if (softhca_now_ns() - begun > UINT64_C(500000000))
    return false;
  EXPECT_GT(sent, 100u);
  EXPECT_LT(sent, 2000u) << "about two megabytes are kept";
  // Each receive makes room for another one, and none is lost.
  for (unsigned n = 0; n < posted; n++) {
    p.b.PostRecv(p.got.data(), 8192, p.gkey);
    EXPECT_EQ(4042u, be32toh(p.bcq.Wait().byte_cnt)) << n;
    for (; p.acq.Poll(); sent++)
      ;
  }
  EXPECT_EQ(posted, sent);
  return true;
}

TEST(Raw, ASenderWaitsForAFullPort) {
  for (unsigned tries = 0; tries < 100; tries++)
    if (FillPort())
      return;
  FAIL() << "no port was full within the second that frames wait for receives";
}

TEST(Raw, ChecksumsAsAskedFor) {
  Pair p;
  p.Rule(p.All(p.b.qp));
  for (uint8_t proto : {IPPROTO_TCP, IPPROTO_UDP}) {
    auto frame = Ip4(proto, "odd");
    uint8_t *at = p.Recv(p.b);
    p.Send(frame, MLX5_ETH_WQE_L3_CSUM | MLX5_ETH_WQE_L4_CSUM);
    mlx5_cqe64 cqe = p.bcq.Wait();
    EXPECT_TRUE(cqe.hds_ip_ext & MLX5_CQE_L3_OK && cqe.hds_ip_ext & MLX5_CQE_L4_OK);
    // Worked out by hand from RFC 791, 768 and 793: the sum of everything, checksum included, is
    // all ones.
    uint32_t sum = 0;
    for (unsigned i = 14; i < 34; i += 2)
      sum += at[i] << 8 | at[i + 1];
    EXPECT_EQ(0xffffu, (sum & 0xffff) + (sum >> 16));
    size_t l4 = frame.size() - 34;
    sum = static_cast<uint32_t>(proto + l4);
    for (unsigned i = 26; i < frame.size(); i += 2)
      sum += at[i] << 8 | (i + 1 < frame.size() ? at[i + 1] : 0);
    EXPECT_EQ(0xffffu, (sum & 0xffff) + (sum >> 16));
  }
}

TEST(Raw, TsoCutsAndNumbers) {
  Pair p;
  p.Rule(p.All(p.b.qp));
  std::string data(2500, 0);
  for (size_t i = 0; i < data.size(); i++)
    data[i] = static_cast<char>(i * 7);
  auto whole = Ip4(IPPROTO_TCP, data);
  std::vector<uint8_t> hdr(whole.begin(), whole.begin() + 54);
  std::copy(data.begin(), data.end(), p.sent.begin());
  uint8_t *at[3];
  for (auto &r : at)
    r = p.Recv(p.b);
  auto eth = Pair::Eth(MLX5_ETH_WQE_L3_CSUM | MLX5_ETH_WQE_L4_CSUM, 1000, hdr);
  p.a.Post(Wqe(MLX5_OPCODE_TSO).Raw(eth.data(), eth.size()).Data(p.sent.data(), 2500, p.skey));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(p.acq.Wait()));
  std::string back;
  for (unsigned i = 0; i < 3; i++) {
    mlx5_cqe64 cqe = p.bcq.Wait();
    uint32_t len = be32toh(cqe.byte_cnt), seq;
    EXPECT_TRUE(cqe.hds_ip_ext & MLX5_CQE_L3_OK && cqe.hds_ip_ext & MLX5_CQE_L4_OK) << i;
    EXPECT_EQ(len - 14, at[i][16] << 8 | at[i][17]) << "IP length";
    EXPECT_EQ(0x1234u + i, unsigned{at[i][18]} << 8 | at[i][19]) << "identification";
    memcpy(&seq, at[i] + 38, 4);
    EXPECT_EQ(1000 + 1000 * i, be32toh(seq));
    EXPECT_EQ(i == 0   ? 0x90
              : i == 2 ? 0x19
                       : 0x10,
              at[i][47])
        << "CWR in the first, PSH and FIN in the last";
    back.append(reinterpret_cast<char *>(at[i]) + 54, len - 54);
  }
  EXPECT_EQ(data, back);
  // Headers that are not those of one TCP packet.
  hdr.push_back(0);
  eth = Pair::Eth(0, 1000, hdr);
  p.a.Post(Wqe(MLX5_OPCODE_TSO).Raw(eth.data(), eth.size()).Data(p.sent.data(), 2500, p.skey));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, p.acq.WaitErr().syndrome);
}

TEST(Raw, RulesByPriorityKindAndMatch) {
  Pair p;
  Cq ccq(p.hca);
  Qp c(p.hca, ccq, RawOptions());
  ToRts(c);
  softhca_steer_attr udp = p.All(c.qp), drop = p.All(nullptr), rest = p.All(p.b.qp),
                     copy = p.All(c.qp);
  rest.kind = SOFTHCA_STEER_LEFTOVERS;
  udp.mask[SOFTHCA_KEY_PROTO] = 0xff;
  udp.value[SOFTHCA_KEY_PROTO] = IPPROTO_UDP;
  udp.priority = 1;
  udp.tag = 0x1234;
  drop.drop = true;
  drop.mask[SOFTHCA_KEY_UDP_DPORT] = drop.mask[SOFTHCA_KEY_UDP_DPORT + 1] = 0xff;
  drop.value[SOFTHCA_KEY_UDP_DPORT + 1] = 53;
  p.Rule(rest);
  p.Rule(udp);
  p.Rule(drop);
  for (int i = 0; i < 3; i++) {
    p.Recv(p.b);
    p.Recv(c);
  }
  p.Send(Ip4(IPPROTO_UDP, "dns", kSrc, 53));
  p.Send(Ip4(IPPROTO_UDP, "other"));
  p.Send(Ip4(IPPROTO_TCP, "rest"));
  EXPECT_EQ(0x1234u, be32toh(ccq.Wait().sop_drop_qpn)) << "the tag";
  EXPECT_EQ(14u + 40 + 4, be32toh(p.bcq.Wait().byte_cnt));
  p.hca.Settle();
  EXPECT_TRUE(ccq.Empty());
  EXPECT_TRUE(p.bcq.Empty());
  // dont_trap lets the others have it too.
  copy.dont_trap = true;
  p.Rule(copy);
  p.Send(Ip4(IPPROTO_TCP, "both"));
  ccq.Wait();
  p.bcq.Wait();
  EXPECT_EQ(-EBUSY, softhca_qp_destroy(c.qp)) << "rules name it";
}

TEST(Raw, WrongRulesAreRefused) {
  Pair p;
  softhca_steer *r = nullptr;
  softhca_steer_attr a = p.All(p.b.qp);
  a.port = 2;
  EXPECT_EQ(-EINVAL, softhca_steer_create(p.hca.dev, &a, &r));
  a = p.All(nullptr);
  EXPECT_EQ(-EINVAL, softhca_steer_create(p.hca.dev, &a, &r));
  Hca ib;
  Cq cq(ib);
  Qp qp(ib, cq, RawOptions());
  a = p.All(qp.qp);
  EXPECT_EQ(-EOPNOTSUPP, softhca_steer_create(ib.dev, &a, &r));
}

// A receive work queue with its ring.
struct Wq {
  Hca &hca;
  softhca_qp *wq = nullptr;
  uint32_t num = 0;
  uint16_t pi = 0;
  std::vector<uint8_t> ring = std::vector<uint8_t>(64 * 64);
  alignas(64) uint32_t db[2] = {};

  Wq(Hca &hca, Cq &cq, const softhca_wq_attr &base = {}) : hca(hca) {
    softhca_wq_attr attr = base;
    attr.pd = hca.pd;
    attr.cq = cq.cq;
    attr.buf_va = Va(ring.data());
    attr.db_va = Va(db);
    attr.wqes = 64;
    attr.stride = 64;
    EXPECT_EQ(0, softhca_wq_create(hca.dev, &attr, &wq, &num)) << softhca_why();
    EXPECT_EQ(0, softhca_wq_modify(wq, IBV_WQS_RDY));
  }
  ~Wq() { EXPECT_EQ(0, softhca_wq_destroy(wq)) << softhca_why(); }
  void Post(void *addr, uint32_t len, uint32_t lkey, size_t skip = 0) {
    uint8_t *entry = &ring[(pi++ & 63) * 64];
    mlx5_wqe_data_seg seg{htobe32(len), htobe32(lkey), htobe64(Va(addr))},
        end{0, htobe32(MLX5_INVALID_LKEY), 0};
    memset(entry, 0, 64);
    memcpy(entry + skip, &seg, sizeof(seg));
    memcpy(entry + skip + sizeof(seg), &end, sizeof(end));
    db[0] = htobe32(pi);
  }
};

TEST(Raw, SpreadsByHash) {
  Pair p;
  Cq cq0(p.hca), cq1(p.hca);
  Wq wq0(p.hca, cq0), wq1(p.hca, cq1);
  softhca_qp *wqs[4] = {wq0.wq, wq1.wq, wq0.wq, wq1.wq};
  softhca_rwq_table *table = nullptr;
  softhca_qp *qp = nullptr;
  uint32_t num;
  ASSERT_EQ(0, softhca_rwq_table_create(p.hca.dev, wqs, 2, &table, &num)) << softhca_why();
  EXPECT_EQ(-EBUSY, softhca_wq_destroy(wq0.wq));
  softhca_rss rss{};
  rss.table = table;
  rss.fields = IBV_RX_HASH_SRC_IPV4;
  for (unsigned i = 0; i < sizeof(rss.key); i++)
    rss.key[i] = static_cast<uint8_t>(i * 37 + 11);
  struct softhca_qp_create create{};
  create.type = SOFTHCA_QP_RAW;
  create.pd = p.hca.pd;
  create.rss = &rss;
  ASSERT_EQ(0, softhca_qp_create(p.hca.dev, &create, &qp, &num)) << softhca_why();
  EXPECT_EQ(-EBUSY, softhca_rwq_table_destroy(table));
  p.Rule(p.All(qp));
  for (int i = 0; i < 32; i++) {
    wq0.Post(&p.got[0], 2048, p.gkey);
    wq1.Post(&p.got[2048], 2048, p.gkey);
  }
  std::map<uint32_t, int> where;
  for (uint32_t i = 0; i < 32; i++) {
    uint32_t src = htobe32(0x0a000100 + i),
             hash = softhca_toeplitz(rss.key, reinterpret_cast<uint8_t *>(&src), 4), seen;
    Cq &cq = hash & 1 ? cq1 : cq0;
    p.Send(Ip4(IPPROTO_UDP, "spread", 0x0a000100 + i));
    mlx5_cqe64 cqe = cq.Wait();
    memcpy(&seen, reinterpret_cast<uint8_t *>(&cqe) + 12, 4);
    EXPECT_EQ(hash, be32toh(seen));
    where[hash & 1]++;
  }
  EXPECT_GT(where[0], 0);
  EXPECT_GT(where[1], 0);
  EXPECT_TRUE(cq0.Empty() && cq1.Empty());
  softhca_steer_destroy(p.rules.back());
  p.rules.pop_back();
  EXPECT_EQ(0, softhca_qp_destroy(qp));
  EXPECT_EQ(0, softhca_rwq_table_destroy(table));
}

TEST(Wq, States) {
  Pair p;
  Wq wq(p.hca, p.bcq);
  EXPECT_EQ(IBV_WQS_RDY, softhca_wq_state(wq.wq));
  wq.Post(p.got.data(), 100, p.gkey);
  EXPECT_EQ(0, softhca_wq_modify(wq.wq, IBV_WQS_ERR));
  EXPECT_EQ(MLX5_CQE_SYNDROME_WR_FLUSH_ERR, p.bcq.WaitErr().syndrome);
  EXPECT_EQ(-EINVAL, softhca_wq_modify(wq.wq, IBV_WQS_RDY)) << "only through RESET";
  EXPECT_EQ(0, softhca_wq_modify(wq.wq, IBV_WQS_RESET));
  EXPECT_EQ(-EINVAL, softhca_wq_modify(wq.wq, IBV_WQS_ERR));
}

// Through one receive work queue with the attributes of `base`.
struct OneQueue : Pair {
  Wq wq;
  softhca_rwq_table *table = nullptr;
  softhca_qp *qp = nullptr;
  explicit OneQueue(const softhca_wq_attr &base) : wq(hca, bcq, base) {
    softhca_rss rss{};
    uint32_t num;
    EXPECT_EQ(0, softhca_rwq_table_create(hca.dev, &wq.wq, 0, &table, &num));
    rss.table = table;
    struct softhca_qp_create create{};
    create.type = SOFTHCA_QP_RAW;
    create.pd = hca.pd;
    create.rss = &rss;
    EXPECT_EQ(0, softhca_qp_create(hca.dev, &create, &qp, &num)) << softhca_why();
    Rule(All(qp));
  }
  ~OneQueue() {
    for (softhca_steer *r : rules)
      softhca_steer_destroy(r);
    rules.clear();
    softhca_qp_destroy(qp);
    softhca_rwq_table_destroy(table);
  }
};

TEST(Raw, TagsInsertedAndStripped) {
  softhca_wq_attr attr{};
  attr.cvlan_strip = true;
  attr.scatter_fcs = true;
  OneQueue q(attr);
  q.wq.Post(q.got.data(), 2048, q.gkey);
  auto frame = Ip4(IPPROTO_UDP, "tagged");
  std::copy(frame.begin(), frame.end(), q.sent.begin());
  uint8_t eth[16] = {};
  eth[12] = 0x80;
  eth[14] = 0x60;
  eth[15] = 0x07;
  q.a.Post(Wqe(MLX5_OPCODE_SEND)
               .Raw(eth, sizeof(eth))
               .Data(q.sent.data(), static_cast<uint32_t>(frame.size()), q.skey));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(q.acq.Wait()));
  mlx5_cqe64 cqe = q.bcq.Wait();
  EXPECT_EQ(0x6007, be16toh(cqe.vlan_info));
  EXPECT_TRUE(cqe.l4_hdr_type_etc & 1);
  EXPECT_EQ(frame.size() + 4, be32toh(cqe.byte_cnt)) << "without its tag, with its check sequence";
  EXPECT_EQ(0, memcmp(frame.data(), q.got.data(), frame.size()));
}

TEST(Raw, StridesOfOneEntry) {
  softhca_wq_attr attr{};
  attr.mprq.log_stride = 6;
  attr.mprq.log_strides = 3; // 8 strides of 64 bytes
  attr.mprq.shift = 2;
  OneQueue q(attr);
  q.wq.Post(&q.got[0], 512, q.gkey, 16);
  q.wq.Post(&q.got[512], 512, q.gkey, 16);
  auto small = Ip4(IPPROTO_UDP, "s");                      // 43 bytes and 2: one stride
  auto large = Ip4(IPPROTO_UDP, std::string(300, 'l'));    // 342 and 2: six strides
  struct Want {
    uint16_t entry, stride, strides;
    size_t len;
    bool filler;
  };
  q.Send(small);
  q.Send(large);
  q.Send(large); // one stride is left of the first entry
  q.Send(small);
  const Want want[] = {{0, 0, 1, small.size(), false},
                       {0, 1, 6, large.size(), false},
                       {0, 7, 1, 0, true},
                       {1, 0, 6, large.size(), false},
                       {1, 6, 1, small.size(), false}};
  for (const Want &w : want) {
    mlx5_cqe64 cqe = q.bcq.Wait();
    uint32_t bytes = be32toh(cqe.byte_cnt);
    EXPECT_EQ(w.entry, be16toh(cqe.wqe_id));
    EXPECT_EQ(w.stride, be16toh(cqe.wqe_counter));
    EXPECT_EQ(w.strides, bytes >> 16 & 0x3fff);
    EXPECT_EQ(w.len, bytes & 0xffff);
    EXPECT_EQ(w.filler, bytes >> 31);
    const auto &frame = w.strides == 1 ? small : large;
    if (!w.filler) {
      EXPECT_EQ(0, memcmp(frame.data(), &q.got[w.entry * 512u + w.stride * 64u + 2], w.len));
    }
  }
  // Nothing posted behind the last stride: lost, as on any Ethernet.
  q.Send(small);
  q.Send(small);
  q.hca.Settle();
  EXPECT_EQ(7u, be16toh(q.bcq.Wait().wqe_counter));
  EXPECT_TRUE(q.bcq.Empty());
}

// A completion with an error names its entry and the strides that are gone, as Linux and DPDK read
// it: here all that were left, because the queue fills no more.
TEST(Raw, StridesOfAnError)
{
	softhca_wq_attr attr{};
	attr.mprq.log_stride = 6;
	attr.mprq.log_strides = 3;
	OneQueue q(attr);
	q.wq.Post(&q.got[0], 512, q.gkey, 16);
	q.wq.Post(&q.got[512], 512, q.gkey + 1, 16); // nobody's key
	q.wq.Post(&q.got[1024], 512, q.gkey, 16);
	auto large = Ip4(IPPROTO_UDP, std::string(300, 'l')); // six strides
	q.Send(large);
	q.Send(large);
	struct Want {
		uint16_t entry, stride, strides;
		uint8_t opcode;
	};
	const Want want[] = {{0, 0, 6, MLX5_CQE_RESP_SEND},
			     {0, 6, 2, MLX5_CQE_RESP_SEND}, // filler
			     {1, 0, 8, MLX5_CQE_RESP_ERR},
			     {2, 0, 8, MLX5_CQE_RESP_ERR}}; // flushed
	for (const Want &w : want) {
		mlx5_cqe64 cqe = q.bcq.Wait();
		EXPECT_EQ(w.opcode, Opcode(cqe));
		EXPECT_EQ(w.entry, be16toh(cqe.wqe_id));
		EXPECT_EQ(w.stride, be16toh(cqe.wqe_counter));
		EXPECT_EQ(w.strides, be32toh(cqe.byte_cnt) >> 16 & 0x3fff);
	}
}

// Entries of striding queues are held to their own grammar; the frame is received all the same.
TEST(Raw, TheRefereeReadsStridingEntries) {
  softhca_wq_attr attr{};
  attr.mprq.log_stride = 6;
  attr.mprq.log_strides = 3;
  OneQueue q(attr);
  q.wq.Post(&q.got[0], 512, q.gkey, 16);
  q.wq.ring[47] = 1; // behind the key that ends the list
  const auto frame = Ip4(IPPROTO_UDP, "s");
  q.Send(frame);
  EXPECT_EQ(frame.size(), be32toh(q.bcq.Wait().byte_cnt) & 0xffff);
  EXPECT_EQ(1u, softhca_referee_count(q.hca.dev, SOFTHCA_RULE_RESERVED));
  EXPECT_NE(nullptr,
            strstr(softhca_referee_last(q.hca.dev), "data_end, bits 63:0 of dword 2: found 0x1"))
      << softhca_referee_last(q.hca.dev);
}

TEST(Raw, FramesGoBetweenDevices) {
  Pair p;
  Hca other(Ethernet);
  Cq cq(other);
  Qp c(other, cq, RawOptions());
  ToRts(c);
  softhca_steer_attr all = p.All(c.qp);
  softhca_steer *rule = nullptr;
  ASSERT_EQ(0, softhca_steer_create(other.dev, &all, &rule)) << softhca_why();
  std::vector<uint8_t> buf(2048);
  c.PostRecv(buf.data(), 2048, other.Mr(buf.data(), buf.size()));
  auto frame = Ip4(IPPROTO_UDP, "over there");
  p.Send(frame);
  EXPECT_EQ(frame.size(), be32toh(cq.Wait().byte_cnt));
  EXPECT_EQ(0, memcmp(frame.data(), buf.data(), frame.size()));
  softhca_steer_destroy(rule);
}

} // namespace
} // namespace eng
