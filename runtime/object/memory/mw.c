/* SPDX-License-Identifier: BSD-2-Clause */
/* Memory windows and indirect keys. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/pd.h"
#include "runtime/object/memory/mr.h"
#include "segue/base.h"
#include "segue/mkey.h"
#include "segue/mr.h"

struct segue_mw {
	struct seguei_object object; /* first */
	struct ibv_mw *mw;
	uint32_t rkey;
};

struct segue_mkey {
	struct seguei_object object; /* first */
	struct mlx5dv_mkey *mkey;
	uint16_t entries; /* pieces, at most */
	bool relaxed;	  /* a layout has set RELAXED_ORDERING */
};

static int release_mw(struct seguei_object *object)
{
	struct segue_mw *mw = (struct segue_mw *)object;
	const int ret = ibv_dealloc_mw(mw->mw); /* returns the error number */

	return ret ? seguei_fail(ret, "The memory window 0x%x cannot be closed: %s.", mw->rkey,
				 strerror(ret))
		   : 0;
}

const struct seguei_kind seguei_mw_kind = {"memory window", SEGUEI_RANK_MW, release_mw};

int segue_mw_open(struct segue_pd *pd, enum segue_mw_type type, struct segue_mw **out)
{
	struct segue_mw *mw;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_mw_open()");
	if (ret)
		return ret;
	if (type != SEGUE_MW_TYPE_1 && type != SEGUE_MW_TYPE_2)
		return seguei_fail(EINVAL, "Memory window: type is %d, expected 1 or 2.",
				   (int)type);
	mw = seguei_object_alloc(sizeof(*mw), "Memory window");
	if (!mw)
		return -ENOMEM;
	mw->mw = ibv_alloc_mw(pd->pd, type == SEGUE_MW_TYPE_1 ? IBV_MW_TYPE_1 : IBV_MW_TYPE_2);
	if (!mw->mw) {
		ret = errno ? errno : EIO;
		free(mw);
		return seguei_fail(ret, "No memory window of type %d: %s.", (int)type,
				   strerror(ret));
	}
	mw->rkey = mw->mw->rkey;
	seguei_object_open(&mw->object, &seguei_mw_kind, &pd->object, seguei_key_of(mw->mw));
	mw->object.number = mw->rkey;
	*out = mw;
	return 0;
}

int segue_mw_close(struct segue_mw *mw)
{
	return seguei_object_close((struct seguei_object *)mw, &seguei_mw_kind);
}

struct segue_remote_key segue_mw_rkey(const struct segue_mw *mw)
{
	const struct segue_remote_key key = {mw->rkey};

	return key;
}

int seguei_mw_type(const struct segue_mw *mw)
{
	return mw->mw->type == IBV_MW_TYPE_1 ? 1 : 2;
}

void seguei_mw_restore_key(struct segue_mw *mw, uint32_t rkey)
{
	mw->rkey = rkey;
}

struct segue_remote_key segue_mw_next_rkey(struct segue_mw *mw)
{
	mw->rkey = ibv_inc_rkey(mw->rkey);
	return segue_mw_rkey(mw);
}

static int release_mkey(struct seguei_object *object)
{
	const int ret = mlx5dv_destroy_mkey(((struct segue_mkey *)object)->mkey);

	return ret < 0 ? errno : ret;
}

static const struct seguei_kind mkey_kind = {"indirect key", SEGUEI_RANK_MKEY, release_mkey};

int segue_mkey_open(struct segue_pd *pd, const struct segue_mkey_options *options,
		    struct segue_mkey **out)
{
	const uint32_t flags = options->flags;
	struct mlx5dv_mkey_init_attr attr = {0};
	struct segue_mkey *mkey;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_mkey_open()");
	if (ret)
		return ret;
	if (seguei_check_reserved(options->reserved, "Indirect key"))
		return -EINVAL;
	if (!options->max_entries)
		return seguei_fail(EINVAL, "Indirect key: max_entries is 0, expected 1 or more.");
	if (flags & ~(uint32_t)(SEGUE_MKEY_SIGNATURE | SEGUE_MKEY_CRYPTO))
		return seguei_fail(EINVAL,
				   "Indirect key: flags are 0x%x, expected SEGUE_MKEY_SIGNATURE "
				   "and SEGUE_MKEY_CRYPTO.",
				   flags);
	mkey = seguei_object_alloc(sizeof(*mkey), "Indirect key");
	if (!mkey)
		return -ENOMEM;
	attr.pd = pd->pd;
	attr.create_flags = MLX5DV_MKEY_INIT_ATTR_FLAGS_INDIRECT;
	attr.create_flags |= flags & SEGUE_MKEY_SIGNATURE
				     ? MLX5DV_MKEY_INIT_ATTR_FLAGS_BLOCK_SIGNATURE
				     : 0;
	attr.create_flags |= flags & SEGUE_MKEY_CRYPTO ? MLX5DV_MKEY_INIT_ATTR_FLAGS_CRYPTO : 0;
	attr.max_entries = options->max_entries;
	mkey->mkey = mlx5dv_create_mkey(&attr);
	if (!mkey->mkey) {
		ret = errno ? errno : EIO;
		free(mkey);
		return seguei_fail(ret, "No indirect key of %u entries: %s.", options->max_entries,
				   strerror(ret));
	}
	seguei_object_open(&mkey->object, &mkey_kind, &pd->object, seguei_key_of(mkey->mkey));
	mkey->object.number = mkey->mkey->lkey;
	mkey->entries = options->max_entries;
	*out = mkey;
	return 0;
}

uint16_t seguei_mkey_entries(const struct segue_mkey *mkey)
{
	return mkey->entries;
}

const struct segue_caps *seguei_mkey_caps(struct segue_mkey *mkey)
{
	return &seguei_device_of(&mkey->object)->caps;
}

bool seguei_mkey_relaxed(struct segue_mkey *mkey, bool now)
{
	mkey->relaxed = mkey->relaxed || now;
	return mkey->relaxed;
}

int segue_mkey_close(struct segue_mkey *mkey)
{
	return seguei_object_close((struct seguei_object *)mkey, &mkey_kind);
}

struct segue_local_key segue_mkey_lkey(const struct segue_mkey *mkey)
{
	const struct segue_local_key key = {mkey->mkey->lkey};

	return key;
}

struct segue_remote_key segue_mkey_rkey(const struct segue_mkey *mkey)
{
	const struct segue_remote_key key = {mkey->mkey->rkey};

	return key;
}
