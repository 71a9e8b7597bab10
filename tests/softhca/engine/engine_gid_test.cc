// SPDX-License-Identifier: BSD-2-Clause
// RoCE: an address has a source GID, and with it a kind of packet. GID 0 and 1 of a port are
// link-local, 2 and 3 are IPv4; the odd ones are v2.
#include "tests/softhca/engine/engine_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <vector>

extern "C" {
#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
}

namespace eng {
namespace {

constexpr unsigned kGids = 4;

class Gids : public testing::TestWithParam<std::tuple<unsigned, unsigned>> {
 protected:
  unsigned a_index() const { return std::get<0>(GetParam()); }
  unsigned b_index() const { return std::get<1>(GetParam()); }
  bool same_family() const { return a_index() / 2 == b_index() / 2; }
};

TEST_P(Gids, ConnectionsWantOneKind) {
  Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  Address(a, a_index(), b_index());
  Address(b, b_index(), a_index());
  a.attr.timeout = b.attr.timeout = 1;
  ASSERT_EQ(0, a.Init() | b.Init());
  const int errs[] = {a.Rtr(hca, b.qpn), b.Rtr(hca, a.qpn)};
  if (!same_family()) {
    // Link-local destinations need no route: it is the other end that is refused.
    EXPECT_EQ(a_index() < 2 ? -EINVAL : 0, errs[0]) << softhca_why();
    EXPECT_EQ(b_index() < 2 ? -EINVAL : 0, errs[1]) << softhca_why();
    return;
  }
  ASSERT_EQ(0, errs[0] | errs[1]) << softhca_why();
  ASSERT_EQ(0, a.Rts() | b.Rts());
  uint64_t word = 0;
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(&word, hca.Mr(&word, sizeof(word))).Inline("12345678"));
  if (a_index() == b_index()) {
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
    EXPECT_EQ(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_GID_TYPE));
    return;
  }
  EXPECT_EQ(MLX5_CQE_SYNDROME_TRANSPORT_RETRY_EXC_ERR, acq.WaitErr().syndrome);
  EXPECT_EQ(0u, word);
  EXPECT_LT(0u, softhca_referee_count(hca.dev, SOFTHCA_RULE_GID_TYPE));
  const std::string said = softhca_referee_last(hca.dev);
  EXPECT_NE(std::string::npos,
            said.find(a_index() % 2 ? "is RoCE v2 over" : "is RoCE v1 and is dropped"))
      << said;
  EXPECT_NE(std::string::npos, said.find("as sgid_index " + std::to_string(b_index()) + " makes"))
      << said;
}

INSTANTIATE_TEST_SUITE_P(All, Gids,
                         testing::Combine(testing::Range(0u, kGids), testing::Range(0u, kGids)));

// The field has a fourth value, which only a forged packet has.
TEST(GidsOfForgedPackets, AreNoKindOfRoce)
{
	Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
	Cq cq(hca);
	Qp qp(hca, cq);
	const softhca_peer peer = {0x7f4d0002, 0x12};
	softhca_tell_net(softhca_qp_find(hca.dev, qp.qpn), &peer, SOFTHCA_NET_MASK, SOFTHCA_NET_V1);
	const std::string said = softhca_referee_last(hca.dev);
	EXPECT_NE(std::string::npos, said.find("a packet of QP 0x12 of 127.77.0.2 is dropped: its "
					       "type of RoCE is 3, which "
					       "no device of softhca sends"))
		<< said;
}

// Datagrams are for a port, which takes whatever it has a GID for.
TEST(GidsOfDatagrams, AllKindsAreTaken) {
  for (unsigned index = 0; index < kGids; index++) {
    Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
    Cq acq(hca), bcq(hca);
    QpOptions ud;
    ud.type = SOFTHCA_QP_UD;
    Qp a(hca, acq, ud), b(hca, bcq, ud);
    ASSERT_EQ(0, a.Init() | b.Init() | a.Rtr(hca, 0) | b.Rtr(hca, 0) | a.Rts() | b.Rts());
    uint8_t dst[140] = {};
    unsigned type;
    b.PostRecv(dst, sizeof(dst), hca.Mr(dst, sizeof(dst)));
    union ibv_gid gid;
    ASSERT_EQ(0, softhca_gid_query(hca.dev, 1, index, &gid, &type));
    mlx5_wqe_av av{};
    av.key.qkey.qkey = htobe32(0x1234);
    av.dqp_dct = htobe32(b.qpn | MLX5_EXTENDED_UD_AV);
    av.grh_gid_fl = htobe32(1u << 30 | index << 20);
    memcpy(av.rgid, gid.raw, sizeof(av.rgid));
    a.Post(Wqe(MLX5_OPCODE_SEND).Raw(&av, sizeof(av)).Inline("any"));
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
    EXPECT_EQ(43u, be32toh(bcq.Wait().byte_cnt)) << index;
  }
}

// An event of the fault plan moves those of an address two places on, as long as there are any.
TEST(GidsOfAPort, MoveAndAreNeverLost) {
  Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
  union ibv_gid gid, here;
  unsigned type;
  char why[200];
  ASSERT_EQ(0, softhca_gid_query(hca.dev, 1, 2, &gid, &type));
  for (unsigned moved = 1; moved < 10; moved++) {
    ASSERT_TRUE(softhca_fault_add("at 0s gid-change", why, sizeof(why))) << why;
    softhca_fault_run(UINT64_MAX);
    std::vector<unsigned> places;
    for (unsigned i = 0; i < SOFTHCA_GIDS; i++)
      if (!softhca_gid_query(hca.dev, 1, i, &here, &type) &&
          !memcmp(&here, &gid, sizeof(gid)))
        places.push_back(i);
    const unsigned first = std::min(2 + 2 * moved, SOFTHCA_GIDS - 2u);
    EXPECT_EQ(std::vector<unsigned>({first, first + 1}), places);
  }
  softhca_fault_free(softhca_fault_set(nullptr));
}

} // namespace
} // namespace eng
