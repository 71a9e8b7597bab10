/* SPDX-License-Identifier: BSD-2-Clause */
/* Creation, destruction and multicast of queue pairs. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"

#define QP_FLAGS_KNOWN                                                                      \
	(MLX5_QP_FLAG_SIGNATURE | MLX5_QP_FLAG_SCATTER_CQE | MLX5_QP_FLAG_TUNNEL_OFFLOADS | \
	 MLX5_QP_FLAG_BFREG_INDEX | MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_TYPE_DCI |         \
	 MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC | MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC |            \
	 MLX5_QP_FLAG_ALLOW_SCATTER_CQE | MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE |           \
	 MLX5_QP_FLAG_UAR_PAGE_INDEX | MLX5_QP_FLAG_DCI_STREAM)
/* Options that the capabilities do not report. */
#define QP_FLAGS_UNSUPPORTED (MLX5_QP_FLAG_TUNNEL_OFFLOADS | MLX5_QP_FLAG_PACKET_BASED_CREDIT_MODE)
#define QP_FLAGS_LOOPBACK    (MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC | MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC)
/* enum ib_qp_create_flags of the kernel, which the plain system call accepts */
#define CREATE_CROSS_CHANNEL (1u << 2)
#define CREATE_MANAGED_SEND  (1u << 3)
#define CREATE_MANAGED_RECV  (1u << 4)
#define CREATE_CROSS	     (CREATE_CROSS_CHANNEL | CREATE_MANAGED_SEND | CREATE_MANAGED_RECV)
#define CREATE_FLAGS_RAW     (IB_UVERBS_QP_CREATE_SCATTER_FCS | IB_UVERBS_QP_CREATE_CVLAN_STRIPPING)

/* A creation during its checks. */
struct creation {
	struct uv_cmd *c;
	const struct softhca_config *cfg;
	struct ib_uverbs_ex_create_qp req;
	struct mlx5_ib_create_qp drv;
	struct softhca_qp_create attr;
	struct uv_obj *qp, *send_cq, *recv_cq;
};

static int pick_type(struct creation *n)
{
	static const struct {
		uint8_t verbs;
		enum softhca_qp_type type;
	} types[] = {
		{IB_UVERBS_QPT_RC, SOFTHCA_QP_RC},
		{IB_UVERBS_QPT_UC, SOFTHCA_QP_UC},
		{IB_UVERBS_QPT_UD, SOFTHCA_QP_UD},
		{IB_UVERBS_QPT_RAW_PACKET, SOFTHCA_QP_RAW},
		{IB_UVERBS_QPT_XRC_INI, SOFTHCA_QP_XRC_INI},
		{IB_UVERBS_QPT_XRC_TGT, SOFTHCA_QP_XRC_TGT},
	};
	uint32_t dc = n->drv.flags & (MLX5_QP_FLAG_TYPE_DCT | MLX5_QP_FLAG_TYPE_DCI);

	if (n->req.qp_type == IB_UVERBS_QPT_DRIVER) {
		if (dc != MLX5_QP_FLAG_TYPE_DCT && dc != MLX5_QP_FLAG_TYPE_DCI)
			return -EINVAL;
		n->attr.type = dc == MLX5_QP_FLAG_TYPE_DCT ? SOFTHCA_QP_DCT : SOFTHCA_QP_DCI;
		return n->cfg->dc ? 0 : -EOPNOTSUPP;
	}
	if (dc)
		return -EINVAL;
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		if (types[i].verbs != n->req.qp_type)
			continue;
		n->attr.type = types[i].type;
		if (n->attr.type == SOFTHCA_QP_RAW && !n->cfg->raw_packet)
			return -EOPNOTSUPP;
		if ((n->attr.type == SOFTHCA_QP_XRC_INI || n->attr.type == SOFTHCA_QP_XRC_TGT) &&
		    !n->cfg->xrc)
			return -EOPNOTSUPP;
		return 0;
	}
	return -EINVAL;
}

static int check_flags(const struct creation *n)
{
	uint32_t flags = n->drv.flags;

	if (flags & ~(uint32_t)QP_FLAGS_KNOWN)
		return -EINVAL;
	if (flags & QP_FLAGS_UNSUPPORTED)
		return -EOPNOTSUPP;
	if (flags & MLX5_QP_FLAG_DCI_STREAM && !(flags & MLX5_QP_FLAG_TYPE_DCI))
		return -EINVAL;
	if (flags & QP_FLAGS_LOOPBACK && n->attr.type != SOFTHCA_QP_RAW)
		return -EINVAL;
	if (n->req.create_flags & ~(uint32_t)(IB_UVERBS_QP_CREATE_BLOCK_MULTICAST_LOOPBACK |
					      CREATE_FLAGS_RAW | CREATE_CROSS))
		return -EINVAL;
	if (n->req.create_flags & CREATE_CROSS &&
	    (!n->cfg->wait_cq || n->attr.type == SOFTHCA_QP_DCT))
		return -EINVAL;
	/* The queue pair and its CQs must use one UAR, so the driver gives it none of its own. */
	if (n->req.create_flags & CREATE_CROSS_CHANNEL && softhca_qp_has_sq(n->attr.type) &&
	    !(flags & (MLX5_QP_FLAG_UAR_PAGE_INDEX | MLX5_QP_FLAG_BFREG_INDEX)))
		return -EINVAL;
	if (n->req.create_flags & CREATE_MANAGED_RECV)
		return -EOPNOTSUPP;
	if (n->req.create_flags & CREATE_FLAGS_RAW && n->attr.type != SOFTHCA_QP_RAW)
		return -EOPNOTSUPP;
	if (n->c->file->cqe_version ? n->drv.uidx >= 0xffffff : n->drv.uidx != 0xffffff)
		return n->attr.type == SOFTHCA_QP_XRC_TGT ? 0 : -EINVAL;
	return 0;
}

static int pick_objects(struct creation *n)
{
	struct uv_file *f = n->c->file;
	struct uv_obj *pd, *srq;

	if (n->attr.type == SOFTHCA_QP_XRC_TGT) {
		struct uv_obj *xrcd = uv_obj_get(f, UV_XRCD, n->req.pd_handle);

		if (!xrcd)
			return -EINVAL;
		n->attr.xrcd = xrcd->hw;
		uv_obj_depend(n->qp, xrcd);
		return 0;
	}
	pd = uv_obj_get(f, UV_PD, n->req.pd_handle);
	if (!pd)
		return -EINVAL;
	n->attr.pd = pd->hw;
	uv_obj_depend(n->qp, pd);
	n->send_cq = uv_obj_get(f, UV_CQ, n->req.send_cq_handle);
	if (n->attr.type == SOFTHCA_QP_XRC_INI) {
		n->req.max_recv_wr = 0;
		n->req.max_recv_sge = 0;
	} else {
		n->recv_cq = uv_obj_get(f, UV_CQ, n->req.recv_cq_handle);
		if (!n->recv_cq)
			return -EINVAL;
		n->attr.recv_cq = n->recv_cq->hw;
		uv_obj_depend(n->qp, n->recv_cq);
	}
	if (!n->send_cq)
		return -EINVAL;
	n->attr.send_cq = n->send_cq->hw;
	if (n->send_cq != n->recv_cq)
		uv_obj_depend(n->qp, n->send_cq);
	/* Queues that only send ignore an SRQ, as in the driver. */
	if (!n->req.is_srq || n->attr.type == SOFTHCA_QP_XRC_INI || n->attr.type == SOFTHCA_QP_DCI)
		return n->attr.type == SOFTHCA_QP_DCT ? -EINVAL : 0;
	srq = uv_obj_get(f, UV_SRQ, n->req.srq_handle);
	if (!srq || srq->u.srq_type == IB_UVERBS_SRQT_XRC)
		return -EINVAL;
	n->attr.srq = srq->hw;
	uv_obj_depend(n->qp, srq);
	return 0;
}

static int pick_rings(struct creation *n)
{
	const struct mlx5_ib_create_qp *drv = &n->drv;
	uint32_t rq_bytes = 0;

	n->attr.db_va = drv->db_addr;
	if (softhca_qp_has_rq(n->attr.type) && !n->req.is_srq && n->req.max_recv_wr) {
		if (n->req.max_recv_wr > n->cfg->max_qp_wr || drv->rq_wqe_shift > 16 ||
		    drv->rq_wqe_shift < 4 || drv->rq_wqe_count > n->cfg->max_qp_wr ||
		    drv->rq_wqe_count & (drv->rq_wqe_count - 1))
			return -EINVAL;
		n->attr.rq_va = drv->buf_addr;
		n->attr.rq_wqes = drv->rq_wqe_count;
		n->attr.rq_stride = 1u << drv->rq_wqe_shift;
		/* A later query returns the real values, not the requested ones. */
		n->attr.cap.max_recv_wr = drv->rq_wqe_count;
		n->attr.cap.max_recv_sge = n->attr.rq_stride / 16 -
					   !!(drv->flags & MLX5_QP_FLAG_SIGNATURE);
		rq_bytes = drv->rq_wqe_count << drv->rq_wqe_shift;
	}
	if (!softhca_qp_has_sq(n->attr.type))
		return 0;
	if (drv->sq_wqe_count > n->cfg->max_qp_wr || drv->sq_wqe_count & (drv->sq_wqe_count - 1))
		return -EINVAL;
	n->attr.sq_wqes = drv->sq_wqe_count;
	n->attr.sq_va = n->attr.type == SOFTHCA_QP_RAW ? drv->sq_buf_addr
						       : drv->buf_addr + rq_bytes;
	if (drv->flags & MLX5_QP_FLAG_UAR_PAGE_INDEX || drv->bfreg_index) {
		n->attr.uar = uv_uar_by_page(n->c->file, drv->bfreg_index);
		if (!n->attr.uar && drv->flags & MLX5_QP_FLAG_UAR_PAGE_INDEX)
			return -EINVAL;
	}
	return 0;
}

/* Inline scatter. A queue pair that asks for it gets as much as its CQE size has room for. */
static void pick_scatter(struct creation *n)
{
	bool connected = n->attr.type == SOFTHCA_QP_RC || n->attr.type == SOFTHCA_QP_DCI ||
			 n->attr.type == SOFTHCA_QP_DCT;

	if (!(n->drv.flags & MLX5_QP_FLAG_SCATTER_CQE) || !connected || !n->cfg->inline_scatter)
		return;
	n->attr.scatter_cqe = n->attr.type != SOFTHCA_QP_DCI && n->recv_cq;
	/* For READs and atomics only if each of them surely completes with a CQE. */
	n->attr.scatter_cqe_req = n->attr.type == SOFTHCA_QP_RC &&
				  (n->req.sq_sig_all ||
				   n->drv.flags & MLX5_QP_FLAG_ALLOW_SCATTER_CQE);
	n->attr.scatter_bytes = n->recv_cq && n->recv_cq->u.cqe_size == 128 ? 64 : 32;
}

static void pick_rest(struct creation *n)
{
	n->attr.user_index = n->c->file->cqe_version ? n->drv.uidx : 0xffffff;
	n->attr.cap.max_send_wr = n->req.max_send_wr;
	n->attr.cap.max_send_sge = n->req.max_send_sge;
	/* libmlx5 computes a negative number for queues that may not send. */
	n->attr.cap.max_inline_data = n->req.max_inline_data > INT32_MAX ? 0
									 : n->req.max_inline_data;
	n->attr.sq_sig_all = n->req.sq_sig_all;
	n->attr.rq_signature = n->drv.flags & MLX5_QP_FLAG_SIGNATURE;
	n->attr.umr_en = n->cfg->umr;
	/* The driver leaves both out of a raw queue pair's SQ (create_raw_packet_qp_sq()). */
	if (n->attr.type != SOFTHCA_QP_RAW) {
		n->attr.cross_master = n->req.create_flags & CREATE_CROSS_CHANNEL;
		n->attr.managed_send = n->req.create_flags & CREATE_MANAGED_SEND;
	}
	n->attr.cvlan_strip = n->req.create_flags & IB_UVERBS_QP_CREATE_CVLAN_STRIPPING;
	n->attr.scatter_fcs = n->req.create_flags & IB_UVERBS_QP_CREATE_SCATTER_FCS;
	n->attr.self_lb_uc = n->drv.flags & MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC;
	n->attr.self_lb_mc = n->drv.flags & MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC;
	if (n->attr.type == SOFTHCA_QP_DCT)
		n->attr.dc_access_key = n->drv.access_key;
	if (n->drv.flags & MLX5_QP_FLAG_DCI_STREAM) {
		n->attr.log_dci_streams = n->drv.dci_streams.log_num_concurent;
		n->attr.log_dci_errored = n->drv.dci_streams.log_num_errored;
	}
	pick_scatter(n);
}

static int check_limits(const struct creation *n)
{
	if (n->req.max_send_wr > n->cfg->max_qp_wr || n->req.max_send_sge > n->cfg->max_sge ||
	    n->req.max_recv_sge > n->cfg->max_sge)
		return -EINVAL;
	if (n->drv.flags & MLX5_QP_FLAG_DCI_STREAM &&
	    (n->drv.dci_streams.log_num_concurent > n->cfg->max_dci_log_streams ||
	     n->drv.dci_streams.log_num_errored > n->cfg->max_dci_log_streams))
		return -EINVAL;
	return 0;
}

static int create(struct creation *n, uint32_t *qpn)
{
	struct softhca_qp *hw;
	int err = pick_type(n);

	if (!err)
		err = check_flags(n);
	if (!err)
		err = check_limits(n);
	if (!err)
		err = pick_objects(n);
	if (!err)
		err = pick_rings(n);
	if (err)
		return err;
	pick_rest(n);
	err = softhca_qp_create(n->c->file->hca->dev, &n->attr, &hw, qpn);
	if (err)
		return err;
	n->qp->hw = hw;
	n->qp->user_handle = n->req.user_handle;
	n->qp->u.qp.qp_type = n->req.qp_type;
	n->qp->u.qp.dct = n->attr.type == SOFTHCA_QP_DCT;
	n->qp->u.qp.sig_all = n->req.sq_sig_all;
	softhca_qp_set_user(hw, n->qp);
	return 0;
}

/* Returns the parts of a raw packet queue pair. TIS and TIR have its own number here. */
static void tell_halves(const struct creation *n, struct mlx5_ib_create_qp_resp *drv)
{
	const struct softhca_qp *const hw = n->qp->hw;

	drv->comp_mask = MLX5_IB_CREATE_QP_RESP_MASK_TISN | MLX5_IB_CREATE_QP_RESP_MASK_SQN;
	drv->tisn = drv->sqn = softhca_qp_num(hw);
	if (!n->attr.rq_wqes)
		return;
	drv->comp_mask |= MLX5_IB_CREATE_QP_RESP_MASK_TIRN | MLX5_IB_CREATE_QP_RESP_MASK_RQN;
	drv->tirn = softhca_qp_num(hw);
	drv->rqn = softhca_rq_num(hw);
}

static int create_qp(struct uv_cmd *c, struct creation *n, struct ib_uverbs_create_qp_resp *resp)
{
	struct mlx5_ib_create_qp_resp drv = {0};
	int err;

	n->c = c;
	n->cfg = softhca_dev_config(c->file->hca->dev);
	err = uv_drv_in(c, &n->drv, offsetof(struct mlx5_ib_create_qp, sq_buf_addr),
			sizeof(n->drv));
	if (err)
		return err;
	n->qp = uv_obj_new(c->file, UV_QP);
	if (!n->qp)
		return -ENOMEM;
	err = create(n, &resp->qpn);
	if (err) {
		uv_obj_free(n->qp);
		return err;
	}
	resp->qp_handle = n->qp->handle;
	resp->max_send_wr = n->req.max_send_wr;
	resp->max_recv_wr = n->req.max_recv_wr;
	resp->max_send_sge = n->req.max_send_sge;
	resp->max_recv_sge = n->req.max_recv_sge;
	resp->max_inline_data = n->req.max_inline_data;
	drv.bfreg_index = n->drv.bfreg_index;
	drv.ece_options = n->drv.ece_options ? n->cfg->ece : 0;
	if (n->attr.type == SOFTHCA_QP_RAW)
		tell_halves(n, &drv);
	return uv_drv_out(c, &drv, sizeof(drv));
}

int uv_create_qp(struct uv_cmd *c)
{
	struct ib_uverbs_create_qp_resp resp = {0};
	struct ib_uverbs_create_qp req;
	struct creation n = {0};
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	/* The extended request is the plain one without response pointer, with more fields. */
	memcpy(&n.req, &req.user_handle,
	       offsetof(struct ib_uverbs_create_qp, driver_data) -
		       offsetof(struct ib_uverbs_create_qp, user_handle));
	err = create_qp(c, &n, &resp);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

int uv_ex_create_qp(struct uv_cmd *c)
{
	struct ib_uverbs_ex_create_qp_resp resp = {.response_length = sizeof(resp)};
	struct creation n = {0};
	int err = uv_request(c, &n.req, sizeof(n.req));

	if (err)
		return err;
	if (n.req.comp_mask & ~(uint32_t)IB_UVERBS_CREATE_QP_SUP_COMP_MASK || n.req.reserved)
		return -EINVAL;
	if (n.req.rwq_ind_tbl_handle && !n.req.comp_mask)
		return -EINVAL;
	err = n.req.comp_mask ? uv_create_rss_qp(c, &n.req, &resp.base)
			      : create_qp(c, &n, &resp.base);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

/* Opens the receive side of an XRC connection, by number through its domain. */
int uv_open_qp(struct uv_cmd *c)
{
	struct ib_uverbs_create_qp_resp resp = {0};
	struct ib_uverbs_open_qp req;
	struct uv_obj *xrcd, *first, *qp;
	struct softhca_qp *hw;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	xrcd = uv_obj_get(c->file, UV_XRCD, req.pd_handle);
	hw = softhca_qp_find(c->file->hca->dev, req.qpn);
	if (!xrcd || req.qp_type != IB_UVERBS_QPT_XRC_TGT || !hw || softhca_qp_share(hw, xrcd->hw))
		return -EINVAL;
	qp = uv_obj_new(c->file, UV_QP);
	if (!qp) {
		(void)softhca_qp_destroy(hw);
		return -ENOMEM;
	}
	first = softhca_qp_user(hw);
	qp->hw = hw;
	qp->user_handle = req.user_handle;
	qp->u.qp = first->u.qp;
	qp->u.qp.shared = first->u.qp.shared ? first->u.qp.shared : first;
	first->u.qp.shared = qp;
	uv_obj_depend(qp, xrcd);
	resp.qp_handle = qp->handle;
	resp.qpn = req.qpn;
	err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(qp);
	return err;
}

/* Destroys one handle, and with the last one the queue pair. */
int uv_qp_release(struct uv_obj *qp)
{
	struct uv_obj *prev = qp->u.qp.shared;
	struct softhca_qp *hw = qp->hw;
	int err = softhca_qp_destroy(hw);

	if (err || !prev)
		return err;
	while (prev->u.qp.shared != qp)
		prev = prev->u.qp.shared;
	prev->u.qp.shared = qp->u.qp.shared == prev ? NULL : qp->u.qp.shared;
	softhca_qp_set_user(hw, prev);
	return 0;
}

int uv_destroy_with_events(struct uv_cmd *c, enum uv_type type)
{
	struct ib_uverbs_destroy_qp_resp resp;
	struct ib_uverbs_destroy_qp req;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_obj_end(uv_obj_get(c->file, type, req.qp_handle), &resp.events_reported,
				 NULL);
	return err ? err : uv_respond(c, &resp, sizeof(resp));
}

int uv_destroy_qp(struct uv_cmd *c)
{
	return uv_destroy_with_events(c, UV_QP);
}

static int mcast(struct uv_cmd *c, bool attach)
{
	struct ib_uverbs_attach_mcast req; /* detach has the same layout */
	union ibv_gid gid;
	struct uv_obj *qp;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	qp = uv_obj_get(c->file, UV_QP, req.qp_handle);
	if (!qp)
		return -EINVAL;
	memcpy(gid.raw, req.gid, 16);
	return softhca_qp_mcast(qp->hw, &gid, req.mlid, attach);
}

int uv_attach_mcast(struct uv_cmd *c)
{
	return mcast(c, true);
}

int uv_detach_mcast(struct uv_cmd *c)
{
	return mcast(c, false);
}
