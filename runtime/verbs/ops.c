/* SPDX-License-Identifier: BSD-2-Clause */
/* Calls through the context's functions: posting, polling, arming, and some that create objects. */
#define _GNU_SOURCE
#include <errno.h>

#include "runtime/object/mw_bind.h"
#include "runtime/object/qp/qp.h"
#include "runtime/ring/spare.h"
#include "runtime/verbs/layer.h"
#include "runtime/verbs/send.h"
#include "segue/verbs.h"

static const struct ibv_context_ops *ops_of(const struct ibv_context *context)
{
	return &seguei_layer_context_of(context)->ops;
}

/* Posts requests that are not for the fast path, or have no room there. */
static __attribute__((noinline)) int post_rest(struct seguei_layer_qp *q, struct ibv_send_wr *wr,
					       struct ibv_send_wr **bad_wr)
{
	int ret;

	seguei_layer_lock(q->locks, &q->send_lock);
	q->sends++;
	ret = seguei_verbs_send(q->qp, wr, bad_wr);
	seguei_layer_unlock(q->locks, &q->send_lock);
	return ret;
}

static __attribute__((noinline)) int post_list(struct seguei_layer_qp *q, struct ibv_send_wr *wr,
					       struct ibv_send_wr **bad_wr)
{
	int ret = 0;

	if (SEGUEI_UNLIKELY(wr->send_flags & IBV_SEND_INLINE))
		return post_rest(q, wr, bad_wr);
	seguei_layer_lock(q->locks, &q->send_lock);
	q->sends++;
	wr = seguei_verbs_post_plain(q->qp, wr, true, false);
	if (wr)
		ret = seguei_verbs_send(q->qp, wr, bad_wr);
	seguei_layer_unlock(q->locks, &q->send_lock);
	return ret;
}

/*
 * Posts a request of the fast path where that has no room. Releases the lock of sends, which it may
 * have taken.
 */
static SEGUEI_VERBS_COPIES int post_full(struct seguei_layer_qp *q, struct ibv_send_wr *wr,
					 struct ibv_send_wr **bad_wr, bool locked, bool inlined)
{
	struct segue_sq *sq = &q->qp->sq.any;
	bool posted;

	seguei_sq_open_further(sq, sq->pi + 1);
	posted = seguei_verbs_post_one(q->qp, wr, inlined, true);
	q->sends += posted;
	seguei_layer_unlock(locked, &q->send_lock);
	return posted ? 0 : post_list(q, wr, bad_wr);
}

/* Posts a request of the fast path. */
SEGUEI_HOT_FUNCTION int post_one(struct seguei_layer_qp *q, struct ibv_send_wr *wr,
				 struct ibv_send_wr **bad_wr, bool locks, bool inlined)
{
	if (locks && SEGUEI_UNLIKELY(!seguei_spin_try(&q->send_lock)))
		return post_rest(q, wr, bad_wr); /* waits for the lock */
	if (SEGUEI_UNLIKELY(!seguei_verbs_post_one(q->qp, wr, inlined, true)))
		return post_full(q, wr, bad_wr, locks, inlined);
	q->sends++;
	seguei_layer_unlock(locks, &q->send_lock);
	return 0;
}

static SEGUEI_VERBS_COPIES int post_inline(struct seguei_layer_qp *q, struct ibv_send_wr *wr,
					   struct ibv_send_wr **bad_wr)
{
	return SEGUEI_LIKELY(seguei_verbs_is_inline(q->qp, wr))
		       ? post_one(q, wr, bad_wr, true, true)
		       : post_rest(q, wr, bad_wr);
}

/* Posts to a queue pair that is not found at the first place of the table. */
static __attribute__((noinline)) int post_unfound(struct ibv_qp *qp, struct ibv_send_wr *wr,
						  struct ibv_send_wr **bad_wr)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);

	if (!q)
		return ops_of(qp->context)->post_send(qp, wr, bad_wr);
	return wr ? post_list(q, wr, bad_wr) : 0;
}

SEGUEI_HOT_FUNCTION int post(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr,
			     bool locks)
{
	struct seguei_layer_qp *q = seguei_layer_find_first(qp);

	if (SEGUEI_UNLIKELY(!q || !wr))
		return post_unfound(qp, wr, bad_wr);
	if (wr->next)
		return post_list(q, wr, bad_wr);
	if (SEGUEI_LIKELY(seguei_verbs_is_plain(q->qp, wr)))
		return post_one(q, wr, bad_wr, locks, false);
	return post_inline(q, wr, bad_wr);
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	return post(qp, wr, bad_wr, true);
}

/* The same with MLX5_SINGLE_THREADED, without locks. */
static int post_send_alone(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	return post(qp, wr, bad_wr, false);
}

/* The same if another library watches libmlx5's calls, which is then notified of the doorbell. */
static int post_send_watched(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad_wr)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);
	const int ret = post_send(qp, wr, bad_wr);
	struct ibv_send_wr *bad;

	if (q)
		(void)q->context->ops.post_send(qp, NULL, &bad);
	return ret;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad_wr)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);
	int ret;

	if (SEGUEI_UNLIKELY(!q || !q->receives))
		return ops_of(qp->context)->post_recv(qp, wr, bad_wr);
	seguei_layer_lock(q->locks, &q->recv_lock);
	q->recvs++;
	ret = segue_verbs_post_recv(q->qp, wr, bad_wr);
	seguei_layer_unlock(q->locks, &q->recv_lock);
	return ret;
}

SEGUEI_HOT_FUNCTION int poll_second(struct seguei_layer_cq *c, int num_entries, struct ibv_wc *wc)
{
	int got;

	seguei_layer_lock(c->locks, &c->lock);
	got = seguei_layer_poll_second(c, num_entries, wc);
	seguei_spin_unlock(&c->lock);
	return got;
}

/* Polls the program's own queue, if the second one had fewer completions than requested. */
static __attribute__((noinline)) int poll_others(struct seguei_layer_cq *c, int num_entries,
						 struct ibv_wc *wc, int got)
{
	const int more = c->context->ops.poll_cq(c->cq, num_entries - got, wc + got);

	if (more < 0)
		return got ? got : more;
	if (got + more == 0 && c->taken) /* a device that runs in the call had a turn */
		return poll_second(c, num_entries, wc);
	return got + more;
}

static int poll_cq(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc)
{
	struct seguei_layer_cq *c = seguei_layer_find(cq);
	int got;

	if (SEGUEI_UNLIKELY(!c))
		return ops_of(cq->context)->poll_cq(cq, num_entries, wc);
	got = poll_second(c, num_entries, wc);
	if (SEGUEI_LIKELY((!c->others && c->own) || got == num_entries || got < 0))
		return got;
	return poll_others(c, num_entries, wc, got);
}

static int req_notify_cq(struct ibv_cq *cq, int solicited_only)
{
	const struct ibv_context_ops *ops = ops_of(cq->context);
	struct seguei_layer_cq *c = seguei_layer_find(cq);
	int ret = 0;

	if (c && c->taken) {
		seguei_layer_lock(c->locks, &c->lock);
		ret = -seguei_layer_arm(c->taken, solicited_only);
		seguei_layer_unlock(c->locks, &c->lock);
		if (ret || !c->others)
			return ret;
	} else if (c) {
		c->armed = 1 + !!solicited_only;
		if (c->own)
			(void)ops->req_notify_cq(c->own, solicited_only);
	}
	return ops->req_notify_cq(cq, solicited_only);
}

/* Source: rdma-core providers/mlx5/verbs.c (mlx5_bind_mw()). */
static int bind_mw(struct ibv_qp *qp, struct ibv_mw *mw, struct ibv_mw_bind *mw_bind)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);
	struct ibv_send_wr wr = {
		.wr_id = mw_bind->wr_id,
		.send_flags = mw_bind->send_flags,
		.opcode = IBV_WR_BIND_MW,
		.bind_mw = {mw, ibv_inc_rkey(mw->rkey), mw_bind->bind_info},
	};
	struct ibv_send_wr *bad;
	int ret;

	if (!q)
		return ops_of(qp->context)->bind_mw(qp, mw, mw_bind);
	if (mw_bind->bind_info.mw_access_flags & IBV_ACCESS_ZERO_BASED) {
		errno = EINVAL;
		return errno;
	}
	ret = post_send(qp, &wr, &bad);
	if (!ret)
		mw->rkey = wr.bind_mw.rkey;
	return ret;
}

static struct ibv_qp *create_qp_ex(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr)
{
	return seguei_layer_create_qp(seguei_layer_context_of(context), attr, NULL);
}

static struct ibv_cq_ex *create_cq_ex(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr)
{
	struct seguei_layer_context *x = seguei_layer_context_of(context);
	struct ibv_cq_ex *cq = x->create_cq_ex(context, attr);
	struct seguei_layer_cq *c = cq ? seguei_layer_note_cq(x, ibv_cq_ex_to_cq(cq),
							      (int)attr->comp_vector)
				       : NULL;

	if (c && seguei_layer_knows_cq(attr))
		seguei_layer_set_cq(c, attr->comp_mask & IBV_CQ_INIT_ATTR_MASK_FLAGS &&
					       attr->flags & IBV_CREATE_CQ_ATTR_SINGLE_THREADED);
	else if (c)
		c->theirs = true;
	return cq;
}

static struct ibv_srq *create_srq_ex(struct ibv_context *context, struct ibv_srq_init_attr_ex *attr)
{
	struct ibv_srq *srq = seguei_layer_context_of(context)->create_srq_ex(context, attr);

	if (srq && attr->comp_mask & IBV_SRQ_INIT_ATTR_CQ)
		seguei_layer_others(attr->cq);
	return srq;
}

static struct ibv_wq *create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr)
{
	struct ibv_wq *wq = seguei_layer_context_of(context)->create_wq(context, attr);

	if (wq)
		seguei_layer_others(attr->cq);
	return wq;
}

static struct ibv_pd *alloc_parent_domain(struct ibv_context *context,
					  struct ibv_parent_domain_init_attr *attr)
{
	struct ibv_pd *pd = seguei_layer_context_of(context)->alloc_parent_domain(context, attr);

	if (pd) /* without memory for it, the domain is taken */
		(void)seguei_layer_add(pd, (void *)(uintptr_t)&seguei_layer_no_domain);
	return pd;
}

static int modify_cq(struct ibv_cq *cq, struct ibv_modify_cq_attr *attr)
{
	struct seguei_layer_context *x = seguei_layer_context_of(cq->context);
	struct seguei_layer_cq *c = seguei_layer_find(cq);
	const int ret = x->modify_cq(cq, attr);

	return ret || !c || !c->own ? ret : x->modify_cq(c->own, attr);
}

#define REPLACE(name)          \
	x->name = verbs->name; \
	SEGUEI_LAYER_SET(verbs, name, name);
#define RESTORE(name) verbs->name = x->name;

void seguei_layer_set_ops(struct seguei_layer_context *x)
{
	struct ibv_context_ops *ops = &x->context->ops;
	struct verbs_context *verbs = verbs_get_ctx(x->context);

	x->ops = *ops;
	ops->post_send = x->watched ? post_send_watched : x->locks ? post_send : post_send_alone;
	ops->post_recv = post_recv;
	ops->poll_cq = poll_cq;
	ops->req_notify_cq = req_notify_cq;
	ops->bind_mw = bind_mw;
	SEGUEI_LAYER_REPLACED(REPLACE)
}

void seguei_layer_restore_ops(const struct seguei_layer_context *x)
{
	struct verbs_context *verbs = verbs_get_ctx(x->context);

	x->context->ops = x->ops;
	SEGUEI_LAYER_REPLACED(RESTORE)
}
