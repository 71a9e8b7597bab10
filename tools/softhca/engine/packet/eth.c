/* SPDX-License-Identifier: BSD-2-Clause */
/* Ethernet frames of raw packet queue pairs: headers, checksums and the hashes of RSS. */
#include "eth.h"

#include "tools/softhca/engine/packet/be.h"

#include <infiniband/verbs.h>
#include <netinet/in.h>
#include <string.h>

#define TYPE_IPV4  0x0800u
#define TYPE_IPV6  0x86ddu
#define TYPE_CVLAN 0x8100u
#define TYPE_SVLAN 0x88a8u

/* ---- checksums ---- */

static uint32_t sum_bytes(uint32_t sum, const uint8_t *p, size_t len)
{
	for (size_t i = 0; i + 1 < len; i += 2)
		sum += get16(p + i);
	if (len & 1)
		sum += (uint32_t)p[len - 1] << 8;
	return sum;
}

static uint32_t fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return sum;
}

/* End of the packet according to the IP header, after `after` and not beyond the frame. */
static uint32_t ip_end(const struct softhca_eth *eth, const uint8_t *frame, size_t len,
		       uint32_t after)
{
	const uint32_t end = (uint32_t)len;
	const uint32_t said = eth->ip == 4 ? eth->l3 + get16(frame + eth->l3 + 2)
					   : eth->l3 + 40 + get16(frame + eth->l3 + 4);

	return said > after && said < end ? said : end;
}

/* Bytes of the transport's header and payload. */
static uint32_t l4_length(const struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	return ip_end(eth, frame, len, eth->l4) - eth->l4;
}

/* Sum over pseudo header, header and payload. 0xffff if the checksum in it is right. */
static uint32_t l4_sum(const struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	uint32_t bytes = l4_length(eth, frame, len);
	uint32_t sum = eth->proto + bytes;

	if (eth->ip == 4)
		sum = sum_bytes(sum, frame + eth->l3 + 12, 8);
	else
		sum = sum_bytes(sum, frame + eth->l3 + 8, 32);
	return fold(sum_bytes(sum, frame + eth->l4, bytes));
}

static uint8_t *l4_field(const struct softhca_eth *eth, uint8_t *frame)
{
	return frame + eth->l4 + (eth->proto == IPPROTO_TCP ? 16 : 6);
}

void softhca_eth_checksum(uint8_t *frame, size_t len, bool l3, bool l4)
{
	struct softhca_eth eth;

	softhca_eth_parse(&eth, frame, len);
	if (l3 && eth.ip == 4) {
		uint32_t size = (frame[eth.l3] & 15u) * 4;

		put16(frame + eth.l3 + 10, 0);
		put16(frame + eth.l3 + 10, ~fold(sum_bytes(0, frame + eth.l3, size)) & 0xffff);
	}
	if (l4 && eth.l4) {
		uint8_t *field = l4_field(&eth, frame);
		uint32_t sum;

		put16(field, 0);
		sum = ~l4_sum(&eth, frame, len) & 0xffff;
		/* UDP uses 0 for "no checksum". */
		put16(field, !sum && eth.proto == IPPROTO_UDP ? 0xffff : sum);
	}
}

/* ---- headers ---- */

static void parse_tcp(struct softhca_eth *eth, const uint8_t *p, size_t left)
{
	uint32_t size;

	if (left < 20)
		return;
	size = (uint32_t)(p[12] >> 4) * 4;
	if (size < 20 || size > left)
		return;
	eth->payload = eth->l4 + size;
	eth->tcp_ack = p[13] & 0x10;
	memcpy(eth->key + SOFTHCA_KEY_TCP_SPORT, p, 4);
	eth->key[SOFTHCA_KEY_FLAGS] |= p[12] & 1;
	eth->key[SOFTHCA_KEY_TCP_FLAGS] = p[13];
}

static void parse_l4(struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	const uint8_t *p = frame + eth->l4;
	size_t left = len > eth->l4 ? len - eth->l4 : 0;

	if (eth->proto == IPPROTO_TCP) {
		parse_tcp(eth, p, left);
	} else if (eth->proto == IPPROTO_UDP && left >= 8) {
		eth->payload = eth->l4 + 8;
		memcpy(eth->key + SOFTHCA_KEY_UDP_SPORT, p, 4);
	}
	if (!eth->payload) {
		eth->l4 = 0;
		return;
	}
	/* UDP over IPv4 may omit its checksum. */
	eth->l4_ok = (eth->proto == IPPROTO_UDP && eth->ip == 4 && !get16(p + 6)) ||
		     l4_sum(eth, frame, len) == 0xffff;
}

static void parse_ipv4(struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	const uint8_t *ip = frame + eth->l3;
	size_t left = len - eth->l3;
	uint32_t size;

	if (left < 20 || ip[0] >> 4 != 4)
		return;
	size = (ip[0] & 15u) * 4;
	if (size < 20 || size > left)
		return;
	eth->ip = 4;
	eth->proto = ip[9];
	eth->l3_ok = fold(sum_bytes(0, ip, size)) == 0xffff;
	eth->key[SOFTHCA_KEY_PROTO] = ip[9];
	eth->key[SOFTHCA_KEY_TOS] = ip[1];
	eth->key[SOFTHCA_KEY_TTL] = ip[8];
	eth->key[SOFTHCA_KEY_FLAGS] |= SOFTHCA_KEY_IP_VERSION(4);
	memcpy(eth->key + SOFTHCA_KEY_SRC + 12, ip + 12, 4);
	memcpy(eth->key + SOFTHCA_KEY_DST + 12, ip + 16, 4);
	if (get16(ip + 6) & 0x3fff) {
		eth->key[SOFTHCA_KEY_FLAGS] |= SOFTHCA_KEY_FRAG;
		return; /* the device does not parse fragments further */
	}
	eth->l4 = eth->l3 + size;
	parse_l4(eth, frame, len);
}

static void parse_ipv6(struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	const uint8_t *ip = frame + eth->l3;

	if (len - eth->l3 < 40 || ip[0] >> 4 != 6)
		return;
	eth->ip = 6;
	eth->proto = ip[6];
	eth->l3_ok = true;
	eth->key[SOFTHCA_KEY_PROTO] = ip[6];
	eth->key[SOFTHCA_KEY_TOS] = (uint8_t)(ip[0] << 4 | ip[1] >> 4);
	eth->key[SOFTHCA_KEY_TTL] = ip[7];
	eth->key[SOFTHCA_KEY_FLAGS] |= SOFTHCA_KEY_IP_VERSION(6);
	memcpy(eth->key + SOFTHCA_KEY_SRC, ip + 8, 16);
	memcpy(eth->key + SOFTHCA_KEY_DST, ip + 24, 16);
	eth->key[SOFTHCA_KEY_FLOW_LABEL + 1] = ip[1] & 15;
	memcpy(eth->key + SOFTHCA_KEY_FLOW_LABEL + 2, ip + 2, 2);
	/* Extension headers hide the transport. */
	eth->l4 = eth->l3 + 40;
	parse_l4(eth, frame, len);
}

void softhca_eth_parse(struct softhca_eth *eth, const uint8_t *frame, size_t len)
{
	uint32_t at = 12, type;

	memset(eth, 0, sizeof(*eth));
	memcpy(eth->key + SOFTHCA_KEY_SMAC, frame + 6, 6);
	memcpy(eth->key + SOFTHCA_KEY_DMAC, frame, 6);
	type = get16(frame + at);
	if ((type == TYPE_CVLAN || type == TYPE_SVLAN) &&
	    len >= SOFTHCA_ETH_HDR + SOFTHCA_VLAN_SIZE) {
		eth->vlan = type == TYPE_CVLAN;
		eth->tci = (uint16_t)get16(frame + 14);
		eth->key[SOFTHCA_KEY_FLAGS] |= eth->vlan ? SOFTHCA_KEY_CVLAN : SOFTHCA_KEY_SVLAN;
		memcpy(eth->key + SOFTHCA_KEY_TCI, frame + 14, 2);
		at += SOFTHCA_VLAN_SIZE;
		type = get16(frame + at);
	}
	memcpy(eth->key + SOFTHCA_KEY_ETHERTYPE, frame + at, 2);
	eth->l3 = at + 2;
	if (type == TYPE_IPV4)
		parse_ipv4(eth, frame, len);
	else if (type == TYPE_IPV6)
		parse_ipv6(eth, frame, len);
	if (!eth->ip) {
		eth->l3 = 0;
		return;
	}
	eth->tcp_data = eth->l4 && eth->proto == IPPROTO_TCP &&
			ip_end(eth, frame, len, eth->l4) > eth->payload;
	eth->sum = (uint16_t)fold(
		sum_bytes(0, frame + eth->l3, ip_end(eth, frame, len, eth->l3) - eth->l3));
}

/* ---- hashes ---- */

uint32_t softhca_toeplitz(const uint8_t key[SOFTHCA_HASH_KEY], const uint8_t *data, size_t len)
{
	uint32_t window = (uint32_t)key[0] << 24 | (uint32_t)key[1] << 16 | get16(key + 2);
	uint32_t hash = 0;

	for (size_t i = 0; i < len && i + 4 < SOFTHCA_HASH_KEY; i++) {
		for (int bit = 7; bit >= 0; bit--) {
			if (data[i] >> bit & 1)
				hash ^= window;
			window = window << 1 | (key[i + 4] >> bit & 1);
		}
	}
	return hash;
}

/* Adds one pair of fields. Both come with the smaller one first, a single one alone. */
static size_t add_pair(uint8_t *out, const uint8_t *src, const uint8_t *dst, size_t size)
{
	size_t n = 0;

	if (src && dst && memcmp(src, dst, size) > 0) {
		const uint8_t *swap = src;

		src = dst;
		dst = swap;
	}
	if (src) {
		memcpy(out, src, size);
		n += size;
	}
	if (dst) {
		memcpy(out + n, dst, size);
		n += size;
	}
	return n;
}

bool softhca_eth_hash(const struct softhca_eth *eth, const struct softhca_hash *hash,
		      uint32_t *value, uint8_t *type)
{
	const size_t addr = eth->ip == 4 ? 4 : 16;
	const uint64_t f = hash->fields;
	const uint8_t *src = eth->key + SOFTHCA_KEY_SRC + 16 - addr;
	const uint8_t *dst = eth->key + SOFTHCA_KEY_DST + 16 - addr;
	const uint8_t *ports = NULL;
	uint8_t data[36];
	size_t n = 0;
	uint64_t sp = 0, dp = 0;

	*type = 0;
	if (eth->ip) {
		uint64_t s = eth->ip == 4 ? IBV_RX_HASH_SRC_IPV4 : IBV_RX_HASH_SRC_IPV6;
		uint64_t d = eth->ip == 4 ? IBV_RX_HASH_DST_IPV4 : IBV_RX_HASH_DST_IPV6;

		n = add_pair(data, f & s ? src : NULL, f & d ? dst : NULL, addr);
	}
	if (n)
		*type |= eth->ip == 4 ? 0x04 : 0x08;
	if (eth->l4 && eth->proto == IPPROTO_TCP) {
		ports = eth->key + SOFTHCA_KEY_TCP_SPORT;
		sp = f & IBV_RX_HASH_SRC_PORT_TCP;
		dp = f & IBV_RX_HASH_DST_PORT_TCP;
	} else if (eth->l4 && eth->proto == IPPROTO_UDP) {
		ports = eth->key + SOFTHCA_KEY_UDP_SPORT;
		sp = f & IBV_RX_HASH_SRC_PORT_UDP;
		dp = f & IBV_RX_HASH_DST_PORT_UDP;
	}
	if (sp || dp) {
		n += add_pair(data + n, sp ? ports : NULL, dp ? ports + 2 : NULL, 2);
		*type |= eth->proto == IPPROTO_TCP ? 0x40 : 0x80;
	}
	*value = softhca_toeplitz(hash->key, data, n);
	return n != 0;
}
