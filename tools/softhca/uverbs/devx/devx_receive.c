/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects that receive messages for several peers: shared receive rings and DC targets. */
#include <errno.h>

#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

/* ---- receive memory pools (RMP) ---- */

/* Reads the ring with its context at bit `wq` of the command. */
static int read_ring(struct uv_obj *obj, struct uv_mailbox *mb, unsigned int wq,
		     struct softhca_srq_attr *attr)
{
	uint64_t log_size = prm_get(mb->in, wq, WQ_LOG_SIZE);

	switch (prm_get(mb->in, wq, WQ_TYPE)) {
	case PRM_WQ_LIST:
		break;
	case PRM_WQ_CYCLIC:
		attr->cyclic = true;
		break;
	default:
		return uv_prm_fail(mb, PRM_BAD_PARAM); /* striding: not reported */
	}
	if (log_size > 16 || prm_get(mb->in, wq, WQ_SIGNATURE))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr->wqes = 1u << log_size;
	attr->max_wr = attr->wqes - 1;
	attr->wqe_shift = (uint32_t)prm_get(mb->in, wq, WQ_LOG_STRIDE);
	attr->buf_va = uv_devx_wq_ring(obj, mb, wq, (uint64_t)attr->wqes << attr->wqe_shift);
	attr->db_va = uv_devx_wq_record(obj, mb, wq, 4);
	return attr->buf_va && attr->db_va ? 0 : uv_prm_fail(mb, PRM_BAD_RES);
}

int uv_devx_create_rmp(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_srq_attr attr = {.type = IBV_SRQT_BASIC, .user_index = 0xffffff};
	struct softhca_srq *hw;
	uint32_t rmpn;
	int err = uv_prm_begin(mb, RMPC + RMPC_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, RMPC, RMPC_STATE) != PRM_RMP_READY)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, RMPC + RMPC_WQ, WQ_PD));
	if (!attr.pd)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.limit = (uint32_t)prm_get(mb->in, RMPC + RMPC_WQ, WQ_LWM);
	err = read_ring(obj, mb, RMPC + RMPC_WQ, &attr);
	if (err)
		return err;
	attr.bare = attr.cyclic && prm_get(mb->in, RMPC, RMPC_BASIC_CYCLIC);
	err = softhca_srq_create(obj->file->hca->dev, &attr, &hw, &rmpn);
	if (err)
		return uv_prm_errno(mb, err);
	softhca_srq_set_user(hw, obj);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_RMP;
	obj->u.devx.id = rmpn;
	prm_set(mb->out, 0, OUT_OBJ, rmpn);
	return 0;
}

int uv_devx_modify_rmp(struct uv_mailbox *mb, struct softhca_srq *srq)
{
	struct ibv_srq_attr attr = {0};
	int err = uv_prm_begin(mb, RMPC + RMPC_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, RMPC, RMPC_STATE) != PRM_RMP_READY)
		return uv_prm_fail(mb, PRM_BAD_RES_STATE);
	if (!prm_get(mb->in, 0, RMP_LWM_MASK))
		return 0;
	attr.srq_limit = (uint32_t)prm_get(mb->in, RMPC + RMPC_WQ, WQ_LWM);
	return uv_prm_errno(mb, softhca_srq_modify(srq, &attr, IBV_SRQ_LIMIT));
}

int uv_devx_query_rmp(struct uv_mailbox *mb, struct softhca_srq *srq)
{
	const unsigned int wq = RMPC + RMPC_WQ;
	struct ibv_srq_attr attr;
	int err = uv_prm_begin(mb, 0x80, RMPC + RMPC_BITS);

	if (!err)
		err = uv_prm_errno(mb, softhca_srq_query(srq, &attr));
	if (err)
		return err;
	prm_set(mb->out, RMPC, RMPC_STATE, PRM_RMP_READY);
	prm_set(mb->out, wq, WQ_LWM, attr.srq_limit);
	prm_set(mb->out, wq, WQ_LOG_SIZE, 31 - (unsigned int)__builtin_clz(attr.max_wr + 1));
	prm_set(mb->out, wq, WQ_HW_COUNTER, softhca_srq_taken(srq));
	return 0;
}

int uv_devx_query_xrc_srq(struct uv_mailbox *mb, struct softhca_srq *srq)
{
	const struct softhca_srq_attr *attr = softhca_srq_attr(srq);
	int err;

	if (attr->type != IBV_SRQT_XRC || prm_get(mb->in, 0, IN_OBJ) != softhca_srq_num(srq))
		return -EINVAL;
	err = uv_prm_begin(mb, 0x80, XRC_SRQC + XRC_SRQC_BITS);
	if (err)
		return err;
	prm_set(mb->out, XRC_SRQC, XRC_SRQC_LOG_SIZE, (unsigned int)__builtin_ctz(attr->wqes));
	prm_set(mb->out, XRC_SRQC, XRC_SRQC_LOG_STRIDE, attr->wqe_shift - 4);
	prm_set(mb->out, XRC_SRQC, XRC_SRQC_CQN, softhca_cq_num(attr->cq));
	prm_set(mb->out, XRC_SRQC, XRC_SRQC_USER_INDEX, attr->user_index);
	return 0;
}

/* ---- queues with a tag list (XRQ) ---- */

int uv_devx_create_xrq(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_srq_attr attr = {.type = IBV_SRQT_TM};
	struct softhca_srq *hw;
	uint32_t xrqn;
	int err = uv_prm_begin(mb, XRQC + XRQC_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, XRQC, XRQC_TOPOLOGY) != PRM_XRQ_TAG_MATCHING)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, XRQC + XRQC_WQ, WQ_PD));
	attr.cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, XRQC, XRQC_CQN));
	if (!attr.pd || !attr.cq)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.user_index = (uint32_t)prm_get(mb->in, XRQC, XRQC_USER_INDEX);
	attr.max_tags = 1u << prm_get(mb->in, XRQC, XRQC_LOG_TAGS);
	attr.limit = (uint32_t)prm_get(mb->in, XRQC + XRQC_WQ, WQ_LWM);
	err = read_ring(obj, mb, XRQC + XRQC_WQ, &attr);
	if (err)
		return err;
	err = softhca_srq_create(obj->file->hca->dev, &attr, &hw, &xrqn);
	if (err)
		return uv_prm_errno(mb, err);
	softhca_srq_set_user(hw, obj);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_XRQ;
	obj->u.devx.id = xrqn;
	prm_set(mb->out, 0, OUT_OBJ, xrqn);
	return 0;
}

/* ---- DC targets ---- */

/* A target is ready when its creation returns, so all transitions are made here. */
static int dct_start(struct softhca_qp *dct, const struct uv_mailbox *mb)
{
	struct ibv_qp_attr a = {.qp_state = IBV_QPS_INIT};
	int err;

	a.port_num = (uint8_t)prm_get(mb->in, DCTC, DCTC_PORT);
	a.pkey_index = (uint16_t)prm_get(mb->in, DCTC, DCTC_PKEY_INDEX);
	a.qp_access_flags = softhca_access_of(false, prm_get(mb->in, DCTC, DCTC_RRE),
					      prm_get(mb->in, DCTC, DCTC_RWE),
					      prm_get(mb->in, DCTC, DCTC_RAE));
	err = softhca_qp_modify(
		dct, &a, IBV_QP_STATE | IBV_QP_PORT | IBV_QP_PKEY_INDEX | IBV_QP_ACCESS_FLAGS);
	if (err)
		return err;
	a.qp_state = IBV_QPS_RTR;
	a.path_mtu = (enum ibv_mtu)prm_get(mb->in, DCTC, DCTC_MTU);
	a.min_rnr_timer = (uint8_t)prm_get(mb->in, DCTC, DCTC_MIN_RNR_NAK);
	a.ah_attr.port_num = a.port_num;
	a.ah_attr.is_global = 1;
	a.ah_attr.grh.sgid_index = (uint8_t)prm_get(mb->in, DCTC, DCTC_SGID_INDEX);
	a.ah_attr.grh.hop_limit = (uint8_t)prm_get(mb->in, DCTC, DCTC_HOP_LIMIT);
	a.ah_attr.grh.traffic_class = (uint8_t)prm_get(mb->in, DCTC, DCTC_TCLASS);
	a.ah_attr.grh.flow_label = (uint32_t)prm_get(mb->in, DCTC, DCTC_FLOW_LABEL);
	return softhca_qp_modify(dct, &a,
				 IBV_QP_STATE | IBV_QP_PATH_MTU | IBV_QP_MIN_RNR_TIMER | IBV_QP_AV);
}

int uv_devx_create_dct(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_qp_create attr = {.type = SOFTHCA_QP_DCT};
	struct softhca_qp *hw;
	uint32_t none;
	int err = uv_prm_begin(mb, DCTC + DCTC_BITS, 0x80);

	if (err)
		return err;
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, DCTC, DCTC_PD));
	attr.recv_cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, DCTC, DCTC_CQN));
	attr.srq = uv_devx_srq(obj, (uint32_t)prm_get(mb->in, DCTC, DCTC_SRQN));
	if (!attr.pd || !attr.recv_cq || !attr.srq)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.user_index = (uint32_t)prm_get(mb->in, DCTC, DCTC_USER_INDEX);
	attr.dc_access_key = prm_get(mb->in, DCTC, DCTC_DC_KEY);
	attr.scatter_cqe = prm_get(mb->in, DCTC, DCTC_CS_RES) != 0;
	attr.scatter_bytes = prm_get(mb->in, DCTC, DCTC_CS_RES) >= 2 ? 64 : 32;
	err = softhca_qp_create(obj->file->hca->dev, &attr, &hw, &none);
	if (err)
		return uv_prm_errno(mb, err);
	err = dct_start(hw, mb);
	if (err) {
		(void)softhca_qp_destroy(hw);
		return uv_prm_errno(mb, err);
	}
	softhca_qp_set_user(hw, obj);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_DCT;
	obj->u.devx.id = softhca_qp_num(hw);
	prm_set(mb->out, 0, OUT_OBJ, obj->u.devx.id);
	return 0;
}

int uv_devx_query_dct(struct uv_mailbox *mb, struct softhca_qp *dct)
{
	struct ibv_qp_attr a;
	int err = uv_prm_begin(mb, 0x80, DCTC + DCTC_BITS);

	if (!err)
		err = uv_prm_errno(mb, softhca_qp_query(dct, &a));
	if (err)
		return err;
	/* 0: active. 2: drained, because an error stopped it */
	prm_set(mb->out, DCTC, DCTC_STATE, a.qp_state == IBV_QPS_RTR ? 0 : 2);
	prm_set(mb->out, DCTC, DCTC_USER_INDEX, softhca_qp_user_index(dct));
	prm_set(mb->out, DCTC, DCTC_MTU, a.path_mtu);
	prm_set(mb->out, DCTC, DCTC_PORT, a.port_num);
	prm_set(mb->out, DCTC, DCTC_PKEY_INDEX, a.pkey_index);
	prm_set(mb->out, DCTC, DCTC_MIN_RNR_NAK, a.min_rnr_timer);
	prm_set(mb->out, DCTC, DCTC_SGID_INDEX, a.ah_attr.grh.sgid_index);
	prm_set(mb->out, DCTC, DCTC_HOP_LIMIT, a.ah_attr.grh.hop_limit);
	prm_set(mb->out, DCTC, DCTC_RRE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_READ));
	prm_set(mb->out, DCTC, DCTC_RWE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_WRITE));
	prm_set(mb->out, DCTC, DCTC_RAE, !!(a.qp_access_flags & IBV_ACCESS_REMOTE_ATOMIC));
	return 0;
}
