/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The program's contexts: how they are opened, adopted and closed.
 *
 * Source: rdma-core libibverbs/verbs.h, providers/mlx5/mlx5dv.h.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/mlx5dv.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/verbs/layer.h"
#include "segue/base.h"
#include "segue/device.h"
#include "segue/verbs.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct seguei_layer_context *contexts;

/*
 * True if the function is a wrapping library's and not libmlx5's. That library must see each call.
 */
static bool is_wrapped(int (*poll_cq)(struct ibv_cq *cq, int num_entries, struct ibv_wc *wc))
{
	Dl_info info;
	void *address;

	memcpy(&address, &poll_cq, sizeof(address));
	return !dladdr(address, &info) || !strstr(info.dli_fname, "mlx5");
}

/*
 * A child does not inherit rings (ibv_fork_init(3)), so in a child all calls go to libmlx5 again.
 */
static void leave_in_child(void)
{
	struct seguei_layer_context *x;

	for (x = contexts; x; x = x->next)
		seguei_layer_restore_ops(x);
	seguei_layer_restore_qps();
	seguei_layer_forget_all();
}

static int adopt(struct ibv_context *context)
{
	static bool watches_forks;
	struct seguei_layer_context *x = calloc(1, sizeof(*x));
	const char *single = getenv("MLX5_SINGLE_THREADED");
	int ret;

	if (!watches_forks)
		watches_forks = !pthread_atfork(NULL, NULL, leave_in_child);
	if (!x)
		return seguei_fail(ENOMEM, "segue_verbs_adopt(): no memory.");
	ret = segue_device_adopt(context, &x->device);
	if (!ret)
		ret = seguei_layer_add(context, x);
	if (ret) {
		(void)segue_device_close(x->device);
		free(x);
		return ret;
	}
	x->context = context;
	x->locks = !single || *single != '1';
	x->watched = is_wrapped(context->ops.poll_cq);
	seguei_layer_set_ops(x);
	x->next = contexts;
	contexts = x;
	return 0;
}

/*
 * Records of contexts that are not adopted, or not adopted yet, are numbers of completion queues.
 * A context's own address is for the time after that.
 */
static const void *early_key(const struct ibv_context *context)
{
	return &context->mutex;
}

static uint32_t early_queues(const struct ibv_context *context)
{
	return (uint32_t)(uintptr_t)seguei_layer_find(early_key(context));
}

void seguei_layer_count_early(const struct ibv_context *context, int more)
{
	int queues;

	pthread_mutex_lock(&lock);
	queues = (int)early_queues(context) + more;
	if (queues > 0)
		(void)seguei_layer_add(early_key(context), (void *)(uintptr_t)queues);
	else
		seguei_layer_remove(early_key(context));
	pthread_mutex_unlock(&lock);
}

int segue_verbs_adopt(struct ibv_context *context)
{
	uint32_t made;
	int ret;

	if (!context || !context->device || !mlx5dv_is_supported(context->device))
		return seguei_fail(ENOTSUP, "segue_verbs_adopt(): the context is %s.",
				   context ? "not of an mlx5 device" : "NULL");
	made = early_queues(context);
	if (made)
		return seguei_fail(EBUSY,
				   "segue_verbs_adopt(): the context has %u completion queue%s "
				   "already; call it before the first one is made.",
				   made, made == 1 ? "" : "s");
	pthread_mutex_lock(&lock);
	ret = seguei_layer_context_of(context) ? 0 : adopt(context);
	pthread_mutex_unlock(&lock);
	return ret;
}

static void leave(struct seguei_layer_context *x)
{
	struct seguei_layer_context **at = &contexts;

	pthread_mutex_lock(&lock);
	while (*at != x)
		at = &(*at)->next;
	*at = x->next;
	pthread_mutex_unlock(&lock);
	(void)segue_device_close(x->device);
	seguei_layer_remove(x->context);
	seguei_layer_restore_ops(x);
	free(x);
}

bool seguei_layer_adopts_all;

static struct ibv_context *opened(struct ibv_context *context)
{
	if (context && seguei_layer_adopts_all)
		(void)segue_verbs_adopt(context); /* if it fails, the context stays libmlx5's */
	return context;
}

struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	return opened(SEGUEI_LAYER_NEXT(ibv_open_device)(device));
}

struct ibv_context *mlx5dv_open_device(struct ibv_device *device, struct mlx5dv_context_attr *attr)
{
	return opened(SEGUEI_LAYER_NEXT(mlx5dv_open_device)(device, attr));
}

/* Closes the layer's objects first. Objects that are left after that are the program's error. */
int ibv_close_device(struct ibv_context *context)
{
	struct seguei_layer_context *x = seguei_layer_context_of(context);

	if (x)
		leave(x);
	seguei_layer_remove(early_key(context));
	return SEGUEI_LAYER_NEXT(ibv_close_device)(context);
}
