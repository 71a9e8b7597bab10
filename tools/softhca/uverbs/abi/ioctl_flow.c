/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Steering rules of mlx5dv. A matcher holds the mask, in the device's own layout of match
 * parameters, and each rule holds a value.
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <string.h>

#include "tools/softhca/engine/packet/eth.h"
#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/flow_objs.h"
#include "tools/softhca/uverbs/devx/match.h"

struct matcher {
	bool egress;
	uint16_t priority;
	uint8_t criteria;
	uint8_t mask[SOFTHCA_ETH_KEY];
};

static int read_param(struct uv_ioctl *io, uint16_t attr, uint8_t criteria, uint8_t *key)
{
	struct uv_span s = uv_attr_span(io, attr);
	uint8_t param[UV_MATCH_PARAM] = {0};

	if (s.len > sizeof(param))
		return -EINVAL;
	if (uv_copy_in(param, s.addr, s.len))
		return -EFAULT;
	return uv_match_key(param, criteria, key);
}

/* Direction, from the kind of table, or from a flag, which is older. */
static int matcher_table(struct uv_ioctl *io, struct matcher *m)
{
	const bool by_type = uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE);
	const bool by_flag = uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS);
	uint64_t table = MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX;
	uint32_t flags = 0;

	if (by_type && by_flag)
		return -EINVAL;
	(void)uv_attr_u64(io, MLX5_IB_ATTR_FLOW_MATCHER_FT_TYPE, &table);
	(void)uv_attr_in(io, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_FLAGS, &flags, sizeof(flags));
	if (flags & ~(uint32_t)IBV_FLOW_ATTR_FLAGS_EGRESS)
		return -EINVAL;
	m->egress = flags || table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_TX;
	return m->egress || table == MLX5_IB_UAPI_FLOW_TABLE_TYPE_NIC_RX ? 0 : -EOPNOTSUPP;
}

static int matcher_attributes(struct uv_ioctl *io, struct matcher *m)
{
	struct ib_uverbs_attr *type = uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_FLOW_TYPE);

	if (!type || !uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK) ||
	    !uv_attr(io, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE) ||
	    uv_attr_in(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_CRITERIA, &m->criteria, 1))
		return -EINVAL;
	if (type->attr_data.enum_data.elem_id != IBV_FLOW_ATTR_NORMAL)
		return -EOPNOTSUPP;
	m->priority = (uint16_t)type->data;
	return matcher_table(io, m);
}

static int matcher_create(struct uv_ioctl *io)
{
	struct matcher m = {0};
	int err = matcher_attributes(io, &m);

	if (!err)
		err = read_param(io, MLX5_IB_ATTR_FLOW_MATCHER_MATCH_MASK, m.criteria, m.mask);
	return err ? err
		   : uv_attr_make(io, MLX5_IB_ATTR_FLOW_MATCHER_CREATE_HANDLE, UV_MATCHER, &m,
				  sizeof(m));
}

int uv_ioctl_matcher(struct uv_ioctl *io)
{
	if (io->method == MLX5_IB_METHOD_FLOW_MATCHER_CREATE)
		return matcher_create(io);
	return io->method == MLX5_IB_METHOD_FLOW_MATCHER_DESTROY
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_FLOW_MATCHER_DESTROY_HANDLE, UV_MATCHER)
		       : -EOPNOTSUPP;
}

/* ---- rules ----------------------------------------------------------------------------------- */

#define MAX_ACTIONS  8u /* libmlx5's limit */
#define DROP	     (uint32_t) MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DROP
#define DEFAULT_MISS (uint32_t) MLX5_IB_ATTR_CREATE_FLOW_FLAGS_DEFAULT_MISS

/* A rule under construction, and the objects that it keeps. */
struct rule {
	struct softhca_steer_attr attr;
	struct uv_obj *keeps[4 + MAX_ACTIONS];
	unsigned int kept;
};

static int destination_qp(struct uv_ioctl *io, struct rule *r)
{
	struct ibv_qp_attr now = {0};
	struct uv_obj *qp;
	int err = uv_attr_obj(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP, UV_QP, &qp);

	if (err)
		return err;
	if (softhca_qp_type_of(qp->hw) != SOFTHCA_QP_RAW)
		return -EINVAL;
	r->attr.qp = qp->hw;
	r->keeps[r->kept++] = qp;
	/* A rule is for the port of its queue pair, or for the first port if that has none yet. */
	if (!softhca_qp_query(qp->hw, &now) && now.port_num)
		r->attr.port = now.port_num;
	return 0;
}

static int destination_devx(struct uv_ioctl *io, struct rule *r)
{
	struct uv_obj *obj;
	int err = uv_attr_obj(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX, UV_DEVX, &obj);

	if (err)
		return err;
	if (obj->u.devx.kind == UV_DEVX_TIR)
		r->attr.qp = obj->hw;
	else if (obj->u.devx.kind == UV_DEVX_FLOW_TABLE)
		r->attr.act.dest[r->attr.act.ndests++].table = obj->hw;
	else
		return -EINVAL;
	r->keeps[r->kept++] = obj;
	return 0;
}

/* At most one destination. Outgoing frames allow only a table, or the one of all frames. */
static int destination(struct uv_ioctl *io, struct rule *r)
{
	const bool qp = uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_QP);
	const bool devx = uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_DEST_DEVX);
	const bool egress = r->attr.kind == SOFTHCA_STEER_EGRESS;
	uint32_t flags = 0;

	(void)uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_FLAGS, &flags, sizeof(flags));
	if (flags & ~(DROP | DEFAULT_MISS))
		return -EINVAL;
	r->attr.drop = flags & DROP;
	r->attr.act.default_miss = flags & DEFAULT_MISS;
	if (qp + devx + r->attr.drop + r->attr.act.default_miss > 1 || (egress && qp))
		return -EINVAL;
	if (qp)
		return destination_qp(io, r);
	if (devx)
		return destination_devx(io, r);
	return flags || egress ? 0 : -EINVAL;
}

static int actions(struct uv_ioctl *io, struct rule *r)
{
	struct ib_uverbs_attr *attr = uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS);
	uint32_t handle[MAX_ACTIONS] = {0};

	if (!attr)
		return 0;
	if (attr->len > sizeof(handle) || attr->len % sizeof(handle[0]))
		return -EINVAL;
	if (uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_ARR_FLOW_ACTIONS, handle, attr->len))
		return -EFAULT;
	for (size_t i = 0; i < attr->len / sizeof(handle[0]); i++) {
		struct uv_obj *obj = uv_obj_get(io->file, UV_FLOW_ACTION, handle[i]);
		const struct uv_flow_action *a = obj ? obj->hw : NULL;
		int err;

		if (!a)
			return -ENOENT;
		if (a->egress != (r->attr.kind == SOFTHCA_STEER_EGRESS))
			return -EINVAL;
		err = uv_flow_action_add(&r->attr.act, a);
		if (err)
			return err;
		r->keeps[r->kept++] = obj;
	}
	return 0;
}

/* One counter, made by a raw command. In a bulk, the one at an offset. */
static int counter(struct uv_ioctl *io, struct rule *r)
{
	struct ib_uverbs_attr *attr = uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX);
	uint32_t handle = 0, offset = 0;
	struct uv_obj *obj;

	if (!attr)
		return 0;
	if (attr->len != sizeof(handle) ||
	    uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX, &handle, sizeof(handle)))
		return -EINVAL;
	(void)uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_ARR_COUNTERS_DEVX_OFFSET, &offset,
			 sizeof(offset));
	obj = uv_obj_get(io->file, UV_DEVX, handle);
	if (!obj)
		return -ENOENT;
	r->attr.act.counter = uv_devx_counter(obj, offset);
	r->keeps[r->kept++] = obj;
	return r->attr.act.counter ? 0 : -EINVAL;
}

static int read_rule(struct uv_ioctl *io, const struct matcher *m, struct rule *r)
{
	int err;

	r->attr.kind = m->egress ? SOFTHCA_STEER_EGRESS : SOFTHCA_STEER_NORMAL;
	r->attr.port = 1;
	r->attr.priority = m->priority;
	memcpy(r->attr.mask, m->mask, sizeof(r->attr.mask));
	(void)uv_attr_in(io, MLX5_IB_ATTR_CREATE_FLOW_TAG, &r->attr.tag, sizeof(r->attr.tag));
	if (r->attr.tag > 0xffffff)
		return -EINVAL;
	err = destination(io, r);
	if (!err)
		err = actions(io, r);
	if (!err)
		err = counter(io, r);
	if (!err)
		err = read_param(io, MLX5_IB_ATTR_CREATE_FLOW_MATCH_VALUE, m->criteria,
				 r->attr.value);
	return err;
}

static int rule_create(struct uv_ioctl *io)
{
	struct rule r = {.kept = 0};
	struct uv_obj *matcher, *flow;
	struct softhca_steer *hw;
	int err = uv_attr_obj(io, MLX5_IB_ATTR_CREATE_FLOW_MATCHER, UV_MATCHER, &matcher);

	if (err || !uv_attr(io, MLX5_IB_ATTR_CREATE_FLOW_HANDLE))
		return err ? err : -EINVAL;
	r.keeps[r.kept++] = matcher;
	err = read_rule(io, matcher->hw, &r);
	if (err)
		return err;
	flow = uv_obj_new(io->file, UV_FLOW);
	if (!flow)
		return -ENOMEM;
	err = softhca_steer_create(io->file->hca->dev, &r.attr, &hw);
	if (!err) {
		flow->hw = hw;
		while (r.kept)
			uv_obj_depend(flow, r.keeps[--r.kept]);
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
	if (io->method == MLX5_IB_METHOD_CREATE_FLOW)
		return rule_create(io);
	return io->method == MLX5_IB_METHOD_DESTROY_FLOW
		       ? uv_ioctl_destroy(io, MLX5_IB_ATTR_DESTROY_FLOW_HANDLE, UV_FLOW)
		       : -EPROTONOSUPPORT;
}
