/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The verbs object of a queue pair, the places of its rings, and its entries in completion queues.
 *
 * A ring has room for max_send_wr of Segue's own largest requests plus one, whatever libmlx5
 * calculates.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/command.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/device/uar.h"
#include "runtime/object/qp/cross_channel.h"
#include "runtime/object/qp/qp.h"
#include "runtime/object/srq/srq.h"
#include "runtime/ring/split.h"
#include "segue/base.h"
#include "segue/detail/build.h"
#include "segue/detail/bytes.h"
#include "segue/lock.h"

/* A ring has at least this many blocks, and this many largest requests. */
#define RING_BLOCKS_MIN 8u
#define RING_WQES_MIN   4u

/* MLX5DV_QP_CREATE_OOO_DP of rdma-core 55 and later. Earlier versions refuse it. */
#define CREATE_OOO_DP (1u << 7)

static uint32_t create_flags(const struct segue_qp_options *options)
{
	uint32_t flags = 0;

	if (!options->scatter_to_cqe)
		flags |= MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE;
	if (options->scatter_reads_to_cqe)
		flags |= MLX5DV_QP_CREATE_ALLOW_SCATTER_TO_CQE;
	if (options->out_of_order)
		flags |= CREATE_OOO_DP;
	if (options->tunnel_offloads)
		flags |= MLX5DV_QP_CREATE_TUNNEL_OFFLOADS;
	if (options->signature_pipelining)
		flags |= MLX5DV_QP_CREATE_SIG_PIPELINING;
	if (options->packet_based_credit)
		flags |= MLX5DV_QP_CREATE_PACKET_BASED_CREDIT_MODE;
	if (options->loopback_unicast)
		flags |= MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_UC;
	if (options->loopback_multicast)
		flags |= MLX5DV_QP_CREATE_TIR_ALLOW_SELF_LOOPBACK_MC;
	return flags;
}

static void fill_mlx5(const struct segue_qp_options *options, struct mlx5dv_qp_init_attr *mlx5)
{
	memset(mlx5, 0, sizeof(*mlx5));
	mlx5->create_flags = create_flags(options);
	if (mlx5->create_flags)
		mlx5->comp_mask = MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
	if (options->type == SEGUE_QP_DCT) {
		mlx5->comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5->dc_init_attr.dc_type = MLX5DV_DCTYPE_DCT;
		mlx5->dc_init_attr.dct_access_key = options->dc_key;
	}
	if (options->type == SEGUE_QP_DCI) {
		mlx5->comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DC;
		mlx5->dc_init_attr.dc_type = MLX5DV_DCTYPE_DCI;
	}
	if (options->device_memcpy) {
		mlx5->comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_SEND_OPS_FLAGS;
		mlx5->send_ops_flags = MLX5DV_QP_EX_WITH_MEMCPY;
	}
	if (options->dci_log_streams) {
		mlx5->comp_mask |= MLX5DV_QP_INIT_ATTR_MASK_DCI_STREAMS;
		mlx5->dc_init_attr.dci_streams.log_num_concurent = options->dci_log_streams;
		mlx5->dc_init_attr.dci_streams.log_num_errored = options->dci_log_errored;
	}
}

static void fill_verbs(struct ibv_pd *pd, const struct segue_qp_options *options, uint32_t send_wr,
		       struct ibv_qp_init_attr_ex *attr)
{
	memset(attr, 0, sizeof(*attr));
	attr->qp_type = (enum ibv_qp_type)seguei_qp_info(options->type)->verbs;
	attr->comp_mask = IBV_QP_INIT_ATTR_PD;
	attr->pd = pd;
	attr->send_cq = seguei_cq_verbs_of(options->send_cq);
	attr->recv_cq = seguei_cq_verbs_of(options->recv_cq);
	/* The kernel requires both queues for these two. */
	if (options->type == SEGUE_QP_DCI)
		attr->recv_cq = attr->send_cq;
	if (options->type == SEGUE_QP_DCT)
		attr->send_cq = attr->recv_cq;
	attr->srq = seguei_srq_verbs_of(options->srq);
	attr->cap.max_send_wr = send_wr;
	attr->cap.max_send_sge = options->max_send_sge;
	attr->cap.max_inline_data = options->max_inline;
	if (options->max_recv_wr) {
		/* one stays free, for the builder */
		attr->cap.max_recv_wr = options->max_recv_wr + 1;
		attr->cap.max_recv_sge = options->max_recv_sge;
	}
	if (options->xrcd) {
		attr->comp_mask = IBV_QP_INIT_ATTR_XRCD;
		attr->pd = NULL;
		attr->xrcd = options->xrcd->xrcd;
	}
}

static struct ibv_qp *create_once(struct ibv_pd *pd, const struct segue_qp_options *options,
				  uint32_t send_wr)
{
	struct mlx5dv_qp_init_attr mlx5;
	struct ibv_qp_init_attr_ex attr;

	fill_mlx5(options, &mlx5);
	fill_verbs(pd, options, send_wr, &attr);
	return mlx5dv_create_qp(pd->context, &attr, mlx5.comp_mask ? &mlx5 : NULL);
}

static int ask_ring(struct ibv_qp *qp, struct mlx5dv_qp *dv)
{
	struct mlx5dv_obj obj = {.qp = {.in = qp, .out = dv}};
	int ret;

	memset(dv, 0, sizeof(*dv));
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_QP);
	return ret ? seguei_fail(ret > 0 ? ret : EIO,
				 "Queue pair 0x%x: libmlx5 does not say where its rings are.",
				 qp->qp_num)
		   : 0;
}

uint32_t seguei_qp_ring_blocks(const struct segue_qp_options *options)
{
	const uint32_t blocks = (seguei_qp_wqe_units(options) + SEGUEI_UNITS_PER_BLOCK - 1) /
				SEGUEI_UNITS_PER_BLOCK;
	uint32_t wanted = blocks * (options->max_send_wr + 1); /* one stays free, for the builder */

	if (wanted < RING_BLOCKS_MIN)
		wanted = RING_BLOCKS_MIN;
	return wanted < RING_WQES_MIN * blocks ? RING_WQES_MIN * blocks : wanted;
}

/*
 * Creates the verbs object. libmlx5 sizes the ring by its own largest request, which is usually
 * larger than ours. Otherwise the ring would hold fewer than max_send_wr of our requests, so a
 * larger one is requested.
 */
struct ibv_qp *seguei_qp_create(struct ibv_pd *pd, const struct segue_qp_options *options)
{
	const uint32_t wanted = seguei_qp_info(options->type)->sends
					? seguei_qp_ring_blocks(options)
					: 0;
	uint32_t send_wr = options->max_send_wr;
	struct mlx5dv_qp dv;
	struct ibv_qp *qp;

	for (;;) {
		qp = create_once(pd, options, send_wr);
		if (!qp || !wanted || ask_ring(qp, &dv) || dv.sq.wqe_cnt >= wanted)
			return qp;
		ibv_destroy_qp(qp);
		send_wr = send_wr * 2 > RING_BLOCKS_MIN ? send_wr * 2 : RING_BLOCKS_MIN;
	}
}

/*
 * Called once, because the register stays. libmlx5 also gives a context's registers to its own
 * queue pairs, and does not report which. So copies go only to registers of contexts that Segue has
 * opened, and of thread domains.
 */
static int join_uar(struct segue_qp *qp, const struct mlx5dv_qp *dv)
{
	if (qp->uar || !dv->bf.size || !qp->counts_users || !seguei_uar_copies_wanted())
		return 0;
	qp->uar = seguei_uar_join(dv->bf.reg, qp->td || qp->own_register);
	return qp->uar ? 0 : -ENOMEM;
}

/*
 * The number of blocks that was requested. The ring may have more, but completion queues would need
 * entries for them, too.
 */
static uint32_t most_blocks(const struct segue_qp *qp, uint32_t ring)
{
	const uint32_t largest = (qp->max_wqe_units + SEGUEI_UNITS_PER_BLOCK - 1) /
				 SEGUEI_UNITS_PER_BLOCK;
	const uint32_t wanted = qp->max_blocks > largest ? qp->max_blocks : largest;

	return wanted < ring - largest ? wanted : 0;
}

/* In whole blocks, as aligned memory requires. */
static size_t spare_bytes(void)
{
	const size_t bytes = sizeof(struct segue_sq_spare) + SEGUEI_BLOCK - 1;

	return bytes - bytes % SEGUEI_BLOCK;
}

static int init_sq(struct segue_qp *qp, const struct mlx5dv_qp *dv)
{
	void (*const watch)(void *arg, uint32_t pi) = qp->sq.any.watch;
	void *const watch_arg = qp->sq.any.watch_arg;
	const struct seguei_counts counts = qp->sq.any.counts; /* a RESET keeps them */
	struct segue_sq_init_options attr = {0};
	int ret;

	if (!qp->slots)
		qp->slots = calloc(dv->sq.wqe_cnt, sizeof(*qp->slots));
	if (!qp->slots)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for %u send slots.",
				   qp->qp->qp_num, dv->sq.wqe_cnt);
	if (qp->adopted && !qp->spare)
		qp->spare = aligned_alloc(SEGUEI_BLOCK, spare_bytes());
	if (qp->adopted && !qp->spare)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for a request.",
				   qp->qp->qp_num);
	if (join_uar(qp, dv))
		return -ENOMEM;
	attr.buf = dv->sq.buf;
	attr.wqe_cnt = dv->sq.wqe_cnt;
	attr.max_wqe_units = qp->max_wqe_units;
	attr.max_blocks = most_blocks(qp, dv->sq.wqe_cnt);
	attr.spare = qp->spare;
	attr.max_requests = qp->max_blocks;
	attr.dbrec = (uint32_t *)dv->dbrec + SEGUE_DBREC_SND;
	attr.bf_reg = dv->bf.reg;
	attr.bf_size = qp->uar ? dv->bf.size : 0;
	attr.uar = qp->uar;
	attr.qpn = qp->qp->qp_num;
	if (qp->cross && qp->cross->managed) {
		attr.dbrec = &qp->cross->nobodys_record;
		attr.bf_reg = &qp->cross->nobodys_bell;
	}
	attr.first_index = segue_get_be32((const uint8_t *)attr.dbrec);
	attr.slots = qp->slots;
	attr.max_tso = qp->max_tso;
	ret = segue_sq_init(&qp->sq.any, &attr);
	qp->sq.any.counts = counts;
	if (!ret && qp->verbs.may_fill)
		seguei_qp_let_fill(qp);
	if (!ret && qp->halves)
		segue_sq_split(&qp->sq.any, &qp->halves->sq);
	if (ret || !watch)
		return ret;
	/* an observer of the first request also sees the first one after a RESET */
	qp->sq.any.watch = watch;
	qp->sq.any.watch_arg = watch_arg;
	seguei_sq_watch_next(&qp->sq.any);
	return 0;
}

void seguei_qp_let_fill(struct segue_qp *qp)
{
	qp->verbs.may_fill = true;
	qp->sq.any.silent_reserve = 0;
}

static int init_rq(struct segue_qp *qp, const struct mlx5dv_qp *dv)
{
	const struct seguei_counts counts = qp->rq.ring.counts;
	struct segue_rq_init_options attr = {0};
	int ret;

	if (!qp->wr_ids)
		qp->wr_ids = calloc(dv->rq.wqe_cnt, sizeof(*qp->wr_ids));
	if (!qp->wr_ids)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for %u receives.",
				   qp->qp->qp_num, dv->rq.wqe_cnt);
	if (qp->adopted && !qp->recv_spare)
		qp->recv_spare = aligned_alloc(SEGUEI_BLOCK, sizeof(*qp->recv_spare));
	if (qp->adopted && !qp->recv_spare)
		return seguei_fail(ENOMEM, "Queue pair 0x%x: no memory for a receive.",
				   qp->qp->qp_num);
	attr.buf = dv->rq.buf;
	attr.wqe_cnt = dv->rq.wqe_cnt;
	attr.stride = dv->rq.stride;
	attr.max_posted = qp->max_recv_wr < attr.wqe_cnt ? qp->max_recv_wr : 0;
	attr.spare = qp->recv_spare;
	attr.dbrec = (uint32_t *)dv->dbrec + SEGUE_DBREC_RCV;
	attr.qpn = qp->qp->qp_num;
	attr.first_index = segue_get_be32((const uint8_t *)attr.dbrec);
	attr.wr_ids = qp->wr_ids;
	qp->rq_record = attr.dbrec;
	ret = segue_rq_init(&qp->rq, &attr);
	qp->rq.ring.counts = counts;
	if (!ret && qp->halves)
		segue_rq_split(&qp->rq, &qp->halves->rq);
	return ret;
}

void seguei_qp_catch_up(struct segue_qp *qp)
{
	seguei_sq_catch_up(&qp->sq.any);
	seguei_recv_catch_up(&qp->rq.ring);
}

int seguei_qp_init_rings(struct segue_qp *qp)
{
	struct mlx5dv_qp dv;
	int ret = 0;

	if (!seguei_qp_info(qp->type)->sends && !seguei_qp_info(qp->type)->receives)
		return 0;
	if (seguei_qp_info(qp->type)->shared_only)
		return 0; /* a DCT has no ring at all */
	if (qp->cross)
		seguei_cross_rings(qp->cross, &dv);
	else
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

/* Some queue pairs never complete there, such as an adopted one without sends. */
static int attach_if_any(struct segue_cq *cq, const struct segue_cq_queue *queue)
{
	return queue->sq || queue->rq || queue->srq ? segue_cq_attach(cq, queue) : 0;
}

/*
 * Completions of its receives contain an index instead of a number. If the device does not report
 * the index, a completion queue can serve one such queue pair.
 */
static bool receives_by_index(const struct segue_qp *qp)
{
	return qp->type == SEGUE_QP_RAW_PACKET && qp->has_rq;
}

/* The index by which completions of its receives name it, instead of its number. */
static struct segue_cq_queue receiver(struct segue_qp *qp)
{
	return (struct segue_cq_queue){
		.key = qp->has_receive_index ? SEGUE_CQ_BY_USER_INDEX : SEGUE_CQ_BY_DEFAULT,
		.number = qp->has_receive_index ? qp->receive_index : 0,
		.rq = qp->type == SEGUE_QP_DCT ? NULL : &qp->rq,
		.srq = qp->type == SEGUE_QP_DCT ? qp->srq : NULL,
		.context = qp->context,
	};
}

static int attach_by_index(struct segue_qp *qp)
{
	struct segue_cq_queue queue;

	qp->has_receive_index = qp->names_indices &&
				!seguei_command_sq_index(qp->qp, &qp->receive_index);
	queue = receiver(qp);
	return segue_cq_attach(qp->recv_cq, &queue);
}

/*
 * Receives of a DCT are found by index, too. The number that a card puts beside it is not
 * documented, and libmlx5 ignores it. If it is the DCT's own number, they take the fast path.
 * Source: rdma-core providers/mlx5/cq.c, get_cur_rsc().
 */
static int attach_dct_index(struct segue_qp *qp)
{
	struct segue_cq_queue queue;

	qp->has_receive_index = qp->names_indices &&
				!seguei_command_dct_index(qp->qp, &qp->receive_index);
	queue = receiver(qp);
	return qp->has_receive_index ? segue_cq_attach(qp->recv_cq, &queue) : 0;
}

/* Attaches it by its number, which both sides have in common if they share one completion queue. */
static int attach_by_number(struct segue_qp *qp)
{
	struct segue_cq_queue sends = {0}, receives;
	int ret;

	sends.number = qp->qp->qp_num;
	sends.address_bytes = seguei_qp_info(qp->type)->address_bytes;
	sends.context = qp->context;
	receives = sends;
	if (!receives_by_index(qp)) {
		receives.rq = qp->has_rq ? &qp->rq : NULL;
		receives.srq = qp->srq;
	}
	sends.sq = qp->has_sq ? &qp->sq.any : NULL;
	if (qp->recv_cq == qp->send_cq) {
		receives.sq = sends.sq;
		sends.sq = NULL;
	}
	ret = attach_if_any(qp->send_cq, &sends);
	if (ret)
		return ret;
	ret = attach_if_any(qp->recv_cq, &receives);
	if (ret && sends.sq)
		(void)segue_cq_detach(qp->send_cq, &sends);
	return ret;
}

/* An error only shows that a completion queue does not know the queue pair, so it is ignored. */
static void detach_number(const struct segue_qp *qp, struct segue_cq *cq)
{
	const struct segue_cq_queue queue = {.number = qp->attached};

	if (cq)
		(void)segue_cq_detach(cq, &queue);
}

static void detach_by_number(struct segue_qp *qp)
{
	detach_number(qp, qp->send_cq);
	qp->attached = 0;
}

int seguei_qp_attach(struct segue_qp *qp)
{
	int ret;

	if (qp->attached || !qp->qp->qp_num || qp->type == SEGUE_QP_XRC_TARGET)
		return 0;
	ret = attach_by_number(qp);
	if (ret)
		return ret;
	qp->attached = qp->qp->qp_num;
	if (receives_by_index(qp))
		ret = attach_by_index(qp);
	else if (qp->type == SEGUE_QP_DCT)
		ret = attach_dct_index(qp);
	if (ret && qp->type == SEGUE_QP_DCT)
		detach_number(qp, qp->recv_cq);
	if (ret)
		detach_by_number(qp);
	return ret;
}

void seguei_qp_detach(struct segue_qp *qp)
{
	const struct segue_cq_queue queue = receiver(qp);

	if (!qp->attached)
		return;
	if (receives_by_index(qp) || (qp->type == SEGUE_QP_DCT && qp->has_receive_index))
		(void)segue_cq_detach(qp->recv_cq, &queue);
	if (qp->recv_cq != qp->send_cq && !receives_by_index(qp))
		detach_number(qp, qp->recv_cq);
	detach_by_number(qp);
}
