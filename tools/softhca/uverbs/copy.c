/* SPDX-License-Identifier: BSD-2-Clause */
#include <errno.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include "tools/softhca/uverbs/cmd.h"

/*
 * The kernel checks pointers for us when it copies: a bad one must become an errno of the command,
 * not a crash of the program. Some sandboxes forbid the call; there we have to trust the pointer.
 */
static int cross_copy(uint64_t user, void *local, size_t len, bool in)
{
	struct iovec here = {.iov_base = local, .iov_len = len};
	struct iovec there = {.iov_base = (void *)(uintptr_t)user, .iov_len = len};
	int saved = errno;
	ssize_t done;

	if (!len)
		return 0;
	if (in)
		done = process_vm_readv(getpid(), &here, 1, &there, 1, 0);
	else
		done = process_vm_writev(getpid(), &here, 1, &there, 1, 0);
	if (done < 0 && (errno == EPERM || errno == ENOSYS)) {
		errno = saved;
		if (!user)
			return -EFAULT;
		if (in)
			memcpy(local, (const void *)(uintptr_t)user, len);
		else
			memcpy((void *)(uintptr_t)user, local, len);
		return 0;
	}
	errno = saved;
	return done == (ssize_t)len ? 0 : -EFAULT;
}

int uv_copy_in(void *dst, uint64_t src, size_t len)
{
	return cross_copy(src, dst, len, true);
}

int uv_copy_out(uint64_t dst, const void *src, size_t len)
{
	return cross_copy(dst, (void *)(uintptr_t)src, len, false);
}

static int tail_is_clear(uint64_t addr, size_t len)
{
	uint8_t chunk[64];

	while (len) {
		size_t n = len < sizeof(chunk) ? len : sizeof(chunk);

		if (uv_copy_in(chunk, addr, n))
			return -EFAULT;
		for (size_t i = 0; i < n; i++)
			if (chunk[i])
				return -EOPNOTSUPP;
		addr += n;
		len -= n;
	}
	return 0;
}

static int span_in(const struct uv_span *s, void *buf, size_t len)
{
	size_t n = s->len < len ? s->len : len;
	int err;

	memset(buf, 0, len);
	err = uv_copy_in(buf, s->addr, n);
	if (!err && s->len > len)
		err = tail_is_clear(s->addr + len, s->len - len);
	return err;
}

static int span_out(const struct uv_span *s, const void *buf, size_t len)
{
	static const uint8_t zero[64];
	size_t n = s->len < len ? s->len : len;
	int err = uv_copy_out(s->addr, buf, n);

	while (!err && n < s->len) {
		size_t more = s->len - n < sizeof(zero) ? s->len - n : sizeof(zero);

		err = uv_copy_out(s->addr + n, zero, more);
		n += more;
	}
	return err;
}

int uv_request(const struct uv_cmd *c, void *req, size_t len)
{
	return span_in(&c->in, req, len);
}

int uv_respond(const struct uv_cmd *c, const void *resp, size_t len)
{
	return span_out(&c->out, resp, len);
}

int uv_drv_in(const struct uv_cmd *c, void *req, size_t min, size_t len)
{
	struct uv_span s = c->drv_in;

	if (s.len < min)
		return -EINVAL;
	/* Unlike the core, drivers ignore a tail they do not know. */
	if (s.len > len)
		s.len = len;
	return span_in(&s, req, len);
}

int uv_drv_out(const struct uv_cmd *c, const void *resp, size_t len)
{
	struct uv_span s = c->drv_out;

	if (s.len > len)
		s.len = len;
	return span_out(&s, resp, len);
}
