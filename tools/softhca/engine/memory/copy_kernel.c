/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Copies by the kernel from and to memory of the application. The kernel checks every pointer.
 * process_vm_readv/writev copy within the own process. If a sandbox forbids them, a pipe does it.
 */
#include "tools/softhca/engine/copy.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#define CHUNK 4096u /* any pipe takes this many bytes at once */

/* The program that the engine is linked into may interpose functions of the C library. */
static ssize_t pipe_write(const int ends[2], const void *buf, size_t len)
{
	return syscall(SYS_write, ends[1], buf, len);
}

static ssize_t pipe_read(const int ends[2], void *buf, size_t len)
{
	return syscall(SYS_read, ends[0], buf, len);
}

static int chunk_through(const int ends[2], void *to, const void *from, size_t len)
{
	uint8_t rest[CHUNK];
	ssize_t written = pipe_write(ends, from, len), n;

	if (written <= 0)
		return -EFAULT;
	n = pipe_read(ends, to, (size_t)written);
	if (n < written) /* the next chunk must not find it */
		(void)pipe_read(ends, rest, (size_t)(written - (n > 0 ? n : 0)));
	return n == (ssize_t)len ? 0 : -EFAULT;
}

static int through_pipe(uint8_t *to, const uint8_t *from, size_t len)
{
	int ends[2], err = 0;

	if (syscall(SYS_pipe2, ends, O_CLOEXEC))
		return -EFAULT;
	while (len && !err) {
		const size_t n = len < CHUNK ? len : CHUNK;

		err = chunk_through(ends, to, from, n);
		to += n;
		from += n;
		len -= n;
	}
	syscall(SYS_close, ends[0]);
	syscall(SYS_close, ends[1]);
	return err;
}

/* The kernel refuses iovecs of more than SSIZE_MAX in total. All copies are much shorter. */
int softhca_copy_by_kernel(uint64_t app_va, void *mine, size_t len, bool in)
{
	void *const theirs = (void *)(uintptr_t)app_va;
	struct iovec app = {theirs, len}, own = {mine, len};
	const int saved = errno;
	ssize_t n;
	int err;

	if (!len)
		return 0;
	n = in ? process_vm_readv(getpid(), &own, 1, &app, 1, 0)
	       : process_vm_writev(getpid(), &own, 1, &app, 1, 0);
	if (n >= 0)
		err = (size_t)n == len ? 0 : -EFAULT;
	else if (errno != EPERM && errno != ENOSYS)
		err = -EFAULT;
	else
		err = in ? through_pipe(mine, theirs, len) : through_pipe(theirs, mine, len);
	errno = saved;
	return err;
}
