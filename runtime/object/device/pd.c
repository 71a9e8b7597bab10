/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection domains, thread domains and XRC domains. */
#include "runtime/object/device/pd.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "segue/base.h"
#include "segue/gen/enums.h"
#include "segue/mr.h"

static int release_pd(struct seguei_object *object)
{
	struct segue_pd *pd = (struct segue_pd *)object;
	const int ret = pd->adopted ? 0 : ibv_dealloc_pd(pd->pd);

	return ret == EBUSY && pd->held ? EIO : ret;
}

const struct seguei_kind seguei_pd_kind = {"protection domain", SEGUEI_RANK_PD, release_pd};

/* The null key belongs to the device, and its query costs no command. */
static uint32_t null_key_of(struct ibv_pd *pd)
{
	struct ibv_mr *mr = ibv_alloc_null_mr(pd);
	const uint32_t key = mr ? mr->lkey : SEGUE_LKEY_INVALID;

	if (mr)
		(void)ibv_dereg_mr(mr);
	return key;
}

static int make_pd(struct segue_device *device, struct ibv_pd *verbs, struct segue_pd **out)
{
	struct segue_pd *pd = seguei_object_alloc(sizeof(*pd), "Protection domain");

	if (!pd)
		return -ENOMEM;
	pd->adopted = verbs != NULL;
	pd->pd = verbs ? verbs : ibv_alloc_pd(device->context);
	if (!pd->pd) {
		const int err = errno ? errno : ENOMEM;

		free(pd);
		return seguei_fail(err, "No protection domain on %s: %s.",
				   segue_device_name(device), strerror(err));
	}
	pd->null_key = null_key_of(pd->pd);
	seguei_object_open(&pd->object, &seguei_pd_kind, &device->object, seguei_key_of(pd->pd));
	pd->object.number = pd->pd->handle;
	*out = pd;
	return 0;
}

int segue_pd_open(struct segue_device *device, struct segue_pd **out)
{
	const int ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
					    "segue_pd_open()");

	return ret ? ret : make_pd(device, NULL, out);
}

int segue_pd_adopt(struct segue_device *device, struct ibv_pd *pd, struct segue_pd **out)
{
	const int ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
					    "segue_pd_adopt()");

	if (ret)
		return ret;
	if (!pd || pd->context != device->context)
		return seguei_fail(EINVAL, "segue_pd_adopt(): the protection domain %s.",
				   pd ? "is on another verbs context than the device" : "is NULL");
	return make_pd(device, pd, out);
}

int segue_pd_close(struct segue_pd *pd)
{
	return seguei_object_close((struct seguei_object *)pd, &seguei_pd_kind);
}

int segue_pd_null_key(const struct segue_pd *pd, struct segue_local_key *out)
{
	if (pd->null_key == SEGUE_LKEY_INVALID)
		return seguei_fail(ENOTSUP, "Protection domain: the device has no null key.");
	out->lkey = pd->null_key;
	return 0;
}

struct ibv_pd *segue_pd_ibv(struct segue_pd *pd)
{
	return pd->pd;
}

static int release_td(struct seguei_object *object)
{
	struct segue_td *td = (struct segue_td *)object;
	int ret = td->parent ? ibv_dealloc_pd(td->parent) : 0;

	if (!ret)
		td->parent = NULL;
	if (!ret)
		ret = ibv_dealloc_td(td->td);
	return ret == EBUSY && td->held ? EIO : ret;
}

const struct seguei_kind seguei_td_kind = {"thread domain", SEGUEI_RANK_TD, release_td};

static int make_td(struct segue_pd *pd, struct segue_td *td)
{
	struct ibv_td_init_attr of_td = {.comp_mask = 0};
	struct ibv_parent_domain_init_attr of_parent = {.pd = pd->pd};
	int err;

	td->td = ibv_alloc_td(pd->pd->context, &of_td);
	if (!td->td) {
		err = errno ? errno : ENOMEM;
		return seguei_fail(err, "No thread domain: %s%s.", strerror(err),
				   err == ENOENT || err == ENOMEM
					   ? "; the device has no doorbell register left for this "
					     "process, see "
					     "segue_caps.dynamic_doorbells"
					   : "");
	}
	of_parent.td = td->td;
	td->parent = ibv_alloc_parent_domain(pd->pd->context, &of_parent);
	if (td->parent)
		return 0;
	err = errno ? errno : ENOMEM;
	(void)ibv_dealloc_td(td->td);
	return seguei_fail(err,
			   "No thread domain: the protection domain cannot be joined to it: %s.",
			   strerror(err));
}

int segue_td_open(struct segue_pd *pd, struct segue_td **out)
{
	struct segue_td *td;
	int ret = seguei_object_check((struct seguei_object *)pd, &seguei_pd_kind,
				      "segue_td_open()");

	if (ret)
		return ret;
	td = seguei_object_alloc(sizeof(*td), "Thread domain");
	if (!td)
		return -ENOMEM;
	ret = make_td(pd, td);
	if (ret) {
		free(td);
		return ret;
	}
	seguei_object_open(&td->object, &seguei_td_kind, &pd->object, seguei_key_of(td->td));
	*out = td;
	return 0;
}

int segue_td_close(struct segue_td *td)
{
	return seguei_object_close((struct seguei_object *)td, &seguei_td_kind);
}

static int release_xrcd(struct seguei_object *object)
{
	const int ret = ibv_close_xrcd(((struct segue_xrcd *)object)->xrcd);

	return ret < 0 ? errno : ret;
}

const struct seguei_kind seguei_xrcd_kind = {"XRC domain", SEGUEI_RANK_XRCD, release_xrcd};

int segue_xrcd_open(struct segue_device *device, int fd, struct segue_xrcd **out)
{
	struct ibv_xrcd_init_attr attr = {0};
	struct segue_xrcd *xrcd;
	int ret;

	ret = seguei_object_check((struct seguei_object *)device, &seguei_device_kind,
				  "segue_xrcd_open()");
	if (ret)
		return ret;
	if (!device->caps.xrc)
		return seguei_fail(ENOTSUP, "Device %s has no XRC.", segue_device_name(device));
	xrcd = seguei_object_alloc(sizeof(*xrcd), "XRC domain");
	if (!xrcd)
		return -ENOMEM;
	attr.comp_mask = IBV_XRCD_INIT_ATTR_FD | IBV_XRCD_INIT_ATTR_OFLAGS;
	attr.fd = fd;
	attr.oflags = O_CREAT;
	xrcd->xrcd = ibv_open_xrcd(device->context, &attr);
	if (!xrcd->xrcd) {
		ret = errno ? errno : ENOMEM;
		free(xrcd);
		return seguei_fail(ret, "No XRC domain on %s: %s.", segue_device_name(device),
				   strerror(ret));
	}
	seguei_object_open(&xrcd->object, &seguei_xrcd_kind, &device->object,
			   seguei_key_of(xrcd->xrcd));
	*out = xrcd;
	return 0;
}

int segue_xrcd_close(struct segue_xrcd *xrcd)
{
	return seguei_object_close((struct seguei_object *)xrcd, &seguei_xrcd_kind);
}

struct ibv_xrcd *segue_xrcd_ibv(struct segue_xrcd *xrcd)
{
	return xrcd->xrcd;
}

int seguei_pd_number(const struct segue_pd *pd, uint32_t *number)
{
	struct mlx5dv_pd out = {0};
	struct mlx5dv_obj object = {.pd = {.in = pd->pd, .out = &out}};
	int ret;

	ret = mlx5dv_init_obj(&object, MLX5DV_OBJ_PD);
	*number = out.pdn;
	return ret;
}
