/* SPDX-License-Identifier: BSD-2-Clause */
/* File descriptors of the device, hidden from the program. */
#include "tools/softhca/uverbs/libc/fdtab.h"

#include <fcntl.h>

#include "tools/softhca/uverbs/libc/libc.h"

#define FD_FIRST 600

int uv_fd_hide(int fd)
{
	int high;

	if (fd < 0)
		return fd;
	high = fcntl(fd, F_DUPFD_CLOEXEC, FD_FIRST);
	if (high >= 0) {
		uv_libc()->close(fd);
		fd = high;
	}
	if (fd < UV_FD_LIMIT)
		__atomic_or_fetch(&the_libc.hidden[fd / 64], 1ULL << (fd % 64), __ATOMIC_RELAXED);
	return fd;
}

void uv_fd_close(int fd)
{
	if (fd < 0)
		return;
	if (fd < UV_FD_LIMIT)
		__atomic_and_fetch(&the_libc.hidden[fd / 64], ~(1ULL << (fd % 64)),
				   __ATOMIC_RELAXED);
	uv_libc()->close(fd);
}

bool uv_fd_hidden(int fd)
{
	if (fd < 0 || fd >= UV_FD_LIMIT)
		return false;
	return __atomic_load_n(&the_libc.hidden[fd / 64], __ATOMIC_RELAXED) >> (fd % 64) & 1;
}

void uv_fd_close_all(void)
{
	for (int i = 0; i < UV_FD_LIMIT / 64; i++)
		while (the_libc.hidden[i])
			uv_fd_close(i * 64 + __builtin_ctzll(the_libc.hidden[i]));
}
