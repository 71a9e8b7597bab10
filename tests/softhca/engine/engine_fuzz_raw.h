/* SPDX-License-Identifier: BSD-2-Clause */
// The raw packet half of the engine's fuzzing: hostile frames, sent and received, through rules,
// tables, header changes, tunnels and spreading into ordinary and striding queues. The input is a
// little program.
#ifndef SOFTHCA_TESTS_ENGINE_FUZZ_RAW_H
#define SOFTHCA_TESTS_ENGINE_FUZZ_RAW_H

#include <array>

#include "tests/softhca/engine/engine_fixture.h"
#include "tests/softhca/fuzz/fuzz_input.h"
extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/flow.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/wire.h"
#include "tools/softhca/engine/raw/raw.h"
}

extern "C" void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
                                     uint32_t src_ip, uint32_t dst_ip);

namespace eng {

class RawProgram {
 public:
  RawProgram(Hca &hca, const uint8_t *data, size_t size) : hca(hca), in{data, size}, cq(hca, 16) {
    QpOptions opt;
    opt.type = SOFTHCA_QP_RAW;
    opt.sq_wqes = opt.rq_wqes = 8;
    for (auto &q : qps) {
      q = std::make_unique<Qp>(hca, cq, opt);
      ibv_qp_attr attr{};
      attr.qp_state = IBV_QPS_INIT;
      attr.port_num = 1;
      softhca_qp_modify(q->qp, &attr, IBV_QP_STATE | IBV_QP_PORT);
      q->To(IBV_QPS_RTR);
      q->To(IBV_QPS_RTS);
    }
    key = hca.Mr(memory.data(), memory.size());
    for (size_t i = 0; i < wqs.size(); i++) MakeQueue(i);
    Spread();
  }
  ~RawProgram() {
    softhca_pause_forget(&hca.dev->port[1]);
    for (auto *r : rules) softhca_steer_destroy(r);
    for (auto *e : entries) softhca_flow_entry_destroy(e);
    for (auto *t : tables) softhca_flow_table_destroy(t);
    for (auto *m : lists) softhca_modify_destroy(m);
    EXPECT_EQ(0, softhca_qp_destroy(tir));
    EXPECT_EQ(0, softhca_rwq_table_destroy(table));
    for (auto *w : wqs) EXPECT_EQ(0, softhca_wq_destroy(w));
    for (auto &q : qps) q.reset();
    softhca_mkey_destroy(softhca_mkey_find(hca.dev, key));
    memset(hca.page, 0, sizeof(hca.page));
    hca.events.clear();
    hca.cq_events.clear();
  }
  void Run() {
    for (int steps = 0; in.left && steps < 200; steps++) Step();
    softhca_poll_all(false, nullptr);
  }

 private:
  uint8_t U8() { return fuzz_u8(&in); }

  void MakeQueue(size_t i) {
    softhca_wq_attr attr{};
    uint32_t num;
    attr.pd = hca.pd;
    attr.cq = cq.cq;
    attr.buf_va = reinterpret_cast<uintptr_t>(rings[i].data());
    attr.db_va = reinterpret_cast<uintptr_t>(&records[i]);
    attr.wqes = 8;
    attr.stride = 64;
    attr.cvlan_strip = U8() & 1;
    attr.scatter_fcs = U8() & 1;
    if (i == 1 && U8() & 1) {
      attr.mprq.log_strides = 3;
      attr.mprq.log_stride = static_cast<uint8_t>(6 + U8() % 4);
      attr.mprq.shift = U8() & 1 ? 2 : 0;
    }
    ASSERT_EQ(0, softhca_wq_create(hca.dev, &attr, &wqs[i], &num)) << softhca_why();
    softhca_wq_modify(wqs[i], IBV_WQS_RDY);
  }
  void Spread() {
    softhca_qp *list[4] = {wqs[0], wqs[1], wqs[0], wqs[1]};
    softhca_rss rss{};
    struct softhca_qp_create c {};
    uint32_t num;
    ASSERT_EQ(0, softhca_rwq_table_create(hca.dev, list, 2, &table, &num));
    rss.table = table;
    rss.fields = fuzz_u16(&in);
    fuzz_bytes(&in, rss.key, sizeof(rss.key));
    c.type = SOFTHCA_QP_RAW;
    c.rss = &rss;
    ASSERT_EQ(0, softhca_qp_create(hca.dev, &c, &tir, &num)) << softhca_why();
  }

  // Something like a frame: headers that are understood, and then bytes that need not fit
  // them.
  std::vector<uint8_t> Frame() {
    static const std::vector<uint8_t> heads[] = {
        {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x45, 0, 0, 60, 0, 0, 0, 0, 64, 17, 0,
         // VXLAN
         0, 10, 0, 0, 1, 10, 0, 0, 2, 1, 0, 0x12, 0xb5, 0, 40, 0, 0, 8, 0, 0, 0, 0, 0, 1, 0},
        {2, 0,  0, 0, 0, 1, 2,  0, 0, 0, 0,    2,    0x81, 0, 0,  5, 8, 0, 0x45, 0,
         0, 60, 0, 0, 0, 0, 64, 6, 0, 0, 10,   0,    0,    1, 10, 0, 0, 2, 1,    0,
         0, 80, 0, 0, 0, 0, 0,  0, 0, 0, 0x50, 0x18, 0,    0, 0,  0, 0, 0},
        {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 0x86, 0xdd, 0x60, 0, 0, 0, 0, 20, 17, 64, 0, 0, 0, 0,
         0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
         // GENEVE
         0, 0, 0, 0, 0, 2, 1, 0, 0x17, 0xc1, 0, 20, 0, 0, 3, 0, 0x65, 0x58, 0, 0, 1, 0},
        {2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2, 8, 0, 0x46, 0, 0, 60, 0, 0, 0, 0, 64, 47, 0,
         // GRE
         0, 10, 0, 0, 1, 10, 0, 0, 2, 0, 0, 0, 0, 0xb0, 0, 0x65, 0x58, 0, 0, 0, 0, 0, 0, 0, 0},
    };
    std::vector<uint8_t> f = heads[U8() % 4];
    for (uint8_t n = U8() % 4; n; n--) f[U8() % f.size()] = U8();
    size_t len = U8() & 1 ? U8() : fuzz_u16(&in) % SOFTHCA_FRAME_MAX;
    f.resize(std::max<size_t>(len, 14), U8());
    return f;
  }
  void Send(Qp &q) {
    auto f = Frame();
    std::vector<uint8_t> eth(16);
    bool tso = U8() % 4 == 0;
    uint8_t inlined = U8() % 60;
    eth[4] = U8();
    eth[7] = U8();
    eth[13] = inlined;
    eth.insert(eth.begin() + 14, f.begin(),
               f.begin() + std::min<long>(inlined, static_cast<long>(f.size())));
    eth.resize((eth.size() + 15) / 16 * 16);
    std::copy(f.begin(), f.end(), memory.begin());
    Wqe w(tso ? MLX5_OPCODE_TSO : MLX5_OPCODE_SEND);
    w.Raw(eth.data(), eth.size())
        .Data(memory.data(), static_cast<uint32_t>(f.size()), key ^ (U8() > 250));
    q.Post(w);
  }
  void Receive() {
    auto *wire = static_cast<softhca_wire *>(hca.dev->port[1].wire);
    auto f = Frame();
    uint8_t buf[SOFTHCA_PKT_MAX];
    softhca_pkt pkt{};
    pkt.transport = SOFTHCA_TR_PRIVATE;
    pkt.op = U8() % 8 ? SOFTHCA_OP_ETHERNET : SOFTHCA_OP_CREDIT;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    pkt.pkey = 0xffff;
    pkt.dst_ip = hca.dev->port[1].ipv4;
    pkt.src_ip = U8() & 1 ? pkt.dst_ip : pkt.dst_ip + 0x1000;
    pkt.dqpn = qps[0]->qpn;
    pkt.payload_len = pkt.op == SOFTHCA_OP_CREDIT ? U8() % 12 : static_cast<uint32_t>(f.size());
    if (pkt.payload_len > 4200) return;
    memcpy(buf + softhca_pkt_hdr_size(pkt.hdrs), f.data(),
           std::min<size_t>(pkt.payload_len, f.size()));
    softhca_wire_deliver(wire, buf, softhca_pkt_encode(buf, &pkt, true), pkt.src_ip, pkt.dst_ip);
  }

  void Key(uint8_t mask[SOFTHCA_ETH_KEY], uint8_t value[SOFTHCA_ETH_KEY]) {
    for (uint8_t n = U8() % 4; n; n--) {
      uint8_t at = U8() % SOFTHCA_ETH_KEY;
      mask[at] = U8();
      value[at] = U8();
    }
  }
  void Act(softhca_flow_act *act, bool egress) {
    act->decap = U8() % 4 == 0;
    act->modify = lists.empty() || U8() % 2 ? nullptr : lists[U8() % lists.size()];
    act->reformat = U8() % 4 ? nullptr : &tunnels[U8() % tunnels.size()];
    act->counter = U8() % 2 ? nullptr : &counter;
    act->tag = U8();
    for (uint8_t n = U8() % 3; n; n--) {
      softhca_flow_dest *d = &act->dest[act->ndests++];
      if (U8() & 1 && !tables.empty())
        d->table = tables[U8() % tables.size()];
      else
        d->tir = egress ? nullptr : U8() & 1 ? tir : qps[1]->qp;
    }
    if (!act->ndests) (U8() & 1 ? act->drop : act->default_miss) = true;
  }
  void MakeRule() {
    softhca_steer_attr attr{};
    softhca_steer *r;
    if (rules.size() == 8) {
      softhca_steer_destroy(rules.back());
      rules.pop_back();
      return;
    }
    attr.kind = static_cast<softhca_steer_kind>(U8() % 5);
    attr.port = 1;
    attr.priority = U8() % 3;
    attr.dont_trap = U8() % 4 == 0;
    Key(attr.mask, attr.value);
    if (U8() & 1) {
      Act(&attr.act, attr.kind == SOFTHCA_STEER_EGRESS);
      attr.drop = attr.act.drop;
    } else {
      attr.qp = U8() & 1 ? qps[1]->qp : tir;
    }
    if (!softhca_steer_create(hca.dev, &attr, &r)) rules.push_back(r);
  }
  void MakeTable() {
    struct softhca_flow_table_attr attr {};
    softhca_flow_table *t;
    attr.egress = U8() & 1;
    attr.level = U8() % 4;
    attr.entries = 4;
    attr.miss = tables.empty() || U8() & 1 ? nullptr : tables[U8() % tables.size()];
    if (tables.size() < 6 && !softhca_flow_table_create(&attr, &t)) tables.push_back(t);
  }
  void MakeEntry() {
    softhca_flow_entry attr{}, *e;
    if (tables.empty()) return;
    attr.table = tables[U8() % tables.size()];
    attr.index = U8() % 5;
    Key(attr.mask, attr.value);
    Act(&attr.act, softhca_flow_table_attr(attr.table)->egress);
    if (!softhca_flow_entry_create(&attr, &e)) entries.push_back(e);
  }
  void MakeList() {
    uint8_t raw[4 * SOFTHCA_MODIFY_BYTES];
    softhca_modify *m;
    fuzz_bytes(&in, raw, sizeof(raw));
    for (size_t i = 0; i < sizeof(raw); i += SOFTHCA_MODIFY_BYTES) {  // of those there are, mostly
      raw[i] = static_cast<uint8_t>((1 + raw[i] % 3) << 4);
      raw[i + 1] %= 0x18;
      raw[i + 2] &= 7;
      raw[i + 4] = 0;
      raw[i + 5] %= 0x18;
      raw[i + 6] &= 7;
    }
    if (lists.size() < 4 && !softhca_modify_create(raw, (1 + U8() % 4) * SOFTHCA_MODIFY_BYTES, &m))
      lists.push_back(m);
  }
  void MakeTunnel() {
    softhca_reformat r{};
    auto f = Frame();
    r.type = static_cast<softhca_reformat_type>(U8() % 6);
    r.len = U8() & 1 ? 14 : U8() % 140;
    if (r.len <= sizeof(r.data) && r.len <= f.size())
      memcpy(r.data, f.data(), r.len);
    else
      return;
    if (!softhca_reformat_check(&r)) tunnels[U8() % tunnels.size()] = r;
  }
  void PostRecv() {
    size_t i = U8() % wqs.size();
    uint8_t *entry = &rings[i][(posted[i]++ & 7) * 64];
    mlx5_wqe_data_seg seg{htobe32(U8() & 1 ? 2048u : fuzz_u16(&in)), htobe32(key ^ (U8() > 250)),
                          htobe64(reinterpret_cast<uintptr_t>(memory.data() + U8() * 16))};
    memset(entry, 0, 64);
    memcpy(entry + (wqs[i]->create.mprq.log_strides ? 16 : 0), &seg, sizeof(seg));
    records[i] = htobe32(posted[i]);
    if (U8() & 1) qps[1]->PostRecv(memory.data() + U8() * 16, 2048, key);
  }

  void Step() {
    switch (U8() % 16) {
      case 0:
      case 1:
        Send(*qps[U8() & 1]);
        break;
      case 2:
      case 3:
      case 4:
        Receive();
        break;
      case 5:
        MakeRule();
        break;
      case 6:
        MakeTable();
        break;
      case 7:
      case 8:
        MakeEntry();
        break;
      case 9:
        MakeList();
        break;
      case 10:
        MakeTunnel();
        break;
      case 11:
      case 12:
        PostRecv();
        break;
      case 13:
        records[U8() & 1] = fuzz_u32(&in);  // more than there is
        break;
      case 14:
        softhca_wq_modify(wqs[U8() & 1], static_cast<ibv_wq_state>(U8() % 3));
        break;
      default:
        softhca_poll_all(false, nullptr);
        while (cq.Poll())
          ;
    }
  }

  Hca &hca;
  fuzz_input in;
  Cq cq;
  std::vector<uint8_t> memory = std::vector<uint8_t>(8192);
  uint32_t key = 0;
  std::array<std::unique_ptr<Qp>, 2> qps;  // sender, receiver
  std::array<softhca_qp *, 2> wqs{};
  std::array<std::array<uint8_t, 512>, 2> rings{};
  alignas(64) uint32_t records[2] = {};
  uint16_t posted[2] = {};
  softhca_rwq_table *table = nullptr;
  softhca_qp *tir = nullptr;
  std::vector<softhca_steer *> rules;
  std::vector<softhca_flow_table *> tables;
  std::vector<softhca_flow_entry *> entries;
  std::vector<softhca_modify *> lists;
  std::array<softhca_reformat, 3> tunnels{};
  softhca_flow_counter counter{};
};

}  // namespace eng

#endif
