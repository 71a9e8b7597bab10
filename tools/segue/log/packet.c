// SPDX-License-Identifier: BSD-2-Clause
/* Finds a RoCEv2 packet within bytes, and recognizes files that are captures. */
#include "tools/segue/log/packet.h"

#include <string.h>

/*
 * Source: IEEE 802.3 and 802.1Q (types and tags), RFC 791, RFC 8200, RFC 768, IBTA's volume 1 (GRH:
 * version 6, next header 0x1b) and its annex A17 (RoCEv2: UDP port 4791);
 * draft-ietf-opsawg-pcap and -pcapng (the first bytes of captures).
 */
enum {
	ETHERNET = 14,
	VLAN = 4,
	IPV6 = 40,
	UDP = 8,
	PORT = 4791,
	PROTOCOL = 17,
	IBA = 0x1b,
	BTH = 12,
	ROCE_V1 = 0x8915,
	GRH = 40
};

static unsigned int word(const uint8_t *bytes)
{
	return (unsigned int)bytes[0] << 8 | bytes[1];
}

/* Offset of the base transport header of a RoCEv2 packet that begins with its IP header. 0 if there
 * is none. */
static size_t transport_at(const uint8_t *ip, size_t len)
{
	const size_t header = len && ip[0] >> 4 == 6 ? IPV6 : len ? (ip[0] & 15) * (size_t)4 : 0;

	if (header < 20 || len < header + UDP + BTH || (ip[0] >> 4 != 4 && ip[0] >> 4 != 6) ||
	    ip[ip[0] >> 4 == 4 ? 9 : 6] != PROTOCOL || word(ip + header + 2) != PORT)
		return 0;
	return header + UDP;
}

const char *packet_in(const uint8_t *bytes, size_t len, uint8_t *opcode)
{
	size_t at = ETHERNET, transport;

	if (len > ETHERNET + VLAN && word(bytes + ETHERNET - 2) == 0x8100)
		at += VLAN;
	if (len >= at + GRH + BTH && word(bytes + at - 2) == ROCE_V1 && bytes[at] >> 4 == 6 &&
	    bytes[at + 6] == IBA) {
		*opcode = bytes[at + GRH];
		return "RoCEv1 packet";
	}
	transport = len > at ? transport_at(bytes + at, len - at) : 0;
	if (!transport) {
		at = 0; /* as of tcpdump -x, without the Ethernet header */
		transport = transport_at(bytes, len);
	}
	if (!transport)
		return NULL;
	*opcode = bytes[at + transport];
	return "RoCEv2 packet";
}

const char *packet_capture(const uint8_t *bytes, size_t len)
{
	static const uint8_t pcap[][4] = {{0xa1, 0xb2, 0xc3, 0xd4},
					  {0xd4, 0xc3, 0xb2, 0xa1},
					  {0xa1, 0xb2, 0x3c, 0x4d},
					  {0x4d, 0x3c, 0xb2, 0xa1}};
	static const uint8_t pcapng[] = {0x0a, 0x0d, 0x0d, 0x0a};
	size_t i;

	for (i = 0; len >= 4 && i < sizeof(pcap) / sizeof(pcap[0]); i++)
		if (memcmp(bytes, pcap[i], 4) == 0)
			return "pcap file";
	return len >= 4 && memcmp(bytes, pcapng, 4) == 0 ? "pcapng file" : NULL;
}
