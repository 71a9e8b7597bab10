/* SPDX-License-Identifier: BSD-2-Clause */
// The protocol machines: what each request does, what each failure does, and
// that nothing is lost or done twice when the wire misbehaves.
#include "transport_harness.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <random>

#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/engine/transport/transport.h"
void softhca_wire_flooded(struct softhca_wire *w, uint32_t cost); // wire_priv.h is C only
}

namespace {

using namespace harness;

// A megabyte that begins otherwise in each place, made once: byte by byte it takes ThreadSanitizer
// longer than most tests do.
const std::vector<uint8_t> &Bytes(bool remote) {
  static const auto make = [](auto byte) {
    std::vector<uint8_t> bytes(1 << 20);
    uint8_t *const p = bytes.data();
    for (size_t i = 0; i < 1 << 20; i++)
      p[i] = static_cast<uint8_t>(byte(i));
    return bytes;
  };
  static const std::vector<uint8_t> here = make([](size_t i) { return i * 7 + i / 251; });
  static const std::vector<uint8_t> there = make([](size_t i) { return i * 13 + 5; });
  return remote ? there : here;
}

struct Pair {
  explicit Pair(enum softhca_qp_type type = SOFTHCA_QP_RC, const Attr &attr = Attr(),
                enum softhca_link link = SOFTHCA_LINK_ROCE)
      : a(link), b(link) {
    qa = a.NewQp(type);
    qb = b.NewQp(type == SOFTHCA_QP_XRC_INI ? SOFTHCA_QP_XRC_TGT
                 : type == SOFTHCA_QP_DCI   ? SOFTHCA_QP_DCT
                                            : type);
    Connect(qa, qb, attr);
    local = Bytes(false);
    remote = Bytes(true);
    lkey = a.AddRegion(local.data(), local.size());
    rkey = b.AddRegion(remote.data(), remote.size());
  }

  std::unique_ptr<Message> Msg(enum softhca_kind kind, uint64_t id, uint32_t len,
                               uint32_t local_off = 0, uint32_t remote_off = 0) {
    auto m = NewMessage(kind, id, local.data() + local_off, len);
    m->u.span[0].lkey = lkey;
    m->raddr = reinterpret_cast<uint64_t>(remote.data()) + remote_off;
    m->rkey = rkey;
    if (qa->type == SOFTHCA_QP_UD || qa->type == SOFTHCA_QP_DCI) {
      m->dest_buf.av = AvOf(qb);
      m->dest_buf.dqpn = qb->qpn;
      m->dest_buf.qkey = qb->attr.qkey;
      m->dest_buf.dckey = qb->create.dc_access_key;
      m->dest = &m->dest_buf;
    }
    return m;
  }

  void Send(std::unique_ptr<Message> m) {
    Post(qa, std::move(m));
    Kick(qa);
  }

  // Runs until one more send completion is there; its syndrome, or -1.
  int Wait() {
    if (!RunUntil([&] { return !qa->send_cq.empty(); }))
      return -1;
    const int s = qa->send_cq.front().syndrome;
    qa->send_cq.pop_front();
    return s;
  }

  Device a, b;
  Qp *qa, *qb;
  std::vector<uint8_t> local, remote;
  uint32_t lkey, rkey;
};

const enum softhca_qp_type kReliable[] = {SOFTHCA_QP_RC, SOFTHCA_QP_DCI, SOFTHCA_QP_XRC_INI};

class Reliable : public testing::TestWithParam<enum softhca_qp_type> {};
INSTANTIATE_TEST_SUITE_P(All, Reliable, testing::ValuesIn(kReliable));

TEST_P(Reliable, WritesAllSizes) {
  Pair p(GetParam());
  for (uint32_t len : {0u, 1u, 3u, 1023u, 1024u, 1025u, 4096u, 100001u, 1048576u}) {
    std::fill(p.remote.begin(), p.remote.end(), 0);
    p.Send(p.Msg(SOFTHCA_MSG_WRITE, len, len));
    ASSERT_EQ(p.Wait(), SOFTHCA_OK) << len;
    ASSERT_EQ(memcmp(p.local.data(), p.remote.data(), len), 0) << len;
  }
}

TEST_P(Reliable, ReadsAllSizes) {
  Pair p(GetParam());
  for (uint32_t len : {0u, 1u, 3u, 1023u, 1024u, 1025u, 4096u, 100001u, 1048576u}) {
    std::fill(p.local.begin(), p.local.end(), 0);
    p.Send(p.Msg(SOFTHCA_MSG_READ, len, len));
    ASSERT_EQ(p.Wait(), SOFTHCA_OK) << len;
    ASSERT_EQ(memcmp(p.local.data(), p.remote.data(), len), 0) << len;
  }
}

TEST_P(Reliable, SendsArriveWithImmediateAndLength) {
  Pair p(GetParam());
  const uint32_t srqn = GetParam() == SOFTHCA_QP_XRC_INI ? 77 : 0;
  for (uint32_t len : {0u, 1u, 1024u, 5000u}) {
    PostRecv(p.qb, 100 + len, p.remote.data(), 5000, srqn);
    auto m = p.Msg(SOFTHCA_MSG_SEND, len, len);
    m->xrc_srqn = srqn;
    m->has_imm = true;
    m->imm = htobe32(0x01020304);
    m->solicited = true;
    p.Send(std::move(m));
    ASSERT_EQ(p.Wait(), SOFTHCA_OK);
    ASSERT_EQ(p.qb->recv_cq.size(), 1u);
    const RecvCompletion c = p.qb->recv_cq.front();
    p.qb->recv_cq.pop_front();
    EXPECT_EQ(c.wr_id, 100 + len);
    EXPECT_EQ(c.info.kind, SOFTHCA_RECV_SEND_IMM);
    EXPECT_EQ(c.info.bytes, len);
    EXPECT_EQ(c.info.imm_inv, htobe32(0x01020304));
    EXPECT_TRUE(c.info.solicited);
    EXPECT_EQ(memcmp(p.local.data(), p.remote.data(), len), 0);
  }
}

TEST_P(Reliable, WriteWithImmediateTakesAReceive) {
  Pair p(GetParam());
  const uint32_t srqn = GetParam() == SOFTHCA_QP_XRC_INI ? 77 : 0;
  PostRecv(p.qb, 5, nullptr, 0, srqn);
  auto m = p.Msg(SOFTHCA_MSG_WRITE, 1, 3000, 0, 500);
  m->xrc_srqn = srqn;
  m->has_imm = true;
  m->imm = 42;
  p.Send(std::move(m));
  ASSERT_EQ(p.Wait(), SOFTHCA_OK);
  ASSERT_EQ(p.qb->recv_cq.size(), 1u);
  EXPECT_EQ(p.qb->recv_cq[0].info.kind, SOFTHCA_RECV_WRITE_IMM);
  EXPECT_EQ(p.qb->recv_cq[0].info.bytes, 3000u);
  EXPECT_EQ(memcmp(p.local.data(), p.remote.data() + 500, 3000), 0);
}

TEST_P(Reliable, AtomicsReturnTheOldValue) {
  Pair p(GetParam());
  uint64_t value = 1000;
  memcpy(p.remote.data(), &value, 8);
  auto add = p.Msg(SOFTHCA_MSG_ATOMIC, 1, 8);
  add->atomic = {8, true, false, 5, 0, ~0ull, ~0ull, 0};
  p.Send(std::move(add));
  ASSERT_EQ(p.Wait(), SOFTHCA_OK);
  memcpy(&value, p.local.data(), 8);
  EXPECT_EQ(value, 1000u);
  auto cas = p.Msg(SOFTHCA_MSG_ATOMIC, 2, 8);
  cas->atomic = {8, false, true, 0xab, 1005, 0xff, ~0ull, 0};
  p.Send(std::move(cas));
  ASSERT_EQ(p.Wait(), SOFTHCA_OK);
  memcpy(&value, p.local.data(), 8);
  EXPECT_EQ(value, 1005u);
  memcpy(&value, p.remote.data(), 8);
  EXPECT_EQ(value, (1005u & ~0xffull) | 0xab);
}

TEST_P(Reliable, BadRkeyIsRemoteAccess) {
  for (enum softhca_kind kind : {SOFTHCA_MSG_WRITE, SOFTHCA_MSG_READ, SOFTHCA_MSG_ATOMIC}) {
    Pair p(GetParam());
    auto m = p.Msg(kind, 1, 8);
    m->atomic = {8, true, false, 5, 0, ~0ull, ~0ull, 0};
    m->rkey ^= 1;
    p.Send(std::move(m));
    p.Send(p.Msg(SOFTHCA_MSG_WRITE, 2, 8));
    EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_ACCESS);
    EXPECT_EQ(p.Wait(), SOFTHCA_FLUSH);
    EXPECT_EQ(p.qa->state, IBV_QPS_ERR);
    if (p.qb->type == SOFTHCA_QP_DCT) {
      EXPECT_EQ(p.qb->state, IBV_QPS_RTR);
    } else {
      ASSERT_EQ(p.qb->events.size(), 1u);
      EXPECT_EQ(p.qb->events[0], IBV_EVENT_QP_ACCESS_ERR);
    }
  }
}

TEST_P(Reliable, ForbiddenByTheQueuePairIsInvalidRequest) {
  for (enum softhca_kind kind : {SOFTHCA_MSG_WRITE, SOFTHCA_MSG_READ, SOFTHCA_MSG_ATOMIC}) {
    Pair p(GetParam());
    p.qb->attr.qp_access_flags = 0;
    auto m = p.Msg(kind, 1, 8);
    m->atomic = {8, true, false, 5, 0, ~0ull, ~0ull, 0};
    p.Send(std::move(m));
    EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_INVAL_REQ);
  }
}

TEST_P(Reliable, MisalignedAtomicIsInvalidRequest) {
  Pair p(GetParam());
  auto m = p.Msg(SOFTHCA_MSG_ATOMIC, 1, 8, 0, 4);
  m->atomic = {8, true, false, 5, 0, ~0ull, ~0ull, 0};
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_INVAL_REQ);
}

TEST_P(Reliable, TooLongForTheReceive) {
  Pair p(GetParam());
  const uint32_t srqn = GetParam() == SOFTHCA_QP_XRC_INI ? 77 : 0;
  PostRecv(p.qb, 5, p.remote.data(), 2000, srqn);
  auto m = p.Msg(SOFTHCA_MSG_SEND, 1, 3000);
  m->xrc_srqn = srqn;
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_INVAL_REQ);
  ASSERT_EQ(p.qb->recv_cq.size(), 1u);
  EXPECT_EQ(p.qb->recv_cq[0].syndrome, SOFTHCA_LOCAL_LENGTH);
}

TEST_P(Reliable, BadLkeyIsLocalProtectionAfterWhatPrecedes) {
  Pair p(GetParam());
  Post(p.qa, p.Msg(SOFTHCA_MSG_WRITE, 1, 3000));
  auto m = p.Msg(SOFTHCA_MSG_WRITE, 2, 8);
  m->u.span[0].lkey = 1;
  Post(p.qa, std::move(m));
  Post(p.qa, p.Msg(SOFTHCA_MSG_WRITE, 3, 8));
  Kick(p.qa);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.Wait(), SOFTHCA_LOCAL_PROT);
  EXPECT_EQ(p.Wait(), SOFTHCA_FLUSH);
}

TEST_P(Reliable, SilenceEndsInRetryExceededAfterTheRightTime) {
  Attr attr;
  attr.timeout = 14; // 67 ms
  attr.retry_cnt = 3;
  Pair p(GetParam(), attr);
  Faults f("drop 100%");
  const uint64_t start = Now();
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 8));
  EXPECT_EQ(p.Wait(), SOFTHCA_RETRY_EXC);
  const double t = static_cast<double>(Now() - start) / (4096.0 * (1 << 14));
  EXPECT_GE(t, 3.99); // the first time and three retries
  EXPECT_LE(t, 4.5);
}

// The same over sockets: who does not answer but lives is held to the time, who
// has no CPU (here: is not polled, for nobody turns his wheel) is waited for.
TEST(Rc, APeerWithoutACpuIsWaitedFor) {
  Attr attr;
  attr.retry_cnt = 1;
  Pair p(SOFTHCA_QP_RC, attr);
  softhca_wire_only_sockets(true);
  softhca_dev *const devices = the_engine.devs; // b in front, then a
  ASSERT_EQ(devices, &p.b.dev);
  the_engine.devs = devices->next; // only a runs
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 8));
  RunFor(2000000000); // 2 s, where 2 x 67 ms would be the end
  EXPECT_TRUE(p.qa->send_cq.empty());
  the_engine.devs = devices;
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  softhca_wire_only_sockets(false);
}

TEST(Rc, APeerThatLivesButDoesNotAnswerIsNot) {
  Attr attr;
  attr.retry_cnt = 3;
  Pair p(SOFTHCA_QP_RC, attr);
  softhca_wire_only_sockets(true);
  p.qa->attr.dest_qp_num = 0x7777; // nobody
  const uint64_t start = Now();
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 8));
  EXPECT_EQ(p.Wait(), SOFTHCA_RETRY_EXC);
  EXPECT_LE(Now() - start, 400000000u); // 4 x 67 ms and a little
  softhca_wire_only_sockets(false);
}

TEST_P(Reliable, RnrIsRetriedWithTheTimer) {
  Attr attr;
  attr.min_rnr_timer = 20; // 10.24 ms
  attr.rnr_retry = 2;
  Pair p(GetParam(), attr);
  const uint32_t srqn = GetParam() == SOFTHCA_QP_XRC_INI ? 77 : 0;
  if (srqn)
    p.qb->srqs[srqn];
  const uint64_t start = Now();
  auto m = p.Msg(SOFTHCA_MSG_SEND, 1, 8);
  m->xrc_srqn = srqn;
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_RNR_RETRY_EXC);
  EXPECT_GE(Now() - start, 2 * 10240000u);
  EXPECT_LE(Now() - start, 2 * 10240000u + 1000000u);
}

TEST(Rc, RnrForEverWaitsUntilAReceiveIsPosted) {
  Attr attr;
  attr.min_rnr_timer = 1;
  attr.rnr_retry = 7;
  Pair p(SOFTHCA_QP_RC, attr);
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 8));
  RunFor(50000000);
  EXPECT_TRUE(p.qa->send_cq.empty());
  PostRecv(p.qb, 9, p.remote.data(), 8);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.qb->recv_cq.size(), 1u);
}

// Who says that there is no receive is there: time-outs before and after that do not add up to
// retry_cnt.
TEST(Rc, RnrAnswersStartTheRetryCounterAgain) {
  Attr attr;
  attr.min_rnr_timer = 20; // 10.24 ms
  attr.rnr_retry = 7;
  attr.timeout = 14; // 67 ms
  attr.retry_cnt = 2;
  Pair p(SOFTHCA_QP_RC, attr);
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 8));
  for (int i = 0; i < 4; i++) {
    RunFor(120000000);
    Faults f("drop 100%");
    RunFor(100000000);
    ASSERT_TRUE(p.qa->send_cq.empty()) << "round " << i;
  }
  PostRecv(p.qb, 9, p.remote.data(), 8);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
}

TEST(Rc, SendWithInvalidateTakesTheKeyAway) {
  Pair p;
  PostRecv(p.qb, 1, p.remote.data(), 8);
  auto m = p.Msg(SOFTHCA_MSG_SEND, 1, 8);
  m->has_inv = true;
  m->inv_key = p.rkey;
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.qb->recv_cq[0].info.kind, SOFTHCA_RECV_SEND_INV);
  EXPECT_EQ(p.qb->recv_cq[0].info.imm_inv, htobe32(p.rkey));
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 2, 8));
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_ACCESS);
}

TEST(Rc, ResetForgetsAndTheQueueWorksAgain) {
  Pair p;
  Faults f("drop 100%");
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 100000));
  for (Qp *qp : {p.qa, p.qb}) {
    qp->state = qp->attr.qp_state = IBV_QPS_RESET;
    softhca_transport_qp_modify(qp, IBV_QPS_RTS, 0);
    qp->posted.clear();
  }
  Faults none("seed 1");
  Attr attr;
  attr.psn = 77;
  Connect(p.qa, p.qb, attr);
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 2, 100000));
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
}

TEST(Rc, InfinibandLidsReachThePeer) {
  Pair p(SOFTHCA_QP_RC, Attr(), SOFTHCA_LINK_IB);
  EXPECT_NE(p.a.dev.port[1].lid, p.b.dev.port[1].lid);
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 2, 100000));
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
}

TEST(Uc, WritesAndSends) {
  Pair p(SOFTHCA_QP_UC);
  PostRecv(p.qb, 1, p.remote.data(), 100000);
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 100000));
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  ASSERT_TRUE(RunUntil([&] { return !p.qb->recv_cq.empty(); }));
  EXPECT_EQ(memcmp(p.local.data(), p.remote.data(), 100000), 0);
}

TEST(Uc, ADamagedMessageVanishesAndItsReceiveServesTheNext) {
  Pair p(SOFTHCA_QP_UC);
  PostRecv(p.qb, 1, p.remote.data(), 100000);
  {
    Faults f("drop nth=3");
    p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 10000));
    RunFor(1000000);
  }
  EXPECT_TRUE(p.qb->recv_cq.empty());
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 2, 5000, 77));
  ASSERT_TRUE(RunUntil([&] { return !p.qb->recv_cq.empty(); }));
  EXPECT_EQ(p.qb->recv_cq[0].wr_id, 1u);
  EXPECT_EQ(p.qb->recv_cq[0].info.bytes, 5000u);
  EXPECT_EQ(memcmp(p.local.data() + 77, p.remote.data(), 5000), 0);
}

TEST(Ud, CarriesTheHeaderAndItsSender) {
	for (const uint8_t gid : {0, 1, 2, 3}) {
		Pair p(SOFTHCA_QP_UD);
		PostRecv(p.qb, 1, p.remote.data(), 2000);
		auto m = p.Msg(SOFTHCA_MSG_SEND, 1, 1000);
		m->dest_buf.av.sgid_index = gid;
		p.Send(std::move(m));
		EXPECT_EQ(p.Wait(), SOFTHCA_OK);
		ASSERT_TRUE(RunUntil([&] { return !p.qb->recv_cq.empty(); }));
		EXPECT_EQ(p.qb->recv_cq[0].info.bytes, 1040u);
		EXPECT_EQ(p.qb->recv_cq[0].info.src_qp, p.qa->qpn);
		// RoCE v1 and v2 of a link-local GID, then of an IPv4 one: only the last is an IPv4
		// header.
		EXPECT_EQ(p.remote[0], gid == 3 ? 0 : 0x60);
		EXPECT_EQ(p.remote[6], gid == 3 ? 0 : gid == 1 ? IPPROTO_UDP : 0x1b);
		if (gid == 3)
			EXPECT_EQ(p.remote[20], 0x45);
		else
			EXPECT_EQ(memcmp(p.remote.data() + 8, p.a.dev.port[1].gid[gid].raw, 16), 0);
		EXPECT_EQ(memcmp(p.local.data(), p.remote.data() + 40, 1000), 0);
	}
}

TEST(Ud, AReceiveThatIsTooShortServesTheNext)
{
	Pair p(SOFTHCA_QP_UD);
	PostRecv(p.qb, 1, p.remote.data(), 139);
	PostRecv(p.qb, 2, p.remote.data(), 2000);
	p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 100));
	EXPECT_EQ(p.Wait(), SOFTHCA_OK);
	RunFor(1000000);
	EXPECT_TRUE(p.qb->recv_cq.empty());
	p.Send(p.Msg(SOFTHCA_MSG_SEND, 2, 99));
	ASSERT_TRUE(RunUntil([&] { return !p.qb->recv_cq.empty(); }));
	EXPECT_EQ(p.qb->recv_cq[0].wr_id, 1u);
	EXPECT_EQ(p.qb->recv_cq[0].syndrome, 0);
}

TEST(Ud, WrongQkeyAndMissingReceiveAreSilent) {
  Pair p(SOFTHCA_QP_UD);
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 10));
  RunFor(1000000);
  PostRecv(p.qb, 1, p.remote.data(), 2000);
  auto m = p.Msg(SOFTHCA_MSG_SEND, 2, 10);
  m->dest_buf.qkey++;
  p.Send(std::move(m));
  RunFor(1000000);
  EXPECT_TRUE(p.qb->recv_cq.empty());
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
}

TEST(Ud, LongerThanTheMtuIsALocalLengthError) {
  Pair p(SOFTHCA_QP_UD);
  p.Send(p.Msg(SOFTHCA_MSG_SEND, 1, 4097));
  EXPECT_EQ(p.Wait(), SOFTHCA_LOCAL_LENGTH);
}

// Over sockets, more than any socket holds, to a process that gets no processor for seconds: UC and
// UD may lose by specification, but not because the emulated wire is a socket.
class Unreliable : public testing::TestWithParam<enum softhca_qp_type> {};
INSTANTIATE_TEST_SUITE_P(All, Unreliable, testing::Values(SOFTHCA_QP_UC, SOFTHCA_QP_UD));

TEST_P(Unreliable, AReceiverWithoutACpuLosesNothing) {
  const size_t count = 20000;
  Pair p(GetParam());
  softhca_wire_only_sockets(true);
  softhca_dev *const devices = the_engine.devs;
  the_engine.devs = devices->next; // only a runs
  for (size_t i = 0; i < count; i++) {
    PostRecv(p.qb, i, p.remote.data(), 2048);
    Post(p.qa, p.Msg(SOFTHCA_MSG_SEND, i, 1024));
  }
  Kick(p.qa);
  RunFor(3000000000);
  EXPECT_LT(p.qa->send_cq.size(), count) << "the sender waits for room";
  the_engine.devs = devices;
  EXPECT_TRUE(RunUntil([&] { return p.qb->recv_cq.size() == count; }))
      << p.qb->recv_cq.size() << " came";
  softhca_wire_only_sockets(false);
}

TEST(Rc, WhoSleepsIsToldOfAPacketInASocket) {
  Pair p;
  softhca_wire_only_sockets(true);
  softhca_dev *const devices = the_engine.devs;
  the_engine.devs = devices->next; // only a runs
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 100));
  RunFor(1000000);
  the_engine.devs = devices;
  int list[8];
  pollfd fds[8];
  const int n = softhca_wire_fds(list, 8);
  for (int i = 0; i < n; i++)
    fds[i] = {list[i], POLLIN, 0};
  EXPECT_EQ(1, poll(fds, static_cast<nfds_t>(n), 1000)) << "of " << n;
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  softhca_wire_only_sockets(false);
}

TEST_P(Unreliable, NobodyIsNotWaitedFor) {
  const size_t count = 20000;
  Pair p(GetParam());
  softhca_av gone = AvOf(p.qb);
  // the last address but one that anybody would claim
  softhca_ip_to_gid(softhca_lid_to_ip(0xbffe), gone.dgid.raw);
  p.qa->av = gone;
  const uint64_t start = Now();
  for (size_t i = 0; i < count; i++) {
    auto m = p.Msg(SOFTHCA_MSG_SEND, i, 1024);
    m->dest_buf.av = gone;
    Post(p.qa, std::move(m));
  }
  Kick(p.qa);
  EXPECT_TRUE(RunUntil([&] { return p.qa->send_cq.size() == count; }));
  EXPECT_LT(Now() - start, 5000000000u);
}

TEST(Ud, MulticastReachesTheGroupAndOnlyIt) {
  Pair p(SOFTHCA_QP_UD);
  Qp *in_too = p.b.NewQp(SOFTHCA_QP_UD), *not_in = p.b.NewQp(SOFTHCA_QP_UD);
  for (Qp *qp : {in_too, not_in})
    ToRts(qp, AvOf(p.qa), 0);
  softhca_mcast groups[3] = {};
  union ibv_gid gid = {{0xff, 0x0e, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 224, 1, 2, 3}};
  groups[0] = {&groups[1], gid, 0, p.qb};
  groups[1] = {nullptr, gid, 0, in_too};
  groups[2] = {nullptr, gid, 0, p.qa}; // the sender does not hear itself
  p.b.dev.mcast = &groups[0];
  p.a.dev.mcast = &groups[2];
  for (Qp *qp : {p.qa, p.qb, in_too, not_in})
    PostRecv(qp, 1, p.remote.data(), 2000);
  Turn(); // sockets follow the list
  auto m = p.Msg(SOFTHCA_MSG_SEND, 1, 500);
  m->dest_buf.av.dgid = gid;
  m->dest_buf.dqpn = 0xffffff;
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_TRUE(RunUntil([&] { return !p.qb->recv_cq.empty() && !in_too->recv_cq.empty(); }));
  RunFor(1000000);
  EXPECT_EQ(p.qb->recv_cq.size(), 1u);
  EXPECT_EQ(in_too->recv_cq.size(), 1u);
  EXPECT_EQ(not_in->recv_cq.size(), 0u);
  EXPECT_EQ(p.qa->recv_cq.size(), 0u);
  // Out again: nothing arrives any more.
  p.b.dev.mcast = nullptr;
  Turn();
  PostRecv(p.qb, 2, p.remote.data(), 2000);
  m = p.Msg(SOFTHCA_MSG_SEND, 2, 500);
  m->dest_buf.av.dgid = gid;
  m->dest_buf.dqpn = 0xffffff;
  p.Send(std::move(m));
  RunFor(1000000);
  EXPECT_EQ(p.qb->recv_cq.size(), 1u);
  p.a.dev.mcast = nullptr;
}

// Frames to everybody wait for room as long as anybody else is in their group. Whether there is
// costs a look at a file of the kernel's: now and then.
TEST(Flood, WaitsWhileSomebodyIsThere) {
  Pair p(SOFTHCA_QP_UD);
  auto *const wire = static_cast<softhca_wire *>(p.a.dev.port[1].wire);
  const uint32_t everybody = softhca_flood_ip();
  sockaddr_in group = {};
  group.sin_family = AF_INET;
  group.sin_port = htons(SOFTHCA_ROCE_PORT);
  group.sin_addr.s_addr = htonl(everybody);
  const int other = socket(AF_INET, SOCK_DGRAM, 0), yes = 1;
  ASSERT_EQ(0, setsockopt(other, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)));
  ASSERT_EQ(0, bind(other, reinterpret_cast<sockaddr *>(&group), sizeof(group)));
  int frames = 0;
  for (; softhca_wire_eth_ready(wire, everybody); frames++)
    softhca_wire_flooded(wire, 2048);
  EXPECT_LT(1, frames);
  Advance(50000000);
  EXPECT_FALSE(softhca_wire_eth_ready(wire, everybody)) << "there is somebody";
  close(other);
  Advance(1000000);
  EXPECT_FALSE(softhca_wire_eth_ready(wire, everybody)) << "it was looked a moment ago";
  Advance(50000000);
  EXPECT_TRUE(softhca_wire_eth_ready(wire, everybody)) << "nobody is there any more";
}

TEST(Rc, APortThatIsDownIsSilentAndComesBack) {
  Pair p;
  p.b.dev.port[1].state = IBV_PORT_DOWN;
  p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 5000));
  RunFor(100000000);
  EXPECT_TRUE(p.qa->send_cq.empty());
  p.b.dev.port[1].state = IBV_PORT_ACTIVE;
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
}

// ---- depth of READs and atomics ----

uint32_t ReadsUnderWay(const Qp *qp) {
  return static_cast<softhca_requester *>(qp->req)->all->rd_count;
}

// mlx5_ib tells the device a logarithm, rounded up, which cannot say "none".
TEST_P(Reliable, RequesterHoldsReadsBack) {
  for (const auto &[asked, under_way] : {std::pair<uint8_t, uint32_t>{3, 4}, {0, 1}}) {
    Attr attr;
    attr.rd_atomic = asked;
    Pair p(GetParam(), attr);
    p.qb->attr.max_dest_rd_atomic = 16;
    for (uint64_t i = 0; i < 10; i++)
      Post(p.qa, p.Msg(SOFTHCA_MSG_READ, i, 100));
    Kick(p.qa);
    EXPECT_EQ(ReadsUnderWay(p.qa), under_way);
    for (int i = 0; i < 10; i++)
      ASSERT_EQ(p.Wait(), SOFTHCA_OK);
  }
}

TEST(Rc, ResponderRefusesReadsBeyondItsDepth) {
  Pair p;
  p.qb->attr.max_dest_rd_atomic = 2;
  for (uint64_t i = 0; i < 5; i++)
    Post(p.qa, p.Msg(SOFTHCA_MSG_READ, i, 100));
  Kick(p.qa);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.Wait(), SOFTHCA_OK);
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_INVAL_REQ);
  EXPECT_EQ(p.Wait(), SOFTHCA_FLUSH);
}

TEST(Rc, ResponderWithoutDepthRefusesEachRead) {
  Pair p;
  p.qb->attr.max_dest_rd_atomic = 0;
  p.Send(p.Msg(SOFTHCA_MSG_READ, 1, 100));
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_INVAL_REQ);
}

// Who asks for no more than the peer takes is never refused, whatever gets lost or comes twice.
TEST_P(Reliable, EqualDepthsAgree) {
  for (uint8_t depth : {1, 2, 4}) {
    Attr attr;
    attr.rd_atomic = depth;
    Pair p(GetParam(), attr);
    Faults faults("seed 5\ndrop 3%\nduplicate 3%\nreorder 3% 2\n");
    for (uint64_t i = 0; i < 300; i++) {
      Post(p.qa, p.Msg(SOFTHCA_MSG_READ, i, i % 7 ? 100 : 9000));
      Kick(p.qa);
      if (i % 3 == 0)
        Turn();
    }
    for (int i = 0; i < 300; i++)
      ASSERT_EQ(p.Wait(), SOFTHCA_OK) << i << " of depth " << int{depth};
  }
}

// ---- partitions ----

struct Membership {
  uint16_t a, b;
  bool talk;
};

TEST_P(Reliable, OnlyMembersOfOnePartitionTalk) {
  for (const Membership &m : {Membership{0xffff, 0x7fff, true}, Membership{0x8001, 0x8001, true},
                              Membership{0x7fff, 0x7fff, false}, Membership{0xffff, 0x8001, false},
                              Membership{0, 0, false}, Membership{0x8000, 0x8000, false}}) {
    Attr attr;
    attr.timeout = 4;
    attr.retry_cnt = 1;
    Pair p(GetParam(), attr);
    p.a.dev.port[1].pkey[1] = m.a;
    p.b.dev.port[1].pkey[1] = m.b;
    p.qa->attr.pkey_index = p.qb->attr.pkey_index = 1;
    p.Send(p.Msg(SOFTHCA_MSG_WRITE, 1, 100));
    EXPECT_EQ(p.Wait(), m.talk ? SOFTHCA_OK : SOFTHCA_RETRY_EXC) << std::hex << m.a << ' ' << m.b;
  }
}

// A third device's queue pair names ours as its peer, in another partition, or by RoCE v2.
TEST(Rc, WhatAStrangerSendsIsNoFinding)
{
	for (const bool partition : {true, false}) {
		Pair p;
		Device c;
		Qp *const stranger = c.NewQp(SOFTHCA_QP_RC);
		Attr attr;
		attr.timeout = 4;
		attr.retry_cnt = 1;
		ToRts(stranger, AvOf(p.qb), p.qb->qpn, attr);
		ToRts(p.qa, AvOf(p.qb), p.qb->qpn, attr);
		told = 0;
		for (Qp *qp : {stranger, p.qa}) {
			if (partition) {
				qp->owner->dev.port[1].pkey[1] = 0x8001;
				qp->attr.pkey_index = 1;
			} else {
				qp->av.sgid_index = 1;
			}
			auto m = p.Msg(SOFTHCA_MSG_WRITE, 1, 100);
			m->u.span[0].lkey = qp->owner->AddRegion(p.local.data(), p.local.size());
			Post(qp, std::move(m));
			Kick(qp);
			ASSERT_TRUE(RunUntil([&] { return !qp->send_cq.empty(); }));
			EXPECT_EQ(qp->send_cq.front().syndrome, SOFTHCA_RETRY_EXC);
			if (qp == stranger)
				EXPECT_EQ(told, 0);
			else
				EXPECT_GT(told, 0);
		}
	}
}

TEST(Rc, TalksToItself) {
  Pair p;
  Connect(p.qb, p.qb);
  auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, p.remote.data(), 5000);
  m->u.span[0].lkey = p.rkey;
  m->rkey = p.rkey;
  m->raddr = reinterpret_cast<uint64_t>(p.remote.data() + 10000);
  Post(p.qb, std::move(m));
  Kick(p.qb);
  ASSERT_TRUE(RunUntil([&] { return !p.qb->send_cq.empty(); }));
  EXPECT_EQ(p.qb->send_cq.front().syndrome, SOFTHCA_OK);
  EXPECT_EQ(memcmp(p.remote.data(), p.remote.data() + 10000, 5000), 0);
}

TEST(Dc, OneInitiatorManyTargets) {
  Pair p(SOFTHCA_QP_DCI);
  p.qb->create.dc_access_key = 7;
  Qp *third = p.b.NewQp(SOFTHCA_QP_DCT);
  third->create.dc_access_key = 9;
  ToRts(third, AvOf(p.qa), 0);
  for (int i = 0; i < 100; i++) {
    auto m = p.Msg(SOFTHCA_MSG_WRITE, static_cast<uint64_t>(i), 3000, 0,
                   static_cast<uint32_t>(i) * 3000);
    if (i & 1) {
      m->dest_buf.dqpn = third->qpn;
      m->dest_buf.dckey = 9;
    }
    Post(p.qa, std::move(m));
  }
  Kick(p.qa);
  for (int i = 0; i < 100; i++)
    ASSERT_EQ(p.Wait(), SOFTHCA_OK);
  for (int i = 0; i < 100; i++)
    EXPECT_EQ(memcmp(p.local.data(), p.remote.data() + i * 3000, 3000), 0);
}

TEST(Dc, WrongKeyIsRefusedAndTheTargetLives) {
  Pair p(SOFTHCA_QP_DCI);
  p.qb->create.dc_access_key = 7;
  auto m = p.Msg(SOFTHCA_MSG_WRITE, 1, 8);
  m->dest_buf.dckey = 8;
  p.Send(std::move(m));
  EXPECT_EQ(p.Wait(), SOFTHCA_REMOTE_ACCESS);
  EXPECT_EQ(p.qb->state, IBV_QPS_RTR);
}

} // namespace
