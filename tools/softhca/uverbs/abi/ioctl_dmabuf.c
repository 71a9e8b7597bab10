/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * DMA buffers, as memory regions (ibv_reg_dmabuf_mr()) and as memory of DEVX objects. The device
 * maps the buffer, as the program could. The checks and their errnos are Linux's:
 * core/uverbs_std_types_mr.c, core/umem_dmabuf.c, hw/mlx5/devx.c (devx_umem_get()).
 */
#include <errno.h>
#include <rdma/ib_user_ioctl_cmds.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tools/softhca/uverbs/cmds.h"
#include "tools/softhca/uverbs/libc/libc.h"

#define PAGE_MASK 4095u
#define ACCESS                                                                                  \
	((uint32_t)(IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_READ | IBV_ACCESS_REMOTE_WRITE | \
		    IBV_ACCESS_REMOTE_ATOMIC | IBV_ACCESS_RELAXED_ORDERING))

static int read_request(struct uv_ioctl *io, struct uv_dmabuf *r)
{
	if (uv_attr_u64(io, UVERBS_ATTR_REG_DMABUF_MR_OFFSET, &r->offset) ||
	    uv_attr_u64(io, UVERBS_ATTR_REG_DMABUF_MR_LENGTH, &r->length) ||
	    uv_attr_u64(io, UVERBS_ATTR_REG_DMABUF_MR_IOVA, &r->iova) ||
	    uv_attr_in(io, UVERBS_ATTR_REG_DMABUF_MR_FD, &r->fd, sizeof(r->fd)) ||
	    uv_attr_in(io, UVERBS_ATTR_REG_DMABUF_MR_ACCESS_FLAGS, &r->access, sizeof(r->access)) ||
	    !uv_attr(io, UVERBS_ATTR_REG_DMABUF_MR_HANDLE))
		return -EINVAL;
	if ((r->offset ^ r->iova) & PAGE_MASK || r->access & ~ACCESS)
		return -EINVAL;
	return 0;
}

/* Only the kernel can identify a buffer, by its name. A memfd may stand for it by request. */
static int check_buffer(const struct uv_ioctl *io, const struct uv_dmabuf *r)
{
	const bool memfd = softhca_dev_config(io->file->hca->dev)->memfd_dmabuf;
	char path[64], name[64] = {0};
	struct stat st;
	off_t size;

	snprintf(path, sizeof(path), "/proc/self/fd/%d", (int)r->fd);
	if (uv_sys_fstat((int)r->fd, &st) || uv_libc()->readlink(path, name, sizeof(name) - 1) < 0)
		return -EBADF;
	if (strncmp(name, "/dmabuf:", 8) != 0 && !(memfd && !strncmp(name, "/memfd:", 7)))
		return -EINVAL;
	size = st.st_size ? st.st_size : lseek((int)r->fd, 0, SEEK_END);
	if (size < 0 || r->offset + r->length < r->offset || r->offset + r->length > (uint64_t)size)
		return -EINVAL;
	return 0;
}

int uv_dmabuf_map(const struct uv_ioctl *io, const struct uv_dmabuf *r, struct uv_obj *obj)
{
	const uint64_t first = r->offset & ~(uint64_t)PAGE_MASK;
	const size_t len = (size_t)(r->offset + r->length - first);
	int err = check_buffer(io, r);
	void *p;

	if (err || !len)
		return err;
	p = uv_libc()->mmap(NULL, len, PROT_READ | PROT_WRITE, MAP_SHARED, (int)r->fd,
			    (off_t)first);
	if (p == MAP_FAILED && !(r->access & IBV_ACCESS_LOCAL_WRITE))
		p = uv_libc()->mmap(NULL, len, PROT_READ, MAP_SHARED, (int)r->fd, (off_t)first);
	if (p == MAP_FAILED)
		return -EOPNOTSUPP; /* its exporter allows no mapping, so we cannot access it */
	obj->u.umem.map = p;
	obj->u.umem.map_len = len;
	obj->u.umem.addr = (uint64_t)(uintptr_t)p + (r->offset & PAGE_MASK);
	return 0;
}

static int make(const struct uv_ioctl *io, const struct uv_dmabuf *r, struct uv_obj *pd,
		struct uv_obj *mr)
{
	struct softhca_mkey *hw;
	int err = uv_dmabuf_map(io, r, mr);

	if (err)
		return err;
	err = softhca_mr_create(pd->hw, mr->u.umem.addr, r->length, r->iova, r->access, &hw);
	if (err)
		return err;
	mr->hw = hw;
	mr->u.umem.addr = r->iova;
	mr->u.umem.len = r->length;
	uv_obj_depend(mr, pd);
	return 0;
}

int uv_ioctl_reg_dmabuf(struct uv_ioctl *io)
{
	struct uv_dmabuf r;
	struct uv_obj *pd, *mr;
	int err = read_request(io, &r);

	err = err ? err : uv_attr_obj(io, UVERBS_ATTR_REG_DMABUF_MR_PD_HANDLE, UV_PD, &pd);
	if (err)
		return err;
	mr = uv_obj_new(io->file, UV_MR);
	if (!mr)
		return -ENOMEM;
	err = make(io, &r, pd, mr);
	if (!err)
		err = uv_answer_mr(io, mr, UVERBS_ATTR_REG_DMABUF_MR_HANDLE,
				   UVERBS_ATTR_REG_DMABUF_MR_RESP_LKEY);
	if (err)
		(void)uv_obj_destroy(mr);
	return err;
}

void uv_dmabuf_release(struct uv_obj *obj)
{
	if (obj->u.umem.map)
		munmap(obj->u.umem.map, obj->u.umem.map_len);
	obj->u.umem.map = NULL;
}
