/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The data path of libibverbs uses function pointers in the context, the extended queue pair and
 * the extended completion queue. The program reads them and we replace them, so that a poll of a
 * completion queue that finds nothing runs the device, and a doorbell does so too.
 *
 * The driver has a handful of variants of each function. A slot per variant keeps the original, and
 * a function per slot replaces it. There is no table of objects that come and go, and no lock.
 */
#undef _FORTIFY_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <infiniband/verbs.h>
#include <string.h>

#include "tools/softhca/uverbs/preload/preload.h"
#include "tools/softhca/uverbs/preload/wait.h"
#include "tools/softhca/uverbs/uverbs.h"

#define EXPORT __attribute__((visibility("default")))

typedef void (*any_fn)(void);

struct the_preload the_preload;

#define FOR_SLOTS(X) \
	X(0) X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15)

#define ORIGINAL(kind, slot, type) \
	((type)__atomic_load_n(&the_preload.kind.original[slot], __ATOMIC_RELAXED))

typedef int (*poll_cq_fn)(struct ibv_cq *cq, int n, struct ibv_wc *wc);
typedef int (*req_notify_cq_fn)(struct ibv_cq *cq, int solicited_only);
typedef int (*post_send_fn)(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad);
typedef int (*start_poll_fn)(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr);
typedef int (*wr_complete_fn)(struct ibv_qp_ex *qp);
typedef struct ibv_cq_ex *(*create_cq_ex_fn)(struct ibv_context *ctx,
					     struct ibv_cq_init_attr_ex *attr);

static inline int do_poll_cq(poll_cq_fn original, struct ibv_cq *cq, int n, struct ibv_wc *wc)
{
	const int got = original(cq, n, wc);

	return got || n <= 0 || !uv_wait_turn() ? got : original(cq, n, wc);
}

static inline int do_req_notify_cq(req_notify_cq_fn original, struct ibv_cq *cq, int solicited_only)
{
	const int err = original(cq, solicited_only);

	uv_wait_armed();
	return err;
}

static inline int do_post_send(post_send_fn original, struct ibv_qp *qp, struct ibv_send_wr *wr,
			       struct ibv_send_wr **bad)
{
	const int err = original(qp, wr, bad);

	uv_wait_rung(qp->qp_num);
	return err;
}

static inline int do_start_poll(start_poll_fn original, struct ibv_cq_ex *cq,
				struct ibv_poll_cq_attr *attr)
{
	const int err = original(cq, attr);

	return err != ENOENT || !uv_wait_turn() ? err : original(cq, attr);
}

static inline int do_wr_complete(wr_complete_fn original, struct ibv_qp_ex *qp)
{
	const int err = original(qp);

	uv_wait_rung(qp->qp_base.qp_num);
	return err;
}

/* The replacement of `original`, which it calls. `original` itself if all slots are taken. */
static any_fn stand_in(struct uv_originals *k, any_fn original)
{
	any_fn fn = original;

	pthread_mutex_lock(&the_preload.lock);
	for (int i = 0; original && i < UV_SLOTS; i++) {
		if (k->stand_in[i] == original)
			break; /* it is one already */
		if (k->original[i] && k->original[i] != original)
			continue;
		__atomic_store_n(&k->original[i], original, __ATOMIC_RELAXED);
		fn = k->stand_in[i];
		break;
	}
	pthread_mutex_unlock(&the_preload.lock);
	return fn;
}

static struct ibv_cq_ex *do_create_cq_ex(create_cq_ex_fn original, struct ibv_context *ctx,
					 struct ibv_cq_init_attr_ex *attr)
{
	struct ibv_cq_ex *const cq = original(ctx, attr);

	if (cq)
		cq->start_poll = (start_poll_fn)stand_in(&the_preload.start_poll,
							 (any_fn)cq->start_poll);
	return cq;
}

#define DEFINE_STAND_INS(i)                                                                    \
	static int poll_cq_##i(struct ibv_cq *cq, int n, struct ibv_wc *wc)                    \
	{                                                                                      \
		return do_poll_cq(ORIGINAL(poll_cq, i, poll_cq_fn), cq, n, wc);                \
	}                                                                                      \
	static int req_notify_cq_##i(struct ibv_cq *cq, int solicited_only)                    \
	{                                                                                      \
		return do_req_notify_cq(ORIGINAL(req_notify_cq, i, req_notify_cq_fn), cq,      \
					solicited_only);                                       \
	}                                                                                      \
	static int post_send_##i(struct ibv_qp *qp, struct ibv_send_wr *wr,                    \
				 struct ibv_send_wr **bad)                                     \
	{                                                                                      \
		return do_post_send(ORIGINAL(post_send, i, post_send_fn), qp, wr, bad);        \
	}                                                                                      \
	static int start_poll_##i(struct ibv_cq_ex *cq, struct ibv_poll_cq_attr *attr)         \
	{                                                                                      \
		return do_start_poll(ORIGINAL(start_poll, i, start_poll_fn), cq, attr);        \
	}                                                                                      \
	static int wr_complete_##i(struct ibv_qp_ex *qp)                                       \
	{                                                                                      \
		return do_wr_complete(ORIGINAL(wr_complete, i, wr_complete_fn), qp);           \
	}                                                                                      \
	static struct ibv_cq_ex *create_cq_ex_##i(struct ibv_context *ctx,                     \
						  struct ibv_cq_init_attr_ex *attr)            \
	{                                                                                      \
		return do_create_cq_ex(ORIGINAL(create_cq_ex, i, create_cq_ex_fn), ctx, attr); \
	}
FOR_SLOTS(DEFINE_STAND_INS)

#define SET_STAND_INS(i)                                                   \
	the_preload.poll_cq.stand_in[i] = (any_fn)poll_cq_##i;             \
	the_preload.req_notify_cq.stand_in[i] = (any_fn)req_notify_cq_##i; \
	the_preload.post_send.stand_in[i] = (any_fn)post_send_##i;         \
	the_preload.start_poll.stand_in[i] = (any_fn)start_poll_##i;       \
	the_preload.wr_complete.stand_in[i] = (any_fn)wr_complete_##i;     \
	the_preload.create_cq_ex.stand_in[i] = (any_fn)create_cq_ex_##i;

__attribute__((constructor)) static void set_stand_ins(void)
{
	FOR_SLOTS(SET_STAND_INS)
}

static void adopt(struct ibv_context *ctx)
{
	struct verbs_context *v = verbs_get_ctx(ctx);

	if (!uv_is_ours(ctx->cmd_fd))
		return;
	ctx->ops.poll_cq = (poll_cq_fn)stand_in(&the_preload.poll_cq, (any_fn)ctx->ops.poll_cq);
	ctx->ops.post_send = (post_send_fn)stand_in(&the_preload.post_send,
						    (any_fn)ctx->ops.post_send);
	ctx->ops.req_notify_cq = (req_notify_cq_fn)stand_in(&the_preload.req_notify_cq,
							    (any_fn)ctx->ops.req_notify_cq);
	if (!v)
		return;
	v->create_cq_ex = (create_cq_ex_fn)stand_in(&the_preload.create_cq_ex,
						    (any_fn)v->create_cq_ex);
}

/* A caller of these functions has loaded the library, though perhaps not with global visibility. */
static void *original_of(const char *library, const char *name)
{
	void *const handle = dlopen(library, RTLD_LAZY | RTLD_NOLOAD);
	void *const fn = handle ? dlsym(handle, name) : NULL;

	if (handle)
		dlclose(handle);
	if (!fn)
		errno = ENOSYS;
	return fn;
}

struct mlx5dv_context_attr;

EXPORT struct ibv_context *ibv_open_device(struct ibv_device *device)
{
	void *const original = original_of("libibverbs.so.1", "ibv_open_device");
	struct ibv_context *(*open_device)(struct ibv_device *);
	struct ibv_context *ctx;

	memcpy(&open_device, &original, sizeof(original));
	ctx = original ? open_device(device) : NULL;
	if (ctx)
		adopt(ctx);
	return ctx;
}

EXPORT struct ibv_context *mlx5dv_open_device(struct ibv_device *device,
					      struct mlx5dv_context_attr *attr)
{
	void *const original = original_of("libmlx5.so.1", "mlx5dv_open_device");
	struct ibv_context *(*open_device)(struct ibv_device *, struct mlx5dv_context_attr *);
	struct ibv_context *ctx;

	memcpy(&open_device, &original, sizeof(original));
	ctx = original ? open_device(device, attr) : NULL;
	if (ctx)
		adopt(ctx);
	return ctx;
}

/*
 * libmlx5 has one wr_complete() for queue pairs that may send and one for the others, and changes
 * them with the state (rdma-core, providers/mlx5/verbs.c, mlx5_modify_qp()). All of its queue pairs
 * have room for the result of ibv_qp_to_qp_ex(), which is NULL without
 * IBV_QP_INIT_ATTR_SEND_OPS_FLAGS.
 */
EXPORT int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
	void *const original = original_of("libibverbs.so.1", "ibv_modify_qp");
	int (*modify_qp)(struct ibv_qp *, struct ibv_qp_attr *, int);
	struct ibv_qp_ex *const ex = (struct ibv_qp_ex *)qp;
	int err;

	memcpy(&modify_qp, &original, sizeof(original));
	err = original ? modify_qp(qp, attr, mask) : ENOSYS;
	if (!err && uv_is_ours(qp->context->cmd_fd) && ex->wr_complete)
		ex->wr_complete = (wr_complete_fn)stand_in(&the_preload.wr_complete,
							   (any_fn)ex->wr_complete);
	return err;
}
