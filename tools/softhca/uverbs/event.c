/* SPDX-License-Identifier: BSD-2-Clause */
#include <rdma/ib_user_verbs.h>
#include <string.h>

#include "tools/softhca/uverbs/uverbs.h"

static void cq_event(void *arg, struct softhca_cq *cq)
{
	struct uv_obj *obj = softhca_cq_user(cq);
	struct ib_uverbs_comp_event_desc desc;

	(void)arg;
	if (!obj || !obj->channel)
		return;
	desc.cq_handle = obj->user_handle;
	obj->comp_sent++;
	uv_evq_push(obj->channel, &desc);
}

void uv_async_to_file(struct uv_file *f, uint64_t element, uint32_t type)
{
	struct ib_uverbs_async_event_desc desc = {.element = element, .event_type = type};

	if (f->async)
		uv_evq_push(f->async, &desc);
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

static void async_event(void *arg, enum ibv_event_type type, void *hw, unsigned port)
{
	struct uv_hca *hca = arg;
	struct uv_obj *obj;

	if (!hw) {
		for (struct uv_file *f = uv_files(); f; f = f->next)
			if (f->hca == hca)
				uv_async_to_file(f, port, type);
		return;
	}
	obj = event_object(type, hw);
	if (!obj || (obj->type != UV_QP && obj->type != UV_CQ && obj->type != UV_SRQ))
		return;
	obj->async_sent++;
	uv_async_to_file(obj->file, obj->user_handle, type);
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

	/* Port events carry a small number where the others carry a pointer. */
	return desc->element == *(const uint64_t *)arg;
}

unsigned int uv_async_events_reported(struct uv_obj *obj)
{
	if (!obj->async_sent || !obj->file->async)
		return 0;
	return obj->async_sent - uv_evq_purge(obj->file->async, same_element, &obj->user_handle);
}
