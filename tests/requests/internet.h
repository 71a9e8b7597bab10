// SPDX-License-Identifier: BSD-2-Clause
// Headers of Ethernet, IPv4 and TCP, and what a message becomes that a device cuts into frames.
#ifndef SEGUE_TESTS_REQUESTS_INTERNET_H
#define SEGUE_TESTS_REQUESTS_INTERNET_H

#include <cstddef>
#include <cstdint>

#include "segue/detail/bytes.h"

namespace requests {

constexpr uint32_t ETHERNET = 14, IP = 20, TCP = 20, HEADERS = ETHERNET + IP + TCP;
constexpr uint16_t EXPERIMENTAL = 0x88b5; // type of frames, IEEE 802: for local experiments
constexpr uint8_t PUSH_FIN = 0x09, ACK = 0x10;

// Sum of 16-bit words with the carries added, RFC 1071; 0xffff over what holds its own checksum.
inline uint16_t ones_sum(const uint8_t *bytes, size_t length, uint32_t sum = 0)
{
	for (size_t i = 0; i < length; i++)
		sum += (uint32_t)bytes[i] << (i % 2 ? 0 : 8);
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return (uint16_t)sum;
}

// IPv4 and TCP headers of a message, without checksums, which the device fills in; the sequence
// number is about to wrap.
inline void lay_tcp(uint8_t *ip, uint32_t payload)
{
	const uint8_t h[IP + TCP] = {0x45, 0, 0, 0, 0x12, 0x34, 0x40, 0, 64,   6,    0,	   0,
				     10,   0, 0, 1, 10,	  0,	0,    2, 0x12, 0x34, 0x56, 0x78};

	for (size_t i = 0; i < sizeof(h); i++)
		ip[i] = h[i];
	segue_put_be32(ip, 0x45000000 | (IP + TCP + payload));
	segue_put_be32(ip + IP + 4, 0xfffffe00);
	ip[IP + 12] = 5 << 4;
	ip[IP + 13] = ACK | PUSH_FIN;
}

// Of the nth frame of such a message, which has `size` bytes of it from `at` on: its headers with
// checksums, behind Ethernet's; the payload stands there.
inline void lay_segment(uint8_t *ip, uint32_t nth, uint32_t at, uint32_t size, bool last)
{
	uint8_t *const tcp = ip + IP;
	const uint8_t length[] = {0, 6, (uint8_t)((TCP + size) >> 8), (uint8_t)(TCP + size)};
	uint16_t sum;

	segue_put_be32(ip, 0x45000000 | (IP + TCP + size));
	ip[5] = (uint8_t)(ip[5] + nth); // each has an identification of its own
	segue_put_be32(tcp + 4, segue_get_be32(tcp + 4) + at);
	tcp[13] = last ? ACK | PUSH_FIN : ACK;
	sum = (uint16_t)~ones_sum(ip, IP);
	ip[10] = (uint8_t)(sum >> 8), ip[11] = (uint8_t)sum;
	sum = (uint16_t)~ones_sum(length, 4, ones_sum(ip + 12, 8, ones_sum(tcp, TCP + size)));
	tcp[16] = (uint8_t)(sum >> 8), tcp[17] = (uint8_t)sum;
}

} // namespace requests

#endif
