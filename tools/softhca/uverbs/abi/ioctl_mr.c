/* SPDX-License-Identifier: BSD-2-Clause */
/* ioctl methods of memory regions and of device memory. */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <unistd.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/trap/memic.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/trap/trap.h"

#define MAX_SGES 1024u

/* Access rights that mlx5 allows for device memory. */
#define DM_ACCESS                                                                               \
	((uint32_t)(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE | IBV_ACCESS_REMOTE_READ | \
		    IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_ZERO_BASED |                          \
		    (int)IBV_ACCESS_OPTIONAL_RANGE))

static struct uv_obj *object(struct uv_ioctl *io, uint16_t attr, enum uv_type type)
{
	struct uv_obj *obj;

	return uv_attr_obj(io, attr, type, &obj) ? NULL : obj;
}

/* ---- regions --------------------------------------------------------------------------------- */

static int query_mr(struct uv_ioctl *io)
{
	struct uv_obj *mr = object(io, UVERBS_ATTR_QUERY_MR_HANDLE, UV_MR);
	uint32_t key;
	int err;

	if (!uv_attr(io, UVERBS_ATTR_QUERY_MR_HANDLE))
		return -EINVAL;
	if (!mr)
		return -ENOENT;
	key = softhca_mkey_key(mr->hw);
	err = uv_attr_out(io, UVERBS_ATTR_QUERY_MR_RESP_LKEY, &key, sizeof(key));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_QUERY_MR_RESP_RKEY, &key, sizeof(key));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_QUERY_MR_RESP_LENGTH, &mr->u.umem.len,
				  sizeof(uint64_t));
	if (!err)
		err = uv_attr_out(io, UVERBS_ATTR_QUERY_MR_RESP_IOVA, &mr->u.umem.addr,
				  sizeof(uint64_t));
	return err;
}

static int advise_one(struct uv_obj *pd, uint64_t at, unsigned int advice, bool now)
{
	struct ibv_sge sge;

	if (uv_copy_in(&sge, at, sizeof(sge)))
		return -EFAULT;
	return softhca_mr_advise(pd->hw, &sge, advice == IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_WRITE,
				 now && advice != IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT);
}

static int advise_mr(struct uv_ioctl *io)
{
	struct uv_obj *pd = object(io, UVERBS_ATTR_ADVISE_MR_PD_HANDLE, UV_PD);
	struct uv_span list = uv_attr_span(io, UVERBS_ATTR_ADVISE_MR_SGE_LIST);
	uint64_t advice;
	uint32_t flags = 0;
	int err = 0;

	if (!softhca_dev_config(io->file->hca->dev)->odp)
		return -EOPNOTSUPP;
	/* The kernel's command has room for at least one entry. */
	if (uv_attr_u64(io, UVERBS_ATTR_ADVISE_MR_ADVICE, &advice) || !list.len ||
	    list.len % sizeof(struct ibv_sge) || list.len / sizeof(struct ibv_sge) > MAX_SGES)
		return -EINVAL;
	if (!pd)
		return -ENOENT;
	(void)uv_attr_in(io, UVERBS_ATTR_ADVISE_MR_FLAGS, &flags, sizeof(flags));
	if (flags & ~(uint32_t)IB_UVERBS_ADVISE_MR_FLAG_FLUSH)
		return -EINVAL;
	if (advice > IB_UVERBS_ADVISE_MR_ADVICE_PREFETCH_NO_FAULT)
		return -EOPNOTSUPP;
	for (size_t at = 0; at < list.len && !err; at += sizeof(struct ibv_sge))
		err = advise_one(pd, list.addr + at, (unsigned int)advice,
				 flags & IB_UVERBS_ADVISE_MR_FLAG_FLUSH);
	return err;
}

int uv_answer_mr(struct uv_ioctl *io, struct uv_obj *mr, uint16_t handle_attr, uint16_t key_attr)
{
	uint32_t key = softhca_mkey_key(mr->hw);
	int err = uv_attr_out(io, key_attr, &key, sizeof(key));

	if (!err)
		err = uv_attr_out(io, (uint16_t)(key_attr + 1), &key, sizeof(key));
	return err ? err : uv_attr_set(io, handle_attr, mr->handle);
}

static int reg_dm_mr(struct uv_ioctl *io)
{
	struct uv_obj *pd = object(io, UVERBS_ATTR_REG_DM_MR_PD_HANDLE, UV_PD);
	struct uv_obj *dm = object(io, UVERBS_ATTR_REG_DM_MR_DM_HANDLE, UV_DM), *mr;
	uint64_t offset, length;
	struct softhca_mkey *hw;
	uint32_t access = 0;
	int err;

	if (uv_attr_u64(io, UVERBS_ATTR_REG_DM_MR_OFFSET, &offset) ||
	    uv_attr_u64(io, UVERBS_ATTR_REG_DM_MR_LENGTH, &length) ||
	    uv_attr_in(io, UVERBS_ATTR_REG_DM_MR_ACCESS_FLAGS, &access, sizeof(access)) ||
	    !uv_attr(io, UVERBS_ATTR_REG_DM_MR_HANDLE))
		return -EINVAL;
	if (!pd || !dm)
		return -ENOENT;
	if (!(access & IBV_ACCESS_ZERO_BASED) || access & ~DM_ACCESS)
		return -EINVAL;
	if (offset > dm->u.dm.length || length > dm->u.dm.length - offset)
		return -EINVAL;
	mr = uv_obj_new(io->file, UV_MR);
	if (!mr)
		return -ENOMEM;
	err = softhca_mr_create(pd->hw, (uint64_t)(uintptr_t)dm->u.dm.page + offset, length, 0,
				access, &hw);
	if (err) {
		uv_obj_free(mr);
		return err;
	}
	mr->hw = hw;
	mr->u.umem.len = length;
	uv_obj_depend(mr, pd);
	uv_obj_depend(mr, dm);
	err = uv_answer_mr(io, mr, UVERBS_ATTR_REG_DM_MR_HANDLE, UVERBS_ATTR_REG_DM_MR_RESP_LKEY);
	if (err)
		(void)uv_obj_destroy(mr);
	return err;
}

int uv_ioctl_mr(struct uv_ioctl *io)
{
	switch (io->method) {
	case UVERBS_METHOD_QUERY_MR:
		return query_mr(io);
	case UVERBS_METHOD_ADVISE_MR:
		return advise_mr(io);
	case UVERBS_METHOD_DM_MR_REG:
		return reg_dm_mr(io);
	case UVERBS_METHOD_REG_DMABUF_MR:
		return uv_ioctl_reg_dmabuf(io);
	default:
		return -EPROTONOSUPPORT;
	}
}

/* ---- device memory --------------------------------------------------------------------------- */

/* Whole pages are allocated, so an allocation always starts at the beginning of one. */
static int answer_place(struct uv_ioctl *io, const struct uv_obj *dm, uint16_t offset_attr,
			uint16_t page_attr)
{
	const uint64_t start = 0;
	int err = uv_attr_out(io, offset_attr, &start, sizeof(start));

	return err ? err : uv_attr_out(io, page_attr, &dm->u.dm.first, sizeof(dm->u.dm.first));
}

static int dm_alloc(struct uv_ioctl *io)
{
	uint64_t length, type = MLX5_IB_UAPI_DM_TYPE_MEMIC;
	uint32_t align = 0;
	struct uv_obj *dm;
	int err;

	if (uv_attr_u64(io, UVERBS_ATTR_ALLOC_DM_LENGTH, &length) ||
	    !uv_attr(io, UVERBS_ATTR_ALLOC_DM_HANDLE))
		return -EINVAL;
	(void)uv_attr_u64(io, MLX5_IB_ATTR_ALLOC_DM_REQ_TYPE, &type);
	(void)uv_attr_in(io, UVERBS_ATTR_ALLOC_DM_ALIGNMENT, &align, sizeof(align));
	/* Memory of the steering engine is not modelled. */
	if (type != MLX5_IB_UAPI_DM_TYPE_MEMIC)
		return -EOPNOTSUPP;
	if (align > 12)
		return -EINVAL;
	dm = uv_obj_new(io->file, UV_DM);
	if (!dm)
		return -ENOMEM;
	err = uv_dm_alloc(dm, length);
	if (!err)
		err = answer_place(io, dm, MLX5_IB_ATTR_ALLOC_DM_RESP_START_OFFSET,
				   MLX5_IB_ATTR_ALLOC_DM_RESP_PAGE_INDEX);
	if (!err)
		err = uv_attr_set(io, UVERBS_ATTR_ALLOC_DM_HANDLE, dm->handle);
	if (err)
		(void)uv_obj_destroy(dm);
	return err;
}

static int dm_free(struct uv_ioctl *io)
{
	struct uv_obj *dm = object(io, UVERBS_ATTR_FREE_DM_HANDLE, UV_DM);

	if (dm && dm->u.dm.owner != getpid())
		return -EIO; /* allocated by the parent, which would not notice */
	return uv_obj_destroy(dm);
}

static int dm_query(struct uv_ioctl *io)
{
	struct uv_obj *dm = object(io, MLX5_IB_ATTR_QUERY_DM_REQ_HANDLE, UV_DM);
	int err;

	if (!dm)
		return -ENOENT;
	err = answer_place(io, dm, MLX5_IB_ATTR_QUERY_DM_RESP_START_OFFSET,
			   MLX5_IB_ATTR_QUERY_DM_RESP_PAGE_INDEX);
	return err ? err
		   : uv_attr_out(io, MLX5_IB_ATTR_QUERY_DM_RESP_LENGTH, &dm->u.dm.length,
				 sizeof(dm->u.dm.length));
}

static int dm_map_op(struct uv_ioctl *io)
{
	struct uv_obj *dm = object(io, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_HANDLE, UV_DM);
	const uint64_t offset = 0;
	uint16_t index;
	uint8_t op;
	int err;

	if (uv_attr_in(io, MLX5_IB_ATTR_DM_MAP_OP_ADDR_REQ_OP, &op, sizeof(op)))
		return -EINVAL;
	if (!dm)
		return -ENOENT;
	if (op >= UV_MEMIC_OPS)
		return -EOPNOTSUPP;
	err = uv_trap_steps(); /* it does not exist without single steps */
	if (err)
		return err;
	index = uv_memic_index(dm->u.dm.first, op);
	err = uv_attr_out(io, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_START_OFFSET, &offset,
			  sizeof(offset));
	return err ? err
		   : uv_attr_out(io, MLX5_IB_ATTR_DM_MAP_OP_ADDR_RESP_PAGE_INDEX, &index,
				 sizeof(index));
}

int uv_ioctl_dm(struct uv_ioctl *io)
{
	switch (io->method) {
	case UVERBS_METHOD_DM_ALLOC:
		return dm_alloc(io);
	case UVERBS_METHOD_DM_FREE:
		return dm_free(io);
	case MLX5_IB_METHOD_DM_QUERY:
		return dm_query(io);
	case MLX5_IB_METHOD_DM_MAP_OP_ADDR:
		return dm_map_op(io);
	default:
		return -EOPNOTSUPP;
	}
}
