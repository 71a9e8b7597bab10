/* SPDX-License-Identifier: BSD-2-Clause */
/* The secret of a job, and the proofs by which both ends of a connection show that they know it. */
#ifndef SEGUE_RUNTIME_PEERS_WORLD_TOKEN_H
#define SEGUE_RUNTIME_PEERS_WORLD_TOKEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEGUEI_NONCE_SIZE 32
#define SEGUEI_PROOF_SIZE 32
#define SEGUEI_TOKEN_MAX  128 /* characters */

/*
 * Finds the token: the program's own, SEGUE_TOKEN, the file in SEGUE_TOKEN_FILE, or .segue/token in
 * the user's home. The latter is created with random bytes, readable by the user only, if it does
 * not exist. 0 or a negative errno with a sentence.
 */
int seguei_token_find(const char *given, char out[SEGUEI_TOKEN_MAX + 1]);

/* Fills in random bytes that no connection has had before. 0 or -EIO. */
int seguei_nonce_draw(uint8_t nonce[SEGUEI_NONCE_SIZE]);

/* HMAC-SHA-256 with the token as its key. -ENOTSUP with a sentence if there is no libcrypto. */
int seguei_proof_make(const char *token, const uint8_t *said, size_t size,
		      uint8_t proof[SEGUEI_PROOF_SIZE]);

/* Takes the same time wherever the two differ. */
bool seguei_proof_same(const uint8_t *a, const uint8_t *b, size_t size);

#endif
