/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Queries with an answer that is read later. The answers wait in a socket that keeps their
 * boundaries, so that read() returns one at a time. The application has the other end.
 */
#include <errno.h>
#include <rdma/mlx5_user_ioctl_cmds.h>
#include <rdma/mlx5_user_ioctl_verbs.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tools/softhca/uverbs/cmd.h"
#include "tools/softhca/uverbs/devx/devx.h"
#include "tools/softhca/uverbs/libc/fdtab.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/uverbs.h"

#define MAX_OUT (64u * 1024) /* the driver's limit for waiting answers, too */

/* True if this is the application's end. Another file may have got its closed number. */
static bool is_end(const struct uv_obj *ch, int fd)
{
	struct stat st;

	return fd >= 0 && !uv_sys_fstat(fd, &st) && st.st_ino == ch->u.async_cmd.ino &&
	       st.st_dev == ch->u.async_cmd.dev;
}

static struct uv_obj *find(struct uv_file *f, int fd)
{
	for (unsigned int i = 0; i < f->num_objs; i++)
		if (f->objs[i] && f->objs[i]->type == UV_DEVX_ASYNC && is_end(f->objs[i], fd))
			return f->objs[i];
	return NULL;
}

/* Closing the application's end is not seen. Such channels are freed before a new one. */
static void collect_closed(struct uv_file *f)
{
	char byte;

	for (unsigned int i = 0; i < f->num_objs; i++) {
		struct uv_obj *ch = f->objs[i];

		/* 0 bytes to read: the other end is gone. */
		if (ch && ch->type == UV_DEVX_ASYNC &&
		    !recv(ch->u.async_cmd.fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT))
			(void)uv_obj_destroy(ch);
	}
}

void uv_devx_async_release(struct uv_obj *ch)
{
	uv_fd_close(ch->u.async_cmd.fd);
}

int uv_devx_async_alloc(struct uv_ioctl *io)
{
	struct uv_obj *ch;
	struct stat st;
	int end[2], err;

	if (!uv_attr(io, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE))
		return -EINVAL;
	collect_closed(io->file);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, end))
		return -errno;
	ch = uv_sys_fstat(end[0], &st) ? NULL : uv_obj_new(io->file, UV_DEVX_ASYNC);
	if (!ch) {
		uv_libc()->close(end[0]);
		uv_libc()->close(end[1]);
		return -ENOMEM;
	}
	ch->u.async_cmd.ino = st.st_ino;
	ch->u.async_cmd.dev = st.st_dev;
	ch->u.async_cmd.fd = uv_fd_hide(end[1]);
	err = uv_attr_set(io, MLX5_IB_ATTR_DEVX_ASYNC_CMD_FD_ALLOC_HANDLE, (uint64_t)end[0]);
	if (err) {
		uv_libc()->close(end[0]);
		(void)uv_obj_destroy(ch);
	}
	return err;
}

/* The device answers at once. Only the reading is later. */
static int run(struct uv_obj *obj, struct uv_obj *ch, struct uv_mailbox *mb, uint8_t *answer)
{
	int err;

	mb->out = answer + sizeof(struct mlx5_ib_uapi_devx_async_cmd_hdr);
	err = uv_devx_query(obj, mb);
	/* A refusal of the device is an answer as well. */
	if (err && err != -EREMOTEIO)
		return err;
	if (send(ch->u.async_cmd.fd, answer,
		 sizeof(struct mlx5_ib_uapi_devx_async_cmd_hdr) + mb->out_len,
		 MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return -EAGAIN;
	return 0;
}

int uv_devx_async_query(struct uv_ioctl *io)
{
	struct ib_uverbs_attr *fd = uv_attr(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_FD);
	struct uv_span in = uv_attr_span(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_CMD_IN);
	struct mlx5_ib_uapi_devx_async_cmd_hdr hdr = {0};
	struct uv_obj *obj = NULL, *ch;
	uint8_t *answer, *request;
	uint64_t out_len;
	uint32_t handle;
	int err;

	if (!fd || uv_attr_handle(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_HANDLE, &handle) ||
	    uv_attr_in(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_OUT_LEN, &out_len, sizeof(out_len)) ||
	    uv_attr_in(io, MLX5_IB_ATTR_DEVX_OBJ_QUERY_ASYNC_WR_ID, &hdr.wr_id, sizeof(hdr.wr_id)))
		return -EINVAL;
	if (handle < io->file->num_objs)
		obj = io->file->objs[handle];
	if (!obj)
		return -ENOENT;
	if (!in.len || in.len > MAX_OUT || !out_len || out_len > MAX_OUT)
		return -EINVAL;
	ch = find(io->file, (int)fd->data_s64);
	if (!ch)
		return -EBADF;
	request = malloc(in.len);
	answer = calloc(1, sizeof(hdr) + out_len);
	err = request && answer ? uv_copy_in(request, in.addr, in.len) : -ENOMEM;
	if (!err) {
		struct uv_mailbox mb = {.in = request, .in_len = in.len, .out_len = out_len};

		memcpy(answer, &hdr, sizeof(hdr));
		err = run(obj, ch, &mb, answer);
	}
	free(request);
	free(answer);
	return err;
}
