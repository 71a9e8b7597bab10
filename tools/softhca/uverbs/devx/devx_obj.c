/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of raw commands: finding them, and making mkeys, completion queues and queue pairs. */
#include <errno.h>

#include "segue/gen/enums.h"
#include "tools/softhca/engine/offload/dek.h"
#include "tools/softhca/engine/offload/psv.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/devx/devx_util.h"
#include "tools/softhca/uverbs/devx/prm_flow.h"
#include "tools/softhca/uverbs/uverbs.h"

/* ---- objects that a command names ---- */

static struct uv_obj *umem_by_id(struct uv_file *f, uint32_t id)
{
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_UMEM && f->objs[i]->u.umem.id == id)
			return f->objs[i];
	return NULL;
}

/* Address of `len` bytes at `offset` of user memory, or 0. Held for `obj`. */
static uint64_t umem_at(struct uv_obj *obj, uint32_t id, uint64_t offset, uint64_t len)
{
	struct uv_obj *umem = umem_by_id(obj->file, id);

	if (!umem || offset > umem->u.umem.len || len > umem->u.umem.len - offset)
		return 0;
	uv_obj_depend(obj, umem);
	return umem->u.umem.addr + offset;
}

uint64_t uv_devx_wq_ring(struct uv_obj *obj, struct uv_mailbox *mb, unsigned int wq, uint64_t len)
{
	return umem_at(obj, (uint32_t)prm_get(mb->in, wq, WQ_UMEM_ID),
		       prm_get(mb->in, wq, WQ_UMEM_OFFSET), len);
}

uint64_t uv_devx_wq_record(struct uv_obj *obj, struct uv_mailbox *mb, unsigned int wq, uint64_t len)
{
	return umem_at(obj, (uint32_t)prm_get(mb->in, wq, WQ_DBR_UMEM_ID),
		       prm_get(mb->in, wq, WQ_DBR_ADDR), len);
}

static bool depends(const struct uv_obj *obj, const struct uv_obj *on)
{
	for (int i = 0; i < UV_OBJ_DEPS; i++)
		if (obj->deps[i] == on)
			return true;
	return false;
}

/* Returns `hw` if it is the engine's object of a handle of this file, and holds that for `obj`. */
static void *needed(struct uv_obj *obj, void *hw)
{
	const struct uv_file *const f = obj->file;

	for (unsigned int i = 0; hw && i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->hw == hw) {
			if (!depends(obj, f->objs[i]))
				uv_obj_depend(obj, f->objs[i]);
			return hw;
		}
	return NULL;
}

struct softhca_pd *uv_devx_pd(struct uv_obj *obj, uint32_t pdn)
{
	return needed(obj, softhca_pd_find(obj->file->hca->dev, pdn));
}

struct softhca_cq *uv_devx_cq(struct uv_obj *obj, uint32_t cqn)
{
	return needed(obj, softhca_cq_find(obj->file->hca->dev, cqn));
}

struct softhca_srq *uv_devx_srq(struct uv_obj *obj, uint32_t srqn)
{
	return needed(obj, softhca_srq_find(obj->file->hca->dev, srqn));
}

/* ---- mkeys ---- */

static uint32_t mkc_access(const uint8_t *in)
{
	return softhca_access_of(prm_get(in, MKC, MKC_LW), prm_get(in, MKC, MKC_RR),
				 prm_get(in, MKC, MKC_RW), prm_get(in, MKC, MKC_A));
}

static int read_klms(struct uv_mailbox *mb, struct softhca_klm *klms, uint32_t count)
{
	const uint8_t *p = mb->in + MKEY_KLMS / 8;

	if (mb->in_len < MKEY_KLMS / 8 + (size_t)count * 16)
		return uv_prm_fail(mb, PRM_BAD_INP_LEN);
	for (uint32_t i = 0; i < count; i++, p += 16) {
		static const struct prm_field bcount = {0, 32}, key = {32, 32}, va = {64, 64};

		klms[i].bcount = (uint32_t)prm_get(p, 0, bcount);
		klms[i].key = (uint32_t)prm_get(p, 0, key);
		klms[i].va = prm_get(p, 0, va);
	}
	return 0;
}

static int mkey_backing(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_mkey_attr *attr)
{
	uint64_t offset = prm_get(mb->in, 0, MKEY_UMEM_OFFSET);

	switch (prm_get(mb->in, MKC, MKC_MODE_1_0) | prm_get(mb->in, MKC, MKC_MODE_4_2) << 2) {
	case 0:
		attr->mode = SOFTHCA_MKEY_PA;
		return 0;
	case 1:
		attr->mode = SOFTHCA_MKEY_MTT;
		attr->umem_va = umem_at(obj, (uint32_t)prm_get(mb->in, 0, MKEY_UMEM_ID), offset,
					attr->len);
		return attr->umem_va ? 0 : uv_prm_fail(mb, PRM_BAD_RES);
	case 2:
		attr->mode = SOFTHCA_MKEY_KLM;
		break;
	case 3:
		attr->mode = SOFTHCA_MKEY_KSM;
		attr->log_entity_size = (uint8_t)prm_get(mb->in, MKC, MKC_LOG_PAGE);
		break;
	default:
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	}
	attr->max_klms = (uint32_t)prm_get(mb->in, MKC, MKC_OCTWORDS);
	attr->nklms = (uint32_t)prm_get(mb->in, 0, MKEY_OCTWORDS);
	return 0;
}

static int create_mkey(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_klm klms[1024];
	struct softhca_mkey_attr attr = {0};
	struct softhca_mkey *hw;
	int err = uv_prm_begin(mb, 0x300 + 0x20, 0x80);

	if (err)
		return err;
	attr.pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, MKC, MKC_PD));
	if (!attr.pd)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.free = prm_get(mb->in, MKC, MKC_FREE);
	attr.umr_en = prm_get(mb->in, MKC, MKC_UMR_EN);
	attr.length64 = prm_get(mb->in, MKC, MKC_LENGTH64);
	attr.variant = (uint8_t)prm_get(mb->in, MKC, MKC_KEY_7_0);
	attr.access = mkc_access(mb->in);
	attr.qpn = (uint32_t)prm_get(mb->in, MKC, MKC_QPN);
	attr.start = prm_get(mb->in, MKC, MKC_START);
	attr.len = prm_get(mb->in, MKC, MKC_LEN);
	if (prm_get(mb->in, MKC, MKC_BSF_EN))
		attr.bsf_room = (uint32_t)prm_get(mb->in, MKC, MKC_BSF_OCTWORDS);
	attr.crypto = prm_get(mb->in, MKC, MKC_CRYPTO_EN);
	err = mkey_backing(obj, mb, &attr);
	if (err)
		return err;
	if (attr.nklms > sizeof(klms) / sizeof(klms[0]))
		return uv_prm_fail(mb, PRM_EXCEED_LIM);
	err = read_klms(mb, klms, attr.nklms);
	if (err)
		return err;
	attr.klms = klms;
	err = softhca_mkey_create(obj->file->hca->dev, &attr, &hw);
	if (err)
		return uv_prm_errno(mb, err);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_MKEY;
	obj->u.devx.id = softhca_mkey_key(hw) >> 8;
	prm_set(mb->out, 0, OUT_OBJ, obj->u.devx.id);
	return 0;
}

/* ---- completion queues ---- */

enum { CQE_SZ_128_PADDED = 2 };

/* The additional form is valid only with form 0. */
static bool mini_format_known(const struct softhca_cq_attr *attr)
{
	return attr->mini_format_ext == SEGUE_MINI_CQE_FORMAT_EXT_NONE ||
	       (attr->mini_format_ext == SEGUE_MINI_CQE_FORMAT_EXT_L34H_STRIDX &&
		!attr->mini_format);
}

static bool compression_known(const struct softhca_config *cfg, const struct softhca_cq_attr *attr)
{
	return !attr->compress ||
	       (cfg->cqe_compression && (attr->cqe_size == 64 || cfg->cqe_compression_128));
}

static int create_cq(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_cq_attr attr = {0};
	struct softhca_cq *hw;
	uint32_t cqn;
	int err = uv_prm_begin(mb, 0x300, 0x80);

	if (err)
		return err;
	attr.cqe_size = prm_get(mb->in, CQC, CQC_CQE_SZ) == 0 ? 64 : 128;
	attr.pad = prm_get(mb->in, CQC, CQC_CQE_SZ) == CQE_SZ_128_PADDED;
	attr.cqes = 1u << prm_get(mb->in, CQC, CQC_LOG_SIZE);
	attr.overrun_ignore = prm_get(mb->in, CQC, CQC_OI);
	attr.collapsed = prm_get(mb->in, CQC, CQC_CC);
	attr.want_events = true;
	attr.compress = prm_get(mb->in, CQC, CQC_COMP_EN);
	attr.mini_format = (uint8_t)prm_get(mb->in, CQC, CQC_MINI_FORMAT);
	attr.mini_format_ext = (uint8_t)prm_get(mb->in, CQC, CQC_MINI_FORMAT_EXT);
	attr.enhanced = attr.compress && prm_get(mb->in, CQC, CQC_COMP_LAYOUT);
	if (!compression_known(softhca_dev_config(obj->file->hca->dev), &attr) ||
	    !mini_format_known(&attr))
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	attr.uar = uv_uar_by_page(obj->file, (uint32_t)prm_get(mb->in, CQC, CQC_UAR));
	if (!attr.uar)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr.buf_va = umem_at(obj, (uint32_t)prm_get(mb->in, 0, CQ_UMEM_ID),
			      prm_get(mb->in, 0, CQ_UMEM_OFFSET),
			      (uint64_t)attr.cqes * attr.cqe_size);
	attr.db_va = umem_at(obj, (uint32_t)prm_get(mb->in, CQC, CQC_DBR_UMEM_ID),
			     prm_get(mb->in, CQC, CQC_DBR_ADDR), 8);
	if (!attr.buf_va || !attr.db_va)
		return uv_prm_fail(mb, PRM_BAD_RES);
	err = softhca_cq_create(obj->file->hca->dev, &attr, &hw, &cqn);
	if (err)
		return uv_prm_errno(mb, err);
	softhca_cq_set_user(hw, obj);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_CQ;
	obj->u.devx.id = cqn;
	prm_set(mb->out, 0, OUT_OBJ, cqn);
	return 0;
}

/* ---- queue pairs ---- */

static int qp_type(uint64_t st, enum softhca_qp_type *type)
{
	static const enum softhca_qp_type types[] = {SOFTHCA_QP_RC, SOFTHCA_QP_UC, SOFTHCA_QP_UD,
						     SOFTHCA_QP_DCI};

	if (st > 2 && st != 5)
		return -EINVAL;
	*type = types[st == 5 ? 3 : st];
	return 0;
}

/* rq_type: kind of a queue pair's receive queue */
enum { RQ_OWN = 0, RQ_SHARED = 1, RQ_NONE = 3 };

static int qp_objects(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_qp_create *attr)
{
	uint64_t rq_type = prm_get(mb->in, QPC, QPC_RQ_TYPE);

	attr->pd = uv_devx_pd(obj, (uint32_t)prm_get(mb->in, QPC, QPC_PD));
	attr->send_cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, QPC, QPC_CQN_SND));
	attr->recv_cq = uv_devx_cq(obj, (uint32_t)prm_get(mb->in, QPC, QPC_CQN_RCV));
	attr->uar = uv_uar_by_page(obj->file, (uint32_t)prm_get(mb->in, QPC, QPC_UAR));
	if (!attr->pd || !attr->uar)
		return uv_prm_fail(mb, PRM_BAD_RES);
	if (!attr->send_cq && !prm_get(mb->in, QPC, QPC_NO_SQ))
		return uv_prm_fail(mb, PRM_BAD_RES);
	if (!attr->recv_cq)
		attr->recv_cq = attr->send_cq; /* no receive queue: the field is ignored */
	if (rq_type == RQ_SHARED && attr->type != SOFTHCA_QP_DCI) {
		attr->srq = uv_devx_srq(obj, (uint32_t)prm_get(mb->in, QPC, QPC_SRQN));
		if (!attr->srq)
			return uv_prm_fail(mb, PRM_BAD_RES);
	}
	return 0;
}

static int qp_rings(struct uv_obj *obj, struct uv_mailbox *mb, struct softhca_qp_create *attr)
{
	uint64_t bytes, base;

	/* An initiator receives nothing, whatever its receive fields hold. */
	if (prm_get(mb->in, QPC, QPC_RQ_TYPE) == RQ_OWN && attr->type != SOFTHCA_QP_DCI) {
		attr->rq_wqes = 1u << prm_get(mb->in, QPC, QPC_LOG_RQ_SIZE);
		attr->rq_stride = 16u << prm_get(mb->in, QPC, QPC_LOG_RQ_STRIDE);
	}
	if (!prm_get(mb->in, QPC, QPC_NO_SQ))
		attr->sq_wqes = 1u << prm_get(mb->in, QPC, QPC_LOG_SQ_SIZE);
	bytes = (uint64_t)attr->rq_wqes * attr->rq_stride;
	attr->db_va = umem_at(obj, (uint32_t)prm_get(mb->in, QPC, QPC_DBR_UMEM_ID),
			      prm_get(mb->in, QPC, QPC_DBR_ADDR), 8);
	if (!attr->db_va)
		return uv_prm_fail(mb, PRM_BAD_RES);
	if (!attr->rq_wqes && !attr->sq_wqes)
		return 0;
	base = umem_at(obj, (uint32_t)prm_get(mb->in, 0, QP_WQ_UMEM_ID),
		       prm_get(mb->in, 0, QP_WQ_UMEM_OFFSET), bytes + (uint64_t)attr->sq_wqes * 64);
	if (!base)
		return uv_prm_fail(mb, PRM_BAD_RES);
	attr->rq_va = attr->rq_wqes ? base : 0;
	attr->sq_va = base + bytes;
	return 0;
}

static int create_qp(struct uv_obj *obj, struct uv_mailbox *mb)
{
	const struct softhca_config *cfg = softhca_dev_config(obj->file->hca->dev);
	struct softhca_qp_create attr = {0};
	struct softhca_qp *hw;
	uint32_t qpn;
	int err = uv_prm_begin(mb, 0x880, 0x80);

	if (err)
		return err;
	if (qp_type(prm_get(mb->in, QPC, QPC_ST), &attr.type) ||
	    prm_get(mb->in, QPC, QPC_SEND_DBR_MODE) > 1 || /* NO_DBR_INT */
	    prm_get(mb->in, QPC, QPC_CD_SLAVE_RECEIVE)) /* not modelled */
		return uv_prm_fail(mb, PRM_BAD_PARAM);
	err = qp_objects(obj, mb, &attr);
	if (!err)
		err = qp_rings(obj, mb, &attr);
	if (err)
		return err;
	attr.user_index = (uint32_t)prm_get(mb->in, QPC, QPC_USER_INDEX);
	attr.cap.max_send_wr = attr.sq_wqes;
	attr.cap.max_recv_wr = attr.rq_wqes;
	attr.cap.max_send_sge = cfg->max_sge;
	attr.cap.max_recv_sge = attr.rq_stride / 16;
	attr.umr_en = cfg->umr;
	attr.cross_master = prm_get(mb->in, QPC, QPC_CD_MASTER);
	attr.managed_send = prm_get(mb->in, QPC, QPC_CD_SLAVE_SEND);
	attr.no_record = prm_get(mb->in, QPC, QPC_SEND_DBR_MODE);
	attr.scatter_cqe = prm_get(mb->in, QPC, QPC_CS_RES) != 0;
	attr.scatter_cqe_req = prm_get(mb->in, QPC, QPC_CS_REQ) != 0;
	attr.scatter_bytes = prm_get(mb->in, QPC, QPC_CS_RES) >= 2 ||
					     prm_get(mb->in, QPC, QPC_CS_REQ) >= 0x22
				     ? 64
				     : 32;
	attr.dc_access_key = prm_get(mb->in, QPC, QPC_DC_KEY);
	err = softhca_qp_create(obj->file->hca->dev, &attr, &hw, &qpn);
	if (err)
		return uv_prm_errno(mb, err);
	softhca_qp_set_user(hw, obj);
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_QP;
	obj->u.devx.id = qpn;
	prm_set(mb->out, 0, OUT_OBJ, qpn);
	return 0;
}

/* ---- the object interface ---- */

static int alloc_pd(struct uv_obj *obj, struct uv_mailbox *mb)
{
	struct softhca_pd *hw;
	uint32_t pdn;
	int err = uv_prm_begin(mb, 0x80, 0x80);

	if (!err)
		err = uv_prm_errno(mb, softhca_pd_create(obj->file->hca->dev, &hw, &pdn));
	if (err)
		return err;
	obj->hw = hw;
	obj->u.devx.kind = UV_DEVX_PD;
	obj->u.devx.id = pdn;
	prm_set(mb->out, 0, OUT_OBJ, pdn);
	return 0;
}

int uv_devx_create(struct uv_obj *obj, struct uv_mailbox *mb)
{
	static const struct {
		uint16_t opcode;
		int (*create)(struct uv_obj *obj, struct uv_mailbox *mb);
	} makers[] = {
		{PRM_CREATE_MKEY, create_mkey},
		{PRM_CREATE_CQ, create_cq},
		{PRM_CREATE_QP, create_qp},
		{PRM_ALLOC_PD, alloc_pd},
		{PRM_CREATE_RMP, uv_devx_create_rmp},
		{PRM_CREATE_XRQ, uv_devx_create_xrq},
		{PRM_CREATE_DCT, uv_devx_create_dct},
		{PRM_CREATE_PSV, uv_devx_create_psv},
		{PRM_CREATE_GENERAL, uv_devx_create_general},
	};
	int err;

	if (mb->in_len < 16 || mb->out_len < 16)
		return -EINVAL;
	obj->u.devx.opcode = (uint16_t)prm_get(mb->in, 0, IN_OPCODE);
	for (size_t i = 0; i < sizeof(makers) / sizeof(makers[0]); i++)
		if (makers[i].opcode == obj->u.devx.opcode)
			return makers[i].create(obj, mb);
	err = uv_devx_create_flow(obj, mb);
	return err == -EOPNOTSUPP ? uv_devx_create_raw(obj, mb) : err;
}

/* Kind of object for a modify or query command: the kind that a raw creation command makes. */
static enum uv_devx_kind kind_of(const struct uv_obj *obj)
{
	switch (obj->type) {
	case UV_DEVX:
		return (enum uv_devx_kind)obj->u.devx.kind;
	case UV_QP:
		return obj->u.qp.dct ? UV_DEVX_DCT : UV_DEVX_QP;
	case UV_SRQ:
		return obj->u.srq_type == IBV_SRQT_BASIC ? UV_DEVX_RMP : UV_DEVX_NONE;
	default:
		return UV_DEVX_NONE;
	}
}

static uint32_t number_of(const struct uv_obj *obj, enum uv_devx_kind kind)
{
	return kind == UV_DEVX_RMP || kind == UV_DEVX_XRQ ? softhca_srq_num(obj->hw)
							  : softhca_qp_num(obj->hw);
}

/* The driver passes a command on only if kind and number are those of the handle's object. */
static bool names(const struct uv_obj *obj, const struct uv_mailbox *mb, enum uv_devx_kind kind)
{
	return kind != UV_DEVX_NONE && kind_of(obj) == kind && obj->hw &&
	       prm_get(mb->in, 0, IN_OBJ) == number_of(obj, kind);
}

static enum uv_devx_kind modified_by(const struct uv_obj *obj, uint64_t opcode)
{
	switch (opcode) {
	case PRM_RST2INIT_QP:
	case PRM_INIT2RTR_QP:
	case PRM_RTR2RTS_QP:
	case PRM_RTS2RTS_QP:
	case PRM_SQERR2RTS_QP:
	case PRM_2ERR_QP:
	case PRM_2RST_QP:
	case PRM_INIT2INIT_QP:
	case PRM_MODIFY_TIS:
		return UV_DEVX_QP;
	case PRM_MODIFY_RMP:
		return UV_DEVX_RMP;
	case PRM_ARM_DCT:
		return UV_DEVX_DCT;
	case PRM_MODIFY_RQ:
		return UV_DEVX_RQ;
	case PRM_MODIFY_SQ: /* of its own, or the send side of a queue pair */
		return obj->type == UV_DEVX ? UV_DEVX_SQ : UV_DEVX_QP;
	default:
		return UV_DEVX_NONE;
	}
}

int uv_devx_modify(struct uv_obj *obj, struct uv_mailbox *mb)
{
	enum uv_devx_kind kind;

	if (mb->in_len < 16 || mb->out_len < 8)
		return -EINVAL;
	if (prm_get(mb->in, 0, IN_OPCODE) == PRM_MODIFY_GENERAL)
		return uv_devx_modify_general(obj, mb);
	kind = modified_by(obj, prm_get(mb->in, 0, IN_OPCODE));
	if (!names(obj, mb, kind))
		return -EINVAL;
	switch (kind) {
	case UV_DEVX_QP:
		return uv_devx_modify_qp(obj, mb, obj->hw);
	case UV_DEVX_RMP:
		return uv_devx_modify_rmp(mb, obj->hw);
	case UV_DEVX_RQ:
	case UV_DEVX_SQ:
		return uv_devx_modify_queue(mb, obj->hw, kind == UV_DEVX_SQ);
	default: /* a target reports a wrong key each time, armed or not */
		return uv_prm_begin(mb, 0x80, 0x80);
	}
}

int uv_devx_query(struct uv_obj *obj, struct uv_mailbox *mb)
{
	if (mb->in_len < 16 || mb->out_len < 8)
		return -EINVAL;
	switch (prm_get(mb->in, 0, IN_OPCODE)) {
	case PRM_QUERY_TIS:
		return names(obj, mb, UV_DEVX_QP) ? uv_devx_query_tis(mb, obj->hw) : -EINVAL;
	case PRM_QUERY_SQ: /* of its own, or the send side of a queue pair */
		return names(obj, mb, obj->type == UV_DEVX ? UV_DEVX_SQ : UV_DEVX_QP)
			       ? uv_devx_query_sq(mb, obj->hw)
			       : -EINVAL;
	case PRM_QUERY_QP:
		return names(obj, mb, UV_DEVX_QP) ? uv_devx_query_qp(mb, obj->hw) : -EINVAL;
	case PRM_QUERY_RMP:
		return names(obj, mb, UV_DEVX_RMP) ? uv_devx_query_rmp(mb, obj->hw) : -EINVAL;
	case PRM_QUERY_FLOW_COUNTER:
		return uv_devx_query_counter(obj, mb);
	case PRM_QUERY_XRC_SRQ: /* made by verbs */
		return obj->type == UV_SRQ ? uv_devx_query_xrc_srq(mb, obj->hw) : -EINVAL;
	case PRM_QUERY_GENERAL:
		return uv_devx_query_general(obj, mb);
	case PRM_QUERY_DCT:
		return names(obj, mb, UV_DEVX_DCT) ? uv_devx_query_dct(mb, obj->hw) : -EINVAL;
	default:
		return -EINVAL;
	}
}

int uv_devx_release(struct uv_obj *obj)
{
	if (!obj->hw)
		return 0;
	switch (obj->u.devx.kind) {
	case UV_DEVX_PD:
		return softhca_pd_destroy(obj->hw);
	case UV_DEVX_MKEY:
		return softhca_mkey_destroy(obj->hw);
	case UV_DEVX_CQ:
		return softhca_cq_destroy(obj->hw);
	case UV_DEVX_QP:
	case UV_DEVX_DCT:
		return softhca_qp_destroy(obj->hw);
	case UV_DEVX_RMP:
	case UV_DEVX_XRQ:
		return softhca_srq_destroy(obj->hw);
	case UV_DEVX_RESERVED_QPN:
		softhca_qpn_release(obj->file->hca->dev, obj->u.devx.id);
		return 0;
	case UV_DEVX_RQ:
	case UV_DEVX_SQ:
	case UV_DEVX_RQT:
	case UV_DEVX_TIR:
	case UV_DEVX_TIS:
	case UV_DEVX_TD:
		return uv_devx_release_raw(obj);
	case UV_DEVX_SCHED:
		return softhca_sched_destroy(obj->hw);
	case UV_DEVX_PSV:
		softhca_psv_destroy(obj->hw);
		return 0;
	case UV_DEVX_DEK:
		softhca_dek_destroy(obj->hw);
		return 0;
	case UV_DEVX_LOGIN:
		softhca_login_destroy(obj->hw);
		return 0;
	case UV_DEVX_COUNTER:
	case UV_DEVX_MODIFY_HEADER:
	case UV_DEVX_REFORMAT:
	case UV_DEVX_FLOW_TABLE:
	case UV_DEVX_FLOW_GROUP:
	case UV_DEVX_FLOW_ENTRY:
		uv_devx_release_flow(obj);
		return 0;
	default:
		return 0;
	}
}
