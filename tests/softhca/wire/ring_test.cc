/* SPDX-License-Identifier: BSD-2-Clause */
// Packets through shared memory: the bytes arrive, nothing is lost while the receiver has no
// processor, and whatever another process writes into such a ring harms nobody else.
#include "transport_harness.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <random>

#include "gtest/gtest.h"
#include "tests/seed/seed.h"

namespace {

using namespace harness;

class Rings : public testing::Test {
protected:
  void SetUp() override { softhca_wire_only_rings(true); }
  void TearDown() override { softhca_wire_only_rings(false); }
};

struct Pair {
  explicit Pair(enum softhca_qp_type type, const Attr &attr = Attr()) {
    qa = a.NewQp(type);
    qb = b.NewQp(type);
    Connect(qa, qb, attr);
    local.resize(1 << 20);
    remote.resize(1 << 20);
    for (size_t i = 0; i < local.size(); i++)
      local[i] = static_cast<uint8_t>(i * 7 + i / 251);
    lkey = a.AddRegion(local.data(), local.size());
    rkey = b.AddRegion(remote.data(), remote.size());
  }
  std::unique_ptr<Message> Msg(enum softhca_kind kind, uint64_t id, uint32_t len) {
    auto m = NewMessage(kind, id, local.data(), len);
    m->u.span[0].lkey = lkey;
    m->raddr = reinterpret_cast<uint64_t>(remote.data());
    m->rkey = rkey;
    if (qa->type == SOFTHCA_QP_UD) {
      m->dest_buf.av = AvOf(qb);
      m->dest_buf.dqpn = qb->qpn;
      m->dest_buf.qkey = qb->attr.qkey;
      m->dest = &m->dest_buf;
    }
    return m;
  }
  uint8_t Do(enum softhca_kind kind, uint32_t len) {
    Post(qa, Msg(kind, 1, len));
    Kick(qa);
    if (!RunUntil([&] { return !qa->send_cq.empty(); }))
      return 0xff;
    const uint8_t syndrome = qa->send_cq.front().syndrome;
    qa->send_cq.clear();
    return syndrome;
  }
  Device a, b;
  Qp *qa, *qb;
  std::vector<uint8_t> local, remote;
  uint32_t lkey, rkey;
};

struct Mapping {
  uint8_t *at;
  size_t len;
};

// The rings of this process, as the kernel lists them.
std::vector<Mapping> Mapped() {
  std::vector<Mapping> found;
  FILE *maps = fopen("/proc/self/maps", "re");
  char line[512];
  while (maps && fgets(line, sizeof(line), maps)) {
    unsigned long start, end;
    if (strstr(line, "softhca-wire") && sscanf(line, "%lx-%lx", &start, &end) == 2)
      found.push_back({reinterpret_cast<uint8_t *>(start), end - start});
  }
  if (maps)
    fclose(maps);
  return found;
}

TEST_F(Rings, LongWritesAndReadsArriveAndAreMadeOnce) {
  Pair p(SOFTHCA_QP_RC);
  for (int round = 0; round < 4; round++) {
    std::fill(p.remote.begin(), p.remote.end(), 0);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_WRITE, 1 << 20), SOFTHCA_OK);
    ASSERT_EQ(p.local, p.remote);
    std::vector<uint8_t> want = p.local;
    std::fill(p.local.begin(), p.local.end(), 0);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_READ, 1 << 20), SOFTHCA_OK);
    ASSERT_EQ(p.local, want);
  }
  // Each direction in the maps of both ends, which are this process.
  EXPECT_EQ(Mapped().size(), 4u);
}

TEST_F(Rings, AreGoneWithTheirPorts) {
  {
    Pair p(SOFTHCA_QP_RC);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_WRITE, 8), SOFTHCA_OK);
    EXPECT_FALSE(Mapped().empty());
  }
  EXPECT_TRUE(Mapped().empty());
}

// Bytes of rings that have pages; each ring is mapped twice here, as both ends are this process.
size_t Resident() {
  size_t pages = 0;
  for (const Mapping &m : Mapped()) {
    std::vector<unsigned char> in(m.len / 4096);
    EXPECT_EQ(0, mincore(m.at, m.len, in.data()));
    for (unsigned char page : in)
      pages += page & 1;
  }
  return pages * 4096 / 2;
}

TEST_F(Rings, GiveTheirMemoryBackWhenNothingIsSent) {
  Pair p(SOFTHCA_QP_RC);
  for (int round = 0; round < 3; round++) {
    std::fill(p.remote.begin(), p.remote.end(), 0);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_WRITE, 1 << 20), SOFTHCA_OK);
    ASSERT_EQ(p.local, p.remote);
    EXPECT_GT(Resident(), 500u << 10);
    RunFor(400000000);
    RunFor(400000000);
    EXPECT_LT(Resident(), 64u << 10) << "round " << round;
  }
}

// One port to 40 others, 20 MB of rings if each were kept.
TEST_F(Rings, HoldSoMuchMemoryAtMost) {
  constexpr size_t kPeers = 40, kBytes = 1 << 19, kMost = 8u << 20;
  std::vector<uint8_t> local(kBytes, 7), remote(kBytes);
  Device from;
  std::vector<std::unique_ptr<Device>> to;
  size_t most = 0;
  const uint32_t lkey = from.AddRegion(local.data(), kBytes);
  for (size_t i = 0; i < kPeers; i++) {
    to.push_back(std::make_unique<Device>());
    Qp *const qa = from.NewQp(SOFTHCA_QP_RC), *const qb = to.back()->NewQp(SOFTHCA_QP_RC);
    Connect(qa, qb, Attr());
    auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, local.data(), kBytes);
    m->u.span[0].lkey = lkey;
    m->raddr = reinterpret_cast<uint64_t>(remote.data());
    m->rkey = to.back()->AddRegion(remote.data(), kBytes);
    remote.assign(kBytes, 0);
    Post(qa, std::move(m));
    Kick(qa);
    ASSERT_TRUE(RunUntil([&] { return !qa->send_cq.empty(); }));
    ASSERT_EQ(qa->send_cq.front().syndrome, SOFTHCA_OK);
    ASSERT_EQ(local, remote);
    most = std::max(most, Resident());
  }
  EXPECT_LT(most, kMost + (1u << 20));
}

// The rings of sixteen senders that have ended go when one more comes.
TEST_F(Rings, OfManyDeadSendersAreGivenBack) {
  constexpr size_t kMany = 16;
  std::vector<uint8_t> local(64, 7), remote(64);
  Device to;
  const uint32_t rkey = to.AddRegion(remote.data(), remote.size());
  std::vector<std::unique_ptr<Device>> from(kMany + 1);
  for (auto &device : from) // at addresses of their own
    device = std::make_unique<Device>();
  const auto write = [&](Device &device) {
    Qp *const qa = device.NewQp(SOFTHCA_QP_RC), *const qb = to.NewQp(SOFTHCA_QP_RC);
    Connect(qa, qb, Attr());
    for (int i = 0; i < 2; i++) { // the first one only offers a ring
      auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, local.data(), local.size());
      m->u.span[0].lkey = device.AddRegion(local.data(), local.size());
      m->raddr = reinterpret_cast<uint64_t>(remote.data());
      m->rkey = rkey;
      Post(qa, std::move(m));
      Kick(qa);
      ASSERT_TRUE(RunUntil([&] { return !qa->send_cq.empty(); }));
      qa->send_cq.clear();
    }
  };
  for (size_t i = 0; i < kMany; i++)
    write(*from[i]);
  for (size_t i = 0; i < kMany; i++)
    from[i].reset();
  const size_t of_the_dead = Mapped().size();
  EXPECT_GE(of_the_dead, kMany);
  write(*from[kMany]);
  EXPECT_EQ(Mapped().size(), of_the_dead - kMany + 4) << "each direction, at both ends";
}

// A port alone, and a socket beside whose next datagram comes as soon as one has been taken out of
// the port's.
struct Flooded {
  Flooded() {
    sockaddr_in from = At(INADDR_LOOPBACK, 0);
    EXPECT_EQ(0, softhca_wire_open(&wire, 0, Receive, this));
    fd = socket(AF_INET, SOCK_DGRAM, 0);
    EXPECT_EQ(0, bind(fd, reinterpret_cast<sockaddr *>(&from), sizeof(from)));
    pkt.src_ip = INADDR_LOOPBACK;
    pkt.dst_ip = softhca_wire_ip(wire);
    pkt.transport = SOFTHCA_TR_RC;
    pkt.op = SOFTHCA_OP_SEND_ONLY;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
  }
  ~Flooded() {
    close(fd);
    softhca_wire_close(wire);
  }
  static sockaddr_in At(uint32_t ip, uint16_t port) {
    sockaddr_in at{};
    at.sin_family = AF_INET;
    at.sin_port = htons(port);
    at.sin_addr.s_addr = htonl(ip);
    return at;
  }
  void Next() {
    uint8_t bytes[64];
    const sockaddr_in to = At(pkt.dst_ip, SOFTHCA_ROCE_PORT);
    const uint32_t len = softhca_pkt_encode(bytes, &pkt, true);
    sendto(fd, bytes, len, 0, reinterpret_cast<const sockaddr *>(&to), sizeof(to));
  }
  static void Receive(void *arg, const softhca_pkt *got) {
    auto *f = static_cast<Flooded *>(arg);
    if (got->src_ip != INADDR_LOOPBACK)
      f->others++;
    else if (++f->floods < kMost)
      f->Next();
  }
  static constexpr int kMost = 20000;
  int floods = 0, others = 0, fd;
  softhca_pkt pkt{};
  softhca_wire *wire;
};

// What came by UDP before a ring is taken out first; what goes on coming is not waited for.
TEST_F(Rings, DatagramsWithoutEndHoldNobodyUp) {
  Flooded to;
  Device from;
  auto *const sender = static_cast<softhca_wire *>(from.dev.port[1].wire);
  softhca_pkt pkt = to.pkt;
  for (int i = 0; i < 2; i++) { // the ring is offered behind the first, and taken with it
    softhca_wire_send(sender, &pkt);
    softhca_wire_flush(sender);
    if (i)
      to.Next();
    ASSERT_TRUE(Arrives(to.wire));
    softhca_wire_poll(to.wire, softhca_now_ns());
    EXPECT_EQ(to.others, i + 1);
  }
  EXPECT_FALSE(Mapped().empty());
  EXPECT_GT(to.floods, 0);
  EXPECT_LT(to.floods, Flooded::kMost / 2);
}

// A port that answers each packet with `answers`, or one that counts them.
struct Talker {
  explicit Talker(uint32_t ip, uint32_t answers) : answers(answers) {
    EXPECT_EQ(0, softhca_wire_open(&wire, ip, Receive, this));
  }
  ~Talker() { softhca_wire_close(wire); }
  void Say(uint32_t to) {
    softhca_pkt pkt{};
    pkt.dst_ip = to;
    pkt.transport = SOFTHCA_TR_UD;
    pkt.op = SOFTHCA_OP_SEND_ONLY;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    pkt.psn = said++;
    softhca_wire_send(wire, &pkt);
  }
  // One turn of its device, which was woken: it looks at all there is.
  void Turn() {
    softhca_wire_look();
    softhca_wire_poll(wire, softhca_now_ns());
    softhca_wire_flush(wire);
  }
  static void Receive(void *arg, const softhca_pkt *got) {
    auto *t = static_cast<Talker *>(arg);
    t->heard.push_back(got->psn);
    for (uint32_t i = 0; i < t->answers; i++)
      t->Say(got->src_ip);
  }
  softhca_wire *wire;
  uint32_t answers, said = 0;
  std::vector<uint32_t> heard;
};

// Who has the address that another had before him is answered through the ring of the dead, until
// his own is taken; his first datagram may be seen before that.
TEST_F(Rings, WhatLiesInThoseOfTheDeadIsSentToWhoHasTheAddressNow) {
  constexpr uint32_t kAnswers = 3;
  Talker server(0, kAnswers);
  const uint32_t to = softhca_wire_ip(server.wire);
  uint32_t from = 0;
  for (int life = 0; life < 3; life++) {
    Talker client(from, 0);
    from = softhca_wire_ip(client.wire);
    server.said = 0;
    Advance(life % 2 * UINT64_C(100000000)); // or before it is clear that the last one is gone
    for (int i = 0; i < 4; i++) { // by then packets go by rings
      client.Say(to);
      softhca_wire_flush(client.wire);
      for (int turn = 0; turn < 3; turn++) { // a wake-up may lie before the offer
        server.Turn();
        client.Turn();
      }
      ASSERT_EQ(client.heard.size(), (i + 1) * kAnswers) << "life " << life << ", packet " << i;
    }
    for (uint32_t i = 0; i < client.heard.size(); i++)
      EXPECT_EQ(client.heard[i], i);
    EXPECT_EQ(Mapped().size(), life == 2 ? 2u : 4u) << "offers come every 100 ms";
  }
}

// A requester by hand, that asks for as many READs as its peer takes, of one packet each.
struct Asker {
  Asker() : memory(kBytes) {
    EXPECT_EQ(0, softhca_wire_open(&wire, 0, Receive, this));
    softhca_av av{};
    Attr attr;
    av.port = 1;
    av.grh = true;
    softhca_ip_to_gid(softhca_wire_ip(wire), av.dgid.raw);
    attr.psn = 0;
    attr.rd_atomic = kDepth;
    qp = peer.NewQp(SOFTHCA_QP_RC);
    ToRts(qp, av, 1, attr);
    rkey = peer.AddRegion(memory.data(), kBytes);
  }
  ~Asker() { softhca_wire_close(wire); }
  void Ask() {
    softhca_pkt pkt{};
    pkt.dst_ip = softhca_wire_ip(Peer());
    pkt.transport = SOFTHCA_TR_RC;
    pkt.op = SOFTHCA_OP_READ_REQUEST;
    pkt.net = SOFTHCA_NET_V1;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    pkt.pkey = 0xffff;
    pkt.dqpn = qp->qpn;
    pkt.psn = asked++;
    pkt.raddr = reinterpret_cast<uint64_t>(memory.data());
    pkt.rkey = rkey;
    pkt.dma_len = kBytes;
    softhca_wire_send(wire, &pkt);
    softhca_wire_flush(wire);
  }
  void Look() { softhca_wire_poll(wire, softhca_now_ns()); }
  void Wait() {
    for (int i = 0; i < 1000 && answered + refused < asked; i++) {
      Turn();
      Advance(20000); // the socket is due
      Look();
    }
    ASSERT_EQ(answered + refused, asked);
  }
  void Begin() {
    for (int i = 0; i < 5; i++) { // by then packets go by rings
      Ask();
      Wait();
    }
  }
  // A datagram from another port, which offers the peer a ring as well.
  void Hello(Device *from) {
    auto *const other = static_cast<softhca_wire *>(from->dev.port[1].wire);
    softhca_pkt pkt{};
    pkt.dst_ip = softhca_wire_ip(Peer());
    pkt.transport = SOFTHCA_TR_RC;
    pkt.op = SOFTHCA_OP_SEND_ONLY;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    softhca_wire_send(other, &pkt);
    softhca_wire_flush(other);
    ASSERT_TRUE(Arrives(Peer()));
  }
  softhca_wire *Peer() { return static_cast<softhca_wire *>(peer.dev.port[1].wire); }
  static void Receive(void *arg, const softhca_pkt *got) {
    auto *a = static_cast<Asker *>(arg);
    (got->op == SOFTHCA_OP_READ_RESP_ONLY ? a->answered : a->refused)++;
  }
  static constexpr uint32_t kBytes = 1024, kDepth = 2;
  std::vector<uint8_t> memory;
  Device peer;
  Qp *qp;
  softhca_wire *wire;
  uint32_t rkey, asked = 0, answered = 0, refused = 0;
};

// A long answer is seen before the turn that gives it ends; so the next READ may come in that turn,
// which looks a second time when somebody offers a ring.
TEST_F(Rings, WhoHasAnAnswerMayAskAgainBeforeTheTurnEnds) {
  Asker a;
  Device stranger;
  int reads = 0;
  a.Begin();
  a.Hello(&stranger); // is taken for the end of what the asker's wake-up announced
  Turn();
  Advance(20000);
  a.Hello(&stranger);
  const size_t mapped = Mapped().size();
  a.Ask();
  a.Ask();
  before_read = [&] {
    if (++reads != 2)
      return;
    a.Look();
    EXPECT_EQ(a.answered, a.asked - 1);
    a.Ask();
  };
  Turn();
  EXPECT_EQ(Mapped().size(), mapped + 1) << "the stranger's ring is taken in this turn";
  a.Wait();
  before_read = nullptr;
  EXPECT_EQ(reads, 3);
  EXPECT_EQ(a.refused, 0u);
}

TEST_F(Rings, WhoAsksForMoreReadsThanThePeerTakesIsRefused) {
  Asker a;
  a.Begin();
  for (uint32_t i = 0; i <= Asker::kDepth; i++)
    a.Ask();
  a.Wait();
  EXPECT_EQ(a.refused, 1u);
}

// Two ports that exchange packets by rings, the second one asleep; both were on processor 5 last.
struct Sleeper {
  Sleeper() {
    EXPECT_EQ(p.Do(SOFTHCA_MSG_WRITE, 100), SOFTHCA_OK);
    EXPECT_EQ(p.Do(SOFTHCA_MSG_WRITE, 100), SOFTHCA_OK);
    EXPECT_TRUE(softhca_wire_shares_cpu(5));
    Sleep();
  }
  ~Sleeper() { softhca_wire_patient(-1); }
  void Sleep() {
    softhca_wire_told();
    softhca_wire_poll(receiver, Now());
    EXPECT_FALSE(softhca_wire_sleep());
    EXPECT_FALSE(IsTold());
  }
  void Send(int patient_cpu) {
    softhca_pkt pkt{};
    pkt.dst_ip = softhca_wire_ip(receiver);
    pkt.transport = SOFTHCA_TR_RC;
    pkt.op = SOFTHCA_OP_SEND_ONLY;
    pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
    softhca_wire_send(sender, &pkt);
    softhca_wire_patient(patient_cpu);
    softhca_wire_flush(sender);
    softhca_wire_patient(-1);
  }
  static bool IsTold() {
    int fds[8], n = softhca_wire_ring_fds(fds, 8);
    bool told = false;
    for (int i = 0; i < n; i++) {
      pollfd fd{fds[i], POLLIN, 0};
      told |= poll(&fd, 1, 0) > 0;
    }
    return told;
  }
  Pair p{SOFTHCA_QP_RC};
  softhca_wire *sender = static_cast<softhca_wire *>(p.a.dev.port[1].wire);
  softhca_wire *receiver = static_cast<softhca_wire *>(p.b.dev.port[1].wire);
};

TEST_F(Rings, WhoSleepsElsewhereIsToldAtOnce) {
  Sleeper to;
  for (int cpu : {-1, 4}) {
    to.Send(cpu);
    EXPECT_TRUE(to.IsTold()) << "from processor " << cpu;
    to.Sleep();
  }
}

TEST_F(Rings, WhoSleepsOnTheSendersProcessorIsToldBeforeThatSleepsOrInTheNextTurn) {
  Sleeper to;
  to.Send(5);
  EXPECT_FALSE(to.IsTold());
  softhca_wire_patient(5);
  softhca_wire_flush(to.sender);
  EXPECT_TRUE(to.IsTold()) << "a turn later";
  to.Sleep();
  to.Send(5);
  EXPECT_FALSE(to.IsTold());
  to.Send(5);
  EXPECT_TRUE(to.IsTold()) << "with the next packet";
  to.Sleep();
  to.Send(5);
  EXPECT_FALSE(to.IsTold());
  EXPECT_TRUE(softhca_wire_sleep());
  EXPECT_TRUE(to.IsTold()) << "before its sender sleeps";
  to.Sleep();
  to.Send(-1);
  EXPECT_TRUE(to.IsTold()) << "and nothing is owed any more";
}

class Unreliable : public Rings, public testing::WithParamInterface<enum softhca_qp_type> {};
INSTANTIATE_TEST_SUITE_P(All, Unreliable, testing::Values(SOFTHCA_QP_UC, SOFTHCA_QP_UD));

TEST_P(Unreliable, AReceiverWithoutACpuLosesNothing) {
  const size_t count = 20000; // many times what a ring holds
  Pair p(GetParam());
  PostRecv(p.qb, count, p.remote.data(), 2048);
  Post(p.qa, p.Msg(SOFTHCA_MSG_SEND, count, 1024));
  Kick(p.qa);
  ASSERT_TRUE(RunUntil([&] { return p.qb->recv_cq.size() == 1; }));
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
  EXPECT_TRUE(RunUntil([&] { return p.qb->recv_cq.size() == count + 1; }))
      << p.qb->recv_cq.size() << " came";
}

// Positions, lengths, flags and packets are somebody else's to write. What goes wrong then is that
// peer's traffic; nothing outside of the regions is touched (the sanitizers look), and nothing
// hangs.
TEST_F(Rings, HostileBytes) {
  std::mt19937_64 rng(segue_test_seed());
  for (int life = 0; life < 60; life++) {
    Attr attr;
    attr.retry_cnt = 1;
    Pair p(SOFTHCA_QP_RC, attr);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_WRITE, 100), SOFTHCA_OK);
    ASSERT_EQ(p.Do(SOFTHCA_MSG_WRITE, 100), SOFTHCA_OK);
    const std::vector<Mapping> rings = Mapped();
    ASSERT_FALSE(rings.empty());
    for (int round = 0; round < 40; round++) {
      Post(p.qa, p.Msg(round & 1 ? SOFTHCA_MSG_READ : SOFTHCA_MSG_WRITE, 2,
                       static_cast<uint32_t>(rng() % 9000)));
      Kick(p.qa);
      for (int k = 0; k < 8; k++) {
        const Mapping &m = rings[rng() % rings.size()];
        // The first page, the beginning of the data, anywhere.
        const size_t below = k % 4 == 0 ? 192 : k % 4 == 1 ? 4096 + 512 : m.len;
        const uint64_t value = rng() >> (rng() % 64);
        memcpy(m.at + (rng() % (below - 8) & ~3ull), &value, 1 + rng() % 8);
      }
      RunFor(1000000);
    }
    RunFor(1000000000);
  }
}

} // namespace
