/* SPDX-License-Identifier: BSD-2-Clause */
// The engine without its plug-ins: what would need one is refused, and everything else goes on.
#include "tests/softhca/engine/engine_fixture.h"
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

TEST(Core, CarriesMessagesWithoutPlugins) {
  ASSERT_EQ(nullptr, the_engine.raw);
  ASSERT_EQ(nullptr, the_engine.offload);
  Hca hca;
  Cq acq(hca), bcq(hca);
  Qp a(hca, acq), b(hca, bcq);
  uint8_t src[64] = "one way", dst[64] = {};
  const uint32_t skey = hca.Mr(src, sizeof(src)), dkey = hca.Mr(dst, sizeof(dst));
  Connect(a, b);
  a.Post(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(acq.Wait()));
  EXPECT_STREQ("one way", reinterpret_cast<char *>(dst));
}

TEST(Core, RefusesAKeyWithSignatures) {
  Hca hca([](softhca_config *c) { c->sig = c->crypto = true; });
  softhca_mkey_attr attr{};
  attr.pd = hca.pd;
  attr.mode = SOFTHCA_MKEY_KLM;
  attr.max_klms = 4;
  attr.bsf_room = 4;
  attr.umr_en = attr.free = true;
  softhca_mkey *key = nullptr;
  EXPECT_EQ(-EOPNOTSUPP, softhca_mkey_create(hca.dev, &attr, &key));
}

TEST(Core, RefusesSignatureValues) {
  Hca hca([](softhca_config *c) { c->sig = true; });
  Cq cq(hca);
  Qp a(hca, cq), b(hca, cq);
  Connect(a, b);
  a.Post(Wqe(MLX5_OPCODE_SET_PSV).Words64({0, 0}));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, cq.WaitErr().syndrome);
}

TEST(Core, RefusesRawPackets) {
  Hca hca([](softhca_config *c) { c->link[0] = SOFTHCA_LINK_ROCE; });
  Cq cq(hca);
  QpOptions raw;
  raw.type = SOFTHCA_QP_RAW;
  Qp a(hca, cq, raw);
  ibv_qp_attr attr{};
  attr.port_num = 1;
  attr.qp_state = IBV_QPS_INIT;
  ASSERT_EQ(0, softhca_qp_modify(a.qp, &attr, IBV_QP_STATE | IBV_QP_PORT)) << softhca_why();
  ASSERT_EQ(0, a.To(IBV_QPS_RTR));
  ASSERT_EQ(0, a.To(IBV_QPS_RTS));
  uint8_t eth[16] = {}, frame[64] = {};
  a.Post(Wqe(MLX5_OPCODE_SEND)
             .Raw(eth, sizeof(eth))
             .Data(frame, sizeof(frame), hca.Mr(frame, sizeof(frame))));
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, cq.WaitErr().syndrome);
}

} // namespace
