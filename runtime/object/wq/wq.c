/* SPDX-License-Identifier: BSD-2-Clause */
/* Receive work queues, and the queue pair that feeds them, as striding and RSS need both. */
#include "runtime/object/wq/wq.h"

#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/pd.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"

/* ---- queues ---- */

static int check_range(const char *what, const char *option, uint32_t value, uint32_t min,
		       uint32_t max)
{
	return value >= min && value <= max
		       ? 0
		       : seguei_fail(EINVAL, "A %s: %s is %u, expected %u to %u.", what, option,
				     value, min, max);
}

static int check_strides(const struct segue_device *device, const struct seguei_wq_options *options)
{
	const struct segue_caps *caps = &device->caps;
	int ret;

	if (seguei_cq_object_of(options->cq)->compresses &&
	    options->cq->ring.minis != SEGUE_MINI_CQE_FORMAT_CSUM_STRIDX)
		return seguei_fail(EINVAL,
				   "A %s: its completion queue 0x%x compresses, but not in the "
				   "format CSUM_STRIDX, which alone keeps where a frame "
				   "begins; set compress_format.",
				   options->what, options->cq->cqn);

	if (!caps->striding_rq)
		return seguei_fail(ENOTSUP,
				   "A %s: %s has no striding receive queues, or its ports are no "
				   "Ethernet ports.",
				   options->what, segue_device_name(device));
	ret = check_range(options->what, "log_stride", options->log_stride,
			  caps->striding_min_log_bytes, caps->striding_max_log_bytes);
	if (!ret)
		ret = check_range(options->what, "log_strides", options->log_strides,
				  caps->striding_min_log_strides, caps->striding_max_log_strides);
	return ret;
}

static int check(struct segue_pd *pd, const struct seguei_wq_options *options)
{
	const struct segue_device *device = seguei_device_of(&pd->object);
	int ret;

	if (!options->cq)
		return seguei_fail(EINVAL, "A %s: cq is NULL, expected a completion queue.",
				   options->what);
	ret = seguei_cq_need_kernel(options->cq, options->what);
	if (!ret)
		ret = seguei_cq_check_unpolled(options->cq, options->what);
	if (ret)
		return ret;
	ret = check_range(options->what, "max_wr", options->max_wr, 1, device->caps.max_qp_wr - 1);
	if (!ret)
		ret = check_range(options->what, "max_sge", options->max_sge, 1,
				  device->caps.max_sge);
	if (!ret && seguei_wq_strides(options))
		ret = check_strides(device, options);
	return ret;
}

static int make_verbs(struct seguei_wq *wq, struct segue_pd *pd,
		      const struct seguei_wq_options *options)
{
	struct mlx5dv_wq_init_attr mlx5 = {0};
	struct ibv_wq_init_attr attr = {0};

	attr.wq_type = IBV_WQT_RQ;
	attr.max_wr = options->max_wr + 1; /* one stays free, for the builder */
	attr.max_sge = options->max_sge;
	attr.pd = pd->pd;
	attr.cq = seguei_cq_verbs_of(options->cq);
	if (wq->striding) {
		mlx5.comp_mask = MLX5DV_WQ_INIT_ATTR_MASK_STRIDING_RQ;
		mlx5.striding_rq_attrs.single_stride_log_num_of_bytes = options->log_stride;
		mlx5.striding_rq_attrs.single_wqe_log_num_of_strides = options->log_strides;
		mlx5.striding_rq_attrs.two_byte_shift_en = options->shift;
	}
	wq->verbs = mlx5dv_create_wq(pd->pd->context, &attr, &mlx5);
	return wq->verbs ? 0 : -errno;
}

static int start(struct seguei_wq *wq)
{
	struct ibv_wq_attr attr = {0};

	attr.attr_mask = IBV_WQ_ATTR_STATE;
	attr.wq_state = IBV_WQS_RDY;
	return -ibv_modify_wq(wq->verbs, &attr); /* returns the error number */
}

static int not_made(const struct seguei_wq_options *options, int ret)
{
	const char *more = ret == -EPERM ? "; it takes CAP_NET_RAW" : seguei_memlock_hint(-ret);

	if (!seguei_wq_strides(options))
		return seguei_fail(-ret, "No %s of %u receives: %s%s.", options->what,
				   options->max_wr, strerror(-ret), more);
	return seguei_fail(-ret, "No %s of %u buffers with 2^%u strides of 2^%u bytes: %s%s.",
			   options->what, options->max_wr, options->log_strides,
			   options->log_stride, strerror(-ret), more);
}

static int init_ring(struct seguei_wq *wq, const struct seguei_wq_options *options)
{
	struct segue_rq_init_options attr = {0};
	struct mlx5dv_rwq dv = {0};
	struct mlx5dv_obj obj = {.rwq = {.in = wq->verbs, .out = &dv}};
	int ret;

	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_RWQ);
	if (ret)
		return seguei_fail(ret > 0 ? ret : EIO,
				   "A %s: libmlx5 does not say where its ring is.", options->what);
	wq->wr_ids = calloc(dv.wqe_cnt, sizeof(*wq->wr_ids));
	wq->next = calloc(dv.wqe_cnt, sizeof(*wq->next));
	if (!wq->wr_ids || !wq->next)
		return seguei_fail(ENOMEM, "A %s: no memory for %u receives.", options->what,
				   dv.wqe_cnt);
	attr.buf = dv.buf;
	attr.wqe_cnt = dv.wqe_cnt;
	attr.stride = dv.stride;
	attr.max_posted = options->max_wr;
	attr.dbrec = (uint32_t *)dv.dbrec + SEGUE_DBREC_RCV;
	attr.qpn = wq->verbs->wq_num;
	attr.wr_ids = wq->wr_ids;
	if (!wq->striding)
		return segue_rq_init(&wq->rq, &attr);
	attr.next = wq->next;
	attr.unlinked = true;
	attr.least = UINT64_C(1) << (options->log_stride + options->log_strides);
	wq->strides.each = 1u << options->log_strides;
	wq->strides.context = options->context;
	return segue_mprq_init(&wq->strides.mprq, &attr);
}

static int attach(struct seguei_wq *wq, const struct seguei_wq_options *options)
{
	/* one frame per stride */
	const uint64_t completions = (uint64_t)options->max_wr << options->log_strides;
	const struct seguei_cq_claim claim = {
		.cq = options->cq,
		.receives = completions > UINT32_MAX ? UINT32_MAX : (uint32_t)completions};
	const struct segue_cq_queue receiver = {
		.key = SEGUE_CQ_BY_DEFAULT, .rq = &wq->rq, .context = options->context};
	int ret = seguei_cq_reserve(&claim, options->what, wq->verbs->wq_num);

	if (ret)
		return ret;
	wq->claim = claim;
	ret = wq->striding ? seguei_cq_attach_strides(options->cq, &wq->strides)
			   : segue_cq_attach(options->cq, &receiver);
	wq->attached = !ret;
	return ret;
}

static int open_wq(struct seguei_wq *wq, struct segue_pd *pd,
		   const struct seguei_wq_options *options)
{
	int ret;

	wq->cq = options->cq;
	wq->striding = seguei_wq_strides(options);
	ret = make_verbs(wq, pd, options);
	if (!ret)
		ret = start(wq);
	if (ret)
		return not_made(options, ret);
	ret = init_ring(wq, options);
	return ret ? ret : attach(wq, options);
}

/* Returns 0 or an error number. EIO means that the device is gone, and no more can be done. */
static int destroy_wq(struct seguei_wq *wq)
{
	const int ret = wq->verbs ? ibv_destroy_wq(wq->verbs) : 0;

	if (!ret)
		wq->verbs = NULL;
	return ret;
}

static void free_wq(struct seguei_wq *wq)
{
	const struct segue_cq_queue receiver = {.key = SEGUE_CQ_BY_DEFAULT};

	if (wq->attached && wq->striding)
		seguei_cq_detach_strides(wq->cq);
	else if (wq->attached)
		(void)segue_cq_detach(wq->cq, &receiver);
	wq->attached = false;
	seguei_cq_release(&wq->claim);
	free(wq->wr_ids);
	free(wq->next);
	wq->rq.ring.checked_owner = SEGUEI_OWNER_CLOSED;
}

/* ---- the queue pair in front of them ---- */

struct seguei_spread *seguei_spread_alloc(const char *whose, uint32_t queues)
{
	struct seguei_spread *spread = seguei_object_alloc(
		sizeof(*spread) + queues * sizeof(*spread->wqs), whose);

	if (!spread)
		return NULL;
	spread->object.uses_more = calloc(queues, sizeof(struct seguei_object *));
	spread->object.uses_room = queues;
	if (spread->object.uses_more)
		return spread;
	(void)seguei_fail(ENOMEM, "%s: no memory for %u queues.", whose, queues);
	free(spread);
	return NULL;
}

int seguei_spread_add(struct seguei_spread *spread, struct segue_pd *pd,
		      const struct seguei_wq_options *options)
{
	const int ret = check(pd, options);

	return ret ? ret : open_wq(&spread->wqs[spread->queues++], pd, options);
}

int seguei_spread_make(struct seguei_spread *spread, struct segue_pd *pd,
		       const struct seguei_spread_options *options)
{
	struct ibv_rwq_ind_table_init_attr table = {0};
	struct ibv_qp_init_attr_ex attr = {0};

	table.log_ind_tbl_size = options->log_entries;
	table.ind_tbl = options->table;
	spread->table = ibv_create_rwq_ind_table(pd->pd->context, &table);
	if (!spread->table)
		return -errno;
	attr.qp_type = IBV_QPT_RAW_PACKET;
	attr.comp_mask = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_RX_HASH |
			 IBV_QP_INIT_ATTR_IND_TABLE;
	attr.pd = pd->pd;
	attr.rwq_ind_tbl = spread->table;
	attr.rx_hash_conf.rx_hash_function = IBV_RX_HASH_FUNC_TOEPLITZ;
	attr.rx_hash_conf.rx_hash_key_len = SEGUEI_HASH_KEY;
	attr.rx_hash_conf.rx_hash_key = (uint8_t *)(uintptr_t)options->key; /* it is only read */
	attr.rx_hash_conf.rx_hash_fields_mask = options->fields;
	spread->qp = ibv_create_qp_ex(pd->pd->context, &attr);
	return spread->qp ? 0 : -errno;
}

void seguei_spread_open(struct seguei_spread *spread, struct segue_pd *pd,
			const struct seguei_kind *kind, uint32_t number)
{
	uint32_t i;

	spread->object.number = number;
	seguei_object_open(&spread->object, kind, &pd->object, seguei_key_of(spread->qp));
	for (i = 0; i < spread->queues; i++)
		seguei_object_use(&spread->object, &seguei_cq_object_of(spread->wqs[i].cq)->object);
}

/* Returns 0, or the error number of an object that cannot be destroyed. */
static int destroy(struct seguei_spread *spread)
{
	int ret = spread->qp ? ibv_destroy_qp(spread->qp) : 0;
	uint32_t i;

	if (!ret || ret == EIO) {
		spread->qp = NULL;
		ret = spread->table ? ibv_destroy_rwq_ind_table(spread->table) : 0;
	}
	if (!ret || ret == EIO)
		spread->table = NULL;
	for (i = 0; i < spread->queues && (!ret || ret == EIO); i++)
		ret = destroy_wq(&spread->wqs[i]);
	return ret;
}

static void free_queues(struct seguei_spread *spread)
{
	uint32_t i;

	for (i = 0; i < spread->queues; i++)
		free_wq(&spread->wqs[i]);
}

void seguei_spread_undo(struct seguei_spread *spread)
{
	(void)destroy(spread);
	free_queues(spread);
	free(spread->object.uses_more);
	free(spread);
}

int seguei_spread_release(struct seguei_object *object)
{
	struct seguei_spread *spread = (struct seguei_spread *)object;
	const int ret = destroy(spread);

	if (ret && ret != EIO)
		return seguei_fail(ret, "The %s 0x%x cannot be closed: %s%s.", object->kind->name,
				   object->number, strerror(ret),
				   ret == EBUSY ? "; destroy the rules that lead to it first" : "");
	free_queues(spread);
	return 0;
}
