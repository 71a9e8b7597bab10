/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * For the fuzz targets only: a machine without a network. Packets of a target
 * never leave the process, and asking the kernel for some twice a turn takes most of the time.
 */
#include <errno.h>
#include <sys/socket.h>

int recvmmsg(int fd, struct mmsghdr *msgs, unsigned int n, int flags, struct timespec *timeout);
int recvmmsg(int fd, struct mmsghdr *msgs, unsigned int n, int flags, struct timespec *timeout)
{
	(void)fd, (void)msgs, (void)n, (void)flags, (void)timeout;
	errno = EAGAIN;
	return -1;
}
