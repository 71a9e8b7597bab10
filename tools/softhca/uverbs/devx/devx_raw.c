/* SPDX-License-Identifier: BSD-2-Clause */
/* Raw packet queues by commands: RQ, SQ, RQT, receivers (TIR) and senders (TIS) of frames. */
#include <errno.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm_flow.h"
#include "tools/softhca/uverbs/uverbs.h"

#define MAX_LOG_RING 15u

/* ---- receive queues ---- */

/*
 * Number of strides of an entry: 512 << n, and the small numbers, 8 to 256, as n = 10 to 15 (the
 * kernel's drivers/infiniband/hw/mlx5/qp.c, create_rq()).
 */
static unsigned int log_strides(const struct uv_mailbox *mb)
{
	const unsigned int n = (unsigned int)prm_get(mb->in, WQC + WQC_RING, WQ_LOG_STRIDES);

	return n < 10 ? 9 + n : n - 7;
}

static int rq_ring(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_wq_attr *attr)
{
	const unsigned int wq = WQC + WQC_RING;
	const uint64_t type = prm_get(mb->in, wq, WQ_TYPE);
	const uint64_t log_size = prm_get(mb->in, wq, WQ_LOG_SIZE);

	/* 0 and 1 are as everywhere, 2 and 3 the same with strides (linked: not for RQs here). */
	if ((type != PRM_WQ_CYCLIC && type != 3) || log_size > MAX_LOG_RING ||
	    prm_get(mb->in, wq, WQ_LOG_STRIDE) > 12 ||
	    (type == 3 && log_strides(mb) > UV_MAX_LOG_STRIDES))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	if (type == 3)
		attr->mprq = (struct softhca_mprq){
			.log_strides = (uint8_t)log_strides(mb),
			.log_stride = (uint8_t)(6 + prm_get(mb->in, wq, WQ_LOG_STRIDE_BYTES)),
			.shift = prm_get(mb->in, wq, WQ_SHIFT) ? 2 : 0,
		};
	attr->signature = prm_get(mb->in, wq, WQ_SIGNATURE);
	attr->wqes = 1u << log_size;
	attr->stride = 1u << prm_get(mb->in, wq, WQ_LOG_STRIDE);
	attr->buf_va = uv_devx_wq_ring(obj, mb, wq, (uint64_t)attr->wqes * attr->stride);
	attr->db_va = uv_devx_wq_record(obj, mb, wq, 8);
	return attr->buf_va && attr->db_va ? 0 : uv_prm_fail(mb, PRM_BAD_RES);
}

static int create_rq(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_wq_attr attr = {0};
	struct softhca_qp *hw;
	uint32_t rqn;
	int err = uv_prm_begin(mb, WQC + WQC_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, WQC, WQC_STATE) != PRM_WQ_RST || prm_get(mb->in, WQC, WQC_MEM_TYPE))
		return uv_prm_fail(mb, PRM_BAD_PARAM); /* fed from a pool: not modelled */
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, WQC + WQC_RING, WQ_PD));
	attr.cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, WQC, WQC_CQN));
	if (!attr.pd || !attr.cq)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.user_index = (uint32_t)prm_get(mb->in, WQC, WQC_USER_INDEX);
	attr.scatter_fcs = prm_get(mb->in, WQC, WQC_SCATTER_FCS);
	attr.cvlan_strip = !prm_get(mb->in, WQC, WQC_VSD);
	err = rq_ring(obj, mb, &attr);
	if (!err)
		err = uv_prm_errno(mb, softhca_wq_create(obj->file->hca->dev, &attr, &hw, &rqn));
	if (err)
		return err;
	softhca_qp_set_user(hw, obj);
	uv_devx_made(obj, UV_DEVX_RQ, hw, rqn);
	prm_set(mb->out, 0, OUT_OBJ, rqn);
	return 0;
}

static unsigned int state_of(const struct softhca_qp *wq)
{
	switch (softhca_qp_state(wq)) {
	case IBV_QPS_RESET:
		return PRM_WQ_RST;
	case IBV_QPS_ERR:
	case IBV_QPS_SQE:
		return PRM_WQ_ERR;
	default:
		return PRM_WQ_RDY;
	}
}

static int modify_rq(struct uv_mailbox *mb, struct softhca_qp *rq)
{
	static const enum ibv_wq_state states[] = {[PRM_WQ_RST] = IBV_WQS_RESET,
						   [PRM_WQ_RDY] = IBV_WQS_RDY,
						   [PRM_WQ_ERR] = IBV_WQS_ERR};
	const uint64_t to = prm_get(mb->in, WQC, WQC_STATE);

	if (to > PRM_WQ_ERR || to == 2)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	return uv_prm_errno(mb, softhca_wq_modify(rq, states[to]));
}

/* ---- send queues ---- */

static int sq_ring(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_qp_create *attr)
{
	const unsigned int wq = WQC + WQC_RING;
	const uint64_t log_size = prm_get(mb->in, wq, WQ_LOG_SIZE);

	if (prm_get(mb->in, wq, WQ_TYPE) != PRM_WQ_CYCLIC || log_size > MAX_LOG_RING ||
	    prm_get(mb->in, wq, WQ_LOG_STRIDE) != 6)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr->sq_wqes = 1u << log_size;
	attr->uar = uv_uar_by_page(obj->file, (uint32_t)prm_get(mb->in, wq, WQ_UAR));
	attr->sq_va = uv_devx_wq_ring(obj, mb, wq, (uint64_t)attr->sq_wqes * 64);
	attr->db_va = uv_devx_wq_record(obj, mb, wq, 8);
	return attr->uar && attr->sq_va && attr->db_va ? 0 : uv_prm_fail(mb, PRM_BAD_RES);
}

static int create_sq(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_qp_create attr = {.type = SOFTHCA_QP_RAW};
	struct softhca_qp *hw;
	struct uv_obj *tis;
	uint32_t sqn;
	int err = uv_prm_begin(mb, WQC + WQC_BITS, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, WQC, WQC_STATE) != PRM_WQ_RST)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	tis = uv_devx_by_number(obj->file, UV_DEVX_TIS, (uint32_t)prm_get(mb->in, WQC, SQC_TIS));
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, WQC + WQC_RING, WQ_PD));
	attr.send_cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, WQC, WQC_CQN));
	if (!tis || !attr.pd || !attr.send_cq)
		return uv_prm_fail(mb, PRM_BAD_RES);
	uv_obj_depend(obj, tis);
	attr.domain = tis->u.devx.domain;
	attr.recv_cq = attr.send_cq; /* it receives nothing */
	attr.user_index = (uint32_t)prm_get(mb->in, WQC, WQC_USER_INDEX);
	err = sq_ring(obj, mb, &attr);
	attr.cap.max_send_wr = attr.sq_wqes;
	attr.cap.max_send_sge = softhca_dev_config(obj->file->hca->dev)->max_sge;
	if (!err)
		err = uv_prm_errno(mb, softhca_qp_create(obj->file->hca->dev, &attr, &hw, &sqn));
	if (err)
		return err;
	softhca_qp_set_user(hw, obj);
	uv_devx_made(obj, UV_DEVX_SQ, hw, sqn);
	prm_set(mb->out, 0, OUT_OBJ, sqn);
	return 0;
}

/* A single send queue has fewer states than a queue pair. */
static int modify_sq(struct uv_mailbox *mb, struct softhca_qp *sq)
{
	static const enum ibv_qp_state ready[] = {IBV_QPS_INIT, IBV_QPS_RTR, IBV_QPS_RTS};
	const uint64_t to = prm_get(mb->in, WQC, WQC_STATE);
	struct ibv_qp_attr a = {.port_num = 1};
	int err = 0;

	if (to == PRM_WQ_RDY && softhca_qp_state(sq) == IBV_QPS_RESET) {
		for (size_t i = 0; !err && i < 3; i++) {
			a.qp_state = ready[i];
			err = softhca_qp_modify(sq, &a, IBV_QP_STATE | (i ? 0 : IBV_QP_PORT));
		}
		return uv_prm_errno(mb, err);
	}
	if (to != PRM_WQ_RST && to != PRM_WQ_ERR)
		return to == state_of(sq) ? 0 : uv_prm_fail(mb, PRM_BAD_RES_STATE);
	a.qp_state = to == PRM_WQ_RST ? IBV_QPS_RESET : IBV_QPS_ERR;
	return uv_prm_errno(mb, softhca_qp_modify(sq, &a, IBV_QP_STATE));
}

int uv_devx_modify_queue(struct uv_mailbox *mb, struct softhca_qp *q, bool send)
{
	int err = uv_prm_begin(mb, WQC + WQC_RING, 0x80);

	if (err)
		return err;
	if (prm_get(mb->in, 0, WQC_NOW) != state_of(q))
		return uv_prm_fail(mb, PRM_BAD_RES_STATE);
	return send ? modify_sq(mb, q) : modify_rq(mb, q);
}

/* A queue of its own, or half of a queue pair of verbs. */
int uv_devx_query_sq(struct uv_mailbox *mb, struct softhca_qp *q)
{
	int err = uv_prm_begin(mb, 0x80, WQC + WQC_RING);

	if (!err && softhca_qp_type_of(q) != SOFTHCA_QP_RAW)
		err = -EINVAL;
	if (err)
		return err;
	prm_set(mb->out, WQC, WQC_STATE, state_of(q));
	prm_set(mb->out, WQC, WQC_USER_INDEX, softhca_qp_user_index(q));
	return 0;
}

/* ---- spreading ---- */

static struct softhca_qp *rq_by_number(struct uv_file *f, uint32_t rqn)
{
	struct softhca_qp *const q = softhca_qp_find(f->hca->dev, rqn);

	if (!q || softhca_qp_type_of(q) != SOFTHCA_QP_RWQ)
		return NULL;
	/* Objects of this file, made by raw command or by verbs. */
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->hw == q)
			return q;
	return NULL;
}

static int create_rqt(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_qp *rq[1u << SOFTHCA_MAX_LOG_TABLE];
	const uint64_t n = prm_get(mb->in, RQTC, RQTC_ACTUAL);
	struct softhca_rwq_table *hw;
	uint32_t num;
	int err = uv_prm_begin(mb, RQTC + RQTC_LIST + n * 32, 0x80);

	if (err)
		return err;
	/* A hash picks the entry by its lowest bits. */
	if (!n || n & (n - 1) || n > sizeof(rq) / sizeof(rq[0]) ||
	    n > prm_get(mb->in, RQTC, RQTC_MAX))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	for (uint32_t i = 0; i < n; i++) {
		rq[i] = rq_by_number(
			obj->file, (uint32_t)prm_get(mb->in, RQTC + RQTC_LIST + i * 32, RQTC_RQN));
		if (!rq[i])
			return uv_prm_fail(mb, PRM_BAD_RES);
	}
	err = uv_prm_errno(mb,
			   softhca_rwq_table_create(obj->file->hca->dev, rq,
						    (unsigned int)__builtin_ctzll(n), &hw, &num));
	if (err)
		return err;
	uv_devx_made(obj, UV_DEVX_RQT, hw, num);
	prm_set(mb->out, 0, OUT_OBJ, num);
	return 0;
}

enum { DISPATCH_DIRECT = 0, DISPATCH_INDIRECT = 1 };
enum { HASH_TOEPLITZ = 2 };
enum { FIELD_SRC_IP = 1, FIELD_DST_IP = 2, FIELD_SPORT = 4, FIELD_DPORT = 8 };

/* The device selects protocols and fields. Verbs have one flag for each pair. */
static int hash_fields(struct uv_mailbox *mb, struct softhca_rss *rss)
{
	static const uint64_t verbs[2][2][4] = {
		/* IPv4, TCP; IPv4, UDP; IPv6, TCP; IPv6, UDP */
		{{IBV_RX_HASH_SRC_IPV4, IBV_RX_HASH_DST_IPV4, IBV_RX_HASH_SRC_PORT_TCP,
		  IBV_RX_HASH_DST_PORT_TCP},
		 {IBV_RX_HASH_SRC_IPV4, IBV_RX_HASH_DST_IPV4, IBV_RX_HASH_SRC_PORT_UDP,
		  IBV_RX_HASH_DST_PORT_UDP}},
		{{IBV_RX_HASH_SRC_IPV6, IBV_RX_HASH_DST_IPV6, IBV_RX_HASH_SRC_PORT_TCP,
		  IBV_RX_HASH_DST_PORT_TCP},
		 {IBV_RX_HASH_SRC_IPV6, IBV_RX_HASH_DST_IPV6, IBV_RX_HASH_SRC_PORT_UDP,
		  IBV_RX_HASH_DST_PORT_UDP}},
	};
	const uint64_t fields = prm_get(mb->in, TIRC, TIRC_FIELDS);
	const uint64_t *const of =
		verbs[prm_get(mb->in, TIRC, TIRC_L3)][prm_get(mb->in, TIRC, TIRC_L4)];

	if (prm_get(mb->in, TIRC, TIRC_HASH_FN) != HASH_TOEPLITZ || fields > 15)
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	for (int i = 0; i < 4; i++)
		if (fields >> i & 1)
			rss->fields |= of[i];
	memcpy(rss->key, mb->in + (TIRC + TIRC_KEY) / 8, sizeof(rss->key));
	return 0;
}

/* One queue is a table with one entry, which belongs to the TIR. */
static int tir_table(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_rss *rss)
{
	struct uv_obj *rqt;
	struct softhca_qp *rq;
	uint32_t num;

	switch (prm_get(mb->in, TIRC, TIRC_DISP_TYPE)) {
	case DISPATCH_DIRECT:
		rq = rq_by_number(obj->file, (uint32_t)prm_get(mb->in, TIRC, TIRC_RQN));
		if (!rq)
			return uv_prm_fail(mb, PRM_BAD_RES);
		return uv_prm_errno(mb, softhca_rwq_table_create(obj->file->hca->dev, &rq, 0,
								 &rss->table, &num));
	case DISPATCH_INDIRECT:
		rqt = uv_devx_by_number(obj->file, UV_DEVX_RQT,
					(uint32_t)prm_get(mb->in, TIRC, TIRC_RQT));
		if (!rqt)
			return uv_prm_fail(mb, PRM_BAD_RES);
		uv_obj_depend(obj, rqt);
		rss->table = rqt->hw;
		return hash_fields(mb, rss);
	default:
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	}
}

/* A TIR's or TIS's transport domain: one of the file's, or 0, the context's own. */
static int use_domain(struct uv_obj *obj, struct uv_mailbox *mb, uint32_t number)
{
	struct uv_obj *const td = uv_devx_by_number(obj->file, UV_DEVX_TD, number);

	if (!td && number)
		return uv_prm_fail(mb, PRM_BAD_RES);
	uv_obj_depend(obj, td);
	return 0;
}

/* Bits of self_lb_block, the allowed frames (the kernel's mlx5e_refresh_tirs()). */
enum { SELF_UNICAST = 1, SELF_MULTICAST = 2 };

static int create_tir(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_rss rss = {0};
	struct softhca_qp_create attr = {.type = SOFTHCA_QP_RAW, .rss = &rss};
	struct softhca_qp *hw;
	uint32_t tirn;
	bool own;
	int err = uv_prm_begin(mb, TIRC + TIRC_BITS, 0x80);

	if (!err)
		err = use_domain(obj, mb, (uint32_t)prm_get(mb->in, TIRC, TIRC_TD));
	if (!err)
		err = tir_table(obj, mb, &rss);
	if (err)
		return err;
	attr.domain = (uint32_t)prm_get(mb->in, TIRC, TIRC_TD);
	attr.self_lb_uc = prm_get(mb->in, TIRC, TIRC_SELF_LB) & SELF_UNICAST;
	attr.self_lb_mc = prm_get(mb->in, TIRC, TIRC_SELF_LB) & SELF_MULTICAST;
	own = prm_get(mb->in, TIRC, TIRC_DISP_TYPE) == DISPATCH_DIRECT;
	err = uv_prm_errno(mb, softhca_qp_create(obj->file->hca->dev, &attr, &hw, &tirn));
	if (err) {
		if (own)
			(void)softhca_rwq_table_destroy(rss.table);
		return err;
	}
	obj->u.devx.table = own ? rss.table : NULL;
	softhca_qp_set_user(hw, obj);
	uv_devx_made(obj, UV_DEVX_TIR, hw, tirn);
	prm_set(mb->out, 0, OUT_OBJ, tirn);
	return 0;
}

struct softhca_qp *uv_devx_tir(struct uv_obj *obj, uint32_t tirn)
{
	struct softhca_qp *const q = softhca_qp_find(obj->file->hca->dev, tirn);

	if (!q || softhca_qp_type_of(q) != SOFTHCA_QP_RAW)
		return NULL;
	for (unsigned int i = 0; i < obj->file->num_objs; i++) {
		struct uv_obj *const o = obj->file->objs[i];

		if (!o || o->hw != q)
			continue;
		uv_obj_depend(obj, o);
		return q;
	}
	return NULL;
}

/* ---- the object interface ---- */

/* Makes an object that only has a number. */
static int bare(struct uv_obj *obj, struct uv_mailbox *mb, enum uv_devx_kind kind)
{
	uv_devx_made(obj, kind, obj, uv_devx_number(1));
	prm_set(mb->out, 0, OUT_OBJ, obj->u.devx.id);
	return 0;
}

static int create_tis(struct uv_obj *obj, struct uv_mailbox *mb)
{
	int err = uv_prm_begin(mb, TISC + TISC_BITS, 0x80);

	if (!err)
		err = use_domain(obj, mb, (uint32_t)prm_get(mb->in, TISC, TISC_TD));
	if (err)
		return err;
	obj->u.devx.domain = (uint32_t)prm_get(mb->in, TISC, TISC_TD);
	return bare(obj, mb, UV_DEVX_TIS);
}

int uv_devx_create_raw(struct uv_obj *obj, struct uv_mailbox *mb)
{
	switch ((enum prm_flow_opcode)obj->u.devx.opcode) {
	case PRM_CREATE_RQ:
		return create_rq(obj, mb);
	case PRM_CREATE_SQ:
		return create_sq(obj, mb);
	case PRM_CREATE_RQT:
		return create_rqt(obj, mb);
	case PRM_CREATE_TIR:
		return create_tir(obj, mb);
	case PRM_CREATE_TIS:
		return create_tis(obj, mb);
	case PRM_ALLOC_TRANSPORT_DOMAIN: {
		int err = uv_prm_begin(mb, 0x80, 0x80);

		return err ? err : bare(obj, mb, UV_DEVX_TD);
	}
	default:
		return -EOPNOTSUPP;
	}
}

int uv_devx_release_raw(struct uv_obj *obj)
{
	int err;

	switch (obj->u.devx.kind) {
	case UV_DEVX_RQ:
		return softhca_wq_destroy(obj->hw);
	case UV_DEVX_RQT:
		return softhca_rwq_table_destroy(obj->hw);
	case UV_DEVX_SQ:
		return softhca_qp_destroy(obj->hw);
	case UV_DEVX_TIR:
		err = softhca_qp_destroy(obj->hw);
		if (!err && obj->u.devx.table)
			(void)softhca_rwq_table_destroy(obj->u.devx.table);
		return err;
	default:
		return 0;
	}
}
