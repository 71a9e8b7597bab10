/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies between a command and the program's memory. Bad pointers and sizes become errors, as in
 * the kernel.
 */
#include <errno.h>
#include <rdma/rdma_user_ioctl_cmds.h>
#include <string.h>

#include "tools/softhca/engine/engine.h"
#include "tools/softhca/uverbs/cmd.h"

/* AddressSanitizer sees what functions of the C library do to our side of a copy, but not the
 * engine's own instructions. */
#if defined(__SANITIZE_ADDRESS__)
#define BY_KERNEL true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define BY_KERNEL true
#endif
#endif
#ifndef BY_KERNEL
#define BY_KERNEL false
#endif

/* Copies like the kernel: a bad pointer must become an errno of the command, not a crash. The fault
 * handling was checked when the lock was taken. */
int uv_copy_in(void *dst, uint64_t src, size_t len)
{
	return BY_KERNEL ? softhca_copy_by_kernel(src, dst, len, true)
			 : softhca_copy_in(dst, src, len);
}

int uv_copy_out(uint64_t dst, const void *src, size_t len)
{
	return BY_KERNEL ? softhca_copy_by_kernel(dst, (void *)(uintptr_t)src, len, false)
			 : softhca_copy_out(dst, src, len);
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
	/* Unlike the core, drivers ignore an unknown tail. */
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
