/* SPDX-License-Identifier: BSD-2-Clause */
/* Bytes as hex strings, so that a test shows both sides the same way. */
#ifndef SEGUE_TESTS_SEGMENTS_BYTES_TEST_H
#define SEGUE_TESTS_SEGMENTS_BYTES_TEST_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

inline std::string Hex(const uint8_t *bytes, size_t len)
{
	std::string text;
	char digits[3];

	for (size_t i = 0; i < len; i++) {
		snprintf(digits, sizeof(digits), "%02x", bytes[i]);
		text += digits;
	}
	return text;
}

template <size_t N> std::string Hex(const uint8_t (&bytes)[N])
{
	return Hex(bytes, N);
}

inline std::string Hex(const std::vector<uint8_t> &bytes)
{
	return Hex(bytes.data(), bytes.size());
}

/* Hex digits to bytes; blanks are skipped. */
inline std::vector<uint8_t> Bytes(const std::string &hex)
{
	std::vector<uint8_t> bytes;
	std::string digits;

	for (char c : hex) {
		if (c == ' ')
			continue;
		digits += c;
		if (digits.size() == 2) {
			bytes.push_back(uint8_t(strtoul(digits.c_str(), nullptr, 16)));
			digits.clear();
		}
	}
	return bytes;
}

template <size_t N> void Fill(uint8_t (&dst)[N], const char *hex)
{
	const std::vector<uint8_t> bytes = Bytes(hex);

	memcpy(dst, bytes.data(), bytes.size() < N ? bytes.size() : N);
}

/* Puts a payload behind a segment's fixed part, and zeros behind the payload. */
inline void FillTail(std::vector<uint8_t> *segment, size_t at, const char *hex)
{
	const std::vector<uint8_t> bytes = Bytes(hex);

	for (size_t i = at; i < segment->size(); i++)
		(*segment)[i] = i - at < bytes.size() ? bytes[i - at] : 0;
}

/* Bits of a byte that have one value. */
struct Known {
	size_t byte;
	unsigned int bits;
};

/* The single bits of a mask. */
inline std::vector<uint8_t> Bits(unsigned int mask)
{
	std::vector<uint8_t> bits;

	for (unsigned int bit = 1; bit < 256; bit <<= 1) {
		if (mask & bit)
			bits.push_back(uint8_t(bit));
	}
	return bits;
}

#endif /* SEGUE_TESTS_SEGMENTS_BYTES_TEST_H */
