/* SPDX-License-Identifier: BSD-2-Clause */
#define _GNU_SOURCE
#include "segue/striding.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq_object.h"
#include "runtime/object/pd.h"
#include "runtime/ring/strides.h"
#include "segue/errmsg.h"

#define HASH_KEY 40 /* bytes; nothing is spread over one queue, but the kernel wants a key. Source: Linux drivers/infiniband/hw/mlx5/qp.c, create_rss_raw_qp_tir() */

struct segue_striding {
	struct seguei_object object; /* first */
	struct seguei_strides strides;
	struct segue_cq *cq;
	struct ibv_wq *wq;
	struct ibv_rwq_ind_table *table;
	struct ibv_qp *qp;
	uint64_t *wr_ids;
	uint16_t *next;
	struct seguei_cq_claim claim;
	bool attached;
};

/* 0 or the error number of what cannot be destroyed. */
static int destroy(struct segue_striding *striding)
{
	int ret = striding->qp ? ibv_destroy_qp(striding->qp) : 0;

	if (!ret || ret == EIO) {
		striding->qp = NULL;
		ret = striding->table ? ibv_destroy_rwq_ind_table(striding->table) : 0;
	}
	if (!ret || ret == EIO) {
		striding->table = NULL;
		ret = striding->wq ? ibv_destroy_wq(striding->wq) : 0;
	}
	return ret;
}

static void undo(struct segue_striding *striding)
{
	if (striding->attached)
		seguei_cq_detach_strides(striding->cq);
	seguei_cq_release(&striding->claim);
	free(striding->wr_ids);
	free(striding->next);
}

static int release_striding(struct seguei_object *object)
{
	struct segue_striding *striding = (struct segue_striding *)object;
	const int ret = destroy(striding);

	if (ret && ret != EIO)
		return seguei_fail(ret, "The striding receive queue 0x%x cannot be closed: %s%s.", object->number, strerror(ret),
				   ret == EBUSY ? "; destroy the rules that lead to it first" : "");
	undo(striding);
	return 0;
}

static const struct seguei_kind striding_kind = {"striding receive queue", SEGUEI_RANK_QP, release_striding};

static int check_range(const char *option, uint32_t value, uint32_t min, uint32_t max)
{
	return value >= min && value <= max
		       ? 0
		       : seguei_fail(EINVAL, "Striding receive queue: %s is %u, expected %u to %u.", option, value, min, max);
}

static int check_options(const struct segue_device *device, const struct segue_striding_options *options)
{
	const struct segue_caps *caps = &device->caps;
	int ret;

	if (!caps->striding_rq)
		return seguei_fail(ENOTSUP, "Striding receive queue: %s has none%s.", segue_device_name(device),
				   ", or its ports are no Ethernet ports");
	if (!options->cq)
		return seguei_fail(EINVAL, "Striding receive queue: cq is NULL, expected a completion queue.");
	ret = check_range("max_wr", options->max_wr, 1, caps->max_qp_wr - 1);
	if (!ret)
		ret = check_range("max_sge", options->max_sge, 1, caps->max_sge);
	if (!ret)
		ret = check_range("log_stride", options->log_stride, caps->striding_min_log_bytes, caps->striding_max_log_bytes);
	if (!ret)
		ret = check_range("log_strides", options->log_strides, caps->striding_min_log_strides, caps->striding_max_log_strides);
	return ret;
}

static int make_wq(struct segue_striding *striding, struct segue_pd *pd, const struct segue_striding_options *options)
{
	struct mlx5dv_wq_init_attr mlx5;
	struct ibv_wq_init_attr attr;

	memset(&attr, 0, sizeof(attr));
	memset(&mlx5, 0, sizeof(mlx5));
	attr.wq_type = IBV_WQT_RQ;
	attr.max_wr = options->max_wr + 1; /* one stays free, for the builder */
	attr.max_sge = options->max_sge;
	attr.pd = pd->pd;
	attr.cq = seguei_cq_verbs_of(options->cq);
	mlx5.comp_mask = MLX5DV_WQ_INIT_ATTR_MASK_STRIDING_RQ;
	mlx5.striding_rq_attrs.single_stride_log_num_of_bytes = options->log_stride;
	mlx5.striding_rq_attrs.single_wqe_log_num_of_strides = options->log_strides;
	mlx5.striding_rq_attrs.two_byte_shift_en = options->shift;
	striding->wq = mlx5dv_create_wq(pd->pd->context, &attr, &mlx5);
	return striding->wq ? 0 : -errno;
}

/* A queue pair without queues of its own, whose frames all go to the one queue. */
static int make_qp(struct segue_striding *striding, struct segue_pd *pd)
{
	static uint8_t key[HASH_KEY];
	struct ibv_rwq_ind_table_init_attr table;
	struct ibv_qp_init_attr_ex attr;

	memset(&table, 0, sizeof(table));
	memset(&attr, 0, sizeof(attr));
	table.ind_tbl = &striding->wq;
	striding->table = ibv_create_rwq_ind_table(pd->pd->context, &table);
	if (!striding->table)
		return -errno;
	attr.qp_type = IBV_QPT_RAW_PACKET;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_RX_HASH | IBV_QP_INIT_ATTR_IND_TABLE;
	attr.pd = pd->pd;
	attr.rwq_ind_tbl = striding->table;
	attr.rx_hash_conf.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
	attr.rx_hash_conf.rx_hash_key_len = sizeof(key);
	attr.rx_hash_conf.rx_hash_key = key;
	striding->qp = ibv_create_qp_ex(pd->pd->context, &attr);
	return striding->qp ? 0 : -errno;
}

static int start(struct segue_striding *striding)
{
	struct ibv_wq_attr attr;

	memset(&attr, 0, sizeof(attr));
	attr.attr_mask = IBV_WQ_ATTR_STATE;
	attr.wq_state = IBV_WQS_RDY;
	return -ibv_modify_wq(striding->wq, &attr); /* returns the error number */
}

static int make_verbs(struct segue_striding *striding, struct segue_pd *pd, const struct segue_striding_options *options)
{
	int ret = make_wq(striding, pd, options);

	if (!ret)
		ret = make_qp(striding, pd);
	if (!ret)
		ret = start(striding);
	if (ret)
		return seguei_fail(-ret, "No striding receive queue of %u buffers with 2^%u strides of 2^%u bytes: %s%s%s.", options->max_wr,
				   options->log_strides, options->log_stride, strerror(-ret),
				   ret == -EPERM ? "; it takes CAP_NET_RAW" : "", seguei_memlock_hint(-ret));
	return 0;
}

static int init_ring(struct segue_striding *striding, const struct segue_striding_options *options)
{
	struct segue_rq_attr attr;
	struct mlx5dv_rwq dv;
	struct mlx5dv_obj obj;
	int ret;

	memset(&dv, 0, sizeof(dv));
	memset(&obj, 0, sizeof(obj));
	memset(&attr, 0, sizeof(attr));
	obj.rwq.in = striding->wq;
	obj.rwq.out = &dv;
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_RWQ);
	if (ret)
		return seguei_fail(ret > 0 ? ret : EIO, "Striding receive queue: libmlx5 does not say where its ring is.");
	striding->wr_ids = calloc(dv.wqe_cnt, sizeof(*striding->wr_ids));
	striding->next = calloc(dv.wqe_cnt, sizeof(*striding->next));
	if (!striding->wr_ids || !striding->next)
		return seguei_fail(ENOMEM, "Striding receive queue: no memory for %u buffers.", dv.wqe_cnt);
	attr.buf = dv.buf;
	attr.wqe_cnt = dv.wqe_cnt;
	attr.stride = dv.stride;
	attr.max_posted = options->max_wr;
	attr.dbrec = (uint32_t *)dv.dbrec + SEGUE_DBREC_RCV;
	attr.qpn = striding->wq->wq_num;
	attr.wr_ids = striding->wr_ids;
	attr.next = striding->next;
	attr.unlinked = true;
	striding->strides.each = 1u << options->log_strides;
	striding->strides.context = options->context;
	return segue_mprq_init(&striding->strides.mprq, &attr);
}

static int make(struct segue_striding *striding, struct segue_pd *pd, const struct segue_striding_options *options)
{
	const uint64_t completions = (uint64_t)options->max_wr << options->log_strides; /* a frame for each stride */
	struct seguei_cq_claim claim = {.cq = options->cq, .receives = completions > UINT32_MAX ? UINT32_MAX : (uint32_t)completions};
	int ret;

	striding->cq = options->cq;
	ret = make_verbs(striding, pd, options);
	if (!ret)
		ret = init_ring(striding, options);
	if (!ret)
		ret = seguei_cq_reserve(&claim, "striding receive queue", striding->wq->wq_num);
	if (ret)
		return ret;
	striding->claim = claim;
	ret = seguei_cq_attach_strides(options->cq, &striding->strides);
	striding->attached = !ret;
	return ret;
}

int segue_striding_open(struct segue_pd *pd, const struct segue_striding_options *options, struct segue_striding **out)
{
	struct segue_striding *striding;
	int ret;

	ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind, "segue_striding_open()");
	if (!ret)
		ret = check_options(seguei_device_of(&pd->object), options);
	if (ret)
		return ret;
	striding = seguei_object_alloc(sizeof(*striding), "Striding receive queue");
	if (!striding)
		return -ENOMEM;
	ret = make(striding, pd, options);
	if (ret) {
		(void)destroy(striding);
		undo(striding);
		free(striding);
		return ret;
	}
	striding->object.number = striding->wq->wq_num;
	seguei_object_open(&striding->object, &striding_kind, &pd->object, seguei_key_of(striding->qp));
	seguei_object_use(&striding->object, &seguei_cq_object_of(options->cq)->object);
	*out = striding;
	return 0;
}

int segue_striding_close(struct segue_striding *striding)
{
	return seguei_object_close((struct seguei_object *)striding, &striding_kind);
}

struct segue_mprq *segue_striding_mprq(struct segue_striding *striding)
{
	return &striding->strides.mprq;
}

struct ibv_qp *segue_striding_ibv(struct segue_striding *striding)
{
	return striding->qp;
}
