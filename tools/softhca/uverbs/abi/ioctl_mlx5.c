/* SPDX-License-Identifier: BSD-2-Clause */
/* ioctl methods of the mlx5 driver: doorbell pages, user memory, raw commands. */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx_event.h"

#define MAX_MAILBOX (1 << 16)

/* ---- doorbell pages -------------------------------------------------------------------------- */

int uv_answer_page(struct uv_ioctl *io, uint16_t first_attr, uint64_t offset, uint32_t page_id)
{
	const uint32_t length = SOFTHCA_UAR_SIZE;
	int err = uv_attr_out(io, first_attr, &offset, sizeof(offset));

	if (!err)
		err = uv_attr_out(io, (uint16_t)(first_attr + 1), &length, sizeof(length));
	return err ? err : uv_attr_out(io, (uint16_t)(first_attr + 2), &page_id, sizeof(page_id));
}

static int uar_alloc(struct uv_ioctl *io)
{
	struct uv_obj *uar;
	uint64_t type;
	int err;

	if (uv_attr_u64(io, MLX5_IB_ATTR_UAR_OBJ_ALLOC_TYPE, &type) ||
	    !uv_attr(io, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE))
		return -EINVAL;
	if (type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_BF && type != MLX5_IB_UAPI_UAR_ALLOC_TYPE_NC)
		return -EOPNOTSUPP;
	err = uv_uar_alloc(io->file, &uar);
	if (err)
		return err;
	err = uv_answer_page(io, MLX5_IB_ATTR_UAR_OBJ_ALLOC_MMAP_OFFSET, uar->u.uar.offset,
			     uar->u.uar.page_id);
	if (!err)
		err = uv_attr_set(io, MLX5_IB_ATTR_UAR_OBJ_ALLOC_HANDLE, uar->handle);
	if (err)
		(void)uv_obj_destroy(uar);
	return err;
}

int uv_ioctl_destroy(struct uv_ioctl *io, uint16_t attr, enum uv_type type)
{
	uint32_t handle;

	if (uv_attr_handle(io, attr, &handle))
		return -EINVAL;
	return uv_obj_destroy(uv_obj_get(io->file, type, handle));
}

static int uar_method(struct uv_ioctl *io)
{
	if (io->method == MLX5_IB_METHOD_UAR_OBJ_ALLOC)
		return uar_alloc(io);
	return io->method == MLX5_IB_METHOD_UAR_OBJ_DESTROY
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_UAR_OBJ_DESTROY_HANDLE, UV_UAR)
		       : -EPROTONOSUPPORT;
}

/* ---- user memory ----------------------------------------------------------------------------- */

/* The offset is an address. Pinning would fail for unmapped memory, so each page is checked. */
static int pin(const struct uv_dmabuf *r, struct uv_obj *umem)
{
	uint8_t probe;

	umem->u.umem.addr = r->offset;
	for (uint64_t at = r->offset; at < r->offset + r->length; at = (at | 4095) + 1)
		if (uv_copy_in(&probe, at, 1))
			return -EFAULT;
	return 0;
}

static int umem_reg(struct uv_ioctl *io)
{
	struct uv_dmabuf r = {0};
	struct uv_obj *umem;
	int err;

	if (uv_attr_u64(io, MLX5_IB_ATTR_DEVX_UMEM_REG_ADDR, &r.offset) ||
	    uv_attr_u64(io, MLX5_IB_ATTR_DEVX_UMEM_REG_LEN, &r.length) ||
	    !uv_attr(io, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE))
		return -EINVAL;
	(void)uv_attr_in(io, MLX5_IB_ATTR_DEVX_UMEM_REG_ACCESS, &r.access, sizeof(r.access));
	err = softhca_access_check(r.access);
	if (err || !r.length || r.offset + r.length < r.offset)
		return err ? err : -EINVAL;
	umem = uv_obj_new(io->file, UV_UMEM);
	if (!umem)
		return -ENOMEM;
	umem->u.umem.len = r.length;
	umem->u.umem.id = umem->handle + 1;
	err = uv_attr_handle(io, MLX5_IB_ATTR_DEVX_UMEM_REG_DMABUF_FD, &r.fd)
		      ? pin(&r, umem)
		      : uv_dmabuf_map(io, &r, umem);
	err = err ? err
		  : uv_attr_out(io, MLX5_IB_ATTR_DEVX_UMEM_REG_OUT_ID, &umem->u.umem.id,
				sizeof(uint32_t));
	err = err ? err : uv_attr_set(io, MLX5_IB_ATTR_DEVX_UMEM_REG_HANDLE, umem->handle);
	if (err)
		(void)uv_obj_destroy(umem);
	return err;
}

static int umem_method(struct uv_ioctl *io)
{
	if (io->method == MLX5_IB_METHOD_DEVX_UMEM_REG)
		return umem_reg(io);
	return io->method == MLX5_IB_METHOD_DEVX_UMEM_DEREG
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_DEVX_UMEM_DEREG_HANDLE, UV_UMEM)
		       : -EPROTONOSUPPORT;
}

/* ---- raw commands ---------------------------------------------------------------------------- */

/* The mailboxes of a command, copied. `out` holds zeros. */
struct mailbox_copy {
	struct uv_mailbox mb;
	uint8_t *in;
};

static int mailbox_take(struct uv_ioctl *io, uint16_t in_id, uint16_t out_id,
			struct mailbox_copy *m)
{
	struct uv_span in = uv_attr_span(io, in_id);
	struct ib_uverbs_attr *out = uv_attr(io, out_id);

	memset(m, 0, sizeof(*m));
	if (!in.len || !out || in.len > MAX_MAILBOX)
		return -EINVAL;
	m->in = malloc(in.len);
	m->mb.out = calloc(1, out->len ? out->len : 1u);
	m->mb.in = m->in;
	m->mb.in_len = in.len;
	m->mb.out_len = out->len;
	if (!m->in || !m->mb.out)
		return -ENOMEM;
	return uv_copy_in(m->in, in.addr, in.len);
}

static void mailbox_drop(struct mailbox_copy *m)
{
	free(m->in);
	free(m->mb.out);
}

/* The device's answer is returned also if it is a refusal. Other failures return none. */
static int mailbox_answer(struct uv_ioctl *io, uint16_t out_id, struct mailbox_copy *m, int err)
{
	if (err == -EREMOTEIO && m->mb.in_len >= 2 && m->mb.out_len) {
		char name[64];

		snprintf(name, sizeof(name), "device command 0x%02x%02x (status 0x%x)", m->in[0],
			 m->in[1], m->mb.out[0]);
		uv_log_failure(name, err);
	}
	if (!err || err == -EREMOTEIO) {
		int copy = uv_attr_out(io, out_id, m->mb.out, m->mb.out_len);

		if (copy)
			err = copy;
	}
	return err;
}

static int general_cmd(struct uv_ioctl *io)
{
	struct mailbox_copy m;
	int err = mailbox_take(io, MLX5_IB_ATTR_DEVX_OTHER_CMD_IN, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT,
			       &m);

	if (!err)
		err = uv_devx_general(io->file, &m.mb);
	err = mailbox_answer(io, MLX5_IB_ATTR_DEVX_OTHER_CMD_OUT, &m, err);
	mailbox_drop(&m);
	return err;
}

static int query_uar(struct uv_ioctl *io)
{
	uint32_t index;

	/* User and device numbers of doorbell pages are the same here. */
	if (uv_attr_in(io, MLX5_IB_ATTR_DEVX_QUERY_UAR_USER_IDX, &index, sizeof(index)))
		return -EINVAL;
	if (!uv_uar_by_page(io->file, index))
		return -EINVAL;
	return uv_attr_out(io, MLX5_IB_ATTR_DEVX_QUERY_UAR_DEV_IDX, &index, sizeof(index));
}

static int query_eqn(struct uv_ioctl *io)
{
	uint32_t vector, eqn;

	if (uv_attr_in(io, MLX5_IB_ATTR_DEVX_QUERY_EQN_USER_VEC, &vector, sizeof(vector)) ||
	    vector >= UV_COMP_VECTORS)
		return -EINVAL;
	eqn = vector + 1;
	return uv_attr_out(io, MLX5_IB_ATTR_DEVX_QUERY_EQN_DEV_EQN, &eqn, sizeof(eqn));
}

static int devx_method(struct uv_ioctl *io)
{
	switch (io->method) {
	case MLX5_IB_METHOD_DEVX_OTHER:
		return general_cmd(io);
	case MLX5_IB_METHOD_DEVX_QUERY_UAR:
		return query_uar(io);
	case MLX5_IB_METHOD_DEVX_QUERY_EQN:
		return query_eqn(io);
	case MLX5_IB_METHOD_DEVX_SUBSCRIBE_EVENT:
		return uv_devx_event_subscribe(io);
	default:
		return -EPROTONOSUPPORT;
	}
}

static int obj_create(struct uv_ioctl *io)
{
	struct mailbox_copy m;
	struct uv_obj *obj = NULL;
	int err = mailbox_take(io, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_IN,
			       MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, &m);

	if (!err && !uv_attr(io, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE))
		err = -EINVAL;
	if (!err) {
		obj = uv_obj_new(io->file, UV_DEVX);
		err = obj ? uv_devx_create(obj, &m.mb) : -ENOMEM;
	}
	err = mailbox_answer(io, MLX5_IB_ATTR_DEVX_OBJ_CREATE_CMD_OUT, &m, err);
	if (!err)
		err = uv_attr_set(io, MLX5_IB_ATTR_DEVX_OBJ_CREATE_HANDLE, obj->handle);
	if (err && obj)
		(void)uv_obj_destroy(obj);
	mailbox_drop(&m);
	return err;
}

/* Modify and query take any object that the device knows by number, made by verbs or not. */
static int any_object(struct uv_ioctl *io, uint16_t attr, uint16_t in, uint16_t out,
		      int (*run)(struct uv_obj *obj, struct uv_mailbox *mb))
{
	struct mailbox_copy m;
	uint32_t handle;
	int err;

	if (uv_attr_handle(io, attr, &handle) || handle >= io->file->num_objs ||
	    !io->file->objs[handle])
		return -ENOENT;
	err = mailbox_take(io, in, out, &m);
	if (!err)
		err = run(io->file->objs[handle], &m.mb);
	err = mailbox_answer(io, out, &m, err);
	mailbox_drop(&m);
	return err;
}

static int obj_method(struct uv_ioctl *io)
{
	switch (io->method) {
	case MLX5_IB_METHOD_DEVX_OBJ_CREATE:
		return obj_create(io);
	case MLX5_IB_METHOD_DEVX_OBJ_DESTROY:
		return uv_ioctl_destroy(io, MLX5_IB_ATTR_DEVX_OBJ_DESTROY_HANDLE, UV_DEVX);
	case MLX5_IB_METHOD_DEVX_OBJ_MODIFY:
		return any_object(io, MLX5_IB_ATTR_DEVX_OBJ_MODIFY_HANDLE,
				  MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_IN,
				  MLX5_IB_ATTR_DEVX_OBJ_MODIFY_CMD_OUT, uv_devx_modify);
	case MLX5_IB_METHOD_DEVX_OBJ_QUERY:
		return any_object(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_HANDLE,
				  MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_IN,
				  MLX5_IB_ATTR_DEVX_OBJ_QUERY_CMD_OUT, uv_devx_query);
	case MLX5_IB_METHOD_DEVX_OBJ_ASYNC_QUERY:
		return uv_devx_async_query(io);
	default:
		return -EPROTONOSUPPORT;
	}
}

/* ---- the rest -------------------------------------------------------------------------------- */

static int pd_query(struct uv_ioctl *io)
{
	struct uv_obj *pd;
	uint32_t pdn;
	int err = io->method == MLX5_IB_METHOD_PD_QUERY ? 0 : -EPROTONOSUPPORT;

	err = err ? err : uv_attr_obj(io, MLX5_IB_ATTR_QUERY_PD_HANDLE, UV_PD, &pd);
	if (err)
		return err;
	pdn = pd->u.umem.id; /* stored there at allocation */
	return uv_attr_out(io, MLX5_IB_ATTR_QUERY_PD_RESP_PDN, &pdn, sizeof(pdn));
}

int uv_ioctl_mlx5(struct uv_ioctl *io)
{
	int err;

	if (!io->file->ready)
		return -EINVAL;
	err = softhca_fault_command("devx");
	if (err && io->object != UVERBS_OBJECT_PD)
		return err < 0 ? err : -err;
	switch (io->object) {
	case MLX5_IB_OBJECT_UAR:
		return uar_method(io);
	case MLX5_IB_OBJECT_DEVX:
		return devx_method(io);
	case MLX5_IB_OBJECT_DEVX_UMEM:
		return umem_method(io);
	case MLX5_IB_OBJECT_DEVX_OBJ:
		return obj_method(io);
	case MLX5_IB_OBJECT_DEVX_ASYNC_EVENT_FD:
		return io->method == MLX5_IB_METHOD_DEVX_ASYNC_EVENT_FD_ALLOC
			       ? uv_devx_event_channel(io)
			       : -EPROTONOSUPPORT;
	case MLX5_IB_OBJECT_DEVX_ASYNC_CMD_FD:
		return io->method == MLX5_IB_METHOD_DEVX_ASYNC_CMD_FD_ALLOC
			       ? uv_devx_async_alloc(io)
			       : -EPROTONOSUPPORT;
	case MLX5_IB_OBJECT_PP:
		return uv_ioctl_pp(io);
	case MLX5_IB_OBJECT_VAR:
		return uv_ioctl_var(io);
	case UVERBS_OBJECT_DEVICE:
		return io->method == MLX5_IB_METHOD_QUERY_PORT ? uv_ioctl_query_port(io)
							       : -EPROTONOSUPPORT;
	case MLX5_IB_OBJECT_FLOW_MATCHER:
		return uv_ioctl_matcher(io);
	case UVERBS_OBJECT_FLOW:
		return uv_ioctl_flow(io);
	case UVERBS_OBJECT_PD:
		return pd_query(io);
	default:
		return -EPROTONOSUPPORT;
	}
}
