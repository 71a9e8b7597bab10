/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steering rules as mlx5dv has them: a matcher holds the mask, in the device's own layout of match
 * parameters, and each rule a value.
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/engine/raw/eth.h"
#include "tools/softhca/uverbs/cmds.h"

#define PARAM_MAX	 512u /* fte_match_param */
#define MISC		 64u  /* its second part begins here */
#define MISC_FLOW_LABEL	 (MISC + 28u)
#define MISC_END	 128u
#define CRITERIA_OUTER	 1u
#define CRITERIA_MISC	 2u
#define UNSUPPORTED_FROM 24u /* of the outer headers: header types and checksum results */
#define UNSUPPORTED_TO	 27u

struct matcher {
	uint16_t priority;
	uint8_t criteria;
	uint8_t mask[SOFTHCA_STEER_KEY];
};

static bool all_clear(const uint8_t *p, size_t from, size_t to)
{
	for (size_t i = from; i < to; i++)
		if (p[i])
			return false;
	return true;
}

/* The parts that are switched on, as our key has them. */
static int read_param(struct uv_ioctl *io, uint16_t attr, uint8_t criteria, uint8_t *key)
{
	struct uv_span s = uv_attr_span(io, attr);
	uint8_t param[PARAM_MAX] = {0};

	if (s.len > sizeof(param))
		return -EINVAL;
	if (uv_copy_in(param, s.addr, s.len))
		return -EFAULT;
	memset(key, 0, SOFTHCA_STEER_KEY);
	if (criteria & CRITERIA_OUTER) {
		if (!all_clear(param, UNSUPPORTED_FROM, UNSUPPORTED_TO))
			return -EOPNOTSUPP;
		memcpy(key, param, SOFTHCA_KEY_FLOW_LABEL);
	}
	if (criteria & CRITERIA_MISC) {
		memcpy(key + SOFTHCA_KEY_FLOW_LABEL, param + MISC_FLOW_LABEL, 4);
		memset(param + MISC_FLOW_LABEL, 0, 4);
		if (!all_clear(param, MISC, MISC_END))
			return -EOPNOTSUPP;
	}
	return 0;
}

static int matcher_attributes(struct uv_ioctl *io, struct matcher *m)
{
	struct ib_uverbs_attr *type = uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE);
	uint64_t table = MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX;
	uint32_t flags = 0;

	if (!type || !uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK) ||
	    !uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE) ||
	    uv_attr_in(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, &m->criteria, 1))
		return -EINVAL;
	(void)uv_attr_u64(io, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE, &table);
	(void)uv_attr_in(io, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS, &flags, sizeof(flags));
	if (table != MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX || flags ||
	    type->attr_data.enum_data.elem_id != IBV_FLOW_ATTR_NORMAL ||
	    m->criteria & ~(CRITERIA_OUTER | CRITERIA_MISC))
		return -EOPNOTSUPP;
	m->priority = (uint16_t)type->data;
	return 0;
}

static int matcher_create(struct uv_ioctl *io)
{
	struct matcher m = {0}, *copy;
	struct uv_obj *obj;
	int err = matcher_attributes(io, &m);

	if (!err)
		err = read_param(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, m.criteria, m.mask);
	if (err)
		return err;
	copy = malloc(sizeof(*copy));
	obj = copy ? uv_obj_new(io->file, UV_MATCHER) : NULL;
	if (!obj) {
		free(copy);
		return -ENOMEM;
	}
	*copy = m;
	obj->hw = copy;
	err = uv_attr_set(io, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, obj->handle);
	if (err)
		(void)uv_obj_destroy(obj);
	return err;
}

int uv_ioctl_matcher(struct uv_ioctl *io)
{
	struct uv_obj *obj;
	uint32_t handle;

	switch (io->method) {
	case MLX5_IB_METHOD_FLOW_MATCHER_CREATE:
		return matcher_create(io);
	case MLX5_IB_METHOD_FLOW_MATCHER_DESTROY:
		if (uv_attr_handle(io, MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, &handle))
			return -EINVAL;
		obj = uv_obj_get(io->file, UV_MATCHER, handle);
		return obj ? uv_obj_destroy(obj) : -ENOENT;
	default:
		return -EOPNOTSUPP;
	}
}

/* ---- rules ----------------------------------------------------------------------------------- */

static const uint16_t unsupported[] = {
	MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX,
	MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS,
	MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX,
};

static int destination(struct uv_ioctl *io, struct softhca_steer_attr *attr, struct uv_obj **qp)
{
	struct ibv_qp_attr now = {0};
	uint32_t handle, flags = 0;

	for (size_t i = 0; i < sizeof(unsupported) / sizeof(unsupported[0]); i++)
		if (uv_attr(io, unsupported[i]))
			return -EOPNOTSUPP;
	(void)uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_FLAGS, &flags, sizeof(flags));
	if (flags & ~(uint32_t)MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP)
		return -EOPNOTSUPP;
	attr->port = 1;
	attr->drop = flags;
	if (attr->drop)
		return uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP) ? -EINVAL : 0;
	if (uv_attr_handle(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP, &handle))
		return -EINVAL;
	*qp = uv_obj_get(io->file, UV_QP, handle);
	if (!*qp)
		return -ENOENT;
	if (softhca_qp_type_of((*qp)->hw) != SOFTHCA_QP_RAW)
		return -EINVAL;
	attr->qp = (*qp)->hw;
	/* A rule is for the port of its queue pair; one that has none yet is for the first. */
	if (!softhca_qp_query((*qp)->hw, &now) && now.port_num)
		attr->port = now.port_num;
	return 0;
}

static int rule_create(struct uv_ioctl *io)
{
	struct softhca_steer_attr attr = {.kind = SOFTHCA_STEER_NORMAL};
	struct uv_obj *matcher, *flow, *qp = NULL;
	struct softhca_steer *hw;
	const struct matcher *m;
	uint32_t handle;
	int err;

	if (uv_attr_handle(io, MLX5_IB_ATTR_CREATE_FLOW_MATCHER, &handle) ||
	    !uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_HANDLE))
		return -EINVAL;
	matcher = uv_obj_get(io->file, UV_MATCHER, handle);
	if (!matcher)
		return -ENOENT;
	m = matcher->hw;
	(void)uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_TAG, &attr.tag, sizeof(attr.tag));
	if (attr.tag > 0xffffff)
		return -EINVAL;
	attr.priority = m->priority;
	memcpy(attr.mask, m->mask, sizeof(attr.mask));
	err = destination(io, &attr, &qp);
	if (!err)
		err = read_param(io, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, m->criteria, attr.value);
	if (err)
		return err;
	flow = uv_obj_new(io->file, UV_FLOW);
	if (!flow)
		return -ENOMEM;
	err = softhca_steer_create(io->file->hca->dev, &attr, &hw);
	if (!err) {
		flow->hw = hw;
		uv_obj_depend(flow, matcher);
		uv_obj_depend(flow, qp);
		err = uv_attr_set(io, MLX5_IB_ATTR_CREATE_FLOW_HANDLE, flow->handle);
	}
	if (err)
		(void)uv_obj_destroy(flow);
	else
		softhca_thread_kick();
	return err;
}

int uv_ioctl_flow(struct uv_ioctl *io)
{
	struct uv_obj *flow;
	uint32_t handle;

	switch (io->method) {
	case MLX5_IB_METHOD_CREATE_FLOW:
		return rule_create(io);
	case MLX5_IB_METHOD_DESTROY_FLOW:
		if (uv_attr_handle(io, MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, &handle))
			return -EINVAL;
		flow = uv_obj_get(io->file, UV_FLOW, handle);
		return flow ? uv_obj_destroy(flow) : -ENOENT;
	default:
		return -EPROTONOSUPPORT;
	}
}
