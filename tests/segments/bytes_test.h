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
	static const char digits[] = "0123456789abcdef";
	std::string text(2 * len, '0');

	for (size_t i = 0; i < len; i++) {
		text[2 * i] = digits[bytes[i] >> 4];
		text[2 * i + 1] = digits[bytes[i] & 0xf];
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

inline unsigned int HexDigit(char c)
{
	if (c >= '0' && c <= '9')
		return unsigned(c - '0');
	if (c >= 'a' && c <= 'f')
		return unsigned(c - 'a') + 10;
	if (c >= 'A' && c <= 'F')
		return unsigned(c - 'A') + 10;
	fprintf(stderr, "'%c' is no hex digit\n", c);
	abort();
}

/* Hex digits to bytes; blanks are skipped. */
inline std::vector<uint8_t> Bytes(const std::string &hex)
{
	std::vector<uint8_t> bytes;
	bool half = false;

	bytes.reserve(hex.size() / 2);
	for (char c : hex) {
		if (c == ' ')
			continue;
		if (half)
			bytes.back() = uint8_t(bytes.back() << 4 | HexDigit(c));
		else
			bytes.push_back(uint8_t(HexDigit(c)));
		half = !half;
	}
	if (half)
		bytes.pop_back(); /* no whole byte */
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
