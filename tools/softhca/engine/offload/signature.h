/* SPDX-License-Identifier: BSD-2-Clause */
/* Data between the two domains: signatures are checked, stripped, copied and made. */
#ifndef SOFTHCA_SIGNATURE_H
#define SOFTHCA_SIGNATURE_H

#include "tools/softhca/engine/offload/bsf.h"

/* A wrong signature. Values are at the top of their 64 bits, as in error completions. */
struct softhca_sig_error {
	bool set;
	uint16_t syndrome; /* one bit, for the first wrong part */
	uint64_t expected; /* from the block's signature */
	uint64_t actual;   /* computed from the block's data */
	uint64_t offset;   /* of the block, in the domain of the error */
};

/* State of a domain in the middle of data. */
struct softhca_sig_run {
	const struct softhca_sig_side *side;
	uint64_t index; /* of the block */
	uint32_t at;	/* bytes of the block that have passed */
	uint64_t sum;
};

struct softhca_sig_pass {
	struct softhca_sig_run in, out;
	uint8_t check, copy;
	uint8_t held[8]; /* of the incoming signature */
	unsigned n_held;
	uint64_t in_last, out_last; /* signatures of the last blocks that ended, for the PSVs */
	struct softhca_sig_error error;
};

/* Table of a reflected polynomial of up to 64 bits. */
struct softhca_crc_table {
	uint64_t poly, step[256];
};

/* State of this part for the process: tables, made at first use. */
extern struct the_offload {
	struct softhca_crc_table crc32, crc32c, crc64;
	uint16_t t10[256];
	/* AES: the first column. The others are rotations of it */
	uint32_t enc_table[256], dec_table[256];
	uint8_t sbox[256], inverse[256];
} the_offload __attribute__((visibility("hidden")));

/* softhca_sig_start: starts where blocks begin in both domains, after `in` earlier blocks. */
void softhca_sig_start(struct softhca_sig_pass *pass, const struct softhca_bsf *bsf, bool tx,
		       uint64_t strides);
/* softhca_sig_room: most bytes of the next push, up to the end of a block. At least 1. */
size_t softhca_sig_room(const struct softhca_sig_pass *pass);
/* softhca_sig_owed: number of bytes missing of the incoming signature of a complete block. */
size_t softhca_sig_owed(const struct softhca_sig_pass *pass);
/*
 * softhca_sig_push: takes `n` more bytes. Their output goes to `out`, at most n + 8 * (n / 512 + 1)
 * bytes. Returns its length. `pass->error` has the first error since it was last read.
 */
size_t softhca_sig_push(struct softhca_sig_pass *pass, const uint8_t *in, size_t n, uint8_t *out);

#endif
