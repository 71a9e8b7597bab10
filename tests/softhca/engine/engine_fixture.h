/* SPDX-License-Identifier: BSD-2-Clause */
// Drives the engine directly: raw rings, raw doorbells, no libibverbs. Everything runs in one
// thread; Run() turns the device.
#ifndef SOFTHCA_TESTS_ENGINE_FIXTURE_H
#define SOFTHCA_TESTS_ENGINE_FIXTURE_H

#include <endian.h>
#include <infiniband/mlx5dv.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/engine/engine.h"
}

namespace eng {

struct Event {
  enum ibv_event_type type;
  void *obj;
  unsigned port;
};

// One HCA with one doorbell page and one PD.
class Hca {
 public:
  explicit Hca(const std::function<void(softhca_config *)> &tune = nullptr);
  ~Hca();
  Hca(const Hca &) = delete;

  uint32_t Mr(void *p, size_t len, uint32_t access = kAll);
  softhca_mkey *MrObject(void *p, size_t len, uint32_t access = kAll);
  // Turns the device until `done` or until nothing happened for a while (then false).
  bool Run(const std::function<bool()> &done, unsigned ms = 60000);
  void Settle(); // turns it until it is idle
  unsigned Count(enum ibv_event_type type) const;

  static constexpr uint32_t kAll = IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ |
                                   IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC |
                                   IBV_ACCESS_MW_BIND;
  softhca_dev *dev = nullptr;
  softhca_pd *pd = nullptr;
  softhca_uar *uar = nullptr;
  uint32_t uar_id = 0;
  std::vector<Event> events;
  std::vector<softhca_cq *> cq_events;
  alignas(4096) uint8_t page[4096] = {};
};

class Cq {
 public:
  explicit Cq(Hca &hca, uint32_t cqes = 64, uint32_t cqe_size = 64, bool overrun_ignore = false,
              const std::function<void(softhca_cq_attr *)> &tune = nullptr);
  ~Cq();
  std::optional<mlx5_cqe64> Poll(bool consume = true);
  mlx5_cqe64 Wait(); // fails the test if nothing comes
  mlx5_err_cqe WaitErr();
  void SetCi(uint32_t ci);
  void Arm(bool solicited);
  bool Empty() { return !Poll(false); }

  Hca &hca;
  softhca_cq *cq = nullptr;
  uint32_t cqn = 0, cqes, size, ci = 0, sn = 0;
  std::vector<uint8_t> buf;
  alignas(64) uint32_t db[2] = {};
  std::vector<uint8_t> last_entry; // the whole entry Poll() returned
};

// The bytes of one WQE; Qp::Post() completes the control segment.
class Wqe {
 public:
  explicit Wqe(uint8_t opcode, uint8_t opmod = 0, uint8_t fm_ce_se = MLX5_WQE_CTRL_CQ_UPDATE)
      : opcode(opcode), opmod(opmod), fm_ce_se(fm_ce_se) {}
  Wqe &Raddr(const void *addr, uint32_t rkey);
  Wqe &Data(const void *addr, uint32_t len, uint32_t lkey);
  Wqe &Inline(const std::string &bytes);
  Wqe &Atomic(uint64_t swap_add, uint64_t compare);
  Wqe &Words32(const std::vector<uint32_t> &words); // big-endian words
  Wqe &Words64(const std::vector<uint64_t> &words);
  Wqe &Raw(const void *bytes, size_t len);
  Wqe &Imm(uint32_t host_order) {
    imm = htobe32(host_order);
    return *this;
  }
  uint8_t opcode, opmod, fm_ce_se;
  uint32_t imm = 0;
  uint16_t stream = 0; // of a DCI
  int index = -1, ds = -1; // overrides
  int64_t qpn = -1;
  std::vector<uint8_t> body; // behind the control segment
};

struct QpOptions {
  enum softhca_qp_type type = SOFTHCA_QP_RC;
  uint32_t sq_wqes = 64, rq_wqes = 64, rq_stride = 64;
  softhca_srq *srq = nullptr;
  softhca_xrcd *xrcd = nullptr;
  softhca_pd *pd = nullptr;
  bool scatter_cqe = false;
  uint64_t dckey = 0;
  uint32_t uidx = 0;
  bool cross_master = false, managed_send = false, no_record = false;
  uint8_t log_dci_streams = 0, log_dci_errored = 0;
};

class Qp {
 public:
  Qp(Hca &hca, Cq &cq, const QpOptions &opt = {});
  ~Qp();
  // States; each returns what the engine returned.
  int Init(unsigned access = IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
                             IBV_ACCESS_REMOTE_ATOMIC);
  int Rtr(Hca &peer, uint32_t peer_qpn);
  int Rts();
  int To(enum ibv_qp_state state);
  // Writes a WQE at the producer index. Ring() shows everything posted to the device.
  void Put(const Wqe &wqe);
  void Ring();
  void Post(const Wqe &wqe) {
    Put(wqe);
    Ring();
  }
  void PostRecv(const void *addr, uint32_t len, uint32_t lkey);
  void PostRecv(const std::vector<mlx5_wqe_data_seg> &segs);

  Hca &hca;
  QpOptions opt;
  softhca_qp *qp = nullptr;
  uint32_t qpn = 0;
  ibv_qp_attr attr{};
  uint8_t port = 1; // of both ends
  uint16_t sq_pi = 0, rq_pi = 0, last_index = 0;
  std::vector<uint8_t> sq, rq;
  alignas(64) uint32_t db[2] = {};
};

class Srq {
 public:
  // With a domain it is for XRC, with tags it matches them.
  Srq(Hca &hca, uint32_t wqes = 16, Cq *xrc_cq = nullptr, softhca_xrcd *xrcd = nullptr,
      uint32_t uidx = 0, uint32_t tags = 0);
  ~Srq();
  void PostRecv(const void *addr, uint32_t len, uint32_t lkey);

  Hca &hca;
  softhca_srq *srq = nullptr;
  uint32_t srqn = 0, wqes;
  uint16_t counter = 0, head = 0;
  std::vector<uint8_t> buf;
  alignas(64) uint32_t db[2] = {};
};

// RoCE: the address of the queue pair's peer, on the same port, by the index of each side's GID.
void Address(Qp &qp, unsigned own, unsigned peer);

// Brings two connected queue pairs to RTS with each other.
void Connect(Qp &a, Qp &b);

inline uint8_t Opcode(const mlx5_cqe64 &cqe) { return cqe.op_own >> 4; }

} // namespace eng

#endif
