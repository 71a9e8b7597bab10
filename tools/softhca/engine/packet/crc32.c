/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CRC-32 of the ICRC. Each byte on the wire is summed twice (sender, receiver), so this is the
 * hottest loop of large transfers. It uses carry-less multiplication if the CPU has it, otherwise
 * eight tables.
 */

#include "packet.h"

#define CRC_POLY 0xedb88320u

static struct {
	uint32_t crc[8][256];
	int clmul; /* whether the processor has the instruction. -1: not asked yet */
} the_packet = {.clmul = -1};

__attribute__((constructor)) static void crc_init(void)
{
	for (uint32_t i = 0; i < 256; i++) {
		uint32_t c = i;

		for (int bit = 0; bit < 8; bit++)
			c = (c >> 1) ^ (c & 1 ? CRC_POLY : 0);
		the_packet.crc[0][i] = c;
	}
	for (uint32_t i = 0; i < 256; i++)
		for (int t = 1; t < 8; t++)
			the_packet.crc[t][i] = (the_packet.crc[t - 1][i] >> 8) ^
					       the_packet.crc[0][the_packet.crc[t - 1][i] & 0xff];
}

static uint32_t crc_sliced(uint32_t crc, const uint8_t *p, size_t len)
{
	while (len >= 8) {
		const uint32_t lo = crc ^ ((uint32_t)p[0] | (uint32_t)p[1] << 8 |
					   (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24);

		crc = the_packet.crc[7][lo & 0xff] ^ the_packet.crc[6][lo >> 8 & 0xff] ^
		      the_packet.crc[5][lo >> 16 & 0xff] ^ the_packet.crc[4][lo >> 24] ^
		      the_packet.crc[3][p[4]] ^ the_packet.crc[2][p[5]] ^ the_packet.crc[1][p[6]] ^
		      the_packet.crc[0][p[7]];
		p += 8;
		len -= 8;
	}
	while (len--)
		crc = (crc >> 8) ^ the_packet.crc[0][(crc ^ *p++) & 0xff];
	return crc;
}

#if defined(__x86_64__)
#include <wmmintrin.h>

#define CLMUL __attribute__((target("pclmul,sse4.1")))

CLMUL static inline __m128i fold(__m128i acc, __m128i next, __m128i k)
{
	const __m128i lo = _mm_clmulepi64_si128(acc, k, 0x00);
	const __m128i hi = _mm_clmulepi64_si128(acc, k, 0x11);

	return _mm_xor_si128(_mm_xor_si128(lo, hi), next);
}

static inline __m128i load(const uint8_t *p)
{
	return _mm_loadu_si128((const __m128i *)(const void *)p);
}

/*
 * The four folding constants are x^n mod P, bit-reflected, for n = 512+32, 512-32 (four lanes at
 * once) and 128+32, 128-32 (one lane). See Intel, "Fast CRC Computation for Generic Polynomials
 * Using PCLMULQDQ". The last 16 bytes are few enough for the tables.
 */
CLMUL static uint32_t crc_clmul(uint32_t crc, const uint8_t *p, size_t len)
{
	const __m128i k4 = _mm_set_epi64x(0x1c6e41596, 0x154442bd4);
	const __m128i k1 = _mm_set_epi64x(0x0ccaa009e, 0x1751997d0);
	__m128i x0 = _mm_xor_si128(load(p), _mm_cvtsi32_si128((int)crc));
	__m128i x1 = load(p + 16), x2 = load(p + 32), x3 = load(p + 48);
	uint8_t rest[16];

	for (p += 64, len -= 64; len >= 64; p += 64, len -= 64) {
		x0 = fold(x0, load(p), k4);
		x1 = fold(x1, load(p + 16), k4);
		x2 = fold(x2, load(p + 32), k4);
		x3 = fold(x3, load(p + 48), k4);
	}
	x0 = fold(x0, x1, k1);
	x0 = fold(x0, x2, k1);
	x0 = fold(x0, x3, k1);
	for (; len >= 16; p += 16, len -= 16)
		x0 = fold(x0, load(p), k1);
	_mm_storeu_si128((__m128i *)(void *)rest, x0);
	return crc_sliced(crc_sliced(0, rest, sizeof(rest)), p, len);
}

static bool have_clmul(void)
{
	/* Two threads that both find -1 write the same value. */
	if (__atomic_load_n(&the_packet.clmul, __ATOMIC_RELAXED) < 0) {
		__builtin_cpu_init();
		__atomic_store_n(&the_packet.clmul,
				 __builtin_cpu_supports("pclmul") &&
					 __builtin_cpu_supports("sse4.1"),
				 __ATOMIC_RELAXED);
	}
	return __atomic_load_n(&the_packet.clmul, __ATOMIC_RELAXED) != 0;
}
#endif

uint32_t softhca_crc32(uint32_t crc, const void *data, size_t len)
{
#if defined(__x86_64__)
	if (len >= 64 && have_clmul())
		return crc_clmul(crc, data, len);
#endif
	return crc_sliced(crc, data, len);
}
