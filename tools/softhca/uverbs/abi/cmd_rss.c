/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packet queue pairs that distribute received packets over an indirection table. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"

#define LOOPBACK (MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_UC | MLX5_QP_FLAG_TIR_ALLOW_SELF_LB_MC)

#define V4	 (MLX5_RX_HASH_SRC_IPV4 | MLX5_RX_HASH_DST_IPV4)
#define V6	 (MLX5_RX_HASH_SRC_IPV6 | MLX5_RX_HASH_DST_IPV6)
#define TCP	 (MLX5_RX_HASH_SRC_PORT_TCP | MLX5_RX_HASH_DST_PORT_TCP)
#define UDP	 (MLX5_RX_HASH_SRC_PORT_UDP | MLX5_RX_HASH_DST_PORT_UDP)

static int check_core(const struct ib_uverbs_ex_create_qp *req)
{
	if (req->max_recv_wr || req->max_recv_sge || req->is_srq)
		return -EINVAL;
	if (req->qp_type != IB_UVERBS_QPT_RAW_PACKET)
		return -EOPNOTSUPP;
	return req->create_flags || req->max_send_wr ? -EINVAL : 0;
}

static int check_hash(const struct mlx5_ib_create_qp_rss *drv, unsigned int log_size)
{
	const uint64_t f = drv->rx_hash_fields_mask;

	if (drv->comp_mask || drv->flags & ~(uint32_t)LOOPBACK)
		return -EOPNOTSUPP;
	if (f & ~(uint64_t)(V4 | V6 | TCP | UDP) ||
	    drv->rx_hash_function != MLX5_RX_HASH_FUNC_TOEPLITZ)
		return -EOPNOTSUPP;
	if (drv->rx_key_len != sizeof(((struct softhca_rss *)0)->key))
		return -EINVAL;
	if (!f)
		return log_size ? -EINVAL : 0;
	/* One kind of network header and one kind of transport header. */
	return (f & V4 && f & V6) || (f & TCP && f & UDP) ? -EINVAL : 0;
}

int uv_create_rss_qp(struct uv_cmd *c, const struct ib_uverbs_ex_create_qp *req,
		     struct ib_uverbs_create_qp_resp *resp)
{
	struct uv_obj *table = uv_obj_get(c->file, UV_IND_TABLE, req->rwq_ind_tbl_handle);
	struct uv_obj *pd = uv_obj_get(c->file, UV_PD, req->pd_handle), *qp;
	struct mlx5_ib_create_qp_resp drv_out = {0};
	struct mlx5_ib_create_qp_rss drv;
	struct softhca_qp_create attr = {.type = SOFTHCA_QP_RAW};
	struct softhca_rss rss;
	struct softhca_qp *hw;
	int err;

	if (!table || !pd)
		return -EINVAL;
	err = check_core(req);
	if (!err)
		err = uv_drv_in(c, &drv, offsetof(struct mlx5_ib_create_qp_rss, comp_mask),
				sizeof(drv));
	if (!err)
		err = check_hash(&drv, softhca_rwq_table_log_size(table->hw));
	if (err)
		return err;
	qp = uv_obj_new(c->file, UV_QP);
	if (!qp)
		return -ENOMEM;
	rss.table = table->hw;
	rss.fields = drv.rx_hash_fields_mask;
	memcpy(rss.key, drv.rx_hash_key, sizeof(rss.key));
	attr.pd = pd->hw;
	attr.rss = &rss;
	err = softhca_qp_create(c->file->hca->dev, &attr, &hw, &resp->qpn);
	if (err) {
		uv_obj_free(qp);
		return err;
	}
	qp->hw = hw;
	qp->user_handle = req->user_handle;
	qp->u.qp.qp_type = req->qp_type;
	qp->u.qp.rss = true;
	softhca_qp_set_user(hw, qp);
	uv_obj_depend(qp, pd);
	uv_obj_depend(qp, table);
	resp->qp_handle = qp->handle;
	return uv_drv_out(c, &drv_out, sizeof(drv_out));
}
