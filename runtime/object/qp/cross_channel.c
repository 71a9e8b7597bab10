/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Cross-channel queue pairs, created by the kernel's own commands. The kernel takes their flags,
 * but libibverbs refuses to pass them on. libmlx5 would look for its own state of such a queue
 * pair, so later commands go to the kernel, too, which keeps addresses, states and events. DEVX
 * could create these queue pairs, but would leave all of that to this library.
 *
 * Their doorbell page is the one of libmlx5's completion queues, as the device requires. A managed
 * queue has no doorbell.
 */
#include "runtime/object/qp/cross_channel.h"

#include <errno.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/pd.h"
#include "runtime/object/device/ring_domain.h"
#include "runtime/object/device/uverbs.h"
#include "runtime/object/srq/srq.h"
#include "segue/base.h"
#include "segue/gen/segments.h"

#define RECORD_BYTES SEGUEI_BLOCK /* a cache line of its own */

/* ---- commands ---- */

/* Writes the command of verbs, which contains the address of its answer. 0 or an error number. */
static int ask_kernel(const struct ibv_context *context, uint32_t command, const void *in,
		      size_t in_bytes, size_t out_bytes)
{
	uint64_t bytes[(sizeof(struct ib_uverbs_cmd_hdr) + sizeof(struct ib_uverbs_modify_qp)) /
		       sizeof(uint64_t)];
	const size_t all = sizeof(struct ib_uverbs_cmd_hdr) + in_bytes;
	const struct ib_uverbs_cmd_hdr header = {
		.command = command,
		.in_words = (uint16_t)(all / 4),
		.out_words = (uint16_t)(out_bytes / 4),
	};

	memcpy(bytes, &header, sizeof(header));
	memcpy((uint8_t *)bytes + sizeof(header), in, in_bytes);
	return seguei_uverbs_write(context, bytes, all);
}

struct answer {
	struct ib_uverbs_ex_create_qp_resp verbs;
	struct mlx5_ib_create_qp_resp driver;
};

/* Extended commands count words of 8 bytes, without their headers. */
static int ask_for_queues(const struct ibv_context *context,
			  const struct ib_uverbs_ex_create_qp *verbs,
			  const struct mlx5_ib_create_qp *driver, struct answer *answer)
{
	const struct {
		struct ib_uverbs_cmd_hdr header;
		struct ib_uverbs_ex_cmd_hdr extended;
		struct ib_uverbs_ex_create_qp verbs;
		struct mlx5_ib_create_qp driver;
	} command = {
		.header = {.command = IB_USER_VERBS_CMD_FLAG_EXTENDED |
				      IB_USER_VERBS_EX_CMD_CREATE_QP,
			   .in_words = sizeof(command.verbs) / 8,
			   .out_words = sizeof(answer->verbs) / 8},
		.extended = {.response = (uintptr_t)answer,
			     .provider_in_words = sizeof(command.driver) / 8,
			     .provider_out_words = sizeof(answer->driver) / 8},
		.verbs = *verbs,
		.driver = *driver,
	};

	return seguei_uverbs_write(context, &command, sizeof(command));
}

/* ---- rings ---- */

static uint32_t power_of_two(uint32_t least)
{
	uint32_t n = 1;

	while (n < least)
		n *= 2;
	return n;
}

static size_t rq_bytes(const struct seguei_cross *cross)
{
	return (size_t)cross->rq_entries * cross->rq_stride;
}

size_t seguei_cross_record_at(const struct seguei_cross *cross)
{
	return rq_bytes(cross) + (size_t)cross->sq_blocks * SEGUEI_BLOCK;
}

/*
 * Sizes of rings as in libmlx5: a power of two each, and at least one block. Returns the bytes of
 * both with the record. Source: rdma-core providers/mlx5/verbs.c, mlx5_calc_rq_size().
 */
static size_t size_rings(struct seguei_cross *cross, const struct segue_qp_options *options)
{
	cross->sq_blocks = power_of_two(seguei_qp_ring_blocks(options));
	if (options->max_recv_wr) {
		cross->rq_stride = power_of_two(options->max_recv_sge * SEGUE_SEG_DATA_SIZE);
		/* one stays free, for the builder */
		cross->rq_entries = power_of_two(options->max_recv_wr + 1);
		while (rq_bytes(cross) < SEGUEI_BLOCK)
			cross->rq_entries *= 2;
	}
	return seguei_cross_record_at(cross) + RECORD_BYTES;
}

size_t segue_qp_ring_bytes(const struct segue_qp_options *options)
{
	struct seguei_cross cross = {0};

	return seguei_qp_info(options->type) ? size_rings(&cross, options) : 0;
}

static void *record_of(const struct seguei_cross *cross)
{
	return cross->devx.memory + seguei_cross_record_at(cross);
}

void seguei_cross_rings(const struct seguei_cross *cross, struct mlx5dv_qp *dv)
{
	memset(dv, 0, sizeof(*dv));
	dv->dbrec = record_of(cross);
	dv->rq.buf = cross->devx.memory;
	dv->rq.wqe_cnt = cross->rq_entries;
	dv->rq.stride = cross->rq_stride;
	dv->sq.buf = cross->devx.memory + rq_bytes(cross);
	dv->sq.wqe_cnt = cross->sq_blocks;
	dv->sq.stride = SEGUEI_BLOCK;
	dv->bf.reg = cross->devx.uar->reg_addr; /* for doorbells only, so bf.size stays 0 */
}

/* ---- making and destroying ---- */

bool seguei_command_wanted(const struct segue_qp_options *options)
{
	return options->memory || seguei_cq_by_command(options->send_cq) ||
	       seguei_cq_by_command(options->recv_cq);
}

bool seguei_cross_wanted(const struct segue_qp_options *options)
{
	return options->cross_channel || options->managed_send || seguei_command_wanted(options);
}

static bool is_by_command(const struct segue_qp *qp)
{
	return qp->cross && qp->cross->devx.obj;
}

int seguei_qp_need_kernel(const struct segue_qp *qp, const char *what)
{
	return is_by_command(qp)
		       ? seguei_fail(ENOTSUP,
				     "Queue pair 0x%x: %s is the kernel's, which does not know a "
				     "queue pair on completion queues with compress_enhanced, "
				     "collapsed or memory, nor one with memory.",
				     qp->object.number, what)
		       : 0;
}

static uint32_t handle_of(struct segue_cq *cq)
{
	return cq ? seguei_cq_verbs_of(cq)->handle : 0;
}

/* The kernel wants both completion queues of a DCI. */
static void fill_verbs(const struct seguei_cross *cross, const struct segue_pd *pd,
		       const struct segue_qp_options *options, struct ib_uverbs_ex_create_qp *verbs)
{
	memset(verbs, 0, sizeof(*verbs));
	verbs->user_handle = (uintptr_t)&cross->verbs;
	verbs->pd_handle = pd->pd->handle;
	verbs->send_cq_handle = handle_of(options->send_cq);
	verbs->recv_cq_handle = handle_of(options->recv_cq ? options->recv_cq : options->send_cq);
	if (options->srq) {
		verbs->is_srq = 1;
		verbs->srq_handle = seguei_srq_verbs_of(options->srq)->handle;
	}
	verbs->max_send_wr = options->max_send_wr;
	verbs->max_send_sge = options->max_send_sge;
	verbs->max_inline_data = options->max_inline;
	verbs->max_recv_wr = options->max_recv_wr;
	verbs->max_recv_sge = options->max_recv_sge;
	verbs->qp_type = (uint8_t)seguei_qp_info(options->type)->verbs;
	if (cross->may_enable)
		verbs->create_flags |= SEGUE_QP_CREATE_CROSS_CHANNEL;
	if (cross->managed)
		verbs->create_flags |= SEGUE_QP_CREATE_MANAGED_SEND;
}

static void fill_driver(const struct seguei_cross *cross, const struct segue_qp *qp,
			struct mlx5_ib_create_qp *driver)
{
	memset(driver, 0, sizeof(*driver));
	driver->buf_addr = (uintptr_t)cross->devx.memory;
	driver->db_addr = (uintptr_t)record_of(cross);
	driver->sq_wqe_count = cross->sq_blocks;
	driver->rq_wqe_count = cross->rq_entries;
	driver->rq_wqe_shift = cross->rq_stride ? (uint32_t)__builtin_ctz(cross->rq_stride) : 0;
	driver->flags = MLX5_QP_FLAG_UAR_PAGE_INDEX |
			(qp->type == SEGUE_QP_DCI ? MLX5_QP_FLAG_TYPE_DCI : 0);
	driver->bfreg_index = cross->devx.uar->page_id;
	driver->uidx = qp->names_indices ? SEGUE_USER_INDEX_NOBODYS : SEGUE_USER_INDEX_NONE;
}

static void free_cross(struct segue_qp *qp)
{
	struct seguei_cross *cross = qp->cross;

	seguei_devx_give_back(&cross->devx, qp->rings);
	pthread_cond_destroy(&cross->verbs.cond);
	pthread_mutex_destroy(&cross->verbs.mutex);
	free(cross);
	qp->cross = NULL;
	qp->qp = NULL;
}

/* Fields that libibverbs fills in queue pairs of its own. */
static void fill_object(struct ibv_qp *verbs, const struct segue_pd *pd,
			const struct segue_qp_options *options,
			const struct ib_uverbs_create_qp_resp *made)
{
	verbs->context = pd->pd->context;
	verbs->pd = pd->pd;
	verbs->send_cq = seguei_cq_verbs_of(options->send_cq);
	verbs->recv_cq = seguei_cq_verbs_of(options->recv_cq);
	verbs->srq = seguei_srq_verbs_of(options->srq);
	verbs->handle = made->qp_handle;
	verbs->qp_num = made->qpn;
	verbs->state = IBV_QPS_RESET;
	verbs->qp_type = (enum ibv_qp_type)seguei_qp_info(options->type)->verbs;
}

static int make_by_command(struct segue_qp *qp, struct segue_pd *pd,
			   const struct segue_qp_options *options)
{
	struct ib_uverbs_create_qp_resp made = {.qp_handle = UINT32_MAX}; /* none */
	struct seguei_cross *cross = qp->cross;
	int err = -seguei_devx_open(&cross->devx, pd->pd->context, options->memory);

	if (!err)
		err = seguei_qp_devx_create(qp, pd, options, &made.qpn);
	if (err)
		(void)seguei_devx_close(&cross->devx);
	else
		fill_object(&cross->verbs, pd, options, &made);
	return err;
}

/*
 * The doorbell page is that of libmlx5's completion queues, because with cross_channel the two must
 * be equal. Source: Linux drivers/infiniband/hw/mlx5/qp.c up to v5.6 (create_user_qp(): "In
 * CROSS_CHANNEL CQ and QP must use the same UAR"); rdma-core providers/mlx5/verbs.c, create_cq().
 */
static int make(struct segue_qp *qp, struct segue_pd *pd, const struct segue_qp_options *options)
{
	struct seguei_cross *cross = qp->cross;
	struct ib_uverbs_ex_create_qp verbs;
	struct mlx5_ib_create_qp driver;
	struct answer answer = {0};
	int err;

	if (seguei_command_wanted(options))
		return make_by_command(qp, pd, options);
	/* owned by the context, so it is not freed */
	cross->devx.uar = mlx5dv_devx_alloc_uar(pd->pd->context, MLX5DV_UAR_ALLOC_TYPE_NC);
	if (!cross->devx.uar)
		return EOPNOTSUPP;
	fill_verbs(cross, pd, options, &verbs);
	fill_driver(cross, qp, &driver);
	err = ask_for_queues(pd->pd->context, &verbs, &driver, &answer);
	if (!err)
		fill_object(&cross->verbs, pd, options, &answer.verbs.base);
	return err;
}

int seguei_cross_prepare(struct segue_qp *qp, const struct segue_qp_options *options)
{
	struct seguei_cross *cross = seguei_object_alloc(sizeof(*cross), "Queue pair");
	int ret;

	if (!cross)
		return -ENOMEM;
	cross->may_enable = options->cross_channel;
	cross->managed = options->managed_send;
	cross->lanes_only = options->memory && options->memory->lanes_only;
	ret = seguei_devx_take(&cross->devx, qp->rings, "Queue pair", size_rings(cross, options),
			       options->memory);
	if (ret) {
		free(cross);
		return ret;
	}
	pthread_mutex_init(&cross->verbs.mutex, NULL);
	pthread_cond_init(&cross->verbs.cond, NULL);
	qp->cross = cross;
	return 0;
}

struct ibv_qp *seguei_cross_create(struct segue_qp *qp, struct segue_pd *pd,
				   const struct segue_qp_options *options)
{
	const int err = make(qp, pd, options);

	if (!err)
		return &qp->cross->verbs;
	free_cross(qp);
	errno = err;
	return NULL;
}

/*
 * Waits until no thread is about to acknowledge one of its events. Source: rdma-core
 * libibverbs/cmd.c, ibv_cmd_destroy_qp().
 */
static void wait_for_events(struct ibv_qp *verbs, uint32_t reported)
{
	pthread_mutex_lock(&verbs->mutex);
	while (verbs->events_completed != reported)
		pthread_cond_wait(&verbs->cond, &verbs->mutex);
	pthread_mutex_unlock(&verbs->mutex);
}

int seguei_qp_destroy(struct segue_qp *qp)
{
	struct ib_uverbs_destroy_qp_resp answer = {0};
	struct ib_uverbs_destroy_qp command = {.response = (uintptr_t)&answer};
	int err;

	if (!qp->cross)
		return ibv_destroy_qp(qp->qp);
	if (is_by_command(qp)) {
		err = -seguei_devx_close(&qp->cross->devx);
		if (!err || err == EIO)
			free_cross(qp);
		return err;
	}
	command.qp_handle = qp->qp->handle;
	err = ask_kernel(qp->qp->context, IB_USER_VERBS_CMD_DESTROY_QP, &command, sizeof(command),
			 sizeof(answer));
	if (err && err != EIO)
		return err;
	if (!err)
		wait_for_events(qp->qp, answer.events_reported);
	free_cross(qp);
	return err;
}

/* ---- states ---- */

static void fill_way(const struct ibv_ah_attr *from, struct ib_uverbs_qp_dest *to)
{
	memcpy(to->dgid, from->grh.dgid.raw, sizeof(to->dgid));
	to->flow_label = from->grh.flow_label;
	to->dlid = from->dlid;
	to->sgid_index = from->grh.sgid_index;
	to->hop_limit = from->grh.hop_limit;
	to->traffic_class = from->grh.traffic_class;
	to->sl = from->sl;
	to->src_path_bits = from->src_path_bits;
	to->static_rate = from->static_rate;
	to->is_global = from->is_global;
	to->port_num = from->port_num;
}

static int modify(struct seguei_cross *cross, const struct ibv_qp_attr *attr, int mask)
{
	struct ib_uverbs_modify_qp command;

	memset(&command, 0, sizeof(command));
	fill_way(&attr->ah_attr, &command.dest);
	fill_way(&attr->alt_ah_attr, &command.alt_dest);
	command.qp_handle = cross->verbs.handle;
	command.attr_mask = (uint32_t)mask;
	command.qkey = attr->qkey;
	command.rq_psn = attr->rq_psn;
	command.sq_psn = attr->sq_psn;
	command.dest_qp_num = attr->dest_qp_num;
	command.qp_access_flags = attr->qp_access_flags;
	command.pkey_index = attr->pkey_index;
	command.alt_pkey_index = attr->alt_pkey_index;
	command.qp_state = (uint8_t)attr->qp_state;
	command.cur_qp_state = (uint8_t)attr->cur_qp_state;
	command.path_mtu = (uint8_t)attr->path_mtu;
	command.path_mig_state = (uint8_t)attr->path_mig_state;
	command.en_sqd_async_notify = attr->en_sqd_async_notify;
	command.max_rd_atomic = attr->max_rd_atomic;
	command.max_dest_rd_atomic = attr->max_dest_rd_atomic;
	command.min_rnr_timer = attr->min_rnr_timer;
	command.port_num = attr->port_num;
	command.timeout = attr->timeout;
	command.retry_cnt = attr->retry_cnt;
	command.rnr_retry = attr->rnr_retry;
	command.alt_port_num = attr->alt_port_num;
	command.alt_timeout = attr->alt_timeout;
	return ask_kernel(cross->verbs.context, IB_USER_VERBS_CMD_MODIFY_QP, &command,
			  sizeof(command), 0);
}

int seguei_qp_command(struct segue_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	struct seguei_cross *cross = qp->cross;
	int err;

	if (!cross)
		return ibv_modify_qp(qp->qp, attr, mask);
	err = cross->devx.obj ? seguei_qp_devx_modify(qp, attr, mask) : modify(cross, attr, mask);
	if (err || !(mask & IBV_QP_STATE))
		return err;
	cross->verbs.state = attr->qp_state;
	if (attr->qp_state == IBV_QPS_RESET) {
		/*
		 * The device starts again at index 0. libmlx5 clears the records of its own queue
		 * pairs, too.
		 */
		memset(record_of(cross), 0, RECORD_BYTES);
		cross->nobodys_record = 0;
	}
	return 0;
}

int seguei_qp_ask_state(const struct segue_qp *qp, struct ibv_qp_attr *attr)
{
	struct ib_uverbs_query_qp_resp answer;
	const struct ib_uverbs_query_qp command = {
		.response = (uintptr_t)&answer,
		.qp_handle = qp->qp->handle,
		.attr_mask = IBV_QP_STATE,
	};
	struct ibv_qp_init_attr init;
	int err;

	if (!qp->cross)
		return ibv_query_qp(qp->qp, attr, IBV_QP_STATE, &init);
	if (is_by_command(qp))
		return seguei_qp_devx_ask_state(qp->cross, attr);
	memset(&answer, 0, sizeof(answer));
	err = ask_kernel(qp->qp->context, IB_USER_VERBS_CMD_QUERY_QP, &command, sizeof(command),
			 sizeof(answer));
	attr->qp_state = (enum ibv_qp_state)answer.qp_state;
	attr->sq_draining = answer.sq_draining;
	return err;
}
