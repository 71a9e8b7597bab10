/* SPDX-License-Identifier: BSD-2-Clause */
/* Ethernet frames: header fields, checksums, hashes. This part does not know queues. */
#ifndef SOFTHCA_ENGINE_ETH_H
#define SOFTHCA_ENGINE_ETH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOFTHCA_ETH_HDR	  14u
#define SOFTHCA_VLAN_SIZE 4u
/* Longest frame that a port carries: an MTU of 4096 bytes after its MAC header and one VLAN tag. */
#define SOFTHCA_FRAME_MAX (SOFTHCA_ETH_HDR + SOFTHCA_VLAN_SIZE + 4096u)

/*
 * Fields that rules can match on: the 64 bytes of the device's layer 2 to 4 match set (PRM,
 * fte_match_set_lyr_2_4), and the IPv6 flow label after them. Addresses, ports and tags are in
 * network byte order at fixed places, so that a rule is a mask and a value.
 */
#define SOFTHCA_ETH_KEY	  68u

enum softhca_eth_key_at {
	SOFTHCA_KEY_SMAC = 0,
	SOFTHCA_KEY_ETHERTYPE = 6,
	SOFTHCA_KEY_DMAC = 8,
	SOFTHCA_KEY_TCI = 14,
	SOFTHCA_KEY_PROTO = 16,
	SOFTHCA_KEY_TOS = 17,
	SOFTHCA_KEY_FLAGS =
		18, /* 0x80 customer tag, 0x40 service tag, 0x20 fragment, 0x1e version */
	SOFTHCA_KEY_TCP_FLAGS = 19,
	SOFTHCA_KEY_TCP_SPORT = 20,
	SOFTHCA_KEY_TCP_DPORT = 22,
	SOFTHCA_KEY_TTL = 27,
	SOFTHCA_KEY_UDP_SPORT = 28,
	SOFTHCA_KEY_UDP_DPORT = 30,
	SOFTHCA_KEY_SRC = 32, /* 16 bytes. An IPv4 address is the last 4 of them */
	SOFTHCA_KEY_DST = 48,
	SOFTHCA_KEY_FLOW_LABEL = 64,
};

#define SOFTHCA_KEY_CVLAN	  0x80u
#define SOFTHCA_KEY_SVLAN	  0x40u
#define SOFTHCA_KEY_FRAG	  0x20u
#define SOFTHCA_KEY_IP_VERSION(v) ((v) << 1)

struct softhca_eth {
	uint32_t l3, l4,
		payload;   /* offsets of the IP and transport headers and of the payload. 0: none */
	uint8_t ip;	   /* 4, 6 or 0 */
	uint8_t proto;	   /* of IP, 0 without IP */
	bool l3_ok, l4_ok; /* a checksum is present and right, or not required */
	bool tcp_ack, tcp_data;
	uint16_t sum; /* of the IP packet, header and payload, as in CHECKSUM_COMPLETE */
	bool vlan; /* an 802.1Q tag */
	uint16_t tci;
	uint8_t key[SOFTHCA_ETH_KEY];
};

/* softhca_eth_parse - parses a frame of at least 14 bytes. */
void softhca_eth_parse(struct softhca_eth *eth, const uint8_t *frame, size_t len);

/* softhca_eth_checksum - writes the requested checksums, of the IPv4 header and of TCP or UDP. */
void softhca_eth_checksum(uint8_t *frame, size_t len, bool l3, bool l4);

/* Fields of a hash, as in enum ibv_rx_hash_fields. */
#define SOFTHCA_HASH_KEY 40u

struct softhca_hash {
	uint64_t fields;
	uint8_t key[SOFTHCA_HASH_KEY];
};

/*
 * softhca_eth_hash - the Toeplitz hash of a frame. False if the frame has none of the fields. With
 * source and destination both chosen it is the same in both directions, as mlx5_ib requests from
 * the device. `type` becomes the completion's rss_hash_type.
 */
bool softhca_eth_hash(const struct softhca_eth *eth, const struct softhca_hash *hash,
		      uint32_t *value, uint8_t *type);

/* softhca_toeplitz - the plain function over `len` bytes (at most 36 with a key of 40). */
uint32_t softhca_toeplitz(const uint8_t key[SOFTHCA_HASH_KEY], const uint8_t *data, size_t len);

#endif
