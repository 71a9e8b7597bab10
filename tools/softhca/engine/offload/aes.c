/* SPDX-License-Identifier: BSD-2-Clause */
/* AES with the usual tables, made at first use, and key unwrapping. Its timing is not constant. */
#include "tools/softhca/engine/offload/aes.h"

#include "tools/softhca/engine/offload/signature.h"

#include <string.h>

#include "tools/softhca/engine/packet/be.h"

static uint8_t times2(uint8_t x)
{
	return (uint8_t)(x << 1 ^ (x & 0x80 ? 0x1b : 0));
}

static uint8_t times(uint8_t a, uint8_t b)
{
	uint8_t sum = 0;

	for (; b; b >>= 1, a = times2(a))
		if (b & 1)
			sum ^= a;
	return sum;
}

static uint32_t word(uint8_t a, uint8_t b, uint8_t c, uint8_t d)
{
	return (uint32_t)a << 24 | (uint32_t)b << 16 | (uint32_t)c << 8 | d;
}

static uint32_t turn(uint32_t x, unsigned bits)
{
	return bits ? x >> bits | x << (32 - bits) : x;
}

/* FIPS 197, 5.1.1: the multiplicative inverse, then an affine map. */
static void make_tables(void)
{
	uint8_t power[256], p = 1;

	if (the_offload.sbox[0])
		return;
	for (unsigned i = 0; i < 255; i++, p ^= times2(p))
		power[i] = p; /* of 3, a generator of the field */
	for (unsigned i = 0; i < 255; i++) {
		uint8_t x = power[(255 - i) % 255], s = 0x63;

		for (unsigned bit = 0; bit < 5; bit++)
			s ^= (uint8_t)(x << bit | x >> (8 - bit));
		the_offload.sbox[power[i]] = s;
	}
	the_offload.sbox[0] = 0x63;
	for (unsigned i = 0; i < 256; i++)
		the_offload.inverse[the_offload.sbox[i]] = (uint8_t)i;
	for (unsigned i = 0; i < 256; i++) {
		uint8_t s = the_offload.sbox[i], v = the_offload.inverse[i];

		the_offload.enc_table[i] = word(times2(s), s, s, times2(s) ^ s);
		the_offload.dec_table[i] = word(times(v, 14), times(v, 9), times(v, 13),
						times(v, 11));
	}
}

static uint32_t sub_word(uint32_t x)
{
	return word(the_offload.sbox[x >> 24], the_offload.sbox[x >> 16 & 0xff],
		    the_offload.sbox[x >> 8 & 0xff], the_offload.sbox[x & 0xff]);
}

/* InvMixColumns of a round key, which gives decryption the same shape as encryption. */
static uint32_t unmix(uint32_t x)
{
	uint32_t sum = 0;

	for (unsigned i = 0; i < 4; i++)
		sum ^= turn(the_offload.dec_table[the_offload.sbox[x >> (24 - 8 * i) & 0xff]],
			    8 * i);
	return sum;
}

void softhca_aes_init(struct softhca_aes *aes, const uint8_t *key, size_t bytes)
{
	const unsigned n = (unsigned)(bytes / 4);
	uint8_t rcon = 1;

	make_tables();
	aes->rounds = n + 6;
	for (unsigned i = 0; i < n; i++)
		aes->enc[i] = get32(key + 4 * (size_t)i);
	for (unsigned i = n; i < 4 * (aes->rounds + 1); i++) {
		uint32_t t = aes->enc[i - 1];

		if (i % n == 0) {
			t = sub_word(turn(t, 24)) ^ (uint32_t)rcon << 24;
			rcon = times2(rcon);
		} else if (n > 6 && i % n == 4) {
			t = sub_word(t);
		}
		aes->enc[i] = aes->enc[i - n] ^ t;
	}
	for (unsigned r = 0; r <= aes->rounds; r++)
		for (unsigned c = 0; c < 4; c++) {
			uint32_t k = aes->enc[4 * (aes->rounds - r) + c];

			aes->dec[4 * r + c] = r && r < aes->rounds ? unmix(k) : k;
		}
}

/* `step` is the number of columns that a row is shifted by per row: 1 to encrypt, 3 to decrypt. */
struct direction {
	const uint32_t *table;
	const uint8_t *last;
	unsigned step;
};

static void crypt(const struct direction *d, const uint32_t *key, unsigned rounds,
		  const uint8_t in[16], uint8_t out[16])
{
	uint32_t s[4], t[4];

	for (unsigned c = 0; c < 4; c++)
		s[c] = get32(in + 4 * c) ^ key[c];
	for (unsigned r = 1; r < rounds; r++) {
		for (unsigned c = 0; c < 4; c++) {
			t[c] = key[4 * r + c];
			for (unsigned row = 0; row < 4; row++) {
				uint32_t from = s[(c + row * d->step) % 4];

				t[c] ^= turn(d->table[from >> (24 - 8 * row) & 0xff], 8 * row);
			}
		}
		memcpy(s, t, sizeof(s));
	}
	for (unsigned c = 0; c < 4; c++) {
		t[c] = 0;
		for (unsigned row = 0; row < 4; row++)
			t[c] = t[c] << 8 |
			       d->last[s[(c + row * d->step) % 4] >> (24 - 8 * row) & 0xff];
	}
	for (unsigned c = 0; c < 4; c++)
		put32(out + 4 * c, t[c] ^ key[4 * rounds + c]);
}

void softhca_aes_encrypt(const struct softhca_aes *aes, const uint8_t in[16], uint8_t out[16])
{
	static const struct direction there = {the_offload.enc_table, the_offload.sbox, 1};

	crypt(&there, aes->enc, aes->rounds, in, out);
}

void softhca_aes_decrypt(const struct softhca_aes *aes, const uint8_t in[16], uint8_t out[16])
{
	static const struct direction back = {the_offload.dec_table, the_offload.inverse, 3};

	crypt(&back, aes->dec, aes->rounds, in, out);
}

bool softhca_aes_unwrap(const struct softhca_aes *kek, const uint8_t *wrapped, uint8_t *plain,
			size_t len)
{
	const unsigned n = (unsigned)(len / 8);
	uint8_t block[16], a[8];

	memcpy(a, wrapped, 8);
	memcpy(plain, wrapped + 8, len);
	for (unsigned t = 6 * n; t; t--) {
		uint8_t *r = plain + 8 * (size_t)((t - 1) % n);

		memcpy(block, a, 8);
		put32(block + 4, get32(block + 4) ^ t);
		memcpy(block + 8, r, 8);
		softhca_aes_decrypt(kek, block, block);
		memcpy(a, block, 8);
		memcpy(r, block + 8, 8);
	}
	for (unsigned i = 0; i < 8; i++)
		if (a[i] != 0xa6)
			return false;
	return true;
}
