/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Objects that the settings of protected keys refer to: protection signature values, and data
 * encryption keys.
 */
#define _GNU_SOURCE
#include "segue/mkey.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/pd.h"
#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/gen/segments.h"

#define KEYTAG	sizeof(((struct segue_seg_crypto_bsf *)NULL)->keytag)
#define KEY_MAX sizeof(((struct segue_seg_create_dek_in *)NULL)->key)

/* Common part: the number of an object that a raw command has created. */
struct made {
	struct seguei_object object; /* first */
	struct mlx5dv_devx_obj *devx;
};

struct segue_sigval {
	struct made made; /* first */
};

struct segue_dek {
	struct made made; /* first */
};

static int release(struct seguei_object *object)
{
	/* an errno of either sign, or -1 */
	const int ret = mlx5dv_devx_obj_destroy(((struct made *)object)->devx);

	return ret == -1 ? errno : abs(ret);
}

static const struct seguei_kind psv_kind = {"protection signature value", SEGUEI_RANK_MKEY,
					    release};
static const struct seguei_kind dek_kind = {"data encryption key", SEGUEI_RANK_MKEY, release};

/* Checks the domain, and finds its number. */
static int find_pdn(struct segue_pd *pd, const char *function, uint32_t *pdn)
{
	const int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, function);

	if (ret || !seguei_pd_number(pd, pdn))
		return ret;
	return seguei_fail(EOPNOTSUPP, "%s: the driver does not report the domain's number.",
			   function);
}

/* A raw command and its answer. */
struct command {
	const void *in;
	size_t in_size;
	uint8_t *out;
	size_t out_size;
};

/* Creates the object. The caller finds its number in the answer. */
static int make(struct segue_pd *pd, const struct seguei_kind *kind, const struct command *c,
		struct made **out)
{
	struct made *made = seguei_object_alloc(sizeof(*made), kind->name);

	if (!made)
		return -ENOMEM;
	made->devx = mlx5dv_devx_obj_create(pd->pd->context, c->in, c->in_size, c->out,
					    c->out_size);
	if (!made->devx) {
		const int err = errno ? errno : EIO;

		free(made);
		/* The device's refusal has a reason, which the driver does not report. */
		return seguei_fail(err, "No %s: %s.", kind->name,
				   err == EREMOTEIO ? "the device refused it" : strerror(err));
	}
	*out = made;
	return 0;
}

static void finish(struct segue_pd *pd, const struct seguei_kind *kind, struct made *made,
		   uint32_t number)
{
	seguei_object_open(&made->object, kind, &pd->object, seguei_key_of(made->devx));
	made->object.number = number;
}

int segue_sigval_open(struct segue_pd *pd, struct segue_sigval **out)
{
	uint8_t in[SEGUE_SEG_CREATE_PSV_IN_SIZE], answer[SEGUE_SEG_CREATE_PSV_OUT_SIZE] = {0};
	const struct command command = {in, sizeof(in), answer, sizeof(answer)};
	struct segue_seg_create_psv_in create = {.num_psv = 1};
	struct segue_seg_create_psv_out created;
	struct made *made;
	int ret = find_pdn(pd, "segue_sigval_open()", &create.pd);

	if (ret)
		return ret;
	segue_seg_create_psv_in_pack(in, &create);
	ret = make(pd, &psv_kind, &command, &made);
	if (ret)
		return ret;
	(void)segue_seg_create_psv_out_unpack(&created, answer);
	finish(pd, &psv_kind, made, created.psv0_index);
	*out = (struct segue_sigval *)made;
	return 0;
}

int segue_sigval_close(struct segue_sigval *psv)
{
	return seguei_object_close((struct seguei_object *)psv, &psv_kind);
}

uint32_t segue_sigval_number(const struct segue_sigval *psv)
{
	return psv->made.object.number;
}

static int check_dek(const struct segue_dek_options *o)
{
	const size_t least = o->bits / 4 + (o->has_keytag ? KEYTAG : 0);

	if (seguei_check_reserved(o->reserved, "Data encryption key"))
		return -EINVAL;
	if (o->bits != 128 && o->bits != 256)
		return seguei_fail(EINVAL, "Data encryption key: bits is %u, expected 128 or 256.",
				   o->bits);
	if (!o->key)
		return seguei_fail(EINVAL, "Data encryption key: key is NULL.");
	if (o->key_length < least || o->key_length > KEY_MAX)
		return seguei_fail(EINVAL,
				   "Data encryption key: key_length is %zu, expected %zu, or more "
				   "for a wrapped key.",
				   o->key_length, least);
	return 0;
}

int segue_dek_open(struct segue_pd *pd, const struct segue_dek_options *options,
		   struct segue_dek **out)
{
	uint8_t in[SEGUE_SEG_CREATE_DEK_IN_SIZE], answer[SEGUE_SEG_CREATE_OBJECT_OUT_SIZE] = {0};
	const struct command command = {in, sizeof(in), answer, sizeof(answer)};
	struct segue_seg_create_dek_in create = {.key_purpose = SEGUE_DEK_PURPOSE_AES_XTS};
	struct segue_seg_create_object_out created;
	struct made *made;
	int ret = find_pdn(pd, "segue_dek_open()", &create.pd);

	ret = ret ? ret : check_dek(options);
	if (ret)
		return ret;
	create.key_size = options->bits == 256 ? SEGUE_DEK_SIZE_SIZE_256 : SEGUE_DEK_SIZE_SIZE_128;
	create.has_keytag = options->has_keytag != 0;
	memcpy(create.opaque, options->opaque, sizeof(create.opaque));
	memcpy(create.key, options->key, options->key_length);
	segue_seg_create_dek_in_pack(in, &create);
	ret = make(pd, &dek_kind, &command, &made);
	explicit_bzero(&create, sizeof(create));
	explicit_bzero(in, sizeof(in));
	if (ret)
		return ret;
	(void)segue_seg_create_object_out_unpack(&created, answer);
	finish(pd, &dek_kind, made, created.obj_id);
	*out = (struct segue_dek *)made;
	return 0;
}

int segue_dek_close(struct segue_dek *dek)
{
	return seguei_object_close((struct seguei_object *)dek, &dek_kind);
}

uint32_t segue_dek_number(const struct segue_dek *dek)
{
	return dek->made.object.number;
}
