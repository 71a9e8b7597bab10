/* SPDX-License-Identifier: BSD-2-Clause */
// The fault plan: what it understands, what it says about what it does not, and
// that a seed repeats itself.
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "transport_harness.h"

namespace {

using harness::Advance;
using harness::Now;

struct Plan {
  explicit Plan(const char *text) {
    char err[200] = "";
    plan = softhca_fault_parse(text, err, sizeof(err));
    sentence = err;
    if (plan)
      softhca_fault_free(softhca_fault_set(plan));
  }
  ~Plan() { softhca_fault_free(softhca_fault_set(nullptr)); }
  softhca_fault_plan *plan;
  std::string sentence;
};

softhca_fault_verdict Judge(uint8_t opcode = 4, uint32_t dst = 0x7f4d0002) {
  uint8_t bth[16] = {opcode};
  return softhca_fault_packet(bth, sizeof(bth), dst);
}

std::string Refused(const char *text) {
  Plan p(text);
  EXPECT_EQ(p.plan, nullptr) << text;
  return p.sentence;
}

TEST(FaultPlan, CompletesASendRequestWithASyndrome) {
  Plan p("complete nth=2 op=0x08 syndrome=0x22 vendor=0x77");
  uint8_t vendor = 0;
  EXPECT_EQ(softhca_fault_complete(0x08, &vendor), 0);
  EXPECT_EQ(softhca_fault_complete(0x0a, &vendor), 0);
  EXPECT_EQ(softhca_fault_complete(0x08, &vendor), 0x22);
  EXPECT_EQ(vendor, 0x77);
  EXPECT_EQ(softhca_fault_complete(0x08, &vendor), 0);
}

TEST(FaultPlan, SaysWhatIsWrongAndWhere) {
  EXPECT_EQ(Refused("drop"), "Fault plan, line 1: say how often: a percentage, nth=N or every=N.");
  EXPECT_EQ(Refused("# fine\n\ndrop 1x"), "Fault plan, line 3: this word has no meaning here.");
  EXPECT_EQ(Refused("drip 1%"), "Fault plan, line 1: there is no such rule.");
  EXPECT_EQ(Refused("drop 101%"), "Fault plan, line 1: this word has no meaning here.");
  EXPECT_EQ(Refused("drop nth=0"),
            "Fault plan, line 1: unknown option, or its value is out of range.");
  EXPECT_EQ(Refused("drop nth=x"), "Fault plan, line 1: this option wants a number.");
  EXPECT_EQ(Refused("drop 1% to=localhost"), "Fault plan, line 1: to= wants an IPv4 address.");
  EXPECT_EQ(Refused("at 5 kill"), "Fault plan, line 1: a time is a number with ns, us, ms or s.");
  EXPECT_EQ(Refused("at 5ms explode"), "Fault plan, line 1: there is no such event.");
  EXPECT_EQ(Refused("at 5ms"), "Fault plan, line 1: 'at' wants a time or packet=N, then an event.");
  EXPECT_EQ(Refused("command create_qp EWHAT"),
            "Fault plan, line 1: this is not the name of an errno.");
  EXPECT_EQ(Refused("command create_qp"),
            "Fault plan, line 1: 'command' wants an errno, like ENOMEM.");
  EXPECT_EQ(Refused("complete nth=1"),
            "Fault plan, line 1: 'complete' wants syndrome=N, of a CQE.");
  EXPECT_EQ(Refused("complete nth=1 syndrome=256"),
            "Fault plan, line 1: unknown option, or its value is out of range.");
  EXPECT_EQ(Refused("drop nth=1 syndrome=5"),
            "Fault plan, line 1: unknown option, or its value is out of range.");
  EXPECT_EQ(Refused("seed"), "Fault plan, line 1: 'seed' wants a number.");
  EXPECT_EQ(Refused((std::string("drop 1% ") + std::string(600, ' ')).c_str()),
            "Fault plan, line 1: the line is longer than 511 characters.");
  std::string many;
  for (int i = 0; i < 257; i++)
    many += "drop 1%\n";
  EXPECT_EQ(Refused(many.c_str()), "Fault plan, line 257: a plan has at most 256 rules.");
}

TEST(FaultPlan, MissingFileIsASentence) {
  char err[200];
  EXPECT_EQ(softhca_fault_load("/nonexistent/plan", err, sizeof(err)), nullptr);
  EXPECT_STREQ(err, "Cannot open the fault plan /nonexistent/plan: No such file or directory.");
}

TEST(FaultPlan, NthEveryAfterCount) {
  {
    Plan p("drop nth=3");
    std::vector<int> hit;
    for (int i = 1; i <= 10; i++)
      if (Judge().kind == SOFTHCA_FAULT_DROP)
        hit.push_back(i);
    EXPECT_EQ(hit, std::vector<int>({3}));
  }
  {
    Plan p("drop every=3 count=2 after=1");
    std::vector<int> hit;
    for (int i = 1; i <= 20; i++)
      if (Judge().kind == SOFTHCA_FAULT_DROP)
        hit.push_back(i);
    EXPECT_EQ(hit, std::vector<int>({4, 7}));
  }
}

TEST(FaultPlan, FiltersByOpcodeAndDestination) {
  Plan p("drop 100% op=0x0a to=127.77.0.9");
  EXPECT_EQ(Judge(0x0a, 0x7f4d0009).kind, SOFTHCA_FAULT_DROP);
  EXPECT_EQ(Judge(0x0b, 0x7f4d0009).kind, SOFTHCA_FAULT_NONE);
  EXPECT_EQ(Judge(0x0a, 0x7f4d0008).kind, SOFTHCA_FAULT_NONE);
  // 0 is an opcode, too: the first packet of a long SEND. And an errno from before is no mistake.
  errno = ERANGE;
  Plan first("drop 100% op=0");
  ASSERT_NE(first.plan, nullptr) << first.sentence;
  EXPECT_EQ(Judge(0x00).kind, SOFTHCA_FAULT_DROP);
  EXPECT_EQ(Judge(0x01).kind, SOFTHCA_FAULT_NONE);
}

TEST(FaultPlan, SameSeedSameFaultsAndTheRightShare) {
  std::string first;
  for (int run = 0; run < 2; run++) {
    Plan p("seed 9\ndrop 1%\ncorrupt 2%\ndelay 3% 2ms\nreorder 4% 7");
    std::string seen;
    int n[6] = {0};
    for (int i = 0; i < 100000; i++) {
      const softhca_fault_verdict v = Judge();
      seen += static_cast<char>('0' + v.kind);
      n[v.kind]++;
      if (v.kind == SOFTHCA_FAULT_CORRUPT) {
        ASSERT_LT(v.corrupt_bit, 16u * 8);
      }
      if (v.kind == SOFTHCA_FAULT_DELAY) {
        ASSERT_EQ(v.delay_ns, 2000000u);
      }
      if (v.kind == SOFTHCA_FAULT_REORDER) {
        ASSERT_EQ(v.overtake, 7u);
      }
    }
    EXPECT_NEAR(n[SOFTHCA_FAULT_DROP], 1000, 200);
    EXPECT_NEAR(n[SOFTHCA_FAULT_CORRUPT], 2000, 300);
    EXPECT_NEAR(n[SOFTHCA_FAULT_DELAY], 3000, 400);
    EXPECT_NEAR(n[SOFTHCA_FAULT_REORDER], 3800, 400);
    EXPECT_EQ(softhca_fault_count(SOFTHCA_FAULT_DROP),
              static_cast<uint64_t>(n[SOFTHCA_FAULT_DROP]));
    if (run) {
      EXPECT_EQ(first, seen);
    }
    first = seen;
  }
}

TEST(FaultPlan, CommandsFailAsAsked) {
  Plan p("command create_qp ENOMEM nth=2\ncommand reg_mr 14");
  EXPECT_EQ(softhca_fault_command("create_qp"), 0);
  EXPECT_EQ(softhca_fault_command("create_qp"), ENOMEM);
  EXPECT_EQ(softhca_fault_command("create_qp"), 0);
  EXPECT_EQ(softhca_fault_command("reg_mr"), EFAULT);
  EXPECT_EQ(softhca_fault_command("reg_mr"), EFAULT);
  EXPECT_EQ(softhca_fault_command("alloc_pd"), 0);
}

TEST(FaultPlan, EventsComeOnceByTimeAndByPacket) {
  Plan p("at 5ms port-down port=2\nat packet=3 device-fatal device=1\nat 1s srq-limit srq=0x77");
  softhca_fault_event e;
  EXPECT_EQ(softhca_fault_deadline(), Now() + 5000000);
  EXPECT_FALSE(softhca_fault_due(Now(), &e));
  Advance(5000000);
  ASSERT_TRUE(softhca_fault_due(Now(), &e));
  EXPECT_EQ(e.kind, SOFTHCA_FAULT_PORT_DOWN);
  EXPECT_EQ(e.port, 2u);
  EXPECT_EQ(e.device, ~0u);
  EXPECT_FALSE(softhca_fault_due(Now(), &e));
  Judge();
  Judge();
  EXPECT_FALSE(softhca_fault_due(Now(), &e));
  Judge();
  ASSERT_TRUE(softhca_fault_due(Now(), &e));
  EXPECT_EQ(e.kind, SOFTHCA_FAULT_DEVICE_FATAL);
  EXPECT_EQ(e.device, 1u);
  Advance(1000000000);
  ASSERT_TRUE(softhca_fault_due(Now(), &e));
  EXPECT_EQ(e.kind, SOFTHCA_FAULT_SRQ_LIMIT);
  EXPECT_EQ(e.object, 0x77u);
  EXPECT_EQ(softhca_fault_deadline(), UINT64_MAX);
}

TEST(FaultPlan, GrowsLineByLine) {
  Plan none("");
  softhca_fault_event e;
  char err[200] = "";

  EXPECT_TRUE(softhca_fault_add("command alloc_pd EPERM nth=1", err, sizeof(err)));
  EXPECT_EQ(softhca_fault_command("alloc_pd"), EPERM);
  EXPECT_EQ(softhca_fault_command("alloc_pd"), 0);
  EXPECT_FALSE(softhca_fault_add("explode 1%", err, sizeof(err)));
  EXPECT_NE(std::string(err).find("no such rule"), std::string::npos) << err;
  /* Times count from now, not from when the plan was made. */
  Advance(1000000000);
  EXPECT_TRUE(softhca_fault_add("at 1ms sq-drained qp=0x12", err, sizeof(err)));
  EXPECT_FALSE(softhca_fault_due(Now(), &e));
  Advance(1000000);
  ASSERT_TRUE(softhca_fault_due(Now(), &e));
  EXPECT_EQ(e.kind, SOFTHCA_FAULT_ASYNC);
  EXPECT_EQ(e.type, IBV_EVENT_SQ_DRAINED);
  EXPECT_EQ(e.object, 0x12u);
  EXPECT_EQ(softhca_fault_count(SOFTHCA_FAULT_COMMAND), 1u);
  EXPECT_TRUE(softhca_fault_add("command alloc_pd EPERM", err, sizeof(err)));
  EXPECT_TRUE(softhca_fault_add("clear", err, sizeof(err)));
  EXPECT_EQ(softhca_fault_command("alloc_pd"), 0);
  EXPECT_EQ(softhca_fault_count(SOFTHCA_FAULT_COMMAND), 0u);
}

TEST(FaultPlan, WithoutAPlanNothingHappens) {
  softhca_fault_event e;
  EXPECT_EQ(Judge().kind, SOFTHCA_FAULT_NONE);
  EXPECT_FALSE(softhca_fault_packets_on());
  EXPECT_FALSE(softhca_fault_rnr());
  EXPECT_EQ(softhca_fault_command("create_qp"), 0);
  EXPECT_FALSE(softhca_fault_due(Now(), &e));
}

} // namespace
