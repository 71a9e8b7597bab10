/* SPDX-License-Identifier: BSD-2-Clause */
/* Modification and query of queue pairs, mostly moves of fields between two layouts. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"

#define MASK_LEGACY   ((1u << 21) - 1) /* up to IBV_QP_DEST_QPN */
#define MASK_EXTENDED (MASK_LEGACY | IBV_QP_RATE_LIMIT)

/* Members with one name in a request, an answer and the attributes. */
#define COPY_SAME(to, from)                                                                      \
	((to)->qkey = (from)->qkey, (to)->rq_psn = (from)->rq_psn, (to)->sq_psn = (from)->sq_psn, \
	 (to)->dest_qp_num = (from)->dest_qp_num,                                                 \
	 (to)->qp_access_flags = (from)->qp_access_flags, (to)->pkey_index = (from)->pkey_index,  \
	 (to)->alt_pkey_index = (from)->alt_pkey_index,                                           \
	 (to)->max_rd_atomic = (from)->max_rd_atomic,                                             \
	 (to)->max_dest_rd_atomic = (from)->max_dest_rd_atomic,                                   \
	 (to)->min_rnr_timer = (from)->min_rnr_timer, (to)->port_num = (from)->port_num,          \
	 (to)->timeout = (from)->timeout, (to)->retry_cnt = (from)->retry_cnt,                    \
	 (to)->rnr_retry = (from)->rnr_retry, (to)->alt_port_num = (from)->alt_port_num,          \
	 (to)->alt_timeout = (from)->alt_timeout)

static void dest_to_ah(const struct ib_uverbs_qp_dest *d, struct ibv_ah_attr *ah)
{
	memset(ah, 0, sizeof(*ah));
	memcpy(ah->grh.dgid.raw, d->dgid, 16);
	ah->grh.flow_label = d->flow_label;
	ah->grh.sgid_index = d->sgid_index;
	ah->grh.hop_limit = d->hop_limit;
	ah->grh.traffic_class = d->traffic_class;
	ah->dlid = d->dlid;
	ah->sl = d->sl;
	ah->src_path_bits = d->src_path_bits;
	ah->static_rate = d->static_rate;
	ah->is_global = d->is_global ? 1 : 0;
	ah->port_num = d->port_num;
}

static void ah_to_dest(const struct ibv_ah_attr *ah, struct ib_uverbs_qp_dest *d)
{
	memset(d, 0, sizeof(*d));
	memcpy(d->dgid, ah->grh.dgid.raw, 16);
	d->flow_label = ah->grh.flow_label;
	d->sgid_index = ah->grh.sgid_index;
	d->hop_limit = ah->grh.hop_limit;
	d->traffic_class = ah->grh.traffic_class;
	d->dlid = ah->dlid;
	d->sl = ah->sl;
	d->src_path_bits = ah->src_path_bits;
	d->static_rate = ah->static_rate;
	d->is_global = ah->is_global;
	d->port_num = ah->port_num;
}

static void wire_to_attr(const struct ib_uverbs_modify_qp *r, struct ibv_qp_attr *a)
{
	memset(a, 0, sizeof(*a));
	a->qp_state = (enum ibv_qp_state)r->qp_state;
	a->cur_qp_state = (enum ibv_qp_state)r->cur_qp_state;
	a->path_mtu = (enum ibv_mtu)r->path_mtu;
	a->path_mig_state = (enum ibv_mig_state)r->path_mig_state;
	a->en_sqd_async_notify = r->en_sqd_async_notify;
	COPY_SAME(a, r);
	dest_to_ah(&r->dest, &a->ah_attr);
	dest_to_ah(&r->alt_dest, &a->alt_ah_attr);
}

static int check(struct uv_file *f, const struct ib_uverbs_modify_qp *r)
{
	unsigned int nports = softhca_dev_config(f->hca->dev)->nports;

	if (r->attr_mask & IBV_QP_PORT && (!r->port_num || r->port_num > nports))
		return -EINVAL;
	if (r->attr_mask & IBV_QP_AV && (!r->dest.port_num || r->dest.port_num > nports))
		return -EINVAL;
	if ((r->attr_mask & IBV_QP_CUR_STATE && r->cur_qp_state > IBV_QPS_ERR) ||
	    (r->attr_mask & IBV_QP_STATE && r->qp_state > IBV_QPS_ERR))
		return -EINVAL;
	return 0;
}

/* The path leads through the queue pair's port. In SQD a path may bring a new port. */
static int check_path_port(const struct uv_obj *qp, struct ib_uverbs_modify_qp *r)
{
	struct ibv_qp_attr now = {.port_num = (uint8_t)r->port_num};
	int err;

	if (!(r->attr_mask & IBV_QP_AV))
		return 0;
	if (r->attr_mask & IBV_QP_STATE && r->qp_state == IBV_QPS_RTR) {
		err = softhca_qp_query(qp->hw, &now);
		if (err)
			return err;
	} else if (!(r->attr_mask & IBV_QP_PORT)) {
		r->attr_mask |= IBV_QP_PORT;
		r->port_num = r->dest.port_num;
		return 0;
	}
	if (now.port_num != r->dest.port_num)
		return softhca_fail(-EINVAL,
				    "the path leads through port %u, the queue pair is at port %u",
				    r->dest.port_num, now.port_num);
	return 0;
}

/* The driver has no command that leads to SQD. Only the device itself moves queue pairs there. */
static int check_sqd(const struct uv_obj *qp, const struct ib_uverbs_modify_qp *r)
{
	const enum ibv_qp_state to = r->attr_mask & IBV_QP_STATE ? (enum ibv_qp_state)r->qp_state
								 : softhca_qp_state(qp->hw);

	if (to != IBV_QPS_SQD || softhca_dev_config(qp->file->hca->dev)->sqd)
		return 0;
	return softhca_fail(
		-EINVAL, "mlx5's kernel driver leads no queue pair to SQD and changes none there; "
			 "\"--caps sqd=1\" allows it");
}

/* uverbs ignores attributes that do not apply to one half of an XRC connection. */
static int relevant_mask(const struct uv_obj *qp, uint32_t mask)
{
	switch (qp->u.qp.qp_type) {
	case IB_UVERBS_QPT_XRC_INI:
		return (int)(mask & ~(uint32_t)(IBV_QP_MAX_DEST_RD_ATOMIC | IBV_QP_MIN_RNR_TIMER));
	case IB_UVERBS_QPT_XRC_TGT:
		return (int)(mask & ~(uint32_t)(IBV_QP_MAX_QP_RD_ATOMIC | IBV_QP_RETRY_CNT |
						IBV_QP_RNR_RETRY));
	default:
		return (int)mask;
	}
}

/*
 * Choices of the kernel's driver for each queue pair. Source: Linux drivers/infiniband/hw/mlx5/qp.c
 * (MLX5_IB_ACK_REQ_FREQ, mlx5_ib_get_counters_id(), get_tx_affinity()).
 */
#define ACK_REQ_FREQ   8
#define FIRST_COUNTERS 0x40 /* of port 1. Any other number than 0 would do */

static void choose(struct softhca_dev *dev, struct softhca_qp *qp, uint8_t port)
{
	const struct softhca_qp_choice before = softhca_qp_choice(qp);
	const struct softhca_qp_choice choice = {
		.log_ack_req_freq = ACK_REQ_FREQ,
		.counter_set = before.counter_set ? before.counter_set
						  : (uint8_t)(FIRST_COUNTERS + port),
	};

	softhca_qp_choose(qp, choice);
	if (!before.counter_set)
		softhca_qp_begin_on_lag_port(qp, softhca_dev_next_lag_port(dev));
}

static int modify(struct uv_cmd *c, struct ib_uverbs_modify_qp *r, struct uv_obj **out)
{
	struct uv_obj *qp = uv_obj_get(c->file, UV_QP, r->qp_handle);
	struct ibv_qp_attr attr;
	int err;

	if (!qp)
		return -EINVAL;
	if (qp->u.qp.rss)
		return -ENOSYS; /* it is ready after its creation */
	err = check(c->file, r);
	err = err ? err : check_path_port(qp, r);
	err = err ? err : check_sqd(qp, r);
	if (err)
		return err;
	wire_to_attr(r, &attr);
	*out = qp;
	err = softhca_qp_modify(qp->hw, &attr, relevant_mask(qp, r->attr_mask));
	if (!err && r->attr_mask & IBV_QP_STATE && attr.qp_state == IBV_QPS_INIT)
		choose(c->file->hca->dev, qp->hw, attr.port_num);
	return err;
}

int uv_modify_qp(struct uv_cmd *c)
{
	struct ib_uverbs_modify_qp req;
	struct uv_obj *qp;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (req.attr_mask & ~MASK_LEGACY)
		return -EOPNOTSUPP;
	return modify(c, &req, &qp);
}

/* A burst without a rate has no meaning. */
static int check_rate(const struct uv_file *f, const struct ib_uverbs_ex_modify_qp *req,
		      const struct mlx5_ib_modify_qp *drv)
{
	const bool burst = drv->burst_info.max_burst_sz || drv->burst_info.typical_pkt_sz;

	if (!(req->base.attr_mask & IBV_QP_RATE_LIMIT))
		return 0;
	if (!softhca_dev_config(f->hca->dev)->qos && req->rate_limit)
		return -EOPNOTSUPP;
	return (burst && !req->rate_limit) || req->rate_limit > SOFTHCA_RATE_MAX ? -EINVAL : 0;
}

int uv_ex_modify_qp(struct uv_cmd *c)
{
	struct ib_uverbs_ex_modify_qp_resp resp = {.response_length = sizeof(resp)};
	struct mlx5_ib_modify_qp_resp drv = {.response_length = sizeof(drv)};
	struct mlx5_ib_modify_qp drv_in;
	struct ib_uverbs_ex_modify_qp req;
	struct uv_obj *qp;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_drv_in(c, &drv_in, 0, sizeof(drv_in));
	if (err)
		return err;
	if (req.base.attr_mask & ~MASK_EXTENDED)
		return -EOPNOTSUPP;
	if (drv_in.comp_mask || drv_in.burst_info.reserved)
		return -EOPNOTSUPP;
	err = check_rate(c->file, &req, &drv_in);
	if (!err)
		err = modify(c, &req.base, &qp);
	if (!err && req.base.attr_mask & IBV_QP_RATE_LIMIT)
		err = softhca_qp_set_rate(qp->hw, req.rate_limit, drv_in.burst_info.max_burst_sz);
	if (err)
		return err;
	if (qp->u.qp.dct && req.base.attr_mask & IBV_QP_STATE && req.base.qp_state == IBV_QPS_RTR)
		drv.dctn = softhca_qp_num(qp->hw);
	drv.ece_options = drv_in.ece_options & softhca_dev_config(c->file->hca->dev)->ece;
	if (c->drv_out.len) {
		err = uv_drv_out(c, &drv, sizeof(drv));
		if (err)
			return err;
	}
	return uv_respond(c, &resp, sizeof(resp));
}

static void attr_to_wire(const struct ibv_qp_attr *a, struct ib_uverbs_query_qp_resp *r)
{
	memset(r, 0, sizeof(*r));
	COPY_SAME(r, a);
	ah_to_dest(&a->ah_attr, &r->dest);
	ah_to_dest(&a->alt_ah_attr, &r->alt_dest);
	r->max_send_wr = a->cap.max_send_wr;
	r->max_recv_wr = a->cap.max_recv_wr;
	r->max_send_sge = a->cap.max_send_sge;
	r->max_recv_sge = a->cap.max_recv_sge;
	r->max_inline_data = a->cap.max_inline_data;
	r->qp_state = (uint8_t)a->qp_state;
	r->cur_qp_state = (uint8_t)a->cur_qp_state;
	r->path_mtu = (uint8_t)a->path_mtu;
	r->path_mig_state = (uint8_t)a->path_mig_state;
	r->sq_draining = a->sq_draining;
}

/* The queue pair's context holds the logarithm, which cannot express 0. */
static uint8_t as_depth(uint8_t rd_atomic)
{
	return rd_atomic ? (uint8_t)softhca_rd_depth(rd_atomic) : 1;
}

/* mlx5_ib returns what it has written there: no local rights, and READs and atomics only with a
 * depth for them. */
static void read_back(struct ibv_qp_attr *a)
{
	a->qp_access_flags &= a->max_dest_rd_atomic
				      ? IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE |
						IBV_ACCESS_REMOTE_ATOMIC
				      : IBV_ACCESS_REMOTE_WRITE;
	a->max_rd_atomic = as_depth(a->max_rd_atomic);
	a->max_dest_rd_atomic = as_depth(a->max_dest_rd_atomic);
}

/* mlx5_ib returns little about a DCT, and only when it exists. */
static int check_query(const struct uv_obj *qp, uint32_t mask)
{
	const uint32_t known = IBV_QP_STATE | IBV_QP_ACCESS_FLAGS | IBV_QP_PORT |
			       IBV_QP_MIN_RNR_TIMER | IBV_QP_AV | IBV_QP_PATH_MTU |
			       IBV_QP_PKEY_INDEX;

	return qp->u.qp.dct && (mask & ~known || softhca_qp_state(qp->hw) != IBV_QPS_RTR) ? -EINVAL
											  : 0;
}

int uv_query_qp(struct uv_cmd *c)
{
	struct ib_uverbs_query_qp_resp resp;
	struct ib_uverbs_query_qp req;
	struct ibv_qp_attr attr;
	struct uv_obj *qp;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	qp = uv_obj_get(c->file, UV_QP, req.qp_handle);
	if (!qp)
		return -EINVAL;
	if (qp->u.qp.rss)
		return -ENOSYS;
	memset(&attr, 0, sizeof(attr));
	err = check_query(qp, req.attr_mask);
	err = err ? err : softhca_qp_query(qp->hw, &attr);
	if (err)
		return err;
	if (!qp->u.qp.dct)
		read_back(&attr);
	attr_to_wire(&attr, &resp);
	resp.sq_sig_all = qp->u.qp.sig_all;
	return uv_respond(c, &resp, sizeof(resp));
}
