/* SPDX-License-Identifier: BSD-2-Clause */
/* Data encryption keys and logins: their life cycle. */
#include "tools/softhca/engine/offload/dek.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/engine/memory/mem.h"

static void import_kek(struct softhca_aes *kek)
{
	uint8_t key[16];

	for (unsigned i = 0; i < sizeof(key); i++)
		key[i] = (uint8_t)i;
	softhca_aes_init(kek, key, sizeof(key));
}

static bool unwrap(const uint8_t *wrapped, uint8_t *plain, size_t len)
{
	struct softhca_aes kek;

	import_kek(&kek);
	return softhca_aes_unwrap(&kek, wrapped, plain, len);
}

int softhca_dek_create(const struct softhca_dek_attr *attr, struct softhca_dek **out, uint32_t *num)
{
	const size_t half = attr->bits / 8;
	const size_t len = 2 * half + (attr->has_keytag ? SOFTHCA_KEYTAG : 0);
	struct softhca_dev *dev = attr->pd->dev;
	uint8_t key[SOFTHCA_DEK_MAX + SOFTHCA_KEYTAG];
	struct softhca_dek *dek;

	if (!dev->cfg.crypto)
		return softhca_fail(-EOPNOTSUPP, "%s has no crypto offload", dev->cfg.name);
	if (attr->bits != 128 && attr->bits != 256)
		return softhca_fail(-EINVAL, "an XTS key of %u bits", attr->bits);
	if (!dev->cfg.crypto_wrapped)
		memcpy(key, attr->key, len);
	else if (!unwrap(attr->key, key, len))
		return softhca_fail(-EINVAL, "the key is not wrapped with this device's key");
	dek = softhca_table_new(&dev->deks, sizeof(*dek), num);
	if (!dek)
		return -ENOMEM;
	dek->num = *num;
	dek->pd = attr->pd;
	dek->pd->refs++;
	softhca_aes_init(&dek->data, key, half);
	softhca_aes_init(&dek->tweak, key + half, half);
	dek->has_keytag = attr->has_keytag;
	if (attr->has_keytag)
		memcpy(dek->keytag, key + 2 * half, sizeof(dek->keytag));
	memcpy(dek->opaque, attr->opaque, sizeof(dek->opaque));
	*out = dek;
	return 0;
}

void softhca_dek_destroy(struct softhca_dek *dek)
{
	if (!dek)
		return;
	softhca_table_del(&dek->pd->dev->deks, dek->num);
	dek->pd->refs--;
	free(dek);
}

const uint8_t *softhca_dek_opaque(const struct softhca_dek *dek)
{
	return dek->opaque;
}

struct softhca_login {
	struct softhca_dev *dev;
	uint32_t num;
};

int softhca_login_create(struct softhca_dev *dev, uint32_t credential_num, uint32_t kek_num,
			 const uint8_t credential[SOFTHCA_CREDENTIAL + SOFTHCA_WRAPPED_EXTRA],
			 struct softhca_login **out, uint32_t *num)
{
	uint8_t plain[SOFTHCA_CREDENTIAL];
	struct softhca_login *login;
	bool good;

	if (!dev->cfg.crypto || !dev->cfg.crypto_wrapped)
		return softhca_fail(-EOPNOTSUPP, "%s takes keys as they are", dev->cfg.name);
	good = !credential_num && !kek_num && unwrap(credential, plain, sizeof(plain));
	for (unsigned i = 0; good && i < sizeof(plain); i++)
		good = plain[i] == i;
	if (!good)
		return softhca_fail(-EINVAL, "%s does not know this credential", dev->cfg.name);
	login = softhca_table_new(&dev->logins, sizeof(*login), num);
	if (!login)
		return -ENOMEM;
	login->num = *num;
	login->dev = dev;
	*out = login;
	return 0;
}

void softhca_login_destroy(struct softhca_login *login)
{
	if (!login)
		return;
	softhca_table_del(&login->dev->logins, login->num);
	free(login);
}
