/* SPDX-License-Identifier: BSD-2-Clause */
/* Objects of an open device file: handles, dependencies and destruction. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/devx_event.h"
#include "tools/softhca/uverbs/flow_objs.h"
#include "tools/softhca/uverbs/pages.h"
#include "tools/softhca/uverbs/trap/memic.h"
#include "tools/softhca/uverbs/uverbs.h"

struct uv_obj *uv_obj_new(struct uv_file *f, enum uv_type type)
{
	struct uv_obj *obj = calloc(1, sizeof(*obj));
	unsigned int handle;

	if (!obj)
		return NULL;
	/* The lowest free handle, as in the kernel. */
	for (handle = f->first_free; handle < f->num_objs; handle++)
		if (!f->objs[handle])
			break;
	if (handle == f->num_objs) {
		unsigned int more = f->num_objs ? f->num_objs * 2 : 64;
		struct uv_obj **bigger = realloc(f->objs, more * sizeof(struct uv_obj *));

		if (!bigger) {
			free(obj);
			return NULL;
		}
		memset(bigger + f->num_objs, 0, (more - f->num_objs) * sizeof(struct uv_obj *));
		f->objs = bigger;
		f->num_objs = more;
	}
	f->objs[handle] = obj;
	f->first_free = handle + 1;
	obj->file = f;
	obj->type = type;
	obj->handle = handle;
	return obj;
}

struct uv_obj *uv_obj_get(struct uv_file *f, enum uv_type type, uint32_t handle)
{
	if (handle >= f->num_objs || !f->objs[handle] || f->objs[handle]->type != type)
		return NULL;
	return f->objs[handle];
}

void uv_obj_depend(struct uv_obj *obj, struct uv_obj *on)
{
	if (!on)
		return;
	for (int i = 0; i < UV_OBJ_DEPS; i++) {
		if (!obj->deps[i]) {
			obj->deps[i] = on;
			on->users++;
			return;
		}
	}
}

void uv_obj_undepend(struct uv_obj *obj, struct uv_obj *on)
{
	for (int i = 0; i < UV_OBJ_DEPS; i++) {
		if (obj->deps[i] == on && on) {
			obj->deps[i] = NULL;
			on->users--;
			return;
		}
	}
}

void uv_obj_free(struct uv_obj *obj)
{
	for (int i = 0; i < UV_OBJ_DEPS; i++)
		if (obj->deps[i])
			obj->deps[i]->users--;
	uv_devx_event_forget(obj);
	uv_evq_put(obj->channel);
	uv_evq_put(obj->async);
	obj->file->objs[obj->handle] = NULL;
	if (obj->handle < obj->file->first_free)
		obj->file->first_free = obj->handle;
	free(obj);
}

static int destroy_hw(struct uv_obj *obj)
{
	int err;

	if (obj->type == UV_XRCD)
		return uv_xrcd_release(obj);
	if (obj->type == UV_DEVX)
		return uv_devx_release(obj);
	if (obj->type == UV_DEVX_ASYNC)
		uv_devx_async_release(obj);
	if (obj->type == UV_VAR && obj->u.var.taken)
		uv_page_give(obj->file, obj->u.var.slot);
	if (obj->type == UV_DM) {
		uv_memic_forget(obj);
		uv_dm_free(obj);
	}
	if (!obj->hw)
		return 0;
	switch (obj->type) {
	case UV_PD:
		return softhca_pd_destroy(obj->hw);
	case UV_MR:
	case UV_MW:
		return softhca_mkey_destroy(obj->hw);
	case UV_CQ:
		return softhca_cq_destroy(obj->hw);
	case UV_SRQ:
		return softhca_srq_destroy(obj->hw);
	case UV_QP:
		return uv_qp_release(obj);
	case UV_WQ:
		return softhca_wq_destroy(obj->hw);
	case UV_IND_TABLE:
		return softhca_rwq_table_destroy(obj->hw);
	case UV_MATCHER:
	case UV_COUNTERS:
		free(obj->hw);
		return 0;
	case UV_FLOW_ACTION:
		uv_flow_action_free(obj->hw);
		return 0;
	case UV_FLOW:
		softhca_steer_destroy(obj->hw);
		return 0;
	case UV_UAR:
		err = softhca_uar_destroy(obj->hw);
		if (!err)
			uv_uar_release(obj);
		return err;
	default:
		return 0;
	}
}

int uv_obj_end(struct uv_obj *obj, uint32_t *async, uint32_t *comp)
{
	int err;

	if (!obj)
		return -ENOENT;
	if (obj->users)
		return -EBUSY;
	err = destroy_hw(obj);
	if (err)
		return err;
	obj->hw = NULL;
	if (obj->type == UV_MR || obj->type == UV_UMEM)
		uv_dmabuf_release(obj);
	if (comp)
		*comp = uv_comp_events_reported(obj);
	if (async)
		*async = uv_async_events_reported(obj);
	uv_obj_free(obj);
	return 0;
}

int uv_obj_destroy(struct uv_obj *obj)
{
	return uv_obj_end(obj, NULL, NULL);
}

void uv_obj_destroy_all(struct uv_file *f)
{
	bool progress = true;

	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_QP && f->objs[i]->hw)
			softhca_qp_mcast_leave(f->objs[i]->hw);
	/* Dependencies go one way only, so each pass frees at least the leaves. */
	while (progress) {
		progress = false;
		for (unsigned int i = 0; i < f->num_objs; i++)
			if (f->objs[i] && !uv_obj_destroy(f->objs[i]))
				progress = true;
	}
	free(f->objs);
	f->objs = NULL;
	f->num_objs = f->first_free = 0;
}
