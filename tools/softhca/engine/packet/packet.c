/* SPDX-License-Identifier: BSD-2-Clause */
/* RoCEv2 packets: the headers of each opcode, encoding, decoding and the ICRC. */
#include "packet.h"

#include <string.h>

#include "be.h"
#include "clear.h"
#include "tools/softhca/engine/packet/eth.h"

#define IP_UDP_SIZE 28u

#define PL    SOFTHCA_H_PAYLOAD
#define RESP  SOFTHCA_H_RESPONSE
#define VALID SOFTHCA_H_VALID

static const uint16_t ops[32] = {
	[SOFTHCA_OP_SEND_FIRST] = VALID | PL,
	[SOFTHCA_OP_SEND_MIDDLE] = VALID | PL,
	[SOFTHCA_OP_SEND_LAST] = VALID | PL,
	[SOFTHCA_OP_SEND_LAST_IMM] = VALID | PL | SOFTHCA_H_IMM,
	[SOFTHCA_OP_SEND_ONLY] = VALID | PL,
	[SOFTHCA_OP_SEND_ONLY_IMM] = VALID | PL | SOFTHCA_H_IMM,
	[SOFTHCA_OP_WRITE_FIRST] = VALID | PL | SOFTHCA_H_RETH,
	[SOFTHCA_OP_WRITE_MIDDLE] = VALID | PL,
	[SOFTHCA_OP_WRITE_LAST] = VALID | PL,
	[SOFTHCA_OP_WRITE_LAST_IMM] = VALID | PL | SOFTHCA_H_IMM,
	[SOFTHCA_OP_WRITE_ONLY] = VALID | PL | SOFTHCA_H_RETH,
	[SOFTHCA_OP_WRITE_ONLY_IMM] = VALID | PL | SOFTHCA_H_RETH | SOFTHCA_H_IMM,
	[SOFTHCA_OP_READ_REQUEST] = VALID | SOFTHCA_H_RETH,
	[SOFTHCA_OP_READ_RESP_FIRST] = VALID | RESP | PL | SOFTHCA_H_AETH,
	[SOFTHCA_OP_READ_RESP_MIDDLE] = VALID | RESP | PL,
	[SOFTHCA_OP_READ_RESP_LAST] = VALID | RESP | PL | SOFTHCA_H_AETH,
	[SOFTHCA_OP_READ_RESP_ONLY] = VALID | RESP | PL | SOFTHCA_H_AETH,
	[SOFTHCA_OP_ACK] = VALID | RESP | SOFTHCA_H_AETH,
	[SOFTHCA_OP_ATOMIC_ACK] = VALID | RESP | SOFTHCA_H_AETH | SOFTHCA_H_ATOMIC_ACK,
	[SOFTHCA_OP_CMP_SWAP] = VALID | SOFTHCA_H_ATOMIC,
	[SOFTHCA_OP_FETCH_ADD] = VALID | SOFTHCA_H_ATOMIC,
	[SOFTHCA_OP_SEND_LAST_INV] = VALID | PL | SOFTHCA_H_IETH,
	[SOFTHCA_OP_SEND_ONLY_INV] = VALID | PL | SOFTHCA_H_IETH,
	[SOFTHCA_OP_MASKED_CS] = VALID | SOFTHCA_H_MASKED,
	[SOFTHCA_OP_MASKED_FA] = VALID | SOFTHCA_H_MASKED,
};

static bool uc_has(uint8_t op)
{
	return op <= SOFTHCA_OP_WRITE_ONLY_IMM || op == SOFTHCA_OP_SEND_LAST_INV ||
	       op == SOFTHCA_OP_SEND_ONLY_INV;
}

uint16_t softhca_pkt_hdrs(uint8_t transport, uint8_t op)
{
	const uint16_t h = op < 32 ? ops[op] : 0;

	switch (transport) {
	case SOFTHCA_TR_RC:
		return h;
	case SOFTHCA_TR_UC:
		return uc_has(op) ? h : 0;
	case SOFTHCA_TR_UD:
		if (op != SOFTHCA_OP_SEND_ONLY && op != SOFTHCA_OP_SEND_ONLY_IMM)
			return 0;
		return h | SOFTHCA_H_DETH;
	case SOFTHCA_TR_XRC:
		/* Responses go to the initiator's QP, not to an SRQ. */
		return h && !(h & RESP) ? h | SOFTHCA_H_XRCETH : h;
	case SOFTHCA_TR_DC:
		return h ? h | SOFTHCA_H_DCETH : 0;
	case SOFTHCA_TR_PRIVATE:
		if (op == SOFTHCA_OP_ETHERNET)
			return VALID | PL | SOFTHCA_H_ETHERNET;
		return op == SOFTHCA_OP_CREDIT ? VALID | PL | SOFTHCA_H_CREDIT : 0;
	default:
		return 0;
	}
}

/* Indexed by the number of the bit. The headers follow the BTH in this order. */
static const uint8_t hdr_sizes[] = {
	32, /* DCETH */
	4,  /* XRCETH */
	8,  /* DETH */
	16, /* RETH */
	28, /* ATOMIC */
	48, /* MASKED */
	4,  /* AETH */
	8,  /* ATOMIC_ACK */
	4,  /* IMM */
	4,  /* IETH */
	4,  /* NETETH */
};
_Static_assert(SOFTHCA_H_DCETH == 1, "the first header that has a size");
_Static_assert(SOFTHCA_H_NETETH == 1 << (sizeof(hdr_sizes) - 1), "a size for each header");

void softhca_pkt_add_neteth(struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_DETH && pkt->net != SOFTHCA_NET_V2_IPV4)
		pkt->hdrs |= SOFTHCA_H_NETETH;
}

uint32_t softhca_pkt_hdr_size(uint16_t hdrs)
{
	unsigned int left = hdrs & (2u * SOFTHCA_H_NETETH - 1);
	uint32_t size = SOFTHCA_BTH_SIZE;

	/* A packet has few headers. */
	for (; left; left &= left - 1)
		size += hdr_sizes[__builtin_ctz(left)];
	return size;
}

static uint8_t opcode_of(const struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_MASKED) {
		const uint8_t base = pkt->transport == SOFTHCA_TR_XRC  ? 0xe4
				     : pkt->transport == SOFTHCA_TR_DC ? 0xe8
								       : 0xe0;

		return base | (pkt->op & 1);
	}
	return pkt->transport | pkt->op;
}

/* Splits an opcode byte into (transport, op). False for an undefined opcode. */
static bool opcode_split(uint8_t opcode, uint8_t *transport, uint8_t *op)
{
	static const uint8_t masked[3] = {SOFTHCA_TR_RC, SOFTHCA_TR_XRC, SOFTHCA_TR_DC};

	*transport = opcode & 0xe0;
	*op = opcode & 0x1f;
	if (*transport == SOFTHCA_TR_PRIVATE && *op < 12) {
		*transport = masked[*op >> 2];
		*op = SOFTHCA_OP_MASKED_CS | (*op & 3);
		return (*op & 3) < 2;
	}
	/* The numbers of the masked operations are assigned in 0xe0.. only. */
	return *op != SOFTHCA_OP_MASKED_CS && *op != SOFTHCA_OP_MASKED_FA;
}

static uint8_t *put_requests(uint8_t *p, const struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_RETH) {
		put64(p, pkt->raddr);
		put32(p + 8, pkt->rkey);
		put32(p + 12, pkt->dma_len);
		p += 16;
	}
	if (pkt->hdrs & SOFTHCA_H_ATOMIC) {
		put64(p, pkt->raddr);
		put32(p + 8, pkt->rkey);
		put64(p + 12, pkt->swap_add);
		put64(p + 20, pkt->compare);
		p += 28;
	}
	if (pkt->hdrs & SOFTHCA_H_MASKED) {
		put64(p, pkt->raddr);
		put32(p + 8, pkt->rkey);
		put32(p + 12, pkt->dma_len);
		put64(p + 16, pkt->swap_add);
		put64(p + 24, pkt->compare);
		put64(p + 32, pkt->swap_mask);
		put64(p + 40, pkt->compare_mask);
		p += 48;
	}
	return p;
}

static uint8_t *put_addressing(uint8_t *p, const struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_DCETH) {
		put64(p, pkt->dc_key);
		put64(p + 8, pkt->dc_session);
		put24(p + 16, pkt->sqpn);
		p[19] = 0;
		put24(p + 20, pkt->dc_start_psn);
		p[23] = 0;
		put64(p + 24, (uint64_t)pkt->dc_stream << 48);
		p += 32;
	}
	if (pkt->hdrs & SOFTHCA_H_XRCETH) {
		put32(p, pkt->xrc_srqn & SOFTHCA_QPN_MASK);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_DETH) {
		put32(p, pkt->qkey);
		put32(p + 4, (uint32_t)(pkt->has_hop_limit ? pkt->hop_limit : 0) << 24 |
				     (pkt->sqpn & SOFTHCA_QPN_MASK));
		p += 8;
	}
	return p;
}

static void put_tail_headers(uint8_t *p, const struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_AETH) {
		p[0] = pkt->syndrome;
		put24(p + 1, pkt->msn);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_ATOMIC_ACK) {
		put64(p, pkt->atomic_orig);
		p += 8;
	}
	if (pkt->hdrs & SOFTHCA_H_IMM) {
		put32(p, pkt->imm);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_IETH)
		put32(p, pkt->inv_rkey);
	else if (pkt->hdrs & SOFTHCA_H_NETETH)
		put32(p, (uint32_t)pkt->src_is_ipv4 << 31 | (uint32_t)pkt->dst_is_ipv4 << 30 |
				 (uint32_t)pkt->tclass << 20 | (pkt->flow_label & 0xfffff));
}

void softhca_pkt_seal(uint8_t *buf, uint32_t len, uint32_t src_ip, uint32_t dst_ip)
{
	const uint32_t end = len - SOFTHCA_ICRC_SIZE;
	const uint32_t icrc = softhca_pkt_icrc(src_ip, dst_ip, buf, end);

	/* The CRC is sent least significant byte first, as in Ethernet. */
	for (uint32_t i = 0; i < SOFTHCA_ICRC_SIZE; i++)
		buf[end + i] = (uint8_t)(icrc >> (8 * i));
}

/* Reserved bits of the BTH: presence of a hop limit, and the ECN bits of IPv4. */
#define HAS_HOP_LIMIT (1u << 4)
#define ECN_AT	      2

static uint32_t datagram_bits(const struct softhca_pkt *pkt)
{
	if (!(pkt->hdrs & SOFTHCA_H_DETH))
		return 0;
	return (pkt->has_hop_limit ? HAS_HOP_LIMIT << 24 : 0) |
	       (uint32_t)(pkt->tclass & SOFTHCA_ECN_MASK) << (24 + ECN_AT);
}

uint32_t softhca_pkt_encode(uint8_t *buf, const struct softhca_pkt *pkt, bool sealed)
{
	const uint32_t pad = -pkt->payload_len & 3;
	const uint32_t hdr = softhca_pkt_hdr_size(pkt->hdrs);
	const uint32_t len = hdr + pkt->payload_len + pad + SOFTHCA_ICRC_SIZE;
	uint8_t *p;

	buf[0] = opcode_of(pkt);
	buf[1] = (uint8_t)(pkt->solicited << 7 | pkt->migreq << 6 | pad << 4);
	put16(buf + 2, pkt->pkey);
	put32(buf + 4, (uint32_t)(pkt->dscp & SOFTHCA_DSCP_MASK) << 24 |
			       (pkt->dqpn & SOFTHCA_QPN_MASK));
	put32(buf + 8, (uint32_t)pkt->ack_req << 31 | datagram_bits(pkt) |
			       (uint32_t)(pkt->net & SOFTHCA_NET_MASK) << 24 |
			       (pkt->psn & SOFTHCA_PSN_MASK));
	p = put_addressing(buf + SOFTHCA_BTH_SIZE, pkt);
	put_tail_headers(put_requests(p, pkt), pkt);
	memset(buf + hdr + pkt->payload_len, 0, pad + SOFTHCA_ICRC_SIZE);
	if (sealed)
		softhca_pkt_seal(buf, len, pkt->src_ip, pkt->dst_ip);
	return len;
}

static const uint8_t *get_addressing(const uint8_t *p, struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_DCETH) {
		pkt->dc_key = get64(p);
		pkt->dc_session = get64(p + 8);
		pkt->sqpn = get24(p + 16);
		pkt->dc_start_psn = get24(p + 20);
		pkt->dc_stream = (uint16_t)get16(p + 24);
		p += 32;
	}
	if (pkt->hdrs & SOFTHCA_H_XRCETH) {
		pkt->xrc_srqn = get24(p + 1);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_DETH) {
		pkt->qkey = get32(p);
		pkt->hop_limit = pkt->has_hop_limit ? p[4] : 0;
		pkt->sqpn = get24(p + 5);
		p += 8;
	}
	return p;
}

static const uint8_t *get_requests(const uint8_t *p, struct softhca_pkt *pkt)
{
	if (pkt->hdrs & (SOFTHCA_H_RETH | SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED)) {
		pkt->raddr = get64(p);
		pkt->rkey = get32(p + 8);
		p += 12;
	}
	if (pkt->hdrs & (SOFTHCA_H_RETH | SOFTHCA_H_MASKED)) {
		pkt->dma_len = get32(p);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_ATOMIC)
		pkt->dma_len = 8;
	if (pkt->hdrs & (SOFTHCA_H_ATOMIC | SOFTHCA_H_MASKED)) {
		pkt->swap_add = get64(p);
		pkt->compare = get64(p + 8);
		p += 16;
	}
	if (pkt->hdrs & SOFTHCA_H_MASKED) {
		pkt->swap_mask = get64(p);
		pkt->compare_mask = get64(p + 8);
		p += 16;
	}
	return p;
}

static void get_tail_headers(const uint8_t *p, struct softhca_pkt *pkt)
{
	if (pkt->hdrs & SOFTHCA_H_AETH) {
		pkt->syndrome = p[0];
		pkt->msn = get24(p + 1);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_ATOMIC_ACK) {
		pkt->atomic_orig = get64(p);
		p += 8;
	}
	if (pkt->hdrs & SOFTHCA_H_IMM) {
		pkt->imm = get32(p);
		p += 4;
	}
	if (pkt->hdrs & SOFTHCA_H_IETH)
		pkt->inv_rkey = get32(p);
	if (pkt->hdrs & SOFTHCA_H_NETETH) {
		pkt->src_is_ipv4 = p[0] >> 7;
		pkt->dst_is_ipv4 = p[0] >> 6 & 1;
		pkt->tclass = (uint8_t)(get16(p) >> 4);
		pkt->flow_label = get24(p + 1) & 0xfffff;
	}
}

static void get_bth(const uint8_t *buf, struct softhca_pkt *pkt)
{
	pkt->solicited = buf[1] >> 7;
	pkt->migreq = buf[1] >> 6 & 1;
	pkt->pkey = (uint16_t)get16(buf + 2);
	pkt->dscp = buf[4] & SOFTHCA_DSCP_MASK;
	pkt->dqpn = get24(buf + 5);
	pkt->ack_req = buf[8] >> 7;
	if (pkt->hdrs & SOFTHCA_H_DETH) {
		pkt->has_hop_limit = buf[8] & HAS_HOP_LIMIT;
		pkt->tclass = (uint8_t)(pkt->dscp << 2 | (buf[8] >> ECN_AT & SOFTHCA_ECN_MASK));
	}
	pkt->psn = get24(buf + 9);
}

/* Checks lengths and pad. The caller has checked that the BTH is there. */
static enum softhca_pkt_error check_lengths(struct softhca_pkt *pkt, const uint8_t *buf,
					    uint32_t len)
{
	const uint32_t hdr = softhca_pkt_hdr_size(pkt->hdrs);
	const uint32_t pad = buf[1] >> 4 & 3;

	if (len < hdr + SOFTHCA_ICRC_SIZE)
		return SOFTHCA_PKT_SHORT;
	if (len & 3 || len < hdr + pad + SOFTHCA_ICRC_SIZE)
		return SOFTHCA_PKT_PAD;
	pkt->payload = buf + hdr;
	pkt->payload_len = len - hdr - pad - SOFTHCA_ICRC_SIZE;
	if (!(pkt->hdrs & PL) && pkt->payload_len + pad)
		return SOFTHCA_PKT_LONG;
	if (pkt->hdrs & SOFTHCA_H_ETHERNET)
		return pkt->payload_len > SOFTHCA_FRAME_MAX ? SOFTHCA_PKT_LONG : SOFTHCA_PKT_OK;
	return pkt->payload_len > SOFTHCA_MTU_MAX ? SOFTHCA_PKT_LONG : SOFTHCA_PKT_OK;
}

static enum softhca_pkt_error check_icrc(const uint8_t *buf, uint32_t len, uint32_t src_ip,
					 uint32_t dst_ip)
{
	uint32_t icrc = 0;

	for (uint32_t i = 0; i < 4; i++)
		icrc |= (uint32_t)buf[len - SOFTHCA_ICRC_SIZE + i] << (8 * i);
	return icrc == softhca_pkt_icrc(src_ip, dst_ip, buf, len - SOFTHCA_ICRC_SIZE)
		       ? SOFTHCA_PKT_OK
		       : SOFTHCA_PKT_ICRC;
}

static enum softhca_pkt_error decode(struct softhca_pkt *pkt, const uint8_t *buf, uint32_t len,
				     bool sealed)
{
	enum softhca_pkt_error err;
	const uint32_t src_ip = pkt->src_ip, dst_ip = pkt->dst_ip;

	if (len < SOFTHCA_BTH_SIZE + SOFTHCA_ICRC_SIZE)
		return SOFTHCA_PKT_SHORT;
	if (len > SOFTHCA_PKT_MAX)
		return SOFTHCA_PKT_LONG;
	if (!opcode_split(buf[0], &pkt->transport, &pkt->op))
		return SOFTHCA_PKT_OPCODE;
	pkt->hdrs = softhca_pkt_hdrs(pkt->transport, pkt->op);
	if (!pkt->hdrs)
		return SOFTHCA_PKT_OPCODE;
	pkt->net = buf[8] & SOFTHCA_NET_MASK;
	softhca_pkt_add_neteth(pkt);
	if (buf[1] & 0x0f)
		return SOFTHCA_PKT_VERSION;
	err = check_lengths(pkt, buf, len);
	if (err)
		return err;
	err = sealed ? check_icrc(buf, len, src_ip, dst_ip) : SOFTHCA_PKT_OK;
	if (err)
		return err;
	get_bth(buf, pkt);
	get_tail_headers(get_requests(get_addressing(buf + SOFTHCA_BTH_SIZE, pkt), pkt), pkt);
	return SOFTHCA_PKT_OK;
}

static struct softhca_pkt *open_pkt(struct softhca_pkt *pkt, uint32_t src_ip, uint32_t dst_ip)
{
	softhca_clear(pkt, sizeof(*pkt));
	pkt->src_ip = src_ip;
	pkt->dst_ip = dst_ip;
	return pkt;
}

enum softhca_pkt_error softhca_pkt_decode(struct softhca_pkt *pkt, const uint8_t *buf, uint32_t len,
					  uint32_t src_ip, uint32_t dst_ip)
{
	return decode(open_pkt(pkt, src_ip, dst_ip), buf, len, true);
}

enum softhca_pkt_error softhca_pkt_decode_unsealed(struct softhca_pkt *pkt, const uint8_t *buf,
						   uint32_t len, uint32_t src_ip, uint32_t dst_ip)
{
	return decode(open_pkt(pkt, src_ip, dst_ip), buf, len, false);
}

static uint32_t ip_checksum(const uint8_t *p, uint32_t len)
{
	uint32_t sum = 0;

	for (uint32_t i = 0; i < len; i += 2)
		sum += get16(p + i);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum & 0xffff;
}

static void ip_udp_no_checksum(uint8_t out[IP_UDP_SIZE], uint32_t src_ip, uint32_t dst_ip,
			       uint32_t udp_payload)
{
	memset(out, 0, IP_UDP_SIZE);
	out[0] = 0x45;
	put16(out + 2, IP_UDP_SIZE + udp_payload);
	out[6] = 0x40; /* don't fragment */
	out[8] = SOFTHCA_HOP_LIMIT;
	out[9] = 17;
	put32(out + 12, src_ip);
	put32(out + 16, dst_ip);
	put16(out + 20, SOFTHCA_ROCE_PORT);
	put16(out + 22, SOFTHCA_ROCE_PORT);
	put16(out + 24, 8 + udp_payload);
}

void softhca_pkt_ip_udp(uint8_t out[28], uint32_t src_ip, uint32_t dst_ip, uint32_t udp_payload,
			uint8_t tclass, uint8_t hop_limit)
{
	ip_udp_no_checksum(out, src_ip, dst_ip, udp_payload);
	out[1] = tclass;
	out[8] = hop_limit;
	/* UDP checksum 0 means none. RoCEv2 allows it, because the ICRC covers more. */
	put16(out + 10, ip_checksum(out, 20));
}

/*
 * The ICRC covers 8 bytes of ones in place of the LRH, then IP, UDP and BTH. Each field that a
 * router may change is set to ones.
 */
uint32_t softhca_icrc(const uint8_t ip_udp[28], const uint8_t *bth, uint32_t len)
{
	uint8_t head[8 + IP_UDP_SIZE + SOFTHCA_BTH_SIZE];
	uint8_t *const ip = head + 8;
	uint32_t crc;

	memset(head, 0xff, 8);
	memcpy(ip, ip_udp, IP_UDP_SIZE);
	ip[1] = 0xff;		/* type of service */
	ip[8] = 0xff;		/* time to live */
	ip[10] = ip[11] = 0xff; /* header checksum */
	ip[26] = ip[27] = 0xff; /* UDP checksum */
	memcpy(ip + IP_UDP_SIZE, bth, SOFTHCA_BTH_SIZE);
	ip[IP_UDP_SIZE + 4] = 0xff; /* FECN, BECN and reserved bits */
	crc = softhca_crc32(0xffffffffu, head, sizeof(head));
	return ~softhca_crc32(crc, bth + SOFTHCA_BTH_SIZE, len - SOFTHCA_BTH_SIZE);
}

uint32_t softhca_pkt_icrc(uint32_t src_ip, uint32_t dst_ip, const uint8_t *bth, uint32_t len)
{
	uint8_t ip_udp[IP_UDP_SIZE];

	ip_udp_no_checksum(ip_udp, src_ip, dst_ip, len + SOFTHCA_ICRC_SIZE);
	return softhca_icrc(ip_udp, bth, len);
}
