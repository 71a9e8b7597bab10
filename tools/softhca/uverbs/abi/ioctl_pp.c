/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * ioctl methods of the mlx5 driver for objects that are little more than a number: packet pacing
 * entries and doorbell pages of virtio queues (VAR).
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/devx/prm.h"

/* The distinguishing fields of a pacing context: rate, burst, packet size. */
#define PP_CONTEXT 0x30u /* bytes */
static const struct prm_field pp_rate = {0x0, 32};

static bool index_taken(const struct uv_file *f, uint16_t index)
{
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_PP && f->objs[i]->u.pp.index == index)
			return true;
	return false;
}

/* Equal requests get the same entry, unless one of them wants it exclusively. */
static uint16_t pick_index(const struct uv_file *f, const uint8_t *context, bool dedicated)
{
	for (unsigned int i = 0; i < f->num_objs && !dedicated; i++) {
		const struct uv_obj *o = f->objs[i];

		if (o && o->type == UV_PP && o->u.pp.index && !o->u.pp.dedicated &&
		    !memcmp(o->u.pp.context, context, PP_CONTEXT))
			return o->u.pp.index;
	}
	for (uint16_t n = 1; n <= UV_PP_ENTRIES; n++)
		if (!index_taken(f, n))
			return n;
	return 0;
}

static int pp_alloc(struct uv_ioctl *io)
{
	struct uv_span span = uv_attr_span(io, MLX5_IB_ATTR_PP_OBJ_ALLOC_CTX);
	uint8_t context[PP_CONTEXT] = {0};
	uint32_t flags = 0;
	struct uv_obj *pp;
	uint64_t rate;
	int err;

	if (!softhca_dev_config(io->file->hca->dev)->qos)
		return -EOPNOTSUPP;
	if (!span.len || span.len > PP_CONTEXT ||
	    uv_attr_in(io, MLX5_IB_ATTR_PP_OBJ_ALLOC_FLAGS, &flags, sizeof(flags)) ||
	    flags & ~(uint32_t)MLX5_IB_UAPI_PP_ALLOC_FLAGS_DEDICATED_INDEX ||
	    !uv_attr(io, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE))
		return -EINVAL;
	if (uv_copy_in(context, span.addr, span.len))
		return -EFAULT;
	rate = prm_get(context, 0, pp_rate);
	if (rate < SOFTHCA_RATE_MIN || rate > SOFTHCA_RATE_MAX)
		return -EINVAL;
	pp = uv_obj_new(io->file, UV_PP);
	if (!pp)
		return -ENOMEM;
	pp->u.pp.dedicated = flags != 0;
	pp->u.pp.index = pick_index(io->file, context, flags != 0);
	memcpy(pp->u.pp.context, context, PP_CONTEXT);
	err = pp->u.pp.index ? 0 : -ENOSPC;
	if (!err)
		err = uv_attr_out(io, MLX5_IB_ATTR_PP_OBJ_ALLOC_INDEX, &pp->u.pp.index,
				  sizeof(uint16_t));
	if (!err)
		err = uv_attr_set(io, MLX5_IB_ATTR_PP_OBJ_ALLOC_HANDLE, pp->handle);
	if (err)
		uv_obj_free(pp);
	return err;
}

static int var_alloc(struct uv_ioctl *io)
{
	struct uv_obj *var;
	uint64_t offset;
	int err;

	if (!uv_attr(io, MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE))
		return -EINVAL;
	var = uv_obj_new(io->file, UV_VAR);
	if (!var)
		return -ENOMEM;
	err = uv_page_take(io->file, &var->u.var.slot);
	if (err) {
		uv_obj_free(var);
		return err;
	}
	var->u.var.taken = true;
	offset = uv_page_offset(var->u.var.slot);
	err = uv_answer_page(io, MLX5_IB_ATTR_VAR_OBJ_ALLOC_MMAP_OFFSET, offset,
			     (uint32_t)(offset / SOFTHCA_UAR_SIZE));
	if (!err)
		err = uv_attr_set(io, MLX5_IB_ATTR_VAR_OBJ_ALLOC_HANDLE, var->handle);
	if (err)
		(void)uv_obj_destroy(var);
	return err;
}

int uv_ioctl_pp(struct uv_ioctl *io)
{
	if (io->method == MLX5_IB_METHOD_PP_OBJ_ALLOC)
		return pp_alloc(io);
	return io->method == MLX5_IB_METHOD_PP_OBJ_DESTROY
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_PP_OBJ_DESTROY_HANDLE, UV_PP)
		       : -EPROTONOSUPPORT;
}

int uv_ioctl_var(struct uv_ioctl *io)
{
	if (io->method == MLX5_IB_METHOD_VAR_OBJ_ALLOC)
		return var_alloc(io);
	return io->method == MLX5_IB_METHOD_VAR_OBJ_DESTROY
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_VAR_OBJ_DESTROY_HANDLE, UV_VAR)
		       : -EPROTONOSUPPORT;
}

/* An embedded switch that is not in use is expressed by no flag at all. */
int uv_ioctl_query_port(struct uv_ioctl *io)
{
	const struct mlx5_ib_uapi_query_port info = {0};
	uint32_t port;

	if (uv_attr_in(io, MLX5_IB_ATTR_QUERY_PORT_PORT_NUM, &port, sizeof(port)) || !port ||
	    port > softhca_dev_config(io->file->hca->dev)->nports)
		return -EINVAL;
	return uv_attr_out(io, MLX5_IB_ATTR_QUERY_PORT, &info, sizeof(info));
}
