/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * General objects, which a raw command names by a type: scheduling elements, reserved numbers, and
 * address vectors of queue pairs. Sources: rdma-core's mlx5_ifc.h, bytes written by libmlx5.
 */
#include <errno.h>

#include "tools/softhca/uverbs/devx/devx_util.h"

#define HIERARCHY_NIC 3
#define ELEMENT_NODE  0 /* TSAR */
#define ELEMENT_LEAF  4 /* queue group */
#define TSAR_DWRR     0
#define MODIFY_MAX_BW (1 << 1)

uint64_t uv_general_objects(const struct softhca_config *cfg)
{
	const uint64_t crypto = 1ull << PRM_OBJ_DEK | 1ull << PRM_OBJ_LOGIN;

	return 1ull << PRM_OBJ_RESERVED_QPN | (cfg->qos ? 1ull << PRM_OBJ_SCHED : 0) |
	       (cfg->dc ? 1ull << PRM_OBJ_AV_MAP : 0) | (cfg->crypto ? crypto : 0);
}

static void set_rate(struct uv_mailbox *mb, struct softhca_sched *s)
{
	if (prm_get(mb->in, GEN, SCHED_MODIFY) & MODIFY_MAX_BW)
		softhca_sched_set_rate(s, prm_get(mb->in, SCHEDC, SCHEDC_MAX_BW));
}

static int check_sched(struct uv_mailbox *mb)
{
	const uint64_t type = prm_get(mb->in, SCHEDC, SCHEDC_TYPE);

	if (prm_get(mb->in, GEN, SCHED_HIERARCHY) != HIERARCHY_NIC ||
	    (type != ELEMENT_NODE && type != ELEMENT_LEAF) ||
	    prm_get(mb->in, SCHEDC, SCHEDC_TSAR_TYPE) != TSAR_DWRR)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	return 0;
}

static int create_sched(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_dev *const dev = obj->file->hca->dev;
	struct softhca_sched *parent = NULL, *hw;
	int err = uv_prm_begin(mb, SCHEDC + 0x200, 0x80);
	uint32_t id;

	if (!err)
		err = check_sched(mb);
	if (err)
		return err;
	id = (uint32_t)prm_get(mb->in, SCHEDC, SCHEDC_PARENT);
	if (id) {
		parent = softhca_sched_find(dev, id);
		if (!parent)
			return uv_prm_fail(mb, PRM_BAD_RES);
	}
	err = softhca_sched_create(dev, parent,
				   prm_get(mb->in, SCHEDC, SCHEDC_TYPE) == ELEMENT_LEAF, &hw, &id);
	if (err)
		return uv_prm_errno(mb, err);
	set_rate(mb, hw);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_SCHED;
	obj->u.devx.id = id;
	prm_set(mb->out, 0, GEN_ID, id);
	return 0;
}

/* Address of a queue pair's peer. Here every packet contains it. */
static int create_av_map(struct uv_obj *obj, struct uv_mailbox *mb)
{
	int err = uv_prm_begin(mb, GEN + 0x200, 0x80);

	if (err)
		return err;
	if (!softhca_qp_find(obj->file->hca->dev, (uint32_t)prm_get(mb->in, GEN, AV_MAP_QPN)))
		return uv_prm_fail(mb, PRM_BAD_RES);
	obj->u.devx.kind = UV_DEVX_AV_MAP;
	obj->u.devx.id = obj->handle + 1;
	prm_set(mb->out, 0, GEN_ID, obj->u.devx.id);
	return 0;
}

/* Numbers that the program itself gives to the CM for a connection without a verbs queue pair. */
static int create_reserved_qpn(struct uv_obj *obj, struct uv_mailbox *mb)
{
	int err = uv_prm_begin(mb, GEN, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, 0, GEN_LOG_RANGE) > SOFTHCA_LOG_RESERVED_QPNS)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	err = softhca_qpn_reserve(obj->file->hca->dev, obj, &obj->u.devx.id);
	if (err)
		return uv_prm_errno(mb, err);
	obj->hw = obj;
	obj->u.devx.kind = UV_DEVX_RESERVED_QPN;
	prm_set(mb->out, 0, GEN_ID, obj->u.devx.id);
	return 0;
}

int uv_devx_create_general(struct uv_obj *obj, struct uv_mailbox *mb)
{
	const uint64_t type = prm_get(mb->in, 0, GEN_TYPE);

	if (type > 63 || !(uv_general_objects(softhca_dev_config(obj->file->hca->dev)) >> type & 1))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	switch (type) {
	case PRM_OBJ_SCHED:
		return create_sched(obj, mb);
	case PRM_OBJ_AV_MAP:
		return create_av_map(obj, mb);
	case PRM_OBJ_RESERVED_QPN:
		return create_reserved_qpn(obj, mb);
	case PRM_OBJ_DEK:
		return uv_devx_create_dek(obj, mb);
	default:
		return uv_devx_create_login(obj, mb);
	}
}

int uv_devx_modify_general(struct uv_obj *obj, struct uv_mailbox *mb)
{
	int err;

	/* Of the modelled kinds only elements can be modified. */
	if (obj->type != UV_DEVX || obj->u.devx.kind != UV_DEVX_SCHED ||
	    prm_get(mb->in, 0, GEN_TYPE) != PRM_OBJ_SCHED ||
	    prm_get(mb->in, 0, GEN_ID) != obj->u.devx.id)
		return -EINVAL;
	err = uv_prm_begin(mb, SCHEDC + 0x200, 0x80);
	if (!err)
		err = check_sched(mb);
	if (!err)
		set_rate(mb, obj->hw);
	return err;
}
