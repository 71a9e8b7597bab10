/* SPDX-License-Identifier: BSD-2-Clause */
/* Data on the way from one domain to the other: signatures are checked, stripped, copied, made. */
#ifndef SOFTHCA_SIGNATURE_H
#define SOFTHCA_SIGNATURE_H

#include "tools/softhca/engine/offload/bsf.h"

/* A signature that is wrong. Values stand at the top of their 64 bits, as in error completions. */
struct softhca_sig_error {
	bool set;
	uint16_t syndrome; /* one bit: the first thing that is wrong */
	uint64_t expected; /* what the block's signature says */
	uint64_t actual;   /* what its data say */
	uint64_t offset;   /* of the block, in the domain that it was found in */
};

/* The state of a domain in the middle of data. */
struct softhca_sig_run {
	const struct softhca_sig_side *side;
	uint64_t index; /* of the block */
	uint32_t at;	/* bytes of it that have passed */
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

/* Of a reflected polynomial of up to 64 bits. */
struct softhca_crc_table {
	uint64_t poly, step[256];
};

/* What this part keeps for the process: tables, made at first use. */
extern struct the_offload {
	struct softhca_crc_table crc32, crc32c, crc64;
	uint16_t t10[256];
	/* AES: the first column; the others are rotations */
	uint32_t enc_table[256], dec_table[256];
	uint8_t sbox[256], inverse[256];
} the_offload __attribute__((visibility("hidden")));

/* softhca_sig_start: where blocks begin in both domains; `in`: how many came before. */
void softhca_sig_start(struct softhca_sig_pass *pass, const struct softhca_bsf *bsf, bool tx,
		       uint64_t strides);
/* softhca_sig_room: how many bytes may come at once; more would leave a block. At least 1. */
size_t softhca_sig_room(const struct softhca_sig_pass *pass);
/* softhca_sig_owed: what is missing of the incoming signature of a block that is here. */
size_t softhca_sig_owed(const struct softhca_sig_pass *pass);
/*
 * softhca_sig_push: `n` more bytes came; what they make goes to `out`, at most n + 8 * (n / 512 +
 * 1) bytes. Returns how many. The first error since the last look is in `pass->error`.
 */
size_t softhca_sig_push(struct softhca_sig_pass *pass, const uint8_t *in, size_t n, uint8_t *out);

#endif
