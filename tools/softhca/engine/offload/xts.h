/* SPDX-License-Identifier: BSD-2-Clause */
/* AES-XTS (IEEE 1619) over a stream of data units. The tweak grows by one with each unit. */
#ifndef SOFTHCA_XTS_H
#define SOFTHCA_XTS_H

#include "tools/softhca/engine/offload/aes.h"

struct softhca_xts {
	const struct softhca_aes *data, *tweak; /* keys, which equal ones may replace */
	bool encrypt;
	uint32_t unit;	   /* bytes of a data unit, at least 16 */
	uint8_t first[16]; /* tweak of unit 0, little-endian */
	uint64_t index;	   /* of the present unit */
	uint32_t at;	   /* place in the unit where the held bytes begin */
	uint8_t power[16]; /* encrypted tweak of that block */
	uint8_t held[32];
	unsigned n_held;
};

/* softhca_xts_seek: moves to the start of a unit. data, tweak, encrypt, unit and first are set. */
void softhca_xts_seek(struct softhca_xts *xts, uint64_t index);
/*
 * softhca_xts_push: takes `n` more bytes. Whole blocks go to `out`, at most n + 31 bytes. Returns
 * their length. `in` and `out` do not overlap.
 */
size_t softhca_xts_push(struct softhca_xts *xts, const uint8_t *in, size_t n, uint8_t *out);

#endif
