/* SPDX-License-Identifier: BSD-2-Clause */
// Two devices in one process, with everything above the transport replaced by a
// few lines: the device's half of the contract in transport.h, in virtual time.
// What is tested is requester.c, responder.c and their neighbours, unchanged.
#ifndef SOFTHCA_TESTS_TRANSPORT_HARNESS_H
#define SOFTHCA_TESTS_TRANSPORT_HARNESS_H

#include <infiniband/verbs.h>

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "tools/softhca/engine/transport.h"
#include "tools/softhca/engine/completion.h"
#include "tools/softhca/engine/copy.h"
#include "tools/softhca/engine/qp.h"
#include "tools/softhca/engine/recv.h"
#include "tools/softhca/engine/rules.h"
#include "tools/softhca/engine/scheduler.h"

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/engine/packet/packet.h"
#include "tools/softhca/engine/wire/wire.h"
}

namespace harness {

struct Completion {
  uint64_t wr_id;
  uint8_t syndrome;
  uint8_t vendor;
};

struct RecvCompletion {
  uint64_t wr_id;
  uint8_t syndrome;
  softhca_recv_info info;
};

struct Message : softhca_msg {
  uint64_t wr_id;
};

struct Region {
  uint8_t *base;
  uint64_t len;
  bool remote;
};

struct Device;

struct Qp : softhca_qp {
  Device *owner;
  std::deque<std::unique_ptr<Message>> posted; // in order, not completed
  std::deque<std::pair<uint64_t, softhca_span>> receives;
  std::deque<Completion> send_cq;
  std::deque<RecvCompletion> recv_cq;
  std::map<uint32_t, std::deque<std::pair<uint64_t, softhca_span>>> srqs; // XRC
  std::vector<enum ibv_event_type> events;
  std::function<void(const Completion &)> on_complete;
  uint64_t double_completions = 0;
};

struct Device {
  explicit Device(enum softhca_link link = SOFTHCA_LINK_ROCE);
  ~Device();

  Qp *NewQp(enum softhca_qp_type type);
  uint32_t AddRegion(void *base, uint64_t len, bool remote = true);

  softhca_dev dev{};
  std::map<uint32_t, std::unique_ptr<Qp>> qps;
  std::map<uint32_t, Region> regions;
  uint32_t next_qpn = 0x100;
  uint32_t next_key = 0x1000;
};

struct Attr {
  enum ibv_mtu mtu = IBV_MTU_1024;
  uint8_t timeout = 14, retry_cnt = 7, rnr_retry = 7, min_rnr_timer = 1;
  uint8_t rd_atomic = 16;
  uint32_t psn = 0xfffff0; // wraps soon
};

// To RTS, each the other's peer.
void Connect(Qp *a, Qp *b, const Attr &attr = Attr());
void ToRts(Qp *qp, const softhca_av &av, uint32_t dest_qpn, const Attr &attr = Attr());
softhca_av AvOf(const Qp *to);

// A message with one span; the caller fills in the rest before Post().
std::unique_ptr<Message> NewMessage(enum softhca_kind kind, uint64_t wr_id, void *local,
                                    uint32_t len);
void Post(Qp *qp, std::unique_ptr<Message> msg);
void Kick(Qp *qp);
void PostRecv(Qp *qp, uint64_t wr_id, void *buf, uint32_t len, uint32_t srqn = 0);

// Virtual time. Turn() runs one turn of the device and moves the clock if it was idle.
uint64_t Now();
void Advance(uint64_t ns);
// False: nothing more will ever happen.
bool Turn();
// Waits for a datagram at that port. What this machine sends to itself is there when the sender
// goes on, unless the kernel has left it to a thread of its own or to another processor: that takes
// real time, of which the virtual clock knows nothing. False: there is none.
bool Arrives(const softhca_wire *wire);
// Runs until done() or nothing happens any more, or `turns` are used up; returns done().
bool RunUntil(const std::function<bool()> &done, uint64_t turns = 1000000);
void RunFor(uint64_t ns);

// What happens whenever the device is about to read memory for a peer, or to write some.
extern std::function<void()> before_read, before_write;

// How often the referee was told of packets that are dropped for their partition or kind of RoCE.
inline int told;

// A fault plan for a scope.
struct Faults {
  explicit Faults(const std::string &text);
  ~Faults();
};

} // namespace harness

#endif
