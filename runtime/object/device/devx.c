/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Completion queues and queue pairs that are created by raw DEVX commands over registered memory.
 */
#include "runtime/object/device/devx.h"

#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "runtime/object/device/command.h"
#include "segue/base.h"
#include "segue/gen/segments.h"

#define PAGE 4096u

int seguei_devx_take(struct seguei_devx *devx, struct seguei_ring_domain *rings, const char *whose,
		     size_t bytes, const struct segue_ring_memory *given)
{
	if (given && (!given->start || (uintptr_t)given->start % PAGE ||
		      given->dmabuf_offset % PAGE || given->bytes < bytes))
		return seguei_fail(EINVAL,
				   "%s: memory has %zu bytes from %p on, and dmabuf_offset %llu; "
				   "expected %zu bytes or more, from the start of a page.",
				   whose, given->bytes, given->start,
				   (unsigned long long)given->dmabuf_offset, bytes);
	devx->borrowed = given && !given->lanes_only;
	devx->bytes = bytes;
	devx->memory = devx->borrowed ? memset(given->start, 0, bytes)
				      : seguei_ring_domain_take(rings, whose, bytes);
	return devx->memory ? 0 : -errno;
}

void seguei_devx_give_back(struct seguei_devx *devx, const struct seguei_ring_domain *rings)
{
	if (!devx->borrowed)
		seguei_ring_domain_give_back(rings, devx->memory, devx->bytes);
	devx->memory = NULL;
}

int seguei_devx_open(struct seguei_devx *devx, struct ibv_context *context,
		     const struct segue_ring_memory *given)
{
	struct mlx5dv_devx_umem_in in = {
		.addr = given ? given->start : devx->memory,
		.size = devx->bytes,
		.access = IBV_ACCESS_LOCAL_WRITE,
		.pgsz_bitmap = UINT64_MAX & ~(uint64_t)(PAGE - 1),
	};

	if (given && given->use_dmabuf) {
		in.addr = (void *)(uintptr_t)given->dmabuf_offset;
		in.comp_mask = MLX5DV_UMEM_MASK_DMABUF;
		in.dmabuf_fd = given->dmabuf_fd;
	}
	if (given)
		devx->lanes = (uint8_t *)given->start - devx->memory;
	devx->uar = mlx5dv_devx_alloc_uar(context, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (devx->uar)
		devx->umem = mlx5dv_devx_umem_reg_ex(context, &in);
	return devx->umem ? 0 : errno ? -errno : -EOPNOTSUPP;
}

int seguei_devx_make(struct seguei_devx *devx, struct ibv_context *context, const void *in,
		     size_t size, uint32_t *number)
{
	uint8_t out[SEGUE_SEG_CREATE_OBJECT_OUT_SIZE] = {0};
	struct segue_seg_create_object_out answer;

	devx->obj = mlx5dv_devx_obj_create(context, in, size, out, sizeof(out));
	if (!devx->obj)
		return errno ? -errno : -EIO;
	(void)segue_seg_create_object_out_unpack(&answer, out);
	*number = answer.obj_id;
	return 0;
}

int seguei_devx_close(struct seguei_devx *devx)
{
	int ret = 0;

	if (devx->obj)
		ret = seguei_command_errno(mlx5dv_devx_obj_destroy(devx->obj));
	if (ret && ret != -EIO)
		return ret;
	devx->obj = NULL;
	if (devx->umem)
		(void)mlx5dv_devx_umem_dereg(devx->umem);
	devx->umem = NULL;
	return ret;
}
