/* SPDX-License-Identifier: BSD-2-Clause */
/* The ioctl interface: attributes, and the methods of the core. */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/ib_user_ioctl_verbs.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/engine/fault/fault.h"
#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/flow_objs.h"
#include "tools/softhca/uverbs/sysfs/netdev.h"

struct ib_uverbs_attr *uv_attr(struct uv_ioctl *io, uint16_t id)
{
	for (unsigned int i = 0; i < io->num_attrs; i++)
		if (io->attrs[i].attr_id == id)
			return &io->attrs[i];
	return NULL;
}

int uv_attr_u64(struct uv_ioctl *io, uint16_t id, uint64_t *value)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);

	if (!a)
		return -ENOENT;
	*value = a->data;
	return 0;
}

int uv_attr_handle(struct uv_ioctl *io, uint16_t id, uint32_t *handle)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);

	if (!a || a->data > UINT32_MAX)
		return -EINVAL;
	*handle = (uint32_t)a->data;
	return 0;
}

int uv_attr_obj(struct uv_ioctl *io, uint16_t id, enum uv_type type, struct uv_obj **obj)
{
	uint32_t handle;

	if (uv_attr_handle(io, id, &handle))
		return -EINVAL;
	*obj = uv_obj_get(io->file, type, handle);
	return *obj ? 0 : -ENOENT;
}

int uv_attr_in(struct uv_ioctl *io, uint16_t id, void *buf, size_t len)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);
	size_t n;

	if (!a)
		return -ENOENT;
	n = a->len < len ? a->len : len;
	memset(buf, 0, len);
	if (a->len <= sizeof(a->data)) {
		memcpy(buf, &a->data, n);
		return 0;
	}
	return uv_copy_in(buf, a->data, n);
}

struct uv_span uv_attr_span(struct uv_ioctl *io, uint16_t id)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);

	if (!a)
		return (struct uv_span){0, 0};
	if (a->len <= sizeof(a->data))
		return (struct uv_span){(uint64_t)(uintptr_t)&a->data, a->len};
	return (struct uv_span){a->data, a->len};
}

static uint64_t user_attr(const struct uv_ioctl *io, const struct ib_uverbs_attr *a)
{
	return io->user_attrs + (uint64_t)(a - io->attrs) * sizeof(*a);
}

int uv_attr_mark_valid(struct uv_ioctl *io, struct ib_uverbs_attr *a)
{
	a->flags |= UVERBS_ATTR_F_VALID_OUTPUT;
	return uv_copy_out(user_attr(io, a) + offsetof(struct ib_uverbs_attr, flags), &a->flags,
			   sizeof(a->flags));
}

int uv_attr_out(struct uv_ioctl *io, uint16_t id, const void *buf, size_t len)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);
	struct uv_cmd c;
	int err;

	if (!a)
		return 0;
	c.out = (struct uv_span){a->data, a->len};
	err = uv_respond(&c, buf, len);
	return err ? err : uv_attr_mark_valid(io, a);
}

int uv_attr_set(struct uv_ioctl *io, uint16_t id, uint64_t value)
{
	struct ib_uverbs_attr *a = uv_attr(io, id);

	if (!a)
		return -EINVAL;
	a->data = value;
	return uv_copy_out(user_attr(io, a) + offsetof(struct ib_uverbs_attr, data), &a->data,
			   sizeof(a->data));
}

int uv_attr_make(struct uv_ioctl *io, uint16_t id, enum uv_type type, const void *what, size_t size)
{
	void *copy = malloc(size);
	struct uv_obj *obj = copy ? uv_obj_new(io->file, type) : NULL;
	int err;

	if (!obj) {
		free(copy);
		return -ENOMEM;
	}
	obj->hw = memcpy(copy, what, size);
	err = uv_attr_set(io, id, obj->handle);
	if (err)
		(void)uv_obj_destroy(obj);
	return err;
}

/* ---- methods of the core --------------------------------------------------------------------- */

static int invoke_write(struct uv_ioctl *io)
{
	struct uv_cmd c = {.file = io->file};
	struct ib_uverbs_attr *out;
	uint64_t id;
	int err;

	if (uv_attr_u64(io, UVERBS_ATTR_WRITE_CMD, &id))
		return -EINVAL;
	c.in = uv_attr_span(io, UVERBS_ATTR_CORE_IN);
	c.drv_in = uv_attr_span(io, UVERBS_ATTR_UHW_IN);
	out = uv_attr(io, UVERBS_ATTR_CORE_OUT);
	if (out)
		c.out = (struct uv_span){out->data, out->len};
	out = uv_attr(io, UVERBS_ATTR_UHW_OUT);
	if (out)
		c.drv_out = (struct uv_span){out->data, out->len};
	err = uv_cmd_run(&c, (uint32_t)id);
	if (err)
		return err;
	out = uv_attr(io, UVERBS_ATTR_CORE_OUT);
	if (out)
		err = uv_attr_mark_valid(io, out);
	out = uv_attr(io, UVERBS_ATTR_UHW_OUT);
	if (out && !err)
		err = uv_attr_mark_valid(io, out);
	return err;
}

static int query_port(struct uv_ioctl *io)
{
	struct ib_uverbs_query_port_resp_ex resp;
	uint64_t port;
	int err;

	if (uv_attr_u64(io, UVERBS_ATTR_QUERY_PORT_PORT_NUM, &port) || port > 255)
		return -EINVAL;
	memset(&resp, 0, sizeof(resp));
	err = uv_fill_port(io->file, (unsigned int)port, &resp.legacy_resp);
	return err ? err : uv_attr_out(io, UVERBS_ATTR_QUERY_PORT_RESP, &resp, sizeof(resp));
}

static int context_numbers(struct uv_ioctl *io, uint16_t vectors_id, uint16_t support_id)
{
	uint64_t support = IB_UVERBS_CORE_SUPPORT_OPTIONAL_MR_ACCESS;
	uint32_t vectors = UV_COMP_VECTORS;
	int err = uv_attr_out(io, vectors_id, &vectors, sizeof(vectors));

	return err ? err : uv_attr_out(io, support_id, &support, sizeof(support));
}

static int get_context(struct uv_ioctl *io)
{
	struct uv_cmd c = {.file = io->file};
	struct ib_uverbs_attr *out = uv_attr(io, UVERBS_ATTR_UHW_OUT);
	int err;

	c.drv_in = uv_attr_span(io, UVERBS_ATTR_UHW_IN);
	if (out)
		c.drv_out = (struct uv_span){out->data, out->len};
	err = uv_setup_context(io->file, &c);
	if (!err && out)
		err = uv_attr_mark_valid(io, out);
	return err ? err
		   : context_numbers(io, UVERBS_ATTR_GET_CONTEXT_NUM_COMP_VECTORS,
				     UVERBS_ATTR_GET_CONTEXT_CORE_SUPPORT);
}

static int query_context(struct uv_ioctl *io)
{
	struct mlx5_ib_alloc_ucontext_resp resp;
	int err;

	uv_fill_ucontext(io->file, &resp);
	err = uv_attr_out(io, MLX5_IB_ATTR_QUERY_CONTEXT_RESP_UCTX, &resp, sizeof(resp));
	return err ? err
		   : context_numbers(io, UVERBS_ATTR_QUERY_CONTEXT_NUM_COMP_VECTORS,
				     UVERBS_ATTR_QUERY_CONTEXT_CORE_SUPPORT);
}

/* Fills one entry; -ENODATA if it is empty. */
static int gid_entry(struct uv_file *f, unsigned int port, unsigned int index,
		     struct ib_uverbs_gid_entry *entry)
{
	static const union ibv_gid zero;
	struct softhca_port_attr attr;
	union ibv_gid gid;
	unsigned int type;
	int err = softhca_port_query(f->hca->dev, port, &attr);

	if (!err)
		err = softhca_gid_query(f->hca->dev, port, index, &gid, &type);
	if (err)
		return -EINVAL;
	if (!memcmp(&gid, &zero, sizeof(gid)))
		return -ENODATA;
	memset(entry, 0, sizeof(*entry));
	memcpy(entry->gid, gid.raw, 16);
	entry->gid_index = index;
	entry->port_num = port;
	if (attr.link == SOFTHCA_LINK_IB)
		entry->gid_type = IB_UVERBS_GID_TYPE_IB;
	else
		entry->gid_type = type ? IB_UVERBS_GID_TYPE_ROCE_V2 : IB_UVERBS_GID_TYPE_ROCE_V1;
	/* IB ports have no interface here. */
	entry->netdev_ifindex = attr.link == SOFTHCA_LINK_IB ? 0 : uv_netdev_index();
	return 0;
}

static int query_gid_entry(struct uv_ioctl *io)
{
	struct ib_uverbs_gid_entry entry;
	uint64_t port, index;
	uint32_t flags = 0;
	int err;

	if (uv_attr_u64(io, UVERBS_ATTR_QUERY_GID_ENTRY_PORT, &port) ||
	    uv_attr_u64(io, UVERBS_ATTR_QUERY_GID_ENTRY_GID_INDEX, &index) || port > 255 ||
	    index > 255)
		return -EINVAL;
	(void)uv_attr_in(io, UVERBS_ATTR_QUERY_GID_ENTRY_FLAGS, &flags, sizeof(flags));
	if (flags)
		return -EINVAL;
	err = gid_entry(io->file, (unsigned int)port, (unsigned int)index, &entry);
	return err ? err
		   : uv_attr_out(io, UVERBS_ATTR_QUERY_GID_ENTRY_RESP_ENTRY, &entry, sizeof(entry));
}

static int query_gid_table(struct uv_ioctl *io)
{
	struct ib_uverbs_attr *out = uv_attr(io, UVERBS_ATTR_QUERY_GID_TABLE_RESP_ENTRIES);
	unsigned int nports = softhca_dev_config(io->file->hca->dev)->nports;
	struct ib_uverbs_gid_entry entry;
	uint64_t size, found = 0;
	uint32_t flags = 0;

	(void)uv_attr_in(io, UVERBS_ATTR_QUERY_GID_TABLE_FLAGS, &flags, sizeof(flags));
	if (flags || !out || uv_attr_u64(io, UVERBS_ATTR_QUERY_GID_TABLE_ENTRY_SIZE, &size) ||
	    !size || out->len % size)
		return -EINVAL;
	for (unsigned int p = 1; p <= nports; p++) {
		for (unsigned int i = 0; i < SOFTHCA_GIDS; i++) {
			struct uv_cmd c;
			int err = gid_entry(io->file, p, i, &entry);

			if (err == -ENODATA)
				continue;
			if (err)
				break;
			if ((found + 1) * size > out->len)
				return -EINVAL;
			c.out = (struct uv_span){out->data + found * size, size};
			if (uv_respond(&c, &entry, sizeof(entry)))
				return -EFAULT;
			found++;
		}
	}
	if (uv_attr_mark_valid(io, out))
		return -EFAULT;
	return uv_attr_out(io, UVERBS_ATTR_QUERY_GID_TABLE_RESP_NUM_ENTRIES, &found, sizeof(found));
}

static int device_method(struct uv_ioctl *io)
{
	switch (io->method) {
	case UVERBS_METHOD_INVOKE_WRITE:
		return invoke_write(io);
	case UVERBS_METHOD_GET_CONTEXT:
		return get_context(io);
	}
	if (!io->file->ready)
		return -EINVAL;
	switch (io->method) {
	case UVERBS_METHOD_QUERY_PORT:
		return query_port(io);
	case UVERBS_METHOD_QUERY_CONTEXT:
		return query_context(io);
	case UVERBS_METHOD_QUERY_GID_TABLE:
		return query_gid_table(io);
	case UVERBS_METHOD_QUERY_GID_ENTRY:
		return query_gid_entry(io);
	default:
		return -EPROTONOSUPPORT;
	}
}

static int alloc_async_fd(struct uv_ioctl *io)
{
	int fd;

	if (!io->file->ready)
		return -EINVAL;
	fd = uv_event_fd_create(io->file);
	return fd < 0 ? fd : uv_attr_set(io, UVERBS_ATTR_ASYNC_EVENT_ALLOC_FD_HANDLE, (uint64_t)fd);
}

static int core_method(struct uv_ioctl *io)
{
	switch (io->object) {
	case UVERBS_OBJECT_DEVICE:
		if (io->method & UVERBS_ID_NS_MASK)
			return uv_ioctl_mlx5(io);
		return device_method(io);
	case UVERBS_OBJECT_ASYNC_EVENT:
		return io->method == UVERBS_METHOD_ASYNC_EVENT_ALLOC ? alloc_async_fd(io)
								     : -EPROTONOSUPPORT;
	case UVERBS_OBJECT_MR:
		return io->file->ready ? uv_ioctl_mr(io) : -EINVAL;
	case UVERBS_OBJECT_DM:
		return io->file->ready ? uv_ioctl_dm(io) : -EINVAL;
	case UVERBS_OBJECT_FLOW_ACTION:
		return io->file->ready ? uv_ioctl_flow_action(io) : -EINVAL;
	case UVERBS_OBJECT_COUNTERS:
		return io->file->ready ? uv_ioctl_counters(io) : -EINVAL;
	default:
		return io->object & UVERBS_ID_NS_MASK || io->method & UVERBS_ID_NS_MASK
			       ? uv_ioctl_mlx5(io)
			       : uv_ioctl_verbs(io);
	}
}

/* Names of methods for the fault plan. Methods that run a write command are handled there. */
static const char *method_name(const struct uv_ioctl *io)
{
	static const struct {
		uint16_t object, method;
		const char *name;
	} methods[] = {
		{UVERBS_OBJECT_DEVICE, UVERBS_METHOD_GET_CONTEXT, "get_context"},
		{UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_PORT, "query_port"},
		{UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_CONTEXT, "query_context"},
		{UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_TABLE, "query_gid_table"},
		{UVERBS_OBJECT_DEVICE, UVERBS_METHOD_QUERY_GID_ENTRY, "query_gid"},
		{UVERBS_OBJECT_ASYNC_EVENT, UVERBS_METHOD_ASYNC_EVENT_ALLOC, "alloc_async_fd"},
		{UVERBS_OBJECT_MR, UVERBS_METHOD_QUERY_MR, "query_mr"},
		{UVERBS_OBJECT_MR, UVERBS_METHOD_ADVISE_MR, "advise_mr"},
		{UVERBS_OBJECT_MR, UVERBS_METHOD_REG_DMABUF_MR, "reg_dmabuf_mr"},
		{UVERBS_OBJECT_MR, UVERBS_METHOD_DM_MR_REG, "reg_dm_mr"},
		{UVERBS_OBJECT_DM, UVERBS_METHOD_DM_ALLOC, "alloc_dm"},
		{UVERBS_OBJECT_DM, UVERBS_METHOD_DM_FREE, "free_dm"},
		{MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_ALLOC, "alloc_uar"},
		{MLX5_IB_OBJECT_UAR, MLX5_IB_METHOD_UAR_OBJ_DESTROY, "destroy_uar"},
		{MLX5_IB_OBJECT_DEVX, MLX5_IB_METHOD_DEVX_OTHER, "devx_general"},
		{MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_REG, "reg_umem"},
		{MLX5_IB_OBJECT_DEVX_UMEM, MLX5_IB_METHOD_DEVX_UMEM_DEREG, "dereg_umem"},
		{MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_CREATE, "create_devx_obj"},
		{MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_DESTROY, "destroy_devx_obj"},
		{MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_MODIFY, "modify_devx_obj"},
		{MLX5_IB_OBJECT_DEVX_OBJ, MLX5_IB_METHOD_DEVX_OBJ_QUERY, "query_devx_obj"},
	};

	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (methods[i].object == io->object && methods[i].method == io->method)
			return methods[i].name;
	return NULL;
}

/* Negative errno of the fault plan, or 0. */
static int planned_failure(const struct uv_ioctl *io)
{
	const char *name = method_name(io);
	int err = name ? softhca_fault_command(name) : 0;

	if (err)
		uv_log_failure(name, -err);
	return -err;
}

bool uv_ioctl_is_shared(uint64_t hdr_addr)
{
	struct ib_uverbs_ioctl_hdr hdr;

	return !uv_copy_in(&hdr, hdr_addr, sizeof(hdr)) && hdr.object_id == UVERBS_OBJECT_DM;
}

int uv_ioctl_run(struct uv_file *f, uint64_t hdr_addr)
{
	struct ib_uverbs_ioctl_hdr hdr;
	struct uv_ioctl io = {.file = f};
	int err;

	if (uv_copy_in(&hdr, hdr_addr, sizeof(hdr)))
		return -EFAULT;
	if (hdr.length > 4096 || hdr.length != sizeof(hdr) + hdr.num_attrs * sizeof(io.attrs[0]) ||
	    hdr.num_attrs > sizeof(io.attrs) / sizeof(io.attrs[0]))
		return -EINVAL;
	if (hdr.reserved1 || hdr.reserved2)
		return -EPROTONOSUPPORT;
	if (hdr.driver_id != RDMA_DRIVER_MLX5)
		return -EINVAL;
	io.object = hdr.object_id;
	io.method = hdr.method_id;
	io.num_attrs = hdr.num_attrs;
	io.user_attrs = hdr_addr + sizeof(hdr);
	if (uv_copy_in(io.attrs, io.user_attrs, hdr.num_attrs * sizeof(io.attrs[0])))
		return -EFAULT;
	softhca_why_clear();
	err = planned_failure(&io);
	if (!err)
		err = core_method(&io);
	if (err && err != -EPROTONOSUPPORT && err != -ENODATA && err != -EREMOTEIO &&
	    io.object & UVERBS_ID_NS_MASK) {
		char name[64];

		snprintf(name, sizeof(name), "ioctl object 0x%x method 0x%x", io.object, io.method);
		uv_log_failure(name, err);
	}
	return err;
}
