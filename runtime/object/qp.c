/* SPDX-License-Identifier: BSD-2-Clause */
/* Making, adopting and closing queue pairs. Their states are in qp_state.c. */
#define _GNU_SOURCE
#include "runtime/object/qp.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq_object.h"
#include "runtime/object/pd.h"
#include "runtime/object/srq_object.h"
#include "segue/bytes.h"
#include "segue/errmsg.h"
#include "segue/gen/segments.h"
#include "segue/gen/transports.h"

/* A ring has at least this many blocks, and this many largest requests. */
#define RING_BLOCKS_MIN 8u
#define RING_WQES_MIN   4u
#define UNITS_MIN       8u

static int release_qp(struct seguei_object *object)
{
	struct segue_qp *qp = (struct segue_qp *)object;

	if (!qp->adopted) {
		const int ret = ibv_destroy_qp(qp->qp); /* returns the error number */

		if (ret && ret != EIO)
			return seguei_fail(ret, "The queue pair 0x%x cannot be closed: %s.", object->number, strerror(ret));
	}
	seguei_qp_detach(qp);
	free(qp->slots);
	free(qp->wr_ids);
	return 0;
}

const struct seguei_kind seguei_qp_kind = {"queue pair", SEGUEI_RANK_QP, release_qp};

const struct seguei_qp_kind_info *seguei_qp_info(enum segue_qp_type type)
{
	static const struct seguei_qp_kind_info infos[] = {
		[SEGUE_QP_RC] = {"RC", &segue_rc_transport, IBV_QPT_RC, true, true, false, 0},
		[SEGUE_QP_UC] = {"UC", &segue_uc_transport, IBV_QPT_UC, true, true, false, 0},
		[SEGUE_QP_UD] = {"UD", &segue_ud_transport, IBV_QPT_UD, true, true, false, SEGUE_SEG_AV_UD_SIZE},
		[SEGUE_QP_XRC_INITIATOR] = {"XRC initiator", &segue_xrc_initiator_transport, IBV_QPT_XRC_SEND, true, false,
					    false, SEGUE_SEG_XRC_SIZE},
		[SEGUE_QP_XRC_TARGET] = {"XRC target", &segue_xrc_target_transport, IBV_QPT_XRC_RECV, false, false, false, 0},
		[SEGUE_QP_DCI] = {"DCI", &segue_dci_transport, IBV_QPT_DRIVER, true, false, false, SEGUE_SEG_AV_DC_SIZE},
		[SEGUE_QP_DCT] = {"DCT", &segue_dct_transport, IBV_QPT_DRIVER, false, true, true, 0},
		[SEGUE_QP_RAW_PACKET] = {"raw packet", &segue_raw_packet_transport, IBV_QPT_RAW_PACKET, true, true, false, 0},
	};

	if (type <= SEGUE_QP_NONE || (unsigned int)type >= sizeof(infos) / sizeof(infos[0]))
		return NULL;
	return &infos[type];
}

static uint32_t units_of(uint32_t bytes)
{
	return (bytes + SEGUEI_UNIT - 1) / SEGUEI_UNIT;
}

uint32_t seguei_qp_wqe_units(const struct segue_qp_options *options)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	const uint32_t inlined = options->max_inline ? units_of(SEGUE_SEG_INLINE_DATA_SIZE + options->max_inline) : 0;
	const uint32_t payload = options->max_send_sge > inlined ? options->max_send_sge : inlined;
	uint32_t units;

	if (options->max_wqe_units)
		return options->max_wqe_units;
	units = SEGUE_SEG_CTRL_DS + units_of(info->address_bytes) + SEGUE_SEG_RADDR_DS + payload;
	if (options->type == SEGUE_QP_RAW_PACKET)
		units += SEGUE_SEG_ETH_DS;
	/* Atomics: masked compare and swap of 64 bits is the longest. */
	if (units < SEGUE_SEG_CTRL_DS + units_of(info->address_bytes) + SEGUE_SEG_RADDR_DS + SEGUE_SEG_MASKED_CAS64_DS +
			    SEGUE_SEG_DATA_DS)
		units = SEGUE_SEG_CTRL_DS + units_of(info->address_bytes) + SEGUE_SEG_RADDR_DS + SEGUE_SEG_MASKED_CAS64_DS +
			SEGUE_SEG_DATA_DS;
	return units < UNITS_MIN ? UNITS_MIN : units;
}

static int refuse(const struct seguei_qp_kind_info *info, const char *option, const char *expected)
{
	return seguei_fail(EINVAL, "%s queue pair: %s %s.", info->name, option, expected);
}

static int check_sends(const struct seguei_qp_kind_info *info, const struct segue_qp_options *options,
		       const struct segue_caps *caps)
{
	if (!info->sends) {
		if (options->send_cq)
			return refuse(info, "send_cq", "is given, but it does not send");
		if (options->max_send_wr || options->max_send_sge || options->max_inline)
			return refuse(info, "max_send_wr, max_send_sge or max_inline", "is given, but it does not send");
		return 0;
	}
	if (!options->send_cq)
		return refuse(info, "send_cq", "is NULL, expected a completion queue");
	if (!options->max_send_wr || options->max_send_wr > caps->max_qp_wr)
		return seguei_fail(EINVAL, "%s queue pair: max_send_wr is %u, expected 1 to %u.", info->name,
				   options->max_send_wr, caps->max_qp_wr);
	if (options->max_send_sge > caps->max_sge)
		return seguei_fail(EINVAL, "%s queue pair: max_send_sge is %u, expected at most %u.", info->name,
				   options->max_send_sge, caps->max_sge);
	if (seguei_qp_wqe_units(options) > (uint32_t)SEGUE_WQE_MAX_UNITS)
		return seguei_fail(EINVAL,
				   "%s queue pair: with max_send_sge %u and max_inline %u a request has %u units of 16 bytes, "
				   "expected at most %u.",
				   info->name, options->max_send_sge, options->max_inline, seguei_qp_wqe_units(options),
				   (unsigned int)SEGUE_WQE_MAX_UNITS);
	return 0;
}

static int check_receives(const struct seguei_qp_kind_info *info, const struct segue_qp_options *options,
			  const struct segue_caps *caps)
{
	if (!info->receives) {
		if (options->recv_cq || options->srq || options->max_recv_wr || options->max_recv_sge)
			return refuse(info, "recv_cq, srq, max_recv_wr or max_recv_sge", "is given, but it has no receives of its own");
		return 0;
	}
	if (!options->recv_cq)
		return refuse(info, "recv_cq", "is NULL, expected a completion queue");
	if (info->shared_only && !options->srq)
		return refuse(info, "srq", "is NULL, but it takes its receives from a shared queue only");
	if (options->srq && (options->max_recv_wr || options->max_recv_sge))
		return refuse(info, "max_recv_wr or max_recv_sge",
			      "is given together with srq; receives come from one of the two, so set it to 0");
	if (options->max_recv_wr >= caps->max_qp_wr)
		return seguei_fail(EINVAL, "%s queue pair: max_recv_wr is %u, expected less than %u.", info->name,
				   options->max_recv_wr, caps->max_qp_wr);
	if (options->max_recv_sge > caps->max_sge || (options->max_recv_wr && !options->max_recv_sge))
		return seguei_fail(EINVAL, "%s queue pair: max_recv_sge is %u, expected 1 to %u.", info->name,
				   options->max_recv_sge, caps->max_sge);
	return 0;
}

static int check_options(struct segue_pd *pd, const struct segue_qp_options *options)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	const struct segue_caps *caps = &seguei_device_of(&pd->object)->caps;
	int ret;

	if (!info)
		return seguei_fail(EINVAL, "Queue pair: type is %d, expected one of enum segue_qp_type.", (int)options->type);
	if ((options->type == SEGUE_QP_XRC_TARGET) != (options->xrcd != NULL))
		return refuse(info, "xrcd", options->xrcd ? "is given, but only an XRC target has one" : "is NULL, expected a domain");
	if (options->type != SEGUE_QP_DCT && options->dc_key)
		return refuse(info, "dc_key", "is given, but only a DCT has one");
	if (options->type != SEGUE_QP_DCI && (options->dci_log_streams || options->dci_log_errored))
		return refuse(info, "dci_log_streams or dci_log_errored", "is given, but only a DCI has streams");
	if (options->dci_log_streams > caps->dci_max_log_concurrent || options->dci_log_errored > caps->dci_max_log_errored)
		return seguei_fail(EINVAL, "DCI queue pair: dci_log_streams is %u and dci_log_errored %u, expected at most %u and %u.",
				   options->dci_log_streams, options->dci_log_errored, caps->dci_max_log_concurrent,
				   caps->dci_max_log_errored);
	ret = check_sends(info, options, caps);
	return ret ? ret : check_receives(info, options, caps);
}

static struct ibv_cq *verbs_cq_of(struct segue_cq *cq)
{
	return cq ? seguei_cq_object_of(cq)->verbs : NULL;
}

static struct ibv_srq *verbs_srq_of(const struct segue_srq *srq)
{
	return srq ? seguei_srq_object_of(srq)->verbs : NULL;
}

static void fill_mlx5(const struct segue_qp_options *options, struct mlx5dv_qp_init_attr *mlx5)
{
	memset(mlx5, 0, sizeof(*mlx5));
	if (options->type == SEGUE_QP_DCT) {
		mlx5->comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5->dc_init_attr.dc_type = MLX5DV_DCTYPE_DCT;
		mlx5->dc_init_attr.dct_access_key = options->dc_key;
	}
	if (options->type == SEGUE_QP_DCI) {
		mlx5->comp_mask = MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5->dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
	}
	if (options->dci_log_streams) {
		mlx5->comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
		mlx5->dc_init_attr.dci_streams.log_num_concurent = options->dci_log_streams;
		mlx5->dc_init_attr.dci_streams.log_num_errored = options->dci_log_errored;
	}
}

static void fill_verbs(struct segue_pd *pd, const struct segue_qp_options *options, uint32_t send_wr,
		       struct ibv_qp_init_attr_ex *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->qp_type = (enum ibv_qp_type)seguei_qp_info(options->type)->verbs;
	attr->comp_mask = IBV_QP_INIT_ATTR_PD;
	attr->pd = pd->pd;
	attr->send_cq = verbs_cq_of(options->send_cq);
	attr->recv_cq = verbs_cq_of(options->recv_cq);
	/* The kernel wants both queues of these two. */
	if (options->type == SEGUE_QP_DCI)
		attr->recv_cq = attr->send_cq;
	if (options->type == SEGUE_QP_DCT)
		attr->send_cq = attr->recv_cq;
	attr->srq = verbs_srq_of(options->srq);
	attr->cap.max_send_wr = send_wr;
	attr->cap.max_send_sge = options->max_send_sge;
	attr->cap.max_inline_data = options->max_inline;
	if (options->max_recv_wr) {
		attr->cap.max_recv_wr = options->max_recv_wr + 1; /* one stays free, for the builder */
		attr->cap.max_recv_sge = options->max_recv_sge;
	}
	if (options->xrcd) {
		attr->comp_mask = IBV_QP_INIT_ATTR_XRCD;
		attr->pd = NULL;
		attr->xrcd = options->xrcd->xrcd;
	}
}

static struct ibv_qp *create_once(struct segue_pd *pd, const struct segue_qp_options *options, uint32_t send_wr)
{
	struct mlx5dv_qp_init_attr mlx5;
	struct ibv_qp_init_attr_ex attr;

	fill_mlx5(options, &mlx5);
	fill_verbs(pd, options, send_wr, &attr);
	return mlx5dv_create_qp(pd->pd->context, &attr, mlx5.comp_mask ? &mlx5 : NULL);
}

static int ask_ring(struct ibv_qp *qp, struct mlx5dv_qp *dv)
{
	struct mlx5dv_obj obj;
	int ret;

	memset(dv, 0, sizeof(*dv));
	memset(&obj, 0, sizeof(obj));
	obj.qp.in = qp;
	obj.qp.out = dv;
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP);
	return ret ? seguei_fail(ret > 0 ? ret : EIO, "Queue pair 0x%x: libmlx5 does not say where its rings are.", qp->qp_num) : 0;
}

/*
 * libmlx5 sizes the ring by its own idea of the largest request, which is mostly larger than ours. Where it is not, the
 * ring would hold fewer than max_send_wr of our requests, and more is asked for.
 */
static struct ibv_qp *create(struct segue_pd *pd, const struct segue_qp_options *options)
{
	const uint32_t blocks = (seguei_qp_wqe_units(options) + SEGUEI_UNITS_PER_BLOCK - 1) / SEGUEI_UNITS_PER_BLOCK;
	uint32_t wanted = blocks * (options->max_send_wr + 1); /* one stays free, for the builder */
	uint32_t send_wr = options->max_send_wr;
	struct mlx5dv_qp dv;
	struct ibv_qp *qp;

	if (wanted < RING_BLOCKS_MIN)
		wanted = RING_BLOCKS_MIN;
	if (wanted < RING_WQES_MIN * blocks)
		wanted = RING_WQES_MIN * blocks;
	for (;;) {
		qp = create_once(pd, options, send_wr);
		if (!qp || !seguei_qp_info(options->type)->sends)
			return qp;
		if (ask_ring(qp, &dv) || dv.sq.wqe_cnt >= wanted)
			return qp;
		ibv_destroy_qp(qp);
		send_wr = send_wr * 2 > RING_BLOCKS_MIN ? send_wr * 2 : RING_BLOCKS_MIN;
	}
}

/*
 * Queue pairs of a context may share a register and belong to different threads, whose copies would mix; libmlx5 has a lock for
 * that (mlx5_bf.need_lock). So one of them copies, and the others ring 8 bytes, which are written at once.
 */
static bool copies_there(const struct segue_qp *qp, const void *reg)
{
	struct seguei_object *const device = seguei_cq_object_of(qp->send_cq)->object.parent;
	struct seguei_object *at = NULL;

	while ((at = seguei_object_next(device, &seguei_qp_kind, at))) {
		const struct segue_qp *other = (struct segue_qp *)at;
		const struct segue_sq *sq = &other->sq.any;

		if (other != qp && other->has_sq && sq->reg_toggle && (sq->reg | sq->reg_toggle) == ((uintptr_t)reg | sq->reg_toggle))
			return true;
	}
	return false;
}

static int init_sq(struct segue_qp *qp, const struct mlx5dv_qp *dv)
{
	struct segue_sq_attr attr;

	if (!qp->slots)
		qp->slots = calloc(dv->sq.wqe_cnt, sizeof(*qp->slots));
	if (!qp->slots)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for %u send slots.", qp->qp->qp_num, dv->sq.wqe_cnt);
	memset(&attr, 0, sizeof(attr));
	attr.buf = dv->sq.buf;
	attr.wqe_cnt = dv->sq.wqe_cnt;
	attr.max_wqe_units = qp->max_wqe_units;
	attr.dbrec = (uint32_t *)dv->dbrec + SEGUE_DBREC_SND;
	attr.bf_reg = dv->bf.reg;
	attr.bf_size = copies_there(qp, dv->bf.reg) ? 0 : dv->bf.size;
	attr.qpn = qp->qp->qp_num;
	attr.first_index = segue_get_be32((const uint8_t *)attr.dbrec);
	attr.slots = qp->slots;
	return segue_sq_init(&qp->sq.any, &attr);
}

static int init_rq(struct segue_qp *qp, const struct mlx5dv_qp *dv)
{
	struct segue_rq_attr attr;

	if (!qp->wr_ids)
		qp->wr_ids = calloc(dv->rq.wqe_cnt, sizeof(*qp->wr_ids));
	if (!qp->wr_ids)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for %u receives.", qp->qp->qp_num, dv->rq.wqe_cnt);
	memset(&attr, 0, sizeof(attr));
	attr.buf = dv->rq.buf;
	attr.wqe_cnt = dv->rq.wqe_cnt;
	attr.stride = dv->rq.stride;
	attr.dbrec = (uint32_t *)dv->dbrec + SEGUE_DBREC_RCV;
	attr.qpn = qp->qp->qp_num;
	attr.first_index = segue_get_be32((const uint8_t *)attr.dbrec);
	attr.wr_ids = qp->wr_ids;
	return segue_rq_init(&qp->rq, &attr);
}

int seguei_qp_init_rings(struct segue_qp *qp)
{
	struct mlx5dv_qp dv;
	int ret = 0;

	if (!seguei_qp_info(qp->type)->sends && !seguei_qp_info(qp->type)->receives)
		return 0;
	if (seguei_qp_info(qp->type)->shared_only)
		return 0; /* a DCT has no ring at all */
	ret = ask_ring(qp->qp, &dv);
	if (ret)
		return ret;
	qp->has_sq = seguei_qp_info(qp->type)->sends && dv.sq.wqe_cnt;
	qp->has_rq = seguei_qp_info(qp->type)->receives && !qp->srq && dv.rq.wqe_cnt;
	if (qp->has_sq)
		ret = init_sq(qp, &dv);
	if (!ret && qp->has_rq)
		ret = init_rq(qp, &dv);
	return ret;
}

/* Nothing of a queue pair may complete there: of one that was adopted without sends, say. */
static int attach_if_any(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	return queue->sq || queue->rq || queue->srq ? segue_cq_attach(cq, queue) : 0;
}

int seguei_qp_attach(struct segue_qp *qp)
{
	struct segue_cq_queue queue;
	int ret;

	if (qp->attached || !qp->qp->qp_num || qp->type == SEGUE_QP_XRC_TARGET)
		return 0;
	memset(&queue, 0, sizeof(queue));
	queue.qpn = qp->qp->qp_num;
	queue.address_bytes = seguei_qp_info(qp->type)->address_bytes;
	queue.context = qp->context;
	queue.sq = qp->has_sq ? &qp->sq.any : NULL;
	if (qp->recv_cq == qp->send_cq || !qp->send_cq) {
		queue.rq = qp->has_rq ? &qp->rq : NULL;
		queue.srq = qp->srq;
		ret = attach_if_any(qp->send_cq ? qp->send_cq : qp->recv_cq, &queue);
		goto out;
	}
	ret = attach_if_any(qp->send_cq, &queue);
	if (ret)
		goto out;
	queue.sq = NULL;
	queue.rq = qp->has_rq ? &qp->rq : NULL;
	queue.srq = qp->srq;
	ret = attach_if_any(qp->recv_cq, &queue);
	if (ret && qp->has_sq)
		(void)segue_cq_detach(qp->send_cq, queue.qpn);
out:
	if (!ret)
		qp->attached = queue.qpn;
	return ret;
}

void seguei_qp_detach(struct segue_qp *qp)
{
	if (!qp->attached)
		return;
	/* A queue that does not know it says so; that is no error here. */
	if (qp->send_cq)
		(void)segue_cq_detach(qp->send_cq, qp->attached);
	if (qp->recv_cq && qp->recv_cq != qp->send_cq)
		(void)segue_cq_detach(qp->recv_cq, qp->attached);
	qp->attached = 0;
}

static void use(struct segue_qp *qp, const struct segue_qp_options *options)
{
	if (options->send_cq)
		seguei_object_use(&qp->object, &seguei_cq_object_of(options->send_cq)->object);
	if (options->recv_cq && options->recv_cq != options->send_cq)
		seguei_object_use(&qp->object, &seguei_cq_object_of(options->recv_cq)->object);
	if (options->srq)
		seguei_object_use(&qp->object, &seguei_srq_object_of(options->srq)->object);
	if (options->xrcd)
		seguei_object_use(&qp->object, &options->xrcd->object);
}

/* libmlx5 reckons with larger requests than ours, so that its rings reach the device's limit before max_qp_wr does. */
static const char *ring_hint(int err)
{
	return err == EINVAL || err == ENOMEM ? "; its rings may be larger than the device's, ask for fewer or smaller sends" : "";
}

static int make_qp(struct segue_pd *pd, const struct segue_qp_options *options, struct ibv_qp *adopted, struct segue_qp **out)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);
	struct segue_qp *qp;
	int ret;

	qp = seguei_object_alloc(sizeof(*qp), "Queue pair");
	if (!qp)
		return -ENOMEM;
	qp->type = options->type;
	qp->transport = info->transport;
	qp->send_cq = options->send_cq;
	qp->recv_cq = options->recv_cq;
	qp->srq = options->srq;
	qp->context = options->context;
	qp->max_wqe_units = info->sends ? seguei_qp_wqe_units(options) : 0;
	qp->streams = options->dci_log_streams ? 1u << options->dci_log_streams : 0;
	qp->adopted = adopted != NULL;
	qp->qp = adopted ? adopted : create(pd, options);
	if (!qp->qp) {
		ret = errno ? errno : EIO;
		ret = seguei_fail(ret, "No %s queue pair with %u sends of %u pieces and %u inline bytes, %u receives of %u pieces: %s%s%s.",
				  info->name, options->max_send_wr, options->max_send_sge, options->max_inline,
				  options->max_recv_wr, options->max_recv_sge, strerror(ret),
				  ring_hint(ret), seguei_memlock_hint(ret));
		goto err_free;
	}
	ret = seguei_qp_init_rings(qp);
	if (!ret)
		ret = seguei_qp_attach(qp);
	if (ret)
		goto err_destroy;
	seguei_object_open(&qp->object, &seguei_qp_kind, &pd->object);
	qp->object.handle = qp->qp;
	qp->object.number = qp->qp->qp_num;
	use(qp, options);
	seguei_qp_set_state(qp, qp->transport->initial);
	*out = qp;
	return 0;

err_destroy:
	if (!adopted)
		ibv_destroy_qp(qp->qp);
err_free:
	free(qp->slots);
	free(qp->wr_ids);
	free(qp);
	return ret;
}

int segue_qp_open(struct segue_pd *pd, const struct segue_qp_options *options, struct segue_qp **out)
{
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_qp_open()");

	if (!ret)
		ret = check_options(pd, options);
	return ret ? ret : make_qp(pd, options, NULL, out);
}

static enum segue_qp_type type_of(const struct ibv_qp *qp)
{
	enum segue_qp_type type;

	for (type = SEGUE_QP_RC; type <= SEGUE_QP_RAW_PACKET; type = (enum segue_qp_type)(type + 1))
		if (seguei_qp_info(type)->verbs == (int)qp->qp_type && qp->qp_type != IBV_QPT_DRIVER)
			return type;
	return SEGUE_QP_NONE;
}

/* Are these the queues that the queue pair was made with? */
static int check_queues(const struct segue_qp_options *options, const struct ibv_qp *qp)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(options->type);

	if ((info->sends && verbs_cq_of(options->send_cq) != qp->send_cq) ||
	    (info->receives && verbs_cq_of(options->recv_cq) != qp->recv_cq))
		return seguei_fail(EINVAL, "segue_qp_adopt(): queue pair 0x%x completes elsewhere; adopt its own completion queues first.",
				   qp->qp_num);
	if (info->receives && verbs_srq_of(options->srq) != qp->srq)
		return seguei_fail(EINVAL, "segue_qp_adopt(): queue pair 0x%x %s.", qp->qp_num,
				   qp->srq ? "takes its receives from another shared queue; adopt that one first, and name it as srq"
					   : "has receives of its own; leave srq out");
	return 0;
}

/* How large it was made, and its state. The kernel does not tell either of a DCT, which has no ring; libibverbs knows the latter. */
static int ask_verbs(struct ibv_qp *qp, struct segue_qp_options *options, uint32_t *state)
{
	struct ibv_qp_init_attr init;
	struct ibv_qp_attr attr;
	int ret;

	*state = (uint32_t)qp->state;
	if (options->type == SEGUE_QP_DCT)
		return 0;
	ret = ibv_query_qp(qp, &attr, IBV_QP_STATE | IBV_QP_CAP, &init); /* returns the error number */
	if (ret)
		return seguei_fail(ret, "segue_qp_adopt(): queue pair 0x%x cannot be queried: %s.", qp->qp_num, strerror(ret));
	*state = (uint32_t)attr.qp_state;
	options->max_send_wr = init.cap.max_send_wr;
	options->max_send_sge = init.cap.max_send_sge;
	options->max_inline = init.cap.max_inline_data;
	return 0;
}

int segue_qp_adopt(struct segue_pd *pd, struct ibv_qp *qp, const struct segue_qp_options *options, struct segue_qp **out)
{
	struct segue_qp_options wanted = *options;
	uint32_t state;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_qp_adopt()");
	if (ret)
		return ret;
	if (!qp || qp->context != pd->pd->context)
		return seguei_fail(EINVAL, "segue_qp_adopt(): the queue pair %s.",
				   qp ? "is on another verbs context than the domain" : "is NULL");
	if (wanted.type == SEGUE_QP_NONE)
		wanted.type = type_of(qp);
	if (!seguei_qp_info(wanted.type) || seguei_qp_info(wanted.type)->verbs != (int)qp->qp_type)
		return seguei_fail(ENOTSUP, "segue_qp_adopt(): queue pair 0x%x is of another type than asked for, or of an unknown one.",
				   qp->qp_num);
	ret = check_queues(&wanted, qp);
	if (!ret)
		ret = ask_verbs(qp, &wanted, &state);
	if (!ret)
		ret = make_qp(pd, &wanted, qp, out);
	if (!ret)
		seguei_qp_set_state(*out, state);
	return ret;
}

int segue_qp_close(struct segue_qp *qp)
{
	return seguei_object_close((struct seguei_object *)qp, &seguei_qp_kind);
}

struct ibv_qp *segue_qp_ibv(struct segue_qp *qp)
{
	return qp->qp;
}

/* NULL if the queue pair is of the type. */
static const char *other_type(const struct segue_qp *qp, enum segue_qp_type type)
{
	if (qp->type == type)
		return NULL;
	seguei_fail(EINVAL, "Queue pair 0x%x is of type %s, not %s.", qp->object.number, seguei_qp_info(qp->type)->name,
		    seguei_qp_info(type)->name);
	return segue_errmsg();
}

struct segue_rc_sq *segue_qp_rc(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_RC) ? NULL : &qp->sq.rc;
}

struct segue_uc_sq *segue_qp_uc(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_UC) ? NULL : &qp->sq.uc;
}

struct segue_ud_sq *segue_qp_ud(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_UD) ? NULL : &qp->sq.ud;
}

struct segue_xrc_initiator_sq *segue_qp_xrc_initiator(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_XRC_INITIATOR) ? NULL : &qp->sq.xrc_initiator;
}

struct segue_dci_sq *segue_qp_dci(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_DCI) ? NULL : &qp->sq.dci;
}

struct segue_raw_packet_sq *segue_qp_raw_packet(struct segue_qp *qp)
{
	return other_type(qp, SEGUE_QP_RAW_PACKET) ? NULL : &qp->sq.raw_packet;
}

struct segue_rq *segue_qp_rq(struct segue_qp *qp)
{
	if (qp->has_rq)
		return &qp->rq;
	seguei_fail(EINVAL, "Queue pair 0x%x has no receive queue of its own%s.", qp->object.number,
		    qp->srq ? "; post to its shared receive queue" : "");
	return NULL;
}
