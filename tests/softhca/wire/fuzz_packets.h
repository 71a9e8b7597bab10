/* SPDX-License-Identifier: BSD-2-Clause */
// Hostile packets out of few bytes, and who gets them: queue pairs of every type that have requests
// and receives outstanding.
#ifndef SOFTHCA_TESTS_FUZZ_PACKETS_H
#define SOFTHCA_TESTS_FUZZ_PACKETS_H

#include "tests/softhca/fuzz/fuzz_input.h"
#include "transport_harness.h"

#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "tools/softhca/engine/transport/transport.h"
}

namespace packets {

using namespace harness;

constexpr enum softhca_qp_type kTypes[] = {SOFTHCA_QP_RC,      SOFTHCA_QP_UC,      SOFTHCA_QP_UD,
                                       SOFTHCA_QP_XRC_INI, SOFTHCA_QP_XRC_TGT, SOFTHCA_QP_DCI,
                                       SOFTHCA_QP_DCT};
constexpr uint32_t kQps = 7, kPsn = 0xfffffc, kFirstQpn = 0x100;

// The victim's memory: one region that the keys of hostile packets may hit.
alignas(64) inline uint8_t memory[65536];
constexpr uint32_t kKey = 0x1100;

struct World {
  World() {
    victim.AddRegion(memory, sizeof(memory)); // gets kKey
    peer = attacker.NewQp(SOFTHCA_QP_RC);     // number 0x100
    MakeQps();
  }

  // Sockets are too slow to make for each input, and so is a queue pair of every type: two of them,
  // named by `which`, are alive in an input, the others drop what they get. Now and then all are
  // made anew.
  void Reset(uint8_t which) {
    if (inputs++ % 256 == 255)
      MakeQps();
    for (Qp *qp : alive)
      Kill(qp);
    while (Turn() && softhca_wire_pending(static_cast<softhca_wire *>(victim.dev.port[1].wire))) {
    }
    if (victim.regions.empty()) { // a SEND with invalidate took it
      victim.next_key = 0x1000;
      victim.AddRegion(memory, sizeof(memory));
    }
    alive = {qps[which % kQps]};
    if (which / kQps % kQps != which % kQps)
      alive.push_back(qps[which / kQps % kQps]);
    for (Qp *qp : alive)
      Revive(qp);
  }

  // What listeners know: the session of the DCI.
  uint64_t Session() const {
    for (Qp *qp : alive)
      if (qp->type == SOFTHCA_QP_DCI)
        return static_cast<softhca_requester *>(qp->req)->all->session;
    return 1000;
  }

  void MakeQps() {
    for (auto &it : victim.qps)
      softhca_transport_qp_fini(it.second.get());
    victim.qps.clear();
    alive.clear();
    victim.next_qpn = kFirstQpn;
    for (uint32_t i = 0; i < kQps; i++)
      qps[i] = victim.NewQp(kTypes[i]);
  }

  void Kill(Qp *qp) {
    const enum ibv_qp_state from = qp->state;

    qp->state = qp->attr.qp_state = IBV_QPS_RESET;
    softhca_transport_qp_modify(qp, from, 0);
    qp->posted.clear();
    qp->receives.clear();
    qp->srqs.clear();
    qp->send_cq.clear();
    qp->recv_cq.clear();
    qp->events.clear();
  }

  void Revive(Qp *qp) {
    Attr attr;
    attr.psn = kPsn;
    attr.mtu = IBV_MTU_256;
    ToRts(qp, AvOf(peer), peer->qpn, attr);
    for (int i = 0; i < 4; i++)
      PostRecv(qp, static_cast<uint64_t>(i), memory + i * 1024, 1024,
               qp->type == SOFTHCA_QP_XRC_TGT ? 5 : 0);
    if (qp->type != SOFTHCA_QP_XRC_TGT && qp->type != SOFTHCA_QP_DCT)
      PostSome(qp);
  }

  void PostSome(Qp *qp) {
    const enum softhca_kind kinds[] = {SOFTHCA_MSG_WRITE, SOFTHCA_MSG_READ, SOFTHCA_MSG_ATOMIC,
                                       SOFTHCA_MSG_SEND, SOFTHCA_MSG_READ};
    for (enum softhca_kind kind : kinds) {
      if (!softhca_qp_reliable(qp) && (kind == SOFTHCA_MSG_READ || kind == SOFTHCA_MSG_ATOMIC))
        continue;
      auto m = NewMessage(kind, 0, memory, kind == SOFTHCA_MSG_ATOMIC ? 8 : 700);
      if (qp->type == SOFTHCA_QP_UD)
        m->length = 100;
      m->u.span[0].lkey = kKey;
      m->atomic.size = 8;
      m->atomic.is_fadd = true;
      m->dest_buf.av = AvOf(peer);
      m->dest_buf.dqpn = peer->qpn;
      m->dest = qp->type == SOFTHCA_QP_UD || qp->type == SOFTHCA_QP_DCI ? &m->dest_buf : nullptr;
      Post(qp, std::move(m));
    }
    Kick(qp);
  }

  // A datagram from the attacker's wire, its ICRC made right.
  void Inject(const uint8_t *data, uint32_t len) {
    auto *wire = static_cast<softhca_wire *>(attacker.dev.port[1].wire);
    const uint32_t dst = victim.dev.port[1].ipv4;
    const softhca_place place = softhca_wire_reserve(wire, dst);
    uint8_t *const buf = place.data;
    memcpy(buf, data, len);
    const uint32_t icrc = softhca_pkt_icrc(attacker.dev.port[1].ipv4, dst, buf, len);
    for (int i = 0; i < 4; i++)
      buf[len + static_cast<uint32_t>(i)] = static_cast<uint8_t>(icrc >> (8 * i));
    softhca_wire_commit_bytes(wire, &place, dst, len + 4);
  }

  // Nobody's message may complete twice.
  void Check() const {
    for (const Qp *qp : qps)
      if (qp->double_completions)
        abort();
  }

  Device victim, attacker;
  Qp *qps[kQps], *peer;
  std::vector<Qp *> alive;
  unsigned inputs = 0;
};

// Fields in few bytes: most random packets die at the first check, these do not.
struct Reader : fuzz_input {
  uint8_t Byte() { return fuzz_u8(this); }
};

inline void Put32(uint8_t *p, uint32_t v) {
  v = __builtin_bswap32(v);
  memcpy(p, &v, 4);
}

inline uint32_t MakePacket(Reader *in, uint8_t *out, const World &w) {
  static const uint8_t bases[] = {SOFTHCA_TR_RC, SOFTHCA_TR_UC,  SOFTHCA_TR_UD, SOFTHCA_TR_XRC,
                                  SOFTHCA_TR_DC, SOFTHCA_TR_XRC, SOFTHCA_TR_DC, 0xe0};
  const uint8_t which = in->Byte(), op = in->Byte(), psn = in->Byte(), shape = in->Byte();
  const uint32_t qp = which & 0x40 ? which % 8 : w.alive[which % w.alive.size()]->qpn - kFirstQpn;
  memset(out, 0, 256);
  // Mostly the transport that fits the queue pair: RC UC UD XRC XRC DC DC.
  const uint8_t fit[] = {0, 1, 2, 3, 3, 4, 4, 7};
  out[0] = static_cast<uint8_t>(which & 0x80 ? op : bases[fit[qp]] | (op & 0x1f));
  const uint32_t payload = shape % 8 < 3 ? 256u : shape % 8 < 6 ? in->Byte() : in->Byte() * 17u;
  const uint32_t pad = -payload & 3;
  out[1] = static_cast<uint8_t>((shape & 0xc0) | pad << 4);
  Put32(out,
        (static_cast<uint32_t>(out[0]) << 24) | (static_cast<uint32_t>(out[1]) << 16) | 0xffff);
  Put32(out + 4, kFirstQpn + qp);
  Put32(out + 8, (static_cast<uint32_t>(shape & 0x20) << 26) |
                     ((kPsn + static_cast<uint32_t>(static_cast<int8_t>(psn))) & 0xffffff));
  // Decode knows the header sizes; ask it with growing lengths, then fill the headers in.
  softhca_pkt guess;
  uint8_t transport = out[0] & 0xe0, o = out[0] & 0x1f;
  uint16_t hdrs = softhca_pkt_hdrs(transport, o);
  if (transport == 0xe0 && o < 12)
    hdrs = softhca_pkt_hdrs(o < 4 ? SOFTHCA_TR_RC : o < 8 ? SOFTHCA_TR_XRC : SOFTHCA_TR_DC,
                            static_cast<uint8_t>(SOFTHCA_OP_MASKED_CS | (o & 1)));
  memset(&guess, 0, sizeof(guess));
  const uint32_t hdr = softhca_pkt_hdr_size(hdrs);
  uint32_t at = 12;
  if (hdrs & SOFTHCA_H_DCETH) {
    uint64_t s = __builtin_bswap64(w.Session() + in->Byte() % 3);
    memcpy(out + at + 8, &s, 8);
    Put32(out + at + 16, (0x700u + in->Byte() % 4) << 8);
    Put32(out + at + 20, kPsn << 8);
    Put32(out + at + 24, static_cast<uint32_t>(in->Byte() % 3) << 16);
    at += 32;
  }
  if (hdrs & SOFTHCA_H_XRCETH) {
    Put32(out + at, in->Byte() & 7);
    at += 4;
  }
  if (hdrs & SOFTHCA_H_DETH) {
    Put32(out + at, in->Byte() ? 0x11111111 : 1);
    Put32(out + at + 4, 0x100);
    at += 8;
  }
  if (hdrs & (SOFTHCA_H_RETH | SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED)) {
    uint64_t va = __builtin_bswap64(reinterpret_cast<uint64_t>(memory) + in->Byte() * 256u);
    memcpy(out + at, &va, 8);
    Put32(out + at + 8, in->Byte() & 0xf ? kKey : 1);
    if (!(hdrs & SOFTHCA_H_ATOMIC)) {
      const uint8_t l = in->Byte();
      Put32(out + at + 12, l < 100 ? payload : l < 200 ? l * 8u : l * 0x1010101u);
      if (hdrs & SOFTHCA_H_MASKED)
        Put32(out + at + 12, l & 1 ? 8 : l & 2 ? 4 : l);
    }
    at += 16;
  }
  for (; at < hdr; at++)
    out[at] = in->Byte();
  const uint32_t body = hdrs & SOFTHCA_H_PAYLOAD || shape == 0xff ? payload + pad : 0;
  if (!body)
    out[1] &= 0xcf;
  uint32_t len = hdr + (body <= SOFTHCA_MTU_MAX ? body : SOFTHCA_MTU_MAX);
  if (shape == 0xfe)
    len = in->Byte() % (len + 1);
  return len < 12 ? 12 : len;
}

} // namespace packets

#endif
