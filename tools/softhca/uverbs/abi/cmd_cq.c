/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion channels and completion queues. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>

#include "segue/gen/enums.h"
#include "tools/softhca/uverbs/cmds.h"

#define CQ_MODERATE 1 /* enum ib_cq_attr_mask of the kernel */

/* ---- channels -------------------------------------------------------------------------------- */

/*
 * A channel is destroyed by closing its fd, which we do not see. Before a new one is made, those
 * with a closed fd are freed. CQs hold the queue itself and not this object.
 */
static void collect_closed_channels(struct uv_file *f)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *obj = f->objs[i];

		if (obj && obj->type == UV_CHANNEL &&
		    !uv_evq_is(obj->channel, uv_evq_fd(obj->channel)))
			uv_obj_free(obj);
	}
}

int uv_create_channel(struct uv_cmd *c)
{
	struct ib_uverbs_create_comp_channel_resp resp;
	struct uv_obj *obj;

	collect_closed_channels(c->file);
	obj = uv_obj_new(c->file, UV_CHANNEL);
	if (!obj)
		return -ENOMEM;
	obj->channel = uv_evq_create(sizeof(struct ib_uverbs_comp_event_desc));
	if (!obj->channel) {
		uv_obj_free(obj);
		return -EMFILE;
	}
	resp.fd = (uint32_t)uv_evq_fd(obj->channel);
	return uv_respond(c, &resp, sizeof(resp));
}

static struct uv_evq *channel_of_fd(struct uv_file *f, int fd)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *obj = f->objs[i];

		if (obj && obj->type == UV_CHANNEL && uv_evq_is(obj->channel, fd))
			return obj->channel;
	}
	return NULL;
}

/* ---- creation -------------------------------------------------------------------------------- */

static uint32_t round_up_pow2(uint32_t n)
{
	uint32_t p = 1;

	while (p < n)
		p <<= 1;
	return p;
}

/* Compression and padding, with the driver's checks. */
static int parse_format(const struct softhca_config *cfg, const struct mlx5_ib_create_cq *drv,
			struct softhca_cq_attr *attr)
{
	attr->pad = drv->flags & MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD;
	if (attr->pad && drv->cqe_size != 128)
		return -EOPNOTSUPP;
	attr->compress = drv->cqe_comp_en == 1;
	if (!attr->compress)
		return 0;
	if (!cfg->cqe_compression || (drv->cqe_size == 128 && !cfg->cqe_compression_128))
		return -EOPNOTSUPP;
	switch (drv->cqe_comp_res_format) {
	case MLX5_IB_CQE_RES_FORMAT_HASH:
		attr->mini_format = SEGUE_MINI_CQE_FORMAT_HASH;
		return 0;
	case MLX5_IB_CQE_RES_FORMAT_CSUM:
		attr->mini_format = SEGUE_MINI_CQE_FORMAT_CSUM;
		return 0;
	case MLX5_IB_CQE_RES_FORMAT_CSUM_STRIDX:
		attr->mini_format = SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX;
		return 0;
	default:
		return -EINVAL;
	}
}

static int parse_driver(struct uv_cmd *c, struct softhca_cq_attr *attr, struct uv_obj **uar)
{
	struct mlx5_ib_create_cq drv;
	int err = uv_drv_in(c, &drv, offsetof(struct mlx5_ib_create_cq, flags), sizeof(drv));

	if (err)
		return err;
	if (drv.flags &
	    ~(MLX5_IB_CREATE_CQ_FLAGS_CQE_128B_PAD | MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX |
	      MLX5_IB_CREATE_CQ_FLAGS_REAL_TIME_TS))
		return -EINVAL;
	if ((drv.cqe_size != 64 && drv.cqe_size != 128) || drv.reserved0 || drv.reserved1)
		return -EINVAL;
	/* The capabilities do not report it. */
	if (drv.flags & MLX5_IB_CREATE_CQ_FLAGS_REAL_TIME_TS)
		return -EOPNOTSUPP;
	err = parse_format(softhca_dev_config(c->file->hca->dev), &drv, attr);
	if (err)
		return err;
	attr->buf_va = drv.buf_addr;
	attr->db_va = drv.db_addr;
	attr->cqe_size = drv.cqe_size;
	*uar = NULL;
	if (drv.flags & MLX5_IB_CREATE_CQ_FLAGS_UAR_PAGE_INDEX) {
		attr->uar = uv_uar_by_page(c->file, drv.uar_page_index);
		if (!attr->uar)
			return -EINVAL;
	}
	return 0;
}

static int create_cq(struct uv_cmd *c, const struct ib_uverbs_ex_create_cq *req,
		     struct ib_uverbs_create_cq_resp *resp)
{
	const struct softhca_config *cfg = softhca_dev_config(c->file->hca->dev);
	struct softhca_cq_attr attr = {0};
	struct mlx5_ib_create_cq_resp drv = {0};
	struct uv_evq *channel = NULL;
	struct softhca_cq *hw;
	struct uv_obj *cq, *uar;
	int err;

	if (req->comp_vector >= UV_COMP_VECTORS || req->cqe > cfg->max_cqe)
		return -EINVAL;
	if (req->comp_channel >= 0) {
		channel = channel_of_fd(c->file, req->comp_channel);
		if (!channel)
			return -EBADF;
	}
	err = parse_driver(c, &attr, &uar);
	if (err)
		return err;
	attr.cqes = round_up_pow2(req->cqe + 1);
	attr.overrun_ignore = req->flags & IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN;
	attr.want_events = channel;
	cq = uv_obj_new(c->file, UV_CQ);
	if (!cq)
		return -ENOMEM;
	err = softhca_cq_create(c->file->hca->dev, &attr, &hw, &drv.cqn);
	if (err) {
		uv_obj_free(cq);
		return err;
	}
	cq->hw = hw;
	cq->u.cqe_size = attr.cqe_size;
	cq->user_handle = req->user_handle;
	if (channel) {
		uv_evq_get(channel);
		cq->channel = channel;
	}
	softhca_cq_set_user(hw, cq);
	resp->cq_handle = cq->handle;
	resp->cqe = attr.cqes - 1;
	return uv_drv_out(c, &drv, sizeof(drv));
}

int uv_create_cq(struct uv_cmd *c)
{
	struct ib_uverbs_create_cq_resp resp = {0};
	struct ib_uverbs_ex_create_cq ex = {0};
	struct ib_uverbs_create_cq req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	ex.user_handle = req.user_handle;
	ex.cqe = req.cqe;
	ex.comp_vector = req.comp_vector;
	ex.comp_channel = req.comp_channel;
	err = create_cq(c, &ex, &resp);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

int uv_ex_create_cq(struct uv_cmd *c)
{
	struct ib_uverbs_ex_create_cq_resp resp = {0};
	struct ib_uverbs_ex_create_cq req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.comp_mask || req.reserved)
		return -EINVAL;
	if (req.flags &
	    ~(IB_UVERBS_CQ_FLAGS_TIMESTAMP_COMPLETION | IB_UVERBS_CQ_FLAGS_IGNORE_OVERRUN))
		return -EOPNOTSUPP;
	err = create_cq(c, &req, &resp.base);
	resp.response_length = sizeof(resp);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

/* ---- the rest -------------------------------------------------------------------------------- */

int uv_resize_cq(struct uv_cmd *c)
{
	struct ib_uverbs_resize_cq_resp resp = {0};
	struct ib_uverbs_resize_cq req;
	struct mlx5_ib_resize_cq drv;
	struct uv_obj *cq;
	uint32_t cqes;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_drv_in(c, &drv, sizeof(drv), sizeof(drv));
	if (err)
		return err;
	if (drv.reserved0 || drv.reserved1)
		return -EINVAL;
	cq = uv_obj_get(c->file, UV_CQ, req.cq_handle);
	if (!cq || !req.cqe || req.cqe > softhca_dev_config(c->file->hca->dev)->max_cqe)
		return -EINVAL;
	cqes = round_up_pow2(req.cqe + 1);
	err = softhca_cq_resize(cq->hw, drv.buf_addr, cqes, drv.cqe_size);
	if (err) /* the firmware's error for unread entries that do not fit becomes EINVAL */
		return err == -ENOSPC ? -EINVAL : err;
	resp.cqe = cqes - 1;
	return uv_respond(c, &resp, sizeof(resp));
}

int uv_destroy_cq(struct uv_cmd *c)
{
	struct ib_uverbs_destroy_cq_resp resp;
	struct ib_uverbs_destroy_cq req;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_obj_end(uv_obj_get(c->file, UV_CQ, req.cq_handle),
				 &resp.async_events_reported, &resp.comp_events_reported);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

int uv_ex_modify_cq(struct uv_cmd *c)
{
	struct ib_uverbs_ex_modify_cq req;
	int err = uv_request(c, &req, sizeof(req));
	struct uv_obj *cq;

	if (err)
		return err;
	if (!req.attr_mask || req.reserved)
		return -EINVAL;
	if (req.attr_mask > CQ_MODERATE)
		return -EOPNOTSUPP;
	cq = uv_obj_get(c->file, UV_CQ, req.cq_handle);
	if (!cq || req.attr.cq_period > UV_CQ_PERIOD_MAX)
		return -EINVAL;
	softhca_cq_moderate(cq->hw, req.attr.cq_count, req.attr.cq_period);
	return 0;
}
