/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared receive queues. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>

#include "tools/softhca/uverbs/cmds.h"

#define SRQ_NEXT_SEG 16
#define DATA_SEG     16

/* The layout that libmlx5 and the kernel compute independently from max_wr and max_sge. */
static int srq_layout(const struct softhca_config *cfg, struct softhca_srq_attr *attr)
{
	uint32_t stride = 32, wqes = 1, size;

	if (attr->max_wr > cfg->max_srq_wr || attr->max_sge > cfg->max_rq_desc_sz / DATA_SEG)
		return -EINVAL;
	size = SRQ_NEXT_SEG + attr->max_sge * DATA_SEG;
	while (stride < size)
		stride <<= 1;
	/* One more than requested, because the list of free entries must never become empty. */
	while (wqes < attr->max_wr + 1)
		wqes <<= 1;
	if (stride > cfg->max_rq_desc_sz)
		return -EINVAL;
	attr->wqes = wqes;
	attr->wqe_shift = (uint32_t)__builtin_ctz(stride);
	return 0;
}

static int lookup(struct uv_cmd *c, const struct ib_uverbs_create_xsrq *req, struct uv_obj *srq,
		  struct softhca_srq_attr *attr)
{
	struct uv_obj *pd = uv_obj_get(c->file, UV_PD, req->pd_handle);

	if (!pd)
		return -EINVAL;
	attr->pd = pd->hw;
	uv_obj_depend(srq, pd);
	if (req->srq_type == IB_UVERBS_SRQT_XRC) {
		struct uv_obj *xrcd = uv_obj_get(c->file, UV_XRCD, req->xrcd_handle);

		if (!xrcd)
			return -EINVAL;
		attr->xrcd = xrcd->hw;
		uv_obj_depend(srq, xrcd);
	}
	if (req->srq_type != IB_UVERBS_SRQT_BASIC) {
		struct uv_obj *cq = uv_obj_get(c->file, UV_CQ, req->cq_handle);

		if (!cq)
			return -EINVAL;
		attr->cq = cq->hw;
		uv_obj_depend(srq, cq);
	}
	return 0;
}

static int check_type(struct uv_cmd *c, uint32_t type)
{
	switch (type) {
	case IB_UVERBS_SRQT_BASIC:
		return 0;
	case IB_UVERBS_SRQT_XRC:
		return softhca_dev_config(c->file->hca->dev)->xrc ? 0 : -EOPNOTSUPP;
	case IB_UVERBS_SRQT_TM:
		return softhca_dev_config(c->file->hca->dev)->tag_matching ? 0 : -EOPNOTSUPP;
	default:
		return -EOPNOTSUPP;
	}
}

/* As in the driver, the list has more entries than requested: the next power of two. */
static uint32_t list_size(uint32_t max_num_tags)
{
	uint32_t n = 1;

	while (n <= max_num_tags && n)
		n <<= 1;
	return n;
}

static int create(struct uv_cmd *c, const struct ib_uverbs_create_xsrq *req, struct uv_obj *srq,
		  struct ib_uverbs_create_srq_resp *resp)
{
	struct softhca_srq_attr attr = {0};
	struct mlx5_ib_create_srq drv;
	struct softhca_srq *hw;
	int err = uv_drv_in(c, &drv, offsetof(struct mlx5_ib_create_srq, uidx), sizeof(drv));

	if (err)
		return err;
	if (drv.reserved0 || drv.reserved1 || drv.flags & ~MLX5_SRQ_FLAG_SIGNATURE)
		return -EINVAL;
	if (drv.flags & MLX5_SRQ_FLAG_SIGNATURE)
		return -EOPNOTSUPP;
	if (c->file->cqe_version && drv.uidx > 0xffffff)
		return -EINVAL;
	attr.type = (enum ibv_srq_type)req->srq_type;
	attr.max_wr = req->max_wr;
	attr.max_sge = req->max_sge;
	/* mlx5_ib_create_srq() ignores the limit. Only a modification arms it. */
	if (req->srq_type == IB_UVERBS_SRQT_TM)
		attr.max_tags = req->max_num_tags ? list_size(req->max_num_tags) : 0;
	attr.buf_va = drv.buf_addr;
	attr.db_va = drv.db_addr;
	attr.user_index = c->file->cqe_version ? drv.uidx : 0xffffff;
	err = srq_layout(softhca_dev_config(c->file->hca->dev), &attr);
	if (!err)
		err = lookup(c, req, srq, &attr);
	if (!err)
		err = softhca_srq_create(c->file->hca->dev, &attr, &hw, &resp->srqn);
	if (err)
		return err;
	srq->hw = hw;
	srq->u.srq_type = req->srq_type;
	srq->user_handle = req->user_handle;
	softhca_srq_set_user(hw, srq);
	resp->srq_handle = srq->handle;
	resp->max_wr = attr.wqes - 1;
	resp->max_sge = attr.max_sge;
	return 0;
}

static int create_srq(struct uv_cmd *c, const struct ib_uverbs_create_xsrq *req)
{
	struct ib_uverbs_create_srq_resp resp = {0};
	struct mlx5_ib_create_srq_resp drv = {0};
	struct uv_obj *srq;
	int err = check_type(c, req->srq_type);

	if (err)
		return err;
	srq = uv_obj_new(c->file, UV_SRQ);
	if (!srq)
		return -ENOMEM;
	err = create(c, req, srq, &resp);
	if (err) {
		uv_obj_free(srq);
		return err;
	}
	drv.srqn = resp.srqn;
	/* Only the extended creation returns the number of XRC queues in the core part. */
	err = uv_drv_out(c, &drv, sizeof(drv));
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

int uv_create_srq(struct uv_cmd *c)
{
	struct ib_uverbs_create_xsrq x = {.srq_type = IB_UVERBS_SRQT_BASIC};
	struct ib_uverbs_create_srq req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	x.user_handle = req.user_handle;
	x.pd_handle = req.pd_handle;
	x.max_wr = req.max_wr;
	x.max_sge = req.max_sge;
	x.srq_limit = req.srq_limit;
	return create_srq(c, &x);
}

int uv_create_xsrq(struct uv_cmd *c)
{
	struct ib_uverbs_create_xsrq req;
	int err = uv_request(c, &req, sizeof(req));

	return err ? err : create_srq(c, &req);
}

int uv_modify_srq(struct uv_cmd *c)
{
	struct ib_uverbs_modify_srq req;
	struct ibv_srq_attr attr = {0};
	struct uv_obj *srq;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	srq = uv_obj_get(c->file, UV_SRQ, req.srq_handle);
	if (!srq)
		return -EINVAL;
	attr.max_wr = req.max_wr;
	attr.srq_limit = req.srq_limit;
	return softhca_srq_modify(srq->hw, &attr, (int)req.attr_mask);
}

int uv_query_srq(struct uv_cmd *c)
{
	struct ib_uverbs_query_srq_resp resp = {0};
	struct ib_uverbs_query_srq req;
	struct ibv_srq_attr attr;
	struct uv_obj *srq;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	srq = uv_obj_get(c->file, UV_SRQ, req.srq_handle);
	if (!srq)
		return -EINVAL;
	err = softhca_srq_query(srq->hw, &attr);
	if (err)
		return err;
	resp.max_wr = attr.max_wr;
	resp.max_sge = attr.max_sge;
	resp.srq_limit = attr.srq_limit;
	return uv_respond(c, &resp, sizeof(resp));
}

int uv_destroy_srq(struct uv_cmd *c)
{
	return uv_destroy_with_events(c, UV_SRQ);
}
