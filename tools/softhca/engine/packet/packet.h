/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The packets of the wire: RoCEv2, which is IBTA headers in a UDP datagram over
 * IPv4, closed by the invariant CRC. This part does not know queues or memory.
 *
 * IBTA leaves the opcodes 0xc0 to 0xff to the manufacturer. softhca uses them
 * for packets that IBTA does not define:
 *
 *   0xc0 | op   DC: operation `op` with the meaning it has in RC. A DCETH
 *               (32 bytes) follows the BTH in both directions.
 *   0xe0, 0xe1  masked compare-and-swap, masked fetch-and-add on RC
 *   0xe4, 0xe5  the same on XRC (XRCETH first)
 *   0xe8, 0xe9  the same on DC (DCETH first). Each carries a MaskedAtomicETH
 *               (48 bytes), and is answered by its transport's ATOMIC ACKNOWLEDGE.
 *   0xfe        an unchanged Ethernet frame between raw packet queues. The BTH's QP is the
 *               sender's.
 *   0xff        link credits (wire.c), which never reach a queue
 *
 *   DCETH            0 access key (64)   8 session (64)   16 source QP (24),
 *                    reserved (8)   20 start PSN (24), reserved (8)   24 stream
 *                    (16), reserved (48). Reserved is sent as zero and ignored.
 *   NETETH           0 31 the source GID is IPv4-mapped, 30 the destination GID is, 29:28
 *                    reserved, 27:20 traffic class, 19:0 flow label. It is the last header of a
 *                    datagram that has a GRH or an IPv6 header on a card's wire (enum softhca_net).
 *   MaskedAtomicETH  0 address (64)   8 rkey (32)   12 size in bytes, 4 or 8
 *                    (32)   16 swap or add (64)   24 compare (64)
 *                    32 swap mask or field boundaries (64)   40 compare mask (64)
 */
#ifndef SOFTHCA_ENGINE_PACKET_H
#define SOFTHCA_ENGINE_PACKET_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOFTHCA_ROCE_PORT     4791u
#define SOFTHCA_BTH_SIZE      12u
#define SOFTHCA_ICRC_SIZE     4u
#define SOFTHCA_MTU_MAX	      4096u
/* Longest headers before the payload. BTH + DCETH + RETH + ImmDt is the longest set but one. */
#define SOFTHCA_HDR_MAX	      96u
#define SOFTHCA_PKT_MAX	      (SOFTHCA_HDR_MAX + SOFTHCA_MTU_MAX + 4u + SOFTHCA_ICRC_SIZE)

#define SOFTHCA_PSN_MASK      0xffffffu
#define SOFTHCA_QPN_MASK      0xffffffu

/* Transport, the three upper bits of the opcode. */
enum softhca_transport {
	SOFTHCA_TR_RC = 0x00,
	SOFTHCA_TR_UC = 0x20,
	SOFTHCA_TR_UD = 0x60,
	SOFTHCA_TR_XRC = 0xa0,
	SOFTHCA_TR_DC = 0xc0,
	SOFTHCA_TR_PRIVATE = 0xe0,
};

/* Operation, the five lower bits, shared by all transports. */
enum softhca_pkt_op {
	SOFTHCA_OP_SEND_FIRST = 0x00,
	SOFTHCA_OP_SEND_MIDDLE = 0x01,
	SOFTHCA_OP_SEND_LAST = 0x02,
	SOFTHCA_OP_SEND_LAST_IMM = 0x03,
	SOFTHCA_OP_SEND_ONLY = 0x04,
	SOFTHCA_OP_SEND_ONLY_IMM = 0x05,
	SOFTHCA_OP_WRITE_FIRST = 0x06,
	SOFTHCA_OP_WRITE_MIDDLE = 0x07,
	SOFTHCA_OP_WRITE_LAST = 0x08,
	SOFTHCA_OP_WRITE_LAST_IMM = 0x09,
	SOFTHCA_OP_WRITE_ONLY = 0x0a,
	SOFTHCA_OP_WRITE_ONLY_IMM = 0x0b,
	SOFTHCA_OP_READ_REQUEST = 0x0c,
	SOFTHCA_OP_READ_RESP_FIRST = 0x0d,
	SOFTHCA_OP_READ_RESP_MIDDLE = 0x0e,
	SOFTHCA_OP_READ_RESP_LAST = 0x0f,
	SOFTHCA_OP_READ_RESP_ONLY = 0x10,
	SOFTHCA_OP_ACK = 0x11,
	SOFTHCA_OP_ATOMIC_ACK = 0x12,
	SOFTHCA_OP_CMP_SWAP = 0x13,
	SOFTHCA_OP_FETCH_ADD = 0x14,
	SOFTHCA_OP_SEND_LAST_INV = 0x16,
	SOFTHCA_OP_SEND_ONLY_INV = 0x17,
	/* Private: carried by the opcodes 0xe0 to 0xe9, decoded to these values. */
	SOFTHCA_OP_MASKED_CS = 0x18,
	SOFTHCA_OP_MASKED_FA = 0x19,
	SOFTHCA_OP_ETHERNET = 0x1e,
	SOFTHCA_OP_CREDIT = 0x1f,
};

/* Headers that follow the BTH, in this order. */
enum softhca_pkt_hdr {
	SOFTHCA_H_DCETH = 1 << 0,
	SOFTHCA_H_XRCETH = 1 << 1,
	SOFTHCA_H_DETH = 1 << 2,
	SOFTHCA_H_RETH = 1 << 3,
	SOFTHCA_H_ATOMIC = 1 << 4,
	SOFTHCA_H_MASKED = 1 << 5,
	SOFTHCA_H_AETH = 1 << 6,
	SOFTHCA_H_ATOMIC_ACK = 1 << 7,
	SOFTHCA_H_IMM = 1 << 8,
	SOFTHCA_H_IETH = 1 << 9,
	SOFTHCA_H_NETETH = 1 << 10,
	/* Not headers: properties and possible contents of the packet. */
	SOFTHCA_H_ETHERNET = 1 << 11,
	SOFTHCA_H_PAYLOAD = 1 << 12,
	SOFTHCA_H_RESPONSE = 1 << 13,
	SOFTHCA_H_CREDIT = 1 << 14,
	SOFTHCA_H_VALID = 1 << 15,
};

/* Acknowledge syndromes (IBTA table 44): two upper bits for the kind, five for the amount. */
enum softhca_aeth {
	SOFTHCA_AETH_ACK = 0x00,
	SOFTHCA_AETH_RNR = 0x20,
	SOFTHCA_AETH_NAK = 0x60,
	SOFTHCA_AETH_KIND = 0x60,
	SOFTHCA_AETH_VALUE = 0x1f,
	/* "Credit count invalid": the requester has no end-to-end flow control. */
	SOFTHCA_AETH_NO_CREDIT = 0x1f,
	SOFTHCA_NAK_PSN = 0x60,
	SOFTHCA_NAK_INVALID_REQ = 0x61,
	SOFTHCA_NAK_REMOTE_ACCESS = 0x62,
	SOFTHCA_NAK_REMOTE_OP = 0x63,
	/* Never sent: the responder ends silently. */
	SOFTHCA_NO_NAK = 0x7f,
};

/* Network of a card's RoCE packet. Ports take only those of their queue pair's network. */
enum softhca_net {
	SOFTHCA_NET_V2_IPV4, /* like rxe's packets */
	SOFTHCA_NET_V2_IPV6,
	SOFTHCA_NET_V1, /* a GRH after the Ethernet header, or on InfiniBand after the LRH */
	SOFTHCA_NET_MASK = 3,
};

/* One packet with parsed headers. Fields of absent headers are zero. */
struct softhca_pkt {
	uint32_t src_ip; /* host byte order, 127.x.y.z */
	uint32_t dst_ip;
	uint8_t transport; /* enum softhca_transport */
	uint8_t op;	   /* enum softhca_pkt_op */
	uint16_t hdrs;	   /* enum softhca_pkt_hdr */
	bool solicited;
	bool migreq;
	bool ack_req;
	/*
	 * Class of service, 6 bits. They are in reserved bits of the BTH, which the ICRC does not
	 * cover, because datagrams that the kernel sends as one share one IP header. RoCE: the
	 * upper 6 bits of the traffic class. InfiniBand, which has no IP header: SL << 2, and a bit
	 * for a GRH.
	 */
	uint8_t dscp;
	uint8_t net; /* enum softhca_net, also in reserved bits */
	/*
	 * Other fields of a datagram's address. The hop limit is in the reserved byte of the DETH
	 * if has_hop_limit, a reserved bit of the BTH, is set. rdma_rxe sends neither. The ECN bits
	 * of a v2 packet over IPv4 are in reserved bits of the BTH, the rest in a NETETH.
	 */
	bool has_hop_limit;
	uint8_t hop_limit, tclass;
	bool src_is_ipv4, dst_is_ipv4;
	uint32_t flow_label;
	uint16_t pkey;
	uint32_t dqpn;
	uint32_t psn;
	/* RETH, AtomicETH, MaskedAtomicETH */
	uint64_t raddr;
	uint32_t rkey;
	uint32_t dma_len; /* RETH length, or operand size of an atomic */
	uint64_t swap_add;
	uint64_t compare;
	uint64_t swap_mask; /* field boundaries of a masked fetch-and-add */
	uint64_t compare_mask;
	/* AETH, AtomicAckETH */
	uint8_t syndrome;
	uint32_t msn;
	uint64_t atomic_orig;
	uint32_t imm; /* as in the packet, read big-endian */
	uint32_t inv_rkey;
	/* DETH */
	uint32_t qkey;
	uint32_t sqpn; /* also from DCETH */
	uint32_t xrc_srqn;
	/* DCETH */
	uint64_t dc_key;
	uint64_t dc_session;
	uint16_t dc_stream;
	uint32_t dc_start_psn;
	const uint8_t *payload;
	uint32_t payload_len;
};

/* softhca_pkt_hdrs - the header set of (transport, op), or 0 if there is no such packet. */
uint16_t softhca_pkt_hdrs(uint8_t transport, uint8_t op);

/* softhca_pkt_add_neteth - adds a NETETH to the hdrs of softhca_pkt_hdrs(), if net needs one. */
void softhca_pkt_add_neteth(struct softhca_pkt *pkt);

/*
 * softhca_pkt_hdr_size - bytes from the start of the BTH to the payload. A sender uses it to gather
 * the payload in place before it calls _encode.
 */
uint32_t softhca_pkt_hdr_size(uint16_t hdrs);

/*
 * softhca_pkt_encode - writes headers, pad and ICRC (0 without `sealed`) around a payload that is
 * already at buf + softhca_pkt_hdr_size(pkt->hdrs). The caller sets pkt->hdrs from
 * softhca_pkt_hdrs(). Returns the length of the datagram. buf has room for SOFTHCA_PKT_MAX bytes.
 * pkt->payload is ignored, payload_len counts.
 */
uint32_t softhca_pkt_encode(uint8_t *buf, const struct softhca_pkt *pkt, bool sealed);
/* softhca_pkt_seal - writes the ICRC of a datagram of len bytes that was encoded without one. */
void softhca_pkt_seal(uint8_t *buf, uint32_t len, uint32_t src_ip, uint32_t dst_ip);

#define SOFTHCA_DSCP_MASK 0x3fu
#define SOFTHCA_DSCP_GRH  0x02u /* InfiniBand */
#define SOFTHCA_ECN_MASK  0x03u
/* Hop limit of packets without one from the sender. */
#define SOFTHCA_HOP_LIMIT 64u

/* Reasons why a datagram is not a packet. */
enum softhca_pkt_error {
	SOFTHCA_PKT_OK = 0,
	SOFTHCA_PKT_SHORT,   /* ends inside its headers */
	SOFTHCA_PKT_LONG,    /* more payload than the largest MTU */
	SOFTHCA_PKT_OPCODE,  /* no such opcode */
	SOFTHCA_PKT_VERSION, /* transport version is not 0 */
	SOFTHCA_PKT_PAD,     /* pad count and length contradict each other */
	SOFTHCA_PKT_ICRC,
};

/*
 * softhca_pkt_decode - checks a datagram from src_ip to dst_ip and parses it. pkt->payload points
 * into buf.
 */
enum softhca_pkt_error softhca_pkt_decode(struct softhca_pkt *pkt, const uint8_t *buf, uint32_t len,
					  uint32_t src_ip, uint32_t dst_ip);
/* softhca_pkt_decode_unsealed - like softhca_pkt_decode, for a packet without an ICRC. */
enum softhca_pkt_error softhca_pkt_decode_unsealed(struct softhca_pkt *pkt, const uint8_t *buf,
						   uint32_t len, uint32_t src_ip, uint32_t dst_ip);

/*
 * softhca_icrc - the invariant CRC of any RoCEv2 packet over IPv4. Its input is 28 bytes of IP and
 * UDP header, then len bytes that start with the BTH. It is sent least significant byte first.
 */
uint32_t softhca_icrc(const uint8_t ip_udp[28], const uint8_t *bth, uint32_t len);

/* softhca_pkt_icrc - the invariant CRC over len bytes that start with the BTH. */
uint32_t softhca_pkt_icrc(uint32_t src_ip, uint32_t dst_ip, const uint8_t *bth, uint32_t len);

/*
 * softhca_pkt_ip_udp - the 28 bytes of IPv4 and UDP header that the datagram has on the wire. They
 * have don't-fragment and identification 0 (as Linux writes for an unconnected socket with path-MTU
 * discovery). Traffic class and hop limit are the sender's, which the kernel does not write (see
 * softhca_pkt.dscp).
 */
void softhca_pkt_ip_udp(uint8_t out[28], uint32_t src_ip, uint32_t dst_ip, uint32_t udp_payload,
			uint8_t tclass, uint8_t hop_limit);

/* softhca_crc32 - continues a CRC-32 (IEEE 802.3, reflected, no final inversion). */
uint32_t softhca_crc32(uint32_t crc, const void *data, size_t len);

/* Compares PSNs on a circle of 2^24. Negative if a is before b. */
static inline int32_t softhca_psn_cmp(uint32_t a, uint32_t b)
{
	return (int32_t)((a - b) << 8) >> 8;
}

static inline uint32_t softhca_psn_add(uint32_t psn, uint32_t n)
{
	return (psn + n) & SOFTHCA_PSN_MASK;
}

#endif
