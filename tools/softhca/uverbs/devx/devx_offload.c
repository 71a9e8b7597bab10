/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of signature and crypto keys: signature values, data encryption keys, logins. */
#include <errno.h>
#include <string.h>

#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/engine/offload/psv.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

static int made(struct uv_obj *obj, struct uv_mailbox *mb, enum uv_devx_kind kind, uint32_t num)
{
	obj->u.devx.kind = kind;
	obj->u.devx.id = num;
	prm_set(mb->out, 0, kind == UV_DEVX_PSV ? PSV_OUT_NUM : OUT_OBJ, num);
	return 0;
}

int uv_devx_create_psv(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_psv *psv;
	struct softhca_pd *pd;
	uint32_t num;
	int err;

	if (prm_get(mb->in, 0, PSV_COUNT) != 1)
		return -EINVAL; /* the driver allows only one at a time */
	err = uv_prm_begin(mb, 0x80, 0x100);
	if (err)
		return err;
	pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, 0, PSV_PD));
	if (!pd)
		return uv_prm_fail(mb, PRM_BAD_RES);
	err = softhca_psv_create(pd, &psv, &num);
	if (err)
		return uv_prm_errno(mb, err);
	obj->hw = psv;
	return made(obj, mb, UV_DEVX_PSV, num);
}

int uv_devx_create_dek(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_dek_attr attr = {0};
	struct softhca_dek *dek;
	uint32_t num;
	int err = uv_prm_begin(mb, GEN + DEK_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, GEN, DEK_PURPOSE) != PRM_DEK_AES_XTS ||
	    prm_get(mb->in, GEN, DEK_KEY_SIZE) > PRM_DEK_SIZE_256)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, GEN, DEK_PD));
	if (!attr.pd)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.bits = prm_get(mb->in, GEN, DEK_KEY_SIZE) == PRM_DEK_SIZE_256 ? 256 : 128;
	attr.has_keytag = prm_get(mb->in, GEN, DEK_HAS_KEYTAG);
	memcpy(attr.opaque, mb->in + (GEN + DEK_OPAQUE) / 8, sizeof(attr.opaque));
	memcpy(attr.key, mb->in + (GEN + DEK_KEY) / 8, sizeof(attr.key));
	err = softhca_dek_create(&attr, &dek, &num);
	if (err)
		return uv_prm_errno(mb, err);
	obj->hw = dek;
	return made(obj, mb, UV_DEVX_DEK, num);
}

int uv_devx_create_login(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_login *login;
	uint32_t num;
	int err = uv_prm_begin(mb, GEN + LOGIN_BITS, 0x80);

	if (!err)
		err = uv_prm_errno(
			mb, softhca_login_create(
				    obj->file->hca->dev,
				    (uint32_t)prm_get(mb->in, GEN, LOGIN_CREDENTIAL_NUM),
				    (uint32_t)prm_get(mb->in, GEN, LOGIN_KEK_NUM),
				    mb->in + (GEN + LOGIN_CREDENTIAL) / 8, &login, &num));
	if (err)
		return err;
	obj->hw = login;
	return made(obj, mb, UV_DEVX_LOGIN, num);
}

int uv_devx_query_general(struct uv_obj *obj, struct uv_mailbox *mb)
{
	const bool dek = obj->type == UV_DEVX && obj->u.devx.kind == UV_DEVX_DEK;
	const bool login = obj->type == UV_DEVX && obj->u.devx.kind == UV_DEVX_LOGIN;
	int err;

	if ((!dek && !login) || prm_get(mb->in, 0, IN_OBJ) != obj->u.devx.id ||
	    prm_get(mb->in, 0, GEN_TYPE) != (dek ? PRM_OBJ_DEK : PRM_OBJ_LOGIN))
		return -EINVAL;
	/* All zero: the key is ready, and the login is valid. */
	err = uv_prm_begin(mb, 0x80, GEN + (dek ? DEK_BITS : LOGIN_BITS));
	if (!err && dek)
		memcpy(mb->out + (GEN + DEK_OPAQUE) / 8, softhca_dek_opaque(obj->hw), 8);
	return err;
}
