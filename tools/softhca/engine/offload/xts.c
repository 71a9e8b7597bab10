/* SPDX-License-Identifier: BSD-2-Clause */
/* AES-XTS. A unit that is not a multiple of 16 bytes ends with ciphertext stealing. */
#include "tools/softhca/engine/offload/xts.h"

#include <string.h>

#define BLOCK SOFTHCA_AES_BLOCK

static void add_index(uint8_t out[16], const uint8_t first[16], uint64_t index)
{
	unsigned carry = 0;

	for (unsigned i = 0; i < 16; i++) {
		carry += first[i] + (unsigned)(i < 8 ? index >> 8 * i & 0xff : 0);
		out[i] = (uint8_t)carry;
		carry >>= 8;
	}
}

void softhca_xts_seek(struct softhca_xts *xts, uint64_t index)
{
	uint8_t plain[16];

	add_index(plain, xts->first, index);
	softhca_aes_encrypt(xts->tweak, plain, xts->power);
	xts->index = index;
	xts->at = 0;
	xts->n_held = 0;
}

/* Multiplies by the generator of GF(2^128). */
static void next_power(uint8_t p[16])
{
	unsigned carry = 0;

	for (unsigned i = 0; i < 16; i++) {
		carry |= (unsigned)p[i] << 1;
		p[i] = (uint8_t)carry;
		carry >>= 8;
	}
	if (carry)
		p[0] ^= 0x87;
}

static void one(const struct softhca_xts *xts, const uint8_t power[16], const uint8_t *in,
		uint8_t *out)
{
	uint8_t b[BLOCK];

	for (unsigned i = 0; i < BLOCK; i++)
		b[i] = in[i] ^ power[i];
	if (xts->encrypt)
		softhca_aes_encrypt(xts->data, b, b);
	else
		softhca_aes_decrypt(xts->data, b, b);
	for (unsigned i = 0; i < BLOCK; i++)
		out[i] = b[i] ^ power[i];
}

/* Handles the last whole block and the `rest` bytes after it. */
static void steal(struct softhca_xts *xts, unsigned rest, uint8_t *out)
{
	uint8_t last[16], whole[BLOCK], mixed[BLOCK];

	memcpy(last, xts->power, sizeof(last));
	next_power(last);
	/* Decryption uses the two powers in the other order. */
	one(xts, xts->encrypt ? xts->power : last, xts->held, whole);
	memcpy(mixed, xts->held + BLOCK, rest);
	memcpy(mixed + rest, whole + rest, BLOCK - rest);
	one(xts, xts->encrypt ? last : xts->power, mixed, out);
	memcpy(out + BLOCK, whole, rest);
}

/* Number of bytes that must be held before the next block can be processed. */
static unsigned needed(const struct softhca_xts *xts)
{
	const unsigned left = xts->unit - xts->at;

	return left < 2 * BLOCK && left % BLOCK ? left : BLOCK;
}

static void flush(struct softhca_xts *xts, uint8_t *out)
{
	if (xts->n_held == BLOCK)
		one(xts, xts->power, xts->held, out);
	else
		steal(xts, xts->n_held - BLOCK, out);
	xts->at += xts->n_held;
	xts->n_held = 0;
	if (xts->at == xts->unit)
		softhca_xts_seek(xts, xts->index + 1);
	else
		next_power(xts->power);
}

size_t softhca_xts_push(struct softhca_xts *xts, const uint8_t *in, size_t n, uint8_t *out)
{
	size_t made = 0;

	while (n) {
		const unsigned need = needed(xts);
		const size_t part = need - xts->n_held < n ? need - xts->n_held : n;

		memcpy(xts->held + xts->n_held, in, part);
		xts->n_held += (unsigned)part;
		in += part;
		n -= part;
		if (xts->n_held == need) {
			flush(xts, out + made);
			made += need;
		}
	}
	return made;
}
