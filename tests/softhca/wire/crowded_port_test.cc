/* SPDX-License-Identifier: BSD-2-Clause */
// A port that very many others talk to, and that hardly gets a processor: it is there, it is not
// buried in what it has not come to yet, and what it says goes out in order.
#include "transport_harness.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "gtest/gtest.h"

extern "C" {
#include "tools/softhca/engine/counters.h"
#include "tools/softhca/engine/thread/thread.h"
#include "tools/softhca/engine/wire/fabric.h"
bool softhca_wire_trusts(struct softhca_wire *w, uint32_t ip); // wire_priv.h is C only
}

namespace {

int connects;

} // namespace

// In front of the C library's.
extern "C" int connect(int fd, const struct sockaddr *addr, socklen_t len) {
  connects++;
  return static_cast<int>(syscall(SYS_connect, fd, addr, len));
}

namespace {

using namespace harness;

void Nothing(void *, const softhca_pkt *) {}

// On a network of its own, where who has an address is asked.
class Asked : public testing::Test {
protected:
  void SetUp() override {
    softhca_wire_fabric("crowded");
    softhca_wire_only_sockets(true);
    ASSERT_EQ(0, softhca_wire_open(&wire, 0, Nothing, nullptr));
    ip = softhca_wire_ip(wire);
  }
  void TearDown() override {
    softhca_wire_close(wire);
    softhca_wire_only_sockets(false);
    softhca_wire_fabric(nullptr);
  }
  // Until nobody more can ask; how many could.
  int FillUp() {
    int n = 0;
    while (softhca_fabric_ask(ip) == SOFTHCA_FABRIC_OURS && n < 100000)
      n++;
    return n;
  }
  softhca_wire *wire = nullptr;
  uint32_t ip = 0;
};

TEST_F(Asked, WhomTooManyAskIsThere) {
  EXPECT_LT(FillUp(), 100000);
  EXPECT_EQ(softhca_fabric_ask(ip), SOFTHCA_FABRIC_BUSY);
  EXPECT_TRUE(softhca_wire_claimed(ip));
}

TEST_F(Asked, ATurnHearsSoManyAtMost) {
  const int listener = softhca_fabric_open(++ip), asked = FillUp();
  int turns = 1;
  while (!softhca_fabric_drain(listener))
    turns++;
  EXPECT_GE(turns, asked / 100);
  EXPECT_EQ(softhca_fabric_ask(ip), SOFTHCA_FABRIC_OURS);
  close(listener);
}

// What is not sent, since it is not known yet to whom, is lost and not unanswered.
TEST_F(Asked, WhatIsKeptBackCountsAsSent) {
  softhca_wire *from;
  ASSERT_EQ(0, softhca_wire_open(&from, 0, Nothing, nullptr));
  FillUp();
  softhca_pkt pkt{};
  pkt.dst_ip = ip;
  pkt.transport = SOFTHCA_TR_RC;
  pkt.op = SOFTHCA_OP_SEND_ONLY;
  pkt.hdrs = softhca_pkt_hdrs(pkt.transport, pkt.op);
  const uint32_t before = softhca_wire_mark(from, ip);
  softhca_wire_set_link(from, true);
  softhca_wire_send(from, &pkt);
  EXPECT_EQ(softhca_wire_stats(from)->tx_dropped, 1u);
  EXPECT_GT(softhca_wire_mark(from, ip), before);
  EXPECT_FALSE(softhca_wire_wants_again(from, ip, softhca_wire_mark(from, ip)));
  softhca_wire_close(from);
}

// And perhaps the other end is a device of another kind, which knows no pings.
TEST_F(Asked, OnTheWayToAnotherHostPacketsMayBeLost) {
  constexpr uint32_t kHere = 0x0a630001, kElsewhere = 0x0a636363;
  const uint32_t ahead = softhca_wire_mark(wire, kElsewhere) + 2;
  EXPECT_FALSE(softhca_wire_wants_again(wire, kElsewhere, ahead));
  (void)softhca_wire_host(kHere, 16);
  EXPECT_TRUE(softhca_wire_wants_again(wire, kElsewhere, ahead));
  (void)softhca_wire_host(0, 0);
}

struct Pair {
  Pair() {
    qa = a.NewQp(SOFTHCA_QP_RC);
    qb = b.NewQp(SOFTHCA_QP_RC);
    Connect(qa, qb, Attr());
    lkey = a.AddRegion(bytes, sizeof(bytes));
    rkey = b.AddRegion(bytes, sizeof(bytes));
    devices = the_engine.devs; // b in front, then a
    EXPECT_EQ(devices, &b.dev);
  }
  void Write() {
    auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, bytes, 8);
    m->u.span[0].lkey = lkey;
    m->raddr = reinterpret_cast<uint64_t>(bytes);
    m->rkey = rkey;
    Post(qa, std::move(m));
    Kick(qa);
  }
  // Only one of the two has a processor.
  void OnlyA() { the_engine.devs = devices->next; }
  void OnlyB() {
    the_engine.devs = devices;
    devices->next = nullptr;
  }
  void Both() {
    devices->next = &a.dev;
    the_engine.devs = devices;
  }
  Device a, b;
  Qp *qa, *qb;
  uint8_t bytes[8] = {};
  uint32_t lkey, rkey;
  softhca_dev *devices;
};

class Sockets : public testing::Test {
protected:
  void SetUp() override { softhca_wire_only_sockets(true); }
  void TearDown() override { softhca_wire_only_sockets(false); }
};

TEST_F(Sockets, WhoHasNoProcessorIsNotSentTheSameAgain) {
  Pair p;
  p.OnlyA();
  p.Write();
  RunFor(60000000); // the time-out is at 67 ms
  EXPECT_EQ(softhca_event_count(&p.a.dev, 1, SOFTHCA_COUNT_ADAPTIVE_RETRANS), 0u);
  p.Both();
  EXPECT_TRUE(RunUntil([&] { return !p.qa->send_cq.empty(); }));
}

// Or who asked would think that there is no acknowledgement to come.
TEST_F(Sockets, TheAcknowledgementGoesOutBeforeTheSignOfLife) {
  Pair p;
  auto *const wire = static_cast<softhca_wire *>(p.a.dev.port[1].wire);
  uint8_t first[512];
  p.OnlyA();
  p.Write();
  RunFor(20000000); // a ping follows
  p.OnlyB();
  ASSERT_TRUE(Arrives(static_cast<softhca_wire *>(p.b.dev.port[1].wire)));
  (void)softhca_transport_poll(Now(), nullptr);
  ASSERT_TRUE(Arrives(wire));
  ASSERT_GT(recv(softhca_wire_fd(wire), first, sizeof(first), MSG_PEEK), 0);
  EXPECT_EQ(first[0], SOFTHCA_TR_RC | SOFTHCA_OP_ACK);
  p.Both();
}

// Where it is known whose address it is: so long as that process wants a processor, the time that
// it gets counts, and not the time that passes.
class OnANetwork : public Sockets
{
      protected:
	static constexpr uint64_t kSecond = 1000000000;
	void SetUp() override
	{
		softhca_wire_fabric("crowded");
		Sockets::SetUp();
	}
	void TearDown() override
	{
		Sockets::TearDown();
		softhca_wire_fabric(nullptr);
	}
};

// Both devices are this process's, which runs.
TEST_F(OnANetwork, WhoWantsAProcessorIsWaitedForHoweverLongItTakes)
{
	Pair p;
	p.OnlyA();
	p.Write();
	RunFor(100 * kSecond);
	EXPECT_TRUE(p.qa->send_cq.empty());
	p.Both();
	ASSERT_TRUE(RunUntil([&] { return !p.qa->send_cq.empty(); }));
	EXPECT_EQ(p.qa->send_cq.front().syndrome, SOFTHCA_OK);
}

// A process that has an address and never answers: it sleeps, is stopped, or runs.
class Another : public OnANetwork
{
      protected:
	static void Sleep()
	{
		pause();
	}
	static void Spin()
	{
		for (volatile int go = 1; go;)
			;
	}
	void Begin(void (*what)(), bool wants_cpu)
	{
		int fds[2];
		ASSERT_EQ(0, pipe(fds));
		child = fork();
		if (!child) {
			softhca_wire *wire;
			uint32_t ip = softhca_wire_open(&wire, 0, Nothing, nullptr)
					      ? 0
					      : softhca_wire_ip(wire);
			(void)!write(fds[1], &ip, sizeof(ip));
			alarm(60);
			what();
			_exit(0);
		}
		ASSERT_EQ(static_cast<ssize_t>(sizeof(its_ip)),
			  read(fds[0], &its_ip, sizeof(its_ip)));
		ASSERT_NE(0u, its_ip);
		close(fds[0]);
		close(fds[1]);
		softhca_process process;
		do
			ASSERT_TRUE(softhca_process_look(child, &process));
		while (process.wants_cpu != wants_cpu && !usleep(1000));
	}
	void TearDown() override
	{
		End();
		OnANetwork::TearDown();
	}
	void End()
	{
		if (child > 0) {
			kill(child, SIGKILL);
			waitpid(child, nullptr, 0);
		}
		child = 0;
	}
	// A WRITE to it; true if it has failed within so much time that is not a real one.
	bool FailsIn(uint64_t ns)
	{
		Device a(SOFTHCA_LINK_IB);
		Qp *const qa = a.NewQp(SOFTHCA_QP_RC);
		uint8_t bytes[8] = {};
		softhca_av av = {};
		av.port = 1;
		av.dlid = static_cast<uint16_t>(its_ip);
		ToRts(qa, av, 0x12, Attr());
		auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, bytes, 8);
		m->u.span[0].lkey = a.AddRegion(bytes, sizeof(bytes));
		Post(qa, std::move(m));
		Kick(qa);
		RunFor(ns);
		return !qa->send_cq.empty();
	}
	pid_t child = 0;
	uint32_t its_ip = 0;
};

TEST_F(Another, WhoSleepsIsGivenUp)
{
	Begin(Sleep, false);
	EXPECT_FALSE(FailsIn(9 * kSecond));
	EXPECT_TRUE(FailsIn(100 * kSecond));
}

TEST_F(Another, WhoIsStoppedIsGivenUp)
{
	int status;
	Begin(Spin, true);
	ASSERT_EQ(0, kill(child, SIGSTOP));
	ASSERT_EQ(child, waitpid(child, &status, WUNTRACED));
	EXPECT_TRUE(FailsIn(100 * kSecond));
}

// Its 100 seconds take a blink, in which it has not had ten seconds of a processor.
TEST_F(Another, WhoRunsIsNot)
{
	Begin(Spin, true);
	EXPECT_FALSE(FailsIn(100 * kSecond));
}

// All ask it again and again, and it hardly runs: the kernel cannot say any more whose address it
// is, but its process is there.
TEST_F(Another, WhomTooManyAskIsTrustedAsLongAsItLives)
{
	softhca_wire *from;
	softhca_process process;
	int n = 0;
	Begin(Spin, true);
	ASSERT_EQ(0, softhca_wire_open(&from, 0, Nothing, nullptr));
	ASSERT_TRUE(softhca_wire_trusts(from, its_ip));
	while (softhca_fabric_ask(its_ip) == SOFTHCA_FABRIC_OURS && n < 100000)
		n++;
	ASSERT_EQ(SOFTHCA_FABRIC_BUSY, softhca_fabric_ask(its_ip));
	for (int i = 0; i < 10; i++) {
		Advance(kSecond);
		EXPECT_TRUE(softhca_wire_trusts(from, its_ip)) << i;
	}
	EXPECT_TRUE(softhca_wire_process(from, its_ip, &process));
	End();
	Advance(5 * kSecond);
	EXPECT_FALSE(softhca_wire_trusts(from, its_ip));
	softhca_wire_close(from);
}

// Whether senders are still there is looked at for all rings, but not with each one.
TEST(Rings, ManySendersAreLookedAtSeldom) {
  constexpr int kPeers = 50;
  softhca_wire_only_rings(true);
  {
    uint8_t bytes[8] = {};
    Device to;
    const uint32_t rkey = to.AddRegion(bytes, sizeof(bytes));
    std::vector<std::unique_ptr<Device>> from;
    connects = 0;
    for (int i = 0; i < kPeers; i++) {
      from.push_back(std::make_unique<Device>());
      Qp *const qa = from.back()->NewQp(SOFTHCA_QP_RC), *const qb = to.NewQp(SOFTHCA_QP_RC);
      Connect(qa, qb, Attr());
      auto m = NewMessage(SOFTHCA_MSG_WRITE, 1, bytes, 8);
      m->u.span[0].lkey = from.back()->AddRegion(bytes, sizeof(bytes));
      m->raddr = reinterpret_cast<uint64_t>(bytes);
      m->rkey = rkey;
      Post(qa, std::move(m));
      Kick(qa);
      ASSERT_TRUE(RunUntil([&] { return !qa->send_cq.empty(); }));
    }
    RunFor(1000000000);
    EXPECT_GE(connects, kPeers); // each has offered a ring
    EXPECT_LT(connects, 8 * kPeers);
  }
  softhca_wire_only_rings(false);
}

} // namespace
