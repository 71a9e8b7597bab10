/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * AES of FIPS 197, and the key wrapping of RFC 3394 (NIST SP 800-38F, KW).
 *
 * It is an implementation of our own, though nearly every machine has libcrypto. The engine runs
 * inside of foreign processes, and in trap mode inside of a signal handler. Loading a library and
 * its allocations are not possible there, and the program may use another version of it.
 */
#ifndef SOFTHCA_AES_H
#define SOFTHCA_AES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SOFTHCA_AES_BLOCK 16u

struct softhca_aes {
	uint32_t enc[60], dec[60]; /* round keys */
	unsigned rounds;
};

/* softhca_aes_init: the key has 16 or 32 bytes. */
void softhca_aes_init(struct softhca_aes *aes, const uint8_t *key, size_t bytes);
/* The block may be encrypted or decrypted in place. */
void softhca_aes_encrypt(const struct softhca_aes *aes, const uint8_t in[16], uint8_t out[16]);
void softhca_aes_decrypt(const struct softhca_aes *aes, const uint8_t in[16], uint8_t out[16]);

/*
 * softhca_aes_unwrap: `wrapped` has len + 8 bytes. len is a multiple of 8 and at most
 * SOFTHCA_UNWRAP_MAX. False if it was not wrapped with this key.
 */
#define SOFTHCA_UNWRAP_MAX 120u
bool softhca_aes_unwrap(const struct softhca_aes *kek, const uint8_t *wrapped, uint8_t *plain,
			size_t len);

#endif
