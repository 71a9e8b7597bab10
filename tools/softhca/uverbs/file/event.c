/* SPDX-License-Identifier: BSD-2-Clause */
/* Completion and asynchronous events, delivered to the descriptors that programs read. */
#include <errno.h>
#include <rdma/ib_user_verbs.h>

#include "tools/softhca/uverbs/devx_event.h"
#include "tools/softhca/uverbs/uverbs.h"

static void cq_event(void *arg, struct softhca_cq *cq)
{
	struct uv_obj *obj = softhca_cq_user(cq);
	struct ib_uverbs_comp_event_desc desc;

	(void)arg;
	if (obj && obj->subs)
		uv_devx_event_comp(obj);
	if (!obj || !obj->channel)
		return;
	desc.cq_handle = obj->user_handle;
	obj->comp_sent++;
	uv_evq_push(obj->channel, &desc);
}

/* ---- async fds: objects without one of their own report to the first ------------------------- */

/* Closing such an fd is not seen. Before a new one is made, those without an fd are freed. */
void uv_event_fd_collect(struct uv_file *f)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *obj = f->objs[i];

		if (obj && (obj->type == UV_EVENT_FD || obj->type == UV_DEVX_CHANNEL) &&
		    obj->channel && obj->channel != f->async &&
		    !uv_evq_is(obj->channel, uv_evq_fd(obj->channel)))
			uv_obj_free(obj);
	}
}

int uv_event_fd_create(struct uv_file *f)
{
	struct uv_obj *obj;

	uv_event_fd_collect(f);
	obj = uv_obj_new(f, UV_EVENT_FD);
	if (!obj)
		return -ENOMEM;
	obj->channel = uv_evq_create(sizeof(struct ib_uverbs_async_event_desc));
	if (!obj->channel) {
		uv_obj_free(obj);
		return -EMFILE;
	}
	if (!f->async) {
		uv_evq_get(obj->channel);
		f->async = obj->channel;
	}
	return uv_evq_fd(obj->channel);
}

struct uv_evq *uv_event_fd_find(struct uv_file *f, int fd)
{
	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *obj = f->objs[i];

		if (obj && obj->type == UV_EVENT_FD && uv_evq_is(obj->channel, fd))
			return obj->channel;
	}
	return NULL;
}

static void port_event(struct uv_file *f, unsigned port, enum ibv_event_type type)
{
	struct ib_uverbs_async_event_desc desc = {.element = port, .event_type = type};

	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_EVENT_FD)
			uv_evq_push(f->objs[i]->channel, &desc);
	uv_devx_event_port(f, type, port);
}

static struct uv_evq *async_queue(struct uv_obj *obj)
{
	return obj->async ? obj->async : obj->file->async;
}

static struct uv_obj *event_object(enum ibv_event_type type, void *hw)
{
	switch (type) {
	case IBV_EVENT_CQ_ERR:
		return softhca_cq_user(hw);
	case IBV_EVENT_SRQ_ERR:
	case IBV_EVENT_SRQ_LIMIT_REACHED:
		return softhca_srq_user(hw);
	default:
		return softhca_qp_user(hw);
	}
}

static void tell(struct uv_obj *obj, enum ibv_event_type type)
{
	const struct ib_uverbs_async_event_desc desc = {.event_type = type,
							.element = obj->user_handle};

	if (!async_queue(obj))
		return;
	obj->async_sent++;
	uv_evq_push(async_queue(obj), &desc);
}

static void async_event(void *arg, enum ibv_event_type type, void *hw, unsigned port)
{
	struct uv_hca *hca = arg;
	struct uv_obj *obj;

	if (!hw) {
		for (struct uv_file *f = uv_files(); f; f = f->next)
			if (f->hca == hca)
				port_event(f, port, type);
		return;
	}
	obj = event_object(type, hw);
	if (obj && obj->subs)
		uv_devx_event_async(obj, type);
	if (!obj ||
	    (obj->type != UV_QP && obj->type != UV_CQ && obj->type != UV_SRQ && obj->type != UV_WQ))
		return;
	tell(obj, type);
	/* All handles of the queue pair get the event. */
	if (obj->type == UV_QP)
		for (struct uv_obj *o = obj->u.qp.shared; o && o != obj; o = o->u.qp.shared)
			tell(o, type);
}

const struct softhca_ops uv_engine_ops = {
	.cq_event = cq_event,
	.async_event = async_event,
};

static bool same_cq(const void *record, const void *arg)
{
	const struct ib_uverbs_comp_event_desc *desc = record;

	return desc->cq_handle == *(const uint64_t *)arg;
}

unsigned int uv_comp_events_reported(struct uv_obj *cq)
{
	if (!cq->channel)
		return 0;
	return cq->comp_sent - uv_evq_purge(cq->channel, same_cq, &cq->user_handle);
}

static bool same_element(const void *record, const void *arg)
{
	const struct ib_uverbs_async_event_desc *desc = record;

	/* Port events have a small number in the place of a pointer. */
	return desc->element == *(const uint64_t *)arg;
}

unsigned int uv_async_events_reported(struct uv_obj *obj)
{
	if (!obj->async_sent || !async_queue(obj))
		return 0;
	return obj->async_sent - uv_evq_purge(async_queue(obj), same_element, &obj->user_handle);
}
