/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Keys that protect data on their way, with signatures per block or with encryption.
 *
 * Such a key is an indirect one with room for settings (segue_mkey_options.flags). A UMR gives it
 * its pieces and the settings: segue_umr_list_sig(), segue_umr_list_crypto(),
 * segue_umr_list_sig_crypto() and the interleaved ones. Signature settings name protection
 * signature values (PSVs), one for each domain with signatures. A segue_set_psv() after the UMR
 * sets the start of each. Crypto settings name a data encryption key. docs/protected-keys.md shows
 * it.
 *
 * Owner: keys and values are children of their protection domain. The caller that opened them must
 * close them. Closing the domain closes them, too.
 * Threads: opening and closing as for all objects of a device.
 * Errors: a negative errno with segue_errmsg().
 * Source: mlx5dv_create_mkey(3), mlx5dv_dek_create(3).
 */
#ifndef SEGUE_PROTECT_H
#define SEGUE_PROTECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "segue/detail/function.h"
#include "segue/mr.h"

#include "segue/detail/begin.h"

struct segue_sigval;
struct segue_dek;

/**
 * segue_sigval_open() - make a protection signature value.
 * @pd: its owner
 *
 * Returns 0, -EOPNOTSUPP if the device has no signatures or the driver no DEVX, or another negative
 * errno from the driver.
 * Source: providers/mlx5/mlx5.c, mlx5_create_psv.
 */
SEGUEI_MUST_CHECK int segue_sigval_open(struct segue_pd *pd, struct segue_sigval **out);

/**
 * segue_sigval_close() destroys it. NULL is allowed. Returns 0 or a negative errno from the driver.
 */
int segue_sigval_close(struct segue_sigval *psv);

/** segue_sigval_number() is its number in settings (w_psv, m_psv) and segue_set_psv(). */
uint32_t segue_sigval_number(const struct segue_sigval *psv);

/**
 * struct segue_dek_options - a data encryption key for AES-XTS.
 * @bits: 128 or 256, of each half
 * @has_keytag: the last 8 bytes of the key are a tag, which settings must repeat
 * @opaque: a value by which the user identifies the key
 * @key: both halves, then the tag. On a device that takes wrapped keys it is wrapped as a whole,
 *   with 8 bytes more
 * @key_length: its length in bytes, at most 128
 */
struct segue_dek_options {
	unsigned int bits;
	bool has_keytag;
	uint8_t opaque[8];
	const void *key;
	size_t key_length;
	uint64_t reserved[4]; /* 0 */
};

/**
 * segue_dek_open() - load a data encryption key into the device.
 * @pd: its owner
 * @options: the key, which is copied
 *
 * Devices that take wrapped keys need a login first (mlx5dv_crypto_login(3)). Returns 0, -EINVAL
 * for options that contradict each other, -EOPNOTSUPP if the driver has no DEVX, or another
 * negative errno from the driver.
 * Source: mlx5dv_dek_create(3).
 */
SEGUEI_MUST_CHECK int segue_dek_open(struct segue_pd *pd, const struct segue_dek_options *options,
				     struct segue_dek **out);

/**
 * segue_dek_close() destroys it. NULL is allowed. Returns 0 or a negative errno from the driver.
 */
int segue_dek_close(struct segue_dek *dek);

/** segue_dek_number() is its number in crypto settings (dek_ptr). */
uint32_t segue_dek_number(const struct segue_dek *dek);

#include "segue/detail/end.h"
#endif
