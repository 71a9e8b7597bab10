/* SPDX-License-Identifier: BSD-2-Clause */
// Headers, ICRC and the capture. With an argument, writes a capture with every
// packet there is to that file: pcap_test.sh lets tshark judge it.
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/pcap.h"
}

namespace {

const uint32_t kSrc = 0x7f4d0001, kDst = 0x7f4d0002;

const uint8_t kTransports[] = {SOFTHCA_TR_RC,  SOFTHCA_TR_UC, SOFTHCA_TR_UD,
                               SOFTHCA_TR_XRC, SOFTHCA_TR_DC, SOFTHCA_TR_PRIVATE};

softhca_pkt Sample(uint8_t transport, uint8_t op, uint32_t payload_len) {
  softhca_pkt p;
  memset(&p, 0, sizeof(p));
  p.src_ip = kSrc;
  p.dst_ip = kDst;
  p.transport = transport;
  p.op = op;
  p.hdrs = softhca_pkt_hdrs(transport, op);
  p.solicited = true;
  p.migreq = true;
  p.pkey = 0xffff;
  p.dqpn = 0x123456;
  p.psn = 0xabcdef;
  if (p.hdrs & (SOFTHCA_H_RETH | SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED)) {
    p.raddr = 0x1122334455667788;
    p.rkey = 0xa1b2c3d4;
    p.dma_len = p.hdrs & SOFTHCA_H_RETH ? 4096 : 8;
  }
  if (p.hdrs & (SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED)) {
    p.swap_add = 0x0102030405060708;
    p.compare = 0x1112131415161718;
  }
  if (p.hdrs & SOFTHCA_H_MASKED) {
    p.swap_mask = 0x2122232425262728;
    p.compare_mask = 0x3132333435363738;
  }
  if (p.hdrs & SOFTHCA_H_AETH) {
    p.syndrome = 0x1f;
    p.msn = 0x654321;
  }
  if (p.hdrs & SOFTHCA_H_ATOMIC_ACK)
    p.atomic_orig = 0x4142434445464748;
  if (p.hdrs & SOFTHCA_H_IMM)
    p.imm = 0x51525354;
  if (p.hdrs & SOFTHCA_H_IETH)
    p.inv_rkey = 0x61626364;
  if (p.hdrs & SOFTHCA_H_DETH)
    p.qkey = 0x71727374;
  if (p.hdrs & (SOFTHCA_H_DETH | SOFTHCA_H_DCETH))
    p.sqpn = 0x818283;
  if (p.hdrs & SOFTHCA_H_XRCETH)
    p.xrc_srqn = 0x919293;
  if (p.hdrs & SOFTHCA_H_DCETH) {
    p.dc_key = 0x1213141516171819;
    p.dc_session = 0x2223242526272829;
    p.dc_stream = 0x1234;
    p.dc_start_psn = 0xabcd00;
  }
  p.payload_len = p.hdrs & SOFTHCA_H_PAYLOAD ? payload_len : 0;
  return p;
}

std::vector<uint8_t> Encode(const softhca_pkt &p) {
  std::vector<uint8_t> buf(SOFTHCA_PKT_MAX, 0xaa);
  for (uint32_t i = 0; i < p.payload_len; i++)
    buf[softhca_pkt_hdr_size(p.hdrs) + i] = static_cast<uint8_t>(i + 1);
  buf.resize(softhca_pkt_encode(buf.data(), &p, true));
  return buf;
}

template <typename F> void ForEveryPacket(F f) {
  for (uint8_t t : kTransports)
    for (uint8_t op = 0; op < 32; op++)
      if (softhca_pkt_hdrs(t, op))
        f(t, op);
}

TEST(Packet, EveryFieldSurvivesTheWire) {
  int kinds = 0;
  ForEveryPacket([&](uint8_t t, uint8_t op) {
    for (uint32_t len : {0u, 1u, 2u, 3u, 4u, 1024u, 4096u}) {
      softhca_pkt p = Sample(t, op, len), q;
      const std::vector<uint8_t> bytes = Encode(p);
      ASSERT_EQ(
          softhca_pkt_decode(&q, bytes.data(), static_cast<uint32_t>(bytes.size()), kSrc, kDst),
          SOFTHCA_PKT_OK)
          << int{t} << "/" << int{op} << " " << len;
      ASSERT_EQ(bytes.size() % 4, 0u);
      for (uint32_t i = 0; i < q.payload_len; i++)
        ASSERT_EQ(q.payload[i], static_cast<uint8_t>(i + 1));
      q.payload = nullptr;
      // Compared field by field: padding between fields has no value.
#define SAME(f) EXPECT_EQ(p.f, q.f) << #f << " of " << int{t} << "/" << int{op}
      SAME(transport); SAME(op); SAME(hdrs); SAME(solicited); SAME(migreq); SAME(ack_req);
      SAME(pkey); SAME(dqpn); SAME(psn); SAME(raddr); SAME(rkey); SAME(dma_len);
      SAME(swap_add); SAME(compare); SAME(swap_mask); SAME(compare_mask); SAME(syndrome);
      SAME(msn); SAME(atomic_orig); SAME(imm); SAME(inv_rkey); SAME(qkey); SAME(sqpn);
      SAME(xrc_srqn); SAME(dc_key); SAME(dc_session); SAME(dc_stream); SAME(dc_start_psn);
      SAME(payload_len);
#undef SAME
    }
    kinds++;
  });
  EXPECT_EQ(kinds, 25 + 14 + 2 + 25 + 25 + 2);
}

// A datagram over RoCE v1 or IPv6, and one over IPv4 with a hop limit and ECN bits.
TEST(Packet, ADatagramsPathSurvivesTheWire)
{
	for (const uint8_t net : {SOFTHCA_NET_V2_IPV4, SOFTHCA_NET_V2_IPV6, SOFTHCA_NET_V1}) {
		for (const uint8_t op : {SOFTHCA_OP_SEND_ONLY, SOFTHCA_OP_SEND_ONLY_IMM}) {
			softhca_pkt p = Sample(SOFTHCA_TR_UD, op, 100), q;
			p.net = net;
			softhca_pkt_add_neteth(&p);
			EXPECT_EQ(p.hdrs & SOFTHCA_H_NETETH, net ? SOFTHCA_H_NETETH : 0);
			p.has_hop_limit = true;
			p.hop_limit = 0x91;
			p.tclass = 0xa5;
			p.dscp = 0xa5 >> 2;
			p.flow_label = net ? 0xfedcb : 0;
			p.src_is_ipv4 = net == SOFTHCA_NET_V1;
			p.dst_is_ipv4 = net == SOFTHCA_NET_V2_IPV6;
			const std::vector<uint8_t> bytes = Encode(p);
			ASSERT_EQ(softhca_pkt_decode(&q, bytes.data(),
						     static_cast<uint32_t>(bytes.size()), kSrc,
						     kDst),
				  SOFTHCA_PKT_OK);
			EXPECT_EQ(q.hdrs, p.hdrs);
			EXPECT_EQ(q.net, net);
			EXPECT_EQ(q.has_hop_limit, true);
			EXPECT_EQ(q.hop_limit, 0x91);
			EXPECT_EQ(q.tclass, 0xa5);
			EXPECT_EQ(q.flow_label, p.flow_label);
			EXPECT_EQ(q.src_is_ipv4, p.src_is_ipv4);
			EXPECT_EQ(q.dst_is_ipv4, p.dst_is_ipv4);
			EXPECT_EQ(q.imm, p.imm);
			EXPECT_EQ(q.qkey, p.qkey);
			EXPECT_EQ(q.sqpn, p.sqpn);
			ASSERT_EQ(q.payload_len, 100u);
			EXPECT_EQ(q.payload[99], 100);
		}
	}
}

TEST(Packet, BytesOfAWrite) {
  softhca_pkt p = Sample(SOFTHCA_TR_RC, SOFTHCA_OP_WRITE_ONLY, 3);
  p.ack_req = true;
  const std::vector<uint8_t> got = Encode(p);
  const uint8_t want[] = {
      0x0a,                                           // RC RDMA WRITE Only
      0xd0,                                           // SE, migration, pad 1, version 0
      0xff, 0xff,                                     // partition key
      0x00, 0x12, 0x34, 0x56,                         // reserved, destination QP
      0x80, 0xab, 0xcd, 0xef,                         // ack request, PSN
      0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88, // address
      0xa1, 0xb2, 0xc3, 0xd4,                         // rkey
      0x00, 0x00, 0x10, 0x00,                         // length
      0x01, 0x02, 0x03, 0x00,                         // payload, pad
  };
  ASSERT_EQ(got.size(), sizeof(want) + 4);
  EXPECT_EQ(memcmp(got.data(), want, sizeof(want)), 0);
}

TEST(Packet, CrcAgreesWithTheBitwiseDefinition) {
  std::mt19937 rng(7);
  std::vector<uint8_t> data(5000);
  for (auto &b : data)
    b = static_cast<uint8_t>(rng());
  for (size_t len = 0; len < 300; len++) {
    for (size_t off : {size_t{0}, size_t{1}, size_t{7}}) {
      uint32_t c = 0xffffffff;
      for (size_t i = 0; i < len; i++) {
        c ^= data[off + i];
        for (int bit = 0; bit < 8; bit++)
          c = (c >> 1) ^ (c & 1 ? 0xedb88320u : 0);
      }
      ASSERT_EQ(softhca_crc32(0xffffffff, data.data() + off, len), c) << len;
    }
  }
  // The check value of the catalogue of CRCs.
  EXPECT_EQ(~softhca_crc32(0xffffffff, "123456789", 9), 0xcbf43926u);
  // In one piece and in two.
  for (size_t cut = 0; cut < 5000; cut += 37)
    ASSERT_EQ(softhca_crc32(softhca_crc32(1, data.data(), cut), data.data() + cut, 5000 - cut),
              softhca_crc32(1, data.data(), 5000));
}

// A congestion notification that a ConnectX-4 Lx sent (from scapy's RoCE tests).
TEST(Packet, IcrcOfRealHardware) {
  const uint8_t packet[] = {
      0x45, 0xc2, 0x00, 0x3c, 0x71, 0x8c, 0x40, 0x00, 0x40, 0x11, // IP
      0x91, 0x61, 0x0a, 0x00, 0x11, 0x01, 0x0a, 0x00, 0x12, 0x01, //
      0x00, 0x00, 0x12, 0xb7, 0x00, 0x28, 0x00, 0x00,             // UDP
      0x81, 0x00, 0xff, 0xff, 0x40, 0x00, 0x01, 0x18, 0x00, 0x00, 0x00, 0x00, // BTH
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
      0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
  };
  EXPECT_EQ(softhca_icrc(packet, packet + 28, sizeof(packet) - 28), 0x2a00fd82u); // 82 fd 00 2a
}

// A UC SEND Only, likewise.
TEST(Packet, IcrcOfASecondImplementation) {
  const uint8_t ip_udp[28] = {
      0x45, 0x01, 0x00, 0x40, 0x04, 0x78, 0x40, 0x00, 0x40, 0x11, // id 1144, length 64
      0xb4, 0xd5, 192,  168,  0,    7,    192,  168,  0,    7,    //
      0xc0, 0x00, 0x12, 0xb7, 0x00, 0x2c, 0xac, 0xa2,
  };
  const uint8_t bth[] = {
      0x24, 0x60, 0xff, 0xff, 0x00, 0x00, 0x00, 0xd3, 0x00, 0xcf, 0x17, 0x10, // PSN 13571856
      'F',  '0',  0x81, 0x8b, 0xe2, 0x89, '5',  0xd9, 0x0e, 0x9a,
      0x95, 'P',  'T',  0x01, 0xbe, 0x88, '^',  'P',  0x00, 0x00,
  };
  EXPECT_EQ(softhca_icrc(ip_udp, bth, sizeof(bth)), 0xf353f378u); // 78 f3 53 f3
}

TEST(Packet, EachFlippedBitIsNoticed) {
  const softhca_pkt p = Sample(SOFTHCA_TR_RC, SOFTHCA_OP_WRITE_ONLY, 5);
  const std::vector<uint8_t> good = Encode(p);
  for (size_t bit = 0; bit < good.size() * 8; bit++) {
    std::vector<uint8_t> bad = good;
    bad[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
    softhca_pkt q;
    const auto err =
        softhca_pkt_decode(&q, bad.data(), static_cast<uint32_t>(bad.size()), kSrc, kDst);
    // The congestion bits and their reserved neighbours are not covered: routers set them.
    if (bit / 8 == 4)
      EXPECT_EQ(err, SOFTHCA_PKT_OK);
    else
      EXPECT_NE(err, SOFTHCA_PKT_OK) << bit;
  }
}

TEST(Packet, ForeignAddressesAreNoticed) {
  const std::vector<uint8_t> good = Encode(Sample(SOFTHCA_TR_RC, SOFTHCA_OP_ACK, 0));
  softhca_pkt q;
  EXPECT_EQ(softhca_pkt_decode(&q, good.data(), static_cast<uint32_t>(good.size()), kSrc, kDst + 1),
            SOFTHCA_PKT_ICRC);
}

TEST(Packet, NoLengthOfAnythingCrashesTheDecoder) {
  std::mt19937 rng(42);
  ForEveryPacket([&](uint8_t t, uint8_t op) {
    const std::vector<uint8_t> good = Encode(Sample(t, op, 64));
    for (size_t len = 0; len <= good.size(); len++) {
      // exact heap size
      std::vector<uint8_t> cut(good.begin(), good.begin() + static_cast<long>(len));
      softhca_pkt q;
      const auto err = softhca_pkt_decode(&q, cut.data(), static_cast<uint32_t>(len), kSrc, kDst);
      EXPECT_EQ(err == SOFTHCA_PKT_OK, len == good.size());
    }
  });
  for (int i = 0; i < 200000; i++) {
    std::vector<uint8_t> junk(rng() % 80);
    for (auto &b : junk)
      b = static_cast<uint8_t>(rng());
    softhca_pkt q;
    softhca_pkt_decode(&q, junk.data(), static_cast<uint32_t>(junk.size()), kSrc, kDst);
  }
}

TEST(Packet, PsnsCompareOnACircle) {
  EXPECT_LT(softhca_psn_cmp(0xffffff, 0), 0);
  EXPECT_GT(softhca_psn_cmp(5, 0xfffffe), 0);
  EXPECT_EQ(softhca_psn_cmp(7, 7), 0);
  EXPECT_EQ(softhca_psn_add(0xffffff, 2), 1u);
}

bool WriteCapture(const char *path) {
  softhca_pcap *pcap = softhca_pcap_open(path);
  if (!pcap)
    return false;
  ForEveryPacket([&](uint8_t t, uint8_t op) {
    const std::vector<uint8_t> bytes = Encode(Sample(t, op, 61));
    softhca_pcap_packet(pcap, bytes.data(), static_cast<uint32_t>(bytes.size()), kSrc, kDst);
  });
  softhca_pcap_close(pcap);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  if (argc > 1)
    return WriteCapture(argv[1]) ? 0 : 1;
  return RUN_ALL_TESTS();
}
