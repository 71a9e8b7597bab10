/* SPDX-License-Identifier: BSD-2-Clause */
#include "tests/softhca/engine/engine_fixture.h"

#include <unistd.h>

#include <algorithm>

extern "C" {
#include "tools/softhca/engine/wire/wire.h"
}

namespace eng {

namespace {

void OnCqEvent(void *arg, softhca_cq *cq) { static_cast<Hca *>(arg)->cq_events.push_back(cq); }

void OnAsync(void *arg, enum ibv_event_type type, void *obj, unsigned port) {
  static_cast<Hca *>(arg)->events.push_back({type, obj, port});
}

const softhca_ops kOps = {OnCqEvent, OnAsync};

uint64_t Va(const void *p) { return reinterpret_cast<uintptr_t>(p); }

// One 8-byte store, as a driver does it.
void Doorbell(uint8_t *reg, uint64_t value) {
  __atomic_store_n(reinterpret_cast<uint64_t *>(reg), value, __ATOMIC_RELEASE);
}

// A hole that no test may write into by accident is easier to see when it is not zero.
constexpr uint8_t kDirt = 0xAA;

} // namespace

// A network of our own, 127.NET.0.0: frames to nobody in particular reach every host of a network,
// and fuzzers send a lot of them.
static void OwnNetwork() {
  static bool done;
  for (unsigned i = 0; !done && i < 150; i++) {
    softhca_wire_net(static_cast<uint8_t>(80 + (getpid() + i) % 150));
    done = !softhca_wire_claimed(softhca_lid_to_ip(1));
  }
}

Hca::Hca(const std::function<void(softhca_config *)> &tune) {
  OwnNetwork();
  softhca_copy_install();
  softhca_lock();
  softhca_unlock();
  softhca_config cfg;
  softhca_config_init(&cfg);
  if (tune)
    tune(&cfg);
  EXPECT_EQ(0, softhca_dev_create(&cfg, &kOps, this, &dev)) << softhca_why();
  uint32_t pdn;
  EXPECT_EQ(0, softhca_pd_create(dev, &pd, &pdn));
  EXPECT_EQ(0, softhca_uar_create(dev, page, &uar, &uar_id));
}

Hca::~Hca() { softhca_dev_destroy(dev); }

softhca_mkey *Hca::MrObject(void *p, size_t len, uint32_t access) {
  softhca_mkey *mr = nullptr;
  EXPECT_EQ(0, softhca_mr_create(pd, Va(p), len, Va(p), access, &mr)) << softhca_why();
  return mr;
}

uint32_t Hca::Mr(void *p, size_t len, uint32_t access) {
  return softhca_mkey_key(MrObject(p, len, access));
}

bool Hca::Run(const std::function<bool()> &done, unsigned ms) {
  uint64_t end = softhca_now_ns() + ms * UINT64_C(1000000);
  while (!done()) {
    if (softhca_now_ns() > end)
      return false;
    softhca_lock();
    softhca_poll_all(false, nullptr);
    softhca_unlock();
  }
  return true;
}

void Hca::Settle() {
  uint64_t end = softhca_now_ns() + UINT64_C(200000000); // retries may go on for ever
  for (int idle = 0; idle < 50 && softhca_now_ns() < end;)
    idle = softhca_poll_all(false, nullptr) ? 0 : idle + 1;
}

unsigned Hca::Count(enum ibv_event_type type) const {
  return std::count_if(events.begin(), events.end(),
                       [=](const Event &e) { return e.type == type; });
}

Cq::Cq(Hca &hca, uint32_t cqes, uint32_t cqe_size, bool overrun_ignore,
       const std::function<void(softhca_cq_attr *)> &tune)
    : hca(hca), cqes(cqes), size(cqe_size), buf(size_t{cqes} * cqe_size, kDirt) {
  for (uint32_t i = 0; i < cqes; i++) // as libmlx5 does
    buf[i * size + size - 1] = MLX5_CQE_INVALID << 4;
  softhca_cq_attr attr{};
  attr.buf_va = Va(buf.data());
  attr.db_va = Va(db);
  attr.cqes = cqes;
  attr.cqe_size = cqe_size;
  attr.uar = hca.uar;
  attr.overrun_ignore = overrun_ignore;
  attr.want_events = true;
  if (tune)
    tune(&attr);
  EXPECT_EQ(0, softhca_cq_create(hca.dev, &attr, &cq, &cqn)) << softhca_why();
}

Cq::~Cq() { softhca_cq_destroy(cq); }

std::optional<mlx5_cqe64> Cq::Poll(bool consume) {
  const uint8_t *entry = &buf[size_t{ci & (cqes - 1)} * size];
  mlx5_cqe64 cqe;
  memcpy(&cqe, entry + size - 64, 64);
  if (Opcode(cqe) == MLX5_CQE_INVALID || (cqe.op_own & 1) != !!(ci & cqes))
    return std::nullopt;
  last_entry.assign(entry, entry + size);
  if (consume)
    SetCi(ci + 1);
  return cqe;
}

void Cq::SetCi(uint32_t value) {
  ci = value;
  db[0] = htobe32(ci & 0xffffff);
}

mlx5_cqe64 Cq::Wait() {
  EXPECT_TRUE(hca.Run([this] { return !Empty(); })) << "no completion came";
  auto cqe = Poll();
  return cqe ? *cqe : mlx5_cqe64{};
}

mlx5_err_cqe Cq::WaitErr() {
  mlx5_cqe64 cqe = Wait();
  EXPECT_TRUE(Opcode(cqe) == MLX5_CQE_REQ_ERR || Opcode(cqe) == MLX5_CQE_RESP_ERR)
      << "not an error but opcode " << int{Opcode(cqe)};
  mlx5_err_cqe err;
  memcpy(&err, &cqe, sizeof(err));
  return err;
}

void Cq::Arm(bool solicited) {
  uint32_t value =
      (sn & 3) << 28 | (solicited ? MLX5_CQ_DB_REQ_NOT_SOL : MLX5_CQ_DB_REQ_NOT) | (ci & 0xffffff);
  db[1] = htobe32(value);
  uint64_t doorbell = htobe64(uint64_t{value} << 32 | cqn);
  Doorbell(hca.page + MLX5_CQ_DOORBELL, doorbell);
}

Wqe &Wqe::Raw(const void *bytes, size_t len) {
  auto *p = static_cast<const uint8_t *>(bytes);
  body.insert(body.end(), p, p + len);
  return *this;
}

Wqe &Wqe::Raddr(const void *addr, uint32_t rkey) {
  mlx5_wqe_raddr_seg seg{htobe64(Va(addr)), htobe32(rkey), 0};
  return Raw(&seg, sizeof(seg));
}

Wqe &Wqe::Data(const void *addr, uint32_t len, uint32_t lkey) {
  mlx5_wqe_data_seg seg{htobe32(len), htobe32(lkey), htobe64(Va(addr))};
  return Raw(&seg, sizeof(seg));
}

Wqe &Wqe::Inline(const std::string &bytes) {
  uint32_t count = htobe32(MLX5_INLINE_SEG | static_cast<uint32_t>(bytes.size()));
  Raw(&count, sizeof(count));
  Raw(bytes.data(), bytes.size());
  body.resize((body.size() + 15) / 16 * 16);
  return *this;
}

Wqe &Wqe::Atomic(uint64_t swap_add, uint64_t compare) { return Words64({swap_add, compare}); }

Wqe &Wqe::Words32(const std::vector<uint32_t> &words) {
  for (uint32_t w : words) {
    w = htobe32(w);
    Raw(&w, sizeof(w));
  }
  return *this;
}

Wqe &Wqe::Words64(const std::vector<uint64_t> &words) {
  for (uint64_t w : words) {
    w = htobe64(w);
    Raw(&w, sizeof(w));
  }
  return *this;
}

Qp::Qp(Hca &hca, Cq &cq, const QpOptions &o)
    : hca(hca),
      opt(o),
      sq(size_t{o.sq_wqes} * 64, kDirt),
      rq(size_t{o.rq_wqes} * o.rq_stride, kDirt) {
  bool has_rq = opt.type == SOFTHCA_QP_RC || opt.type == SOFTHCA_QP_UC ||
                opt.type == SOFTHCA_QP_UD || opt.type == SOFTHCA_QP_RAW;
  bool has_sq = opt.type != SOFTHCA_QP_XRC_TGT && opt.type != SOFTHCA_QP_DCT;
  struct softhca_qp_create c{};
  c.type = opt.type;
  c.pd = opt.pd ? opt.pd : hca.pd;
  c.send_cq = c.recv_cq = cq.cq;
  c.srq = opt.srq;
  c.xrcd = opt.xrcd;
  c.uar = hca.uar;
  c.db_va = Va(db);
  if (has_sq) {
    c.sq_va = Va(sq.data());
    c.sq_wqes = opt.sq_wqes;
  }
  if (has_rq && !opt.srq) {
    c.rq_va = Va(rq.data());
    c.rq_wqes = opt.rq_wqes;
    c.rq_stride = opt.rq_stride;
  }
  c.user_index = opt.uidx;
  c.scatter_cqe = opt.scatter_cqe;
  c.scatter_bytes = opt.scatter_cqe ? 64 : 0;
  c.dc_access_key = opt.dckey;
  c.umr_en = true;
  c.cross_master = opt.cross_master;
  c.managed_send = opt.managed_send;
  c.no_record = opt.no_record;
  c.log_dci_streams = opt.log_dci_streams;
  c.log_dci_errored = opt.log_dci_errored;
  EXPECT_EQ(0, softhca_qp_create(hca.dev, &c, &qp, &qpn)) << softhca_why();
}

Qp::~Qp() { softhca_qp_destroy(qp); }

int Qp::To(enum ibv_qp_state state) {
  ibv_qp_attr a{};
  a.qp_state = state;
  return softhca_qp_modify(qp, &a, IBV_QP_STATE);
}

int Qp::Init(unsigned access) {
  int mask = IBV_QP_STATE | IBV_QP_PKEY_INDEX | IBV_QP_PORT;
  attr.qp_state = IBV_QPS_INIT;
  attr.port_num = port;
  attr.qp_access_flags = access;
  attr.qkey = 0x1234;
  if (opt.type == SOFTHCA_QP_UD)
    mask |= IBV_QP_QKEY;
  else if (opt.type != SOFTHCA_QP_DCI)
    mask |= IBV_QP_ACCESS_FLAGS;
  return softhca_qp_modify(qp, &attr, mask);
}

int Qp::Rtr(Hca &peer, uint32_t peer_qpn) {
  softhca_port_attr theirs{};
  softhca_port_query(peer.dev, port, &theirs);
  int mask = IBV_QP_STATE;
  attr.qp_state = IBV_QPS_RTR;
  attr.path_mtu = IBV_MTU_1024;
  attr.dest_qp_num = peer_qpn;
  attr.rq_psn = 0x100;
  attr.max_dest_rd_atomic = attr.max_dest_rd_atomic ? attr.max_dest_rd_atomic : 16;
  attr.min_rnr_timer = attr.min_rnr_timer ? attr.min_rnr_timer : 1;
  attr.ah_attr.port_num = port;
  attr.ah_attr.dlid = theirs.lid;
  switch (opt.type) {
  case SOFTHCA_QP_UD:
    break;
  case SOFTHCA_QP_DCI:
    mask |= IBV_QP_PATH_MTU;
    break;
  case SOFTHCA_QP_DCT:
    mask |= IBV_QP_PATH_MTU | IBV_QP_AV | IBV_QP_MIN_RNR_TIMER;
    break;
  default:
    mask |= IBV_QP_AV | IBV_QP_PATH_MTU | IBV_QP_DEST_QPN | IBV_QP_RQ_PSN;
    if (opt.type == SOFTHCA_QP_RC || opt.type == SOFTHCA_QP_XRC_TGT)
      mask |= IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER;
  }
  int err = softhca_qp_modify(qp, &attr, mask);
  qpn = softhca_qp_num(qp);
  return err;
}

int Qp::Rts() {
  int mask = IBV_QP_STATE | IBV_QP_SQ_PSN;
  attr.qp_state = IBV_QPS_RTS;
  attr.sq_psn = 0x100;
  attr.timeout = attr.timeout ? attr.timeout : 8; // about 1 ms
  attr.retry_cnt = 7;
  attr.rnr_retry = attr.rnr_retry ? attr.rnr_retry : 7;
  attr.max_rd_atomic = 16;
  if (opt.type == SOFTHCA_QP_RC || opt.type == SOFTHCA_QP_XRC_INI || opt.type == SOFTHCA_QP_DCI)
    mask |= IBV_QP_TIMEOUT | IBV_QP_RETRY_CNT | IBV_QP_RNR_RETRY | IBV_QP_MAX_QP_RD_ATOMIC;
  else if (opt.type == SOFTHCA_QP_XRC_TGT)
    mask |= IBV_QP_TIMEOUT;
  return softhca_qp_modify(qp, &attr, mask);
}

void Qp::Put(const Wqe &wqe) {
  std::vector<uint8_t> bytes(16);
  bytes.insert(bytes.end(), wqe.body.begin(), wqe.body.end());
  unsigned units = static_cast<unsigned>((bytes.size() + 15) / 16);
  bytes.resize((bytes.size() + 63) / 64 * 64);
  mlx5_wqe_ctrl_seg ctrl{};
  uint16_t index = wqe.index < 0 ? sq_pi : static_cast<uint16_t>(wqe.index);
  ctrl.opmod_idx_opcode = htobe32(uint32_t{wqe.opmod} << 24 | uint32_t{index} << 8 | wqe.opcode);
  ctrl.qpn_ds = htobe32((wqe.qpn < 0 ? qpn : static_cast<uint32_t>(wqe.qpn)) << 8 |
                        (wqe.ds < 0 ? units : static_cast<unsigned>(wqe.ds)));
  ctrl.dci_stream_channel_id = htobe16(wqe.stream);
  ctrl.fm_ce_se = wqe.fm_ce_se;
  ctrl.imm = wqe.imm;
  memcpy(bytes.data(), &ctrl, sizeof(ctrl));
  last_index = sq_pi;
  for (size_t at = 0; at < bytes.size(); at += 64, sq_pi++)
    memcpy(&sq[size_t{sq_pi % opt.sq_wqes} * 64], &bytes[at], 64);
}

void Qp::Ring() {
  db[1] = htobe32(sq_pi);
  uint64_t first;
  memcpy(&first, &sq[size_t{last_index % opt.sq_wqes} * 64], sizeof(first));
  Doorbell(hca.page + 0x800, first);
}

void Qp::PostRecv(const std::vector<mlx5_wqe_data_seg> &segs) {
  uint8_t *entry = &rq[size_t{rq_pi % opt.rq_wqes} * opt.rq_stride];
  mlx5_wqe_data_seg end{0, htobe32(MLX5_INVALID_LKEY), 0};
  size_t room = opt.rq_stride / sizeof(end);
  for (size_t i = 0; i < room; i++)
    memcpy(entry + i * sizeof(end), i < segs.size() ? &segs[i] : &end, sizeof(end));
  db[0] = htobe32(++rq_pi);
}

void Qp::PostRecv(const void *addr, uint32_t len, uint32_t lkey) {
  PostRecv({mlx5_wqe_data_seg{htobe32(len), htobe32(lkey), htobe64(Va(addr))}});
}

Srq::Srq(Hca &hca, uint32_t wqes, Cq *xrc_cq, softhca_xrcd *xrcd, uint32_t uidx, uint32_t tags)
    : hca(hca), wqes(wqes), buf(size_t{wqes} * 64, kDirt) {
  for (uint32_t i = 0; i < wqes; i++) {
    mlx5_wqe_srq_next_seg next{};
    next.next_wqe_index = htobe16((i + 1) & (wqes - 1));
    memcpy(&buf[i * 64], &next, sizeof(next));
  }
  struct softhca_srq_attr attr{};
  attr.type = xrcd ? IBV_SRQT_XRC : tags ? IBV_SRQT_TM : IBV_SRQT_BASIC;
  attr.max_tags = tags;
  attr.pd = hca.pd;
  attr.cq = xrc_cq ? xrc_cq->cq : nullptr;
  attr.xrcd = xrcd;
  attr.buf_va = Va(buf.data());
  attr.db_va = Va(db);
  attr.wqes = wqes;
  attr.wqe_shift = 6;
  attr.max_wr = wqes - 1;
  attr.max_sge = 3;
  attr.user_index = uidx;
  EXPECT_EQ(0, softhca_srq_create(hca.dev, &attr, &srq, &srqn)) << softhca_why();
}

Srq::~Srq() { softhca_srq_destroy(srq); }

void Srq::PostRecv(const void *addr, uint32_t len, uint32_t lkey) {
  uint8_t *entry = &buf[size_t{head & (wqes - 1)} * 64];
  mlx5_wqe_srq_next_seg next;
  memcpy(&next, entry, sizeof(next));
  mlx5_wqe_data_seg seg{htobe32(len), htobe32(lkey), htobe64(Va(addr))},
      end{0, htobe32(MLX5_INVALID_LKEY), 0};
  memcpy(entry + 16, &seg, sizeof(seg));
  memcpy(entry + 32, &end, sizeof(end));
  head = be16toh(next.next_wqe_index);
  db[0] = htobe32(++counter);
}

void Address(Qp &qp, unsigned own, unsigned peer) {
  unsigned type;
  qp.attr.ah_attr.is_global = 1;
  qp.attr.ah_attr.grh.sgid_index = uint8_t(own);
  qp.attr.ah_attr.grh.hop_limit = 64;
  ASSERT_EQ(0, softhca_gid_query(qp.hca.dev, qp.port, peer, &qp.attr.ah_attr.grh.dgid, &type));
}

void Connect(Qp &a, Qp &b) {
  ASSERT_EQ(0, a.Init()) << softhca_why();
  ASSERT_EQ(0, b.Init()) << softhca_why();
  ASSERT_EQ(0, a.Rtr(b.hca, b.qpn)) << softhca_why();
  ASSERT_EQ(0, b.Rtr(a.hca, a.qpn)) << softhca_why();
  ASSERT_EQ(0, a.Rts()) << softhca_why();
  ASSERT_EQ(0, b.Rts()) << softhca_why();
}

} // namespace eng
