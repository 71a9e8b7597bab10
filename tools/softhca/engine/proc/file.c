/* SPDX-License-Identifier: BSD-2-Clause */
/* Records that are appended to files as a whole or not at all, and texts of errors. */
#include "tools/softhca/engine/proc/file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

const char *softhca_strerror(int err)
{
	return err == EMFILE ? "Too many open files (ulimit -n)" : strerror(err);
}

bool softhca_append(int fd, const struct iovec *iov, int count, const char *what)
{
	const ssize_t done = writev(fd, iov, count);
	ssize_t rest = -done;

	for (int i = 0; i < count; i++)
		rest += (ssize_t)iov[i].iov_len;
	if (done >= 0 && !rest)
		return true;
	dprintf(STDERR_FILENO,
		"softhca: %s ends before the program: %s. Make room and run it again.\n", what,
		softhca_strerror(done < 0 ? errno : ENOSPC));
	if (done > 0 && ftruncate(fd, lseek(fd, 0, SEEK_END) - done))
		dprintf(STDERR_FILENO, "softhca: the end of %s is incomplete.\n", what);
	return false;
}
