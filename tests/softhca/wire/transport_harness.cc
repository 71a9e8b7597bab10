/* SPDX-License-Identifier: BSD-2-Clause */
#include "transport_harness.h"

#include <poll.h>

#include <cstdarg>
#include <cstring>

#include "gtest/gtest.h"
extern "C" {
#include "tools/softhca/engine/migration.h"
#include "tools/softhca/engine/tm.h"
}

using harness::Device;
using harness::Message;
using harness::Qp;
using harness::Region;

namespace {

uint64_t virtual_ns = 1000000000;

Device *DeviceOf(softhca_dev *dev) { return static_cast<Device *>(dev->ops_arg); }

// Is [va, va + len) inside the region? `remote` asks for remote rights.
const Region *Find(Device *d, uint32_t key, uint64_t va, uint64_t len, bool remote) {
  auto it = d->regions.find(key);
  if (it == d->regions.end())
    return nullptr;
  const Region &r = it->second;
  const uint64_t base = reinterpret_cast<uint64_t>(r.base);
  if (va < base || va - base > r.len || len > r.len - (va - base) || (remote && !r.remote))
    return nullptr;
  return &r;
}

bool IsRemote(enum softhca_right right) { return right >= SOFTHCA_REMOTE_READ; }

int Check(const softhca_access *a, uint32_t key, uint64_t va, uint64_t len) {
  if (!len || Find(DeviceOf(a->dev), key, va, len, IsRemote(a->right)))
    return SOFTHCA_OK;
  return IsRemote(a->right) ? SOFTHCA_REMOTE_ACCESS : SOFTHCA_LOCAL_PROT;
}

} // namespace

extern "C" {

struct the_engine the_engine;

uint64_t softhca_now_ns(void) { return virtual_ns; }

int softhca_fail(int err, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vfprintf(stderr, fmt, ap);
  va_end(ap);
  return err;
}

struct softhca_qp *softhca_qp_find(struct softhca_dev *dev, uint32_t qpn) {
  auto &qps = DeviceOf(dev)->qps;
  auto it = qps.find(qpn);
  return it == qps.end() ? nullptr : it->second.get();
}

// Nobody has an alternate path.
bool softhca_mig_try(struct softhca_qp *) { return false; }
void softhca_mig_see(struct softhca_qp *, const struct softhca_pkt *) {}
bool softhca_mig_accepts(struct softhca_qp *, const struct softhca_port *,
                         const struct softhca_pkt *) {
  return false;
}

// Nobody is told.
bool softhca_patience_ends(const struct softhca_dev *, struct softhca_patience *, uint64_t) {
  return false;
}
void softhca_tell_no_receive(struct softhca_qp *, const struct softhca_peer *, uint32_t) {}
void softhca_tell_repeats(struct softhca_qp *, const struct softhca_peer *, uint16_t) {}
void softhca_tell_dc_key(struct softhca_qp *, const struct softhca_peer *, uint64_t) {}
void softhca_tell_qkey(struct softhca_qp *, const struct softhca_peer *, uint32_t) {}
void softhca_tell_net(struct softhca_qp *, const struct softhca_peer *, uint8_t, uint8_t)
{
	harness::told++;
}
void softhca_tell_pkey(struct softhca_qp *, const struct softhca_peer *, uint16_t, uint16_t)
{
	harness::told++;
}
void softhca_tell_forbidden(struct softhca_qp *, const struct softhca_peer *,
                            enum ibv_access_flags) {}
void softhca_tell_depth(struct softhca_qp *, const struct softhca_peer *) {}
void softhca_tell_too_long(struct softhca_qp *, const struct softhca_peer *,
                           const struct softhca_rwqe *, uint64_t) {}

// Nothing is limited.
bool softhca_pace_ready(struct softhca_qp *) { return true; }
void softhca_pace_spend(struct softhca_qp *, size_t) {}

// The events of a fault plan need a whole device.
void softhca_fault_run(uint64_t) {}

int softhca_mem_check(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len) {
  return Check(a, key, va, len);
}

int softhca_mem_whole(const struct softhca_access *a, uint32_t key, uint64_t va, uint64_t len) {
  return softhca_mem_check(a, key, va, len);
}

int softhca_mem_read(const struct softhca_access *a, uint32_t key, uint64_t va, void *buf,
                     size_t len) {
  const int err = Check(a, key, va, len);
  if (harness::before_read)
    harness::before_read();
  if (!err)
    memcpy(buf, reinterpret_cast<void *>(va), len);
  return err;
}

int softhca_mem_write(const struct softhca_access *a, uint32_t key, uint64_t va, const void *buf,
                      size_t len) {
  const int err = Check(a, key, va, len);
  if (harness::before_write)
    harness::before_write();
  if (!err)
    memcpy(reinterpret_cast<void *>(va), buf, len);
  return err;
}

int softhca_mem_atomic(const struct softhca_access *a, uint32_t rkey, uint64_t va,
                       const struct softhca_atomic *op, uint64_t *orig) {
  const int err = Check(a, rkey, va, op->size);
  if (err)
    return err;
  if (va % op->size)
    return SOFTHCA_REMOTE_INVAL_REQ;
  auto *p = reinterpret_cast<uint64_t *>(va);
  *orig = *p;
  if (op->is_fadd)
    *p += op->swap_add;
  else if (((*p ^ op->compare) & op->compare_mask) == 0)
    *p = (*p & ~op->swap_mask) | (op->swap_add & op->swap_mask);
  return SOFTHCA_OK;
}

int softhca_mem_invalidate(const struct softhca_access *a, uint32_t rkey) {
  return DeviceOf(a->dev)->regions.erase(rkey) ? SOFTHCA_OK : SOFTHCA_REMOTE_ACCESS;
}

int softhca_msg_gather(struct softhca_qp *qp, const struct softhca_msg *msg, uint64_t offset,
                       void *buf, size_t len) {
  const softhca_span &s = msg->u.span[0];
  if (!Find(DeviceOf(qp->dev), s.lkey, s.va + offset, len, false))
    return SOFTHCA_LOCAL_PROT;
  memcpy(buf, reinterpret_cast<void *>(s.va + offset), len);
  return SOFTHCA_OK;
}

int softhca_msg_scatter(struct softhca_qp *qp, struct softhca_msg *msg, uint64_t offset,
                        const void *buf, size_t len) {
  const softhca_span &s = msg->u.span[0];
  if (!Find(DeviceOf(qp->dev), s.lkey, s.va + offset, len, false))
    return SOFTHCA_LOCAL_PROT;
  memcpy(reinterpret_cast<void *>(s.va + offset), buf, len);
  return SOFTHCA_OK;
}

// As sq.c: the oldest message must be the one that completes; an error stops the rest.
void softhca_sq_complete(struct softhca_qp *base, struct softhca_msg *msg, uint8_t syndrome,
                         uint8_t vendor) {
  Qp *qp = static_cast<Qp *>(base);
  if (qp->posted.empty() || qp->posted.front().get() != msg) {
    qp->double_completions++;
    return;
  }
  std::unique_ptr<Message> m = std::move(qp->posted.front());
  qp->posted.pop_front();
  const harness::Completion c = {m->wr_id, syndrome, vendor};
  if (qp->on_complete)
    qp->on_complete(c);
  else
    qp->send_cq.push_back(c);
  memset(static_cast<softhca_msg *>(m.get()), 0xee, sizeof(softhca_msg));
  if (!syndrome)
    return;
  softhca_qp_error(qp);
}

void softhca_qp_error(struct softhca_qp *base) {
  Qp *qp = static_cast<Qp *>(base);
  if (qp->state == IBV_QPS_ERR)
    return;
  qp->state = qp->attr.qp_state = IBV_QPS_ERR;
  softhca_req_stop(qp);
  softhca_resp_stop(qp);
  while (!qp->posted.empty()) {
    qp->send_cq.push_back({qp->posted.front()->wr_id, SOFTHCA_FLUSH, SOFTHCA_VENDOR_FLUSH});
    qp->posted.pop_front();
  }
}

void softhca_qp_fatal(struct softhca_qp *qp, enum ibv_event_type event) {
  static_cast<Qp *>(qp)->events.push_back(event);
  softhca_qp_error(qp);
}

void softhca_qp_comm_est(struct softhca_qp *) {}

// Raw packets are not the transport's.

struct softhca_srq *softhca_srq_find(struct softhca_dev *, uint32_t) { return nullptr; }

int softhca_rq_take(struct softhca_qp *base, uint32_t srqn, struct softhca_rwqe *rwqe) {
  Qp *qp = static_cast<Qp *>(base);
  auto *list = &qp->receives;
  if (srqn) {
    auto it = qp->srqs.find(srqn);
    if (it == qp->srqs.end())
      return -EINVAL;
    list = &it->second;
  }
  if (list->empty())
    return -EAGAIN;
  memset(rwqe, 0, sizeof(*rwqe));
  rwqe->qp = qp;
  rwqe->counter = static_cast<uint16_t>(list->front().first);
  rwqe->nspans = 1;
  rwqe->span[0] = list->front().second;
  rwqe->length = rwqe->span[0].len;
  // The test's own number travels where inline data would lie.
  memcpy(rwqe->inline_data, &list->front().first, sizeof(uint64_t));
  list->pop_front();
  return 0;
}

void softhca_rq_give_back(struct softhca_qp *base, const struct softhca_rwqe *rwqe)
{
	uint64_t wr_id;
	memcpy(&wr_id, rwqe->inline_data, sizeof(wr_id));
	static_cast<Qp *>(base)->receives.emplace_front(wr_id, rwqe->span[0]);
}

int softhca_rq_scatter(struct softhca_rwqe *rwqe, uint64_t offset, const void *data, size_t len) {
  if (offset + len > rwqe->length)
    return SOFTHCA_LOCAL_LENGTH;
  memcpy(reinterpret_cast<void *>(rwqe->span[0].va + offset), data, len);
  return SOFTHCA_OK;
}

// No queue here has a tag list.
enum softhca_tm_taken softhca_tm_take(struct softhca_qp *, const struct softhca_tm_start *,
                                      struct softhca_rwqe *) {
  return SOFTHCA_TM_MALFORMED;
}

void softhca_cq_push_recv(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
                          const struct softhca_recv_info *info) {
  uint64_t wr_id;
  memcpy(&wr_id, rwqe->inline_data, sizeof(wr_id));
  static_cast<Qp *>(qp)->recv_cq.push_back({wr_id, SOFTHCA_OK, *info});
}

void softhca_cq_push_recv_err(struct softhca_qp *qp, const struct softhca_rwqe *rwqe,
                              uint8_t syndrome, uint8_t) {
  uint64_t wr_id;
  memcpy(&wr_id, rwqe->inline_data, sizeof(wr_id));
  static_cast<Qp *>(qp)->recv_cq.push_back({wr_id, syndrome, {}});
}

} // extern "C"

namespace harness {

std::function<void()> before_read, before_write;

Device::Device(enum softhca_link link) {
  dev.ops_arg = this;
  dev.cfg.nports = 1;
  softhca_port *port = &dev.port[1];
  port->dev = &dev;
  port->num = 1;
  port->link = link;
  port->state = IBV_PORT_ACTIVE;
  port->active_mtu = IBV_MTU_4096;
  port->pkey[0] = 0xffff;
  EXPECT_EQ(softhca_transport_dev_init(&dev), 0);
  EXPECT_EQ(softhca_wire_port_open(port), 0);
  dev.next = the_engine.devs;
  the_engine.devs = &dev;
}

Device::~Device() {
  for (auto &it : qps)
    softhca_transport_qp_fini(it.second.get());
  softhca_wire_port_close(&dev.port[1]);
  softhca_transport_dev_fini(&dev);
  softhca_dev **link = &the_engine.devs;
  while (*link != &dev)
    link = &(*link)->next;
  *link = dev.next;
}

Qp *Device::NewQp(enum softhca_qp_type type) {
  auto qp = std::make_unique<Qp>();
  memset(static_cast<softhca_qp *>(qp.get()), 0, sizeof(softhca_qp));
  qp->dev = &dev;
  qp->owner = this;
  qp->type = type;
  qp->qpn = next_qpn++;
  EXPECT_EQ(softhca_transport_qp_init(qp.get()), 0);
  Qp *raw = qp.get();
  qps[raw->qpn] = std::move(qp);
  return raw;
}

uint32_t Device::AddRegion(void *base, uint64_t len, bool remote) {
  const uint32_t key = next_key += 0x100;
  regions[key] = {static_cast<uint8_t *>(base), len, remote};
  return key;
}

softhca_av AvOf(const Qp *to) {
  const softhca_port *port = &to->dev->port[1];
  softhca_av av;
  memset(&av, 0, sizeof(av));
  av.port = 1;
  av.dlid = port->lid;
  if (port->link == SOFTHCA_LINK_ROCE) {
    av.grh = true;
    av.dgid = port->gid[3];
  }
  return av;
}

void ToRts(Qp *qp, const softhca_av &av, uint32_t dest_qpn, const Attr &attr) {
  qp->attr.port_num = 1;
  qp->attr.qp_access_flags =
      IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_ATOMIC;
  qp->attr.path_mtu = attr.mtu;
  qp->attr.timeout = attr.timeout;
  qp->attr.retry_cnt = attr.retry_cnt;
  qp->attr.rnr_retry = attr.rnr_retry;
  qp->attr.min_rnr_timer = attr.min_rnr_timer;
  qp->attr.max_rd_atomic = qp->attr.max_dest_rd_atomic = attr.rd_atomic;
  qp->attr.dest_qp_num = dest_qpn;
  qp->attr.rq_psn = qp->attr.sq_psn = attr.psn;
  qp->attr.qkey = 0x11111111;
  qp->av = av;
  const enum ibv_qp_state path[] = {IBV_QPS_RESET, IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS};
  const int masks[] = {0, 0, IBV_QP_RQ_PSN, IBV_QP_SQ_PSN};
  for (int i = 1; i < 4; i++) {
    if (path[i] == IBV_QPS_RTS && qp->type == SOFTHCA_QP_DCT)
      break;
    qp->state = qp->attr.qp_state = path[i];
    softhca_transport_qp_modify(qp, path[i - 1], masks[i]);
  }
}

void Connect(Qp *a, Qp *b, const Attr &attr) {
  ToRts(a, AvOf(b), b->qpn, attr);
  ToRts(b, AvOf(a), a->qpn, attr);
}

std::unique_ptr<Message> NewMessage(enum softhca_kind kind, uint64_t wr_id, void *local,
                                    uint32_t len) {
  auto m = std::make_unique<Message>();
  memset(static_cast<softhca_msg *>(m.get()), 0, sizeof(softhca_msg));
  m->kind = kind;
  m->wr_id = wr_id;
  m->signalled = true;
  m->length = len;
  m->nspans = 1;
  m->u.span[0].va = reinterpret_cast<uint64_t>(local);
  m->u.span[0].len = len;
  return m;
}

void Post(Qp *qp, std::unique_ptr<Message> msg) {
  Message *raw = msg.get();
  qp->posted.push_back(std::move(msg));
  softhca_req_post(qp, raw);
}

void Kick(Qp *qp) { softhca_req_kick(qp); }

void PostRecv(Qp *qp, uint64_t wr_id, void *buf, uint32_t len, uint32_t srqn) {
  softhca_span s = {reinterpret_cast<uint64_t>(buf), len, 0};
  (srqn ? qp->srqs[srqn] : qp->receives).push_back({wr_id, s});
}

uint64_t Now() { return virtual_ns; }

void Advance(uint64_t ns) { virtual_ns += ns; }

bool Turn() {
  uint64_t next = UINT64_MAX;
  const int n = softhca_transport_poll(virtual_ns, &next);
  virtual_ns += 1000;
  if (n || next <= virtual_ns)
    return true;
  if (next == UINT64_MAX)
    return false;
  virtual_ns = next;
  return true;
}

// One of `fds` can be read, sooner or later.
static bool Readable(std::vector<pollfd> fds) { return poll(fds.data(), fds.size(), 10000) > 0; }

bool Arrives(const softhca_wire *wire) { return Readable({{softhca_wire_fd(wire), POLLIN, 0}}); }

// The same at any port, or of any of their groups.
static bool ArrivesAnywhere() {
  int groups[64];
  const int n = softhca_wire_mcast_fds(groups, 64);
  std::vector<pollfd> fds;
  for (int i = 0; i < n; i++)
    fds.push_back({groups[i], POLLIN, 0});
  for (const softhca_dev *dev = the_engine.devs; dev; dev = dev->next)
    fds.push_back(
        {softhca_wire_fd(static_cast<const softhca_wire *>(dev->port[1].wire)), POLLIN, 0});
  return Readable(std::move(fds));
}

bool RunUntil(const std::function<bool()> &done, uint64_t turns) {
  while (!done()) {
    if (!turns-- || (!Turn() && !done() && !ArrivesAnywhere()))
      return done();
  }
  return true;
}

void RunFor(uint64_t ns) {
  const uint64_t end = virtual_ns + ns;
  while (virtual_ns < end) {
    uint64_t next = UINT64_MAX;
    const int n = softhca_transport_poll(virtual_ns, &next);
    virtual_ns += 1000;
    if (!n && next > virtual_ns)
      virtual_ns = next < end ? next : end;
  }
}

Faults::Faults(const std::string &text) {
  char err[200] = "";
  softhca_fault_plan *plan = softhca_fault_parse(text.c_str(), err, sizeof(err));
  EXPECT_NE(plan, nullptr) << err;
  softhca_fault_free(softhca_fault_set(plan));
}

Faults::~Faults() { softhca_fault_free(softhca_fault_set(nullptr)); }

} // namespace harness
