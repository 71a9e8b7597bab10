/* SPDX-License-Identifier: BSD-2-Clause */
/* Flow actions of mlx5dv: lists of header changes, tunnels. */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdlib.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/flow_objs.h"

static int direction(struct uv_ioctl *io, uint16_t attr, bool *egress)
{
	uint64_t type;

	if (uv_attr_u64(io, attr, &type))
		return -EINVAL;
	*egress = type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX;
	return *egress || type == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX ? 0 : -EOPNOTSUPP;
}

static int modify_header(struct uv_ioctl *io, struct uv_flow_action *a)
{
	uint8_t list[SOFTHCA_MODIFY_MAX * SOFTHCA_MODIFY_BYTES] = {0};
	struct ib_uverbs_attr *attr = uv_attr(io, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM);
	int err = direction(io, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_FT_TYPE, &a->egress);

	if (err || !attr)
		return err ? err : -EINVAL;
	if (attr->len > sizeof(list))
		return -EOPNOTSUPP;
	if (uv_attr_in(io, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_ACTIONS_PRM, list, attr->len))
		return -EFAULT;
	return softhca_modify_create(list, attr->len, &a->modify);
}

/* Each kind exists in one direction only, and the device has another number for it. */
static int tunnel_type(uint64_t type, bool egress, enum softhca_reformat_type *out)
{
	switch (type) {
	case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TUNNEL_TO_L2:
		*out = SOFTHCA_DECAP_L2;
		return egress ? -EOPNOTSUPP : 0;
	case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L3_TUNNEL_TO_L2:
		*out = SOFTHCA_L3_TUNNEL_TO_L2;
		return egress ? -EOPNOTSUPP : 0;
	case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L2_TUNNEL:
		*out = SOFTHCA_ENCAP_L2;
		return egress ? 0 : -EOPNOTSUPP;
	case MLX5_IB_UAPI_FLOW_ACTION_PACKET_REFORMAT_TYPE_L2_TO_L3_TUNNEL:
		*out = SOFTHCA_L2_TO_L3_TUNNEL;
		return egress ? 0 : -EOPNOTSUPP;
	default:
		return -EINVAL;
	}
}

static int packet_reformat(struct uv_ioctl *io, struct uv_flow_action *a)
{
	struct ib_uverbs_attr *data = uv_attr(io, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF);
	uint64_t type;
	int err = direction(io, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_FT_TYPE, &a->egress);

	if (!err && uv_attr_u64(io, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_TYPE, &type))
		err = -EINVAL;
	if (!err)
		err = tunnel_type(type, a->egress, &a->reformat.type);
	if (err)
		return err;
	if (data && data->len > sizeof(a->reformat.data))
		return -EINVAL;
	if (data && uv_attr_in(io, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_DATA_BUF, a->reformat.data,
			       data->len))
		return -EFAULT;
	a->reformat.len = data ? data->len : 0;
	return softhca_reformat_check(&a->reformat);
}

static int create(struct uv_ioctl *io, uint16_t handle,
		  int (*fill)(struct uv_ioctl *, struct uv_flow_action *))
{
	struct uv_flow_action *a;
	struct uv_obj *obj;
	int err;

	if (!uv_attr(io, handle))
		return -EINVAL;
	obj = uv_obj_new(io->file, UV_FLOW_ACTION);
	a = obj ? calloc(1, sizeof(*a)) : NULL;
	if (!a) {
		if (obj)
			uv_obj_free(obj);
		return -ENOMEM;
	}
	obj->hw = a;
	err = fill(io, a);
	if (!err)
		err = uv_attr_set(io, handle, obj->handle);
	if (err)
		(void)uv_obj_destroy(obj);
	return err;
}

void uv_flow_action_free(struct uv_flow_action *a)
{
	softhca_modify_destroy(a->modify);
	free(a);
}

int uv_ioctl_flow_action(struct uv_ioctl *io)
{
	switch (io->method) {
	case MLX5_IB_METHOD_FLOW_ACTION_CREATE_MODIFY_HEADER:
		return create(io, MLX5_IB_ATTR_CREATE_MODIFY_HEADER_HANDLE, modify_header);
	case MLX5_IB_METHOD_FLOW_ACTION_CREATE_PACKET_REFORMAT:
		return create(io, MLX5_IB_ATTR_CREATE_PACKET_REFORMAT_HANDLE, packet_reformat);
	case UVERBS_METHOD_FLOW_ACTION_DESTROY:
		return uv_ioctl_destroy(io, UVERBS_ATTR_DESTROY_FLOW_ACTION_HANDLE, UV_FLOW_ACTION);
	default:
		return -EOPNOTSUPP; /* IPsec */
	}
}

int uv_flow_action_add(struct softhca_flow_act *act, const struct uv_flow_action *a)
{
	if (a->modify ? act->modify != NULL : act->decap || act->reformat)
		return -EINVAL;
	if (a->modify)
		act->modify = a->modify;
	else if (a->reformat.type == SOFTHCA_DECAP_L2)
		act->decap = true;
	else
		act->reformat = &a->reformat;
	return 0;
}
