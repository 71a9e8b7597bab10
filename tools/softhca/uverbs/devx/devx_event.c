/* SPDX-License-Identifier: BSD-2-Clause */
/* DEVX event channels: subscriptions, and delivery of events. */
#include "tools/softhca/uverbs/devx_event.h"

#include <errno.h>
#include <fcntl.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/devx/prm.h"
#include "tools/softhca/uverbs/uverbs.h"

#define MAX_EVENTS 16 /* of one subscription command */

/* Each is in two lists: of its channel, which owns it, and of its object while that lives. */
struct uv_devx_sub {
	struct uv_devx_sub *next_of_channel, *next_of_obj;
	struct uv_obj *channel;
	struct uv_obj *obj; /* NULL: an event without an object */
	bool dead;	    /* its object is gone */
	uint16_t event;
	uint64_t cookie;
	uint64_t last; /* number of its last record, from 1 */
	int eventfd;   /* notified instead of the channel. -1: none */
};

struct record {
	uint64_t cookie;
	uint8_t eqe[EQE_BYTES];
};

/* ---- delivery ---- */

/* A channel without data holds each subscription at most once, however often it fires unread. */
static bool is_unread(const struct uv_devx_sub *sub)
{
	const struct uv_obj *ch = sub->channel;

	return sub->last + uv_evq_unread(ch->channel) > ch->u.devx_channel.sent && sub->last;
}

static void tell(struct uv_devx_sub *sub, const uint8_t *eqe)
{
	struct uv_obj *ch = sub->channel;
	struct record r = {.cookie = sub->cookie};
	const uint64_t one = 1;

	if (sub->eventfd >= 0) {
		(void)!uv_libc()->write(sub->eventfd, &one, sizeof(one));
		return;
	}
	if (ch->u.devx_channel.omit_data && is_unread(sub))
		return;
	memcpy(r.eqe, eqe, sizeof(r.eqe));
	sub->last = ++ch->u.devx_channel.sent;
	uv_evq_push(ch->channel, &r);
}

static void tell_all(const struct uv_obj *obj, uint16_t event, const uint8_t *eqe)
{
	for (struct uv_devx_sub *s = obj->subs; s; s = s->next_of_obj)
		if (s->event == event)
			tell(s, eqe);
}

void uv_devx_event_comp(struct uv_obj *cq)
{
	uint8_t eqe[EQE_BYTES] = {0};

	prm_set(eqe, 0, EQE_TYPE, PRM_EVENT_COMP);
	prm_set(eqe, 0, EQE_QUEUE, cq->u.devx.id);
	tell_all(cq, PRM_EVENT_COMP, eqe);
}

/* The device's number for the event that verbs call `type`. -1 if it has none. */
static int event_of(enum ibv_event_type type, bool dct)
{
	static const int events[] = {
		[IBV_EVENT_CQ_ERR] = PRM_EVENT_CQ_ERROR,
		[IBV_EVENT_QP_FATAL] = PRM_EVENT_WQ_CATAS_ERROR,
		[IBV_EVENT_QP_REQ_ERR] = PRM_EVENT_WQ_INVAL_REQ_ERROR,
		[IBV_EVENT_QP_ACCESS_ERR] = PRM_EVENT_WQ_ACCESS_ERROR,
		[IBV_EVENT_COMM_EST] = PRM_EVENT_COMM_EST,
		[IBV_EVENT_SQ_DRAINED] = PRM_EVENT_SQ_DRAINED,
		[IBV_EVENT_PATH_MIG] = PRM_EVENT_PATH_MIG,
		[IBV_EVENT_PATH_MIG_ERR] = PRM_EVENT_PATH_MIG_FAILED,
		[IBV_EVENT_SRQ_ERR] = PRM_EVENT_SRQ_CATAS_ERROR,
		[IBV_EVENT_SRQ_LIMIT_REACHED] = PRM_EVENT_SRQ_RQ_LIMIT,
	};

	if (type == IBV_EVENT_QP_LAST_WQE_REACHED)
		return dct ? PRM_EVENT_DCT_DRAINED : PRM_EVENT_SRQ_LAST_WQE;
	return type < sizeof(events) / sizeof(events[0]) && events[type] ? events[type] : -1;
}

void uv_devx_event_async(struct uv_obj *obj, enum ibv_event_type type)
{
	enum { QUEUE_TYPE_DCT = 6, CQ_OVERRUN = 1 };
	bool dct = obj->u.devx.kind == UV_DEVX_DCT;
	int event = event_of(type, dct);
	uint8_t eqe[EQE_BYTES] = {0};

	if (event < 0)
		return;
	prm_set(eqe, 0, EQE_TYPE, (uint64_t)event);
	if (event == PRM_EVENT_CQ_ERROR) {
		prm_set(eqe, 0, EQE_CQ_ERR, obj->u.devx.id);
		prm_set(eqe, 0, EQE_CQ_SYNDROME, CQ_OVERRUN);
	} else {
		prm_set(eqe, 0, EQE_QUEUE, obj->u.devx.id);
		prm_set(eqe, 0, EQE_QUEUE_TYPE,
			dct && event != PRM_EVENT_DCT_DRAINED ? QUEUE_TYPE_DCT : 0);
	}
	tell_all(obj, (uint16_t)event, eqe);
}

static int port_change(enum ibv_event_type type)
{
	switch (type) {
	case IBV_EVENT_PORT_ERR:
		return 1;
	case IBV_EVENT_PORT_ACTIVE:
		return 4;
	case IBV_EVENT_LID_CHANGE:
		return 6;
	case IBV_EVENT_PKEY_CHANGE:
		return 7;
	case IBV_EVENT_GID_CHANGE:
		return 8;
	case IBV_EVENT_CLIENT_REREGISTER:
		return 9;
	default:
		return -1;
	}
}

void uv_devx_event_port(struct uv_file *f, enum ibv_event_type type, unsigned int port)
{
	uint8_t eqe[EQE_BYTES] = {0};
	int change = port_change(type);

	if (change < 0)
		return;
	prm_set(eqe, 0, EQE_TYPE, PRM_EVENT_PORT_CHANGE);
	prm_set(eqe, 0, EQE_SUB_TYPE, (uint64_t)change);
	prm_set(eqe, 0, EQE_PORT, port);
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *ch = f->objs[i];

		if (!ch || ch->type != UV_DEVX_CHANNEL)
			continue;
		for (struct uv_devx_sub *s = ch->subs; s; s = s->next_of_channel)
			if (!s->obj && !s->dead && s->event == PRM_EVENT_PORT_CHANGE)
				tell(s, eqe);
	}
}

/* ---- subscriptions ---- */

static void unlink_from_obj(struct uv_devx_sub *sub)
{
	for (struct uv_devx_sub **p = sub->obj ? &sub->obj->subs : NULL; p && *p;
	     p = &(*p)->next_of_obj) {
		if (*p == sub) {
			*p = sub->next_of_obj;
			return;
		}
	}
}

static void drop(struct uv_devx_sub *sub)
{
	unlink_from_obj(sub);
	if (sub->eventfd >= 0)
		uv_fd_close(sub->eventfd);
	free(sub);
}

void uv_devx_event_forget(struct uv_obj *obj)
{
	struct uv_devx_sub *next;

	for (struct uv_devx_sub *s = obj->subs; s; s = next) {
		if (obj->type == UV_DEVX_CHANNEL) {
			next = s->next_of_channel;
			drop(s);
		} else {
			next = s->next_of_obj;
			s->obj = NULL;
			s->dead = true;
		}
	}
	obj->subs = NULL;
}

int uv_devx_event_channel(struct uv_ioctl *io)
{
	uint32_t flags = 0;
	struct uv_obj *ch;
	bool omit;

	if (uv_attr_in(io, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_FLAGS, &flags, sizeof(flags)) ||
	    flags & ~(uint32_t)MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA ||
	    !uv_attr(io, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE))
		return -EINVAL;
	omit = flags & MLX5_IB_UAPI_DEVX_CR_EV_CH_FLAGS_OMIT_DATA;
	uv_event_fd_collect(io->file);
	ch = uv_obj_new(io->file, UV_DEVX_CHANNEL);
	if (!ch)
		return -ENOMEM;
	ch->channel = uv_evq_create(omit ? sizeof(uint64_t) : sizeof(struct record));
	if (!ch->channel) {
		uv_obj_free(ch);
		return -EMFILE;
	}
	uv_evq_one_per_read(ch->channel);
	ch->u.devx_channel.omit_data = omit;
	return uv_attr_set(io, MLX5_IB_ATTR_DEVX_ASYNC_EVENT_FD_ALLOC_HANDLE,
			   (uint64_t)uv_evq_fd(ch->channel));
}

static struct uv_obj *channel_of(struct uv_file *f, int fd)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *obj = f->objs[i];

		if (obj && obj->type == UV_DEVX_CHANNEL && uv_evq_is(obj->channel, fd))
			return obj;
	}
	return NULL;
}

/* Whether this event exists. Without an object there are only the port's events. */
static bool known_event(uint16_t event, bool of_object)
{
	static const uint16_t events[] = {
		PRM_EVENT_COMP,
		PRM_EVENT_PATH_MIG,
		PRM_EVENT_COMM_EST,
		PRM_EVENT_SQ_DRAINED,
		PRM_EVENT_CQ_ERROR,
		PRM_EVENT_WQ_CATAS_ERROR,
		PRM_EVENT_PATH_MIG_FAILED,
		PRM_EVENT_WQ_ACCESS_ERROR,
		PRM_EVENT_SRQ_LAST_WQE,
		PRM_EVENT_WQ_INVAL_REQ_ERROR,
		PRM_EVENT_SRQ_CATAS_ERROR,
		PRM_EVENT_SRQ_RQ_LIMIT,
		PRM_EVENT_XRQ_ERROR,
		PRM_EVENT_DCT_DRAINED,
		PRM_EVENT_DCT_KEY_VIOLATION,
	};

	if (!of_object)
		return event == PRM_EVENT_PORT_CHANGE;
	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		if (events[i] == event)
			return true;
	return false;
}

/* Checked contents of a subscription command. */
struct request {
	struct uv_obj *channel, *obj;
	uint16_t events[MAX_EVENTS];
	size_t num_events;
	uint64_t cookie;
	int eventfd; /* the application's. -1: none */
};

static int read_events(struct uv_ioctl *io, struct request *r)
{
	struct uv_span list = uv_attr_span(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_TYPE_NUM_LIST);

	if (!list.len || list.len % sizeof(uint16_t) || list.len > sizeof(r->events))
		return -EINVAL;
	r->num_events = list.len / sizeof(uint16_t);
	if (uv_copy_in(r->events, list.addr, list.len))
		return -EFAULT;
	for (size_t i = 0; i < r->num_events; i++)
		if (!known_event(r->events[i], r->obj))
			return -EINVAL;
	return 0;
}

static int read_request(struct uv_ioctl *io, struct request *r)
{
	struct ib_uverbs_attr *a = uv_attr(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_HANDLE);
	uint32_t handle, fd;

	r->eventfd = -1;
	if (!a)
		return -EINVAL;
	r->channel = channel_of(io->file, (int)a->data_s64);
	if (!r->channel)
		return -EBADF;
	if (uv_attr(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE)) {
		if (uv_attr_handle(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_OBJ_HANDLE, &handle))
			return -EINVAL;
		r->obj = uv_obj_get(io->file, UV_DEVX, handle);
		if (!r->obj)
			return -ENOENT;
	}
	if (!uv_attr_in(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_FD_NUM, &fd, sizeof(fd)))
		r->eventfd = (int)fd;
	if (uv_attr(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE)) {
		if (r->eventfd >= 0)
			return -EINVAL;
		(void)uv_attr_u64(io, MLX5_IB_ATTR_DEVX_SUBSCRIBE_EVENT_COOKIE, &r->cookie);
	}
	return read_events(io, r);
}

/* Our own fd of the application's eventfd, so that the application may close its own. */
static int hold_eventfd(int fd)
{
	char link[64], target[64];
	ssize_t len;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	len = uv_libc()->readlink(link, target, sizeof(target) - 1);
	if (len < 0)
		return -EBADF;
	target[len] = '\0';
	if (strcmp(target, "anon_inode:[eventfd]") != 0)
		return -EINVAL;
	fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return fd < 0 ? -errno : uv_fd_hide(fd);
}

static int subscribe_one(const struct request *r, uint16_t event)
{
	struct uv_devx_sub *sub = calloc(1, sizeof(*sub));

	if (!sub)
		return -ENOMEM;
	sub->eventfd = r->eventfd < 0 ? -1 : hold_eventfd(r->eventfd);
	if (r->eventfd >= 0 && sub->eventfd < 0) {
		int err = sub->eventfd;

		free(sub);
		return err;
	}
	sub->channel = r->channel;
	sub->obj = r->obj;
	sub->event = event;
	sub->cookie = r->cookie;
	sub->next_of_channel = r->channel->subs;
	r->channel->subs = sub;
	if (r->obj) {
		sub->next_of_obj = r->obj->subs;
		r->obj->subs = sub;
	}
	return 0;
}

/* Removes the newest subscriptions of a channel. */
static void unsubscribe(struct uv_obj *channel, size_t count)
{
	while (count--) {
		struct uv_devx_sub *sub = channel->subs;

		channel->subs = sub->next_of_channel;
		drop(sub);
	}
}

int uv_devx_event_subscribe(struct uv_ioctl *io)
{
	struct request r = {0};
	int err;

	uv_event_fd_collect(io->file);
	err = read_request(io, &r);
	for (size_t i = 0; i < r.num_events && !err; i++) {
		err = subscribe_one(&r, r.events[i]);
		if (err)
			unsubscribe(r.channel, i);
	}
	return err;
}
