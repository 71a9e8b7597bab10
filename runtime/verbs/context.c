/* SPDX-License-Identifier: BSD-2-Clause */
/* The program's contexts that the layer has adopted. */
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

struct seguei_layer_context *seguei_layer_context_of(const struct ibv_context *context)
{
	return seguei_layer_find(context);
}

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

static void watch_forks(void)
{
	(void)pthread_atfork(NULL, NULL, leave_in_child);
}

static bool is_set(const char *name)
{
	const char *value = getenv(name);

	return value && value[0] == '1';
}

static int adopt(struct ibv_context *context)
{
	struct seguei_layer_context *x = calloc(1, sizeof(*x));
	int ret;

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
	x->locks = !is_set("MLX5_SINGLE_THREADED");
	x->watched = is_wrapped(context->ops.poll_cq);
	seguei_layer_set_ops(x);
	x->next = contexts;
	contexts = x;
	return 0;
}

int segue_verbs_adopt(struct ibv_context *context)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	uint32_t made;
	int ret;

	if (!context || !context->device || !mlx5dv_is_supported(context->device))
		return seguei_fail(ENOTSUP, "segue_verbs_adopt(): the context is %s.",
				   context ? "not of an mlx5 device" : "NULL");
	made = seguei_layer_queues_of(context);
	if (made)
		return seguei_fail(EBUSY,
				   "segue_verbs_adopt(): the context has %u completion queue%s "
				   "already; call it before the first one is made.",
				   made, made == 1 ? "" : "s");
	(void)pthread_once(&once, watch_forks);
	pthread_mutex_lock(&lock);
	ret = seguei_layer_context_of(context) ? 0 : adopt(context);
	pthread_mutex_unlock(&lock);
	return ret;
}

void seguei_layer_leave(struct seguei_layer_context *x)
{
	struct seguei_layer_context **at;

	pthread_mutex_lock(&lock);
	for (at = &contexts; *at && *at != x; at = &(*at)->next)
		;
	if (*at)
		*at = x->next;
	pthread_mutex_unlock(&lock);
	(void)segue_device_close(x->device);
	seguei_layer_remove(x->context);
	seguei_layer_restore_ops(x);
	free(x);
}
