/* SPDX-License-Identifier: BSD-2-Clause */
#include "tools/softhca/uverbs/preload/umad_front.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/softhca/umad/umad.h"
#include "tools/softhca/uverbs/libc/libc.h"
#include "tools/softhca/uverbs/preload/trap.h"
#include "tools/softhca/uverbs/uverbs.h"

static struct softhca_dev *device_of(unsigned long n, unsigned int *port)
{
	struct softhca_dev *const dev = softhca_dev_by_index((unsigned int)n /
							     UMAD_PORTS_PER_DEVICE);

	*port = (unsigned int)n % UMAD_PORTS_PER_DEVICE + 1;
	return dev && *port <= softhca_dev_config(dev)->nports ? dev : NULL;
}

int uv_umad_index(const char *path)
{
	unsigned int port;
	unsigned long n;
	char *end;

	if (strncmp(path, UMAD_DEV_PREFIX, strlen(UMAD_DEV_PREFIX)))
		return -1;
	path += strlen(UMAD_DEV_PREFIX);
	n = strtoul(path, &end, 10);
	if (end == path || *end || n < UMAD_FIRST ||
	    n >= UMAD_FIRST + UV_MAX_DEVICES * UMAD_PORTS_PER_DEVICE || !uv_num_devices())
		return -1;
	n -= UMAD_FIRST;
	return device_of(n, &port) ? UV_INDEX_UMAD + (int)n : -1;
}

int uv_umad_open(int index, int flags)
{
	struct softhca_dev *dev;
	unsigned int port;
	struct stat st;
	int fd;

	/* Answers and time-outs need it before any device file is open. */
	softhca_thread_start(uv_trap_on());
	softhca_lock();
	dev = device_of((unsigned long)(index - UV_INDEX_UMAD), &port);
	fd = dev ? umad_open(dev, port, flags, &st) : -ENXIO;
	if (fd >= 0)
		fd = uv_open_other(fd, &st, (unsigned int)index, umad_closed);
	softhca_unlock();
	return fd;
}

int uv_umad_close(int fd)
{
	return uv_close_other(fd, umad_closed);
}

int uv_umad_ioctl(int fd, unsigned long request, void *arg)
{
	struct stat st;
	int err;

	if (uv_sys_fstat(fd, &st))
		return -EBADF;
	softhca_lock();
	err = umad_ioctl(&st, request, arg);
	softhca_unlock();
	return err;
}

ssize_t uv_umad_write(int fd, const void *buf, size_t len)
{
	struct stat st;
	ssize_t done;

	if (uv_sys_fstat(fd, &st))
		return -EBADF;
	softhca_lock();
	done = umad_write(&st, buf, len);
	softhca_thread_kick();
	softhca_unlock();
	return done;
}
