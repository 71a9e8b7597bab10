/* SPDX-License-Identifier: BSD-2-Clause */
// Compressed completion queues. What the ring holds is read as the kernel's mlx5e (en_rx.c) and
// DPDK (mlx5_rx.c) read it, and compared with the entries of an ordinary queue under the same
// traffic.
#include <map>
#include <random>

#include "tests/seed/seed.h"
#include "tests/softhca/engine/engine_fixture.h"
#include "tests/witnesses/enhanced.h"
extern "C" {
#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"
}

#include "segue/gen/enums.h"

namespace {

using namespace eng;

constexpr unsigned kCompressed = 3;

// Reads both layouts, and ordinary entries.
class Reader {
 public:
  Reader(Cq &cq, uint8_t mini_format, bool enhanced, bool strides = false)
      : cq_(cq), mini_format_(mini_format), enhanced_(enhanced), strides_(strides) {
    if (enhanced) // as mlx5e_alloc_cq_common() does
      for (uint32_t i = 0; i < cq.cqes; i++)
        At(i)[62] = 0xff;
  }
  std::vector<mlx5_cqe64> All() {
    std::vector<mlx5_cqe64> out;
    while (New())
      Format() != kCompressed ? Plain(&out) : enhanced_ ? Enhanced(&out) : Classic(&out);
    return out;
  }
  unsigned blocks = 0, most = 0;

 private:
  uint8_t *At(uint32_t index) {
    return &cq_.buf[size_t{index & (cq_.cqes - 1)} * cq_.size + cq_.size - 64];
  }
  uint32_t Round() const { return cq_.ci / cq_.cqes; }
  bool New() {
    const uint8_t *e = At(cq_.ci);
    if (enhanced_)
      return e[62] == (Round() & 0xff);
    return e[63] >> 4 != MLX5_CQE_INVALID && (e[63] & 1) == (Round() & 1);
  }
  unsigned Format() { return At(cq_.ci)[63] >> 2 & 3; }
  void Plain(std::vector<mlx5_cqe64> *out) {
    mlx5_cqe64 cqe;
    memcpy(&cqe, At(cq_.ci), sizeof(cqe));
    title_ = cqe;
    counter_ = static_cast<uint16_t>(be16toh(cqe.wqe_counter) + 1);
    out->push_back(cqe);
    cq_.SetCi(cq_.ci + 1);
  }
  void Expand(const uint8_t *mini, std::vector<mlx5_cqe64> *out) {
    mlx5_cqe64 cqe = title_;
    auto *bytes = reinterpret_cast<uint8_t *>(&cqe);
    cqe.op_own &= 0xf3;
    memcpy(&cqe.byte_cnt, mini + 4, 4);
    if (Opcode(cqe) == MLX5_CQE_REQ) {
      memcpy(&cqe.wqe_counter, mini, 2);
      bytes[56] = mini[2];
    } else {
      cqe.wqe_counter = htobe16(counter_++);
      if (mini_format_ == SEGUE_MINI_CQE_FORMAT_HASH)
        memcpy(bytes + 12, mini, 4);
      else
        memcpy(bytes + 20, mini, 2);
      if (strides_ && mini_format_ == SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX)
        memcpy(&cqe.wqe_counter, mini + 2, 2);
    }
    out->push_back(cqe);
  }
  // The title, then arrays of eight in entries 1, 8, 16, ...; the owner bits are brought up to date
  // by the reader.
  void Classic(std::vector<mlx5_cqe64> *out) {
    const uint32_t ci = cq_.ci;
    memcpy(&title_, At(ci), sizeof(title_));
    const uint32_t n = be32toh(title_.byte_cnt);
    counter_ = be16toh(title_.wqe_counter);
    ASSERT_LE(2u, n);
    EXPECT_LE(ci % cq_.cqes + n, cq_.cqes) << "DPDK reads a block without wrapping";
    for (uint32_t i = 0; i < n; i++)
      Expand(At(ci + (i < 8 ? 1 : i / 8 * 8)) + i % 8 * 8, out);
    for (uint32_t i = 0; i < n; i++)
      At(ci + i)[63] = static_cast<uint8_t>((ci + i) / cq_.cqes & 1);
    cq_.SetCi(ci + n);
    blocks++;
    most = std::max(most, n);
  }
  void Enhanced(std::vector<mlx5_cqe64> *out) {
    const uint8_t *e = At(cq_.ci);
    const unsigned n = (e[63] >> 4) + 1u;
    ASSERT_GE(7u, n);
    EXPECT_LE(cq_.ci % cq_.cqes + n, cq_.cqes) << "UCX reads a run without wrapping";
    for (unsigned i = 0; i < n; i++)
      Expand(e + i * 8, out);
    cq_.SetCi(cq_.ci + n);
    blocks++;
    most = std::max(most, n);
  }

  Cq &cq_;
  uint8_t mini_format_;
  bool enhanced_, strides_;
  mlx5_cqe64 title_{};
  uint16_t counter_ = 0;
};

struct Form {
  const char *name;
  uint8_t mini_format;
  bool enhanced;
  uint32_t size;
};

constexpr Form kForms[] = {
    {"Hash", SEGUE_MINI_CQE_FORMAT_HASH, false, 64},
    {"Csum", SEGUE_MINI_CQE_FORMAT_CSUM, false, 64},
    {"CsumStridx", SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX, false, 64},
    {"Hash128", SEGUE_MINI_CQE_FORMAT_HASH, false, 128},
    {"Enhanced", SEGUE_MINI_CQE_FORMAT_HASH, true, 64},
    {"Enhanced128", SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX, true, 128},
};

std::function<void(softhca_cq_attr *)> Tuned(const Form &form) {
  return [&form](softhca_cq_attr *a) {
    a->compress = true;
    a->mini_format = form.mini_format;
    a->enhanced = form.enhanced;
  };
}

// Two queue pairs that complete on one queue.
struct Pair {
  Pair(Hca &hca, Cq &cq, Srq *srq) : a(hca, cq), b(hca, cq, Options(srq)) { Connect(a, b); }
  static QpOptions Options(Srq *srq) {
    QpOptions opt;
    opt.srq = srq ? srq->srq : nullptr;
    return opt;
  }
  Qp a, b;
};

class Compressed : public ::testing::TestWithParam<Form> {};

// Everything but what belongs to the moment and to the queue pair.
std::string Content(const mlx5_cqe64 &cqe) {
  mlx5_cqe64 c = cqe;
  c.timestamp = 0;
  c.signature = 0;
  c.op_own &= 0xfe;
  c.sop_drop_qpn &= htobe32(0xff000000);
  c.flags_rqpn &= htobe32(0xff000000);
  if (Opcode(c) < MLX5_CQE_REQ_ERR)
    c.srqn_uidx = 0;
  return std::string(reinterpret_cast<const char *>(&c), sizeof(c));
}

// Completions by queue pair and side: between those the order is anybody's.
using Streams = std::map<std::pair<uint32_t, bool>, std::vector<std::string>>;

void Sort(const std::vector<mlx5_cqe64> &cqes, Pair *pairs[2], Streams *to) {
  for (const mlx5_cqe64 &cqe : cqes) {
    const uint32_t qpn = be32toh(cqe.sop_drop_qpn) & 0xffffff;
    uint32_t which = 9;
    for (uint32_t i = 0; i < 2; i++)
      which = qpn == pairs[i]->a.qpn ? i * 2 : qpn == pairs[i]->b.qpn ? i * 2 + 1 : which;
    EXPECT_NE(9u, which) << qpn;
    const bool send = Opcode(cqe) == MLX5_CQE_REQ || Opcode(cqe) == MLX5_CQE_REQ_ERR;
    (*to)[{which, send}].push_back(Content(cqe));
  }
}

TEST_P(Compressed, GivesTheSameCompletions) {
  const auto seed = static_cast<unsigned>(segue_test_seed());
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 dice(seed);
  Hca hca;
  Cq plain(hca, 128, GetParam().size), packed(hca, 128, GetParam().size, false, Tuned(GetParam()));
  Srq plain_srq(hca, 64), packed_srq(hca, 64);
  Pair p0(hca, plain, nullptr), p1(hca, plain, &plain_srq), c0(hca, packed, nullptr),
      c1(hca, packed, &packed_srq);
  Pair *plains[] = {&p0, &p1}, *packeds[] = {&c0, &c1};
  static uint8_t src[4096], dst[4096];
  const uint32_t skey = hca.Mr(src, sizeof(src)), dkey = hca.Mr(dst, sizeof(dst));
  Reader reader(packed, GetParam().mini_format, GetParam().enhanced);
  Streams expected, got;
  size_t n = 0;
  for (int round = 0; round < 300; round++) {
    unsigned posted = 0;
    for (unsigned i = 1 + dice() % 20; i; i--) {
      const unsigned which = dice() % 2, op = dice() % 8, len = 1 + dice() % 2000;
      const uint8_t flags = dice() % 4 ? MLX5_WQE_CTRL_CQ_UPDATE : 0;
      for (Pair *pair : {plains[which], packeds[which]}) {
        Wqe w(op < 4   ? MLX5_OPCODE_SEND
              : op < 5 ? MLX5_OPCODE_SEND_IMM
              : op < 7 ? MLX5_OPCODE_RDMA_WRITE
                       : MLX5_OPCODE_RDMA_READ,
              0, flags);
        if (op == 4)
          w.Imm(len % 3);
        if (op >= 5)
          w.Raddr(dst, dkey);
        w.Data(src, len, skey);
        if (op < 5 && which)
          (pair == plains[1] ? plain_srq : packed_srq).PostRecv(dst, 2000, dkey);
        else if (op < 5)
          pair->b.PostRecv(dst, 2000, dkey);
        pair->a.Put(w);
      }
      posted += (flags != 0) + (op < 5);
    }
    for (Pair *pair : {&p0, &p1, &c0, &c1})
      pair->a.Ring();
    n += posted;
    size_t seen = 0, plain_seen = 0;
    EXPECT_TRUE(hca.Run([&] {
      std::vector<mlx5_cqe64> more = reader.All(), same;
      for (auto cqe = plain.Poll(); cqe; cqe = plain.Poll())
        same.push_back(*cqe);
      Sort(more, packeds, &got);
      Sort(same, plains, &expected);
      seen += more.size();
      plain_seen += same.size();
      return seen == posted && plain_seen == posted;
    })) << seen << " and " << plain_seen << " of " << posted;
    ASSERT_EQ(expected, got) << "round " << round;
    expected.clear();
    got.clear();
  }
  EXPECT_LT(200u, reader.blocks) << "of " << n;
  EXPECT_LT(GetParam().enhanced ? 5u : 9u, reader.most);
  EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

TEST_P(Compressed, ErrorsAndFlushesStayWhole) {
  Hca hca;
  Cq cq(hca, 128, GetParam().size, false, Tuned(GetParam()));
  Pair pair(hca, cq, nullptr);
  Reader reader(cq, GetParam().mini_format, GetParam().enhanced);
  for (int i = 0; i < 5; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Put(Wqe(MLX5_OPCODE_RDMA_WRITE).Raddr(&pair, 1).Data(&pair, 8, 0x777));
  for (int i = 0; i < 5; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  std::vector<mlx5_cqe64> all;
  EXPECT_TRUE(hca.Run([&] {
    for (const mlx5_cqe64 &cqe : reader.All())
      all.push_back(cqe);
    return all.size() == 11;
  }));
  for (size_t i = 0; i < all.size(); i++) {
    EXPECT_EQ(i < 5 ? MLX5_CQE_REQ : MLX5_CQE_REQ_ERR, Opcode(all[i])) << i;
    EXPECT_EQ(i, be16toh(all[i].wqe_counter));
  }
  EXPECT_EQ(1u, reader.blocks);
}

INSTANTIATE_TEST_SUITE_P(All, Compressed, ::testing::ValuesIn(kForms),
                         [](const ::testing::TestParamInfo<Form> &info) {
                           return std::string(info.param.name);
                         });

// Messages over a ring with enhanced compression, read as UCX and Linux read it.
void MessagesOverEnhanced(const Form &form, const std::function<size_t(Cq &)> &take)
{
	constexpr unsigned kRounds = 600, kCqes = 64; // the count of rounds has 256 values
	Hca hca;
	Cq sends(hca, 128), cq(hca, kCqes, form.size, false, Tuned(form));
	QpOptions opt;
	Qp a(hca, sends), b(hca, cq, opt);
	Connect(a, b);
	static uint8_t src[64], dst[64];
	const uint32_t skey = hca.Mr(src, sizeof(src)), dkey = hca.Mr(dst, sizeof(dst));
	const auto seed = static_cast<unsigned>(segue_test_seed());
	std::mt19937 dice(seed);
	size_t sent = 0, got = 0;
	witness::Ring{cq.buf.data(), 6, form.size}.Fill();
	while (sent < kRounds * kCqes) {
		const size_t n = 1 + dice() % 20;
		for (size_t i = 0; i < n; i++) {
			b.PostRecv(dst, 64, dkey);
			a.Put(Wqe(MLX5_OPCODE_SEND, 0, i + 1 == n ? MLX5_WQE_CTRL_CQ_UPDATE : 0)
				      .Data(src, 1 + (sent + i) % 60, skey));
		}
		a.Ring();
		sent += n;
		ASSERT_TRUE(hca.Run([&] {
			got += take(cq);
			return got == sent;
		})) << got
		    << " of " << sent << ", round " << sent / kCqes << ", seed " << seed;
		sends.Wait();
	}
	EXPECT_STREQ("", softhca_referee_last(hca.dev));
}

// The i-th message has 1 + i % 60 bytes and uses up the i-th receive.
void ExpectMessage(size_t i, const witness::Cqe &cqe)
{
	EXPECT_EQ(1 + i % 60, witness::Be16(&cqe[witness::kByteCnt + 2])) << i;
	EXPECT_EQ(i & 0xffff, witness::Be16(&cqe[witness::kWqeCounter])) << i;
}

TEST(EnhancedBlocks, AreReadByUcx)
{
	for (const Form &form : {kForms[4], kForms[5]}) {
		std::unique_ptr<witness::UcxReader> reader;
		size_t n = 0;
		MessagesOverEnhanced(form, [&](Cq &cq) {
			const size_t before = n;
			witness::Cqe cqe;
			if (!reader)
				reader = std::make_unique<witness::UcxReader>(
					witness::Ring{cq.buf.data(), 6, form.size});
			for (; reader->Next(&cqe); n++)
				ExpectMessage(n, cqe);
			cq.SetCi(reader->index());
			return n - before;
		});
	}
}

TEST(EnhancedBlocks, AreReadByLinux)
{
	for (const Form &form : {kForms[4], kForms[5]}) {
		std::unique_ptr<witness::LinuxReader> reader;
		size_t n = 0;
		MessagesOverEnhanced(form, [&](Cq &cq) {
			std::vector<witness::Cqe> cqes;
			if (!reader)
				reader = std::make_unique<witness::LinuxReader>(
					witness::Ring{cq.buf.data(), 6, form.size});
			reader->Poll(&cqes);
			for (const witness::Cqe &cqe : cqes)
				ExpectMessage(n++, cqe);
			cq.SetCi(reader->index());
			return cqes.size();
		});
	}
}

// Receives of striding queues have a stride number each, which only one format keeps.
TEST(CompressedStrides, KeepTheirIndexIfTheFormatDoes) {
  for (const Form &form : kForms) {
    Hca hca;
    Cq cq(hca, 64, form.size, false, Tuned(form));
    Pair pair(hca, cq, nullptr);
    Reader reader(cq, form.mini_format, form.enhanced, true);
    softhca_eth hdr{};
    softhca_eth_info eth{};
    softhca_recv_info info{};
    softhca_rwqe rwqe{};
    info.kind = SOFTHCA_RECV_SEND;
    info.eth = &eth;
    eth.hdr = &hdr;
    eth.wqe_id = 7;
    const std::vector<uint16_t> at = {0, 1, 3, 6, 7, 8, 12, 1};
    for (uint16_t stride : at) {
	    hdr.sum = static_cast<uint16_t>(0xa001 + stride * 0x101);
	    rwqe.counter = stride;
	    eth.strides = stride % 3 + 1u;
	    eth.hash = stride * 0x1010101u;
	    info.bytes = 100u + stride;
	    softhca_cq_push_recv(pair.b.qp, &rwqe, &info);
    }
    softhca_cq_close_all();
    std::vector<mlx5_cqe64> all = reader.All();
    ASSERT_EQ(at.size(), all.size()) << form.name;
    for (size_t i = 0; i < at.size(); i++) {
      EXPECT_EQ(at[i], be16toh(all[i].wqe_counter)) << form.name;
      EXPECT_EQ(100u + at[i], be32toh(all[i].byte_cnt) & 0xffff) << form.name;
      EXPECT_EQ(at[i] % 3 + 1u, be32toh(all[i].byte_cnt) >> 16) << form.name;
      if (form.mini_format != SEGUE_MINI_CQE_FORMAT_HASH) {
	      EXPECT_EQ(0xa001 + at[i] * 0x101,
			witness::Be16(reinterpret_cast<const uint8_t *>(&all[i]) + 20))
		      << form.name;
      }
    }
    if (form.mini_format == SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX) {
      EXPECT_LE(1u, reader.blocks);
    }
  }
}

// What DPDK reads of a mini CQE that keeps a flow tag (rxq_cq_to_mbuf and byte_mask,
// drivers/net/mlx5/mlx5_rx.c) or the header types (rxq_cq_to_pkt_type).
struct DpdkMini {
	const uint8_t *mini;

	uint32_t Tag() const
	{
		return uint32_t(mini[4]) << 16 | uint32_t(mini[0]) << 8 | mini[1];
	}
	uint32_t Bytes() const
	{
		return uint32_t(mini[5]) << 16 | uint32_t(mini[6]) << 8 | mini[7];
	}
	uint32_t PacketType() const
	{
		return mini[0] >> 2;
	}
	bool Stripped() const
	{
		return mini[0] & 1;
	}
	uint32_t Stride() const
	{
		return uint32_t(mini[2]) << 8 | mini[3];
	}
};

// Frames that differ in flow tag, or in their headers, are of one block.
TEST(CompressedFrames, KeepTagsAndTypesAsDpdkReadsThem)
{
	for (bool types : {false, true}) {
		Hca hca;
		Cq cq(hca, 64, 64, false, [types](softhca_cq_attr *a) {
			a->compress = true;
			a->mini_format = types ? SEGUE_MINI_CQE_FORMAT_HASH
					       : SEGUE_MINI_CQE_FORMAT_FTAG_STRIDX;
			a->mini_format_ext = types ? SEGUE_MINI_CQE_FORMAT_EXT_L34H_STRIDX
						   : SEGUE_MINI_CQE_FORMAT_EXT_NONE;
		});
		Pair pair(hca, cq, nullptr);
		softhca_eth hdr{};
		softhca_eth_info eth{};
		softhca_recv_info info{};
		softhca_rwqe rwqe{};
		info.kind = SOFTHCA_RECV_SEND;
		info.eth = &eth;
		eth.hdr = &hdr;
		eth.strides = 1;
		const auto tag = [](uint32_t i) { return 0x123456u + i * 0x10203u; };
		for (uint32_t i = 0; i < 8; i++) {
			rwqe.counter = static_cast<uint16_t>(i * 3);
			eth.tag = types ? 9 : tag(i);
			eth.stripped = types && i & 1;
			info.bytes = 100u + i;
			softhca_cq_push_recv(pair.b.qp, &rwqe, &info);
		}
		softhca_cq_close_all();
		uint32_t count;
		memcpy(&count, cq.buf.data() + 44, sizeof(count));
		ASSERT_EQ(8u, be32toh(count)) << "a title that counts all";
		for (uint32_t i = 0; i < 8; i++) {
			const DpdkMini mini = {cq.buf.data() + 64 + i * 8};
			EXPECT_EQ(i * 3, mini.Stride());
			EXPECT_EQ(100u + i, mini.Bytes() & 0xffff);
			if (types) {
				EXPECT_EQ((i & 1) != 0, mini.Stripped());
			} else {
				EXPECT_EQ(tag(i), mini.Tag());
			}
		}
	}
}

TEST(CompressedQueue, FillsUpAndNotBeyond) {
  Hca hca;
  Cq cq(hca, 8, 64, false, Tuned(kForms[0]));
  Pair pair(hca, cq, nullptr);
  Reader reader(cq, SEGUE_MINI_CQE_FORMAT_HASH, false);
  for (int i = 0; i < 8; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  hca.Settle();
  EXPECT_EQ(0u, hca.Count(IBV_EVENT_CQ_ERR));
  EXPECT_EQ(8u, reader.All().size());
  for (int i = 0; i < 9; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  EXPECT_TRUE(hca.Run([&] { return hca.Count(IBV_EVENT_CQ_ERR) == 1; }));
}

TEST(CompressedQueue, AnArmedOneTellsOfABlockOnce) {
  Hca hca;
  Cq cq(hca, 64, 64, false, Tuned(kForms[0]));
  Pair pair(hca, cq, nullptr);
  cq.Arm(false);
  hca.Settle();
  for (int i = 0; i < 20; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  hca.Settle();
  EXPECT_EQ(1u, hca.cq_events.size());
}

// What waits for completions need not wait for the end of the block.
TEST(CompressedQueue, CountsForThoseWhoWait) {
  Hca hca;
  Cq cq(hca, 64, 64, false, Tuned(kForms[0])), other(hca);
  Pair pair(hca, cq, nullptr);
  Qp waits(hca, other), peer(hca, other);
  Connect(waits, peer);
  waits.Post(Wqe(SEGUE_OPCODE_WAIT).Words32({0, 0, 5, cq.cqn}));
  for (int i = 0; i < 5; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(other.Wait()));
}

TEST(CompressedQueue, ClosesItsBlockBeforeItMoves) {
  Hca hca;
  Cq cq(hca, 64, 64, false, Tuned(kForms[0]));
  Pair pair(hca, cq, nullptr);
  Reader reader(cq, SEGUE_MINI_CQE_FORMAT_HASH, false);
  std::vector<uint8_t> fresh(64 * 64);
  softhca_lock();
  for (int i = 0; i < 3; i++)
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
  pair.a.Ring();
  softhca_uar_scan(hca.uar);
  EXPECT_EQ(0, softhca_cq_resize(cq.cq, reinterpret_cast<uintptr_t>(fresh.data()), 64, 64));
  softhca_unlock();
  std::vector<mlx5_cqe64> all = reader.All();
  ASSERT_EQ(4u, all.size());
  EXPECT_EQ(5, Opcode(all[3])) << "RESIZE_CQ";
}

TEST(CompressedQueue, DestroyedWithABlockOpenLeavesNothing) {
  Hca hca;
  softhca_lock();
  {
    Cq cq(hca, 64, 64, false, Tuned(kForms[0]));
    Pair pair(hca, cq, nullptr);
    pair.a.Put(Wqe(MLX5_OPCODE_NOP));
    pair.a.Post(Wqe(MLX5_OPCODE_NOP));
    softhca_uar_scan(hca.uar);
  }
  softhca_unlock();
}

TEST(PaddedQueue, WritesTheFirstHalfToo) {
  Hca hca;
  Cq cq(hca, 8, 128, false, [](softhca_cq_attr *a) { a->pad = true; });
  Pair pair(hca, cq, nullptr);
  pair.a.Post(Wqe(MLX5_OPCODE_NOP));
  EXPECT_EQ(MLX5_CQE_REQ, Opcode(cq.Wait()));
  for (int i = 0; i < 64; i++)
    ASSERT_EQ(0, cq.last_entry[i]);
}

} // namespace
