/* SPDX-License-Identifier: BSD-2-Clause */
// Hostile rings. The input is what another process does to the memory that it shares with a device,
// in both directions and on both pages: packets, lengths and positions, good and bad, and offers of
// memory that is no ring. Nothing outside of the rings may be touched (there are guards around
// them), and a packet may change while it is looked at.
//
// For tests/softhca/fuzz.sh only; HostileBytes in ring_test.cc makes its own inputs.
#include "fuzz_packets.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstdio>

#define _Alignas alignas
extern "C" {
#include "tools/softhca/engine/wire/wire_priv.h"
}

namespace {

using namespace packets;

constexpr size_t kGuard = 65536;

// A ring that has been moved between two pieces of memory that nobody may touch.
class Guarded {
 public:
  template <class Ring> void Put(Ring *r) {
    if (reinterpret_cast<uint8_t *>(r->page) == at_)
      return;
    if (at_) {
      munmap(at_ - kGuard, kGuard);
      munmap(at_ + RING_MAP, kGuard);
    }
    auto *const room = static_cast<uint8_t *>(
        mmap(nullptr, RING_MAP + 2 * kGuard, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    at_ = static_cast<uint8_t *>(
        mremap(r->page, RING_MAP, RING_MAP, MREMAP_MAYMOVE | MREMAP_FIXED, room + kGuard));
    if (at_ != room + kGuard)
      abort();
    r->page = reinterpret_cast<ring_page *>(at_);
    r->data = at_ + RING_PAGE;
  }

 private:
  uint8_t *at_ = nullptr;
};

softhca_wire *WireOf(const Device &d) { return static_cast<softhca_wire *>(d.dev.port[1].wire); }

class Rings {
 public:
  Rings() {
    softhca_wire_only_rings(true);
    Meet();
    the_engine.devs = &w.victim.dev; // what the attacker does says the input
    before_write = [this] { Scribble(); };
  }

  void Run(const uint8_t *data, size_t size) {
    in = Reader{{data, size}};
    Renew();
    w.Reset(in.Byte());
    for (int n = 0; in.left && n < 200; n++)
      Step(in.Byte());
    for (int i = 0; i < 3; i++)
      Turn();
    w.Check();
    if (wire->rings_in->head % 8 || wire->rings_out->tail % 8)
      abort();
  }

 private:
  // A ring in each direction.
  void Meet() {
    const uint8_t nothing[12] = {};
    for (int n = 0; n < 100000 && !(wire->rings_in && wire->rings_out && wire->rings_out->in_use);
         n++) {
      if (n % 100 == 0) {
        w.Inject(nothing, sizeof(nothing));
        w.Reset(0);
      }
      Turn();
    }
    if (!wire->rings_in || !wire->rings_out)
      abort();
  }

  static void Clean(ring_page *page) {
    memset(page, 0, sizeof(*page));
    page->magic = RING_MAGIC;
    page->taken = 1;
    page->sender_cpu = page->receiver_cpu = -1;
  }

  // As if just taken.
  void Renew() {
    ring_in *const i = wire->rings_in;
    ring_out *const o = wire->rings_out;
    guards[0].Put(i);
    guards[1].Put(o);
    Clean(i->page);
    Clean(o->page);
    i->head = written = 0;
    i->broken = false;
    i->in_order = true;
    o->tail = o->shown = o->known_head = o->seen_head = 0;
    o->show = 1024;
    o->looked_ns = o->stuck_ns = o->told_turn = 0;
    scribbles = 0;
  }

  uint8_t *Data() { return reinterpret_cast<uint8_t *>(wire->rings_in->page) + RING_PAGE; }

  void Show(uint32_t tail) {
    __atomic_store_n(&wire->rings_in->page->tail, tail, __ATOMIC_RELEASE);
  }

  // A packet as a sender would put it there, but for its length and its flags, which may be any:
  // then as if there were so much.
  void Packet(uint8_t how) {
    uint8_t packet[SOFTHCA_PKT_MAX + 4] = {};
    const bool lies = how & 0x30;
    uint32_t len = MakePacket(&in, packet, w);
    const uint32_t icrc =
        softhca_pkt_icrc(w.attacker.dev.port[1].ipv4, w.victim.dev.port[1].ipv4, packet, len);
    for (int i = 0; i < 4; i++, len++)
      packet[len] = static_cast<uint8_t>(icrc >> (8 * i));
    uint32_t at = written & (RING_BYTES - 1);
    if (RING_BYTES - at < 8 + len + 8 && !lies) {
      Record(at, RING_SKIP, 0);
      written += RING_BYTES - at;
      at = 0;
    }
    const uint32_t room = RING_BYTES - at - 8;
    memcpy(Data() + at + 8, packet, len < room ? len : room);
    const uint32_t said = how & 0x10 ? fuzz_u16(&in) : how & 0x20 ? fuzz_u32(&in) : len;
    Record(at, said, how & 0x40 ? RING_SEALED : in.Byte());
    last = at;
    written += 8 + ((said + 7) & ~7u);
    if (!(how & 0x80))
      Show(written);
  }

  void Record(uint32_t at, uint32_t len, uint32_t flags) {
    const ring_record record = {len, flags};
    memcpy(Data() + at, &record, sizeof(record));
  }

  // One field of one of the pages.
  void Poke(uint8_t how) {
    static const size_t fields[] = {
        offsetof(ring_page, tail),          offsetof(ring_page, head),
        offsetof(ring_page, answered),      offsetof(ring_page, taken),
        offsetof(ring_page, sleeps),        offsetof(ring_page, receiver_cpu),
        offsetof(ring_page, sender_cpu),    offsetof(ring_page, turned_ns),
        offsetof(ring_page, turned_ns) + 4, offsetof(ring_page, magic)};
    const uint8_t which = in.Byte();
    auto *const page =
        reinterpret_cast<uint8_t *>(which & 0x80 ? wire->rings_in->page : wire->rings_out->page);
    auto *const field =
        reinterpret_cast<uint32_t *>(page + fields[which % (sizeof(fields) / sizeof(fields[0]))]);
    const uint32_t base = how & 0x10     ? *field
                          : which & 0x80 ? wire->rings_in->head
                                         : wire->rings_out->tail;
    const uint32_t value = how & 0x20
                               ? fuzz_u32(&in)
                               : base + 8u * static_cast<uint32_t>(static_cast<int8_t>(in.Byte()));
    __atomic_store_n(field, how & 0x40 ? value + in.Byte() : value, __ATOMIC_RELEASE);
  }

  // Anywhere: near what is read next, or somewhere in the ring.
  void Spoil(uint8_t how) {
    const uint32_t at = how & 0x10 ? fuzz_u32(&in) : wire->rings_in->head + 8u * in.Byte();
    const uint64_t value = how & 0x20 ? fuzz_u64(&in) : in.Byte();
    memcpy(Data() + (at & (RING_BYTES - 8)), &value, sizeof(value));
  }

  // Both ends somewhere else, as after a long time: also just before the ends of the ring and of
  // the numbers.
  void Move() {
    const uint8_t where = in.Byte();
    const uint32_t to =
        (where & 1 ? 0u : RING_BYTES) - 8u * (where >> 1 & 0x3f) - (where & 0x80 ? 4096 : 0);
    ring_in *const i = wire->rings_in;
    ring_out *const o = wire->rings_out;
    i->head = written = to;
    i->page->head = i->page->answered = to;
    Show(to);
    o->tail = o->shown = o->known_head = o->page->tail = o->page->head = o->page->answered = to;
  }

  void Post() {
    for (Qp *qp : w.alive)
      if (qp->state == IBV_QPS_RTS && qp->posted.size() < 8 && qp->type != SOFTHCA_QP_XRC_TGT &&
          qp->type != SOFTHCA_QP_DCT)
        w.PostSome(qp);
  }

  // Memory that may be a ring, from the address whose ring it replaces.
  void Offer(uint8_t how) {
    const int fd = memfd_create("softhca-wire", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    const uint32_t magic = how & 0x20 ? fuzz_u32(&in) : RING_MAGIC;
    const off_t size = how & 0x10 ? static_cast<off_t>(fuzz_u16(&in)) : RING_MAP;
    if (fd < 0 || ftruncate(fd, size))
      abort();
    (void)!pwrite(fd, &magic, size < 4 ? static_cast<size_t>(size) : 4, 0);
    if (!(how & 0x40))
      fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW);
    Send(fd, 1u + (how >> 7));
    close(fd);
    softhca_ring_accept(wire);
    guards[0].Put(wire->rings_in);
    if (!wire->rings_in->head)
      written = 0;
  }

  void Send(int fd, unsigned times) {
    alignas(cmsghdr) char control[CMSG_SPACE(2 * sizeof(int))] = {};
    char byte = 'o';
    iovec iov = {&byte, 1};
    sockaddr_un name{};
    msghdr m{};
    name.sun_family = AF_UNIX;
    m.msg_namelen = static_cast<socklen_t>(
        offsetof(sockaddr_un, sun_path) + 1 +
        static_cast<size_t>(snprintf(name.sun_path + 1, 64, "softhca-wire-%08x", wire->ip)));
    m.msg_name = &name;
    m.msg_iov = &iov;
    m.msg_iovlen = 1;
    m.msg_control = control;
    m.msg_controllen = CMSG_SPACE(times * sizeof(int));
    cmsghdr *const c = CMSG_FIRSTHDR(&m);
    c->cmsg_level = SOL_SOCKET;
    c->cmsg_type = SCM_RIGHTS;
    c->cmsg_len = CMSG_LEN(times * sizeof(int));
    for (unsigned i = 0; i < times; i++)
      memcpy(CMSG_DATA(c) + i * sizeof(int), &fd, sizeof(fd));
    sendmsg(WireOf(w.attacker)->ring_fd, &m, MSG_NOSIGNAL | MSG_DONTWAIT);
  }

  // While the device copies what a packet carries, its sender writes over its headers.
  void Scribble() {
    if (!scribbles)
      return;
    scribbles--;
    const uint64_t value = fuzz_u64(&in);
    memcpy(Data() + ((last + in.Byte() % 64) & (RING_BYTES - 8)), &value, sizeof(value));
  }

  void Step(uint8_t op) {
    switch (op % 12) {
    case 0:
    case 1:
    case 2:
      return Packet(op);
    case 3:
    case 4:
      return Poke(op);
    case 5:
      return Spoil(op);
    case 6:
      return Move();
    case 7:
      return Post();
    case 8:
      scribbles = op >> 4;
      return;
    case 9:
      if (op & 0x80)
        return Offer(in.Byte());
      softhca_ring_sleep(wire, op & 0x10);
      softhca_ring_on_cpu(wire, op >> 5);
      return;
    default:
      Turn();
    }
  }

  World w;
  softhca_wire *wire = WireOf(w.victim);
  Guarded guards[2]; // of what comes in, and of what goes out
  Reader in{};
  uint32_t written = 0, last = 0;
  unsigned scribbles = 0;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static auto *const rings = new Rings; // to the end: the harness has lost sight of the attacker
  rings->Run(data, size);
  return 0;
}
