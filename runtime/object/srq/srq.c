/* SPDX-License-Identifier: BSD-2-Clause */
/* Shared receive queues, plain ones and those of XRC. */
#include "runtime/object/srq/srq.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/device/command.h"
#include "runtime/object/device/ring_domain.h"
#include "runtime/object/tree/lock.h"
#include "runtime/ring/cq/geometry.h"
#include "segue/base.h"
#include "segue/lock.h"

/* The queue as its completion queue knows it. */
static struct segue_cq_queue receiver(struct seguei_srq_object *srq, void *context)
{
	const bool known = srq->index != SEGUEI_SRQ_NO_INDEX;

	return (struct segue_cq_queue){
		.key = known ? SEGUE_CQ_BY_USER_INDEX : SEGUE_CQ_BY_DEFAULT,
		.number = known ? srq->index : 0,
		.srq = &srq->srq,
		.context = context,
	};
}

/* XRC: the queue pairs that fill it may be another process's, so it is known by itself. */
static int attach(struct seguei_srq_object *srq, const struct segue_device *device,
		  const struct segue_srq_options *options)
{
	struct segue_cq *cq = options->cq;
	struct segue_cq_queue queue;
	int ret;

	srq->index = srq->number;
	if (device->caps.cqe_version_1 &&
	    seguei_command_xrc_srq_index(srq->verbs, srq->number, &srq->index))
		srq->index = SEGUEI_SRQ_NO_INDEX;
	if (srq->index == SEGUEI_SRQ_NO_INDEX && cq->receivers.others.srq)
		return seguei_fail(ENOTSUP,
				   "Shared receive queue 0x%x: %s does not report the index by "
				   "which completions name it, so its completion queue can serve "
				   "no second one; give it a completion queue of its own.",
				   srq->number, segue_device_name(device));
	queue = receiver(srq, options->context);
	ret = segue_cq_attach(cq, &queue);
	srq->xrc_cq = ret ? NULL : cq;
	return ret;
}

static void detach(struct seguei_srq_object *srq)
{
	const struct segue_cq_queue queue = receiver(srq, NULL);

	if (srq->xrc_cq)
		(void)segue_cq_detach(srq->xrc_cq, &queue);
	srq->xrc_cq = NULL;
}

/*
 * libmlx5 locks a device's table of these queues when it creates one, but not when it destroys one,
 * so two threads would free the table twice (rdma-core 44 to 65, mlx5_destroy_srq()). A lock of
 * ours covers both commands. No data path waits for it. Returns as ibv_destroy_srq().
 */
static int destroy_verbs(struct ibv_srq *verbs)
{
	int ret;

	seguei_lock(SEGUEI_LOCK_VERBS_SRQS);
	ret = ibv_destroy_srq(verbs);
	seguei_unlock(SEGUEI_LOCK_VERBS_SRQS);
	return ret;
}

static int release_srq(struct seguei_object *object)
{
	struct seguei_srq_object *srq = (struct seguei_srq_object *)object;

	if (!srq->adopted) {
		const int ret = destroy_verbs(srq->verbs);

		if (ret && ret != EIO)
			return ret;
	}
	seguei_ring_domain_close(srq->rings);
	detach(srq);
	if (srq->tag_cq)
		seguei_cq_detach_tags(srq->tag_cq);
	seguei_cq_release(&srq->claim);
	srq->srq.ring.checked_owner = SEGUEI_OWNER_CLOSED;
	free(srq->wr_ids);
	free(srq->next);
	free(srq->tags.entries);
	free(srq->tags.of_command);
	return 0;
}

const struct seguei_kind seguei_srq_kind = {"shared receive queue", SEGUEI_RANK_SRQ, release_srq};

struct seguei_srq_object *seguei_srq_object_of(const struct segue_srq *srq)
{
	return srq ? (struct seguei_srq_object *)((uintptr_t)srq -
						  offsetof(struct seguei_srq_object, srq))
		   : NULL;
}

struct ibv_srq *seguei_srq_verbs_of(const struct segue_srq *srq)
{
	return srq ? seguei_srq_object_of(srq)->verbs : NULL;
}

static int check_options(const struct segue_device *device, const struct segue_srq_options *options)
{
	if (seguei_check_reserved(options->reserved, "Shared receive queue"))
		return -EINVAL;
	/* The device's limit includes the entry that stays free. */
	if (!options->max_wr || options->max_wr >= device->caps.max_srq_wr)
		return seguei_fail(EINVAL, "Shared receive queue: max_wr is %u, expected 1 to %u.",
				   options->max_wr, device->caps.max_srq_wr - 1);
	if (!options->max_sge || options->max_sge > device->caps.max_srq_sge)
		return seguei_fail(EINVAL, "Shared receive queue: max_sge is %u, expected 1 to %u.",
				   options->max_sge, device->caps.max_srq_sge);
	if (options->max_tags > device->caps.max_tags)
		return seguei_fail(
			device->caps.max_tags ? EINVAL : ENOTSUP,
			"Shared receive queue: max_tags is %u, expected at most %u, which %s has.",
			options->max_tags, device->caps.max_tags, segue_device_name(device));
	if (options->max_tags && (options->xrcd || !options->cq))
		return seguei_fail(
			EINVAL, "Shared receive queue: with max_tags %u, %s.", options->max_tags,
			options->xrcd ? "xrcd is given, but a tag list is for RC"
				      : "cq is NULL, expected where its completions come");
	if (options->max_tags && options->locked)
		return seguei_fail(EINVAL,
				   "Shared receive queue: locked is given with max_tags %u, but a "
				   "tag list is one thread's.",
				   options->max_tags);
	if (options->max_tag_commands > device->caps.max_tag_commands)
		return seguei_fail(
			EINVAL,
			"Shared receive queue: max_tag_commands is %u, expected at most %u.",
			options->max_tag_commands, device->caps.max_tag_commands);
	if (!options->max_tags && !options->xrcd != !options->cq)
		return seguei_fail(EINVAL,
				   "Shared receive queue: %s is NULL, expected both xrcd and cq "
				   "(XRC) or neither.",
				   options->xrcd ? "cq" : "xrcd");
	return seguei_cq_need_kernel(options->cq, "Shared receive queue");
}

static struct ibv_srq *verbs_srq(struct ibv_pd *pd, const struct segue_srq_options *options)
{
	struct ibv_srq_init_attr_ex attr = {0};
	struct ibv_srq *verbs;

	/* One entry always stays free, for the builder. */
	attr.attr.max_wr = options->max_wr + 1;
	attr.attr.max_sge = options->max_sge;
	attr.comp_mask = IBV_SRQ_INIT_ATTR_TYPE | IBV_SRQ_INIT_ATTR_PD;
	attr.srq_type = IBV_SRQT_BASIC;
	attr.pd = pd;
	if (options->xrcd) {
		attr.comp_mask |= IBV_SRQ_INIT_ATTR_XRCD | IBV_SRQ_INIT_ATTR_CQ;
		attr.srq_type = IBV_SRQT_XRC;
		attr.xrcd = options->xrcd->xrcd;
		attr.cq = seguei_cq_object_of(options->cq)->verbs;
	}
	if (options->max_tags) {
		attr.comp_mask |= IBV_SRQ_INIT_ATTR_CQ | IBV_SRQ_INIT_ATTR_TM;
		attr.srq_type = IBV_SRQT_TM;
		attr.cq = seguei_cq_object_of(options->cq)->verbs;
		attr.tm_cap.max_num_tags = options->max_tags;
		attr.tm_cap.max_ops = 1; /* of libmlx5's own queue pair, which stays idle */
	}
	seguei_lock(SEGUEI_LOCK_VERBS_SRQS);
	verbs = ibv_create_srq_ex(pd->context, &attr);
	seguei_unlock(SEGUEI_LOCK_VERBS_SRQS);
	return verbs;
}

/* Creates the verbs object, and the source of its ring's memory. -errno with a sentence. */
static int create(struct seguei_srq_object *srq, struct segue_pd *pd,
		  const struct segue_srq_options *options)
{
	const struct seguei_ring_place place = {
		.whose = "Shared receive queue",
		.device = seguei_device_of(&pd->object),
		.pd = pd,
		.wish = {options->huge_pages, options->near_device},
		/*
		 * libmlx5 does not store the domain of these, and would free their record through
		 * NULL (rdma-core 44, mlx5_destroy_srq()).
		 */
		.own_record = options->xrcd || options->max_tags,
	};
	int ret = seguei_ring_domain_open(&place, &srq->rings);
	int err;

	if (ret)
		return ret;
	srq->verbs = verbs_srq(srq->rings ? srq->rings->parent : pd->pd, options);
	if (srq->verbs)
		return 0;
	err = errno ? errno : EIO;
	ret = seguei_ring_domain_failure(srq->rings);
	if (ret)
		return ret;
	return seguei_fail(err, "No shared receive queue of %u receives with %u pieces%s: %s%s.",
			   options->max_wr, options->max_sge,
			   options->max_tags
				   ? " and a tag list, which libmlx5 makes on InfiniBand ports only"
				   : "",
			   strerror(err), seguei_memlock_hint(err));
}

static int init_ring(struct seguei_srq_object *srq)
{
	struct segue_rq_init_options attr = {0};
	struct mlx5dv_srq dv = {0};
	struct mlx5dv_obj obj = {.srq = {.in = srq->verbs, .out = &dv}};
	int ret;

	dv.comp_mask = MLX5DV_SRQ_MASK_SRQN;
	ret = mlx5dv_init_obj(&obj, MLX5DV_OBJ_SRQ);
	if (ret)
		return seguei_fail(ret > 0 ? ret : EIO,
				   "Shared receive queue: libmlx5 does not say where its ring is.");
	/* libmlx5's free list is the whole ring, from head 0 to the tail at the end. */
	attr.buf = dv.buf;
	attr.wqe_cnt = dv.tail + 1;
	attr.max_posted = srq->max_wr < attr.wqe_cnt ? srq->max_wr : 0;
	attr.stride = dv.stride;
	attr.dbrec = (uint32_t *)dv.dbrec;
	srq->wr_ids = calloc(attr.wqe_cnt, sizeof(*srq->wr_ids));
	srq->next = calloc(attr.wqe_cnt, sizeof(*srq->next));
	if (!srq->wr_ids || !srq->next)
		return seguei_fail(ENOMEM, "Shared receive queue: no memory for %u entries.",
				   attr.wqe_cnt);
	if (dv.head)
		return seguei_fail(EINVAL, "Shared receive queue: it has been used already; adopt "
					   "it before the first post.");
	if (!ibv_get_srq_num(srq->verbs, &srq->number))
		attr.qpn = srq->number;
	else if (dv.comp_mask & MLX5DV_SRQ_MASK_SRQN)
		attr.qpn = dv.srqn;
	srq->object.number = attr.qpn;
	attr.wr_ids = srq->wr_ids;
	attr.next = srq->next;
	return segue_srq_init(&srq->srq, &attr);
}

static int make_srq(struct segue_pd *pd, const struct segue_srq_options *options,
		    struct ibv_srq *adopted, struct segue_srq **out)
{
	struct seguei_srq_object *srq;
	int ret;

	srq = seguei_object_alloc(sizeof(*srq), "Shared receive queue");
	if (!srq)
		return -ENOMEM;
	srq->adopted = adopted != NULL;
	srq->max_wr = options ? options->max_wr : 0;
	srq->max_sge = options ? options->max_sge : 0;
	srq->verbs = adopted;
	ret = adopted ? 0 : create(srq, pd, options);
	if (ret)
		goto err_free;
	ret = init_ring(srq);
	if (ret)
		goto err_destroy;
	if (options && options->locked)
		segue_srq_enable_lock(&srq->srq, &srq->front);
	if (options && options->xrcd) {
		const struct seguei_cq_claim claim = {.cq = options->cq, .srq = &srq->srq};

		ret = seguei_cq_reserve(&claim, "shared receive queue", srq->number);
		if (ret)
			goto err_destroy;
		srq->claim = claim;
		ret = attach(srq, seguei_device_of(&pd->object), options);
		if (ret)
			goto err_release;
	}
	seguei_object_open(&srq->object, &seguei_srq_kind, &pd->object, seguei_key_of(srq->verbs));
	if (options && options->cq) {
		if (options->xrcd)
			seguei_object_use(&srq->object, &options->xrcd->object);
		seguei_object_use(&srq->object, &seguei_cq_object_of(options->cq)->object);
	}
	*out = &srq->srq;
	return 0;

err_release:
	seguei_cq_release(&srq->claim);
err_destroy:
	if (!adopted)
		(void)destroy_verbs(srq->verbs);
err_free:
	seguei_ring_domain_close(srq->rings);
	free(srq->wr_ids);
	free(srq->next);
	free(srq);
	return ret;
}

/*
 * The tag list needs the queue to be open, because the queue owns the list's queue pair. Closing it
 * undoes all of that.
 */
static int open_with_tags(struct segue_pd *pd, const struct segue_srq_options *options,
			  struct segue_srq **out)
{
	struct seguei_srq_object *object;
	struct segue_srq *srq;
	int ret;

	ret = make_srq(pd, options, NULL, &srq);
	if (ret)
		return ret;
	object = seguei_srq_object_of(srq);
	ret = seguei_srq_open_tags(object, pd, options);
	if (ret) {
		char why[512];

		snprintf(why, sizeof(why), "%s", segue_errmsg());
		(void)segue_srq_close(srq);
		return seguei_fail(-ret, "%s", why);
	}
	*out = srq;
	return 0;
}

int segue_srq_open(struct segue_pd *pd, const struct segue_srq_options *options,
		   struct segue_srq **out)
{
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				      "segue_srq_open()");

	if (!ret)
		ret = check_options(seguei_device_of(&pd->object), options);
	if (!ret)
		ret = seguei_cq_check_unpolled(options->cq, "segue_srq_open()");
	if (ret)
		return ret;
	return options->max_tags ? open_with_tags(pd, options, out)
				 : make_srq(pd, options, NULL, out);
}

/*
 * Only a queue with tag matching accepts operations on its list, even an empty chain. Source:
 * rdma-core providers/mlx5/qp.c, mlx5_post_srq_ops().
 */
static bool matches_tags(struct ibv_srq *srq)
{
	struct ibv_ops_wr *bad;

	return ibv_post_srq_ops(srq, NULL, &bad) == 0;
}

int segue_srq_adopt(struct segue_pd *pd, struct ibv_srq *srq, struct segue_srq **out)
{
	struct ibv_srq_attr attr;
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				      "segue_srq_adopt()");

	if (ret)
		return ret;
	if (!srq || srq->context != pd->pd->context)
		return seguei_fail(EINVAL, "segue_srq_adopt(): the shared receive queue %s.",
				   srq ? "is on another verbs context than the domain" : "is NULL");
	if (matches_tags(srq))
		return seguei_fail(
			ENOTSUP, "segue_srq_adopt(): the shared receive queue matches tags, so its "
				 "completions name tags and not receives; adopt a plain one.");
	ret = ibv_query_srq(srq, &attr); /* returns the error number */
	if (ret)
		return seguei_fail(
			ret, "segue_srq_adopt(): the shared receive queue cannot be queried: %s.",
			strerror(ret));
	ret = make_srq(pd, NULL, srq, out);
	if (!ret)
		seguei_srq_object_of(*out)->max_sge = attr.max_sge;
	return ret;
}

int segue_srq_close(struct segue_srq *srq)
{
	return seguei_object_close((struct seguei_object *)seguei_srq_object_of(srq),
				   &seguei_srq_kind);
}

struct ibv_srq *segue_srq_ibv(struct segue_srq *srq)
{
	return seguei_srq_object_of(srq)->verbs;
}

uint32_t segue_srq_number(const struct segue_srq *srq)
{
	return seguei_srq_object_of(srq)->number;
}

int segue_srq_arm_limit(struct segue_srq *srq, uint32_t limit)
{
	struct ibv_srq_attr attr = {0};
	int ret;

	attr.srq_limit = limit;
	/* returns the error number */
	ret = ibv_modify_srq(seguei_srq_object_of(srq)->verbs, &attr, IBV_SRQ_LIMIT);
	return ret ? seguei_fail(ret, "Shared receive queue 0x%x: limit %u is refused: %s.",
				 srq->ring.qpn, limit, strerror(ret))
		   : 0;
}
