/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared by wire.c (addresses, sockets), wire_tx.c (sending) and wire_rx.c (receiving, credits). */
#ifndef SOFTHCA_ENGINE_WIRE_PRIV_H
#define SOFTHCA_ENGINE_WIRE_PRIV_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "host.h"
#include "ring.h"
#include "wire.h"

#ifndef UDP_GRO
#define UDP_GRO 104
#endif
#define WIRES_MAX	 64
#define FABRIC_SIZE	 64
#define ARENA_SIZE	 (256u * 1024)
#define MCAST_MEMBERS	 16
#define RX_BATCH	 8
#define RX_BUF		 65536u
#define GROUPS_MAX	 64
#define SOCKET_BUFFER	 (4 * 1024 * 1024)
#define CREDIT_SHARE	 4u /* part of a socket's room. Others send to the same peer */
#define PEERS		 1024u /* power of two. Colliding addresses share an entry by turns */
/* Room that a small datagram takes in a socket's buffer beyond its length. */
#define WIRE_PACKET_COST 768u
/* Interval of checks of the socket while rings carry the packets. */
#define WIRE_SOCKET_NS	 UINT64_C(10000)
#define WIRE_DRAIN_NS	 UINT64_C(100000000)

/* Datagrams of one size to one address. The kernel cuts them apart, or not even that. */
struct group {
	uint32_t dst_ip;
	uint32_t offset;
	uint32_t bytes;
	uint32_t seg;
	uint32_t packets;
	bool closed; /* a shorter one came, so none may follow */
};

/* A byte queue of datagrams between ports of this process. */
struct fifo {
	uint8_t *data;
	uint32_t used;
	uint32_t size;
};

struct fifo_record {
	uint32_t src_ip;
	uint32_t len;
	uint32_t sealed; /* has an ICRC */
	uint32_t pad;
};

/* A datagram that the fault plan holds back. */
struct held {
	struct held *next;
	uint64_t due_ns;
	uint32_t overtake; /* leaves after this many passed. 0: only by time */
	uint32_t dst_ip;
	uint32_t len;
	uint8_t data[];
};

/*
 * Link credits. InfiniBand's links lose nothing, because a sender knows the room of the other end.
 * A UDP socket just drops. So the receiving wire reports to each sender how much it has taken out
 * of its socket, and senders keep less under way than a socket holds. A sender that waits for room
 * asks. The ping carries the amount sent before it, and the pong returns that. Datagrams do not
 * overtake each other, so all of that amount has then been taken or lost. Therefore a lost credit
 * does not matter. These are private packets, opcode 0xff.
 */
enum link_kind { LINK_CREDIT, LINK_PING, LINK_PONG };

struct link_payload {
	uint32_t kind;
	uint32_t taken;	  /* since the last one */
	uint32_t flooded; /* the same for frames to all ports */
	uint32_t mark;	  /* of a ping: bytes sent before it. Of a pong: of its ping */
};

struct ping {
	uint32_t ip, mark;
};
#define PINGS_MAX 256u /* in a turn. A sender without an answer asks again */

struct peer {
	uint32_t ip;
	uint32_t sent, gone; /* in bytes. gone: taken or lost, as far as is known */
	uint32_t taken;	     /* since the last report to it */
	uint32_t flooded;    /* the same for frames to all ports */
	uint64_t heard_ns;   /* last sign that its device runs */
	uint32_t answered;   /* the mark of its last pong */
	uint32_t lost;	     /* the mark of the last pong that reported a loss */
	bool has_lost;
	uint64_t waiting_ns; /* time since when a sender waits for room. 0: none waits */
	uint64_t ask_ns;     /* time of the next question without a sign from it */
	uint64_t offer_ns;   /* time of the next offer of a ring */
	uint64_t trust_ns;   /* until then it is known whether the peer is on our network */
	uint64_t ours_ns;    /* last time that it was on our network */
	bool ours;
	pid_t pid; /* of the process that had the address then. 0: unknown */
};

/* A receiver of frames to all ports, known by its credits. */
struct flood_member {
	uint32_t ip; /* 0: none */
	uint32_t under_way;
	uint64_t waiting_ns;
};
#define FLOOD_MEMBERS 32
#define SPOKEN	      16

struct flood {
	struct flood_member member[FLOOD_MEMBERS];
	uint32_t blind; /* sent before a member was known */
	uint64_t waiting_ns;
};

struct softhca_wire {
	int fd;
	int host_fd; /* see fabric.h */
	uint64_t drain_ns;
	uint32_t ip;
	uint32_t mtu; /* of the interface below. 0: any packet fits */
	bool up;
	softhca_wire_rx rx;
	void *arg;
	struct softhca_wire_stats stats;
	/* Outgoing */
	uint8_t *arena;
	uint32_t arena_used;
	uint32_t group_count;
	struct group groups[GROUPS_MAX];
	struct held *held;
	uint32_t credit; /* largest amount under way to one peer */
	uint64_t asked;	 /* READ data that was requested and has not come yet */
	struct peer *peers;
	struct ping pings[PINGS_MAX]; /* to be answered after the acknowledgements of the turn */
	uint32_t pings_count;
	struct flood flood;
	uint64_t asked_ns; /* last check whether a silent receiver exists */
	/* Incoming, from this process */
	struct fifo local[2];
	int filling;	  /* the one that takes new packets */
	uint32_t current; /* length of the datagram that is being delivered */
	bool deferred;	  /* the port keeps it for later */
	uint32_t waiting; /* bytes it keeps */
	/* Rings to and from other processes, see ring.h */
	int ring_fd;
	struct ring_out *rings_out, *last_out;
	struct ring_in *rings_in;
	uint32_t rings_in_count, rings_out_count;
	uint32_t sweep_at; /* number of rings_in for the next sweep */
	uint32_t rings_kept; /* bytes of rings_out that may have pages */
	bool ring_sleeps;
	uint64_t now; /* at the beginning of the turn */
	uint64_t socket_ns; /* with rings: time of the next check of the socket */
};

struct mcast_group {
	uint32_t ip; /* 0: free */
	int fd;
	struct softhca_wire *members[MCAST_MEMBERS];
};

struct rx_batch {
	struct mmsghdr msgs[RX_BATCH];
	struct iovec iov[RX_BATCH];
	struct sockaddr_in from[RX_BATCH];
	_Alignas(struct cmsghdr) char control[RX_BATCH][CMSG_SPACE(sizeof(int))];
};

struct tx_batch {
	struct mmsghdr msgs[GROUPS_MAX];
	struct iovec iov[GROUPS_MAX];
	struct sockaddr_in to[GROUPS_MAX];
	_Alignas(struct cmsghdr) char control[GROUPS_MAX][CMSG_SPACE(sizeof(uint16_t))];
};

/* State of this part for the process. All zero at first, because of its size. */
extern struct the_wire {
	char fabric[FABRIC_SIZE]; /* "": all processes are on one network */
	uint32_t uid;
	uint8_t net;		/* more than usual */
	uint32_t network, mask; /* of the machine's addresses that are ours. 0: loopback */
	struct softhca_wire *wires[WIRES_MAX];
	int wires_end; /* after the last one that was ever used */
	bool only_sockets, only_rings, no_rings;
	struct mcast_group groups[SOFTHCA_WIRE_GROUPS];
	uint32_t spoken[SPOKEN]; /* the first groups that packets were sent to */
	struct softhca_pcap *capture;
	int patient; /* 1 + the processor of the waiting thread. 0: none */
	uint64_t looks;
	struct tx_batch tx;
	struct rx_batch rx;
	uint8_t bit_bucket[SOFTHCA_PKT_MAX];
	uint8_t rx_buffers[RX_BATCH][RX_BUF];
} the_wire __attribute__((visibility("hidden")));

/* softhca_wire_has_rings - returns whether packets may go through rings. */
bool softhca_wire_has_rings(void);
/* softhca_wire_find - the port of this process that has the address, if local delivery is on. */
struct softhca_wire *softhca_wire_find(uint32_t ip);
struct peer *softhca_wire_peer(struct softhca_wire *w, uint32_t ip);
/* softhca_wire_trusts - true if the address was on our network at a recent check. */
bool softhca_wire_trusts(struct softhca_wire *w, uint32_t ip);
bool softhca_wire_trusts_sender(struct softhca_wire *w, uint32_t ip, uint16_t port);
/* softhca_wire_reserve_socket - like softhca_wire_reserve(), always in the arena. */
struct softhca_place softhca_wire_reserve_socket(struct softhca_wire *w);
/* softhca_wire_push - pushes the datagram to dst_ip at the end of the arena. */
void softhca_wire_push(struct softhca_wire *w, uint32_t dst_ip, uint32_t len);
/* softhca_wire_resend - sends the contents of a ring by the socket, as far as there is room. */
void softhca_wire_resend(struct softhca_wire *w, uint32_t dst_ip, const uint8_t *data, uint32_t len,
			 bool sealed);
/* softhca_wire_release - releases held packets: those due, or overtaken `passed` more. */
void softhca_wire_release(struct softhca_wire *w, uint32_t passed, uint64_t now);

/* softhca_wire_deliver - checks a datagram and gives it to the port. */
void softhca_wire_deliver(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			  uint32_t src_ip, uint32_t dst_ip);
/* softhca_wire_deliver_as - same. Without `sealed` it came through memory, without an ICRC. */
void softhca_wire_deliver_as(struct softhca_wire *w, const uint8_t *data, uint32_t len,
			     uint32_t src_ip, uint32_t dst_ip, bool sealed);
/* softhca_wire_looked - begins a new look: the packets delivered from here on are present now. */
void softhca_wire_looked(void);
/* softhca_wire_empty_socket - takes everything that is in the socket now. */
void softhca_wire_empty_socket(struct softhca_wire *w);
/* softhca_wire_note_taken - a datagram of that sender has left the socket, so it may get credit. */
void softhca_wire_note_taken(struct softhca_wire *w, uint32_t src_ip, uint32_t dst_ip,
			     uint32_t len);
/* softhca_wire_sockets - sockets bound to this address, from the kernel. */
struct sockets {
	bool known;
	int count;
	uint64_t unread; /* bytes in all of them */
	uint64_t last;	 /* number of one of them. 0: none */
};
struct sockets softhca_wire_sockets(uint32_t ip);
/* softhca_wire_spoke - notes that packets are sent to a group. */
void softhca_wire_spoke(uint32_t group_ip);
/* softhca_wire_group_others - number of other processes with a socket in the group. */
int softhca_wire_group_others(uint32_t group_ip);
/* softhca_wire_ask_all - pings the peers that may lack packets. True if there are any. */
bool softhca_wire_ask_all(struct softhca_wire *w);
/* Frames to all ports: this amount was sent, and a member has taken this amount. */
void softhca_wire_flooded(struct softhca_wire *w, uint32_t cost);
void softhca_wire_flood_credit(struct softhca_wire *w, uint32_t ip, uint32_t bytes);
/* softhca_wire_mcast_forget - for a forked child: closes its copies of the group sockets. */
void softhca_wire_mcast_forget(void);

#endif
