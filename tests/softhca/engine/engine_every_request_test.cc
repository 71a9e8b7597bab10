/* SPDX-License-Identifier: BSD-2-Clause */
// Walks the lists of work requests that the spec allows on each transport: each one executes, in
// the form that the referee has nothing to say about, or is named in docs/softhca/modelled.md as
// not modelled and refused. Raw packets have a test of their own.
#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "segue/gen/enums.h"
#include "segue/gen/machines.h"
#include "segue/tables.h"
#include "tests/softhca/engine/engine_offload.h"
extern "C" {
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
#include "tools/softhca/engine/transport.h"
}

namespace {

using namespace eng;

const std::set<std::string> kNotModelled = {
    "flow_tbl_access",
};

struct Transport {
  const char *name;
  const segue_machine *machine;
  softhca_qp_type from, to;
};

const Transport kTransports[] = {
    {"rc", &segue_rc_machine, SOFTHCA_QP_RC, SOFTHCA_QP_RC},
    {"uc", &segue_uc_machine, SOFTHCA_QP_UC, SOFTHCA_QP_UC},
    {"ud", &segue_ud_machine, SOFTHCA_QP_UD, SOFTHCA_QP_UD},
    {"xrc", &segue_xrc_initiator_machine, SOFTHCA_QP_XRC_INI, SOFTHCA_QP_XRC_TGT},
    {"dc", &segue_dci_machine, SOFTHCA_QP_DCI, SOFTHCA_QP_DCT},
};

constexpr uint64_t kDcKey = UINT64_C(0xfeed) << 32;

// A sender and a receiver of one transport, with memory.
class World {
 public:
  explicit World(const Transport &t) : transport(t) {
    for (size_t i = 0; i < sizeof(src); i++)
      src[i] = static_cast<uint8_t>(i * 7 + 1);
    skey = hca.Mr(src, sizeof(src));
    dkey = hca.Mr(dst, sizeof(dst));
    QpOptions from, to;
    from.type = t.from;
    from.cross_master = true;
    to.type = t.to;
    if (t.to == SOFTHCA_QP_XRC_TGT) {
      uint32_t num;
      EXPECT_EQ(0, softhca_xrcd_create(hca.dev, &xrcd, &num));
      srq = std::make_unique<Srq>(hca, 16, &bcq, xrcd, 1);
      to.xrcd = xrcd;
    } else if (t.to == SOFTHCA_QP_DCT) {
      srq = std::make_unique<Srq>(hca);
      to.srq = srq->srq;
      to.dckey = kDcKey;
    }
    a = std::make_unique<Qp>(hca, acq, from);
    b = std::make_unique<Qp>(hca, bcq, to);
    for (Qp *qp : {a.get(), b.get()})
      BringUp(*qp, qp == a.get() ? *b : *a);
  }
  void BringUp(Qp &qp, Qp &peer) {
    EXPECT_EQ(0, qp.Init()) << softhca_why();
    EXPECT_EQ(0, qp.Rtr(hca, peer.qpn)) << softhca_why();
    if (qp.opt.type != SOFTHCA_QP_DCT) {
      EXPECT_EQ(0, qp.Rts()) << softhca_why();
    }
  }
  // The control segment's opcode and what addresses the peer.
  Wqe Begin(const segue_machine_start &start)
  {
	  Wqe w(start.opcode, start.opmod);
	  switch (transport.from) {
	  case SOFTHCA_QP_XRC_INI:
		  return w.Words32({srq->srqn, 0, 0, 0});
	  case SOFTHCA_QP_UD:
		  return Av(w, uint64_t{0x1234} << 32, b->qpn, Lid(hca));
	  case SOFTHCA_QP_DCI:
		  return Av(w, kDcKey, b->qpn, Lid(hca));
	  default:
		  return w;
	  }
  }
  void PostRecv() {
    if (srq)
      srq->PostRecv(dst, sizeof(dst), dkey);
    else
      b->PostRecv(dst, sizeof(dst), dkey);
  }
  // Does what was posted succeed?
  void Succeeds() {
    mlx5_cqe64 cqe = acq.Wait();
    EXPECT_EQ(MLX5_CQE_REQ, Opcode(cqe))
        << "syndrome " << int{reinterpret_cast<mlx5_err_cqe *>(&cqe)->syndrome} << ' '
        << softhca_referee_last(hca.dev);
  }
  void Sends(const Wqe &w, int kind, const uint8_t *at) {
    PostRecv();
    a->Post(w);
    Succeeds();
    EXPECT_EQ(kind, Opcode(bcq.Wait()));
    EXPECT_EQ(0, memcmp(src, at, 64));
  }
  // Where a message's first byte lands.
  uint8_t *Landing() { return dst + (transport.from == SOFTHCA_QP_UD ? 40 : 0); }
  softhca_mkey *Window(ibv_mw_type type) {
    softhca_mkey *mw = nullptr;
    EXPECT_EQ(0, softhca_mw_create(hca.pd, type, &mw));
    return mw;
  }
  softhca_mkey *Indirect(bool free) {
    softhca_klm klm{64, dkey, reinterpret_cast<uintptr_t>(dst)};
    softhca_mkey_attr attr{};
    attr.mode = SOFTHCA_MKEY_KLM;
    attr.pd = hca.pd;
    attr.free = free;
    attr.umr_en = true;
    attr.access = Hca::kAll;
    attr.qpn = 0xffffff;
    attr.max_klms = 8;
    attr.len = 64;
    attr.klms = &klm;
    attr.nklms = free ? 0 : 1;
    softhca_mkey *mkey = nullptr;
    EXPECT_EQ(0, softhca_mkey_create(hca.dev, &attr, &mkey));
    return mkey;
  }
  // Binds a window of a's and waits.
  void Bound(softhca_mkey *mw, bool type2) {
    const uint32_t key = softhca_mkey_key(mw);
    a->Post(Bind(key, BindUmr(type2, a->qpn, key & 0xff, dst, 50, kRemoteRw), dkey, dst, 50));
    Succeeds();
  }

  const Transport &transport;
  Hca hca;
  Cq acq{hca}, bcq{hca};
  softhca_xrcd *xrcd = nullptr;
  std::unique_ptr<Srq> srq;
  std::unique_ptr<Qp> a, b;
  alignas(2048) uint8_t src[8192] = {}, dst[8192] = {};
  uint32_t skey, dkey;
};

using Recipe = void (*)(World &w, const segue_machine_start &start);

Umr ListUmr(softhca_mkey *mkey, uint64_t len, bool in_wqe = true) {
  Umr u;
  u.ctrl.flags = in_wqe ? MLX5_WQE_UMR_CTRL_FLAG_INLINE : 0;
  u.ctrl.klm_octowords = htobe16(4);
  u.ctrl.mkey_mask = htobe64(MLX5_WQE_UMR_CTRL_MKEY_MASK_LEN | MLX5_WQE_UMR_CTRL_MKEY_MASK_FREE |
                             MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_LOCAL_WRITE |
                             MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_READ |
                             MLX5_WQE_UMR_CTRL_MKEY_MASK_ACCESS_REMOTE_WRITE);
  u.mkc.access_flags = kRemoteRw | MLX5_WQE_MKEY_CONTEXT_ACCESS_FLAGS_LOCAL_WRITE;
  u.mkc.qpn_mkey = htobe32(0xffffff00 | (softhca_mkey_key(mkey) & 0xff));
  u.mkc.len = htobe64(len);
  return u;
}

// A command on a tag list is answered so.
void TagAnswer(World &w, int app_op) {
  mlx5_cqe64 cqe = w.bcq.Wait();
  EXPECT_EQ(MLX5_CQE_NO_PACKET, Opcode(cqe));
  EXPECT_EQ(app_op, cqe.app_op);
  EXPECT_EQ(MLX5_TMC_SUCCESS, be32toh(cqe.tm_cqe.success));
}

// Writes through a key that a UMR has made.
void Used(World &w, softhca_mkey *mkey, uint32_t len) {
  w.a->Post(
      Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(nullptr, softhca_mkey_key(mkey)).Data(w.src, len, w.skey));
  w.Succeeds();
  EXPECT_EQ(0, memcmp(w.src, w.dst, len));
}

// Twice 520 bytes, made of 512 each by signatures or, without, filled by 1040; enciphered in memory
// or not.
oracle::Settings TwoBlocks(World &w, bool sig, bool crypto) {
  oracle::Settings s;
  if (sig) {
    s.mem.kind = oracle::DIF_CRC;
    s.mem.block = 512;
    s.mem.app = 0x1234;
    s.mem.ref = 77;
    s.mem.grows = true;
    s.mem.psv = Psv(w.hca);
  }
  if (crypto) {
    s.crypto.on = true;
    s.crypto.unit = 520;
    s.crypto.key = oracle::Bytes(w.src, w.src + 64);
    s.crypto.dek = Dek(w.hca, s.crypto.key);
    s.crypto.tweak = {1, 2, 3};
  }
  return s;
}

// A key whose list or strides, both of them dst, are behind such settings.
void Protected(World &w, bool strided, bool sig, bool crypto) {
  const oracle::Settings s = TwoBlocks(w, sig, crypto);
  softhca_mkey *key = OffloadKey(w.hca, crypto);
  const uint64_t at = reinterpret_cast<uintptr_t>(w.dst);
  const uint32_t half = sig ? 512 : 520;
  const oracle::Bytes bsf = s.Bsf(sig), data(w.src, w.src + 2 * half), want = s.Memory(data, false);
  Wqe wqe = OffloadUmr(key, {{at, 1040, w.dkey}}, bsf);
  if (strided) { // one repeat block and one entry instead of the list
    Wqe list =
        Wqe(0)
            .Words32({520, 0x400, 2, 1, 520u << 16 | 520, w.dkey, uint32_t(at >> 32), uint32_t(at)})
            .Words64({0, 0, 0, 0});
    std::copy(list.body.begin(), list.body.end(), wqe.body.end() - list.body.size() - bsf.size());
  }
  w.a->Post(wqe);
  w.Succeeds();
  if (sig) {
    w.a->Post(SetPsv(s.mem.psv, 0));
    w.Succeeds();
  }
  w.a->Post(Wqe(MLX5_OPCODE_RDMA_WRITE)
                .Raddr(nullptr, softhca_mkey_key(key))
                .Data(w.src, 2 * half, w.skey));
  w.Succeeds();
  ASSERT_EQ(1040u, want.size());
  EXPECT_EQ(want, oracle::Bytes(w.dst, w.dst + want.size()));
}

// The former value comes back, of 4 bytes the most significant one first; the new one is in place.
void Atomic(World &w, const Wqe &wqe, size_t size, uint64_t want) {
  uint64_t word = 5, got = 0;
  memcpy(w.dst, &word, 8);
  w.a->Post(wqe);
  w.Succeeds();
  memcpy(&word, w.dst, 8);
  memcpy(&got, w.src, size);
  EXPECT_EQ(want, word);
  // Four bytes come back in network order, eight in the host's.
  EXPECT_EQ(5u, size == 4 ? be32toh(static_cast<uint32_t>(got)) : got);
}

const std::map<std::string, Recipe> kRecipes = {
	{"nop",
	 [](World &w, const segue_machine_start &s) {
		 w.a->Post(Wqe(s.opcode, s.opmod)), w.Succeeds();
	 }},
	{"send",
	 [](World &w, const segue_machine_start &s) {
		 w.Sends(w.Begin(s).Data(w.src, 100, w.skey), MLX5_CQE_RESP_SEND, w.Landing());
	 }},
	{"send_imm",
	 [](World &w, const segue_machine_start &s) {
		 w.Sends(w.Begin(s).Data(w.src, 100, w.skey).Imm(9), MLX5_CQE_RESP_SEND_IMM,
			 w.Landing());
	 }},
	{"send_inv",
	 [](World &w, const segue_machine_start &s) {
		 softhca_mkey *key = w.Indirect(false);
		 w.Sends(w.Begin(s).Data(w.src, 100, w.skey).Imm(softhca_mkey_key(key)),
			 MLX5_CQE_RESP_SEND_INV, w.dst);
	 }},
	{"rdma_write",
	 [](World &w, const segue_machine_start &s) {
		 w.a->Post(w.Begin(s).Raddr(w.dst, w.dkey).Data(w.src, 5000, w.skey));
		 w.Succeeds();
		 EXPECT_TRUE(w.hca.Run([&] { return !memcmp(w.src, w.dst, 5000); }));
	 }},
	{"rdma_write_imm",
	 [](World &w, const segue_machine_start &s) {
		 w.Sends(w.Begin(s).Raddr(w.dst, w.dkey).Data(w.src, 5000, w.skey).Imm(3),
			 MLX5_CQE_RESP_WR_IMM, w.dst);
	 }},
	{"rdma_read",
	 [](World &w, const segue_machine_start &s) {
		 w.a->Post(w.Begin(s).Raddr(w.src, w.skey).Data(w.dst, 5000, w.dkey));
		 w.Succeeds();
		 EXPECT_EQ(0, memcmp(w.src, w.dst, 5000));
	 }},
	{"atomic_fa",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w, w.Begin(s).Raddr(w.dst, w.dkey).Atomic(7, 0).Data(w.src, 8, w.skey), 8,
			12);
	 }},
	{"atomic_cs",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w, w.Begin(s).Raddr(w.dst, w.dkey).Atomic(9, 5).Data(w.src, 8, w.skey), 8,
			9);
	 }},
	{"masked_atomic_fa32",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w,
			w.Begin(s)
				.Raddr(w.dst, w.dkey)
				.Words32({7, 0, 0, 0})
				.Data(w.src, 4, w.skey),
			4, 12);
	 }},
	{"masked_atomic_fa64",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w, w.Begin(s).Raddr(w.dst, w.dkey).Words64({7, 0}).Data(w.src, 8, w.skey),
			8, 12);
	 }},
	{"masked_atomic_cs32",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w,
			w.Begin(s)
				.Raddr(w.dst, w.dkey)
				.Words32({9, 5, ~0u, ~0u})
				.Data(w.src, 4, w.skey),
			4, 9);
	 }},
	{"masked_atomic_cs64",
	 [](World &w, const segue_machine_start &s) {
		 Atomic(w,
			w.Begin(s)
				.Raddr(w.dst, w.dkey)
				.Words64({9, 5, ~UINT64_C(0), ~UINT64_C(0)})
				.Data(w.src, 8, w.skey),
			8, 9);
	 }},
	{"bind_mw",
	 [](World &w, const segue_machine_start &) { w.Bound(w.Window(IBV_MW_TYPE_2), true); }},
	{"bind_mw_type1",
	 [](World &w, const segue_machine_start &) { w.Bound(w.Window(IBV_MW_TYPE_1), false); }},
	{"local_inv",
	 [](World &w, const segue_machine_start &) {
		 softhca_mkey *mw = w.Window(IBV_MW_TYPE_2);
		 w.Bound(mw, true);
		 w.a->Post(UmrWqe(softhca_mkey_key(mw), BindUmr(true, w.a->qpn, 0, nullptr, 0, 0)));
		 w.Succeeds();
		 w.Bound(mw, true); // possible only because it is free now
	 }},
	{"unbind_mw_type1",
	 [](World &w, const segue_machine_start &) {
		 softhca_mkey *mw = w.Window(IBV_MW_TYPE_1);
		 w.Bound(mw, false);
		 w.a->Post(UmrWqe(softhca_mkey_key(mw), BindUmr(false, 0, 0, nullptr, 0, 0)));
		 w.Succeeds();
	 }},
	{"umr_list",
	 [](World &w, const segue_machine_start &) {
		 softhca_mkey *key = w.Indirect(true);
		 w.a->Post(UmrWqe(softhca_mkey_key(key), ListUmr(key, 100))
				   .Data(w.dst, 100, w.dkey)
				   .Words64({0, 0, 0, 0, 0, 0}));
		 w.Succeeds();
		 Used(w, key, 100);
	 }},
	{"umr_interleaved",
	 [](World &w, const segue_machine_start &) {
		 softhca_mkey *key = w.Indirect(true);
		 const uint64_t at = reinterpret_cast<uintptr_t>(w.dst);
		 // Twice 50 bytes, 50 apart.
		 w.a->Post(UmrWqe(softhca_mkey_key(key), ListUmr(key, 100))
				   .Words32({50, 0x400, 2, 1, 50u << 16 | 50, w.dkey,
					     uint32_t(at >> 32), uint32_t(at)})
				   .Words64({0, 0, 0, 0}));
		 w.Succeeds();
		 Used(w, key, 100);
	 }},
	{"umr_pointer",
	 [](World &w, const segue_machine_start &) {
		 softhca_mkey *key = w.Indirect(true);
		 mlx5_wqe_umr_klm_seg list[4] = {{htobe32(100), htobe32(w.dkey),
						  htobe64(reinterpret_cast<uintptr_t>(w.dst))}};
		 memcpy(w.src + 2048, list, sizeof(list));
		 w.a->Post(UmrWqe(softhca_mkey_key(key), ListUmr(key, 100, false))
				   .Data(w.src + 2048, sizeof(list), w.skey));
		 w.Succeeds();
		 Used(w, key, 100);
	 }},
	{"umr_list_sig",
	 [](World &w, const segue_machine_start &) { Protected(w, false, true, false); }},
	{"umr_list_crypto",
	 [](World &w, const segue_machine_start &) { Protected(w, false, false, true); }},
	{"umr_list_sig_crypto",
	 [](World &w, const segue_machine_start &) { Protected(w, false, true, true); }},
	{"umr_interleaved_sig",
	 [](World &w, const segue_machine_start &) { Protected(w, true, true, false); }},
	{"umr_interleaved_crypto",
	 [](World &w, const segue_machine_start &) { Protected(w, true, false, true); }},
	{"umr_interleaved_sig_crypto",
	 [](World &w, const segue_machine_start &) { Protected(w, true, true, true); }},
	{"set_psv",
	 [](World &w, const segue_machine_start &) {
		 w.a->Post(SetPsv(Psv(w.hca), 5)), w.Succeeds();
	 }},
	{"get_psv",
	 [](World &w, const segue_machine_start &s) {
		 const uint32_t one = Psv(w.hca), two = Psv(w.hca);
		 w.a->Post(SetPsv(two, 0x1122334455667788));
		 w.Succeeds();
		 w.a->Post(Wqe(s.opcode)
				   .Words64({0, 0})
				   .Words32({2, w.dkey})
				   .Words64({reinterpret_cast<uintptr_t>(w.dst)})
				   .Words32({one, two, 0, 0}));
		 w.Succeeds();
		 EXPECT_EQ(oracle::Bytes(12), oracle::Bytes(w.dst + 4, w.dst + 16));
		 EXPECT_EQ((oracle::Bytes{0x11, 0x22, 0x33, 0x44, 0x55, 0x66, 0x77, 0x88}),
			   oracle::Bytes(w.dst + 24, w.dst + 32));
	 }},
	{"check_psv",
	 [](World &w, const segue_machine_start &s) {
		 w.a->Post(Wqe(s.opcode)
				   .Words64({0, 0})
				   .Words32({1, w.dkey})
				   .Words64({reinterpret_cast<uintptr_t>(w.dst)})
				   .Words32({Psv(w.hca), 0, 0, 0}));
		 w.Succeeds();
	 }},
	{"wait_cq",
	 [](World &w, const segue_machine_start &s) {
		 w.a->Put(Wqe(s.opcode, s.opmod).Words32({0, 0, 1, w.bcq.cqn}));
		 w.a->Post(Wqe(MLX5_OPCODE_NOP));
		 w.hca.Settle();
		 EXPECT_TRUE(w.acq.Empty());
		 Qp other(w.hca, w.bcq);
		 w.BringUp(other, other);
		 other.Post(Wqe(MLX5_OPCODE_NOP));
		 w.Succeeds();
		 w.Succeeds();
	 }},
	{"wait_on_data",
	 [](World &w, const segue_machine_start &s) {
		 const uint64_t at = reinterpret_cast<uintptr_t>(w.dst);
		 w.a->Post(
			 Wqe(s.opcode, s.opmod).Words32({1, w.dkey}).Words64({at, 0x1234, 0xffff}));
		 w.hca.Settle();
		 EXPECT_TRUE(w.acq.Empty());
		 w.dst[6] = 0x12;
		 w.dst[7] = 0x34;
		 w.Succeeds();
	 }},
	{"wait_on_time",
	 [](World &w, const segue_machine_start &s) {
		 const uint64_t when = softhca_dev_clock(w.hca.dev) + 5000000;
		 w.a->Post(Wqe(s.opcode, s.opmod)
				   .Words32({5, 0, 0, 0})
				   .Words64({when, ~UINT64_C(0)}));
		 w.Succeeds();
		 EXPECT_LT(when, softhca_dev_clock(w.hca.dev));
	 }},
	{"send_en",
	 [](World &w, const segue_machine_start &s) {
		 QpOptions managed;
		 managed.managed_send = true;
		 Qp other(w.hca, w.bcq, managed);
		 w.BringUp(other, other);
		 other.Put(Wqe(MLX5_OPCODE_NOP));
		 w.a->Post(Wqe(s.opcode, s.opmod).Words32({0, 0, 1, other.qpn}));
		 w.Succeeds();
		 EXPECT_EQ(MLX5_CQE_REQ, Opcode(w.bcq.Wait()));
	 }},
	{"transpose",
	 [](World &w, const segue_machine_start &s) {
		 const uint32_t rows = 5, cols = 9, element = 6, size = rows * cols * element;
		 w.a->Post(Wqe(s.opcode, s.opmod)
				   .Words32({element, cols << 16 | rows, 0, 0})
				   .Data(w.src, size, w.skey)
				   .Data(w.dst, size, w.dkey));
		 w.Succeeds();
		 for (uint32_t r = 0; r < rows; r++)
			 for (uint32_t c = 0; c < cols; c++)
				 EXPECT_EQ(0, memcmp(w.src + (r * cols + c) * element,
						     w.dst + (c * rows + r) * element, element))
					 << r << ',' << c;
		 EXPECT_EQ(0, w.dst[size]);
	 }},
	{"tm_append",
	 [](World &w, const segue_machine_start &) {
		 Tagged t(w.hca, w.bcq);
		 t.cmd.Put(TagWqe(1, 0x80, 1, 0, 5, 0xff).Data(w.dst, 100, w.dkey));
		 t.cmd.Post(TagWqe(1, 0x80, 2, 0, 6, 0xff).Words32({0, MLX5_INVALID_LKEY, 0, 0}));
		 TagAnswer(w, 5);
		 TagAnswer(w, 5);
	 }},
	{"tm_remove",
	 [](World &w, const segue_machine_start &) {
		 Tagged t(w.hca, w.bcq);
		 t.cmd.Put(TagWqe(1, 0, 1, 0, 5, 0xff).Data(w.dst, 100, w.dkey));
		 t.cmd.Post(TagWqe(2, 0x80, 0, 0));
		 TagAnswer(w, 6);
	 }},
	{"tm_noop",
	 [](World &w, const segue_machine_start &) {
		 Tagged t(w.hca, w.bcq);
		 t.cmd.Post(TagWqe(0, 0xc0, 0, 0));
		 TagAnswer(w, 7);
	 }},
	{"memcpy",
	 [](World &w, const segue_machine_start &) {
		 w.a->Post(Copy(w.dst + sizeof(w.dst) - 64, w.dkey, Piece(w.src, 5000, w.skey),
				Piece(w.dst, 5000, w.dkey)));
		 w.Succeeds();
		 EXPECT_EQ(0, memcmp(w.src, w.dst, 5000));
	 }},
};

struct Row {
  const Transport *transport;
  const segue_machine_start *start;
};

std::vector<Row> AllRows() {
  std::vector<Row> rows;
  for (const Transport &t : kTransports)
    for (unsigned i = 0; i < t.machine->n_starts; i++)
      rows.push_back({&t, &t.machine->starts[i]});
  return rows;
}

class EveryRequest : public ::testing::TestWithParam<Row> {};

TEST_P(EveryRequest, ExecutesOrIsNamedAsNotModelled) {
  const Row &row = GetParam();
  World w(*row.transport);
  const auto recipe = kRecipes.find(row.start->name);
  if (recipe != kRecipes.end()) {
    recipe->second(w, *row.start);
    EXPECT_STREQ("", softhca_referee_last(w.hca.dev));
    return;
  }
  ASSERT_TRUE(kNotModelled.count(row.start->name))
      << row.start->name << " is neither executed nor known not to be";
  std::ifstream page("docs/softhca/modelled.md");
  std::stringstream text;
  text << page.rdbuf();
  EXPECT_NE(std::string::npos, text.str().find("`" + std::string(row.start->name) + "`"))
      << "docs/softhca/modelled.md must name it";
}

INSTANTIATE_TEST_SUITE_P(All, EveryRequest, ::testing::ValuesIn(AllRows()),
                         [](const ::testing::TestParamInfo<Row> &info) {
                           return std::string(info.param.transport->name) + "_" +
                                  info.param.start->name;
                         });

void Refused(World &w, const Wqe &wqe, const char *words) {
  w.a->Post(wqe);
  EXPECT_EQ(MLX5_CQE_SYNDROME_LOCAL_QP_OP_ERR, w.acq.WaitErr().syndrome) << words;
  EXPECT_EQ(1u, softhca_referee_count(w.hca.dev, SOFTHCA_RULE_OPCODE)) << words;
  EXPECT_NE(nullptr, strstr(softhca_referee_last(w.hca.dev), words))
      << softhca_referee_last(w.hca.dev);
}

TEST(NotModelled, IsRefused) {
  World w(kTransports[0]);
  const Wqe wqe(MLX5_OPCODE_FLOW_TBL_ACCESS, SEGUE_OPMOD_FLOW_TBL_ACCESS_MODIFY_ARGUMENT);
  Refused(w, Wqe(wqe).Words64({0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}),
          "FLOW_TBL_ACCESS is not modelled");
}

// What the spec has on other transports only does not execute here.
TEST(OfAnotherTransport, IsRefused) {
  const struct {
    const char *transport, *request, *words;
    Wqe (*make)(World &w, const segue_machine_start &s);
  } cases[] = {
	  {"rc", "tso", "TSO is not possible",
	   [](World &, const segue_machine_start &s) { return Wqe(s.opcode, s.opmod); }},
	  {"xrc", "masked_atomic_fa64", "ATOMIC_MASKED_FA is not possible",
	   [](World &w, const segue_machine_start &s) {
		   return w.Begin(s).Raddr(w.dst, w.dkey).Words64({7, 0}).Data(w.src, 8, w.skey);
	   }},
	  {"xrc", "masked_atomic_cs32", "ATOMIC_MASKED_CS is not possible",
	   [](World &w, const segue_machine_start &s) {
		   return w.Begin(s)
			   .Raddr(w.dst, w.dkey)
			   .Words32({9, 5, ~0u, ~0u})
			   .Data(w.src, 4, w.skey);
	   }},
	  {"uc", "rdma_read", "RDMA_READ is not possible",
	   [](World &w, const segue_machine_start &s) {
		   return w.Begin(s).Raddr(w.src, w.skey).Data(w.dst, 8, w.dkey);
	   }},
	  {"ud", "rdma_write", "RDMA_WRITE is not possible",
	   [](World &w, const segue_machine_start &s) {
		   return w.Begin(s).Raddr(w.dst, w.dkey).Data(w.src, 8, w.skey);
	   }},
  };
  for (const auto &c : cases) {
    const auto transport =
        std::find_if(std::begin(kTransports), std::end(kTransports),
                     [&](const Transport &t) { return !strcmp(t.name, c.transport); });
    const segue_machine_start *start = nullptr;
    for (const segue_machine *const *m = segue_machines; *m; m++)
      for (uint16_t i = 0; i < (*m)->n_starts; i++)
        if (!strcmp((*m)->starts[i].name, c.request))
          start = &(*m)->starts[i];
    ASSERT_NE(nullptr, start) << c.request;
    World w(*transport);
    Refused(w, c.make(w, *start), c.words);
  }
}

} // namespace
