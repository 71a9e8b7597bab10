/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Effects of a signature or crypto key on data (its byte stream format), and the arithmetic of
 * positions. A byte has different places in memory and on the wire, because signatures may be in
 * one of them only.
 */
#ifndef SOFTHCA_BSF_H
#define SOFTHCA_BSF_H

#include "tools/softhca/engine/qp.h"

enum softhca_sig_kind {
	SOFTHCA_SIG_NONE,
	SOFTHCA_SIG_DIF_CRC,
	SOFTHCA_SIG_DIF_SUM,
	SOFTHCA_SIG_CRC32,
	SOFTHCA_SIG_CRC32C,
	SOFTHCA_SIG_CRC64,
};

/* Form of data in one domain, memory or wire. */
struct softhca_sig_side {
	enum softhca_sig_kind kind;
	uint32_t block, size; /* bytes of a block, and of the signature after it */
	bool ones;	      /* the checksum starts from all ones, otherwise from zero */
	uint32_t psv;
	/* T10-DIF */
	uint16_t app_tag, app_mask;
	uint32_t ref_tag;
	bool ref_grows, app_escape, app_ref_escape;
};

struct softhca_crypto {
	bool on;
	bool encrypt_on_tx, sig_first_on_tx;
	uint32_t unit, dek;
	uint8_t keytag[8], tweak[16]; /* of the first unit, little-endian */
};

struct softhca_bsf {
	struct softhca_sig_side mem, wire;
	uint8_t check, copy; /* bytes of a signature. The top bit is the most significant one */
	struct softhca_crypto crypto;
	/* Lengths on the wire and in memory after which blocks and units begin in both. */
	uint64_t wire_stride, mem_stride;
};

/*
 * softhca_bsf_parse: parses `octowords` units of 16 bytes of a UMR. SOFTHCA_OK, or the syndrome
 * that the UMR fails with, which was reported to the referee.
 */
int softhca_bsf_parse(struct softhca_qp *qp, struct softhca_bsf *bsf, const uint8_t *raw,
		      unsigned octowords);
/* softhca_bsf_mem_of: number of bytes in memory for the first `wire` bytes on the wire. */
uint64_t softhca_bsf_mem_of(const struct softhca_bsf *bsf, uint64_t wire);

#endif
