/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Decides which queue pairs are taken, when they are made, and gives their completion queues a
 * second queue.
 *
 * All types that send are taken, unless an option has no equivalent here. A shared receive queue
 * and its receives stay libmlx5's, and complete on the program's queue.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "runtime/object/cq/cq.h"
#include "runtime/object/qp/qp.h"
#include "runtime/verbs/layer.h"
#include "runtime/verbs/send.h"
#include "segue/cq.h"
#include "segue/device.h"
#include "segue/pd.h"
#include "segue/qp.h"

/* Held while a completion queue gets its second one, or its users change. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;
static struct seguei_layer_qp *taken; /* all of them */

/* What the program asks for. */
struct asked {
	struct ibv_qp_init_attr_ex *attr;
	struct mlx5dv_qp_init_attr *mlx5; /* may be NULL */
	enum segue_qp_type type;
};

static enum segue_qp_type type_of(const struct ibv_qp_init_attr_ex *attr,
				  const struct mlx5dv_qp_init_attr *mlx5)
{
	if (attr->qp_type != IBV_QPT_DRIVER)
		return seguei_qp_type_of((int)attr->qp_type);
	return mlx5 && mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_DC &&
			       mlx5->dc_init_attr.dc_type == MLX5DV_DCTYPE_DCI
		       ? SEGUE_QP_DCI
		       : SEGUE_QP_NONE;
}

/* The record of a completion queue, NULL without one. */
static struct seguei_layer_cq *record_of(struct ibv_cq *cq)
{
	return cq ? seguei_layer_find(cq) : NULL;
}

struct seguei_layer_cq *seguei_layer_note_cq(struct seguei_layer_context *context,
					     struct ibv_cq *cq, int vector)
{
	struct seguei_layer_cq *c = calloc(1, sizeof(*c));

	if (!c)
		return NULL;
	c->cq = cq;
	c->context = context;
	c->locks = context->locks;
	c->vector = vector;
	c->others = context->watched;
	if (seguei_layer_add(cq, c)) {
		free(c);
		return NULL;
	}
	return c;
}

void seguei_layer_others(struct ibv_cq *cq)
{
	struct seguei_layer_cq *c = record_of(cq);

	if (c)
		c->others = true;
}

int seguei_layer_arm(struct segue_cq *cq, int solicited_only)
{
	return segue_cq_arm(cq, solicited_only ? SEGUE_CQ_ARM_CMD_SOLICITED : SEGUE_CQ_ARM_CMD_ANY);
}

/* Adopts the second queue, and arms it if the program's was armed before. */
static int adopt_second(struct seguei_layer_cq *c)
{
	const struct segue_cq_options options = {.overcommit = true};
	struct segue_cq *taken;
	int ret = segue_cq_adopt(c->context->device, c->own, &options, &taken);

	if (ret)
		return ret;
	if (c->cq->channel)
		ret = seguei_layer_add(c->own, c);
	if (!ret && c->armed)
		ret = seguei_layer_arm(taken, c->armed > 1);
	if (ret) {
		seguei_layer_remove(c->own);
		(void)segue_cq_close(taken);
		return ret;
	}
	seguei_cq_keep(taken);
	__atomic_store_n(&c->taken, taken, __ATOMIC_RELEASE);
	return 0;
}

/* Opens the second queue, as large as the program's, for the same channel. */
static int open_taken(struct seguei_layer_cq *c)
{
	int ret;

	if (c->taken)
		return 0;
	c->own = SEGUEI_LAYER_NEXT(ibv_create_cq)(c->context->context, c->cq->cqe, c,
						  c->cq->channel, c->vector);
	if (!c->own)
		return -ENOMEM;
	ret = adopt_second(c);
	if (ret) {
		(void)SEGUEI_LAYER_NEXT(ibv_destroy_cq)(c->own);
		c->own = NULL;
	}
	return ret;
}

/* Closes Segue's second queue. If it is `adopted`, the verbs object stays. */
static int close_second(struct seguei_layer_cq *c, bool adopted)
{
	int ret;

	seguei_layer_count(SEGUEI_LAYER_POLLS, c->polls);
	seguei_layer_count(SEGUEI_LAYER_COMPLETIONS, c->completions);
	seguei_cq_object_of(c->taken)->adopted = adopted;
	ret = segue_cq_close(c->taken);
	if (!ret)
		c->taken = NULL;
	return -ret;
}

int seguei_layer_close_taken(struct seguei_layer_cq *c)
{
	int ret;

	if (!c->own)
		return 0;
	seguei_layer_remove(c->own);
	ret = c->taken ? close_second(c, false) : SEGUEI_LAYER_NEXT(ibv_destroy_cq)(c->own);
	if (!ret)
		c->own = NULL;
	return ret;
}

const char seguei_layer_no_domain;

/* The domain, or NULL if queue pairs of it are not taken. */
static struct segue_pd *pd_of(struct seguei_layer_context *x, struct ibv_pd *pd)
{
	void *found = seguei_layer_find(pd);
	struct segue_pd *adopted;

	if (found)
		return found == &seguei_layer_no_domain ? NULL : found;
	if (segue_pd_adopt(x->device, pd, &adopted))
		return NULL;
	if (!seguei_layer_add(pd, adopted))
		return adopted;
	(void)segue_pd_close(adopted);
	return NULL;
}

/*
 * True if this file knows all options of the queue pair. libmlx5 itself refuses operations that its
 * type lacks.
 */
static bool plain(const struct ibv_qp_init_attr_ex *attr)
{
	const uint32_t known = IBV_QP_INIT_ATTR_PD | IBV_QP_INIT_ATTR_SEND_OPS_FLAGS |
			       IBV_QP_INIT_ATTR_CREATE_FLAGS | IBV_QP_INIT_ATTR_MAX_TSO_HEADER;

	return !(attr->comp_mask & ~known) && attr->comp_mask & IBV_QP_INIT_ATTR_PD &&
	       !(attr->comp_mask & IBV_QP_INIT_ATTR_CREATE_FLAGS && attr->create_flags) &&
	       !(attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS &&
		 attr->send_ops_flags >= 2 * IBV_QP_EX_WITH_TSO) &&
	       !getenv("MLX5_QP_SIGNATURE");
}

/* A DCI has no streams, and is posted to by ibv_wr_*(). Its payload never comes in entries. */
static bool plain_mlx5(const struct asked *asked)
{
	const uint64_t known = MLX5DV_QP_INIT_ATTR_MASK_DC |
			       MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS;
	const struct mlx5dv_qp_init_attr *mlx5 = asked->mlx5;

	if (asked->type != SEGUE_QP_DCI)
		return !mlx5 || !mlx5->comp_mask;
	return asked->attr->comp_mask & IBV_QP_INIT_ATTR_SEND_OPS_FLAGS &&
	       !(mlx5->comp_mask & ~known) &&
	       (!(mlx5->comp_mask & MLX5DV_QP_INIT_ATTR_MASK_QP_CREATE_FLAGS) ||
		!(mlx5->create_flags & ~(uint32_t)MLX5DV_QP_CREATE_DISABLE_SCATTER_TO_CQE));
}

static bool usable(const struct seguei_layer_cq *c)
{
	return c && !c->theirs;
}

/*
 * The reason why the queue pair is not taken, or SEGUEI_LAYER_TAKEN. Without receives, both sides
 * are on one completion queue here.
 */
static enum seguei_layer_counter decide(struct seguei_layer_qp *q, const struct asked *asked)
{
	const struct seguei_qp_kind_info *info = seguei_qp_info(asked->type);
	const struct ibv_qp_init_attr_ex *attr = asked->attr;

	if (!info || !info->sends)
		return SEGUEI_LAYER_TYPE;
	if (!plain(attr) || !plain_mlx5(asked))
		return SEGUEI_LAYER_OPTION;
	q->receives = info->receives && !attr->srq;
	q->send_cq = record_of(attr->send_cq);
	q->recv_cq = info->receives ? record_of(attr->recv_cq) : q->send_cq;
	if (!usable(q->send_cq) || !usable(q->recv_cq))
		return SEGUEI_LAYER_POLLED;
	return pd_of(q->context, attr->pd) ? SEGUEI_LAYER_TAKEN : SEGUEI_LAYER_DOMAIN;
}

static int adopt(struct seguei_layer_qp *q, const struct ibv_qp_init_attr_ex *attr,
		 enum segue_qp_type type)
{
	struct segue_qp_options options = {
		.type = type,
		.send_cq = q->send_cq->taken,
		.recv_cq = q->receives ? q->recv_cq->taken : NULL,
		.max_send_sge = attr->cap.max_send_sge,
		.max_inline = attr->cap.max_inline_data,
		.split = true, /* for one thread, too: then a full queue counts rarely */
	};
	const uint32_t header = attr->comp_mask & IBV_QP_INIT_ATTR_MAX_TSO_HEADER
					? attr->max_tso_header
					: 0;
	const uint32_t units = seguei_qp_wqe_units(&options) +
			       (header + SEGUEI_UNIT - 1) / SEGUEI_UNIT;
	int ret;

	options.max_wqe_units = units > SEGUE_RC_BIND_MW_UNITS ? units : SEGUE_RC_BIND_MW_UNITS;
	ret = seguei_qp_adopt_sides(pd_of(q->context, attr->pd), q->verbs, &options, &q->qp);
	if (ret)
		return ret;
	seguei_qp_let_fill(q->qp);
	seguei_verbs_describe(q->qp);
	q->qp->verbs.max_tso_header = header;
	ret = seguei_layer_add(q->verbs, q);
	if (ret)
		(void)segue_qp_close(q->qp);
	return ret;
}

static struct ibv_qp *create(struct seguei_layer_context *x, struct ibv_qp_init_attr_ex *attr,
			     struct mlx5dv_qp_init_attr *mlx5)
{
	return mlx5 ? SEGUEI_LAYER_NEXT(mlx5dv_create_qp)(x->context, attr, mlx5)
		    : x->create_qp_ex(x->context, attr);
}

/*
 * Makes the verbs object, which completes on the second queues, and adopts it. Raw packet ones
 * always have ibv_wr_*(): see seguei_verbs_describe().
 */
static bool make(struct seguei_layer_qp *q, const struct asked *asked)
{
	struct ibv_qp_init_attr_ex ours = *asked->attr;

	if (open_taken(q->send_cq) || (q->receives && open_taken(q->recv_cq)))
		return false;
	ours.send_cq = q->send_cq->own;
	if (q->receives)
		ours.recv_cq = q->recv_cq->own;
	if (asked->type == SEGUE_QP_RAW_PACKET) {
		ours.send_ops_flags = IBV_QP_EX_WITH_SEND;
		ours.comp_mask |= IBV_QP_INIT_ATTR_SEND_OPS_FLAGS;
	}
	q->verbs = create(q->context, &ours, asked->mlx5);
	if (!q->verbs)
		return false;
	if (adopt(q, &ours, asked->type)) {
		(void)SEGUEI_LAYER_NEXT(ibv_destroy_qp)(q->verbs);
		return false;
	}
	asked->attr->cap = ours.cap;
	return true;
}

/* Called with the lock held. Returns NULL if the queue pair is not taken. */
static struct ibv_qp *take(struct seguei_layer_context *x, const struct asked *asked)
{
	struct seguei_layer_qp *q = calloc(1, sizeof(*q));
	enum seguei_layer_counter what = SEGUEI_LAYER_REFUSED;

	if (!q)
		return NULL;
	q->context = x;
	q->locks = x->locks;
	what = decide(q, asked);
	if (what == SEGUEI_LAYER_TAKEN && !make(q, asked))
		what = SEGUEI_LAYER_REFUSED;
	seguei_layer_count(what, 1);
	if (what != SEGUEI_LAYER_TAKEN) {
		free(q);
		return NULL;
	}
	q->verbs->send_cq = asked->attr->send_cq;
	q->verbs->recv_cq = asked->attr->recv_cq;
	q->send_cq->users++;
	q->recv_cq->users++;
	q->recv_cq->others |= asked->attr->srq != NULL;
	q->next = taken;
	taken = q;
	seguei_layer_set_wr(q);
	return q->verbs;
}

struct ibv_cq *seguei_layer_entries_of(struct ibv_cq *cq)
{
	const struct seguei_layer_cq *c = record_of(cq);

	return c && c->own && !c->taken ? c->own : cq;
}

/*
 * A queue pair that is left to libmlx5 is created where libmlx5 finds its completions, and is then
 * said to be on the program's queues.
 */
struct ibv_qp *seguei_layer_create_qp(struct seguei_layer_context *x,
				      struct ibv_qp_init_attr_ex *attr,
				      struct mlx5dv_qp_init_attr *mlx5)
{
	const struct asked asked = {attr, mlx5, type_of(attr, mlx5)};
	struct ibv_cq *const send = attr->send_cq, *const recv = attr->recv_cq;
	struct ibv_qp *qp;

	pthread_mutex_lock(&making);
	qp = take(x, &asked);
	pthread_mutex_unlock(&making);
	if (qp)
		return qp;
	attr->send_cq = seguei_layer_entries_of(send);
	attr->recv_cq = seguei_layer_entries_of(recv);
	qp = create(x, attr, mlx5);
	attr->send_cq = send;
	attr->recv_cq = recv;
	if (!qp)
		return NULL;
	qp->send_cq = send;
	qp->recv_cq = recv;
	seguei_layer_others(send);
	seguei_layer_others(recv);
	return qp;
}

/* Takes each completion queue's lock, once. */
static void lock_polls(const struct seguei_layer_qp *q)
{
	seguei_layer_lock(q->locks, &q->send_cq->lock);
	if (q->recv_cq != q->send_cq)
		seguei_layer_lock(q->locks, &q->recv_cq->lock);
}

static void unlock_polls(const struct seguei_layer_qp *q)
{
	if (q->recv_cq != q->send_cq)
		seguei_layer_unlock(q->locks, &q->recv_cq->lock);
	seguei_layer_unlock(q->locks, &q->send_cq->lock);
}

int seguei_layer_modified(struct seguei_layer_qp *q, const struct ibv_qp_attr *attr, int mask)
{
	int ret = 0;

	seguei_layer_set_wr(q); /* after libmlx5 has set its own functions */
	if (!(mask & IBV_QP_STATE))
		return 0;
	seguei_layer_lock(q->locks, &q->send_lock);
	seguei_layer_lock(q->locks, &q->recv_lock);
	lock_polls(q);
	ret = seguei_qp_arrive(q->qp, (uint32_t)attr->qp_state);
	unlock_polls(q);
	seguei_layer_unlock(q->locks, &q->recv_lock);
	seguei_layer_unlock(q->locks, &q->send_lock);
	return -ret;
}

/* Called with the lock of `making` held. */
static void drop(struct seguei_layer_qp *q)
{
	struct seguei_layer_qp **at = &taken;

	seguei_layer_count(SEGUEI_LAYER_SENDS, q->sends);
	seguei_layer_count(SEGUEI_LAYER_RECVS, q->recvs);
	lock_polls(q);
	(void)segue_qp_close(q->qp);
	unlock_polls(q);
	while (*at != q)
		at = &(*at)->next;
	*at = q->next;
	q->send_cq->users--;
	q->recv_cq->users--;
	free(q);
}

void seguei_layer_drop_qp(struct seguei_layer_qp *q)
{
	pthread_mutex_lock(&making);
	drop(q);
	pthread_mutex_unlock(&making);
}

/* Called in a child of fork(), which has one thread. */
void seguei_layer_restore_qps(void)
{
	const struct seguei_layer_qp *q;

	for (q = taken; q; q = q->next)
		seguei_layer_restore_wr(q);
}

/* ---- giving back ---- */

/* libmlx5's own counters are still right. */
static bool is_unused(const struct seguei_layer_qp *q)
{
	return !q->qp->sq.any.pi && !(q->receives && q->qp->rq.ring.pi);
}

static bool is_theirs(const struct seguei_layer_qp *q)
{
	return q->send_cq->theirs || (q->receives && q->recv_cq->theirs);
}

/*
 * Whether queue pairs can be given back that complete where the program reads entries by itself.
 * Those that have one side there take their other queue with them.
 */
static bool can_give_back(void)
{
	struct seguei_layer_qp *q = taken;

	while (q) {
		const bool both = q->send_cq->theirs && (!q->receives || q->recv_cq->theirs);

		if (is_theirs(q) && !is_unused(q))
			return false;
		if (is_theirs(q) && !both) {
			q->send_cq->theirs = q->recv_cq->theirs = true;
			q = taken; /* again, for those before */
		} else {
			q = q->next;
		}
	}
	return true;
}

/* Gives the queue pair back. Second queues without users stay, as libmlx5's. */
static void give_back(struct seguei_layer_qp *q)
{
	struct seguei_layer_cq *const queues[] = {q->send_cq, q->recv_cq};
	size_t i;

	seguei_layer_remove(q->verbs);
	seguei_layer_restore_wr(q);
	drop(q);
	for (i = 0; i < 2; i++)
		if (queues[i]->taken && queues[i]->theirs && !queues[i]->users)
			(void)close_second(queues[i], true);
}

void seguei_layer_give_back(struct seguei_layer_cq *c)
{
	struct seguei_layer_qp *q, *next;

	pthread_mutex_lock(&making);
	c->theirs = true;
	for (q = can_give_back() ? taken : NULL; q; q = next) {
		next = q->next;
		if (is_theirs(q))
			give_back(q);
	}
	pthread_mutex_unlock(&making);
}
