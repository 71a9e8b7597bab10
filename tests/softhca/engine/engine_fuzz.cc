/* SPDX-License-Identifier: BSD-2-Clause */
// The whole engine against hostile rings, doorbells, records, commands and packets. The input is a
// little program. With -DSOFTHCA_LIBFUZZER it is a libFuzzer target; otherwise a test that runs
// pseudo-random programs.
#include <unistd.h>

#include <cstdio>
#ifndef SOFTHCA_LIBFUZZER
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#endif

#include "tests/seed/seed.h"
#include "tests/softhca/clients/corpus.h"
#include "tests/softhca/engine/engine_offload.h"
#include "tests/softhca/engine/engine_fuzz_raw.h"
#include "tests/softhca/fuzz/fuzz_input.h"
extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/wire.h"
}

// From wire_priv.h, which is not C++: a datagram as it came from the wire.
extern "C" void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
                                     uint32_t src_ip, uint32_t dst_ip);

namespace {

using namespace eng;

// The memory the hostile application owns. Everything it registers or uses as a ring lies in here,
// or nowhere.
alignas(4096) uint8_t arena[1 << 16];

struct Reader : fuzz_input {
  uint8_t U8() { return fuzz_u8(this); }
  uint16_t U16() { return fuzz_u16(this); }
  uint32_t U32() { return fuzz_u32(this); }
  uint64_t U64() { return fuzz_u64(this); }
  void Bytes(uint8_t *out, size_t n) { fuzz_bytes(this, out, n); }
};

class Program {
 public:
  static void Compress(softhca_cq_attr *attr) {
    attr->compress = true;
    attr->mini_format = 3;
  }
  static void Enhance(softhca_cq_attr *attr) {
    Compress(attr);
    attr->enhanced = true;
  }
  // Every fourth input has a queue that compresses, every eighth in the enhanced layout.
  static std::function<void(softhca_cq_attr *)> Layout(size_t left) {
    if (left % 4 != 1)
      return nullptr;
    return left % 8 == 1 ? Compress : Enhance;
  }
  Program(Hca &hca, Reader in)
      : hca(hca),
        in(in),
        acq(hca, 16, 64, false, Layout(in.left)),
        bcq(hca, 16, in.left / 8 % 2 ? 128 : 64) {
    in_start();
  }
  ~Program() {
    b.reset();
    a.reset();
    srq.reset();
    uint32_t n = 0;
    while (auto *k = static_cast<softhca_mkey *>(softhca_table_iter(&hca.dev->mkeys, &n)))
      if (k != hca.dev->null_mkey)
        windows_first(k);
    n = 0;
    while (auto *k = static_cast<softhca_mkey *>(softhca_table_iter(&hca.dev->mkeys, &n)))
      if (k != hca.dev->null_mkey)
        softhca_mkey_destroy(k);
    softhca_psv_destroy(static_cast<softhca_psv *>(softhca_table_get(&hca.dev->psvs, psv)));
    softhca_dek_destroy(static_cast<softhca_dek *>(softhca_table_get(&hca.dev->deks, dek)));
    if (xrcd)
      softhca_xrcd_destroy(xrcd);
    memset(hca.page, 0, sizeof(hca.page));
    hca.events.clear();
    hca.cq_events.clear();
  }
  void Run() {
    for (int steps = 0; in.left && steps < 200; steps++)
      Step();
    Poll(8);
  }

 private:
  // Windows hold their regions: destroying in table order may fail the first time.
  static void windows_first(softhca_mkey *k) { softhca_mkey_destroy(k); }

  void in_start() {
    static const enum softhca_qp_type pairs[][2] = {{SOFTHCA_QP_RC, SOFTHCA_QP_RC},
                                                    {SOFTHCA_QP_UC, SOFTHCA_QP_UC},
                                                    {SOFTHCA_QP_UD, SOFTHCA_QP_UD},
                                                    {SOFTHCA_QP_XRC_INI, SOFTHCA_QP_XRC_TGT},
                                                    {SOFTHCA_QP_DCI, SOFTHCA_QP_DCT}};
    uint8_t how = in.U8();
    QpOptions ao, bo;
    ao.type = pairs[how % 5][0];
    bo.type = pairs[how % 5][1];
    ao.sq_wqes = bo.sq_wqes = 16;
    ao.rq_wqes = bo.rq_wqes = 8;
    ao.scatter_cqe = bo.scatter_cqe = how & 0x80;
    ao.cross_master = true;
    bo.managed_send = how & 0x10;
    uint32_t num;
    if (bo.type == SOFTHCA_QP_XRC_TGT) {
      softhca_xrcd_create(hca.dev, &xrcd, &num);
      srq = std::make_unique<Srq>(hca, 8, &bcq, xrcd, 5);
      bo.xrcd = xrcd;
    } else if (bo.type == SOFTHCA_QP_DCT || how & 0x40) {
      const bool tags = how & 8 && (bo.type == SOFTHCA_QP_RC || bo.type == SOFTHCA_QP_DCT);
      srq = std::make_unique<Srq>(hca, 8, tags ? &bcq : nullptr, nullptr, 5, tags ? 4 : 0);
      bo.srq = srq->srq;
    }
    bo.dckey = 7;
    keys[0] = hca.Mr(arena, sizeof(arena));
    keys[1] = hca.Mr(arena + 1000, 3000, IBV_ACCESS_REMOTE_READ);
    softhca_mkey *k = nullptr;
    softhca_mw_create(hca.pd, how & 0x20 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2, &k);
    keys[2] = softhca_mkey_key(k);
    softhca_mkey_attr attr{};
    attr.mode = SOFTHCA_MKEY_KLM;
    attr.pd = hca.pd;
    attr.free = attr.umr_en = true;
    attr.max_klms = 8;
    softhca_mkey_create(hca.dev, &attr, &k);
    keys[3] = softhca_mkey_key(k);
    keys[4] = softhca_mkey_key(OffloadKey(hca, false));
    keys[5] = softhca_mkey_key(OffloadKey(hca, true));
    psv = Psv(hca);
    dek = Dek(hca, oracle::Bytes(32, how));
    a = std::make_unique<Qp>(hca, acq, ao);
    b = std::make_unique<Qp>(hca, bcq, bo);
    a->Init();
    b->Init();
    b->Rtr(hca, a->qpn);
    a->Rtr(hca, b->qpn);
    a->Rts();
    b->Rts();
  }

  void Poll(int n) {
    while (n--)
      softhca_poll_all(false, nullptr);
  }
  const void *Addr() {
    uint16_t v = in.U16();
    return (v & 0xf000) == 0xf000 ? reinterpret_cast<void *>(uint64_t{v} << (v & 63)) : &arena[v];
  }
  uint32_t Key() {
    uint8_t v = in.U8();
    return v < 0xf0 ? keys[v % 6] ^ (v & 0x80 ? v & 0xf : 0) : in.U32();
  }
  uint32_t Len() {
    uint8_t v = in.U8();
    return v < 128 ? v : v < 250 ? uint32_t{v} * 64 : in.U32();
  }

  mlx5_wqe_av Destination(const Qp &q) const {
    mlx5_wqe_av av{};
    av.key.dc_key = htobe64(q.opt.type == SOFTHCA_QP_DCI ? 7 : uint64_t{0x1234} << 32);
    av.dqp_dct = htobe32(b->qpn | MLX5_EXTENDED_UD_AV);
    av.rlid = htobe16(hca.dev->port[1].lid);
    return av;
  }

  Wqe Build(Qp &q) {
    static const uint8_t ops[] = {0,    1,    8,    9,    0xa,  0xb,  0xf,  0x10, 0x11, 0x12, 0x14,
                                  0x15, 0x17, 0x18, 0x1b, 0x20, 0x21, 0x22, 0x25, 0x28, 0x2f, 0x32};
    uint8_t op = in.U8();
    if (op >= 0xe0 && op < 0xf0)
      return Protect();
    Wqe w(op < 0xf0 ? ops[op % sizeof(ops)] : op, in.U8() & 0xf, in.U8());
    w.imm = htobe32(Key());
    if (w.opcode == 0xf || w.opcode == 0x17)
      return Cross(w);
    if (w.opcode == 0x28)
      return Tag(w);
    if (q.opt.type == SOFTHCA_QP_UD || q.opt.type == SOFTHCA_QP_DCI) {
      mlx5_wqe_av av = Destination(q);
      if (in.U8() > 250)
        in.Bytes(reinterpret_cast<uint8_t *>(&av), sizeof(av));
      w.Raw(&av, sizeof(av));
    } else if (q.opt.type == SOFTHCA_QP_XRC_INI) {
      w.Words32({srq->srqn ^ (in.U8() > 250), 0, 0, 0});
    }
    for (uint8_t n = in.U8() % 8; n; n--) {
      switch (in.U8() % 7) {
      case 0:
        w.Raddr(Addr(), Key());
        break;
      case 1:
        w.Data(Addr(), Len(), Key());
        break;
      case 2:
        w.Inline(std::string(in.U8() % 70, 'f'));
        break;
      case 6: { // a tag matching header, and perhaps a rendezvous
        std::string bytes(8, static_cast<char>(in.U8() % 5));
        const uint64_t tag = htobe64(in.U8() % 4u),
                       va = htobe64(reinterpret_cast<uintptr_t>(Addr()));
        const uint32_t key = htobe32(Key()), len = htobe32(Len());
        bytes.append(reinterpret_cast<const char *>(&tag), 8);
        bytes.append(reinterpret_cast<const char *>(&va), 8);
        bytes.append(reinterpret_cast<const char *>(&key), 4);
        bytes.append(reinterpret_cast<const char *>(&len), 4);
        w.Inline(bytes);
        break;
      }
      case 3:
        w.Words64({in.U64(), in.U64()});
        break;
      case 4:
        UmrSegments(&w);
        break;
      default: {
        uint8_t raw[16];
        in.Bytes(raw, sizeof(raw));
        w.Raw(raw, sizeof(raw));
      }
      }
    }
    if (w.body.size() > 900)
      w.body.resize(896);
    if (in.U8() > 240)
      w.ds = in.U8() & 0x3f;
    return w;
  }

  // WAIT and SEND_EN that make sense now and then.
  Wqe Cross(Wqe w) {
    const uint8_t what = in.U8();
    w.opmod %= 4;
    if (w.opcode == 0x17)
      w.Words32({0, 0, in.U16(), what & 1 ? b->qpn : in.U32()});
    else if (w.opmod == 0)
      w.Words32({0, 0, in.U8(), what & 1 ? acq.cqn : what & 2 ? bcq.cqn : in.U32()});
    else
      w.Words32({what, Key()}).Words64({reinterpret_cast<uintptr_t>(Addr()), in.U64(), in.U64()});
    return w;
  }

  // Changes of a tag list; tags are few, so that messages match.
  Wqe Tag(Wqe w) {
    const uint8_t op = in.U8() % 4;
    w.Words32({uint32_t{op} << 28 | uint32_t{in.U8()} << 16 | in.U8() % 8u, in.U8(), 0, 0})
        .Words64({in.U8() % 4u, in.U8()});
    if (op == 1)
      w.Data(Addr(), Len(), Key());
    return w;
  }

  oracle::Side Domain() {
    static const uint32_t blocks[] = {512, 520, 4048, 4096, 4160, 0};
    const uint8_t how = in.U8();
    oracle::Side side;
    side.kind = static_cast<oracle::Kind>(how % 6);
    side.block = blocks[how / 6 % 6];
    side.ones = how & 0x80;
    side.grows = how & 0x40;
    side.escapes = in.U8() & 3;
    side.psv = in.U8() < 250 ? psv : in.U16();
    return side;
  }

  // A UMR with signature and crypto settings that make sense, but for a byte now and then.
  Wqe Protect() {
    static const uint32_t units[] = {512, 520, 4048, 4160};
    const uint8_t how = in.U8();
    softhca_mkey *k = softhca_mkey_find(hca.dev, keys[4 + (how & 1)]);
    oracle::Settings s;
    s.mem = Domain();
    s.wire = Domain();
    s.sbs = how & 2;
    s.check = in.U8();
    s.copy = in.U8();
    s.crypto.on = how & 4;
    s.crypto.encrypt_on_tx = how & 8;
    s.crypto.sig_first = how & 0x10;
    s.crypto.unit = units[how >> 6];
    s.crypto.dek = in.U8() < 250 ? dek : in.U16();
    if (!k)
      return Wqe(0);
    oracle::Bytes bsf = s.Bsf(!(how & 0x20) || !s.crypto.on);
    if (in.U8() >= 240)
      bsf[in.U8() % bsf.size()] ^= in.U8();
    std::vector<ibv_sge> pieces;
    for (uint8_t n = 1 + in.U8() % 4; n; n--)
      pieces.push_back({reinterpret_cast<uintptr_t>(Addr()), Len(), Key()});
    return OffloadUmr(k, pieces, bsf, in.U8() & 1);
  }

  void UmrSegments(Wqe *w) {
    mlx5_wqe_umr_ctrl_seg ctrl{};
    uint64_t mkc[8] = {};
    ctrl.flags = in.U8();
    ctrl.klm_octowords = htobe16(in.U8() & 15);
    ctrl.mkey_mask = in.U64();
    mkc[0] = in.U64();
    mkc[2] = htobe64(reinterpret_cast<uintptr_t>(Addr()));
    mkc[3] = htobe64(Len());
    w->Raw(&ctrl, sizeof(ctrl)).Raw(mkc, sizeof(mkc));
  }

  void Packet() {
    softhca_pkt pkt{};
    uint8_t buf[SOFTHCA_PKT_MAX];
    softhca_wire *wire = static_cast<softhca_wire *>(hca.dev->port[1].wire);
    in.Bytes(reinterpret_cast<uint8_t *>(&pkt) + 8, sizeof(pkt) - 8);
    pkt.src_ip = pkt.dst_ip = hca.dev->port[1].ipv4;
    pkt.solicited = in.U8() & 1;
    pkt.migreq = in.U8() & 1;
    pkt.ack_req = in.U8() & 1;
    const uint8_t bits = in.U8();
    pkt.has_hop_limit = bits & 1;
    pkt.src_is_ipv4 = bits & 2;
    pkt.dst_is_ipv4 = bits & 4;
    pkt.net = bits >> 3 & SOFTHCA_NET_MASK;
    pkt.transport &= 0xe0;
    pkt.op &= 0x1f;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    if (!(pkt.hdrs & SOFTHCA_H_VALID))
      return;
    softhca_pkt_add_neteth(&pkt);
    pkt.dqpn = in.U8() & 1 ? a->qpn : b->qpn;
    pkt.psn = (0x100 + in.U8() - 8) & 0xffffff;
    pkt.rkey = Key();
    pkt.raddr = reinterpret_cast<uintptr_t>(Addr());
    pkt.dma_len = Len();
    pkt.payload = nullptr;
    pkt.payload_len = pkt.hdrs & SOFTHCA_H_PAYLOAD ? Len() % 1100 : 0;
    pkt.pkey = 0xffff;
    pkt.qkey = 0x1234;
    pkt.xrc_srqn = srq ? srq->srqn : 0;
    pkt.dc_key = 7;
    memset(buf, 0x33, sizeof(buf));
    softhca_wire_deliver(wire, buf, softhca_pkt_encode(buf, &pkt, true), pkt.src_ip, pkt.dst_ip);
  }

  void Modify(Qp &q) {
    ibv_qp_attr attr = q.attr;
    int mask = IBV_QP_STATE;
    attr.qp_state = static_cast<enum ibv_qp_state>(in.U8() % 8);
    uint8_t how = in.U8();
    if (how & 1) {
      mask = static_cast<int>(in.U32());
      in.Bytes(reinterpret_cast<uint8_t *>(&attr) + 4, 60);
    } else if (how & 2) {
      q.To(IBV_QPS_RESET);
      q.sq_pi = q.rq_pi = 0;
      q.Init();
      q.Rtr(hca, &q == a.get() ? b->qpn : a->qpn);
      q.Rts();
      return;
    }
    softhca_qp_modify(q.qp, &attr, mask);
  }

  void Keys() {
    softhca_mkey *k = softhca_mkey_find(hca.dev, keys[in.U8() % 6]);
    uint8_t how = in.U8() % 4;
    uint32_t slot = in.U8() % 6;
    uint64_t where[3] = {reinterpret_cast<uintptr_t>(arena), in.U16(), in.U64()};
    if (how == 0 && k && k != hca.dev->null_mkey)
      softhca_mkey_destroy(k);
    else if (how == 1 && k)
      softhca_mr_rereg(k, in.U8() & 7, hca.pd, where, in.U8() & 0x1f);
    else if (!softhca_mr_create(hca.pd, reinterpret_cast<uintptr_t>(arena), in.U16(), in.U64(),
                                in.U8() & 0x1f, &k))
      keys[slot] = softhca_mkey_key(k);
  }

  void Step() {
    uint8_t op = in.U8();
    Qp &q = op & 0x80 ? *b : *a;
    Cq &cq = op & 0x80 ? bcq : acq;
    bool has_sq = q.opt.type != SOFTHCA_QP_XRC_TGT && q.opt.type != SOFTHCA_QP_DCT;
    switch (op & 0x1f) {
    case 0:
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      if (has_sq)
        q.Post(Build(q));
      break;
    case 8:
      if (has_sq) { // any bytes at all
        q.last_index = q.sq_pi;
        in.Bytes(&q.sq[size_t{q.sq_pi++ % q.opt.sq_wqes} * 64], 1 + in.U8() % 64);
        q.Ring();
      }
      break;
    case 9:
      q.db[in.U8() & 1] = in.U32();
      break;
    case 10: {
      uint64_t bell = htobe64(uint64_t{in.U32()} << 32 | q.qpn << 8 | in.U8());
      memcpy(hca.page + 0x800 + 0x100 * (in.U8() & 3), &bell, 8);
      break;
    }
    case 11:
    case 12:
      if (srq && &q == b.get())
        srq->PostRecv(Addr(), Len(), Key());
      else if (!q.rq.empty())
        q.PostRecv(Addr(), Len(), Key());
      break;
    case 13:
      in.Bytes(srq ? srq->buf.data() : q.rq.data(), 64);
      break;
    case 14:
    case 15:
    case 16:
    case 17:
      Poll(1 + in.U8() % 4);
      break;
    case 18:
    case 19:
      while (cq.Poll())
        ;
      break;
    case 20:
      cq.db[in.U8() & 1] = in.U32();
      break;
    case 21:
      cq.Arm(in.U8() & 1);
      break;
    case 22:
      Modify(q);
      break;
    case 23:
    case 24:
    case 25:
    case 26:
      Packet();
      break;
    case 27:
      Keys();
      break;
    case 28:
      in.Bytes(hca.page + 0x800 + (in.U8() & 7) * 8, 16);
      softhca_uar_scan(hca.uar);
      break;
    case 29:
      softhca_cq_resize(cq.cq, reinterpret_cast<uintptr_t>(arena), 1u << (in.U8() % 8),
                        in.U8() & 1 ? 128 : 64);
      cq.cqes = 1; // the old buffer is no longer read
      cq.size = 64;
      break;
    case 30:
      if (srq) {
        ibv_srq_attr attr{};
        attr.srq_limit = in.U8();
        softhca_srq_modify(srq->srq, &attr, IBV_SRQ_LIMIT);
        srq->db[0] = in.U32();
      }
      break;
    default:
      if (in.U8() == CORPUS_RECORDED && has_sq)
        q.Post(Recorded(q));
      else
        softhca_qp_reset_stream(q.qp, in.U16());
    }
  }

  // A request as libmlx5 wrote it, with our keys, addresses and destination.
  Wqe Recorded(const Qp &q) {
    std::vector<uint8_t> bytes(16 * (1 + (in.U8() - 1) % 60u));
    mlx5_wqe_ctrl_seg ctrl;
    in.Bytes(bytes.data(), bytes.size());
    memcpy(&ctrl, bytes.data(), sizeof(ctrl));
    bytes.erase(bytes.begin(), bytes.begin() + sizeof(ctrl));
    for (size_t at = 0; at + 4 <= bytes.size(); at += 4)
      Replace(&bytes[at], bytes.size() - at);
    size_t destination = 0; // bytes of it
    Wqe w(static_cast<uint8_t>(be32toh(ctrl.opmod_idx_opcode)),
          be32toh(ctrl.opmod_idx_opcode) >> 24, ctrl.fm_ce_se);
    w.imm = Replaced(ctrl.imm);
    if (q.opt.type == SOFTHCA_QP_UD || q.opt.type == SOFTHCA_QP_DCI) {
      const mlx5_wqe_av av = Destination(q);
      w.Raw(&av, destination = sizeof(av));
    } else if (q.opt.type == SOFTHCA_QP_XRC_INI) {
      w.Words32({srq->srqn, 0, 0, 0});
      destination = 16;
    }
    if (bytes.size() > destination)
      w.Raw(&bytes[destination], bytes.size() - destination);
    return w;
  }

  uint32_t Replaced(uint32_t big_endian) const {
    const uint32_t v = be32toh(big_endian);
    return (v & ~7u) == CORPUS_KEY ? htobe32(keys[(v & 7) % 6]) : big_endian;
  }

  void Replace(uint8_t *at, size_t left) const {
    uint32_t word;
    uint64_t address;
    memcpy(&word, at, 4);
    word = Replaced(word);
    if (left >= 8) {
      memcpy(&address, at, 8);
      address = be64toh(address);
      if (address >> 16 == CORPUS_ADDRESS >> 16) {
        address = htobe64(reinterpret_cast<uintptr_t>(&arena[address & 0xffff]));
        memcpy(at, &address, 8);
        return;
      }
    }
    memcpy(at, &word, 4);
  }

 public:
  // How the first request of the program completed: 0, or a syndrome; -1: not at all.
  int FirstSyndrome() {
    // With the lock, which the caller has. A request that is not answered runs out of retries.
    const uint64_t end = softhca_now_ns() + UINT64_C(10000000000);
    while (acq.Empty() && softhca_now_ns() < end)
      softhca_poll_all(false, nullptr);
    const auto cqe = acq.Poll();
    if (!cqe)
      return -1;
    return Opcode(*cqe) == MLX5_CQE_REQ ? 0 : reinterpret_cast<const mlx5_err_cqe &>(*cqe).syndrome;
  }

 private:

  Hca &hca;
  Reader in;
  Cq acq, bcq;
  softhca_xrcd *xrcd = nullptr;
  std::unique_ptr<Srq> srq;
  std::unique_ptr<Qp> a, b;
  uint32_t keys[6] = {};
  uint32_t psv = 0, dek = 0;
};

Hca &TheHca() {
  static Hca *const hca = new Hca;
  return *hca;
}

void OneInput(const uint8_t *data, size_t size) {
  Hca *const hca = &TheHca();
  static struct softhca_referee *const referee = hca->dev->referee;
  static Hca *ethernet = new Hca([](softhca_config *cfg) { cfg->link[0] = SOFTHCA_LINK_ROCE; });
  static struct softhca_referee *const other = ethernet->dev->referee;
  softhca_lock();
  // Nearly every program is full of violations, and writing them down takes longer than finding
  // them: one in eight does.
  hca->dev->referee = size % 8 ? nullptr : referee;
  // Three in eight are about raw packets.
  ethernet->dev->referee = size % 8 ? nullptr : other;
  if (size && data[0] >= 0xa0)
    RawProgram(*ethernet, data + 1, size - 1).Run();
  else
    Program(*hca, Reader{{data, size}}).Run();
  ethernet->dev->referee = other;
  hca->dev->referee = referee;
  softhca_unlock();
}

} // namespace

#ifdef SOFTHCA_LIBFUZZER
extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  OneInput(data, size);
  return 0;
}
#else
TEST(EngineFuzz, PseudoRandomPrograms) {
  // The referee has a lot to say; nobody reads it.
  if (!getenv("SOFTHCA_FUZZ_VERBOSE")) {
    ASSERT_NE(nullptr, freopen("/dev/null", "w", stderr));
  }
  std::mt19937 random(1);
  const char *count = getenv("SOFTHCA_FUZZ_RUNS");
  for (int i = count ? atoi(count) : 20000; i; i--) {
    std::vector<uint8_t> program(32 + random() % 400);
    for (auto &byte : program)
      byte = static_cast<uint8_t>(random());
    OneInput(program.data(), program.size());
  }
}

// What corpus_client recorded of libmlx5, as it is and with a few bytes changed.
TEST(EngineFuzz, RequestsOfLibmlx5) {
  const char *directory = getenv("FUZZ_CORPUS");
  std::mt19937 random(static_cast<unsigned>(segue_test_seed()));
  int files = 0;
  ASSERT_NE(nullptr, directory) << "FUZZ_CORPUS names no directory; corpus.sh makes one";
  Hca &hca = TheHca();
  for (const auto &entry : std::filesystem::directory_iterator(directory)) {
    std::ifstream file(entry.path(), std::ios::binary);
    std::vector<uint8_t> program(std::istreambuf_iterator<char>(file), {});
    // nothing is bound to that key
    const bool invalidates = entry.path().string().find("inv") != std::string::npos;
    files++;
    softhca_lock();
    {
      Program p(hca, Reader{{program.data(), program.size()}});
      p.Run();
      const int syndrome = p.FirstSyndrome();
      EXPECT_TRUE(invalidates ? syndrome >= 0 : syndrome == 0) << entry.path() << ": " << syndrome;
    }
    softhca_unlock();
    for (int i = 0; i < 100; i++) {
      std::vector<uint8_t> changed = program;
      for (int n = 1 + static_cast<int>(random() % 4); n; n--)
        changed[random() % changed.size()] ^= static_cast<uint8_t>(1 + random() % 255);
      OneInput(changed.data(), changed.size());
    }
  }
  EXPECT_GT(files, 40);
}
#endif
