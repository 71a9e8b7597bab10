/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The wire: one UDP socket per device port, bound to an address of its own, port 4791. The address
 * is a loopback address 127.NET.a.b, or an interface's (see softhca_wire_host()). Binding claims
 * it: the kernel lets one socket have an address, and releases it when the process dies. No daemon
 * and no file are needed.
 *
 *   IPv4 127.NET.a.b  <->  LID a << 8 | b
 *                     <->  RoCE GID ::ffff:127.NET.a.b
 *                     <->  port GUID 0c42:a17f:NETa:b000 as in softhca_wire_guid(),
 *                          hence IB GID fe80::GUID
 *
 * Datagrams to a port of the same process only skip the socket. They are the same bytes, and the
 * fault plan and the capture see them.
 * All functions here are called with the device lock held.
 */
#ifndef SOFTHCA_ENGINE_WIRE_H
#define SOFTHCA_ENGINE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/packet/packet.h"

struct ring_out;
struct softhca_wire;
struct softhca_pcap;

/* Callback of a port for a complete packet. pkt and its payload live until the return. */
typedef void (*softhca_wire_rx)(void *arg, const struct softhca_pkt *pkt);

struct softhca_wire_stats {
	uint64_t tx_packets, rx_packets;
	uint64_t tx_bytes, rx_bytes;
	uint64_t tx_multicast, rx_multicast; /* of the packets */
	uint64_t rx_bad;     /* not a packet, or a wrong ICRC */
	uint64_t tx_dropped; /* the kernel or the local queue had no room */
};

/*
 * softhca_wire_host - gives ports addresses of this machine in the network ip/bits (16 to 32). They
 * reach every host that IPv4 routes to. False: only loopback exists. Before the first open.
 */
bool softhca_wire_host(uint32_t ip, unsigned int bits);
bool softhca_wire_is_own_network(uint32_t ip);
/* softhca_wire_is_host - true if the address belongs to one port, here or elsewhere. */
bool softhca_wire_is_host(uint32_t ip);
/* softhca_wire_mtu - the interface's longest datagram, with IP header. 0: any packet fits. */
uint32_t softhca_wire_mtu(const struct softhca_wire *wire);

/* softhca_wire_net - sets our 127.NET.0.0/16 (default 77). Called before the first open. */
void softhca_wire_net(uint8_t net);

/*
 * softhca_wire_fabric - restricts our network to the processes of our user with the same name (""
 * for none). NULL, the default, means all processes. To be called before the first open.
 */
void softhca_wire_fabric(const char *name);
/* softhca_wire_is_ours - returns whether a process of our network has this address. */
bool softhca_wire_is_ours(uint32_t ip);

/* softhca_wire_only_sockets - disables the short cut between ports of this process, for tests. */
void softhca_wire_only_sockets(bool yes);

/* softhca_wire_only_rings - uses shared memory also between ports of this process, for tests. */
void softhca_wire_only_rings(bool yes);

/*
 * softhca_wire_set_pcap - writes every sent packet to pcap (NULL: stop). The caller keeps owning
 * it. A capture that lasts as long as the process needs no close.
 */
void softhca_wire_set_pcap(struct softhca_pcap *pcap);

/* softhca_wire_capture - captures an Ethernet frame on its way to its receivers. */
void softhca_wire_capture(const uint8_t *frame, uint32_t len);

/*
 * softhca_wire_open - claims the address `want` (host order), or the lowest free one if it is 0. 0
 * or a negative errno: -EADDRINUSE, -EADDRNOTAVAIL (no address left).
 */
int softhca_wire_open(struct softhca_wire **wire, uint32_t want, softhca_wire_rx rx, void *arg);

/* softhca_wire_close - accepts NULL. Packets under way are lost. */
void softhca_wire_close(struct softhca_wire *wire);

/* softhca_wire_fork_child - forgets all wires, because their sockets are the parent's. */
void softhca_wire_fork_child(void);

uint32_t softhca_wire_ip(const struct softhca_wire *wire);
uint16_t softhca_wire_lid(const struct softhca_wire *wire);
uint64_t softhca_wire_guid(const struct softhca_wire *wire);
uint64_t softhca_ip_to_guid(uint32_t ip); /* host order */
int softhca_wire_fd(const struct softhca_wire *wire);
const struct softhca_wire_stats *softhca_wire_stats(const struct softhca_wire *wire);

/* softhca_wire_set_link - sets the link. A port that is down neither sends nor receives. */
void softhca_wire_set_link(struct softhca_wire *wire, bool up);

#define SOFTHCA_LID_LAST 0xbfffu /* of one port */

/* Conversions between addresses. The GID may be of either kind. 0 if no port here has it. */
uint32_t softhca_lid_to_ip(uint16_t lid);
uint32_t softhca_gid_to_ip(const uint8_t gid[16]);
void softhca_ip_to_gid(uint32_t ip, uint8_t gid[16]);
/* A locally administered Ethernet address that contains the IP address it stands for. */
void softhca_ip_to_mac(uint32_t ip, uint8_t mac[6]);

/* softhca_gid_is_group - true for a multicast GID, or RoCE v2's form of an IPv4 group. */
bool softhca_gid_is_group(const uint8_t gid[16]);
/* IP address of such an Ethernet address. 0 if it is another one. */
uint32_t softhca_mac_to_ip(const uint8_t mac[6]);
/* Destination of frames for all ports. */
uint32_t softhca_flood_ip(void);

/* softhca_gid_is_ipv4 - returns whether it is ::ffff:a.b.c.d, so that RoCE v2 uses IPv4. */
bool softhca_gid_is_ipv4(const uint8_t gid[16]);
/* softhca_mgid_to_ip - the IPv4 group of a multicast GID. 0 if it is not one. */
uint32_t softhca_mgid_to_ip(const uint8_t gid[16]);
/* softhca_mgid_to_lid - the LID of a multicast GID. */
uint16_t softhca_mgid_to_lid(const uint8_t gid[16]);

/* Groups that a process can be in. */
#define SOFTHCA_WIRE_GROUPS 64

/*
 * softhca_wire_set_groups - from now on receives packets to these groups only. It stays in those
 * that it was in before, so that nothing is lost. -ENOMEM: some of them exceed the room, and none
 * of their packets are received.
 */
int softhca_wire_set_groups(struct softhca_wire *wire, const uint32_t *ips, int count);
int softhca_wire_mcast_poll(void);
int softhca_wire_mcast_fds(int *fds, int max);

/*
 * softhca_wire_reserve - makes room for one datagram of SOFTHCA_PKT_MAX bytes to dst_ip.
 * softhca_wire_commit() then writes the packet's headers around its payload.
 * softhca_wire_commit_bytes() is for a complete datagram. Until then no other function of this wire
 * may be called. A packet that cannot be sent is dropped at commit.
 */
struct softhca_place {
	uint8_t *data; /* never NULL */
	struct ring_out *ring;
	bool sealed; /* its receiver needs an ICRC */
};
struct softhca_place softhca_wire_reserve(struct softhca_wire *wire, uint32_t dst_ip);
void softhca_wire_commit(struct softhca_wire *wire, const struct softhca_place *place,
			 struct softhca_pkt *pkt);
void softhca_wire_commit_bytes(struct softhca_wire *wire, const struct softhca_place *place,
			       uint32_t dst_ip, uint32_t len);

/*
 * softhca_wire_looks - number of looks for packets. It may be more than one in a turn, as the first
 * answers are seen before it ends. The packets of one look were sent before it.
 */
uint64_t softhca_wire_looks(void);

/* softhca_wire_send - encodes pkt around its payload, which is copied, and commits it. */
void softhca_wire_send(struct softhca_wire *wire, struct softhca_pkt *pkt);

/*
 * softhca_wire_ready - returns whether the receiver at dst_ip has room, as far as is known. After
 * patience_ns without an answer it returns true, since the receiver may be dead or stopped.
 */
bool softhca_wire_ready(struct softhca_wire *wire, uint32_t dst_ip, uint64_t patience_ns);

/*
 * softhca_wire_eth_ready - true if an Ethernet frame may go there, or to all ports. Such frames
 * wait while the receiver is alive, at most three seconds. softhca_wire_defer - called within rx:
 * the port keeps the datagram, which takes room until softhca_wire_taken().
 */
bool softhca_wire_eth_ready(struct softhca_wire *wire, uint32_t dst_ip);
uint32_t softhca_wire_defer(struct softhca_wire *wire);
void softhca_wire_taken(struct softhca_wire *wire, uint32_t src_ip, uint32_t dst_ip, uint32_t len);

/*
 * softhca_wire_may_ask - true if our own socket has room for this much READ data besides the data
 * requested before. One request is always allowed. softhca_wire_asked adds to it, with either sign.
 */
bool softhca_wire_may_ask(const struct softhca_wire *wire, uint32_t bytes);
void softhca_wire_asked(struct softhca_wire *wire, int64_t bytes);

/*
 * softhca_wire_has_hosts - returns whether there are other machines. softhca_wire_far - returns
 * whether packets for dst_ip leave this one, or may leave it.
 */
bool softhca_wire_has_hosts(void);
bool softhca_wire_far(struct softhca_wire *wire, uint32_t dst_ip);

/*
 * softhca_wire_ping - asks the device at dst_ip for a sign of life, unaffected by faults.
 * softhca_wire_pong - at the end of a turn, after its answers: sends the requested signs.
 * softhca_wire_mark - amount sent to the device so far, for the next two functions only.
 * softhca_wire_answer - whether the device has handled the packets before that mark, by its pings.
 * softhca_wire_wants_again - true if a repetition is of use: the device has handled these packets,
 * or they may be lost on the way to another host.
 */
enum softhca_answer {
	SOFTHCA_ANSWER_YES,
	SOFTHCA_ANSWER_NOBODY, /* no process has the address */
	/* yes, but its socket was full, so some of the packets or earlier ones were lost */
	SOFTHCA_ANSWER_LOST,
	SOFTHCA_ANSWER_OTHER,  /* it has answered since that time, but to other packets */
	SOFTHCA_ANSWER_SILENT, /* it waits for a processor */
};
void softhca_wire_pong(struct softhca_wire *wire);
bool softhca_wire_wants_again(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark);
void softhca_wire_ping(struct softhca_wire *wire, uint32_t dst_ip);
uint32_t softhca_wire_mark(struct softhca_wire *wire, uint32_t dst_ip);
enum softhca_answer softhca_wire_answer(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark,
					uint64_t since_ns);

/*
 * softhca_wire_process - the kernel's facts about the process with the address. False if they are
 * not known, as for other hosts, and without separate networks.
 */
struct softhca_process;
bool softhca_wire_process(struct softhca_wire *wire, uint32_t dst_ip,
			  struct softhca_process *process);

/* softhca_wire_claimed - returns whether a process of this machine has the address. */
bool softhca_wire_claimed(uint32_t ip);

/* softhca_wire_holder - number of the address's socket, never used twice. 0: unknown. */
uint64_t softhca_wire_holder(uint32_t ip);

/*
 * softhca_wire_flush - gives the committed packets to the kernel. softhca_wire_patient - from now
 * on the caller is on this processor (-1: unknown) and will soon send more, flush again or sleep.
 * Sleepers on it may wait that long for a wake-up.
 */
void softhca_wire_flush(struct softhca_wire *wire);
void softhca_wire_patient(int cpu);

/*
 * softhca_wire_sleep - the caller will sleep on the wire's descriptors, and senders must wake it.
 * True: there are packets, so do not sleep. softhca_wire_awake: no thread sleeps any more.
 * softhca_wire_answered: at the end of a turn, the received packets are handled and answered.
 * softhca_wire_look: the next _poll asks the kernel in any case.
 */
bool softhca_wire_sleep(void);
void softhca_wire_awake(void);
void softhca_wire_answered(void);
void softhca_wire_look(void);
/* softhca_wire_told - senders through memory woke the caller. Nothing has come by sockets. */
void softhca_wire_told(void);
/* softhca_wire_ring_fds - descriptors for wake-ups from senders through memory. */
int softhca_wire_ring_fds(int *fds, int max);
/* softhca_wire_shares_cpu - true if a peer process was last on this processor. */
bool softhca_wire_shares_cpu(int cpu);

/*
 * softhca_wire_poll - delivers packets to rx, a bounded number of them, and releases held back ones
 * that are due. Returns the number of delivered packets. Flushes nothing.
 */
int softhca_wire_poll(struct softhca_wire *wire, uint64_t now_ns);

/* softhca_wire_pending - true if _poll would deliver packets without asking the kernel. */
bool softhca_wire_pending(const struct softhca_wire *wire);

/* softhca_wire_deadline - time when the next held back packet is due. UINT64_MAX if none. */
uint64_t softhca_wire_deadline(const struct softhca_wire *wire);

#endif
