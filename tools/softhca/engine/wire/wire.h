/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The wire: one UDP socket per device port, bound to an address of its own, port 4791: a
 * loopback address 127.NET.a.b, or one of an interface (see softhca_wire_host()). Binding is the
 * claim: the kernel lets one socket have an address, and gives it back when the process dies. No
 * daemon, no file.
 *
 *   IPv4 127.NET.a.b  <->  LID a << 8 | b
 *                     <->  RoCE GID ::ffff:127.NET.a.b
 *                     <->  port GUID 0c42:a17f:NETa:b000 as softhca_wire_guid() has it,
 *                          hence IB GID fe80::GUID
 *
 * Datagrams to a port of the same process skip the socket, nothing else: they
 * are the same bytes, seen by the fault plan and by the capture.
 * Everything here is called with the device lock held.
 */
#ifndef SOFTHCA_ENGINE_WIRE_H
#define SOFTHCA_ENGINE_WIRE_H

#include <stdbool.h>
#include <stdint.h>

#include "tools/softhca/engine/packet/packet.h"

struct ring_out;
struct softhca_wire;
struct softhca_pcap;

/* What a port does with a packet that is whole. pkt and its payload live until the return. */
typedef void (*softhca_wire_rx)(void *arg, const struct softhca_pkt *pkt);

struct softhca_wire_stats {
	uint64_t tx_packets, rx_packets;
	uint64_t tx_bytes, rx_bytes;
	uint64_t tx_multicast, rx_multicast; /* of the packets */
	uint64_t rx_bad;     /* no packet, or a wrong ICRC */
	uint64_t tx_dropped; /* the kernel or the local queue had no room */
};

/*
 * softhca_wire_host - ports have addresses of this machine in the network ip/bits (16 to 32), and
 * reach every host that IPv4 leads to. False: there are none but loopback. Before the first open.
 */
bool softhca_wire_host(uint32_t ip, unsigned int bits);
bool softhca_wire_is_own_network(uint32_t ip);
/* softhca_wire_is_host - does it name one port, here or elsewhere? Other addresses here do not. */
bool softhca_wire_is_host(uint32_t ip);
/* softhca_wire_mtu - the interface's longest datagram, with IP header; 0: any packet fits. */
uint32_t softhca_wire_mtu(const struct softhca_wire *wire);

/* softhca_wire_net - which 127.NET.0.0/16 this process uses (default 77); before the first open. */
void softhca_wire_net(uint8_t net);

/*
 * softhca_wire_fabric - on one network with us are the processes of our user that gave the same
 * name ("" for none), and nobody else. NULL, as at first: all processes. Before the first open.
 */
void softhca_wire_fabric(const char *name);
/* softhca_wire_is_ours - does a process of our network have this address? */
bool softhca_wire_is_ours(uint32_t ip);

/* softhca_wire_only_sockets - no short cut between ports of this process; for tests. */
void softhca_wire_only_sockets(bool yes);

/* softhca_wire_only_rings - shared memory between ports of this process, too; for tests. */
void softhca_wire_only_rings(bool yes);

/*
 * softhca_wire_set_pcap - write every packet that is sent to pcap (NULL: stop). The caller
 * keeps owning it; a capture that lasts as long as the process needs no close.
 */
void softhca_wire_set_pcap(struct softhca_pcap *pcap);

/* softhca_wire_capture - an Ethernet frame is on its way to whoever wants it. */
void softhca_wire_capture(const uint8_t *frame, uint32_t len);

/*
 * softhca_wire_open - claim the address `want` (host order), or the lowest free
 * one if it is 0. 0 or a negative errno: -EADDRINUSE, -EADDRNOTAVAIL (no address left).
 */
int softhca_wire_open(struct softhca_wire **wire, uint32_t want, softhca_wire_rx rx, void *arg);

/* softhca_wire_close - accepts NULL. Packets under way are lost. */
void softhca_wire_close(struct softhca_wire *wire);

/* softhca_wire_fork_child - forget all wires: their sockets are the parent's. */
void softhca_wire_fork_child(void);

uint32_t softhca_wire_ip(const struct softhca_wire *wire);
uint16_t softhca_wire_lid(const struct softhca_wire *wire);
uint64_t softhca_wire_guid(const struct softhca_wire *wire);
uint64_t softhca_ip_to_guid(uint32_t ip); /* host order */
int softhca_wire_fd(const struct softhca_wire *wire);
const struct softhca_wire_stats *softhca_wire_stats(const struct softhca_wire *wire);

/* softhca_wire_set_link - a port that is down neither sends nor receives. Up at first. */
void softhca_wire_set_link(struct softhca_wire *wire, bool up);

#define SOFTHCA_LID_LAST 0xbfffu /* of one port */

/* Arithmetic between addresses. The GID may be of either kind; 0 if it names nobody here. */
uint32_t softhca_lid_to_ip(uint16_t lid);
uint32_t softhca_gid_to_ip(const uint8_t gid[16]);
void softhca_ip_to_gid(uint32_t ip, uint8_t gid[16]);
/* A locally administered Ethernet address that shows the IP address it stands for. */
void softhca_ip_to_mac(uint32_t ip, uint8_t mac[6]);

/* softhca_gid_is_group - a multicast GID, or an IPv4 multicast address as RoCE v2 has it? */
bool softhca_gid_is_group(const uint8_t gid[16]);
/* The address behind such an Ethernet address; 0 if it is another one. */
uint32_t softhca_mac_to_ip(const uint8_t mac[6]);
/* Where frames go that everybody may want. */
uint32_t softhca_flood_ip(void);

/* softhca_gid_is_ipv4 - ::ffff:a.b.c.d, so that RoCE v2 goes over IPv4? */
bool softhca_gid_is_ipv4(const uint8_t gid[16]);
/* softhca_mgid_to_ip - the IPv4 group of a multicast GID; 0 if it is not one. */
uint32_t softhca_mgid_to_ip(const uint8_t gid[16]);

/* Groups that a process can be in. */
#define SOFTHCA_WIRE_GROUPS 64

/*
 * softhca_wire_set_groups - receive what is sent to these groups, and to no others, from now on. In
 * those that it was in before it stays, so that nothing is lost. -ENOMEM: some of them are more
 * than there is room for, and nothing of theirs is received.
 */
int softhca_wire_set_groups(struct softhca_wire *wire, const uint32_t *ips, int count);
int softhca_wire_mcast_poll(void);
int softhca_wire_mcast_fds(int *fds, int max);

/*
 * softhca_wire_reserve - room for one datagram of SOFTHCA_PKT_MAX bytes to dst_ip, for
 * softhca_wire_commit() to write the packet's headers around its payload, or for
 * softhca_wire_commit_bytes(), if the datagram is whole; until then nothing else is done with this
 * wire. What cannot be sent is dropped at commit.
 */
struct softhca_place {
	uint8_t *data; /* never NULL */
	struct ring_out *ring;
	bool sealed; /* whoever takes it wants an ICRC */
};
struct softhca_place softhca_wire_reserve(struct softhca_wire *wire, uint32_t dst_ip);
void softhca_wire_commit(struct softhca_wire *wire, const struct softhca_place *place,
			 struct softhca_pkt *pkt);
void softhca_wire_commit_bytes(struct softhca_wire *wire, const struct softhca_place *place,
			       uint32_t dst_ip, uint32_t len);

/*
 * softhca_wire_looks - how often packets have been looked for; more than once in a turn, as the
 * first answers are seen before it ends. What one look finds was sent before it.
 */
uint64_t softhca_wire_looks(void);

/* softhca_wire_send - encode pkt around its payload, which is copied, and commit it. */
void softhca_wire_send(struct softhca_wire *wire, struct softhca_pkt *pkt);

/*
 * softhca_wire_ready - does the receiver at dst_ip have room, as far as is known? After
 * patience_ns without an answer yes is assumed: the receiver may be dead or stopped.
 */
bool softhca_wire_ready(struct softhca_wire *wire, uint32_t dst_ip, uint64_t patience_ns);

/*
 * softhca_wire_eth_ready - may an Ethernet frame go there, or to everybody? Such frames wait as
 * long as the receiver is alive, three seconds at most. softhca_wire_defer - from within rx: the
 * port keeps the datagram, which takes room until softhca_wire_taken() gives that back.
 */
bool softhca_wire_eth_ready(struct softhca_wire *wire, uint32_t dst_ip);
uint32_t softhca_wire_defer(struct softhca_wire *wire);
void softhca_wire_taken(struct softhca_wire *wire, uint32_t src_ip, uint32_t dst_ip, uint32_t len);

/*
 * softhca_wire_may_ask - has our own socket room for so much READ data besides what was asked
 * for already? One request always may. softhca_wire_asked counts, with either sign.
 */
bool softhca_wire_may_ask(const struct softhca_wire *wire, uint32_t bytes);
void softhca_wire_asked(struct softhca_wire *wire, int64_t bytes);

/*
 * softhca_wire_has_hosts - are there other machines? softhca_wire_far - do packets for dst_ip leave
 * this one, or may they?
 */
bool softhca_wire_has_hosts(void);
bool softhca_wire_far(struct softhca_wire *wire, uint32_t dst_ip);

/*
 * softhca_wire_ping - ask the device at dst_ip for a sign of life, below all faults.
 * softhca_wire_pong - at the end of a turn, behind its answers: those who asked get their sign.
 * softhca_wire_mark - how far what was sent to it has come; only good for the following two.
 * softhca_wire_answer - has it dealt with what was sent before that mark, as its pings tell?
 * softhca_wire_wants_again - has it? Or may it have been lost on the way, to another host?
 */
enum softhca_answer {
	SOFTHCA_ANSWER_YES,
	SOFTHCA_ANSWER_NOBODY, /* nobody has the address */
	/* yes, but its socket was full: some of it was lost, or something before it */
	SOFTHCA_ANSWER_LOST,
	SOFTHCA_ANSWER_OTHER,  /* it has said something since that time, though not about this */
	SOFTHCA_ANSWER_SILENT, /* it waits for a processor */
};
void softhca_wire_pong(struct softhca_wire *wire);
bool softhca_wire_wants_again(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark);
void softhca_wire_ping(struct softhca_wire *wire, uint32_t dst_ip);
uint32_t softhca_wire_mark(struct softhca_wire *wire, uint32_t dst_ip);
enum softhca_answer softhca_wire_answer(struct softhca_wire *wire, uint32_t dst_ip, uint32_t mark,
					uint64_t since_ns);

/*
 * softhca_wire_process - what the kernel tells of the process that has the address. False if it is
 * not known, as on other hosts, and where networks are not separate.
 */
struct softhca_process;
bool softhca_wire_process(struct softhca_wire *wire, uint32_t dst_ip,
			  struct softhca_process *process);

/* softhca_wire_claimed - does any process of this machine have the address? */
bool softhca_wire_claimed(uint32_t ip);

/* softhca_wire_holder - the number of the address's socket, never used twice; 0: unknown. */
uint64_t softhca_wire_holder(uint32_t ip);

/*
 * softhca_wire_flush - hand what was committed to the kernel. softhca_wire_patient - from now on
 * the caller is on this processor (-1: who knows), and is about to send more, to flush again or to
 * sleep: sleepers on it may wait that long for a wake-up.
 */
void softhca_wire_flush(struct softhca_wire *wire);
void softhca_wire_patient(int cpu);

/*
 * softhca_wire_sleep - the caller is going to sleep on the wire's descriptors: senders shall wake
 * it up. True: do not, there are packets. softhca_wire_awake: nobody sleeps any more.
 * softhca_wire_answered: at the end of a turn; what has come before is dealt with and answered.
 * softhca_wire_look: the next _poll asks the kernel whatever it knows.
 */
bool softhca_wire_sleep(void);
void softhca_wire_awake(void);
void softhca_wire_answered(void);
void softhca_wire_look(void);
/* softhca_wire_told - senders through memory woke the caller; nothing has come by sockets. */
void softhca_wire_told(void);
/* softhca_wire_ring_fds - those that senders through memory wake us by. */
int softhca_wire_ring_fds(int *fds, int max);
/* softhca_wire_shares_cpu - was somebody that we exchange packets with last on this processor? */
bool softhca_wire_shares_cpu(int cpu);

/*
 * softhca_wire_poll - deliver packets to rx, a bounded number of them; release held back
 * ones that are due. Returns how many were delivered. Flushes nothing.
 */
int softhca_wire_poll(struct softhca_wire *wire, uint64_t now_ns);

/* softhca_wire_pending - would _poll deliver local packets without asking the kernel? */
bool softhca_wire_pending(const struct softhca_wire *wire);

/* softhca_wire_deadline - when the next held back packet is due, UINT64_MAX if none. */
uint64_t softhca_wire_deadline(const struct softhca_wire *wire);

#endif
