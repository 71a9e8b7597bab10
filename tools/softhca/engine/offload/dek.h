/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Data encryption keys, and the login that loading wrapped keys needs.
 *
 * A card's crypto officer stores credentials and key encryption keys on it. This device comes with
 * one of each, number 0 (docs/softhca/modelled.md): the key encryption key has the bytes 0 to 15,
 * the credential the bytes 0 to 39.
 */
#ifndef SOFTHCA_DEK_H
#define SOFTHCA_DEK_H

#include "tools/softhca/engine/memory.h"
#include "tools/softhca/engine/offload/aes.h"

#define SOFTHCA_DEK_MAX	      64u /* both halves of a 256-bit XTS key */
#define SOFTHCA_KEYTAG	      8u
#define SOFTHCA_WRAPPED_EXTRA 8u
#define SOFTHCA_CREDENTIAL    40u

struct softhca_dek {
	struct softhca_pd *pd;
	uint32_t num;
	struct softhca_aes data, tweak;
	bool has_keytag;
	uint8_t keytag[SOFTHCA_KEYTAG], opaque[8];
};
struct softhca_login;

struct softhca_dek_attr {
	struct softhca_pd *pd;
	unsigned bits; /* 128 or 256, of each half */
	bool has_keytag;
	uint8_t opaque[8];
	/* Both halves, then the tag, wrapped as a whole if the device is configured so. */
	uint8_t key[SOFTHCA_DEK_MAX + SOFTHCA_KEYTAG + SOFTHCA_WRAPPED_EXTRA];
};

/* softhca_dek_create: -EINVAL: this device's key encryption key does not unwrap the key.
 * -EOPNOTSUPP: no crypto. */
int softhca_dek_create(const struct softhca_dek_attr *attr, struct softhca_dek **dek,
		       uint32_t *num);
void softhca_dek_destroy(struct softhca_dek *dek);
const uint8_t *softhca_dek_opaque(const struct softhca_dek *dek); /* 8 bytes */

/*
 * softhca_login_create: `credential` is wrapped. -EINVAL: a wrong credential, or an unknown
 * credential or key encryption key. -EOPNOTSUPP: keys are not wrapped here.
 */
int softhca_login_create(struct softhca_dev *dev, uint32_t credential_num, uint32_t kek_num,
			 const uint8_t credential[SOFTHCA_CREDENTIAL + SOFTHCA_WRAPPED_EXTRA],
			 struct softhca_login **login, uint32_t *num);
void softhca_login_destroy(struct softhca_login *login);

#endif
