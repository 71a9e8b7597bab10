/* SPDX-License-Identifier: BSD-2-Clause */
/* Protection domains, memory, XRC domains, address handles. */
#include <errno.h>
#include <fcntl.h>
#include <rdma/ib_user_verbs.h>
#include <rdma/mlx5-abi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/libc/libc.h"

/* Destroys the object of a request that only names it, or fails with -ENOENT. */
static int destroy(struct uv_cmd *c, enum uv_type type)
{
	struct ib_uverbs_dealloc_pd req;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	return uv_obj_destroy(uv_obj_get(c->file, type, req.pd_handle));
}

/* ---- PD -------------------------------------------------------------------------------------- */

int uv_alloc_pd(struct uv_cmd *c)
{
	struct ib_uverbs_alloc_pd_resp resp = {0};
	struct mlx5_ib_alloc_pd_resp drv = {0};
	struct softhca_pd *hw;
	struct uv_obj *pd = uv_obj_new(c->file, UV_PD);
	int err;

	if (!pd)
		return -ENOMEM;
	err = softhca_pd_create(c->file->hca->dev, &hw, &drv.pdn);
	if (err) {
		uv_obj_free(pd);
		return err;
	}
	pd->hw = hw;
	pd->u.umem.id = drv.pdn;
	resp.pd_handle = pd->handle;
	err = uv_drv_out(c, &drv, sizeof(drv));
	if (!err)
		err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(pd);
	return err;
}

int uv_dealloc_pd(struct uv_cmd *c)
{
	return destroy(c, UV_PD);
}

/* ---- MR -------------------------------------------------------------------------------------- */

/* Same as the kernel's ib_umem_get(): at the beginning of a page, 0 bytes are no page. */
static int check_pages(uint64_t start, uint64_t length, uint32_t access)
{
	if (access & IBV_ACCESS_ON_DEMAND || length || start % (uint64_t)sysconf(_SC_PAGESIZE))
		return 0;
	return softhca_fail(-EINVAL, "there is no page in a region of 0 bytes at 0x%llx",
			    (unsigned long long)start);
}

int uv_reg_mr(struct uv_cmd *c)
{
	struct ib_uverbs_reg_mr_resp resp = {0};
	struct softhca_mkey *hw;
	struct ib_uverbs_reg_mr req;
	struct uv_obj *pd, *mr;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if ((req.start & 4095) != (req.hca_va & 4095))
		return -EINVAL;
	err = softhca_access_check(req.access_flags);
	/* The whole address space is implicit, and on demand only. */
	if (!err && req.access_flags & IB_UVERBS_ACCESS_ON_DEMAND && !req.start &&
	    req.length == UINT64_MAX && req.hca_va)
		err = -EINVAL;
	if (err)
		return err;
	pd = uv_obj_get(c->file, UV_PD, req.pd_handle);
	if (!pd)
		return -EINVAL;
	err = check_pages(req.start, req.length, req.access_flags);
	if (err)
		return err;
	mr = uv_obj_new(c->file, UV_MR);
	if (!mr)
		return -ENOMEM;
	err = softhca_mr_create(pd->hw, req.start, req.length, req.hca_va, req.access_flags, &hw);
	if (err) {
		uv_obj_free(mr);
		return err;
	}
	mr->hw = hw;
	mr->u.umem.addr = req.hca_va;
	mr->u.umem.len = req.length;
	uv_obj_depend(mr, pd);
	resp.mr_handle = mr->handle;
	resp.lkey = softhca_mkey_key(hw);
	resp.rkey = resp.lkey;
	err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(mr);
	return err;
}

static int check_rereg(const struct ib_uverbs_rereg_mr *req)
{
	if (!req->flags || req->flags & ~(uint32_t)IBV_REREG_MR_FLAGS_SUPPORTED)
		return -EINVAL;
	if (req->flags & IBV_REREG_MR_CHANGE_TRANSLATION &&
	    (!req->start || !req->length || (req->start & 4095) != (req->hca_va & 4095)))
		return -EINVAL;
	return req->flags & IBV_REREG_MR_CHANGE_ACCESS ? softhca_access_check(req->access_flags)
						       : 0;
}

int uv_rereg_mr(struct uv_cmd *c)
{
	struct ib_uverbs_rereg_mr_resp resp = {0};
	struct uv_obj *mr, *pd = NULL;
	struct ib_uverbs_rereg_mr req;
	uint64_t where[3];
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = check_rereg(&req);
	if (err)
		return err;
	mr = uv_obj_get(c->file, UV_MR, req.mr_handle);
	if (!mr)
		return -ENOENT;
	if (req.flags & IBV_REREG_MR_CHANGE_PD) {
		pd = uv_obj_get(c->file, UV_PD, req.pd_handle);
		if (!pd)
			return -EINVAL;
	}
	where[0] = req.start;
	where[1] = req.length;
	where[2] = req.hca_va;
	err = softhca_mr_rereg(mr->hw, (int)req.flags, pd ? pd->hw : NULL, where, req.access_flags);
	if (err)
		return err;
	if (req.flags & IBV_REREG_MR_CHANGE_TRANSLATION) {
		mr->u.umem.addr = req.hca_va;
		mr->u.umem.len = req.length;
	}
	if (pd) {
		uv_obj_undepend(mr, mr->deps[0]);
		uv_obj_depend(mr, pd);
	}
	resp.lkey = softhca_mkey_key(mr->hw);
	resp.rkey = resp.lkey;
	return uv_respond(c, &resp, sizeof(resp));
}

int uv_dereg_mr(struct uv_cmd *c)
{
	return destroy(c, UV_MR);
}

/* ---- MW -------------------------------------------------------------------------------------- */

int uv_alloc_mw(struct uv_cmd *c)
{
	struct ib_uverbs_alloc_mw_resp resp = {0};
	struct ib_uverbs_alloc_mw req;
	struct mlx5_ib_alloc_mw drv;
	struct softhca_mkey *hw;
	struct uv_obj *pd, *mw;
	int err = uv_request(c, &req, sizeof(req));

	if (!err)
		err = uv_drv_in(c, &drv, 0, sizeof(drv));
	if (err)
		return err;
	if (drv.comp_mask || drv.reserved1 || drv.reserved2)
		return -EOPNOTSUPP;
	if (!softhca_dev_config(c->file->hca->dev)->mw)
		return -EOPNOTSUPP;
	if (req.mw_type != IBV_MW_TYPE_1 && req.mw_type != IBV_MW_TYPE_2)
		return -EINVAL;
	pd = uv_obj_get(c->file, UV_PD, req.pd_handle);
	if (!pd)
		return -EINVAL;
	mw = uv_obj_new(c->file, UV_MW);
	if (!mw)
		return -ENOMEM;
	err = softhca_mw_create(pd->hw, (enum ibv_mw_type)req.mw_type, &hw);
	if (err) {
		uv_obj_free(mw);
		return err;
	}
	mw->hw = hw;
	uv_obj_depend(mw, pd);
	resp.mw_handle = mw->handle;
	resp.rkey = softhca_mkey_key(hw);
	err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(mw);
	return err;
}

int uv_dealloc_mw(struct uv_cmd *c)
{
	return destroy(c, UV_MW);
}

/* ---- XRC domains ----------------------------------------------------------------------------- */

/*
 * A domain that was opened with a file is shared by every user of the same inode. Other processes
 * are other hosts here, so the sharing is within the process.
 */
struct uv_xrcd_shared {
	struct uv_xrcd_shared *next;
	struct softhca_dev *dev;
	struct softhca_xrcd *hw;
	dev_t st_dev;
	ino_t st_ino;
	bool has_inode;
	unsigned int refs;
};

static struct {
	struct uv_xrcd_shared *xrcds;
} the_abi;

static struct uv_xrcd_shared *xrcd_find(struct uv_file *f, const struct stat *st)
{
	for (struct uv_xrcd_shared *x = the_abi.xrcds; x; x = x->next)
		if (x->has_inode && x->dev == f->hca->dev && x->st_ino == st->st_ino &&
		    x->st_dev == st->st_dev)
			return x;
	return NULL;
}

static int xrcd_make(struct uv_file *f, const struct stat *st, struct uv_xrcd_shared **out)
{
	struct uv_xrcd_shared *x = calloc(1, sizeof(*x));
	uint32_t number;
	int err;

	if (!x)
		return -ENOMEM;
	err = softhca_xrcd_create(f->hca->dev, &x->hw, &number);
	if (err) {
		free(x);
		return err;
	}
	x->dev = f->hca->dev;
	if (st) {
		x->has_inode = true;
		x->st_dev = st->st_dev;
		x->st_ino = st->st_ino;
	}
	x->next = the_abi.xrcds;
	the_abi.xrcds = x;
	*out = x;
	return 0;
}

int uv_xrcd_release(struct uv_obj *obj)
{
	struct uv_xrcd_shared *x = obj->u.xrcd;
	int err;

	if (!x || --x->refs)
		return 0;
	err = softhca_xrcd_destroy(x->hw);
	if (err) {
		x->refs++;
		return err;
	}
	for (struct uv_xrcd_shared **p = &the_abi.xrcds; *p; p = &(*p)->next) {
		if (*p == x) {
			*p = x->next;
			break;
		}
	}
	free(x);
	return 0;
}

/* Finds or makes the domain by the rules of open(2), with O_CREAT and O_EXCL. */
static int xrcd_pick(struct uv_file *f, const struct ib_uverbs_open_xrcd *req,
		     struct uv_xrcd_shared **out)
{
	struct uv_xrcd_shared *x = NULL;
	struct stat st;

	if (req->fd == UINT32_MAX)
		return req->oflags & O_CREAT ? xrcd_make(f, NULL, out) : -EINVAL;
	if (uv_sys_fstat((int)req->fd, &st))
		return -EBADF;
	x = xrcd_find(f, &st);
	if (!x && !(req->oflags & O_CREAT))
		return -EAGAIN;
	if (x && req->oflags & O_EXCL)
		return -EINVAL;
	*out = x;
	return x ? 0 : xrcd_make(f, &st, out);
}

int uv_open_xrcd(struct uv_cmd *c)
{
	struct ib_uverbs_open_xrcd_resp resp = {0};
	struct ib_uverbs_open_xrcd req;
	struct uv_obj *obj;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	if (!softhca_dev_config(c->file->hca->dev)->xrc)
		return -EOPNOTSUPP;
	obj = uv_obj_new(c->file, UV_XRCD);
	if (!obj)
		return -ENOMEM;
	err = xrcd_pick(c->file, &req, &obj->u.xrcd);
	if (err) {
		obj->u.xrcd = NULL;
		uv_obj_free(obj);
		return err;
	}
	obj->u.xrcd->refs++;
	obj->hw = obj->u.xrcd->hw;
	resp.xrcd_handle = obj->handle;
	err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		(void)uv_obj_destroy(obj);
	return err;
}

int uv_close_xrcd(struct uv_cmd *c)
{
	return destroy(c, UV_XRCD);
}

/* ---- address handles: the driver asks the kernel only for the MAC on Ethernet ---------------- */

int uv_create_ah(struct uv_cmd *c)
{
	struct ib_uverbs_create_ah_resp resp = {0};
	struct mlx5_ib_create_ah_resp drv = {.response_length = sizeof(drv)};
	struct ib_uverbs_create_ah req;
	struct ibv_ah_attr attr;
	struct uv_obj *pd, *ah;
	int err = uv_request(c, &req, sizeof(req));

	if (err)
		return err;
	memset(&attr, 0, sizeof(attr));
	memcpy(attr.grh.dgid.raw, req.attr.grh.dgid, 16);
	attr.grh.flow_label = req.attr.grh.flow_label;
	attr.grh.sgid_index = req.attr.grh.sgid_index;
	attr.grh.hop_limit = req.attr.grh.hop_limit;
	attr.grh.traffic_class = req.attr.grh.traffic_class;
	attr.dlid = req.attr.dlid;
	attr.sl = req.attr.sl;
	attr.src_path_bits = req.attr.src_path_bits;
	attr.static_rate = req.attr.static_rate;
	attr.is_global = req.attr.is_global;
	attr.port_num = req.attr.port_num;
	pd = uv_obj_get(c->file, UV_PD, req.pd_handle);
	if (!pd)
		return -EINVAL;
	err = softhca_ah_check(c->file->hca->dev, &attr);
	if (!err && c->drv_out.len)
		err = softhca_mac_resolve(c->file->hca->dev, &attr, drv.dmac);
	if (err)
		return err;
	ah = uv_obj_new(c->file, UV_AH);
	if (!ah)
		return -ENOMEM;
	uv_obj_depend(ah, pd);
	resp.ah_handle = ah->handle;
	err = uv_drv_out(c, &drv, sizeof(drv));
	if (!err)
		err = uv_respond(c, &resp, sizeof(resp));
	if (err)
		uv_obj_free(ah);
	return err;
}

int uv_destroy_ah(struct uv_cmd *c)
{
	return destroy(c, UV_AH);
}
