/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Functions of libibverbs and libmlx5 that make and unmake objects. The layer stands before them: a
 * program that links this library calls these in place of the originals, as does one into which the
 * library is preloaded.
 *
 * Source: rdma-core libibverbs/verbs.c, providers/mlx5/mlx5dv.h.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/object/cq/cq.h"
#include "runtime/verbs/layer.h"
#include "segue/cq.h"
#include "segue/pd.h"
#include "segue/verbs.h"

/* Finds the original function, or that of another interposer before it. */
seguei_layer_function seguei_layer_next(const char *name)
{
	static const char *const libraries[] = {"libibverbs.so.1", "libmlx5.so.1"};
	void *found = dlsym(RTLD_NEXT, name);
	seguei_layer_function function;
	size_t i;

	for (i = 0; !found && i < sizeof(libraries) / sizeof(libraries[0]); i++) {
		void *handle = dlopen(libraries[i], RTLD_LAZY | RTLD_NOLOAD);

		if (handle) {
			found = dlsym(handle, name);
			dlclose(handle);
		}
	}
	if (!found) {
		fprintf(stderr, "segue: %s() is not found in libibverbs or libmlx5.\n", name);
		abort();
	}
	memcpy(&function, &found, sizeof(found));
	return function;
}

/* ---- protection domains ---- */

int ibv_dealloc_pd(struct ibv_pd *pd)
{
	void *p = seguei_layer_find(pd);
	const int ret = SEGUEI_LAYER_NEXT(ibv_dealloc_pd)(pd);

	if (ret)
		return ret;
	seguei_layer_remove(pd);
	if (p && p != &seguei_layer_no_domain)
		(void)segue_pd_close(p);
	return 0;
}

/* ---- completion queues ---- */

/* Records a queue that the program has made. @theirs: the program may poll it in another way */
static void made_cq(struct ibv_context *context, struct ibv_cq *cq, int vector, bool theirs)
{
	struct seguei_layer_context *x = seguei_layer_context_of(context);
	struct seguei_layer_cq *c = cq && x ? seguei_layer_note_cq(x, cq, vector) : NULL;

	if (c)
		c->theirs = theirs;
	else if (cq && !x)
		seguei_layer_count_early(context, 1);
}

/* The record of a queue of the program's. Second queues have it, too. */
static struct seguei_layer_cq *record_of(const struct ibv_cq *cq)
{
	struct seguei_layer_cq *c = cq ? seguei_layer_find(cq) : NULL;

	return c && c->cq == cq ? c : NULL;
}

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int cqe, void *cq_context,
			     struct ibv_comp_channel *channel, int comp_vector)
{
	struct ibv_cq *cq = SEGUEI_LAYER_NEXT(ibv_create_cq)(context, cqe, cq_context, channel,
							     comp_vector);

	made_cq(context, cq, comp_vector, false);
	return cq;
}

struct ibv_cq_ex *mlx5dv_create_cq(struct ibv_context *context, struct ibv_cq_init_attr_ex *attr,
				   struct mlx5dv_cq_init_attr *mlx5)
{
	struct ibv_cq_ex *cq = SEGUEI_LAYER_NEXT(mlx5dv_create_cq)(context, attr, mlx5);

	made_cq(context, (struct ibv_cq *)cq, (int)attr->comp_vector, true);
	return cq;
}

int ibv_destroy_cq(struct ibv_cq *cq)
{
	struct seguei_layer_cq *c = record_of(cq);
	struct ibv_context *context = cq->context;
	int ret = !c ? 0 : c->users ? EBUSY : seguei_layer_close_taken(c);

	if (!ret)
		ret = SEGUEI_LAYER_NEXT(ibv_destroy_cq)(cq);
	if (ret)
		return ret;
	if (!seguei_layer_context_of(context))
		seguei_layer_count_early(context, -1);
	seguei_layer_remove(cq);
	free(c);
	return 0;
}

int ibv_resize_cq(struct ibv_cq *cq, int cqe)
{
	struct seguei_layer_cq *c = seguei_layer_find(cq);
	int ret = SEGUEI_LAYER_NEXT(ibv_resize_cq)(cq, cqe);

	if (ret || !c || !c->own)
		return ret;
	if (!c->taken)
		return SEGUEI_LAYER_NEXT(ibv_resize_cq)(c->own, cqe);
	seguei_layer_lock(c->locks, &c->lock);
	ret = -segue_cq_resize(c->taken, (uint32_t)cq->cqe);
	seguei_layer_unlock(c->locks, &c->lock);
	return ret;
}

/*
 * Reports an event of the second queue as one of the program's queue, and acknowledges it here, so
 * that the second queue's count stays right. The program acknowledges one more than libibverbs has
 * reported of its queue, which is subtracted beforehand.
 */
int ibv_get_cq_event(struct ibv_comp_channel *channel, struct ibv_cq **cq, void **cq_context)
{
	const int ret = SEGUEI_LAYER_NEXT(ibv_get_cq_event)(channel, cq, cq_context);
	struct seguei_layer_cq *c = ret ? NULL : seguei_layer_find(*cq);

	if (!c)
		return ret;
	c->armed = 0;
	if (*cq != c->own)
		return 0;
	ibv_ack_cq_events(c->own, 1);
	if (c->taken)
		segue_cq_ack_event(c->taken);
	pthread_mutex_lock(&c->cq->mutex);
	c->cq->comp_events_completed--;
	pthread_mutex_unlock(&c->cq->mutex);
	*cq = c->cq;
	*cq_context = c->cq->cq_context;
	return 0;
}

/* ---- queue pairs ---- */

struct ibv_qp *ibv_create_qp(struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
	struct seguei_layer_context *x = seguei_layer_context_of(pd->context);
	struct ibv_qp_init_attr_ex extended;
	struct ibv_qp *qp;

	if (!x)
		return SEGUEI_LAYER_NEXT(ibv_create_qp)(pd, attr);
	memset(&extended, 0, sizeof(extended));
	memcpy(&extended, attr, sizeof(*attr)); /* as libmlx5 does: the first members are equal */
	extended.comp_mask = IBV_QP_INIT_ATTR_PD;
	extended.pd = pd;
	qp = seguei_layer_create_qp(x, &extended, NULL);
	if (qp)
		memcpy(attr, &extended, sizeof(*attr));
	return qp;
}

struct ibv_qp *mlx5dv_create_qp(struct ibv_context *context, struct ibv_qp_init_attr_ex *attr,
				struct mlx5dv_qp_init_attr *mlx5)
{
	struct seguei_layer_context *x = seguei_layer_context_of(context);

	return x ? seguei_layer_create_qp(x, attr, mlx5)
				    : SEGUEI_LAYER_NEXT(mlx5dv_create_qp)(context, attr, mlx5);
}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int attr_mask)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);
	const int ret = SEGUEI_LAYER_NEXT(ibv_modify_qp)(qp, attr, attr_mask);

	return ret || !q ? ret : seguei_layer_modified(q, attr, attr_mask);
}

/* If the call is refused, the queue pair continues, and stays the layer's. */
int ibv_destroy_qp(struct ibv_qp *qp)
{
	struct seguei_layer_qp *q = seguei_layer_find(qp);
	const int ret = SEGUEI_LAYER_NEXT(ibv_destroy_qp)(qp);

	if (ret || !q)
		return ret;
	seguei_layer_remove(qp);
	seguei_layer_drop_qp(q);
	return 0;
}

/* ---- other kinds of receive queues ---- */

struct ibv_wq *mlx5dv_create_wq(struct ibv_context *context, struct ibv_wq_init_attr *attr,
				struct mlx5dv_wq_init_attr *mlx5)
{
	struct ibv_wq *wq = SEGUEI_LAYER_NEXT(mlx5dv_create_wq)(context, attr, mlx5);

	if (wq)
		seguei_layer_others(attr->cq);
	return wq;
}

/* ---- programs that read libmlx5's objects ---- */

/*
 * A program that asks for the ring of its completion queue polls it by itself. Queue pairs that
 * complete there are not taken from then on.
 */
int mlx5dv_init_obj(struct mlx5dv_obj *obj, uint64_t obj_type)
{
	struct ibv_cq *const cq = obj_type & MLX5DV_OBJ_CQ ? obj->cq.in : NULL;
	struct seguei_layer_cq *c = record_of(cq);
	int ret;

	if (!c)
		return SEGUEI_LAYER_NEXT(mlx5dv_init_obj)(obj, obj_type);
	seguei_layer_give_back(c);
	obj->cq.in = seguei_layer_entries_of(cq);
	ret = SEGUEI_LAYER_NEXT(mlx5dv_init_obj)(obj, obj_type);
	obj->cq.in = cq;
	return ret;
}
