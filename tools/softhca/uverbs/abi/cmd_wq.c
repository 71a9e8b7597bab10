/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive work queues and indirection tables. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"

#define MODIFY_STATE	1u /* enum ib_wq_attr_mask of the kernel */
#define MODIFY_CURRENT	2u
#define MODIFY_FLAGS	4u
#define FLAGS_SUPPORTED ((uint32_t)(IBV_WQ_FLAGS_CVLAN_STRIPPING | IBV_WQ_FLAGS_SCATTER_FCS))

/* ---- queues ---- */

static int striding(const struct mlx5_ib_create_wq *drv, struct softhca_mprq *mprq)
{
	if (!(drv->comp_mask & MLX5_IB_CREATE_WQ_STRIDING_RQ))
		return 0;
	if (drv->single_stride_log_num_of_bytes < UV_MIN_LOG_STRIDE ||
	    drv->single_stride_log_num_of_bytes > UV_MAX_LOG_STRIDE ||
	    drv->single_wqe_log_num_of_strides < UV_MIN_LOG_STRIDES ||
	    drv->single_wqe_log_num_of_strides > UV_MAX_LOG_STRIDES)
		return -EINVAL;
	mprq->log_stride = (uint8_t)drv->single_stride_log_num_of_bytes;
	mprq->log_strides = (uint8_t)drv->single_wqe_log_num_of_strides;
	mprq->shift = drv->two_byte_shift_en ? 2 : 0;
	return 0;
}

static int parse_driver(struct uv_cmd *c, struct softhca_wq_attr *attr)
{
	struct mlx5_ib_create_wq drv;
	int err = uv_drv_in(c, &drv,
			    offsetof(struct mlx5_ib_create_wq, single_wqe_log_num_of_strides),
			    sizeof(drv));

	if (err)
		return err;
	if (drv.comp_mask & ~(uint32_t)MLX5_IB_CREATE_WQ_STRIDING_RQ)
		return -EOPNOTSUPP;
	if (drv.flags & ~(uint32_t)MLX5_WQ_FLAG_SIGNATURE)
		return -EINVAL;
	err = striding(&drv, &attr->mprq);
	if (err)
		return err;
	if (!drv.rq_wqe_count || drv.rq_wqe_shift < 4 || drv.rq_wqe_shift > 9)
		return -EINVAL;
	if (c->file->cqe_version && drv.user_index > 0xffffff)
		return -EINVAL;
	attr->buf_va = drv.buf_addr;
	attr->db_va = drv.db_addr;
	attr->wqes = drv.rq_wqe_count;
	attr->stride = 1u << drv.rq_wqe_shift;
	attr->user_index = c->file->cqe_version ? drv.user_index : 0xffffff;
	attr->signature = drv.flags & MLX5_WQ_FLAG_SIGNATURE;
	return 0;
}

static int create(struct uv_cmd *c, const struct ib_uverbs_ex_create_wq *req, struct uv_obj *wq,
		  struct ib_uverbs_ex_create_wq_resp *resp)
{
	const struct softhca_config *cfg = softhca_dev_config(c->file->hca->dev);
	struct uv_obj *pd = uv_obj_get(c->file, UV_PD, req->pd_handle);
	struct uv_obj *cq = uv_obj_get(c->file, UV_CQ, req->cq_handle);
	struct softhca_wq_attr attr = {0};
	struct softhca_qp *hw;
	int err;

	if (!pd || !cq || req->wq_type != IBV_WQT_RQ || req->max_wr > cfg->max_qp_wr ||
	    req->max_sge > cfg->max_rq_desc_sz / 16)
		return -EINVAL;
	if (req->create_flags & ~FLAGS_SUPPORTED)
		return -EOPNOTSUPP;
	attr.pd = pd->hw;
	attr.cq = cq->hw;
	attr.cvlan_strip = req->create_flags & IBV_WQ_FLAGS_CVLAN_STRIPPING;
	attr.scatter_fcs = req->create_flags & IBV_WQ_FLAGS_SCATTER_FCS;
	err = parse_driver(c, &attr);
	if (!err)
		err = softhca_wq_create(c->file->hca->dev, &attr, &hw, &resp->wqn);
	if (err)
		return err;
	wq->hw = hw;
	wq->user_handle = req->user_handle;
	softhca_qp_set_user(hw, wq);
	uv_obj_depend(wq, pd);
	uv_obj_depend(wq, cq);
	resp->wq_handle = wq->handle;
	resp->max_wr = req->max_wr;
	resp->max_sge = req->max_sge;
	return 0;
}

int uv_create_wq(struct uv_cmd *c)
{
	struct ib_uverbs_ex_create_wq_resp resp = {.response_length = sizeof(resp)};
	struct mlx5_ib_create_wq_resp drv = {.response_length = sizeof(drv)};
	struct ib_uverbs_ex_create_wq req;
	struct uv_obj *wq;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask || req.reserved)
		return -EOPNOTSUPP;
	wq = uv_obj_new(c->file, UV_WQ);
	if (!wq)
		return -ENOMEM;
	err = create(c, &req, wq, &resp);
	if (!err)
		err = uv_drv_out(c, &drv, sizeof(drv));
	if (!err)
		err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(wq);
	return err;
}

int uv_modify_wq(struct uv_cmd *c)
{
	struct ib_uverbs_ex_modify_wq req;
	struct mlx5_ib_modify_wq drv;
	struct uv_obj *wq;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_drv_in(c, &drv, sizeof(drv), sizeof(drv));
	if (err)
		return err;
	if (!req.attr_mask || req.attr_mask > (MODIFY_STATE | MODIFY_CURRENT | MODIFY_FLAGS))
		return -EINVAL;
	if (drv.comp_mask || drv.reserved)
		return -EOPNOTSUPP;
	wq = uv_obj_get(c->file, UV_WQ, req.wq_handle);
	if (!wq)
		return -EINVAL;
	/* Only newer firmware than ours can change flags. */
	if (req.attr_mask & MODIFY_FLAGS)
		return -EOPNOTSUPP;
	if (req.attr_mask & MODIFY_CURRENT && req.curr_wq_state != softhca_wq_state(wq->hw))
		return -EINVAL;
	return req.attr_mask & MODIFY_STATE
		       ? softhca_wq_modify(wq->hw, (enum ibv_wq_state)req.wq_state)
		       : 0;
}

int uv_destroy_wq(struct uv_cmd *c)
{
	struct ib_uverbs_ex_destroy_wq_resp resp = {.response_length = sizeof(resp)};
	struct ib_uverbs_ex_destroy_wq req;
	int err = uv_request(c, &req, sizeof(req));

	if (!err && req.comp_mask)
		err = -EOPNOTSUPP;
	if (!err)
		err = uv_obj_end(uv_obj_get(c->file, UV_WQ, req.wq_handle), &resp.events_reported,
				 NULL);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

/* ---- indirection tables ---- */

/* Reads the handles after the fixed part of the request, padded to 8 bytes. */
static int read_handles(struct uv_cmd *c, const struct ib_uverbs_ex_create_rwq_ind_table *req,
			struct softhca_qp **wqs)
{
	const unsigned int n = 1u << req->log_ind_tbl_size;
	const size_t need = sizeof(*req) + (size_t)n * sizeof(uint32_t);

	if (c->in.len < need)
		return -ENOSPC;
	for (unsigned int i = 0; i < n; i++) {
		struct uv_obj *wq;
		uint32_t handle;

		if (uv_copy_in(&handle, c->in.addr + sizeof(*req) + i * sizeof(handle),
			       sizeof(handle)))
			return -EFAULT;
		wq = uv_obj_get(c->file, UV_WQ, handle);
		if (!wq)
			return -EINVAL;
		wqs[i] = wq->hw;
	}
	return 0;
}

int uv_create_ind_table(struct uv_cmd *c)
{
	struct softhca_qp **wqs;
	struct ib_uverbs_ex_create_rwq_ind_table_resp resp = {.response_length = sizeof(resp)};
	struct ib_uverbs_ex_create_rwq_ind_table req;
	struct softhca_rwq_table *hw;
	struct uv_obj *table;
	int err = uv_copy_in(&req, c->in.addr, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask)
		return -EOPNOTSUPP;
	if (req.log_ind_tbl_size > SOFTHCA_MAX_LOG_TABLE)
		return -EINVAL;
	wqs = calloc(1u << req.log_ind_tbl_size, sizeof(struct softhca_qp *));
	err = wqs ? read_handles(c, &req, wqs) : -ENOMEM;
	table = err ? NULL : uv_obj_new(c->file, UV_IND_TABLE);
	if (!table) {
		free(wqs);
		return err ? err : -ENOMEM;
	}
	/* The engine holds the queues, because there may be thousands. */
	err = softhca_rwq_table_create(c->file->hca->dev, wqs, req.log_ind_tbl_size, &hw,
				       &resp.ind_tbl_num);
	free(wqs);
	if (!err) {
		table->hw = hw;
		resp.ind_tbl_handle = table->handle;
		err = uv_respond(c, &resp, sizeof(resp));
	}
	if (err)
		(void)uv_obj_destroy(table);
	return err;
}

int uv_destroy_ind_table(struct uv_cmd *c)
{
	struct ib_uverbs_ex_destroy_rwq_ind_table req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask)
		return -EOPNOTSUPP;
	return uv_obj_destroy(uv_obj_get(c->file, UV_IND_TABLE, req.ind_tbl_handle));
}
