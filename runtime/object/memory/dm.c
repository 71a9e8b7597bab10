/* SPDX-License-Identifier: BSD-2-Clause */
/* Device memory: allocation, its memory region, and copies by the CPU. */
#include "segue/mr.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/device/pd.h"
#include "runtime/object/memory/access.h"
#include "segue/base.h"
#include "segue/gen/enums.h"

#define WORD 4u /* copies are of whole words. Source: ibv_alloc_dm(3) */
#define REMOTE_RIGHTS                                                      \
	((uint32_t)(SEGUE_ACCESS_REMOTE_READ | SEGUE_ACCESS_REMOTE_WRITE | \
		    SEGUE_ACCESS_REMOTE_ATOMIC))
#define LOCAL_MAX (1u << 31) /* one more than an SGE can have */

struct segue_dm {
	struct seguei_object object; /* first */
	struct ibv_dm *dm;
	struct ibv_mr *mr;
	uint64_t length;
	bool shared;
};

static int release_dm(struct seguei_object *object)
{
	struct segue_dm *dm = (struct segue_dm *)object;
	int ret = dm->mr ? ibv_dereg_mr(dm->mr) : 0;

	if (!ret || ret == EIO) {
		dm->mr = NULL;
		ret = ibv_free_dm(dm->dm);
	}
	return ret;
}

static const struct seguei_kind dm_kind = {"device memory", SEGUEI_RANK_MR, release_dm};

static int check_options(const struct segue_device *device, const struct segue_dm_options *options)
{
	const uint64_t most = device->caps.max_device_memory;

	if (seguei_check_reserved(options->reserved, "Device memory"))
		return -EINVAL;
	if (!most)
		return seguei_fail(ENOTSUP, "Device memory: %s has none for programs.",
				   segue_device_name(device));
	if (!options->length || options->length % WORD || options->length > most)
		return seguei_fail(
			EINVAL,
			"Device memory: length is %llu, expected a multiple of %u up to %llu.",
			(unsigned long long)options->length, WORD, (unsigned long long)most);
	return seguei_access_check("Device memory", "access", options->access);
}

static int make(struct segue_dm *dm, struct segue_pd *pd, const struct segue_dm_options *options)
{
	struct ibv_alloc_dm_attr attr = {.length = options->length,
					 .log_align_req = options->log_align};
	uint32_t access = seguei_access_flags(options->access) | SEGUE_ACCESS_FLAGS_ZERO_BASED;

	if (options->access & (SEGUE_ACCESS_REMOTE_WRITE | SEGUE_ACCESS_REMOTE_ATOMIC))
		access |= SEGUE_ACCESS_FLAGS_LOCAL_WRITE; /* as for regions */
	dm->dm = ibv_alloc_dm(pd->pd->context, &attr);
	if (!dm->dm)
		return -errno;
	dm->mr = ibv_reg_dm_mr(pd->pd, dm->dm, 0, options->length, access);
	return dm->mr ? 0 : -errno;
}

int segue_dm_open(struct segue_pd *pd, const struct segue_dm_options *options,
		  struct segue_dm **out)
{
	struct segue_dm *dm;
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				      "segue_dm_open()");

	if (!ret)
		ret = check_options(seguei_device_of(&pd->object), options);
	if (ret)
		return ret;
	dm = seguei_object_alloc(sizeof(*dm), "Device memory");
	if (!dm)
		return -ENOMEM;
	ret = make(dm, pd, options);
	if (ret) {
		if (dm->dm)
			(void)ibv_free_dm(dm->dm);
		free(dm);
		return seguei_fail(-ret, "No device memory of %llu bytes: %s%s.",
				   (unsigned long long)options->length, strerror(-ret),
				   ret == -ENOMEM ? "; all programs share what the device has"
						  : "");
	}
	dm->length = options->length;
	dm->shared = (options->access & REMOTE_RIGHTS) != 0;
	dm->object.number = dm->mr->lkey;
	seguei_object_open(&dm->object, &dm_kind, &pd->object, seguei_key_of(dm->dm));
	*out = dm;
	return 0;
}

int segue_dm_close(struct segue_dm *dm)
{
	return seguei_object_close((struct seguei_object *)dm, &dm_kind);
}

static int check_piece(const struct segue_dm *dm, uint64_t offset, uint64_t length)
{
	if (length && offset <= dm->length && length <= dm->length - offset)
		return 0;
	return seguei_fail(ERANGE,
			   "Device memory 0x%x: %llu bytes from %llu on are not within its %llu.",
			   dm->object.number, (unsigned long long)length,
			   (unsigned long long)offset, (unsigned long long)dm->length);
}

int segue_dm_local_buf(const struct segue_dm *dm, uint64_t offset, uint64_t length,
		       struct segue_local_buf *out)
{
	int ret = check_piece(dm, offset, length);

	if (!ret && length >= LOCAL_MAX)
		ret = seguei_fail(
			ERANGE, "Device memory 0x%x: a piece of %llu bytes, expected less than %u.",
			dm->object.number, (unsigned long long)length, LOCAL_MAX);
	if (ret)
		return ret;
	out->addr = offset;
	out->length = (uint32_t)length;
	out->key.lkey = dm->mr->lkey;
	return 0;
}

int segue_dm_remote_buf(const struct segue_dm *dm, uint64_t offset, uint64_t length,
			struct segue_remote_buf *out)
{
	const int ret = check_piece(dm, offset, length);

	if (ret)
		return ret;
	if (!dm->shared)
		return seguei_fail(EACCES,
				   "Device memory 0x%x: it was opened without a REMOTE right, so "
				   "no peer reaches it.",
				   dm->object.number);
	out->addr = offset;
	out->length = length;
	out->key.rkey = dm->mr->rkey;
	return 0;
}

static int check_copy(struct segue_dm *dm, const void *memory, uint64_t offset, size_t length)
{
	const int ret = seguei_object_check((struct seguei_object *)dm, &dm_kind,
					    "Copying to or from device memory");

	if (ret)
		return ret;
	if (!memory)
		return seguei_fail(EINVAL,
				   "Device memory 0x%x: the program's memory of a copy is NULL.",
				   dm->object.number);
	if (offset % WORD || length % WORD)
		return seguei_fail(EINVAL,
				   "Device memory 0x%x: a copy of %zu bytes at %llu, expected "
				   "multiples of %u.",
				   dm->object.number, length, (unsigned long long)offset, WORD);
	return check_piece(dm, offset, length);
}

/* @err: the error number that verbs returned */
static int copied(const struct segue_dm *dm, int err, const char *way, uint64_t offset,
		  size_t length)
{
	return err ? seguei_fail(err, "Device memory 0x%x: %zu bytes are not copied %s %llu: %s.",
				 dm->object.number, length, way, (unsigned long long)offset,
				 strerror(err))
		   : 0;
}

int segue_dm_copy_to(struct segue_dm *dm, uint64_t offset, const void *from, size_t length)
{
	const int ret = check_copy(dm, from, offset, length);

	return ret ? ret
		   : copied(dm, ibv_memcpy_to_dm(dm->dm, offset, from, length), "to", offset,
			    length);
}

int segue_dm_copy_from(struct segue_dm *dm, uint64_t offset, void *to, size_t length)
{
	const int ret = check_copy(dm, to, offset, length);

	return ret ? ret
		   : copied(dm, ibv_memcpy_from_dm(to, dm->dm, offset, length), "from", offset,
			    length);
}
