/* SPDX-License-Identifier: BSD-2-Clause */
/* Counters of rules (ibv_counters). libmlx5 sends their description with the first rule. */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5-abi.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/flow_objs.h"

enum { PACKETS, BYTES, KINDS };

static int create(struct uv_ioctl *io)
{
	const struct uv_counters none = {0};

	if (!uv_attr(io, UVERBS_ATTR_CREATE_COUNTERS_HANDLE))
		return -EINVAL;
	return uv_attr_make(io, UVERBS_ATTR_CREATE_COUNTERS_HANDLE, UV_COUNTERS, &none,
			    sizeof(none));
}

static int read_values(struct uv_ioctl *io, const struct uv_counters *counters)
{
	const struct uv_span out = uv_attr_span(io, UVERBS_ATTR_READ_COUNTERS_BUFF);
	const uint64_t now[KINDS] = {counters->hw.packets, counters->hw.bytes};
	const size_t n = out.len / sizeof(uint64_t);
	uint64_t value[UV_COUNTERS_MAX] = {0};

	/* Before a rule uses them it is not known what is counted. */
	if (!counters->count || n < counters->max_index || n > UV_COUNTERS_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < counters->count; i++)
		value[counters->desc[i].index] += now[counters->desc[i].what];
	return uv_attr_out(io, UVERBS_ATTR_READ_COUNTERS_BUFF, value, n * sizeof(value[0]));
}

int uv_ioctl_counters(struct uv_ioctl *io)
{
	static const uint16_t handle_attr[] = {
		[UVERBS_METHOD_COUNTERS_DESTROY] = UVERBS_ATTR_DESTROY_COUNTERS_HANDLE,
		[UVERBS_METHOD_COUNTERS_READ] = UVERBS_ATTR_READ_COUNTERS_HANDLE,
	};
	struct uv_obj *obj;
	int err;

	if (io->method == UVERBS_METHOD_COUNTERS_CREATE)
		return create(io);
	if (io->method != UVERBS_METHOD_COUNTERS_DESTROY &&
	    io->method != UVERBS_METHOD_COUNTERS_READ)
		return -EPROTONOSUPPORT;
	err = uv_attr_obj(io, handle_attr[io->method], UV_COUNTERS, &obj);
	if (err)
		return err;
	return io->method == UVERBS_METHOD_COUNTERS_READ ? read_values(io, obj->hw)
							 : uv_obj_destroy(obj);
}

static int describe(struct uv_counters *counters, const struct mlx5_ib_flow_counters_data *data)
{
	struct mlx5_ib_flow_counters_desc d;
	uint32_t max_index = 0;

	if (!data->ncounters || data->ncounters > UV_COUNTERS_MAX)
		return -EINVAL;
	for (uint32_t i = 0; i < data->ncounters; i++) {
		if (uv_copy_in(&d, data->counters_data + i * sizeof(d), sizeof(d)))
			return -EFAULT;
		if (d.description >= KINDS || d.index >= UV_COUNTERS_MAX)
			return -EINVAL;
		counters->desc[i].what = d.description;
		counters->desc[i].index = d.index;
		if (d.index >= max_index)
			max_index = d.index + 1;
	}
	counters->count = data->ncounters;
	counters->max_index = max_index;
	return 0;
}

int uv_counters_bind(struct uv_cmd *c, struct uv_counters *counters)
{
	struct mlx5_ib_create_flow head;
	struct mlx5_ib_flow_counters_data data;

	if (counters->count)
		return 0;
	if (c->drv_in.len < sizeof(head) + sizeof(data))
		return -EINVAL;
	if (uv_copy_in(&head, c->drv_in.addr, sizeof(head)) ||
	    uv_copy_in(&data, c->drv_in.addr + sizeof(head), sizeof(data)))
		return -EFAULT;
	return head.ncounters_data == 1 ? describe(counters, &data) : -EINVAL;
}
