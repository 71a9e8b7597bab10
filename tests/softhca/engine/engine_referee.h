/* SPDX-License-Identifier: BSD-2-Clause */
// Two connected queue pairs on a device that waits for little, for the tests of its referee.
#ifndef SOFTHCA_TESTS_ENGINE_REFEREE_H
#define SOFTHCA_TESTS_ENGINE_REFEREE_H

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

#include "segue/gen/enums.h"

namespace eng {

inline void Impatient(softhca_config *c) {
  c->patience_ms = 300;
  c->watch = true;
}

struct World {
  explicit World(const std::string &json = "")
      : json(json), hca([this](softhca_config *c) {
          Impatient(c);
          c->nports = 2;
          c->link[1] = SOFTHCA_LINK_ROCE;
          c->referee_json = this->json.empty() ? nullptr : this->json.c_str();
        }),
        a(hca, acq), b(hca, bcq) {
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    Connect(a, b);
  }
  Wqe Write() { return Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(dst, dkey).Data(src, 8, skey); }
  std::string json; // outlives the device
  Hca hca;
  Cq acq{hca}, bcq{hca};
  Qp a, b;
  alignas(64) uint8_t src[4096] = {}, dst[4096] = {};
  uint32_t skey, dkey;
};

// A DCI with streams and its target, which has no receive, so that what is sent to it waits.
struct Streams {
  explicit Streams(World &w) : w(w) {
    EXPECT_EQ(0, dci.Init() | dct.Init() | dci.Rtr(w.hca, 0) | dct.Rtr(w.hca, 0) | dci.Rts());
  }
  static QpOptions Initiator() {
    QpOptions opt;
    opt.type = SOFTHCA_QP_DCI;
    opt.log_dci_streams = opt.log_dci_errored = 2;
    return opt;
  }
  static QpOptions Target(const Srq &srq) {
    QpOptions opt;
    opt.type = SOFTHCA_QP_DCT;
    opt.srq = srq.srq;
    return opt;
  }
  Wqe On(uint16_t stream, uint8_t opcode) {
    Wqe wqe(opcode);
    wqe.stream = stream;
    return Av(wqe, 0, dct.qpn, Lid(w.hca));
  }
  void Write(uint16_t stream, uint32_t rkey) {
    dci.Post(On(stream, MLX5_OPCODE_RDMA_WRITE).Raddr(w.dst, rkey).Data(w.src, 8, w.skey));
  }
  void Send(uint16_t stream) { dci.Post(On(stream, MLX5_OPCODE_SEND).Inline("waits")); }
  World &w;
  Srq srq{w.hca};
  Qp dci{w.hca, w.acq, Initiator()}, dct{w.hca, w.bcq, Target(srq)};
};

inline uint64_t At(const void *p) { return reinterpret_cast<uintptr_t>(p); }

} // namespace eng
#endif
